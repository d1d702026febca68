//! A kernel in the making: its signature, the memory and the numbers that it takes, and its launch.
//!
//! ```text
//! gpu.module @f_kernels {
//!   gpu.func @f_g0(%img_ptr: memref<f32, 1>, %sum_ptr: memref<f32, 1>, %img_h: index, %img_w: index) kernel {
//!     %img = memref.reinterpret_cast %img_ptr   an image, as row-major memory of the extents that the program says
//!     %sum_out = ...                            a result
//!     ...                                       what a lowering puts in
//! func @f(...) { gpu.launch_func @f_kernels::@f_g0 blocks in (...) threads in (...) args(...) }
//! ```
//!
//! Kernels take bare pointers (`memref<f32, 1>`) and extents, because MLIR's dynamic memrefs are descriptors of five words
//! or more. Results must not overlap arguments: inputs are `noalias readonly`, which lets LLVM use the read-only cache.

use crate::{
    analysis::{access, domain},
    ir::{
        Builder, Compare, Emit, Key, Number, TakenNames, element_of, get_global, is, is_inside, key, loads_of_table,
        location::{extent_name, name_of_value},
        make_global, numbers, one_block, only_block, symbol, symbol_like, table_bytes, table_name, table_of,
    },
    lower::Lowering,
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, Location, OperationRef, Type, Value, ValueLike,
        attribute::{ArrayAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::{FunctionType, MemRefType},
    },
};
use mlir_glue::{RegistryRef, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::Unit;
use weft_model::Arith;

/// The dialects of kernels, and of the host code around them.
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
        mlir_glue::tool::vector(),
    ]);
    weft_dialects::register_dialects(registry);
}

/// The `gpu.module` of a program's kernels.
pub struct Kernels<'c, 'a> {
    /// Its symbol.
    pub name: String,
    block: BlockRef<'c, 'a>,
    names: TakenNames,
    /// The globals that hold tables: their names, and in which space of memory they lie.
    tables: HashMap<Key, (String, i64)>,
    /// Bytes of tables in constant memory.
    constant_bytes: i64,
}

/// Where a GPU has memory, as LLVM numbers it.
const GLOBAL: i64 = 1;
const CONSTANT: i64 = 4;

/// Bytes of constant memory that a module can have.
const CONSTANT_BYTES: i64 = 1 << 16;

impl<'c: 'a, 'a> Kernels<'c, 'a> {
    /// Makes `@NAME_kernels` before the program.
    pub fn before(program: OperationRef<'c, 'a>, module: OperationRef<'c, 'a>, b: &Builder<'c, 'a>) -> Self {
        let mut symbols: TakenNames = ir::operations(only_block(module)).map(|op| symbol(op).to_owned()).collect();
        let name = symbols.like(&symbol_like(&format!("{}_kernels", symbol(program))));
        let attributes = [("sym_name", b.string_attribute(&name))];
        let block = only_block(b.op_with_regions("gpu.module", &[], &[], &attributes, vec![one_block(&[])]));
        ir::mutable(module).set_attribute("gpu.container_module", b.parse_attribute("unit"));
        // The PTX of all programs is one text.
        let modules = ir::operations(only_block(module)).filter(|op| is(*op, "gpu.module"));
        let names = modules.flat_map(|op| ir::operations(only_block(op))).map(|op| symbol(op).to_owned()).collect();
        Self { name, block, names, tables: HashMap::new(), constant_bytes: 0 }
    }

    /// The global of a table, made where there is none yet: its name, and its space of memory. Constant memory hands one number to a
    /// whole warp at a time, so it is for tables of which all lanes read the same place.
    fn table(&mut self, table: Value<'c, 'a>, b: &Builder<'c, 'a>) -> (String, i64) {
        if let Some(made) = self.tables.get(&key(table)) {
            return made.clone();
        }
        let bytes = table_bytes(table);
        let has_room = self.constant_bytes.saturating_add(bytes) <= CONSTANT_BYTES;
        let space =
            if has_room && loads_of_table(table).into_iter().all(access::is_uniform) { CONSTANT } else { GLOBAL };
        if space == CONSTANT {
            self.constant_bytes += bytes;
        }
        let name = self.names.like(&symbol_like(table_name(table)));
        let behind = ir::operations(self.block).find(|op| !is(*op, "memref.global"));
        let globals = match behind {
            Some(next) => Builder::before(b.context(), next),
            None => Builder::at_end(b.context(), self.block, b.location()),
        };
        make_global(&globals.located(table.location()), &name, table, Some(space));
        self.tables.insert(key(table), (name.clone(), space));
        (name, space)
    }
}

/// A `gpu.func` without a signature yet, and what it takes.
pub struct KernelBuilder<'k, 'c, 'a> {
    /// The program that launches it.
    pub lowering: &'k Lowering<'c, 'a>,
    /// Its symbol.
    name: String,
    /// The symbol of its module.
    module: String,
    /// The `gpu.func`.
    pub func: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    /// Inserts before the return.
    pub head: Builder<'c, 'a>,
    /// Values of the host that the kernel takes: memory first, then numbers.
    arguments: Vec<Value<'c, 'a>>,
    inside: HashMap<Key, Value<'c, 'a>>,
    /// The memory of tensors of the host, in the kernel.
    memory: HashMap<Key, Value<'c, 'a>>,
    /// How many of the arguments are images that it writes.
    results: usize,
}

impl<'k, 'c: 'a, 'a> KernelBuilder<'k, 'c, 'a> {
    /// An empty kernel, named like `name`, that reads the images `inputs` and writes `results`.
    pub fn new(
        lowering: &'k Lowering<'c, 'a>,
        kernels: &mut Kernels<'c, 'a>,
        name: &str,
        location: Location<'c>,
        inputs: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Self {
        let name = kernels.names.like(&symbol_like(name));
        let context = lowering.builder.context();
        let b = Builder::at_end(context, kernels.block, location);
        let empty: Type = FunctionType::new(context, &[], &[]).into();
        let attributes = [
            ("sym_name", b.string_attribute(&name)),
            ("function_type", TypeAttribute::new(empty).into()),
            ("gpu.kernel", b.parse_attribute("unit")),
            ("workgroup_attributions", b.parse_attribute("0 : i64")),
        ];
        let func = b.op_with_regions("gpu.func", &[], &[], &attributes, vec![one_block(&[])]);
        let body = only_block(func);
        let end = Builder::at_end(context, body, b.location()).op("gpu.return", &[], &[], &[]);
        let head = Builder::before(context, end).located(b.location());
        let mut kernel = Self {
            lowering,
            name,
            module: kernels.name.clone(),
            func,
            body,
            head,
            arguments: Vec::new(),
            inside: HashMap::new(),
            memory: HashMap::new(),
            results: results.len(),
        };
        kernel.take_memory(kernels, inputs, results);
        kernel
    }

    /// Arguments for all memory that the kernel touches, but for tables.
    fn take_memory(&mut self, kernels: &mut Kernels<'c, 'a>, inputs: &[Value<'c, 'a>], results: &[Value<'c, 'a>]) {
        let arguments: Vec<_> = inputs
            .iter()
            .chain(results)
            .map(|tensor| {
                if table_of(*tensor).is_some() {
                    let (name, space) = kernels.table(*tensor, &self.head);
                    return (*tensor, get_global(&self.head, &name, *tensor, Some(space)));
                }
                let buffer = self.lowering.buffer(*tensor);
                let ty = self.head.parse_type(&format!("memref<{}, 1>", element_of(buffer)));
                let pointer = self.head.named(&pointer_name(buffer));
                self.arguments.push(buffer);
                (*tensor, self.body.add_argument(ty, pointer.location()))
            })
            .collect();
        for (index, (tensor, pointer)) in arguments.into_iter().enumerate() {
            let extents = self.extents(tensor);
            let name = self.image_name(tensor);
            // The tile that is written there has the name of its stage.
            let named =
                if index < inputs.len() { self.head.named(name) } else { self.head.named(&format!("{name}_out")) };
            let memory = self.view(named, pointer, &extents);
            self.memory.insert(key(tensor), memory);
        }
    }

    /// What an image of the host is called.
    fn image_name(&self, tensor: Value<'c, 'a>) -> &'c str {
        match table_of(tensor) {
            Some(_) => table_name(tensor),
            None => name_of_value(self.lowering.buffer(tensor)).unwrap_or(UNNAMED),
        }
    }

    /// The memory of an image of the host, in the kernel.
    pub fn memory(&self, tensor: Value<'c, 'a>) -> Value<'c, 'a> {
        // Lowerings name all images that they touch when they make the kernel.
        self.memory[&key(tensor)]
    }

    /// The extents of an image of the host, in the kernel.
    pub fn extents(&mut self, tensor: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let image = self.image_name(tensor);
        self.extents_in(image, self.lowering.extents(tensor))
    }

    /// Extents of an image, on the host, in the kernel.
    fn extents_in(&mut self, image: &str, extents: Vec<Number<'c, 'a>>) -> Vec<Number<'c, 'a>> {
        let rank = extents.len();
        let extents = extents.into_iter().enumerate();
        extents.map(|(d, extent)| self.number_called(|| extent_name(image, rank, d), extent)).collect()
    }

    /// Where the arguments of a unit's body begin and end, half-open, in the kernel.
    pub fn bounds_of(&mut self, unit: Unit<'c, 'a>) -> Vec<(i64, Number<'c, 'a>)> {
        let bounds = domain::bounds(unit);
        let rank = bounds.len();
        let bounds = bounds.into_iter().enumerate();
        bounds.map(|(d, (lo, hi))| (lo, self.number_called(|| extent_name(unit.name(), rank, d), hi))).collect()
    }

    /// The extents of the images of a unit, in the kernel.
    pub fn extents_of(&mut self, unit: impl Into<Unit<'c, 'a>>) -> Vec<Number<'c, 'a>> {
        let unit = unit.into();
        self.extents_in(unit.name(), numbers(unit.extents()))
    }

    /// A number of the host, in the kernel.
    pub fn number(&mut self, number: Number<'c, 'a>) -> Number<'c, 'a> {
        self.number_called(|| "number".to_owned(), number)
    }

    /// A number of the host, in the kernel, and a name for it, where it has none on the host.
    fn number_called(&mut self, name: impl FnOnce() -> String, number: Number<'c, 'a>) -> Number<'c, 'a> {
        match number {
            Number::Value(value) => Number::Value(self.import(name, value)),
            known => known,
        }
    }

    /// A value of the host, in the kernel: constants are made again, others become arguments.
    fn import(&mut self, name: impl FnOnce() -> String, value: Value<'c, 'a>) -> Value<'c, 'a> {
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
                let name = name_of_value(value).map_or_else(name, str::to_owned);
                let argument = self.body.add_argument(value.r#type(), self.head.named(&name).location());
                self.arguments.push(value);
                self.inside.insert(key(value), argument);
                argument
            }
        }
    }

    /// A bare pointer, or a table, as row-major memory of these extents.
    fn view(&self, b: Builder<'c, 'a>, pointer: Value<'c, 'a>, extents: &[Number<'c, 'a>]) -> Value<'c, 'a> {
        let steps = b.named("stride");
        let mut emit = Emit(&steps);
        // From the last dimension, whose stride is 1, to the first.
        let mut strides = Vec::new();
        let mut stride = Number::Known(1);
        for extent in extents.iter().rev() {
            strides.insert(0, stride);
            stride = match (stride, *extent) {
                (Number::Known(stride), extent) => emit.mul(&extent, stride),
                (stride, Number::Known(extent)) => emit.mul(&stride, extent),
                (stride, extent) => Number::Value(steps.arith("muli", stride.value(&b), extent.value(&b))),
            };
        }
        let text = |number: &Number| match number {
            Number::Known(number) => number.to_string(),
            Number::Value(_) => "?".to_owned(),
        };
        let shape: String = extents.iter().map(|extent| text(extent) + "x").collect();
        let steps = strides.iter().map(text).collect::<Vec<_>>().join(", ");
        let memory = MemRefType::try_from(pointer.r#type()).expect("a pointer is memory of no dimension");
        let space = memory.memory_space().map_or_else(String::new, |space| format!(", {space}"));
        let ty = b.parse_type(&format!("memref<{shape}{}, strided<[{steps}]>{space}>", element_of(pointer)));
        // MLIR's mark of a number that is an operand.
        let fixed = |number: &Number| match number {
            Number::Known(number) => *number,
            Number::Value(_) => i64::MIN,
        };
        let array = |numbers: &[Number]| b.integers(&numbers.iter().map(fixed).collect::<Vec<_>>());
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
            ("static_offsets", b.integers(&[0])),
            ("static_sizes", array(extents)),
            ("static_strides", array(&strides)),
        ];
        b.value("memref.reinterpret_cast", &operands, ty, &attributes)
    }

    /// Makes what the kernel uses of the host its own.
    fn bring_in(&mut self) {
        let own: Vec<_> = ir::walk(self.func);
        for op in own {
            for (index, value) in op.operands().enumerate() {
                if !is_inside(value, self.func) {
                    let inside = self.import(|| "number".to_owned(), value);
                    ir::mutable(op).set_operand(index, inside);
                }
            }
        }
    }

    /// Has it compiled for so many warps of an SM, in blocks of so many threads. Told nothing, ptxas aims at more, and keeps values in local
    /// memory for it.
    pub fn want_warps(&self, warps: i64, threads: [i64; 3]) {
        let blocks = (warps * 32 / threads.iter().product::<i64>()).max(1);
        let blocks = self.head.parse_attribute(&format!("{blocks} : i32"));
        ir::mutable(self.func).set_attribute("nvvm.minctasm", blocks);
    }

    /// Completes the kernel's signature, and launches it: `grid` blocks of `threads` threads, both as x, y, z.
    pub fn launch(&mut self, grid: &[Number<'c, 'a>; 3], threads: [i64; 3]) {
        // Constants that bodies used were made on the host's side.
        self.bring_in();
        let context = self.head.context();
        let arguments: Vec<Value> = ir::arguments(self.body).collect();
        let types: Vec<Type> = arguments.iter().map(|argument| argument.r#type()).collect();
        let memories = types.iter().filter(|ty| MemRefType::try_from(**ty).is_ok()).count();
        let attributes: Vec<_> = (0..types.len())
            .map(|index| match index {
                index if index + self.results < memories => "{llvm.noalias, llvm.readonly}",
                index if index < memories => "{llvm.noalias}",
                _ => "{}",
            })
            .map(|text| self.head.parse_attribute(text))
            .collect();
        let mut func = ir::mutable(self.func);
        func.set_attribute("function_type", TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into());
        func.set_attribute("arg_attrs", ArrayAttribute::new(context, &attributes).into());
        let [x, y, z] = threads;
        func.set_attribute("nvvm.reqntid", self.head.parse_attribute(&format!("array<i32: {x}, {y}, {z}>")));

        let b = self.lowering.builder.located(self.head.location());
        // A launch of no block is an error to CUDA.
        if grid.iter().any(|blocks| matches!(blocks, Number::Known(..=0))) {
            return;
        }
        let mut some = None;
        for blocks in grid.iter() {
            if let Number::Value(blocks) = blocks {
                let b = b.named("has_blocks");
                some = b.both(some, Some(b.compare(Compare::Greater, *blocks, b.index(0))));
            }
        }
        let b = some.map_or(b, |some| b.if_then_too(some));
        let mut operands: Vec<Value> = grid.iter().map(|blocks| blocks.value(&b)).collect();
        operands.extend(threads.iter().map(|threads| b.index(*threads)));
        let passed: Vec<Value> = self.arguments.iter().map(|value| kernel_argument(&b, *value)).collect();
        let segments = format!("array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, {}, 0>", passed.len());
        operands.extend(passed);
        let kernel = b.parse_attribute(&format!("@{}::@{}", self.module, self.name));
        let segments = b.parse_attribute(&segments);
        b.op("gpu.launch_func", &operands, &[], &[("kernel", kernel), ("operandSegmentSizes", segments)]);
    }
}

/// What an image is called that has no name on the host.
const UNNAMED: &str = "image";

/// What the address of memory of the host is called.
fn pointer_name(buffer: Value) -> String {
    format!("{}_ptr", name_of_value(buffer).unwrap_or(UNNAMED))
}

/// What is handed to the kernel for a value of the host: bare pointers for memory.
fn kernel_argument<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    if MemRefType::try_from(value.r#type()).is_err() {
        return value;
    }
    let element = element_of(value);
    let attributes = [
        ("operandSegmentSizes", b.parse_attribute("array<i32: 1, 0, 0, 0>")),
        ("static_offsets", b.integers(&[0])),
        ("static_sizes", b.integers(&[])),
        ("static_strides", b.integers(&[])),
    ];
    let b = b.named(&pointer_name(value));
    let scalar = b.parse_type(&format!("memref<{element}>"));
    let pointer = b.value("memref.reinterpret_cast", &[value], scalar, &attributes);
    b.value("memref.memory_space_cast", &[pointer], b.parse_type(&format!("memref<{element}, 1>")), &[])
}
