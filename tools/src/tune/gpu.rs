//! Tuning for GPUs, where the time of each kernel is known.
//!
//! ```text
//! partition ─── round 0: the model's schedules      ┌ per group, the fastest
//!               round k: each group's k-th ── run ──┤ of all its schedules
//! partition ─── ...                                 └ the partition whose sum is least
//! ```
//!
//! Kernels of different groups do not meet, so one run measures a schedule of every group at once; a group that two partitions have is
//! measured once.

use super::groups::{CANDIDATES, Choices, Grouped, Job, Made, Partition, Silence, grouped, partitions, progress};
use crate::{Stop, group_of, run_steps};
use melior::ir::Module;
use mlir_glue::Step;
use serde_json::{Value as Json, json};
use std::{collections::HashMap, time::Instant};
use weft_model::Cost;
use weft_passes::{
    group::{Candidate, Measured, Report, Strategy, Tuned},
    ir::symbol_like,
    pipelines::{PipelineToPtx, PtxOptions},
};

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

/// What a time is noted by: other partitions may have the same group.
fn key(group: &Choices<Cost>, pick: usize) -> (Vec<String>, String) {
    (group.stages.clone(), group.schedules[pick].schedule.clone())
}

/// A partition that is tried in rounds.
struct Rounds<'c> {
    of: Partition<'c, Cost>,
    /// The schedule to try next.
    round: usize,
    /// Microseconds of kernels that are of no group.
    rest: f64,
}

impl Rounds<'_> {
    /// The schedules of a round, by number: of a group that has fewer, the first.
    fn picks(&self, round: usize) -> Vec<usize> {
        self.of.groups.iter().map(|group| if round < group.schedules.len() { round } else { 0 }).collect()
    }

    /// The most schedules that a group of it has.
    fn rounds(&self) -> usize {
        self.of.groups.iter().map(|group| group.schedules.len()).max().unwrap_or(0)
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
    job: &Job<'c, PtxOptions>,
    measure: impl FnMut(&Module<'c>) -> Result<Vec<Kernel>, Stop>,
) -> Result<Option<(Tuned, Json)>, Stop> {
    let start = Instant::now();
    let partitions = partitions(job.context, job.options.strategy, |strategy| partition(job, strategy))?;
    let mut partitions: Vec<Rounds> = partitions.into_iter().map(|of| Rounds { of, round: 0, rest: 0.0 }).collect();
    // Equal kernels of two groups stay two, so that it is known whose time it was.
    let [_, to_ptx] = PipelineToPtx::halves(&PtxOptions { merge: false, ..job.options.clone() })?;
    let mut trials = Trials { job, to_ptx, measure, times: HashMap::new(), tried: 0 };
    // The model's choice is what all others are held against: where it fails, the user shall see why. Others may fail in silence.
    let Some((first, others)) = partitions.split_first_mut() else { return Ok(None) };
    let model_us = trials.round(first)?;
    let silence = Silence::over(job.context);
    for partition in others {
        partition.rest = trials.round(partition).map_or(f64::INFINITY, |_| partition.rest);
    }
    let progress = progress(job.budget);
    while start.elapsed() < job.budget {
        let best = partitions.iter().map(|partition| trials.us(partition)).fold(f64::INFINITY, f64::min);
        progress.set_position(start.elapsed().as_secs());
        progress.set_message(format!("{} tried, {best:.1} us of {model_us:.1}", trials.tried));
        // The one that was tried least, of those that may win.
        let may_win = |partition: &&mut Rounds| !partition.is_done() && trials.us(partition) <= HOPELESS * best;
        let Some(partition) = partitions.iter_mut().filter(may_win).min_by_key(|partition| partition.round) else {
            break;
        };
        if trials.round(partition).is_err() {
            trials.one_by_one(partition);
        }
    }
    progress.finish_and_clear();
    let by_time = |one: &&Rounds, other: &&Rounds| trials.us(one).total_cmp(&trials.us(other));
    let found = partitions.iter().min_by(by_time).expect("there is a first");
    let picks = trials.best(found);
    let us = trials.run(found, &picks).map_or(f64::INFINITY, |kernels| total(&kernels));
    drop(silence);
    let (found, picks, us) = match us <= model_us {
        true => (found, picks, us),
        false => (&partitions[0], partitions[0].picks(0), model_us),
    };
    let tuned = Tuned {
        program: job.function.to_owned(),
        target: job.options.target.clone(),
        groups: found.of.tuned(&picks),
        measured: Some(Measured { by: job.by.clone(), us, model_us, tried: trials.tried }),
    };
    Ok(Some((tuned, trials.report(&partitions))))
}

/// What was tried.
struct Trials<'c, 'j, M> {
    job: &'j Job<'c, PtxOptions>,
    to_ptx: Vec<Step>,
    measure: M,
    /// Microseconds, by stages and schedule; infinite where there is no such kernel.
    times: HashMap<(Vec<String>, String), f64>,
    tried: usize,
}

impl<'c, M: FnMut(&Module<'c>) -> Result<Vec<Kernel>, Stop>> Trials<'c, '_, M> {
    /// Runs a partition with these schedules.
    fn run(&mut self, partition: &Rounds<'c>, picks: &[usize]) -> Result<Vec<Kernel>, Stop> {
        let module = partition.of.with(self.job.context, self.job.function, picks)?;
        run_steps(&module, &self.to_ptx)?;
        self.tried += 1;
        (self.measure)(&module)
    }

    /// Runs a partition with these schedules, and notes what its groups took; microseconds of the whole.
    fn note(&mut self, partition: &mut Rounds<'c>, picks: &[usize]) -> Result<f64, Stop> {
        let kernels = self.run(partition, picks)?;
        let groups = &partition.of.groups;
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
            self.times.insert(key(group, *pick), us);
        }
        Ok(total(&kernels))
    }

    /// Tries the next schedules of a partition's groups, if one of them is new; microseconds of the whole.
    fn round(&mut self, partition: &mut Rounds<'c>) -> Result<f64, Stop> {
        let picks = partition.picks(partition.round);
        partition.round += 1;
        let is_new = |(group, pick): (&Choices<Cost>, &usize)| !self.times.contains_key(&key(group, *pick));
        match partition.of.groups.iter().zip(&picks).any(is_new) {
            true => self.note(partition, &picks),
            false => Ok(self.us(partition)),
        }
    }

    /// The schedules of a round that does not run, each beside what is known to.
    fn one_by_one(&mut self, partition: &mut Rounds<'c>) {
        let known = self.best(partition);
        for (number, pick) in partition.picks(partition.round - 1).into_iter().enumerate() {
            let key = key(&partition.of.groups[number], pick);
            let mut picks = known.clone();
            picks[number] = pick;
            if !self.times.contains_key(&key) && self.note(partition, &picks).is_err() {
                self.times.insert(key, f64::INFINITY);
            }
        }
    }

    /// Microseconds of a group with a schedule; infinite where that is not known.
    fn time(&self, group: &Choices<Cost>, pick: usize) -> f64 {
        self.times.get(&key(group, pick)).copied().unwrap_or(f64::INFINITY)
    }

    /// The fastest schedule of each group so far.
    fn best(&self, partition: &Rounds) -> Vec<usize> {
        let fastest = |group: &Choices<Cost>| {
            let by_time = |one: &usize, other: &usize| self.time(group, *one).total_cmp(&self.time(group, *other));
            (0..group.schedules.len()).min_by(by_time).unwrap_or(0)
        };
        partition.of.groups.iter().map(fastest).collect()
    }

    /// Microseconds of a program, each group with its fastest schedule so far.
    fn us(&self, partition: &Rounds) -> f64 {
        let picks = self.best(partition);
        partition.rest + partition.of.groups.iter().zip(picks).map(|(group, pick)| self.time(group, pick)).sum::<f64>()
    }

    /// What was measured: of each partition the groups, of each group its schedules as the model orders them.
    fn report(&self, partitions: &[Rounds]) -> Json {
        let trial = |group: &Choices<Cost>, pick: usize| {
            let us = self.times.get(&key(group, pick))?;
            let Candidate { schedule, terms } = &group.schedules[pick];
            Some(json!({"schedule": schedule, "us": us.is_finite().then_some(us), "model": terms}))
        };
        let group = |group: &Choices<Cost>| {
            let tried: Vec<Json> = (0..group.schedules.len()).filter_map(|pick| trial(group, pick)).collect();
            json!({"stages": group.stages, "schedules": group.schedules.len(), "tried": tried})
        };
        let partition = |partition: &Rounds| {
            let groups: Vec<Json> = partition.of.groups.iter().map(group).collect();
            json!({"groups": groups, "us_of_no_group": partition.rest, "us": self.us(partition)})
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

/// The partition that a strategy finds; `None` where one of its groups has no kernel, or there is none to tune.
fn partition<'c>(job: &Job<'c, PtxOptions>, strategy: Strategy) -> Result<Option<Partition<'c, Cost>>, Stop> {
    let options = PtxOptions { strategy, candidates: CANDIDATES, ..job.options.clone() };
    let [to_groups, _] = PipelineToPtx::halves(&options)?;
    let Grouped { module, reports, made } = grouped::<_, Report>(job, &to_groups)?;
    let Some(report) = reports.iter().find(|report| report.program == job.function) else { return Ok(None) };
    let mut groups = Vec::new();
    for Made { name, stages, .. } in made {
        let Some(of) = report.groups.iter().find(|of| of.name == name) else { return Ok(None) };
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
        groups.push(Choices { name, stages, schedules });
    }
    Ok((!groups.is_empty()).then_some(Partition { module, groups }))
}
