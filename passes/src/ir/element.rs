//! Elements of images: their type, their bits and bytes.

use melior::ir::{
    OperationRef, ShapedTypeLike, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{IntegerType, MemRefType, RankedTensorType},
};
use mlir_glue::ir;

/// Bits of an integer or a float; `None` of any other type.
pub fn bits_of_element(element: Type) -> Option<u32> {
    element.to_string().trim_start_matches("bf").trim_start_matches(['i', 'f']).parse().ok()
}

/// Lanes of a vector, and the bits of each.
pub fn lanes_and_bits(vector: Value) -> Option<(i64, u32)> {
    let lanes = ir::vector_extents(vector.r#type())?.into_iter().product();
    Some((lanes, bits_of_element(ir::vector_element(vector.r#type())?)?))
}

/// Lanes of a vector; of what is none 0.
pub fn lanes_of_vector(vector: Value) -> i64 {
    ir::vector_extents(vector.r#type()).map_or(0, |extents| extents.iter().product())
}

/// The element type of a vector; of what is none its own type.
pub fn element_of_vector<'c>(vector: Value<'c, '_>) -> Type<'c> {
    ir::vector_element(vector.r#type()).unwrap_or(vector.r#type())
}

/// Bits of an integer type; those of an index are counted as on the host.
pub fn width_of_integer(ty: Type) -> u32 {
    IntegerType::try_from(ty).map_or(64, |ty| ty.width())
}

/// Bits of the widest number that a unit computes with, which decides how many lanes a vector has. Indices do not: they are one number
/// for all lanes where that can be.
pub fn widest(unit: OperationRef) -> Option<u32> {
    let bits = |ty: Type| bits_of_element(RankedTensorType::try_from(ty).map_or(ty, |image| image.element()));
    let of_op = |op: OperationRef| op.results().filter_map(|result| bits(Value::from(result).r#type())).max();
    ir::walk(unit).into_iter().filter_map(of_op).max()
}

/// The same in bytes; 1 where it computes with none.
pub fn widest_bytes(unit: OperationRef) -> i64 {
    widest(unit).map_or(1, |bits| i64::from(bits.div_ceil(8)))
}

/// Bytes of an element of an image.
pub fn bytes_of_element(element: Type) -> i64 {
    bits_of_element(element).map_or(4, |bits| i64::from(bits.div_ceil(8)))
}

/// The element type of memory.
pub fn element_of<'c>(memory: Value<'c, '_>) -> Type<'c> {
    MemRefType::try_from(memory.r#type()).expect("memory").element()
}
