//! What the machine found wrong with a kernel, where, and how often.

use std::fmt;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// An access outside of every buffer and variable.
    OutOfBounds,
    /// An access whose address is no multiple of its size.
    Misaligned,
    /// A read of memory that nobody wrote.
    Unwritten,
    /// Two threads, one shared address, at least one write, and no sync between.
    Race,
    /// A `.sync` instruction that waits for a thread that cannot come, or one that reads a lane that takes no part.
    DivergentSync,
    /// The kernel executed `trap`.
    Trap,
    /// The block executed more instructions than the launch allows.
    Hang,
}

impl Fault {
    /// The name in a message and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Fault::OutOfBounds => "out of bounds",
            Fault::Misaligned => "misaligned",
            Fault::Unwritten => "unwritten",
            Fault::Race => "race",
            Fault::DivergentSync => "divergent sync",
            Fault::Trap => "trap",
            Fault::Hang => "hang",
        }
    }
}

/// A place in the source program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As the PTX says it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, or 0 if unknown.
    pub column: u32,
}

/// One fault. The same fault of the same instruction is told once, for the first thread that had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What kind.
    pub fault: Fault,
    /// The block of the thread.
    pub block: [u32; 3],
    /// The thread in its block.
    pub thread: [u32; 3],
    /// The line of the instruction in the PTX text.
    pub line: u32,
    /// The instruction.
    pub instruction: String,
    /// Where the instruction comes from.
    pub source: Option<Source>,
    /// What happened.
    pub message: String,
    /// How often.
    pub count: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.thread;
        let [i, j, k] = self.block;
        write!(f, "{}: thread ({x}, {y}, {z}) of block ({i}, {j}, {k})", self.fault.name())?;
        write!(f, ", PTX line {} ({})", self.line, self.instruction)?;
        if let Some(Source { file, line, column }) = &self.source {
            write!(f, ", {file}:{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}
