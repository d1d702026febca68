//! Ops that join values in any order: what windows are sums of, or the least or the greatest of.

use crate::ir::Builder;
use melior::ir::{OperationRef, Value, ValueLike, r#type::IntegerType};
use mlir_glue::ir;
use weft_dialects::pipeline::{Load, Reduce};

/// How values are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Sums of integers, with weights.
    Sum,
    /// A minimum or maximum, by the name of its op.
    Extreme(&'static str),
}

impl Join {
    /// That of an op, if it is one that has no order.
    pub fn of(op: OperationRef) -> Option<Self> {
        const EXTREMES: [&str; 6] =
            ["arith.maximumf", "arith.minimumf", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"];
        match ir::name_of(op) {
            "arith.addi" | "arith.subi" => {
                let ty = ir::result(op, 0)?.r#type();
                IntegerType::try_from(ty).is_ok().then_some(Self::Sum)
            }
            name => EXTREMES.into_iter().find(|extreme| *extreme == name).map(Self::Extreme),
        }
    }

    /// Values joined from left to right: at least one. All of them stand before what joins them.
    pub fn all<'c: 'a, 'a>(
        self,
        b: &Builder<'c, 'a>,
        values: impl IntoIterator<Item = Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        let name = match self {
            Self::Sum => "arith.addi",
            Self::Extreme(name) => name,
        };
        let values: Vec<Value> = values.into_iter().collect();
        let joined = values.into_iter().reduce(|all, value| b.value(name, &[all, value], value.r#type(), &[]));
        joined.expect("a window has a term")
    }
}

/// What a reduce of one accumulator joins, if in no order: how, the op that does, and the value of a point.
pub fn joined_by<'c: 'a, 'a>(reduce: Reduce<'c, 'a>) -> Option<(Join, OperationRef<'c, 'a>, Value<'c, 'a>)> {
    let accumulators = reduce.accumulators();
    let [accumulator] = accumulators[..] else { return None };
    let op = ir::defining_op(ir::operand(reduce.terminator()?, 0)?)?;
    let join = Join::of(op).filter(|_| ir::name_of(op) != "arith.subi")?;
    let value = match [ir::operand(op, 0)?, ir::operand(op, 1)?] {
        [left, right] if left == accumulator => right,
        [left, right] if right == accumulator => left,
        _ => return None,
    };
    Some((join, op, value))
}

/// The load that a value is, and the op that widens it, if one does.
pub fn widened_load<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Load<'c, 'a>, Option<&'static str>)> {
    let op = ir::defining_op(value)?;
    let widening = ["arith.extui", "arith.extsi"].into_iter().find(|name| ir::name_of(op) == *name);
    let op = if widening.is_some() { ir::defining_op(ir::operand(op, 0)?)? } else { op };
    Some((Load::of(op)?, widening))
}
