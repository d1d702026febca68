//! Whose mathematics a program computes with.

use mlir_glue::choice;

choice! {
    /// Who computes exponentials, logarithms, powers and angles.
    pub enum Libm { Shared = "shared", Target = "target" }
}
