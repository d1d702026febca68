//! Groups that cost the same: programs repeat themselves, and a search asks about every part of a repetition.
//!
//! ```text
//! a ─▶ b ─▶ c ─▶ d ─▶ e       stages of one kind: b, c, d        {b, c} and {c, d} are alike: both are
//!                                                                 [kind b, reads image 0][kind b, leaves, reads stage 0]
//! ```
//!
//! A kind is all of a stage but its name, what it reads from, and what depends on the group that it is in.

use super::{
    group::Group,
    stage::{Access, Source, Stage},
    whole_program::Program,
};

/// The kind of each stage of a program: the number of the first that is like it.
#[derive(Clone, Debug)]
pub struct Kinds(Vec<usize>);

/// What groups that are alike have in common, and no others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Likeness(Vec<i64>);

impl Kinds {
    /// Those of a program's stages.
    pub fn of(program: &Program) -> Self {
        let mut kinds: Vec<usize> = Vec::new();
        for (number, stage) in program.stages.iter().enumerate() {
            let first = (0..number).find(|other| kinds[*other] == *other && is_like(&program.stages[*other], stage));
            kinds.push(first.unwrap_or(number));
        }
        Self(kinds)
    }

    /// That of a group of these stages of the program. Groups of one likeness and one shape cost the same.
    pub fn likeness(&self, members: &[usize], group: &Group) -> Likeness {
        let mut said = Vec::new();
        for (position, (member, stage)) in members.iter().zip(&group.stages).enumerate() {
            let is_interleaved = group.interleaved().stages.contains(&position);
            said.extend([self.0[*member] as i64, i64::from(stage.is_live_out), i64::from(is_interleaved)]);
            // A kind has so many loads.
            said.extend(stage.accesses.iter().flat_map(|access| match access.source {
                Source::Stage(stage, result) => [stage as i64, result as i64],
                Source::Image(image) => [-1, image as i64],
            }));
        }
        for (image, bytes) in group.images.iter().enumerate() {
            said.extend([*bytes, i64::from(group.interleaved().images.contains(&image))]);
        }
        Likeness(said)
    }
}

fn is_like(one: &Stage, other: &Stage) -> bool {
    // What is said of a group is left out: `is_live_out` and `inlined_into`.
    let said = |stage: &Stage| (stage.widest, stage.work, stage.has_planes_alike);
    said(one) == said(other)
        && (&one.extents, &one.needed, &one.bytes, &one.size)
            == (&other.extents, &other.needed, &other.bytes, &other.size)
        && one.accesses.len() == other.accesses.len()
        && one.accesses.iter().zip(&other.accesses).all(|(one, other)| Access::reads_alike(one, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Boundary, Extent, constant, dim};

    /// A row of stages that each read the one before at `taps`.
    fn chain(taps: &[i64]) -> Program {
        let extents = [Extent::Known(100)];
        let mut stages = Vec::new();
        for (number, tap) in taps.iter().enumerate() {
            let source = number.checked_sub(1).map_or(Source::Image(0), |before| Source::Stage(before, 0));
            let needed = [crate::program::whole(extents[0])];
            let index = dim(0) + constant(*tap);
            let load =
                Access::new(source, vec![index], Boundary::Clamp, None, extents.to_vec(), (&extents, &needed), vec![]);
            stages.push(Stage::plain(&format!("s{number}"), &[100], vec![load], false));
        }
        let is_result = (0..taps.len()).map(|number| number + 1 == taps.len()).collect();
        Program { stages, is_result, images: vec![4], ..Program::default() }
    }

    #[test]
    fn parts_of_a_repetition_are_alike() {
        let program = chain(&[1, 1, 1, 2, 1]);
        let kinds = Kinds::of(&program);
        assert_eq!(kinds.0, [0, 0, 0, 3, 0]);
        let likeness = |members: &[usize]| kinds.likeness(members, &program.group(members));
        assert_eq!(likeness(&[0, 1]), likeness(&[1, 2]));
        assert_ne!(likeness(&[0, 1]), likeness(&[2, 3]));
        assert_ne!(likeness(&[0, 1]), likeness(&[0, 1, 2]));
        // Nobody reads the one in the other's tile.
        assert_ne!(likeness(&[0, 1]), likeness(&[0, 2]));
    }
}
