//! Groups as the model sees them, and the splitting of those that have no overlapped tiles.
//!
//! ```text
//! pipeline.group "g0" {                   before: two consumers at different scales,         pipeline.group "g0_a" { "a" }
//!   "a"; "b" reads "a"[2 * x];            no one box of "a" for both                   ──▶   pipeline.group "g0" { "b"; "c" }
//!   "c" reads "a"[3 * x] }
//! ```
//!
//! [`Members`] pairs each stage and load of the IR with the model's ([`weft_model::Group`]); what a tile needs of a stage, and
//! whether it fits the machine, is the model's to say ([`weft_model::plan`](fn@weft_model::plan)). Where there are no boxes, the producer that
//! the model names goes to memory: the group is split before it.

use crate::{
    access::{Emit, Number, same},
    analysis::{self, Names},
    builder::Builder,
    fuse,
    map_to_gpu::{live_outs, producer_of},
    program,
};
use melior::ir::{BlockRef, Value};
use mlir_glue::{Failure, PassContext, ir};
use weft_dialects::pipeline::{self, Load};
use weft_model::{Arith, Follow, Part, Range, Refusal, Schedule, Scope, Source, group, plan};

/// A load of a stage.
pub struct Access<'c, 'a> {
    /// The load.
    pub load: Load<'c, 'a>,
    /// The extents of what it reads.
    pub extents: Vec<Number<'c, 'a>>,
}

/// A stage of a group.
pub struct Member<'c, 'a> {
    /// The stage.
    pub stage: pipeline::Stage<'c, 'a>,
    /// Its extents.
    pub extents: Vec<Number<'c, 'a>>,
    /// Its loads.
    pub accesses: Vec<Access<'c, 'a>>,
}

/// The stages of a group, producers before consumers, and the model's view of them: the same stages and loads by the same
/// numbers.
pub struct Members<'c, 'a> {
    /// The stages.
    pub stages: Vec<Member<'c, 'a>>,
    /// The images in memory that they read, by the model's number.
    pub images: Vec<Value<'c, 'a>>,
    /// The model's view.
    pub model: group::Group,
}

impl<'c: 'a, 'a> Members<'c, 'a> {
    /// Those of a group; `extents` gives the extents of images that are no stage of it.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(
        group: pipeline::Group<'c, 'a>,
        extents: impl Fn(Value<'c, 'a>) -> Vec<Number<'c, 'a>>,
    ) -> Result<Self, Failure<'c>> {
        let stages = group.stages();
        let outs = live_outs(group);
        let mut names = Names::default();
        let mut images: Vec<Value> = Vec::new();
        let mut members = Vec::new();
        let mut models = Vec::new();
        for stage in &stages {
            let mut accesses = Vec::new();
            let mut model = analysis::stage(*stage, &mut names, |load, names| {
                let producer = producer_of(group, load.source());
                let source = match producer {
                    Some(producer) => program::numbers(producer.extents()),
                    None => extents(load.source()),
                };
                let of = source.iter().map(|extent| names.extent(*extent)).collect();
                accesses.push(Access { load, extents: source });
                match producer.and_then(|producer| stages.iter().position(|stage| *stage == producer)) {
                    Some(number) => (Source::Stage(number, program::result_number(load.source())), of),
                    None => (Source::Image(analysis::numbered(&mut images, load.source())), of),
                }
            })?;
            model.is_live_out = outs.contains(stage);
            members.push(Member { stage: *stage, extents: program::numbers(stage.extents()), accesses });
            models.push(model);
        }
        let bytes = images.iter().map(|image| analysis::bytes_of(*image)).collect();
        Ok(Self { stages: members, images, model: group::Group::new(models, bytes) })
    }
}

/// The schedule of a group, as far as it fits images of this rank; `scope` is who computes its tiles where it does not say.
pub fn schedule_of(group: pipeline::Group, rank: usize, scope: Scope) -> Schedule {
    let of = group.schedule().and_then(|schedule| pipeline::Schedule::parse(schedule, rank).ok()).unwrap_or_default();
    Schedule {
        scope: match of.scope.as_deref() {
            Some("block") => Scope::Block,
            Some(_) => Scope::Warp,
            None => scope,
        },
        tile: of.tile,
        block: of.block,
        fraction: of.fraction,
        layout: of.layout.map(|layout| match layout.as_str() {
            "blocked" => weft_model::Layout::Blocked,
            _ => weft_model::Layout::Cyclic,
        }),
        vector: of.vector,
        stream: of.stream.and_then(|name| pipeline::coordinate_names(rank).iter().position(|other| *other == name)),
    }
}

/// Splits groups until each has overlapped tiles that fit the machine; returns how many splits that took. `scope` is who computes
/// the tiles of a group that does not say.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn make_tileable<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    scope: Scope,
) -> Result<usize, Failure<'c>> {
    split_while(cx, block, |group, model| match plan(model, &schedule_of(group, model.grid_rank(), scope)) {
        // A block that cannot be is refused when the kernel is made.
        Ok(_) | Err(Refusal::Schedule(_)) => None,
        Err(Refusal::Cut(cut)) => Some(model.closure(cut.producer)),
        Err(Refusal::Shared { .. }) => middle(model),
    })
}

/// The first part of a group that is cut in the middle, or as near to it as leaves something on either side.
fn middle(model: &group::Group) -> Option<Vec<usize>> {
    let (all, middle) = (model.stages.len(), model.stages.len() / 2);
    let order = (0..all)
        .map(|far| middle.wrapping_add_signed(if far % 2 == 0 { far as isize / 2 } else { -(far as isize) / 2 - 1 }));
    let mut closures = order.filter(|stage| *stage < all).map(|stage| model.closure(stage));
    closures.find(|closure| closure.len() < all)
}

/// Splits groups while `first` names stages that must be computed before the others of their group; returns how many splits that
/// took.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn split_while<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    first: impl Fn(pipeline::Group, &group::Group) -> Option<Vec<usize>>,
) -> Result<usize, Failure<'c>> {
    let mut splits = 0;
    let mut pending: Vec<pipeline::Group> = ir::operations(block).filter_map(pipeline::Group::of).collect();
    while let Some(group) = pending.pop() {
        // What an image in memory measures does not decide where to split.
        let members = Members::of(group, |_| vec![Number::Known(i64::MAX); 4])?;
        if let Some(before) = first(group, &members.model) {
            let before: Vec<_> = before.into_iter().map(|i| members.stages[i].stage).collect();
            pending.extend(fuse::split(cx, block, group, &before));
            splits += 1;
        }
    }
    Ok(splits)
}

/// The number of tiles along each dimension of the grid: enough for every live-out. `ends` are the extents of the stages.
pub fn count_tiles<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    model: &group::Group,
    parts: &[Option<Part>],
    ends: &[Vec<Number<'c, 'a>>],
) -> Vec<Number<'c, 'a>> {
    let mut emit = Emit(b);
    let mut tiles: Vec<Option<Number>> = vec![None; model.grid_rank()];
    let mut seen: Vec<(usize, i64, Number)> = Vec::new();
    for ((stage, part), ends) in model.stages.iter().zip(parts).zip(ends) {
        let Some(part) = part.as_ref().filter(|_| stage.is_live_out) else { continue };
        for (follow, end) in part.follow.iter().zip(ends) {
            let is_seen =
                seen.iter().any(|(axis, step, e)| *axis == follow.axis && *step == follow.step && same(*e, *end));
            // Of a dimension along which tiles do not move there is one.
            if is_seen || follow.step == 0 {
                continue;
            }
            seen.push((follow.axis, follow.step, *end));
            let padded = emit.add(end, &Number::Known(follow.step - 1));
            let here = emit.floor_div(&padded, follow.step);
            let tiles = &mut tiles[follow.axis];
            *tiles = Some(tiles.map_or(here, |before| emit.max(&before, &here)));
        }
    }
    tiles.into_iter().map(|tiles| tiles.unwrap_or(Number::Known(1))).collect()
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
