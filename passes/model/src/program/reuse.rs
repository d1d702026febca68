//! Where a stage is computed: in a tile that its consumers share, at a pixel of the consumer that reads it, or at its point.
//!
//! Nested fusion (paper 001, section 4.3, Listing 2) computes a producer in its last consumer, at the level of that one's loops where its
//! reuse ends: as deep as may be without computing anything twice. A tile's loops go along rows and columns, which are a thread's own, and then
//! along the planes of a pixel. So kernels have three levels, and what is left of the listing are two questions. Does any point of the producer
//! serve two points of the consumer? If it does, do these always lie in one pixel?
//!
//! ```text
//! gray[y, x] reads rgb[0, y, x], rgb[1, y, x], rgb[2, y, x]      no: at the point, and rgb has no tile
//! down[x] reads fine[2 x], fine[2 x + 1]                         no: at the point
//! lit[c, y, x] reads light[y, x], of three planes                yes, in a pixel: there, once for three points, and light has no tile
//! up[x] reads coarse[x floordiv 2]                               yes: two points of "up" share one; a tile
//! lit[y, x] reads row[y]                                         yes: a whole row of "lit" shares one; a tile
//! blur[x] reads img[x - 1], img[x + 1]                           yes: a tile
//! ```
//!
//! The pixel is for tiles of blocks ([`Group::with_pixels`](super::Group::with_pixels)). A level between the tile and the pixel, a row of a tile, would be shared memory and a barrier for each row: there is none.
//!
//! Several consumers are asked as one where all of them are computed in the same stage: about the points of that stage.
//!
//! ```text
//! r[y, x] is read by red[y, x], green[y, x] and blue[y, x], all computed in curved[c, y, x]      r is, too: at the pixel
//! ```
//!
//! Two reads `a` and `b`, at points `p` and `q` of the consumer, never meet where one of their indices cannot be equal. Else they
//! must tell the point: `a(p) = b(q)` only if `p = q`. That is asked coordinate by coordinate: an index in which one coordinate is
//! left, with the same factor in both, tells it; those told before may stand beside it. What this does not see through (a
//! coordinate taken apart by `floordiv` and `mod`) counts as reuse: a tile is right always.

use super::stage::{Level, Stage};
use crate::affine::{Expr, Extent, Interval, Partly, Sum, gcd, range_of};

/// Bodies of a producer in the code of one point of its consumer, at most: three colours, or two by two points. Each has its
/// loads, which a compiler does as early as it can: of eight it had more on their way than a thread has registers.
pub const MOST_COPIES: usize = 4;

/// Planes of a pixel that a thread computes one after the other, at most: of a colour with its opacity.
const MOST_PLANES: i64 = 4;

/// The level at which a stage may compute what it reads at these points, without computing anything twice; `None` where a tile is needed.
pub fn level(reads: &[&[Expr]], reader: &Stage) -> Option<Level> {
    if reads.len() > MOST_COPIES {
        return None;
    }
    if !is_reused(reads, &reader.extents, &reader.needed) {
        return Some(Level::Point);
    }
    let plane = plane_of_pixels(&reader.extents)?;
    let is_of_plane = reads.iter().copied().flatten().any(|index| index.dims().contains(&plane));
    let mut of_pixels = reader.extents.clone();
    of_pixels[plane] = Extent::Known(1);
    (!is_of_plane && !is_reused(reads, &of_pixels, &reader.needed)).then_some(Level::Pixel)
}

/// The dimension of a stage's planes, where a thread may compute all of a pixel's.
pub fn plane_of_pixels(extents: &[Extent]) -> Option<usize> {
    let plane = extents.len().checked_sub(3)?;
    matches!(extents[plane], Extent::Known(planes) if (2..=MOST_PLANES).contains(&planes)).then_some(plane)
}

/// The points of a stage that a consumer reads at each of its own, as distinct lists of indices.
pub fn points_read(consumer: &Stage, producer: usize) -> Vec<&[Expr]> {
    let mut all: Vec<&[Expr]> = Vec::new();
    for access in consumer.accesses.iter().filter(|access| access.producer() == Some(producer)) {
        if !all.contains(&&access.indices[..]) {
            all.push(&access.indices);
        }
    }
    all
}

/// Whether some point of what is read so serves two points of a consumer of these extents, of which `needed` is needed. Where that
/// is not known, it does.
pub fn is_reused(reads: &[&[Expr]], extents: &[Extent], needed: &[Interval]) -> bool {
    let sums: Vec<Vec<Sum>> = reads.iter().map(|read| read.iter().map(Expr::flatten).collect()).collect();
    let ranges: Vec<Vec<Interval>> =
        reads.iter().map(|read| read.iter().map(|index| range_of(index, needed, &mut Partly)).collect()).collect();
    let never_meet = |a: usize, b: usize| {
        let mut dimensions = sums[a].iter().zip(&sums[b]).zip(ranges[a].iter().zip(&ranges[b]));
        dimensions.any(|((one, other), (range, with))| differ(one, other) || lie_apart(*range, *with))
    };
    // Order does not matter: two reads meet or do not.
    let mut pairs = (0..reads.len()).flat_map(|a| (a..reads.len()).map(move |b| (a, b)));
    pairs.any(|(a, b)| !never_meet(a, b) && !tells_the_point(&sums[a], &sums[b], extents))
}

/// Whether two sums, each of integers of its own, are never equal: their factors have a common divisor that the constants do not
/// agree by.
fn differ(one: &Sum, other: &Sum) -> bool {
    let divisor =
        one.terms.values().chain(other.terms.values()).fold(0i64, |all, factor| gcd(all, factor.saturating_abs()));
    match one.constant.checked_sub(other.constant) {
        Some(apart) if divisor == 0 => apart != 0,
        Some(apart) => apart % divisor != 0,
        None => false,
    }
}

/// Whether no number is in both.
fn lie_apart(one: Interval, other: Interval) -> bool {
    let is_below = |a: Interval, b: Interval| matches!((a.hi, b.lo), (Some(hi), Some(lo)) if hi < lo);
    is_below(one, other) || is_below(other, one)
}

/// Whether equal indices mean equal coordinates.
fn tells_the_point(one: &[Sum], other: &[Sum], extents: &[Extent]) -> bool {
    // Along a single point there is nothing to tell.
    let mut told: Vec<bool> = extents.iter().map(|extent| *extent == Extent::Known(1)).collect();
    loop {
        let next = one.iter().zip(other).find_map(|(one, other)| {
            let d = told_by(one, other, &told)?;
            (!told[d]).then_some(d)
        });
        match next {
            Some(d) => told[d] = true,
            None => return told.iter().all(|is_told| *is_told),
        }
    }
}

/// The coordinate that must be equal where two sums are, given those that are told already.
fn told_by(one: &Sum, other: &Sum, told: &[bool]) -> Option<usize> {
    let is_told = |term: &Expr| term.dims().iter().all(|d| told.get(*d) == Some(&true));
    let split = |sum: &Sum| {
        let (told, left): (Vec<_>, Vec<_>) =
            sum.terms.iter().map(|(term, factor)| (term.clone(), *factor)).partition(|(term, _)| is_told(term));
        (told, left)
    };
    let ((known, left), (with, right)) = (split(one), split(other));
    match (&left[..], &right[..]) {
        ([(Expr::Dim(d), factor)], [(Expr::Dim(e), by)])
            if d == e && factor == by && known == with && one.constant == other.constant =>
        {
            Some(*d)
        }
        _ => None,
    }
}
