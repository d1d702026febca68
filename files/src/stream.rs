//! Standard streams. A disk may be full that stdout goes to; then the tool fails, as it would with any file. Who reads it from a pipe may
//! have enough, as `head` has; then the tool ends, and has nothing to say.
//!
//! `println!` would panic in both cases: Rust begins every program with the signal ignored that ends those who write to a closed pipe.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// Lets a closed pipe end this process, as it does programs of C: for the first line of a main function. A tool that talks to a child
/// through a pipe ends with it, so give children files.
pub fn end_with_reader() {
    // SAFETY: the default action is no handler, so nothing of ours runs in a signal.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// Writes to stdout, all the way.
///
/// # Errors
///
/// What the system says.
pub fn print(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()
}

/// Writes a line to stderr. Where that cannot be, nobody is left to tell.
pub fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
