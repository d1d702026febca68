//! What a search finds, and why it finds nothing.

use super::set::StageSet;
use std::fmt;

/// Why there is no partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit<R> {
    /// A stage that no group was found for.
    pub stage: usize,
    /// What keeps it from being a group of its own.
    pub rejection: R,
}

impl<R: fmt::Display> fmt::Display for Misfit<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage {} is in no group that is possible; alone: {}", self.stage, self.rejection)
    }
}

impl<R: fmt::Debug + fmt::Display> std::error::Error for Misfit<R> {}

/// Groups that can run one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The groups, each behind all that it reads.
    pub groups: Vec<StageSet>,
    /// What they cost together.
    pub cost: f64,
    /// How they were found.
    pub stats: Stats,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sets of stages from which the search went on.
    pub states: usize,
    /// Groups that were evaluated.
    pub evaluations: usize,
    /// How often one of the [`Bounds`](super::Bounds) cut something off. At 0, the partition of [`dp`](super::dp()) is optimal.
    pub bound_hits: usize,
    /// Groups and states left out because they cannot be part of a better partition.
    pub pruned: usize,
}
