//! Numbers that are known now, or at run time: one arithmetic for both, which emits code only where it must.
//!
//! ```text
//! Known(480) + Known(1)  = Known(481)          Value(%h) + Known(1) = Value(%0)      %0 = arith.addi %h, %c1
//! ```

use super::{
    builder::{Builder, Key, key},
    query::constant_index,
};
use melior::ir::Value;
use weft_dialects::pipeline::Extent;
use weft_model::{Arith, Expr, Ints, Range};

/// An index number: known, or an SSA value of type `index`.
#[derive(Clone, Copy)]
pub enum Number<'c, 'a> {
    /// Known at compile time.
    Known(i64),
    /// Known at run time.
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Number<'c, 'a> {
    /// What tells it from other numbers.
    pub fn id(self) -> Result<i64, Key> {
        match self {
            Self::Known(number) => Ok(number),
            Self::Value(value) => Err(key(value)),
        }
    }

    /// The number, where it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Self::Known(number) => Some(number),
            Self::Value(_) => None,
        }
    }

    /// The number as an SSA value.
    pub fn value(self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        match self {
            Self::Known(number) => b.index(number),
            Self::Value(value) => value,
        }
    }
}

impl<'c, 'a> From<Extent<'c, 'a>> for Number<'c, 'a> {
    fn from(extent: Extent<'c, 'a>) -> Self {
        match extent {
            Extent::Static(extent) => Self::Known(extent),
            Extent::Dynamic(value) => value.into(),
        }
    }
}

impl<'c, 'a> From<Value<'c, 'a>> for Number<'c, 'a> {
    /// A constant is a number that is known.
    fn from(value: Value<'c, 'a>) -> Self {
        constant_index(value).map_or(Self::Value(value), Self::Known)
    }
}

/// The model's arithmetic, done now where numbers are known, and by `arith` ops where they are not.
pub struct Emit<'b, 'c, 'a>(pub &'b Builder<'c, 'a>);

impl<'c: 'a, 'a> Emit<'_, 'c, 'a> {
    fn binary(&self, op: &str, now: impl Fn(i64, i64) -> i64, a: Number<'c, 'a>, b: Number<'c, 'a>) -> Number<'c, 'a> {
        match (a, b) {
            (Number::Known(a), Number::Known(b)) => Number::Known(now(a, b)),
            _ => Number::Value(self.0.arith(op, a.value(self.0), b.value(self.0))),
        }
    }
}

impl<'c: 'a, 'a> Arith for Emit<'_, 'c, 'a> {
    type V = Number<'c, 'a>;
    fn constant(&mut self, v: i64) -> Self::V {
        Number::Known(v)
    }
    fn add(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        match (*a, *b) {
            (Number::Known(0), other) | (other, Number::Known(0)) => other,
            (a, b) => self.binary("addi", |a, b| Ints.add(&a, &b), a, b),
        }
    }
    fn mul(&mut self, a: &Self::V, c: i64) -> Self::V {
        if c == 1 { *a } else { self.binary("muli", |a, b| Ints.mul(&a, b), *a, Number::Known(c)) }
    }
    fn floor_div(&mut self, a: &Self::V, c: i64) -> Self::V {
        if c == 1 { *a } else { self.binary("floordivsi", |a, b| Ints.floor_div(&a, b), *a, Number::Known(c)) }
    }
    fn modulo(&mut self, a: &Self::V, c: i64) -> Self::V {
        // arith.remsi takes the sign of the dividend: a - c * floor(a / c) does not.
        let quotient = self.floor_div(a, c);
        let rounded = self.mul(&quotient, -c);
        self.add(a, &rounded)
    }
    fn min(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        self.binary("minsi", i64::min, *a, *b)
    }
    fn max(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        self.binary("maxsi", i64::max, *a, *b)
    }
    fn as_constant(&self, v: &Self::V) -> Option<i64> {
        v.known()
    }
}

/// Whether two numbers are known to be equal.
pub fn same(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Known(a), Number::Known(b)) => a == b,
        (Number::Value(a), Number::Value(b)) => a == b,
        _ => false,
    }
}

/// Code for `expr` at `coordinates`.
pub fn apply<'c: 'a, 'a>(expr: &Expr, coordinates: &[Value<'c, 'a>], b: &Builder<'c, 'a>) -> Value<'c, 'a> {
    let coordinates: Vec<_> = coordinates.iter().map(|value| Number::Value(*value)).collect();
    expr.eval_in(&coordinates, &mut Emit(b)).value(b)
}

/// The number of points in a range.
pub fn range_extent<'c: 'a, 'a>(range: &Range<Number<'c, 'a>>, b: &Builder<'c, 'a>) -> Number<'c, 'a> {
    match range.lo {
        Number::Known(lo) => Emit(b).add(&range.hi, &Number::Known(1 - lo)),
        Number::Value(lo) => {
            let end = Emit(b).add(&range.hi, &Number::Known(1));
            Number::Value(b.arith("subi", end.value(b), lo))
        }
    }
}

/// The extents of a unit as numbers.
pub fn numbers<'c: 'a, 'a>(extents: Vec<Extent<'c, 'a>>) -> Vec<Number<'c, 'a>> {
    extents.into_iter().map(Number::from).collect()
}

/// How many parts of this size it takes, for host code: one op, which a kernel would pay for.
pub fn parts<'c: 'a, 'a>(b: &Builder<'c, 'a>, whole: Number<'c, 'a>, size: i64) -> Number<'c, 'a> {
    match whole {
        Number::Value(whole) if size != 1 => Number::Value(b.arith("ceildivsi", whole, b.index(size))),
        whole => Emit(b).ceil_div(&whole, size),
    }
}

/// How many points a box has.
pub fn count<'c: 'a, 'a>(b: &Builder<'c, 'a>, domain: &[Range<Number<'c, 'a>>]) -> Number<'c, 'a> {
    product(b, domain.iter().map(|range| range_extent(range, b)))
}

/// The product of some numbers.
pub fn product<'c: 'a, 'a>(b: &Builder<'c, 'a>, numbers: impl IntoIterator<Item = Number<'c, 'a>>) -> Number<'c, 'a> {
    numbers.into_iter().fold(Number::Known(1), |all, number| match (all, number) {
        (Number::Known(known), other) | (other, Number::Known(known)) => Emit(b).mul(&other, known),
        (all, other) => Number::Value(b.arith("muli", all.value(b), other.value(b))),
    })
}
