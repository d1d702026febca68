//! Faults planted in the kernels of a program are found: some of them, on few images. `weft-faults` plants all.

use std::path::Path;
use weft_random::faults::{Outcome, survey};

/// The part that must be found, of all but those that certainly change nothing. Some others change nothing either: docs/testing.md.
const LEAST: f64 = 0.9;

#[test]
fn planted_faults_are_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/blur.mlir");
    let mut unseen = Vec::new();
    let tally = survey(&path, &[], 16, |planted, line| unseen.push(format!("{}: {line}", planted.class)));
    let tally = tally.unwrap_or_else(|message| panic!("{message}"));
    // Numbers of images of less than 2^31 points have no sign.
    let counted = tally.iter().filter(|(class, _)| **class != "sign").flat_map(|(_, outcomes)| outcomes);
    let (mut found, mut all) = (0, 0);
    for (outcome, count) in counted.filter(|(outcome, _)| **outcome != Outcome::Refused) {
        all += count;
        found += if matches!(outcome, Outcome::Differs | Outcome::Reported) { *count } else { 0 };
    }
    println!("{found} of {all} faults are found");
    assert!(all >= 60, "only {all} faults were planted");
    assert!(found as f64 >= LEAST * all as f64, "{found} of {all} faults are found; others are {unseen:#?}");
}
