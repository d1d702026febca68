//! Which stages share a kernel: the search for the best partition of a graph of stages into groups.
//!
//! ```text
//!   in ─▶ blurx ─▶ blury ─▶ sharpen ─▶ mask        none      {blurx} {blury} {sharpen} {mask}
//!    └────────────────────▶───┘                    all       {blurx, blury, sharpen, mask}
//!                                                  greedy    merges two groups while that pays
//!                                                  polymage  merges what has one reader, where tiles overlap by little
//!                                                  segments  splits what does not fit, and merges
//!                                                  dp        the best of all partitions, where it can look at all
//! ```
//!
//! A partition will do if its groups can run one after another, each whole: if the quotient graph, whose nodes are the groups,
//! has no cycle. What a group costs is for the caller to say ([`Costs`]); what may be a group is in [`Graph`]. A cost takes
//! much longer than a step of a search, so a [`Memo`] keeps each, and afterwards tells what was looked at and what was
//! rejected, and why.
//!
//! - `set`: sets of stages;
//! - `graph`: the graph, and what a candidate is;
//! - `costs`: costs of groups, each evaluated once;
//! - `quotient`: the graph of groups while they are merged;
//! - `greedy`: the partitions that take no search, or a short one;
//! - `polymage`: what PolyMage does, with one tile for all groups;
//! - `segments`: what the paper on reuse analysis does;
//! - `dp`: the search, with its parts `price`, what no partition can cost less than, and `walk`.
//!
//! Imports nothing of this crate.

mod bounds;
mod costs;
mod dp;
mod found;
mod graph;
mod greedy;
mod polymage;
mod price;
mod quotient;
mod segments;
mod set;
mod walk;

pub use bounds::Bounds;
pub use costs::{Costs, Memo};
pub use dp::dp;
pub use found::{Misfit, Partition, Stats};
pub use graph::{BadEdge, Graph};
pub use greedy::{all, greedy, none};
pub use polymage::polymage;
pub use segments::{as_printed, segments, split};
pub use set::StageSet;
