//! Memory of images whose channels are innermost, for a program that has them as planes (`weft.interleaved`).
//!
//! ```text
//! %img: memref<?x?x3xi8, strided<[?, ?, 1]>>       %planes: memref<3x?x?xi8, strided<[1, ?, 3]>>
//!
//!   r g b r g b r g b ...                    ──▶     r . . r . . r . .      a view: plane c, row y, column x lies at
//!                                                    . g . . g . . g .      c + y * stride + 3 * x
//!                                                    . . b . . b . . b
//! ```
//!
//! That neighbours in a row are as many elements apart as there are channels is what loads and stores of vectors are made for. A caller
//! may have pixels that are further apart, three of four channels: such an image is copied, into memory that has no point where none
//! is needed.

use crate::ir::{Builder, Compare};
use melior::ir::{
    Type, Value, ValueLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use weft_dialects::{pipeline::static_extents, weft};

/// An image of pixels.
pub(super) struct Pixels<'c, 'a> {
    /// The caller's memory.
    pub(super) memory: Value<'c, 'a>,
    /// Memory of the same extents, if there are gaps; else of no point.
    pub(super) dense: Value<'c, 'a>,
    /// That of both in which one pixel lies behind the other.
    pub(super) contiguous: Value<'c, 'a>,
    /// Whether the caller's pixels are apart.
    pub(super) has_gaps: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Pixels<'c, 'a> {
    /// Code that asks for gaps, and allocates.
    pub(super) fn of(b: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Self {
        let ty = memref_of(memory);
        let extents = static_extents(ty);
        let rank = extents.len();
        let channels = extents[rank - 1].expect("verified: the number of channels is known");

        let base = MemRefType::contiguous(ty.element(), &[], None).into();
        let types: Vec<Type> = [base].into_iter().chain(vec![b.index_type(); 1 + 2 * rank]).collect();
        let asked = b.op("memref.extract_strided_metadata", &[memory], &types, &[]);
        let stride = asked.result(2 + rank + rank - 2).expect("made with these results").into();
        let has_gaps = b.compare(Compare::NotEqual, stride, b.index(channels));

        // All extents as values, the first one 0 where nothing is to be held.
        let mut sizes: Vec<Value> = (0..rank - 1)
            .map(|d| match extents[d] {
                Some(extent) => b.index(extent),
                None => b.value("memref.dim", &[memory, b.index(d as i64)], b.index_type(), &[]),
            })
            .collect();
        sizes[0] = b.select(has_gaps, sizes[0], b.index(0), b.index_type());
        let unknown = [vec![i64::MIN; rank - 1], vec![channels]].concat();
        let attributes = [
            ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: {}, 0>", sizes.len()))),
            ("alignment", b.parse_attribute("64 : i64")),
        ];
        let allocated = MemRefType::new(ty.element(), &unknown, None, None).into();
        let dense = b.value("memref.alloc", &sizes, allocated, &attributes);
        let strides = [vec![i64::MIN; rank - 2], vec![channels, 1]].concat();
        let known: Vec<i64> = extents.iter().map(|extent| extent.unwrap_or(i64::MIN)).collect();
        let pixels = MemRefType::new(ty.element(), &known, Some(b.strides(&strides)), None).into();
        let [theirs, ours] = [memory, dense].map(|memory| b.value("memref.cast", &[memory], pixels, &[]));
        let contiguous = b.select(has_gaps, ours, theirs, pixels);
        Self { memory, dense, contiguous, has_gaps }
    }
}

/// A view of pixels that are next to each other: the channels before the rows.
pub fn planes_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, pixels: Value<'c, 'a>) -> Value<'c, 'a> {
    let ty = memref_of(pixels);
    let (strides, _) = ty.strides_and_offset();
    let extents: Vec<i64> = static_extents(ty).into_iter().map(|extent| extent.unwrap_or(i64::MIN)).collect();
    let planes =
        MemRefType::new(ty.element(), &weft::planar(&extents), Some(b.strides(&weft::planar(&strides))), None).into();
    let dims: Vec<usize> = (0..extents.len()).collect();
    let names = |dims: &[usize]| dims.iter().map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ");
    let map = format!("affine_map<({}) -> ({})>", names(&dims), names(&weft::planar(&dims)));
    b.value("memref.transpose", &[pixels], planes, &[("permutation", b.parse_attribute(&map))])
}

fn memref_of<'c>(memory: Value<'c, '_>) -> MemRefType<'c> {
    MemRefType::try_from(memory.r#type()).expect("arguments for images are memory")
}
