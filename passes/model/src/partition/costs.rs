//! What groups cost, each evaluated once.

use super::set::StageSet;
use std::{cmp::Ordering, collections::HashMap};

/// What groups cost. Any unit will do; the search adds costs and compares the sums.
pub trait Costs {
    /// Why a set of stages cannot be a group: the limit that it is beyond, for example.
    type Rejection: Clone;

    /// The cost of a group. The same group must always cost the same. A cost that is not finite counts as more than any
    /// that is.
    fn cost(&mut self, group: &StageSet) -> Result<f64, Self::Rejection>;

    /// May a larger group be good although it contains one that is rejected so? `false` ends the growth of the group, and
    /// keeps [`dp`](super::dp()) exact as long as it is the truth: that *every* superset is rejected, too.
    fn may_grow(&self, _rejection: &Self::Rejection) -> bool {
        true
    }

    /// What these stages cost at the least, however they are grouped: a value that is never above the truth. The better it
    /// is, the less is searched.
    fn lower_bound(&self, _stages: &StageSet) -> f64 {
        f64::NEG_INFINITY
    }

    /// What [`polymage`](super::polymage()) decides by: the points that tiles of the group compute beyond their share, over their share;
    /// `None` where the group has no such tiles.
    fn overlap(&self, _group: &StageSet) -> Option<f64> {
        None
    }

    /// The points of a stage.
    fn points(&self, _stage: usize) -> f64 {
        1.0
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

    fn overlap(&self, group: &StageSet) -> Option<f64> {
        (**self).overlap(group)
    }

    fn points(&self, stage: usize) -> f64 {
        (**self).points(stage)
    }
}

/// Costs of the groups of one graph, each evaluated once. Strategies may share it.
pub struct Memo<C: Costs> {
    costs: C,
    known: HashMap<StageSet, usize>,
    evaluated: Vec<(StageSet, Result<f64, C::Rejection>)>,
}

/// What a cost that is not finite counts as: so large that it is avoided, so small that a sum of such costs is finite.
pub(super) const HUGE: f64 = 1e300;

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

    pub(super) fn knows(&self, group: &StageSet) -> bool {
        self.known.contains_key(group)
    }

    /// Is the group rejected, and with it all that contain it?
    pub(super) fn is_hopeless(&mut self, group: &StageSet) -> bool {
        let rejection = self.cost(group).err().cloned();
        rejection.is_some_and(|rejection| !self.costs.may_grow(&rejection))
    }
}

/// A cost, in an order that is total.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Number(pub f64);

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
