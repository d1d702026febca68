//! Forma, a language of stencils for people who do not write IR, as a front end of Weft (Ravishankar et al., ARRAY 2015).
//!
//! ```text
//! text ──lexer──▶ tokens ──grammar──▶ ast ──check──▶ types, ranks ──lower──▶ weft_builder::Pipeline ──▶ level 0
//!                    └──────format──▶ text          │                         level 0 ──export──▶ text
//!                                                   └──symbols──▶ what names stand for, for editors
//! ```
//!
//! ```
//! let source = "stencil blur(vector#1 float X) { return (X@[-1] + X + X@[1])/3.0; }
//!               parameter N; vector#1 float line[N]; smooth = blur(line:mirror); return smooth;";
//! let context = weft_builder::context();
//! let module = weft_forma::compile(&context, "smooth.fm", source).expect("a program without mistakes");
//! assert!(module.as_operation().to_string().contains("pipeline.load %arg0[%x - 1] mirror"));
//! ```
//!
//! The language is in docs/forma.md. Mistakes are [`Diagnostic`]s, several in one run; nothing panics on a wrong program.

pub mod ast;
mod check;
mod compile;
mod diagnostics;
mod export;
mod format;
pub mod lexer;
mod lower;
mod parse;
mod span;
mod symbols;
mod syntax;

pub use compile::{check, compile, text_of};
pub use diagnostics::{Diagnostic, Kind, MOST_ERRORS, render};
pub use export::export;
pub use format::format;
pub use lexer::is_forma;
pub use parse::parse;
pub use span::Span;
pub use symbols::{Symbol, Symbols, symbols};
