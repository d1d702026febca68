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
//!
//! Rows that share nothing, of more images than a core sees coming side by side, are computed one after the other ([`streams`]).
//! What shares nothing with another row is then computed a few vectors of one row at a time, all of them loaded before the first is stored: a CPU
//! lets no load pass a store whose address has the same last twelve bits, and images that take turns at such addresses are usual. So are
//! reduces that are loops: one addition waits for the one before, and a block of sums goes on side by side. Where points side by side read along rows of their
//! own, what they read is transposed in registers: there it is one vector, and of one row unless rows read the same.

use super::{
    sliding::{ROWS, ROWS_OF_COLUMNS, plane_of, rows_of_planes, rows_together, stream_of},
    streams::{STREAMS, streams},
    target::{CACHE_LINE, Cpu},
};
use crate::{
    affine::{Boundary, Expr, Extent, Form, Part, Range},
    program::{Access, Group, Source, Stage},
};

/// Planes that are computed together at most.
pub const PLANES: i64 = 4;

/// The same of reduces that read beside their column, as convolutions do: most of their vectors cross a cache line, and are loaded twice. Of more planes each is of
/// more use.
const PLANES_BESIDE: i64 = 8;

/// Instructions and loads that code may have of all rows, or vectors of a row, that are computed together: their chains of operations go on side by
/// side.
const MOST_CODE: f64 = 1000.0;

/// The same where several planes share loads, and keep what they share in registers.
const MOST_FOLDED: f64 = 700.0;

/// Loads among these at most: registers do not hold what waits for the other loads of its row.
const MOST_LOADS: i64 = 192;

/// The same of one point of pixels, whose vectors are shuffled.
const MOST_CODE_OF_PIXELS: f64 = 48.0;

/// Vectors of one row that are computed together at most.
const VECTORS: i64 = 4;

/// Vectors of sums that reduces have in registers at most, besides what is added to them: as many go on while one waits for its last
/// addition.
const SUMS: i64 = 16;

/// The same where the sums are written out, of elements that are spread over lanes.
const SPREAD_SUMS: i64 = 8;

/// Such elements of a sum at least, so that it is worth more registers.
const MANY_SPREAD: usize = 4;

/// Instructions and loads that code may have where several rows are computed together, each some vectors of it so that stores fill cache lines: more
/// than registers hold would be more than what whole lines save.
const MOST_OF_LINES: f64 = 256.0;

/// Points at most on a side of a row, where reads leave their images, that are computed one by one on a CPU without masks for their elements, which
/// would ask of each lane of each load whether it is there.
const FEW_POINTS: i64 = 4;

/// Points of a row that are computed at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Where all that is read stays inside.
    pub interior: i64,
    /// Registers that so many of the widest values take.
    pub registers: i64,
    /// Elsewhere.
    pub border: i64,
}

impl Lanes {
    /// Whether those of the interior, of elements of so many bytes, are stored by whole cache lines.
    pub fn fill_lines(&self, bytes: i64) -> bool {
        self.interior * bytes % CACHE_LINE == 0
    }
}

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
        let step = self.parts[members[0]].as_ref().and_then(|part| {
            let row = part.strides.len().checked_sub(2)?;
            let is_of_tile = rows_of_planes(self.group).is_some();
            (is_of_tile || part.slides(row, stream_of(self.group))).then_some(part.strides[row].step)
        });
        let planes = self.planes_together(members);
        let code = |rows| members.iter().map(|stage| code(&self.group.stages[*stage], planes, rows)).sum::<f64>();
        let most_code = if planes > 1 { MOST_FOLDED } else { MOST_CODE };
        let loads =
            |rows| members.iter().map(|stage| loads(&self.group.stages[*stage], (planes, rows, 1))).sum::<i64>();
        // Rows that share nothing would be more streams of memory. Planes are enough of these, unless they are one, and so are several images, and rows of
        // blocks.
        let loaded: Vec<&Access> = self.loaded(members).collect();
        let rows_of_blocks = |access: &&Access| rows_of_blocks(access, &loaded);
        let each = || loaded.iter().filter_map(rows_of_blocks).max().unwrap_or(1);
        let streams = || self.streams(members) * (each() * ROWS) as f64;
        let is_enough = || planes > 1 && !self.group.keeps_pixels() || streams() > STREAMS;
        let is_shared = |access: &&Access| is_of_other_rows(access) && rows_of_blocks(access).is_none();
        let is_apart = !loaded.iter().any(is_shared) && is_enough();
        if is_apart || self.loaded(members).any(is_across_alone) {
            return (planes, 1);
        }
        let fits = |rows: &i64| {
            step.is_some_and(|step| step % rows == 0) && code(*rows) <= most_code && loads(*rows) <= MOST_LOADS
        };
        let most = if planes > PLANES { SUMS / PLANES_BESIDE } else { rows_together(self.group) };
        (planes, [ROWS_OF_COLUMNS, 4, 2].into_iter().filter(|rows| *rows <= most).find(fits).unwrap_or(1))
    }

    /// What the members of a bundle load: they have each other's values in registers.
    fn loaded(&self, members: &[usize]) -> impl Iterator<Item = &'g Access> {
        let accesses = members.iter().flat_map(|stage| &self.group.stages[*stage].accesses);
        accesses.filter(|access| access.producer().is_none_or(|producer| !members.contains(&producer)))
    }

    /// Streams of memory that a row of a bundle reads: images, and planes of them.
    fn streams(&self, members: &[usize]) -> f64 {
        let of_image =
            |image: usize| members.iter().map(|stage| streams(&self.group.stages[*stage], image)).fold(0.0, f64::max);
        (0..self.group.images.len()).map(of_image).sum()
    }

    /// Planes that are worth computing together: those of stages that read something that is the same for all of them, or that read or
    /// write pixels, of which all planes are loaded and stored at once.
    fn planes_together(&self, members: &[usize]) -> i64 {
        let Some((part, plane)) =
            self.parts[members[0]].as_ref().and_then(|part| Some((part, plane_of(part.strides.len())?)))
        else {
            return 1;
        };
        let is_shared = |access: &Access| !access.depends_on(plane);
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
        // Channels of a pixel that is looked up lie beside each other.
        let is_beside = |access: &Access| {
            let last = access.indices.len().checked_sub(1);
            last.is_some_and(|last| access.is_gather() && access.offset_along(last, plane).is_some())
        };
        let of_pixels = |access: &Access| self.group.reads_pixels(access);
        let is_worth = self.group.keeps_pixels()
            || members.iter().any(|stage| self.group.interleaved().stages.contains(stage))
            || self.loaded(members).any(|access| is_shared(access) || is_beside(access) || of_pixels(access));
        if !is_known || !is_worth || !accesses.all(is_apart) {
            return 1;
        }
        planes_together(members.iter().map(|stage| &self.group.stages[*stage]), part.region[plane].len())
    }
}

/// Of so many planes of some stages those that are computed together at most.
pub fn planes_together<'s>(mut stages: impl Iterator<Item = &'s Stage>, planes: i64) -> i64 {
    let is_beside = |access: &Access| {
        let ends = access.rank.checked_sub(1).zip(access.indices.len().checked_sub(1));
        !access.is_plain() && ends.is_some_and(|(column, last)| access.uses(last, column)) && reach(access) > 0
    };
    let most = if stages.any(|stage| stage.accesses.iter().any(is_beside)) { PLANES_BESIDE } else { PLANES };
    (1..=most).rev().find(|some| planes % some == 0).unwrap_or(1)
}

/// Whether rows that are computed together share what an access reads: it reads other rows than the one that is computed, rows by a
/// computed number, or what is the same for all rows in a reduce, which is more than registers hold.
fn is_of_other_rows(access: &Access) -> bool {
    let is_shared = |row| {
        let mut indices = access.indices.iter().enumerate().filter(|(number, _)| access.uses(*number, row));
        indices.any(|(_, index)| *index != Expr::Dim(row))
    };
    !access.is_plain() || access.rank.checked_sub(2).is_none_or(is_shared)
}

/// Rows that a point's block has where an access reads one of them, as far as is known of those that it is loaded with, if a row of blocks shares none with
/// the next one.
fn rows_of_blocks(access: &Access, loaded: &[&Access]) -> Option<i64> {
    let row = access.rank.checked_sub(2).filter(|_| access.is_plain())?;
    let mut along = access.indices.iter().enumerate().filter(|(number, _)| access.uses(*number, row));
    let (Some((number, index)), None) = (along.next(), along.next()) else { return None };
    let of = |index: &Expr| Form::of(index).filter(|form| form.dim == row && form.div == 1);
    let own = of(index).filter(|form| form.mul > 1)?;
    let is_apart = |other: &&Access| {
        let form = other.indices.get(number).and_then(of);
        other.source != access.source
            || form
                .is_some_and(|form| form.mul == own.mul && (form.add == own.add || (form.add - own.add) % own.mul != 0))
    };
    loaded.iter().all(is_apart).then_some(own.mul)
}

/// The least and the greatest place along a row that an access reads.
fn forms_of_row(access: &Access) -> Option<[Form; 2]> {
    access.extremes(access.indices.len().checked_sub(1)?)
}

/// How far from its own column an access reads along a row, if it reads neighbours.
fn reach(access: &Access) -> i64 {
    forms_of_row(access).map_or(0, |extremes| extremes.iter().map(|form| form.add.abs()).max().unwrap_or(0))
}

/// Whether an access is transposed for one row alone: registers are full of what it reads.
fn is_across_alone(access: &Access) -> bool {
    access.runs_across() && access.rank.checked_sub(2).is_some_and(|row| access.depends_on(row))
}

/// Instructions of a stage's body as they stand in the code, for so many planes and rows, where reduces are loops.
fn code(stage: &Stage, planes: i64, rows: i64) -> f64 {
    let times = stage.accesses.iter().map(|access| access.times()).fold(1.0, f64::max);
    stage.work.instructions_of(planes) / times * rows as f64 + loads(stage, (planes, rows, 1)) as f64
}

/// The loads of so many planes, rows of these, and vectors of a row. What is the same for all rows, as weights are, is loaded once, so is what is the same
/// for all planes, as what they convolve is, and what is one element for all lanes.
fn loads(stage: &Stage, (planes, rows, vectors): (i64, i64, i64)) -> i64 {
    let times = |access: &Access, of: Option<usize>, some: i64| {
        if of.is_none_or(|dimension| access.depends_on(dimension)) { some } else { 1 }
    };
    let of = |access: &Access| {
        let rank = access.rank;
        let of_rows = times(access, rank.checked_sub(2), rows) * times(access, plane_of(rank), planes);
        of_rows * if is_one_element(access) { 1 } else { vectors }
    };
    stage.accesses.iter().map(of).sum()
}

/// Whether what an access reads moves with the row.
fn is_along_rows(access: &Access) -> bool {
    let row = access.rank.checked_sub(2);
    row.is_some_and(|row| access.indices.iter().any(|index| Form::of(index).is_some_and(|form| form.dim == row)))
}

/// Whether all lanes of a row read the same.
fn is_one_element(access: &Access) -> bool {
    access.rank.checked_sub(1).is_some_and(|column| !access.depends_on(column))
}

impl Bundle {
    /// Points of a row that are computed at a time: a vector of the widest values or, where the code stays short, several. Of pixels, whole
    /// vectors of each plane, or fewer where the code is long: these are shuffled with as many instructions as fewer points.
    /// At borders, where points are few, a vector, or a point.
    pub fn lanes(&self, group: &Group, cpu: &Cpu) -> Lanes {
        let stages = || self.members.iter().map(|stage| &group.stages[*stage]);
        let of_vector = stages().map(|stage| cpu.vector / stage.widest).min().unwrap_or(1).max(1);
        let code = |planes: i64, rows: i64| stages().map(|stage| code(stage, planes, rows)).sum::<f64>();
        let accesses = || stages().flat_map(|stage| &stage.accesses);
        let is_gather = accesses().any(|access| access.is_gather() || access.runs_across());
        // What turns back at edges, or is no neighbour of what the next point reads, would be gathered there, with masks: point by point it is
        // faster, and most borders have a point or two. Of pixels that are not taken apart also what may stand for a point.
        let is_gathered = |access: &Access| {
            let Some(last) = access.indices.len().checked_sub(1) else { return false };
            let turns = matches!(access.boundary, Boundary::Mirror | Boundary::Reflect101 | Boundary::Wrap);
            let is_padded = group.keeps_pixels() && access.boundary == Boundary::Constant;
            let is_strided = || forms_of_row(access).is_some_and(|[least, _]| least.mul != 1 || least.div != 1);
            matches!(access.source, Source::Image(_))
                && access.mode(last) != Boundary::None
                && (turns || is_padded || is_strided())
        };
        let read = accesses().filter_map(|access| match access.source {
            Source::Image(image) if group.reads_pixels(access) => Some(group.images[image]),
            _ => None,
        });
        let is_written = |stage: &&usize| group.interleaved().stages.contains(stage);
        let written = self.members.iter().filter(is_written).flat_map(|stage| group.stages[*stage].bytes.clone());
        if let Some(element) = read.chain(written).min() {
            let whole = of_vector.max(cpu.vector / element);
            let of_pixels = match code(1, 1) <= MOST_CODE_OF_PIXELS {
                true => whole,
                // Of longer code CPUs with few registers do two vectors at a time: each waits long for its own, and they look ahead no further than one is long.
                false if is_gather || !cpu.has_few_registers() => of_vector,
                false => whole.min(2 * of_vector),
            };
            return Lanes {
                interior: of_pixels,
                registers: of_pixels / of_vector,
                border: if group.keeps_pixels() && accesses().any(is_gathered) { 1 } else { of_pixels },
            };
        }
        let is_plain = accesses().all(Access::is_plain);
        // Lanes of several quotients are shuffled, as many as a vector has.
        let is_phased =
            |access: &Access| forms_of_row(access).is_some_and(|[least, _]| (2..of_vector).contains(&least.div));
        // Where they lie apart in what is read a row has fewer points, and one that is shorter than these is gathered.
        let is_picked = |access: &Access| forms_of_row(access).is_some_and(|[least, _]| least.mul > least.div);
        let is_picked = accesses().any(is_picked);
        // Several vectors share what is spread over lanes, as the pixels are that a layer with its channels innermost adds for all channels.
        let of_rows = accesses().filter(|access| is_one_element(access) && is_along_rows(access)).count();
        let is_spread = of_rows >= MANY_SPREAD && 3 * of_rows >= accesses().count();
        let is_row = |points: i64| {
            !stages().any(|stage| matches!(stage.extents.last(), Some(Extent::Known(extent)) if *extent < points))
        };
        let fits = |vectors: &i64| {
            let code = code(self.planes, self.rows) * *vectors as f64;
            let loads = stages().map(|stage| loads(stage, (self.planes, self.rows, *vectors))).sum::<i64>();
            let sums = self.rows * self.planes * vectors;
            let is_few = match is_plain {
                false => sums <= SUMS,
                true => self.rows == 1 || is_spread && sums <= SPREAD_SUMS,
            };
            !is_gather
                && !is_picked
                && is_few
                && code <= MOST_CODE
                && loads <= MOST_LOADS
                && is_row(of_vector * vectors)
        };
        let fills = |vectors: &i64| {
            let is_whole = |bytes: &i64| of_vector * vectors * bytes % CACHE_LINE == 0;
            let mut stored = stages().filter(|stage| stage.is_live_out).flat_map(|stage| &stage.bytes);
            is_plain
                && !is_gather
                && !accesses().any(is_phased)
                && code(self.planes, self.rows) * *vectors as f64 <= MOST_OF_LINES
                && is_row(of_vector * vectors)
                && stored.all(is_whole)
        };
        let vectors = [VECTORS, VECTORS / 2].into_iter().find(fits);
        let vectors = vectors.unwrap_or_else(|| [1, 2, VECTORS].into_iter().find(fills).unwrap_or(1));
        let is_short = |bytes: i64| bytes < 4;
        let is_of_short = |access: &Access| match access.source {
            Source::Image(image) => is_short(group.images[image]),
            Source::Stage(stage, result) => is_short(group.stages[stage].bytes[result]),
        };
        let is_unmasked = !cpu.masks_short_elements()
            && accesses().all(|access| reach(access) <= FEW_POINTS)
            && (accesses().any(is_of_short) || stages().flat_map(|stage| &stage.bytes).any(|bytes| is_short(*bytes)));
        let border = if is_unmasked || accesses().any(is_gathered) { 1 } else { of_vector };
        Lanes { interior: of_vector * vectors, registers: vectors, border }
    }

    /// Whether its points are computed from the same points of images, and from what is looked up: what waits for memory is read beside what is stored.
    pub fn is_pointwise(&self, group: &Group) -> bool {
        let is_here = |index: &Expr| matches!(index, Expr::Dim(_)) || index.dims().is_empty();
        let is_own = |access: &Access| match access.producer() {
            Some(stage) => self.members.contains(&stage),
            None => access.is_gather() || access.indices.iter().all(is_here),
        };
        self.members.iter().flat_map(|stage| &group.stages[*stage].accesses).all(is_own)
    }

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
        affine::{constant, dim},
        program::whole,
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
        Stage::plain(name, &[512; 2], reads.iter().map(access).collect(), is_live_out)
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
    fn what_shares_nothing_is_computed_some_vectors_at_a_time() {
        let cpu = Cpu::named("zen5").expect("a built-in CPU");
        let lanes = |reads: &[(Source, i64)], rows: i64| {
            let group = Group::new(vec![stage("a", reads, true)], vec![4, 4]);
            Bundle { members: vec![0], planes: 1, rows }.lanes(&group, &cpu).interior
        };
        assert_eq!(lanes(&[(IMAGE, 0)], 1), 64);
        // Rows that are computed together are enough.
        assert_eq!(lanes(&[(IMAGE, 0)], 4), 16);
        let many: Vec<(Source, i64)> = (0..80).map(|offset| (IMAGE, offset)).collect();
        assert_eq!(lanes(&many, 1), 32);
    }

    #[test]
    fn rows_of_blocks_share_nothing() {
        // A stage of 64 rows, each of which reads these rows of a block that begins eight rows behind the one before, or so many.
        let rows = |apart: i64, reads: &[i64]| {
            let (extents, of_image) = ([Extent::Known(64), EXTENT], [EXTENT; 2]);
            let needed = extents.map(whole);
            let access = |row: &i64| {
                let indices = vec![dim(0) * apart + constant(*row), dim(1) + constant(0)];
                let reads = (&extents[..], &needed[..]);
                Access::new(IMAGE, indices, Boundary::Clamp, None, of_image.to_vec(), reads, Vec::new())
            };
            let group =
                Group::new(vec![Stage::plain("a", &[64, 512], reads.iter().map(access).collect(), true)], vec![1]);
            let parts = boxes(&group, &[4, 512]).expect("a group");
            bundles(&group, &parts)[0].rows
        };
        assert_eq!(rows(8, &[0, 1, 2, 3, 4, 5, 6, 7]), 1);
        // Blocks that overlap share rows, and of blocks of few rows a CPU sees some coming.
        assert_eq!([rows(8, &[0, 3, 8]), rows(2, &[0, 1])], [4, 4]);
    }

    #[test]
    fn what_planes_share_is_loaded_once() {
        // Layers of 16 planes, of a window of one plane of an image with a weight for each plane and point.
        let layer = |window: i64| {
            let extents = [Extent::Known(16), EXTENT, EXTENT];
            let needed = extents.map(whole);
            let access = |source: Source, indices: Vec<Expr>, of: Vec<Extent>| {
                Access::new(source, indices, Boundary::Clamp, None, of, (&extents, &needed), Vec::new())
            };
            let points = (0..window * window).flat_map(|point| {
                let (row, column) = (constant(point / window), constant(point % window));
                let pixel = vec![constant(0) + constant(0), dim(1) + row, dim(2) + column];
                let weight = vec![dim(0) + constant(0), constant(point) + constant(0)];
                let of_weights = vec![Extent::Known(16), Extent::Known(window * window)];
                [access(IMAGE, pixel, extents.to_vec()), access(Source::Image(1), weight, of_weights)]
            });
            let group = Group::new(vec![Stage::plain("a", &[16, 512, 512], points.collect(), true)], vec![4, 4]);
            let parts = boxes(&group, &[16, 4, 512]).expect("a group");
            let bundle = &bundles(&group, &parts)[0];
            (bundle.planes, bundle.rows)
        };
        // A weight for each of 4 planes and a pixel for each row, at each point of the window.
        assert_eq!([layer(3), layer(5), layer(7)], [(4, 4), (4, 2), (4, 1)]);
    }

    #[test]
    fn vectors_share_what_is_spread_over_lanes() {
        let cpu = Cpu::named("zen5").expect("a built-in CPU");
        // A layer of so many channels to 64, all innermost, at each of 512 points.
        let lanes = |channels: i64| {
            let (extents, of) = ([EXTENT, Extent::Known(64)], Extent::Known(channels));
            let needed = extents.map(whole);
            let access = |source: Source, indices: Vec<Expr>, of: Vec<Extent>| {
                Access::new(source, indices, Boundary::Clamp, None, of, (&extents, &needed), Vec::new())
            };
            let points = (0..channels).flat_map(|channel| {
                let channel = || constant(channel) + constant(0);
                let pixel = access(IMAGE, vec![dim(0) + constant(0), channel()], vec![EXTENT, of]);
                let weight = vec![channel(), dim(1) + constant(0)];
                [pixel, access(Source::Image(1), weight, vec![of, Extent::Known(64)])]
            });
            let group = Group::new(vec![Stage::plain("a", &[512, 64], points.collect(), true)], vec![4, 4]);
            Bundle { members: vec![0], planes: 1, rows: 4 }.lanes(&group, &cpu).interior
        };
        assert_eq!([lanes(3), lanes(16), lanes(48)], [16, 32, 16]);
    }

    #[test]
    fn borders_that_turn_back_are_computed_point_by_point() {
        let cpu = Cpu::named("zen5").expect("a built-in CPU");
        let border = |boundary: Boundary| {
            let mut stage = stage("a", &[(IMAGE, 0)], true);
            let (extents, needed) = ([EXTENT; 2], [whole(EXTENT); 2]);
            let indices = vec![dim(0) + constant(0), dim(1) + constant(1)];
            let reads = (&extents[..], &needed[..]);
            stage.accesses = vec![Access::new(IMAGE, indices, boundary, None, extents.to_vec(), reads, Vec::new())];
            let group = Group::new(vec![stage], vec![4, 4]);
            Bundle { members: vec![0], planes: 1, rows: 4 }.lanes(&group, &cpu).border
        };
        assert_eq!([Boundary::Clamp, Boundary::Mirror, Boundary::Wrap].map(border), [16, 1, 1]);
    }

    #[test]
    fn few_points_without_masks_are_computed_one_by_one() {
        let border = |cpu: &str, bytes: i64, offset: i64| {
            let mut stage = stage("a", &[(IMAGE, offset)], true);
            stage.bytes = vec![bytes];
            let group = Group::new(vec![stage], vec![bytes; 2]);
            let cpu = Cpu::named(cpu).expect("a built-in CPU");
            Bundle { members: vec![0], planes: 1, rows: 4 }.lanes(&group, &cpu).border
        };
        assert_eq!([("avx2", 1, 4), ("avx2", 2, -4)].map(|(cpu, bytes, offset)| border(cpu, bytes, offset)), [1, 1]);
        // Of wider elements there are masks, AVX-512 has all, and of many points a vector takes less time in any case.
        let vectors = [("avx2", 4, 4), ("zen5", 1, 4), ("avx2", 1, 5)];
        assert_eq!(vectors.map(|(cpu, bytes, offset)| border(cpu, bytes, offset)), [8, 16, 8]);
    }

    #[test]
    fn lines_are_stored_whole() {
        let bundle = |bytes: i64, widest: i64, loads: i64, cpu: &str| {
            let reads: Vec<(Source, i64)> = (0..loads).map(|offset| (IMAGE, offset)).collect();
            let mut stage = stage("a", &reads, true);
            (stage.bytes, stage.widest) = (vec![bytes], widest);
            let group = Group::new(vec![stage], vec![4, 4]);
            let cpu = Cpu::named(cpu).expect("a built-in CPU");
            let bundle = Bundle { members: vec![0], planes: 1, rows: 4 };
            let lanes = bundle.lanes(&group, &cpu);
            (lanes.interior, lanes.fill_lines(bytes))
        };
        // As many vectors as a line of bytes takes, or of floats where registers are short.
        assert_eq!([bundle(1, 4, 3, "zen5"), bundle(1, 2, 3, "zen5")], [(64, true); 2]);
        assert_eq!(bundle(4, 4, 3, "avx2"), (16, true));
        // Of long code registers hold one: half a line, or less.
        assert_eq!([bundle(1, 4, 40, "zen5"), bundle(4, 4, 40, "avx2")], [(16, false), (8, false)]);
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
