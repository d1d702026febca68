//! Alignment and scaling: how the stages of a group lie to each other, as straight lines.
//!
//! Every index is read as a line: `x floordiv 2 + 1` has slope 1/2 and offset 1, whatever its rounding. From the group's last
//! live-out, whose dimensions are the axes of the grid, the slopes say of each dimension of each stage along which axis it
//! goes and how many points of it belong to a point of the grid. Tiles of live-outs at several resolutions are cut so, and
//! PolyMage's slopes ([`slopes`](super::slopes)) are measured so. Exact footprints use it for nothing else: they follow the indices.
//!
//! ```text
//! "u" (y, x) reads "d"[y, x floordiv 2]          "d": y: axis 0 at 1, x: axis 1 at 1/2
//! "u" is the last live-out                 ──▶   "u": y: axis 0 at 1, x: axis 1 at 1
//! "v" (y, x) reads "d"[x, y * 2]                 "v": y: axis 1 at 1/4, x: axis 0 at 1
//! ```

use crate::{
    affine::{Expr, Extent, Ratio, TileStride},
    program::{Access, Group, Stage},
};
use std::collections::BTreeMap;

/// An index as a line: a slope for each coordinate, and the offsets there are. A division is read as a real one, a `mod` as
/// any of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The slope along each coordinate that has one.
    pub slopes: BTreeMap<usize, Ratio>,
    /// The least offset.
    pub low: Ratio,
    /// The greatest offset.
    pub high: Ratio,
}

impl Line {
    /// That of an index; `None` where a number does not fit.
    pub fn of(index: &Expr) -> Option<Line> {
        line(&index.simplified(), false)
    }

    /// That of an index, with what is lost where a division rounds among the offsets: no value lies outside of it.
    pub fn around(index: &Expr) -> Option<Line> {
        line(&index.simplified(), true)
    }

    /// The same for an index in which a coordinate is one of `[lo, hi]`: an offset.
    pub fn within(mut self, coordinate: usize, lo: i64, hi: i64) -> Option<Line> {
        let Some(slope) = self.slopes.remove(&coordinate) else { return Some(self) };
        let (first, last) = (slope.times(Ratio::whole(lo))?, slope.times(Ratio::whole(hi))?);
        let (low, high) = if slope.num < 0 { (last, first) } else { (first, last) };
        Some(Line { low: self.low.plus(low)?, high: self.high.plus(high)?, ..self })
    }

    /// That of an index of an access in the coordinates of its stage: variables of windows are offsets, and so is a computed
    /// value, which lies anywhere in its dimension.
    pub fn of_access(access: &Access, dimension: usize) -> Option<Line> {
        if access.is_computed(dimension) {
            let last = match access.extents[dimension] {
                Extent::Known(extent) => extent - 1,
                Extent::Named(_) => 0,
            };
            return Some(Line { slopes: BTreeMap::new(), low: Ratio::ZERO, high: Ratio::whole(last) });
        }
        let mut line = Line::of(&access.indices[dimension])?;
        for (number, variable) in access.variables.iter().enumerate() {
            match variable.range {
                Some(range) => line = line.within(access.rank + number, range.lo, range.hi)?,
                None => _ = line.slopes.remove(&(access.rank + number)),
            }
        }
        Some(line)
    }

    /// The one coordinate that it goes along, and the slope.
    pub fn along(&self) -> Option<(usize, Ratio)> {
        match self.slopes.len() {
            1 => self.slopes.iter().next().map(|(d, slope)| (*d, *slope)),
            _ => None,
        }
    }

    fn scaled(self, by: Ratio) -> Option<Line> {
        let slopes = self.slopes.into_iter().map(|(d, slope)| Some((d, slope.times(by)?)));
        let (low, high) = (self.low.times(by)?, self.high.times(by)?);
        let (low, high) = if by.num < 0 { (high, low) } else { (low, high) };
        let slopes = slopes.filter(|slope| slope.is_none_or(|(_, slope)| slope.num != 0)).collect::<Option<_>>()?;
        Some(Line { slopes, low, high })
    }
}

fn line(e: &Expr, rounds: bool) -> Option<Line> {
    let of = |e: &Expr| line(e, rounds);
    let level =
        |low: i64, high: i64| Line { slopes: BTreeMap::new(), low: Ratio::whole(low), high: Ratio::whole(high) };
    let part = |c: i64| Ratio::new(1, i128::from(c));
    Some(match e {
        Expr::Const(c) => level(*c, *c),
        Expr::Dim(d) => Line { slopes: BTreeMap::from([(*d, Ratio::ONE)]), ..level(0, 0) },
        Expr::Add(l, r) => {
            let (mut l, r) = (of(l)?, of(r)?);
            for (d, slope) in r.slopes {
                let sum = l.slopes.get(&d).map_or(Some(slope), |have| have.plus(slope))?;
                match sum.num {
                    0 => l.slopes.remove(&d),
                    _ => l.slopes.insert(d, sum),
                };
            }
            Line { slopes: l.slopes, low: l.low.plus(r.low)?, high: l.high.plus(r.high)? }
        }
        Expr::Mul(e, c) => of(e)?.scaled(Ratio::whole(*c))?,
        Expr::FloorDiv(e, c) => {
            let exact = of(e)?.scaled(part(*c)?)?;
            let lost = if rounds { Ratio::new(1 - i128::from(*c), i128::from(*c))? } else { Ratio::ZERO };
            Line { low: exact.low.plus(lost)?, ..exact }
        }
        Expr::CeilDiv(e, c) => of(&Expr::FloorDiv(Box::new(*e.clone() + (c - 1)), *c))?,
        Expr::Mod(_, c) => level(0, c - 1),
    })
}

/// Along which axis of the grid a dimension of a stage goes, and how densely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// The axis.
    pub axis: usize,
    /// Points of the stage to a point of the grid; positive.
    pub scale: Ratio,
}

/// The alignment of each dimension of each stage of a group; `None` for a dimension that goes along no
/// axis, and for stages that no live-out needs.
///
/// Where loads disagree, the first that was followed counts. A live-out that no load connects with those behind it moves with the tile such that it reads the
/// same of images as they do, at one of a few scales, or else as the grid does.
pub fn alignments(group: &Group, tile: &[i64]) -> Vec<Vec<Option<Alignment>>> {
    let stages = &group.stages;
    let (rank, needed) = (group.grid_rank(), needed(group));
    let mut alignments: Vec<Vec<Option<Alignment>>> =
        stages.iter().map(|stage| vec![None; stage.extents.len()]).collect();
    // The last live-out is the grid; what no load connects with it has its last dimensions along the last axes.
    while let Some(seed) = (0..stages.len())
        .rev()
        .find(|s| stages[*s].is_live_out && !alignments[*s].is_empty() && alignments[*s].iter().all(Option::is_none))
    {
        let strides = |other: usize| {
            let moves = |alignment: &Option<Alignment>| match alignment {
                Some(Alignment { axis, scale }) => {
                    let step = scale.times(Ratio::whole(*tile.get(*axis)?))?;
                    (step.den == 1).then_some(TileStride { axis: *axis, step: step.num })
                }
                None => Some(TileStride { axis: 0, step: 0 }),
            };
            let is_behind = other > seed && alignments[other].iter().any(Option::is_some);
            is_behind.then(|| alignments[other].iter().map(moves).collect::<Option<Vec<_>>>())?
        };
        let mut beside = at_scales(tile).filter(|_| alignments[seed].len() == tile.len());
        let beside = beside.find(|own| is_beside(stages, seed, own, strides));
        let skipped = rank.saturating_sub(alignments[seed].len());
        for (d, alignment) in alignments[seed].iter_mut().enumerate() {
            let axis = (d + skipped).min(rank.saturating_sub(1));
            let scale = beside.as_ref().and_then(|own| Ratio::new(own[d].step.into(), tile[d].into()));
            *alignment = Some(Alignment { axis, scale: scale.unwrap_or(Ratio::ONE) });
        }
        while spread(group, &needed, &mut alignments) {}
    }
    alignments
}

/// How a stage may move with a tile that is no other's: as that does, or at another scale.
pub(super) fn at_scales(tile: &[i64]) -> impl Iterator<Item = Vec<TileStride>> {
    // As numerator and denominator.
    const SCALES: [(i64, i64); 5] = [(1, 1), (1, 2), (2, 1), (1, 4), (4, 1)];
    SCALES.into_iter().filter_map(|(up, down)| {
        let strides = tile.iter().enumerate().map(|(axis, step)| {
            // A leading dimension of one plane is not scaled.
            let (up, down) = if *step == 1 { (1, 1) } else { (up, down) };
            (step * up % down == 0).then_some(TileStride { axis, step: step * up / down })
        });
        strides.collect()
    })
}

/// Whether a stage that moves so reads the same part of each image in a tile as all others whose strides are known.
pub(super) fn is_beside(
    stages: &[Stage],
    number: usize,
    strides: &[TileStride],
    of: impl Fn(usize) -> Option<Vec<TileStride>>,
) -> bool {
    let others: Vec<(usize, Vec<TileStride>)> =
        (0..stages.len()).filter_map(|other| Some((other, of(other)?))).collect();
    let images = stages[number].accesses.iter().filter(|access| access.producer().is_none());
    images.into_iter().all(|access| {
        others.iter().all(|(other, moves)| {
            let mut reads = stages[*other].accesses.iter().filter(|read| read.source == access.source);
            reads.all(|read| agree(access, strides, |d| read.tile_stride(d, moves)))
        })
    })
}

/// Whether what a stage reads moves with the tile as something else does, along each dimension.
pub(super) fn agree(access: &Access, strides: &[TileStride], with: impl Fn(usize) -> Option<TileStride>) -> bool {
    (0..access.indices.len())
        .all(|d| access.tile_stride(d, strides).zip(with(d)).is_some_and(|(own, other)| own.agrees(other)))
}

/// Whether a live-out needs a stage. What none needs is computed nowhere and aligned with nothing.
pub(super) fn needed(group: &Group) -> Vec<bool> {
    let mut needed: Vec<bool> = group.stages.iter().map(|stage| stage.is_live_out).collect();
    // Producers come first: one pass backwards reaches all.
    for consumer in (0..needed.len()).rev() {
        if needed[consumer] {
            let producers = group.stages[consumer].accesses.iter().filter_map(|access| access.producer());
            producers.for_each(|producer| needed[producer] = true);
        }
    }
    needed
}

/// Follows each load once, in both directions; whether an alignment was found.
fn spread(group: &Group, needed: &[bool], alignments: &mut [Vec<Option<Alignment>>]) -> bool {
    let mut found = false;
    for (consumer, stage) in group.stages.iter().enumerate().rev().filter(|(consumer, _)| needed[*consumer]) {
        for access in &stage.accesses {
            let Some(producer) = access.producer() else { continue };
            for dimension in 0..access.indices.len() {
                let line = Line::of_access(access, dimension);
                let Some((d, slope)) = line.and_then(|line| line.along()) else { continue };
                if slope.num <= 0 {
                    continue;
                }
                let alignment = match (alignments[consumer][d], alignments[producer][dimension]) {
                    (Some(alignment), None) => {
                        alignment.scale.times(slope).map(|scale| Alignment { scale, ..alignment })
                    }
                    (None, Some(alignment)) => {
                        alignment.scale.over(slope).map(|scale| Alignment { scale, ..alignment })
                    }
                    _ => None,
                };
                if alignment.is_some() {
                    let at = if alignments[consumer][d].is_none() { (consumer, d) } else { (producer, dimension) };
                    // Two dimensions of one stage never go along one axis: a tile would be a diagonal.
                    let is_free =
                        !alignments[at.0].iter().flatten().any(|other| Some(other.axis) == alignment.map(|p| p.axis));
                    if is_free {
                        alignments[at.0][at.1] = alignment;
                        found = true;
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::dim;

    #[test]
    fn indices_as_lines() {
        let of = |e: Expr| {
            let line = Line::of(&e).expect("small numbers");
            let (_, slope) = line.along().expect("one coordinate");
            let [a, b, c] = [slope, line.low, line.high].map(|r| (r.num, r.den));
            (a, b, c)
        };
        assert_eq!(of(dim(0) * 2 - 1), ((2, 1), (-1, 1), (-1, 1)));
        assert_eq!(of((dim(0) + 1).floor_div(2)), ((1, 2), (1, 2), (1, 2)));
        assert_eq!(of((dim(0) + 2).floor_div(2)), ((1, 2), (1, 1), (1, 1)));
        assert_eq!(of(dim(0) - dim(0).modulo(2)), ((1, 1), (-1, 1), (0, 1)));
        assert_eq!(of(-dim(0) + 9), ((-1, 1), (9, 1), (9, 1)));
        assert_eq!(Line::of(&dim(0).modulo(4)).and_then(|line| line.along()), None);
    }
}
