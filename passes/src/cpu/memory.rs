//! Memory of intermediates: how much, where it is allocated and freed.

use crate::{
    analysis::Sizes,
    ir::{self, Builder, Key, Number, bits_of_element, is, key},
};
use melior::ir::{
    OperationRef, ShapedTypeLike, Type, Value, attribute::IntegerAttribute, operation::OperationLike,
    r#type::MemRefType,
};
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

/// Where in a function memory may be allocated first: behind the checks of its arguments. One that fails returns at once, and nothing is
/// freed then.
pub fn behind_checks(ops: &[OperationRef]) -> usize {
    ops.iter().rposition(|op| is(*op, "cf.assert")).map_or(0, |last| last + 1)
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

    /// Those of an image without gaps in plain memory, which may begin with any cache line; none for others.
    pub fn of_dense(alloc: OperationRef<'c, 'a>, ty: MemRefType<'c>) -> Option<Self> {
        let alignment = alloc.attribute("alignment").ok().and_then(|value| IntegerAttribute::try_from(value).ok());
        let is_anywhere = alignment.is_none_or(|alignment| CACHE_LINE % alignment.value().max(1) == 0);
        let extents: Vec<i64> = static_extents(ty).into_iter().map(|extent| extent.unwrap_or(i64::MIN)).collect();
        let dense = MemRefType::new(ty.element(), &extents, None, None);
        Self::of(alloc, ty).filter(|_| is_anywhere && Type::from(ty) == dense.into())
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

    /// A number of bytes that is enough for any of these.
    pub fn most<'b>(b: &Builder<'c, 'a>, all: impl Iterator<Item = &'b Self> + Clone) -> Value<'c, 'a>
    where
        'c: 'b,
        'a: 'b,
    {
        let known = all.clone().filter_map(Self::constant).max();
        let mut others: Vec<&Self> = Vec::new();
        for bytes in all.filter(|bytes| bytes.constant().is_none()) {
            if !others.iter().any(|other| other.is(bytes)) {
                others.push(bytes);
            }
        }
        let values =
            known.map(|known| b.index(known)).into_iter().chain(others.into_iter().map(|bytes| bytes.value(b)));
        values.reduce(|a, other| b.arith("maxsi", a, other)).unwrap_or_else(|| b.index(0))
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
