//! `libweft_plugin.so`: the dialects and passes of Weft inside a stock `mlir-opt`.
//!
//! ```text
//! mlir-opt --load-dialect-plugin=libweft_plugin.so --load-pass-plugin=libweft_plugin.so \
//!          --pass-pipeline='builtin.module(fuse{strategy=all})' blur.mlir
//! ```

mlir_glue::plugin!(c"weft", weft_dialects::register_dialects, weft_passes::register_passes);
