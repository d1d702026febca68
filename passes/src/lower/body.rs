//! The value of a stage at a point: its body, cloned to where it is needed, with loads replaced by what a lowering reads.
//!
//! ```text
//! pipeline.stage "s" (%y, %x) {              at (%i, %j):
//!   %a = pipeline.load %img[%y, %x - 1]        %a = <what the lowering reads for the load>
//!   %v = math.sqrt %a                   ──▶    %v = math.sqrt %a
//!   pipeline.yield %v }                        (%v is handed back)
//! ```
//!
//! A `pipeline.reduce` becomes a loop for each of its variables, which carries the accumulators; the variables are coordinates of
//! the loads inside it.
//!
//! Every lowering takes bodies from here, so that what a body means is decided once. Two more things are: a conversion from float
//! to integer saturates and makes 0 of NaN, where LLVM's own is undefined, and processors differ; and `math.fma` of f16 is
//! LLVM's intrinsic, which rounds once, where MLIR's conversion to nvvm would compute in f32 and round twice.

use crate::{
    analysis::{
        access,
        boundary::{self, Resolved},
        domain,
    },
    ir::{Builder, Key, Number, apply, is, key},
};
use melior::ir::{BlockLike, OperationRef, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Load, Previous, Reduce, Stage, Unit};
use weft_model::{Expr, Ints, Range, range_of};

/// A load at a point.
pub struct Read<'c, 'a> {
    /// The load, as it stands in the stage.
    pub load: Load<'c, 'a>,
    /// Its indices, as expressions of the stage's coordinates and of what comes behind them ([`access::variables`]).
    pub indices: Vec<Expr>,
    /// The value of each coordinate, and of each variable.
    pub coordinates: Vec<Value<'c, 'a>>,
    /// The values that each variable takes; `None` of a computed one.
    pub windows: Vec<Option<Range<i64>>>,
    /// The padding value, where the boundary is constant.
    pub padding: Option<Value<'c, 'a>>,
    /// Whether the load stands in a region of the body (an `scf.if`, a reduce), so that its value is not available outside it.
    pub is_nested: bool,
}

/// Clones the body of `stage` to `b`, its coordinates being `coordinates`; returns what it yields. `read` gives the value of
/// each load.
pub fn evaluate<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    stage: Stage<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    read: impl FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    // Only a scan has values before.
    evaluate_unit(b, *stage, coordinates, read, |_, previous| previous.start())
}

/// As [`evaluate`], for any unit; `before` gives the value of each `pipeline.previous`, whose operands are those at the point.
/// Of a scatter the values come first, then the places.
pub fn evaluate_unit<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    mut read: impl FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
    mut before: impl FnMut(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    let body = unit.body();
    let end = unit.terminator().expect("a verified body ends with its terminator");
    let mut values: HashMap<Key, Value> = HashMap::new();
    for (index, coordinate) in coordinates.iter().enumerate() {
        values.insert(key(body.argument(index).expect("a coordinate for each dimension").into()), *coordinate);
    }
    let originals: Vec<_> = ir::operations(body).filter(|op| *op != end).collect();
    let clones: Vec<_> = originals.iter().map(|op| b.clone_mapped(*op, &mut values)).collect();
    // A clone and its original have the same shape: they are walked in step, the original for what the load says, the
    // clone for the place and the operands.
    let pairs = originals.iter().zip(&clones).flat_map(|(original, clone)| {
        let depth = std::iter::once(false).chain(std::iter::repeat(true));
        ir::walk(*original).into_iter().zip(ir::walk(*clone)).zip(depth).collect::<Vec<_>>()
    });
    let mut reduces = Vec::new();
    for ((original, clone), is_nested) in pairs.collect::<Vec<_>>() {
        if let (Some(_), Some(reduce)) = (Reduce::of(original), Reduce::of(clone)) {
            reduces.push((original, reduce));
            continue;
        }
        let here = Builder::before(b.context(), clone);
        let new = if let Some(load) = Load::of(original) {
            let padding = Load::of(clone).and_then(Load::padding);
            let coordinates = [coordinates.to_vec(), access::variables_at(load, clone)].concat();
            let windows = access::variables(load).into_iter().map(|variable| variable.range).collect();
            let indices = access::indices(load)?;
            read(&here, Read { load, indices, coordinates, windows, padding, is_nested })?
        } else if let Some(previous) = Previous::of(clone) {
            before(&here, previous)
        } else if is(clone, "arith.fptosi") || is(clone, "arith.fptoui") {
            saturate(&here, clone)
        } else if is(clone, "math.fma") && clone.result(0).is_ok_and(|sum| sum.r#type().to_string() == "f16") {
            let operands: Vec<Value> = clone.operands().collect();
            here.intrinsic("llvm.fma.f16", &operands, operands[0].r#type())
        } else {
            continue;
        };
        ir::replace_all_uses(clone.result(0).expect("loads and casts have a result").into(), new);
        values.insert(key(original.result(0).expect("as its clone").into()), new);
        ir::erase(clone);
    }
    // Inner reduces before those around them, when all that stands in them is there.
    for (original, reduce) in reduces.into_iter().rev() {
        let results = fold(b, reduce);
        for ((old, clone), new) in original.results().zip(reduce.op().results()).zip(results) {
            ir::replace_all_uses(clone.into(), new);
            values.insert(key(old.into()), new);
        }
        ir::erase(reduce.op());
    }
    Ok(end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect())
}

/// The loops of a reduce, made of its body, before it; returns what they give.
fn fold<'c: 'a, 'a>(b: &Builder<'c, 'a>, reduce: Reduce<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let window: Vec<_> = reduce.variables().into_iter().zip(reduce.window()).collect();
    let b = Builder::before(b.context(), reduce.op());
    let step = b.index(1);
    nest(&b, reduce, &window, step, &reduce.inits())
}

/// The loops over these variables of a reduce, with its body in the last one.
fn nest<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    reduce: Reduce<'c, 'a>,
    window: &[(Value<'c, 'a>, (i64, i64))],
    step: Value<'c, 'a>,
    carried: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    if let Some(((variable, (lo, hi)), rest)) = window.split_first() {
        let Ok(results) = b.for_carrying([b.index(*lo), b.index(*hi), step], carried, |b, index, carried| {
            ir::replace_all_uses(*variable, index);
            Ok::<_, std::convert::Infallible>(nest(b, reduce, rest, step, carried))
        });
        return results;
    }
    for (old, new) in reduce.accumulators().into_iter().zip(carried) {
        ir::replace_all_uses(old, *new);
    }
    let end = reduce.terminator().expect("a verified reduce ends with a yield");
    for op in ir::operations(reduce.body()).filter(|op| *op != end).collect::<Vec<_>>() {
        b.move_here(op);
    }
    end.operands().collect()
}

/// `arith.fptosi` (or `fptoui`) as LLVM's saturating intrinsic.
fn saturate<'c: 'a, 'a>(b: &Builder<'c, 'a>, cast: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    let from: Type = cast.operand(0).expect("a cast has an operand").r#type();
    let to: Type = cast.result(0).expect("a cast has a result").r#type();
    let sign = if is(cast, "arith.fptosi") { "s" } else { "u" };
    b.intrinsic(&format!("llvm.fpto{sign}i.sat.{to}.{from}"), &cast.operands().collect::<Vec<_>>(), to)
}

/// Code that reads a load from memory. `domain` are the points that the coordinates take, `extents` those of the stage,
/// `source` those of the memory.
pub fn read_memory<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    memory: Value<'c, 'a>,
    space: &Space<'_, 'c, 'a>,
    known: &mut Known<'c, 'a>,
) -> Value<'c, 'a> {
    let resolved = resolve(b, read, space, known);
    let value = b.load(memory, &resolved.indices, read.element());
    read.or_padding(b, value, resolved.inside)
}

impl<'c: 'a, 'a> Read<'c, 'a> {
    /// The type of the value. (The source may have been turned to memory already, and is not asked.)
    pub fn element(&self) -> Type<'c> {
        self.load.op().result(0).expect("a load has a result").r#type()
    }

    /// `value`, or the padding value where the boundary asks for it.
    pub fn or_padding(
        &self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        inside: Option<Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        match (inside, self.padding) {
            (Some(inside), Some(padding)) => b.select(inside, value, padding, self.element()),
            _ => value,
        }
    }
}

/// Where a load is made from and into.
pub struct Space<'s, 'c, 'a> {
    /// The points that the stage's coordinates take.
    pub domain: &'s [Range<Number<'c, 'a>>],
    /// The extents of the stage.
    pub extents: &'s [Number<'c, 'a>],
    /// The extents of the source.
    pub source: &'s [Number<'c, 'a>],
}

/// The indices of a load, brought inside its source.
pub struct ResolvedIndices<'c, 'a> {
    /// One for each dimension of the source.
    pub indices: Vec<Value<'c, 'a>>,
    /// Whether the point was inside before, where that matters.
    pub inside: Option<Value<'c, 'a>>,
}

/// Indices for which there is code already: the same index of the same coordinates over the same extent has one value, so
/// that points which are equal are equal SSA values.
pub type Known<'c, 'a> = HashMap<(Expr, Vec<Key>, Option<i64>, Option<Key>, Boundary), Resolved<'c, 'a>>;

/// Code for the indices of a load. Where an index is known to stay inside, nothing is spent on its boundary.
pub fn resolve<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    space: &Space<'_, 'c, 'a>,
    known: &mut Known<'c, 'a>,
) -> ResolvedIndices<'c, 'a> {
    let mut resolved = ResolvedIndices { indices: Vec::new(), inside: None };
    for (index, extent) in read.indices.iter().zip(space.source) {
        let stays = known_inside(index, space.domain, &read.windows, *extent)
            || domain::is_own_extent(index, space.extents, *extent);
        let boundary = if stays { Boundary::None } else { read.load.boundary() };
        let coordinates = index.dims().into_iter().map(|d| key(read.coordinates[d])).collect();
        let (static_extent, dynamic_extent) = match extent {
            Number::Known(extent) => (Some(*extent), None),
            Number::Value(extent) => (None, Some(key(*extent))),
        };
        let one = *known
            .entry((index.clone(), coordinates, static_extent, dynamic_extent, boundary))
            .or_insert_with(|| boundary::resolve(apply(index, &read.coordinates, b), *extent, boundary, b));
        resolved.indices.push(one.index);
        resolved.inside = b.both(resolved.inside, one.inside);
    }
    resolved
}

/// Whether an index is inside for all coordinates, by numbers that are known now.
fn known_inside(index: &Expr, domain: &[Range<Number>], windows: &[Option<Range<i64>>], extent: Number) -> bool {
    let known = domain.iter().map(|range| match (range.lo, range.hi) {
        (Number::Known(lo), Number::Known(hi)) => Some(Range::new(lo, hi)),
        _ => None,
    });
    let used = index.dims();
    let known: Option<Vec<Range<i64>>> = known
        .chain(windows.iter().copied())
        .enumerate()
        .map(|(d, range)| range.or_else(|| (!used.contains(&d)).then_some(Range::new(0, 0))))
        .collect();
    match (known, extent) {
        (Some(domain), Number::Known(extent)) => {
            let range = range_of(index, &domain, &mut Ints);
            range.lo >= 0 && range.hi < extent
        }
        _ => false,
    }
}
