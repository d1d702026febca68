//! Kernels without tiles: a thread computes points of a stage that leaves its group, with all that they need in the group.
//!
//! ```text
//! %y, %x = block_id * block_dim + thread_id
//! scf.if (%y, %x) in the image { <b at (%y, %x), with <a at ...> where it reads a> }
//! ```
//!
//! **Several points a thread** (`tile`) have in common what they read: of a product of matrices 2x2 points read two rows and two columns
//! for four products. A reduce is one loop that carries the sums of all of them, in registers:
//!
//! ```text
//! scf.for %k carrying (%c00, %c01, %c10, %c11) { <a at (%y, %k), (%y + 1, %k)>, <b at (%k, %x), (%k, %x + 32)>, four fma }
//! ```
//!
//! Along columns they lie as far apart as the block is wide, so that lanes load and store neighbours; along the others side by side. Warps
//! whose points all lie in the image, with all that they read, have code without boundary modes. In the others points beyond the image
//! are computed of what lies at its edge, and not stored.
//!
//! **Pixels** (`block = [8, 32, 1], tile = [1, 2, 3]` of an image whose last dimension is its colours): lanes lie along the last dimension
//! that has several threads, and each has all colours of a pixel, which are neighbours in memory.

use super::{
    condition::Condition,
    grid::{grid_of, launch_dims},
    kernel::{KernelBuilder, Kernels},
    loads_first::loads_first,
    runs::{RunVector, VectorId},
};
use crate::{
    analysis::{
        access, bounds,
        domain::{needed_domain, whole},
    },
    group::{live_outs, producer_of, results_of},
    ir::{
        Axis, Builder, Compare, Emit, Key, Number, block_id, constant_index, key,
        location::{self, of_stage},
        numbers, parts, range_extent, table_of, thread_id,
    },
    lower::{
        Lowering,
        body::{self, Known, Reach, Read, Space, Whereabouts},
    },
};
use melior::ir::{Value, operation::OperationLike};
use mlir_glue::{Diagnostic, Failure};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Group, Schedule, Stage, coordinate_names};
use weft_model::{Arith, Expr, Range, Unroll, range_of, wanted_warps_of_threads};

/// More bodies than this in one kernel means that inlining has run away (a chain of stencils grows as a power).
const MAX_BODIES: usize = 20_000;

/// A chain of producers longer than this would exhaust the compiler's own stack.
const MAX_DEPTH: usize = 500;

/// Points of a thread at most: each is written out.
const MOST_POINTS: i64 = 256;

/// The axes of the grid, of the last dimension first.
const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// What was done, for statistics.
pub struct Done {
    /// Kernels made.
    pub kernels: usize,
    /// Bodies of stages put into them.
    pub bodies: usize,
}

/// Makes a kernel of each stage that leaves a group, called so.
///
/// # Errors
///
/// A block that cannot be, and stages that need too many bodies.
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    group: Group<'c, 'a>,
    name: impl Fn(Stage) -> String,
) -> Result<Done, Failure<'c>> {
    let mut done = Done { kernels: 0, bodies: 0 };
    for stage in live_outs(group) {
        let mut point = PointKernel::new(lowering, kernels, &name(stage), group, stage);
        let shape = point.shape()?;
        point.fill(&shape)?;
        point.launch(&shape);
        done.kernels += 1;
        done.bodies += point.bodies;
    }
    Ok(done)
}

/// The images that a stage of a group and its producers in the group read from memory, in the order in which they are met.
fn inputs_of<'c: 'a, 'a>(group: Group<'c, 'a>, stage: Stage<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut inputs = Vec::new();
    let mut pending = vec![stage];
    let mut visited = Vec::new();
    while let Some(stage) = pending.pop() {
        for load in bounds::loads(stage) {
            let source = load.source();
            match producer_of(group, source) {
                Some(producer) if !visited.contains(&producer) => {
                    visited.push(producer);
                    pending.push(producer);
                }
                None if !inputs.contains(&source) => inputs.push(source),
                _ => {}
            }
        }
    }
    inputs
}

/// A kernel in the making: the code of `stage` for one thread.
struct PointKernel<'k, 'c, 'a> {
    kernel: KernelBuilder<'k, 'c, 'a>,
    group: Group<'c, 'a>,
    stage: Stage<'c, 'a>,
    /// Indices and points that this thread has.
    computed: Computed<'c, 'a>,
    /// Bodies put into the kernel so far.
    bodies: usize,
    /// How many consumers the body in hand is for.
    depth: usize,
}

/// Who computes what: outermost dimension first.
struct Shape {
    /// The points of a thread.
    tile: Vec<i64>,
    /// The threads of a block.
    block: Vec<i64>,
}

impl Shape {
    /// The points of a block along a dimension.
    fn along(&self, d: usize) -> i64 {
        self.block[d] * self.tile[d]
    }

    /// The dimension that the lanes of a warp lie along.
    fn lane_axis(&self) -> usize {
        weft_model::lane_axis(&self.block)
    }

    /// Whether blocks of the same rows and columns follow each other: they read the same rows of all planes, which L2 then has. Blocks
    /// along c are the grid's x, those along x its y, those along y its z.
    fn has_planes_first(&self) -> bool {
        self.tile.len() == 3 && self.lane_axis() == 2 && self.tile.iter().any(|points| *points > 1)
    }

    /// How far the points of a thread lie from its first.
    fn offsets(&self) -> Vec<Vec<i64>> {
        let step = |d: usize| if d == self.lane_axis() { self.block[d] } else { 1 };
        self.tile.iter().enumerate().fold(vec![Vec::new()], |all, (d, points)| {
            let of =
                |before: &Vec<i64>| (0..*points).map(|n| [&before[..], &[n * step(d)]].concat()).collect::<Vec<_>>();
            all.iter().flat_map(of).collect()
        })
    }

    /// Whether the points that are needed along a dimension are those of whole blocks.
    fn divides(&self, d: usize, needed: &Range<Number>) -> bool {
        known_extent(needed).map_or(self.along(d) == 1, |extent| extent % self.along(d) == 0)
    }

    /// From where to where the first points of threads lie, as far as that is known.
    fn of_threads<'c, 'a>(&self, domain: &[Range<Number<'c, 'a>>]) -> Vec<Range<Number<'c, 'a>>> {
        let last_offset = self.offsets().pop().unwrap_or_default();
        let along = domain.iter().zip(last_offset).enumerate();
        along
            .map(|(d, (range, offset))| match (range.lo, range.hi) {
                (Number::Known(lo), Number::Known(hi)) => {
                    let blocks = (hi - lo + self.along(d)) / self.along(d);
                    Range::new(Number::Known(lo), Number::Known(lo + blocks * self.along(d) - 1 - offset))
                }
                _ => *range,
            })
            .collect()
    }
}

/// Where points begin along a dimension: of a block, from the first that is needed, and of a thread.
struct First<'c, 'a> {
    of_block: Number<'c, 'a>,
    of_thread: Number<'c, 'a>,
}

/// The stage that is computed, and where.
struct OfStage<'s, 'c, 'a> {
    domain: &'s [Range<Number<'c, 'a>>],
    extents: &'s [Number<'c, 'a>],
    whereabouts: Whereabouts<'s>,
}

/// The point at this distance.
fn moved<'c: 'a, 'a>(b: &Builder<'c, 'a>, coordinates: &[Value<'c, 'a>], offset: &[i64]) -> Vec<Value<'c, 'a>> {
    let names = coordinate_names(coordinates.len());
    let along = coordinates.iter().zip(offset).zip(names);
    along
        .map(|((at, offset), name)| Emit(&b.named(name)).add(&Number::Value(*at), &Number::Known(*offset)).value(b))
        .collect()
}

/// Whether a number is known to stay at most another, with something added.
fn known_at_most(number: Number, more: i64, most: Number) -> bool {
    matches!((number, most), (Number::Known(number), Number::Known(most)) if number + more <= most)
}

/// How many points lie between these, where that is known.
fn known_extent(range: &Range<Number>) -> Option<i64> {
    match (range.lo, range.hi) {
        (Number::Known(lo), Number::Known(hi)) => Some(hi - lo + 1),
        _ => None,
    }
}

fn known_range<'c, 'a>(range: Range<i64>) -> Range<Number<'c, 'a>> {
    Range::new(Number::Known(range.lo), Number::Known(range.hi))
}

/// What a thread has computed: good as far as the region that it was computed in.
#[derive(Clone, Default)]
struct Computed<'c, 'a> {
    indices: Known<'c, 'a>,
    /// Results of a stage at a point, or of a load of memory at a point (then one).
    points: HashMap<(Key, Vec<Key>), Vec<Value<'c, 'a>>>,
    /// Vectors of memory.
    vectors: HashMap<(Key, VectorId), Value<'c, 'a>>,
}

impl<'k, 'c: 'a, 'a> PointKernel<'k, 'c, 'a> {
    fn new(
        lowering: &'k Lowering<'c, 'a>,
        kernels: &mut Kernels<'c, 'a>,
        name: &str,
        group: Group<'c, 'a>,
        stage: Stage<'c, 'a>,
    ) -> Self {
        let results: Vec<Value> = results_of(group, stage).into_iter().map(|(_, tensor)| tensor).collect();
        let inputs = inputs_of(group, stage);
        let location = of_stage(lowering.builder.context(), stage.name(), stage.op().location());
        let kernel = KernelBuilder::new(lowering, kernels, name, location, &inputs, &results);
        Self { kernel, group, stage, computed: Computed::default(), bodies: 0, depth: 0 }
    }

    /// Who computes what, as the group's schedule has it.
    fn shape(&self) -> Result<Shape, Diagnostic<'c>> {
        let rank = self.stage.rank();
        let schedule = self.group.schedule().map(|schedule| Schedule::parse(schedule, rank));
        let fail = |message: String| Diagnostic::on(self.group.op(), message);
        let schedule =
            schedule.transpose().map_err(|message| fail(format!("stage \"{}\": {message}", self.stage.name())))?;
        let is_of_threads = |schedule: &Schedule| schedule.scope.as_deref() == Some("thread");
        let tile = schedule.clone().filter(is_of_threads).and_then(|schedule| schedule.tile);
        let block = schedule.and_then(|schedule| schedule.block).unwrap_or_else(|| match rank {
            1 => vec![256],
            rank => (0..rank)
                .map(|d| {
                    if d + 1 == rank {
                        32
                    } else if d + 2 == rank {
                        8
                    } else {
                        1
                    }
                })
                .collect(),
        });
        let shape = Shape { tile: tile.unwrap_or_else(|| vec![1; rank]), block };
        let threads = shape.block.iter().fold(1i64, |threads, n| threads.saturating_mul(*n));
        if threads > weft_model::MAX_THREADS {
            return Err(fail(format!(
                "schedule key 'block' asks for {threads} threads, expected at most {}",
                weft_model::MAX_THREADS
            )));
        }
        let points = shape.tile.iter().fold(1i64, |points, n| points.saturating_mul(*n));
        if points > MOST_POINTS {
            return Err(fail(format!(
                "schedule key 'tile' asks for {points} points of a thread, expected at most {MOST_POINTS}"
            )));
        }
        if rank == 3 && shape.block[0] > 64 {
            return Err(fail(format!(
                "schedule key 'block' asks for {} threads along c, expected at most 64",
                shape.block[0]
            )));
        }
        if rank == 4 && shape.block[0] * shape.block[1] != 1 {
            return Err(fail(
                "schedule key 'block' has several threads along n or c of four dimensions, expected 1".into(),
            ));
        }
        Ok(shape)
    }

    /// The thread's code.
    fn fill(&mut self, shape: &Shape) -> Result<(), Failure<'c>> {
        let extents = self.kernel.extents_of(self.stage);
        let b = self.kernel.head;
        let domain = needed_domain(self.stage, &extents, &b);
        let firsts = self.firsts(&b, shape, &domain);
        let coordinates: Vec<Value> = firsts.iter().map(|first| first.of_thread.value(&b)).collect();
        let offsets = shape.offsets();
        let at = (&coordinates[..], &offsets[..]);
        let inside = OfStage { domain: &domain, extents: &extents, whereabouts: Whereabouts::Inside };
        if offsets.len() == 1 {
            let thread = self.of_image(&b, &coordinates, &shape.of_threads(&domain), &domain);
            return self.points(&thread, at, &OfStage { whereabouts: Whereabouts::Domain, ..inside }, None);
        }
        match self.all_inside(&b, shape, &firsts, &domain)? {
            Condition::Never => self.at_edge(&b, shape, at, &domain),
            Condition::Always => self.points(&b, at, &inside, None),
            Condition::If(condition) => {
                let (then, otherwise) = b.if_else(condition);
                let before = self.computed.clone();
                self.points(&then, at, &inside, None)?;
                self.computed = before;
                self.at_edge(&otherwise, shape, at, &domain)
            }
        }
    }

    /// The points of a thread of which some may lie beyond the image.
    fn at_edge(
        &mut self,
        b: &Builder<'c, 'a>,
        shape: &Shape,
        at: (&[Value<'c, 'a>], &[Vec<i64>]),
        domain: &[Range<Number<'c, 'a>>],
    ) -> Result<(), Failure<'c>> {
        let reach = Reach::of(self.stage, domain, |source| self.source_extents(source))?;
        let of_threads = shape.of_threads(domain);
        let thread = self.of_image(b, at.0, &of_threads, domain);
        let first =
            |(all, image): (&Range<Number<'c, 'a>>, &Range<Number<'c, 'a>>)| match known_at_most(all.hi, 0, image.hi) {
                true => *all,
                false => *image,
            };
        let firsts: Vec<_> = of_threads.iter().zip(domain).map(first).collect();
        let space = OfStage { domain: &firsts, extents: &[], whereabouts: Whereabouts::Beyond(&reach) };
        self.points(&thread, at, &space, Some(domain))
    }

    /// Where threads go on whose first point lies in the image.
    fn of_image(
        &self,
        b: &Builder<'c, 'a>,
        first: &[Value<'c, 'a>],
        of_threads: &[Range<Number<'c, 'a>>],
        domain: &[Range<Number<'c, 'a>>],
    ) -> Builder<'c, 'a> {
        let asked = b.named("inside");
        let mut is_own = None;
        for ((first, all), image) in first.iter().zip(of_threads).zip(domain) {
            if constant_index(*first).is_none() && !known_at_most(all.hi, 0, image.hi) {
                is_own = b.both(is_own, Some(asked.compare(Compare::LessEqual, *first, image.hi.value(b))));
            }
        }
        is_own.map_or(*b, |is_own| b.if_then(is_own))
    }

    /// The points of a thread. Of those that may lie beyond `needed` only those are stored that do not.
    fn points(
        &mut self,
        b: &Builder<'c, 'a>,
        (coordinates, offsets): (&[Value<'c, 'a>], &[Vec<i64>]),
        space: &OfStage<'_, 'c, 'a>,
        needed: Option<&[Range<Number<'c, 'a>>]>,
    ) -> Result<(), Failure<'c>> {
        let values = self.evaluate(b, self.stage, (coordinates, offsets), space)?;
        loads_first(b.block());
        for (values, offset) in values.iter().zip(offsets) {
            let point = moved(b, coordinates, offset);
            let mut inside = None;
            for (d, range) in needed.unwrap_or_default().iter().enumerate() {
                // Of its first point the thread has asked already.
                if offset[d] > 0 && !known_at_most(space.domain[d].hi, offset[d], range.hi) {
                    let asked = b.named("inside");
                    inside = b.both(inside, Some(asked.compare(Compare::LessEqual, point[d], range.hi.value(b))));
                }
            }
            let own = inside.map_or(*b, |inside| b.if_then(inside));
            for (index, tensor) in results_of(self.group, self.stage) {
                own.store(values[index], self.kernel.memory(tensor), &point);
            }
        }
        Ok(())
    }

    /// Whether all points of a warp lie in the image, with what they read of memory. Of what they read of other stages nothing is said.
    fn all_inside(
        &mut self,
        b: &Builder<'c, 'a>,
        shape: &Shape,
        firsts: &[First<'c, 'a>],
        domain: &[Range<Number<'c, 'a>>],
    ) -> Result<Condition<'c, 'a>, Failure<'c>> {
        let names = coordinate_names(firsts.len());
        // The lanes of a warp differ in their columns alone, where a block is whole warps wide.
        let (lanes, is_wide) = (shape.lane_axis(), shape.block[shape.lane_axis()] % 32 == 0);
        let along = |d: usize, first: &First<'c, 'a>| {
            let b = b.named(names[d]);
            let mut emit = Emit(&b);
            if d < lanes && is_wide {
                let lo = first.of_thread;
                return Range::new(lo, emit.add(&lo, &Number::Known(shape.tile[d] - 1)));
            }
            let lo = emit.add(&first.of_block, &domain[d].lo);
            Range::new(lo, emit.add(&lo, &Number::Known(shape.along(d) - 1)))
        };
        let of_warp: Vec<Range<Number>> = firsts.iter().enumerate().map(|(d, first)| along(d, first)).collect();
        let asking = &b.named("inside");
        let mut condition = Condition::Always;
        for (d, (range, needed)) in of_warp.iter().zip(domain).enumerate() {
            if !shape.divides(d, needed) {
                condition = condition.and_compare(asking, Compare::LessEqual, range.hi, needed.hi);
            }
        }
        let mut asked: Vec<(Expr, Result<i64, Key>)> = Vec::new();
        for load in bounds::loads(self.stage) {
            if producer_of(self.group, load.source()).is_some() {
                return Ok(Condition::Never);
            }
            let variables = access::variables(load);
            let windows = variables.iter().map(|variable| variable.range.map(known_range));
            let ranges: Vec<Option<Range<Number>>> = of_warp.iter().copied().map(Some).chain(windows).collect();
            let indices = access::indices(load)?;
            for (index, extent) in indices.iter().zip(self.kernel.extents(load.source())) {
                let of_index: Option<Vec<Range<Number>>> = index.dims().into_iter().map(|d| ranges[d]).collect();
                // What is computed is brought inside wherever the warp is.
                if load.boundary() == Boundary::None
                    || of_index.is_none()
                    || asked.contains(&(index.clone(), extent.id()))
                {
                    continue;
                }
                asked.push((index.clone(), extent.id()));
                let all: Vec<Range<Number>> =
                    ranges.iter().map(|range| range.unwrap_or(known_range(Range::new(0, 0)))).collect();
                let read = range_of(index, &all, &mut Emit(b));
                condition = condition.and_compare(asking, Compare::GreaterEqual, read.lo, Number::Known(0));
                condition = condition.and_compare(asking, Compare::Less, read.hi, extent);
            }
        }
        Ok(condition)
    }

    /// The first point of the block and of the thread, along each dimension: a number where there is one block, of one thread.
    fn firsts(&self, b: &Builder<'c, 'a>, shape: &Shape, domain: &[Range<Number<'c, 'a>>]) -> Vec<First<'c, 'a>> {
        let rank = shape.block.len();
        let blocks = |d: usize| parts(b, range_extent(&domain[d], &b.named("extent")), shape.along(d));
        let mut shared = None;
        let mut block = |d: usize| {
            if known_extent(&domain[d]).is_some_and(|extent| extent <= shape.along(d)) {
                return Number::Known(0);
            }
            Number::Value(match AXES.get(rank - 1 - d) {
                Some(_) if shape.has_planes_first() => block_id(&b.named("block"), AXES[(rank - d) % 3]),
                Some(axis) if rank < 4 || d > 1 => block_id(&b.named("block"), *axis),
                // Two dimensions share z: n * (blocks along c) + c.
                _ => {
                    let (z, c) = *shared.get_or_insert_with(|| (block_id(&b.named("z"), Axis::Z), blocks(1).value(b)));
                    let name = if shape.along(d) == 1 { coordinate_names(rank)[d] } else { "block" };
                    b.named(name).arith(if d == 1 { "remsi" } else { "divsi" }, z, c)
                }
            })
        };
        let mut firsts = Vec::new();
        for (d, name) in coordinate_names(rank).iter().enumerate().rev() {
            let of_block = Emit(&b.named("first")).mul(&block(d), shape.along(d));
            let axis = AXES.get(rank - 1 - d).filter(|_| shape.block[d] > 1 && (rank < 4 || d > 1));
            let b = b.named(name);
            let mut emit = Emit(&b);
            let place = axis.map_or(Number::Known(0), |axis| {
                let thread = Number::Value(thread_id(&b.named("thread"), *axis));
                emit.mul(&thread, if d == shape.lane_axis() { 1 } else { shape.tile[d] })
            });
            let place = emit.add(&of_block, &place);
            firsts.insert(0, First { of_block, of_thread: emit.add(&place, &domain[d].lo) });
        }
        firsts
    }

    /// All results of a stage, at points that lie at these distances from coordinates.
    fn evaluate(
        &mut self,
        b: &Builder<'c, 'a>,
        stage: Stage<'c, 'a>,
        (coordinates, offsets): (&[Value<'c, 'a>], &[Vec<i64>]),
        space: &OfStage<'_, 'c, 'a>,
    ) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
        self.bodies += offsets.len();
        self.depth += 1;
        let limit = match () {
            () if self.bodies > MAX_BODIES => Some(format!("more than {MAX_BODIES} bodies of producers")),
            () if self.depth > MAX_DEPTH => Some(format!("a chain of more than {MAX_DEPTH} producers")),
            () => None,
        };
        if let Some(limit) = limit {
            let message = format!(
                "needs {limit} in one thread of group \"{}\"; split the group, for example with --fuse=\"strategy=none\"",
                self.group.name()
            );
            return Err(Diagnostic::on(self.stage.op(), message).into());
        }
        let of_stage = b.of_stage(stage.name()).named(stage.name());
        let unroll = Unroll::of(offsets.len() as i64, !matches!(space.whereabouts, Whereabouts::Inside));
        // What was known before each of the regions that the load in hand stands in.
        let mut outside: Vec<(usize, Computed)> = Vec::new();
        let values = body::evaluate_points(&of_stage, stage, coordinates, (offsets, unroll), |b, read| {
            self.enter(&mut outside, &read.regions);
            self.read(b, &read, space)
        });
        self.enter(&mut outside, &[]);
        self.depth -= 1;
        values
    }

    /// Leaves regions, with what was computed in them, and enters these.
    fn enter(&mut self, outside: &mut Vec<(usize, Computed<'c, 'a>)>, regions: &[usize]) {
        let common = outside.iter().zip(regions).take_while(|((open, _), region)| open == *region).count();
        if let Some((_, before)) = outside.drain(common..).next() {
            self.computed = before;
        }
        outside.extend(regions[common..].iter().map(|region| (*region, self.computed.clone())));
    }

    /// The extents of what is read, of a stage of the group or of memory.
    fn source_extents(&mut self, tensor: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        match producer_of(self.group, tensor) {
            Some(stage) => self.kernel.extents_of(stage),
            None => self.kernel.extents(tensor),
        }
    }

    /// The value of a load.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        read: &Read<'c, 'a>,
        of: &OfStage<'_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let tensor = read.load.source();
        let producer = producer_of(self.group, tensor);
        let source = self.source_extents(tensor);
        let space = Space { domain: of.domain, extents: of.extents, source: &source, whereabouts: of.whereabouts };
        let resolved = body::resolve(b, read, &space, &mut self.computed.indices);
        let point: Vec<Key> = resolved.indices.iter().map(|index| key(*index)).collect();
        let (what, result) = match producer {
            Some(stage) => {
                let first: Value = stage.op().result(0).expect("stages have results").into();
                let result = stage.op().results().position(|result| Value::from(result) == tensor);
                (key(first), result.expect("the tensor is one of the stage's results"))
            }
            None => (key(tensor), 0),
        };
        let values = match (self.computed.points.get(&(what, point.clone())), producer) {
            (Some(values), _) => values.clone(),
            (None, Some(stage)) => {
                let mut emit = Emit(b);
                let whole = whole(&source, &mut emit);
                let here = [vec![0; source.len()]];
                let space = OfStage { domain: &whole, extents: &source, whereabouts: Whereabouts::Domain };
                self.evaluate(b, stage, (&resolved.indices, &here), &space)?.swap_remove(0)
            }
            (None, None) => {
                let memory = self.kernel.memory(tensor);
                let name = location::name_of_value(memory).unwrap_or_default();
                let b = b.named(name);
                // Where a table begins its global says.
                let run = if table_of(tensor).is_some() { None } else { RunVector::of(read, &resolved, &source) };
                vec![match run {
                    None => b.load(memory, &resolved.indices, read.element()),
                    Some(run) => {
                        let vectors = &mut self.computed.vectors;
                        let load = || run.load(&b, read, memory);
                        let vector = *vectors.entry((key(tensor), run.id.clone())).or_insert_with(load);
                        run.extract(&b, read, vector)
                    }
                }]
            }
        };
        let value = values[result];
        self.computed.points.insert((what, point), values);
        debug_assert!(read.load.boundary() != Boundary::Constant || read.padding.is_some(), "verified");
        Ok(read.or_padding(b, value, resolved.inside))
    }

    fn launch(&mut self, shape: &Shape) {
        let b = self.kernel.lowering.builder.located(self.stage.op().location());
        let grid = self.grid(&b, shape);
        self.kernel.launch(&grid, launch_dims(&shape.block));
        let warps = wanted_warps_of_threads(shape.tile.iter().product());
        self.kernel.want_warps(warps, launch_dims(&shape.block));
    }

    /// The number of blocks along x, y and z.
    fn grid(&self, b: &Builder<'c, 'a>, shape: &Shape) -> [Number<'c, 'a>; 3] {
        let extents = numbers(self.stage.extents());
        let blocks: Vec<Number> = needed_domain(self.stage, &extents, b)
            .iter()
            .enumerate()
            .map(|(d, range)| parts(b, range_extent(range, b), shape.along(d)))
            .collect();
        let [x, y, c] = grid_of(blocks, b);
        if shape.has_planes_first() { [c, x, y] } else { [x, y, c] }
    }
}
