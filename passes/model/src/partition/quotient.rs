//! The quotient graph of a partition, whose nodes are the groups, while groups are merged.
//!
//! ```text
//!   A ─▶ B ─▶ C           {A} ─▶ {B} ─▶ {C}        {A, B} ─▶ {C}
//!   └─────────▲            └─────────────▲
//! ```
//!
//! `A` feeds `C`, and by way of `B` too: merged, the two would wait for `B`, and `B` for them.

use super::{graph::Graph, set::StageSet};

/// The groups, and which feeds which. A group that was merged into another is empty and has no edges.
pub(super) struct Quotient {
    groups: Vec<StageSet>,
    feeds: Vec<StageSet>,
    fed_by: Vec<StageSet>,
}

impl Quotient {
    /// The quotient graph of a partition.
    pub fn new(graph: &Graph, groups: Vec<StageSet>) -> Quotient {
        let owner = graph.owners(&groups).expect("each stage has one group in a partition");
        let none = vec![StageSet::new(); groups.len()];
        let (mut feeds, mut fed_by) = (none.clone(), none);
        for (consumer, group) in groups.iter().enumerate() {
            for producer in graph.inputs(group).iter().map(|s| owner[s]) {
                feeds[producer].insert(consumer);
                fed_by[consumer].insert(producer);
            }
        }
        Quotient { groups, feeds, fed_by }
    }

    /// All groups; those that were merged into others are empty.
    pub fn groups(&self) -> &[StageSet] {
        &self.groups
    }

    /// The pairs of a producer and a consumer.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let fed_by = |producer: usize| self.feeds[producer].iter().map(move |consumer| (producer, consumer));
        (0..self.feeds.len()).flat_map(fed_by)
    }

    /// Those that a group is one of.
    pub fn edges_at(&self, group: usize) -> impl Iterator<Item = (usize, usize)> {
        let to = self.feeds[group].iter().map(move |consumer| (group, consumer));
        to.chain(self.fed_by[group].iter().map(move |producer| (producer, group)))
    }

    /// Whether a producer feeds its consumer by way of another group: merging them would make a cycle with that.
    pub fn has_detour(&self, producer: usize, consumer: usize) -> bool {
        let mut reached = self.feeds[producer].without(consumer);
        let mut border: Vec<usize> = reached.iter().collect();
        while let Some(group) = border.pop() {
            if self.feeds[group].contains(consumer) {
                return true;
            }
            border.extend(self.feeds[group].difference(&reached).iter());
            reached = reached.union(&self.feeds[group]);
        }
        false
    }

    /// Merges a consumer into its producer. They have no detour.
    pub fn merge(&mut self, producer: usize, consumer: usize) {
        let group = std::mem::take(&mut self.groups[consumer]);
        self.groups[producer] = self.groups[producer].union(&group);
        let (feeds, fed_by) = (std::mem::take(&mut self.feeds[consumer]), std::mem::take(&mut self.fed_by[consumer]));
        for group in feeds.iter() {
            self.fed_by[group].remove(consumer);
            self.fed_by[group].insert(producer);
        }
        for group in fed_by.iter() {
            self.feeds[group].remove(consumer);
            self.feeds[group].insert(producer);
        }
        self.feeds[producer] = self.feeds[producer].union(&feeds).without(producer);
        self.fed_by[producer] = self.fed_by[producer].union(&fed_by).without(producer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotient<const N: usize>(edges: &[(usize, usize)], groups: [&[usize]; N]) -> Quotient {
        let groups = groups.map(|group| group.iter().copied().collect::<StageSet>());
        let stages = groups.iter().map(StageSet::len).sum();
        Quotient::new(&Graph::new(stages, edges.iter().copied()).unwrap(), groups.to_vec())
    }

    #[test]
    fn a_detour_ends_with_a_merge() {
        let mut quotient = quotient(&[(0, 1), (1, 2), (0, 2)], [&[0], &[1], &[2]]);
        assert!(quotient.has_detour(0, 2) && !quotient.has_detour(0, 1) && !quotient.has_detour(1, 2));
        quotient.merge(0, 1);
        assert!(!quotient.has_detour(0, 2));
        assert_eq!(quotient.edges().collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!(quotient.edges_at(2).collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!(quotient.groups(), [StageSet::from([0, 1]), StageSet::new(), StageSet::from([2])]);
    }

    #[test]
    fn a_detour_that_no_path_of_stages_takes() {
        // 1 is fed, and 2 of the same group feeds.
        let quotient = quotient(&[(0, 1), (2, 3), (0, 3)], [&[0], &[1, 2], &[3]]);
        assert!(quotient.has_detour(0, 2));
    }
}
