//! Ahead-of-time compilation: programs become an object, a shared library, and a C header.
//!
//! ```text
//! LLVM module ── _mlir_ciface_f, _mlir_ciface_f_extents ──┐
//! support.ll ─── checks of buffers, messages ─────────────┼─ linked ─ LLVM's passes ─▶ object ─ cc ─▶ library
//! interface  ─── weft_f, weft_f_packed, weft_f_error ... ─┤
//! cuda.ll ────── driver, copies, mgpu* (GPUs only) ───────┘
//!          └──────────────────────────────────────────────────────────────▶ header
//! ```
//!
//! **Calling convention.** `weft_f` takes the arguments in order, then the results: a `const weft_buffer *` for a tensor, a number by
//! value, a `weft_buffer *` for memory to write. It checks them, makes a descriptor of each and calls the function that MLIR made, as the
//! JIT does. Nothing is exported but these functions; nothing but the calling thread's own message is ever written, so that any number of
//! threads may call at once.
//!
//! **Types at run time.** `weft_f_signature` gives a program's types as JSON, and `weft_f_packed` takes an array of pointers in place of
//! arguments: what calls from a language without C's types, as Python's package does.
//!
//! **GPUs.** Then the module is host code that launches kernels, with their PTX as a constant. The C functions are the same: tensors are
//! in the caller's memory, and `weft_f` copies them to the GPU and back. The driver's library is opened by the first call, by name, so that
//! the object links and loads where there is none. What is then written but the thread's own is the driver's functions, its context, and
//! the modules that are loaded, each once and under a lock.
//!
//! **Versions.** A program may have other functions for smaller images, with schedules that suit those; `weft_f` looks at the extents.
//!
//! `program` says what is compiled, and for what; `interface` writes the C functions, `compile` links them to the program and makes an
//! object, `link` a library, `header` the header. The wing imports what all executors share (`entry`, `codegen`, `jit`) and no executor.

mod compile;
mod header;
mod interface;
mod link;
mod program;

pub use compile::compile;
pub use header::header;
pub use link::{Object, link};
pub use program::{Machine, Program, Version, Versions};
