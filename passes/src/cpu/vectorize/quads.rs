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

use super::{
    super::addresses::step_of_rows,
    pairs::Column,
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, bits_of_element, block_of, constant_index, element_of, one_block, zero};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};

/// Neighbours that are read together.
const FOUR: usize = 4;

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
            let both = b.value("arith.andi", &[below, above], below.r#type(), &[]);
            let kind = ("kind", b.parse_attribute("#vector.kind<and>"));
            b.value("vector.reduction", &[both], b.bool_type(), &[kind])
        };
        let row: Vec<Value> = row.iter().map(|index| self.vector(b, *index)).collect();
        let ty = self.vector_type(b, element);
        let regions = vec![one_block(&[]), one_block(&[])];
        let made = b.op_with_regions("scf.if", &[is_inside], &[ty; FOUR], &[], regions);
        let [inside, outside] = [0, 1].map(|region| Builder::at_end(b.context(), block_of(made, region), b.location()));
        let offsets = self.offsets(&inside, memory, &[&row[..], &[first]].concat());
        let transposed = match bits {
            32 => self.transposed(&inside, memory, indices.len(), offsets),
            _ => self.parts(&inside, memory, indices.len(), offsets),
        };
        inside.op("scf.yield", &transposed, &[], &[]);
        let gathered = (0..FOUR as i64).map(|by| {
            let index = outside.value("arith.addi", &[first, outside.integer(index_type, &[by])], index_type, &[]);
            let index = outside.value("arith.maxsi", &[index, self.broadcast(&outside, least)], index_type, &[]);
            let index = outside.value("arith.minsi", &[index, self.broadcast(&outside, most)], index_type, &[]);
            let offsets = self.offsets(&outside, memory, &[&row[..], &[index]].concat());
            self.gather_at(&outside, memory, indices.len(), offsets, ty)
        });
        let gathered: Vec<Value> = gathered.collect();
        outside.op("scf.yield", &gathered, &[], &[]);
        self.gathers += FOUR;
        let four: Vec<Value> = made.results().map(Value::from).collect();
        let own = four[place];
        self.shared.fours.insert(tap.row, four);
        Some(own)
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

    /// Four elements for each lane from such offsets on: vectors of the first of all lanes, of the second, and so on.
    fn transposed(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offsets: Value<'c, 'a>,
    ) -> Vec<Value<'c, 'a>> {
        let four = b.vector_type(FOUR as i64, element_of(memory));
        let load = |at: Vec<Value<'c, 'a>>| b.value("vector.load", &[&[memory], &at[..]].concat(), four, &[]);
        let lanes: Vec<Value> = self.places_at(b, rank, offsets).into_iter().map(load).collect();
        let ty = self.vector_type(b, element_of(memory));
        // The fours of lanes 0, 4, 8, ... one behind the other, then those of lanes 1, 5, 9, ...
        let row = |first: usize| {
            let own = lanes.iter().skip(first).step_by(FOUR);
            own.zip((0..).step_by(FOUR)).fold(zero(b, ty), |row, (lane, place)| {
                let offsets = ("offsets", b.parse_attribute(&format!("[{place}]")));
                let attributes = [offsets, ("strides", b.parse_attribute("[1]"))];
                b.value("vector.insert_strided_slice", &[*lane, row], ty, &attributes)
            })
        };
        let rows = [0, 1, 2, 3].map(row);
        // In each four elements: some of the left vector and of the right one, whose elements are counted on.
        let join = |left, right, places: [i64; FOUR]| {
            let of_part = |start: i64| places.map(|place| start + place % 4 + place / 4 * self.lanes);
            let mask: Vec<i64> = (0..self.lanes).step_by(FOUR).flat_map(of_part).collect();
            b.value("vector.shuffle", &[left, right], ty, &[("mask", b.integers(&mask))])
        };
        let both =
            [[0, 4, 1, 5], [2, 6, 3, 7]].map(|places| [join(rows[0], rows[1], places), join(rows[2], rows[3], places)]);
        let transposed = both.map(|[left, right]| [[0, 1, 4, 5], [2, 3, 6, 7]].map(|places| join(left, right, places)));
        transposed.concat()
    }
}
