//! `pipeline-run`: pictures in, a program, pictures out.
//!
//! ```text
//! pipeline-run harris.mlir --target cpu --arg img=photo.png --out harris=corners.npy
//! ```
//!
//! The program is parsed and verified, lowered by a named pipeline, compiled, and run on buffers that are read from files or
//! made up. Nothing is written before all has gone well.
//!
//! ```text
//!             ┌─ cpu: pipeline-to-cpu ──▶ CpuProgram
//! --target ───┤
//!             └─ gpu: pipeline-to-ptx ──▶ host code, PTX ──▶ GpuProgram ──▶ the SIMT executor, or the GPU
//! ```

mod arguments;
mod cpu;
mod gpu;
mod report;

use arguments::{Input, inputs, outputs, pairs, stages_to_expose};
use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{Context, ir::Module};
use mlir_glue::{Step, with_options};
use std::{path::PathBuf, process::ExitCode};
use weft_passes::stage::expose;
use weft_runtime::{Buffer, Entry, Scale, Timing};
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
    /// The emitted PTX, on an NVIDIA GPU.
    Cuda,
}

impl Target {
    fn is_gpu(self) -> bool {
        matches!(self, Target::Simt | Target::Cuda)
    }
}

/// What the SIMT executor looks for.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum SimtChecks {
    /// Races, reads of memory nobody wrote, accesses out of bounds or misaligned, syncs that some thread never reaches.
    All,
    /// Nothing.
    None,
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
    /// More options of the target's pipeline, for example "strategy=none".
    #[arg(long, value_name = "OPTIONS")]
    pipeline_options: Option<String>,
    /// The chip to compile for, simt and cuda only. [default: sm_90, or the GPU's own]
    #[arg(long)]
    chip: Option<String>,
    /// Run the kernels of this PTX file in place of the emitted ones, simt and cuda only.
    #[arg(long, value_name = "FILE")]
    ptx: Option<PathBuf>,
    /// What the SIMT executor looks for, simt only. [default: all]
    #[arg(long, value_enum)]
    simt_checks: Option<SimtChecks>,
    /// What decides the order of the warps, simt only. [default: 0]
    #[arg(long, value_name = "N")]
    simt_seed: Option<u64>,
    /// Print what each kernel costs, simt only. (JSON has it always.)
    #[arg(long)]
    counters: bool,
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

/// A program with all that it needs, before it is lowered.
struct Job<'c, 'a> {
    options: &'a Options,
    context: &'c Context,
    module: &'a Module<'c>,
    entry: Entry,
    signature: &'a Signature,
    inputs: &'a [Input],
}

/// What a target made of it.
struct Finished {
    /// Nothing, if the kernels did something wrong.
    results: Vec<Buffer>,
    compile_ms: f64,
    timing: Option<Timing>,
    /// What was launched, on targets that have kernels.
    gpu: Option<gpu::Kernels>,
}

fn run(options: &Options) -> Result<(), Stop> {
    check(options)?;
    let context = weft_tools::context();
    let module = weft_tools::load(&context, &options.program)?;
    let func = find_program(&module, options.function.as_deref())?;
    let dumps = pairs("--dump-stage", &options.dump_stage)?;
    for stage in stages_to_expose(func, &dumps)? {
        expose(&context, func, &stage).map_err(|error| {
            error.emit();
            Stop::Printed
        })?;
    }
    let signature = Signature::of(func)?;
    let outputs = outputs(options, &signature, dumps)?;
    let inputs = inputs(options, &signature)?;
    let entry = signature.entry(func);
    let job = Job { options, context: &context, module: &module, entry, signature: &signature, inputs: &inputs };
    let finished = if options.target.is_gpu() { gpu::run(&job)? } else { cpu::run(&job)? };

    let scale = if options.normalize { Scale::Range } else { Scale::Unit };
    let files = signature
        .results
        .iter()
        .zip(&finished.results)
        .filter_map(|(output, result)| Some((outputs.get(&output.name)?, result)));
    weft_runtime::store_all(&files.collect::<Vec<_>>(), scale)?;
    let report = report::json(&signature, &inputs, &finished, &outputs);
    if options.json {
        println!("{report}");
    } else {
        report::print(&report, options.counters);
    }
    let faults = finished.gpu.map(|kernels| kernels.faults).unwrap_or_default();
    faults.iter().take(20).for_each(|fault| eprintln!("error: {fault}"));
    if faults.len() > 20 {
        eprintln!("error: {} more like these; --json has all", faults.len() - 20);
    }
    if faults.is_empty() { Ok(()) } else { Err(Stop::Printed) }
}

/// Refuses options that mean nothing to the target.
fn check(options: &Options) -> Result<(), Stop> {
    let given = [
        ("--chip", options.chip.is_some(), options.target.is_gpu(), "simt or cuda"),
        ("--ptx", options.ptx.is_some(), options.target.is_gpu(), "simt or cuda"),
        ("--simt-checks", options.simt_checks.is_some(), options.target == Target::Simt, "simt"),
        ("--simt-seed", options.simt_seed.is_some(), options.target == Target::Simt, "simt"),
        ("--counters", options.counters, options.target == Target::Simt, "simt"),
        (
            "--pipeline-options",
            options.pipeline_options.is_some(),
            options.target != Target::Reference,
            "cpu, simt or cuda",
        ),
    ];
    if let Some((option, .., target)) = given.into_iter().find(|(_, given, good, _)| *given && !good) {
        return Err(Stop::Because(format!("{option} means nothing to this target, expected --target {target}")));
    }
    if options.bench == Some(0) {
        return Err(Stop::Because("--bench 0: expected at least one run".into()));
    }
    Ok(())
}

impl Job<'_, '_> {
    /// Runs `--passes`, then a pipeline.
    fn lower(&self, pipeline: &[Step]) -> Result<(), Stop> {
        if let Some(passes) = &self.options.passes {
            weft_tools::run(self.module, passes)?;
        }
        weft_tools::run_steps(self.module, pipeline)
    }

    /// Options of the target's pipeline, with those that the user adds.
    fn pipeline_options<O: mlir_glue::Options>(&self, options: O) -> Result<O, Stop> {
        let more = self.options.pipeline_options.as_deref().unwrap_or_default();
        with_options(options, more).map_err(|error| Stop::Because(format!("--pipeline-options: {error}")))
    }

    /// Runs it again and again, if times are wanted; `once` gives the milliseconds of a run.
    fn bench(&self, mut once: impl FnMut() -> Result<f64, Stop>) -> Result<Option<Timing>, Stop> {
        let Some(count) = self.options.bench else { return Ok(None) };
        // Drawn on a terminal only, and on stderr.
        let progress = ProgressBar::new(count as u64);
        progress.set_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} runs").unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        // The first pays for cold caches.
        once()?;
        let mut runs_ms = Vec::new();
        for _ in 0..count {
            runs_ms.push(once()?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(Some(Timing { runs_ms }))
    }
}
