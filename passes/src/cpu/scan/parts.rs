//! Rows in parts, of which each thread has one: what is before it in each row is known when it begins.
//!
//! ```text
//! scf.parallel = blocks of rows { for each row {
//!   scf.for %n = 0 to the last part iter_args(%p = %zero) {
//!     store %p, %before[%y, %n]
//!     for %x, 16 lanes: store %a, %own[%x]                 the point's own values, in a row of the thread's
//!     %sum = <%own, joined>
//!     yield %p + %sum }
//!   store, for the last part } }
//! scf.parallel (%n) = parts { <bands of rows, of these columns alone: rows begin with %before[%y, %n]> }
//! ```
//!
//! Then scans down columns read what the same thread has written, and wait for nobody: of a band that threads share each would have half from the
//! caches of others. The points' own values are computed twice, but for the last part.

use super::{
    super::{
        lanes::mark_lanes,
        memory::{allocate, free},
    },
    chain::{Chain, Columns, Held},
    joined::{Joined, ROWS, Steps},
};
use crate::{
    analysis::domain,
    ir::{Builder, Number},
};
use melior::ir::Value;
use mlir_glue::Failure;
use weft_model::Cpu;

/// Columns of a part are a multiple of so many: whole cache lines of the shortest elements.
const COLUMNS: i64 = 64;

/// Parts, at most: bytes of what is before them stay numbers of 64 bits, whatever a target file says.
const MOST_PARTS: i64 = 1 << 10;

/// The parts of the rows of a scan.
pub(super) struct Parts<'c, 'a> {
    /// Columns of each but the last.
    pub(super) width: Value<'c, 'a>,
    extent: Value<'c, 'a>,
    count: Value<'c, 'a>,
    /// For each result what is before each part of each row.
    before: Vec<Held<'c, 'a>>,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    /// As many as there are cores, or fewer, with the loops that compute what is before them.
    ///
    /// # Errors
    ///
    /// Those of the scan's body.
    pub(super) fn of(
        b: &Builder<'c, 'a>,
        chain: &Chain<'_, 'c, 'a>,
        joined: &[Joined<'c, 'a>],
        cpu: &Cpu,
    ) -> Result<Self, Failure<'c>> {
        let scan = chain.members[0].scan;
        let (along, extent) = (chain.along, domain::bounds(*scan)[chain.along].1.value(b));
        let cores = cpu.cores.clamp(1, MOST_PARTS);
        let up = |value, by: i64| b.arith("divui", b.arith("addi", value, b.index(by - 1)), b.index(by));
        let width = b.arith("muli", up(up(extent, cores), COLUMNS), b.index(COLUMNS));
        let width = b.arith("maxsi", width, b.index(COLUMNS));
        let count = b.arith("addi", extent, b.arith("subi", width, b.index(1)));
        let count = b.arith("maxsi", b.arith("divui", count, width), b.index(1));
        let before = chain.results().into_iter().map(|image| {
            let mut extents = chain.extents(image);
            extents[along] = Number::Value(count);
            Held { image, memory: allocate(b, &extents, chain.element_of(image)) }
        });
        let parts = Self { width, extent, count, before: before.collect() };

        let block = chain.blocks(b, &chain.domain(b, None), Number::Known(ROWS), false);
        let each = block.b.located(b.location());
        let own: Vec<Value> = parts
            .before
            .iter()
            .map(|held| allocate(&each, &[Number::Value(width)], chain.element_of(held.image)))
            .collect();
        let (row, line) = chain.each_line(&each, &block);
        let store = |b: &Builder<'c, 'a>, part, before: &[Value<'c, 'a>]| {
            let at = line.point(along, part);
            before.iter().zip(&parts.before).for_each(|(value, held)| b.store(*value, held.memory, &at));
        };
        let last = row.arith("subi", count, row.index(1));
        // The scan comes to the parts in its own order.
        let part_of = |b: &Builder<'c, 'a>, step| if scan.is_backward() { b.arith("subi", last, step) } else { step };
        let start: Vec<Value> = joined.iter().map(|joined| joined.start).collect();
        let all = row.for_carrying([row.index(0), last, row.index(1)], &start, |b, step, before| {
            let part = part_of(b, step);
            store(b, part, before);
            let [from, to] = parts.range(b, part);
            let (points, at) = b.for_loop(from, to);
            _ = mark_lanes(at, chain.lanes, b);
            let values = chain.own_values(&points, &block, &line, joined, at, None)?;
            let place = [points.arith("subi", at, from)];
            values.iter().zip(&own).for_each(|(value, memory)| points.store(*value, *memory, &place));
            let steps =
                Steps { steps: [b.index(0), b.arith("subi", to, from)], lanes: chain.lanes, is_backward: false };
            let each = joined.iter().zip(&own).zip(before);
            each.map(|((joined, memory), before)| joined.total(b, &steps, *memory, *before))
                .collect::<Result<Vec<_>, _>>()
        })?;
        store(&row, part_of(&row, last), &all);
        own.iter().for_each(|memory| free(&each, *memory));
        Ok(parts)
    }

    /// The columns of a part.
    fn range(&self, b: &Builder<'c, 'a>, part: Value<'c, 'a>) -> [Value<'c, 'a>; 2] {
        let from = b.arith("muli", part, self.width);
        [from, b.arith("minsi", b.arith("addi", from, self.width), self.extent)]
    }

    /// A loop over the parts, of a thread each, and the columns that it has.
    pub(super) fn parallel(&self, b: &Builder<'c, 'a>) -> (Builder<'c, 'a>, Columns<'c, 'a>) {
        let (each, number) = b.parallel(&[self.count]);
        let columns = Columns { range: self.range(&each, number[0]), number: number[0], before: self.before.clone() };
        (each, columns)
    }

    pub(super) fn free(&self, b: &Builder<'c, 'a>) {
        self.before.iter().for_each(|held| free(b, held.memory));
    }
}
