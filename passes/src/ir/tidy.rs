//! What a lowering leaves in a function: constants once and first, and no index arithmetic that nobody uses.

use super::{builder::Builder, query::is};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockLike, BlockRef, OperationRef, Value, ValueLike,
        attribute::StringAttribute,
        operation::{OperationLike, OperationMutLike},
    },
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

/// Makes each value of a function once where it is made twice. For MLIR an intrinsic may have effects: conversions that saturate are plain ones
/// meanwhile.
pub fn eliminate_common<'c>(context: &'c Context, func: OperationRef<'c, '_>) {
    let conversions = ir::walk(func).into_iter().filter_map(|op| Some((op, saturating(op)?)));
    for (op, (name, is_signed)) in conversions.collect::<Vec<_>>() {
        let b = Builder::before(context, op).located(op.location());
        let (Some(number), Some(result)) = (ir::operand(op, 0), ir::result(op, 0)) else { continue };
        let plain = if is_signed { "arith.fptosi" } else { "arith.fptoui" };
        let plain = b.value(plain, &[number], result.r#type(), &[(SATURATES, name)]);
        ir::replace_all_uses(result, plain);
        ir::erase(op);
    }
    ir::eliminate_common(func);
    for op in ir::walk(func) {
        let (Ok(name), Some(number)) = (op.attribute(SATURATES), ir::operand(op, 0)) else { continue };
        let (Some(plain), Ok(name)) = (ir::result(op, 0), StringAttribute::try_from(name)) else { continue };
        let b = Builder::before(context, op).located(op.location());
        ir::replace_all_uses(plain, b.intrinsic(name.value(), &[number], plain.r#type()));
        ir::erase(op);
    }
}

/// On a plain conversion: the intrinsic that it stands for.
const SATURATES: &str = "weft.saturates";

/// The name of a conversion that saturates, and whether its integers have a sign.
fn saturating<'c>(op: OperationRef<'c, '_>) -> Option<(Attribute<'c>, bool)> {
    let name = is(op, "llvm.call_intrinsic").then(|| op.attribute("intrin").ok()).flatten()?;
    let text = StringAttribute::try_from(name).ok()?;
    let is_signed = text.value().starts_with("llvm.fptosi.sat.");
    (is_signed || text.value().starts_with("llvm.fptoui.sat.")).then_some((name, is_signed))
}

/// Erases those of some ops, which stand in their order and have no effects, whose results nobody uses: users before what they use.
pub fn erase_unused<'c: 'a, 'a>(ops: impl DoubleEndedIterator<Item = OperationRef<'c, 'a>>) {
    for op in ops.rev() {
        if op.result_count() > 0 && !op.results().any(|result| ir::has_uses(result.into())) {
            ir::erase(op);
        }
    }
}
