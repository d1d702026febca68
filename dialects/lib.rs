//! What the IR of Weft means: the dialects, their verifiers, and typed views of their ops.
//!
//! | dialect | level | ops |
//! | --- | --- | --- |
//! | [`pipeline`] | 0, the algorithm; 1, grouped | `stage`, `load`, `yield`, `group` |
//! | [`weft`] | | none: attributes on the arguments and results of programs |
//!
//! This crate knows nothing of passes.

use mlir_glue::{Dialect, RegistryRef};

pub mod pipeline;
pub mod weft;

/// Every dialect of Weft.
pub static DIALECTS: [&Dialect; 2] = [&pipeline::DIALECT, &weft::DIALECT];

/// Makes the dialects of Weft known to a registry.
pub fn register_dialects(registry: RegistryRef) {
    DIALECTS.iter().for_each(|dialect| dialect.register(registry));
}
