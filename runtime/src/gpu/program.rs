//! Host code and its tensors, as a caller sees them.

use std::cell::RefCell;
use std::rc::Rc;

use inkwell::context::Context;
use inkwell::module::Module;

use super::calls;
use super::device::{Device, Run};
use super::state::State;
use crate::buffer::{Buffer, Element, MemRef};
use crate::entry::{Entry, Given, Scalar};
use crate::error::{Error, Result};
use crate::jit::{Jit, Optimize, Parameter, parse_llvm_ir};

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
    pub fn volume(&self) -> usize {
        self.shape.iter().product()
    }

    /// How many bytes it has.
    pub fn byte_size(&self) -> usize {
        self.element.size() * self.volume()
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

    /// Allocates a buffer for each result.
    ///
    /// # Errors
    /// Those of [`GpuProgram::result_shapes`] and [`GpuProgram::alloc`].
    pub fn outputs(&self, name: &str, arguments: &[GpuArgument<'_>]) -> Result<Vec<DeviceBuffer>> {
        let shapes = self.result_shapes(name, arguments)?;
        let results = &self.jit.function(name)?.entry.results;
        results.iter().zip(&shapes).map(|(result, shape)| self.alloc(result.element, shape)).collect()
    }

    /// Calls a function with arguments and buffers for its results, and waits for its kernels.
    ///
    /// # Errors
    /// [`Error::Call`] if there is no such function or an argument does not fit its type, [`Error::Check`] if the program refuses the
    /// arguments, and [`Error::Device`].
    pub fn call(&self, name: &str, arguments: &[GpuArgument<'_>], results: &[DeviceBuffer]) -> Result<Run> {
        let function = self.jit.function(name)?;
        let mut given: Vec<Given> = arguments.iter().map(GpuArgument::given).collect();
        given.extend(results.iter().map(|result| Given::Output(Given::of(result.element, &result.shape))));
        function.entry.check(&given)?;
        let run = || {
            let parameters = arguments.iter().map(GpuArgument::parameter);
            let parameters = parameters.chain(results.iter().map(DeviceBuffer::parameter)).collect();
            self.with(|device| device.begin())?;
            // SAFETY: arguments and results fit the entry's types. Host code itself touches no tensor; kernels do, which the
            // device answers for.
            self.guarded(|| unsafe { function.call(parameters) })??;
            self.with(|device| device.end())
        };
        if self.with(|device| Ok(device.rehearses()))? {
            run()?;
        }
        run()
    }
}
