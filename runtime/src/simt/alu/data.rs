//! Values that move, or change their type.

use super::operands::Operands;
use crate::simt::float;
use crate::simt::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::simt::program::*;
use crate::simt::registers::map1;
use crate::simt::tree::Space;

/// `mov` of several registers, `bits` each, the first lowest, into one.
pub(super) fn pack(x: &mut Operands<'_>, lists: &[u32], bits: u8, wide_parts: bool, wide: bool) {
    let mut values = [0; 32];
    for (index, part) in lists[x.inst.a as usize..][..x.inst.d2 as usize].iter().enumerate() {
        let part = x.registers.wide(*part, wide_parts);
        let ones = u64::MAX >> (64 - bits);
        for (value, part) in values.iter_mut().zip(&part) {
            *value |= (part & ones) << (usize::from(bits) * index);
        }
    }
    x.put_wide(&values, wide);
}

/// `mov` of one register into several.
pub(super) fn unpack(x: &mut Operands<'_>, lists: &[u32], bits: u8, wide_parts: bool, wide: bool) {
    let whole = x.registers.wide(x.inst.a, wide);
    let ones = u64::MAX >> (64 - bits);
    for (index, part) in lists[x.inst.d as usize..][..x.inst.d2 as usize].iter().enumerate() {
        if *part != NONE {
            let values = map1(&whole, |x| x >> (usize::from(bits) * index) & ones);
            x.registers.put_wide(*part, &values, wide_parts, x.mask);
        }
    }
}

/// `cvt`
#[inline]
pub(super) fn convert(x: &mut Operands<'_>, how: Conversion) {
    let Conversion { from, to, round, ftz, sat, from_wide, to_wide, .. } = how;
    // The conversions of index arithmetic and of pictures, as vector code.
    match (from, to) {
        (Scalar::U32, Scalar::U64 | Scalar::S64) if !from_wide && !sat => {
            let values = map1(x.w(x.inst.a), u64::from);
            return x.put_d(&values);
        }
        (Scalar::S32, Scalar::S64 | Scalar::U64) if !from_wide && !sat => {
            let values = map1(x.w(x.inst.a), |x| x as i32 as i64 as u64);
            return x.put_d(&values);
        }
        (Scalar::U64 | Scalar::S64, Scalar::U32 | Scalar::S32) if !to_wide && !sat => {
            let values = map1(x.d(x.inst.a), |x| x as u32);
            return x.put_w(&values);
        }
        (Scalar::S32, Scalar::F32) if !from_wide && !to_wide && round == Round::Near && !sat => {
            let values = map1(x.w(x.inst.a), |x| (x as i32 as f32).to_bits());
            return x.put_w(&values);
        }
        (Scalar::U32, Scalar::F32) if !from_wide && !to_wide && round == Round::Near && !sat => {
            let values = map1(x.w(x.inst.a), |x| (x as f32).to_bits());
            return x.put_w(&values);
        }
        (Scalar::F32, Scalar::S32) if !from_wide && !to_wide && round == Round::Zero && !ftz => {
            let values = map1(x.w(x.inst.a), |x| f32::from_bits(x) as i32 as u32);
            return x.put_w(&values);
        }
        _ => {}
    }
    let values = map1(&x.registers.wide(x.inst.a, from_wide), |x| float::convert(how, x));
    x.put_wide(&values, to_wide);
}

/// `cvt` of two f32 into two halves of a word.
pub(super) fn convert_pair(x: &mut Operands<'_>, brain: bool, round: Round) {
    x.w2(|a, b| {
        let half = |x: u32| {
            let x = f64::from(f32::from_bits(x));
            if brain { float::to_bf16(x, round) } else { float::to_f16(x, round).to_bits() }
        };
        // The first operand becomes the upper half.
        u32::from(half(a)) << 16 | u32::from(half(b))
    });
}

/// `cvta`: a generic address from a space's own.
pub(super) fn to_generic(x: &mut Operands<'_>, space: Space) {
    let window = window_of(space);
    x.d1(|address| address.wrapping_add(window));
}

/// `cvta.to`: a space's own address from a generic one.
pub(super) fn from_generic(x: &mut Operands<'_>, space: Space) {
    let window = window_of(space);
    x.d1(|address| address.wrapping_sub(window));
}

/// Where generic addresses of a space begin.
fn window_of(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        _ => 0,
    }
}
