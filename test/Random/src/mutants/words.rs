//! What texts are made of, and others in their place: mostly words of one kind, so that the text is mostly still a program.

use crate::choices::Choices;
use weft_forma::lexer::{is_name, tokens};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// IR.
    Mlir,
    /// Forma.
    Forma,
}

/// Words that take the place of others of their kind.
struct Pools {
    numbers: &'static str,
    types: &'static str,
    modes: &'static str,
    operators: &'static str,
    folds: &'static str,
}

const MLIR: Pools = Pools {
    numbers: "0 1 2 3 7 32 33 1024 65536 2147483647 2147483648 4294967296 17592186044416 9223372036854775807 0x7FC00000 1.0 0.0 1.0e+300",
    types: "f16 f32 f64 i1 i8 i16 i32 i64 index bf16",
    modes: "clamp mirror reflect101 wrap floordiv ceildiv mod along backward",
    operators: "",
    folds: "",
};

const FORMA: Pools = Pools {
    numbers: "0 1 2 3 4 5 7 32 1000 2147483647 2147483648 4294967295 17592186044416 9223372036854775807 9223372036854775808 \
              18446744073709551616 99999999999999999999999 0.0 0.5 1.0 1e300 1e999 1e-400",
    types: "float double half int int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool index",
    modes: "clamped mirror reflect101 wrap inside constant",
    operators: "+ - * / % < > <= >= == != & | ^ << >> && ||",
    folds: "sum product min max argmin argmax",
};

/// One of the words between spaces.
pub fn word_of(words: &'static str, choices: &mut Choices) -> &'static str {
    let words: Vec<&str> = words.split(' ').collect();
    choices.pick(&words)
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|of| of == word)
}

/// The text with some of its words or lines others.
pub fn changed(text: &str, language: Language, choices: &mut Choices) -> String {
    let mut text = text.to_owned();
    for _ in 0..=choices.below(2) {
        text = match choices.below(8) {
            0 => with_lines(&text, choices),
            _ => with_words(&text, language, choices),
        };
    }
    text
}

/// A line left out, doubled, or at another place.
fn with_lines(text: &str, choices: &mut Choices) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (at, other) = (choices.below(lines.len()), choices.below(lines.len()));
    match choices.below(3) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other]),
        _ => lines.swap(at, other),
    }
    lines.join("\n")
}

/// What a word is, so that mostly one of its kind takes its place.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Value,
    Type,
    Mode,
    Operator,
    Fold,
    Other,
}

impl Language {
    fn kind(self, word: &str) -> Kind {
        let Pools { types, modes, operators, folds, .. } = self.pools();
        match word.as_bytes().first() {
            Some(b'0'..=b'9') => Kind::Number,
            _ if has(types, word) => Kind::Type,
            _ if has(modes, word) => Kind::Mode,
            _ if has(operators, word) => Kind::Operator,
            _ if has(folds, word) => Kind::Fold,
            Some(b'%') if self == Self::Mlir => Kind::Value,
            _ if self == Self::Forma && is_name(word) => Kind::Value,
            _ => Kind::Other,
        }
    }

    fn pools(self) -> &'static Pools {
        match self {
            Self::Mlir => &MLIR,
            Self::Forma => &FORMA,
        }
    }

    /// All of a text in pieces: words, and what is between.
    fn split(self, text: &str) -> Vec<&str> {
        match self {
            Self::Mlir => split(text),
            Self::Forma => {
                let ends = tokens(text).flat_map(|token| [token.span.start as usize, token.span.end as usize]);
                let ends: Vec<usize> = ends.chain([text.len()]).collect();
                let starts = [0].into_iter().chain(ends.iter().copied());
                starts.zip(&ends).map(|(start, end)| &text[start..*end]).filter(|piece| !piece.is_empty()).collect()
            }
        }
    }
}

/// One word, or all words that are like it, becomes another.
fn with_words(text: &str, language: Language, choices: &mut Choices) -> String {
    let mut words = language.split(text);
    let kinds: Vec<Kind> = words.iter().map(|word| language.kind(word)).collect();
    let pools = language.pools();
    let places: Vec<usize> = (0..words.len()).filter(|place| !words[*place].trim().is_empty()).collect();
    if places.is_empty() {
        return String::new();
    }
    let place = choices.pick(&places);
    let is_word = |place: &&usize| kinds[**place] != Kind::Other;
    // Mostly a number, a value, a type, a mode.
    let place = match choices.chance(15) {
        true => place,
        false => {
            let known: Vec<usize> = places.iter().filter(is_word).copied().collect();
            if known.is_empty() { place } else { choices.pick(&known) }
        }
    };
    let (old, kind) = (words[place], kinds[place]);
    // MLIR ends the process over `array<index: ...>`.
    if kind == Kind::Type && place >= 2 && words[place - 2] == "array" {
        return text.to_owned();
    }
    let alike: Vec<&str> = words.iter().copied().zip(&kinds).filter(|of| *of.1 == kind).map(|of| of.0).collect();
    let new = match kind {
        Kind::Number if choices.chance(60) => word_of(pools.numbers, choices),
        Kind::Type => word_of(pools.types, choices),
        Kind::Mode => word_of(pools.modes, choices),
        Kind::Operator => word_of(pools.operators, choices),
        Kind::Fold => word_of(pools.folds, choices),
        _ => choices.pick(&alike),
    };
    // An extent or a type is written at all its uses.
    let everywhere = matches!(kind, Kind::Number | Kind::Type) && choices.chance(40);
    for (other, word) in words.iter_mut().enumerate() {
        if other == place || everywhere && *word == old {
            *word = new;
        }
    }
    words.concat()
}

/// Words, names with their sign, numbers without an `x` behind them; all else alone.
fn split(text: &str) -> Vec<&str> {
    let class = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '_' | '.' | '%' | '@' | '#' => 1,
        '0'..='9' => 2,
        character if character.is_whitespace() => 3,
        _ => 0,
    };
    let mut starts = Vec::new();
    let mut last = 0;
    for (index, character) in text.char_indices() {
        let this = class(character);
        // Digits go on a name, but no letter goes on a number: `37x5xf32` is five words, the `x` alone.
        let goes_on = match (last, this) {
            (1, 1) => !text[..index].ends_with('x') || !is_extent(&text[..index]),
            (1, 2) => !is_extent(&text[..index]),
            (2, 2) | (3, 3) => true,
            _ => false,
        };
        if !goes_on {
            starts.push(index);
        }
        last = this;
        if this == 2
            && goes_on
            && starts.last().is_some_and(|start| class(text[*start..].chars().next().unwrap_or(' ')) == 1)
        {
            last = 1;
        }
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// Whether a text ends with an `x` behind an extent.
fn is_extent(text: &str) -> bool {
    text.strip_suffix('x')
        .is_some_and(|rest| rest.ends_with(|character: char| character.is_ascii_digit() || character == '?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let words: Vec<&str> =
            split("%v12 = f(%x + 3) : tensor<37x?xf32>").into_iter().filter(|word| *word != " ").collect();
        let expected =
            ["%v12", "=", "f", "(", "%x", "+", "3", ")", ":", "tensor", "<", "37", "x", "?", "x", "f32", ">"];
        assert_eq!(words, expected);
    }
}
