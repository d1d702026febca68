//! How a kernel holds its tiles.

use super::{
    plan::Plan,
    schedule::{Schedule, Scope},
};

/// What holds a tile, as far as costs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StorageKind {
    /// Tiles of a block in shared memory.
    Block,
    /// Tiles of a warp in shared memory.
    Shared,
    /// The right part of each tile in registers.
    Hybrid,
    /// Whole tiles in registers.
    Strip,
    /// The same, a warp walking down rows.
    Stream,
    /// There are none: each thread computes a point.
    Point,
}

impl StorageKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Block, Self::Shared, Self::Hybrid, Self::Strip, Self::Stream, Self::Point];

    /// That of a plan.
    pub fn of(plan: &Plan, schedule: &Schedule) -> Self {
        match (schedule.scope, plan.strip) {
            (Scope::Block, _) => Self::Block,
            (Scope::Thread, _) => Self::Point,
            (_, Some(_)) if schedule.stream.is_some() => Self::Stream,
            (_, Some(_)) => Self::Strip,
            (_, None) if plan.hybrid.columns > 0 => Self::Hybrid,
            (_, None) => Self::Shared,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Shared => "shared",
            Self::Hybrid => "hybrid",
            Self::Strip => "strip",
            Self::Stream => "stream",
            Self::Point => "point",
        }
    }
}
