//! Overlapped tiles of a group: which box of each stage one tile of the live-outs needs, and whether there is such a box.
//!
//! Tiles are numbered along each dimension of the live-outs. From the live-outs backwards, through every load, each stage
//! gets a box whose start is affine in the tile's number ([`TileStride`]); it is exact, not a slope for the whole group.
//!
//! ```text
//! group "g0", tile 8x256                             moves with the tile            box
//!   "blurx" reads %img[y, x-1 .. x+1] clamp    ──▶   y: 8, x: 256                   [-1, 9) x [0, 256)
//!   "blury" reads "blurx"[y-1 .. y+1, x] clamp       y: 8, x: 256                   [0, 8)  x [0, 256)
//! ```
//!
//! **What is computed outside an image.** A point of a box that lies outside its stage's image is computed as well, with
//! coordinates moved inside, and never used: a reader with a boundary mode brings its index inside first, and finds the
//! value in the box, which is made large enough for that. One mode leads too far away, `wrap`. A stage that is read so is
//! *periodic*: its points outside are the wrapped ones, and readers look where they would without a boundary.
//!
//! **What cannot be tiled together.** Where there is no such box (a consumer that reads a third of the way, two consumers
//! at different scales, a periodic stage that clamps its own reads of a producer, ...) the producer must go to memory: a
//! [`Cut`].
//!
//! **What is read at computed indices.** Of a dimension with a computed index every tile has the whole, if that is known and
//! small; else the producer goes to memory.

use super::{
    scaling::{agree, alignments, at_scales, is_beside},
    slope::{Slopes, levels, slopes},
};
use crate::{
    affine::{Boundary, Extent, Part, Range, Ratio, TileStride, hull},
    program::{Access, Group, Shape, Stage},
};
use std::{collections::HashMap, fmt, rc::Rc};

/// An index is brought back from so far outside at most; beyond, a tile would be mostly halo.
const MAX_REACH: i64 = 64;

/// A producer that is read at computed indices is computed by every tile: so many points of it, at most.
const MAX_GATHERED: i64 = 4096;

/// Why a group has no overlapped tiles: this producer must be in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The stage, by number.
    pub producer: usize,
    /// What is in the way.
    pub rule: Rule,
}

/// What keeps a stage from having one box for each tile of its consumers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every tile needs so many points of it, at a computed index; `None` where nobody knows how many.
    Gathered(Option<i64>),
    /// A boundary mode brings indices back from so far outside.
    Far(i64),
    /// An index is not affine in the tile's number.
    NotAffine,
    /// Two consumers want it at different scales.
    Scales,
    /// It is read where it wraps, and clamps or mirrors its own reads, or reads an image of another extent.
    Periodic,
    /// It is a live-out that tiles of the last one do not cover.
    Grid,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gathered(Some(points)) => {
                write!(
                    f,
                    "is read at a computed index: every tile needs {points} points of it, expected at most {MAX_GATHERED}"
                )
            }
            Self::Gathered(None) => {
                f.write_str("is read at a computed index: every tile needs all of it, and its extent is not known")
            }
            Self::Far(points) => {
                write!(f, "is read where a boundary mode leads back over {points} points, expected at most {MAX_REACH}")
            }
            Self::NotAffine => f.write_str("is read at an index that does not follow the tile's number"),
            Self::Scales => f.write_str("is read at different scales by its consumers"),
            Self::Periodic => f.write_str("is read with wrap, but does not wrap its own reads along that dimension"),
            Self::Grid => f.write_str("is a live-out that the tiles of the last live-out do not cover"),
        }
    }
}

/// A stage's box as its consumers ask for it.
#[derive(Clone, Default)]
struct Demand {
    strides: Option<Vec<TileStride>>,
    region: Vec<Range<i64>>,
    periodic: Vec<bool>,
}

/// The boxes of all stages for a tile, shared by who asks.
type Parts = Rc<Vec<Option<Part>>>;

/// The boxes of a group, for each tile that was asked about: schedules that do not fit all come to the same smaller tiles.
pub struct Boxes<'g> {
    /// The group.
    pub group: &'g Group,
    known: HashMap<Vec<i64>, Result<Parts, Cut>>,
}

impl<'g> Boxes<'g> {
    /// Nothing asked yet.
    pub fn new(group: &'g Group) -> Self {
        Self { group, known: HashMap::new() }
    }

    /// [`boxes`]
    ///
    /// # Errors
    ///
    /// The producer that must go to memory first.
    pub fn of(&mut self, tile: &[i64]) -> Result<Parts, Cut> {
        let of_new = || boxes(self.group, tile).map(Rc::new);
        self.known.entry(tile.to_vec()).or_insert_with(of_new).clone()
    }
}

/// The boxes of all stages for a tile of the live-outs; `None` for a stage that nobody needs. An extent of 0 stands for all of a
/// dimension, whose length must be known: tiles do not move along it. Nor do they where they have all planes of a live-out, if that
/// will do: so some stage of all tiles may read a plane of its own, as colours do their alpha.
///
/// # Errors
///
/// The producer that must go to memory first.
pub fn boxes(group: &Group, tile: &[i64]) -> Result<Vec<Option<Part>>, Cut> {
    let extents = group.stages.iter().rev().find(|stage| stage.is_live_out).map_or(&[][..], |stage| &stage.extents);
    let planes = tile.len().saturating_sub(2);
    let has_all = |d: usize| {
        d < planes && matches!(extents.get(d), Some(Extent::Known(extent)) if (2..=tile[d]).contains(extent))
    };
    let still: Vec<i64> = (0..tile.len()).map(|d| if has_all(d) { 0 } else { tile[d] }).collect();
    match still != tile {
        true => boxes_that_move(group, &still).or_else(|_| boxes_that_move(group, tile)),
        false => boxes_that_move(group, tile),
    }
}

/// The boxes for tiles that move along every dimension of which they do not have an extent of 0.
fn boxes_that_move(group: &Group, tile: &[i64]) -> Result<Vec<Option<Part>>, Cut> {
    let stages = &group.stages;
    let mut demands: Vec<Demand> = vec![Demand::default(); stages.len()];
    let mut parts: Vec<Option<Part>> = vec![None; stages.len()];
    let shaped = Shaped::of(group, tile);
    for (number, stage) in stages.iter().enumerate().rev() {
        let rank = stage.extents.len();
        let mut demand = std::mem::take(&mut demands[number]);
        if stage.is_live_out {
            if demand.strides.is_none() {
                demand.strides = Some(sink(stages, number, &demands, &parts, tile)?);
                demand.region = vec![Range::new(0, 0); rank];
                demand.periodic = vec![false; rank];
            }
            let strides = demand.strides.iter().flatten();
            // Tiles cover a live-out only if each of its dimensions goes with one of the grid's of its own, or all of it is in a tile.
            let axes: Vec<usize> = strides.clone().filter(|stride| stride.step > 0).map(|stride| stride.axis).collect();
            let is_own = |(d, axis): (usize, &usize)| !axes[..d].contains(axis);
            if !axes.iter().enumerate().all(is_own) {
                return Err(Cut { producer: number, rule: Rule::Grid });
            }
            for (d, (range, stride)) in demand.region.iter_mut().zip(strides).enumerate() {
                let points = match stage.extents[d] {
                    _ if stride.step > 0 => stride.step,
                    Extent::Known(extent) if rank == tile.len() && tile[d] == 0 => extent,
                    _ => return Err(Cut { producer: number, rule: Rule::Grid }),
                };
                *range = hull(*range, Range::new(0, points - 1));
            }
        }
        let Some(strides) = demand.strides else { continue };
        let region = demand.region.iter().zip(&strides).map(|(range, stride)| shaped.along(number, *stride, *range));
        let part = Part { region: region.collect(), strides, periodic: demand.periodic };
        for access in stage.outermost().iter().map(|access| &stage.accesses[*access]) {
            if let Some(producer) = access.producer() {
                require(stages, number, &part, access, producer, &mut demands[producer])?;
            }
        }
        parts[number] = Some(part);
    }
    Ok(parts)
}

/// What the shape of a group's tiles adds to what is read. Of the stages that a larger box reads, boxes are larger as well, so that
/// between slopes they may be larger than PolyMage's, whose stages compute points that nobody needs from whatever lies there.
enum Shaped<'t> {
    Scalene,
    RightRectangle,
    /// With the slopes along each axis, the level of each stage, and the tile.
    UniformSlope(Vec<Option<Slopes>>, Vec<usize>, &'t [i64]),
}

impl<'t> Shaped<'t> {
    fn of(group: &Group, tile: &'t [i64]) -> Self {
        match group.shape {
            Shape::Scalene => Self::Scalene,
            Shape::RightRectangle => Self::RightRectangle,
            Shape::UniformSlope => {
                Self::UniformSlope(slopes(group, &alignments(group, tile), tile.len()), levels(group), tile)
            }
        }
    }

    /// What a stage computes along a dimension, of which a range is read.
    fn along(&self, stage: usize, stride: TileStride, read: Range<i64>) -> Range<i64> {
        if stride.step == 0 {
            return read;
        }
        match self {
            Self::Scalene => read,
            // What is read behind the stage's own share shifts it, so that its tile ends there; what is not is computed all the same.
            Self::RightRectangle => Range::new(read.lo, read.hi.max(stride.step - 1)),
            Self::UniformSlope(slopes, levels, tile) => {
                let Some(slopes) = slopes[stride.axis] else { return read };
                let down = slopes.height - levels[stage] as i64;
                // In points of the finest resolution, as the slopes are, and from there in the stage's own.
                let side = |whole: i64| {
                    let points = whole / slopes.height.max(1) * down * stride.step;
                    Ratio { num: points, den: (tile[stride.axis] * slopes.finest).max(1) }.ceil()
                };
                hull(read, Range::new(-side(slopes.below), stride.step - 1 + side(slopes.above)))
            }
        }
    }
}

/// How a live-out without consumers moves with the tile: as the grid does, or at the scale that its producers' other consumers ask for, or
/// else at which it reads the same of images as the live-outs behind it, so that a tile finds in a cache what it has read.
fn sink(
    stages: &[Stage],
    number: usize,
    demands: &[Demand],
    parts: &[Option<Part>],
    tile: &[i64],
) -> Result<Vec<TileStride>, Cut> {
    let stage = &stages[number];
    let rank = stage.extents.len();
    if rank != tile.len() {
        return Err(Cut { producer: number, rule: Rule::Grid });
    }
    let fits = |strides: &Vec<TileStride>| {
        stage.accesses.iter().all(|access| {
            let demanded = access.producer().and_then(|producer| demands[producer].strides.as_ref());
            demanded.is_none_or(|demanded| agree(access, strides, |d| Some(demanded[d])))
        })
    };
    let candidates: Vec<Vec<TileStride>> = at_scales(tile).filter(fits).collect();
    let of = |other: usize| Some(parts[other].as_ref()?.strides.clone());
    let best = candidates.iter().find(|strides| is_beside(stages, number, strides, of)).or(candidates.first());
    best.cloned().ok_or_else(|| {
        // Its producers go to memory: then nothing asks for another scale.
        let producers = stage.accesses.iter().filter_map(Access::producer);
        Cut { producer: producers.max().unwrap_or(number), rule: Rule::Scales }
    })
}

/// Adds what `access` of stage `consumer` reads to what is asked of `producer`.
fn require(
    stages: &[Stage],
    consumer: usize,
    part: &Part,
    access: &Access,
    producer: usize,
    demand: &mut Demand,
) -> Result<(), Cut> {
    let cut = |rule| Err(Cut { producer, rule });
    let of = &stages[producer];
    let is_first = demand.strides.is_none();
    let strides = demand.strides.get_or_insert_default();
    let mut agrees = true;
    let mut ask = |dimension: usize, own: TileStride, read: Range<i64>, is_periodic: bool| {
        if is_first {
            strides.push(own);
            demand.region.push(read);
            demand.periodic.push(is_periodic);
        } else {
            agrees &= strides[dimension].agrees(own);
            demand.region[dimension] = hull(demand.region[dimension], read);
            demand.periodic[dimension] |= is_periodic;
        }
    };
    let mut gathered = 1i64;
    for dimension in 0..access.indices.len() {
        let Some((own, read, far)) = access.leads(dimension, part) else {
            return cut(if access.is_computed(dimension) { Rule::Gathered(None) } else { Rule::NotAffine });
        };
        if access.is_computed(dimension) {
            gathered = gathered.saturating_mul(read.len());
            if gathered > MAX_GATHERED {
                return cut(Rule::Gathered(Some(gathered)));
            }
            // The mode is the reader's: it brings the value inside before it reads.
            ask(dimension, own, read, false);
            continue;
        }
        let mode = access.mode(dimension);
        // A periodic consumer is computed at wrapped points: seen from there its reads must go on all the same.
        let goes_on = |d: usize| {
            mode == Boundary::Wrap
                && access.offset_along(dimension, d).is_some()
                && stages[consumer].extents[d] == of.extents[dimension]
        };
        if (0..part.periodic.len()).any(|d| part.periodic[d] && access.uses(dimension, d) && !goes_on(d)) {
            return Err(Cut { producer: consumer, rule: Rule::Periodic });
        }
        if far > MAX_REACH {
            return cut(Rule::Far(far));
        }
        ask(dimension, own, read, mode == Boundary::Wrap);
    }
    if agrees { Ok(()) } else { cut(Rule::Scales) }
}

/// Tiles that must be multiples of more are not made so.
const MAX_SCALE: i64 = 32;

/// What divides the indices of a group: a tile that is a multiple of it stays on the grid at every scale.
fn scale(group: &Group) -> i64 {
    let mut scales = vec![1i64; group.stages.len()];
    for (number, stage) in group.stages.iter().enumerate().rev() {
        for access in &stage.accesses {
            let total = scales[number].saturating_mul(access.divisor);
            match access.producer() {
                Some(producer) => scales[producer] = scales[producer].max(total),
                None => scales[number] = scales[number].max(total),
            }
        }
    }
    scales.into_iter().max().unwrap_or(1)
}

/// The tile that is asked for, or one that often does, every extent a multiple of what the group's scales divide by. Leading
/// dimensions of one plane stay so.
pub fn aligned_tile(group: &Group, wanted: Option<&[i64]>) -> Vec<i64> {
    let rank = group.grid_rank();
    let default = |d: usize| match rank - d {
        1 if rank == 1 => 1024,
        1 => 128,
        2 => 8,
        _ => 1,
    };
    let tile = wanted.map_or_else(|| (0..rank).map(default).collect(), <[i64]>::to_vec);
    let up = |scale: i64| -> Vec<i64> {
        let up = |extent: &i64| if *extent == 1 { 1 } else { (extent + scale - 1) / scale * scale };
        tile.iter().map(up).collect()
    };
    let scale = scale(group);
    if scale > MAX_SCALE {
        // What is divided is often multiplied again, as where blocks begin, and one division is all there is.
        let accesses = group.stages.iter().flat_map(|stage| &stage.accesses);
        let most = accesses.map(|access| access.divisor).max().unwrap_or(1);
        let is_needed = most <= MAX_SCALE && boxes(group, &tile).is_err();
        return Some(up(most)).filter(|aligned| is_needed && boxes(group, aligned).is_ok()).unwrap_or(tile);
    }
    let aligned = up(scale);
    // Planes are scaled rarely: as many as are asked for, if that will do.
    let planes = rank.saturating_sub(2);
    let as_asked = [&tile[..planes], &aligned[planes..]].concat();
    if as_asked != aligned && boxes(group, &as_asked).is_ok() { as_asked } else { aligned }
}
