//! A kernel as machine instructions: lowered, cut into stretches, each stretch in the order in which a compiler would issue it.
//!
//! ```text
//! PTX           0 ld   1 add   2 ld   3 div        4 add   5 bra
//! stretches     0 .. 4                             4 .. 6             ends: jumps, their goals, divisions
//! plain         ld  add  ld  div.0 div.1 …         add  bra
//! scheduled     ld  ld  add  div.0 div.1 …         add  bra
//! ```
//!
//! Both orders have the operations of a stretch at the same places, so that a trace that leaves a stretch half way can still be followed.

use super::live::Liveness;
use super::lower::{Lowered, lower};
use super::op::{Kind, MachineOp};
use super::operands::{Operands, operands, register_count, words_of};
use super::plain::plain_rate;
use super::rates::{Pipe, Rate, Rates, Unit};
use super::schedule::{Stretch, schedule};
use super::settings::Order;
use crate::simt::program::*;
use crate::simt::tree::Space;
use std::collections::HashSet;

/// A kernel.
#[derive(Debug)]
pub(super) struct Code {
    pub plain: Vec<MachineOp>,
    pub scheduled: Vec<MachineOp>,
    pub registers: Vec<u32>,
    /// Of each PTX instruction, and the end: its first operation.
    pub first: Vec<u32>,
    /// Of an instruction with which a stretch begins, where that ends; of others 0.
    pub stretch_end: Vec<u32>,
    /// Accesses before each PTX instruction.
    pub accesses: Vec<u32>,
    /// Registers of all kinds, with those between the steps of an instruction.
    pub register_count: u32,
    /// 32-bit registers that a thread needs, an estimate.
    pub needed: u64,
    /// Instructions that take a slot.
    pub issued: u64,
}

/// Lowers a kernel for a GPU. A thread has `most` registers at most.
pub(super) fn code(kernel: &Kernel, rates: &Rates, order: Order, most: u64) -> Code {
    let all: Vec<Operands> = kernel.code.iter().map(|inst| operands(kernel, inst)).collect();
    let folded = if order == Order::Compiled { folded_products(kernel, &all) } else { HashSet::new() };
    let mut builder = Builder {
        code: Code {
            plain: Vec::new(),
            scheduled: Vec::new(),
            registers: Vec::new(),
            first: Vec::new(),
            stretch_end: vec![0; kernel.code.len()],
            accesses: Vec::new(),
            register_count: register_count(kernel),
            needed: 0,
            issued: 0,
        },
        rates,
    };
    let mut ends = jump_ends(kernel);
    let mut accesses = 0;
    for (pc, inst) in kernel.code.iter().enumerate() {
        builder.code.first.push(builder.code.plain.len() as u32);
        builder.code.accesses.push(accesses);
        accesses += u32::from(inst.op.is_access());
        if order == Order::Text {
            builder.push_plain(pc, inst, &kernel.opcodes[pc], &all[pc]);
            continue;
        }
        let lowered = match folded.get(&pc) {
            Some(_) => Lowered::default(),
            None => lower(inst, &kernel.opcodes[pc], is_constant(kernel, inst)),
        };
        let takes_product = takes_product(kernel, &all, &folded, pc);
        let lowered = if takes_product { Lowered { chain: vec![Unit::Product], ..lowered } } else { lowered };
        ends[pc + 1] |= lowered.ends_stretch;
        builder.push(pc, inst, &lowered, &all[pc]);
    }
    builder.code.first.push(builder.code.plain.len() as u32);
    builder.code.accesses.push(accesses);

    let live = Liveness::new(kernel, &all);
    let weight = |register: u32| if live.is_constant(register) { 0 } else { words_of(kernel, register) };
    let mut code = builder.code;
    code.scheduled = code.plain.clone();
    let room = most.min(live.most(weight) + 16);
    let mut start = 0;
    for end in 1..=kernel.code.len() {
        if end < kernel.code.len() && !ends[end] {
            continue;
        }
        code.stretch_end[start] = end as u32;
        if order == Order::Compiled {
            let range = code.first[start] as usize..code.first[end] as usize;
            let stretch = Stretch {
                kernel,
                ops: &code.plain[range.clone()],
                registers: &code.registers,
                live_out: live.after(end - 1),
                room,
            };
            let order = schedule(&stretch, &weight);
            for (place, op) in range.clone().zip(order) {
                code.scheduled[place] = code.plain[range.start + op];
            }
        }
        start = end;
    }
    // What the compiler keeps besides: an address, a predicate that was saved.
    code.needed = (live.most(weight) + 6).clamp(16, most);
    code.issued = code.plain.iter().filter(|op| op.kind != Kind::Free).count() as u64;
    code
}

/// Before which instructions a new stretch begins.
fn jump_ends(kernel: &Kernel) -> Vec<bool> {
    let mut ends = vec![false; kernel.code.len() + 1];
    for (pc, inst) in kernel.code.iter().enumerate() {
        match inst.op {
            Op::Branch => ends[inst.d as usize] = true,
            Op::BranchTable => {
                for target in &kernel.lists[inst.d as usize..][..inst.d2 as usize] {
                    ends[*target as usize] = true;
                }
            }
            Op::Exit | Op::Trap | Op::Barrier { .. } => {}
            _ => continue,
        }
        ends[pc + 1] = true;
    }
    ends
}

/// Whether the second operand is a constant.
fn is_constant(kernel: &Kernel, inst: &Inst) -> bool {
    let words = kernel.constants_w.iter().any(|(register, _)| *register == inst.b);
    let doubles = kernel.constants_d.iter().any(|(register, _)| *register == inst.b);
    match inst.op {
        Op::Int2(_, Width::W64) | Op::Float2(_, FloatType::F64, _) => doubles,
        _ => words,
    }
}

/// Products of 64 bits, extensions and shifts that only one sum reads, soon after: they are part of that.
fn folded_products(kernel: &Kernel, all: &[Operands]) -> HashSet<usize> {
    let mut uses = vec![0u32; register_count(kernel) as usize];
    for read in all.iter().flat_map(|operands| &operands.reads) {
        uses[*read as usize] += 1;
    }
    let mut folded = HashSet::new();
    for (pc, inst) in kernel.code.iter().enumerate() {
        if !matches!(inst.op, Op::Int2(Int2::Add, Width::W64)) {
            continue;
        }
        for read in &all[pc].reads {
            let from = pc.saturating_sub(8);
            let source = (from..pc).rev().find(|before| all[*before].writes.contains(read));
            let Some(source) = source.filter(|_| uses[*read as usize] == 1) else { continue };
            let is_part = matches!(
                kernel.code[source].op,
                Op::MulWide { wide: true, add: false, .. } | Op::Shift(Shift::Left, Width::W64)
            );
            if is_part && kernel.code[source].guard == NONE {
                folded.insert(source);
                break;
            }
        }
    }
    folded
}

/// Whether an instruction is a sum that took a product in: one instruction for both.
fn takes_product(kernel: &Kernel, all: &[Operands], folded: &HashSet<usize>, pc: usize) -> bool {
    let is_read = |before: usize| all[before].writes.iter().any(|write| all[pc].reads.contains(write));
    let is_product = |before: usize| matches!(kernel.code[before].op, Op::MulWide { .. });
    matches!(kernel.code[pc].op, Op::Int2(Int2::Add, Width::W64))
        && (pc.saturating_sub(8)..pc).any(|before| folded.contains(&before) && is_product(before) && is_read(before))
}

struct Builder<'r> {
    code: Code,
    rates: &'r Rates,
}

impl Builder<'_> {
    fn kind(inst: &Inst) -> Kind {
        match inst.op {
            op if op.is_access() => Kind::Access,
            Op::Branch | Op::BranchTable | Op::Exit | Op::Trap => Kind::Branch,
            Op::Barrier { .. } => Kind::Barrier,
            _ => Kind::Plain,
        }
    }

    fn emit(&mut self, kind: Kind, rate: Rate, pc: usize, reads: &[u32], writes: &[u32]) {
        let registers = self.code.registers.len() as u32;
        self.code.registers.extend(reads.iter().chain(writes));
        let (reads, writes) = (reads.len() as u16, writes.len() as u16);
        self.code.plain.push(MachineOp { kind, rate, pc: pc as u32, registers, reads, writes });
    }

    fn push(&mut self, pc: usize, inst: &Inst, lowered: &Lowered, operands: &Operands) {
        let Operands { reads, writes } = operands;
        let (chain, beside) = (&lowered.chain, &lowered.beside);
        if chain.is_empty() {
            let rate = Rate { pipe: Pipe::Control, interval: 0, latency: 0 };
            self.emit(Kind::Free, rate, pc, reads, writes);
        }
        // Steps hand their result on in a register of their own.
        let step = self.code.register_count;
        self.code.register_count += u32::from(chain.len() > 1);
        for (index, unit) in chain.iter().enumerate() {
            let (is_first, is_last) = (index == 0, index + 1 == chain.len());
            let reads = if is_first { reads.as_slice() } else { &[step] };
            let writes = if is_last { writes.as_slice() } else { &[step] };
            let kind = if is_last { Self::kind(inst) } else { Kind::Plain };
            self.emit(kind, self.rates.of(*unit), pc, reads, writes);
        }
        for unit in beside {
            let kind = if *unit == Unit::Branch { Kind::Branch } else { Kind::Plain };
            // The branch to the rare case is not taken.
            let rate = Rate { latency: 1, ..self.rates.of(*unit) };
            self.emit(kind, rate, pc, reads, &[]);
        }
    }

    fn push_plain(&mut self, pc: usize, inst: &Inst, opcode: &str, operands: &Operands) {
        let is_parameter = matches!(inst.op, Op::Load(access) if access.window == Window::Space(Space::Param));
        let kind = if is_parameter { Kind::Plain } else { Self::kind(inst) };
        self.emit(kind, plain_rate(inst, opcode), pc, &operands.reads, &operands.writes);
    }
}
