//! From indices to what is read: how a boundary mode folds an interval of indices into the source.
//!
//! A load names an index that may lie outside its source; the boundary mode says what is there. [`resolve`] is the
//! specification, one index at a time. [`region_read`] is the same for an interval, in constant time: the smallest
//! interval of the source that holds everything the interval of indices reads. The tests hold the one against the
//! other over every small case.
//!
//! ```text
//! index     -4 -3 -2 -1 | 0  1  2 | 3  4  5  6        extent 3
//! clamp      0  0  0  0 | 0  1  2 | 2  2  2  2
//! mirror     2  2  1  0 | 0  1  2 | 2  1  0  0        the edge value is repeated: period 6
//! reflect101 0  1  2  1 | 0  1  2 | 1  0  1  2        it is not: period 4
//! wrap       2  0  1  2 | 0  1  2 | 0  1  2  0
//! constant   -  -  -  - | 0  1  2 | -  -  -  -
//! ```
//!
//! A region is one range an axis, the footprint of a stage in a producer; two consumers' footprints join by their hull.

use super::range::Range;

/// What a load yields outside its source: the boundary modes of `pipeline.load`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// The program promises to stay inside.
    None,
    /// The nearest edge value.
    Clamp,
    /// The source reflected at its edges, edge values repeated.
    Mirror,
    /// The source reflected at its edges, edge values not repeated.
    Reflect101,
    /// The source repeated.
    Wrap,
    /// A value of the program's.
    Constant,
}

/// One range an axis.
pub type Region = Vec<Range<i64>>;

/// Where on a source axis an index reads; `None` if nowhere: outside with [`Boundary::Constant`], or the axis is empty.
///
/// With [`Boundary::None`] the index is answered as it is, inside or not: whether it is inside is for the verifier.
pub fn resolve(index: i64, extent: i64, boundary: Boundary) -> Option<i64> {
    if boundary == Boundary::None {
        return Some(index);
    }
    if extent <= 0 {
        return None;
    }
    match boundary {
        Boundary::Clamp => Some(index.clamp(0, extent - 1)),
        Boundary::Wrap => Some(index.rem_euclid(extent)),
        Boundary::Mirror => {
            // i128: twice the extent of a degenerate (saturated) axis must not wrap.
            let period = 2 * i128::from(extent);
            let m = i128::from(index).rem_euclid(period);
            Some(m.min(period - 1 - m) as i64)
        }
        Boundary::Reflect101 => {
            let period = period_of_reflect101(extent);
            let m = i128::from(index).rem_euclid(period);
            Some(m.min(period - m) as i64)
        }
        Boundary::Constant => (0..extent).contains(&index).then_some(index),
        Boundary::None => unreachable!(),
    }
}

/// After how many indices a source recurs whose edge values are not repeated. One of a single point is that point everywhere.
fn period_of_reflect101(extent: i64) -> i128 {
    (2 * (i128::from(extent) - 1)).max(1)
}

/// The smallest interval of a source axis that holds all that indices in `range` read; `None` if the range or (but for
/// [`Boundary::None`]) the axis is empty.
///
/// [`Boundary::Constant`] answers as [`Boundary::Clamp`]: generated code reads at clamped coordinates and selects
/// afterwards. That differs from [`resolve`] only for a range wholly outside, whose answer is the edge it is nearest to.
pub fn region_read(range: Range<i64>, extent: i64, boundary: Boundary) -> Option<Range<i64>> {
    if range.is_empty() {
        return None;
    }
    let boundary = if boundary == Boundary::Constant { Boundary::Clamp } else { boundary };
    let (lo, hi) = (resolve(range.lo, extent, boundary)?, resolve(range.hi, extent, boundary)?);
    // Between the indices where a mode turns, it is monotone; so the ends decide, and the turns that lie inside. A turn
    // is two neighbours wide (mirror: n - 1 and n) or one point (reflect101: n - 1): if only the first neighbour is inside,
    // it is the end `hi`, and a point that is the first index is `lo`, both already counted.
    let (falls, rises) = match boundary {
        Boundary::Wrap => (meets(range, 0, extent.into()), meets(range, 0, extent.into())),
        Boundary::Mirror => (meets(range, 0, 2 * i128::from(extent)), meets(range, extent, 2 * i128::from(extent))),
        Boundary::Reflect101 => {
            let period = period_of_reflect101(extent);
            (meets(range, 0, period), meets(range, extent - 1, period))
        }
        Boundary::None | Boundary::Clamp | Boundary::Constant => (false, false),
    };
    Some(Range { lo: if falls { 0 } else { lo.min(hi) }, hi: if rises { extent - 1 } else { lo.max(hi) } })
}

/// How many indices lie between those where a mode turns back or begins anew; `None` of modes that do not. Between them what is read
/// goes on as the index does, or back as it goes on.
pub fn folds_every(extent: i64, boundary: Boundary) -> Option<i64> {
    match boundary {
        Boundary::Mirror | Boundary::Wrap => Some(extent.max(1)),
        Boundary::Reflect101 => Some((extent - 1).max(1)),
        Boundary::None | Boundary::Clamp | Boundary::Constant => None,
    }
}

/// Whether an index of the range, its first one excepted, is `residue` modulo `period`: a turn the range crosses.
fn meets(range: Range<i64>, residue: i64, period: i128) -> bool {
    let before = |i: i64| (i128::from(i) - i128::from(residue)).div_euclid(period);
    before(range.lo) != before(range.hi)
}

/// The smallest range that holds both. An empty one adds nothing.
pub fn hull(a: Range<i64>, b: Range<i64>) -> Range<i64> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => Range { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) },
    }
}

/// The smallest region that holds both, axis by axis. Panics if they differ in rank.
pub fn hull_regions(a: &[Range<i64>], b: &[Range<i64>]) -> Region {
    assert_eq!(a.len(), b.len(), "regions of different rank");
    a.iter().zip(b).map(|(a, b)| hull(*a, *b)).collect()
}

/// How many points a region holds.
pub fn volume(region: &[Range<i64>]) -> i64 {
    region.iter().fold(1, |n, range| n.saturating_mul(range.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Boundary; 6] =
        [Boundary::None, Boundary::Clamp, Boundary::Mirror, Boundary::Reflect101, Boundary::Wrap, Boundary::Constant];

    #[test]
    fn the_picture_above() {
        let row = |boundary| (-4..=6).map(|i| resolve(i, 3, boundary).unwrap_or(-1)).collect::<Vec<_>>();
        assert_eq!(row(Boundary::Clamp), [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(row(Boundary::Mirror), [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]);
        assert_eq!(row(Boundary::Reflect101), [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2]);
        assert_eq!(row(Boundary::Wrap), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(row(Boundary::Constant), [-1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1]);
    }

    /// Step by step back inside, as one would by hand, however far outside.
    #[test]
    fn reflections_one_by_one() {
        let by_hand = |mut index: i64, extent: i64, repeated: i64| {
            while extent > 1 && !(0..extent).contains(&index) {
                index = if index < 0 { -index - repeated } else { 2 * extent - 2 + repeated - index };
            }
            if extent == 1 { 0 } else { index }
        };
        for extent in 1..=7 {
            for index in -40..=40 {
                assert_eq!(resolve(index, extent, Boundary::Mirror), Some(by_hand(index, extent, 1)));
                assert_eq!(resolve(index, extent, Boundary::Reflect101), Some(by_hand(index, extent, 0)));
            }
        }
    }

    /// Every range within three periods of every small extent.
    #[test]
    fn intervals_agree_with_points() {
        for extent in 1..=6 {
            for lo in -13..=13 {
                for hi in lo..=19 {
                    for boundary in ALL {
                        let read: Vec<_> = (lo..=hi).filter_map(|i| resolve(i, extent, boundary)).collect();
                        let want = match (read.iter().min(), read.iter().max()) {
                            (Some(&lo), Some(&hi)) => Range { lo, hi },
                            _ if hi < 0 => Range { lo: 0, hi: 0 },
                            _ => Range { lo: extent - 1, hi: extent - 1 },
                        };
                        let got = region_read(Range { lo, hi }, extent, boundary);
                        assert_eq!(got, Some(want), "[{lo}, {hi}] of {extent}, {boundary:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn empty_and_enormous() {
        for boundary in ALL {
            assert_eq!(region_read(Range { lo: 1, hi: 0 }, 4, boundary), None);
            if boundary != Boundary::None {
                assert_eq!(region_read(Range { lo: 0, hi: 0 }, 0, boundary), None);
                let all = Range { lo: i64::MIN, hi: i64::MAX };
                assert_eq!(region_read(all, 4, boundary), Some(Range { lo: 0, hi: 3 }));
            }
        }
    }

    #[test]
    fn regions() {
        let (a, b) = ([Range::new(0, 3), Range::new(-1, 2)], [Range::new(2, 5), Range::new(0, 0)]);
        assert_eq!(hull_regions(&a, &b), [Range::new(0, 5), Range::new(-1, 2)]);
        assert_eq!(volume(&a), 16);
        assert_eq!(hull(Range::new(1, 0), Range::new(4, 7)), Range::new(4, 7));
    }
}
