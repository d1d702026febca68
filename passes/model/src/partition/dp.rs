//! The best partition, by dynamic programming over down-sets (DP-Fusion, which paper 000 takes in section 6).
//!
//! ```text
//!   A ─▶ B ─▶ D        {} ──{A}──▶ {A} ──{B}──▶ {A,B} ──{C,D}──▶ {A,B,C,D}
//!   └──▶ C ───┘         └───────{A,B}─────────────┘                  │
//!                       └─────────────────{A,B,C,D}──────────────────┘      and so on
//! ```
//!
//! A partition whose groups can run one after another is a walk: each state is the set of stages that have run, a *down-set*
//! of the graph, and each step runs one group more. The least sum over all ways to a state is all that the states behind it
//! need to know.
//!
//! 1. **Groups.** Each stage begins as a group of its own, and groups grow by one stage at a time until there is no new one.
//!    Every candidate is reached so. Where that would be too many, turns are taken: of the groups with the same first stage
//!    the one that saves most grows, and then it is the turn of another first stage. A group that costs as much as two parts
//!    of it is of no use.
//! 2. **Prices** (`price.rs`). A lower bound for any partition into the groups that were found, which tells of almost all
//!    groups that they are not in a better partition than the best known one, at first that of [`greedy`] or of
//!    [`segments`](segments()).
//! 3. **Walks** (`walk.rs`) along what is left.
//! 4. Where not all groups were looked at: **more groups**. First those that the best partition could have instead of its own
//!    (a stage more, a stage less, two in one, two pieces), then those grown from what has least slack; and again 2.
//!
//! For a program of 99 stages, prices leave some hundred of thousands of groups: `examples/partition.rs` measures it.

use super::{
    bounds::Bounds,
    costs::{Costs, HUGE, Memo, Number},
    found::{Misfit, Partition, Stats},
    graph::Graph,
    greedy::{all, greedy, none},
    price::{Step, raise, shares},
    segments::segments,
    set::StageSet,
    walk::Walks,
};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The partition of least cost; of least cost among those looked at if a bound was hit, and then still not worse than those
/// of [`greedy`], [`none`], [`segments`](segments()) with the same memo and an eighth of the evaluations and, where all stages
/// are a candidate, [`all`]. The same input gives the same partition.
pub fn dp<C: Costs>(graph: &Graph, costs: &mut Memo<C>, bounds: &Bounds) -> Result<Partition, Misfit<C::Rejection>> {
    let mut search = Search::new(graph, costs, bounds);
    search.grow_by_saving(bounds.evaluations / 2);
    search.walk();
    for _ in 0..ROUNDS {
        let is_over = search.is_complete() || search.stats.states >= bounds.states;
        if is_over || !(search.vary() || search.grow_by_slack(bounds.evaluations / 8)) {
            break;
        }
        search.walk();
    }
    search.result()
}

/// How often more groups are looked for.
const ROUNDS: usize = 16;

/// A candidate that was evaluated.
struct Found {
    group: StageSet,
    /// Infinite if it was rejected.
    cost: f64,
    /// The least that two parts of it cost that can take its place: one stage, and the rest.
    parts: f64,
    /// What it saves against single stages; of a rejected group, what the one that it grew from saves.
    saves: f64,
    /// Were all groups looked at that are larger by a stage?
    is_grown: bool,
}

struct Search<'a, C: Costs> {
    graph: &'a Graph,
    costs: &'a mut Memo<C>,
    bounds: &'a Bounds,
    /// How many groups the memo held before.
    before: usize,
    found: Vec<Found>,
    at: HashMap<StageSet, usize>,
    prices: Vec<f64>,
    best: Option<(f64, Vec<StageSet>)>,
    stats: Stats,
    /// Groups not looked at because of their size; states of the last walk not gone on from.
    too_large: usize,
    dropped: usize,
}

impl<'a, C: Costs> Search<'a, C> {
    /// A search that knows single stages, what other strategies find, and every candidate that the memo knows.
    fn new(graph: &'a Graph, costs: &'a mut Memo<C>, bounds: &'a Bounds) -> Search<'a, C> {
        let (found, at, prices) = (Vec::new(), HashMap::new(), Vec::new());
        let (before, stats) = (costs.evaluated().len(), Stats::default());
        let mut search =
            Search { graph, costs, bounds, before, found, at, prices, best: None, stats, too_large: 0, dropped: 0 };
        let stages = StageSet::below(graph.stages());
        for stage in stages.iter() {
            search.look_at(StageSet::from([stage]), f64::INFINITY, 0.0, usize::MAX);
        }
        let few = Bounds { evaluations: bounds.evaluations / 8, ..*bounds };
        let mut known = vec![
            none(graph, search.costs).ok(),
            greedy(graph, search.costs).ok(),
            segments(graph, search.costs, &few).ok(),
        ];
        if graph.is_candidate(&stages) {
            known.push(all(graph, search.costs).ok());
        }
        for partition in known.into_iter().flatten() {
            search.improve(partition.groups);
        }
        let groups: Vec<StageSet> = search.costs.evaluated().iter().map(|(group, _)| group.clone()).collect();
        for group in groups {
            if graph.is_candidate(&group) {
                search.look_at(group, f64::INFINITY, 0.0, usize::MAX);
            }
        }
        search
    }

    fn result(self) -> Result<Partition, Misfit<C::Rejection>> {
        let Search { graph, costs, before, found, best, mut stats, too_large, dropped, .. } = self;
        stats.evaluations = costs.evaluated().len() - before;
        stats.bound_hits = too_large + dropped + found.iter().filter(|found| !found.is_grown).count();
        if let Some((cost, groups)) = best {
            return Ok(Partition { groups, cost, stats });
        }
        let accepted = found.iter().filter(|found| found.cost.is_finite());
        let covered = accepted.fold(StageSet::new(), |all, found| all.union(&found.group));
        for stage in StageSet::below(graph.stages()).difference(&covered).iter() {
            let one = costs.cost(&StageSet::from([stage]));
            one.map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
        }
        none(graph, costs)
    }

    /// Takes a partition if it is better than the best so far.
    fn improve(&mut self, groups: Vec<StageSet>) {
        let Some(groups) = self.graph.in_order(groups) else { return };
        let cost: Option<f64> = groups.iter().map(|group| self.costs.cost(group).ok()).sum();
        if let Some(cost) = cost.filter(|&cost| self.best.as_ref().is_none_or(|(best, _)| cost < *best)) {
            self.best = Some((cost, groups));
        }
    }

    fn evaluations(&self) -> usize {
        self.costs.evaluated().len() - self.before
    }

    /// Looks at a candidate, unless it would be one evaluation too many. Returns whether it did, now or before.
    fn look_at(&mut self, group: StageSet, parts: f64, saves: f64, evaluations: usize) -> bool {
        if let Some(&i) = self.at.get(&group) {
            self.found[i].parts = self.found[i].parts.min(parts);
            return true;
        }
        if group.len() > self.bounds.group_size {
            self.too_large += 1;
            return true;
        }
        if !self.costs.knows(&group) && self.evaluations() >= evaluations {
            return false;
        }
        let (cost, saves) = match self.costs.cost(&group) {
            Ok(cost) if cost < HUGE => (cost, group.iter().filter_map(|s| self.alone(s)).sum::<f64>() - cost),
            _ => (f64::INFINITY, saves),
        };
        let is_grown = self.costs.is_hopeless(&group);
        self.stats.pruned += usize::from(is_grown);
        self.at.insert(group.clone(), self.found.len());
        self.found.push(Found { group, cost, parts, saves, is_grown });
        true
    }

    /// What a stage costs as a group of its own.
    fn alone(&mut self, stage: usize) -> Option<f64> {
        self.costs.cost(&StageSet::from([stage])).ok()
    }

    /// Looks at the groups that are larger by a stage.
    fn grow(&mut self, i: usize, evaluations: usize) {
        let Found { group, cost, parts, saves, .. } = &self.found[i];
        let (group, least, saves) = (group.clone(), cost.min(*parts), *saves);
        self.found[i].is_grown = self.graph.growth(&group).into_iter().all(|stage| {
            let parts = least + self.alone(stage).unwrap_or(f64::INFINITY);
            self.look_at(group.with(stage), parts, saves, evaluations)
        });
    }

    /// Grows what saves most, in turns of the first stages, until everything has grown or so many evaluations are spent.
    fn grow_by_saving(&mut self, evaluations: usize) {
        let mut queues = vec![BinaryHeap::new(); self.graph.stages()];
        let mut enqueued = 0;
        loop {
            for (i, found) in self.found.iter().enumerate().skip(enqueued) {
                let queue = found.group.first().and_then(|first| queues.get_mut(first));
                queue.into_iter().for_each(|queue| queue.push((Number(found.saves), Reverse(i))));
            }
            enqueued = self.found.len();
            let turns: Vec<_> = queues.iter_mut().filter_map(BinaryHeap::pop).collect();
            if turns.is_empty() || self.evaluations() >= evaluations {
                break;
            }
            for (_, Reverse(i)) in turns {
                if !self.found[i].is_grown {
                    self.grow(i, evaluations);
                }
            }
        }
    }

    /// Has everything grown?
    fn is_complete(&self) -> bool {
        self.found.iter().all(|found| found.is_grown)
    }

    /// Looks at what the groups of the best partition could be instead: with a stage more or less, in two pieces, two in one.
    /// Returns whether there is a new group.
    fn vary(&mut self) -> bool {
        let groups = self.best.as_ref().map_or_else(Vec::new, |(_, groups)| groups.clone());
        let before = self.found.len();
        let mut others = Vec::new();
        for group in &groups {
            others.extend(self.graph.growth(group).iter().map(|&stage| group.with(stage)));
            others.extend(group.iter().map(|stage| group.without(stage)));
            others.extend(self.graph.cuts(group).into_iter().flatten());
            others.extend(groups.iter().filter(|other| *other > group).map(|other| group.union(other)));
        }
        for other in others {
            if self.graph.is_candidate(&other) {
                self.look_at(other, f64::INFINITY, 0.0, self.bounds.evaluations);
            }
        }
        self.found.len() > before
    }

    /// Grows what has the least slack, for about so many evaluations. Returns whether there is a new group.
    fn grow_by_slack(&mut self, evaluations: usize) -> bool {
        let price = |stage: usize| self.prices.get(stage).unwrap_or(&0.0);
        let slack = |found: &Found| found.cost - found.group.iter().map(price).sum::<f64>();
        let waiting = self.found.iter().enumerate().filter(|(_, found)| !found.is_grown);
        let mut waiting: Vec<(Number, usize)> = waiting.map(|(i, found)| (Number(slack(found)), i)).collect();
        waiting.sort_unstable();
        let before = self.found.len();
        let until = (self.evaluations() + evaluations).min(self.bounds.evaluations);
        for (_, i) in waiting {
            if self.evaluations() >= until {
                break;
            }
            self.grow(i, until);
        }
        self.found.len() > before
    }

    /// The best partition into groups that were found.
    fn walk(&mut self) {
        let useful = self.found.iter().filter(|found| found.cost < found.parts);
        let mut steps: Vec<Step> = useful.map(|found| Step::new(self.graph, &found.group, found.cost)).collect();
        if self.prices.is_empty() {
            let prices = shares(self.graph.stages(), &steps);
            if prices.iter().any(|price| price.is_infinite()) {
                return; // A stage is in no group.
            }
            self.prices = prices;
        }
        let upper = self.best.as_ref().map(|(cost, _)| *cost).filter(|&cost| cost < HUGE).unwrap_or(f64::INFINITY);
        raise(&mut self.prices, &mut steps, upper);
        let gap = upper - self.prices.iter().sum::<f64>();
        let all = steps.len();
        steps.retain(|step| step.slack < gap);
        self.stats.pruned += all - steps.len();
        let width = self.bounds.states / 2 / self.graph.stages().max(1);
        let walks = Walks::new(self.graph.stages(), steps);
        let (walked, dropped) = walks.best(self.costs, upper, gap, width, &mut self.stats);
        self.dropped = dropped;
        if let Some(groups) = walked {
            self.improve(groups);
        }
    }
}
