//! What one tile of a group computes of each stage, on any machine.
//!
//! Imports `affine` and `program`.

mod boxes;
mod buffers;
mod footprints;
mod scaling;
mod slope;

pub use boxes::{Boxes, Cut, Rule, aligned_tile, boxes};
pub use buffers::{Lifetime, place_buffers};
pub use footprints::{Extents, Footprint, MAX_TILE, TileError, Tiling, footprint, largest};
pub use scaling::{Alignment, Line, alignments};
pub use slope::{Slopes, overlap, slopes};
