//! Builds `libmlir_glue.so` (the C++ half of this crate) and `libMLIR-C.so`, which Debian does not ship.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=cpp");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
    mlir_glue_build::build_c_interface();
    mlir_glue_build::build_shared_library("mlir_glue", &[PathBuf::from("cpp/Glue.cpp")], &[&include], &[]);
    println!("cargo:include={}", include.display());
}
