//! What the tools share: how they begin and end, a context with everything in it, files of MLIR, and what a program takes and gives.

pub mod clock;
pub mod driver;
pub mod graph;
pub mod html;
pub mod lsp;
pub mod progress;
pub mod reduce;
pub mod replay;
pub mod signature;
pub mod tune;
pub mod versions;
pub mod windows;

use clap::{
    Parser,
    builder::{PossibleValuesParser, TypedValueParser},
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Module, OperationRef},
};
use mlir_glue::{
    Sinks, Step, pipeline_text,
    run::{self, RunError, run_pipeline_with},
    tool,
};
use progress::with_progress;
use serde_json::{Map, Value as Json, json};
use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
    str::FromStr,
    sync::LazyLock,
};
use weft_files::{TEXT, complain, limited};
use weft_passes::{
    ir::{program, symbol},
    stage::Libm,
};
use weft_runtime::{Alpha, Changes};

/// A registry with MLIR's dialects and ours; also registers our passes.
pub fn registry() -> DialectRegistry {
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    weft_dialects::register_dialects((&registry).into());
    weft_passes::register_passes();
    registry
}

/// A context for a tool that is no driver of MLIR's: everything registered, diagnostics printed to stderr.
pub fn context() -> Context {
    // One thread: programs are small, and starting a pool costs more than it gives.
    let context = Context::new_with_registry(&registry(), false);
    melior::utility::register_all_passes();
    run::print_diagnostics(&context);
    context
}

/// Options on a program's arithmetic, the same for every target.
#[derive(clap::Args, Clone, Copy)]
pub struct Numerics {
    /// Whether a product that only a sum uses is rounded with it (`pipeline-opt --contract`).
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub contract: bool,
    /// Whose exponentials, logarithms, powers and angles: those that all targets share (`pipeline-opt --expand-math`), or the
    /// target's own, which differ in the last bits or more.
    #[arg(long, value_parser = words::<Libm>(Libm::WORDS), default_value = "shared")]
    pub libm: Libm,
}

/// The words of an option of a pass, as those of an option of a tool.
pub fn words<T: FromStr<Err = String> + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| word.parse())
}

/// Why a tool stops. Diagnostics of MLIR have been printed already; then there is nothing to add.
#[derive(Debug)]
pub enum Stop {
    /// The reason has been printed.
    Printed,
    /// One line.
    Because(String),
    /// The program refuses its arguments: a check at its entry failed, which is one line.
    Refused(String),
}

impl From<String> for Stop {
    fn from(message: String) -> Self {
        Self::Because(message)
    }
}

impl From<weft_runtime::Error> for Stop {
    fn from(error: weft_runtime::Error) -> Self {
        match error {
            weft_runtime::Error::Check { message } => Self::Refused(message),
            error => Self::Because(error.to_string()),
        }
    }
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        match error {
            RunError::NoPipeline(message) => Self::Because(message),
            RunError::PassFailed => Self::Printed,
        }
    }
}

/// What `--version` says behind a tool's name.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let commit = match env!("WEFT_COMMIT") {
            "" => String::new(),
            commit => format!(" ({commit})"),
        };
        format!("{}{commit}, LLVM {}", env!("CARGO_PKG_VERSION"), weft_runtime::llvm_version())
    });
    &VERSION
}

/// All of a tool: its command line, what it does, and how it ends.
pub fn start<O: Parser>(run: impl FnOnce(&O) -> Result<(), Stop>) -> ExitCode {
    weft_files::end_with_reader();
    match O::try_parse() {
        Ok(options) => finish(run(&options)),
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // What `--help` and `--version` say is what was asked for.
        Err(help) => finish(help.print().and_then(|()| io::stdout().flush()).map_err(no_stdout)),
    }
}

/// Ends a tool: the reason on stderr, and the exit code.
pub fn finish(result: Result<(), Stop>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Printed) => ExitCode::FAILURE,
        Err(Stop::Because(message) | Stop::Refused(message)) => {
            complain(format_args!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints a text to stdout, as it is.
///
/// # Errors
///
/// A full disk.
pub fn print(text: impl AsRef<[u8]>) -> Result<(), Stop> {
    weft_files::print(text.as_ref()).map_err(no_stdout)
}

/// Says what was changed between a file and a tensor, if anything was.
pub fn say_changes(path: &Path, changes: &Changes) {
    if !changes.is_empty() {
        complain(format_args!("{}: {changes}", path.display()));
    }
}

/// The same for programs to read: what happened, and nothing else.
pub fn changes_json(changes: &Changes) -> Json {
    let Changes { orientation, colour, alpha, bits, clipped, nan, infinite, values } = changes;
    let mut all = Map::new();
    let mut say = |name: &str, what: Option<Json>| all.extend(what.map(|what| (name.to_owned(), what)));
    let count = |n: &usize| (*n > 0).then(|| json!(n));
    say("orientation", orientation.map(|number| json!(number)));
    say("colour", colour.map(|(from, to)| json!({ "from": from, "to": to })));
    let alpha = alpha.map(|alpha| match alpha {
        Alpha::Dropped => "dropped",
        Alpha::Added => "added",
    });
    say("alpha", alpha.map(Json::from));
    say("bits", bits.map(|(from, to)| json!({ "from": from, "to": to })));
    say("clipped", count(clipped));
    say("nan", count(nan));
    say("infinite", count(infinite));
    let values = values.map(|(from, to, n)| json!({ "from": from.to_string(), "to": to.to_string(), "changed": n }));
    say("values", values);
    Json::Object(all)
}

fn no_stdout(error: io::Error) -> Stop {
    unwritable(Path::new("-"), error)
}

/// Writes a file, all of it or nothing; `-` is stdout.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Stop> {
    weft_files::write(path, content.as_ref()).map_err(|error| unwritable(path, error))
}

/// What is said of a file that cannot be written.
pub fn unwritable(path: &Path, error: io::Error) -> Stop {
    let name = if path.as_os_str() == "-" { "stdout".to_owned() } else { path.display().to_string() };
    Stop::Because(format!("{name}: cannot be written: {error}"))
}

/// The end of the name of a file of Forma.
pub const FORMA: &str = "fm";

/// Whether a file is one of Forma, by its name.
pub fn is_forma(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == FORMA)
}

/// Whether a file is a trace of a program in another language, by its name.
pub fn is_trace(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == weft_trace::EXTENSION)
}

/// Reads and verifies a file of MLIR, one of Forma, or a trace; stdin (`-`), which has no name, is what its text begins as.
///
/// # Errors
///
/// A file that cannot be read, or (printed) one that is no MLIR or has mistakes.
pub fn load<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Stop> {
    if is_forma(path) {
        return load_forma(context, path);
    }
    if is_trace(path) {
        let (name, text) = read(path, "a trace")?;
        return compile_trace(context, &name, &text);
    }
    let (name, text) = read(path, "MLIR")?;
    if path.as_os_str() == "-" && weft_forma::is_forma(&text) {
        return compile_forma(context, &name, &text);
    }
    run::parse_module(context, &text, &name).ok_or(Stop::Printed)
}

/// Compiles a file of Forma, `-` being stdin.
///
/// # Errors
///
/// A file that cannot be read, or (printed) one with mistakes.
pub fn load_forma<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Stop> {
    let (name, text) = read(path, "Forma")?;
    compile_forma(context, &name, &text)
}

/// Compiles a text of Forma that was read from `name`.
///
/// # Errors
///
/// Mistakes, which have been printed.
pub fn compile_forma<'c>(context: &'c Context, name: &str, text: &str) -> Result<Module<'c>, Stop> {
    weft_forma::compile(context, name, text).map_err(|mistakes| print_mistakes(name, text, &mistakes))
}

/// Compiles a trace that was read from `name`.
///
/// # Errors
///
/// Mistakes, which have been printed.
pub fn compile_trace<'c>(context: &'c Context, name: &str, text: &str) -> Result<Module<'c>, Stop> {
    weft_trace::compile(context, name, text).map_err(|mistakes| {
        mistakes.iter().for_each(|mistake| complain(format_args!("{mistake}")));
        Stop::Printed
    })
}

/// Prints the mistakes of a program in Forma.
pub fn print_mistakes(name: &str, text: &str, mistakes: &[weft_forma::Diagnostic]) -> Stop {
    complain(weft_forma::render(name, text, mistakes, io::stderr().is_terminal()).trim_end_matches('\n'));
    Stop::Printed
}

/// A file's name for messages, and its text; `-` is stdin.
///
/// # Errors
///
/// A file that cannot be read, or is no text.
pub fn read(path: &Path, language: &str) -> Result<(String, String), Stop> {
    if path.as_os_str() == "-" {
        let name = "<stdin>".to_owned();
        let text = weft_files::text_of(&name, limited(io::stdin(), TEXT), language)?;
        return Ok((name, text));
    }
    Ok((path.display().to_string(), weft_files::text(path, language)?))
}

/// Runs a textual pipeline.
///
/// # Errors
///
/// A pipeline that does not parse; a pass that fails has printed why.
pub fn run(module: &Module, pipeline: &str) -> Result<(), Stop> {
    Ok(run::run_pipeline(module.as_operation(), pipeline)?)
}

/// Runs passes that somebody waits for.
///
/// # Errors
///
/// As [`run_steps`].
pub fn compile(module: &Module, steps: &[Step]) -> Result<(), Stop> {
    let text = pipeline_text(steps).map_err(|error| error.to_string())?;
    Ok(with_progress(Sinks::default(), |sinks| run_pipeline_with(module.as_operation(), &text, sinks))?)
}

/// Runs passes.
///
/// # Errors
///
/// As [`run()`]; an option's value that no pipeline can have.
pub fn run_steps(module: &Module, steps: &[Step]) -> Result<(), Stop> {
    let text = pipeline_text(steps).map_err(|error| error.to_string())?;
    run(module, &text)
}

/// The program of a module: the one of this name, or the only one.
///
/// # Errors
///
/// None or several; the message lists them.
pub fn find_program<'c: 'a, 'a>(module: &'a Module<'c>, name: Option<&str>) -> Result<OperationRef<'c, 'a>, Stop> {
    let programs = program::programs(module.as_operation());
    let list = programs.iter().map(|func| format!("@{}", symbol(*func))).collect::<Vec<_>>().join(", ");
    match name {
        _ if programs.is_empty() => Err(Stop::Because("the file has no function with a pipeline.stage".into())),
        Some(name) => programs
            .into_iter()
            .find(|func| symbol(*func) == name)
            .ok_or_else(|| Stop::Because(format!("no program @{name}, expected one of {list}"))),
        None => match programs[..] {
            [one] => Ok(one),
            _ => Err(Stop::Because(format!("the file has several programs, expected --function with one of {list}"))),
        },
    }
}

/// The group that a kernel is of: the one whose name it has, or begins with. A group without one tiling is split in lowering,
/// and the new kernel is called after both: `g0` and `g0_blur`.
pub fn group_of(kernel: &str, names: &[String]) -> Option<usize> {
    let is_of =
        |name: &String| kernel.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let candidates = names.iter().enumerate().filter(|(_, name)| is_of(name));
    candidates.max_by_key(|(_, name)| name.len()).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_of_the_group_whose_name_they_have() {
        let names = ["f_g1", "f_g10", "f_g1_b"].map(str::to_owned);
        assert_eq!(group_of("f_g1", &names), Some(0));
        assert_eq!(group_of("f_g10_a", &names), Some(1));
        assert_eq!(group_of("f_g1_b_c", &names), Some(2));
        assert_eq!(group_of("f_g2", &names), None);
    }
}
