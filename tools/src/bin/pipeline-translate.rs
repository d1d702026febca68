//! `pipeline-translate`: a program as something else than MLIR — PTX, LLVM IR, an object or a library that C calls, a drawing of its stages,
//! a page that explains its groups — and Forma to MLIR and back.

use clap::Parser;
use melior::{Context, ir::Module};
use mlir_glue::{Pipeline, Step};
use std::{
    io::{Seek, Write},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};
use weft_builder::examples::{self, EXAMPLES};
use weft_files::{Whole, finish_all};
use weft_model::{CpuError, Target};
use weft_passes::{
    gpu::ptx_of,
    group::Strategy,
    ir::{program, symbol},
    lower::llvm,
    pipelines::{CpuOptions, PipelineToCpu, PipelineToPtx, PtxOptions, Tiling, launches_to_llvm},
    stage::Window,
};
use weft_runtime::{Cpu, aot};
use weft_tools::{
    Numerics, Stop, find_program, graph,
    html::{self, CANDIDATES, Machine},
    progress::during,
    signature::Signature,
    start, unwritable, versions, words,
};

/// Turn a program into PTX, LLVM IR, machine code for C, a drawing of its stages, or a page that says why they were fused so; Forma into MLIR and back.
#[derive(Parser)]
#[command(name = "pipeline-translate", version = weft_tools::version())]
#[command(group = clap::ArgGroup::new("emit").multiple(true))]
#[command(group = clap::ArgGroup::new("kernels").multiple(true))]
#[command(group = clap::ArgGroup::new("ptx").multiple(true))]
struct Options {
    /// The program, `-` for stdin.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// PTX text: of kernels that are in the file, or of the program's stages.
    #[arg(long, groups = ["to", "ptx", "kernels"])]
    mlir_to_ptx: bool,
    /// LLVM IR text: of a module in the llvm dialect, or of the program's stages.
    #[arg(long, group = "to")]
    mlir_to_llvmir: bool,
    /// An object file with C functions for the programs: machine code for CPUs, or with --chip kernels for GPUs and what launches them.
    #[arg(long, groups = ["emit", "kernels"], conflicts_with = "to", value_name = "FILE.o")]
    emit_object: Option<PathBuf>,
    /// The header that declares these functions.
    #[arg(long, groups = ["emit", "kernels"], conflicts_with = "to", value_name = "FILE.h")]
    emit_header: Option<PathBuf>,
    /// The object, linked to a shared library.
    #[arg(long, groups = ["emit", "kernels"], conflicts_with = "to", value_name = "FILE.so")]
    emit_library: Option<PathBuf>,
    /// With functions that compute windows of each program from parts of its images, as `pipeline-opt --window` makes them.
    #[arg(long, requires = "emit")]
    windows: bool,
    /// The CPU to compile for: `host`, or LLVM's name of one, also of AArch64.
    #[arg(long, default_value = "host", requires = "emit", conflicts_with = "chip")]
    cpu: String,
    /// Groups and tiles of a CPU's program, found by `pipeline-run --tune`.
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        requires = "emit",
        conflicts_with = "chip",
        value_name = "FILE"
    )]
    tune: String,
    /// The stage graph in the language of Graphviz.
    #[arg(long, group = "to")]
    to_dot: bool,
    /// The stage graph as SVG, drawn by Graphviz's `dot`.
    #[arg(long, group = "to")]
    to_svg: bool,
    /// A page that says why the stages were fused so: tiles to scale, costs, what else was thought of, IR, and PTX or loops.
    #[arg(long, groups = ["to", "ptx"])]
    to_html: bool,
    /// A program of the papers as MLIR; `list` lists them.
    #[arg(long, group = "to", value_name = "NAME", conflicts_with = "file")]
    example: Option<String>,
    /// A program in Forma as MLIR.
    #[arg(long, group = "to")]
    import_forma: bool,
    /// A program in Forma, laid out anew.
    #[arg(long, group = "to")]
    format_forma: bool,
    /// A program as Forma, if Forma can say it.
    #[arg(long, group = "to")]
    export_forma: bool,
    /// Print where in the Forma each op is from.
    #[arg(long, requires = "import_forma")]
    locations: bool,
    /// The GPU to compile for, such as sm_90; an object is for a CPU without it. [default for PTX text: sm_90]
    #[arg(long, group = "ptx", requires = "kernels", conflicts_with = "to_html")]
    chip: Option<String>,
    /// Sides of images that an object is for: where the best schedules differ it has a version for each, and looks at the extents of each call.
    #[arg(long, value_name = "PIXELS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1 << 20), default_values_t = [512, 1024, 2048, 4096], requires = "emit", requires = "chip")]
    sizes: Vec<u32>,
    /// Who computes a tile: a warp, a block, or each thread its own point. [default: warp]
    #[arg(long, value_parser = words::<Tiling>(Tiling::WORDS), requires = "ptx", conflicts_with = "to_html")]
    tiling: Option<Tiling>,
    /// The machine that the page is for: a GPU (`pipeline-opt --print-targets`), or a CPU, `host`, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml.
    #[arg(long, default_value = "h200", requires = "to_html", conflicts_with_all = ["mlir_to_ptx", "mlir_to_llvmir", "to_dot", "to_svg"])]
    target: String,
    /// Which stages share a kernel on the page.
    #[arg(long, value_parser = words::<Strategy>(Strategy::WORDS), default_value = "dp", requires = "to_html", conflicts_with_all = ["mlir_to_ptx", "mlir_to_llvmir", "to_dot", "to_svg"])]
    strategy: Strategy,
    #[command(flatten)]
    numerics: Numerics,
    /// NVIDIA's libdevice.10.bc, for mathematics that is not expanded.
    #[arg(long, requires = "ptx", value_name = "PATH")]
    libdevice: Option<PathBuf>,
    /// The program to draw, explain or compile, where the file has several. (Objects have all, else.)
    #[arg(long)]
    function: Option<String>,
    /// Where to write, `-` for stdout.
    #[arg(short, default_value = "-", conflicts_with = "emit")]
    output: PathBuf,
}

fn main() -> ExitCode {
    start(translate)
}

fn translate(options: &Options) -> Result<(), Stop> {
    if let Some(name) = &options.example {
        return write(options, &example(name)?);
    }
    if options.format_forma {
        let (name, text) = weft_tools::read(&options.file, "Forma")?;
        let formatted = weft_forma::format(&text);
        return write(options, &formatted.map_err(|mistakes| weft_tools::print_mistakes(&name, &text, &mistakes))?);
    }
    let context = weft_tools::context();
    if options.import_forma {
        let module = weft_tools::load_forma(&context, &options.file)?;
        return write(options, &weft_forma::text_of(&module, options.locations));
    }
    let module = weft_tools::load(&context, &options.file)?;
    if options.export_forma {
        let func = find_program(&module, options.function.as_deref())?;
        return write(options, &weft_forma::export(func)?);
    }
    if options.emit_object.is_some() || options.emit_header.is_some() || options.emit_library.is_some() {
        return emit(options, &context, &module);
    }
    let has_stages = !program::programs(module.as_operation()).is_empty();
    let (contract, libm) = (options.numerics.contract, options.numerics.libm);
    let text = if options.mlir_to_ptx {
        if has_stages {
            weft_tools::compile(&module, &PipelineToPtx::expand(&ptx_options(options))?)?;
        }
        let text = ptx_of(module.as_operation());
        if text.is_empty() {
            return Err(Stop::Because("the file has no stages and no gpu.binary to take PTX from".into()));
        }
        text
    } else if options.mlir_to_llvmir {
        if has_stages {
            weft_tools::compile(
                &module,
                &PipelineToCpu::expand(&CpuOptions { contract, libm, ..CpuOptions::default() })?,
            )?;
        }
        llvm::to_llvm_ir(&context, module.as_operation())?
    } else if options.to_dot || options.to_svg {
        let dot = dot_of(&module, options.function.as_deref())?;
        if options.to_svg { svg_of(&dot)? } else { dot }
    } else if options.to_html {
        html::page(&module, options.function.as_deref(), &machine(options)?)?
    } else {
        let words = "--mlir-to-ptx, --mlir-to-llvmir, --emit-object, --emit-header, --emit-library, --to-dot, --to-svg, --to-html, \
            --import-forma, --format-forma, --export-forma or --example";
        return Err(Stop::Because(format!("expected {words}")));
    };
    write(options, &text)
}

/// How kernels are made.
fn ptx_options(options: &Options) -> PtxOptions {
    let default = PtxOptions::default();
    PtxOptions {
        chip: options.chip.clone().unwrap_or(default.chip),
        tiling: options.tiling.unwrap_or(default.tiling),
        contract: options.numerics.contract,
        libm: options.numerics.libm,
        libdevice: options.libdevice.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
        ..default
    }
}

/// The machine that a page is for.
fn machine(options: &Options) -> Result<Machine, Stop> {
    let (strategy, Numerics { contract, libm }) = (options.strategy, options.numerics);
    match weft_model::Cpu::named(&options.target) {
        Ok(_) => {
            let target = options.target.clone();
            let cpu = CpuOptions { target, strategy, candidates: CANDIDATES, contract, libm, ..CpuOptions::default() };
            return Ok(Machine::Cpu(cpu));
        }
        Err(CpuError::Unknown(_)) => {}
        Err(of_file) => return Err(of_file.to_string().into()),
    }
    let cpus: Vec<&str> = weft_model::Cpu::names().collect();
    let unknown = |error| format!("{error}; CPUs are {}", cpus.join(", "));
    let target = Target::named(&options.target).map_err(unknown)?;
    Ok(Machine::Gpu(PtxOptions {
        chip: target.chip(),
        target: target.name,
        strategy,
        candidates: CANDIDATES,
        // Each group is shown with its own.
        merge: false,
        ..ptx_options(options)
    }))
}

fn write(options: &Options, text: &str) -> Result<(), Stop> {
    weft_tools::write(&options.output, text)
}

/// Machine code that C calls: the programs of the file, or the one that is asked for.
fn emit(options: &Options, context: &Context, module: &Module) -> Result<(), Stop> {
    let cpu = Cpu::named(&options.cpu)?;
    let asked = match &options.function {
        Some(name) => Some(symbol(find_program(module, Some(name))?).to_owned()),
        None => None,
    };
    if options.windows {
        weft_tools::compile(module, &[Step::of::<Window>(())])?;
    }
    let mut funcs = program::programs(module.as_operation());
    if let Some(asked) = &asked {
        let windows = options.windows.then(|| format!("{asked}_window"));
        let is_asked = |name: &str| name == asked || windows.as_ref().is_some_and(|windows| name.starts_with(windows));
        funcs.retain(|func| is_asked(symbol(*func)));
    }
    if funcs.is_empty() {
        return Err(Stop::Because("the file has no function with a pipeline.stage".into()));
    }
    let mut programs =
        funcs.into_iter().map(|func| Ok(Signature::of(func)?.program(func))).collect::<Result<Vec<_>, Stop>>()?;
    let kernels;
    let (machine, module) = if options.chip.is_some() {
        kernels = versions::compile(context, module, &ptx_options(options), &options.sizes, &mut programs)?;
        weft_tools::compile(&kernels, &launches_to_llvm())?;
        (aot::Machine::Cuda, &kernels)
    } else {
        let Numerics { contract, libm } = options.numerics;
        let tune = options.tune.clone();
        let near = weft_model::Cpu::near_llvm(&options.cpu);
        let target = near.map_or_else(|| CpuOptions::default().target, str::to_owned);
        let cpu_options = CpuOptions { contract, libm, tune, target, ..CpuOptions::default() };
        weft_tools::compile(module, &PipelineToCpu::expand(&cpu_options)?)?;
        (aot::Machine::Cpu(&cpu), module)
    };
    let host = module.as_operation();
    let object = during("LLVM", || aot::compile(&programs, machine, |llvm| llvm::translate(llvm, context, host)))?;
    let header = aot::header(&programs, machine, &object.libraries);
    let wanted = [(&options.emit_object, &object.bytes[..]), (&options.emit_header, header.as_bytes())];
    let wanted: Vec<_> = wanted.into_iter().filter_map(|(path, bytes)| Some((path.as_deref()?, bytes))).collect();
    // All files or none: an object with the header of another program would be called wrongly. The library is ended first, as what
    // can still go wrong with the others is least.
    let mut begun = Vec::new();
    for (path, bytes) in &wanted {
        let write = || {
            let mut file = Whole::create(path)?;
            file.write_all(bytes).and_then(|()| file.flush()).map(|()| file)
        };
        begun.push(write().map_err(|error| unwritable(path, error))?);
    }
    if let Some(library) = &options.emit_library {
        aot::link(&object, library)?;
    }
    finish_all(begun).map_err(|(number, error)| unwritable(wanted[number].0, error))
}

/// A program that is written with the builder, or the list of them.
fn example(name: &str) -> Result<String, Stop> {
    if name == "list" {
        return Ok(EXAMPLES.iter().map(|example| format!("{}\n", example.name)).collect());
    }
    let Some(example) = examples::find(name) else {
        let names: Vec<&str> = EXAMPLES.iter().map(|example| example.name).collect();
        return Err(Stop::Because(format!("no example {name}, expected list or one of {}", names.join(", "))));
    };
    example.text(&weft_tools::context()).map_err(|errors| Stop::Because(errors.to_string()))
}

fn dot_of(module: &Module, function: Option<&str>) -> Result<String, Stop> {
    let func = find_program(module, function)?;
    Ok(graph::to_dot(&graph::of(func)?, symbol(func)))
}

fn svg_of(dot: &str) -> Result<String, Stop> {
    let failed = |error: std::io::Error| Stop::Because(format!("dot (package graphviz) cannot be run: {error}"));
    // A file, not a pipe: a `dot` that ends early would end this process by it.
    let mut input = tempfile::tempfile().map_err(failed)?;
    input.write_all(dot.as_bytes()).and_then(|()| input.rewind()).map_err(failed)?;
    let output = Command::new("dot").arg("-Tsvg").stdin(input).stderr(Stdio::inherit()).output().map_err(failed)?;
    if !output.status.success() {
        return Err(Stop::Because("dot failed".into()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
