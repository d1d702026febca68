//! What the clock says of a launch. All of it is a model's: no GPU was asked.

use super::memory::Sectors;
use super::reason::Reason;
use super::timeline::Timeline;
use crate::simt::report::Source;

/// Waiting by reason: shares of the slots of an SM, or cycles of warps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stalls {
    /// An operand comes from memory.
    pub memory: f64,
    /// An operand comes from an earlier instruction.
    pub dependence: f64,
    /// The pipe, or the slot, was another's.
    pub pipe: f64,
    /// A barrier.
    pub sync: f64,
    /// No warp was left.
    pub no_warp: f64,
}

impl Stalls {
    pub(super) fn new(of: impl Fn(Reason) -> f64) -> Self {
        Stalls {
            memory: of(Reason::Memory),
            dependence: of(Reason::Dependence),
            pipe: of(Reason::Pipe),
            sync: of(Reason::Sync),
            no_warp: of(Reason::NoWarp),
        }
    }

    /// Names and values.
    pub fn entries(&self) -> [(&'static str, f64); 5] {
        [
            ("memory", self.memory),
            ("dependence", self.dependence),
            ("pipe", self.pipe),
            ("sync", self.sync),
            ("no_warp", self.no_warp),
        ]
    }

    /// All reasons together.
    pub fn total(&self) -> f64 {
        self.entries().iter().map(|(_, value)| value).sum()
    }
}

/// An instruction of the PTX.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its line in the text.
    pub line: u32,
    /// The opcode.
    pub instruction: String,
    /// The line as it stands there.
    pub text: String,
    /// Where it comes from.
    pub source: Option<Source>,
    /// Its stage, or stages.
    pub stage: Option<String>,
    /// Machine instructions that it became, of all warps.
    pub issued: f64,
    /// Cycles that warps waited at it.
    pub waits: Stalls,
}

/// How long a launch takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The GPU.
    pub target: String,
    /// Cycles of an SM from the first block to the last.
    pub cycles: u64,
    /// The same in microseconds.
    pub us: f64,
    /// Microseconds that its launch costs besides.
    pub launch_us: f64,
    /// Registers of a thread.
    pub registers: u64,
    /// No `ptxas` said them.
    pub registers_are_estimated: bool,
    /// Blocks that an SM holds at once.
    pub blocks_per_sm: u64,
    /// What keeps one more out.
    pub limit: String,
    /// Warps of an SM in flight, on average.
    pub warps: f64,
    /// Machine instructions of the code.
    pub code: u64,
    /// Machine instructions of all warps.
    pub issued: u64,
    /// Share of the slots of the schedulers in which one was issued.
    pub slots: f64,
    /// Share of the cycles in which the units of `f32` were busy.
    pub fma: f64,
    /// Bytes that memory moved.
    pub memory_bytes: u64,
    /// Share of the peak bandwidth of memory.
    pub memory: f64,
    /// Sectors of the sample.
    pub sectors: Sectors,
    /// Share of the slots that stayed empty, by reason.
    pub stalls: Stalls,
    /// Some SMs stand for all.
    pub is_sampled: bool,
    /// SMs that ran, of the GPU's.
    pub sampled_sms: u64,
    /// Blocks that ran, of the grid's.
    pub sampled_blocks: u64,
    /// An SM over time.
    pub timeline: Timeline,
    /// Instructions that were executed.
    pub lines: Vec<Line>,
}
