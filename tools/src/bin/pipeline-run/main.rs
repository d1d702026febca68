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
mod describe;
mod gpu;
mod job;
mod machine;
mod measure;
mod options;
mod report;
mod ties;
mod tune;
mod windows;

use arguments::{Input, inputs, outputs, pairs, stages_to_expose};
use job::Job;
use options::Options;
use std::process::ExitCode;
use weft_dialects::weft::set_estimate;
use weft_files::complain;
use weft_passes::stage::expose;
use weft_runtime::{ArgumentType, Scalar, Scale};
use weft_tools::{Stop, find_program, signature::Signature, start};

fn main() -> ExitCode {
    start(run)
}

fn run(options: &Options) -> Result<(), Stop> {
    if let Some(file) = &options.measure_cpu {
        return measure::measure(file.as_deref());
    }
    options.check()?;
    let context = weft_tools::context();
    let module = weft_tools::load(&context, options.program())?;
    let func = find_program(&module, options.function.as_deref())?;
    let dumps = pairs("--dump-stage", &options.dump_stage)?;
    for stage in stages_to_expose(func, &dumps)? {
        expose(&context, func, &stage).map_err(|error| {
            error.emit();
            Stop::Printed
        })?;
    }
    let signature = Signature::of(func)?;
    if options.describe {
        return weft_tools::print(describe::text(options, &module, func, &signature)?);
    }
    let outputs = outputs(options, &signature, dumps)?;
    let (inputs, origins): (Vec<_>, Vec<_>) = inputs(options, &signature)?.into_iter().unzip();
    let entry = signature.entry(func);
    if !options.estimates {
        for (number, input) in inputs.iter().enumerate() {
            let extents: Option<Vec<i64>> =
                input.extents().into_iter().map(|extent| i64::try_from(extent).ok()).collect();
            if let Some(extents) = extents.filter(|all| !all.is_empty() && all.iter().all(|extent| *extent > 0)) {
                set_estimate(&context, func, number, &extents);
            }
        }
    }
    if let Some(passes) = &options.passes {
        weft_tools::run(&module, passes)?;
    }
    let job = Job { options, context: &context, module: &module, entry, signature: &signature, inputs: &inputs };
    let finished = if options.target.is_gpu() { gpu::run(&job) } else { cpu::run(&job) };
    let finished = finished.map_err(|stop| with_sizes(stop, &job))?;

    let scale = if options.normalize { Scale::Range } else { Scale::Unit };
    let results = signature.results.iter().map(|output| output.name.as_str()).zip(&finished.results);
    let files: Vec<_> = results.filter_map(|(name, result)| Some((name, outputs.get(name)?, result))).collect();
    let stored: Vec<_> = files.iter().map(|(_, path, result)| (path, *result)).collect();
    let changes = weft_runtime::store_all(&stored, scale)?;
    let written: report::Written =
        files.iter().zip(changes).map(|((name, path, _), changes)| (*name, (path.as_path(), changes))).collect();
    files.iter().for_each(|(name, path, _)| weft_tools::say_changes(path, &written[name].1));
    let report = report::json(&job, &origins, &finished, &written);
    let text = if options.json {
        format!("{report}\n")
    } else {
        let clock = finished.gpu.as_ref().filter(|_| options.clock.is_some()).map(report::clock_text);
        report::text(&report, options.counters) + &clock.unwrap_or_default()
    };
    weft_tools::print(text)?;
    if let (Some(gpu), Some(file)) = (&finished.gpu, &options.html) {
        report::write_page(gpu, file)?;
    }
    let faults = finished.gpu.map(|kernels| kernels.faults).unwrap_or_default();
    faults.iter().take(20).for_each(|fault| complain(format_args!("error: {fault}")));
    if faults.len() > 20 {
        complain(format_args!("error: {} more like these; --json has all", faults.len() - 20));
    }
    if faults.is_empty() { Ok(()) } else { Err(Stop::Printed) }
}

/// What was given, behind the words of a check that refuses it.
fn with_sizes(stop: Stop, job: &Job) -> Stop {
    let Stop::Refused(message) = stop else { return stop };
    let given = job.signature.arguments.iter().zip(job.inputs).filter_map(|(argument, input)| match input {
        Input::Image(buffer) => {
            let is_open = matches!(&argument.ty, ArgumentType::Tensor(ty) if ty.shape.contains(&None));
            let extents: Vec<String> = buffer.shape().iter().map(usize::to_string).collect();
            is_open.then(|| format!("{} is {}", argument.name, extents.join("x")))
        }
        Input::Number(Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_)) => None,
        Input::Number(number) => Some(format!("{} is {number}", argument.name)),
    });
    let given: Vec<String> = given.collect();
    Stop::Refused(if given.is_empty() { message } else { format!("{message}; {}", given.join(", ")) })
}
