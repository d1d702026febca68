//! The kernel of one thread a point: of a stage that leaves its group, with all that it needs in the group.
//!
//! ```text
//! %y, %x = block_id * block_dim + thread_id
//! scf.if (%y, %x) in the image { <b at (%y, %x), with <a at ...> where it reads a> }
//! ```

use super::{
    grid::{self, grid_of, launch_dims},
    kernel::{KernelBuilder, Kernels},
};
use crate::{
    analysis::{
        bounds,
        domain::{needed_domain, whole},
    },
    group::{live_outs, producer_of, results_of},
    ir::{
        Axis, Builder, Compare, Emit, Key, Number, key,
        location::{self, of_stage},
        numbers, parts, range_extent,
    },
    lower::{
        Lowering,
        body::{self, Known, Read, Space},
    },
};
use melior::ir::{Value, operation::OperationLike};
use mlir_glue::{Diagnostic, Failure};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Group, Schedule, Stage, coordinate_names};
use weft_model::Arith;

/// More bodies than this in one kernel means that inlining has run away (a chain of stencils grows as a power).
const MAX_BODIES: usize = 20_000;

/// A chain of producers longer than this would exhaust the compiler's own stack.
const MAX_DEPTH: usize = 500;

/// Warps of an SM that a kernel is compiled for.
const WARPS: i64 = 16;

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
        point.fill()?;
        point.launch()?;
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

/// What a thread has computed: good as far as the region that it was computed in.
#[derive(Clone, Default)]
struct Computed<'c, 'a> {
    indices: Known<'c, 'a>,
    /// Results of a stage at a point, or of a load of memory at a point (then one).
    points: HashMap<(Key, Vec<Key>), Vec<Value<'c, 'a>>>,
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

    /// The threads of a block along each dimension of the stage.
    fn block(&self) -> Result<Vec<i64>, Diagnostic<'c>> {
        let rank = self.stage.rank();
        let schedule = self.group.schedule().map(|schedule| Schedule::parse(schedule, rank));
        let fail = |message: String| Diagnostic::on(self.group.op(), message);
        let schedule =
            schedule.transpose().map_err(|message| fail(format!("stage \"{}\": {message}", self.stage.name())))?;
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
        let threads = block.iter().fold(1i64, |threads, n| threads.saturating_mul(*n));
        if threads > weft_model::MAX_THREADS {
            return Err(fail(format!(
                "schedule key 'block' asks for {threads} threads, expected at most {}",
                weft_model::MAX_THREADS
            )));
        }
        if rank == 3 && block[0] > 64 {
            return Err(fail(format!(
                "schedule key 'block' asks for {} threads along c, expected at most 64",
                block[0]
            )));
        }
        if rank == 4 && block[0] * block[1] != 1 {
            return Err(fail(
                "schedule key 'block' has several threads along n or c of four dimensions, expected 1".into(),
            ));
        }
        Ok(block)
    }

    /// The thread's code.
    fn fill(&mut self) -> Result<(), Failure<'c>> {
        let block = self.block()?;
        let extents = self.kernel.extents_of(self.stage);
        let b = self.kernel.head;
        let domain = needed_domain(self.stage, &extents, &b);
        let mut coordinates: Vec<Value> = self.threads(&b, &block, &domain);
        for ((coordinate, range), name) in coordinates.iter_mut().zip(&domain).zip(coordinate_names(block.len())) {
            let b = b.named(name);
            *coordinate = Emit(&b).add(&Number::Value(*coordinate), &range.lo).value(&b);
        }
        let mut inside = None;
        let b = b.named("inside");
        for (coordinate, range) in coordinates.iter().zip(&domain) {
            inside = b.both(inside, Some(b.compare(Compare::LessEqual, *coordinate, range.hi.value(&b))));
        }
        let thread = b.if_then(inside.expect("stages have dimensions"));
        let values = self.evaluate(&thread, self.stage, &coordinates, &domain, &extents)?;
        for (index, tensor) in results_of(self.group, self.stage) {
            thread.store(values[index], self.kernel.memory(tensor), &coordinates);
        }
        Ok(())
    }

    /// The thread's coordinate along each dimension, from 0.
    fn threads(
        &self,
        b: &Builder<'c, 'a>,
        block: &[i64],
        domain: &[weft_model::Range<Number<'c, 'a>>],
    ) -> Vec<Value<'c, 'a>> {
        let rank = block.len();
        let mut coordinates: Vec<Value> = [("x", Axis::X), ("y", Axis::Y)]
            .into_iter()
            .zip(block.iter().rev())
            .map(|(axis, n)| grid::coordinate(b, axis, *n))
            .collect();
        match rank {
            3 => coordinates.push(grid::coordinate(b, ("c", Axis::Z), block[0])),
            4 => {
                // Two dimensions share z: n * (points along c) + c.
                let z = grid::coordinate(b, ("z", Axis::Z), 1);
                let c = range_extent(&domain[1], &b.named("extent")).value(b);
                coordinates.push(b.named("c").arith("remsi", z, c));
                coordinates.push(b.named("n").arith("divsi", z, c));
            }
            _ => {}
        }
        coordinates.reverse();
        coordinates
    }

    /// All results of a stage at a point.
    fn evaluate(
        &mut self,
        b: &Builder<'c, 'a>,
        stage: Stage<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
        domain: &[weft_model::Range<Number<'c, 'a>>],
        extents: &[Number<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        self.bodies += 1;
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
        let values = body::evaluate(&of_stage, stage, coordinates, |b, read| {
            let before = read.is_nested().then(|| self.computed.clone());
            let value = self.read(b, &read, domain, extents);
            if let Some(before) = before {
                self.computed = before;
            }
            value
        });
        self.depth -= 1;
        values
    }

    /// The value of a load.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        read: &Read<'c, 'a>,
        domain: &[weft_model::Range<Number<'c, 'a>>],
        extents: &[Number<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let tensor = read.load.source();
        let producer = producer_of(self.group, tensor);
        let source: Vec<_> = match producer {
            Some(stage) => self.kernel.extents_of(stage),
            None => self.kernel.extents(tensor),
        };
        let space = Space { domain, extents, source: &source };
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
                self.evaluate(b, stage, &resolved.indices, &whole, &source)?
            }
            (None, None) => {
                let memory = self.kernel.memory(tensor);
                let name = location::name_of_value(memory).unwrap_or_default();
                vec![b.named(name).load(memory, &resolved.indices, read.element())]
            }
        };
        let value = values[result];
        self.computed.points.insert((what, point), values);
        debug_assert!(read.load.boundary() != Boundary::Constant || read.padding.is_some(), "verified");
        Ok(read.or_padding(b, value, resolved.inside))
    }

    fn launch(&mut self) -> Result<(), Failure<'c>> {
        let block = self.block()?;
        let b = self.kernel.lowering.builder.located(self.stage.op().location());
        let grid = self.grid(&b, &block);
        self.kernel.launch(&grid, launch_dims(&block));
        self.kernel.want_warps(WARPS, launch_dims(&block));
        Ok(())
    }

    /// The number of blocks along x, y and z.
    fn grid(&self, b: &Builder<'c, 'a>, block: &[i64]) -> [Number<'c, 'a>; 3] {
        let extents = numbers(self.stage.extents());
        let blocks: Vec<Number> = needed_domain(self.stage, &extents, b)
            .iter()
            .zip(block)
            .map(|(range, threads)| parts(b, range_extent(range, b), *threads))
            .collect();
        grid_of(blocks, b)
    }
}
