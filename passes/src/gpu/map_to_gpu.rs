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

use super::{
    kernel::{self, Kernels},
    point_kernel, unit_kernels,
};
use crate::{
    group::{Strategy, group_stages},
    ir::{Builder, program, symbol},
    lower::{Lowering, Memory},
};
use melior::ir::OperationRef;
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic};
use weft_dialects::pipeline::Stage;

/// The pass.
pub struct MapToGpu;

const KERNELS: Statistic = Statistic::new(c"kernels", c"Kernels made");
const EVALUATED: Statistic = Statistic::new(c"stages-inlined", c"Times that a stage was put into a kernel");

impl Pass for MapToGpu {
    const ARGUMENT: &'static str = "map-to-gpu";
    const SUMMARY: &'static str = "Lower groups to one kernel a live-out, one thread a point, producers inlined";
    const DESCRIPTION: &'static str = "\
Makes a `gpu.module @NAME_kernels` beside each program, and turns the program into host code on memory that launches the \
kernels in order. The block is the schedule's `block`, else 8x32 threads. Stages in no group get a group of their own.

Where the schedule says `scope = \"thread\"` its `tile` are the points of a thread, at most 256. Along the last dimension that has several \
threads they lie as far apart as the block is wide, along the others side by side. A reduce of several points is one loop for all of them, with a part of its \
window written out.";
    const STATISTICS: &'static [Statistic] = &[KERNELS, EVALUATED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        kernel::dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            group_stages(cx, func, Strategy::None, None)?;
            let mut lowering = Lowering::begin(cx.context(), func, Memory::Device)?;
            let block = program::entry(func)?;
            let b = Builder::before(cx.context(), func);
            let mut kernels = Kernels::before(func, module, &b);
            let made = unit_kernels::lower_block(
                &mut lowering,
                &mut kernels,
                func,
                block,
                &mut |lowering, kernels, group| {
                    let name = |stage: Stage| format!("{}_{}_{}", symbol(func), group.name(), stage.name());
                    let done = point_kernel::lower(lowering, kernels, group, name)?;
                    cx.count(EVALUATED, done.bodies);
                    Ok(done.kernels)
                },
            )?;
            cx.count(KERNELS, made);
            lowering.finish(block);
        }
        Ok(())
    }
}
