//! Programs without their IR: what stages load and cost, and where each is computed.
//!
//! Imports `affine`.

mod alike;
mod body;
mod group;
mod pixels;
mod recompute;
mod reuse;
mod stage;
mod time_steps;
mod whole_program;
mod work;

pub use alike::{Kinds, Likeness};
pub use body::{Body, Read};
pub use group::{Group, Interleaved, Shape};
pub use pixels::PIXELS_APART;
pub use recompute::Groups;
pub use reuse::{MOST_COPIES, is_reused, level};
pub use stage::{Access, Level, Padding, Reading, Source, Stage, Variable, leaves, whole};
pub use time_steps::time_steps;
pub use whole_program::Program;
pub use work::{CLASSES, OpClass, Work};
