//! Values as text, and their types, whose signs IR does not say.

use crate::ast::{Type, type_name};

/// A value as text: its type, how deep it is, and whether it is a literal.
#[derive(Clone)]
pub(super) struct Term {
    pub text: String,
    pub ty: Type,
    pub depth: usize,
    pub is_literal: bool,
    /// How tightly its outermost operator binds.
    pub binds: u8,
}

/// Expressions are this deep before a part gets a name.
pub(super) const DEEPEST: usize = 6;

/// What needs no brackets.
pub(super) const PRIMARY: u8 = 12;

/// Of a sign before an operand; operators of two operands bind less, see [`Binary::binds`](crate::ast::Binary::binds).
pub(super) const PREFIX: u8 = 11;

impl Term {
    /// What needs no brackets and is no literal: a name, say.
    pub fn primary(text: String, ty: Type) -> Self {
        Self { text, ty, depth: 0, is_literal: false, binds: PRIMARY }
    }

    /// As this type; between types of one width.
    pub fn cast(&self, ty: Type) -> String {
        if self.ty == ty { self.text.clone() } else { self.said_as(ty) }
    }

    /// With this type written; between types of one width. A literal is one that the type has, and keeps its bits.
    pub fn said_as(&self, ty: Type) -> String {
        let below_zero =
            self.text.parse::<i64>().ok().filter(|value| self.is_literal && ty.is_unsigned() && *value < 0);
        match below_zero {
            // Literals end with the largest int64.
            Some(value) if ty == Type::U64 => format!("uint64(int64({value}))"),
            Some(value) => format!("{}({})", type_name(ty), value & ((1 << ty.bits()) - 1)),
            None => format!("{}({})", type_name(ty), self.text),
        }
    }

    /// In brackets, if it binds less than this.
    pub fn within(&self, least: u8) -> String {
        if self.binds < least { format!("({})", self.text) } else { self.text.clone() }
    }

    /// With its type, also where nothing stands beside it.
    pub fn typed(&self) -> String {
        match (self.is_literal, self.ty) {
            (true, Type::F32) if !self.text.contains(['.', 'e']) => format!("float({})", self.text),
            (true, Type::F32 | Type::I32 | Type::Bool) | (false, _) => self.text.clone(),
            (true, ty) => format!("{}({})", type_name(ty), self.text),
        }
    }
}

/// The type of numbers, with a sign.
pub(super) fn signed(ty: melior::ir::Type) -> Result<Type, String> {
    Ok(match ty.to_string().as_str() {
        "f16" => Type::F16,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "i1" => Type::Bool,
        "i8" => Type::I8,
        "i16" => Type::I16,
        "i32" => Type::I32,
        "i64" => Type::I64,
        "index" => Type::Index,
        other => return Err(format!("Forma has no type {other}")),
    })
}

/// The same width without a sign.
pub(super) fn unsigned(ty: Type) -> Type {
    match ty {
        Type::I8 => Type::U8,
        Type::I16 => Type::U16,
        Type::I32 => Type::U32,
        Type::I64 => Type::U64,
        other => other,
    }
}

/// The same width with a sign.
pub(super) fn with_sign(ty: Type) -> Type {
    match ty {
        Type::U8 => Type::I8,
        Type::U16 => Type::I16,
        Type::U32 => Type::I32,
        Type::U64 => Type::I64,
        other => other,
    }
}
