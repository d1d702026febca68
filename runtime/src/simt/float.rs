//! Floating point as the PTX ISA says, where Rust's own operators do not say it.
//!
//! **Directed and half-precision rounding** go through one trick: compute in f64, fold what f64 lost into the last bit (*round to
//! odd*), then round once more to the narrow type. As f64 has more than twice an f32's bits plus two, the second rounding is the
//! only one that shows (Boldo and Melquiond, 2008). **NaN**: an f32 or f16 result is the canonical one, 0x7fffffff or 0x7fff.
//! **Approximate instructions** (`ex2.approx`, `sin.approx`, `rsqrt.approx`, `div.full` …) are computed in f64 and rounded to
//! nearest, so they are more accurate here than on any device: compare by tolerance. `.ftz` flushes operands and results.

use half::{bf16, f16};

use super::program::{Compare, Conversion, Float1, Float2, FloatType, Mods, Round, Scalar, TestP};

#[inline]
pub(super) fn flush32(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

#[inline]
pub(super) fn canonical32(x: f32) -> f32 {
    if x.is_nan() { f32::from_bits(0x7fff_ffff) } else { x }
}

/// The sum, and what rounding took from it, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// `value` is the exact result rounded to nearest, and `rest` has the sign of what is missing: rounds to odd instead.
fn odd(value: f64, rest: f64) -> f64 {
    let bits = value.to_bits();
    if rest == 0.0 || rest.is_nan() || !value.is_finite() || bits & 1 == 1 {
        value
    } else if (rest > 0.0) == (value > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}

fn sum_odd(a: f64, b: f64) -> f64 {
    let (sum, rest) = two_sum(a, b);
    odd(sum, rest)
}

/// Rounds a value that is exact or rounded to odd.
pub(super) fn to_f32(x: f64, round: Round) -> f32 {
    let near = x as f32;
    if near.is_nan() {
        return canonical32(near);
    }
    let wide = f64::from(near);
    match round {
        Round::Near => near,
        Round::Zero if wide.abs() > x.abs() => {
            if wide > 0.0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        Round::Down if wide > x => near.next_down(),
        Round::Up if wide < x => near.next_up(),
        _ => near,
    }
}

/// Rounds a value that is exact or rounded to odd.
pub(super) fn to_f16(x: f64, round: Round) -> f16 {
    // Through an f32 rounded to odd: `f16::from_f64` looks at the upper half of the f64 only, which misjudges ties.
    let toward_zero = to_f32(x, Round::Zero);
    let narrow = if f64::from(toward_zero) != x && toward_zero.is_finite() {
        f32::from_bits(toward_zero.to_bits() | 1)
    } else {
        toward_zero
    };
    let near = f16::from_f32(narrow);
    if near.is_nan() {
        return f16::from_bits(0x7fff);
    }
    let wide = near.to_f64();
    let toward_zero = f16::from_bits(near.to_bits().wrapping_sub(1));
    let away = f16::from_bits(near.to_bits().wrapping_add(1));
    match round {
        Round::Near => near,
        Round::Zero if wide.abs() > x.abs() => toward_zero,
        Round::Down if wide > x => {
            if near.to_bits() == 0 {
                f16::from_bits(0x8001)
            } else if near.is_sign_positive() {
                toward_zero
            } else {
                away
            }
        }
        Round::Up if wide < x => {
            if near.to_bits() == 0x8000 {
                f16::from_bits(1)
            } else if near.is_sign_positive() {
                away
            } else {
                toward_zero
            }
        }
        _ => near,
    }
}

/// An exact sum of nothing but opposite values is -0 when rounding down.
fn zero_sum(sum: f64, a: f64, b: f64, round: Round) -> f64 {
    let both_positive = a.is_sign_positive() && b.is_sign_positive();
    if round == Round::Down && sum == 0.0 && !both_positive { -0.0 } else { sum }
}

/// One operation in f64, rounded to odd: to be rounded again to a type of at most 24 bits.
fn binary_odd(op: Float2, a: f64, b: f64, round: Round) -> f64 {
    match op {
        Float2::Add => zero_sum(sum_odd(a, b), a, b, round),
        Float2::Sub => zero_sum(sum_odd(a, -b), a, -b, round),
        Float2::Mul => a * b,
        Float2::Div => {
            let quotient = a / b;
            let rest = (-quotient).mul_add(b, a);
            odd(quotient, if b < 0.0 { -rest } else { rest })
        }
        Float2::Min | Float2::Max | Float2::CopySign => unreachable!("these round nothing"),
    }
}

fn fma_odd(a: f64, b: f64, c: f64, round: Round) -> f64 {
    zero_sum(sum_odd(a * b, c), a * b, c, round)
}

/// `min` and `max`: -0 below +0, a NaN loses unless `nan`.
macro_rules! select {
    ($name:ident, $ty:ty, $canonical:expr) => {
        #[inline]
        pub(super) fn $name(maximum: bool, nan: bool, a: $ty, b: $ty) -> $ty {
            if a.is_nan() || b.is_nan() {
                return match (a.is_nan(), b.is_nan()) {
                    _ if nan => $canonical,
                    (true, true) => $canonical,
                    (true, false) => b,
                    _ => a,
                };
            }
            let a_first = if a == b { a.is_sign_negative() } else { a < b };
            if a_first != maximum { a } else { b }
        }
    };
}
select!(select32, f32, f32::from_bits(0x7fff_ffff));
select!(select64, f64, f64::from_bits(0x7fff_ffff_ffff_ffff));

pub(super) fn saturate(x: f64) -> f64 {
    // A NaN becomes +0, and so does -0.
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

#[inline]
fn finish32(x: f32, mods: Mods) -> f32 {
    let x = canonical32(if mods.ftz { flush32(x) } else { x });
    if mods.sat { saturate(f64::from(x)) as f32 } else { x }
}

/// Any f32 operation of two operands with any modifiers.
pub(super) fn binary32(op: Float2, mods: Mods, a: f32, b: f32) -> f32 {
    let (a, b) = if mods.ftz { (flush32(a), flush32(b)) } else { (a, b) };
    let result = match (op, mods.round) {
        (Float2::CopySign, _) => return b.copysign(a),
        (Float2::Min, _) => select32(false, mods.nan, a, b),
        (Float2::Max, _) => select32(true, mods.nan, a, b),
        (Float2::Add, Round::Near) => a + b,
        (Float2::Sub, Round::Near) => a - b,
        (Float2::Mul, Round::Near) => a * b,
        (Float2::Div, Round::Near) => a / b,
        (op, round) => to_f32(binary_odd(op, f64::from(a), f64::from(b), round), round),
    };
    finish32(result, mods)
}

/// A fused f32 multiply-add with any modifiers.
pub(super) fn fma32(mods: Mods, a: f32, b: f32, c: f32) -> f32 {
    let (a, b, c) = if mods.ftz { (flush32(a), flush32(b), flush32(c)) } else { (a, b, c) };
    finish32(to_f32(fma_odd(f64::from(a), f64::from(b), f64::from(c), mods.round), mods.round), mods)
}

/// The plain one, and the hottest function of a stencil. The product of two f32 is exact in f64; where the sum is too, or its
/// last bits are not just at the border between two f32, rounding twice is rounding once.
#[inline]
pub(super) fn fma32_plain(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let sum = product + f64::from(c);
    let bits = sum.to_bits();
    // A tie (or the neighbourhood of one, in subnormals) has 28 zeros below the border bit; subnormal results take the slow way.
    if bits & 0x0fff_ffff != 0 && (sum.abs() >= 1.2e-38) {
        canonical32(sum as f32)
    } else {
        canonical32(sum_odd(product, f64::from(c)) as f32)
    }
}

/// Any f32 operation of one operand.
pub(super) fn unary32(op: Float1, mods: Mods, a: f32) -> f32 {
    let a = if mods.ftz { flush32(a) } else { a };
    let wide = f64::from(a);
    let result = match op {
        Float1::Neg => return -a,
        Float1::Abs => return a.abs(),
        Float1::Sqrt if mods.round == Round::Near => a.sqrt(),
        Float1::Sqrt => {
            let root = wide.sqrt();
            to_f32(odd(root, (-root).mul_add(root, wide)), mods.round)
        }
        Float1::Rcp => to_f32(binary_odd(Float2::Div, 1.0, wide, mods.round), mods.round),
        Float1::Rsqrt => (1.0 / wide.sqrt()) as f32,
        Float1::Ex2 => wide.exp2() as f32,
        Float1::Lg2 => wide.log2() as f32,
        Float1::Sin => wide.sin() as f32,
        Float1::Cos => wide.cos() as f32,
        Float1::Tanh => wide.tanh() as f32,
    };
    finish32(result, mods)
}

pub(super) fn unary64(op: Float1, a: f64) -> f64 {
    match op {
        Float1::Neg => -a,
        Float1::Abs => a.abs(),
        Float1::Sqrt => a.sqrt(),
        Float1::Rcp => 1.0 / a,
        Float1::Rsqrt => 1.0 / a.sqrt(),
        Float1::Ex2 => a.exp2(),
        Float1::Lg2 => a.log2(),
        Float1::Sin => a.sin(),
        Float1::Cos => a.cos(),
        Float1::Tanh => a.tanh(),
    }
}

pub(super) fn binary64(op: Float2, mods: Mods, a: f64, b: f64) -> f64 {
    let result = match op {
        Float2::Add => a + b,
        Float2::Sub => a - b,
        Float2::Mul => a * b,
        Float2::Div => a / b,
        Float2::Min => select64(false, mods.nan, a, b),
        Float2::Max => select64(true, mods.nan, a, b),
        Float2::CopySign => b.copysign(a),
    };
    if mods.sat { saturate(result) } else { result }
}

fn flush16(x: f16) -> f16 {
    if x.to_bits() & 0x7c00 == 0 { f16::from_bits(x.to_bits() & 0x8000) } else { x }
}

fn finish16(x: f64, mods: Mods) -> u16 {
    let x = to_f16(x, mods.round);
    let x = if mods.ftz { flush16(x) } else { x };
    if mods.sat { to_f16(saturate(x.to_f64()), Round::Near).to_bits() } else { x.to_bits() }
}

fn operand16(bits: u16, mods: Mods) -> f64 {
    let x = f16::from_bits(bits);
    (if mods.ftz { flush16(x) } else { x }).to_f64()
}

pub(super) fn unary16(op: Float1, mods: Mods, a: u16) -> u16 {
    match op {
        Float1::Neg => operand16(a, mods).neg_bits16(),
        Float1::Abs => operand16(a, mods).abs_bits16(),
        _ => finish16(unary64(op, operand16(a, mods)), mods),
    }
}

/// Sign changes keep the payload of a NaN out: exact in f16, so `to_f16` only narrows.
trait Bits16 {
    fn neg_bits16(self) -> u16;
    fn abs_bits16(self) -> u16;
}

impl Bits16 for f64 {
    fn neg_bits16(self) -> u16 {
        to_f16(-self, Round::Near).to_bits()
    }

    fn abs_bits16(self) -> u16 {
        to_f16(self.abs(), Round::Near).to_bits()
    }
}

pub(super) fn binary16(op: Float2, mods: Mods, a: u16, b: u16) -> u16 {
    let (x, y) = (operand16(a, mods), operand16(b, mods));
    match op {
        Float2::CopySign => (b & 0x7fff) | (a & 0x8000),
        Float2::Min => finish16(select64(false, mods.nan, x, y), mods),
        Float2::Max => finish16(select64(true, mods.nan, x, y), mods),
        _ => finish16(binary_odd(op, x, y, mods.round), mods),
    }
}

pub(super) fn fma16(mods: Mods, a: u16, b: u16, c: u16) -> u16 {
    finish16(fma_odd(operand16(a, mods), operand16(b, mods), operand16(c, mods), mods.round), mods)
}

/// Applies a function to both halves of a word.
pub(super) fn halves(a: u32, b: u32, c: u32, f: impl Fn(u16, u16, u16) -> u16) -> u32 {
    let low = f(a as u16, b as u16, c as u16);
    let high = f((a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16);
    u32::from(low) | u32::from(high) << 16
}

/// The same of f32 in 64 bits.
#[inline]
pub(super) fn pair(a: u64, b: u64, c: u64, f: impl Fn(f32, f32, f32) -> f32) -> u64 {
    let part = |bits: u64| f32::from_bits(bits as u32);
    let low = f(part(a), part(b), part(c)).to_bits();
    let high = f(part(a >> 32), part(b >> 32), part(c >> 32)).to_bits();
    u64::from(low) | u64::from(high) << 32
}

/// An operand of f32 that may be written as f16 ([`Mods::half`]).
#[inline]
pub(super) fn factor(mods: Mods, bits: u32) -> f32 {
    if mods.half { f16::from_bits(bits as u16).to_f32() } else { f32::from_bits(bits) }
}

/// A comparison of floats, as f64 (exact for the narrower ones).
#[inline]
pub(super) fn compare(how: Compare, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match how {
        Compare::Eq => a == b,
        Compare::Ne => !unordered && a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
        Compare::Equ => unordered || a == b,
        Compare::Neu => a != b,
        Compare::Ltu => unordered || a < b,
        Compare::Leu => unordered || a <= b,
        Compare::Gtu => unordered || a > b,
        Compare::Geu => unordered || a >= b,
        Compare::Num => !unordered,
        Compare::Nan => unordered,
    }
}

/// The value that the low bits of a register hold.
pub(super) fn value(ty: Scalar, bits: u64, ftz: bool) -> f64 {
    match ty {
        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => {
            let x = f32::from_bits(bits as u32);
            f64::from(if ftz { flush32(x) } else { x })
        }
        Scalar::F64 => f64::from_bits(bits),
        _ => 0.0,
    }
}

pub(super) fn to_bf16(x: f64, round: Round) -> u16 {
    // Through an f32 rounded to odd: it has all the bits of a bf16 and more.
    let toward_zero = to_f32(x, Round::Zero);
    let exact = f64::from(toward_zero) == x || !toward_zero.is_finite();
    let bits = if exact { toward_zero.to_bits() } else { toward_zero.to_bits() | 1 };
    if toward_zero.is_nan() {
        return 0x7fff;
    }
    match round {
        Round::Zero => (bits >> 16) as u16,
        _ => bf16::from_f32(f32::from_bits(bits)).to_bits(),
    }
}

/// Sign- or zero-extends the low bits of a register.
#[inline]
pub(super) fn extend(bits: u64, width: u32, signed: bool) -> u64 {
    let shift = 64 - width;
    if signed { ((bits << shift) as i64 >> shift) as u64 } else { bits << shift >> shift }
}

/// `cvt`.
pub(super) fn convert(how: Conversion, bits: u64) -> u64 {
    let (from, to) = (how.from, how.to);
    match (from.is_float(), to.is_float()) {
        (false, false) => {
            let x = extend(bits, from.bits(), from.is_signed());
            let x = if how.sat { clamp_int(x, from.is_signed(), to) } else { x };
            extend(x, to.bits(), to.is_signed())
        }
        (false, true) => {
            let x = extend(bits, from.bits(), from.is_signed());
            let narrow = |high: f64| sum_odd(high, (x & 0xffff_ffff) as f64);
            // Both halves are exact; their sum is rounded to odd.
            let exact = || {
                let high = if from.is_signed() { f64::from((x as i64 >> 32) as i32) } else { (x >> 32) as f64 };
                narrow(high * 4294967296.0)
            };
            match to {
                Scalar::F64 if from.is_signed() => (x as i64 as f64).to_bits(),
                Scalar::F64 => (x as f64).to_bits(),
                _ => store_float(how, exact()),
            }
        }
        (true, false) => {
            let x = value(from, bits, how.ftz);
            if x.is_nan() {
                // Zero, unless 64 bits are on either side.
                let wide = from == Scalar::F64 || matches!(to, Scalar::S64 | Scalar::U64);
                return if wide { extend(1 << (to.bits() - 1), to.bits(), to.is_signed()) } else { 0 };
            }
            let x = round_whole(x, how.round);
            match to {
                Scalar::U64 => x as u64,
                Scalar::S64 => x as i64 as u64,
                _ if to.is_signed() => {
                    let limit = (1i64 << (to.bits() - 1)) as f64;
                    x.clamp(-limit, limit - 1.0) as i64 as u64
                }
                _ => x.clamp(0.0, ((1u64 << to.bits()) - 1) as f64) as u64,
            }
        }
        (true, true) => {
            let x = value(from, bits, how.ftz);
            store_float(how, if how.whole { round_whole(x, how.round) } else { x })
        }
    }
}

fn round_whole(x: f64, round: Round) -> f64 {
    match round {
        Round::Near => x.round_ties_even(),
        Round::Zero => x.trunc(),
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
    }
}

fn clamp_int(x: u64, signed: bool, to: Scalar) -> u64 {
    let value = if signed { i128::from(x as i64) } else { i128::from(x) };
    let (low, high) = if to.is_signed() {
        (-(1i128 << (to.bits() - 1)), (1i128 << (to.bits() - 1)) - 1)
    } else {
        (0, (1i128 << to.bits()) - 1)
    };
    value.clamp(low, high) as u64
}

fn store_float(how: Conversion, x: f64) -> u64 {
    let x = if how.sat { saturate(x) } else { x };
    match how.to {
        Scalar::F16 => u64::from(to_f16(x, how.round).to_bits()),
        Scalar::Bf16 => u64::from(to_bf16(x, how.round)),
        Scalar::F32 => {
            let x = to_f32(x, how.round);
            u64::from((if how.ftz { flush32(x) } else { x }).to_bits())
        }
        _ => x.to_bits(),
    }
}

pub(super) fn test(what: TestP, ty: FloatType, bits: u64) -> bool {
    let (x, least_normal) = match ty {
        FloatType::F64 => (f64::from_bits(bits), f64::MIN_POSITIVE),
        FloatType::F32 => (f64::from(f32::from_bits(bits as u32)), f64::from(f32::MIN_POSITIVE)),
        _ => (f16::from_bits(bits as u16).to_f64(), f16::MIN_POSITIVE.to_f64()),
    };
    match what {
        TestP::Finite => x.is_finite(),
        TestP::Infinite => x.is_infinite(),
        TestP::Number => !x.is_nan(),
        TestP::NotANumber => x.is_nan(),
        TestP::Normal => x.is_finite() && x.abs() >= least_normal,
        TestP::Subnormal => x != 0.0 && x.abs() < least_normal,
    }
}
