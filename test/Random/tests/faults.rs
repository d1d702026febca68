//! Faults planted in the code of a program are found: some of them. `weft-faults` plants all.

use std::path::{Path, PathBuf};
use weft_random::faults::{
    Code, Plan,
    outcome::{Outcome, count},
    survey,
};

/// Plants every so many faults, of which this part must be found: of all but those that have the value that is right, on these images.
fn found(program: &str, code: Code, every: usize, least: f64, planted_at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(program);
    let mut unseen = Vec::new();
    let plan = Plan { code, every, others: &[] };
    let tally = survey(&path, &plan, |outcome, planted, line| {
        unseen.push(format!("{outcome:?} {}: {line}", planted.class));
    });
    let tally = tally.unwrap_or_else(|message| panic!("{message}"));
    let all = count(&tally, |outcome| !matches!(outcome, Outcome::Refused | Outcome::Proven | Outcome::Same));
    let found = count(&tally, Outcome::is_found);
    println!("{found} of {all} faults are found");
    assert!(all >= planted_at_least, "only {all} faults were planted");
    assert!(found as f64 >= least * all as f64, "{found} of {all} faults are found; others are {unseen:#?}");
}

#[test]
fn faults_in_kernels_are_found() {
    found("blur.mlir", Code::Ptx, 16, 0.9, 60);
}

// Of its CPU code the long run finds 70 % of those that give another value (docs/testing.md): many others are addresses of prefetches, or
// which thread computes what. Of so few, one in seven more or less is chance.
#[test]
fn faults_in_cpu_code_are_found() {
    found("blur.mlir", Code::Cpu(PathBuf::from(env!("CARGO_BIN_EXE_weft-faults"))), 32, 0.56, 30);
}
