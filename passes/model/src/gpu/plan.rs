//! From a group and a schedule to the kernel's shape: boxes that fit the machine, who computes them, and where they lie.
//!
//! ```text
//! schedule {tile = 8x128, block = 4x32}              boxes 10x130, 8x128; 4 warps of 1x32 lanes; 20,480 bytes shared
//! schedule {layout = "blocked", tile = 8x128}        strips: boxes of 128 columns, of which 124 are right; registers only
//! schedule {..., stream = "y"}                       the same, and of each box only the rows in use
//! schedule {tile = 8x128, inputs = "shared"}         boxes 10x130, 8x128, and 10x132 of the image that the first reads
//! ```
//!
//! The passes lower what is decided here, and the cost of a schedule is that of the same decisions: what would not fit is made
//! smaller, warps before rows before columns, and only then refused.
//!
//! **Warps.** A thread block of B threads holds ceil(B / W) warps along each dimension, a warp W lanes (section 4 of the
//! PolyMage-GPU paper: W_x = min(B_x, 32), W_y = min(B_y, 32 / W_x), ...). `tile` is what one warp computes of a live-out: the
//! paper's T x W.
//!
//! **Strips.** Tiles made for registers: every box has the same columns, as many as the warp's lanes hold, of which only those that
//! are right in the end are written; and inputs are tiles too, read from memory once.

use super::{
    input::{Input, goes_on, is_unit, shared_inputs},
    schedule::{Schedule, Scope},
    target::{MAX_SHARED, MAX_THREADS, MAX_WARPS},
};
use crate::{
    affine::{Part, Range, TileStride, hull, reach},
    program::{Access, Group, Source},
    tiles::{Boxes, Cut, Lifetime, aligned_tile, place_buffers},
};

/// Registers of a lane that may hold tiles. By `ptxas` an unrolled kernel has about three times as many: values on their way from
/// memory and to it, and those of the bodies. A lane has 255 at most, and at 168 three blocks of four warps still fit an SM.
const MAX_TILE_REGISTERS: i64 = 48;

/// Rows of a tile that are written out in a kernel's code, one after another: more are a compile time without end.
const MAX_STRIP_ROWS: i64 = 256;

/// Rows that a stream walks down: it goes on behind the end of an image, and must end.
const MAX_STREAM_ROWS: i64 = 1 << 14;

/// How a block's threads are put to a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadMapping {
    /// Warps of a block along each dimension; 1 each where a tile belongs to the block.
    pub warps: Vec<i64>,
    /// Lanes (or threads) of a tile along each dimension.
    pub lanes: Vec<i64>,
}

impl ThreadMapping {
    /// That of a schedule's block, for a grid of this rank.
    ///
    /// # Errors
    ///
    /// More threads, or warps, than a block has; threads along dimensions that the grid has no room for.
    pub fn new(block: Option<&[i64]>, rank: usize, scope: Scope) -> Result<Self, String> {
        let block = block.map_or_else(
            || match rank {
                1 => vec![128],
                _ => [vec![1; rank - 2], vec![4, 32]].concat(),
            },
            <[i64]>::to_vec,
        );
        let threads = block.iter().fold(1i64, |threads, n| threads.saturating_mul(*n));
        if threads > MAX_THREADS {
            return Err(format!("schedule key 'block' asks for {threads} threads, expected at most {MAX_THREADS}"));
        }
        if rank == 4 && block[0] * block[1] != 1 {
            return Err("schedule key 'block' has several threads along n or c of four dimensions, expected 1".into());
        }
        if scope != Scope::Warp {
            return Ok(Self { warps: vec![1; rank], lanes: block });
        }
        // Extra lanes pad what is no power of two, and what does not fill a warp, as the paper has it.
        let mut left = 32;
        let mut lanes = vec![1; rank];
        for d in (rank.saturating_sub(2)..rank).rev() {
            lanes[d] = (block[d] as u64).next_power_of_two().min(left) as i64;
            left /= lanes[d] as u64;
        }
        lanes[rank.saturating_sub(2)] *= left as i64;
        let warps: Vec<i64> = block.iter().zip(&lanes).map(|(threads, lanes)| (threads + lanes - 1) / lanes).collect();
        let all: i64 = warps.iter().product();
        if all > MAX_WARPS {
            return Err(format!(
                "schedule key 'block' asks for {all} warps, padding included, expected at most {MAX_WARPS}"
            ));
        }
        Ok(Self { warps, lanes })
    }

    /// The threads of a block, as x, y and z. Lanes run along x: which lane is where is for the kernel to say.
    pub fn threads(&self, scope: Scope) -> [i64; 3] {
        let product = |numbers: &[i64]| numbers.iter().product::<i64>();
        match scope {
            Scope::Warp => [32 * product(&self.warps), 1, 1],
            Scope::Block | Scope::Thread => [product(&self.lanes), 1, 1],
        }
    }

    /// The dimension along which neighbouring lanes lie: the last that has several.
    pub fn lane_axis(&self) -> usize {
        lane_axis(&self.lanes)
    }

    /// The threads of a tile.
    pub fn all_lanes(&self) -> i64 {
        self.lanes.iter().product()
    }

    /// The warps of a block.
    pub fn all_warps(&self) -> i64 {
        self.warps.iter().product()
    }
}

/// The last dimension that has several threads, or the last.
pub fn lane_axis(threads: &[i64]) -> usize {
    threads.iter().rposition(|threads| *threads > 1).unwrap_or(threads.len().saturating_sub(1))
}

/// Tiles that are made for registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// Columns of a lane.
    pub columns: i64,
    /// Columns left of what is written.
    pub left: i64,
}

impl Strip {
    /// The columns of every box.
    pub fn range(self) -> Range<i64> {
        Range::new(-self.left, 32 * self.columns - self.left - 1)
    }
}

/// Why a group has no kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The schedule asks for a block that cannot be.
    Schedule(String),
    /// There are no boxes for it.
    Cut(Cut),
    /// Its tiles need more shared memory than there is, however small they are.
    Shared {
        /// The bytes of the smallest tile.
        bytes: i64,
        /// The bytes that there are.
        most: i64,
    },
}

/// The shape of a kernel.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The points of a live-out that a tile covers.
    pub tile: Vec<i64>,
    /// The box of each stage; `None` for a stage that nobody needs.
    pub parts: Vec<Option<Part>>,
    /// Who computes it.
    pub mapping: ThreadMapping,
    /// Whether the tiles are made for registers.
    pub strip: Option<Strip>,
    /// The inputs that are tiles.
    pub inputs: Vec<Input>,
    /// The columns of hybrid tiles that go to registers.
    pub hybrid: Hybrid,
    /// Registers of a lane that hold tiles.
    pub registers: i64,
    /// Bytes of shared memory of a block, as far as tiles inside all images need it.
    pub shared: i64,
}

impl Plan {
    /// Whether tiles inside all images lie in registers of lanes in rows and columns, if their stages read each other at fixed distances;
    /// shared memory is then for tiles at an edge. The model counts such a kernel as one of shared tiles.
    pub fn has_lane_grid(&self, schedule: &Schedule) -> bool {
        let is_grid = self.mapping.lanes.len() > 1 && self.mapping.lanes.last() != Some(&32);
        schedule.scope == Scope::Warp && self.strip.is_none() && is_grid && schedule.fraction == Some(1.0)
    }
}

/// The columns of hybrid tiles that go to registers, the last ones of each box: as many more of a stage as its tiles move further.
///
/// ```text
/// "d"[x] reads "s"[2 x], [2 x + 1]      tile of "d": 64 columns, 32 in registers      box of "s": 128 columns, 64 in registers
/// ```
///
/// What a column in registers reads lies in registers then, or left of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hybrid {
    /// Those of the stage that moves by the fewest columns from tile to tile; 0 where all tiles are shared.
    pub columns: i64,
    /// By how many that stage moves.
    pub step: i64,
}

impl Hybrid {
    /// Those that a fraction puts in registers: whole warps of them. Of each box by how many columns it moves, and how many it has.
    pub fn new(fraction: f64, boxes: &[(i64, i64)]) -> Self {
        let Some(step) = boxes.iter().map(|(step, _)| *step).min().filter(|step| *step > 0) else {
            return Self::default();
        };
        // Of a stage that is read at every second point alone, the box has one column less than two for each of its reader.
        let fit = |(own, columns): &(i64, i64)| columns * step / own / 32;
        let wanted = (fraction * step as f64 / 32.0).round() as i64;
        let most = boxes.iter().map(fit).min().unwrap_or(0).min(step / 32);
        Self { columns: 32 * wanted.min(most), step }
    }

    /// How many times as far as the slowest a stage moves.
    pub fn scale(&self, step: i64) -> i64 {
        if self.step > 0 { step / self.step } else { 1 }
    }

    /// Whether stages of several resolutions, as these boxes have, are in registers.
    pub fn is_sampled(&self, parts: &[Option<Part>]) -> bool {
        self.columns > 0 && parts.iter().flatten().any(|part| self.of(part) != self.columns)
    }

    /// The columns in registers of a stage's box.
    pub fn of(&self, part: &Part) -> i64 {
        self.columns * self.scale(part.strides.last().map_or(self.step, |stride| stride.step))
    }
}

/// The plan of a group.
///
/// # Errors
///
/// Why there is none.
pub fn plan(group: &Group, schedule: &Schedule) -> Result<Plan, Refusal> {
    plan_in(&mut Boxes::new(group), schedule)
}

/// The same of a group about which much is asked.
pub(super) fn plan_in(boxes: &mut Boxes, schedule: &Schedule) -> Result<Plan, Refusal> {
    let group = boxes.group;
    let rank = group.grid_rank();
    let mapping = ThreadMapping::new(schedule.block.as_deref(), rank, schedule.scope).map_err(Refusal::Schedule)?;
    let mut wanted = schedule.tile.clone();
    if let Some((tile, stream)) = wanted.as_mut().zip(schedule.stream) {
        tile[stream] = tile[stream].min(MAX_STREAM_ROWS);
    }
    let tile = aligned_tile(group, wanted.as_deref());
    let made = schedule.is_strip().then(|| fitting_strip(boxes, schedule, &tile)).flatten();
    if let Some(made) = made {
        // Registers are spread along columns: all lanes there.
        let warps = mapping.all_warps();
        let mut mapping = ThreadMapping { warps: vec![1; rank], lanes: vec![1; rank] };
        mapping.lanes[rank - 1] = 32;
        mapping.warps[rank.saturating_sub(2)] = warps;
        return Ok(Plan { mapping, ..made });
    }
    if schedule.scope == Scope::Thread {
        // The points of a block, which are near each other: what one of them loads is in L1 for the others.
        let mut tile = mapping.lanes.clone();
        if let Some(of_thread) = schedule.thread_tile() {
            tile.iter_mut().zip(of_thread).for_each(|(all, points)| *all = all.saturating_mul(*points));
        }
        let tile = aligned_tile(group, Some(&tile));
        let parts = boxes.of(&tile).map_err(Refusal::Cut)?.to_vec();
        let (inputs, strip) = (Vec::new(), None);
        return Ok(Plan { tile, parts, mapping, strip, inputs, hybrid: Hybrid::default(), registers: 0, shared: 0 });
    }
    // Where there is no room for inputs they are read from memory.
    let with_inputs = schedule.shares_inputs.then(|| fit(boxes, schedule, tile.clone(), mapping.clone(), true).ok());
    with_inputs.flatten().map_or_else(|| fit(boxes, schedule, tile, mapping, false), Ok)
}

/// Whether the last dimensions of a stage, so many, are those of the grid.
fn goes_along(strides: &[TileStride], tile: &[i64], dims: usize) -> bool {
    (1..=dims).all(|back| {
        let axis = tile.len().checked_sub(back);
        let own = strides.len().checked_sub(back).map(|d| strides[d]);
        axis.is_some_and(|axis| own == Some(TileStride { axis, step: tile[axis] }))
    })
}

/// The columns that a fraction puts in registers: none unless all stages go along columns together, each a multiple of the slowest, and
/// lanes can shuffle what they read.
fn hybrid(group: &Group, parts: &[Option<Part>], axes: usize, fraction: f64) -> Hybrid {
    let is_shuffled = |access: &Access, reader: usize| {
        let (x, last) = (reader - 1, access.indices.len().checked_sub(1));
        access.is_plain()
            && last.is_some_and(|last| {
                access.is_shuffled(last, x) && (0..last).all(|dimension| !access.uses(dimension, x))
            })
    };
    let mut boxes = Vec::new();
    for (stage, part) in group.stages.iter().zip(parts) {
        let Some(part) = part else { continue };
        let mut reads = stage.accesses.iter().filter(|access| access.producer().is_some());
        match part.strides.last() {
            Some(stride) if stride.axis + 1 == axes && stride.step > 0 => boxes.push((stride.step, part.columns())),
            _ => return Hybrid::default(),
        }
        if !reads.all(|access| is_shuffled(access, part.strides.len())) {
            return Hybrid::default();
        }
    }
    let all = Hybrid::new(fraction, &boxes);
    if boxes.iter().all(|(step, _)| step % all.step == 0) { all } else { Hybrid::default() }
}

/// Makes tiles for registers: the same columns for every box, inputs as tiles. `None` where a stage does not go along its
/// columns as the live-outs do.
fn strip(boxes: &mut Boxes, schedule: &Schedule, tile: &[i64], columns: i64) -> Option<Plan> {
    let group = boxes.group;
    let rank = tile.len();
    let width = 32 * columns;
    if schedule.stream.is_some_and(|stream| rank < 2 || stream != rank - 2) {
        return None;
    }
    let mut wide = tile.to_vec();
    wide[rank - 1] = width;
    let all_boxes = boxes.of(&wide).ok()?;
    // The column of a stage is that of the grid, and its row too where rows are walked down.
    let dims = if schedule.stream.is_some() { 2 } else { 1 };
    let goes_along = |strides: &[TileStride]| goes_along(strides, &wide, dims);
    let is_unit = |access: &Access, reader: usize| is_unit(access, reader, dims);
    let mut all: Range<i64> = Range::new(0, width - 1);
    let mut inputs: Vec<Input> = Vec::new();
    for (number, (stage, part)) in group.stages.iter().zip(&*all_boxes).enumerate() {
        let Some(part) = part else { continue };
        if !goes_along(&part.strides) {
            return None;
        }
        all = hull(all, *part.region.last()?);
        for (at, access) in stage.accesses.iter().enumerate() {
            let unit = is_unit(access, part.strides.len());
            let image = match access.source {
                Source::Stage(..) if unit => continue,
                Source::Stage(..) => return None,
                Source::Image(image) => image,
            };
            let read: Option<Vec<_>> = (0..access.indices.len()).map(|d| access.reads(d, part)).collect();
            let is_given = !access.padding.is_some_and(|padding| padding.is_computed);
            let is_tile = unit && is_given && goes_on(access, &stage.extents, part);
            let Some(read) = read.filter(|_| is_tile) else { continue };
            let (strides, region): (Vec<TileStride>, Vec<Range<i64>>) = read.into_iter().unzip();
            if !goes_along(&strides) {
                continue;
            }
            all = hull(all, *region.last()?);
            match inputs.iter_mut().find_map(|input| input.join(access, (number, at)).then_some(input)) {
                Some(input) if input.part.strides.iter().zip(&strides).all(|(a, b)| a.agrees(*b)) => {
                    input.part.region.iter_mut().zip(&region).for_each(|(all, read)| *all = hull(*all, *read));
                }
                // An input that moves in two ways with the tile: too rare for two tiles of it.
                Some(_) => return None,
                None => {
                    let part = Part { periodic: vec![false; strides.len()], strides, region };
                    inputs.push(Input::new(image, access, (number, at), part, true));
                }
            }
        }
    }
    let up = |n: i64| (n + columns - 1) / columns * columns;
    let left = up(-all.lo);
    let right = all.hi - (width - 1);
    let written = ((width - left - right) / columns * columns)
        .min(up(schedule.tile.as_ref().map_or(width, |tile| tile[rank - 1])));
    if written <= 0 {
        return None;
    }
    let strip = Strip { columns, left };
    wide[rank - 1] = written;
    let mut parts = boxes.of(&wide).ok()?.to_vec();
    let part_of_inputs = inputs.iter_mut().map(|input| &mut input.part);
    for part in parts.iter_mut().flatten().chain(part_of_inputs) {
        *part.region.last_mut()? = strip.range();
        part.strides.last_mut()?.step = written;
    }
    let registers = registers(group, &parts, &inputs, |_| columns);
    let mapping = ThreadMapping { warps: Vec::new(), lanes: Vec::new() };
    let hybrid = Hybrid::default();
    Some(Plan { tile: wide, parts, mapping, strip: Some(strip), inputs, hybrid, registers, shared: 0 })
}

/// Strips whose registers a lane has: fewer columns first, then fewer rows.
fn fitting_strip(boxes: &mut Boxes, schedule: &Schedule, tile: &[i64]) -> Option<Plan> {
    let mut tile = tile.to_vec();
    let mut columns = schedule.vector.unwrap_or(4);
    loop {
        let made = strip(boxes, schedule, &tile, columns)?;
        let is_short = rows_written_out(&made, schedule) <= MAX_STRIP_ROWS;
        if is_short && made.registers <= MAX_TILE_REGISTERS {
            return Some(made);
        }
        if is_short && columns > 1 {
            columns /= 2;
            continue;
        }
        let y = tile.len().checked_sub(2).filter(|_| schedule.stream.is_none())?;
        // Of what is too long the longest.
        let d = if is_short { y } else { (0..=y).max_by_key(|d| tile[*d])? };
        if tile[d] == 1 {
            return None;
        }
        tile[d] /= 2;
        if aligned_tile(boxes.group, Some(&tile))[d] > tile[d] {
            return None;
        }
    }
}

/// Rows of the largest tile of a strip for which there is code: all, or those of a step of its stream.
fn rows_written_out(plan: &Plan, schedule: &Schedule) -> i64 {
    let parts = plan.parts.iter().flatten().chain(plan.inputs.iter().map(|input| &input.part));
    let rows = |part: &Part| {
        let outer = part.region.iter().rev().skip(1);
        let outer = outer.enumerate().filter(|(back, _)| *back > 0 || schedule.stream.is_none());
        outer.map(|(_, range)| range.len()).fold(1, i64::saturating_mul)
    };
    parts.map(rows).max().unwrap_or(1)
}

/// The registers of a lane that hold rows of tiles: of each tile as many rows as are between the newest, which is computed as
/// late as its readers allow, and the oldest that one of them still reads.
fn registers(group: &Group, parts: &[Option<Part>], inputs: &[Input], columns: impl Fn(&Part) -> i64) -> i64 {
    let window = |source: Source, input: Option<&Input>, part: &Part| {
        let rows: i64 = part.region[..part.region.len() - 1].iter().map(|range| range.len()).product();
        let Some(y) = part.region.len().checked_sub(2) else { return rows };
        let mut oldest = part.region[y].hi;
        for (number, access) in group.readers(source) {
            let Some(reader) = &parts[number] else { continue };
            if !input.is_none_or(|input| input.is_read_by(access, &group.stages[number].extents, reader)) {
                continue;
            }
            // A reader's last row is as far ahead of what is written as its box reaches below the tile.
            let own = reader.region.len().checked_sub(2);
            let Some((own, offset)) = own.and_then(|own| Some((own, access.offset_along(y, own)?))) else {
                return rows;
            };
            let (below, above) = access.leaves[y].unwrap_or((0, 0));
            let back = reach(access.mode(y), below, above).0;
            oldest = oldest.min(reader.region[own].hi + offset - back);
        }
        let alive = (part.region[y].hi - oldest + 1).min(part.region[y].len());
        rows / part.region[y].len() * alive
    };
    let words = |bytes: i64| (bytes + 3) / 4;
    let mut all = 0;
    for (number, (stage, part)) in group.stages.iter().zip(parts).enumerate() {
        let Some(part) = part.as_ref().filter(|_| stage.inlined_into.is_none()) else { continue };
        if group.is_read(number) {
            let width: i64 = stage.bytes.iter().map(|bytes| words(*bytes)).sum();
            all += window(Source::Stage(number, 0), None, part) * columns(part) * width;
        }
    }
    for input in inputs {
        all += window(Source::Image(input.image), Some(input), &input.part)
            * columns(&input.part)
            * words(group.images[input.image]);
    }
    all
}

/// Shared memory for the tiles of a warp (or block), those of inputs first, but for the columns that go to registers.
pub(super) fn shared_bytes(group: &Group, parts: &[Option<Part>], inputs: &[Input], hybrid: Hybrid) -> i64 {
    let mut lives = Vec::new();
    for (start, input) in inputs.iter().enumerate() {
        let reads = |(number, access): &(usize, &Access)| {
            parts[*number].as_ref().is_some_and(|part| input.is_read_by(access, &group.stages[*number].extents, part))
        };
        let readers = group.readers(Source::Image(input.image)).filter(reads);
        let Some(end) = readers.map(|(reader, _)| group.computed_in(reader)).max() else { continue };
        let bytes = input.part.volume() * group.images[input.image];
        lives.push(Lifetime { start, end: inputs.len() + end, bytes });
    }
    for (number, (stage, part)) in group.stages.iter().zip(parts).enumerate() {
        let Some(part) = part.as_ref().filter(|_| stage.inlined_into.is_none()) else { continue };
        let readers = group.readers(Source::Stage(number, 0)).map(|(reader, _)| reader);
        // A stage that is computed in its consumer reads when that does.
        let Some(end) = readers.map(|reader| group.computed_in(reader)).max() else { continue };
        // The registers' part of all stages comes after the shared part of all.
        let end = inputs.len() + if hybrid.columns > 0 { group.stages.len() } else { end };
        let (rows, columns) = (part.rows(), part.columns());
        for bytes in &stage.bytes {
            lives.push(Lifetime {
                start: inputs.len() + number,
                end,
                bytes: rows * (columns - hybrid.of(part)).max(0) * bytes,
            });
        }
    }
    place_buffers(&lives, 16).1
}

/// Makes tiles fit into shared memory, with those of inputs or without: fewer warps in a block first, then smaller tiles.
fn fit(
    boxes: &mut Boxes,
    schedule: &Schedule,
    mut tile: Vec<i64>,
    mut mapping: ThreadMapping,
    has_inputs: bool,
) -> Result<Plan, Refusal> {
    let group = boxes.group;
    let mut parts = boxes.of(&tile).map_err(Refusal::Cut)?;
    let last = tile.len() - 1;
    // Dimensions that cannot be smaller: at some scales only certain tiles are on the grid.
    let mut is_least: Vec<bool> = tile.iter().map(|extent| *extent == 1).collect();
    // Registers are spread along columns: a warp that has lanes elsewhere keeps its tiles shared.
    let has_registers = schedule.scope == Scope::Warp && mapping.lanes[last] == 32;
    loop {
        let hybrid = match schedule.fraction.filter(|_| has_registers) {
            Some(fraction) => self::hybrid(group, &parts, tile.len(), fraction),
            None => Hybrid::default(),
        };
        let inputs = if has_inputs && hybrid.columns == 0 { shared_inputs(group, &parts) } else { Vec::new() };
        let in_lane = |part: &Part| hybrid.of(part) / 32;
        let registers = if hybrid.columns > 0 { self::registers(group, &parts, &[], in_lane) } else { 0 };
        let bytes = shared_bytes(group, &parts, &inputs, hybrid);
        // A lane holds a window of rows, however many there are: fewer columns make it smaller.
        let wants_registers = tile[last] > 32 && registers > MAX_TILE_REGISTERS;
        let d = if wants_registers && !is_least[last] {
            last
        } else {
            while bytes * mapping.all_warps() > MAX_SHARED && mapping.all_warps() > 1 {
                let most = (0..mapping.warps.len()).max_by_key(|d| mapping.warps[*d]).unwrap_or(0);
                mapping.warps[most] = (mapping.warps[most] + 1) / 2;
            }
            let shared = bytes * mapping.all_warps();
            if shared <= MAX_SHARED {
                let parts = parts.to_vec();
                return Ok(Plan { tile, parts, mapping, strip: None, inputs, hybrid, registers, shared });
            }
            // Rows go before columns, which neighbouring lanes share sectors of.
            let rows = (0..last).filter(|d| !is_least[*d]).max_by_key(|d| tile[*d]);
            rows.or((!is_least[last]).then_some(last)).ok_or(Refusal::Shared { bytes, most: MAX_SHARED })?
        };
        let mut halved = tile.clone();
        halved[d] /= 2;
        let smaller = aligned_tile(group, Some(&halved));
        match boxes.of(&smaller) {
            Ok(of_smaller) if smaller[d] < tile[d] => {
                is_least[d] = smaller[d] == 1;
                tile = smaller;
                parts = of_smaller;
            }
            _ => is_least[d] = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Boundary, Extent, Interval, dim},
        program::Stage,
    };

    /// A stage of one dimension that reads at these offsets.
    fn stage(name: &str, reads: &[(Source, i64)], is_live_out: bool) -> Stage {
        let extents = vec![Extent::Known(4096)];
        let needed: Vec<Interval> = vec![Range::new(Some(0), Some(4095))];
        let access = |(source, offset): &(Source, i64)| {
            Access::new(
                *source,
                vec![dim(0) + *offset],
                Boundary::Clamp,
                None,
                extents.clone(),
                (&extents, &needed),
                Vec::new(),
            )
        };
        Stage::plain(name, &[4096], reads.iter().map(access).collect(), is_live_out)
    }

    /// "b" is computed in "c", so "a" is read as late as "c" is computed, when a tile of "c" is there, too.
    #[test]
    fn a_tile_lives_as_long_as_a_stage_that_reads_it_is_computed() {
        let (image, of) = (Source::Image(0), |stage| Source::Stage(stage, 0));
        let a = stage("a", &[(image, 0)], false);
        let b = stage("b", &[(of(0), -1), (of(0), 1)], false);
        let c = stage("c", &[(of(1), 0)], false);
        let d = stage("d", &[(of(2), -1), (of(2), 1)], true);
        let group = Group::new(vec![a, b, c, d], vec![4]);
        assert_eq!(group.stages[1].inlined_into, Some(2));
        let schedule = Schedule { tile: Some(vec![128]), block: Some(vec![32]), ..Schedule::default() };
        let plan = plan(&group, &schedule).expect("fits");
        // 132 points of "a" and 130 of "c", in units of 16 bytes.
        assert_eq!(plan.shared, 4 * 132 + 16 * 33);
    }

    /// "b" reads the image once at each point, so only "a" has a tile of it, which is there until "a" is computed; then "b" has its place.
    #[test]
    fn inputs_are_tiles_where_they_are_read_more_than_once() {
        let (image, of) = (Source::Image(0), |stage| Source::Stage(stage, 0));
        let a = stage("a", &[(image, -1), (image, 0), (image, 1)], false);
        let b = stage("b", &[(of(0), -1), (of(0), 1), (Source::Image(1), 0)], false);
        let c = stage("c", &[(of(1), -1), (of(1), 1)], true);
        let group = Group::new(vec![a, b, c], vec![4, 4]);
        let tile = Some(vec![128]);
        let schedule = Schedule { tile, block: Some(vec![32]), shares_inputs: true, ..Schedule::default() };
        let plan = plan(&group, &schedule).expect("fits");
        let inputs: Vec<_> = plan.inputs.iter().map(|input| (input.image, input.part.region.clone())).collect();
        assert_eq!(inputs, [(0, vec![Range::new(-3, 130)])]);
        // 134 points of the image and 132 of "a".
        assert_eq!(plan.shared, 16 * 34 + 4 * 132);
    }
}
