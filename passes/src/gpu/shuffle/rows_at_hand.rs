//! The rows that are in registers where code goes, and the one among them that a read wants.
//!
//! ```text
//! row 7 of "blury" reads %blurx[%y + 1, %x] clamp, and the image may end within the tile
//!
//!     %clamp_y = min(%y7 + 1, %h - 1)     where the mode leads: row 7 or row 8
//!     %place = %clamp_y - %origin_y       as a row of the tile
//!     %is8 = %place == 8                  %v = select %is8, <register of row 8>, <register of row 7>      for each register of a row
//! ```
//!
//! A row that no mode leads elsewhere is taken as it is. Of rows outside the image no value is used.

use super::{
    coordinates::{Coordinates, is_inside},
    register_tile::{RegisterTile, TileRead, box_points},
    row_memory::Row,
};
use crate::{
    gpu::tiles::{along, resolve_index},
    ir::{Builder, Compare, Emit, Number},
};
use melior::ir::{Value, ValueLike};
use std::collections::HashMap;
use weft_dialects::pipeline::Boundary;
use weft_model::Arith;

/// Rows by their tile and place, for each result of the tile's compute.
#[derive(Default)]
pub struct RowsAtHand<'c, 'a>(HashMap<(usize, Vec<i64>), Vec<Row<'c, 'a>>>);

/// The row that a read wants.
#[derive(Clone)]
pub struct ChosenRow<'c, 'a> {
    pub registers: Row<'c, 'a>,
    /// Whether it is one of the image; `None` where it is, or where it need not be.
    pub inside: Option<Value<'c, 'a>>,
}

/// What a read wants along one dimension.
struct Wanted<'c, 'a> {
    /// The places that it may be.
    candidates: Vec<i64>,
    /// Which one, where there are several.
    place: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> RowsAtHand<'c, 'a> {
    pub fn contains(&self, tile: usize, row: &[i64]) -> bool {
        self.0.contains_key(&(tile, row.to_vec()))
    }

    pub fn insert(&mut self, tile: usize, row: &[i64], registers: Vec<Row<'c, 'a>>) {
        self.0.insert((tile, row.to_vec()), registers);
    }

    /// The registers of a row, for each result.
    pub fn row(&self, tile: usize, row: &[i64]) -> &[Row<'c, 'a>] {
        &self.0[&(tile, row.to_vec())]
    }

    /// The row of `producer` that a read wants from a row of `reader`; `None` if it is not at hand.
    pub fn read(
        &self,
        b: &Builder<'c, 'a>,
        coordinates: &Coordinates<'_, 'c, 'a>,
        (reader, row): (&RegisterTile<'c, 'a>, &[i64]),
        read: &TileRead<'c, 'a>,
        producer: &RegisterTile<'c, 'a>,
    ) -> Option<ChosenRow<'c, 'a>> {
        let windows: Vec<(i64, i64)> = (0..producer.rank() - 1)
            .map(|d| read.candidates(producer, d, row))
            .map(|window| (window.lo, window.hi + 1))
            .collect();
        let there: Vec<Vec<i64>> =
            box_points(&windows).into_iter().filter(|place| self.contains(producer.number, place)).collect();
        let mut inside = None;
        let mut wanted = Vec::new();
        for d in 0..windows.len() {
            let mut candidates: Vec<i64> = there.iter().map(|place| place[d]).collect();
            candidates.sort_unstable();
            candidates.dedup();
            let mut place = None;
            let is_constant = read.read.boundary() == Boundary::Constant;
            if !read.stays(d) && (is_constant || candidates.len() > 1) {
                let index = index_along(b, coordinates, (reader, row), read, d);
                let extent = producer.extents()[d];
                if is_constant {
                    let here = is_inside(b, index.value(b), extent, read.may_leave(d));
                    inside = b.named("inside").both(inside, here);
                }
                if candidates.len() > 1 {
                    let leads = resolve(b, index, extent, read, d);
                    place = Some(b.named("place").arith("subi", leads, coordinates.row(b, producer, d, 0).value(b)));
                }
            }
            wanted.push(Wanted { candidates, place });
        }
        let name = || coordinates.row_name(producer, &read.row(producer, row));
        let is_chosen = wanted.iter().any(|wanted| wanted.place.is_some());
        let b = if is_chosen { b.named(&format!("{}.{}", name(), read.read.boundary().keyword())) } else { *b };
        let registers = self.choose(&b, (producer, read.result), &wanted, &mut Vec::new())?;
        Some(ChosenRow { registers, inside })
    }

    /// Chooses among rows, one dimension after the other.
    fn choose(
        &self,
        b: &Builder<'c, 'a>,
        of: (&RegisterTile<'c, 'a>, usize),
        wanted: &[Wanted<'c, 'a>],
        row: &mut Vec<i64>,
    ) -> Option<Row<'c, 'a>> {
        let (tile, result) = of;
        let Some((first, rest)) = wanted.split_first() else {
            return self.0.get(&(tile.number, row.clone())).map(|rows| rows[result].clone());
        };
        let mut chosen: Option<Row> = None;
        for candidate in &first.candidates {
            row.push(*candidate);
            let here = self.choose(b, of, rest, row);
            row.pop();
            chosen = match (chosen, here, first.place) {
                (None, here, _) => here,
                (Some(before), Some(here), Some(place)) => {
                    let called = b.named(&format!("is{candidate}"));
                    let is_it = called.compare(Compare::Equal, place, b.index(*candidate));
                    let select = |(j, (here, before)): (i64, (&Value<'c, 'a>, Value<'c, 'a>))| match *here == before {
                        true => before,
                        false => {
                            let b = b.part(&format!("x{}", tile.column(j)));
                            b.select(is_it, *here, before, here.r#type())
                        }
                    };
                    Some((0..).zip(here.iter().zip(before)).map(select).collect())
                }
                (before, ..) => before,
            };
        }
        chosen
    }
}

/// The index of a read along `d`, before its boundary mode: of a function of rows.
fn index_along<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    coordinates: &Coordinates<'_, 'c, 'a>,
    (reader, row): (&RegisterTile<'c, 'a>, &[i64]),
    read: &TileRead<'c, 'a>,
    d: usize,
) -> Number<'c, 'a> {
    let index = &read.resolved.indices[d];
    let used = index.dims();
    let at = |(d, row): (usize, &i64)| match used.contains(&d) {
        true => coordinates.row_resolved(b, reader, d, *row),
        false => Number::Known(0),
    };
    let point: Vec<Number> = row.iter().enumerate().map(at).chain([Number::Known(0)]).collect();
    index.eval_in(&point, &mut Emit(&b.named(&along("at", read.resolved.indices.len(), d))))
}

/// Where an index of a read leads.
fn resolve<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    index: Number<'c, 'a>,
    extent: Number<'c, 'a>,
    read: &TileRead<'c, 'a>,
    d: usize,
) -> Value<'c, 'a> {
    match read.read.boundary() {
        Boundary::Clamp => {
            let (below, above) = read.may_leave(d);
            let b = &b.named(&along("clamp", read.resolved.indices.len(), d));
            let mut emit = Emit(b);
            let index = if below { emit.max(&index, &Number::Known(0)) } else { index };
            let last = Emit(&b.part("last")).add(&extent, &Number::Known(-1));
            if above { emit.min(&index, &last).value(b) } else { index.value(b) }
        }
        // What is outside is not read.
        Boundary::Constant => index.value(b),
        mode @ (Boundary::None | Boundary::Mirror | Boundary::Reflect101 | Boundary::Wrap) => {
            resolve_index(b, index.value(b), (extent, mode), (read.resolved.indices.len(), d)).index
        }
    }
}
