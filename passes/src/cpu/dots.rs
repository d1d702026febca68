//! Dot products of small integers: functions that stand for an instruction.
//!
//! ```text
//! func.func private @weft.dot2.x16(%sum, %a, %b: vector<16xi32>) -> vector<16xi32>     sum + low(a) * low(b) + high(a) * high(b)
//! func.func private @weft.dot4.x16(%sum, %a, %b: vector<16xi32>) -> vector<16xi32>     sum + four products of bytes, b's with a sign
//! ```

use super::instructions::{DOT, Functions};
use crate::ir::{Builder, constant_of, is, number_in_global, width_of_integer};
use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike,
    attribute::{DenseElementsAttribute, IntegerAttribute},
    operation::OperationLike,
};
use mlir_glue::ir;

/// Lanes of the narrowest vectors that have dot products, and of the widest.
const LANES: [i64; 2] = [4, 64];

/// A dot product in each lane.
#[derive(Clone, Copy, PartialEq)]
pub struct Dot {
    /// Products in a lane: two of halves, or four of bytes, those of the second factor with a sign.
    pub pairs: i64,
    /// Lanes of 32 bits.
    pub lanes: i64,
}

impl Dot {
    fn name(self) -> String {
        format!("{DOT}{}.x{}", self.pairs, self.lanes)
    }
}

/// The lanes of a vector of 32 bits of which there are dot products.
pub fn lanes_of(ty: Type) -> Option<i64> {
    let extents = ir::vector_extents(ty).filter(|_| ir::vector_element(ty).is_some_and(is_i32))?;
    let is_known = |lanes: i64| lanes.count_ones() == 1 && (LANES[0]..=LANES[1]).contains(&lanes);
    matches!(extents[..], [lanes] if is_known(lanes)).then(|| extents[0])
}

fn is_i32(ty: Type) -> bool {
    ty.is_integer() && width_of_integer(ty) == 32
}

/// The ops of a sum, each before those that it adds, and its terms in their order: what its last op adds, and in the same block what is added for that alone.
pub fn sum_of<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    is_sum: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> (Vec<OperationRef<'c, 'a>>, Vec<Value<'c, 'a>>) {
    let (mut ops, mut terms) = (Vec::new(), Vec::new());
    let mut waiting: Vec<Value> = root.result(0).into_iter().map(Value::from).collect();
    while let Some(term) = waiting.pop() {
        let is_inner = |op: &OperationRef<'c, 'a>| {
            *op == root || (is_sum(*op) && op.block() == root.block() && ir::has_one_use(term))
        };
        match ir::defining_op(term).filter(is_inner) {
            Some(op) => {
                ops.push(op);
                waiting.extend(op.operands().collect::<Vec<_>>().into_iter().rev());
            }
            None => terms.push(term),
        }
    }
    (ops, terms)
}

/// The number that a value is, in all lanes: a constant, in a global or not, or one that was spread over them.
pub fn number_of(value: Value) -> Option<i64> {
    let op = ir::defining_op(value)?;
    if is(op, "vector.broadcast") {
        return number_of(ir::operand(op, 0)?);
    }
    let constant = constant_of(value).or_else(|| number_in_global(op))?;
    let number = match DenseElementsAttribute::try_from(constant) {
        Ok(elements) if elements.is_splat() => ir::element_at(elements, &[0])?,
        Ok(_) => return None,
        Err(_) => constant,
    };
    Some(IntegerAttribute::try_from(number).ok()?.value())
}

/// Arithmetic on integers of any type, or on vectors of them.
pub fn arith<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: &str, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Value<'c, 'a> {
    b.value(&format!("arith.{op}"), &[left, right], left.r#type(), &[])
}

/// A sum and the products of what is packed in two vectors.
pub fn call<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    functions: &mut Functions<'c, 'a>,
    dot: Dot,
    operands: [Value<'c, 'a>; 3],
) -> Value<'c, 'a> {
    let ty = operands[0].r#type();
    functions.call(b, &dot.name(), &operands, ty, |b, operands| {
        let bits = 32 / dot.pairs;
        let shift = |name, value, by| if by == 0 { value } else { arith(b, name, value, b.integer(ty, &[by])) };
        let with_sign = |value, place: i64| shift("shrsi", shift("shli", value, 32 - bits - place), 32 - bits);
        (0..dot.pairs).map(|pair| pair * bits).fold(operands[0], |sum, place| {
            let left = match dot.pairs {
                4 => arith(b, "andi", shift("shrui", operands[1], place), b.integer(ty, &[255])),
                _ => with_sign(operands[1], place),
            };
            arith(b, "addi", sum, arith(b, "muli", left, with_sign(operands[2], place)))
        })
    })
}
