//! `--block-tile`: one overlapped tile a thread block, with a barrier between stages. The baseline.
//!
//! ```text
//! pipeline.group "g0" { ... }    ──▶    gpu.func @f_g0(...) kernel {
//!                                         %tile_y, %tile_x = warp.tile_id block lanes [8, 32]
//!                                         ... the computes and writes of --warp-tile, by all threads of the block
//! ```
//!
//! This is how Halide and Forma use shared memory. The tiles are those of [`WarpTile`](crate::gpu::WarpTile); but all warps of a block work
//! on one, and wait for each other between its stages. Groups of both kinds can stand in one program, and either pass lowers both: a
//! schedule with `scope = "block"` or `scope = "warp"` says whose a group's tiles are, and the pass says it for all others.
//!
//! ```text
//! %a = warp.compute "a" ... {                            %input0 = warp.compute "input0" ... in [-1, 9) x [-1, 129) { warp.load %img[%y, %x] clamp }
//!   warp.load %img[%y, %x - 1] clamp              ──▶    %a = warp.compute "a" ... {
//!   warp.load %img[%y, %x + 1] clamp ... }                 warp.read %input0[%y, %x - 1] ; warp.read %input0[%y, %x + 1] ... }
//! ```
//!
//! So with `inputs = "shared"` in the schedule: all threads load what the tile reads of an image, each point once, as Forma has it.

use super::{kernel, tile_kernel::lower_groups};
use melior::ir::OperationRef;
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic};
use weft_model::Scope;

/// The pass.
pub struct BlockTile;

const KERNELS: Statistic = Statistic::new(c"kernels", c"Kernels made");
const SPLITS: Statistic = Statistic::new(c"groups-split", c"Splits of groups that cannot be tiled whole");
const INLINED: Statistic = Statistic::new(c"stages-inlined", c"Stages computed where they are read");

impl Pass for BlockTile {
    const ARGUMENT: &'static str = "block-tile";
    const SUMMARY: &'static str = "Lower groups to kernels with one overlapped tile a thread block";
    const DESCRIPTION: &'static str = "\
As `--warp-tile`, but a tile belongs to a thread block, whose threads wait for each other at a barrier between stages. Of the \
schedule it takes `tile` (what a block computes, else 8x128), `block` (else 4x32 threads) and `inputs` (with \"shared\" a tile first loads what \
it reads of images more than once); where that has `scope = \"warp\"`, the \
group is lowered as by `--warp-tile`.";
    const STATISTICS: &'static [Statistic] = &[KERNELS, SPLITS, INLINED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        kernel::dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let done = lower_groups(module, cx, Scope::Block)?;
        cx.count(KERNELS, done.kernels);
        cx.count(SPLITS, done.splits);
        cx.count(INLINED, done.inlined);
        Ok(())
    }
}
