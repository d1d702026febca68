//! Memory of intermediates: how much, where it is allocated and freed.

use crate::{
    analysis::Sizes,
    ir::{self, Builder, Key, Number, bits_of_element, key},
};
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, operation::OperationLike, r#type::MemRefType};
use weft_dialects::pipeline::static_extents;
use weft_model::CACHE_LINE;

/// Memory of an iteration, aligned to a cache line.
pub fn allocate<'c: 'a, 'a>(b: &Builder<'c, 'a>, extents: &[Number<'c, 'a>], element: Type<'c>) -> Value<'c, 'a> {
    ir::allocate(b, extents, element, CACHE_LINE)
}

/// Frees it, at the end of the iteration.
pub fn free<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>) {
    b.op("memref.dealloc", &[memory], &[], &[]);
}

/// Bytes that are allocated: a number times numbers that are known at run time.
#[derive(Clone)]
pub struct Bytes<'c, 'a> {
    pub(super) known: i64,
    pub(super) extents: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Bytes<'c, 'a> {
    /// Those of a dense image; none for elements whose size depends on the machine, and for more than can be counted.
    pub fn of(alloc: OperationRef<'c, 'a>, ty: MemRefType<'c>) -> Option<Self> {
        let element = i64::from(bits_of_element(ty.element())?.div_ceil(8));
        let known = static_extents(ty).into_iter().flatten().try_fold(element, i64::checked_mul)?;
        Some(Self { known, extents: alloc.operands().collect() })
    }

    /// The same product.
    pub(super) fn is(&self, other: &Self) -> bool {
        let mut rest: Vec<Key> = other.extents.iter().map(|extent| key(*extent)).collect();
        self.known == other.known
            && self.extents.iter().all(|extent| {
                let found = rest.iter().position(|other| *other == key(*extent));
                found.map(|index| rest.swap_remove(index)).is_some()
            })
            && rest.is_empty()
    }

    pub(super) fn estimate(&self, sizes: &Sizes) -> i64 {
        let extents = self.extents.iter().map(|extent| sizes.of(Number::Value(*extent)));
        extents.fold(self.known, i64::saturating_mul)
    }

    /// Their number, if it is the same for all images of the type.
    pub fn constant(&self) -> Option<i64> {
        self.extents.is_empty().then_some(self.known)
    }

    /// Their number, at run time.
    pub fn value(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        self.extents.iter().fold(b.index(self.known), |product, extent| b.arith("muli", product, *extent))
    }
}
