//! Which stages share a kernel, and with which schedule, by cost: the strategies of `--fuse` that know the machine.
//!
//! ```text
//! the program's model ──▶ graph of stages ──a strategy──▶ groups ──every schedule──▶ the cheapest of each
//!      (analysis)             costs by a few schedules (Effort::Quick)     (Effort::Full)
//! ```
//!
//! Whose costs these are depends on the strategy: `greedy` has those of [`choose_autogpu`], and `all` has the tile of [`forma_schedule`], both for
//! blocks; `dp`, `segments` and `none` have Algorithm 2 of the PolyMage-GPU paper ([`weft_model::cost()`]),
//! for warps. `polymage` has no costs, but one schedule for all groups, that an autotuner tries; `sioutas` is for CPUs.
//!
//! A group that the model rejects, because it has no overlapped tiles or breaks a limit of the target, is not made. Each
//! choice and each rejection goes to the [report](Report).

use super::{
    grouping::Made,
    report::{Candidate, GroupReport, RejectedGroup, RejectedSchedule, Report, SearchStats, StageReport, Term},
    schedule,
    strategy::{Inputs, Strategy},
};
use crate::analysis::model::Whole;
use melior::ir::{OperationRef, attribute::DictionaryAttribute};
use mlir_glue::{Diagnostic, Failure, PassContext};
use std::collections::HashMap;
use weft_dialects::pipeline::{Group, Stage};
use weft_model::{
    Allowed, Choice, Effort, Groups, Kinds, Likeness, Plan, Program, Refusal, Rejected, Rejection, Schedule, Scope,
    Source, Target, aligned_tile, choose, choose_autogpu, choose_forma, evaluate, forma_schedule,
    partition::{self, Bounds, Costs, Graph, Memo, Misfit, Partition, StageSet, Stats},
    ranked, size_of_grid,
    tiles::overlap,
};

/// Planes of an image that a tile which says nothing of them has all of.
const MOST_PLANES: i64 = 4;

/// Groups of stages, by their number in the run that is grouped.
struct GroupCosts<'p> {
    program: &'p Program,
    run: &'p [usize],
    target: &'p Target,
    largest: f64,
    way: Way<'p>,
    kinds: Kinds,
    /// What groups cost, those that are alike once.
    known: HashMap<Likeness, Result<f64, Rejection>>,
}

/// How a group gets its schedule.
#[derive(Clone, Copy)]
struct Way<'p> {
    strategy: Strategy,
    /// That of all groups of `polymage`.
    given: Option<&'p Schedule>,
    /// The fraction of tiles that lies in registers, where all are to have one; then there are no other schedules.
    fraction: Option<f64>,
    /// Whether what one point of a consumer needs alone is computed there.
    nested: bool,
    /// Whether Forma's tiles have tiles of inputs beside them.
    shares_inputs: bool,
}

impl Way<'_> {
    /// The schedule that is given, for a group of any rank: of dimensions in front that it leaves out a tile has few planes whole.
    fn given(self, group: &weft_model::Group) -> Option<Schedule> {
        let given = self.given?;
        let size = size_of_grid(group);
        let fit = |numbers: &Vec<i64>, in_front: fn(i64) -> i64| -> Vec<i64> {
            let own = |d: usize| (d + numbers.len()).checked_sub(size.len()).map(|own| numbers[own]);
            size.iter().enumerate().map(|(d, extent)| own(d).unwrap_or(in_front(*extent))).collect()
        };
        let planes = |extent: i64| if extent <= MOST_PLANES { extent } else { 1 };
        let tile = given.tile.as_ref().map(|tile| aligned_tile(group, Some(&fit(tile, planes))));
        Some(Schedule { tile, block: given.block.as_ref().map(|block| fit(block, |_| 1)), ..given.clone() })
    }

    fn group(self, group: weft_model::Group) -> weft_model::Group {
        // What a block shares at a pixel; of a warp, which has few rows, LLVM writes out a tile for each stage better.
        let is_of_blocks = match self.strategy {
            Strategy::Greedy | Strategy::All => true,
            Strategy::PolyMage => self.given.is_some_and(|given| given.scope == Scope::Block),
            _ => false,
        };
        match self.nested {
            false => group.flat(),
            true if is_of_blocks => group.with_pixels(),
            true => group,
        }
    }

    fn may(self, schedule: &Schedule) -> bool {
        let has = |fraction: f64| (schedule.fraction.unwrap_or(0.0) - fraction).abs() < 1e-6;
        let is_tile = schedule.scope != Scope::Thread && schedule.layout.is_none();
        self.fraction.is_none_or(|fraction| is_tile && has(fraction))
    }

    /// Registers across sampling are for who asks for a fraction: the model has them cheaper than the clock does.
    fn may_come_to(self, plan: &Plan) -> bool {
        self.fraction.is_some() || !plan.hybrid.is_sampled(&plan.parts)
    }
}

impl GroupCosts<'_> {
    /// The stages of a set, by their number in the program.
    fn members(&self, set: &StageSet) -> Vec<usize> {
        set.iter().map(|stage| self.run[stage]).collect()
    }
}

impl Costs for GroupCosts<'_> {
    type Rejection = Rejection;

    fn cost(&mut self, set: &StageSet) -> Result<f64, Rejection> {
        let members = self.members(set);
        let group = self.program.group(&members);
        let likeness = self.kinds.likeness(&members, &group);
        let of_new = || {
            let choice = best(self.way, group, self.target, self.largest, Effort::Quick, |_| ());
            choice.map(|choice| choice.cost.total)
        };
        self.known.entry(likeness).or_insert_with(of_new).clone()
    }

    fn overlap(&self, set: &StageSet) -> Option<f64> {
        let group = self.program.group(&self.members(set));
        overlap(&group, &self.way.given(&group)?.tile?, &size_of_grid(&group))
    }

    fn points(&self, stage: usize) -> f64 {
        self.program.stages[self.run[stage]].points()
    }
}

/// The schedule that a strategy gives a group.
fn best(
    way: Way<'_>,
    group: weft_model::Group,
    target: &Target,
    largest: f64,
    effort: Effort,
    rejected: impl FnMut(Rejected),
) -> Result<Choice, Rejection> {
    let group = &way.group(group);
    match way.strategy {
        Strategy::Greedy => choose_autogpu(group, target, largest, effort, rejected),
        Strategy::All => choose_forma(group, target, largest, way.shares_inputs),
        // `--fuse` asks for a schedule.
        Strategy::PolyMage => evaluate(group, &way.given(group).unwrap_or_default(), target, largest),
        // `--fuse` refuses the last.
        Strategy::Dp | Strategy::Segments | Strategy::None | Strategy::Sioutas => {
            // Of the few schedules that are tried at first most fractions have none.
            let effort = if way.fraction.is_some() { Effort::Full } else { effort };
            let allowed = Allowed { schedule: &|schedule| way.may(schedule), plan: &|plan| way.may_come_to(plan) };
            choose(group, target, largest, effort, &allowed, rejected)
        }
    }
}

/// The partition that a strategy finds, whatever the costs are of: kernels of a GPU, or tiles of a CPU. The threshold is the overlap that
/// `polymage` tolerates.
///
/// # Errors
///
/// A stage that fits in no group.
pub fn partition<C: Costs>(
    strategy: Strategy,
    graph: &Graph,
    memo: &mut Memo<C>,
    bounds: &Bounds,
    threshold: f64,
) -> Result<Partition, Misfit<C::Rejection>> {
    match strategy {
        Strategy::Dp => partition::dp(graph, memo, bounds),
        Strategy::Greedy => partition::greedy(graph, memo),
        Strategy::Segments => partition::segments(graph, memo, bounds),
        Strategy::Sioutas => partition::as_printed(graph, memo, bounds),
        Strategy::None => partition::none(graph, memo),
        Strategy::PolyMage => partition::polymage(graph, memo, threshold),
        // What does not fit is for the lowering to split, and nobody asks what it costs.
        Strategy::All => Ok(Partition {
            groups: vec![StageSet::below(graph.stages())],
            cost: 0.0,
            stats: Stats { evaluations: 1, ..Stats::default() },
        }),
    }
}

/// Programs of so many stages are searched so far that more was never found.
const SEARCHED: usize = 99;

/// A remark where a program is so long that many groups were not looked at.
pub fn say_bounded(run: &[Stage], stats: &Stats) {
    if let Some(first) = run.first().filter(|_| run.len() > SEARCHED && stats.bound_hits > 0) {
        let message = format!(
            "the first of {} stages whose best groups are looked for: {} were, and better ones may be left",
            run.len(),
            stats.evaluations
        );
        Diagnostic::on(first.op(), message).emit_remark();
    }
}

/// A search through the groups of a program.
pub struct Search<'s, 'c, 'a> {
    whole: &'s Whole<'c, 'a>,
    target: &'s Target,
    largest: f64,
    /// Why it came out so.
    pub report: Report,
    /// Schedules of each group that the report has, whether or not they were chosen.
    pub candidates: usize,
    /// The fraction of each tile that lies in registers, where that is said.
    pub fraction: Option<f64>,
    /// Whether what one point of a consumer needs alone is computed there.
    pub nested: bool,
    /// From where Forma's tiles read inputs.
    pub inputs: Inputs,
    /// The schedule of all groups of `polymage`, whose dimensions are the last ones.
    pub given: Option<Schedule>,
    /// The overlap that `polymage` tolerates.
    pub threshold: f64,
}

impl<'s, 'c: 'a, 'a> Search<'s, 'c, 'a> {
    /// A search for this target.
    pub fn new(whole: &'s Whole<'c, 'a>, target: &'s Target, program: &str, strategy: &str) -> Self {
        let largest = whole.model.largest();
        let report = Report {
            program: program.to_owned(),
            strategy: strategy.to_owned(),
            target: target.name.clone(),
            groups: Vec::new(),
            rejected: Vec::new(),
            stats: SearchStats::default(),
        };
        Self {
            whole,
            target,
            largest,
            report,
            candidates: 0,
            fraction: None,
            nested: true,
            inputs: Inputs::Memory,
            given: None,
            threshold: 0.0,
        }
    }

    /// Checks a group that was written by hand against the target.
    ///
    /// # Errors
    ///
    /// The limit that its schedule breaks.
    pub fn check(&mut self, group: Group<'c, 'a>) -> Result<(), Failure<'c>> {
        let members: Vec<usize> = self.whole.numbers(&group.stages());
        let model = self.whole.model.group(&members);
        self.check_members(group.op(), group.name(), &members, model, group.schedule())
    }

    /// Checks groups that a file says, called so, before they are made.
    ///
    /// # Errors
    ///
    /// The limit that a schedule breaks.
    pub fn check_made(&mut self, made: &Made<'c, 'a>, names: &[String]) -> Result<(), Failure<'c>> {
        let groups = Groups(made.iter().map(|(stages, _)| self.whole.numbers(stages)).collect());
        for (number, ((stages, schedule), name)) in made.iter().zip(names).enumerate() {
            let model = groups.group(&self.whole.model, number);
            if let Some(first) = stages.first() {
                self.check_members(first.op(), name, &groups.0[number], model, *schedule)?;
            }
        }
        Ok(())
    }

    fn check_members(
        &mut self,
        at: OperationRef<'c, 'a>,
        name: &str,
        members: &[usize],
        model: weft_model::Group,
        schedule: Option<DictionaryAttribute<'c>>,
    ) -> Result<(), Failure<'c>> {
        let model = &schedule::as_scheduled(model, schedule);
        let schedule = schedule::schedule_in_model(schedule, model.grid_rank(), Scope::Warp);
        match evaluate(model, &schedule, self.target, self.largest) {
            Ok(choice) => {
                self.note(name, members, model, &choice, Vec::new());
                Ok(())
            }
            // What has no boxes, or none that fit, the lowering splits.
            Err(rejection @ Rejection::Plan(Refusal::Cut(_) | Refusal::Shared { .. })) => {
                let why = self.explain(members, &rejection);
                let message = format!("group \"{name}\" has no overlapped tiles, and will be split: {why}");
                Diagnostic::on(at, message).emit_warning();
                Ok(())
            }
            Err(rejection) => {
                let why = self.explain(members, &rejection);
                let message = format!("group \"{name}\" cannot be on {}: {why}", self.target.name);
                Err(Diagnostic::on(at, message).into())
            }
        }
    }

    /// Partitions a run of stages.
    ///
    /// # Errors
    ///
    /// A stage that fits the target in no group.
    pub fn partition(
        &mut self,
        cx: &PassContext<'c>,
        run: &[Stage<'c, 'a>],
        strategy: Strategy,
        names: impl FnMut() -> String,
    ) -> Result<Made<'c, 'a>, Failure<'c>> {
        let numbers: Vec<usize> = self.whole.numbers(run);
        let whole = self.whole;
        let shares_inputs = self.inputs == Inputs::Shared;
        let given = self.given.clone();
        let way = Way { strategy, given: given.as_ref(), fraction: self.fraction, nested: self.nested, shares_inputs };
        let costs = GroupCosts {
            program: &whole.model,
            run: &numbers,
            target: self.target,
            largest: self.largest,
            way,
            kinds: Kinds::of(&whole.model),
            known: HashMap::new(),
        };
        let mut memo = Memo::new(costs);
        let graph = graph(&whole.model, &numbers);
        let misfit = |misfit: Misfit<Rejection>| {
            let stage = numbers[misfit.stage];
            let why = self.explain(&[stage], &misfit.rejection);
            let op = whole.stages[stage].op();
            Diagnostic::on(
                op,
                format!("stage \"{}\" cannot be on {}: {why}", whole.stages[stage].name(), self.target.name),
            )
        };
        let bounds = Bounds::for_stages(run.len());
        let found = partition(strategy, &graph, &mut memo, &bounds, self.threshold).map_err(misfit)?;
        for (set, cost) in memo.evaluated() {
            if let Err(rejection) = cost {
                let members: Vec<usize> = set.iter().map(|stage| numbers[stage]).collect();
                let why = self.explain(&members, rejection);
                self.report.rejected.push(RejectedGroup { stages: self.whole.names(&members), why });
            }
        }
        self.report.stats.add(&found.stats);
        say_bounded(run, &found.stats);
        let mut names = names;
        let mut made = Vec::new();
        let in_program = |found: &Partition| {
            let members = |set: &StageSet| set.iter().map(|stage| numbers[stage]).collect();
            Groups(found.groups.iter().map(members).collect())
        };
        let cost = |group: &weft_model::Group| {
            let choice = best(way, group.clone(), self.target, self.largest, Effort::Quick, |_| ());
            choice.ok().map(|choice| choice.cost.total)
        };
        // What is best without copies of stages need not be with them: others, which dp knows already, may have more to gain.
        let others: &[Strategy] = if strategy == Strategy::Dp { &[Strategy::Greedy, Strategy::Segments] } else { &[] };
        let others = others.iter().filter_map(|other| partition(*other, &graph, &mut memo, &bounds, 0.0).ok());
        let mut all: Vec<Groups> = others.map(|other| in_program(&other)).collect();
        all.insert(0, in_program(&found));
        if matches!(strategy, Strategy::Dp | Strategy::Greedy | Strategy::Segments) {
            all.iter_mut().for_each(|groups| groups.recompute(&whole.model, cost));
        }
        let total = |groups: &Groups| {
            let of_all = (0..groups.0.len()).map(|number| cost(&groups.group(&whole.model, number)));
            of_all.sum::<Option<f64>>().unwrap_or(f64::INFINITY)
        };
        let totals: Vec<f64> = if all.len() > 1 { all.iter().map(total).collect() } else { vec![0.0] };
        let least = (0..all.len()).min_by(|one, other| totals[*one].total_cmp(&totals[*other])).unwrap_or(0);
        let groups = all.swap_remove(least);
        for (number, members) in groups.0.iter().enumerate() {
            let model = way.group(groups.group(&whole.model, number));
            // Those that break the same limit, by whatever number, are one.
            let mut rejected: HashMap<String, (usize, String, String)> = HashMap::new();
            let choice = best(way, model.clone(), self.target, self.largest, Effort::Full, |(schedule, rejection)| {
                let why = self.explain(members, &rejection);
                let kind = why.replace(|c: char| c.is_ascii_digit() || c == '.', "");
                rejected.entry(kind).or_insert_with(|| (0, schedule.to_string(), why)).0 += 1;
            });
            let mut rejected: Vec<RejectedSchedule> = rejected
                .into_values()
                .map(|(schedules, example, why)| RejectedSchedule { schedules, example, why })
                .collect();
            rejected.sort_by(|a, b| (&a.why, a.schedules).cmp(&(&b.why, b.schedules)));
            let schedule = match &choice {
                Ok(choice) => Some(choice.schedule.clone()),
                // The parts that lowering makes of it are for blocks, too.
                Err(_) if strategy == Strategy::All => Some(forma_schedule(model.grid_rank(), shares_inputs)),
                Err(_) => None,
            };
            let schedule = schedule.map(|schedule| attribute(cx, &schedule, way.nested));
            let name = names();
            match choice {
                Ok(choice) => self.note(&name, members, &model, &choice, rejected),
                Err(rejection) => {
                    let why = self.explain(members, &rejection);
                    self.report.rejected.push(RejectedGroup { stages: self.whole.names(members), why });
                }
            }
            made.push((members.iter().map(|member| whole.stages[*member]).collect(), schedule));
        }
        Ok(made)
    }

    /// A rejection in words that name stages.
    fn explain(&self, members: &[usize], rejection: &Rejection) -> String {
        match rejection {
            Rejection::Plan(Refusal::Cut(cut)) => {
                let name = members.get(cut.producer).map_or("?", |member| self.whole.stages[*member].name());
                format!("stage \"{name}\" {}", cut.rule)
            }
            Rejection::Occupancy { stage, .. } => {
                let name = members.get(*stage).map_or("?", |member| self.whole.stages[*member].name());
                rejection.to_string().replacen(&format!("stage #{stage}"), &format!("stage \"{name}\""), 1)
            }
            other => other.to_string(),
        }
    }

    fn note(
        &mut self,
        name: &str,
        members: &[usize],
        model: &weft_model::Group,
        choice: &Choice,
        rejected: Vec<RejectedSchedule>,
    ) {
        let stage = |(number, part): (usize, &Option<weft_model::Part>)| {
            let stage = &model.stages[number];
            Some(StageReport {
                inlined_into: stage.inlined_into.map(|into| model.stages[into].name.clone()),
                ..StageReport::new(stage, part.as_ref()?, self.whole.reads(members[number]))
            })
        };
        self.report.groups.push(GroupReport {
            name: name.to_owned(),
            schedule: choice.schedule.to_string(),
            terms: choice.cost.clone(),
            cost: choice.parts.iter().map(|(term, part)| Term { term: (*term).to_owned(), cost: *part }).collect(),
            stages: choice.plan.parts.iter().enumerate().filter_map(stage).collect(),
            rejected,
            candidates: self.candidates(model),
        });
    }

    fn candidates(&self, model: &weft_model::Group) -> Vec<Candidate> {
        if self.candidates == 0 {
            return Vec::new();
        }
        let cheapest = ranked(model, self.target, self.largest).into_iter().take(self.candidates);
        cheapest.map(|choice| Candidate { schedule: choice.schedule.to_string(), terms: choice.cost }).collect()
    }
}

/// The graph of a run of stages.
pub fn graph(program: &Program, run: &[usize]) -> Graph {
    let place: HashMap<usize, usize> = run.iter().enumerate().map(|(place, stage)| (*stage, place)).collect();
    let mut edges = Vec::new();
    let mut sources: Vec<Source> = Vec::new();
    let mut reads: Vec<Vec<usize>> = Vec::new();
    for (consumer, stage) in run.iter().enumerate() {
        let mut outside = Vec::new();
        for access in &program.stages[*stage].accesses {
            match access.producer().and_then(|producer| place.get(&producer)) {
                Some(producer) => edges.push((*producer, consumer)),
                None => {
                    let known = sources.iter().position(|source| *source == access.source);
                    outside.push(known.unwrap_or_else(|| {
                        sources.push(access.source);
                        sources.len() - 1
                    }));
                }
            }
        }
        reads.push(outside);
    }
    // Stages are numbered producers first.
    Graph::new(run.len(), edges).expect("a run is in order").connect_by_sources(&reads)
}

/// A schedule as the attribute of a group.
fn attribute<'c>(cx: &PassContext<'c>, schedule: &Schedule, nested: bool) -> DictionaryAttribute<'c> {
    schedule::schedule_in_ir(schedule, nested).attribute(cx.context())
}
