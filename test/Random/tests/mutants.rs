//! Changed IR through any passes: a few hundred texts. `weft-mutants` runs as many as one has patience for.

use std::{path::Path, process::Command};

#[test]
fn changed_programs_survive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new(env!("CARGO_BIN_EXE_weft-mutants"))
        .args(["--count", "500"])
        // Whoever edits a test should not draw other texts.
        .arg(root.join("examples"))
        .output()
        .expect("it was built");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    // 500 texts: 400 refused, 10 verify and a pass refuses them, 90 went through; MLIR's parser ended 0
    let numbers: Vec<u32> =
        said.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
    assert!(matches!(numbers[..], [500, _, failed, ran, _] if failed + ran >= 50), "too few verify: {said}");
}
