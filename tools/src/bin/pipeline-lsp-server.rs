//! `pipeline-lsp-server`: MLIR's language server with the dialects of Weft; with `--forma`, one for Forma.

use std::process::ExitCode;
use weft_tools::{driver::say_version, finish, lsp};

fn main() -> ExitCode {
    weft_files::end_with_reader();
    if let Some(code) = say_version("pipeline-lsp-server") {
        return code;
    }
    if std::env::args_os().any(|argument| argument == "--forma") {
        return finish(lsp::serve());
    }
    ExitCode::from(mlir_glue::tool::lsp_main((&weft_tools::registry()).into()) as u8)
}
