//! From text to what was written: the lexer's tokens through the grammar.

use crate::{
    ast::{Ast, Build},
    diagnostics::{Diagnostic, Kind},
    lexer::Lexer,
    span::Span,
};
use std::cell::RefCell;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, missing_docs, unused)]
    grammar
);

/// Reads a program. With mistakes, statements that have them are left out.
pub fn parse(source: &str) -> (Ast<'_>, Vec<Diagnostic>) {
    if u32::try_from(source.len()).is_err() {
        let diagnostic = Diagnostic::new(Kind::Token, Span::default(), "a program of more than 4 GiB");
        return (Ast::default(), vec![diagnostic]);
    }
    let errors = RefCell::new(Vec::new());
    let mut build = Build { ast: Ast::default(), waiting: Vec::new(), source, words: Vec::new(), errors: &errors };
    // An expression for each six bytes or so.
    build.ast.exprs.reserve(source.len() / 6);
    let lexer = Lexer::new(source, &errors);
    match grammar::ProgramParser::new().parse(&mut build, lexer.map(Ok)) {
        Ok(items) => build.ast.items = items,
        Err(error) => build.syntax(error),
    }
    let mut ast = build.ast;
    ast.end = source.trim_end().len() as u32;
    (ast, errors.into_inner())
}
