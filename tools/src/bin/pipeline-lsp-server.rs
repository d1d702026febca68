//! `pipeline-lsp-server`: MLIR's language server with the dialects of Weft.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_files::end_with_reader();
    ExitCode::from(mlir_glue::tool::lsp_main((&weft_tools::registry()).into()) as u8)
}
