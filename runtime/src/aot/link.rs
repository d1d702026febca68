//! From an object to a shared library, by the C compiler of the system, which knows where its C library is; or by LLVM's linker, where that
//! lies beside this program: then nothing need be installed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use weft_files::Whole;

use crate::error::{Error, Result, one_line};
use crate::jit::LIBRARY_FOLDER;

/// LLVM's linker, where it comes with this program.
const OWN_LINKER: &str = "ld.lld";

/// Who may link, the first that there is; the environment variable `CC` comes before them.
const COMPILERS: [&str; 3] = ["cc", "clang", "gcc"];

/// Machine code to link.
pub struct Object {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What it is linked with, as the linker's `-l` names it.
    pub libraries: Vec<&'static str>,
    /// Whether it is for a machine of another architecture than this one's, whose libraries are not here.
    pub is_foreign: bool,
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
    let failed = |reason: String| Error::Link { reason };
    // As one argument of the linker: `-Wl,` would take a comma in the name for the next one.
    let mut soname = OsString::from("-soname=");
    soname.push(name);
    let own = std::env::var("CC").ok().filter(|compiler| !compiler.is_empty());
    if object.is_foreign && own.is_none() {
        let expected = "the environment variable CC to name a C compiler for it, such as aarch64-linux-gnu-gcc";
        return Err(failed(format!("the code is for another architecture than this machine's, expected {expected}")));
    }
    if own.is_none()
        && let Some(linker) = beside_this_program(OWN_LINKER)
    {
        let mut command = Command::new(&linker);
        command.args(["-shared", "--hash-style=gnu"]).arg(soname).arg("-o").arg(linked).arg(code);
        command.args(libraries_of_process(&object.libraries));
        return said(&mut command, OWN_LINKER)?.ok_or_else(|| failed(format!("{} cannot be run", linker.display())));
    }
    let compilers: Vec<&str> = own.as_deref().map_or(COMPILERS.to_vec(), |compiler| vec![compiler]);
    for compiler in &compilers {
        // `CC` may have options behind the name.
        let mut words = compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command.args(["-shared", "-Wl,--no-undefined", "-Xlinker"]).arg(&soname).arg("-o").arg(linked).arg(code);
        if object.libraries.contains(&"omp") && !object.is_foreign {
            // Where LLVM has it, if the system's search path does not.
            command.args([format!("-L{LIBRARY_FOLDER}"), format!("-Wl,-rpath,{LIBRARY_FOLDER}")]);
        }
        command.args(object.libraries.iter().map(|library| format!("-l{library}")));
        if let Some(done) = said(&mut command, compiler)? {
            return Ok(done);
        }
    }
    let names = compilers.join(", ");
    Err(failed(format!("found no C compiler, expected {names} (the environment variable CC names another)")))
}

/// Runs a linker; `None` where there is no such program.
fn said(command: &mut Command, called: &str) -> Result<Option<()>> {
    let failed = |reason: String| Err(Error::Link { reason: format!("{called}: {reason}") });
    match command.output() {
        Ok(output) if output.status.success() => Ok(Some(())),
        Ok(output) => {
            let said = one_line(&String::from_utf8_lossy(&output.stderr));
            failed(if said.is_empty() { format!("it failed ({})", output.status) } else { said })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => failed(format!("it cannot be run: {error}")),
    }
}

/// A program in the folder of this one.
fn beside_this_program(name: &str) -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(name);
    path.is_file().then_some(path)
}

/// The files of these libraries, for a linker that knows no folders: those that this process has of the C library, and OpenMP's runtime
/// beside this program's libraries. What is not found here is looked for when the library is opened.
fn libraries_of_process(wanted: &[&str]) -> Vec<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let loaded = |name: &str| {
        let path = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).map(Path::new);
        path.into_iter().find(|path| path.file_name().is_some_and(|file| file == name)).map(Path::to_owned)
    };
    let openmp = || {
        let own = std::env::current_exe().ok()?.parent()?.join("../lib/libomp.so.5");
        [own, Path::new(LIBRARY_FOLDER).join("libomp.so.5")].into_iter().find(|path| path.is_file())
    };
    let of = |library: &&str| if *library == "omp" { openmp() } else { loaded(&format!("lib{library}.so.6")) };
    wanted.iter().chain(&["c"]).filter_map(of).collect()
}
