//! Tries the front end with random texts: `fuzz COUNT SEED`. Each must be read, checked and formatted without a panic, in a time that
//! its length allows. Prints how many of each kind there were, and the longest time.

use std::time::Instant;

mod texts;

/// Seconds that a text of a few kilobytes may take. It is far more than any does.
const MOST: f64 = 1.0;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(1_000_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let (mut longest, mut compiled, mut bytes) = (0f64, 0u64, 0usize);
    let context = weft_builder::context();
    // A program that the verifier refuses is no failure here, and says nothing.
    context.attach_diagnostic_handler(|_| true);
    let begin = Instant::now();
    for number in 0..count {
        let text = match number % 4 {
            0 => {
                let bytes: Vec<u8> = (0..next() % 300).map(|_| next() as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            1 => {
                let words: Vec<&str> =
                    (0..next() % 120).map(|_| texts::WORDS[next() as usize % texts::WORDS.len()]).collect();
                words.join(" ")
            }
            2 => texts::varied(texts::PROGRAMS[next() as usize % texts::PROGRAMS.len()], next()),
            _ => texts::changed(texts::PROGRAMS[next() as usize % texts::PROGRAMS.len()], next()),
        };
        let one = Instant::now();
        texts::try_text(&text);
        if number % 64 == 2 {
            drop(weft_forma::compile(&context, "fuzz.fm", &text));
        }
        let seconds = one.elapsed().as_secs_f64();
        longest = longest.max(seconds);
        bytes += text.len();
        compiled += u64::from(weft_forma::check(&text).is_empty());
        assert!(seconds < MOST, "{seconds} s for {} bytes:\n{text}", text.len());
    }
    println!(
        "{count} texts, {:.0} MB, {compiled} without mistakes, {:.0} s, the longest took {:.1} ms",
        bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        longest * 1e3
    );
}
