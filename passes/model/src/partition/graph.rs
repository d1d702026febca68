//! The stages of a program as a graph, and what a group of them must be.
//!
//! ```text
//! convex       A ─▶ B ─▶ C     {A, C} is not: its kernel would have to stop half way and wait for B's.
//!
//! acyclic      A ─▶ B          {A, D} and {B, C} are convex, and yet neither can run first:
//!              C ─▶ D          B waits for A, D waits for C.
//! ```

use super::set::StageSet;
use std::collections::BTreeSet;
use std::fmt;

/// Stages, numbered so that every producer is before its consumers, and the edges between them.
///
/// A set of stages is a *candidate* for a group if it is
/// - *convex*: no path leaves it and comes back, and
/// - *connected*: by edges and, after [`connect_by_sources`](Graph::connect_by_sources), by images that two of its stages
///   both read. Stages that share nothing gain nothing from a common kernel.
#[derive(Clone, Debug)]
pub struct Graph {
    producers: Vec<StageSet>,
    consumers: Vec<StageSet>,
    /// All that a stage depends on, at any distance, and all that depend on it.
    ancestors: Vec<StageSet>,
    descendants: Vec<StageSet>,
    /// The stages that a stage is connected to.
    related: Vec<StageSet>,
}

/// An edge that does not lead from a stage to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadEdge {
    /// Where the edge starts.
    pub producer: usize,
    /// Where it ends.
    pub consumer: usize,
    /// The number of stages.
    pub stages: usize,
}

impl fmt::Display for BadEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadEdge { producer, consumer, stages } = self;
        write!(f, "edge {producer} -> {consumer}: expected two of {stages} stages, the producer before its consumer")
    }
}

impl std::error::Error for BadEdge {}

impl Graph {
    /// The graph of `stages` stages and these edges, each a producer and its consumer.
    pub fn new(stages: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Graph, BadEdge> {
        let none = vec![StageSet::new(); stages];
        let (mut producers, mut consumers) = (none.clone(), none.clone());
        for (producer, consumer) in edges {
            if producer >= consumer || consumer >= stages {
                return Err(BadEdge { producer, consumer, stages });
            }
            producers[consumer].insert(producer);
            consumers[producer].insert(consumer);
        }
        let (mut ancestors, mut descendants) = (none.clone(), none);
        for s in 0..stages {
            ancestors[s] = producers[s].iter().fold(producers[s].clone(), |all, p| all.union(&ancestors[p]));
        }
        for s in (0..stages).rev() {
            descendants[s] = consumers[s].iter().fold(consumers[s].clone(), |all, c| all.union(&descendants[c]));
        }
        let related = producers.iter().zip(&consumers).map(|(p, c)| p.union(c)).collect();
        Ok(Graph { producers, consumers, ancestors, descendants, related })
    }

    /// Connects stages that read the same image, so that they may be fused side by side. `reads[stage]` are the images that
    /// a stage reads, under any numbers: the program's inputs, and results of stages too if consumers of one result are to
    /// be fused without its producer.
    pub fn connect_by_sources(mut self, reads: &[Vec<usize>]) -> Graph {
        let mut readers = std::collections::BTreeMap::<usize, StageSet>::new();
        for (stage, images) in reads.iter().enumerate().take(self.stages()) {
            images.iter().for_each(|&image| readers.entry(image).or_default().insert(stage));
        }
        for set in readers.values() {
            for stage in set.iter() {
                self.related[stage] = self.related[stage].union(&set.without(stage));
            }
        }
        self
    }

    /// How many stages there are.
    pub fn stages(&self) -> usize {
        self.producers.len()
    }

    /// The stages that a stage reads.
    pub fn producers(&self, stage: usize) -> &StageSet {
        &self.producers[stage]
    }

    /// The stages that read a stage.
    pub fn consumers(&self, stage: usize) -> &StageSet {
        &self.consumers[stage]
    }

    /// All that a stage depends on, at any distance.
    pub(super) fn ancestors(&self, stage: usize) -> &StageSet {
        &self.ancestors[stage]
    }

    fn over(&self, of: &[StageSet], group: &StageSet) -> StageSet {
        group.iter().filter_map(|s| of.get(s)).fold(StageSet::new(), |all, set| all.union(set))
    }

    /// The stages that a group reads and does not compute.
    pub fn inputs(&self, group: &StageSet) -> StageSet {
        self.over(&self.producers, group).difference(group)
    }

    /// Does no path leave the group and come back?
    pub fn is_convex(&self, group: &StageSet) -> bool {
        self.over(&self.ancestors, group).intersection(&self.over(&self.descendants, group)).is_subset(group)
    }

    /// Is the group in one piece?
    pub fn is_connected(&self, group: &StageSet) -> bool {
        self.piece(group) == *group
    }

    /// What of a group is in one piece with its lowest stage.
    fn piece(&self, group: &StageSet) -> StageSet {
        let mut reached: StageSet = group.first().into_iter().collect();
        let mut border = reached.clone();
        while !border.is_empty() {
            border = self.over(&self.related, &border).intersection(group).difference(&reached);
            reached = reached.union(&border);
        }
        reached
    }

    /// The pieces of a group, that with the lowest stage first.
    pub(super) fn pieces(&self, group: &StageSet) -> Vec<StageSet> {
        let mut rest = group.clone();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let piece = self.piece(&rest);
            rest = rest.difference(&piece);
            pieces.push(piece);
        }
        pieces
    }

    /// May the stages be a group: are they convex and connected?
    pub fn is_candidate(&self, group: &StageSet) -> bool {
        let are_stages = group.is_subset(&StageSet::below(self.stages()));
        !group.is_empty() && are_stages && self.is_connected(group) && self.is_convex(group)
    }

    /// The stages that a candidate can grow by, one at a time, and still be a candidate.
    ///
    /// Every candidate is reached so, from one of its stages. For call a stage of a candidate *outer* if it has no producers
    /// in it, or no consumers: a candidate without an outer stage is convex, and some outer stage can go without breaking it
    /// in pieces. Else take the outer stage whose loss cuts off the smallest piece, say one without producers. In that piece
    /// is a stage without consumers; it is outer, and its loss would cut off less still.
    pub(super) fn growth(&self, group: &StageSet) -> Vec<usize> {
        let (above, below) = (self.over(&self.ancestors, group), self.over(&self.descendants, group));
        let is_convex_with = |s: usize| {
            let between = self.ancestors[s].intersection(&below).union(&self.descendants[s].intersection(&above));
            between.is_subset(group)
        };
        self.over(&self.related, group).difference(group).iter().filter(|&s| is_convex_with(s)).collect()
    }

    /// The groups in an order in which they can run: each after all that it reads, and otherwise the one with the lowest stage
    /// first. `None` if there is none, because the quotient has a cycle, or if the groups are not a partition of the stages.
    pub fn in_order(&self, groups: Vec<StageSet>) -> Option<Vec<StageSet>> {
        let owner = self.owners(&groups)?;
        let feeders = |group: &StageSet| self.inputs(group).iter().map(|s| owner[s]).collect::<StageSet>();
        let mut waits: Vec<usize> = groups.iter().map(|group| feeders(group).len()).collect();
        let mut ready: BTreeSet<(Option<usize>, usize)> =
            (0..groups.len()).filter(|&g| waits[g] == 0).map(|g| (groups[g].first(), g)).collect();
        let mut order = Vec::with_capacity(groups.len());
        while let Some((_, g)) = ready.pop_first() {
            order.push(groups[g].clone());
            let fed = self.over(&self.consumers, &groups[g]).difference(&groups[g]);
            for c in fed.iter().map(|s| owner[s]).collect::<StageSet>().iter() {
                waits[c] -= 1;
                if waits[c] == 0 {
                    ready.insert((groups[c].first(), c));
                }
            }
        }
        (order.len() == groups.len()).then_some(order)
    }

    /// The group of each stage; `None` if one has none, or two.
    pub(super) fn owners(&self, groups: &[StageSet]) -> Option<Vec<usize>> {
        let mut owner = vec![usize::MAX; self.stages()];
        for (g, group) in groups.iter().enumerate() {
            for s in group.iter() {
                let free = owner.get_mut(s).filter(|owner| **owner == usize::MAX)?;
                *free = g;
            }
        }
        (!groups.iter().any(StageSet::is_empty) && !owner.contains(&usize::MAX)).then_some(owner)
    }

    /// Two pieces that a group falls into at a stage: what depends on it, or what it depends on, and the rest.
    pub(super) fn cuts(&self, group: &StageSet) -> Vec<[StageSet; 2]> {
        let cut = |reach: &StageSet, s| {
            let piece = reach.intersection(group).with(s);
            let rest = group.difference(&piece);
            [piece, rest]
        };
        group.iter().flat_map(|s| [cut(&self.descendants[s], s), cut(&self.ancestors[s], s)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convex_is_not_enough() {
        let (a, b, c, d) = (0, 1, 2, 3);
        let graph = Graph::new(4, [(a, b), (c, d)]).unwrap();
        let crossed = vec![StageSet::from([a, d]), StageSet::from([b, c])];
        assert!(crossed.iter().all(|group| graph.is_convex(group) && !graph.is_connected(group)));
        assert_eq!(graph.in_order(crossed), None);
        let along = vec![StageSet::from([c, d]), StageSet::from([a, b])];
        assert_eq!(graph.in_order(along), Some(vec![StageSet::from([a, b]), StageSet::from([c, d])]));
        // All four read one image.
        let graph = graph.connect_by_sources(&vec![vec![7]; 4]);
        assert!(graph.is_candidate(&StageSet::from([a, d])) && graph.is_candidate(&StageSet::from([b, c])));
    }

    #[test]
    fn a_path_that_comes_back() {
        let graph = Graph::new(3, [(0, 1), (1, 2), (0, 2)]).unwrap();
        assert!(!graph.is_convex(&StageSet::from([0, 2])) && graph.is_connected(&StageSet::from([0, 2])));
        assert_eq!(graph.growth(&StageSet::from([0])), [1]);
        assert_eq!(graph.in_order(vec![StageSet::from([0, 2]), StageSet::from([1])]), None);
        assert_eq!(graph.in_order(vec![StageSet::from([0, 1])]), None, "a stage without a group");
        assert_eq!(graph.in_order(vec![StageSet::from([0, 1]), StageSet::from([1, 2])]), None, "a stage with two");
    }

    #[test]
    fn what_is_no_stage_is_no_candidate() {
        let graph = Graph::new(2, [(0, 1)]).unwrap();
        assert!(
            ![StageSet::new(), StageSet::from([7]), StageSet::from([0, 1, 200])].iter().any(|g| graph.is_candidate(g))
        );
    }

    #[test]
    fn edges_go_forward() {
        let error = Graph::new(2, [(1, 1)]).unwrap_err();
        assert_eq!(error.to_string(), "edge 1 -> 1: expected two of 2 stages, the producer before its consumer");
        assert!(Graph::new(2, [(0, 2)]).is_err());
    }
}
