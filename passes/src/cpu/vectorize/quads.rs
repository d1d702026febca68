//! Four neighbours of a row at a place that each lane computes, as cubic interpolation reads them: one load for all four.
//!
//! ```text
//! %a = load %m[%i, clamp(%j - 1)]          if all lanes have their four inside {
//! %b = load %m[%i, clamp(%j)]         ──▶    of each lane four elements from %m[%i, %j - 1] on, transposed
//! %c = load %m[%i, clamp(%j + 1)]          } else {
//! %d = load %m[%i, clamp(%j + 2)]            gathers }
//! ```
//!
//! Four gathers ask for the same cache line four times in each lane. Vectors of which a lane has a column outside are few, and gathered as before.
//! Elements of 32 bits are four to a register of 128 bits, and those of four lanes are transposed; smaller ones are one number for each lane.
//!
//! The same where three or four elements of 32 bits lie at the same columns of a row that each lane computes, as the channels of a colour that is looked up do.
//! Of three the fourth that is read beside them is in memory, too, but behind the last of all, where rows are not known to have four. Two fours of a row that has
//! eight, as `--pack-pixels` makes them, are one load.

use super::{
    super::{
        addresses::{extent_of, step_of_rows},
        fours::{FOUR, columns},
    },
    pairs::Column,
    registers::part,
    together::last_start,
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, bits_of_element, constant_index, element_of, zero};
use melior::ir::{OperationRef, Type, Value, ValueLike};
use weft_dialects::weft;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A load at a computed place, where the three elements beside it are read, too.
    pub(super) fn one_of_four(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let element = element_of(memory);
        let bits = bits_of_element(element)?;
        let tap = self.reach.neighbours(op, FOUR)?;
        let (last, row) = indices.split_last()?;
        let column = Column::of(*last)?;
        let [Lanes::Same(least), Lanes::Same(most)] = column.ends.map(|end| self.of(end)) else { return None };
        let is_known = [8, 16, 32].contains(&bits) && self.lanes % FOUR as i64 == 0;
        // An image that is known to be so narrow has no four.
        let is_narrow = constant_index(least).zip(constant_index(most)).is_some_and(|(least, most)| most - least < 3);
        if self.active.is_some() || !is_known || is_narrow || step_of_rows(memory) != 1 {
            return None;
        }
        let place = tap.offset as usize;
        if let Some(four) = self.shared.fours.get(&tap.row) {
            return Some(four[place]);
        }
        let index_type = self.vector_type(b, b.index_type());
        let index = self.vector(b, column.index);
        let first = b.value("arith.subi", &[index, b.integer(index_type, &[tap.offset])], index_type, &[]);
        let is_inside = {
            let below = self.compared(b, Compare::GreaterEqual, first, self.broadcast(b, least));
            // What is near the greatest number of all does not wrap around to the least.
            let but_three = b.arith("addi", most, b.index(-3));
            let above = self.compared(b, Compare::LessEqual, first, self.broadcast(b, but_three));
            b.value("arith.andi", &[below, above], below.r#type(), &[])
        };
        let row: Vec<Value> = row.iter().map(|index| self.vector(b, *index)).collect();
        let ty = self.vector_type(b, element);
        let inside = |b: &Builder<'c, 'a>| {
            let offsets = self.offsets(b, memory, &[&row[..], &[first]].concat());
            match bits {
                32 => self.transposed(b, memory, indices.len(), (offsets, 1)),
                _ => self.parts(b, memory, indices.len(), offsets),
            }
        };
        let outside = |b: &Builder<'c, 'a>| {
            let gathered = (0..FOUR as i64).map(|by| {
                let index = b.value("arith.addi", &[first, b.integer(index_type, &[by])], index_type, &[]);
                let index = b.value("arith.maxsi", &[index, self.broadcast(b, least)], index_type, &[]);
                let index = b.value("arith.minsi", &[index, self.broadcast(b, most)], index_type, &[]);
                let offsets = self.offsets(b, memory, &[&row[..], &[index]].concat());
                self.gather_at(b, memory, indices.len(), offsets, ty)
            });
            gathered.collect()
        };
        let four = self.if_all(b, is_inside, (FOUR, ty), inside, outside);
        self.gathers += FOUR;
        let own = four[place];
        self.shared.fours.insert(tap.row, four);
        Some(own)
    }

    /// A load at a computed place of elements of 32 bits, where others read what is beside it: three or four in all, or up to eight of which no four begin
    /// outside.
    pub(super) fn one_of_few(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let (last, rows) = indices.split_last()?;
        let Lanes::Same(last) = self.of(*last) else { return None };
        let (row, (before, behind)) = self.reach.row_of(op)?;
        let count = before.checked_add(behind)?.checked_add(1).filter(|count| (3..=8).contains(count))?;
        let is_known = bits_of_element(element_of(memory)) == Some(32) && self.lanes % FOUR as i64 == 0;
        // Of rows below each other the places are known.
        let is_computed = count < FOUR as i64 || rows.iter().any(|row| matches!(self.of(*row), Lanes::Own(_)));
        if self.active.is_some() || !is_known || !is_computed || step_of_rows(memory) != 1 {
            return None;
        }
        let place = before as usize;
        if let Some(few) = self.shared.fours.get(&row) {
            return Some(few[place]);
        }
        let rank = indices.len();
        let fours = (count as usize).div_ceil(FOUR);
        // Whether rows are known to have as many.
        let first = constant_index(last).map(|last| last - before);
        let extent = extent_of(b, memory, rank - 1).known();
        let is_inside = first.zip(extent).is_some_and(|(first, extent)| first + (fours * FOUR) as i64 <= extent);
        if !is_inside && count > FOUR as i64 {
            return None;
        }
        let offsets = self.offsets_before(b, memory, rows, (last, before));
        let few = match is_inside || count == FOUR as i64 {
            true => self.transposed(b, memory, rank, (offsets, fours)),
            false => {
                let most = last_start(b, memory, rank, FOUR as i64);
                let predicate = ("predicate", b.i64_attribute(Compare::LessEqual as i64));
                let bools = self.vector_type(b, b.bool_type());
                let operands = [offsets, self.broadcast(b, most)];
                let is_inside =
                    b.value("arith.cmpi", &operands, bools, &[predicate, (weft::PLACES, b.unit_attribute())]);
                let ty = self.vector_type(b, element_of(memory));
                let inside =
                    |b: &Builder<'c, 'a>| self.transposed(b, memory, rank, (offsets, 1))[..count as usize].to_vec();
                let outside = |b: &Builder<'c, 'a>| self.gather_from(b, memory, rank, offsets, count);
                let few = self.if_all(b, is_inside, (count as usize, ty), inside, outside);
                self.gathers += count as usize;
                few
            }
        };
        let own = few[place];
        self.shared.fours.insert(row, few);
        Some(own)
    }

    /// So many vectors of a type: what `all` makes where all lanes have a bit, and what `some` makes elsewhere.
    fn if_all(
        &self,
        b: &Builder<'c, 'a>,
        bits: Value<'c, 'a>,
        (count, ty): (usize, Type<'c>),
        all: impl Fn(&Builder<'c, 'a>) -> Vec<Value<'c, 'a>>,
        some: impl Fn(&Builder<'c, 'a>) -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let kind = ("kind", b.parse_attribute("#vector.kind<and>"));
        let has_all = b.value("vector.reduction", &[bits], b.bool_type(), &[kind]);
        let (values, [yes, no]) = b.branches(has_all, &vec![ty; count]);
        yes.op("scf.yield", &all(&yes), &[], &[]);
        no.op("scf.yield", &some(&no), &[], &[]);
        values
    }

    /// A comparison of two indices in each lane.
    pub(super) fn compared(
        &self,
        b: &Builder<'c, 'a>,
        predicate: Compare,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let predicate = ("predicate", b.i64_attribute(predicate as i64));
        b.value("arith.cmpi", &[left, right], self.vector_type(b, b.bool_type()), &[predicate])
    }

    /// Four elements for each lane from such offsets on, each as a part of one number.
    fn parts(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
    ) -> Vec<Value<'c, 'a>> {
        let element = element_of(memory);
        let bits = i64::from(bits_of_element(element).unwrap_or_default());
        let all = self.numbers_at(b, memory, FOUR as i64, self.places_at(b, rank, offsets));
        let ty = all.r#type();
        let part = |place: i64| {
            let above = b.value("arith.shrui", &[all, b.integer(ty, &[place * bits])], ty, &[]);
            self.lowest(b, if place == 0 { all } else { above }, element)
        };
        (0..FOUR as i64).map(part).collect()
    }

    /// Once or twice four elements for each lane from such offsets on: vectors of the first of all lanes, of the second, and so on.
    fn transposed(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        (offsets, fours): (Value<'c, 'a>, usize),
    ) -> Vec<Value<'c, 'a>> {
        let element = element_of(memory);
        let own = b.vector_type((fours * FOUR) as i64, element);
        let load = |at: Vec<Value<'c, 'a>>| b.value("vector.load", &[&[memory], &at[..]].concat(), own, &[]);
        let lanes: Vec<Value> = self.places_at(b, rank, offsets).into_iter().map(load).collect();
        let list = |number: usize| b.parse_attribute(&format!("[{number}]"));
        let place = |place: usize| [("offsets", list(place)), ("strides", list(1))];
        let ty = self.vector_type(b, element);
        // The fours of lanes 0, 4, 8, ... one behind the other, then those of lanes 1, 5, 9, ...
        let row = |first: usize, number: usize| {
            let own = lanes.iter().skip(number).step_by(FOUR).map(|lane| part(b, *lane, first as i64, FOUR as i64));
            own.zip((0..).step_by(FOUR)).fold(zero(b, ty), |row, (lane, at)| {
                b.value("vector.insert_strided_slice", &[lane, row], ty, &place(at))
            })
        };
        (0..fours).flat_map(|four| columns(b, [0, 1, 2, 3].map(|number| row(four * FOUR, number)))).collect()
    }
}
