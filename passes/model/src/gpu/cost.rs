//! What a kernel costs on a target: Algorithm 2 of the PolyMage-GPU paper, corrected where it cannot be as printed.
//!
//! ```text
//! cost = share · (w1 · transactions + w2 · (1 - occupancy) + w3 · memory time / compute time + w4 · unallocated shared
//!                 + w5 · unused registers + w6 · overlap + w8 · cycles) + w7 · extra blocks
//! ```
//!
//! One warp is looked at, with a tile inside all images. What differs from the printed algorithm, and why:
//!
//! - **Per 32 points.** Line 17 counts a warp's transactions over its whole tile, so that a larger tile would be worse than a smaller
//!   one that loads more for each point. Here they are counted for each 32 points of the live-outs; and since costs of groups are added,
//!   each counts by its `share`: its points over those of the largest stage of the program. (A pyramid's coarse levels are cheap.)
//! - **Sizes of stages.** Lines 7 to 9 multiply one tile's volume by a number of buffers. Each stage has its own box, type and
//!   life here: the shared memory is that of the plan, which the kernel has.
//! - **Registers.** Line 11 takes the tile's registers from what line 10 has left in shared memory: none, at fraction 1. Here they
//!   are those of the plan, and the whole need of a thread is [`estimate`]'s.
//! - **Compute time.** The paper runs every stage on a GPU. Here each class of ops takes the cycles that the throughput
//!   of the target's compute capability gives.
//! - **Line 25** divides bandwidth by SMs, and, as the text has it, by the warps that run in parallel on one: `CoresPerSM / 32`.
//! - **Line 34** takes a `totalTB` that nothing defines: it is line 6's `tbPerSM`, which nothing else uses.
//! - **Overlap** is the work done more than once over the work done once.
//! - **Cycles** (w8, ours; 0 for the paper's own targets): the [time](super::time) of 32 points on an SM, more where more code is written
//!   out than an instruction cache holds, and the launch.

use super::{
    estimate::{Estimate, estimate},
    occupancy::{DoesNotFit, Limit, occupancy},
    plan::{Plan, Refusal},
    schedule::{Layout, Schedule},
    target::Target,
    time::{Time, Traffic, time},
};
use crate::{
    affine::{Expr, Extent, Part, Range, Region, TileStride, hull_regions},
    program::{Access, Group, Source, Work},
};
use serde::Serialize;
use std::{collections::HashSet, fmt};

/// Bytes of a line of L1.
const LINE: f64 = 128.0;

/// Cycles of L1 for a load whose lanes read anywhere, beyond one: of lines it finds four a cycle.
const SCATTERED: f64 = 7.0;

/// Instructions of a thread that may be written out at no cost. With this number all examples compile within a second for twenty
/// stages, and next to none of their kernels spills.
const SHORT_CODE: f64 = 1536.0;

/// The same of a kernel that takes long: it may fill an instruction cache, for it does not feel that each SM fetches it once.
const CACHED_CODE: f64 = 2048.0;

/// Cycles from which on a kernel takes long.
const LONG: f64 = 50_000.0;

/// The terms of a cost before they are weighed, and what they come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The weighed sum.
    pub total: f64,
    /// The points of the group's live-outs over those of the largest stage.
    pub share: f64,
    /// Bytes of a transaction of global memory: 32 (L2) or 128 (L1).
    pub transaction_bytes: u64,
    /// Transactions that load, for each 32 points.
    pub transactions: f64,
    /// Warps on an SM over those that it could hold.
    pub occupancy: f64,
    /// What limits occupancy.
    pub limit: Limit,
    /// Memory time over compute time.
    pub memory_to_compute: f64,
    /// Part of an SM's shared memory that no block has.
    pub unallocated_shared: f64,
    /// Part of an SM's registers that no thread has.
    pub unused_registers: f64,
    /// Work done more than once over work done once.
    pub overlap: f64,
    /// Blocks of an SM beyond whole waves.
    pub extra_blocks: f64,
    /// Cycles of an SM for each 32 points.
    pub cycles: f64,
    /// What they come from.
    pub time: Time,
    /// Registers of a thread.
    pub registers: i64,
    /// Bytes of shared memory of a block.
    pub shared: i64,
    /// Thread instructions for each point.
    pub instructions: f64,
    /// Bytes of global memory moved for each point, each byte counted once for a tile.
    pub bytes: f64,
    /// Thread blocks.
    pub blocks: i64,
    /// Instructions of a thread that are written out, as [`Counts::code`](super::Counts::code) has them.
    pub code: f64,
}

impl Cost {
    /// The part of the total that is time, for comparing different work: kernels of other stages, and as many of them. Targets that weigh
    /// no time, the papers' own, have the total.
    pub fn time_of_all(&self, target: &Target) -> f64 {
        if target.weights.w8 > 0.0 { self.share * target.weights.w8 * self.cycles } else { self.total }
    }

    /// The weighed terms by name, whose sum is the total: for reports and pictures.
    pub fn parts(&self, target: &Target) -> [(&'static str, f64); 8] {
        let w = &target.weights;
        [
            ("transactions", self.share * w.w1 * self.transactions),
            ("occupancy", self.share * w.w2 * (1.0 - self.occupancy)),
            ("memory/compute", self.share * w.w3 * self.memory_to_compute),
            ("unallocated shared", self.share * w.w4 * self.unallocated_shared),
            ("unused registers", self.share * w.w5 * self.unused_registers),
            ("overlap", self.share * w.w6 * self.overlap),
            ("extra blocks", w.w7 * self.extra_blocks),
            ("cycles", self.share * w.w8 * self.cycles),
        ]
    }
}

/// Why a group, with a schedule, has no kernel on a target.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// The group has no such kernel anywhere.
    Plan(Refusal),
    /// A limit of the target.
    Target(DoesNotFit),
    /// Too few tiles to keep the SMs busy.
    Idle {
        /// How many there are.
        tiles: i64,
        /// How many are wanted.
        least: i64,
    },
    /// A stage leaves too many warps of an SM without work.
    Occupancy {
        /// The stage, by number.
        stage: usize,
        /// Warps that work on it, over those that an SM holds.
        occupancy: f64,
        /// How many are wanted.
        least: f64,
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan(Refusal::Schedule(message)) => f.write_str(message),
            Self::Plan(Refusal::Cut(cut)) => {
                write!(f, "stage #{} {}", cut.producer, cut.rule)
            }
            Self::Plan(Refusal::Shared { bytes, most }) => {
                write!(f, "the smallest tile takes {bytes} bytes of shared memory, expected at most {most}")
            }
            Self::Target(limit) => write!(f, "{limit}"),
            Self::Idle { tiles, least } => write!(f, "{tiles} tiles leave SMs idle, expected at least {least}"),
            Self::Occupancy { stage, occupancy, least } => {
                let percent = |part: &f64| 100.0 * part;
                write!(
                    f,
                    "stage #{stage} keeps {:.1}% of an SM's warps busy, expected at least {}%",
                    percent(occupancy),
                    percent(least)
                )
            }
        }
    }
}

/// The cost of a group with this plan; `largest` is the number of points of the largest stage of the program.
///
/// # Errors
///
/// The limit of the target that it breaks.
pub fn cost(group: &Group, plan: &Plan, schedule: &Schedule, target: &Target, largest: f64) -> Result<Cost, Rejection> {
    let needs = estimate(group, plan, schedule);
    let Estimate { registers, instructions, code, .. } = needs;
    let per_point = instructions.per_point();
    let threads: i64 = plan.mapping.threads(schedule.scope).iter().product();
    let occupied =
        occupancy(target, threads as u64, registers as u64, plan.shared as u64).map_err(Rejection::Target)?;

    // The grid: lines 3 to 6.
    let tile_points: f64 = plan.tile.iter().map(|extent| *extent as f64).product();
    let tiles = tiles(group, plan);
    let blocks: f64 =
        tiles.iter().zip(&plan.mapping.warps).map(|(tiles, warps)| (*tiles as f64 / *warps as f64).ceil()).product();
    let points: f64 = tiles.iter().map(|tiles| *tiles as f64).product::<f64>() * tile_points;
    let blocks_per_sm = blocks / target.sms as f64;
    let share = points / largest;
    let iterations = tile_points / 32.0;

    // Work: line 28.
    let (once, again) = computed(group, plan);
    // Of a warp, which has an SM's lanes to itself as little as its bandwidth.
    let warps_at_once = target.cores_per_sm as f64 / 32.0;
    let compute_time = target.cycles(&(once + again)) * warps_at_once / iterations;
    let overlap = again.instructions() / once.instructions().max(1.0);

    // Time on an SM.
    let traffic = traffic(group, plan, &tiles, target.l2 as f64);
    let bytes = (traffic.read + traffic.halo + traffic.written) / tile_points;
    let of_tiles = points / tile_points;
    let traffic = Traffic {
        read: traffic.read * of_tiles,
        halo: traffic.halo * of_tiles,
        written: traffic.written * of_tiles,
        lines: match schedule.thread_tile() {
            Some(tile) if needs.waits > 0.0 => instructions.loads * tile.iter().product::<i64>() as f64,
            _ => lines_apart(group, plan, schedule),
        },
    };
    let time = time(plan, schedule, target, &needs, &occupied, blocks, traffic);
    let of_points = 32.0 * target.sms as f64 / points;
    let cycles_of_us = target.clock * 1e3;
    // Steeply: what no cache holds is not only fetched again, it takes long to compile, and spills.
    let most = if time.cycles > LONG { CACHED_CODE } else { SHORT_CODE };
    let fetched = (code / most).max(1.0).powi(4);
    let alone = time.cycles * fetched;
    let total_cycles = (alone + target.timing.launched(alone / cycles_of_us) * cycles_of_us) * of_points;

    let at = |size: u64| {
        // Lines 14 to 17, and 25 and 26: for each 32 points.
        let transactions = transactions(group, plan, size as i64) / iterations;
        let warp_bytes_per_cycle = target.bandwidth / target.sms as f64 / target.clock / warps_at_once;
        let memory_time = size as f64 * transactions / warp_bytes_per_cycle;
        let shared_of_sm = plan.shared as f64 * occupied.blocks_per_sm as f64;
        let registers_of_sm = registers as f64 * 32.0 * occupied.warps_per_sm as f64;
        let mut cost = Cost {
            total: 0.0,
            share,
            transaction_bytes: size,
            transactions,
            occupancy: occupied.fraction,
            limit: occupied.limit,
            memory_to_compute: memory_time / compute_time.max(1.0),
            unallocated_shared: 1.0 - shared_of_sm / target.shared_per_sm as f64,
            unused_registers: 1.0 - registers_of_sm / target.registers_per_sm as f64,
            overlap,
            extra_blocks: blocks_per_sm.ceil() % occupied.blocks_per_sm as f64,
            cycles: total_cycles,
            time,
            registers,
            shared: plan.shared,
            instructions: per_point,
            bytes,
            blocks: blocks as i64,
            code,
        };
        cost.total = cost.parts(target).iter().map(|(_, part)| part).sum();
        cost
    };
    let [first, second] = target.transactions.map(at);
    Ok(if second.total < first.total { second } else { first })
}

/// Tiles along each dimension of the grid: enough for every live-out.
pub(super) fn tiles(group: &Group, plan: &Plan) -> Vec<i64> {
    let mut tiles = vec![1; plan.tile.len()];
    for (stage, part) in group.stages.iter().zip(&plan.parts) {
        let Some(part) = part.as_ref().filter(|_| stage.is_live_out) else { continue };
        for (stride, size) in part.strides.iter().zip(&stage.size).filter(|(stride, _)| stride.step > 0) {
            let tiles = &mut tiles[stride.axis];
            *tiles = (*tiles).max((size + stride.step - 1) / stride.step);
        }
    }
    tiles
}

/// The work of a tile: what would be done without overlap, and what is done beyond it. A warp that walks down its strip does again
/// only what is above the rows that it begins with, and that is in the box.
fn computed(group: &Group, plan: &Plan) -> (Work, Work) {
    let (mut once, mut again) = (Work::NONE, Work::NONE);
    for (stage, part) in group.stages.iter().zip(&plan.parts) {
        let Some(part) = part else { continue };
        let own = own_volume(part).min(part.volume() as f64);
        once = once + stage.work * own;
        again = again + stage.work * (part.volume() as f64 - own);
    }
    (once, again)
}

/// The points of a box that no other tile's box would have, were there no overlap. Along a dimension that does not move with the
/// tile each tile has all.
fn own_volume(part: &Part) -> f64 {
    let steps = part.strides.iter().zip(&part.region);
    steps.map(|(stride, range)| if stride.step > 0 { stride.step } else { range.len() } as f64).product()
}

/// The rows of 32 lanes, or of a strip, in which a box is loaded, and the columns of each. All colours of a pixel are its lane's.
fn rows(plan: &Plan, region: &[Range<i64>]) -> (f64, i64) {
    let behind = plan.mapping.lanes.len() - 1 - plan.mapping.lane_axis();
    let (outer, inner) = region.split_at(region.len().saturating_sub(1 + behind));
    let volume = |region: &[Range<i64>]| region.iter().map(|range| range.len()).product::<i64>();
    let (rows, columns) = (volume(outer) as f64, volume(inner).max(1));
    match plan.strip {
        Some(_) => (rows, columns),
        None => {
            let of_warp = 32 * inner.get(1..).map_or(1, volume);
            (rows * (columns as f64 / of_warp as f64).ceil(), columns.min(of_warp))
        }
    }
}

/// Transactions of so many bytes that load a tile's inputs, coalesced over the lanes of a warp (lines 14 to 17).
fn transactions(group: &Group, plan: &Plan, size: i64) -> f64 {
    let mut all = 0.0;
    for input in &plan.inputs {
        let bytes = group.images[input.image];
        let (rows, columns) = rows(plan, &input.part.region);
        all += rows * run(columns * bytes, bytes, size);
    }
    for (number, (stage, part)) in group.stages.iter().zip(&plan.parts).enumerate() {
        let Some(part) = part else { continue };
        for access in group.body(number).distinct.iter().map(|access| &stage.accesses[*access]) {
            let Source::Image(image) = access.source else { continue };
            if plan.inputs.iter().any(|input| input.is_read_by(access, &stage.extents, part)) {
                continue;
            }
            let bytes = group.images[image];
            let (rows, columns) = rows(plan, &part.region);
            if access.is_scattered() {
                // Nobody knows where: a transaction a lane.
                all += rows * columns as f64 * access.times();
                continue;
            }
            // Lanes that are further apart than a transaction have one each.
            let apart = |elements: f64| (elements * bytes as f64).min(size as f64);
            let span =
                apart(elements_apart(access, part, plan.mapping.lane_axis())) * (columns - 1) as f64 + bytes as f64;
            all += rows * run(span.ceil() as i64, bytes, size) * access.times();
        }
    }
    all
}

/// The elements between what neighbouring lanes read, which lie along an axis of the grid.
pub(super) fn elements_apart(access: &Access, part: &Part, lane_axis: usize) -> f64 {
    let Some(last) = part.region.len().checked_sub(1) else { return 0.0 };
    let is_along = |d: &usize| part.strides[*d].axis == lane_axis && part.strides[*d].step > 0;
    let x = (0..last).rev().find(is_along).filter(|_| !is_along(&last)).unwrap_or(last);
    let lanes = part.region[x].len();
    let (mut apart, mut row) = (0.0, 1.0);
    for d in (0..access.indices.len()).rev() {
        if access.uses(d, x) {
            apart += match access.reads_first(d, part) {
                Some(read) if lanes > 1 => (read.len() - 1) as f64 / (lanes - 1) as f64 * row,
                Some(_) => 0.0,
                None => f64::INFINITY,
            };
        }
        row *= match access.extents[d] {
            Extent::Known(extent) => extent as f64,
            Extent::Named(_) => f64::INFINITY,
        };
    }
    apart
}

/// Lines of L1 that the loads of a warp lie in, for each load beyond the first: what lanes read of a tile's row that is no tile itself, with
/// as many loads as a lane has columns. Rows of a stencil are loaded once.
fn lines_apart(group: &Group, plan: &Plan, schedule: &Schedule) -> f64 {
    let columns_of_lane =
        plan.strip.filter(|_| schedule.layout == Some(Layout::Blocked)).map_or(1, |strip| strip.columns);
    let warps = (plan.mapping.all_lanes() as f64 / 32.0).max(1.0);
    let mut lines = 0.0;
    for (number, (stage, part)) in group.stages.iter().zip(&plan.parts).enumerate() {
        let Some(part) = part else { continue };
        let mut seen: Vec<(usize, &Expr)> = Vec::new();
        for access in group.body(number).distinct.iter().map(|access| &stage.accesses[*access]) {
            let (Source::Image(image), Some(column)) = (access.source, access.indices.last()) else { continue };
            let is_tile = plan.inputs.iter().any(|input| input.is_read_by(access, &stage.extents, part));
            if is_tile || seen.contains(&(image, column)) {
                continue;
            }
            if access.is_gather() {
                // Of planes lanes choose two, mostly; what lies anywhere is found four lines a cycle.
                let of_load = if access.is_scattered() { SCATTERED } else { 1.0 };
                lines += part.volume() as f64 / 32.0 / warps * of_load * access.times();
                continue;
            }
            if plan.strip.is_some() {
                seen.push((image, column));
            }
            let elements = elements_apart(access, part, plan.mapping.lane_axis());
            let bytes = columns_of_lane as f64 * elements * group.images[image] as f64;
            // Of a window in a loop the first counts, too: there are many more loads than anything else.
            let first = if access.times() > 1.0 { 0.0 } else { 1.0 };
            let of_load = (32.0 * bytes / LINE).clamp(1.0, 32.0) - first;
            lines += part.volume() as f64 / 32.0 / warps * of_load * access.times();
        }
    }
    lines
}

/// The transactions of `size` bytes that a run of `span` bytes takes, on average over where elements of `bytes` may begin.
fn run(span: i64, bytes: i64, size: i64) -> f64 {
    (span - bytes) as f64 / size as f64 + 1.0
}

/// Bytes that a tile moves from and to global memory, in whole sectors. What two stages of a tile read is counted once: a
/// cache has it.
fn traffic(group: &Group, plan: &Plan, tiles: &[i64], l2: f64) -> Traffic {
    let mut read: Vec<Option<(Vec<TileStride>, Region)>> = vec![None; group.images.len()];
    // Of an image the planes that are chosen: neighbours mostly choose the same.
    let mut chosen: Vec<HashSet<Vec<u32>>> = vec![HashSet::new(); group.images.len()];
    let (mut written, mut gathered) = (0.0, (0.0, 0.0));
    for (stage, part) in group.stages.iter().zip(&plan.parts) {
        let Some(part) = part else { continue };
        if stage.is_live_out {
            written += own_volume(part) * stage.bytes.iter().sum::<i64>() as f64;
        }
        for access in &stage.accesses {
            let Source::Image(image) = access.source else { continue };
            if access.is_scattered() {
                // A sector each. What L2 can hold comes from memory once.
                let sectors = part.volume() as f64 * access.times() * 32.0;
                let whole = access.extents.iter().map(|extent| match extent {
                    Extent::Known(extent) => *extent as f64,
                    Extent::Named(_) => f64::INFINITY,
                });
                let whole = whole.product::<f64>() * group.images[image] as f64;
                let all: f64 = tiles.iter().map(|tiles| *tiles as f64).product();
                let own = if whole <= l2 { sectors.min(whole / all) } else { sectors.min(whole) };
                gathered.0 += own;
                gathered.1 += sectors - own;
                continue;
            }
            if access.is_gather() {
                chosen[image].insert(access.variables.iter().map(|variable| variable.name).collect());
            }
            let one = (TileStride { axis: 0, step: 0 }, Range::new(0, 0));
            let reads = |d: usize| access.reads(d, part).filter(|_| !access.is_computed(d)).unwrap_or(one);
            let (strides, region): (Vec<TileStride>, Region) = (0..access.indices.len()).map(reads).unzip();
            read[image] = Some(match read[image].take() {
                Some((before, all)) => (before, hull_regions(&all, &region)),
                None => (strides, region),
            });
        }
    }
    let mut traffic = Traffic { read: gathered.0, halo: gathered.1, written, lines: 0.0 };
    for (((strides, region), bytes), chosen) in read
        .into_iter()
        .zip(&group.images)
        .zip(chosen)
        .filter_map(|((read, bytes), chosen)| Some(((read?, bytes), chosen)))
    {
        let part = Part { periodic: Vec::new(), strides, region };
        let (rows, columns) = (part.rows() as f64, part.columns());
        let planes = chosen.len().max(1) as f64;
        let loaded = planes * rows * run(columns * bytes, *bytes, 32) * 32.0;
        // Tiles along a dimension that an image does not have all read the same: from L2, if it still holds what was read since, by
        // the tiles of all dimensions that follow.
        let has = |axis: usize| part.strides.iter().any(|stride| stride.axis == axis && stride.step > 0);
        let mut own = (planes * own_volume(&part) * *bytes as f64).min(loaded);
        let mut since = own;
        for (axis, tiles) in tiles.iter().enumerate().rev() {
            match has(axis) {
                true => since *= *tiles as f64,
                false if since <= l2 => own /= *tiles as f64,
                false => {}
            }
        }
        traffic.read += own;
        traffic.halo += loaded - own;
    }
    traffic
}
