//! Kernels of units that are no stages: what scans and scatters share.
//!
//! ```text
//! %s = pipeline.scan "rows" ...            gpu.func @f_rows(...) kernel { ... }
//! %g = pipeline.group "g0" { ... }   ──▶   gpu.func @f_g0(...) kernel { ... }
//! %h = pipeline.scatter "hist" ...         gpu.func @f_hist_begin, @f_hist
//!                                          func @f(...) { launch @f_rows; launch @f_g0; launch @f_hist_begin; ... }
//! ```
//!
//! Such a unit has kernels of its own, the same ones however groups are tiled. Threads are numbered along x; what is a
//! thread's (a line, a point, a place) is that number taken apart, the last dimension fastest, so that neighbours in a warp
//! are neighbours in memory where that can be.

use super::{kernel::Kernels, scan, scatter};
use crate::{
    ir::{
        program::{ProgramOp, live_ops},
        symbol,
    },
    lower::Lowering,
};
use melior::ir::{BlockRef, OperationRef};
use mlir_glue::Failure;
use weft_dialects::pipeline::{Group, Scan, Scatter, Unit};

/// Makes the kernels of a block's live ops, in order; `lower_group` makes those of a group. Returns how many.
///
/// # Errors
///
/// Those of `lower_group`, and of bodies.
pub fn lower_block<'c: 'a, 'a>(
    lowering: &mut Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    lower_group: &mut dyn FnMut(&Lowering<'c, 'a>, &mut Kernels<'c, 'a>, Group<'c, 'a>) -> Result<usize, Failure<'c>>,
) -> Result<usize, Failure<'c>> {
    let mut made = 0;
    for op in live_ops(block) {
        made += match op {
            ProgramOp::Group(group) => lower_group(lowering, kernels, group)?,
            ProgramOp::Unit(unit) => lower(lowering, kernels, func, unit)?,
            ProgramOp::Iterate(iterate) => {
                lowering.steps(iterate, |lowering| lower_block(lowering, kernels, func, iterate.body(), lower_group))?
            }
        };
    }
    Ok(made)
}

/// Makes the kernels of a unit that is in no group, and launches them; returns how many.
///
/// # Errors
///
/// Those of bodies.
fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    func: OperationRef<'c, 'a>,
    unit: Unit<'c, 'a>,
) -> Result<usize, Failure<'c>> {
    let name = format!("{}_{}", symbol(func), unit.name());
    match (Scan::of(unit.op()), Scatter::of(unit.op())) {
        (Some(scan), _) => scan::lower(lowering, kernels, &name, scan).map(|()| 1),
        (_, Some(scatter)) => scatter::lower(lowering, kernels, &name, scatter),
        // Stages have been put into groups.
        _ => Ok(0),
    }
}
