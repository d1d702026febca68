//! Where a stage's box lies when a tile of its consumers is computed, and which of its points an access reads.
//!
//! A tile has a number `t` along each dimension of the grid. What is computed of a stage for tile `t` is a box whose start
//! is affine in `t`: along each dimension of the stage, `t * step + [lo, hi]`. Only then are a tile's extents known at
//! compile time, and a read is a fixed move within it.
//!
//! ```text
//! consumer   t * 8 + [0, 7]          index  x + 1            producer   t * 8 + [1, 8]
//! consumer   t * 8 + [0, 7]          index  2 * x - 1        producer   t * 16 + [-1, 13]
//! consumer   t * 8 + [0, 7]          index  x floordiv 2     producer   t * 4 + [0, 3]
//! consumer   t * 8 + [0, 7]          index  x floordiv 3     none: 8 is no multiple of 3
//! ```

use super::{
    arith::Ints,
    boundary::Boundary,
    expr::{Expr, dim},
    range::{Range, range_of},
    recurring::Recurring,
};

/// How a dimension of a stage moves with the tile's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileStride {
    /// The dimension of the grid along which it moves. (Any, where `step` is 0.)
    pub axis: usize,
    /// From one tile to the next.
    pub step: i64,
}

impl TileStride {
    /// Whether both are the same for every tile.
    pub fn agrees(self, other: TileStride) -> bool {
        self.step == other.step && (self.step == 0 || self.axis == other.axis)
    }
}

/// An index of an access, seen from a tile: `stride.step * t + local`, where `local` is an expression of the coordinates
/// within the consumer's tile (its coordinates less `step * t`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// How the index moves with the tile.
    pub stride: TileStride,
    /// The index, relative to the producer's `step * t`.
    pub index: Expr,
}

/// An index as seen from a tile of a consumer whose dimensions move as `consumer` says; `None` where it is not affine in the
/// tile's number along one dimension of the grid.
pub fn localise(index: &Expr, consumer: &[TileStride]) -> Option<Local> {
    let rank = consumer.len();
    let axes = consumer.iter().map(|stride| stride.axis + 1).max().unwrap_or(0);
    // Coordinate d is step * t + local: the tile's numbers are coordinates 0.., the local ones come behind them.
    let coordinates: Vec<Expr> =
        consumer.iter().enumerate().map(|(d, stride)| dim(stride.axis) * stride.step + dim(axes + d)).collect();
    let mut sum = index.substitute(&coordinates).flatten();
    let mut stride = TileStride { axis: 0, step: 0 };
    for axis in 0..axes {
        if let Some(step) = sum.terms.remove(&dim(axis)) {
            if stride.step != 0 {
                return None;
            }
            stride = TileStride { axis, step };
        }
    }
    let local = sum.to_expr();
    if local.dims().iter().any(|d| *d < axes) || stride.step < 0 {
        return None;
    }
    let own: Vec<Expr> = (0..axes).map(dim).chain((0..rank).map(dim)).collect();
    Some(Local { stride, index: local.substitute(&own) })
}

/// An index of the common kind, `(mul * dim + add) floordiv div`: for it the questions of this file have short answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The coordinate. (Any, where `mul` is 0.)
    pub dim: usize,
    /// Its factor, not negative.
    pub mul: i64,
    /// What is added.
    pub add: i64,
    /// The divisor, positive.
    pub div: i64,
}

impl Form {
    /// The form of an expression that has it.
    pub fn of(index: &Expr) -> Option<Self> {
        let sum = index.flatten();
        let mut terms = sum.terms.iter();
        let (term, one) = (terms.next(), terms.next().is_none());
        match term {
            None => Some(Self { dim: 0, mul: 0, add: sum.constant, div: 1 }),
            Some((Expr::Dim(d), mul)) if one && *mul >= 0 => {
                Some(Self { dim: *d, mul: *mul, add: sum.constant, div: 1 })
            }
            Some((Expr::FloorDiv(inner, div), 1)) if one => {
                let inner = Self::of(inner).filter(|inner| inner.div == 1)?;
                Some(Self { add: inner.add.checked_add(sum.constant.checked_mul(*div)?)?, div: *div, ..inner })
            }
            _ => None,
        }
    }

    /// The index at a coordinate.
    pub fn at(&self, coordinate: i64) -> i64 {
        (self.mul * coordinate + self.add).div_euclid(self.div)
    }

    /// The same index of a coordinate that is `by` less.
    pub fn shifted(self, by: i64) -> Self {
        Self { add: self.add + self.mul * by, ..self }
    }

    /// The constant of an index that is the coordinate and a constant.
    pub fn offset(&self) -> Option<i64> {
        (self.mul == 1 && self.div == 1).then_some(self.add)
    }

    /// Whether the lanes of a warp, each at the coordinate behind the last one's, get what they read by few shuffles: four columns further
    /// from lane to lane at most, and somewhere further.
    pub fn is_shuffled(&self) -> bool {
        const MOST: i64 = 4;
        self.mul > 0 && self.mul <= MOST * self.div
    }

    /// The closest forms around an index of one coordinate that grows along it: one that is nowhere greater, and one that is nowhere
    /// less. Of `x floordiv 2 + x mod 2` these are `x floordiv 2` and `(x + 1) floordiv 2`.
    pub fn around(index: &Expr) -> Option<[Self; 2]> {
        let recurring = Recurring::of(index).filter(|recurring| recurring.rise() > 0)?;
        let (mul, div) = (recurring.rise(), recurring.period());
        // (mul * x + add) floordiv div <= value as long as mul * x + add < (value + 1) * div, and >= value from value * div on.
        let mut least = i64::MAX;
        let mut greatest = i64::MIN;
        for x in 0..div {
            let add = recurring.at(x).checked_mul(div)?.checked_sub(mul.checked_mul(x)?)?;
            least = least.min(add.checked_add(div - 1)?);
            greatest = greatest.max(add);
        }
        Some([least, greatest].map(|add| Self { dim: recurring.dim(), mul, add, div }))
    }

    /// [`localise`] and [`indices_read`] in one: how the index moves with the tile, and what it reads of a box.
    pub fn reads(&self, strides: &[TileStride], region: &[Range<i64>]) -> Option<(TileStride, Range<i64>)> {
        let Self { dim, mul, add, div } = *self;
        if mul == 0 {
            let at = add.div_euclid(div);
            return Some((TileStride { axis: 0, step: 0 }, Range::new(at, at)));
        }
        let (of, range) = (strides.get(dim)?, region.get(dim)?);
        let step = mul.checked_mul(of.step)?;
        let end = |local: i64| mul.saturating_mul(local).saturating_add(add).div_euclid(div);
        (step % div == 0)
            .then(|| (TileStride { axis: of.axis, step: step / div }, Range::new(end(range.lo), end(range.hi))))
    }
}

impl Recurring {
    /// As [`Form::reads`]; `None` too where it falls, or tiles begin within a period: of these nothing is said here.
    pub fn reads(&self, strides: &[TileStride], region: &[Range<i64>]) -> Option<(TileStride, Range<i64>)> {
        let (stride, of) = (self.tile_stride(strides)?, region.get(self.dim())?);
        // From period to period it never falls: the least is in the first one, and the greatest in the last.
        let more = (self.period() - 1).min(of.hi.checked_sub(of.lo)?);
        let least = (of.lo..=of.lo.checked_add(more)?).map(|x| self.at(x)).min()?;
        let greatest = (of.hi.checked_sub(more)?..=of.hi).map(|x| self.at(x)).max()?;
        Some((stride, Range::new(least, greatest)))
    }

    /// How it moves with the tile, where it does not fall and tiles begin with a period.
    pub fn tile_stride(&self, strides: &[TileStride]) -> Option<TileStride> {
        let TileStride { axis, step } = *strides.get(self.dim())?;
        let begins = self.rise() >= 0 && step % self.period() == 0;
        let step = begins.then(|| (step / self.period()).checked_mul(self.rise()))??;
        Some(TileStride { axis: if step == 0 { 0 } else { axis }, step })
    }
}

/// What a boundary mode may add to the interval `[lo, hi]` of an index that a single point reads, given how far the index
/// leaves the source over the whole consumer: at most `below` under its start, at most `above` over its end. The index
/// that is read in the end lies in `[lo - down, hi + up]`.
///
/// A clamped index moves back by what it left; a reflected one by as much again, less the edge where that is repeated.
pub fn reach(boundary: Boundary, below: i64, above: i64) -> (i64, i64) {
    let back = |left: i64| match boundary {
        _ if left <= 0 => 0,
        Boundary::Clamp | Boundary::Constant => left,
        Boundary::Mirror => 2 * left - 1,
        Boundary::Reflect101 => 2 * left,
        Boundary::None | Boundary::Wrap => 0,
    };
    (back(above), back(below))
}

/// The least and the greatest value of a local index over a box.
pub fn indices_read(local: &Expr, region: &[Range<i64>]) -> Range<i64> {
    range_of(local, region, &mut Ints)
}

/// The offset of an index that is coordinate `d` and a constant.
pub fn offset_along(local: &Expr, d: usize) -> Option<i64> {
    let sum = local.flatten();
    (sum.terms.len() == 1 && sum.terms.get(&dim(d)) == Some(&1)).then_some(sum.constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::resolve;
    use proptest::prelude::*;

    const X8: [TileStride; 1] = [TileStride { axis: 0, step: 8 }];

    #[test]
    fn the_picture_above() {
        let at = |index: Expr| localise(&index, &X8).map(|local| (local.stride.step, local.index.to_string()));
        assert_eq!(at(dim(0) + 1), Some((8, "d0 + 1".into())));
        assert_eq!(at(dim(0) * 2 - 1), Some((16, "d0 * 2 - 1".into())));
        assert_eq!(at(dim(0).floor_div(2)), Some((4, "d0 floordiv 2".into())));
        assert_eq!(at(dim(0).floor_div(3)), None);
        assert_eq!(at(dim(0).modulo(2)), Some((0, "d0 mod 2".into())));
        assert_eq!(at(-dim(0)), None);
    }

    #[test]
    fn transposed_and_coupled() {
        let yx = [TileStride { axis: 0, step: 4 }, TileStride { axis: 1, step: 8 }];
        assert_eq!(localise(&(dim(1) - 2), &yx).map(|local| local.stride), Some(TileStride { axis: 1, step: 8 }));
        assert_eq!(localise(&(dim(0) + dim(1)), &yx), None);
    }

    proptest! {
        /// The short answers are the long ones.
        #[test]
        fn forms(mul in 0i64..4, add in -9i64..9, div in 1i64..5, more in -3i64..3, step in 0i64..13, lo in -5i64..5, n in 0i64..9) {
            let index = (dim(0) * mul + add).floor_div(div) + more;
            let (strides, region) = ([TileStride { axis: 0, step }], [Range::new(lo, lo + n)]);
            let form = Form::of(&index).expect("of the kind");
            let long = localise(&index, &strides).map(|local| (local.stride.step, indices_read(&local.index, &region)));
            let short = form.reads(&strides, &region).map(|(stride, range)| (stride.step, range));
            prop_assert_eq!(short, long, "{}", index);
        }

        /// And so are those of what recurs, where there is one.
        #[test]
        fn recurrences(add in -9i64..9, div in 1i64..5, of in -3i64..4, modulo in 1i64..5, step in 0i64..13, lo in -9i64..9, n in 0i64..19) {
            let index = (dim(0) + add).floor_div(div) + dim(0).modulo(modulo) * of;
            let (strides, region) = ([TileStride { axis: 0, step }], [Range::new(lo, lo + n)]);
            let recurring = Recurring::of(&index).expect("of one coordinate, along which it does not fall");
            if let Some(short) = recurring.reads(&strides, &region) {
                let long = localise(&index, &strides).map(|local| (local.stride, indices_read(&local.index, &region)));
                prop_assert_eq!(Some(short), long, "{}", index);
            } else {
                prop_assert!(step % recurring.period() != 0);
            }
        }

        /// The forms around an index bound it, and closer ones do not.
        #[test]
        fn forms_around(mul in 1i64..4, by in 1i64..5, add in -9i64..9, div in 1i64..5, of in 1i64..4, modulo in 1i64..5) {
            let index = (dim(0) * mul + add).floor_div(div) + dim(0).modulo(modulo) * of - by;
            let [least, greatest] = Form::around(&index).expect("of one coordinate, along which it grows");
            let at = |form: Form, x: i64, more: i64| (form.mul * x + form.add + more).div_euclid(form.div);
            let all = || (-60..60).map(|x| (x, index.eval(&[x])));
            prop_assert!(all().all(|(x, value)| at(least, x, 0) <= value && value <= at(greatest, x, 0)), "{}", index);
            prop_assert!(all().any(|(x, value)| at(least, x, 1) > value) && all().any(|(x, value)| at(greatest, x, -1) < value));
        }

        /// Where a boundary mode leads is never further than said.
        #[test]
        fn reach_holds(extent in 1i64..9, a in 1i64..3, d in -12i64..12, consumer in 1i64..9) {
            let index = dim(0) * a + d;
            let all = range_of(&index, &[Range::new(0, consumer - 1)], &mut Ints);
            for boundary in [Boundary::Clamp, Boundary::Mirror, Boundary::Reflect101, Boundary::Constant] {
                let (down, up) = reach(boundary, -all.lo, all.hi - (extent - 1));
                for x in 0..consumer {
                    let at = index.eval(&[x]);
                    let as_read = if boundary == Boundary::Constant { Boundary::Clamp } else { boundary };
                    let read = resolve(at, extent, as_read).expect("not constant, and not empty");
                    prop_assert!(at - down <= read && read <= at + up, "{at} reads {read} of {extent} ({boundary:?})");
                }
            }
        }
    }
}
