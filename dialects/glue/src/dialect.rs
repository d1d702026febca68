//! A dialect: what ODS generated, and the table of Rust callbacks that gives its ops their meaning.
//!
//! ```text
//! C++ (generated)                         Rust
//! ToyOp::verify() ── glue::verify(op) ──▶ HOOKS["toy.op"].verify(op) ──▶ Ok | Err(Diagnostic) ──▶ engine
//! ```

use crate::{
    diagnostic::{Verdict, guard},
    sys,
    tool::RegistryRef,
};
use melior::ir::{Attribute, BlockLike, OperationRef, RegionLike, ValueLike, operation::OperationLike};
use mlir_sys::{MlirAttribute, MlirDialectRegistry, MlirOperation, MlirStringRef};
use std::{ffi::c_void, sync::Once};

/// The callbacks of one op, or of a dialect's own attributes (then `name` is the dialect's).
///
/// ```ignore
/// Hooks { verify: clamp::verify, ..Hooks::new("toy.clamp") }
/// ```
pub struct Hooks {
    /// `dialect.op`, or `dialect`.
    pub name: &'static str,
    /// Runs after the checks that ODS generates, before the ops inside are verified.
    pub verify: for<'c, 'a> fn(OperationRef<'c, 'a>) -> Verdict<'c>,
    /// Runs after the ops inside were verified.
    pub verify_regions: for<'c, 'a> fn(OperationRef<'c, 'a>) -> Verdict<'c>,
    /// Names that the printer uses for the results.
    pub result_names: for<'c, 'a> fn(OperationRef<'c, 'a>) -> Vec<String>,
    /// Names that the printer uses for the arguments of the entry block of a region.
    pub argument_names: for<'c, 'a> fn(OperationRef<'c, 'a>, usize) -> Vec<String>,
    /// Verifies an attribute `dialect.something` of a function's argument or result.
    pub verify_value_attribute: for<'c, 'a> fn(ValueAttribute<'c, 'a>) -> Verdict<'c>,
}

impl Hooks {
    /// Callbacks that accept everything and name nothing.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            verify: |_| Ok(()),
            verify_regions: |_| Ok(()),
            result_names: |_| Vec::new(),
            argument_names: |_, _| Vec::new(),
            verify_value_attribute: |_| Ok(()),
        }
    }
}

/// An attribute on an argument or a result of a function.
#[derive(Clone, Copy)]
pub struct ValueAttribute<'c, 'a> {
    /// The function.
    pub op: OperationRef<'c, 'a>,
    /// Whether it is on a result.
    pub is_result: bool,
    /// Which argument or result.
    pub index: usize,
    /// The attribute's name, with the dialect's in front.
    pub name: &'a str,
    /// Its value.
    pub value: Attribute<'c>,
}

/// A dialect of the library that `mlir_glue_build::build_dialects` made.
pub struct Dialect {
    /// Its name in IR.
    pub name: &'static str,
    /// `glueRegisterDialect_<name>` of that library.
    pub register: unsafe extern "C" fn(MlirDialectRegistry),
    /// The callbacks of its ops.
    pub hooks: &'static [Hooks],
}

impl Dialect {
    /// Makes the dialect known to `registry`, and its callbacks to its ops.
    pub fn register(&'static self, registry: RegistryRef) {
        static TRAMPOLINES: Once = Once::new();
        // SAFETY: the tables are 'static.
        TRAMPOLINES.call_once(|| unsafe { sys::glueSetHooks(&HOOKS) });
        for hooks in self.hooks {
            // SAFETY: as above; the trampolines below turn the pointer back into &Hooks.
            unsafe { sys::glueRegisterHooks(sys::string_ref(hooks.name), std::ptr::from_ref(hooks).cast()) };
        }
        // SAFETY: `register` is the function that the build script generated for this dialect.
        unsafe { (self.register)(registry.to_raw()) };
    }
}

static HOOKS: sys::GlueHooks =
    sys::GlueHooks { verify, verify_regions, name_results, name_arguments, verify_value_attribute };

/// # Safety
///
/// `entry` must come from `glueRegisterHooks`.
unsafe fn hooks<'h>(entry: *const c_void) -> &'h Hooks {
    // SAFETY: only pointers to `Hooks` of 'static tables are registered.
    unsafe { &*entry.cast::<Hooks>() }
}

unsafe extern "C" fn verify(entry: *const c_void, op: MlirOperation) -> bool {
    // SAFETY: C++ calls with an entry of ours and a live op.
    let (hooks, op) = unsafe { (hooks(entry), OperationRef::from_raw(op)) };
    guard(op, || Ok((hooks.verify)(op)?))
}

unsafe extern "C" fn verify_regions(entry: *const c_void, op: MlirOperation) -> bool {
    // SAFETY: as in `verify`.
    let (hooks, op) = unsafe { (hooks(entry), OperationRef::from_raw(op)) };
    guard(op, || Ok((hooks.verify_regions)(op)?))
}

unsafe extern "C" fn name_results(entry: *const c_void, op: MlirOperation, set: *mut c_void) {
    // SAFETY: as in `verify`.
    let (hooks, op) = unsafe { (hooks(entry), OperationRef::from_raw(op)) };
    guard(op, || {
        for (name, result) in (hooks.result_names)(op).iter().zip(op.results()) {
            // SAFETY: `set` is live for the duration of this call, and C++ copies the name.
            unsafe { sys::glueSetName(set, result.to_raw(), sys::string_ref(name)) };
        }
        Ok(())
    });
}

unsafe extern "C" fn name_arguments(entry: *const c_void, op: MlirOperation, region: isize, set: *mut c_void) {
    // SAFETY: as in `verify`.
    let (hooks, op) = unsafe { (hooks(entry), OperationRef::from_raw(op)) };
    guard(op, || {
        let names = (hooks.argument_names)(op, region as usize);
        let block = op.region(region as usize).ok().and_then(|region| region.first_block());
        for (index, name) in names.iter().enumerate() {
            if let Some(argument) = block.and_then(|block| block.argument(index).ok()) {
                // SAFETY: as in `name_results`.
                unsafe { sys::glueSetName(set, argument.to_raw(), sys::string_ref(name)) };
            }
        }
        Ok(())
    });
}

unsafe extern "C" fn verify_value_attribute(
    entry: *const c_void,
    op: MlirOperation,
    is_result: bool,
    index: isize,
    name: MlirStringRef,
    value: MlirAttribute,
) -> bool {
    // SAFETY: as in `verify`; name and value belong to the context and outlive the call.
    let (hooks, op, name, value) =
        unsafe { (hooks(entry), OperationRef::from_raw(op), sys::str_of(name), Attribute::from_raw(value)) };
    guard(op, || {
        Ok((hooks.verify_value_attribute)(ValueAttribute { op, is_result, index: index as usize, name, value })?)
    })
}
