//! What a group costs as one kernel by Listing 1 of the AutoGPU paper (paper 001, section 4.2), and its best tile: `strategy=greedy`.
//!
//! A block computes a tile, first what it needs of each member into shared memory, then the output; a thread computes one point of
//! each stage, so a block has as many threads as the largest box has points.
//!
//! ```text
//! tile 16 x 30, a 3 x 3 stencil of a 3 x 3 stencil           boxes 18 x 32 and 16 x 30; block 18 x 32 = 576 threads
//!
//!   arithmetic = tiles · Σ members  work · points / (occupancy · active threads)        of that stage      lines 19 to 34
//!   inputs     = tiles · Σ members  G · loaded bytes / consecutive bytes                                   lines 3 and 4
//!   members    = tiles · Σ members  S · loads of other members                                             lines 5 and 6
//!   cost       = arithmetic + inputs + members                                          while fusing
//!              = arithmetic + (inputs + members) / (occupancy · active threads)         the final tile     line 39
//! ```
//!
//! **Tiles.** Along a dimension of B points, T_min <= T <= T_max: T_min is 8, or 2 where B < 64; T_max is B / 128 where it alone is
//! tiled and B >= 1024, B / 32 where others are too, and B / 2 otherwise. A dimension of less than 64 points is in the tile whole, and
//! has no threads; if all are, the longest is tiled. While fusing, T is a power of two; of groups that are kept every second T is
//! looked at. A block has no more threads than it can, nor has a tile of its output more points than that, which
//! leaves about 500 tiles of two dimensions and at most 1000 in all.
//!
//! **Valid** is a tile whose block has the threads and the shared memory, and each stage of which keeps 10% of an SM's warps busy or
//! more. There must be as many of them as SMs, and in the final pass the threads of a block must be whole warps; but an image that is too
//! small for both must still be computed: where no tile meets these two rules, they do not count.
//!
//! What differs from the printed listing, and why:
//!
//! - **Occupancy** of a stage (line 26) is asked for in the loop that makes the block larger (line 25). Here the block is known first:
//!   so many of them are on an SM, and of each the stage keeps busy as many warps as it has points.
//! - **Active threads** begin at `MAX_THREADS_PER_BLOCK` (line 17): they are those of a block. A stage's are its points, less those along
//!   dimensions that are not tiled.
//! - **Registers** are not known then, and bounded by min(those of a thread, those of an SM over threads). Ours are
//!   [estimated](estimate) within that bound.
//! - **Loads** are divided by "consecutive loads (in bytes)" (line 4). So the loads are in bytes, too, and a quotient is a number of
//!   transactions: a row of 32 neighbours of 4 bytes is one, 32 lanes far apart are 32.
//! - **Factors.** G and S, the cost of a transaction and of a load from shared memory in operations, are not given. Here they are what an
//!   SM computes in the time that its share of the bandwidth takes for a transaction, and in that of a load from shared memory.
//! - **Whole warps** (line 36) are asked for in the final pass only, as the text has it: a power of two and a halo have none.
//! - **The number of tiles** multiplies both costs, as the text says and the listing does not.

use super::{
    choose::{Choice, Effort, Rejected},
    cost::{Rejection, cost, elements_apart, tiles},
    estimate::estimate,
    occupancy::{DoesNotFit, Limit, occupancy},
    plan::{Hybrid, Plan, Refusal, ThreadMapping, shared_bytes},
    schedule::{Schedule, Scope},
    target::Target,
};
use crate::{
    affine::Part,
    program::{Access, Body, Group, Read, Source},
    tiles::{aligned_tile, boxes},
};
use std::collections::HashSet;

/// `OCCUPANCY_THRESHOLD`: the least part of an SM's warps that a stage may keep busy.
const LEAST_OCCUPANCY: f64 = 0.1;

/// A dimension of fewer points is not tiled.
const TILED: i64 = 64;

/// The best tile of a group, and its cost; [`Effort::Quick`] is what is asked while fusing. Tiles that break a limit go to `rejected`.
///
/// # Errors
///
/// What is wrong with the smallest tile, where no tile will do.
pub fn choose_autogpu(
    group: &Group,
    target: &Target,
    largest: f64,
    effort: Effort,
    mut rejected: impl FnMut(Rejected),
) -> Result<Choice, Rejection> {
    let space = Space::of(group);
    let members = Member::all(group);
    let mut seen: HashSet<Vec<i64>> = HashSet::new();
    // Efficient tiles come before others, then costs count.
    let mut best: Option<((bool, f64), Tiled)> = None;
    let mut idle: Vec<Rejected> = Vec::new();
    let mut first = None;
    for tile in space.candidates(effort, target) {
        let tile = aligned_tile(group, Some(&tile));
        if !seen.insert(tile.clone()) {
            continue;
        }
        match Tiled::new(group, &members, &space, &tile, target) {
            Ok(tiled) => {
                let threads: i64 = tiled.plan.mapping.lanes.iter().product();
                let broken = effort == Effort::Full && threads % target.warp_size as i64 != 0;
                let is_idle = tiled.tiles < target.sms as i64;
                let rank = (broken || is_idle, tiled.costs(effort).iter().sum::<f64>());
                if is_idle {
                    let rejection = Rejection::Idle { tiles: tiled.tiles, least: target.sms as i64 };
                    idle.push((tiled.schedule.clone(), rejection));
                }
                if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                    best = Some((rank, tiled));
                }
            }
            Err(rejection) => {
                first.get_or_insert(rejection.clone());
                rejected((Schedule { scope: Scope::Block, tile: Some(tile), ..Schedule::default() }, rejection));
            }
        }
    }
    let Some(((is_inefficient, _), tiled)) = best else {
        // Some tile is looked at always.
        return Err(first.unwrap_or(Rejection::Plan(Refusal::Schedule("no tile".into()))));
    };
    if !is_inefficient {
        idle.into_iter().for_each(rejected);
    }
    let costs = tiled.costs(effort);
    let mut whole = cost(group, &tiled.plan, &tiled.schedule, target, largest)?;
    whole.total = costs.iter().sum();
    let [arithmetic, inputs, members] = costs;
    let parts = vec![("arithmetic", arithmetic), ("inputs", inputs), ("members", members)];
    Ok(Choice { schedule: tiled.schedule, plan: tiled.plan, cost: whole, parts })
}

/// The tiles that a group can have.
struct Space {
    /// For each dimension of the output, the least and the most points of a tile.
    ranges: Vec<(i64, i64)>,
    /// The dimensions that threads run along.
    has_threads: Vec<bool>,
}

impl Space {
    fn of(group: &Group) -> Self {
        let output = group.stages.iter().rev().find(|stage| stage.is_live_out).or(group.stages.last());
        let extents: Vec<i64> = output.map_or_else(|| vec![1], |output| output.size.clone());
        let rank = extents.len();
        let mut is_tiled: Vec<bool> = extents.iter().map(|extent| *extent >= TILED).collect();
        if !is_tiled.contains(&true) {
            // Of equal ones the last, whose neighbours are neighbours in memory.
            let longest = (0..rank).max_by_key(|d| extents[*d]).unwrap_or(0);
            is_tiled[longest] = true;
        }
        let dims = is_tiled.iter().filter(|is_tiled| **is_tiled).count();
        let ranges: Vec<_> = extents
            .iter()
            .zip(&is_tiled)
            .map(|(extent, is_tiled)| if *is_tiled { range(*extent, dims) } else { (*extent, *extent) })
            .collect();
        // Of four dimensions a block's threads run along the last two.
        let has_threads: Vec<bool> =
            is_tiled.iter().enumerate().map(|(d, is_tiled)| *is_tiled && (rank < 4 || d + 2 >= rank)).collect();
        Self { ranges, has_threads }
    }

    /// The tiles to look at, the smallest first.
    fn candidates(&self, effort: Effort, target: &Target) -> Vec<Vec<i64>> {
        let mut all: Vec<(Vec<i64>, i64)> = vec![(Vec::new(), 1)];
        for (d, (least, most)) in self.ranges.iter().enumerate() {
            // Those behind have at least so many points.
            let behind: i64 =
                (d + 1..self.ranges.len()).filter(|d| self.has_threads[*d]).map(|d| self.ranges[d].0).product();
            let mut longer = Vec::new();
            for (tile, points) in all {
                let mut extent = *least;
                loop {
                    let points = points * if self.has_threads[d] { extent } else { 1 };
                    let fits = points * behind <= target.threads_per_block as i64 || extent == *least;
                    if extent > *most || !fits {
                        break;
                    }
                    longer.push(([&tile[..], &[extent]].concat(), points));
                    if !self.has_threads[d] {
                        break;
                    }
                    extent = if effort == Effort::Quick { 2 * extent } else { extent + 2 };
                }
            }
            all = longer;
        }
        all.into_iter().map(|(tile, _)| tile).collect()
    }
}

/// T_min and T_max of a dimension of so many points, of so many that are tiled.
fn range(extent: i64, dims: usize) -> (i64, i64) {
    let least = if extent >= TILED { 8 } else { 2 };
    let most = match (extent >= 1024, dims) {
        (true, 1) => extent / 128,
        (true, _) => extent / 32,
        (false, _) => extent / 2,
    };
    let least = least.min(extent);
    (least, most.max(least))
}

/// What does not depend on the tile: of a stage with a box of its own, and those that are computed in it.
struct Member<'g> {
    number: usize,
    body: &'g Body,
    /// Loads from memory: the read, bytes.
    inputs: Vec<(&'g Read, i64)>,
}

impl<'g> Member<'g> {
    fn all(group: &'g Group) -> Vec<Self> {
        let numbers = (0..group.stages.len()).filter(|number| group.stages[*number].inlined_into.is_none());
        numbers
            .map(|number| {
                let body = group.body(number);
                let of_memory = |read: &'g Read| match read.source {
                    Source::Image(image) => Some((read, group.images[image])),
                    Source::Stage(..) => None,
                };
                Self { number, body, inputs: body.reads.iter().filter_map(of_memory).collect() }
            })
            .collect()
    }
}

/// A group with a tile.
struct Tiled {
    schedule: Schedule,
    plan: Plan,
    tiles: i64,
    arithmetic: f64,
    inputs: f64,
    members: f64,
    /// Occupancy times active threads, the least of all stages.
    active: f64,
}

impl Tiled {
    fn new(group: &Group, members: &[Member], space: &Space, tile: &[i64], target: &Target) -> Result<Self, Rejection> {
        let parts = boxes(group, tile).map_err(|cut| Rejection::Plan(Refusal::Cut(cut)))?;
        let extent_along = |part: &Part, axis: usize| {
            let dims =
                part.strides.iter().zip(&part.region).filter(|(stride, _)| stride.step > 0 && stride.axis == axis);
            dims.map(|(_, range)| range.len()).max().unwrap_or(1)
        };
        let axes = || (0..tile.len()).filter(|axis| space.has_threads[*axis]);
        // Lines 9 to 25.
        let mut block = vec![1; tile.len()];
        for part in members.iter().filter_map(|member| parts[member.number].as_ref()) {
            axes().for_each(|axis| block[axis] = block[axis].max(extent_along(part, axis)));
        }
        let count = |block: &[i64]| block.iter().fold(1i64, |all, threads| all.saturating_mul(*threads));
        if let [_] = members {
            // Alone a stage must have some kernel: there a thread computes several points.
            while count(&block) > target.threads_per_block as i64 {
                let most = (0..block.len()).max_by_key(|d| block[*d]).unwrap_or(0);
                block[most] = (block[most] + 1) / 2;
            }
        }
        let threads = count(&block);
        let shared = shared_bytes(group, &parts, &[], Hybrid::default());
        let refused = |limit, what, asked: i64, most| {
            let target = target.name.clone();
            Rejection::Target(DoesNotFit { limit, target, what, asked: asked as u64, least: 1, most })
        };
        // Lines 36 and 37, first what is known soonest.
        if threads > target.threads_per_block as i64 {
            return Err(refused(Limit::Warps, "threads", threads, target.threads_per_block));
        }
        let most_shared = target.most_shared();
        if shared > most_shared {
            return Err(refused(Limit::Shared, "bytes of shared memory", shared, most_shared as u64));
        }
        let mapping = ThreadMapping::new(Some(&block), tile.len(), Scope::Block)
            .map_err(|message| Rejection::Plan(Refusal::Schedule(message)))?;
        let tile = tile.to_vec();
        let schedule =
            Schedule { scope: Scope::Block, tile: Some(tile.clone()), block: Some(block), ..Schedule::default() };
        let plan = Plan {
            tile,
            parts,
            mapping,
            strip: None,
            inputs: Vec::new(),
            hybrid: Hybrid::default(),
            registers: 0,
            shared,
        };
        let tiles = tiles(group, &plan).iter().fold(1i64, |all, tiles| all.saturating_mul(*tiles));

        let registers = estimate(group, &plan, &schedule).registers;
        let bound =
            target.registers_per_sm / (threads as u64).next_multiple_of(target.warp_size * target.warp_granularity);
        let registers = (registers as u64).min(bound / 8 * 8).min(target.registers_per_thread);
        let occupied = occupancy(target, threads as u64, registers, shared as u64).map_err(Rejection::Target)?;

        let transaction = target.transactions[1] as f64;
        let bytes_per_cycle = target.bandwidth / target.sms as f64 / target.clock;
        let ops = target.cores_per_sm as f64;
        let (global, of_shared) = (transaction / bytes_per_cycle * ops, ops / target.throughput.shared);
        let mut made =
            Self { schedule, plan, tiles, arithmetic: 0.0, inputs: 0.0, members: 0.0, active: f64::INFINITY };
        let (mut least_occupancy, mut least_active) = (1.0f64, target.threads_per_block as f64);
        for member in members {
            let Some(part) = &made.plan.parts[member.number] else { continue };
            let points = part.volume() as f64;
            let active = axes().map(|axis| extent_along(part, axis)).fold(1i64, i64::saturating_mul).min(threads);
            let warps = occupied.blocks_per_sm * (active as u64).div_ceil(target.warp_size);
            let occupancy = warps as f64 / target.warps_per_sm as f64;
            if occupancy < LEAST_OCCUPANCY {
                return Err(Rejection::Occupancy { stage: member.number, occupancy, least: LEAST_OCCUPANCY });
            }
            let work = member.body.work(part).instructions();
            made.arithmetic += tiles as f64 * work * points / (occupancy * active as f64);
            let is_of_member = |read: &&Read| matches!(read.source, Source::Stage(..));
            let loads: f64 =
                member.body.reads.iter().filter(is_of_member).map(|read| member.body.share(read, part)).sum();
            made.members += tiles as f64 * of_shared * loads * points;
            for (read, bytes) in &member.inputs {
                let Some(reader) = &made.plan.parts[read.stage] else { continue };
                let loads = points * member.body.share(read, part);
                made.inputs += tiles as f64 * global * loads * *bytes as f64
                    / consecutive(&read.access, reader, *bytes, transaction);
            }
            least_occupancy = least_occupancy.min(occupancy);
            least_active = least_active.min(active as f64);
        }
        made.active = least_occupancy * least_active;
        Ok(made)
    }

    /// Arithmetic, loads of inputs, loads of members.
    fn costs(&self, effort: Effort) -> [f64; 3] {
        let by = if effort == Effort::Full { self.active } else { 1.0 };
        [self.arithmetic, self.inputs / by, self.members / by]
    }
}

/// Bytes that neighbouring lanes of a row load in one transaction.
fn consecutive(access: &Access, part: &Part, bytes: i64, transaction: f64) -> f64 {
    let row = part.columns() as f64 * bytes as f64;
    let x = part.strides.last().map_or(0, |stride| stride.axis);
    row.min(transaction / elements_apart(access, part, x).max(1.0)).max(bytes as f64)
}
