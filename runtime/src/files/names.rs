//! Extensions of names, which say the format of a file.

use std::path::Path;

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

#[cfg(test)]
pub(super) mod tests {
    use crate::error::Result;
    use std::{fs, path::PathBuf};
    use tempfile::TempDir;

    /// A folder that is removed at the end of its test.
    pub(crate) struct Folder(TempDir);

    impl Folder {
        pub fn new() -> Folder {
            Folder(tempfile::tempdir().expect("the temporary folder can be written"))
        }

        pub fn file(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        pub fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.path()).expect("the folder is there");
            let entries = entries.map(|entry| entry.expect("it can be listed"));
            let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    /// The message of an error, without the folder in front of the file's name.
    pub(crate) fn message<T>(result: Result<T>, folder: &Folder) -> String {
        match result {
            Ok(_) => "no error".to_owned(),
            Err(error) => error.to_string().replace(&format!("{}/", folder.0.path().display()), ""),
        }
    }
}
