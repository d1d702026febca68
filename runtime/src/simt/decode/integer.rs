//! Integers.

use super::line::{Line, Result};
use super::types::{width_class, width_of};
use crate::simt::program::*;

/// Integers of any width.
pub(super) fn arithmetic(line: &mut Line<'_, '_>) -> Result<Kind> {
    let (low, high, wide) = (line.take("lo"), line.take("hi"), line.take("wide"));
    let (saturating, relu) = (line.take("sat"), line.take("relu"));
    let ty = line.ty()?;
    let width = width_of(ty).ok_or_else(|| line.error(format!("type .{ty} is not possible")))?;
    let signed = ty.starts_with('s');
    let pick = |s, u| if signed { s } else { u };
    let product = matches!(line.name, "mul" | "mad");
    if product && u8::from(low) + u8::from(high) + u8::from(wide) != 1 || !product && (low || high || wide) {
        return line.unknown();
    }
    if wide {
        if width == Width::W64 {
            return line.unknown();
        }
        let add = line.name == "mad";
        let narrow = width == Width::W16;
        let result = if narrow { Class::W } else { Class::D };
        line.operands(3 + usize::from(add), 3 + usize::from(add))?;
        line.inst.op = Op::MulWide { signed, wide: !narrow, add };
        line.inst.d = line.destination(0, result)?;
        line.inst.a = line.source(1, Class::W)?;
        line.inst.b = line.source(2, Class::W)?;
        if add {
            line.inst.c = line.source(3, result)?;
        }
        return Ok(Kind::Integer);
    }
    let binary = |op| (Op::Int2(op, width), 2);
    let (op, sources) = match line.name {
        "add" if saturating && ty == "s32" => binary(Int2::AddSatS),
        "sub" if saturating && ty == "s32" => binary(Int2::SubSatS),
        "min" if relu && ty == "s32" => binary(Int2::MinReluS),
        "max" if relu && ty == "s32" => binary(Int2::MaxReluS),
        _ if saturating || relu => return line.unknown(),
        "add" => binary(Int2::Add),
        "sub" => binary(Int2::Sub),
        "mul" if high => binary(pick(Int2::MulHiS, Int2::MulHiU)),
        "mul" => binary(Int2::Mul),
        "div" => binary(pick(Int2::DivS, Int2::DivU)),
        "rem" => binary(pick(Int2::RemS, Int2::RemU)),
        "min" => binary(pick(Int2::MinS, Int2::MinU)),
        "max" => binary(pick(Int2::MaxS, Int2::MaxU)),
        "neg" => (Op::Int1(Int1::Neg, width), 1),
        "abs" => (Op::Int1(Int1::Abs, width), 1),
        "mad" if high => (Op::Int3(if signed { Int3::MadHiS } else { Int3::MadHiU }, width), 3),
        "mad" => (Op::Int3(Int3::Mad, width), 3),
        "sad" => (Op::Int3(if signed { Int3::SadS } else { Int3::SadU }, width), 3),
        _ => return line.unknown(),
    };
    line.inst.op = op;
    line.same(width_class(width), sources)?;
    Ok(Kind::Integer)
}

/// Two integers of 16 bits at once.
pub(super) fn pair(line: &mut Line<'_, '_>) -> Result<Kind> {
    let relu = line.take("relu");
    let (signed, unsigned) = (line.take("s16x2"), line.take("u16x2"));
    line.inst.op = Op::Int2x2(match line.name {
        _ if signed == unsigned => return line.unknown(),
        "min" if relu && signed => Int2::MinReluS,
        "max" if relu && signed => Int2::MaxReluS,
        _ if relu => return line.unknown(),
        "add" => Int2::Add,
        "min" if signed => Int2::MinS,
        "min" => Int2::MinU,
        "max" if signed => Int2::MaxS,
        _ => Int2::MaxU,
    });
    line.same(Class::W, 2)?;
    Ok(Kind::Integer)
}

/// A sum or difference with a carry: it comes in if `input`, and goes out with `.cc`.
pub(super) fn carry(line: &mut Line<'_, '_>, input: bool) -> Result<Kind> {
    let output = line.take("cc");
    let subtract = line.name.starts_with("sub");
    let width = width_of(line.ty()?).filter(|width| *width != Width::W16);
    let (Some(width), true) = (width, subtract || line.name.starts_with("add")) else {
        return line.unknown();
    };
    line.inst.op = Op::Carry(Carry { subtract, input, output, wide: width == Width::W64 });
    line.same(width_class(width), 2)?;
    line.inst.c = line.registers.carry();
    Ok(Kind::Integer)
}

/// `dp4a`
pub(super) fn dot4(line: &mut Line<'_, '_>) -> Result<Kind> {
    let first = line.ty()?;
    let second = line.ty()?;
    line.inst.op = Op::Dp4a { signed: [first == "s32", second == "s32"] };
    line.same(Class::W, 3)?;
    Ok(Kind::Integer)
}
