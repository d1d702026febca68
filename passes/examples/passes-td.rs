//! Prints the passes and pipelines as ODS records, from which `mlir-tblgen --gen-pass-doc` writes `docs/passes.md`.
//!
//! `--pipelines` prints the named pipelines instead of the passes.

fn main() {
    let pipelines = std::env::args().any(|argument| argument == "--pipelines");
    println!("include \"mlir/Pass/PassBase.td\"");
    for registration in weft_passes::registrations().filter(|entry| entry.is_pipeline == pipelines) {
        println!("{}", registration.to_tablegen());
    }
}
