//! Errors with a place: what verifiers and passes return, and how they reach MLIR's diagnostic engine.
//!
//! ```text
//! a.mlir:2:8: error: 'toy.clamp' op has bounds [3, 2], expected lo <= hi
//! a.mlir:1:9: note: the value is defined here
//! ```

use crate::{ir, sys};
use melior::ir::{Location, OperationRef, operation::OperationLike};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a message expects where there are names to choose from: `one of a, b`, or `none`.
pub fn one_of<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_owned() } else { format!("one of {}", names.join(", ")) }
}

/// One error, where it is, and notes on what else to look at.
#[derive(Debug, Clone)]
pub struct Diagnostic<'c> {
    location: Location<'c>,
    message: String,
    notes: Vec<(Location<'c>, String)>,
}

/// What a verifier says.
pub type Verdict<'c> = Result<(), Diagnostic<'c>>;

impl<'c> Diagnostic<'c> {
    /// An error of an operation: its place, and the message behind `'dialect.op' op`, as MLIR's own verifiers write it.
    pub fn on(op: OperationRef<'c, '_>, message: impl AsRef<str>) -> Self {
        Self::at(op.location(), format!("'{}' op {}", ir::name_of(op), message.as_ref()))
    }

    /// An error at a place.
    pub fn at(location: Location<'c>, message: impl Into<String>) -> Self {
        Self { location, message: message.into(), notes: Vec::new() }
    }

    /// Adds a note.
    pub fn note(mut self, location: Location<'c>, message: impl Into<String>) -> Self {
        self.notes.push((location, message.into()));
        self
    }

    /// The message, without place and notes.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Hands the error to the diagnostic engine of its context.
    pub fn emit(&self) {
        self.emit_as(0);
    }

    /// Hands it over as a warning: compilation goes on.
    pub fn emit_warning(&self) {
        self.emit_as(1);
    }

    /// Hands it over as a remark: something to know, asked for.
    pub fn emit_remark(&self) {
        self.emit_as(2);
    }

    fn emit_as(&self, severity: i32) {
        let locations: Vec<_> = self.notes.iter().map(|(location, _)| location.to_raw()).collect();
        let messages: Vec<_> = self.notes.iter().map(|(_, message)| sys::string_ref(message)).collect();
        // SAFETY: the arrays and strings live until the call returns, and C++ copies what it keeps.
        unsafe {
            sys::glueEmit(
                severity,
                self.location.to_raw(),
                sys::string_ref(&self.message),
                messages.len() as isize,
                locations.as_ptr(),
                messages.as_ptr(),
            );
        }
    }
}

/// Why a pass failed: one error or several.
#[derive(Debug, Clone, Default)]
pub struct Failure<'c>(pub Vec<Diagnostic<'c>>);

impl<'c> From<Diagnostic<'c>> for Failure<'c> {
    fn from(diagnostic: Diagnostic<'c>) -> Self {
        Self(vec![diagnostic])
    }
}

impl<'c> Failure<'c> {
    /// `Ok` where no error was collected.
    pub fn check(diagnostics: Vec<Diagnostic<'c>>) -> Result<(), Self> {
        if diagnostics.is_empty() { Ok(()) } else { Err(Self(diagnostics)) }
    }
}

/// Runs a callback for C++: errors go to the engine, and so does a panic, because unwinding must not cross into C++.
pub(crate) fn guard<'c>(op: OperationRef<'c, '_>, callback: impl FnOnce() -> Result<(), Failure<'c>>) -> bool {
    match catch_unwind(AssertUnwindSafe(callback)) {
        Ok(Ok(())) => true,
        Ok(Err(failure)) => {
            failure.0.iter().for_each(Diagnostic::emit);
            false
        }
        Err(_) => {
            Diagnostic::on(op, "met an internal error (see the panic above); please report it").emit();
            false
        }
    }
}
