//! Where an element lies: strides, and numbers of elements from the first.

use crate::ir::{Builder, Number, bytes_of_element, element_of};
use melior::ir::{Type, Value, ValueLike, r#type::MemRefType};
use mlir_glue::ir;
use weft_dialects::pipeline::static_extents;

/// The address of an element, counted in elements.
pub fn element_number<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>, at: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let bytes = bytes_of_element(element_of(memory));
    let address = b.value("memref.extract_aligned_pointer_as_index", &[memory], b.index_type(), &[]);
    let mut place = b.arith("divui", address, b.index(bytes));
    let (offset, strides) = strides_of(b, memory, at.len());
    place = b.arith("addi", place, offset);
    for (index, stride) in at.iter().zip(strides) {
        let part = stride.map_or(*index, |stride| b.arith("muli", *index, stride));
        place = b.arith("addi", place, part);
    }
    place
}

/// Where the first element lies, and how many elements lie between neighbours along each dimension; `None` along the last one where they
/// are next to each other. What the type of the memory says is a constant.
pub fn strides_of<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    rank: usize,
) -> (Value<'c, 'a>, Vec<Option<Value<'c, 'a>>>) {
    // MLIR's number for what a type does not say. A layout that has no strides has 0 for all.
    let known = |number: &i64| *number != i64::MIN;
    let said = MemRefType::try_from(memory.r#type()).ok().map(|ty| ty.strides_and_offset());
    let said = said.filter(|(strides, _)| strides.iter().all(|stride| *stride != 0));
    let at_run_time = |index| {
        let base = MemRefType::contiguous(element_of(memory), &[], None).into();
        let types: Vec<Type> = [base].into_iter().chain(vec![b.index_type(); 1 + 2 * rank]).collect();
        let data = b.op("memref.extract_strided_metadata", &[memory], &types, &[]);
        ir::result(data, index).expect("made with these results")
    };
    let offset = said.as_ref().map(|(_, offset)| *offset).filter(known).map(|offset| b.index(offset));
    let stride = |d: usize| {
        let said = said.as_ref().and_then(|(strides, _)| strides.get(d).copied().filter(known));
        said.map_or_else(|| at_run_time(2 + rank + d), |stride| b.index(stride))
    };
    let apart = step_of_rows(memory);
    let last = move |d: usize| (d + 1 == rank).then(|| (apart > 1).then(|| b.index(apart)));
    let strides = (0..rank).map(|d| last(d).unwrap_or_else(|| Some(stride(d)))).collect();
    (offset.unwrap_or_else(|| at_run_time(1)), strides)
}

/// The extent of memory along a dimension: what its type says, or the number that it has at run time.
pub fn extent_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>, d: usize) -> Number<'c, 'a> {
    let said = MemRefType::try_from(memory.r#type()).ok().and_then(|ty| static_extents(ty).get(d).copied().flatten());
    let at_run_time = || b.value("memref.dim", &[memory, b.index(d as i64)], b.index_type(), &[]);
    said.map_or_else(|| Number::Value(at_run_time()), Number::Known)
}

/// How many elements lie between neighbours of a row: 1, but for planes of pixels whose channels are innermost in memory.
pub fn step_of_rows(memory: Value) -> i64 {
    let strides = MemRefType::try_from(memory.r#type()).map(|ty| ty.strides_and_offset().0).unwrap_or_default();
    strides.last().copied().filter(|step| *step > 1).unwrap_or(1)
}
