//! Groups and schedules found by measuring: what `pipeline-run --tune` does.
//!
//! ```text
//!             ┌ dp ─────── groups ┐
//! program ────┼ segments ─ groups ┼── schedules of each group ── compile ── run ──▶ the fastest, in a file
//!             └ none ───── groups ┘
//! ```
//!
//! The model proposes: partitions by several strategies, and for each group its schedules, cheapest first ([`groups`]). How they are
//! tried depends on what is known of a run: the time of each kernel ([`gpu`]), or only that of the whole ([`cpu`]). At the end what
//! was found is run whole, and kept only if it is no slower than what the model had chosen. A [`cache`] of files remembers it.

pub mod cache;
pub mod cpu;
pub mod gpu;
pub mod groups;
