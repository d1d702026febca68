//! How long the kernel of a group takes on a GPU, before there is a kernel: the cycles of the cost.
//!
//! ```text
//! cycles = start + (moving² + issuing² + waiting² + serving²)^½
//!
//! moving    bytes that come from memory and go there, over its bandwidth
//! issuing   what the warps of the SM with the most blocks issue, over its schedulers
//! waiting   rounds × (waits × latency + instructions of a warp × cycles between two that depend on each other)
//!           rounds: the blocks of an SM over those that it holds at once, the last more than its share; waits: how often a warp stands before what it has loaded
//! serving   lines of L1 that the lanes of a load lie in beyond the first: of every second pixel one, of every eighth seven
//! ```
//!
//! Each is what the kernel would take were there nothing else; the largest counts most, and hides a part of the others. The third is why
//! many small tiles beat few large ones: a row costs a warp a latency, however few rows there are, and only other warps fill it.
//!
//! What two rows of a stream cost a warp, by the clock, gave the form; `bench/schedules` times schedules of programs, says how far from the
//! best those are that are chosen so, and `bench/calibrate-time` whether other numbers would choose better, also for programs that they
//! were not fitted to.

use super::{
    estimate::Estimate, occupancy::Occupancy, plan::Plan, schedule::Schedule, storage::StorageKind, target::Target,
};
use crate::affine::{Range, TileStride};
use serde::Serialize;

/// Cycles from an instruction of a warp to its next; of strips, between whose rows lanes shuffle, and whose registers leave fewer warps than the
/// estimate has. That of strips is twice what the clock alone would have: an H200 has it so, for programs that nothing was fitted to as
/// well (docs/clock.md).
const DEPENDENT: f64 = 4.4;
const DEPENDENT_OF_STRIPS: f64 = 8.8;

/// Of a round that is not full, the part that it takes beyond its share.
const TAIL: f64 = 0.3;

/// What a warp takes longer at an edge whose threads have several points: it writes out less, and asks for less together.
const AT_EDGE: f64 = 2.0;

/// Loads of a thread that are on their way at once.
const TOGETHER: f64 = 16.0;

/// The same for the loads of a stream's row that are no row of a tile, of which many are on their way at once.
const OF_ROW: f64 = 0.05;

/// Cycles until the first warp and after the last that are nobody's; of a kernel of points, which asks nothing before it loads.
const START: f64 = 500.0;
const START_OF_POINTS: f64 = 100.0;

/// How often a warp waits for each row of a box, or for each load of a lane where it loops over points.
fn waits_each(kind: StorageKind) -> f64 {
    match kind {
        StorageKind::Stream => 1.0,
        // Its rows are written out, and their loads move up past each other as far as there are registers.
        StorageKind::Strip => 0.2,
        StorageKind::Hybrid => 0.2,
        StorageKind::Shared | StorageKind::Block => 0.36,
        StorageKind::Point => 1.0,
    }
}

/// Bytes that a kernel moves between memory and caches, and what L1 does for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Traffic {
    /// Read, and by no other tile.
    pub read: f64,
    /// Read, and by neighbours, too: whoever comes later finds them in L2.
    pub halo: f64,
    /// Written.
    pub written: f64,
    /// Lines of L1 that the loads of a warp lie in, for each load beyond the first.
    pub lines: f64,
}

/// How long a kernel takes, in cycles of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Time {
    /// What it moves.
    pub traffic: Traffic,
    /// Rows of a box, or loads of a lane, for which a warp waits.
    pub loads: f64,
    /// Blocks of an SM over those that it holds at once, at least 1.
    pub rounds: f64,
    /// Instructions of a warp.
    pub of_warp: f64,
    /// To move its bytes.
    pub moving: f64,
    /// To issue its instructions.
    pub issuing: f64,
    /// To wait for what it loads, and for one instruction after the other.
    pub waiting: f64,
    /// To serve loads whose lanes lie far apart.
    pub serving: f64,
    /// All together.
    pub cycles: f64,
}

/// The time of a kernel of so many blocks; `traffic` is that of all tiles, but for its lines.
pub fn time(
    plan: &Plan,
    schedule: &Schedule,
    target: &Target,
    needs: &Estimate,
    occupied: &Occupancy,
    blocks: f64,
    traffic: Traffic,
) -> Time {
    let sms = target.sms as f64;
    let lanes = plan.mapping.all_lanes() as f64;
    let points = plan.tile.iter().map(|extent| *extent as f64).product::<f64>() / lanes;
    let of_warp = needs.instructions.per_point() * points;
    let threads: i64 = plan.mapping.threads(schedule.scope).iter().product();
    let warps = (threads as f64 / 32.0).ceil();

    let bytes_per_cycle = target.bandwidth / target.clock * target.timing.dram_efficiency;
    // What an L2 keeps of it for now, it has to write later: a kernel finds it full of what was written before.
    let moving = (traffic.read + traffic.written) / bytes_per_cycle;
    let busiest = (blocks / sms).ceil();
    // Threads with several points of a reduce.
    let is_reduce = needs.waits > 0.0;
    let at_edge = if is_reduce { 1.0 + AT_EDGE * needs.at_edge } else { 1.0 };
    let kind = StorageKind::of(plan, schedule);
    // Products and little else, or addresses: the units are what they wait for.
    let of_units = match kind {
        StorageKind::Point if is_reduce => target.cycles(&needs.instructions.arithmetic),
        StorageKind::Point => {
            (needs.instructions.arithmetic.integers() + needs.instructions.rest) / target.throughput.i32
        }
        _ => 0.0,
    };
    let of_issue = warps * of_warp * 32.0 / target.throughput.issue;
    let issuing = at_edge * busiest * of_issue.max(threads as f64 * points * of_units);
    let rounds = (blocks / sms / occupied.blocks_per_sm as f64).max(1.0);
    let loads = match kind {
        // Of every second pixel, and of what is gathered, there are no tiles, whose rows are a load each.
        StorageKind::Strip if traffic.lines > 0.0 => rows(plan).max(needs.instructions.loads * points),
        StorageKind::Stream if traffic.lines > 0.0 => rows(plan).max(OF_ROW * needs.instructions.loads * points),
        StorageKind::Stream | StorageKind::Strip => rows(plan),
        StorageKind::Hybrid | StorageKind::Shared | StorageKind::Block => needs.instructions.loads * points,
        StorageKind::Point if is_reduce => needs.waits,
        // All are asked for together.
        StorageKind::Point => 1.0 + needs.instructions.loads * points / TOGETHER,
    };
    // What the threads of a block share, the first of them has brought to L2.
    let latency = if is_reduce { target.timing.l2_latency } else { target.timing.dram_latency } as f64;
    let dependent = match kind {
        // The points of a thread do not depend on each other.
        StorageKind::Point => (DEPENDENT / points).max(1.0),
        StorageKind::Strip | StorageKind::Stream => DEPENDENT_OF_STRIPS,
        _ => DEPENDENT,
    };
    let in_turn = rounds + TAIL * (rounds.ceil() - rounds);
    let waiting = at_edge * in_turn * (waits_each(kind) * loads * latency + dependent * of_warp);
    let serving = busiest * warps * traffic.lines;
    let start = if kind == StorageKind::Point { START_OF_POINTS } else { START };
    let cycles = start + [moving, issuing, waiting, serving].map(|cycles| cycles * cycles).iter().sum::<f64>().sqrt();
    Time { traffic, loads, rounds, of_warp, moving, issuing, waiting, serving, cycles }
}

/// The rows of the tallest box of a strip.
fn rows(plan: &Plan) -> f64 {
    let Some(axis) = plan.tile.len().checked_sub(2) else { return 1.0 };
    let boxes = plan.parts.iter().flatten().chain(plan.inputs.iter().map(|input| &input.part));
    let of_axis = |(stride, _): &(&TileStride, &Range<i64>)| stride.axis == axis && stride.step > 0;
    let tall =
        boxes.filter_map(|part| part.strides.iter().zip(&part.region).find(of_axis).map(|(_, range)| range.len()));
    tall.max().unwrap_or(1) as f64
}
