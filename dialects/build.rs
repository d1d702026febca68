//! Turns the ODS files of the dialects into `libweft_dialects.so`.

use mlir_glue_build::{Dialect, build_dialects};

fn main() {
    build_dialects(
        "weft_dialects",
        &[
            Dialect {
                name: "pipeline",
                ods: "pipeline/Pipeline.td",
                class: "weft::pipeline::PipelineDialect",
                syntax: Some("pipeline/Syntax.cpp"),
            },
            Dialect { name: "warp", ods: "warp/Warp.td", class: "weft::warp::WarpDialect", syntax: None },
            Dialect { name: "weft", ods: "weft/Weft.td", class: "weft::WeftDialect", syntax: None },
        ],
    );
}
