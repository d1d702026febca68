//! Files: choosing the format by extension, and writing all of a file or none of it.
//!
//! An output that was half written when the disk filled, or the program was interrupted, looks like a result. So a file is
//! written under another name beside its target and renamed over it when it is complete: under the target's name there
//! is at any moment the old content, or none, or the new.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::buffer::{Buffer, Element};
use crate::error::{Error, Result};
use crate::image_io::{self, Scale};
use crate::npy;

/// Writes several tensors: all of the files or none. They are written under other names beside their targets, and renamed
/// when the last one is complete.
///
/// # Errors
/// Those of [`store`]; then no target has changed.
pub fn store_all(files: &[(impl AsRef<Path>, &Buffer)], scale: Scale) -> Result<()> {
    let mut written = Vec::new();
    for (number, (path, buffer)) in files.iter().enumerate() {
        let path = path.as_ref();
        let mut name = OsString::from(format!(".{}-{number}-", std::process::id()));
        // The extension stays last: it chooses the format.
        name.push(path.file_name().unwrap_or_default());
        let temporary = Temporary { path: path.with_file_name(name) };
        store(&temporary.path, buffer, scale).map_err(|error| error.about(path))?;
        written.push((temporary, path));
    }
    for (temporary, path) in &written {
        fs::rename(&temporary.path, path).map_err(|source| Error::Write { path: path.to_path_buf(), source })?;
    }
    Ok(())
}

/// What an extension can be.
const FORMATS: &str = ".png, .jpg, .jpeg or .npy";

/// Reads a file as an argument of this element type and shape (`None` = dynamic extent): `.png`, `.jpg` and `.jpeg` by
/// [`image_io::read_image`], `.npy` by [`npy::read_npy`].
pub fn load(path: impl AsRef<Path>, element: Element, shape: &[Option<usize>]) -> Result<Buffer> {
    let path = path.as_ref();
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" => image_io::read_image(path, element, shape),
        "npy" => npy::read_npy(path, element, shape),
        _ => Err(extension_error(path, FORMATS)),
    }
}

/// Writes a tensor to a file: `.png`, `.jpg` and `.jpeg` by [`image_io::write_image`], `.npy` by [`npy::write_npy`], which
/// writes the values as they are and does not use `scale`.
pub fn store(path: impl AsRef<Path>, buffer: &Buffer, scale: Scale) -> Result<()> {
    let path = path.as_ref();
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" => image_io::write_image(path, buffer, scale),
        "npy" => npy::write_npy(path, buffer),
        _ => Err(extension_error(path, FORMATS)),
    }
}

/// Whether [`store`] will know the format of a file: asked before the work is done that ends in the file.
///
/// # Errors
/// [`Error::Extension`]
pub fn check_extension(path: &Path) -> Result<()> {
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" | "npy" => Ok(()),
        _ => Err(extension_error(path, FORMATS)),
    }
}

/// The extension in lower case; empty if there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

pub(crate) fn extension_error(path: &Path, expected: &'static str) -> Error {
    let found = match path.extension() {
        Some(extension) => format!("the extension .{}", extension.to_string_lossy()),
        None => "no extension".to_owned(),
    };
    Error::Extension { path: path.to_owned(), found, expected }
}

/// Creates or replaces `path` with what `content` writes; if anything fails, `path` stays as it was and nothing is left
/// beside it.
pub(crate) fn write_whole(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
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
struct Temporary {
    path: PathBuf,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone already when all went well; when it did not, the first error is the one to report.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

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

    #[test]
    fn extensions_choose_the_format() {
        let folder = Folder::new();
        let buffer = Buffer::random(Element::U8, &[5, 7], 1);
        for name in ["a.png", "b.PNG", "c.npy"] {
            store(folder.file(name), &buffer, Scale::Unit).expect("it can be written");
            let back = load(folder.file(name), Element::U8, &[None, None]).expect("it can be read");
            assert_eq!(buffer.first_difference(&back), None);
        }
        store(folder.file("d.jpg"), &buffer, Scale::Unit).expect("it can be written");
        assert_eq!(load(folder.file("d.jpg"), Element::U8, &[Some(5), None]).expect("it can be read").shape(), [5, 7]);
        assert_eq!(
            message(load(folder.file("e.tiff"), Element::U8, &[None]), &folder),
            "e.tiff: found the extension .tiff, expected .png, .jpg, .jpeg or .npy"
        );
        assert_eq!(
            message(store(folder.file("e"), &buffer, Scale::Unit), &folder),
            "e: found no extension, expected .png, .jpg, .jpeg or .npy"
        );
        assert_eq!(folder.names(), ["a.png", "b.PNG", "c.npy", "d.jpg"]);
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let folder = Folder::new();
        let missing = "cannot be read: No such file or directory (os error 2)";
        for name in ["a.png", "a.npy"] {
            let result = load(folder.file(name), Element::F32, &[None, None]);
            assert_eq!(message(result, &folder), format!("{name}: {missing}"));
            let result = store(folder.file("no/folder").join(name), &Buffer::zeros(Element::F32, &[2, 2]), Scale::Unit);
            assert_eq!(
                message(result, &folder),
                format!("no/folder/{name}: cannot be written: No such file or directory (os error 2)")
            );
        }
    }
}
