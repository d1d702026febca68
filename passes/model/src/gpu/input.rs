//! Inputs that are tiles: read from memory once, then from where the tile lies.
//!
//! ```text
//! %img, read by "blurx" at x - 1, x, x + 1, and "blurx" computed in [-1, 9) x [0, 128)     input [-1, 9) x [-1, 129), 10x130 of shared memory
//!                                                                          of a strip      input [-1, 9) x [-4, 124), four columns a lane
//! ```
//!
//! Where an index leaves the image the tile has what the boundary mode leads to, so who reads it needs no mode. What is read with two modes
//! is two tiles. Strips have their inputs in registers, always; tiles in shared memory have theirs there if the schedule says
//! `inputs = "shared"`: Forma's `LoadTileToShared` (paper 003, Algorithm 1, line 11).

use crate::{
    affine::{Boundary, Extent, Part, Range, TileStride, hull_regions},
    program::{Access, Group, Padding, Source},
};

/// An input that is a tile: read from memory once, at indices that a boundary mode has brought inside.
#[derive(Clone, Debug)]
pub struct Input {
    /// The image, by number.
    pub image: usize,
    /// The first access that reads it: stage, and access of it.
    pub of: (usize, usize),
    /// An access that has the padding value, where there is one.
    pub padding_of: Option<(usize, usize)>,
    /// The boundary mode of each index.
    pub modes: Vec<Boundary>,
    /// Its box.
    pub part: Part,
    padding: Option<Padding>,
    /// Whether it is one of a strip: all that has its columns is there, and nothing else.
    is_strip: bool,
}

impl Input {
    /// That of an access, `at` its stage and its number there.
    pub(super) fn new(image: usize, access: &Access, at: (usize, usize), part: Part, is_strip: bool) -> Self {
        let modes = (0..access.indices.len()).map(|d| access.mode(d)).collect();
        Self { image, of: at, padding_of: access.padding.map(|_| at), modes, part, padding: access.padding, is_strip }
    }

    /// Whether an access reads this tile. One that stays inside finds its value under any boundary mode.
    pub fn is_read_by(&self, access: &Access, extents: &[Extent], reader: &Part) -> bool {
        if access.source != Source::Image(self.image) || !goes_on(access, extents, reader) {
            return false;
        }
        let is_there = if self.is_strip { is_unit(access, reader.strides.len(), 1) } else { !access.is_gather() };
        let last = self.modes.len().saturating_sub(1);
        let goes_along = |d: usize| {
            let read = access.reads(d, reader);
            let (own, region) = (self.part.strides[d], self.part.region[d]);
            // Columns beyond the strip mean nothing, as everywhere.
            let is_column = self.is_strip && d == last;
            let has = |read: Range<i64>| is_column || (region.lo <= read.lo && read.hi <= region.hi);
            read.is_some_and(|(stride, read)| stride.agrees(own) && has(read))
        };
        let fits = |d: usize| (access.mode(d) == Boundary::None || access.mode(d) == self.modes[d]) && goes_along(d);
        is_there && (access.stays() || access.padding == self.padding) && (0..access.indices.len()).all(fits)
    }

    /// Makes it a tile that the access reads, too, if one tile can be both.
    pub(super) fn join(&mut self, access: &Access, at: (usize, usize)) -> bool {
        let stays = self.modes.iter().all(|mode| *mode == Boundary::None);
        let fits = |d: usize| {
            let (own, other) = (self.modes[d], access.mode(d));
            own == other || own == Boundary::None || other == Boundary::None
        };
        let is_one = access.source == Source::Image(self.image)
            && (stays || access.stays() || access.padding == self.padding)
            && (0..access.indices.len()).all(fits);
        if is_one {
            for (d, mode) in self.modes.iter_mut().enumerate().filter(|(_, mode)| **mode == Boundary::None) {
                *mode = access.mode(d);
            }
            if !access.stays() {
                self.padding = access.padding;
                self.padding_of = access.padding.map(|_| at);
            }
        }
        is_one
    }
}

/// The inputs that tiles in shared memory have there, for these boxes: those of which a tile reads points more often than it has them. What is
/// read once is better read from memory by who needs it.
pub(super) fn shared_inputs(group: &Group, parts: &[Option<Part>]) -> Vec<Input> {
    let stages = || group.stages.iter().zip(parts).enumerate();
    let of_parts = || stages().filter_map(|(number, (stage, part))| Some((number, stage, part.as_ref()?)));
    let mut inputs: Vec<Input> = Vec::new();
    for (number, stage, part) in of_parts() {
        for (at, access) in stage.accesses.iter().enumerate() {
            let Source::Image(image) = access.source else { continue };
            let is_given = !access.padding.is_some_and(|padding| padding.is_computed);
            let is_tile = !access.is_gather() && is_given && goes_on(access, &stage.extents, part);
            let read: Option<Vec<_>> = (0..access.indices.len()).map(|d| access.reads(d, part)).collect();
            let Some(read) = read.filter(|read| is_tile && !read.is_empty()) else { continue };
            let (strides, region): (Vec<TileStride>, Vec<Range<i64>>) = read.into_iter().unzip();
            let moves_alike = |input: &Input| {
                input.image == image && input.part.strides.iter().zip(&strides).all(|(own, other)| own.agrees(*other))
            };
            let mut alike = inputs.iter_mut().filter(|input| moves_alike(input));
            match alike.find_map(|input| input.join(access, (number, at)).then_some(input)) {
                Some(input) => input.part.region = hull_regions(&input.part.region, &region),
                None => {
                    let part = Part { periodic: vec![false; strides.len()], strides, region };
                    inputs.push(Input::new(image, access, (number, at), part, false));
                }
            }
        }
    }
    inputs.retain(|input| {
        let reads = of_parts().map(|(number, stage, part)| {
            let own = group.body(number).distinct.iter().map(|access| &stage.accesses[*access]);
            let own = own.filter(|access| input.is_read_by(access, &stage.extents, part));
            own.map(Access::times).sum::<f64>() * part.volume() as f64
        });
        reads.sum::<f64>() > input.part.volume() as f64
    });
    inputs
}

/// Whether an access reads along its last dimensions, so many, at a fixed distance from its reader's own, and nowhere else
/// by them.
pub(super) fn is_unit(access: &Access, reader: usize, dims: usize) -> bool {
    let rank = access.indices.len();
    // Which register holds a point that is known at run time only, nobody can say.
    access.is_plain()
        && (1..=dims).all(|back| {
            let Some(own) = reader.checked_sub(back) else { return false };
            rank >= back
                && (0..rank).all(|d| match d + back == rank {
                    true => access.offset_along(d, own).is_some(),
                    false => !access.uses(d, own),
                })
        })
}

/// Whether an access of a periodic stage may read a tile: at a point outside, the tile has what the wrapped point reads.
pub(super) fn goes_on(access: &Access, extents: &[Extent], reader: &Part) -> bool {
    let periodic = (0..reader.periodic.len()).filter(|d| reader.periodic[*d]);
    periodic.into_iter().all(|d| {
        (0..access.indices.len()).filter(|dimension| access.uses(*dimension, d)).all(|dimension| {
            access.mode(dimension) == Boundary::Wrap
                && access.offset_along(dimension, d).is_some()
                && extents[d] == access.extents[dimension]
        })
    })
}
