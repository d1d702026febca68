//! Scans: one lane walks a line.
//!
//! ```text
//! %s = scan "s" (%y, %x) along 1 {            gpu.func @f_s(...) kernel {
//!   %p = previous 1 or %zero                    %y = the line of this thread
//!   %a = load %img[%y, %x]               ──▶    scf.for %k = 0 to %w iter_args(%one = 0) {
//!   %v = addf %p, %a                              %p = select %k >= 1, %one, %zero
//!   yield %v }                                    ... ; store %v, %s[%y, %k] ; scf.yield %v } }
//! ```
//!
//! Lines do not see each other, so each is one thread's, and the last few values of a line stay in its registers. Threads that
//! are neighbours have lines that are neighbours along the last dimension that is not walked: where a scan runs along y,
//! a warp reads and writes whole rows of 32 points. Blocks are one warp, for lines are few, and every SM shall have some.

use super::{
    grid::{blocks, evaluate, point, sources, thread},
    kernel::{KernelBuilder, Kernels},
};
use crate::{
    analysis::domain::{self, ends, needed_bounds},
    ir::{Compare, Emit, Number, count, is, location::of_stage},
    lower::{Lowering, scan::walk},
};
use melior::ir::{
    OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::Scan;
use weft_model::Arith;

/// Threads of a block: each has a line.
const LANES: i64 = 32;

/// Steps that are written out: what they load is asked for together, and an SM that has one warp waits for all of it once.
const AT_ONCE: i64 = 32;

/// Makes the kernel of a scan, and launches it.
///
/// # Errors
///
/// Those of [`evaluate`].
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    name: &str,
    scan: Scan<'c, 'a>,
) -> Result<(), Failure<'c>> {
    let op: OperationRef = scan.op();
    let images: Vec<Value> = op.results().map(Value::from).collect();
    let location = of_stage(lowering.builder.context(), scan.name(), op.location());
    let mut kernel = KernelBuilder::new(lowering, kernels, name, location, &sources(*scan), &images);
    let space = kernel.bounds_of(*scan);
    let b = kernel.head;
    let domain = needed_bounds(*scan, &space, &b);
    let along = scan.along();
    let mut lines = domain.clone();
    lines.remove(along);

    let number = thread(&b, LANES);
    let lane = b.if_then(b.compare(Compare::Below, number, count(&b, &lines).value(&b)));
    let line = point(&lane, number, &lines);
    let ends = ends(&space);
    let memory: Vec<Value> = images.iter().map(|image| kernel.memory(*image)).collect();
    walk(&lane, scan, &line, space[along].1, &memory, |b, coordinates, before| {
        evaluate(&mut kernel, b, *scan, coordinates, (&domain, &ends), before)
    })?;
    let unrolled = lane.parse_attribute(&format!("#llvm.loop_annotation<unroll = <count = {AT_ONCE} : i32>>"));
    for walked in ir::operations(lane.block()).filter(|op| is(*op, "scf.for")) {
        ir::mutable(walked).set_attribute("loop_annotation", unrolled);
    }

    let b = lowering.builder.located(op.location());
    let space = domain::bounds(*scan);
    let mut lines = needed_bounds(*scan, &space, &b);
    lines.remove(along);
    let mut grid = blocks(&b, count(&b, &lines), LANES);
    // Lines without a point are no work, however many there are.
    grid[1] = Emit(&b).min(&space[along].1, &Number::Known(1));
    kernel.launch(&grid, [LANES, 1, 1]);
    Ok(())
}
