//! What combines two values: of an atomic update, or of a reduction.

use super::float;
use super::program::{Float2, Fold, Mods, Scalar};

/// The new value of an atomic update, or the sum of two of a reduction.
pub(super) fn combine(fold: Fold, ty: Scalar, old: u64, b: u64, c: u64) -> u64 {
    let bits = ty.bits();
    let signed = |x: u64| float::extend(x, bits, true) as i64;
    let result = match (fold, ty) {
        (Fold::Add, Scalar::F32) => {
            u64::from(float::canonical32(f32::from_bits(old as u32) + f32::from_bits(b as u32)).to_bits())
        }
        (Fold::Add, Scalar::F64) => (f64::from_bits(old) + f64::from_bits(b)).to_bits(),
        (Fold::Add, Scalar::F16) => u64::from(float::binary16(Float2::Add, Mods::PLAIN, old as u16, b as u16)),
        (Fold::Add, _) => old.wrapping_add(b),
        (Fold::Min, ty) if ty.is_signed() => signed(old).min(signed(b)) as u64,
        (Fold::Max, ty) if ty.is_signed() => signed(old).max(signed(b)) as u64,
        (Fold::Min, _) => old.min(b),
        (Fold::Max, _) => old.max(b),
        (Fold::And, _) => old & b,
        (Fold::Or, _) => old | b,
        (Fold::Xor, _) => old ^ b,
        (Fold::Exchange, _) => b,
        (Fold::CompareAndSwap, _) => {
            if old == b {
                c
            } else {
                old
            }
        }
        (Fold::Inc, _) => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        (Fold::Dec, _) => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
    };
    float::extend(result, bits, false)
}
