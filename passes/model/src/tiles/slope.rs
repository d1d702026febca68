//! Tiles of one slope, as PolyMage cuts them: the looser shape that exact footprints are compared with.
//!
//! The levels of a group are the lengths of its longest chains of producers. Going down from the last level, the farthest
//! dependence of each level adds up; that width over the levels gone down is a slope. The steepest of all, rounded up to a
//! whole number of points a level, bounds the tile on that side over the whole height, and every stage gets the tile's base.
//!
//! ```text
//! level 3  "masked"   |<-- 512 -->|          widths to the left   0/1, 0/2, 2/3     steepest 2/3, rounded up to 1
//! level 2  "sharpen" /             \         base                 512 + 3 * 1 + 3 * 1 = 518, for all
//! level 1  "blury"  /               \
//! level 0  "blurx" /<----- 518 ----->\       exact: 516, 512, 512
//! ```
//!
//! Stages of several resolutions are measured in points of the finest. An index is read as a line ([`Line`]): the
//! offset of `(x + 1) floordiv 2` is 1/2. The definition was found from the buffers in PolyMage's published code and gives all
//! of them (`docs/footprints.md`).

use super::scaling::{Alignment, Line, alignments, needed};
use crate::{
    affine::{Ratio, lcm},
    program::Group,
};

/// The slopes of a group along an axis of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slopes {
    /// Points that the base goes below the tile, in the finest resolution: the slope times the height.
    pub below: i64,
    /// Points that it goes above.
    pub above: i64,
    /// The level of the last stages.
    pub height: i64,
    /// Points of the finest resolution to a point of the grid.
    pub finest: i64,
}

/// The slopes along each axis; `None` where a load goes along it in no constant distance, and the axis cannot be tiled so.
pub fn slopes(group: &Group, alignments: &[Vec<Option<Alignment>>], axes: usize) -> Vec<Option<Slopes>> {
    (0..axes).map(|axis| along(group, alignments, axis)).collect()
}

fn along(group: &Group, alignments: &[Vec<Option<Alignment>>], axis: usize) -> Option<Slopes> {
    let stages = &group.stages;
    let (levels, needed) = (levels(group), needed(group));
    let height = levels.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(level, _)| *level).max().unwrap_or(0);
    // A point of the finest is the greatest that every stage's points are whole numbers of.
    let scales = alignments
        .iter()
        .flatten()
        .flatten()
        .filter(|alignment| alignment.axis == axis)
        .map(|alignment| alignment.scale);
    let finest = scales.clone().try_fold(1i64, |finest, scale| lcm(finest, scale.num))?;

    // The farthest dependences on each level, to the left and to the right.
    let mut farthest = vec![(0i64, 0i64); height];
    for (consumer, stage) in stages.iter().enumerate().filter(|(consumer, _)| needed[*consumer]) {
        for access in &stage.accesses {
            let Some(producer) = access.producer() else { continue };
            for dimension in 0..access.indices.len() {
                let line = Line::of_access(access, dimension)?;
                let goes = |d: &usize| alignments[consumer][*d].is_some_and(|alignment| alignment.axis == axis);
                let to = alignments[producer][dimension].filter(|alignment| alignment.axis == axis);
                let Some(to) = to else {
                    // It reads along the axis, but not as the producer lies.
                    if line.slopes.keys().any(goes) {
                        return None;
                    }
                    continue;
                };
                let (d, slope) = line.along()?;
                let from = alignments[consumer][d].filter(|alignment| alignment.axis == axis)?;
                if from.scale.times(slope) != Some(to.scale) {
                    return None;
                }
                let point = Ratio::whole(finest).over(to.scale)?;
                let level = &mut farthest[levels[producer]];
                level.0 = level.0.max(-line.low.times(point)?.floor());
                level.1 = level.1.max(line.high.times(point)?.ceil());
            }
        }
    }

    let (mut widths, mut steepest) = ((0i64, 0i64), (0i64, 0i64));
    for (down, (below, above)) in (1i64..).zip(farthest.into_iter().rev()) {
        widths = (widths.0.saturating_add(below), widths.1.saturating_add(above));
        steepest.0 = steepest.0.max(Ratio { num: widths.0, den: down }.ceil());
        steepest.1 = steepest.1.max(Ratio { num: widths.1, den: down }.ceil());
    }
    let height = height as i64;
    Some(Slopes { below: steepest.0.saturating_mul(height), above: steepest.1.saturating_mul(height), height, finest })
}

/// The points that a tile between slopes computes beyond its share, over its share; `None` where the group cannot be tiled so. The
/// extents of the live-out say along which axes there is more than one tile.
pub fn overlap(group: &Group, tile: &[i64], extents: &[i64]) -> Option<f64> {
    let slopes = slopes(group, &alignments(group, tile), tile.len());
    let mut base = 1.0;
    for (axis, slopes) in slopes.into_iter().enumerate().filter(|(axis, _)| tile[*axis] < extents[*axis]) {
        let slopes = slopes?;
        base *= 1.0 + (slopes.below + slopes.above) as f64 / (slopes.finest * tile[axis]) as f64;
    }
    Some(base - 1.0)
}

/// The level of each stage: 0 without producers in the group, else one above the highest of them.
pub(super) fn levels(group: &Group) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::with_capacity(group.stages.len());
    for stage in &group.stages {
        let producers = stage.accesses.iter().filter_map(|access| access.producer());
        levels.push(producers.map(|producer| levels[producer] + 1).max().unwrap_or(0));
    }
    levels
}
