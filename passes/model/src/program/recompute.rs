//! Which stages are computed by more than one group, because that costs less than to read them back.
//!
//! ```text
//! g0  grey  blurx  blury                 g0  grey  blurx  blury          "grey" takes two products a point of a photograph
//!      └──────── memory ──┐      ──▶                                     of bytes: to write it as floats and to read
//! g1  sharpen             ┘              g1  grey  sharpen               it again takes longer
//! ```
//!
//! Groups then overlap. A stage that is in several belongs to the first, which is the only one to write it, if anybody is left who
//! reads it from memory; the others have a copy, with all that it needs of its group. What to compute again is asked when the groups are
//! known: one stage after the other, producers first, and for all groups that read it at once.

use super::{group::Group, whole_program::Program};

/// Stages that are computed again together, at most: a stage, and those of its group that it needs.
const MOST_STAGES: usize = 3;

/// What is left of the cost of all groups that change, at most.
const WORTH: f64 = 0.97;

/// Groups of a program in the order in which they run, each of stages in ascending order. They may overlap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups(pub Vec<Vec<usize>>);

impl Groups {
    /// One of the groups.
    pub fn group(&self, program: &Program, number: usize) -> Group {
        program.group_where(&self.0[number], |stage| self.is_written(program, number, stage))
    }

    fn has(&self, number: usize, stage: usize) -> bool {
        self.0[number].binary_search(&stage).is_ok()
    }

    /// The group that a stage belongs to.
    fn owner(&self, stage: usize) -> Option<usize> {
        (0..self.0.len()).find(|number| self.has(*number, stage))
    }

    /// Whether a group writes one of its stages.
    fn is_written(&self, program: &Program, number: usize, stage: usize) -> bool {
        let reads_memory = |consumer: usize| {
            let mut around = (0..self.0.len()).filter(|number| self.has(*number, consumer)).peekable();
            around.peek().is_none() || around.any(|number| !self.has(number, stage))
        };
        self.owner(stage) == Some(number) && (program.is_result[stage] || program.consumers(stage).any(reads_memory))
    }

    /// Whether a group has a stage for what is not in it: to write it, or because nobody reads it at all.
    fn is_an_end(&self, program: &Program, number: usize, stage: usize) -> bool {
        program.consumers(stage).next().is_none() || self.is_written(program, number, stage)
    }

    /// Has stages computed again wherever they are read, as long as all groups that change cost less together. `cost` is that of a
    /// group, `None` if it cannot be.
    pub fn recompute(&mut self, program: &Program, mut cost: impl FnMut(&Group) -> Option<f64>) {
        let mut stages: Vec<usize> = self.0.iter().flatten().copied().collect();
        stages.sort_unstable();
        for stage in stages {
            let Some((changed, with)) = self.with_copies(program, stage) else { continue };
            let mut total = |groups: &Self| {
                let is_needed = |number: &&usize| {
                    groups.0[**number].iter().any(|stage| groups.is_an_end(program, **number, *stage))
                };
                changed
                    .iter()
                    .filter(is_needed)
                    .map(|number| cost(&groups.group(program, *number)))
                    .sum::<Option<f64>>()
            };
            if let (Some(before), Some(after)) = (total(self), total(&with))
                && after < WORTH * before
            {
                *self = with;
                self.drop_unneeded(program);
            }
        }
    }

    /// The groups if each that reads a stage computes it, and which of them change; `None` where nobody reads it from memory, or it
    /// must be there.
    fn with_copies(&self, program: &Program, stage: usize) -> Option<(Vec<usize>, Self)> {
        let owner = self.owner(stage).filter(|_| !program.is_result[stage])?;
        let again = self.needed_in(program, owner, stage);
        if again.len() > MOST_STAGES {
            return None;
        }
        let mut changed = vec![owner];
        let mut with = self.clone();
        for number in (0..self.0.len()).filter(|number| !self.has(*number, stage)) {
            if program.consumers(stage).any(|consumer| self.has(number, consumer)) {
                with.0[number].extend(&again);
                with.0[number].sort_unstable();
                with.0[number].dedup();
                changed.push(number);
            }
        }
        let is_written = (0..with.0.len()).any(|number| with.is_written(program, number, stage));
        (changed.len() > 1 && !is_written).then_some((changed, with))
    }

    /// A stage and those of a group that it needs.
    fn needed_in(&self, program: &Program, number: usize, stage: usize) -> Vec<usize> {
        let mut needed = vec![stage];
        // Producers come first: one pass backwards reaches all.
        for &producer in self.0[number].iter().rev() {
            let is_read = program.consumers(producer).any(|consumer| needed.contains(&consumer));
            if is_read && !needed.contains(&producer) {
                needed.push(producer);
            }
        }
        needed
    }

    /// Forgets stages that nobody reads in their group any more, and groups that have none left.
    fn drop_unneeded(&mut self, program: &Program) {
        for number in 0..self.0.len() {
            let mut needed: Vec<usize> = Vec::new();
            for &stage in self.0[number].iter().rev() {
                let is_read = program.consumers(stage).any(|consumer| needed.contains(&consumer));
                if is_read || self.is_an_end(program, number, stage) {
                    needed.push(stage);
                }
            }
            needed.reverse();
            self.0[number] = needed;
        }
        self.0.retain(|stages| !stages.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, Extent, Range, dim},
        program::{Access, Source, Stage},
    };
    use proptest::prelude::*;

    /// Stages of one dimension, of which each reads these at its own point.
    fn program(reads: &[Vec<usize>], is_result: &[bool]) -> Program {
        let extents = vec![Extent::Known(64)];
        let needed = [Range::new(Some(0), Some(63))];
        let access = |producer: &usize| {
            let (source, of) = (Source::Stage(*producer, 0), (&extents[..], &needed[..]));
            Access::new(source, vec![dim(0)], Boundary::None, None, extents.clone(), of, Vec::new())
        };
        let stage = |reads: &Vec<usize>| Stage::plain("", &[64], reads.iter().map(access).collect(), false);
        let stages = reads.iter().map(stage).collect();
        Program { stages, is_result: is_result.to_vec(), ..Program::default() }
    }

    /// As many as are written, and a part of each stage.
    fn cost(group: &Group) -> f64 {
        group.stages.iter().map(|stage| if stage.is_live_out { 1.0 } else { 0.1 }).sum()
    }

    fn total(groups: &Groups, program: &Program) -> f64 {
        (0..groups.0.len()).map(|number| cost(&groups.group(program, number))).sum()
    }

    #[test]
    fn the_picture_above() {
        // grey, blurx, blury, sharpen.
        let program = program(&[vec![], vec![0], vec![1], vec![0]], &[false, false, true, true]);
        let mut groups = Groups(vec![vec![0, 1, 2], vec![3]]);
        groups.recompute(&program, |group| Some(cost(group)));
        assert_eq!(groups, Groups(vec![vec![0, 1, 2], vec![0, 3]]));
        assert!(!groups.is_written(&program, 0, 0));
    }

    #[test]
    fn a_group_whose_stages_are_all_computed_elsewhere_is_gone() {
        let program = program(&[vec![], vec![0], vec![0]], &[false, true, true]);
        let mut groups = Groups(vec![vec![0], vec![1], vec![2]]);
        groups.recompute(&program, |group| Some(cost(group)));
        assert_eq!(groups, Groups(vec![vec![0, 1], vec![0, 2]]));
    }

    #[test]
    fn what_is_a_result_or_cannot_be_stays() {
        let reads = [vec![], vec![0], vec![0]];
        let before = Groups(vec![vec![0, 1], vec![2]]);
        let mut groups = before.clone();
        groups.recompute(&program(&reads, &[true, true, true]), |group| Some(cost(group)));
        assert_eq!(groups, before);
        groups.recompute(&program(&reads, &[false, true, true]), |group| (group.stages.len() < 2).then_some(1.0));
        assert_eq!(groups, before);
    }

    proptest! {
        /// What is read in a group is computed there before, or written by a group before; all results are written; and it costs less.
        #[test]
        fn everything_is_where_it_is_read(
            reads in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..3), 2..12),
            breaks in prop::collection::vec(any::<bool>(), 12),
            results in prop::collection::vec(any::<bool>(), 12),
        ) {
            let reads: Vec<Vec<usize>> = (0..).zip(&reads)
                .map(|(stage, reads)| if stage == 0 { Vec::new() } else { reads.iter().map(|read| read.index(stage)).collect() })
                .collect();
            // What nobody reads is a result, or it would not be in a program.
            let results: Vec<bool> = (0..reads.len())
                .map(|stage| results[stage] || !reads.iter().flatten().any(|read| *read == stage))
                .collect();
            let program = program(&reads, &results);
            let mut groups = Groups::default();
            for (stage, begins) in breaks.iter().enumerate().take(reads.len()) {
                match groups.0.last_mut().filter(|_| !begins) {
                    Some(last) => last.push(stage),
                    None => groups.0.push(vec![stage]),
                }
            }
            let before = total(&groups, &program);
            groups.recompute(&program, |group| Some(cost(group)));
            prop_assert!(total(&groups, &program) <= before, "{before} before {groups:?}");
            for (number, stages) in groups.0.iter().enumerate() {
                for (stage, read) in stages.iter().flat_map(|stage| reads[*stage].iter().map(move |read| (stage, read))) {
                    let owner = groups.owner(*read).expect("every stage that is read is computed");
                    let is_in_memory = owner < number && groups.is_written(&program, owner, *read);
                    prop_assert!(groups.has(number, *read) || is_in_memory, "{stage} reads {read} in {groups:?}");
                }
            }
            for result in (0..reads.len()).filter(|stage| results[*stage]) {
                let owner = groups.owner(result);
                prop_assert!(owner.is_some_and(|owner| groups.is_written(&program, owner, result)));
            }
        }
    }
}
