//! The SIMT executor: runs PTX text on any machine, and watches.
//!
//! A GPU shows a wrong kernel as a wrong picture, sometimes. This executor runs **the text that LLVM emitted**, with the semantics of
//! the PTX ISA, and tells what a device keeps silent about: races, reads of memory nobody wrote, accesses out of bounds or
//! misaligned, and syncs that some thread never reaches; each with the thread, the line of the PTX and the place in the source.
//! It also counts what a kernel costs: instructions, memory sectors, bank conflicts. So tests of GPU code need no GPU.
//!
//! The text is split into tokens (`lexer`), parsed (`parser`, `tree`) and decoded into dense instructions (`decode`, `program`): a
//! `module`. The machine (`machine`) runs a grid of blocks, in parallel on the cores; in each (`block`) it interleaves warps in a seeded
//! order, and in each warp (`warp`) groups of threads that are at the same instruction, all lanes at once (`alu`, `float`). Lanes trade
//! values in `exchange`, and come to memory (`memory`, `shared`) through `access`. `clock` says how long it takes on
//! a GPU. The wing imports nothing of the crate.
//!
//! ```
//! use weft_runtime::simt::{GlobalMemory, KernelArg, Module, Options, launch};
//! let module = Module::parse(
//!     ".version 8.0 .target sm_90 .address_size 64
//!      .visible .entry twice(.param .u64 p) {
//!        .reg .b32 %r<3>; .reg .b64 %rd<4>;
//!        ld.param.b64 %rd1, [p];
//!        mov.u32 %r1, %tid.x;
//!        mul.wide.u32 %rd2, %r1, 4;
//!        add.s64 %rd3, %rd1, %rd2;
//!        ld.global.b32 %r2, [%rd3];
//!        add.s32 %r2, %r2, %r2;
//!        st.global.b32 [%rd3], %r2;
//!        ret;
//!      }",
//! )?;
//! let mut memory = GlobalMemory::new();
//! let buffer = memory.alloc_with(&[1, 0, 0, 0, 2, 0, 0, 0]);
//! let args = [KernelArg::Pointer(buffer)];
//! let launch = launch(&module, "twice", [1, 1, 1], [2, 1, 1], &args, &mut memory, &Options::default())?;
//! let mut result = [0; 8];
//! memory.read(buffer, &mut result)?;
//! assert_eq!(result, [2, 0, 0, 0, 4, 0, 0, 0]);
//! assert!(launch.reports.is_empty());
//! # Ok::<(), weft_runtime::simt::Error>(())
//! ```

mod access;
mod alu;
mod block;
pub mod clock;
mod context;
mod counters;
mod decode;
mod error;
mod exchange;
mod float;
mod fold;
mod lexer;
mod machine;
mod memory;
mod module;
mod options;
mod parser;
mod program;
mod registers;
mod report;
mod shared;
mod stages;
mod trace;
mod tree;
mod warp;

pub use counters::{Counters, Traffic};
pub use error::Error;
pub use machine::{KernelArg, Launch, launch};
pub use memory::GlobalMemory;
pub use module::{Module, signatures};
pub use options::{Checks, Options};
pub use report::{Fault, Report, Source};
