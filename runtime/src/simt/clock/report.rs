//! What the clock says of a launch. All of it is a model's: no GPU was asked.

use super::memory::Sectors;
use super::reason::Reason;
use super::timeline::Timeline;
use crate::simt::report::Source;
use weft_model::Target;

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

/// The two roofs of a GPU: no kernel does more operations, nor moves more bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roof {
    /// Operations on `f32` in nanoseconds, all of them in fused multiply-adds: 10^9 in a second.
    pub gflops: f64,
    /// Bytes of memory in nanoseconds: 10^9 in a second.
    pub bandwidth: f64,
}

impl Roof {
    pub(super) fn of(target: &Target) -> Self {
        Self { gflops: 2.0 * target.throughput.f32 * target.sms as f64 * target.clock, bandwidth: target.bandwidth }
    }

    /// The most operations in nanoseconds of a kernel with so many for each byte of memory.
    pub fn at(&self, intensity: f64) -> f64 {
        self.gflops.min(self.bandwidth * intensity)
    }
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
    /// Operations on floats of all threads, a fused multiply-add two of them.
    pub flops: u64,
    /// Bytes that memory moved.
    pub memory_bytes: u64,
    /// Share of the peak bandwidth of memory.
    pub memory: f64,
    /// What the GPU has at most.
    pub roof: Roof,
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

impl Estimate {
    /// Operations on floats for each byte of memory; none where there are no operations, or memory is not asked.
    pub fn intensity(&self) -> Option<f64> {
        (self.flops > 0 && self.memory_bytes > 0).then(|| self.flops as f64 / self.memory_bytes as f64)
    }

    /// Operations on floats in nanoseconds: 10^9 in a second.
    pub fn gflops(&self) -> f64 {
        if self.us > 0.0 { self.flops as f64 / (self.us * 1e3) } else { 0.0 }
    }
}
