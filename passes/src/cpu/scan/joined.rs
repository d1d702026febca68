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

use crate::{
    analysis::{identity, joins_in_any_order},
    ir::{Builder, bits_of_element, only_block},
};
use melior::ir::{BlockLike, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Combine, Previous, Scan};

/// Rows that a thread takes at a time.
pub(super) const ROWS: i64 = 8;

/// How a result of a scan follows from the value before and the point's own.
#[derive(Clone, Copy)]
pub(super) struct Joined<'c, 'a> {
    combine: Combine,
    /// What is before the first point.
    pub(super) start: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    /// Those of all results of a scan; none if one follows from what is before in another way.
    pub(super) fn of(scan: Scan<'c, 'a>) -> Option<Vec<Self>> {
        let all: Vec<_> = ir::walk(scan.op()).into_iter().filter_map(|op| Some((op, Previous::of(op)?))).collect();
        let yielded = only_block(scan.op()).terminator()?;
        let joined = yielded.operands().enumerate().map(|(result, value)| {
            let op = ir::defining_op(value).filter(|_| ir::has_one_use(value))?;
            let combine = Combine::named(ir::name_of(op)).filter(|combine| joins_in_any_order(*combine))?;
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

    /// A row of memory whose elements are joined with all before them, the first one with `before`. `place` says where its steps lie.
    pub(super) fn row(
        &self,
        b: &Builder<'c, 'a>,
        row: &Steps<'c, 'a>,
        before: Value<'c, 'a>,
        place: impl Fn(&Builder<'c, 'a>, Value<'c, 'a>) -> (Value<'c, 'a>, Vec<Value<'c, 'a>>),
    ) -> Result<(), Failure<'c>> {
        let (element, lanes) = (self.start.r#type(), row.lanes);
        let ty = b.vector_type(lanes, element);
        let [from, to] = row.steps;
        let whole = row.whole(b);
        let before = b.value("vector.broadcast", &[before], ty, &[]);
        // The last step of a vector is its last lane, or, backward, its first.
        let behind = if row.is_backward { 0 } else { lanes - 1 };
        let last = b.for_carrying([from, whole, b.index(lanes)], &[before], |b, step, before| {
            let first = if row.is_backward { b.arith("addi", step, b.index(lanes - 1)) } else { step };
            let (memory, at) = place(b, first);
            let at = [&[memory], &at[..]].concat();
            let joined = self.lanes(b, b.value("vector.load", &at, ty, &[]), row);
            let all = self.join(b, joined, before[0]);
            b.op("vector.store", &[&[all], &at[..]].concat(), &[], &[]);
            let last = b.shuffle([joined, joined], vec![behind; lanes.unsigned_abs() as usize]);
            Ok::<_, Failure>(vec![self.join(b, before[0], last)])
        })?;
        let last = b.value("vector.extract", &[last[0]], element, &[("static_position", b.integers(&[0]))]);
        b.for_carrying([whole, to, b.index(1)], &[last], |b, step, before| {
            let (memory, at) = place(b, step);
            let joined = self.join(b, before[0], b.load(memory, &at, element));
            b.store(joined, memory, &at);
            Ok::<_, Failure>(vec![joined])
        })?;
        Ok(())
    }

    /// All elements of a row of memory, joined with each other and with `before`.
    pub(super) fn total(
        &self,
        b: &Builder<'c, 'a>,
        row: &Steps<'c, 'a>,
        memory: Value<'c, 'a>,
        before: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let (element, lanes) = (self.start.r#type(), row.lanes);
        let ty = b.vector_type(lanes, element);
        let ([from, to], whole) = (row.steps, row.whole(b));
        let nothing = self.nothing(b, ty);
        let vectors = b.for_carrying([from, whole, b.index(lanes)], &[nothing], |b, at, all| {
            let vector = b.value("vector.load", &[memory, at], ty, &[]);
            Ok::<_, Failure>(vec![self.join(b, all[0], vector)])
        })?;
        let last = [("static_position", b.integers(&[lanes - 1]))];
        let vectors = b.value("vector.extract", &[self.lanes(b, vectors[0], row)], element, &last);
        let all = b.for_carrying([whole, to, b.index(1)], &[self.join(b, before, vectors)], |b, at, all| {
            Ok::<_, Failure>(vec![self.join(b, all[0], b.load(memory, &[at], element))])
        })?;
        Ok(all[0])
    }

    /// A vector whose lanes are joined with all before them.
    fn lanes(&self, b: &Builder<'c, 'a>, vector: Value<'c, 'a>, row: &Steps<'c, 'a>) -> Value<'c, 'a> {
        let Steps { lanes, is_backward, .. } = *row;
        let nothing = self.nothing(b, vector.r#type());
        let distances = std::iter::successors(Some(1), |distance| Some(2 * distance)).take_while(|d| *d < lanes);
        distances.fold(vector, |joined, distance| {
            let from = |lane| if is_backward { lane + distance } else { lane - distance };
            let places = (0..lanes).map(from).map(|at| if (0..lanes).contains(&at) { at } else { lanes });
            self.join(b, joined, b.shuffle([joined, nothing], places))
        })
    }

    /// What changes nothing that it is joined with.
    pub(super) fn nothing(&self, b: &Builder<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
        identity(b, self.combine, ty)
    }
}

/// Steps of a scan along a row.
pub(super) struct Steps<'c, 'a> {
    /// The first one, and that behind the last.
    pub(super) steps: [Value<'c, 'a>; 2],
    /// How many are a vector.
    pub(super) lanes: i64,
    pub(super) is_backward: bool,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Where whole vectors end.
    fn whole(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let [from, to] = self.steps;
        b.arith("subi", to, b.arith("remui", b.arith("subi", to, from), b.index(self.lanes)))
    }
}
