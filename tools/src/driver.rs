//! The files of MLIR's driver, as those of our other tools: read up to a limit, of Forma too, and replaced whole.

use crate::{Stop, compile_forma, finish, is_forma, print, read, version, write};
use mlir_glue::tool::{Files, Input};
use std::{
    io::{self, IsTerminal},
    path::Path,
    process::ExitCode,
};
use weft_files::{DATA, bytes, complain, limited};

/// Answers `--version` in place of LLVM's driver, which knows its own alone: the exit code, if that was asked.
pub fn say_version(tool: &str) -> Option<ExitCode> {
    let is_asked = std::env::args_os().skip(1).any(|argument| argument == "--version" || argument == "-version");
    is_asked.then(|| finish(print(format!("{tool} {}\n", version()))))
}

/// What `pipeline-opt` reads and writes.
pub struct DriverFiles;

impl Files for DriverFiles {
    fn read(&self, name: &str) -> Option<Input> {
        said(input(name))
    }

    fn write(&self, name: &str, content: &[u8]) -> bool {
        said(write(Path::new(name), content)).is_some()
    }
}

fn said<T>(result: Result<T, Stop>) -> Option<T> {
    result.map_err(|stop| finish(Err(stop))).ok()
}

fn input(name: &str) -> Result<Input, Stop> {
    let path = Path::new(name);
    if is_forma(path) {
        let (name, text) = read(path, "Forma")?;
        return as_mlir(&name, &text);
    }
    let (name, content) = if name == "-" {
        if io::stdin().is_terminal() {
            complain("(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)");
        }
        ("<stdin>", limited(io::stdin(), DATA))
    } else {
        (name, bytes(path, DATA))
    };
    let content = content.map_err(|error| format!("{name}: cannot be read: {error}"))?;
    // A file is what its name says; stdin has none.
    match str::from_utf8(&content) {
        Ok(text) if path.as_os_str() == "-" && weft_forma::is_forma(text) => as_mlir(name, text),
        _ => Ok(Input { name: name.to_owned(), content }),
    }
}

/// A text of Forma as the driver reads it.
fn as_mlir(name: &str, text: &str) -> Result<Input, Stop> {
    let context = weft_builder::context();
    let module = compile_forma(&context, name, text)?;
    // Each op has its place in the Forma; MLIR would show lines of this text there, if it had the same name.
    let content = weft_forma::text_of(&module, true).into_bytes();
    Ok(Input { name: format!("{name} as MLIR"), content })
}
