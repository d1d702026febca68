//! Changed IR, and changed Forma, through any passes: hundreds of texts. `weft-mutants` runs as many as one has patience for.

use std::{path::Path, process::Command};

/// Changes so many texts of `examples`, and none of tests: whoever edits one should not draw other texts. One in ten must be a program still.
fn survive(count: u32, options: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new(env!("CARGO_BIN_EXE_weft-mutants"))
        .args(["--count", &count.to_string()])
        .args(options)
        .arg(root.join("examples"))
        .output()
        .expect("it was built");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    // 500 texts: 400 refused, 10 verify and a pass refuses them, 90 went through; MLIR's parser ended 0
    let numbers: Vec<u32> =
        said.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
    assert!(
        matches!(numbers[..], [all, _, failed, ran, _] if all == count && failed + ran >= count / 10),
        "too few verify: {said}"
    );
}

#[test]
fn changed_programs_survive() {
    survive(500, &[]);
}

#[test]
fn changed_programs_in_forma_survive() {
    survive(2000, &["--forma"]);
}
