//! `pipeline-opt`: `mlir-opt` with the dialects and passes of Weft.
//!
//! Two arguments are its own: `--print-targets` lists the GPUs that `--fuse` knows, and `--fuse-report=FILE.json` is the
//! report of every `--fuse` in the run.

use std::{ffi::OsString, process::ExitCode};
use weft_model::Target;
use weft_passes::fuse;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|argument| argument == "--print-targets") {
        return print_targets();
    }
    let report_to =
        |argument: &OsString| argument.to_str().and_then(|text| text.strip_prefix("--fuse-report=")).map(str::to_owned);
    let report = arguments.iter().find_map(report_to);
    arguments.retain(|argument| report_to(argument).is_none());
    if report.is_some() {
        fuse::keep_reports();
    }
    let registry = weft_tools::registry();
    let code = mlir_glue::tool::opt_main("Weft optimizer driver\n", (&registry).into(), arguments.into_iter());
    let reports = fuse::kept_reports();
    if let Some(file) = report
        // A run that fails before any `--fuse` has nothing to tell.
        && (code == 0 || !reports.is_empty())
        && let Err(error) = fuse::write_reports(&file, &reports)
    {
        eprintln!("error: --fuse-report: {error}");
        return ExitCode::FAILURE;
    }
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
