//! PTX text as tokens.
//!
//! PTX is regular enough for a lexer of a dozen rules. Two choices make the parser short: an opcode with all its modifiers
//! (`ld.global.L1::no_allocate.v4.b32`) and a special register (`%tid.x`) are one [`Token::Word`], and a directive or a type
//! that stands alone (`.reg`, `.b32`) is one [`Token::Dot`]. Lines are counted here, because every message names one.

use logos::Logos;

use super::error::Error;

/// One token; words borrow from the text.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip r"//[^\n]*")]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(super) enum Token<'a> {
    /// An identifier, a register, a label, an opcode with its modifiers, or `_`.
    #[regex(r"[A-Za-z_$%][A-Za-z0-9_$]*((\.|::)[A-Za-z0-9_$]+)*")]
    Word(&'a str),
    /// `.reg`, `.b32`, `.visible`: the text without its dot.
    #[regex(r"\.[A-Za-z_][A-Za-z0-9_]*((\.|::)[A-Za-z0-9_]+)*", |lex| &lex.slice()[1..])]
    Dot(&'a str),
    /// An integer in any base; two's complement if it was a negative literal.
    #[regex(r"[0-9]+U?", |lex| integer(lex.slice()))]
    #[regex(r"0[xX][0-9a-fA-F]+U?", |lex| integer(lex.slice()))]
    #[regex(r"0[bB][01]+U?", |lex| integer(lex.slice()))]
    Int(u64),
    /// `0f3F800000`: the bits of an `f32`.
    #[regex(r"0[fF][0-9a-fA-F]{8}", |lex| u32::from_str_radix(&lex.slice()[2..], 16).ok())]
    F32(u32),
    /// `0d3FF0000000000000`: the bits of an `f64`.
    #[regex(r"0[dD][0-9a-fA-F]{16}", |lex| u64::from_str_radix(&lex.slice()[2..], 16).ok())]
    F64(u64),
    /// `1.5`, `8.0`.
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?", |lex| lex.slice().parse().ok())]
    Decimal(f64),
    /// A string, without its quotes.
    #[regex(r#""[^"]*""#, |lex| &lex.slice()[1..lex.slice().len() - 1])]
    Text(&'a str),
    /// Any other single character that PTX uses.
    #[regex(r"[{}()\[\]<>,;:@!|+=*&-]", |lex| lex.slice().chars().next())]
    Sign(char),
}

fn integer(text: &str) -> Option<u64> {
    let text = text.trim_end_matches('U');
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        u64::from_str_radix(digits, 16).ok()
    } else if let Some(digits) = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")) {
        u64::from_str_radix(digits, 2).ok()
    } else if text.len() > 1 && text.starts_with('0') {
        u64::from_str_radix(text, 8).ok()
    } else {
        text.parse().ok()
    }
}

/// All tokens of a text, each with its line (from 1).
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, Error> {
    let mut tokens = Vec::new();
    let (mut line, mut counted) = (1u32, 0);
    let mut lexer = Token::lexer(text);
    while let Some(token) = lexer.next() {
        let start = lexer.span().start;
        line += text.as_bytes()[counted..start].iter().filter(|byte| **byte == b'\n').count() as u32;
        counted = start;
        match token {
            Ok(token) => tokens.push((token, line)),
            Err(()) => return Err(Error::syntax(line, format!("found '{}', expected PTX", lexer.slice()))),
        }
    }
    Ok(tokens)
}
