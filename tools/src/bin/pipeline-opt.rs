//! `pipeline-opt`: `mlir-opt` with the dialects and passes of Weft.

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = mlir_glue::tool::opt_main("Weft optimizer driver\n", (&weft_tools::registry()).into());
    ExitCode::from(code as u8)
}
