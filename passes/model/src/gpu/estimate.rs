//! What a kernel will need, before it is compiled: registers of a thread, and instructions for a point of the result.
//!
//! ```text
//! group, plan ──▶ Counts: what the passes will emit, counted         registers  = base + Σ coefficient * count, at most the cap
//!                 (loads, shuffles, rows held in registers, ...)     instructions = what is counted + Σ coefficient * count
//! ```
//!
//! The passes unroll, share and drop work by rules of their own, and those are followed here: which reads are of memory, of
//! shared memory, of a lane's own register, or a shuffle, and how often each happens for a tile inside all images. What LLVM
//! and `ptxas` then do with it (addresses, loops unrolled, loads issued early) is not followed but fitted: a few coefficients
//! for each kind of storage, from kernels of the examples and of random programs. `bench/calibrate` fits them again;
//! `docs/models.md` has them in a table, with how far they are off.
//!
//! **Instructions** are those of a thread, as the SIMT executor counts them, but for divisions and roots, which are one
//! instruction of PTX and several of the machine.
//!
//! **Registers** are of the whole kernel, its version for tiles at an edge included, in registers of 32 bits.

use super::{
    counts::{Counts, counts_of_tiles},
    plan::Plan,
    points,
    schedule::{Schedule, Scope},
    storage::StorageKind,
    target::{MAX_REGISTERS, SM_REGISTERS},
    thread_tiles::{self, wanted_warps_of_threads},
};
use crate::program::{Group, OpClass, Work};

/// Warps of an SM that a kernel is compiled for (`nvvm.minctasm`), at least: 16 hide what they wait for, and leave a lane 128 registers; 12
/// leave 168, for hybrid tiles, whose rows are all unrolled.
pub fn wanted_warps(plan: &Plan, schedule: &Schedule) -> i64 {
    match schedule.scope {
        Scope::Thread => wanted_warps_of_threads(schedule.thread_tile().map_or(1, |tile| tile.iter().product())),
        _ if plan.strip.is_none() && schedule.fraction.is_some() => 12,
        _ => 16,
    }
}

/// Warps of an SM that a kernel is compiled for. Of a kernel of tiles in shared memory, or of unrolled strips, that needs few registers these
/// are more: else ptxas spends what there is on loads that it moves up, and on an H200 such kernels take up to twice as long. The limits are
/// those below which none of the benchmarks' kernels spills.
pub fn compiled_warps(group: &Group, plan: &Plan, schedule: &Schedule) -> i64 {
    let most = match StorageKind::of(plan, schedule) {
        StorageKind::Shared if plan.has_lane_grid(schedule) => return wanted_warps(plan, schedule),
        StorageKind::Shared => 50,
        StorageKind::Strip if plan.strip.is_some_and(|strip| strip.columns == 1) => 56,
        StorageKind::Strip => 48,
        _ => return wanted_warps(plan, schedule),
    };
    match estimate(group, plan, schedule).registers {
        ..=40 => 32,
        registers if registers <= most => 28,
        _ => wanted_warps(plan, schedule),
    }
}

/// The most registers that a thread can have: those of an SM, over the threads of the blocks that are wanted on it.
pub fn most_registers(plan: &Plan, schedule: &Schedule) -> i64 {
    let threads: i64 = plan.mapping.threads(schedule.scope).iter().product();
    let blocks = (wanted_warps(plan, schedule) * 32 / threads).max(1);
    // A launch wants as many for each of an SM's four partitions as for the one with the most warps.
    let launched = (threads + 127) / 128 * 128;
    // Registers are given out by eights.
    (SM_REGISTERS / (blocks * threads).max(launched) / 8 * 8).min(MAX_REGISTERS)
}

/// Thread instructions for a point of the result: of a tile that lies inside all images, over the points of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instructions {
    /// Those of the bodies, by class.
    pub arithmetic: Work,
    /// Loads from memory.
    pub loads: f64,
    /// Stores to memory.
    pub stores: f64,
    /// Reads and writes of shared memory.
    pub shared: f64,
    /// Shuffles.
    pub shuffles: f64,
    /// Addresses, predicates, loops, choices of registers.
    pub rest: f64,
}

impl Instructions {
    /// All of them.
    pub fn per_point(&self) -> f64 {
        self.arithmetic.instructions() + self.loads + self.stores + self.shared + self.shuffles + self.rest
    }

    /// All of them as PTX has them, where a division or a root is one instruction.
    pub fn of_ptx(&self) -> f64 {
        self.per_point() - 8.0 * self.arithmetic.ops[OpClass::Special as usize]
    }
}

/// What each count adds to the registers of a thread, for a kind of storage.
struct Pressure {
    /// Pointers, coordinates, the lane's number.
    base: f64,
    /// For each register that holds a tile.
    tile: f64,
    /// For the root of the values that are loaded together. ptxas issues loads early while registers last, and the more there
    /// are the fewer of them are on their way at once.
    together: f64,
    /// The same in one dimension.
    together_in_row: f64,
    /// For the root of the values that unrolled code computes: those that wait for their last reader.
    made: f64,
}

/// By kind of storage, in the order of [`StorageKind::ALL`]. Fitted by `bench/calibrate --fit`.
const PRESSURE: [Pressure; 6] = [
    Pressure { base: 6.07, tile: 0.00, together: 5.08, together_in_row: 3.83, made: 0.00 },
    Pressure { base: 16.46, tile: 0.00, together: 3.41, together_in_row: 0.66, made: 0.00 },
    Pressure { base: 1.72, tile: 0.06, together: 7.48, together_in_row: 6.04, made: 4.49 },
    Pressure { base: 0.00, tile: 0.00, together: 5.41, together_in_row: 3.62, made: 4.25 },
    Pressure { base: 13.41, tile: 1.03, together: 2.85, together_in_row: 3.78, made: 3.33 },
    Pressure { base: 8.39, tile: 0.94, together: 0.00, together_in_row: 0.00, made: 0.00 },
];

/// What each count adds to the instructions for a point, beside those that are counted themselves.
struct Overhead {
    /// For each lane that goes along beyond its box.
    idle: f64,
    /// For each load in a loop: its address.
    loop_loads: f64,
    /// For each read or write of shared memory: its address.
    shared: f64,
    /// For each choice between registers.
    selects: f64,
    /// For each row that unrolled code touches.
    lines: f64,
    /// For each store: its address and predicate.
    stores: f64,
    /// For each thread: where its tile is, and whether inside.
    threads: f64,
}

/// By kind of storage, in the order of [`StorageKind::ALL`]. Fitted by `bench/calibrate --fit`.
const OVERHEAD: [Overhead; 6] = [
    Overhead { idle: 7.83, loop_loads: 3.81, shared: 1.86, selects: 0.00, lines: 0.00, stores: 0.00, threads: 20.52 },
    Overhead { idle: 23.07, loop_loads: 2.93, shared: 0.81, selects: 0.00, lines: 0.00, stores: 0.00, threads: 32.57 },
    Overhead { idle: 17.43, loop_loads: 2.06, shared: 1.29, selects: 0.66, lines: 1.12, stores: 1.02, threads: 46.44 },
    Overhead { idle: 0.00, loop_loads: 0.00, shared: 0.00, selects: 1.23, lines: 0.03, stores: 4.07, threads: 28.23 },
    Overhead { idle: 0.00, loop_loads: 0.00, shared: 0.00, selects: 1.66, lines: 2.42, stores: 2.71, threads: 0.00 },
    Overhead { idle: 0.00, loop_loads: 3.29, shared: 0.00, selects: 0.00, lines: 2.74, stores: 1.27, threads: 25.95 },
];

/// What a kernel will need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Registers of a thread, for the version at an edge, too.
    pub registers: i64,
    /// Instructions of a thread for a point of the result.
    pub instructions: Instructions,
    /// [`Counts::code`]
    pub code: f64,
    /// [`Counts::waits`]
    pub waits: f64,
    /// [`Counts::at_edge`]
    pub at_edge: f64,
}

/// Counts a kernel.
pub fn counts(group: &Group, plan: &Plan, schedule: &Schedule) -> Counts {
    match schedule.scope {
        Scope::Thread => {
            let one = vec![1; group.grid_rank()];
            let tile = schedule.thread_tile();
            tile.and_then(|tile| thread_tiles::counts(group, tile, &plan.mapping.lanes))
                .unwrap_or_else(|| points::counts(group, tile.unwrap_or(&one)))
        }
        Scope::Warp | Scope::Block => counts_of_tiles(group, plan, schedule),
    }
}

/// Estimates a kernel.
pub fn estimate(group: &Group, plan: &Plan, schedule: &Schedule) -> Estimate {
    let c = counts(group, plan, schedule);
    Estimate {
        registers: registers_of(&c, plan, schedule),
        code: c.code,
        waits: c.waits,
        at_edge: c.at_edge,
        instructions: instructions_of(c, plan, schedule),
    }
}

fn registers_of(c: &Counts, plan: &Plan, schedule: &Schedule) -> i64 {
    let k = &PRESSURE[StorageKind::of(plan, schedule) as usize];
    // A value takes the register that it is in, whatever the kind.
    let wanted = k.base
        + c.live
        + k.tile * c.tile_registers
        + k.together * c.together.sqrt()
        + k.together_in_row * c.together_in_row.sqrt()
        + k.made * c.made.sqrt();
    (wanted.round() as i64).clamp(LEAST_REGISTERS, most_registers(plan, schedule))
}

fn instructions_of(c: Counts, plan: &Plan, schedule: &Schedule) -> Instructions {
    let k = &OVERHEAD[StorageKind::of(plan, schedule) as usize];
    let rest = k.idle * c.idle
        + k.loop_loads * c.loop_loads
        + k.shared * c.shared
        + k.selects * c.selects
        + k.lines * c.lines
        + k.stores * c.stores
        + k.threads * c.threads;
    let Counts { loads, stores, shared, shuffles, .. } = c;
    Instructions { arithmetic: c.work, loads, stores, shared, shuffles, rest }
}

/// No kernel has fewer.
const LEAST_REGISTERS: i64 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, Expr, Extent, Interval, Named, Range, dim},
        gpu::{Layout, plan},
        program::{Access, Source, Stage},
    };

    /// Three points along x, then three along y: each body adds them and multiplies by a third.
    fn blur() -> Group {
        let extents = vec![Extent::Named(Named::new(0)), Extent::Named(Named::new(1))];
        let needed: Vec<Interval> = vec![Range::new(Some(0), None); 2];
        let stage = |name: &str, source: Source, along: usize, is_live_out: bool| {
            let access = |offset: i64| {
                let indices: Vec<Expr> = (0..2).map(|d| if d == along { dim(d) + offset } else { dim(d) }).collect();
                Access::new(source, indices, Boundary::Clamp, None, extents.clone(), (&extents, &needed), Vec::new())
            };
            let mut work = Work { live: 3, ..Work::NONE };
            work.count(OpClass::F32, 3.0);
            Stage {
                name: name.into(),
                extents: extents.clone(),
                needed: needed.clone(),
                bytes: vec![4],
                widest: 4,
                work,
                size: vec![480, 640],
                accesses: vec![access(-1), access(0), access(1)],
                is_live_out,
                has_planes_alike: false,
                inlined_into: None,
            }
        };
        let stages = vec![stage("blurx", Source::Image(0), 1, false), stage("blury", Source::Stage(0, 0), 0, true)];
        Group::new(stages, vec![4])
    }

    fn of(schedule: &Schedule) -> (Counts, i64, Instructions) {
        let group = blur();
        let plan = plan(&group, schedule).expect("a blur has a plan");
        let counts = counts(&group, &plan, schedule);
        {
            let of = estimate(&group, &plan, schedule);
            (counts, of.registers, of.instructions)
        }
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "found {a}, expected {b}");
    }

    /// Tiles of 8x128 in shared memory: blurx of 10 rows, blury of 8.
    #[test]
    fn shared() {
        let (c, registers, instructions) = of(&Schedule { tile: Some(vec![8, 128]), ..Schedule::default() });
        near(c.computed, 2.25);
        near(c.loads, 3.0 * 1.25);
        near(c.shared, 1.25 + 3.0);
        near(c.stores, 1.0);
        near(c.shuffles + c.idle, 0.0);
        near(instructions.arithmetic.instructions(), 3.0 * 2.25);
        assert!((16..=128).contains(&registers));
        assert!(instructions.rest > 0.0 && instructions.per_point() > 15.0);
    }

    /// Strips of 128 columns, of which 120 are right: 10 rows are loaded by vectors of four, and two of four columns have a
    /// neighbour in another lane.
    #[test]
    fn strip() {
        let schedule = Schedule { tile: Some(vec![8, 128]), layout: Some(Layout::Blocked), ..Schedule::default() };
        let (c, _, _) = of(&schedule);
        near(c.loads, 10.0 * 32.0 / 960.0);
        near(c.shuffles, 2.0 * 10.0 * 32.0 / 960.0);
        near(c.stores, 0.25);
        near(c.shared, 0.0);
        near(c.lines, (10.0 + 8.0) * 32.0 / 960.0);
    }

    /// More rows, more registers, but never more than there are.
    #[test]
    fn registers_grow_to_the_cap() {
        let of_rows = |rows: i64| {
            let tile = Some(vec![rows, 128]);
            of(&Schedule { tile, fraction: Some(1.0), ..Schedule::default() }).1
        };
        let rows: Vec<i64> = [1, 2, 4, 8, 64].into_iter().map(of_rows).collect();
        assert!(rows.windows(2).all(|pair| pair[0] <= pair[1]), "{rows:?}");
        // Twelve warps of a block of four: 65536 registers for 384 threads.
        assert_eq!(rows.last(), Some(&168));
    }
}
