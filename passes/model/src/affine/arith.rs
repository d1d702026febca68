//! The numbers that index expressions are evaluated in: integers, integers of which some are unknown, or what a pass builds.

/// The numbers that ranges are computed in: plain integers at compile time ([`Ints`]), or, in a pass, SSA values made
/// by an IR builder for dynamic extents. Factors and divisors are always constants, divisors positive.
pub trait Arith {
    /// A number.
    type V: Clone;
    /// The number `v`.
    fn constant(&mut self, v: i64) -> Self::V;
    /// `a + b`
    fn add(&mut self, a: &Self::V, b: &Self::V) -> Self::V;
    /// `a * c`
    fn mul(&mut self, a: &Self::V, c: i64) -> Self::V;
    /// `a / c`, rounded down.
    fn floor_div(&mut self, a: &Self::V, c: i64) -> Self::V;
    /// `a / c`, rounded up. Only [`Expr::eval_in`](super::Expr::eval_in) asks for it: ranges are computed on normal forms, which have none.
    fn ceil_div(&mut self, a: &Self::V, c: i64) -> Self::V {
        let up = self.constant(c - 1);
        let sum = self.add(a, &up);
        self.floor_div(&sum, c)
    }
    /// The remainder of `a / c` in `0..c`.
    fn modulo(&mut self, a: &Self::V, c: i64) -> Self::V;
    /// The lesser.
    fn min(&mut self, a: &Self::V, b: &Self::V) -> Self::V;
    /// The greater.
    fn max(&mut self, a: &Self::V, b: &Self::V) -> Self::V;
    /// The number, where it is known now. What is known is computed in [`Ints`], so an implementation need not fold.
    fn as_constant(&self, v: &Self::V) -> Option<i64>;
}

/// Numbers of which some are not known yet.
pub struct Partly;

impl Arith for Partly {
    type V = Option<i64>;
    fn constant(&mut self, v: i64) -> Option<i64> {
        Some(v)
    }
    fn add(&mut self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        Some(Ints.add(&(*a)?, &(*b)?))
    }
    fn mul(&mut self, a: &Option<i64>, c: i64) -> Option<i64> {
        Some(Ints.mul(&(*a)?, c))
    }
    fn floor_div(&mut self, a: &Option<i64>, c: i64) -> Option<i64> {
        Some(Ints.floor_div(&(*a)?, c))
    }
    fn modulo(&mut self, a: &Option<i64>, c: i64) -> Option<i64> {
        Some(Ints.modulo(&(*a)?, c))
    }
    fn min(&mut self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        Some((*a)?.min((*b)?))
    }
    fn max(&mut self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        Some((*a)?.max((*b)?))
    }
    fn as_constant(&self, v: &Option<i64>) -> Option<i64> {
        *v
    }
}

/// Integers. Overflow saturates: it neither panics nor wraps into a plausible small number (see [`Expr`](super::Expr)).
#[derive(Clone, Copy, Debug, Default)]
pub struct Ints;

impl Arith for Ints {
    type V = i64;
    fn constant(&mut self, v: i64) -> i64 {
        v
    }
    fn add(&mut self, a: &i64, b: &i64) -> i64 {
        a.saturating_add(*b)
    }
    fn mul(&mut self, a: &i64, c: i64) -> i64 {
        a.saturating_mul(c)
    }
    // Euclidean and floor division agree for positive divisors.
    fn floor_div(&mut self, a: &i64, c: i64) -> i64 {
        a.div_euclid(c)
    }
    fn ceil_div(&mut self, a: &i64, c: i64) -> i64 {
        a.div_euclid(c) + i64::from(a.rem_euclid(c) != 0)
    }
    fn modulo(&mut self, a: &i64, c: i64) -> i64 {
        a.rem_euclid(c)
    }
    fn min(&mut self, a: &i64, b: &i64) -> i64 {
        *a.min(b)
    }
    fn max(&mut self, a: &i64, b: &i64) -> i64 {
        *a.max(b)
    }
    fn as_constant(&self, v: &i64) -> Option<i64> {
        Some(*v)
    }
}
