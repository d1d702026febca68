//! Prices of stages: how near the best partition is to the least that any could cost.
//!
//! ```text
//! group      cost    its stages' prices    slack
//! {A}         6      4                     2
//! {B}         5      3                     2       any partition costs 7, and the slack of its groups:
//! {A, B}      7      4 + 3                 0       {A} {B} costs 7 + 2 + 2
//! ```
//!
//! Give each stage a price such that no group costs less than its stages' prices together. The difference is the group's
//! *slack*, and it is never negative. A partition costs the sum of all prices and the slack of its groups; so the prices alone
//! are a lower bound, and what has more slack than lies between that bound and the best known partition can be left out.
//!
//! The higher the prices, the more is left out. They are raised as Held and Karp do it, by subgradient ascent. Any prices say
//! which groups a partition would like most, if all that is demanded of it is that each stage is the first one of one group
//! at most: those that cost least below their prices. Where these groups overlap the stages are too dear, where they leave a
//! stage out it is too cheap. What a group costs below its prices is taken off the price of its first stage; then the prices
//! are such as are asked for.

use super::{graph::Graph, set::StageSet};

/// A group that a partition may have.
pub(super) struct Step {
    pub group: StageSet,
    pub inputs: StageSet,
    pub cost: f64,
    pub slack: f64,
    stages: Vec<usize>,
}

impl Step {
    pub fn new(graph: &Graph, group: &StageSet, cost: f64) -> Step {
        Step { group: group.clone(), inputs: graph.inputs(group), cost, slack: 0.0, stages: group.iter().collect() }
    }

    fn slack(&self, prices: &[f64]) -> f64 {
        self.cost - self.stages.iter().map(|&stage| prices[stage]).sum::<f64>()
    }
}

/// Prices to begin with: the least that a stage pays in any group whose stages all pay alike.
pub(super) fn shares(stages: usize, steps: &[Step]) -> Vec<f64> {
    let mut prices = vec![f64::INFINITY; stages];
    for step in steps {
        let share = step.cost / step.stages.len() as f64;
        step.stages.iter().for_each(|&stage| prices[stage] = prices[stage].min(share));
    }
    prices
}

/// How often prices are changed.
const ROUNDS: usize = 250;
/// After so many rounds without a better bound, prices change less.
const PATIENCE: usize = 5;

/// Raises the sum of the prices, and sets the slack of all steps. `upper` is what a partition is known to cost.
pub(super) fn raise(prices: &mut [f64], steps: &mut [Step], upper: f64) {
    let mut trial = prices.to_vec();
    let (mut bound, mut pace, mut idle) = (f64::NEG_INFINITY, 1.0, 0);
    for _ in 0..ROUNDS {
        // For each stage, the group that costs least below its prices among those that the stage is the first one of.
        let mut wanted: Vec<(f64, Option<&Step>)> = vec![(0.0, None); prices.len()];
        for step in steps.iter() {
            let slack = step.slack(&trial);
            let first = &mut wanted[step.stages[0]];
            if slack < first.0 {
                *first = (slack, Some(step));
            }
        }
        let sum = trial.iter().sum::<f64>() + wanted.iter().map(|(slack, _)| slack).sum::<f64>();
        if sum > bound {
            (bound, idle) = (sum, 0);
            prices.iter_mut().zip(&trial).zip(&wanted).for_each(|((price, trial), (slack, _))| *price = trial + slack);
        } else {
            idle += 1;
            if idle > PATIENCE {
                (pace, idle) = (pace * 0.7, 0);
            }
        }
        let mut missing = vec![1.0; prices.len()];
        let stages = wanted.iter().filter_map(|(_, step)| *step).flat_map(|step| &step.stages);
        stages.for_each(|&stage| missing[stage] -= 1.0);
        let square: f64 = missing.iter().map(|missing| missing * missing).sum();
        let rate = pace * (upper - sum) / square;
        if square == 0.0 || upper <= bound || !rate.is_finite() {
            break;
        }
        trial.iter_mut().zip(&missing).for_each(|(price, missing)| *price += rate * missing);
    }
    steps.iter_mut().for_each(|step| step.slack = step.slack(prices));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_above() {
        let graph = Graph::new(2, [(0, 1)]).unwrap();
        let of = |stages: &[usize], cost| Step::new(&graph, &stages.iter().copied().collect(), cost);
        let mut steps = vec![of(&[0], 6.0), of(&[1], 5.0), of(&[0, 1], 7.0)];
        let mut prices = shares(2, &steps);
        raise(&mut prices, &mut steps, 7.0);
        assert!((prices.iter().sum::<f64>() - 7.0).abs() < 1e-6, "{prices:?}");
        assert!(steps.iter().all(|step| step.slack >= -1e-9) && steps[2].slack < 1e-6);
    }
}
