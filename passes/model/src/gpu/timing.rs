//! What a timing model asks of a GPU: latencies, widths and sizes that its limits and its throughput do not say.
//!
//! Cycles are those of an SM, at [`Target::clock`](super::Target::clock). How many results of each kind of instruction an SM delivers is in
//! [`Throughput`](super::Throughput).

use serde::{Deserialize, Serialize};

/// The `[timing]` table of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Where the numbers come from.
    pub origin: String,
    /// Cycles from an `f32` or integer instruction to one that needs its result.
    pub alu_latency: u64,
    /// The same of an integer product.
    pub product_latency: u64,
    /// Of `f64` arithmetic.
    pub f64_latency: u64,
    /// Of an approximate function, a conversion, a count of bits.
    pub special_latency: u64,
    /// Of a shuffle.
    pub shuffle_latency: u64,
    /// Of a load from shared memory without conflicts.
    pub shared_latency: u64,
    /// Of a load that hits L1.
    pub l1_latency: u64,
    /// Of a load that misses L1 and hits L2.
    pub l2_latency: u64,
    /// Of a load that misses L2, when nobody else asks.
    pub dram_latency: u64,
    /// Cycles from a branch to the next instruction of its warp.
    pub branch_latency: u64,
    /// Cycles from the last arrival at a barrier of the block to the next instruction of its warps.
    pub barrier_latency: u64,
    /// L1 of an SM, in bytes; with shared memory, where they share a memory.
    pub l1: u64,
    /// Shared memory is taken out of L1.
    pub l1_is_shared: bool,
    /// Bytes that L1 delivers in a cycle.
    pub l1_width: u64,
    /// Sectors of 32 bytes that an SM may wait for.
    pub misses: u64,
    /// Bytes in a cycle from L2 to an SM, and as many back.
    pub port_width: u64,
    /// Slices of L2.
    pub l2_slices: u64,
    /// Bytes that a slice delivers in a cycle of an SM.
    pub l2_slice_width: f64,
    /// Channels of memory.
    pub channels: u64,
    /// Part of the peak bandwidth of memory that a long stream reaches, in (0, 1].
    pub dram_efficiency: f64,
    /// Instructions that an SM keeps near, in bytes.
    pub instruction_cache: u64,
    /// Cycles that a warp waits for a line of 128 bytes of instructions that is not near.
    pub fetch_latency: u64,
    /// Cycles until a block that was given to an SM issues its first instruction.
    pub block_start: u64,
    /// Cycles from the start of a block to that of the next, on all SMs together.
    pub block_interval: f64,
    /// Microseconds from one launch to the next, of which the host asks for one after the other without waiting.
    pub launch: f64,
    /// Microseconds from the end of a kernel to the first block of the next, which depends on it.
    pub gap: f64,
}

impl Timing {
    /// Microseconds that a kernel of `us` takes more than itself: what is between kernels, or what is left of the host's time for its
    /// launch; of two that are about as long a bit of both.
    pub fn launched(&self, us: f64) -> f64 {
        ((us + self.gap).powi(4) + self.launch.powi(4)).powf(0.25) - us
    }
}
