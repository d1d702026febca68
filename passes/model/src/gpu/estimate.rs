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
//! for each way to tile, from kernels of the examples and of random programs. `bench/calibrate` fits them again;
//! `docs/models.md` has them in a table, with how far they are off.
//!
//! **Instructions** are those of a thread, as the SIMT executor counts them, but for divisions and roots, which are one
//! instruction of PTX and several of the machine.
//!
//! **Registers** are of the whole kernel, its version for tiles at an edge included, in registers of 32 bits.

use super::{
    plan::Plan,
    schedule::{Layout, Schedule, Scope},
};
use crate::{
    affine::{Boundary, Expr, Extent, Part, dim, offset_along, reach},
    program::{Access, Group, OpClass, Source, Work, points_read},
};
use std::collections::BTreeMap;

/// How a tile is held, as far as costs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Tiles of a block in shared memory.
    Block,
    /// Tiles of a warp in shared memory.
    Shared,
    /// The right part of each tile in registers.
    Hybrid,
    /// Whole tiles in registers.
    Strip,
    /// The same, a warp walking down rows.
    Stream,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Block, Self::Shared, Self::Hybrid, Self::Strip, Self::Stream];

    /// The way of a plan.
    pub fn of(plan: &Plan, schedule: &Schedule) -> Self {
        match (schedule.scope, plan.strip) {
            (Scope::Block, _) => Self::Block,
            (_, Some(_)) if schedule.stream.is_some() => Self::Stream,
            (_, Some(_)) => Self::Strip,
            (_, None) if plan.hybrid > 0 => Self::Hybrid,
            (_, None) => Self::Shared,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Shared => "shared",
            Self::Hybrid => "hybrid",
            Self::Strip => "strip",
            Self::Stream => "stream",
        }
    }
}

/// Warps of an SM that a kernel is compiled for (`nvvm.minctasm`): 16 hide what they wait for, and leave a lane 128 registers; 12
/// leave 168, for hybrid tiles, whose rows are all unrolled.
pub fn wanted_warps(plan: &Plan, schedule: &Schedule) -> i64 {
    if plan.strip.is_none() && schedule.fraction.is_some() { 12 } else { 16 }
}

/// The most registers that a thread can have: those of an SM, over the threads of the blocks that are wanted on it.
pub fn most_registers(plan: &Plan, schedule: &Schedule) -> i64 {
    let threads: i64 = plan.team.threads(schedule.scope).iter().product();
    let blocks = (wanted_warps(plan, schedule) * 32 / threads).max(1);
    // A launch wants as many for each of an SM's four partitions as for the one with the most warps.
    let launched = (threads + 127) / 128 * 128;
    // Registers are given out by eights.
    (65536 / (blocks * threads).max(launched) / 8 * 8).min(255)
}

/// What a kernel's version for tiles inside all images consists of. What is said to be for a point is of all stages together,
/// over the points of a tile.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Ops of the bodies, for a point.
    pub work: Work,
    /// Points of stages computed, for a point.
    pub computed: f64,
    /// Lanes that go along beyond their box, for a point.
    pub idle: f64,
    /// Loads from memory, for a point; a vector is one.
    pub loads: f64,
    /// Those of them that stand in loops over lanes.
    pub loop_loads: f64,
    /// Stores to memory, for a point; a vector is one.
    pub stores: f64,
    /// Bytes that they write, for a point.
    pub store_bytes: f64,
    /// Reads and writes of shared memory, for a point.
    pub shared: f64,
    /// Shuffles, for a point.
    pub shuffles: f64,
    /// Choices between two registers that go with them, for a point.
    pub selects: f64,
    /// Rows of memory that a thread's unrolled code reads and writes, for a point: each has an address to compute.
    pub lines: f64,
    /// Threads, for a point: each begins with the same few dozen instructions.
    pub threads: f64,

    /// Most values alive in a body, in registers.
    pub live: f64,
    /// Registers that hold tiles.
    pub tile_registers: f64,
    /// Values, in registers, that are loaded between two jumps, loops unrolled: ptxas can ask for them together. Of images of
    /// two dimensions and more.
    pub together: f64,
    /// The same of images of one dimension: all is in one row, and addresses are one register and constants.
    pub together_in_row: f64,
    /// Values that unrolled code computes between two jumps, and that ptxas orders as it likes.
    pub made: f64,
    /// 1 where no tile lies inside all images, and there is only the version at an edge.
    pub at_edge: f64,
    /// Instructions of a thread that are written out for each point that a lane has in registers, in the version for tiles inside
    /// and in that for those at an edge; loops over lanes are not counted.
    pub code: f64,
}

impl Counts {
    /// Names and values, for a table or for JSON.
    pub fn entries(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("ops", self.work.instructions()),
            ("special", self.work.ops[OpClass::Special as usize]),
            ("computed", self.computed),
            ("idle", self.idle),
            ("loads", self.loads),
            ("loop_loads", self.loop_loads),
            ("stores", self.stores),
            ("store_bytes", self.store_bytes),
            ("shared", self.shared),
            ("shuffles", self.shuffles),
            ("selects", self.selects),
            ("lines", self.lines),
            ("threads", self.threads),
            ("live", self.live),
            ("tile_registers", self.tile_registers),
            ("together", self.together),
            ("together_in_row", self.together_in_row),
            ("made", self.made),
            ("at_edge", self.at_edge),
            ("code", self.code),
        ]
    }
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

/// What each count adds to the registers of a thread, for a way to tile.
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

/// By way, in the order of [`Way::ALL`]. Fitted by `bench/calibrate --fit`.
const PRESSURE: [Pressure; 5] = [
    Pressure { base: 6.07, tile: 0.00, together: 5.08, together_in_row: 3.83, made: 0.00 },
    Pressure { base: 16.46, tile: 0.00, together: 3.41, together_in_row: 0.66, made: 0.00 },
    Pressure { base: 1.72, tile: 0.06, together: 7.48, together_in_row: 6.04, made: 4.49 },
    Pressure { base: 0.00, tile: 0.00, together: 5.41, together_in_row: 3.62, made: 4.25 },
    Pressure { base: 13.41, tile: 1.03, together: 2.85, together_in_row: 3.78, made: 3.33 },
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

/// By way, in the order of [`Way::ALL`]. Fitted by `bench/calibrate --fit`.
const OVERHEAD: [Overhead; 5] = [
    Overhead { idle: 7.83, loop_loads: 3.81, shared: 1.86, selects: 0.00, lines: 0.00, stores: 0.00, threads: 20.52 },
    Overhead { idle: 23.07, loop_loads: 2.93, shared: 0.81, selects: 0.00, lines: 0.00, stores: 0.00, threads: 32.57 },
    Overhead { idle: 17.43, loop_loads: 2.06, shared: 1.29, selects: 0.66, lines: 1.12, stores: 1.02, threads: 46.44 },
    Overhead { idle: 0.00, loop_loads: 0.00, shared: 0.00, selects: 1.23, lines: 0.03, stores: 4.07, threads: 28.23 },
    Overhead { idle: 0.00, loop_loads: 0.00, shared: 0.00, selects: 1.66, lines: 2.42, stores: 2.71, threads: 0.00 },
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
}

/// Estimates a kernel.
pub fn estimate(group: &Group, plan: &Plan, schedule: &Schedule) -> Estimate {
    let c = counts(group, plan, schedule);
    Estimate {
        registers: registers_of(&c, plan, schedule),
        code: c.code,
        instructions: instructions_of(c, plan, schedule),
    }
}

fn registers_of(c: &Counts, plan: &Plan, schedule: &Schedule) -> i64 {
    let k = &PRESSURE[Way::of(plan, schedule) as usize];
    // A value takes the register that it is in, whatever the way.
    let wanted = k.base
        + c.live
        + k.tile * c.tile_registers
        + k.together * c.together.sqrt()
        + k.together_in_row * c.together_in_row.sqrt()
        + k.made * c.made.sqrt();
    (wanted.round() as i64).clamp(LEAST_REGISTERS, most_registers(plan, schedule))
}

fn instructions_of(c: Counts, plan: &Plan, schedule: &Schedule) -> Instructions {
    let k = &OVERHEAD[Way::of(plan, schedule) as usize];
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

/// A load of a stage as its own body and those of the stages computed in it have it, in the stage's coordinates.
pub(super) struct Read<'g> {
    pub(super) source: Source,
    indices: Vec<Expr>,
    boundary: Boundary,
    /// The stage that it stands in, and the access.
    pub(super) of: (usize, &'g Access),
}

impl Read<'_> {
    /// All but the column, and the row's offset along `y` taken out: equal for reads of rows that move together.
    fn line(&self, y: Option<usize>) -> (Source, Vec<Expr>, i64) {
        // A tensor of no dimensions has no column.
        let rows = self.indices.split_last().map_or(&[][..], |(_, rows)| rows);
        let offset = y.zip(rows.last()).and_then(|(y, row)| offset_along(row, y));
        let mut rows = rows.to_vec();
        if let (Some(_), Some(last)) = (offset, rows.last_mut()) {
            *last = Expr::Const(0);
        }
        (self.source, rows, offset.unwrap_or(0))
    }
}

/// The distinct loads of a stage, those of stages that are computed in it among them.
pub(super) fn reads(group: &Group, stage: usize) -> Vec<Read<'_>> {
    fn gather<'g>(group: &'g Group, stage: usize, through: &[Expr], all: &mut Vec<Read<'g>>) {
        for access in &group.stages[stage].accesses {
            let indices = access.named(through);
            match access.producer().filter(|producer| group.stages[*producer].inlined_into.is_some()) {
                Some(producer) => gather(group, producer, &indices, all),
                None => {
                    let is_known = |other: &Read| {
                        (other.source, other.boundary) == (access.source, access.boundary) && other.indices == indices
                    };
                    if !all.iter().any(is_known) {
                        let (source, boundary) = (access.source, access.boundary);
                        all.push(Read { source, indices, boundary, of: (stage, access) });
                    }
                }
            }
        }
    }
    let mut all = Vec::new();
    let own: Vec<Expr> = (0..group.stages[stage].extents.len()).map(dim).collect();
    gather(group, stage, &own, &mut all);
    all
}

/// The work of a point of a stage, with that of the stages that are computed in it, each as often as it is read at another point.
pub(super) fn work(group: &Group, stage: usize) -> Work {
    let inlined = (0..stage).filter(|other| group.stages[*other].inlined_into == Some(stage));
    let times = |other| points_read(&group.stages[stage], other).len() as f64;
    inlined.fold(group.stages[stage].work, |all, other| all + work(group, other) * times(other))
}

/// Instructions that compute the place of a load of its own.
pub const ADDRESS: f64 = 4.0;

/// LLVM unrolls a loop until it has about so many instructions.
pub const UNROLLED: f64 = 300.0;

/// Rows of a source, each a span that grows to hold all that is read of it.
type Spans<K> = BTreeMap<K, (i64, i64)>;

fn span<K: Ord>(spans: &mut Spans<K>, key: K, lo: i64, hi: i64) {
    let entry = spans.entry(key).or_insert((lo, hi));
    *entry = (entry.0.min(lo), entry.1.max(hi));
}

fn total<K>(spans: &Spans<K>) -> f64 {
    spans.values().map(|(lo, hi)| hi - lo + 1).sum::<i64>() as f64
}

/// An expression as a key.
fn text(indices: &[Expr]) -> String {
    indices.iter().map(|index| format!("{index};")).collect()
}

fn words(bytes: i64) -> f64 {
    ((bytes + 3) / 4) as f64
}

/// Counts a kernel.
pub fn counts(group: &Group, plan: &Plan, schedule: &Schedule) -> Counts {
    let way = Way::of(plan, schedule);
    let rank = plan.tile.len();
    let blocked = schedule.layout == Some(Layout::Blocked);
    let columns = plan.strip.map_or(plan.hybrid / 32, |strip| strip.columns);
    let mut c = Counts::default();
    // Rows that unrolled code reads, by image, rows that move together and column; shuffles of a producer's rows.
    let mut loaded: Spans<(usize, String)> = BTreeMap::new();
    let mut lines: Spans<(usize, String)> = BTreeMap::new();
    let mut shuffled: Spans<(usize, usize, i64, i64)> = BTreeMap::new();
    let mut memory_words = 0.0;
    let mut stored_lines = 0.0;
    let mut at_edge = 0.0;
    let mut window = 1;
    let mut rows_in_registers = 0;
    for (number, (stage, part)) in group.stages.iter().zip(&plan.parts).enumerate() {
        let Some(part) = part else { continue };
        if stage.inlined_into.is_some() {
            continue;
        }
        let own = part.region.len();
        let y = own.checked_sub(2);
        let rows_span = y.map_or((0, 0), |y| (part.region[y].lo, part.region[y].hi));
        let cols = part.region[own - 1].len();
        let rows = part.points() / cols;
        let reads = reads(group, number);
        let work = work(group, number);
        let tile_of = |read: &Read| {
            let (stage, access) = read.of;
            let reader = plan.parts[stage].as_ref()?;
            plan.inputs.iter().position(|input| input.is_read_by(access, &group.stages[stage].extents, reader))
        };
        let bytes = |read: &Read| match read.source {
            Source::Image(image) => group.images[image],
            Source::Stage(producer, result) => group.stages[producer].bytes[result],
        };
        c.live = c.live.max(work.live as f64);
        c.at_edge = c.at_edge.max(f64::from(u8::from(!has_inside(&stage.extents, part))));

        // In loops over lanes.
        let looped = match way {
            Way::Block | Way::Shared => cols,
            Way::Hybrid => cols - plan.hybrid,
            Way::Strip | Way::Stream => 0,
        };
        if looped > 0 {
            let (executed, turns) = executed(plan, part, looped);
            let points = (rows * looped) as f64;
            let all: f64 = reads.iter().map(|read| read.of.1.times()).sum();
            let of_memory = reads.iter().filter(|read| matches!(read.source, Source::Image(_)));
            let of_memory: f64 = of_memory.map(|read| read.of.1.times()).sum();
            c.computed += points;
            c.idle += executed - points;
            c.work = c.work + work * points;
            c.loads += points * of_memory;
            c.loop_loads += points * of_memory;
            c.shared += points * (all - of_memory);
            if group.is_read(number) {
                c.shared += points * stage.bytes.len() as f64;
            }
            let size = work.instructions() + 3.0 * reads.len() as f64 + 6.0;
            let unrolled = (UNROLLED / size).clamp(1.0, turns);
            let words: f64 = reads.iter().map(|read| words(bytes(read))).sum();
            c.together = c.together.max(unrolled * words);
        }
        // Unrolled.
        let in_registers = (rows * (cols - looped)) as f64;
        if in_registers > 0.0 {
            // What is only written is computed where it is written: LLVM moves it behind the question of which lanes do.
            let width = if group.is_read(number) { cols } else { part.follow[own - 1].step.clamp(1, cols) };
            let points = in_registers.min((rows * width) as f64);
            c.computed += points;
            c.work = c.work + work * points;
            c.made += in_registers / 32.0;
            rows_in_registers = rows_in_registers.max(rows);
            let offsets = reads.iter().filter_map(|read| {
                let row = read.indices.len().checked_sub(2)?;
                offset_along(&read.indices[row], y?)
            });
            let (least, most) = offsets.fold((i64::MAX, i64::MIN), |(lo, hi), at| (lo.min(at), hi.max(at)));
            window = window.max(most.saturating_sub(least).saturating_add(1));
            let base = |part: &Part| match way {
                Way::Hybrid => part.region[part.region.len() - 1].hi + 1 - plan.hybrid,
                _ => part.region[part.region.len() - 1].lo,
            };
            // In a loop, or at a place that is computed: each for itself, and always of memory.
            let (plain, others): (Vec<&Read>, Vec<&Read>) = reads.iter().partition(|read| read.of.1.is_plain());
            let times: f64 = others.iter().map(|read| read.of.1.times()).sum();
            c.loads += points * times;
            c.loop_loads += points * times;
            let computed = others.iter().filter(|read| read.of.1.times() == 1.0).count();
            c.code += (work.code + ADDRESS * computed as f64) * points;
            for read in plain {
                let (source, line, offset) = read.line(y);
                let (lo, hi) = (rows_span.0 + offset, rows_span.1 + offset);
                let leading = rows / (rows_span.1 - rows_span.0 + 1);
                let (from, its_base) = match (source, tile_of(read)) {
                    (Source::Image(image), None) => {
                        let line = text(&line);
                        let column = read.indices.last().map(ToString::to_string).unwrap_or_default();
                        for plane in 0..leading {
                            span(&mut loaded, (image, format!("{plane} {line} {column}")), lo, hi);
                            span(&mut lines, (image, format!("{plane} {line}")), lo, hi);
                        }
                        memory_words = words(group.images[image]).max(memory_words);
                        continue;
                    }
                    (Source::Image(_), Some(input)) => (group.stages.len() + input, base(part)),
                    (Source::Stage(producer, result), _) => {
                        let Some(of) = &plan.parts[producer] else { continue };
                        // At an edge the row is chosen among those that the boundary mode can lead to.
                        at_edge += 2.0 * in_registers * rows_led(read.of.1, of) as f64;
                        (producer + result * 1000, base(of))
                    }
                };
                let Some(dx) = read.indices.last().and_then(|index| offset_along(index, own - 1)) else { continue };
                let delta = base(part) + dx - its_base;
                for j in 0..columns {
                    // Which register of the source, and how many lanes away.
                    let (register, lanes) = match way != Way::Hybrid && blocked {
                        true => ((j + delta).rem_euclid(columns), (j + delta).div_euclid(columns)),
                        false => (j + delta.div_euclid(32), delta.rem_euclid(32)),
                    };
                    if way == Way::Hybrid && register < 0 {
                        c.shared += in_registers / columns as f64;
                        c.selects += in_registers / columns as f64;
                    }
                    if lanes != 0 && (way != Way::Hybrid || register >= -1) {
                        span(&mut shuffled, (from, 0, register, lanes), lo, hi);
                    }
                }
            }
        }
        if stage.is_live_out {
            let written: i64 = part.follow.iter().map(|follow| follow.step.max(1)).product();
            let width = part.follow[own - 1].step.max(1);
            for bytes in &stage.bytes {
                let vector = if looped == 0 { vector(plan, blocked, stage.extents[own - 1], *bytes) } else { 1 };
                c.stores += written as f64 / vector as f64;
                c.store_bytes += (written * bytes) as f64;
                if in_registers > 0.0 {
                    c.code += in_registers / vector as f64;
                    stored_lines += (written / width) as f64;
                }
            }
        }
    }
    let mut input_rows = 0.0;
    for input in &plan.inputs {
        let columns_of = input.part.region[input.part.region.len() - 1].len();
        let points = input.part.points();
        let bytes = group.images[input.image];
        let (stage, access) = input.of;
        let extent = group.stages[stage].accesses[access].extents.last().copied().unwrap_or(Extent::Known(1));
        c.loads += points as f64 / vector(plan, blocked, extent, bytes) as f64;
        c.code += points as f64 / vector(plan, blocked, extent, bytes) as f64;
        input_rows += (points / columns_of) as f64;
        c.together += (points / 32) as f64 * words(bytes);
        rows_in_registers = rows_in_registers.max(points / columns_of);
    }
    if columns > 0 {
        let per_row = 32.0 * columns as f64;
        c.loads += total(&loaded) * per_row;
        c.shuffles += total(&shuffled) * 32.0;
        if !(blocked && way != Way::Hybrid) {
            c.selects += total(&shuffled) * 32.0;
        }
        // Each of them stands there once for all lanes, as the points of the bodies do.
        c.code += total(&loaded) * per_row + c.shuffles + c.selects;
        c.code = (2.0 * c.code + at_edge) / 32.0;
        c.lines = (total(&lines) + input_rows + stored_lines) * 32.0;
        let mut loads = c.together + total(&loaded) * columns as f64 * memory_words.max(1.0);
        // A stream's loop is one turn.
        if way == Way::Stream {
            let height = plan.tile[rank - 2];
            let turn = (window..=height).find(|turn| height % turn == 0).unwrap_or(height);
            let part = (turn as f64 / rows_in_registers.max(1) as f64).min(1.0);
            loads *= part;
            c.made *= part;
            c.code *= part;
        }
        // Where no tile is inside, there is only the version at an edge: a loop over pieces of two columns a lane or so, and
        // between its loads the questions of boundary modes. The quarter is fitted by eye.
        if way == Way::Hybrid && c.at_edge > 0.0 {
            let part = 0.25 * (2.0 / columns as f64).min(1.0);
            loads *= part;
            c.made *= part;
        }
        c.together = loads;
    }
    let points = plan.tile.iter().product::<i64>() as f64;
    c.threads = if schedule.scope == Scope::Warp {
        32.0
    } else {
        plan.team.threads(schedule.scope).iter().product::<i64>() as f64
    };
    for of_tile in [
        &mut c.computed,
        &mut c.idle,
        &mut c.loads,
        &mut c.loop_loads,
        &mut c.stores,
        &mut c.store_bytes,
        &mut c.shared,
        &mut c.shuffles,
        &mut c.selects,
        &mut c.lines,
        &mut c.threads,
    ] {
        *of_tile /= points;
    }
    c.work = c.work * (1.0 / points);
    c.tile_registers = plan.registers as f64;
    if rank == 1 {
        c.together_in_row = std::mem::take(&mut c.together);
    }
    c
}

/// Points that the lanes compute of a box of so many columns, those beyond it included, and how often a lane computes one.
fn executed(plan: &Plan, part: &Part, columns: i64) -> (f64, f64) {
    let (rank, own) = (plan.tile.len(), part.region.len());
    let lanes = &plan.team.lanes;
    // Dimensions of the grid and of the stage end together; along those that the stage lacks all lanes do the same.
    let lacking: i64 = lanes[..rank.saturating_sub(own)].iter().product();
    let mut all = (lacking, 1);
    for (d, region) in part.region.iter().enumerate() {
        let count = (d + rank).checked_sub(own).map_or(1, |d| lanes[d]);
        let extent = if d + 1 == own { columns } else { region.len() };
        let turns = (extent + count - 1) / count;
        all = (all.0 * turns * count, all.1 * turns);
    }
    (all.0 as f64, all.1 as f64)
}

/// How many rows of a producer's box the boundary mode of an access may lead to, beside the one that it reads inside.
fn rows_led(access: &Access, of: &Part) -> i64 {
    let Some(y) = access.indices.len().checked_sub(2) else { return 0 };
    let (below, above) = access.leaves[y].unwrap_or((0, 0));
    let (down, up) = reach(access.mode(y), below, above);
    (down + up).min(of.region[y].len() - 1)
}

/// Columns of a lane that one access of memory moves.
fn vector(plan: &Plan, blocked: bool, extent: Extent, bytes: i64) -> i64 {
    let Some(strip) = plan.strip.filter(|_| blocked) else { return 1 };
    match extent {
        Extent::Known(extent) if extent % strip.columns != 0 => 1,
        // Of others the kernel asks.
        _ => strip.columns.min(16 / bytes).max(1),
    }
}

/// Whether some tile's box lies inside, as far as extents are known.
fn has_inside(extents: &[Extent], part: &Part) -> bool {
    extents.iter().zip(&part.region).zip(&part.follow).all(|((extent, region), follow)| {
        let Extent::Known(extent) = extent else { return true };
        let first = match follow.step {
            0 => 0,
            step => {
                (-region.lo).max(0).div_euclid(step) * step
                    + if region.lo < 0 && -region.lo % step != 0 { step } else { 0 }
            }
        };
        first + region.lo >= 0 && first + region.hi < *extent
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Interval, Named, Range},
        gpu::plan,
        program::Stage,
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
                work,
                size: vec![480, 640],
                accesses: vec![access(-1), access(0), access(1)],
                is_live_out,
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
