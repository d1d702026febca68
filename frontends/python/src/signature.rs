//! What a compiled program says of itself: the JSON of `weft_f_signature`.

use serde::Deserialize;

/// The version of the calls that this crate makes (`WEFT_INTERFACE`).
pub const INTERFACE: i16 = 2;

/// A program's types.
#[derive(Clone, Debug, Deserialize)]
pub struct Signature {
    pub interface: i16,
    pub name: String,
    /// The CPU that it was compiled for, in words, or `cuda`.
    pub cpu: String,
    /// Instructions that it may have.
    pub features: Vec<String>,
    pub arguments: Vec<Value>,
    pub results: Vec<Value>,
}

impl Signature {
    /// Whether it was compiled for a GPU.
    pub fn is_for_gpu(&self) -> bool {
        self.cpu == "cuda"
    }
}

/// An argument or a result.
#[derive(Clone, Debug, Deserialize)]
pub struct Value {
    pub name: String,
    pub r#type: String,
    /// Of an image, outermost first; a number has none.
    pub extents: Option<Vec<Extent>>,
}

/// An extent.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Extent {
    Known(i64),
    Named(String),
    /// Free, and without a name.
    Free(()),
}

/// The type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The number in a `weft_buffer`.
    pub number: i16,
    pub bytes: usize,
    /// What NumPy calls it.
    pub numpy: &'static str,
    /// Letters of the buffer protocol; of those with one size on one platform and another on another the size decides.
    letters: &'static [u8],
}

/// By the numbers that a `weft_buffer` has for them, from 1 on.
const ELEMENTS: [(&str, usize, &str, &[u8]); 12] = [
    ("f16", 2, "float16", b"e"),
    ("f32", 4, "float32", b"f"),
    ("f64", 8, "float64", b"dg"),
    ("i1", 1, "bool", b"?"),
    ("i8", 1, "int8", b"b"),
    ("i16", 2, "int16", b"h"),
    ("i32", 4, "int32", b"il"),
    ("i64", 8, "int64", b"lqi"),
    ("u8", 1, "uint8", b"B"),
    ("u16", 2, "uint16", b"H"),
    ("u32", 4, "uint32", b"IL"),
    ("u64", 8, "uint64", b"LQI"),
];

impl Element {
    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        let number = ELEMENTS.iter().position(|(known, ..)| *known == name)?;
        let (_, bytes, numpy, letters) = ELEMENTS[number];
        Some(Self { number: number as i16 + 1, bytes, numpy, letters })
    }

    /// Whether elements of this format of the buffer protocol, of so many bytes, are of this type.
    pub fn is(self, format: &[u8], bytes: usize) -> bool {
        let letter = match format {
            [letter] | [b'@' | b'=' | b'<', letter] => *letter,
            _ => return false,
        };
        bytes == self.bytes && self.letters.contains(&letter)
    }
}
