//! Arithmetic of indices: expressions of coordinates, their ranges, what a boundary mode makes of them, and what a tile reads.
//!
//! Imports nothing of this crate.

mod arith;
mod boundary;
mod expr;
mod extent;
mod part;
mod range;
mod ratio;
mod recurring;
mod tile;

pub use arith::{Arith, Ints, Partly};
pub use boundary::{Boundary, Region, folds_every, hull, hull_regions, region_read, resolve, volume};
pub(crate) use expr::lcm;
pub use expr::{Expr, Sum, constant, dim, gcd};
pub use extent::{Extent, Named, beyond, least};
pub use part::Part;
pub use range::{Interval, Range, is_exact, range_of};
pub use ratio::Ratio;
pub use recurring::{MAX_PERIOD, Recurring};
pub use tile::{Form, Local, TileStride, indices_read, localise, offset_along, reach};
