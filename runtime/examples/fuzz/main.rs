//! Tries the executor of PTX with random texts: `fuzz COUNT SEED`. Each must be read, and what is a module run, without a panic, in
//! bounded time and memory. Prints what became of them, and the longest time.

use std::time::Instant;

mod texts;

use texts::{Numbers, Outcome, changed, try_text};

/// Seconds that a text may take. It is far more than any does.
const MOST: f64 = 10.0;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(1_000_000);
    let first = arguments.next().and_then(Result::ok).unwrap_or(1);
    let (mut longest, mut bytes, mut outcomes) = (0f64, 0usize, [0u64; 4]);
    let begin = Instant::now();
    for seed in first..first.saturating_add(count) {
        let text = changed(&mut Numbers(seed));
        let one = Instant::now();
        let outcome =
            std::panic::catch_unwind(|| try_text(&text, seed)).unwrap_or_else(|_| panic!("seed {seed}:\n{text}"));
        let seconds = one.elapsed().as_secs_f64();
        outcomes[outcome as usize] += 1;
        longest = longest.max(seconds);
        bytes += text.len();
        assert!(seconds < MOST, "seed {seed}, {seconds} s for {} bytes:\n{text}", text.len());
    }
    let of = |outcome: Outcome| outcomes[outcome as usize];
    println!(
        "{count} texts, {:.0} MB: {} refused, {} not launched, {} reported, {} ran; {:.0} s, the longest took {:.1} ms",
        bytes as f64 / 1e6,
        of(Outcome::Refused),
        of(Outcome::NotLaunched),
        of(Outcome::Reported),
        of(Outcome::Ran),
        begin.elapsed().as_secs_f64(),
        longest * 1e3
    );
}
