//! CPU code that may be wrong runs in a process of its own, on images between pages that nobody may touch.
//!
//! ```text
//! folder: program.mlir, 0.inputs, 0.0.npy, ...    what it takes, and what it should give, on images of each extent
//!         faulty.ll                               ──▶ child(folder, 0..7) ──▶ a status; or a signal, or no end: killed
//! ```

use super::outcome::Outcome;
use crate::{
    check::{Case, Expected, Session, inputs},
    file, guarded,
};
use std::{
    io,
    ops::Range,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use weft_runtime::{Buffer, CpuProgram, Entry, Optimize, TensorType, read_npy, write_npy};

const PROGRAM: &str = "program.mlir";
const FAULTY: &str = "faulty.ll";

/// How long it may take to compile and run a program on a few small images, in seconds of the CPU: others may have it in between. What
/// takes longer is said to have no end.
const SECONDS: u32 = 5;
/// The same by the clock, for what waits.
const LIMIT: Duration = Duration::from_secs(240);

/// Writes what is asked of every child.
///
/// # Errors
///
/// A folder that cannot be written.
pub(crate) fn prepare(folder: &Path, trials: &[(Case, Expected)]) -> Result<(), String> {
    let write = |name: String, text: &str| std::fs::write(folder.join(name), text).map_err(|error| error.to_string());
    for (number, (case, expected)) in trials.iter().enumerate() {
        write(PROGRAM.to_owned(), &case.text)?;
        write(format!("{number}.inputs"), &file::program(&Case { text: String::new(), inputs: case.inputs.clone() }))?;
        for (place, result) in expected.results.iter().flatten().enumerate() {
            write_npy(folder.join(format!("{number}.{place}.npy")), result).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Has `program`, which is `weft-faults`, run a text on these images.
///
/// # Errors
///
/// A process that cannot be started.
pub fn outcome(program: &Path, folder: &Path, text: &str, images: Range<usize>) -> io::Result<Outcome> {
    std::fs::write(folder.join(FAULTY), text)?;
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -t {SECONDS}; exec \"$0\" \"$@\"")])
        .arg(program)
        .arg("--child")
        .arg(folder)
        .args([images.start.to_string(), images.end.to_string()])
        // What is partitioned among threads is tested, too; who waits sleeps.
        .envs([("WEFT_NUM_THREADS", "3"), ("KMP_BLOCKTIME", "0")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().and_then(Outcome::of_status).unwrap_or(Outcome::Reported));
        }
        if started.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(Outcome::Reported);
        }
        sleep(Duration::from_millis(1));
    }
}

/// What such a process does. [`Outcome::Unseen`] if all is as it should be.
///
/// # Errors
///
/// A folder that [`prepare`] has not written.
pub fn run(folder: &Path, images: Range<usize>) -> Result<Outcome, String> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let session = Session::new();
    let program = Case { text: read(PROGRAM)?, inputs: Vec::new() };
    let module = session.parse(&program, PROGRAM).map_err(|failure| failure.to_string())?;
    let entry = session.entry(&module).map_err(|failure| failure.to_string())?;
    // SAFETY: it may do anything; nothing but this process depends on it, and whoever started that takes a crash for an answer.
    let code = unsafe { CpuProgram::watched(std::slice::from_ref(&entry), Optimize::Reference, &read(FAULTY)?) };
    let Ok(code) = code else { return Ok(Outcome::Refused) };
    for number in images {
        let case = file::read(&read(&format!("{number}.inputs"))?)?;
        let result = |(place, ty): (usize, &TensorType)| {
            read_npy(folder.join(format!("{number}.{place}.npy")), ty.element, &ty.shape, None)
                .map(|(buffer, _)| buffer)
                .map_err(|error| error.to_string())
        };
        let expected = entry.results.iter().enumerate().map(result).collect::<Result<Vec<_>, _>>()?;
        let outcome = call(&code, &entry, &inputs(&case, &entry)?, &expected);
        if outcome != Outcome::Unseen {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Unseen)
}

fn call(code: &CpuProgram, entry: &Entry, inputs: &[Buffer], expected: &[Buffer]) -> Outcome {
    match guarded::run(code, entry, inputs) {
        Err(_) => Outcome::Reported,
        Ok(run) => Outcome::of(&run.outputs, expected, &run.reports),
    }
}
