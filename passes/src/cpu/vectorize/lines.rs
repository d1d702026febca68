//! Rows that begin anywhere are stored past the caches by whole cache lines.
//!
//! ```text
//! scf.for %x = ... step 16 {                              scf.for %x = ... step 16 iter_args(%before) {
//!   %v = <16 points from %x on>                    ──▶      %v = <16 points from %x on>
//!   store past the caches %v, %o[%x]                        %line = call @weft.line32.x16(%before, %v, %k)
//! }                                                         vector.store %line, %o[%x - %k] {nontemporal = true}
//!                                                           yield %v }
//! ```
//!
//! Of rows that are computed together only one begins its vectors where lines begin; the others are some elements behind, as many all along a row.
//! So what is stored is the last of the line before and the first of this one, which is one permutation where a CPU has it, as `weft.permutes` says. Memory is
//! written at the pace of the bus, while a store through the caches would first read what it overwrites. Elsewhere the line would be put together in memory,
//! and its load wait for two stores, for longer than that takes.
//!
//! **Ends.** A line is written past the caches or through them, never both: it would be read back from memory in between, while all later stores
//! wait, even for a store whose mask leaves its part of the line out. So of the vector before the first lines what lies before these is stored, by
//! lines too, and of the last one what lies behind; all others that store no lines do not reach them.

use super::{
    super::{
        addresses::{element_number, step_of_rows},
        instructions::{Functions, LINE, module_of},
    },
    registers::part,
};
use crate::ir::{Builder, Compare, Key, bits_of_element, bytes_of_element, element_of, is, key, only_block, zero};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_model::CACHE_LINE;

/// A store past the caches, in the loop over a row's vectors.
#[derive(Clone, Copy)]
pub(super) struct Line<'c, 'a> {
    pub(super) op: OperationRef<'c, 'a>,
    /// What it stores, of a point.
    pub(super) value: Value<'c, 'a>,
    lanes: i64,
    /// Elements between the beginning of a line and that of a vector.
    behind: Value<'c, 'a>,
    /// The vector before the first that stores lines, that one, and the last that does. There may be none.
    before_first: Value<'c, 'a>,
    first: Value<'c, 'a>,
    last: Value<'c, 'a>,
    /// The last line of the vector before, as integers.
    before: Value<'c, 'a>,
}

/// Where the vectors of a loop begin.
#[derive(Clone, Copy)]
pub(super) struct Row<'c, 'a> {
    /// Its first point, and the end.
    pub(super) points: [Value<'c, 'a>; 2],
    /// Where the first vector would begin, were it not moved into the loop.
    pub(super) start: Value<'c, 'a>,
    pub(super) lanes: i64,
}

impl<'c: 'a, 'a> Line<'c, 'a> {
    /// Those of a loop: rows of neighbours that hold whole numbers of lines a vector, of values that are computed in the loop itself or before it.
    /// The CPU permutes two registers of such elements: through memory, a line would wait for two stores that each have a part of it.
    pub(super) fn all(
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        row: Row<'c, 'a>,
        permutes: Option<i64>,
    ) -> Vec<Self> {
        let body = only_block(op);
        let stores =
            ir::walk(op).into_iter().filter(|op| is(*op, "memref.store") && op.attribute("nontemporal").is_ok());
        stores
            .filter_map(|store| {
                let operands: Vec<Value> = store.operands().collect();
                let [value, memory, indices @ ..] = &operands[..] else { return None };
                let bits = bits_of_element(element_of(*memory)).filter(|bits| [8, 16, 32, 64].contains(bits))?;
                let element = i64::from(bits / 8);
                let block = ir::block_of(*value)?;
                let mut around = std::iter::successors(block.parent_operation(), |op| op.parent_operation());
                let is_there = block == body || !around.any(|around| around == op);
                if !is_there
                    || step_of_rows(*memory) != 1
                    || row.lanes * element % CACHE_LINE != 0
                    || permutes.is_none_or(|least| i64::from(bits) < least)
                {
                    return None;
                }
                let mut values = HashMap::from([(key(body.argument(0).ok()?.into()), row.points[0])]);
                let at: Option<Vec<Value>> =
                    indices.iter().map(|index| before_loop(b, *index, body, &mut values)).collect();
                Some(Self::of(b, store, *value, element_number(b, *memory, &at?), (element, row)))
            })
            .collect()
    }

    /// That of a store, which is to the element of this number at the loop's first point.
    fn of(
        b: &Builder<'c, 'a>,
        store: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        place: Value<'c, 'a>,
        (element, Row { points: [first, end], start, lanes }): (i64, Row<'c, 'a>),
    ) -> Self {
        let (line, of_vector) = (CACHE_LINE / element, b.index(lanes));
        let moved = b.arith("subi", first, start);
        let behind = b.arith("andi", b.arith("subi", place, moved), b.index(line - 1));
        let more = |is_so, from| b.select(is_so, b.arith("addi", from, of_vector), from, b.index_type());
        // A vector that is moved, and one that has none before it, stores no line, nor does one whose lines that which is moved would reach.
        let [is_moved, is_behind] = [moved, behind].map(|number| b.compare(Compare::NotEqual, number, b.index(0)));
        let from = more(is_behind, more(is_moved, start));
        let is_reached = b.compare(Compare::Greater, b.arith("addi", first, of_vector), b.arith("subi", from, behind));
        let from = more(b.logic("andi", is_moved, is_reached), from);
        // Behind the last is a vector that is not moved.
        let vectors =
            b.arith("floordivsi", b.arith("subi", b.arith("subi", end, start), b.index(2 * lanes)), of_vector);
        let last = b.arith("addi", start, b.arith("muli", vectors, of_vector));
        // But where all begin lines, and the last one, too, that one stores lines as the others do.
        let rest = b.arith("andi", b.arith("subi", end, start), b.index(line - 1));
        let is_rest = b.compare(Compare::NotEqual, b.arith("ori", rest, behind), b.index(0));
        let last = b.select(is_rest, last, end, b.index_type());
        let is_some = b.compare(Compare::LessEqual, from, last);
        let before_first = b.select(is_some, b.arith("subi", from, of_vector), end, b.index_type());
        let integers = b.vector_type(line, b.integer_type(8 * element as u32));
        Self { op: store, value, lanes, behind, before_first, first: from, last, before: zero(b, integers) }
    }

    /// What the first vector has before it.
    pub(super) fn initial(&self) -> Value<'c, 'a> {
        self.before
    }

    /// Of two lines, one behind the other, the elements that begin so many before the second: they are a line of memory.
    fn joined(&self, b: &Builder<'c, 'a>, before: Value<'c, 'a>, own: Value<'c, 'a>) -> Value<'c, 'a> {
        let module = module_of(self.op).expect("a function is in a module");
        let integer = ir::vector_element(own.r#type()).expect("a vector has elements");
        let bytes = bytes_of_element(integer);
        let lanes = CACHE_LINE / bytes;
        let name = format!("{LINE}{}.x{lanes}", 8 * bytes);
        Functions::of(module).call(b, &name, &[before, own, self.behind], own.r#type(), |b, operands| {
            let memory = MemRefType::contiguous(integer, &[2 * lanes], None).into();
            let aligned = ("alignment", b.i64_attribute(CACHE_LINE));
            let both = b.op_in_groups("memref.alloca", &[&[], &[]], &[memory], &[aligned], Vec::new());
            let both = ir::result(both, 0).expect("made with a result");
            for (line, place) in [(operands[0], 0), (operands[1], lanes)] {
                b.op("vector.store", &[line, both, b.index(place)], &[], &[]);
            }
            let at = b.arith("subi", b.index(lanes), operands[2]);
            b.value("vector.load", &[both, at], own.r#type(), &[])
        })
    }

    /// The store in an iteration that has this before it.
    pub(super) fn after(self, before: Value<'c, 'a>) -> Self {
        Self { before, ..self }
    }

    /// What the next vector has before it, behind this one.
    pub(super) fn behind(&self, b: &Builder<'c, 'a>, vector: Value<'c, 'a>) -> Value<'c, 'a> {
        self.lines_of(b, vector).pop().expect("a vector has lines")
    }

    /// The cache lines of a vector, as integers.
    fn lines_of(&self, b: &Builder<'c, 'a>, vector: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let element = ir::vector_element(vector.r#type()).expect("a vector has elements");
        let of_line = CACHE_LINE / bytes_of_element(element);
        let integers = b.vector_type(of_line, b.integer_type(8 * bytes_of_element(element) as u32));
        let line = |first: i64| {
            let own = part(b, vector, first, of_line);
            if own.r#type() == integers { own } else { b.value("vector.bitcast", &[own], integers, &[]) }
        };
        (0..self.lanes).step_by(of_line as usize).map(line).collect()
    }

    /// Stores a vector of a loop: the lines that end in it, past the caches, or as any other.
    pub(super) fn store(
        &self,
        b: &Builder<'c, 'a>,
        (value, memory, at): (Value<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]),
        number: Value<'c, 'a>,
    ) {
        let (x, row) = at.split_last().expect("an image has a dimension");
        let element = element_of(memory);
        let of_line = CACHE_LINE / bytes_of_element(element);
        let ty = b.vector_type(of_line, element);
        let as_element = |b: &Builder<'c, 'a>, line: Value<'c, 'a>| match line.r#type() == ty {
            true => line,
            false => b.value("vector.bitcast", &[line], ty, &[]),
        };
        let mask_of = |b: &Builder<'c, 'a>, until: Value<'c, 'a>| {
            b.value("vector.create_mask", &[until], b.vector_type(of_line, b.bool_type()), &[])
        };
        // The lines that end in the vector, and where they lie.
        let lines = |b: &Builder<'c, 'a>| {
            let own = self.lines_of(b, value);
            let before = std::iter::once(self.before).chain(own.iter().copied());
            let begin = b.arith("subi", *x, self.behind);
            let place = |number: i64| [row, &[b.arith("addi", begin, b.index(number * of_line))]].concat();
            let whole = before.zip(&own).map(|(before, own)| as_element(b, self.joined(b, before, *own)));
            whole.zip(0..).map(|(whole, number)| (whole, place(number))).collect::<Vec<_>>()
        };
        let is_behind = b.compare(Compare::GreaterEqual, number, self.first);
        let is_before = b.compare(Compare::LessEqual, number, self.last);
        let (past, through) = b.if_else(b.logic("andi", is_behind, is_before));

        for (whole, at) in lines(&past) {
            let operands = [&[whole, memory], &at[..]].concat();
            let attributes = [("nontemporal", b.bool_attribute(true)), ("alignment", b.i64_attribute(CACHE_LINE))];
            past.op("vector.store", &operands, &[], &attributes);
        }
        let end = past.if_then(past.compare(Compare::Equal, number, self.last));
        let own = self.lines_of(&end, value).pop().expect("a vector has lines");
        let rest = as_element(&end, self.joined(&end, own, own));
        let place = end.arith("addi", *x, end.arith("subi", end.index(self.lanes), self.behind));
        let operands = [&[memory], row, &[place, mask_of(&end, self.behind), rest]].concat();
        end.op("vector.maskedstore", &operands, &[], &[]);

        let (begin, other) = through.if_else(through.compare(Compare::Equal, number, self.before_first));
        for (number, (whole, at)) in lines(&begin).into_iter().enumerate() {
            if number > 0 {
                begin.op("vector.store", &[&[whole, memory], &at[..]].concat(), &[], &[]);
                continue;
            }
            let before = mask_of(&begin, self.behind);
            let own = begin.value("arith.xori", &[before, begin.integer(before.r#type(), &[1])], before.r#type(), &[]);
            begin.op("vector.maskedstore", &[&[memory], &at[..], &[own, whole]].concat(), &[], &[]);
        }
        other.op("vector.store", &[&[value, memory], at].concat(), &[], &[]);
    }
}

/// An index of a loop's body at the point that `values` says, computed before the loop; `None` where it depends on more than
/// index arithmetic.
pub(super) fn before_loop<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    body: BlockRef<'c, 'a>,
    values: &mut HashMap<Key, Value<'c, 'a>>,
) -> Option<Value<'c, 'a>> {
    if let Some(value) = values.get(&key(index)) {
        return Some(*value);
    }
    if ir::block_of(index) != Some(body) {
        // That of a loop inside has no value yet.
        let around = ir::block_of(index).and_then(|block| block.parent_operation());
        let mut around = std::iter::successors(around, |op| op.parent_operation());
        return (!around.any(|op| op.block() == Some(body))).then_some(index);
    }
    let op = ir::defining_op(index).filter(|op| ir::name_of(*op).starts_with("arith."))?;
    for operand in op.operands().collect::<Vec<_>>() {
        before_loop(b, operand, body, values)?;
    }
    b.clone_mapped(op, values);
    values.get(&key(index)).copied()
}
