pub mod dialect;
pub mod pass;

mlir_glue::plugin!(c"toy", dialect::register, pass::register);
