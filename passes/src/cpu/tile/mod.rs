//! `--cpu-tile`: a group becomes tiles that cores compute at the same time, each walked down row by row, those of volumes plane by plane.
//!
//! ```text
//! pipeline.group "g0" schedule                    scf.parallel (%s, %tile_x) = (0, 0) to (strips, columns of tiles) {
//!     {tile = array<i64: 64, 512>} {                %bx = memref.alloc : memref<8x528xf32>     8 rows of "blurx"
//!   %a = stage "blurx" ... %img           ──▶       scf.for %t = <first tick of strip %s> to <its end> {
//!   %b = stage "blury" ... %a                         <"blurx": rows up to 4 * %t + 4, those that are new, to %bx[%y mod 8, ...]>
//!   yield %b }                                        <"blury": rows 4 * %t to 4 * %t + 3, to %out> } }
//! ```
//!
//! **Ticks.** A tile is `tile` points of the live-outs. It is computed a *tick* at a time: four rows, or the fewest above that are
//! whole rows of every stage. What a tick needs of each stage is a box that follows the tick's number
//! ([`weft_model::sliding`]), the same model that the GPU's tiles are made of. The boxes of two ticks overlap;
//! of each, only the rows are computed that the one before has not: a sliding window. A *window* is memory for the rows that are
//! in use at once, and row y lies at y modulo its height, a power of two; rows are whole cache lines.
//!
//! **Overlap.** Tiles share nothing: each computes its boxes whole, and so what its neighbour computes, too. So tiles are tall, and as wide as windows may be
//! to stay in a cache. The first tick may do that, in windows of whole boxes; of a chain of stages, the first box is as tall as all halos together, but
//! what is new of the next one reads few rows of it. So there are ticks *ahead* of the first, `-ahead` to `-1`, which compute what is new to them, as far as
//! the tile needs it, where that makes windows smaller.
//!
//! **Interior and border.** Along a row, the points whose reads all stay inside their images are a loop of their own, without a
//! boundary mode, of a vector at least; those on both sides of them another, whose vectors have masks (`--vectorize`). The sides come behind:
//! two places in each row are no stretch that a CPU sees coming, so what they read is better in a cache already. One row at a time
//! brings the indices of rows inside; where some rows are computed together, those that read rows outside are computed one by one.
//!
//! **Pixels.** Where all that a group reads and gives is pixels, whose planes are computed alike, windows are of pixels, too:
//! `memref<8x528x3xi8>`, of which a view has the planes first ([`weft_model::Group::keeps_pixels`]).
//!
//! Who reads windows alone has no border: their rows go on beyond the edges ([`pad`]).
//!
//! **Bundles.** A stage that others read at their own point only is a value in a register of their loop ([`weft_model::bundles`]).
//! Some rows are computed together, so that what they read in common is loaded once.
//!
//! **Non-temporal stores.** An image of more bytes than the caches hold is written with them (`nontemporal`): else each line of it would be
//! read first, only to be overwritten. Not where lines would be written in parts ([`Lanes::fill_lines`](weft_model::Lanes::fill_lines)):
//! few of them are whole before a CPU writes them.

mod edges;
mod pad;
mod prefetch;
mod tiled;

use super::{scan, scatter};
use crate::{
    analysis::cpu_of,
    group::{Strategy, group_stages, split_while},
    ir::{
        eliminate_common,
        program::{self, ProgramOp, live_ops},
    },
    lower::{Lowering, Memory},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, options};
use tiled::{Tiled, wanted_tile};
use weft_dialects::pipeline::Group;
use weft_model::{Cpu, sliding};

options! {
    /// Options of `--cpu-tile`.
    pub struct CpuTileOptions {
        target: String = "host", "target", "the CPU that code is for: host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml";
    }
}

/// The pass.
pub struct CpuTile;

const GROUPS: Statistic = Statistic::new(c"groups", c"Groups that became tiles");
const SPLITS: Statistic = Statistic::new(c"groups-split", c"Splits of groups that cannot be tiled whole");
const WINDOWS: Statistic = Statistic::new(c"windows", c"Stages of which a tile keeps some rows");

impl Pass for CpuTile {
    const ARGUMENT: &'static str = "cpu-tile";
    const SUMMARY: &'static str = "Lower groups to parallel tiles that are walked down row by row";
    const DESCRIPTION: &'static str = "\
Turns programs into functions on memory, each group into an `scf.parallel` over tiles. Of the schedule it takes `tile` (what one \
iteration of the loop computes, else 64x512) and `vector` (points of a vector, else as many as `target` has room for), with which loops over points are \
marked for `--vectorize`. Each stage that another one reads has a window of rows in the tile. A group that has no such tiles is \
split. Stages in no group get a group of their own; the lines of a scan are shared among threads in blocks, and scans that read each other in their own line share blocks; a scatter whose order \
cannot show becomes strips of its domain, and one whose places are variables of its domain, as sums of rows and columns, loops over these.";
    const STATISTICS: &'static [Statistic] = &[GROUPS, SPLITS, WINDOWS];
    type Options = CpuTileOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::cf(),
            DialectHandle::func(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
            mlir_glue::tool::vector(),
        ]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &CpuTileOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu = cpu_of(module, &options.target)?;
        for func in program::programs(module) {
            group_stages(cx, func, Strategy::None, None)?;
            let block = program::entry(func)?;
            program::unify_dims(block);
            for block in program::blocks(func)? {
                let first = |group: Group, model: &weft_model::Group| {
                    let cut = sliding(model, &wanted_tile(group, model)).err()?;
                    Some(model.closure(cut.producer))
                };
                let splits = split_while(cx, block, first)?;
                cx.count(SPLITS, splits);
            }
            let mut lowering = Lowering::begin(cx.context(), func, Memory::Host)?;
            lower_block(&mut lowering, block, &cpu, cx)?;
            lowering.finish(block);
            // Rows that are computed together read elements in common, and compute with them: which they are shows here.
            eliminate_common(cx.context(), func);
        }
        Ok(())
    }
}

fn lower_block<'c: 'a, 'a>(
    lowering: &mut Lowering<'c, 'a>,
    block: BlockRef<'c, 'a>,
    cpu: &Cpu,
    cx: &PassContext<'c>,
) -> Result<(), Failure<'c>> {
    let ops = live_ops(block);
    let mut rest = &ops[..];
    while let Some((op, others)) = rest.split_first() {
        let scans = scan::lower(lowering, rest, cpu)?;
        if scans > 0 {
            rest = &rest[scans..];
            continue;
        }
        rest = others;
        match *op {
            ProgramOp::Group(group) => {
                let tiled = Tiled::new(lowering, group, cpu)?;
                cx.count(GROUPS, 1);
                cx.count(WINDOWS, tiled.lower()?);
            }
            ProgramOp::Unit(unit) => scatter::lower(lowering, unit, cpu)?,
            ProgramOp::Iterate(iterate) => {
                lowering.steps(iterate, |lowering| lower_block(lowering, iterate.body(), cpu, cx))?;
            }
        }
    }
    Ok(())
}
