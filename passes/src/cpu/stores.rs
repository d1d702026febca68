//! Whether what is stored is read again soon: rows of an image that is larger than the caches are stored past them.

use crate::ir::{Builder, Compare, Emit, Number, bytes_of_element};
use melior::ir::{Type, Value};
use weft_model::{Arith, Cpu};

/// Whether something is so, now or at run time.
#[derive(Clone, Copy)]
pub enum Flag<'c, 'a> {
    /// Now.
    Known(bool),
    /// At run time.
    Asked(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Flag<'c, 'a> {
    /// A store that goes past the caches if this is so.
    pub fn store(self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, memory: Value<'c, 'a>, at: &[Value<'c, 'a>]) {
        let past = |b: &Builder<'c, 'a>| {
            let operands = [&[value, memory], at].concat();
            b.op("memref.store", &operands, &[], &[("nontemporal", b.bool_attribute(true))]);
        };
        match self {
            Flag::Known(true) => past(b),
            Flag::Known(false) => b.store(value, memory, at),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else(flag);
                past(&yes);
                no.store(value, memory, at);
            }
        }
    }
}

/// Whether an image is to be written past the caches.
pub fn past_caches<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    cpu: &Cpu,
    extents: &[Number<'c, 'a>],
    element: Type,
) -> Flag<'c, 'a> {
    let most = cpu.non_temporal_bytes() / bytes_of_element(element);
    let points = extents.iter().fold(Number::Known(1), |all, extent| match (all, *extent) {
        (Number::Known(all), extent) => Emit(b).mul(&extent, all),
        (all, Number::Known(extent)) => Emit(b).mul(&all, extent),
        (all, extent) => Number::Value(b.arith("muli", all.value(b), extent.value(b))),
    });
    match points {
        Number::Known(points) => Flag::Known(points >= most),
        Number::Value(points) => Flag::Asked(b.compare(Compare::GreaterEqual, points, b.index(most))),
    }
}
