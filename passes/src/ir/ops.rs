//! Ops of upstream dialects that are more than a call of [`Builder::value`].

use super::{builder::Builder, number::Number};
use melior::ir::{Type, TypeLike, Value, ValueLike, r#type::MemRefType};
use mlir_glue::ir;

/// A zero of a type of numbers, or of vectors of them.
pub fn zero<'c: 'a, 'a>(b: &Builder<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
    if ir::vector_element(ty).unwrap_or(ty).is_float() { b.float(ty, 0.0) } else { b.integer(ty, &[0]) }
}

/// `memref.alloc`: memory of these extents, its first element at a multiple of so many bytes.
pub fn allocate<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    extents: &[Number<'c, 'a>],
    element: Type<'c>,
    alignment: i64,
) -> Value<'c, 'a> {
    let mut shape = Vec::new();
    let mut dynamic = Vec::new();
    for extent in extents {
        match extent {
            Number::Known(extent) => shape.push(*extent),
            Number::Value(extent) => {
                // MLIR's number for an extent that a type does not say.
                shape.push(i64::MIN);
                dynamic.push(*extent);
            }
        }
    }
    let ty = MemRefType::contiguous(element, &shape, None).into();
    let alignment = ("alignment", b.i64_attribute(alignment));
    let op = b.op_in_groups("memref.alloc", &[&dynamic, &[]], &[ty], &[alignment], Vec::new());
    ir::result(op, 0).expect("made with a result")
}

/// How `arith.cmpf` compares; of NaN none is so but the last.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatCompare {
    Greater = 2,
    GreaterEqual = 3,
    Less = 4,
    /// Neither is NaN.
    Ordered = 7,
    /// Or one of them is NaN.
    GreaterOrUnordered = 9,
    LessOrUnordered = 11,
    /// One of them is.
    Unordered = 14,
}

/// A comparison of two floats, or of two vectors of floats.
pub fn compare_floats<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    predicate: FloatCompare,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let ty = ir::with_elements(left.r#type(), b.bool_type());
    let predicate = ("predicate", b.i64_attribute(predicate as i64));
    b.value("arith.cmpf", &[left, right], ty, &[predicate])
}

/// An axis of a grid or of a block.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Which block of the grid this is.
pub fn block_id<'c: 'a, 'a>(b: &Builder<'c, 'a>, axis: Axis) -> Value<'c, 'a> {
    along(b, "gpu.block_id", axis)
}

/// How many blocks the grid has.
pub fn grid_dim<'c: 'a, 'a>(b: &Builder<'c, 'a>, axis: Axis) -> Value<'c, 'a> {
    along(b, "gpu.grid_dim", axis)
}

/// Which thread of its block this is.
pub fn thread_id<'c: 'a, 'a>(b: &Builder<'c, 'a>, axis: Axis) -> Value<'c, 'a> {
    along(b, "gpu.thread_id", axis)
}

fn along<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: &str, axis: Axis) -> Value<'c, 'a> {
    let dimension = b.parse_attribute(match axis {
        Axis::X => "#gpu<dim x>",
        Axis::Y => "#gpu<dim y>",
        Axis::Z => "#gpu<dim z>",
    });
    b.value(op, &[], b.index_type(), &[("dimension", dimension)])
}
