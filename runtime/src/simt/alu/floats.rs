//! Floats. What is common has a loop of its own, which becomes vector code; the rest asks `float` for each lane.

use super::operands::Operands;
use crate::simt::float;
use crate::simt::program::*;
use crate::simt::registers::bits2;

/// `sqrt`, `ex2` and their kin.
#[inline]
pub(super) fn unary(x: &mut Operands<'_>, op: Float1, ty: FloatType, mods: Mods) {
    match ty {
        FloatType::F32 => x.w1(|a| float::unary32(op, mods, f32::from_bits(a)).to_bits()),
        FloatType::F64 => x.d1(|a| float::unary64(op, f64::from_bits(a)).to_bits()),
        FloatType::F16 => x.h1(|a| float::unary16(op, mods, a)),
        FloatType::F16x2 => x.w1(|a| float::halves(a, 0, 0, |a, _, _| float::unary16(op, mods, a))),
        FloatType::F32x2 => x.d1(|a| float::pair(a, 0, 0, |a, _, _| float::unary32(op, mods, a))),
    }
}

/// `add`, `mul`, `min` and their kin.
#[inline]
pub(super) fn binary(x: &mut Operands<'_>, op: Float2, ty: FloatType, mods: Mods) {
    match (op, ty, mods) {
        (Float2::Add, FloatType::F32, Mods::PLAIN) => x.f2(|a, b| a + b),
        (Float2::Sub, FloatType::F32, Mods::PLAIN) => x.f2(|a, b| a - b),
        (Float2::Mul, FloatType::F32, Mods::PLAIN) => x.f2(|a, b| a * b),
        (Float2::Div, FloatType::F32, Mods::PLAIN) => x.f2(|a, b| a / b),
        (_, FloatType::F32, _) => {
            x.w2(|a, b| float::binary32(op, mods, float::factor(mods, a), f32::from_bits(b)).to_bits())
        }
        (_, FloatType::F64, _) => {
            x.d2(|a, b| float::binary64(op, mods, f64::from_bits(a), f64::from_bits(b)).to_bits())
        }
        (_, FloatType::F16, _) => x.h2(|a, b| float::binary16(op, mods, a, b)),
        (_, FloatType::F16x2, _) => x.w2(|a, b| float::halves(a, b, 0, |a, b, _| float::binary16(op, mods, a, b))),
        (_, FloatType::F32x2, _) => x.d2(|a, b| float::pair(a, b, 0, |a, b, _| float::binary32(op, mods, a, b))),
    }
}

/// `fma`
#[inline]
pub(super) fn fma(x: &mut Operands<'_>, ty: FloatType, mods: Mods) {
    match (ty, mods) {
        (FloatType::F32, Mods::PLAIN) => {
            x.w3(|a, b, c| float::fma32_plain(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits())
        }
        (FloatType::F32, _) => {
            let factor = |bits| float::factor(mods, bits);
            x.w3(|a, b, c| float::fma32(mods, factor(a), factor(b), f32::from_bits(c)).to_bits())
        }
        (FloatType::F64, _) => x.d3(|a, b, c| {
            let result = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
            (if mods.sat { float::saturate(result) } else { result }).to_bits()
        }),
        (FloatType::F16, _) => x.h3(|a, b, c| float::fma16(mods, a, b, c)),
        (FloatType::F16x2, _) => x.w3(|a, b, c| float::halves(a, b, c, |a, b, c| float::fma16(mods, a, b, c))),
        (FloatType::F32x2, _) => x.d3(|a, b, c| float::pair(a, b, c, |a, b, c| float::fma32(mods, a, b, c))),
    }
}

/// `testp`
pub(super) fn test(x: &mut Operands<'_>, what: TestP, ty: FloatType) {
    let bits = x.registers.wide(x.inst.a, ty == FloatType::F64);
    let values = bits2(&bits, &bits, |x, _| float::test(what, ty, x));
    x.put_p(values);
}
