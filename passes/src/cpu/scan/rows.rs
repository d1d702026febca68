//! Rows of an image that become columns of a block's memory, or the other way round: so many of both at once as a vector has lanes, in registers
//! ([`transpose`]).

use super::super::{addresses::element_number, stores::Flag, transpose::transpose};
use crate::ir::{Builder, Compare, Number, bytes_of_element, element_of};
use melior::ir::Value;

/// Lines of an image that runs along its last dimension.
pub(super) struct Rows<'c, 'a> {
    pub(super) memory: Value<'c, 'a>,
    /// The coordinates of each, 0 along it.
    pub(super) lines: Vec<Vec<Value<'c, 'a>>>,
    pub(super) extent: Number<'c, 'a>,
    /// The lane of the first one.
    pub(super) lane: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// Copies the lines to the columns of `columns`, or, where `non_temporal` says how, those to the lines.
    pub(super) fn transpose(&self, b: &Builder<'c, 'a>, columns: Value<'c, 'a>, non_temporal: Option<Flag<'c, 'a>>) {
        let width = self.lines.len() as i64;
        let element = element_of(self.memory);
        let is_whole = match non_temporal {
            Some(Flag::Known(true)) => Some(self.are_whole(b)),
            Some(Flag::Asked(flag)) => Some(b.logic("andi", flag, self.are_whole(b))),
            _ => None,
        };
        let extent = self.extent.value(b);
        let (wide, narrow) = match self.extent {
            Number::Known(extent) => ((extent >= width).then_some(*b), (extent < width).then_some(*b)),
            Number::Value(_) => {
                let (wide, narrow) = b.if_else(b.compare(Compare::GreaterEqual, extent, b.index(width)));
                (Some(wide), Some(narrow))
            }
        };
        if let Some(b) = wide {
            let (b, from) = b.for_every(b.index(0), extent, width);
            // The last ones are moved back to end with the line.
            let at = b.arith("minsi", from, b.arith("subi", extent, b.index(width)));
            let ty = b.vector_type(width, element);
            let places: Vec<Vec<Value>> =
                (0..width).map(|more| vec![b.arith("addi", at, b.index(more)), self.lane]).collect();
            let lines: Vec<Vec<Value>> = self.lines.iter().map(|line| self.place(line, at)).collect();
            let (memory, from, (other, to)) = match non_temporal {
                None => (self.memory, &lines, (columns, &places)),
                Some(_) => (columns, &places, (self.memory, &lines)),
            };
            let load = |at: &Vec<Value<'c, 'a>>| b.value("vector.load", &[&[memory], &at[..]].concat(), ty, &[]);
            let vectors = transpose(&b, from.iter().map(load).collect());
            let store = |b: &Builder<'c, 'a>, attributes: &[(&str, _)]| {
                for (vector, at) in vectors.iter().zip(to) {
                    b.op("vector.store", &[&[*vector, other], &at[..]].concat(), &[], attributes);
                }
            };
            let to_cache = |b: &Builder<'c, 'a>| {
                if non_temporal.is_some() {
                    // As many rows as there are lanes are more than the CPU follows.
                    let later = b.arith("addi", at, b.index(width));
                    let later = b.arith("minsi", later, b.arith("subi", extent, b.index(1)));
                    self.lines.iter().for_each(|line| b.prefetch(self.memory, &self.place(line, later), true));
                }
                store(b, &[]);
            };
            match is_whole {
                None => to_cache(&b),
                Some(is_whole) => {
                    let rest = b.arith("andi", at, b.index(width - 1));
                    let is_whole = b.logic("andi", is_whole, b.compare(Compare::Equal, rest, b.index(0)));
                    let (non_temporal, cached) = b.if_else(is_whole);
                    let bytes = width * bytes_of_element(element);
                    let aligned = ("alignment", b.i64_attribute(bytes));
                    store(&non_temporal, &[("nontemporal", b.bool_attribute(true)), aligned]);
                    to_cache(&cached);
                }
            }
        }
        if let Some(b) = narrow {
            let (b, at) = b.for_loop(b.index(0), extent);
            for (number, line) in self.lines.iter().enumerate() {
                let (line, place) = (self.place(line, at), [at, b.arith("addi", self.lane, b.index(number as i64))]);
                match non_temporal {
                    None => b.store(b.load(self.memory, &line, element), columns, &place),
                    Some(_) => b.store(b.load(columns, &place, element), self.memory, &line),
                }
            }
        }
    }

    fn place(&self, line: &[Value<'c, 'a>], at: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (_, outer) = line.split_last().expect("a line has a dimension");
        [outer, &[at]].concat()
    }

    /// Whether all lines begin with a vector that can be stored by a non-temporal store.
    fn are_whole(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let numbers = self.lines.iter().map(|line| element_number(b, self.memory, line));
        let all = numbers.reduce(|all, number| b.arith("ori", all, number)).unwrap_or_else(|| b.index(0));
        let rest = b.arith("andi", all, b.index(self.lines.len() as i64 - 1));
        b.compare(Compare::Equal, rest, b.index(0))
    }
}
