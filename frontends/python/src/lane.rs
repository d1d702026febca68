//! Lanes: a GPU's stream, and images that lie in the host's memory and the GPU's, for work that follows on other work.
//!
//! ```text
//! lane 0   upload │ kernels          │ download      copies of one lane run beside the kernels of another:
//! lane 1            upload │ kernels          │ ...  the host's side is pinned, so that the GPU copies by itself
//! ```

#![allow(unsafe_code)] // Memory that the driver gives; each block says why it is sound.

use crate::{
    function::own_error,
    gpu::{self, Driver, done, driver, with_context},
};
use pyo3::{ffi, prelude::*};
use std::ffi::{c_int, c_void};

/// `CU_STREAM_NON_BLOCKING` and `CU_MEMHOSTALLOC_PORTABLE`.
const NON_BLOCKING: u32 = 1;
const PORTABLE: u32 = 1;

/// The GPUs of this machine: the compute capability of each, 90 for `sm_90`.
#[pyfunction]
pub fn gpus(py: Python<'_>) -> PyResult<Vec<i32>> {
    let capability = |number| gpu::capability(number).map(|[major, minor]| 10 * major + minor);
    let found = gpu::count().and_then(|count| (0..count).map(capability).collect());
    found.map_err(|message| own_error(py, "GpuError", message))
}

/// A stream of a GPU. Its own work is done in order; that of others beside.
#[pyclass(frozen, module = "weft")]
pub struct Lane {
    number: i32,
    stream: usize,
}

/// Memory of the host, which NumPy reads and writes, and as many bytes of a GPU's.
#[pyclass(frozen, module = "weft")]
pub struct Mirror {
    number: i32,
    host: usize,
    device: u64,
    bytes: usize,
}

/// Asks the driver for something, where a GPU's context is current.
fn ask(py: Python<'_>, number: i32, what: &str, act: impl FnOnce(&Driver) -> c_int + Send) -> PyResult<()> {
    let asked = move || with_context(number, || driver().map(act)).and_then(|result| result);
    let outcome = py.detach(asked).and_then(|result| done(&format!("GPU {number}: {what}"), result));
    outcome.map_err(|message| own_error(py, "GpuError", message))
}

#[pymethods]
impl Lane {
    #[new]
    fn new(py: Python<'_>, number: i32) -> PyResult<Self> {
        let mut stream = 0usize;
        let place = &raw mut stream as usize;
        // SAFETY: it fills in a pointer, which is there until it returns.
        ask(py, number, "a stream cannot be made", |driver| unsafe {
            (driver.stream_create)(place as *mut *mut c_void, NON_BLOCKING)
        })?;
        Ok(Self { number, stream })
    }

    /// The number of the GPU.
    #[getter]
    fn number(&self) -> i32 {
        self.number
    }

    /// The stream, as calls of programs take it.
    #[getter]
    fn stream(&self) -> usize {
        self.stream
    }

    /// Copies the first bytes of an image to the GPU, behind what the lane does.
    fn upload(&self, py: Python<'_>, image: &Mirror, bytes: usize) -> PyResult<()> {
        let bytes = bytes.min(image.bytes);
        // SAFETY: both sides have as many bytes, and stay as long as the image, which Python keeps until `wait`.
        ask(py, self.number, "an image cannot be copied there", |driver| unsafe {
            (driver.to_device)(image.device, image.host as *const c_void, bytes, self.stream as *mut c_void)
        })
    }

    /// Copies the first bytes of an image to the host, behind what the lane does.
    fn download(&self, py: Python<'_>, image: &Mirror, bytes: usize) -> PyResult<()> {
        let bytes = bytes.min(image.bytes);
        // SAFETY: as `upload`.
        ask(py, self.number, "an image cannot be copied back", |driver| unsafe {
            (driver.to_host)(image.host as *mut c_void, image.device, bytes, self.stream as *mut c_void)
        })
    }

    /// Waits for all that the lane does.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the stream is there as long as the lane.
        ask(py, self.number, "a kernel failed", |driver| unsafe { (driver.synchronize)(self.stream as *mut c_void) })
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let stream = self.stream as *mut c_void;
        // SAFETY: nobody else has the stream. What goes wrong here has nobody to be told to.
        _ = with_context(self.number, || driver().map(|driver| unsafe { (driver.stream_destroy)(stream) }));
    }
}

#[pymethods]
impl Mirror {
    #[new]
    fn new(py: Python<'_>, number: i32, bytes: usize) -> PyResult<Self> {
        let bytes = bytes.max(1);
        let mut made = Self { number, host: 0, device: 0, bytes };
        let (host, device) = (&raw mut made.host as usize, &raw mut made.device as usize);
        // SAFETY: it fills in an address, which is there until it returns; it is freed where what follows fails.
        ask(py, number, &format!("{bytes} bytes of the host's memory cannot be pinned"), |driver| unsafe {
            (driver.host_alloc)(host as *mut *mut c_void, bytes, PORTABLE)
        })?;
        // SAFETY: as above.
        ask(py, number, &format!("{bytes} bytes of its memory cannot be had"), |driver| unsafe {
            (driver.alloc)(device as *mut u64, bytes)
        })?;
        Ok(made)
    }

    /// Where it is in the GPU's memory.
    #[getter]
    fn address(&self) -> u64 {
        self.device
    }

    /// The host's side, as bytes.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let (host, bytes) = (slf.get().host as *mut c_void, slf.get().bytes as isize);
        // SAFETY: the memory is the image's own, of as many bytes, and there as long as the view keeps the image.
        let result = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), host, bytes, 0, flags) };
        if result == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        let (host, device) = (self.host as *mut c_void, self.device);
        let free = |driver: &Driver| {
            if device != 0 {
                // SAFETY: the driver gave it, and nobody else frees it.
                unsafe { (driver.free)(device) };
            }
            if !host.is_null() {
                // SAFETY: as above.
                unsafe { (driver.host_free)(host) };
            }
        };
        _ = with_context(self.number, || driver().map(free));
    }
}
