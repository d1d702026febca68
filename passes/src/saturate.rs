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
//! integer.

use crate::builder::Builder;
use melior::ir::Value;

/// The vector that an intrinsic of this name, of scalars, makes of one; `None` for another intrinsic.
pub fn convert<'c: 'a, 'a>(b: &Builder<'c, 'a>, name: &str, value: Value<'c, 'a>, lanes: i64) -> Option<Value<'c, 'a>> {
    let (kind, types) = name.strip_prefix("llvm.fpto")?.split_once("i.sat.")?;
    let (to, from) = types.split_once('.')?;
    let is_signed = kind == "s";
    let bits: i32 = to.strip_prefix('i')?.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
    let vector = |element: &str| b.parse_type(&format!("vector<{lanes}x{element}>"));
    let (from, value) = match from {
        "f16" | "bf16" => ("f32", b.value("arith.extf", &[value], vector("f32"), &[])),
        "f32" | "f64" => (from, value),
        _ => return None,
    };
    let digits = if from == "f32" { f32::MANTISSA_DIGITS } else { f64::MANTISSA_DIGITS } as i32;
    let floats = vector(from);
    // Whole numbers of so many digits are exact.
    let float = |number: f64| b.dense(floats, format_args!("{number:.1}"));
    let compare = |predicate: &str, left: Value<'c, 'a>, right: Value<'c, 'a>| {
        b.value("arith.cmpf", &[left, right], vector("i1"), &[("predicate", b.parse_attribute(predicate))])
    };

    // 2 to the power of `magnitude` is the first integer that is too large.
    let magnitude = if is_signed { bits - 1 } else { bits };
    let least = float(if is_signed { -f64::powi(2.0, magnitude) } else { 0.0 });
    let is_exact = magnitude <= digits;
    let below = if is_exact { 1.0 } else { f64::powi(2.0, magnitude - digits) };
    let most = float(f64::powi(2.0, magnitude) - below);
    // What is no number is not above the least.
    let above = b.select(compare("2 : i64", value, least), value, least, floats);
    let inside = b.select(compare("4 : i64", above, most), above, most, floats);

    let wide = vector(if bits == 64 { "i64" } else { "i32" });
    let name = if is_signed || bits < 32 { "arith.fptosi" } else { "arith.fptoui" };
    let mut integer = b.value(name, &[inside], wide, &[]);
    let result = vector(to);
    if bits < 32 {
        integer = b.value("arith.trunci", &[integer], result, &[]);
    }
    if !is_exact {
        let greatest = if is_signed { (u64::MAX >> (64 - bits)) >> 1 } else { u64::MAX >> (64 - bits) };
        let is_beyond = compare("3 : i64", value, float(f64::powi(2.0, magnitude)));
        integer = b.select(is_beyond, b.dense(result, greatest), integer, result);
    }
    if is_signed {
        integer = b.select(compare("7 : i64", value, value), integer, b.dense(result, 0), result);
    }
    Some(integer)
}
