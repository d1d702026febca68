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

use super::{grouping, members::Members, schedule::schedule_of};
use crate::ir::Number;
use melior::ir::BlockRef;
use mlir_glue::{Failure, PassContext, ir};
use weft_dialects::pipeline;
use weft_model::{Refusal, Scope, plan};

/// Splits groups until each has overlapped tiles that fit the machine, and no stage that may be empty beside others; returns how many splits
/// that took. `scope` is who computes
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
    split_while(cx, block, |group, model| {
        model.empty_beside().or_else(|| match plan(model, &schedule_of(group, model.grid_rank(), scope)) {
            // A block that cannot be is refused when the kernel is made.
            Ok(_) | Err(Refusal::Schedule(_)) => None,
            Err(Refusal::Cut(cut)) => Some(model.closure(cut.producer)),
            Err(Refusal::Shared { .. }) => middle(model),
        })
    })
}

/// The first part of a group that is cut in the middle, or as near to it as leaves something on either side.
fn middle(model: &weft_model::Group) -> Option<Vec<usize>> {
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
    first: impl Fn(pipeline::Group, &weft_model::Group) -> Option<Vec<usize>>,
) -> Result<usize, Failure<'c>> {
    let mut splits = 0;
    let mut pending: Vec<pipeline::Group> = ir::operations(block).filter_map(pipeline::Group::of).collect();
    while let Some(group) = pending.pop() {
        // What an image in memory measures does not decide where to split.
        let members = Members::of(group, |_| vec![Number::Known(i64::MAX); 4])?;
        if let Some(before) = first(group, &members.model) {
            let before: Vec<_> = before.into_iter().map(|i| members.stages[i].stage).collect();
            pending.extend(grouping::split(cx, block, group, &before));
            splits += 1;
        }
    }
    Ok(splits)
}
