//! Logic, shifts, and fields of bits.

use super::line::{Line, Result};
use super::types::{width_class, width_of};
use crate::simt::program::*;

/// `and`, `not`, `shl` and their kin, of words and of predicates
pub(super) fn logic(line: &mut Line<'_, '_>) -> Result<Kind> {
    let ty = line.ty()?;
    let op = match line.name {
        "and" => Some(Int2::And),
        "or" => Some(Int2::Or),
        "xor" => Some(Int2::Xor),
        _ => None,
    };
    if ty == "pred" {
        line.inst.d = line.destination(0, Class::P)?;
        line.inst.a = line.predicate_at(1)?;
        line.inst.op = match (op, line.name) {
            (Some(op), _) => {
                line.operands(3, 3)?;
                line.inst.b = line.predicate_at(2)?;
                Op::Logic(op)
            }
            (None, "not") => {
                line.operands(2, 2)?;
                Op::NotP
            }
            _ => return line.unknown(),
        };
        return Ok(Kind::Integer);
    }
    let width = width_of(ty).ok_or_else(|| line.error(format!("type .{ty} is not possible")))?;
    let shift = match line.name {
        "shl" => Some(Shift::Left),
        "shr" if ty.starts_with('s') => Some(Shift::RightS),
        "shr" => Some(Shift::RightU),
        _ => None,
    };
    match (op, shift) {
        (Some(op), _) => {
            line.inst.op = Op::Int2(op, width);
            line.same(width_class(width), 2)?;
        }
        (_, Some(shift)) => {
            line.operands(3, 3)?;
            line.inst.op = Op::Shift(shift, width);
            line.inst.d = line.destination(0, width_class(width))?;
            line.inst.a = line.source(1, width_class(width))?;
            line.inst.b = line.source(2, Class::W)?;
        }
        _ => {
            line.inst.op = Op::Int1(if line.name == "not" { Int1::Not } else { Int1::Cnot }, width);
            line.same(width_class(width), 1)?;
        }
    }
    Ok(Kind::Integer)
}

/// `popc`, `clz`, `brev` and `bfind`
pub(super) fn count(line: &mut Line<'_, '_>) -> Result<Kind> {
    let ty = line.ty()?;
    let width = width_of(ty).filter(|width| *width != Width::W16);
    let width = width.ok_or_else(|| line.error(format!("type .{ty} is not possible")))?;
    line.operands(2, 2)?;
    let (op, result) = match line.name {
        "popc" => (Int1::Popc, Class::W),
        "clz" => (Int1::Clz, Class::W),
        "brev" => (Int1::Brev, width_class(width)),
        _ if ty.starts_with('s') => (Int1::FindS, Class::W),
        _ => (Int1::FindU, Class::W),
    };
    line.inst.op = Op::Int1(op, width);
    line.inst.d = line.destination(0, result)?;
    line.inst.a = line.source(1, width_class(width))?;
    Ok(Kind::Integer)
}

/// `bfe` and `bfi`
pub(super) fn field(line: &mut Line<'_, '_>) -> Result<Kind> {
    let ty = line.ty()?;
    let width = width_of(ty).filter(|width| *width != Width::W16);
    let width = width.ok_or_else(|| line.error(format!("type .{ty} is not possible")))?;
    let wide = width == Width::W64;
    let insert = usize::from(line.name == "bfi");
    line.operands(4 + insert, 4 + insert)?;
    line.inst.op = if insert == 1 { Op::Bfi { wide } } else { Op::Bfe { signed: ty.starts_with('s'), wide } };
    line.inst.d = line.destination(0, width_class(width))?;
    line.inst.a = line.source(1, width_class(width))?;
    if insert == 1 {
        line.inst.e = line.source(2, width_class(width))?;
    }
    line.inst.b = line.source(2 + insert, Class::W)?;
    line.inst.c = line.source(3 + insert, Class::W)?;
    Ok(Kind::Integer)
}

/// `prmt`
pub(super) fn permute(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.ty()?;
    line.inst.op = Op::Prmt;
    line.same(Class::W, 3)?;
    Ok(Kind::Integer)
}

/// `lop3`
pub(super) fn lop3(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.ty()?;
    line.operands(5, 5)?;
    line.inst.op = Op::Lop3;
    line.inst.d = line.destination(0, Class::W)?;
    line.inst.a = line.source(1, Class::W)?;
    line.inst.b = line.source(2, Class::W)?;
    line.inst.c = line.source(3, Class::W)?;
    line.inst.e = line.source(4, Class::W)?;
    Ok(Kind::Integer)
}

/// `shf`
pub(super) fn funnel(line: &mut Line<'_, '_>) -> Result<Kind> {
    let left = line.take("l");
    if !left && !line.take("r") {
        return line.unknown();
    }
    let wrap = line.take("wrap");
    if !wrap && !line.take("clamp") {
        return line.unknown();
    }
    line.ty()?;
    line.inst.op = Op::Funnel { left, wrap };
    line.same(Class::W, 3)?;
    Ok(Kind::Integer)
}
