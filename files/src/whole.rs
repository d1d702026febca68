//! Writing all of a file or none of it.
//!
//! An output that was half written when the disk filled, or the program was interrupted, looks like a result. So a file is written
//! under another name beside its target and renamed over it when it is complete: under the target's name there is at any moment
//! the old content, or none, or the new.
//!
//! ```text
//! out.png ──▶ a file, or nothing     .weft-8fK2qz beside it, renamed when it is whole
//!         ──▶ a link                 the same beside what it points at
//!         ──▶ /dev/null, a FIFO      written as it is: to rename over it would end it
//!         ──▶ /dev/stdout, /dev/fd/3 the same, even where a file is behind it: others may write there, too
//! -       ──▶ stdout                 the same
//! ```

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, ErrorKind, Write},
    os::{fd::AsFd, unix::fs::PermissionsExt},
    path::{Path, PathBuf},
};
use tempfile::TempPath;

/// Links that are followed to a target, as the system does.
const LINKS: usize = 40;

/// What a new file may be, before the user's mask.
const MODE: u32 = 0o666;

/// A file that is being written. One that is dropped before it is [finished](Whole::finish) leaves nothing, and its target as it was.
pub struct Whole {
    writer: BufWriter<File>,
    /// The file that is written, and the one that it will be; not of what is written directly.
    beside: Option<(TempPath, PathBuf)>,
}

impl Whole {
    /// Begins a file; `-` is stdout.
    ///
    /// # Errors
    ///
    /// A target that cannot be written, or a folder in which no file can be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_with_mode(path, MODE)
    }

    /// [`create`](Whole::create), for a file that is new with these permissions, but for those in the user's mask.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn create_with_mode(path: &Path, mode: u32) -> io::Result<Self> {
        let (target, old) = match Target::of(path)? {
            Target::Direct(path) => return Ok(Self { writer: BufWriter::new(open(&path)?), beside: None }),
            Target::New(path) => (path, None),
            Target::File(path) => {
                // Who may not write a file shall not replace it.
                let old = OpenOptions::new().write(true).open(&path)?.metadata()?.permissions();
                (path, Some(old))
            }
        };
        let folder = target.parent().unwrap_or(Path::new("/"));
        let made = tempfile::Builder::new()
            .prefix(".weft-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)
            // The name of a file that nobody has asked for says nothing; what the system says does.
            .map_err(|error| error.raw_os_error().map_or(error, io::Error::from_raw_os_error))?;
        let (file, temporary) = made.into_parts();
        if let Some(old) = old {
            file.set_permissions(old)?;
        }
        Ok(Self { writer: BufWriter::new(file), beside: Some((temporary, target)) })
    }

    /// Ends it: the target is replaced.
    ///
    /// # Errors
    ///
    /// What was not written yet cannot be, or the target not be replaced.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.beside.take() {
            Some((temporary, target)) => temporary.persist(target).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Ends several files: no target is replaced before all are written. An error has the number of its file.
///
/// # Errors
///
/// As [`Whole::finish`].
pub fn finish_all(mut files: Vec<Whole>) -> Result<(), (usize, io::Error)> {
    for (number, file) in files.iter_mut().enumerate() {
        file.flush().map_err(|error| (number, error))?;
    }
    files.into_iter().enumerate().try_for_each(|(number, file)| file.finish().map_err(|error| (number, error)))
}

/// Creates or replaces a file; `-` is stdout.
///
/// # Errors
///
/// As [`Whole::create`] and [`Whole::finish`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Whole::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Opens what is written directly, behind what others have written there. Our own streams are open already: opened again, each would
/// have its own place to write at, and a socket cannot be.
fn open(path: &Path) -> io::Result<File> {
    let own = PathBuf::from(format!("/proc/{}/fd", std::process::id()));
    if path.as_os_str() == "-" || path == own.join("1") {
        Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
    } else if path == own.join("2") {
        Ok(io::stderr().as_fd().try_clone_to_owned()?.into())
    } else {
        OpenOptions::new().append(true).open(path)
    }
}

/// What stands under a name, links followed.
enum Target {
    /// A file, to be replaced.
    File(PathBuf),
    /// Nothing yet.
    New(PathBuf),
    /// A device, a pipe, or what a process has open. (A folder, too: to open it says what is wrong with that.)
    Direct(PathBuf),
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::Direct(path.to_owned()));
        }
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            let Some(name) = path.file_name() else {
                return Err(io::Error::new(ErrorKind::InvalidInput, "the path names no file"));
            };
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = fs::canonicalize(folder)?;
            path = folder.join(name);
            if folder.starts_with("/proc") {
                return Ok(Self::Direct(path));
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => path = folder.join(fs::read_link(&path)?),
                Ok(found) if found.is_file() => return Ok(Self::File(path)),
                Ok(_) => return Ok(Self::Direct(path)),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::New(path)),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from_raw_os_error(libc::ELOOP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::{fd::AsRawFd, unix::fs::symlink};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("the temporary folder can be written")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be listed"));
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn content(path: &Path) -> String {
        fs::read_to_string(path).expect("it is there")
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = folder();
        let path = folder.path().join("out.bin");
        let mut file = Whole::create(&path).expect("the folder can be written");
        file.write_all(b"half of it").expect("the disk has room");
        drop(file);
        assert_eq!(names(folder.path()), [""; 0]);
        // And an older file of that name survives.
        write(&path, b"old").expect("the folder can be written");
        drop(Whole::create(&path).expect("the folder can be written"));
        assert_eq!(content(&path), "old");
        write(&path, b"new").expect("the folder can be written");
        assert_eq!(content(&path), "new");
        assert_eq!(names(folder.path()), ["out.bin"]);
    }

    #[test]
    fn several_files_or_none() {
        let folder = folder();
        let path = folder.path().join("first");
        let mut files = vec![Whole::create(&path).expect("the folder can be written")];
        files.push(Whole::create(Path::new("/dev/full")).expect("it can be opened"));
        files[1].write_all(b"more than a full device takes").expect("the writer keeps it");
        let (number, error) = finish_all(files).expect_err("the device is full");
        assert_eq!((number, error.kind()), (1, ErrorKind::StorageFull));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("inner")).expect("the folder can be written");
        symlink("inner/file", path("one")).expect("the folder can be written");
        symlink("one", path("two")).expect("the folder can be written");
        for text in ["new", "newer"] {
            write(&path("two"), text.as_bytes()).expect("the folder can be written");
            assert_eq!(content(&path("inner/file")), text);
        }
        assert_eq!(names(folder.path()), ["inner", "one", "two"]);
        symlink("ring", path("ring")).expect("the folder can be written");
        let error = write(&path("ring"), b"").expect_err("it has no end");
        assert_eq!(error.raw_os_error(), Some(libc::ELOOP));
    }

    #[test]
    fn permissions_are_those_of_a_plain_file() {
        let folder = folder();
        let mode = |name: &str| {
            let found = fs::metadata(folder.path().join(name)).expect("it is there");
            found.permissions().mode() & 0o7777
        };
        fs::write(folder.path().join("plain"), "").expect("the folder can be written");
        write(&folder.path().join("whole"), b"").expect("the folder can be written");
        assert_eq!(mode("whole"), mode("plain"));
        fs::set_permissions(folder.path().join("whole"), Permissions::from_mode(0o640)).expect("it is ours");
        write(&folder.path().join("whole"), b"").expect("the folder can be written");
        assert_eq!(mode("whole"), 0o640);
    }

    #[test]
    fn what_is_no_file_is_written_as_it_is() {
        write(Path::new("/dev/null"), b"text").expect("it takes everything");
        let full = write(Path::new("/dev/full"), b"text").expect_err("it takes nothing");
        assert_eq!(full.kind(), ErrorKind::StorageFull);
        // What is open already stays the file that it is, with what is in it.
        let folder = folder();
        let path = folder.path().join("open");
        fs::write(&path, "before, ").expect("the folder can be written");
        let open = File::open(&path).expect("it is there");
        write(Path::new(&format!("/dev/fd/{}", open.as_raw_fd())), b"after").expect("it can be written");
        assert_eq!(content(&path), "before, after");
        assert_eq!(io::read_to_string(open).expect("it can be read"), "before, after");
        let error = write(folder.path(), b"").expect_err("it is a folder");
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
    }
}
