//! The kernel of a group's tiles, whoever computes a tile: a warp (`--warp-tile`) or a block (`--block-tile`).
//!
//! ```text
//! %tile_y, %tile_x = warp.tile_id ...
//! scf.if <the warp has a tile> { computes, writes }
//! ```
//!
//! Boxes may leave their images here, and all accesses have their boundary modes: `--split-interior` makes the code of tiles that
//! lie inside.

use super::{
    grid::grid_of,
    kernel::{KernelBuilder, Kernels},
    point_kernel,
    tiles::origin,
    unit_kernels,
};
use crate::{
    analysis::{boundary, domain},
    group::{
        MemberAccess, Members, Strategy, count_tiles, group_stages, live_outs, make_tileable, results_of, schedule_of,
        tile_ends, used,
    },
    ir::{Builder, Compare, Emit, Number, affine_map, apply, element_of, only_block, parts, program, symbol},
    lower::{
        Lowering, Memory,
        body::{self, Read},
    },
};
use melior::ir::{
    BlockLike, Location, OperationRef, ShapedTypeLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Diagnostic, Failure, PassContext, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{Boundary, Group, Stage},
    warp::{self, Compute, ComputeParts, Layout, Load, LoadParts, Write},
};
use weft_model::{
    Arith, Boundary as Mode, Expr, Part, Plan, Refusal, Schedule, Scope, Source, compiled_warps, dim, plan,
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
                if is_of_points(group) {
                    let is_alone = live_outs(group).len() == 1;
                    let name_of =
                        |stage: Stage| if is_alone { name.clone() } else { format!("{name}_{}", stage.name()) };
                    let made = point_kernel::lower(lowering, kernels, group, name_of)?;
                    inlined += made.bodies - made.kernels;
                    return Ok(made.kernels);
                }
                // What is of no stage is of the program.
                inlined += Tiled::new(lowering, kernels, (&name, func.location()), group, scope)?.fill()?;
                Ok(1)
            })?;
        done.inlined += inlined;
        lowering.finish(block);
    }
    Ok(done)
}

/// Whether a group's schedule asks for a thread a point.
fn is_of_points(group: Group) -> bool {
    live_outs(group).last().is_some_and(|last| schedule_of(group, last.rank(), Scope::Warp).scope == Scope::Thread)
}

/// A kernel of tiles in the making.
struct Tiled<'k, 'c, 'a> {
    kernel: KernelBuilder<'k, 'c, 'a>,
    group: Group<'c, 'a>,
    pub(super) members: Members<'c, 'a>,
    plan: Plan,
    schedule: Schedule,
}

/// What has been computed of stages that are computed where they are read: the stage, the point, its values.
type Computed<'c, 'a> = Vec<(usize, Vec<Expr>, Vec<Value<'c, 'a>>)>;

/// The tiles of a kernel, while they are made.
struct Tiles<'c, 'a> {
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
        (name, location): (&str, Location<'c>),
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
        let kernel = KernelBuilder::new(lowering, kernels, name, location, &sources, &results);
        Ok(Self { kernel, group, members, plan, schedule })
    }

    /// The kernel's code and launch; returns how many stages were inlined.
    fn fill(&mut self) -> Result<usize, Failure<'c>> {
        let b = self.kernel.head;
        let at = self.tile_id(&b);
        let own = self.own_tile(&b, &at);
        self.tiles(&own, &at)?;
        self.note_schedule();
        let host = self.kernel.lowering.builder.located(b.location());
        let grid = grid_of(self.blocks_on_host(&host), &host);
        let threads = self.plan.mapping.threads(self.schedule.scope);
        self.kernel.launch(&grid, threads);
        let warps = compiled_warps(&self.members.model, &self.plan, &self.schedule);
        self.kernel.want_warps(warps, threads);
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

    /// The extents of the stages, in the kernel.
    fn ends(&mut self) -> Vec<Vec<Number<'c, 'a>>> {
        let stages: Vec<_> = self.members.stages.iter().map(|member| member.stage).collect();
        stages.into_iter().map(|stage| self.kernel.extents_of(stage)).collect()
    }

    /// The number of blocks along each dimension of the grid.
    fn blocks_on_host(&self, b: &Builder<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let ends: Vec<_> = self.members.stages.iter().map(|member| member.extents.clone()).collect();
        let b = &b.named("blocks");
        let divide = |end, axis: usize, step| parts(b, end, step * self.plan.mapping.warps[axis]);
        count_tiles(b, &self.members.model, &self.plan.parts, &ends, divide)
    }

    /// The number of the warp's tile along each dimension of the grid.
    fn tile_id(&mut self, b: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
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
            let ends = self.ends();
            let tiles = &b.named("tiles_c");
            let divide = |end, _, step| Emit(tiles).ceil_div(&end, step);
            let c = count_tiles(tiles, &self.members.model, &self.plan.parts, &ends, divide)[1].value(b);
            let both = ids[0];
            ids.splice(..1, [b.named("tile_n").arith("divui", both, c), b.named("tile_c").arith("remui", both, c)]);
        }
        ids
    }

    /// Code for warps that have a tile: the last block of a row may hold more warps than there are tiles left.
    fn own_tile(&mut self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>]) -> Builder<'c, 'a> {
        let ends = self.ends();
        let ends = tile_ends(&self.members.model, &self.plan.parts, &ends);
        let rank = at.len();
        let mut has_tile = None;
        let asked = b.named("has_tile");
        for (d, ((at, ends), warps)) in at.iter().zip(ends).zip(&self.plan.mapping.warps).enumerate() {
            let fits = |(step, end): &(i64, Number)| matches!(end, Number::Known(end) if (end + step - 1).div_euclid(*step) % warps == 0);
            if *warps == 1 || !ends.is_empty() && ends.iter().all(fits) {
                continue;
            }
            // A tile is one if it begins inside of some live-out.
            let begins = ends.iter().map(|(step, end)| {
                let first = origin(b, (*at, *step), (rank, d));
                asked.compare(Compare::Less, first, end.value(b))
            });
            let here = begins.reduce(|before, here| asked.logic("ori", before, here));
            let here = here.unwrap_or_else(|| asked.compare(Compare::Less, *at, b.index(1)));
            has_tile = asked.both(has_tile, Some(here));
        }
        has_tile.map_or(*b, |has_tile| b.if_then(has_tile))
    }

    /// The tile that an access of memory reads instead.
    fn input_tile(&self, access: &weft_model::Access, number: usize) -> Option<usize> {
        let (extents, reader) = (&self.members.model.stages[number].extents, self.plan.parts[number].as_ref()?);
        self.plan.inputs.iter().position(|input| input.is_read_by(access, extents, reader))
    }

    /// All computes and writes, at `b`.
    fn tiles(&mut self, b: &Builder<'c, 'a>, at: &[Value<'c, 'a>]) -> Result<(), Failure<'c>> {
        let mut tiles = Tiles { at: at.to_vec(), tiles: HashMap::new(), inputs: Vec::new() };
        for number in 0..self.plan.inputs.len() {
            let tile = self.load_input(b, number, &tiles);
            tiles.inputs.push(tile);
        }
        for number in 0..self.members.stages.len() {
            if self.plan.parts[number].is_some() && !self.is_inlined(number) {
                self.compute(b, number, &mut tiles)?;
            }
        }
        Ok(())
    }

    /// Whether a stage is computed where it is read.
    fn is_inlined(&self, number: usize) -> bool {
        self.members.model.stages[number].inlined_into.is_some()
    }

    /// The tile of an input.
    fn load_input(&mut self, b: &Builder<'c, 'a>, number: usize, tiles: &Tiles<'c, 'a>) -> Value<'c, 'a> {
        let input = &self.plan.inputs[number];
        let source = self.members.images[input.image];
        let padding =
            input.padding_of.and_then(|(stage, access)| self.members.stages[stage].accesses[access].load.padding());
        // An index without a boundary mode is inside wherever its value is used.
        let counts = |mode: &Mode| if *mode == Mode::None { Mode::Clamp } else { *mode };
        let modes: Vec<Boundary> = input.modes.iter().map(counts).map(boundary::dialect_boundary).collect();
        // Of a unit in memory only what is needed has been computed.
        let needed = program::unit_of(source).and_then(|unit| unit.needed());
        let memory = self.kernel.memory(source);
        let element = element_of(memory);
        let name = format!("input{number}");
        let b = &b.located(source.location()).of_stage(&name);
        let parts = ComputeParts { name: &name, elements: &[element], ..NO_PARTS };
        let (op, inner, coordinates) = build_compute(b, &tiles.at, &input.part, parts);
        let identity: Vec<Expr> = (0..coordinates.len()).map(dim).collect();
        let load = LoadParts {
            memory,
            coordinates: &coordinates,
            map: affine_map(b.context(), coordinates.len(), &identity),
            modes: &modes,
            needed: needed.as_deref(),
            padding: padding.filter(|_| modes.contains(&Boundary::Constant)),
            element,
        };
        let value = inner.insert(Load::build(b.context(), load, b.location()));
        inner.insert(Compute::build_yield(&[result_of(value)], b.location()));
        result_of(op)
    }

    /// The compute of a stage, and the writes of its live-outs.
    fn compute(&mut self, b: &Builder<'c, 'a>, number: usize, tiles: &mut Tiles<'c, 'a>) -> Result<(), Failure<'c>> {
        let part = self.plan.parts[number].clone().expect("asked before");
        let stage = self.members.stages[number].stage;
        let b = b.located(stage.op().location()).of_stage(stage.name());
        let is_read = |value: Value<'c, 'a>| {
            self.members.stages.iter().any(|member| member.accesses.iter().any(|access| access.load.source() == value))
        };
        let layout =
            if stage.op().results().any(|result| is_read(result.into())) { Layout::Shared } else { Layout::Lane };
        let extents: Vec<Value> = self.kernel.extents_of(stage).iter().map(|extent| extent.value(&b)).collect();
        let elements: Vec<Type> =
            (0..stage.op().result_count()).map(|index| stage.image_type(index).element()).collect();
        let needed = stage.needed();
        let wrap: Vec<usize> = (0..).zip(&part.periodic).filter(|(_, wraps)| **wraps).map(|(d, _)| d).collect();
        // Dimensions of the grid and of the stage end together.
        let lanes = &self.plan.mapping.lanes;
        let of_one_lane =
            |plane: usize| (plane + lanes.len()).checked_sub(part.region.len()).is_none_or(|d| lanes[d] == 1);
        let plane = self.members.model.body(number).plane().filter(|plane| part.region[*plane].len() > 1);
        let parts = ComputeParts {
            name: stage.name(),
            planes_together: plane.is_some_and(of_one_lane),
            extents: &extents,
            needed: needed.as_deref(),
            wrap: &wrap,
            elements: &elements,
            layout,
            ..NO_PARTS
        };
        let (op, inner, arguments) = build_compute(&b, &tiles.at, &part, parts);
        let identity: Vec<Expr> = (0..arguments.len()).map(dim).collect();
        let values = self.values(&inner, (number, &identity), &arguments, tiles, &mut Vec::new())?;
        inner.insert(Compute::build_yield(&values, b.location()));
        tiles.tiles.insert(number, op.results().map(Value::from).collect());
        for (index, image) in results_of(self.group, stage) {
            let region: Vec<(i64, i64)> = (0..part.strides.len()).map(|d| (0, part.own(d))).collect();
            let tile: Value = op.result(index).expect("an index of a result").into();
            let write = Write::build(b.context(), tile, &region, self.kernel.memory(image), false, b.location());
            b.insert(write);
        }
        Ok(())
    }

    /// What a stage yields at a point: its coordinates are `point`, expressions of the compute's `arguments`. Stages that are computed in it
    /// are computed once for all that read them at one point.
    fn values(
        &mut self,
        b: &Builder<'c, 'a>,
        (number, point): (usize, &[Expr]),
        arguments: &[Value<'c, 'a>],
        tiles: &Tiles<'c, 'a>,
        computed: &mut Computed<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let stage = self.members.stages[number].stage;
        let coordinates: Vec<Value> = point.iter().map(|place| apply(place, arguments, b)).collect();
        body::evaluate(&b.of_stage(stage.name()), stage, &coordinates, |b, read| {
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
                let before = computed.len();
                let values = self.values(b, (producer, &at), arguments, tiles, computed)?;
                let value = values[result];
                // What a branch computes is not available behind it.
                match read.is_nested() {
                    true => computed.truncate(before),
                    false => computed.push((producer, at, values)),
                }
                return Ok(value);
            }
            Ok(self.read(b, (number, access), &read, point, arguments, tiles))
        })
    }

    /// The value of a load, by the numbers of its stage and of the access.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        (number, access): (usize, usize),
        read: &Read<'c, 'a>,
        point: &[Expr],
        arguments: &[Value<'c, 'a>],
        tiles: &Tiles<'c, 'a>,
    ) -> Value<'c, 'a> {
        let load = self.members.stages[number].accesses[access].load;
        let model = &self.members.model.stages[number].accesses[access];
        // Variables are coordinates behind those of the compute.
        let variables = &read.coordinates[read.rank()..];
        let behind = (0..variables.len()).map(|place| dim(arguments.len() + place));
        let point: Vec<Expr> = point.iter().cloned().chain(behind).collect();
        let arguments = [arguments, variables].concat();
        let indices: Vec<Expr> = model.indices.iter().map(|index| index.substitute(&point).simplified()).collect();
        match model.source {
            Source::Stage(producer, result) => {
                let tile = tiles.tiles[&producer][result];
                self.read_stage(b, (number, access), read, tile, indices, arguments)
            }
            Source::Image(_) => {
                if let Some(input) = self.input_tile(model, number) {
                    return read_tile(b, tiles.inputs[input], &indices, &arguments, Boundary::None, read);
                }
                // Of a coordinate over an extent of its own everybody sees that it stays.
                let own = self.kernel.extents_of(self.members.stages[number].stage);
                let source = self.members.stages[number].accesses[access].extents.clone();
                let source: Vec<Number> = source.into_iter().map(|extent| self.kernel.number(extent)).collect();
                let model = &self.members.model.stages[number].accesses[access];
                let is_plain =
                    |d: usize| !self.is_inlined(number) && domain::is_own_extent(&indices[d], &own, source[d]);
                let leaves = (0..indices.len()).any(|d| model.mode(d) != Mode::None);
                let mode = |d: usize| match model.mode(d) {
                    Mode::None if !leaves || !is_plain(d) => Boundary::None,
                    _ => load.boundary(),
                };
                let modes: Vec<Boundary> = (0..indices.len()).map(mode).collect();
                let parts = LoadParts {
                    memory: self.kernel.memory(load.source()),
                    coordinates: &arguments,
                    map: affine_map(b.context(), arguments.len(), &indices),
                    modes: &modes,
                    needed: None,
                    padding: read.padding.filter(|_| modes.contains(&Boundary::Constant)),
                    element: read.element(),
                };
                result_of(b.insert(Load::build(b.context(), parts, b.location())))
            }
        }
    }

    /// The value of a load of a stage's tile. What an index computes is brought inside first: it can be anything.
    fn read_stage(
        &mut self,
        b: &Builder<'c, 'a>,
        (number, access): (usize, usize),
        read: &Read<'c, 'a>,
        tile: Value<'c, 'a>,
        mut indices: Vec<Expr>,
        mut arguments: Vec<Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        let source = self.members.stages[number].accesses[access].extents.clone();
        let source: Vec<Number> = source.into_iter().map(|extent| self.kernel.number(extent)).collect();
        let model = &self.members.model.stages[number].accesses[access];
        let mut inside = None;
        for d in (0..indices.len()).filter(|d| model.is_computed(*d)) {
            // A computed index stands alone; one value may be that of several dimensions, each of its own extent.
            let Expr::Dim(place) = indices[d] else { continue };
            let resolved = boundary::resolve(arguments[place], source[d], read.load.boundary(), b);
            indices[d] = dim(arguments.len());
            arguments.push(resolved.index);
            inside = b.both(inside, resolved.inside);
        }
        let boundary = match read.load.boundary() {
            Boundary::Wrap => Boundary::None,
            _ if model.stays() => Boundary::None,
            boundary => boundary,
        };
        let value = read_tile(b, tile, &indices, &arguments, boundary, read);
        read.or_padding(b, value, inside)
    }
}

/// A compute of nothing.
const NO_PARTS: ComputeParts<'static, 'static, 'static> = ComputeParts {
    name: "",
    at: &[],
    step: &[],
    region: &[],
    extents: &[],
    needed: None,
    wrap: &[],
    aligned: false,
    planes_together: false,
    elements: &[],
    layout: Layout::Shared,
};

/// A compute of a box, with an empty body: the op, where the body goes, and its coordinates.
fn build_compute<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    at: &[Value<'c, 'a>],
    part: &Part,
    parts: ComputeParts<'c, 'a, '_>,
) -> (OperationRef<'c, 'a>, Builder<'c, 'a>, Vec<Value<'c, 'a>>) {
    let at: Vec<Value> = part.strides.iter().map(|stride| at[stride.axis]).collect();
    let step: Vec<i64> = part.strides.iter().map(|stride| stride.step).collect();
    let region: Vec<(i64, i64)> = part.region.iter().map(|range| (range.lo, range.hi + 1)).collect();
    let parts = ComputeParts { at: &at, step: &step, region: &region, ..parts };
    let op = b.insert(Compute::build(b.context(), parts, b.location()));
    let block = only_block(op);
    let arguments = (0..region.len()).filter_map(|d| block.argument(d).ok()).map(Value::from).collect();
    (op, Builder::at_end(b.context(), block, b.location()), arguments)
}

fn result_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    op.result(0).expect("built with one result").into()
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
    let map = affine_map(b.context(), arguments.len(), indices);
    let padding = read.padding.filter(|_| boundary == Boundary::Constant);
    let op = warp::Read::build(b.context(), tile, arguments, map, boundary, padding, b.location());
    result_of(b.insert(op))
}
