//! What a target is given, and what it gives back.

use crate::{arguments::Input, options::Options};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{Context, ir::Module};
use mlir_glue::with_options;
use weft_runtime::{Buffer, Entry, Timing, gpu::Run};
use weft_tools::{Stop, signature::Signature};

/// A program with all that it needs, before it is lowered.
pub struct Job<'c, 'a> {
    pub options: &'a Options,
    pub context: &'c Context,
    pub module: &'a Module<'c>,
    pub entry: Entry,
    pub signature: &'a Signature,
    pub inputs: &'a [Input],
}

/// What a target made of it.
pub struct Finished {
    /// Nothing, if the kernels did something wrong.
    pub results: Vec<Buffer>,
    pub compile_ms: f64,
    pub timing: Option<Timing>,
    /// What was launched, on targets that have kernels.
    pub gpu: Option<Kernels>,
}

/// What was launched.
pub struct Kernels {
    /// The device, in words.
    pub device: String,
    /// What the kernels were compiled for.
    pub chip: String,
    /// Points of the largest result.
    pub points: usize,
    /// The first run, then those of `--bench`.
    pub runs: Vec<Run>,
    /// A line for each thing that went wrong.
    pub faults: Vec<String>,
}

impl Job<'_, '_> {
    /// Options of the target's pipeline, with those that the user adds.
    pub fn pipeline_options<O: mlir_glue::Options>(&self, options: O) -> Result<O, Stop> {
        let more = self.options.pipeline_options.as_deref().unwrap_or_default();
        with_options(options, more).map_err(|error| Stop::Because(format!("--pipeline-options: {error}")))
    }

    /// Runs it again and again, if times are wanted; `once` gives the milliseconds of a run.
    pub fn bench(&self, mut once: impl FnMut() -> Result<f64, Stop>) -> Result<Option<Timing>, Stop> {
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
