//! No PTX makes the executor panic or hang. `cargo run --release -p weft-runtime --example fuzz` does the same millions of times.

#[path = "../examples/fuzz/texts.rs"]
mod texts;

use texts::{Numbers, Outcome, PROGRAMS, changed, try_text};

#[test]
fn programs_are_read() {
    for program in PROGRAMS {
        assert_ne!(try_text(program, 0), Outcome::Refused, "{program}");
    }
    assert_eq!(try_text(PROGRAMS[0], 0), Outcome::Ran, "what is changed is right");
}

#[test]
fn changed_programs() {
    let mut ran = 0;
    for seed in 0..20_000 {
        ran +=
            u32::from(!matches!(try_text(&changed(&mut Numbers(seed)), seed), Outcome::Refused | Outcome::NotLaunched));
    }
    assert!(ran >= 2000, "only {ran} texts ran");
}
