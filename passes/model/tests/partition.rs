//! The search for a partition against brute force: every partition of the stages of a random graph is tried, and so the best
//! one is known. The costs are of many kinds, some as no machine would have them.

use proptest::prelude::*;
use weft_model::partition::{
    Bounds, Costs, Graph, Memo, Misfit, Partition, StageSet, all, dp, greedy, none, segments, split,
};

/// A graph, as the text of a test has it.
#[derive(Clone, Debug)]
struct Case {
    stages: usize,
    edges: Vec<(usize, usize)>,
    /// The images that each stage reads, if stages are connected by them.
    reads: Option<Vec<Vec<usize>>>,
    model: Model,
}

impl Case {
    fn graph(&self) -> Graph {
        let graph = Graph::new(self.stages, self.edges.iter().copied()).unwrap();
        match &self.reads {
            Some(reads) => graph.connect_by_sources(reads),
            None => graph,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Stages, less what edges within the group save.
    Edges,
    /// Work that grows with the depth of the group, traffic over its border, and a launch.
    Kernels,
    /// Cheaper by the stage up to a size, and dearer from there on.
    Sizes,
    /// Any number, negative ones too: from a table.
    Table,
}

/// Costs that are multiples of a quarter, so that sums are exact in any order.
#[derive(Clone, Copy, Debug)]
struct Model {
    kind: Kind,
    seed: u64,
    /// Sets of more stages are rejected, and may not grow.
    limit: usize,
    /// One of so many sets is rejected at random, and may grow; none if 0.
    rejected: u64,
}

/// A rejection: for good, or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rejection {
    Large,
    Random,
}

/// A model and the edges it counts.
struct Priced {
    model: Model,
    edges: Vec<(usize, usize)>,
    evaluations: usize,
}

impl Priced {
    fn of(case: &Case) -> Priced {
        Priced { model: case.model, edges: case.edges.clone(), evaluations: 0 }
    }

    fn up_to(&self, n: u64, of: &[usize]) -> f64 {
        (hash(self.model.seed, of.iter().copied()) % n) as f64 / 4.0
    }
}

/// A number that depends on the numbers before it in a way nobody could guess.
fn hash(seed: u64, values: impl IntoIterator<Item = usize>) -> u64 {
    values.into_iter().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |hash, value| {
        let hash = (hash ^ value as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (hash ^ (hash >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ (hash >> 29)
    })
}

impl Costs for Priced {
    type Rejection = Rejection;

    fn cost(&mut self, group: &StageSet) -> Result<f64, Rejection> {
        self.evaluations += 1;
        let Model { kind, seed, limit, rejected } = self.model;
        if group.len() > limit {
            return Err(Rejection::Large);
        }
        if rejected > 0 && hash(seed + 1, group.iter()).is_multiple_of(rejected) {
            return Err(Rejection::Random);
        }
        let up_to = |n: u64, of: &[usize]| self.up_to(n, of);
        let within = |&&(p, c): &&(usize, usize)| group.contains(p) && group.contains(c);
        let across = self.edges.iter().filter(|&&(p, c)| group.contains(p) != group.contains(c));
        let stages: f64 = group.iter().map(|s| 4.0 + up_to(40, &[s])).sum();
        Ok(match kind {
            Kind::Edges => stages - self.edges.iter().filter(within).map(|&(p, c)| up_to(24, &[p, c])).sum::<f64>(),
            Kind::Kernels => {
                let traffic: f64 = across.map(|&(p, c)| up_to(30, &[p, c])).sum();
                stages + self.edges.iter().filter(within).count() as f64 * 0.75 + traffic + 5.0
            }
            Kind::Sizes => stages + (group.len() as f64 - up_to(20, &[100]).floor()).powi(2),
            Kind::Table => up_to(400, &group.iter().collect::<Vec<_>>()) - 20.0,
        })
    }

    fn may_grow(&self, rejection: &Rejection) -> bool {
        *rejection == Rejection::Random
    }

    /// For edges: every edge within the stages saves what it can. Said for every other seed only.
    fn lower_bound(&self, stages: &StageSet) -> f64 {
        if !matches!(self.model.kind, Kind::Edges) || self.model.seed.is_multiple_of(2) {
            return f64::NEG_INFINITY;
        }
        let saved = self.edges.iter().filter(|&&(p, c)| stages.contains(p) && stages.contains(c));
        stages.iter().map(|s| 4.0 + self.up_to(40, &[s])).sum::<f64>()
            - saved.map(|&(p, c)| self.up_to(24, &[p, c])).sum::<f64>()
    }
}

/// Is it so that every stage is in one group, that each group has all it reads before it, and that the cost is the sum?
fn check(case: &Case, partition: &Partition) -> Result<(), TestCaseError> {
    let mut done = vec![false; case.stages];
    let mut costs = Priced::of(case);
    let mut sum = 0.0;
    for group in &partition.groups {
        prop_assert!(!group.is_empty());
        for s in group.iter() {
            prop_assert!(!done[s], "stage {} twice in {:?}", s, partition.groups);
            for &(p, _) in case.edges.iter().filter(|&&(_, c)| c == s) {
                prop_assert!(done[p] || group.contains(p), "{} before {}: {:?}", s, p, partition.groups);
            }
        }
        group.iter().for_each(|s| done[s] = true);
        sum += costs.cost(group).unwrap();
    }
    prop_assert!(done.iter().all(|&done| done), "not all stages: {:?}", partition.groups);
    prop_assert_eq!(sum, partition.cost);
    Ok(())
}

/// The least cost over all partitions whose quotient has no cycle, and whose groups are convex and in one piece: said again
/// with matrices, from the definitions.
fn brute_force(case: &Case) -> Option<f64> {
    let n = case.stages;
    let mut path = vec![vec![false; n]; n];
    case.edges.iter().for_each(|&(p, c)| path[p][c] = true);
    for via in 0..n {
        for from in 0..n {
            for to in 0..n {
                path[from][to] |= path[from][via] && path[via][to];
            }
        }
    }
    let shares = |a: usize, b: usize| {
        case.reads.as_ref().is_some_and(|reads| reads[a].iter().any(|image| reads[b].contains(image)))
    };
    let touches = |a: usize, b: usize| case.edges.contains(&(a.min(b), a.max(b))) || shares(a, b);
    let mut costs = Priced::of(case);
    let cost: Vec<Option<f64>> = (0..1usize << n)
        .map(|bits| {
            let has = |s: usize| bits >> s & 1 == 1;
            let hole =
                (0..n).any(|s| !has(s) && (0..n).any(|a| has(a) && path[a][s]) && (0..n).any(|b| has(b) && path[s][b]));
            let mut piece = bits & bits.wrapping_neg();
            for _ in 0..n {
                for s in (0..n).filter(|&s| has(s)) {
                    if (0..n).any(|t| piece >> t & 1 == 1 && touches(s, t)) {
                        piece |= 1 << s;
                    }
                }
            }
            if bits == 0 || hole || piece != bits {
                return None;
            }
            costs.cost(&(0..n).filter(|&s| has(s)).collect()).ok()
        })
        .collect();

    /// Puts stage `s` into each group so far, and into a new one.
    fn place(s: usize, groups: &mut Vec<usize>, cost: &[Option<f64>], case: &Case, best: &mut Option<f64>) {
        if s == case.stages {
            let Some(sum) = groups.iter().map(|&group| cost[group]).sum::<Option<f64>>() else { return };
            if best.is_none_or(|best| sum < best) && can_run(groups, case) {
                *best = Some(sum);
            }
            return;
        }
        for g in 0..groups.len() {
            groups[g] |= 1 << s;
            place(s + 1, groups, cost, case, best);
            groups[g] &= !(1 << s);
        }
        groups.push(1 << s);
        place(s + 1, groups, cost, case, best);
        groups.pop();
    }

    /// Runs groups that have all they read until nothing changes.
    fn can_run(groups: &[usize], case: &Case) -> bool {
        let mut done = 0usize;
        for _ in groups {
            for &group in groups {
                let waits = |&(p, c): &(usize, usize)| group >> c & 1 == 1 && (done | group) >> p & 1 == 0;
                if !case.edges.iter().any(waits) {
                    done |= group;
                }
            }
        }
        done == (1 << case.stages) - 1
    }

    let mut best = None;
    place(0, &mut Vec::new(), &cost, case, &mut best);
    best
}

fn model(stages: usize) -> impl Strategy<Value = Model> {
    let kind = prop_oneof![Just(Kind::Edges), Just(Kind::Kernels), Just(Kind::Sizes), Just(Kind::Table)];
    let limit = prop_oneof![2 => Just(stages), 1 => 1..=stages];
    let rejected = prop_oneof![2 => Just(0), 1 => 2u64..8];
    (kind, 0u64..1 << 40, limit, rejected).prop_map(|(kind, seed, limit, rejected)| Model {
        kind,
        seed,
        limit,
        rejected,
    })
}

/// A random graph: sparse or dense, each stage with edges from some of those before it.
fn case(stages: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Case> {
    let edges = |n: usize, dense: u32| {
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|c| (0..c).map(move |p| (p, c))).collect();
        prop::collection::vec(0..100u32, pairs.len()).prop_map(move |dice| {
            let kept = pairs.iter().zip(dice).filter(|((p, c), die)| *die < if c - p < 4 { dense } else { dense / 4 });
            kept.map(|(&edge, _)| edge).collect::<Vec<_>>()
        })
    };
    (stages, 15..60u32).prop_flat_map(move |(n, dense)| {
        let reads = prop::option::of(prop::collection::vec(prop::collection::vec(0usize..3, 0..2), n));
        (edges(n, dense), reads, model(n)).prop_map(move |(edges, reads, model)| Case {
            stages: n,
            edges,
            reads,
            model,
        })
    })
}

/// A chain, with costs of which a part of the kinds is such that a merge always saves.
fn chain(kinds: &'static [Kind]) -> impl Strategy<Value = Case> {
    (1usize..=10, prop::sample::select(kinds)).prop_flat_map(|(n, kind)| {
        model(n).prop_map(move |model| Case {
            stages: n,
            edges: (1..n).map(|s| (s - 1, s)).collect(),
            reads: None,
            model: Model { kind, ..model },
        })
    })
}

/// Algorithm 5 of paper 004 on a chain from `first` on, word by word: a first part that is accepted, the same for the rest, until
/// one is rejected; every configuration looked at. What fits, and costs no more than its stages, is not split.
fn split_segments(case: &Case, first: usize) -> Option<f64> {
    let n = case.stages;
    let mut costs = Priced::of(case);
    let mut cost = |from: usize, to: usize| costs.cost(&(from..to).collect());
    if first == n {
        return Some(0.0);
    }
    let alone = (first..n).map(|s| cost(s, s + 1).ok()).sum::<Option<f64>>();
    if let Ok(rest) = cost(first, n)
        && alone.is_none_or(|alone| rest <= alone)
    {
        return Some(rest);
    }
    let mut best: Option<f64> = None;
    let mut fitted = false;
    for end in first + 1..=n {
        match cost(first, end) {
            Ok(part) => {
                fitted = true;
                let sum = split_segments(case, end).map(|rest| part + rest);
                best = best.into_iter().chain(sum).min_by(f64::total_cmp);
            }
            Err(rejection) if fitted || rejection == Rejection::Large => break,
            Err(_) => {}
        }
    }
    best
}

const NO_BOUNDS: Bounds = Bounds { evaluations: usize::MAX, states: usize::MAX, group_size: usize::MAX };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn dp_finds_what_brute_force_finds(case in case(1..=9)) {
        let graph = case.graph();
        let mut costs = Memo::new(Priced::of(&case));
        match (dp(&graph, &mut costs, &NO_BOUNDS), brute_force(&case)) {
            (Ok(partition), best) => {
                check(&case, &partition)?;
                prop_assert_eq!(partition.stats.bound_hits, 0);
                prop_assert_eq!(Some(partition.cost), best);
                prop_assert_eq!(partition.stats.evaluations, costs.evaluated().len());
                prop_assert!(partition.groups.iter().all(|group| graph.is_candidate(group)));
            }
            (Err(misfit), best) => {
                prop_assert_eq!(best, None);
                prop_assert_eq!(Priced::of(&case).cost(&StageSet::from([misfit.stage])), Err(misfit.rejection));
            }
        }
    }

    #[test]
    fn the_bounds_of_a_small_graph_are_not_hit(case in case(1..=8)) {
        let graph = case.graph();
        if let Ok(partition) = dp(&graph, &mut Memo::new(Priced::of(&case)), &Bounds::for_stages(case.stages)) {
            prop_assert_eq!(partition.stats.bound_hits, 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn tight_bounds_end_and_are_not_worse_than_greedy_or_segments(
        case in case(1..=40), evaluations in 0usize..400, states in 0usize..20, group_size in 0usize..10,
    ) {
        let graph = case.graph();
        let bounds = Bounds { evaluations, states, group_size };
        let least = |partition: &Result<Partition, Misfit<Rejection>>| partition.as_ref().map_or(f64::INFINITY, |p| p.cost);
        let by_greedy = greedy(&graph, &mut Memo::new(Priced::of(&case)));
        if let Ok(partition) = &by_greedy {
            check(&case, partition)?;
        }
        // With what is known by then.
        let few = Bounds { evaluations: evaluations / 8, ..bounds };
        let mut costs = Memo::new(Priced::of(&case));
        for stage in 0..case.stages {
            let _ = costs.cost(&StageSet::from([stage]));
        }
        let _ = greedy(&graph, &mut costs);
        let by_segments = segments(&graph, &mut costs, &few);
        let of_segments = costs.evaluated().len();
        let mut costs = Memo::new(Priced::of(&case));
        let found = dp(&graph, &mut costs, &bounds);
        let of_greedy = by_greedy.as_ref().map_or(case.stages * case.stages, |p| p.stats.evaluations);
        let always = of_greedy + of_segments + case.stages + 1;
        prop_assert!(costs.evaluated().len() <= evaluations.max(always));
        let single = none(&graph, &mut Memo::new(Priced::of(&case)));
        let one = all(&graph, &mut Memo::new(Priced::of(&case)));
        if let Ok(partition) = &found {
            check(&case, partition)?;
        }
        prop_assert!(least(&found) <= least(&by_greedy) && least(&found) <= least(&single));
        prop_assert!(least(&found) <= least(&by_segments));
        if graph.is_candidate(&StageSet::below(case.stages)) && let Ok(one) = one {
            prop_assert!(least(&found) <= one.cost);
        }
        // The same again, to the bit; and again with the memo, in which all is known.
        prop_assert_eq!(&dp(&graph, &mut Memo::new(Priced::of(&case)), &bounds), &found);
        prop_assert!(least(&dp(&graph, &mut costs, &bounds)) <= least(&by_greedy));
    }

    #[test]
    fn segments_are_a_partition_and_not_worse_than_none(
        case in case(1..=30), evaluations in prop_oneof![Just(usize::MAX), 0usize..200],
        group_size in prop_oneof![Just(usize::MAX), 1usize..8],
    ) {
        let graph = case.graph();
        let bounds = Bounds { evaluations, group_size, ..NO_BOUNDS };
        let mut costs = Memo::new(Priced::of(&case));
        let by_split = split(&graph, &mut costs, &bounds);
        let evaluated = costs.evaluated().len();
        let single = none(&graph, &mut Memo::new(Priced::of(&case)));
        let by_greedy = greedy(&graph, &mut Memo::new(Priced::of(&case)));
        match &by_split {
            Ok(partition) => {
                check(&case, partition)?;
                prop_assert!(partition.groups.iter().all(|group| graph.is_candidate(group)));
                prop_assert!(single.is_err() || partition.cost <= single.as_ref().unwrap().cost);
                prop_assert_eq!(partition.stats.evaluations, evaluated);
                if single.is_ok() {
                    // Single stages, what is left at each, and first parts as far as the bound goes.
                    prop_assert!(evaluated <= evaluations.saturating_add(2 * case.stages + 1));
                    prop_assert!(partition.groups.iter().all(|group| group.len() <= group_size));
                }
            }
            // Some stage can be in no group of its own, and greedy finds none for it either.
            Err(_) => prop_assert!(single.is_err() && by_greedy.is_err()),
        }
        let mut costs = Memo::new(Priced::of(&case));
        let merged = segments(&graph, &mut costs, &bounds);
        match (&merged, &by_split) {
            (Ok(merged), Ok(by_split)) => {
                check(&case, merged)?;
                prop_assert!(merged.groups.iter().all(|group| graph.is_candidate(group)));
                prop_assert!(merged.cost <= by_split.cost && merged.groups.len() <= by_split.groups.len());
                prop_assert_eq!(merged.stats.evaluations, costs.evaluated().len());
                prop_assert_eq!(merged.stats.bound_hits, by_split.stats.bound_hits);
            }
            (merged, by_split) => prop_assert_eq!(merged, by_split),
        }
        prop_assert_eq!(&segments(&graph, &mut Memo::new(Priced::of(&case)), &bounds), &merged);
    }

    #[test]
    fn segments_of_small_graphs_are_not_better_than_dp(case in case(1..=9)) {
        let graph = case.graph();
        if let Ok(partition) = segments(&graph, &mut Memo::new(Priced::of(&case)), &NO_BOUNDS) {
            let least = dp(&graph, &mut Memo::new(Priced::of(&case)), &NO_BOUNDS).unwrap();
            prop_assert!(least.cost <= partition.cost);
        }
    }

    #[test]
    fn segments_of_a_chain_are_the_best_where_merging_saves(case in chain(&[Kind::Edges, Kind::Kernels])) {
        let case = Case { model: Model { rejected: 0, ..case.model }, ..case };
        let graph = case.graph();
        let least = dp(&graph, &mut Memo::new(Priced::of(&case)), &NO_BOUNDS).unwrap();
        for find in [split, segments] {
            let found = find(&graph, &mut Memo::new(Priced::of(&case)), &NO_BOUNDS).unwrap();
            prop_assert_eq!(found.cost, least.cost);
        }
    }

    #[test]
    fn a_chain_is_split_as_in_the_paper(
        case in chain(&[Kind::Edges, Kind::Kernels, Kind::Sizes, Kind::Table]),
    ) {
        let found = split(&case.graph(), &mut Memo::new(Priced::of(&case)), &NO_BOUNDS);
        if let Some(expected) = split_segments(&case, 0) {
            prop_assert_eq!(found.unwrap().cost, expected);
        } else {
            // What is left to greedy.
            let by_greedy = greedy(&case.graph(), &mut Memo::new(Priced::of(&case)));
            prop_assert_eq!(found.map(|p| p.groups), by_greedy.map(|p| p.groups));
        }
    }

    #[test]
    fn a_group_is_evaluated_once(case in case(1..=12)) {
        let graph = case.graph();
        let mut priced = Priced::of(&case);
        let mut costs = Memo::new(&mut priced);
        let _ = dp(&graph, &mut costs, &NO_BOUNDS);
        let _ = greedy(&graph, &mut costs);
        let _ = segments(&graph, &mut costs, &NO_BOUNDS);
        let evaluated = costs.evaluated().len();
        prop_assert_eq!(evaluated, priced.evaluations);
    }
}

/// Costs from a closure.
struct Of<F>(F);

impl<F: FnMut(&StageSet) -> Result<f64, &'static str>> Costs for Of<F> {
    type Rejection = &'static str;

    fn cost(&mut self, group: &StageSet) -> Result<f64, &'static str> {
        (self.0)(group)
    }
}

/// A -> B and C -> D, all of which read one image. {A, D} and {B, C} cost nothing, but cannot both be groups.
#[test]
fn groups_that_wait_for_each_other_are_no_partition() {
    let (a, b, c, d) = (0, 1, 2, 3);
    let graph = Graph::new(4, [(a, b), (c, d)]).unwrap().connect_by_sources(&vec![vec![0]; 4]);
    let crossed = [StageSet::from([a, d]), StageSet::from([b, c])];
    let cost = |group: &StageSet| Ok(if crossed.contains(group) { 0.0 } else { 5.0 });
    let found = dp(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap();
    assert_eq!((found.cost, found.groups.len(), found.stats.bound_hits), (5.0, 1, 0));
    // With a whole that costs more than three groups: one of the two, and the other's stages alone.
    let cost = |group: &StageSet| Ok(if crossed.contains(group) { 0.0 } else { 5.0 * group.len() as f64 });
    let found = dp(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap();
    assert_eq!((found.cost, found.groups.len()), (10.0, 3));
    assert_eq!(crossed.iter().filter(|group| found.groups.contains(group)).count(), 1);
    assert_eq!(graph.in_order(found.groups.clone()), Some(found.groups));
}

#[test]
fn strategies_by_hand() {
    let graph = Graph::new(3, [(0, 1), (1, 2)]).unwrap();
    // Pairs are best; the producer is dear to recompute.
    let cost = |group: &StageSet| Ok([0.0, 4.0, 5.0, 20.0][group.len()] - if group.contains(0) { 1.0 } else { 0.0 });
    let mut costs = Memo::new(Of(cost));
    assert_eq!(none(&graph, &mut costs).unwrap().cost, 11.0);
    assert_eq!(all(&graph, &mut costs).unwrap().cost, 19.0);
    let merged = greedy(&graph, &mut costs).unwrap();
    assert_eq!((merged.groups, merged.cost), (vec![StageSet::from([0, 1]), StageSet::from([2])], 8.0));
    assert_eq!(dp(&graph, &mut costs, &NO_BOUNDS).unwrap().cost, 8.0);
    // All three fit, but cost more than one by one; split after the first or after the second, they cost the same.
    let split = segments(&graph, &mut costs, &NO_BOUNDS).unwrap();
    assert_eq!((split.groups, split.cost), (vec![StageSet::from([0]), StageSet::from([1, 2])], 8.0));
    let empty = Graph::new(0, []).unwrap();
    let found = [
        none(&empty, &mut costs),
        greedy(&empty, &mut costs),
        dp(&empty, &mut costs, &NO_BOUNDS),
        segments(&empty, &mut costs, &NO_BOUNDS),
    ];
    for partition in found {
        assert_eq!(partition.unwrap().groups, []);
    }
}

#[test]
fn a_stage_for_which_there_is_no_group() {
    let graph = Graph::new(3, [(0, 1), (1, 2)]).unwrap();
    let cost = |group: &StageSet| match group.contains(1) {
        false => Ok(1.0),
        true if group.len() == 1 => Err("48 registers too many"),
        true => Err("a tile too large"),
    };
    let mut costs = Memo::new(Of(cost));
    let misfit = Misfit { stage: 1, rejection: "48 registers too many" };
    assert_eq!(none(&graph, &mut costs).unwrap_err(), misfit);
    assert_eq!(greedy(&graph, &mut costs).unwrap_err(), misfit);
    assert_eq!(dp(&graph, &mut costs, &Bounds::for_stages(3)).unwrap_err(), misfit);
    assert_eq!(segments(&graph, &mut costs, &Bounds::for_stages(3)).unwrap_err(), misfit);
    assert_eq!(misfit.to_string(), "stage 1 is in no group that is possible; alone: 48 registers too many");
    assert_eq!(all(&graph, &mut costs).unwrap_err(), "a tile too large");
    // A stage that cannot be alone, but can be in a group.
    let cost =
        |group: &StageSet| if *group == StageSet::from([1]) { Err("alone") } else { Ok(group.len() as f64 * 2.0) };
    let mut costs = Memo::new(Of(cost));
    assert!(none(&graph, &mut costs).is_err());
    assert_eq!(greedy(&graph, &mut costs).unwrap().cost, 6.0);
    assert_eq!(dp(&graph, &mut costs, &NO_BOUNDS).unwrap().cost, 6.0);
    assert_eq!(segments(&graph, &mut costs, &NO_BOUNDS).unwrap().cost, 6.0);
}

/// A -> B, which two branches read, C -> D and E, both to F; and a program beside it. Groups of four fit.
#[test]
fn segments_by_hand() {
    let edges = [(0, 1), (1, 2), (2, 3), (1, 4), (3, 5), (4, 5), (6, 7)];
    let graph = Graph::new(8, edges).unwrap();
    let of = |most: usize| {
        let cost = move |group: &StageSet| if group.len() > most { Err("cache") } else { Ok(group.len() as f64 + 3.0) };
        split(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap()
    };
    let groups =
        |groups: &[&[usize]]| groups.iter().map(|group| group.iter().copied().collect()).collect::<Vec<StageSet>>();
    // Whole: each program has one group.
    assert_eq!(of(6).groups, groups(&[&[0, 1, 2, 3, 4, 5], &[6, 7]]));
    // Algorithm 4: B goes to memory, and what is left fits.
    let found = of(4);
    assert_eq!((found.groups, found.stats.states), (groups(&[&[0, 1], &[2, 3, 4, 5], &[6, 7]]), 2));
    // Algorithm 5: what is left, in two.
    assert_eq!(of(3).groups.len(), 4);
    assert_eq!(of(1).groups.len(), 8);
    // A chain in which the first is read twice: alone it is a segment, and merged it is none.
    let graph = Graph::new(4, [(0, 1), (0, 2), (1, 2), (2, 3)]).unwrap();
    let cost = |group: &StageSet| if group.len() > 3 { Err("cache") } else { Ok(group.len() as f64 + 3.0) };
    let mut costs = Memo::new(Of(cost));
    assert_eq!(split(&graph, &mut costs, &NO_BOUNDS).unwrap().groups, groups(&[&[0], &[1, 2, 3]]));
    let cost = |group: &StageSet| {
        if group.contains(3) && group.len() > 1 { Err("cache") } else { Ok(group.len() as f64 + 3.0) }
    };
    let mut costs = Memo::new(Of(cost));
    assert_eq!(split(&graph, &mut costs, &NO_BOUNDS).unwrap().groups, groups(&[&[0], &[1, 2], &[3]]));
    assert_eq!(segments(&graph, &mut costs, &NO_BOUNDS).unwrap().groups, groups(&[&[0, 1, 2], &[3]]));
}

#[test]
fn costs_that_are_not_numbers() {
    let graph = Graph::new(3, [(0, 1), (1, 2)]).unwrap();
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let cost = |group: &StageSet| Ok(if group.len() == 2 { odd } else { group.len() as f64 * 3.0 - 1.0 });
        let found = dp(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap();
        assert_eq!((found.cost, found.groups.len()), (6.0, 3));
        let only = dp(&graph, &mut Memo::new(Of(|_: &StageSet| Ok(odd))), &NO_BOUNDS).unwrap();
        assert!(only.cost.is_finite() && !only.groups.is_empty());
        let only = segments(&graph, &mut Memo::new(Of(|_: &StageSet| Ok(odd))), &NO_BOUNDS).unwrap();
        assert!(only.cost.is_finite() && !only.groups.is_empty());
    }
}

/// More stages than the fast part of a set has: in a chain, groups of five are best.
#[test]
fn a_long_chain() {
    let n = 300;
    let graph = Graph::new(n, (1..n).map(|s| (s - 1, s))).unwrap();
    let cost =
        |group: &StageSet| if group.len() > 6 { Err("large") } else { Ok((group.len() as f64 - 4.0).powi(2) + 8.0) };
    let found = dp(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap();
    assert_eq!((found.cost, found.groups.len(), found.stats.bound_hits), (540.0, 60, 0));
    // Every first part of six stages or fewer, from each stage on, and what is left there.
    let found = split(&graph, &mut Memo::new(Of(cost)), &NO_BOUNDS).unwrap();
    assert_eq!((found.cost, found.groups.len(), found.stats.bound_hits), (540.0, 60, 0));
    assert!(found.stats.evaluations <= 8 * n, "{}", found.stats.evaluations);
}
