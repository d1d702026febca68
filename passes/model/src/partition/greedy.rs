//! The partitions that take no search: all apart, all in one, and what merging two groups at a time comes to.

use super::{
    costs::{Costs, Memo},
    found::{Misfit, Partition, Stats},
    graph::Graph,
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

/// From these groups, in an order in which they can run, merges as [`greedy`] does.
pub(super) fn merge<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    mut groups: Vec<StageSet>,
) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
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
    let stats = Stats { states, evaluations: costs.evaluated().len() - before, ..Stats::default() };
    Ok(Partition { groups, cost, stats })
}
