//! `--warp-tile`: a group becomes a kernel in which each warp computes one overlapped tile, on its own.
//!
//! ```text
//! pipeline.group "g0" schedule                gpu.func @f_g0(%img: memref<f32, 1>, %out: memref<f32, 1>, ...) kernel {
//!     {tile = array<i64: 8, 256>} {             %ty, %tx = warp.tile_id warps [4, 1] lanes [1, 32]
//!   %a = stage "blurx" ... %img        ──▶      scf.if <the tile and its halo lie inside> {
//!   %b = stage "blury" ... %a                     %a = warp.compute "blurx" ... in [-1, 9) x [0, 256) : <... #warp.shared>
//!   yield %b }                                    %b = warp.compute "blury" ... in [0, 8) x [0, 256) : <... #warp.lane>
//!                                                 warp.write %b in [0, 8) x [0, 256) to %out
//!                                               } else { <the same, with boundary modes> } }
//! ```
//!
//! A thread block of B threads holds ceil(B / W) warps along each dimension, a warp W lanes (section 4 of the PolyMage-GPU
//! paper: W_x = min(B_x, 32), W_y = min(B_y, 32 / W_x), ...). `tile` is what one warp computes of a live-out: the paper's
//! T x W. Warps share nothing, so no warp waits for another.
//!
//! **Two versions.** Most tiles lie inside all images with all they read; for them no index is brought inside and nothing
//! is checked. One comparison for the whole warp tells them from those at an edge.
//!
//! **Strips.** With `layout = "blocked"` or a `stream` in the schedule, tiles are made for registers: every box has the
//! same columns, as many as the warp's lanes hold, of which only those that are right in the end are written; and inputs
//! are tiles too, read from memory once. `--hybrid-register` then moves them there.

use crate::{
    access::{self, Emit, Number, same},
    body::{self, Known, Read, Space},
    builder::{Builder, Compare},
    fuse::{self, Strategy},
    kernel::{Kernel, Kernels, grid_of},
    lower_warp::{MAX_SHARED, bytes_of_element},
    lowering::{Lowering, Memory},
    map_to_gpu::results_of,
    program::{self, symbol},
    tiling::{self, Inside, Member, Members, Part},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, Block, BlockLike, OperationRef, Region, RegionLike, ShapedTypeLike, Type, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::RankedTensorType,
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{Boundary, Group, Schedule},
    warp::Layout,
};
use weft_model::{Arith, Expr, Follow, Lifetime, Range, dim, hull, offset_along, place_buffers, reach};

/// The pass.
pub struct WarpTile;

const KERNELS: Statistic = Statistic::new(c"kernels", c"Kernels made");
const SPLITS: Statistic = Statistic::new(c"groups-split", c"Splits of groups that cannot be tiled whole");
const INLINED: Statistic = Statistic::new(c"stages-inlined", c"Stages computed where they are read");

impl Pass for WarpTile {
    const ARGUMENT: &'static str = "warp-tile";
    const SUMMARY: &'static str = "Lower groups to kernels with one overlapped tile a warp";
    const DESCRIPTION: &'static str = "\
Makes a `gpu.module @NAME_kernels` beside each program with one kernel a group, and turns the program into host code on \
memory that launches the kernels in order. Of the schedule it takes `tile` (what a warp computes, else 8x128), `block` (else \
4x32 threads), `layout`, `vector` and `stream`. A group that has no overlapped tiles is split. Stages in no group get a group \
of their own; a stage that is read at one point only is computed there.";
    const STATISTICS: &'static [Statistic] = &[KERNELS, SPLITS, INLINED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let done = lower_groups(module, cx, Scope::Warp)?;
        cx.count(KERNELS, done.kernels);
        cx.count(SPLITS, done.splits);
        cx.count(INLINED, done.inlined);
        Ok(())
    }
}

/// Who computes a tile.
#[derive(Clone, Copy, PartialEq)]
pub enum Scope {
    /// One warp.
    Warp,
    /// All threads of a block, which then wait for each other.
    Block,
}

/// What was done, for statistics.
#[derive(Default)]
pub struct Done {
    /// Kernels made.
    pub kernels: usize,
    /// Groups split.
    pub splits: usize,
    /// Stages inlined.
    pub inlined: usize,
}

/// The dialects of kernels of tiles, and of the host code around them.
pub fn dialects(registry: RegistryRef) {
    registry.insert(&[
        DialectHandle::arith(),
        DialectHandle::cf(),
        DialectHandle::func(),
        DialectHandle::gpu(),
        DialectHandle::llvm(),
        DialectHandle::memref(),
        mlir_glue::tool::nvvm(),
        DialectHandle::scf(),
    ]);
    weft_dialects::register_dialects(registry);
}

/// Lowers every group of every program.
///
/// # Errors
///
/// What [`Lowering::begin`] refuses, and schedules that no thread block can have.
pub fn lower_groups<'c>(module: OperationRef<'c, '_>, cx: &PassContext<'c>, scope: Scope) -> Result<Done, Failure<'c>> {
    let mut done = Done::default();
    for func in program::programs(module) {
        fuse::group_stages(cx, func, Strategy::None, None)?;
        let block = program::entry(func)?;
        program::unify_dims(block);
        done.splits += tiling::make_tileable(cx, block, |members, schedule, mut tile, parts| {
            // A block that cannot be is refused when the kernel is made.
            let Ok(mut team) = Team::new(schedule.block.clone(), tile.len(), scope) else { return true };
            if is_strip(schedule, scope) && fitting_strip(members, schedule, &tile).is_some() {
                return true;
            }
            let parts = fit(members, schedule, scope, &mut tile, &mut team, parts);
            shared_bytes(members, &parts, registers_of(members, schedule, scope, &parts, &tile)) <= MAX_SHARED
        })?;
        let lowering = Lowering::begin(cx.context(), func, Memory::Device)?;
        let mut kernels = Kernels::before(func, module, &Builder::before(cx.context(), func));
        for group in program::live_groups(block) {
            let name = format!("{}_{}", symbol(func), group.name());
            done.inlined += Tiled::new(&lowering, &mut kernels, &name, group, scope)?.fill()?;
            done.kernels += 1;
        }
        lowering.finish(block);
    }
    Ok(done)
}

/// How a block's threads are put to a tile.
struct Team {
    /// Warps of a block along each dimension; 1 each where a tile belongs to the block.
    warps: Vec<i64>,
    /// Lanes (or threads) of a tile along each dimension.
    lanes: Vec<i64>,
}

impl Team {
    /// The team of a schedule's block, for a grid of this rank.
    fn new(block: Option<Vec<i64>>, rank: usize, scope: Scope) -> Result<Self, String> {
        let block = block.unwrap_or_else(|| match rank {
            1 => vec![128],
            _ => [vec![1; rank - 2], vec![4, 32]].concat(),
        });
        let threads = block.iter().fold(1i64, |threads, n| threads.saturating_mul(*n));
        if threads > 1024 {
            return Err(format!("schedule key 'block' asks for {threads} threads, expected at most 1024"));
        }
        if rank == 4 && block[0] * block[1] != 1 {
            return Err("schedule key 'block' has several threads along n or c of four dimensions, expected 1".into());
        }
        if scope == Scope::Block {
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
        if all > 32 {
            return Err(format!("schedule key 'block' asks for {all} warps, padding included, expected at most 32"));
        }
        Ok(Self { warps, lanes })
    }

    /// The threads of a block, as x, y and z. Lanes run along x: which lane is where is for the kernel to say.
    fn threads(&self, scope: Scope) -> [i64; 3] {
        let product = |numbers: &[i64]| numbers.iter().product::<i64>();
        match scope {
            Scope::Warp => [32 * product(&self.warps), 1, 1],
            Scope::Block => [product(&self.lanes), 1, 1],
        }
    }
}

/// Tiles that are made for registers.
#[derive(Clone, Copy)]
struct Strip {
    /// Columns of a lane.
    columns: i64,
    /// Columns left of what is written.
    left: i64,
}

impl Strip {
    /// The columns of every box.
    fn range(self) -> Range<i64> {
        Range::new(-self.left, 32 * self.columns - self.left - 1)
    }
}

/// An input that is a tile: read from memory once, at indices that a boundary mode has brought inside.
struct Input<'c, 'a> {
    source: Value<'c, 'a>,
    extents: Vec<Number<'c, 'a>>,
    modes: Vec<Boundary>,
    outside: Option<Value<'c, 'a>>,
    part: Part,
}

/// A kernel of tiles in the making.
struct Tiled<'k, 'c, 'a> {
    kernel: Kernel<'k, 'c, 'a>,
    group: Group<'c, 'a>,
    scope: Scope,
    members: Members<'c, 'a>,
    parts: Vec<Option<Part>>,
    tile: Vec<i64>,
    team: Team,
    strip: Option<Strip>,
    inputs: Vec<Input<'c, 'a>>,
    schedule: Schedule,
}

/// One of the two versions of a kernel's code, while it is made.
struct Version<'c, 'a> {
    /// Whether boxes may leave their images.
    at_edge: bool,
    /// The number of the tile along each dimension of the grid.
    at: Vec<Value<'c, 'a>>,
    /// The tiles of each result of each stage.
    tiles: HashMap<usize, Vec<Value<'c, 'a>>>,
    /// The tiles of inputs.
    inputs: Vec<Value<'c, 'a>>,
}

impl<'k, 'c: 'a, 'a> Tiled<'k, 'c, 'a> {
    fn new(
        lowering: &'k Lowering<'c, 'a>,
        kernels: &mut Kernels<'c, 'a>,
        name: &str,
        group: Group<'c, 'a>,
        scope: Scope,
    ) -> Result<Self, Failure<'c>> {
        let members = Members::of(group, |image| lowering.extents(image))?;
        let rank = tiling::grid_rank(&members);
        let schedule = tiling::schedule_of(group, rank);
        let fail = |message: String| Diagnostic::on(group.op(), message);
        let mut team = Team::new(schedule.block.clone(), rank, scope).map_err(fail)?;
        let mut tile = tiling::aligned_tile(&members, &schedule, rank);
        // Splitting has seen to it that there are boxes.
        let impossible = |cut: tiling::Cut| {
            Diagnostic::on(
                members.0[cut.producer].stage.op(),
                "cannot be tiled with its consumers, nor split from them",
            )
        };
        let mut parts = tiling::boxes(&members, &tile).map_err(impossible)?;
        let mut inputs = Vec::new();
        let made = is_strip(&schedule, scope).then(|| fitting_strip(&members, &schedule, &tile)).flatten();
        let strip = made.as_ref().map(|made| made.strip);
        if let Some(made) = made {
            (tile, parts, inputs) = (made.tile, made.parts, made.inputs);
        }
        if strip.is_none() {
            parts = fit(&members, &schedule, scope, &mut tile, &mut team, parts);
        } else {
            // Registers are spread along columns: all lanes there.
            let warps = team.warps.iter().product();
            team = Team { warps: vec![1; rank], lanes: vec![1; rank] };
            team.lanes[rank - 1] = 32;
            team.warps[rank.saturating_sub(2)] = warps;
        }
        let mut sources: Vec<Value> = Vec::new();
        for (member, _) in members.0.iter().zip(&parts).filter(|(_, part)| part.is_some()) {
            for access in member.accesses.iter().filter(|access| access.producer.is_none()) {
                if !sources.contains(&access.load.source()) {
                    sources.push(access.load.source());
                }
            }
        }
        let results: Vec<Value> = group.op().results().map(Value::from).collect();
        let kernel = Kernel::new(lowering, kernels, name, group.op().location(), &sources, &results);
        Ok(Self { kernel, group, scope, members, parts, tile, team, strip, inputs, schedule })
    }

    /// The kernel's code and launch; returns how many stages were inlined.
    fn fill(&mut self) -> Result<usize, Failure<'c>> {
        let b = self.kernel.head;
        let tiles = self.tiles(&b);
        let at = self.tile_id(&b, &tiles);
        let own = self.own_tile(&b, &at, &tiles);
        let inside = self.inside(&own, &at, &tiles);
        match inside {
            Condition::Always => self.version(&own, &at, false)?,
            Condition::Never => self.version(&own, &at, true)?,
            Condition::If(condition) => {
                let (then, otherwise) = own.if_else(condition);
                self.version(&then, &at, false)?;
                self.version(&otherwise, &at, true)?;
            }
        }
        self.note_schedule();
        let host = self.kernel.lowering.builder.located(b.location());
        let blocks = self.tiles_on_host(&host);
        let blocks = blocks
            .into_iter()
            .zip(&self.team.warps)
            .map(|(tiles, warps)| {
                let mut emit = Emit(&host);
                let padded = emit.add(&tiles, &Number::Known(warps - 1));
                emit.floor_div(&padded, *warps)
            })
            .collect();
        let grid = grid_of(blocks, &host);
        let threads = self.team.threads(self.scope);
        self.kernel.launch(&grid, threads);
        // 16 warps on an SM hide what they wait for, and leave a lane 128 registers (12 leave 168, for hybrid tiles, whose rows
        // are all unrolled). Told nothing, ptxas aims at more warps, and keeps values in local memory for it.
        let warps = if self.strip.is_none() && self.schedule.fraction.is_some() { 12 } else { 16 };
        let blocks = (warps * 32 / threads[0]).max(1);
        ir::mutable(self.kernel.func).set_attribute("nvvm.minctasm", b.parse_attribute(&format!("{blocks} : i32")));
        Ok(self.members.0.iter().filter(|member| member.inlined_into.is_some()).count())
    }

    /// What later passes want of the schedule stays with the kernel.
    fn note_schedule(&self) {
        let mut keys = Vec::new();
        if let Some(strip) = self.strip {
            let layout = self.schedule.layout.as_deref().unwrap_or("cyclic");
            keys.push(format!("layout = \"{layout}\""));
            keys.push(format!("vector = {} : i64", strip.columns));
            if self.schedule.stream.is_some() {
                keys.push("stream = \"y\"".to_owned());
            }
        }
        if let Some(fraction) = self.schedule.fraction {
            keys.push(format!("fraction = {fraction:?}"));
        }
        if !keys.is_empty() {
            let text = format!("{{{}}}", keys.join(", "));
            ir::mutable(self.kernel.func).set_attribute("warp.schedule", self.kernel.head.parse_attribute(&text));
        }
    }

    /// The number of tiles along each dimension of the grid: enough for every live-out.
    fn count_tiles(&self, b: &Builder<'c, 'a>, ends: &[Vec<Number<'c, 'a>>]) -> Vec<Number<'c, 'a>> {
        let mut emit = Emit(b);
        let mut tiles: Vec<Option<Number>> = vec![None; self.tile.len()];
        let mut seen: Vec<(usize, i64, Number)> = Vec::new();
        for ((member, part), ends) in self.members.0.iter().zip(&self.parts).zip(ends) {
            let Some(part) = part.as_ref().filter(|_| member.is_live_out) else { continue };
            for (follow, end) in part.follow.iter().zip(ends) {
                if seen.iter().any(|(axis, step, e)| *axis == follow.axis && *step == follow.step && same(*e, *end)) {
                    continue;
                }
                seen.push((follow.axis, follow.step, *end));
                let padded = emit.add(end, &Number::Known(follow.step - 1));
                let here = emit.floor_div(&padded, follow.step);
                let tiles = &mut tiles[follow.axis];
                *tiles = Some(tiles.map_or(here, |before| emit.max(&before, &here)));
            }
        }
        tiles.into_iter().map(|tiles| tiles.unwrap_or(Number::Known(1))).collect()
    }

    fn tiles(&mut self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let stages: Vec<_> = self.members.0.iter().map(|member| member.stage).collect();
        let ends: Vec<_> = stages.into_iter().map(|stage| self.kernel.extents_of(stage)).collect();
        self.count_tiles(b, &ends)
    }

    fn tiles_on_host(&self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let ends: Vec<_> = self.members.0.iter().map(|member| member.extents.clone()).collect();
        self.count_tiles(b, &ends)
    }

    /// The number of the warp's tile along each dimension of the grid.
    fn tile_id(&self, b: &Builder<'c, 'a>, tiles: &[Number<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let rank = self.tile.len();
        // A grid has three dimensions: of four the first two share one.
        let from = rank.saturating_sub(3);
        let list = |numbers: &[i64]| {
            b.parse_attribute(&format!(
                "array<i64: {}>",
                numbers[from..].iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
            ))
        };
        let mut attributes = vec![("lanes", list(&self.team.lanes))];
        if self.scope == Scope::Warp {
            attributes.push(("warps", list(&self.team.warps)));
        }
        let ids = b.op("warp.tile_id", &[], &vec![b.index_type(); rank - from], &attributes);
        let mut ids: Vec<Value> = ids.results().map(Value::from).collect();
        if from == 1 {
            let c = tiles[1].value(b);
            let both = ids[0];
            ids.splice(..1, [b.arith("divui", both, c), b.arith("remui", both, c)]);
        }
        ids
    }

    /// Code for warps that have a tile: the last block of a row may hold more warps than there are tiles left.
    fn own_tile(&self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>], tiles: &[Number<'c, 'a>]) -> Builder<'c, 'a> {
        let mut has_tile = None;
        for ((at, tiles), warps) in at.iter().zip(tiles).zip(&self.team.warps) {
            let fits = matches!(tiles, Number::Known(tiles) if tiles % warps == 0);
            if *warps > 1 && !fits {
                let here = b.compare(Compare::Less, *at, tiles.value(b));
                has_tile = Some(has_tile.map_or(here, |before| b.logic("andi", before, here)));
            }
        }
        has_tile.map_or(*b, |has_tile| b.if_then(has_tile))
    }

    /// Whether nothing of the tile, nor anything that it reads, lies outside an image.
    fn inside(&mut self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>], tiles: &[Number<'c, 'a>]) -> Condition<'c, 'a> {
        let mut conditions = Vec::new();
        for number in 0..self.members.0.len() {
            let Some(part) = self.parts[number].clone() else { continue };
            let stage = self.members.0[number].stage;
            let extents = self.kernel.extents_of(stage);
            if self.members.0[number].inlined_into.is_none() {
                let needed = stage.needed().unwrap_or_else(|| vec![(Some(0), None); extents.len()]);
                for ((follow, region), ((first, end), extent)) in
                    part.follow.iter().zip(&part.region).zip(needed.into_iter().zip(extents))
                {
                    // Where `in` leaves an end open, it is the image's.
                    let (first, end) = (first.unwrap_or(0), end.map_or(extent, Number::Known));
                    conditions.push(Inside { follow: *follow, region: *region, first, end });
                }
            }
            for access in self.members.0[number].accesses.iter().filter(|access| access.producer.is_none()) {
                if self.input_tile(access, number).is_some() {
                    continue;
                }
                for (dimension, index) in access.indices.iter().enumerate() {
                    let read = tiling::read_by(index, &part);
                    if let Some((follow, region)) = read.filter(|_| access.mode(dimension) != Boundary::None) {
                        let extent = self.kernel.number(access.extents[dimension]);
                        conditions.push(Inside { follow, region, first: 0, end: extent });
                    }
                }
            }
        }
        for number in 0..self.inputs.len() {
            let (part, extents) = (self.inputs[number].part.clone(), self.inputs[number].extents.clone());
            let places = part.follow.iter().zip(&part.region).zip(extents).zip(self.needed_of(number));
            for (((follow, region), extent), needed) in places {
                let (first, end) = needed.unwrap_or((0, None));
                let end = end.map_or_else(|| self.kernel.number(extent), Number::Known);
                conditions.push(Inside { follow: *follow, region: *region, first, end });
            }
        }
        let mut condition = condition(b, at, tiles, &conditions);
        if self.strip.is_some() {
            condition = self.aligned_rows(b, condition);
        }
        condition
    }

    /// Vectors want rows that start at a multiple of their length. Known extents say so; of others the kernel asks.
    fn aligned_rows(&mut self, b: &Builder<'c, 'a>, mut condition: Condition<'c, 'a>) -> Condition<'c, 'a> {
        let Some(columns) = self.strip.map(|strip| strip.columns).filter(|columns| *columns > 1) else {
            return condition;
        };
        let mut widths: Vec<Number> = self.inputs.iter().filter_map(|input| input.extents.last().copied()).collect();
        let live_outs = self.members.0.iter().filter(|member| member.is_live_out);
        widths.extend(live_outs.filter_map(|member| member.extents.last().copied()));
        let mut seen: Vec<Number> = Vec::new();
        for width in widths {
            if matches!(width, Number::Known(_)) || seen.iter().any(|before| same(*before, width)) {
                continue;
            }
            seen.push(width);
            let width = self.kernel.number(width).value(b);
            let rest = b.arith("remui", width, b.index(columns));
            condition = condition.and(b, b.compare(Compare::Equal, rest, b.index(0)));
        }
        condition
    }

    /// The tile that an access of memory reads instead.
    fn input_tile(&self, access: &tiling::Access<'c, 'a>, number: usize) -> Option<usize> {
        let (extents, reader) = (&self.members.0[number].extents, self.parts[number].as_ref()?);
        self.inputs.iter().position(|input| input.is_read_by(access, extents, reader))
    }

    /// All computes and writes, at `b`.
    fn version(&mut self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>], at_edge: bool) -> Result<(), Failure<'c>> {
        let mut version = Version { at_edge, at: at.to_vec(), tiles: HashMap::new(), inputs: Vec::new() };
        for number in 0..self.inputs.len() {
            let tile = self.load_input(b, number, &version);
            version.inputs.push(tile);
        }
        for number in 0..self.members.0.len() {
            if self.parts[number].is_some() && self.members.0[number].inlined_into.is_none() {
                self.compute(b, number, &mut version)?;
            }
        }
        Ok(())
    }

    /// A `warp.compute` around an empty body.
    #[allow(clippy::too_many_arguments)]
    fn build_compute(
        &self,
        b: &Builder<'c, 'a>,
        name: &str,
        at: &[Value<'c, 'a>],
        part: &Part,
        extents: &[Value<'c, 'a>],
        elements: &[Type<'c>],
        layout: Layout,
        more: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let follow_at: Vec<Value> = part.follow.iter().map(|follow| at[follow.axis]).collect();
        let list = |numbers: Vec<i64>| {
            b.parse_attribute(&format!(
                "array<i64: {}>",
                numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
            ))
        };
        let rank = part.region.len();
        let shape: String = part.region.iter().map(|range| format!("{}x", range.len())).collect();
        let encoding = layout.attribute(b.context());
        let types: Vec<Type> =
            elements.iter().map(|element| b.parse_type(&format!("tensor<{shape}{element}, {encoding}>"))).collect();
        let region = Region::new();
        region.append_block(Block::new(&vec![(b.index_type(), b.location()); rank]));
        let mut attributes = vec![
            ("name", b.string_attribute(name)),
            ("step", list(part.follow.iter().map(|follow| follow.step).collect())),
            ("box", list(part.region.iter().flat_map(|range| [range.lo, range.hi + 1]).collect())),
            ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: {rank}, {}>", extents.len()))),
        ];
        attributes.extend_from_slice(more);
        let operands = [follow_at, extents.to_vec()].concat();
        b.op_with_regions("warp.compute", &operands, &types, &attributes, vec![region])
    }

    /// What is needed of an input that is a stage of another group, and not needed whole: the first point, and the end.
    fn needed_of(&self, number: usize) -> Vec<Option<(i64, Option<i64>)>> {
        let input = &self.inputs[number];
        let needed = program::stage_of(input.source).and_then(|stage| stage.needed());
        let needed = needed.map(|needed| needed.into_iter().map(|(lo, hi)| Some((lo.unwrap_or(0), hi))).collect());
        needed.unwrap_or_else(|| vec![None; input.extents.len()])
    }

    /// The tile of an input.
    fn load_input(&mut self, b: &Builder<'c, 'a>, number: usize, version: &Version<'c, 'a>) -> Value<'c, 'a> {
        let input = &self.inputs[number];
        let (source, part, modes, outside) = (input.source, input.part.clone(), input.modes.clone(), input.outside);
        let needed = self.needed_of(number);
        let memory = self.kernel.memory(source);
        let element = crate::kernel::element_of(memory);
        let extents: Vec<Number> = input.extents.clone();
        let extents: Vec<Number> = extents.into_iter().map(|extent| self.kernel.number(extent)).collect();
        let mut more = Vec::new();
        if !version.at_edge && self.is_aligned(&extents) {
            more.push(("aligned", b.parse_attribute("unit")));
        }
        let name = format!("input{number}");
        let op = self.build_compute(b, &name, &version.at, &part, &[], &[element], Layout::Shared, &more);
        let block = crate::builder::only_block(op);
        let inner = Builder::at_end(b.context(), block, b.location());
        let mut indices: Vec<Value> =
            (0..part.region.len()).filter_map(|d| block.argument(d).ok()).map(Value::from).collect();
        let mut inside = None;
        if version.at_edge {
            for (((index, extent), mode), needed) in indices.iter_mut().zip(&extents).zip(&modes).zip(&needed) {
                // An index without a mode is inside where it counts.
                let mode = if *mode == Boundary::None { Boundary::Clamp } else { *mode };
                let place = access::resolve(*index, *extent, mode, &inner);
                *index = place.index;
                // Of a stage in memory only what is needed has been computed.
                if let Some((first, end)) = needed {
                    let mut emit = Emit(&inner);
                    let above = emit.max(&Number::Value(*index), &Number::Known(*first));
                    *index = match end {
                        Some(end) => emit.min(&above, &Number::Known(end - 1)).value(&inner),
                        None => above.value(&inner),
                    };
                }
                inside = match (inside, place.inside) {
                    (Some(before), Some(here)) => Some(inner.logic("andi", before, here)),
                    (before, here) => before.or(here),
                };
            }
        }
        let mut value = inner.load(memory, &indices, element);
        if let (Some(inside), Some(outside)) = (inside, outside) {
            value = inner.select(inside, value, outside, element);
        }
        inner.op("warp.yield", &[value], &[], &[]);
        op.result(0).expect("built with one result").into()
    }

    /// Whether vectors may be loaded from rows of this length (and stored to them).
    fn is_aligned(&self, extents: &[Number<'c, 'a>]) -> bool {
        let columns = self.strip.map_or(1, |strip| strip.columns);
        match extents.last() {
            Some(Number::Known(width)) => width % columns == 0,
            // The kernel has asked (`aligned_rows`).
            _ => true,
        }
    }

    /// The compute of a stage, and the writes of its live-outs.
    fn compute(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        version: &mut Version<'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let part = self.parts[number].clone().expect("asked before");
        let stage = self.members.0[number].stage;
        let b = b.located(stage.op().location());
        let is_read = |value: Value<'c, 'a>| {
            self.members.0.iter().any(|member| member.accesses.iter().any(|access| access.load.source() == value))
        };
        let layout =
            if stage.op().results().any(|result| is_read(result.into())) { Layout::Shared } else { Layout::Lane };
        let extents = self.kernel.extents_of(stage);
        let elements: Vec<Type> =
            (0..stage.op().result_count()).map(|index| stage.image_type(index).element()).collect();
        let mut more = Vec::new();
        let mut of = Vec::new();
        if version.at_edge {
            of = extents.iter().map(|extent| extent.value(&b)).collect();
            if let Ok(needed) = stage.op().attribute("needed") {
                more.push(("needed", needed));
            }
            let wrap: Vec<String> =
                (0..part.periodic.len()).filter(|d| part.periodic[*d]).map(|d| d.to_string()).collect();
            if !wrap.is_empty() {
                more.push(("wrap", b.parse_attribute(&format!("array<i64: {}>", wrap.join(", ")))));
            }
        }
        let op = self.build_compute(&b, stage.name(), &version.at, &part, &of, &elements, layout, &more);
        let block = crate::builder::only_block(op);
        let inner = Builder::at_end(b.context(), block, b.location());
        let arguments: Vec<Value> =
            (0..part.region.len()).filter_map(|d| block.argument(d).ok()).map(Value::from).collect();
        let identity: Vec<Expr> = (0..arguments.len()).map(dim).collect();
        let values = self.values(&inner, number, &identity, &arguments, version)?;
        inner.op("warp.yield", &values, &[], &[]);
        version.tiles.insert(number, op.results().map(Value::from).collect());
        for (index, image) in results_of(self.group, stage) {
            let ends: Vec<String> =
                part.follow.iter().flat_map(|follow| [0, follow.step]).map(|end| end.to_string()).collect();
            let ends = b.parse_attribute(&format!("array<i64: {}>", ends.join(", ")));
            let tile: Value = op.result(index).expect("an index of a result").into();
            let mut attributes = vec![("box", ends)];
            if self.strip.is_some() && !version.at_edge && self.is_aligned(&extents) {
                attributes.push(("aligned", b.parse_attribute("unit")));
            }
            b.op("warp.write", &[tile, self.kernel.memory(image)], &[], &attributes);
        }
        Ok(())
    }

    /// What a stage yields at a point: its coordinates are `point`, expressions of the compute's `arguments`.
    fn values(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        point: &[Expr],
        arguments: &[Value<'c, 'a>],
        version: &Version<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let stage = self.members.0[number].stage;
        let extents = self.kernel.extents_of(stage);
        let domain = access::needed_domain(stage, &extents, b);
        let coordinates: Vec<Value> = point.iter().map(|place| access::apply(place, arguments, b)).collect();
        let mut known: Known = HashMap::new();
        body::evaluate(b, stage, &coordinates, |b, read| {
            let number_of = |access: &tiling::Access<'c, 'a>| access.load == read.load;
            let access = self.members.0[number].accesses.iter().position(number_of).expect("a load of the stage");
            let before = read.is_nested.then(|| known.clone());
            let value = self.read(b, number, access, &read, point, arguments, (&domain, &extents), version, &mut known);
            if let Some(before) = before {
                known = before;
            }
            value
        })
    }

    /// The value of a load.
    #[allow(clippy::too_many_arguments)]
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        number: usize,
        access: usize,
        read: &Read<'c, 'a>,
        point: &[Expr],
        arguments: &[Value<'c, 'a>],
        (domain, extents): (&[Range<Number<'c, 'a>>], &[Number<'c, 'a>]),
        version: &Version<'c, 'a>,
        known: &mut Known<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let access = &self.members.0[number].accesses[access];
        let (load, producer, stays) = (access.load, access.producer, access.stays());
        let indices: Vec<Expr> = access.indices.iter().map(|index| index.substitute(point).simplified()).collect();
        let result = ir::defining_op(load.source())
            .and_then(|op| op.results().position(|result| Value::from(result) == load.source()))
            .unwrap_or(0);
        if let Some(producer) = producer {
            if self.members.0[producer].inlined_into.is_some() {
                return Ok(self.values(b, producer, &indices, arguments, version)?[result]);
            }
            let tile = version.tiles[&producer][result];
            let boundary = if version.at_edge && !stays && load.boundary() != Boundary::Wrap {
                load.boundary()
            } else {
                Boundary::None
            };
            return Ok(read_tile(b, tile, &indices, arguments, boundary, read));
        }
        if let Some(input) = self.input_tile(access, number) {
            return Ok(read_tile(b, version.inputs[input], &indices, arguments, Boundary::None, read));
        }
        let memory = self.kernel.memory(load.source());
        // The version for tiles inside has asked whether these are.
        let asked = !version.at_edge
            && self.parts[number].as_ref().is_some_and(|part| {
                let mut dimensions = access.indices.iter().enumerate();
                dimensions.all(|(d, index)| access.mode(d) == Boundary::None || tiling::read_by(index, part).is_some())
            });
        if asked {
            let indices: Vec<Value> = indices.iter().map(|index| access::apply(index, arguments, b)).collect();
            return Ok(b.load(memory, &indices, read.element()));
        }
        let source: Vec<Number> = access.extents.clone();
        let source: Vec<Number> = source.into_iter().map(|extent| self.kernel.number(extent)).collect();
        Ok(body::read_memory(b, read, memory, &Space { domain, extents, source: &source }, known))
    }
}

/// A `warp.read`.
fn read_tile<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    tile: Value<'c, 'a>,
    indices: &[Expr],
    arguments: &[Value<'c, 'a>],
    boundary: Boundary,
    read: &Read<'c, 'a>,
) -> Value<'c, 'a> {
    let names: Vec<String> = (0..arguments.len()).map(|d| format!("d{d}")).collect();
    let results: Vec<String> = indices.iter().map(Expr::to_string).collect();
    let map = format!("affine_map<({}) -> ({})>", names.join(", "), results.join(", "));
    let outside = read.outside.filter(|_| boundary == Boundary::Constant);
    let operands: Vec<Value> = [tile].into_iter().chain(arguments.iter().copied()).chain(outside).collect();
    let segments = format!("array<i32: 1, {}, {}>", arguments.len(), usize::from(outside.is_some()));
    let attributes = [
        ("map", b.parse_attribute(&map)),
        ("boundary", b.parse_attribute(&format!("{} : i32", boundary as i32))),
        ("operandSegmentSizes", b.parse_attribute(&segments)),
    ];
    b.value("warp.read", &operands, read.element(), &attributes)
}

impl<'c: 'a, 'a> Input<'c, 'a> {
    /// Whether an access reads this tile. One that stays inside finds its value under any boundary mode.
    fn is_read_by(&self, access: &tiling::Access<'c, 'a>, extents: &[Number<'c, 'a>], reader: &Part) -> bool {
        if !goes_on(access, extents, reader) {
            return false;
        }
        let last = self.modes.len().saturating_sub(1);
        let goes_along = |d: usize| {
            let read = tiling::read_by(&access.indices[d], reader);
            let (own, region) = (self.part.follow[d], self.part.region[d]);
            // Columns beyond the strip mean nothing, as everywhere.
            let has = |read: Range<i64>| d == last || (region.lo <= read.lo && read.hi <= region.hi);
            read.is_some_and(|(follow, read)| follow.agrees(own) && has(read))
        };
        let fits = |d: usize| (access.mode(d) == Boundary::None || access.mode(d) == self.modes[d]) && goes_along(d);
        let fits = |d: usize| fits(d) && (d != last || is_unit(&access.indices, reader.follow.len(), 1));
        access.producer.is_none()
            && access.load.source() == self.source
            && (access.stays() || access.load.outside() == self.outside)
            && (0..access.indices.len()).all(fits)
    }

    /// Makes it a tile that the access reads, too, if one tile can be both.
    fn join(&mut self, access: &tiling::Access<'c, 'a>) -> bool {
        let stays = self.modes.iter().all(|mode| *mode == Boundary::None);
        let fits = |d: usize| {
            let (own, other) = (self.modes[d], access.mode(d));
            own == other || own == Boundary::None || other == Boundary::None
        };
        let is_one = access.producer.is_none()
            && access.load.source() == self.source
            && (stays || access.stays() || access.load.outside() == self.outside)
            && (0..access.indices.len()).all(fits);
        if is_one {
            for (d, mode) in self.modes.iter_mut().enumerate().filter(|(_, mode)| **mode == Boundary::None) {
                *mode = access.mode(d);
            }
            if !access.stays() {
                self.outside = access.load.outside();
            }
        }
        is_one
    }
}

/// Whether the last dimensions of a stage, so many, are those of the grid.
fn goes_along(follow: &[Follow], tile: &[i64], dims: usize) -> bool {
    (1..=dims).all(|back| {
        let axis = tile.len().checked_sub(back);
        let own = follow.len().checked_sub(back).map(|d| follow[d]);
        axis.is_some_and(|axis| own == Some(Follow { axis, step: tile[axis] }))
    })
}

/// Whether an access reads along its last dimensions, so many, at a fixed distance from its reader's own, and nowhere else
/// by them.
fn is_unit(indices: &[Expr], reader: usize, dims: usize) -> bool {
    (1..=dims).all(|back| {
        let Some(own) = reader.checked_sub(back) else { return false };
        indices.len() >= back
            && indices.iter().enumerate().all(|(d, index)| match d + back == indices.len() {
                true => offset_along(index, own).is_some(),
                false => !index.dims().contains(&own),
            })
    })
}

/// Whether an access of a periodic stage may read a tile: at a point outside, the tile has what the wrapped point reads.
fn goes_on<'c, 'a>(access: &tiling::Access<'c, 'a>, extents: &[Number<'c, 'a>], reader: &Part) -> bool {
    access.indices.iter().enumerate().all(|(dimension, index)| {
        index.dims().into_iter().filter(|d| reader.periodic[*d]).all(|d| {
            access.mode(dimension) == Boundary::Wrap
                && offset_along(index, d).is_some()
                && same(extents[d], access.extents[dimension])
        })
    })
}

/// Whether all stages go along columns together, so that a part of them can lie in registers.
fn is_hybrid(members: &Members, parts: &[Option<Part>], tile: &[i64]) -> bool {
    members.0.iter().zip(parts).all(|(member, part)| {
        let Some(part) = part else { return true };
        let reads = member.accesses.iter().filter(|access| access.producer.is_some());
        goes_along(&part.follow, tile, 1)
            && reads.into_iter().all(|access| is_unit(&access.indices, part.follow.len(), 1))
    })
}

/// Makes tiles for registers: the same columns for every box, inputs as tiles. `None` where a stage does not go along its
/// columns as the live-outs do; then nothing is changed.
fn strip<'c: 'a, 'a>(
    members: &Members<'c, 'a>,
    schedule: &Schedule,
    tile: &[i64],
    columns: i64,
) -> Option<Made<'c, 'a>> {
    let rank = tile.len();
    let width = 32 * columns;
    let is_streamed = schedule.stream.is_some();
    if is_streamed && (rank < 2 || schedule.stream.as_deref() != Some("y")) {
        return None;
    }
    let mut wide = tile.to_vec();
    wide[rank - 1] = width;
    let boxes = tiling::boxes(members, &wide).ok()?;
    // The column of a stage is that of the grid, and its row too where rows are walked down.
    let dims = if is_streamed { 2 } else { 1 };
    let goes_along = |follow: &[Follow]| goes_along(follow, &wide, dims);
    let is_unit = |indices: &[Expr], reader: usize| is_unit(indices, reader, dims);
    let mut all: Range<i64> = Range::new(0, width - 1);
    let mut made: Vec<Input> = Vec::new();
    for (member, part) in members.0.iter().zip(&boxes) {
        let Some(part) = part else { continue };
        if !goes_along(&part.follow) {
            return None;
        }
        all = hull(all, *part.region.last()?);
        for access in &member.accesses {
            let unit = is_unit(&access.indices, part.follow.len());
            if access.producer.is_some() {
                if !unit {
                    return None;
                }
                continue;
            }
            let read: Option<Vec<_>> = access.indices.iter().map(|index| tiling::read_by(index, part)).collect();
            let Some(read) = read.filter(|_| unit && goes_on(access, &member.extents, part)) else { continue };
            let (follow, region): (Vec<Follow>, Vec<Range<i64>>) = read.into_iter().unzip();
            if !goes_along(&follow) {
                continue;
            }
            all = hull(all, *region.last()?);
            match made.iter_mut().find_map(|input| input.join(access).then_some(input)) {
                Some(input) if input.part.follow.iter().zip(&follow).all(|(a, b)| a.agrees(*b)) => {
                    input.part.region.iter_mut().zip(&region).for_each(|(all, read)| *all = hull(*all, *read));
                }
                // Two ways through one input: too rare for two tiles of it.
                Some(_) => return None,
                None => made.push(Input {
                    source: access.load.source(),
                    extents: access.extents.clone(),
                    modes: (0..access.indices.len()).map(|d| access.mode(d)).collect(),
                    outside: access.load.outside(),
                    part: Part { periodic: vec![false; follow.len()], follow, region },
                }),
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
    let mut narrow = tiling::boxes(members, &wide).ok()?;
    let part_of_inputs = made.iter_mut().map(|input| &mut input.part);
    for part in narrow.iter_mut().flatten().chain(part_of_inputs) {
        *part.region.last_mut()? = strip.range();
        part.follow.last_mut()?.step = written;
    }
    Some(Made { strip, tile: wide, parts: narrow, inputs: made })
}

/// A kernel's strips.
struct Made<'c, 'a> {
    strip: Strip,
    tile: Vec<i64>,
    parts: Vec<Option<Part>>,
    inputs: Vec<Input<'c, 'a>>,
}

/// Strips whose registers a lane has: fewer columns first, then fewer rows.
fn fitting_strip<'c: 'a, 'a>(members: &Members<'c, 'a>, schedule: &Schedule, tile: &[i64]) -> Option<Made<'c, 'a>> {
    let mut tile = tile.to_vec();
    let mut columns = schedule.vector.unwrap_or(4);
    loop {
        let made = strip(members, schedule, &tile, columns)?;
        if registers(members, &made.parts, &made.inputs, columns) <= MAX_REGISTERS {
            return Some(made);
        }
        let rows = tile.len().checked_sub(2).filter(|y| schedule.stream.is_none() && tile[*y] > 1);
        match rows {
            _ if columns > 1 => columns /= 2,
            Some(y) => {
                tile[y] /= 2;
                let halved = Schedule { tile: Some(tile.clone()), ..Schedule::default() };
                let aligned = tiling::aligned_tile(members, &halved, tile.len());
                if aligned[y] > tile[y] {
                    return None;
                }
            }
            None => return None,
        }
    }
}

/// The registers of a lane that hold rows of tiles: of each tile as many rows as are between the newest, which is computed as
/// late as its readers allow, and the oldest that one of them still reads.
fn registers(members: &Members, parts: &[Option<Part>], inputs: &[Input], columns: i64) -> i64 {
    let window = |producer: Option<usize>, input: Option<&Input>, part: &Part| {
        let rows: i64 = part.region[..part.region.len() - 1].iter().map(|range| range.len()).product();
        let Some(y) = part.region.len().checked_sub(2) else { return rows };
        let mut oldest = part.region[y].hi;
        for (member, reader) in members.0.iter().zip(parts) {
            let Some(reader) = reader else { continue };
            let reads = member.accesses.iter().filter(|access| match input {
                Some(input) => input.is_read_by(access, &member.extents, reader),
                None => access.producer == producer,
            });
            for access in reads {
                // A reader's last row is as far ahead of what is written as its box reaches below the tile.
                let own = reader.region.len().checked_sub(2);
                let Some((own, offset)) = own.and_then(|own| Some((own, offset_along(&access.indices[y], own)?)))
                else {
                    return rows;
                };
                let (below, above) = access.leaves[y].unwrap_or((0, 0));
                let back = reach(access::model_boundary(access.mode(y)), below, above).0;
                oldest = oldest.min(reader.region[own].hi + offset - back);
            }
        }
        let alive = (part.region[y].hi - oldest + 1).min(part.region[y].len());
        rows / part.region[y].len() * alive
    };
    let words = |element: Type| (bytes_of_element(element) + 3) / 4;
    let mut all = 0;
    for (number, member) in members.0.iter().enumerate() {
        let Some(part) = parts[number].as_ref().filter(|_| member.inlined_into.is_none()) else { continue };
        if members.is_read(number) {
            let results = 0..member.stage.op().result_count();
            let width: i64 = results.map(|result| words(member.stage.image_type(result).element())).sum();
            all += window(Some(number), None, part) * columns * width;
        }
    }
    for input in inputs {
        let element = RankedTensorType::try_from(input.source.r#type()).map(|ty| words(ty.element()));
        all += window(None, Some(input), &input.part) * columns * element.unwrap_or(1);
    }
    all
}

/// Shared memory for the tiles of a warp, but for the columns that go to registers.
fn shared_bytes(members: &Members, parts: &[Option<Part>], registers: i64) -> i64 {
    let mut lives = Vec::new();
    for (number, member) in members.0.iter().enumerate() {
        let Some(part) = parts[number].as_ref().filter(|_| member.inlined_into.is_none()) else { continue };
        let reads = |consumer: &Member| consumer.accesses.iter().any(|access| access.producer == Some(number));
        let Some(end) = members.0.iter().rposition(reads) else { continue };
        // The registers' part of all stages comes after the shared part of all.
        let end = if registers > 0 { members.0.len() } else { end };
        let columns = part.region.last().map_or(1, |columns| columns.len());
        let rows = part.region.iter().map(|range| range.len()).product::<i64>() / columns;
        for result in 0..member.stage.op().result_count() {
            let bytes =
                rows * (columns - registers).max(0) * bytes_of_element(member.stage.image_type(result).element());
            lives.push(Lifetime { start: number, end, bytes });
        }
    }
    place_buffers(&lives, 16).1
}

/// Whether a schedule asks for strips.
fn is_strip(schedule: &Schedule, scope: Scope) -> bool {
    scope == Scope::Warp
        && schedule.fraction.is_none_or(|fraction| fraction >= 0.5)
        && (schedule.layout.as_deref() == Some("blocked") || schedule.stream.is_some())
}

/// The columns of a tile that go to registers.
fn registers_of(members: &Members, schedule: &Schedule, scope: Scope, parts: &[Option<Part>], tile: &[i64]) -> i64 {
    match schedule.fraction.filter(|_| scope == Scope::Warp) {
        Some(fraction) if is_hybrid(members, parts, tile) => hybrid_columns(fraction, tile[tile.len() - 1]),
        _ => 0,
    }
}

/// Makes tiles fit into shared memory: fewer warps in a block first, then smaller tiles.
fn fit<'c, 'a>(
    members: &Members<'c, 'a>,
    schedule: &Schedule,
    scope: Scope,
    tile: &mut Vec<i64>,
    team: &mut Team,
    mut parts: Vec<Option<Part>>,
) -> Vec<Option<Part>> {
    let last = tile.len() - 1;
    // Dimensions that cannot be smaller: at some scales only certain tiles are on the grid.
    let mut is_least: Vec<bool> = tile.iter().map(|extent| *extent == 1).collect();
    loop {
        let registers = registers_of(members, schedule, scope, &parts, tile);
        let warps: i64 = team.warps.iter().product();
        // A lane holds a window of rows, however many there are: fewer columns make it smaller.
        let wants_registers = tile[last] > 32 && self::registers(members, &parts, &[], registers / 32) > MAX_REGISTERS;
        let d = if wants_registers && !is_least[last] {
            last
        } else if shared_bytes(members, &parts, registers) * warps <= MAX_SHARED {
            return parts;
        } else if warps > 1 {
            let most = (0..team.warps.len()).max_by_key(|d| team.warps[*d]).unwrap_or(0);
            team.warps[most] = (team.warps[most] + 1) / 2;
            continue;
        } else {
            // Rows go before columns, which neighbouring lanes share sectors of.
            let rows = (0..last).filter(|d| !is_least[*d]).max_by_key(|d| tile[*d]);
            match rows.or((!is_least[last]).then_some(last)) {
                Some(d) => d,
                None => return parts,
            }
        };
        let mut halved = tile.clone();
        halved[d] /= 2;
        let schedule = Schedule { tile: Some(halved), ..Schedule::default() };
        let smaller = tiling::aligned_tile(members, &schedule, tile.len());
        match tiling::boxes(members, &smaller) {
            Ok(boxes) if smaller[d] < tile[d] => {
                is_least[d] = smaller[d] == 1;
                *tile = smaller;
                parts = boxes;
            }
            _ => is_least[d] = true,
        }
    }
}

/// Registers of a lane that may hold tiles. By `ptxas` an unrolled kernel has about three times as many: values on their way from
/// memory and to it, and those of the bodies. A lane has 255 at most, and at 168 three blocks of four warps still fit an SM.
const MAX_REGISTERS: i64 = 48;

/// The columns of a tile of so many that a fraction puts in registers: whole warps of them.
pub fn hybrid_columns(fraction: f64, columns: i64) -> i64 {
    let wanted = (fraction * columns as f64 / 32.0).round() as i64;
    32 * wanted.min(columns / 32)
}

/// What is known of a condition before the kernel runs.
enum Condition<'c, 'a> {
    Always,
    Never,
    If(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Condition<'c, 'a> {
    fn and(self, b: &Builder<'c, 'a>, other: Value<'c, 'a>) -> Self {
        match self {
            Self::Always => Self::If(other),
            Self::Never => Self::Never,
            Self::If(before) => Self::If(b.logic("andi", before, other)),
        }
    }
}

/// Whether all intervals lie inside, as one comparison for each distinct end.
fn condition<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    at: &[Value<'c, 'a>],
    tiles: &[Number<'c, 'a>],
    all: &[Inside<'c, 'a>],
) -> Condition<'c, 'a> {
    let mut condition = Condition::Always;
    // Known ends become limits of the tile's number; for the others the farthest reach of each (axis, step, end) counts.
    let mut limits: Vec<(i64, i64)> = vec![(0, i64::MAX); at.len()];
    let mut ends: Vec<(Follow, i64, Value)> = Vec::new();
    for Inside { follow, region, first, end } in all {
        let (axis, step) = (follow.axis, follow.step);
        if step == 0 {
            if region.lo < *first {
                return Condition::Never;
            }
            match end {
                Number::Known(end) if region.hi >= *end => return Condition::Never,
                Number::Known(_) => {}
                Number::Value(end) => {
                    condition = condition.and(b, b.compare(Compare::Less, b.index(region.hi), *end));
                }
            }
            continue;
        }
        let limit = &mut limits[axis];
        limit.0 = limit.0.max((first - region.lo + step - 1).div_euclid(step));
        match end {
            Number::Known(end) => limit.1 = limit.1.min((end - 1 - region.hi).div_euclid(step)),
            Number::Value(end) => match ends.iter_mut().find(|(f, _, value)| f.agrees(*follow) && value == end) {
                Some((_, reach, _)) => *reach = (*reach).max(region.hi),
                None => ends.push((*follow, region.hi, *end)),
            },
        }
    }
    for ((at, tiles), (least, mut most)) in at.iter().zip(tiles).zip(limits) {
        if let Number::Known(tiles) = tiles {
            // Of tiles that there are none lies further than the last.
            most = if most >= tiles - 1 { i64::MAX } else { most };
            if least > tiles - 1 {
                return Condition::Never;
            }
        }
        if least > most {
            return Condition::Never;
        }
        if least > 0 {
            condition = condition.and(b, b.compare(Compare::GreaterEqual, *at, b.index(least)));
        }
        if most < i64::MAX {
            condition = condition.and(b, b.compare(Compare::LessEqual, *at, b.index(most)));
        }
    }
    for (follow, reach, end) in ends {
        let start = b.arith("muli", at[follow.axis], b.index(follow.step));
        let last = Emit(b).add(&Number::Value(start), &Number::Known(reach)).value(b);
        condition = condition.and(b, b.compare(Compare::Less, last, end));
    }
    condition
}
