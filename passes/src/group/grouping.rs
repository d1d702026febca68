//! Making groups and taking them apart, however it was decided which stages they hold.
//!
//! ```text
//! %0 = stage "a"           %g0 = pipeline.group "g0" {        a run: the stages between groups, scans, scatters and
//! %1 = stage "b"    ──▶      %0 = stage "a"                   iterates that are there; no group crosses one
//! %2 = scan "s"              %1 = stage "b" ; yield %1 }
//!                          %2 = scan "s"
//! ```

use super::strategy::Strategy;
use crate::ir::{Builder, Key, TakenNames, key, only_block, program, remap};
use melior::ir::{
    Attribute, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    attribute::DictionaryAttribute,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, PassContext, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Group, Schedule, Stage};

/// Puts every stage that is in no group into one, with this schedule; returns the number of live-outs of each group made.
///
/// # Errors
///
/// A function with branches.
pub fn group_stages<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    strategy: Strategy,
    schedule: Option<DictionaryAttribute<'c>>,
) -> Result<Vec<usize>, Failure<'c>> {
    let block = program::entry(func)?;
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    let mut names = group_names(block);
    let mut live_outs = Vec::new();
    for block in program::blocks(func)? {
        for run in runs(block) {
            let made: Made = match strategy {
                Strategy::None => run.iter().map(|stage| (vec![*stage], schedule)).collect(),
                _ => vec![(run.clone(), schedule)],
            };
            let fresh = made.iter().map(|_| names.numbered("g")).collect();
            live_outs.extend(make(cx, block, &run, made, fresh));
        }
    }
    Ok(live_outs)
}

/// Makes the groups of a run, where it ends; returns the live-outs of each.
pub fn make<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    run: &[Stage<'c, 'a>],
    made: Made<'c, 'a>,
    names: Vec<String>,
) -> Vec<usize> {
    let behind = run.last().and_then(|stage| stage.op().next_in_block()).expect("a block ends with its terminator");
    let made = apart(cx, made).into_iter().zip(names);
    made.map(|((stages, schedule), name)| group(cx, block, &name, schedule, &stages, behind).op().result_count())
        .collect()
}

/// Groups that have no stage in common: of a stage that is in several all but the first get a copy.
fn apart<'c: 'a, 'a>(cx: &PassContext<'c>, mut made: Made<'c, 'a>) -> Made<'c, 'a> {
    let mut seen: HashSet<_> = HashSet::new();
    for (stages, _) in &mut made {
        let mut copies: HashMap<Key, Value> = HashMap::new();
        for stage in stages.iter_mut().filter(|stage| !seen.insert(stage.op().to_raw().ptr)) {
            let behind = stage.op().next_in_block().expect("a block ends with its terminator");
            let copy = Builder::before(cx.context(), behind).clone_mapped(stage.op(), &mut copies);
            *stage = Stage::of(copy).expect("a copy of a stage");
        }
        if !copies.is_empty() {
            stages.iter().for_each(|stage| remap(stage.op(), &copies));
        }
    }
    made
}

/// The stages between the groups, scans, scatters and iterates that are there: in program order, none of these between them.
pub fn runs<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Vec<Stage<'c, 'a>>> {
    let mut runs = vec![Vec::new()];
    for op in ir::operations(block) {
        if let (Some(stage), Some(run)) = (Stage::of(op), runs.last_mut()) {
            run.push(stage);
        } else if program::is_program_op(op) {
            runs.push(Vec::new());
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The names that the groups of a block have, those in iterates too.
pub fn group_names(block: BlockRef) -> TakenNames {
    ir::operations(block).flat_map(ir::walk).filter_map(Group::of).map(|group| group.name().to_owned()).collect()
}

/// Splits a group in two: `before` (stages that need no other of the group), and the rest. Both keep the schedule where it
/// fits the rank of their images.
pub fn split<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    old: Group<'c, 'a>,
    before: &[Stage<'c, 'a>],
) -> [Group<'c, 'a>; 2] {
    let (name, schedule) = (old.name().to_owned(), old.schedule());
    let mut names = group_names(block);
    let after: Vec<Stage> = old.stages().into_iter().filter(|stage| !before.contains(stage)).collect();
    let first = before.last().map_or("", |stage| stage.name());
    let first = names.like(&format!("{name}_{first}"));
    let end = old.terminator().expect("a verified group");
    // Constants first, then the stages in their new order.
    let ops = ir::operations(old.body()).filter(|op| Stage::of(*op).is_none() && *op != end).collect::<Vec<_>>();
    for op in ops.into_iter().chain(before.iter().chain(&after).map(|stage| stage.op())) {
        ir::mutable(op).move_before(old.op());
    }
    for (result, value) in old.op().results().zip(end.operands()) {
        ir::replace_all_uses(result.into(), value);
    }
    let behind = old.op().next_in_block().expect("a block ends with its terminator");
    ir::erase(old.op());
    [(first, before), (name, &after)].map(|(name, stages)| {
        let rank = stages.last().map_or(0, |stage| stage.rank());
        let fits = schedule.filter(|schedule| Schedule::parse(*schedule, rank).is_ok());
        group(cx, block, &name, fits, stages, behind)
    })
}

/// Wraps `stages` into a group, in front of `behind`.
pub fn group<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    name: &str,
    schedule: Option<DictionaryAttribute<'c>>,
    stages: &[Stage<'c, 'a>],
    behind: OperationRef<'c, 'a>,
) -> Group<'c, 'a> {
    let inside: HashSet<_> = stages.iter().map(|stage| stage.op().to_raw().ptr).collect();
    let outside: Vec<_> = ir::operations(block).filter(|op| !inside.contains(&op.to_raw().ptr)).collect();
    let used: HashSet<Key> =
        outside.iter().flat_map(|op| ir::walk(*op)).flat_map(|op| op.operands().map(key).collect::<Vec<_>>()).collect();
    let results = stages.iter().flat_map(|stage| stage.op().results().map(Value::from).collect::<Vec<_>>());
    let mut live_outs: Vec<Value> = results.filter(|result| used.contains(&key(*result))).collect();
    // Stages that nobody uses are dead; their group is, too, but must still be a group.
    if live_outs.is_empty() {
        live_outs.extend(stages.last().and_then(|stage| stage.op().result(0).ok()).map(Value::from));
    }

    let first = stages.first().expect("runs are not empty").op();
    let types: Vec<Type> = live_outs.iter().map(|value| value.r#type()).collect();
    let made = Builder::before(cx.context(), behind).insert(Group::build(
        cx.context(),
        name,
        schedule.map(Attribute::from),
        &types,
        first.location(),
    ));
    let body = only_block(made);
    let end = body.append_operation(Group::build_yield(&live_outs, first.location()));
    for stage in stages {
        ir::mutable(stage.op()).move_before(end);
    }
    let results: HashMap<Key, Value> =
        live_outs.iter().zip(made.results()).map(|(live_out, result)| (key(*live_out), result.into())).collect();
    outside.into_iter().for_each(|op| remap(op, &results));
    Group::of(made).expect("built as a group")
}

/// The groups of a run, each with its stages in order, behind all that it reads, and its schedule. A stage may be in several: each
/// computes it.
pub type Made<'c, 'a> = Vec<(Vec<Stage<'c, 'a>>, Option<DictionaryAttribute<'c>>)>;
