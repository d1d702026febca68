//! `--fuse`: which stages share a kernel.
//!
//! ```text
//! %0 = pipeline.stage "blurx" ...          %g0 = pipeline.group "g0" {
//! %1 = pipeline.stage "blury" ...   ──▶      %0 = pipeline.stage "blurx" ...
//! return %1                                  %1 = pipeline.stage "blury" ...
//!                                            pipeline.yield %1 } ; return %g0
//! ```
//!
//! `strategy=all` makes one group of everything, `none` one of each stage, `greedy` merges two while that costs less, `segments`
//! splits what does not fit, and `dp` finds the partition of least cost ([`search`]). With a `target` every group gets the
//! cheapest schedule that the target's limits allow; with `all` that of Forma. A group that is there already, written by hand,
//! stays as it is, and so do scans, scatters and iterates (in whose bodies stages are grouped apart); the stages before and
//! behind are then grouped apart, for a group that both feeds it and reads it could never run. Live-outs are the results that
//! anything outside the group uses.

pub mod search;

use crate::{
    analysis::{Sizes, Whole, extents_of},
    builder::{Builder, Key, key, only_block, remap},
    program::{self, TakenNames},
};
use melior::dialect::DialectHandle;
use melior::ir::{
    Attribute, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    attribute::DictionaryAttribute,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, choice, ir, options};
use search::{Made, Report, Search};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Group, Schedule, Stage};
use weft_model::Target;

choice! {
    /// Which stages share a kernel.
    pub enum Strategy { All = "all", None = "none", Greedy = "greedy", Segments = "segments", Dp = "dp" }
}

options! {
    /// Options of `--fuse`.
    pub struct FuseOptions {
        strategy: Strategy = Strategy::All, "strategy", "which stages share a kernel: everything, nothing, what is found by merging, by splitting what does not fit, or by dynamic programming";
        schedule: String = "", "schedule", "the schedule of groups that are made, for example {tile = array<i64: 8, 128>}; else the target's cheapest";
        schedules: bool = true, "schedules", "choose a schedule for each group that is made, where there is a target";
        target: String = "", "target", "the GPU to choose schedules for; without one, dp, segments and greedy are for an h200, and no schedule is chosen otherwise";
        target_file: String = "", "target-file", "a TOML file that describes the GPU";
        size: String = "", "size", "extents of images that are not known, for costs: 2832x4256";
        report: String = "", "report", "a file to write the groups, their costs and what was rejected to, as JSON";
    }
}

/// The pass.
pub struct Fuse;

const GROUPS: Statistic = Statistic::new(c"groups", c"Groups made");
const LIVE_OUTS: Statistic = Statistic::new(c"live-outs", c"Images that leave a group that was made");
const EVALUATED: Statistic = Statistic::new(c"evaluated", c"Groups whose cost was asked for");
const BOUND_HITS: Statistic = Statistic::new(
    c"bound-hit",
    c"Times that a bound cut the search; the partition of dp is optimal if there are none",
);

impl Pass for Fuse {
    const ARGUMENT: &'static str = "fuse";
    const SUMMARY: &'static str = "Put the stages that share a kernel into groups";
    const DESCRIPTION: &'static str = "\
Wraps stages into `pipeline.group`s: all of them into one (`strategy=all`), each into its own (`none`), those whose merging saves \
cost (`greedy`), the whole or, where that does not fit, its segments (`segments`), or those of the partition that costs least \
(`dp`). The cost is that of the kernel on `target`, by AutoGPU's model for `greedy`, by PolyMage-GPU's for others: `pipeline-opt \
--print-targets` lists those known. Groups that are there already are kept, with their schedules, and checked against the target's limits.";
    const STATISTICS: &'static [Statistic] = &[GROUPS, LIVE_OUTS, EVALUATED, BOUND_HITS];
    type Options = FuseOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, options: &FuseOptions, cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let fail = |message: String| Diagnostic::on(module, message);
        let schedule = match options.schedule.as_str() {
            "" => None,
            text => Some(schedule_of(cx, module, text)?),
        };
        let target = target_of(options, cx.wants::<Report>()).map_err(fail)?;
        let size = size_of(&options.size).map_err(fail)?;
        let mut reports = Vec::new();
        for func in program::programs(module) {
            let made = match &target {
                None => group_stages(cx, func, options.strategy, schedule)?,
                Some(target) => {
                    let (made, report) =
                        group_by_cost(cx, func, options.strategy, target, &size, options.schedules, schedule)?;
                    cx.count(EVALUATED, report.stats.evaluations);
                    cx.count(BOUND_HITS, report.stats.bound_hits);
                    reports.push(report);
                    made
                }
            };
            for live_outs in made {
                cx.count(GROUPS, 1);
                cx.count(LIVE_OUTS, live_outs);
            }
        }
        if !options.report.is_empty() {
            write_reports(&options.report, &reports).map_err(|error| fail(format!("option 'report': {error}")))?;
        }
        reports.into_iter().for_each(|report| cx.report(report));
        Ok(())
    }
}

/// Writes reports as JSON.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_reports<R: Serialize>(file: &str, reports: &[R]) -> Result<(), String> {
    let text = serde_json::to_string_pretty(reports).map_err(|error| error.to_string())?;
    std::fs::write(file, text + "\n").map_err(|error| format!("{file}: {error}"))
}

/// The target of the options; `None` where no costs are wanted.
fn target_of(options: &FuseOptions, wants_report: bool) -> Result<Option<Target>, String> {
    let is_asked = matches!(options.strategy, Strategy::Greedy | Strategy::Segments | Strategy::Dp)
        || !options.report.is_empty()
        || wants_report;
    match (options.target.as_str(), options.target_file.as_str()) {
        ("", "") if !is_asked => Ok(None),
        ("", "") => Target::named("h200").map(Some).map_err(|error| error.to_string()),
        (name, "") => Target::named(name).map(Some).map_err(|error| error.to_string()),
        ("", file) => {
            let text =
                std::fs::read_to_string(file).map_err(|error| format!("option 'target-file': {file}: {error}"))?;
            Target::from_toml(&text).map(Some).map_err(|error| format!("{file}: {error}"))
        }
        (name, file) => {
            Err(format!("options 'target' is '{name}' and 'target-file' is '{file}', expected one of the two"))
        }
    }
}

/// `2832x4256` as numbers.
pub fn size_of(text: &str) -> Result<Vec<i64>, String> {
    let expected = || format!("option 'size' is '{text}', expected positive numbers, for example 2832x4256");
    if text.is_empty() { Ok(Vec::new()) } else { extents_of(text).ok_or_else(expected) }
}

/// Groups a program's stages by what they cost on a target, with the given schedule, or the cheapest if one is to be
/// chosen; returns the live-outs of each group, and why it came out so.
///
/// # Errors
///
/// A function with branches; a group written by hand, or a single stage, that breaks a limit of the target.
pub fn group_by_cost<'c>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, '_>,
    strategy: Strategy,
    target: &Target,
    size: &[i64],
    choose: bool,
    schedule: Option<DictionaryAttribute<'c>>,
) -> Result<(Vec<usize>, Report), Failure<'c>> {
    let block = program::entry(func)?;
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    program::unify_dims(block);
    let whole = Whole::of(block, &Sizes::of_program(func, block, size))?;
    let mut search = Search::new(&whole, target, program::symbol(func), strategy.word());
    for group in ir::operations(block).flat_map(ir::walk).filter_map(Group::of) {
        search.check(group)?;
    }
    let mut names = group_names(block);
    let mut live_outs = Vec::new();
    for block in program::blocks(func)? {
        for run in runs(block) {
            let mut fresh = Vec::new();
            let made = search.partition(cx, &run, strategy, || {
                let name = names.numbered("g");
                fresh.push(name.clone());
                name
            })?;
            let made =
                made.into_iter().map(|(stages, chosen)| (stages, schedule.or(chosen.filter(|_| choose)))).collect();
            live_outs.extend(make(cx, block, &run, made, fresh));
        }
    }
    Ok((live_outs, search.report))
}

/// The schedule of an option: what stands between the braces of the attribute, or the whole of it.
fn schedule_of<'c>(
    cx: &PassContext<'c>,
    module: OperationRef<'c, '_>,
    text: &str,
) -> Result<DictionaryAttribute<'c>, Diagnostic<'c>> {
    let inner = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let attribute = Attribute::parse(cx.context(), &format!("{{{inner}}}"));
    attribute.and_then(|attribute| DictionaryAttribute::try_from(attribute).ok()).ok_or_else(|| {
        Diagnostic::on(module, format!("option 'schedule' is '{text}', expected the entries of a schedule attribute"))
    })
}

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
    let made = made.into_iter().zip(names);
    made.map(|((stages, schedule), name)| group(cx, block, &name, schedule, &stages, behind).op().result_count())
        .collect()
}

/// The stages between the groups, scans, scatters and iterates that are there: in program order, none of these between them.
pub fn runs<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Vec<Stage<'c, 'a>>> {
    let mut runs = vec![Vec::new()];
    for op in ir::operations(block) {
        if let (Some(stage), Some(run)) = (Stage::of(op), runs.last_mut()) {
            run.push(stage);
        } else if program::is_work(op) {
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
fn group<'c: 'a, 'a>(
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
