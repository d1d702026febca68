//! No text makes the front end panic or hang: bytes, tokens in any order, and whole programs of which a piece is changed.
//! `cargo run --release -p weft-forma --example fuzz` does the same a million times.

use proptest::prelude::*;

#[path = "../examples/fuzz/texts.rs"]
mod texts;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        texts::try_text(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn tokens(words in proptest::collection::vec(0..texts::WORDS.len(), 0..120)) {
        let words: Vec<&str> = words.into_iter().map(|word| texts::WORDS[word]).collect();
        texts::try_text(&words.join(" "));
    }

    #[test]
    fn changed_programs(program in 0..texts::PROGRAMS.len(), seed in any::<u64>()) {
        texts::try_text(&texts::changed(texts::PROGRAMS[program], seed));
    }

    #[test]
    fn varied_programs(program in 0..texts::PROGRAMS.len(), seed in any::<u64>()) {
        texts::try_text(&texts::varied(texts::PROGRAMS[program], seed));
    }
}

/// What is formatted is the same program, laid out as it is laid out again.
#[test]
fn formatting_twice_is_formatting_once() {
    for program in texts::PROGRAMS {
        let once = weft_forma::format(program).expect("a program without mistakes");
        assert_eq!(weft_forma::format(&once).ok(), Some(once));
    }
}
