//! How the IR of Weft is rewritten.

use mlir_glue::Registration;

/// Every pass and every named pipeline, in the order of lowering.
pub static REGISTRATIONS: [Registration; 0] = [];

/// Makes the passes and pipelines known to MLIR.
pub fn register_passes() {
    REGISTRATIONS.iter().for_each(Registration::register);
}
