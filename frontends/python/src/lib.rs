//! What the Python package needs when a program runs: `weft._runtime`, which knows nothing of the compiler and loads no LLVM.
//!
//! ```text
//! program(photo, 1.5) ─▶ Function.__call__ ─ buffer protocol ─▶ weft_buffer ─▶ weft_f_packed, without the GIL ─▶ NumPy arrays
//!                             └ what is no array that fits: fit(...) of the package, in Python
//! ```
//!
//! `library` opens a compiled program; `function` passes arrays and numbers; `signature` is what
//! a program says of itself; `cpu` whether this machine can run it; `gpu` asks NVIDIA's driver which GPU images are on; `lane`
//! has streams and pinned images, for windows on several GPUs.

mod cpu;
mod function;
mod gpu;
mod lane;
mod library;
mod signature;

use pyo3::prelude::*;

/// Compiled programs, called on arrays.
#[pymodule]
mod _runtime {
    #[pymodule_export]
    use super::function::{Function, gpu_of, load, programs};
    #[pymodule_export]
    use super::lane::{Lane, Mirror, gpus};
    #[pymodule_export]
    use super::{describe_cpu, keep_library};
}

/// This machine's CPU in words: its name and the instructions that it has. Code for one such description runs where it is the same.
#[pyfunction]
fn describe_cpu() -> String {
    cpu::describe()
}

/// Opens a library for as long as the process lives, so that programs that are linked with one of this name find it.
#[pyfunction]
fn keep_library(path: &str) -> PyResult<()> {
    library::keep(path).map_err(pyo3::exceptions::PyOSError::new_err)
}
