//! `pipeline-reduce`: shrinks a program, such as one that a pass fails on, while a test finds it interesting.

use clap::Parser;
use melior::Context;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use weft_files::complain;
use weft_tools::{
    Stop,
    reduce::{self, text_of},
    start,
};

/// Shrink a program while a test finds it interesting.
#[derive(Parser)]
#[command(name = "pipeline-reduce", version = weft_tools::version())]
struct Options {
    /// The program, in MLIR or Forma, `-` for stdin.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// A program that is given a file of MLIR, and exits with 1 where that is interesting (as tests of mlir-reduce do).
    #[arg(long, value_name = "PROGRAM")]
    test: PathBuf,
    /// Where to write, `-` for stdout.
    #[arg(short, default_value = "-")]
    output: PathBuf,
}

fn main() -> ExitCode {
    start(run)
}

fn run(options: &Options) -> Result<(), Stop> {
    let text = text_of(&weft_tools::load(&weft_tools::context(), &options.file)?);
    // What does not verify on the way is nobody's mistake.
    let quiet = Context::new_with_registry(&weft_tools::registry(), false);
    quiet.attach_diagnostic_handler(|_| true);
    // As a shell does not: a name without a folder is one here.
    let test = Path::new(".").join(&options.test);
    let reduced = reduce::reduce(&quiet, text, &test)?;
    weft_tools::write(&options.output, &reduced.text)?;
    let (before, after) = reduced.ops;
    complain(match reduced.is_smaller {
        true => format!("{before} ops before, {after} now, {} tests", reduced.tests),
        false => format!("nothing can be left out: none of {} smaller programs is interesting", reduced.tests),
    });
    Ok(())
}
