//! The points that a unit computes: from where to where its arguments run, as far as that is known now, else as values.

use super::{access, bounds};
use crate::ir::{Builder, Emit, Number, dim_of, numbers, program, same, shape_of};
use mlir_glue::ir;
use weft_dialects::pipeline::{Load, Stage, Unit, static_extents};
use weft_model::{Arith, Expr, Range, range_of};

/// Where the arguments of a unit's body begin and end, half-open.
pub fn bounds<'c: 'a, 'a>(unit: impl Into<Unit<'c, 'a>>) -> Vec<(i64, Number<'c, 'a>)> {
    unit.into().bounds().into_iter().map(|(start, end)| (start, end.into())).collect()
}

/// The last of a half-open interval, with the first.
pub fn closed<'c: 'a, 'a>(bounds: &[(i64, Number<'c, 'a>)], emit: &mut Emit<'_, 'c, 'a>) -> Vec<Range<Number<'c, 'a>>> {
    bounds.iter().map(|(start, end)| Range::new(Number::Known(*start), emit.add(end, &Number::Known(-1)))).collect()
}

/// Where the arguments end, for [`is_own_extent`]: one that begins before 0 stays inside of no extent.
pub fn ends<'c: 'a, 'a>(bounds: &[(i64, Number<'c, 'a>)]) -> Vec<Number<'c, 'a>> {
    bounds.iter().map(|(start, end)| if *start < 0 { Number::Known(i64::MAX) } else { *end }).collect()
}

/// The coordinates of a stage with these extents: `[0, extent - 1]` each.
pub fn whole<'c: 'a, 'a>(extents: &[Number<'c, 'a>], emit: &mut Emit<'_, 'c, 'a>) -> Vec<Range<Number<'c, 'a>>> {
    extents.iter().map(|extent| Range::new(Number::Known(0), emit.add(extent, &Number::Known(-1)))).collect()
}

/// Whether an index is one coordinate over the very extent that the source has.
pub fn is_own_extent<'c, 'a>(index: &Expr, extents: &[Number<'c, 'a>], source: Number<'c, 'a>) -> bool {
    matches!(index, Expr::Dim(d) if extents.get(*d).is_some_and(|extent| same(*extent, source)))
}

/// The points of a stage of these extents that are computed: what is needed of it, or all.
pub fn needed_domain<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    extents: &[Number<'c, 'a>],
    b: &Builder<'c, 'a>,
) -> Vec<Range<Number<'c, 'a>>> {
    let bounds: Vec<_> = extents.iter().map(|extent| (0, *extent)).collect();
    needed_bounds(*stage, &bounds, b)
}

/// What the arguments of a unit's body run over: what is needed of the coordinates, or all; a scan's line and a scatter's
/// variables whole.
pub fn needed_bounds<'c: 'a, 'a>(
    unit: Unit<'c, 'a>,
    bounds: &[(i64, Number<'c, 'a>)],
    b: &Builder<'c, 'a>,
) -> Vec<Range<Number<'c, 'a>>> {
    let mut domain = closed(bounds, &mut Emit(b));
    let needed = unit.needed().unwrap_or_default().into_iter().enumerate();
    for (range, (_, (lo, hi))) in domain.iter_mut().zip(needed).filter(|(_, (dimension, _))| !unit.is_whole(*dimension))
    {
        range.lo = lo.map_or(range.lo, Number::Known);
        range.hi = hi.map_or(range.hi, |hi| Number::Known(hi - 1));
    }
    domain
}

/// The range of an index, each coordinate `coordinates[d]` of the map being one of `domain`.
pub fn index_range<'c: 'a, 'a>(
    expr: &Expr,
    domain: &[Range<Number<'c, 'a>>],
    emit: &mut Emit<'_, 'c, 'a>,
) -> Range<Number<'c, 'a>> {
    range_of(expr, domain, emit)
}

/// The extent of dimension `t` of what a load reads, if it is known.
pub fn static_extent<'c: 'a, 'a>(load: Load<'c, 'a>, t: usize) -> Option<Number<'c, 'a>> {
    static_extents(load.source_type()).get(t).copied().flatten().map(Number::Known)
}

/// Whether dimension `t` of what a load reads is known to have this extent.
pub fn has_extent<'c: 'a, 'a>(load: Load<'c, 'a>, t: usize, extent: Number<'c, 'a>) -> bool {
    let image = shape_of(load.source());
    if let Some(source) = program::unit_of(image) {
        return source.extents().get(t).is_some_and(|own| same(Number::from(*own), extent));
    }
    match (static_extent(load, t), extent) {
        (Some(own), extent) => same(own, extent),
        (None, Number::Value(value)) => {
            let dim = ir::defining_op(value).and_then(dim_of).map(|(other, dimension)| (shape_of(other), dimension));
            dim == Some((image, t))
        }
        (None, Number::Known(_)) => false,
    }
}

/// Whether it is known that a load stays inside what it reads, whatever the extents are.
pub fn stays_inside<'c: 'a, 'a>(load: Load<'c, 'a>) -> bool {
    let (Some(unit), Ok(indices)) = (load.unit(), access::indices(load)) else { return false };
    let extents = numbers(unit.extents());
    let proved = bounds::stay_inside(load);
    let is_own =
        |t: usize| matches!(indices[t], Expr::Dim(d) if extents.get(d).is_some_and(|own| has_extent(load, t, *own)));
    (0..indices.len()).all(|t| proved.get(t) == Some(&true) || is_own(t))
}
