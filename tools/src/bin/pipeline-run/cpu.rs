//! Targets `reference` and `cpu`: machine code on buffers of this process.

use crate::{
    arguments::Input,
    job::{Finished, Job},
    options::Target,
};
use mlir_glue::Pipeline;
use std::time::Instant;
use weft_passes::{
    lower::llvm,
    pipelines::{Arithmetic, CpuOptions, PipelineToCpu, reference},
};
use weft_runtime::{Argument, CpuProgram, Optimize};
use weft_tools::{Numerics, Stop};

/// Compiles and runs it.
pub fn run(job: &Job) -> Result<Finished, Stop> {
    let Numerics { contract, libm } = job.options.numerics;
    let (pipeline, optimize) = match job.options.target {
        Target::Reference => (reference(Arithmetic { contract, libm }), Optimize::Reference),
        _ => {
            let options = job.pipeline_options(CpuOptions { contract, libm, ..CpuOptions::default() })?;
            (PipelineToCpu::expand(&options)?, Optimize::Full)
        }
    };
    let start = Instant::now();
    weft_tools::run_steps(job.module, &pipeline)?;
    let (entries, host) = (std::slice::from_ref(&job.entry), job.module.as_operation());
    // SAFETY: the module is what our lowering made of a verified program with this very signature.
    let program = unsafe { CpuProgram::new(entries, optimize, |llvm| llvm::translate(llvm, job.context, host)) }?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;

    let name = &job.entry.name;
    let arguments: Vec<Argument> = job.inputs.iter().map(Input::argument).collect();
    let mut results = program.run(name, &arguments)?;
    let timing = job.bench(|| {
        let mut arguments: Vec<Argument> = job.inputs.iter().map(Input::argument).collect();
        arguments.extend(results.iter_mut().map(Argument::Output));
        let start = Instant::now();
        program.call(name, &mut arguments)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    })?;
    Ok(Finished { results, compile_ms, timing, gpu: None })
}
