//! Dot products of small integers: functions that stand for an instruction.
//!
//! ```text
//! func.func private @weft.dot2.x16(%sum, %a, %b: vector<16xi32>) -> vector<16xi32>     sum + low(a) * low(b) + high(a) * high(b)
//! func.func private @weft.dot4.x16(%sum, %a, %b: vector<16xi32>) -> vector<16xi32>     sum + four products of bytes, b's with a sign
//! ```

use crate::ir::{Builder, is, one_block, only_block, symbol, width_of_integer};
use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike, attribute::TypeAttribute, operation::OperationLike,
    r#type::FunctionType,
};
use mlir_glue::ir;

/// How the names of the functions begin.
const NAME: &str = "weft.dot";

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
        format!("{NAME}{}.x{}", self.pairs, self.lanes)
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

/// Whether an op is a dot product: it computes something, and does nothing else.
pub fn is_dot(op: OperationRef) -> bool {
    let callee = op.attribute("callee").ok().filter(|_| is(op, "func.call"));
    callee.is_some_and(|callee| callee.to_string().trim_matches(['@', '"']).starts_with(NAME))
}

/// Arithmetic on integers of any type, or on vectors of them.
pub fn arith<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: &str, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Value<'c, 'a> {
    b.value(&format!("arith.{op}"), &[left, right], left.r#type(), &[])
}

/// The functions of a module.
pub struct Functions<'c, 'a> {
    module: OperationRef<'c, 'a>,
    made: Vec<String>,
}

impl<'c: 'a, 'a> Functions<'c, 'a> {
    /// Those that are there.
    pub fn of(module: OperationRef<'c, 'a>) -> Self {
        let functions = ir::operations(only_block(module)).filter(|op| is(*op, "func.func"));
        Self { module, made: functions.map(|op| symbol(op).to_owned()).filter(|name| name.starts_with(NAME)).collect() }
    }

    /// A sum and the products of what is packed in two vectors.
    pub fn call(&mut self, b: &Builder<'c, 'a>, dot: Dot, operands: [Value<'c, 'a>; 3]) -> Value<'c, 'a> {
        let (name, ty) = (dot.name(), operands[0].r#type());
        if !self.made.contains(&name) {
            self.define(b, dot, ty);
            self.made.push(name.clone());
        }
        b.value("func.call", &operands, ty, &[("callee", b.symbol_attribute(&name))])
    }

    fn define(&self, b: &Builder<'c, 'a>, dot: Dot, ty: Type<'c>) {
        let b = Builder::at_end(b.context(), only_block(self.module), self.module.location());
        let function = FunctionType::new(b.context(), &[ty; 3], &[ty]);
        let attributes = [
            ("sym_name", b.string_attribute(&dot.name())),
            ("function_type", TypeAttribute::new(function.into()).into()),
            ("sym_visibility", b.string_attribute("private")),
        ];
        let body = one_block(&[(ty, b.location()); 3]);
        let made = b.op_with_regions("func.func", &[], &[], &attributes, vec![body]);
        let block = only_block(made);
        let b = Builder::at_end(b.context(), block, b.location());
        let operands: Vec<Value> = ir::arguments(block).collect();
        let bits = 32 / dot.pairs;
        let shift = |name, value, by| if by == 0 { value } else { arith(&b, name, value, b.integer(ty, &[by])) };
        let with_sign = |value, place: i64| shift("shrsi", shift("shli", value, 32 - bits - place), 32 - bits);
        let sum = (0..dot.pairs).map(|pair| pair * bits).fold(operands[0], |sum, place| {
            let left = match dot.pairs {
                4 => arith(&b, "andi", shift("shrui", operands[1], place), b.integer(ty, &[255])),
                _ => with_sign(operands[1], place),
            };
            arith(&b, "addi", sum, arith(&b, "muli", left, with_sign(operands[2], place)))
        });
        b.op("func.return", &[sum], &[], &[]);
    }
}
