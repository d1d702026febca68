//! What a boundary mode means: the coordinate that is read in place of one beyond the edge.
//!
//! ```text
//! reflect101 of i, in n elements:        by the definition               where -1 <= i <= n
//!                                        p = max(2n - 2, 1)              p = 2n - 2
//!                                        r = i mod p                     r = max(i, -i)
//!                                        min(r, p - r)                   max(min(r, p - r), 0)
//! ```
//!
//! A division takes a CPU longer than all else at an edge, and vectors have none. An index that leaves its image by a few elements
//! needs no division: it is turned round at the edge, and what is left of periods is subtracted, of which there are few.

use crate::ir::{Builder, Compare, Emit, Number};
use melior::ir::Value;
use weft_dialects::pipeline::Boundary;
use weft_model::Arith;

/// Where an index leads after its boundary mode, and for `constant` whether it was inside.
#[derive(Clone, Copy)]
pub struct Resolved<'c, 'a> {
    /// Inside the source.
    pub index: Value<'c, 'a>,
    /// An `i1`; `None` where the value is always the source's.
    pub inside: Option<Value<'c, 'a>>,
}

/// Code that brings `index` into `[0, extent)` (see the table in `pipeline.load`).
pub fn resolve<'c: 'a, 'a>(
    index: Value<'c, 'a>,
    extent: Number<'c, 'a>,
    boundary: Boundary,
    b: &Builder<'c, 'a>,
) -> Resolved<'c, 'a> {
    let clamp = |index| {
        let last = Emit(&b.part("last")).add(&extent, &Number::Known(-1)).value(b);
        b.arith("minsi", b.arith("maxsi", index, b.index(0)), last)
    };
    let floor_mod = |index, period| {
        let remainder = b.arith("remsi", index, period);
        let is_negative = b.compare(Compare::Less, remainder, b.index(0));
        b.select(is_negative, b.arith("addi", remainder, period), remainder, b.index_type())
    };
    // Of an image without points nothing is read, but its rows may ask where their index leads, and MLIR moves a remainder before a loop that does
    // not run.
    let some = |emit: &mut Emit<'_, 'c, 'a>| emit.max(&extent, &Number::Known(1));
    match boundary {
        Boundary::None => Resolved { index, inside: None },
        Boundary::Clamp => Resolved { index: clamp(index), inside: None },
        Boundary::Wrap => {
            let period = some(&mut Emit(&b.part("period"))).value(b);
            Resolved { index: floor_mod(index, period), inside: None }
        }
        Boundary::Mirror => {
            // Period 2n: the first half is the image, the second the image backwards.
            let part = b.part("period");
            let mut emit = Emit(&part);
            let period = some(&mut emit);
            let period = emit.mul(&period, 2);
            let place = floor_mod(index, period.value(b));
            let backwards = b.arith("subi", Emit(b).add(&period, &Number::Known(-1)).value(b), place);
            Resolved { index: b.arith("minsi", place, backwards), inside: None }
        }
        Boundary::Reflect101 => {
            // Period 2n - 2: the points between the edges are there once more, backwards. One point alone is everywhere, and no
            // image is divided by.
            let mut emit = Emit(&b.part("period"));
            let between = emit.add(&extent, &Number::Known(-1));
            let there_and_back = emit.mul(&between, 2);
            let period = emit.max(&there_and_back, &Number::Known(1)).value(b);
            let place = floor_mod(index, period);
            Resolved { index: b.arith("minsi", place, b.arith("subi", period, place)), inside: None }
        }
        Boundary::Constant => {
            let asked = b.part("inside");
            let above = asked.compare(Compare::GreaterEqual, index, b.index(0));
            let below = asked.compare(Compare::Less, index, extent.value(b));
            Resolved { index: clamp(index), inside: Some(asked.logic("andi", above, below)) }
        }
    }
}

/// Whether an index leaves its image so little, below and above, that [`resolve_near`] is what it takes.
pub fn is_near(&(below, above): &(i64, i64)) -> bool {
    below.max(above) <= NEAR
}

/// Elements beyond an edge: steps grow with their logarithm.
const NEAR: i64 = 32;

/// As [`resolve`], of an index that leaves its image by no more than so many elements, below and above.
pub fn resolve_near<'c: 'a, 'a>(
    index: Value<'c, 'a>,
    extent: Number<'c, 'a>,
    boundary: Boundary,
    (below, above): (i64, i64),
    b: &Builder<'c, 'a>,
) -> Resolved<'c, 'a> {
    let far = below.max(above);
    let mut emit = Emit(&b.part("period"));
    let minus = |number: Number<'c, 'a>, at| b.arith("subi", number.value(b), at);
    // Whether an image is known to have as many elements as are left on one side.
    let is_long = |least: i64| matches!(extent, Number::Known(extent) if extent >= least);
    let index = match boundary {
        Boundary::Wrap => {
            let n = extent;
            let mut at = index;
            let mut periods = above;
            if below > 0 {
                at = b.arith("minui", at, b.arith("addi", at, n.value(b)));
            }
            if below > 1 && !is_long(below) {
                // Of fewer elements than that, there may be some periods more below: as many are added at once.
                let more = below.ilog2() + 1;
                let few = or_else(b, n, below, |n| b.arith("shli", n, b.index(more.into())), 0);
                at = b.arith("addi", at, few);
                periods += 1 << more;
            }
            less_periods(b, at, n, if is_long(far) { periods.min(1) } else { periods }, far)
        }
        Boundary::Mirror => {
            let period = emit.mul(&extent, 2);
            let at = if below > 0 { b.arith("maxsi", index, minus(Number::Known(-1), index)) } else { index };
            if above == 0 && is_long(below) {
                at
            } else {
                let at = less_periods(b, at, period, if is_long(far) { 0 } else { far / 2 }, 2 * far);
                b.arith("minsi", at, minus(emit.add(&period, &Number::Known(-1)), at))
            }
        }
        Boundary::Reflect101 => {
            let between = emit.add(&extent, &Number::Known(-1));
            let period = emit.mul(&between, 2);
            let at = if below > 0 { b.arith("maxsi", index, minus(Number::Known(0), index)) } else { index };
            if is_long(far + 1) {
                if above == 0 { at } else { b.arith("minsi", at, minus(period, at)) }
            } else {
                let at = less_periods(b, at, period, far / 2, 2 * far);
                // One element alone is everywhere: it has no period.
                b.arith("maxsi", b.arith("minsi", at, minus(period, at)), b.index(0))
            }
        }
        Boundary::None | Boundary::Clamp | Boundary::Constant => return resolve(index, extent, boundary, b),
    };
    Resolved { index, inside: None }
}

/// What is left of a number that is not negative when `periods` of them at most are subtracted from it: one where the period is
/// longer than `short`.
fn less_periods<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    period: Number<'c, 'a>,
    periods: i64,
    short: i64,
) -> Value<'c, 'a> {
    let bits = i64::BITS - periods.leading_zeros();
    (0..bits).rev().fold(number, |number, bit| {
        let several = match bit {
            0 => period.value(b),
            bit => or_else(b, period, short, |period| b.arith("shli", period, b.index(bit.into())), i64::MAX),
        };
        // Less than 0 is a large number without a sign.
        b.arith("minui", number, b.arith("subi", number, several))
    })
}

/// Something of a number that is at most `most`; `other` for those above.
fn or_else<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    number: Number<'c, 'a>,
    most: i64,
    of: impl Fn(Value<'c, 'a>) -> Value<'c, 'a>,
    other: i64,
) -> Value<'c, 'a> {
    let number = number.value(b);
    let is_few = b.compare(Compare::LessEqual, number, b.index(most));
    b.select(is_few, of(number), b.index(other), b.index_type())
}

/// The boundary mode as the model knows it. The dialects and the model do not know each other, so this is no `From` of either.
pub fn model_boundary(boundary: Boundary) -> weft_model::Boundary {
    match boundary {
        Boundary::None => weft_model::Boundary::None,
        Boundary::Clamp => weft_model::Boundary::Clamp,
        Boundary::Mirror => weft_model::Boundary::Mirror,
        Boundary::Reflect101 => weft_model::Boundary::Reflect101,
        Boundary::Wrap => weft_model::Boundary::Wrap,
        Boundary::Constant => weft_model::Boundary::Constant,
    }
}

/// The boundary mode as IR knows it.
pub fn dialect_boundary(boundary: weft_model::Boundary) -> Boundary {
    match boundary {
        weft_model::Boundary::None => Boundary::None,
        weft_model::Boundary::Clamp => Boundary::Clamp,
        weft_model::Boundary::Mirror => Boundary::Mirror,
        weft_model::Boundary::Reflect101 => Boundary::Reflect101,
        weft_model::Boundary::Wrap => Boundary::Wrap,
        weft_model::Boundary::Constant => Boundary::Constant,
    }
}
