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
//! Of floats there are too many. But where `x` is known to be 0 or so large that no digit is lost ([`FloatRange`]), as what is computed from pixels mostly is, only
//! its 24 digits matter. The first form, with `near` below `1 / c`, comes so close to the quotient that the two are rounded alike but where a midpoint of two
//! floats lies between them. By `c`, as an integer of 24 digits, there are a few `x` whose quotients lie so near to one: these are found, and tried.
//!
//! Of any float, by an odd integer `c`, the second form is always right. `x`, `q` and so `c * q - x` are multiples
//! of the last place of `q`, and of fewer of them than a float's digits can count: the rest is exact, of the smallest floats too.
//! What is rounded last is off the true quotient by a thousandth of what lies between it and any midpoint of two floats: the quotient
//! is a multiple of `1 / c` of a place, a midpoint is half a place, and an odd `c` has no half. A zero keeps its sign, as the rest is
//! a zero whose product with `-1 / c` is `-0`.

use crate::{
    analysis::{FloatRange, FloatRanges, value_range},
    ir::{Builder, constant_float, floats_of_table, is},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, BlockLike, BlockRef, OperationRef, Value, ValueLike,
        attribute::{DenseElementsAttribute, FloatAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::IntegerType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::pipeline::{Boundary, Load, Unit};
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
type, or by what it is computed from. In f32, of what is computed from such, and so finite and 0 or not too small, by a product and a `math.fma`, where these \
are right for all floats. In f32 and f64, in bodies of stages, of anything by an odd integer from 3 to 4095: by a product and the two \
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
        let mut ranges = FloatRanges::default();
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "arith.divf")) {
            let b = Builder::before(cx.context(), op).located(op.location());
            let of_any = || if options.floats && is_of_point(op) { by_odd(&b, op) } else { None };
            let quotient = of_integer(&b, op).or_else(|| of_known(&b, op, &mut ranges)).or_else(of_any);
            let Some(quotient) = quotient else { continue };
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
    Some(factors(numbers, divisor)?.times(b, value))
}

/// The quotient of what is computed from integers, so far as its range is known, by a constant.
fn of_known<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    ranges: &mut FloatRanges,
) -> Option<Value<'c, 'a>> {
    let value = ir::operand(op, 0).filter(|value| value.r#type().to_string() == "f32")?;
    let divisor = ir::operand(op, 1)?;
    let range = Some(ranges.of(value)).filter(|range| range.is_finite())?;
    let factors = |divisor: f64| factors_of_floats(divisor as f32).filter(|factors| factors.keep_digits(range));
    if let Some(divisor) = constant_float(divisor) {
        return Some(factors(divisor)?.times(b, value));
    }
    // By what a table has: of the factors there are tables, too.
    let load = ir::defining_op(divisor).and_then(Load::of).filter(|load| load.boundary() != Boundary::Constant)?;
    let of_table = floats_of_table(load.source())?.into_iter();
    let of_table: Vec<Factors> = of_table.map(factors).collect::<Option<_>>()?;
    let element = value.r#type();
    let loaded = |factor: fn(&Factors) -> f32| {
        let float = |factors| FloatAttribute::new(b.context(), element, factor(factors).into()).into();
        let floats: Vec<Attribute> = of_table.iter().map(float).collect();
        let ty = load.source().r#type();
        let table = b.constant(ty, DenseElementsAttribute::new(ty, &floats).expect("a table has a shape").into());
        let like = b.insert((*load.op()).clone());
        ir::mutable(like).set_operand(0, table);
        ir::result(like, 0)
    };
    let (near, far) = (loaded(|factors| factors.near)?, loaded(|factors| factors.far.unwrap_or(0.0))?);
    let rest = b.value("arith.mulf", &[value, far], element, &[]);
    Some(b.value("math.fma", &[value, near, rest], element, &[]))
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

impl Factors {
    /// What the division becomes.
    fn times<'c: 'a, 'a>(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let ty = value.r#type();
        let constant = |factor: f32| b.float(ty, factor.into());
        let Some(far) = self.far else {
            return b.value("arith.mulf", &[value, constant(self.near)], ty, &[]);
        };
        let rest = b.value("arith.mulf", &[value, constant(far)], ty, &[]);
        b.value("math.fma", &[value, constant(self.near), rest], ty, &[])
    }

    /// Whether the products of numbers of a range with both factors are 0 or floats with all digits.
    fn keep_digits(&self, range: FloatRange) -> bool {
        let (least, greatest) = (f64::powi(2.0, range.place), range.lo.abs().max(range.hi.abs()));
        let factors = [self.near, self.far.unwrap_or(self.near)].map(|factor| f64::from(factor.abs()));
        range.is_finite()
            && factors.iter().all(|factor| least * factor >= f64::from(f32::MIN_POSITIVE))
            && greatest * factors[0] < f64::from(f32::MAX) / 2.0
    }
}

/// Digits of an f32.
const DIGITS: u32 = f32::MANTISSA_DIGITS;

/// How far from a midpoint of two floats, in units of the least step between quotients and midpoints, a quotient is at most that may be rounded otherwise: `near` is off
/// by 2^-23 of it, `far` by 2^-22 of that, its product is rounded, all of which is 2^-44 of the quotient, and a step is more than 2^-49 of it.
const NEAR_MIDPOINTS: i64 = 32;

/// Factors with which all floats give what a division by `divisor` gives, as long as no digit is lost.
fn factors_of_floats(divisor: f32) -> Option<Factors> {
    if !divisor.is_normal() || !(1.0 / divisor).is_normal() {
        return None;
    }
    let is_power_of_two = divisor.to_bits().trailing_zeros() + 1 >= DIGITS;
    if is_power_of_two {
        return Some(Factors { near: 1.0 / divisor, far: None });
    }
    // Zeros keep their signs where both factors have that of the divisor: `near` is the float between 0 and `1 / c`. Products of two f32 are exact in f64.
    let nearest = 1.0 / divisor;
    let near = if f64::from(nearest) * f64::from(divisor) > 1.0 {
        nearest.abs().next_down().copysign(divisor)
    } else {
        nearest
    };
    let far = ((1.0 - f64::from(near) * f64::from(divisor)) / f64::from(divisor)) as f32;
    if !near.is_normal() || !far.is_normal() {
        return None;
    }
    let hard = near_midpoints(divisor);
    let is_right = |far: f32| hard.iter().all(|x| x.mul_add(near, x * far).to_bits() == (x / divisor).to_bits());
    let neighbours = [far.abs(), far.abs().next_up(), far.abs().next_down()].map(|far| far.copysign(divisor));
    neighbours.into_iter().find(|far| is_right(*far)).map(|far| Factors { near, far: Some(far) })
}

/// The floats `x` of 1 to 2, as integers of 24 digits `n`, whose quotients by a divisor lie next to midpoints. With the divisor as an integer `c` of 24 digits the quotients are
/// `n / c` and the midpoints `m / 2^s` with an odd `m` of 25 digits, where `s` is 24, or 25 where `n < c`. What is between them is `d = n * 2^s - c * m`, and `m` is known
/// by `d`: all of `c` but its power of two `2^t` has an inverse modulo `2^(s - t)`.
fn near_midpoints(divisor: f32) -> Vec<f32> {
    let c = i64::from(divisor.to_bits() & ((1 << (DIGITS - 1)) - 1) | 1 << (DIGITS - 1));
    let twos = c.trailing_zeros();
    let mut found = Vec::new();
    for s in [DIGITS, DIGITS + 1] {
        let modulus = 1i64 << (s - twos);
        let inverse = inverse_of(c >> twos, modulus);
        let steps = -(NEAR_MIDPOINTS >> twos)..=NEAR_MIDPOINTS >> twos;
        for step in steps.filter(|step| step % 2 != 0) {
            let least = (-step * inverse).rem_euclid(modulus);
            // Of 25 digits.
            let first = least + (((1 << DIGITS) - least).max(0) + modulus - 1) / modulus * modulus;
            for m in (first..1 << (DIGITS + 1)).step_by(modulus as usize) {
                let n = (c * m + (step << twos)) >> s;
                let is_of_case = (n < c) == (s > DIGITS);
                if is_of_case && n >> (DIGITS - 1) == 1 {
                    found.push(f32::from_bits((127 << (DIGITS - 1)) | (n as u32 & ((1 << (DIGITS - 1)) - 1))));
                }
            }
        }
    }
    found
}

/// The inverse of an odd number modulo a power of two: each step doubles the digits that are right.
fn inverse_of(odd: i64, modulus: i64) -> i64 {
    let step = |inverse: i64| (inverse * (2 - odd * inverse).rem_euclid(modulus)).rem_euclid(modulus);
    // Each odd number is its own inverse modulo 8.
    (0..4).fold(odd % modulus, |inverse, _| step(inverse))
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
    fn few_quotients_lie_near_midpoints() {
        for divisor in [3.0f32, 1.983_128, 0.7, 1.055, 6.0, 4095.0, 0.950_47, 16_777_215.0, 1.000_000_1] {
            let c = i64::from(divisor.to_bits() & 0x7f_ffff | 0x80_0000);
            let near = near_midpoints(divisor);
            let brute = (1i64 << 23..1 << 24).filter(|n| {
                let s = if *n < c { 25 } else { 24 };
                // The distance from the next odd multiple of c.
                let rest = (n << s).rem_euclid(2 * c) - c;
                rest.abs() <= NEAR_MIDPOINTS
            });
            let mut expected: Vec<f32> = brute.map(|n| n as f32 / 8_388_608.0).collect();
            let mut found = near;
            found.sort_by(f32::total_cmp);
            expected.sort_by(f32::total_cmp);
            assert_eq!(found, expected, "{divisor}");
        }
    }

    #[test]
    fn all_digits_are_divided() {
        assert_eq!(factors_of_floats(-4.0), Some(Factors { near: -0.25, far: None }));
        // A divisor of each kind: few digits, many, below 1, even, negative.
        let mut right = 0;
        for divisor in [3.0f32, 6.0, 1.983_128, 5.996_199, 3.932_796_7, 0.7, 1.055, 0.950_47, 12.92, -13.815_511, 99.0]
        {
            let Some(Factors { near, far: Some(far) }) = factors_of_floats(divisor) else { continue };
            right += 1;
            for x in (0x3f80_0000..0x4000_0000).map(f32::from_bits) {
                assert_eq!(x.mul_add(near, x * far).to_bits(), (x / divisor).to_bits(), "{x:e} / {divisor}");
            }
            for x in [0.0f32, -0.0] {
                assert_eq!(x.mul_add(near, x * far).to_bits(), (x / divisor).to_bits());
            }
        }
        assert!(right >= 8, "{right}");
        assert_eq!([0.0, f32::NAN, f32::INFINITY, 1e-40].map(factors_of_floats), [const { None }; 4]);
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
