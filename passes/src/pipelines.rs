//! Named pipelines: all the way down, in one word.
//!
//! ```text
//! --pipeline-to-cpu                        stages ──▶ loops ──▶ llvm dialect, ready for LLVM
//! --pipeline-to-ptx="chip=sm_90"           stages ──▶ kernels ──▶ nvvm ──▶ PTX in a gpu.binary, and host code
//! ```
//!
//! A pipeline is a text; `--dump-pass-pipeline` prints it with every option spelt out.

use crate::{gpu::Chip, group::Strategy, stage::Libm};
use mlir_glue::{Pipeline, choice, options};
use weft_model::{Cpu, Target};

/// From loops and memory to the llvm dialect, for the host. Functions get a C interface (`_mlir_ciface_NAME`).
const HOST_TO_LLVM: &str = "canonicalize,cse,expand-extremes,func.func(llvm-request-c-wrappers),expand-strided-metadata,lower-affine,\
    arith-expand,convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,\
    convert-math-to-llvm,convert-math-to-libm,convert-to-llvm,reconcile-unrealized-casts";

/// From the host code that `--pipeline-to-ptx` leaves to the llvm dialect, in which it calls MLIR's `mgpu*` functions.
pub const LAUNCHES_TO_LLVM: &str = "canonicalize,cse,func.func(llvm-request-c-wrappers),func.func(gpu-async-region),lower-affine,\
    expand-strided-metadata,arith-expand,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,\
    convert-index-to-llvm,gpu-to-llvm{use-bare-pointers-for-kernels=1},finalize-memref-to-llvm,convert-cf-to-llvm,\
    convert-func-to-llvm,reconcile-unrealized-casts";

/// How a program's arithmetic is decided, once, before anything else: every target computes what then stands there.
#[derive(Debug, Clone, Copy)]
pub struct Arithmetic {
    /// Whether `--contract` makes fused multiply-adds.
    pub contract: bool,
    /// Whether `--expand-math` makes the mathematics that all targets share, or each has its own.
    pub libm: Libm,
}

impl Default for Arithmetic {
    fn default() -> Self {
        Self { contract: true, libm: Libm::Shared }
    }
}

impl Arithmetic {
    /// The passes that a pipeline begins with, each with a comma behind it; `inner_points` as of `--unroll-reductions`.
    fn passes(self, inner_points: i64) -> String {
        // Contraction first: an expansion says itself where it rounds, and a reduce that is written out has products and sums of
        // neighbouring points side by side.
        let contract = if self.contract { "contract," } else { "" };
        let expand = if self.libm == Libm::Shared { "expand-math," } else { "" };
        let inner = if inner_points == 0 { String::new() } else { format!("{{inner-points={inner_points}}}") };
        format!("{contract}{expand}unroll-reductions{inner},")
    }
}

options! {
    /// Options of `--pipeline-to-cpu`.
    pub struct CpuOptions {
        target: String = "host", "target", "the CPU to compile for: host, zen5 or avx2";
        inline: bool = false, "inline", "compute cheap stages where they are read, as --inline-stages does";
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a group, as of --cpu-schedule";
        size: String = "", "size", "extents of images that are not known, for costs";
        vectors: bool = true, "vectors", "make vectors of loops over points, as --vectorize does";
        contract: bool = true, "contract", "make fused multiply-adds, as --contract does";
        libm: Libm = Libm::Shared, "libm", "mathematics that all targets share, as of --expand-math, or the target's own";
    }
}

/// Points of a window that stand in the body of a loop over the others, on CPUs: GPUs' compilers unroll as they see fit.
const INNER_POINTS: i64 = 5;

/// `--pipeline-to-cpu`.
pub struct PipelineToCpu;

impl Pipeline for PipelineToCpu {
    const ARGUMENT: &'static str = "pipeline-to-cpu";
    const SUMMARY: &'static str = "Lower programs to the llvm dialect, for a CPU";
    const DESCRIPTION: &'static str = "\
Bounds, groups with schedules, tiles, vectors, threads, and MLIR's own conversions. The result is ready for `pipeline-translate \
--mlir-to-llvmir` and for the CPU executor of `pipeline-run`, which run LLVM's passes.";
    type Options = CpuOptions;

    fn expand(options: &CpuOptions) -> Result<String, String> {
        let strategy = options.strategy.word();
        let target = Cpu::named(&options.target).map(|cpu| cpu.name).map_err(|error| error.to_string())?;
        let arithmetic = Arithmetic { contract: options.contract, libm: options.libm }.passes(INNER_POINTS);
        // A window costs little, a store and a load in the nearest cache: what is not inlined as suits caches is worth one.
        let inline = if options.inline { "inline-stages," } else { "inline-stages{policy=caches}," };
        let size = if options.size.is_empty() { String::new() } else { format!(" size={}", options.size) };
        let pages = if cfg!(target_os = "linux") { "large-pages," } else { "" };
        // Rows that are computed together share much, and what is there once is canonicalized once.
        let vectors =
            if options.vectors { "vectorize,cse,canonicalize,cse,loop-invariant-code-motion,order-ops," } else { "" };
        Ok(format!(
            "{arithmetic}exact-division,fold-zeros,{inline}copy-inputs,narrow-integers,canonicalize,infer-bounds,\
             cpu-schedule{{strategy={strategy} target={target}{size}}},\
             cpu-tile{{target={target}}},canonicalize,cse,plan-memory,{pages}merge-loops,{vectors}cpu-threads,{HOST_TO_LLVM}"
        ))
    }
}

/// The reference, all the way down: what `pipeline-run --target reference` runs.
pub fn reference(arithmetic: Arithmetic) -> String {
    format!("{}convert-pipeline-to-loops,{HOST_TO_LLVM}", arithmetic.passes(0))
}

/// Makes LLVM write `.loc`, which changes no instruction.
const LINES: &str = ",ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

choice! {
    /// What a kernel of `--pipeline-to-ptx` computes with.
    pub enum Tiling { Warp = "warp", Block = "block", None = "none" }
}

options! {
    /// Options of `--pipeline-to-ptx`.
    pub struct PtxOptions {
        chip: String = "sm_90", "chip", "the GPU to compile for";
        inline: bool = true, "inline", "compute cheap stages where they are read, as --inline-stages does";
        time_tile: i64 = 1, "time-tile", "steps of an iterate that become one, as of --time-tile";
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a kernel, as of --fuse";
        target: String = "", "target", "the GPU that costs are for, as of --fuse; else one that has the chip";
        size: String = "", "size", "extents of images that are not known, for costs";
        schedule: String = "", "schedule", "the schedule of groups that are made, as of --fuse";
        tiling: Tiling = Tiling::Warp, "tiling", "who computes a tile: a warp, a block, or each thread its own point";
        merge: bool = true, "merge", "make one kernel of those that do the same, as --merge-kernels does";
        lines: bool = false, "lines", "say the line of the source with each instruction";
        contract: bool = true, "contract", "make fused multiply-adds, as --contract does";
        libm: Libm = Libm::Shared, "libm", "mathematics that all targets share, as of --expand-math, or the target's own";
        libdevice: String = "", "libdevice", "path of NVIDIA's libdevice.10.bc, for functions that are not expanded";
    }
}

/// `--pipeline-to-ptx`.
pub struct PipelineToPtx;

impl Pipeline for PipelineToPtx {
    const ARGUMENT: &'static str = "pipeline-to-ptx";
    const SUMMARY: &'static str = "Lower programs to PTX, and to host code that launches it";
    const DESCRIPTION: &'static str = "\
Bounds, groups, kernels, nvvm, and LLVM's NVPTX back end. `pipeline-translate --mlir-to-ptx` prints the text alone.";
    type Options = PtxOptions;

    fn expand(options: &PtxOptions) -> Result<String, String> {
        Ok(Self::halves(options)?.join(","))
    }
}

impl PipelineToPtx {
    /// The pipeline in two: as far as groups with their schedules, and from there to PTX. For who wants to see the groups.
    ///
    /// # Errors
    ///
    /// A chip or a target that nobody knows; a path that the text of a pipeline cannot have.
    pub fn halves(options: &PtxOptions) -> Result<[String; 2], String> {
        let chip = Chip::named(&options.chip)?;
        let strategy = options.strategy.word();
        let arithmetic = Arithmetic { contract: options.contract, libm: options.libm }.passes(0);
        let (name, ptx) = (&chip.name, chip.ptx);
        let lines = if options.lines { LINES } else { "" };
        let schedule = match options.schedule.as_str() {
            // Schedules are chosen for blocks by two strategies, by the others for warps.
            "" if options.tiling == Tiling::None
                || (options.tiling == Tiling::Block
                    && !matches!(options.strategy, Strategy::All | Strategy::Greedy)) =>
            {
                " schedules=false".to_owned()
            }
            "" => String::new(),
            text => format!(" schedule={{{}}}", text.trim_start_matches('{').trim_end_matches('}')),
        };
        let target = match options.target.as_str() {
            "" => Target::for_chip(name).map_err(|error| error.to_string())?.name,
            target => target.to_owned(),
        };
        let size = if options.size.is_empty() { String::new() } else { format!(" size={}", options.size) };
        let tiling = match options.tiling {
            Tiling::Warp => "warp-tile,hybrid-register,split-interior,shuffle,lower-warp",
            Tiling::Block => "block-tile,hybrid-register,split-interior,shuffle,lower-warp",
            Tiling::None => "map-to-gpu",
        };
        let merge = if options.merge { "merge-kernels," } else { "" };
        let inline = if options.inline { "inline-stages," } else { "" };
        let time =
            if options.time_tile == 1 { String::new() } else { format!("time-tile{{steps={}}},", options.time_tile) };
        let libm = options.libm.word();
        // The text of a pipeline has no way to write a quote within quotes.
        let libdevice = match options.libdevice.as_str() {
            "" => String::new(),
            path if path.contains(['\'', '"', '{', '}']) => {
                return Err(format!("libdevice '{path}' has quotes or braces"));
            }
            path => format!(" libdevice='{path}'"),
        };
        let to_groups = format!(
            "{arithmetic}exact-division,{inline}{time}infer-bounds,fuse{{strategy={strategy} target={target}{size}{schedule}}}"
        );
        let to_kernels = format!(
            "{tiling},{merge}canonicalize,cse,\
             nvvm-attach-target{{chip={name} features=+ptx{ptx} O=3}},\
             gpu.module(lower-affine,expand-strided-metadata,arith-expand,convert-scf-to-cf,\
             convert-gpu-to-nvvm{{index-bitwidth=32 use-bare-ptr-memref-call-conv=1}},\
             convert-math-to-llvm,convert-nvvm-to-llvm,reconcile-unrealized-casts){lines},to-ptx{{libm={libm}{libdevice}}}"
        );
        Ok([to_groups, to_kernels])
    }
}
