//! Rational numbers.

/// A rational number in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    /// The numerator.
    pub num: i64,
    /// The denominator, positive.
    pub den: i64,
}

impl Ratio {
    /// 1
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };
    /// 0
    pub const ZERO: Ratio = Ratio { num: 0, den: 1 };

    /// `num / den`; `None` for a division by 0 or where a number does not fit.
    pub fn new(num: i128, den: i128) -> Option<Ratio> {
        if den == 0 {
            return None;
        }
        let (mut a, mut b) = (num.unsigned_abs(), den.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        // The greatest common divisor of a number above 0 and any other is above 0.
        let by = a as i128 * den.signum();
        Some(Ratio { num: (num / by).try_into().ok()?, den: (den / by).try_into().ok()? })
    }

    /// A whole number.
    pub fn whole(number: i64) -> Ratio {
        Ratio { num: number, den: 1 }
    }

    /// `self + other`
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (i128::from(self.num), i128::from(self.den));
        let (c, d) = (i128::from(other.num), i128::from(other.den));
        Ratio::new(a * d + c * b, b * d)
    }

    /// `self * other`
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(i128::from(self.num) * i128::from(other.num), i128::from(self.den) * i128::from(other.den))
    }

    /// `self / other`; `None` where `other` is 0.
    pub fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(i128::from(self.num) * i128::from(other.den), i128::from(self.den) * i128::from(other.num))
    }

    /// `-self`
    pub fn negated(self) -> Ratio {
        Ratio { num: -self.num, den: self.den }
    }

    /// The greatest integer not above it.
    pub fn floor(self) -> i64 {
        self.num.div_euclid(self.den)
    }

    /// The least integer not below it.
    pub fn ceil(self) -> i64 {
        -(-self.num).div_euclid(self.den)
    }

    /// The greater of two.
    pub fn max(self, other: Ratio) -> Ratio {
        if self.is_below(other) { other } else { self }
    }

    /// Whether it is less than `other`.
    pub fn is_below(self, other: Ratio) -> bool {
        i128::from(self.num) * i128::from(other.den) < i128::from(other.num) * i128::from(self.den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding() {
        let r = |num, den| Ratio::new(num, den).expect("no division by 0");
        assert_eq!((r(-7, 6).floor(), r(-7, 6).ceil(), r(7, -6)), (-2, -1, r(-7, 6)));
        assert_eq!((r(4, 2), Ratio::new(1, 0)), (Ratio::whole(2), None));
        assert!(r(-15, 7).is_below(r(-15, 8)));
    }
}
