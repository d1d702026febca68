//! The way out of MLIR: from the llvm dialect to LLVM IR, for host and kernels alike.
//!
//! ```text
//! llvm dialect ──mlirTranslateModuleToLLVMIR──▶ inkwell Module
//! ```
//!
//! Nothing here decides anything: which float may be fused or reassociated is said by flags on the ops.

use crate::ir::is;
use inkwell::{
    context::{AsContextRef, Context as LlvmContext},
    llvm_sys::{
        LLVMDiagnosticSeverity,
        core::{
            LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
        },
        prelude::LLVMDiagnosticInfoRef,
    },
    module::Module as LlvmModule,
};
use melior::{
    Context,
    ir::{
        Attribute, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute},
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::ir;
use std::{
    cell::OnceCell,
    ffi::{CStr, c_void},
    ptr,
};

/// Translates a module in the llvm dialect: a `builtin.module` or a `gpu.module`.
///
/// # Errors
///
/// A line; MLIR has emitted the details as diagnostics.
pub fn translate<'l, 'c>(
    llvm: &'l LlvmContext,
    context: &'c Context,
    module: OperationRef<'c, '_>,
) -> Result<LlvmModule<'l>, String> {
    drop_names(context, module);
    let raw = ir::translate_to_llvm(module, llvm.raw().cast())
        .ok_or("the module cannot be translated to LLVM IR; is everything in it lowered to the llvm dialect?")?;
    // SAFETY: the pointer is a module that was just made in this context, and nobody else owns it.
    Ok(unsafe { LlvmModule::new(raw.cast()) })
}

/// The first that LLVM finds wrong with a module while it compiles it. LLVM ends the process where nobody listens.
pub struct Errors<'m, 'l> {
    module: &'m LlvmModule<'l>,
    /// In a place of its own, which LLVM is told.
    found: Box<OnceCell<String>>,
}

impl<'m, 'l> Errors<'m, 'l> {
    /// Listens as long as it lives, for all modules of the context.
    pub fn of(module: &'m LlvmModule<'l>) -> Self {
        let found = Box::<OnceCell<String>>::default();
        let place: *const OnceCell<String> = &raw const *found;
        // SAFETY: the context outlives the module, and `drop` takes the handler away before the place is freed.
        unsafe {
            LLVMContextSetDiagnosticHandler(module.get_context().as_ctx_ref(), Some(hear), place.cast_mut().cast())
        };
        Self { module, found }
    }

    /// What was found so far.
    pub fn first(&self) -> Option<String> {
        self.found.get().cloned()
    }
}

impl Drop for Errors<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the context outlives the module.
        unsafe { LLVMContextSetDiagnosticHandler(self.module.get_context().as_ctx_ref(), None, ptr::null_mut()) };
    }
}

/// Keeps the first error; remarks and warnings are for who optimises.
extern "C" fn hear(said: LLVMDiagnosticInfoRef, place: *mut c_void) {
    // SAFETY: LLVM calls with what it says, and the place of `Errors::of`, which lives as long as this is the handler. The text is
    // ours to free.
    unsafe {
        if matches!(LLVMGetDiagInfoSeverity(said), LLVMDiagnosticSeverity::LLVMDSError) {
            let text = LLVMGetDiagInfoDescription(said);
            let found = &*place.cast_const().cast::<OnceCell<String>>();
            found.get_or_init(|| CStr::from_ptr(text).to_string_lossy().into_owned());
            LLVMDisposeMessage(text);
        }
    }
}

/// `weft.*` on arguments is for tools; LLVM has no place for it, and MLIR would warn of each.
fn drop_names<'c>(context: &'c Context, module: OperationRef<'c, '_>) {
    for func in ir::walk(module).into_iter().filter(|op| is(*op, "llvm.func")) {
        let Some(array) = func.attribute("arg_attrs").ok().and_then(|array| ArrayAttribute::try_from(array).ok())
        else {
            continue;
        };
        let kept = |entry: Attribute<'c>| {
            let Ok(dictionary) = DictionaryAttribute::try_from(entry) else { return entry };
            let entries: Vec<_> = (0..dictionary.len())
                .filter_map(|index| dictionary.element(index).ok())
                .filter(|(name, _)| !name.as_string_ref().as_str().is_ok_and(|name| name.starts_with("weft.")))
                .collect();
            Attribute::from(DictionaryAttribute::new(context, &entries))
        };
        let entries: Vec<Attribute> =
            (0..array.len()).filter_map(|index| array.element(index).ok()).map(kept).collect();
        ir::mutable(func).set_attribute("arg_attrs", ArrayAttribute::new(context, &entries).into());
    }
}

/// The LLVM IR of a module in the llvm dialect, as text.
///
/// # Errors
///
/// As [`translate`].
pub fn to_llvm_ir<'c>(context: &'c Context, module: OperationRef<'c, '_>) -> Result<String, String> {
    let llvm = LlvmContext::create();
    Ok(translate(&llvm, context, module)?.print_to_string().to_string())
}
