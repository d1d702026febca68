//! Texts to try the front end with, and what must hold of each.

use std::sync::LazyLock;
use weft_forma::lexer::{Kind, tokens};

/// What programs are made of: each token of the programs below once, and a few whole statements.
pub static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = PROGRAMS.iter().flat_map(|program| tokens(program)).map(|token| token.text).collect();
    words.sort_unstable();
    words.dedup();
    words.extend([
        "// c\n",
        "vector#2 float img[M, N];",
        "stencil f(vector#2 float X) { return X; }",
        "return img;",
        "parameter M, N;",
        "a = f(img);",
        ";",
    ]);
    words
});

/// Whole programs.
pub const PROGRAMS: &[&str] = &[
    include_str!("../../../../examples/forma/blur.fm"),
    include_str!("../../../../examples/forma/unsharp.fm"),
    include_str!("../../../../examples/forma/harris.fm"),
    include_str!("../../../../examples/forma/canny.fm"),
    include_str!("../../../../examples/forma/pyramid_blend.fm"),
    include_str!("everything.fm"),
];

/// Checks, compiles and formats a text, and looks for its names. A text that parses has the same tokens when it is formatted.
pub fn try_text(text: &str) {
    let mistakes = weft_forma::check(text);
    if !mistakes.is_empty() {
        weft_forma::render("fuzz.fm", text, &mistakes, false);
    } else {
        let p = weft_builder::Pipeline::new("fuzz");
        let _ = weft_forma::build(&p, "fuzz.fm", text);
    }
    let symbols = weft_forma::symbols(text);
    for token in tokens(text) {
        // A name stands where one is written.
        let found = symbols.at(token.span.start).filter(|(span, _)| span.start == token.span.start);
        assert!(found.is_none_or(|(span, _)| span == token.span && token.kind == Kind::Name), "{text}");
    }
    if let Ok(formatted) = weft_forma::format(text) {
        // Lines of comments end as all others do.
        let word =
            |text: &str| text.trim_end().lines().map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join("\n");
        let words = |text: &str| tokens(text).map(|token| word(token.text)).collect::<Vec<_>>();
        // What is no token is an error of `format`, so all text is in tokens.
        assert_eq!(words(text), words(&formatted), "{text}");
        assert_eq!(weft_forma::format(&formatted).ok().as_deref(), Some(formatted.as_str()), "{text}");
    }
}

/// A program with other numbers, operators and boundary modes: mostly one without mistakes, so that it is compiled.
pub fn varied(program: &str, seed: u64) -> String {
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    let mut text = String::new();
    let mut last = Kind::Semicolon;
    for token in tokens(program) {
        let other = match token.kind {
            // A rank stays.
            Kind::Int if last != Kind::Hash => Some(["0", "1", "2", "3", "4", "7"][next(6)]),
            Kind::Plus | Kind::Minus | Kind::Star => Some(["+", "-", "*", "/"][next(4)]),
            Kind::Lt | Kind::Gt | Kind::Ge => Some(["<", ">", "<=", ">=", "=="][next(5)]),
            Kind::Name if ["mirror", "wrap", "clamped"].contains(&token.text) => {
                Some(["mirror", "wrap", "clamped", "inside"][next(4)])
            }
            _ => None,
        };
        text.push_str(other.filter(|_| next(8) == 0).unwrap_or(token.text));
        text.push(if token.kind == Kind::LineComment { '\n' } else { ' ' });
        last = token.kind;
    }
    text
}

/// A program with some of its tokens left out, doubled, swapped, or others put in their place.
pub fn changed(program: &str, seed: u64) -> String {
    // Knuth's multiplier; the high bits are good enough to pick with.
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below.max(1)
    };
    let mut words: Vec<&str> = tokens(program).map(|token| token.text).collect();
    for _ in 0..=next(3) {
        let (at, other) = (next(words.len()), next(words.len()));
        match next(5) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            2 => words.swap(at, other),
            3 => words[at] = WORDS[next(WORDS.len())],
            _ => words.insert(at, WORDS[next(WORDS.len())]),
        }
    }
    words.join(if next(2) == 0 { " " } else { "\n" })
}
