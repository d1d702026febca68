//! Groups and schedules found by measuring: what `pipeline-run --tune` does.
//!
//! ```text
//!             ┌ dp ─────── groups ┐              round 0: the model's schedules      ┌ per group, the fastest
//! program ────┼ segments ─ groups ┼── compile ── round k: each group's k-th ── run ──┤ of all its schedules
//!             └ none ───── groups ┘                                                  └ the partition whose sum is least
//! ```
//!
//! The model proposes: partitions by several strategies, and for each group its schedules, cheapest first. Kernels of different groups
//! do not meet, so one run measures a schedule of every group at once; a group that two partitions have is measured once. At the end what
//! was found is run whole, and kept only if it is no slower than what the model had chosen.

pub mod cache;

use crate::{Stop, find_program, group_of, run_steps};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{
    Context,
    ir::{Attribute, Module, OperationRef, operation::OperationMutLike},
};
use mlir_glue::{Sinks, Step, ir, pipeline_text, run::run_pipeline_with};
use serde_json::{Value as Json, json};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use weft_dialects::pipeline::Group;
use weft_passes::{
    group::{Candidate, Measured, Report, Strategy, Tuned, TunedGroup},
    ir::symbol_like,
    pipelines::{PipelineToPtx, PtxOptions},
};

/// Schedules of a group that are asked for: all that the model knows.
const CANDIDATES: i64 = 256;

/// Instructions of a thread, as the model counts them, of schedules that are tried: what is longer is compiled for minutes, and fits no
/// instruction cache.
const LONGEST_CODE: f64 = 3072.0;

/// A partition that is slower than the best by this factor, each group with its best schedule so far, is not tried further.
const HOPELESS: f64 = 1.5;

/// A kernel that ran.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Microseconds, with what it takes to launch it.
    pub us: f64,
}

/// What is tuned, and how long.
pub struct Job<'j> {
    /// The program, as it is before the pipeline.
    pub module: &'j Module<'j>,
    /// The function.
    pub function: &'j str,
    /// The pipeline.
    pub options: &'j PtxOptions,
    /// Who measures, in words.
    pub by: String,
    /// After this time nothing new is tried.
    pub budget: Duration,
}

/// A group, and what it may be.
struct Candidates {
    name: String,
    stages: Vec<String>,
    /// Cheapest by the model first.
    schedules: Vec<Candidate>,
}

impl Candidates {
    /// What a time is noted by: other partitions may have the same group.
    fn key(&self, pick: usize) -> (Vec<String>, String) {
        (self.stages.clone(), self.schedules[pick].schedule.clone())
    }
}

/// A way to group the program's stages.
struct Partition<'c> {
    /// The program, with these groups.
    module: Module<'c>,
    groups: Vec<Candidates>,
    /// The schedule to try next.
    round: usize,
    /// Microseconds of kernels that are of no group.
    rest: f64,
}

impl Partition<'_> {
    /// The schedules of a round, by number: of a group that has fewer, the first.
    fn picks(&self, round: usize) -> Vec<usize> {
        self.groups.iter().map(|group| if round < group.schedules.len() { round } else { 0 }).collect()
    }

    /// The most schedules that a group of it has.
    fn rounds(&self) -> usize {
        self.groups.iter().map(|group| group.schedules.len()).max().unwrap_or(0)
    }

    fn is_done(&self) -> bool {
        self.round >= self.rounds()
    }
}

/// Finds groups and schedules by compiling and measuring. `measure` runs a program whose kernels are lowered, and gives them in order.
/// Beside what was found, all that was tried, with what the model says of it. `None` where all groups are written by hand, or have no kernel.
///
/// # Errors
///
/// A program that cannot be lowered or run as the model has it.
pub fn tune<'c>(
    context: &'c Context,
    job: &Job<'c>,
    measure: impl FnMut(&Module<'c>) -> Result<Vec<Kernel>, Stop>,
) -> Result<Option<(Tuned, Json)>, Stop> {
    let start = Instant::now();
    let mut partitions = partitions(context, job)?;
    // Equal kernels of two groups stay two, so that it is known whose time it was.
    let [_, to_ptx] = PipelineToPtx::halves(&PtxOptions { merge: false, ..job.options.clone() })?;
    let mut trials = Trials { context, job, to_ptx, measure, times: HashMap::new(), tried: 0 };
    // The model's choice is what all others are held against: where it fails, the user shall see why. Others may fail in silence.
    let Some((first, others)) = partitions.split_first_mut() else { return Ok(None) };
    let model_us = trials.round(first)?;
    let silence = Silence::over(context);
    for partition in others {
        partition.rest = trials.round(partition).map_or(f64::INFINITY, |_| partition.rest);
    }
    let progress = ProgressBar::new(job.budget.as_secs());
    progress.set_style(
        ProgressStyle::with_template("tuning {bar:30} {pos}/{len} s, {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    while start.elapsed() < job.budget {
        let best = partitions.iter().map(|partition| trials.us(partition)).fold(f64::INFINITY, f64::min);
        progress.set_position(start.elapsed().as_secs());
        progress.set_message(format!("{} tried, {best:.1} us of {model_us:.1}", trials.tried));
        // The one that was tried least, of those that may win.
        let may_win = |partition: &&mut Partition| !partition.is_done() && trials.us(partition) <= HOPELESS * best;
        let Some(partition) = partitions.iter_mut().filter(may_win).min_by_key(|partition| partition.round) else {
            break;
        };
        if trials.round(partition).is_err() {
            trials.one_by_one(partition);
        }
    }
    progress.finish_and_clear();
    let by_time = |one: &&Partition, other: &&Partition| trials.us(one).total_cmp(&trials.us(other));
    let found = partitions.iter().min_by(by_time).expect("there is a first");
    let picks = trials.best(found);
    let us = trials.run(found, &picks).map_or(f64::INFINITY, |kernels| total(&kernels));
    drop(silence);
    let (found, picks, us) = match us <= model_us {
        true => (found, picks, us),
        false => (&partitions[0], partitions[0].picks(0), model_us),
    };
    let groups = found.groups.iter().zip(picks);
    let groups = groups
        .map(|(group, pick)| TunedGroup {
            stages: group.stages.clone(),
            schedule: group.schedules[pick].schedule.clone(),
        })
        .collect();
    let tuned = Tuned {
        program: job.function.to_owned(),
        target: job.options.target.clone(),
        groups,
        measured: Some(Measured { by: job.by.clone(), us, model_us, tried: trials.tried }),
    };
    Ok(Some((tuned, trials.report(&partitions))))
}

/// What was tried.
struct Trials<'c, 'j, M> {
    context: &'c Context,
    job: &'j Job<'c>,
    to_ptx: Vec<Step>,
    measure: M,
    /// Microseconds, by stages and schedule; infinite where there is no such kernel.
    times: HashMap<(Vec<String>, String), f64>,
    tried: usize,
}

impl<'c, M: FnMut(&Module<'c>) -> Result<Vec<Kernel>, Stop>> Trials<'c, '_, M> {
    /// Runs a partition with these schedules.
    fn run(&mut self, partition: &Partition<'c>, picks: &[usize]) -> Result<Vec<Kernel>, Stop> {
        let module = copy(&partition.module);
        let func = find_program(&module, Some(self.job.function))?;
        for group in ir::walk(func).into_iter().filter_map(Group::of).collect::<Vec<_>>() {
            let number = partition.groups.iter().position(|of| of.name == group.name());
            let schedule = number.map(|number| &partition.groups[number].schedules[picks[number]]);
            if let Some(schedule) = schedule.and_then(|text| Attribute::parse(self.context, &text.schedule)) {
                ir::mutable(group.op()).set_attribute("schedule", schedule);
            }
        }
        run_steps(&module, &self.to_ptx)?;
        self.tried += 1;
        (self.measure)(&module)
    }

    /// Runs a partition with these schedules, and notes what its groups took; microseconds of the whole.
    fn note(&mut self, partition: &mut Partition<'c>, picks: &[usize]) -> Result<f64, Stop> {
        let kernels = self.run(partition, picks)?;
        let groups = &partition.groups;
        let names: Vec<String> =
            groups.iter().map(|group| symbol_like(&format!("{}_{}", self.job.function, group.name))).collect();
        let mut sums = vec![0.0; groups.len()];
        partition.rest = 0.0;
        for kernel in &kernels {
            match group_of(&kernel.name, &names) {
                Some(number) => sums[number] += kernel.us,
                None => partition.rest += kernel.us,
            }
        }
        for ((group, pick), us) in groups.iter().zip(picks).zip(sums) {
            self.times.insert(group.key(*pick), us);
        }
        Ok(total(&kernels))
    }

    /// Tries the next schedules of a partition's groups, if one of them is new; microseconds of the whole.
    fn round(&mut self, partition: &mut Partition<'c>) -> Result<f64, Stop> {
        let picks = partition.picks(partition.round);
        partition.round += 1;
        let is_new = |(group, pick): (&Candidates, &usize)| !self.times.contains_key(&group.key(*pick));
        match partition.groups.iter().zip(&picks).any(is_new) {
            true => self.note(partition, &picks),
            false => Ok(self.us(partition)),
        }
    }

    /// The schedules of a round that does not run, each beside what is known to.
    fn one_by_one(&mut self, partition: &mut Partition<'c>) {
        let known = self.best(partition);
        for (number, pick) in partition.picks(partition.round - 1).into_iter().enumerate() {
            let key = partition.groups[number].key(pick);
            let mut picks = known.clone();
            picks[number] = pick;
            if !self.times.contains_key(&key) && self.note(partition, &picks).is_err() {
                self.times.insert(key, f64::INFINITY);
            }
        }
    }

    /// Microseconds of a group with a schedule; infinite where that is not known.
    fn time(&self, group: &Candidates, pick: usize) -> f64 {
        self.times.get(&group.key(pick)).copied().unwrap_or(f64::INFINITY)
    }

    /// The fastest schedule of each group so far.
    fn best(&self, partition: &Partition) -> Vec<usize> {
        let fastest = |group: &Candidates| {
            let by_time = |one: &usize, other: &usize| self.time(group, *one).total_cmp(&self.time(group, *other));
            (0..group.schedules.len()).min_by(by_time).unwrap_or(0)
        };
        partition.groups.iter().map(fastest).collect()
    }

    /// Microseconds of a program, each group with its fastest schedule so far.
    fn us(&self, partition: &Partition) -> f64 {
        let picks = self.best(partition);
        partition.rest + partition.groups.iter().zip(picks).map(|(group, pick)| self.time(group, pick)).sum::<f64>()
    }

    /// What was measured: of each partition the groups, of each group its schedules as the model orders them.
    fn report(&self, partitions: &[Partition]) -> Json {
        let trial = |group: &Candidates, pick: usize| {
            let us = self.times.get(&group.key(pick))?;
            let Candidate { schedule, terms } = &group.schedules[pick];
            Some(json!({"schedule": schedule, "us": us.is_finite().then_some(us), "model": terms}))
        };
        let group = |group: &Candidates| {
            let tried: Vec<Json> = (0..group.schedules.len()).filter_map(|pick| trial(group, pick)).collect();
            json!({"stages": group.stages, "schedules": group.schedules.len(), "tried": tried})
        };
        let partition = |of: &Partition| {
            let groups: Vec<Json> = of.groups.iter().map(group).collect();
            json!({"groups": groups, "us_of_no_group": of.rest, "us": self.us(of)})
        };
        json!({
            "program": self.job.function,
            "target": self.job.options.target,
            "by": self.job.by,
            "partitions": partitions.iter().map(partition).collect::<Vec<_>>(),
        })
    }
}

fn total(kernels: &[Kernel]) -> f64 {
    kernels.iter().map(|kernel| kernel.us).sum()
}

/// The partitions that strategies find, the pipeline's own first if there is something to tune in it.
fn partitions<'c>(context: &'c Context, job: &Job<'c>) -> Result<Vec<Partition<'c>>, Stop> {
    let own = job.options.strategy;
    let others = [Strategy::Dp, Strategy::Segments, Strategy::Greedy, Strategy::All, Strategy::None];
    let mut found: Vec<Partition> = Vec::new();
    for strategy in std::iter::once(own).chain(others.into_iter().filter(|other| *other != own)) {
        // What another strategy cannot do does not matter, where the pipeline's own can.
        let silence = (!found.is_empty()).then(|| Silence::over(context));
        let partition = match (partition(job, strategy), &silence) {
            (Err(stop), None) => return Err(stop),
            (partition, _) => partition.ok().flatten(),
        };
        let Some(partition) = partition else { continue };
        let stages = |partition: &Partition| -> Vec<Vec<String>> {
            partition.groups.iter().map(|group| group.stages.clone()).collect()
        };
        if found.iter().all(|other| stages(other) != stages(&partition)) {
            found.push(partition);
        }
    }
    Ok(found)
}

/// The partition that a strategy finds; `None` where one of its groups has no kernel, or there is none to tune.
fn partition<'c>(job: &Job<'c>, strategy: Strategy) -> Result<Option<Partition<'c>>, Stop> {
    let module = copy(job.module);
    let by_hand = names_of_groups(find_program(&module, Some(job.function))?);
    let options = PtxOptions { strategy, candidates: CANDIDATES, ..job.options.clone() };
    let [to_groups, _] = PipelineToPtx::halves(&options)?;
    let text = pipeline_text(&to_groups).map_err(|error| error.to_string())?;
    let mut sinks = Sinks::default();
    let reports = sinks.collect::<Report>();
    run_pipeline_with(module.as_operation(), &text, &sinks)?;
    let Some(report) = reports.try_iter().find(|report| report.program == job.function) else { return Ok(None) };
    let made = names_of_groups(find_program(&module, Some(job.function))?);
    let mut groups = Vec::new();
    for name in made.iter().filter(|name| !by_hand.contains(name)) {
        let Some(of) = report.groups.iter().find(|of| of.name == *name) else { return Ok(None) };
        let mut schedules = of.candidates.clone();
        // The strategy's own choice is the first, but where it is one of blocks.
        if let Some(own) = schedules.iter().position(|candidate| candidate.schedule == of.schedule) {
            schedules[..=own].rotate_right(1);
        }
        let mut place = 0..;
        schedules.retain(|candidate| place.next() == Some(0) || candidate.terms.code <= LONGEST_CODE);
        if schedules.is_empty() {
            return Ok(None);
        }
        groups.push(Candidates {
            name: name.clone(),
            stages: of.stages.iter().map(|stage| stage.name.clone()).collect(),
            schedules,
        });
    }
    Ok((!groups.is_empty()).then_some(Partition { module, groups, round: 0, rest: 0.0 }))
}

fn names_of_groups(func: OperationRef) -> Vec<String> {
    ir::walk(func).into_iter().filter_map(Group::of).map(|group| group.name().to_owned()).collect()
}

/// A copy of a module.
pub fn copy<'c>(module: &Module<'c>) -> Module<'c> {
    Module::from_operation((*module.as_operation()).clone()).expect("a copy of a module is one")
}

/// No diagnostics while it lives.
struct Silence<'c> {
    context: &'c Context,
    handler: melior::diagnostic::DiagnosticHandlerId,
}

impl<'c> Silence<'c> {
    fn over(context: &'c Context) -> Self {
        Self { context, handler: context.attach_diagnostic_handler(|_| true) }
    }
}

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        self.context.detach_diagnostic_handler(self.handler);
    }
}
