//! Calls CPU code on images between pages that nobody may touch.
//!
//! ```text
//! inputs ─▶ copies, guarded ─▶ the code ─▶ results, guarded, of 0xFF before it runs: what nobody writes is NaN, or -1
//! ```
//!
//! What touches those pages ends the process; `weft-random --apart` outlives that.

use crate::gpu::Run;
use std::borrow::Borrow;
use weft_runtime::{
    Argument, Buffer, CpuProgram, Entry, Error,
    guard::{Guarded, Side},
};

/// Calls it twice, near both ends of its images. What it wrote elsewhere than into its results is reported, and results that depend on what
/// lies beside.
///
/// # Errors
///
/// Those of [`CpuProgram::call`].
pub fn run<I: Borrow<Buffer>>(code: &CpuProgram, entry: &Entry, inputs: &[I]) -> Result<Run, Error> {
    let one = run_near(code, entry, inputs, Side::End)?;
    let mut other = run_near(code, entry, inputs, Side::Begin)?;
    if !one.outputs.iter().zip(&other.outputs).all(|(one, other)| one.agrees(other)) {
        other.reports.push("the results depend on what lies beside the images".to_owned());
    }
    other.reports.extend(one.reports);
    Ok(other)
}

fn run_near<I: Borrow<Buffer>>(code: &CpuProgram, entry: &Entry, inputs: &[I], side: Side) -> Result<Run, Error> {
    let given: Vec<Guarded> = inputs.iter().map(|input| Guarded::of(input.borrow(), side)).collect();
    let mut arguments: Vec<Argument> = Vec::new();
    for (given, ty) in given.iter().zip(&entry.arguments) {
        arguments.push(Argument::of(given.buffer(), ty).expect("a number of the argument's kind, see `inputs`"));
    }
    let shapes = code.result_shapes(&entry.name, &arguments)?;
    let mut results: Vec<Guarded> = entry
        .results
        .iter()
        .zip(&shapes)
        .map(|(result, shape)| {
            let mut unwritten = Buffer::zeros(result.element, shape);
            unwritten.bytes_mut().fill(0xFF);
            Guarded::of(&unwritten, side)
        })
        .collect();
    arguments.extend(results.iter_mut().map(|result| Argument::Output(result.buffer_mut())));
    code.call(&entry.name, &mut arguments)?;
    drop(arguments);
    let mut reports = Vec::new();
    for (number, (given, input)) in given.iter().zip(inputs).enumerate() {
        if given.buffer().bytes() != input.borrow().bytes() || !given.is_intact() {
            reports.push(format!("argument #{number}: the program wrote into it, or beside it"));
        }
    }
    for (number, _) in results.iter().enumerate().filter(|(_, result)| !result.is_intact()) {
        reports.push(format!("result #{number}: the program wrote beside it"));
    }
    Ok(Run { outputs: results.iter().map(|result| result.buffer().clone()).collect(), reports })
}
