//! Formulas in Rust that become ops: `x * x + 1.0` is an `arith.mulf` and an `arith.addf`, and no more.
//!
//! ```text
//! let t = x.fma(2.0, y);      ──▶    %c = arith.constant 2.0 : f32
//! (t.lt(0.0)).select(-t, t)          %t = math.fma %x, %c, %y : f32
//!                                    %c0 = arith.constant 0.0 : f32
//!                                    %b = arith.cmpf olt, %t, %c0 : f32
//!                                    %n = arith.negf %t : f32
//!                                    arith.select %b, %n, %t : f32
//! ```
//!
//! Nothing is simplified here but the bits of a constant: the order of operations is the meaning of a formula whose errors are counted. A constant is rounded to
//! the type that it meets.

use crate::ir::{Builder, block_of, constant_float, one_block};
use melior::ir::{Type, Value, operation::OperationMutLike};
use mlir_glue::ir;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

/// A float type, the integer type of its size, and the place where ops go.
#[derive(Clone, Copy)]
pub(super) struct Scope<'c, 'a> {
    b: Builder<'c, 'a>,
    float: Type<'c>,
    int: Type<'c>,
    bool: Type<'c>,
    /// 32 or 64.
    pub(super) width: u32,
    /// Bits of the fraction: 23 or 52.
    pub(super) fraction: u32,
}

/// A value of the float type.
#[derive(Clone, Copy)]
pub(super) struct Float<'c, 'a> {
    pub(super) s: Scope<'c, 'a>,
    pub(super) value: Value<'c, 'a>,
}

impl Float<'_, '_> {
    /// The same value; its op has an attribute more.
    pub(super) fn marked(self, name: &str) -> Self {
        if let Some(op) = ir::defining_op(self.value) {
            ir::mutable(op).set_attribute(name, self.s.b.unit_attribute());
        }
        self
    }
}

/// A value of the integer type.
#[derive(Clone, Copy)]
pub(super) struct Int<'c, 'a> {
    pub(super) s: Scope<'c, 'a>,
    value: Value<'c, 'a>,
}

/// A truth value.
#[derive(Clone, Copy)]
pub(super) struct Bool<'c, 'a> {
    s: Scope<'c, 'a>,
    value: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Scope<'c, 'a> {
    /// Of f64 if `wide`, else of f32.
    pub(super) fn new(b: Builder<'c, 'a>, wide: bool) -> Self {
        let (width, fraction) = if wide { (64, 52) } else { (32, 23) };
        let float = if wide { Type::float64(b.context()) } else { Type::float32(b.context()) };
        Self { b, float, int: b.integer_type(width), bool: b.bool_type(), width, fraction }
    }

    pub(super) fn float(self, value: f64) -> Float<'c, 'a> {
        self.wrap(self.b.float(self.float, value))
    }

    pub(super) fn int(self, value: i64) -> Int<'c, 'a> {
        Int { s: self, value: self.b.integer(self.int, &[value]) }
    }

    /// The exponent of 1.
    pub(super) fn bias(self) -> i64 {
        (1 << (self.width - self.fraction - 2)) - 1
    }

    /// A value that is so large that its last bit is 1, with room for a sign: adding it rounds to an integer.
    pub(super) fn magic(self) -> f64 {
        1.5 * 2f64.powi(self.fraction as i32)
    }

    /// The least normal number.
    pub(super) fn least_normal(self) -> f64 {
        2f64.powi(1 - self.bias() as i32)
    }

    pub(super) fn wrap(self, value: Value<'c, 'a>) -> Float<'c, 'a> {
        Float { s: self, value }
    }

    fn float_of(self, op: &str, operands: &[Value<'c, 'a>]) -> Float<'c, 'a> {
        self.wrap(self.b.value(op, operands, self.float, &[]))
    }

    fn int_of(self, op: &str, operands: &[Value<'c, 'a>]) -> Int<'c, 'a> {
        Int { s: self, value: self.b.value(op, operands, self.int, &[]) }
    }

    fn compare(self, op: &str, predicate: i64, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Bool<'c, 'a> {
        let predicate = self.b.i64_attribute(predicate);
        Bool { s: self, value: self.b.value(op, &[a, b], self.bool, &[("predicate", predicate)]) }
    }

    /// An `scf.if` that gives a float and an integer.
    pub(super) fn branch(
        self,
        condition: Bool<'c, 'a>,
        then: impl FnOnce(Self) -> (Float<'c, 'a>, Int<'c, 'a>),
        otherwise: impl FnOnce(Self) -> (Float<'c, 'a>, Int<'c, 'a>),
    ) -> (Float<'c, 'a>, Int<'c, 'a>) {
        let regions = vec![one_block(&[]), one_block(&[])];
        let op = self.b.op_with_regions("scf.if", &[condition.value], &[self.float, self.int], &[], regions);
        let inside =
            |region| Self { b: Builder::at_end(self.b.context(), block_of(op, region), self.b.location()), ..self };
        let end = |s: Self, (float, int): (Float<'c, 'a>, Int<'c, 'a>)| {
            s.b.op("scf.yield", &[float.value, int.value], &[], &[]);
        };
        let s = inside(0);
        end(s, then(s));
        let s = inside(1);
        end(s, otherwise(s));
        let result = |index| op.result(index).expect("made with two results").into();
        (Float { s: self, value: result(0) }, Int { s: self, value: result(1) })
    }
}

/// What can stand beside a `T`, a float or an integer: another one, or a constant.
pub(super) trait Term<'c, 'a, T> {
    fn at(self, s: Scope<'c, 'a>) -> T;
}

impl<'c, 'a, T> Term<'c, 'a, T> for T {
    fn at(self, _: Scope<'c, 'a>) -> T {
        self
    }
}

impl<'c: 'a, 'a> Term<'c, 'a, Float<'c, 'a>> for f64 {
    fn at(self, s: Scope<'c, 'a>) -> Float<'c, 'a> {
        s.float(self)
    }
}

impl<'c: 'a, 'a> Term<'c, 'a, Int<'c, 'a>> for i64 {
    fn at(self, s: Scope<'c, 'a>) -> Int<'c, 'a> {
        s.int(self)
    }
}

macro_rules! operator {
    ($type:ident, $make:ident: $($trait:ident $method:ident $op:literal),+) => {$(
        impl<'c: 'a, 'a, T: Term<'c, 'a, Self>> $trait<T> for $type<'c, 'a> {
            type Output = Self;
            fn $method(self, other: T) -> Self {
                let other = other.at(self.s);
                self.s.$make($op, &[self.value, other.value])
            }
        }
    )+};
}

operator!(Float, float_of: Add add "arith.addf", Sub sub "arith.subf", Mul mul "arith.mulf", Div div "arith.divf");

operator!(Int, int_of: Add add "arith.addi", Sub sub "arith.subi", BitAnd bitand "arith.andi", BitOr bitor "arith.ori",
    BitXor bitxor "arith.xori", Shl shl "arith.shli", Shr shr "arith.shrsi");

impl<'c: 'a, 'a> Neg for Float<'c, 'a> {
    type Output = Self;
    fn neg(self) -> Self {
        self.s.float_of("arith.negf", &[self.value])
    }
}

impl<'c: 'a, 'a> Neg for Int<'c, 'a> {
    type Output = Self;
    fn neg(self) -> Self {
        self.s.int(0) - self
    }
}

impl<'c: 'a, 'a> Float<'c, 'a> {
    /// The same value where ops go elsewhere.
    pub(super) fn within(self, s: Scope<'c, 'a>) -> Self {
        Self { s, ..self }
    }

    /// `self * factor + addend`, rounded once.
    pub(super) fn fma(self, factor: impl Term<'c, 'a, Self>, addend: impl Term<'c, 'a, Self>) -> Self {
        let (factor, addend) = (factor.at(self.s), addend.at(self.s));
        self.s.float_of("math.fma", &[self.value, factor.value, addend.value])
    }

    /// A polynomial of self, coefficients from the highest.
    pub(super) fn polynomial(self, coefficients: &[f64]) -> Self {
        let (first, rest) = coefficients.split_first().expect("a polynomial has coefficients");
        let first = self.s.float(*first);
        rest.iter().fold(first, |sum, coefficient| sum.fma(self, *coefficient))
    }

    pub(super) fn abs(self) -> Self {
        self.s.float_of("math.absf", &[self.value])
    }

    pub(super) fn sqrt(self) -> Self {
        self.s.float_of("math.sqrt", &[self.value])
    }

    pub(super) fn trunc(self) -> Self {
        self.s.float_of("math.trunc", &[self.value])
    }

    /// With the sign of another value.
    pub(super) fn with_sign_of(self, other: Self) -> Self {
        self.s.float_of("math.copysign", &[self.value, other.value])
    }

    /// The bits.
    pub(super) fn bits(self) -> Int<'c, 'a> {
        match constant_float(self.value) {
            Some(known) if self.s.width == 32 => self.s.int((known as f32).to_bits().cast_signed().into()),
            Some(known) => self.s.int(known.to_bits().cast_signed()),
            None => self.s.int_of("arith.bitcast", &[self.value]),
        }
    }

    pub(super) fn eq(self, other: impl Term<'c, 'a, Self>) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpf", 1, self.value, other.at(self.s).value)
    }

    pub(super) fn gt(self, other: impl Term<'c, 'a, Self>) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpf", 2, self.value, other.at(self.s).value)
    }

    pub(super) fn lt(self, other: impl Term<'c, 'a, Self>) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpf", 4, self.value, other.at(self.s).value)
    }

    /// Whether one of the two is NaN.
    pub(super) fn unordered(self, other: impl Term<'c, 'a, Self>) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpf", 14, self.value, other.at(self.s).value)
    }

    /// Brought into an interval; NaN stays.
    pub(super) fn clamp(self, low: f64, high: f64) -> Self {
        let above = self.lt(low).select(low, self);
        above.gt(high).select(high, above)
    }
}

impl<'c: 'a, 'a> Int<'c, 'a> {
    /// The float of these bits.
    pub(super) fn as_bits(self) -> Float<'c, 'a> {
        self.s.float_of("arith.bitcast", &[self.value])
    }

    /// As a float, for numbers far below the precision of the float type: cheaper than a conversion, everywhere.
    pub(super) fn small_to_float(self) -> Float<'c, 'a> {
        let magic = self.s.float(self.s.magic()).bits();
        (magic + self).as_bits() - self.s.magic()
    }

    pub(super) fn to_float(self) -> Float<'c, 'a> {
        self.s.float_of("arith.sitofp", &[self.value])
    }

    pub(super) fn to_float_unsigned(self) -> Float<'c, 'a> {
        self.s.float_of("arith.uitofp", &[self.value])
    }

    /// A shift to the right that brings in zeros.
    pub(super) fn shift_right_unsigned(self, bits: impl Term<'c, 'a, Self>) -> Self {
        let bits = bits.at(self.s);
        self.s.int_of("arith.shrui", &[self.value, bits.value])
    }

    /// The low half of a product.
    pub(super) fn times(self, other: Self) -> Self {
        self.s.int_of("arith.muli", &[self.value, other.value])
    }

    /// Both halves of an unsigned product: low, high.
    pub(super) fn times_wide(self, other: Self) -> (Self, Self) {
        let s = self.s;
        let op = s.b.op("arith.mului_extended", &[self.value, other.value], &[s.int, s.int], &[]);
        let half = |index| Self { s, value: op.result(index).expect("made with two results").into() };
        (half(0), half(1))
    }

    /// Brought into an interval.
    pub(super) fn clamp(self, low: i64, high: i64) -> Self {
        let above = self.s.int_of("arith.maxsi", &[self.value, self.s.int(low).value]);
        self.s.int_of("arith.minsi", &[above.value, self.s.int(high).value])
    }

    pub(super) fn equals(self, other: impl Term<'c, 'a, Self>) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpi", 0, self.value, other.at(self.s).value)
    }

    pub(super) fn is_negative(self) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpi", 2, self.value, self.s.int(0).value)
    }

    pub(super) fn less_unsigned(self, other: Self) -> Bool<'c, 'a> {
        self.s.compare("arith.cmpi", 6, self.value, other.value)
    }
}

impl<'c: 'a, 'a> Bool<'c, 'a> {
    pub(super) fn select(
        self,
        yes: impl Term<'c, 'a, Float<'c, 'a>>,
        no: impl Term<'c, 'a, Float<'c, 'a>>,
    ) -> Float<'c, 'a> {
        let (yes, no) = (yes.at(self.s), no.at(self.s));
        Float { s: self.s, value: self.s.b.select(self.value, yes.value, no.value, self.s.float) }
    }

    pub(super) fn select_int(
        self,
        yes: impl Term<'c, 'a, Int<'c, 'a>>,
        no: impl Term<'c, 'a, Int<'c, 'a>>,
    ) -> Int<'c, 'a> {
        let (yes, no) = (yes.at(self.s), no.at(self.s));
        Int { s: self.s, value: self.s.b.select(self.value, yes.value, no.value, self.s.int) }
    }
}

impl<'c: 'a, 'a> BitAnd for Bool<'c, 'a> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self { value: self.s.b.logic("andi", self.value, other.value), ..self }
    }
}

impl<'c: 'a, 'a> BitOr for Bool<'c, 'a> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self { value: self.s.b.logic("ori", self.value, other.value), ..self }
    }
}

impl<'c: 'a, 'a> Not for Bool<'c, 'a> {
    type Output = Self;
    fn not(self) -> Self {
        let s = self.s;
        let yes = s.b.integer(s.bool, &[1]);
        Self { value: s.b.logic("xori", self.value, yes), ..self }
    }
}
