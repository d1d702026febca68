//! Quasi-affine expressions of a stage's coordinates: the index language of `pipeline.load`.
//!
//! They are MLIR's affine expressions without symbols, as a plain Rust tree: sums, products with constants, and
//! `floordiv`, `ceildiv` and `mod` by positive constants (up- and down-sampling, Bayer parity). Three things are done
//! with one here:
//!
//! - **Building and composing.** `dim(1) * 2 + 1`, [`Expr::floor_div`], and [`Expr::substitute`], which writes a
//!   producer's index in the consumer's coordinates. The constructors fold what MLIR's fold (constants gather at the
//!   right end, `(x * 4) floordiv 2` is `x * 2`), so that what is printed reads as MLIR would print it.
//! - **Evaluating**, in integers ([`Expr::eval`]) or in any [`Arith`] ([`Expr::eval_in`]). The second is the one
//!   definition of what an expression means.
//! - **A normal form**, [`Sum`]: a constant plus coefficients times *atoms*, where an atom is a coordinate, a
//!   `floordiv` or a `mod`. Equal atoms meet there (`x - x` is 0) and whole multiples leave divisions
//!   (`(4 * y + x) floordiv 4` is `y + x floordiv 4`); the range analysis depends on both to be exact.
//!
//! Overflow: arithmetic saturates and never wraps or panics, but a saturated value is not a meaning. Identities used
//! here (reassociation above all) hold while every intermediate value fits in an `i64`; image coordinates leave some
//! thirty bits to spare.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::ops;

use super::arith::{Arith, Ints};

/// A quasi-affine expression of the coordinates `Dim(0)`, `Dim(1)`, ...
///
/// Divisors are positive; the constructors assert it, and code that writes the variants directly must see to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// The coordinate of that index.
    Dim(usize),
    /// `a + b`
    Add(Box<Expr>, Box<Expr>),
    /// `a * c`
    Mul(Box<Expr>, i64),
    /// The greatest integer not above `a / c`, `c > 0`.
    FloorDiv(Box<Expr>, i64),
    /// The least integer not below `a / c`, `c > 0`.
    CeilDiv(Box<Expr>, i64),
    /// The mathematical remainder, in `0..c`, `c > 0`.
    Mod(Box<Expr>, i64),
}

/// The coordinate of index `i`.
pub fn dim(i: usize) -> Expr {
    Expr::Dim(i)
}

/// The number `c`.
pub fn constant(c: i64) -> Expr {
    Expr::Const(c)
}

impl Expr {
    /// `self floordiv c`. Panics unless `c > 0`.
    pub fn floor_div(self, c: i64) -> Expr {
        assert!(c > 0, "floordiv by {c}");
        match self {
            e if c == 1 => e,
            Expr::Const(v) => Expr::Const(Ints.floor_div(&v, c)),
            Expr::Mul(e, k) if k % c == 0 => *e * (k / c),
            e => Expr::FloorDiv(e.into(), c),
        }
    }

    /// What it divides by, all divisors inside one another together: 4 for `(x floordiv 2) mod 2`.
    pub(crate) fn divisor(&self) -> i64 {
        match self {
            Expr::Const(_) | Expr::Dim(_) => 1,
            Expr::Add(a, b) => a.divisor().max(b.divisor()),
            Expr::Mul(e, _) => e.divisor(),
            Expr::FloorDiv(e, c) | Expr::CeilDiv(e, c) | Expr::Mod(e, c) => e.divisor().saturating_mul(*c),
        }
    }

    /// The expression and all that it is made of, the whole first.
    pub fn parts(&self) -> Vec<&Expr> {
        let inner = match self {
            Expr::Const(_) | Expr::Dim(_) => Vec::new(),
            Expr::Add(a, b) => [a.parts(), b.parts()].concat(),
            Expr::Mul(e, _) | Expr::FloorDiv(e, _) | Expr::CeilDiv(e, _) | Expr::Mod(e, _) => e.parts(),
        };
        [vec![self], inner].concat()
    }

    /// `self ceildiv c`. Panics unless `c > 0`.
    pub fn ceil_div(self, c: i64) -> Expr {
        assert!(c > 0, "ceildiv by {c}");
        match self {
            e if c == 1 => e,
            Expr::Const(v) => Expr::Const(Ints.ceil_div(&v, c)),
            Expr::Mul(e, k) if k % c == 0 => *e * (k / c),
            e => Expr::CeilDiv(e.into(), c),
        }
    }

    /// `self mod c`, in `0..c`. Panics unless `c > 0`.
    pub fn modulo(self, c: i64) -> Expr {
        assert!(c > 0, "mod by {c}");
        match self {
            Expr::Const(v) => Expr::Const(Ints.modulo(&v, c)),
            Expr::Mul(_, k) if k % c == 0 => Expr::Const(0),
            _ if c == 1 => Expr::Const(0),
            e => Expr::Mod(e.into(), c),
        }
    }

    /// The value at the coordinates `at`. Panics where `at` lacks a coordinate that is used.
    pub fn eval(&self, at: &[i64]) -> i64 {
        self.eval_in(at, &mut Ints)
    }

    /// The value at the coordinates `at`, computed in `a`: in a pass, the code of the index.
    pub fn eval_in<A: Arith>(&self, at: &[A::V], a: &mut A) -> A::V {
        match self {
            Expr::Const(c) => a.constant(*c),
            Expr::Dim(i) => at[*i].clone(),
            Expr::Add(l, r) => {
                let (l, r) = (l.eval_in(at, a), r.eval_in(at, a));
                a.add(&l, &r)
            }
            Expr::Mul(e, c) => {
                let e = e.eval_in(at, a);
                a.mul(&e, *c)
            }
            Expr::FloorDiv(e, c) => {
                let e = e.eval_in(at, a);
                a.floor_div(&e, *c)
            }
            Expr::CeilDiv(e, c) => {
                let e = e.eval_in(at, a);
                a.ceil_div(&e, *c)
            }
            Expr::Mod(e, c) => {
                let e = e.eval_in(at, a);
                a.modulo(&e, *c)
            }
        }
    }

    /// The coordinates that occur.
    pub fn dims(&self) -> BTreeSet<usize> {
        fn walk(e: &Expr, out: &mut BTreeSet<usize>) {
            match e {
                Expr::Const(_) => {}
                Expr::Dim(i) => {
                    out.insert(*i);
                }
                Expr::Add(l, r) => {
                    walk(l, out);
                    walk(r, out);
                }
                Expr::Mul(e, _) | Expr::FloorDiv(e, _) | Expr::CeilDiv(e, _) | Expr::Mod(e, _) => walk(e, out),
            }
        }
        let mut out = BTreeSet::new();
        walk(self, &mut out);
        out
    }

    /// The expression with `by[i]` in place of each `Dim(i)`. Panics where `by` lacks a coordinate that is used.
    pub fn substitute(&self, by: &[Expr]) -> Expr {
        match self {
            Expr::Const(c) => Expr::Const(*c),
            Expr::Dim(i) => by[*i].clone(),
            Expr::Add(l, r) => l.substitute(by) + r.substitute(by),
            Expr::Mul(e, c) => e.substitute(by) * *c,
            Expr::FloorDiv(e, c) => e.substitute(by).floor_div(*c),
            Expr::CeilDiv(e, c) => e.substitute(by).ceil_div(*c),
            Expr::Mod(e, c) => e.substitute(by).modulo(*c),
        }
    }

    /// The normal form.
    pub fn flatten(&self) -> Sum {
        match self {
            Expr::Const(c) => Sum { constant: *c, ..Sum::default() },
            Expr::Dim(_) => Sum::atom(self.clone(), 1),
            Expr::Add(l, r) => l.flatten().plus(r.flatten()),
            Expr::Mul(e, c) => e.flatten().times(*c),
            Expr::FloorDiv(e, c) => e.flatten().floor_div(*c),
            // ceil(s / c) = floor((s + c - 1) / c): one kind of division fewer for the analyses.
            Expr::CeilDiv(e, c) => {
                let mut sum = e.flatten();
                sum.constant = sum.constant.saturating_add(c - 1);
                sum.floor_div(*c)
            }
            Expr::Mod(e, c) => e.flatten().modulo(*c),
        }
    }

    /// The normal form, as an expression again.
    pub fn simplified(&self) -> Expr {
        self.flatten().to_expr()
    }

    /// What displays the expression with these names of the coordinates (`d3` where there is none), spelled as MLIR
    /// spells it: `x - 1`, `x * 2`, `x floordiv 2 + 1`, `(x + 1) mod 3`.
    pub fn fmt_with<S: AsRef<str>>(&self, names: &[S]) -> impl Display {
        fmt::from_fn(move |f| self.print(f, names, false))
    }

    /// MLIR's `printAffineExprInternal`: `tight` says that an operator that binds encloses this expression.
    fn print<S: AsRef<str>>(&self, f: &mut Formatter, names: &[S], tight: bool) -> fmt::Result {
        let (e, op, c) = match self {
            Expr::Const(c) => return write!(f, "{c}"),
            Expr::Dim(i) => {
                return match names.get(*i) {
                    Some(name) => f.write_str(name.as_ref()),
                    None => write!(f, "d{i}"),
                };
            }
            Expr::Add(l, r) => return parenthesised(f, tight, |f| print_sum(f, names, l, r)),
            Expr::Mul(e, -1) => {
                return parenthesised(f, tight, |f| {
                    f.write_str("-")?;
                    e.print(f, names, true)
                });
            }
            Expr::Mul(e, c) => (e, "*", c),
            Expr::FloorDiv(e, c) => (e, "floordiv", c),
            Expr::CeilDiv(e, c) => (e, "ceildiv", c),
            Expr::Mod(e, c) => (e, "mod", c),
        };
        parenthesised(f, tight, |f| {
            e.print(f, names, true)?;
            write!(f, " {op} {c}")
        })
    }
}

fn parenthesised(f: &mut Formatter, yes: bool, body: impl FnOnce(&mut Formatter) -> fmt::Result) -> fmt::Result {
    if !yes {
        return body(f);
    }
    f.write_str("(")?;
    body(f)?;
    f.write_str(")")
}

/// `l + r`, with a negative `r` as a subtraction.
fn print_sum<S: AsRef<str>>(f: &mut Formatter, names: &[S], l: &Expr, r: &Expr) -> fmt::Result {
    l.print(f, names, false)?;
    match r {
        Expr::Const(c) if *c < 0 => write!(f, " - {}", c.unsigned_abs()),
        Expr::Mul(e, -1) => {
            f.write_str(" - ")?;
            e.print(f, names, matches!(**e, Expr::Add(..)))
        }
        Expr::Mul(e, c) if *c < 0 => {
            f.write_str(" - ")?;
            e.print(f, names, true)?;
            write!(f, " * {}", c.unsigned_abs())
        }
        r => {
            f.write_str(" + ")?;
            r.print(f, names, false)
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.print::<&str>(f, &[], false)
    }
}

impl From<i64> for Expr {
    fn from(c: i64) -> Expr {
        Expr::Const(c)
    }
}

impl<T: Into<Expr>> ops::Add<T> for Expr {
    type Output = Expr;
    fn add(self, rhs: T) -> Expr {
        // `e + c` as (e, c): constants gather at the right end.
        fn split(e: Expr) -> (Option<Expr>, i64) {
            match e {
                Expr::Const(c) => (None, c),
                Expr::Add(e, r) => match *r {
                    Expr::Const(c) => (Some(*e), c),
                    r => (Some(Expr::Add(e, r.into())), 0),
                },
                e => (Some(e), 0),
            }
        }
        let ((l, c), (r, d)) = (split(self), split(rhs.into()));
        let body = match (l, r) {
            (Some(l), Some(r)) => Expr::Add(l.into(), r.into()),
            (Some(e), None) | (None, Some(e)) => e,
            (None, None) => return Expr::Const(c.saturating_add(d)),
        };
        match c.saturating_add(d) {
            0 => body,
            c => Expr::Add(body.into(), Expr::Const(c).into()),
        }
    }
}

impl<T: Into<Expr>> ops::Sub<T> for Expr {
    type Output = Expr;
    fn sub(self, rhs: T) -> Expr {
        self + -rhs.into()
    }
}

impl ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self * -1
    }
}

impl ops::Mul<i64> for Expr {
    type Output = Expr;
    fn mul(self, c: i64) -> Expr {
        match self {
            Expr::Const(v) => Expr::Const(v.saturating_mul(c)),
            _ if c == 0 => Expr::Const(0),
            e if c == 1 => e,
            Expr::Mul(e, k) => *e * k.saturating_mul(c),
            e => Expr::Mul(e.into(), c),
        }
    }
}

/// A constant plus coefficients times atoms: the normal form of an expression.
///
/// An atom is `Dim`, `FloorDiv(s, c)` or `Mod(s, c)`, where `s` is itself normal, its coefficients have no common
/// factor with `c` and none is a multiple of `c`, and its constant lies in `0..c`. No coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Each atom's coefficient. Ordered, so that equal sums are equal values (coordinates come first).
    pub terms: BTreeMap<Expr, i64>,
    /// The constant.
    pub constant: i64,
}

impl Sum {
    /// The sum that is one atom times `c`.
    fn atom(atom: Expr, c: i64) -> Sum {
        Sum { terms: BTreeMap::from([(atom, c)]), constant: 0 }
    }

    fn plus(mut self, other: Sum) -> Sum {
        for (atom, c) in other.terms {
            let sum = self.terms.get(&atom).map_or(c, |have| have.saturating_add(c));
            match sum {
                0 => self.terms.remove(&atom),
                sum => self.terms.insert(atom, sum),
            };
        }
        self.constant = self.constant.saturating_add(other.constant);
        self
    }

    fn times(mut self, c: i64) -> Sum {
        if c == 0 {
            return Sum::default();
        }
        self.terms.values_mut().for_each(|k| *k = k.saturating_mul(c));
        self.constant = self.constant.saturating_mul(c);
        self
    }

    /// `floor((c * whole + g * rest + r) / c) = whole + floor((rest + floor(r / g)) / (c / g))`, `g` dividing `c`.
    fn floor_div(self, c: i64) -> Sum {
        let Divided { whole, rest, g, .. } = self.divide(c);
        match rest.terms.is_empty() {
            true => whole, // what is left is a constant below `c`
            false => whole.plus(Sum::atom(Expr::FloorDiv(rest.to_expr().into(), c / g), 1)),
        }
    }

    /// `(c * whole + g * rest + r) mod c = g * ((rest + floor(r / g)) mod (c / g)) + r mod g`, `g` dividing `c`.
    fn modulo(self, c: i64) -> Sum {
        let Divided { rest, g, r, .. } = self.divide(c);
        match rest.terms.is_empty() {
            true => Sum { constant: r, ..Sum::default() },
            false => Sum { constant: r % g, ..Sum::atom(Expr::Mod(rest.to_expr().into(), c / g), g) },
        }
    }

    /// `self = c * whole + g * (terms of rest) + r`, `0 <= r < c`; the constant of `rest` is `floor(r / g)`.
    fn divide(self, c: i64) -> Divided {
        assert!(c > 0, "division by {c}");
        let r = self.constant.rem_euclid(c);
        let (whole, mut rest): (BTreeMap<_, _>, BTreeMap<_, _>) = self.terms.into_iter().partition(|(_, k)| k % c == 0);
        let whole = whole.into_iter().map(|(atom, k)| (atom, k / c)).collect();
        let g = rest.values().fold(c, |g, k| gcd(g, *k));
        rest.values_mut().for_each(|k| *k /= g);
        Divided {
            whole: Sum { terms: whole, constant: self.constant.div_euclid(c) },
            rest: Sum { terms: rest, constant: r / g },
            g,
            r,
        }
    }

    /// The sum as an expression.
    pub fn to_expr(&self) -> Expr {
        let terms = self.terms.iter().map(|(atom, c)| atom.clone() * *c);
        terms.reduce(|l, r| l + r).unwrap_or(Expr::Const(0)) + self.constant
    }
}

struct Divided {
    whole: Sum,
    rest: Sum,
    g: i64,
    r: i64,
}

/// The greatest common divisor, not negative; of 0 and a number it is that number.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// The least common multiple of positive numbers; `None` where it does not fit.
pub(crate) fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a, b)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_as_mlir_spells_it() {
        let (y, x) = (|| dim(0), || dim(1));
        let show = |e: Expr| e.fmt_with(&["y", "x"]).to_string();
        assert_eq!(show(x() - 1), "x - 1");
        assert_eq!(show(constant(1) + x()), "x + 1");
        assert_eq!(show(x() * 2), "x * 2");
        assert_eq!(show(x().floor_div(2) + 1), "x floordiv 2 + 1");
        assert_eq!(show((x() + 1).ceil_div(2)), "(x + 1) ceildiv 2");
        assert_eq!(show(x().floor_div(2) * 3), "(x floordiv 2) * 3");
        assert_eq!(show((-x()).modulo(3)), "(-x) mod 3");
        assert_eq!(show(y() - x() * 2), "y - x * 2");
        assert_eq!(show(y() - Expr::Add(x().into(), y().into())), "y - (x + y)");
        assert_eq!(show(y() - x().modulo(4)), "y - x mod 4");
        assert_eq!(show(-(x() + 1)), "-(x + 1)");
        assert_eq!((dim(0) + dim(2)).to_string(), "d0 + d2");
    }

    #[test]
    fn mathematical_division() {
        let at = |e: Expr| e.eval(&[-7]);
        assert_eq!(at(dim(0).floor_div(2)), -4);
        assert_eq!(at(dim(0).ceil_div(2)), -3);
        assert_eq!(at(dim(0).modulo(3)), 2);
    }

    #[test]
    fn composing_gathers_constants() {
        let up = dim(0).floor_div(2) + dim(1);
        let got = up.substitute(&[dim(0) * 2, dim(1) - 1]);
        assert_eq!(got.to_string(), "d0 + d1 - 1");
        assert_eq!(up.dims(), BTreeSet::from([0, 1]));
    }

    #[test]
    fn normal_forms() {
        let norm = |e: Expr| e.simplified().to_string();
        assert_eq!(norm(dim(0) + dim(1) - dim(0)), "d1");
        assert_eq!(norm((dim(0) * 4 + dim(1)).floor_div(4)), "d0 + d1 floordiv 4");
        assert_eq!(norm((dim(0) * 4 + dim(1) + 9).modulo(4)), "(d1 + 1) mod 4");
        assert_eq!(norm((dim(0) * 2 + 1).floor_div(2)), "d0");
        assert_eq!(norm((dim(0) * 2 + 1).modulo(4)), "(d0 mod 2) * 2 + 1");
        assert_eq!(norm((dim(0) * 2 + 7).floor_div(4)), "(d0 + 1) floordiv 2 + 1");
        assert_eq!(norm(dim(0).ceil_div(2)), "(d0 + 1) floordiv 2");
    }
}
