//! Which stages of a group are computed in one loop, and how much of that loop is computed at a time.
//!
//! ```text
//! Ix   reads gray around          ┐ side by side: loads of gray are shared      Ix, Iy   4 rows at a time
//! Iy   reads gray around          ┘                                      ──▶
//! Sxx  reads Ix around            ┐ det reads Sxx at its own point only:        Sxx, det
//! det  reads Sxx at its point     ┘ a value in a register
//! ```
//!
//! Stages with one box can be computed together where they read each other at their own point, and stages that do not need each
//! other where they read the same. A loop that is longer is not better in itself: registers are few. So stages side by side are only
//! joined if as many rows are still computed at a time, which share even more.

use super::sliding::{ROWS, stream_of};
use crate::{
    affine::{Expr, Extent, Part, Range},
    program::{Access, Group, Source, Stage},
};

/// Planes that are computed together at most.
pub const PLANES: i64 = 4;

/// Instructions and loads that the code of one vector may have, of all rows that are computed together.
const MOST_CODE: f64 = 320.0;

/// The same where several planes share loads: there is more to gain.
const MOST_FOLDED: f64 = 700.0;

/// Stages that are computed in one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The stages, producers before consumers. They have one box, and read each other at their own point only.
    pub members: Vec<usize>,
    /// Planes that are computed together, of those that a tile has of the box: they divide their number.
    pub planes: i64,
    /// Rows that are computed together.
    pub rows: i64,
}

/// Which stages of a group are computed in one loop, in an order in which they can be: a stage that others read where they
/// are themselves computed, and only there, is a value in a register.
pub fn bundles(group: &Group, parts: &[Option<Part>]) -> Vec<Bundle> {
    let mut bundling = Bundling::new(group, parts);
    bundling.join_readers();
    bundling.join_siblings();
    let order = bundling.order().expect("every join leaves an order");
    let bundle = |members: Vec<usize>| {
        let (planes, rows) = bundling.together(&members);
        Bundle { members, planes, rows }
    };
    order.into_iter().map(bundle).collect()
}

/// Bundles in the making.
struct Bundling<'g> {
    group: &'g Group,
    parts: &'g [Option<Part>],
    /// The stages that each stage reads.
    producers: Vec<Vec<usize>>,
    /// The bundle that each stage is in: the number of a stage of it.
    of: Vec<usize>,
}

impl<'g> Bundling<'g> {
    fn new(group: &'g Group, parts: &'g [Option<Part>]) -> Self {
        let producers = |stage: &Stage| stage.accesses.iter().filter_map(Access::producer).collect();
        let producers = group.stages.iter().map(producers).collect();
        Self { group, parts, producers, of: (0..group.stages.len()).collect() }
    }

    /// The stages that somebody needs.
    fn needed(&self) -> impl Iterator<Item = usize> + use<'g> {
        let parts = self.parts;
        (0..parts.len()).filter(|stage| parts[*stage].is_some())
    }

    fn members(&self, bundle: usize) -> Vec<usize> {
        self.needed().filter(|stage| self.of[*stage] == bundle).collect()
    }

    fn have_one_box(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.group.stages[one], &self.group.stages[other]);
        a.extents == b.extents && a.needed == b.needed && self.parts[one] == self.parts[other]
    }

    /// Whether a stage reads another one at its own point only, if it does.
    fn is_at_own_point(&self, consumer: usize, producer: usize) -> bool {
        let accesses = &self.group.stages[consumer].accesses;
        let mut reads = accesses.iter().filter(|access| access.producer() == Some(producer));
        let is_own = |access: &Access| access.indices.iter().enumerate().all(|(d, index)| *index == Expr::Dim(d));
        self.have_one_box(consumer, producer) && reads.all(is_own)
    }

    /// Joins stages and those that read them at their own point.
    fn join_readers(&mut self) {
        for consumer in self.needed() {
            for producer in 0..consumer {
                if self.producers[consumer].contains(&producer) && self.is_at_own_point(consumer, producer) {
                    self.join(producer, consumer);
                }
            }
        }
    }

    /// Joins stages that read the same, as long as as many rows are computed together.
    fn join_siblings(&mut self) {
        for later in self.needed() {
            for earlier in self.needed().take_while(|earlier| *earlier < later) {
                if self.of[earlier] == self.of[later] || !self.have_one_box(earlier, later) {
                    continue;
                }
                let [one, other] = [earlier, later].map(|stage| self.members(self.of[stage]));
                let reads = |members: &[usize], source: Source| {
                    let mut stages = members.iter().map(|stage| &self.group.stages[*stage]);
                    stages.any(|stage| stage.accesses.iter().any(|access| access.source == source))
                };
                let mut accesses = one.iter().flat_map(|stage| &self.group.stages[*stage].accesses);
                let share = accesses.any(|access| reads(&other, access.source));
                let rows = |members: &[usize]| self.together(members);
                if share && rows(&[&one[..], &other[..]].concat()) == rows(&one).min(rows(&other)) {
                    self.join(earlier, later);
                }
            }
        }
    }

    /// Makes one bundle of those of two stages, if all in it can be computed at once and before or behind any other.
    fn join(&mut self, one: usize, other: usize) {
        let (a, b) = (self.of[one], self.of[other]);
        if a == b {
            return;
        }
        let before = self.of.clone();
        self.of.iter_mut().filter(|of| **of == b).for_each(|of| *of = a);
        let all = self.members(a);
        let reads = |to: usize| self.producers[to].iter().filter(|from| all.contains(from));
        let agree = all.iter().all(|to| reads(*to).all(|from| self.is_at_own_point(*to, *from)));
        if !agree || self.order().is_none() {
            self.of = before;
        }
    }

    /// The bundles, producers first; `None` where two need each other.
    fn order(&self) -> Option<Vec<Vec<usize>>> {
        let mut order = Vec::new();
        let mut waiting: Vec<usize> = self.needed().collect();
        let mut done: Vec<bool> = self.parts.iter().map(Option::is_none).collect();
        while !waiting.is_empty() {
            let is_ready = |bundle: &usize| {
                let members = waiting.iter().filter(|stage| self.of[**stage] == *bundle);
                let mut producers = members.flat_map(|stage| &self.producers[*stage]);
                producers.all(|producer| done[*producer] || self.of[*producer] == *bundle)
            };
            let next = waiting.iter().map(|stage| self.of[*stage]).find(is_ready)?;
            let (members, left) = waiting.iter().partition(|stage| self.of[**stage] == next);
            waiting = left;
            let members: Vec<usize> = members;
            members.iter().for_each(|stage| done[*stage] = true);
            order.push(members);
        }
        Some(order)
    }

    /// How many planes and rows of some stages are computed together.
    fn together(&self, members: &[usize]) -> (i64, i64) {
        let code: f64 = members.iter().map(|stage| code(&self.group.stages[*stage])).sum();
        let step = self.parts[members[0]].as_ref().and_then(|part| {
            let row = part.strides.len().checked_sub(2)?;
            part.slides(row, stream_of(self.group)).then_some(part.strides[row].step)
        });
        let planes = self.planes_together(members);
        let most = if planes > 1 { MOST_FOLDED } else { MOST_CODE };
        // Rows that share nothing would be more streams of memory, and planes are enough of these.
        if planes > 1 && !self.loaded(members).any(is_of_other_rows) {
            return (planes, 1);
        }
        let fits = |rows: &i64| step.is_some_and(|step| step % rows == 0) && code * (planes * rows) as f64 <= most;
        (planes, [4, 2].into_iter().filter(|rows| *rows <= ROWS).find(fits).unwrap_or(1))
    }

    /// What the members of a bundle load: they have each other's values in registers.
    fn loaded(&self, members: &[usize]) -> impl Iterator<Item = &'g Access> {
        let accesses = members.iter().flat_map(|stage| &self.group.stages[*stage].accesses);
        accesses.filter(|access| access.producer().is_none_or(|producer| !members.contains(&producer)))
    }

    /// Planes that are worth computing together: those of stages that read something that is the same for all of them, or that read or
    /// write pixels, of which all planes are loaded and stored at once.
    fn planes_together(&self, members: &[usize]) -> i64 {
        let Some((part, plane)) =
            self.parts[members[0]].as_ref().and_then(|part| Some((part, plane_of(part.strides.len())?)))
        else {
            return 1;
        };
        let is_shared = |access: &Access| (0..access.indices.len()).all(|index| !access.uses(index, plane));
        // Where a plane moves an index along a row, each would have borders of its own.
        let is_apart = |access: &Access| {
            let mixed = |index: &Expr| {
                index.dims().contains(&plane) && index.dims().iter().any(|d| *d > plane && *d < access.rank)
            };
            !access.indices.iter().any(mixed)
        };
        // All planes of the box are there: what is known to lie in the image.
        let is_known = members.iter().all(|stage| match self.group.stages[*stage].extents[plane] {
            Extent::Known(extent) => {
                let (range, stride) = (part.region[plane], part.strides[plane]);
                let needed = self.group.stages[*stage].needed[plane] == Range::new(Some(0), Some(extent - 1));
                needed
                    && range.lo >= 0
                    && (if stride.step == 0 {
                        range.hi < extent
                    } else {
                        range.len() == stride.step && extent % stride.step == 0
                    })
            }
            Extent::Named(_) => false,
        });
        let mut accesses = members.iter().flat_map(|stage| &self.group.stages[*stage].accesses);
        let of_pixels = |access: &Access| self.group.reads_pixels(access);
        let is_worth = members.iter().any(|stage| self.group.interleaved.stages.contains(stage))
            || self.loaded(members).any(|access| is_shared(access) || of_pixels(access));
        if !is_known || !is_worth || !accesses.all(is_apart) {
            return 1;
        }
        let planes = part.region[plane].len();
        (1..=PLANES).rev().find(|some| planes % some == 0).unwrap_or(1)
    }
}

/// The dimension of planes next to that of rows.
pub fn plane_of(rank: usize) -> Option<usize> {
    rank.checked_sub(3)
}

/// Whether an access reads other rows than the one that is computed, or rows by a computed number.
fn is_of_other_rows(access: &Access) -> bool {
    let is_own = |row| access.indices.contains(&Expr::Dim(row));
    !access.is_plain() || !access.rank.checked_sub(2).is_some_and(is_own)
}

/// Instructions of a stage's body as they stand in the code, where reduces are loops.
fn code(stage: &Stage) -> f64 {
    let times = stage.accesses.iter().map(|access| access.times()).fold(1.0, f64::max);
    stage.work.instructions() / times + stage.accesses.len() as f64
}

impl Bundle {
    /// Whether a stage is read by one that is not in the bundle, and so kept in memory.
    pub fn is_kept(&self, group: &Group, stage: usize) -> bool {
        let others = group.stages.iter().enumerate().filter(|(number, _)| !self.members.contains(number));
        others.into_iter().any(|(_, other)| other.accesses.iter().any(|access| access.producer() == Some(stage)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, constant, dim},
        program::{Work, whole},
        tiles::boxes,
    };

    const EXTENT: Extent = Extent::Known(512);

    /// A stage of 512x512 points that reads these sources, each at offsets along a row.
    fn stage(name: &str, reads: &[(Source, i64)], is_live_out: bool) -> Stage {
        let extents = [EXTENT; 2];
        let needed = [whole(EXTENT); 2];
        let access = |(source, offset): &(Source, i64)| {
            let indices = vec![dim(0) + constant(0), dim(1) + constant(*offset)];
            Access::new(*source, indices, Boundary::Clamp, None, extents.to_vec(), (&extents, &needed), Vec::new())
        };
        Stage {
            name: name.into(),
            extents: extents.to_vec(),
            needed: needed.to_vec(),
            bytes: vec![4],
            work: Work::default(),
            size: vec![512; 2],
            accesses: reads.iter().map(access).collect(),
            is_live_out,
            inlined_into: None,
        }
    }

    fn bundled(stages: Vec<Stage>) -> Vec<Vec<usize>> {
        let group = Group::new(stages, vec![4, 4]);
        let parts = boxes(&group, &[4, 512]).expect("a group");
        bundles(&group, &parts).into_iter().map(|bundle| bundle.members).collect()
    }

    const IMAGE: Source = Source::Image(0);

    #[test]
    fn readers_at_their_own_point_share_a_loop() {
        let all = bundled(vec![stage("a", &[(IMAGE, 0)], false), stage("b", &[(Source::Stage(0, 0), 0)], true)]);
        assert_eq!(all, [[0, 1]]);
        let apart = bundled(vec![stage("a", &[(IMAGE, 0)], false), stage("b", &[(Source::Stage(0, 0), 1)], true)]);
        assert_eq!(apart, [[0], [1]]);
    }

    #[test]
    fn siblings_share_a_loop_if_they_share_loads() {
        let of = |other: Source| {
            let a = stage("a", &[(IMAGE, -1), (IMAGE, 1)], true);
            bundled(vec![a, stage("b", &[(other, -1), (other, 1)], true)])
        };
        assert_eq!(of(IMAGE), [[0, 1]]);
        assert_eq!(of(Source::Image(1)), [[0], [1]]);
    }

    #[test]
    fn siblings_stay_apart_where_fewer_rows_would_be_computed_at_once() {
        let many: Vec<(Source, i64)> = (0..60).map(|offset| (IMAGE, offset)).collect();
        assert_eq!(bundled(vec![stage("a", &many, true), stage("b", &many, true)]), [[0], [1]]);
    }

    #[test]
    fn no_two_loops_need_each_other() {
        // "c" needs "a" beside it, and "d" at its own point; "b" needs "d" beside it: a with b would stand before and behind c with d.
        let a = stage("a", &[(IMAGE, 0)], true);
        let d = stage("d", &[(Source::Image(1), 0)], true);
        let c = stage("c", &[(Source::Stage(0, 0), 1), (Source::Stage(1, 0), 0)], true);
        let b = stage("b", &[(IMAGE, 0), (Source::Stage(1, 0), 1)], true);
        let all = bundled(vec![a, d, c, b]);
        assert!(!all.contains(&vec![0, 3]), "{all:?}");
        assert_eq!(all.iter().map(Vec::len).sum::<usize>(), 4);
    }
}
