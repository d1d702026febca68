//! `--warp-tile`: a group becomes a kernel in which each warp computes one overlapped tile, on its own.
//!
//! ```text
//! pipeline.group "g0" schedule                gpu.func @f_g0(%img: memref<f32, 1>, %out: memref<f32, 1>, ...) kernel {
//!     {tile = array<i64: 8, 256>} {             %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32]
//!   %a = stage "blurx" ... %img        ──▶      scf.if <the tile and its halo lie inside> {
//!   %b = stage "blury" ... %a                     %a = warp.compute "blurx" ... in [-1, 9) x [0, 256) : <... #warp.shared>
//!   yield %b }                                    %b = warp.compute "blury" ... in [0, 8) x [0, 256) : <... #warp.lane>
//!                                                 warp.write %b in [0, 8) x [0, 256) to %out
//!                                               } else { <the same, with boundary modes> } }
//! ```
//!
//! A thread block of B threads holds ceil(B / W) warps along each dimension, a warp W lanes (section 4 of the PolyMage-GPU
//! paper: W_x = min(B_x, 32), W_y = min(B_y, 32 / W_x), ...). `tile` is what one warp computes of a live-out: the paper's
//! T x W. Warps share nothing, so no warp waits for another.
//!
//! **Two versions.** Most tiles lie inside all images with all they read; for them no index is brought inside and nothing
//! is checked. One comparison for the whole warp tells them from those at an edge.
//!
//! **Computed places.** A gather brings its computed indices inside before it reads, in both versions: what is computed can lie
//! anywhere. Tiles have all of such a dimension.
//!
//! **Strips.** With `layout = "blocked"` or a `stream` in the schedule, tiles are made for registers: every box has the
//! same columns, as many as the warp's lanes hold, of which only those that are right in the end are written; and inputs
//! are tiles too, read from memory once. `--hybrid-register` then moves them there.

use super::{kernel, tile_kernel::lower_groups};
use melior::ir::OperationRef;
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic};
use weft_model::Scope;

/// The pass.
pub struct WarpTile;

const KERNELS: Statistic = Statistic::new(c"kernels", c"Kernels made");
const SPLITS: Statistic = Statistic::new(c"groups-split", c"Splits of groups that cannot be tiled whole");
const INLINED: Statistic = Statistic::new(c"stages-inlined", c"Stages computed where they are read");

impl Pass for WarpTile {
    const ARGUMENT: &'static str = "warp-tile";
    const SUMMARY: &'static str = "Lower groups to kernels with one overlapped tile a warp";
    const DESCRIPTION: &'static str = "\
Makes a `gpu.module @NAME_kernels` beside each program with one kernel a group, and turns the program into host code on \
memory that launches the kernels in order. Of the schedule it takes `tile` (what a warp computes, else 8x128), `block` (else \
4x32 threads), `layout`, `vector`, `stream` and `inputs`; where that has `scope = \"block\"`, the group is lowered as by \
`--block-tile`. A group that has no overlapped tiles is split. Stages in no group get a group of their own; a stage of which no point serves two points of its only consumer is computed there.";
    const STATISTICS: &'static [Statistic] = &[KERNELS, SPLITS, INLINED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        kernel::dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let done = lower_groups(module, cx, Scope::Warp)?;
        cx.count(KERNELS, done.kernels);
        cx.count(SPLITS, done.splits);
        cx.count(INLINED, done.inlined);
        Ok(())
    }
}
