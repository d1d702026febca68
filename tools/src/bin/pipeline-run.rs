//! `pipeline-run`: pictures in, a program, pictures out.
//!
//! ```text
//! pipeline-run harris.mlir --target cpu --arg img=photo.png --out harris=corners.npy
//! ```
//!
//! The program is parsed and verified, lowered by a named pipeline, compiled, and run on buffers that are read from files or
//! made up. Nothing is written before all has gone well.

use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{
    Context,
    ir::{Module, OperationRef},
};
use mlir_glue::Pipeline;
use serde_json::{Value as Json, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use weft_passes::{
    expose, llvm,
    pipelines::{self, CpuOptions, PipelineToCpu},
    program,
};
use weft_runtime::{
    Argument, ArgumentType, Buffer, CpuProgram, Element, Entry, Kind, Optimize, Scalar, Scale, TensorType, measure,
};
use weft_tools::{Numerics, Stop, find_program, finish, signature::Signature};

/// What runs the program.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Target {
    /// Plain loops, compiled without optimisation: what the program means.
    Reference,
    /// Optimised for this machine's CPU.
    Cpu,
    /// The emitted PTX, executed on any machine.
    Simt,
    /// The GPU.
    Cuda,
}

/// Run a program on pictures and arrays.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The program, `-` for stdin.
    program: PathBuf,
    /// The function to run, where the file has several programs.
    #[arg(long)]
    function: Option<String>,
    /// What runs it.
    #[arg(long, value_enum, default_value = "cpu")]
    target: Target,
    /// NAME=FILE.png, FILE.jpg, FILE.npy, random or random:SEED for an image, NAME=NUMBER for a number.
    #[arg(long, value_name = "NAME=SOURCE")]
    arg: Vec<String>,
    /// Extent of a random image: y=480 for all of them, img.y=480 for one (dimensions are n, c, y, x).
    #[arg(long, value_name = "NAME=N")]
    dim: Vec<String>,
    /// NAME=FILE.png|FILE.npy: where a result goes.
    #[arg(long, value_name = "NAME=FILE")]
    out: Vec<String>,
    /// NAME=FILE: writes an intermediate stage too.
    #[arg(long, value_name = "NAME=FILE")]
    dump_stage: Vec<String>,
    /// Write pictures from the least to the greatest value as black to white, instead of 0 to 1.
    #[arg(long)]
    normalize: bool,
    /// Passes to run on the stages first, for example "fuse{strategy=none}".
    #[arg(long)]
    passes: Option<String>,
    #[command(flatten)]
    numerics: Numerics,
    /// Run N times, and print the least and the median time.
    #[arg(long, value_name = "N")]
    bench: Option<usize>,
    /// Print what happened as JSON.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    finish(run(&Options::parse()))
}

fn run(options: &Options) -> Result<(), Stop> {
    let optimize = match options.target {
        Target::Reference => Optimize::Reference,
        Target::Cpu => Optimize::Full,
        Target::Simt => return Err(Stop::Because("target simt is not built yet".into())),
        Target::Cuda => return Err(Stop::Because("target cuda is not built yet".into())),
    };
    let context = weft_tools::context();
    let module = weft_tools::load(&context, &options.program)?;
    let func = find_program(&module, options.function.as_deref())?;
    let name = program::symbol(func).to_owned();
    let dumps = pairs("--dump-stage", &options.dump_stage)?;
    for stage in stages_to_expose(func, &dumps)? {
        expose::expose(&context, func, &stage).map_err(|error| {
            error.emit();
            Stop::Printed
        })?;
    }
    let signature = Signature::of(func)?;
    let outputs = outputs(options, &signature, dumps)?;
    let inputs = inputs(options, &signature)?;

    let start = Instant::now();
    if let Some(passes) = &options.passes {
        weft_tools::run(&module, passes)?;
    }
    let program = compile(&context, &module, &name, &signature, options, optimize)?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;

    let arguments: Vec<Argument> = inputs.iter().map(Input::argument).collect();
    let mut results = program.run(&name, &arguments)?;
    let timing = options.bench.map(|count| bench(&program, &name, &inputs, &mut results, count)).transpose()?;
    let scale = if options.normalize { Scale::Range } else { Scale::Unit };
    let files = signature
        .results
        .iter()
        .zip(&results)
        .filter_map(|(output, result)| Some((outputs.get(&output.name)?, result)));
    weft_runtime::store_all(&files.collect::<Vec<_>>(), scale)?;
    let report = report(&signature, &results, &outputs, compile_ms, timing.as_ref());
    if options.json {
        println!("{report}");
    } else {
        print(&report);
    }
    Ok(())
}

/// Splits NAME=VALUE arguments.
fn pairs(option: &str, texts: &[String]) -> Result<BTreeMap<String, String>, Stop> {
    let mut pairs = BTreeMap::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty())
        else {
            return Err(Stop::Because(format!("{option} {text}: expected NAME=VALUE")));
        };
        if pairs.insert(name.to_owned(), value.to_owned()).is_some() {
            return Err(Stop::Because(format!("{option} {name} is given twice")));
        }
    }
    Ok(pairs)
}

/// The stages that `--dump-stage` wants and that are no results of the program already. `NAME.1` is the second result of NAME.
fn stages_to_expose(func: OperationRef, dumps: &BTreeMap<String, String>) -> Result<BTreeSet<String>, Stop> {
    let results: Vec<String> = Signature::of(func)?.results.into_iter().map(|result| result.name).collect();
    let of = |name: &String| match name.rsplit_once('.') {
        Some((stage, number)) if number.parse::<usize>().is_ok() => stage.to_owned(),
        _ => name.clone(),
    };
    Ok(dumps.keys().filter(|name| !results.contains(name)).map(of).collect())
}

/// Where results go. Names are checked before anything runs.
fn outputs(
    options: &Options,
    signature: &Signature,
    dumps: BTreeMap<String, String>,
) -> Result<BTreeMap<String, PathBuf>, Stop> {
    let mut outputs = pairs("--out", &options.out)?;
    let names: Vec<&str> = signature.results.iter().map(|result| result.name.as_str()).collect();
    if let Some(unknown) = outputs.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(Stop::Because(format!(
            "--out {unknown}: no result of that name, expected one of {}",
            names.join(", ")
        )));
    }
    for (name, path) in dumps {
        if !names.contains(&name.as_str()) {
            return Err(Stop::Because(format!("--dump-stage {name}: the stage has no result of that number")));
        }
        if outputs.insert(name.clone(), path).is_some() {
            return Err(Stop::Because(format!("--dump-stage {name}: --out writes that result already")));
        }
    }
    let mut paths = BTreeSet::new();
    for path in outputs.values() {
        weft_runtime::check_extension(Path::new(path))?;
        if !paths.insert(path) {
            return Err(Stop::Because(format!("{path} is the file of two results, expected one for each")));
        }
    }
    Ok(outputs.into_iter().map(|(name, path)| (name, PathBuf::from(path))).collect())
}

/// The value of an argument.
enum Input {
    Image(Buffer),
    Number(Scalar),
}

impl Input {
    fn argument(&self) -> Argument<'_> {
        match self {
            Self::Image(buffer) => Argument::Input(buffer),
            Self::Number(number) => Argument::Scalar(*number),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Image(buffer) => buffer.byte_size(),
            Self::Number(_) => 0,
        }
    }
}

fn inputs(options: &Options, signature: &Signature) -> Result<Vec<Input>, Stop> {
    let mut given = pairs("--arg", &options.arg)?;
    let mut dims = pairs("--dim", &options.dim)?
        .into_iter()
        .map(|(name, extent)| match extent.parse::<usize>() {
            Ok(extent) => Ok((name, extent)),
            Err(_) => Err(Stop::Because(format!("--dim {name}={extent}: expected a number of points"))),
        })
        .collect::<Result<BTreeMap<_, _>, _>>()?;
    let names: Vec<&str> = signature.arguments.iter().map(|argument| argument.name.as_str()).collect();
    if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(Stop::Because(format!(
            "--arg {unknown}: no argument of that name, expected one of {}",
            names.join(", ")
        )));
    }
    let mut used = Vec::new();
    let mut inputs = Vec::new();
    for argument in &signature.arguments {
        let name = &argument.name;
        let source = given.remove(name);
        inputs.push(match (&argument.ty, source) {
            (ArgumentType::Scalar(kind), source) => {
                let dim = dims.get(name).map(usize::to_string);
                used.extend(dim.is_some().then(|| name.clone()));
                let text = source
                    .or(dim)
                    .ok_or_else(|| format!("argument '{name}' has no value, expected --arg {name}=NUMBER"))?;
                Input::Number(number(name, *kind, &text)?)
            }
            (ArgumentType::Tensor(ty), Some(source)) => match seed(&source) {
                Some(seed) => {
                    let shape = shape(name, ty, argument.estimate.as_deref(), &dims, &mut used)?;
                    if !Buffer::fits(ty.element, &shape) {
                        let whole = TensorType { shape: shape.iter().copied().map(Some).collect(), ..*ty };
                        return Err(Stop::Because(format!("--arg {name}={source}: {whole} does not fit into memory")));
                    }
                    Input::Image(Buffer::random(ty.element, &shape, seed?))
                }
                None => Input::Image(weft_runtime::load(Path::new(&source), ty.element, &ty.shape)?),
            },
            (ArgumentType::Tensor(ty), None) => {
                return Err(Stop::Because(format!(
                    "argument '{name}' ({ty}) has no value, expected --arg {name}=FILE.png, FILE.npy or random"
                )));
            }
        });
    }
    dims.retain(|name, _| !used.contains(name));
    match dims.keys().next() {
        Some(unused) => Err(Stop::Because(format!(
            "--dim {unused}: is the extent of nothing, expected a dynamic dimension of a random image, such as y or img.y"
        ))),
        None => Ok(inputs),
    }
}

/// The seed of `random` or `random:SEED`; `None` for what is a file.
fn seed(source: &str) -> Option<Result<u64, Stop>> {
    let rest = source.strip_prefix("random")?;
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some(Ok(0)),
        None => None,
        Some(seed) => {
            Some(seed.parse().map_err(|_| Stop::Because(format!("{source}: expected random:SEED, a number"))))
        }
    }
}

/// The extents of a random image: its type's, then `--dim`, then the program's own estimate.
fn shape(
    name: &str,
    ty: &TensorType,
    estimate: Option<&[usize]>,
    dims: &BTreeMap<String, usize>,
    used: &mut Vec<String>,
) -> Result<Vec<usize>, Stop> {
    let coordinates = weft_dialects::pipeline::coordinate_names(ty.shape.len());
    let mut shape = Vec::new();
    for (dimension, extent) in ty.shape.iter().enumerate() {
        let coordinate = coordinates.get(dimension).copied().unwrap_or("?");
        let own = format!("{name}.{coordinate}");
        let said = [own.as_str(), coordinate].into_iter().find_map(|key| Some((key.to_owned(), *dims.get(key)?)));
        shape.push(match (extent, said, estimate.and_then(|estimate| estimate.get(dimension))) {
            (Some(extent), _, _) => *extent,
            (None, Some((key, extent)), _) => {
                used.push(key);
                extent
            }
            (None, None, Some(extent)) => *extent,
            (None, None, None) => {
                return Err(Stop::Because(format!(
                    "argument '{name}' ({ty}) is random, expected --dim {own}=N for its extent"
                )));
            }
        });
    }
    Ok(shape)
}

fn number(name: &str, kind: Kind, text: &str) -> Result<Scalar, Stop> {
    let wrong = || Stop::Because(format!("--arg {name}={text}: expected a number of {}", Element::new(kind, false)));
    Scalar::parse(kind, text).ok_or_else(wrong)
}

fn compile<'c>(
    context: &'c Context,
    module: &Module<'c>,
    name: &str,
    signature: &Signature,
    options: &Options,
    optimize: Optimize,
) -> Result<CpuProgram, Stop> {
    let numerics = options.numerics;
    let pipeline = match options.target {
        Target::Reference => pipelines::reference(numerics.into()),
        _ => PipelineToCpu::expand(&CpuOptions { contract: numerics.contract, ..CpuOptions::default() })?,
    };
    weft_tools::run(module, &pipeline)?;
    let entry = Entry {
        name: name.to_owned(),
        arguments: signature.arguments.iter().map(|argument| argument.ty.clone()).collect(),
        results: signature.results.iter().map(|result| result.ty.clone()).collect(),
    };
    // SAFETY: the module is what our lowering made of a verified program with this very signature.
    let program =
        unsafe { CpuProgram::new(&[entry], optimize, |llvm| llvm::translate(llvm, context, module.as_operation())) };
    Ok(program?)
}

/// Times of a number of runs, and the bytes that a run must move at least: what it reads and what it writes.
struct Bench {
    min_ms: f64,
    median_ms: f64,
    bytes: usize,
    bytes_per_second: f64,
}

fn bench(
    program: &CpuProgram,
    name: &str,
    inputs: &[Input],
    results: &mut [Buffer],
    count: usize,
) -> Result<Bench, Stop> {
    if count == 0 {
        return Err(Stop::Because("--bench 0: expected at least one run".into()));
    }
    // Drawn on a terminal only, and on stderr.
    let progress = ProgressBar::new(count as u64);
    progress.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} runs").unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut failure = None;
    let timing = measure(count, 1, || {
        let mut arguments: Vec<Argument> = inputs.iter().map(Input::argument).collect();
        arguments.extend(results.iter_mut().map(Argument::Output));
        failure = program.call(name, &mut arguments).err().or(failure.take());
        progress.inc(1);
    });
    progress.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let bytes = inputs.iter().map(Input::bytes).chain(results.iter().map(Buffer::byte_size)).sum();
    Ok(Bench {
        min_ms: timing.min_ms(),
        median_ms: timing.median_ms(),
        bytes,
        bytes_per_second: timing.bytes_per_second(bytes),
    })
}

/// What happened.
fn report(
    signature: &Signature,
    results: &[Buffer],
    outputs: &BTreeMap<String, PathBuf>,
    compile_ms: f64,
    bench: Option<&Bench>,
) -> Json {
    let results: Vec<Json> = signature
        .results
        .iter()
        .zip(results)
        .map(|(output, buffer)| {
            let range = buffer.min_max();
            json!({
                "name": output.name,
                "type": buffer.element().to_string(),
                "shape": buffer.shape(),
                "min": range.map(|range| range.0),
                "max": range.map(|range| range.1),
                "file": outputs.get(&output.name).map(|path| path.display().to_string()),
            })
        })
        .collect();
    let mut report = json!({ "results": results, "compile_ms": compile_ms });
    if let Some(bench) = bench {
        report["bench"] = json!({
            "min_ms": bench.min_ms,
            "median_ms": bench.median_ms,
            "bytes": bench.bytes,
            "bytes_per_second": bench.bytes_per_second,
        });
    }
    report
}

/// The report for people.
fn print(report: &Json) {
    for result in report["results"].as_array().into_iter().flatten() {
        let shape: Vec<String> = result["shape"].as_array().into_iter().flatten().map(Json::to_string).collect();
        let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
        let file = if result["file"].is_null() { String::new() } else { format!(" -> {}", text("file")) };
        let shape = shape.join("x");
        let range = match (&result["min"], &result["max"]) {
            (Json::Null, _) => "with no finite value".to_owned(),
            (min, max) => format!("from {min} to {max}"),
        };
        println!("{}: {shape}x{} {range}{file}", text("name"), text("type"));
    }
    if let Some(bench) = report.get("bench") {
        let number = |key: &str| bench[key].as_f64().unwrap_or_default();
        println!(
            "min {:.3} ms, median {:.3} ms, {:.2} GB/s",
            number("min_ms"),
            number("median_ms"),
            number("bytes_per_second") / 1e9
        );
    }
}
