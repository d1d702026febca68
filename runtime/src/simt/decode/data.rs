//! Values that move, or change their type.

use super::line::{Line, Result};
use super::types::{class_of, scalar_class, scalar_of};
use crate::simt::program::*;
use crate::simt::tree::{Operand, Space, type_size};

/// `mov`, also of several registers into one or back
pub(super) fn mov(line: &mut Line<'_, '_>) -> Result<Kind> {
    let ty = line.ty()?;
    line.operands(2, 2)?;
    let class = class_of(ty).ok_or_else(|| line.error(format!("type .{ty} is not supported")))?;
    let (to, from) = (line.operand(0)?, line.operand(1)?);
    match (to, from) {
        (Operand::Vector(list), other) | (other, Operand::Vector(list)) => {
            let unpack = matches!(to, Operand::Vector(_));
            let bytes = type_size(ty).unwrap_or(0);
            let bits = (bytes * 8 / list.len() as u64) as u8;
            let wide_parts = bits == 64;
            if !matches!(bits, 8 | 16 | 32 | 64) || class == Class::P {
                return Err(line.error(format!("found {} parts of .{ty}", list.len())));
            }
            let part_class = if wide_parts { Class::D } else { Class::W };
            let start = line.kernel.lists.len();
            for part in list {
                let register = match part {
                    Operand::Name(name) if name == "_" && unpack => NONE,
                    part => line.value(part, part_class)?,
                };
                line.kernel.lists.push(register);
            }
            let wide = class == Class::D;
            let whole = line.value(other, class)?;
            (line.inst.d, line.inst.d2, line.inst.a) = if unpack {
                (start as u32, list.len() as u32, whole)
            } else {
                (whole, list.len() as u32, start as u32)
            };
            line.inst.op =
                if unpack { Op::Unpack { bits, wide_parts, wide } } else { Op::Pack { bits, wide_parts, wide } };
        }
        _ => {
            line.inst.d = line.destination(0, class)?;
            (line.inst.op, line.inst.a) = match class {
                Class::W => (Op::MovW, line.source(1, class)?),
                Class::D => (Op::MovD, line.source(1, class)?),
                Class::P => (Op::MovP, line.predicate_at(1)?),
            };
        }
    }
    Ok(Kind::Data)
}

/// `cvt`
pub(super) fn cvt(line: &mut Line<'_, '_>) -> Result<Kind> {
    let whole = line.take_any(&[("rni", Round::Near), ("rzi", Round::Zero), ("rmi", Round::Down), ("rpi", Round::Up)]);
    let round = line.round();
    let (ftz, sat) = (line.take("ftz"), line.take("sat"));
    let (to, from) = (line.ty()?, line.ty()?);
    if let "f16x2" | "bf16x2" = to {
        if from != "f32" || ftz || sat || whole.is_some() {
            return line.unknown();
        }
        line.operands(3, 3)?;
        let round = round.ok_or_else(|| line.error("found no rounding"))?;
        line.inst.op = Op::ConvertPair { brain: to == "bf16x2", round };
        line.same(Class::W, 2)?;
        return Ok(Kind::Data);
    }
    line.operands(2, 2)?;
    let (Some(to), Some(from)) = (scalar_of(to), scalar_of(from)) else {
        return line.unknown();
    };
    let integer_source = !from.is_float();
    if integer_source && to == Scalar::F64 && from.bits() == 64 && round.is_some_and(|round| round != Round::Near) {
        return Err(line.error("f64 is rounded to nearest only"));
    }
    if from.is_float() && !to.is_float() && whole.is_none() {
        return Err(line.error("found no rounding, expected .rni, .rzi, .rmi or .rpi"));
    }
    let narrowing = from.is_float() && to.is_float() && to.bits() < from.bits();
    if (integer_source && to.is_float() || narrowing) && round.is_none() {
        return Err(line.error("found no rounding, expected .rn, .rz, .rm or .rp"));
    }
    let target = match line.operand(0)? {
        Operand::Name(name) => line.registers.get(name).map(|(class, _)| class),
        _ => None,
    };
    let target = target.filter(|class| *class != Class::P).unwrap_or(scalar_class(to));
    line.inst.d = line.destination(0, target)?;
    let (source, register) = line.loose(line.operand(1)?, scalar_class(from))?;
    if source == Class::W && from.bits() == 64 || target == Class::W && to.bits() == 64 {
        return Err(line.error("found a register of 32 bits, expected 64"));
    }
    line.inst.a = register;
    line.inst.op = Op::Convert(Conversion {
        from,
        to,
        round: whole.or(round).unwrap_or(Round::Near),
        whole: whole.is_some(),
        ftz,
        sat,
        from_wide: source == Class::D,
        to_wide: target == Class::D,
    });
    Ok(Kind::Data)
}

/// `cvta`
pub(super) fn cvta(line: &mut Line<'_, '_>) -> Result<Kind> {
    let back = line.take("to");
    let space = line.take_any(&[
        ("global", Space::Global),
        ("shared::cta", Space::Shared),
        ("shared", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Const),
        ("param", Space::Param),
    ]);
    let Some(space) = space else { return line.unknown() };
    if space == Space::Param {
        return Err(line.error("generic addresses of parameters are not supported"));
    }
    let ty = line.ty()?;
    if type_size(ty) != Some(8) {
        return Err(line.error(format!("found .{ty}, expected .u64")));
    }
    line.inst.op = if back { Op::FromGeneric(space) } else { Op::ToGeneric(space) };
    line.same(Class::D, 1)?;
    Ok(Kind::Data)
}

/// `activemask`
pub(super) fn active_mask(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.ty()?;
    line.operands(1, 1)?;
    line.inst.op = Op::ActiveMask;
    line.inst.d = line.destination(0, Class::W)?;
    Ok(Kind::Data)
}
