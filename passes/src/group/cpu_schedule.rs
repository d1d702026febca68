//! `--cpu-schedule`: which stages slide down their images together on a CPU, and in tiles of what size.
//!
//! ```text
//! %0 = pipeline.stage "blurx" ...          %g0 = pipeline.group "g0" schedule {tile = array<i64: 600, 6400>} {
//! %1 = pipeline.stage "blury" ...   ──▶      %0 = pipeline.stage "blurx" ...
//! return %1                                  %1 = pipeline.stage "blury" ...
//!                                            pipeline.yield %1 } ; return %g0
//! ```
//!
//! The partition is found by the same search as that of `--fuse`, with the costs of [`weft_model::cpu`]. Groups that are there
//! already, written by hand, stay as they are; those that have no schedule get one.

use super::{
    grouping,
    report::{SearchStats, write_reports},
    search,
    strategy::Strategy,
};
use crate::{
    analysis::{Sizes, model::Whole, size_of},
    ir::{program, symbol},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, attribute::DictionaryAttribute, operation::OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use serde::Serialize;
use weft_dialects::pipeline::{self, Group, Stage};
use weft_model::{
    Cpu, CpuChoice, CpuCost, CpuRejection, Cut, Program, Rule, choose_cpu,
    partition::{Bounds, Costs, Memo, StageSet},
};

options! {
    /// Options of `--cpu-schedule`.
    pub struct CpuScheduleOptions {
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a group: everything, nothing, what is found by merging, by splitting what does not fit, or by dynamic programming";
        target: String = "host", "target", "the CPU that costs are for: host, zen5 or avx2";
        size: String = "", "size", "extents of images that are not known, for costs: 2832x4256";
        report: String = "", "report", "a file to write the groups and what they cost to, as JSON";
    }
}

/// The pass.
pub struct CpuSchedule;

const GROUPS: Statistic = Statistic::new(c"groups", c"Groups made");
const EVALUATED: Statistic = Statistic::new(c"evaluated", c"Groups whose cost was asked for");

impl Pass for CpuSchedule {
    const ARGUMENT: &'static str = "cpu-schedule";
    const SUMMARY: &'static str = "Group stages for a CPU, and choose their tiles";
    const DESCRIPTION: &'static str = "\
Puts stages that are in no group into groups that cost least on `target` when `--cpu-tile` makes tiles of them, and gives each group \
without a schedule the tile of that cost: as wide as the second cache holds the rows that are kept, and as tall as leaves every \
core some tiles.";
    const STATISTICS: &'static [Statistic] = &[GROUPS, EVALUATED];
    type Options = CpuScheduleOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &CpuScheduleOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu =
            Cpu::named(&options.target).map_err(|error| Diagnostic::on(module, format!("option 'target': {error}")))?;
        let size = size_of(&options.size).map_err(|message| Diagnostic::on(module, message))?;
        let mut reports = Vec::new();
        for func in program::programs(module) {
            reports.push(schedule(cx, func, &cpu, &size, options.strategy)?);
        }
        if !options.report.is_empty() {
            write_reports(&options.report, &reports)
                .map_err(|error| Diagnostic::on(module, format!("option 'report': {error}")))?;
        }
        Ok(())
    }
}

fn schedule<'c>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, '_>,
    cpu: &Cpu,
    size: &[i64],
    strategy: Strategy,
) -> Result<Report, Failure<'c>> {
    let mut report = Report {
        program: symbol(func).to_owned(),
        strategy: strategy.word().to_owned(),
        target: cpu.name.clone(),
        groups: Vec::new(),
        stats: SearchStats::default(),
    };
    let block = program::entry(func)?;
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    program::unify_dims(block);
    let whole = Whole::of(block, &Sizes::of_program(func, block, size))?;
    let number = |stage: &Stage| whole.stages.iter().position(|other| other == stage);
    for group in ir::operations(block).flat_map(ir::walk).filter_map(Group::of) {
        let members: Vec<usize> = group.stages().iter().filter_map(number).collect();
        let chosen = choose_cpu(&whole.model.group(&members), cpu).ok().map(|choice| attribute(cx, &choice.tile));
        if let (None, Some(chosen)) = (group.schedule(), chosen) {
            ir::mutable(group.op()).set_attribute("schedule", chosen.into());
        }
    }
    let mut names = grouping::group_names(block);
    for block in program::blocks(func)? {
        for run in grouping::runs(block) {
            let numbers: Vec<usize> = run.iter().filter_map(number).collect();
            let graph = search::graph(&whole.model, &numbers);
            let mut memo = Memo::new(GroupCosts { program: &whole.model, run: &numbers, cpu });
            // Costs take longer here, and the code is compiled in a second or two.
            let bounds = Bounds::for_stages(run.len());
            let bounds = Bounds { evaluations: bounds.evaluations / 5, ..bounds };
            let found = search::partition(strategy, &graph, &mut memo, &bounds);
            // A stage that fits in no group is the lowering's to refuse.
            let sets = match found {
                Ok(found) => {
                    report.stats.add(&found.stats);
                    found.groups
                }
                Err(_) => (0..run.len()).map(|stage| StageSet::from([stage])).collect(),
            };
            cx.count(EVALUATED, memo.evaluated().len());
            cx.count(GROUPS, sets.len());
            let mut made: grouping::Made = Vec::new();
            let mut fresh = Vec::new();
            for set in sets {
                let members: Vec<usize> = set.iter().map(|stage| numbers[stage]).collect();
                let chosen = choose_cpu(&whole.model.group(&members), cpu);
                let stages: Vec<Stage> = members.iter().map(|member| whole.stages[*member]).collect();
                let name = names.numbered("g");
                report.groups.push(GroupReport::new(&name, &stages, &chosen));
                made.push((stages, chosen.ok().map(|choice| attribute(cx, &choice.tile))));
                fresh.push(name);
            }
            grouping::make(cx, block, &run, made, fresh);
        }
    }
    Ok(report)
}

fn attribute<'c>(cx: &PassContext<'c>, tile: &[i64]) -> DictionaryAttribute<'c> {
    pipeline::Schedule { tile: Some(tile.to_vec()), ..Default::default() }.attribute(cx.context())
}

/// Groups of stages, by their number in the run that is grouped.
struct GroupCosts<'p> {
    program: &'p Program,
    run: &'p [usize],
    cpu: &'p Cpu,
}

impl Costs for GroupCosts<'_> {
    type Rejection = CpuRejection;

    fn cost(&mut self, set: &StageSet) -> Result<f64, CpuRejection> {
        let group = self.program.group(&set.iter().map(|stage| self.run[stage]).collect::<Vec<_>>());
        choose_cpu(&group, self.cpu).map(|choice| choice.cost.total())
    }

    /// A read that does not fit its consumer's tiles does not fit them in larger groups either, but for odd cases.
    fn may_grow(&self, rejection: &CpuRejection) -> bool {
        !matches!(rejection, CpuRejection::Cut(Cut { rule: Rule::NotAffine | Rule::Scales, .. }))
    }
}

// ---- The report -----------------------------------------------------------------------------------------------------------

/// How a program was grouped, and what the model says of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The function.
    pub program: String,
    /// The strategy.
    pub strategy: String,
    /// The CPU.
    pub target: String,
    /// The groups that were made, in the order in which they run.
    pub groups: Vec<GroupReport>,
    /// What the search did.
    pub stats: SearchStats,
}

/// A group, with its costs in nanoseconds.
#[derive(Clone, Debug, Serialize)]
pub struct GroupReport {
    /// Its name.
    pub name: String,
    /// Its stages.
    pub stages: Vec<String>,
    /// Points of a live-out that a tile covers; none where the group has no tile.
    pub tile: Vec<i64>,
    /// What it costs: memory, arithmetic and overhead, as far as they do not overlap; 0 where it has no tile.
    pub cost: f64,
    /// Images read and written.
    pub memory: f64,
    /// Points computed.
    pub compute: f64,
    /// Rows, tiles and threads begun.
    pub overhead: f64,
    /// Why it has no tile.
    pub rejected: Option<String>,
}

impl GroupReport {
    fn new(name: &str, stages: &[Stage], chosen: &Result<CpuChoice, CpuRejection>) -> Self {
        let cost = chosen.as_ref().map_or_else(|_| CpuCost::default(), |choice| choice.cost);
        let why = |rejection: &CpuRejection| match rejection {
            CpuRejection::Cut(cut) => {
                let name = stages.get(cut.producer).map_or("?", |stage| stage.name());
                format!("stage \"{name}\" {}", cut.rule)
            }
            CpuRejection::Windows { .. } => rejection.to_string(),
        };
        Self {
            name: name.to_owned(),
            stages: stages.iter().map(|stage| stage.name().to_owned()).collect(),
            tile: chosen.as_ref().map_or_else(|_| Vec::new(), |choice| choice.tile.clone()),
            cost: cost.total(),
            memory: cost.memory,
            compute: cost.compute,
            overhead: cost.overhead,
            rejected: chosen.as_ref().err().map(why),
        }
    }
}
