//! A thread asks for all that it loads before it computes: what it loads is on its way together.
//!
//! ```text
//! %a = memref.load %img[%y, %x]            %a = memref.load %img[%y, %x]
//! %s = arith.mulf %a, %half                %x1 = arith.addi %x, %c1
//! %x1 = arith.addi %x, %c1           ──▶   %b = memref.load %img[%y, %x1]
//! %b = memref.load %img[%y, %x1]           %s = arith.mulf %a, %half
//! %t = arith.mulf %b, %half                %t = arith.mulf %b, %half
//! ```
//!
//! Bodies are written down where they are read, each with its loads; a warp would wait for each of them in turn.

use crate::ir::{is, is_made_once, key};
use melior::ir::{
    BlockRef, OperationRef,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::ir;
use std::collections::HashSet;

/// Puts the loads of a block, with the arithmetic of their indices, before all that works on what is loaded. They stay where an
/// index is itself loaded or chosen by a branch, and behind what writes.
pub fn loads_first(block: BlockRef) {
    let mut loaded = HashSet::new();
    let mut first: Option<OperationRef> = None;
    for op in ir::operations(block).collect::<Vec<_>>() {
        let is_load = is(op, "memref.load") || is(op, "vector.load");
        let is_pure = is_load || is_made_once(ir::name_of(op));
        let waits = op.operands().any(|operand| loaded.contains(&key(operand)));
        match (is_pure && !waits, first) {
            (true, Some(first)) => ir::mutable(op).move_before(first),
            (true, None) => {}
            (false, _) if !is_pure && op.results().next().is_none() => return,
            (false, _) => first = first.or(Some(op)),
        }
        if is_load || waits || !is_pure {
            loaded.extend(op.results().map(|result| key(result.into())));
        }
    }
}
