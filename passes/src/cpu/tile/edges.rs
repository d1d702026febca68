//! What accesses of a tile read beyond the edges of images: how far, on which sides, and what windows hold there.

use crate::{
    group::Members,
    ir::{Builder, Compare, is_inside},
};
use melior::ir::Value;
use weft_model::{Access, Boundary as Mode, Expr, Form, Source};

/// Along which dimensions reads may leave their images, so that their modes count.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The dimensions before those of rows and columns.
    pub(super) planes: bool,
    pub(super) rows: bool,
    pub(super) columns: bool,
}

/// The part of a row that is not its interior.
#[derive(Clone, Copy)]
pub(super) enum Sides {
    /// The points left and right of it.
    Both,
    /// All of a row that is narrower than a vector.
    Narrow,
}

/// A loop of two iterations, and the bounds of each: the first two ends, and the last two.
pub(super) fn both_sides<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    [from, to, other, end]: [Value<'c, 'a>; 4],
) -> (Builder<'c, 'a>, (Value<'c, 'a>, Value<'c, 'a>)) {
    let (sides, side) = b.for_loop(b.index(0), b.index(2));
    let is_first = sides.compare(Compare::Equal, side, sides.index(0));
    let bounds =
        (sides.select(is_first, from, other, sides.index_type()), sides.select(is_first, to, end, sides.index_type()));
    (sides, bounds)
}

/// An index that may lie outside, as a function of one coordinate.
#[derive(PartialEq)]
pub(super) struct Leaving {
    /// The index where the variables of reduces make it least, and greatest.
    pub(super) least: Form,
    pub(super) greatest: Form,
    /// What planes, the coordinates before those of rows and columns, add.
    pub(super) rest: Option<Expr>,
}

/// The index along a dimension of what an access reads, where that is one coordinate, scaled and moved, and may lie outside.
pub(super) fn leaving(access: &Access, dimension: usize, along: usize) -> Option<Leaving> {
    if access.mode(dimension) == Mode::None || access.is_computed(dimension) || !access.uses(dimension, along) {
        return None;
    }
    if let Some([least, greatest]) = access.extremes(dimension).or_else(|| Form::around(&access.indices[dimension])) {
        let is_along = |form: &Form| form.mul > 0 && form.dim == along;
        return (is_along(&least) && is_along(&greatest)).then_some(Leaving { least, greatest, rest: None });
    }
    let mut sum = access.indices[dimension].flatten();
    let mul = sum.terms.remove(&Expr::Dim(along)).filter(|mul| *mul > 0)?;
    let form = Form { dim: along, mul, add: std::mem::take(&mut sum.constant), div: 1 };
    let rest = sum.to_expr();
    let planes = access.rank.saturating_sub(2);
    rest.dims().iter().all(|d| *d < planes).then_some(Leaving { least: form, greatest: form, rest: Some(rest) })
}

/// Whether the index along a dimension of what an access reads follows planes alone, and may lie outside, where a value stands for what is
/// there.
pub(super) fn leaves_planes(access: &Access, dimension: usize) -> bool {
    let dims = access.indices[dimension].dims();
    let planes = access.rank.saturating_sub(2);
    access.mode(dimension) == Mode::Constant
        && !access.is_computed(dimension)
        && !dims.is_empty()
        && dims.iter().all(|d| *d < planes)
}

/// What lies left and right of a stage's image.
#[derive(Clone, Copy)]
pub(super) struct Pad<'c, 'a> {
    /// Which columns are there once more: those that this mode leads to.
    pub(super) mode: Mode,
    /// The value, where it is none of a column.
    pub(super) value: Option<Value<'c, 'a>>,
    /// Columns that are read on the left, and on the right.
    pub(super) reach: (i64, i64),
}

/// What consumers want beside an image, a result of a stage, if they want the same.
pub(super) fn pad<'c: 'a, 'a>(members: &Members<'c, 'a>, image: Source) -> Option<Pad<'c, 'a>> {
    let mut pad: Option<Pad> = None;
    for (stage, of) in members.model.stages.iter().zip(&members.stages) {
        for (access, load) in stage.accesses.iter().zip(&of.accesses) {
            if access.source != image || !leaves_columns(access) {
                continue;
            }
            let value = match access.boundary {
                Mode::Clamp | Mode::Mirror | Mode::Reflect101 => None,
                // A value that the body computes differs from point to point.
                Mode::Constant => Some(load.load.padding().filter(|value| !is_inside(*value, of.stage.op()))?),
                // From the other end of a row, which may lie in another tile.
                Mode::None | Mode::Wrap => return None,
            };
            let mode = access.boundary;
            let (left, right) = access.leaves[access.indices.len() - 1]?;
            let reach = match &pad {
                None => (left, right),
                Some(other) if (other.mode, other.value) == (mode, value) => {
                    (left.max(other.reach.0), right.max(other.reach.1))
                }
                Some(_) => return None,
            };
            pad = Some(Pad { mode, value, reach });
        }
    }
    pad
}

/// Whether an access reads columns that follow its stage's, and may lie outside.
pub(super) fn leaves_columns(access: &Access) -> bool {
    leaving(access, access.indices.len() - 1, access.rank - 1).is_some()
}
