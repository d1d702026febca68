//! Running what Weft compiled.
//!
//! The compiler ends in a function over memory: some tensors and numbers in, some tensors out. This crate is everything
//! around that function: where the tensors live ([`buffer`]), how they come from files and go back to them
//! ([`image_io`], [`npy`], and [`load`] and [`store`], which choose by the file's extension), the executor that
//! compiles and calls the function on the CPU ([`cpu`]), and the stopwatch ([`mod@bench`]).
//!
//! Nothing here knows of MLIR, dialects or passes: a program arrives as an LLVM module and a list of types.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod bench;
pub mod buffer;
pub mod cpu;
pub mod error;
mod files;
pub mod image_io;
pub mod npy;
pub mod simt;

pub use bench::{Timing, measure};
pub use buffer::{Buffer, Element, Kind, MemRef, Sample, TensorType};
pub use cpu::{Argument, ArgumentType, CpuProgram, Entry, Optimize, Scalar};
pub use error::{Error, Result};
pub use files::{check_extension, load, store, store_all};
pub use image_io::{Scale, read_image, write_image};
pub use npy::{read_npy, write_npy};
