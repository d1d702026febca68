//! How the IR of Weft is rewritten: one file a pass, each opening with a picture of its input and its output.
//!
//! | wing | what lives there | passes |
//! | --- | --- | --- |
//! | [`ir`] | building and asking IR | |
//! | [`analysis`] | what a program means: accesses, bounds, ranges, costs | |
//! | [`stage`] | level 0, units on tensors | `--contract` ... `--infer-bounds` |
//! | [`group`] | level 1, which stages share a kernel | `--fuse`, `--cpu-schedule`, `--print-footprints` |
//! | [`lower`] | what all lowerings to loops and memory share | `--convert-pipeline-to-loops`, the reference |
//! | [`cpu`] | tiles, vectors and threads of CPUs | `--cpu-tile` ... `--expand-extremes` |
//! | [`gpu`] | level 2, tiles of warps, and kernels | `--warp-tile` ... `--to-ptx` |
//! | [`pipelines`] | all the way down, in one word | `--pipeline-to-cpu`, `--pipeline-to-ptx` |
//!
//! A wing imports only wings above it; `cpu` and `gpu` do not know each other, and `stage` knows nothing of groups. No pass
//! imports a pass: what two of them need is a neutral file of their wing. `tests/layout.rs` holds all of that.

#[macro_use]
mod declare;

pub mod analysis;
pub mod cpu;
pub mod gpu;
pub mod group;
pub mod ir;
pub mod lower;
pub mod pipelines;
pub mod stage;

use mlir_glue::Registration;

static PIPELINES: &[Registration] =
    &[Registration::pipeline::<pipelines::PipelineToCpu>(), Registration::pipeline::<pipelines::PipelineToPtx>()];

/// Every pass, in the order of lowering, and every named pipeline behind them.
pub fn registrations() -> impl Iterator<Item = &'static Registration> {
    [stage::PASSES, group::PASSES, lower::PASSES, cpu::PASSES, gpu::PASSES, PIPELINES].into_iter().flatten()
}

/// Makes the passes and pipelines known to MLIR.
pub fn register_passes() {
    registrations().for_each(Registration::register);
}
