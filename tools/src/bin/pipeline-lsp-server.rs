//! `pipeline-lsp-server`: MLIR's language server with the dialects of Weft.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mlir_glue::tool::lsp_main((&weft_tools::registry()).into()) as u8)
}
