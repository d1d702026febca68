//! What a lowering leaves in a function: constants once and first, and no index arithmetic that nobody uses.

use super::query::is;
use melior::ir::{
    AttributeLike, BlockLike, BlockRef, OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::ir;
use std::{
    collections::{HashMap, hash_map::Entry},
    ffi::c_void,
};

/// Puts the constants of a function, those in its loops too, at the head of its block, each once; erases those that are not
/// used, and what of the block's own arithmetic and extents is not.
pub fn tidy(block: BlockRef) {
    let is_pure = |op: OperationRef| ir::name_of(op).starts_with("arith.") || is(op, "memref.dim");
    let ops: Vec<OperationRef> = ir::operations(block).collect();
    erase_unused(ops.into_iter().filter(|op| is_pure(*op)));
    let (Some(func), Some(first)) =
        (block.parent_operation(), ir::operations(block).find(|op| !is(*op, "arith.constant")))
    else {
        return;
    };
    // One context has one attribute of a kind, so its address tells it; its type is that of the constant.
    let mut seen: HashMap<*const c_void, Value> = HashMap::new();
    for op in ir::walk(func).into_iter().filter(|op| is(*op, "arith.constant")) {
        let (Some(constant), Ok(attribute)) = (ir::result(op, 0), op.attribute("value")) else { continue };
        match seen.entry(attribute.to_raw().ptr) {
            Entry::Occupied(same) => ir::replace_all_uses(constant, *same.get()),
            Entry::Vacant(_) if !ir::has_uses(constant) => {}
            Entry::Vacant(unseen) => {
                ir::mutable(op).move_before(first);
                unseen.insert(constant);
            }
        }
        if !ir::has_uses(constant) {
            ir::erase(op);
        }
    }
}

/// Erases those of some ops, which stand in their order and have no effects, whose results nobody uses: users before what they use.
pub fn erase_unused<'c: 'a, 'a>(ops: impl DoubleEndedIterator<Item = OperationRef<'c, 'a>>) {
    for op in ops.rev() {
        if op.result_count() > 0 && !op.results().any(|result| ir::has_uses(result.into())) {
            ir::erase(op);
        }
    }
}
