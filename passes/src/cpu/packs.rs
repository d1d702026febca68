//! Integers of 32 and 16 bits as shorter ones: functions that stand for a few instructions.
//!
//! ```text
//! func.func private @weft.pack.low8.of16.x64(%x: vector<64xi16>) -> vector<64xi8>     the low bits
//! func.func private @weft.pack.u8.of16.x64                                            the nearest of 0 to 255
//! func.func private @weft.pack.s16.of32.x32                                           the nearest of -32768 to 32767
//! ```
//!
//! What is computed of bytes in 16 bits ends so. LLVM truncates each register of AVX-512 alone, and puts the halves, or the quarters, together; two instructions
//! pack two registers to one, and bring what they pack between the ends.

use super::instructions::{Functions, PACK, are_lanes};
use crate::ir::{Builder, bits_of_element, brought_between, constant_index, is};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_glue::ir;
use weft_model::Range;

/// What becomes of integers that have more bits than are kept.
#[derive(Clone, Copy, PartialEq)]
enum Beyond {
    /// The low bits.
    Low,
    /// The nearest number without a sign.
    Natural,
    /// The nearest one with a sign.
    Signed,
}

impl Beyond {
    /// The numbers of so many bits that others become the nearest of.
    fn ends(self, bits: u32) -> Option<Range<i64>> {
        match self {
            Self::Low => None,
            Self::Natural => Some(Range::new(0, (1 << bits) - 1)),
            Self::Signed => Some(Range::new(-1 << (bits - 1), (1 << (bits - 1)) - 1)),
        }
    }
}

/// A truncation, with what brings its operand between two numbers before.
#[derive(Clone, Copy)]
pub struct Pack {
    beyond: Beyond,
    bits: u32,
    from: u32,
}

impl Pack {
    /// That of an op, and what it packs; `None` for another op, and where LLVM finds an instruction for bytes itself.
    pub fn of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Self, Value<'c, 'a>)> {
        let operand = ir::operand(op, 0).filter(|_| is(op, "arith.trunci"))?;
        let (bits, from) = (bits_of_element(op.result(0).ok()?.r#type())?, bits_of_element(operand.r#type())?);
        if ![(8, 16), (8, 32), (16, 32)].contains(&(bits, from)) || is_of_short(operand, bits) {
            return None;
        }
        let between = brought_between(operand).and_then(|(_, value, range)| {
            let kinds = [Beyond::Natural, Beyond::Signed];
            Some((kinds.into_iter().find(|beyond| beyond.ends(bits) == Some(range))?, value))
        });
        let (beyond, value) = between.unwrap_or((Beyond::Low, operand));
        Some((Self { beyond, bits, from }, value))
    }

    /// Whether vectors of so many lanes are of several registers of AVX-512, and have a function.
    pub fn is_of_several(self, lanes: i64) -> bool {
        are_lanes(lanes) && lanes * i64::from(self.from) > 512
    }

    /// The shorter integers.
    pub fn call<'c: 'a, 'a>(
        self,
        b: &Builder<'c, 'a>,
        module: OperationRef<'c, 'a>,
        integers: Value<'c, 'a>,
        lanes: i64,
    ) -> Value<'c, 'a> {
        let Self { beyond, bits, from } = self;
        let kind = match beyond {
            Beyond::Low => "low",
            Beyond::Natural => "u",
            Beyond::Signed => "s",
        };
        let (wide, short) = (integers.r#type(), b.vector_type(lanes, b.integer_type(bits)));
        let name = format!("{PACK}{kind}{bits}.of{from}.x{lanes}");
        Functions::of(module).call(b, &name, &[integers], short, |b, operands| {
            let end = |name: &str, value, number| b.value(name, &[value, b.integer(wide, &[number])], wide, &[]);
            let bring = |Range { lo, hi }| end("arith.minsi", end("arith.maxsi", operands[0], lo), hi);
            let inside = beyond.ends(bits).map(bring);
            b.value("arith.trunci", &[inside.unwrap_or(operands[0])], short, &[])
        })
    }
}

/// Whether something is a mean, a difference or a sum of two short integers, or what is near it: there are instructions for these, which LLVM knows by
/// the truncation.
fn is_of_short(value: Value, bits: u32) -> bool {
    let mut value = value;
    while let Some(op) = ir::defining_op(value) {
        let is_near =
            ["arith.shrui", "arith.shrsi", "math.absi", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui"]
                .iter()
                .any(|name| is(op, name));
        match ir::operand(op, 0).filter(|_| is_near) {
            Some(operand) => value = operand,
            None => break,
        }
    }
    let mut waiting = vec![value];
    let mut sums = 0;
    while let Some(value) = waiting.pop() {
        let Some(op) = ir::defining_op(value) else { return false };
        let is_extension = is(op, "arith.extui") || is(op, "arith.extsi");
        if is(op, "arith.addi") || is(op, "arith.subi") || is(op, "arith.muli") {
            sums += 1;
            waiting.extend(op.operands());
        } else if is_extension {
            let short = ir::operand(op, 0).and_then(|operand| bits_of_element(operand.r#type()));
            if short.is_none_or(|short| short > bits) {
                return false;
            }
        } else if constant_index(value).is_none() {
            return false;
        }
        // Of two, and a half.
        if sums > 2 {
            return false;
        }
    }
    true
}
