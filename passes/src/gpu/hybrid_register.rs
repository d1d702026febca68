//! `--hybrid-register`: tiles move from shared memory to registers, in part or whole.
//!
//! ```text
//! %a = warp.compute "blurx" ... in [-1, 9) x [0, 258)          %a = ... : <10x258xf32, #warp.hybrid<130>>
//!      : <10x258xf32, #warp.shared>                    ──▶          fraction 0.5: of 256 columns 128 stay shared, and the
//!                                                                   halo left of them; 128 are registers, 4 a lane
//! ```
//!
//! **Hybrid tiles** (section 5 of the PolyMage-GPU paper, Algorithm 1). The tile is split along x into parallelograms that
//! are parallel to the right hyperplane: each stage's register part is the same number of columns, the last ones of its
//! box, so that what a consumer needs of a producer always lies in the same columns or left of them. The left part, with
//! all overlap on that side, stays in shared memory and is computed first. The fraction is rounded to whole warps of
//! columns; 1.0 leaves only the overlap.
//!
//! **Several resolutions** (section 4, scaling). Where "b" reads "a" at `2 * x + k`, a tile of "a" moves by two columns for each of "b",
//! and has two registers for each of "b"; where "b" reads `x floordiv 2`, half as many. So the right parts still end together, and
//! what a column in registers reads is in registers or left of them.
//!
//! ```text
//! %a ... step [128] in [-1, 129)                                %a : <130xf32, #warp.hybrid<66>>      64 columns, 2 a lane
//! %b ... step [64] in [0, 64) { warp.read %a[%x * 2 - 1] }  ──▶  %b : <64xf32, #warp.hybrid<32>>       32 columns, 1 a lane
//! ```
//!
//! **Strips.** Tiles that `--warp-tile` made for registers (`layout = "blocked"`, or a `stream`) have the same columns in
//! every stage, and go to registers whole, or not at all where the fraction rounds to nothing. With a `stream` the computes
//! of a tile go into a `warp.stream`, to be done row by row.
//!
//! **Lanes in rows and columns.** Where the lanes of a warp lie so (`block = 4x16` is two warps of 2x16 lanes), with a fraction of 1 the tiles of
//! the version for tiles inside go to registers whole (`#warp.grid<2, 16>`), and a read of another row is a shuffle as one of another column is.
//!
//! ```text
//! %a ... in [-1, 9) x [0, 64) : <10x64xf32, #warp.shared>       ──▶  %a ... : <10x64xf32, #warp.grid<2, 16>>      5 x 4 registers of a lane
//! ```
//!
//! **Tiles at an edge** of hybrid kernels become strips of 32 columns, one after the other: a boundary mode can lead
//! anywhere, and between registers that is a shuffle, whereas a left part could not wait for a right one.

use super::outside::candidates;
use super::tiles::{behind, blocks_of, resolve_read, retype, set_box, tile_ops};
use crate::{
    group::fraction_of,
    ir::{Builder, is, key, one_block, only_block},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockRef, OperationRef, Value,
        attribute::DictionaryAttribute,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::{
    pipeline::Schedule,
    warp::{Compute, Layout, TileId, Write},
};
use weft_model::{Expr, Form, Hybrid, gcd, offset_along};

options! {
    /// Options of `--hybrid-register`.
    pub struct HybridRegisterOptions {
        fraction: String = "", "fraction", "part of a tile's columns in registers, 0.0 to 1.0; else what the schedule says";
    }
}

/// The pass.
pub struct HybridRegister;

const TILES: Statistic = Statistic::new(c"tiles", c"Tiles moved to registers, in part or whole");
const KEPT: Statistic = Statistic::new(c"kernels-kept-shared", c"Kernels whose tiles stay in shared memory");

/// Operations that `--shuffle` may write out for the tiles of a block, about: far more than registers hold, and four times as many take
/// minutes to make.
const MOST_CODE: i64 = 1 << 15;

impl Pass for HybridRegister {
    const ARGUMENT: &'static str = "hybrid-register";
    const SUMMARY: &'static str = "Move tiles from shared memory to registers, in part or whole";
    const DESCRIPTION: &'static str = "\
Gives the tiles of kernels of `--warp-tile` layouts in registers: the right part of each (`#warp.hybrid`), as large as the \
schedule's `fraction` (or the option) asks for, rounded to whole warps of columns; or all of a strip (`#warp.blocked`, \
`#warp.cyclic`), which with a `stream` in the schedule is computed row by row (`warp.stream`). Stages of other resolutions, read at \
`2 * x + k` or `(x + k) floordiv 2`, have as many more columns in registers as their tiles move further. A kernel in which a stage reads \
another along x by more than four columns a lane, or at no affine place, keeps its tiles shared, and so does one of which more would be written out than anybody \
wants to wait for, with a remark. Where the lanes of a warp lie in rows and columns, with a fraction of 1 the tiles that lie inside go to registers whole \
(`#warp.grid`), if all that is read of others is a fixed distance away.";
    const STATISTICS: &'static [Statistic] = &[TILES, KEPT];
    type Options = HybridRegisterOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::scf()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &HybridRegisterOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let asked = fraction_of(&options.fraction).map_err(|message| Diagnostic::on(module, message))?;
        for func in ir::walk(module).into_iter().filter(|op| is(*op, "gpu.func")).collect::<Vec<_>>() {
            // Only a warp has lanes to shuffle between.
            let Some(id) = ir::walk(func).into_iter().find_map(TileId::of) else { continue };
            if id.warps().is_none() {
                continue;
            }
            let schedule = schedule_of(func);
            let Some(to) = destination(&schedule, asked, &id.lanes()) else { continue };
            let blocks = blocks_of(func);
            // A stream is a loop over rows.
            if !matches!(to, Destination::Stream(_)) && is_too_long(&blocks) {
                cx.count(KEPT, 1);
                continue;
            }
            for block in blocks {
                let moved = match to {
                    Destination::Stream(layout) => strip(cx, block, layout, true),
                    Destination::Strip(layout) => strip(cx, block, layout, false),
                    Destination::Hybrid(fraction) if goes_along(block)? => hybrid(cx, block, fraction),
                    Destination::Grid(layout) if goes_beside(block)? => retype_all(cx, block, layout),
                    // At an edge a boundary mode may lead each lane elsewhere.
                    Destination::Grid(_) if has_edges(block) => 0,
                    Destination::Hybrid(_) | Destination::Grid(_) => {
                        cx.count(KEPT, 1);
                        0
                    }
                };
                cx.count(TILES, moved);
            }
        }
        Ok(())
    }
}

/// What `--warp-tile` left of the schedule.
fn schedule_of(func: OperationRef) -> Schedule {
    let schedule =
        func.attribute("warp.schedule").ok().and_then(|schedule| DictionaryAttribute::try_from(schedule).ok());
    schedule.and_then(|schedule| Schedule::parse(schedule, 2).ok()).unwrap_or_default()
}

/// Where the tiles of a kernel go.
#[derive(Clone, Copy)]
enum Destination {
    /// Whole to registers.
    Strip(Layout),
    /// To registers row by row.
    Stream(Layout),
    /// To registers as far as this fraction says.
    Hybrid(f64),
    /// Whole to registers of lanes in rows and columns, of tiles inside.
    Grid(Layout),
}

/// Where a schedule sends tiles, with the fraction that is asked for or else its own; `None`: they stay.
fn destination(schedule: &Schedule, asked: Option<f64>, lanes: &[i64]) -> Option<Destination> {
    let fraction = asked.or(schedule.fraction);
    if lanes.last() != Some(&32) {
        let &[.., rows, columns] = lanes else { return None };
        // What is left in shared memory would be so for all rows of lanes.
        return fraction.filter(|fraction| *fraction == 1.0).map(|_| Destination::Grid(Layout::Grid(rows, columns)));
    }
    let Some(columns) = schedule.vector else {
        return fraction.filter(|fraction| *fraction > 0.0).map(Destination::Hybrid);
    };
    let layout = match schedule.layout.as_deref() {
        Some("blocked") => Layout::Blocked(columns),
        _ => Layout::Cyclic(columns),
    };
    let to = if schedule.stream.is_some() { Destination::Stream } else { Destination::Strip };
    (fraction.unwrap_or(1.0) >= 0.5).then_some(to(layout))
}

/// The axis and step of a compute's columns.
fn column_stride<'c: 'a, 'a>(compute: Compute<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    Some((*compute.at().last()?, *compute.step().last()?))
}

/// The columns of the stage of lowest resolution from tile to tile; `None` where a stage does not move.
fn least_step(computes: &[Compute]) -> Option<i64> {
    computes.iter().map(|compute| column_stride(*compute).map_or(0, |(_, step)| step)).min().filter(|step| *step > 0)
}

/// Whether all computes move along x together, each a multiple of the slowest, and read each other there by few shuffles.
fn goes_along<'c>(block: BlockRef<'c, '_>) -> Result<bool, Diagnostic<'c>> {
    let computes: Vec<Compute> = ir::operations(block).filter_map(Compute::of).collect();
    let Some(first) = computes.first().and_then(|compute| column_stride(*compute)) else { return Ok(false) };
    let Some(least) = least_step(&computes) else { return Ok(false) };
    for compute in &computes {
        let Some((at, step)) = column_stride(*compute) else { return Ok(false) };
        if key(at) != key(first.0)
            || step % least != 0
            || !matches!(compute.layout(), Some(Layout::Shared | Layout::Lane))
        {
            return Ok(false);
        }
        for read in compute.reads() {
            let Some(producer) = Compute::giving(read.tile()) else { return Ok(false) };
            let resolved = resolve_read(*compute, producer, read)?;
            // A read in a loop, or at a computed index, needs a shared tile.
            let parents = std::iter::successors(read.op().parent_operation(), |op| op.parent_operation());
            let is_looped = parents.take_while(|op| Compute::of(*op).is_none()).any(|op| is(op, "scf.for"));
            if is_looped || !resolved.is_plain() {
                return Ok(false);
            }
            let x = compute.rank() - 1;
            let last = resolved.indices.len() - 1;
            let shuffled = resolved.locals.last().and_then(Form::of).filter(|form| form.dim == x && form.is_shuffled());
            let along = shuffled.is_some() && resolved.indices[..last].iter().all(|index| !index.dims().contains(&x));
            if !along {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a block's computes may lie outside of their images.
fn has_edges(block: BlockRef) -> bool {
    ir::operations(block).filter_map(Compute::of).any(|compute| compute.extents().is_some())
}

/// Whether the computes of a tile inside read each other at fixed distances along rows and columns, and nowhere else by them.
fn goes_beside<'c>(block: BlockRef<'c, '_>) -> Result<bool, Diagnostic<'c>> {
    if has_edges(block) {
        return Ok(false);
    }
    for compute in ir::operations(block).filter_map(Compute::of) {
        let Some(y) = compute.rank().checked_sub(2) else { return Ok(false) };
        for read in compute.reads() {
            let Some(producer) = Compute::giving(read.tile()) else { return Ok(false) };
            let resolved = resolve_read(compute, producer, read)?;
            let is_beside = |(d, local): (usize, &Expr)| match producer.rank() - d {
                1 => offset_along(local, y + 1).is_some(),
                2 => offset_along(local, y).is_some(),
                _ => local.dims().iter().all(|d| *d < y),
            };
            if !resolved.is_plain() || !resolved.locals.iter().enumerate().all(is_beside) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// All tiles of a block go to registers; returns how many.
fn retype_all<'c>(cx: &PassContext<'c>, block: BlockRef<'c, '_>, layout: Layout) -> usize {
    let computes: Vec<Compute> = ir::operations(block).filter_map(Compute::of).collect();
    computes.iter().for_each(|compute| retype(&Builder::before(cx.context(), compute.op()), *compute, layout));
    computes.len()
}

/// Whether more would be written out of a kernel than anybody waits for, which is then said.
fn is_too_long(blocks: &[BlockRef]) -> bool {
    let computes = blocks.iter().map(|block| ir::operations(*block).filter_map(Compute::of).collect::<Vec<_>>());
    let code = |block: &Vec<Compute>| block.iter().map(|compute| written_out(*compute)).fold(0, i64::saturating_add);
    let Some((all, longest)) = computes.map(|block| (code(&block), block)).max_by_key(|(code, _)| *code) else {
        return false;
    };
    let stages = longest.len();
    if let Some(first) = longest.first().filter(|_| all > MOST_CODE) {
        let message = format!(
            "the tiles of {stages} stages stay in shared memory: in registers they would be some {all} operations, expected at most {MOST_CODE}"
        );
        Diagnostic::on(first.op(), message).emit_remark();
    }
    all > MOST_CODE
}

/// Operations of a compute in registers: its body for each row, and for each column of a lane; and for each row which row of another tile a
/// read means whose boundary mode may lead elsewhere, chosen among those that it may be, column by column.
fn written_out<'c>(compute: Compute<'c, '_>) -> i64 {
    let region = compute.region();
    let extents: Vec<i64> = region.iter().map(|(lo, hi)| hi - lo).collect();
    let Some((columns, rows)) = extents.split_last() else { return 0 };
    let columns = (columns + 31) / 32;
    // Reads of one row in several columns choose it once.
    let mut chosen = Vec::new();
    let choices = compute.reads().into_iter().filter_map(|read| {
        let producer = Compute::giving(read.tile())?;
        let resolved = resolve_read(compute, producer, read).ok().filter(|resolved| resolved.is_plain())?;
        let (_, along) = resolved.indices.split_last()?;
        let row = (key(read.tile()), along.to_vec());
        if chosen.contains(&row) {
            return None;
        }
        chosen.push(row);
        let rows = (0..along.len()).map(|d| candidates(compute, producer, &resolved, read, d));
        Some((rows.fold(1, i64::saturating_mul) - 1).saturating_mul(columns + 1))
    });
    let choices = choices.fold(0, i64::saturating_add);
    let body = (ir::walk(compute.op()).len() as i64).saturating_mul(columns);
    rows.iter().fold(body.saturating_add(choices), |all, rows| all.saturating_mul(*rows))
}

/// Strips go to registers, row by row if they are streamed; returns the number of their tiles.
fn strip<'c: 'a, 'a>(cx: &PassContext<'c>, block: BlockRef<'c, 'a>, layout: Layout, is_streamed: bool) -> usize {
    let ops = tile_ops(block);
    let computes: Vec<Compute> = ops.iter().copied().filter_map(Compute::of).collect();
    let tiles = retype_all(cx, block, layout);
    if is_streamed && let Some(b) = behind(cx, block) {
        let rows = computes.iter().filter_map(|compute| compute.step().iter().rev().nth(1).copied()).max().unwrap_or(1);
        let window = computes.iter().flat_map(|compute| window(*compute)).max().unwrap_or(1);
        // Whole iterations, each long enough that no row stays in its place for the next.
        let unroll = (window..=rows).find(|unroll| rows % unroll == 0).unwrap_or(rows);
        let unroll = b.parse_attribute(&format!("{unroll} : i64"));
        let stream = b.op_with_regions("warp.stream", &[], &[], &[("unroll", unroll)], vec![one_block(&[])]);
        let body = only_block(stream);
        let end = Builder::at_end(cx.context(), body, b.location());
        ops.into_iter().for_each(|op| end.move_here(op));
    }
    tiles
}

/// How many rows of other stages one row of a compute reads: from the first to the last.
fn window<'c>(compute: Compute<'c, '_>) -> Option<i64> {
    let y = compute.rank().checked_sub(2)?;
    let offsets: Vec<i64> = compute
        .reads()
        .into_iter()
        .filter_map(|read| {
            let resolved = resolve_read(compute, Compute::giving(read.tile())?, read).ok()?;
            resolved.indices.iter().rev().nth(1).and_then(|index| offset_along(index, y))
        })
        .collect();
    Some(offsets.iter().max()? - offsets.iter().min()? + 1)
}

/// The right part of each tile goes to registers; returns the number of tiles.
fn hybrid<'c: 'a, 'a>(cx: &PassContext<'c>, block: BlockRef<'c, 'a>, fraction: f64) -> usize {
    let ops = tile_ops(block);
    let computes: Vec<Compute> = ops.iter().copied().filter_map(Compute::of).collect();
    let Some((tile_x, _)) = computes.first().and_then(|compute| column_stride(*compute)) else { return 0 };
    let step = |compute: &Compute| compute.step().last().copied().unwrap_or(1);
    let columns = |compute: &Compute| compute.region().last().copied().unwrap_or_default();
    let boxes: Vec<(i64, i64)> =
        computes.iter().map(|compute| (step(compute), columns(compute).1 - columns(compute).0)).collect();
    let registers = Hybrid::new(fraction, &boxes);
    if registers.columns == 0 {
        return 0;
    }
    if computes.iter().all(|compute| compute.extents().is_none()) {
        for compute in &computes {
            let (lo, hi) = columns(compute);
            let shared = hi - lo - registers.columns * registers.scale(step(compute));
            retype(&Builder::before(cx.context(), compute.op()), *compute, Layout::Hybrid(shared));
        }
        return computes.len();
    }
    // At an edge: strips of few columns, one after the other.
    let pieces = pieces_of(&computes);
    // The columns left of a piece, right of it, and in it, of all stages of a resolution.
    let strips: Vec<(i64, i64, i64)> = computes
        .iter()
        .map(|compute| {
            let step = step(compute);
            let ends = computes.iter().filter(|other| column_stride(**other).is_some_and(|(_, own)| own == step));
            let ends = ends.map(columns);
            let (lo, hi) = ends.fold((0, step), |(lo, hi), (from, to)| (lo.min(from), hi.max(to)));
            (-lo, hi - step, step / pieces)
        })
        .collect();
    let strip = |tile: Value<'c, 'a>| {
        let of = Compute::giving(tile)?;
        Some(strips[computes.iter().position(|compute| compute.op() == of.op())?])
    };
    let Some(b) = behind(cx, block) else { return 0 };
    let (inner, number) = b.named("piece").for_loop(b.index(0), b.index(pieces));
    let first = inner.named("first_piece").arith("muli", tile_x, inner.index(pieces));
    let at = inner.named("piece_x").arith("addi", first, number);
    for op in &ops {
        inner.move_here(*op);
        if let Some(write) = Write::of(*op) {
            let mut region = write.region();
            if let (Some(last), Some((.., piece))) = (region.last_mut(), strip(write.tile())) {
                *last = (0, piece);
            }
            set_box(&b, *op, &region);
        }
        let Some(compute) = Compute::of(*op) else { continue };
        let Some((left, right, piece)) = compute.op().result(0).ok().and_then(|tile| strip(tile.into())) else {
            continue;
        };
        let columns = (left + piece + right + 31) / 32;
        let mut region = compute.region();
        if let Some(last) = region.last_mut() {
            *last = (-left, 32 * columns - left);
        }
        set_box(&b, *op, &region);
        let mut steps = compute.step();
        if let Some(last) = steps.last_mut() {
            *last = piece;
        }
        ir::mutable(*op).set_attribute("step", b.integers(&steps));
        ir::mutable(*op).set_operand(compute.rank() - 1, at);
        retype(&b, compute, Layout::Cyclic(columns));
    }
    computes.len()
}

/// How many pieces the columns of a tile at an edge are cut into: as few as there are with 32 columns or less, of the same number of pieces
/// in all stages.
fn pieces_of(computes: &[Compute]) -> i64 {
    let steps = || computes.iter().filter_map(|compute| compute.step().last().copied());
    let (all, most) = (steps().fold(0, gcd), steps().max().unwrap_or(1));
    (1..all).find(|pieces| all % pieces == 0 && most / pieces <= 32).unwrap_or(all)
}
