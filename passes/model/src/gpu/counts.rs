//! What the passes will emit for a kernel, counted for a tile inside all images.
//!
//! ```text
//! each stage with a box of its own    in loops over lanes ─┐                  block and shared tiles, columns left of a hybrid tile's
//!                                     in registers        ─┼─▶ Counts         hybrid tiles, strips, streams
//!                                     stored              ─┤
//! each input that is a tile           loaded              ─┤
//! rows that unrolled code holds       loaded, shuffled    ─┘ and then all of it for a point of the result
//! ```

use super::{
    plan::{Hybrid, Plan},
    schedule::{Layout, Schedule, Scope},
    storage::StorageKind,
};
use crate::{
    affine::{Expr, Extent, Form, Part, offset_along, reach},
    program::{Access, Body, Group, OpClass, Read, Source, Stage, Work},
};
use std::collections::BTreeMap;

/// Instructions that compute the address of a load of its own.
pub const ADDRESS: f64 = 4.0;

/// LLVM unrolls a loop until it has about so many instructions.
pub const UNROLLED: f64 = 300.0;

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
    /// Those of them that stand in loops over lanes; of a thread's points the addresses that they need.
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

    /// How often a thread of several points waits for what it has asked for together.
    pub waits: f64,

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
    /// 1 where no tile lies inside all images, and there is only the version at an edge; of threads of several points the part of the
    /// warps that have this version.
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

/// Counts a kernel of tiles.
pub fn counts_of_tiles(group: &Group, plan: &Plan, schedule: &Schedule) -> Counts {
    let mut counting = Counting::new(group, plan, schedule);
    for member in Member::all(group, plan, counting.registers.kind) {
        counting.at_edges(&member);
        counting.in_loops(&member);
        counting.in_registers(&member);
        counting.stored(&member);
    }
    counting.inputs();
    if counting.registers.columns > 0 {
        counting.unrolled();
    }
    counting.for_a_point(schedule)
}

/// Rows of a source, each a span that grows to hold all that is read of it.
struct Spans<K>(BTreeMap<K, (i64, i64)>);

impl<K: Ord> Spans<K> {
    fn grow(&mut self, key: K, (lo, hi): (i64, i64)) {
        let span = self.0.entry(key).or_insert((lo, hi));
        *span = (span.0.min(lo), span.1.max(hi));
    }

    /// The rows of all of them.
    fn rows(&self) -> f64 {
        self.0.values().map(|(lo, hi)| hi - lo + 1).sum::<i64>() as f64
    }
}

/// Rows of a plane of an image that move together: the indices of one of them, but for the column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rows {
    image: usize,
    plane: i64,
    indices: Vec<Expr>,
}

/// A tile in registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// A result of a stage.
    Stage(usize, usize),
    /// An input of the plan.
    Input(usize),
}

/// A shuffle: the register of a tile whose value so many lanes away is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shuffle {
    tile: Held,
    register: i64,
    lanes: i64,
    /// How the columns of lanes go along, as a ratio: those of a fixed distance side by side.
    pace: (i64, i64),
}

/// How the columns of a tile lie in registers.
struct Registers {
    kind: StorageKind,
    is_blocked: bool,
    /// Columns of a lane; of a hybrid tile those of the slowest stage.
    columns: i64,
    /// Columns of hybrid tiles that lie in registers.
    hybrid: Hybrid,
}

impl Registers {
    /// The first column of a box that is in registers.
    fn first(&self, part: &Part) -> i64 {
        let columns = part.region[part.region.len() - 1];
        if self.kind == StorageKind::Hybrid { columns.hi + 1 - self.hybrid.of(part) } else { columns.lo }
    }

    /// How many times the columns of the slowest stage a lane has of one.
    fn scale(&self, part: &Part) -> i64 {
        match (self.kind, part.strides.last()) {
            (StorageKind::Hybrid, Some(stride)) => self.hybrid.scale(stride.step),
            _ => 1,
        }
    }

    /// Where a lane finds the column `delta` beyond its own `column`: which register of the source, and how many lanes away.
    fn find(&self, column: i64, delta: i64) -> (i64, i64) {
        match self.kind != StorageKind::Hybrid && self.is_blocked {
            true => ((column + delta).rem_euclid(self.columns), (column + delta).div_euclid(self.columns)),
            false => (column + delta.div_euclid(32), delta.rem_euclid(32)),
        }
    }
}

/// A stage that has a box of its own, with all that is computed in it.
struct Member<'g> {
    stage: &'g Stage,
    part: &'g Part,
    body: &'g Body,
    /// The work of a point, with that of the stages that are computed in it.
    work: Work,
    /// Whether another stage reads it.
    is_read: bool,
    /// The dimension of rows.
    y: Option<usize>,
    /// Rows of the box, of all planes.
    rows: i64,
    columns: i64,
    /// Columns that loops over lanes compute; the others are in registers.
    looped: i64,
}

impl<'g> Member<'g> {
    fn all(group: &'g Group, plan: &'g Plan, kind: StorageKind) -> impl Iterator<Item = Self> {
        let stages = group.stages.iter().zip(&plan.parts).enumerate();
        let own = stages.filter(|(_, (stage, _))| stage.inlined_into.is_none());
        own.filter_map(move |(number, (stage, part))| {
            let part = part.as_ref()?;
            let columns = part.columns();
            let looped = match kind {
                StorageKind::Block | StorageKind::Shared => columns,
                StorageKind::Hybrid => columns - plan.hybrid.of(part),
                StorageKind::Strip | StorageKind::Stream | StorageKind::Point => 0,
            };
            Some(Self {
                stage,
                part,
                body: group.body(number),
                work: group.body(number).work(part),
                is_read: group.is_read(number),
                y: part.region.len().checked_sub(2),
                rows: part.rows(),
                columns,
                looped,
            })
        })
    }

    /// Points of the box that are in registers.
    fn volume_in_registers(&self) -> i64 {
        self.rows * (self.columns - self.looped)
    }

    /// The first row of a plane, and the last.
    fn row_span(&self) -> (i64, i64) {
        self.y.map_or((0, 0), |y| (self.part.region[y].lo, self.part.region[y].hi))
    }
}

/// A kernel as it is counted, its counts still of a tile.
struct Counting<'g> {
    group: &'g Group,
    plan: &'g Plan,
    registers: Registers,
    c: Counts,
    /// What unrolled code reads of memory: by rows and column, for as many columns as the slowest stage has, and by rows.
    loaded: Spans<(Rows, Option<Expr>, i64)>,
    lines: Spans<Rows>,
    shuffled: Spans<Shuffle>,
    /// Registers of the widest value that it reads so.
    memory_words: f64,
    /// Rows of inputs and of results.
    input_rows: f64,
    stored_lines: f64,
    /// Instructions that choose rows at an edge, written out.
    at_edge_code: f64,
    /// Rows of a producer that a stage reads at a point.
    window: i64,
    /// Most rows of a tile.
    most_rows: i64,
}

impl<'g> Counting<'g> {
    fn new(group: &'g Group, plan: &'g Plan, schedule: &Schedule) -> Self {
        let registers = Registers {
            kind: StorageKind::of(plan, schedule),
            is_blocked: schedule.layout == Some(Layout::Blocked),
            columns: plan.strip.map_or(plan.hybrid.columns / 32, |strip| strip.columns),
            hybrid: plan.hybrid,
        };
        Self {
            group,
            plan,
            registers,
            c: Counts::default(),
            loaded: Spans(BTreeMap::new()),
            lines: Spans(BTreeMap::new()),
            shuffled: Spans(BTreeMap::new()),
            memory_words: 0.0,
            input_rows: 0.0,
            stored_lines: 0.0,
            at_edge_code: 0.0,
            window: 1,
            most_rows: 0,
        }
    }

    /// What the version for tiles at an edge says of the whole kernel.
    fn at_edges(&mut self, member: &Member) {
        self.c.live = self.c.live.max(member.work.live as f64);
        let is_inside = has_inside(&member.stage.extents, member.part);
        self.c.at_edge = self.c.at_edge.max(f64::from(u8::from(!is_inside)));
    }

    /// The columns that loops over lanes compute.
    fn in_loops(&mut self, member: &Member) {
        let (Body { reads, .. }, work) = (member.body, member.work);
        if member.looped <= 0 {
            return;
        }
        let (executed, iterations) = executed(self.plan, member.part, member.looped);
        let points = (member.rows * member.looped) as f64;
        let times = |read: &Read| read.access.times() * member.body.share(read, member.part);
        let all: f64 = reads.iter().map(times).sum();
        let is_of_memory = |read: &&Read| matches!(read.source, Source::Image(_)) && self.input_of(read).is_none();
        let of_memory = reads.iter().filter(is_of_memory);
        let of_memory: f64 = of_memory.map(times).sum();
        let c = &mut self.c;
        c.computed += points;
        c.idle += executed - points;
        c.work = c.work + work * points;
        c.loads += points * of_memory;
        c.loop_loads += points * of_memory;
        c.shared += points * (all - of_memory);
        if member.is_read {
            c.shared += points * member.stage.bytes.len() as f64;
        }
        let size = work.instructions() + 3.0 * reads.len() as f64 + 6.0;
        let unrolled = (UNROLLED / size).clamp(1.0, iterations.max(1.0));
        let words: f64 = reads.iter().map(|read| words(bytes_of(self.group, read.source))).sum();
        c.together = c.together.max(unrolled * words);
    }

    /// The columns that lie in registers, all of them unrolled.
    fn in_registers(&mut self, member: &Member) {
        let (part, Body { reads, .. }, work) = (member.part, member.body, member.work);
        let in_registers = member.volume_in_registers() as f64;
        if in_registers <= 0.0 {
            return;
        }
        // What is only written is computed where it is written: LLVM moves it behind the question of which lanes do.
        let step = part.strides[part.strides.len() - 1].step;
        let width = if member.is_read { member.columns } else { step.clamp(1, member.columns) };
        let points = in_registers.min((member.rows * width) as f64);
        let c = &mut self.c;
        c.computed += points;
        c.work = c.work + work * points;
        c.made += in_registers / 32.0;
        self.most_rows = self.most_rows.max(member.rows);
        let offsets = reads.iter().filter_map(|read| read.row_offset(member.y?));
        let (least, most) = offsets.fold((i64::MAX, i64::MIN), |(lo, hi), at| (lo.min(at), hi.max(at)));
        self.window = self.window.max(most.saturating_sub(least).saturating_add(1));
        // In a loop, or at an index that is computed: each for itself, and always of memory.
        let (plain, others): (Vec<&Read>, Vec<&Read>) = reads.iter().partition(|read| read.access.is_plain());
        let times: f64 = others.iter().map(|read| read.access.times()).sum();
        c.loads += points * times;
        c.loop_loads += points * times;
        let computed = others.iter().filter(|read| read.access.times() == 1.0).count();
        c.code += (work.code + ADDRESS * computed as f64) * points;
        plain.into_iter().for_each(|read| self.read_by_row(member, read));
    }

    /// A read of unrolled code: of memory, of a lane's own register, of shared memory, or a shuffle.
    fn read_by_row(&mut self, member: &Member, read: &Read) {
        let offset = member.y.and_then(|y| read.row_offset(y)).unwrap_or(0);
        let (first, last) = member.row_span();
        let span = (first + offset, last + offset);
        let (tile, first_column) = match (read.source, self.input_of(read)) {
            (Source::Image(image), None) => {
                let indices = read.rows(member.y);
                for plane in 0..member.rows / (last - first + 1) {
                    let rows = Rows { image, plane, indices: indices.clone() };
                    for columns in 0..self.registers.scale(member.part) {
                        self.loaded.grow((rows.clone(), read.column().cloned(), columns), span);
                    }
                    self.lines.grow(rows, span);
                }
                self.memory_words = self.memory_words.max(words(self.group.images[image]));
                return;
            }
            (Source::Image(_), Some(input)) => (Held::Input(input), self.registers.first(member.part)),
            (Source::Stage(producer, result), _) => {
                let Some(of) = &self.plan.parts[producer] else { return };
                // At an edge the row is chosen among those that the boundary mode can lead to.
                self.at_edge_code += 2.0 * member.volume_in_registers() as f64 * rows_led(&read.access, of) as f64;
                (Held::Stage(producer, result), self.registers.first(of))
            }
        };
        let x = member.part.region.len() - 1;
        let (is_hybrid, own) = (self.registers.kind == StorageKind::Hybrid, self.registers.first(member.part));
        let columns = self.registers.columns * self.registers.scale(member.part);
        let Some(dx) = read.column().and_then(|index| offset_along(index, x)) else {
            let form = read.column().and_then(Form::of).filter(|form| form.dim == x && form.is_shuffled());
            if let Some(form) = form.filter(|_| is_hybrid) {
                let form = form.shifted(own);
                let form = Form { add: form.add - form.div * first_column, ..form };
                (0..columns).for_each(|column| self.sampled(member, (tile, column), form, span));
            }
            return;
        };
        let delta = own + dx - first_column;
        for column in 0..columns {
            let (register, lanes) = self.registers.find(column, delta);
            if is_hybrid && register < 0 {
                let points = member.volume_in_registers() as f64 / columns as f64;
                self.c.shared += points;
                self.c.selects += points;
            }
            if lanes != 0 && (!is_hybrid || register >= -1) {
                self.shuffled.grow(Shuffle { tile, register, lanes, pace: (1, 1) }, span);
            }
        }
    }

    /// What one of a lane's columns reads of a tile of another resolution, lane 0 the first in registers by `form`: a shuffle for each 32
    /// columns that lanes want, and left of registers shared memory.
    fn sampled(&mut self, member: &Member, (tile, column): (Held, i64), form: Form, span: (i64, i64)) {
        let form = form.shifted(32 * column);
        let columns = self.registers.columns * self.registers.scale(member.part);
        if form.at(0) < 0 {
            let points = member.volume_in_registers() as f64 / columns as f64;
            self.c.shared += points;
            self.c.selects += points;
        }
        let (first, last) = (form.at(0), form.at(31));
        for round in 0..=(last - first) / 32 {
            let at = first + 32 * round;
            let shuffle =
                Shuffle { tile, register: at.div_euclid(32), lanes: at.rem_euclid(32), pace: (form.mul, form.div) };
            if at > -32 {
                self.shuffled.grow(shuffle, span);
            }
        }
    }

    /// The input that is a tile, and that a load reads.
    fn input_of(&self, read: &Read) -> Option<usize> {
        let (stage, access) = (read.stage, &read.access);
        let reader = self.plan.parts[stage].as_ref()?;
        let extents = &self.group.stages[stage].extents;
        self.plan.inputs.iter().position(|input| input.is_read_by(access, extents, reader))
    }

    /// What a live-out writes to memory.
    fn stored(&mut self, member: &Member) {
        if !member.stage.is_live_out {
            return;
        }
        let strides = &member.part.strides;
        let last = strides.len() - 1;
        let written: i64 = (0..strides.len()).map(|d| member.part.own(d)).product();
        let width = strides[last].step.max(1);
        let in_registers = member.volume_in_registers() as f64;
        for bytes in &member.stage.bytes {
            let vector = if member.looped == 0 { self.vector(member.stage.extents[last], *bytes) } else { 1 };
            self.c.stores += written as f64 / vector as f64;
            self.c.store_bytes += (written * bytes) as f64;
            if in_registers > 0.0 {
                self.c.code += in_registers / vector as f64;
                self.stored_lines += (written / width) as f64;
            }
        }
    }

    /// The inputs that are tiles, each read from memory once.
    fn inputs(&mut self) {
        for input in &self.plan.inputs {
            let (points, rows) = (input.part.volume(), input.part.rows());
            let bytes = self.group.images[input.image];
            if self.plan.strip.is_none() {
                // In a loop over lanes, from memory to shared memory.
                let (executed, iterations) = executed(self.plan, &input.part, input.part.columns());
                self.c.idle += executed - points as f64;
                self.c.loads += points as f64;
                self.c.loop_loads += points as f64;
                self.c.shared += points as f64;
                self.c.together = self.c.together.max((UNROLLED / 9.0).min(iterations) * words(bytes));
                continue;
            }
            let (stage, access) = input.of;
            let extents = &self.group.stages[stage].accesses[access].extents;
            let vector = self.vector(extents.last().copied().unwrap_or(Extent::Known(1)), bytes);
            self.c.loads += points as f64 / vector as f64;
            self.c.code += points as f64 / vector as f64;
            self.input_rows += rows as f64;
            self.c.together += (points / 32) as f64 * words(bytes);
            self.most_rows = self.most_rows.max(rows);
        }
    }

    /// What the rows come to that unrolled code loads and shuffles, each once, and how much of the code stands together.
    fn unrolled(&mut self) {
        let Registers { kind, is_blocked, columns, .. } = self.registers;
        let c = &mut self.c;
        let in_a_row = 32.0 * columns as f64;
        c.loads += self.loaded.rows() * in_a_row;
        c.shuffles += self.shuffled.rows() * 32.0;
        if !(is_blocked && kind != StorageKind::Hybrid) {
            c.selects += self.shuffled.rows() * 32.0;
        }
        // Each of them stands there once for all lanes, as the points of the bodies do.
        c.code += self.loaded.rows() * in_a_row + c.shuffles + c.selects;
        c.code = (2.0 * c.code + self.at_edge_code) / 32.0;
        c.lines = (self.lines.rows() + self.input_rows + self.stored_lines) * 32.0;
        c.together += self.loaded.rows() * columns as f64 * self.memory_words.max(1.0);
        // A stream's loop is one iteration.
        if kind == StorageKind::Stream {
            let height = self.plan.tile[self.plan.tile.len() - 2];
            let iteration = (self.window..=height).find(|rows| height % rows == 0).unwrap_or(height);
            let part = (iteration as f64 / self.most_rows.max(1) as f64).min(1.0);
            c.together *= part;
            c.made *= part;
            c.code *= part;
        }
        // Where no tile is inside, there is only the version at an edge: a loop over pieces of two columns a lane or so, and
        // between its loads the questions of boundary modes. The quarter is fitted by eye.
        if kind == StorageKind::Hybrid && c.at_edge > 0.0 {
            let part = 0.25 * (2.0 / columns as f64).min(1.0);
            c.together *= part;
            c.made *= part;
        }
    }

    /// The counts of a tile over the points of a live-out that it covers.
    fn for_a_point(self, schedule: &Schedule) -> Counts {
        let Self { plan, mut c, .. } = self;
        let points = plan.tile.iter().product::<i64>() as f64;
        c.threads = match schedule.scope {
            Scope::Warp => 32.0,
            Scope::Block | Scope::Thread => plan.mapping.threads(schedule.scope).iter().product::<i64>() as f64,
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
        if plan.tile.len() == 1 {
            c.together_in_row = std::mem::take(&mut c.together);
        }
        c
    }

    /// Columns of a lane that one access of memory moves.
    fn vector(&self, extent: Extent, bytes: i64) -> i64 {
        let Some(strip) = self.plan.strip.filter(|_| self.registers.is_blocked) else { return 1 };
        match extent {
            Extent::Known(extent) if extent % strip.columns != 0 => 1,
            // Of others the kernel asks.
            _ => strip.columns.min(16 / bytes).max(1),
        }
    }
}

/// Bytes of an element.
fn bytes_of(group: &Group, source: Source) -> i64 {
    match source {
        Source::Image(image) => group.images[image],
        Source::Stage(producer, result) => group.stages[producer].bytes[result],
    }
}

fn words(bytes: i64) -> f64 {
    ((bytes + 3) / 4) as f64
}

/// Points that the lanes compute of a box of so many columns, those beyond it included, and how often a lane computes one.
fn executed(plan: &Plan, part: &Part, columns: i64) -> (f64, f64) {
    let (rank, own) = (plan.tile.len(), part.region.len());
    let lanes = &plan.mapping.lanes;
    // Dimensions of the grid and of the stage end together; along those that the stage lacks all lanes do the same.
    let lacking: i64 = lanes[..rank.saturating_sub(own)].iter().product();
    let mut all = (lacking, 1);
    for (d, region) in part.region.iter().enumerate() {
        let count = (d + rank).checked_sub(own).map_or(1, |d| lanes[d]);
        let extent = if d + 1 == own { columns } else { region.len() };
        let iterations = (extent + count - 1) / count;
        all = (all.0 * iterations * count, all.1 * iterations);
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

/// Whether some tile's box lies inside, as far as extents are known.
fn has_inside(extents: &[Extent], part: &Part) -> bool {
    extents.iter().zip(&part.region).zip(&part.strides).all(|((extent, region), stride)| {
        let Extent::Known(extent) = extent else { return true };
        let first = match stride.step {
            0 => 0,
            step => {
                (-region.lo).max(0).div_euclid(step) * step
                    + if region.lo < 0 && -region.lo % step != 0 { step } else { 0 }
            }
        };
        first + region.lo >= 0 && first + region.hi < *extent
    })
}
