//! Time steps: how many of a loop's become one, by what they cost.
//!
//! ```text
//! step: u[t+1] reads u[t]                 4 steps in one group                16 steps cost
//!                                         u[t+4] reads u[t+3] .. reads u[t]   4 x cost(group of 4), not 16 x cost(group of 1)
//! ```
//!
//! A group of several steps reads and writes memory once for all of them, and computes the more of what its neighbours compute as well
//! the more they are. Which weighs more is what a machine's own model of groups says.

use super::{
    group::{Group, Interleaved},
    stage::Source,
    whole_program::Program,
};

/// What part of a step's cost one of several together must come to: they are more code.
const WORTH_STEPS: f64 = 0.85;

/// Stages of all steps that become one.
const MOST_STAGES: i64 = 16;

/// How many of the `count` steps of a loop become one, `most` of them: as many as `cost` least when the stages of all are one group, those
/// that are left over included. `step` are the stages of a step, `states` what it reads of the step before ([`Program::steps`]). A group
/// that has no cost cannot be.
pub fn time_steps(
    program: &Program,
    step: &[usize],
    states: &[(usize, Source)],
    (count, most): (i64, i64),
    cost: impl Fn(&Group) -> Option<f64>,
) -> i64 {
    let cost = |steps: i64| {
        let all = program.steps(step, states, steps as usize);
        cost(&all.group(&(0..all.stages.len()).collect::<Vec<_>>()))
    };
    let Some(one) = cost(1).filter(|_| !step.is_empty()) else { return 1 };
    let most = most.min(count).min(MOST_STAGES / step.len() as i64);
    let of_all = |steps: i64| Some((steps, (count / steps) as f64 * cost(steps)? + (count % steps) as f64 * one));
    match (2..=most).filter_map(of_all).min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((steps, cost)) if cost < WORTH_STEPS * count as f64 * one => steps,
        _ => 1,
    }
}

impl Program {
    /// So many steps of a loop as a program of their own. A step is these stages, in ascending order; each state is an image that it reads,
    /// and what it has in the next step.
    pub fn steps(&self, step: &[usize], states: &[(usize, Source)], steps: usize) -> Self {
        let mut images = self.images.clone();
        let mut outside: Vec<(Source, usize)> = Vec::new();
        let mut image_of = |source: Source, bytes: i64| {
            let known = outside.iter().find(|(other, _)| *other == source).map(|(_, image)| *image);
            Source::Image(known.unwrap_or_else(|| {
                images.push(bytes);
                outside.push((source, images.len() - 1));
                images.len() - 1
            }))
        };
        // What a source of a step is, so many steps behind the first.
        let place = |source: Source, behind: usize, image_of: &mut dyn FnMut(Source, i64) -> Source| {
            let (mut source, mut behind) = (source, behind);
            loop {
                match source {
                    Source::Stage(producer, result) => {
                        return match step.binary_search(&producer) {
                            Ok(position) => Source::Stage(behind * step.len() + position, result),
                            Err(_) => image_of(source, self.stages[producer].bytes[result]),
                        };
                    }
                    Source::Image(image) => match states.iter().find(|(state, _)| *state == image) {
                        Some((_, next)) if behind > 0 => (source, behind) = (*next, behind - 1),
                        _ => return source,
                    },
                }
            }
        };
        let mut stages = Vec::new();
        for behind in 0..steps {
            for number in step {
                let mut stage = self.stages[*number].clone();
                for access in &mut stage.accesses {
                    access.source = place(access.source, behind, &mut image_of);
                }
                stages.push(stage);
            }
        }
        let is_next =
            |stage: &usize| states.iter().any(|(_, next)| matches!(next, Source::Stage(of, _) if of == stage));
        let is_result =
            (0..steps).flat_map(|behind| step.iter().map(move |stage| behind + 1 == steps && is_next(stage)));
        Self { is_result: is_result.collect(), stages, images, interleaved: Interleaved::default() }
    }
}
