//! How a launch runs, and what is looked for in it.

use super::clock::Clock;

/// What is looked for. An access that is out of bounds or misaligned reads zero and writes nothing, looked for or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// [`Fault::OutOfBounds`](super::Fault::OutOfBounds).
    pub bounds: bool,
    /// [`Fault::Misaligned`](super::Fault::Misaligned).
    pub alignment: bool,
    /// [`Fault::Unwritten`](super::Fault::Unwritten).
    pub unwritten: bool,
    /// [`Fault::Race`](super::Fault::Race).
    pub races: bool,
    /// [`Fault::DivergentSync`](super::Fault::DivergentSync). Without it, a thread that has exited counts as one that arrived.
    pub divergence: bool,
}

impl Checks {
    /// Every check.
    pub const ALL: Checks = Checks { bounds: true, alignment: true, unwritten: true, races: true, divergence: true };
    /// No check.
    pub const NONE: Checks =
        Checks { bounds: false, alignment: false, unwritten: false, races: false, divergence: false };
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// What decides the order of the warps of a block.
    pub seed: u64,
    /// What is looked for.
    pub checks: Checks,
    /// Blocks that run at once; 0 is one per core.
    pub threads: usize,
    /// At most so many instructions of a warp before another gets its turn.
    pub quantum: u32,
    /// Bytes of shared memory that the launch gives: of `extern .shared`, or, to a kernel that declares none, from address 0 on.
    pub dynamic_shared: u32,
    /// Instructions of all warps of a block after which it is given up, and the launch with it. Of a block that the clock looks at, what
    /// it executes is kept in memory: it has [`TRACED`](Options::TRACED) at most.
    pub limit: u64,
    /// Whether of a grid only the block in the middle is run: what one tile inside an image costs.
    pub middle: bool,
    /// The clock that says how long it takes on a GPU.
    pub clock: Option<Clock>,
    /// Whether blocks that the clock does not look at do not run. What they would have written stays as it is.
    pub only_timed: bool,
}

impl Options {
    /// Instructions of a block, where nothing else is said: some seconds of a loop that has no end.
    pub const LIMIT: u64 = 1 << 30;

    /// Instructions of a block that the clock looks at. A kernel has far less in a block, and a trace of more does not fit everywhere.
    pub const TRACED: u64 = 1 << 25;
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 0,
            checks: Checks::ALL,
            threads: 0,
            quantum: 256,
            dynamic_shared: 0,
            limit: Options::LIMIT,
            middle: false,
            clock: None,
            only_timed: false,
        }
    }
}
