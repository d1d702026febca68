//! The SIMT executor: runs PTX text on any machine, and watches.
//!
//! A GPU shows a wrong kernel as a wrong picture, sometimes. This executor runs **the text that LLVM emitted**, with the semantics of
//! the PTX ISA, and tells what a device keeps silent about: races, reads of memory nobody wrote, accesses out of bounds or
//! misaligned, and syncs that some thread never reaches; each with the thread, the line of the PTX and the place in the source.
//! It also counts what a kernel costs: instructions, memory sectors, bank conflicts. So tests of GPU code need no GPU.
//!
//! The text is split into tokens (`lexer`), parsed (`parser`) and decoded into dense instructions (`decode`, `program`). The machine
//! (`machine`) runs a grid of blocks, in parallel on the cores; in each it interleaves warps in a seeded order, and in each warp groups of
//! threads that are at the same instruction, all lanes at once (`alu`, `float`). Memory is in `memory` and `shared`.
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

mod alu;
mod block;
mod counters;
mod decode;
mod float;
mod lexer;
mod machine;
mod memory;
mod parser;
mod program;
mod report;
mod shared;

use std::collections::HashMap;

pub use counters::{Counters, Traffic};
pub use machine::{Checks, KernelArg, Launch, Options, launch};
pub use memory::GlobalMemory;
pub use report::{Fault, Report, Source};

/// Why a text cannot be executed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX as we know it.
    #[error("PTX line {line}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: u32,
        /// What was found and what was expected.
        reason: String,
    },
    /// An instruction is not known, or not in this form.
    #[error("PTX line {line}: {instruction}: {reason}")]
    Instruction {
        /// The line, from 1.
        line: u32,
        /// The opcode with its modifiers.
        instruction: String,
        /// What is wrong.
        reason: String,
    },
    /// A launch that no machine would accept.
    #[error("{reason}")]
    Launch {
        /// What was found and what was expected.
        reason: String,
    },
}

impl Error {
    fn syntax(line: u32, reason: String) -> Self {
        Error::Syntax { line, reason }
    }

    fn instruction(line: u32, instruction: &str, reason: String) -> Self {
        Error::Instruction { line, instruction: instruction.to_owned(), reason }
    }

    fn launch(reason: String) -> Self {
        Error::Launch { reason }
    }
}

/// The kernels of a PTX text, and the bytes of each parameter. Their instructions need not be known.
pub fn signatures(text: &str) -> Result<Vec<(String, Vec<u64>)>, Error> {
    let sizes = |entry: &parser::Entry| entry.params.iter().map(|param| param.size).collect();
    Ok(parser::parse(text)?.entries.iter().map(|entry| (entry.name.clone(), sizes(entry))).collect())
}

/// A PTX text, ready to run.
#[derive(Debug)]
pub struct Module {
    target: String,
    kernels: Vec<program::Kernel>,
    /// Size and contents of the global variables.
    variables: Vec<(u64, Option<Vec<u8>>)>,
    files: HashMap<u32, String>,
}

impl Module {
    /// Parses and decodes a text. Every instruction of every kernel must be known.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let tree = parser::parse(text)?;
        let kernels = tree.entries.iter().map(|entry| decode::decode(&tree, entry)).collect::<Result<_, _>>()?;
        let names: Vec<&str> = decode::module_variables(&tree).map(|variable| variable.name.as_str()).collect();
        let mut variables = Vec::new();
        for variable in decode::module_variables(&tree) {
            let mut bytes = variable.bytes.clone();
            for (place, name, offset) in &variable.symbols {
                let index = names.iter().position(|other| other == name);
                let (Some(index), Some(bytes)) = (index, &mut bytes) else {
                    return Err(Error::launch(format!("variable {}: {name} is not declared", variable.name)));
                };
                let address = memory::module_address(index).wrapping_add(*offset);
                if let Some(target) = bytes.get_mut(*place..place + 8) {
                    target.copy_from_slice(&address.to_le_bytes());
                }
            }
            variables.push((variable.size, bytes));
        }
        let files = tree.files.iter().cloned().collect();
        Ok(Module { target: tree.target, kernels, variables, files })
    }

    /// The `.target`, for example `sm_90`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str())
    }

    /// The bytes of each parameter of a kernel.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<u64>> {
        let kernel = self.kernels.iter().find(|other| other.name == kernel)?;
        Some(kernel.params.iter().map(|param| param.size).collect())
    }

    /// The block size that a kernel demands (`.reqntid`), if it does.
    pub fn required_block(&self, kernel: &str) -> Option<[u32; 3]> {
        self.kernels.iter().find(|other| other.name == kernel)?.block
    }

    /// Bytes of shared memory that a kernel declares, without the room that the executor leaves between variables.
    pub fn shared_bytes(&self, kernel: &str) -> Option<u64> {
        let kernel = self.kernels.iter().find(|other| other.name == kernel)?;
        Some(kernel.shared.iter().map(|(_, size)| size).sum())
    }

    fn source(&self, loc: Option<parser::Loc>) -> Option<Source> {
        let loc = loc?;
        let file = self.files.get(&loc.file).cloned().unwrap_or_else(|| format!("file {}", loc.file));
        Some(Source { file, line: loc.line, column: loc.column })
    }
}
