//! The CPU executor: an LLVM module becomes machine code in this process, and its functions are called with buffers.
//!
//! ```text
//! Argument::Input(&Buffer)      ─ descriptor ─▶
//! Argument::Scalar(2.5)         ─ word ───────▶  machine code of the function (`jit`)
//! Argument::Output(&mut Buffer) ─ descriptor ─▶
//! ```
//!
//! All ways of compiling give the same results, bit for bit: see [`Optimize`].

#![allow(unsafe_code)] // It calls machine code; each block says why it is sound.

use std::fmt;

use inkwell::context::Context;
use inkwell::module::Module;

use crate::buffer::Buffer;
use crate::entry::Given;
use crate::error::Result;
use crate::guard;
use crate::jit::{Jit, Parameter};

pub use crate::entry::{ArgumentType, Entry, Scalar};
pub use crate::jit::{Form, Optimize, emit, parse_llvm_ir};

/// One argument, or the place of one result, of a call.
pub enum Argument<'a> {
    /// A tensor to read.
    Input(&'a Buffer),
    /// A tensor to write: the place of a result.
    Output(&'a mut Buffer),
    /// A number.
    Scalar(Scalar),
}

impl<'a> Argument<'a> {
    /// A buffer as an argument of this type: of a number the one in it, `None` where it is of another kind.
    pub fn of(buffer: &'a Buffer, ty: &ArgumentType) -> Option<Self> {
        match ty {
            ArgumentType::Tensor(_) => Some(Argument::Input(buffer)),
            ArgumentType::Scalar(kind) => {
                Scalar::of(buffer).filter(|number| number.kind() == *kind).map(Argument::Scalar)
            }
        }
    }

    fn given(&self) -> Given {
        match self {
            Argument::Input(buffer) => Given::Tensor(Given::of(buffer.element(), buffer.shape())),
            Argument::Output(buffer) => Given::Output(Given::of(buffer.element(), buffer.shape())),
            Argument::Scalar(scalar) => Given::Number(scalar.kind()),
        }
    }

    fn parameter<'b>(argument: &'b mut Argument<'a>) -> Parameter<'b> {
        match argument {
            Argument::Input(buffer) => Parameter::Descriptor(buffer.memref()),
            Argument::Output(buffer) => Parameter::Descriptor(buffer.memref_mut()),
            Argument::Scalar(scalar) => Parameter::from(*scalar),
        }
    }

    fn input(&self) -> Parameter<'_> {
        match self {
            // `check_inputs` has refused outputs in the place of inputs; a descriptor to read from is right for all.
            Argument::Input(buffer) => Parameter::Descriptor(buffer.memref()),
            Argument::Output(buffer) => Parameter::Descriptor(buffer.memref()),
            Argument::Scalar(scalar) => Parameter::from(*scalar),
        }
    }
}

impl fmt::Display for Argument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.given().fmt(f)
    }
}

/// A module compiled to machine code for this process.
pub struct CpuProgram {
    jit: Jit,
}

impl CpuProgram {
    /// Compiles a module.
    ///
    /// The program owns the LLVM context; `build` makes the module in it, for instance with `mlirTranslateModuleToLLVMIR`
    /// (in `context.raw()`), or says in a line why it cannot.
    ///
    /// # Safety
    /// Machine code is trusted. For arguments of the types that `entries` declares, the module's functions must be defined, keep
    /// inside the memory that the descriptors describe, write only to results, and have the C interface that MLIR gives them.
    ///
    /// # Errors
    /// [`Error::Compile`](crate::Error::Compile), [`Error::Entry`](crate::Error::Entry) (a function is missing or has other
    /// parameters), [`Error::Symbol`](crate::Error::Symbol).
    pub unsafe fn new(
        entries: &[Entry],
        optimize: Optimize,
        build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, String>,
    ) -> Result<CpuProgram> {
        // SAFETY: the caller vouches for the module, and no symbols are given.
        Ok(CpuProgram { jit: unsafe { Jit::new(entries, optimize, &[], build) }? })
    }

    /// Compiles a module from LLVM assembly text. See [`CpuProgram::new`].
    ///
    /// # Safety
    /// That of [`CpuProgram::new`].
    pub unsafe fn from_llvm_ir(entries: &[Entry], optimize: Optimize, text: &str) -> Result<CpuProgram> {
        // SAFETY: the caller vouches for the module.
        unsafe { CpuProgram::new(entries, optimize, |context| parse_llvm_ir(context, text)) }
    }

    /// The same for code that may be wrong: memory that it allocates is guarded, and stays until the process ends.
    ///
    /// # Safety
    /// That of [`CpuProgram::new`], or nothing in this process counts on being spared.
    ///
    /// # Errors
    /// Those of [`CpuProgram::new`].
    pub unsafe fn watched(entries: &[Entry], optimize: Optimize, text: &str) -> Result<CpuProgram> {
        let memory = [("malloc", guard::allocate as *const () as usize), ("free", guard::keep as *const () as usize)];
        // SAFETY: the caller vouches for the module; these are C's types of `malloc` and `free`.
        Ok(CpuProgram { jit: unsafe { Jit::new(entries, optimize, &memory, |context| parse_llvm_ir(context, text)) }? })
    }

    /// Calls a function: its arguments, then a place for each result.
    ///
    /// Signs of integers are not compared: `u8` and `i8` buffers both fit an `i8` tensor.
    ///
    /// # Errors
    /// [`Error::Call`](crate::Error::Call) if there is no such function or an argument does not fit its type;
    /// [`Error::Check`](crate::Error::Check) if the program refuses the arguments, and has then written nothing.
    pub fn call(&self, name: &str, arguments: &mut [Argument<'_>]) -> Result<()> {
        let function = self.jit.function(name)?;
        function.entry.check(&arguments.iter().map(Argument::given).collect::<Vec<_>>())?;
        let parameters = arguments.iter_mut().map(Argument::parameter).collect();
        // SAFETY: the arguments fit the entry's types, and the borrows in `arguments` keep written tensors apart from all others.
        unsafe { function.call(parameters) }
    }

    /// The extents that the results will have for these arguments (results are not among them).
    ///
    /// # Errors
    /// [`Error::Call`](crate::Error::Call) as for [`CpuProgram::call`], and if a result is dynamic and the module has no function
    /// that computes extents, or it computes some that the result's type excludes; [`Error::Check`](crate::Error::Check).
    pub fn result_shapes(&self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<Vec<usize>>> {
        let function = self.jit.function(name)?;
        function.entry.check_inputs(&arguments.iter().map(Argument::given).collect::<Vec<_>>())?;
        // SAFETY: the arguments fit the entry's types.
        unsafe { function.result_shapes(arguments.iter().map(Argument::input).collect()) }
    }

    /// Allocates the results, calls the function, and returns them. The convenient form of [`CpuProgram::call`].
    ///
    /// # Errors
    /// Those of [`CpuProgram::result_shapes`].
    pub fn run(&self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<Buffer>> {
        let shapes = self.result_shapes(name, arguments)?;
        let function = self.jit.function(name)?;
        let types = function.entry.results.iter().zip(&shapes);
        let mut results: Vec<Buffer> = types.map(|(result, shape)| Buffer::zeros(result.element, shape)).collect();
        let mut parameters: Vec<Parameter<'_>> = arguments.iter().map(Argument::input).collect();
        parameters.extend(results.iter_mut().map(|buffer| Parameter::Descriptor(buffer.memref_mut())));
        // SAFETY: `result_shapes` has checked the arguments, and the results are fresh and of their types.
        unsafe { function.call(parameters) }?;
        Ok(results)
    }
}
