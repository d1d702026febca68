//! Tiles in registers of lanes that lie in rows and columns (`#warp.grid`): `laneId.y` and `laneId.x` of Algorithm 1 and Figure 7 of the
//! PolyMage-GPU paper. What a lane wants of another row is a shuffle, too.
//!
//! ```text
//! 2 x 16 lanes, a box of 4 x 32 points: lane (v, u) has rows v, 2 + v and columns u, 16 + u           %a.y0.x0  %a.y0.x16
//!                                                                                                     %a.y2.x0  %a.y2.x16
//! read %a[%y + 1, %x] at %y.y0.x0
//!     lanes of row 0    want %a.y0.x0 of row 1       what has the value chooses:  %r = select %lane.y >= 1, %a.y0.x0, %a.y2.x0
//!     lanes of row 1    want %a.y2.x0 of row 0  ──▶                               gpu.shuffle idx %r, <lane (v + 1) mod 2, u>
//! ```
//!
//! Along both dimensions at once there are four registers to choose from, by two choices and one more, and still one shuffle. Only tiles
//! inside have this layout, so there are no boundary modes. Lanes beyond a box repeat its last point, and nobody asks them.

use super::{
    exchange::{Exchange, Origin},
    lanes::{Lanes, to_word},
    memo::Memo,
    register_tile::MOST_POINTS,
};
use crate::gpu::tiles::{along, copy_name, origin, resolve_read, uses_coordinate};
use crate::ir::{Builder, Compare, Emit, Key, Number, key};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::{BTreeMap, HashMap};
use weft_dialects::{
    pipeline::Boundary,
    warp::{Compute, Read, Write},
};
use weft_model::{Arith, Expr, offset_along};

/// A register of a lane, of a tile: its plane, and how many rows and columns of lanes lie before it.
type Register = (usize, Vec<i64>, i64, i64);

/// A read of another tile.
struct GridRead<'c, 'a> {
    op: OperationRef<'c, 'a>,
    producer: usize,
    result: usize,
    /// The plane of the producer, by the reader's.
    plane: Vec<Expr>,
    /// How many rows and columns further the point lies, each counted from where its box begins.
    delta: [i64; 2],
}

/// A tile.
struct GridTile<'c, 'a> {
    compute: Compute<'c, 'a>,
    region: Vec<(i64, i64)>,
    reads: Vec<GridRead<'c, 'a>>,
    writes: Vec<(usize, Write<'c, 'a>)>,
}

impl<'c: 'a, 'a> GridTile<'c, 'a> {
    fn of(
        compute: Compute<'c, 'a>,
        computes: &[Compute<'c, 'a>],
        block: BlockRef<'c, 'a>,
    ) -> Result<Self, Diagnostic<'c>> {
        if compute.extents().is_some() {
            let message = format!(
                "\"{}\" may lie at an edge, expected a tile inside in lanes of rows and columns",
                compute.name()
            );
            return Err(Diagnostic::on(compute.op(), message));
        }
        let region = compute.region();
        let place = |tile: Value<'c, 'a>| {
            let producer =
                computes.iter().position(|other| other.op().results().any(|own| Value::from(own) == tile))?;
            let result = computes[producer].op().results().position(|own| Value::from(own) == tile)?;
            Some((producer, result))
        };
        let y = compute.rank().saturating_sub(2);
        let mut reads = Vec::new();
        for read in compute.reads() {
            let fail =
                |what: &str| Diagnostic::on(read.op(), format!("reads a tile in lanes of rows and columns {what}"));
            let (producer, result) = place(read.tile()).ok_or_else(|| fail("that is not beside it"))?;
            let of = computes[producer];
            let resolved = resolve_read(compute, of, read)?;
            let mut plane = resolved.locals;
            let behind = plane.split_off(plane.len().saturating_sub(2));
            let deltas = behind.iter().enumerate().map(|(d, local)| {
                let from = of.region()[of.rank() - 2 + d].0;
                offset_along(local, y + d).map(|offset| region[y + d].0 + offset - from)
            });
            match deltas.collect::<Option<Vec<i64>>>().as_deref() {
                Some(&[down, right]) if resolved.values.is_empty() && read.boundary() == Boundary::None => {
                    reads.push(GridRead { op: read.op(), producer, result, plane, delta: [down, right] });
                }
                _ => return Err(fail("at another place than a fixed distance away, expected a shared tile")),
            }
        }
        let own = |write: &Write<'c, 'a>| compute.op().results().position(|tile| Value::from(tile) == write.tile());
        let writes = ir::operations(block).filter_map(Write::of).filter_map(|write| Some((own(&write)?, write)));
        Ok(Self { compute, region, reads, writes: writes.collect() })
    }

    /// The dimensions before rows and columns.
    fn outer(&self) -> usize {
        self.region.len() - 2
    }

    fn extent(&self, d: usize) -> i64 {
        self.region[d].1 - self.region[d].0
    }

    /// The planes of the box, by their coordinates behind where the tile begins.
    fn planes(&self) -> Vec<Vec<i64>> {
        self.region[..self.outer()].iter().fold(vec![Vec::new()], |all, (lo, hi)| {
            all.into_iter().flat_map(|plane| (*lo..*hi).map(move |at| [plane.clone(), vec![at]].concat())).collect()
        })
    }
}

/// A block whose tiles lie in lanes of rows and columns, while it is unrolled.
pub struct LaneGrid<'t, 'c, 'a> {
    lanes: &'t Lanes<'c, 'a>,
    exchange: Exchange<'t, 'c, 'a>,
    /// Rows and columns of lanes, and the lane's own.
    size: [i64; 2],
    at: [Value<'c, 'a>; 2],
    tiles: Vec<GridTile<'c, 'a>>,
    registers: HashMap<Register, Vec<Value<'c, 'a>>>,
    /// Coordinates by the compute, the dimension, and the row or column of lanes, or the plane.
    coordinates: Memo<(Key, usize, i64), Value<'c, 'a>>,
    /// Where tiles begin, by their number and their step.
    origins: Memo<(Key, i64), Value<'c, 'a>>,
    /// Where a lane's row or column lies, by where the tile begins.
    lanes_at: Memo<(Result<i64, Key>, usize), Value<'c, 'a>>,
    /// Whether the lane's row or column is that number or one behind it, or one before it.
    comparisons: Memo<(usize, bool, i64), Value<'c, 'a>>,
    chosen: Memo<(Key, Key, usize, i64), Value<'c, 'a>>,
    sources: Memo<[i64; 2], Value<'c, 'a>>,
}

impl<'t, 'c: 'a, 'a> LaneGrid<'t, 'c, 'a> {
    /// # Errors
    ///
    /// A read at another place than a fixed distance away.
    pub fn new(
        lanes: &'t Lanes<'c, 'a>,
        (rows, columns): (i64, i64),
        computes: &[Compute<'c, 'a>],
        block: BlockRef<'c, 'a>,
    ) -> Result<Self, Diagnostic<'c>> {
        let b = &lanes.top;
        let row = b.named("lane.y").arith("divui", lanes.number, b.index(columns));
        let column = b.named("lane.x").arith("remui", lanes.number, b.index(columns));
        let tiles = computes.iter().map(|compute| GridTile::of(*compute, computes, block));
        let grid = Self {
            lanes,
            exchange: Exchange::new(lanes),
            size: [rows, columns],
            at: [row, column],
            tiles: tiles.collect::<Result<_, _>>()?,
            registers: HashMap::new(),
            coordinates: Memo::default(),
            origins: Memo::default(),
            lanes_at: Memo::default(),
            comparisons: Memo::default(),
            chosen: Memo::default(),
            sources: Memo::default(),
        };
        for tile in &grid.tiles {
            let planes = tile.region[..tile.outer()].iter().map(|(lo, hi)| hi - lo);
            let points = planes.fold(grid.count(tile, 0).saturating_mul(grid.count(tile, 1)), i64::saturating_mul);
            if points > MOST_POINTS {
                let message = format!(
                    "\"{}\" has {points} points in each lane, expected at most {MOST_POINTS}, which are all written out",
                    tile.compute.name()
                );
                return Err(Diagnostic::on(tile.compute.op(), message));
            }
        }
        Ok(grid)
    }

    /// Shuffles made, reads of a lane's own registers, and registers.
    pub fn counts(&self) -> [usize; 3] {
        [self.exchange.shuffles(), self.exchange.own(), self.registers.values().map(Vec::len).sum()]
    }

    /// Computes all that is written, row by row: each row after those that it reads, so that few are alive together.
    ///
    /// # Errors
    ///
    /// A body without an end.
    pub fn unroll(&mut self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let mut rows: BTreeMap<i64, Vec<(usize, Vec<i64>)>> = BTreeMap::new();
        for (number, tile) in self.tiles.iter().enumerate().filter(|(_, tile)| !tile.writes.is_empty()) {
            for row in 0..self.count(tile, 0) {
                rows.entry(row).or_default().extend(tile.planes().into_iter().map(|plane| (number, plane)));
            }
        }
        for (row, all) in rows {
            for (number, plane) in all {
                self.demand(b, number, &plane, row)?;
            }
        }
        Ok(())
    }

    /// Erases the computes and writes, readers before what they read.
    pub fn erase(self) {
        for tile in self.tiles.iter().rev() {
            tile.writes.iter().for_each(|(_, write)| ir::erase(write.op()));
            ir::erase(tile.compute.op());
        }
    }

    /// How many rows (0) or columns (1) of lanes it takes to hold a box.
    fn count(&self, tile: &GridTile<'c, 'a>, along: usize) -> i64 {
        (tile.extent(tile.outer() + along) + self.size[along] - 1) / self.size[along]
    }

    /// A row of registers, after the rows that it reads.
    fn demand(&mut self, b: &Builder<'c, 'a>, number: usize, plane: &[i64], row: i64) -> Result<(), Failure<'c>> {
        if self.registers.contains_key(&(number, plane.to_vec(), row, 0)) {
            return Ok(());
        }
        let tile = &self.tiles[number];
        let mut wanted = Vec::new();
        for read in &tile.reads {
            let of: Vec<i64> = read.plane.iter().map(|index| index.eval(plane)).collect();
            let first = row + read.delta[0].div_euclid(self.size[0]);
            let last = first + i64::from(read.delta[0].rem_euclid(self.size[0]) > 0);
            let most = self.count(&self.tiles[read.producer], 0) - 1;
            wanted.extend((first..=last).map(|row| (read.producer, of.clone(), row.clamp(0, most))));
        }
        for (producer, plane, row) in wanted {
            self.demand(b, producer, &plane, row)?;
        }
        for column in 0..self.count(&self.tiles[number], 1) {
            let values = self.compute(b, (number, plane, row, column))?;
            self.registers.insert((number, plane.to_vec(), row, column), values);
        }
        Ok(())
    }

    /// The body for a register of each lane, and the stores of what is written of it.
    fn compute(
        &self,
        b: &Builder<'c, 'a>,
        (number, plane, row, column): (usize, &[i64], i64, i64),
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let tile = &self.tiles[number];
        let compute = tile.compute;
        let (body, outer) = (compute.body(), tile.outer());
        let b = b.located(compute.op().location());
        let first = [row * self.size[0] + tile.region[outer].0, column * self.size[1] + tile.region[outer + 1].0];
        let place =
            format!("{}.y{}.x{}", plane.iter().map(|at| format!(".c{at}")).collect::<String>(), first[0], first[1]);
        let mut values: HashMap<Key, Value> = HashMap::new();
        for (d, at) in plane.iter().copied().chain([row, column]).enumerate() {
            if uses_coordinate(compute, d)
                && let Ok(argument) = body.argument(d)
            {
                values.insert(key(argument.into()), self.coordinate(tile, d, at));
            }
        }
        // All lanes shuffle, also for what stands in a branch.
        let mut read: HashMap<Key, Value> = HashMap::new();
        for of in &tile.reads {
            let result = key(of.op.result(0).expect("a read has a result").into());
            read.insert(
                result,
                self.fetch(
                    &b.named(&format!("{}{place}", self.tiles[of.producer].compute.name())),
                    of,
                    (plane, row, column),
                ),
            );
        }
        values.extend(read.iter().map(|(key, value)| (*key, *value)));
        let end = compute.terminator().ok_or_else(|| Diagnostic::on(compute.op(), "has no warp.yield"))?;
        for op in ir::operations(body).filter(|op| *op != end && Read::of(*op).is_none()) {
            let made = b.named(&copy_name(op, compute.name(), &place)).clone_mapped(op, &mut values);
            let nested = ir::walk(op).into_iter().zip(ir::walk(made)).filter(|(op, _)| Read::of(*op).is_some());
            for (op, copy) in nested.collect::<Vec<_>>() {
                let result = |op: OperationRef<'c, 'a>| Value::from(op.result(0).expect("a read has a result"));
                ir::replace_all_uses(result(copy), read[&key(result(op))]);
                ir::erase(copy);
            }
        }
        let results: Vec<Value> =
            end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect();
        for (result, write) in &tile.writes {
            self.store(&b, tile, *write, (plane, row, column), results[*result]);
        }
        Ok(results)
    }

    /// The coordinate of a register along a dimension: of the lane's row or column in a box, or of a plane.
    fn coordinate(&self, tile: &GridTile<'c, 'a>, d: usize, at: i64) -> Value<'c, 'a> {
        let compute = tile.compute;
        self.coordinates.or_make((key(compute.op().result(0).expect("a compute has a tile").into()), d, at), || {
            let b = &self.lanes.top;
            let (rank, lo) = (compute.rank(), tile.region[d].0);
            let (tile_at, step) = (compute.at()[d], compute.step()[d]);
            let begins = || origin(b, (tile_at, step), (rank, d));
            let start = match step {
                0 => Number::Known(0),
                _ => Number::Value(self.origins.or_make((key(tile_at), step), begins)),
            };
            let b = b.named(&along("lane", rank, d));
            let Some(way) = d.checked_sub(tile.outer()) else {
                return Emit(&b).add(&start, &Number::Known(at)).value(&b);
            };
            let (lane, first) = (Number::Value(self.at[way]), at * self.size[way]);
            if first + self.size[way] > tile.extent(d) {
                let place = Emit(&b).add(&lane, &Number::Known(first));
                let inside = Emit(&b).min(&place, &Number::Known(tile.extent(d) - 1));
                let from = Emit(&b).add(&start, &Number::Known(lo));
                return Emit(&b).add(&from, &inside).value(&b);
            }
            // A number behind what is the same for all rows, or columns: a part of an address.
            let same = self.lanes_at.or_make((start.id(), way), || Emit(&b).add(&start, &lane).value(&b));
            Emit(&b).add(&Number::Value(same), &Number::Known(lo + first)).value(&b)
        })
    }

    /// What a register of each lane reads of another tile: of its own registers, or one shuffle.
    fn fetch(
        &self,
        b: &Builder<'c, 'a>,
        read: &GridRead<'c, 'a>,
        (plane, row, column): (&[i64], i64, i64),
    ) -> Value<'c, 'a> {
        let producer = &self.tiles[read.producer];
        let of: Vec<i64> = read.plane.iter().map(|index| index.eval(plane)).collect();
        let chunk = [0, 1].map(|way| [row, column][way] + read.delta[way].div_euclid(self.size[way]));
        let shift = [0, 1].map(|way| read.delta[way].rem_euclid(self.size[way]));
        // Beyond the box is nothing that counts.
        let register = |row: i64, column: i64| {
            let [row, column] = [0, 1].map(|way| [row, column][way].clamp(0, self.count(producer, way) - 1));
            self.registers[&(read.producer, of.clone(), row, column)][read.result]
        };
        let of_row = |row: i64| self.choose(b, [register(row, chunk[1]), register(row, chunk[1] + 1)], 1, shift[1]);
        if shift[0] == 0 {
            let wanted = of_row(chunk[0]);
            return if shift[1] == 0 { self.exchange.keep(wanted) } else { self.bring(b, wanted, shift) };
        }
        let wanted = self.choose(b, [of_row(chunk[0]), of_row(chunk[0] + 1)], 0, shift[0]);
        self.bring(b, wanted, shift)
    }

    /// The first of two registers in lanes from number `shift` on along rows (0) or columns (1), the second in those before: what lanes so
    /// far before them want, around the warp's end.
    fn choose(&self, b: &Builder<'c, 'a>, [here, next]: [Value<'c, 'a>; 2], way: usize, shift: i64) -> Value<'c, 'a> {
        if here == next || shift == 0 {
            return here;
        }
        self.chosen.or_make((key(here), key(next), way, shift), || {
            b.select(self.compare(way, true, shift), here, next, here.r#type())
        })
    }

    /// Whether the lane's row (0) or column (1) is that number or one behind it; or one before it.
    fn compare(&self, way: usize, is_behind: bool, number: i64) -> Value<'c, 'a> {
        self.comparisons.or_make((way, is_behind, number), || {
            let b = &self.lanes.top;
            let predicate = if is_behind { Compare::GreaterEqual } else { Compare::Less };
            b.named(if is_behind { "from_lane" } else { "below_lane" }).compare(
                predicate,
                self.at[way],
                b.index(number),
            )
        })
    }

    /// The value of the lane so many rows and columns further, around the warp's ends.
    fn bring(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, shift: [i64; 2]) -> Value<'c, 'a> {
        let lane = self.sources.or_make(shift, || {
            let b = self.lanes.top.named("lane.source");
            let [row, column] = [0, 1].map(|way| match shift[way] {
                0 => self.at[way],
                shift => b.arith("remui", b.arith("addi", self.at[way], b.index(shift)), b.index(self.size[way])),
            });
            let first = b.arith("muli", row, b.index(self.size[1]));
            to_word(&b, b.arith("addi", first, column))
        });
        self.exchange.bring(b, value, Origin::Lane(lane))
    }

    /// Stores what is to be written of a register of each lane.
    fn store(
        &self,
        b: &Builder<'c, 'a>,
        tile: &GridTile<'c, 'a>,
        write: Write<'c, 'a>,
        (plane, row, column): (&[i64], i64, i64),
        value: Value<'c, 'a>,
    ) {
        let region = write.region();
        if plane.iter().zip(&region).any(|(at, (from, to))| at < from || at >= to) {
            return;
        }
        let mut mask = None;
        for way in [0, 1] {
            let d = tile.outer() + way;
            let first = [row, column][way] * self.size[way];
            let (from, to) = (region[d].0 - tile.region[d].0 - first, region[d].1 - tile.region[d].0 - first);
            if from >= self.size[way] || to <= 0 {
                return;
            }
            let b = b.named("mask");
            if from > 0 {
                mask = b.both(mask, Some(self.compare(way, true, from)));
            }
            if to < self.size[way] {
                mask = b.both(mask, Some(self.compare(way, false, to)));
            }
        }
        let places = plane.iter().copied().chain([row, column]).enumerate();
        let indices: Vec<Value> = places.map(|(d, at)| self.coordinate(tile, d, at)).collect();
        mask.map_or(*b, |mask| b.if_then(mask)).store(value, write.memory(), &indices);
    }
}
