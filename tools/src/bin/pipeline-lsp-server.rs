//! `pipeline-lsp-server`: MLIR's language server with the dialects of Weft.

use std::process::ExitCode;
use weft_tools::driver::say_version;

fn main() -> ExitCode {
    weft_files::end_with_reader();
    if let Some(code) = say_version("pipeline-lsp-server") {
        return code;
    }
    ExitCode::from(mlir_glue::tool::lsp_main((&weft_tools::registry()).into()) as u8)
}
