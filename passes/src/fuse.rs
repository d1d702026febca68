//! `--fuse`: which stages share a kernel.
//!
//! ```text
//! %0 = pipeline.stage "blurx" ...          %g0 = pipeline.group "g0" {
//! %1 = pipeline.stage "blury" ...   ──▶      %0 = pipeline.stage "blurx" ...
//! return %1                                  %1 = pipeline.stage "blury" ...
//!                                            pipeline.yield %1 } ; return %g0
//! ```
//!
//! `strategy=all` makes one group of everything, `strategy=none` one of each stage. A group that is there already, written
//! by hand, stays as it is; the stages before and behind it are then grouped apart, for a group that both feeds it and
//! reads it could never run. Live-outs are the results that anything outside the group uses.

use crate::{
    builder::{Builder, Key, key, remap},
    program,
};
use melior::dialect::DialectHandle;
use melior::ir::{
    Attribute, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    attribute::DictionaryAttribute,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, choice, ir, options};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Group, Schedule, Stage};

choice! {
    /// Which stages share a kernel.
    pub enum Strategy { All = "all", None = "none" }
}

options! {
    /// Options of `--fuse`.
    pub struct FuseOptions {
        strategy: Strategy = Strategy::All, "strategy", "which stages share a kernel: everything, or nothing";
        schedule: String = "", "schedule", "the schedule of groups that are made, for example {tile = array<i64: 8, 128>}";
    }
}

/// The pass.
pub struct Fuse;

const GROUPS: Statistic = Statistic::new(c"groups", c"Groups made");
const LIVE_OUTS: Statistic = Statistic::new(c"live-outs", c"Images that leave a group that was made");

impl Pass for Fuse {
    const ARGUMENT: &'static str = "fuse";
    const SUMMARY: &'static str = "Put the stages that share a kernel into groups";
    const DESCRIPTION: &'static str = "\
Wraps stages into `pipeline.group`s: all of them into one (`strategy=all`), or each into its own (`strategy=none`). Groups \
that are there already are kept, with their schedules.";
    const STATISTICS: &'static [Statistic] = &[GROUPS, LIVE_OUTS];
    type Options = FuseOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, options: &FuseOptions, cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let schedule = match options.schedule.as_str() {
            "" => None,
            text => Some(schedule_of(cx, module, text)?),
        };
        for func in program::programs(module) {
            for live_outs in group_stages(cx, func, options.strategy, schedule)? {
                cx.count(GROUPS, 1);
                cx.count(LIVE_OUTS, live_outs);
            }
        }
        Ok(())
    }
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
    let mut names = Names::of(block);
    let made = runs(block, strategy).into_iter().map(|run| group(cx, block, &names.fresh(), schedule, &run));
    Ok(made.map(|group| group.op().result_count()).collect())
}

/// The stages that become one group each time: in program order, no existing group between them.
fn runs<'c: 'a, 'a>(block: BlockRef<'c, 'a>, strategy: Strategy) -> Vec<Vec<Stage<'c, 'a>>> {
    let mut runs = vec![Vec::new()];
    for op in ir::operations(block) {
        if let Some(stage) = Stage::of(op) {
            match (strategy, runs.last_mut()) {
                (Strategy::All, Some(run)) => run.push(stage),
                _ => runs.push(vec![stage]),
            }
        } else if Group::of(op).is_some() {
            runs.push(Vec::new());
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Names that no group has yet.
struct Names {
    taken: HashSet<String>,
    next: usize,
}

impl Names {
    fn of(block: BlockRef) -> Self {
        Self {
            taken: ir::operations(block).filter_map(Group::of).map(|group| group.name().to_owned()).collect(),
            next: 0,
        }
    }

    /// `wanted`, or with a number behind it if that is taken.
    fn like(&mut self, wanted: &str) -> String {
        let tries = std::iter::once(wanted.to_owned()).chain((1..).map(|number| format!("{wanted}_{number}")));
        // The numbers do not end before the names do.
        let free = tries.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }

    fn fresh(&mut self) -> String {
        loop {
            let name = format!("g{}", self.next);
            self.next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
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
    let mut names = Names::of(block);
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
    ir::erase(old.op());
    [(first, before), (name, &after)].map(|(name, stages)| {
        let rank = stages.last().map_or(0, |stage| stage.rank());
        let fits = schedule.filter(|schedule| Schedule::parse(*schedule, rank).is_ok());
        group(cx, block, &name, fits, stages)
    })
}

/// Wraps `stages` into a group.
fn group<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    block: BlockRef<'c, 'a>,
    name: &str,
    schedule: Option<DictionaryAttribute<'c>>,
    stages: &[Stage<'c, 'a>],
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
    let made = Builder::before(cx.context(), first).insert(Group::build(
        cx.context(),
        name,
        schedule.map(Attribute::from),
        &types,
        first.location(),
    ));
    let body = crate::builder::only_block(made);
    let end = body.append_operation(Group::build_yield(&live_outs, first.location()));
    for stage in stages {
        ir::mutable(stage.op()).move_before(end);
    }
    let results: HashMap<Key, Value> =
        live_outs.iter().zip(made.results()).map(|(live_out, result)| (key(*live_out), result.into())).collect();
    outside.into_iter().for_each(|op| remap(op, &results));
    Group::of(made).expect("built as a group")
}
