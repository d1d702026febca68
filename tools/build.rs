//! Finds the commit that the tools are of, for `--version`.
//!
//! Git's log of what was checked out and committed is watched, so that a commit makes this crate anew, and nothing else. Outside of a
//! checkout, in an archive of the source say, there is no commit to tell.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let commit = match git(&["rev-parse", "--show-toplevel"]) {
        // A folder within somebody else's checkout is none of this one.
        Some(top) if is_ours(Path::new(&top)) => {
            for log in ["logs/HEAD", "HEAD"] {
                let path = git(&["rev-parse", "--git-path", log]).map(PathBuf::from).filter(|path| path.exists());
                path.inspect(|path| println!("cargo:rerun-if-changed={}", path.display()));
            }
            git(&["rev-parse", "--short=12", "HEAD"])
        }
        _ => None,
    };
    println!("cargo:rustc-env=WEFT_COMMIT={}", commit.unwrap_or_default());
}

/// Whether a checkout is that of this crate.
fn is_ours(top: &Path) -> bool {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(|own| own.canonicalize().ok());
    own.is_some() && top.canonicalize().ok() == own
}

/// What git says, where there is one and it says something.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
