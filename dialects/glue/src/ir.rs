//! What melior does not say of IR yet.

use melior::ir::{AffineMap, Attribute, AttributeLike, BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_sys::{mlirAffineMapAttrGetValue, mlirAttributeIsAAffineMap, mlirOpResultGetOwner};

/// The map of an `affine_map<...>` attribute.
pub fn affine_map_of<'c>(attribute: Attribute<'c>) -> Option<AffineMap<'c>> {
    // SAFETY: the kind of the attribute is checked before its map is taken.
    unsafe {
        mlirAttributeIsAAffineMap(attribute.to_raw())
            .then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(attribute.to_raw())))
    }
}

/// The op that a value is a result of; `None` for arguments of blocks.
pub fn defining_op<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: only results of ops are asked for their owner, which lives as long as they do.
    value.is_operation_result().then(|| unsafe { OperationRef::from_raw(mlirOpResultGetOwner(value.to_raw())) })
}

/// The ops of a block, in order. The next one is looked up before the current one is handed out, so that the current
/// one may be moved or erased.
pub fn operations<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let mut next = block.first_operation();
    std::iter::from_fn(move || {
        let current = next?;
        next = current.next_in_block();
        Some(current)
    })
}
