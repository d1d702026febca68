//! Programs that end the compiler: LLVM stops the process where it meets what it does not expect, and with it all that we know.
//!
//! ```text
//! weft-random --apart ──▶ weft-random case.mlir --variant warp ──▶ killed by signal 6: that is the failure, and can be shrunk
//!                                                                  ended by itself: then it can be run here
//! ```

use crate::{
    check::{Case, Failure, Refused, VARIANTS, Variant, check},
    file,
};
use std::process::Command;

/// Like [`check`], but each variant is first tried in a process of its own, by this program, which must be `weft-random`.
///
/// # Errors
///
/// Those of [`check`], and a variant that ends its process.
pub fn check_apart(case: &Case, name: &str, wanted: impl Fn(&Variant) -> bool) -> Result<Refused, Failure> {
    let thread = format!("{:?}", std::thread::current().id()).replace(|c: char| !c.is_ascii_digit(), "");
    let path = std::env::temp_dir().join(format!("weft-random-{}-{thread}.mlir", std::process::id()));
    for variant in VARIANTS.iter().filter(|variant| wanted(variant)) {
        let fail = |message: String| Failure { variant: variant.name, kind: "ends the process", message };
        std::fs::write(&path, file::program(case)).map_err(|error| fail(format!("{}: {error}", path.display())))?;
        let child = std::env::current_exe()
            .and_then(|program| Command::new(program).arg(&path).args(["--variant", variant.name]).output());
        // A file that stays where it is not wanted is no failure.
        let _ = std::fs::remove_file(&path);
        let output = child.map_err(|error| fail(error.to_string()))?;
        if output.status.code().is_none() {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            return Err(fail(format!("{}: {first}", output.status)));
        }
    }
    check(case, name, wanted)
}
