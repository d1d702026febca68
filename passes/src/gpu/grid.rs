//! Blocks and threads: how a box of points is shared among them, and which point is whose.
//!
//! ```text
//! thread number (along x) = block * threads + thread      taken apart, the last dimension fastest: line, point or place
//! ```

use super::{kernel::KernelBuilder, tiles::along};
use crate::{
    analysis::bounds::loads,
    ir::{Axis, Builder, Emit, Number, block_id, parts, range_extent, thread_id},
    lower::body::{self, Known, Read, Space, Whereabouts},
};
use melior::ir::Value;
use mlir_glue::Failure;
use weft_dialects::pipeline::{Previous, Unit};
use weft_model::{Arith, Range};

/// Numbers of blocks along each dimension of an image, outermost first, as a grid of x, y and z: of four dimensions the
/// first two share z, as n * (blocks along c) + c.
pub fn grid_of<'c: 'a, 'a>(mut blocks: Vec<Number<'c, 'a>>, b: &Builder<'c, 'a>) -> [Number<'c, 'a>; 3] {
    if let [n, c, ..] = blocks[..]
        && blocks.len() == 4
    {
        let both = match (n, c) {
            (Number::Known(n), c) => Emit(b).mul(&c, n),
            (n, c) => Number::Value(b.arith("muli", n.value(b), c.value(b))),
        };
        blocks.splice(..2, [both]);
    }
    let mut grid = [Number::Known(1); 3];
    grid.iter_mut().zip(blocks.into_iter().rev()).for_each(|(to, from)| *to = from);
    grid
}

/// The threads of a block along each dimension of an image as x, y and z. Of four dimensions the first has one.
pub fn launch_dims(block: &[i64]) -> [i64; 3] {
    let mut threads = [1; 3];
    threads.iter_mut().zip(block.iter().rev()).for_each(|(to, from)| *to = *from);
    threads
}

/// The body of a unit at a point, its loads read from memory. `domain` and `ends` say what its arguments run over.
///
/// # Errors
///
/// Those of [`body::evaluate_unit`].
pub fn evaluate<'c: 'a, 'a>(
    kernel: &mut KernelBuilder<'_, 'c, 'a>,
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    (domain, ends): (&[Range<Number<'c, 'a>>], &[Number<'c, 'a>]),
    before: impl FnMut(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    let mut known = Known::new();
    let read = |b: &Builder<'c, 'a>, read: Read<'c, 'a>| {
        let source = kernel.extents(read.load.source());
        let space = Space { domain, extents: ends, source: &source, whereabouts: Whereabouts::Domain };
        let memory = kernel.memory(read.load.source());
        Ok(body::read_memory(b, &read, memory, &space, &mut known))
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
    coordinate(b, ("id", Axis::X), threads)
}

/// A thread's coordinate, called so, along an axis of the grid, whose blocks have so many threads along it.
pub fn coordinate<'c: 'a, 'a>(b: &Builder<'c, 'a>, (name, axis): (&str, Axis), threads: i64) -> Value<'c, 'a> {
    let block = block_id(&b.named("block"), axis);
    let start = b.named("first").arith("muli", block, b.index(threads));
    b.named(name).arith("addi", start, thread_id(&b.named("thread"), axis))
}

/// The point of a box with this number, the last dimension fastest.
pub fn point<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    domain: &[Range<Number<'c, 'a>>],
) -> Vec<Value<'c, 'a>> {
    let rank = domain.len();
    let mut rest = number;
    let mut coordinates = Vec::new();
    for (d, range) in domain.iter().enumerate().rev() {
        let place = if d == 0 {
            rest
        } else {
            let extent = range_extent(range, &b.named("extent")).value(b);
            let place = b.named(&along("at", rank, d)).arith("remui", rest, extent);
            rest = b.named("rest").arith("divui", rest, extent);
            place
        };
        coordinates.insert(0, Emit(&b.named(&along("at", rank, d))).add(&Number::Value(place), &range.lo).value(b));
    }
    coordinates
}

/// Blocks of `threads` that cover so many points; to be launched as the grid's x.
pub fn blocks<'c: 'a, 'a>(b: &Builder<'c, 'a>, points: Number<'c, 'a>, threads: i64) -> [Number<'c, 'a>; 3] {
    [parts(b, points, threads), Number::Known(1), Number::Known(1)]
}
