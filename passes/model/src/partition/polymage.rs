//! PolyMage's greedy fusion: a group goes into the only one that reads it, where tiles of both overlap by little.
//!
//! ```text
//! blurx ─▶ blury ─▶ sharpen ─▶ masked      "blurx" has one reader: with it, tiles of 32 x 256 overlap by 4 %     merged
//!            └─────────────────▲           "blury" has two: it waits until they are one
//! ```
//!
//! (Mullapudi, Vasista and Bondhugula: PolyMage, ASPLOS 2015, Algorithm 1; it is the baseline of papers 000 and 002.) One tile is given
//! for all groups, and the overlap that is tolerated: PolyMage's autotuner tries many of the one, and 0.2, 0.4 and 0.5 of the other. No
//! cost is asked for: that a group has tiles at all is.

use super::{
    costs::{Costs, Memo, Number},
    found::{Misfit, Partition, Stats},
    graph::Graph,
    greedy::finish,
    quotient::Quotient,
    set::StageSet,
};
use std::cmp::Reverse;

/// From single stages, merges the largest group with one consumer into that, as long as they overlap by less than `threshold`
/// ([`Costs::overlap`]).
pub fn polymage<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    threshold: f64,
) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
    let mut quotient = Quotient::new(graph, (0..graph.stages()).map(|stage| StageSet::from([stage])).collect());
    let mut states = 1;
    while let Some((producer, consumer)) = next(&quotient, costs, threshold) {
        // With a single consumer there is no detour.
        quotient.merge(producer, consumer);
        states += 1;
    }
    finish(graph, costs, &quotient, Stats { states, evaluations: before, ..Stats::default() })
}

/// The next group that goes into its consumer.
fn next<C: Costs>(quotient: &Quotient, costs: &mut Memo<C>, threshold: f64) -> Option<(usize, usize)> {
    let consumers = |group: usize| quotient.edges_at(group).filter(move |(producer, _)| *producer == group);
    let alone = |group: usize| consumers(group).count() == 1;
    let mut candidates: Vec<(usize, usize)> = quotient.edges().filter(|(producer, _)| alone(*producer)).collect();
    let points = |group: usize| quotient.groups()[group].iter().map(|stage| costs.costs().points(stage)).sum::<f64>();
    candidates.sort_by_key(|(producer, _)| Reverse(Number(points(*producer))));
    candidates.into_iter().find(|(producer, consumer)| {
        let both = quotient.groups()[*producer].union(&quotient.groups()[*consumer]);
        costs.costs().overlap(&both).is_some_and(|overlap| overlap < threshold) && costs.cost(&both).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each stage of a group adds a tenth of overlap; one that has stage 3 has no tiles.
    struct Tenths;

    impl Costs for Tenths {
        type Rejection = ();

        fn cost(&mut self, _: &StageSet) -> Result<f64, ()> {
            Ok(1.0)
        }

        fn overlap(&self, group: &StageSet) -> Option<f64> {
            (!group.contains(3)).then(|| group.len() as f64 / 10.0)
        }
    }

    fn groups(edges: &[(usize, usize)], stages: usize, threshold: f64) -> Vec<StageSet> {
        let graph = Graph::new(stages, edges.iter().copied()).unwrap();
        polymage(&graph, &mut Memo::new(Tenths), threshold).unwrap().groups
    }

    #[test]
    fn what_has_one_consumer_goes_into_it() {
        // 0 is read by 1 and 2, which wait for nobody else: only when they are one has 0 a single consumer.
        let diamond = [(0, 1), (0, 2), (1, 2)];
        assert_eq!(groups(&diamond, 3, 0.4), [StageSet::from([0, 1, 2])]);
        assert_eq!(groups(&diamond, 3, 0.3), [StageSet::from([0]), StageSet::from([1, 2])]);
        assert_eq!(groups(&[(0, 1), (0, 2)], 3, 0.9).len(), 3);
    }

    #[test]
    fn a_group_without_tiles_is_none() {
        assert_eq!(groups(&[(0, 1), (1, 2), (2, 3)], 4, 0.9), [StageSet::from([0, 1, 2]), StageSet::from([3])]);
    }
}
