//! `pipeline-opt`: `mlir-opt` with the dialects and passes of Weft.
//!
//! Two arguments are its own: `--print-targets` lists the GPUs that `--fuse` knows, and `--fuse-report=FILE.json` is the
//! report of every `--fuse` in the run.

use std::{ffi::OsString, process::ExitCode};
use weft_model::Target;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|argument| argument == "--print-targets") {
        return print_targets();
    }
    arguments.retain(|argument| match argument.to_str().and_then(|text| text.strip_prefix("--fuse-report=")) {
        Some(file) => {
            weft_passes::fuse::report_to(file);
            false
        }
        None => true,
    });
    let registry = weft_tools::registry();
    let code = mlir_glue::tool::opt_main("Weft optimizer driver\n", (&registry).into(), arguments.into_iter());
    ExitCode::from(code as u8)
}

fn print_targets() -> ExitCode {
    for name in Target::names() {
        match Target::named(name) {
            Ok(target) => println!("{target}"),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
