//! What is known of an expression: its type, or the value of literals, which take any type that has it.

use super::limits::LEAST;
use crate::ast::{Binary, Type};

/// The value of literals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Float(f64),
}

impl Value {
    #[allow(
        clippy::cast_precision_loss,
        reason = "a number of the program is rounded to the nearest, as in any language"
    )]
    pub fn float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
        }
    }
}

/// What is known of the type of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ty {
    Is(Type),
    /// Made of literals alone; it takes any type that has the value.
    Literal(Value),
    /// A mistake was reported.
    Wrong,
}

/// The smallest and the largest value. Of an index it is what kernels hold: they compute in 32 bits.
pub(super) fn range(ty: Type) -> (i128, i128) {
    if ty == Type::Index {
        return (LEAST.into(), i32::MAX.into());
    }
    if ty.is_unsigned() { (0, (1 << ty.bits()) - 1) } else { (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1) }
}

/// Arithmetic on literals; a quotient of whole numbers is one where it is whole. Divisions of indices round down, those of integers
/// towards zero, and rests are what is left of that.
pub(super) fn fold(op: Binary, a: Value, b: Value, of_indices: bool) -> Option<Value> {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        let whole = match op {
            Binary::Add => x.checked_add(y),
            Binary::Sub => x.checked_sub(y),
            Binary::Mul => x.checked_mul(y),
            Binary::Div => x.checked_rem(y).filter(|rest| *rest == 0).and_then(|_| x.checked_div(y)),
            Binary::Rem => x.checked_rem(y).map(|rest| {
                let is_above = of_indices && rest != 0 && (rest < 0) != (y < 0);
                if is_above { rest + y } else { rest }
            }),
            Binary::Shl => u32::try_from(y).ok().filter(|y| *y < 63).and_then(|y| x.checked_mul(1 << y)),
            Binary::Shr => u32::try_from(y).ok().and_then(|y| x.checked_shr(y)),
            Binary::And => Some(x & y),
            Binary::Or => Some(x | y),
            Binary::Xor => Some(x ^ y),
            _ => None,
        };
        if whole.is_some() || op != Binary::Div || y == 0 {
            return whole.map(Value::Int);
        }
    }
    let (x, y) = (a.float(), b.float());
    let value = match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        _ => return None,
    };
    value.is_finite().then_some(Value::Float(value))
}
