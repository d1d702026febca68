//! The schedule of a group: the cheapest of those worth asking about.
//!
//! ```text
//! storage   none (a thread a point), shared tiles, hybrid tiles (fractions of whole warps), strips (blocked, cyclic), streamed strips
//! tiles     rows 4 to 64 (a stream's chunks 8 to 256), columns 32 to 256; one plane, or all of a few that share a stage or an image
//! blocks    4 or 8 warps                                       argmin over all of [`cost`], as section 6 has it
//! ```
//!
//! Fusion asks about thousands of groups, and needs no more than to know them apart: [`Effort::Quick`] tries one tile of each
//! kind that a group of its kind ever wins with. Groups that are kept are then asked about in full ([`Effort::Full`]).

use super::{
    cost::{Cost, Rejection, cost},
    plan::{Plan, Refusal, plan_in},
    points::per_thread,
    schedule::{Layout, Schedule, Scope},
    target::Target,
    thread_tiles,
};
use crate::{
    affine::Extent,
    program::{Access, Group, Stage},
    tiles::Boxes,
};

/// Planes that a tile may have all of: colours, and how much they cover.
const MOST_PLANES: i64 = 4;

/// How many schedules are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few.
    Quick,
    /// All.
    Full,
}

/// A schedule, and what it comes to.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The schedule, as the plan came out: tiles that did not fit are smaller.
    pub schedule: Schedule,
    /// Its kernel.
    pub plan: Plan,
    /// Its cost.
    pub cost: Cost,
    /// What the total is the sum of, by name: for reports and pictures.
    pub parts: Vec<(&'static str, f64)>,
}

/// A schedule that is no choice, and why.
pub type Rejected = (Schedule, Rejection);

/// Which schedules a group may have.
pub struct Allowed<'f> {
    /// By what they say.
    pub schedule: &'f dyn Fn(&Schedule) -> bool,
    /// By what they come to.
    pub plan: &'f dyn Fn(&Plan) -> bool,
}

impl Allowed<'_> {
    /// Any.
    pub const ALL: Self = Self { schedule: &|_| true, plan: &|_| true };
}

/// The cheapest schedule of a group, of those that are allowed; `largest` is the number of points of
/// the largest stage of the program. Schedules that break a limit go to `rejected`.
///
/// # Errors
///
/// The first rejection, where every schedule is rejected.
pub fn choose(
    group: &Group,
    target: &Target,
    largest: f64,
    effort: Effort,
    allowed: &Allowed,
    mut rejected: impl FnMut(Rejected),
) -> Result<Choice, Rejection> {
    let mut boxes = Boxes::new(group);
    let mut best: Option<Choice> = None;
    let mut first = None;
    for alike in schedules(group, target, effort) {
        for schedule in alike.into_iter().filter(allowed.schedule) {
            match evaluate_in(&mut boxes, &schedule, target, largest) {
                Ok(choice) if !(allowed.plan)(&choice.plan) => {}
                Ok(choice) if best.as_ref().is_none_or(|best| choice.cost.total < best.cost.total) => {
                    best = Some(choice);
                }
                Ok(_) => {}
                Err(rejection) => {
                    // What has no boxes has none for tiles of other rows and columns: they are multiples of what indices divide by.
                    let has_none = effort == Effort::Quick && matches!(rejection, Rejection::Plan(Refusal::Cut(_)));
                    first.get_or_insert(rejection.clone());
                    rejected((schedule, rejection));
                    if has_none {
                        break;
                    }
                }
            }
        }
    }
    match (best, first) {
        (Some(best), _) => Ok(best),
        (None, Some(rejection)) => Err(rejection),
        // Some schedule is tried always.
        (None, None) => Err(Rejection::Plan(Refusal::Schedule("no schedule".into()))),
    }
}

/// The schedules of a group that fit the target, cheapest first, each once: for who measures them.
pub fn ranked(group: &Group, target: &Target, largest: f64) -> Vec<Choice> {
    let all = schedules(group, target, Effort::Full).into_iter().flatten();
    let mut boxes = Boxes::new(group);
    let mut choices: Vec<Choice> =
        all.filter_map(|schedule| evaluate_in(&mut boxes, &schedule, target, largest).ok()).collect();
    // Stable: of those that cost the same the one that is tried first, as `choose` has it.
    choices.sort_by(|one, other| one.cost.total.total_cmp(&other.cost.total));
    let mut seen: Vec<Schedule> = Vec::new();
    choices.retain(|choice| {
        let is_new = !seen.contains(&choice.schedule);
        seen.extend(is_new.then(|| choice.schedule.clone()));
        is_new
    });
    choices
}

/// What one schedule comes to.
///
/// # Errors
///
/// The limit that it breaks.
pub fn evaluate(group: &Group, schedule: &Schedule, target: &Target, largest: f64) -> Result<Choice, Rejection> {
    evaluate_in(&mut Boxes::new(group), schedule, target, largest)
}

fn evaluate_in(boxes: &mut Boxes, schedule: &Schedule, target: &Target, largest: f64) -> Result<Choice, Rejection> {
    let plan = plan_in(boxes, schedule).map_err(Rejection::Plan)?;
    let cost = cost(boxes.group, &plan, schedule, target, largest)?;
    let parts = cost.parts(target).to_vec();
    Ok(Choice { schedule: as_planned(schedule, &plan), plan, cost, parts })
}

/// The schedule that says what the plan came to, so that it reads as it is.
fn as_planned(schedule: &Schedule, plan: &Plan) -> Schedule {
    let mut of = schedule.clone();
    if schedule.scope != Scope::Thread {
        of.tile = Some(plan.tile.clone());
    }
    of.block = Some(plan.mapping.warps.iter().zip(&plan.mapping.lanes).map(|(warps, lanes)| warps * lanes).collect());
    of.shares_inputs = plan.strip.is_none() && !plan.inputs.is_empty();
    match plan.strip {
        Some(strip) => {
            of.vector = Some(strip.columns);
            of.fraction = None;
        }
        None => {
            (of.layout, of.vector, of.stream) = (None, None, None);
            if plan.hybrid.columns == 0 && !plan.has_lane_grid(schedule) {
                of.fraction = None;
            }
        }
    }
    of
}

/// The schedules to try for a group: those whose tiles have one plane, and those whose tiles have all.
fn schedules(group: &Group, target: &Target, effort: Effort) -> [Vec<Schedule>; 2] {
    let one = of_one_plane(group, target, effort);
    let mut all = Vec::new();
    if let Some(planes) = shared_planes(group) {
        if target.weights.w8 > 0.0 {
            let rows: &[i64] = if effort == Effort::Quick { &[1] } else { &[1, 2, 4] };
            all.extend(of_points(group, &planes, rows, effort));
        }
        let of_all = |schedule: &Schedule| {
            let mut of = schedule.clone();
            of.tile.iter_mut().for_each(|tile| tile[..planes.len()].copy_from_slice(&planes));
            of
        };
        // What several planes share is worth most where little else is: in small tiles.
        let most = if effort == Effort::Quick { 256 } else { 2048 };
        let is_small = |schedule: &&Schedule| schedule.tile.iter().flatten().product::<i64>() <= most;
        all.extend(one.iter().filter(|schedule| schedule.scope == Scope::Warp).filter(is_small).map(of_all));
        // Strips of all planes are as much longer code: of two rows it fits where that of four does not.
        if target.weights.w8 > 0.0 {
            let vectors: &[i64] = if effort == Effort::Quick { &[1] } else { &[1, 2] };
            let tile = |vector| [&planes[..], &[2, 32 * vector]].concat();
            all.extend(vectors.iter().map(|vector| strip_of(tile(*vector), Layout::Blocked, *vector, None)));
        }
    }
    [one, all]
}

/// The extents before rows and columns, where planes are few and have something in common: a stage, or an image, of which all of them
/// read the same. A tile of one plane computes it and loads it for itself alone.
fn shared_planes(group: &Group) -> Option<Vec<i64>> {
    let rank = group.grid_rank();
    let leading = rank.checked_sub(2)?;
    let last = group.stages.iter().rev().find(|stage| stage.is_live_out)?;
    let known = |extent: &Extent| if let Extent::Known(extent) = extent { Some(*extent) } else { None };
    let planes: Vec<i64> = last.extents[..leading].iter().map(known).collect::<Option<_>>()?;
    let is_same = |access: &Access| (0..leading).any(|d| planes[d] > 1 && !access.depends_on(d));
    let all = planes.iter().try_fold(1, |all: i64, extent| all.checked_mul(*extent))?;
    let shares = |stage: &Stage| stage.extents.len() < rank || stage.accesses.iter().any(is_same);
    ((2..=MOST_PLANES).contains(&all) && group.stages.iter().any(shares)).then_some(planes)
}

/// A block of so many warps, each beside the next along rows.
fn block_of(rank: usize, warps: i64) -> Vec<i64> {
    match rank {
        1 => vec![32 * warps],
        _ => [vec![1; rank - 2], vec![warps, 32]].concat(),
    }
}

/// A tile of so many rows and columns of one plane; of one dimension all of them are columns.
fn tile_of(rank: usize, rows: i64, columns: i64) -> Vec<i64> {
    match rank {
        1 => vec![rows * columns],
        _ => [vec![1; rank - 2], vec![rows, columns]].concat(),
    }
}

/// A strip, whose tile is as wide as a warp with so many columns a lane.
fn strip_of(tile: Vec<i64>, layout: Layout, vector: i64, stream: Option<usize>) -> Schedule {
    Schedule {
        block: Some(block_of(tile.len(), 4)),
        tile: Some(tile),
        layout: Some(layout),
        vector: Some(vector),
        stream,
        ..Schedule::default()
    }
}

/// The schedules whose threads share nothing, and compute so many planes and rows.
fn of_points(group: &Group, planes: &[i64], rows: &[i64], effort: Effort) -> Vec<Schedule> {
    let rank = group.grid_rank();
    let tiles = rows.iter().map(|rows| match rank {
        1 => vec![1],
        _ => [planes, &[*rows, 1]].concat(),
    });
    let mut all = of_threads(group, tiles, |warps| block_of(rank, warps), effort);
    // Of one point it need not be said.
    let is_one = |tile: &mut Vec<i64>| tile.iter().all(|points| *points == 1);
    all.iter_mut().for_each(|schedule| drop(schedule.tile.take_if(is_one)));
    all
}

/// The schedules whose threads share nothing, and have one of these tiles, as far as that is not too much for a thread, in blocks of so many warps.
fn of_threads(
    group: &Group,
    tiles: impl Iterator<Item = Vec<i64>>,
    block: impl Fn(i64) -> Vec<i64>,
    effort: Effort,
) -> Vec<Schedule> {
    let warps: &[i64] = if effort == Effort::Quick { &[8] } else { &[8, 4] };
    let tiles = tiles.filter(|tile| per_thread(group, tile).is_some());
    let of = |tile: Vec<i64>, warps: i64| Schedule {
        scope: Scope::Thread,
        tile: Some(tile),
        block: Some(block(warps)),
        ..Schedule::default()
    };
    tiles.flat_map(|tile| warps.iter().map(|warps| of(tile.clone(), *warps)).collect::<Vec<_>>()).collect()
}

/// The schedules whose threads share nothing, and have all colours of pixels: of an image whose last dimension is so short that its lanes
/// would be idle, as `tensor<?x?x3xi8>`.
fn of_pixels(group: &Group, effort: Effort) -> Vec<Schedule> {
    let rank = group.grid_rank();
    let Some(leading) = rank.checked_sub(2) else { return Vec::new() };
    let live_out = group.stages.iter().rev().find(|stage| stage.is_live_out);
    let Some(Extent::Known(colours)) = live_out.and_then(|stage| stage.extents.last()) else { return Vec::new() };
    if !(1..=MOST_PLANES).contains(colours) {
        return Vec::new();
    }
    let pixels: &[[i64; 2]] =
        if effort == Effort::Quick { &[[1, 1], [2, 2]] } else { &[[1, 1], [1, 2], [2, 1], [2, 2], [1, 4], [4, 1]] };
    let tiles = pixels.iter().filter(|[rows, _]| rank > 2 || *rows == 1).map(|[rows, columns]| {
        let of_rows = leading.checked_sub(1).map(|planes| [vec![1; planes], vec![*rows]].concat());
        [&of_rows.unwrap_or_default()[..], &[*columns, *colours]].concat()
    });
    // Of four dimensions a block has threads along the last two alone.
    let block = |warps: i64| match rank {
        3 => vec![warps, 32, 1],
        _ => [vec![1; leading], vec![32 * warps, 1]].concat(),
    };
    of_threads(group, tiles, block, effort)
}

/// The schedules whose threads compute several points of a reduce: rows and columns, and planes, which read the same rows.
fn of_thread_tiles(group: &Group, effort: Effort) -> Vec<Schedule> {
    let rank = group.grid_rank();
    let Some(stage) = thread_tiles::stage_of(group).filter(|_| rank > 1) else { return Vec::new() };
    let planes = if rank > 2 { stage.size.get(rank - 3).copied().unwrap_or(1) } else { 1 };
    let one_plane: &[[i64; 3]] = &[[1, 8, 4], [1, 8, 1], [1, 4, 4], [1, 8, 2], [1, 4, 2], [1, 4, 1], [1, 2, 1]];
    let several: &[[i64; 3]] = &[
        [8, 4, 1],
        [16, 2, 1],
        [16, 4, 1],
        [4, 4, 1],
        [4, 4, 2],
        [8, 2, 1],
        [4, 2, 1],
        [2, 4, 1],
        [8, 1, 1],
        [4, 1, 1],
    ];
    let skipped = 3usize.saturating_sub(rank);
    let wide = |last: &[i64]| [vec![1; rank.saturating_sub(3)], last[skipped..].to_vec()].concat();
    let fits = |tile: &&[i64; 3]| thread_tiles::fits(group, &wide(&tile[..]));
    let all = several.iter().filter(|tile| tile[0] <= planes.max(1)).chain(one_plane).filter(fits);
    let few = if effort == Effort::Quick { 2 } else { usize::MAX };
    let schedule = |tile: &[i64; 3]| {
        // Warps of other planes read the same rows: the first of them brings them to L1. (Of four dimensions planes are blocks.)
        let block = if rank == 3 && 2 * tile[0] <= planes { [2, 2, 32] } else { [1, 4, 32] };
        Schedule { scope: Scope::Thread, tile: Some(wide(tile)), block: Some(wide(&block)), ..Schedule::default() }
    };
    all.take(few).map(schedule).collect()
}

/// The schedules whose tiles have one plane.
fn of_one_plane(group: &Group, target: &Target, effort: Effort) -> Vec<Schedule> {
    let rank = group.grid_rank();
    let tile = |rows, columns| tile_of(rank, rows, columns);
    let strip = |layout, vector, rows, stream| strip_of(tile(rows, 32 * vector), layout, vector, stream);
    let y = rank.checked_sub(2);
    let mut all = Vec::new();
    // Whose costs know no cycles are of the paper, which has tiles only.
    if target.weights.w8 == 0.0 {
        return of_the_paper(rank, effort);
    }
    all.extend(of_points(group, &vec![1; y.unwrap_or(0)], &[1], effort));
    all.extend(of_pixels(group, effort));
    all.extend(of_thread_tiles(group, effort));
    if effort == Effort::Quick {
        all.extend(y.map(|y| strip(Layout::Blocked, 4, 32, Some(y))));
        all.push(strip(Layout::Blocked, 4, 8, None));
        all.push(strip(Layout::Blocked, 1, 8, None));
        all.push(strip(Layout::Blocked, 1, 4, None));
        let shared = [(8, 128), (4, 256), (32, 32), (64, 32)];
        let shared = shared.into_iter().take(if rank > 1 { 4 } else { 1 });
        all.extend(shared.map(|(rows, columns)| Schedule {
            tile: Some(tile(rows, columns)),
            block: Some(block_of(rank, 4)),
            ..Schedule::default()
        }));
        all.push(Schedule {
            tile: Some(tile(16, 64)),
            block: Some(block_of(rank, 4)),
            fraction: Some(1.0),
            ..Schedule::default()
        });
        return all;
    }
    let unrolled = if rank > 1 { &[4, 8, 16][..] } else { &[1] };
    for layout in [Layout::Blocked, Layout::Cyclic] {
        for vector in [4, 2, 1] {
            if y.is_some() {
                all.extend([8, 16, 32, 64, 128, 256].map(|rows| strip(layout, vector, rows, y)));
            }
            // All rows of a strip that is no stream are unrolled: more would not fit an instruction cache.
            all.extend(unrolled.iter().map(|rows| strip(layout, vector, *rows, None)));
        }
    }
    for warps in [4, 8] {
        for rows in if rank > 1 { vec![4, 8, 16, 32, 64] } else { vec![1] } {
            for columns in [32, 64, 128, 256] {
                let shared = Schedule {
                    tile: Some(tile(rows, columns)),
                    block: Some(block_of(rank, warps)),
                    ..Schedule::default()
                };
                // Fractions that come to different numbers of whole warps.
                let steps = columns / 32;
                all.extend(
                    (1..=steps)
                        .filter(|step| (4 * step) % steps == 0 || steps < 4)
                        .map(|step| Schedule { fraction: Some(step as f64 / steps as f64), ..shared.clone() }),
                );
                all.push(shared);
            }
        }
    }
    all
}

/// What Algorithm 2's search is over (paper 000, section 6): tiles of 1 to 32 rows and of up to four columns a lane, which shared memory
/// holds no more of; blocks of whole warps; and the fractions that come to whole warps of columns.
fn of_the_paper(rank: usize, effort: Effort) -> Vec<Schedule> {
    let (rows, columns, warps): (Vec<i64>, &[i64], &[i64]) = match effort {
        Effort::Quick => (vec![4, 8, 16, 32], &[32, 64], &[4]),
        Effort::Full => ((1..=32).collect(), &[32, 64, 96, 128], &[1, 2, 4, 8, 16]),
    };
    let rows = if rank > 1 { rows } else { vec![1] };
    let mut all = Vec::new();
    for (rows, columns) in rows.iter().flat_map(|rows| columns.iter().map(move |columns| (*rows, *columns))) {
        let (tile, steps) = (tile_of(rank, rows, columns), columns / 32);
        for (warps, step) in warps.iter().flat_map(|warps| (0..=steps).map(move |step| (*warps, step))) {
            let fraction = (step > 0).then_some(step as f64 / steps as f64);
            let block = Some(block_of(rank, warps));
            all.push(Schedule { tile: Some(tile.clone()), block, fraction, ..Schedule::default() });
        }
    }
    all
}
