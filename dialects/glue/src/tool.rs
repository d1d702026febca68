//! The main functions of MLIR's tools, with our dialects in them, and the entry points of a plugin.

use crate::{
    sinks::Sinks,
    sys::{self, BufferSink, GlueFiles},
};
use melior::dialect::{DialectHandle, DialectRegistry};
use mlir_sys::{
    MlirDialectRegistry, MlirStringRef, mlirDialectHandleInsertDialect, mlirGetDialectHandle__math__,
    mlirGetDialectHandle__nvvm__, mlirGetDialectHandle__omp__, mlirGetDialectHandle__vector__,
};
use std::{
    ffi::{CString, OsString, c_char, c_int, c_void},
    marker::PhantomData,
    os::unix::ffi::OsStringExt,
};

/// A registry of dialects that somebody else owns: a melior `DialectRegistry`, or the one that `mlir-opt` lends to a
/// plugin.
#[derive(Debug, Clone, Copy)]
pub struct RegistryRef<'a> {
    raw: MlirDialectRegistry,
    _owner: PhantomData<&'a DialectRegistry>,
}

impl RegistryRef<'_> {
    /// Borrows a registry.
    ///
    /// # Safety
    ///
    /// `raw` must be live for as long as the reference is used.
    pub const unsafe fn from_raw(raw: MlirDialectRegistry) -> Self {
        Self { raw, _owner: PhantomData }
    }

    /// Adds upstream dialects.
    pub fn insert(self, dialects: &[DialectHandle]) {
        for dialect in dialects {
            // SAFETY: both are live.
            unsafe { mlirDialectHandleInsertDialect(dialect.to_raw(), self.raw) };
        }
    }

    /// The C handle.
    pub const fn to_raw(self) -> MlirDialectRegistry {
        self.raw
    }
}

impl<'a> From<&'a DialectRegistry> for RegistryRef<'a> {
    fn from(registry: &'a DialectRegistry) -> Self {
        Self { raw: registry.to_raw(), _owner: PhantomData }
    }
}

/// The dialect `math`, which melior has no handle for.
pub fn math() -> DialectHandle {
    // SAFETY: the function gives a handle that lives as long as the process.
    unsafe { DialectHandle::from_raw(mlirGetDialectHandle__math__()) }
}

/// The dialect `nvvm`, which melior has no handle for.
pub fn nvvm() -> DialectHandle {
    // SAFETY: the function gives a handle that lives as long as the process.
    unsafe { DialectHandle::from_raw(mlirGetDialectHandle__nvvm__()) }
}

/// The dialect `omp`, which melior has no handle for.
pub fn omp() -> DialectHandle {
    // SAFETY: the function gives a handle that lives as long as the process.
    unsafe { DialectHandle::from_raw(mlirGetDialectHandle__omp__()) }
}

/// The dialect `vector`, which melior has no handle for.
pub fn vector() -> DialectHandle {
    // SAFETY: the function gives a handle that lives as long as the process.
    unsafe { DialectHandle::from_raw(mlirGetDialectHandle__vector__()) }
}

/// Adds every upstream dialect, extension and translation to LLVM IR to a registry.
pub fn register_upstream(registry: RegistryRef) {
    // SAFETY: the registry is live.
    unsafe { sys::glueRegisterUpstream(registry.to_raw()) };
}

/// Lets MLIR print a value under the name of its location in this process, if it has one as `Location::name` makes them, before
/// the name that its op would give it. This is the default of `--mlir-use-nameloc-as-prefix`, which can still say
/// `false`. For main functions, before anything is printed.
pub fn name_values_by_location() {
    // SAFETY: an option of LLVM's is registered, once, and gets another default.
    unsafe { sys::glueNameValuesByLocation() };
}

/// What a driver reads.
pub struct Input {
    /// What it is called in locations.
    pub name: String,
    /// IR, as text or as bytecode.
    pub content: Vec<u8>,
}

/// Where a driver reads and writes, in place of MLIR's own ways. Either prints itself what goes wrong.
pub trait Files {
    /// What the command line names, `-` being stdin.
    fn read(&self, name: &str) -> Option<Input>;
    /// Writes what the command line names, `-` being stdout; whether that went well.
    fn write(&self, name: &str, content: &[u8]) -> bool;
}

/// `mlir-opt` under the name `tool`, with these arguments, the program's name first. Returns the exit code.
pub fn opt_main(tool: &str, registry: RegistryRef, arguments: impl Iterator<Item = OsString>) -> i32 {
    // SAFETY: `with_arguments` gives a C argument vector that outlives the call.
    with_arguments(arguments, |argc, argv| unsafe {
        sys::glueOptMain(argc, argv, sys::string_ref(tool), registry.to_raw(), std::ptr::null(), std::ptr::null())
    })
}

/// [`opt_main`] with other files, and sinks for what passes report.
pub fn opt_main_with(
    tool: &str,
    registry: RegistryRef,
    arguments: impl Iterator<Item = OsString>,
    files: &impl Files,
    sinks: &Sinks,
) -> i32 {
    let sinks = std::ptr::from_ref(sinks).cast();
    let files = described(files);
    // SAFETY: as in `opt_main`; files and sinks outlive the call, too.
    with_arguments(arguments, |argc, argv| unsafe {
        sys::glueOptMain(argc, argv, sys::string_ref(tool), registry.to_raw(), &files, sinks)
    })
}

fn described<F: Files>(files: &F) -> GlueFiles {
    unsafe extern "C" fn read<F: Files>(
        this: *const c_void,
        name: MlirStringRef,
        sink: BufferSink,
        data: *mut c_void,
    ) -> bool {
        // SAFETY: `this` is what is below; C++ lends the name.
        let read = unsafe { (*this.cast::<F>()).read(sys::str_of(name)) };
        // SAFETY: `sink` and `data` are C++'s; it copies both texts before it returns.
        read.map(|Input { name, content }| unsafe { sink(sys::string_ref(&name), sys::bytes_ref(&content), data) })
            .is_some()
    }
    unsafe extern "C" fn write<F: Files>(this: *const c_void, name: MlirStringRef, content: MlirStringRef) -> bool {
        // SAFETY: as in `read`.
        unsafe { (*this.cast::<F>()).write(sys::str_of(name), sys::bytes_of(content)) }
    }
    GlueFiles { this: std::ptr::from_ref(files).cast(), read: read::<F>, write: write::<F> }
}

/// `mlir-lsp-server`. Returns the exit code.
pub fn lsp_main(registry: RegistryRef) -> i32 {
    // SAFETY: as in `opt_main`.
    with_arguments(std::env::args_os(), |argc, argv| unsafe { sys::glueLspMain(argc, argv, registry.to_raw()) })
}

fn with_arguments(
    arguments: impl Iterator<Item = OsString>,
    main: impl FnOnce(c_int, *mut *mut c_char) -> c_int,
) -> i32 {
    // Arguments come from execve, so none has a NUL inside, and `ok` drops nothing.
    let arguments: Vec<CString> = arguments.filter_map(|arg| CString::new(arg.into_vec()).ok()).collect();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|arg| arg.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    main(arguments.len() as c_int, pointers.as_mut_ptr())
}

/// What `mlir-opt --load-dialect-plugin` asks a library for (`mlir/Tools/Plugins/DialectPlugin.h`).
#[repr(C)]
pub struct DialectPluginInfo {
    /// Version of the plugin interface.
    pub api: u32,
    /// The plugin's name.
    pub name: *const c_char,
    /// The plugin's version.
    pub version: *const c_char,
    /// Fills a registry.
    pub register: extern "C" fn(MlirDialectRegistryPointer),
}

/// What `mlir-opt --load-pass-plugin` asks a library for (`mlir/Tools/Plugins/PassPlugin.h`).
#[repr(C)]
pub struct PassPluginInfo {
    /// Version of the plugin interface.
    pub api: u32,
    /// The plugin's name.
    pub name: *const c_char,
    /// The plugin's version.
    pub version: *const c_char,
    /// Registers the passes.
    pub register: extern "C" fn(),
}

/// A C++ `DialectRegistry *`.
pub type MlirDialectRegistryPointer = *mut std::ffi::c_void;

/// Runs `register` on the registry that `mlir-opt` hands to a plugin.
///
/// # Safety
///
/// `registry` must be the pointer that the plugin callback got.
pub unsafe fn with_plugin_registry(registry: MlirDialectRegistryPointer, register: impl FnOnce(RegistryRef)) {
    // SAFETY: by contract; the host keeps the registry alive during the callback.
    register(unsafe { RegistryRef::from_raw(MlirDialectRegistry { ptr: registry }) });
}

/// Defines the entry points that make a cdylib a plugin of stock `mlir-opt`, for dialects and for passes.
///
/// ```ignore
/// mlir_glue::plugin!(c"toy", register_dialects, register_passes);
/// ```
#[macro_export]
macro_rules! plugin {
    ($name:literal, $dialects:path, $passes:path) => {
        extern "C" fn plugin_dialects(registry: $crate::tool::MlirDialectRegistryPointer) {
            // SAFETY: the host calls this with its registry.
            unsafe { $crate::tool::with_plugin_registry(registry, $dialects) };
        }

        extern "C" fn plugin_passes() {
            $passes();
        }

        /// Found by `mlir-opt --load-dialect-plugin`.
        // SAFETY: the name and the type are those that MLIR's plugin loader looks up.
        #[unsafe(no_mangle)]
        pub extern "C" fn mlirGetDialectPluginInfo() -> $crate::tool::DialectPluginInfo {
            $crate::tool::DialectPluginInfo {
                api: 1,
                name: $name.as_ptr(),
                version: c"0.1.0".as_ptr(),
                register: plugin_dialects,
            }
        }

        /// Found by `mlir-opt --load-pass-plugin`.
        // SAFETY: as above.
        #[unsafe(no_mangle)]
        pub extern "C" fn mlirGetPassPluginInfo() -> $crate::tool::PassPluginInfo {
            $crate::tool::PassPluginInfo {
                api: 1,
                name: $name.as_ptr(),
                version: c"0.1.0".as_ptr(),
                register: plugin_passes,
            }
        }
    };
}
