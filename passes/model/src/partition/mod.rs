//! Which stages share a kernel: the search for the best partition of a graph of stages into groups.
//!
//! ```text
//!   in ─▶ blurx ─▶ blury ─▶ sharpen ─▶ mask        none      {blurx} {blury} {sharpen} {mask}
//!    └────────────────────▶───┘                    all       {blurx, blury, sharpen, mask}
//!                                                  greedy    merges two groups while that pays
//!                                                  segments  splits what does not fit, and merges
//!                                                  dp        the best of all partitions, where it can look at all
//! ```
//!
//! A partition will do if its groups can run one after another, each whole: if the quotient graph, whose nodes are the groups,
//! has no cycle. What a group costs is for the caller to say ([`Costs`]); what may be a group is in [`Graph`]. A cost takes
//! much longer than a step of a search, so a [`Memo`] keeps each, and afterwards tells what was looked at and what was
//! rejected, and why.
//!
//! - [`set`]: sets of stages;
//! - [`graph`]: the graph, and what a candidate is;
//! - [`dp`](mod@dp): the search, with its parts `price`, what no partition can cost less than, and `walk`;
//! - [`segments`](mod@segments): what the paper on reuse analysis does.

pub mod dp;
pub mod graph;
mod price;
pub mod segments;
pub mod set;
mod walk;

pub use dp::{Bounds, dp};
pub use graph::{BadEdge, Graph};
pub use segments::{segments, split};
pub use set::StageSet;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// What groups cost. Any unit will do; the search adds costs and compares the sums.
pub trait Costs {
    /// Why a set of stages cannot be a group: the limit that it is beyond, for example.
    type Rejection: Clone;

    /// The cost of a group. The same group must always cost the same. A cost that is not finite counts as more than any
    /// that is.
    fn cost(&mut self, group: &StageSet) -> Result<f64, Self::Rejection>;

    /// May a larger group be good although it contains one that is rejected so? `false` ends the growth of the group, and
    /// keeps [`dp`](dp()) exact as long as it is the truth: that *every* superset is rejected, too.
    fn may_grow(&self, _rejection: &Self::Rejection) -> bool {
        true
    }

    /// What these stages cost at the least, however they are grouped: a value that is never above the truth. The better it
    /// is, the less is searched.
    fn lower_bound(&self, _stages: &StageSet) -> f64 {
        f64::NEG_INFINITY
    }
}

impl<C: Costs> Costs for &mut C {
    type Rejection = C::Rejection;

    fn cost(&mut self, group: &StageSet) -> Result<f64, C::Rejection> {
        (**self).cost(group)
    }

    fn may_grow(&self, rejection: &C::Rejection) -> bool {
        (**self).may_grow(rejection)
    }

    fn lower_bound(&self, stages: &StageSet) -> f64 {
        (**self).lower_bound(stages)
    }
}

/// Costs of the groups of one graph, each evaluated once. Strategies may share it.
pub struct Memo<C: Costs> {
    costs: C,
    known: HashMap<StageSet, usize>,
    evaluated: Vec<(StageSet, Result<f64, C::Rejection>)>,
}

/// What a cost that is not finite counts as: so large that it is avoided, so small that a sum of such costs is finite.
const HUGE: f64 = 1e300;

impl<C: Costs> Memo<C> {
    /// Nothing evaluated yet.
    pub fn new(costs: C) -> Memo<C> {
        Memo { costs, known: HashMap::new(), evaluated: Vec::new() }
    }

    /// What evaluates.
    pub fn costs(&self) -> &C {
        &self.costs
    }

    /// All that was evaluated, in order.
    pub fn evaluated(&self) -> &[(StageSet, Result<f64, C::Rejection>)] {
        &self.evaluated
    }

    /// The cost of a group.
    pub fn cost(&mut self, group: &StageSet) -> Result<f64, &C::Rejection> {
        let i = match self.known.get(group) {
            Some(&i) => i,
            None => {
                let cost = self.costs.cost(group).map(|cost| if cost.abs() < HUGE { cost } else { HUGE });
                self.evaluated.push((group.clone(), cost));
                self.known.insert(group.clone(), self.evaluated.len() - 1);
                self.evaluated.len() - 1
            }
        };
        self.evaluated[i].1.as_ref().copied()
    }

    fn knows(&self, group: &StageSet) -> bool {
        self.known.contains_key(group)
    }

    /// Is the group rejected, and with it all that contain it?
    fn is_hopeless(&mut self, group: &StageSet) -> bool {
        let rejection = self.cost(group).err().cloned();
        rejection.is_some_and(|rejection| !self.costs.may_grow(&rejection))
    }
}

/// Why there is no partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit<R> {
    /// A stage that no group was found for.
    pub stage: usize,
    /// What keeps it from being a group of its own.
    pub rejection: R,
}

impl<R: fmt::Display> fmt::Display for Misfit<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage {} is in no group that is possible; alone: {}", self.stage, self.rejection)
    }
}

impl<R: fmt::Debug + fmt::Display> std::error::Error for Misfit<R> {}

/// Groups that can run one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The groups, each behind all that it reads.
    pub groups: Vec<StageSet>,
    /// What they cost together.
    pub cost: f64,
    /// How they were found.
    pub stats: Stats,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sets of stages from which the search went on.
    pub states: usize,
    /// Groups that were evaluated.
    pub evaluations: usize,
    /// How often one of the [`Bounds`] cut something off. At 0, the partition of [`dp`](dp()) is optimal.
    pub bound_hits: usize,
    /// Groups and states left out because they cannot be part of a better partition.
    pub pruned: usize,
}

/// Every stage in a group of its own.
pub fn none<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated.len();
    let mut cost = 0.0;
    for stage in 0..graph.stages() {
        let one = costs.cost(&StageSet::from([stage]));
        cost += one.map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
    }
    let stats = Stats { evaluations: costs.evaluated.len() - before, ..Stats::default() };
    Ok(Partition { groups: (0..graph.stages()).map(|stage| StageSet::from([stage])).collect(), cost, stats })
}

/// All stages in one group, in one piece or not; or why that cannot be.
pub fn all<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, C::Rejection> {
    let before = costs.evaluated.len();
    let groups: Vec<StageSet> = [StageSet::below(graph.stages())].into_iter().filter(|all| !all.is_empty()).collect();
    let mut cost = 0.0;
    for group in &groups {
        cost += costs.cost(group).map_err(Clone::clone)?;
    }
    let stats = Stats { evaluations: costs.evaluated.len() - before, ..Stats::default() };
    Ok(Partition { groups, cost, stats })
}

/// From single stages, merges the producer and the consumer group that gain most, until no merge gains (paper 001, section 4,
/// after Halide's autoscheduler). A stage that is rejected alone is merged before anything else.
pub fn greedy<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, Misfit<C::Rejection>> {
    merge(graph, costs, (0..graph.stages()).map(|stage| StageSet::from([stage])).collect())
}

/// From these groups, in an order in which they can run, merges as [`greedy`] does.
fn merge<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    mut groups: Vec<StageSet>,
) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated.len();
    let mut states = 1;
    while let Some(quotient) = graph.quotient(&groups) {
        // The best merge: how many rejected groups fewer, then what is saved.
        let mut best: Option<((usize, f64), usize, usize)> = None;
        for producer in 0..groups.len() {
            // Merging two of which one also feeds the other by way of a third would make a cycle with that.
            for consumer in quotient.feeds[producer].difference(&quotient.feeds_by_way[producer]).iter() {
                let parts = [&groups[producer], &groups[consumer]];
                if parts.iter().any(|part| costs.is_hopeless(part)) {
                    continue;
                }
                let Ok(whole) = costs.cost(&parts[0].union(parts[1])).map_err(drop) else { continue };
                let apart = parts.map(|part| costs.cost(part).ok());
                let rejected = apart.iter().filter(|cost| cost.is_none()).count();
                let gain = (rejected, apart.iter().flatten().sum::<f64>() - whole);
                if gain > best.map_or((0, 0.0), |(best, ..)| best) {
                    best = Some((gain, producer, consumer));
                }
            }
        }
        let Some((_, producer, consumer)) = best else { break };
        let mut merged = groups.clone();
        merged[producer] = groups[producer].union(&groups[consumer]);
        merged.remove(consumer);
        let Some(merged) = graph.in_order(merged) else { break };
        groups = merged;
        states += 1;
    }
    let mut cost = 0.0;
    for group in &groups {
        // What was merged was accepted, so a group that is rejected is a single stage.
        let stage = group.first().unwrap_or_default();
        cost += costs.cost(group).map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
    }
    let stats = Stats { states, evaluations: costs.evaluated.len() - before, ..Stats::default() };
    Ok(Partition { groups, cost, stats })
}

/// A cost, in an order that is total.
#[derive(Clone, Copy, PartialEq)]
struct Number(f64);

impl Eq for Number {}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
