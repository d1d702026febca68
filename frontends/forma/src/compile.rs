//! From text to mistakes, or to level 0: what lies between is called here, in order.

use crate::{
    ast::Ast,
    check::{self, Checked},
    diagnostics::{Diagnostic, Kind, MOST_ERRORS},
    lower::lower,
    parse::parse,
    span::{Lines, Span},
};
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};
use weft_builder::Pipeline;

/// The mistakes of a program that can be found without making IR.
pub fn check(source: &str) -> Vec<Diagnostic> {
    let (ast, mut errors) = parse(source);
    check_parsed(&ast, &mut errors);
    sorted(errors)
}

/// Checks what could be read; of a program that could not, nothing more is said.
fn check_parsed(ast: &Ast<'_>, errors: &mut Vec<Diagnostic>) -> Checked {
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
fn build(p: &Pipeline, file: &str, source: &str) -> Result<(), Vec<Diagnostic>> {
    let (ast, mut errors) = parse(source);
    let checked = check_parsed(&ast, &mut errors);
    if errors.is_empty() {
        lower(p, file, &Lines::new(source), &ast, &checked, &mut errors);
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
