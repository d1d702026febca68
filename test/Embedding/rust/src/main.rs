//! Weft in a Rust program: parse, fuse, print, compile to PTX.
//!
//! ```text
//! weft-embedding PROGRAM.mlir [PIPELINE]      the pipeline is fuse{strategy=all} where none is given
//! ```
//!
//! Nothing of Weft's crates is here: melior is MLIR, and Weft is five functions of a C library (`include/weft-c/weft.h`).

use melior::{Context, StringRef, dialect::DialectRegistry, ir::Module};
use mlir_sys::{MlirDialectRegistry, MlirLogicalResult, MlirOperation, MlirStringCallback, MlirStringRef};
use std::{env, error::Error, ffi::c_void, fs, process::ExitCode};

#[link(name = "weft_c")]
unsafe extern "C" {
    fn weftRegisterDialects(registry: MlirDialectRegistry);
    fn weftRegisterUpstream(registry: MlirDialectRegistry);
    fn weftRegisterPasses();
    fn weftRunPipeline(
        module: MlirOperation,
        pipeline: MlirStringRef,
        error: MlirStringCallback,
        data: *mut c_void,
    ) -> MlirLogicalResult;
    fn weftCompileToPtx(
        module: MlirOperation,
        chip: MlirStringRef,
        ptx: MlirStringCallback,
        error: MlirStringCallback,
        data: *mut c_void,
    ) -> MlirLogicalResult;
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("weft-embedding: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().ok_or("usage: weft-embedding PROGRAM.mlir [PIPELINE]")?;
    let pipeline = arguments.next().unwrap_or_else(|| "fuse{strategy=all}".to_owned());

    let registry = DialectRegistry::new();
    // SAFETY: the registry is live.
    unsafe {
        weftRegisterUpstream(registry.to_raw());
        weftRegisterDialects(registry.to_raw());
        weftRegisterPasses();
    }
    let context = Context::new_with_registry(&registry, false);

    let text = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let module = Module::parse(&context, &text).ok_or_else(|| format!("{file}: is no MLIR"))?;
    fuse(&module, &pipeline)?;
    println!("{}", module.as_operation());
    println!("{}", ptx_of(&module, "sm_90")?);
    Ok(())
}

/// Runs a textual pass pipeline.
fn fuse(module: &Module, pipeline: &str) -> Result<(), String> {
    let mut texts = Texts::default();
    // SAFETY: the module is live, and `texts` outlives the call.
    let result = unsafe {
        weftRunPipeline(
            module.as_operation().to_raw(),
            StringRef::new(pipeline).to_raw(),
            Some(Texts::add_error),
            texts.as_data(),
        )
    };
    texts.when(result)?;
    Ok(())
}

/// Compiles the programs of a module.
fn ptx_of(module: &Module, chip: &str) -> Result<String, String> {
    let mut texts = Texts::default();
    // SAFETY: as in `fuse`.
    let result = unsafe {
        weftCompileToPtx(
            module.as_operation().to_raw(),
            StringRef::new(chip).to_raw(),
            Some(Texts::add),
            Some(Texts::add_error),
            texts.as_data(),
        )
    };
    texts.when(result)
}

/// What the library says.
#[derive(Default)]
struct Texts {
    text: String,
    error: String,
}

impl Texts {
    fn as_data(&mut self) -> *mut c_void {
        (&raw mut *self).cast()
    }

    /// The text of a call that succeeded, or the error of one that did not.
    fn when(self, result: MlirLogicalResult) -> Result<String, String> {
        if result.value == 0 { Err(self.error) } else { Ok(self.text) }
    }

    unsafe extern "C" fn add(text: MlirStringRef, data: *mut c_void) {
        // SAFETY: the library hands back what `as_data` gave it, and lends the text for this call.
        unsafe { (*data.cast::<Self>()).text += &lossy(text) };
    }

    unsafe extern "C" fn add_error(text: MlirStringRef, data: *mut c_void) {
        // SAFETY: as in `add`.
        unsafe { (*data.cast::<Self>()).error += &lossy(text) };
    }
}

/// # Safety
///
/// `text` must point to `length` bytes.
unsafe fn lossy(text: MlirStringRef) -> String {
    // SAFETY: by contract.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}
