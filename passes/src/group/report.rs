//! Why groups are as they are, for people and for programs: the terms of costs, and what was rejected for which limit.

use serde::Serialize;
use std::path::Path;
use weft_model::partition::Stats;

/// Writes reports as JSON.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_reports<R: Serialize>(file: &str, reports: &[R]) -> Result<(), String> {
    let text = serde_json::to_string_pretty(reports).map_err(|error| error.to_string())?;
    weft_files::write(Path::new(file), (text + "\n").as_bytes())
        .map_err(|error| format!("{file}: cannot be written: {error}"))
}

// ---- The report -----------------------------------------------------------------------------------------------------------

/// Why a program was grouped so; `T` are the terms of a cost, by default those of a kernel of a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct Report<T = weft_model::Cost> {
    /// The function.
    pub program: String,
    /// The strategy.
    pub strategy: String,
    /// The target.
    pub target: String,
    /// The groups that the model has a schedule for, in the order in which they run.
    pub groups: Vec<GroupReport<T>>,
    /// Sets of stages that were looked at and can be no group.
    pub rejected: Vec<RejectedGroup>,
    /// What the search did.
    pub stats: SearchStats,
}

/// A group.
#[derive(Clone, Debug, Serialize)]
pub struct GroupReport<T = weft_model::Cost> {
    /// Its name.
    pub name: String,
    /// Its schedule, as its attribute says it.
    pub schedule: String,
    /// What the cost is made of.
    pub terms: T,
    /// The weighed terms, whose sum is the cost.
    pub cost: Vec<Term>,
    /// Its stages, with their boxes.
    pub stages: Vec<StageReport>,
    /// Schedules that break a limit.
    pub rejected: Vec<RejectedSchedule>,
    /// The cheapest schedules, as many as were asked for, cheapest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate<T>>,
}

/// A schedule that a group can have.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate<T = weft_model::Cost> {
    /// The schedule, as its attribute says it.
    pub schedule: String,
    /// What its cost is made of.
    pub terms: T,
}

/// A weighed term of a cost.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// What it is of.
    pub term: String,
    /// How much it adds.
    pub cost: f64,
}

/// The box of a stage that a tile computes: its footprint.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// The stage.
    pub name: String,
    /// The first point of the box, relative to the tile's.
    pub first: Vec<i64>,
    /// The points of the box along each dimension.
    pub extents: Vec<i64>,
    /// The points of it that are the tile's own.
    pub step: Vec<i64>,
    /// The size of the image, estimated where it is not known.
    pub size: Vec<i64>,
    /// Bytes of a point.
    pub bytes: i64,
    /// Whether it is written to memory.
    pub is_live_out: bool,
    /// The consumer that it is computed in, if it has no box of its own.
    pub inlined_into: Option<String>,
    /// What it reads.
    pub reads: Vec<String>,
    /// How a CPU computes it.
    #[serde(flatten)]
    pub on_cpu: Option<OnCpu>,
}

impl StageReport {
    /// This box of a stage that reads these.
    pub fn new(stage: &weft_model::Stage, part: &weft_model::Part, reads: Vec<String>) -> Self {
        Self {
            name: stage.name.clone(),
            first: part.region.iter().map(|range| range.lo).collect(),
            extents: part.region.iter().map(|range| range.len()).collect(),
            step: part.strides.iter().map(|stride| stride.step).collect(),
            size: stage.size.clone(),
            bytes: stage.bytes.iter().sum(),
            is_live_out: stage.is_live_out,
            inlined_into: None,
            reads,
            on_cpu: None,
        }
    }
}

/// How a CPU computes a stage.
#[derive(Clone, Debug, Serialize)]
pub struct OnCpu {
    /// The number of the loop that computes it, among those of the group.
    pub of_loop: usize,
    /// Rows that the loop computes together.
    pub rows: i64,
    /// Planes that the loop computes together.
    pub planes: i64,
    /// The memory of what is kept of it between rows, in points; none where other loops do not read it.
    pub window: Option<Vec<i64>>,
    /// Whether its image is written past the caches.
    pub is_non_temporal: bool,
}

/// Schedules of a group that break the same limit.
#[derive(Clone, Debug, Serialize)]
pub struct RejectedSchedule {
    /// How many.
    pub schedules: usize,
    /// One of them.
    pub example: String,
    /// The limit, as the example breaks it.
    pub why: String,
}

/// A set of stages that can be no group.
#[derive(Clone, Debug, Serialize)]
pub struct RejectedGroup {
    /// The stages.
    pub stages: Vec<String>,
    /// Why.
    pub why: String,
}

/// What a search did, all runs of a program together.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SearchStats {
    /// Sets of stages from which it went on.
    pub states: usize,
    /// Groups that were evaluated.
    pub evaluations: usize,
    /// How often a bound cut something off; the partition of `dp` is optimal where this is 0.
    pub bound_hits: usize,
    /// What could not be part of a better partition.
    pub pruned: usize,
}

impl SearchStats {
    /// Adds what the search of another run did.
    pub fn add(&mut self, stats: &Stats) {
        self.states += stats.states;
        self.evaluations += stats.evaluations;
        self.bound_hits += stats.bound_hits;
        self.pruned += stats.pruned;
    }
}
