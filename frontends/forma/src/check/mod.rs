//! What names stand for, and what types, ranks and counts are: everything that can be said of a program before its sizes.
//!
//! ```text
//! stencil blurx(vector#2 float X) { return (X@[-1,0] + X)/2; }
//!                                           float      float  2 beside float: float
//! ```
//!
//! The result is a type for each expression, and a value for those that are made of literals alone. A literal takes the type of what
//! it stands beside, as in Rust; alone it is `float` or `int`. A mistake is reported once: what is made of it is not looked at again.
//!
//! `limits`, `ty`, `builtins`, `names` and `indices` are plain data; `checker` is the state of a check on top of them; each other file
//! checks a part of the language, and imports these alone. From outside the wing come the ast and diagnostics.

mod applications;
mod bodies;
mod builtins;
mod calls;
mod checker;
mod compose;
mod images;
mod indices;
mod iterate;
mod limits;
mod lookups;
mod names;
mod program;
mod scans;
mod scatters;
mod sizes;
mod tables;
mod ty;
mod types;
mod values;
mod windows;

pub(crate) use builtins::{RESAMPLERS, builtin_names};
pub(crate) use checker::Checked;
pub(crate) use indices::affine;
pub(crate) use scatters::{Combine, update_of};
pub(crate) use ty::Value;

use crate::{ast::Ast, diagnostics::Diagnostic};

/// Checks a program.
pub(crate) fn check(ast: &Ast<'_>, errors: &mut Vec<Diagnostic>) -> Checked {
    let mut checker = checker::Checker::new(ast, errors);
    checker.program();
    checker.finish()
}
