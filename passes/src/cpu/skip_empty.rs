//! `--skip-empty`: a program all of whose results have no points does no work.
//!
//! ```text
//! cf.assert ...                              cf.assert ...
//! %a = memref.alloc(%h, %w)                  %some = %o_h != 0 and %o_w != 0
//! loops over %h, inside over %w     ──▶      scf.if %some {
//! memref.dealloc %a                            %a = memref.alloc(%h, %w), the loops, memref.dealloc %a
//! return                                     }
//!                                            return
//! ```
//!
//! An image of 2⁵⁰ rows without a column is empty, and so is what is made of it; but loops would count its rows, for days, and
//! memory of a few points for each row would not be there. What the program checks is checked in any case.
//!
//! Results are found by `@NAME_extents`, which has the arguments without them: functions whose results have no extents that are known
//! at run time only have none, and are left as they are.

use super::memory::behind_checks;
use crate::ir::{Builder, Compare, is, only_block, symbol};
use melior::{
    dialect::DialectHandle,
    ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike, r#type::MemRefType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::static_extents;

/// The pass.
pub struct SkipEmpty;

const GUARDED: Statistic = Statistic::new(c"guarded", c"Programs that work only where a result has points");

impl Pass for SkipEmpty {
    const ARGUMENT: &'static str = "skip-empty";
    const SUMMARY: &'static str = "Do nothing where no result has points";
    const DESCRIPTION: &'static str = "\
Puts all that stands behind a program's checks into an `scf.if` which asks whether a result has points: loops over the rows of an image \
without columns do not begin, and nothing is allocated. The results of `@NAME` are the arguments that `@NAME_extents` does not have; \
functions without one are left as they are. Runs behind `--check-memory`.";
    const STATISTICS: &'static [Statistic] = &[GUARDED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::memref(), DialectHandle::scf()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let funcs: HashMap<String, OperationRef> = ir::operations(only_block(module))
            .filter(|op| is(*op, "func.func"))
            .map(|func| (symbol(func).to_owned(), func))
            .collect();
        for (name, func) in &funcs {
            if let Some(extents) = funcs.get(&format!("{name}_extents")) {
                guard(cx, *func, *extents);
            }
        }
        Ok(())
    }
}

/// Guards the work of a function; `extents` tells the extents of its results.
fn guard<'c: 'a, 'a>(cx: &PassContext<'c>, func: OperationRef<'c, 'a>, extents: OperationRef<'c, 'a>) {
    let block = |func: OperationRef<'c, 'a>| func.region(0).ok().and_then(|region| region.first_block());
    let (Some(block), Some(asked)) = (block(func), block(extents)) else { return };
    let Some(end) = block.terminator() else { return };
    let ops: Vec<_> = ir::operations(block).collect();
    let (constants, work): (Vec<_>, Vec<_>) =
        ops[behind_checks(&ops)..ops.len() - 1].iter().partition(|op| is(**op, "arith.constant"));
    let (Some(first), 0) = (work.first(), end.operand_count()) else { return };
    // The last argument there are the extents.
    let results: Vec<Value> = ir::arguments(block).skip(asked.argument_count().saturating_sub(1)).collect();
    let b = Builder::before(cx.context(), *first).located(func.location());
    // What is asked may use them.
    constants.into_iter().for_each(|op| b.move_here(op));
    let some: Option<Vec<Value>> = results.into_iter().map(|result| has_points(&b, result)).collect();
    // A result that has points in any case makes work in any case.
    let Some(some) = some.and_then(|some| some.into_iter().reduce(|any, one| b.logic("ori", any, one))) else { return };
    cx.count(GUARDED, 1);
    let inside = b.if_then(some);
    work.into_iter().for_each(|op| inside.move_here(op));
}

/// Whether an image has points, where that depends on its extents at run time.
fn has_points<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let ty = MemRefType::try_from(image.r#type()).ok()?;
    let open = static_extents(ty).into_iter().enumerate().filter(|(_, extent)| extent.is_none());
    let asked = open.map(|(dimension, _)| {
        let extent = b.value("memref.dim", &[image, b.index(dimension as i64)], b.index_type(), &[]);
        b.compare(Compare::NotEqual, extent, b.index(0))
    });
    asked.reduce(|all, one| b.logic("andi", all, one))
}
