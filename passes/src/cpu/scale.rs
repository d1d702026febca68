//! Floats times powers of two, whose exponents are floats: a function that stands for an instruction.
//!
//! ```text
//! func.func private @weft.scale.x16(%x, %n: vector<16xf32>) -> vector<16xf32>     x * 2^n, rounded once, for whole n
//! ```
//!
//! `--expand-math` writes such a product as two, as a power may be too large or too small for a float; so does the function, for CPUs that have no
//! such instruction. Its exponents `--expand-math` has mostly from a float that it rounded to an integer, in both forms: the instruction takes the
//! float, where LLVM's `ldexp` takes the integer, and makes a float of it again.

use super::{
    dots::arith,
    instructions::{Functions, SCALE},
};
use crate::ir::{Builder, constant_index, is};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_glue::ir;
use weft_dialects::weft;

/// The product `number * 2^exponent`, of scalars.
pub struct Scaled<'c, 'a> {
    /// The number.
    pub number: Value<'c, 'a>,
    /// The exponent, an integer.
    pub exponent: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Scaled<'c, 'a> {
    /// That of an op, if it is one ([`weft::SCALED`]).
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        op.attribute(weft::SCALED).ok()?;
        // 2 to the value that the last op, of this name, begins with.
        let exponent = |power: Value<'c, 'a>, last: &str| {
            ["arith.bitcast", "arith.shli", "arith.addi", last]
                .iter()
                .try_fold(power, |value, name| ir::operand(ir::defining_op(value).filter(|op| is(*op, name))?, 0))
        };
        let near = ir::defining_op(ir::operand(op, 0)?).filter(|op| is(*op, "arith.mulf"))?;
        let power = exponent(ir::operand(op, 1)?, "arith.subi")?;
        let is_same = exponent(ir::operand(near, 1)?, "arith.shrsi")? == power;
        is_same.then_some(Self { number: ir::operand(near, 0)?, exponent: power })
    }

    /// The float of which a certain other one is to be subtracted to have the exponent, where their difference is that of their bits: a float
    /// between 2^23 and 2^24, where neighbours are 1 apart.
    pub fn rounded(&self) -> Option<(Value<'c, 'a>, f64)> {
        let difference = ir::defining_op(self.exponent).filter(|op| is(*op, "arith.subi"))?;
        let sum = ir::defining_op(ir::operand(difference, 0)?).filter(|op| is(*op, "arith.bitcast"))?;
        let sum = ir::operand(sum, 0).filter(|sum| sum.r#type().to_string() == "f32")?;
        let magic = f32::from_bits(constant_index(ir::operand(difference, 1)?)?.try_into().ok()?);
        (magic == 1.5 * 2f32.powi(23)).then_some((sum, magic.into()))
    }
}

/// Numbers times 2 to exponents, which are vectors of floats.
pub fn call<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    [number, exponent]: [Value<'c, 'a>; 2],
) -> Option<Value<'c, 'a>> {
    let ty = number.r#type();
    let lanes = ir::vector_extents(ty)?.into_iter().product::<i64>();
    let integers = b.vector_type(lanes, b.integer_type(32));
    Some(Functions::of(module).call(b, &format!("{SCALE}.x{lanes}"), &[number, exponent], ty, |b, operands| {
        // Of NaN it is 0: NaN stays NaN.
        let convert = format!("llvm.fptosi.sat.v{lanes}i32.v{lanes}f32");
        let exponent = b.intrinsic(&convert, &[operands[1]], integers);
        let by = |name, value, number| arith(b, name, value, b.integer(integers, &[number]));
        let half = by("shrsi", exponent, 1);
        [half, arith(b, "subi", exponent, half)].into_iter().fold(operands[0], |number, exponent| {
            let bits = by("shli", by("addi", exponent, 127), 23);
            arith(b, "mulf", number, b.value("arith.bitcast", &[bits], ty, &[]))
        })
    }))
}
