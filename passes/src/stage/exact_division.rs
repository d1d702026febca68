//! `--exact-division`: small integers that are divided by a constant are multiplied, where every quotient stays what it is.
//!
//! ```text
//! %f = arith.uitofp %byte : i8 to f32             %f = arith.uitofp %byte : i8 to f32
//! %q = arith.divf %f, 255.0 : f32         ──▶     %l = arith.mulf %f, 2.3e-10 : f32       1/255 = near + far, far a small rest
//!                                                 %q = math.fma %f, 0.003921569, %l : f32
//! ```
//!
//! A division takes ten times as long as a product. The product with `1 / c` alone is often off by a bit, as `1 / c` is; with what
//! `1 / c` lost in rounding added, before the sum is rounded, it hardly ever is. Whether it is needs no theory here: of a pixel that
//! was an integer there are so few that all are tried.

use crate::{
    analysis::value_range,
    ir::{Builder, constant_float, is},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::IntegerType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_model::Range;

/// The pass.
pub struct ExactDivision;

const DIVISIONS: Statistic = Statistic::new(c"divisions", c"Divisions that became products");

/// Integers that are tried at most.
const MOST: i64 = 1 << 17;

impl Pass for ExactDivision {
    const ARGUMENT: &'static str = "exact-division";
    const SUMMARY: &'static str = "Multiply small integers instead of dividing them by a constant";
    const DESCRIPTION: &'static str = "\
Replaces `arith.divf` in f32 of a converted integer by a constant: by a product, or a product and an `math.fma`, whichever gives the same \
bits for every value that the integer can have. That is tried, for up to 131072 values; what an integer can be is known by its type, or by \
what it is computed from. No value changes.

It goes behind `--contract`, which would find products to join.";
    const STATISTICS: &'static [Statistic] = &[DIVISIONS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for op in ir::walk(module) {
            let Some((value, numbers, divisor)) = division(op) else { continue };
            let Some(factors) = factors(numbers, divisor) else { continue };
            let b = Builder::before(cx.context(), op).located(op.location());
            let ty = value.r#type();
            let constant = |factor: f32| b.float(ty, factor.into());
            let quotient = match factors {
                Factors { near, far: None } => b.value("arith.mulf", &[value, constant(near)], ty, &[]),
                Factors { near, far: Some(far) } => {
                    let rest = b.value("arith.mulf", &[value, constant(far)], ty, &[]);
                    b.value("math.fma", &[value, constant(near), rest], ty, &[])
                }
            };
            ir::replace_all_uses(op.result(0).expect("a division has a result").into(), quotient);
            ir::erase(op);
            cx.count(DIVISIONS, 1);
        }
        Ok(())
    }
}

/// A division of a converted integer by a constant: the converted one, the numbers that it can be, and the constant.
fn division<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Range<i64>, f32)> {
    let value = ir::operand(op, 0).filter(|value| is(op, "arith.divf") && value.r#type().to_string() == "f32")?;
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
