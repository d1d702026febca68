//! Level 0 to Forma.

use melior::ir::OperationRef;

/// A program as Forma.
///
/// # Errors
///
/// What Forma cannot say.
pub fn export(_func: OperationRef) -> Result<String, String> {
    Err("not yet".into())
}
