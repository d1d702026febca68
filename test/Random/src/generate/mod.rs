//! Random programs: stages that read each other in every way that a program can, and schedules for them.
//!
//! ```text
//!   a0 ──▶ s0 ──▶ s1 ────▶ s3 ──▶        what s1 reads: s0, at (y, x - 2), (y, x), (y, x + 3), mirrored
//!            ╰──▶ s2 (half) ──╯          s2: ceildiv 2 of the extents; s3 reads it at x floordiv 2
//!   g0 schedule {tile, block, ...}       the group that they are in, or none
//!   t0: steps in which s4 ─▶ s5 ─▶ s4    an iterate, whose states stages read and make
//! ```
//!
//! Programs are made such that mistakes show. Most values stay finite and apart (weighted sums, weights of at most 1), for a NaN equals every
//! other; two stencils follow each other, since a wrong boundary of what is between images hides in one; images are odd and tiny, for
//! there everything is an edge. One program in four has what programs seldom have: inputs with zeros of both signs, NaN, infinities and extremes,
//! divisions by what may be 0, shifts by the width or more, numbers from arguments, extents of 0, tiles of a point or of more than the image.
//!
//! Of several choices the first is the simplest (see [`crate::choices`]).

mod data;
mod iterates;
mod loads;
mod outer;
mod products;
mod program;
mod stages;
mod tables;
mod text;
mod units;
mod values;

use crate::{check::Case, choices::Choices};
use program::Program;
pub use program::Size;

/// The program that these choices make.
pub fn generate(choices: &mut Choices, size: Size) -> Case {
    let mut program = Program::new(choices, size);
    program.stages();
    program.finish()
}
