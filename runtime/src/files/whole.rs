//! Writing all of a file or none of it, and extensions of names.
//!
//! An output that was half written when the disk filled, or the program was interrupted, looks like a result. So a file is
//! written under another name beside its target and renamed over it when it is complete: under the target's name there
//! is at any moment the old content, or none, or the new.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// The extension in lower case; empty if there is none.
pub(super) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

pub(super) fn extension_error(path: &Path, expected: &'static str) -> Error {
    let found = match path.extension() {
        Some(extension) => format!("the extension .{}", extension.to_string_lossy()),
        None => "no extension".to_owned(),
    };
    Error::Extension { path: path.to_owned(), found, expected }
}

/// Creates or replaces `path` with what `content` writes; if anything fails, `path` stays as it was and nothing is left
/// beside it.
pub(super) fn write_whole(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    // The process and a counter in the name keep concurrent writers apart; a leading dot keeps it out of listings.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let temporary = Temporary { path: path.with_file_name(temporary) };

    let file = OpenOptions::new().write(true).create_new(true).open(&temporary.path)?;
    let mut writer = BufWriter::new(file);
    content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    // After the rename the guard finds nothing to remove.
    fs::rename(&temporary.path, path)
}

/// Removes the file when dropped, also on the way out of an error or a panic.
pub(super) struct Temporary {
    pub path: PathBuf,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone already when all went well; when it did not, the first error is the one to report.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::error::Result;

    /// A folder that is removed at the end of its test.
    pub(crate) struct Folder {
        pub path: PathBuf,
    }

    impl Folder {
        pub fn new() -> Folder {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let name = format!("weft-runtime-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).expect("the temporary folder can be written");
            Folder { path }
        }

        pub fn file(&self, name: &str) -> PathBuf {
            self.path.join(name)
        }

        pub fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.path).expect("the folder is there");
            let name = |entry: io::Result<fs::DirEntry>| entry.map(|e| e.file_name().to_string_lossy().into_owned());
            let mut names: Vec<String> = entries.map(|e| name(e).expect("it can be listed")).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    /// The message of an error, without the folder in front of the file's name.
    pub(crate) fn message<T>(result: Result<T>, folder: &Folder) -> String {
        match result {
            Ok(_) => "no error".to_owned(),
            Err(error) => error.to_string().replace(&format!("{}/", folder.path.display()), ""),
        }
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = Folder::new();
        let path = folder.file("out.bin");
        let failed = write_whole(&path, |writer| {
            writer.write_all(b"half of it")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.map_err(|e| e.to_string()), Err("the disk is full".to_owned()));
        assert_eq!(folder.names(), [""; 0]);
        // And an older file of that name survives.
        write_whole(&path, |writer| writer.write_all(b"old")).expect("the folder can be written");
        write_whole(&path, |_| Err(io::Error::other("no"))).expect_err("the closure failed");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        write_whole(&path, |writer| writer.write_all(b"new")).expect("the folder can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(folder.names(), ["out.bin"]);
    }
}
