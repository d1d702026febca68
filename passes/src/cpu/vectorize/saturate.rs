//! Conversions of vectors of floats to integers that saturate, and make 0 of NaN.
//!
//! ```text
//! llvm.fptosi.sat.i16.f32(%x)   ──▶   %a = max(%x, -32768), %b = min(%a, 32767)         lanes of NaN: -32768
//!                                     %c = fptosi %b : i32, trunc %c : i16
//!                                     select (%x is a number), ..., 0
//! ```
//!
//! LLVM takes its own intrinsic of a vector apart, lane by lane. Within the range of the integer the plain conversion is one
//! instruction. Where the greatest integer is no float, the greatest float below is converted, and lanes above have the greatest
//! integer. An integer that is brought between two numbers right away is brought there as a float, which is all that is needed. What is known to
//! lie there ([`FloatRange`]), as what was made of bytes, is brought nowhere.

use super::super::to_unsigned::ToUnsigned;
use crate::{
    analysis::FloatRange,
    ir::{Builder, FloatCompare, Key, brought_between, compare_floats, key},
};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_model::Range;

/// Conversions in a body of which only some numbers are read, as they are brought between two at once.
#[derive(Default)]
pub struct Limits<'c, 'a> {
    /// The numbers, by the value of the conversion.
    pub within: HashMap<Key, Range<i64>>,
    /// By the values of the maximum and the minimum, which then change nothing: the conversion's.
    pub needless: HashMap<Key, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Limits<'c, 'a> {
    /// Those in the body of an op.
    pub fn of(op: OperationRef<'c, 'a>) -> Self {
        let mut limits = Self::default();
        for op in ir::walk(op) {
            let Some((outer, inner, conversion, range)) = limited(op) else { continue };
            limits.within.insert(key(conversion), range);
            limits.needless.extend([outer, inner].map(|value| (key(value), conversion)));
        }
        limits
    }
}

/// `minsi(maxsi(conversion, number), number)`, or the other way about: both values, the conversion's, and what is between.
fn limited<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>, Range<i64>)> {
    let value = ir::result(op, 0)?;
    let (inner, conversion, range) = brought_between(value)?;
    let is_conversion = ir::defining_op(conversion).is_some_and(|op| op.attribute("intrin").is_ok());
    let is_alone = ir::has_one_use(inner) && ir::has_one_use(conversion);
    let is_some = range.lo <= range.hi;
    (is_conversion && is_alone && is_some).then_some((value, inner, conversion, range))
}

/// A conversion as its intrinsic's name says it, of vectors.
struct Conversion {
    is_signed: bool,
    /// Of the integer.
    bits: i32,
    lanes: i64,
    /// What is read of the result are these numbers: others may be the nearest of them.
    within: Option<Range<i64>>,
}

/// The vector that an intrinsic of this name, of scalars, makes of one, in a module; `None` for another intrinsic. What is read of it are the
/// numbers `within`: others may be the nearest of these. It lies in a range, as far as that is `known`.
pub fn convert<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    (value, lanes): (Value<'c, 'a>, i64),
    within: Option<Range<i64>>,
    known: FloatRange,
    module: Option<OperationRef<'c, 'a>>,
) -> Option<Value<'c, 'a>> {
    let (kind, types) = name.strip_prefix("llvm.fpto")?.split_once("i.sat.")?;
    let (to, from) = types.split_once('.')?;
    let bits: i32 = to.strip_prefix('i')?.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
    let single = b.vector_type(lanes, Type::float32(b.context()));
    let (digits, value) = match from {
        "f16" | "bf16" => (f32::MANTISSA_DIGITS, b.value("arith.extf", &[value], single, &[])),
        "f32" => (f32::MANTISSA_DIGITS, value),
        "f64" => (f64::MANTISSA_DIGITS, value),
        _ => return None,
    };
    let digits = digits as i32;
    let conversion = Conversion { is_signed: kind == "s", bits, lanes, within };
    if !conversion.is_signed && from != "f64" {
        let most = f64::powi(2.0, bits) - 1.0;
        let is_inside = known.is_number && known.lo > -1.0 && known.hi < most + 1.0;
        if let (Some((function, floats)), Some(module)) = (ToUnsigned::of(value, bits, lanes, is_inside), module) {
            let known = match is_inside {
                true => FloatRange { lo: 0.0, hi: most, is_number: true, ..FloatRange::ANY },
                false => FloatRange::ANY,
            };
            return Some(
                function.call(b, module, floats, lanes, |b, value| conversion.write_out(b, value, digits, known)),
            );
        }
    }
    Some(conversion.write_out(b, value, digits, known))
}

impl Conversion {
    /// The integers of floats of so many digits, in plain ops.
    fn write_out<'c: 'a, 'a>(
        &self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        digits: i32,
        known: FloatRange,
    ) -> Value<'c, 'a> {
        let Self { is_signed, bits, lanes, within } = *self;
        let integers = |bits: u32| b.vector_type(lanes, b.integer_type(bits));
        let floats = value.r#type();
        // Whole numbers of so many digits are exact.
        let float = |number: f64| b.float(floats, number);
        let compare = |predicate, left, right| compare_floats(b, predicate, left, right);

        // 2 to the power of `magnitude` is the first integer that is too large.
        let magnitude = if is_signed { bits - 1 } else { bits };
        let is_exact_within = |range: &Range<i64>| [range.lo, range.hi].iter().all(|end| end.abs() < 1 << digits);
        let within = within.filter(|range| is_signed && range.lo <= range.hi && is_exact_within(range));
        let is_exact = magnitude <= digits || within.is_some();
        let (least, most) = match within {
            Some(Range { lo, hi }) => (lo as f64, hi as f64),
            None => {
                let below = if is_exact { 1.0 } else { f64::powi(2.0, magnitude - digits) };
                (if is_signed { -f64::powi(2.0, magnitude) } else { 0.0 }, f64::powi(2.0, magnitude) - below)
            }
        };
        // NaN becomes what it is brought to, or what is chosen in the end.
        let of_nan = within.map_or(0, |range| 0.clamp(range.lo, range.hi));
        let is_number = |value| compare(FloatCompare::Ordered, value, value);
        // What is behind the point is cut off.
        let is_known = known.lo > least - 1.0 && known.hi < most + 1.0 && (known.is_number || of_nan == 0);
        let is_chosen = !is_known && least != of_nan as f64;
        let (least, most) = (float(least), float(most));
        let inside = if !is_known {
            // NaN is not above the least.
            let above = b.select(compare(FloatCompare::Greater, value, least), value, least, floats);
            b.select(compare(FloatCompare::Less, above, most), above, most, floats)
        } else if known.is_number {
            value
        } else {
            b.select(is_number(value), value, float(0.0), floats)
        };

        let wide = integers(if bits == 64 { 64 } else { 32 });
        let name = if is_signed || bits < 32 { "arith.fptosi" } else { "arith.fptoui" };
        let mut integer = b.value(name, &[inside], wide, &[]);
        let result = integers(bits.cast_unsigned());
        if bits < 32 {
            integer = b.value("arith.trunci", &[integer], result, &[]);
        }
        if !is_exact && !is_known {
            let greatest = if is_signed { (u64::MAX >> (64 - bits)) >> 1 } else { u64::MAX >> (64 - bits) };
            let is_beyond = compare(FloatCompare::GreaterEqual, value, float(f64::powi(2.0, magnitude)));
            integer = b.select(is_beyond, b.integer(result, &[greatest.cast_signed()]), integer, result);
        }
        if is_chosen {
            integer = b.select(is_number(value), integer, b.integer(result, &[of_nan]), result);
        }
        integer
    }
}
