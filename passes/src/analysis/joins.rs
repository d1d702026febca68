//! How values that a scatter or a scan joins behave: what changes none of them, and whether their order can show.

use crate::ir::{Builder, bits_of_element};
use melior::ir::{Type, Value};
use mlir_glue::ir;
use weft_dialects::pipeline::{Combine, Scatter};

/// The op that joins what is there and what comes.
pub fn combine_of(scatter: Scatter) -> Combine {
    scatter.combine().expect("verified to be one that may")
}

/// What changes no value that it is joined with, in a type, or that of vectors.
pub fn identity<'c: 'a, 'a>(b: &Builder<'c, 'a>, combine: Combine, ty: Type<'c>) -> Value<'c, 'a> {
    let element = ir::vector_element(ty).unwrap_or(ty);
    let unused = 64 - i64::from(bits_of_element(element).unwrap_or(64).clamp(1, 64));
    let number = match combine {
        // -0.0 + 0.0 is 0.0.
        Combine::Addf => return b.float(ty, -0.0),
        Combine::Mulf => return b.float(ty, 1.0),
        Combine::Minimumf | Combine::Minnumf => return b.float(ty, f64::INFINITY),
        Combine::Maximumf | Combine::Maxnumf => return b.float(ty, f64::NEG_INFINITY),
        Combine::Minsi => i64::MAX >> unused,
        Combine::Maxsi => i64::MIN >> unused,
        Combine::Minui | Combine::Andi => -1,
        Combine::Muli => 1,
        Combine::Addi | Combine::Maxui | Combine::Ori | Combine::Xori => 0,
    };
    b.integer(ty, &[number])
}

/// Whether parts of a scatter's domain may be joined by themselves, and then the parts in any order: no bit shows it, or none need be kept.
pub fn joins_in_parts(scatter: Scatter) -> bool {
    scatter.combine().is_some_and(joins_in_any_order)
        || scatter.combine() == Some(Combine::Addf) && scatter.is_reassociable()
}

/// Whether values may be joined in any order, and parts of them first: no bit shows it. Floats are rounded, and of zeros of both signs either may
/// be the greatest number.
pub fn joins_in_any_order(combine: Combine) -> bool {
    !matches!(combine, Combine::Addf | Combine::Mulf | Combine::Minnumf | Combine::Maxnumf)
}
