//! Divisions by constants as products: with which factors every quotient stays what it is.
//!
//! ```text
//! x / 255     fma(x, near, x * far)      1/255 = near + far, far a small rest
//! ```
//!
//! The product with `1 / c` alone is often off by a bit, as `1 / c` is; with what `1 / c` lost in rounding added, before the sum is
//! rounded, it hardly ever is. Whether it is needs no theory here: of a pixel that was an integer there are so few that all are tried.
//!
//! Of floats there are too many. But where `x` is known to be 0 or so large that no digit is lost, as what is computed from pixels mostly is, only
//! its 24 digits matter. The sum, with `near` below `1 / c`, comes so close to the quotient that the two are rounded alike but where a midpoint of two
//! floats lies between them. By `c`, as an integer of 24 digits, there are a few `x` whose quotients lie so near to one: these are found, and tried.

use crate::affine::Range;

/// What a division becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// What the number is multiplied by.
    pub near: f32,
    /// What is added to the exact first product: the rounded product with this.
    pub far: Option<f32>,
}

/// Digits of an f32.
const DIGITS: u32 = f32::MANTISSA_DIGITS;

/// How far from a midpoint of two floats, in units of the least step between quotients and midpoints, a quotient is at most that may be rounded otherwise: `near` is off
/// by 2^-23 of it, `far` by 2^-22 of that, its product is rounded, all of which is 2^-44 of the quotient, and a step is more than 2^-49 of it.
const NEAR_MIDPOINTS: i64 = 32;

/// Factors with which all floats give what a division by `divisor` gives, as long as no digit is lost. `None` if those that are
/// tried are wrong for some float, or one of them, `divisor` or its inverse is no normal float.
pub fn factors_of_floats(divisor: f32) -> Option<Factors> {
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

/// Factors with which all numbers, `hi` too, give what a division by `divisor` gives: they are tried one by one. `None` if there are no such factors,
/// or the first is no normal float.
pub fn factors(numbers: Range<i64>, divisor: f32) -> Option<Factors> {
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

    /// What `--exact-division` makes of a division by an odd integer.
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

    /// Quotients of the inverse of their divisor (`--share-divisors`). What is rounded last is less than six steps between quotients and midpoints away: the first product is off by 3/2 of
    /// the last place, and what it leaves by 2^-24 of that, as is the inverse. All divisors were tried once; here are the first and the last, and some in between.
    #[test]
    fn inverses_give_quotients() {
        let few = 1 << 12;
        let all = 0..1 << (DIGITS - 1);
        let divisors = (0..few).chain(all.end - few..all.end).chain(all.step_by(61));
        let mut tried = 0;
        for below in divisors.map(|digits| f32::from_bits(127 << (DIGITS - 1) | digits)) {
            let inverse = 1.0 / below;
            for above in near_midpoints(below) {
                let near = above * inverse;
                let quotient = (-below).mul_add(near, above).mul_add(inverse, near);
                assert_eq!(quotient.to_bits(), (above / below).to_bits(), "{above:e} / {below:e}");
                tried += 1;
            }
        }
        assert!(tried > 1 << 20);
    }

    /// Floats divide integers as these are divided (`--expand-divisions`). What lies next to a multiple of the divisor is nearest to being rounded to the other side of it.
    #[test]
    fn floats_divide_integers() {
        for divisor in 1..=u32::from(u16::MAX) {
            for times in (0..=u32::from(u16::MAX) / divisor).step_by(1 + (u32::from(u16::MAX) / divisor) as usize / 50)
            {
                for number in [divisor * times, (divisor * times + divisor - 1).min(u16::MAX.into())] {
                    assert_eq!((number as f32 / divisor as f32) as u32, number / divisor, "{number} / {divisor}");
                    let inverse = 1.0 / divisor as f32;
                    let quotient = (number as f32).mul_add(inverse, 0.5 * inverse) as u32;
                    assert_eq!(quotient, number / divisor, "{number} times the inverse of {divisor}");
                }
            }
        }
        for step in 1..100_000u32 {
            let divisor = step.wrapping_mul(0x9e37_79b9) >> (step % 32);
            let most = u32::MAX / divisor.max(1);
            for times in [1, 2, most / 3, most - 1, most] {
                let multiple = divisor.max(1).wrapping_mul(times);
                for number in [multiple, multiple.wrapping_sub(1)] {
                    let quotient = (f64::from(number) / f64::from(divisor.max(1))) as u32;
                    assert_eq!(quotient, number / divisor.max(1), "{number} / {divisor}");
                }
            }
        }
    }
}
