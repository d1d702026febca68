//! Scans along rows that join each point's own value with all before it, by what may be done in any order: vectors of points beside each other.
//!
//! ```text
//! %s = scan "sums" (%y, %x) along 1 {           scf.parallel = blocks of rows { scf.for %y = rows of the block {
//!   %a = load %img[%y, %x]                        for %x, 16 lanes: store %a, %s[%y, %x]
//!   %p = previous 1 or %zero                      for %x step 16 iter_args(%before = 16 x %zero) {
//!   yield %p + %a }                      ──▶        %v = vector.load %s[%y, %x]
//!                                                   %v = %v + (%v, 1 lane on), + (%v, 2 on), + (%v, 4 on), + (%v, 8 on)
//!                                                   vector.store %v + %before, %s[%y, %x]
//!                                                   yield %before + 16 x <last lane of %v> } } }
//! ```
//!
//! A lane has then what was joined of itself and the lanes before it (Hillis and Steele, "Data Parallel Algorithms", 1986): four steps of 16
//! lanes, where lines as lanes would be transposed on their way in and out, by four shuffles a vector each. And the next vector waits for one sum alone.
//! Sums of floats have an order.

use super::{
    super::lanes::mark_lanes,
    chain::{Band, Chain, LinePoint},
};
use crate::{
    analysis::{domain, identity, is_in_any_order},
    ir::{Builder, Number, bits_of_element, only_block},
    lower::scan::along_line,
};
use melior::ir::{BlockLike, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Combine, Previous, Scan};
use weft_model::Cpu;

/// Rows that a thread takes at a time.
pub(super) const ROWS: i64 = 8;

/// How a result of a scan follows from the value before and the point's own.
#[derive(Clone, Copy)]
pub(super) struct Joined<'c, 'a> {
    combine: Combine,
    /// What is before the first point.
    start: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    /// Those of all results of a scan; none if one follows from what is before in another way.
    pub(super) fn of(scan: Scan<'c, 'a>) -> Option<Vec<Self>> {
        let all: Vec<_> = ir::walk(scan.op()).into_iter().filter_map(|op| Some((op, Previous::of(op)?))).collect();
        let yielded = only_block(scan.op()).terminator()?;
        let joined = yielded.operands().enumerate().map(|(result, value)| {
            let op = ir::defining_op(value).filter(|_| ir::has_one_use(value))?;
            let combine = Combine::named(ir::name_of(op)).filter(|combine| is_in_any_order(*combine))?;
            let (of, previous) = all.iter().find(|(_, previous)| previous.result() == result)?;
            let before: Value = of.result(0).ok()?.into();
            let is_next =
                previous.distance() == 1 && ir::has_one_use(before) && op.operands().any(|operand| operand == before);
            let mut around = std::iter::successors(ir::defining_op(previous.start()), |op| op.parent_operation());
            let is_of_line = !around.any(|op| op == scan.op());
            let is_of_bytes = bits_of_element(before.r#type()).is_some_and(|bits| bits % 8 == 0);
            (is_next && is_of_line && is_of_bytes).then_some(Self { combine, start: previous.start() })
        });
        // One more would be read for something else.
        joined.collect::<Option<Vec<_>>>().filter(|joined| joined.len() == all.len())
    }

    fn join(&self, b: &Builder<'c, 'a>, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Value<'c, 'a> {
        b.value(self.combine.name(), &[one, other], one.r#type(), &[])
    }

    /// A row of memory whose elements are joined with all before them, in the order of a scan. `place` says where its steps lie; so many of them are
    /// a vector.
    fn row(
        &self,
        b: &Builder<'c, 'a>,
        row: Row<'c, 'a>,
        lanes: i64,
        place: impl Fn(&Builder<'c, 'a>, Value<'c, 'a>) -> (Value<'c, 'a>, Vec<Value<'c, 'a>>),
    ) -> Result<(), Failure<'c>> {
        let element = self.start.r#type();
        let ty = b.vector_type(lanes, element);
        let whole = b.arith("subi", row.extent, b.arith("remui", row.extent, b.index(lanes)));
        let before = b.value("vector.broadcast", &[self.start], ty, &[]);
        // The last step of a vector is its last lane, or, backward, its first.
        let behind = if row.is_backward { 0 } else { lanes - 1 };
        let last = b.for_carrying([b.index(0), whole, b.index(lanes)], &[before], |b, step, before| {
            let first = if row.is_backward { b.arith("addi", step, b.index(lanes - 1)) } else { step };
            let (memory, at) = place(b, first);
            let at = [&[memory], &at[..]].concat();
            let joined = self.lanes(b, b.value("vector.load", &at, ty, &[]), lanes, row.is_backward);
            let all = self.join(b, joined, before[0]);
            b.op("vector.store", &[&[all], &at[..]].concat(), &[], &[]);
            let mask = b.integers(&vec![behind; lanes.unsigned_abs() as usize]);
            let last = b.value("vector.shuffle", &[joined, joined], ty, &[("mask", mask)]);
            Ok::<_, Failure>(vec![self.join(b, before[0], last)])
        })?;
        let last = b.value("vector.extract", &[last[0]], element, &[("static_position", b.integers(&[0]))]);
        b.for_carrying([whole, row.extent, b.index(1)], &[last], |b, step, before| {
            let (memory, at) = place(b, step);
            let joined = self.join(b, before[0], b.load(memory, &at, element));
            b.store(joined, memory, &at);
            Ok::<_, Failure>(vec![joined])
        })?;
        Ok(())
    }

    /// A vector whose lanes are joined with all before them.
    fn lanes(&self, b: &Builder<'c, 'a>, vector: Value<'c, 'a>, lanes: i64, is_backward: bool) -> Value<'c, 'a> {
        let nothing = self.nothing(b, vector.r#type());
        let distances = std::iter::successors(Some(1), |distance| Some(2 * distance)).take_while(|d| *d < lanes);
        distances.fold(vector, |joined, distance| {
            let from = |lane| if is_backward { lane + distance } else { lane - distance };
            let mask: Vec<i64> =
                (0..lanes).map(from).map(|at| if (0..lanes).contains(&at) { at } else { lanes }).collect();
            let mask = [("mask", b.integers(&mask))];
            self.join(b, joined, b.value("vector.shuffle", &[joined, nothing], vector.r#type(), &mask))
        })
    }

    /// What changes nothing that it is joined with.
    fn nothing(&self, b: &Builder<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
        identity(b, self.combine, ty)
    }
}

/// A row of which a scan has all points.
#[derive(Clone, Copy)]
struct Row<'c, 'a> {
    extent: Value<'c, 'a>,
    is_backward: bool,
}

impl<'c: 'a, 'a> Chain<'_, 'c, 'a> {
    /// The loops of a chain of one scan, for all rows or those of a band.
    ///
    /// # Errors
    ///
    /// Those of the body.
    pub(super) fn walk_joined(
        &self,
        b: &Builder<'c, 'a>,
        joined: &[Joined<'c, 'a>],
        cpu: &Cpu,
        band: Option<&Band<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let member = &self.members[0];
        let scan = member.scan;
        let mut block = self.blocks(b, &self.domain(b, band), Number::Known(ROWS), false);
        let each = block.b.located(scan.op().location());
        let (b, number) = each.for_loop(block.first[self.across], block.end);
        block.first[self.across] = number;
        let images = self.results();
        let extent = domain::bounds(*scan)[self.along].1;
        let (points, at) = b.for_loop(b.index(0), extent.value(&b));
        _ = mark_lanes(at, self.lanes, &b);
        let nothing = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>| {
            joined[previous.result()].nothing(b, previous.start().r#type())
        };
        let point = |at| {
            let mut point = block.first.clone();
            point[self.along] = at;
            point
        };
        let coordinates = point(at);
        let here = LinePoint { coordinates: &coordinates, line: points.index(0) };
        let values = self.evaluate(&points, &block, member, &here, &nothing, band)?;
        for (value, image) in values.iter().zip(&images) {
            let (memory, at) = self.place(&points, *image, &coordinates, band);
            points.store(*value, memory, &at);
        }
        let row = Row { extent: extent.value(&b), is_backward: scan.is_backward() };
        for (joined, image) in joined.iter().zip(images) {
            let lanes = (8 * cpu.vector / i64::from(bits_of_element(self.element_of(image)).unwrap_or(64))).max(1);
            let place =
                |b: &Builder<'c, 'a>, step| self.place(b, image, &point(along_line(b, scan, step, extent)), band);
            joined.row(&b, row, lanes, place)?;
        }
        Ok(())
    }
}
