//! Rows whose columns outside the image are those that a boundary mode leads to.
//!
//! ```text
//! a row of %a0, %a1, clamped at the right edge        top     %clamp_x = min(max(%x, 0), %w - 1)           where the mode leads
//! column 31  column 32 | column 33                             %place = %clamp_x - %first_x                 as a place in the row
//!   %a0        %a1     |   -> 32                               %from_lane = %place mod 32     %is1 = %place / 32 == 1
//!                                                      here    %p1 = select %is1, <shuffle %a1 from there>, <shuffle %a0 from there>
//! ```
//!
//! Each lane fetches, for each of its columns, the column that the mode leads to, once for a row; reads of the row then go as if
//! there were no edge.

use super::{
    coordinates::Coordinates,
    exchange::{Exchange, Origin},
    lanes::{LANES, Lanes, to_word},
    memo::Memo,
    register_tile::RegisterTile,
};
use crate::{
    gpu::tiles::resolve_index,
    ir::{Builder, Compare, Emit, Key, Number, key},
};
use melior::ir::{Value, ValueLike};
use std::rc::Rc;
use weft_dialects::{pipeline::Boundary, warp::Layout};
use weft_model::Arith;

/// Rows with what is outside.
pub struct Padding<'t, 'c, 'a> {
    lanes: &'t Lanes<'c, 'a>,
    coordinates: &'t Coordinates<'t, 'c, 'a>,
    /// Where each column of a lane comes from, by the tile.
    sources: Memo<(usize, Boundary), Rc<[Source<'c, 'a>]>>,
    /// Padded rows that are known where code goes. A stage may yield what it reads: then two tiles, of different extents, have
    /// their rows in the same registers.
    rows: Memo<(usize, Key, Boundary), Vec<Value<'c, 'a>>>,
}

/// Where a column comes from.
struct Source<'c, 'a> {
    /// The lane that has it, an i32.
    lane: Value<'c, 'a>,
    /// Whether it is in that lane's second register, its third, and so on.
    is_in: Vec<Value<'c, 'a>>,
}

impl<'t, 'c: 'a, 'a> Padding<'t, 'c, 'a> {
    pub fn new(lanes: &'t Lanes<'c, 'a>, coordinates: &'t Coordinates<'t, 'c, 'a>) -> Self {
        Self { lanes, coordinates, sources: Memo::default(), rows: Memo::default() }
    }

    /// Code goes into a loop from here on.
    pub fn enter(&self) {
        self.rows.clear();
    }

    /// A row of `tile`, which is called so, with what `boundary` has outside.
    pub fn row(
        &self,
        b: &Builder<'c, 'a>,
        exchange: &Exchange<'t, 'c, 'a>,
        tile: &RegisterTile<'c, 'a>,
        (name, row): (&str, &[Value<'c, 'a>]),
        boundary: Boundary,
    ) -> Vec<Value<'c, 'a>> {
        self.rows.or_make((tile.number, key(row[0]), boundary), || {
            let sources = self.sources.or_make((tile.number, boundary), || self.sources(tile, boundary));
            let bring = |(j, source): (i64, &Source<'c, 'a>)| {
                let b = &b.named(&format!("{name}.{}.x{}", boundary.keyword(), tile.column(j)));
                let first = exchange.shuffle(b, row[0], Origin::Lane(source.lane));
                row[1..].iter().zip(&source.is_in).fold(first, |before, (register, is_in)| {
                    let moved = exchange.shuffle(b, *register, Origin::Lane(source.lane));
                    b.select(*is_in, moved, before, before.r#type())
                })
            };
            (0..).zip(sources.iter()).map(bring).collect()
        })
    }

    /// Where the mode leads to from each of a lane's columns. Places that are not in the row are not used.
    fn sources(&self, tile: &RegisterTile<'c, 'a>, boundary: Boundary) -> Rc<[Source<'c, 'a>]> {
        let b = &self.lanes.top;
        let d = tile.rank() - 1;
        let start = self.coordinates.start(tile.compute, d);
        let first = Emit(&b.named("first_x")).add(&start, &Number::Known(tile.base)).value(b);
        let source = |j| {
            let column = self.coordinates.column(tile, j);
            let resolved = resolve_index(b, column, (tile.extents()[d], boundary), (tile.rank(), d));
            let b = &b.named("place");
            let mut emit = Emit(b);
            let place = Number::Value(b.arith("subi", resolved.index, first));
            let above = emit.max(&place, &Number::Known(0));
            let place = emit.min(&above, &Number::Known(LANES * tile.columns - 1)).value(b);
            let from = b.named("from_lane");
            let (lane, register, count) = match tile.layout {
                Layout::Blocked(columns) => ("divui", "remui", columns),
                _ => ("remui", "divui", LANES),
            };
            if tile.columns == 1 {
                return Source { lane: to_word(&from, place), is_in: Vec::new() };
            }
            let lane = to_word(&from, from.arith(lane, place, b.index(count)));
            let register = b.named("register").arith(register, place, b.index(count));
            let is = |other| b.named(&format!("is{other}")).compare(Compare::Equal, register, b.index(other));
            let is_in = (1..tile.columns).map(is).collect();
            Source { lane, is_in }
        };
        (0..tile.columns).map(source).collect()
    }
}
