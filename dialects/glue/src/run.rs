//! Parsing modules and running pipelines, for tools and libraries that are no `mlir-opt`.

use crate::{
    sinks::Sinks,
    sys::{glueParseModule, glueSetSinks, str_of, string_ref},
};
use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::{Location, Module, OperationRef},
};
use mlir_sys::{
    MlirStringRef, mlirOperationVerify, mlirParsePassPipeline, mlirPassManagerCreate, mlirPassManagerDestroy,
    mlirPassManagerEnableVerifier, mlirPassManagerGetAsOpPassManager, mlirPassManagerRunOnOp,
};
use std::{
    error::Error,
    ffi::c_void,
    fmt::{self, Display, Formatter},
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

/// Parses and verifies a module; `name` stands in the locations. `None` after diagnostics.
pub fn parse_module<'c>(context: &'c Context, text: &str, name: &str) -> Option<Module<'c>> {
    // SAFETY: the texts live until the call returns; the module that comes back is ours.
    unsafe { Module::from_option_raw(glueParseModule(context.to_raw(), string_ref(text), string_ref(name))) }
}

/// Why a run came to no end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// The text is no pipeline: what is wrong with it.
    NoPipeline(String),
    /// A pass failed, which has emitted why.
    PassFailed,
}

impl Display for RunError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::NoPipeline(message) => f.write_str(message),
            Self::PassFailed => f.write_str("a pass failed"),
        }
    }
}

impl Error for RunError {}

/// When IR is verified while a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verify {
    /// Behind each pass, as `mlir-opt` does.
    Each,
    /// Behind the last one, which is faster.
    Last,
}

/// Runs a textual pipeline, with or without `builtin.module(...)` around it, on a module.
///
/// # Errors
///
/// A text that is no pipeline; a pass that fails.
pub fn run_pipeline(module: OperationRef, text: &str) -> Result<(), RunError> {
    run_pipeline_with(module, text, &Sinks::default())
}

/// [`run_pipeline`] with sinks for what passes report.
///
/// # Errors
///
/// As [`run_pipeline`].
pub fn run_pipeline_with(module: OperationRef, text: &str, sinks: &Sinks) -> Result<(), RunError> {
    run(module, text, sinks, Verify::Each)
}

/// [`run_pipeline`] that verifies when it is told to.
///
/// # Errors
///
/// As [`run_pipeline`].
pub fn run_pipeline_verifying(module: OperationRef, text: &str, verify: Verify) -> Result<(), RunError> {
    run(module, text, &Sinks::default(), verify)
}

fn run(module: OperationRef, text: &str, sinks: &Sinks, verify: Verify) -> Result<(), RunError> {
    unsafe extern "C" fn append(part: MlirStringRef, message: *mut c_void) {
        // SAFETY: `message` is the string below, and MLIR lends `part` for the call.
        unsafe { (*message.cast::<String>()).push_str(str_of(part)) };
    }
    let whole = if text.trim_start().starts_with("builtin.module") {
        text.to_owned()
    } else {
        format!("builtin.module({text})")
    };
    let mut message = String::new();
    // SAFETY: the manager lives until it is destroyed at the end, and the sinks longer; the module is live.
    unsafe {
        let manager = mlirPassManagerCreate(mlir_sys::mlirOperationGetContext(module.to_raw()));
        let passes = mlirPassManagerGetAsOpPassManager(manager);
        let parsed =
            mlirParsePassPipeline(passes, string_ref(&whole), Some(append), std::ptr::from_mut(&mut message).cast());
        let result = if parsed.value == 0 {
            // MLIR's words, without its name for the parser of options and the empty line behind that parser's message.
            let lines = message.lines().map(|line| line.trim_start_matches("<Pass-Options-Parser>: "));
            Err(RunError::NoPipeline(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")))
        } else {
            glueSetSinks(manager, std::ptr::from_ref(sinks).cast());
            mlirPassManagerEnableVerifier(manager, verify == Verify::Each);
            let ran = mlirPassManagerRunOnOp(manager, module.to_raw()).value != 0;
            let ran = ran && (verify == Verify::Each || mlirOperationVerify(module.to_raw()));
            ran.then_some(()).ok_or(RunError::PassFailed)
        };
        mlirPassManagerDestroy(manager);
        result
    }
}

/// `file:line:column` of a location, as diagnostics begin.
pub fn place(location: Location) -> String {
    if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        let file = file.as_string_ref().as_str().unwrap_or_default().to_owned();
        let (line, column) = (location.file_line_col_range_start_line(), location.file_line_col_range_start_column());
        format!("{file}:{line}:{column}")
    } else if location.is_name() {
        place(location.name_child_location())
    } else if location.is_fused() && location.fused_num_locations() > 0 {
        place(location.fused_location(0))
    } else if location.is_call_site() {
        place(location.call_site_callee())
    } else {
        "<unknown>".to_owned()
    }
}

/// The most bytes of a file in which a line is looked for.
const SHOWN: u64 = 256 << 20;

/// The line of a location with a caret under the column, where its file can be read. IR can name anything: only a file is opened.
fn shown(location: Location) -> Option<String> {
    if !location.is_file_line_col_range() {
        return None;
    }
    let file = location.file_line_col_range_filename();
    let file = Path::new(file.as_string_ref().as_str().ok()?);
    let (line, column) = (location.file_line_col_range_start_line(), location.file_line_col_range_start_column());
    // Asked before it is opened: a pipe would be waited for.
    if !file.is_file() {
        return None;
    }
    let text = BufReader::new(File::open(file).ok()?.take(SHOWN));
    let line = text.lines().map_while(Result::ok).nth(line.checked_sub(1)?)?;
    // Behind its end a line has no columns, whatever IR says of them.
    let before = " ".repeat(column.clamp(1, line.len() + 1) - 1);
    Some(format!("{line}\n{before}^\n"))
}

/// Prints diagnostics to stderr the way compilers do: `file:line:column: error: message`, then notes.
pub fn print_diagnostics(context: &Context) {
    fn print(diagnostic: &Diagnostic) {
        let severity = match diagnostic.severity() {
            DiagnosticSeverity::Error => "error",
            DiagnosticSeverity::Warning => "warning",
            DiagnosticSeverity::Note => "note",
            DiagnosticSeverity::Remark => "remark",
        };
        let text = diagnostic.to_string();
        // The op that is dumped under "see current operation" can be a whole kernel.
        if !text.starts_with("see current operation") {
            let location = diagnostic.location();
            // Where stderr cannot be written, nobody is left to tell.
            let _ = write!(
                io::stderr(),
                "{}: {severity}: {text}\n{}",
                place(location),
                shown(location).unwrap_or_default()
            );
        }
        (0..diagnostic.note_count()).filter_map(|i| diagnostic.note(i).ok()).for_each(|note| print(&note));
    }
    context.attach_diagnostic_handler(|diagnostic| {
        print(&diagnostic);
        true
    });
}
