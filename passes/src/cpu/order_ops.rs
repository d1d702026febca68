//! `--order-ops`: in loops over vectors each op stands where its last operand is known.
//!
//! ```text
//! %a = vector.load row 0                            %a = vector.load row 0
//! %b = vector.load row 1                            %b = vector.load row 1
//! %c = vector.load row 2                            %p = arith.addf %a, %b
//! %p = arith.addf %a, %b                     ──▶    %c = vector.load row 2
//! %q = arith.addf %p, %c      first row's sum       %q = arith.addf %p, %c
//! %d = vector.load row 3                            %r = arith.addf %b, %c
//! %r = arith.addf %b, %c                            %d = vector.load row 3
//! %s = arith.addf %r, %d      second row's sum      %s = arith.addf %r, %d
//! ```
//!
//! Rows that are computed together are written one behind the other, and share their loads. A core looks some hundred instructions ahead:
//! it would work on the chain of one row's sums, and wait for each. Ordered by their loads the chains of all rows go on side by side, and
//! what is loaded is used at once by all of them, and needs no register any longer.

use super::instructions::is_instruction;
use crate::ir::{Key, is, key, only_block};
use melior::ir::{
    OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;

/// The pass.
pub struct OrderOps;

const ORDERED: Statistic = Statistic::new(c"ordered", c"Loops whose ops were ordered");

impl Pass for OrderOps {
    const ARGUMENT: &'static str = "order-ops";
    const SUMMARY: &'static str = "Put ops of loops over vectors where their last operand is known";
    const DESCRIPTION: &'static str = "\
In each `scf.for` the arithmetic up to the first op that is none, a store or a loop, is ordered by the loads that it depends on. The \
order of loads stays.";
    const STATISTICS: &'static [Statistic] = &[ORDERED];
    type Options = ();

    fn dialects(_: RegistryRef) {}

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "scf.for")) {
            order(op);
            cx.count(ORDERED, 1);
        }
        Ok(())
    }
}

/// Orders the ops of a loop up to the first that is neither a load nor arithmetic.
fn order(op: OperationRef) {
    let ops: Vec<OperationRef> = ir::operations(only_block(op)).collect();
    let is_load = |op: &OperationRef| ["vector.load", "memref.load", "memref.prefetch"].contains(&ir::name_of(*op));
    let is_pure = |op: &OperationRef| {
        let name = ir::name_of(*op);
        // Those that loops over vectors call compute numbers.
        [
            "arith.",
            "math.",
            "vector.broadcast",
            "vector.shuffle",
            "vector.interleave",
            "vector.bitcast",
            "llvm.call_intrinsic",
        ]
        .iter()
        .any(|prefix| name.starts_with(prefix))
            || is_instruction(*op)
    };
    let Some(end) = ops.iter().position(|op| !is_load(op) && !is_pure(op)) else { return };
    // The number of the last load that an op depends on.
    let mut last: HashMap<Key, usize> = HashMap::new();
    let mut loads = 0;
    let mut places: Vec<(usize, OperationRef)> = Vec::new();
    for op in &ops[..end] {
        let place = match is_load(op) {
            true => {
                loads += 1;
                loads
            }
            false => op.operands().filter_map(|value| last.get(&key(value))).copied().max().unwrap_or(0),
        };
        last.extend(op.results().map(|value| (key(Value::from(value)), place)));
        places.push((place, *op));
    }
    places.sort_by_key(|(place, _)| *place);
    places.into_iter().for_each(|(_, op)| ir::mutable(op).move_before(ops[end]));
}
