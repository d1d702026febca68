//! Random programs through every lowering.
//!
//! ```text
//! seed ──▶ program ──▶ reference, cpu, point, ... ──▶ the same bits, and no report?        10 ms to 400 ms a program
//!            ▲                                  no │
//!            ╰───────── a smaller program ◀────────╯ ... until none is smaller: printed, ready for a test
//! ```
//!
//! [`generate`](mod@generate) makes a program of a seed, [`check`](mod@check) runs it, [`choices`] makes it smaller. `cargo test` runs some
//! hundreds; the binary `weft-random` runs as many as one has patience for, and programs in files.

pub mod apart;
pub mod check;
pub mod choices;
pub mod faults;
pub mod file;
pub mod generate;
pub mod gpu;
mod guarded;
pub mod kernels;
pub mod mutants;
mod numbers;

use apart::{BATCH, check_apart, try_batch};
use check::{Case, Failure, Refused, VARIANTS, Variant, check, check_together};
use choices::{Choices, Decisions, shrink};
use generate::{Size, generate};
use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// Programs that are tried to make one smaller.
const TRIES: usize = 600;

/// What became of a number of programs.
#[derive(Debug, Default)]
pub struct Summary {
    /// Programs that were run.
    pub cases: u64,
    /// Times that a program took a variant.
    pub runs: u64,
    /// How often which variant refused, by its message without the numbers.
    pub refused: BTreeMap<String, u64>,
    /// What failed: the first, shrunk and in full; or a line for each.
    pub failures: Vec<String>,
}

impl Summary {
    /// What was refused, a line each, the number first.
    pub fn refusals(&self) -> String {
        self.refused.iter().map(|(message, count)| format!("{count:6}  {message}\n")).collect()
    }

    /// The part of the runs that was refused.
    pub fn refused_part(&self) -> f64 {
        self.refused.values().sum::<u64>() as f64 / self.runs.max(1) as f64
    }
}

/// The program of a seed.
pub fn case_of(seed: u64, size: Size) -> Case {
    generate(&mut Choices::random(seed), size)
}

/// Which programs to run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The first seed.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// How many at once.
    pub threads: usize,
    /// Whether to go on after a failure; then none is shrunk.
    pub all: bool,
    /// Whether they run in processes of their own; see [`apart`].
    pub apart: bool,
    /// How large they are.
    pub size: Size,
    /// Whether each program takes each way down, however seldom that is taken else.
    pub each: bool,
    /// How many share a module, and the seed of the first input, of which options are drawn; see [`check_together`].
    pub together: u64,
}

impl Plan {
    /// The program that these choices make, as it is where it stands beside others.
    fn case(self, choices: &mut Choices, beside: Option<u64>) -> Case {
        let mut case = generate(choices, self.size);
        if let (Some(beside), Some(first)) = (beside, case.inputs.first_mut()) {
            first.seed = beside;
        }
        case
    }

    /// The seed that programs beside the one of `first` have for their first inputs, if any stand beside it.
    fn beside(self, first: u64) -> Option<u64> {
        (self.together > 1).then(|| case_of(first, self.size).inputs.first().map_or(0, |data| data.seed))
    }

    fn check(self, case: &Case, name: &str, wanted: impl Fn(&Variant) -> bool) -> Result<Refused, Failure> {
        if self.apart { check_apart(case, name, wanted) } else { check(case, name, wanted) }
    }
}

/// What happens to a program.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It is run.
    Begins(u64),
    /// This is wrong.
    Fails(&'a str),
    /// It is done.
    Ends,
}

/// Runs programs; `progress` is told what happens.
pub fn run(plan: Plan, wanted: impl Fn(&Variant) -> bool + Sync, progress: impl Fn(Event) + Sync) -> Summary {
    let Plan { first, count, threads, all, apart, each, together, .. } = plan;
    let together = together.max(1);
    let takes =
        |variant: &Variant, seed: u64| wanted(variant) && (each || (seed / together).is_multiple_of(variant.every));
    let next = AtomicU64::new(first);
    let stop = AtomicBool::new(false);
    let summary = Mutex::new(Summary::default());
    // What a thread takes at a time.
    let batch = if apart { BATCH.next_multiple_of(together) } else { together };
    let end = first.saturating_add(count);
    let one = |seed: u64, first: u64, beside: Option<u64>| {
        progress(Event::Begins(seed));
        let mut choices = Choices::random(seed);
        let case = plan.case(&mut choices, beside);
        let decisions = choices.finish();
        let result = plan.check(&case, &format!("SEED={seed}"), |variant| takes(variant, first));
        // Others failing in the meantime are told of when this one is mended.
        let failure = match &result {
            Err(failure) if all => Some(format!("SEED={seed}: {failure}")),
            Err(failure) if !stop.swap(true, Ordering::Relaxed) => {
                Some(describe(plan, seed, beside, case, decisions, failure))
            }
            _ => None,
        };
        if let Some(failure) = &failure {
            progress(Event::Fails(failure));
        }
        progress(Event::Ends);
        let refused = result.unwrap_or_default();
        let refused = refused.iter().map(|(variant, message)| (format!("{variant}: {}", without_numbers(message)), 1));
        (failure, refused.collect::<Vec<_>>())
    };
    // A panic of another thread is that thread's.
    let count = |seeds: Range<u64>, failure: Option<String>, refused: Vec<(String, u64)>| {
        let mut summary = summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for seed in seeds {
            summary.cases += 1;
            summary.runs += VARIANTS.iter().filter(|variant| takes(variant, seed)).count() as u64;
        }
        for (message, count) in refused {
            *summary.refused.entry(message).or_default() += count;
        }
        summary.failures.extend(failure);
    };
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let seed = next.fetch_add(batch, Ordering::Relaxed);
            if seed >= end {
                break;
            }
            let seeds = seed..end.min(seed.saturating_add(batch));
            if apart && let Some(refused) = try_batch(&seeds, plan.size, together, &wanted) {
                seeds.clone().for_each(|_| progress(Event::Ends));
                count(seeds, None, refused);
                continue;
            }
            for seeds in parts(seeds, together) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let beside = plan.beside(seeds.start);
                let shared = beside.map(|_| {
                    if apart {
                        try_batch(&seeds, plan.size, together, &wanted).ok_or_else(|| "their process fails".to_owned())
                    } else {
                        let cases = seeds.clone().map(|seed| plan.case(&mut Choices::random(seed), beside));
                        let name = format!("SEED={}", seeds.start);
                        match check_together(&cases.collect::<Vec<_>>(), &name, |variant| takes(variant, seeds.start)) {
                            Ok(refused) if refused.is_empty() => Ok(Vec::new()),
                            Ok(refused) => Err(format!("{refused:?}")),
                            Err(failure) => Err(failure.to_string()),
                        }
                    }
                });
                let failure = match shared {
                    Some(Ok(refused)) => {
                        seeds.clone().for_each(|_| progress(Event::Ends));
                        count(seeds, None, refused);
                        continue;
                    }
                    Some(Err(failure)) => Some(failure),
                    None => None,
                };
                // Each by itself, to know which; where none fails so, all of them do.
                let mut is_told = false;
                for seed in seeds.clone() {
                    let (failure, refused) = one(seed, seeds.start, beside);
                    is_told |= failure.is_some() || !refused.is_empty();
                    count(seed..seed + 1, failure, refused);
                }
                if let Some(failure) = failure.filter(|_| !is_told) {
                    let failure = format!("SEED={}, {} together: {failure}", seeds.start, seeds.end - seeds.start);
                    progress(Event::Fails(&failure));
                    count(0..0, Some(failure), Vec::new());
                    stop.fetch_or(!all, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Seeds in parts of so many, the last of the rest.
fn parts(seeds: Range<u64>, count: u64) -> impl Iterator<Item = Range<u64>> {
    let end = seeds.end;
    seeds.step_by(count as usize).map(move |start| start..end.min(start.saturating_add(count)))
}

/// Shrinks a failure, and tells all of it.
fn describe(plan: Plan, seed: u64, beside: Option<u64>, case: Case, decisions: Decisions, failure: &Failure) -> String {
    let only = |variant: &Variant| variant.name == failure.variant;
    let mut last = failure.clone();
    let mut smallest = case;
    shrink(decisions, TRIES, |numbers| {
        let mut choices = Choices::given(numbers);
        let case = plan.case(&mut choices, beside);
        let found = plan.check(&case, "case.mlir", only).err()?;
        let same = (found.variant, found.kind) == (failure.variant, failure.kind);
        let decisions = choices.finish();
        if same {
            (smallest, last) = (case, found);
        }
        same.then_some(decisions)
    });
    format!("SEED={seed}: {failure}\nThe smallest program found that fails so:\n\n{}", file::write(&smallest, &last))
}

/// The message with its numbers and its place taken out, so that like ones are counted together.
fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    for character in message.chars() {
        match character {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}
