//! Targets `simt` and `cuda`: a program is compiled, its kernels are launched, and what went wrong is said.

use crate::{
    job::{Finished, Job, Kernels},
    machine::{Machine, Placed, place},
    options::{SimtChecks, Target},
    tune,
};
use melior::ir::Module;
use mlir_glue::Pipeline;
use std::time::Instant;
use weft_passes::pipelines::{PipelineToPtx, PtxOptions};
use weft_runtime::{
    Buffer, DeviceBuffer, GpuArgument,
    gpu::Launched,
    simt::{Fault, Report},
};
use weft_tools::{
    Numerics, Stop,
    tune::gpu::{self, Kernel},
};

/// Calls on a GPU whose median counts, for `--tune`; the clock says the same each time.
const CALLS: usize = 5;

/// What one can do about a report that may be none of the kernel's faults.
fn advice(report: &Report) -> &'static str {
    if report.fault == Fault::Hang { "; --simt-max-instructions allows more" } else { "" }
}

/// Compiles and runs it.
pub fn run(job: &Job) -> Result<Finished, Stop> {
    let options = job.options;
    let machine = Machine::of(job)?;
    let start = Instant::now();
    let Numerics { contract, libm } = options.numerics;
    let mut pipeline = job.pipeline_options(PtxOptions {
        chip: machine.chip.clone(),
        target: machine.target(),
        // The executor says the place in the source of what it finds.
        lines: options.target == Target::Simt,
        contract,
        libm,
        ..PtxOptions::default()
    })?;
    if let Some(seconds) = options.tune {
        let unchecked = machine.unchecked();
        let file = tune::file(job, (machine.name.clone(), &pipeline, seconds), |wanted| {
            gpu::tune(wanted, |module| kernels(job, &unchecked, module))
        })?;
        pipeline.tune = file.map(|file| file.display().to_string()).unwrap_or_default();
    }
    weft_tools::compile(job.module, &PipelineToPtx::expand(&pipeline)?)?;
    let program = machine.program(job, job.module)?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;

    let name = &job.entry.name;
    let placed = place(job, &program)?;
    let arguments: Vec<GpuArgument> = placed.iter().map(Placed::argument).collect();
    let buffers = program.outputs(name, &arguments)?;
    let mut runs = vec![program.call(name, &arguments, &buffers)?];

    let mut faults: Vec<String> =
        runs[0].reports().map(|(kernel, report)| format!("kernel {kernel}: {report}{}", advice(report))).collect();
    let is_checked = options.simt_checks != Some(SimtChecks::None) && !options.only_timed;
    if faults.is_empty() && is_checked {
        for (output, buffer) in job.signature.results.iter().zip(&buffers) {
            let bytes = program.unwritten(buffer)?;
            if bytes > 0 {
                faults.push(format!(
                    "result '{}': nobody wrote {bytes} of its {} bytes",
                    output.name,
                    buffer.byte_size()
                ));
            }
        }
    }
    let mut results: Vec<Buffer> = Vec::new();
    let mut timing = None;
    if faults.is_empty() && !options.only_timed {
        timing = job.bench(|| {
            let run = program.call(name, &arguments, &buffers)?;
            let ms = run.ms;
            runs.push(run);
            Ok(ms)
        })?;
        results = buffers.iter().map(|buffer| program.download(buffer)).collect::<Result<_, _>>()?;
    }
    let points = buffers.iter().map(DeviceBuffer::volume).max().unwrap_or(0);
    let kernels = Kernels { device: program.device(), chip: machine.chip, points, runs, faults };
    Ok(Finished { results, compile_ms, timing, gpu: Some(kernels) })
}

/// The kernels of a program, with the time of each.
fn kernels(job: &Job, machine: &Machine, module: &Module) -> Result<Vec<Kernel>, Stop> {
    let program = machine.program(job, module)?;
    let name = &job.entry.name;
    let placed = place(job, &program)?;
    let arguments: Vec<GpuArgument> = placed.iter().map(Placed::argument).collect();
    let buffers = program.outputs(name, &arguments)?;
    let first = program.call(name, &arguments, &buffers)?;
    let of_clock = |launch: &Launched| Some(launch.estimate.as_ref()?.us + launch.estimate.as_ref()?.launch_us);
    if let Some(times) = first.launches.iter().map(of_clock).collect::<Option<Vec<_>>>() {
        let named = first.launches.iter().zip(times);
        return Ok(named.map(|(launch, us)| Kernel { name: launch.kernel.clone(), us }).collect());
    }
    let runs = (0..CALLS).map(|_| program.call(name, &arguments, &buffers)).collect::<Result<Vec<_>, _>>()?;
    let median = |number: usize| {
        let mut times: Vec<f64> = runs.iter().filter_map(|run| Some(run.launches.get(number)?.ms * 1e3)).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::INFINITY)
    };
    let numbered = first.launches.iter().enumerate();
    Ok(numbered.map(|(number, launch)| Kernel { name: launch.kernel.clone(), us: median(number) }).collect())
}
