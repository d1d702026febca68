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
//! What a program means is what this pass makes of it: every other lowering is compared with it, bit for bit. So it does
//! nothing clever. It knows no groups (their stages are lowered one by one), and of a stage that `--infer-bounds` narrowed
//! it computes what is needed.

use crate::{
    access::{Number, needed_domain},
    body::{self, Known, Space},
    lowering::{Lowering, Memory},
    program,
};
use melior::dialect::DialectHandle;
use melior::ir::{OperationRef, operation::OperationLike};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::Stage;

/// The pass.
pub struct ConvertPipelineToLoops;

const STAGES: Statistic = Statistic::new(c"stages", c"Stages lowered");
const BUFFERS: Statistic = Statistic::new(c"buffers", c"Intermediate images that got memory");

impl Pass for ConvertPipelineToLoops {
    const ARGUMENT: &'static str = "convert-pipeline-to-loops";
    const SUMMARY: &'static str = "Lower stages to plain loops over memrefs: the reference";
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
            program::entry(func).map(program::flatten_groups)?;
            let lowering = Lowering::begin(cx.context(), func, Memory::Host)?;
            let block = program::entry(func)?;
            let stages: Vec<_> = ir::operations(block).filter_map(Stage::of).collect();
            cx.count(STAGES, stages.len());
            cx.count(BUFFERS, lowering.allocations());
            for stage in stages {
                lower(&lowering, stage)?;
            }
            lowering.finish(block);
        }
        Ok(())
    }
}

fn lower<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, stage: Stage<'c, 'a>) -> Result<(), Failure<'c>> {
    let mut b = lowering.builder.located(stage.op().location());
    let extents = program::numbers(stage.extents());
    let domain = needed_domain(stage, &extents, &b);
    let mut coordinates = Vec::new();
    for (range, extent) in domain.iter().zip(&extents) {
        // Loops are half open; the end of a whole dimension is its extent, which is at hand.
        let end = match range.hi {
            Number::Known(hi) => Number::Known(hi + 1),
            Number::Value(_) => *extent,
        };
        let (inner, index) = b.for_loop(range.lo.value(&b), end.value(&b));
        coordinates.push(index);
        b = inner;
    }
    let mut known = Known::new();
    let values = body::evaluate(&b, stage, &coordinates, |b, read| {
        let source = read.load.source();
        let space = Space { domain: &domain, extents: &extents, source: &lowering.extents(source) };
        // What is computed inside an `scf.if` is not to be had behind it.
        let mut nested = read.is_nested.then(|| known.clone());
        Ok(body::read_memory(b, &read, lowering.buffer(source), &space, nested.as_mut().unwrap_or(&mut known)))
    })?;
    for (value, image) in values.into_iter().zip(stage.op().results()) {
        b.store(value, lowering.buffer(image.into()), &coordinates);
    }
    Ok(())
}
