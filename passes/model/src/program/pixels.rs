//! Stages whose planes are computed alike: what lies between pixels is pixels, too.
//!
//! ```text
//! %img: pixels     %t = stage { %img[%c, %y, %x - 1] + %img[%c, %y, %x + 1] }     %o = stage { %t[%c, %y - 1, %x] + ... }: pixels
//!
//! r g b r g b r g b ...  ──▶  planes of t: r r r ...  ──▶  r g b r g b r g b ...      all elements are shuffled, twice
//!                                          g g g ...
//!                                          b b b ...
//! r g b r g b r g b ...  ──▶  pixels of t: r g b r g b r g b ...  ──▶  r g b ...      none is: the pixel beside is three elements away
//! ```
//!
//! That holds where no plane does what others do not, or reads much of another one.

use super::{
    group::{Group, Interleaved},
    stage::{Access, Source, Stage},
    whole_program::Program,
};
use crate::{
    affine::{Expr, Extent, Form},
    cpu::plane_of,
};
use std::collections::HashSet;

/// Pixels that a load of vectors reads are so many apart, at most, where they are shuffled whole. Of those that are farther apart planes have more to share: the
/// vectors that all points between lie in.
pub const PIXELS_APART: i64 = 2;

/// Channels of pixels, at most.
const MOST_CHANNELS: i64 = 4;

/// Whether a load reads the same for all planes and columns, at places that its stage computes: then planes of it are no matter.
fn is_looked_up(access: &Access) -> bool {
    let depends = |d: Option<usize>| d.is_some_and(|d| access.depends_on(d));
    access.is_gather() && !depends(plane_of(access.rank)) && !depends(access.rank.checked_sub(1))
}

/// Whether a load reads the plane of its point, or one for all, of pixels that lie along a row as points do.
fn is_own(access: &Access) -> bool {
    let (Some(plane), Some(own)) = (plane_of(access.indices.len()), plane_of(access.rank)) else { return false };
    let (last, column) = (access.indices.len() - 1, access.rank - 1);
    let mut others = (0..last).filter(|d| *d != plane);
    let goes_along = |form: Form| form.dim == column && form.div == 1 && (1..=PIXELS_APART).contains(&form.mul);
    let is_known = access.indices[plane].dims().is_empty();
    access.is_plain()
        && (is_known || access.indices[plane] == Expr::Dim(own))
        && access.extremes(last).is_some_and(|[form, _]| goes_along(form))
        && others.all(|d| !access.uses(d, own) && !access.uses(d, column))
}

/// How many planes a stage has.
fn planes(stage: &Stage) -> Option<Extent> {
    plane_of(stage.extents.len()).map(|plane| stage.extents[plane])
}

/// Whether planes of a stage of few are computed alike, of images that are pixels.
fn keeps_pixels(stage: &Stage, are_pixels: impl Fn(usize) -> bool) -> bool {
    let are_few = matches!(planes(stage), Some(Extent::Known(planes)) if (2..=MOST_CHANNELS).contains(&planes));
    let is_alike = |access: &Access| {
        let is_pixels = match access.source {
            Source::Image(image) => are_pixels(image),
            Source::Stage(..) => true,
        };
        let padding = access.padding.is_none_or(|padding| !padding.is_computed);
        let has_all = plane_of(access.extents.len()).map(|plane| access.extents[plane]) == planes(stage);
        padding && (is_looked_up(access) || is_own(access) && is_pixels && has_all)
    };
    // What all planes need of one is computed by each.
    let is_shared =
        |access: &&Access| plane_of(access.indices.len()).is_some_and(|d| access.indices[d].dims().is_empty());
    let shared = stage.accesses.iter().filter(is_shared).count();
    stage.has_planes_alike && are_few && 2 * shared <= stage.accesses.len() && stage.accesses.iter().all(is_alike)
}

impl Program {
    /// The stages whose planes are computed alike, from pixels to pixels: all that read each other, or none.
    pub fn kept_pixels(&self) -> HashSet<usize> {
        let images = |image: usize| self.interleaved.images.contains(&image);
        let may_lie = |number: usize| !self.is_result[number] || self.interleaved.stages.contains(&number);
        let mut kept: Vec<bool> = (0..self.stages.len())
            .map(|number| may_lie(number) && keeps_pixels(&self.stages[number], images))
            .collect();
        // A stage beside one that is not kept is not, either.
        loop {
            let mut is_stable = true;
            for (number, stage) in self.stages.iter().enumerate() {
                for producer in
                    stage.accesses.iter().filter(|access| !is_looked_up(access)).filter_map(Access::producer)
                {
                    if kept[producer] != kept[number] {
                        (kept[producer], kept[number], is_stable) = (false, false, false);
                    }
                }
            }
            if is_stable {
                break;
            }
        }
        (0..kept.len()).filter(|number| kept[*number]).collect()
    }
}

impl Group {
    /// Says which of its images and results lie in memory as pixels.
    pub fn interleave(&mut self, interleaved: Interleaved) {
        let images = |image: usize| interleaved.images.contains(&image);
        let first = self.stages.first().and_then(planes);
        self.keeps_pixels = self.stages.iter().enumerate().all(|(number, stage)| {
            let may_lie = !stage.is_live_out || interleaved.stages.contains(&number);
            may_lie && planes(stage) == first && keeps_pixels(stage, images)
        });
        self.interleaved = interleaved;
    }

    /// Which of its images and results lie in memory as pixels.
    pub fn interleaved(&self) -> &Interleaved {
        &self.interleaved
    }

    /// Whether all that it reads and gives is pixels whose planes are computed alike: then its windows are of pixels, too.
    pub fn keeps_pixels(&self) -> bool {
        self.keeps_pixels
    }
}
