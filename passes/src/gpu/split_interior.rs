//! `--split-interior`: tiles that lie inside all images with all they read have code without boundary modes.
//!
//! ```text
//! %b = warp.compute "blurx" ... in [-1, 9) x [0, 128) of (%h, %w) {       %inside = <tile * 8 - 1 >= 0, tile * 8 + 8 < %h, ...>
//!   %v = warp.load %img[%y, %x - 1] clamp                                 scf.if %inside {
//!   ... }                                                        ──▶        %b = warp.compute "blurx" ... { memref.load ... }
//! %c = warp.compute "blury" ... of (%h, %w) {                               %c = warp.compute "blury" ... { warp.read %b[...] }
//!   %v = warp.read %b[%y + 1, %x] clamp ... }                             } else { <the same, with boundary modes> }
//! ```
//!
//! Most tiles lie inside. One comparison for the whole warp tells them from those at an edge, and their code has no index that is
//! brought inside and no store that is asked whether it may. This is Halide's partition of loops, for tiles.
//!
//! **Vectors.** A kernel of strips loads and stores vectors of neighbouring columns, which wants rows that begin at a multiple of their
//! length. Known extents say so; of others the kernel asks, with the same comparison.
//!
//! **Computed places.** A gather's indices can lie anywhere, in tiles inside, too: they are brought inside in both versions.

use super::{
    condition::Condition,
    loads::{loads_of, lower_loads, row_length_of},
    tiles::{self, along, blocks_of, computes_of, needed_along, origin},
};
use crate::ir::{Builder, Compare, Emit, Key, Number, constant_index, is, key, only_block, same};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, BlockLike, BlockRef, OperationRef, ShapedTypeLike, Value, ValueLike,
        attribute::DictionaryAttribute,
        operation::{OperationLike, OperationMutLike},
        r#type::RankedTensorType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{Boundary, Schedule},
    warp::{Compute, ComputeParts, Load, Read, Stream, Write},
};
use weft_model::{Arith, Range, TileStride};

/// The pass.
pub struct SplitInterior;

const SPLIT: Statistic = Statistic::new(c"split", c"Kernels with code of their own for tiles inside");
const INSIDE: Statistic = Statistic::new(c"inside", c"Kernels all of whose tiles lie inside");

impl Pass for SplitInterior {
    const ARGUMENT: &'static str = "split-interior";
    const SUMMARY: &'static str = "Give tiles that lie inside all images code without boundary modes";
    const DESCRIPTION: &'static str = "\
Puts the computes and writes of a kernel of `--warp-tile` (or `--block-tile`) into both arms of an `scf.if` that asks whether the \
tile lies inside all images, with all that it reads: in one arm without extents and boundary modes, in the other as they are. Where \
the extents are known and all tiles lie inside, only the first is made; where none can, nothing is asked. Loads become loads of memory.";
    const STATISTICS: &'static [Statistic] = &[SPLIT, INSIDE];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::memref(), DialectHandle::scf()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in ir::walk(module).into_iter().filter(|op| is(*op, "gpu.func")).collect::<Vec<_>>() {
            if func.has_attribute(tiles::SPLIT) {
                lower_loads(cx.context(), computes_of(func))?;
                continue;
            }
            for block in blocks_of(func) {
                // A stream is split whole.
                let stream = block.parent_operation().and_then(Stream::of);
                let block = stream.and_then(|stream| stream.op().block()).unwrap_or(block);
                ir::mutable(func).set_attribute(tiles::SPLIT, Attribute::unit(cx.context()));
                match (Split { cx, func, block, axes: Vec::new() }).make()? {
                    Condition::Always => cx.count(INSIDE, 1),
                    Condition::If(_) => cx.count(SPLIT, 1),
                    Condition::Never => {}
                }
            }
        }
        Ok(())
    }
}

/// A condition for a tile to lie inside: `number * step + [lo, hi]` within `[first, end)`.
struct Inside<'c, 'a> {
    stride: TileStride,
    region: Range<i64>,
    first: i64,
    end: Number<'c, 'a>,
}

/// The code of a block's tiles, while it is split.
struct Split<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    /// The numbers of the tile, one for each dimension of the grid that some compute moves along.
    axes: Vec<Axis<'c, 'a>>,
}

/// A dimension of the grid.
struct Axis<'c, 'a> {
    /// The number of the tile along it.
    at: Value<'c, 'a>,
    /// The rank of a compute that moves along it, and which of its dimensions does.
    along: (usize, usize),
}

impl<'c: 'a, 'a> Split<'_, 'c, 'a> {
    fn make(mut self) -> Result<Condition<'c, 'a>, Failure<'c>> {
        let ops: Vec<OperationRef> = ir::operations(self.block).filter(is_program_op).collect();
        let Some(first) = ops.first() else { return Ok(Condition::Never) };
        let computes: Vec<Compute> = ops.iter().flat_map(|op| ir::walk(*op)).filter_map(Compute::of).collect();
        let has_loads = ops.iter().flat_map(|op| ir::walk(*op)).any(|op| Load::of(op).is_some());
        if !has_loads && computes.iter().all(|compute| compute.extents().is_none()) {
            return Ok(Condition::Never);
        }
        let b = Builder::before(self.cx.context(), *first).located(self.func.location());
        let condition = self.condition(&b, &computes, &ops)?;
        match condition {
            Condition::Always => {
                self.interior(&b, &ops, &mut HashMap::new())?;
                ops.iter().rev().for_each(|op| ir::erase(*op));
            }
            Condition::Never => lower_loads(self.cx.context(), computes)?,
            Condition::If(inside) => {
                let (then, otherwise) = b.if_else(inside);
                self.interior(&then, &ops, &mut HashMap::new())?;
                ops.iter().for_each(|op| otherwise.move_here(*op));
                lower_loads(self.cx.context(), computes)?;
            }
        }
        Ok(condition)
    }

    /// How the dimensions of a compute move with the tile.
    fn strides(&mut self, compute: Compute<'c, 'a>) -> Vec<TileStride> {
        let number = |(d, (at, step)): (usize, (Value<'c, 'a>, i64))| {
            let axis = self.axes.iter().position(|axis| axis.at == at).unwrap_or_else(|| {
                self.axes.push(Axis { at, along: (compute.rank(), d) });
                self.axes.len() - 1
            });
            TileStride { axis, step }
        };
        compute.at().into_iter().zip(compute.step()).enumerate().map(number).collect()
    }

    /// Whether nothing of the tile, nor anything that it reads, lies outside an image.
    fn condition(
        &mut self,
        b: &Builder<'c, 'a>,
        computes: &[Compute<'c, 'a>],
        ops: &[OperationRef<'c, 'a>],
    ) -> Result<Condition<'c, 'a>, Failure<'c>> {
        let mut all = Vec::new();
        for compute in computes {
            let strides = self.strides(*compute);
            for (d, (stride, (lo, hi))) in strides.iter().zip(compute.region()).enumerate() {
                if let Some((first, end)) = needed_along(*compute, d) {
                    all.push(Inside { stride: *stride, region: Range::new(lo, hi - 1), first, end });
                }
            }
            for load in loads_of(self.cx.context(), *compute)? {
                for d in (0..load.rank()).filter(|d| load.may_leave(*d)) {
                    if let Some((stride, region, first, end)) = load.reach(d, &strides) {
                        all.push(Inside { stride, region, first, end });
                    }
                }
            }
        }
        let tiles = self.count_tiles(computes, ops);
        let condition = condition(b, &self.axes, &tiles, &all);
        Ok(self.aligned_rows(b, computes, ops, condition))
    }

    /// How many tiles there are along each dimension of the grid, where that is known.
    fn count_tiles(&mut self, computes: &[Compute<'c, 'a>], ops: &[OperationRef<'c, 'a>]) -> Vec<Option<i64>> {
        let mut tiles: Vec<Option<i64>> = vec![Some(1); self.axes.len()];
        for compute in computes.iter().filter(|compute| is_written(**compute, ops)) {
            let strides = self.strides(*compute);
            for (d, stride) in strides.into_iter().enumerate().filter(|(_, stride)| stride.step != 0) {
                let extent = compute.extents().and_then(|extents| constant_index(extents[d]));
                let here = extent.map(|extent| (extent + stride.step - 1).div_euclid(stride.step));
                let count = &mut tiles[stride.axis];
                *count = count.zip(here).map(|(count, here)| count.max(here));
            }
        }
        tiles
    }

    /// The columns of a lane, in a kernel of strips.
    fn columns(&self) -> Option<i64> {
        let schedule = self.func.attribute("warp.schedule").ok();
        let schedule = schedule.and_then(|schedule| DictionaryAttribute::try_from(schedule).ok());
        schedule.and_then(|schedule| Schedule::parse(schedule, 2).ok())?.vector
    }

    /// The condition, and that rows begin where vectors may be loaded and stored.
    fn aligned_rows(
        &self,
        b: &Builder<'c, 'a>,
        computes: &[Compute<'c, 'a>],
        ops: &[OperationRef<'c, 'a>],
        mut condition: Condition<'c, 'a>,
    ) -> Condition<'c, 'a> {
        let Some(columns) = self.columns().filter(|columns| *columns > 1) else { return condition };
        let inputs = computes.iter().filter_map(|compute| input_width(*compute));
        let written = computes.iter().filter(|compute| is_written(**compute, ops));
        let written = written.filter_map(|compute| compute.extents()?.last().copied()).map(Number::from);
        let mut seen: Vec<Value> = Vec::new();
        for width in inputs.chain(written) {
            let Number::Value(width) = width else { continue };
            if seen.contains(&width) {
                continue;
            }
            seen.push(width);
            let rest = b.named("rest").arith("remui", width, b.index(columns));
            let aligned = b.named("aligned").compare(Compare::Equal, rest, b.index(0));
            condition = condition.and(b, aligned);
        }
        condition
    }

    /// The computes and writes of a tile inside, built anew; `values` are the tiles.
    fn interior(
        &mut self,
        b: &Builder<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        values: &mut HashMap<Key, Value<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        for op in ops {
            let b = b.located(op.location());
            if let Some(stream) = Stream::of(*op) {
                let made = b.insert(Stream::build(b.context(), stream.unroll(), op.location()));
                let inner = Builder::at_end(b.context(), only_block(made), op.location());
                let inside: Vec<OperationRef> = ir::operations(stream.body()).collect();
                self.interior(&inner, &inside, values)?;
            } else if let Some(compute) = Compute::of(*op) {
                self.interior_compute(&b, compute, values)?;
            } else if let Some(write) = Write::of(*op) {
                let compute = Compute::giving(write.tile()).expect("verified");
                let width = compute.extents().and_then(|extents| extents.last().copied()).map(Number::from);
                let is_aligned = self.columns().is_some() && self.is_aligned(width);
                let tile = values[&key(write.tile())];
                b.insert(Write::build(b.context(), tile, &write.region(), write.memory(), is_aligned, op.location()));
            }
        }
        Ok(())
    }

    /// A compute without extents, with its reads and loads as those of a tile inside.
    fn interior_compute(
        &mut self,
        b: &Builder<'c, 'a>,
        compute: Compute<'c, 'a>,
        values: &mut HashMap<Key, Value<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let (at, step, region) = (compute.at(), compute.step(), compute.region());
        let op = compute.op();
        let tiles = op.results().filter_map(|tile| RankedTensorType::try_from(tile.r#type()).ok());
        let elements: Vec<_> = tiles.map(|tile| tile.element()).collect();
        let parts = ComputeParts {
            name: compute.name(),
            at: &at,
            step: &step,
            region: &region,
            extents: &[],
            needed: None,
            wrap: &[],
            planes_together: compute.plane().is_some(),
            aligned: compute.is_aligned()
                || self.columns().is_some() && input_width(compute).is_some_and(|width| self.is_aligned(Some(width))),
            elements: &elements,
            layout: compute.layout().expect("verified"),
        };
        let made = b.insert(Compute::build(b.context(), parts, compute.op().location()));
        let body = only_block(made);
        let inner = Builder::at_end(b.context(), body, made.location());
        for d in 0..compute.rank() {
            let (old, new) = (compute.body().argument(d), body.argument(d));
            let (Ok(old), Ok(new)) = (old, new) else { continue };
            values.insert(key(old.into()), new.into());
        }
        for op in ir::operations(compute.body()) {
            inner.clone_mapped(op, values);
        }
        for (old, new) in compute.op().results().zip(made.results()) {
            values.insert(key(old.into()), new.into());
        }
        let made = Compute::of(made).expect("built as a compute");
        for read in made.reads().into_iter().filter(|read| read.boundary() != Boundary::None) {
            let b = Builder::before(b.context(), read.op());
            let plain = Read::build(
                b.context(),
                read.tile(),
                &read.coordinates(),
                read.map(),
                Boundary::None,
                None,
                read.op().location(),
            );
            let plain = b.insert(plain).result(0).expect("a read has a result").into();
            ir::replace_all_uses(read.op().result(0).expect("a read has a result").into(), plain);
            ir::erase(read.op());
        }
        // What a coordinate cannot leave is said by the extents, which only the original has.
        let strides = self.strides(compute);
        let loads = loads_of(b.context(), made)?;
        for (of, load) in loads_of(b.context(), compute)?.iter().zip(loads) {
            let is_decided = of.is_decided(&strides);
            load.lower(&Builder::before(b.context(), load.op()), is_decided, of);
        }
        Ok(())
    }

    /// Whether vectors may be loaded from rows of this length, and stored to them.
    fn is_aligned(&self, width: Option<Number<'c, 'a>>) -> bool {
        match width {
            Some(Number::Known(width)) => width % self.columns().unwrap_or(1) == 0,
            // The kernel has asked (`aligned_rows`).
            _ => true,
        }
    }
}

fn is_program_op(op: &OperationRef) -> bool {
    Compute::of(*op).is_some() || Write::of(*op).is_some() || Stream::of(*op).is_some()
}

/// Whether some write is of a compute's tile.
fn is_written(compute: Compute, ops: &[OperationRef]) -> bool {
    let writes = ops.iter().flat_map(|op| ir::walk(*op)).filter_map(Write::of).collect::<Vec<_>>();
    writes.into_iter().any(|write| compute.op().results().any(|tile| Value::from(tile) == write.tile()))
}

/// The columns of the image whose rows a compute loads, doing nothing else; `None` of others.
fn input_width<'c: 'a, 'a>(compute: Compute<'c, 'a>) -> Option<Number<'c, 'a>> {
    let mut ops = ir::operations(compute.body());
    let load = ops.next().and_then(Load::of)?;
    let end = ops.next()?;
    (ops.next().is_none() && is(end, "warp.yield")).then(|| row_length_of(compute, load)).flatten()
}

/// Whether all intervals lie inside, as one comparison for each distinct end.
fn condition<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    axes: &[Axis<'c, 'a>],
    tiles: &[Option<i64>],
    all: &[Inside<'c, 'a>],
) -> Condition<'c, 'a> {
    let mut condition = Condition::Always;
    let inside = b.named("inside");
    // Known ends become limits of the tile's number; for the others the farthest reach of each (axis, step, end) counts.
    let mut limits: Vec<(i64, i64)> = vec![(0, i64::MAX); axes.len()];
    let mut ends: Vec<(TileStride, i64, Value)> = Vec::new();
    for Inside { stride, region, first, end } in all {
        let (axis, step) = (stride.axis, stride.step);
        if step == 0 {
            if region.lo < *first {
                return Condition::Never;
            }
            match end {
                Number::Known(end) if region.hi >= *end => return Condition::Never,
                Number::Known(_) => {}
                Number::Value(end) => {
                    condition = condition.and(b, inside.compare(Compare::Less, b.index(region.hi), *end));
                }
            }
            continue;
        }
        let limit = &mut limits[axis];
        limit.0 = limit.0.max((first - region.lo + step - 1).div_euclid(step));
        match end {
            Number::Known(end) => limit.1 = limit.1.min((end - 1 - region.hi).div_euclid(step)),
            Number::Value(end) => {
                let is_same = |(other, _, value): &&mut (TileStride, i64, Value<'c, 'a>)| {
                    other.agrees(*stride) && same(Number::Value(*value), Number::Value(*end))
                };
                match ends.iter_mut().find(is_same) {
                    Some((_, reach, _)) => *reach = (*reach).max(region.hi),
                    None => ends.push((*stride, region.hi, *end)),
                }
            }
        }
    }
    for ((axis, tiles), (least, mut most)) in axes.iter().zip(tiles).zip(limits) {
        if let Some(tiles) = tiles {
            // No tile has a greater number than the last one.
            most = if most >= tiles - 1 { i64::MAX } else { most };
            if least > tiles - 1 {
                return Condition::Never;
            }
        }
        if least > most {
            return Condition::Never;
        }
        if least > 0 {
            condition = condition.and(b, inside.compare(Compare::GreaterEqual, axis.at, b.index(least)));
        }
        if most < i64::MAX {
            condition = condition.and(b, inside.compare(Compare::LessEqual, axis.at, b.index(most)));
        }
    }
    for (stride, reach, end) in ends {
        let Axis { at, along: (rank, d) } = axes[stride.axis];
        let start = Number::Value(origin(b, (at, stride.step), (rank, d)));
        let last = Emit(&b.named(&along("last", rank, d))).add(&start, &Number::Known(reach)).value(b);
        condition = condition.and(b, inside.compare(Compare::Less, last, end));
    }
    condition
}
