//! Programs that end the compiler: LLVM stops the process where it meets what it does not expect, and with it all that we know.
//!
//! ```text
//! weft-random --apart ─▶ weft-random --seed 100 --count 50 ─▶ ended well: so did all 50
//!                                                             else, one by one:
//!                     ─▶ weft-random case.mlir --variant warp ─▶ killed by signal 6: that is the failure, and can be shrunk
//!                                                                ended by itself: then it can be run here
//! ```
//!
//! Most batches end well, and cost no more than they would here.

use crate::{
    check::{Case, Failure, Refused, VARIANTS, Variant, check},
    file,
    generate::Size,
};
use std::{
    io::{self, Write},
    ops::Range,
    process::Command,
};
use tempfile::NamedTempFile;

/// Programs of one process. One that fails has all of them run again.
pub const BATCH: u64 = 50;

/// Runs the programs of these seeds in one process, by this program, which must be `weft-random`: what was refused, and how often; nothing
/// if any failed.
pub fn try_batch(
    seeds: &Range<u64>,
    size: Size,
    together: u64,
    wanted: impl Fn(&Variant) -> bool,
) -> Option<Vec<(String, u64)>> {
    let names: Vec<&str> = VARIANTS.iter().filter(|variant| wanted(variant)).map(|variant| variant.name).collect();
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(["--seed", &seeds.start.to_string(), "--count", &(seeds.end - seeds.start).to_string()]);
    // Nothing is shrunk there.
    command.args(["--all", "--threads", "1", "--variant", &names.join(",")]);
    command.args(["--together", &together.to_string()]);
    match size {
        Size::Tiny => drop(command.arg("--tiny")),
        Size::Small => drop(command.arg("--small")),
        Size::Usual => {}
        // It has no such option.
        Size::Large => return None,
    }
    // A thread that waits takes no time from the others, which are as many as there are cores.
    if std::env::var_os("KMP_BLOCKTIME").is_none() {
        command.env("KMP_BLOCKTIME", "0");
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    // Behind two lines of how many there were; see `Summary::refusals`.
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines()
        .skip(2)
        .map(|line| line.trim_start().split_once("  "))
        .map(|line| {
            let (count, message) = line?;
            Some((message.to_owned(), count.parse().ok()?))
        })
        .collect()
}

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
