//! Targets `reference` and `cpu`: machine code on buffers of this process.

use crate::{
    arguments::Input,
    job::{Finished, Job},
    options::Target,
    tune, windows,
};
use melior::ir::Module;
use mlir_glue::Pipeline;
use std::{cell::RefCell, rc::Rc, time::Instant};
use weft_passes::{
    lower::llvm,
    pipelines::{Arithmetic, CpuOptions, PipelineToCpu, reference},
};
use weft_runtime::{Argument, Buffer, CpuProgram, Entry, Optimize};
use weft_tools::{
    Numerics, Stop,
    progress::during,
    tune::cpu::{self, Run},
    windows::Windows,
};

/// Compiles and runs it.
pub fn run(job: &Job) -> Result<Finished, Stop> {
    let Numerics { contract, libm } = job.options.numerics;
    let (pipeline, optimize) = match job.options.target {
        Target::Reference => (reference(Arithmetic { contract, libm }), Optimize::Reference),
        _ => {
            let mut options = job.pipeline_options(CpuOptions { contract, libm, ..CpuOptions::default() })?;
            if let Some(seconds) = job.options.tune {
                let results = RefCell::default();
                let file = tune::file(job, (name(), &options, seconds), |wanted| {
                    cpu::tune(wanted, |module| ready(job, module, &results))
                })?;
                options.tune = file.map(|file| file.display().to_string()).unwrap_or_default();
            }
            (PipelineToCpu::expand(&options)?, Optimize::Full)
        }
    };
    let start = Instant::now();
    let windows = windows::made(job)?;
    weft_tools::compile(job.module, &pipeline)?;
    let entries = windows.as_ref().map_or_else(|| vec![job.entry.clone()], Windows::entries);
    let program = during("LLVM", || compile(job, job.module, &entries, optimize))?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;
    if let Some(windows) = windows {
        let results = windows::run(job, &windows, &mut |entry, inputs, _| {
            let pairs = inputs.iter().zip(&entry.arguments);
            let arguments: Option<Vec<Argument>> = pairs.map(|(input, ty)| Argument::of(input, ty)).collect();
            Ok(program.run(&entry.name, &arguments.unwrap_or_default())?)
        })?;
        return Ok(Finished { results, compile_ms, timing: None, gpu: None });
    }

    let mut results = program.run(&job.entry.name, &arguments(job))?;
    let timing = job.bench(|| call(job, &program, &mut results))?;
    Ok(Finished { results, compile_ms, timing, gpu: None })
}

fn arguments<'a>(job: &Job<'_, 'a>) -> Vec<Argument<'a>> {
    job.inputs.iter().map(Input::argument).collect()
}

/// Machine code of a module that is lowered.
fn compile(job: &Job, module: &Module, entries: &[Entry], optimize: Optimize) -> Result<CpuProgram, Stop> {
    let host = module.as_operation();
    // SAFETY: the module is what our lowering made of verified programs with these very signatures.
    let program = unsafe { CpuProgram::new(entries, optimize, |llvm| llvm::translate(llvm, job.context, host)) }?;
    Ok(program)
}

/// Calls a program; the milliseconds that it took.
fn call(job: &Job, program: &CpuProgram, results: &mut [Buffer]) -> Result<f64, Stop> {
    let mut arguments = arguments(job);
    arguments.extend(results.iter_mut().map(Argument::Output));
    let start = Instant::now();
    program.call(&job.entry.name, &mut arguments)?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// A module that is lowered, ready to be measured. All that are measured write to the same memory, so that none has better pages.
fn ready<'r>(job: &'r Job, module: &Module, results: &'r RefCell<Vec<Buffer>>) -> Result<Run<'r>, Stop> {
    let program = compile(job, module, std::slice::from_ref(&job.entry), Optimize::Full)?;
    if results.borrow().is_empty() {
        results.replace(program.run(&job.entry.name, &arguments(job))?);
    }
    Ok(Rc::new(move || Ok(call(job, &program, &mut results.borrow_mut())? * 1e3)))
}

/// This machine's CPU and how many threads it runs, in words.
fn name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let asked = std::env::var("WEFT_NUM_THREADS")
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|asked| (1..=4096).contains(asked));
    let threads = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    format!("{model}, {threads} thread{}", if threads == 1 { "" } else { "s" })
}
