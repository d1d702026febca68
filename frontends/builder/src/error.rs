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

/// One mistake.
#[derive(Clone, Debug)]
pub struct Error {
    pub(crate) place: Place,
    pub(crate) source: Option<Source>,
    pub(crate) message: String,
}

impl Error {
    /// Where: file, line and column of the Rust source.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Where in the text of a front end, if one said so: [`Pipeline::locate`](crate::Pipeline::locate).
    pub fn source_place(&self) -> Option<Source> {
        self.source
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
