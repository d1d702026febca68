//! `--exact-division`: what is divided by a constant is multiplied, where every quotient stays what it is.
//!
//! ```text
//! %f = arith.uitofp %byte : i8 to f32             %f = arith.uitofp %byte : i8 to f32
//! %q = arith.divf %f, 255.0 : f32         ──▶     %l = arith.mulf %f, 2.3e-10 : f32       1/255 = near + far, far a small rest
//!                                                 %q = math.fma %f, 0.003921569, %l : f32
//!
//!                                                 %q = arith.mulf %x, 0.333333343 : f32   off by a bit or two
//!                                                 %n = arith.negf %x : f32
//! %d = arith.divf %x, 3.0 : f32           ──▶     %e = math.fma %q, 3.0, %n : f32         by how much, times three: exact
//!                                                 %m = arith.minnumf %e, 3.40282347E+38   an infinity's is no number
//!                                                 %d = math.fma %m, -0.333333343, %q : f32
//! ```
//!
//! A division takes eight instructions of a GPU, and ten times as long as a product on a CPU. The product with `1 / c` alone is often
//! off by a bit, as `1 / c` is; with what `1 / c` lost in rounding added, before the sum is rounded, it hardly ever is. Whether it is
//! needs no theory here: of a pixel that was an integer there are so few that all are tried.
//!
//! Of any float there are too many, but by an odd integer `c` the second form is always right. `x`, `q` and so `c * q - x` are multiples
//! of the last place of `q`, and of fewer of them than a float's digits can count: the rest is exact, of the smallest floats too.
//! What is rounded last is off the true quotient by a thousandth of what lies between it and any midpoint of two floats: the quotient
//! is a multiple of `1 / c` of a place, a midpoint is half a place, and an odd `c` has no half. A zero keeps its sign, as the rest is
//! a zero whose product with `-1 / c` is `-0`.

use crate::{
    analysis::value_range,
    ir::{Builder, constant_float, is},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike, r#type::IntegerType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::pipeline::Unit;
use weft_model::Range;

options! {
    /// Options of `--exact-division`.
    pub struct ExactDivisionOptions {
        floats: bool = true, "floats", "do so for floats that were no integers, by a constant that is an odd integer";
    }
}

/// The pass.
pub struct ExactDivision;

const DIVISIONS: Statistic = Statistic::new(c"divisions", c"Divisions that became products");

/// Integers that are tried at most.
const MOST: i64 = 1 << 17;

impl Pass for ExactDivision {
    const ARGUMENT: &'static str = "exact-division";
    const SUMMARY: &'static str = "Multiply instead of dividing by a constant, to the bit";
    const DESCRIPTION: &'static str = "\
Replaces `arith.divf` by a constant. In f32, of a converted integer: by a product, or a product and a `math.fma`, whichever gives the \
same bits for every value that the integer can have. That is tried, for up to 131072 values; what an integer can be is known by its \
type, or by what it is computed from. In f32 and f64, in bodies of stages, of anything by an odd integer from 3 to 4095: by a product and the two \
`math.fma` that mend it, which is what a GPU does well; a CPU divides while it waits for memory. No value changes.

It goes behind `--contract`, which would find products to join.";
    const STATISTICS: &'static [Statistic] = &[DIVISIONS];
    type Options = ExactDivisionOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &ExactDivisionOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "arith.divf")) {
            let b = Builder::before(cx.context(), op).located(op.location());
            let Some(quotient) =
                of_integer(&b, op).or_else(|| if options.floats && is_of_point(op) { by_odd(&b, op) } else { None })
            else {
                continue;
            };
            ir::replace_all_uses(op.result(0).expect("a division has a result").into(), quotient);
            ir::erase(op);
            cx.count(DIVISIONS, 1);
        }
        Ok(())
    }
}

/// The quotient of an integer by a constant.
fn of_integer<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (value, numbers, divisor) = division(op)?;
    let factors = factors(numbers, divisor)?;
    let ty = value.r#type();
    let constant = |factor: f32| b.float(ty, factor.into());
    Some(match factors {
        Factors { near, far: None } => b.value("arith.mulf", &[value, constant(near)], ty, &[]),
        Factors { near, far: Some(far) } => {
            let rest = b.value("arith.mulf", &[value, constant(far)], ty, &[]);
            b.value("math.fma", &[value, constant(near), rest], ty, &[])
        }
    })
}

/// Whether an op is done for points, and not once for a program.
fn is_of_point<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let outer: Option<BlockRef<'c, 'a>> = op.block();
    outer.and_then(|block| block.parent_operation()).is_some_and(|op| Unit::of(op).is_some() || is_of_point(op))
}

/// The quotient of anything by an odd integer.
fn by_odd<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let [value, divisor] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let ty = value.r#type();
    let largest = match ty.to_string().as_str() {
        "f32" => f32::MAX.into(),
        "f64" => f64::MAX,
        _ => return None,
    };
    // Half of the digits of f32, so that the proof has room.
    let number = constant_float(divisor).filter(|number| number % 2.0 == 1.0 && (3.0..4096.0).contains(number))?;
    let inverse = 1.0 / number;
    let near = b.value("arith.mulf", &[value, b.float(ty, inverse)], ty, &[]);
    let minus = b.value("arith.negf", &[value], ty, &[]);
    let rest = b.value("math.fma", &[near, divisor, minus], ty, &[]);
    // Integers have at most 64 bits.
    let is_finite = ir::defining_op(value).is_some_and(|op| is(op, "arith.sitofp") || is(op, "arith.uitofp"));
    let rest = if is_finite { rest } else { b.value("arith.minnumf", &[rest, b.float(ty, largest)], ty, &[]) };
    Some(b.value("math.fma", &[rest, b.float(ty, -inverse), near], ty, &[]))
}

/// A division of a converted integer by a constant: the converted one, the numbers that it can be, and the constant.
fn division<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Range<i64>, f32)> {
    let value = ir::operand(op, 0).filter(|value| value.r#type().to_string() == "f32")?;
    let divisor = constant_float(ir::operand(op, 1)?)?;
    let conversion = ir::defining_op(value)?;
    let is_signed = match ir::name_of(conversion) {
        "arith.sitofp" => true,
        "arith.uitofp" => false,
        _ => return None,
    };
    let integer = ir::operand(conversion, 0)?;
    let width = IntegerType::try_from(integer.r#type()).ok()?.width();
    let numbers = match value_range(integer) {
        Range { lo: Some(lo), hi: Some(hi) } if is_signed || lo >= 0 => Range::new(lo, hi),
        _ if width > 16 => return None,
        _ if is_signed => Range::new(-1 << (width - 1), (1 << (width - 1)) - 1),
        _ => Range::new(0, (1 << width) - 1),
    };
    // The constant is one of f32.
    (numbers.hi - numbers.lo < MOST).then_some((value, numbers, divisor as f32))
}

/// What a number is multiplied by.
#[derive(Debug, PartialEq)]
struct Factors {
    near: f32,
    /// What is added to the exact first product: the rounded product with this.
    far: Option<f32>,
}

/// Factors with which all numbers give what a division by `divisor` gives.
fn factors(numbers: Range<i64>, divisor: f32) -> Option<Factors> {
    let inverse = 1.0 / f64::from(divisor);
    let near = inverse as f32;
    let far = (inverse - f64::from(near)) as f32;
    let agree = |product: &dyn Fn(f32) -> f32| {
        (numbers.lo..=numbers.hi).all(|number| product(number as f32).to_bits() == (number as f32 / divisor).to_bits())
    };
    let is_normal = near.is_normal();
    match () {
        () if is_normal && agree(&|x| x * near) => Some(Factors { near, far: None }),
        () if is_normal && agree(&|x| x.mul_add(near, x * far)) => Some(Factors { near, far: Some(far) }),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_words_have_factors() {
        let of = |bits: u32, divisor| factors(Range::new(0, (1 << bits) - 1), divisor);
        assert_eq!(of(8, 8.0), Some(Factors { near: 0.125, far: None }));
        for (bits, divisor) in [(8, 255.0), (16, 65535.0), (16, 255.0), (16, 3.0), (16, 7.0), (8, 1792.0)] {
            assert!(of(bits, divisor).is_some_and(|factors| factors.far.is_some()), "{bits} bits by {divisor}");
        }
    }

    /// What `by_odd` makes.
    fn mended(x: f32, divisor: f32) -> f32 {
        let inverse = 1.0 / divisor;
        let near = x * inverse;
        near.mul_add(divisor, -x).min(f32::MAX).mul_add(-inverse, near)
    }

    #[test]
    fn odd_integers_divide_all_kinds_of_floats() {
        // Each exponent and sign with some mantissas; all floats around zero, where digits are lost, and around infinity.
        let spread = (0..1 << 16).map(|bits: u32| (bits << 16) ^ bits.wrapping_mul(0x9e37_79b9) >> 16);
        let ends = [0, f32::MIN_POSITIVE.to_bits(), f32::INFINITY.to_bits() - (1 << 12)].into_iter();
        let near_ends = ends.flat_map(|end| (0..1 << 13).map(move |bits| end + bits));
        for bits in spread.chain(near_ends).flat_map(|bits| [bits, bits ^ 1 << 31]) {
            let x = f32::from_bits(bits);
            for divisor in [3.0, 5.0, 9.0, 49.0, 255.0, 4095.0] {
                let [is, should] = [mended(x, divisor), x / divisor];
                assert!(is.to_bits() == should.to_bits() || is.is_nan() && should.is_nan(), "{x:e} / {divisor}");
            }
        }
    }

    #[test]
    fn nothing_is_made_of_what_differs() {
        // The inverse is no float, or none with all its digits.
        assert_eq!(factors(Range::new(0, 255), f32::MIN_POSITIVE / 4.0), None);
        assert_eq!(factors(Range::new(0, 255), 0.0), None);
        assert_eq!(factors(Range::new(0, 255), f32::NAN), None);
        // -0 would be 0.
        let negative = factors(Range::new(0, 65535), -3.0);
        assert!(negative.is_none_or(
            |factors| (0.0f32.mul_add(factors.near, 0.0 * factors.far.unwrap())).to_bits() == (-0.0f32).to_bits()
        ));
    }
}
