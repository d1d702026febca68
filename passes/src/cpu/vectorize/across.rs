//! Reduces whose lanes lie in rows of their own: as many iterations at a time as there are lanes.
//!
//! ```text
//! for %r = 0 to 96 {                                 for %i = 0 to 96 step 16 {
//!   %v = ... %m[%x, %r]      a gather,                 %row0 = vector.load %m[%x, %i], ... %row15 = vector.load %m[%x + 15, %i]
//!   %s = %s + %v }           lane by lane    ──▶       %v0, ... %v15 = transposed %row0, ... %row15
//!                                                      %s = %s + %v0, ... %s + %v15 }
//! ```
//!
//! So are statistics of channels that are interleaved, products with a transposed matrix, sums of rows. A vector for each lane and four shuffles (of 16 lanes)
//! for each vector take the place of as many loads as there are lanes, each of which asks for a cache line of its own again and again.
//! Each lane adds what it added, in that order. What is left of a known number of iterations is one shorter vector, moved back to end with them.
//! Loads of a row beside each other, of which reduces are written out, are transposed together as well.

use super::super::{
    addresses::{extent_of, step_of_rows},
    transpose::transpose,
};
use super::{
    loads::lane_of,
    places::Across,
    vectors::{Lanes, Vectors, apart},
};
use crate::ir::{Builder, Emit, Key, Number, constant_index, element_of, is, key, only_block};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use mlir_glue::{Failure, ir};
use std::{collections::HashSet, ops::Range};
use weft_model::Arith;

/// Lanes at most.
const MOST_LANES: i64 = 64;

/// Columns at most that are transposed together: as many vectors are in registers.
const MOST_COLUMNS: i64 = 32;

/// Ops at most of all iterations that are done at a time.
const MOST_OPS: i64 = 4096;

/// Columns at least that are worth it.
const FEWEST: i64 = 4;

/// Elements of a row at most that are taken to be read together.
const MOST_SPAN: i64 = 256;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Iterations of some loops with the same bounds, as many as are whole vectors where some load is best transposed, or all of them where their number
    /// is known: the first one that is left, and what is carried there.
    pub(super) fn across(
        &mut self,
        b: &Builder<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        [low, high, step]: [Value<'c, 'a>; 3],
        mut carried: Vec<Vec<Value<'c, 'a>>>,
    ) -> Result<(Value<'c, 'a>, Vec<Vec<Value<'c, 'a>>>), Failure<'c>> {
        let lanes = self.lanes;
        let code: i64 = ops.iter().map(|op| ir::walk(*op).len() as i64).sum();
        let count = match (constant_index(low), constant_index(high)) {
            (Some(low), Some(high)) => Some(high.saturating_sub(low)),
            _ => None,
        };
        let together = vector_within(count.unwrap_or(lanes), lanes);
        let fits = self.has_columns() && code.saturating_mul(together) <= MOST_OPS;
        if constant_index(step) != Some(1) || together < FEWEST || !fits {
            return Ok((low, carried));
        }
        let loads: HashSet<Key> = ops.iter().flat_map(|op| self.loads_across(*op)).collect();
        if loads.is_empty() {
            return Ok((low, carried));
        }
        let asked = std::mem::take(&mut self.across.asked);
        let around = std::mem::replace(&mut self.across, Across { loads, asked, ..Across::default() });
        let whole = match count {
            Some(count) => b.index(count - count % together),
            None => {
                let count = b.arith("maxsi", b.arith("subi", high, low), b.index(0));
                b.arith("muli", b.arith("divui", count, b.index(together)), b.index(together))
            }
        };
        let end = Emit(b).add(&Number::Value(low), &Number::Value(whole)).value(b);
        let counts: Vec<usize> = carried.iter().map(Vec::len).collect();
        let results = b.for_carrying([low, end, b.index(together)], &carried.concat(), |inner, index, carried| {
            Ok::<_, Failure<'c>>(self.iterations(inner, ops, index, 0..together, apart(&counts, carried))?.concat())
        })?;
        carried = apart(&counts, &results);
        let mut left = end;
        if let Some(rest) = count.map(|count| count % together).filter(|rest| *rest > 0) {
            let columns = vector_around(rest);
            let last = Emit(b).add(&Number::Value(high), &Number::Known(-columns)).value(b);
            carried = self.iterations(b, ops, last, columns - rest..columns, carried)?;
            left = high;
        }
        let asked = std::mem::take(&mut self.across.asked);
        self.across = Across { asked, ..around };
        Ok((left, carried))
    }

    /// Whether lanes are such that rows of each can be transposed.
    fn has_columns(&self) -> bool {
        self.lanes.count_ones() == 1 && self.lanes <= MOST_LANES
    }

    /// The iterations that are so many behind the one of a number, of which what all read are whole vectors.
    fn iterations(
        &mut self,
        b: &Builder<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        from: Value<'c, 'a>,
        numbers: Range<i64>,
        mut carried: Vec<Vec<Value<'c, 'a>>>,
    ) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
        self.across.loaded.clear();
        self.across.columns = numbers.end;
        for number in numbers {
            self.across.number = number;
            let index = Emit(b).add(&Number::Value(from), &Number::Known(number)).value(b);
            carried = self.iteration(b, ops, None, index, |_| true, carried)?;
        }
        Ok(carried)
    }

    /// The loads of a loop's body, not of what is inside of it, that read the next element in the next iteration, and in each lane that of another row.
    fn loads_across(&self, op: OperationRef<'c, 'a>) -> Vec<Key> {
        let body = only_block(op);
        let Some(number) = ir::arguments(body).next() else { return Vec::new() };
        let is_across = |load: &OperationRef<'c, 'a>| {
            let operands: Vec<Value> = load.operands().collect();
            let [memory, rows @ .., last] = &operands[..] else { return false };
            step_of_rows(*memory) == 1
                && grows(*last, number, body) == Some(true)
                && rows.iter().all(|row| grows(*row, number, body) == Some(false))
                && rows.iter().any(|row| self.differs(*row, body))
                && !self.differs(*last, body)
        };
        let loads = ir::operations(body).filter(|op| is(*op, "memref.load"));
        loads.filter(is_across).filter_map(|load| Some(key(load.result(0).ok()?.into()))).collect()
    }

    /// Whether lanes have different values of an index of a body that is not computed yet.
    fn differs(&self, index: Value<'c, 'a>, body: BlockRef<'c, 'a>) -> bool {
        match (self.values.get(&key(index)), own_op(index, body)) {
            (Some(Lanes::Same(_)), _) => false,
            (_, Some(op)) => op.operands().any(|operand| self.differs(operand, body)),
            (Some(_), None) => true,
            (None, None) => false,
        }
    }

    /// A load that is transposed; `None` of any other.
    pub(super) fn load_across(
        &mut self,
        b: &Builder<'c, 'a>,
        result: Value<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Option<Lanes<'c, 'a>> {
        if !self.across.loads.contains(&key(result)) {
            return None;
        }
        let number = self.across.number as usize;
        if let Some(vectors) = self.across.loaded.get(&key(result)) {
            return Some(Lanes::Own(vectors[number]));
        }
        let [memory, rows @ .., last] = operands else { return None };
        let Lanes::Same(last) = self.of(*last) else { return None };
        let last = Emit(b).add(&Number::Value(last), &Number::Known(-self.across.number)).value(b);
        let vectors = self.columns(b, *memory, rows, last, self.across.columns)?;
        self.prefetch_across(b, *memory, rows, last);
        let own = vectors[number];
        self.across.loaded.insert(key(result), vectors);
        Some(Lanes::Own(own))
    }

    /// So many elements of each lane's row from one of them on: a vector of the first elements, one of the second ones, and so on. `None` where it is not
    /// known of each lane which row is its own.
    fn columns(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rows: &[Value<'c, 'a>],
        last: Value<'c, 'a>,
        count: i64,
    ) -> Option<Vec<Value<'c, 'a>>> {
        let rows: Vec<Vec<Value>> = rows.iter().map(|row| self.of_each_lane(b, *row)).collect::<Option<_>>()?;
        let element = element_of(memory);
        let ty = b.vector_type(count, element);
        let load = |lane: usize| {
            let at: Vec<Value> = rows.iter().map(|row| row[lane]).chain([last]).collect();
            b.value("vector.load", &[&[memory], &at[..]].concat(), ty, &[])
        };
        Some(transpose(b, (0..self.lanes as usize).map(load).collect()))
    }

    /// A load down rows of which others read what is beside it: transposed with these.
    pub(super) fn one_of_columns(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let (last, rows) = indices.split_last()?;
        let Lanes::Same(last) = self.of(*last) else { return None };
        let (row, (before, behind)) = self.reach.row_of(op)?;
        let span = before.checked_add(behind)?.checked_add(1)?;
        if !(FEWEST..=MOST_SPAN).contains(&span) || !self.has_columns() || step_of_rows(memory) != 1 {
            return None;
        }
        let together = vector_within(span, self.lanes);
        let first = before / together * together;
        let (first, count) = match span - first {
            rest if rest < together => (span - vector_around(rest), vector_around(rest)),
            _ => (first, together),
        };
        let place = (row, first);
        if let Some(vectors) = self.shared.columns.get(&place) {
            return Some(vectors[(before - first) as usize]);
        }
        let at = Emit(b).add(&Number::Value(last), &Number::Known(first - before)).value(b);
        let vectors = self.columns(b, memory, rows, at, count)?;
        let own = vectors[(before - first) as usize];
        self.shared.columns.insert(place, vectors);
        Some(own)
    }

    /// Asks for what the next vector reads of rows that lie below each other, once of an image: a CPU does not follow as many rows as there are
    /// lanes by itself.
    fn prefetch_across(
        &mut self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rows: &[Value<'c, 'a>],
        last: Value<'c, 'a>,
    ) {
        let mut differing = (0..rows.len()).filter(|d| !matches!(self.of(rows[*d]), Lanes::Same(_)));
        let (Some(below), None, None) = (differing.next(), differing.next(), self.active) else { return };
        let Lanes::Steps(steps) = self.of(rows[below]) else { return };
        if !steps.are_neighbours() || !self.across.asked.insert(key(memory)) {
            return;
        }
        // There is nothing behind the last row.
        let mut emit = Emit(b);
        let last_vector = emit.add(&extent_of(b, memory, below), &Number::Known(-self.lanes));
        let next = emit.add(&Number::Value(steps.first), &Number::Known(self.lanes));
        let first = emit.min(&next, &last_vector).value(b);
        for lane in 0..self.lanes {
            let row = b.arith("addi", first, b.index(lane));
            let at = rows.iter().enumerate().map(|(d, index)| match self.of(*index) {
                Lanes::Same(scalar) if d != below => scalar,
                _ => row,
            });
            b.prefetch(memory, &at.chain([last]).collect::<Vec<_>>(), false);
        }
    }

    /// An index lane by lane; those of lanes that neither read nor write are of some that do. `None` where these are not known.
    fn of_each_lane(&self, b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
        let lane = |lane: i64| match self.active {
            Some(active) => b.arith("minsi", b.arith("maxsi", b.index(lane), active.first), active.last),
            None => b.index(lane),
        };
        let lanes = 0..self.lanes;
        match self.of(index) {
            Lanes::Same(scalar) => Some(vec![scalar; self.lanes as usize]),
            Lanes::Steps(steps) if steps.are_neighbours() => {
                Some(lanes.map(|number| b.arith("addi", steps.first, lane(number))).collect())
            }
            Lanes::Clamped(clamped) => {
                let place = |number| clamped.bring(b, b.arith("addi", clamped.steps.first, lane(number)));
                Some(lanes.map(place).collect())
            }
            Lanes::Steps(steps) if self.active.is_none() => {
                Some(steps.steps.iter().map(|step| b.arith("addi", steps.first, b.index(*step))).collect())
            }
            Lanes::Own(vector) if self.active.is_none() => {
                Some(lanes.map(|number| lane_of(b, vector, number, b.index_type())).collect())
            }
            _ => None,
        }
    }
}

/// The greatest power of two that is no more than a positive number, than there are lanes, and than are transposed together.
fn vector_within(count: i64, lanes: i64) -> i64 {
    if count < 1 { 0 } else { lanes.min(MOST_COLUMNS).min(1 << count.ilog2()) }
}

/// The least power of two that is no less than a number.
fn vector_around(count: i64) -> i64 {
    count.cast_unsigned().next_power_of_two().cast_signed()
}

/// The op of a block itself that gives a value.
fn own_op<'c: 'a, 'a>(value: Value<'c, 'a>, body: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ir::defining_op(value).filter(|op| op.block() == Some(body))
}

/// Whether an index is one more in the next iteration of a body with this number, or (`false`) the same; `None` where it is neither.
fn grows<'c: 'a, 'a>(index: Value<'c, 'a>, number: Value<'c, 'a>, body: BlockRef<'c, 'a>) -> Option<bool> {
    if index == number {
        return Some(true);
    }
    let Some(op) = own_op(index, body) else {
        // What else is carried may be anything.
        return (!ir::arguments(body).any(|argument| argument == index)).then_some(false);
    };
    let operands: Vec<bool> = op.operands().map(|operand| grows(operand, number, body)).collect::<Option<_>>()?;
    match (ir::name_of(op), &operands[..]) {
        (_, operands) if !operands.contains(&true) && op.region_count() == 0 => Some(false),
        ("arith.addi", [left, right]) if left != right => Some(true),
        ("arith.subi", [true, false]) => Some(true),
        _ => None,
    }
}
