//! The files of MLIR's driver, as those of our other tools: read up to a limit, of Forma and traces too, and replaced whole.

use crate::{Stop, compile_forma, compile_trace, finish, is_forma, is_trace, print, read, version, write};
use melior::ir::Module;
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
    let context = weft_builder::context();
    if is_forma(path) {
        let (name, text) = read(path, "Forma")?;
        return Ok(as_mlir(&name, &compile_forma(&context, &name, &text)?));
    }
    if is_trace(path) {
        let (name, text) = read(path, "a trace")?;
        return Ok(as_mlir(&name, &compile_trace(&context, &name, &text)?));
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
        Ok(text) if path.as_os_str() == "-" && weft_forma::is_forma(text) => {
            Ok(as_mlir(name, &compile_forma(&context, name, text)?))
        }
        _ => Ok(Input { name: name.to_owned(), content }),
    }
}

/// A program of another language as the driver reads it.
fn as_mlir(name: &str, module: &Module) -> Input {
    // Each op has its place in that language; MLIR would show lines of this text there, if it had the same name.
    let content = weft_forma::text_of(module, true).into_bytes();
    Input { name: format!("{name} as MLIR"), content }
}
