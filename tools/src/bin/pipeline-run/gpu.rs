//! Targets `simt` and `cuda`: host code of this process that launches kernels on a device.
//!
//! ```text
//! pipeline-to-ptx{chip=sm_90 ...}        func.func @f { gpu.launch_func ... }, gpu.binary @f_kernels "PTX"
//!   launches_to_llvm (MLIR's own passes) llvm.func @f { call @mgpuLaunchKernel ... }
//!   GpuProgram                           on a device that is the SIMT executor or the GPU
//! ```

use crate::{
    arguments::Input,
    job::{Finished, Job, Kernels},
    options::{SimtChecks, Target},
};
use mlir_glue::Pipeline;
use std::time::Instant;
use weft_model::Target as GpuTarget;
use weft_passes::{
    gpu::Chip,
    lower::llvm,
    pipelines::{PipelineToPtx, PtxOptions, launches_to_llvm},
};
use weft_runtime::{
    Buffer, Device, DeviceBuffer, GpuArgument, GpuProgram, Scalar,
    gpu::{Cuda, Simt},
    simt,
};
use weft_tools::{Numerics, Stop};

/// An argument, where the device has it.
enum Placed {
    Image(DeviceBuffer),
    Number(Scalar),
}

impl Placed {
    fn argument(&self) -> GpuArgument<'_> {
        match self {
            Placed::Image(buffer) => GpuArgument::Tensor(buffer),
            Placed::Number(number) => GpuArgument::Scalar(*number),
        }
    }
}

/// Compiles and runs it.
pub fn run(job: &Job) -> Result<Finished, Stop> {
    let options = job.options;
    let ptx = options.ptx.as_ref().map(|path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))
    });
    let ptx = ptx.transpose()?;
    let clock = options.clock.as_deref().map(weft_tools::clock::clock).transpose()?;
    let (device, chip): (Box<dyn Device>, String) = match options.target {
        Target::Cuda => {
            let cuda = Cuda::open()?;
            let chip = options.chip.clone().map_or_else(|| newest_chip(cuda.capability()), Ok)?;
            (Box::new(cuda), chip)
        }
        _ => {
            let own = clock.as_ref().map(|clock| clock.target.chip()).filter(|chip| Chip::named(chip).is_ok());
            let chip = options.chip.clone().or(own).unwrap_or_else(|| "sm_90".into());
            (Box::new(Simt::new(simt::Options { clock: clock.clone(), ..machine(job) })), chip)
        }
    };
    Chip::named(&chip)?;

    let start = Instant::now();
    // The executor says the place in the source of what it finds.
    let lines = options.target == Target::Simt;
    let Numerics { contract, libm } = options.numerics;
    // Costs are for the GPU of the clock, where it is one that passes know.
    let known = clock.iter().map(|clock| clock.target.name.clone()).find(|name| GpuTarget::named(name).is_ok());
    let target = known.unwrap_or_default();
    let pipeline = job.pipeline_options(PtxOptions {
        chip: chip.clone(),
        target,
        lines,
        contract,
        libm,
        ..PtxOptions::default()
    })?;
    job.lower(&PipelineToPtx::expand(&pipeline)?)?;
    weft_tools::run_steps(job.module, &launches_to_llvm())?;
    let (entries, host) = (std::slice::from_ref(&job.entry), job.module.as_operation());
    // SAFETY: the module is what our lowering made of a verified program with this very signature: it only passes tensors on,
    // and launches its kernels with their parameters. Kernels that stand in for them are checked to have the same.
    let program = unsafe { GpuProgram::new(device, entries, ptx, |llvm| llvm::translate(llvm, job.context, host)) }?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;

    let name = &job.entry.name;
    let place = |input: &Input| {
        Ok::<_, Stop>(match input {
            Input::Image(buffer) => Placed::Image(program.upload(buffer)?),
            Input::Number(number) => Placed::Number(*number),
        })
    };
    let placed = job.inputs.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let arguments: Vec<GpuArgument> = placed.iter().map(Placed::argument).collect();
    let buffers = program.outputs(name, &arguments)?;
    let mut runs = vec![program.call(name, &arguments, &buffers)?];

    let mut faults: Vec<String> =
        runs[0].reports().map(|(kernel, report)| format!("kernel {kernel}: {report}")).collect();
    if faults.is_empty() && options.simt_checks != Some(SimtChecks::None) {
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
    if faults.is_empty() {
        timing = job.bench(|| {
            let run = program.call(name, &arguments, &buffers)?;
            let ms = run.ms;
            runs.push(run);
            Ok(ms)
        })?;
        results = buffers.iter().map(|buffer| program.download(buffer)).collect::<Result<_, _>>()?;
    }
    let points = buffers.iter().map(DeviceBuffer::volume).max().unwrap_or(0);
    let kernels = Kernels { device: program.device(), chip, points, runs, faults };
    Ok(Finished { results, compile_ms, timing, gpu: Some(kernels) })
}

/// How the SIMT executor runs.
fn machine(job: &Job) -> simt::Options {
    let checks = match job.options.simt_checks {
        Some(SimtChecks::None) => simt::Checks::NONE,
        _ => simt::Checks::ALL,
    };
    simt::Options { seed: job.options.simt_seed.unwrap_or(0), checks, ..simt::Options::default() }
}

/// The newest chip that we can compile for and that the GPU runs: PTX for an older one runs on it too.
fn newest_chip((major, minor): (u32, u32)) -> Result<String, Stop> {
    let found =
        (0..=10 * major + minor).rev().map(|number| format!("sm_{number}")).find(|name| Chip::named(name).is_ok());
    found.ok_or_else(|| Stop::Because(format!("the GPU is an sm_{major}{minor}, expected sm_70 or newer")))
}
