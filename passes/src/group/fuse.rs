//! `--fuse`: which stages share a kernel.
//!
//! ```text
//! %0 = pipeline.stage "blurx" ...          %g0 = pipeline.group "g0" {
//! %1 = pipeline.stage "blury" ...   ──▶      %0 = pipeline.stage "blurx" ...
//! return %1                                  %1 = pipeline.stage "blury" ...
//!                                            pipeline.yield %1 } ; return %g0
//! ```
//!
//! By default the partition of least cost is found (`strategy=dp`, [`search`](super::search)). `greedy` merges two while that costs less, `segments`
//! splits what does not fit, `all` makes one group of everything, `none` one of each stage; `polymage` merges where tiles of a schedule that is
//! given overlap by little. With a `target` every group gets the
//! cheapest schedule that the target's limits allow; with `all` that of Forma; with `tune` all is as a
//! [file](Tuned) says. A group that is there already, written by hand,
//! stays as it is, and so do scans, scatters and iterates (in whose bodies stages are grouped apart); the stages before and
//! behind are then grouped apart, for a group that both feeds it and reads it could never run. Live-outs are the results that
//! anything outside the group uses.

use super::{
    grouping::{Made, group_names, group_stages, make, runs},
    report::{Report, write_reports},
    schedule::{fraction_of, schedule_in_model},
    search::Search,
    strategy::{Inputs, Strategy},
    tuned::Tuned,
};
use crate::{
    analysis::{Sizes, model::Whole, size_of},
    ir::{program, symbol},
};
use melior::{
    dialect::DialectHandle,
    ir::{Attribute, OperationRef, attribute::DictionaryAttribute},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::path::Path;
use weft_dialects::pipeline::Group;
use weft_model::{Schedule, Scope, Target};

options! {
    /// Options of `--fuse`.
    pub struct FuseOptions {
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a kernel: everything, nothing, what is found by merging, by splitting what does not fit, by dynamic programming, as PolyMage does, or, on CPUs, by reuse as Sioutas et al. do";
        schedule: String = "", "schedule", "the schedule of groups that are made, for example {tile = array<i64: 8, 128>}; else the target's cheapest";
        schedules: bool = true, "schedules", "choose a schedule for each group that is made, where there is a target";
        target: String = "", "target", "the GPU to choose schedules for; without one, dp, segments and greedy are for an h200, and no schedule is chosen otherwise";
        target_file: String = "", "target-file", "a TOML file that describes the GPU";
        threshold: i64 = 40, "threshold", "the overlap that polymage tolerates, in percent of what a tile of 'schedule' is for";
        fraction: String = "", "fraction", "part of each tile's columns in registers, 0.0 to 1.0; else as is cheapest. There are then no other schedules than tiles";
        nested: bool = true, "nested", "compute what one point of a consumer needs alone there, without a tile of its own";
        inputs: Inputs = Inputs::Memory, "inputs", "where tiles of all read the images of the program: where they are, or in shared memory, where a tile of each is loaded first";
        size: String = "", "size", "extents of images that are not known, for costs: 2832x4256";
        tune: String = "", "tune", "a file of groups and schedules that pipeline-run --tune has found; nothing else is then decided";
        report: String = "", "report", "a file to write the groups, their costs and what was rejected to, as JSON";
        candidates: i64 = 0, "candidates", "schedules of each group that the report has, cheapest first, whether or not they were chosen";
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
Wraps stages into `pipeline.group`s: those of the partition that costs least (`strategy=dp`), those whose merging saves cost \
(`greedy`), the whole or, where that does not fit, its segments (`segments`), all of them into one (`all`), or each into its own \
(`none`); or, for an autotuner to try, those whose tiles of one `schedule`, given for all groups, overlap by less than `threshold` (`polymage`). The cost is that of the kernel on `target`, by AutoGPU's model for `greedy`, by PolyMage-GPU's for others: `pipeline-opt \
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
        let given = match options.strategy {
            Strategy::Sioutas => return Err(fail("option 'strategy' is 'sioutas', which is for CPUs".into()).into()),
            Strategy::PolyMage => Some(given(schedule).map_err(fail)?),
            _ => None,
        };
        if options.threshold < 0 {
            return Err(fail(format!("option 'threshold' is {}, expected 0 or more", options.threshold)).into());
        }
        let target = target_of(options, cx.wants::<Report>()).map_err(fail)?;
        let size = size_of(&options.size).map_err(fail)?;
        let mut reports = Vec::new();
        for func in program::programs(module) {
            let made = match &target {
                None => group_stages(cx, func, options.strategy, schedule)?,
                Some(target) => {
                    let of_all = schedule.filter(|_| given.is_none());
                    let (made, report) = group_by_cost(cx, func, target, &size, (of_all, given.as_ref()), options)?;
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

/// The target of the options; `None` where no costs are wanted.
fn target_of(options: &FuseOptions, wants_report: bool) -> Result<Option<Target>, String> {
    let is_asked =
        matches!(options.strategy, Strategy::Greedy | Strategy::Segments | Strategy::Dp | Strategy::PolyMage)
            || !options.report.is_empty()
            || !options.tune.is_empty()
            || wants_report;
    match (options.target.as_str(), options.target_file.as_str()) {
        ("", "") if !is_asked => Ok(None),
        ("", "") => Target::named("h200").map(Some).map_err(|error| error.to_string()),
        (name, "") => Target::named(name).map(Some).map_err(|error| error.to_string()),
        ("", file) => {
            let text =
                weft_files::text(Path::new(file), "TOML").map_err(|error| format!("option 'target-file': {error}"))?;
            Target::from_toml(&text).map(Some).map_err(|error| format!("{file}: {error}"))
        }
        (name, file) => {
            Err(format!("options 'target' is '{name}' and 'target-file' is '{file}', expected one of the two"))
        }
    }
}

/// Groups a program's stages by what they cost on a target, with this schedule, or that which `polymage` is given, or the cheapest if one is to
/// be chosen, or as a file says; returns the live-outs of each group, and why it came out so.
///
/// # Errors
///
/// A function with branches; a group written by hand or of the file, or a single stage, that breaks a limit of the target.
fn group_by_cost<'c>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, '_>,
    target: &Target,
    size: &[i64],
    (schedule, given): (Option<DictionaryAttribute<'c>>, Option<&Schedule>),
    options: &FuseOptions,
) -> Result<(Vec<usize>, Report), Failure<'c>> {
    let refused = |message: String| Diagnostic::on(func, format!("option 'tune': {message}"));
    let tuned = match options.tune.as_str() {
        "" => None,
        file => Some(Tuned::read(file, symbol(func)).map_err(refused)?),
    };
    let block = program::entry(func)?;
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    program::unify_dims(block);
    let whole = Whole::of(block, &Sizes::of_program(func, block, size))?;
    let mut search = Search::new(&whole, target, symbol(func), options.strategy.word());
    search.candidates = usize::try_from(options.candidates).unwrap_or_default();
    search.nested = options.nested;
    search.inputs = options.inputs;
    search.given = given.cloned();
    search.threshold = options.threshold as f64 / 100.0;
    search.fraction = fraction_of(&options.fraction).map_err(|message| Diagnostic::on(func, message))?;
    let by_hand = ir::operations(block).flat_map(ir::walk).filter_map(Group::of).collect::<Vec<_>>();
    for group in by_hand {
        search.check(group)?;
    }
    let mut names = group_names(block);
    let mut live_outs = Vec::new();
    for block in program::blocks(func)? {
        for run in runs(block) {
            let mut fresh = Vec::new();
            let mut name = || {
                let name = names.numbered("g");
                fresh.push(name.clone());
                name
            };
            let made: Made = match &tuned {
                Some(tuned) => {
                    let made = tuned
                        .made(cx.context(), &whole, &run)
                        .map_err(|message| refused(format!("{}: {message}", options.tune)))?;
                    made.iter().for_each(|_| drop(name()));
                    made
                }
                None => {
                    let made = search.partition(cx, &run, options.strategy, name)?.into_iter();
                    let chosen = |chosen: Option<_>| schedule.or(chosen.filter(|_| options.schedules));
                    made.map(|(stages, of)| (stages, chosen(of))).collect()
                }
            };
            if tuned.is_some() {
                search.check_made(&made, &fresh)?;
            }
            live_outs.extend(make(cx, block, &run, made, fresh));
        }
    }
    Ok((live_outs, search.report))
}

/// The schedule of all groups of `polymage`, of as many dimensions as it says.
fn given(schedule: Option<DictionaryAttribute>) -> Result<Schedule, String> {
    let wanted = "option 'strategy' is 'polymage', expected a 'schedule' with the tile of all groups";
    let schedule = schedule.ok_or(wanted)?;
    let parse = |rank: usize| weft_dialects::pipeline::Schedule::parse(schedule, rank);
    let rank = (1..=4).find(|rank| parse(*rank).is_ok());
    let rank =
        rank.map_or_else(|| parse(2).map(|_| 2), Ok).map_err(|message| format!("option 'schedule': {message}"))?;
    let of = schedule_in_model(Some(schedule), rank, Scope::Warp);
    if of.tile.is_some() { Ok(of) } else { Err(wanted.to_owned()) }
}

/// The schedule of an option: what stands between the braces of the attribute, or the whole of it.
fn schedule_of<'c>(
    cx: &PassContext<'c>,
    module: OperationRef<'c, '_>,
    text: &str,
) -> Result<DictionaryAttribute<'c>, Diagnostic<'c>> {
    let inner = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    // What a person writes is text.
    let attribute = Attribute::parse(cx.context(), &format!("{{{inner}}}"));
    attribute.and_then(|attribute| DictionaryAttribute::try_from(attribute).ok()).ok_or_else(|| {
        Diagnostic::on(module, format!("option 'schedule' is '{text}', expected the entries of a schedule attribute"))
    })
}
