//! Ops of upstream dialects that are more than a call of [`Builder::value`].

use super::builder::Builder;
use melior::ir::{Type, TypeLike, Value};

/// A zero of a type.
pub fn zero<'c: 'a, 'a>(b: &Builder<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
    let text = if ty.is_float() { format!("0.0 : {ty}") } else { format!("0 : {ty}") };
    b.value("arith.constant", &[], ty, &[("value", b.parse_attribute(&text))])
}
