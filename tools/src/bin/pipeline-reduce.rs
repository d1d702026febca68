//! `pipeline-reduce`: `mlir-reduce` with the dialects and passes of Weft, to shrink a failing case.

use std::process::ExitCode;
use weft_tools::driver::{DriverFiles, say_version};

fn main() -> ExitCode {
    weft_files::end_with_reader();
    if let Some(code) = say_version("pipeline-reduce") {
        return code;
    }
    ExitCode::from(mlir_glue::tool::reduce_main((&weft_tools::registry()).into(), &DriverFiles) as u8)
}
