//! The range of an index expression over a box of coordinates: exact where that can be had, never too small.
//!
//! Footprints are exact intervals, and interval arithmetic alone is not exact: over `x` in `[0, 9]` it puts
//! `x - x floordiv 2` in `[-4, 9]`, where the truth is `[0, 5]`. So the normal form ([`Sum`]) is split into **groups** of
//! terms that share coordinates. Different groups are independent, so their ranges add up exactly, and each group takes the
//! cheapest way that is exact:
//!
//! 1. **By structure.** One atom: a coordinate has its own range, `floordiv` is monotone and maps ends to ends, and
//!    `mod c` over *every* integer of `[lo, hi]` (we track that: *dense*) is
//!    `[max(0, lo - c * (hi floordiv c)), min(c - 1, hi - c * (lo floordiv c))]`: no case distinction, so it can be
//!    said in plain arithmetic too.
//! 2. **By candidates.** Several terms of one coordinate: `f(x + P) = f(x) + S` for a period `P` and a rise `S`. On
//!    each residue class `f` is linear, so with `S >= 0` its minimum is among the first `P` points of the domain and
//!    its maximum among the last. Most candidates are then struck out: `lo + i` need not be tried if some earlier
//!    `lo + j` is never worse, which a table of one period decides. A monotone `f` keeps one candidate at each end.
//! 3. **Otherwise** (several coupled coordinates, or `P` above [`MAX_PERIOD`](super::MAX_PERIOD)) interval arithmetic: sound, perhaps too
//!    wide. [`is_exact`] tells.
//!
//! Everything is computed through [`Arith`]; the choices depend on the expression alone, so integers and SSA values
//! come to the same range.

use std::collections::BTreeSet;

use super::{
    arith::{Arith, Ints},
    expr::{Expr, Sum},
    recurring::Recurring,
};

/// A range whose ends may be unknown.
pub type Interval = Range<Option<i64>>;

/// The closed interval `[lo, hi]`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range<V> {
    /// The least value.
    pub lo: V,
    /// The greatest value.
    pub hi: V,
}

impl<V> Range<V> {
    /// `[lo, hi]`
    pub fn new(lo: V, hi: V) -> Range<V> {
        Range { lo, hi }
    }
}

impl Range<i64> {
    /// How many integers it holds; none where `lo > hi`.
    pub fn len(&self) -> i64 {
        self.hi.saturating_sub(self.lo).saturating_add(1).max(0)
    }

    /// Whether it holds no integer.
    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }
}

/// The range of `expr` where each `Dim(i)` runs over `domain[i]`, computed in `a`.
///
/// Always a superset of the values taken; equal to their hull where [`is_exact`] says so. The domains that `expr` uses
/// must exist and be non-empty; over an empty one the answer means nothing (but does not panic).
pub fn range_of<A: Arith>(expr: &Expr, domain: &[Range<A::V>], a: &mut A) -> Range<A::V> {
    sum_range(&expr.flatten(), domain, a)
}

/// Whether [`range_of`] is exact for this expression, whatever the (non-empty) domain.
///
/// True of every sum of parts that have one coordinate and a period of at most [`MAX_PERIOD`](super::MAX_PERIOD) each, and of some with
/// several, such as `(x + y) floordiv 2`. False means not known to be.
pub fn is_exact(expr: &Expr) -> bool {
    sum_facts(&expr.flatten()).exact
}

/// What is known of a range from the expression alone.
#[derive(Clone, Copy)]
struct Facts {
    /// Both ends are attained.
    exact: bool,
    /// And so is every integer between them.
    dense: bool,
}

const NOTHING: Facts = Facts { exact: false, dense: false };

impl Facts {
    fn and(self, other: Facts) -> Facts {
        Facts { exact: self.exact && other.exact, dense: self.dense && other.dense }
    }
}

fn sum_facts(sum: &Sum) -> Facts {
    groups(sum).iter().map(Group::facts).fold(Facts { exact: true, dense: true }, Facts::and)
}

fn atom_facts(atom: &Expr) -> Facts {
    match atom {
        Expr::FloorDiv(e, _) => sum_facts(&e.flatten()),
        // {c - 1, 0} may be all that a short range leaves, so not dense.
        Expr::Mod(e, _) => Facts { exact: sum_facts(&e.flatten()).dense, dense: false },
        _ => Facts { exact: true, dense: true },
    }
}

fn sum_range<A: Arith>(sum: &Sum, domain: &[Range<A::V>], a: &mut A) -> Range<A::V> {
    let mut total: Option<Range<A::V>> = None;
    for group in groups(sum) {
        let range = match group.known_domain(domain, a) {
            Some(known) => {
                let Range { lo, hi } = group.range(&known, &mut Ints);
                Range::new(a.constant(lo), a.constant(hi))
            }
            None => group.range(domain, a),
        };
        total = Some(match total {
            None => range,
            Some(sum) => plus(&sum, &range, a),
        });
    }
    let c = a.constant(sum.constant);
    match total {
        None => Range::new(c.clone(), c),
        Some(total) if sum.constant == 0 => total,
        Some(total) => plus(&total, &Range::new(c.clone(), c), a),
    }
}

fn plus<A: Arith>(l: &Range<A::V>, r: &Range<A::V>, a: &mut A) -> Range<A::V> {
    Range::new(a.add(&l.lo, &r.lo), a.add(&l.hi, &r.hi))
}

fn times<A: Arith>(range: Range<A::V>, c: i64, a: &mut A) -> Range<A::V> {
    match c {
        1 => range,
        c if c < 0 => Range::new(a.mul(&range.hi, c), a.mul(&range.lo, c)),
        c => Range::new(a.mul(&range.lo, c), a.mul(&range.hi, c)),
    }
}

fn atom_range<A: Arith>(atom: &Expr, domain: &[Range<A::V>], a: &mut A) -> Range<A::V> {
    match atom {
        Expr::Dim(i) => domain[*i].clone(),
        Expr::FloorDiv(e, c) => {
            let inner = range_of(e, domain, a);
            Range::new(a.floor_div(&inner.lo, *c), a.floor_div(&inner.hi, *c))
        }
        Expr::Mod(e, c) => {
            // Both ends in one period: their remainders. Else `lo` falls below 0 and `hi` above c - 1, and 0 and
            // c - 1 are the ends, for an interval that crosses a multiple of c has the integers on both sides of it.
            let inner = range_of(e, domain, a);
            let mut relative = |end: &A::V, other: &A::V| {
                let q = a.floor_div(other, *c);
                let start = a.mul(&q, -*c);
                a.add(end, &start)
            };
            let lo = relative(&inner.lo, &inner.hi);
            let hi = relative(&inner.hi, &inner.lo);
            let (least, greatest) = (a.constant(0), a.constant(*c - 1));
            Range::new(a.max(&lo, &least), a.min(&hi, &greatest))
        }
        other => unreachable!("{other} is not an atom of a normal form"),
    }
}

/// Terms of a sum that are connected through the coordinates they share.
struct Group<'a> {
    dims: BTreeSet<usize>,
    terms: Vec<(&'a Expr, i64)>,
}

fn groups(sum: &Sum) -> Vec<Group<'_>> {
    let mut out: Vec<Group> = Vec::new();
    for (atom, c) in &sum.terms {
        let mut new = Group { dims: atom.dims(), terms: Vec::new() };
        // All earlier groups that the new term touches become one with it.
        for group in out.extract_if(.., |g| !g.dims.is_disjoint(&new.dims)).collect::<Vec<_>>() {
            new.dims.extend(group.dims);
            new.terms.extend(group.terms);
        }
        new.terms.push((atom, *c));
        out.push(new);
    }
    out
}

impl Group<'_> {
    /// The domain in integers, if the ends of every coordinate of this group are known.
    fn known_domain<A: Arith>(&self, domain: &[Range<A::V>], a: &A) -> Option<Vec<Range<i64>>> {
        let mut known = vec![Range::new(0, 0); domain.len()];
        for &d in &self.dims {
            known[d] = Range::new(a.as_constant(&domain[d].lo)?, a.as_constant(&domain[d].hi)?);
        }
        Some(known)
    }

    /// What the range by structure is worth.
    fn structure(&self) -> Facts {
        match self.terms[..] {
            [(atom, c)] => atom_facts(atom).and(Facts { exact: true, dense: c.abs() == 1 }),
            _ => NOTHING,
        }
    }

    fn facts(&self) -> Facts {
        let known = self.structure();
        match self.profile() {
            _ if known.dense => known,
            Some(profile) => Facts { exact: true, dense: profile.in_unit_steps() },
            None => known,
        }
    }

    fn range<A: Arith>(&self, domain: &[Range<A::V>], a: &mut A) -> Range<A::V> {
        if !self.structure().exact
            && let Some(profile) = self.profile()
        {
            return Range::new(profile.extreme(true, domain, a), profile.extreme(false, domain, a));
        }
        let mut ranges = self.terms.iter().map(|(atom, c)| (atom_range(atom, domain, a), *c)).collect::<Vec<_>>();
        let (first, c) = ranges.remove(0);
        let first = times(first, c, a);
        ranges.into_iter().fold(first, |sum, (range, c)| {
            let range = times(range, c, a);
            plus(&sum, &range, a)
        })
    }

    /// The group as a function of its one coordinate, if it has one and the period is short enough.
    fn profile(&self) -> Option<Profile> {
        if self.dims.len() != 1 {
            return None;
        }
        let expr = Sum { terms: self.terms.iter().map(|(e, c)| ((*e).clone(), *c)).collect(), constant: 0 }.to_expr();
        let values = Recurring::of(&expr)?;
        Some(Profile { expr, values })
    }
}

/// A function of one coordinate, as an expression and by its values.
struct Profile {
    expr: Expr,
    values: Recurring,
}

impl Profile {
    /// Whether neighbours differ by at most 1: then every value between two that are taken is taken.
    fn in_unit_steps(&self) -> bool {
        (0..self.values.period()).all(|x| self.values.at(x + 1).abs_diff(self.values.at(x)) <= 1)
    }

    /// The least (or the greatest) value over the domain.
    fn extreme<A: Arith>(&self, least: bool, domain: &[Range<A::V>], a: &mut A) -> A::V {
        // From which end the function gets worse, period by period; a function that only recurs may take either.
        let from_lo = self.values.rise() == 0 || (self.values.rise() > 0) == least;
        let step = if from_lo { 1 } else { -1 };
        let no_worse = |l: i64, r: i64| if least { l <= r } else { l >= r };

        // Candidate `end + step * i` falls to an earlier one that is no worse wherever the end may be. The earlier one
        // is in the domain whenever the later is.
        let mut offsets: Vec<i64> = Vec::new();
        for i in (0..self.values.period()).map(|i| step * i) {
            let beats =
                |j: &i64| (0..self.values.period()).all(|x| no_worse(self.values.at(x + j), self.values.at(x + i)));
            if !offsets.iter().any(beats) {
                offsets.push(i);
            }
        }

        let Range { lo, hi } = domain[self.values.dim()].clone();
        let mut at: Vec<A::V> = domain.iter().map(|range| range.lo.clone()).collect();
        let mut best: Option<A::V> = None;
        for offset in offsets {
            at[self.values.dim()] = match offset {
                0 if from_lo => lo.clone(),
                0 => hi.clone(),
                _ => {
                    let offset = a.constant(offset);
                    if from_lo {
                        let point = a.add(&lo, &offset);
                        a.min(&point, &hi)
                    } else {
                        let point = a.add(&hi, &offset);
                        a.max(&point, &lo)
                    }
                }
            };
            let value = self.expr.eval_in(&at, a);
            best = Some(match best {
                None => value,
                Some(best) if least => a.min(&best, &value),
                Some(best) => a.max(&best, &value),
            });
        }
        best.expect("offset 0 is always a candidate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::dim;

    fn over(expr: Expr, domain: &[(i64, i64)]) -> (i64, i64) {
        let domain: Vec<_> = domain.iter().map(|&(lo, hi)| Range::new(lo, hi)).collect();
        let Range { lo, hi } = range_of(&expr, &domain, &mut Ints);
        (lo, hi)
    }

    #[test]
    fn what_pipelines_say() {
        let x = || dim(0);
        assert_eq!(over(x() - 1, &[(0, 9)]), (-1, 8));
        assert_eq!(over(-x() + 9, &[(0, 9)]), (0, 9)); // flip
        assert_eq!(over(x().floor_div(2) + 1, &[(-1, 8)]), (0, 5)); // up-sampling
        assert_eq!(over(x() * 2 + 1, &[(0, 9)]), (1, 19)); // down-sampling
        assert_eq!(over(x() - x().modulo(2), &[(3, 9)]), (2, 8)); // the even column of a Bayer pair
        assert_eq!(over(x() - x().floor_div(2), &[(0, 9)]), (0, 5));
        assert_eq!(over(x().modulo(256), &[(10, 20)]), (10, 20)); // no period is too long for the structure
        assert_eq!(over(x().modulo(256), &[(250, 260)]), (0, 255));
        assert_eq!(over(x().floor_div(2).modulo(3), &[(6, 9)]), (0, 1));
        assert_eq!(over(x() + dim(1) - x(), &[(0, 9), (4, 5)]), (4, 5));
    }

    #[test]
    fn exactness_is_known() {
        let (x, y) = (|| dim(0), || dim(1));
        assert!(is_exact(&(x() + y()).floor_div(2)));
        assert!(is_exact(&(x() + y()).modulo(3)));
        assert!(is_exact(&(x().modulo(2) + y().modulo(2) * 2)));
        assert!(!is_exact(&(x() * 2 + y() * 3).modulo(7)));
        assert!(!is_exact(&((x() + y()).floor_div(2) - x())));
    }

    /// Counts operations: what is monotone costs one evaluation an end.
    struct Count(usize);
    impl Arith for Count {
        type V = i64;
        fn constant(&mut self, v: i64) -> i64 {
            v
        }
        fn add(&mut self, a: &i64, b: &i64) -> i64 {
            self.0 += 1;
            Ints.add(a, b)
        }
        fn mul(&mut self, a: &i64, c: i64) -> i64 {
            self.0 += 1;
            Ints.mul(a, c)
        }
        fn floor_div(&mut self, a: &i64, c: i64) -> i64 {
            self.0 += 1;
            Ints.floor_div(a, c)
        }
        fn modulo(&mut self, a: &i64, c: i64) -> i64 {
            self.0 += 1;
            Ints.modulo(a, c)
        }
        fn min(&mut self, a: &i64, b: &i64) -> i64 {
            self.0 += 1;
            Ints.min(a, b)
        }
        fn max(&mut self, a: &i64, b: &i64) -> i64 {
            self.0 += 1;
            Ints.max(a, b)
        }
        fn as_constant(&self, _: &i64) -> Option<i64> {
            None
        }
    }

    #[test]
    fn monotone_is_cheap() {
        let cost = |e: Expr| {
            let mut count = Count(0);
            range_of(&e, &[Range::new(0, 9)], &mut count);
            count.0
        };
        assert_eq!(cost(dim(0)), 0);
        assert_eq!(cost(dim(0) - 1), 2);
        assert_eq!(cost(dim(0).floor_div(8) + dim(0)), 4);
        assert_eq!(cost(dim(0) - dim(0).floor_div(8)), 6);
        assert_eq!(cost(dim(0).modulo(8)), 8);
    }
}
