//! From an object to a shared library, by the C compiler of the system: it knows where its C library is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Links an object to a shared library. A file of that name is replaced when all went well, and else stays as it is.
///
/// # Errors
/// [`Error::Write`], and [`Error::Link`] if there is no C compiler, or in its words.
pub fn link(object: &Object, library: &Path) -> Result<()> {
    let beside = |end: &str| {
        let mut name = library.as_os_str().to_owned();
        name.push(format!(".{}.{end}", std::process::id()));
        PathBuf::from(name)
    };
    let (code, linked) = (beside("o"), beside("tmp"));
    let write_error = |source| Error::Write { path: library.to_owned(), source };
    let done = std::fs::write(&code, &object.bytes).map_err(write_error).and_then(|()| {
        run(object, &code, &linked, library.file_name().unwrap_or_default())?;
        std::fs::rename(&linked, library).map_err(write_error)
    });
    // Either may not be there.
    let _ = (std::fs::remove_file(&code), std::fs::remove_file(&linked));
    done
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
        let mut soname = std::ffi::OsString::from("-Wl,-soname,");
        soname.push(name);
        command.args(["-shared", "-Wl,--no-undefined"]).arg(soname).arg("-o").arg(linked).arg(code);
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
