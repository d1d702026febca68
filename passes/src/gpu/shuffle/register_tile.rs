//! Tiles in registers: which columns a lane has of one, and which rows and columns of others its body reads.
//!
//! ```text
//! columns of a row         0   1   2   3  ...  31  32  33 ...
//! #warp.cyclic<2>     lane 0   1   2   3  ...  31   0   1 ...        lane i has columns i and 32 + i
//! #warp.blocked<2>    lane 0   0   1   1  ...  15  16  16 ...        lane i has columns 2 i and 2 i + 1
//! #warp.hybrid<10>         in shared memory, then cyclic             lane i has columns 10 + i, 42 + i, ...
//! ```

use super::lanes::LANES;
use crate::{
    gpu::{
        outside::{extents, leaves, led_elsewhere},
        tiles::{ResolvedRead, resolve_read},
    },
    ir::{Key, Number, key},
};
use melior::ir::{BlockRef, Value, operation::OperationLike};
use mlir_glue::{Diagnostic, ir};
use std::collections::HashMap;
use weft_dialects::warp::{Compute, Layout, Read, Write};
use weft_model::{Form, Range, offset_along};

/// Points of a tile in each lane, at most: hundreds of times what registers hold.
pub const MOST_POINTS: i64 = 1 << 17;

/// A tile in registers, with the compute that fills it.
pub struct RegisterTile<'c, 'a> {
    /// Its number in its block.
    pub number: usize,
    pub compute: Compute<'c, 'a>,
    pub layout: Layout,
    /// Columns of a lane.
    pub columns: i64,
    /// The first column in registers, relative to the tile's first point.
    pub base: i64,
    /// The box that is computed, relative to the tile's first point.
    pub region: Vec<(i64, i64)>,
    pub writes: Vec<Write<'c, 'a>>,
    /// What its body reads, by the value that a read gives.
    reads: HashMap<Key, TileRead<'c, 'a>>,
}

/// A read of a tile in registers.
pub struct TileRead<'c, 'a> {
    pub read: Read<'c, 'a>,
    /// The number of the tile that is read.
    pub producer: usize,
    /// Which of the tiles of its compute that is.
    pub result: usize,
    pub resolved: ResolvedRead,
    /// The column that it reads, by the reader's, both relative to their tiles' first points.
    pub column: Form,
    along: Vec<Along>,
}

/// One index of a read.
struct Along {
    /// From the reader's row to the row that is read, both relative to their tiles' first points.
    offset: Option<i64>,
    /// How far it leads out of the image, below and above; `None` where that is not known.
    leaves: Option<(i64, i64)>,
}

impl<'c: 'a, 'a> RegisterTile<'c, 'a> {
    /// The tiles of a block, all of which are in registers, in part or whole.
    ///
    /// # Errors
    ///
    /// A tile in shared memory beside them, one that is too large to be written out, and a read that no shuffle can make.
    pub fn of_block(block: BlockRef<'c, 'a>, computes: &[Compute<'c, 'a>]) -> Result<Vec<Self>, Diagnostic<'c>> {
        let writes: Vec<Write> = ir::operations(block).filter_map(Write::of).collect();
        let mut tiles = Vec::new();
        for compute in computes {
            let Some(layout) = compute.layout() else { continue };
            let region = compute.region();
            let (lo, hi) = *region.last().expect("boxes have columns");
            let (columns, base) = match layout {
                Layout::Cyclic(columns) | Layout::Blocked(columns) => (columns, lo),
                Layout::Hybrid(shared) => ((hi - lo - shared) / LANES, lo + shared),
                Layout::Grid(..) => {
                    let message = format!("\"{}\" has another layout than what stands beside it", compute.name());
                    return Err(Diagnostic::on(compute.op(), message));
                }
                Layout::Shared | Layout::Lane => {
                    let message = format!(
                        "\"{}\" is shared beside tiles in registers, expected all in registers",
                        compute.name()
                    );
                    return Err(Diagnostic::on(compute.op(), message));
                }
            };
            let rows = region[..region.len() - 1].iter().map(|(lo, hi)| hi - lo);
            let points = rows.fold(columns, i64::saturating_mul);
            if points > MOST_POINTS {
                let message = format!(
                    "\"{}\" has {points} points in each lane, expected at most {MOST_POINTS}, which are all written out",
                    compute.name()
                );
                return Err(Diagnostic::on(compute.op(), message));
            }
            let reads = compute.reads().into_iter().map(|read| {
                let value: Value = read.op().result(0).expect("reads have a result").into();
                Ok((key(value), TileRead::of(*compute, read, computes)?))
            });
            let reads = reads.collect::<Result<_, _>>()?;
            let is_own = |write: &&Write<'c, 'a>| compute.op().results().any(|tile| Value::from(tile) == write.tile());
            let writes = writes.iter().filter(is_own).copied().collect();
            let number = tiles.len();
            tiles.push(Self { number, compute: *compute, layout, columns, base, region, writes, reads });
        }
        Ok(tiles)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.region.len()
    }

    /// What is known of a read in its body.
    pub fn read_of(&self, read: Read<'c, 'a>) -> &TileRead<'c, 'a> {
        let value: Value = read.op().result(0).expect("reads have a result").into();
        &self.reads[&key(value)]
    }

    /// What its body reads.
    pub fn reads(&self) -> impl Iterator<Item = &TileRead<'c, 'a>> {
        self.compute.reads().into_iter().map(|read| self.read_of(read))
    }

    /// How many columns further right the next lane is.
    pub fn stride(&self) -> i64 {
        match self.layout {
            Layout::Blocked(columns) => columns,
            _ => 1,
        }
    }

    /// The column in the `j`th register of lane 0, relative to the tile's first point.
    pub fn column(&self, j: i64) -> i64 {
        self.base + if let Layout::Blocked(_) = self.layout { j } else { LANES * j }
    }

    /// All places before rows and columns.
    pub fn planes(&self) -> Vec<Vec<i64>> {
        box_points(&self.region[..self.rank() - 2])
    }

    /// All rows that it has, plane by plane.
    pub fn rows(&self) -> Vec<Vec<i64>> {
        box_points(&self.region[..self.rank() - 1])
    }

    /// The extents of the image along each dimension, where the box may leave it.
    pub fn extents(&self) -> Vec<Number<'c, 'a>> {
        extents(self.compute)
    }
}

impl<'c: 'a, 'a> TileRead<'c, 'a> {
    fn of(reader: Compute<'c, 'a>, read: Read<'c, 'a>, computes: &[Compute<'c, 'a>]) -> Result<Self, Diagnostic<'c>> {
        let position = |of: &Compute<'c, 'a>| of.op().results().position(|tile| Value::from(tile) == read.tile());
        let producer = computes.iter().enumerate().find_map(|(number, of)| Some((number, position(of)?)));
        let Some((producer, result)) = producer else {
            return Err(Diagnostic::on(read.op(), "reads a tile of another block, expected one beside it"));
        };
        let of = computes[producer];
        let resolved = resolve_read(reader, of, read)?;
        if !resolved.is_plain() {
            let message = "reads a tile in registers at a place that is computed, expected a shared tile";
            return Err(Diagnostic::on(read.op(), message));
        }
        let x = reader.rank() - 1;
        let column = resolved.locals.last().and_then(Form::of).filter(|form| form.dim == x && form.is_shuffled());
        // Lanes that have neighbouring columns read samples of many lanes.
        let is_blocked = |compute: Compute| matches!(compute.layout(), Some(Layout::Blocked(_)));
        let column = column.filter(|form| form.offset().is_some() || !(is_blocked(reader) || is_blocked(of)));
        let Some(column) = column else {
            return Err(Diagnostic::on(read.op(), "reads at no fixed distance along x, expected a shared tile"));
        };
        let y = reader.rank().saturating_sub(2);
        let along = (0..of.rank())
            .map(|d| Along {
                offset: offset_along(&resolved.locals[d], y),
                leaves: leaves(reader, of, &resolved, read, d),
            })
            .collect();
        Ok(Self { read, producer, result, resolved, column, along })
    }

    /// Whether its index along `d` never leads out of the image, so that it needs no boundary mode.
    pub fn stays(&self, d: usize) -> bool {
        self.along[d].leaves == Some((0, 0))
    }

    /// Whether its index along `d` may lie before the image, and whether behind it.
    pub fn may_leave(&self, d: usize) -> (bool, bool) {
        self.along[d].leaves.map_or((true, true), |(below, above)| (below > 0, above > 0))
    }

    /// The row that is read along `d` by a reader's row, as far as no boundary mode leads elsewhere.
    pub fn place(&self, d: usize, row: &[i64]) -> i64 {
        self.resolved.locals[d].eval(&[row, &[0]].concat())
    }

    /// The row of `producer` that is read by a reader's row, as far as no boundary mode leads elsewhere.
    pub fn row(&self, producer: &RegisterTile<'c, 'a>, row: &[i64]) -> Vec<i64> {
        (0..producer.rank() - 1).map(|d| self.place(d, row)).collect()
    }

    /// The rows of `producer` along `d` that may be wanted by a reader whose place along y is `row`.
    pub fn window(&self, producer: &RegisterTile<'c, 'a>, d: usize, row: i64) -> Range<i64> {
        let Along { offset: Some(offset), leaves: Some(leaves) } = self.along[d] else {
            return Range::new(producer.region[d].0, producer.region[d].1 - 1);
        };
        let (down, up) = led_elsewhere(self.read.boundary(), leaves);
        Range::new(row + offset - down, row + offset + up)
    }

    /// The same for a reader at a row of its tile.
    pub fn candidates(&self, producer: &RegisterTile<'c, 'a>, d: usize, row: &[i64]) -> Range<i64> {
        match self.stays(d) {
            true => Range::new(self.place(d, row), self.place(d, row)),
            false => self.window(producer, d, row.last().copied().unwrap_or(0)),
        }
    }

    /// The rows that one row of the reader wants, of those that `producer` has.
    pub fn wanted(&self, producer: &RegisterTile<'c, 'a>, row: &[i64]) -> Vec<Vec<i64>> {
        let windows: Vec<(i64, i64)> = (0..producer.rank() - 1)
            .map(|d| {
                let window = self.candidates(producer, d, row);
                (window.lo.max(producer.region[d].0), window.hi.min(producer.region[d].1 - 1) + 1)
            })
            .collect();
        box_points(&windows)
    }
}

/// All points of a box, row by row.
pub fn box_points(region: &[(i64, i64)]) -> Vec<Vec<i64>> {
    region.iter().fold(vec![Vec::new()], |all, (lo, hi)| {
        all.iter().flat_map(|place| (*lo..*hi).map(|row| [place.clone(), vec![row]].concat())).collect()
    })
}
