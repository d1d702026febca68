//! A compiled program in memory, and the calls that C knows.

#![allow(unsafe_code)] // It opens libraries and calls what they have; each block says why it is sound.

use crate::{
    cpu,
    signature::{INTERFACE, Signature},
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use object::{Object as _, ObjectSymbol as _};
use std::ffi::{CStr, c_char, c_void};

/// `weft_buffer`: an image in memory, outermost dimension first. Extents and strides count elements.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    pub data: *mut c_void,
    pub interface: i16,
    pub element: i16,
    pub rank: i32,
    pub extents: [i64; 4],
    pub strides: [i64; 4],
}

type Packed = unsafe extern "C" fn(*const *mut c_void) -> i32;
type Text = unsafe extern "C" fn() -> *const c_char;

/// A program of a library.
pub struct Program {
    run: Packed,
    extents: Packed,
    /// Of programs for CPUs.
    workspace: Option<Packed>,
    /// Of programs for GPUs.
    on_gpu: Option<Packed>,
    error: Text,
    pub signature: Signature,
    // The functions are in it.
    _library: Library,
}

/// What a call is given: pointers, valid as its contract says.
pub struct Values(pub Vec<*mut c_void>);

// SAFETY: who passes them to a call says that they are valid while it runs, on whichever thread.
unsafe impl Send for Values {}
// SAFETY: as above; nothing is done through a shared reference but reading the pointers.
unsafe impl Sync for Values {}

/// What a call returned that is not 0, and why.
pub struct Refused {
    pub status: i32,
    pub message: String,
}

/// The programs of a library, by the symbols that it exports.
pub fn programs(path: &str) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("{path}: no library: {error}"))?;
    let name = |symbol: object::Symbol<'_, '_>| -> Option<String> {
        let name = symbol.name().ok()?.strip_prefix("weft_")?.strip_suffix("_signature")?;
        symbol.is_definition().then(|| name.to_owned())
    };
    let mut names: Vec<String> = file.dynamic_symbols().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// Opens a library and keeps it.
pub fn keep(path: &str) -> Result<(), String> {
    // SAFETY: what is opened are OpenMP's runtime and libraries that the package came with, whose beginnings do nothing but prepare them.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    library.map(std::mem::forget).map_err(|error| error.to_string())
}

impl Program {
    /// Opens a program.
    pub fn open(path: &str, name: &str) -> Result<Self, String> {
        // SAFETY: a library that Weft compiled does nothing when it is opened. Another file is the caller's choice, as an `import` is.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|error| error.to_string())?;
        let lacks = |symbol: &str| format!("{path}: no function {symbol}, expected a library that Weft compiled");
        let symbol = |suffix: &str| format!("weft_{name}{suffix}");
        let text = |suffix: &str| -> Result<Text, String> {
            let symbol = symbol(suffix);
            // SAFETY: functions of this name have this type: the name is Weft's, and `interface`, below, is looked at before others are called.
            unsafe { library.get::<Text>(symbol.as_bytes()) }.map(|text| *text).map_err(|_| lacks(&symbol))
        };
        let packed = |suffix: &str| -> Result<Packed, String> {
            let symbol = symbol(suffix);
            // SAFETY: as above.
            unsafe { library.get::<Packed>(symbol.as_bytes()) }.map(|packed| *packed).map_err(|_| lacks(&symbol))
        };
        let signature = text("_signature")?;
        // SAFETY: it gives a constant text that ends in NUL, in every version.
        let signature = unsafe { CStr::from_ptr(signature()) }.to_string_lossy();
        let signature: Signature =
            serde_json::from_str(&signature).map_err(|error| format!("{path}: the signature of {name}: {error}"))?;
        if signature.interface != INTERFACE {
            let found = signature.interface;
            return Err(format!("{path}: {name} has interface {found}, expected {INTERFACE}: compile it anew"));
        }
        if let Some(feature) = cpu::lacks(&signature.features) {
            let cpu = &signature.cpu;
            return Err(format!(
                "{path}: {name} was compiled for {cpu}, and this CPU has no {feature}: compile it for this one"
            ));
        }
        let (run, extents, error) = (packed("_packed")?, packed("_extents_packed")?, text("_error")?);
        let (on_gpu, workspace) = match signature.is_for_gpu() {
            true => (Some(packed("_on_gpu_packed")?), None),
            false => (None, Some(packed("_workspace_packed")?)),
        };
        Ok(Self { run, extents, workspace, on_gpu, error, signature, _library: library })
    }

    /// Fills in the extents that results must have.
    ///
    /// # Safety
    /// `values` are, in the order of the signature, pointers to a [`Buffer`] for an image and to the number for a number, then to
    /// memory for the extents of each result; all are valid while this runs.
    pub unsafe fn extents(&self, values: &Values) -> Result<(), Refused> {
        // SAFETY: by this function's own contract.
        self.finish(unsafe { (self.extents)(values.0.as_ptr()) })
    }

    /// Fills in the bytes of memory that a call takes beside its results, if it is for a CPU.
    ///
    /// # Safety
    /// As of [`Self::extents`], but memory for one number comes last.
    pub unsafe fn workspace(&self, values: &Values) -> Option<Result<(), Refused>> {
        // SAFETY: by this function's own contract.
        self.workspace.map(|workspace| self.finish(unsafe { workspace(values.0.as_ptr()) }))
    }

    /// Runs it.
    ///
    /// # Safety
    /// `values` are, in the order of the signature, pointers to a [`Buffer`] for an image and to the number for a number, then to a
    /// [`Buffer`] for each result; all are valid while this runs, and so is the memory that buffers describe.
    pub unsafe fn run(&self, values: &Values) -> Result<(), Refused> {
        // SAFETY: by this function's own contract. What is wrong with a buffer itself is found by the program.
        self.finish(unsafe { (self.run)(values.0.as_ptr()) })
    }

    /// Runs it on images in the GPU's memory, if it is for one.
    ///
    /// # Safety
    /// As of [`Self::run`], but that memory is the GPU's, which the host does not touch; the stream comes last.
    pub unsafe fn run_on_gpu(&self, values: &Values) -> Option<Result<(), Refused>> {
        // SAFETY: by this function's own contract.
        self.on_gpu.map(|on_gpu| self.finish(unsafe { on_gpu(values.0.as_ptr()) }))
    }

    fn finish(&self, status: i32) -> Result<(), Refused> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: it gives the text of this thread's last call, which ends in NUL and stays until the thread's next one.
        let message = unsafe { CStr::from_ptr((self.error)()) }.to_string_lossy().into_owned();
        Err(Refused { status, message })
    }
}
