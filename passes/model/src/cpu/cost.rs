//! What a group costs on a CPU when it is computed in tiles that slide down row by row.
//!
//! ```text
//! group {blurx, blury}, 4800x6400 f32        windows: 8 rows of "blurx", 32 bytes a column      tile 152x6400
//!   cpu: 2 cores, 64-byte vectors,     ──▶   memory:  read 123 MB, write 123 MB, 50 bytes a ns
//!        1 MiB of L2                         compute: what points take, 16 of them at a time
//! ```
//!
//! After Sioutas et al., Schedule Synthesis for Halide Pipelines through Reuse Analysis (2019): where a stage is computed and where
//! it is stored are chosen apart (here: computed for the rows that a tick needs newly, stored for the tile), tiles are as large
//! as a level of the cache holds what is kept between two rows, and memory is loaded once, ahead of its use, so that loads and
//! arithmetic overlap. Unlike there, footprints are exact ([`boxes`](crate::tiles::boxes)), and the same that the code is made from.
//!
//! Times are in nanoseconds, on all cores. They are for comparing partitions of one program, not for promising anything.

use super::{
    bundle::Bundle,
    sliding::{Sliding, plane_of, stream_of},
    streams::{STREAMS, between, streams},
    target::{CACHE_LINE, Cpu},
};
use crate::{
    affine::{Boundary, Extent, Form, Part, Range, TileStride},
    program::{Access, Group, Source, Stage},
};

/// What a group costs, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuCost {
    /// Images read and written, and windows that the second cache does not hold.
    pub memory: f64,
    /// Points computed, those that tiles share several times.
    pub compute: f64,
    /// Rows begun, tiles begun, threads woken.
    pub overhead: f64,
    /// Bytes of images read.
    pub read: f64,
    /// Bytes of images written.
    pub written: f64,
    /// Tiles of the whole image.
    pub tiles: i64,
    /// Bytes of what a tile keeps between rows.
    pub windows: i64,
}

impl CpuCost {
    /// All of it: loads are issued ahead, so that memory and arithmetic overlap but for a part.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|(_, part)| part).sum()
    }

    /// What is added up for that.
    pub fn parts(&self) -> [(&'static str, f64); 3] {
        let hidden = |is_less: bool| if is_less { NOT_HIDDEN } else { 1.0 };
        let is_memory = self.memory < self.compute;
        [
            ("memory", self.memory * hidden(is_memory)),
            ("compute", self.compute * hidden(!is_memory)),
            ("overhead", self.overhead),
        ]
    }
}

/// The part of the lesser of memory and arithmetic that the greater does not hide.
const NOT_HIDDEN: f64 = 0.8;
/// Vector instructions of a cycle.
const PER_CYCLE: f64 = 1.5;
/// To begin a row of a stage: bounds, addresses, borders.
const ROW: f64 = 8.0;
/// To wake the threads for a group, and to wait for the last.
const WAKE: f64 = 4000.0;

/// Instructions to load or store a vector of a plane of pixels, for one of a plane by itself.
const SHUFFLED: f64 = 2.5;

/// How much slower memory is where it is not loaded ahead.
const NOT_AHEAD: f64 = 8.0;

/// What it costs, as a part of all, where windows leave less than half of the second cache to images: the model does not see what they evict, nor who else uses
/// the last cache.
const CROWDED: f64 = 0.09;

/// How all tiles of an image are walked down.
pub(super) struct Walk {
    /// Tiles along each dimension of the grid.
    pub tiles: Vec<f64>,
    /// Ticks of all tiles that lie below each other.
    ticks: f64,
    stream: Option<usize>,
}

impl Walk {
    /// Of tiles of this size, on an image of that.
    pub fn of(group: &Group, sliding: &Sliding, tile: &[i64], size: &[i64]) -> Self {
        let stream = stream_of(group);
        let tiles = size.iter().zip(tile).map(|(size, tile)| ((size + tile - 1) / tile).max(1) as f64).collect();
        let ticks = stream.map_or(1.0, |axis| (size[axis] as f64 / sliding.tick[axis] as f64).ceil());
        Self { tiles, ticks, stream }
    }

    /// All tiles.
    pub fn all(&self) -> f64 {
        self.tiles.iter().product()
    }

    /// The points of a box that moves so with the tick, of all ticks of all tiles, but for those that the tick before has; and how many rows
    /// they are.
    pub fn points(&self, strides: &[TileStride], region: &[Range<i64>]) -> (f64, f64) {
        let (mut points, mut rows, mut own_tiles) = (1.0, 1.0, self.all());
        for (d, (range, stride)) in region.iter().zip(strides).enumerate() {
            let along = if stride.step == 0 {
                range.len() as f64
            } else {
                let tiles = self.tiles[stride.axis];
                own_tiles /= tiles;
                match stride.step > 0 && Some(stride.axis) == self.stream {
                    true => self.ticks * stride.step as f64 + tiles * (range.len() - stride.step).max(0) as f64,
                    false => tiles * range.len() as f64,
                }
            };
            points *= along;
            rows *= if d + 1 == region.len() { along / range.len() as f64 } else { along };
        }
        (points * own_tiles, rows * own_tiles)
    }
}

/// What a group costs in tiles of this size, on an image of that.
pub fn cost(group: &Group, cpu: &Cpu, sliding: &Sliding, bundles: &[Bundle], tile: &[i64], size: &[i64]) -> CpuCost {
    let walk = Walk::of(group, sliding, tile, size);
    let (tiles, all) = (&walk.tiles, walk.all());
    // The last tiles keep some cores waiting.
    let rounds = (all / cpu.cores as f64).ceil() * cpu.cores as f64 / all;
    let windows = sliding.window_bytes(group, bundles);
    let mut cost = CpuCost { overhead: WAKE, tiles: all as i64, windows, ..CpuCost::default() };
    // What the second cache does not hold is read from the last one. That it is written there keeps nobody waiting.
    let is_spilled = windows > cpu.l2;
    for (number, (stage, part)) in group.stages.iter().zip(&sliding.parts).enumerate() {
        let Some(part) = part else { continue };
        let (points, rows) = walk.points(&part.strides, &part.region);
        let bundle = bundles.iter().find(|bundle| bundle.members.contains(&number)).expect("a stage with a part");
        let instructions = instructions(group, number, bundle, cpu);
        cost.compute += rounds * points * instructions / (PER_CYCLE * cpu.clock * cpu.cores as f64);
        if bundle.members[0] == number {
            cost.overhead += rows * ROW / cpu.cores as f64;
        }
        if is_spilled && bundle.is_kept(group, number) {
            cost.memory += points * stage.bytes.iter().sum::<i64>() as f64 / cpu.cache_bandwidth;
        }
        if stage.is_live_out {
            let bytes = volume_of(&stage.size) * stage.bytes.iter().sum::<i64>() as f64;
            // Where planes are stored apart, each line of pixels is read and written once a plane.
            let apart = if is_apart(group, number, bundle) { 2.0 * channels_of(stage) } else { 1.0 };
            cost.written += bytes * apart;
            cost.memory += moved(bytes * apart, cpu);
        }
    }
    for (image, bytes) in group.images.iter().enumerate() {
        let reads = group.stages.iter().enumerate();
        let reads = reads.flat_map(|(number, stage)| stage.accesses.iter().map(move |access| (number, access)));
        let here = reads.filter(|(_, access)| access.source == Source::Image(image));
        let read = here.map(|(number, access)| {
            let points = lines_read(group, number, access, bundles);
            (points, rereads(&sliding.parts[number], access, tiles))
        });
        let (points, times) =
            read.fold((0.0, 1.0), |(most, often): (f64, f64), (points, times)| (most.max(points), often.max(times)));
        let streams = group.stages.iter().map(|stage| streams(stage, image)).fold(0.0, f64::max);
        let ahead = if streams > STREAMS { NOT_AHEAD } else { 1.0 };
        cost.read += times * points * *bytes as f64;
        cost.memory += times * moved(points * *bytes as f64, cpu) * ahead;
    }
    cost.overhead += if windows > cpu.l2 / 2 { CROWDED * cost.total() } else { 0.0 };
    cost
}

/// How often tiles read the same of an image: those of each plane what is the same for all planes.
fn rereads(part: &Option<Part>, access: &Access, tiles: &[f64]) -> f64 {
    let Some(part) = part else { return 1.0 };
    let planes = 0..access.rank.saturating_sub(2);
    let is_same = |d: &usize| part.strides[*d].step != 0 && !access.depends_on(*d);
    planes.filter(is_same).map(|d| tiles[part.strides[d].axis]).product()
}

/// Bytes of images that a tick reads again, for planes of a stage that are not computed together. The greatest number there is where
/// they cannot be counted.
pub fn reread_bytes(group: &Group, sliding: &Sliding, bundles: &[Bundle]) -> i64 {
    let of_access = |bundle: &Bundle, number: usize, access: &Access| {
        let (Source::Image(image), Some(part)) = (access.source, &sliding.parts[number]) else { return None };
        let plane = plane_of(access.rank)?;
        if access.depends_on(plane) || part.region[plane].len() <= bundle.planes {
            return None;
        }
        let along = (0..access.indices.len()).map(|index| access.reads(index, part).map_or(1, |(_, read)| read.len()));
        Some((image, along.fold(group.images[image], i64::saturating_mul)))
    };
    let mut most = vec![0; group.images.len()];
    for bundle in bundles {
        for number in bundle.members.iter().copied() {
            for access in &group.stages[number].accesses {
                let Some((image, bytes)) = of_access(bundle, number, access) else { continue };
                most[image] = bytes.max(most[image]);
            }
        }
    }
    most.into_iter().fold(0, i64::saturating_add)
}

/// Bytes of the cache lines that a row of a tile reads down columns of images: each point has one of its own, of which the rows below go on
/// reading.
pub fn column_bytes(group: &Group, sliding: &Sliding) -> i64 {
    let mut most = vec![0; group.images.len()];
    for (stage, part) in group.stages.iter().zip(&sliding.parts) {
        let Some((columns, rows)) = part.as_ref().and_then(|part| part.region.split_last()) else { continue };
        let x = rows.len();
        for access in &stage.accesses {
            let (Source::Image(image), Some(last)) = (access.source, access.indices.len().checked_sub(1)) else {
                continue;
            };
            let is_of_row = access.is_computed(last) || access.uses(last, x);
            if !is_of_row && (0..last).any(|d| access.is_computed(d) || access.uses(d, x)) {
                most[image] = columns.len().saturating_mul(CACHE_LINE).max(most[image]);
            }
        }
    }
    most.into_iter().fold(0, i64::saturating_add)
}

/// Nanoseconds to move an image of so many bytes.
fn moved(bytes: f64, cpu: &Cpu) -> f64 {
    let speed = if bytes < cpu.non_temporal as f64 { cpu.cache_bandwidth } else { cpu.bandwidth };
    bytes / speed
}

fn volume_of(size: &[i64]) -> f64 {
    size.iter().map(|extent| *extent as f64).product()
}

/// Points of an image that a load of a stage reads, over the whole stage.
fn volume_read(stage: &Stage, access: &Access) -> f64 {
    let along = |index: usize| match access.extremes(index) {
        Some([Form { dim, mul, div, .. }, _]) if mul > 0 => {
            let of = stage.size.get(dim).copied().unwrap_or(1);
            (of * mul) as f64 / div as f64
        }
        Some(ends) => between(ends) as f64,
        None => match access.extents[index] {
            Extent::Known(extent) => extent as f64,
            Extent::Named(_) => stage.size.last().copied().unwrap_or(1) as f64,
        },
    };
    (0..access.indices.len()).map(along).product()
}

/// The same, with what lies on the same cache lines: of pixels all channels, for each plane again that is computed apart.
fn lines_read(group: &Group, number: usize, access: &Access, bundles: &[Bundle]) -> f64 {
    let volume = volume_read(&group.stages[number], access);
    let plane = access.indices.len().checked_sub(3).filter(|_| group.reads_pixels(access));
    let Some((plane, Extent::Known(channels))) = plane.map(|plane| (plane, access.extents[plane])) else {
        return volume;
    };
    let bundle = bundles.iter().find(|bundle| bundle.members.contains(&number));
    let together = bundle.map_or(1, |bundle| bundle.planes);
    match plane_of(access.rank).is_some_and(|own| access.uses(plane, own)) {
        true => volume * (channels / together) as f64,
        false => volume * channels as f64 / access.extremes(plane).map_or(1, between) as f64,
    }
}

/// Whether a stage is written to pixels plane by plane.
fn is_apart(group: &Group, stage: usize, bundle: &Bundle) -> bool {
    let channels = channels_of(&group.stages[stage]);
    group.interleaved().stages.contains(&stage) && bundle.planes as f64 != channels
}

/// Planes of a stage.
fn channels_of(stage: &Stage) -> f64 {
    plane_of(stage.size.len()).map_or(1.0, |plane| stage.size[plane] as f64)
}

/// Vector instructions of a point of a stage: its arithmetic, its loads, and its store.
fn instructions(group: &Group, number: usize, bundle: &Bundle, cpu: &Cpu) -> f64 {
    let stage = &group.stages[number];
    let widest = stage.bytes.iter().copied().max().unwrap_or(4).max(4);
    let lanes = (cpu.vector / widest).max(1) as f64;
    // What is read for all rows and planes that are computed together is read once.
    let uses = |access: &Access, d: Option<usize>| d.is_none_or(|d| access.depends_on(d));
    let shared = |access: &Access| {
        let rows = if uses(access, access.rank.checked_sub(2)) { 1 } else { bundle.rows };
        let planes = if uses(access, plane_of(access.rank)) { 1 } else { bundle.planes };
        (rows * planes) as f64
    };
    let load = |access: &Access| {
        let each = if access.is_gather() { lanes } else { 1.0 / shared(access) };
        let borders = if access.boundary == Boundary::None { 1.0 } else { 1.05 };
        let shuffles = if group.reads_pixels(access) && !group.keeps_pixels() { SHUFFLED } else { 1.0 };
        each * borders * shuffles * access.times()
    };
    let is_loaded = |access: &&Access| access.producer().is_none_or(|producer| !bundle.members.contains(&producer));
    let loads: f64 = stage.accesses.iter().filter(is_loaded).map(load).sum();
    let of_live_out = match group.interleaved().stages.contains(&number) {
        true if is_apart(group, number, bundle) => lanes,
        true if !group.keeps_pixels() => SHUFFLED,
        _ => 1.0,
    };
    let of_window = f64::from(u8::from(bundle.is_kept(group, number)));
    let images = of_window + if stage.is_live_out { of_live_out } else { 0.0 };
    let stores = stage.bytes.len() as f64 * images;
    (stage.work.instructions_of(bundle.planes) / bundle.planes as f64 + loads + stores) / lanes
}
