//! Types of values. Signs live here, not in IR: `U8` and `I8` are both `i8` there, and the ops differ.

use std::{fmt, str::FromStr};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Type {
    /// What comparisons give.
    Bool,
    /// Coordinates, extents, and computed indices: 64 bits, signed.
    Index,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Type {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::Index,
        Self::F16,
        Self::F32,
        Self::F64,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];

    /// Width in bits; of `Index` the width in the host's arithmetic.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::I8 | Self::U8 => 8,
            Self::F16 | Self::I16 | Self::U16 => 16,
            Self::F32 | Self::I32 | Self::U32 => 32,
            Self::F64 | Self::I64 | Self::U64 | Self::Index => 64,
        }
    }

    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// Whether it is an integer that an image can have (not a bool, not an index).
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool | Self::Index)
    }

    /// Whether it is an integer without sign.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// Whether images can have it.
    pub const fn is_pixel(self) -> bool {
        self.is_float() || self.is_integer()
    }

    /// The smallest and the largest integer.
    pub(crate) const fn range(self) -> (i128, i128) {
        if self.is_unsigned() || matches!(self, Self::Bool) {
            (0, (1 << self.bits()) - 1)
        } else {
            (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1)
        }
    }

    /// The integer of twice the width and the same sign, if there is one; F16 and F32 widen too.
    pub const fn wider(self) -> Option<Self> {
        Some(match self {
            Self::I8 => Self::I16,
            Self::I16 => Self::I32,
            Self::I32 => Self::I64,
            Self::U8 => Self::U16,
            Self::U16 => Self::U32,
            Self::U32 => Self::U64,
            Self::F16 => Self::F32,
            Self::F32 => Self::F64,
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Index => "index",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
        })
    }
}

impl FromStr for Type {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|ty| ty.to_string() == name).ok_or(())
    }
}
