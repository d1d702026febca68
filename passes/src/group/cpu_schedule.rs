//! `--cpu-schedule`: which stages slide down their images together on a CPU, and in tiles of what size.
//!
//! ```text
//! %0 = pipeline.stage "blurx" ...          %g0 = pipeline.group "g0" schedule {tile = array<i64: 600, 6400>} {
//! %1 = pipeline.stage "blury" ...   ──▶      %0 = pipeline.stage "blurx" ...
//! return %1                                  %1 = pipeline.stage "blury" ...
//!                                            pipeline.yield %1 } ; return %g0
//! ```
//!
//! The partition is found by the same search as that of `--fuse`, with the costs of [`weft_model::cpu`]; with `sioutas` search, costs and tiles
//! are those of the paper on reuse analysis; with `tune` all is as a
//! [file](Tuned) says. Groups that are there already, written by hand, stay as they are; those that have no schedule get one.
//!
//! Stages whose planes are computed alike, from pixels to pixels, are pixels in memory (`weft.interleaved`, [`weft_model::Program::kept_pixels`]).

use super::{
    grouping,
    report::{Candidate, GroupReport, OnCpu, RejectedGroup, Report, SearchStats, StageReport, Term, write_reports},
    schedule::as_scheduled,
    search,
    strategy::{Overlap, Strategy},
    tuned::Tuned,
};
use crate::{
    analysis::{Sizes, cpu_of, extents_of, model::Whole, size_of},
    ir::{program, symbol},
};
use melior::{
    dialect::DialectHandle,
    ir::{Attribute, BlockRef, OperationRef, attribute::DictionaryAttribute, operation::OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use serde::Serialize;
use weft_dialects::{
    pipeline::{self, Group, Stage},
    weft,
};
use weft_model::{
    Cpu, CpuChoice, CpuCost, CpuPlan, CpuRejection, Cut, Program, Room, Rule, aligned_tile, choose_cpu, choose_sioutas,
    partition::{Bounds, Costs, Memo, StageSet},
    ranked_cpu, reuse_cost, size_of_grid, stream_of,
    tiles::overlap,
};

options! {
    /// Options of `--cpu-schedule`.
    pub struct CpuScheduleOptions {
        strategy: Strategy = Strategy::Dp, "strategy", "which stages share a group: everything, nothing, what is found by merging, by splitting what does not fit, by dynamic programming, as PolyMage does, or by reuse as Sioutas et al. do, with tiles of theirs";
        tile: String = "", "tile", "one tile for all groups, for example 32x256; leading dimensions that it leaves out are whole. Default: each has the cheapest, with polymage 32x256";
        overlap: Overlap = Overlap::Scalene, "overlap", "the shape of tiles";
        threshold: i64 = 40, "threshold", "the overlap that polymage tolerates, in percent of what a tile is for";
        target: String = "host", "target", "the CPU that costs are for: host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml";
        size: String = "", "size", "extents of images that are not known, for costs: 2832x4256";
        tune: String = "", "tune", "a file of groups and schedules that pipeline-run --tune has found; nothing else is then decided";
        report: String = "", "report", "a file to write the groups and what they cost to, as JSON";
        candidates: i64 = 0, "candidates", "tiles of each group that the report has, cheapest first, whether or not they were chosen";
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
core some tiles. What lies between interleaved images, and is computed in one way for all their channels, gets `weft.interleaved`. With `strategy=sioutas` all is as the paper on reuse analysis has it: one group where the last cache holds what is kept, \
and tiles that begin few rows and compute little twice.";
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
        let cpu = cpu_of(module, &options.target)?;
        let size = size_of(&options.size).map_err(|message| Diagnostic::on(module, message))?;
        let mut reports = Vec::new();
        for func in program::programs(module) {
            reports.push(schedule(cx, func, &cpu, &size, options)?);
        }
        if !options.report.is_empty() {
            write_reports(&options.report, &reports)
                .map_err(|error| Diagnostic::on(module, format!("option 'report': {error}")))?;
        }
        reports.into_iter().for_each(|report| cx.report(report));
        Ok(())
    }
}

fn schedule<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    cpu: &Cpu,
    size: &[i64],
    options: &CpuScheduleOptions,
) -> Result<CpuReport, Failure<'c>> {
    let refused = |message: String| Diagnostic::on(func, format!("option 'tune': {message}"));
    let tuned = match options.tune.as_str() {
        "" => None,
        file => Some(Tuned::read(file, symbol(func)).map_err(refused)?),
    };
    let block = program::entry(func)?;
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    program::unify_dims(block);
    let mut whole = Whole::of(block, &Sizes::of_program(func, block, size))?;
    // What lies between pixels, as far as it is not taken apart, is pixels, too.
    let kept = whole.model.kept_pixels();
    for number in kept.iter().copied().filter(|number| !whole.model.is_result[*number]) {
        ir::mutable(whole.stages[number].op()).set_attribute(weft::INTERLEAVED, Attribute::unit(cx.context()));
    }
    whole.model.interleaved.stages.extend(kept);
    let report = CpuReport {
        program: symbol(func).to_owned(),
        strategy: options.strategy.word().to_owned(),
        target: cpu.name.clone(),
        groups: Vec::new(),
        rejected: Vec::new(),
        stats: SearchStats::default(),
    };
    let candidates = usize::try_from(options.candidates).unwrap_or_default();
    let wanted = Wanted::of(options).map_err(|message| Diagnostic::on(func, message))?;
    let mut scheduling = Scheduling { cx, whole: &whole, cpu, wanted: &wanted, candidates, report };
    scheduling.complete(block);
    let mut names = grouping::group_names(block);
    for block in program::blocks(func)? {
        for run in grouping::runs(block) {
            let made = match &tuned {
                Some(tuned) => scheduling
                    .as_said(tuned, &run)
                    .map_err(|message| refused(format!("{}: {message}", options.tune)))?,
                None => scheduling.search(&run, options),
            };
            cx.count(GROUPS, made.len());
            let mut fresh = Vec::new();
            let mut groups: grouping::Made = Vec::new();
            for (stages, chosen) in made {
                let name = names.numbered("g");
                scheduling.note(&name, &whole.numbers(&stages), &chosen.group, chosen.of);
                groups.push((stages, chosen.schedule));
                fresh.push(name);
            }
            grouping::make(cx, block, &run, groups, fresh);
        }
    }
    Ok(scheduling.report)
}

/// What tiles are to be.
struct Wanted {
    /// The last dimensions of each.
    tile: Option<Vec<i64>>,
    overlap: Overlap,
    /// Whether costs and tiles are those of the paper on reuse analysis.
    by_reuse: bool,
    /// Where windows may be.
    room: Room,
}

impl Wanted {
    fn of(options: &CpuScheduleOptions) -> Result<Self, String> {
        let said = match (options.tile.as_str(), options.strategy) {
            ("", Strategy::PolyMage) => POLYMAGE_TILE,
            (said, _) => said,
        };
        let wrong = || format!("option 'tile' is '{said}', expected positive numbers such as 32x256");
        let tile = (!said.is_empty()).then(|| extents_of(said).ok_or_else(wrong)).transpose()?;
        // The others do not compare what a group costs with what its parts do.
        let room = match options.strategy {
            Strategy::Dp | Strategy::Greedy => Room::Last,
            _ => Room::Second,
        };
        Ok(Self { tile, overlap: options.overlap, by_reuse: options.strategy == Strategy::Sioutas, room })
    }

    /// Stages as a group with such tiles.
    fn group(&self, program: &Program, members: &[usize]) -> weft_model::Group {
        let mut group = program.group(members);
        group.shape = self.overlap.shape();
        group
    }

    /// The tile of a group, which is no larger than the image; `None` where any will do.
    fn tile(&self, group: &weft_model::Group) -> Option<Vec<i64>> {
        let wanted = self.tile.as_ref()?;
        let mut tile = size_of_grid(group);
        for (extent, wanted) in tile.iter_mut().rev().zip(wanted.iter().rev()) {
            *extent = (*extent).min(*wanted);
        }
        Some(aligned_tile(group, Some(&tile)))
    }

    /// The group with its tile, or the one that costs least.
    fn plan(&self, group: &weft_model::Group, cpu: &Cpu) -> Result<CpuPlan, CpuRejection> {
        let tile = match self.tile(group) {
            Some(tile) => tile,
            None if self.by_reuse => choose_sioutas(group, cpu)?.0,
            None => choose_cpu(group, cpu, self.room)?.tile,
        };
        CpuPlan::of(group, cpu, &tile)
    }

    /// What a group costs with its tile.
    fn cost(&self, group: &weft_model::Group, cpu: &Cpu) -> Result<f64, CpuRejection> {
        match (self.tile(group), self.by_reuse) {
            (Some(tile), true) => reuse_cost(group, &tile).map(|cost| cost.total()),
            (None, true) => choose_sioutas(group, cpu).map(|(_, cost)| cost.total()),
            (None, false) => choose_cpu(group, cpu, self.room).map(|choice| choice.cost.total()),
            (Some(_), false) => self.plan(group, cpu).map(|plan| plan.choice.cost.total()),
        }
    }
}

/// The tile of all groups of `polymage` where none is said: of those that its autotuner tries one that is often good.
const POLYMAGE_TILE: &str = "32x256";

/// How a group is to be computed.
struct Chosen<'c> {
    schedule: Option<DictionaryAttribute<'c>>,
    /// Its model.
    group: weft_model::Group,
    /// What the model says of it; nothing where it has no tile.
    of: Option<Result<CpuPlan, CpuRejection>>,
}

/// Groups, each with how it is to be computed.
type Scheduled<'c, 'a> = Vec<(Vec<Stage<'c, 'a>>, Chosen<'c>)>;

/// A program whose stages are put into groups.
struct Scheduling<'s, 'c, 'a> {
    cx: &'s PassContext<'c>,
    whole: &'s Whole<'c, 'a>,
    cpu: &'s Cpu,
    wanted: &'s Wanted,
    /// Tiles of each group that the report has.
    candidates: usize,
    report: CpuReport,
}

impl<'c: 'a, 'a> Scheduling<'_, 'c, 'a> {
    fn group(&self, stages: &[Stage<'c, 'a>]) -> weft_model::Group {
        self.wanted.group(&self.whole.model, &self.whole.numbers(stages))
    }

    /// Gives a tile to groups that are written by hand and have no schedule.
    fn complete(&mut self, block: BlockRef<'c, 'a>) {
        for group in ir::operations(block).flat_map(ir::walk).filter_map(Group::of) {
            let mut model = self.group(&group.stages());
            if group.schedule().is_some() {
                model = as_scheduled(model, group.schedule());
            }
            let of = match group.schedule() {
                None => Some(self.wanted.plan(&model, self.cpu)),
                // The verifier has seen to what it says.
                Some(said) => pipeline::Schedule::parse(said, model.grid_rank())
                    .ok()
                    .and_then(|said| said.tile)
                    .map(|tile| CpuPlan::of(&model, self.cpu, &tile)),
            };
            if let (None, Some(Ok(plan))) = (group.schedule(), &of) {
                ir::mutable(group.op()).set_attribute("schedule", self.attribute(&plan.choice.tile).into());
            }
            self.note(group.name(), &self.whole.numbers(&group.stages()), &model, of);
        }
    }

    fn attribute(&self, tile: &[i64]) -> DictionaryAttribute<'c> {
        let overlap = (self.wanted.overlap != Overlap::Scalene).then(|| self.wanted.overlap.word().to_owned());
        pipeline::Schedule { tile: Some(tile.to_vec()), overlap, ..Default::default() }.attribute(self.cx.context())
    }

    /// The groups of a run that cost least.
    fn search(&mut self, run: &[Stage<'c, 'a>], options: &CpuScheduleOptions) -> Scheduled<'c, 'a> {
        let numbers = self.whole.numbers(run);
        let graph = search::graph(&self.whole.model, &numbers);
        let costs = GroupCosts { program: &self.whole.model, run: &numbers, cpu: self.cpu, wanted: self.wanted };
        let mut memo = Memo::new(costs);
        // Costs take longer here.
        let bounds = Bounds::for_stages(run.len());
        let bounds = Bounds { evaluations: bounds.evaluations * 2 / 3, ..bounds };
        // A stage that fits in no group is the lowering's to refuse.
        let sets =
            match search::partition(options.strategy, &graph, &mut memo, &bounds, options.threshold as f64 / 100.0) {
                Ok(found) => {
                    self.report.stats.add(&found.stats);
                    search::say_bounded(run, &found.stats);
                    found.groups
                }
                Err(_) => (0..run.len()).map(|stage| StageSet::from([stage])).collect(),
            };
        self.cx.count(EVALUATED, memo.evaluated().len());
        for (set, cost) in memo.evaluated() {
            if let Err(rejection) = cost {
                self.reject(&set.iter().map(|stage| numbers[stage]).collect::<Vec<_>>(), rejection);
            }
        }
        let scheduled = |set: StageSet| {
            let stages: Vec<Stage> = set.iter().map(|stage| self.whole.stages[numbers[stage]]).collect();
            let group = self.group(&stages);
            let of = self.wanted.plan(&group, self.cpu);
            let schedule = of.as_ref().ok().map(|plan| self.attribute(&plan.choice.tile));
            (stages, Chosen { schedule, group, of: Some(of) })
        };
        sets.into_iter().map(scheduled).collect()
    }

    /// The groups of a run that a file says.
    fn as_said(&self, tuned: &Tuned, run: &[Stage<'c, 'a>]) -> Result<Scheduled<'c, 'a>, String> {
        let scheduled = |(stages, schedule): (Vec<Stage<'c, 'a>>, Option<DictionaryAttribute<'c>>)| {
            let group = as_scheduled(self.group(&stages), schedule);
            let said = match schedule {
                Some(schedule) => pipeline::Schedule::parse(schedule, group.grid_rank()).map_err(|message| {
                    let names: Vec<String> = stages.iter().map(|stage| format!("\"{}\"", stage.name())).collect();
                    format!("has a group of {}: {message}", names.join(", "))
                })?,
                None => pipeline::Schedule::default(),
            };
            let of = said.tile.map(|tile| CpuPlan::of(&group, self.cpu, &tile));
            Ok((stages, Chosen { schedule, group, of }))
        };
        tuned.made(self.cx.context(), self.whole, run)?.into_iter().map(scheduled).collect()
    }

    /// Puts a group into the report.
    fn note(
        &mut self,
        name: &str,
        members: &[usize],
        group: &weft_model::Group,
        of: Option<Result<CpuPlan, CpuRejection>>,
    ) {
        let plan = match of {
            None => return,
            Some(Err(rejection)) => return self.reject(members, &rejection),
            Some(Ok(plan)) => plan,
        };
        let candidates = match self.candidates {
            0 => Vec::new(),
            most => ranked_cpu(group, self.cpu).into_iter().take(most).collect(),
        };
        let schedule = |choice: &CpuChoice| self.attribute(&choice.tile).to_string();
        let candidate =
            |choice: CpuChoice| Candidate { schedule: schedule(&choice), terms: CpuTerms::from(choice.cost) };
        let stage =
            |(number, member): (usize, &usize)| stage_report(group, &plan, number, self.whole.reads(*member), self.cpu);
        let CpuChoice { cost, .. } = plan.choice;
        let report = GroupReport {
            name: name.to_owned(),
            schedule: schedule(&plan.choice),
            terms: CpuTerms::from(cost),
            cost: cost.parts().map(|(term, cost)| Term { term: term.to_owned(), cost }).into(),
            stages: members.iter().enumerate().filter_map(stage).collect(),
            rejected: Vec::new(),
            candidates: candidates.into_iter().map(candidate).collect(),
        };
        self.report.groups.push(report);
    }

    /// Puts stages that are no group into the report.
    fn reject(&mut self, members: &[usize], rejection: &CpuRejection) {
        let stages = self.whole.names(members);
        let why = match rejection {
            CpuRejection::Cut(cut) => {
                format!("stage \"{}\" {}", stages.get(cut.producer).map_or("?", String::as_str), cut.rule)
            }
            CpuRejection::Windows { .. } => rejection.to_string(),
        };
        self.report.rejected.push(RejectedGroup { stages, why });
    }
}

/// Groups of stages, by their number in the run that is grouped.
struct GroupCosts<'p> {
    program: &'p Program,
    run: &'p [usize],
    cpu: &'p Cpu,
    wanted: &'p Wanted,
}

impl GroupCosts<'_> {
    fn group(&self, set: &StageSet) -> weft_model::Group {
        self.wanted.group(self.program, &set.iter().map(|stage| self.run[stage]).collect::<Vec<_>>())
    }
}

impl Costs for GroupCosts<'_> {
    type Rejection = CpuRejection;

    fn cost(&mut self, set: &StageSet) -> Result<f64, CpuRejection> {
        let group = self.group(set);
        self.wanted.cost(&group, self.cpu)
    }

    fn overlap(&self, set: &StageSet) -> Option<f64> {
        let group = self.group(set);
        overlap(&group, &self.wanted.tile(&group)?, &size_of_grid(&group))
    }

    fn points(&self, stage: usize) -> f64 {
        self.program.stages[self.run[stage]].points()
    }

    /// A read that does not fit its consumer's tiles does not fit them in larger groups either, but for odd cases.
    fn may_grow(&self, rejection: &CpuRejection) -> bool {
        !matches!(rejection, CpuRejection::Cut(Cut { rule: Rule::NotAffine | Rule::Scales, .. }))
    }
}

// ---- The report -----------------------------------------------------------------------------------------------------------

/// How a program was grouped for a CPU, and what the model says of it.
pub type CpuReport = Report<CpuTerms>;

/// A cost, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CpuTerms {
    /// All of it: memory, arithmetic and overhead, as far as they do not overlap.
    pub total: f64,
    /// Images read and written.
    pub memory: f64,
    /// Points computed.
    pub compute: f64,
    /// Rows, tiles and threads begun.
    pub overhead: f64,
    /// Bytes of images read.
    pub read: f64,
    /// Bytes of images written.
    pub written: f64,
    /// Tiles of the whole image.
    pub tiles: i64,
    /// Bytes of what a tile keeps between rows.
    pub windows: i64,
}

impl From<CpuCost> for CpuTerms {
    fn from(cost: CpuCost) -> Self {
        let CpuCost { memory, compute, overhead, read, written, tiles, windows } = cost;
        Self { total: cost.total(), memory, compute, overhead, read, written, tiles, windows }
    }
}

/// The box of a stage that a tile computes, and how: a tick after the other, each the rows that are new to it.
fn stage_report(
    group: &weft_model::Group,
    plan: &CpuPlan,
    number: usize,
    reads: Vec<String>,
    cpu: &Cpu,
) -> Option<StageReport> {
    let (stage, part) = (&group.stages[number], plan.sliding.parts[number].as_ref()?);
    let stream = stream_of(group);
    let mut report = StageReport::new(stage, part, reads);
    for d in (0..part.strides.len()).filter(|d| part.slides(*d, stream)) {
        let stride = part.strides[d];
        let ticks = (plan.choice.tile[stride.axis] / plan.sliding.tick[stride.axis]).max(1);
        report.extents[d] += stride.step * (ticks - 1);
        report.step[d] *= ticks;
    }
    let of_loop = plan.bundles.iter().position(|bundle| bundle.members.contains(&number))?;
    let bundle = &plan.bundles[of_loop];
    let bytes = |of_point: i64| stage.size.iter().fold(of_point, |all, extent| all.saturating_mul(*extent));
    let window = || part.window(stream, plan.sliding.kept[number], stage.bytes.iter().copied().max().unwrap_or(4)).0;
    report.on_cpu = Some(OnCpu {
        of_loop,
        rows: bundle.rows,
        planes: bundle.planes,
        window: bundle.is_kept(group, number).then(window),
        is_non_temporal: stage.is_live_out
            && stage.bytes.iter().any(|of_point| {
                bytes(*of_point) >= cpu.past_caches(bundle.is_pointwise(group))
                    && bundle.lanes(group, cpu).fill_lines(*of_point)
            }),
    });
    Some(report)
}
