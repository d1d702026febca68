//! Tuning for CPUs, where only the time of the whole is known, and is never the same twice.
//!
//! ```text
//! partitions, each with the model's tiles:    model other model other ...   how many times the model's own?
//! the best ones, another tile of one group:   best new best new ...         2 % faster, twice?  ──▶ the new one is best
//! what is best at the end:                    model best model best ...     not slower?         ──▶ kept
//! ```
//!
//! Programs that run in turn see the same noise, so times are only held against each other within one such duel. Tries go to groups
//! as the model says that time does.

use super::groups::{CANDIDATES, Choices, Grouped, Job, Made, Partition, Silence, grouped, partitions, progress};
use crate::{Stop, run_steps};
use melior::ir::Module;
use mlir_glue::Step;
use serde_json::{Value as Json, json};
use std::{
    rc::Rc,
    time::{Duration, Instant},
};
use weft_passes::{
    group::{Candidate, CpuReport, CpuTerms, Measured, Strategy, Tuned},
    pipelines::{CpuOptions, PipelineToCpu},
};

/// A new one must be faster by this factor: less is noise.
const MARGIN: f64 = 1.02;
/// What is slower by this factor after the first runs will not win.
const HOPELESS: f64 = 1.25;
/// Tiles are tried of a partition that is slower than the best by this factor at most.
const NEAR: f64 = 1.1;

/// Runs of each in a duel: the first few tell what is hopeless, the fewest and the most.
const RUNS: [usize; 3] = [3, 7, 200];
/// The time of a duel, if it has its fewest runs by then; of the last one that counts, more.
const DUEL: Duration = Duration::from_millis(500);
const LAST_DUEL: Duration = Duration::from_millis(2000);

/// A program that is ready to run: runs it, and gives the microseconds.
pub type Run<'r> = Rc<dyn Fn() -> Result<f64, Stop> + 'r>;

/// How two programs did that ran in turn.
struct Duel {
    /// The least microseconds of each.
    least: [f64; 2],
    /// How many times the first the second takes: the median of all turns.
    ratio: f64,
}

impl Duel {
    /// Runs them for so long.
    fn of(one: &Run, other: &Run, time: Duration) -> Result<Self, Stop> {
        let [first, fewest, most] = RUNS;
        let start = Instant::now();
        let mut least = [f64::INFINITY; 2];
        let mut ratios = Vec::new();
        for runs in 1..=most {
            let us = [one()?, other()?];
            least = [least[0].min(us[0]), least[1].min(us[1])];
            ratios.push(us[1] / us[0]);
            let is_hopeless = runs >= first && least[1] > HOPELESS * least[0];
            if is_hopeless || runs >= fewest && start.elapsed() >= time {
                break;
            }
        }
        ratios.sort_by(f64::total_cmp);
        Ok(Self { least, ratio: ratios[ratios.len() / 2] })
    }

    /// Whether the second is faster by this factor, both at its best and most of the time.
    fn is_won_by(&self, factor: f64) -> bool {
        self.least[1] * factor <= self.least[0] && self.ratio * factor <= 1.0
    }
}

/// A partition, and the tiles with which it is fastest so far.
struct Contender<'c, 'r> {
    of: Partition<'c, CpuTerms>,
    picks: Vec<usize>,
    /// The program with these.
    run: Run<'r>,
    /// How many times the model's own choice it takes.
    ratio: f64,
    /// Of each group, how many tiles were tried, with the first.
    tries: Vec<usize>,
    /// Of each group, what came of it.
    tried: Vec<Vec<Json>>,
}

impl<'c, 'r> Contender<'c, 'r> {
    fn new(of: Partition<'c, CpuTerms>, run: Run<'r>, ratio: f64) -> Self {
        let groups = of.groups.len();
        Self { of, picks: vec![0; groups], run, ratio, tries: vec![1; groups], tried: vec![Vec::new(); groups] }
    }

    /// The group whose next tile is to be tried: that of most cost for each try.
    fn next(&self) -> Option<usize> {
        let groups = &self.of.groups;
        let has_more = |group: &usize| self.tries[*group] < groups[*group].schedules.len();
        let worth = |group: usize| groups[group].schedules[0].terms.total / self.tries[group] as f64;
        let by_worth = |one: &usize, other: &usize| worth(*one).total_cmp(&worth(*other));
        (0..groups.len()).filter(has_more).max_by(by_worth)
    }

    fn report(&self) -> Json {
        let group = |(of, tried): (&Choices<CpuTerms>, &Vec<Json>)| {
            let own = &of.schedules[0];
            let own = json!({"schedule": own.schedule, "model": own.terms});
            json!({"stages": of.stages, "schedules": of.schedules.len(), "of_model": own, "tried": tried})
        };
        let groups: Vec<Json> = self.of.groups.iter().zip(&self.tried).map(group).collect();
        json!({"groups": groups, "times_model": self.ratio})
    }
}

/// Finds groups and tiles by compiling and measuring; `compile` makes a lowered program ready to run. Beside what was found, all that was
/// tried, with what the model says of it. `None` where all groups are written by hand.
///
/// # Errors
///
/// A program that cannot be lowered or run as the model has it.
pub fn tune<'c, 'r>(
    job: &Job<'c, CpuOptions>,
    compile: impl FnMut(&Module<'c>) -> Result<Run<'r>, Stop>,
) -> Result<Option<(Tuned, Json)>, Stop> {
    let start = Instant::now();
    let mut found = partitions(job.context, job.options.strategy, |strategy| partition(job, strategy))?.into_iter();
    let [_, to_llvm] = PipelineToCpu::halves(job.options)?;
    let mut trials = Trials { job, to_llvm, compile, start, tried: 0 };
    // The model's choice is what all others are held against: where it fails, the user shall see why. Others may fail in silence.
    let Some(first) = found.next() else { return Ok(None) };
    let own = vec![0; first.groups.len()];
    let model = trials.compile(&first, &own)?;
    model()?;
    let own = first.tuned(&own);
    let silence = Silence::over(job.context);
    let mut contenders = vec![Contender::new(first, model.clone(), 1.0)];
    for partition in found {
        contenders.extend(trials.contender(partition, &model));
    }
    trials.try_tiles(&mut contenders, &model);
    let by_ratio = |one: &&Contender, other: &&Contender| one.ratio.total_cmp(&other.ratio);
    let best = contenders.iter().min_by(by_ratio).expect("there is a first");
    let last = Duel::of(&model, &best.run, LAST_DUEL)?;
    drop(silence);
    let [model_us, us] = last.least;
    let is_found = !Rc::ptr_eq(&model, &best.run) && last.is_won_by(1.0);
    let (groups, us) = if is_found { (best.of.tuned(&best.picks), us) } else { (own, model_us) };
    let measured = Measured { by: job.by.clone(), us, model_us, tried: trials.tried };
    let (program, target) = (job.function.to_owned(), job.options.target.clone());
    let report = json!({
        "program": program,
        "target": target,
        "by": job.by,
        "partitions": contenders.iter().map(Contender::report).collect::<Vec<_>>(),
    });
    Ok(Some((Tuned { program, target, groups, measured: Some(measured) }, report)))
}

/// What tries.
struct Trials<'c, 'j, M> {
    job: &'j Job<'c, CpuOptions>,
    to_llvm: Vec<Step>,
    compile: M,
    start: Instant,
    tried: usize,
}

impl<'c, 'r, M: FnMut(&Module<'c>) -> Result<Run<'r>, Stop>> Trials<'c, '_, M> {
    /// A partition with these tiles, ready to run.
    fn compile(&mut self, partition: &Partition<'c, CpuTerms>, picks: &[usize]) -> Result<Run<'r>, Stop> {
        let module = partition.with(self.job.context, self.job.function, picks)?;
        run_steps(&module, &self.to_llvm)?;
        self.tried += 1;
        (self.compile)(&module)
    }

    /// A partition with the model's tiles, if it runs, and if half of the time is still there for tiles.
    fn contender(&mut self, of: Partition<'c, CpuTerms>, model: &Run<'r>) -> Option<Contender<'c, 'r>> {
        if self.start.elapsed() >= self.job.budget / 2 {
            return None;
        }
        let run = self.compile(&of, &vec![0; of.groups.len()]).ok()?;
        let ratio = Duel::of(model, &run, DUEL).ok()?.ratio;
        Some(Contender::new(of, run, ratio))
    }

    /// Tries tiles of the best partitions, as many as there is time for.
    fn try_tiles(&mut self, contenders: &mut [Contender<'c, 'r>], model: &Run) {
        let progress = progress(self.job.budget);
        let model_us = model().unwrap_or_default();
        while self.start.elapsed() < self.job.budget {
            let best = contenders.iter().map(|contender| contender.ratio).fold(f64::INFINITY, f64::min);
            progress.set_position(self.start.elapsed().as_secs());
            progress.set_message(format!("{} tried, {:.1} us of {model_us:.1}", self.tried, best * model_us));
            // The one that was tried least, of those that may win.
            let may_win = |contender: &&mut Contender| contender.next().is_some() && contender.ratio <= NEAR * best;
            let least = contenders.iter_mut().filter(may_win).min_by_key(|one| one.tries.iter().sum::<usize>());
            let Some(contender) = least else { break };
            self.try_tile(contender);
        }
        progress.finish_and_clear();
    }

    /// Tries the next tile of a partition, and keeps it if it is faster.
    fn try_tile(&mut self, contender: &mut Contender<'c, 'r>) {
        let Some(group) = contender.next() else { return };
        let mut picks = contender.picks.clone();
        picks[group] = contender.tries[group];
        contender.tries[group] += 1;
        let Candidate { schedule, terms } = &contender.of.groups[group].schedules[picks[group]];
        let mut note = json!({"schedule": schedule, "us": null, "us_of_best": null, "is_kept": false, "model": terms});
        let run = self.compile(&contender.of, &picks);
        let duel = run.and_then(|run| Ok((Duel::of(&contender.run, &run, DUEL)?, run)));
        if let Ok((duel, run)) = duel {
            // Of many that are tried some are lucky once.
            let again = || Duel::of(&contender.run, &run, DUEL).is_ok_and(|duel| duel.is_won_by(MARGIN));
            let is_kept = duel.is_won_by(MARGIN) && again();
            note["us_of_best"] = json!(duel.least[0]);
            note["us"] = json!(duel.least[1]);
            note["is_kept"] = json!(is_kept);
            if is_kept {
                (contender.picks, contender.run) = (picks, run);
                contender.ratio *= duel.ratio;
            }
        }
        contender.tried[group].push(note);
    }
}

/// The partition that a strategy finds; `None` where there is nothing to tune, or not all groups have tiles, but for the pipeline's own.
fn partition<'c>(job: &Job<'c, CpuOptions>, strategy: Strategy) -> Result<Option<Partition<'c, CpuTerms>>, Stop> {
    let options = CpuOptions { strategy, candidates: CANDIDATES, ..job.options.clone() };
    let [to_groups, _] = PipelineToCpu::halves(&options)?;
    let Grouped { module, reports, made } = grouped::<_, CpuReport>(job, &to_groups)?;
    let Some(report) = reports.iter().find(|report| report.program == job.function) else { return Ok(None) };
    let mut groups = Vec::new();
    for Made { name, schedule: own, stages } in made {
        let of = report.groups.iter().find(|of| of.name == name);
        if of.is_none() && strategy != job.options.strategy {
            return Ok(None);
        }
        let terms = of.map(|of| of.terms).unwrap_or_default();
        let mut schedules = of.map(|of| of.candidates.clone()).unwrap_or_default();
        schedules.retain(|candidate| candidate.schedule != own);
        schedules.insert(0, Candidate { schedule: own, terms });
        groups.push(Choices { name, stages, schedules });
    }
    Ok((!groups.is_empty()).then_some(Partition { module, groups }))
}
