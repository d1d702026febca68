//! A whole program without its IR: all stages, what it is given, what it returns. Fusion asks it for groups.
//!
//! ```text
//! Program { stages: [a, b, c], images: [%img] }      group(&[1, 2])      Group { stages: [b, c], images: [a in memory] }
//! a reads %img; b reads a; c reads a and b   ──▶                         b reads image 0; c reads image 0 and stage 0
//! ```

use super::{
    group::{Group, Interleaved},
    stage::{Source, Stage},
};

/// The stages of a program, producers before consumers.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The stages; [`Source::Stage`] numbers them in the whole program.
    pub stages: Vec<Stage>,
    /// Whether a result of the stage is a result of the program.
    pub is_result: Vec<bool>,
    /// Bytes of an element of each image that the program is given.
    pub images: Vec<i64>,
    /// Images, and results of the program, whose planes are not apart in memory.
    pub interleaved: Interleaved,
}

impl Program {
    /// The stages, each once, that read a result of a stage.
    pub fn consumers(&self, producer: usize) -> impl Iterator<Item = usize> {
        let reads = move |stage: &Stage| stage.accesses.iter().any(|access| access.producer() == Some(producer));
        self.stages.iter().enumerate().filter(move |(_, stage)| reads(stage)).map(|(number, _)| number)
    }

    /// The points of the largest stage, at least one.
    pub fn largest(&self) -> f64 {
        self.stages.iter().map(Stage::points).fold(1.0, f64::max)
    }

    /// These stages as a group, in ascending order: what they read of others is in memory, and what others read of them is
    /// a live-out.
    pub fn group(&self, members: &[usize]) -> Group {
        let leaves = |consumer: usize| members.binary_search(&consumer).is_err();
        self.group_where(members, |stage| self.is_result[stage] || self.consumers(stage).any(leaves))
    }

    /// These stages as a group, in ascending order, of which those that leave it are live-outs.
    pub(super) fn group_where(&self, members: &[usize], leaves: impl Fn(usize) -> bool) -> Group {
        let mut images: Vec<(Source, i64)> = Vec::new();
        let mut stages = Vec::new();
        for &number in members {
            let mut stage = self.stages[number].clone();
            for access in &mut stage.accesses {
                access.source = match access.source {
                    Source::Stage(producer, result) if let Ok(position) = members.binary_search(&producer) => {
                        Source::Stage(position, result)
                    }
                    source => {
                        let bytes = match source {
                            Source::Stage(producer, result) => self.stages[producer].bytes[result],
                            Source::Image(image) => self.images[image],
                        };
                        let known = images.iter().position(|(other, _)| *other == source);
                        Source::Image(known.unwrap_or_else(|| {
                            images.push((source, bytes));
                            images.len() - 1
                        }))
                    }
                };
            }
            stage.is_live_out = leaves(number);
            stages.push(stage);
        }
        // What nobody uses is dead; a group of it must still be one.
        if let Some(last) = stages.last_mut() {
            last.is_live_out |= self.consumers(members[members.len() - 1]).next().is_none();
        }
        let is_interleaved = |source: &Source| match source {
            Source::Stage(stage, _) => self.interleaved.stages.contains(stage),
            Source::Image(image) => self.interleaved.images.contains(image),
        };
        let interleaved = Interleaved {
            images: (0..images.len()).filter(|number| is_interleaved(&images[*number].0)).collect(),
            stages: (0..members.len())
                .filter(|number| stages[*number].is_live_out && self.interleaved.stages.contains(&members[*number]))
                .collect(),
        };
        let mut group = Group::new(stages, images.into_iter().map(|(_, bytes)| bytes).collect());
        group.interleave(interleaved);
        group
    }
}
