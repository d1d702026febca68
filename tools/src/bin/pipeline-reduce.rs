//! `pipeline-reduce`: `mlir-reduce` with the dialects and passes of Weft, to shrink a failing case.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mlir_glue::tool::reduce_main((&weft_tools::registry()).into()) as u8)
}
