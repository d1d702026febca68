//! Comparisons, predicates and choices.

use super::operands::Operands;
use crate::simt::float;
use crate::simt::program::*;
use crate::simt::registers::{bits2, map3, put};

fn order<T: PartialOrd>(compare: Compare, a: T, b: T) -> bool {
    match compare {
        Compare::Eq | Compare::Equ => a == b,
        Compare::Ne | Compare::Neu => a != b,
        Compare::Lt | Compare::Ltu => a < b,
        Compare::Le | Compare::Leu => a <= b,
        Compare::Gt | Compare::Gtu => a > b,
        Compare::Ge | Compare::Geu => a >= b,
        Compare::Num => true,
        Compare::Nan => false,
    }
}

/// The lanes where a comparison holds.
fn compare(x: &Operands<'_>, test: Test) -> u32 {
    let Test { compare, ty, ftz, .. } = test;
    let Inst { a, b, .. } = *x.inst;
    macro_rules! ordered {
        ($file:ident, $cast:expr) => {{
            let cast = $cast;
            let (a, b) = (x.$file(a), x.$file(b));
            // One loop per comparison, so that each is vector code.
            match compare {
                Compare::Eq | Compare::Equ => bits2(a, b, |a, b| cast(a) == cast(b)),
                Compare::Ne | Compare::Neu => bits2(a, b, |a, b| cast(a) != cast(b)),
                Compare::Lt => bits2(a, b, |a, b| cast(a) < cast(b)),
                Compare::Le => bits2(a, b, |a, b| cast(a) <= cast(b)),
                Compare::Gt => bits2(a, b, |a, b| cast(a) > cast(b)),
                Compare::Ge => bits2(a, b, |a, b| cast(a) >= cast(b)),
                other => bits2(a, b, |a, b| order(other, cast(a), cast(b))),
            }
        }};
    }
    match ty {
        Scalar::U8 | Scalar::U16 => ordered!(w, |x: u32| x as u16),
        Scalar::S8 | Scalar::S16 => ordered!(w, |x: u32| x as i16),
        Scalar::U32 => ordered!(w, |x: u32| x),
        Scalar::S32 => ordered!(w, |x: u32| x as i32),
        Scalar::U64 => ordered!(d, |x: u64| x),
        Scalar::S64 => ordered!(d, |x: u64| x as i64),
        Scalar::F32 if !ftz && matches!(compare, Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge) => {
            ordered!(w, f32::from_bits)
        }
        Scalar::F64 => bits2(x.d(a), x.d(b), |a, b| float::compare(compare, f64::from_bits(a), f64::from_bits(b))),
        ty => bits2(x.w(a), x.w(b), |a, b| {
            float::compare(compare, float::value(ty, u64::from(a), ftz), float::value(ty, u64::from(b), ftz))
        }),
    }
}

fn combine(x: &Operands<'_>, how: Combine, found: u32) -> u32 {
    match how {
        Combine::None => found,
        Combine::And => found & x.registers.predicate(x.inst.c),
        Combine::Or => found | x.registers.predicate(x.inst.c),
        Combine::Xor => found ^ x.registers.predicate(x.inst.c),
    }
}

/// `setp`
#[inline]
pub(super) fn set_predicate(x: &mut Operands<'_>, test: Test) {
    let found = compare(x, test);
    let second = combine(x, test.combine, !found);
    let first = combine(x, test.combine, found);
    if x.inst.d2 != NONE {
        x.registers.put_p(x.inst.d2, second, x.mask);
    }
    if x.inst.d != NONE {
        x.put_p(first);
    }
}

/// `setp` of two halves: the low ones into `d`, the high ones into `d2`.
pub(super) fn set_predicates(x: &mut Operands<'_>, test: Test) {
    let half = |bits: u32, shift: u32| float::value(test.ty, u64::from(bits >> shift), test.ftz);
    let (a, b) = (x.w(x.inst.a), x.w(x.inst.b));
    let found = |shift| bits2(a, b, |a, b| float::compare(test.compare, half(a, shift), half(b, shift)));
    let (low, high) = (combine(x, test.combine, found(0)), combine(x, test.combine, found(16)));
    x.put_p(low);
    if x.inst.d2 != NONE {
        x.registers.put_p(x.inst.d2, high, x.mask);
    }
}

/// `set`: 1.0 if `float`, else all ones.
pub(super) fn set(x: &mut Operands<'_>, test: Test, float: bool) {
    let found = combine(x, test.combine, compare(x, test));
    let one = if float { 1f32.to_bits() } else { u32::MAX };
    let mut values = [0; 32];
    for (lane, value) in values.iter_mut().enumerate() {
        *value = if found >> lane & 1 == 1 { one } else { 0 };
    }
    x.put_w(&values);
}

/// `and`, `or` and `xor` of predicates.
pub(super) fn logic(x: &mut Operands<'_>, op: Int2) {
    let (a, b) = (x.registers.predicate(x.inst.a), x.registers.predicate(x.inst.b));
    x.put_p(match op {
        Int2::And => a & b,
        Int2::Or => a | b,
        _ => a ^ b,
    });
}

/// `selp` of 32 bits.
#[inline]
pub(super) fn select_w(x: &mut Operands<'_>) {
    let mut values = *x.w(x.inst.b);
    put(&mut values, x.w(x.inst.a), x.registers.predicate(x.inst.c));
    x.put_w(&values);
}

/// `selp` of 64 bits.
#[inline]
pub(super) fn select_d(x: &mut Operands<'_>) {
    let mut values = *x.d(x.inst.b);
    put(&mut values, x.d(x.inst.a), x.registers.predicate(x.inst.c));
    x.put_d(&values);
}

/// `slct`
pub(super) fn select_sign(x: &mut Operands<'_>, wide: bool, float: bool) {
    let (a, b) = (x.registers.wide(x.inst.a, wide), x.registers.wide(x.inst.b, wide));
    let values = map3(&a, &b, x.w(x.inst.c), |a, b, c| {
        let first = if float { f32::from_bits(c) >= 0.0 } else { c as i32 >= 0 };
        if first { a } else { b }
    });
    x.put_wide(&values, wide);
}
