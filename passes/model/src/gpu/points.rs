//! Kernels of one thread a point: what a thread computes that shares nothing with others.
//!
//! ```text
//! blury[y, x] = blurx[y - 1, x] + blurx[y, x] + blurx[y + 1, x]          a thread: 1 blury, 3 blurx, 9 loads of img
//! blurx[y, x] = img[y, x - 1] + img[y, x] + img[y, x + 1]
//! ```
//!
//! Small images, of coarse levels above all, have too few tiles for a GPU: a warp walks down its rows while most SMs are idle. There
//! a thread that computes again what its neighbours do, and waits for memory once, is done sooner.

use super::counts::Counts;
use crate::{
    affine::{Region, hull_regions},
    program::{Access, Group, Source},
    tiles::{aligned_tile, boxes},
};

/// Bodies of stages that a thread computes at most: all are written out.
const MOST_BODIES: f64 = 64.0;

/// Points that a thread loads at most: all are written out.
const MOST_LOADS: f64 = 96.0;

/// What a thread computes and loads.
pub struct PerPoint {
    /// How often the body of each stage.
    bodies: Vec<f64>,
    /// How many points of each image.
    loads: Vec<f64>,
    /// Indices that are brought inside an image.
    indices: f64,
}

/// What a thread needs for a point of the only live-out of a group; `None` where there are several, where stages have no boxes, and
/// where it is too much.
pub fn per_point(group: &Group) -> Option<PerPoint> {
    if group.stages.iter().filter(|stage| stage.is_live_out).count() != 1 {
        return None;
    }
    // The least tile that indices with divisions have boxes for. A point needs no more than it.
    let tile = aligned_tile(group, Some(&vec![1; group.grid_rank()]));
    let parts = boxes(group, &tile).ok()?;
    let mut bodies = vec![0.0; group.stages.len()];
    let mut loads = vec![0.0; group.images.len()];
    let mut regions: Vec<Option<Region>> = vec![None; group.images.len()];
    let mut indices = 0.0;
    for (number, stage) in group.stages.iter().enumerate().rev() {
        let Some(part) = &parts[number] else { continue };
        if stage.is_live_out {
            bodies[number] = 1.0;
        } else {
            bodies[number] = f64::min(bodies[number], part.volume() as f64);
            indices += part.region.iter().map(|range| range.len() as f64).sum::<f64>();
        }
        for access in group.body(number).distinct.iter().map(|access| &stage.accesses[*access]) {
            let times = bodies[number] * access.times();
            match access.source {
                Source::Stage(producer, _) => bodies[producer] += times,
                Source::Image(image) => {
                    loads[image] += times;
                    let region: Option<Region> =
                        (0..access.indices.len()).map(|d| Some(access.reads(d, part)?.1)).collect();
                    regions[image] = match (region, regions[image].take()) {
                        (Some(region), Some(all)) => Some(hull_regions(&all, &region)),
                        (region, all) => region.or(all),
                    };
                }
            }
        }
    }
    let is_gathered = |image: usize| {
        let of_image = |access: &Access| access.source == Source::Image(image) && access.is_gather();
        group.stages.iter().flat_map(|stage| &stage.accesses).any(of_image)
    };
    for (image, region) in regions.iter().enumerate() {
        let Some(region) = region.as_ref().filter(|_| !is_gathered(image)) else { continue };
        loads[image] = f64::min(loads[image], region.iter().map(|range| range.len() as f64).product());
        indices += region.iter().map(|range| range.len() as f64).sum::<f64>();
    }
    let fits = bodies.iter().sum::<f64>() <= MOST_BODIES && loads.iter().sum::<f64>() <= MOST_LOADS;
    fits.then_some(PerPoint { bodies, loads, indices })
}

/// The counts of a kernel, for a point.
pub fn counts(group: &Group) -> Counts {
    let mut c = Counts { threads: 1.0, at_edge: 1.0, ..Counts::default() };
    let Some(PerPoint { bodies, loads, indices }) = per_point(group) else { return c };
    for (stage, times) in group.stages.iter().zip(&bodies) {
        c.work = c.work + stage.work * *times;
        c.live = c.live.max(stage.work.live as f64);
        if stage.is_live_out {
            c.stores += stage.bytes.len() as f64;
            c.store_bytes += stage.bytes.iter().sum::<i64>() as f64;
        }
    }
    c.computed = bodies.iter().sum();
    c.loads = loads.iter().sum();
    c.loop_loads = c.loads;
    c.lines = indices;
    c.together = c.loads;
    c.made = c.computed;
    c.code = c.work.instructions() + c.loads + c.lines;
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, Extent, Range, dim},
        program::Stage,
    };

    /// A stage of one dimension that reads at these offsets, of what is as large.
    fn stage(source: Source, reads: &[i64], is_live_out: bool) -> Stage {
        let extents = vec![Extent::Known(4096)];
        let needed = [Range::new(Some(0), Some(4095))];
        let access = |offset: &i64| {
            let of = (&extents[..], &needed[..]);
            Access::new(source, vec![dim(0) + *offset], Boundary::Clamp, None, extents.clone(), of, Vec::new())
        };
        Stage::plain("", &[4096], reads.iter().map(access).collect(), is_live_out)
    }

    fn near(reads: i64) -> Vec<i64> {
        (-reads..=reads).collect()
    }

    #[test]
    fn a_point_is_computed_once_however_often_it_is_read() {
        let of = |stage| Source::Stage(stage, 0);
        let stages =
            vec![stage(Source::Image(0), &near(1), false), stage(of(0), &near(1), false), stage(of(1), &near(1), true)];
        let point = per_point(&Group::new(stages, vec![4])).expect("is small");
        assert_eq!(point.bodies, [5.0, 3.0, 1.0]);
        assert_eq!(point.loads, [7.0]);
        // Three and five of stages, seven of the image.
        assert_eq!(point.indices, 15.0);
    }

    #[test]
    fn what_is_too_much_for_a_thread_is_none() {
        let of = |stage| Source::Stage(stage, 0);
        let two = |reach| vec![stage(Source::Image(0), &near(reach), false), stage(of(0), &near(reach), true)];
        assert!(per_point(&Group::new(two(20), vec![4])).is_some());
        assert!(per_point(&Group::new(two(40), vec![4])).is_none());
        let mut both = two(1);
        both[0].is_live_out = true;
        assert!(per_point(&Group::new(both, vec![4])).is_none());
    }
}
