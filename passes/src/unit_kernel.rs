//! Kernels of units that are no stages: what scans and scatters share.
//!
//! ```text
//! %s = pipeline.scan "rows" ...            gpu.func @f_rows(...) kernel { ... }
//! %g = pipeline.group "g0" { ... }   ──▶   gpu.func @f_g0(...) kernel { ... }
//! %h = pipeline.scatter "hist" ...         gpu.func @f_hist_begin, @f_hist
//!                                          func @f(...) { launch @f_rows; launch @f_g0; launch @f_hist_begin; ... }
//! ```
//!
//! Such a unit has kernels of its own, the same ones however groups are tiled. Threads are numbered along x; what is a
//! thread's (a line, a point, a place) is that number taken apart, the last dimension fastest, so that neighbours in a warp
//! are neighbours in memory where that can be.

use crate::{
    access::{Emit, Number},
    body::{self, Known, Read, Space},
    bounds::loads,
    builder::Builder,
    kernel::{Kernel, Kernels, points},
    lowering::Lowering,
    map_to_gpu::check_indices,
    program::symbol,
    scan, scatter,
};
use melior::ir::{OperationRef, Type, TypeLike, Value};
use mlir_glue::Failure;
use weft_dialects::pipeline::{Previous, Scan, Scatter, Unit};
use weft_model::{Arith, Range};

/// Makes the kernels of a unit that is in no group, and launches them; returns how many.
///
/// # Errors
///
/// An index that is known to leave 32 bits.
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    func: OperationRef<'c, 'a>,
    unit: Unit<'c, 'a>,
) -> Result<usize, Failure<'c>> {
    let name = format!("{}_{}", symbol(func), unit.name());
    match (Scan::of(unit.op()), Scatter::of(unit.op())) {
        (Some(scan), _) => scan::lower(lowering, kernels, &name, scan).map(|()| 1),
        (_, Some(scatter)) => scatter::lower(lowering, kernels, &name, scatter),
        // Stages have been put into groups.
        _ => Ok(0),
    }
}

/// The body of a unit at a point, its loads read from memory. `domain` and `ends` say what its arguments run over.
///
/// # Errors
///
/// An index that is known to leave 32 bits.
pub fn evaluate<'c: 'a, 'a>(
    kernel: &mut Kernel<'_, 'c, 'a>,
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    (domain, ends): (&[Range<Number<'c, 'a>>], &[Number<'c, 'a>]),
    before: impl FnMut(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    let mut known = Known::new();
    let read = |b: &Builder<'c, 'a>, read: Read<'c, 'a>| {
        check_indices(&read, domain)?;
        let source = kernel.extents(read.load.source());
        let space = Space { domain, extents: ends, source: &source };
        // What is computed inside an `scf.if` is not to be had behind it.
        let mut nested = read.is_nested.then(|| known.clone());
        let memory = kernel.memory(read.load.source());
        Ok(body::read_memory(b, &read, memory, &space, nested.as_mut().unwrap_or(&mut known)))
    };
    body::evaluate_unit(b, unit, coordinates, read, before)
}

/// The images that a unit reads, each once, in the order of its loads.
pub fn sources<'c: 'a, 'a>(unit: Unit<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut sources = Vec::new();
    for load in loads(unit) {
        if !sources.contains(&load.source()) {
            sources.push(load.source());
        }
    }
    sources
}

/// A thread's number in the grid, along x.
pub fn thread<'c: 'a, 'a>(b: &Builder<'c, 'a>, threads: i64) -> Value<'c, 'a> {
    let dimension = b.parse_attribute("#gpu<dim x>");
    let read = |op| b.value(op, &[], b.index_type(), &[("dimension", dimension)]);
    b.arith("addi", b.arith("muli", read("gpu.block_id"), b.index(threads)), read("gpu.thread_id"))
}

/// How many points a box has.
pub fn count<'c: 'a, 'a>(b: &Builder<'c, 'a>, domain: &[Range<Number<'c, 'a>>]) -> Number<'c, 'a> {
    domain.iter().fold(Number::Known(1), |all, range| match (all, points(range, b)) {
        (Number::Known(all), extent) => Emit(b).mul(&extent, all),
        (all, Number::Known(extent)) => Emit(b).mul(&all, extent),
        (all, extent) => Number::Value(b.arith("muli", all.value(b), extent.value(b))),
    })
}

/// The point of a box with this number, the last dimension fastest.
pub fn point<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    domain: &[Range<Number<'c, 'a>>],
) -> Vec<Value<'c, 'a>> {
    let mut rest = number;
    let mut coordinates = Vec::new();
    for (d, range) in domain.iter().enumerate().rev() {
        let place = if d == 0 {
            rest
        } else {
            let extent = points(range, b).value(b);
            let place = b.arith("remui", rest, extent);
            rest = b.arith("divui", rest, extent);
            place
        };
        coordinates.insert(0, Emit(b).add(&Number::Value(place), &range.lo).value(b));
    }
    coordinates
}

/// Blocks of `threads` that cover so many points; to be launched as the grid's x.
pub fn blocks<'c: 'a, 'a>(b: &Builder<'c, 'a>, points: Number<'c, 'a>, threads: i64) -> [Number<'c, 'a>; 3] {
    let mut emit = Emit(b);
    let padded = emit.add(&points, &Number::Known(threads - 1));
    [emit.floor_div(&padded, threads), Number::Known(1), Number::Known(1)]
}

/// A zero of a type.
pub fn zero<'c: 'a, 'a>(b: &Builder<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
    let text = if ty.is_float() { format!("0.0 : {ty}") } else { format!("0 : {ty}") };
    b.value("arith.constant", &[], ty, &[("value", b.parse_attribute(&text))])
}
