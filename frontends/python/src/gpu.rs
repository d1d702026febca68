//! NVIDIA's driver, as far as calls on images in a GPU's memory need it: which GPU an address is of, what that is, and its context; and what
//! [lanes](crate::lane) are made of.
//!
//! The context is the GPU's primary one, in which torch, CuPy and Numba allocate. It is made current for a call, so that any thread may
//! call with images of any GPU.

#![allow(unsafe_code)] // Calls of the driver; each block says why it is sound.

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::{
    collections::HashMap,
    ffi::{c_int, c_uint, c_void},
    ptr::null_mut,
    sync::{Mutex, OnceLock, PoisonError},
};

/// `CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL`.
const ORDINAL: c_int = 9;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `_MINOR`.
const CAPABILITY: [c_int; 2] = [75, 76];

/// Its functions, with the types of `cuda.h`.
pub struct Driver {
    pointer_attribute: unsafe extern "C" fn(*mut c_void, c_int, u64) -> c_int,
    device: unsafe extern "C" fn(*mut c_int, c_int) -> c_int,
    device_attribute: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int,
    retain: unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int,
    push: unsafe extern "C" fn(*mut c_void) -> c_int,
    pop: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    device_count: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub stream_create: unsafe extern "C" fn(*mut *mut c_void, c_uint) -> c_int,
    pub stream_destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub synchronize: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub host_alloc: unsafe extern "C" fn(*mut *mut c_void, usize, c_uint) -> c_int,
    pub host_free: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub alloc: unsafe extern "C" fn(*mut u64, usize) -> c_int,
    pub free: unsafe extern "C" fn(u64) -> c_int,
    pub to_device: unsafe extern "C" fn(u64, *const c_void, usize, *mut c_void) -> c_int,
    pub to_host: unsafe extern "C" fn(*mut c_void, u64, usize, *mut c_void) -> c_int,
    // The functions are in it.
    _library: Library,
}

/// The driver, opened once.
pub fn driver() -> Result<&'static Driver, String> {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    if let Some(driver) = DRIVER.get() {
        return Ok(driver);
    }
    let failed = |error: libloading::Error| format!("CUDA: found no driver: {error}");
    // SAFETY: the driver's library does nothing when it is opened but prepare itself.
    let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL) }.map_err(failed)?;
    macro_rules! function {
        ($name:literal) => {
            // SAFETY: the driver's function of this name has the type of the field.
            *unsafe { library.get($name) }.map_err(failed)?
        };
    }
    let init: unsafe extern "C" fn(c_uint) -> c_int = function!(b"cuInit");
    // SAFETY: it takes no flags, and may be called again.
    done("the driver cannot be started", unsafe { init(0) })?;
    let driver = Driver {
        pointer_attribute: function!(b"cuPointerGetAttribute"),
        device: function!(b"cuDeviceGet"),
        device_attribute: function!(b"cuDeviceGetAttribute"),
        retain: function!(b"cuDevicePrimaryCtxRetain"),
        push: function!(b"cuCtxPushCurrent_v2"),
        pop: function!(b"cuCtxPopCurrent_v2"),
        device_count: function!(b"cuDeviceGetCount"),
        stream_create: function!(b"cuStreamCreate"),
        stream_destroy: function!(b"cuStreamDestroy_v2"),
        synchronize: function!(b"cuStreamSynchronize"),
        host_alloc: function!(b"cuMemHostAlloc"),
        host_free: function!(b"cuMemFreeHost"),
        alloc: function!(b"cuMemAlloc_v2"),
        free: function!(b"cuMemFree_v2"),
        to_device: function!(b"cuMemcpyHtoDAsync_v2"),
        to_host: function!(b"cuMemcpyDtoHAsync_v2"),
        _library: library,
    };
    Ok(DRIVER.get_or_init(|| driver))
}

/// What a function of the driver returned, as a message.
pub fn done(what: &str, result: c_int) -> Result<(), String> {
    if result == 0 { Ok(()) } else { Err(format!("CUDA: {what}: error {result} of the driver")) }
}

/// The number of the GPU whose memory an address is in. Images without points, whose address is 0, are as well on the first.
pub fn number_of(address: u64) -> Result<i32, String> {
    if address == 0 {
        return Ok(0);
    }
    let mut number = 0;
    // SAFETY: it fills in a number; the address is not read.
    let result = unsafe { (driver()?.pointer_attribute)((&raw mut number).cast(), ORDINAL, address) };
    done(&format!("{address:#x} is in no GPU's memory"), result).map(|()| number)
}

/// How many GPUs there are.
pub fn count() -> Result<i32, String> {
    let mut count = 0;
    // SAFETY: it fills in a number.
    let result = unsafe { (driver()?.device_count)(&raw mut count) };
    done("how many GPUs there are cannot be asked", result).map(|()| count)
}

impl Driver {
    fn device(&self, number: i32) -> Result<c_int, String> {
        let mut device = 0;
        // SAFETY: it fills in a number.
        let result = unsafe { (self.device)(&raw mut device, number) };
        done(&format!("GPU {number} cannot be opened"), result).map(|()| device)
    }

    /// A GPU's primary context, which is kept.
    fn context(&self, number: i32) -> Result<*mut c_void, String> {
        static CONTEXTS: Mutex<Option<HashMap<i32, usize>>> = Mutex::new(None);
        let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        let contexts = contexts.get_or_insert_default();
        if let Some(known) = contexts.get(&number) {
            return Ok(*known as *mut c_void);
        }
        let device = self.device(number)?;
        let mut context = null_mut();
        // SAFETY: it fills in a pointer.
        let result = unsafe { (self.retain)(&raw mut context, device) };
        done(&format!("GPU {number} cannot be used"), result)?;
        contexts.insert(number, context as usize);
        Ok(context)
    }
}

/// A GPU's compute capability: 9 and 0 for `sm_90`.
pub fn capability(number: i32) -> Result<[i32; 2], String> {
    let driver = driver()?;
    let device = driver.device(number)?;
    let mut found = [0; 2];
    for (value, attribute) in found.iter_mut().zip(CAPABILITY) {
        // SAFETY: it fills in a number.
        let result = unsafe { (driver.device_attribute)(&raw mut *value, attribute, device) };
        done(&format!("what GPU {number} is cannot be asked"), result)?;
    }
    Ok(found)
}

/// Does something where a GPU's primary context is the thread's current one.
pub fn with_context<T>(number: i32, act: impl FnOnce() -> T) -> Result<T, String> {
    let driver = driver()?;
    let context = driver.context(number)?;
    // SAFETY: the context is there as long as the process, and is taken from the thread again below.
    done(&format!("GPU {number} cannot be used"), unsafe { (driver.push)(context) })?;
    let result = act();
    let mut popped = null_mut();
    // SAFETY: it fills in a pointer. What it took is what was pushed: calls of programs leave the thread's contexts as they are.
    unsafe { (driver.pop)(&raw mut popped) };
    Ok(result)
}
