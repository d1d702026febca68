//! Programs that launch kernels: their host code runs here, their memory and their kernels are a [`Device`]'s.
//!
//! ```text
//! pipeline-run            this module                       compiled host code             a device
//!   img.png  ──upload──▶  DeviceBuffer ── descriptor ─▶  @f(img, out):
//!                                                            checks of extents
//!                                                            mgpuMemAlloc(bytes)    ──▶  alloc
//!                                                            mgpuLaunchKernel(...)  ──▶  launch
//!   out.png  ◀─download─  DeviceBuffer                       mgpuMemFree(address)   ──▶  free
//! ```
//!
//! Host code passes addresses of the device on and never reads what is there, so a device may use any numbers it likes: [`Simt`]
//! gives addresses of the SIMT executor's own memory, [`Cuda`] those of the driver. What host code calls is MLIR's interface to
//! GPU runtimes (`mgpu*`, in `calls`).

mod calls;
mod cuda;
mod simt;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};
use std::rc::Rc;

use inkwell::context::Context;
use inkwell::module::Module;

use crate::buffer::{Buffer, Element, MemRef};
use crate::entry::{Entry, Given, Scalar};
use crate::error::{Error, Result};
use crate::jit::{Jit, Optimize, Parameter, parse_llvm_ir};
use crate::simt::{Counters, Report};

pub use cuda::Cuda;
pub use simt::Simt;

/// A machine that runs kernels and has memory of its own.
///
/// Work is done in the order in which it is asked for, but perhaps later: what goes wrong may be told by a later call, at the latest by
/// [`Device::end`].
#[allow(unsafe_code)] // It declares an unsafe function, for the implementations to justify.
pub trait Device {
    /// What it is, in a few words.
    fn name(&self) -> &str;

    /// Allocates memory that nobody has written.
    ///
    /// # Errors
    /// All functions here: [`Error::Device`].
    fn alloc(&mut self, bytes: usize) -> Result<u64>;

    /// Allocates memory with these contents.
    fn upload(&mut self, bytes: &[u8]) -> Result<u64>;

    /// Frees memory that [`Device::alloc`] or [`Device::upload`] gave.
    fn free(&mut self, address: u64) -> Result<()>;

    /// Copies memory out, when all is done that was asked for.
    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<()>;

    /// Copies memory on the device.
    fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<()>;

    /// How many of these bytes nobody has written; 0 where the device does not know.
    fn unwritten(&mut self, address: u64, bytes: usize) -> Result<usize>;

    /// Makes kernels of PTX text; the number of the module.
    fn load(&mut self, ptx: &CStr) -> Result<usize>;

    /// Finds a kernel in a module; its number.
    fn kernel(&mut self, module: usize, name: &str) -> Result<usize>;

    /// Runs a kernel.
    ///
    /// # Safety
    /// Each of `params` points to the value of one parameter of the kernel, of at least its size.
    unsafe fn launch(&mut self, kernel: usize, shape: Shape, params: &mut [*mut c_void]) -> Result<()>;

    /// Says that a run of a program begins.
    fn begin(&mut self) -> Result<()>;

    /// Waits until all is done; what was launched since [`Device::begin`].
    fn end(&mut self) -> Result<Run>;
}

/// How many threads run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of shared memory besides those that the kernel declares.
    pub shared: u32,
}

/// What a kernel occupies on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Bytes of local memory of a thread: spills and indexed arrays.
    pub local_bytes: u32,
}

/// One launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// The kernel's name.
    pub kernel: String,
    /// How many threads.
    pub shape: Shape,
    /// How long it took, in milliseconds, by the device's own clock if it has one.
    pub ms: f64,
    /// What it cost, where that is counted.
    pub counters: Option<Counters>,
    /// What it occupies, where that is known.
    pub resources: Option<Resources>,
    /// What went wrong. Nothing is launched after a kernel with a report.
    pub reports: Vec<Report>,
}

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// In order.
    pub launches: Vec<Launched>,
    /// From the first launch to the end of the last, in milliseconds, by the device's own clock if it has one.
    pub ms: f64,
}

impl Run {
    /// Everything that went wrong, with the kernel's name.
    pub fn reports(&self) -> impl Iterator<Item = (&str, &Report)> {
        self.launches.iter().flat_map(|launch| launch.reports.iter().map(|report| (launch.kernel.as_str(), report)))
    }
}

/// A tensor in the memory of a device. It lives as long as the program that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceBuffer {
    address: u64,
    element: Element,
    shape: Vec<usize>,
}

impl DeviceBuffer {
    fn parameter(&self) -> Parameter<'_> {
        Parameter::Descriptor(MemRef::new(self.address, &self.shape))
    }

    /// How many elements it has.
    pub fn points(&self) -> usize {
        self.shape.iter().product()
    }

    /// How many bytes it has.
    pub fn byte_size(&self) -> usize {
        self.element.size() * self.points()
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub enum GpuArgument<'a> {
    /// A tensor to read.
    Tensor(&'a DeviceBuffer),
    /// A number.
    Scalar(Scalar),
}

impl GpuArgument<'_> {
    fn given(&self) -> Given {
        match self {
            GpuArgument::Tensor(buffer) => Given::Tensor(Given::of(buffer.element, &buffer.shape)),
            GpuArgument::Scalar(scalar) => Given::Number(scalar.kind()),
        }
    }

    fn parameter(&self) -> Parameter<'_> {
        match self {
            GpuArgument::Tensor(buffer) => buffer.parameter(),
            GpuArgument::Scalar(scalar) => Parameter::from(*scalar),
        }
    }
}

/// What host code finds when it calls: the device, and what has gone wrong so far. After a failure every call does nothing.
struct State {
    device: Box<dyn Device>,
    /// Kernels to load in place of the module's own.
    ptx: Option<String>,
    failure: Option<Error>,
}

/// Host code, compiled for this process, and the device that it works with.
pub struct GpuProgram {
    jit: Jit,
    state: Rc<RefCell<State>>,
}

#[allow(unsafe_code)] // It calls machine code; each block says why it is sound.
impl GpuProgram {
    /// Compiles host code and loads its kernels; those of `ptx`, if given, in place of the module's own. See
    /// [`CpuProgram::new`](crate::CpuProgram::new).
    ///
    /// # Safety
    /// Host code is trusted as in [`CpuProgram::new`](crate::CpuProgram::new), except that descriptors describe the device's memory, which it
    /// only passes on to `mgpu*` functions. Launches must pass a value for each parameter of a kernel.
    ///
    /// # Errors
    /// Those of [`CpuProgram::new`](crate::CpuProgram::new), and [`Error::Device`] for kernels that the device does not accept.
    pub unsafe fn new(
        device: Box<dyn Device>,
        entries: &[Entry],
        ptx: Option<String>,
        build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, String>,
    ) -> Result<GpuProgram> {
        // Host code does a few checks and calls; nothing is gained by optimising it.
        // SAFETY: the caller vouches for the module, and `calls` for its symbols.
        let jit = unsafe { Jit::new(entries, Optimize::Reference, &calls::symbols(), build) }?;
        let program = GpuProgram { jit, state: Rc::new(RefCell::new(State { device, ptx, failure: None })) };
        program.guarded(|| program.jit.run_constructors())?;
        Ok(program)
    }

    /// Compiles host code from LLVM assembly text. See [`GpuProgram::new`].
    ///
    /// # Safety
    /// That of [`GpuProgram::new`].
    pub unsafe fn from_llvm_ir(device: Box<dyn Device>, entries: &[Entry], text: &str) -> Result<GpuProgram> {
        // SAFETY: the caller vouches for the module.
        unsafe { GpuProgram::new(device, entries, None, |context| parse_llvm_ir(context, text)) }
    }

    /// Does something with the device.
    fn with<T>(&self, work: impl FnOnce(&mut dyn Device) -> Result<T>) -> Result<T> {
        match self.state.try_borrow_mut() {
            Ok(mut state) => work(&mut *state.device),
            Err(_) => Err(Error::device("the device is in use")),
        }
    }

    /// Runs machine code, and gives the first failure of what it called.
    fn guarded<T>(&self, work: impl FnOnce() -> T) -> Result<T> {
        let done = calls::with_state(&self.state, work);
        match self.state.try_borrow_mut().ok().and_then(|mut state| state.failure.take()) {
            Some(failure) => Err(failure),
            None => Ok(done),
        }
    }

    /// The device's name.
    pub fn device(&self) -> String {
        self.state.borrow().device.name().to_owned()
    }

    /// Copies a tensor to the device.
    ///
    /// # Errors
    /// [`Error::Device`], here and below.
    pub fn upload(&self, buffer: &Buffer) -> Result<DeviceBuffer> {
        let address = self.with(|device| device.upload(buffer.bytes()))?;
        Ok(DeviceBuffer { address, element: buffer.element(), shape: buffer.shape().to_vec() })
    }

    /// Allocates a tensor on the device, which nobody has written.
    pub fn alloc(&self, element: Element, shape: &[usize]) -> Result<DeviceBuffer> {
        let mut buffer = DeviceBuffer { address: 0, element, shape: shape.to_vec() };
        buffer.address = self.with(|device| device.alloc(buffer.byte_size()))?;
        Ok(buffer)
    }

    /// Copies a tensor from the device.
    pub fn download(&self, buffer: &DeviceBuffer) -> Result<Buffer> {
        let mut copy = Buffer::zeros(buffer.element, &buffer.shape);
        self.with(|device| device.download(buffer.address, copy.bytes_mut()))?;
        Ok(copy)
    }

    /// How many bytes of a tensor nobody has written, if the device knows.
    pub fn unwritten(&self, buffer: &DeviceBuffer) -> Result<usize> {
        self.with(|device| device.unwritten(buffer.address, buffer.byte_size()))
    }

    /// The extents that the results will have for these arguments.
    ///
    /// # Errors
    /// Those of [`CpuProgram::result_shapes`](crate::CpuProgram::result_shapes).
    pub fn result_shapes(&self, name: &str, arguments: &[GpuArgument<'_>]) -> Result<Vec<Vec<usize>>> {
        let function = self.jit.function(name)?;
        function.entry.check_inputs(&arguments.iter().map(GpuArgument::given).collect::<Vec<_>>())?;
        // SAFETY: the arguments fit the entry's types; what computes extents reads no tensor.
        unsafe { function.result_shapes(arguments.iter().map(GpuArgument::parameter).collect()) }
    }

    /// Allocates a place for each result.
    ///
    /// # Errors
    /// Those of [`GpuProgram::result_shapes`] and [`GpuProgram::alloc`].
    pub fn places(&self, name: &str, arguments: &[GpuArgument<'_>]) -> Result<Vec<DeviceBuffer>> {
        let shapes = self.result_shapes(name, arguments)?;
        let results = &self.jit.function(name)?.entry.results;
        results.iter().zip(&shapes).map(|(result, shape)| self.alloc(result.element, shape)).collect()
    }

    /// Calls a function with arguments and places for its results, and waits for its kernels.
    ///
    /// # Errors
    /// [`Error::Call`] if there is no such function or an argument does not fit its type, [`Error::Check`] if the program refuses the
    /// arguments, and [`Error::Device`].
    pub fn call(&self, name: &str, arguments: &[GpuArgument<'_>], results: &[DeviceBuffer]) -> Result<Run> {
        let function = self.jit.function(name)?;
        let mut given: Vec<Given> = arguments.iter().map(GpuArgument::given).collect();
        given.extend(results.iter().map(|result| Given::Place(Given::of(result.element, &result.shape))));
        function.entry.check(&given)?;
        let mut parameters: Vec<Parameter<'_>> = arguments.iter().map(GpuArgument::parameter).collect();
        parameters.extend(results.iter().map(DeviceBuffer::parameter));
        self.with(|device| device.begin())?;
        // SAFETY: arguments and results fit the entry's types. Host code itself touches no tensor; kernels do, which the
        // device answers for.
        self.guarded(|| unsafe { function.call(parameters) })??;
        self.with(|device| device.end())
    }
}

impl State {
    /// Loads kernels: the module's own, or those that stand in for them.
    fn load(&mut self, own: &CStr) -> Result<usize> {
        let Some(ptx) = &self.ptx else { return self.device.load(own) };
        let signatures = |text: &str| {
            crate::simt::signatures(text).map_err(|error| Error::device(format!("the PTX cannot be loaded: {error}")))
        };
        let theirs = signatures(ptx)?;
        // Host code is not changed, so every kernel must still take what it passes.
        for (kernel, expected) in signatures(&own.to_string_lossy())? {
            let show = |sizes: &[u64]| format!("parameters of {} bytes", list(sizes));
            let found = match theirs.iter().find(|(name, _)| *name == kernel) {
                Some((_, sizes)) if *sizes == expected => continue,
                Some((_, sizes)) => show(sizes),
                None => "none of that name".to_owned(),
            };
            let expected = show(&expected);
            return Err(Error::device(format!("kernel {kernel} of the PTX: found {found}, expected {expected}")));
        }
        let text = CString::new(ptx.as_str()).map_err(|_| Error::device("the PTX has a NUL, expected text"))?;
        self.device.load(&text)
    }
}

fn list(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
