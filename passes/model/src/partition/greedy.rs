//! The partitions that take no search: all apart, all in one, and what merging two groups at a time comes to.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    costs::{Costs, Memo, Number},
    found::{Misfit, Partition, Stats},
    graph::Graph,
    quotient::Quotient,
    set::StageSet,
};

/// Every stage in a group of its own.
pub fn none<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
    let mut cost = 0.0;
    for stage in 0..graph.stages() {
        let one = costs.cost(&StageSet::from([stage]));
        cost += one.map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
    }
    let stats = Stats { evaluations: costs.evaluated().len() - before, ..Stats::default() };
    Ok(Partition { groups: (0..graph.stages()).map(|stage| StageSet::from([stage])).collect(), cost, stats })
}

/// All stages in one group, in one piece or not; or why that cannot be.
pub fn all<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, C::Rejection> {
    let before = costs.evaluated().len();
    let groups: Vec<StageSet> = [StageSet::below(graph.stages())].into_iter().filter(|all| !all.is_empty()).collect();
    let mut cost = 0.0;
    for group in &groups {
        cost += costs.cost(group).map_err(Clone::clone)?;
    }
    let stats = Stats { evaluations: costs.evaluated().len() - before, ..Stats::default() };
    Ok(Partition { groups, cost, stats })
}

/// From single stages, merges the producer and the consumer group that gain most, until no merge gains (paper 001, section 4,
/// after Halide's autoscheduler). A stage that is rejected alone is merged before anything else.
pub fn greedy<C: Costs>(graph: &Graph, costs: &mut Memo<C>) -> Result<Partition, Misfit<C::Rejection>> {
    merge(graph, costs, (0..graph.stages()).map(|stage| StageSet::from([stage])).collect())
}

/// What a merge gains: how many rejected groups fewer, then what is saved; then the pair with the lowest stages comes first.
type Gain = (usize, Number, Reverse<[Option<usize>; 2]>);

/// From these groups, which are a partition, merges as [`greedy`] does. A merge changes what others gain only where they meet it: gains
/// wait in a queue, and those of groups that have changed since are passed over.
pub(super) fn merge<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    groups: Vec<StageSet>,
) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
    let mut quotient = Quotient::new(graph, groups);
    // The number of merges when a group last changed.
    let mut changed = vec![0; quotient.groups().len()];
    let mut states = 1;
    let mut new: Vec<(usize, usize)> = quotient.edges().collect();
    let mut queue = BinaryHeap::new();
    loop {
        for (producer, consumer) in new {
            if let Some(gain) = gain(&quotient, producer, consumer, costs) {
                queue.push((gain, [producer, consumer], [changed[producer], changed[consumer]]));
            }
        }
        let Some((_, [producer, consumer], at)) = queue.pop() else { break };
        new = Vec::new();
        if at == [changed[producer], changed[consumer]] && !quotient.has_detour(producer, consumer) {
            quotient.merge(producer, consumer);
            (changed[producer], changed[consumer]) = (states, states);
            states += 1;
            new.extend(quotient.edges_at(producer));
        }
    }
    finish(graph, costs, &quotient, Stats { states, evaluations: before, ..Stats::default() })
}

/// The partition that merging came to, each group of which is accepted, or a single stage; `stats` have the evaluations before.
pub(super) fn finish<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    quotient: &Quotient,
    stats: Stats,
) -> Result<Partition, Misfit<C::Rejection>> {
    let merged: Vec<StageSet> = quotient.groups().iter().filter(|group| !group.is_empty()).cloned().collect();
    // Without detours there is an order.
    let groups = graph.in_order(merged.clone()).unwrap_or(merged);
    let mut cost = 0.0;
    for group in &groups {
        // What was merged was accepted, so a group that is rejected is a single stage.
        let stage = group.first().unwrap_or_default();
        cost += costs.cost(group).map_err(|rejection| Misfit { stage, rejection: rejection.clone() })?;
    }
    let stats = Stats { evaluations: costs.evaluated().len() - stats.evaluations, ..stats };
    Ok(Partition { groups, cost, stats })
}

/// What merging a consumer into its producer gains, where it may be done and gains.
fn gain<C: Costs>(quotient: &Quotient, producer: usize, consumer: usize, costs: &mut Memo<C>) -> Option<Gain> {
    let parts = [producer, consumer].map(|group| &quotient.groups()[group]);
    if quotient.has_detour(producer, consumer) || parts.iter().any(|part| costs.is_hopeless(part)) {
        return None;
    }
    let whole = costs.cost(&parts[0].union(parts[1])).map_err(drop).ok()?;
    let apart = parts.map(|part| costs.cost(part).ok());
    let rejected = apart.iter().filter(|cost| cost.is_none()).count();
    let saved = apart.iter().flatten().sum::<f64>() - whole;
    let gains = rejected > 0 || saved > 0.0;
    gains.then(|| (rejected, Number(saved), Reverse(parts.map(StageSet::first))))
}
