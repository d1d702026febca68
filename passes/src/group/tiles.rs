//! How many tiles cover the live-outs of a group.

use crate::ir::{Builder, Emit, Number, same};
use weft_model::{Arith, Part};

/// What tiles along each dimension of the grid have to cover: the step from one to the next, and the extent, of each live-out whose
/// tiles move along it, each pair once. `ends` are the extents of the stages.
pub fn tile_ends<'c: 'a, 'a>(
    model: &weft_model::Group,
    parts: &[Option<Part>],
    ends: &[Vec<Number<'c, 'a>>],
) -> Vec<Vec<(i64, Number<'c, 'a>)>> {
    let mut covered: Vec<Vec<(i64, Number)>> = vec![Vec::new(); model.grid_rank()];
    for ((stage, part), ends) in model.stages.iter().zip(parts).zip(ends) {
        let Some(part) = part.as_ref().filter(|_| stage.is_live_out) else { continue };
        // Of a dimension along which tiles do not move there is one.
        for (stride, end) in part.strides.iter().zip(ends).filter(|(stride, _)| stride.step != 0) {
            let along = &mut covered[stride.axis];
            if !along.iter().any(|(step, other)| *step == stride.step && same(*other, *end)) {
                along.push((stride.step, *end));
            }
        }
    }
    covered
}

/// The number of tiles along each dimension of the grid: enough for every live-out, at least one. `divide` says how many steps along
/// an axis an extent has.
pub fn count_tiles<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    model: &weft_model::Group,
    parts: &[Option<Part>],
    ends: &[Vec<Number<'c, 'a>>],
    divide: impl Fn(Number<'c, 'a>, usize, i64) -> Number<'c, 'a>,
) -> Vec<Number<'c, 'a>> {
    let ends = tile_ends(model, parts, ends).into_iter().enumerate();
    ends.map(|(axis, along)| {
        let counts = along.into_iter().map(|(step, end)| divide(end, axis, step));
        counts.reduce(|most, here| Emit(b).max(&most, &here)).unwrap_or(Number::Known(1))
    })
    .collect()
}
