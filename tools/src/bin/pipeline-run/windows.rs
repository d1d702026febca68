//! `--window HxW`: the program window by window, on images in memory, to see that windows give what the whole gives.

use crate::{arguments::Input, job::Job};
use mlir_glue::Step;
use weft_passes::{analysis::extents_of, stage::Window};
use weft_runtime::Buffer;
use weft_tools::{
    Stop,
    windows::{Call, Windows},
};

/// The functions for windows, where windows are asked for: made in the module, before it is lowered.
pub fn made(job: &Job) -> Result<Option<Windows>, Stop> {
    if job.options.window.is_none() {
        return Ok(None);
    }
    weft_tools::compile(job.module, &[Step::of::<Window>(())])?;
    Windows::of(job.module.as_operation(), &job.entry.name).map(Some)
}

/// The results, window by window.
pub fn run(job: &Job, windows: &Windows, call: &mut Call<Stop>) -> Result<Vec<Buffer>, Stop> {
    let text = job.options.window.as_deref().unwrap_or_default();
    let size = extents_of(text).ok_or_else(|| {
        Stop::Because(format!("--window {text}: expected positive numbers of points, for example 512x1024"))
    })?;
    let size: Vec<usize> = size.into_iter().map(|extent| usize::try_from(extent).unwrap_or(usize::MAX)).collect();
    let arguments: Vec<Buffer> = job.inputs.iter().map(copied).collect();
    windows.run(&arguments, &size, 0, call)
}

/// An argument as windows take it: a number without dimensions.
fn copied(input: &Input) -> Buffer {
    match input {
        Input::Image(image) => image.clone(),
        Input::Number(number) => number.buffer(),
    }
}
