//! An NVIDIA GPU as a device, through the driver's interface.
//!
//! ```text
//!            stream ──▶ copy in ─ begin ─[ kernel ]─[ kernel ]─ end ─ copy out ──▶
//!                               ▲        ▲        ▲            ▲
//!                               └ events: the GPU's own clock ─┘
//! ```
//!
//! The driver is found when it is asked for (`cudarc` loads `libcuda`), so that one build of Weft runs with and without a GPU. Everything
//! goes through one stream, in order; nobody waits before [`Device::end`]. Memory that a program frees is kept for its next
//! run, because the driver takes longer to give memory than most kernels take to run.

#![allow(unsafe_code)] // The driver's interface is C; each block says why it is sound.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null_mut, without_provenance_mut};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::device::{Device, Launched, Resources, Run, Shape};
use crate::error::{Error, Result, one_line};

/// The first GPU of this machine. `CUDA_VISIBLE_DEVICES` says which is the first.
pub struct Cuda {
    name: String,
    capability: (u32, u32),
    device: sys::CUdevice,
    stream: sys::CUstream,
    modules: Vec<sys::CUmodule>,
    kernels: Vec<Kernel>,
    /// The bytes of each allocation.
    sizes: HashMap<u64, usize>,
    /// Allocations that were freed, by size.
    spare: HashMap<usize, Vec<u64>>,
    /// Two for each launch of a run, after two for the run.
    events: Vec<sys::CUevent>,
    launches: Vec<(usize, Shape)>,
}

struct Kernel {
    module: usize,
    name: String,
    function: sys::CUfunction,
    resources: Resources,
}

/// The driver's error, about something.
fn error(what: &str, error: DriverError) -> Error {
    let text = |text: std::result::Result<&CStr, DriverError>| {
        text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_else(|_| format!("error {}", error.0 as u32))
    };
    Error::device(format!("CUDA: {what}: {} ({})", text(error.error_string()), text(error.error_name())))
}

impl Cuda {
    /// Opens the GPU.
    ///
    /// # Errors
    /// [`Error::Device`] if there is no driver, no GPU, or the driver refuses.
    pub fn open() -> Result<Cuda> {
        // SAFETY: it loads the driver's library, which is made to be loaded, and leaves it.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::device("CUDA: found no driver (libcuda.so), expected NVIDIA's"));
        }
        result::init().map_err(|e| error("the driver cannot be started", e))?;
        if result::device::get_count().map_err(|e| error("GPUs cannot be counted", e))? < 1 {
            return Err(Error::device("CUDA: found no GPU, expected one"));
        }
        let device = result::device::get(0).map_err(|e| error("the GPU cannot be opened", e))?;
        let name = result::device::get_name(device).map_err(|e| error("the GPU has no name", e))?;
        let attribute = |attribute| {
            // SAFETY: the device is one that the driver has just given.
            let value = unsafe { result::device::get_attribute(device, attribute) };
            value.map(|value| value.unsigned_abs()).map_err(|e| error("the GPU does not say what it is", e))
        };
        let capability = (
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        // SAFETY: as above; it is released when this is dropped.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(|e| error("the GPU cannot be used", e))?;
        let mut cuda = Cuda {
            name,
            capability,
            device,
            stream: null_mut(),
            modules: Vec::new(),
            kernels: Vec::new(),
            sizes: HashMap::new(),
            spare: HashMap::new(),
            events: Vec::new(),
            launches: Vec::new(),
        };
        // SAFETY: the context is the one that was just retained.
        unsafe { result::ctx::set_current(context) }.map_err(|e| error("the GPU cannot be used", e))?;
        cuda.stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|e| error("a stream cannot be made", e))?;
        Ok(cuda)
    }

    /// Its compute capability: 9, 0 for `sm_90`.
    pub fn capability(&self) -> (u32, u32) {
        self.capability
    }

    fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream was made in `open` and lives.
        unsafe { result::stream::synchronize(self.stream) }.map_err(|e| error("a kernel or a copy failed", e))
    }

    /// Records the event of this number.
    fn record(&mut self, index: usize) -> Result<()> {
        while self.events.len() <= index {
            let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT);
            self.events.push(event.map_err(|e| error("an event cannot be made", e))?);
        }
        // SAFETY: event and stream were made by the driver and live.
        unsafe { result::event::record(self.events[index], self.stream) }
            .map_err(|e| error("an event cannot be recorded", e))
    }

    /// Milliseconds between two events.
    fn elapsed(&self, from: usize, to: usize) -> Result<f64> {
        // SAFETY: both were recorded in this run and have happened, since the stream was synchronised.
        let ms = unsafe { result::event::elapsed(self.events[from], self.events[to]) };
        ms.map(f64::from).map_err(|e| error("a time cannot be read", e))
    }

    fn resources(function: sys::CUfunction) -> std::result::Result<Resources, DriverError> {
        use sys::CUfunction_attribute_enum::*;
        // SAFETY: the driver has just given the function.
        let read = |attribute| unsafe { result::function::get_function_attribute(function, attribute) };
        Ok(Resources {
            registers: read(CU_FUNC_ATTRIBUTE_NUM_REGS)?.unsigned_abs(),
            shared_bytes: read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?.unsigned_abs(),
            local_bytes: read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?.unsigned_abs(),
        })
    }
}

impl Device for Cuda {
    fn name(&self) -> &str {
        &self.name
    }

    fn alloc(&mut self, bytes: usize) -> Result<u64> {
        if let Some(address) = self.spare.get_mut(&bytes).and_then(Vec::pop) {
            return Ok(address);
        }
        // SAFETY: nothing reads the memory before something is written there, or what it reads is the program's fault. The driver
        // gives no memory of no bytes.
        let address = unsafe { result::malloc_sync(bytes.max(1)) }
            .map_err(|e| error(&format!("{bytes} bytes cannot be allocated"), e))?;
        self.sizes.insert(address, bytes);
        Ok(address)
    }

    fn upload(&mut self, bytes: &[u8]) -> Result<u64> {
        let address = self.alloc(bytes.len())?;
        if !bytes.is_empty() {
            // SAFETY: the memory has as many bytes, and the source is not gone before the copy is done.
            unsafe { result::memcpy_htod_async(address, bytes, self.stream) }
                .map_err(|e| error("an argument cannot be copied", e))?;
            self.synchronize()?;
        }
        Ok(address)
    }

    fn free(&mut self, address: u64) -> Result<()> {
        // What comes later in the stream may use it again at once.
        match self.sizes.get(&address) {
            Some(bytes) => self.spare.entry(*bytes).or_default().push(address),
            None => return Err(Error::device(format!("CUDA: found no allocated memory at {address:#x} to free"))),
        }
        Ok(())
    }

    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<()> {
        if !bytes.is_empty() {
            // SAFETY: the target is not gone before the copy is done. The driver refuses a source that is not allocated.
            unsafe { result::memcpy_dtoh_async(bytes, address, self.stream) }
                .map_err(|e| error("a result cannot be copied", e))?;
        }
        self.synchronize()
    }

    fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: both are addresses of the device; the driver refuses what is not allocated.
        unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream) }
            .map_err(|e| error("a tensor cannot be copied", e))
    }

    fn unwritten(&mut self, _address: u64, _bytes: usize) -> Result<usize> {
        Ok(0)
    }

    fn load(&mut self, ptx: &CStr) -> Result<usize> {
        use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        let mut log = vec![0u8; 8192];
        let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), without_provenance_mut(log.len())];
        let mut module = null_mut();
        // SAFETY: the text ends in NUL; the options are two, the values have their types, and the log is as long as said.
        let loaded = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                ptx.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        loaded.result().map_err(|e| {
            let log = CStr::from_bytes_until_nul(&log).map(|log| one_line(&log.to_string_lossy())).unwrap_or_default();
            match error("the PTX cannot be loaded", e) {
                Error::Device { reason } if !log.is_empty() => Error::device(format!("{reason}: {log}")),
                other => other,
            }
        })?;
        self.modules.push(module);
        Ok(self.modules.len() - 1)
    }

    fn kernel(&mut self, module: usize, name: &str) -> Result<usize> {
        if let Some(found) = self.kernels.iter().position(|other| other.module == module && other.name == name) {
            return Ok(found);
        }
        let (Some(handle), Ok(symbol)) = (self.modules.get(module), CString::new(name)) else {
            return Err(Error::device(format!("CUDA: found no module with a kernel {name}")));
        };
        // SAFETY: the module was loaded above and is not unloaded before this is dropped.
        let function = unsafe { result::module::get_function(*handle, symbol) };
        let found = function.and_then(|function| Ok((function, Self::resources(function)?)));
        let (function, resources) = found.map_err(|e| error(&format!("kernel {name} cannot be used"), e))?;
        self.kernels.push(Kernel { module, name: name.to_owned(), function, resources });
        Ok(self.kernels.len() - 1)
    }

    unsafe fn launch(&mut self, kernel: usize, shape: Shape, params: &mut [*mut c_void]) -> Result<()> {
        let Some(Kernel { name, function, .. }) = self.kernels.get(kernel) else {
            return Err(Error::device("CUDA: found no such kernel"));
        };
        let (function, what) = (*function, format!("kernel {name} cannot be launched"));
        if shape.shared > 0 {
            let most = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = i32::try_from(shape.shared).unwrap_or(i32::MAX);
            // SAFETY: the function's module is loaded.
            unsafe { result::function::set_function_attribute(function, most, bytes) }.map_err(|e| error(&what, e))?;
        }
        let first = 2 + 2 * self.launches.len();
        self.record(first)?;
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        // SAFETY: the function's module is loaded. By this function's contract the pointers are to values of its parameters, which the
        // driver copies before it returns.
        unsafe { result::launch_kernel(function, (gx, gy, gz), (bx, by, bz), shape.shared, self.stream, params) }
            .map_err(|e| error(&what, e))?;
        self.launches.push((kernel, shape));
        self.record(first + 1)
    }

    fn begin(&mut self) -> Result<()> {
        self.launches.clear();
        self.record(0)
    }

    fn end(&mut self) -> Result<Run> {
        self.record(1)?;
        self.synchronize()?;
        let launched = |(index, (kernel, shape)): (usize, &(usize, Shape))| {
            let Kernel { name, resources, .. } = &self.kernels[*kernel];
            Ok(Launched {
                kernel: name.clone(),
                shape: *shape,
                ms: self.elapsed(2 + 2 * index, 3 + 2 * index)?,
                counters: None,
                resources: Some(*resources),
                estimate: None,
                reports: Vec::new(),
            })
        };
        let launches = self.launches.iter().enumerate().map(launched).collect::<Result<_>>()?;
        Ok(Run { launches, ms: self.elapsed(0, 1)? })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // After a kernel that failed the driver refuses all of this, and has let everything go itself.
        // SAFETY: each was made by the driver, is released once, and nothing uses it any more once the stream is idle.
        unsafe {
            if !self.stream.is_null() {
                let _ = result::stream::synchronize(self.stream);
            }
            for event in &self.events {
                let _ = result::event::destroy(*event);
            }
            for address in self.sizes.keys() {
                let _ = result::free_sync(*address);
            }
            for module in &self.modules {
                let _ = result::module::unload(*module);
            }
            if !self.stream.is_null() {
                let _ = result::stream::destroy(self.stream);
            }
            let _ = result::primary_ctx::release(self.device);
        }
    }
}
