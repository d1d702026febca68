//! Integers.

use super::operands::Operands;
use crate::simt::program::*;
use crate::simt::registers::map2;

/// The operations of two integers of one width, unsigned `$u`, signed `$s`, and twice as wide; `$run` computes all lanes.
macro_rules! int2 {
    ($op:expr, $u:ty, $s:ty, $uu:ty, $ss:ty, $x:ident.$run:ident) => {
        match $op {
            Int2::Add => $x.$run(|a: $u, b: $u| a.wrapping_add(b)),
            Int2::Sub => $x.$run(|a: $u, b: $u| a.wrapping_sub(b)),
            Int2::Mul => $x.$run(|a: $u, b: $u| a.wrapping_mul(b)),
            Int2::MulHiS => $x.$run(|a: $u, b: $u| (((a as $s as $ss) * (b as $s as $ss)) >> <$u>::BITS) as $u),
            Int2::MulHiU => $x.$run(|a: $u, b: $u| (((a as $uu) * (b as $uu)) >> <$u>::BITS) as $u),
            // Division by zero is unspecified; all ones is what devices answer.
            Int2::DivS => {
                $x.$run(|a: $u, b: $u| if b == 0 { <$u>::MAX } else { (a as $s).wrapping_div(b as $s) as $u })
            }
            Int2::DivU => $x.$run(|a: $u, b: $u| a.checked_div(b).unwrap_or(<$u>::MAX)),
            Int2::RemS => {
                $x.$run(|a: $u, b: $u| if b == 0 { <$u>::MAX } else { (a as $s).wrapping_rem(b as $s) as $u })
            }
            Int2::RemU => $x.$run(|a: $u, b: $u| a.checked_rem(b).unwrap_or(<$u>::MAX)),
            Int2::MinS => $x.$run(|a: $u, b: $u| (a as $s).min(b as $s) as $u),
            Int2::MinU => $x.$run(|a: $u, b: $u| a.min(b)),
            Int2::MaxS => $x.$run(|a: $u, b: $u| (a as $s).max(b as $s) as $u),
            Int2::MaxU => $x.$run(|a: $u, b: $u| a.max(b)),
            Int2::And => $x.$run(|a: $u, b: $u| a & b),
            Int2::Or => $x.$run(|a: $u, b: $u| a | b),
            Int2::Xor => $x.$run(|a: $u, b: $u| a ^ b),
            Int2::AddSatS => $x.$run(|a: $u, b: $u| (a as $s).saturating_add(b as $s) as $u),
            Int2::SubSatS => $x.$run(|a: $u, b: $u| (a as $s).saturating_sub(b as $s) as $u),
            Int2::MinReluS => $x.$run(|a: $u, b: $u| (a as $s).min(b as $s).max(0) as $u),
            Int2::MaxReluS => $x.$run(|a: $u, b: $u| (a as $s).max(b as $s).max(0) as $u),
        }
    };
}

macro_rules! shift {
    ($op:expr, $u:ty, $s:ty, $x:ident.$run:ident) => {
        match $op {
            // Amounts beyond the width shift everything out.
            Shift::Left => $x.$run(|a: $u, n: u32| a.checked_shl(n).unwrap_or(0)),
            Shift::RightU => $x.$run(|a: $u, n: u32| a.checked_shr(n).unwrap_or(0)),
            Shift::RightS => $x.$run(|a: $u, n: u32| ((a as $s) >> n.min(<$u>::BITS - 1)) as $u),
        }
    };
}

macro_rules! int3 {
    ($op:expr, $u:ty, $s:ty, $uu:ty, $ss:ty, $x:ident.$run:ident) => {
        match $op {
            Int3::Mad => $x.$run(|a: $u, b: $u, c: $u| a.wrapping_mul(b).wrapping_add(c)),
            Int3::MadHiS => $x.$run(|a: $u, b: $u, c: $u| {
                ((((a as $s as $ss) * (b as $s as $ss)) >> <$u>::BITS) as $u).wrapping_add(c)
            }),
            Int3::MadHiU => {
                $x.$run(|a: $u, b: $u, c: $u| ((((a as $uu) * (b as $uu)) >> <$u>::BITS) as $u).wrapping_add(c))
            }
            Int3::SadS => $x.$run(|a: $u, b: $u, c: $u| (a as $s).abs_diff(b as $s).wrapping_add(c)),
            Int3::SadU => $x.$run(|a: $u, b: $u, c: $u| a.abs_diff(b).wrapping_add(c)),
        }
    };
}

macro_rules! int1 {
    ($op:expr, $u:ty, $s:ty, $x:ident.$run:ident, $count:ident) => {
        match $op {
            Int1::Neg => $x.$run(|a: $u| a.wrapping_neg()),
            Int1::Not => $x.$run(|a: $u| !a),
            Int1::Abs => $x.$run(|a: $u| (a as $s).wrapping_abs() as $u),
            Int1::Cnot => $x.$run(|a: $u| <$u>::from(a == 0)),
            Int1::Brev => $x.$run(|a: $u| a.reverse_bits()),
            Int1::Popc => $x.$count(|a: $u| a.count_ones()),
            Int1::Clz => $x.$count(|a: $u| a.leading_zeros()),
            Int1::FindU => $x.$count(|a: $u| a.checked_ilog2().unwrap_or(u32::MAX)),
            Int1::FindS => $x.$count(|a: $u| (if (a as $s) < 0 { !a } else { a }).checked_ilog2().unwrap_or(u32::MAX)),
        }
    };
}

/// `neg`, `not`, `abs`, `popc` and their kin.
#[inline]
pub(super) fn unary(x: &mut Operands<'_>, op: Int1, width: Width) {
    match width {
        Width::W32 => int1!(op, u32, i32, x.w1, w1),
        Width::W64 => int1!(op, u64, i64, x.d1, d1w),
        Width::W16 => int1!(op, u16, i16, x.h1, h1w),
    }
}

/// `add`, `mul`, `min`, `and` and their kin.
#[inline]
pub(super) fn binary(x: &mut Operands<'_>, op: Int2, width: Width) {
    match width {
        Width::W32 => int2!(op, u32, i32, u64, i64, x.w2),
        Width::W64 => int2!(op, u64, i64, u128, i128, x.d2),
        Width::W16 => int2!(op, u16, i16, u32, i32, x.h2),
    }
}

/// Both halves of 32 bits.
pub(super) fn pair(x: &mut Operands<'_>, op: Int2) {
    int2!(op, u16, i16, u32, i32, x.x2);
}

/// `mad` and `sad`.
#[inline]
pub(super) fn ternary(x: &mut Operands<'_>, op: Int3, width: Width) {
    match width {
        Width::W32 => int3!(op, u32, i32, u64, i64, x.w3),
        Width::W64 => int3!(op, u64, i64, u128, i128, x.d3),
        Width::W16 => int3!(op, u16, i16, u32, i32, x.h3),
    }
}

/// `shl` and `shr`.
#[inline]
pub(super) fn shift(x: &mut Operands<'_>, op: Shift, width: Width) {
    match width {
        Width::W32 => shift!(op, u32, i32, x.w2),
        Width::W64 => shift!(op, u64, i64, x.dw2),
        Width::W16 => shift!(op, u16, i16, x.hw2),
    }
}

/// 32 × 32 → 64, plus `c` if `add`.
#[inline]
pub(super) fn multiply_wide(x: &mut Operands<'_>, signed: bool, add: bool) {
    let (a, b) = (x.w(x.inst.a), x.w(x.inst.b));
    let mut values = if signed {
        map2(a, b, |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64)
    } else {
        map2(a, b, |a, b| u64::from(a) * u64::from(b))
    };
    if add {
        values = map2(&values, x.d(x.inst.c), u64::wrapping_add);
    }
    x.put_d(&values);
}

/// 16 × 16 → 32, plus `c` if `add`.
pub(super) fn multiply_halves(x: &mut Operands<'_>, signed: bool, add: bool) {
    let (a, b) = (x.w(x.inst.a), x.w(x.inst.b));
    let mut values = if signed {
        map2(a, b, |a, b| (i32::from(a as i16) * i32::from(b as i16)) as u32)
    } else {
        map2(a, b, |a, b| (a & 0xffff) * (b & 0xffff))
    };
    if add {
        values = map2(&values, x.w(x.inst.c), u32::wrapping_add);
    }
    x.put_w(&values);
}

/// A sum or a difference with a carry, whose predicate is `c`.
pub(super) fn carry(x: &mut Operands<'_>, how: Carry) {
    let Carry { subtract, input, output, wide } = how;
    let (a, b) = (x.registers.wide(x.inst.a, wide), x.registers.wide(x.inst.b, wide));
    let carry = if input { x.registers.p[x.inst.c as usize] } else { 0 };
    let mut values = [0; 32];
    let mut carries = 0;
    for (lane, (value, (a, b))) in values.iter_mut().zip(a.iter().zip(&b)).enumerate() {
        let (a, b, carry) = (u128::from(*a), u128::from(*b), u128::from(carry >> lane & 1));
        let exact = if subtract { a.wrapping_sub(b).wrapping_sub(carry) } else { a + b + carry };
        *value = exact as u64;
        carries |= ((exact >> if wide { 64 } else { 32 } & 1) as u32) << lane;
    }
    x.put_wide(&values, wide);
    if output {
        x.registers.put_p(x.inst.c, carries, x.mask);
    }
}
