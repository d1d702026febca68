//! What compiled host code calls: MLIR's interface to GPU runtimes, on the device of the running program.
//!
//! ```text
//! %s = mgpuStreamCreate()                                a number; there is one queue
//! %m = mgpuModuleLoadJIT(text, 0)                        Device::load
//! %f = mgpuModuleGetFunction(%m, "f_g0_blur")            Device::kernel
//! mgpuLaunchKernel(%f, gx, gy, gz, bx, by, bz, shared,
//!                  %s, pointers to arguments, null, n)   Device::launch
//! mgpuMemAlloc, mgpuMemFree, mgpuMemcpy                  Device::alloc, free, copy
//! mgpuStreamSynchronize(%s)                              nothing: `Device::end` waits, and host code reads nothing in between
//! ```
//!
//! These functions have no parameter that says which program calls, so a thread remembers its running one. None of them
//! can tell of a failure either: the first is kept for the caller, and from then on they do nothing.

#![allow(unsafe_code)] // Machine code passes pointers; each block says why it is sound.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;

use super::device::Shape;
use super::state::State;
use crate::error::{Error, Result};
use crate::jit::Symbol;

thread_local! {
    static CURRENT: RefCell<Option<Rc<RefCell<State>>>> = const { RefCell::new(None) };
}

/// Runs machine code whose calls work on this state.
pub(super) fn with_state<T>(state: &Rc<RefCell<State>>, work: impl FnOnce() -> T) -> T {
    let before = CURRENT.replace(Some(state.clone()));
    let done = work();
    CURRENT.set(before);
    done
}

/// The symbols, with types as in MLIR's `CudaRuntimeWrappers.cpp`.
pub(super) fn symbols() -> [Symbol; 10] {
    [
        ("mgpuModuleLoadJIT", module_load as *const () as usize),
        ("mgpuModuleUnload", ignore as *const () as usize),
        ("mgpuModuleGetFunction", module_function as *const () as usize),
        ("mgpuLaunchKernel", launch as *const () as usize),
        ("mgpuStreamCreate", stream_create as *const () as usize),
        ("mgpuStreamDestroy", ignore as *const () as usize),
        ("mgpuStreamSynchronize", ignore as *const () as usize),
        ("mgpuMemAlloc", mem_alloc as *const () as usize),
        ("mgpuMemFree", mem_free as *const () as usize),
        ("mgpuMemcpy", mem_copy as *const () as usize),
    ]
}

/// Does something with the running program's state, unless something has failed before.
fn state<T: Default>(work: impl FnOnce(&mut State) -> Result<T>) -> T {
    let Some(state) = CURRENT.with_borrow(Clone::clone) else { return T::default() };
    let Ok(mut state) = state.try_borrow_mut() else { return T::default() };
    if state.failure.is_some() {
        return T::default();
    }
    work(&mut state).unwrap_or_else(|failure| {
        state.failure = Some(failure);
        T::default()
    })
}

/// A number as a pointer that nobody follows.
fn handle(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

/// # Safety
/// `text` ends in NUL.
unsafe extern "C" fn module_load(text: *const c_char, _optimize: c_int) -> *mut c_void {
    // SAFETY: host code passes a constant of the module, to which the lowering has added a NUL.
    let text = unsafe { CStr::from_ptr(text) };
    handle(state(|state| state.load(text)))
}

/// # Safety
/// `name` ends in NUL.
unsafe extern "C" fn module_function(module: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: host code passes a constant of the module that ends in NUL.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    handle(state(|state| state.device.kernel(module.addr(), &name)))
}

/// # Safety
/// `params` is an array of `count` pointers, each to the value of a parameter of the kernel.
#[allow(clippy::too_many_arguments, reason = "its type is MLIR's")]
unsafe extern "C" fn launch(
    kernel: *mut c_void,
    grid_x: isize,
    grid_y: isize,
    grid_z: isize,
    block_x: isize,
    block_y: isize,
    block_z: isize,
    shared: i32,
    _stream: *mut c_void,
    params: *mut *mut c_void,
    _extra: *mut *mut c_void,
    count: usize,
) {
    state(|state| {
        let extents = |[x, y, z]: [isize; 3]| {
            let extent = |n: isize| {
                u32::try_from(n).map_err(|_| {
                    Error::device(format!("a launch of {x}x{y}x{z}: found {n}, expected an extent of 32 bits"))
                })
            };
            Ok([extent(x)?, extent(y)?, extent(z)?])
        };
        let shape = Shape {
            grid: extents([grid_x, grid_y, grid_z])?,
            block: extents([block_x, block_y, block_z])?,
            shared: u32::try_from(shared).unwrap_or(0),
        };
        // SAFETY: host code passes an array on its stack; with no parameter it may pass anything.
        let params = if count == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(params, count) } };
        // SAFETY: by `GpuProgram::new`'s contract each points to a value of its parameter.
        unsafe { state.device.launch(kernel.addr(), shape, params) }
    });
}

extern "C" fn stream_create() -> *mut c_void {
    handle(1)
}

extern "C" fn ignore(_: *mut c_void) {}

extern "C" fn mem_alloc(bytes: u64, _stream: *mut c_void, _host_shared: bool) -> *mut c_void {
    handle(state(|state| {
        let bytes =
            usize::try_from(bytes).map_err(|_| Error::device(format!("{bytes} bytes do not fit into memory")))?;
        state.device.alloc(bytes)
    }) as usize)
}

extern "C" fn mem_free(address: *mut c_void, _stream: *mut c_void) {
    state(|state| state.device.free(address.addr() as u64));
}

extern "C" fn mem_copy(to: *mut c_void, from: *mut c_void, bytes: usize, _stream: *mut c_void) {
    state(|state| state.device.copy(to.addr() as u64, from.addr() as u64, bytes));
}
