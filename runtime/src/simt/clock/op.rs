//! Machine instructions, as far as time is concerned.

use super::rates::Rate;

/// What an operation does besides taking time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It takes no slot: its result is there when its operands are.
    Free,
    Plain,
    /// It asks something of memory, and what comes back is its result.
    Access,
    Branch,
    Barrier,
}

/// A machine instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineOp {
    pub kind: Kind,
    pub rate: Rate,
    /// The instruction of PTX that it belongs to.
    pub pc: u32,
    /// Where its registers begin: first those that it reads, then those that it writes.
    pub registers: u32,
    pub reads: u16,
    pub writes: u16,
}
