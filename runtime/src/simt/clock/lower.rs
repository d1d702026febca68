//! What `ptxas` makes of an instruction: machine instructions, as far as time is concerned.
//!
//! ```text
//! mov, ld.param, cvta, neg, abs      nothing: renamed, a constant operand, a modifier of the next instruction
//! add.f32, mad.lo, selp, ld          one
//! add.s64, setp.s64, selp.b64        two words, one after the other
//! div.rn.f32                         an estimate, four steps that correct it, a test and a branch to the rare case
//! div.u32                            through the reciprocal of a float
//! ```
//!
//! The lengths are those of code that `ptxas` 12 emits. What branches to a rare case ends a stretch in which instructions change places.

use super::rates::Unit;
use crate::simt::program::*;

/// Machine instructions of one of PTX.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// Each needs the one before; the last has the result. None: it costs nothing.
    pub chain: Vec<Unit>,
    /// They need the operands, and nothing needs them but the end of it.
    pub beside: Vec<Unit>,
    /// It ends in a branch.
    pub ends_stretch: bool,
}

impl Lowered {
    fn free() -> Self {
        Self::default()
    }

    fn chain(chain: &[Unit]) -> Self {
        Lowered { chain: chain.to_vec(), ..Self::default() }
    }

    fn times(unit: Unit, count: usize) -> Self {
        Lowered { chain: vec![unit; count], ..Self::default() }
    }
}

/// As `ptxas` would; `opcode` is the text, which says what the machine needs not know, and `constant` that the last operand is a constant.
pub(super) fn lower(inst: &Inst, opcode: &str, constant: bool) -> Lowered {
    match inst.op {
        Op::Nop | Op::MovW | Op::MovD | Op::MovP | Op::ToGeneric(_) | Op::FromGeneric(_) => Lowered::free(),
        Op::Pack { bits, .. } | Op::Unpack { bits, .. } if bits >= 32 => Lowered::free(),
        Op::Pack { .. } | Op::Unpack { .. } => Lowered::chain(&[Unit::Int]),
        Op::Int1(op, width) => int1(op, width),
        Op::Int2(op, width) => int2(op, width, constant),
        Op::Int2x2(_) => Lowered::times(Unit::Compare, 2),
        Op::Shift(_, width) => Lowered::times(Unit::Shift, words(width)),
        Op::Int3(Int3::SadS | Int3::SadU, _) => Lowered::times(Unit::Int, 2),
        Op::Int3(_, Width::W64) => Lowered::times(Unit::Product, 4),
        Op::Int3(..) | Op::Dp4a { .. } => Lowered::chain(&[Unit::Product]),
        Op::MulWide { .. } => Lowered::chain(&[Unit::Product]),
        Op::Carry(carry) => Lowered::times(Unit::Int, if carry.wide { 2 } else { 1 }),
        Op::Bfe { wide, .. } | Op::Bfi { wide } => Lowered::times(Unit::Shift, if wide { 4 } else { 2 }),
        Op::Funnel { .. } => Lowered::chain(&[Unit::Shift]),
        Op::Prmt | Op::Lop3 | Op::Logic(_) | Op::NotP | Op::ActiveMask => Lowered::chain(&[Unit::Int]),
        Op::Float1(op, ty, mods) => float1(op, ty, mods, opcode),
        Op::Float2(op, ty, mods) => float2(op, ty, mods, opcode, constant),
        Op::Fma(ty, _) => Lowered::chain(&[float(ty)]),
        Op::TestFinite(..) => Lowered::times(Unit::Compare, 2),
        Op::Convert(conversion) => convert(conversion),
        Op::ConvertPair { .. } => Lowered::times(Unit::Convert, 2),
        Op::SetP(test) | Op::SetP2(test) => compare(test),
        Op::Set(test, _) => {
            let mut lowered = compare(test);
            lowered.chain.push(Unit::Compare);
            lowered
        }
        Op::SelectW => Lowered::chain(&[Unit::Compare]),
        Op::SelectD => Lowered::times(Unit::Compare, 2),
        Op::SelectSign { wide, .. } => Lowered::times(Unit::Compare, if wide { 3 } else { 2 }),
        Op::Load(access) if access.window == Window::Space(crate::simt::tree::Space::Param) => Lowered::free(),
        Op::Load(_) | Op::Store(_) | Op::Atomic(..) => Lowered::chain(&[Unit::Memory]),
        Op::Sync(WarpSync::Barrier) => Lowered::chain(&[Unit::Branch]),
        Op::Sync(WarpSync::Shuffle(_)) => Lowered::chain(&[Unit::Shuffle]),
        Op::Sync(WarpSync::Vote(_)) => Lowered::chain(&[Unit::Int]),
        Op::Sync(WarpSync::MatchAny { .. } | WarpSync::MatchAll { .. }) => Lowered::times(Unit::Special, 8),
        Op::Sync(WarpSync::Reduce(..)) => Lowered::chain(&[Unit::Special]),
        Op::Barrier { .. } => Lowered::chain(&[Unit::Barrier]),
        Op::Branch | Op::Exit | Op::Trap => Lowered::chain(&[Unit::Branch]),
        Op::BranchTable => Lowered::chain(&[Unit::Int, Unit::Memory, Unit::Branch]),
    }
}

fn words(width: Width) -> usize {
    if width == Width::W64 { 2 } else { 1 }
}

fn float(ty: FloatType) -> Unit {
    match ty {
        FloatType::F16 | FloatType::F16x2 => Unit::F16,
        // Of two f32, one instruction does both.
        FloatType::F32 | FloatType::F32x2 => Unit::F32,
        FloatType::F64 => Unit::F64,
    }
}

fn int1(op: Int1, width: Width) -> Lowered {
    match op {
        Int1::Popc | Int1::Clz | Int1::Brev | Int1::FindS | Int1::FindU => Lowered::times(Unit::Special, words(width)),
        Int1::Cnot => Lowered::times(Unit::Compare, 2 * words(width)),
        Int1::Neg | Int1::Not | Int1::Abs => Lowered::times(Unit::Int, words(width)),
    }
}

fn int2(op: Int2, width: Width, constant: bool) -> Lowered {
    let wide = width == Width::W64;
    match op {
        Int2::Add | Int2::Sub | Int2::And | Int2::Or | Int2::Xor => Lowered::times(Unit::Int, words(width)),
        Int2::Mul | Int2::MulHiS | Int2::MulHiU => Lowered::times(Unit::Product, if wide { 4 } else { 1 }),
        Int2::MinS | Int2::MinU | Int2::MaxS | Int2::MaxU | Int2::MinReluS | Int2::MaxReluS => {
            Lowered::times(Unit::Compare, if wide { 4 } else { 1 })
        }
        Int2::AddSatS | Int2::SubSatS => Lowered::times(Unit::Int, 4),
        Int2::DivS | Int2::DivU | Int2::RemS | Int2::RemU => divide(op, wide, constant),
    }
}

/// Integers are divided by a product with the upper half of the reciprocal, which a constant divisor has ready.
fn divide(op: Int2, wide: bool, constant: bool) -> Lowered {
    let mut chain = Vec::new();
    match (constant, wide) {
        (true, false) => chain.extend([Unit::Product, Unit::Shift, Unit::Int]),
        (true, true) => chain.extend([Unit::Product; 8]),
        (false, _) => {
            let steps = if wide { 4 } else { 1 };
            chain.extend([Unit::Convert, Unit::Special, Unit::Int, Unit::Convert]);
            for _ in 0..steps {
                chain.extend([Unit::Product, Unit::Product, Unit::Product, Unit::Product, Unit::Int]);
                chain.extend([Unit::Compare, Unit::Int, Unit::Int, Unit::Compare, Unit::Int, Unit::Int]);
            }
        }
    }
    if matches!(op, Int2::RemS | Int2::RemU) {
        chain.push(Unit::Product);
    }
    let beside = if matches!(op, Int2::DivS | Int2::RemS) { vec![Unit::Int; 4] } else { Vec::new() };
    Lowered { chain, beside, ends_stretch: wide && !constant }
}

fn compare(test: Test) -> Lowered {
    let wide = test.ty.bits() == 64 && !test.ty.is_float();
    Lowered::times(if test.ty == Scalar::F64 { Unit::F64 } else { Unit::Compare }, if wide { 2 } else { 1 })
}

fn float1(op: Float1, ty: FloatType, mods: Mods, opcode: &str) -> Lowered {
    let approximate = opcode.contains("approx");
    match (op, ty) {
        // A modifier of what reads it.
        (Float1::Neg | Float1::Abs, _) => Lowered::free(),
        (Float1::Sqrt | Float1::Rcp, FloatType::F32) if !approximate => Lowered {
            chain: [&[Unit::Special][..], &[Unit::F32; 5]].concat(),
            beside: vec![Unit::Int, Unit::Compare, Unit::Branch],
            ends_stretch: true,
        },
        (Float1::Sqrt | Float1::Rcp | Float1::Rsqrt, FloatType::F64) => Lowered {
            chain: [&[Unit::Special][..], &[Unit::F64; 9]].concat(),
            beside: vec![Unit::Int, Unit::Compare, Unit::Branch],
            ends_stretch: true,
        },
        (Float1::Sin | Float1::Cos, _) => Lowered::chain(&[Unit::F32, Unit::Special]),
        (Float1::Sqrt, _) => Lowered::chain(&[Unit::Special, Unit::Special]),
        (Float1::Tanh, _) => Lowered::chain(&[Unit::Special]),
        // Subnormal numbers are scaled before and after.
        _ if ty == FloatType::F32 && !mods.ftz => Lowered {
            chain: vec![Unit::F32, Unit::Special, Unit::F32],
            beside: vec![Unit::Compare],
            ends_stretch: false,
        },
        _ => Lowered::chain(&[Unit::Special]),
    }
}

fn float2(op: Float2, ty: FloatType, mods: Mods, opcode: &str, constant: bool) -> Lowered {
    match (op, ty) {
        (Float2::Add | Float2::Sub | Float2::Mul, _) => Lowered::chain(&[float(ty)]),
        (Float2::Min | Float2::Max, FloatType::F64) => Lowered::times(Unit::F64, 2),
        (Float2::Min | Float2::Max, _) => Lowered::chain(&[Unit::Compare]),
        (Float2::CopySign, _) => Lowered::chain(&[Unit::Int]),
        (Float2::Div, FloatType::F64) => Lowered {
            chain: [&[Unit::Special][..], &[Unit::F64; 9]].concat(),
            beside: vec![Unit::Compare, Unit::Compare, Unit::Branch],
            ends_stretch: true,
        },
        (Float2::Div, _) if opcode.contains("approx") && mods.ftz => Lowered::chain(&[Unit::Special, Unit::F32]),
        (Float2::Div, _) if opcode.contains("approx") || opcode.contains("full") => Lowered {
            chain: vec![Unit::F32, Unit::Special, Unit::F32, Unit::F32],
            beside: vec![Unit::Compare, Unit::Compare],
            ends_stretch: false,
        },
        // The reciprocal of a constant is one, too.
        (Float2::Div, _) => Lowered {
            chain: if constant { vec![Unit::F32; 5] } else { [&[Unit::Special][..], &[Unit::F32; 6]].concat() },
            beside: vec![Unit::Special, Unit::Int, Unit::Branch],
            ends_stretch: true,
        },
    }
}

fn convert(conversion: Conversion) -> Lowered {
    let Conversion { from, to, whole, .. } = conversion;
    let integers = !from.is_float() && !to.is_float();
    match () {
        // The upper half: zero, or the sign.
        () if integers && to.bits() == 64 => Lowered::times(Unit::Int, usize::from(from.is_signed())),
        () if integers && from.bits() >= 32 && to.bits() >= 32 && !conversion.sat => Lowered::free(),
        () if integers => Lowered::chain(&[Unit::Int]),
        () if from.bits() == 64 || to.bits() == 64 => Lowered::chain(&[Unit::Convert64]),
        () if from == Scalar::F32 && to == Scalar::F32 && !whole => Lowered::chain(&[Unit::F32]),
        () => Lowered::chain(&[Unit::Convert]),
    }
}
