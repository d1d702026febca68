//! Targets `simt` and `cuda`: a program is compiled, its kernels are launched, and what went wrong is said.

use crate::{
    job::{Finished, Job, Kernels},
    machine::{Machine, Placed, place},
    options::{SimtChecks, Target},
    tune, windows,
};
use melior::ir::Module;
use mlir_glue::Pipeline;
use std::time::Instant;
use weft_passes::pipelines::{PipelineToPtx, PtxOptions};
use weft_runtime::{
    ArgumentType, Buffer, DeviceBuffer, GpuArgument, Scalar,
    gpu::Launched,
    simt::{Fault, Report},
};
use weft_tools::{
    Numerics, Stop,
    tune::gpu::{self, Kernel},
    windows::Windows,
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
    let windows = windows::made(job)?;
    weft_tools::compile(job.module, &PipelineToPtx::expand(&pipeline)?)?;
    if let Some(windows) = windows {
        return in_windows(job, &machine, &windows, start);
    }
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

/// The program, window by window: parts are uploaded for each.
fn in_windows(job: &Job, machine: &Machine, windows: &Windows, start: Instant) -> Result<Finished, Stop> {
    let program = machine.functions(job, job.module, &windows.entries())?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut faults = Vec::new();
    let mut runs = Vec::new();
    let results = windows::run(job, windows, &mut |entry, inputs, _| {
        let place = |(input, ty): (&&Buffer, &ArgumentType)| match (ty, Scalar::of(input)) {
            (ArgumentType::Scalar(_), Some(number)) => Ok(Placed::Number(number)),
            _ => program.upload(input).map(Placed::Image),
        };
        let placed = inputs.iter().zip(&entry.arguments).map(place).collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<GpuArgument> = placed.iter().map(Placed::argument).collect();
        let buffers = program.outputs(&entry.name, &arguments)?;
        let run = program.call(&entry.name, &arguments, &buffers)?;
        let reports = run.reports().map(|(kernel, report)| format!("kernel {kernel}: {report}{}", advice(report)));
        faults.extend(reports);
        runs.push(run);
        Ok(buffers.iter().map(|buffer| program.download(buffer)).collect::<Result<_, _>>()?)
    })?;
    let points = results.iter().map(Buffer::len).max().unwrap_or(0);
    let kernels = Kernels { device: program.device(), chip: machine.chip.clone(), points, runs, faults };
    Ok(Finished { results, compile_ms, timing: None, gpu: Some(kernels) })
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
