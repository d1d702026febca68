//! Floats as bytes, or as integers of 16 bits, without a sign: functions that stand for a few instructions.
//!
//! ```text
//! func.func private @weft.to_u8.nearest.x64(%x: vector<64xf32>) -> vector<64xi8>     the nearest of 0 to 255; 0 of NaN
//! func.func private @weft.to_u8.nearest.inside.x64                                   the same of what is known to lie there
//! func.func private @weft.to_u16.x32                                                 what is behind the point is cut off
//! ```
//!
//! Nearly every program of pictures ends so. In plain ops a float is rounded, brought between two floats, and made an integer of 32 bits, of which the low ones are
//! taken. x86 rounds where it converts, and brings integers between their ends where it packs the registers of two into one, so that an
//! instruction does for four vectors what others do for each.

use super::instructions::{Functions, TO_UNSIGNED, are_lanes};
use crate::ir::{Builder, is};
use melior::ir::{OperationRef, Value, ValueLike};
use mlir_glue::ir;

/// A conversion.
#[derive(Clone, Copy)]
pub struct ToUnsigned {
    /// Of the integer: 8 or 16.
    bits: i32,
    /// Whether to the nearest integer, of two the even one.
    is_nearest: bool,
    /// Whether all numbers lie where the integers do.
    is_inside: bool,
}

impl ToUnsigned {
    /// That of floats of 32 bits to integers of so many, without a sign; and what it converts, if rounding is a part of it. `None` if there is no
    /// function for it.
    pub fn of<'c: 'a, 'a>(
        floats: Value<'c, 'a>,
        bits: i32,
        lanes: i64,
        is_inside: bool,
    ) -> Option<(Self, Value<'c, 'a>)> {
        let is_known = [8, 16].contains(&bits) && are_lanes(lanes);
        let rounded = ir::defining_op(floats).filter(|op| is(*op, "math.roundeven"));
        let before = rounded.and_then(|op| ir::operand(op, 0));
        let conversion = Self { bits, is_nearest: before.is_some(), is_inside };
        is_known.then_some((conversion, before.unwrap_or(floats)))
    }

    fn name(self, lanes: i64) -> String {
        let [nearest, inside] = [(self.is_nearest, ".nearest"), (self.is_inside, ".inside")]
            .map(|(is_so, name)| if is_so { name } else { "" });
        format!("{TO_UNSIGNED}{}{nearest}{inside}.x{lanes}", self.bits)
    }

    /// The integers of floats, where `convert` writes out what makes integers of whole numbers, or of what is cut off.
    pub fn call<'c: 'a, 'a>(
        self,
        b: &Builder<'c, 'a>,
        module: OperationRef<'c, 'a>,
        floats: Value<'c, 'a>,
        lanes: i64,
        convert: impl Fn(&Builder<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let ty = floats.r#type();
        let integers = b.vector_type(lanes, b.integer_type(self.bits.cast_unsigned()));
        Functions::of(module).call(b, &self.name(lanes), &[floats], integers, |b, operands| {
            let nearest = |b: &Builder<'c, 'a>| b.value("math.roundeven", operands, ty, &[]);
            convert(b, if self.is_nearest { nearest(b) } else { operands[0] })
        })
    }
}
