//! Exact footprints of a group: what one tile of its live-outs needs of every stage and every image.
//!
//! Each live-out computes its share of the tile. From there backwards, through every load, a stage computes the smallest box
//! that holds what its consumers' boxes read ([`range_of`]), after boundary modes and inside its image ([`region_read`]):
//! paper "Flextended Tiles", section 3.1, with intervals in place of expansion nodes, so that tiles need not be aligned with
//! the stages' resolutions. Kernels use the boxes of [`boxes`](mod@super::boxes), which begin at points affine in the tile's number; these
//! here are what they are measured by.
//!
//! ```text
//! unsharp, tile 8x512, number (0, 1, 1)      blurx   [0, 3) x [8, 16) x [510, 1026)     8 x 516
//!   masked reads blury[c, y, x]        ──▶   blury   [0, 3) x [8, 16) x [512, 1024)     8 x 512
//!   blury  reads blurx[c, y, x-2..x+2]       masked  [0, 3) x [8, 16) x [512, 1024)     8 x 512
//! ```
//!
//! # The greatest extents
//!
//! How large a box gets depends on the tile: `x floordiv 2` of 5 points reads 3 or 4, an edge folds indices back. But seen
//! along one axis of the grid boxes recur, shifted: after as many tiles as make every index's divisors come out even (a
//! *period*). And between the tiles where an index starts or ends to leave its source, or where one load begins to reach
//! further than another, ends of boxes are affine from period to period, so extents are greatest at the ends of such a
//! stretch. [`Tiling::largest`] visits those, of each phase of a period, and none between: its time does not depend on the
//! images' sizes.
//!
//! # Shapes
//!
//! See [`Shape`].

use super::{
    scaling::{Alignment, alignments, needed},
    slope::{Slopes, slopes},
};
use crate::{
    affine::{
        Boundary, Expr, Extent, Ints, Named, Range, Ratio, Region, folds_every, hull, lcm, range_of, region_read,
        volume,
    },
    program::{Access, Group, Shape, Source},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Display, Formatter},
};

/// More phases of a tile than this are not visited: where indices recur later, [`Tiling::largest`] is what it found.
const MAX_PHASES: i64 = 256;
/// More tiles than this are not visited where a dimension goes along two axes of the grid at once.
const MAX_TILES: i64 = 1 << 16;
/// More stretches of one phase than this are not visited from either end: images that are folded over and over.
const MAX_STRETCHES: usize = 64;
/// No extent of a tile is greater: products with scales and numbers of tiles must fit.
pub const MAX_TILE: i64 = 1 << 30;

/// Why a tile fits no group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileError {
    /// It has more extents than the live-outs have dimensions.
    Rank {
        /// How many it has.
        found: usize,
        /// How many it may have.
        most: usize,
    },
    /// An extent is not in `1..=MAX_TILE`.
    Extent(i64),
}

impl Display for TileError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            TileError::Rank { found, most } => {
                write!(f, "has {found} extents, expected at most {most}, the rank of the live-outs")
            }
            TileError::Extent(found) => write!(f, "has the extent {found}, expected one from 1 to {MAX_TILE}"),
        }
    }
}

impl std::error::Error for TileError {}

/// What one tile computes and reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// The box that each stage computes; `None` where it computes nothing.
    pub stages: Vec<Option<Region>>,
    /// The box that is read of each image in memory. An image whose extents nobody knows is not bounded by them.
    pub images: Vec<Option<Region>>,
}

/// Extents of boxes, of each stage and each image; `None` where there is no box in any tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Extents {
    /// Of the stages.
    pub stages: Vec<Option<Vec<i64>>>,
    /// Of the images in memory.
    pub images: Vec<Option<Vec<i64>>>,
}

/// The footprint of the tile of this number: [`Shape::Scalene`].
///
/// # Errors
///
/// See [`Tiling::new`].
pub fn footprint(group: &Group, tile: &[i64], number: &[i64]) -> Result<Footprint, TileError> {
    Ok(Tiling::new(group, tile, Shape::Scalene)?.footprint(number))
}

/// The greatest extents over all tiles: [`Shape::Scalene`].
///
/// # Errors
///
/// See [`Tiling::new`].
pub fn largest(group: &Group, tile: &[i64]) -> Result<Extents, TileError> {
    Ok(Tiling::new(group, tile, Shape::Scalene)?.largest())
}

/// A group whose live-outs are cut into tiles.
pub struct Tiling<'a> {
    group: &'a Group,
    shape: Shape,
    /// The tile, in points of the last live-out.
    tile: Vec<i64>,
    /// How many tiles there are along each axis.
    counts: Vec<i64>,
    alignments: Vec<Vec<Option<Alignment>>>,
    /// The axes on which the box of each dimension of each stage depends, as bits.
    axes: Vec<Vec<u64>>,
    /// Extents of the images, as far as they are known.
    images: Vec<Vec<Option<i64>>>,
    /// After how many tiles boxes recur along each axis.
    periods: Vec<i64>,
    /// How far each dimension of each stage is shifted: [`Shape::RightRectangle`].
    shifts: Vec<Vec<i64>>,
    slopes: Vec<Option<Slopes>>,
    /// Whether a live-out needs each stage.
    needed: Vec<bool>,
}

/// An interval that a tile asks for, where it was not yet bounded by the `size` of what it is of.
struct Ask {
    axes: u64,
    range: Option<Range<i64>>,
    size: i64,
    /// After how many indices what is read turns back or begins anew, where it does.
    folds: Option<i64>,
}

impl Ask {
    fn is_inside(&self) -> bool {
        self.range.is_none_or(|range| range.lo >= 0 && range.hi < self.size)
    }

    /// This interval, `steps` times as far on as `next` is.
    fn advanced(&self, next: &Ask, steps: i64) -> Option<Range<i64>> {
        let (from, to) = (self.range?, next.range?);
        let end = |from: i64, to: i64| from.saturating_add(to.saturating_sub(from).saturating_mul(steps));
        Some(Range::new(end(from.lo, to.lo), end(from.hi, to.hi)))
    }

    /// How often, but at most `most` times, the interval can go on as far as from here to `next` before one of its ends
    /// gets from one image to the next, if the image were repeated, and from one turn to the next, if it were reflected; into or
    /// out of the image where it is neither.
    fn steps_inside(&self, next: &Ask, most: i64) -> i64 {
        let (Some(from), Some(to)) = (self.range, next.range) else { return most };
        let steps = |from: i64, to: i64| {
            let step = to.saturating_sub(from);
            let (first, last) = match self.folds {
                Some(length) => {
                    let piece = from.div_euclid(length);
                    (piece.saturating_mul(length), (piece + 1).saturating_mul(length) - 1)
                }
                None if from < 0 => (i64::MIN, -1),
                None if from < self.size => (0, self.size - 1),
                None => (self.size, i64::MAX),
            };
            match step {
                0 => most,
                1.. => last.saturating_sub(from) / step,
                _ => first.saturating_sub(from) / step,
            }
        };
        steps(from.lo, to.lo).min(steps(from.hi, to.hi)).min(most)
    }
}

/// A tile as it is computed.
struct Computed {
    footprint: Footprint,
    /// What was asked for, in an order that is the same for all tiles.
    asks: Vec<Ask>,
}

impl<'a> Tiling<'a> {
    /// The live-outs cut into tiles of these extents, in points of the last live-out. Of dimensions that it leaves out,
    /// leading ones, each tile has the whole. Live-outs at another resolution ([`alignments`]) have their share of each tile:
    /// those of their points that lie on it, or after it if between two.
    ///
    /// # Errors
    ///
    /// A tile of a rank above that of the last live-out, or with an extent out of range.
    pub fn new(group: &'a Group, tile: &[i64], shape: Shape) -> Result<Self, TileError> {
        let last = group.stages.iter().rev().find(|stage| stage.is_live_out);
        let size: &[i64] = last.map_or(&[], |stage| &stage.size);
        let whole = size.len().checked_sub(tile.len());
        let whole = whole.ok_or(TileError::Rank { found: tile.len(), most: size.len() })?;
        if let Some(extent) = tile.iter().find(|extent| !(1..=MAX_TILE).contains(*extent)) {
            return Err(TileError::Extent(*extent));
        }
        let tile: Vec<i64> = size[..whole].iter().chain(tile).map(|extent| (*extent).clamp(1, MAX_TILE)).collect();
        let rank = tile.len();
        let alignments = alignments(group, &tile);
        let mut tiling = Self {
            group,
            shape,
            counts: counts(group, &tile, &alignments),
            axes: axes(group, &alignments),
            images: images(group),
            periods: periods(group, &tile, &alignments),
            shifts: group.stages.iter().map(|stage| vec![0; stage.extents.len()]).collect(),
            slopes: slopes(group, &alignments, rank),
            needed: needed(group),
            tile,
            alignments,
        };
        if shape == Shape::RightRectangle {
            tiling.shift();
        }
        Ok(tiling)
    }

    /// The tile, of the rank of the grid.
    pub fn tile(&self) -> &[i64] {
        &self.tile
    }

    /// How many tiles there are along each axis of the grid.
    pub fn counts(&self) -> &[i64] {
        &self.counts
    }

    /// How many points of a stage belong to a tile alone: the rest of a box is computed by others, too.
    pub fn share_volume(&self, stage: usize) -> f64 {
        let dimensions = self.alignments[stage].iter().zip(&self.group.stages[stage].size);
        let extents = dimensions.map(|(alignment, size)| match alignment {
            Some(alignment) if self.counts[alignment.axis] > 1 => {
                self.tile[alignment.axis] as f64 * alignment.scale.num as f64 / alignment.scale.den as f64
            }
            _ => *size as f64,
        });
        extents.product()
    }

    /// What the tile of this number computes and reads.
    pub fn footprint(&self, number: &[i64]) -> Footprint {
        self.compute(number, true, 0).footprint
    }

    /// The greatest extents over all tiles: see the head of this file.
    ///
    /// Exact where boxes recur soon and images are not folded over and over, and all loads agree in which axis each dimension
    /// goes along or there are few tiles; else the greatest of what was visited.
    pub fn largest(&self) -> Extents {
        let mut largest =
            Extents { stages: vec![None; self.group.stages.len()], images: vec![None; self.group.images.len()] };
        let is_coupled = self.is_coupled();
        let are_few = |counts: &[i64]| counts.iter().fold(1i64, |n, count| n.saturating_mul(*count)) <= MAX_TILES;
        let visits: Vec<Vec<i64>> = if is_coupled && are_few(&self.counts) {
            self.counts.iter().map(|count| (0..*count).collect()).collect()
        } else {
            (0..self.tile.len()).map(|axis| self.visits(axis)).collect()
        };
        if is_coupled && are_few(&visits.iter().map(|visits| visits.len() as i64).collect::<Vec<_>>()) {
            let mut numbers = vec![vec![]];
            for visits in &visits {
                let longer = |head: &Vec<i64>| visits.iter().map(|t| [&head[..], &[*t]].concat()).collect::<Vec<_>>();
                numbers = numbers.iter().flat_map(longer).collect();
            }
            numbers.iter().for_each(|number| largest.cover(&self.footprint(number)));
        } else {
            // Each axis for itself: the extents along it do not depend on the others.
            let mut number = vec![0; self.tile.len()];
            largest.cover(&self.footprint(&number));
            for (axis, visits) in visits.iter().enumerate() {
                for t in visits {
                    number[axis] = *t;
                    largest.cover(&self.footprint(&number));
                }
                number[axis] = 0;
            }
        }
        if self.shape == Shape::UniformSlope {
            // The base is the same for all tiles, also where an edge cuts each of them.
            let at_start = vec![0; self.tile.len()];
            let bases = (0..self.group.stages.len()).map(|s| {
                self.base(s, &at_start).map(|base| {
                    let sizes = &self.group.stages[s].size;
                    base.into_iter().zip(sizes).map(|(range, size)| Range::new(0, range.len().min(*size) - 1)).collect()
                })
            });
            let stages = bases.collect();
            largest.cover(&Footprint { stages, images: Vec::new() });
        }
        largest
    }

    /// The share of each stage: what of it no other tile has, whether it is a live-out or not. `None` where there is nothing.
    pub fn shares(&self, number: &[i64]) -> Vec<Option<Region>> {
        let stages = self.group.stages.iter().enumerate();
        stages.map(|(s, stage)| self.share(s, number).and_then(|share| bounded(share, &stage.size))).collect()
    }

    /// Whether a tile asks for nothing outside an image.
    pub fn is_interior(&self, number: &[i64]) -> bool {
        self.compute(number, false, 0).asks.iter().all(Ask::is_inside)
    }

    /// The first tile that asks for nothing outside an image, or along an axis that has none the middle one.
    pub fn first_interior(&self) -> Vec<i64> {
        let mut number = vec![0; self.tile.len()];
        for axis in 0..number.len() {
            let mut at = number.clone();
            let is_inside = |t: &i64| {
                at[axis] = *t;
                let asks = self.compute(&at, false, 0).asks;
                asks.iter().filter(|ask| ask.axes & bit(axis) != 0).all(Ask::is_inside)
            };
            let inside = self.visits(axis).into_iter().find(is_inside);
            number[axis] = inside.unwrap_or(self.counts[axis] / 2);
        }
        number
    }

    /// The numbers along an axis at which a box may be greatest, ascending: of each phase, the ends of the stretches on
    /// which all that is asked for is affine.
    fn visits(&self, axis: usize) -> Vec<i64> {
        let (count, period) = (self.counts[axis], self.periods[axis]);
        let mut visits = BTreeSet::new();
        for phase in 0..period.min(count) {
            let last = (count - 1 - phase) / period;
            let asks = |k: i64| {
                let mut number = vec![0; self.tile.len()];
                number[axis] = phase + k * period;
                let asks = self.compute(&number, true, 0).asks;
                asks.into_iter().filter(|ask| ask.axes & bit(axis) != 0).collect::<Vec<_>>()
            };
            let (mut ends, is_whole) = stretches(last, asks);
            if !is_whole {
                let (from_the_end, _) = stretches(last, |k| asks(last - k));
                ends.extend(from_the_end.into_iter().map(|k| last - k));
            }
            visits.extend(ends.into_iter().map(|k| phase + k * period));
        }
        visits.into_iter().collect()
    }

    /// A tile; `is_bounded` says whether images end. Stages before `first` are left out.
    fn compute(&self, number: &[i64], is_bounded: bool, first: usize) -> Computed {
        let stages = &self.group.stages;
        let mut boxes: Vec<Option<Region>> = vec![None; stages.len()];
        let mut images: Vec<Option<Region>> = vec![None; self.group.images.len()];
        let mut asks = Vec::new();
        for (s, stage) in stages.iter().enumerate().skip(first).rev() {
            let ask = |asks: &mut Vec<Ask>, region: Option<&[Range<i64>]>| {
                for (d, size) in stage.size.iter().enumerate() {
                    let range = region.map(|region| region[d]);
                    asks.push(Ask { axes: self.axes[s][d], range, size: *size, folds: None });
                }
            };
            if self.shape == Shape::UniformSlope {
                boxes[s] = self.base(s, number);
            }
            if stage.is_live_out {
                let share = self.share(s, number);
                ask(&mut asks, share.as_deref());
                let share = if is_bounded { share.and_then(|share| bounded(share, &stage.size)) } else { share };
                demand(&mut boxes[s], share);
            }
            if self.shape == Shape::RightRectangle
                && let Some(region) = &mut boxes[s]
            {
                for (d, range) in region.iter_mut().enumerate() {
                    if let Some(end) = self.shifted_end(s, d, number) {
                        range.hi = range.hi.max(end);
                    }
                }
            }
            let region = boxes[s].clone();
            ask(&mut asks, region.as_deref());
            let region = region.and_then(|region| if is_bounded { bounded(region, &stage.size) } else { Some(region) });
            for access in &stage.accesses {
                let read = self.read(s, region.as_deref(), access, is_bounded, &mut asks);
                let of = match access.source {
                    Source::Stage(producer, _) => &mut boxes[producer],
                    Source::Image(image) => &mut images[image],
                };
                // A slope is what it is, whatever is read.
                if access.producer().is_none() || self.shape != Shape::UniformSlope {
                    demand(of, read);
                }
            }
            boxes[s] = region;
        }
        Computed { footprint: Footprint { stages: boxes, images }, asks }
    }

    /// What an access reads from a box of its stage.
    ///
    /// An index that is computed reads its dimension whole, or if nobody knows the image's extent one point of it.
    fn read(
        &self,
        stage: usize,
        region: Option<&[Range<i64>]>,
        access: &Access,
        is_bounded: bool,
        asks: &mut Vec<Ask>,
    ) -> Option<Region> {
        let mut read = Some(Vec::new());
        for (dimension, index) in access.indices.iter().enumerate() {
            let size = match access.source {
                Source::Stage(producer, _) => Some(self.group.stages[producer].size[dimension]),
                Source::Image(image) => self.images[image].get(dimension).copied().flatten(),
            };
            let is_computed = access.is_computed(dimension);
            let range = region.map(|region| match is_computed {
                true => Range::new(0, size.unwrap_or(1) - 1),
                false => range_of(index, &access.with_windows(region), &mut Ints),
            });
            if let Some(size) = size {
                let folds = folds_every(size, access.boundary);
                asks.push(Ask { axes: self.axes_of(stage, index), range, size, folds });
            }
            let inside = match (range, size) {
                (Some(range), Some(size)) if is_bounded => match access.boundary {
                    // Promised to stay inside.
                    Boundary::None => inside(range, size),
                    boundary => region_read(range, size, boundary),
                },
                (range, _) => range,
            };
            read = read.zip(inside).map(|(mut read, inside)| {
                read.push(inside);
                read
            });
        }
        read
    }

    /// Whether a box of a stage or an image depends on two axes of the grid in one dimension: through an index of two
    /// coordinates, or through loads that read it one way and the other.
    fn is_coupled(&self) -> bool {
        let mut images: Vec<Vec<u64>> = self.images.iter().map(|image| vec![0; image.len()]).collect();
        for (s, stage) in self.group.stages.iter().enumerate() {
            for access in &stage.accesses {
                if let Source::Image(image) = access.source {
                    let of = images[image].iter_mut().zip(&access.indices);
                    of.for_each(|(axes, index)| *axes |= self.axes_of(s, index));
                }
            }
        }
        self.axes.iter().chain(&images).flatten().any(|axes| axes.count_ones() > 1)
    }

    fn axes_of(&self, stage: usize, index: &Expr) -> u64 {
        axes_used(&self.axes[stage], index)
    }

    /// A live-out's share of a tile.
    fn share(&self, stage: usize, number: &[i64]) -> Option<Region> {
        let dimensions = self.alignments[stage].iter().zip(&self.group.stages[stage].size);
        let share: Region = dimensions
            .map(|(alignment, size)| match alignment {
                None => Range::new(0, size - 1),
                Some(alignment) => {
                    let t = number[alignment.axis];
                    Range::new(self.start(alignment, t), self.start(alignment, t + 1) - 1)
                }
            })
            .collect();
        share.iter().all(|range| !range.is_empty()).then_some(share)
    }

    /// The first point of a dimension of this alignment that lies on the tile `t` or after it.
    fn start(&self, alignment: &Alignment, t: i64) -> i64 {
        start(alignment.scale, self.tile[alignment.axis], t)
    }

    /// Where the shifted share of a stage ends, along a dimension that goes along one axis of the grid.
    fn shifted_end(&self, stage: usize, dimension: usize, number: &[i64]) -> Option<i64> {
        let alignment =
            self.alignments[stage][dimension].filter(|alignment| self.axes[stage][dimension] == bit(alignment.axis))?;
        Some(self.start(&alignment, number[alignment.axis] + 1) - 1 + self.shifts[stage][dimension])
    }

    /// Finds the shifts of [`Shape::RightRectangle`], consumers before producers.
    fn shift(&mut self) {
        for s in (0..self.group.stages.len()).rev() {
            let mut shifts = vec![0; self.alignments[s].len()];
            for axis in 0..self.tile.len() {
                let mut number = vec![0; self.tile.len()];
                for phase in 0..self.periods[axis] {
                    number[axis] = phase;
                    // The shifts of this stage are still 0.
                    let computed = self.compute(&number, false, s).footprint.stages.swap_remove(s);
                    let Some(region) = computed else { continue };
                    for (d, shift) in shifts.iter_mut().enumerate().filter(|(d, _)| self.axes[s][*d] == bit(axis)) {
                        if let Some(end) = self.shifted_end(s, d, &number) {
                            *shift = (*shift).max(region[d].hi - end);
                        }
                    }
                }
            }
            self.shifts[s] = shifts;
        }
    }

    /// The base of a tile of one slope. Along an axis of a single tile, or without slopes, it is the whole.
    fn base(&self, stage: usize, number: &[i64]) -> Option<Region> {
        if !self.needed[stage] {
            return None;
        }
        let dimensions = self.alignments[stage].iter().zip(&self.group.stages[stage].size);
        let along = dimensions.map(|(alignment, size)| {
            let whole = Range::new(0, size - 1);
            let Some(alignment) = alignment.filter(|alignment| self.counts[alignment.axis] > 1) else {
                return Some(whole);
            };
            let Some(slopes) = self.slopes[alignment.axis] else { return Some(whole) };
            // In points of the finest resolution, of which `point` are one of the stage.
            let point = Ratio::whole(slopes.finest).over(alignment.scale)?;
            let tile = self.tile[alignment.axis].checked_mul(slopes.finest)?;
            let start = tile.checked_mul(number[alignment.axis])?.checked_sub(slopes.below)?;
            let lo = Ratio::whole(start).over(point)?.floor();
            let base = tile.checked_add(slopes.below)?.checked_add(slopes.above)?;
            let extent = Ratio::whole(base).over(point)?.ceil();
            Some(Range::new(lo, lo.checked_add(extent - 1)?))
        });
        along.collect()
    }
}

impl Extents {
    /// Makes room for a tile.
    fn cover(&mut self, footprint: &Footprint) {
        let stages = self.stages.iter_mut().zip(&footprint.stages);
        for (extents, region) in stages.chain(self.images.iter_mut().zip(&footprint.images)) {
            let Some(region) = region else { continue };
            let extents = extents.get_or_insert_with(|| vec![0; region.len()]);
            extents.iter_mut().zip(region).for_each(|(extent, range)| *extent = (*extent).max(range.len()));
        }
    }
}

impl Footprint {
    /// The points that a stage computes.
    pub fn volume(&self, stage: usize) -> i64 {
        self.stages[stage].as_deref().map_or(0, volume)
    }
}

fn bit(axis: usize) -> u64 {
    1 << axis.min(63)
}

/// `ceil(t * tile * scale)`
fn start(scale: Ratio, tile: i64, t: i64) -> i64 {
    let points = i128::from(t) * i128::from(tile) * i128::from(scale.num);
    // Divided rounding up: images have fewer points than an i64 counts.
    i64::try_from(-(-points).div_euclid(i128::from(scale.den))).unwrap_or(i64::MAX)
}

/// The ends of the stretches of `0..=last` on which `asks` are affine, and whether these are all: the rest after
/// [`MAX_STRETCHES`] is left out.
///
/// A stretch goes on until an end of an interval gets over an edge of its image, or until one load begins to reach further
/// than another of the same source does. That one the intervals tell that come of it, which then bend; and as a hull bends
/// outwards only, they are as they were before for as long as they are at any later number.
fn stretches(last: i64, asks: impl Fn(i64) -> Vec<Ask>) -> (Vec<i64>, bool) {
    let mut ends = vec![0];
    let mut at = 0;
    while at < last {
        if ends.len() > MAX_STRETCHES {
            return (ends, false);
        }
        let (here, next) = (asks(at), asks(at + 1));
        let pairs = || here.iter().zip(&next);
        let most = pairs().map(|(here, next)| here.steps_inside(next, last - at)).min().unwrap_or(last - at).max(1);
        let is_affine = |steps: i64| {
            let then = asks(at + steps);
            pairs().zip(&then).all(|((here, next), then)| here.advanced(next, steps) == then.range)
        };
        let (mut good, mut bad) = if is_affine(most) { (most, most + 1) } else { (1, most) };
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if is_affine(middle) { good = middle } else { bad = middle }
        }
        at += good;
        ends.push(at);
    }
    (ends, true)
}

/// What of a range lies in `[0, size)`.
fn inside(range: Range<i64>, size: i64) -> Option<Range<i64>> {
    let inside = Range::new(range.lo.max(0), range.hi.min(size - 1));
    (!inside.is_empty()).then_some(inside)
}

fn bounded(region: Region, size: &[i64]) -> Option<Region> {
    region.into_iter().zip(size).map(|(range, size)| inside(range, *size)).collect()
}

fn demand(of: &mut Option<Region>, read: Option<Region>) {
    match (of.as_mut(), read) {
        (Some(region), Some(read)) => region.iter_mut().zip(read).for_each(|(all, read)| *all = hull(*all, read)),
        (None, Some(read)) => *of = Some(read),
        (_, None) => {}
    }
}

/// How many tiles cover all live-outs.
fn counts(group: &Group, tile: &[i64], alignments: &[Vec<Option<Alignment>>]) -> Vec<i64> {
    let mut counts = vec![1; tile.len()];
    for (stage, alignments) in group.stages.iter().zip(alignments).filter(|(stage, _)| stage.is_live_out) {
        for (alignment, size) in alignments.iter().zip(&stage.size) {
            let Some(Alignment { axis, scale }) = alignment else { continue };
            // Tile t has a point of it where ceil(t * tile * scale) < size.
            let covered = i128::from(size - 1) * i128::from(scale.den);
            let last = covered.div_euclid(i128::from(tile[*axis]) * i128::from(scale.num));
            counts[*axis] = i64::try_from(last + 1).unwrap_or(i64::MAX).max(counts[*axis]);
        }
    }
    counts
}

/// The axes on which an index depends, of the stage whose coordinates depend on `axes`; its variables depend on none.
fn axes_used(axes: &[u64], index: &Expr) -> u64 {
    index.dims().into_iter().filter_map(|d| axes.get(d)).fold(0, |all, own| all | own)
}

/// On which axes the boxes of the stages depend.
fn axes(group: &Group, alignments: &[Vec<Option<Alignment>>]) -> Vec<Vec<u64>> {
    let mut axes: Vec<Vec<u64>> = group.stages.iter().map(|stage| vec![0; stage.extents.len()]).collect();
    for (s, stage) in group.stages.iter().enumerate().rev() {
        if stage.is_live_out {
            for (axes, alignment) in axes[s].iter_mut().zip(&alignments[s]) {
                *axes |= alignment.map_or(0, |alignment| bit(alignment.axis));
            }
        }
        for access in &stage.accesses {
            let Some(producer) = access.producer() else { continue };
            for (dimension, index) in access.indices.iter().enumerate() {
                let of = axes_used(&axes[s], index);
                axes[producer][dimension] |= of;
            }
        }
    }
    axes
}

/// The extents of images: those that are known, and those that a stage has, too.
fn images(group: &Group) -> Vec<Vec<Option<i64>>> {
    let mut named: BTreeMap<Named, i64> = BTreeMap::new();
    for stage in &group.stages {
        for (extent, size) in stage.extents.iter().zip(&stage.size) {
            if let Extent::Named(name) = extent {
                named.insert(*name, *size);
            }
        }
    }
    let mut images: Vec<Vec<Option<i64>>> = vec![Vec::new(); group.images.len()];
    for access in group.stages.iter().flat_map(|stage| &stage.accesses) {
        if let Source::Image(image) = access.source {
            let known = |extent: &Extent| match extent {
                Extent::Known(extent) => Some(*extent),
                Extent::Named(name) => named.get(name).copied(),
            };
            images[image] = access.extents.iter().map(known).map(|size| size.filter(|size| *size > 0)).collect();
        }
    }
    images
}

/// After how many tiles boxes recur along each axis.
fn periods(group: &Group, tile: &[i64], alignments: &[Vec<Option<Alignment>>]) -> Vec<i64> {
    // A stage shifted by a multiple of its grain, dimension by dimension, reads boxes that are shifted by a multiple of the
    // grains of what it reads.
    let mut grains: Vec<Vec<i64>> = Vec::with_capacity(group.stages.len());
    for stage in &group.stages {
        let mut grain = vec![1; stage.extents.len()];
        for access in &stage.accesses {
            for (dimension, index) in access.indices.iter().enumerate() {
                let of = access.producer().map_or(1, |producer| grains[producer][dimension]);
                let of = divisor(index).saturating_mul(of);
                let own = index.dims().into_iter().filter(|d| *d < stage.extents.len());
                own.into_iter().for_each(|d| grain[d] = lcm(grain[d], of).unwrap_or(i64::MAX));
            }
        }
        grains.push(grain);
    }
    let mut periods = vec![1i64; tile.len()];
    for (s, alignments) in alignments.iter().enumerate() {
        for (alignment, grain) in alignments.iter().zip(&grains[s]) {
            let Some(Alignment { axis, scale }) = alignment else { continue };
            // The least number of tiles that is a whole number of grains. Stages that are no live-outs count, too: their
            // shares must recur as well.
            let tiles = Ratio::whole(*grain).over(scale.times(Ratio::whole(tile[*axis])).unwrap_or(Ratio::ONE));
            let period = tiles.map_or(MAX_PHASES, |tiles| tiles.num);
            periods[*axis] = lcm(periods[*axis], period).unwrap_or(MAX_PHASES).clamp(1, MAX_PHASES);
        }
    }
    periods
}

/// An index recurs, shifted, when its coordinates are shifted by this: the product of nested divisors.
fn divisor(e: &Expr) -> i64 {
    match e {
        Expr::Const(_) | Expr::Dim(_) => 1,
        Expr::Add(a, b) => lcm(divisor(a), divisor(b)).unwrap_or(i64::MAX),
        Expr::Mul(e, _) => divisor(e),
        Expr::FloorDiv(e, c) | Expr::CeilDiv(e, c) | Expr::Mod(e, c) => divisor(e).saturating_mul(*c),
    }
}
