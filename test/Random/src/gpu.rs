//! Runs what `--pipeline-to-ptx` made: host code by an interpreter, kernels on a device, which is the SIMT executor or, where that is asked
//! for, the GPU.
//!
//! ```text
//! func.func @f(%img: memref<?x?xf32>, %out: memref<?x?xf32>) {
//!   %h = memref.dim %img, %c0                                   numbers     i64
//!   cf.assert %ok, "..."                                        a failure ends the run
//!   gpu.launch_func @f_kernels::@f_g_a blocks in (%gx, ...)     PTX text; on the SIMT executor all checks are on
//! ```
//!
//! The host code of a program is a few lines on indices: what is interpreted here is all that it consists of, and another op is a
//! failure that names it. Its arithmetic is that of [`numbers`](crate::numbers).

#![allow(unsafe_code)] // A device reads arguments through pointers; the block says why it is sound.

use crate::numbers::{Number, compare, evaluate};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, ShapedTypeLike, Type, Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::MemRefType,
};
use mlir_glue::ir;
use std::{
    borrow::Borrow,
    collections::HashMap,
    ffi::CString,
    sync::atomic::{AtomicBool, Ordering},
};
use weft_dialects::pipeline::static_extents;
use weft_passes::{
    gpu::ptx_of,
    ir::{Key, is, key, only_block, symbol},
};
use weft_runtime::{
    Buffer, Device, Element, Sample, Scalar,
    gpu::{Cuda, Launched, Shape, Simt},
    simt::{Checks, Counters, KernelArg, Options},
};

/// Why a program gives nothing.
pub enum Stop {
    /// A check fails when it is entered: this one.
    Check(String),
    /// The kind of a [`Failure`](crate::check::Failure), and its message.
    Failure(&'static str, String),
}

/// What a run gave.
pub struct Run {
    /// The results, in order.
    pub outputs: Vec<Buffer>,
    /// What the executor found wrong, a line each.
    pub reports: Vec<String>,
}

/// The kind of a failure of a text that is no PTX for the executor.
pub const NO_PTX: &str = "is no PTX";

/// Whether kernels of random programs run on the GPU that is here.
static ON_GPU: AtomicBool = AtomicBool::new(false);

/// From now on [`Kernels::of`] runs kernels on the GPU that is here.
///
/// # Errors
///
/// There is none.
pub fn take_gpu() -> Result<(), weft_runtime::Error> {
    // It stays open, so that the driver keeps the GPU between programs.
    std::mem::forget(Cuda::open()?);
    ON_GPU.store(true, Ordering::Relaxed);
    Ok(())
}

/// A lowered module, and its kernels on a device.
pub struct Kernels<'c, 'm> {
    module: OperationRef<'c, 'm>,
    device: Box<dyn Device>,
    /// The kernels, in the device.
    loaded: usize,
}

impl<'c, 'm> Kernels<'c, 'm> {
    /// Of a module; `seed` orders the warps.
    ///
    /// # Errors
    ///
    /// PTX that the device does not know.
    pub fn of(module: OperationRef<'c, 'm>, seed: u64) -> Result<Self, Stop> {
        let device: Box<dyn Device> = if ON_GPU.load(Ordering::Relaxed) {
            Box::new(Cuda::open().map_err(|error| Stop::Failure("has no GPU", error.to_string()))?)
        } else {
            Box::new(Simt::new(Options { seed, threads: 1, limit: 1 << 28, ..Options::default() }))
        };
        Self::on(device, module, &ptx_of(module))
    }

    /// The same on this device, with other kernels than those of the module.
    ///
    /// # Errors
    ///
    /// As [`Kernels::of`].
    pub fn on(mut device: Box<dyn Device>, module: OperationRef<'c, 'm>, ptx: &str) -> Result<Self, Stop> {
        let loaded = load(&mut *device, ptx).map_err(|message| Stop::Failure(NO_PTX, message))?;
        Ok(Self { module, device, loaded })
    }

    /// Runs the function `name`. `results` are the types and extents of the results.
    ///
    /// # Errors
    ///
    /// Host code that fails or is not known.
    pub fn run<I: Borrow<Buffer>>(
        &mut self,
        name: &str,
        inputs: &[I],
        results: &[(Element, Vec<usize>)],
    ) -> Result<Run, Stop> {
        let mut host = Host::new(&mut *self.device, self.loaded);
        let run = host.program(self.module, name, inputs, results);
        let freed = host.free();
        run.and_then(|run| freed.map(|()| run)).map_err(|message| match message.strip_prefix(CHECK) {
            Some(message) => Stop::Check(message.to_owned()),
            None => Stop::Failure("does not run", message),
        })
    }
}

/// Loads kernels of this text, if the device can make some of it.
fn load(device: &mut dyn Device, ptx: &str) -> Result<usize, String> {
    let text = CString::new(ptx).map_err(|error| error.to_string())?;
    device.load(&text).map_err(in_words)
}

/// What results are made of before a program runs: where nobody writes, that is seen.
const POISON: u8 = 0xA5;

/// What the block in the middle of each kernel's grid costs.
pub struct Cost {
    /// The kernel.
    pub kernel: String,
    /// Blocks of the grid, as x, y, z.
    pub grid: [u32; 3],
    /// What was counted.
    pub counters: Counters,
}

/// Runs of each kernel of a lowered module only the block in the middle, on inputs of these extents, and unchecked: its
/// values mean nothing, but where all is inside, it costs what every other one costs.
///
/// # Errors
///
/// As [`Kernels::of`] and [`Kernels::run`].
pub fn run_middle(module: OperationRef, name: &str, inputs: &[Buffer], results: usize) -> Result<Vec<Cost>, String> {
    /// Results have extents that only the host code knows; it never asks them for those.
    const ENOUGH: usize = 1 << 25;
    let mut device =
        Simt::new(Options { threads: 1, limit: 1 << 26, checks: Checks::NONE, middle: true, ..Options::default() });
    let loaded = load(&mut device, &ptx_of(module))?;
    let mut host = Host { middle: true, ..Host::new(&mut device, loaded) };
    let body = body_of(module, name)?;
    for index in 0..inputs.len() + results {
        let (address, extents) = match inputs.get(index) {
            Some(input) => (host.device.upload(input.bytes()), extents_of(input.shape())),
            // Where the host asks for the extents, it is to check them.
            None => (host.device.alloc(ENOUGH), vec![1; 4]),
        };
        let operand = Operand::Memory { address: address.map_err(in_words)?, extents };
        host.values.insert(key(argument(body, name, index)?), operand);
    }
    let cost = |launched: Launched| {
        let counters = launched.counters.ok_or("the executor counts nothing")?;
        Ok(Cost { kernel: launched.kernel, grid: launched.shape.grid, counters })
    };
    host.run(body)?.into_iter().map(cost).collect()
}

fn in_words(error: weft_runtime::Error) -> String {
    error.to_string()
}

fn extents_of(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|extent| *extent as i64).collect()
}

fn body_of<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str) -> Result<BlockRef<'c, 'a>, String> {
    let mut functions = ir::walk(module).into_iter();
    let found = functions.find(|op| is(*op, "func.func") && symbol(*op) == name);
    found.map(only_block).ok_or_else(|| format!("no function @{name} is left"))
}

fn argument<'c, 'a>(body: BlockRef<'c, 'a>, name: &str, index: usize) -> Result<Value<'c, 'a>, String> {
    let found = body.argument(index).map(Into::into);
    found.map_err(|_| format!("@{name} takes fewer arguments than the program has"))
}

/// What the message of a failed `cf.assert` begins with.
const CHECK: &str = "an entry check fails: ";

/// A value of the host code.
#[derive(Clone, Debug)]
enum Operand {
    Number(Number),
    /// A memref on the device: row-major, from its first element.
    Memory {
        address: u64,
        extents: Vec<i64>,
    },
}

struct Host<'d> {
    device: &'d mut dyn Device,
    /// The kernels, in the device.
    module: usize,
    /// Whether only costs count.
    middle: bool,
    values: HashMap<Key, Operand>,
    /// Memory of the program, to be freed.
    owned: Vec<u64>,
    reports: Vec<String>,
}

impl<'d> Host<'d> {
    /// With kernels that the device has loaded.
    fn new(device: &'d mut dyn Device, module: usize) -> Self {
        Host { device, module, middle: false, values: HashMap::new(), owned: Vec::new(), reports: Vec::new() }
    }

    /// Runs the program `name` on inputs.
    fn program<I: Borrow<Buffer>>(
        &mut self,
        module: OperationRef,
        name: &str,
        inputs: &[I],
        results: &[(Element, Vec<usize>)],
    ) -> Result<Run, String> {
        let body = body_of(module, name)?;
        for (index, input) in inputs.iter().map(Borrow::borrow).enumerate() {
            let argument = argument(body, name, index)?;
            let operand = match MemRefType::try_from(argument.r#type()) {
                Ok(_) => Operand::Memory { address: self.upload(input.bytes())?, extents: extents_of(input.shape()) },
                Err(_) => Operand::Number(number(input)),
            };
            self.values.insert(key(argument), operand);
        }
        let mut outputs: Vec<(u64, Buffer)> = Vec::new();
        for (index, (element, shape)) in results.iter().enumerate() {
            let buffer = Buffer::zeros(*element, shape);
            let address = self.result(buffer.byte_size())?;
            let operand = Operand::Memory { address, extents: extents_of(shape) };
            self.values.insert(key(argument(body, name, inputs.len() + index)?), operand);
            outputs.push((address, buffer));
        }
        let launches = self.run(body)?;
        let mut reports = std::mem::take(&mut self.reports);
        for launch in &launches {
            reports.extend(launch.reports.iter().map(|report| format!("{}: {report}", launch.kernel)));
        }
        for (index, (address, buffer)) in outputs.iter_mut().enumerate() {
            self.device.download(*address, buffer.bytes_mut()).map_err(in_words)?;
            let holes = self.device.unwritten(*address, buffer.byte_size()).map_err(in_words)?;
            if holes > 0 {
                reports.push(format!("result #{index}: nobody wrote {holes} of its {} bytes", buffer.byte_size()));
            }
        }
        Ok(Run { outputs: outputs.into_iter().map(|(_, buffer)| buffer).collect(), reports })
    }

    fn free(&mut self) -> Result<(), String> {
        // Those behind first, so that their places are taken again.
        self.owned.drain(..).rev().try_for_each(|address| self.device.free(address)).map_err(in_words)
    }

    fn owns(&mut self, allocated: weft_runtime::Result<u64>) -> Result<u64, String> {
        let address = allocated.map_err(in_words)?;
        self.owned.push(address);
        Ok(address)
    }

    /// Memory with these contents.
    fn upload(&mut self, bytes: &[u8]) -> Result<u64, String> {
        let allocated = self.device.upload(bytes);
        self.owns(allocated)
    }

    /// Memory that nobody has written.
    fn allocate(&mut self, bytes: usize) -> Result<u64, String> {
        let allocated = self.device.alloc(bytes);
        self.owns(allocated)
    }

    /// Memory for a result, that nobody has written; where the device does not know what nobody has written, it has some other contents.
    fn result(&mut self, bytes: usize) -> Result<u64, String> {
        let address = self.allocate(bytes)?;
        if self.device.unwritten(address, bytes).map_err(in_words)? == bytes {
            return Ok(address);
        }
        self.upload(&vec![POISON; bytes])
    }

    /// Runs the program; what it launched.
    fn run(&mut self, body: BlockRef) -> Result<Vec<Launched>, String> {
        self.device.begin().map_err(in_words)?;
        self.block(body)?;
        Ok(self.device.end().map_err(in_words)?.launches)
    }

    fn block(&mut self, block: BlockRef) -> Result<(), String> {
        ir::operations(block).try_for_each(|op| self.op(op))
    }

    fn op(&mut self, op: OperationRef) -> Result<(), String> {
        let name = ir::name_of(op);
        let result = match name {
            "arith.constant" => constant(op)?,
            "arith.cmpi" => of(compare(attribute(op, "predicate")?, self.integer(op, 0)?, self.integer(op, 1)?)),
            "arith.select" => self.operand(op, if self.integer(op, 0)? != 0 { 1 } else { 2 })?,
            "memref.reinterpret_cast" | "memref.memory_space_cast" | "memref.cast" => self.operand(op, 0)?,
            "memref.dim" => {
                let (_, extents) = self.memory(op, 0)?;
                let index = usize::try_from(self.integer(op, 1)?).unwrap_or(usize::MAX);
                of(*extents.get(index).ok_or("memref.dim of a dimension that is not there")?)
            }
            "gpu.alloc" => self.alloc(op)?,
            "scf.if" => {
                let region = usize::from(self.integer(op, 0)? == 0);
                let block = op.region(region).ok().and_then(|region| region.first_block());
                return block.map_or(Ok(()), |block| self.block(block));
            }
            "cf.assert" if !self.middle && self.integer(op, 0)? == 0 => {
                let message = op.attribute("msg").ok().and_then(ir::text_of).unwrap_or_default();
                return Err(format!("{CHECK}{message}"));
            }
            "scf.for" => return self.repeat(op),
            "gpu.launch_func" => return self.launch(op),
            "gpu.memcpy" => return self.copy(op),
            "cf.assert" | "gpu.dealloc" | "func.return" | "scf.yield" => return Ok(()),
            name => match name.strip_prefix("arith.").or(name.strip_prefix("math.")) {
                Some(operation) => {
                    let numbers = (0..op.operand_count()).map(|index| self.number(op, index));
                    Operand::Number(evaluate(op, operation, &numbers.collect::<Result<Vec<_>, _>>()?)?)
                }
                _ => return Err(format!("host code with {name} is not known here")),
            },
        };
        let defined = op.result(0).map_err(|_| format!("{name} gives nothing"))?;
        self.values.insert(key(defined.into()), result);
        Ok(())
    }

    /// `scf.for`: the steps of an iterate, which carry the memory of its states.
    fn repeat(&mut self, op: OperationRef) -> Result<(), String> {
        let (first, end, step) = (self.integer(op, 0)?, self.integer(op, 1)?, self.integer(op, 2)?);
        let steps =
            usize::try_from(step).ok().filter(|step| *step > 0).ok_or("scf.for with a step that is not positive")?;
        let block = only_block(op);
        let mut carried =
            (3..op.operand_count()).map(|index| self.operand(op, index)).collect::<Result<Vec<_>, _>>()?;
        for number in (first..end).step_by(steps) {
            for (index, value) in std::iter::once(of(number)).chain(carried).enumerate() {
                let argument = block.argument(index).map_err(|error| error.to_string())?;
                self.values.insert(key(argument.into()), value);
            }
            self.block(block)?;
            let terminator = ir::operations(block).last().ok_or("scf.for without a yield")?;
            carried = terminator.operands().map(|value| self.value(value)).collect::<Result<_, _>>()?;
        }
        for (result, value) in op.results().zip(carried) {
            self.values.insert(key(result.into()), value);
        }
        Ok(())
    }

    fn operand(&self, op: OperationRef, index: usize) -> Result<Operand, String> {
        let value = op.operand(index).map_err(|error| error.to_string())?;
        self.value(value)
    }

    fn value(&self, value: Value) -> Result<Operand, String> {
        self.values.get(&key(value)).cloned().ok_or_else(|| format!("a value of type {} is not known", value.r#type()))
    }

    fn number(&self, op: OperationRef, index: usize) -> Result<Number, String> {
        match self.operand(op, index)? {
            Operand::Number(number) => Ok(number),
            other => Err(format!("found {other:?} as operand {index} of {}, expected a number", ir::name_of(op))),
        }
    }

    fn integer(&self, op: OperationRef, index: usize) -> Result<i64, String> {
        match self.number(op, index)? {
            Number::Integer(value) => Ok(value),
            other => Err(format!("found {other:?} as operand {index} of {}, expected an integer", ir::name_of(op))),
        }
    }

    fn memory(&self, op: OperationRef, index: usize) -> Result<(u64, Vec<i64>), String> {
        match self.operand(op, index)? {
            Operand::Memory { address, extents } => Ok((address, extents)),
            other => Err(format!("found {other:?}, expected memory")),
        }
    }

    fn alloc(&mut self, op: OperationRef) -> Result<Operand, String> {
        let ty = op.result(0).map_err(|error| error.to_string())?.r#type();
        let (element, mut extents) = memory_type(ty)?;
        for (operand, extent) in extents.iter_mut().filter(|extent| **extent < 0).enumerate() {
            *extent = self.integer(op, operand)?;
        }
        let points: i64 = extents.iter().product();
        let bytes = usize::try_from(points).map_err(|_| "gpu.alloc of a negative size")? * element.size();
        Ok(Operand::Memory { address: self.allocate(bytes)?, extents })
    }

    fn copy(&mut self, op: OperationRef) -> Result<(), String> {
        if self.middle {
            return Ok(());
        }
        let ((to, _), (from, extents)) = (self.memory(op, 0)?, self.memory(op, 1)?);
        let (element, _) = memory_type(op.operand(1).map_err(|error| error.to_string())?.r#type())?;
        let points: i64 = extents.iter().product();
        let bytes = points as usize * element.size();
        let holes = self.device.unwritten(from, bytes).map_err(in_words)?;
        if holes > 0 {
            self.reports.push(format!("a copy reads {holes} bytes that nobody wrote"));
        }
        self.device.copy(to, from, bytes).map_err(in_words)
    }

    fn launch(&mut self, op: OperationRef) -> Result<(), String> {
        let extents = |first: usize| -> Result<[u32; 3], String> {
            let extent =
                |index| u32::try_from(self.integer(op, index)?).map_err(|_| "a launch of negative size".to_owned());
            Ok([extent(first)?, extent(first + 1)?, extent(first + 2)?])
        };
        let (grid, block) = (extents(0)?, extents(3)?);
        let mut arguments = Vec::new();
        for index in 6..op.operand_count() {
            let ty = op.operand(index).map_err(|error| error.to_string())?.r#type();
            arguments.push(kernel_argument(&self.operand(op, index)?, ty)?);
        }
        let kernel = op.attribute("kernel").map_err(|error| error.to_string())?.to_string();
        let kernel = kernel.rsplit("@").next().unwrap_or_default().trim_matches('"').to_owned();
        let kernel = self.device.kernel(self.module, &kernel).map_err(in_words)?;
        let mut values: Vec<Vec<u8>> = arguments.iter().map(KernelArg::bytes).collect();
        let mut params: Vec<_> = values.iter_mut().map(|value| value.as_mut_ptr().cast()).collect();
        // SAFETY: each points to the bytes of an argument, of the type that the launch has for it.
        unsafe { self.device.launch(kernel, Shape { grid, block, shared: 0 }, &mut params) }.map_err(in_words)
    }
}

fn kernel_argument(operand: &Operand, ty: Type) -> Result<KernelArg, String> {
    let text = ty.to_string();
    Ok(match operand {
        Operand::Memory { address, .. } => KernelArg::Pointer(*address),
        // Indices in a kernel are 32 bits wide.
        Operand::Number(Number::Integer(value)) => match text.as_str() {
            "i64" => KernelArg::U64(*value as u64),
            "i16" => KernelArg::U16(*value as u16),
            "i8" | "i1" => KernelArg::U8(*value as u8),
            _ => KernelArg::U32(*value as u32),
        },
        Operand::Number(Number::Float(value)) => match text.as_str() {
            "f64" => KernelArg::F64(*value),
            "f32" => KernelArg::F32(*value as f32),
            "f16" => KernelArg::U16(half::f16::nearest(*value).to_bits()),
            _ => return Err(format!("a kernel takes {text}, which is not known here")),
        },
    })
}

fn of(integer: i64) -> Operand {
    Operand::Number(Number::Integer(integer))
}

/// The number that a buffer of one element is.
fn number(buffer: &Buffer) -> Number {
    match Scalar::of(buffer) {
        Some(Scalar::I1(number)) => Number::Integer(i64::from(number)),
        Some(Scalar::I8(number)) => Number::Integer(number.into()),
        Some(Scalar::I16(number)) => Number::Integer(number.into()),
        Some(Scalar::I32(number)) => Number::Integer(number.into()),
        Some(Scalar::I64(number)) => Number::Integer(number),
        Some(Scalar::F16(number)) => Number::Float(number.to_f64()),
        Some(Scalar::F32(number)) => Number::Float(number.into()),
        Some(Scalar::F64(number)) => Number::Float(number),
        None => Number::Float(f64::NAN),
    }
}

fn constant(op: OperationRef) -> Result<Operand, String> {
    let value = op.attribute("value").map_err(|error| error.to_string())?;
    match (IntegerAttribute::try_from(value), FloatAttribute::try_from(value)) {
        (Ok(value), _) => Ok(of(value.value())),
        (_, Ok(value)) => Ok(Operand::Number(Number::Float(value.value()))),
        _ => Err(format!("constant {value} is not known here")),
    }
}

fn attribute(op: OperationRef, name: &str) -> Result<i64, String> {
    let attribute = op.attribute(name).map_err(|error| error.to_string())?;
    IntegerAttribute::try_from(attribute).map(|value| value.value()).map_err(|error| error.to_string())
}

/// The element and the extents of a memref, dynamic ones being negative.
fn memory_type(ty: Type) -> Result<(Element, Vec<i64>), String> {
    let memory = MemRefType::try_from(ty).map_err(|error| error.to_string())?;
    let element: Element = memory.element().to_string().parse()?;
    Ok((element, static_extents(memory).into_iter().map(|extent| extent.unwrap_or(-1)).collect()))
}
