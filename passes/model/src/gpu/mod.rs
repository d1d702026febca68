//! GPUs: what they hold, the shape of a group's kernel, what it will need once compiled, and which schedule costs least.
//!
//! Imports `affine`, `program` and `tiles`.

mod autogpu;
mod choose;
mod cost;
mod counts;
mod estimate;
mod forma;
mod input;
mod occupancy;
mod plan;
mod points;
mod schedule;
mod storage;
mod target;
mod thread_tiles;
mod time;
mod timing;

pub use autogpu::choose_autogpu;
pub use choose::{Allowed, Choice, Effort, Rejected, choose, evaluate, ranked};
pub use cost::{Cost, Rejection, cost};
pub use counts::{ADDRESS, Counts, UNROLLED};
pub use estimate::{Estimate, Instructions, compiled_warps, counts, estimate, most_registers};
pub use forma::{choose_forma, forma_schedule};
pub use input::Input;
pub use occupancy::{DoesNotFit, Limit, Occupancy, occupancy};
pub use plan::{Hybrid, Plan, Refusal, Strip, ThreadMapping, lane_axis, plan};
pub use schedule::{Layout, Schedule, Scope};
pub use storage::StorageKind;
pub use target::{Capability, MAX_SHARED, MAX_THREADS, MAX_WARPS, Target, TargetError, Throughput, Weights};
pub use thread_tiles::{Unroll, wanted_warps_of_threads};
pub use time::{Time, Traffic};
pub use timing::Timing;
