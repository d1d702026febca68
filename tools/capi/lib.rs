//! `libweft_c.so`: Weft for programs in C, or in anything that calls C. `include/weft-c/weft.h` is its documentation.

use melior::ir::OperationRef;
use mlir_glue::{Pipeline, RegistryRef, pipeline_text, run};
use mlir_sys::{MlirDialectRegistry, MlirLogicalResult, MlirOperation, MlirStringCallback, MlirStringRef};
use std::ffi::c_void;
use weft_passes::{
    gpu::ptx_of,
    ir::program,
    pipelines::{PipelineToPtx, PtxOptions},
};

/// # Safety
///
/// `text` points to `length` bytes.
unsafe fn text<'a>(text: MlirStringRef) -> Result<&'a str, String> {
    // SAFETY: by contract.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).map_err(|_| "the text is not UTF-8".to_owned())
}

/// Hands text to a callback of the caller's; a null callback ignores it.
fn send(message: &str, callback: MlirStringCallback, data: *mut c_void) {
    if let Some(callback) = callback {
        let message = MlirStringRef { data: message.as_ptr().cast(), length: message.len() };
        // SAFETY: the caller gave the callback and its data together, and copies what it keeps.
        unsafe { callback(message, data) };
    }
}

/// Success; or failure, with the message sent.
fn finish(result: Result<(), String>, callback: MlirStringCallback, data: *mut c_void) -> MlirLogicalResult {
    if let Err(message) = &result {
        send(message, callback, data);
    }
    MlirLogicalResult { value: result.is_ok().into() }
}

fn run_pipeline(module: OperationRef, pipeline: &str) -> Result<(), String> {
    run::run_pipeline(module, pipeline).map_err(|error| error.to_string())
}

/// Adds the dialects of Weft to a registry.
///
/// # Safety
///
/// `registry` must be live.
// SAFETY of the name: it is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weftRegisterDialects(registry: MlirDialectRegistry) {
    // SAFETY: by contract.
    weft_dialects::register_dialects(unsafe { RegistryRef::from_raw(registry) });
}

/// Adds all of MLIR's dialects, extensions and translations to a registry.
///
/// # Safety
///
/// `registry` must be live.
// SAFETY of the name: it is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weftRegisterUpstream(registry: MlirDialectRegistry) {
    // SAFETY: by contract.
    mlir_glue::tool::register_upstream(unsafe { RegistryRef::from_raw(registry) });
    // Named pipelines are made of MLIR's passes too.
    melior::utility::register_all_passes();
}

/// Makes the passes and pipelines of Weft known to MLIR.
// SAFETY of the name: it is ours alone.
#[unsafe(no_mangle)]
pub extern "C" fn weftRegisterPasses() {
    weft_passes::register_passes();
}

/// Runs a textual pass pipeline on a module.
///
/// # Safety
///
/// `module` must be a live `builtin.module`, `pipeline` valid text, `callback` callable with `data`.
// SAFETY of the name: it is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weftRunPipeline(
    module: MlirOperation,
    pipeline: MlirStringRef,
    callback: MlirStringCallback,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: by contract.
    let (module, pipeline) = unsafe { (OperationRef::from_raw(module), text(pipeline)) };
    finish(pipeline.and_then(|pipeline| run_pipeline(module, pipeline)), callback, data)
}

/// Compiles the programs of a module to PTX, which replaces them in the module, and sends the text.
///
/// # Safety
///
/// As [`weftRunPipeline`].
// SAFETY of the name: it is ours alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weftCompileToPtx(
    module: MlirOperation,
    chip: MlirStringRef,
    ptx: MlirStringCallback,
    error: MlirStringCallback,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: by contract.
    let (module, chip) = unsafe { (OperationRef::from_raw(module), text(chip)) };
    let compile = || {
        if program::programs(module).is_empty() {
            return Err("the module has no function with a pipeline.stage".to_owned());
        }
        let options = PtxOptions { chip: chip?.to_owned(), ..PtxOptions::default() };
        run_pipeline(module, &pipeline_text(&PipelineToPtx::expand(&options)?)?)?;
        send(&ptx_of(module), ptx, data);
        Ok(())
    };
    finish(compile(), error, data)
}
