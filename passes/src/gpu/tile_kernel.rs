//! The kernel of a group's tiles, whoever computes a tile: a warp (`--warp-tile`) or a block (`--block-tile`).
//!
//! ```text
//! %tile:2 = warp.tile_id ...
//! scf.if <the tile and its halo lie inside> { computes, writes } else { the same, with boundary modes }
//! ```

use super::{
    grid::grid_of,
    kernel::{Kernel, Kernels},
    unit_kernels,
};
use crate::{
    analysis::{boundary, domain},
    group::{
        Inside, MemberAccess, Members, Strategy, count_tiles, group_stages, make_tileable, results_of, schedule_of,
        used,
    },
    ir::{Builder, Compare, Emit, Number, apply, element_of, one_block, only_block, program, same, symbol},
    lower::{
        Lowering, Memory,
        body::{self, Known, Read, Space},
    },
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, BlockLike, OperationRef, ShapedTypeLike, Type, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, PassContext, RegistryRef, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{Boundary, Group},
    warp::Layout,
};
use weft_model::{
    Arith, Boundary as Mode, Expr, Part, Plan, Range, Refusal, Schedule, Scope, Source, TileStride, dim, plan,
    wanted_warps,
};

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

/// Lowers every group of every program; `scope` is who computes the tiles of a group whose schedule does not say.
///
/// # Errors
///
/// What [`Lowering::begin`] refuses, and schedules that no thread block can have.
pub fn lower_groups<'c>(module: OperationRef<'c, '_>, cx: &PassContext<'c>, scope: Scope) -> Result<Done, Failure<'c>> {
    let mut done = Done::default();
    for func in program::programs(module) {
        group_stages(cx, func, Strategy::None, None)?;
        let block = program::entry(func)?;
        program::unify_dims(block);
        for block in program::blocks(func)? {
            done.splits += make_tileable(cx, block, scope)?;
        }
        let mut lowering = Lowering::begin(cx.context(), func, Memory::Device)?;
        let mut kernels = Kernels::before(func, module, &Builder::before(cx.context(), func));
        let mut inlined = 0;
        done.kernels +=
            unit_kernels::lower_block(&mut lowering, &mut kernels, func, block, &mut |lowering, kernels, group| {
                let name = format!("{}_{}", symbol(func), group.name());
                inlined += Tiled::new(lowering, kernels, &name, group, scope)?.fill()?;
                Ok(1)
            })?;
        done.inlined += inlined;
        lowering.finish(block);
    }
    Ok(done)
}

/// A kernel of tiles in the making.
struct Tiled<'k, 'c, 'a> {
    kernel: Kernel<'k, 'c, 'a>,
    group: Group<'c, 'a>,
    pub(super) members: Members<'c, 'a>,
    plan: Plan,
    schedule: Schedule,
}

/// What has been computed of stages that are computed where they are read: the stage, the point, its values.
type Computed<'c, 'a> = Vec<(usize, Vec<Expr>, Vec<Value<'c, 'a>>)>;

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
        let schedule = schedule_of(group, members.model.grid_rank(), scope);
        let plan = plan(&members.model, &schedule).map_err(|refusal| match refusal {
            Refusal::Schedule(message) => Diagnostic::on(group.op(), message),
            // Splitting has seen to it that there are boxes, and that they fit.
            Refusal::Cut(cut) => Diagnostic::on(
                members.stages[cut.producer].stage.op(),
                format!("{}, and cannot be split from its consumers", cut.rule),
            ),
            Refusal::Shared { bytes, most } => Diagnostic::on(
                group.op(),
                format!("needs {bytes} bytes of shared memory for its smallest tile, expected at most {most}"),
            ),
        })?;
        let mut sources: Vec<Value> = Vec::new();
        for (stage, _) in members.model.stages.iter().zip(&plan.parts).filter(|(_, part)| part.is_some()) {
            let images = stage.accesses.iter().filter_map(|access| match access.source {
                Source::Image(image) => Some(members.images[image]),
                Source::Stage(..) => None,
            });
            for image in images {
                if !sources.contains(&image) {
                    sources.push(image);
                }
            }
        }
        let results: Vec<Value> = used(group).map(|(result, _)| result).collect();
        let kernel = Kernel::new(lowering, kernels, name, group.op().location(), &sources, &results);
        Ok(Self { kernel, group, members, plan, schedule })
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
            .zip(&self.plan.mapping.warps)
            .map(|(tiles, warps)| {
                let mut emit = Emit(&host);
                let padded = emit.add(&tiles, &Number::Known(warps - 1));
                emit.floor_div(&padded, *warps)
            })
            .collect();
        let grid = grid_of(blocks, &host);
        let threads = self.plan.mapping.threads(self.schedule.scope);
        self.kernel.launch(&grid, threads);
        // Told nothing, ptxas aims at more warps, and keeps values in local memory for it.
        let warps = wanted_warps(&self.plan, &self.schedule);
        let blocks = (warps * 32 / threads[0]).max(1);
        ir::mutable(self.kernel.func).set_attribute("nvvm.minctasm", b.parse_attribute(&format!("{blocks} : i32")));
        Ok(self.members.model.stages.iter().filter(|stage| stage.inlined_into.is_some()).count())
    }

    /// What later passes want of the schedule stays with the kernel.
    fn note_schedule(&self) {
        let mut keys = Vec::new();
        if let Some(strip) = self.plan.strip {
            let layout = if self.schedule.layout == Some(weft_model::Layout::Blocked) { "blocked" } else { "cyclic" };
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

    /// The number of tiles along each dimension of the grid.
    fn count_tiles(&self, b: &Builder<'c, 'a>, ends: &[Vec<Number<'c, 'a>>]) -> Vec<Number<'c, 'a>> {
        count_tiles(b, &self.members.model, &self.plan.parts, ends)
    }

    fn tiles(&mut self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let stages: Vec<_> = self.members.stages.iter().map(|member| member.stage).collect();
        let ends: Vec<_> = stages.into_iter().map(|stage| self.kernel.extents_of(stage)).collect();
        self.count_tiles(b, &ends)
    }

    fn tiles_on_host(&self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let ends: Vec<_> = self.members.stages.iter().map(|member| member.extents.clone()).collect();
        self.count_tiles(b, &ends)
    }

    /// The number of the warp's tile along each dimension of the grid.
    fn tile_id(&self, b: &Builder<'c, 'a>, tiles: &[Number<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let rank = self.plan.tile.len();
        // A grid has three dimensions: of four the first two share one.
        let from = rank.saturating_sub(3);
        let list = |numbers: &[i64]| b.integers(&numbers[from..]);
        let mut attributes = vec![("lanes", list(&self.plan.mapping.lanes))];
        if self.schedule.scope == Scope::Warp {
            attributes.push(("warps", list(&self.plan.mapping.warps)));
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
        for ((at, tiles), warps) in at.iter().zip(tiles).zip(&self.plan.mapping.warps) {
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
        for number in 0..self.members.stages.len() {
            let Some(part) = self.plan.parts[number].clone() else { continue };
            let stage = self.members.stages[number].stage;
            let extents = self.kernel.extents_of(stage);
            if !self.is_inlined(number) {
                let needed = stage.needed().unwrap_or_else(|| vec![(Some(0), None); extents.len()]);
                for ((stride, region), ((first, end), extent)) in
                    part.strides.iter().zip(&part.region).zip(needed.into_iter().zip(extents))
                {
                    // Where `in` leaves an end open, it is the image's.
                    let (first, end) = (first.unwrap_or(0), end.map_or(extent, Number::Known));
                    conditions.push(Inside { stride: *stride, region: *region, first, end });
                }
            }
            let model = &self.members.model.stages[number];
            for (at, access) in model.accesses.iter().enumerate().filter(|(_, access)| access.producer().is_none()) {
                if self.input_tile(access, number).is_some() {
                    continue;
                }
                for dimension in (0..access.indices.len()).filter(|d| !access.is_computed(*d)) {
                    let read = access.reads(dimension, &part);
                    if let Some((stride, region)) = read.filter(|_| access.mode(dimension) != Mode::None) {
                        let extent = self.members.stages[number].accesses[at].extents[dimension];
                        conditions.push(Inside { stride, region, first: 0, end: self.kernel.number(extent) });
                    }
                }
            }
        }
        for number in 0..self.plan.inputs.len() {
            let (part, extents) = (self.plan.inputs[number].part.clone(), self.input_extents(number));
            let places = part.strides.iter().zip(&part.region).zip(extents).zip(self.needed_of(number));
            for (((stride, region), extent), needed) in places {
                let (first, end) = needed.unwrap_or((0, None));
                let end = end.map_or_else(|| self.kernel.number(extent), Number::Known);
                conditions.push(Inside { stride: *stride, region: *region, first, end });
            }
        }
        let mut condition = condition(b, at, tiles, &conditions);
        if self.plan.strip.is_some() {
            condition = self.aligned_rows(b, condition);
        }
        condition
    }

    /// Vectors want rows that start at a multiple of their length. Known extents say so; of others the kernel asks.
    fn aligned_rows(&mut self, b: &Builder<'c, 'a>, mut condition: Condition<'c, 'a>) -> Condition<'c, 'a> {
        let Some(columns) = self.plan.strip.map(|strip| strip.columns).filter(|columns| *columns > 1) else {
            return condition;
        };
        let mut widths: Vec<Number> =
            (0..self.plan.inputs.len()).filter_map(|input| self.input_extents(input).last().copied()).collect();
        let members = self.members.stages.iter().zip(&self.members.model.stages);
        let live_outs = members.filter(|(_, model)| model.is_live_out);
        widths.extend(live_outs.filter_map(|(member, _)| member.extents.last().copied()));
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
    fn input_tile(&self, access: &weft_model::Access, number: usize) -> Option<usize> {
        let (extents, reader) = (&self.members.model.stages[number].extents, self.plan.parts[number].as_ref()?);
        self.plan.inputs.iter().position(|input| input.is_read_by(access, extents, reader))
    }

    /// All computes and writes, at `b`.
    fn version(&mut self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>], at_edge: bool) -> Result<(), Failure<'c>> {
        let mut version = Version { at_edge, at: at.to_vec(), tiles: HashMap::new(), inputs: Vec::new() };
        for number in 0..self.plan.inputs.len() {
            let tile = self.load_input(b, number, &version);
            version.inputs.push(tile);
        }
        for number in 0..self.members.stages.len() {
            if self.plan.parts[number].is_some() && !self.is_inlined(number) {
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
        let stride_at: Vec<Value> = part.strides.iter().map(|stride| at[stride.axis]).collect();
        let rank = part.region.len();
        let shape: String = part.region.iter().map(|range| format!("{}x", range.len())).collect();
        let encoding = layout.attribute(b.context());
        let types: Vec<Type> =
            elements.iter().map(|element| b.parse_type(&format!("tensor<{shape}{element}, {encoding}>"))).collect();
        let region = one_block(&vec![(b.index_type(), b.location()); rank]);
        let mut attributes = vec![
            ("name", b.string_attribute(name)),
            ("step", b.integers(&part.strides.iter().map(|stride| stride.step).collect::<Vec<_>>())),
            ("box", b.integers(&part.region.iter().flat_map(|range| [range.lo, range.hi + 1]).collect::<Vec<_>>())),
            ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: {rank}, {}>", extents.len()))),
        ];
        attributes.extend_from_slice(more);
        let operands = [stride_at, extents.to_vec()].concat();
        b.op_with_regions("warp.compute", &operands, &types, &attributes, vec![region])
    }

    /// What is needed of an input that is a unit outside of the group, and not needed whole: the first point, and the end.
    fn needed_of(&self, number: usize) -> Vec<Option<(i64, Option<i64>)>> {
        let image = self.members.images[self.plan.inputs[number].image];
        let needed = program::unit_of(image).and_then(|unit| unit.needed());
        let needed = needed.map(|needed| needed.into_iter().map(|(lo, hi)| Some((lo.unwrap_or(0), hi))).collect());
        needed.unwrap_or_else(|| vec![None; self.plan.inputs[number].modes.len()])
    }

    /// The extents of an input that is a tile.
    fn input_extents(&self, number: usize) -> Vec<Number<'c, 'a>> {
        let (stage, access) = self.plan.inputs[number].of;
        self.members.stages[stage].accesses[access].extents.clone()
    }

    /// Whether a stage is computed where it is read.
    fn is_inlined(&self, number: usize) -> bool {
        self.members.model.stages[number].inlined_into.is_some()
    }

    /// The tile of an input.
    fn load_input(&mut self, b: &Builder<'c, 'a>, number: usize, version: &Version<'c, 'a>) -> Value<'c, 'a> {
        let input = &self.plan.inputs[number];
        let (source, part, modes) = (self.members.images[input.image], input.part.clone(), input.modes.clone());
        let outside =
            input.outside_of.and_then(|(stage, access)| self.members.stages[stage].accesses[access].load.outside());
        let needed = self.needed_of(number);
        let memory = self.kernel.memory(source);
        let element = element_of(memory);
        let extents: Vec<Number> =
            self.input_extents(number).into_iter().map(|extent| self.kernel.number(extent)).collect();
        let mut more = Vec::new();
        if !version.at_edge && self.is_aligned(&extents) {
            more.push(("aligned", b.parse_attribute("unit")));
        }
        let name = format!("input{number}");
        let op = self.build_compute(b, &name, &version.at, &part, &[], &[element], Layout::Shared, &more);
        let block = only_block(op);
        let inner = Builder::at_end(b.context(), block, b.location());
        let mut indices: Vec<Value> =
            (0..part.region.len()).filter_map(|d| block.argument(d).ok()).map(Value::from).collect();
        let mut inside = None;
        if version.at_edge {
            for (((index, extent), mode), needed) in indices.iter_mut().zip(&extents).zip(&modes).zip(&needed) {
                // An index without a mode is inside where it counts.
                let mode = if *mode == Mode::None { Boundary::Clamp } else { boundary::dialect_boundary(*mode) };
                let place = boundary::resolve(*index, *extent, mode, &inner);
                *index = place.index;
                // Of a unit in memory only what is needed has been computed.
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
        let columns = self.plan.strip.map_or(1, |strip| strip.columns);
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
        let part = self.plan.parts[number].clone().expect("asked before");
        let stage = self.members.stages[number].stage;
        let b = b.located(stage.op().location());
        let is_read = |value: Value<'c, 'a>| {
            self.members.stages.iter().any(|member| member.accesses.iter().any(|access| access.load.source() == value))
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
            let wrap: Vec<i64> = (0i64..).zip(&part.periodic).filter(|(_, wraps)| **wraps).map(|(d, _)| d).collect();
            if !wrap.is_empty() {
                more.push(("wrap", b.integers(&wrap)));
            }
        }
        let op = self.build_compute(&b, stage.name(), &version.at, &part, &of, &elements, layout, &more);
        let block = only_block(op);
        let inner = Builder::at_end(b.context(), block, b.location());
        let arguments: Vec<Value> =
            (0..part.region.len()).filter_map(|d| block.argument(d).ok()).map(Value::from).collect();
        let identity: Vec<Expr> = (0..arguments.len()).map(dim).collect();
        let values = self.values(&inner, number, &identity, &arguments, version)?;
        inner.op("warp.yield", &values, &[], &[]);
        version.tiles.insert(number, op.results().map(Value::from).collect());
        for (index, image) in results_of(self.group, stage) {
            let ends: Vec<i64> = part.strides.iter().flat_map(|stride| [0, stride.step]).collect();
            let tile: Value = op.result(index).expect("an index of a result").into();
            let mut attributes = vec![("box", b.integers(&ends))];
            if self.plan.strip.is_some() && !version.at_edge && self.is_aligned(&extents) {
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
        let stage = self.members.stages[number].stage;
        let extents = self.kernel.extents_of(stage);
        let domain = domain::needed_domain(stage, &extents, b);
        let coordinates: Vec<Value> = point.iter().map(|place| apply(place, arguments, b)).collect();
        let mut known: Known = HashMap::new();
        let mut computed: Computed = Vec::new();
        body::evaluate(b, stage, &coordinates, |b, read| {
            let number_of = |access: &MemberAccess<'c, 'a>| access.load == read.load;
            let access = self.members.stages[number].accesses.iter().position(number_of).expect("a load of the stage");
            let of = &self.members.model.stages[number].accesses[access];
            if let Source::Stage(producer, result) = of.source
                && self.is_inlined(producer)
            {
                let at: Vec<Expr> = of.indices.iter().map(|index| index.substitute(point).simplified()).collect();
                let is_same = |known: &&(usize, Vec<Expr>, _)| known.0 == producer && known.1 == at;
                if let Some((.., values)) = computed.iter().find(is_same) {
                    return Ok(values[result]);
                }
                let values = self.values(b, producer, &at, arguments, version)?;
                let value = values[result];
                // What a branch computes is not to be had behind it.
                if !read.is_nested {
                    computed.push((producer, at, values));
                }
                return Ok(value);
            }
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
        let (load, extents_read) = {
            let access = &self.members.stages[number].accesses[access];
            (access.load, access.extents.clone())
        };
        let access = &self.members.model.stages[number].accesses[access];
        let stays = access.stays();
        let source: Vec<Number> = extents_read.into_iter().map(|extent| self.kernel.number(extent)).collect();
        // Variables are coordinates behind those of the compute.
        let variables = &read.coordinates[read.coordinates.len() - read.windows.len()..];
        let behind = (0..variables.len()).map(|place| dim(arguments.len() + place));
        let point: Vec<Expr> = point.iter().cloned().chain(behind).collect();
        let mut arguments = [arguments, variables].concat();
        let indices: Vec<Expr> = access.indices.iter().map(|index| index.substitute(&point).simplified()).collect();
        // Where memory is read with all modes, computed indices are like others.
        let asked = match access.source {
            Source::Stage(..) => true,
            // The version for tiles inside has asked whether these are.
            Source::Image(_) => {
                !version.at_edge
                    && self.plan.parts[number].as_ref().is_some_and(|part| {
                        let is_inside = |d| access.mode(d) == Mode::None || access.reads(d, part).is_some();
                        (0..access.indices.len()).all(|d| access.is_computed(d) || is_inside(d))
                    })
            }
        };
        let mut indices = indices;
        let mut inside = None;
        for d in (0..indices.len()).filter(|d| asked && access.is_computed(*d)) {
            // A computed index stands alone; one value may be that of several dimensions, each of its own extent.
            let Expr::Dim(place) = indices[d] else { continue };
            let resolved = boundary::resolve(arguments[place], source[d], load.boundary(), b);
            indices[d] = dim(arguments.len());
            arguments.push(resolved.index);
            inside = match (inside, resolved.inside) {
                (Some(before), Some(here)) => Some(b.logic("andi", before, here)),
                (before, here) => before.or(here),
            };
        }
        let arguments = &arguments[..];
        if let Source::Stage(producer, result) = access.source {
            let tile = version.tiles[&producer][result];
            let boundary = if version.at_edge && !stays && load.boundary() != Boundary::Wrap {
                load.boundary()
            } else {
                Boundary::None
            };
            let value = read_tile(b, tile, &indices, arguments, boundary, read);
            return Ok(read.or_outside(b, value, inside));
        }
        if let Some(input) = self.input_tile(access, number) {
            return Ok(read_tile(b, version.inputs[input], &indices, arguments, Boundary::None, read));
        }
        let memory = self.kernel.memory(load.source());
        if asked {
            let indices: Vec<Value> = indices.iter().map(|index| apply(index, arguments, b)).collect();
            let value = b.load(memory, &indices, read.element());
            return Ok(read.or_outside(b, value, inside));
        }
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
    let mut ends: Vec<(TileStride, i64, Value)> = Vec::new();
    for Inside { stride, region, first, end } in all {
        let (axis, step) = (stride.axis, stride.step);
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
            Number::Value(end) => match ends.iter_mut().find(|(f, _, value)| f.agrees(*stride) && value == end) {
                Some((_, reach, _)) => *reach = (*reach).max(region.hi),
                None => ends.push((*stride, region.hi, *end)),
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
    for (stride, reach, end) in ends {
        let start = b.arith("muli", at[stride.axis], b.index(stride.step));
        let last = Emit(b).add(&Number::Value(start), &Number::Known(reach)).value(b);
        condition = condition.and(b, b.compare(Compare::Less, last, end));
    }
    condition
}
