//! Text to tokens.
//!
//! ```text
//! X@[-1,0] // left        Name "X"   At   Open[   Minus   Int "1"   Comma   Int "0"   Close]
//! ```
//!
//! The words of boundary modes, windows and builtin functions are plain names, so that programs may use them for their own.
//! What is no token is noted and left out. Brackets deeper than [`DEEPEST`] end the text: what follows would only say so again.

use crate::{
    diagnostics::{Diagnostic, Kind as Error, MOST_ERRORS},
    span::Span,
};
use logos::Logos;

/// Most brackets that are open at a time.
pub const DEEPEST: usize = 200;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
// U+FEFF is what some editors begin files with.
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[allow(missing_docs)]
pub enum Kind {
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    BlockComment,
    #[regex(r"[A-Za-z_][A-Za-z_0-9]*")]
    Name,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[token("parameter")]
    Parameter,
    #[token("const")]
    Const,
    #[token("vector")]
    Vector,
    #[token("stencil")]
    Stencil,
    /// `scan` and `scatter` where a statement begins so, `scan[float Y] ...`; else they are names.
    Scan,
    Scatter,
    #[token("function")]
    Function,
    #[token("let")]
    Let,
    #[token("return")]
    Return,
    #[token("compose")]
    Compose,
    #[token("iterate")]
    Iterate,
    #[token("else")]
    Else,
    #[token("at")]
    AtWord,
    #[token("for")]
    For,
    #[token("or")]
    OrWord,
    #[token("saturate")]
    Saturate,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("float")]
    #[token("double")]
    #[token("half")]
    #[token("int")]
    #[token("int8")]
    #[token("int16")]
    #[token("int32")]
    #[token("int64")]
    #[token("uint8")]
    #[token("uint16")]
    #[token("uint32")]
    #[token("uint64")]
    #[token("bool")]
    #[token("index")]
    Type,
    #[token("(")]
    OpenRound,
    #[token(")")]
    CloseRound,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenCurly,
    #[token("}")]
    CloseCurly,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token("=")]
    Equals,
    #[token("~")]
    Tilde,
    #[token("..")]
    Dots,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    Not,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("==")]
    Eq,
    #[token("!=")]
    Ne,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<'s> {
    /// What it is.
    pub kind: Kind,
    /// As written.
    pub text: &'s str,
    /// Where.
    pub span: Span,
}

impl Token<'_> {
    /// Whether it looks like a name and is a word of the language.
    pub(crate) fn is_word(&self) -> bool {
        self.kind != Kind::Name && self.text.starts_with(|c: char| c.is_ascii_alphabetic())
    }
}

/// All tokens, comments too; what is none is left out. For tools that look at text, such as the formatter.
pub fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    Kind::lexer(source).spanned().filter_map(|(kind, range)| {
        let text = &source[range.clone()];
        kind.ok().map(|kind| Token { kind, text, span: range.into() })
    })
}

/// Whether a text begins as programs in Forma do, and none in MLIR does.
pub fn is_forma(text: &str) -> bool {
    let mut tokens = tokens(text).filter(|token| !matches!(token.kind, Kind::LineComment | Kind::BlockComment));
    match (tokens.next().map(|token| token.kind), tokens.next().map(|token| token.kind)) {
        (Some(Kind::Parameter | Kind::Const | Kind::Stencil | Kind::Function), Some(Kind::Name | Kind::Type)) => true,
        (Some(Kind::Vector), second) => second == Some(Kind::Hash),
        (Some(Kind::Name), second) => matches!(second, Some(Kind::Equals | Kind::Comma | Kind::OpenSquare)),
        _ => false,
    }
}

/// Whether a program may call something so: the whole text is one name, and no word of the language.
pub fn is_name(text: &str) -> bool {
    let mut lexer = Kind::lexer(text);
    lexer.next() == Some(Ok(Kind::Name)) && lexer.span() == (0..text.len())
}

/// The tokens that the parser reads.
pub(crate) struct Lexer<'s, 'e> {
    source: &'s str,
    inner: logos::Lexer<'s, Kind>,
    open: usize,
    last: Option<Kind>,
    is_over: bool,
    pub errors: &'e std::cell::RefCell<Vec<Diagnostic>>,
}

impl<'s, 'e> Lexer<'s, 'e> {
    pub fn new(source: &'s str, errors: &'e std::cell::RefCell<Vec<Diagnostic>>) -> Self {
        Self { source, inner: Kind::lexer(source), open: 0, last: None, is_over: false, errors }
    }

    /// What a name is: images may be called `scan`, but no statement of theirs begins with `scan[`.
    fn name(&self) -> Kind {
        let word = match self.inner.slice() {
            "scan" => Kind::Scan,
            "scatter" => Kind::Scatter,
            _ => return Kind::Name,
        };
        let begins = matches!(self.last, None | Some(Kind::Semicolon | Kind::OpenCurly | Kind::CloseCurly));
        if begins && self.inner.clone().next() == Some(Ok(Kind::OpenSquare)) { word } else { Kind::Name }
    }

    fn is_done(&self) -> bool {
        self.is_over || self.errors.borrow().len() >= MOST_ERRORS
    }
}

impl<'s> Iterator for Lexer<'s, '_> {
    type Item = (u32, Token<'s>, u32);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let kind = self.inner.next()?;
            let span: Span = self.inner.span().into();
            let kind = match kind {
                Ok(Kind::LineComment | Kind::BlockComment) => continue,
                _ if self.is_done() => return None,
                // What would be a comment with an end is a quotient without one.
                Ok(Kind::Slash) if self.source[span.end as usize..].starts_with('*') => {
                    self.is_over = true;
                    let span = Span { end: span.end + 1, ..span };
                    let help = Some("close it with */".to_owned());
                    let error = Diagnostic::new(Error::Token, span, "a comment without end").help(help);
                    self.errors.borrow_mut().push(error);
                    return None;
                }
                Ok(Kind::Name) => self.name(),
                Ok(kind) => kind,
                Err(()) => {
                    let message = format!("{:?} is no part of Forma", self.inner.slice());
                    self.errors.borrow_mut().push(Diagnostic::new(Error::Token, span, message));
                    continue;
                }
            };
            match kind {
                Kind::OpenRound | Kind::OpenSquare | Kind::OpenCurly => self.open += 1,
                Kind::CloseRound | Kind::CloseSquare | Kind::CloseCurly => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            if self.open > DEEPEST {
                self.is_over = true;
                let message = format!("more than {DEEPEST} open brackets");
                self.errors.borrow_mut().push(Diagnostic::new(Error::Depth, span, message));
                return None;
            }
            self.last = Some(kind);
            let text = &self.source[span.start as usize..span.end as usize];
            return Some((span.start, Token { kind, text, span }, span.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_forma, is_name};

    #[test]
    fn programs_in_forma_begin_otherwise_than_those_in_mlir() {
        for text in [
            "// a\n/* b */ parameter N;",
            "const int k = 2;",
            "vector#2 float a[2, 2];",
            "stencil f(",
            "scan[float Y] f(",
            "a, b = ",
        ] {
            assert!(is_forma(text), "{text}");
        }
        for text in [
            "",
            "// only this",
            "module {",
            "module @m {",
            "func.func @f()",
            "\"builtin.module\"()",
            "vector.print",
            "#map = affine_map<(d0) -> (d0)>",
            "!t = i32",
            "%0 = arith.constant 1 : i32",
            "ML\u{fffd}R",
        ] {
            assert!(!is_forma(text), "{text}");
        }
    }

    #[test]
    fn names_are_whole_and_no_words() {
        for text in ["a", "_", "img_x", "A9", "mirror", "min", "int128", "parameters"] {
            assert!(is_name(text), "{text}");
        }
        for text in
            ["", " a", "a ", "a b", "a.b", "9a", "parameter", "at", "true", "half", "uint8", "ä", "aä", "//a", "a\n"]
        {
            assert!(!is_name(text), "{text:?}");
        }
    }
}
