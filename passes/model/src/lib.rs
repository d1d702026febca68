//! What Weft's passes reason with, free of MLIR: pure functions of plain structs.
//!
//! A pass that fuses, tiles or streams asks one question over and over: *which part of the producer does this part of
//! the consumer read?* The answer must be an exact interval, not a slope: one column too many in a footprint is one
//! column more to compute in every warp, and one too few is a wrong picture. [`affine`] answers it. What the passes decide with
//! those answers is here, too, and so is what a machine holds and how fast it is, which says which of many schedules is worth it.
//!
//! ```text
//! affine ◀─┬─ program ◀── tiles ◀─┬─ gpu             an arrow: imports
//!          └─ arithmetic          └─ cpu             partition
//! ```
//!
//! - [`affine`]: the index of a load, as a quasi-affine expression of the stage's coordinates; its least and greatest value over a box,
//!   in integers or, through the [`Arith`] trait, in whatever a caller builds (SSA values, for dynamic extents); what remains of that
//!   interval once the boundary mode has folded it into the source; the same for a tile whose number is known at run time only;
//! - [`arithmetic`]: what quotients, powers and windows are computed by in the place of what a program says;
//! - [`program`]: stages, their loads, extents and work, and the groups that they form, without IR;
//! - [`tiles`]: what one tile computes of each stage, the same exactly for any tile of any image, and where tiles lie in a memory that
//!   they share;
//! - [`gpu`]: targets, the shape of a kernel, what it will need once compiled, what it costs, and which schedule costs least, by our model
//!   and by those of two other papers;
//! - [`cpu`]: the same for cores and their caches, in loops that compute several stages;
//! - [`partition`]: which stages share a kernel, given what a kernel costs. It knows of nothing else here.
//!
//! `gpu` and `cpu` do not know each other. Modules within a wing are private: a wing exports what others use, and names that are used
//! everywhere are exported here once more.
//!
//! Nothing here knows of operations, types or contexts, so all of it is tested by brute force (`tests`).

#![warn(missing_docs)]

pub mod affine;
pub mod arithmetic;
pub mod cpu;
pub mod gpu;
pub mod partition;
pub mod program;
pub mod tiles;

pub use affine::{
    Arith, Boundary, Expr, Extent, Form, Interval, Ints, Local, Named, Part, Partly, Range, Region, Sum, TileStride,
    constant, dim, gcd, hull, hull_regions, indices_read, is_exact, localise, offset_along, range_of, reach,
    region_read, resolve, volume,
};
pub use cpu::{
    Bundle, CACHE_LINE, Cpu, CpuChoice, CpuCost, CpuError, CpuPlan, CpuRejection, Lanes, PLANES, ReuseCost, Room,
    Sliding, bundles, choose_cpu, choose_sioutas, plane_of, ranked_cpu, reuse_cost, rows_to_ask_at, size_of_grid,
    sliding, stream_of, user_cache,
};
pub use gpu::{
    Allowed, Capability, Choice, Cost, DoesNotFit, Effort, Hybrid, Layout, Limit, MAX_SHARED, MAX_THREADS, MAX_WARPS,
    Occupancy, Plan, Refusal, Rejected, Rejection, Schedule, Scope, Target, TargetError, ThreadMapping, Throughput,
    Unroll, Weights, choose, choose_autogpu, choose_forma, compiled_warps, cost, evaluate, forma_schedule, lane_axis,
    occupancy, plan, ranked, wanted_warps_of_threads,
};
pub use partition::StageSet;
pub use program::{
    Access, Group, Groups, Interleaved, Kinds, Likeness, OpClass, PIXELS_APART, Padding, Program, Shape, Source, Stage,
    Variable, Work, time_steps,
};
pub use tiles::{Cut, Lifetime, Rule, aligned_tile, boxes, place_buffers};
