//! Tiles as passes see them: what a read means in its reader's coordinates, where coordinates are clamped, how large a tile is, and
//! tiles that change their layout.

use crate::{
    analysis::boundary::{self, Resolved},
    ir::{Builder, Emit, Key, Number, bytes_of_element, expressions, key, location, same},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, ShapedTypeLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationMutLike},
    r#type::RankedTensorType,
};
use mlir_glue::{Diagnostic, PassContext, ir};
use weft_dialects::{
    pipeline::{Boundary, coordinate_names},
    warp::{Compute, Layout, Read, Write},
};
use weft_model::{Arith, Expr, TileStride, localise};

/// Marks a kernel whose tiles inside have code of their own, where there are such tiles.
pub const SPLIT: &str = "warp.split";

/// The computes of a kernel.
///
/// They are listed before the first is seen: who lowers one may erase ops that are still to be walked.
pub fn computes_of<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Vec<Compute<'c, 'a>> {
    ir::walk(func).into_iter().filter_map(Compute::of).collect()
}

/// The blocks with computes: one for tiles inside, one for those at an edge.
pub fn blocks_of<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let mut blocks: Vec<BlockRef> = Vec::new();
    for compute in computes_of(func) {
        if let Some(block) = compute.op().block().filter(|block| !blocks.contains(block)) {
            blocks.push(block);
        }
    }
    blocks
}

/// The computes and writes of a block.
pub fn tile_ops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    ir::operations(block).filter(|op| Compute::of(*op).is_some() || Write::of(*op).is_some()).collect()
}

/// Behind all computes and writes of a block, where all that they use is known.
pub fn behind<'c: 'a, 'a>(cx: &PassContext<'c>, block: BlockRef<'c, 'a>) -> Option<Builder<'c, 'a>> {
    let last = tile_ops(block).pop()?;
    Some(match last.next_in_block() {
        Some(next) => Builder::before(cx.context(), next).located(last.location()),
        None => Builder::at_end(cx.context(), block, last.location()),
    })
}

/// Gives a compute or a write another box.
pub(crate) fn set_box<'c>(b: &Builder<'c, '_>, op: OperationRef<'c, '_>, region: &[(i64, i64)]) {
    let ends: Vec<i64> = region.iter().flat_map(|(lo, hi)| [*lo, *hi]).collect();
    ir::mutable(op).set_attribute("box", b.integers(&ends));
}

/// Gives the tiles of a compute the extents of its box, and another layout.
pub(crate) fn retype(b: &Builder, compute: Compute, layout: Layout) {
    let extents: String = compute.region().iter().map(|(lo, hi)| format!("{}x", hi - lo)).collect();
    let encoding = layout.attribute(b.context());
    for tile in compute.op().results().map(Value::from) {
        tile.set_type(b.parse_type(&format!("tensor<{extents}{}, {encoding}>", element_of(tile))));
    }
}

/// The first point of a tile along a dimension, of so many: its number times the step, which kernels call `origin_y`.
pub fn origin<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    (at, step): (Value<'c, 'a>, i64),
    (rank, d): (usize, usize),
) -> Value<'c, 'a> {
    Emit(&b.named(&along("origin", rank, d))).mul(&Number::Value(at), step).value(b)
}

/// A name for what is along one of so many dimensions, such as `first_y`.
pub fn along(what: &str, rank: usize, d: usize) -> String {
    format!("{what}_{}", coordinate_names(rank).get(d).unwrap_or(&"d"))
}

/// Where an index along a dimension leads, by its boundary mode, of which what is made for it has the name.
pub fn resolve_index<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    (extent, mode): (Number<'c, 'a>, Boundary),
    (rank, d): (usize, usize),
) -> Resolved<'c, 'a> {
    let name = if mode == Boundary::Constant { "clamp" } else { mode.keyword() };
    boundary::resolve(index, extent, mode, &b.named(&along(name, rank, d)))
}

/// What a copy of an op in a body is called, which says where the point is that it is evaluated at: as the op is, or as its stage.
pub fn copy_name(op: OperationRef, stage: &str, place: &str) -> String {
    let location = op.location();
    let own = location::name_at(location).or_else(|| location::stage_at(location)).unwrap_or(stage);
    format!("{own}{place}")
}

/// The coordinate that a body gets: moved inside what is needed, or wrapped around; itself where the box stays inside.
pub fn clamp_coordinate<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    compute: Compute<'c, 'a>,
    d: usize,
    coordinate: Number<'c, 'a>,
) -> Number<'c, 'a> {
    let Some(extents) = compute.extents() else { return coordinate };
    let b = &b.named(&along("clamp", compute.rank(), d));
    let extent = Number::from(extents[d]);
    let is_wrapped = compute.wrap().contains(&d);
    let coordinate = match is_wrapped {
        true => Number::Value(boundary::resolve(coordinate.value(b), extent, Boundary::Wrap, b).index),
        false => coordinate,
    };
    // Points that are not needed are not computed, and cannot be read.
    let (first, end) = needed_along(compute, d).unwrap_or((0, extent));
    let is_whole = first == 0 && same(end, extent);
    if is_whole && is_wrapped {
        return coordinate;
    }
    let (lo, hi) = compute.region()[d];
    let mut emit = Emit(b);
    // Tiles begin at 0 or behind it, and where there is no step, at 0.
    let last = Emit(&b.part("last")).add(&end, &Number::Known(-1));
    let above = if lo >= first && !is_wrapped { coordinate } else { emit.max(&coordinate, &Number::Known(first)) };
    let is_below = matches!(end, Number::Known(end) if compute.step()[d] == 0 && hi <= end && !is_wrapped);
    if is_below { above } else { emit.min(&above, &last) }
}

/// The half-open interval of a dimension that is needed, where the compute has extents.
pub fn needed_along<'c: 'a, 'a>(compute: Compute<'c, 'a>, d: usize) -> Option<(i64, Number<'c, 'a>)> {
    let extent = compute.extents()?[d];
    let (first, end) = compute.needed().map_or((0, None), |needed| needed[d]);
    Some((first, end.map_or_else(|| extent.into(), Number::Known)))
}

/// A read, in its reader's coordinates.
pub struct ResolvedRead {
    /// The indices, as expressions of the reader's coordinates, and of values behind them.
    pub indices: Vec<Expr>,
    /// The same, relative to the tiles' first points.
    pub locals: Vec<Expr>,
    /// The values: variables of loops and computed ones, as numbers of the read's coordinates.
    pub values: Vec<usize>,
}

impl ResolvedRead {
    /// Whether all indices are functions of coordinates alone.
    pub fn is_plain(&self) -> bool {
        self.values.is_empty()
    }
}

/// Resolves a read: its indices as functions of its reader's coordinates.
///
/// # Errors
///
/// A read whose index within the producer's tile differs from tile to tile.
pub fn resolve_read<'c>(
    reader: Compute<'c, '_>,
    producer: Compute<'c, '_>,
    read: Read<'c, '_>,
) -> Result<ResolvedRead, Diagnostic<'c>> {
    let fail = |d: usize| {
        let message =
            format!("index #{d} of \"{}\" does not move with the tile of \"{}\"", producer.name(), reader.name());
        Diagnostic::on(read.op(), message)
    };
    let exprs = expressions(read.map()).ok_or_else(|| fail(0))?;
    // Coordinates are arguments of the reader's body; what else there is comes behind them.
    let arguments: Vec<Value> =
        (0..reader.rank()).filter_map(|d| reader.body().argument(d).ok()).map(Value::from).collect();
    let mut values = Vec::new();
    let coordinates: Vec<Expr> = read
        .coordinates()
        .into_iter()
        .enumerate()
        .map(|(operand, value)| match arguments.iter().position(|argument| *argument == value) {
            Some(d) => Expr::Dim(d),
            None => {
                values.push(operand);
                Expr::Dim(reader.rank() + values.len() - 1)
            }
        })
        .collect();
    let mut axes: Vec<Key> = Vec::new();
    let mut strides = |compute: Compute<'c, '_>| -> Vec<TileStride> {
        let at = compute.at();
        at.iter()
            .zip(compute.step())
            .map(|(at, step)| {
                let axis = axes.iter().position(|axis| *axis == key(*at)).unwrap_or_else(|| {
                    axes.push(key(*at));
                    axes.len() - 1
                });
                TileStride { axis, step }
            })
            .collect()
    };
    let (mut from, to) = (strides(reader), strides(producer));
    from.extend(values.iter().map(|_| TileStride { axis: 0, step: 0 }));
    let indices: Vec<Expr> = exprs.iter().map(|expr| expr.substitute(&coordinates)).collect();
    let mut locals = Vec::new();
    for (d, (index, to)) in indices.iter().zip(to).enumerate() {
        let local = localise(index, &from).filter(|local| local.stride.agrees(to)).ok_or_else(|| fail(d))?;
        locals.push(local.index);
    }
    Ok(ResolvedRead { indices, locals, values })
}

/// Whether a body uses its coordinate along `d`, other than to read tiles beside it.
pub fn uses_coordinate(compute: Compute, d: usize) -> bool {
    let Ok(argument) = compute.body().argument(d) else { return false };
    ir::uses(argument.into())
        .into_iter()
        .any(|(op, _)| Read::of(op).is_none_or(|read| read.boundary() != Boundary::None))
}

/// The index of a point of a box in memory that holds the box row by row.
pub fn linear<'c: 'a, 'a>(b: &Builder<'c, 'a>, point: &[Number<'c, 'a>], extents: &[i64]) -> Value<'c, 'a> {
    let mut emit = Emit(b);
    let mut index = Number::Known(0);
    for (coordinate, extent) in point.iter().zip(extents) {
        let rows = emit.mul(&index, *extent);
        index = emit.add(&rows, coordinate);
    }
    index.value(b)
}

fn tensor<'c>(tile: Value<'c, '_>) -> RankedTensorType<'c> {
    RankedTensorType::try_from(tile.r#type()).expect("tiles are tensors")
}

/// The element type of a tile.
pub fn element_of<'c>(tile: Value<'c, '_>) -> Type<'c> {
    tensor(tile).element()
}

/// The extents of a tile.
pub fn extents_of(tile: Value) -> Vec<i64> {
    let extents = weft_dialects::pipeline::static_extents(tensor(tile));
    extents.into_iter().map(|extent| extent.unwrap_or(1)).collect()
}

pub fn volume_of(tile: Value) -> i64 {
    extents_of(tile).into_iter().fold(1, i64::saturating_mul)
}

pub fn bytes_of(tile: Value) -> i64 {
    volume_of(tile).saturating_mul(bytes_of_element(element_of(tile)))
}
