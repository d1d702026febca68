//! Comparisons and choices.

use super::line::{Line, Result};
use super::types::{class_of, scalar_class, scalar_of};
use crate::simt::program::*;

/// Comparisons that make an integer unsigned.
const UNSIGNED: [(&str, Compare); 4] =
    [("lo", Compare::Lt), ("ls", Compare::Le), ("hi", Compare::Gt), ("hs", Compare::Ge)];

/// Comparisons that leave a type as it is.
const COMPARISONS: [(&str, Compare); 14] = [
    ("eq", Compare::Eq),
    ("ne", Compare::Ne),
    ("lt", Compare::Lt),
    ("le", Compare::Le),
    ("gt", Compare::Gt),
    ("ge", Compare::Ge),
    ("equ", Compare::Equ),
    ("neu", Compare::Neu),
    ("ltu", Compare::Ltu),
    ("leu", Compare::Leu),
    ("gtu", Compare::Gtu),
    ("geu", Compare::Geu),
    ("num", Compare::Num),
    ("nan", Compare::Nan),
];

/// `setp` and `set`
pub(super) fn compare(line: &mut Line<'_, '_>) -> Result<Kind> {
    let into_register = line.name == "set";
    let combine =
        line.take_any(&[("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)]).unwrap_or(Combine::None);
    let (compare, unsigned) = match line.take_any(&UNSIGNED) {
        Some(compare) => (compare, true),
        None => (line.take_any(&COMPARISONS).map_or_else(|| line.unknown(), Ok)?, false),
    };
    let ftz = line.take("ftz");
    let result = if into_register { Some(line.ty()?) } else { None };
    let ty = line.ty()?;
    let pair = match ty {
        "f16x2" if !into_register => Some(Scalar::F16),
        _ => None,
    };
    let Some(scalar) = pair.or(scalar_of(ty)).filter(|ty| ty.bits() > 8) else {
        return Err(line.error(format!("type .{ty} is not possible")));
    };
    let scalar = match scalar {
        Scalar::S16 if unsigned => Scalar::U16,
        Scalar::S32 if unsigned => Scalar::U32,
        Scalar::S64 if unsigned => Scalar::U64,
        other => other,
    };
    let combined = usize::from(combine != Combine::None);
    line.operands(3 + combined, 3 + combined)?;
    let test = Test { compare, ty: scalar, ftz, combine };
    match result {
        Some(result) => {
            if !matches!(result, "u32" | "s32" | "b32" | "f32") {
                return Err(line.error(format!("a result of type .{result} is not supported")));
            }
            line.inst.op = Op::Set(test, result == "f32");
            line.inst.d = line.destination(0, Class::W)?;
        }
        None => {
            line.inst.op = if pair.is_some() { Op::SetP2(test) } else { Op::SetP(test) };
            (line.inst.d, line.inst.d2) = line.with_predicate(Class::P)?;
        }
    }
    line.inst.a = line.source(1, scalar_class(scalar))?;
    line.inst.b = line.source(2, scalar_class(scalar))?;
    if combined == 1 {
        line.inst.c = line.predicate_at(3)?;
    }
    Ok(if scalar.is_float() { Kind::Float } else { Kind::Integer })
}

/// `selp`
pub(super) fn select(line: &mut Line<'_, '_>) -> Result<Kind> {
    let class = class_of(line.ty()?).ok_or_else(|| line.error("this type is not possible"))?;
    line.operands(4, 4)?;
    line.inst.op = match class {
        Class::W => Op::SelectW,
        Class::D => Op::SelectD,
        Class::P => return line.unknown(),
    };
    line.inst.d = line.destination(0, class)?;
    line.inst.a = line.source(1, class)?;
    line.inst.b = line.source(2, class)?;
    line.inst.c = line.predicate_at(3)?;
    Ok(Kind::Data)
}

/// `slct`
pub(super) fn select_sign(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.take("ftz");
    let class = class_of(line.ty()?).filter(|class| *class != Class::P);
    let class = class.ok_or_else(|| line.error("this type is not possible"))?;
    let by = line.ty()?;
    line.operands(4, 4)?;
    line.inst.op = Op::SelectSign { wide: class == Class::D, float: by == "f32" };
    line.inst.d = line.destination(0, class)?;
    line.inst.a = line.source(1, class)?;
    line.inst.b = line.source(2, class)?;
    line.inst.c = line.source(3, Class::W)?;
    Ok(Kind::Data)
}
