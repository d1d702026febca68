//! The files of MLIR's drivers, as those of our other tools: read up to a limit, of Forma too, and replaced whole.

use crate::{Stop, finish, is_forma, load_forma, print, version, write};
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

/// What `pipeline-opt` and `pipeline-reduce` read and write.
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
        let context = weft_builder::context();
        let module = load_forma(&context, path)?;
        // Each op has its place in the Forma; MLIR would show lines of this text there, if it had the same name.
        let content = weft_forma::text_of(&module, true).into_bytes();
        return Ok(Input { name: format!("{name} as MLIR"), content });
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
    Ok(Input { name: name.to_owned(), content })
}
