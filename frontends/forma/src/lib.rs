//! Forma, a language of stencils for people who do not write IR, as a front end of Weft (Ravishankar et al., ARRAY 2015).
//!
//! ```text
//! text ──lexer──▶ tokens ──grammar──▶ ast ──check──▶ types, ranks ──lower──▶ weft_builder::Pipeline ──▶ level 0
//!                    └──────format──▶ text                                    level 0 ──export──▶ text
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
mod diagnostics;
mod export;
mod format;
pub mod lexer;
mod lower;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, missing_docs, unused)]
    grammar
);

pub use diagnostics::{Diagnostic, Kind, render};
pub use export::export;
pub use format::format;

use ast::{Ast, Build, Span};
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
use std::cell::RefCell;
use weft_builder::{Pipeline, Source};

/// So many mistakes are reported; reading ends with the last of them.
pub const MOST_ERRORS: usize = 20;

/// Where lines begin.
pub(crate) struct Lines<'s> {
    source: &'s str,
    starts: Vec<u32>,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str) -> Self {
        // `parse` refuses texts of which a place does not fit.
        let behind = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        Self { source, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// Line and column of a byte, from 1.
    pub fn of(&self, at: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at);
        (line as u32, at - self.starts[line.saturating_sub(1)] + 1)
    }

    /// The byte of a line and column.
    pub fn byte(&self, source: Source) -> u32 {
        let start = self.starts.get(source.line.saturating_sub(1) as usize).copied().unwrap_or(0);
        (start + source.column.saturating_sub(1)).min(self.source.len() as u32)
    }

    /// What is written there.
    pub fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// Reads a program. With mistakes, statements that have them are left out.
pub fn parse(source: &str) -> (Ast<'_>, Vec<Diagnostic>) {
    if u32::try_from(source.len()).is_err() {
        let diagnostic = Diagnostic::new(Kind::Token, Span::default(), "a program of more than 4 GiB");
        return (Ast::default(), vec![diagnostic]);
    }
    let errors = RefCell::new(Vec::new());
    let mut build = Build { ast: Ast::default(), waiting: Vec::new(), errors: &errors };
    // An expression for each six bytes or so.
    build.ast.exprs.reserve(source.len() / 6);
    let lexer = lexer::Lexer::new(source, &errors);
    match grammar::ProgramParser::new().parse(&mut build, lexer.map(Ok)) {
        Ok(items) => build.ast.items = items,
        Err(error) => build.syntax(error),
    }
    let mut ast = build.ast;
    ast.end = source.trim_end().len() as u32;
    (ast, errors.into_inner())
}

/// The mistakes of a program that can be found without making IR.
pub fn check(source: &str) -> Vec<Diagnostic> {
    let (ast, mut errors) = parse(source);
    check_parsed(&ast, &mut errors);
    sorted(errors)
}

/// Checks what could be read; of a program that could not, nothing more is said.
fn check_parsed(ast: &Ast<'_>, errors: &mut Vec<Diagnostic>) -> check::Checked {
    let mut found = Vec::new();
    let checked = check::check(ast, &mut found);
    if !errors.is_empty() {
        // It may be in what could not be read.
        found.retain(|error| error.message != "the program has no return");
    }
    if errors.is_empty() || !ast.items.is_empty() {
        errors.append(&mut found);
    }
    checked
}

/// In the order of the text, those of a place once.
fn sorted(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    errors.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    errors.truncate(MOST_ERRORS);
    errors
}

/// The name of the function that a file becomes.
fn program_name(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name: String = stem
        .trim_matches(|c: char| !c.is_ascii_alphanumeric())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() && name.contains(|c: char| c != '_') => name,
        _ => "program".to_owned(),
    }
}

/// Writes a program with the builder.
///
/// # Errors
///
/// Mistakes, in the order of the text.
pub fn build(p: &Pipeline, file: &str, source: &str) -> Result<(), Vec<Diagnostic>> {
    let (ast, mut errors) = parse(source);
    let checked = check_parsed(&ast, &mut errors);
    if errors.is_empty() {
        lower::lower(p, file, &Lines::new(source), &ast, &checked, &mut errors);
    }
    if errors.is_empty() { Ok(()) } else { Err(sorted(errors)) }
}

/// Compiles a program to a module of level 0, whose locations are lines of `file`.
///
/// # Errors
///
/// Mistakes, in the order of the text.
pub fn compile<'c>(context: &'c Context, file: &str, source: &str) -> Result<Module<'c>, Vec<Diagnostic>> {
    let p = Pipeline::new(&program_name(file));
    build(&p, file, source)?;
    let lines = Lines::new(source);
    p.finish(context).map_err(|errors| {
        let of = |error: &weft_builder::Error| {
            let at = error.source_place().map_or(0, |source| lines.byte(source));
            Diagnostic::new(Kind::Builder, Span { start: at, end: at }, error.message())
        };
        sorted(errors.0.iter().map(of).collect())
    })
}

/// A module as text, with the place of each op in its source or without.
pub fn text_of(module: &Module<'_>, locations: bool) -> String {
    let flags = OperationPrintingFlags::new().enable_debug_info(locations, false);
    // Printing to a string fails on text that is no UTF-8, which names of Forma are.
    let text = module.as_operation().to_string_with_flags(flags).unwrap_or_default();
    format!("{}\n", text.trim_end())
}
