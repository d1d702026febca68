//! What is waited for.

/// Why a slot was empty, or a warp did not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// An operand comes from memory.
    Memory,
    /// An operand comes from an earlier instruction.
    Dependence,
    /// The pipe, or the slot, was another's.
    Pipe,
    /// A barrier.
    Sync,
    /// No warp is left.
    NoWarp,
}

/// Reasons that there are.
pub(super) const REASONS: usize = 5;
