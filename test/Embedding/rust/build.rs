//! Where `libweft_c.so` is: `WEFT_LIB`, else the build folder of the repository that this program lies in.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=WEFT_LIB");
    let ours = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../target/release");
    let folder = env::var_os("WEFT_LIB").map_or_else(ours, PathBuf::from);
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
