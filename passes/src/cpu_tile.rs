//! `--cpu-tile`: a group becomes tiles that cores compute at the same time, each walked down row by row.
//!
//! ```text
//! pipeline.group "g0" schedule                    scf.parallel (%s, %tx) = (0, 0) to (strips, columns of tiles) {
//!     {tile = array<i64: 64, 512>} {                %bx = memref.alloc : memref<4x512xf32>     4 rows of "blurx"
//!   %a = stage "blurx" ... %img           ──▶       scf.for %t = <first row of strip %s> to <its end> {
//!   %b = stage "blury" ... %a                         <"blurx": rows up to %t + 1, those that are new, to %bx[%y mod 4, ...]>
//!   yield %b }                                        <"blury": row %t, to %out> } }
//! ```
//!
//! **Ticks.** A tile is `tile` points of the live-outs. It is computed a *tick* at a time: the fewest rows that are whole rows of
//! every stage, 1 where all have one scale. What a tick needs of each stage is a box that follows the tick's number
//! ([`weft_model::sliding`]), the same model that the GPU's tiles are made of. The boxes of two ticks overlap;
//! of each, only the rows are computed that the one before has not: a sliding window. A *window* is memory for the rows of one
//! box, and row y lies at y modulo its height, a power of two.
//!
//! **Overlap.** Tiles share nothing: at its first tick each computes its boxes whole, and beside it what its neighbour computes
//! too. So tiles are tall, and as wide as windows may be to stay in a cache.
//!
//! **Interior and border.** Along a row, the points whose reads all stay inside their images are a loop of their own, without a
//! boundary mode, which `--vectorize` makes vectors of. Of the rows only the indices that a row decides are brought inside, once for
//! the row.
//!
//! **Past the caches.** An image of more bytes than the caches hold is written past them (`nontemporal`): else each line of it would be
//! read first, only to be overwritten.

use crate::{
    access::{self, Emit, Number, same},
    body::{self, Read},
    builder::{Builder, Compare},
    convert_pipeline_to_loops,
    fuse::{self, Strategy},
    lower_warp::bytes_of_element,
    lowering::{Lowering, Memory},
    map_to_gpu::results_of,
    program::{self, Work, live_work},
    tiling::{self, Members},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, OperationRef, ShapedTypeLike, Type, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::{
    pipeline::{self, Boundary, Group},
    weft,
};
use weft_model::{Access, Arith, Boundary as Mode, Cpu, Form, Part, Range, Sliding, Source, group, sliding, stream_of};

options! {
    /// Options of `--cpu-tile`.
    pub struct CpuTileOptions {
        target: String = "host", "target", "the CPU that code is for: host, zen5 or avx2";
    }
}

/// The pass.
pub struct CpuTile;

const GROUPS: Statistic = Statistic::new(c"groups", c"Groups that became tiles");
const SPLITS: Statistic = Statistic::new(c"groups-split", c"Splits of groups that cannot be tiled whole");
const WINDOWS: Statistic = Statistic::new(c"windows", c"Stages of which a tile keeps some rows");

impl Pass for CpuTile {
    const ARGUMENT: &'static str = "cpu-tile";
    const SUMMARY: &'static str = "Lower groups to parallel tiles that are walked down row by row";
    const DESCRIPTION: &'static str = "\
Turns programs into functions on memory, each group into an `scf.parallel` over tiles. Of the schedule it takes `tile` (what one \
turn of the loop computes, else 64x512) and `vector` (points of a vector, else as many as `target` has room for), with which loops over points are \
marked for `--vectorize`. Each stage that another one reads has a window of rows in the tile. A group that has no such tiles is \
split. Stages in no group get a group of their own; scans and scatters become plain loops.";
    const STATISTICS: &'static [Statistic] = &[GROUPS, SPLITS, WINDOWS];
    type Options = CpuTileOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::cf(),
            DialectHandle::func(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
        ]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &CpuTileOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu =
            Cpu::named(&options.target).map_err(|error| Diagnostic::on(module, format!("option 'target': {error}")))?;
        for func in program::programs(module) {
            fuse::group_stages(cx, func, Strategy::None, None)?;
            let block = program::entry(func)?;
            program::unify_dims(block);
            for block in program::blocks(func)? {
                let first = |group: Group, model: &group::Group| {
                    let cut = sliding(model, &wanted_tile(group, model)).err()?;
                    Some(model.closure(cut.producer))
                };
                let splits = tiling::split_while(cx, block, first)?;
                cx.count(SPLITS, splits);
            }
            let mut lowering = Lowering::begin(cx.context(), func, Memory::Host)?;
            lower_block(&mut lowering, block, &cpu, cx)?;
            lowering.finish(block);
        }
        Ok(())
    }
}

fn lower_block<'c: 'a, 'a>(
    lowering: &mut Lowering<'c, 'a>,
    block: BlockRef<'c, 'a>,
    cpu: &Cpu,
    cx: &PassContext<'c>,
) -> Result<(), Failure<'c>> {
    for work in live_work(block) {
        match work {
            Work::Group(group) => {
                let tiled = Tiled::new(lowering, group, cpu)?;
                cx.count(GROUPS, 1);
                cx.count(WINDOWS, tiled.lower()?);
            }
            Work::Unit(unit) => convert_pipeline_to_loops::lower(lowering, unit)?,
            Work::Iterate(iterate) => {
                lowering.steps(iterate, |lowering| lower_block(lowering, iterate.body(), cpu, cx))?;
            }
        }
    }
    Ok(())
}

/// Points of the live-outs that a tile covers, as the schedule says or as often does.
fn wanted_tile(group: Group, model: &group::Group) -> Vec<i64> {
    let rank = model.grid_rank();
    let schedule = group.schedule().and_then(|schedule| pipeline::Schedule::parse(schedule, rank).ok());
    schedule.and_then(|schedule| schedule.tile).unwrap_or_else(|| match rank {
        1 => vec![4096],
        _ => [vec![1; rank - 2], vec![64, 512]].concat(),
    })
}

/// Memory for some rows of a stage.
struct Window<'c, 'a> {
    /// For each result of the stage.
    memory: Vec<Value<'c, 'a>>,
    /// The dimension whose rows take turns, and of how many there is memory.
    folded: Option<(usize, i64)>,
}

/// A group in the making.
struct Tiled<'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    group: Group<'c, 'a>,
    cpu: &'l Cpu,
    members: Members<'c, 'a>,
    parts: Vec<Option<Part>>,
    /// Ticks of a tile along each dimension of the grid: 1 but for the one that is walked along.
    ticks: i64,
    stream: Option<usize>,
    /// Points of a vector, where the schedule says it.
    vector: Option<i64>,
}

/// One tick of a tile.
struct Tick<'c, 'a> {
    /// The tick's number along each dimension of the grid.
    at: Vec<Value<'c, 'a>>,
    /// Whether it is the first of its tile; `None` where it is the only one.
    is_first: Option<Value<'c, 'a>>,
}

/// A live-out: which result of its stage, and its memory.
#[derive(Clone, Copy)]
struct Out<'c, 'a> {
    result: usize,
    memory: Value<'c, 'a>,
    /// Whether it is written past the caches.
    past: Flag<'c, 'a>,
}

/// Whether something is so, now or at run time.
#[derive(Clone, Copy)]
enum Flag<'c, 'a> {
    Known(bool),
    Asked(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Out<'c, 'a> {
    fn store(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, at: &[Value<'c, 'a>]) {
        let past = |b: &Builder<'c, 'a>| {
            let operands = [&[value, self.memory], at].concat();
            b.op("memref.store", &operands, &[], &[("nontemporal", b.parse_attribute("true"))]);
        };
        match self.past {
            Flag::Known(true) => past(b),
            Flag::Known(false) => b.store(value, self.memory, at),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else(flag);
                past(&yes);
                no.store(value, self.memory, at);
            }
        }
    }
}

/// Where a stage's points go.
#[derive(Clone, Copy)]
struct Place<'p, 'c, 'a> {
    /// What of the stage a tick computes.
    part: &'p Part,
    /// The first point of the box along each dimension, before it is cut to the image.
    base: &'p [Number<'c, 'a>],
}

impl<'l, 'c: 'a, 'a> Tiled<'l, 'c, 'a> {
    fn new(lowering: &'l Lowering<'c, 'a>, group: Group<'c, 'a>, cpu: &'l Cpu) -> Result<Self, Failure<'c>> {
        let members = Members::of(group, |image| lowering.extents(image))?;
        let model = &members.model;
        let tile = wanted_tile(group, model);
        let Sliding { tick, parts } = sliding(model, &tile).map_err(|cut| {
            // Splitting has seen to it that there are boxes.
            Diagnostic::on(
                members.stages[cut.producer].stage.op(),
                format!("{}, and cannot be split from its consumers", cut.rule),
            )
        })?;
        let stream = stream_of(model);
        let ticks = stream.map_or(1, |axis| (tile[axis] / tick[axis]).max(1));
        let schedule = group.schedule().and_then(|of| pipeline::Schedule::parse(of, model.grid_rank()).ok());
        let vector = schedule.and_then(|schedule| schedule.vector);
        Ok(Self { lowering, group, cpu, parts, ticks, stream, vector, members })
    }

    /// The loops; returns how many stages have windows.
    fn lower(&self) -> Result<usize, Failure<'c>> {
        let b = self.lowering.builder.located(self.group.op().location());
        let counts = self.count_ticks(&b);
        let mut emit = Emit(&b);
        let tiles: Vec<Value> = counts
            .iter()
            .enumerate()
            .map(|(axis, count)| {
                let ticks = if Some(axis) == self.stream { self.ticks } else { 1 };
                let padded = emit.add(count, &Number::Known(ticks - 1));
                emit.floor_div(&padded, ticks).value(&b)
            })
            .collect();
        let outs: Vec<Vec<Out>> = (0..self.parts.len()).map(|number| self.outs(&b, number)).collect();
        let (inner, at) = b.parallel(&tiles);
        let windows: Vec<Option<Window>> = (0..self.parts.len()).map(|number| self.window(&inner, number)).collect();
        match self.stream {
            None => self.tick(&inner, &Tick { at, is_first: None }, &windows, &outs)?,
            Some(axis) => {
                let mut emit = Emit(&inner);
                let first = emit.mul(&Number::Value(at[axis]), self.ticks);
                let end = emit.add(&first, &Number::Known(self.ticks));
                let end = emit.min(&end, &counts[axis]);
                let (walk, number) = inner.for_loop(first.value(&inner), end.value(&inner));
                let is_first = walk.compare(Compare::Equal, number, first.value(&walk));
                let mut at = at;
                at[axis] = number;
                self.tick(&walk, &Tick { at, is_first: Some(is_first) }, &windows, &outs)?;
            }
        }
        for memory in windows.iter().flatten().flat_map(|window| &window.memory) {
            inner.op("memref.dealloc", &[*memory], &[], &[]);
        }
        Ok(windows.iter().flatten().count())
    }

    /// The number of ticks along each dimension of the grid: enough for every live-out.
    fn count_ticks(&self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let mut emit = Emit(b);
        let mut counts: Vec<Option<Number>> = vec![None; self.members.model.grid_rank()];
        let mut seen: Vec<(usize, i64, Number)> = Vec::new();
        let members = self.members.stages.iter().zip(&self.members.model.stages).zip(&self.parts);
        for ((member, _), part) in members.filter(|((_, model), _)| model.is_live_out) {
            for (follow, extent) in part.iter().flat_map(|part| &part.follow).zip(&member.extents) {
                let is_seen = |(axis, step, end): &(usize, i64, Number)| {
                    *axis == follow.axis && *step == follow.step && same(*end, *extent)
                };
                if seen.iter().any(is_seen) {
                    continue;
                }
                seen.push((follow.axis, follow.step, *extent));
                let padded = emit.add(extent, &Number::Known(follow.step - 1));
                let here = emit.floor_div(&padded, follow.step);
                let count = &mut counts[follow.axis];
                *count = Some(count.map_or(here, |before| emit.max(&before, &here)));
            }
        }
        counts.into_iter().map(|count| count.unwrap_or(Number::Known(1))).collect()
    }

    /// The live-outs of a stage.
    fn outs(&self, b: &Builder<'c, 'a>, number: usize) -> Vec<Out<'c, 'a>> {
        let member = &self.members.stages[number];
        let past = |result: usize| {
            let bytes = bytes_of_element(member.stage.image_type(result).element());
            let most = self.cpu.past_caches() / bytes;
            let points = member.extents.iter().fold(Number::Known(1), |all, extent| match (all, *extent) {
                (Number::Known(all), extent) => Emit(b).mul(&extent, all),
                (all, Number::Known(extent)) => Emit(b).mul(&all, extent),
                (all, extent) => Number::Value(b.arith("muli", all.value(b), extent.value(b))),
            });
            match points {
                Number::Known(points) => Flag::Known(points >= most),
                Number::Value(points) => Flag::Asked(b.compare(Compare::GreaterEqual, points, b.index(most))),
            }
        };
        let outs = results_of(self.group, member.stage).into_iter();
        outs.map(|(result, image)| Out { result, memory: self.lowering.buffer(image), past: past(result) }).collect()
    }

    /// Memory for what a tick needs of a stage that another one reads.
    fn window(&self, b: &Builder<'c, 'a>, number: usize) -> Option<Window<'c, 'a>> {
        let part = self.parts[number].as_ref()?;
        if !self.members.model.is_read(number) {
            return None;
        }
        let (extents, folded) = part.window(self.stream);
        let folded = folded.map(|d| (d, extents[d]));
        let shape: String = extents.iter().map(|extent| format!("{extent}x")).collect();
        let stage = self.members.stages[number].stage;
        let memory = (0..stage.op().result_count()).map(|result| {
            let ty = b.parse_type(&format!("memref<{shape}{}>", stage.image_type(result).element()));
            let attributes = [
                ("alignment", b.parse_attribute("64 : i64")),
                ("operandSegmentSizes", b.parse_attribute("array<i32: 0, 0>")),
            ];
            b.value("memref.alloc", &[], ty, &attributes)
        });
        Some(Window { memory: memory.collect(), folded })
    }

    /// What one tick computes of each stage.
    fn tick(
        &self,
        b: &Builder<'c, 'a>,
        tick: &Tick<'c, 'a>,
        windows: &[Option<Window<'c, 'a>>],
        outs: &[Vec<Out<'c, 'a>>],
    ) -> Result<(), Failure<'c>> {
        let bases: Vec<Vec<Number>> = self.parts.iter().map(|part| base_of(b, part.as_ref(), &tick.at)).collect();
        for (number, part) in self.parts.iter().enumerate() {
            let Some(part) = part else { continue };
            let stage = self.members.stages[number].stage;
            let b = b.located(stage.op().location());
            let place = Place { part, base: &bases[number] };
            let slides = (0..part.follow.len()).any(|d| part.slides(d, self.stream));
            let here = match tick.is_first {
                // What does not move is computed once.
                Some(is_first) if !slides => b.if_then(is_first),
                _ => b,
            };
            let region = self.region(&here, number, place, tick);
            let outs = &outs[number];
            match &windows[number] {
                Some(window) => {
                    self.points(&here, number, &region, &bases, windows, |b, values, at| {
                        let at = window.place(b, at, place);
                        values.iter().zip(&window.memory).for_each(|(value, memory)| b.store(*value, *memory, &at));
                    })?;
                    if !outs.is_empty() {
                        self.copy(&b, number, place, outs, window, tick);
                    }
                }
                None => self.points(&here, number, &region, &bases, windows, |b, values, at| {
                    outs.iter().for_each(|out| out.store(b, values[out.result], at));
                })?,
            }
        }
        Ok(())
    }

    /// The points of a stage that there are and that are needed, half-open.
    fn needed(&self, number: usize) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let member = &self.members.stages[number];
        let needed = member.stage.needed().unwrap_or_else(|| vec![(None, None); member.extents.len()]);
        let ends = needed.into_iter().zip(&member.extents);
        ends.map(|((lo, hi), extent)| (Number::Known(lo.unwrap_or(0)), hi.map_or(*extent, Number::Known))).collect()
    }

    /// What a tick computes of a stage, half-open: its box within the image, less the rows of the tick before.
    fn region(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        place: Place<'_, 'c, 'a>,
        tick: &Tick<'c, 'a>,
    ) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let mut emit = Emit(b);
        let needed = self.needed(number).into_iter().enumerate();
        needed
            .map(|(d, (first, end))| {
                let (base, len) = (place.base[d], place.part.region[d].len());
                let mut from = emit.max(&base, &first);
                let behind = emit.add(&base, &Number::Known(len));
                let to = emit.min(&behind, &end);
                if let Some(is_first) = tick.is_first.filter(|_| place.part.slides(d, self.stream)) {
                    let before = emit.add(&behind, &Number::Known(-place.part.follow[d].step));
                    let before = emit.max(&from, &before);
                    if !same(before, from) {
                        let (whole, new) = (from.value(b), before.value(b));
                        from = Number::Value(b.select(is_first, whole, new, b.index_type()));
                    }
                }
                (from, to)
            })
            .collect()
    }

    /// Loops over a box of a stage, each point of which is evaluated and stored.
    fn points(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        region: &[(Number<'c, 'a>, Number<'c, 'a>)],
        bases: &[Vec<Number<'c, 'a>>],
        windows: &[Option<Window<'c, 'a>>],
        store: impl Fn(&Builder<'c, 'a>, &[Value<'c, 'a>], &[Value<'c, 'a>]),
    ) -> Result<(), Failure<'c>> {
        let stage = self.members.stages[number].stage;
        let mut coordinates = Vec::new();
        // A stage has a dimension.
        let (columns, rows) = region.split_last().expect("verified: a stage has one to four dimensions");
        let mut row = *b;
        for (from, to) in rows {
            let (inner, index) = row.for_loop(from.value(&row), to.value(&row));
            coordinates.push(index);
            row = inner;
        }
        let lanes = self.lanes(stage);
        let evaluate = |at_row: &Builder<'c, 'a>, b: &Builder<'c, 'a>, x: Value<'c, 'a>, at_edge: bool| {
            let coordinates = [&coordinates[..], &[x]].concat();
            let values = body::evaluate(b, stage, &coordinates, |b, read| {
                Ok(self.read(at_row, b, number, &read, bases, windows, at_edge))
            })?;
            store(b, &values, &coordinates);
            Ok::<_, Failure<'c>>(())
        };
        let (first, end) = (columns.0.value(&row), columns.1.value(&row));
        let limits = self.limits(&row, number);
        if limits.is_empty() {
            let mark = row.op("arith.constant", &[], &[row.index_type()], &[("value", row.index_attribute(0))]);
            let (inner, x) = row.for_loop(first, end);
            mark_lanes(x, lanes, b);
            let at_row = Builder::before(b.context(), mark).located(b.location());
            evaluate(&at_row, &inner, x, false)?;
            ir::erase(mark);
            return Ok(());
        }
        let (mut from, mut to) = (first, end);
        for (least, most) in limits {
            from = row.arith("maxsi", from, least.value(&row));
            to = row.arith("minsi", to, most.value(&row));
        }
        let from = row.arith("minsi", from, end);
        let to = row.arith("maxsi", to, from);
        let mark = row.op("arith.constant", &[], &[row.index_type()], &[("value", row.index_attribute(0))]);
        let at_row = Builder::before(b.context(), mark).located(b.location());
        // Both borders are one loop's code.
        let (sides, side) = row.for_loop(row.index(0), row.index(2));
        let is_left = sides.compare(Compare::Equal, side, sides.index(0));
        let start = sides.select(is_left, first, to, sides.index_type());
        let stop = sides.select(is_left, from, end, sides.index_type());
        let (edge, x) = sides.for_loop(start, stop);
        evaluate(&at_row, &edge, x, true)?;
        let (inner, x) = row.for_loop(from, to);
        mark_lanes(x, lanes, b);
        evaluate(&at_row, &inner, x, false)?;
        ir::erase(mark);
        Ok(())
    }

    /// Where along a row all reads stay inside: at least, and less than.
    fn limits(&self, b: &Builder<'c, 'a>, number: usize) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let x = self.members.stages[number].extents.len() - 1;
        let mut emit = Emit(b);
        let mut seen: Vec<(Form, Form, Number)> = Vec::new();
        let mut limits = Vec::new();
        let accesses = self.members.model.stages[number].accesses.iter().zip(&self.members.stages[number].accesses);
        for (access, of) in accesses {
            for (dimension, extent) in of.extents.iter().enumerate() {
                let Some([least, greatest]) = edge_forms(access, dimension, x) else { continue };
                if seen.iter().any(|(a, b, end)| *a == least && *b == greatest && same(*end, *extent)) {
                    continue;
                }
                seen.push((least, greatest, *extent));
                // (mul * x + add) floordiv div >= 0, and < extent.
                let first = Number::Known(
                    (-least.add).div_euclid(least.mul) + i64::from((-least.add).rem_euclid(least.mul) != 0),
                );
                let end = emit.mul(extent, greatest.div);
                let end = emit.add(&end, &Number::Known(greatest.mul - 1 - greatest.add));
                limits.push((first, emit.floor_div(&end, greatest.mul)));
            }
        }
        limits
    }

    /// The value of a load. `at_row` stands before the loops over a row.
    #[allow(clippy::too_many_arguments)]
    fn read(
        &self,
        at_row: &Builder<'c, 'a>,
        b: &Builder<'c, 'a>,
        number: usize,
        read: &Read<'c, 'a>,
        bases: &[Vec<Number<'c, 'a>>],
        windows: &[Option<Window<'c, 'a>>],
        at_edge: bool,
    ) -> Value<'c, 'a> {
        let of = &self.members.stages[number];
        let of_this = |access: &tiling::Access<'c, 'a>| access.load == read.load;
        let at = of.accesses.iter().position(of_this).expect("a load of the stage");
        let model = &self.members.model.stages[number].accesses[at];
        let x = of.extents.len() - 1;
        let mut inside: Option<Value> = None;
        let mut places = Vec::new();
        for (dimension, (index, extent)) in read.indices.iter().zip(&of.accesses[at].extents).enumerate() {
            let is_of_row = index.dims().into_iter().all(|d| d < x);
            let here = if is_of_row { at_row } else { b };
            let is_inside = !at_edge && edge_forms(model, dimension, x).is_some();
            let mode =
                if is_inside || model.mode(dimension) == Mode::None { Boundary::None } else { read.load.boundary() };
            let place = access::resolve(access::apply(index, &read.coordinates, here), *extent, mode, here);
            inside = match (inside, place.inside) {
                (Some(before), Some(at)) => Some(b.logic("andi", before, at)),
                (before, at) => before.or(at),
            };
            places.push((place.index, here));
        }
        let (memory, places) = match model.source {
            Source::Image(_) => {
                (self.lowering.buffer(read.load.source()), places.into_iter().map(|(place, _)| place).collect())
            }
            Source::Stage(producer, result) => {
                let window = windows[producer].as_ref().expect("a stage that is read has a window");
                let base = &bases[producer];
                let places: Vec<Value> =
                    places.iter().enumerate().map(|(d, (place, b))| window.along(b, d, *place, base[d])).collect();
                (window.memory[result], places)
            }
        };
        let value = b.load(memory, &places, read.element());
        read.or_outside(b, value, inside)
    }

    /// Copies what a tick has computed of a live-out that is read, too, from its window.
    fn copy(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        place: Place<'_, 'c, 'a>,
        outs: &[Out<'c, 'a>],
        window: &Window<'c, 'a>,
        tick: &Tick<'c, 'a>,
    ) {
        let mut at = Vec::new();
        let mut inner = *b;
        let needed = self.needed(number);
        for (d, (follow, (first, end))) in place.part.follow.iter().zip(needed).enumerate() {
            let mut emit = Emit(&inner);
            let own = emit.mul(&Number::Value(tick.at[follow.axis]), follow.step);
            let behind = emit.add(&own, &Number::Known(follow.step));
            let (from, to) = (emit.max(&own, &first), emit.min(&behind, &end));
            let (next, index) = inner.for_loop(from.value(&inner), to.value(&inner));
            at.push(index);
            inner = next;
            if d + 1 == place.part.follow.len() {
                mark_lanes(index, self.lanes(self.members.stages[number].stage), b);
            }
        }
        let from = window.place(&inner, &at, place);
        for out in outs {
            let element = self.members.stages[number].stage.image_type(out.result).element();
            out.store(&inner, inner.load(window.memory[out.result], &from, element), &at);
        }
    }

    /// Points of a vector of a stage: as many as its widest values have room for, or as many as the schedule says.
    fn lanes(&self, stage: pipeline::Stage<'c, 'a>) -> i64 {
        // Conditions and indices do not decide: an index is one number for all lanes where that can be.
        let width = |ty: Type| match ty.to_string().as_str() {
            "i1" | "index" => 0,
            _ => bytes_of_element(ty),
        };
        let results = ir::walk(stage.op())
            .into_iter()
            .filter(|op| *op != stage.op())
            .flat_map(|op| op.results().map(|result| width(Value::from(result).r#type())).collect::<Vec<_>>());
        let own = (0..stage.op().result_count()).map(|result| width(stage.image_type(result).element()));
        self.vector.unwrap_or_else(|| self.cpu.vector / results.chain(own).max().unwrap_or(4).max(1))
    }
}

impl<'c: 'a, 'a> Window<'c, 'a> {
    /// Where a point of the stage lies.
    fn place(&self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>], place: Place<'_, 'c, 'a>) -> Vec<Value<'c, 'a>> {
        at.iter().enumerate().map(|(d, at)| self.along(b, d, *at, place.base[d])).collect()
    }

    /// Where a coordinate lies along a dimension of the window.
    fn along(&self, b: &Builder<'c, 'a>, d: usize, at: Value<'c, 'a>, base: Number<'c, 'a>) -> Value<'c, 'a> {
        match self.folded {
            Some((folded, rows)) if folded == d => b.arith("andi", at, b.index(rows - 1)),
            _ => match base {
                Number::Known(0) => at,
                base => b.arith("subi", at, base.value(b)),
            },
        }
    }
}

/// The first point of a part's box along each dimension, as it follows the tick.
fn base_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, part: Option<&Part>, at: &[Value<'c, 'a>]) -> Vec<Number<'c, 'a>> {
    let mut emit = Emit(b);
    let dimensions = part.into_iter().flat_map(|part| part.follow.iter().zip(&part.region));
    dimensions
        .map(|(follow, Range { lo, .. })| {
            if follow.step == 0 {
                return Number::Known(*lo);
            }
            let start = emit.mul(&Number::Value(at[follow.axis]), follow.step);
            emit.add(&start, &Number::Known(*lo))
        })
        .collect()
}

/// The least and the greatest index along a dimension of what an access reads, where that depends on the coordinate `x` of a row
/// and may lie outside.
fn edge_forms(access: &Access, dimension: usize, x: usize) -> Option<[Form; 2]> {
    if access.mode(dimension) == Mode::None || access.is_computed(dimension) || !access.uses(dimension, x) {
        return None;
    }
    access.extremes(dimension).filter(|forms| forms.iter().all(|form| form.mul > 0 && form.dim == x))
}

/// Marks the loop of an index for `--vectorize`: its points can be computed in any order.
fn mark_lanes<'c: 'a, 'a>(index: Value<'c, 'a>, lanes: i64, b: &Builder<'c, 'a>) {
    let block = ir::block_of(index).expect("the index of a loop");
    if let Some(op) = block.parent_operation() {
        ir::mutable(op).set_attribute(weft::LANES, b.parse_attribute(&format!("{lanes} : i64")));
    }
}
