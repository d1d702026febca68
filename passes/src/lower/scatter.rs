//! How updates of a scatter are combined, and what they begin with, on every target.

use crate::ir::{Builder, Compare, Number};
use melior::ir::{ShapedTypeLike, Type, Value, ValueLike, operation::OperationLike};
use weft_dialects::pipeline::{Scatter, static_extents};

/// What a place becomes: what is there, joined with what comes.
pub fn combine<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scatter: Scatter<'c, 'a>,
    there: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    b.value(scatter.combine(), &[there, value], value.r#type(), &[])
}

/// A builder where the place is inside of its extents.
pub fn if_inside<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    place: &[Value<'c, 'a>],
    extents: &[Number<'c, 'a>],
) -> Builder<'c, 'a> {
    let mut inside = None;
    for (place, extent) in place.iter().zip(extents) {
        // What is negative is large without its sign.
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
    Some(match scatter.combine() {
        "arith.addf" if scatter.is_reassociable() && width(ty) >= 32 => 0,
        "arith.addi" => 1,
        "arith.andi" => 2,
        "arith.maxsi" => 6,
        "arith.maxui" => 7,
        "arith.minsi" => 10,
        "arith.minui" => 11,
        "arith.ori" => 14,
        "arith.xori" => 15,
        _ => return None,
    })
}

/// What changes no value that it is combined with, in a type.
pub fn identity<'c: 'a, 'a>(b: &Builder<'c, 'a>, scatter: Scatter<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
    let top = 1i128 << (width(ty) - 1);
    let text = match scatter.combine() {
        // -0.0 + 0.0 is 0.0.
        "arith.addf" => "-0.0".to_owned(),
        "arith.minsi" => (top - 1).to_string(),
        "arith.maxsi" => (-top).to_string(),
        "arith.minui" | "arith.andi" => "-1".to_owned(),
        _ => "0".to_owned(),
    };
    b.value("arith.constant", &[], ty, &[("value", b.parse_attribute(&format!("{text} : {ty}")))])
}

/// How many places there are at a point of the coordinates, if that is known.
pub fn places(scatter: Scatter) -> Option<i64> {
    let extents = static_extents(scatter.image_type(0));
    extents
        .into_iter()
        .skip(scatter.coordinate_count())
        .try_fold(1, |all: i64, extent| Some(all.saturating_mul(extent?)))
}
