//! Changed IR: whatever verifies must survive any passes in any order, refused or not, and in bounded time.
//!
//! ```text
//! examples, inputs of tests, random programs ─ other numbers, types, modes, operands, lines ─▶ verifies? ─▶ a pass, twice, some, a pipeline
//! ```
//!
//! What ends the process ends that of a batch, which has said which seed it was at: see `weft-mutants`.

use crate::{case_of, check::Session, choices::Choices};
use mlir_glue::run::{parse_module, run_pipeline};
use std::path::{Path, PathBuf};
use weft_passes::registrations;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is no IR, or does not verify.
    Refused,
    /// A pass refused it.
    Failed,
    /// All passes ran.
    Ran,
}

/// Texts to change, one for each part of a file that tests split.
pub struct Sources(Vec<String>);

impl Sources {
    /// Every `.mlir` below these folders.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    pub fn read(folders: &[PathBuf]) -> Result<Self, String> {
        let mut files = Vec::new();
        for folder in folders {
            collect(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        files.sort();
        let mut texts = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            texts.extend(text.split("// -----").map(without_comments));
        }
        Ok(Self(texts))
    }

    /// The text of a seed, changed, and the passes to run.
    pub fn mutant(&self, seed: u64) -> (String, String) {
        let mut choices = Choices::random(seed);
        let text = match choices.chance(30) || self.0.is_empty() {
            true => case_of(choices.below(1 << 20) as u64).0.text,
            false => choices.pick(&self.0),
        };
        let text = changed(&text, &mut choices);
        (text, passes(&mut choices))
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            files.push(path);
        }
    }
    Ok(())
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// Parses a text and runs the passes, with all that is said thrown away; `verified` is called between.
pub fn try_text(text: &str, passes: &str, verified: impl FnOnce()) -> Outcome {
    let session = Session::new();
    let Some(module) = parse_module(session.context(), text, "mutant.mlir") else { return Outcome::Refused };
    verified();
    match run_pipeline(module.as_operation(), passes) {
        Ok(()) => Outcome::Ran,
        Err(_) => Outcome::Failed,
    }
}

/// A pass, one twice, some in any order, or all the way down.
fn passes(choices: &mut Choices) -> String {
    let (pipelines, passes): (Vec<_>, Vec<_>) = registrations().partition(|registration| registration.is_pipeline);
    let mut names = |of: &[&mlir_glue::Registration], count: usize| -> Vec<&str> {
        (0..count).map(|_| choices.pick(of).argument).collect()
    };
    let one = names(&passes, 1);
    let several = names(&passes, 5);
    let pipeline = names(&pipelines, 1);
    let list = match choices.below(4) {
        0 => one,
        1 => [one.clone(), one].concat(),
        2 => several,
        _ => pipeline,
    };
    list.join(",")
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "32",
    "33",
    "1024",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "17592186044416",
    "9223372036854775807",
    "0x7FC00000",
    "1.0",
    "0.0",
    "1.0e+300",
];
const TYPES: &[&str] = &["f16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index", "bf16"];
const MODES: &[&str] = &["clamp", "mirror", "wrap", "floordiv", "ceildiv", "mod", "along", "backward"];

/// The text with some of its words or lines others.
fn changed(text: &str, choices: &mut Choices) -> String {
    let mut text = text.to_owned();
    for _ in 0..=choices.below(2) {
        text = match choices.below(8) {
            0 => with_lines(&text, choices),
            _ => with_words(&text, choices),
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
#[derive(PartialEq)]
enum Kind {
    Number,
    Value,
    Type,
    Mode,
    Other,
}

fn kind(word: &str) -> Kind {
    match word.as_bytes().first() {
        Some(b'0'..=b'9') => Kind::Number,
        Some(b'%') => Kind::Value,
        _ if TYPES.contains(&word) => Kind::Type,
        _ if MODES.contains(&word) => Kind::Mode,
        _ => Kind::Other,
    }
}

/// One word, or all words that are like it, becomes another.
fn with_words(text: &str, choices: &mut Choices) -> String {
    let mut words = split(text);
    let places: Vec<usize> = (0..words.len()).filter(|place| !words[*place].trim().is_empty()).collect();
    if places.is_empty() {
        return String::new();
    }
    let place = choices.pick(&places);
    let is_word = |place: &&usize| kind(words[**place]) != Kind::Other;
    // Mostly a number, a value, a type, a mode.
    let place = match choices.chance(15) {
        true => place,
        false => {
            let known: Vec<usize> = places.iter().filter(is_word).copied().collect();
            if known.is_empty() { place } else { choices.pick(&known) }
        }
    };
    let old = words[place];
    // MLIR ends the process over `array<index: ...>`.
    if kind(old) == Kind::Type && place >= 2 && words[place - 2] == "array" {
        return text.to_owned();
    }
    let alike: Vec<&str> = words.iter().copied().filter(|word| kind(word) == kind(old)).collect();
    let new = match kind(old) {
        Kind::Number if choices.chance(60) => choices.pick(NUMBERS),
        Kind::Type => choices.pick(TYPES),
        Kind::Mode => choices.pick(MODES),
        _ => choices.pick(&alike),
    };
    // An extent or a type is written at all its uses.
    let everywhere = matches!(kind(old), Kind::Number | Kind::Type) && choices.chance(40);
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
