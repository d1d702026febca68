//! Two neighbours of a row at a place that each lane computes, as an interpolation reads them: one load for both.
//!
//! ```text
//! %a = load %m[%i, clamp(%j)]               %k = clamp(%j) to the last column but one
//! %b = load %m[%i, clamp(%j + 1)]   ──▶     %n = of each lane the two elements from %m[%i, %k] on, as one number
//!                                           %a, %b = the half of %n in which column clamp(%j), clamp(%j + 1) lies
//! ```
//!
//! CPUs gather no bytes, and no numbers of 16 bits: each lane has an address to take out of a vector, a load, and a value to put into one. With
//! one load for two that is half of it; of 32 bits, it is less than two gathers. Of a row with one column there is no pair: where extents are not
//! known, that is asked, and then it is gathered.

use super::{
    super::addresses::step_of_rows,
    loads::lane_of,
    places::Pair,
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, bits_of_element, constant_index, element_of};
use melior::ir::{OperationRef, Value, ValueLike};
use mlir_glue::ir;

/// A column that was brought between two others.
pub(super) struct Column<'c, 'a> {
    pub(super) index: Value<'c, 'a>,
    pub(super) ends: [Value<'c, 'a>; 2],
}

impl<'c: 'a, 'a> Column<'c, 'a> {
    pub(super) fn of(brought: Value<'c, 'a>) -> Option<Self> {
        let (index, most) = operands_of(brought, "arith.minsi")?;
        let (index, least) = operands_of(index, "arith.maxsi")?;
        Some(Self { index, ends: [least, most] })
    }
}

fn operands_of<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
    let op = ir::defining_op(value).filter(|op| ir::name_of(*op) == name)?;
    Some((ir::operand(op, 0)?, ir::operand(op, 1)?))
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A load at a computed place, where the element before or behind is read, too.
    pub(super) fn one_of_pair(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let element = element_of(memory);
        let bits = i64::from(bits_of_element(element)?);
        let tap = self.reach.neighbours(op, 2)?;
        let (last, row) = indices.split_last()?;
        let column = Column::of(*last)?;
        let [Lanes::Same(least), Lanes::Same(most)] = column.ends.map(|end| self.of(end)) else { return None };
        // Then the first column of a pair is in memory, too, whatever else is not.
        let is_column = constant_index(least).is_some_and(|least| least >= 0);
        let is_dense = step_of_rows(memory) == 1;
        if self.active.is_some() || ![8, 16, 32].contains(&bits) || !is_dense || !is_column {
            return None;
        }
        let ends = constant_index(least).zip(constant_index(most));
        if ends.is_some_and(|(least, most)| most <= least) {
            return None;
        }
        let index_type = self.vector_type(b, b.index_type());
        let pair = match self.shared.pairs.get(&tap.row) {
            Some(pair) => *pair,
            None => {
                // Where the first one would be, that is this one or the one before it.
                let mut index = self.vector(b, column.index);
                if tap.offset != 0 {
                    index = b.value("arith.subi", &[index, b.integer(index_type, &[tap.offset])], index_type, &[]);
                }
                let but_one = match constant_index(most) {
                    Some(most) => b.index(most - 1),
                    None => b.arith("addi", most, b.index(-1)),
                };
                let inside = b.value("arith.maxsi", &[index, self.broadcast(b, least)], index_type, &[]);
                let first = b.value("arith.minsi", &[inside, self.broadcast(b, but_one)], index_type, &[]);
                let mut at: Vec<Value> = row.iter().map(|index| self.vector(b, *index)).collect();
                at.push(first);
                let offsets = self.offsets(b, memory, &at);
                let rank = indices.len();
                let number = match ends {
                    Some(_) => self.both(b, memory, rank, offsets),
                    None => b.if_either(
                        b.compare(Compare::Greater, most, least),
                        self.vector_type(b, self.number_of(b, memory, 2)),
                        |b| self.both(b, memory, rank, offsets),
                        |b| self.second_alone(b, memory, rank, offsets),
                    ),
                };
                let pair = Pair { number, first };
                self.shared.pairs.insert(tap.row, pair);
                pair
            }
        };
        let own = self.vector(b, *last);
        let is_first = self.compared(b, Compare::Equal, own, pair.first);
        let ty = pair.number.r#type();
        let upper = b.value("arith.shrui", &[pair.number, b.integer(ty, &[bits])], ty, &[]);
        let half = b.select(is_first, pair.number, upper, ty);
        Some(self.lowest(b, half, element))
    }

    /// Two elements for each lane, as numbers.
    fn both(&self, b: &Builder<'c, 'a>, memory: Value<'c, 'a>, rank: usize, offsets: Value<'c, 'a>) -> Value<'c, 'a> {
        self.numbers_at(b, memory, 2, self.places_at(b, rank, offsets))
    }

    /// The place of each lane in memory of so many dimensions, of which the last counts elements.
    pub(super) fn places_at(
        &self,
        b: &Builder<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
    ) -> Vec<Vec<Value<'c, 'a>>> {
        let place = |lane| {
            let mut at = vec![b.index(0); rank];
            at[rank - 1] = lane_of(b, offsets, lane, b.index_type());
            at
        };
        (0..self.lanes).map(place).collect()
    }

    /// The same of rows with one column, which is the second of two.
    fn second_alone(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let (element, index_type) = (element_of(memory), offsets.r#type());
        let second = b.value("arith.addi", &[offsets, b.integer(index_type, &[1])], index_type, &[]);
        let own = self.gather_at(b, memory, rank, second, self.vector_type(b, element));
        let own = self.as_elements(b, own, self.number_of(b, memory, 1));
        let ty = self.vector_type(b, self.number_of(b, memory, 2));
        let wide = b.value("arith.extui", &[own], ty, &[]);
        let bits = i64::from(bits_of_element(element).unwrap_or_default());
        b.value("arith.shli", &[wide, b.integer(ty, &[bits])], ty, &[])
    }
}
