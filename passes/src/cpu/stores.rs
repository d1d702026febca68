//! Whether what is stored is read again soon: rows of an image that is larger than the caches are stored by non-temporal stores.

use crate::ir::{Builder, Compare, Number, bytes_of_element, product};
use melior::ir::{Type, Value};
use weft_model::Cpu;

/// Whether something is so, now or at run time.
#[derive(Clone, Copy)]
pub enum Flag<'c, 'a> {
    /// Now.
    Known(bool),
    /// At run time.
    Asked(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Flag<'c, 'a> {
    /// Where ops stand that belong to a store right behind them which is not non-temporal; `None` if it always is.
    pub fn cached(self, b: &Builder<'c, 'a>) -> Option<Builder<'c, 'a>> {
        match self {
            Flag::Known(non_temporal) => (!non_temporal).then_some(*b),
            Flag::Asked(flag) => Some(b.if_else_too(flag).1),
        }
    }

    /// A store that is non-temporal if this is so; one right behind another asks with that one.
    pub fn store(self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, memory: Value<'c, 'a>, at: &[Value<'c, 'a>]) {
        let non_temporal = |b: &Builder<'c, 'a>| {
            let operands = [&[value, memory], at].concat();
            b.op("memref.store", &operands, &[], &[("nontemporal", b.bool_attribute(true))]);
        };
        match self {
            Flag::Known(true) => non_temporal(b),
            Flag::Known(false) => b.store(value, memory, at),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else_too(flag);
                non_temporal(&yes);
                no.store(value, memory, at);
            }
        }
    }
}

/// Whether an image is to be written with non-temporal stores, pointwise from images or not.
pub fn is_non_temporal<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    cpu: &Cpu,
    extents: &[Number<'c, 'a>],
    element: Type,
    is_pointwise: bool,
) -> Flag<'c, 'a> {
    let most = cpu.past_caches(is_pointwise);
    if most == i64::MAX {
        return Flag::Known(false);
    }
    let most = most / bytes_of_element(element);
    let points = product(b, extents.iter().copied());
    match points {
        Number::Known(points) => Flag::Known(points >= most),
        Number::Value(points) => Flag::Asked(b.compare(Compare::GreaterEqual, points, b.index(most))),
    }
}
