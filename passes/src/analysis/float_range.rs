//! What a float can be that a body computes.
//!
//! ```text
//! %f = arith.uitofp %byte : i8 to f32          0 to 255, multiples of 1
//! %g = arith.mulf %f, 0.25 : f32               0 to 63.75, multiples of 2^-2
//! %h = arith.minimumf %x, 1.0 : f32            1 at most, or NaN
//! %l = pipeline.load %blurred[%y, %x]          what "blurred" yields
//! ```
//!
//! Intervals, from the value back to integers, limits and constants, through the stages that it was loaded from. Each operation rounds: an end that is
//! no float is the one beyond it.
//!
//! And places: of which power of two a float is a multiple. Sums keep the smaller place of two, products add theirs, and what rounds to fewer digits leaves
//! out the last places. So it is known how near to 0 a float is that is not 0.

use super::Ranges;
use crate::ir::{Key, constant_float, floats_of_table, key, program};
use melior::ir::{OperationRef, Value, ValueLike, r#type::IntegerType};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Load};

/// The values of a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatRange {
    /// Where it is a number, it is no less.
    pub lo: f64,
    /// And no more.
    pub hi: f64,
    /// Whether it is never NaN.
    pub is_number: bool,
    /// It is a multiple of two to the power of this, if it is finite: of no less than the last place of the smallest floats.
    pub place: i32,
}

/// The last place of the smallest f32.
const LAST_OF_SINGLE: i32 = -149;

/// The same of f64.
const LAST: i32 = -1074;

/// What 0 is a multiple of, and more.
const PLACE_OF_ZERO: i32 = 1024;

impl FloatRange {
    /// Anything.
    pub const ANY: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY, is_number: false, place: LAST };

    fn new(lo: f64, hi: f64, is_number: bool) -> Self {
        if lo.is_nan() || hi.is_nan() { Self::ANY } else { Self { lo, hi, is_number, place: LAST } }
    }

    /// One number.
    fn of(number: f64) -> Self {
        Self { place: place_of(number), ..Self::new(number, number, !number.is_nan()) }
    }

    /// Multiples of two to the power of `place`.
    fn at(self, place: i32) -> Self {
        Self { place: place.clamp(LAST, PLACE_OF_ZERO), ..self }
    }

    /// Whether it is a number, and no infinity.
    pub fn is_finite(self) -> bool {
        self.is_number && self.is_bounded()
    }

    fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    fn or(self, other: Self) -> Self {
        let range = Self::new(self.lo.min(other.lo), self.hi.max(other.hi), self.is_number && other.is_number);
        range.at(self.place.min(other.place))
    }

    /// Of some ends the least and the greatest. Of infinities some sums and products are no numbers.
    fn around(ends: &[f64], parts: &[Self]) -> Self {
        let is_number = parts.iter().all(|part| part.is_finite());
        if ends.iter().any(|end| end.is_nan()) {
            return Self::ANY;
        }
        let (lo, hi) = (
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        Self::new(lo, hi, is_number)
    }

    fn product(self, other: Self) -> Self {
        let ends = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        Self::around(&ends, &[self, other]).at(self.place + other.place)
    }

    fn sum(self, other: Self) -> Self {
        Self::around(&[self.lo + other.lo, self.hi + other.hi], &[self, other]).at(self.place.min(other.place))
    }

    /// By what is not 0. The quotient of what is not 0 is no less than its last place by the greatest divisor, and has so many digits behind that.
    fn quotient(self, other: Self, digits: i32) -> Option<Self> {
        if !(other.lo > 0.0 || other.hi < 0.0) {
            return None;
        }
        let ends = [self.lo / other.lo, self.lo / other.hi, self.hi / other.lo, self.hi / other.hi];
        let greatest = exponent_of(other.lo.abs().max(other.hi.abs()));
        Some(Self::around(&ends, &[self, other]).at(self.place - greatest - 1 - digits))
    }

    /// By a function that does not fall.
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self::new(function(self.lo), function(self.hi), self.is_number)
    }

    /// Rounded to integers by a function.
    fn to_integer(self, function: impl Fn(f64) -> f64) -> Self {
        self.map(function).at(self.place.max(0))
    }

    /// The floats of a type around the ends.
    fn rounded(self, is_single: bool) -> Self {
        let (lo, hi) = match is_single {
            true => {
                let (lo, hi) = (self.lo as f32, self.hi as f32);
                let lo = if f64::from(lo) == self.lo { lo } else { lo.next_down() };
                (f64::from(lo), f64::from(if f64::from(hi) == self.hi { hi } else { hi.next_up() }))
            }
            // Sums and products of the ends were rounded.
            false => (self.lo.next_down(), self.hi.next_up()),
        };
        // What is beyond all floats is infinite, and what that is computed from may be no number.
        Self::new(lo, hi, self.is_number).at(if is_single { self.place.max(LAST_OF_SINGLE) } else { self.place })
    }
}

/// The last place of a number that has a one in it.
fn place_of(number: f64) -> i32 {
    let bits = number.to_bits();
    let (exponent, mantissa) = (((bits >> 52) & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match (exponent, mantissa) {
        (0, 0) => PLACE_OF_ZERO,
        (0, _) => LAST + mantissa.trailing_zeros() as i32,
        _ => exponent - 1075 + (mantissa | 1 << 52).trailing_zeros() as i32,
    }
}

/// The first place of a number that has a one in it, of a finite one.
fn exponent_of(number: f64) -> i32 {
    number.log2().floor() as i32
}

/// Operations between a value and what is known of it, at most: long windows that are written out, of some stages one after the other.
const FARTHEST: usize = 512;

/// What was found out, each value once. It holds for as long as the IR stays what it is.
#[derive(Default)]
pub struct FloatRanges {
    floats: HashMap<Key, FloatRange>,
    integers: Ranges,
}

impl FloatRanges {
    /// The values of an f32 or an f64, as far as they are known.
    pub fn of(&mut self, value: Value) -> FloatRange {
        self.known(value, FARTHEST)
    }

    fn known(&mut self, value: Value, farthest: usize) -> FloatRange {
        if let Some(known) = self.floats.get(&key(value)) {
            return *known;
        }
        let range = farthest.checked_sub(1).and_then(|farthest| self.computed(value, farthest));
        let range = range.unwrap_or(FloatRange::ANY);
        self.floats.insert(key(value), range);
        range
    }

    fn computed(&mut self, value: Value, farthest: usize) -> Option<FloatRange> {
        let is_single = match value.r#type().to_string().as_str() {
            "f32" => true,
            "f64" => false,
            _ => return None,
        };
        let op = ir::defining_op(value)?;
        let name = ir::name_of(op);
        if let Some(number) = constant_float(value) {
            return Some(FloatRange::of(number));
        }
        if matches!(name, "arith.sitofp" | "arith.uitofp") {
            return Some(self.integer(op)?.at(0).rounded(is_single));
        }
        if let Some(load) = Load::of(op) {
            return self.loaded(load, farthest);
        }
        let mut of = |number| ir::operand(op, number).map(|operand| self.known(operand, farthest));
        let range = match name {
            "arith.addf" => of(0)?.sum(of(1)?).rounded(is_single),
            "arith.subf" => of(0)?.sum(negated(of(1)?)).rounded(is_single),
            "arith.mulf" => of(0)?.product(of(1)?).rounded(is_single),
            // Products of two f32 are exact in f64.
            "math.fma" => {
                let product = of(0)?.product(of(1)?);
                let product = if is_single { product } else { product.rounded(false) };
                product.sum(of(2)?).rounded(is_single)
            }
            "arith.divf" => of(0)?.quotient(of(1)?, if is_single { 24 } else { 53 })?.rounded(is_single),
            "arith.negf" => negated(of(0)?),
            "arith.maximumf" | "arith.minimumf" => nearest(name == "arith.maximumf", of(0)?, of(1)?),
            "arith.maxnumf" | "arith.minnumf" => {
                let (a, b) = (of(0)?, of(1)?);
                let both = nearest(name == "arith.maxnumf", a, b);
                // Of NaN and a number that.
                let with = |range: FloatRange, may_be: FloatRange, other: FloatRange| match may_be.is_number {
                    true => range,
                    false => range.or(other),
                };
                FloatRange { is_number: a.is_number || b.is_number, ..with(with(both, a, b), b, a) }
            }
            "arith.select" => of(1)?.or(of(2)?),
            "math.roundeven" => of(0)?.to_integer(f64::round_ties_even),
            "math.floor" => of(0)?.to_integer(f64::floor),
            "math.ceil" => of(0)?.to_integer(f64::ceil),
            "math.trunc" => of(0)?.to_integer(f64::trunc),
            "math.absf" => {
                let a = of(0)?;
                FloatRange::new(0f64.max(a.lo).max(-a.hi), a.hi.max(-a.lo), a.is_number).at(a.place)
            }
            "math.sqrt" => {
                let a = of(0)?;
                let root = FloatRange {
                    is_number: a.is_number && a.lo >= 0.0,
                    ..a.map(|end| end.max(0.0).sqrt()).rounded(is_single)
                };
                // It is no less than the root of the last place, and has so many digits behind that.
                root.at(a.place.div_euclid(2) - if is_single { 24 } else { 53 })
            }
            _ => return None,
        };
        Some(range)
    }

    /// What a stage yields, or a table has, or what is there instead beyond its edges.
    fn loaded(&mut self, load: Load, farthest: usize) -> Option<FloatRange> {
        let yielded = match self.table(load.source()) {
            Some(range) => range,
            None => self.known(program::yielded(load.source())?, farthest),
        };
        match load.boundary() {
            Boundary::Constant => Some(yielded.or(self.known(load.padding()?, farthest))),
            _ => Some(yielded),
        }
    }

    /// What a table has, which many loads read.
    fn table(&mut self, table: Value) -> Option<FloatRange> {
        if let Some(known) = self.floats.get(&key(table)) {
            return Some(*known);
        }
        let range = floats_of_table(table)?.into_iter().map(FloatRange::of).reduce(FloatRange::or)?;
        self.floats.insert(key(table), range);
        Some(range)
    }

    /// What is converted.
    fn integer(&mut self, op: OperationRef) -> Option<FloatRange> {
        let operand = ir::operand(op, 0)?;
        let bits = IntegerType::try_from(operand.r#type()).ok()?.width();
        let (least, most) = match ir::name_of(op) {
            "arith.uitofp" => (0.0, f64::powi(2.0, bits as i32) - 1.0),
            _ => (-f64::powi(2.0, bits as i32 - 1), f64::powi(2.0, bits as i32 - 1) - 1.0),
        };
        let known = self.integers.of(operand);
        // Of what is below 0 without a sign another number is made.
        let (lo, hi) = match (known.lo, known.hi) {
            (Some(lo), Some(hi)) if lo as f64 >= least => (lo as f64, hi as f64),
            _ => (least, most),
        };
        // Beyond 2^53 they are no floats.
        Some(FloatRange::new(lo, hi, true)).filter(|range| bits <= 32 || range.lo.abs().max(range.hi.abs()) < 9e15)
    }
}

fn negated(range: FloatRange) -> FloatRange {
    FloatRange { lo: -range.hi, hi: -range.lo, ..range }
}

/// The greater one of two, or the lesser one; NaN, if one is.
fn nearest(is_greatest: bool, a: FloatRange, b: FloatRange) -> FloatRange {
    let choose = if is_greatest { f64::max } else { f64::min };
    FloatRange::new(choose(a.lo, b.lo), choose(a.hi, b.hi), a.is_number && b.is_number).at(a.place.min(b.place))
}
