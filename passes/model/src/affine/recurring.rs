//! Expressions of one coordinate that recur: `f(x + period) = f(x) + rise`.
//!
//! ```text
//! x                        0  1  2  3  4  5
//! x floordiv 2 + x mod 2   0  1  1  2  2  3     period 2, rise 1
//! (x floordiv 2) mod 3     0  0  1  1  2  2     period 6, rise 0
//! ```
//!
//! All that indices are made of does: sums, multiples, quotients and remainders. So a table of one period says what such an
//! expression is everywhere.

use super::expr::{Expr, gcd};

/// Above this period, tables are given up: for interval arithmetic, where ranges are asked for.
pub const MAX_PERIOD: i64 = 64;

/// An expression of one coordinate with its values over one period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurring {
    dim: usize,
    values: Vec<i64>,
    rise: i64,
}

impl Recurring {
    /// The recurrence of an expression of one coordinate; `None` where the period is above [`MAX_PERIOD`] or a number overflows.
    pub fn of(expr: &Expr) -> Option<Self> {
        let dims = expr.dims();
        let dim = dims.first().copied().filter(|_| dims.len() == 1)?;
        let Recurrence { period, rise } = recurrence(expr)?;
        let mut at = vec![0; dim + 1];
        let values = (0..period).map(|x| {
            at[dim] = x;
            expr.eval(&at)
        });
        Some(Self { dim, values: values.collect(), rise })
    }

    /// The coordinate.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// After how many points it recurs: 1 at least.
    pub fn period(&self) -> i64 {
        self.values.len() as i64
    }

    /// What it is greater by, a period further.
    pub fn rise(&self) -> i64 {
        self.rise
    }

    /// Its value at `x`; beyond the least and the greatest number, that number.
    pub fn at(&self, x: i64) -> i64 {
        let (periods, at) = (x.div_euclid(self.period()), x.rem_euclid(self.period()));
        self.values[at as usize].saturating_add(self.rise.saturating_mul(periods))
    }
}

/// `f(x + period) = f(x) + rise` for all `x`.
struct Recurrence {
    period: i64,
    rise: i64,
}

/// How an expression of one coordinate recurs; `None` if the period is above [`MAX_PERIOD`] or a number overflows.
fn recurrence(expr: &Expr) -> Option<Recurrence> {
    // A division by c recurs once the rise of its operand, k periods on, is a multiple of c:
    // (x floordiv 2) mod 3 recurs after 2 * 3, but (x * 2) mod 4 after 2.
    let divided = |e: &Expr, c: i64| {
        let Recurrence { period, rise } = recurrence(e)?;
        let k = c / gcd(c, rise);
        Some((short(period.checked_mul(k)?)?, rise.checked_mul(k)?))
    };
    Some(match expr {
        Expr::Const(_) => Recurrence { period: 1, rise: 0 },
        Expr::Dim(_) => Recurrence { period: 1, rise: 1 },
        Expr::Add(l, r) => {
            let (l, r) = (recurrence(l)?, recurrence(r)?);
            let period = short(l.period / gcd(l.period, r.period) * r.period)?;
            let rise = |e: Recurrence| e.rise.checked_mul(period / e.period);
            Recurrence { period, rise: rise(l)?.checked_add(rise(r)?)? }
        }
        Expr::Mul(e, c) => {
            let Recurrence { period, rise } = recurrence(e)?;
            Recurrence { period, rise: rise.checked_mul(*c)? }
        }
        Expr::FloorDiv(e, c) | Expr::CeilDiv(e, c) => {
            let (period, rise) = divided(e, *c)?;
            Recurrence { period, rise: rise / c }
        }
        Expr::Mod(e, c) => Recurrence { period: divided(e, *c)?.0, rise: 0 },
    })
}

fn short(period: i64) -> Option<i64> {
    (period <= MAX_PERIOD).then_some(period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::dim;

    #[test]
    fn periods() {
        let of = |e: Expr| recurrence(&e).map(|r| (r.period, r.rise));
        assert_eq!(of(dim(0).floor_div(2).modulo(3)), Some((6, 0)));
        assert_eq!(of((dim(0) * 6).floor_div(4)), Some((2, 3)));
        assert_eq!(of(dim(0).floor_div(4) + dim(0).modulo(6)), Some((12, 3)));
        assert_eq!(of(dim(0).modulo(65)), None);
    }
}
