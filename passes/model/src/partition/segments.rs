//! A partition by splitting where there is need: Algorithms 4 and 5 of paper 004 (section 4.3), *Group Stages* and *Split Segments*.
//!
//! ```text
//!   A ─▶ B ─┬─▶ C ─▶ D ─▶ F      does {A..F} fit?  ── yes ──▶  {A B C D E F}
//!           └─▶ E ────────┘         │ no
//!                                   ▼ Algorithm 4: B has two consumers, so it goes to memory, and what it needs goes with it
//!                                 {A B}   {C D E F} ── does not fit ──▶ Algorithm 5: a first part that fits, and again the rest
//!                                             │
//!                                             ├─▶ {C} + the best of {D E F}
//!                                             ├─▶ {C D} + the best of {E F}     the least sum of all such ways
//!                                             └─▶ {C D E} is not in one piece; {C D E F} did not fit
//! ```
//!
//! How the paper's terms are found here:
//!
//! | paper | here |
//! | --- | --- |
//! | pipeline *P* | stages in one piece; a run that falls into several pieces is several pipelines |
//! | segment *H* | a candidate of the [`Graph`] |
//! | `TilingAnalysis(H)`, with fusion levels and inlining inside it (Algorithms 1 to 3) | [`Costs::cost`]: the model chooses tile and levels |
//! | *wset > csize*: the buffers do not fit the cache | the model rejects the segment: with no tile does it fit the machine |
//! | stages *K_0 ... K_m* in the order of their numbers | depth first from the outputs, so that a branch is done before the next begins and a first part is most often in one piece; one that is not is passed over |
//! | *max_split*, the fewest stages of a segment | 1: every way to split is looked at |
//! | every configuration is made, and the cheapest taken | the same one, found by keeping only the cheapest way to each stage of the order: quadratically many segments at the most instead of exponentially many configurations |
//!
//! As in the paper, what fits is not split, and what does not fit is not added to. Five things are added to it:
//!
//! - A segment that fits must also cost no more than its stages one by one; else it is split although it fits. So the partition
//!   never costs more than [`none`](super::none). [`as_printed`] does without: its costs are the paper's, too.
//! - A first part may be rejected, and yet grow, as long as no part before it fitted: some stages fit only with their consumers.
//! - Where no way to split fits, as [`greedy`] may do better with such stages, its partition is taken.
//! - When the [`Bounds`] are spent, parts grow no further.
//! - Algorithm 4 leaves small segments where many stages have two consumers, as in a pyramid. Merging them again is left for
//!   later in the paper; [`segments`](segments()) does it as [`greedy`] does, and [`split`] does not. (docs/fusion.md has what it saves.)

use super::{
    bounds::Bounds,
    costs::{Costs, Memo},
    found::{Misfit, Partition, Stats},
    graph::Graph,
    greedy::{greedy, merge},
    set::StageSet,
};

/// The partition of [`split`], then merged as [`greedy`] merges, while that saves. Never costs more than that, or than
/// [`none`](super::none).
///
/// # Errors
///
/// A stage that is in no segment that fits, and that [`greedy`] finds no group for.
pub fn segments<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    bounds: &Bounds,
) -> Result<Partition, Misfit<C::Rejection>> {
    let found = split(graph, costs, bounds)?;
    let mut merged = merge(graph, costs, found.groups)?;
    merged.stats.states += found.stats.states;
    merged.stats.evaluations += found.stats.evaluations;
    merged.stats.bound_hits += found.stats.bound_hits;
    Ok(merged)
}

/// The partition by Algorithms 4 and 5 of paper 004, and no more: each pipeline in one group where that fits, and else split at
/// stages that several read, and those segments, where they do not fit, where it costs least. Of the bounds, those on evaluations
/// and on the size of a group are kept; it goes on from no more sets than there are stages.
///
/// # Errors
///
/// A stage that is in no segment that fits, and that [`greedy`] finds no group for.
pub fn split<C: Costs>(graph: &Graph, costs: &mut Memo<C>, bounds: &Bounds) -> Result<Partition, Misfit<C::Rejection>> {
    search(graph, costs, bounds, false)
}

/// The partition by Algorithms 4 and 5 as the paper has them: what fits is one group, whatever its stages cost one by one.
///
/// # Errors
///
/// A stage that is in no segment that fits, and that [`greedy`] finds no group for.
pub fn as_printed<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    bounds: &Bounds,
) -> Result<Partition, Misfit<C::Rejection>> {
    search(graph, costs, bounds, true)
}

fn search<C: Costs>(
    graph: &Graph,
    costs: &mut Memo<C>,
    bounds: &Bounds,
    keeps_what_fits: bool,
) -> Result<Partition, Misfit<C::Rejection>> {
    let before = costs.evaluated().len();
    let mut search = Search { graph, costs, bounds, before, keeps_what_fits, stats: Stats::default() };
    let found = search.all();
    let mut stats = search.stats;
    let Some(groups) = found.and_then(|groups| graph.in_order(groups)) else {
        let mut found = greedy(graph, costs)?;
        found.stats.states += stats.states;
        found.stats.bound_hits += stats.bound_hits;
        found.stats.evaluations = costs.evaluated().len() - before;
        return Ok(found);
    };
    // Each was accepted: the costs are known.
    let cost = groups.iter().filter_map(|group| costs.cost(group).ok()).sum();
    stats.evaluations = costs.evaluated().len() - before;
    Ok(Partition { groups, cost, stats })
}

struct Search<'a, C: Costs> {
    graph: &'a Graph,
    costs: &'a mut Memo<C>,
    bounds: &'a Bounds,
    /// How many groups the memo held before.
    before: usize,
    /// Whether what fits is a group though its stages may cost less.
    keeps_what_fits: bool,
    stats: Stats,
}

impl<C: Costs> Search<'_, C> {
    /// The segments of all pipelines; `None` if some stage is in none that fits.
    fn all(&mut self) -> Option<Vec<StageSet>> {
        let mut groups = Vec::new();
        for pipeline in self.graph.pieces(&StageSet::below(self.graph.stages())) {
            groups.extend(self.group_stages(&pipeline)?);
        }
        Some(groups)
    }

    /// Algorithm 4, where the pipeline does not fit as a whole.
    fn group_stages(&mut self, pipeline: &StageSet) -> Option<Vec<StageSet>> {
        if self.fits(pipeline) {
            return Some(vec![pipeline.clone()]);
        }
        let mut groups = Vec::new();
        for segment in at_reuse(self.graph, pipeline) {
            groups.extend(self.split_segment(&segment)?);
        }
        Some(groups)
    }

    /// Algorithm 5: segments of one, the cheapest of all ways to split it.
    fn split_segment(&mut self, segment: &StageSet) -> Option<Vec<StageSet>> {
        let order = depth_first(self.graph, segment);
        // For each number of stages from the front: the least cost of segments of them, and where the last of these begins.
        let mut best: Vec<Option<(f64, usize)>> = vec![None; order.len() + 1];
        best[0] = Some((0.0, 0));
        for first in 0..order.len() {
            let Some((before, _)) = best[first] else { continue };
            self.stats.states += 1;
            let parts = self.first_parts(&order[first..]);
            for (len, cost) in parts {
                let (end, sum) = (first + len, before + cost);
                if best[end].is_none_or(|(least, _)| sum < least) {
                    best[end] = Some((sum, first));
                }
            }
        }
        let mut groups = Vec::new();
        let mut end = order.len();
        while end > 0 {
            let (_, first) = best[end]?;
            groups.push(order[first..end].iter().copied().collect());
            end = first;
        }
        Some(groups)
    }

    /// The segments that these stages may begin with, by their number of stages, with their costs.
    fn first_parts(&mut self, order: &[usize]) -> Vec<(usize, f64)> {
        let rest: StageSet = order.iter().copied().collect();
        if self.fits(&rest) {
            return self.costs.cost(&rest).map_or_else(|_| Vec::new(), |cost| vec![(order.len(), cost)]);
        }
        let mut parts = Vec::new();
        let mut part = StageSet::new();
        for (before, stage) in order.iter().enumerate() {
            part.insert(*stage);
            if !self.graph.is_candidate(&part) {
                continue;
            }
            if before > 0 && self.is_beyond(&part) {
                self.stats.bound_hits += 1;
                break;
            }
            match self.costs.cost(&part).ok() {
                Some(cost) => parts.push((before + 1, cost)),
                None if !parts.is_empty() || self.costs.is_hopeless(&part) => break,
                None => {}
            }
        }
        parts
    }

    /// Is the segment a group, and, where that is asked for, one that costs no more than its stages one by one?
    fn fits(&mut self, segment: &StageSet) -> bool {
        if !self.graph.is_candidate(segment) {
            return false;
        }
        if segment.len() > self.bounds.group_size {
            self.stats.bound_hits += 1;
            return false;
        }
        let Some(cost) = self.costs.cost(segment).ok() else { return false };
        if self.keeps_what_fits {
            return true;
        }
        let alone = segment.iter().map(|stage| self.costs.cost(&StageSet::from([stage])).ok()).sum::<Option<f64>>();
        alone.is_none_or(|alone| cost <= alone)
    }

    /// Would this be a segment that is too large, or one evaluation too many?
    fn is_beyond(&self, part: &StageSet) -> bool {
        let spent = self.costs.evaluated().len() - self.before;
        part.len() > self.bounds.group_size || (spent >= self.bounds.evaluations && !self.costs.knows(part))
    }
}

/// The segments of Algorithm 4, in an order in which they can run: each stage that several read, with all that it needs and
/// that is in none yet; and what remains, piece by piece. In each, a stage has one consumer at the most: it is a tree that
/// grows together, or, of what remains, several.
fn at_reuse(graph: &Graph, pipeline: &StageSet) -> Vec<StageSet> {
    let mut rest = pipeline.clone();
    let mut segments = Vec::new();
    for stage in pipeline.iter().filter(|stage| graph.consumers(*stage).len() > 1) {
        let segment = graph.ancestors(stage).with(stage).intersection(&rest);
        rest = rest.difference(&segment);
        segments.push(segment);
    }
    segments.extend(graph.pieces(&rest));
    segments
}

/// The stages of a segment, each behind its producers, and these branch by branch: from the outputs up, in reverse.
fn depth_first(graph: &Graph, segment: &StageSet) -> Vec<usize> {
    let outputs = segment.iter().filter(|stage| !graph.consumers(*stage).intersects(segment));
    let mut todo: Vec<usize> = outputs.collect();
    let mut order = Vec::with_capacity(segment.len());
    while let Some(stage) = todo.pop() {
        order.push(stage);
        // One consumer each: no producer comes twice.
        todo.extend(graph.producers(stage).intersection(segment).iter());
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture: two branches of what B makes.
    fn picture() -> Graph {
        let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5];
        Graph::new(6, [(a, b), (b, c), (c, d), (b, e), (d, f), (e, f)]).unwrap()
    }

    #[test]
    fn what_several_read_ends_a_segment() {
        let graph = picture();
        let segments = at_reuse(&graph, &StageSet::below(6));
        assert_eq!(segments, [StageSet::from([0, 1]), StageSet::from([2, 3, 4, 5])]);
        // A stage that several read, below another: what the first took is not taken twice.
        let graph = Graph::new(6, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5)]).unwrap();
        let segments = at_reuse(&graph, &StageSet::below(6));
        let expected = [vec![0], vec![1, 2, 3], vec![4], vec![5]];
        assert_eq!(segments, expected.map(|stages| stages.into_iter().collect::<StageSet>()));
    }

    #[test]
    fn branch_after_branch() {
        // Numbered level by level: (0 -> 2), (1 -> 3), both to 4.
        let graph = Graph::new(5, [(0, 2), (1, 3), (2, 4), (3, 4)]).unwrap();
        assert_eq!(depth_first(&graph, &StageSet::below(5)), [0, 2, 1, 3, 4]);
        assert_eq!(depth_first(&picture(), &StageSet::from([2, 3, 4, 5])), [2, 3, 4, 5]);
    }
}
