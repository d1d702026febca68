//! What Weft's passes reason with, free of MLIR: pure functions of plain structs.
//!
//! A pass that fuses, tiles or streams asks one question over and over: *which part of the producer does this part of
//! the consumer read?* The answer must be an exact interval, not a slope: one column too many in a footprint is one
//! column more to compute in every warp, and one too few is a wrong picture. Three files answer it:
//!
//! - [`affine`]: the index of a load, as a quasi-affine expression of the stage's coordinates;
//! - [`range`](mod@range): the least and greatest value of such an expression over a box of coordinates, computed in
//!   integers or, through the [`Arith`] trait, in whatever a caller builds (SSA values, for dynamic extents);
//! - [`footprint`]: what remains of that interval once the boundary mode has folded it into the source;
//! - [`tile`]: the same for a tile whose number is known at run time only;
//! - [`buffers`]: where tiles lie in a memory that they share;
//! - [`partition`]: which stages share a kernel, given what a kernel costs.
//!
//! Nothing here knows of operations, types or contexts, so all of it is tested by brute force (`tests/properties.rs`).

#![warn(missing_docs)]

pub mod affine;
pub mod buffers;
pub mod footprint;
pub mod partition;
pub mod range;
pub mod tile;

pub use affine::{Expr, Sum, constant, dim};
pub use buffers::{Lifetime, place_buffers};
pub use footprint::{Boundary, Region, hull, hull_regions, points, region_read, resolve};
pub use partition::StageSet;
pub use range::{Arith, Ints, Range, is_exact, range_of};
pub use tile::{Follow, Local, localise, offset_along, places_read, reach};
