//! Overlapped tiles of a group: which box of each stage one tile of the live-outs needs, and whether there is such a box.
//!
//! Tiles are numbered along each dimension of the live-outs. From the live-outs backwards, through every load, each stage
//! gets a box whose place is affine in the tile's number (`weft_model::tile`); it is exact, not a slope for the whole group.
//!
//! ```text
//! group "g0", tile 8x256                             follows the tile's number      box
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
//! at different scales, a periodic stage that clamps its own reads of a producer, ...) the producer goes to memory: the
//! group is split before it ([`make_tileable`]).

use crate::{
    access::{self, Number, same},
    bounds::{Interval, Partly, loads},
    fuse,
    map_to_gpu::{live_outs, producer_of},
    program,
};
use melior::ir::{BlockRef, Value};
use mlir_glue::{Failure, PassContext, ir};
use weft_dialects::pipeline::{Boundary, Group, Load, Schedule, Stage};
use weft_model::{Expr, Follow, Range, hull, localise, offset_along, places_read, range_of, reach};

/// An index is brought back from so far outside at most; beyond, a tile would be mostly halo.
const MAX_REACH: i64 = 64;

/// Where a load of a stage reads.
pub struct Access<'c, 'a> {
    /// The load.
    pub load: Load<'c, 'a>,
    /// Its indices, as expressions of the stage's coordinates.
    pub indices: Vec<Expr>,
    /// The stage of the group that it reads, by number; `None` where it reads memory.
    pub producer: Option<usize>,
    /// The extents of what it reads.
    pub extents: Vec<Number<'c, 'a>>,
    /// How far each index leaves what it reads, below and above, over the whole stage; `None` where that is not known.
    pub leaves: Vec<Option<(i64, i64)>>,
}

impl Access<'_, '_> {
    /// The boundary mode that an index needs: none where it stays inside.
    pub fn mode(&self, dimension: usize) -> Boundary {
        if self.leaves[dimension] == Some((0, 0)) { Boundary::None } else { self.load.boundary() }
    }

    /// Whether all indices stay inside.
    pub fn stays(&self) -> bool {
        (0..self.indices.len()).all(|dimension| self.mode(dimension) == Boundary::None)
    }
}

/// A stage of a group, with what tiling asks of it.
pub struct Member<'c, 'a> {
    /// The stage.
    pub stage: Stage<'c, 'a>,
    /// Its extents.
    pub extents: Vec<Number<'c, 'a>>,
    /// Its loads.
    pub accesses: Vec<Access<'c, 'a>>,
    /// Whether a result of it leaves the group.
    pub is_live_out: bool,
    /// The consumer that alone reads it, at one point that stays inside: it is then computed there.
    pub inlined_into: Option<usize>,
}

impl<'c: 'a, 'a> Member<'c, 'a> {
    /// The points that are needed, `[lo, hi]`, as far as they are known.
    pub fn needed(&self) -> Vec<Interval> {
        let known = |number: &Number| match number {
            Number::Known(number) => Some(number - 1),
            Number::Value(_) => None,
        };
        let needed = self.stage.needed().unwrap_or_else(|| vec![(None, None); self.extents.len()]);
        let ends = needed.into_iter().zip(&self.extents);
        ends.map(|((lo, hi), extent)| Range::new(lo.or(Some(0)), hi.map(|hi| hi - 1).or(known(extent)))).collect()
    }
}

/// The stages of a group, producers before consumers.
pub struct Members<'c, 'a>(pub Vec<Member<'c, 'a>>);

impl<'c: 'a, 'a> Members<'c, 'a> {
    /// Those of a group; `extents` gives the extents of images that are no stage of it.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(
        group: Group<'c, 'a>,
        extents: impl Fn(Value<'c, 'a>) -> Vec<Number<'c, 'a>>,
    ) -> Result<Self, Failure<'c>> {
        let stages = group.stages();
        let outs = live_outs(group);
        let mut members: Vec<Member> = Vec::new();
        for stage in &stages {
            let mut member = Member {
                stage: *stage,
                extents: program::numbers(stage.extents()),
                accesses: Vec::new(),
                is_live_out: outs.contains(stage),
                inlined_into: None,
            };
            let domain = member.needed();
            for load in loads(*stage) {
                let producer = producer_of(group, load.source());
                let source = match producer {
                    Some(producer) => program::numbers(producer.extents()),
                    None => extents(load.source()),
                };
                let indices = access::indices(load)?;
                let leaves = indices
                    .iter()
                    .zip(&source)
                    .map(|(index, extent)| leaves(index, &domain, &member.extents, *extent))
                    .collect();
                let producer = producer.and_then(|producer| stages.iter().position(|stage| *stage == producer));
                member.accesses.push(Access { load, indices, producer, extents: source, leaves });
            }
            members.push(member);
        }
        for producer in 0..members.len() {
            members[producer].inlined_into = inlined_into(&members, producer);
        }
        Ok(Self(members))
    }

    /// Whether a stage of the group reads this one.
    pub fn is_read(&self, producer: usize) -> bool {
        self.0.iter().any(|member| member.accesses.iter().any(|access| access.producer == Some(producer)))
    }

    /// The stages that a stage needs, itself included.
    fn closure(&self, of: usize) -> Vec<usize> {
        let mut needed = vec![false; self.0.len()];
        needed[of] = true;
        // Producers come first: one pass backwards reaches all.
        for consumer in (0..=of).rev() {
            if needed[consumer] {
                let producers = self.0[consumer].accesses.iter().filter_map(|access| access.producer);
                producers.for_each(|producer| needed[producer] = true);
            }
        }
        (0..self.0.len()).filter(|stage| needed[*stage]).collect()
    }
}

/// How far an index leaves `[0, source)`, below and above, where its coordinates run over `domain`.
pub fn leaves(index: &Expr, domain: &[Interval], extents: &[Number], source: Number) -> Option<(i64, i64)> {
    if access::is_own_extent(index, extents, source) {
        return Some((0, 0));
    }
    let range = range_of(index, domain, &mut Partly);
    let above = match (range.hi, source) {
        (Some(hi), Number::Known(extent)) => hi - (extent - 1),
        _ => {
            // One coordinate and a constant, over the very extent that the source has.
            let d = (0..extents.len()).find(|d| same(extents[*d], source) && offset_along(index, *d).is_some())?;
            offset_along(index, d)?
        }
    };
    Some(((-range.lo?).max(0), above.max(0)))
}

fn inlined_into(members: &[Member], producer: usize) -> Option<usize> {
    if members[producer].is_live_out {
        return None;
    }
    let mut reads = members.iter().enumerate().flat_map(|(consumer, member)| {
        member.accesses.iter().filter(|access| access.producer == Some(producer)).map(move |access| (consumer, access))
    });
    let (consumer, first) = reads.next()?;
    let at_one_point = reads.all(|(other, access)| other == consumer && access.indices == first.indices);
    (at_one_point && first.stays()).then_some(consumer)
}

/// Why a group has no overlapped tiles: this producer must be in memory.
pub struct Cut {
    /// The stage, by number.
    pub producer: usize,
}

/// What one tile computes of a stage.
#[derive(Clone)]
pub struct Part {
    /// How each dimension follows the tile's number.
    pub follow: Vec<Follow>,
    /// The box, relative to the tile's first point.
    pub region: Vec<Range<i64>>,
    /// Along which dimensions the stage is periodic.
    pub periodic: Vec<bool>,
}

/// A stage's box as its consumers ask for it.
#[derive(Clone, Default)]
struct Demand {
    follow: Option<Vec<Follow>>,
    region: Vec<Range<i64>>,
    periodic: Vec<bool>,
}

/// The boxes of all stages for a tile of the live-outs; `None` for a stage that nobody needs.
///
/// # Errors
///
/// The producer that must go to memory first.
pub fn boxes(members: &Members, tile: &[i64]) -> Result<Vec<Option<Part>>, Cut> {
    let members = &members.0;
    let mut demands: Vec<Demand> = vec![Demand::default(); members.len()];
    let mut parts: Vec<Option<Part>> = vec![None; members.len()];
    for (number, member) in members.iter().enumerate().rev() {
        let rank = member.extents.len();
        let mut demand = std::mem::take(&mut demands[number]);
        if member.is_live_out {
            if demand.follow.is_none() {
                demand.follow = Some(sink(member, number, &demands, tile)?);
                demand.region = vec![Range::new(0, 0); rank];
                demand.periodic = vec![false; rank];
            }
            let follow = demand.follow.iter().flatten();
            // Tiles cover a live-out only if each of its dimensions goes with one of the grid's of its own.
            let axes: Vec<usize> = demand.follow.iter().flatten().map(|follow| follow.axis).collect();
            let is_own = |(d, axis): (usize, &usize)| !axes[..d].contains(axis);
            if !axes.iter().enumerate().all(is_own) {
                return Err(Cut { producer: number });
            }
            for (range, follow) in demand.region.iter_mut().zip(follow) {
                if follow.step == 0 {
                    return Err(Cut { producer: number });
                }
                *range = hull(*range, Range::new(0, follow.step - 1));
            }
        }
        let Some(follow) = demand.follow else { continue };
        let part = Part { follow, region: demand.region, periodic: demand.periodic };
        for access in &member.accesses {
            if let Some(producer) = access.producer {
                require(members, number, &part, access, producer, &mut demands[producer])?;
            }
        }
        parts[number] = Some(part);
    }
    Ok(parts)
}

/// How a live-out without consumers follows the tile: as the grid does, or at the scale that its producers' other
/// consumers ask for.
fn sink(member: &Member, number: usize, demands: &[Demand], tile: &[i64]) -> Result<Vec<Follow>, Cut> {
    let rank = member.extents.len();
    if rank != tile.len() {
        return Err(Cut { producer: number });
    }
    // As numerator and denominator.
    let scales: [(i64, i64); 5] = [(1, 1), (1, 2), (2, 1), (1, 4), (4, 1)];
    let fits = |follow: &Vec<Follow>| {
        member.accesses.iter().all(|access| {
            let demanded = access.producer.and_then(|producer| demands[producer].follow.as_ref());
            demanded.is_none_or(|demanded| {
                access.indices.iter().zip(demanded).all(|(index, demanded)| {
                    localise(index, follow).is_some_and(|local| local.follow.agrees(*demanded))
                })
            })
        })
    };
    let candidates = scales.iter().filter_map(|(up, down)| {
        tile.iter()
            .enumerate()
            .map(|(axis, step)| {
                // A leading dimension of one plane is not scaled.
                let (up, down) = if *step == 1 { (1, 1) } else { (*up, *down) };
                (step * up % down == 0).then_some(Follow { axis, step: step * up / down })
            })
            .collect::<Option<Vec<_>>>()
    });
    let mut candidates = candidates.filter(fits);
    candidates.next().ok_or_else(|| {
        // Its producers go to memory: then nothing asks for another scale.
        let producers = member.accesses.iter().filter_map(|access| access.producer);
        Cut { producer: producers.max().unwrap_or(number) }
    })
}

/// Adds what `access` of stage `consumer` reads to what is asked of `producer`.
fn require(
    members: &[Member],
    consumer: usize,
    part: &Part,
    access: &Access,
    producer: usize,
    demand: &mut Demand,
) -> Result<(), Cut> {
    let cut = |producer| Err(Cut { producer });
    let of = &members[producer];
    let mut follow = Vec::new();
    let mut region = Vec::new();
    let mut periodic = Vec::new();
    for (dimension, index) in access.indices.iter().enumerate() {
        let Some(local) = localise(index, &part.follow) else { return cut(producer) };
        let mode = access.mode(dimension);
        // A periodic consumer is computed at wrapped points: seen from there its reads must go on all the same.
        let goes_on = |d: usize| {
            mode == Boundary::Wrap
                && offset_along(index, d).is_some()
                && same(members[consumer].extents[d], of.extents[dimension])
        };
        if index.dims().into_iter().any(|d| part.periodic[d] && !goes_on(d)) {
            return cut(consumer);
        }
        let mut read = places_read(&local.index, &part.region);
        if !matches!(mode, Boundary::None | Boundary::Wrap) {
            let Some((below, above)) = access.leaves[dimension] else { return cut(producer) };
            let (down, up) = reach(access::model_boundary(mode), below, above);
            if down.max(up) > MAX_REACH {
                return cut(producer);
            }
            read = Range::new(read.lo - down, read.hi + up);
        }
        follow.push(local.follow);
        region.push(read);
        periodic.push(mode == Boundary::Wrap);
    }
    match &demand.follow {
        Some(before) if !before.iter().zip(&follow).all(|(a, b)| a.agrees(*b)) => return cut(producer),
        Some(_) => {
            demand.region.iter_mut().zip(region).for_each(|(all, read)| *all = hull(*all, read));
            demand.periodic.iter_mut().zip(periodic).for_each(|(all, read)| *all |= read);
        }
        None => *demand = Demand { follow: Some(follow), region, periodic },
    }
    Ok(())
}

/// What divides the indices of a group: a tile that is a multiple of it stays on the grid at every scale.
fn scale(members: &Members) -> i64 {
    fn divisors(e: &Expr) -> i64 {
        match e {
            Expr::Const(_) | Expr::Dim(_) => 1,
            Expr::Add(a, b) => divisors(a).max(divisors(b)),
            Expr::Mul(e, _) => divisors(e),
            Expr::FloorDiv(e, c) | Expr::CeilDiv(e, c) | Expr::Mod(e, c) => divisors(e).saturating_mul(*c),
        }
    }
    let mut scales = vec![1i64; members.0.len()];
    for (number, member) in members.0.iter().enumerate().rev() {
        for access in &member.accesses {
            let here = access.indices.iter().map(divisors).max().unwrap_or(1);
            let total = scales[number].saturating_mul(here);
            match access.producer {
                Some(producer) => scales[producer] = scales[producer].max(total),
                None => scales[number] = scales[number].max(total),
            }
        }
    }
    scales.into_iter().max().unwrap_or(1)
}

/// The tile of a schedule (or of none), every extent a multiple of what the group's scales divide by. Leading dimensions
/// of one plane stay so.
pub fn aligned_tile(members: &Members, schedule: &Schedule, rank: usize) -> Vec<i64> {
    let default = |d: usize| match rank - d {
        1 if rank == 1 => 1024,
        1 => 128,
        2 => 8,
        _ => 1,
    };
    let tile = schedule.tile.clone().unwrap_or_else(|| (0..rank).map(default).collect());
    let scale = scale(members);
    if scale > 32 {
        return tile;
    }
    tile.into_iter().map(|extent| if extent == 1 { 1 } else { (extent + scale - 1) / scale * scale }).collect()
}

/// The rank of the grid of a group's tiles: that of its last live-out.
pub fn grid_rank(members: &Members) -> usize {
    members.0.iter().rev().find(|member| member.is_live_out).map_or(1, |member| member.extents.len())
}

/// The schedule of a group, as far as it fits images of this rank.
///
/// # Errors
///
/// A group whose schedule cannot be read: the verifier has said so.
pub fn schedule_of(group: Group, rank: usize) -> Schedule {
    group.schedule().and_then(|schedule| Schedule::parse(schedule, rank).ok()).unwrap_or_default()
}

/// Splits groups until each has overlapped tiles, and `fits` says that some of them fit the machine; returns how many splits
/// that took.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn make_tileable<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    fits: impl Fn(&Members<'c, 'a>, &Schedule, Vec<i64>, Vec<Option<Part>>) -> bool,
) -> Result<usize, Failure<'c>> {
    let mut splits = 0;
    let mut pending: Vec<Group> = ir::operations(block).filter_map(Group::of).collect();
    while let Some(group) = pending.pop() {
        // What an image in memory measures does not decide where to split.
        let members = Members::of(group, |_| vec![Number::Known(i64::MAX); 4])?;
        let rank = grid_rank(&members);
        let schedule = schedule_of(group, rank);
        let tile = aligned_tile(&members, &schedule, rank);
        let cut = match boxes(&members, &tile) {
            Err(cut) => Some(members.closure(cut.producer)),
            Ok(parts) if fits(&members, &schedule, tile.clone(), parts.clone()) => None,
            // In the middle, or as near to it as leaves something on either side.
            Ok(_) => {
                let (all, middle) = (members.0.len(), members.0.len() / 2);
                let order = (0..all).map(|far| {
                    middle.wrapping_add_signed(if far % 2 == 0 { far as isize / 2 } else { -(far as isize) / 2 - 1 })
                });
                let mut closures = order.filter(|stage| *stage < all).map(|stage| members.closure(stage));
                closures.find(|closure| closure.len() < all)
            }
        };
        if let Some(before) = cut {
            let before: Vec<Stage> = before.into_iter().map(|i| members.0[i].stage).collect();
            pending.extend(fuse::split(cx, block, group, &before));
            splits += 1;
        }
    }
    Ok(splits)
}

/// A condition for a tile to lie inside: `number * step + [lo, hi]` within `[first, end)`.
pub struct Inside<'c, 'a> {
    /// How the interval follows the tile's number.
    pub follow: Follow,
    /// The interval, relative to the tile's first point.
    pub region: Range<i64>,
    /// The first point that is inside.
    pub first: i64,
    /// The first point behind it that is outside.
    pub end: Number<'c, 'a>,
}

/// The places that an index of a part reads, where they are known for every tile.
pub fn read_by(index: &Expr, part: &Part) -> Option<(Follow, Range<i64>)> {
    let local = localise(index, &part.follow)?;
    Some((local.follow, places_read(&local.index, &part.region)))
}
