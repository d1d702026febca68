//! Neighbours that each lane reads at a place of its own, such as the channels of a pixel that a warp looks up: one number for all of them.
//!
//! ```text
//! %r = load %m[%i, %j, 0]          %n = of each lane the four bytes from %m[%i, %j, 0] on, as one number
//! %g = load %m[%i, %j, 1]   ──▶    %r, %g, %b = the lowest byte of %n, of %n >> 8, of %n >> 16
//! %b = load %m[%i, %j, 2]
//! ```
//!
//! CPUs gather no bytes: each lane has an address to take out of a vector, a load, and a value to put into one. There is no number of three bytes. What is
//! read beside them lies in memory as well, but behind the last pixel of all: there the number begins earlier, and is shifted. Of less memory than a number it
//! is made of gathers.

use super::{
    super::addresses::{extent_of, step_of_rows, strides_of},
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, Emit, Number, bits_of_element, element_of};
use melior::ir::{OperationRef, Type, Value, ValueLike};
use weft_dialects::weft;
use weft_model::Arith;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A load at a computed place, where others read what is beside it.
    pub(super) fn one_of_number(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let (number, (before, _)) = self.number_around(b, op, memory, indices)?;
        Some(self.part_of_number(b, number, before, element_of(memory)))
    }

    /// An element of numbers, by its place in them.
    pub(super) fn part_of_number(
        &self,
        b: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
        place: i64,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        let (ty, bits) = (number.r#type(), i64::from(bits_of_element(element).unwrap_or_default()));
        let own = b.value("arith.shrui", &[number, b.integer(ty, &[place * bits])], ty, &[]);
        self.lowest(b, own, element)
    }

    /// What a load and others beside it read, as one number, and how many elements of it lie before and behind that of the load.
    pub(super) fn number_around(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<(Value<'c, 'a>, (i64, i64))> {
        let bits = i64::from(bits_of_element(element_of(memory))?);
        let (last, rows) = indices.split_last()?;
        let Lanes::Same(last) = self.of(*last) else { return None };
        let (row, (before, behind)) = self.reach.row_of(op)?;
        let count = before.checked_add(behind)?.checked_add(1).filter(|count| (2..=8).contains(count))?;
        let wide = (count * bits).cast_unsigned().next_power_of_two().cast_signed();
        let is_number = [8, 16, 32].contains(&bits) && [16, 32, 64].contains(&wide);
        if self.active.is_some() || !is_number || step_of_rows(memory) != 1 {
            return None;
        }
        let number = match self.shared.numbers.get(&row) {
            Some(number) => *number,
            None => {
                let offsets = self.offsets_before(b, memory, rows, (last, before));
                let number = self.number_at(b, memory, indices.len(), offsets, (count, wide / bits));
                self.shared.numbers.insert(row, number);
                number
            }
        };
        Some((number, (before, behind)))
    }

    /// The offset in each lane of what is so many elements before a column that is the same in all.
    pub(super) fn offsets_before(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rows: &[Value<'c, 'a>],
        (column, before): (Value<'c, 'a>, i64),
    ) -> Value<'c, 'a> {
        let first = Emit(b).add(&Number::Value(column), &Number::Known(-before)).value(b);
        let mut at: Vec<Value> = rows.iter().map(|index| self.vector(b, *index)).collect();
        at.push(self.broadcast(b, first));
        self.offsets(b, memory, &at)
    }

    /// So many elements for each lane from an offset on, each gathered.
    pub(super) fn gather_from(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
        count: i64,
    ) -> Vec<Value<'c, 'a>> {
        let index_type = offsets.r#type();
        let gather = |place| {
            let at = b.value("arith.addi", &[offsets, b.integer(index_type, &[place])], index_type, &[]);
            self.gather_at(b, memory, rank, at, self.vector_type(b, element_of(memory)))
        };
        (0..count).map(gather).collect()
    }

    /// Of each lane so many elements from an offset on, in a number that has room for `room`; what is above them is anything.
    fn number_at(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
        (count, room): (i64, i64),
    ) -> Value<'c, 'a> {
        if count == room {
            return self.numbers_at(b, memory, count, self.places_at(b, rank, offsets));
        }
        let bits = i64::from(bits_of_element(element_of(memory)).unwrap_or_default());
        let number = self.number_of(b, memory, room);
        let ty = self.vector_type(b, number);
        let last = last_start(b, memory, rank, room);
        let is_enough = b.compare(Compare::GreaterEqual, last, b.index(0));
        let as_number = |b: &Builder<'c, 'a>, value: Value<'c, 'a>| b.value("arith.index_cast", &[value], ty, &[]);
        let one = |b: &Builder<'c, 'a>| {
            let index_type = offsets.r#type();
            let places = [(weft::PLACES, b.unit_attribute())];
            let start = b.value("arith.minsi", &[offsets, self.broadcast(b, last)], index_type, &places);
            let passed = b.value("arith.subi", &[offsets, start], index_type, &[]);
            let shift = b.value("arith.muli", &[as_number(b, passed), b.integer(ty, &[bits])], ty, &[]);
            let all = self.numbers_at(b, memory, room, self.places_at(b, rank, start));
            b.value("arith.shrui", &[all, shift], ty, &[])
        };
        let several = |b: &Builder<'c, 'a>| {
            let gathered = self.gather_from(b, memory, rank, offsets, count);
            let elements = gathered.into_iter().zip(0..).map(|(own, place)| {
                let own = self.as_elements(b, own, self.number_of(b, memory, 1));
                let own = b.value("arith.extui", &[own], ty, &[]);
                b.value("arith.shli", &[own, b.integer(ty, &[place * bits])], ty, &[])
            });
            let elements: Vec<Value> = elements.collect();
            let join = |all, one| b.value("arith.ori", &[all, one], ty, &[]);
            elements.into_iter().reduce(join).unwrap_or_else(|| b.integer(ty, &[0]))
        };
        b.if_either(is_enough, ty, one, several)
    }
}

/// The greatest offset from which on so many elements lie in memory of so many dimensions.
pub(super) fn last_start<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    rank: usize,
    room: i64,
) -> Value<'c, 'a> {
    // That of the last element of all. Of a dimension that runs backwards it is the first one.
    let (_, strides) = strides_of(b, memory, rank);
    let mut end = Number::Known(0);
    for (d, stride) in strides.into_iter().enumerate() {
        let mut emit = Emit(b);
        let steps = emit.add(&extent_of(b, memory, d), &Number::Known(-1));
        let stride = stride.map_or(Number::Known(1), Number::Value);
        let stride = emit.max(&stride, &Number::Known(0));
        let length = Number::Value(b.arith("muli", steps.value(b), stride.value(b)));
        end = emit.add(&end, &length);
    }
    Emit(b).add(&end, &Number::Known(1 - room)).value(b)
}
