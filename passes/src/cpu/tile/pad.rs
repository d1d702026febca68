//! Rows of windows go on beyond the edges of their image, so that who reads them needs no borders.
//!
//! ```text
//! "tall" in a window, 1920 columns     row of the window:   e e e │ e . . . . . . . f │ f f f
//! "disc" reads columns x - 3 .. x + 3, clamp                        0             1919
//!
//! <rows of "tall">                     <rows of "tall">
//! <"disc": left border, interior,  ──▶ for each of them: what lies outside, from the row's points at its ends
//!          right border>               <"disc": all columns, none of which is brought inside>
//! ```
//!
//! The box of a stage has room for what its consumers read outside, for tiles at the edges as for others. What is there is written once
//! for a row, a point or some dozens; the border of a consumer is a second copy of its code, with masks, for each of its loads.
//!
//! Only along columns: of rows, the index is brought inside once for a whole row. And only where all consumers want the same
//! padding: repeated or reflected edges, or one value. Where a reflection leads from a column that is read, the box has room for, too.

use super::{
    edges::{both_sides, leaves_columns},
    tiled::{PlacedPart, Tiled, Window},
};
use crate::{
    analysis::boundary,
    ir::{Builder, Compare, Emit, Number},
};
use melior::ir::{ShapedTypeLike, Value};
use weft_model::{Access, Arith, Boundary as Mode, Source};

impl<'c: 'a, 'a> Tiled<'_, 'c, 'a> {
    /// Whether an access finds in its window what lies outside along a dimension.
    pub(super) fn is_padded(&self, access: &Access, dimension: usize) -> bool {
        let Source::Stage(producer, result) = access.source else { return false };
        self.pads[producer][result].is_some() && dimension + 1 == access.indices.len() && leaves_columns(access)
    }

    /// Writes what lies outside of rows that have been computed.
    pub(super) fn pad(
        &self,
        b: &Builder<'c, 'a>,
        number: usize,
        region: &[(Number<'c, 'a>, Number<'c, 'a>)],
        placed: PlacedPart<'_, 'c, 'a>,
        window: &Window<'c, 'a>,
    ) {
        let Some((columns, rows)) = region.split_last() else { return };
        let d = rows.len();
        let extent = self.members.stages[number].extents[d];
        let stage = self.members.stages[number].stage;
        for (result, memory) in window.memory.iter().enumerate() {
            let Some(pad) = &self.pads[number][result] else { continue };
            let mut emit = Emit(b);
            let end = emit.add(&placed.base[d], &Number::Known(placed.part.region[d].len()));
            let first = emit.max(&placed.base[d], &Number::Known(-pad.reach.0));
            let last = emit.add(&extent, &Number::Known(pad.reach.1));
            let last = emit.min(&end, &last);
            // A tile of which no column lies in the image has no edge to repeat.
            let is_some = b.compare(Compare::Less, columns.0.value(b), columns.1.value(b));
            let (zero, extent_value) = (b.index(0), extent.value(b));
            let left = b.select(is_some, first.value(b), zero, b.index_type());
            let right = b.select(is_some, last.value(b), extent_value, b.index_type());
            let mut inner = *b;
            let mut at = Vec::new();
            for (from, to) in rows {
                let (next, index) = inner.for_loop(from.value(&inner), to.value(&inner));
                at.push(index);
                inner = next;
            }
            let (sides, (from, to)) = both_sides(&inner, [left, zero, extent_value, right]);
            let (point, x) = sides.for_loop(from, to);
            let from = || {
                let there =
                    boundary::resolve_near(x, extent, boundary::dialect_boundary(pad.mode), pad.reach, &point).index;
                match pad.mode {
                    Mode::Clamp => there,
                    // Columns that nobody reads may be reflections of some that the tile does not have.
                    _ => {
                        let (first, end) = (columns.0.value(&point), columns.1.value(&point));
                        let last = point.arith("subi", end, point.index(1));
                        point.arith("minsi", point.arith("maxsi", there, first), last)
                    }
                }
            };
            let indices_at = |x: Value<'c, 'a>| window.indices(&point, &[&at[..], &[x]].concat(), placed);
            let element = stage.image_type(result).element();
            let value = pad.value.unwrap_or_else(|| point.load(*memory, &indices_at(from()), element));
            point.store(value, *memory, &indices_at(x));
        }
    }
}
