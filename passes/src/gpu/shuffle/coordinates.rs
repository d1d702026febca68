//! Where a lane's points lie in the image: the one place that builds origins of tiles and coordinates of rows and columns.
//!
//! ```text
//!                          top      %origin_y = muli %tile_y, %c8    %origin_x = muli %tile_x, %c120
//! Coordinates::column      top      %lane_x = addi %origin_x, <muli %lane, %c4>   %x1 = addi %lane_x, %c1   the lane's second column
//! Coordinates::row         here     %y1 = addi %origin_y, %c1                   the tile's second row
//!    in a loop over rows   here     %row = addi %origin_y, %tick                %row1 = addi %row, %c1
//! *_inside                          %clamp_y, %clamp_x: the same moved into the image, which is what a body gets
//! ```
//!
//! Values of tiles are called after these coordinates: `%blurx.row1.x-4`.

use super::{
    lanes::Lanes,
    memo::Memo,
    register_tile::{RegisterTile, TileRead},
};
use crate::gpu::tiles::{along, clamp_coordinate, needed_along, origin};
use crate::ir::{Builder, Compare, Emit, Key, Number, key};
use melior::ir::Value;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};
use weft_dialects::warp::Compute;
use weft_model::{Arith, Expr, Form};

/// Coordinates of a tile's points, each made once.
pub struct Coordinates<'t, 'c, 'a> {
    lanes: &'t Lanes<'c, 'a>,
    /// Where the rows of a loop begin, relative to those of the tile.
    iteration: Cell<Option<Value<'c, 'a>>>,
    /// Starts of tiles, by their number and their step.
    starts: Memo<(Key, i64), Value<'c, 'a>>,
    /// Where a lane's columns begin, by the tile's start and the lanes' stride.
    strips: Memo<(Result<i64, Key>, i64), Value<'c, 'a>>,
    columns: Memo<(Key, i64), Value<'c, 'a>>,
    columns_inside: Memo<(usize, i64), Number<'c, 'a>>,
    columns_needed: Memo<(usize, i64), Option<Value<'c, 'a>>>,
    columns_in: Memo<Read, Option<Value<'c, 'a>>>,
    columns_read: Memo<(Key, Expr), Value<'c, 'a>>,
    /// Where the rows of a loop begin, by the tile's start.
    iterations: Memo<Result<i64, Key>, Number<'c, 'a>>,
    rows: Memo<(Key, i64), Value<'c, 'a>>,
    rows_inside: Memo<(usize, usize, i64), Number<'c, 'a>>,
    /// Coordinates as where their row or column begins, and how far behind that they are.
    sums: RefCell<HashMap<Key, Sum<'c, 'a>>>,
}

/// A column that a read wants.
#[derive(PartialEq, Eq, Hash)]
struct Read {
    tile: usize,
    j: i64,
    column: Form,
    extent: Result<i64, Key>,
}

/// A coordinate that is another one and a number.
#[derive(Clone, Copy)]
struct Sum<'c, 'a> {
    begin: Value<'c, 'a>,
    offset: i64,
    kind: Kind,
}

/// What a coordinate is one of.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Of a column, which are known everywhere.
    Column,
    /// Of a row of the tile.
    Row,
    /// Of a row, counted from the one where a loop's iteration is.
    RowOfLoop,
    /// Of what is around rows, the last of them first.
    Plane,
    Image,
}

impl Kind {
    /// What such coordinates are called, before the number that says how far they are from where they begin.
    fn name(self) -> &'static str {
        match self {
            Self::Column => "x",
            Self::Row => "y",
            Self::RowOfLoop => "row",
            Self::Plane => "plane",
            Self::Image => "image",
        }
    }
}

impl<'t, 'c: 'a, 'a> Coordinates<'t, 'c, 'a> {
    pub fn new(lanes: &'t Lanes<'c, 'a>) -> Self {
        Self {
            lanes,
            iteration: Cell::new(None),
            starts: Memo::default(),
            strips: Memo::default(),
            columns: Memo::default(),
            columns_inside: Memo::default(),
            columns_needed: Memo::default(),
            columns_in: Memo::default(),
            columns_read: Memo::default(),
            iterations: Memo::default(),
            rows: Memo::default(),
            rows_inside: Memo::default(),
            sums: RefCell::default(),
        }
    }

    /// Code goes into a loop over rows from here on; its iteration begins at this row of the tile.
    pub fn enter(&self, iteration: Value<'c, 'a>) {
        self.iteration.set(Some(iteration));
        self.iterations.clear();
        self.rows.clear();
        self.rows_inside.clear();
    }

    /// Where a loop's iteration begins, in a loop.
    pub fn iteration(&self) -> Option<Value<'c, 'a>> {
        self.iteration.get()
    }

    /// The tile's first point along `d`.
    pub fn start(&self, compute: Compute<'c, 'a>, d: usize) -> Number<'c, 'a> {
        let (at, step) = (compute.at()[d], compute.step()[d]);
        match step {
            0 => Number::Known(0),
            step => Number::Value(
                self.starts.or_make((key(at), step), || origin(&self.lanes.top, (at, step), (compute.rank(), d))),
            ),
        }
    }

    /// The coordinate of a row along `d`.
    pub fn row(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, d: usize, row: i64) -> Number<'c, 'a> {
        let start = self.start(tile.compute, d);
        let origin = match self.iteration.get().filter(|_| d + 2 == tile.rank()) {
            Some(iteration) => {
                let b = b.named(Kind::RowOfLoop.name());
                self.iterations.or_make(start.id(), || Emit(&b).add(&start, &Number::Value(iteration)))
            }
            None => start,
        };
        match origin {
            Number::Known(origin) => Number::Known(origin + row),
            Number::Value(begin) => {
                Number::Value(self.sum(b, Sum { begin, offset: row, kind: self.kind(tile.rank(), d) }))
            }
        }
    }

    /// What places along one of so many dimensions are.
    fn kind(&self, rank: usize, d: usize) -> Kind {
        match rank - d {
            1 => Kind::Column,
            2 if self.iteration.get().is_some() => Kind::RowOfLoop,
            2 => Kind::Row,
            3 => Kind::Plane,
            _ => Kind::Image,
        }
    }

    /// Where a row of a tile lies, in the names of its values: `.y-1`, or in a loop `.row1`, as the coordinate is called.
    pub fn place(&self, tile: &RegisterTile<'c, 'a>, row: &[i64]) -> String {
        row.iter().enumerate().map(|(d, row)| format!(".{}{row}", self.kind(tile.rank(), d).name())).collect()
    }

    /// What the values of a row of a tile are called: `blurx.row1`.
    pub fn row_name(&self, tile: &RegisterTile<'c, 'a>, row: &[i64]) -> String {
        format!("{}{}", tile.compute.name(), self.place(tile, row))
    }

    /// A coordinate that is made once.
    fn sum(&self, b: &Builder<'c, 'a>, sum: Sum<'c, 'a>) -> Value<'c, 'a> {
        let Sum { begin, offset, kind } = sum;
        let (b, made) = if kind == Kind::Column { (&self.lanes.top, &self.columns) } else { (b, &self.rows) };
        let value = made.or_make((key(begin), offset), || {
            let b = b.named(&format!("{}{offset}", kind.name()));
            Emit(&b).add(&Number::Value(begin), &Number::Known(offset)).value(&b)
        });
        self.sums.borrow_mut().insert(key(value), sum);
        value
    }

    /// `offset` behind a coordinate of a row or a column; `None` if it is neither.
    pub fn beside(&self, b: &Builder<'c, 'a>, coordinate: Value<'c, 'a>, offset: i64) -> Option<Value<'c, 'a>> {
        let sum = self.sums.borrow().get(&key(coordinate)).copied()?;
        Some(self.sum(b, Sum { offset: sum.offset + offset, ..sum }))
    }

    /// The coordinate that the body gets for a row along `d`.
    pub fn row_inside(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, d: usize, row: i64) -> Number<'c, 'a> {
        self.rows_inside.or_make((tile.number, d, row), || {
            let coordinate = self.row(b, tile, d, row);
            clamp_coordinate(b, tile.compute, d, coordinate)
        })
    }

    /// Whether a row along `d` is needed; `None` where the box stays inside.
    pub fn row_needed(
        &self,
        b: &Builder<'c, 'a>,
        tile: &RegisterTile<'c, 'a>,
        d: usize,
        row: i64,
    ) -> Option<Value<'c, 'a>> {
        let least = tile.region[d].0;
        is_needed(b, tile.compute, d, least, self.row(b, tile, d, row))
    }

    /// The coordinate of a row as far as it counts: rows outside of the image do only where the image is repeated.
    pub fn row_resolved(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, d: usize, row: i64) -> Number<'c, 'a> {
        match tile.compute.wrap().contains(&d) {
            true => self.row_inside(b, tile, d, row),
            false => self.row(b, tile, d, row),
        }
    }

    /// The coordinate of the lane's `j`th column.
    pub fn column(&self, tile: &RegisterTile<'c, 'a>, j: i64) -> Value<'c, 'a> {
        self.column_beside(tile, j, 0)
    }

    /// The coordinate `offset` right of the lane's `j`th column.
    pub fn column_beside(&self, tile: &RegisterTile<'c, 'a>, j: i64, offset: i64) -> Value<'c, 'a> {
        let b = &self.lanes.top;
        let start = self.start(tile.compute, tile.rank() - 1);
        let strip = self.strips.or_make((start.id(), tile.stride()), || {
            let own = Emit(&b.named("lane_offset")).mul(&Number::Value(self.lanes.number), tile.stride());
            Emit(&b.named("lane_x")).add(&start, &own).value(b)
        });
        self.sum(b, Sum { begin: strip, offset: tile.column(j) + offset, kind: Kind::Column })
    }

    /// The coordinate of the column that a read wants at the lane's `j`th one.
    pub fn column_read(&self, tile: &RegisterTile<'c, 'a>, j: i64, read: &TileRead<'c, 'a>) -> Value<'c, 'a> {
        match read.column.offset() {
            Some(offset) => self.column_beside(tile, j, offset),
            None => self.column_sampled(tile, self.column(tile, j), read),
        }
    }

    /// The coordinate that a read wants at a column, by its index.
    fn column_sampled(
        &self,
        tile: &RegisterTile<'c, 'a>,
        column: Value<'c, 'a>,
        read: &TileRead<'c, 'a>,
    ) -> Value<'c, 'a> {
        let Some(index) = read.resolved.indices.last() else { return column };
        self.columns_read.or_make((key(column), index.clone()), || {
            let mut point = vec![Number::Known(0); tile.rank()];
            point[tile.rank() - 1] = Number::Value(column);
            let b = &self.lanes.top.named("sample_x");
            index.eval_in(&point, &mut Emit(b)).value(b)
        })
    }

    /// Whether the column that a read wants at the lane's `j`th one is in the image of `extent`, which it `may_leave` to the left,
    /// and to the right; `None` where it always is.
    pub fn column_in(
        &self,
        tile: &RegisterTile<'c, 'a>,
        (j, read): (i64, &TileRead<'c, 'a>),
        extent: Number<'c, 'a>,
        may_leave: (bool, bool),
    ) -> Option<Value<'c, 'a>> {
        self.columns_in.or_make(Read { tile: tile.number, j, column: read.column, extent: extent.id() }, || {
            let b = &self.lanes.top;
            let column = match (tile.compute.wrap().contains(&(tile.rank() - 1)), read.column.offset()) {
                (true, Some(offset)) => {
                    let b = &b.named("wrap_x");
                    Emit(b).add(&self.column_inside(tile, j), &Number::Known(offset)).value(b)
                }
                (true, None) => self.column_sampled(tile, self.column_inside(tile, j).value(b), read),
                (false, _) => self.column_read(tile, j, read),
            };
            is_inside(b, column, extent, may_leave)
        })
    }

    /// The coordinate that the body gets for the lane's `j`th column.
    pub fn column_inside(&self, tile: &RegisterTile<'c, 'a>, j: i64) -> Number<'c, 'a> {
        self.columns_inside.or_make((tile.number, j), || {
            let column = Number::Value(self.column(tile, j));
            clamp_coordinate(&self.lanes.top, tile.compute, tile.rank() - 1, column)
        })
    }

    /// Whether the lane's `j`th column is needed; `None` where the box stays inside.
    pub fn column_needed(&self, tile: &RegisterTile<'c, 'a>, j: i64) -> Option<Value<'c, 'a>> {
        self.columns_needed.or_make((tile.number, j), || {
            let d = tile.rank() - 1;
            let column = Number::Value(self.column(tile, j));
            is_needed(&self.lanes.top, tile.compute, d, tile.region[d].0, column)
        })
    }
}

/// Whether a coordinate that is written is one that is needed; it is at least 0, and at least `least`, as tiles begin at 0.
fn is_needed<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    compute: Compute<'c, 'a>,
    d: usize,
    least: i64,
    coordinate: Number<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let (first, end) = needed_along(compute, d)?;
    let b = &b.named(&along("needed", compute.rank(), d));
    let below = b.compare(Compare::Less, coordinate.value(b), end.value(b));
    Some(match first {
        first if first <= least.max(0) => below,
        first => b.logic("andi", below, b.compare(Compare::GreaterEqual, coordinate.value(b), b.index(first))),
    })
}

/// Whether an index lies in `[0, extent)`, which it `may_leave` below, and above; `None` where it always does.
pub fn is_inside<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    extent: Number<'c, 'a>,
    (below, above): (bool, bool),
) -> Option<Value<'c, 'a>> {
    let b = b.named("inside");
    let below = below.then(|| b.compare(Compare::GreaterEqual, index, b.index(0)));
    let above = above.then(|| b.compare(Compare::Less, index, extent.value(&b)));
    b.both(below, above)
}
