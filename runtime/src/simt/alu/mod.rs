//! The instructions that touch registers only, for all lanes of a warp at once.
//!
//! Every one is computed for all 32 lanes, active or not (no operation here can fault), and written where the mask says. Each family is a
//! file of functions on [`Operands`], and this is the table of them. The wing imports `program`, `registers`, `float`
//! and the map of `memory`.

mod bits;
mod compare;
mod data;
mod floats;
mod integer;
mod operands;

use super::program::{Inst, Op};
use super::registers::Registers;
use operands::Operands;

/// Executes an instruction that only touches registers; the others are the warp's, and nothing is done.
#[inline]
pub(super) fn execute(registers: &mut Registers, lists: &[u32], inst: &Inst, mask: u32) {
    let x = &mut Operands { registers, inst, mask };
    match inst.op {
        Op::MovW => x.w1(|a| a),
        Op::MovD => x.d1(|a| a),
        Op::MovP => x.put_p(x.registers.predicate(inst.a)),
        Op::Pack { bits, wide_parts, wide } => data::pack(x, lists, bits, wide_parts, wide),
        Op::Unpack { bits, wide_parts, wide } => data::unpack(x, lists, bits, wide_parts, wide),
        Op::Convert(how) => data::convert(x, how),
        Op::ToGeneric(space) => data::to_generic(x, space),
        Op::FromGeneric(space) => data::from_generic(x, space),
        Op::ActiveMask => x.put_w(&[mask; 32]),
        Op::ConvertPair { brain, round } => data::convert_pair(x, brain, round),
        Op::Int1(op, width) => integer::unary(x, op, width),
        Op::Int2(op, width) => integer::binary(x, op, width),
        Op::Int2x2(op) => integer::pair(x, op),
        Op::Int3(op, width) => integer::ternary(x, op, width),
        Op::Shift(op, width) => integer::shift(x, op, width),
        Op::MulWide { signed, wide: true, add } => integer::multiply_wide(x, signed, add),
        Op::MulWide { signed, wide: false, add } => integer::multiply_halves(x, signed, add),
        Op::Carry(how) => integer::carry(x, how),
        Op::Bfe { signed, wide } => bits::extract(x, signed, wide),
        Op::Bfi { wide } => bits::insert(x, wide),
        Op::Prmt => bits::permute(x),
        Op::Lop3 => bits::lop3(x),
        Op::Funnel { left, wrap } => bits::funnel(x, left, wrap),
        Op::Dp4a { signed } => bits::dot4(x, signed),
        Op::Float1(op, ty, mods) => floats::unary(x, op, ty, mods),
        Op::Float2(op, ty, mods) => floats::binary(x, op, ty, mods),
        Op::Fma(ty, mods) => floats::fma(x, ty, mods),
        Op::TestFinite(what, ty) => floats::test(x, what, ty),
        Op::SetP(test) => compare::set_predicate(x, test),
        Op::SetP2(test) => compare::set_predicates(x, test),
        Op::Set(test, float) => compare::set(x, test, float),
        Op::Logic(op) => compare::logic(x, op),
        Op::NotP => x.put_p(!x.registers.predicate(inst.a)),
        Op::SelectW => compare::select_w(x),
        Op::SelectD => compare::select_d(x),
        Op::SelectSign { wide, float } => compare::select_sign(x, wide, float),
        Op::Nop
        | Op::Load(_)
        | Op::Store(_)
        | Op::Atomic(..)
        | Op::Sync(_)
        | Op::Barrier { .. }
        | Op::Branch
        | Op::BranchTable
        | Op::Exit
        | Op::Trap => {}
    }
}
