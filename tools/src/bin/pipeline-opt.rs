//! `pipeline-opt`: `mlir-opt` with the dialects and passes of Weft.
//!
//! Two arguments are its own: `--print-targets` lists the GPUs that `--fuse` knows, and `--fuse-report=FILE.json` is the
//! report of every `--fuse` in the run.
//!
//! Values print under the names of their locations, unless `--mlir-use-nameloc-as-prefix=false` is said.
//!
//! A file of Forma is compiled first; the driver reads its IR, in which every op has its place in the Forma.

use mlir_glue::{Sinks, tool};
use std::{ffi::OsString, process::ExitCode};
use weft_model::Target;
use weft_passes::group::{Report, write_reports};
use weft_tools::{
    Stop,
    driver::{DriverFiles, say_version},
    finish, print,
    progress::with_progress,
};

fn main() -> ExitCode {
    weft_files::end_with_reader();
    if let Some(code) = say_version("pipeline-opt") {
        return code;
    }
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|argument| argument == "--print-targets") {
        return finish(print_targets());
    }
    let report_to =
        |argument: &OsString| argument.to_str().and_then(|text| text.strip_prefix("--fuse-report=")).map(str::to_owned);
    let report = arguments.iter().find_map(report_to);
    arguments.retain(|argument| report_to(argument).is_none());
    let mut sinks = Sinks::default();
    let report = report.map(|file| (file, sinks.collect::<Report>()));
    let registry = weft_tools::registry();
    tool::name_values_by_location();
    let arguments = arguments.into_iter();
    let code = with_progress(sinks, |sinks| {
        tool::opt_main_with("Weft optimizer driver\n", (&registry).into(), arguments, &DriverFiles, sinks)
    });
    if let Some((file, reports)) = report {
        let reports: Vec<Report> = reports.try_iter().collect();
        // A run that fails before any `--fuse` has nothing to tell.
        if (code == 0 || !reports.is_empty())
            && let Err(error) = write_reports(&file, &reports)
        {
            return finish(Err(Stop::Because(format!("--fuse-report: {error}"))));
        }
    }
    ExitCode::from(code as u8)
}

fn print_targets() -> Result<(), Stop> {
    let mut text = String::new();
    for name in Target::names() {
        let target = Target::named(name).map_err(|error| error.to_string())?;
        text += &format!("{target}\n");
    }
    print(text)
}
