//! Indices of loads: affine maps as text.

use super::terms::{PREFIX, PRIMARY};
use crate::ast::Binary;
use melior::ir::AffineExpr;

/// A dimension and what is added to it.
pub(super) fn shift(expr: AffineExpr) -> Option<(usize, i64)> {
    if expr.is_dim() {
        return Some((expr.dim_position(), 0));
    }
    let is_shift = expr.is_add() && expr.lhs().is_dim() && expr.rhs().is_constant();
    is_shift.then(|| (expr.lhs().dim_position(), expr.rhs().constant_value()))
}

/// An index, and how tightly it binds; dimensions are values by name.
pub(super) fn affine(expr: AffineExpr, name: &dyn Fn(usize) -> String) -> Result<(String, u8), String> {
    if expr.is_dim() {
        return Ok((name(expr.dim_position()), PRIMARY));
    }
    if expr.is_constant() {
        let value = expr.constant_value();
        return Ok((value.to_string(), if value < 0 { PREFIX } else { PRIMARY }));
    }
    if expr.is_symbol() || expr.is_ceil_div() {
        return Err("Forma cannot say an index with ceildiv or symbols".into());
    }
    let operand = |part: AffineExpr, least: u8| {
        let (text, binds) = affine(part, name)?;
        Ok::<String, String>(if binds < least { format!("({text})") } else { text })
    };
    let subtracts = expr.is_add() && expr.rhs().is_constant() && expr.rhs().constant_value() < 0;
    let op = match () {
        () if subtracts => Binary::Sub,
        () if expr.is_add() => Binary::Add,
        () if expr.is_mul() => Binary::Mul,
        () if expr.is_mod() => Binary::Rem,
        () => Binary::Div,
    };
    let own = op.binds();
    let b = match subtracts {
        true => expr.rhs().constant_value().unsigned_abs().to_string(),
        false => operand(expr.rhs(), own + 1)?,
    };
    Ok((format!("{} {} {b}", operand(expr.lhs(), own)?, op.sign()), own))
}
