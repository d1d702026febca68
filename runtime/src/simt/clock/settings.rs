//! What the clock is told.

use weft_model::Target;

/// How PTX becomes machine instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As `ptxas` would make and order them.
    Compiled,
    /// One for each, in the order of the text, with the latencies of a cycle-level simulator: to compare with it.
    Text,
}

/// A clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The GPU.
    pub target: Target,
    /// Registers of a thread, where `ptxas` said them; an estimate else.
    pub registers: Option<u64>,
    /// Of the instructions.
    pub order: Order,
    /// Machine instructions of warps after which a grid is sampled.
    pub budget: u64,
}

impl Clock {
    /// The clock of a GPU.
    pub fn new(target: Target) -> Self {
        Clock { target, registers: None, order: Order::Compiled, budget: 4_000_000 }
    }
}
