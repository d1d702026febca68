//! `pipeline-opt`: `mlir-opt` with the dialects and passes of Weft.
//!
//! Two arguments are its own: `--print-targets` lists the GPUs that `--fuse` knows, and `--fuse-report=FILE.json` is the
//! report of every `--fuse` in the run.
//!
//! Values print under the names of their locations, unless `--mlir-use-nameloc-as-prefix=false` is said.
//!
//! A file of Forma is compiled first; the driver reads its IR, in which every op has its place in the Forma.

use mlir_glue::{Sinks, tool};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};
use weft_model::Target;
use weft_passes::group::{Report, write_reports};
use weft_tools::Stop;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|argument| argument == "--print-targets") {
        return print_targets();
    }
    let report_to =
        |argument: &OsString| argument.to_str().and_then(|text| text.strip_prefix("--fuse-report=")).map(str::to_owned);
    let report = arguments.iter().find_map(report_to);
    arguments.retain(|argument| report_to(argument).is_none());
    let mut sinks = Sinks::default();
    let report = report.map(|file| (file, sinks.collect::<Report>()));
    let imported = match import(&mut arguments) {
        Ok(imported) => imported,
        Err(stop) => return weft_tools::finish(Err(stop)),
    };
    let registry = weft_tools::registry();
    tool::name_values_by_location();
    let sinks = report.is_some().then_some(&sinks);
    let code = tool::opt_main_with("Weft optimizer driver\n", (&registry).into(), arguments.into_iter(), sinks);
    // What is left in the folder of temporary files does no harm.
    imported.iter().for_each(|file| drop(std::fs::remove_file(file)));
    if let Some((file, reports)) = report {
        let reports: Vec<Report> = reports.try_iter().collect();
        // A run that fails before any `--fuse` has nothing to tell.
        if (code == 0 || !reports.is_empty())
            && let Err(error) = write_reports(&file, &reports)
        {
            eprintln!("error: --fuse-report: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::from(code as u8)
}

/// Puts IR in the place of files of Forma: the files that were made.
fn import(arguments: &mut [OsString]) -> Result<Vec<PathBuf>, Stop> {
    let mut made = Vec::new();
    for argument in arguments.iter_mut().skip(1) {
        let path = Path::new(argument);
        if argument.to_string_lossy().starts_with('-') || !weft_tools::is_forma(path) {
            continue;
        }
        let context = weft_builder::context();
        let module = weft_tools::load_forma(&context, path)?;
        let file = std::env::temp_dir().join(format!("pipeline-opt-{}-{}.mlir", std::process::id(), made.len()));
        std::fs::write(&file, weft_forma::text_of(&module, true))
            .map_err(|error| format!("{}: cannot be written: {error}", file.display()))?;
        *argument = file.clone().into();
        made.push(file);
    }
    Ok(made)
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
