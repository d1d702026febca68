//! Forma, laid out: one way to break lines, to indent and to space.
//!
//! ```text
//! stencil f(vector#1 float X){ return (X@[-1,0]+X)/2.0;}
//!                  ──▶
//! stencil f(vector#1 float X) {
//!     return (X@[-1, 0] + X) / 2.0;
//! }
//! ```
//!
//! It goes from token to token: no token is added, left out or moved, so the program stays what it is, and comments stay where they
//! are. A statement may go over several lines where its author broke it; the lines behind the first one are indented once more. Empty
//! lines stay, one at a time.

use crate::{
    diagnostics::Diagnostic,
    lexer::{Kind, Token, tokens},
    parse::parse,
};

/// The columns of an indentation.
const INDENT: usize = 4;

/// Lays a program out.
///
/// # Errors
///
/// Mistakes of syntax. Names and types are not looked at.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, errors) = parse(source);
    if !errors.is_empty() {
        return Err(errors);
    }
    let text = String::with_capacity(source.len() + source.len() / 4);
    let mut layout = Layout { text, questions: vec![0], ..Layout::default() };
    let mut end = 0;
    for token in tokens(source) {
        let between = &source[end as usize..token.span.start as usize];
        layout.token(token, between.bytes().filter(|byte| *byte == b'\n').count());
        end = token.span.end;
    }
    layout.line_break();
    Ok(layout.text)
}

#[derive(Default)]
struct Layout<'s> {
    text: String,
    /// What the line ends with so far; `None` at its beginning.
    last: Option<Token<'s>>,
    /// What the last token is that is no comment, on whatever line: it says whether a minus is a sign.
    before: Option<Kind>,
    /// Whether the last token is a sign before its operand.
    prefix: bool,
    /// Curly brackets that are open.
    depth: usize,
    /// Other brackets that are open, and whether a statement has begun.
    inner: usize,
    in_statement: bool,
    after_block: bool,
    /// The `?` without their `:`, in each bracket that is open.
    questions: Vec<usize>,
    /// Whether the last colon is before a boundary mode.
    before_mode: bool,
    /// Whether the type of a saturate is being written.
    in_saturate: bool,
}

impl<'s> Layout<'s> {
    fn line_break(&mut self) {
        if self.last.take().is_some() {
            self.text.push('\n');
        }
        self.prefix = false;
    }

    fn token(&mut self, token: Token<'s>, lines: usize) {
        let is_comment = matches!(token.kind, Kind::LineComment | Kind::BlockComment);
        // "};" stays together.
        if token.kind == Kind::Colon {
            let open = self.questions.last_mut().filter(|open| **open > 0);
            self.before_mode = open.is_none();
            open.into_iter().for_each(|open| *open -= 1);
        }
        let joins = self.after_block && token.kind == Kind::Semicolon;
        let trails = is_comment && lines == 0;
        if self.after_block && !joins && !trails {
            self.line_break();
        }
        if self.last.is_some_and(|last| last.kind == Kind::Semicolon || last.kind == Kind::OpenCurly) && !trails {
            self.line_break();
        }
        self.after_block &= trails;
        let behind_comment = self.last.is_some_and(|last| last.kind == Kind::BlockComment);
        if lines > 0
            && self.last.is_some()
            && !joins
            && (self.in_statement || is_comment || behind_comment)
            && token.kind != Kind::OpenCurly
        {
            self.line_break();
        }
        if self.last.is_some_and(|last| last.kind == Kind::LineComment) {
            self.line_break();
        }
        if token.kind == Kind::CloseCurly {
            self.line_break();
            self.depth = self.depth.saturating_sub(1);
            self.in_statement = false;
        }
        match self.last {
            None => {
                let is_first = self.text.is_empty() || self.text.ends_with("{\n");
                if lines > 1 && !is_first && token.kind != Kind::CloseCurly {
                    self.text.push('\n');
                }
                let deeper = usize::from(self.in_statement && (!is_comment || self.inner > 0));
                let indent = INDENT * (self.depth + deeper);
                self.text.extend(std::iter::repeat_n(' ', indent));
            }
            Some(last) if self.spaced(last, token) => self.text.push(' '),
            Some(_) => {}
        }
        // Comments may go over lines, which end as all others do.
        for (number, line) in token.text.trim_end().lines().enumerate() {
            if number > 0 {
                self.text.push('\n');
            }
            self.text.push_str(line.trim_end_matches('\r'));
        }
        self.prefix = is_prefix(self.before, token.kind);
        self.last = Some(token);
        if !is_comment {
            self.before = Some(token.kind);
        }
        match token.kind {
            Kind::OpenRound | Kind::OpenSquare => {
                self.inner += 1;
                self.questions.push(0);
                self.in_saturate = false;
            }
            Kind::CloseRound | Kind::CloseSquare => {
                self.inner = self.inner.saturating_sub(1);
                self.questions.pop();
            }
            Kind::Question => self.questions.last_mut().into_iter().for_each(|open| *open += 1),
            Kind::Semicolon => self.questions = vec![0],
            Kind::Saturate => self.in_saturate = true,
            Kind::OpenCurly => {
                self.depth += 1;
                self.questions = vec![0];
            }
            _ => {}
        }
        self.in_statement = match token.kind {
            Kind::Semicolon | Kind::OpenCurly | Kind::CloseCurly => false,
            _ if is_comment => self.in_statement,
            _ => true,
        };
        self.after_block |= token.kind == Kind::CloseCurly;
    }

    /// Whether a space stands between two tokens of a line.
    fn spaced(&self, a: Token, b: Token) -> bool {
        use Kind as K;
        match (a.kind, b.kind) {
            (_, K::LineComment | K::BlockComment) | (K::LineComment | K::BlockComment, _) => true,
            (_, K::Comma | K::Semicolon | K::CloseRound | K::CloseSquare | K::Dots) => false,
            (K::OpenRound | K::OpenSquare | K::At | K::Hash | K::Dots, _) | (_, K::At | K::Hash) => false,
            (_, K::OpenCurly) => true,
            // A boundary mode stands close, the colon of ?: does not; a mode is a name, and so may an operand be: brackets say.
            (_, K::Colon) | (K::Colon, _) => !self.before_mode,
            (_, _) if self.prefix => false,
            (_, K::Lt) | (K::Lt, _) | (_, K::Gt) | (K::Gt, _) if self.in_saturate => false,
            (K::Name | K::Type, K::OpenRound) => false,
            (K::Name | K::CloseRound | K::CloseSquare | K::Iterate, K::OpenSquare) => false,
            (K::CloseSquare, K::OpenRound) => false,
            _ => true,
        }
    }
}

/// Whether a token is a sign before its operand.
fn is_prefix(before: Option<Kind>, token: Kind) -> bool {
    use Kind as K;
    let operand_ends =
        matches!(before, Some(K::Name | K::Int | K::Float | K::True | K::False | K::CloseRound | K::CloseSquare));
    token == K::Not || token == K::Minus && !operand_ends
}

#[cfg(test)]
mod tests {
    /// What becomes of a program, which stays so.
    fn formatted(source: &str) -> String {
        let once = super::format(source).expect("a program without mistakes of syntax");
        assert_eq!(super::format(&once).ok().as_deref(), Some(once.as_str()));
        once
    }

    #[test]
    fn a_minus_is_a_sign_where_no_operand_is_before_it() {
        let source = "stencil f(vector#1 float X) { return X\n-X@[1] /* c */ -1.0* /* d */ -X; }\n";
        let expected = "stencil f(vector#1 float X) {\n    return X\n        - X@[1] /* c */ - 1.0 * /* d */ -X;\n}\n";
        assert_eq!(formatted(source), expected);
    }

    #[test]
    fn lines_end_with_a_newline_and_nothing_before_it() {
        let expected = "parameter N; // c\n/* d\n */\nvector#1 float a[N];\nreturn a; // e\n";
        assert_eq!(formatted("parameter N; // c\r\n/* d\r\n */\r\nvector#1 float a[N];\r\nreturn a; // e"), expected);
        assert_eq!(formatted("\u{feff}parameter N; // c\n/* d\n */\nvector#1 float a[N]; return a; // e  "), expected);
        assert_eq!(formatted("/* d\r\r\n*/"), "/* d\n*/\n");
        assert_eq!(formatted("/* d */ parameter N;"), "/* d */ parameter N;\n");
        assert_eq!(formatted(""), "");
        assert_eq!(formatted("\r\n\r\n"), "");
        assert_eq!(formatted("// e"), "// e\n");
    }
}
