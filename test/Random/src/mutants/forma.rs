//! Changed Forma: no text ends the front end, whatever has no mistakes verifies, and what Forma can say of it is the same program again.
//!
//! ```text
//! text ─▶ check, names, layout ─▶ IR, verified ─▶ passes
//!                                     └─────────▶ Forma ─▶ IR ─▶ Forma ... as before
//! ```

use super::{
    mlir::{Outcome, random_program, run},
    words::word_of,
};
use crate::{check::Session, choices::Choices};
use melior::ir::Module;
use mlir_glue::run::parse_module;
use weft_forma::lexer::{Kind, tokens};
use weft_passes::ir::program;

/// What a mutant is called.
const NAME: &str = "mutant.fm";

/// Exported so often, a program is as it was the time before.
const MOST_TIMES: usize = 5;

/// What takes the place of bytes, beside single ones.
const ODD: &str = "( ) [ ] { } (((((((((((((((( /* */ // \" \0 \r \u{feff} é 😀 @ # ~ ? : .. 1e 0x1 ;";

/// A program of IR as Forma, if Forma can say it.
pub fn exported(text: &str) -> Option<String> {
    let session = Session::new();
    said(&parse_module(session.context(), text, "source.mlir")?)
}

/// A text of a random program or of these, mostly as it is; else torn, mixed with another, or no program at all.
pub fn drawn(texts: &[String], choices: &mut Choices) -> String {
    let random = match choices.chance(10) || texts.is_empty() {
        true => exported(&random_program(choices)),
        false => None,
    };
    let text = match random {
        Some(text) => text,
        None if texts.is_empty() => return String::new(),
        None => choices.pick(texts),
    };
    match choices.below(12) {
        0 => with_bytes(&text, choices),
        1 => with_tokens(&text, choices),
        // Declarations and statements of two programs.
        2 if !texts.is_empty() => {
            let (from, to) = (cut(&text, choices), choices.pick(texts));
            let at = cut(&to, choices);
            format!("{}{}", &text[..from], &to[at..])
        }
        3 if choices.chance(20) => {
            let words: Vec<&str> = tokens(&text).map(|token| token.text).collect();
            let count = if words.is_empty() { 0 } else { choices.below(120) };
            (0..count).flat_map(|_| [choices.pick(&words), " "]).collect()
        }
        3 if choices.chance(20) => {
            let bytes: Vec<u8> = (0..choices.below(300)).map(|_| choices.below(256) as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => text,
    }
}

/// Some bytes left out, doubled, or others.
fn with_bytes(text: &str, choices: &mut Choices) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=choices.below(4) {
        let (from, other) = (choices.below(bytes.len() + 1), choices.below(bytes.len() + 1));
        let to = (from + choices.below(6)).min(bytes.len());
        let span = bytes[other..(other + choices.below(20)).min(bytes.len())].to_vec();
        match choices.below(4) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..to, span)),
            2 => drop(bytes.splice(from..from, word_of(ODD, choices).bytes())),
            _ => drop(bytes.splice(from..to, [choices.below(256) as u8])),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Some tokens left out, doubled or swapped.
fn with_tokens(text: &str, choices: &mut Choices) -> String {
    let mut words: Vec<&str> = tokens(text).map(|token| token.text).collect();
    for _ in 0..=choices.below(3) {
        let (at, other) = (choices.below(words.len()), choices.below(words.len()));
        match choices.below(3) {
            _ if words.is_empty() => {}
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            _ => words.swap(at, other),
        }
    }
    // A comment would take what is behind it.
    words.join("\n")
}

/// A place behind a statement or a declaration.
fn cut(text: &str, choices: &mut Choices) -> usize {
    let ends = tokens(text).filter(|token| matches!(token.text, ";" | "}")).map(|token| token.span.end as usize);
    let ends: Vec<usize> = [0].into_iter().chain(ends).collect();
    choices.pick(&ends)
}

/// Takes a text all the way; `verified` is called when it is IR.
///
/// # Panics
///
/// What must hold of every text does not.
pub fn try_text(text: &str, passes: &str, verified: impl FnOnce()) -> Outcome {
    names_stand_where_they_are(text);
    layout_keeps_tokens(text);
    let mistakes = weft_forma::check(text);
    if !mistakes.is_empty() {
        weft_forma::render(NAME, text, &mistakes, false);
        return Outcome::Refused;
    }
    let session = Session::new();
    let module = match weft_forma::compile(session.context(), NAME, text) {
        Ok(module) => module,
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "refused without a reason");
            weft_forma::render(NAME, text, &mistakes, false);
            assert_eq!(session.errors(), "", "Forma has no word against it, but the verifier has");
            return Outcome::Refused;
        }
    };
    verified();
    if let Some(first) = said(&module) {
        settles(&session, first);
    }
    run(&module, passes)
}

/// What is exported compiles and is exported again, soon as it was: what is known of a number is found one step at a time.
fn settles(session: &Session, mut text: String) {
    for _ in 0..MOST_TIMES {
        let module = weft_forma::compile(session.context(), NAME, &text).unwrap_or_else(|mistakes| {
            panic!("it has no mistakes, what is exported of it has: {:?}\n{text}", mistakes.first())
        });
        let Some(again) = said(&module) else { panic!("what was exported is not exported again:\n{text}") };
        if again == text {
            return;
        }
        text = again;
    }
    panic!("exported {MOST_TIMES} times, it is another program each time:\n{text}");
}

/// The program of a module as Forma, if Forma can say it.
fn said(module: &Module) -> Option<String> {
    weft_forma::export(*program::programs(module.as_operation()).first()?).ok()
}

fn names_stand_where_they_are(text: &str) {
    let symbols = weft_forma::symbols(text);
    for token in tokens(text) {
        let found = symbols.at(token.span.start).filter(|(span, _)| span.start == token.span.start);
        assert!(found.is_none_or(|(span, _)| span == token.span && token.kind == Kind::Name), "a name that is none");
    }
}

fn layout_keeps_tokens(text: &str) {
    let Ok(formatted) = weft_forma::format(text) else { return };
    // Lines of comments end as all others do.
    let word =
        |text: &str| text.trim_end().lines().map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join("\n");
    let words = |text: &str| tokens(text).map(|token| word(token.text)).collect::<Vec<_>>();
    // What is no token is an error of `format`, so all text is in tokens.
    assert_eq!(words(text), words(&formatted), "laid out, it has other tokens");
    assert_eq!(weft_forma::format(&formatted).ok().as_deref(), Some(formatted.as_str()), "laid out twice, it differs");
}
