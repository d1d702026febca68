//! `--map-to-gpu`: the simple way onto a GPU. One kernel for each live-out, one thread for each point, producers inlined.
//!
//! ```text
//! pipeline.group "g0" {                     gpu.module @f_kernels {
//!   %a = stage "a" ... %img                   gpu.func @f_g0_b(%img: memref<f32, 1>, %out: memref<f32, 1>,
//!   %b = stage "b" ... %a          ──▶                         %h: index, %w: index) kernel {
//!   yield %b }                                  %y, %x = block_id * block_dim + thread_id
//!                                               scf.if (%y, %x) in the image {
//!                                                 <b at (%y, %x), with <a at ...> where it reads a> }
//!                                           func @f(...) { gpu.launch_func @f_kernels::@f_g0_b ... }
//! ```
//!
//! Every thread computes all that its point needs, so a stencil of stencils computes points many times over: this lowering
//! is the plain one that tiled ones are measured against. Inside a thread nothing is computed twice: equal points are
//! equal SSA values, and a stage at a point that was computed is not computed again.
//!
//! Kernels take bare pointers (`memref<f32, 1>`) and extents, because MLIR's dynamic memrefs are descriptors of five words
//! or more. Results must not overlap arguments: inputs are `noalias readonly`, which lets LLVM use the read-only cache.

use crate::{
    access::{Emit, Number, needed_domain},
    body::{self, Known, Read, Space},
    bounds,
    builder::{Builder, Compare, Key, key, only_block},
    fuse::{self, Strategy},
    lowering::{Lowering, Memory},
    program::{self, is, symbol},
};
use melior::dialect::DialectHandle;
use melior::ir::{
    Block, BlockLike, BlockRef, OperationRef, Region, RegionLike, ShapedTypeLike, Type, Value, ValueLike,
    attribute::{ArrayAttribute, TypeAttribute},
    operation::{OperationLike, OperationMutLike},
    r#type::{FunctionType, MemRefType},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Group, Schedule, Stage};
use weft_model::Arith;

/// The pass.
pub struct MapToGpu;

const KERNELS: Statistic = Statistic::new(c"kernels", c"Kernels made");
const EVALUATED: Statistic = Statistic::new(c"stages-inlined", c"Times that a stage was put into a kernel");

/// More bodies than this in one kernel means that inlining has run away (a chain of stencils grows as a power).
const MAX_BODIES: usize = 20_000;

/// A chain of producers longer than this would exhaust the compiler's own stack.
const MAX_DEPTH: usize = 500;

impl Pass for MapToGpu {
    const ARGUMENT: &'static str = "map-to-gpu";
    const SUMMARY: &'static str = "Lower groups to one kernel a live-out, one thread a point, producers inlined";
    const DESCRIPTION: &'static str = "\
Makes a `gpu.module @NAME_kernels` beside each program, and turns the program into host code on memory that launches the \
kernels in order. The block is the schedule's `block`, else 8x32 threads. Stages in no group get a group of their own.";
    const STATISTICS: &'static [Statistic] = &[KERNELS, EVALUATED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
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

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            fuse::group_stages(cx, func, Strategy::None)?;
            let lowering = Lowering::begin(cx.context(), func, Memory::Device)?;
            let block = program::entry(func)?;
            let b = Builder::before(cx.context(), func);
            let mut names = Names::of(module);
            let name = names.fresh(&format!("{}_kernels", symbol(func)));
            let mut kernel_names = Names::default();
            let region = Region::new();
            region.append_block(Block::new(&[]));
            let attributes = [("sym_name", b.string_attribute(&name))];
            let kernels = only_block(b.op_with_regions("gpu.module", &[], &[], &attributes, vec![region]));
            for group in ir::operations(block).filter_map(Group::of) {
                for stage in live_outs(group) {
                    let mut kernel = Kernel::new(cx, &lowering, &mut kernel_names, func, group, stage, kernels)?;
                    kernel.fill()?;
                    kernel.launch(&name)?;
                    cx.count(KERNELS, 1);
                    cx.count(EVALUATED, kernel.bodies);
                }
            }
            lowering.finish(block);
            ir::mutable(module).set_attribute("gpu.container_module", b.parse_attribute("unit"));
        }
        Ok(())
    }
}

/// The stages of a group with results that leave it, each once.
fn live_outs<'c, 'a>(group: Group<'c, 'a>) -> Vec<Stage<'c, 'a>> {
    let mut stages: Vec<Stage> = Vec::new();
    for value in group.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>()) {
        let stage = program::stage_of(value).expect("live-outs are stages of the group");
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    stages
}

/// A kernel in the making: the code of `stage` for one thread.
struct Kernel<'k, 'c, 'a> {
    lowering: &'k Lowering<'c, 'a>,
    group: Group<'c, 'a>,
    stage: Stage<'c, 'a>,
    name: String,
    /// The `gpu.func`.
    func: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    /// Inserts what all threads share, before the thread's own code.
    head: Builder<'c, 'a>,
    /// Values of the host that the kernel takes: memory first, then numbers.
    arguments: Vec<Value<'c, 'a>>,
    inside: HashMap<Key, Value<'c, 'a>>,
    /// The memory of tensors of the host, in the kernel.
    memory: HashMap<Key, Value<'c, 'a>>,
    /// Indices and points that this thread has.
    seen: Seen<'c, 'a>,
    /// Bodies put into the kernel so far.
    bodies: usize,
    /// How many consumers the body in hand is for.
    depth: usize,
}

/// What a thread has computed: good as far as the region that it was computed in.
#[derive(Clone, Default)]
struct Seen<'c, 'a> {
    indices: Known<'c, 'a>,
    /// Results of a stage at a point, or of a load of memory at a point (then one).
    points: HashMap<(Key, Vec<Key>), Vec<Value<'c, 'a>>>,
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    fn new(
        cx: &PassContext<'c>,
        lowering: &'k Lowering<'c, 'a>,
        names: &mut Names,
        func: OperationRef<'c, 'a>,
        group: Group<'c, 'a>,
        stage: Stage<'c, 'a>,
        kernels: BlockRef<'c, 'a>,
    ) -> Result<Self, Failure<'c>> {
        let name = names.fresh(&format!("{}_{}_{}", symbol(func), group.name(), stage.name()));
        let b = Builder::at_end(cx.context(), kernels, stage.op().location());
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let empty: Type = FunctionType::new(cx.context(), &[], &[]).into();
        let attributes = [
            ("sym_name", b.string_attribute(&name)),
            ("function_type", TypeAttribute::new(empty).into()),
            ("gpu.kernel", b.parse_attribute("unit")),
            ("workgroup_attributions", b.parse_attribute("0 : i64")),
        ];
        let func = b.op_with_regions("gpu.func", &[], &[], &attributes, vec![region]);
        let body = only_block(func);
        let end = Builder::at_end(cx.context(), body, b.location()).op("gpu.return", &[], &[], &[]);
        let head = Builder::before(cx.context(), end).located(b.location());
        let mut kernel = Self {
            lowering,
            group,
            stage,
            name,
            func,
            body,
            head,
            arguments: Vec::new(),
            inside: HashMap::new(),
            memory: HashMap::new(),
            seen: Seen::default(),
            bodies: 0,
            depth: 0,
        };
        kernel.take_memory();
        Ok(kernel)
    }

    /// Arguments for all memory that the kernel touches: inputs, in the order in which they are read, then results.
    fn take_memory(&mut self) {
        let mut tensors: Vec<(Value, bool)> = Vec::new();
        let mut pending = vec![self.stage];
        let mut visited = Vec::new();
        while let Some(stage) = pending.pop() {
            for load in bounds::loads(stage) {
                let source = load.source();
                match self.producer(source) {
                    Some(producer) if !visited.contains(&producer) => {
                        visited.push(producer);
                        pending.push(producer);
                    }
                    Some(_) => {}
                    None if tensors.iter().all(|(tensor, _)| *tensor != source) => tensors.push((source, true)),
                    None => {}
                }
            }
        }
        tensors.extend(self.results().into_iter().map(|(_, tensor)| (tensor, false)));
        let arguments: Vec<_> = tensors
            .iter()
            .map(|(tensor, is_input)| {
                let element = element_of(self.lowering.buffer(*tensor));
                let ty = self.head.parse_type(&format!("memref<{element}, 1>"));
                self.arguments.push(self.lowering.buffer(*tensor));
                (*tensor, *is_input, self.body.add_argument(ty, self.head.location()))
            })
            .collect();
        for (tensor, _, pointer) in arguments {
            let extents: Vec<_> = self.lowering.extents(tensor).into_iter().map(|extent| self.number(extent)).collect();
            let memory = self.view(pointer, &extents);
            self.memory.insert(key(tensor), memory);
        }
    }

    /// The results of the kernel's stage that leave the group: their number, and what they are outside.
    fn results(&self) -> Vec<(usize, Value<'c, 'a>)> {
        let end = self.group.terminator().expect("a verified group");
        let mut results = Vec::new();
        for (live_out, value) in self.group.op().results().zip(end.operands()) {
            let index = self.stage.op().results().position(|result| Value::from(result) == value);
            results.extend(index.map(|index| (index, Value::from(live_out))));
        }
        results
    }

    /// The stage of this group that gives a tensor.
    fn producer(&self, tensor: Value<'c, 'a>) -> Option<Stage<'c, 'a>> {
        ir::defining_op(tensor).and_then(Stage::of).filter(|stage| stage.op().block() == Some(self.group.body()))
    }

    /// A number of the host, in the kernel.
    fn number(&mut self, number: Number<'c, 'a>) -> Number<'c, 'a> {
        match number {
            Number::Value(value) => Number::Value(self.import(value)),
            known => known,
        }
    }

    /// A value of the host, in the kernel: constants are made again, others become arguments.
    fn import(&mut self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if let Some(inside) = self.inside.get(&key(value)) {
            return *inside;
        }
        match ir::defining_op(value) {
            Some(op) if is(op, "arith.constant") => {
                let start = self.body.first_operation().expect("the block ends with a return");
                Builder::before(self.head.context(), start).clone_mapped(op, &mut self.inside);
                self.inside[&key(value)]
            }
            _ => {
                let argument = self.body.add_argument(value.r#type(), self.head.location());
                self.arguments.push(value);
                self.inside.insert(key(value), argument);
                argument
            }
        }
    }

    /// A bare pointer as row-major memory of these extents.
    fn view(&self, pointer: Value<'c, 'a>, extents: &[Number<'c, 'a>]) -> Value<'c, 'a> {
        let b = &self.head;
        let mut emit = Emit(b);
        // From the last dimension, whose stride is 1, to the first.
        let mut strides = Vec::new();
        let mut stride = Number::Known(1);
        for extent in extents.iter().rev() {
            strides.insert(0, stride);
            stride = match (stride, *extent) {
                (Number::Known(stride), extent) => emit.mul(&extent, stride),
                (stride, Number::Known(extent)) => emit.mul(&stride, extent),
                (stride, extent) => Number::Value(b.arith("muli", stride.value(b), extent.value(b))),
            };
        }
        let fixed = |number: &Number| match number {
            Number::Known(number) => number.to_string(),
            Number::Value(_) => i64::MIN.to_string(),
        };
        let list = |numbers: &[Number]| numbers.iter().map(fixed).collect::<Vec<_>>().join(", ");
        let array = |numbers: &[Number]| match numbers {
            [] => "array<i64>".to_owned(),
            numbers => format!("array<i64: {}>", list(numbers)),
        };
        let or_dynamic = |text: String| text.replace(&i64::MIN.to_string(), "?");
        let shape: String = extents.iter().map(|extent| or_dynamic(fixed(extent)) + "x").collect();
        let element = element_of(pointer);
        let ty = b.parse_type(&format!("memref<{shape}{element}, strided<[{}]>, 1>", or_dynamic(list(&strides))));
        let dynamic = |numbers: &[Number<'c, 'a>]| -> Vec<Value<'c, 'a>> {
            numbers
                .iter()
                .filter_map(|number| match number {
                    Number::Value(value) => Some(*value),
                    Number::Known(_) => None,
                })
                .collect()
        };
        let (sizes, steps) = (dynamic(extents), dynamic(&strides));
        let segments = b.parse_attribute(&format!("array<i32: 1, 0, {}, {}>", sizes.len(), steps.len()));
        let operands: Vec<Value> = [pointer].into_iter().chain(sizes).chain(steps).collect();
        let attributes = [
            ("operandSegmentSizes", segments),
            ("static_offsets", b.parse_attribute("array<i64: 0>")),
            ("static_sizes", b.parse_attribute(&array(extents))),
            ("static_strides", b.parse_attribute(&array(&strides))),
        ];
        b.value("memref.reinterpret_cast", &operands, ty, &attributes)
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
        if threads > 1024 {
            return Err(fail(format!("schedule key 'block' asks for {threads} threads, expected at most 1024")));
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
        let extents = self.extents(self.stage);
        let b = self.head;
        let domain = needed_domain(self.stage, &extents, &b);
        let mut coordinates: Vec<Value> = self.threads(&b, &block, &domain);
        for (coordinate, range) in coordinates.iter_mut().zip(&domain) {
            *coordinate = Emit(&b).add(&Number::Value(*coordinate), &range.lo).value(&b);
        }
        let mut inside = None;
        for (coordinate, range) in coordinates.iter().zip(&domain) {
            let is_in = b.compare(Compare::LessEqual, *coordinate, range.hi.value(&b));
            inside = Some(inside.map_or(is_in, |before| b.logic("andi", before, is_in)));
        }
        let thread = b.if_then(inside.expect("stages have dimensions"));
        let values = self.evaluate(&thread, self.stage, &coordinates, &domain, &extents)?;
        for (index, tensor) in self.results() {
            thread.store(values[index], self.memory[&key(tensor)], &coordinates);
        }
        // Constants that the body used were made on the host's side.
        self.bring_in();
        Ok(())
    }

    /// The thread's place along each dimension, from 0.
    fn threads(
        &self,
        b: &Builder<'c, 'a>,
        block: &[i64],
        domain: &[weft_model::Range<Number<'c, 'a>>],
    ) -> Vec<Value<'c, 'a>> {
        let place = |axis: &str, threads: i64| {
            let dimension = b.parse_attribute(&format!("#gpu<dim {axis}>"));
            let read = |op| b.value(op, &[], b.index_type(), &[("dimension", dimension)]);
            let start = b.arith("muli", read("gpu.block_id"), b.index(threads));
            b.arith("addi", start, read("gpu.thread_id"))
        };
        let rank = block.len();
        let mut places: Vec<Value> =
            ["x", "y"].iter().take(rank).zip(block.iter().rev()).map(|(a, n)| place(a, *n)).collect();
        match rank {
            3 => places.push(place("z", block[0])),
            4 => {
                // Two dimensions share z: n * (points along c) + c.
                let z = place("z", 1);
                let c = points(&domain[1], b).value(b);
                places.push(b.arith("remsi", z, c));
                places.push(b.arith("divsi", z, c));
            }
            _ => {}
        }
        places.reverse();
        places
    }

    fn extents(&mut self, stage: Stage<'c, 'a>) -> Vec<Number<'c, 'a>> {
        program::numbers(stage.extents()).into_iter().map(|extent| self.number(extent)).collect()
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
        let values = body::evaluate(b, stage, coordinates, |b, read| {
            let before = read.is_nested.then(|| self.seen.clone());
            let value = self.read(b, &read, domain, extents);
            if let Some(before) = before {
                self.seen = before;
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
        let producer = self.producer(tensor);
        let source: Vec<_> = match producer {
            Some(stage) => self.extents(stage),
            None => self.lowering.extents(tensor).into_iter().map(|extent| self.number(extent)).collect(),
        };
        self.check_indices(read, domain)?;
        let space = Space { domain, extents, source: &source };
        let place = body::resolve(b, read, &space, &mut self.seen.indices);
        let point: Vec<Key> = place.indices.iter().map(|index| key(*index)).collect();
        let (what, result) = match producer {
            Some(stage) => {
                let first: Value = stage.op().result(0).expect("stages have results").into();
                let result = stage.op().results().position(|result| Value::from(result) == tensor);
                (key(first), result.expect("the tensor is one of the stage's results"))
            }
            None => (key(tensor), 0),
        };
        let values = match (self.seen.points.get(&(what, point.clone())), producer) {
            (Some(values), _) => values.clone(),
            (None, Some(stage)) => {
                let mut emit = Emit(b);
                let whole = crate::access::whole(&source, &mut emit);
                self.evaluate(b, stage, &place.indices, &whole, &source)?
            }
            (None, None) => vec![b.load(self.memory[&key(tensor)], &place.indices, read.element())],
        };
        let value = values[result];
        self.seen.points.insert((what, point), values);
        debug_assert!(read.load.boundary() != Boundary::Constant || read.outside.is_some(), "verified");
        Ok(read.or_outside(b, value, place.inside))
    }

    /// Indices of a kernel are 32 bits wide, before their boundary mode too.
    fn check_indices(
        &self,
        read: &Read<'c, 'a>,
        domain: &[weft_model::Range<Number<'c, 'a>>],
    ) -> Result<(), Diagnostic<'c>> {
        let known = |number: Number| match number {
            Number::Known(number) => Some(number),
            Number::Value(_) => None,
        };
        let domain: Vec<_> =
            domain.iter().map(|range| weft_model::Range::new(known(range.lo), known(range.hi))).collect();
        for (dimension, index) in read.indices.iter().enumerate() {
            let range = weft_model::range_of(index, &domain, &mut bounds::Partly);
            if [range.lo, range.hi].into_iter().flatten().any(|end| i32::try_from(end).is_err()) {
                let message = format!("index #{dimension} takes values beyond 32 bits, which a kernel's indices have");
                return Err(Diagnostic::on(read.load.op(), message));
            }
        }
        Ok(())
    }

    /// Makes what the kernel uses of the host its own.
    fn bring_in(&mut self) {
        let own: Vec<_> = ir::walk(self.func);
        for op in own {
            for (index, value) in op.operands().enumerate() {
                if !self.owns(value) {
                    let inside = self.import(value);
                    ir::mutable(op).set_operand(index, inside);
                }
            }
        }
    }

    /// Whether a value is defined in the kernel.
    fn owns(&self, value: Value<'c, 'a>) -> bool {
        let parent = ir::block_of(value).and_then(|block| block.parent_operation());
        std::iter::successors(parent, |op| op.parent_operation()).any(|op| op == self.func)
    }

    /// Completes the kernel's signature, and launches it.
    fn launch(&mut self, kernels: &str) -> Result<(), Failure<'c>> {
        let block = self.block()?;
        let context = self.head.context();
        let arguments: Vec<Value> =
            (0..self.body.argument_count()).filter_map(|i| self.body.argument(i).ok()).map(Value::from).collect();
        let types: Vec<Type> = arguments.iter().map(|argument| argument.r#type()).collect();
        let results = self.results().len();
        let memories = types.iter().filter(|ty| MemRefType::try_from(**ty).is_ok()).count();
        let attributes: Vec<_> = (0..types.len())
            .map(|index| match index {
                index if index + results < memories => "{llvm.noalias, llvm.readonly}",
                index if index < memories => "{llvm.noalias}",
                _ => "{}",
            })
            .map(|text| self.head.parse_attribute(text))
            .collect();
        // x is the last dimension, and what a stage has less than three dimensions is 1.
        let threads: Vec<i64> = match block.len() {
            4 => vec![block[3], block[2], 1],
            _ => block.iter().rev().copied().chain([1, 1]).take(3).collect(),
        };
        let mut func = ir::mutable(self.func);
        func.set_attribute("function_type", TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into());
        func.set_attribute("arg_attrs", ArrayAttribute::new(context, &attributes).into());
        let [x, y, z] = [threads[0], threads[1], threads[2]];
        func.set_attribute("nvvm.reqntid", self.head.parse_attribute(&format!("array<i32: {x}, {y}, {z}>")));

        let b = self.lowering.builder.located(self.stage.op().location());
        let grid = self.grid(&b, &block);
        // A launch of no block is an error to CUDA.
        if grid.iter().any(|blocks| matches!(blocks, Number::Known(..=0))) {
            return Ok(());
        }
        let mut some = None;
        for blocks in grid.iter() {
            if let Number::Value(blocks) = blocks {
                let is_some = b.compare(Compare::Greater, *blocks, b.index(0));
                some = Some(some.map_or(is_some, |before| b.logic("andi", before, is_some)));
            }
        }
        let b = some.map_or(b, |some| b.if_then(some));
        let mut operands: Vec<Value> = grid.iter().map(|blocks| blocks.value(&b)).collect();
        operands.extend(threads.iter().map(|threads| b.index(*threads)));
        let passed: Vec<Value> = self.arguments.iter().map(|value| self.pass(&b, *value)).collect();
        let segments = format!("array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, {}, 0>", passed.len());
        operands.extend(passed);
        let kernel = b.parse_attribute(&format!("@{kernels}::@{}", self.name));
        let segments = b.parse_attribute(&segments);
        b.op("gpu.launch_func", &operands, &[], &[("kernel", kernel), ("operandSegmentSizes", segments)]);
        Ok(())
    }

    /// The number of blocks along x, y and z.
    fn grid(&self, b: &Builder<'c, 'a>, block: &[i64]) -> Vec<Number<'c, 'a>> {
        let mut emit = Emit(b);
        let extents = program::numbers(self.stage.extents());
        let mut blocks: Vec<Number> = needed_domain(self.stage, &extents, b)
            .iter()
            .zip(block)
            .map(|(range, threads)| {
                let padded = emit.add(&points(range, b), &Number::Known(threads - 1));
                emit.floor_div(&padded, *threads)
            })
            .collect();
        blocks.reverse();
        if blocks.len() == 4 {
            let (n, c) = (blocks[3], blocks[2]);
            blocks.truncate(2);
            blocks.push(match (n, c) {
                (Number::Known(n), c) => emit.mul(&c, n),
                (n, c) => Number::Value(b.arith("muli", n.value(b), c.value(b))),
            });
        }
        blocks.resize(3, Number::Known(1));
        blocks
    }

    /// What is handed to the kernel for a value of the host: bare pointers for memory.
    fn pass(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if MemRefType::try_from(value.r#type()).is_err() {
            return value;
        }
        let element = element_of(value);
        let attributes = [
            ("operandSegmentSizes", b.parse_attribute("array<i32: 1, 0, 0, 0>")),
            ("static_offsets", b.parse_attribute("array<i64: 0>")),
            ("static_sizes", b.parse_attribute("array<i64>")),
            ("static_strides", b.parse_attribute("array<i64>")),
        ];
        let scalar = b.parse_type(&format!("memref<{element}>"));
        let pointer = b.value("memref.reinterpret_cast", &[value], scalar, &attributes);
        b.value("memref.memory_space_cast", &[pointer], b.parse_type(&format!("memref<{element}, 1>")), &[])
    }
}

fn element_of<'c>(memory: Value<'c, '_>) -> Type<'c> {
    MemRefType::try_from(memory.r#type()).expect("memory").element()
}

/// The number of points in a range, whose start is known.
fn points<'c: 'a, 'a>(range: &weft_model::Range<Number<'c, 'a>>, b: &Builder<'c, 'a>) -> Number<'c, 'a> {
    let lo = match range.lo {
        Number::Known(lo) => lo,
        Number::Value(_) => 0,
    };
    Emit(b).add(&range.hi, &Number::Known(1 - lo))
}

/// Names that are taken: of kernels, or of symbols beside them.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// Those of a module's symbols.
    fn of<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Self {
        Self(ir::operations(only_block(module)).map(|op| symbol(op).to_owned()).collect())
    }

    /// A name like `wanted` that is not taken, as it can stand in MLIR without quotes, and in PTX.
    fn fresh(&mut self, wanted: &str) -> String {
        let mut name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        let tries = std::iter::once(name.clone()).chain((1..).map(|number| format!("{name}_{number}")));
        // The numbers do not end before the names do.
        let free = tries.into_iter().find(|name| !self.0.contains(name)).unwrap_or(name);
        self.0.insert(free.clone());
        free
    }
}
