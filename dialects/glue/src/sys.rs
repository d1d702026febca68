//! The C interface of `cpp/Glue.h`, declared once more for Rust. Keep the two in step.

use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirModule, MlirOperation, MlirPassManager,
    MlirStringRef, MlirValue,
};
use std::ffi::{c_char, c_int, c_void};

#[repr(C)]
pub struct GlueHooks {
    pub verify: unsafe extern "C" fn(*const c_void, MlirOperation) -> bool,
    pub verify_regions: unsafe extern "C" fn(*const c_void, MlirOperation) -> bool,
    pub name_results: unsafe extern "C" fn(*const c_void, MlirOperation, *mut c_void),
    pub name_arguments: unsafe extern "C" fn(*const c_void, MlirOperation, isize, *mut c_void),
    pub verify_value_attribute:
        unsafe extern "C" fn(*const c_void, MlirOperation, bool, isize, MlirStringRef, MlirAttribute) -> bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub enum GlueOptionKind {
    Bool,
    Int,
    String,
    Choice,
}

#[repr(C)]
pub struct GlueOption {
    pub kind: GlueOptionKind,
    pub name: MlirStringRef,
    pub help: MlirStringRef,
    pub default_int: i64,
    pub default_string: MlirStringRef,
    pub choices: *const MlirStringRef,
    pub n_choices: isize,
}

#[repr(C)]
pub struct GlueStatistic {
    pub name: *const c_char,
    pub help: *const c_char,
}

#[repr(C)]
pub struct GluePass {
    pub this: *const c_void,
    pub argument: MlirStringRef,
    pub summary: MlirStringRef,
    pub anchor: MlirStringRef,
    pub dialects: unsafe extern "C" fn(MlirDialectRegistry),
    pub options: *const GlueOption,
    pub n_options: isize,
    pub statistics: *const GlueStatistic,
    pub n_statistics: isize,
    pub run: unsafe extern "C" fn(*const c_void, MlirOperation, *mut c_void, *const c_void, *const c_void) -> bool,
}

pub type Sink = Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>;
/// Takes the name and the content of a file.
pub type BufferSink = unsafe extern "C" fn(MlirStringRef, MlirStringRef, *mut c_void);

#[repr(C)]
pub struct GluePipeline {
    pub this: *const c_void,
    pub argument: MlirStringRef,
    pub summary: MlirStringRef,
    pub options: *const GlueOption,
    pub n_options: isize,
    pub expand: unsafe extern "C" fn(*const c_void, *const c_void, Sink, *mut c_void) -> bool,
}

#[repr(C)]
pub struct GlueFiles {
    pub this: *const c_void,
    pub read: unsafe extern "C" fn(*const c_void, MlirStringRef, BufferSink, *mut c_void) -> bool,
    pub write: unsafe extern "C" fn(*const c_void, MlirStringRef, MlirStringRef) -> bool,
}

unsafe extern "C" {
    pub fn glueSetHooks(hooks: *const GlueHooks);
    pub fn glueRegisterHooks(name: MlirStringRef, entry: *const c_void);
    pub fn glueSetName(set: *mut c_void, value: MlirValue, name: MlirStringRef);
    pub fn glueRegisterPass(pass: *const GluePass);
    pub fn glueRegisterPipeline(pipeline: *const GluePipeline);
    pub fn glueOptionInt(options: *const c_void, index: isize) -> i64;
    pub fn glueOptionString(options: *const c_void, index: isize) -> MlirStringRef;
    pub fn glueAddStatistic(pass: *mut c_void, index: isize, count: i64);
    pub fn glueSetSinks(manager: MlirPassManager, sinks: *const c_void);
    pub fn glueEmit(
        severity: c_int,
        location: MlirLocation,
        message: MlirStringRef,
        n_notes: isize,
        note_locations: *const MlirLocation,
        note_messages: *const MlirStringRef,
    );
    pub fn glueParseModule(context: MlirContext, text: MlirStringRef, name: MlirStringRef) -> MlirModule;
    pub fn glueAreRegionsEquivalent(a: MlirOperation, b: MlirOperation) -> bool;
    pub fn glueAreEquivalent(a: MlirOperation, b: MlirOperation) -> bool;
    pub fn glueEliminateCommon(op: MlirOperation);
    pub fn glueRegisterUpstream(registry: MlirDialectRegistry);
    pub fn glueNameValuesByLocation();
    pub fn glueOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        tool: MlirStringRef,
        registry: MlirDialectRegistry,
        files: *const GlueFiles,
        sinks: *const c_void,
    ) -> c_int;
    pub fn glueLspMain(argc: c_int, argv: *mut *mut c_char, registry: MlirDialectRegistry) -> c_int;
}

/// Lends `text` to C++; valid as long as `text` is.
pub fn string_ref(text: &str) -> MlirStringRef {
    bytes_ref(text.as_bytes())
}

/// Lends `bytes` to C++, as [`string_ref`] does.
pub fn bytes_ref(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() }
}

/// Reads a string that C++ lends.
///
/// # Safety
///
/// `text` must point to `length` bytes that outlive `'a`.
pub unsafe fn str_of<'a>(text: MlirStringRef) -> &'a str {
    // MLIR strings are bytes; what is no UTF-8 cannot name anything of ours.
    // SAFETY: by the contract of this function.
    std::str::from_utf8(unsafe { bytes_of(text) }).unwrap_or("<not UTF-8>")
}

/// Reads bytes that C++ lends.
///
/// # Safety
///
/// As [`str_of`].
pub unsafe fn bytes_of<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: by the contract of this function.
    unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) }
}
