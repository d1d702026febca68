//! Running what Weft compiled.
//!
//! The compiler ends in a function over memory: some tensors and numbers in, some tensors out. This crate is everything
//! around that function: where the tensors live ([`buffer`]), how they come from files and go back to them
//! ([`load`] and [`store`], which choose the format by the file's extension), the executors that compile and call the function,
//! and the stopwatch ([`mod@bench`]).
//!
//! ```text
//!                     ┌─ cpu: CpuProgram, on buffers
//! LLVM module ─ jit ──┤
//!                     └─ gpu: GpuProgram, host code that launches kernels on a Device ─┬─ gpu::Simt: the executor in `simt`
//!                                                                                      └─ gpu::Cuda: NVIDIA's driver
//! ```
//!
//! Nothing here knows of MLIR, dialects or passes: a program arrives as an LLVM module and a list of types.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod aot;
pub mod bench;
pub mod buffer;
mod checks;
mod clamps;
mod codegen;
mod constants;
pub mod cpu;
mod dot_products;
mod entry;
pub mod error;
mod files;
pub mod gpu;
pub mod guard;
mod instructions;
mod jit;
mod lines;
mod look_ups;
mod packs;
mod quotients;
mod scale;
pub mod simt;
mod to_unsigned;

pub use bench::{Timing, measure};
pub use buffer::{Buffer, Element, Kind, MemRef, Sample, TensorType};
pub use codegen::{Cpu, llvm_version};
pub use cpu::{Argument, ArgumentType, CpuProgram, Entry, Optimize, Scalar};
pub use error::{Error, Result};
pub use files::{
    Alpha, Changes, Integers, Scale, check_extension, formats_read, formats_written, load, npy_type, read_image,
    read_npy, store, store_all, write_image, write_npy,
};
pub use gpu::{Device, DeviceBuffer, GpuArgument, GpuProgram};
