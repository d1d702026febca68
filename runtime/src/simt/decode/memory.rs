//! Loads, stores and atomics.

use super::line::{Line, Result};
use super::types::{scalar_class, scalar_of};
use crate::simt::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::simt::program::*;
use crate::simt::tree::{Operand, Space, type_size};

/// Which space, and modifiers of order, scope and cache, none of which changes what a value is here.
fn window(line: &mut Line<'_, '_>) -> Window {
    for name in ["volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "mmio"] {
        line.take(name);
    }
    for name in ["cta", "cluster", "gpu", "sys", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "unified"] {
        line.take(name);
    }
    line.mods.retain(|name| !name.starts_with("L1::") && !name.starts_with("L2::"));
    let space = line.take_any(&[
        ("global", Space::Global),
        ("shared", Space::Shared),
        ("shared::cta", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Const),
        ("param", Space::Param),
        ("param::entry", Space::Param),
    ]);
    line.take("nc");
    space.map_or(Window::Generic, Window::Space)
}

/// The address operand: register (and its class) and offset.
fn address(line: &mut Line<'_, '_>, index: usize, window: Window) -> Result<(bool, u32, i64)> {
    let (base, offset) = match line.operand(index)? {
        Operand::Address { base, offset } => (base.as_deref(), *offset),
        _ => return Err(line.error("expected an address in brackets")),
    };
    let Some(name) = base else {
        return Ok((true, line.registers.constant(Class::D, 0), offset));
    };
    if let Some((space, address)) = line.scope.symbols.get(name).copied() {
        let address = match (window, space) {
            (Window::Generic, Space::Shared) => SHARED_WINDOW + address,
            (Window::Generic, Space::Local) => LOCAL_WINDOW + address,
            _ => address,
        };
        return Ok((true, line.registers.constant(Class::D, address), offset));
    }
    match line.named(name)? {
        (Class::D, register) => Ok((true, register, offset)),
        (Class::W, register) if window != Window::Generic => Ok((false, register, offset)),
        (found, _) => line.mismatch(name, found, Class::D),
    }
}

/// Notes the size of an access that may be of shared memory.
fn touch_shared(line: &mut Line<'_, '_>, window: Window, bytes: u64) {
    if matches!(window, Window::Generic | Window::Space(Space::Shared)) {
        line.kernel.shared_granule = line.kernel.shared_granule.min(bytes as u32);
    }
}

/// `ld` and `st`
pub(super) fn memory(line: &mut Line<'_, '_>) -> Result<Kind> {
    let window = window(line);
    let count = line.take_any(&[("v2", 2u8), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    let ty = line.ty()?;
    let Some(bytes) = type_size(ty).filter(|bytes| *bytes <= 8) else {
        return Err(line.error(format!("type .{ty} is not possible")));
    };
    line.operands(2, 2)?;
    let load = line.name != "st";
    let (data, place) = if load { (0, 1) } else { (1, 0) };
    if matches!(window, Window::Space(Space::Param | Space::Const)) && !load {
        return Err(line.error("this space cannot be written"));
    }
    let (wide_address, register, offset) = address(line, place, window)?;
    line.inst.a = register;
    let operand = line.operand(data)?;
    let list = match operand {
        Operand::Vector(list) => list.as_slice(),
        other => std::slice::from_ref(other),
    };
    if list.len() != usize::from(count) {
        return Err(line.error(format!("found {} registers, expected {count}", list.len())));
    }
    let natural = if bytes == 8 { Class::D } else { Class::W };
    let mut registers = Vec::new();
    let mut wide_data = None;
    for part in list {
        if matches!(part, Operand::Name(name) if name == "_") && load {
            registers.push(NONE);
            continue;
        }
        let (class, register) = line.loose(part, wide_data_class(wide_data, natural))?;
        if *wide_data.get_or_insert(class == Class::D) != (class == Class::D) || class == Class::W && bytes == 8 {
            return Err(line.error("the data registers have the wrong width"));
        }
        if load && !matches!(part, Operand::Name(name) if line.registers.get(name).is_some()) {
            return Err(line.error("the destination must be a register"));
        }
        // LLVM makes one wide load of several, and fills the gaps with registers that nobody reads.
        let is_gap = load && matches!(part, Operand::Name(name) if line.scope.used.get(&**name) == Some(&1));
        registers.push(if is_gap && count > 1 { NONE } else { register });
    }
    let gaps = registers.iter().enumerate().filter(|(_, register)| load && **register == NONE);
    let gaps = gaps.fold(0, |gaps, (element, _)| gaps | 1 << element);
    line.inst.d = line.kernel.lists.len() as u32;
    line.inst.d2 = u32::from(count);
    line.kernel.lists.extend(registers);
    touch_shared(line, window, bytes);
    let access = Access {
        window,
        offset,
        bytes: bytes as u8,
        count,
        gaps,
        signed: ty.starts_with('s'),
        wide_address,
        wide_data: wide_data.unwrap_or(natural == Class::D),
    };
    line.inst.op = if load { Op::Load(access) } else { Op::Store(access) };
    Ok(Kind::Memory)
}

/// `atom` and `red`
pub(super) fn atomic(line: &mut Line<'_, '_>) -> Result<Kind> {
    let window = window(line);
    line.take("noftz");
    let fold = line.take_any(&[
        ("add", Fold::Add),
        ("min", Fold::Min),
        ("max", Fold::Max),
        ("and", Fold::And),
        ("or", Fold::Or),
        ("xor", Fold::Xor),
        ("exch", Fold::Exchange),
        ("cas", Fold::CompareAndSwap),
        ("inc", Fold::Inc),
        ("dec", Fold::Dec),
    ]);
    let Some(fold) = fold else { return line.unknown() };
    let ty = line.ty()?;
    let Some(scalar) = scalar_of(ty).filter(|scalar| scalar.bits() >= 16 && *scalar != Scalar::Bf16) else {
        return Err(line.error(format!("type .{ty} is not possible")));
    };
    if scalar.is_float() && !matches!(fold, Fold::Add | Fold::Exchange) {
        return Err(line.error(format!("type .{ty} is not possible")));
    }
    let returns = usize::from(line.name == "atom");
    let sources = 1 + usize::from(fold == Fold::CompareAndSwap);
    line.operands(returns + 1 + sources, returns + 1 + sources)?;
    let class = scalar_class(scalar);
    if returns == 1 {
        line.inst.d = line.destination(0, class)?;
    }
    let (wide_address, register, offset) = address(line, returns, window)?;
    line.inst.a = register;
    line.inst.b = line.source(returns + 1, class)?;
    if sources == 2 {
        line.inst.c = line.source(returns + 2, class)?;
    }
    let bytes = u64::from(scalar.bits() / 8);
    touch_shared(line, window, bytes);
    line.kernel.ordered |= window != Window::Space(Space::Shared);
    let access = Access {
        window,
        offset,
        bytes: bytes as u8,
        count: 1,
        gaps: 0,
        signed: false,
        wide_address,
        wide_data: class == Class::D,
    };
    line.inst.op = Op::Atomic(access, fold, scalar);
    Ok(Kind::Memory)
}

fn wide_data_class(wide: Option<bool>, natural: Class) -> Class {
    match wide {
        Some(true) => Class::D,
        Some(false) => Class::W,
        None => natural,
    }
}
