//! What the tools share.

use melior::dialect::DialectRegistry;
use mlir_glue::tool;

/// A registry with MLIR's dialects and ours; also registers our passes.
pub fn registry() -> DialectRegistry {
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    weft_dialects::register_dialects((&registry).into());
    weft_passes::register_passes();
    registry
}
