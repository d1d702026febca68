//! Entry checks that return: what a program refuses, it says to its caller.
//!
//! ```text
//! bad:                                   bad:
//!   call void @puts(ptr @message)          call void @weft.failed(ptr @message)
//!   call void @abort()            ──▶      ret void
//!   unreachable
//! ```
//!
//! That on the left is MLIR's lowering of `cf.assert`. A library must neither print nor end the process of who uses it, and a
//! function that was lowered from a program returns nothing else, so there is room for this. Who compiles the module defines
//! [`FAILED`], and [`NO_MEMORY`].

use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue};

use crate::error::{Error, Result};

/// `void weft.failed(const char *message)`: a check has failed. The dot keeps it apart from what C calls.
pub(crate) const FAILED: &str = "weft.failed";

/// `void weft_no_memory(const char *message)`: what `--check-memory` calls where a program was given no memory. Then it returns.
pub(crate) const NO_MEMORY: &str = "weft_no_memory";

/// Makes every failed check of a module a call of [`FAILED`] and a return.
///
/// # Errors
/// [`Error::Compile`] for a check in a function that returns a value, or one without a message.
pub(crate) fn return_from(module: &Module<'_>) -> Result<()> {
    let declared = |symbol: &str| module.get_function(symbol).filter(|function| function.count_basic_blocks() == 0);
    if let Some(puts) = declared("puts") {
        // As LLVM does not know that name, it takes it for no C function.
        puts.as_global_value().set_name(FAILED);
    }
    let Some(abort) = declared("abort") else { return Ok(()) };
    let builder = module.get_context().create_builder();
    for function in module.get_functions() {
        for block in function.get_basic_blocks() {
            let ends = block.get_instructions().find(|op| callee(*op) == Some(abort));
            let Some(end) = ends else { continue };
            let says =
                block.get_instructions().filter_map(callee).any(|called| called.get_name().to_str() == Ok(FAILED));
            if !says || function.get_type().get_return_type().is_some() {
                let name = function.get_name().to_string_lossy();
                let what = if says { "stands in a function that returns a value" } else { "has no message" };
                return Err(Error::Compile { reason: format!("a check of {name} {what}") });
            }
            replace(&builder, end)?;
        }
    }
    Ok(())
}

/// The function that an instruction calls.
pub(crate) fn callee<'c>(op: InstructionValue<'c>) -> Option<FunctionValue<'c>> {
    if op.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    CallSiteValue::try_from(op).ok()?.get_called_fn_value()
}

/// Puts a return where the process would end.
fn replace<'c>(builder: &Builder<'c>, end: InstructionValue<'c>) -> Result<()> {
    let mut behind = end.get_next_instruction();
    while let Some(op) = behind {
        behind = op.get_next_instruction();
        op.erase_from_basic_block();
    }
    builder.position_before(&end);
    builder.build_return(None).map_err(|error| Error::Compile { reason: error.to_string() })?;
    end.erase_from_basic_block();
    Ok(())
}
