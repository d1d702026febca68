//! What can go wrong, in one line each.
//!
//! A message names the file or the function, says what was found there and what was expected, and stops. The variants
//! are apart so that a tool can react to a kind of failure; the text is for the person at the terminal.

use std::path::PathBuf;

use crate::buffer::Element;

/// Any failure of this crate. Its `Display` is one plain line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused to read the file.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The operating system refused to write the file. Nothing was left behind under its name.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file's extension names no format that can be used here.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
        /// The extension that the name has.
        found: String,
        /// The extensions that are accepted.
        expected: &'static str,
    },
    /// The file's content is not of the format that its name promises, or is cut short.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with the content.
        found: String,
        /// The format.
        expected: String,
    },
    /// The extents do not fit.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The extents that are there.
        found: String,
        /// The extents that are wanted.
        expected: String,
    },
    /// The element types do not fit.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Element {
        /// The file.
        path: PathBuf,
        /// The element type that is there.
        found: String,
        /// The element types that are possible.
        expected: String,
    },
    /// Integers that may be pixels or numbers are asked for as floats.
    #[error("{}: found elements of type {found}, expected {expected}: the greatest number may be itself or 1.0", path.display())]
    Integers {
        /// The file.
        path: PathBuf,
        /// The element type that is there.
        found: Element,
        /// The one that is wanted.
        expected: Element,
    },
    /// LLVM did not accept the module, or could not compile it for this machine.
    #[error("the module cannot be compiled: {reason}")]
    Compile {
        /// LLVM's words, on one line.
        reason: String,
    },
    /// The C compiler did not make a library of an object.
    #[error("the library cannot be linked: {reason}")]
    Link {
        /// Its words, on one line.
        reason: String,
    },
    /// The compiled code calls a function that exists nowhere in this process.
    #[error("the module cannot be linked: found no function {symbol}, which the compiled code calls")]
    Symbol {
        /// The name of the missing function.
        symbol: String,
    },
    /// A function of the module is missing or has another signature than the program says.
    #[error("function {name}: found {found}, expected {expected}")]
    Entry {
        /// The function's name in the program.
        name: String,
        /// What the module has.
        found: String,
        /// What the calling convention wants.
        expected: String,
    },
    /// The arguments of a call do not fit the function.
    #[error("call of {name}: found {found}, expected {expected}")]
    Call {
        /// The function's name in the program.
        name: String,
        /// What was passed.
        found: String,
        /// What the function takes.
        expected: String,
    },
    /// The program refuses its arguments: a check at its entry failed.
    #[error("{message}")]
    Check {
        /// What the program says, with the place in its source.
        message: String,
    },
    /// A device is not there, or refused to do something.
    #[error("{reason}")]
    Device {
        /// What the device or its driver said, and about what.
        reason: String,
    },
}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn device(reason: impl Into<String>) -> Error {
        Error::Device { reason: reason.into() }
    }
}

/// A module that cannot be compiled, for this reason.
pub(crate) fn compile_error(reason: &str) -> Error {
    Error::Compile { reason: one_line(reason) }
}

/// Messages of libraries may span lines; ours do not.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
