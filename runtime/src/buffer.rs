//! Tensors in memory: what an element is, where elements live, and how compiled code is told of them.
//!
//! A [`Buffer`] is a dense row-major array that knows its element type at run time, because the program that will read
//! it is known only at run time. Its bytes start on a 64-byte boundary (a cache line, and the widest vector register),
//! so that compiled code may use aligned vector accesses. Bytes are viewed as numbers through [`bytemuck`], which
//! checks size and alignment: this file needs no unsafe code. Compiled code sees a buffer through a [`MemRef`], the
//! descriptor that MLIR passes to C functions.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use half::f16;

/// Bytes between the places where a buffer may start.
pub const ALIGNMENT: usize = 64;

/// The representation of one element, sign aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// A truth value, stored as a byte that is 0 or 1 (as LLVM stores an `i1` in memory).
    I1,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer; also MLIR's `index`.
    I64,
}

impl Kind {
    /// The bytes that one element takes in memory.
    pub fn size(self) -> usize {
        match self {
            Kind::I1 | Kind::I8 => 1,
            Kind::F16 | Kind::I16 => 2,
            Kind::F32 | Kind::I32 => 4,
            Kind::F64 | Kind::I64 => 8,
        }
    }

    /// Whether this is a floating-point kind.
    pub fn is_float(self) -> bool {
        matches!(self, Kind::F16 | Kind::F32 | Kind::F64)
    }
}

/// An element type: a representation, and for integers whether it is read as unsigned.
///
/// MLIR's integers have no sign; `weft.unsigned` on an argument gives it one. A photograph of `u8` is a tensor of `i8`
/// with that mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Element {
    kind: Kind,
    unsigned: bool,
}

impl Element {
    /// `f16`
    pub const F16: Element = Element::new(Kind::F16, false);
    /// `f32`
    pub const F32: Element = Element::new(Kind::F32, false);
    /// `f64`
    pub const F64: Element = Element::new(Kind::F64, false);
    /// `i1`
    pub const I1: Element = Element::new(Kind::I1, false);
    /// `i8`, signed
    pub const I8: Element = Element::new(Kind::I8, false);
    /// `i16`, signed
    pub const I16: Element = Element::new(Kind::I16, false);
    /// `i32`, signed
    pub const I32: Element = Element::new(Kind::I32, false);
    /// `i64`, signed
    pub const I64: Element = Element::new(Kind::I64, false);
    /// `i8` with `weft.unsigned`
    pub const U8: Element = Element::new(Kind::I8, true);
    /// `i16` with `weft.unsigned`
    pub const U16: Element = Element::new(Kind::I16, true);
    /// `i32` with `weft.unsigned`
    pub const U32: Element = Element::new(Kind::I32, true);
    /// `i64` with `weft.unsigned`
    pub const U64: Element = Element::new(Kind::I64, true);

    /// Every element type.
    pub const ALL: [Element; 12] = [
        Element::F16,
        Element::F32,
        Element::F64,
        Element::I1,
        Element::I8,
        Element::I16,
        Element::I32,
        Element::I64,
        Element::U8,
        Element::U16,
        Element::U32,
        Element::U64,
    ];

    /// An element of `kind`. `unsigned` is ignored for floats and for `i1`, which have no such choice.
    pub const fn new(kind: Kind, unsigned: bool) -> Element {
        let has_sign = matches!(kind, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64);
        Element { kind, unsigned: unsigned && has_sign }
    }

    /// The representation.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// Whether this is an integer that is read as unsigned.
    pub fn is_unsigned(self) -> bool {
        self.unsigned
    }

    /// The bytes that one element takes in memory.
    pub fn size(self) -> usize {
        self.kind.size()
    }
}

impl fmt::Display for Element {
    /// `f32`, `i8` (signed), `u8` (unsigned).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.kind, self.unsigned) {
            (Kind::F16, _) => "f16",
            (Kind::F32, _) => "f32",
            (Kind::F64, _) => "f64",
            (Kind::I1, _) => "i1",
            (Kind::I8, false) => "i8",
            (Kind::I16, false) => "i16",
            (Kind::I32, false) => "i32",
            (Kind::I64, false) => "i64",
            (Kind::I8, true) => "u8",
            (Kind::I16, true) => "u16",
            (Kind::I32, true) => "u32",
            (Kind::I64, true) => "u64",
        })
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Element {
    type Err = String;

    /// Reads what `Display` writes, and `index`, which is `i64`.
    fn from_str(text: &str) -> Result<Element, String> {
        let found = Element::ALL.into_iter().find(|element| element.to_string() == text);
        match (found, text) {
            (Some(element), _) => Ok(element),
            (None, "index") => Ok(Element::I64),
            (None, _) => Err(format!("found element type {text}, expected f16, f32, f64, i1, i8 to i64 or u8 to u64")),
        }
    }
}

/// A tensor type of the program: an element type and extents, of which `None` is dynamic (MLIR's `?`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The element type.
    pub element: Element,
    /// The extents, outermost first.
    pub shape: Vec<Option<usize>>,
}

impl TensorType {
    /// Whether a tensor of these extents is one of this type.
    pub fn accepts(&self, shape: &[usize]) -> bool {
        shape_fits(shape, &self.shape)
    }
}

impl fmt::Display for TensorType {
    /// `3x?x512xf32`, as between the brackets of MLIR's `tensor<...>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for extent in &self.shape {
            match extent {
                Some(extent) => write!(f, "{extent}x")?,
                None => f.write_str("?x")?,
            }
        }
        write!(f, "{}", self.element)
    }
}

/// Whether `found` has the rank of `expected` and the extents that are not dynamic.
pub(crate) fn shape_fits(found: &[usize], expected: &[Option<usize>]) -> bool {
    let fits = |(found, expected): (&usize, &Option<usize>)| expected.is_none_or(|expected| expected == *found);
    found.len() == expected.len() && found.iter().zip(expected).all(fits)
}

/// `3x?x512`; `a single value` for rank 0.
pub(crate) fn pattern_text(shape: &[Option<usize>]) -> String {
    if shape.is_empty() {
        return "a single value".to_owned();
    }
    let extents: Vec<String> = shape.iter().map(|e| e.map_or("?".to_owned(), |e| e.to_string())).collect();
    extents.join("x")
}

/// `3x400x600`; `a single value` for rank 0.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    pattern_text(&shape.iter().copied().map(Some).collect::<Vec<_>>())
}

/// A Rust type that a buffer can be viewed as. Implemented for the floats and for the integers of 8 to 64 bits.
pub trait Sample: bytemuck::Pod {
    /// The element type that this Rust type stands for.
    const ELEMENT: Element;

    /// The value, rounded to the nearest `f64` where it has more than 53 bits.
    fn to_f64(self) -> f64;

    /// The nearest value of this type, ties to even; integers truncate and saturate, as Rust's `as` does.
    /// (Not named `from_f64`: the method of that name that `f16` has itself would be called instead.)
    fn nearest(value: f64) -> Self;
}

macro_rules! samples {
    ($($type:ty => $element:ident),*) => {$(
        impl Sample for $type {
            const ELEMENT: Element = Element::$element;
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn nearest(value: f64) -> Self {
                value as $type
            }
        }
    )*};
}

samples!(f32 => F32, f64 => F64, i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64);

impl Sample for f16 {
    const ELEMENT: Element = Element::F16;
    fn to_f64(self) -> f64 {
        f16::to_f64(self)
    }
    fn nearest(value: f64) -> Self {
        f16_from_f64(value)
    }
}

/// Rounds to the nearest `f16`, ties to even, once.
///
/// `f16::from_f64` goes through `f32` on machines with F16C, and drops the low half of the significand on others: a value a
/// hair above a tie then rounds like the tie. Here the step to `f32` *rounds to odd*: if it is inexact, the
/// neighbour whose last bit is 1 is taken, which keeps the knowledge that there was a remainder. `f32` has more than two
/// bits to spare over `f16`, so the second rounding is then the right one (Boldo and Melquiond, 2008).
fn f16_from_f64(value: f64) -> f16 {
    let near = value as f32;
    if near.is_nan() || f64::from(near) == value {
        return f16::from_f32(near);
    }
    let bits = near.to_bits();
    // Towards zero first (an overflow to infinity becomes the largest finite value), then odd.
    let truncated = if f64::from(near).abs() > value.abs() { bits - 1 } else { bits };
    f16::from_f32(f32::from_bits(truncated | 1))
}

/// Runs the body with `$T` bound to the Rust type of an element; `i1` is viewed as its byte, `u8`.
macro_rules! with_sample_type {
    ($element:expr, $T:ident => $body:expr) => {{
        let element = $element;
        match (element.kind(), element.is_unsigned()) {
            ($crate::buffer::Kind::F16, _) => {
                type $T = half::f16;
                $body
            }
            ($crate::buffer::Kind::F32, _) => {
                type $T = f32;
                $body
            }
            ($crate::buffer::Kind::F64, _) => {
                type $T = f64;
                $body
            }
            ($crate::buffer::Kind::I1, _) | ($crate::buffer::Kind::I8, true) => {
                type $T = u8;
                $body
            }
            ($crate::buffer::Kind::I8, false) => {
                type $T = i8;
                $body
            }
            ($crate::buffer::Kind::I16, false) => {
                type $T = i16;
                $body
            }
            ($crate::buffer::Kind::I32, false) => {
                type $T = i32;
                $body
            }
            ($crate::buffer::Kind::I64, false) => {
                type $T = i64;
                $body
            }
            ($crate::buffer::Kind::I16, true) => {
                type $T = u16;
                $body
            }
            ($crate::buffer::Kind::I32, true) => {
                type $T = u32;
                $body
            }
            ($crate::buffer::Kind::I64, true) => {
                type $T = u64;
                $body
            }
        }
    }};
}
pub(crate) use with_sample_type;

/// A dense row-major tensor that owns its memory.
pub struct Buffer {
    element: Element,
    shape: Vec<usize>,
    /// The bytes, somewhere inside an allocation that is `ALIGNMENT` longer. A `Vec<u8>` has no alignment of its own;
    /// starting a little way in is how to have one without unsafe code.
    storage: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// A tensor of zeros (false for `i1`). The memory is fresh from the system and not touched yet.
    ///
    /// # Panics
    /// If the tensor has more bytes than the address space.
    pub fn zeros(element: Element, shape: &[usize]) -> Buffer {
        let len = byte_count(element, shape).and_then(|len| len.checked_add(ALIGNMENT).map(|_| len));
        let Some(len) = len else {
            panic!("a tensor of {}x{element} is larger than the address space", shape_text(shape));
        };
        let storage = vec![0; len + ALIGNMENT];
        // `align_offset` is less than ALIGNMENT for bytes, so `start + len` stays inside the storage.
        let start = storage.as_ptr().align_offset(ALIGNMENT);
        Buffer { element, shape: shape.to_vec(), storage, start, len }
    }

    /// A tensor that lies in this memory, from a multiple of 64 on.
    pub(crate) fn placed(element: Element, shape: &[usize], storage: Vec<u8>, start: usize) -> Buffer {
        let len = byte_count(element, shape).filter(|len| start + len <= storage.len());
        let len = len.expect("memory for the tensor");
        Buffer { element, shape: shape.to_vec(), storage, start, len }
    }

    /// All of the memory that it lies in.
    pub(crate) fn storage(&self) -> &[u8] {
        &self.storage
    }

    /// [`zeros`](Buffer::zeros), where there is memory for it: for shapes that somebody else says.
    pub fn try_zeros(element: Element, shape: &[usize]) -> Option<Buffer> {
        // Asked first, because memory that is allocated and then zeroed is touched, all of it, and a file that lies about its size
        // should not cost that.
        Buffer::fits(element, shape).then(|| Buffer::zeros(element, shape))
    }

    /// Whether a tensor of this shape can be allocated at all.
    pub fn fits(element: Element, shape: &[usize]) -> bool {
        let bytes = byte_count(element, shape).and_then(|len| len.checked_add(ALIGNMENT));
        bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    }

    /// A tensor with these elements, in row-major order.
    ///
    /// # Panics
    /// If `values` has another length than `shape` says.
    pub fn from_slice<T: Sample>(shape: &[usize], values: &[T]) -> Buffer {
        let mut buffer = Buffer::zeros(T::ELEMENT, shape);
        buffer.bytes_mut().copy_from_slice(bytemuck::cast_slice(values));
        buffer
    }

    /// A tensor of numbers that look random and depend on `seed` and the element type only: the same on every machine.
    ///
    /// Element *i* (row-major) is made from the *i*-th number of the splitmix64 sequence that starts at `seed`, from its
    /// high bits. Floats are uniform in [0, 1): multiples of 2^-11 (`f16`), 2^-24 (`f32`) or 2^-53 (`f64`). Integers are
    /// uniform over the whole range of their type, `i1` over both truth values.
    pub fn random(element: Element, shape: &[usize], seed: u64) -> Buffer {
        let mut buffer = Buffer::zeros(element, shape);
        let bytes = buffer.bytes_mut();
        match element.kind() {
            Kind::F16 => fill(bytes, seed, |r| f16::from_f32((r >> 53) as f32 / 2048.0)),
            Kind::F32 => fill(bytes, seed, |r| (r >> 40) as f32 / 16_777_216.0),
            Kind::F64 => fill(bytes, seed, |r| (r >> 11) as f64 / 9_007_199_254_740_992.0),
            Kind::I1 => fill(bytes, seed, |r| (r >> 63) as u8),
            Kind::I8 => fill(bytes, seed, |r| (r >> 56) as u8),
            Kind::I16 => fill(bytes, seed, |r| (r >> 48) as u16),
            Kind::I32 => fill(bytes, seed, |r| (r >> 32) as u32),
            Kind::I64 => fill(bytes, seed, |r| r),
        }
        buffer
    }

    /// The element type.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len / self.element.size()
    }

    /// Whether some extent is zero.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size of the elements in bytes.
    pub fn byte_size(&self) -> usize {
        self.len
    }

    /// The elements as they lie in memory, in the byte order of this machine.
    pub fn bytes(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }

    /// The elements as they lie in memory. An `i1` must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..self.start + self.len]
    }

    /// The elements as numbers; `None` if they are not of type `T`. `i1` is viewed as `u8`.
    pub fn view<T: Sample>(&self) -> Option<&[T]> {
        // The cast cannot panic: the bytes start at a multiple of 64 and are a whole number of elements.
        views::<T>(self.element).then(|| bytemuck::cast_slice(self.bytes()))
    }

    /// The elements as numbers that can be changed; `None` if they are not of type `T`. `i1` is viewed as `u8`, and must
    /// stay 0 or 1.
    pub fn view_mut<T: Sample>(&mut self) -> Option<&mut [T]> {
        views::<T>(self.element).then(|| bytemuck::cast_slice_mut(self.bytes_mut()))
    }

    /// The least and the greatest finite element; `None` if there is none. 64-bit integers are rounded to `f64`.
    pub fn min_max(&self) -> Option<(f64, f64)> {
        with_sample_type!(self.element, T => {
            let values = bytemuck::cast_slice::<u8, T>(self.bytes()).iter().map(|value| value.to_f64());
            values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
                None => Some((value, value)),
                Some((min, max)) => Some((value.min(min), value.max(max))),
            })
        })
    }

    /// The index in row-major order of the first element that differs, bit for bit except that any NaN equals any NaN;
    /// `None` if the tensors are equal. This is what "the executors agree" means.
    ///
    /// # Panics
    /// If the element types or the shapes differ.
    pub fn first_difference(&self, other: &Buffer) -> Option<usize> {
        assert_eq!((self.element, &self.shape), (other.element, &other.shape), "tensors of one type are compared");
        if self.bytes() == other.bytes() {
            return None;
        }
        with_sample_type!(self.element, T => {
            let left = bytemuck::cast_slice::<u8, T>(self.bytes());
            let right = bytemuck::cast_slice::<u8, T>(other.bytes());
            let same = |a: &T, b: &T| {
                bytemuck::bytes_of(a) == bytemuck::bytes_of(b) || (a.to_f64().is_nan() && b.to_f64().is_nan())
            };
            left.iter().zip(right).position(|(a, b)| !same(a, b))
        })
    }

    /// Whether both have the same type and shape, and no element differs ([`Buffer::first_difference`]).
    pub fn agrees(&self, other: &Buffer) -> bool {
        (self.element, &self.shape) == (other.element, &other.shape) && self.first_difference(other).is_none()
    }

    /// Reads the same bits as another element type of the same size, for instance `i8` as `u8`; `None` if the sizes differ.
    pub fn reinterpret(mut self, element: Element) -> Option<Buffer> {
        let same =
            self.element.size() == element.size() && (self.element.kind() == Kind::I1) == (element.kind() == Kind::I1);
        self.element = element;
        same.then_some(self)
    }

    /// The descriptor to pass to code that only reads this tensor.
    pub fn memref(&self) -> MemRef<'_> {
        MemRef::new(self.bytes().as_ptr().expose_provenance() as u64, &self.shape)
    }

    /// The descriptor to pass to code that writes this tensor.
    pub fn memref_mut(&mut self) -> MemRef<'_> {
        let address = self.bytes_mut().as_mut_ptr().expose_provenance();
        MemRef::new(address as u64, &self.shape)
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Buffer {
        let mut copy = Buffer::zeros(self.element, &self.shape);
        copy.bytes_mut().copy_from_slice(self.bytes());
        copy
    }
}

impl fmt::Debug for Buffer {
    /// The type only: the elements may be many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape.iter().copied().map(Some).collect();
        write!(f, "Buffer({})", TensorType { element: self.element, shape })
    }
}

fn views<T: Sample>(element: Element) -> bool {
    T::ELEMENT == element || (element == Element::I1 && T::ELEMENT == Element::U8)
}

/// The bytes of a tensor, or `None` if they overflow (also when another extent is 0, which keeps strides in range too).
pub(crate) fn byte_count(element: Element, shape: &[usize]) -> Option<usize> {
    let whole =
        shape.iter().filter(|extent| **extent != 0).try_fold(element.size(), |n, extent| n.checked_mul(*extent));
    // Rust, like LLVM, wants an object to be at most half of the address space.
    let whole = whole.filter(|n| isize::try_from(*n).is_ok());
    if shape.contains(&0) { whole.map(|_| 0) } else { whole }
}

fn fill<T: Sample>(bytes: &mut [u8], seed: u64, make: impl Fn(u64) -> T) {
    let mut state = seed;
    for value in bytemuck::cast_slice_mut::<u8, T>(bytes) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *value = make(splitmix64(state));
    }
}

/// The output function of splitmix64 (Steele, Lea and Flood, OOPSLA 2014; constants as in Vigna's public-domain version).
fn splitmix64(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// MLIR's descriptor of a ranked memref, as C functions receive it: the allocated and the aligned pointer, an offset, then
/// one size and one stride (in elements) per dimension. All are 64 bits wide.
///
/// It borrows the buffer that it describes.
pub struct MemRef<'a> {
    words: Vec<u64>,
    buffer: PhantomData<&'a mut Buffer>,
}

impl MemRef<'_> {
    /// The descriptor of a dense tensor at an address, of this process or of a device.
    pub(crate) fn new(address: u64, shape: &[usize]) -> Self {
        let mut words = vec![address, address, 0];
        words.extend(shape.iter().map(|extent| *extent as u64));
        // Row-major: a stride is the product of the extents inside it. It cannot overflow (see `byte_count`) where all
        // extents are positive; in an empty tensor a stride is never used.
        let strides = (0..shape.len()).map(|d| shape[d + 1..].iter().product::<usize>() as u64);
        words.extend(strides);
        MemRef { words, buffer: PhantomData }
    }

    /// The words of the descriptor: allocated, aligned, offset, sizes, strides.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The address of the descriptor, which is what a `_mlir_ciface_` function takes. Valid while `self` lives.
    pub fn as_ptr(&self) -> *const u64 {
        self.words.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_names_and_sizes() {
        let names: Vec<String> = Element::ALL.iter().map(Element::to_string).collect();
        assert_eq!(names.join(" "), "f16 f32 f64 i1 i8 i16 i32 i64 u8 u16 u32 u64");
        let sizes: Vec<usize> = Element::ALL.iter().map(|e| e.size()).collect();
        assert_eq!(sizes, [2, 4, 8, 1, 1, 2, 4, 8, 1, 2, 4, 8]);
        for element in Element::ALL {
            assert_eq!(element.to_string().parse(), Ok(element));
        }
        assert_eq!("index".parse(), Ok(Element::I64));
        assert_eq!(
            "f8".parse::<Element>(),
            Err("found element type f8, expected f16, f32, f64, i1, i8 to i64 or u8 to u64".to_owned())
        );
        assert_eq!(Element::new(Kind::F32, true), Element::F32);
        assert_eq!(Element::new(Kind::I1, true), Element::I1);
    }

    #[test]
    fn tensor_types_print_as_mlir_and_accept_their_shapes() {
        let image = TensorType { element: Element::U8, shape: vec![Some(3), None, Some(512)] };
        assert_eq!(image.to_string(), "3x?x512xu8");
        assert!(image.accepts(&[3, 7, 512]));
        assert!(!image.accepts(&[3, 7, 511]));
        assert!(!image.accepts(&[7, 512]));
        let scalar = TensorType { element: Element::F32, shape: vec![] };
        assert_eq!(scalar.to_string(), "f32");
        assert!(scalar.accepts(&[]));
        assert_eq!(pattern_text(&scalar.shape), "a single value");
    }

    #[test]
    fn buffers_are_aligned_and_zero() {
        for element in Element::ALL {
            for shape in [&[] as &[usize], &[0], &[7, 0, 3], &[1], &[3, 5], &[2, 3, 5]] {
                let buffer = Buffer::zeros(element, shape);
                let count: usize = shape.iter().product();
                assert_eq!(buffer.len(), count);
                assert_eq!(buffer.byte_size(), count * element.size());
                assert_eq!(buffer.is_empty(), count == 0);
                assert_eq!(buffer.bytes().as_ptr() as usize % ALIGNMENT, 0);
                assert!(buffer.bytes().iter().all(|byte| *byte == 0));
                let copy = buffer.clone();
                assert_eq!(copy.bytes().as_ptr() as usize % ALIGNMENT, 0);
            }
        }
    }

    #[test]
    #[should_panic(expected = "larger than the address space")]
    fn impossible_sizes_are_refused() {
        Buffer::zeros(Element::F64, &[usize::MAX / 4, 2]);
    }

    #[test]
    fn views_have_the_type_of_the_element() {
        let mut buffer = Buffer::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]);
        assert_eq!(buffer.view::<f32>(), Some(&[1.0, 2.0, 3.0, 4.0][..]));
        assert_eq!(buffer.view::<i32>(), None);
        if let Some(values) = buffer.view_mut::<f32>() {
            values[3] = -4.0;
        }
        assert_eq!(buffer.min_max(), Some((-4.0, 3.0)));
        assert_eq!(Buffer::zeros(Element::I1, &[2]).view::<u8>(), Some(&[0, 0][..]));
        assert_eq!(Buffer::zeros(Element::I8, &[2]).view::<u8>(), None);
        assert_eq!(format!("{buffer:?}"), "Buffer(2x2xf32)");
    }

    #[test]
    fn bits_are_reinterpreted_between_signs_only() {
        let bytes = Buffer::from_slice(&[2], &[-1i8, 5]);
        let unsigned = bytes.clone().reinterpret(Element::U8).expect("the same size");
        assert_eq!(unsigned.view::<u8>(), Some(&[255, 5][..]));
        assert!(bytes.clone().reinterpret(Element::U16).is_none());
        assert!(bytes.reinterpret(Element::I1).is_none(), "255 is no truth value");
    }

    #[test]
    fn the_range_ignores_what_is_not_finite() {
        let values = [f32::NAN, 2.0, f32::INFINITY, -1.0, f32::NEG_INFINITY];
        assert_eq!(Buffer::from_slice(&[5], &values).min_max(), Some((-1.0, 2.0)));
        assert_eq!(Buffer::from_slice(&[1], &[f64::NAN]).min_max(), None);
        assert_eq!(Buffer::zeros(Element::U8, &[0]).min_max(), None);
        assert_eq!(Buffer::from_slice(&[2], &[i16::MIN, i16::MAX]).min_max(), Some((-32768.0, 32767.0)));
    }

    #[test]
    fn random_numbers_are_the_same_everywhere() {
        // The first outputs of splitmix64 seeded with 1234567, as published with the reference implementation.
        let expected = [6457827717110365317u64, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        let words = Buffer::random(Element::U64, &[4], 1234567);
        assert_eq!(words.view::<u64>(), Some(&expected[..]));
        let floats = Buffer::random(Element::F32, &[4], 1234567);
        let scaled = expected.map(|word| (word >> 40) as f32 / 16_777_216.0);
        assert_eq!(floats.view::<f32>(), Some(&scaled[..]));
        let bytes = Buffer::random(Element::U8, &[4], 1234567);
        assert_eq!(bytes.view::<u8>(), Some(&expected.map(|word| (word >> 56) as u8)[..]));
    }

    #[test]
    fn random_numbers_fill_their_range() {
        for element in Element::ALL {
            let (min, max) = Buffer::random(element, &[64, 64], 7).min_max().expect("all are finite");
            match element.kind() {
                Kind::F16 | Kind::F32 | Kind::F64 => assert!((0.0..0.01).contains(&min) && (0.99..1.0).contains(&max)),
                Kind::I1 => assert_eq!((min, max), (0.0, 1.0)),
                kind => {
                    let span = 2.0f64.powi(8 * kind.size() as i32);
                    let lowest = if element.is_unsigned() { 0.0 } else { -span / 2.0 };
                    assert!(min >= lowest && min < lowest + 0.01 * span, "{element}: {min}");
                    assert!(max < lowest + span && max > lowest + 0.99 * span, "{element}: {max}");
                }
            }
        }
    }

    #[test]
    fn differences_are_of_bits_but_any_nan_equals_any_nan() {
        let quiet = f32::NAN;
        let other = f32::from_bits(0xffc0_1234);
        let a = Buffer::from_slice(&[3], &[quiet, 0.0, 1.0]);
        assert_eq!(a.first_difference(&Buffer::from_slice(&[3], &[other, 0.0, 1.0])), None);
        assert_eq!(a.first_difference(&Buffer::from_slice(&[3], &[other, -0.0, 1.0])), Some(1));
        assert_eq!(a.first_difference(&Buffer::from_slice(&[3], &[1.0f32, 0.0, 1.0])), Some(0));
    }

    #[test]
    fn descriptors_are_row_major() {
        let mut buffer = Buffer::zeros(Element::F32, &[2, 3, 5]);
        let address = buffer.bytes().as_ptr() as u64;
        assert_eq!(buffer.memref().words(), [address, address, 0, 2, 3, 5, 15, 5, 1]);
        assert_eq!(buffer.memref_mut().words()[0], address);
        assert_eq!(Buffer::zeros(Element::F32, &[]).memref().words().len(), 3);
    }

    #[test]
    fn f16_is_rounded_once() {
        let bits = |value: f64| f16_from_f64(value).to_bits();
        // 1 + 2^-11 is a tie between 1 and the next f16; a remainder far below f32's precision must decide it.
        let tie = 1.0 + 2.0f64.powi(-11);
        assert_eq!(bits(tie), 0x3c00);
        assert_eq!(bits(tie + 2.0f64.powi(-40)), 0x3c01);
        assert_eq!(bits(tie - 2.0f64.powi(-40)), 0x3c00);
        assert_eq!(bits(-tie - 2.0f64.powi(-50)), 0xbc01);
        // Around the overflow threshold, at subnormals, and beyond f32.
        assert_eq!(bits(65519.99999999), 0x7bff);
        assert_eq!(bits(65520.0), 0x7c00);
        assert_eq!(bits(1e300), 0x7c00);
        assert_eq!(bits(2.0f64.powi(-25)), 0);
        assert_eq!(bits(2.0f64.powi(-25) * (1.0 + 1e-12)), 1);
        assert_eq!(bits(1e-300), 0);
        assert_eq!(bits(-1e-300), 0x8000);
        assert!(f16_from_f64(f64::NAN).is_nan());
        // Every f16 is itself, and between two neighbours the nearer one is taken.
        for pattern in 0..0x7bffu16 {
            let (low, high) = (f16::from_bits(pattern).to_f64(), f16::from_bits(pattern + 1).to_f64());
            assert_eq!(bits(low), pattern);
            let middle = (low + high) / 2.0;
            assert_eq!(bits(middle), pattern + (pattern & 1));
            assert_eq!(bits(middle.next_down()), pattern);
            assert_eq!(bits(middle.next_up()), pattern + 1);
        }
    }
}
