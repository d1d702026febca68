//! The polynomial that a power by a constant is made of: fitted here, for whatever exponent a program says.
//!
//! ```text
//! (1 + f)^y, f from 0 to 1          around the middle: (3/2)^y (1 + z/3)^y, z = 2 f - 1 from -1 to 1
//!     c0 + c1 z + ... + c127 z^127      the binomial series, to its end
//!     c0 + c1 z + ...                   its last terms replaced by lower ones: Chebyshev's polynomials are small throughout
//!     1 + f (p0 + p1 f + ...)           the same as a polynomial of f
//! ```
//!
//! Only sums, products and quotients are taken, in twice the digits of f64: the coefficients are the same on every machine.

use std::ops::{Add, Mul, Sub};

/// Terms that binomial series of a half and of a third have, whatever the exponent, before they vanish.
const TERMS: usize = 128;

/// Coefficients, from the highest, of a polynomial of f that is ((1 + f)^y - 1) / f for f from 0 to 1; times f it is right to within about
/// an error.
pub fn power_series(y: f64, error: f64) -> Vec<f64> {
    let binomials = |t: Wide| {
        let next = move |before: &mut Wide, degree: usize| {
            let own = *before;
            *before = own * t * (Wide::from(y) - Wide::from(degree as f64)).over(degree as f64 + 1.0);
            Some(own)
        };
        (0..TERMS).scan(Wide::from(1.0), next)
    };
    let of_middle = binomials(Wide::from(0.5)).fold(Wide::from(0.0), |sum, term| sum + term);
    let mut series: Vec<Wide> = binomials(Wide::from(1.0).over(3.0)).map(|term| of_middle * term).collect();
    let mut left = error;
    while let Some((last, rest)) = series.split_last() {
        // 2^(n-1) z^n - ..., nowhere larger than 1.
        let chebyshev = chebyshev(rest.len());
        let share = last.over(chebyshev[rest.len()]);
        left -= share.high.abs();
        if left < 0.0 {
            break;
        }
        series = rest.iter().zip(&chebyshev).map(|(own, of_last)| *own - share * Wide::from(*of_last)).collect();
    }
    // Horner's rule, of z = 2 f - 1.
    let of_f = series.iter().rev().fold(Vec::new(), |before: Vec<Wide>, coefficient| {
        let none = Wide::from(0.0);
        let twice = [none].into_iter().chain(before.iter().map(|own| *own + *own));
        let once = before.iter().copied().chain([none]);
        let mut next: Vec<Wide> = twice.zip(once).map(|(twice, once)| twice - once).collect();
        next[0] = next[0] + *coefficient;
        next
    });
    // The first one is 1, as nearly as the polynomial is right at all.
    of_f.into_iter().skip(1).rev().map(|own| own.high).collect()
}

/// The coefficients of Chebyshev's polynomial of a degree, from the lowest.
fn chebyshev(degree: usize) -> Vec<f64> {
    let (mut before, mut own) = (vec![1.0], vec![0.0, 1.0]);
    for _ in 0..degree {
        // T(n + 1) = 2 z T(n) - T(n - 1)
        let twice = [0.0].into_iter().chain(own.iter().map(|coefficient| 2.0 * coefficient));
        let once = before.iter().copied().chain([0.0, 0.0]);
        let next = twice.zip(once).map(|(twice, once)| twice - once).collect();
        (before, own) = (own, next);
    }
    before
}

/// A number as a sum of two: the nearest f64, and what that misses.
#[derive(Clone, Copy)]
struct Wide {
    high: f64,
    low: f64,
}

impl Wide {
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let of_b = high - a;
        Self { high, low: (a - (high - of_b)) + (b - of_b) }
    }

    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    fn over(self, by: f64) -> Self {
        let high = self.high / by;
        let rest = self - Self::product(high, by);
        Self::sum(high, rest.high / by)
    }
}

impl From<f64> for Wide {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Wide {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let all = Self::sum(self.high, other.high);
        Self::sum(all.high, all.low + self.low + other.low)
    }
}

impl Sub for Wide {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for Wide {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let all = Self::product(self.high, other.high);
        Self::sum(all.high, all.low + self.high * other.low + self.low * other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::power_series;

    #[test]
    fn whole_powers_are_found() {
        // (1 + f)^3 = 1 + f (3 + f (3 + f))
        let series = power_series(3.0, 1e-20);
        let is_near = |(found, exact): (&f64, f64)| (found - exact).abs() < 1e-15;
        assert!(series.len() == 3 && series.iter().zip([1.0, 3.0, 3.0]).all(is_near), "{series:?}");
    }

    #[test]
    fn roots_are_as_near_as_is_said() {
        for error in [1e-4, 1e-8, 1e-14] {
            let series = power_series(0.5, error);
            for f in (0..=1000).map(|f| f64::from(f) / 1000.0) {
                let found = 1.0 + f * series.iter().fold(0.0, |sum, coefficient| sum * f + coefficient);
                assert!((found - (1.0 + f).sqrt()).abs() < 2.0 * error + 1e-15, "{f}: {found}");
            }
        }
    }
}
