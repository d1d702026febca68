//! What an integer can be that a body computes.
//!
//! ```text
//! %i = pipeline.load %index[%y, %x]        what "index" yields: 0 to 6
//! %j = arith.addi %i, %c1                  1 to 7
//! %k = arith.index_cast %j                 so a gather at %k stays inside of eight planes
//! ```
//!
//! Intervals, from the value back to constants and limits (`maxsi`, `minsi`, a mask), through the stages that it was loaded from.
//! Nothing is said of arithmetic that may wrap: an interval that the type does not hold is none.

use crate::ir::{Key, key, program, remainder};
use melior::ir::{
    BlockLike, Value, ValueLike, attribute::IntegerAttribute, block::BlockArgument, operation::OperationLike,
    r#type::IntegerType,
};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Load, Stage, static_extents};
use weft_model::{Interval, Range};

/// The values of an integer or index, as far as they are known.
pub fn value_range(value: Value) -> Interval {
    Ranges::default().of(value)
}

/// Operations between a value and what is known of it, at most.
const FARTHEST: usize = 64;

/// What was found out, each value once. It holds for as long as the IR stays what it is.
#[derive(Default)]
pub struct Ranges(HashMap<Key, Option<Interval>>);

impl Ranges {
    /// The values of an integer or index, as far as they are known: ends are numbers of the value's type.
    pub fn of(&mut self, value: Value) -> Interval {
        self.known(value, FARTHEST).unwrap_or(Range::new(None, None))
    }

    fn known(&mut self, value: Value, farthest: usize) -> Option<Interval> {
        if let Some(known) = self.0.get(&key(value)) {
            return *known;
        }
        let range = self.computed(value, farthest.checked_sub(1)?);
        self.0.insert(key(value), range);
        range
    }

    fn computed(&mut self, value: Value, farthest: usize) -> Option<Interval> {
        let Some(op) = ir::defining_op(value) else { return coordinate(value) };
        if let Some((_, divisor)) = remainder(op) {
            return Some(Range::new(Some(0), Some(divisor - 1)));
        }
        let mut of = |number| ir::operand(op, number).and_then(|operand| self.known(operand, farthest));
        let range = match ir::name_of(op) {
            "arith.constant" => {
                let number = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?.value();
                Range::new(number.into(), number.into())
            }
            // One end is enough for one end.
            "arith.maxsi" => {
                let (a, b) = (of(0), of(1));
                let lo = ends(a, b, |range| range.lo).max();
                let hi = a.zip(b).and_then(|(a, b)| Some(a.hi?.max(b.hi?)));
                return Some(Range::new(lo, hi));
            }
            "arith.minsi" => {
                let (a, b) = (of(0), of(1));
                let hi = ends(a, b, |range| range.hi).min();
                let lo = a.zip(b).and_then(|(a, b)| Some(a.lo?.min(b.lo?)));
                return Some(Range::new(lo, hi));
            }
            "arith.addi" => {
                let (a, b) = (wide(of(0))?, wide(of(1))?);
                Range::new(a.lo + b.lo, a.hi + b.hi)
            }
            "arith.subi" => {
                let (a, b) = (wide(of(0))?, wide(of(1))?);
                Range::new(a.lo - b.hi, a.hi - b.lo)
            }
            "arith.muli" => {
                let (a, b) = (wide(of(0))?, wide(of(1))?);
                let ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
                let is_square = ir::operand(op, 0) == ir::operand(op, 1);
                Range::new(ends.into_iter().min()?.max(if is_square { 0 } else { i128::MIN }), ends.into_iter().max()?)
            }
            "arith.andi" => {
                let mask = [wide(of(0)), wide(of(1))].into_iter().flatten().filter(|range| range.lo >= 0);
                Range::new(0, mask.map(|range| range.hi).min()?)
            }
            // Of numbers below 0 these see others.
            "arith.minui" | "arith.maxui" => {
                let (a, b) = (natural(of(0))?, natural(of(1))?);
                match ir::name_of(op) {
                    "arith.minui" => Range::new(a.lo.min(b.lo), a.hi.min(b.hi)),
                    _ => Range::new(a.lo.max(b.lo), a.hi.max(b.hi)),
                }
            }
            "arith.shli" => {
                let (a, factor) = (wide(of(0))?, 1 << constant(of(1), 0..=62)?);
                Range::new(a.lo * factor, a.hi * factor)
            }
            "arith.shrsi" => {
                let (a, bits) = (wide(of(0))?, constant(of(1), 0..=62)?);
                Range::new(a.lo >> bits, a.hi >> bits)
            }
            "arith.shrui" => {
                let (a, bits) = (natural(of(0))?, constant(of(1), 0..=62)?);
                Range::new(a.lo >> bits, a.hi >> bits)
            }
            "arith.divsi" => {
                let (a, divisor) = (wide(of(0))?, constant(of(1), 1..=i64::MAX)?);
                Range::new(a.lo / divisor, a.hi / divisor)
            }
            "arith.divui" => {
                let (a, divisor) = (natural(of(0))?, constant(of(1), 1..=i64::MAX)?);
                Range::new(a.lo / divisor, a.hi / divisor)
            }
            "arith.remui" => {
                let (a, divisor) = (natural(of(0))?, constant(of(1), 1..=i64::MAX)?);
                Range::new(0, a.hi.min(divisor - 1))
            }
            "math.absi" => {
                let a = wide(of(0))?;
                Range::new(0.max(a.lo).max(-a.hi), a.hi.max(-a.lo))
            }
            "arith.select" => {
                let (a, b) = (wide(of(1))?, wide(of(2))?);
                Range::new(a.lo.min(b.lo), a.hi.max(b.hi))
            }
            "arith.trunci" => wide(of(0))?,
            "arith.extsi" | "arith.index_cast" => {
                let width = IntegerType::try_from(ir::operand(op, 0)?.r#type()).ok().map(|ty| ty.width());
                let of_type = width.filter(|width| *width < 64);
                wide(of(0)).or(of_type.map(|width| Range::new(-1 << (width - 1), (1 << (width - 1)) - 1)))?
            }
            "arith.extui" | "arith.index_castui" => {
                let width = IntegerType::try_from(ir::operand(op, 0)?.r#type()).ok()?.width();
                wide(of(0)).filter(|range| range.lo >= 0).or((width < 63).then(|| Range::new(0, (1 << width) - 1)))?
            }
            _ => return self.loaded(Load::of(op)?, farthest),
        };
        let (least, greatest) = match IntegerType::try_from(value.r#type()) {
            Ok(ty) if ty.width() < 64 => (-(1i128 << (ty.width() - 1)), (1i128 << (ty.width() - 1)) - 1),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        let holds = least <= range.lo && range.hi <= greatest;
        holds.then(|| Range::new(i64::try_from(range.lo).ok(), i64::try_from(range.hi).ok()))
    }

    /// What a stage yields, where a load cannot give anything else.
    fn loaded(&mut self, load: Load, farthest: usize) -> Option<Interval> {
        let yielded = program::yielded(load.source())?;
        (load.boundary() != Boundary::Constant).then(|| self.known(yielded, farthest))?
    }
}

/// A coordinate of a stage, whose extent may be known.
fn coordinate(value: Value) -> Option<Interval> {
    // Of another value `try_from` prints the op.
    let argument = value.is_block_argument().then(|| BlockArgument::try_from(value).ok()).flatten()?;
    let stage = argument.owner().parent_operation().and_then(Stage::of)?;
    let extent = static_extents(stage.image_type(0)).get(argument.argument_number()).copied().flatten()?;
    Some(Range::new(Some(0), Some(extent - 1)))
}

/// The ends of two intervals that are known.
fn ends(a: Option<Interval>, b: Option<Interval>, end: fn(Interval) -> Option<i64>) -> impl Iterator<Item = i64> {
    [a, b].into_iter().flatten().filter_map(end)
}

/// An interval without numbers below 0: ops without a sign see the same ones.
fn natural(range: Option<Interval>) -> Option<Range<i128>> {
    wide(range).filter(|range| range.lo >= 0)
}

/// The only number of an interval, if it is one of these.
fn constant(range: Option<Interval>, expected: std::ops::RangeInclusive<i64>) -> Option<i128> {
    let range = range.filter(|range| range.lo == range.hi)?;
    range.lo.filter(|number| expected.contains(number)).map(i128::from)
}

/// An interval with both ends, in which numbers of the type can be added and multiplied.
fn wide(range: Option<Interval>) -> Option<Range<i128>> {
    let range = range?;
    Some(Range::new(range.lo?.into(), range.hi?.into()))
}
