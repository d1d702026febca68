//! `--convert-pipeline-to-loops`: the reference. Each stage whole, in order, plain loops over memory.
//!
//! ```text
//! %0 = pipeline.stage "bx" (%y, %x) {               scf.for %y = %c0 to %h {
//!   %a = pipeline.load %img[%y, %x - 1] clamp         scf.for %x = %c0 to %w {
//!   %v = arith.addf %a, %a : f32             ──▶        %i = (%x - 1) clamped into [0, %w - 1]
//!   pipeline.yield %v : f32                             %a = memref.load %img[%y, %i]
//! } sized(%h, %w) : tensor<?x?xf32>                     %v = arith.addf %a, %a
//!                                                       memref.store %v, %0[%y, %x] } }
//! ```
//!
//! A scan is such loops, too: the loop of its line goes in its direction, and `pipeline.previous` reads what the image holds
//! already. A scatter begins all its places, then loops over its domain and updates them.
//!
//! What a program means is what this pass makes of it: every other lowering is compared with it, bit for bit. So it does
//! nothing clever. It knows no groups (their stages are lowered one by one), and of a stage that `--infer-bounds` narrowed
//! it computes what is needed.

use super::{
    loops::Plain,
    lowering::{Lowering, Memory},
};
use crate::ir::program;
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::{Iterate, Scatter, Unit};

/// The pass.
pub struct ConvertPipelineToLoops;

const STAGES: Statistic = Statistic::new(c"stages", c"Stages, scans and scatters lowered");
const BUFFERS: Statistic = Statistic::new(c"buffers", c"Intermediate images that got memory");

impl Pass for ConvertPipelineToLoops {
    const ARGUMENT: &'static str = "convert-pipeline-to-loops";
    const SUMMARY: &'static str = "Lower stages, scans and scatters to plain loops over memrefs: the reference";
    const DESCRIPTION: &'static str = "\
Turns programs on tensors into functions on memory: a memref for each tensor argument, then one for each result, which the \
caller allocates. A program whose results have dynamic extents gets a companion `@NAME_extents` that computes them. Checks \
that need dynamic extents become `cf.assert` at entry.";
    const STATISTICS: &'static [Statistic] = &[STAGES, BUFFERS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::cf(),
            DialectHandle::func(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            program::blocks(func)?.into_iter().for_each(program::flatten_groups);
            let mut lowering = Lowering::begin(cx.context(), func, Memory::Host)?;
            let block = program::entry(func)?;
            cx.count(STAGES, program::units(func).len());
            cx.count(BUFFERS, lowering.allocations());
            lower_block(&mut lowering, block)?;
            lowering.finish(block);
        }
        Ok(())
    }
}

fn lower_block<'c: 'a, 'a>(lowering: &mut Lowering<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<(), Failure<'c>> {
    for op in ir::operations(block).collect::<Vec<_>>() {
        if let Some(iterate) = Iterate::of(op) {
            lowering.steps(iterate, |lowering| lower_block(lowering, iterate.body()))?;
        } else if let Some(unit) = Unit::of(op) {
            lower(lowering, unit)?;
        }
    }
    Ok(())
}

/// The loops of one unit, whole.
fn lower<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, unit: Unit<'c, 'a>) -> Result<(), Failure<'c>> {
    let b = lowering.builder.located(unit.op().location());
    let plain = Plain::new(lowering, unit, &b);
    match Scatter::of(unit.op()) {
        Some(scatter) => plain.scatter(&b, scatter, false),
        None => plain.each_point(&b),
    }
}
