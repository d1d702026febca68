//! Indices that are a stride and a shift of one coordinate.

use crate::ast::{Ast, Binary, Id, Kind, Unary};

/// An index as stride and shift of a coordinate; `literal` knows constants.
pub(crate) fn affine(
    ast: &Ast<'_>,
    literal: &dyn Fn(Id) -> Option<i64>,
    id: Id,
    coordinate: &str,
) -> Option<(i64, i64)> {
    let index = |value: i64| i32::try_from(value).ok().map(i64::from);
    if let Some(value) = literal(id) {
        return Some((0, index(value)?));
    }
    let part = |id: Id| affine(ast, literal, id, coordinate);
    match &ast[id].kind {
        Kind::Name(name) if *name == coordinate => Some((1, 0)),
        Kind::Unary(Unary::Neg, a) => {
            let (stride, shift) = part(*a)?;
            Some((index(-stride)?, index(-shift)?))
        }
        // Of numbers of 32 bits nothing overflows here.
        Kind::Binary(op, a, b) => {
            let ((s, x), (t, y)) = (part(*a)?, part(*b)?);
            let (stride, shift) = match op {
                Binary::Add => (s + t, x + y),
                Binary::Sub => (s - t, x - y),
                Binary::Mul if t == 0 => (s * y, x * y),
                Binary::Mul if s == 0 => (t * x, x * y),
                _ => return None,
            };
            Some((index(stride)?, index(shift)?))
        }
        _ => None,
    }
}
