//! Rows of an image that become columns of a block's memory, or the other way round.
//!
//! ```text
//! a0 a1 a2 a3     a0 c0 a1 c1     a0 b0 c0 d0
//! b0 b1 b2 b3 ──▶ a2 c2 a3 c3 ──▶ a1 b1 c1 d1      v[i], v[i + n/2] ──▶ v[2 i], v[2 i + 1]
//! c0 c1 c2 c3     b0 d0 b1 d1     a2 b2 c2 d2
//! d0 d1 d2 d3     b2 d2 b3 d3     a3 b3 c3 d3
//! ```
//!
//! So many rows and columns at once as a vector has lanes, by rounds of interleaving in registers.

use super::super::{addresses::element_number, stores::Flag};
use crate::ir::{Builder, Compare, Number, bytes_of_element, element_of};
use melior::ir::{Type, Value};

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
            let vectors = transpose(&b, from.iter().map(load).collect(), ty);
            let store = |b: &Builder<'c, 'a>, attributes: &[(&str, _)]| {
                for (vector, at) in vectors.iter().zip(to) {
                    b.op("vector.store", &[&[*vector, other], &at[..]].concat(), &[], attributes);
                }
            };
            match is_whole {
                None => store(&b, &[]),
                Some(is_whole) => {
                    let rest = b.arith("andi", at, b.index(width - 1));
                    let is_whole = b.logic("andi", is_whole, b.compare(Compare::Equal, rest, b.index(0)));
                    let (non_temporal, cached) = b.if_else(is_whole);
                    let bytes = width * bytes_of_element(element);
                    let aligned = ("alignment", b.i64_attribute(bytes));
                    store(&non_temporal, &[("nontemporal", b.bool_attribute(true)), aligned]);
                    store(&cached, &[]);
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

/// Vectors of as many lanes as there are vectors, transposed.
fn transpose<'c: 'a, 'a>(b: &Builder<'c, 'a>, mut vectors: Vec<Value<'c, 'a>>, ty: Type<'c>) -> Vec<Value<'c, 'a>> {
    let count = vectors.len() as i64;
    let half = vectors.len() / 2;
    let interleaved = |from: i64| (from..from + count / 2).flat_map(|lane| [lane, count + lane]).collect::<Vec<_>>();
    let masks = [interleaved(0), interleaved(count / 2)].map(|mask| b.integers(&mask));
    for _ in 0..count.ilog2() {
        let pairs = (0..half).map(|number| [vectors[number], vectors[number + half]]);
        let both = pairs.flat_map(|pair| masks.map(|mask| b.value("vector.shuffle", &pair, ty, &[("mask", mask)])));
        vectors = both.collect();
    }
    vectors
}
