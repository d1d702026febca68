//! Types of PTX by their names, and the registers that hold them.

use crate::simt::program::{Class, FloatType, Scalar, Width};
use crate::simt::tree::type_size;

/// The registers that hold a type.
pub(super) fn class_of(ty: &str) -> Option<Class> {
    match ty {
        "pred" => Some(Class::P),
        _ => match type_size(ty)? {
            1..=4 => Some(Class::W),
            8 => Some(Class::D),
            _ => None,
        },
    }
}

pub(super) fn width_of(ty: &str) -> Option<Width> {
    match type_size(ty)? {
        2 => Some(Width::W16),
        4 => Some(Width::W32),
        8 => Some(Width::W64),
        _ => None,
    }
}

pub(super) fn float_of(ty: &str) -> Option<FloatType> {
    match ty {
        "f16" => Some(FloatType::F16),
        "f16x2" => Some(FloatType::F16x2),
        "f32" => Some(FloatType::F32),
        "f32x2" => Some(FloatType::F32x2),
        "f64" => Some(FloatType::F64),
        _ => None,
    }
}

pub(super) fn scalar_of(ty: &str) -> Option<Scalar> {
    Some(match ty {
        "u8" | "b8" => Scalar::U8,
        "u16" | "b16" => Scalar::U16,
        "u32" | "b32" => Scalar::U32,
        "u64" | "b64" => Scalar::U64,
        "s8" => Scalar::S8,
        "s16" => Scalar::S16,
        "s32" => Scalar::S32,
        "s64" => Scalar::S64,
        "f16" => Scalar::F16,
        "bf16" => Scalar::Bf16,
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        _ => return None,
    })
}

pub(super) fn width_class(width: Width) -> Class {
    if width == Width::W64 { Class::D } else { Class::W }
}

pub(super) fn float_class(ty: FloatType) -> Class {
    if matches!(ty, FloatType::F64 | FloatType::F32x2) { Class::D } else { Class::W }
}

pub(super) fn scalar_class(ty: Scalar) -> Class {
    if ty.bits() == 64 { Class::D } else { Class::W }
}

pub(super) fn describe(class: Class) -> &'static str {
    match class {
        Class::W => "a value of up to 32 bits",
        Class::D => "a value of 64 bits",
        Class::P => "a predicate",
    }
}
