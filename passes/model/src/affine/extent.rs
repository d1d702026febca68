//! Lengths of images that are known at run time only, and how far an index leaves one.
//!
//! ```text
//! %h1 = (%h + 1) >> 1          (1 h + 1) floordiv 2        load %fine[2 y + 1], y below %h1, of an image of %h rows:
//! %h2 = (%h1 + 1) >> 1    ──▶  (1 h + 3) floordiv 4          2 ((h + 1)/2 - 1) + 1 - (h - 1) = 1: by 1 at most
//! %c  = %h - 4                 (1 h - 4) floordiv 1
//! ```
//!
//! What programs compute from an extent is a scaled and moved copy of it, rounded down: the levels of a pyramid, the inner part of
//! a window. In that form two extents can be compared whatever the image, and an index over one of them has a bound in
//! another.

use super::{expr::Expr, range::Interval, ratio::Ratio};
use std::collections::BTreeMap;

/// The length of an image along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known at compile time.
    Known(i64),
    /// Known at run time; equal to every other of this form.
    Named(Named),
}

/// `(mul * number + add) floordiv div` of a number that has a name: equal for equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Named {
    /// The number.
    pub name: u32,
    mul: i64,
    add: i64,
    div: i64,
}

impl Extent {
    /// Whether it is more than 0 wherever `other` is, as far as that is known.
    pub fn is_some_with(self, other: Extent) -> bool {
        match (self, other) {
            (_, Extent::Known(..=0)) => true,
            (Extent::Known(number), _) => number > 0,
            (Extent::Named(own), Extent::Named(other)) if own.name == other.name => own.is_some_with(other),
            _ => false,
        }
    }
}

impl Named {
    fn is_some_with(self, other: Named) -> bool {
        // The least number with which the other is 1; more gives no less.
        let positive = |value: Option<i128>| value.is_some_and(|value| value >= i128::from(self.div));
        let least = (i128::from(other.div) - i128::from(other.add)).max(0);
        let least = least.checked_add(i128::from(other.mul) - 1).map(|sum| sum.div_euclid(i128::from(other.mul)));
        positive(least.and_then(|least| least.checked_mul(self.mul.into())?.checked_add(self.add.into())))
    }

    /// The number itself.
    pub fn new(name: u32) -> Self {
        Self { name, mul: 1, add: 0, div: 1 }
    }

    /// So much more.
    pub fn plus(self, more: i64) -> Option<Self> {
        Some(Self { add: self.add.checked_add(more.checked_mul(self.div)?)?, ..self })
    }

    /// So many times as much; `None` of what has been rounded.
    pub fn times(self, by: i64) -> Option<Self> {
        if self.div != 1 || by <= 0 {
            return None;
        }
        Some(Self { mul: self.mul.checked_mul(by)?, add: self.add.checked_mul(by)?, ..self })
    }

    /// Divided, rounded down.
    pub fn over(self, by: i64) -> Option<Self> {
        if by <= 0 {
            return None;
        }
        let div = self.div.checked_mul(by)?;
        // (c m n + a) floordiv (c d) = (m n + a floordiv c) floordiv d.
        let common = (1..=self.mul.min(div)).rev().find(|c| self.mul % c == 0 && div % c == 0)?;
        Some(Self { mul: self.mul / common, add: self.add.div_euclid(common), div: div / common, ..self })
    }

    /// The same of another number than its own; `None` of one that has been rounded, where this is a multiple.
    pub fn of(self, number: Named) -> Option<Self> {
        let multiple = if self.mul == 1 { number } else { number.times(self.mul)? };
        multiple.plus(self.add)?.over(self.div)
    }

    /// What it is at least, and at most, as an exact multiple of the number.
    fn bounds(self) -> Option<[Linear; 2]> {
        let of = |add: i64| {
            Some(Linear {
                terms: BTreeMap::from([(self.name, Ratio::new(self.mul.into(), self.div.into())?)]),
                constant: Ratio::new(add.into(), self.div.into())?,
            })
        };
        Some([of(self.add.checked_sub(self.div - 1)?)?, of(self.add)?])
    }
}

/// A sum of multiples of numbers that have names.
#[derive(Clone, Debug)]
struct Linear {
    terms: BTreeMap<u32, Ratio>,
    constant: Ratio,
}

impl Linear {
    fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant: Ratio::whole(constant) }
    }

    /// `self + factor * other`
    fn plus(mut self, factor: Ratio, other: &Linear) -> Option<Self> {
        self.constant = self.constant.plus(other.constant.times(factor)?)?;
        for (name, multiple) in &other.terms {
            let term = self.terms.entry(*name).or_insert(Ratio::ZERO);
            *term = term.plus(multiple.times(factor)?)?;
        }
        Some(self)
    }
}

/// How far an index lies behind the last element of a dimension at most, in a stage of these extents whose coordinates, and the variables
/// behind them, run over `domain`; negative where it stays before it. `None` where that depends on the image.
pub fn beyond(index: &Expr, domain: &[Interval], extents: &[Extent], of: Named) -> Option<i64> {
    let [least, _] = of.bounds()?;
    let Spread { slopes, greatest, .. } = spread(index)?;
    let mut behind = Linear { terms: BTreeMap::new(), constant: greatest }.plus(Ratio::whole(-1), &least)?;
    for (d, slope) in slopes.iter().filter(|(_, slope)| slope.num != 0) {
        let is_up = slope.num > 0;
        let known = domain.get(*d).and_then(|range| if is_up { range.hi } else { range.lo });
        let end = match (known, extents.get(*d)) {
            (Some(known), _) => Linear::constant(known),
            (None, Some(Extent::Named(extent))) if is_up => {
                extent.bounds()?[1].clone().plus(Ratio::ONE, &Linear::constant(-1))?
            }
            _ => return None,
        };
        behind = behind.plus(*slope, &end)?;
    }
    // Extents are not negative: what is subtracted more often than it is added can be left away.
    let is_bounded = behind.terms.values().all(|multiple| multiple.num <= 0);
    is_bounded.then(|| behind.constant.floor().saturating_add(1))
}

/// What an index is at least, where its coordinates run over `domain`; `None` where that is not known.
pub fn least(index: &Expr, domain: &[Interval]) -> Option<i64> {
    let Spread { slopes, least, .. } = spread(index)?;
    let mut all = least;
    for (d, slope) in slopes.iter().filter(|(_, slope)| slope.num != 0) {
        let end = domain.get(*d).and_then(|range| if slope.num > 0 { range.lo } else { range.hi })?;
        all = all.plus(slope.times(Ratio::whole(end))?)?;
    }
    Some(all.ceil())
}

/// An expression as multiples of coordinates and a number between two others: a quotient is the exact one, less what remains.
struct Spread {
    slopes: BTreeMap<usize, Ratio>,
    least: Ratio,
    greatest: Ratio,
}

fn spread(expr: &Expr) -> Option<Spread> {
    let sum = expr.flatten();
    let constant = Ratio::whole(sum.constant);
    let mut all = Spread { slopes: BTreeMap::new(), least: constant, greatest: constant };
    for (atom, factor) in &sum.terms {
        let (of, by) = match atom {
            Expr::Dim(d) => {
                let own = BTreeMap::from([(*d, Ratio::ONE)]);
                (Spread { slopes: own, least: Ratio::ZERO, greatest: Ratio::ZERO }, Ratio::whole(*factor))
            }
            Expr::FloorDiv(inner, by) => {
                let inner = spread(inner)?;
                let least = inner.least.plus(Ratio::whole(1 - by))?;
                (Spread { least, ..inner }, Ratio::new((*factor).into(), (*by).into())?)
            }
            Expr::Mod(_, by) => {
                let greatest = Ratio::whole(by - 1);
                (Spread { slopes: BTreeMap::new(), least: Ratio::ZERO, greatest }, Ratio::whole(*factor))
            }
            _ => return None,
        };
        for (d, slope) in of.slopes {
            let own = all.slopes.entry(d).or_insert(Ratio::ZERO);
            *own = own.plus(slope.times(by)?)?;
        }
        let (least, greatest) = if by.num > 0 { (of.least, of.greatest) } else { (of.greatest, of.least) };
        all.least = all.least.plus(least.times(by)?)?;
        all.greatest = all.greatest.plus(greatest.times(by)?)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Range, dim};
    use proptest::prelude::*;

    /// What extents programs compute from one, and their values.
    fn steps(named: Named, value: i64, steps: &[(u8, i64)]) -> Option<(Named, i64)> {
        steps.iter().try_fold((named, value), |(named, value), (kind, by)| {
            Some(match kind {
                0 => (named.plus(*by)?, value + by),
                1 => (named.plus(-by)?, value - by),
                2 => (named.times(*by)?, value * by),
                _ => (named.over(*by)?, value.div_euclid(*by)),
            })
        })
    }

    proptest! {
        /// The form has the value that its steps have.
        #[test]
        fn forms_are_exact(value in 0i64..500, path in prop::collection::vec((0u8..4, 1i64..6), 0..5)) {
            if let Some((named, expected)) = steps(Named::new(0), value, &path) {
                prop_assert_eq!((named.mul * value + named.add).div_euclid(named.div), expected);
            }
        }

        /// One is more than 0 wherever the other is, exactly if that is said.
        #[test]
        fn some_are_some(
            of in prop::collection::vec((0u8..4, 1i64..6), 0..4),
            with in prop::collection::vec((0u8..4, 1i64..6), 0..4),
        ) {
            let at = |path: &[(u8, i64)], value| steps(Named::new(0), value, path);
            if let (Some((of_form, _)), Some((with_form, _))) = (at(&of, 0), at(&with, 0)) {
                let is_positive = |path: &[(u8, i64)], value| at(path, value).is_some_and(|(_, value)| value > 0);
                let all = (0..3000).all(|value| is_positive(&of, value) || !is_positive(&with, value));
                prop_assert_eq!(Extent::Named(of_form).is_some_with(Extent::Named(with_form)), all);
            }
        }

        /// No point of any image lies further behind than is said.
        #[test]
        fn no_index_leaves_further(
            to in prop::collection::vec((0u8..4, 1i64..4), 0..4),
            from in prop::collection::vec((0u8..4, 1i64..4), 0..4),
            mul in 1i64..4, add in -5i64..6, div in 1i64..4, odd in -3i64..4,
        ) {
            let index = (dim(0) * mul + add).floor_div(div) + dim(0).modulo(2) * odd;
            let domain = [Range::new(Some(0), None)];
            for value in 1..60 {
                let (Some((extent, points)), Some((source, elements))) =
                    (steps(Named::new(0), value, &to), steps(Named::new(0), value, &from)) else { continue };
                let Some(most) = beyond(&index, &domain, &[Extent::Named(extent)], source) else { continue };
                let first = least(&index, &domain);
                for x in 0..points {
                    prop_assert!(first.is_some_and(|first| first <= (x * mul + add).div_euclid(div) + x.rem_euclid(2) * odd));
                    prop_assert!((x * mul + add).div_euclid(div) + x.rem_euclid(2) * odd - (elements - 1) <= most);
                }
            }
        }
    }

    #[test]
    fn levels_of_a_pyramid() {
        let coarser = |of: Named| of.plus(1).and_then(|of| of.over(2)).unwrap();
        let domain = [Range::new(Some(0), None)];
        let mut fine = Named::new(3);
        for _ in 0..8 {
            let coarse = coarser(fine);
            let up = |index| beyond(&index, &domain, &[Extent::Named(coarse)], fine);
            let down = |index| beyond(&index, &domain, &[Extent::Named(fine)], coarse);
            assert_eq!(up(dim(0) * 2 + 1), Some(1));
            assert_eq!(down(dim(0).floor_div(2)), Some(0));
            assert_eq!(down((dim(0) + 1).floor_div(2)), Some(1));
            // The nearest but one: before for even points, behind for odd ones.
            assert_eq!(down(dim(0).floor_div(2) + dim(0).modulo(2) * 2 - 1), Some(1));
            assert_eq!(least(&(dim(0).floor_div(2) + dim(0).modulo(2) * 2 - 1), &domain), Some(-1));
            assert_eq!(down(dim(0)), None);
            fine = coarse;
        }
        let inner = Named::new(0).plus(-4).unwrap();
        assert_eq!(beyond(&(dim(0) + 2), &domain, &[Extent::Named(inner)], Named::new(0)), Some(-2));
        assert_eq!(beyond(&dim(0), &domain, &[Extent::Named(inner)], Named::new(1)), None);
    }
}
