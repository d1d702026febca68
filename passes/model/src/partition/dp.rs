//! The best partition, by dynamic programming over down-sets (DP-Fusion, which paper 000 takes in section 6).
//!
//! ```text
//!   A ─▶ B ─▶ D        {} ──{A}──▶ {A} ──{B}──▶ {A,B} ──{C,D}──▶ {A,B,C,D}
//!   └──▶ C ───┘         └──{A,B}─────────────────┘                  │
//!                       └──{A,B,C,D}────────────────────────────────┘
//! ```
//!
//! A partition whose groups can run one after another is a walk: each state is the set of stages that have run, a *down-set*
//! of the graph, and each step runs one group more. The least sum over all ways to a state is all that the states behind it
//! need to know.
//!
//! 1. **Groups.** Each stage begins as a group of its own, and groups grow by one stage at a time until there is no new
//!    one ([`Graph::growth`]). Where that would be too many, turns are taken: among the groups with the same first stage
//!    the one that saves most grows next, and then it is the turn of another first stage.
//! 2. **Prices.** Each stage gets a share of the cost such that no group costs less than its stages' prices; the difference
//!    is the group's *slack*. Then a partition costs the sum of all prices and of its groups' slacks, and whatever has more
//!    slack than the best known partition, be it a group or a walk, is left out. (Prices are a solution of the dual of the
//!    linear program of set partitioning.)
//! 3. **Walks**, shortest states first. Of the groups that can run next it is enough to try those that can be the first one
//!    to run on the way to a certain stage ([`Walks::next`]), so two branches of a graph are not interleaved in every way.
//! 4. Where not all groups were looked at: **variations** of the groups of the best partition, and back to 2 while that helps.

use super::{Costs, Graph, Memo, Misfit, Partition, StageSet, Stats, all, greedy, none};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// What [`dp`] may spend. The bounds limit what is looked at, not what is a partition: a group of [`greedy`]'s may be larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Groups that may be evaluated, those of [`none`], [`greedy`] and [`all`], which are always evaluated, among them.
    pub evaluations: usize,
    /// States of equal size that are gone on from.
    pub states: usize,
    /// Stages in a group.
    pub group_size: usize,
}

impl Bounds {
    /// Bounds under which a search takes a second or so, if a cost takes 50 microseconds.
    pub fn for_stages(stages: usize) -> Bounds {
        let evaluations = (stages * 125).min(stages * stages * 4).max(512);
        Bounds { evaluations, states: 256, group_size: usize::MAX }
    }
}

/// The partition of least cost; of least cost among those looked at if a bound was hit, and then still not worse than those
/// of [`greedy`], [`none`] and, where all stages are a candidate, [`all`]. The same input gives the same partition.
pub fn dp<C: Costs>(graph: &Graph, costs: &mut Memo<C>, bounds: &Bounds) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
    let mut search = Search {
        graph,
        costs,
        bounds,
        before,
        found: Vec::new(),
        at: HashMap::new(),
        best: None,
        stats: Stats::default(),
    };
    let known = [none(graph, search.costs).ok(), greedy(graph, search.costs).ok()];
    for partition in known.into_iter().flatten() {
        search.improve(partition.groups);
    }
    if graph.is_candidate(&StageSet::below(graph.stages()))
        && let Ok(partition) = all(graph, search.costs)
    {
        search.improve(partition.groups);
    }
    let is_complete = search.grow();
    search.walk();
    while !is_complete && search.vary() && search.walk() {}

    let Search { best, costs, mut stats, .. } = search;
    stats.evaluations = costs.evaluated().len() - before;
    if let Some((cost, groups)) = best {
        return Ok(Partition { groups, cost, stats });
    }
    let accepted = costs.evaluated().iter().filter(|(_, cost)| cost.is_ok());
    let covered = accepted.fold(StageSet::new(), |all, (group, _)| all.union(group));
    for stage in StageSet::below(graph.stages()).difference(&covered).iter() {
        let one = costs.cost(&StageSet::from([stage]));
        one.map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
    }
    none(graph, costs)
}

/// A number that is one, so that there is an order.
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

/// A candidate that was evaluated.
struct Found {
    group: StageSet,
    /// Without end if it was rejected.
    cost: f64,
    /// The least that two parts of it cost that can take its place: one stage, and the rest.
    parts: f64,
    /// What it saves against single stages; of a rejected group, what the one that it grew from saves.
    saves: f64,
}

struct Search<'a, C: Costs> {
    graph: &'a Graph,
    costs: &'a mut Memo<C>,
    bounds: &'a Bounds,
    /// What the memo held before.
    before: usize,
    found: Vec<Found>,
    at: HashMap<StageSet, usize>,
    best: Option<(f64, Vec<StageSet>)>,
    stats: Stats,
}

impl<C: Costs> Search<'_, C> {
    /// Takes a partition if it is better than the best so far.
    fn improve(&mut self, groups: Vec<StageSet>) -> bool {
        let cost: Option<f64> = groups.iter().map(|group| self.costs.cost(group).ok()).sum();
        let Some(cost) = cost.filter(|&cost| self.best.as_ref().is_none_or(|(best, _)| cost < *best)) else {
            return false;
        };
        let Some(groups) = self.graph.in_order(groups) else { return false };
        self.best = Some((cost, groups));
        true
    }

    /// Evaluates a candidate that has not been looked at. `None` if it has been, or cannot be.
    fn look_at(&mut self, group: StageSet, parts: f64, saves: f64, evaluations: usize) -> Option<usize> {
        if let Some(&i) = self.at.get(&group) {
            self.found[i].parts = self.found[i].parts.min(parts);
            return None;
        }
        let is_over = !self.costs.knows(&group) && self.costs.evaluated().len() - self.before >= evaluations;
        if is_over || group.len() > self.bounds.group_size {
            self.stats.bound_hits += 1;
            return None;
        }
        let (cost, saves) = match self.costs.cost(&group) {
            Ok(cost) => (cost, self.alone(&group) - cost),
            Err(_) => (f64::INFINITY, saves),
        };
        self.at.insert(group.clone(), self.found.len());
        self.found.push(Found { group, cost, parts, saves });
        Some(self.found.len() - 1)
    }

    /// What the stages of a group cost alone; nothing, if that cannot be.
    fn alone(&mut self, group: &StageSet) -> f64 {
        group.iter().map(|stage| self.costs.cost(&StageSet::from([stage])).unwrap_or(0.0)).sum()
    }

    /// Groups, from single stages upwards, until there are no more or three quarters of the evaluations are spent. Returns
    /// whether all are there.
    fn grow(&mut self) -> bool {
        let limit = self.bounds.evaluations - self.bounds.evaluations / 4;
        let hits = self.stats.bound_hits;
        let stages = self.graph.stages();
        let mut queues = vec![BinaryHeap::new(); stages];
        let enqueue = |search: &Self, queues: &mut Vec<BinaryHeap<_>>, i: usize| {
            let found = &search.found[i];
            if let Some(first) = found.group.first() {
                queues[first].push((Number(found.saves), Reverse(i)));
            }
        };
        for stage in 0..stages {
            if let Some(i) = self.look_at(StageSet::from([stage]), f64::INFINITY, 0.0, usize::MAX) {
                enqueue(self, &mut queues, i);
            }
        }
        let mut is_going = true;
        while std::mem::take(&mut is_going) {
            for first in 0..stages {
                let Some((_, Reverse(i))) = queues[first].pop() else { continue };
                is_going = true;
                let Found { group, cost, parts, saves } = &self.found[i];
                let (group, least, saves) = (group.clone(), cost.min(*parts), *saves);
                if self.costs.is_hopeless(&group) {
                    self.stats.pruned += 1;
                    continue;
                }
                for stage in self.graph.growth(&group) {
                    let parts = least + self.costs.cost(&StageSet::from([stage])).unwrap_or(f64::INFINITY);
                    if let Some(i) = self.look_at(group.with(stage), parts, saves, limit) {
                        enqueue(self, &mut queues, i);
                    }
                }
            }
            if self.costs.evaluated().len() - self.before >= limit && self.stats.bound_hits > hits {
                return false;
            }
        }
        self.stats.bound_hits == hits
    }

    /// Looks at what the groups of the best partition could be instead: with a stage more or less, in two pieces, two in one.
    /// Returns whether there is a new group.
    fn vary(&mut self) -> bool {
        let Some((_, groups)) = self.best.clone() else { return false };
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

    /// The best partition into groups that were found. Returns whether it is better than the one before.
    fn walk(&mut self) -> bool {
        let useful = self.found.iter().filter(|found| found.cost < found.parts);
        let Some((prices, mut groups)) = price(self.graph, useful) else { return false };
        let upper = self.best.as_ref().map_or(f64::INFINITY, |(cost, _)| *cost);
        let gap = upper - prices.iter().sum::<f64>();
        let all = groups.len();
        groups.retain(|group| group.slack < gap);
        self.stats.pruned += all - groups.len();
        let walks = Walks::new(self.graph.stages(), groups);
        let walked = walks.best(self.costs, upper, gap, self.bounds.states, &mut self.stats);
        walked.is_some_and(|groups| self.improve(groups))
    }
}

/// A group that a walk may use.
struct Step {
    group: StageSet,
    inputs: StageSet,
    cost: f64,
    slack: f64,
}

/// Prices for the stages, and the slack that they leave. `None` if a stage is in no group.
///
/// Every stage begins with the least that its share of a group is if all stages of the group pay alike. Then one stage after
/// another pays as much more as its groups have slack.
fn price<'a>(graph: &Graph, groups: impl Iterator<Item = &'a Found>) -> Option<(Vec<f64>, Vec<Step>)> {
    let mut prices = vec![f64::INFINITY; graph.stages()];
    let mut steps = Vec::new();
    for Found { group, cost, .. } in groups {
        let share = cost / group.len() as f64;
        group.iter().for_each(|stage| prices[stage] = prices[stage].min(share));
        steps.push(Step { group: group.clone(), inputs: graph.inputs(group), cost: *cost, slack: 0.0 });
    }
    if prices.contains(&f64::INFINITY) {
        return None;
    }
    for step in &mut steps {
        step.slack = step.cost - step.group.iter().map(|stage| prices[stage]).sum::<f64>();
    }
    for (stage, price) in prices.iter_mut().enumerate() {
        let rise =
            steps.iter().filter(|step| step.group.contains(stage)).map(|step| step.slack).fold(f64::INFINITY, f64::min);
        *price += rise;
        steps.iter_mut().filter(|step| step.group.contains(stage)).for_each(|step| step.slack -= rise);
    }
    Some((prices, steps))
}

/// A state of a walk, and how it was reached.
struct State {
    done: StageSet,
    cost: f64,
    slack: f64,
    /// The state before, and the step from there.
    by: Option<(usize, usize)>,
}

struct Walks {
    stages: usize,
    steps: Vec<Step>,
    /// The steps whose groups a stage is in.
    of: Vec<Vec<usize>>,
}

impl Walks {
    fn new(stages: usize, steps: Vec<Step>) -> Walks {
        let mut of = vec![Vec::new(); stages];
        for (i, step) in steps.iter().enumerate() {
            step.group.iter().for_each(|stage| of[stage].push(i));
        }
        Walks { stages, steps, of }
    }

    /// The groups of the best walk that has less slack than `gap`, and costs less than `upper`.
    fn best<C: Costs>(
        &self,
        costs: &Memo<C>,
        upper: f64,
        gap: f64,
        width: usize,
        stats: &mut Stats,
    ) -> Option<Vec<StageSet>> {
        let mut states = vec![State { done: StageSet::new(), cost: 0.0, slack: 0.0, by: None }];
        let mut at = HashMap::from([(StageSet::new(), 0)]);
        let mut of_size = vec![Vec::new(); self.stages + 1];
        of_size[0].push(0);
        let mut seen = vec![usize::MAX; self.steps.len()];
        for size in 0..self.stages {
            let mut here = std::mem::take(&mut of_size[size]);
            if here.len() > width {
                here.sort_by(|&a, &b| states[a].slack.total_cmp(&states[b].slack).then(a.cmp(&b)));
                stats.bound_hits += here.len() - width;
                here.truncate(width);
            }
            for from in here {
                let State { done, cost, slack, .. } = &states[from];
                let (done, cost, slack) = (done.clone(), *cost, *slack);
                let rest = StageSet::below(self.stages).difference(&done);
                if cost + costs.costs.lower_bound(&rest) >= upper {
                    stats.pruned += 1;
                    continue;
                }
                stats.states += 1;
                for i in self.next(&done, &mut seen, from) {
                    let step = &self.steps[i];
                    let (cost, slack) = (cost + step.cost, slack + step.slack);
                    if slack >= gap {
                        stats.pruned += 1;
                        continue;
                    }
                    let next = State { done: done.union(&step.group), cost, slack, by: Some((from, i)) };
                    match at.get(&next.done) {
                        Some(&at) if states[at].cost <= cost => {}
                        Some(&at) => states[at] = next,
                        None => {
                            of_size[next.done.len()].push(states.len());
                            at.insert(next.done.clone(), states.len());
                            states.push(next);
                        }
                    }
                }
            }
        }
        let mut state = &states[*at.get(&StageSet::below(self.stages))?];
        let mut groups = Vec::new();
        while let Some((from, i)) = state.by {
            groups.push(self.steps[i].group.clone());
            state = &states[from];
        }
        Some(groups)
    }

    /// Groups that can run next, one of which *every* way on from here can begin with.
    ///
    /// Ask for a stage. Its group can run now; or it waits for some stage, and then ask for that, too. Whatever the groups are
    /// that the rest falls into, this leads from the group of the first stage to one that it waits for, and on to one that
    /// waits for nothing, which may as well run now.
    fn next(&self, done: &StageSet, seen: &mut [usize], now: usize) -> Vec<usize> {
        let mut todo = vec![done.first_absent()];
        let mut asked: StageSet = todo.iter().copied().collect();
        let mut ready = Vec::new();
        while let Some(stage) = todo.pop() {
            for &i in &self.of[stage] {
                let step = &self.steps[i];
                if std::mem::replace(&mut seen[i], now) == now || step.group.intersects(done) {
                    continue;
                }
                let awaited = step.inputs.difference(done);
                match awaited.first() {
                    None => ready.push(i),
                    Some(_) if awaited.intersects(&asked) => {}
                    Some(input) => {
                        asked.insert(input);
                        todo.push(input);
                    }
                }
            }
        }
        ready
    }
}
