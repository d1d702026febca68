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
//! The four types are those of section 5 of the PolyMage-GPU paper. Its Figure 7c shuffles twice and selects in the reader;
//! here the lane that *has* the value selects which of its two registers the reader wants, and one shuffle brings it.
//! A read may go any number of columns far.
//!
//! All lanes shuffle, always: a read that stands in a branch of the body is made before the branch.
//!
//! **Strips** have no shared part. At their margins shuffles bring values that mean nothing; nothing that is written
//! depends on them. With blocked lanes most neighbours lie in the lane itself, and only those at its edges are shuffled.
//!
//! **At an edge of the image** a row with a boundary mode is the row that the mode leads to, chosen among those that are at
//! hand; along x each lane fetches, for columns outside, the column that the mode leads to, once for a row.
//!
//! **Streams** are unrolled: first the rows above the first one that is written, then a loop whose turns are as many rows as
//! the window is high, so that every row is a value of its own and none is moved from one register to another.

use super::tiles::{Seen, behind, blocks_of, bring_along, element_of, needed_along, retype, see, set_box};
use crate::{
    analysis::{boundary, model},
    ir::{Builder, Compare, Emit, Key, Number, bytes_of_element, constant_index, is, key, one_block, only_block},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, OperationRef, ShapedTypeLike, Type, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::MemRefType,
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::Boundary,
    warp::{Compute, Layout, Read, Stream, Write},
};
use weft_model::{Arith, Expr, Interval, Range, offset_along, reach};

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
            for block in blocks_of(func) {
                let computes: Vec<Compute> = ir::operations(block).filter_map(Compute::of).collect();
                if computes.iter().all(|compute| matches!(compute.layout(), Some(Layout::Shared | Layout::Lane))) {
                    continue;
                }
                let mut unroll = Unroll::new(cx, block, computes)?;
                unroll.run()?;
                cx.count(SHUFFLES, unroll.shuffles);
                cx.count(OWN, unroll.own);
                cx.count(REGISTERS, unroll.registers);
            }
        }
        Ok(())
    }
}

/// The registers of a lane for one row of a tile, in the order of its columns.
type Row<'c, 'a> = Vec<Value<'c, 'a>>;

/// A compute while it is unrolled.
struct Member<'c, 'a> {
    compute: Compute<'c, 'a>,
    layout: Layout,
    /// Columns of a lane.
    columns: i64,
    /// The first column in registers, relative to the tile's first point.
    base: i64,
    region: Vec<(i64, i64)>,
    writes: Vec<Write<'c, 'a>>,
    /// How each read sees its producer, in the order of the reads.
    seen: HashMap<Key, (usize, usize, Seen)>,
    /// The part in shared memory of a hybrid tile.
    shared: Option<Compute<'c, 'a>>,
}

impl Member<'_, '_> {
    fn rank(&self) -> usize {
        self.region.len()
    }

    /// Where a lane's column `j` lies, as a multiple of the lane's number and an offset to the first column.
    fn place(&self, j: i64) -> (i64, i64) {
        match self.layout {
            Layout::Blocked(columns) => (columns, j),
            _ => (1, 32 * j),
        }
    }
}

/// A block with register tiles while it is unrolled.
struct Unroll<'c, 'a> {
    stream: Option<Stream<'c, 'a>>,
    members: Vec<Member<'c, 'a>>,
    /// Where what all rows share is put: before the mark.
    top: Builder<'c, 'a>,
    /// Where rows are put: behind the mark.
    here: Builder<'c, 'a>,
    mark: OperationRef<'c, 'a>,
    lane: Value<'c, 'a>,
    /// Added to the rows of a loop's turn; the first of its rows is `row`.
    row: Option<Value<'c, 'a>>,
    /// The rows at hand: by compute and place, for each result.
    rows: HashMap<(usize, Vec<i64>), Vec<Row<'c, 'a>>>,
    /// Values that are made already: of the top, good everywhere.
    known_top: HashMap<String, Value<'c, 'a>>,
    /// Values that are made already, good in the block that is being filled.
    known: HashMap<String, Value<'c, 'a>>,
    shuffles: usize,
    own: usize,
    registers: usize,
}

impl<'c: 'a, 'a> Unroll<'c, 'a> {
    fn new(
        cx: &PassContext<'c>,
        block: BlockRef<'c, 'a>,
        computes: Vec<Compute<'c, 'a>>,
    ) -> Result<Self, Diagnostic<'c>> {
        let stream = block.parent_operation().and_then(Stream::of);
        // What rows share stands before a mark, rows behind it; and both where all that computes use is known.
        let here = match stream {
            Some(stream) => Some(Builder::before(cx.context(), stream.op())),
            None => behind(cx, block),
        };
        let here = here.ok_or_else(|| Diagnostic::on(computes[0].op(), "stands in no block"))?;
        let mark = here.mark();
        let top = Builder::before(cx.context(), mark).located(here.location());
        let lane = top.value("gpu.lane_id", &[], top.index_type(), &[]);
        let mut members = Vec::new();
        for compute in &computes {
            let Some(layout) = compute.layout() else { continue };
            let region = compute.region();
            let (lo, hi) = *region.last().expect("boxes have columns");
            let (columns, base) = match layout {
                Layout::Cyclic(columns) | Layout::Blocked(columns) => (columns, lo),
                Layout::Hybrid(shared) => ((hi - lo - shared) / 32, lo + shared),
                Layout::Shared | Layout::Lane => {
                    let message = format!(
                        "\"{}\" is shared beside tiles in registers, expected all in registers",
                        compute.name()
                    );
                    return Err(Diagnostic::on(compute.op(), message));
                }
            };
            let mut seen = HashMap::new();
            for read in compute.reads() {
                let producer = computes
                    .iter()
                    .position(|producer| producer.op().results().any(|tile| Value::from(tile) == read.tile()));
                let Some(producer) = producer else {
                    return Err(Diagnostic::on(read.op(), "reads a tile of another block, expected one beside it"));
                };
                let result = computes[producer].op().results().position(|tile| Value::from(tile) == read.tile());
                let here = see(*compute, computes[producer], read)?;
                if !here.is_plain() {
                    let message = "reads a tile in registers at a place that is computed, expected a shared tile";
                    return Err(Diagnostic::on(read.op(), message));
                }
                let value: Value = read.op().result(0).expect("reads have a result").into();
                seen.insert(key(value), (producer, result.unwrap_or(0), here));
            }
            let writes = ir::operations(block)
                .filter_map(Write::of)
                .filter(|write| compute.op().results().any(|tile| Value::from(tile) == write.tile()))
                .collect();
            members.push(Member { compute: *compute, layout, columns, base, region, writes, seen, shared: None });
        }
        Ok(Self {
            stream,
            members,
            top,
            here,
            mark,
            lane,
            row: None,
            rows: HashMap::new(),
            known_top: HashMap::new(),
            known: HashMap::new(),
            shuffles: 0,
            own: 0,
            registers: 0,
        })
    }

    fn run(&mut self) -> Result<(), Failure<'c>> {
        match self.stream {
            Some(stream) => self.walk_down(stream)?,
            None => {
                let b = self.here;
                for number in 0..self.members.len() {
                    if let Layout::Hybrid(shared) = self.members[number].layout {
                        self.share(&b, number, shared)?;
                    }
                }
                // Rows in the order in which they are written, each after those that it reads: few are then alive together.
                let rows: Vec<Vec<Vec<i64>>> = self
                    .members
                    .iter()
                    .map(|member| match member.writes.is_empty() {
                        true => Vec::new(),
                        false => places(&member.region[..member.rank() - 1]),
                    })
                    .collect();
                for turn in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
                    for (number, rows) in rows.iter().enumerate() {
                        if let Some(row) = rows.get(turn) {
                            self.demand(&b, number, row)?;
                        }
                    }
                }
            }
        }
        ir::erase(self.mark);
        for member in self.members.iter().rev() {
            member.writes.iter().for_each(|write| ir::erase(write.op()));
            ir::erase(member.compute.op());
        }
        if let Some(stream) = self.stream {
            ir::erase(stream.op());
        }
        Ok(())
    }

    /// Computes a row, if it is not there, after the rows that it reads.
    fn demand(&mut self, b: &Builder<'c, 'a>, number: usize, row: &[i64]) -> Result<(), Failure<'c>> {
        if self.rows.contains_key(&(number, row.to_vec())) {
            return Ok(());
        }
        let member = &self.members[number];
        let place = [row, &[0]].concat();
        let mut needed: Vec<(usize, Vec<i64>)> = Vec::new();
        for read in member.compute.reads() {
            let value: Value = read.op().result(0).expect("reads have a result").into();
            let (producer, _, seen) = &member.seen[&key(value)];
            let of = &self.members[*producer];
            let windows: Vec<(i64, i64)> = (0..of.rank() - 1)
                .map(|d| {
                    let at = seen.locals[d].eval(&place);
                    let window = match self.stays(member, of, seen, read, d) {
                        true => Range::new(at, at),
                        false => self.window(number, *producer, seen, read, d, place[member.rank().saturating_sub(2)]),
                    };
                    (window.lo.max(of.region[d].0), window.hi.min(of.region[d].1 - 1) + 1)
                })
                .collect();
            needed.extend(places(&windows).into_iter().map(|row| (*producer, row)));
        }
        for (producer, row) in needed {
            self.demand(b, producer, &row)?;
        }
        self.compute(b, number, row)
    }

    /// A value that all rows share.
    fn at_top(&mut self, name: String, make: impl FnOnce(&Builder<'c, 'a>) -> Value<'c, 'a>) -> Value<'c, 'a> {
        let top = self.top;
        *self.known_top.entry(name).or_insert_with(|| make(&top))
    }

    /// The shared part of a hybrid tile: a compute of its own, which reads the shared parts of others.
    fn share(&mut self, b: &Builder<'c, 'a>, number: usize, shared: i64) -> Result<(), Failure<'c>> {
        if shared == 0 {
            return Ok(());
        }
        let member = &self.members[number];
        let old = member.compute;
        let clone = b.insert((*old.op()).clone());
        let mut region = member.region.clone();
        if let Some(last) = region.last_mut() {
            last.1 = last.0 + shared;
        }
        set_box(b, clone, &region);
        let is_read = self.members.iter().any(|member| member.seen.values().any(|(producer, ..)| *producer == number));
        let layout = if is_read { Layout::Shared } else { Layout::Lane };
        let shared = Compute::of(clone).expect("a clone of a compute");
        retype(b, shared, layout);
        // Clones are walked in step with their originals.
        for (original, cloned) in ir::walk(old.op()).into_iter().zip(ir::walk(clone)) {
            let Some(read) = Read::of(original) else { continue };
            let (producer, result, _) = &member.seen[&key(read.op().result(0).expect("reads have a result").into())];
            let part = self.members[*producer]
                .shared
                .ok_or_else(|| Diagnostic::on(read.op(), "reads left of a tile that has no shared part"))?;
            ir::mutable(cloned).set_operand(0, part.op().result(*result).expect("a clone has the same results").into());
        }
        for write in &member.writes {
            let mut written = write.region();
            if let (Some(written), Some(part)) = (written.last_mut(), region.last()) {
                *written = (written.0.max(part.0), written.1.min(part.1));
                if written.0 >= written.1 {
                    continue;
                }
            }
            let result = old.op().results().position(|tile| Value::from(tile) == write.tile()).unwrap_or(0);
            let copy = b.insert((*write.op()).clone());
            ir::mutable(copy).set_operand(0, clone.result(result).expect("a clone has the same results").into());
            set_box(b, copy, &written);
        }
        self.members[number].shared = Some(shared);
        Ok(())
    }

    /// The rows of a stream: those above the first that is written, then a loop.
    fn walk_down(&mut self, stream: Stream<'c, 'a>) -> Result<(), Failure<'c>> {
        let b = self.here;
        let y = |member: &Member| member.rank() - 2;
        let rows = self.members.iter().map(|member| member.compute.step()[y(member)]).max().unwrap_or(1);
        // How far ahead of the row that is written each compute is.
        let ahead: Vec<i64> = self.members.iter().map(|member| member.region[y(member)].1 - rows).collect();
        let first = self
            .members
            .iter()
            .zip(&ahead)
            .map(|(member, ahead)| member.region[y(member)].0 - ahead)
            .min()
            .unwrap_or(0);
        for row in first..0 {
            for (number, ahead) in ahead.iter().enumerate() {
                let own = row + ahead;
                if own >= self.members[number].region[y(&self.members[number])].0 {
                    self.stream_row(&b, number, own)?;
                }
            }
        }
        let unroll = stream.unroll().min(rows);
        if unroll == rows || rows % unroll != 0 {
            for row in 0..rows {
                for (number, ahead) in ahead.iter().enumerate() {
                    self.stream_row(&b, number, row + ahead)?;
                }
            }
            return Ok(());
        }
        // What the first row of a turn finds of the turn before, by compute, place and register.
        let oldest = self.oldest_rows(&ahead);
        let mut carried: Vec<(usize, Vec<i64>)> = Vec::new();
        for (number, member) in self.members.iter().enumerate() {
            for row in oldest[number]..ahead[number] {
                carried.extend(leading(member).into_iter().map(|place| (number, [place, vec![row]].concat())));
            }
        }
        let start: Vec<Value> = carried.iter().flat_map(|place| self.rows[place].concat()).collect();
        let types: Vec<Type> = start.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> =
            [b.index_type()].into_iter().chain(types.iter().copied()).map(|ty| (ty, b.location())).collect();
        let bounds = [b.index(0), b.index(rows), b.index(unroll)];
        let op =
            b.op_with_regions("scf.for", &[bounds.to_vec(), start].concat(), &types, &[], vec![one_block(&arguments)]);
        let body = only_block(op);
        let inner = Builder::at_end(b.context(), body, b.location());
        self.row = body.argument(0).ok().map(Value::from);
        self.known.clear();
        let before = std::mem::take(&mut self.rows);
        let mut arguments = (1..body.argument_count()).filter_map(|i| body.argument(i).ok()).map(Value::from);
        for place in &carried {
            let shape: Vec<usize> = before[place].iter().map(Vec::len).collect();
            let rows = shape.into_iter().map(|columns| arguments.by_ref().take(columns).collect()).collect();
            self.rows.insert(place.clone(), rows);
        }
        for row in 0..unroll {
            for (number, ahead) in ahead.iter().enumerate() {
                self.stream_row(&inner, number, row + ahead)?;
            }
        }
        let next: Vec<Value> = carried
            .iter()
            .flat_map(|(number, place)| {
                let mut place = place.clone();
                *place.last_mut().expect("a row has a place") += unroll;
                self.rows[&(*number, place)].concat()
            })
            .collect();
        inner.op("scf.yield", &next, &[], &[]);
        self.row = None;
        Ok(())
    }

    /// One row of a compute in a stream.
    fn stream_row(&mut self, b: &Builder<'c, 'a>, number: usize, row: i64) -> Result<(), Failure<'c>> {
        for place in leading(&self.members[number]) {
            self.compute(b, number, &[place, vec![row]].concat())?;
        }
        Ok(())
    }

    /// The first row of each compute that is still read when row 0 is written.
    fn oldest_rows(&self, ahead: &[i64]) -> Vec<i64> {
        let mut oldest = ahead.to_vec();
        for (reader, member) in self.members.iter().enumerate() {
            for read in member.compute.reads() {
                let value: Value = read.op().result(0).expect("reads have a result").into();
                let (producer, _, seen) = &member.seen[&key(value)];
                let y = self.members[*producer].rank() - 2;
                let window = self.window(reader, *producer, seen, read, y, ahead[reader]);
                oldest[*producer] = oldest[*producer].min(window.lo);
            }
        }
        oldest
    }

    /// The rows of a producer along dimension `d` that a read may want, from a reader at row `row` of its dimension.
    fn window(
        &self,
        reader: usize,
        producer: usize,
        seen: &Seen,
        read: Read<'c, 'a>,
        d: usize,
        row: i64,
    ) -> Range<i64> {
        let (member, of) = (&self.members[reader], &self.members[producer]);
        let y = member.rank().saturating_sub(2);
        let Some(offset) = offset_along(&seen.locals[d], y) else {
            return Range::new(of.region[d].0, of.region[d].1 - 1);
        };
        let at = row + offset;
        if self.stays(member, of, seen, read, d) {
            return Range::new(at, at);
        }
        let mut names = model::Names::default();
        let extents: Vec<_> = numbers(member.compute).into_iter().map(|extent| names.extent(extent)).collect();
        let domain: Vec<Interval> = (0..member.rank()).map(|d| domain_along(member.compute, d)).collect();
        let source = names.extent(numbers(of.compute)[d]);
        match weft_model::program::leaves(&seen.indices[d], &domain, &extents, source) {
            Some((below, above)) => {
                let (down, up) = reach(boundary::model_boundary(read.boundary()), below, above);
                Range::new((at - down).max(if self.stream.is_some() { i64::MIN } else { of.region[d].0 }), at + up)
            }
            None => Range::new(of.region[d].0, of.region[d].1 - 1),
        }
    }

    /// Whether an index of a read needs no boundary mode.
    fn stays(&self, member: &Member<'c, 'a>, of: &Member<'c, 'a>, seen: &Seen, read: Read<'c, 'a>, d: usize) -> bool {
        if read.boundary() == Boundary::None {
            return true;
        }
        match (&seen.indices[d], member.compute.extents(), of.compute.extents()) {
            (Expr::Dim(own), Some(extents), Some(source)) => extents[*own] == source[d],
            (_, _, None) => true,
            _ => false,
        }
    }

    /// `at * step` of a dimension.
    fn start(&mut self, compute: Compute<'c, 'a>, d: usize) -> Number<'c, 'a> {
        let (at, step) = (compute.at()[d], compute.step()[d]);
        match step {
            0 => Number::Known(0),
            step => Number::Value(
                self.at_top(format!("start {:?} {step}", key(at)), |b| Emit(b).mul(&Number::Value(at), step).value(b)),
            ),
        }
    }

    /// The coordinate of a row.
    fn row_at(&mut self, b: &Builder<'c, 'a>, number: usize, d: usize, row: i64) -> Number<'c, 'a> {
        let compute = self.members[number].compute;
        let start = self.start(compute, d);
        let mut emit = Emit(b);
        let place = match self.row.filter(|_| d + 2 == self.members[number].rank()) {
            Some(turn) => emit.add(&Number::Value(turn), &Number::Known(row)),
            None => Number::Known(row),
        };
        emit.add(&start, &place)
    }

    /// The coordinate of a lane's column `j`.
    fn column_at(&mut self, number: usize, j: i64) -> Number<'c, 'a> {
        let member = &self.members[number];
        let (compute, base, (factor, offset)) = (member.compute, member.base, member.place(j));
        let start = self.start(compute, member.rank() - 1);
        let lane = self.lane;
        let name = format!("column {:?} {factor}", start.id());
        let first = self.at_top(name, |b| {
            let mut emit = Emit(b);
            let own = emit.mul(&Number::Value(lane), factor);
            emit.add(&start, &own).value(b)
        });
        let name = format!("column {:?} {factor} {}", start.id(), base + offset);
        Number::Value(self.at_top(name, |b| Emit(b).add(&Number::Value(first), &Number::Known(base + offset)).value(b)))
    }

    /// Evaluates one row of a compute: a value for each column of the lane, and its writes.
    fn compute(&mut self, b: &Builder<'c, 'a>, number: usize, row: &[i64]) -> Result<(), Failure<'c>> {
        let compute = self.members[number].compute;
        let b = &b.located(compute.op().location());
        let columns = self.members[number].columns;
        let rows_at: Vec<Number> = row.iter().enumerate().map(|(d, row)| self.row_at(b, number, d, *row)).collect();
        let results = compute.op().result_count();
        let mut values: Vec<Row> = vec![Vec::new(); results];
        match self.load_vector(b, number, &rows_at) {
            Some(loaded) => values = vec![loaded],
            None => {
                let brought: Vec<Number> =
                    rows_at.iter().enumerate().map(|(d, at)| bring_along(b, compute, d, *at)).collect();
                for j in 0..columns {
                    let column = self.column_inside(number, j);
                    let point: Vec<Value> = brought.iter().chain([&column]).map(|at| at.value(b)).collect();
                    for (row, value) in values.iter_mut().zip(self.body(b, number, row, j, &point)?) {
                        row.push(value);
                    }
                }
            }
        }
        self.registers += values.iter().map(Vec::len).sum::<usize>();
        for write in self.members[number].writes.clone() {
            let result = compute.op().results().position(|tile| Value::from(tile) == write.tile()).unwrap_or(0);
            self.write(b, number, row, &rows_at, write, &values[result]);
        }
        self.rows.insert((number, row.to_vec()), values);
        Ok(())
    }

    /// The column coordinate that a body gets.
    fn column_inside(&mut self, number: usize, j: i64) -> Number<'c, 'a> {
        let compute = self.members[number].compute;
        let column = self.column_at(number, j);
        if compute.extents().is_none() {
            return column;
        }
        let name = format!("inside {number} {j}");
        let d = self.members[number].rank() - 1;
        Number::Value(self.at_top(name, |b| bring_along(b, compute, d, column).value(b)))
    }

    /// An input's row as one vector, where its rows are aligned and its lanes blocked.
    fn load_vector(&mut self, b: &Builder<'c, 'a>, number: usize, rows_at: &[Number<'c, 'a>]) -> Option<Row<'c, 'a>> {
        let member = &self.members[number];
        let Layout::Blocked(columns) = member.layout else { return None };
        let compute = member.compute;
        let ops: Vec<OperationRef> = ir::operations(compute.body()).collect();
        let [load, _] = ops[..] else { return None };
        if columns == 1 || !is(load, "memref.load") || compute.op().attribute("aligned").is_err() {
            return None;
        }
        let memory = ir::operand(load, 0)?;
        let element = MemRefType::try_from(memory.r#type()).ok()?.element();
        let column = self.column_at(number, 0);
        let indices: Vec<Value> = rows_at.iter().chain([&column]).map(|at| at.value(b)).collect();
        let mut row = Vec::new();
        for (offset, length) in vectors(columns, element) {
            let ty = b.parse_type(&format!("vector<{length}x{element}>"));
            let mut indices = indices.clone();
            if let Some(last) = indices.last_mut() {
                *last = Emit(b).add(&Number::Value(*last), &Number::Known(offset)).value(b);
            }
            let operands = [vec![memory], indices].concat();
            let loaded = b.value("vector.load", &operands, ty, &[("alignment", alignment(b, length, element))]);
            for lane in 0..length {
                let position = b.integers(&[lane]);
                row.push(b.value("vector.extract", &[loaded], element, &[("static_position", position)]));
            }
        }
        Some(row)
    }

    /// The body for one column of the lane.
    fn body(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        row: &[i64],
        j: i64,
        point: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let compute = self.members[number].compute;
        let body = compute.body();
        let end = compute.terminator().ok_or_else(|| Diagnostic::on(compute.op(), "has no warp.yield"))?;
        let mut values: HashMap<Key, Value> = HashMap::new();
        for (d, coordinate) in point.iter().enumerate() {
            values.insert(key(body.argument(d).expect("a coordinate for each dimension").into()), *coordinate);
        }
        for op in ir::operations(body).filter(|op| *op != end) {
            // Reads in branches are made before the branch: all lanes shuffle.
            for read in ir::walk(op).into_iter().filter_map(Read::of) {
                let outside = read.outside().map(|outside| self.outside_value(b, outside, &mut values));
                let value = self.read(b, number, row, j, read, outside)?;
                values.insert(key(read.op().result(0).expect("reads have a result").into()), value);
            }
            if Read::of(op).is_some() {
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
        Ok(end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect())
    }

    /// The value for points outside, where a read may be made before it: constants are made again.
    fn outside_value(
        &self,
        b: &Builder<'c, 'a>,
        outside: Value<'c, 'a>,
        values: &mut HashMap<Key, Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        if let Some(value) = values.get(&key(outside)) {
            return *value;
        }
        match ir::defining_op(outside) {
            Some(op) if is(op, "arith.constant") => {
                b.clone_mapped(op, values);
                values[&key(outside)]
            }
            _ => outside,
        }
    }

    /// The value of a read by column `j` of the lane.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        row: &[i64],
        j: i64,
        read: Read<'c, 'a>,
        outside: Option<Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let value: Value = read.op().result(0).expect("reads have a result").into();
        let (producer, result, seen) = &self.members[number].seen[&key(value)];
        let (producer, result) = (*producer, *result);
        let (indices, locals) = (seen.indices.clone(), seen.locals.clone());
        let seen = Seen { indices, locals, values: Vec::new() };
        let x = self.members[number].rank() - 1;
        let last = seen.locals.len() - 1;
        let Some(offset) = offset_along(&seen.locals[last], x) else {
            return Err(Diagnostic::on(read.op(), "reads at no fixed distance along x, expected a shared tile").into());
        };
        let (regs, mut inside) = self.row_read(b, number, row, producer, result, &seen, read)?;
        let member = &self.members[number];
        let of = &self.members[producer];
        let delta = member.base + offset - of.base;
        let stays = self.stays(member, of, &seen, read, last);
        let regs = if stays { regs } else { self.padded(b, producer, &regs, read.boundary()) };
        let value = match self.members[producer].layout {
            Layout::Hybrid(_) => self.fetch_hybrid(b, (number, j), producer, result, (row, &seen), &regs, delta)?,
            _ => self.fetch(b, producer, &regs, j, delta),
        };
        let (Some(outside), Boundary::Constant) = (outside, read.boundary()) else { return Ok(value) };
        if !stays {
            let index = self.column_inside(number, j);
            let extent =
                self.members[producer].compute.extents().expect("verified: reads with a mode have extents")[last];
            let here = self.at_top(format!("in {number} {j} {offset} {:?}", key(extent)), |b| {
                let index = Emit(b).add(&index, &Number::Known(offset)).value(b);
                is_inside(b, index, extent)
            });
            inside = Some(inside.map_or(here, |before| b.logic("andi", before, here)));
        }
        Ok(inside.map_or(value, |inside| b.select(inside, value, outside, value.r#type())))
    }

    /// The row of a producer that a read wants, and whether it is inside, where a constant stands outside.
    #[allow(clippy::too_many_arguments)]
    fn row_read(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        row: &[i64],
        producer: usize,
        result: usize,
        seen: &Seen,
        read: Read<'c, 'a>,
    ) -> Result<(Row<'c, 'a>, Option<Value<'c, 'a>>), Failure<'c>> {
        let dims = self.members[producer].rank() - 1;
        let place: Vec<i64> = [row, &[0]].concat();
        let mut inside = None;
        let mut wanted: Vec<Wanted> = Vec::new();
        for d in 0..dims {
            let at = seen.locals[d].eval(&place);
            if self.stays(&self.members[number], &self.members[producer], seen, read, d) {
                wanted.push(Wanted { candidates: vec![at], index: None });
                continue;
            }
            let y = self.members[number].rank().saturating_sub(2);
            let window = self.window(number, producer, seen, read, d, place[y]);
            // The index from the coordinates that the body has: rows only.
            let compute = self.members[number].compute;
            let mut coordinates = Vec::new();
            for (d, row) in row.iter().enumerate() {
                let at = self.row_at(b, number, d, *row);
                coordinates.push(bring_along(b, compute, d, at));
            }
            coordinates.push(Number::Known(0));
            let extent = self.members[producer].compute.extents().expect("verified: reads with a mode have extents")[d];
            let index = seen.indices[d].eval_in(&coordinates, &mut Emit(b)).value(b);
            let resolved = boundary::resolve(index, Number::Value(extent), read.boundary(), b);
            let start = self.row_at(b, producer, d, 0).value(b);
            let relative = b.arith("subi", resolved.index, start);
            wanted.push(Wanted { candidates: (window.lo..=window.hi).collect(), index: Some(relative) });
            inside = match (inside, resolved.inside) {
                (Some(before), Some(here)) => Some(b.logic("andi", before, here)),
                (before, here) => before.or(here),
            };
        }
        let mut place = Vec::new();
        let regs = self.choose(b, producer, result, &wanted, &mut place);
        let regs = regs.ok_or_else(|| Diagnostic::on(read.op(), "reads a row that its tile does not have"))?;
        Ok((regs, inside))
    }

    /// Chooses among rows, one dimension after the other.
    fn choose(
        &self,
        b: &Builder<'c, 'a>,
        producer: usize,
        result: usize,
        wanted: &[Wanted<'c, 'a>],
        place: &mut Vec<i64>,
    ) -> Option<Row<'c, 'a>> {
        let Some((first, rest)) = wanted.split_first() else {
            return self.rows.get(&(producer, place.clone())).map(|rows| rows[result].clone());
        };
        let mut chosen: Option<Row> = None;
        for candidate in &first.candidates {
            place.push(*candidate);
            let row = self.choose(b, producer, result, rest, place);
            place.pop();
            chosen = match (chosen, row, first.index) {
                (None, row, _) => row,
                (Some(before), Some(row), Some(index)) => {
                    let is_it = b.compare(Compare::Equal, index, b.index(*candidate));
                    Some(
                        row.iter()
                            .zip(before)
                            .map(|(row, before)| b.select(is_it, *row, before, row.r#type()))
                            .collect(),
                    )
                }
                (before, ..) => before,
            };
        }
        chosen
    }

    /// A row whose columns outside the image are those that a boundary mode leads to.
    fn padded(
        &mut self,
        b: &Builder<'c, 'a>,
        producer: usize,
        regs: &[Value<'c, 'a>],
        boundary: Boundary,
    ) -> Row<'c, 'a> {
        // A stage may yield what it reads: then two producers, of different extents, have their rows in the same registers.
        let name = |j: usize| format!("pad {producer} {:?} {} {j}", key(regs[0]), boundary as i32);
        if self.known.contains_key(&name(0)) {
            return (0..regs.len()).map(|j| self.known[&name(j)]).collect();
        }
        let of = &self.members[producer];
        let (compute, columns, base, d) = (of.compute, of.columns, of.base, of.rank() - 1);
        let is_blocked = matches!(of.layout, Layout::Blocked(_));
        let extent = compute.extents().expect("verified: reads with a mode have extents")[d];
        let start = self.start(compute, d);
        let mut padded = Vec::new();
        for j in 0..columns {
            let column = self.column_at(producer, j);
            let prefix = format!("pad {producer} {j} {} ", boundary as i32);
            // The column that the mode leads to, as a place in the strip; others than those in it are not used.
            let place = self.at_top(format!("{prefix}place"), |b| {
                let resolved = boundary::resolve(column.value(b), Number::Value(extent), boundary, b);
                let mut emit = Emit(b);
                let first = emit.add(&start, &Number::Known(base));
                let place = Number::Value(b.arith("subi", resolved.index, first.value(b)));
                let above = emit.max(&place, &Number::Known(0));
                emit.min(&above, &Number::Known(32 * columns - 1)).value(b)
            });
            let per_lane = if is_blocked { columns } else { 32 };
            let (over, under) = if is_blocked { ("divui", "remui") } else { ("remui", "divui") };
            let lane = self.at_top(format!("{prefix}lane"), |b| to_i32(b, b.arith(over, place, b.index(per_lane))));
            let mut value = self.shuffle(b, regs[0], Move::To(lane));
            for (other, reg) in regs.iter().enumerate().skip(1) {
                let is_it = self.at_top(format!("{prefix}is {other}"), |b| {
                    let which = b.arith(under, place, b.index(per_lane));
                    b.compare(Compare::Equal, which, b.index(other as i64))
                });
                let moved = self.shuffle(b, *reg, Move::To(lane));
                value = b.select(is_it, moved, value, value.r#type());
            }
            padded.push(value);
        }
        for (j, value) in padded.iter().enumerate() {
            self.known.insert(name(j), *value);
        }
        padded
    }

    /// The value `delta` columns right of column `j`, from a row of registers.
    fn fetch(
        &mut self,
        b: &Builder<'c, 'a>,
        producer: usize,
        regs: &[Value<'c, 'a>],
        j: i64,
        delta: i64,
    ) -> Value<'c, 'a> {
        let columns = regs.len() as i64;
        // Beyond the strip is nothing that counts.
        let clamp = |j: i64| regs[j.clamp(0, columns - 1) as usize];
        if matches!(self.members[producer].layout, Layout::Blocked(_)) {
            let (lanes, j) = ((j + delta).div_euclid(columns), (j + delta).rem_euclid(columns));
            let reg = regs[j as usize];
            return match lanes {
                -31..=31 if lanes != 0 => self.known_shuffle(b, reg, Move::By(lanes)),
                _ => {
                    self.own += 1;
                    reg
                }
            };
        }
        let (chunk, shift) = (j + delta.div_euclid(32), delta.rem_euclid(32));
        if shift == 0 {
            self.own += 1;
            return clamp(chunk);
        }
        let (here, next) = (clamp(chunk), clamp(chunk + 1));
        let from = self.chosen(b, here, next, shift);
        let lane = self.lane_plus(shift);
        self.known_shuffle(b, from, Move::To(lane))
    }

    /// `here` in the lanes that `shift` lanes left want this register of, `next` in those that want the one after.
    fn chosen(&mut self, b: &Builder<'c, 'a>, here: Value<'c, 'a>, next: Value<'c, 'a>, shift: i64) -> Value<'c, 'a> {
        if here == next {
            return here;
        }
        let lane = self.lane;
        let has_here =
            self.at_top(format!("lane >= {shift}"), |b| b.compare(Compare::GreaterEqual, lane, b.index(shift)));
        let name = format!("chosen {:?} {:?} {shift}", key(here), key(next));
        *self.known.entry(name).or_insert_with(|| b.select(has_here, here, next, here.r#type()))
    }

    fn lane_plus(&mut self, shift: i64) -> Value<'c, 'a> {
        let lane = self.lane;
        self.at_top(format!("lane + {shift}"), |b| {
            let sum = b.arith("addi", lane, b.index(shift));
            to_i32(b, b.arith("remui", sum, b.index(32)))
        })
    }

    /// The value of a read of a hybrid tile: `delta` is never positive.
    #[allow(clippy::too_many_arguments)]
    fn fetch_hybrid(
        &mut self,
        b: &Builder<'c, 'a>,
        (number, j): (usize, i64),
        producer: usize,
        result: usize,
        (row, seen): (&[i64], &Seen),
        regs: &[Value<'c, 'a>],
        delta: i64,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let (chunk, shift) = (j + delta.div_euclid(32), delta.rem_euclid(32));
        if shift == 0 && chunk >= 0 {
            self.own += 1;
            return Ok(regs[chunk as usize]);
        }
        // Lanes that reach left of the registers read the shared part.
        let mut shared = None;
        if chunk < 0 {
            let compute = self.members[number].compute;
            let part = self.members[producer]
                .shared
                .ok_or_else(|| Diagnostic::on(compute.op(), "reads left of a tile that has no shared part"))?;
            let tile: Value = part.op().result(result).expect("a clone has the same results").into();
            let place: Vec<i64> = [row, &[0]].concat();
            let last = seen.locals.len() - 1;
            let mut indices = Vec::new();
            for d in 0..last {
                indices.push(self.row_at(b, producer, d, seen.locals[d].eval(&place)).value(b));
            }
            let offset = delta + self.members[producer].base - self.members[number].base;
            let column = self.column_at(number, j);
            indices.push(Emit(b).add(&column, &Number::Known(offset)).value(b));
            let names: Vec<String> = (0..indices.len()).map(|d| format!("d{d}")).collect();
            let names = names.join(", ");
            let attributes = [
                ("map", b.parse_attribute(&format!("affine_map<({names}) -> ({names})>"))),
                ("boundary", b.parse_attribute("0 : i32")),
                ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: 1, {}, 0>", indices.len()))),
            ];
            let element = element_of(tile);
            shared = Some(b.value("warp.read", &[vec![tile], indices].concat(), element, &attributes));
        }
        let registers = match chunk {
            ..-1 => None,
            -1 if shift == 0 => None,
            -1 => Some(regs[0]),
            _ => {
                let next = regs[(chunk + 1).min(regs.len() as i64 - 1) as usize];
                Some(self.chosen(b, regs[chunk as usize], next, shift))
            }
        };
        let moved = registers.map(|registers| {
            let lane = self.lane_plus(shift);
            self.known_shuffle(b, registers, Move::To(lane))
        });
        match (shared, moved) {
            (Some(shared), Some(moved)) => {
                // Lane i reads place i + shift - 32: of the registers from 32 - shift on.
                let lane = self.lane;
                let is_left = self
                    .at_top(format!("lane < {}", 32 - shift), |b| b.compare(Compare::Less, lane, b.index(32 - shift)));
                Ok(b.select(is_left, shared, moved, shared.r#type()))
            }
            (Some(value), None) | (None, Some(value)) => Ok(value),
            (None, None) => unreachable!("a place is left of the registers, or in them"),
        }
    }

    fn known_shuffle(&mut self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, to: Move<'c, 'a>) -> Value<'c, 'a> {
        let name = match to {
            Move::By(lanes) => format!("by {:?} {lanes}", key(value)),
            Move::To(lane) => format!("to {:?} {:?}", key(value), key(lane)),
        };
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        let moved = self.shuffle(b, value, to);
        self.known.insert(name, moved);
        moved
    }

    /// A shuffle of any element type: hardware moves 32 bits.
    fn shuffle(&mut self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, to: Move<'c, 'a>) -> Value<'c, 'a> {
        let ty = value.r#type();
        let i32_type = b.parse_type("i32");
        let integer = |bits: i64| b.parse_type(&format!("i{bits}"));
        let cast = |op: &str, value: Value<'c, 'a>, to: Type<'c>| b.value(&format!("arith.{op}"), &[value], to, &[]);
        let text = ty.to_string();
        let bits: i64 = text[1..].parse().expect("elements are f16 to f64 and i8 to i64");
        match bits {
            32 => self.shuffle_word(b, value, to),
            64 => {
                let whole = if text.starts_with('f') { cast("bitcast", value, integer(64)) } else { value };
                let by = b.value("arith.constant", &[], integer(64), &[("value", b.parse_attribute("32 : i64"))]);
                let high = b.value("arith.shrui", &[whole, by], integer(64), &[]);
                let low = self.shuffle_word(b, cast("trunci", whole, i32_type), to);
                let high = self.shuffle_word(b, cast("trunci", high, i32_type), to);
                let high = b.value("arith.shli", &[cast("extui", high, integer(64)), by], integer(64), &[]);
                let whole = b.value("arith.ori", &[high, cast("extui", low, integer(64))], integer(64), &[]);
                if text.starts_with('f') { cast("bitcast", whole, ty) } else { whole }
            }
            bits => {
                let narrow = if text.starts_with('f') { cast("bitcast", value, integer(bits)) } else { value };
                let moved = self.shuffle_word(b, cast("extui", narrow, i32_type), to);
                let narrow = cast("trunci", moved, integer(bits));
                if text.starts_with('f') { cast("bitcast", narrow, ty) } else { narrow }
            }
        }
    }

    fn shuffle_word(&mut self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, to: Move<'c, 'a>) -> Value<'c, 'a> {
        self.shuffles += 1;
        let (mode, lane) = match to {
            Move::To(lane) => ("idx", lane),
            Move::By(lanes) => {
                let count = lanes.abs();
                let lane = self.at_top(format!("i32 {count}"), |b| {
                    b.value(
                        "arith.constant",
                        &[],
                        b.parse_type("i32"),
                        &[("value", b.parse_attribute(&format!("{count} : i32")))],
                    )
                });
                (if lanes > 0 { "down" } else { "up" }, lane)
            }
        };
        let width = self.at_top("i32 32".into(), |b| {
            b.value("arith.constant", &[], b.parse_type("i32"), &[("value", b.parse_attribute("32 : i32"))])
        });
        let mode = b.parse_attribute(&format!("#gpu<shuffle_mode {mode}>"));
        let op = b.op("gpu.shuffle", &[value, lane, width], &[value.r#type(), b.parse_type("i1")], &[("mode", mode)]);
        op.result(0).expect("built with two results").into()
    }

    /// Writes a row's columns that are in the box, and in the image.
    fn write(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        row: &[i64],
        rows_at: &[Number<'c, 'a>],
        write: Write<'c, 'a>,
        regs: &[Value<'c, 'a>],
    ) {
        let region = write.region();
        let compute = self.members[number].compute;
        let d = self.members[number].rank() - 1;
        let is_stream_row = |dim: usize| self.row.is_some() && dim + 1 == d;
        let is_written =
            |(dim, row): (usize, &i64)| is_stream_row(dim) || (region[dim].0 <= *row && *row < region[dim].1);
        if !row.iter().enumerate().all(is_written) {
            return;
        }
        // Rows in the image.
        let mut in_rows = None;
        for (dim, at) in rows_at.iter().enumerate() {
            let Some((first, end)) = needed_along(compute, dim) else { continue };
            let mut require = |here| in_rows = Some(in_rows.map_or(here, |before| b.logic("andi", before, here)));
            if first > 0 {
                require(b.compare(Compare::GreaterEqual, at.value(b), b.index(first)));
            }
            require(b.compare(Compare::Less, at.value(b), end.value(b)));
        }
        // A live-out that others read is ahead of the row that is written: in the last turn beyond the tile.
        if let (Some(turn), Some(y)) = (self.row, d.checked_sub(1))
            && row[y] >= self.stream.map_or(0, Stream::unroll)
        {
            let own = b.arith("addi", turn, b.index(row[y]));
            let here = b.compare(Compare::Less, own, b.index(region[y].1));
            in_rows = Some(in_rows.map_or(here, |before| b.logic("andi", before, here)));
        }
        let columns = self.members[number].columns;
        let is_vector =
            matches!(self.members[number].layout, Layout::Blocked(_)) && write.op().attribute("aligned").is_ok();
        let step = if is_vector { columns } else { 1 };
        for j in (0..columns).step_by(step as usize) {
            let Some(in_columns) = self.in_columns(number, j, step, region[d]) else { continue };
            let condition = match (in_rows, in_columns) {
                (Some(rows), Some(columns)) => Some(b.logic("andi", rows, columns)),
                (rows, columns) => rows.or(columns),
            };
            let column = self.column_at(number, j);
            let inner = condition.map_or(*b, |condition| b.if_then(condition));
            let indices: Vec<Value> = rows_at.iter().chain([&column]).map(|at| at.value(&inner)).collect();
            if !is_vector || columns == 1 {
                inner.store(regs[j as usize], write.memory(), &indices);
                continue;
            }
            let element = regs[0].r#type();
            for (offset, length) in vectors(columns, element) {
                let ty = inner.parse_type(&format!("vector<{length}x{element}>"));
                let part = &regs[offset as usize..(offset + length) as usize];
                let vector = inner.value("vector.from_elements", part, ty, &[]);
                let mut indices = indices.clone();
                if let Some(last) = indices.last_mut() {
                    *last = Emit(&inner).add(&Number::Value(*last), &Number::Known(offset)).value(&inner);
                }
                let operands = [vec![vector, write.memory()], indices].concat();
                inner.op("vector.store", &operands, &[], &[("alignment", alignment(&inner, length, element))]);
            }
        }
    }

    /// Whether columns `j` to `j + count - 1` of the lane are written: `None` never, `Some(None)` always.
    fn in_columns(&mut self, number: usize, j: i64, count: i64, (lo, hi): (i64, i64)) -> Option<Option<Value<'c, 'a>>> {
        let member = &self.members[number];
        let (compute, base, (factor, offset), d) = (member.compute, member.base, member.place(j), member.rank() - 1);
        let lane = self.lane;
        // Lane 0 and lane 31 have the outermost places.
        let (first, last) = (base + offset, base + offset + 31 * factor + count - 1);
        if last < lo || first >= hi {
            return None;
        }
        let mut conditions = Vec::new();
        if first < lo {
            let from = (lo - first + factor - 1).div_euclid(factor);
            conditions.push(
                self.at_top(format!("lane >= {from}"), |b| b.compare(Compare::GreaterEqual, lane, b.index(from))),
            );
        }
        if last >= hi {
            let to = (hi - (first + count - 1) + factor - 1).div_euclid(factor);
            conditions.push(self.at_top(format!("lane < {to}"), |b| b.compare(Compare::Less, lane, b.index(to))));
        }
        if compute.extents().is_some() {
            let column = self.column_at(number, j);
            conditions.push(self.at_top(format!("in image {number} {j}"), |b| {
                let (first, end) = needed_along(compute, d).expect("has extents");
                let below = b.compare(Compare::Less, column.value(b), end.value(b));
                match first {
                    0 => below,
                    first => b.logic("andi", below, b.compare(Compare::GreaterEqual, column.value(b), b.index(first))),
                }
            }));
        }
        let name: Vec<String> = conditions.iter().map(|condition| format!("{:?}", key(*condition))).collect();
        let all = conditions.into_iter().reduce(|a, b| {
            let name = format!("and {name:?} {:?} {:?}", key(a), key(b));
            self.at_top(name, |top| top.logic("andi", a, b))
        });
        Some(all)
    }
}

/// A row that a read wants along one dimension.
struct Wanted<'c, 'a> {
    /// The rows that it may be.
    candidates: Vec<i64>,
    /// Which one, where there are several.
    index: Option<Value<'c, 'a>>,
}

/// Where a shuffle takes its value from.
#[derive(Clone, Copy)]
enum Move<'c, 'a> {
    /// So many lanes to the right.
    By(i64),
    /// The lane of that number, an i32.
    To(Value<'c, 'a>),
}

/// All places of a box, row by row.
fn places(region: &[(i64, i64)]) -> Vec<Vec<i64>> {
    region.iter().fold(vec![Vec::new()], |all, (lo, hi)| {
        all.iter().flat_map(|place| (*lo..*hi).map(|row| [place.clone(), vec![row]].concat())).collect()
    })
}

/// All places of a member before its rows and columns.
fn leading(member: &Member) -> Vec<Vec<i64>> {
    places(&member.region[..member.rank() - 2])
}

/// The vectors of at most 16 bytes that so many elements make: offset and length.
fn vectors(columns: i64, element: Type) -> Vec<(i64, i64)> {
    let most = (16 / bytes_of_element(element)).min(columns);
    (0..columns).step_by(most as usize).map(|offset| (offset, most.min(columns - offset))).collect()
}

/// The bytes that a vector of so many elements is aligned to.
fn alignment<'c>(b: &Builder<'c, '_>, length: i64, element: Type) -> melior::ir::Attribute<'c> {
    b.parse_attribute(&format!("{} : i64", length * bytes_of_element(element)))
}

fn to_i32<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    b.value("arith.index_cast", &[value], b.parse_type("i32"), &[])
}

/// Whether an index is inside `[0, extent)`.
fn is_inside<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: Value<'c, 'a>, extent: Value<'c, 'a>) -> Value<'c, 'a> {
    let above = b.compare(Compare::GreaterEqual, index, b.index(0));
    b.logic("andi", above, b.compare(Compare::Less, index, extent))
}

/// The extents of a compute, where it has them.
fn numbers<'c: 'a, 'a>(compute: Compute<'c, 'a>) -> Vec<Number<'c, 'a>> {
    let extents = compute.extents().unwrap_or_default();
    extents.into_iter().map(|extent| constant_index(extent).map_or(Number::Value(extent), Number::Known)).collect()
}

/// The coordinates that a dimension takes, as far as they are known.
fn domain_along<'c: 'a, 'a>(compute: Compute<'c, 'a>, d: usize) -> Interval {
    let Some((first, end)) = needed_along(compute, d) else { return Range::new(None, None) };
    let end = match end {
        Number::Known(end) => Some(end - 1),
        Number::Value(end) => constant_index(end).map(|end| end - 1),
    };
    Range::new(Some(first), end)
}
