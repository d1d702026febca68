//! What a program takes and gives: the types that an executor checks before it calls machine code.
//!
//! ```text
//! @f(%img: tensor<?x?xf32>, %gain: f32) -> tensor<?x?xf32>
//! Entry { name: "f", arguments: [a tensor of ?x?xf32, a number of f32], results: [?x?xf32] }
//! ```

use std::fmt;

use half::f16;

use crate::buffer::{Buffer, Element, Kind, Sample, TensorType};
use crate::error::{Error, Result};

/// The type of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// A tensor, passed by descriptor.
    Tensor(TensorType),
    /// A number, passed by value; `index` is `I64`.
    Scalar(Kind),
}

impl fmt::Display for ArgumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentType::Tensor(tensor) => write!(f, "a tensor of {tensor}"),
            ArgumentType::Scalar(kind) => write!(f, "a number of {}", Element::new(*kind, false)),
        }
    }
}

/// A function of the program: its name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name in the program, without any prefix.
    pub name: String,
    /// What it takes.
    pub arguments: Vec<ArgumentType>,
    /// What it makes.
    pub results: Vec<TensorType>,
}

/// A number to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // The names say it.
pub enum Scalar {
    I1(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    F16(f16),
    F32(f32),
    F64(f64),
}

impl Scalar {
    /// The kind of number.
    pub fn kind(self) -> Kind {
        match self {
            Scalar::I1(_) => Kind::I1,
            Scalar::I8(_) => Kind::I8,
            Scalar::I16(_) => Kind::I16,
            Scalar::I32(_) => Kind::I32,
            Scalar::I64(_) => Kind::I64,
            Scalar::F16(_) => Kind::F16,
            Scalar::F32(_) => Kind::F32,
            Scalar::F64(_) => Kind::F64,
        }
    }

    /// A number of this kind from its text; `None` if it is none, or out of range. Integers may be written unsigned.
    pub fn parse(kind: Kind, text: &str) -> Option<Scalar> {
        // Bits are bits: 200 is a fine i8 for a program that means it unsigned.
        let integer = |bits: u32| {
            let value: i128 = text.parse().ok()?;
            (-(1i128 << (bits - 1))..1i128 << bits).contains(&value).then_some(value)
        };
        Some(match kind {
            Kind::I1 => Scalar::I1(text.parse().ok()?),
            Kind::I8 => Scalar::I8(integer(8)? as i8),
            Kind::I16 => Scalar::I16(integer(16)? as i16),
            Kind::I32 => Scalar::I32(integer(32)? as i32),
            Kind::I64 => Scalar::I64(integer(64)? as i64),
            Kind::F16 => Scalar::F16(Sample::nearest(text.parse().ok()?)),
            Kind::F32 => Scalar::F32(text.parse().ok()?),
            Kind::F64 => Scalar::F64(text.parse().ok()?),
        })
    }

    /// The number in a buffer without dimensions, by its kind; `None` where there is none.
    pub fn of(buffer: &Buffer) -> Option<Scalar> {
        fn first<T: Sample>(buffer: &Buffer) -> Option<T> {
            buffer.view::<T>()?.first().copied()
        }
        Some(match buffer.element().kind() {
            Kind::I1 => Scalar::I1(*buffer.bytes().first()? != 0),
            Kind::I8 => Scalar::I8(first(buffer)?),
            Kind::I16 => Scalar::I16(first(buffer)?),
            Kind::I32 => Scalar::I32(first(buffer)?),
            Kind::I64 => Scalar::I64(first(buffer)?),
            Kind::F16 => Scalar::F16(first(buffer)?),
            Kind::F32 => Scalar::F32(first(buffer)?),
            Kind::F64 => Scalar::F64(first(buffer)?),
        })
    }

    /// The number in a buffer without dimensions.
    pub fn buffer(self) -> Buffer {
        let mut buffer = Buffer::zeros(Element::new(self.kind(), false), &[]);
        let bytes = buffer.byte_size();
        buffer.bytes_mut().copy_from_slice(&self.word().to_ne_bytes()[..bytes]);
        buffer
    }

    /// The bytes as they lie in memory, at the low addresses of a word (which is aligned for every kind).
    pub(crate) fn word(self) -> u64 {
        let mut word = [0; 8];
        let mut put = |bytes: &[u8]| word[..bytes.len()].copy_from_slice(bytes);
        match self {
            Scalar::I1(value) => put(&[u8::from(value)]),
            Scalar::I8(value) => put(&value.to_ne_bytes()),
            Scalar::I16(value) => put(&value.to_ne_bytes()),
            Scalar::I32(value) => put(&value.to_ne_bytes()),
            Scalar::I64(value) => put(&value.to_ne_bytes()),
            Scalar::F16(value) => put(&value.to_ne_bytes()),
            Scalar::F32(value) => put(&value.to_ne_bytes()),
            Scalar::F64(value) => put(&value.to_ne_bytes()),
        }
        u64::from_ne_bytes(word)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::I1(value) => value.fmt(f),
            Scalar::I8(value) => value.fmt(f),
            Scalar::I16(value) => value.fmt(f),
            Scalar::I32(value) => value.fmt(f),
            Scalar::I64(value) => value.fmt(f),
            Scalar::F16(value) => value.fmt(f),
            Scalar::F32(value) => value.fmt(f),
            Scalar::F64(value) => value.fmt(f),
        }
    }
}

/// What a caller passes, as far as types go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// A tensor to read.
    Tensor(TensorType),
    /// The place of a result.
    Output(TensorType),
    /// A number.
    Number(Kind),
}

impl Given {
    /// The type of a tensor of these extents.
    pub fn of(element: Element, shape: &[usize]) -> TensorType {
        TensorType { element, shape: shape.iter().copied().map(Some).collect() }
    }

    /// Signs of integers are not compared: bits are bits.
    fn fits(found: &TensorType, expected: &TensorType) -> bool {
        let shape: Vec<usize> = found.shape.iter().copied().flatten().collect();
        found.element.kind() == expected.element.kind() && expected.accepts(&shape)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Tensor(tensor) => write!(f, "a tensor of {tensor}"),
            Given::Output(tensor) => write!(f, "a place for a tensor of {tensor}"),
            Given::Number(kind) => write!(f, "a number of {}", Element::new(*kind, false)),
        }
    }
}

impl Entry {
    /// Checks arguments.
    pub(crate) fn check_inputs(&self, inputs: &[Given]) -> Result<()> {
        if inputs.len() != self.arguments.len() {
            return Err(self.error(format!("{} arguments", inputs.len()), self.arguments.len().to_string()));
        }
        for (index, (input, expected)) in inputs.iter().zip(&self.arguments).enumerate() {
            let good = match (input, expected) {
                (Given::Tensor(found), ArgumentType::Tensor(expected)) => Given::fits(found, expected),
                (Given::Number(found), ArgumentType::Scalar(expected)) => found == expected,
                _ => false,
            };
            if !good {
                return Err(self.error(format!("{input} as argument {index}"), expected.to_string()));
            }
        }
        Ok(())
    }

    /// Checks arguments, and the places of results after them.
    pub(crate) fn check(&self, given: &[Given]) -> Result<()> {
        if given.len() != self.arguments.len() + self.results.len() {
            let expected = format!("{} and places for {} results", self.arguments.len(), self.results.len());
            return Err(self.error(format!("{} arguments", given.len()), expected));
        }
        let (inputs, places) = given.split_at(self.arguments.len());
        self.check_inputs(inputs)?;
        for (place, result) in places.iter().zip(&self.results) {
            match place {
                Given::Output(found) if Given::fits(found, result) => {}
                other => return Err(self.error(other.to_string(), format!("a place for a tensor of {result}"))),
            }
        }
        Ok(())
    }

    fn error(&self, found: String, expected: String) -> Error {
        Error::Call { name: self.name.clone(), found, expected }
    }
}
