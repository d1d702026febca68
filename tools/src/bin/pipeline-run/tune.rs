//! `--tune`: groups and schedules that were measured, on this machine's GPU or by the clock, or that were found before.

use crate::{
    arguments::Input,
    job::Job,
    machine::{Machine, Placed, place},
};
use melior::ir::Module;
use std::{path::PathBuf, time::Duration};
use weft_passes::pipelines::PtxOptions;
use weft_runtime::{GpuArgument, gpu::Launched};
use weft_tools::{
    Stop,
    tune::{self, Kernel, cache},
};

/// Calls on a GPU whose median counts; the clock says the same each time.
const CALLS: usize = 5;

/// The file with what is to be made of a program: that of an earlier run, else it is found now. `None` where there is nothing to find.
pub fn file(job: &Job, machine: &Machine, pipeline: &PtxOptions, seconds: u64) -> Result<Option<PathBuf>, Stop> {
    let cache = cache::Cache::new(job.options.tune_cache.as_deref())?;
    let by = machine.name.clone();
    let extents: Vec<Vec<usize>> = job.inputs.iter().map(Input::extents).collect();
    let program = job.module.as_operation().to_string();
    let key = cache::Key { program: &program, pipeline: &format!("{pipeline:?}"), by: &by, extents: &extents };
    let file = cache.file(&job.entry.name, &key);
    // Who wants to see what is tried wants it tried.
    if file.exists() && job.options.tune_report.is_none() {
        return Ok(Some(file));
    }
    let module = tune::copy(job.module);
    let machine = machine.unchecked();
    let budget = Duration::from_secs(seconds);
    let wanted = tune::Job { module: &module, function: &job.entry.name, options: pipeline, by, budget };
    let Some((found, report)) = tune::tune(job.context, &wanted, |module| kernels(job, &machine, module))? else {
        eprintln!("tuned: nothing, since no group has a choice");
        return Ok(None);
    };
    if let Some(measured) = &found.measured {
        eprintln!(
            "tuned: {:.1} us, {:.1} us as the model has it, {} tried, by {}; {}",
            measured.us,
            measured.model_us,
            measured.tried,
            measured.by,
            file.display()
        );
    }
    if let Some(path) = &job.options.tune_report {
        let failed = |error| format!("--tune-report {}: {error}", path.display());
        std::fs::write(path, format!("{report:#}\n")).map_err(failed)?;
    }
    cache.write(&file, &found)?;
    Ok(Some(file))
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
