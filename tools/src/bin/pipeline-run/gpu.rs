//! Targets `simt` and `cuda`: a program is compiled, its kernels are launched, and what went wrong is said.

use crate::{
    job::{Finished, Job, Kernels},
    machine::{Machine, Placed, place},
    options::{SimtChecks, Target},
    tune,
};
use mlir_glue::Pipeline;
use std::time::Instant;
use weft_passes::pipelines::{PipelineToPtx, PtxOptions};
use weft_runtime::{Buffer, DeviceBuffer, GpuArgument};
use weft_tools::{Numerics, Stop};

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
        let file = tune::file(job, &machine, &pipeline, seconds)?;
        pipeline.tune = file.map(|file| file.display().to_string()).unwrap_or_default();
    }
    weft_tools::run_steps(job.module, &PipelineToPtx::expand(&pipeline)?)?;
    let program = machine.program(job, job.module)?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;

    let name = &job.entry.name;
    let placed = place(job, &program)?;
    let arguments: Vec<GpuArgument> = placed.iter().map(Placed::argument).collect();
    let buffers = program.outputs(name, &arguments)?;
    let mut runs = vec![program.call(name, &arguments, &buffers)?];

    let mut faults: Vec<String> =
        runs[0].reports().map(|(kernel, report)| format!("kernel {kernel}: {report}")).collect();
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
