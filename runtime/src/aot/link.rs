//! From an object to a shared library, by the C compiler of the system: it knows where its C library is.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use weft_files::Whole;

use crate::error::{Error, Result, one_line};
use crate::jit::LIBRARY_FOLDER;

/// Who may link, the first that there is; the environment variable `CC` comes before them.
const COMPILERS: [&str; 3] = ["cc", "clang", "gcc"];

/// Machine code to link.
pub struct Object {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What it is linked with, as the linker's `-l` names it.
    pub libraries: Vec<&'static str>,
}

/// What a new library may be, before the user's mask: that which linkers give it.
const MODE: u32 = 0o777;

/// Links an object to a shared library. A file of that name is replaced when all went well, and else stays as it is.
///
/// The compiler works in a folder of its own, under names that are no options to it, whatever the library's name is.
///
/// # Errors
/// [`Error::Write`], and [`Error::Link`] if there is no C compiler, or in its words.
pub fn link(object: &Object, library: &Path) -> Result<()> {
    let unlinked = |error: io::Error| Error::Link { reason: format!("the folder for temporary files: {error}") };
    let folder = tempfile::Builder::new().prefix("weft-").tempdir().map_err(unlinked)?;
    let (code, linked) = (folder.path().join("code.o"), folder.path().join("library.so"));
    fs::write(&code, &object.bytes).map_err(unlinked)?;
    run(object, &code, &linked, library.file_name().unwrap_or_default())?;
    let copied = File::open(&linked).and_then(|mut linked| {
        let mut file = Whole::create_with_mode(library, MODE)?;
        io::copy(&mut linked, &mut file)?;
        file.finish()
    });
    copied.map_err(|source| Error::Write { path: library.to_owned(), source })
}

fn run(object: &Object, code: &Path, linked: &Path, name: &OsStr) -> Result<()> {
    let own = std::env::var("CC").ok().filter(|compiler| !compiler.is_empty());
    let compilers: Vec<&str> = own.as_deref().map_or(COMPILERS.to_vec(), |compiler| vec![compiler]);
    let failed = |reason: String| Error::Link { reason };
    for compiler in &compilers {
        // `CC` may have options behind the name.
        let mut words = compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        // As one argument of the linker: `-Wl,` would take a comma in the name for the next one.
        let mut soname = OsString::from("-soname=");
        soname.push(name);
        command.args(["-shared", "-Wl,--no-undefined", "-Xlinker"]).arg(soname).arg("-o").arg(linked).arg(code);
        if object.libraries.contains(&"omp") {
            // Where LLVM has it, if the system's search path does not.
            command.args([format!("-L{LIBRARY_FOLDER}"), format!("-Wl,-rpath,{LIBRARY_FOLDER}")]);
        }
        command.args(object.libraries.iter().map(|library| format!("-l{library}")));
        match command.output() {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let said = one_line(&String::from_utf8_lossy(&output.stderr));
                let said = if said.is_empty() { format!("it failed ({})", output.status) } else { said };
                return Err(failed(format!("{compiler}: {said}")));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(format!("{compiler} cannot be run: {error}"))),
        }
    }
    let names = compilers.join(", ");
    Err(failed(format!("found no C compiler, expected {names} (the environment variable CC names another)")))
}
