//! Rates of a cycle-level simulator that runs PTX as it stands: one machine instruction for each, in the order of the text.
//!
//! The numbers are those of the V100 model that comes with GPGPU-Sim 4.2 (`ptx_opcode_latency_int` and their kin), and what its pipeline
//! adds before and after a unit.

use super::rates::{Pipe, Rate};
use crate::simt::program::*;

/// Cycles in the pipeline before and after a unit: reading operands, writing the result.
const AROUND: u32 = 5;

/// That of an instruction.
pub(super) fn plain_rate(inst: &Inst, opcode: &str) -> Rate {
    let of = |pipe, interval, latency: u32| Rate { pipe, interval, latency: latency + AROUND };
    let by_type = |ty: FloatType, f32: Rate, f64: Rate| if ty == FloatType::F64 { f64 } else { f32 };
    match inst.op {
        op if op.is_access() => Rate { pipe: Pipe::Memory, interval: 1, latency: 0 },
        Op::Int2(Int2::Add | Int2::Sub, _) => of(Pipe::Alu, 2, 4),
        Op::Int2(Int2::MinS | Int2::MinU | Int2::MaxS | Int2::MaxU, _) => of(Pipe::Alu, 2, 13),
        Op::Int2(Int2::Mul | Int2::MulHiS | Int2::MulHiU, _) | Op::MulWide { .. } => of(Pipe::Alu, 2, 4),
        Op::Int2(Int2::DivS | Int2::DivU | Int2::RemS | Int2::RemU, _) => of(Pipe::Alu, 8, 145),
        Op::Int3(..) => of(Pipe::Alu, 2, 5),
        Op::Float2(Float2::Add | Float2::Sub, ty, _) => by_type(ty, of(Pipe::Fma, 2, 4), of(Pipe::F64, 4, 8)),
        Op::Float2(Float2::Min | Float2::Max, ty, _) => by_type(ty, of(Pipe::Fma, 2, 13), of(Pipe::F64, 4, 19)),
        Op::Float2(Float2::Mul, ty, _) => by_type(ty, of(Pipe::Fma, 2, 4), of(Pipe::F64, 4, 8)),
        Op::Fma(ty, _) => by_type(ty, of(Pipe::Fma, 2, 5), of(Pipe::F64, 4, 8)),
        Op::Float2(Float2::Div, ty, _) => by_type(ty, of(Pipe::Special, 4, 39), of(Pipe::F64, 130, 330)),
        Op::Float1(Float1::Neg | Float1::Abs, ..) => of(Pipe::Fma, 1, 1),
        Op::Float1(..) => of(Pipe::Special, 8, 100),
        Op::Sync(WarpSync::Shuffle(_)) => of(Pipe::Alu, 4, 21),
        Op::Barrier { .. } => of(Pipe::Control, 1, 1),
        Op::Branch | Op::BranchTable | Op::Exit => Rate { pipe: Pipe::Control, interval: 1, latency: 8 },
        _ if opcode.contains(".f32") => of(Pipe::Fma, 1, 1),
        _ => of(Pipe::Alu, 1, 1),
    }
}
