//! The best walk from no stage to all stages: dynamic programming over down-sets.
//!
//! ```text
//!   A ─▶ B             {} ──{A}──▶ {A} ──{B}──▶ {A,B} ──{C}──▶ {A,B,C} ──{D}──▶ {A,B,C,D}
//!   C ─▶ D              └─────────────{A,B}───────┘ └──────────────{C,D}──────────┘
//! ```
//!
//! States are gone on from in the order of their size, so all ways to a state are known when it is its turn. The picture is
//! complete: the state `{C}` is not needed, because some group with `A` in it can always run before the others
//! ([`Walks::next`]).

use super::{
    costs::{Costs, Memo, Number},
    found::Stats,
    price::Step,
    set::StageSet,
};
use std::collections::{BinaryHeap, HashMap};

/// A state of a walk, and how it was reached.
struct State {
    done: StageSet,
    cost: f64,
    slack: f64,
    /// The state before, and the step from there.
    by: Option<(usize, usize)>,
}

/// The steps that walks are made of.
pub(super) struct Walks {
    stages: usize,
    steps: Vec<Step>,
    /// The steps whose groups a stage is in.
    of: Vec<Vec<usize>>,
}

impl Walks {
    pub fn new(stages: usize, steps: Vec<Step>) -> Walks {
        let mut of = vec![Vec::new(); stages];
        for (i, step) in steps.iter().enumerate() {
            step.group.iter().for_each(|stage| of[stage].push(i));
        }
        Walks { stages, steps, of }
    }

    /// The groups of the best walk with less slack than `gap`, and how many ways on were dropped because there were more than
    /// `width` states of a size. `upper` is what the walk must cost less than.
    pub fn best<C: Costs>(
        &self,
        costs: &Memo<C>,
        upper: f64,
        gap: f64,
        width: usize,
        stats: &mut Stats,
    ) -> (Option<Vec<StageSet>>, usize) {
        let mut dropped = 0;
        let mut states = vec![State { done: StageSet::new(), cost: 0.0, slack: 0.0, by: None }];
        let mut at = HashMap::from([(StageSet::new(), 0)]);
        let mut of_size = vec![Vec::new(); self.stages + 1];
        of_size[0].push(0);
        // The least slacks of each size, `width` of them, the greatest at the top: what has more need not be kept.
        let mut least = vec![BinaryHeap::<Number>::new(); self.stages + 1];
        let mut seen = vec![usize::MAX; self.steps.len()];
        for size in 0..self.stages {
            let mut here = std::mem::take(&mut of_size[size]);
            if here.len() > width {
                here.sort_by(|&a, &b| states[a].slack.total_cmp(&states[b].slack).then(a.cmp(&b)));
                dropped += here.len() - width;
                here.truncate(width);
            }
            for from in here {
                let State { done, cost, slack, .. } = &states[from];
                let (done, cost, slack) = (done.clone(), *cost, *slack);
                let rest = StageSet::below(self.stages).difference(&done);
                if cost + costs.costs().lower_bound(&rest) >= upper {
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
                    let least = &mut least[size + step.group.len()];
                    if least.len() == width && least.peek().is_some_and(|worst| slack > worst.0) {
                        dropped += 1;
                        continue;
                    }
                    least.push(Number(slack));
                    if least.len() > width {
                        least.pop();
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
        let Some(&end) = at.get(&StageSet::below(self.stages)) else { return (None, dropped) };
        let mut state = &states[end];
        let mut groups = Vec::new();
        while let Some((from, i)) = state.by {
            groups.push(self.steps[i].group.clone());
            state = &states[from];
        }
        (Some(groups), dropped)
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
