//! Level 1: which stages share a kernel, found by the model's costs or said by hand; splitting groups that cannot be one kernel,
//! and what a group's kernel needs to know of its stages. Imports [`ir`](crate::ir) and [`analysis`](crate::analysis).

mod cpu_schedule;
mod fuse;
mod grouping;
mod live_outs;
mod members;
mod print_footprints;
mod report;
mod schedule;
mod search;
mod split;
mod strategy;
mod tiles;
mod tuned;

pub use cpu_schedule::{CpuReport, CpuTerms};
pub use grouping::{Made, group, group_names, group_stages, make, runs, split};
pub use live_outs::{live_outs, producer_of, results_of, used};
pub use members::{Member, MemberAccess, Members};
pub use report::{
    Candidate, GroupReport, OnCpu, RejectedGroup, RejectedSchedule, Report, SearchStats, StageReport, Term,
    write_reports,
};
pub use schedule::{fraction_of, schedule_of};
pub use search::{Search, graph, partition};
pub use split::{make_tileable, split_while};
pub use strategy::{Inputs, Overlap, Strategy};
pub use tiles::{count_tiles, tile_ends};
pub use tuned::{Measured, Tuned, TunedGroup};

declare_passes! {
    fuse::Fuse with FuseOptions,
    cpu_schedule::CpuSchedule with CpuScheduleOptions,
    print_footprints::PrintFootprints,
}
