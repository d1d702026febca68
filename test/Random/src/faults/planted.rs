//! A fault in one line of a text of code.

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// What kind.
    pub class: &'static str,
    /// The line, from 0.
    pub line: usize,
    /// What stands there in its place.
    pub text: String,
    /// The right line, and what stops the program where the fault would make a difference. Who gets through it has never met the
    /// fault.
    pub probe: String,
}

impl Planted {
    /// The lines with this one in place of its line.
    pub fn in_place(&self, lines: &[&str], text: &str) -> String {
        let line = |(place, line): (usize, &&str)| (if place == self.line { text } else { line }).to_owned();
        let mut all: Vec<String> = lines.iter().enumerate().map(line).collect();
        all.push(String::new());
        all.join("\n")
    }
}

/// Operands between commas: what stands between brackets of these kinds is together. Of a blank text there is none.
pub fn split<'t>(text: &'t str, opening: &str, closing: &str) -> Vec<&'t str> {
    let mut depth = 0;
    let parts = text.split(|character: char| {
        depth += i32::from(opening.contains(character)) - i32::from(closing.contains(character));
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|_| !text.trim().is_empty()).collect()
}
