//! Named pipelines: all the way down, in one word.
//!
//! ```text
//! --pipeline-to-cpu                        stages ──▶ loops ──▶ llvm dialect, ready for LLVM
//! --pipeline-to-ptx="chip=sm_90"           stages ──▶ kernels ──▶ nvvm ──▶ PTX in a gpu.binary, and host code
//! ```
//!
//! A pipeline is a list of steps, each a pass with its options; `--dump-pass-pipeline` prints it as text with every option spelt
//! out, which `mlir-opt` with the plugin runs.

use crate::{
    cpu::{
        CheckMemory, CpuThreads, CpuTile, CpuTileOptions, DelayShuffles, DelayTransposes, DotProducts, ExpandDivisions,
        ExpandExtremes, FactorSums, LargePages, LookUps, MergeLoops, NarrowIndices, OrderOps, OrderOpsOptions, PadRows,
        PlanMemory, ShareDivisors, ShareDivisorsOptions, SkipEmpty, Tabulate, ThreadWindows, Vectorize,
    },
    gpu::{
        BlockTile, Chip, ExtremesToLlvm, ExtremesToLlvmOptions, HybridRegister, HybridRegisterOptions, LoadAhead,
        LoadAheadOptions, LowerWarp, MapToGpu, MergeKernels, Shuffle, SplitInterior, ToPtx, ToPtxOptions, WarpTile,
    },
    group::{CpuSchedule, CpuScheduleOptions, Fuse, FuseOptions, Inputs, Overlap, Strategy},
    lower::ConvertPipelineToLoops,
    stage::{
        ByteTables, ByteTablesOptions, ChannelsOutermost, Contract, CopyInputs, CopyResults, DefineIntegers,
        ExactDivision, ExactDivisionOptions, ExpandMath, FactorExtremes, FoldTables, FoldZeros, InferBounds,
        InlineStages, InlineStagesOptions, Libm, NarrowIntegers, OrderFloats, PackPixels, PackPixelsOptions,
        PackTables, PackTablesOptions, PartialSums, PartialSumsOptions, Policy, SeparateWindows,
        SeparateWindowsOptions, ShareNeighbours, SplitWords, TimeTile, TimeTileOptions, UnrollReductions,
        UnrollReductionsOptions,
    },
};
use mlir_glue::{Pipeline, Step, choice, options};
use weft_model::{Cpu, Target};

/// Passes of MLIR's own, as they are by default.
fn upstream<const N: usize>(arguments: [&'static str; N]) -> [Step; N] {
    arguments.map(Step::upstream)
}

/// From loops and memory to the llvm dialect, for the host. Functions get a C interface (`_mlir_ciface_NAME`).
fn host_to_llvm() -> Vec<Step> {
    let mut steps = vec![Step::of::<CheckMemory>(()), Step::of::<SkipEmpty>(())];
    steps.extend(upstream(["canonicalize", "cse"]));
    steps.push(Step::of::<ExpandExtremes>(()));
    steps.push(Step::nested("func.func", upstream(["llvm-request-c-wrappers"])));
    steps.extend(upstream([
        "expand-strided-metadata",
        "lower-affine",
        "arith-expand",
        "convert-vector-to-scf",
        "convert-scf-to-cf",
        "convert-vector-to-llvm",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-to-llvm",
        "reconcile-unrealized-casts",
    ]));
    steps
}

/// From the host code that `--pipeline-to-ptx` leaves to the llvm dialect, in which it calls MLIR's `mgpu*` functions.
pub fn launches_to_llvm() -> Vec<Step> {
    let mut steps = Vec::from(upstream(["canonicalize", "cse"]));
    steps.push(Step::nested("func.func", upstream(["llvm-request-c-wrappers"])));
    steps.push(Step::nested("func.func", upstream(["gpu-async-region"])));
    steps.extend(upstream([
        "lower-affine",
        "expand-strided-metadata",
        "arith-expand",
        "convert-scf-to-cf",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-arith-to-llvm",
        "convert-index-to-llvm",
    ]));
    steps.push(Step::upstream_with("gpu-to-llvm", [("use-bare-pointers-for-kernels", "true".to_owned())]));
    steps.extend(upstream([
        "finalize-memref-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts",
    ]));
    steps
}

/// As many time steps become one, `steps` of them at most, as cost least on a target.
fn time_tile(steps: i64, target: &str, size: &str) -> Step {
    Step::of::<TimeTile>(TimeTileOptions { steps, target: target.to_owned(), size: size.to_owned() })
}

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
    /// The passes that a pipeline begins with, and which reduces they write out.
    fn steps(self, unroll: UnrollReductionsOptions) -> Vec<Step> {
        let mut steps = vec![Step::of::<CopyResults>(()), Step::of::<DefineIntegers>(())];
        // Contraction first: an expansion says itself where it rounds, and a reduce that is written out has products and sums of
        // neighbouring points side by side.
        if self.contract {
            steps.push(Step::of::<Contract>(()));
        }
        if self.libm == Libm::Shared {
            steps.push(Step::of::<ExpandMath>(()));
        }
        steps.push(Step::of::<UnrollReductions>(unroll));
        steps
    }
}

options! {
    /// Options of `--pipeline-to-cpu`.
    pub struct CpuOptions {
        target: String = "host", "target", "the CPU to compile for: host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml";
        inline: bool = false, "inline", "compute cheap stages where they are read, as --inline-stages does";
        time_tile: i64 = 8, "time-tile", "steps of an iterate that become one at most, where that costs less";
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a group, as of --cpu-schedule";
        tile: String = "", "tile", "one tile for all groups, as of --cpu-schedule";
        overlap: Overlap = Overlap::Scalene, "overlap", "the shape of tiles, as of --cpu-schedule";
        threshold: i64 = CpuScheduleOptions::default().threshold, "threshold", "the overlap that polymage tolerates, as of --cpu-schedule";
        size: String = "", "size", "extents of images that are not known, for costs";
        tune: String = "", "tune", "a file of groups and schedules, as of --cpu-schedule";
        candidates: i64 = 0, "candidates", "tiles of each group that the report has, as of --cpu-schedule";
        vectors: bool = true, "vectors", "make vectors of loops over points, as --vectorize does";
        contract: bool = true, "contract", "make fused multiply-adds, as --contract does";
        libm: Libm = Libm::Shared, "libm", "mathematics that all targets share, as of --expand-math, or the target's own";
    }
}

/// Points of a window that stand in the body of a loop over the others, on CPUs: GPUs' compilers unroll as they see fit.
const INNER_POINTS: i64 = 9;

/// Points of a window at least of which a GPU computes each once: of what is written out, threads compute all, and share loads by shuffles.
const TERM_POINTS: i64 = 33;

/// Points of a rectangle whose sum, or extreme, is written out, to become a row and a column.
const RECTANGLE_POINTS: i64 = 128;

/// `--pipeline-to-cpu`.
pub struct PipelineToCpu;

impl Pipeline for PipelineToCpu {
    const ARGUMENT: &'static str = "pipeline-to-cpu";
    const SUMMARY: &'static str = "Lower programs to the llvm dialect, for a CPU";
    const DESCRIPTION: &'static str = "\
Bounds, groups with schedules, tiles, vectors, threads, and MLIR's own conversions. The result is ready for `pipeline-translate \
--mlir-to-llvmir` and for the CPU executor of `pipeline-run`, which run LLVM's passes.";
    type Options = CpuOptions;

    fn expand(options: &CpuOptions) -> Result<Vec<Step>, String> {
        Ok(Self::halves(options)?.concat())
    }
}

impl PipelineToCpu {
    /// The pipeline in two: as far as groups with their schedules, of which `--cpu-schedule` is the last step, and from there to the
    /// llvm dialect. For who wants to see the groups.
    ///
    /// # Errors
    ///
    /// A target that nobody knows.
    pub fn halves(options: &CpuOptions) -> Result<[Vec<Step>; 2], String> {
        let target = Self::target(options)?;
        let mut to_llvm = Self::to_loops(options, &target, true);
        to_llvm.push(Step::of::<CpuThreads>(()));
        to_llvm.extend(host_to_llvm());
        Ok([Self::to_groups(options, target), to_llvm])
    }

    /// As far as groups, and from there to the loops that threads are to share, each in its place: for who wants to see them.
    ///
    /// # Errors
    ///
    /// A target that nobody knows.
    pub fn loops(options: &CpuOptions) -> Result<[Vec<Step>; 2], String> {
        let target = Self::target(options)?;
        let to_loops = Self::to_loops(options, &target, false);
        Ok([Self::to_groups(options, target), to_loops])
    }

    fn target(options: &CpuOptions) -> Result<String, String> {
        Cpu::named(&options.target).map(|_| options.target.clone()).map_err(|error| error.to_string())
    }

    fn to_groups(options: &CpuOptions, target: String) -> Vec<Step> {
        // Before reduces are written out.
        let mut steps = vec![Step::of::<PartialSums>(PartialSumsOptions::default())];
        steps.extend(Arithmetic { contract: options.contract, libm: options.libm }.steps(UnrollReductionsOptions {
            inner_points: INNER_POINTS,
            rectangle_points: RECTANGLE_POINTS,
            ..UnrollReductionsOptions::default()
        }));
        // A window costs little, a store and a load in the nearest cache: what is not inlined as suits caches is worth one.
        let policy = if options.inline { Policy::Registers } else { Policy::Caches };
        steps.extend([
            Step::of::<ChannelsOutermost>(()),
            Step::of::<FoldTables>(()),
            Step::of::<ExactDivision>(ExactDivisionOptions { floats: false }),
            Step::of::<FoldZeros>(()),
            // Two loops store and load what one has in registers; what lanes read with gaps is shuffled.
            Step::of::<SeparateWindows>(SeparateWindowsOptions { least: 4, strided: 1 }),
            Step::of::<InlineStages>(InlineStagesOptions { policy, ..InlineStagesOptions::default() }),
            Step::of::<FactorExtremes>(()),
            Step::of::<ByteTables>(ByteTablesOptions { target: target.clone(), size: options.size.clone() }),
            Step::of::<PackTables>(PackTablesOptions { size: options.size.clone() }),
            Step::of::<PackPixels>(PackPixelsOptions { size: options.size.clone() }),
            Step::of::<ShareNeighbours>(()),
            Step::of::<OrderFloats>(()),
            time_tile(options.time_tile, &target, &options.size),
            Step::of::<CopyInputs>(()),
            Step::of::<NarrowIntegers>(()),
            Step::of::<SplitWords>(()),
            Step::of::<InferBounds>(()),
            Step::of::<CpuSchedule>(CpuScheduleOptions {
                strategy: options.strategy,
                tile: options.tile.clone(),
                overlap: options.overlap,
                threshold: options.threshold,
                target,
                size: options.size.clone(),
                tune: options.tune.clone(),
                candidates: options.candidates,
                ..CpuScheduleOptions::default()
            }),
        ]);
        steps
    }

    /// From groups to loops; with `merge`, those that do the same are one function's.
    fn to_loops(options: &CpuOptions, target: &str, merge: bool) -> Vec<Step> {
        let mut steps = vec![
            Step::of::<CpuTile>(CpuTileOptions { target: target.to_owned() }),
            Step::upstream("canonicalize"),
            Step::of::<PadRows>(()),
            Step::of::<PlanMemory>(()),
        ];
        if cfg!(target_os = "linux") {
            steps.push(Step::of::<LargePages>(()));
        }
        steps.push(Step::of::<ThreadWindows>(()));
        if merge {
            steps.push(Step::of::<MergeLoops>(()));
        }
        if options.vectors {
            steps.extend([Step::of::<Vectorize>(()), Step::of::<ExpandDivisions>(())]);
            steps.extend([Step::of::<DotProducts>(()), Step::of::<FactorSums>(())]);
            steps.extend([Step::of::<LookUps>(()), Step::of::<NarrowIndices>(())]);
            // What loops over the same points are begun with is hoisted out of each, and there once.
            steps.extend(upstream(["canonicalize", "loop-invariant-code-motion", "cse"]));
            steps.push(Step::of::<ShareDivisors>(ShareDivisorsOptions { target: target.to_owned() }));
            steps.extend([Step::of::<DelayShuffles>(()), Step::of::<DelayTransposes>(()), Step::of::<Tabulate>(())]);
            steps.push(Step::of::<OrderOps>(OrderOpsOptions { target: target.to_owned() }));
        }
        steps
    }
}

/// The reference, all the way down: what `pipeline-run --target reference` runs.
pub fn reference(arithmetic: Arithmetic) -> Vec<Step> {
    let mut steps = arithmetic.steps(UnrollReductionsOptions::default());
    steps.push(Step::of::<ConvertPipelineToLoops>(()));
    steps.extend(host_to_llvm());
    steps
}

choice! {
    /// What a kernel of `--pipeline-to-ptx` computes with.
    pub enum Tiling { Warp = "warp", Block = "block", None = "none" }
}

options! {
    /// Options of `--pipeline-to-ptx`.
    pub struct PtxOptions {
        chip: String = "sm_90", "chip", "the GPU to compile for";
        inline: bool = true, "inline", "compute cheap stages where they are read, as --inline-stages does";
        time_tile: i64 = 8, "time-tile", "steps of an iterate that become one at most, where that costs less";
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a kernel, as of --fuse";
        target: String = "", "target", "the GPU that costs are for, as of --fuse; else one that has the chip";
        size: String = "", "size", "extents of images that are not known, for costs";
        schedule: String = "", "schedule", "the schedule of groups that are made, as of --fuse";
        threshold: i64 = FuseOptions::default().threshold, "threshold", "the overlap that polymage tolerates, as of --fuse";
        tune: String = "", "tune", "a file of groups and schedules, as of --fuse";
        candidates: i64 = 0, "candidates", "schedules of each group that the report has, as of --fuse";
        tiling: Tiling = Tiling::Warp, "tiling", "who computes a tile: a warp, a block, or each thread its own point";
        nested: bool = true, "nested", "compute what one point of a consumer needs alone there, as of --fuse";
        inputs: Inputs = Inputs::Memory, "inputs", "where tiles of all read the images of the program, as of --fuse";
        fraction: String = "", "fraction", "part of each tile's columns in registers, as of --fuse";
        load_ahead: i64 = LoadAheadOptions::default().most, "load-ahead", "registers of what loops of kernels load an iteration ahead, as of --load-ahead; 0 for none";
        merge: bool = true, "merge", "make one kernel of those that do the same, as --merge-kernels does";
        level: i64 = 3, "level", "3 for all passes of LLVM, 0 for few: slower kernels in less time";
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

    fn expand(options: &PtxOptions) -> Result<Vec<Step>, String> {
        Ok(Self::halves(options)?.concat())
    }
}

impl PipelineToPtx {
    /// The pipeline in two: as far as groups with their schedules, of which `--fuse` is the last step, and from there to PTX. For
    /// who wants to see the groups.
    ///
    /// # Errors
    ///
    /// A chip, a target or a level that nobody knows.
    pub fn halves(options: &PtxOptions) -> Result<[Vec<Step>; 2], String> {
        let chip = Chip::named(&options.chip)?;
        if ![0, 3].contains(&options.level) {
            return Err(format!("option 'level' is {}, expected 0 or 3", options.level));
        }
        Ok([Self::to_groups(options, &chip)?, Self::to_ptx(options, &chip)])
    }

    fn to_groups(options: &PtxOptions, chip: &Chip) -> Result<Vec<Step>, String> {
        let target = match options.target.as_str() {
            "" => Target::for_chip(&chip.name).map_err(|error| error.to_string())?.name,
            target => target.to_owned(),
        };
        // Schedules are chosen for blocks by two strategies, by the others for warps.
        let schedules = match options.tiling {
            Tiling::Warp => true,
            Tiling::Block => matches!(options.strategy, Strategy::All | Strategy::Greedy),
            Tiling::None => false,
        };
        // Before reduces are written out.
        let mut steps = vec![Step::of::<PartialSums>(PartialSumsOptions { term_points: TERM_POINTS })];
        steps.extend(Arithmetic { contract: options.contract, libm: options.libm }.steps(UnrollReductionsOptions {
            rectangle_points: RECTANGLE_POINTS,
            ..UnrollReductionsOptions::default()
        }));
        steps.extend([Step::of::<FoldTables>(()), Step::of::<ExactDivision>(ExactDivisionOptions::default())]);
        steps.push(Step::of::<SeparateWindows>(SeparateWindowsOptions::default()));
        if options.inline {
            steps.push(Step::of::<InlineStages>(InlineStagesOptions::default()));
        }
        steps.push(Step::of::<FactorExtremes>(()));
        // A thread that computes its own point computes each step once for every path to it.
        if options.tiling != Tiling::None {
            steps.push(time_tile(options.time_tile, &target, &options.size));
        }
        steps.push(Step::of::<InferBounds>(()));
        steps.push(Step::of::<Fuse>(FuseOptions {
            strategy: options.strategy,
            target,
            size: options.size.clone(),
            fraction: options.fraction.clone(),
            nested: options.nested,
            inputs: options.inputs,
            schedules: schedules || !options.schedule.is_empty(),
            schedule: options.schedule.clone(),
            threshold: options.threshold,
            tune: options.tune.clone(),
            candidates: options.candidates,
            ..FuseOptions::default()
        }));
        Ok(steps)
    }

    fn to_ptx(options: &PtxOptions, chip: &Chip) -> Vec<Step> {
        let mut steps = match options.tiling {
            Tiling::Warp => vec![Step::of::<WarpTile>(())],
            Tiling::Block => vec![Step::of::<BlockTile>(())],
            Tiling::None => vec![Step::of::<MapToGpu>(())],
        };
        if options.tiling != Tiling::None {
            steps.extend([
                Step::of::<SplitInterior>(()),
                Step::of::<HybridRegister>(HybridRegisterOptions::default()),
                Step::of::<Shuffle>(()),
                Step::of::<LowerWarp>(()),
            ]);
        }
        steps.push(Step::of::<LoadAhead>(LoadAheadOptions { most: options.load_ahead }));
        if options.merge {
            steps.push(Step::of::<MergeKernels>(()));
        }
        steps.extend(upstream(["canonicalize", "cse"]));
        let features = format!("+ptx{}", chip.ptx);
        let target = [("chip", chip.name.clone()), ("features", features), ("O", options.level.to_string())];
        steps.push(Step::upstream_with("nvvm-attach-target", target));
        steps.push(Step::of::<ExtremesToLlvm>(ExtremesToLlvmOptions { chip: chip.name.clone() }));
        let mut kernels =
            Vec::from(upstream(["lower-affine", "expand-strided-metadata", "arith-expand", "convert-scf-to-cf"]));
        let nvvm = [("index-bitwidth", "32".to_owned()), ("use-bare-ptr-memref-call-conv", "true".to_owned())];
        kernels.push(Step::upstream_with("convert-gpu-to-nvvm", nvvm));
        kernels.extend(upstream(["convert-math-to-llvm", "convert-nvvm-to-llvm", "reconcile-unrealized-casts"]));
        steps.push(Step::nested("gpu.module", kernels));
        if options.lines {
            // Makes LLVM write `.loc`, which changes no instruction.
            let kind = [("emission-kind", "DebugDirectivesOnly".to_owned())];
            steps.push(Step::upstream_with("ensure-debug-info-scope-on-llvm-func", kind));
        }
        steps.push(Step::of::<ToPtx>(ToPtxOptions { libm: options.libm, libdevice: options.libdevice.clone() }));
        steps
    }
}
