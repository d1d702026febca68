//! What a tick of a tile computes, when tiles slide down row by row, or plane by plane.
//!
//! ```text
//! blurx[y, x], blury reads it at y - 1 .. y + 1                 tile 152x6400      a tick: 4 rows, of blurx those that are new
//! blurx[z, y, x], "smooth" reads "blury" at z - 2 .. z + 2      tile 24x32x256     a tick: 1 plane of 32 rows, of "blury" and blurx one
//! ```
//!
//! Of volumes that slid along rows, a tick would walk a row of each plane: a hundred places of memory far apart, of which the rows are
//! cut, as all planes of a window must fit into a cache. A plane's rows lie behind each other.

use crate::{
    affine::{Extent, Part},
    program::{Access, Group, Stage},
    tiles::{Cut, Rule, aligned_tile, boxes},
};

/// Rows that are computed together, so that what they read in common is loaded once.
pub const ROWS: i64 = 4;

/// The same of a stage that reads an image down its columns: what so many rows read lies beside each other there, and is transposed in registers.
pub const ROWS_OF_COLUMNS: i64 = 16;

/// Rows of a group that are computed together at most.
pub fn rows_together(group: &Group) -> i64 {
    let [stage] = &group.stages[..] else { return ROWS };
    let turns = |access: &Access| {
        let Some((column, last)) = access.rank.checked_sub(1).zip(access.indices.len().checked_sub(1)) else {
            return false;
        };
        column > 0
            && access.follows_coordinates()
            && access.uses(last, column - 1)
            && !access.uses(last, column)
            && (0..last).any(|d| access.uses(d, column))
            && !group.reads_pixels(access)
    };
    if !stage.accesses.is_empty() && stage.accesses.iter().all(turns) { ROWS_OF_COLUMNS } else { ROWS }
}

/// The dimension of planes next to that of rows.
pub fn plane_of(rank: usize) -> Option<usize> {
    rank.checked_sub(3)
}

/// Planes that are so few that a tile has all of them.
const FEW_PLANES: i64 = 16;

/// Whether stages read several planes of each other, which are planes of the grid, and many, and several rows.
fn is_of_volume(group: &Group, plane: usize) -> bool {
    let is_many = |extent: &Extent| !matches!(extent, Extent::Known(planes) if *planes < FEW_PLANES);
    let stages = || group.stages.iter().filter(|stage| stage.extents.len() == group.grid_rank());
    let moves_along = |axis: usize| {
        let moves = |access: &Access| {
            let along = (0..access.indices.len()).filter(|d| access.uses(*d, axis));
            let mut forms = along.filter_map(|d| access.extremes(d)).flatten();
            access.producer().is_some()
                && forms.any(|form| form.dim == axis && (form.mul, form.div) == (1, 1) && form.add != 0)
        };
        stages().any(|stage| is_many(&stage.extents[axis]) && stage.accesses.iter().any(moves))
    };
    moves_along(plane) && moves_along(plane + 1)
}

/// The dimension of the grid that tiles slide along: the last but one or, of volumes, that of planes. None where rows of one stage are
/// columns of one of fewer dimensions that it reads, as where statistics of pixels have no channels and channels are columns: that would
/// slide along its vectors.
pub fn stream_of(group: &Group) -> Option<usize> {
    if let Some(plane) = plane_of(group.grid_rank()).filter(|plane| is_of_volume(group, *plane)) {
        return Some(plane);
    }
    let stream = group.grid_rank().checked_sub(2)?;
    let reads_columns = |stage: &Stage, access: &Access| {
        let (rank, column) = (stage.extents.len(), access.indices.len().checked_sub(1));
        access.producer().is_some()
            && access.indices.len() < rank
            && rank.checked_sub(2).zip(column).is_some_and(|(row, column)| access.uses(column, row))
    };
    let mut stages = group.stages.iter();
    (!stages.any(|stage| stage.accesses.iter().any(|access| reads_columns(stage, access)))).then_some(stream)
}

/// The dimension of rows, where tiles slide along planes: a tick has all rows of a tile then, and not the few that are computed together.
pub(super) fn rows_of_planes(group: &Group) -> Option<usize> {
    stream_of(group).map(|stream| stream + 1).filter(|row| row + 1 < group.grid_rank())
}

/// A tile, and what a tick of it computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sliding {
    /// Points of a live-out that a tick covers: a tile of [`rows_together`] rows, or the fewest above that are whole rows of every stage; of a volume
    /// a plane.
    pub tick: Vec<i64>,
    /// The box of each stage that a tick needs; `None` for a stage that nobody needs.
    pub parts: Vec<Option<Part>>,
    /// Rows, or planes, of each stage that are there at once, where it slides.
    pub kept: Vec<i64>,
    /// Ticks before the first of a tile, in which stages compute bit by bit what the first one reads beside what it computes. Where there are none the first
    /// one computes all of it.
    pub ahead: i64,
}

impl Sliding {
    fn new(group: &Group, tick: Vec<i64>, parts: Vec<Option<Part>>) -> Self {
        let stream = stream_of(group);
        let stages = 0..parts.len();
        let along = |stage: usize| parts[stage].as_ref().and_then(|part| Some((part, part.sliding(stream)?)));
        let all: Vec<i64> =
            stages.clone().map(|stage| along(stage).map_or(0, |(part, d)| part.region[d].len())).collect();
        let fewer: Vec<i64> = stages.clone().map(|stage| kept(group, &parts, stage, stream)).collect();
        let bytes = |kept: &[i64]| -> f64 {
            let of_stage = |stage: usize| {
                let (part, d) = along(stage)?;
                let row = part.volume() as f64 / part.region[d].len() as f64;
                Some(row * rows_of_window(kept[stage]) as f64 * group.stages[stage].bytes.iter().sum::<i64>() as f64)
            };
            stages.clone().filter_map(of_stage).sum()
        };
        // Ticks ahead compute fewer rows than are computed together, some of them.
        if bytes(&fewer) >= bytes(&all) {
            return Self { tick, kept: all, ahead: 0, parts };
        }
        let ahead = stages.filter_map(along).map(|(part, d)| (part.region[d].len() - 1) / part.strides[d].step);
        Self { ahead: ahead.max().unwrap_or(0), tick, kept: fewer, parts }
    }
}

/// Rows, or planes, of a window in which so many take turns.
pub(super) fn rows_of_window(kept: i64) -> i64 {
    kept.max(1).unsigned_abs().next_power_of_two() as i64
}

/// A box, of which a tick computes the rest newly.
fn new_of(part: &Part, stream: Option<usize>) -> Part {
    let mut new = part.clone();
    if let Some(d) = part.sliding(stream) {
        new.region[d].lo = new.region[d].lo.max(new.region[d].hi + 1 - part.strides[d].step);
    }
    new
}

/// Rows, or planes, of a stage that must be there at once, where each tick computes what is new: 0 where it does not slide. These are what it computes
/// and what consumers read for what they compute newly.
fn kept(group: &Group, parts: &[Option<Part>], stage: usize, stream: Option<usize>) -> i64 {
    let Some((part, d)) = parts[stage].as_ref().and_then(|part| Some((part, part.sliding(stream)?))) else { return 0 };
    let all = part.region[d];
    let mut first = new_of(part, stream).region[d].lo;
    if group.stages[stage].is_live_out {
        // What is a tick's own is copied then.
        first = first.min(0);
    }
    for (consumer, reader) in group.stages.iter().zip(parts) {
        let Some(new) = reader.as_ref().map(|reader| new_of(reader, stream)) else { continue };
        for access in consumer.accesses.iter().filter(|access| access.producer() == Some(stage)) {
            match access.leads(d, &new) {
                Some((stride, read, _)) if stride.agrees(part.strides[d]) => first = first.min(read.lo),
                _ => return all.len(),
            }
        }
    }
    all.hi + 1 - first.max(all.lo)
}

/// What a tick computes, when tiles are `tile` of a live-out.
///
/// # Errors
///
/// The producer that must go to memory: where there are no boxes, where rows would be columns or slide twice, and where
/// coordinates wrap.
pub fn sliding(group: &Group, tile: &[i64]) -> Result<Sliding, Cut> {
    let stream = stream_of(group);
    let mut tick = tile.to_vec();
    if let Some(stream) = stream {
        let together = if rows_of_planes(group).is_some() { 1 } else { rows_together(group) };
        tick[stream] = together.min(tile[stream]);
    }
    // A tile that has all planes does not move along them, and reads of a plane by its number are like any other.
    let live_outs: Vec<&Stage> =
        group.stages.iter().filter(|stage| stage.is_live_out && stage.extents.len() == tile.len()).collect();
    let has_all = |axis: usize| {
        let is_last = |stage: &&Stage| matches!(stage.extents[axis], Extent::Known(extent) if extent <= tile[axis]);
        let is_known = |stage: &&Stage| matches!(stage.extents[axis], Extent::Known(_));
        live_outs.iter().all(is_known) && live_outs.last().is_some_and(is_last)
    };
    let planes = 0..stream.unwrap_or(0);
    let whole: Vec<i64> =
        (0..tile.len()).map(|axis| if planes.contains(&axis) && has_all(axis) { 0 } else { tick[axis] }).collect();
    let whole = aligned_tile(group, Some(&whole));
    let (tick, parts) = match boxes(group, &whole) {
        Ok(parts) => {
            (whole.iter().zip(&tick).map(|(own, asked)| if *own == 0 { *asked } else { *own }).collect(), parts)
        }
        Err(_) => {
            let tick = aligned_tile(group, Some(&tick));
            let parts = boxes(group, &tick)?;
            (tick, parts)
        }
    };
    for (producer, part) in parts.iter().enumerate() {
        let Some(part) = part else { continue };
        if part.periodic.contains(&true) {
            return Err(Cut { producer, rule: Rule::Periodic });
        }
        let sliding: Vec<usize> = (0..part.strides.len()).filter(|d| part.slides(*d, stream)).collect();
        let is_column = sliding == [part.strides.len() - 1];
        if sliding.len() > 1 || is_column {
            return Err(Cut { producer, rule: Rule::NotAffine });
        }
    }
    Ok(Sliding::new(group, tick, parts))
}
