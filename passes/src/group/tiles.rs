//! How many tiles cover the live-outs of a group.

use crate::ir::{Builder, Emit, Number, same};
use weft_model::{Arith, Part, Range, TileStride};

/// The number of tiles along each dimension of the grid: enough for every live-out. `ends` are the extents of the stages.
pub fn count_tiles<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    model: &weft_model::Group,
    parts: &[Option<Part>],
    ends: &[Vec<Number<'c, 'a>>],
) -> Vec<Number<'c, 'a>> {
    let mut emit = Emit(b);
    let mut tiles: Vec<Option<Number>> = vec![None; model.grid_rank()];
    let mut seen: Vec<(usize, i64, Number)> = Vec::new();
    for ((stage, part), ends) in model.stages.iter().zip(parts).zip(ends) {
        let Some(part) = part.as_ref().filter(|_| stage.is_live_out) else { continue };
        for (stride, end) in part.strides.iter().zip(ends) {
            let is_seen =
                seen.iter().any(|(axis, step, e)| *axis == stride.axis && *step == stride.step && same(*e, *end));
            // Of a dimension along which tiles do not move there is one.
            if is_seen || stride.step == 0 {
                continue;
            }
            seen.push((stride.axis, stride.step, *end));
            let padded = emit.add(end, &Number::Known(stride.step - 1));
            let here = emit.floor_div(&padded, stride.step);
            let tiles = &mut tiles[stride.axis];
            *tiles = Some(tiles.map_or(here, |before| emit.max(&before, &here)));
        }
    }
    tiles.into_iter().map(|tiles| tiles.unwrap_or(Number::Known(1))).collect()
}

/// A condition for a tile to lie inside: `number * step + [lo, hi]` within `[first, end)`.
pub struct Inside<'c, 'a> {
    /// How the interval follows the tile's number.
    pub stride: TileStride,
    /// The interval, relative to the tile's first point.
    pub region: Range<i64>,
    /// The first point that is inside.
    pub first: i64,
    /// The first point behind it that is outside.
    pub end: Number<'c, 'a>,
}
