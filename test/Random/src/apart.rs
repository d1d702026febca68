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
use std::{
    io::{self, Write},
    process::Command,
};
use tempfile::NamedTempFile;

/// Like [`check`], but each variant is first tried in a process of its own, by this program, which must be `weft-random`.
///
/// # Errors
///
/// Those of [`check`], and a variant that ends its process.
pub fn check_apart(case: &Case, name: &str, wanted: impl Fn(&Variant) -> bool) -> Result<Refused, Failure> {
    let program = || -> io::Result<NamedTempFile> {
        let mut made = tempfile::Builder::new().prefix("weft-random-").suffix(".mlir").tempfile()?;
        made.write_all(file::program(case).as_bytes())?;
        Ok(made)
    };
    for variant in VARIANTS.iter().filter(|variant| wanted(variant)) {
        let fail = |message: String| Failure { variant: variant.name, kind: "ends the process", message };
        let run =
            || Command::new(std::env::current_exe()?).arg(program()?.path()).args(["--variant", variant.name]).output();
        let output = run().map_err(|error| fail(error.to_string()))?;
        if output.status.code().is_none() {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            return Err(fail(format!("{}: {first}", output.status)));
        }
    }
    check(case, name, wanted)
}
