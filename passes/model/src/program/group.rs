//! A group of stages, and which of them are computed where they are read.

use super::{
    body::Body,
    reuse::{MOST_COPIES, level, points_read},
    stage::{Access, Level, Source, Stage},
};
use crate::affine::{Boundary, Expr, Extent, dim};
use std::{collections::HashSet, sync::OnceLock};

/// Which images lie in memory with their channels innermost: planes of them share cache lines.
#[derive(Clone, Debug, Default)]
pub struct Interleaved {
    /// Numbers of images in memory.
    pub images: HashSet<usize>,
    /// Numbers of stages whose results do, in memory.
    pub stages: HashSet<usize>,
}

/// The shape of an overlapped tile ("Flextended Tiles", sections 3.1 and 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Both sides grow, each by what is read: the exact boxes. (Section 3.1.)
    #[default]
    Scalene,
    /// The iteration space of each stage is shifted, by as little as makes its tile end no earlier than any tile needs it:
    /// by `max(0, greatest need over its own share's end)`, over all phases. Then only the left side grows: a box goes from
    /// the leftmost point that is needed to the share's shifted end. (Section 3.2; there consumers are delayed, here
    /// producers are earlier by as much.) So extents are those of [`Shape::Scalene`] or greater: greater where the need
    /// ends before the share does, and in phases that need less than the neediest.
    RightRectangle,
    /// One slope on either side for the whole group: PolyMage's ([`slopes`](crate::tiles::slopes)).
    UniformSlope,
}

/// The stages of a group, producers before consumers.
#[derive(Clone, Debug)]
pub struct Group {
    /// The stages.
    pub stages: Vec<Stage>,
    /// Bytes of an element of each image in memory that they read.
    pub images: Vec<i64>,
    /// Those of which one plane is not apart from the others.
    pub(super) interleaved: Interleaved,
    /// Whether none of them is taken apart ([`Group::keeps_pixels`]).
    pub(super) keeps_pixels: bool,
    /// The shape of its tiles.
    pub shape: Shape,
    bodies: Vec<OnceLock<Body>>,
    readers: OnceLock<Readers>,
}

/// Who reads what, each as a stage and an access of it, in order.
#[derive(Clone, Debug)]
struct Readers {
    of_stages: Vec<Vec<(usize, usize)>>,
    of_images: Vec<Vec<(usize, usize)>>,
}

impl Group {
    /// A group of these stages; decides which of them are computed at the point where they are read.
    pub fn new(stages: Vec<Stage>, images: Vec<i64>) -> Self {
        let bodies = vec![OnceLock::new(); stages.len()];
        let readers = OnceLock::new();
        let group = Self {
            stages,
            images,
            interleaved: Interleaved::default(),
            keeps_pixels: false,
            shape: Shape::default(),
            bodies,
            readers,
        };
        group.nested(false)
    }

    /// The same group, with what all planes of a pixel share computed at the pixel: as tiles of blocks have it.
    pub fn with_pixels(self) -> Self {
        self.nested(true)
    }

    /// The same group, each stage with a tile of its own: without nested fusion.
    pub fn flat(mut self) -> Self {
        self.stages.iter_mut().for_each(|stage| stage.inlined_into = None);
        self.bodies = vec![OnceLock::new(); self.stages.len()];
        self
    }

    fn nested(self, has_pixels: bool) -> Self {
        let mut group = self.flat();
        // How often a stage's body stands in the code of the one that it is computed in: consumers are known before producers.
        let mut copies = vec![1; group.stages.len()];
        for producer in (0..group.stages.len()).rev() {
            if let Some((consumer, times)) = inlined_into(&group.stages, producer, &copies, has_pixels) {
                (group.stages[producer].inlined_into, copies[producer]) = (Some(consumer), times);
            }
        }
        group
    }

    /// What the body of a stage loads and costs.
    pub fn body(&self, stage: usize) -> &Body {
        self.bodies[stage].get_or_init(|| Body::of(&self.stages, stage))
    }

    /// Whether a load reads planes of pixels in memory.
    pub fn reads_pixels(&self, access: &Access) -> bool {
        matches!(access.source, Source::Image(image) if self.interleaved.images.contains(&image))
    }

    /// Who reads an image, or any result of a stage: stages of the group, each with an access of it, in order.
    pub fn readers(&self, source: Source) -> impl Iterator<Item = (usize, &Access)> {
        let readers = self.readers.get_or_init(|| {
            let [mut of_stages, mut of_images] = [&self.stages.len(), &self.images.len()].map(|all| vec![vec![]; *all]);
            for (number, stage) in self.stages.iter().enumerate() {
                for (at, access) in stage.accesses.iter().enumerate() {
                    match access.source {
                        Source::Stage(producer, _) => of_stages[producer].push((number, at)),
                        Source::Image(image) => of_images[image].push((number, at)),
                    }
                }
            }
            Readers { of_stages, of_images }
        });
        let found = match source {
            Source::Stage(producer, _) => &readers.of_stages[producer],
            Source::Image(image) => &readers.of_images[image],
        };
        found.iter().map(|(number, at)| (*number, &self.stages[*number].accesses[*at]))
    }

    /// Whether a stage of the group reads this one.
    pub fn is_read(&self, producer: usize) -> bool {
        self.readers(Source::Stage(producer, 0)).next().is_some()
    }

    /// The stages that a stage needs, itself included.
    pub fn closure(&self, of: usize) -> Vec<usize> {
        let mut needed = vec![false; self.stages.len()];
        needed[of] = true;
        // Producers come first: one pass backwards reaches all.
        for consumer in (0..=of).rev() {
            if needed[consumer] {
                let producers = self.stages[consumer].accesses.iter().filter_map(Access::producer);
                producers.for_each(|producer| needed[producer] = true);
            }
        }
        (0..self.stages.len()).filter(|stage| needed[*stage]).collect()
    }

    /// Stages that must not share a kernel with the others: one loads from memory and may have no points where another has some, so that what
    /// it loads may have none either. (Lanes outside of a stage load what is at its edge.) A stage of which others read a point has some where
    /// they have; so only those count whose results leave the group, and those that are read where a padding value stands for what is not there.
    pub fn empty_beside(&self) -> Option<Vec<usize>> {
        let pads = |access: &Access| access.boundary == Boundary::Constant;
        let is_padded = |producer: usize| {
            let mut all = self.stages.iter().flat_map(|stage| &stage.accesses);
            all.any(|access| access.producer() == Some(producer) && pads(access))
        };
        let loads = |stage: usize| {
            let mut all = self.closure(stage).into_iter().flat_map(|stage| &self.stages[stage].accesses);
            all.any(|access| access.producer().is_none() && !pads(access))
        };
        let is_some_with = |own: usize, other: usize| {
            let others = &self.stages[other].extents;
            let is_some = |own: &Extent| others.iter().any(|other| own.is_some_with(*other));
            self.stages[own].extents.iter().all(is_some)
        };
        let stages = || 0..self.stages.len();
        let live_outs = || stages().filter(|stage| self.stages[*stage].is_live_out);
        let pairs = stages()
            .filter(|stage| self.stages[*stage].is_live_out || is_padded(*stage))
            .flat_map(|stage| live_outs().map(move |live_out| (stage, live_out)));
        let (stage, live_out) =
            pairs.into_iter().find(|(stage, live_out)| !is_some_with(*stage, *live_out) && loads(*stage))?;
        // One of the two does not need the other.
        [stage, live_out].map(|stage| self.closure(stage)).into_iter().find(|part| part.len() < self.stages.len())
    }

    /// The stage in whose code a stage is computed: itself, if it has a box of its own.
    pub fn computed_in(&self, stage: usize) -> usize {
        computed_in(&self.stages, stage)
    }

    /// The rank of the grid of tiles: that of the last live-out.
    pub fn grid_rank(&self) -> usize {
        self.stages.iter().rev().find(|stage| stage.is_live_out).map_or(1, |stage| stage.extents.len())
    }
}

fn computed_in(stages: &[Stage], stage: usize) -> usize {
    std::iter::successors(Some(stage), |stage| stages[*stage].inlined_into).last().unwrap_or(stage)
}

/// The last of its consumers, if a stage may be computed in the code of the one that they are computed in, and how often its body stands there.
fn inlined_into(stages: &[Stage], producer: usize, copies: &[usize], has_pixels: bool) -> Option<(usize, usize)> {
    if stages[producer].is_live_out {
        return None;
    }
    let may = |access: &Access| access.is_plain() && access.stays();
    let is_wanted = |level: Level| level == Level::Point || has_pixels;
    let mut readers = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        let mut reads = stage.accesses.iter().filter(|access| access.producer() == Some(producer)).peekable();
        if reads.peek().is_some() {
            if !reads.all(may) {
                return None;
            }
            readers.push((number, level_alone(stage, producer).filter(|(level, _)| is_wanted(*level))?));
        }
    }
    let (last, of_last) = *readers.last()?;
    let root = computed_in(stages, last);
    if readers.iter().any(|(reader, _)| computed_in(stages, *reader) != root) {
        return None;
    }
    // Two levels that compute nothing twice do not together, either; of a pixel that is known of the one that has it.
    let is_known = readers.len() == 1 && (of_last.0 == Level::Point || last == root);
    let times = if is_known {
        copies[last] * of_last.1
    } else {
        let points = points_in(stages, producer, &readers);
        let points_read: Vec<_> = points.iter().map(Vec::as_slice).collect();
        level(&points_read, &stages[root]).filter(|level| is_wanted(*level))?;
        points.len()
    };
    (times <= MOST_COPIES).then_some((last, times))
}

/// The points of a producer that are computed at a point of the stage that all of its readers are computed in.
fn points_in(stages: &[Stage], producer: usize, readers: &[(usize, (Level, usize))]) -> Vec<Vec<Expr>> {
    fn points_of(stages: &[Stage], stage: usize) -> Vec<Vec<Expr>> {
        if stages[stage].inlined_into.is_none() {
            return vec![(0..stages[stage].extents.len()).map(dim).collect()];
        }
        let readers = (0..stages.len())
            .filter(|reader| stages[*reader].accesses.iter().any(|access| access.producer() == Some(stage)));
        all_points(stages, stage, readers)
    }
    fn all_points(stages: &[Stage], producer: usize, readers: impl Iterator<Item = usize>) -> Vec<Vec<Expr>> {
        let mut all = Vec::new();
        for reader in readers {
            for at in points_of(stages, reader) {
                for read in points_read(&stages[reader], producer) {
                    let point = read.iter().map(|index| index.substitute(&at).simplified()).collect();
                    if !all.contains(&point) {
                        all.push(point);
                    }
                }
            }
        }
        all
    }
    all_points(stages, producer, readers.iter().map(|(reader, _)| *reader))
}

/// The level at which a stage may compute a producer, and at how many points, as far as it reads it itself. The answer is the same in every
/// group.
fn level_alone(reader: &Stage, producer: usize) -> Option<(Level, usize)> {
    let first = reader.accesses.iter().find(|access| access.producer() == Some(producer))?;
    *first.alone.get_or_init(|| {
        let points = points_read(reader, producer);
        Some((level(&points, reader)?, points.len()))
    })
}
