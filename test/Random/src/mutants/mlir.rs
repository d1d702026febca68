//! Changed IR: whatever verifies must survive any passes in any order.

use crate::{case_of, check::Session, choices::Choices, generate::Size};
use melior::ir::Module;
use mlir_glue::run::{parse_module, run_pipeline};
use weft_passes::registrations;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is no program, or does not verify.
    Refused,
    /// A pass refused it.
    Failed,
    /// All passes ran.
    Ran,
}

/// One of these texts or of random programs.
pub fn drawn(texts: &[String], choices: &mut Choices) -> String {
    match choices.chance(30) || texts.is_empty() {
        true => random_program(choices),
        false => choices.pick(texts),
    }
}

/// A program that `weft-random` draws.
pub fn random_program(choices: &mut Choices) -> String {
    case_of(choices.below(1 << 20) as u64, Size::Usual).text
}

/// Parses a text and runs the passes, with all that is said thrown away; `verified` is called between.
pub fn try_text(text: &str, passes: &str, verified: impl FnOnce()) -> Outcome {
    let session = Session::new();
    let Some(module) = parse_module(session.context(), text, "mutant.mlir") else { return Outcome::Refused };
    verified();
    run(&module, passes)
}

/// Runs the passes on what has verified.
pub fn run(module: &Module, passes: &str) -> Outcome {
    match run_pipeline(module.as_operation(), passes) {
        Ok(()) => Outcome::Ran,
        Err(_) => Outcome::Failed,
    }
}

/// A pass, one twice, some in any order, or all the way down.
pub fn passes(choices: &mut Choices) -> String {
    let (pipelines, passes): (Vec<_>, Vec<_>) = registrations().partition(|registration| registration.is_pipeline);
    let mut names = |of: &[&mlir_glue::Registration], count: usize| -> Vec<&str> {
        (0..count).map(|_| choices.pick(of).argument).collect()
    };
    let one = names(&passes, 1);
    let several = names(&passes, 5);
    let pipeline = names(&pipelines, 1);
    let list = match choices.below(4) {
        0 => one,
        1 => [one.clone(), one].concat(),
        2 => several,
        _ => pipeline,
    };
    list.join(",")
}
