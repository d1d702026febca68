//! CPUs: what they hold, which stages of a group share a loop, what a tile keeps between rows, and what a group costs.
//!
//! Imports `affine`, `program` and `tiles`.

mod askers;
mod bundle;
mod choose;
mod cost;
mod sioutas;
mod sliding;
mod streams;
mod target;
mod window;

pub use askers::rows_to_ask_at;
pub use bundle::{Bundle, Lanes, PLANES, bundles};
pub use choose::{CpuChoice, CpuPlan, CpuRejection, Room, choose_cpu, ranked_cpu, size_of_grid};
pub use cost::CpuCost;
pub use sioutas::{ReuseCost, choose_sioutas, reuse_cost};
pub use sliding::{ROWS, Sliding, plane_of, rows_together, sliding, stream_of};
pub use target::{CACHE_LINE, Cpu, CpuError, user_cache};
