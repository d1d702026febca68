//! What is wrong with a program, and at which line of Rust.

use std::{fmt, panic::Location};

/// A line of Rust that wrote something.
pub(crate) type Place = &'static Location<'static>;

/// A place in the text that a front end makes a program of. Both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

/// A place in one of the texts of a front end; `file` counts the files of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub file: usize,
    pub source: Source,
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Error {
    pub(crate) place: Place,
    /// Where in which file of a front end.
    pub(crate) source: Option<(String, Source)>,
    pub(crate) message: String,
}

impl Error {
    /// Where: file, line and column of the Rust source.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Where in the text of a front end, if one said so: [`Pipeline::locate`](crate::Pipeline::locate).
    pub fn source_place(&self) -> Option<Source> {
        self.source.as_ref().map(|(_, source)| *source)
    }

    /// In which file of a front end.
    pub fn source_file(&self) -> Option<&str> {
        self.source.as_ref().map(|(file, _)| file.as_str())
    }

    /// What was found and what is expected.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: error: {}", self.place, self.message)
    }
}

impl std::error::Error for Error {}

/// All mistakes of a program, in the order in which they were made.
#[derive(Clone, Debug)]
pub struct Errors(pub Vec<Error>);

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
