//! Lowering a program's function: what is done around the units of work, whatever they become.
//!
//! A program takes and gives tensors. Lowered, it takes memory: a memref for each tensor, then one for each result, which
//! the caller allocates. What the function computes with index numbers (extents) moves to its start, then come the checks
//! of what could not be checked at compile time, then memory for what is between stages, then the work.
//!
//! ```text
//! func @f(%img: tensor<?x?xf32>) -> tensor<?x?xf32>        func @f(%img: !view, %out: !view) {
//!   %h = tensor.dim %img, %c0                                %h = memref.dim %img, %c0
//!   %0 = pipeline.stage ... sized(%h, %w)           ──▶      cf.assert %ok, "f.mlir:3:8: ..."
//!   %1 = pipeline.stage ... sized(%h, %w)                    %0 = memref.alloc(%h, %w)
//!   return %1                                                ... ; memref.dealloc %0 ; return
//!                                                          func @f_extents(%img: !view, %e: memref<2xindex>)
//!                                                          !view = memref<?x?xf32, strided<[?, 1]>>
//! ```
//!
//! The second function, made where a result has dynamic extents, tells the caller what to allocate. The checks are
//! [`entry_checks`]; it makes those that its answer depends on.
//!
//! On the host an argument may be a part of a larger image: neighbours in the last dimension are neighbours in memory, the other
//! strides are the caller's. What is allocated here is dense, and so is all that lies in the memory of a GPU.

use super::pixels::{Pixels, planes_of};
use crate::{
    analysis::{
        bounds::{self, loads},
        entry_checks::{self, EntryChecks},
    },
    ir::{
        Builder, Compare, Key, Number, TakenNames, constant_index, get_global, is, is_table, key,
        location::{self, extent_name, name_of_value},
        make_global, numbers, one_block, only_block,
        program::{NO_TENSORS, entry, hoist_scalars, is_program_op, iterates, resolve_dims, stage_of, unit_of, units},
        shape_of, symbol, symbol_like, table_extents, table_name, table_of, tidy,
    },
};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike,
        attribute::{ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::{FunctionType, MemRefType, RankedTensorType, ShapedTypeLike},
    },
};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::{
    pipeline::{Group, Iterate, Load, Scatter, Unit, static_extents},
    weft,
};

/// A program whose function has been turned to memory, half way: checks and allocations are made, stages still stand.
pub struct Lowering<'c, 'a> {
    /// Inserts where the work goes: before the function's return, or at the end of a time step.
    pub builder: Builder<'c, 'a>,
    /// The memory of each tensor.
    buffers: HashMap<Key, Value<'c, 'a>>,
    extents: HashMap<Key, Vec<Number<'c, 'a>>>,
    memory: Memory,
    /// Second memory for each state of an iterate, which the argument of its body stands for.
    spare: HashMap<Key, Value<'c, 'a>>,
    /// What is allocated and must be freed.
    allocated: Vec<Value<'c, 'a>>,
    /// The function's old return.
    end: OperationRef<'c, 'a>,
    /// What is copied at the end: from, to.
    copies: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// Arguments, those for results among them, whose channels are innermost in memory.
    interleaved: Vec<Value<'c, 'a>>,
    /// Memory for results of pixels that the caller's has gaps between, which get it at the end.
    gapped: Vec<Pixels<'c, 'a>>,
}

/// Where the images between units of work lie.
#[derive(Clone, Copy, PartialEq)]
pub enum Memory {
    /// In main memory.
    Host,
    /// In the memory of a GPU, as the arguments then do too.
    Device,
}

impl Memory {
    /// The type of an argument, or of the memory for a result, in place of a tensor.
    fn argument_type<'c>(self, context: &'c Context, element: Type<'c>, extents: &[Option<i64>]) -> Type<'c> {
        let outer = extents.len().saturating_sub(1);
        // A line has no stride but the innermost.
        let layout = (self == Memory::Host && outer > 0).then(|| {
            // The text is made here, and right.
            Attribute::parse(context, &format!("strided<[{}1]>", "?, ".repeat(outer))).expect("a layout")
        });
        let extents: Vec<i64> = extents.iter().map(|extent| extent.unwrap_or(i64::MIN)).collect();
        MemRefType::new(element, &extents, layout, None).into()
    }
}

impl<'c: 'a, 'a> Lowering<'c, 'a> {
    /// Turns the function. Its work are the groups and units that stand in its block; each result of one gets
    /// memory.
    ///
    /// # Errors
    ///
    /// Loads that leave their source, ops that are no part of a program.
    pub fn begin(context: &'c Context, func: OperationRef<'c, 'a>, memory: Memory) -> Result<Self, Failure<'c>> {
        let block = entry(func)?;
        resolve_dims(context, func);
        check_ops(func, block)?;
        hoist_scalars(block)?;
        Failure::check(ir::walk(func).into_iter().filter_map(Unit::of).flat_map(bounds::check).collect())?;

        let end = block.terminator().ok_or_else(|| Diagnostic::on(func, "has no return"))?;
        let start = block.first_operation().unwrap_or(end);
        let at_start = Builder::before(context, start).located(func.location());
        let work = ir::operations(block).find(|op| is_program_op(*op)).unwrap_or(end);
        let at_work = Builder::before(context, work).located(func.location());

        let mut lowering = Self {
            builder: Builder::before(context, end),
            buffers: HashMap::new(),
            extents: HashMap::new(),
            memory,
            spare: HashMap::new(),
            allocated: Vec::new(),
            end,
            copies: Vec::new(),
            interleaved: Vec::new(),
            gapped: Vec::new(),
        };
        let results: Vec<Value> = end.operands().collect();
        let result_types: Vec<RankedTensorType> =
            results.iter().filter_map(|value| RankedTensorType::try_from(value.r#type()).ok()).collect();
        if result_types.len() != results.len() {
            return Err(Diagnostic::on(end, "returns a number, expected tensors only").into());
        }
        let (destinations, interleaved) = retype(context, func, block, &result_types, memory);
        lowering.interleaved = interleaved;
        name_arguments(context, func, block, &results);
        for op in ir::operations(block).take_while(|op| *op != work).collect::<Vec<_>>() {
            entry_checks::own(context, op);
            ir::walk(op).into_iter().for_each(|op| entry_checks::division(context, op));
        }
        lowering.take_tables(&at_start, func, block);
        lowering.take_arguments(&at_start, block, &destinations);
        if result_types.iter().any(|ty| static_extents(*ty).contains(&None)) {
            lowering.make_extents_function(func, work, &results);
        }
        let mut checks = EntryChecks::new(at_work);
        lowering.check_at_entry(&mut checks, func, block);
        for (index, (result, destination)) in results.iter().zip(&destinations).enumerate() {
            lowering.read_extents(&at_work, *destination);
            let found = lowering.extents_in_memory(*destination, *destination);
            checks.result(index, &found, &lowering.extents_in_memory(*result, *destination));
        }
        let places: Vec<_> = results.into_iter().zip(destinations).collect();
        match memory {
            Memory::Device => lowering.check_sizes(&mut checks, func, block, &places)?,
            Memory::Host => lowering.check_host_sizes(&mut checks, func, block, &places)?,
        }
        lowering.assign_memory(&at_work, block, &places);
        Ok(lowering)
    }

    /// The extents of a tensor in the order that they have in the memory of an argument.
    fn extents_in_memory(&self, tensor: Value<'c, 'a>, argument: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let extents = self.extents(tensor);
        if self.interleaved.contains(&argument) { weft::interleaved(&extents) } else { extents }
    }

    /// The memory of a tensor.
    pub fn buffer(&self, tensor: Value<'c, 'a>) -> Value<'c, 'a> {
        // `check_ops` admits no tensor that is neither an argument nor a result of a unit or group.
        *self.buffers.get(&key(tensor)).expect("memory of a tensor")
    }

    /// The number of images between units of work.
    pub fn allocations(&self) -> usize {
        self.allocated.len()
    }

    /// The extents of a tensor.
    pub fn extents(&self, tensor: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let tensor = shape_of(tensor);
        match unit_of(tensor) {
            Some(unit) => unit.extents().into_iter().map(Number::from).collect(),
            None => self.extents.get(&key(tensor)).cloned().unwrap_or_default(),
        }
    }

    /// Makes the loop of an iterate; `work` lowers its body, at [`builder`](Self::builder), which stands in the loop.
    ///
    /// Each state has two memories. A step reads one and writes the other, and the first step is sent to the one from which the last
    /// one gets to the memory of the result: nothing is copied, unless a step hands on what it did not compute.
    ///
    /// ```text
    /// %first, %second = %n is odd ? (%result, %spare) : (%spare, %result)
    /// scf.for %t = 0 to %n iter_args(%now = %initial, %next = %first, %behind = %second) {
    ///   ... what reads the state reads %now, what gives the next one writes %next
    ///   scf.yield %next, %behind, %next }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `work`.
    pub fn steps<T>(
        &mut self,
        iterate: Iterate<'c, 'a>,
        work: impl FnOnce(&mut Self) -> Result<T, Failure<'c>>,
    ) -> Result<T, Failure<'c>> {
        let outer = self.builder;
        let b = outer.located(iterate.op().location());
        let states = iterate.states();
        // The loop carries memory of one type.
        let results: Vec<Value> =
            iterate.op().results().map(|result| self.view(&b, self.buffer(result.into()))).collect();
        let initial: Vec<Value> =
            iterate.initial().into_iter().map(|image| self.view(&b, self.buffer(image))).collect();
        let steps = iterate.steps();
        let none = b.compare(Compare::Equal, steps, b.index(0));
        let nothing = b.if_then(none);
        initial.iter().zip(&results).for_each(|(from, to)| self.copy(&nothing, *from, *to));

        let is_odd = b.compare(Compare::Equal, b.arith("remui", steps, b.index(2)), b.index(1));
        let spare: Vec<Value> = states.iter().map(|state| self.view(&b, self.spare[&key(*state)])).collect();
        let either = |odd: &[Value<'c, 'a>], even: &[Value<'c, 'a>]| -> Vec<Value<'c, 'a>> {
            odd.iter().zip(even).map(|(odd, even)| b.select(is_odd, *odd, *even, odd.r#type())).collect()
        };
        let carried = [initial, either(&results, &spare), either(&spare, &results)].concat();
        let mut done = None;
        b.for_carrying([b.index(0), steps, b.index(1)], &carried, |step, _, memory| {
            let (now, [next, behind]) = match memory.chunks_exact(states.len()).collect::<Vec<_>>()[..] {
                [now, next, behind] => (now, [next, behind]),
                _ => unreachable!("three memories for each state"),
            };
            self.builder = *step;
            self.buffers.extend(states.iter().map(|state| key(*state)).zip(now.iter().copied()));
            let mut copies = Vec::new();
            for (image, to) in
                iterate.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>()).zip(next)
            {
                match self.buffers.get(&key(image)) {
                    Some(from) => copies.push((*from, *to)),
                    None => _ = self.buffers.insert(key(image), *to),
                }
            }
            done = Some(work(self)?);
            copies.into_iter().for_each(|(from, to)| self.copy(step, from, to));
            Ok::<_, Failure<'c>>([next, behind, next].concat())
        })?;
        self.builder = outer;
        Ok(done.expect("the body of the loop was made"))
    }

    /// An image's memory as the type that arguments have.
    fn view(&self, b: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Value<'c, 'a> {
        let Ok(ty) = MemRefType::try_from(memory.r#type()) else { return memory };
        let view = self.memory.argument_type(b.context(), ty.element(), &static_extents(ty));
        if view == memory.r#type() { memory } else { b.value("memref.cast", &[memory], view, &[]) }
    }

    /// Code that copies an image.
    fn copy(&self, b: &Builder<'c, 'a>, from: Value<'c, 'a>, to: Value<'c, 'a>) {
        if self.memory == Memory::Device {
            b.op("gpu.memcpy", &[to, from], &[], &[]);
            return;
        }
        // Not `memref.copy`, which calls a library of MLIR's where strides differ. LLVM makes `memcpy` of each row.
        let Ok(ty) = MemRefType::try_from(from.r#type()) else { return };
        let (mut b, mut indices) = (*b, Vec::new());
        for (dimension, extent) in static_extents(ty).into_iter().enumerate() {
            let extent = extent.map_or_else(
                || b.value("memref.dim", &[from, b.index(dimension as i64)], b.index_type(), &[]),
                |extent| b.index(extent),
            );
            let (inner, index) = b.for_loop(b.index(0), extent);
            b = inner;
            indices.push(index);
        }
        b.store(b.load(from, &indices, ty.element()), to, &indices);
    }

    /// Frees memory and returns nothing; erases the units of work, which must have been lowered.
    pub fn finish(self, block: BlockRef<'c, 'a>) {
        for (from, to) in &self.copies {
            self.copy(&self.builder, *from, *to);
        }
        for pixels in &self.gapped {
            self.copy(&self.builder.if_then(pixels.has_gaps), pixels.dense, pixels.memory);
        }
        let dealloc = match self.memory {
            Memory::Host => "memref.dealloc",
            Memory::Device => "gpu.dealloc",
        };
        for buffer in &self.allocated {
            self.builder.op(dealloc, &[*buffer], &[], &[]);
        }
        self.builder.op("func.return", &[], &[], &[]);
        ir::erase(self.end);
        let mut ops: Vec<_> = ir::operations(block).collect();
        // Users go before what they use.
        while let Some(op) = ops.pop() {
            if is_program_op(op) {
                ir::erase(op);
            }
        }
        tidy(block);
    }

    /// Tables are globals of the module now. Kernels have their own, in the memory of the GPU.
    fn take_tables(&mut self, b: &Builder<'c, 'a>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        let tables: Vec<Value> =
            ir::operations(block).filter(|op| is_table(*op)).filter_map(|op| ir::result(op, 0)).collect();
        for table in &tables {
            self.extents.insert(key(*table), table_extents(*table).into_iter().map(Number::Known).collect());
        }
        let Some(module) = func.parent_operation().filter(|_| self.memory == Memory::Host && !tables.is_empty()) else {
            return;
        };
        let mut symbols: TakenNames = ir::operations(only_block(module)).map(|op| symbol(op).to_owned()).collect();
        for table in tables {
            let name = symbols.like(&symbol_like(&format!("{}_{}", symbol(func), table_name(table))));
            make_global(&Builder::before(b.context(), func).located(table.location()), &name, table, None);
            self.buffers.insert(key(table), get_global(b, &name, table, None));
        }
    }

    /// Arguments are memory now: their extents are read once, at the start, and stand for every `tensor.dim`.
    fn take_arguments(&mut self, b: &Builder<'c, 'a>, block: BlockRef<'c, 'a>, destinations: &[Value<'c, 'a>]) {
        for argument in ir::arguments(block).filter(|argument| !destinations.contains(argument)) {
            if self.read_extents(b, argument) {
                self.buffers.insert(key(argument), argument);
            }
        }
        for op in ir::operations(block).filter(|op| is(*op, "tensor.dim")) {
            let (Ok(source), Ok(index)) = (op.operand(0), op.operand(1)) else { continue };
            let b = Builder::before(b.context(), op);
            let known =
                constant_index(index).and_then(|index| self.extents.get(&key(source))?.get(index as usize).copied());
            let extent = match known {
                Some(extent) => extent.value(&b),
                None => b.value("memref.dim", &[source, index], b.index_type(), &[]),
            };
            ir::replace_all_uses(op.result(0).expect("tensor.dim has a result").into(), extent);
            ir::erase(op);
        }
    }

    /// The arguments that are images, those for results among them.
    fn images_of_caller(&self, block: BlockRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
        ir::arguments(block).filter(|argument| self.extents.contains_key(&key(*argument)))
    }

    /// Code for the extents of an argument; false where it is a number.
    fn read_extents(&mut self, b: &Builder<'c, 'a>, argument: Value<'c, 'a>) -> bool {
        let Ok(ty) = MemRefType::try_from(argument.r#type()) else { return false };
        let extents = static_extents(ty);
        let rank = extents.len();
        let extents = extents.into_iter().enumerate().map(|(d, extent)| match extent {
            Some(extent) => Number::Known(extent),
            None => {
                let name = name_of_value(argument).map(|image| extent_name(image, rank, d));
                let b = name.map_or(*b, |name| b.named(&name));
                Number::Value(b.value("memref.dim", &[argument, b.index(d as i64)], b.index_type(), &[]))
            }
        });
        let extents: Vec<Number> = extents.collect();
        let extents = if self.interleaved.contains(&argument) { weft::planar(&extents) } else { extents };
        self.extents.insert(key(argument), extents);
        true
    }

    /// Memory: results are written in place, what is between units of work is allocated.
    fn assign_memory(
        &mut self,
        b: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        places: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) {
        let mut given = Vec::new();
        for argument in self.interleaved.clone() {
            let pixels = Pixels::of(b, argument);
            self.allocated.push(pixels.dense);
            self.buffers.insert(key(argument), planes_of(b, pixels.contiguous));
            match places.iter().any(|(_, destination)| *destination == argument) {
                true => self.gapped.push(pixels),
                false => given.push(pixels),
            }
        }
        for (result, destination) in places {
            let destination = self.buffers.get(&key(*destination)).copied().unwrap_or(*destination);
            if let Some(source) = self.buffers.get(&key(*result)) {
                self.copies.push((*source, destination));
            } else {
                self.buffers.insert(key(*result), destination);
            }
        }
        self.allocate_results(b, block, &[]);
        for iterate in iterates(block) {
            let b = b.located(iterate.op().location());
            for state in iterate.states() {
                let spare = self.allocate(&b, state);
                self.spare.insert(key(state), spare);
            }
            // What a step ends with is written to the memory of the next state.
            let next: Vec<Value> = iterate.terminator().map(|end| end.operands().collect()).unwrap_or_default();
            self.allocate_results(&b, iterate.body(), &next);
        }
        // Behind all memory, which is asked for before anything is written.
        for pixels in given {
            self.copy(&b.if_then(pixels.has_gaps), pixels.memory, pixels.dense);
        }
    }

    /// Memory for what the work of a block gives, where it has none yet and is none of `others`.
    fn allocate_results(&mut self, b: &Builder<'c, 'a>, block: BlockRef<'c, 'a>, others: &[Value<'c, 'a>]) {
        for work in ir::operations(block).filter(|op| is_program_op(*op)) {
            // The kernel of a group writes what is used.
            let is_written =
                |image: &Value| self.memory == Memory::Host || Group::of(work).is_none() || ir::has_uses(*image);
            for image in work.results().map(Value::from).filter(is_written).collect::<Vec<_>>() {
                if !self.buffers.contains_key(&key(image)) && !others.contains(&image) {
                    let buffer = self.allocate(&b.located(work.location()), image);
                    self.buffers.insert(key(image), buffer);
                }
            }
        }
    }

    /// Code for memory of an image, which is freed at the end.
    fn allocate(&mut self, b: &Builder<'c, 'a>, image: Value<'c, 'a>) -> Value<'c, 'a> {
        let tensor = RankedTensorType::try_from(image.r#type()).expect("images are tensors");
        let extents: Vec<(Option<i64>, Number)> = static_extents(tensor).into_iter().zip(self.extents(image)).collect();
        let is_pixels = self.memory == Memory::Host
            && extents.len() > 2
            && extents[weft::channels_of(extents.len())].0.is_some()
            && stage_of(image).is_some_and(|stage| stage.op().has_attribute(weft::INTERLEAVED));
        let extents = if is_pixels { weft::interleaved(&extents) } else { extents };
        let dynamic: Vec<Value> =
            extents.iter().filter(|(known, _)| known.is_none()).map(|(_, extent)| extent.value(b)).collect();
        let known: Vec<i64> = extents.iter().map(|(known, _)| known.unwrap_or(i64::MIN)).collect();
        let ty = MemRefType::new(tensor.element(), &known, None, None).into();
        let b = &unit_of(image).map_or(*b, |unit| b.named(unit.name()));
        let segments = |before: &str| b.parse_attribute(&format!("array<i32: {before}{}, 0>", dynamic.len()));
        let buffer = match self.memory {
            // A cache line, and the widest vector.
            Memory::Host => {
                let alignment = b.parse_attribute("64 : i64");
                b.value(
                    "memref.alloc",
                    &dynamic,
                    ty,
                    &[("operandSegmentSizes", segments("")), ("alignment", alignment)],
                )
            }
            Memory::Device => b.value("gpu.alloc", &dynamic, ty, &[("operandSegmentSizes", segments("0, "))]),
        };
        self.allocated.push(buffer);
        if is_pixels { planes_of(b, buffer) } else { buffer }
    }

    /// What dynamic extents left open, and is known where they are.
    fn check_at_entry(&self, checks: &mut EntryChecks<'c, 'a>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        let extents = |image| self.extents(image);
        iterates(block).for_each(|iterate| checks.iterate(iterate, &extents));
        units(func).into_iter().for_each(|unit| checks.unit(unit, &extents));
    }

    /// Kernels compute with 32-bit indices: an image, and a domain of a scatter, has at most 2^31 - 1 points, and no load goes beyond. Memory for a result has the
    /// extents of the result, and is asked only where they are known now.
    fn check_sizes(
        &self,
        checks: &mut EntryChecks<'c, 'a>,
        func: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
        results: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> Result<(), Diagnostic<'c>> {
        let units = units(func);
        let images = units
            .iter()
            .flat_map(|unit| unit.op().results().map(|image| (Value::from(image), Some(*unit))).collect::<Vec<_>>());
        let theirs = self.images_of_caller(block).map(|image| (image, None));
        for (image, unit) in theirs.chain(images) {
            let shape =
                results.iter().find(|(_, destination)| *destination == image).map_or(image, |(result, _)| *result);
            let what = || match (unit, name_of_value(image)) {
                (Some(unit), _) => format!("{} \"{}\"", unit.kind(), unit.name()),
                (None, Some(name)) => format!("image '{name}' ({})", image.r#type()),
                (None, None) => format!("an image of {}", image.r#type()),
            };
            checks.image_size(image.location(), &self.extents(shape), what)?;
        }
        units.iter().filter_map(|unit| Scatter::of(unit.op())).try_for_each(|scatter| checks.domain_size(scatter))?;
        units.iter().try_for_each(|unit| loads(*unit).try_for_each(|load| checks.index_widths(*unit, load)))
    }

    /// Memory of an image between units can be counted.
    fn check_host_sizes(
        &self,
        checks: &mut EntryChecks<'c, 'a>,
        func: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
        results: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> Result<(), Diagnostic<'c>> {
        let mut theirs: Vec<Vec<Number>> = self.images_of_caller(block).map(|image| self.extents(image)).collect();
        theirs.extend(results.iter().map(|(result, _)| self.extents(*result)));
        for unit in units(func) {
            let op = unit.op();
            if op.results().all(|image| results.iter().any(|(result, _)| *result == Value::from(image))) {
                continue;
            }
            let what = || format!("{} \"{}\"", unit.kind(), unit.name());
            checks.host_size(unit.op().location(), &numbers(unit.extents()), &theirs, what)?;
        }
        Ok(())
    }

    /// `@NAME_extents`: the same arguments, and memory for the extents of all results, one after the other. It makes the checks that
    /// those depend on: the program's own, and that none is negative. What else can be wrong is found when the program is called.
    fn make_extents_function(&self, func: OperationRef<'c, 'a>, work: OperationRef<'c, 'a>, results: &[Value<'c, 'a>]) {
        let context = self.builder.context();
        let b = Builder::before(context, func);
        let block = work.block().expect("an op of the function");
        let count = block.argument_count() - results.len();
        let arguments: Vec<Value> = ir::arguments(block).take(count).collect();
        let total: usize = results.iter().map(|result| self.extents(*result).len()).sum();
        let extents_type = b.parse_type(&format!("memref<{total}xindex>"));
        let types: Vec<Type> = arguments.iter().map(|argument| argument.r#type()).chain([extents_type]).collect();
        let places = arguments.iter().map(|argument| argument.location());
        let places = places.chain([location::named(context, "extents", func.location())]);
        let inputs: Vec<_> = types.iter().copied().zip(places).collect();

        let ty = TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into();
        let name = b.string_attribute(&format!("{}_extents", symbol(func)));
        let made = b.op_with_regions(
            "func.func",
            &[],
            &[],
            &[("sym_name", name), ("function_type", ty)],
            vec![one_block(&inputs)],
        );
        let body = only_block(made);
        let b = Builder::at_end(context, body, func.location());

        let mut values = HashMap::new();
        for (index, argument) in arguments.iter().enumerate() {
            values.insert(key(*argument), body.argument(index).expect("made with these arguments").into());
        }
        let scalars: Vec<_> = ir::operations(block).take_while(|op| *op != work).collect();
        let mut needed: HashSet<Key> =
            results.iter().flat_map(|result| self.extents(*result)).filter_map(|extent| extent.id().err()).collect();
        let mut kept = Vec::new();
        for op in scalars.into_iter().rev() {
            // What gives nothing is there for what it does: the program's own checks.
            if op.result_count() == 0 || op.results().any(|result| needed.contains(&key(result.into()))) {
                needed.extend(ir::walk(op).into_iter().flat_map(|op| op.operands().map(key).collect::<Vec<_>>()));
                kept.push(op);
            }
        }
        for op in kept.into_iter().rev() {
            b.clone_mapped(op, &mut values);
        }
        let mapped = |extents: Vec<Number<'c, 'a>>| -> Vec<Number<'c, 'a>> {
            let here = |extent| match extent {
                // Extents are computed before the work.
                Number::Value(value) => Number::Value(values[&key(value)]),
                known => known,
            };
            extents.into_iter().map(here).collect()
        };
        let mut checks = EntryChecks::new(b);
        for unit in results.iter().filter_map(|result| unit_of(shape_of(*result))) {
            checks.not_negative(unit, &mapped(numbers(unit.extents())));
        }
        let memory: Value = body.argument(count).expect("made with one more argument").into();
        let destinations = ir::arguments(block).skip(count);
        let extents = results.iter().zip(destinations);
        let extents = extents.flat_map(|(result, destination)| mapped(self.extents_in_memory(*result, destination)));
        for (index, extent) in extents.enumerate() {
            b.store(extent.value(&b), memory, &[b.index(index as i64)]);
        }
        b.op("func.return", &[], &[], &[]);
        tidy(body);
    }
}

/// The memory that holds a tensor, without gaps.
pub fn memref_type<'c>(tensor: RankedTensorType<'c>) -> Type<'c> {
    let extents: Vec<i64> = static_extents(tensor).into_iter().map(|extent| extent.unwrap_or(i64::MIN)).collect();
    MemRefType::new(tensor.element(), &extents, None, None).into()
}

/// Gives the function memory instead of tensors; returns the arguments for the results, and all whose channels are innermost in memory.
fn retype<'c: 'a, 'a>(
    context: &'c Context,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    results: &[RankedTensorType<'c>],
    memory: Memory,
) -> (Vec<Value<'c, 'a>>, Vec<Value<'c, 'a>>) {
    let memory_of = |tensor: RankedTensorType<'c>, is_interleaved: bool| {
        let extents = static_extents(tensor);
        let extents = if is_interleaved { weft::interleaved(&extents) } else { extents };
        memory.argument_type(context, tensor.element(), &extents)
    };
    let mut types = Vec::new();
    let mut interleaved = Vec::new();
    for (number, argument) in ir::arguments(block).enumerate() {
        if let Ok(tensor) = RankedTensorType::try_from(argument.r#type()) {
            let is_interleaved = weft::is_interleaved(func, false, number);
            argument.set_type(memory_of(tensor, is_interleaved));
            interleaved.extend(is_interleaved.then_some(argument));
        }
        types.push(argument.r#type());
    }
    let count = types.len();
    let mut destinations = Vec::new();
    for (number, ty) in results.iter().enumerate() {
        let is_interleaved = weft::is_interleaved(func, true, number);
        let destination: Value = block.add_argument(memory_of(*ty, is_interleaved), func.location());
        interleaved.extend(is_interleaved.then_some(destination));
        destinations.push(destination);
    }
    types.extend(destinations.iter().map(|destination| destination.r#type()));

    // What was said of results is now said of the arguments in their place.
    let attributes = |name: &str, count: usize| -> Vec<Attribute<'c>> {
        let array = func.attribute(name).ok().and_then(|array| ArrayAttribute::try_from(array).ok());
        let empty: Attribute = DictionaryAttribute::new(context, &[]).into();
        (0..count).map(|i| array.as_ref().and_then(|array| array.element(i).ok()).unwrap_or(empty)).collect()
    };
    let mut all = attributes("arg_attrs", count);
    all.extend(attributes("res_attrs", results.len()));
    let mut changed = ir::mutable(func);
    changed.set_attribute("function_type", TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into());
    changed.set_attribute("arg_attrs", ArrayAttribute::new(context, &all).into());
    // Absent where no result had attributes; then there is nothing to remove.
    let _ = changed.remove_attribute("res_attrs");
    for (number, _) in ir::arguments(block).enumerate().filter(|(_, argument)| interleaved.contains(argument)) {
        weft::set_attribute(context, func, (false, number), weft::INTERLEAVED, None);
        weft::reorder_extents(context, func, number, weft::interleaved);
    }
    (destinations, interleaved)
}

/// Gives the arguments of a function, those for its results among them, the names that the outside knows them by; a result that has
/// none is called as what computes it.
fn name_arguments<'c: 'a, 'a>(
    context: &'c Context,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    results: &[Value<'c, 'a>],
) {
    let attributes = func.attribute("arg_attrs").ok().and_then(|array| ArrayAttribute::try_from(array).ok());
    let said = |index: usize| -> Option<&'c str> {
        let attributes = DictionaryAttribute::try_from(attributes.as_ref()?.element(index).ok()?).ok()?;
        ir::text_of(attributes.element_by_name(weft::NAME)?)
    };
    let first = block.argument_count() - results.len();
    for (index, argument) in ir::arguments(block).enumerate() {
        let computed_by = || unit_of(*results.get(index.checked_sub(first)?)?).map(|unit| unit.name());
        if let Some(name) = said(index).or_else(computed_by) {
            ir::set_argument_location(argument, location::named(context, name, argument.location()));
        }
    }
}

/// Programs are units, groups, index arithmetic, and a return; nobody calls them, since their type is about to change.
fn check_ops<'c: 'a, 'a>(func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<(), Diagnostic<'c>> {
    for op in ir::walk(func).into_iter().filter(|op| *op != func) {
        let images = op.operands().filter(|value| value.r#type().is_tensor()).collect::<Vec<_>>();
        let is_image = |value: &Value| is_image(*value, block);
        let stands_for_table = |value: &Value| ir::defining_op(*value).is_some_and(is_table);
        let has_place = match Load::of(op) {
            Some(load) => is_image(&load.source()) || stands_for_table(&load.source()),
            None if is(op, "tensor.dim") => {
                images.iter().all(|image| stands_for_table(image) || is_image(image) && unit_of(*image).is_none())
            }
            None if is(op, "pipeline.yield") || is(op, "func.return") => images.iter().all(is_image),
            None if Iterate::of(op).is_some() => images.iter().all(is_image),
            None if is_program_op(op) => images.is_empty(),
            None if is_table(op) => true,
            None => images.is_empty() && !op.results().any(|value| value.r#type().is_tensor()),
        };
        if !has_place {
            let is_of_table = images.into_iter().any(|image| table_of(image).is_some());
            let is_end =
                is_of_table && (is(op, "func.return") || is(op, "pipeline.yield") || Iterate::of(op).is_some());
            return Err(Diagnostic::on(op, if is_end { NO_RESULT } else { NO_TENSORS }));
        }
    }
    let name = symbol(func);
    let callers = func.parent_operation().map(ir::walk).unwrap_or_default();
    let uses = |op: &OperationRef| ["callee", "value"].into_iter().any(|key| refers(*op, key, name));
    match callers.into_iter().find(|op| (is(*op, "func.call") || is(*op, "func.constant")) && uses(op)) {
        Some(caller) => Err(Diagnostic::on(
            caller,
            format!("uses program @{name}, which is lowered; expected it inlined (--inline)"),
        )),
        None => Ok(()),
    }
}

/// What is said where a table stands as a result, or as the first state of an iterate.
const NO_RESULT: &str = "takes a constant, which in a program only loads and tensor.dim may; expected an image: --copy-results makes a stage of it";

/// Whether an attribute of an op is a reference to a symbol.
fn refers(op: OperationRef, key: &str, name: &str) -> bool {
    let reference = op.attribute(key).ok().and_then(|value| FlatSymbolRefAttribute::try_from(value).ok());
    reference.is_some_and(|reference| reference.value() == name)
}

/// Whether a tensor is an argument of the program, a state of an iterate, or a result of work.
fn is_image(value: Value, block: BlockRef) -> bool {
    match ir::defining_op(value) {
        Some(op) => is_program_op(op),
        None => Iterate::begins_with(value).is_some() || ir::block_of(value).is_some_and(|owner| owner == block),
    }
}
