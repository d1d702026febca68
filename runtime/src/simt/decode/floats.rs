//! Floats.

use super::line::{Line, Result};
use super::types::{float_class, float_of};
use crate::simt::program::*;

/// Floats of any type.
pub(super) fn arithmetic(line: &mut Line<'_, '_>, ty: FloatType) -> Result<Kind> {
    let approximate = line.take("approx") | line.take("full");
    let round = line.round();
    let mods = Mods {
        round: round.unwrap_or(Round::Near),
        ftz: line.take("ftz"),
        sat: line.take("sat"),
        nan: line.take("NaN"),
        half: ty == FloatType::F32 && matches!(line.name, "add" | "sub" | "fma") && line.take("f16"),
    };
    if mods.round != Round::Near && ty == FloatType::F64 {
        return Err(line.error("f64 is rounded to nearest only"));
    }
    let unary = |op| (Op::Float1(op, ty, mods), 1);
    let binary = |op| (Op::Float2(op, ty, mods), 2);
    let (op, sources) = match line.name {
        "add" => binary(Float2::Add),
        "sub" => binary(Float2::Sub),
        "mul" => binary(Float2::Mul),
        "div" => binary(Float2::Div),
        "min" => binary(Float2::Min),
        "max" => binary(Float2::Max),
        "copysign" => binary(Float2::CopySign),
        "neg" => unary(Float1::Neg),
        "abs" => unary(Float1::Abs),
        "sqrt" => unary(Float1::Sqrt),
        "rcp" => unary(Float1::Rcp),
        "rsqrt" => unary(Float1::Rsqrt),
        "ex2" => unary(Float1::Ex2),
        "lg2" => unary(Float1::Lg2),
        "sin" => unary(Float1::Sin),
        "cos" => unary(Float1::Cos),
        "tanh" => unary(Float1::Tanh),
        "fma" | "mad" => (Op::Fma(ty, mods), 3),
        _ => return line.unknown(),
    };
    let exact = matches!(line.name, "div" | "sqrt" | "rcp");
    if exact && !approximate && round.is_none() {
        return Err(line.error("found no rounding, expected .rn, .rz, .rm, .rp or .approx"));
    }
    line.inst.op = op;
    line.same(float_class(ty), sources)?;
    if matches!(ty, FloatType::F16 | FloatType::F16x2) && matches!(line.name, "div" | "sqrt" | "rcp" | "copysign") {
        return line.unknown();
    }
    if ty == FloatType::F32x2 && !matches!(line.name, "add" | "sub" | "mul" | "fma") {
        return line.unknown();
    }
    Ok(Kind::Float)
}

/// `testp`
pub(super) fn test(line: &mut Line<'_, '_>) -> Result<Kind> {
    let what = line.take_any(&[
        ("finite", TestP::Finite),
        ("infinite", TestP::Infinite),
        ("notanumber", TestP::NotANumber),
        ("number", TestP::Number),
        ("subnormal", TestP::Subnormal),
        ("normal", TestP::Normal),
    ]);
    let Some(what) = what else { return line.unknown() };
    let ty = float_of(line.ty()?).filter(|ty| !matches!(ty, FloatType::F16x2 | FloatType::F32x2));
    let ty = ty.ok_or_else(|| line.error("expected a float type"))?;
    line.operands(2, 2)?;
    line.inst.op = Op::TestFinite(what, ty);
    line.inst.d = line.destination(0, Class::P)?;
    line.inst.a = line.source(1, float_class(ty))?;
    Ok(Kind::Float)
}
