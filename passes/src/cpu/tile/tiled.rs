//! The code of a group's tiles, in the making.

use super::super::{
    addresses::step_of_rows,
    lanes::{lanes, mark_lanes, mark_once},
    memory,
    stores::{Flag, is_non_temporal},
};
use super::edges::{Edge, Leaving, Pad, Sides, both_sides, leaves_planes, leaving, pad};
use crate::{
    analysis::boundary,
    group::{MemberAccess, Members, count_tiles, results_of},
    ir::{Builder, Compare, Emit, Number, apply, beside, bytes_of_element, same},
    lower::{
        Lowering,
        body::{self, Read},
        planes_of,
    },
};
use melior::ir::{
    BlockLike, ShapedTypeLike, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{self, Boundary, Group},
    weft,
};
use weft_model::{
    Access, Arith, Boundary as Mode, Bundle, Cpu, Cut, Expr, Extent, Interleaved, Lanes, Part, Range, Sliding, Source,
    TileStride, bundles, plane_of, sliding, stream_of,
};

/// The windows of a tile that a schedule asks for are no larger: a schedule is advice, and memory for it is each thread's.
const MOST_WINDOW_BYTES: i64 = 256 << 20;

/// Planes of which those at the edge are so few that they may take longer.
const MANY_PLANES: i64 = 16;

/// Memory for some rows of a stage.
pub(super) struct Window<'c, 'a> {
    /// For each result of the stage, as planes.
    pub(super) memory: Vec<Value<'c, 'a>>,
    /// What is to be freed.
    allocated: Vec<Value<'c, 'a>>,
    /// The dimension whose rows reuse memory, and for how many rows there is memory.
    folded: Option<(usize, i64)>,
}

/// A group in the making.
pub(super) struct Tiled<'l, 'c, 'a> {
    pub(super) lowering: &'l Lowering<'c, 'a>,
    group: Group<'c, 'a>,
    pub(super) cpu: &'l Cpu,
    pub(super) members: Members<'c, 'a>,
    pub(super) parts: Vec<Option<Part>>,
    pub(super) bundles: Vec<Bundle>,
    /// Ticks of a tile along each dimension of the grid: 1 but for the one that is walked along.
    ticks: i64,
    /// And those before the first, in which stages compute what it reads beside what it computes.
    ahead: i64,
    /// Of each stage the rows, or planes, that are there at once.
    kept: Vec<i64>,
    pub(super) stream: Option<usize>,
    /// Points of a vector, where the schedule says it.
    vector: Option<i64>,
    /// What rows of windows have beyond the edges, of each result of each stage.
    pub(super) pads: Vec<Vec<Option<Pad<'c, 'a>>>>,
}

/// One tick of a tile.
struct Tick<'c, 'a> {
    /// The tick's number along each dimension of the grid.
    at: Vec<Value<'c, 'a>>,
    /// Where its tile begins; `None` where that has but one tick.
    walk: Option<Walk<'c, 'a>>,
}

/// The dimension that a tile is walked along.
#[derive(Clone, Copy)]
struct Walk<'c, 'a> {
    axis: usize,
    /// The number of its first tick, and of the first that is not ahead.
    first: Value<'c, 'a>,
    own: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Tick<'c, 'a> {
    /// Where only some ticks of a tile do something: those whose number compares so.
    fn only(
        &self,
        b: &Builder<'c, 'a>,
        how: Compare,
        number: impl Fn(&Walk<'c, 'a>) -> Value<'c, 'a>,
    ) -> Builder<'c, 'a> {
        self.walk.as_ref().map_or(*b, |walk| b.if_then(b.compare(how, self.at[walk.axis], number(walk))))
    }
}

/// A live-out: which result of its stage, and its memory.
#[derive(Clone, Copy)]
struct Out<'c, 'a> {
    result: usize,
    memory: Value<'c, 'a>,
    /// Whether it is written with non-temporal stores.
    non_temporal: Flag<'c, 'a>,
}

impl<'c: 'a, 'a> Out<'c, 'a> {
    fn store(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, at: &[Value<'c, 'a>]) {
        self.non_temporal.store(b, value, self.memory, at);
    }
}

/// What bundles are computed from and into.
struct Around<'p, 'c, 'a> {
    /// The first point of the box of each stage.
    bases: &'p [Vec<Number<'c, 'a>>],
    windows: &'p [Option<Window<'c, 'a>>],
    outs: &'p [Vec<Out<'c, 'a>>],
}

/// Where along a row its interior lies, and how many points of it make a vector.
#[derive(Clone, Copy)]
struct Columns<'c, 'a> {
    first: Value<'c, 'a>,
    /// The interior, half-open: none of it where both are `end`.
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
    end: Value<'c, 'a>,
    sides: Sides,
    lanes: Lanes,
}

/// What a tick computes of a stage, and where that begins.
#[derive(Clone, Copy)]
pub(super) struct PlacedPart<'p, 'c, 'a> {
    /// The box, relative to the tick's number.
    pub(super) part: &'p Part,
    /// The first point of the box along each dimension, before it is cut to the image.
    pub(super) base: &'p [Number<'c, 'a>],
}

impl<'l, 'c: 'a, 'a> Tiled<'l, 'c, 'a> {
    pub(super) fn new(lowering: &'l Lowering<'c, 'a>, group: Group<'c, 'a>, cpu: &'l Cpu) -> Result<Self, Failure<'c>> {
        let mut members = Members::of(group, |image| lowering.extents(image))?;
        let is_pixels = |image: &Value<'c, 'a>| step_of_rows(lowering.buffer(*image)) > 1;
        let writes_pixels = |stage| results_of(group, stage).into_iter().any(|(_, image)| is_pixels(&image));
        let interleaved = Interleaved {
            images: (0..members.images.len()).filter(|number| is_pixels(&members.images[*number])).collect(),
            stages: (0..members.stages.len()).filter(|number| writes_pixels(members.stages[*number].stage)).collect(),
        };
        members.model.interleave(interleaved);
        let model = &members.model;
        let wanted = wanted_tile(group, model);
        let (tile, Sliding { tick, parts, kept, ahead }) = fitting(model, &wanted).map_err(|cut| {
            // Splitting has seen to it that there are boxes.
            Diagnostic::on(
                members.stages[cut.producer].stage.op(),
                format!("{}, and cannot be split from its consumers", cut.rule),
            )
        })?;
        if tile != wanted {
            let most = MOST_WINDOW_BYTES >> 20;
            let message =
                format!("a tile of {wanted:?} points has windows of more than {most} MiB: it is cut to {tile:?}");
            Diagnostic::on(group.op(), message).emit_remark();
        }
        let stream = stream_of(model);
        let ticks = stream.map_or(1, |axis| (tile[axis] / tick[axis]).max(1));
        let vector = schedule_of(group, model).and_then(|schedule| schedule.vector);
        let bundles = bundles(model, &parts);
        let pads = members.model.stages.iter().enumerate().map(|(number, stage)| {
            (0..stage.bytes.len()).map(|result| pad(&members, Source::Stage(number, result))).collect()
        });
        let pads = pads.collect();
        Ok(Self { lowering, group, cpu, parts, bundles, ticks, ahead, kept, stream, vector, pads, members })
    }

    /// The loops; returns how many stages have windows.
    pub(super) fn lower(&self) -> Result<usize, Failure<'c>> {
        let b = self.lowering.builder.located(self.group.op().location());
        let ends: Vec<_> = self.members.stages.iter().map(|member| member.extents.clone()).collect();
        let divide = |end, _, step| Emit(&b).ceil_div(&end, step);
        let counts = count_tiles(&b, &self.members.model, &self.parts, &ends, divide);
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
            None => self.tick(&inner, &Tick { at, walk: None }, &windows, &outs)?,
            Some(axis) => {
                let mut emit = Emit(&inner);
                let own = emit.mul(&Number::Value(at[axis]), self.ticks);
                let end = emit.add(&own, &Number::Known(self.ticks));
                let end = emit.min(&end, &counts[axis]);
                let first = emit.add(&own, &Number::Known(-self.ahead)).value(&inner);
                let (body, number) = inner.for_loop(first, end.value(&inner));
                let mut at = at;
                at[axis] = number;
                let walk = Some(Walk { axis, first, own: own.value(&inner) });
                self.tick(&body, &Tick { at, walk }, &windows, &outs)?;
            }
        }
        for memory in windows.iter().flatten().flat_map(|window| &window.allocated) {
            memory::free(&inner, *memory);
        }
        Ok(windows.iter().flatten().count())
    }

    /// The live-outs of a stage.
    fn outs(&self, b: &Builder<'c, 'a>, number: usize) -> Vec<Out<'c, 'a>> {
        let member = &self.members.stages[number];
        let bundle = self.bundles.iter().find(|bundle| bundle.members.contains(&number));
        let non_temporal = |result| {
            let element = member.stage.image_type(result).element();
            let fills_lines = |bundle: &Bundle| self.lanes_of(bundle).fill_lines(bytes_of_element(element));
            match bundle.filter(|bundle| fills_lines(bundle)) {
                Some(bundle) => {
                    let is_pointwise = bundle.is_pointwise(&self.members.model);
                    is_non_temporal(b, self.cpu, &member.extents, element, is_pointwise)
                }
                None => Flag::Known(false),
            }
        };
        let outs = results_of(self.group, member.stage).into_iter();
        outs.map(|(result, image)| Out {
            result,
            memory: self.lowering.buffer(image),
            non_temporal: non_temporal(result),
        })
        .collect()
    }

    /// Memory for what a tick needs of a stage that another one reads: planes, or pixels where none is taken apart.
    fn window(&self, b: &Builder<'c, 'a>, number: usize) -> Option<Window<'c, 'a>> {
        let part = self.parts[number].as_ref()?;
        if !self
            .bundles
            .iter()
            .any(|bundle| bundle.members.contains(&number) && bundle.is_kept(&self.members.model, number))
        {
            return None;
        }
        let stage = self.members.stages[number].stage;
        let mut folded = None;
        let mut allocated = Vec::new();
        let memory = (0..stage.op().result_count()).map(|result| {
            let element = stage.image_type(result).element();
            let (extents, rows) = part.window(self.stream, self.kept[number], bytes_of_element(element));
            folded = rows.map(|d| (d, extents[d]));
            // A tile may have some of the planes alone.
            let is_all =
                |plane: usize| self.members.model.stages[number].extents[plane] == Extent::Known(extents[plane]);
            let of_pixels = self.members.model.keeps_pixels() && plane_of(extents.len()).is_some_and(is_all);
            let extents = if of_pixels { weft::interleaved(&extents) } else { extents };
            let extents: Vec<Number> = extents.into_iter().map(Number::Known).collect();
            let own = memory::allocate(b, &extents, element);
            allocated.push(own);
            if of_pixels { planes_of(b, own) } else { own }
        });
        let memory = memory.collect();
        Some(Window { memory, allocated, folded })
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
        let around = Around { bases: &bases, windows, outs };
        for bundle in &self.bundles {
            // All members have one box.
            let number = bundle.members[0];
            let Some(part) = &self.parts[number] else { continue };
            let b = b.located(self.members.stages[number].stage.op().location());
            let placed = PlacedPart { part, base: &bases[number] };
            // What does not move is computed once.
            let here = match part.sliding(self.stream) {
                None => tick.only(&b, Compare::Equal, |walk| walk.first),
                Some(_) => b,
            };
            let region = self.region(&here, number, placed, tick);
            self.compute_bundle(&here, bundle, &region, &around)?;
            for number in bundle.members.iter().copied() {
                let Some(window) = &windows[number] else { continue };
                self.pad(&here, number, &region, placed, window);
                if !outs[number].is_empty() && !is_share(part) {
                    let here = match self.ahead {
                        0 => b,
                        _ => tick.only(&b, Compare::GreaterEqual, |walk| walk.own),
                    };
                    self.copy(&here, number, placed, &outs[number], window, tick);
                }
            }
        }
        Ok(())
    }

    /// The points of a stage that exist and are needed, half-open.
    fn needed(&self, number: usize) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let member = &self.members.stages[number];
        let needed = member.stage.needed().unwrap_or_else(|| vec![(None, None); member.extents.len()]);
        let ends = needed.into_iter().zip(&member.extents);
        ends.map(|((lo, hi), extent)| (Number::Known(lo.unwrap_or(0)), hi.map_or(*extent, Number::Known))).collect()
    }

    /// What a tick computes of a stage, half-open: what is new of its box within the image, as far as the tile needs it.
    fn region(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        placed: PlacedPart<'_, 'c, 'a>,
        tick: &Tick<'c, 'a>,
    ) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let mut emit = Emit(b);
        let needed = self.needed(number).into_iter().enumerate();
        needed
            .map(|(d, (first, end))| {
                let (base, len) = (placed.base[d], placed.part.region[d].len());
                let mut from = emit.max(&base, &first);
                let behind = emit.add(&base, &Number::Known(len));
                let to = emit.min(&behind, &end);
                let slides = placed.part.slides(d, self.stream);
                if let Some(walk) = tick.walk.filter(|_| slides) {
                    let TileStride { axis, step } = placed.part.strides[d];
                    // What lies between the box and that of the tick before is not needed.
                    let old = (len - step).max(0);
                    let new = emit.add(&base, &Number::Known(old));
                    if self.ahead > 0 {
                        // No tick computes what lies before the tile.
                        let mut emit = Emit(&before_loop(b, tick.at[axis]));
                        let of_tile = emit.mul(&Number::Value(walk.own), step);
                        let of_tile = emit.add(&of_tile, &Number::Known(placed.part.region[d].lo));
                        let of_tile = emit.max(&of_tile, &first);
                        from = Emit(b).max(&new, &of_tile);
                    } else if old > 0 {
                        // The first tick computes all that it needs.
                        let new = emit.max(&new, &first).value(b);
                        let is_first = b.compare(Compare::Equal, tick.at[axis], walk.first);
                        from = Number::Value(b.select(is_first, from.value(b), new, b.index_type()));
                    }
                }
                // Behind the end of an image a tick has nothing to do, and rows are counted to be taken some at a time.
                (if slides { emit.min(&from, &to) } else { from }, to)
            })
            .collect()
    }

    /// Loops over a box of a bundle, each point of which is evaluated and stored.
    fn compute_bundle(
        &self,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        region: &[(Number<'c, 'a>, Number<'c, 'a>)],
        around: &Around<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let lanes = self.lanes_of(bundle);
        // A stage has a dimension.
        let (columns, rows) = region.split_last().expect("verified: a stage has one to four dimensions");
        let x = rows.len();
        let mut outer = *b;
        let mut planes = Vec::new();
        for (d, (from, to)) in rows[..x.saturating_sub(1)].iter().enumerate() {
            let together = if d + 2 == x { bundle.planes } else { 1 };
            let (inner, index) = match (from, to) {
                // All planes at once.
                (Number::Known(from), Number::Known(to)) if to - from == together => (outer, outer.index(*from)),
                _ => outer.for_every(from.value(&outer), to.value(&outer), together),
            };
            planes.push(index);
            outer = inner;
        }
        // The planes that are computed together, up to their rows.
        let all: Vec<Vec<Value>> = (0..bundle.planes)
            .map(|more| {
                let mut all = planes.clone();
                if let Some(last) = all.last_mut() {
                    *last = Emit(&outer).add(&Number::Value(*last), &Number::Known(more)).value(&outer);
                }
                all
            })
            .collect();
        let (first, end) = (columns.0.value(&outer), columns.1.value(&outer));
        let limits = self.limits(&outer, bundle, x, &planes);
        let (mut left, mut right) = inside(&outer, &limits, first, end);
        if lanes.interior > 1 {
            // An interior of less than a vector is border.
            let is_wide =
                outer.compare(Compare::GreaterEqual, outer.arith("subi", right, left), outer.index(lanes.interior));
            left = outer.select(is_wide, left, end, outer.index_type());
            right = outer.select(is_wide, right, end, outer.index_type());
        }
        if self.has_planes_inside(bundle) {
            // Planes at the edge of an image are border.
            let is_inside = self.planes_inside(&outer, bundle, &all);
            left = outer.select(is_inside, left, end, outer.index_type());
            right = outer.select(is_inside, right, end, outer.index_type());
        }
        let sides = if limits.is_empty() { Sides::Narrow } else { Sides::Both };
        let columns = Columns { first, left, right, end, sides, lanes };
        let Some((from, to)) = rows.last().map(|(from, to)| (from.value(&outer), to.value(&outer))) else {
            self.row(&outer, bundle, &all, columns, true, around)?;
            return self.border(&outer, bundle, &all, columns, around);
        };
        let is_whole = outer.logic("andi", equal(&outer, left, first), equal(&outer, right, end));
        if bundle.rows > 1 {
            let limits = self.limits(&outer, bundle, x - 1, &planes);
            let interior = inside(&outer, &limits, from, to);
            let ends = [from, interior.0, interior.1, to];
            return self.rows(&outer, bundle, &all, columns, is_whole, (ends, !limits.is_empty()), around);
        }
        let (inner, _, rows) = row_at(&outer, &all, (from, to));
        self.row(&inner, bundle, &rows, columns, true, around)?;
        // Where all columns are interior no row is begun for the border.
        let stop = outer.select(is_whole, from, to, outer.index_type());
        if stop != from {
            let (inner, _, rows) = row_at(&outer, &all, (from, stop));
            self.border(&inner, bundle, &rows, columns, around)?;
        }
        Ok(())
    }

    /// Points of a row of a bundle that are computed at a time.
    fn lanes_of(&self, bundle: &Bundle) -> Lanes {
        let said = self.vector.map(|lanes| Lanes { interior: lanes, registers: 1, border: lanes });
        said.unwrap_or_else(|| bundle.lanes(&self.members.model, self.cpu))
    }

    /// Rows whose reads all stay inside, from `top` to `bottom`, some at a time, the last of them moved back to end where they end. Those
    /// at the edges of images, if any are read there, are computed one by one, and all where they are fewer.
    #[allow(clippy::too_many_arguments, reason = "what a row is computed from changes from call to call, each apart")]
    fn rows(
        &self,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        planes: &[Vec<Value<'c, 'a>>],
        columns: Columns<'c, 'a>,
        is_whole: Value<'c, 'a>,
        ([from, top, bottom, to], has_edges): ([Value<'c, 'a>; 4], bool),
        around: &Around<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let is_tall = b.compare(Compare::GreaterEqual, b.arith("subi", bottom, top), b.index(bundle.rows));
        let bottom = b.select(is_tall, bottom, top, b.index_type());
        let (mut bordered, mut is_whole) = (columns, is_whole);
        if has_edges {
            let (sides, ends) = both_sides(b, [from, top, bottom, to]);
            let (inner, _, rows) = row_at(&sides, planes, ends);
            self.row(&inner, bundle, &rows, columns, true, around)?;
        } else {
            // Few rows are all border.
            let or_end = |at| b.select(is_tall, at, columns.end, b.index_type());
            bordered = Columns { left: or_end(columns.left), right: or_end(columns.right), ..columns };
            is_whole = b.logic("andi", is_whole, is_tall);
        }
        let (inner, y) = b.for_every(top, bottom, bundle.rows);
        let y = inner.arith("minsi", y, inner.arith("subi", bottom, inner.index(bundle.rows)));
        let jammed: Vec<Vec<Value>> = (0..bundle.rows)
            .flat_map(|more| {
                let y = Emit(&inner).add(&Number::Value(y), &Number::Known(more)).value(&inner);
                planes.iter().map(move |planes| [&planes[..], &[y]].concat())
            })
            .collect();
        self.row(&inner, bundle, &jammed, columns, false, around)?;
        // What the border reads of rows is in a cache now. Where all columns are interior no row is begun for it.
        let stop = b.select(is_whole, from, to, b.index_type());
        let (inner, _, rows) = row_at(b, planes, (from, stop));
        self.border(&inner, bundle, &rows, bordered, around)
    }

    /// The points of a row left of the interior, and right of it: both are one loop's code.
    fn border(
        &self,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        rows: &[Vec<Value<'c, 'a>>],
        columns: Columns<'c, 'a>,
        around: &Around<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let Columns { first, left, right, end, sides, lanes } = columns;
        let (sides, (from, to)) = match sides {
            Sides::Narrow if left == first => return Ok(()),
            Sides::Narrow => (*b, (first, left)),
            Sides::Both => both_sides(b, [first, left, right, end]),
        };
        let (inner, x) = sides.for_loop(from, to);
        if lanes.border > 1 {
            mark_once(x, lanes.border, b);
        }
        let edge = Edge { planes: true, rows: true, columns: true };
        self.evaluate(&before_loop(b, x), &inner, bundle, rows, x, edge, around)
    }

    /// The interior of some rows.
    fn row(
        &self,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        rows: &[Vec<Value<'c, 'a>>],
        Columns { left, right, lanes, .. }: Columns<'c, 'a>,
        at_edge: bool,
        around: &Around<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        if left == right {
            return Ok(());
        }
        let (inner, x) = b.for_loop(left, right);
        let op = mark_lanes(x, lanes.interior, b);
        ir::mutable(op).set_attribute(weft::WIDE, b.unit_attribute());
        if lanes.registers > 1 {
            ir::mutable(op).set_attribute(weft::REGISTERS, b.i64_attribute(lanes.registers));
        }
        // Of a power of two it is known which lanes read what.
        let is_resampled = |access: &Access| access.is_gather() || access.divisor.count_ones() > 1;
        let gathers = |number: &usize| self.members.model.stages[*number].accesses.iter().any(is_resampled);
        let is_past_caches = |out: &Out| !matches!(out.non_temporal, Flag::Known(false));
        let permutes = |number: &usize| gathers(number) || around.outs[*number].iter().any(is_past_caches);
        if let Some(bits) = self.cpu.permuted().filter(|_| bundle.members.iter().any(permutes)) {
            ir::mutable(op).set_attribute(weft::PERMUTES, b.i64_attribute(bits));
        }
        let edge = Edge { planes: !self.has_planes_inside(bundle), rows: at_edge, columns: false };
        if lanes.interior > 1 {
            self.prefetch(&before_loop(b, x), &inner, bundle, rows, x);
        }
        self.evaluate(&before_loop(b, x), &inner, bundle, rows, x, edge, around)
    }

    /// The values of a bundle at a column of some rows, and their stores: behind all loads, so that rows can share these.
    #[allow(clippy::too_many_arguments, reason = "what a row is computed from changes from call to call, each apart")]
    fn evaluate(
        &self,
        at_row: &Builder<'c, 'a>,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        rows: &[Vec<Value<'c, 'a>>],
        x: Value<'c, 'a>,
        edge: Edge,
        around: &Around<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let mut all = Vec::new();
        for row in rows {
            let at = [&row[..], &[x]].concat();
            let mut values: HashMap<usize, Vec<Value>> = HashMap::new();
            for number in bundle.members.iter().copied() {
                let stage = self.members.stages[number].stage;
                let b = b.located(stage.op().location());
                let computed = body::evaluate(&b, stage, &at, |b, read| {
                    Ok(self.read(at_row, b, number, &read, &values, edge, around))
                })?;
                values.insert(number, computed);
            }
            all.push((at, values));
        }
        let parts = bundle.members.iter().filter_map(|number| Some((*number, self.parts[*number].as_ref()?)));
        let parts: Vec<_> = parts.collect();
        for (at, values) in &all {
            for (number, part) in &parts {
                let Some(window) = &around.windows[*number] else { continue };
                let at = window.indices(b, at, PlacedPart { part, base: &around.bases[*number] });
                values[number].iter().zip(&window.memory).for_each(|(value, memory)| b.store(*value, *memory, &at));
            }
        }
        // Behind those to windows, so that one question is enough for all of them.
        for (at, values) in &all {
            for (number, _) in parts.iter().filter(|(number, part)| around.windows[*number].is_none() || is_share(part))
            {
                for out in &around.outs[*number] {
                    match edge.columns {
                        // Single points fill no cache line.
                        true => b.store(values[number][out.result], out.memory, at),
                        false => out.store(b, values[number][out.result], at),
                    }
                }
            }
        }
        Ok(())
    }

    /// Where along a dimension all reads of a bundle stay inside, as half-open intervals.
    fn limits(
        &self,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        along: usize,
        planes: &[Value<'c, 'a>],
    ) -> Vec<(Number<'c, 'a>, Number<'c, 'a>)> {
        let mut emit = Emit(b);
        let mut seen: Vec<(Leaving, Number)> = Vec::new();
        let mut limits = Vec::new();
        let accesses = bundle.members.iter().flat_map(|number| {
            self.members.model.stages[*number].accesses.iter().zip(&self.members.stages[*number].accesses)
        });
        for (access, of) in accesses {
            for (dimension, extent) in of.extents.iter().enumerate() {
                let Some(index) = leaving(access, dimension, along) else { continue };
                if self.is_padded(access, dimension) {
                    continue;
                }
                if seen.iter().any(|(other, end)| *other == index && same(*end, *extent)) {
                    continue;
                }
                let Leaving { least, greatest, rest } = &index;
                let rest = rest.as_ref().map_or(Number::Known(0), |rest| Number::Value(apply(rest, planes, b)));
                let rest = emit.mul(&rest, -1);
                // (mul * x + add + rest) floordiv div >= 0, and < extent.
                let first = emit.add(&rest, &Number::Known(least.mul - 1 - least.add));
                let end = emit.mul(extent, greatest.div);
                let end = emit.add(&end, &Number::Known(greatest.mul - 1 - greatest.add));
                let end = emit.add(&end, &rest);
                limits.push((emit.floor_div(&first, least.mul), emit.floor_div(&end, greatest.mul)));
                seen.push((index, *extent));
            }
        }
        limits
    }

    /// Whether a bundle has loads of one element for all lanes, of planes that may lie outside, so that each would ask whether its value is
    /// what stands for these. Then planes at the edge are border, unless that would be many of them.
    fn has_planes_inside(&self, bundle: &Bundle) -> bool {
        bundle.members.iter().map(|number| &self.members.model.stages[*number]).any(|stage| {
            let are_few = |d: &usize| matches!(stage.extents[*d], Extent::Known(extent) if extent < MANY_PLANES);
            let asks = |access: &Access| {
                let mut dimensions = 0..access.indices.len();
                dimensions.any(|d| leaves_planes(access, d) && !access.indices[d].dims().iter().any(are_few))
            };
            stage.accesses.iter().any(|access| !access.depends_on(access.rank - 1) && asks(access))
        })
    }

    /// Whether all reads of a bundle stay inside along what follows planes alone, for these planes.
    fn planes_inside(&self, b: &Builder<'c, 'a>, bundle: &Bundle, all: &[Vec<Value<'c, 'a>>]) -> Value<'c, 'a> {
        let mut seen: Vec<(&Expr, Number)> = Vec::new();
        for number in &bundle.members {
            let accesses =
                self.members.model.stages[*number].accesses.iter().zip(&self.members.stages[*number].accesses);
            for (access, of) in accesses {
                for (dimension, extent) in of.extents.iter().enumerate().filter(|(d, _)| leaves_planes(access, *d)) {
                    let index = &access.indices[dimension];
                    if !seen.iter().any(|(other, end)| *other == index && same(*end, *extent)) {
                        seen.push((index, *extent));
                    }
                }
            }
        }
        let asked = seen.into_iter().flat_map(|(index, extent)| all.iter().map(move |planes| (index, extent, planes)));
        let asked = asked.map(|(index, extent, planes)| {
            let index = apply(index, planes, b);
            let is_above = b.compare(Compare::GreaterEqual, index, b.index(0));
            b.logic("andi", is_above, b.compare(Compare::Less, index, extent.value(b)))
        });
        asked.reduce(|all, is_inside| b.logic("andi", all, is_inside)).expect("a bundle that asks for planes has some")
    }

    /// The value of a load. `at_row` stands before the loops over a row, `values` are those of the bundle at this point.
    #[allow(clippy::too_many_arguments, reason = "what a row is computed from changes from call to call, each apart")]
    fn read(
        &self,
        at_row: &Builder<'c, 'a>,
        b: &Builder<'c, 'a>,
        number: usize,
        read: &Read<'c, 'a>,
        values: &HashMap<usize, Vec<Value<'c, 'a>>>,
        edge: Edge,
        around: &Around<'_, 'c, 'a>,
    ) -> Value<'c, 'a> {
        let of = &self.members.stages[number];
        let of_this = |access: &MemberAccess<'c, 'a>| access.load == read.load;
        let at = of.accesses.iter().position(of_this).expect("a load of the stage");
        let model = &self.members.model.stages[number].accesses[at];
        if let Source::Stage(producer, result) = model.source
            && let Some(values) = values.get(&producer)
        {
            return values[result];
        }
        let x = of.extents.len() - 1;
        let mut inside: Option<Value> = None;
        let mut indices = Vec::new();
        for (dimension, (index, extent)) in read.indices.iter().zip(&of.accesses[at].extents).enumerate() {
            let is_of_row = index.dims().into_iter().all(|d| d < x);
            let here = if is_of_row { at_row } else { b };
            let stays = |d: usize, at_edge: bool| !at_edge && leaving(model, dimension, d).is_some();
            let is_inside = self.is_padded(model, dimension)
                || stays(x, edge.columns)
                || (x > 0 && stays(x - 1, edge.rows))
                || (!edge.planes && leaves_planes(model, dimension));
            let mode =
                if is_inside || model.mode(dimension) == Mode::None { Boundary::None } else { read.load.boundary() };
            let index = apply(index, &read.coordinates, here);
            let resolved = match model.leaves[dimension].filter(boundary::is_near) {
                Some(far) => boundary::resolve_near(index, *extent, mode, far, here),
                None => boundary::resolve(index, *extent, mode, here),
            };
            inside = match (inside, resolved.inside) {
                (Some(before), Some(at)) => Some(b.logic("andi", before, at)),
                (before, at) => before.or(at),
            };
            indices.push((resolved.index, here));
        }
        let (memory, indices) = match model.source {
            Source::Image(_) => {
                (self.lowering.buffer(read.load.source()), indices.into_iter().map(|(index, _)| index).collect())
            }
            Source::Stage(producer, result) => {
                let window = around.windows[producer].as_ref().expect("a stage that is read elsewhere has a window");
                let base = &around.bases[producer];
                let indices: Vec<Value> =
                    indices.iter().enumerate().map(|(d, (index, b))| window.along(b, d, *index, base[d])).collect();
                (window.memory[result], indices)
            }
        };
        let value = b.load(memory, &indices, read.element());
        read.or_padding(b, value, inside)
    }

    /// Copies from its window what a tick has computed of a live-out that is also read.
    fn copy(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        placed: PlacedPart<'_, 'c, 'a>,
        outs: &[Out<'c, 'a>],
        window: &Window<'c, 'a>,
        tick: &Tick<'c, 'a>,
    ) {
        let mut at = Vec::new();
        let mut inner = *b;
        let needed = self.needed(number);
        // Planes of pixels are stored together.
        let together = plane_of(needed.len())
            .filter(|d| self.members.model.interleaved().stages.contains(&number) && placed.part.strides[*d].step == 0);
        let mut planes = 0..1;
        for (d, (stride, (first, end))) in placed.part.strides.iter().zip(needed).enumerate() {
            let mut emit = Emit(&inner);
            let (from, to) = match stride.step {
                0 => (first, end),
                step => {
                    let own = emit.mul(&Number::Value(tick.at[stride.axis]), step);
                    let behind = emit.add(&own, &Number::Known(step));
                    (emit.max(&own, &first), emit.min(&behind, &end))
                }
            };
            if let (true, Number::Known(first), Number::Known(end)) = (together == Some(d), from, to) {
                planes = first..end;
                at.push(inner.index(first));
                continue;
            }
            let (next, index) = inner.for_loop(from.value(&inner), to.value(&inner));
            at.push(index);
            inner = next;
            if d + 1 == placed.part.strides.len() {
                let stage = self.members.stages[number].stage;
                _ = mark_lanes(index, self.vector.unwrap_or_else(|| lanes(stage.op(), self.cpu)), b);
            }
        }
        let stage = self.members.stages[number].stage;
        for (out, plane) in outs.iter().flat_map(|out| planes.clone().map(move |plane| (out, plane))) {
            if let Some(d) = together {
                at[d] = inner.index(plane);
            }
            let from = window.indices(&inner, &at, placed);
            let element = stage.image_type(out.result).element();
            out.store(&inner, inner.load(window.memory[out.result], &from, element), &at);
        }
    }
}

impl<'c: 'a, 'a> Window<'c, 'a> {
    /// The indices at which a point of the stage lies.
    pub(super) fn indices(
        &self,
        b: &Builder<'c, 'a>,
        at: &[Value<'c, 'a>],
        placed: PlacedPart<'_, 'c, 'a>,
    ) -> Vec<Value<'c, 'a>> {
        at.iter().enumerate().map(|(d, at)| self.along(b, d, *at, placed.base[d])).collect()
    }

    /// Where a coordinate lies along a dimension of the window.
    fn along(&self, b: &Builder<'c, 'a>, d: usize, at: Value<'c, 'a>, base: Number<'c, 'a>) -> Value<'c, 'a> {
        match self.folded {
            Some((folded, rows)) if folded == d => b.arith("andi", at, b.index(rows - 1)),
            _ => match base {
                Number::Known(0) => at,
                // What is added to an index stays the last: loads are seen to be beside each other by it.
                base => {
                    let (at, by) = beside(at);
                    Emit(b).add(&Number::Value(b.arith("subi", at, base.value(b))), &Number::Known(by)).value(b)
                }
            },
        }
    }
}

/// Whether a box is the tick's own part of the image, so that ticks do not overlap.
fn is_share(part: &Part) -> bool {
    let is_own = |range: &Range<i64>, stride: &TileStride| range.lo == 0 && range.len() == stride.step;
    part.region.iter().zip(&part.strides).all(|(range, stride)| stride.step == 0 || is_own(range, stride))
}

/// The part of an interval that is within all limits.
fn inside<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    limits: &[(Number<'c, 'a>, Number<'c, 'a>)],
    first: Value<'c, 'a>,
    end: Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>) {
    if limits.is_empty() {
        return (first, end);
    }
    let (mut from, mut to) = (first, end);
    for (least, most) in limits {
        from = b.arith("maxsi", from, least.value(b));
        to = b.arith("minsi", to, most.value(b));
    }
    let from = b.arith("minsi", from, end);
    (from, b.arith("maxsi", to, from))
}

fn equal<'c: 'a, 'a>(b: &Builder<'c, 'a>, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Value<'c, 'a> {
    b.compare(Compare::Equal, one, other)
}

/// A loop over rows of some planes: the index, and a row's coordinates in each plane.
fn row_at<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    planes: &[Vec<Value<'c, 'a>>],
    (from, to): (Value<'c, 'a>, Value<'c, 'a>),
) -> (Builder<'c, 'a>, Value<'c, 'a>, Vec<Vec<Value<'c, 'a>>>) {
    let (inner, y) = b.for_loop(from, to);
    (inner, y, planes.iter().map(|planes| [&planes[..], &[y]].concat()).collect())
}

/// Stands before the loop of an index.
fn before_loop<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Builder<'c, 'a> {
    let op = ir::block_of(index).and_then(|block| block.parent_operation()).expect("the index of a loop");
    Builder::before(b.context(), op).located(b.location())
}

/// The first point of a part's box along each dimension, as a function of the tick's number.
fn base_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, part: Option<&Part>, at: &[Value<'c, 'a>]) -> Vec<Number<'c, 'a>> {
    let mut emit = Emit(b);
    let dimensions = part.into_iter().flat_map(|part| part.strides.iter().zip(&part.region));
    dimensions
        .map(|(stride, Range { lo, .. })| {
            if stride.step == 0 {
                return Number::Known(*lo);
            }
            let start = emit.mul(&Number::Value(at[stride.axis]), stride.step);
            emit.add(&start, &Number::Known(*lo))
        })
        .collect()
}

/// The tile that is wanted, halved until a thread's windows fit, and what it computes.
fn fitting(model: &weft_model::Group, wanted: &[i64]) -> Result<(Vec<i64>, Sliding), Cut> {
    let stream = stream_of(model);
    let mut tile = wanted.to_vec();
    loop {
        let sliding = sliding(model, &tile)?;
        let bytes = sliding.window_bytes(model, &bundles(model, &sliding.parts));
        // Rows take turns in windows, however many a tile has.
        let longest = (0..tile.len()).filter(|axis| Some(*axis) != stream).max_by_key(|axis| tile[*axis]);
        match longest {
            Some(axis) if bytes > MOST_WINDOW_BYTES && tile[axis] > 1 => tile[axis] /= 2,
            _ => return Ok((tile, sliding)),
        }
    }
}

/// The schedule of a group, where it has one.
fn schedule_of(group: Group, model: &weft_model::Group) -> Option<pipeline::Schedule> {
    pipeline::Schedule::parse(group.schedule()?, model.grid_rank()).ok()
}

/// Points of the live-outs that a tile covers, as the schedule says or as often does.
pub(super) fn wanted_tile(group: Group, model: &weft_model::Group) -> Vec<i64> {
    let rank = model.grid_rank();
    schedule_of(group, model).and_then(|schedule| schedule.tile).unwrap_or_else(|| match rank {
        1 => vec![4096],
        _ => [vec![1; rank - 2], vec![64, 512]].concat(),
    })
}
