//! Which tiles a group may have on a CPU, and which of them costs least.
//!
//! ```text
//!              planes      windows in          tiles of a core
//! group ──┬──  one    ──┬─ half of L2 ──────┬─ 16 ... 2  ──▶ tile 1x152x6400    choose_cpu: the usual room, planes and height as costs less
//!         ├──  a few    ├─ 2 L2, L2 ... L1  └─ 1 ... 64                         ranked_cpu: all of these, cheapest first
//!         └──  all      ┘
//! ```
//!
//! A tile is as wide as its room in the cache allows, and as tall as leaves every core some tiles: of many, one that is late does not keep
//! the other cores waiting for long; of few, less is computed that a neighbour computes, too. The model knows a room that is good
//! often; who measures tries others.

use super::{
    bundle::{Bundle, bundles, planes_together},
    cost::{CpuCost, column_bytes, cost, reread_bytes},
    sliding::{ROWS, Sliding, rows_of_planes, sliding, stream_of},
    target::Cpu,
};
use crate::{
    affine::{Part, gcd},
    program::Group,
    tiles::Cut,
};
use std::fmt;

/// A tile for a group, and what it costs with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CpuChoice {
    /// Points of a live-out that a tile covers.
    pub tile: Vec<i64>,
    /// The parts of the cost.
    pub cost: CpuCost,
}

/// Why a group is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuRejection {
    /// It has no tiles.
    Cut(Cut),
    /// Its windows have so many bytes, more than the caches of a core hold, at the narrowest tile.
    Windows {
        /// Bytes of the windows.
        bytes: i64,
        /// Bytes that they may have.
        most: i64,
    },
}

impl fmt::Display for CpuRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(cut) => write!(f, "stage #{} {}", cut.producer, cut.rule),
            Self::Windows { bytes, most } => {
                write!(f, "windows have {bytes} bytes at the narrowest tile, expected at most {most}")
            }
        }
    }
}

/// The narrowest tile that is tried, in points.
const NARROWEST: i64 = 64;
/// The widest tile that is tried, in points: also a stage without windows is cut where an image is wider.
const WIDEST: i64 = 1 << 20;
/// Rows of a plane that a tile has at least, in those that it computes beside them, before rows are cut.
const FEW_ROWS: i64 = 4;
/// Points of a tile: half of what a schedule can say, as its height is rounded up.
pub(super) const MOST_POINTS: i64 = 1 << 29;
/// What part of a cost more planes must come to: they are as many streams of memory, and the model does not see how these disturb each
/// other.
const WORTH: f64 = 0.92;

/// How tall a tile may be.
#[derive(Clone, Copy)]
struct Height {
    /// Tiles for each core.
    tiles: i64,
    /// A tile is so many times as tall as what it computes beside its own rows, at least.
    halos: i64,
}

/// Tiles for each core that are good often, the more the better as far as they cost the same.
const USUAL: [i64; 4] = [16, 8, 4, 2];
/// What part of a cost half as many tiles must come to.
const TALLER: f64 = 0.995;
/// Tiles for each core that are worth measuring.
const TILES: [i64; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The same for halos: where there are many cores, each may have to compute more of what is not its own.
const HALOS: [i64; 2] = [8, 2];

/// The caches that windows may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Half of a core's second cache.
    Second,
    /// All of that, or a part of the last one, where half of the second holds the windows of no tile. Who asks compares the cost with that of two groups: it may be less to read an image.
    Last,
}

/// The tile with which a group costs least, and that cost.
///
/// # Errors
///
/// A group that has no tiles, or none whose windows the caches hold.
pub fn choose_cpu(group: &Group, cpu: &Cpu, room: Room) -> Result<CpuChoice, CpuRejection> {
    let choice = choose_in(group, cpu, cpu.l2 / 2);
    let (Err(CpuRejection::Windows { bytes, .. }), Room::Last) = (&choice, room) else { return choice };
    // The less they have of the last cache, the more of them is in the second.
    more_rooms(cpu).find(|room| room >= bytes).map_or(choice, |room| choose_in(group, cpu, room))
}

/// Bytes that windows may have beyond half of the second cache: all of it, or twice as much, where that is at most half of a core's share of the last one.
fn more_rooms(cpu: &Cpu) -> impl Iterator<Item = i64> {
    let most = (cpu.l3 / cpu.cores / 2).max(cpu.l2);
    [cpu.l2, 2 * cpu.l2].into_iter().filter(move |room| *room <= most)
}

/// The tile of those with so much room that costs least.
fn choose_in(group: &Group, cpu: &Cpu, room: i64) -> Result<CpuChoice, CpuRejection> {
    let size = size_of_grid(group);
    let choose = |planes: Vec<i64>| Ok(Columns::of(group, cpu, &size, &planes, room)?.usual());
    let mut choices = planes_of_tiles(group, &size).into_iter().map(choose);
    let one = choices.next().expect("there are tiles of one plane");
    let more = choices.filter_map(Result::ok).min_by(|a, b| a.cost.total().total_cmp(&b.cost.total()));
    match (one, more) {
        (Ok(one), Some(more)) if more.cost.total() < WORTH * one.cost.total() => Ok(more),
        (Err(_), Some(more)) => Ok(more),
        (one, _) => one,
    }
}

/// The tiles of a group that are worth a try, cheapest first, each once: for who measures them.
pub fn ranked_cpu(group: &Group, cpu: &Cpu) -> Vec<CpuChoice> {
    let size = size_of_grid(group);
    let less = std::iter::successors(Some(cpu.l2 / 2), |room| Some(room / 2)).take_while(|room| 2 * room > cpu.l1);
    let rooms: Vec<i64> = less.chain(more_rooms(cpu)).collect();
    let mut choices: Vec<CpuChoice> = Vec::new();
    for planes in planes_of_tiles(group, &size) {
        let columns = rooms.iter().filter_map(|room| Columns::of(group, cpu, &size, &planes, *room).ok());
        for columns in columns {
            let heights = TILES.iter().flat_map(|tiles| HALOS.map(|halos| Height { tiles: *tiles, halos }));
            for choice in heights.map(|height| columns.choice(height)) {
                if choices.iter().all(|other| other.tile != choice.tile) {
                    choices.push(choice);
                }
            }
        }
    }
    choices.sort_by(|one, other| one.cost.total().total_cmp(&other.cost.total()));
    choices
}

/// How a group is computed in tiles that somebody has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuPlan {
    /// The tile, and what the group costs with it.
    pub choice: CpuChoice,
    /// What a tick computes.
    pub sliding: Sliding,
    /// Which stages share a loop.
    pub bundles: Vec<Bundle>,
}

impl CpuPlan {
    /// That of this tile.
    ///
    /// # Errors
    ///
    /// A group that has no such tiles.
    pub fn of(group: &Group, cpu: &Cpu, tile: &[i64]) -> Result<Self, CpuRejection> {
        let sliding = sliding(group, tile).map_err(CpuRejection::Cut)?;
        let bundles = bundles(group, &sliding.parts);
        let cost = cost(group, cpu, &sliding, &bundles, tile, &size_of_grid(group));
        Ok(Self { choice: CpuChoice { tile: tile.to_vec(), cost }, sliding, bundles })
    }
}

/// The planes of a tile: one, as many as are computed together, or all. What does not depend on the plane is then computed, or read,
/// once for all of them. Those that it slides along are none.
fn planes_of_tiles(group: &Group, size: &[i64]) -> Vec<Vec<i64>> {
    let planes = &size[..stream_of(group).unwrap_or(size.len().saturating_sub(2))];
    let mut few = vec![1; planes.len()];
    if let (Some(few), Some(planes)) = (few.last_mut(), planes.last()) {
        *few = planes_together(group.stages.iter(), *planes);
    }
    let mut all = vec![vec![1; planes.len()], few, planes.to_vec()];
    all.dedup();
    all
}

/// Tiles of one width.
struct Columns<'g> {
    group: &'g Group,
    cpu: &'g Cpu,
    size: &'g [i64],
    sliding: Sliding,
    bundles: Vec<Bundle>,
}

impl<'g> Columns<'g> {
    /// The widest tile of so many planes whose windows have room in so many bytes.
    fn of(group: &'g Group, cpu: &'g Cpu, size: &'g [i64], planes: &[i64], room: i64) -> Result<Self, CpuRejection> {
        let last = size.len() - 1;
        let stream = stream_of(group);
        // Where tiles do not slide, rows are what some stage has as columns: these are cut, and tiles as wide as images.
        let cut = if stream.is_none() { last.saturating_sub(1) } else { last };
        // Where they slide along planes, these are cut to some rows, and rows only where few are left.
        let row = rows_of_planes(group);
        let mut strips = 1;
        let width = size[cut];
        let widest = lanes(group, cpu.vector);
        let mut columns = (width - 1).max(0) / WIDEST + 1;
        loop {
            let across = round_up(width.saturating_add(columns - 1) / columns, widest);
            let mut tile = [planes, &size[planes.len()..]].concat();
            tile[cut] = across;
            tile[last] = round_up(tile[last], widest);
            if let Some(row) = row {
                tile[row] = round_up((size[row] + strips - 1) / strips, ROWS);
            }
            let sliding = sliding(group, &tile).map_err(CpuRejection::Cut)?;
            let bundles = bundles(group, &sliding.parts);
            let bytes = sliding.window_bytes(group, &bundles).saturating_add(reread_bytes(group, &sliding, &bundles));
            // The lines of columns are wanted again by the next row, and are too many for the first cache's sets.
            let (lines, most) = (column_bytes(group, &sliding), cpu.l1 / 2);
            if bytes <= room && (lines <= most || across <= NARROWEST.max(widest)) {
                return Ok(Self { group, cpu, size, sliding, bundles });
            }
            // Windows need not shrink as tiles do: of many parts, one more would be too few to get on.
            let more = |parts: i64, extent: i64| {
                let wanted =
                    |bytes: i64, room: i64| i128::from(parts) * i128::from(bytes) / i128::from(room.max(1)) / 2;
                let wanted = wanted(bytes, room).max(wanted(lines, most));
                (parts + 1 + parts / 64).max(i64::try_from(wanted).unwrap_or(extent).min(extent))
            };
            let fewest = |row: usize| {
                let overlap = sliding.parts.iter().flatten().map(|part| overlap_along(part, row)).max();
                ROWS.max(FEW_ROWS * overlap.unwrap_or(0))
            };
            if let Some(row) = row.filter(|row| tile[*row] > fewest(*row)) {
                strips = more(strips, size[row]).min((size[row] / fewest(row)).max(strips + 1));
                continue;
            }
            if across <= NARROWEST.max(widest) {
                return Err(CpuRejection::Windows { bytes, most: room });
            }
            columns = more(columns, width);
        }
    }

    /// The tile of a height that is good often.
    fn usual(&self) -> CpuChoice {
        let [many, fewer @ ..] = USUAL.map(|tiles| Height { tiles, halos: HALOS[0] });
        let mut best = self.choice(many);
        for height in fewer {
            let taller = self.choice(height);
            if taller.cost.total() > TALLER * best.cost.total() {
                break;
            }
            best = taller;
        }
        best
    }

    /// The tile of a height, and what it costs.
    fn choice(&self, height: Height) -> CpuChoice {
        let Self { group, cpu, size, sliding, bundles } = self;
        let mut tile = sliding.tick.clone();
        if let Some(stream) = stream_of(group) {
            let others: i64 =
                (0..size.len()).filter(|d| *d != stream).map(|d| (size[d] + tile[d] - 1) / tile[d]).product();
            let strips = ((cpu.cores * height.tiles + others - 1) / others.max(1)).max(1);
            let halo = sliding.parts.iter().flatten().map(|part| overlap_along(part, stream)).max().unwrap_or(0);
            let rows = ((size[stream] + strips - 1) / strips).max(height.halos * halo).max(1);
            let rows = evenly(size[stream], rows, (cpu.cores / gcd(cpu.cores, others)).max(1));
            let row: i64 = (0..size.len()).filter(|d| *d != stream).map(|d| tile[d]).product();
            let rows = rows.min((MOST_POINTS / row.max(1)).max(1));
            tile[stream] = round_up(rows.min(size[stream]), sliding.tick[stream]);
        }
        let cost = cost(group, cpu, sliding, bundles, &tile, size);
        CpuChoice { tile, cost }
    }
}

/// Rows of strips of which there is a multiple of a number, if there are so many; no strip has fewer rows than it would have.
fn evenly(size: i64, rows: i64, number: i64) -> i64 {
    match size / rows / number * number {
        0 => rows,
        strips => (size + strips - 1) / strips,
    }
}

/// Points along an axis of the grid that a tick needs of a stage beside its own share.
fn overlap_along(part: &Part, axis: usize) -> i64 {
    part.sliding(Some(axis)).map_or(0, |d| part.region[d].len() - part.strides[d].step)
}

pub(super) fn round_up(value: i64, to: i64) -> i64 {
    (value + to - 1) / to * to
}

/// Points of so many bytes of the stage with the narrowest values, so that tiles are whole vectors of all.
pub(super) fn lanes(group: &Group, bytes: i64) -> i64 {
    let narrowest = group.stages.iter().flat_map(|stage| &stage.bytes).min();
    bytes / narrowest.copied().unwrap_or(4).max(1)
}

/// The extents of the live-out whose tiles are the group's.
pub fn size_of_grid(group: &Group) -> Vec<i64> {
    let rank = group.grid_rank();
    let stage = group.stages.iter().rev().find(|stage| stage.is_live_out && stage.size.len() == rank);
    stage.map_or_else(|| vec![1; rank], |stage| stage.size.clone())
}
