//! What a boundary mode means: the coordinate that is read in place of one beyond the edge.

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
    match boundary {
        Boundary::None => Resolved { index, inside: None },
        Boundary::Clamp => Resolved { index: clamp(index), inside: None },
        Boundary::Wrap => Resolved { index: floor_mod(index, extent.value(b)), inside: None },
        Boundary::Mirror => {
            // Period 2n: the first half is the image, the second the image backwards.
            let period = Emit(&b.part("period")).mul(&extent, 2);
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
