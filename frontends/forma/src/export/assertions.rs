//! Assertions that extents of arguments are equal, which Forma says by one parameter for both.

use melior::ir::{BlockRef, OperationRef, Value, attribute::IntegerAttribute, operation::OperationLike};
use mlir_glue::ir;
use std::collections::HashMap;

/// The extents of arguments, image and dimension, that an assertion says are equal.
pub(super) fn is_equal_extents(op: OperationRef) -> Option<[(usize, usize); 2]> {
    let compare = ir::defining_op(ir::operand(op, 0)?)?;
    let case = compare.attribute("predicate").ok().and_then(|case| IntegerAttribute::try_from(case).ok())?;
    if ir::name_of(op) != "cf.assert" || ir::name_of(compare) != "arith.cmpi" || case.value() != 0 {
        return None;
    }
    let extent = |index: usize| {
        let dim = ir::defining_op(ir::operand(compare, index)?)?;
        let number = ir::defining_op(ir::operand(dim, 1)?)?;
        let number = IntegerAttribute::try_from(number.attribute("value").ok()?).ok()?;
        let image = melior::ir::block::BlockArgument::try_from(ir::operand(dim, 0)?).ok()?;
        Some((image.argument_number(), usize::try_from(number.value()).ok()?))
    };
    Some([extent(0)?, extent(1)?])
}

/// Whether all that is made of a number is such an assertion.
pub(super) fn only_asserted(value: Value) -> bool {
    let compare = ir::defining_op(value).filter(|op| ir::name_of(*op) == "arith.cmpi");
    let block = compare.and_then(|op| op.block());
    let assertion = block.and_then(|block| {
        ir::operations(block).find(|op| ir::name_of(*op) == "cf.assert" && ir::operand(*op, 0) == Some(value))
    });
    ir::has_one_use(value) && assertion.is_some_and(|op| is_equal_extents(op).is_some())
}

/// The extents of arguments that are those of earlier ones.
pub(super) fn equal_extents<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    count: usize,
) -> HashMap<(usize, usize), (usize, usize)> {
    let mut equal = HashMap::new();
    for [a, b] in ir::operations(block).filter_map(is_equal_extents) {
        if a.0 < count && b.0 < count && a != b {
            equal.insert(a.max(b), a.min(b));
        }
    }
    equal
}
