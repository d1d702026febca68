//! The CPU that a pass is to serve: what its option 'target' names.

use melior::ir::OperationRef;
use mlir_glue::Diagnostic;
use weft_model::Cpu;

/// The CPU of this name, `host`, or of a file.
///
/// # Errors
/// On the module: a name or file that says none.
pub fn cpu_of<'c>(module: OperationRef<'c, '_>, target: &str) -> Result<Cpu, Diagnostic<'c>> {
    Cpu::named(target).map_err(|error| Diagnostic::on(module, format!("option 'target': {error}")))
}
