//! How updates of a scatter are combined, and what they begin with, on every target.

use crate::{
    analysis::combine_of,
    ir::{Builder, Compare, Number},
};
use melior::ir::{ShapedTypeLike, Type, Value, ValueLike, operation::OperationLike};
use weft_dialects::pipeline::{Combine, Scatter, static_extents};

/// What a place becomes: what is there, joined with what comes.
pub fn combine<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scatter: Scatter<'c, 'a>,
    there: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    b.value(combine_of(scatter).name(), &[there, value], value.r#type(), &[])
}

/// A builder that stands where the place is inside its extents.
pub fn if_inside<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    place: &[Value<'c, 'a>],
    extents: &[Number<'c, 'a>],
) -> Builder<'c, 'a> {
    let mut inside = None;
    for (place, extent) in place.iter().zip(extents) {
        // Compared without its sign, a negative number is large.
        let is_in = b.compare(Compare::Below, *place, extent.value(b));
        inside = Some(inside.map_or(is_in, |before| b.logic("andi", before, is_in)));
    }
    inside.map_or(*b, |inside| b.if_then(inside))
}

/// Whether the order of its updates cannot show, or need not.
pub fn is_in_any_order(scatter: Scatter) -> bool {
    elements(scatter).into_iter().all(|ty| kind(scatter, ty).is_some())
}

/// The types of the places of each result.
pub fn elements<'c>(scatter: Scatter<'c, '_>) -> Vec<Type<'c>> {
    (0..scatter.op().result_count()).map(|result| scatter.image_type(result).element()).collect()
}

/// Bits of a number.
pub fn width(ty: Type) -> i64 {
    ty.to_string().trim_start_matches(['i', 'f']).parse().unwrap_or(32)
}

/// The number of `memref.atomic_rmw`'s kind for a scatter whose order cannot show, in this type; `None` where there is no such
/// atomic, or the order shows.
pub fn kind(scatter: Scatter, ty: Type) -> Option<i64> {
    Some(match combine_of(scatter) {
        Combine::Addf if scatter.is_reassociable() && width(ty) >= 32 => 0,
        Combine::Addi => 1,
        Combine::Andi => 2,
        Combine::Maxsi => 6,
        Combine::Maxui => 7,
        Combine::Minsi => 10,
        Combine::Minui => 11,
        Combine::Ori => 14,
        Combine::Xori => 15,
        _ => return None,
    })
}

/// How many places there are at a point of the coordinates, if that is known.
pub fn places(scatter: Scatter) -> Option<i64> {
    let extents = static_extents(scatter.image_type(0));
    extents
        .into_iter()
        .skip(scatter.coordinate_count())
        .try_fold(1, |all: i64, extent| Some(all.saturating_mul(extent?)))
}
