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
//! - [`tile`]: the same for a tile whose number is known at run time only.
//!
//! What the passes decide with those answers is here, too:
//!
//! - [`group`], [`program`]: stages, their loads, extents ([`extent`]) and [`work`], without IR;
//! - [`boxes`](mod@boxes): what one tile computes of each stage;
//! - [`footprints`]: the same exactly, for any tile of any image, with [`scaling`] and PolyMage's [`slope`];
//! - [`buffers`]: where tiles lie in a memory that they share;
//! - [`schedule`], [`plan`](mod@plan): the shape of a kernel;
//! - [`estimate`](mod@estimate): what it will need once compiled;
//! - [`cost`](mod@cost), [`choose`](mod@choose): what it costs, and which schedule costs least; [`autogpu`] and [`forma`]: the same as
//!   two other papers have it;
//! - [`cpu`]: the same for cores and their caches, in loops of [`bundle`]s;
//! - [`partition`]: which stages share a kernel, given what a kernel costs.
//!
//! And what a machine holds and how fast it is, which says which of many ways to tile is worth it:
//!
//! - [`target`](mod@target): GPUs, as files of limits, speeds and weights (CPUs are in [`cpu`]);
//! - [`occupancy`](mod@occupancy): how many blocks an SM holds.
//!
//! Nothing here knows of operations, types or contexts, so all of it is tested by brute force (`tests`).

#![warn(missing_docs)]

pub mod affine;
pub mod autogpu;
pub mod boxes;
pub mod buffers;
pub mod bundle;
pub mod choose;
pub mod cost;
pub mod cpu;
pub mod estimate;
pub mod extent;
pub mod footprint;
pub mod footprints;
pub mod forma;
pub mod group;
pub mod occupancy;
pub mod partition;
pub mod plan;
pub mod program;
pub mod range;
pub mod reuse;
pub mod scaling;
pub mod schedule;
pub mod slope;
pub mod target;
pub mod tile;
pub mod work;

pub use affine::{Expr, Sum, constant, dim, gcd};
pub use boxes::{Cut, Part, Rule, aligned_tile, boxes};
pub use buffers::{Lifetime, place_buffers};
pub use bundle::{Bundle, PLANES, bundles, plane_of};
pub use choose::{Choice, Effort, Rejected, choose, evaluate};
pub use cost::{Cost, Rejection, cost};
pub use cpu::{CACHE_LINE, Cpu, CpuChoice, CpuCost, CpuRejection, Sliding, choose_cpu, sliding, stream_of};
pub use extent::{Extent, Named};
pub use footprint::{Boundary, Region, hull, hull_regions, points, region_read, resolve};
pub use group::{Access, Group, Source, Stage, Variable};
pub use occupancy::{DoesNotFit, Limit, Occupancy, occupancy};
pub use partition::StageSet;
pub use plan::{Plan, Refusal, Team, hybrid_columns, plan};
pub use program::Program;
pub use range::{Arith, Interval, Ints, Partly, Range, is_exact, range_of};
pub use schedule::{Layout, Schedule, Scope};
pub use target::{Capability, Target, TargetError, Throughput, Weights};
pub use tile::{Follow, Form, Local, localise, offset_along, places_read, reach};
pub use work::{OpClass, Work};
