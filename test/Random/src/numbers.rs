//! Arithmetic on numbers of the host code: `arith` and `math.fma`, as the specification has them, without LLVM.
//!
//! An integer is kept as an `i64` with the sign of its type's first bit, a float as an `f64` that its type holds.

use melior::ir::{OperationRef, Type, ValueLike, operation::OperationLike};
use weft_runtime::Sample;

/// A number.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// An integer of any width, or a truth value.
    Integer(i64),
    /// A float of any width.
    Float(f64),
}

use Number::{Float, Integer};

/// What an op of `arith` other than a constant, a comparison or a selection gives, or `math.fma`.
///
/// # Errors
///
/// A division by 0, and ops that are not known here.
pub fn evaluate(op: OperationRef, operation: &str, operands: &[Number]) -> Result<Number, String> {
    let unknown = || Err(format!("host code with {} is not known here", mlir_glue::ir::name_of(op)));
    let (Ok(from), Ok(to)) = (op.operand(0), op.result(0)) else { return unknown() };
    let (from, to) = (Width::of(from.r#type())?, Width::of(to.r#type())?);
    Ok(match *operands {
        [Integer(a), Integer(b)] => Integer(to.integer(integer(operation, to, a, b)?)),
        [Float(a), Float(b)] => Float(float(operation, to, a, b)?),
        // Rounded once.
        [Float(a), Float(b), Float(c)] if operation == "fma" => match to.0 {
            32 => Float((a as f32).mul_add(b as f32, c as f32).into()),
            64 => Float(a.mul_add(b, c)),
            _ => return unknown(),
        },
        [Integer(a)] => match operation {
            "index_cast" | "extsi" | "trunci" => Integer(to.integer(a)),
            "index_castui" | "extui" => Integer(to.integer(from.unsigned(a) as i64)),
            "sitofp" => Float(to.float_of_integer(a.into())),
            "uitofp" => Float(to.float_of_integer(from.unsigned(a).into())),
            _ => return unknown(),
        },
        [Float(a)] => match operation {
            "negf" => Float(-a),
            "extf" | "truncf" => Float(to.float(a)),
            // Beyond the integers there is no value, and NaN has none.
            "fptosi" if a.abs() < (2.0f64).powi(to.0 as i32 - 1) => Integer(a as i64),
            _ => return unknown(),
        },
        _ => return unknown(),
    })
}

/// How many bits a number has.
#[derive(Clone, Copy)]
struct Width(u32);

impl Width {
    fn of(ty: Type) -> Result<Self, String> {
        let text = ty.to_string();
        let bits = if text == "index" { "64" } else { text.trim_start_matches(['i', 'f']) };
        bits.parse()
            .ok()
            .filter(|bits| (1..=64).contains(bits))
            .map(Self)
            .ok_or(format!("found a number of type {text}"))
    }

    /// The lower bits.
    fn integer(self, value: i64) -> i64 {
        // A truth value is 0 or 1.
        if self.0 == 1 { value & 1 } else { value << (64 - self.0) >> (64 - self.0) }
    }

    fn unsigned(self, value: i64) -> u64 {
        value as u64 & (u64::MAX >> (64 - self.0))
    }

    fn float(self, value: f64) -> f64 {
        match self.0 {
            16 => half::f16::nearest(value).to_f64(),
            32 => f64::from(value as f32),
            _ => value,
        }
    }

    /// Rounded once.
    fn float_of_integer(self, value: i128) -> f64 {
        match self.0 {
            32 => f64::from(value as f32),
            // No f16 is so large that an f64 is not exact there.
            _ => self.float(value as f64),
        }
    }
}

/// `arith.cmpi`, its predicates in the order of their numbers.
pub fn compare(predicate: i64, a: i64, b: i64) -> i64 {
    i64::from(match predicate {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        6 => (a as u64) < b as u64,
        7 => a as u64 <= b as u64,
        8 => a as u64 > b as u64,
        _ => a as u64 >= b as u64,
    })
}

fn integer(operation: &str, width: Width, a: i64, b: i64) -> Result<i64, String> {
    if b == 0 && ["div", "rem"].iter().any(|word| operation.contains(word)) {
        return Err(format!("host code divides by zero in arith.{operation}"));
    }
    if operation.starts_with("sh") && !(0..i64::from(width.0)).contains(&b) {
        return Err(format!("host code shifts {} bits by {b} in arith.{operation}", width.0));
    }
    let unsigned = |value: i64| width.unsigned(value);
    let rest = || a.wrapping_rem(b) != 0;
    Ok(match operation {
        "addi" => a.wrapping_add(b),
        "subi" => a.wrapping_sub(b),
        "muli" => a.wrapping_mul(b),
        "divsi" => a.wrapping_div(b),
        "divui" => (unsigned(a) / unsigned(b)) as i64,
        "remsi" => a.wrapping_rem(b),
        "remui" => (unsigned(a) % unsigned(b)) as i64,
        "floordivsi" => a.wrapping_div(b) - i64::from(rest() && (a < 0) != (b < 0)),
        "ceildivsi" => a.wrapping_div(b) + i64::from(rest() && (a < 0) == (b < 0)),
        "ceildivui" => unsigned(a).div_ceil(unsigned(b)) as i64,
        "minsi" => a.min(b),
        "maxsi" => a.max(b),
        "minui" => unsigned(a).min(unsigned(b)) as i64,
        "maxui" => unsigned(a).max(unsigned(b)) as i64,
        "andi" => a & b,
        "ori" => a | b,
        "xori" => a ^ b,
        "shli" => a << b,
        "shrsi" => a >> b,
        "shrui" => (unsigned(a) >> b) as i64,
        _ => return Err(format!("host code with arith.{operation} is not known here")),
    })
}

fn float(operation: &str, width: Width, a: f64, b: f64) -> Result<f64, String> {
    let narrow = |result: f32| f64::from(result);
    let (x, y) = (a as f32, b as f32);
    let is_less = |a: f64, b: f64| a < b || a == b && a.is_sign_negative();
    Ok(match (operation, width.0) {
        ("addf", 32) => narrow(x + y),
        ("subf", 32) => narrow(x - y),
        ("mulf", 32) => narrow(x * y),
        ("divf", 32) => narrow(x / y),
        // Of f16 an f64 has more than twice the bits: what is rounded twice is as if it were rounded once.
        ("addf", _) => width.float(a + b),
        ("subf", _) => width.float(a - b),
        ("mulf", _) => width.float(a * b),
        ("divf", _) => width.float(a / b),
        ("maximumf" | "minimumf", _) if a.is_nan() || b.is_nan() => f64::NAN,
        ("maximumf", _) => {
            if is_less(a, b) {
                b
            } else {
                a
            }
        }
        ("minimumf", _) => {
            if is_less(a, b) {
                a
            } else {
                b
            }
        }
        _ => return Err(format!("host code with arith.{operation} is not known here")),
    })
}
