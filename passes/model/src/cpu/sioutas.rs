//! What a group costs on a CPU, and its best tile, by the paper on reuse analysis (paper 004, sections 3 and 4): `strategy=sioutas`.
//!
//! ```text
//! blurx: img at (y, x - 1), (y, x), (y, x + 1)       1024x1024 points, tiles of 32x256, threads: 2
//! blury: blurx at (y - 1, x), (y, x), (y + 1, x)
//!
//!   recomputed = Σ stages  work · (points of all tiles - points of the stage)      equations 2 to 4     blurx: 32 · 4 tiles of 34 x 256
//!   loads      = Σ stages  rows of images that all tiles begin to read             equation 6           blurx: 34 a tile
//!   cost       = w · loads + recomputed                                            Algorithm 3
//! ```
//!
//! **Loads.** A row that is read along is loaded ahead by the CPU but for its beginning (equation 6). Where neighbours of a row read down
//! a column, or anywhere, nothing is: each load of each point counts (equation 13).
//!
//! **Levels** (Algorithm 1). A stage is computed at the innermost loop of the tile along which two points of its readers need the same of it,
//! and stored one loop further out:
//!
//! | what its readers share | computed, stored | in this code |
//! | --- | --- | --- |
//! | nothing | where it is read | a register of their loop ([`bundles`]): [`Level::Register`] |
//! | columns | for a tick of rows | a window without rows of the tick before: [`Level::Rows`] |
//! | rows | for a tick, stored for the tile | a window that is walked down: [`Level::Window`] |
//! | all of it | for the tile | a window that is filled by the first tick: [`Level::Tile`] |
//!
//! **Tiles** (Algorithm 3): all that differ. Along a dimension the least extent that makes so many tiles costs no more than a longer one that makes
//! as many, whose rows and windows are longer; and of heights the greatest that is allowed costs least, as loads and what is computed
//! twice grow with the tiles below each other. What is allowed: whole cache lines and vectors of columns; as many tiles along one
//! dimension as there are threads (equation 14), which may be the outermost; no tile less than what its stages compute twice of a dimension (equation 15); windows
//! of the tick in the second cache, and those of the tile, of all cores, in the last. An image that is too small for
//! equations 14 and 15 must still be computed: where no tile meets them, they do not count.
//!
//! **Loops.** The order of a tile's loops is tried as far as tiles have one here: planes are walked inside of rows in a tile of several, and outside
//! in tiles of one. Columns are innermost always, as vectors are: a tile whose rows are innermost has the loads of equation 13, three times as
//! many as there are points for "blurx", where equation 6 has one for each row.
//!
//! What the paper does not say, and how it is here:
//!
//! - **w**, how much more a load is than an operation, is 40: what it is in Halide's autoscheduler, whose cost the paper's replaces.
//! - **Loads** of intermediate images are of a cache, and cost nothing, as those of "blury" in the paper's sums.
//! - **The output** is a stage of the sum, too: of a group of one stage there were nothing else to compare.
//! - A tick is four rows or more, where the paper's is one: windows have as many more rows (equation 9).

use super::{
    bundle::{Bundle, bundles},
    choose::{CpuRejection, MOST_POINTS, lanes, round_up, size_of_grid},
    cost::Walk,
    sliding::{Sliding, sliding, stream_of},
    target::{CACHE_LINE, Cpu},
    window::kept,
};
use crate::{
    affine::{Part, Range, TileStride, hull_regions},
    program::{Group, Source, Stage},
};

/// A load in operations.
const LOAD: f64 = 40.0;

/// What a group costs, in operations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReuseCost {
    /// Loads that nothing loads ahead.
    pub loads: f64,
    /// Operations of points that several tiles compute, beyond those of the first.
    pub recomputed: f64,
}

impl ReuseCost {
    /// All of it.
    pub fn total(&self) -> f64 {
        LOAD * self.loads + self.recomputed
    }
}

/// Where a stage is computed and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Where it is read.
    Register,
    /// Computed and stored for a tick of rows.
    Rows,
    /// Computed for a tick, stored for the tile.
    Window,
    /// Computed and stored for the tile.
    Tile,
}

/// The level of a stage.
fn level(group: &Group, sliding: &Sliding, bundles: &[Bundle], stage: usize) -> Level {
    let stream = stream_of(group);
    let Some(part) = &sliding.parts[stage] else { return Level::Register };
    if !kept(group, bundles).any(|kept| kept == stage) {
        return Level::Register;
    }
    match part.sliding(stream) {
        Some(d) if part.region[d].len() > part.strides[d].step => Level::Window,
        Some(_) => Level::Rows,
        None => Level::Tile,
    }
}

/// What a group costs in tiles of this size.
///
/// # Errors
///
/// A group that has no such tiles.
pub fn reuse_cost(group: &Group, tile: &[i64]) -> Result<ReuseCost, CpuRejection> {
    let sliding = sliding(group, tile).map_err(CpuRejection::Cut)?;
    Ok(cost(group, &sliding, tile, &size_of_grid(group)))
}

fn cost(group: &Group, sliding: &Sliding, tile: &[i64], size: &[i64]) -> ReuseCost {
    let walk = Walk::of(group, sliding, tile, size);
    let mut cost = ReuseCost::default();
    for (stage, part) in group.stages.iter().zip(&sliding.parts) {
        let Some(part) = part else { continue };
        let (points, _) = walk.points(&part.strides, &part.region);
        cost.recomputed += (points - stage.points()) * stage.work.instructions().max(1.0);
        cost.loads += (0..group.images.len()).map(|image| loads(stage, part, image, points, &walk)).sum::<f64>();
    }
    cost
}

/// Loads of an image for all points of a stage that nothing loads ahead.
fn loads(stage: &Stage, part: &Part, image: usize, points: f64, walk: &Walk) -> f64 {
    let accesses = || stage.accesses.iter().filter(|access| access.source == Source::Image(image));
    let each = || points * accesses().map(|access| access.times()).sum::<f64>();
    // What moves alike is one box.
    let mut boxes: Vec<(Vec<TileStride>, Vec<Range<i64>>)> = Vec::new();
    for access in accesses() {
        let column = part.region.len().checked_sub(1);
        let is_outer = |d: &usize| access.is_computed(*d) || column.is_some_and(|column| access.uses(*d, column));
        let last = access.indices.len().saturating_sub(1);
        if (0..last).any(|d| is_outer(&d)) || (last < access.indices.len() && access.is_computed(last)) {
            return each();
        }
        let Some(read) = (0..access.indices.len()).map(|d| access.reads(d, part)).collect::<Option<Vec<_>>>() else {
            return each();
        };
        let (strides, region): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        let agrees = |own: &[TileStride]| own.iter().zip(&strides).all(|(own, other)| own.agrees(*other));
        match boxes.iter_mut().find(|(own, _)| agrees(own)) {
            Some((_, own)) => *own = hull_regions(own, &region),
            None => boxes.push((strides, region)),
        }
    }
    boxes.iter().map(|(strides, region)| walk.points(strides, region).1).sum()
}

/// The tile with which a group costs least by these rules.
///
/// # Errors
///
/// A group that has no tiles, or none whose windows the caches hold.
pub fn choose_sioutas(group: &Group, cpu: &Cpu) -> Result<(Vec<i64>, ReuseCost), CpuRejection> {
    let size = size_of_grid(group);
    let columns = size[size.len() - 1];
    let unit = lanes(group, CACHE_LINE.max(cpu.vector));
    let mut best: Option<(usize, ReuseCost, Vec<i64>)> = None;
    let mut rejection = None;
    for planes in planes(&size) {
        for across in extents(columns, unit) {
            let mut tile = planes.clone();
            tile.extend(size.len().checked_sub(2).map(|row| size[row]));
            tile.push(across);
            match tallest(group, cpu, &size, &tile) {
                Ok((broken, cost, tile)) => {
                    let is_better = best.as_ref().is_none_or(|(least, of_best, _)| {
                        broken.cmp(least).then(cost.total().total_cmp(&of_best.total())).is_lt()
                    });
                    if is_better {
                        best = Some((broken, cost, tile));
                    }
                }
                Err(why) => rejection = Some(why),
            }
        }
    }
    match (best, rejection) {
        (Some((_, cost, tile)), _) => Ok((tile, cost)),
        (None, rejection) => Err(rejection.expect("some tile was tried")),
    }
}

/// Of tiles as wide as this one, and of as many planes, the tallest that leaves all threads work; how many rules it breaks, and what it costs.
fn tallest(group: &Group, cpu: &Cpu, size: &[i64], tile: &[i64]) -> Result<(usize, ReuseCost, Vec<i64>), CpuRejection> {
    let sliding = sliding(group, tile).map_err(CpuRejection::Cut)?;
    let bundles = bundles(group, &sliding.parts);
    fits(group, cpu, &sliding, &bundles)?;
    let overlaps = overlaps(group, &sliding);
    let mut tile = sliding.tick.clone();
    let tiles = |tile: &[i64], d: usize| (size[d] + tile[d] - 1) / tile[d];
    if let Some(stream) = stream_of(group) {
        let others = || (0..size.len()).filter(|d| *d != stream);
        let wanted = if others().any(|d| tiles(&tile, d) >= cpu.cores) { 1 } else { cpu.cores };
        let tick = tile[stream];
        let of = |tiles: i64| round_up(((size[stream] + tiles - 1) / tiles).max(1), tick);
        let rows = [of(wanted), of(wanted) - tick]
            .into_iter()
            .find(|rows| *rows > 0 && (size[stream] - 1) / rows + 1 >= wanted);
        let row: i64 = others().map(|d| tile[d]).product();
        let rows = rows.unwrap_or(tick).max(overlaps[stream].min(size[stream])).min((MOST_POINTS / row.max(1)).max(1));
        tile[stream] = round_up(rows, tick);
    }
    let is_shared = (0..size.len()).any(|d| tiles(&tile, d) >= cpu.cores);
    let is_wide = (0..size.len()).all(|d| tile[d] >= overlaps[d].min(size[d]));
    Ok((usize::from(!is_shared) + usize::from(!is_wide), cost(group, &sliding, &tile, size), tile))
}

/// Whether the caches hold the windows.
fn fits(group: &Group, cpu: &Cpu, sliding: &Sliding, bundles: &[Bundle]) -> Result<(), CpuRejection> {
    let (mut of_tick, mut of_tile) = (0i64, 0i64);
    for stage in kept(group, bundles) {
        let bytes = sliding.bytes_of_window(group, stage);
        match level(group, sliding, bundles, stage) {
            Level::Window => of_tile = of_tile.saturating_add(bytes),
            Level::Register | Level::Rows | Level::Tile => of_tick = of_tick.saturating_add(bytes),
        }
    }
    match (of_tick, of_tile) {
        (bytes, _) if bytes > cpu.l2 => Err(CpuRejection::Windows { bytes, most: cpu.l2 }),
        (_, bytes) if bytes > cpu.l3 / cpu.cores => Err(CpuRejection::Windows { bytes, most: cpu.l3 / cpu.cores }),
        _ => Ok(()),
    }
}

/// The most that tiles compute twice along each dimension of the grid, in points of the live-out.
fn overlaps(group: &Group, sliding: &Sliding) -> Vec<i64> {
    let mut most = vec![0; group.grid_rank()];
    for part in sliding.parts.iter().flatten() {
        for (range, stride) in part.region.iter().zip(&part.strides).filter(|(_, stride)| stride.step > 0) {
            let twice = (range.len() - stride.step).max(0).saturating_mul(sliding.tick[stride.axis]);
            most[stride.axis] = most[stride.axis].max((twice + stride.step - 1) / stride.step);
        }
    }
    most
}

/// The planes of tiles: any number along the dimension next to that of rows, one or all of those before it.
fn planes(size: &[i64]) -> Vec<Vec<i64>> {
    let planes = &size[..size.len().saturating_sub(2)];
    let mut all = vec![Vec::new()];
    for (d, extent) in planes.iter().enumerate() {
        let mut few = extents(*extent, 1);
        if d + 1 < planes.len() {
            few.retain(|planes| [1, *extent].contains(planes));
        }
        all = all
            .into_iter()
            .flat_map(|front: Vec<i64>| few.iter().map(move |own| [&front[..], &[*own]].concat()).collect::<Vec<_>>())
            .collect();
    }
    all
}

/// The least extents of tiles, whole units, that make different numbers of tiles of a dimension: the greatest first.
fn extents(dimension: i64, unit: i64) -> Vec<i64> {
    let dimension = dimension.max(1);
    let mut all = vec![round_up(dimension, unit)];
    while let Some(last) = all.last().copied().filter(|last| *last > unit) {
        let tiles = (dimension + last - unit - 1) / (last - unit);
        all.push(round_up((dimension + tiles - 1) / tiles, unit));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, Extent, constant, dim},
        program::{Access, whole},
    };

    /// A stage of `size` points that reads a source at these offsets, or at the transposed ones.
    fn stage(name: &str, size: i64, source: Source, offsets: [[i64; 2]; 3], swap: bool, is_live_out: bool) -> Stage {
        let extents = [Extent::Known(size); 2];
        let needed = extents.map(whole);
        let access = |[y, x]: [i64; 2]| {
            let (y, x) = (dim(0) + constant(y), dim(1) + constant(x));
            let indices = if swap { vec![x, y] } else { vec![y, x] };
            Access::new(source, indices, Boundary::Clamp, None, extents.to_vec(), (&extents, &needed), Vec::new())
        };
        Stage::plain(name, &[size; 2], offsets.map(access).to_vec(), is_live_out)
    }

    const ACROSS: [[i64; 2]; 3] = [[0, -1], [0, 0], [0, 1]];
    const DOWN: [[i64; 2]; 3] = [[-1, 0], [0, 0], [1, 0]];

    /// Figure 1.
    fn blur(size: i64, swap: bool) -> Group {
        let blurx = stage("blurx", size, Source::Image(0), ACROSS, swap, false);
        Group::new(vec![blurx, stage("blury", size, Source::Stage(0, 0), DOWN, false, true)], vec![4])
    }

    fn cpu() -> Cpu {
        Cpu::named("zen4").expect("a built-in CPU")
    }

    /// Figure 3: 8 x 8 points in tiles of 4 x 4.
    #[test]
    fn the_blur_of_the_paper() {
        let of = |size: i64, tile: [i64; 2], swap: bool| reuse_cost(&blur(size, swap), &tile).expect("a group");
        // Equation 3: 4 (4 + 2) 2 2 points; of the 8 x 10 of equation 4 our image has 8 x 8. Equation 6: (4 + 2) 2 2 rows.
        assert_eq!(of(8, [4, 4], false), ReuseCost { loads: 24.0, recomputed: 96.0 - 64.0 });
        // Equation 13: 3 (4 + 2) 8 8 / 4.
        assert_eq!(of(8, [4, 4], true).loads, 288.0);
        // Figure 1: 34 rows of 256 in each of 32 x 4 tiles.
        let expected = ReuseCost { loads: 34.0 * 128.0, recomputed: 34.0 * 256.0 * 128.0 - 1024.0 * 1024.0 };
        assert_eq!(of(1024, [32, 256], false), expected);
        assert_eq!(expected.total(), 40.0 * 4352.0 + 65536.0);
    }

    #[test]
    fn levels_are_those_of_algorithm_1() {
        let levels = |offsets: [[i64; 2]; 3]| {
            let a = stage("a", 64, Source::Image(0), ACROSS, false, false);
            let group = Group::new(vec![a, stage("b", 64, Source::Stage(0, 0), offsets, false, true)], vec![4]);
            let sliding = sliding(&group, &[32, 64]).expect("a group");
            let bundles = bundles(&group, &sliding.parts);
            level(&group, &sliding, &bundles, 0)
        };
        assert_eq!(levels([[0, 0]; 3]), Level::Register);
        assert_eq!(levels(ACROSS), Level::Rows);
        assert_eq!(levels(DOWN), Level::Window);
    }

    #[test]
    fn as_tall_as_threads_allow_and_as_wide_as_caches() {
        let group = blur(1024, false);
        let chosen = |cpu: &Cpu| choose_sioutas(&group, cpu).map(|(tile, _)| tile);
        // One strip for each thread, and rows are begun once.
        assert_eq!(chosen(&cpu()), Ok(vec![512, 1024]));
        assert_eq!(chosen(&Cpu { cores: 1, ..cpu() }), Ok(vec![1024, 1024]));
        // A last cache for 8 rows of 512 columns, and a line, for each of two cores: tiles lie side by side, each as tall as the image.
        assert_eq!(chosen(&Cpu { l3: 2 * 8 * 4 * 528, ..cpu() }), Ok(vec![1024, 512]));
        let none = chosen(&Cpu { l3: 64, ..cpu() });
        assert!(matches!(none, Err(CpuRejection::Windows { most: 32, .. })), "{none:?}");
    }

    #[test]
    fn no_tile_is_left_out_that_differs() {
        assert_eq!(extents(100, 16), [112, 64, 48, 32, 16]);
        assert_eq!(extents(3, 1), [3, 2, 1]);
        assert_eq!(extents(0, 16), [16]);
        assert_eq!(planes(&[2, 3, 64, 64]), [[2, 3], [2, 2], [2, 1], [1, 3], [1, 2], [1, 1]]);
        assert_eq!(planes(&[64]), [[0; 0]]);
    }
}
