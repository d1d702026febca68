//! The functions, each for f32 and f64 alike: the constants and the number of coefficients differ, the formulas do not.
//!
//! The pattern is that of every mathematical library: bring the argument into a short interval, evaluate a polynomial, put the
//! result together, and choose what is special at the end. There is a branch only where an argument of `sin` or `cos` is so
//! large that its reduction needs many digits of π; all else is straight-line code, which vectorises.
//!
//! `fma` leaves of a product what rounding took: `p = a * b` misses `a.fma(b, -p)`, exactly. Such a pair, a value and what it
//! misses, is written `(high, low)`.

use super::{
    coefficients::{F32, F64},
    float::{Bool, Float, Int, Scope},
    table::Table,
};
use weft_dialects::weft;
use weft_model::arithmetic::power_series;

const INFINITY: f64 = f64::INFINITY;

impl<'c: 'a, 'a> Scope<'c, 'a> {
    fn table(self) -> &'static Table {
        if self.width == 64 { &F64 } else { &F32 }
    }

    fn pick(self, of_f32: f64, of_f64: f64) -> f64 {
        if self.width == 64 { of_f64 } else { of_f32 }
    }
}

// ---- Exponentials ---------------------------------------------------------------------------------------------------------

/// A number plus the magic one has the nearest integer in its low bits: that integer as a float, and as an integer.
fn nearest<'c: 'a, 'a>(sum: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let magic = sum.s.float(sum.s.magic());
    (sum - magic, sum.bits() - magic.bits())
}

impl<'c: 'a, 'a> Int<'c, 'a> {
    /// 2 to this power, where that is normal.
    fn exp2(self) -> Float<'c, 'a> {
        let s = self.s;
        ((self + s.bias()) << i64::from(s.fraction)).as_bits()
    }
}

/// `value * 2^n` where 2^n alone may be too large or too small; rounded once. The product says so, for processors that do it at once.
fn scale<'c: 'a, 'a>(value: Float<'c, 'a>, n: Int<'c, 'a>) -> Float<'c, 'a> {
    let half = n >> 1;
    (value * half.exp2() * (n - half).exp2()).marked(weft::SCALED)
}

/// `n` and `r` such that e^x = 2^n e^r, with |r| ≤ log(2) / 2.
fn exp_argument<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let table = x.s.table();
    let (n, power) = nearest(x.fma(table.log2_e[0], x.s.magic()));
    // The first difference is exact.
    let r = n.fma(-table.ln2[0], x);
    (n.fma(-table.ln2[1], r), power)
}

/// `n` and `p` such that e^x = 2^n (1 + p), with p between 1/√2 - 1 and √2 - 1.
fn exp_parts<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let (r, power) = exp_argument(x);
    (r.polynomial(r.s.table().exp).fma(r * r, r), power)
}

/// e^r for |r| ≤ log(2) / 2.
fn exp_series<'c: 'a, 'a>(r: Float<'c, 'a>) -> Float<'c, 'a> {
    r.polynomial(r.s.table().exp).fma(r, 1.0).fma(r, 1.0)
}

/// Beyond these, e^x is infinite, and 0.
fn exp_range(s: Scope) -> (f64, f64) {
    (s.pick(-105.0, -746.0), s.pick(89.0, 710.0))
}

pub(super) fn exp<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let (low, high) = exp_range(x.s);
    let (r, n) = exp_argument(x.clamp(low, high));
    scale(exp_series(r), n)
}

pub(super) fn exp2<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let x = x.clamp(x.s.pick(-151.0, -1076.0), x.s.pick(129.0, 1025.0));
    let (n, power) = nearest(x + x.s.magic());
    let r = x - n;
    scale(r.polynomial(x.s.table().exp2).fma(r, 1.0), power)
}

/// Half of e^x - 1: half, because that does not overflow sooner than `sinh` does. Also what [`exp_parts`] gave.
fn half_expm1<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, (Float<'c, 'a>, Int<'c, 'a>)) {
    let parts = exp_parts(x);
    let power = (parts.1 - 1).exp2();
    (parts.0.fma(power, power - 0.5), parts)
}

pub(super) fn expm1<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let (half, _) = half_expm1(x.clamp(x.s.pick(-20.0, -40.0), exp_range(x.s).1));
    // Where x is the result, the half of it may have lost a bit, or the sign of a zero.
    let is_tiny = x.abs().lt(x.s.pick(1e-10, 1e-20));
    is_tiny.select(x, half + half)
}

/// 1 - 2 / (e^2a + 1), and a polynomial where that would be a small difference.
pub(super) fn tanh<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let a = x.abs();
    let most = x.s.pick(10.0, 20.0);
    let a = a.gt(most).select(most, a);
    let (p, n) = exp_parts(a + a);
    let power = n.exp2();
    let large = -(a.s.float(2.0) / (p.fma(power, power) + 1.0)) + 1.0;
    let z = a * a;
    let small = (z.polynomial(x.s.table().tanh) * z).fma(a, a);
    a.gt(0.5625).select(large, small).with_sign_of(x)
}

pub(super) fn sinh<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let a = hyperbolic_argument(x);
    let (half, (p, n)) = half_expm1(a);
    let small = half + half / (half + half + 1.0);
    let power = scale(p + 1.0, n - 1);
    let result = a.lt(1.0).select(small, power - power.s.float(0.25) / power);
    a.lt(x.s.pick(1e-10, 1e-20)).select(a, result).with_sign_of(x)
}

pub(super) fn cosh<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let (p, n) = exp_parts(hyperbolic_argument(x));
    let power = scale(p + 1.0, n - 1);
    power + power.s.float(0.25) / power
}

/// |x|, or what already overflows.
fn hyperbolic_argument<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let most = x.s.pick(90.0, 711.0);
    let a = x.abs();
    a.gt(most).select(most, a)
}

// ---- Logarithms -----------------------------------------------------------------------------------------------------------

/// `m` and `n` such that x = 2^n m, with m between `least` and twice that; for x between 0 and ∞.
fn mantissa<'c: 'a, 'a>(x: Float<'c, 'a>, least: f64) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let s = x.s;
    let is_subnormal = x.lt(s.least_normal());
    let lifted = is_subnormal.select(x * 2f64.powi(s.fraction as i32 + 1), x).bits();
    let n = (lifted - s.float(least).bits()) >> i64::from(s.fraction);
    let m = (lifted - (n << i64::from(s.fraction))).as_bits();
    (m, n + is_subnormal.select_int(-i64::from(s.fraction) - 1, 0))
}

/// log(1 + f) for f from -1/3 to 1/3.
fn log_series<'c: 'a, 'a>(f: Float<'c, 'a>) -> Float<'c, 'a> {
    f.polynomial(f.s.table().log1p).fma(f * f, f)
}

/// log(x) as log(m) and an exponent.
fn log_parts<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Float<'c, 'a>) {
    let (m, n) = mantissa(x, x.s.table().two_thirds);
    (log_series(m - 1.0), n.small_to_float())
}

/// What logarithms of `x` have in common: -∞ of 0, ∞ of ∞, NaN of what is below 0.
fn of_positive<'c: 'a, 'a>(x: Float<'c, 'a>, result: Float<'c, 'a>) -> Float<'c, 'a> {
    let infinite = x.gt(0.0).select(x, f64::NAN);
    let special = x.eq(0.0).select(-INFINITY, infinite);
    (x.gt(0.0) & x.lt(INFINITY)).select(result, special)
}

pub(super) fn log<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [high, low] = x.s.table().ln2;
    let (l, n) = log_parts(x);
    of_positive(x, n.fma(high, n.fma(low, l)))
}

pub(super) fn log2<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [high, low] = x.s.table().log2_e;
    let (l, n) = log_parts(x);
    of_positive(x, l.fma(high, l.fma(low, n)))
}

pub(super) fn log10<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [high, low] = x.s.table().log10_2;
    let [log10_e, log10_e_low] = x.s.table().log10_e;
    let (l, n) = log_parts(x);
    of_positive(x, n.fma(high, l.fma(log10_e, l.fma(log10_e_low, n * low))))
}

/// The logarithm of u = 1 + x, corrected by what that sum misses.
pub(super) fn log1p<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [high, low] = x.s.table().ln2;
    let u = x + 1.0;
    let part = u - 1.0;
    let missing = (-(u - part) + 1.0) + (x - part);
    let (m, n) = mantissa(u, x.s.table().two_thirds);
    // 2^-n by way of 2^(1 - n), which is a number for the greatest n, too.
    let power = (-n + 1).exp2() * 0.5;
    let l = log_series(missing.fma(power, m - 1.0));
    let n = n.small_to_float();
    let result = of_positive(u, n.fma(high, n.fma(low, l)));
    x.eq(0.0).select(x, result)
}

// ---- Powers ---------------------------------------------------------------------------------------------------------------

/// a + b as a pair, for |a| ≥ |b| or a = 0.
fn sum<'c: 'a, 'a>(a: Float<'c, 'a>, b: Float<'c, 'a>) -> (Float<'c, 'a>, Float<'c, 'a>) {
    let high = a + b;
    (high, b - (high - a))
}

/// a * b as a pair.
fn product<'c: 'a, 'a>(a: Float<'c, 'a>, b: Float<'c, 'a>) -> (Float<'c, 'a>, Float<'c, 'a>) {
    let high = a * b;
    (high, a.fma(b, -high))
}

/// log(x) as a pair, for x between 0 and ∞: 2 artanh(s) with s = (m - 1) / (m + 1), whose first terms are pairs, too.
fn log_pair<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Float<'c, 'a>) {
    let table = x.s.table();
    let (m, n) = mantissa(x, table.sqrt_half);
    let n = n.small_to_float();

    let f = m - 1.0;
    let d = m + 1.0;
    let d_low = m - (d - 1.0);
    let reciprocal = d.s.float(1.0) / d;
    let s = f * reciprocal;
    let rest = (-s).fma(d, f);
    let s_low = (-s).fma(d_low, rest) * reciprocal;

    let (z, z_rest) = product(s, s);
    let z_low = (s + s).fma(s_low, z_rest);
    // 1/3 + z/5 + z²/7 + ...
    let (c, c_rest) = sum(x.s.float(table.third[0]), z.polynomial(table.atanh) * z);
    let c_low = c_rest + table.third[1];
    // Times z, times s.
    let (w, w_rest) = product(z, c);
    let w_low = z.fma(c_low, z_low.fma(c, w_rest));
    let (u, u_rest) = product(s, w);
    let u_low = s.fma(w_low, s_low.fma(w, u_rest));
    let (l, l_rest) = sum(s, u);
    let l_low = l_rest + (u_low + s_low);

    // Twice that is log(m); n log(2), which is larger or 0, is exact in its first part.
    let (high, rest) = sum(n * table.ln2_short[0], l + l);
    sum(high, n.fma(table.ln2_short[1], rest + (l_low + l_low)))
}

/// x^y for an exponent that the program says, if it is a small one: products, a root, or one float of 2^(y log2(x)), as [`pow`]'s two are for
/// exponents that make differences of a logarithm large.
pub(super) fn pow_by<'c: 'a, 'a>(x: Float<'c, 'a>, y: f64) -> Option<Float<'c, 'a>> {
    let s = x.s;
    if y.abs() > LARGEST_SMALL || y.is_nan() {
        return None;
    }
    Some(match y {
        0.0 => s.float(1.0),
        0.5 => x.eq(-INFINITY).select(INFINITY, (x + 0.0).sqrt()),
        1.0 => x,
        2.0 => x * x,
        3.0 => x * x * x,
        4.0 => (x * x) * (x * x),
        -1.0 => s.float(1.0) / x,
        _ if y.fract() == 0.0 => return None,
        _ => fractional_pow(x, y),
    })
}

/// The greatest small exponent: the error of a logarithm is multiplied by it.
const LARGEST_SMALL: f64 = 4.0;

/// x^y for a small y that is not whole. With x = 2^n (1 + f) the power is 2^(y n) (1 + f)^y, of both of which the difference to 1 is a polynomial:
/// y n less the nearest integer is exact, and f is not negative, so that (1 + f)^|y| is no small difference. Of a negative y the reciprocal is taken.
fn fractional_pow<'c: 'a, 'a>(x: Float<'c, 'a>, y: f64) -> Float<'c, 'a> {
    let (s, table) = (x.s, x.s.table());
    let (m, n) = mantissa(x, 1.0);
    let (n, f) = (n.small_to_float(), m - 1.0);
    let of_f = f.polynomial(&power_series(y.abs(), s.pick(2f64.powi(-26), 2f64.powi(-56))));
    let (k, power) = nearest(n.fma(y.abs(), s.magic()));
    let r = n.fma(y.abs(), -k);
    let of_r = r * r.polynomial(table.exp2);
    // (1 + a) (1 + b) = 1 + (a + (b + a b))
    let both = f.fma(of_f, (f * of_f).fma(of_r, of_r)) + 1.0;
    let (both, power) = if y > 0.0 { (both, power) } else { (s.float(1.0) / both, -power) };
    // 2^n is made of two powers that are normal: beyond, the result is infinite, or 0.
    let most = 2 * s.bias() - 2;
    let greatest = s.bias() + i64::from(s.fraction) + 2;
    let is_normal = y.abs() * greatest as f64 <= most as f64;
    let power = if is_normal { power } else { power.clamp(-most, most) };
    let result = scale(both, power);

    // Of 0 and infinity, and NaN, which stays.
    let a = x.abs();
    let end = if y > 0.0 { a } else { a.eq(0.0).select(INFINITY, a.eq(INFINITY).select(0.0, a)) };
    let is_real = x.lt(0.0) & x.gt(-INFINITY);
    (x.gt(0.0) & x.lt(INFINITY)).select(result, is_real.select(f64::NAN, end))
}

/// x^y = e^(y log|x|), its sign, and the special cases of IEEE 754.
pub(super) fn pow<'c: 'a, 'a>(x: Float<'c, 'a>, y: Float<'c, 'a>) -> Float<'c, 'a> {
    let s = x.s;
    let a = x.abs();
    let (high, low) = log_pair(a);
    // The logarithms of 0, ∞ and NaN.
    let high = a.eq(0.0).select(-INFINITY, a.lt(INFINITY).select(high, a));
    let (p, p_rest) = product(y, high);
    let (least, most) = exp_range(s);
    let p_low = y.fma(low, p_rest);
    let p_low = (p.gt(least) & p.lt(most)).select(p_low, 0.0);
    let p = p.clamp(least, most);
    let table = s.table();
    let (n, power) = nearest(p.fma(table.log2_e[0], s.magic()));
    let r = n.fma(-table.ln2[1], n.fma(-table.ln2[0], p)) + p_low;
    let magnitude = a.eq(1.0).select(1.0, scale(exp_series(r), power));

    let is_integer = y.eq(y.trunc());
    let half = y * 0.5;
    let is_odd = is_integer & !half.eq(half.trunc());
    let signed = (is_odd & x.bits().is_negative()).select(-magnitude, magnitude);
    let is_negative = x.lt(0.0) & x.gt(-INFINITY);
    let real = (is_negative & !is_integer).select(f64::NAN, signed);
    let is_nan = x.unordered(y).select(f64::NAN, real);
    (y.eq(0.0) | x.eq(1.0)).select(1.0, is_nan)
}

pub(super) fn rsqrt<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    x.s.float(1.0) / x.sqrt()
}

/// A polynomial for a guess, one step of Halley's, which trebles its digits (two in f64), and a correction by the exact rest.
pub(super) fn cbrt<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let s = x.s;
    let a = x.abs();
    let (m, n) = mantissa(a, s.table().two_thirds);
    // n = 3 third + rest, and m times 2^rest lies between 1/3 and 8/3.
    let (third, power) = nearest(n.small_to_float().fma(s.table().third[0], s.magic()));
    let rest = third.fma(-3.0, n.small_to_float());
    let m = m * rest.gt(0.0).select(2.0, rest.lt(0.0).select(0.5, 1.0));
    let mut y = m.polynomial(s.table().cbrt);
    for _ in 0..(if s.width == 64 { 2 } else { 1 }) {
        let cube = y * y * y;
        y = y * (m + m + cube) / (cube + cube + m);
    }
    let (square, square_low) = product(y, y);
    let missing = (-square_low).fma(y, (-square).fma(y, m));
    y = y + missing / (square * 3.0);
    let result = y * power.exp2();
    let is_finite = a.gt(0.0) & a.lt(INFINITY);
    is_finite.select(result, a).with_sign_of(x)
}

// ---- Angles ---------------------------------------------------------------------------------------------------------------

/// An angle: sine and cosine of what remains of it, and the number of quarter turns that it is beyond.
#[derive(Clone, Copy)]
pub(super) struct Angle<'c, 'a> {
    angle: Float<'c, 'a>,
    sine: Float<'c, 'a>,
    cosine: Float<'c, 'a>,
    quadrant: Int<'c, 'a>,
}

pub(super) fn angle<'c: 'a, 'a>(x: Float<'c, 'a>) -> Angle<'c, 'a> {
    let (r, quadrant) = reduce(x);
    let table = x.s.table();
    let z = r * r;
    let sine = (z.polynomial(table.sin) * z).fma(r, r);
    let cosine = z.polynomial(table.cos).fma(z, -0.5).fma(z, 1.0);
    Angle { angle: x, sine, cosine, quadrant }
}

impl<'c: 'a, 'a> Angle<'c, 'a> {
    pub(super) fn sin(self) -> Float<'c, 'a> {
        let sine = self.sine_after(self.quadrant);
        self.angle.eq(0.0).select(self.angle, sine)
    }

    pub(super) fn cos(self) -> Float<'c, 'a> {
        self.sine_after(self.quadrant + 1)
    }

    /// The sine of what remains and so many quarter turns.
    fn sine_after(self, quadrant: Int<'c, 'a>) -> Float<'c, 'a> {
        let value = (quadrant & 1).equals(1).select(self.cosine, self.sine);
        // The sign is the second bit.
        (value.bits() ^ ((quadrant & 2) << (i64::from(value.s.width) - 2))).as_bits()
    }
}

pub(super) fn tan<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let Angle { sine, cosine, quadrant, .. } = angle(x);
    let is_odd = (quadrant & 1).equals(1);
    let result = is_odd.select(-cosine, sine) / is_odd.select(sine, cosine);
    x.eq(0.0).select(x, result)
}

/// What remains of `x`, between -π/4 and π/4, and the number of quarter turns, of which the last two bits are right.
fn reduce<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let s = x.s;
    // Not beyond: the quotient must be right to within a fraction of a turn.
    let is_far = !x.abs().lt(s.pick(65536.0, 1073741824.0));
    s.branch(is_far, |s| reduce_far(x.within(s)), |s| reduce_near(x.within(s)))
}

/// Cody and Waite: the multiple of π/2 is subtracted part by part. The first difference is exact, and so is the second where
/// the first nearly vanished.
fn reduce_near<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let table = x.s.table();
    let (n, quadrant) = nearest(x.fma(table.two_over_pi, x.s.magic()));
    (table.half_pi.iter().fold(x, |r, part| n.fma(-*part, r)), quadrant)
}

/// Payne and Hanek: x = m 2^e with an integer m. Of the digits of 2/π those that make multiples of 4 of m 2^e are left out; three
/// words of those that follow, times m, give the quadrant, the fraction of a quarter turn, and digits enough in case most
/// of these are 0.
fn reduce_far<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Int<'c, 'a>) {
    let s = x.s;
    let (width, fraction) = (i64::from(s.width), i64::from(s.fraction));
    let bits = x.abs().bits();
    let m = (bits & ((1i64 << fraction) - 1)) | (1i64 << fraction);
    let e = (bits >> fraction) - (s.bias() + fraction);
    // Before the table's first digit stands a word of zeros.
    let first = e + (width - 2);
    let word = first >> (if width == 64 { 6i64 } else { 5 });
    let shift = first & (width - 1);
    let digits = s.table().digits;
    let last = digits.len() - 4;
    let words: Vec<Int> = (0..4)
        .map(|next| {
            let chosen = s.int(digits[last + next]);
            (0..last)
                .rev()
                .fold(chosen, |other, place| word.equals(place as i64).select_int(digits[place + next], other))
        })
        .collect();
    // A shift by the whole width has no meaning, so it is done in two steps.
    let aligned = |pair: &[Int<'c, 'a>]| {
        let from_next = pair[1].shift_right_unsigned(1).shift_right_unsigned(-shift + (width - 1));
        (pair[0] << shift) | from_next
    };
    let [high, middle, low] = [aligned(&words[0..2]), aligned(&words[1..3]), aligned(&words[2..4])];
    let (_, low) = m.times_wide(low);
    let (middle, carry) = m.times_wide(middle);
    let low = middle + low;
    let high = m.times(high) + carry + low.less_unsigned(middle).select_int(1, 0);
    // The nearest quarter turn, and the fraction that is left: its sign, and its size in two words.
    let quadrant = (high + (1i64 << (width - 3))).shift_right_unsigned(width - 2);
    let high = high - (quadrant << (width - 2));
    let is_below = high.is_negative();
    let high = is_below.select_int((high ^ -1) + low.equals(0).select_int(1, 0), high);
    let low = is_below.select_int(-low, low);

    // As a pair of floats: of the first word, what a float cannot hold beside the rest, the rest, and the second word.
    let mask = (1i64 << (width - fraction - 1)) - 1;
    let unit = 2f64.powi(2 - s.width as i32);
    let last = low.to_float_unsigned() * (unit * 2f64.powi(-(s.width as i32)));
    let (next, last) = sum((high & mask).to_float() * unit, last);
    let (first, next) = sum((high & !mask).to_float() * unit, next);
    let second = next + last;
    let [half_pi, half_pi_low, _] = s.table().half_pi;
    let r = first.fma(half_pi, second.fma(half_pi, first * half_pi_low));

    let r = x.abs().lt(INFINITY).select(r, f64::NAN);
    let r = is_below.select(-r, r);
    let is_negative = x.lt(0.0);
    (is_negative.select(-r, r), is_negative.select_int(-quadrant, quadrant))
}

/// arctan(t) for t from 0 to 1.
fn atan_series<'c: 'a, 'a>(t: Float<'c, 'a>) -> Float<'c, 'a> {
    let z = t * t;
    (z.polynomial(t.s.table().atan) * z).fma(t, t)
}

pub(super) fn atan<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let a = x.abs();
    let is_large = a.gt(1.0);
    let [high, low, _] = x.s.table().half_pi;
    let angle = atan_series(is_large.select(x.s.float(1.0) / a, a));
    is_large.select((-angle + high) + low, angle).with_sign_of(x)
}

pub(super) fn atan2<'c: 'a, 'a>(y: Float<'c, 'a>, x: Float<'c, 'a>) -> Float<'c, 'a> {
    let s = x.s;
    let (a, b) = (x.abs(), y.abs());
    let is_steep = b.gt(a);
    let (least, most) = (is_steep.select(a, b), is_steep.select(b, a));
    // 0 / 0 and ∞ / ∞ are as 0 / 1 and 1 / 1.
    let ratio = most.eq(0.0).select(0.0, least.eq(INFINITY).select(1.0, least / most));
    let angle = atan_series(ratio);
    let [half, half_low, _] = s.table().half_pi;
    let angle = is_steep.select((-angle + half) + half_low, angle);
    let angle = x.bits().is_negative().select((-angle + 2.0 * half) + 2.0 * half_low, angle);
    x.unordered(y).select(f64::NAN, angle.with_sign_of(y))
}

/// arcsin(t) for t from 0 to 1/2, by z = t².
fn asin_series<'c: 'a, 'a>(t: Float<'c, 'a>, z: Float<'c, 'a>) -> Float<'c, 'a> {
    (z.polynomial(t.s.table().asin) * z).fma(t, t)
}

/// The arcsine of |x| if that is at most 1/2, else that of √((1 - |x|) / 2), which is half of the angle to 1; and which of the two.
fn asin_parts<'c: 'a, 'a>(x: Float<'c, 'a>) -> (Float<'c, 'a>, Bool<'c, 'a>) {
    let a = x.abs();
    let is_large = a.gt(0.5);
    let half = -(a * 0.5) + 0.5;
    let z = is_large.select(half, a * a);
    (asin_series(is_large.select(half.sqrt(), a), z), is_large)
}

pub(super) fn asin<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [half, half_low, _] = x.s.table().half_pi;
    let (angle, is_large) = asin_parts(x);
    let steep = (angle.fma(-2.0, half)) + half_low;
    is_large.select(steep, angle).with_sign_of(x)
}

pub(super) fn acos<'c: 'a, 'a>(x: Float<'c, 'a>) -> Float<'c, 'a> {
    let [half, half_low, _] = x.s.table().half_pi;
    let (angle, is_large) = asin_parts(x);
    let signed = angle.with_sign_of(x);
    let flat = (-signed + half) + half_low;
    let twice = angle + angle;
    let steep = x.lt(0.0).select((-twice + 2.0 * half) + 2.0 * half_low, twice);
    is_large.select(steep, flat)
}
