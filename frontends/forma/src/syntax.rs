//! What is said of a token where another is expected.
//!
//! ```text
//! let half = X;  ... return half;      × found "half", expected a name      and no more of half
//! ```

use crate::{
    ast::Build,
    diagnostics::{Diagnostic, Kind as Error, MOST_ERRORS},
    lexer::{Kind, Token, tokens},
    span::Span,
};
use lalrpop_util::ParseError as P;

type ParseError<'s> = P<u32, Token<'s>, ()>;

impl<'s> Build<'s, '_> {
    pub fn syntax(&mut self, error: ParseError<'s>) {
        if self.errors.borrow().len() >= MOST_ERRORS {
            return;
        }
        let (token, mut span, expected) = match error {
            P::UnrecognizedToken { token: (_, token, _), expected } => (Some(token), token.span, expected),
            P::ExtraToken { token: (_, token, _) } => (Some(token), token.span, Vec::new()),
            P::UnrecognizedEof { location, expected } => (None, Span { start: location, end: location }, expected),
            // The lexer hands out no token that is none, and the grammar makes no errors of its own.
            P::InvalidToken { .. } | P::User { error: () } => return,
        };
        let ends = |error: &Diagnostic| error.kind == Error::Depth || error.message == "a comment without end";
        if token.is_none() && self.errors.borrow().iter().any(ends) {
            // The tokens ended there because that was said.
            return;
        }
        let [second_last, last] = before(self.source, span);
        let about = |words: &[&str], token: Option<Token>| token.is_some_and(|token| words.contains(&token.text));
        if about(&self.words, token) || about(&self.words, last) {
            // It was a name to who wrote it, and that it cannot be one was said.
            return;
        }
        let mut found = token.map_or("the end of the program".to_owned(), |token| format!("{:?}", token.text));
        let names = words(&expected);
        let mut help = None;
        if let Some(word) = word_as_name(token, last, second_last, &expected) {
            (found, span) = (format!("{:?}", word.text), word.span);
            help = Some(format!("{found} is a word of the language"));
            self.words.push(word.text);
        } else if names.starts_with("an expression") && token.is_some_and(|token| token.kind == Kind::Percent) {
            help = Some("names stand alone here, without the % that they have in MLIR".to_owned());
        } else if names == "\";\"" {
            help = Some("statements end with \";\"".to_owned());
        }
        let diagnostic = Diagnostic::new(Error::Syntax, span, format!("found {found}, expected {names}"));
        self.error(diagnostic.label("here").help(help));
    }
}

/// The two tokens before a place. The parser keeps none; there are few errors, and this is the quick part of reading.
fn before(source: &str, place: Span) -> [Option<Token<'_>>; 2] {
    let is_read = |token: &Token| !matches!(token.kind, Kind::LineComment | Kind::BlockComment);
    let all = tokens(source).take_while(|token| token.span.start < place.start).filter(is_read);
    all.fold([None, None], |[_, last], token| [last, Some(token)])
}

/// The word of the language that somebody wrote for a name, such as `half`.
fn word_as_name<'s>(
    found: Option<Token<'s>>,
    last: Option<Token<'s>>,
    second_last: Option<Token<'s>>,
    expected: &[String],
) -> Option<Token<'s>> {
    if !has(expected, "name") {
        return None;
    }
    // What begins a statement is rather one whose predecessor lacks an operand.
    let is_in_expression = has(expected, "(");
    let begins = |kind| {
        matches!(
            kind,
            Kind::Let
                | Kind::Return
                | Kind::Parameter
                | Kind::Const
                | Kind::Vector
                | Kind::Stencil
                | Kind::Scan
                | Kind::Scatter
        )
    };
    match (found, last) {
        (Some(found), _) if found.is_word() && !(is_in_expression && begins(found.kind)) => Some(found),
        // A type may stand before the name.
        (_, Some(last)) if last.kind == Kind::Type => {
            let is_optional = |token: Token| matches!(token.kind, Kind::Let | Kind::Const | Kind::Parameter);
            second_last.is_some_and(is_optional).then_some(last)
        }
        _ => None,
    }
}

/// Whether the grammar could go on with a token.
fn has(expected: &[String], word: &str) -> bool {
    expected.iter().any(|other| other.trim_matches('"') == word)
}

/// A short list of what may stand at a place.
fn words(expected: &[String]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut left: Vec<&str> = expected.iter().map(|word| word.trim_matches('"')).collect();
    let mut group = |all: &[&str], name: &str, left: &mut Vec<&str>| {
        if all.iter().all(|word| has(expected, word)) {
            left.retain(|word| !all.contains(word));
            names.push(name.to_owned());
        }
    };
    group(
        &["parameter", "const", "stencil", "scan", "scatter", "function", "vector", "return", "name"],
        "a statement",
        &mut left,
    );
    group(&["let", "return"], "a statement", &mut left);
    group(&["int", "float", "name", "(", "-"], "an expression", &mut left);
    if !["int", "float"].iter().any(|word| left.contains(word)) {
        group(&["+", "*", "==", "&&"], "an operator", &mut left);
    }
    let is_prefix = |word: &&str| matches!(*word, "!" | "true" | "false" | "saturate" | "type" | "compose" | "iterate");
    let is_operator = |word: &&str| {
        matches!(
            *word,
            "-" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | "||" | "!=" | "<" | "<=" | ">" | ">=" | "?" | "@" | "or"
        )
    };
    if names.iter().any(|name| name == "an expression") {
        left.retain(|word| !is_prefix(word));
    }
    if names.iter().any(|name| name == "an operator") {
        left.retain(|word| !is_operator(word) && !matches!(*word, "(" | "["));
    }
    left.sort_unstable();
    names.sort_by_key(|name| name == "an operator");
    let quoted = left.iter().map(|word| match *word {
        "name" => "a name".to_owned(),
        "int" => "an integer".to_owned(),
        "float" => "a number".to_owned(),
        "type" => "a type".to_owned(),
        word => format!("{word:?}"),
    });
    let operators = names.iter().position(|name| name == "an operator").map(|at| names.remove(at));
    names.extend(quoted);
    names.extend(operators);
    match &names[..] {
        [] => "nothing more".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
