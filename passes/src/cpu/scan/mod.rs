//! Scans for the cores of a CPU: blocks of lines, of which a vector walks some at a time.
//!
//! ```text
//! %d = scan "down" (%y, %x) along 0 {...}              scf.parallel (%b) = blocks of columns {
//!   ... load %img[%y, %x] ...                            %m = memref.alloc : rows x 64
//! %u = scan "up" (%y, %x) along 0 backward {...}  ──▶    for 64 lanes: <down the columns of %img, to %m>
//!   ... load %d[%y, %x] ...                              for 64 lanes: <up %m, to the image of "up"> }
//!
//! %r = scan "right" (%y, %x) along 1 {...}             scf.parallel (%b) = blocks of 32 rows {
//!   ... load %img[%y, %x] ...                            %t, %m = memref.alloc : columns x 32
//! %l = scan "left" (%y, %x) along 1 backward {...}       <rows of %img, transposed, to %t>
//!   ... load %r[%y, %x] ...                       ──▶    for 32 lanes: <down %t, to %m>
//!                                                        for 32 lanes: <up %m, to %t>
//!                                                        <%t, transposed, to rows of the image of "left"> }
//! ```
//!
//! A lane walks its line as a loop that carries the values before; `--vectorize` makes vectors of lanes.
//!
//! **Chains.** Scans along the same dimension, the later of which read the earlier ones only in their own line, are done for one
//! block of lines after another. What nobody else reads lives in memory of the block, which a thread has once and which is small
//! enough for its second cache.
//!
//! **Side by side.** Where lines do not run along the last dimension, neighbours in memory are neighbouring lines, and four vectors of
//! them are walked at once. The last ones are moved back to end with the block, and the last block takes what is left of the lines. What they come to
//! some steps later is asked for ([`ahead`]).
//!
//! **Transposed.** Where they do, a vector is a column of some lines. Each image of which a line is read, its own or that of an image of fewer dimensions, is transposed on its
//! way in ([`rows`]).
//!
//! **Joined.** Or a vector is some points of a row, where each point's own value is joined with all before it by what may be done in any order, as
//! integers are summed ([`joined`]).
//!
//! Two vectors are walked at once. At the last lines, lanes that have none do the last one again. Scans that read what depends
//! on their line in another way, and lines that are too few or too long for such memory, are walked point by point.
//!
//! **Bands.** A chain along rows and one down columns that read each other are done some rows at a time ([`bands`]).

mod ahead;
mod bands;
mod chain;
mod joined;
mod parts;
mod rows;

use crate::{
    ir::program::ProgramOp,
    lower::{Lowering, lower_for_cores},
};
use bands::Bands;
use chain::Chain;
use melior::ir::operation::OperationLike;
use mlir_glue::Failure;
use weft_dialects::pipeline::Scan;
use weft_model::Cpu;

/// Lowers the scans that the ops begin with, as far as they are done together; returns how many.
///
/// # Errors
///
/// Those of their bodies.
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    ops: &[ProgramOp<'c, 'a>],
    cpu: &Cpu,
) -> Result<usize, Failure<'c>> {
    let scan = |op: &ProgramOp<'c, 'a>| match op {
        ProgramOp::Unit(unit) => Scan::of(unit.op()),
        _ => None,
    };
    let scans: Vec<Scan> = ops.iter().map_while(scan).collect();
    let Some(first) = scans.first() else { return Ok(0) };
    let b = lowering.builder.located(first.op().location());
    let Some(chain) = Chain::of(lowering, &scans, cpu)? else {
        lower_for_cores(lowering, &b, **first)?;
        return Ok(1);
    };
    let done = chain.members.len();
    if let Some(next) = Chain::of(lowering, &scans[done..], cpu)?
        && let Some(bands) = Bands::of(lowering, [&chain, &next])?
    {
        bands.lower(&b, cpu)?;
        return Ok(done + next.members.len());
    }
    chain.lower(&b, cpu)?;
    Ok(done)
}
