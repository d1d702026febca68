//! `--shuffle`: register tiles become values, and reads of them the value of this lane, or of another by a shuffle.
//!
//! ```text
//! %a = warp.compute "blurx" : <10x258xf32, #warp.hybrid<130>>        %s  = warp.compute "blurx" ... : <10x130xf32, #warp.shared>
//! %b = warp.compute "blury" : ... {                                  %a0 = <body at column 128 + %lane>   ...   %a3
//!   %l = warp.read %a[%y, %x - 2]                          ──▶       own column        %a1                           (type 1)
//!   ... }                                                            this tile's       gpu.shuffle idx of            (type 3)
//!                                                                    or the one before   select %lane >= 30, %a0, %a1 (type 4)
//!                                                                    left of registers warp.read %s, by select       (type 2)
//! ```
//!
//! The four types are those of section 5 of the PolyMage-GPU paper. The files of this folder import each other in the order below,
//! and of their wing only [`tiles`](super::tiles). Who does what:
//!
//! - [`lanes`]: a lane's number, and what follows from it;
//! - [`register_tile`], [`register_body`]: which columns a lane has, what a read may want, how
//!   often an op is evaluated;
//! - [`coordinates`]: where rows and columns lie, each made once;
//! - [`exchange`]: a value of another lane (types 1, 3 and 4);
//! - [`lane_grid`]: tiles of lanes in rows and columns, whole: the coordinates, order and exchange of those;
//! - [`shared_part`]: what of a hybrid tile stays in shared memory (type 2);
//! - [`row_memory`]: rows from memory, and to it;
//! - [`rows_at_hand`], [`padding`]: at an edge of the image, the row that a boundary mode leads to,
//!   and along x the column;
//! - here: the order of rows, and the body for each of a lane's columns. All lanes shuffle, always: a read that stands in a branch
//!   of the body is made before the branch.
//!
//! **Strips** have no shared part. At their margins shuffles bring values that mean nothing; nothing that is written
//! depends on them. With blocked lanes most neighbours lie in the lane itself, and only those at its edges are shuffled.
//!
//! **Streams** are unrolled: first the rows above the first one that is written, then a loop whose iterations are as many rows as
//! the window is high, so that every row is a value of its own and none is moved from one register to another.

mod coordinates;
mod exchange;
mod lane_grid;
mod lanes;
mod memo;
mod padding;
mod register_body;
mod register_tile;
mod row_memory;
mod rows_at_hand;
mod shared_part;

use self::{
    coordinates::Coordinates,
    exchange::Exchange,
    lane_grid::LaneGrid,
    lanes::{LANES, Lanes},
    memo::Memo,
    padding::Padding,
    register_body::{Evaluated, RegisterBody},
    register_tile::{RegisterTile, TileRead},
    row_memory::{Row, RowMemory},
    rows_at_hand::{ChosenRow, RowsAtHand},
    shared_part::SharedParts,
};
use super::{
    loads::lower_loads,
    tiles::{behind, blocks_of, computes_of, copy_name, element_of},
};
use crate::ir::{Builder, Key, constant_index, is, is_inside, key};
use melior::{
    dialect::DialectHandle,
    ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{collections::HashMap, rc::Rc};
use weft_dialects::{
    pipeline::Boundary,
    warp::{Compute, Layout, Read, Stream},
};
use weft_model::{Expr, Form};

/// The pass.
pub struct Shuffle;

const SHUFFLES: Statistic = Statistic::new(c"shuffles", c"Shuffles made");
const OWN: Statistic = Statistic::new(c"own", c"Reads of a lane's own registers");
const REGISTERS: Statistic = Statistic::new(c"registers", c"Values that tiles were turned into");

impl Pass for Shuffle {
    const ARGUMENT: &'static str = "shuffle";
    const SUMMARY: &'static str = "Turn register tiles into values, and reads of them into shuffles";
    const DESCRIPTION: &'static str = "\
Unrolls the computes of register tiles: a value for each row and each column of a lane. Reads become the lane's own value, a \
shuffle, a shuffle of one of two values chosen by the lane that has them, or a read of the tile's shared part. A `warp.stream` \
becomes a loop over rows that carries the window of rows.";
    const STATISTICS: &'static [Statistic] = &[SHUFFLES, OWN, REGISTERS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::gpu(),
            DialectHandle::memref(),
            DialectHandle::scf(),
            mlir_glue::tool::vector(),
        ]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in ir::walk(module).into_iter().filter(|op| is(*op, "gpu.func")).collect::<Vec<_>>() {
            lower_loads(cx.context(), computes_of(func))?;
            for block in blocks_of(func) {
                let computes: Vec<Compute> = ir::operations(block).filter_map(Compute::of).collect();
                if computes.iter().all(|compute| matches!(compute.layout(), Some(Layout::Shared | Layout::Lane))) {
                    continue;
                }
                match computes[0].layout() {
                    Some(Layout::Grid(rows, columns)) => unroll_grid(cx, func, block, &computes, (rows, columns))?,
                    _ => unroll(cx, func, block, &computes)?,
                }
            }
        }
        Ok(())
    }
}

/// Unrolls the tiles of a block whose lanes lie in rows and columns.
fn unroll_grid<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    computes: &[Compute<'c, 'a>],
    size: (i64, i64),
) -> Result<(), Failure<'c>> {
    let others = computes.iter().find(|compute| compute.layout() != Some(Layout::Grid(size.0, size.1)));
    if let Some(other) = others {
        let message = format!("\"{}\" has another layout than what stands beside it", other.name());
        return Err(Diagnostic::on(other.op(), message).into());
    }
    let here = behind(cx, block).ok_or_else(|| Diagnostic::on(computes[0].op(), "stands in no block"))?;
    let mark = here.mark();
    let lanes = Lanes::new(Builder::before(cx.context(), mark).located(func.location()));
    let mut grid = LaneGrid::new(&lanes, size, computes, block)?;
    grid.unroll(&here)?;
    for (statistic, count) in [SHUFFLES, OWN, REGISTERS].into_iter().zip(grid.counts()) {
        cx.count(statistic, count);
    }
    ir::erase(mark);
    grid.erase();
    Ok(())
}

/// Unrolls the register tiles of a block of a kernel.
fn unroll<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    computes: &[Compute<'c, 'a>],
) -> Result<(), Failure<'c>> {
    let stream = block.parent_operation().and_then(Stream::of);
    let here = match stream {
        Some(stream) => Some(Builder::before(cx.context(), stream.op())),
        None => behind(cx, block),
    };
    let here = here.ok_or_else(|| Diagnostic::on(computes[0].op(), "stands in no block"))?;
    // What rows share stands before a mark, rows behind it; and both where all that computes use is known.
    let mark = here.mark();
    let tiles = RegisterTile::of_block(block, computes)?;
    let bodies = computes.iter().map(|compute| RegisterBody::of(*compute)).collect::<Result<Vec<_>, _>>()?;
    let lanes = Lanes::new(Builder::before(cx.context(), mark).located(func.location()));
    let coordinates = Coordinates::new(&lanes);
    let mut unroll = Unroll {
        tiles: &tiles,
        bodies: &bodies,
        lanes: &lanes,
        coordinates: &coordinates,
        exchange: Exchange::new(&lanes),
        padding: Padding::new(&lanes, &coordinates),
        memory: RowMemory { lanes: &lanes, coordinates: &coordinates, unroll: 0 },
        parts: SharedParts::default(),
        rows: RowsAtHand::default(),
        once: Memo::default(),
        columns: Memo::default(),
        loads: Memo::default(),
        registers: 0,
    };
    // First, so that both versions of a kernel, inside and at an edge, begin alike: LLVM makes once what they begin with.
    for (tile, body) in tiles.iter().zip(&bodies) {
        if !tile.writes.is_empty() || body.uses.last() == Some(&true) {
            coordinates.column(tile, 0);
        }
    }
    match stream {
        Some(stream) => unroll.walk_down(&here, stream.unroll())?,
        None => unroll.unroll(&here)?,
    }
    cx.count(SHUFFLES, unroll.exchange.shuffles());
    cx.count(OWN, unroll.exchange.own());
    cx.count(REGISTERS, unroll.registers);
    ir::erase(mark);
    for tile in tiles.iter().rev() {
        tile.writes.iter().for_each(|write| ir::erase(write.op()));
        ir::erase(tile.compute.op());
    }
    if let Some(stream) = stream {
        ir::erase(stream.op());
    }
    Ok(())
}

/// The values of a body's arguments and ops.
type Values<'c, 'a> = HashMap<Key, Value<'c, 'a>>;

/// A block with register tiles while it is unrolled.
struct Unroll<'t, 'c, 'a> {
    tiles: &'t [RegisterTile<'c, 'a>],
    bodies: &'t [RegisterBody<'c, 'a>],
    lanes: &'t Lanes<'c, 'a>,
    coordinates: &'t Coordinates<'t, 'c, 'a>,
    exchange: Exchange<'t, 'c, 'a>,
    padding: Padding<'t, 'c, 'a>,
    memory: RowMemory<'t, 'c, 'a>,
    parts: SharedParts<'c, 'a>,
    rows: RowsAtHand<'c, 'a>,
    /// What bodies evaluate before all rows, by the tile: for all columns, and for one.
    once: Memo<usize, Rc<Values<'c, 'a>>>,
    columns: Memo<(usize, i64), Rc<Values<'c, 'a>>>,
    /// Loads since the last store, by their operands: neighbouring rows load the same points.
    loads: Memo<Vec<Key>, Value<'c, 'a>>,
    /// Values that tiles were turned into.
    registers: usize,
}

/// A row of a tile while it is computed.
struct RowOf<'t, 'r, 'c, 'a> {
    b: Builder<'c, 'a>,
    tile: &'t RegisterTile<'c, 'a>,
    row: &'r [i64],
    /// The rows that its reads want; `None` of one that is not at hand.
    reads: Memo<RowRead<'t>, Option<ChosenRow<'c, 'a>>>,
}

/// What tells the rows that reads want apart, seen from one row.
#[derive(PartialEq, Eq, Hash)]
struct RowRead<'t> {
    producer: usize,
    result: usize,
    indices: &'t [Expr],
    boundary: Boundary,
}

impl<'t, 'c: 'a, 'a> Unroll<'t, 'c, 'a> {
    /// Rows in the order in which they are written, each after those that it reads: few are then alive together. Of planes each has its row
    /// before any has the next: what they share is then alive for a row.
    fn unroll(&mut self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        self.parts = SharedParts::build(b, self.tiles)?;
        let written = |tile: &RegisterTile<'c, 'a>| {
            let mut rows = if tile.writes.is_empty() { Vec::new() } else { tile.rows() };
            rows.sort_by_key(|row| row.last().copied());
            rows
        };
        let rows: Vec<Vec<Vec<i64>>> = self.tiles.iter().map(written).collect();
        for number in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
            for (tile, rows) in rows.iter().enumerate() {
                if let Some(row) = rows.get(number) {
                    self.demand(b, tile, row)?;
                }
            }
        }
        Ok(())
    }

    /// Computes a row, if it is not there, after the rows that it reads.
    fn demand(&mut self, b: &Builder<'c, 'a>, number: usize, row: &[i64]) -> Result<(), Failure<'c>> {
        if self.rows.contains(number, row) {
            return Ok(());
        }
        for read in self.tiles[number].reads() {
            for wanted in read.wanted(&self.tiles[read.producer], row) {
                self.demand(b, read.producer, &wanted)?;
            }
        }
        self.compute(b, number, row)
    }

    /// The rows of a stream: those above the first that is written, then a loop.
    fn walk_down(&mut self, b: &Builder<'c, 'a>, unroll: i64) -> Result<(), Failure<'c>> {
        let y = |tile: &RegisterTile| tile.rank() - 2;
        let rows = self.tiles.iter().map(|tile| tile.compute.step()[y(tile)]).max().unwrap_or(1);
        // How far ahead of the row that is written each tile is.
        let ahead: Vec<i64> = self.tiles.iter().map(|tile| tile.region[y(tile)].1 - rows).collect();
        let starts = self.tiles.iter().map(|tile| tile.region[y(tile)].0);
        let first = starts.zip(&ahead).map(|(start, ahead)| start - ahead).min().unwrap_or(0);
        for row in first..0 {
            for (number, ahead) in ahead.iter().enumerate() {
                if row + ahead >= self.tiles[number].region[y(&self.tiles[number])].0 {
                    self.stream_row(b, number, row + ahead)?;
                }
            }
        }
        let unroll = unroll.min(rows);
        if unroll == rows || rows % unroll != 0 {
            return self.stream_rows(b, rows, &ahead);
        }
        // What the first row of an iteration finds of the one before.
        let oldest = self.oldest_rows(&ahead);
        let mut carried: Vec<(usize, Vec<i64>)> = Vec::new();
        for (number, tile) in self.tiles.iter().enumerate() {
            for row in oldest[number]..ahead[number] {
                carried.extend(tile.planes().into_iter().map(|plane| (number, [plane, vec![row]].concat())));
            }
        }
        let start: Vec<Value> = carried.iter().flat_map(|(number, row)| self.rows.row(*number, row).concat()).collect();
        let ticks = b.named("tick");
        ticks.for_carrying([b.index(0), b.index(rows), b.index(unroll)], &start, |inner, iteration, arguments| {
            self.coordinates.enter(iteration);
            let mut arguments = arguments.iter().copied();
            let mut rows = RowsAtHand::default();
            for (number, row) in &carried {
                let columns = self.rows.row(*number, row).iter().map(Vec::len);
                let registers: Vec<Row> = columns.map(|count| arguments.by_ref().take(count).collect()).collect();
                let tile = &self.tiles[*number];
                for (j, register) in registers.iter().flat_map(|row| (0..).zip(row)) {
                    let b = inner.located(tile.compute.op().location()).named(&self.name(tile, row, j));
                    ir::set_argument_location(*register, b.location());
                }
                rows.insert(*number, row, registers);
            }
            self.rows = rows;
            self.exchange.enter();
            self.padding.enter();
            self.loads.clear();
            self.memory.unroll = unroll;
            self.stream_rows(inner, unroll, &ahead)?;
            let next = carried.iter().flat_map(|(number, row)| {
                let mut row = row.clone();
                *row.last_mut().expect("a row has a place") += unroll;
                self.rows.row(*number, &row).concat()
            });
            Ok::<_, Failure>(next.collect())
        })?;
        Ok(())
    }

    /// So many rows that are written, with what is ahead of them.
    fn stream_rows(&mut self, b: &Builder<'c, 'a>, rows: i64, ahead: &[i64]) -> Result<(), Failure<'c>> {
        for row in 0..rows {
            for (number, ahead) in ahead.iter().enumerate() {
                self.stream_row(b, number, row + ahead)?;
            }
        }
        Ok(())
    }

    /// One row of a tile in a stream.
    fn stream_row(&mut self, b: &Builder<'c, 'a>, number: usize, row: i64) -> Result<(), Failure<'c>> {
        for plane in self.tiles[number].planes() {
            self.compute(b, number, &[plane, vec![row]].concat())?;
        }
        Ok(())
    }

    /// The first row of each tile that is still read when row 0 is written.
    fn oldest_rows(&self, ahead: &[i64]) -> Vec<i64> {
        let mut oldest = ahead.to_vec();
        for (reader, ahead) in self.tiles.iter().zip(ahead) {
            for read in reader.reads() {
                let producer = &self.tiles[read.producer];
                let window = read.window(producer, producer.rank() - 2, *ahead);
                oldest[read.producer] = oldest[read.producer].min(window.lo);
            }
        }
        oldest
    }

    /// What the value of the lane's `j`th column of a row is called.
    fn name(&self, tile: &RegisterTile<'c, 'a>, row: &[i64], j: i64) -> String {
        format!("{}.x{}", self.coordinates.row_name(tile, row), tile.column(j))
    }

    /// One row of a tile: a value for each column of the lane, and its writes.
    fn compute(&mut self, b: &Builder<'c, 'a>, number: usize, row: &[i64]) -> Result<(), Failure<'c>> {
        let tile = &self.tiles[number];
        let b = b.located(tile.compute.op().location());
        let values = match self.memory.load(&b, tile, row) {
            Some(loaded) => vec![loaded; tile.compute.op().result_count()],
            None => self.evaluate(&RowOf { b, tile, row, reads: Memo::default() })?,
        };
        self.registers += values.iter().map(Vec::len).sum::<usize>();
        self.memory.store(&b, tile, row, &values);
        if !tile.writes.is_empty() {
            self.loads.clear();
        }
        self.rows.insert(number, row, values);
        Ok(())
    }

    /// The body for each column of a row.
    fn evaluate(&self, row: &RowOf<'t, '_, 'c, 'a>) -> Result<Vec<Row<'c, 'a>>, Failure<'c>> {
        let RowOf { b, tile, .. } = row;
        let body = &self.bodies[tile.number];
        let place = self.coordinates.place(tile, row.row);
        let mut of_row = (*self.once(tile)).clone();
        for (d, at) in row.row.iter().enumerate().filter(|(d, _)| body.uses[*d]) {
            of_row.insert(argument(tile, d), self.coordinates.row_inside(b, tile, d, *at).value(b));
        }
        for op in body.ops(Evaluated::ForRow) {
            self.evaluate_once((b, tile, &place), op, &mut of_row);
        }
        let mut rows: Vec<Row> = vec![Vec::new(); tile.compute.op().result_count()];
        for j in 0..tile.columns {
            let mut values = of_row.clone();
            values.extend(self.column(tile, j).iter());
            for (registers, value) in rows.iter_mut().zip(self.point((row, &place), j, values)?) {
                registers.push(value);
            }
        }
        Ok(rows)
    }

    /// What a body evaluates once.
    fn once(&self, tile: &RegisterTile<'c, 'a>) -> Rc<Values<'c, 'a>> {
        self.once.or_make(tile.number, || {
            let mut values = Values::new();
            for op in self.bodies[tile.number].ops(Evaluated::Once) {
                self.evaluate_once((&self.lanes.top, tile, ""), op, &mut values);
            }
            Rc::new(values)
        })
    }

    /// What a body evaluates for a column of the lane.
    fn column(&self, tile: &RegisterTile<'c, 'a>, j: i64) -> Rc<Values<'c, 'a>> {
        self.columns.or_make((tile.number, j), || {
            let (b, body) = (&self.lanes.top, &self.bodies[tile.number]);
            let mut values = (*self.once(tile)).clone();
            let d = tile.rank() - 1;
            if body.uses[d] {
                values.insert(argument(tile, d), self.coordinates.column_inside(tile, j).value(b));
            }
            let place = format!(".x{}", tile.column(j));
            for op in body.ops(Evaluated::ForColumn) {
                self.evaluate_once((&self.lanes.top, tile, &place), op, &mut values);
            }
            Rc::new(values)
        })
    }

    /// An op of a row or of a column: what is beside a coordinate is one too, and is there already.
    fn evaluate_once(
        &self,
        (b, tile, place): (&Builder<'c, 'a>, &RegisterTile<'c, 'a>, &str),
        op: OperationRef<'c, 'a>,
        values: &mut Values<'c, 'a>,
    ) {
        let beside = || {
            let (one, other) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
            let offset = Some(op).filter(|op| is(*op, "arith.addi")).and_then(|_| constant_index(other))?;
            self.coordinates.beside(b, *values.get(&key(one))?, offset)
        };
        match beside() {
            Some(value) => {
                values.insert(key(op.result(0).expect("a sum").into()), value);
            }
            None => b.named(&copy_name(op, tile.compute.name(), place)).clone_once(op, values),
        }
    }

    /// The rest of the body, for one column of a row.
    fn point(
        &self,
        (row, place): (&RowOf<'t, '_, 'c, 'a>, &str),
        j: i64,
        mut values: Values<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let RowOf { b, tile, .. } = row;
        let body = &self.bodies[tile.number];
        let name = self.name(tile, row.row, j);
        for op in body.ops(Evaluated::ForPoint) {
            // Reads in branches are made before the branch: all lanes shuffle.
            for read in ir::walk(op).into_iter().filter_map(Read::of) {
                let padding = read.padding().map(|padding| padding_value(b, tile, padding, &mut values));
                let value = self.read(row, j, tile.read_of(read), padding)?;
                values.insert(key(read.op().result(0).expect("reads have a result").into()), value);
            }
            if Read::of(op).is_some() {
                continue;
            }
            // What is yielded is a value of the tile.
            let b = match body.yields(op) {
                true => b.named(&name),
                false => b.named(&copy_name(op, tile.compute.name(), place)),
            };
            if is(op, "memref.load") {
                let operand = |value: Value<'c, 'a>| key(values.get(&key(value)).copied().unwrap_or(value));
                let operands: Vec<Key> = op.operands().map(operand).collect();
                let loaded = self.loads.or_make(operands, || {
                    b.clone_mapped(op, &mut values).result(0).expect("a load has a result").into()
                });
                values.insert(key(op.result(0).expect("a load has a result").into()), loaded);
                continue;
            }
            let clone = b.clone_mapped(op, &mut values);
            // What a branch read is known already.
            for (original, cloned) in ir::walk(op).into_iter().zip(ir::walk(clone)).skip(1) {
                if Read::of(original).is_some() {
                    let old = original.result(0).expect("reads have a result").into();
                    ir::replace_all_uses(cloned.result(0).expect("reads have a result").into(), values[&key(old)]);
                    ir::erase(cloned);
                }
            }
        }
        Ok(body.end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect())
    }

    /// The value of a read by column `j` of the lane.
    fn read(
        &self,
        row: &RowOf<'t, '_, 'c, 'a>,
        j: i64,
        read: &'t TileRead<'c, 'a>,
        padding: Option<Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let RowOf { b, tile, .. } = row;
        let producer = &self.tiles[read.producer];
        let last = producer.rank() - 1;
        let row_name = self.coordinates.row_name(producer, &read.row(producer, row.row));
        let boundary = read.read.boundary();
        let which =
            RowRead { producer: read.producer, result: read.result, indices: &read.resolved.indices[..last], boundary };
        let chosen = row
            .reads
            .or_make(which, || self.rows.read(b, self.coordinates, (tile, row.row), read, producer))
            .ok_or_else(|| Diagnostic::on(read.read.op(), "reads a row that its tile does not have"))?;
        // What is outside is replaced, or brought.
        let registers = match read.stays(last) || boundary == Boundary::Constant {
            true => chosen.registers,
            false => self.padding.row(b, &self.exchange, producer, (&row_name, &chosen.registers), boundary),
        };
        let b = &b.named(&format!("{row_name}.x{}", read.column.at(tile.column(j))));
        let value = match producer.layout {
            Layout::Hybrid(_) => self.fetch_hybrid((b, row), j, read, &registers)?,
            _ => self.fetch(b, (tile, j), read, &registers),
        };
        let (Some(padding), Boundary::Constant) = (padding, boundary) else { return Ok(value) };
        let in_columns = match read.stays(last) {
            true => None,
            false => self.coordinates.column_in(tile, (j, read), producer.extents()[last], read.may_leave(last)),
        };
        let inside = b.named("inside").both(chosen.inside, in_columns);
        Ok(inside.map_or(value, |inside| b.select(inside, value, padding, value.r#type())))
    }

    /// The value of a read by column `j` of a lane of `tile`, as far as it is one of these registers.
    fn fetch(
        &self,
        b: &Builder<'c, 'a>,
        (tile, j): (&RegisterTile<'c, 'a>, i64),
        read: &TileRead<'c, 'a>,
        registers: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let producer = &self.tiles[read.producer];
        // What lane 0 wants, from the first column in registers.
        let column = read.column.shifted(tile.column(j));
        match column.offset() {
            Some(at) => self.exchange.fetch(b, producer.layout, registers, at - producer.base),
            None => {
                let column = Form { add: column.add - column.div * producer.base, ..column };
                self.exchange.fetch_sampled(b, registers, column)
            }
        }
    }

    /// The value of a read of a hybrid tile: of its registers, or left of them in shared memory.
    fn fetch_hybrid(
        &self,
        (b, row): (&Builder<'c, 'a>, &RowOf<'t, '_, 'c, 'a>),
        j: i64,
        read: &TileRead<'c, 'a>,
        registers: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let tile = row.tile;
        let producer = &self.tiles[read.producer];
        // How many lanes want what lies left of the registers.
        let column = read.column.shifted(tile.column(j));
        let left = (0..LANES).take_while(|lane| column.at(*lane) < producer.base).count() as i64;
        if left == 0 {
            return Ok(self.fetch(b, (tile, j), read, registers));
        }
        let part = self.parts.tile(tile.compute.op(), read.producer, read.result)?;
        let rows = (0..producer.rank() - 1)
            .map(|d| self.coordinates.row(b, producer, d, read.place(d, row.row)).value(b))
            .collect::<Vec<_>>();
        let column = self.coordinates.column_read(tile, j, read);
        let shared = read_part(b, part, &[rows, vec![column]].concat());
        if left >= LANES {
            return Ok(shared);
        }
        let moved = self.fetch(b, (tile, j), read, registers);
        Ok(b.select(self.lanes.below(left), shared, moved, shared.r#type()))
    }
}

/// The key of a body's coordinate.
fn argument(tile: &RegisterTile, d: usize) -> Key {
    key(tile.compute.body().argument(d).expect("a coordinate for each dimension").into())
}

/// The padding value, where a read may be made before it: constants are made again.
fn padding_value<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    tile: &RegisterTile<'c, 'a>,
    padding: Value<'c, 'a>,
    values: &mut Values<'c, 'a>,
) -> Value<'c, 'a> {
    if let Some(value) = values.get(&key(padding)) {
        return *value;
    }
    match ir::defining_op(padding) {
        Some(op) if is(op, "arith.constant") && is_inside(padding, tile.compute.op()) => {
            b.clone_mapped(op, values);
            values[&key(padding)]
        }
        _ => padding,
    }
}

/// A read of a shared part at a point.
fn read_part<'c: 'a, 'a>(b: &Builder<'c, 'a>, part: Value<'c, 'a>, point: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let names: Vec<String> = (0..point.len()).map(|d| format!("d{d}")).collect();
    let names = names.join(", ");
    let attributes = [
        ("map", b.parse_attribute(&format!("affine_map<({names}) -> ({names})>"))),
        ("boundary", b.parse_attribute("0 : i32")),
        ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: 1, {}, 0>", point.len()))),
    ];
    b.value("warp.read", &[&[part], point].concat(), element_of(part), &attributes)
}
