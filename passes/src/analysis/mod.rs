//! What a program means, without changing it: which points a load reads and what lies beyond the edge, what ranges values have,
//! what a body costs, what is checked when a program is entered, and stages and programs as the model sees them. Imports [`ir`](crate::ir).

mod float_range;
mod joins;
mod op_cost;
mod sizes;
mod target;
mod terms;
mod value_range;

pub use float_range::{FloatRange, FloatRanges};
pub use joins::{combine_of, identity, joins_in_any_order, joins_in_parts};
pub use op_cost::{STORED, cost_of, repeats_of, weight_of, work};
pub use sizes::{DEFAULT_EXTENT, Sizes, extents_of, size_of};
pub use target::cpu_of;
pub use value_range::{Ranges, value_range};

pub mod access;
pub mod boundary;
pub mod bounds;
pub mod condition;
pub mod domain;
pub mod entry_checks;
pub mod model;
