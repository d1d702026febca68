//! What melior does not say of IR yet.

use crate::sys::{glueAreEquivalent, glueAreRegionsEquivalent, glueEliminateCommon, str_of, string_ref};
use melior::Context;
use melior::ir::{
    AffineMap, Attribute, AttributeLike, BlockLike, BlockRef, Identifier, Location, OperationRef, RegionLike, Type,
    TypeLike, Value, ValueLike,
    attribute::{DenseElementsAttribute, FlatSymbolRefAttribute},
    operation::{OperationLike, OperationRefMut},
};
use mlir_sys::{
    MlirAttribute, mlirAffineMapAttrGet, mlirAffineMapAttrGetValue, mlirAttributeIsAAffineMap,
    mlirAttributeIsAFlatSymbolRef, mlirAttributeIsAGPUObjectAttr, mlirAttributeIsAString, mlirBlockArgumentGetOwner,
    mlirBlockArgumentSetLocation, mlirBlockEraseArgument, mlirElementsAttrGetValue, mlirElementsAttrIsValidIndex,
    mlirFlatSymbolRefAttrGetValue, mlirGPUObjectAttrGet, mlirGPUObjectAttrGetObject, mlirIdentifierStr,
    mlirLocationFusedGetMetadata, mlirOpOperandGetNextUse, mlirOpOperandGetOperandNumber, mlirOpOperandGetOwner,
    mlirOpResultGetOwner, mlirOperationDestroy, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType,
    mlirShapedTypeGetRank, mlirStringAttrGetValue, mlirSymbolRefAttrGet, mlirTranslateModuleToLLVMIR,
    mlirTypeIsAVector, mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith, mlirVectorTypeIsDimScalable,
    mlirVectorTypeIsScalable,
};
use std::ffi::c_void;

/// The map of an `affine_map<...>` attribute.
pub fn affine_map_of<'c>(attribute: Attribute<'c>) -> Option<AffineMap<'c>> {
    // SAFETY: the kind of the attribute is checked before its map is taken.
    unsafe {
        mlirAttributeIsAAffineMap(attribute.to_raw())
            .then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(attribute.to_raw())))
    }
}

/// The attribute `affine_map<...>` of a map.
pub fn affine_map_attribute<'c>(map: AffineMap<'c>) -> Attribute<'c> {
    // SAFETY: the map is live, and the attribute belongs to the same context.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// The text of a string attribute, or `None` if it is none. (melior's own accessor panics on an empty string, and on one
/// that is not UTF-8, which stands here as a text that names nothing.)
pub fn text_of<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: the kind is checked first; the text belongs to the context.
    unsafe { mlirAttributeIsAString(attribute.to_raw()).then(|| str_of(mlirStringAttrGetValue(attribute.to_raw()))) }
}

/// The element of a dense attribute at a place; `None` where it has no such.
pub fn element_at<'c>(elements: DenseElementsAttribute<'c>, place: &[i64]) -> Option<Attribute<'c>> {
    let mut place: Vec<u64> = place.iter().map(|at| u64::try_from(*at).ok()).collect::<Option<_>>()?;
    let (elements, rank) = (elements.to_raw(), place.len() as isize);
    // SAFETY: the attribute is one of elements, and has one at this place, of as many numbers as are said, before it is asked for.
    unsafe {
        mlirElementsAttrIsValidIndex(elements, rank, place.as_mut_ptr())
            .then(|| Attribute::from_raw(mlirElementsAttrGetValue(elements, rank, place.as_mut_ptr())))
    }
}

/// The attribute `@outer::@inner`, a reference to a symbol in the table of another.
pub fn nested_symbol<'c>(context: &'c Context, outer: &str, inner: &str) -> Attribute<'c> {
    let inner = FlatSymbolRefAttribute::new(context, inner).to_raw();
    // SAFETY: the list of references is one attribute that is live; the texts are copied into the context.
    unsafe { Attribute::from_raw(mlirSymbolRefAttrGet(context.to_raw(), string_ref(outer), 1, &raw const inner)) }
}

/// The type of a vector's elements; `None` of other types.
pub fn vector_element<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: the kind of the type is checked before its elements are asked for.
    unsafe { mlirTypeIsAVector(ty.to_raw()).then(|| Type::from_raw(mlirShapedTypeGetElementType(ty.to_raw()))) }
}

/// The extents of a vector; `None` of other types, and of vectors whose extents are a machine's.
pub fn vector_extents(ty: Type) -> Option<Vec<i64>> {
    // SAFETY: the kind of the type is checked before its shape is asked for, and only dimensions that it has.
    unsafe {
        if !mlirTypeIsAVector(ty.to_raw()) || mlirVectorTypeIsScalable(ty.to_raw()) {
            return None;
        }
        let rank = mlirShapedTypeGetRank(ty.to_raw()) as isize;
        Some((0..rank).map(|d| mlirShapedTypeGetDimSize(ty.to_raw(), d)).collect())
    }
}

/// A type with other elements in the place of a type's: a vector of the same shape for a vector, else the element itself.
pub fn with_elements<'c>(ty: Type<'c>, element: Type<'c>) -> Type<'c> {
    // SAFETY: the kind of the type is checked before its shape is asked for, and only dimensions that it has.
    let (shape, scalable): (Vec<u64>, Vec<bool>) = unsafe {
        if !mlirTypeIsAVector(ty.to_raw()) {
            return element;
        }
        let extent = |d| mlirShapedTypeGetDimSize(ty.to_raw(), d).cast_unsigned();
        let rank = mlirShapedTypeGetRank(ty.to_raw()) as isize;
        (0..rank).map(|d| (extent(d), mlirVectorTypeIsDimScalable(ty.to_raw(), d))).unzip()
    };
    Type::vector_scalable(&shape, &scalable, element)
}

/// The name of an op, `dialect.op`. (melior's lives only as long as the identifier that it is asked of.)
pub fn name_of<'c>(op: OperationRef<'c, '_>) -> &'c str {
    identifier_text(op.name())
}

/// The text of an identifier, for as long as the context lives.
pub fn identifier_text<'c>(identifier: Identifier<'c>) -> &'c str {
    // SAFETY: the text belongs to the context.
    unsafe { str_of(mlirIdentifierStr(identifier.to_raw())) }
}

/// The op that a value is a result of; `None` for arguments of blocks.
pub fn defining_op<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: only results of ops are asked for their owner, which lives as long as they do.
    value.is_operation_result().then(|| unsafe { OperationRef::from_raw(mlirOpResultGetOwner(value.to_raw())) })
}

/// The block that a value is defined in.
pub fn block_of<'c, 'a>(value: Value<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    match defining_op(value) {
        Some(op) => op.block(),
        // SAFETY: a value that no op defines is an argument of a block.
        None => unsafe { BlockRef::from_option_raw(mlirBlockArgumentGetOwner(value.to_raw())) },
    }
}

/// Gives an argument of a block another location.
///
/// # Panics
///
/// If the value is a result of an op.
pub fn set_argument_location<'c>(argument: Value<'c, '_>, location: Location<'c>) {
    assert!(argument.is_block_argument(), "an op's result has the location of the op");
    // SAFETY: the value is an argument of a block, and live, as the location is.
    unsafe { mlirBlockArgumentSetLocation(argument.to_raw(), location.to_raw()) };
}

/// The text of `@text` in a location `fused<@text>[...]`; `None` of others.
pub fn fused_symbol<'c>(location: Location<'c>) -> Option<&'c str> {
    if !location.is_fused() {
        return None;
    }
    // SAFETY: the kind of the location is checked before its attribute is asked for, which may be none, and the kind of that before
    // its text, which belongs to the context.
    unsafe {
        let attribute = mlirLocationFusedGetMetadata(location.to_raw());
        let is_symbol = !attribute.ptr.is_null() && mlirAttributeIsAFlatSymbolRef(attribute);
        is_symbol.then(|| str_of(mlirFlatSymbolRefAttrGetValue(attribute)))
    }
}

/// The arguments of a block, in order.
pub fn arguments<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |number| block.argument(number).ok()).map(Value::from)
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

/// The op and all ops inside it, each before those inside it. A list, so that ops may be changed while it is gone through.
pub fn walk<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![op];
    let mut next = 0;
    while let Some(&op) = found.get(next) {
        next += 1;
        let mut inside = Vec::new();
        for region in op.regions() {
            let mut block = region.first_block();
            while let Some(current) = block {
                inside.extend(operations(current));
                block = current.next_in_region();
            }
        }
        found.splice(next..next, inside);
    }
    found
}

/// Views an op as mutable. MLIR's IR is a graph that is shared and changed in place; melior's two kinds of reference
/// differ only in what they let one call.
pub fn mutable<'c, 'a>(op: OperationRef<'c, 'a>) -> OperationRefMut<'c, 'a> {
    // SAFETY: the op is live as long as the reference.
    unsafe { OperationRefMut::from_raw(op.to_raw()) }
}

/// An operand, if there are so many. (melior's error has the whole op as text, which takes long to print.)
pub fn operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    if index < op.operand_count() { op.operand(index).ok() } else { None }
}

/// A result, if there are so many: see [`operand`].
pub fn result<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    if index < op.result_count() { op.result(index).ok().map(Value::from) } else { None }
}

/// Whether two ops hold the same code: their regions differ in nothing but locations.
pub fn have_equal_regions(a: OperationRef, b: OperationRef) -> bool {
    // SAFETY: both ops are live.
    unsafe { glueAreRegionsEquivalent(a.to_raw(), b.to_raw()) }
}

/// Whether two ops are the same: name, operands, attributes, results' types and regions, in all but their locations.
pub fn are_equal<'c>(a: &impl OperationLike<'c, 'c>, b: OperationRef) -> bool {
    // SAFETY: both ops are live.
    unsafe { glueAreEquivalent(a.to_raw(), b.to_raw()) }
}

/// Makes each value inside an op once where it is made twice, as `--cse` does, and erases what has no effect and no user.
///
/// No reference to an op inside, and to a value of one, may be used again.
pub fn eliminate_common(op: OperationRef) {
    // SAFETY: the op is live; by contract nothing refers to what is erased.
    unsafe { glueEliminateCommon(op.to_raw()) };
}

/// Erases an op. Its results must have no uses, and no reference to it may be used again.
pub fn erase(op: OperationRef) {
    // SAFETY: the op is live, and by contract nothing refers to it any more.
    unsafe { mlirOperationDestroy(op.to_raw()) };
}

/// Erases an argument of a block. It must have no uses, and no reference to it may be used again.
pub fn erase_argument(block: BlockRef, index: usize) {
    if index < block.argument_count() {
        // SAFETY: the block is live and has the argument; by contract nothing refers to it any more.
        unsafe { mlirBlockEraseArgument(block.to_raw(), index as u32) };
    }
}

/// Replaces every use of `from`.
pub fn replace_all_uses<'c>(from: Value<'c, '_>, to: Value<'c, '_>) {
    // SAFETY: both values are live; their types are the caller's business, as everywhere in MLIR.
    unsafe { mlirValueReplaceAllUsesOfWith(from.to_raw(), to.to_raw()) };
}

/// Whether a value has any use.
pub fn has_uses(value: Value) -> bool {
    // SAFETY: the value is live.
    unsafe { !mlirValueGetFirstUse(value.to_raw()).ptr.is_null() }
}

/// The uses of a value: each op that takes it, and as which operand. A list, so that ops may be changed while it is gone through.
pub fn uses<'c, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut found = Vec::new();
    // SAFETY: the value is live, and so are its uses, which are only looked at while they are not null.
    unsafe {
        let mut next = mlirValueGetFirstUse(value.to_raw());
        while !next.ptr.is_null() {
            let number = mlirOpOperandGetOperandNumber(next) as usize;
            found.push((OperationRef::from_raw(mlirOpOperandGetOwner(next)), number));
            next = mlirOpOperandGetNextUse(next);
        }
    }
    found
}

/// Whether a value has one use and no other. An op that takes it twice uses it twice.
pub fn has_one_use(value: Value) -> bool {
    // SAFETY: the value is live, and only a use that is there is asked for the next one.
    unsafe {
        let first = mlirValueGetFirstUse(value.to_raw());
        !first.ptr.is_null() && mlirOpOperandGetNextUse(first).ptr.is_null()
    }
}

/// Translates a module in the llvm dialect into a new module of the LLVM context `llvm` (an `LLVMContextRef`). The result
/// is an `LLVMModuleRef` that the caller owns, or `None` after diagnostics.
pub fn translate_to_llvm(module: OperationRef, llvm: *mut c_void) -> Option<*mut c_void> {
    // SAFETY: both are live; mlir-sys and LLVM's own bindings name the same C struct twice.
    let raw = unsafe { mlirTranslateModuleToLLVMIR(module.to_raw(), llvm.cast()) };
    (!raw.is_null()).then_some(raw.cast())
}

/// A `#gpu.object` of PTX text for a target.
pub fn gpu_assembly<'c>(context: &'c Context, target: Attribute<'c>, text: &str) -> Attribute<'c> {
    const ASSEMBLY: u32 = 2; // gpu::CompilationTarget::Assembly
    let none = MlirAttribute { ptr: std::ptr::null_mut() };
    // SAFETY: the text is copied into the context; a null attribute means no properties.
    unsafe {
        Attribute::from_raw(mlirGPUObjectAttrGet(context.to_raw(), target.to_raw(), ASSEMBLY, string_ref(text), none))
    }
}

/// The text of a `#gpu.object`, or `None` if it is none.
pub fn gpu_object_text<'c>(object: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: the kind is checked first; the text belongs to the context.
    unsafe {
        mlirAttributeIsAGPUObjectAttr(object.to_raw()).then(|| str_of(mlirGPUObjectAttrGetObject(object.to_raw())))
    }
}
