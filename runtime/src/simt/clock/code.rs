//! A kernel as machine instructions: lowered, cut into stretches, each stretch in the order in which a compiler would issue it.
//!
//! ```text
//! PTX           0 ld   1 add   2 ld   3 div        4 add   5 bra
//! stretches     0 .. 4                             4 .. 6             ends: jumps, their goals, divisions
//! plain         ld  add  ld  div.0 div.1 …         add  bra
//! scheduled     ld  ld  add  div.0 div.1 …         add  bra
//! ```
//!
//! All orders have the operations of a stretch at the same places, so that a trace that leaves a stretch half way can still be followed.

use super::live::Liveness;
use super::lower::{Lowered, lower};
use super::op::{Kind, MachineOp};
use super::operands::{Operands, operands, register_count, words_of};
use super::plain::plain_rate;
use super::rates::{Pipe, Rate, Rates, Unit};
use super::schedule::{Stretch, schedule};
use super::settings::Order;
use super::skip::skips;
use crate::simt::program::*;
use crate::simt::tree::Space;
use std::collections::HashSet;
use std::ops::Range;

/// In which order operations are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As the text has them.
    Text,
    /// A stretch as a compiler orders it.
    Stretch,
    /// Stretches with short branches between, which are none any more.
    Merged,
}

/// A kernel.
#[derive(Debug)]
pub(super) struct Code {
    /// The operations, by [`Way`].
    pub ops: [Vec<MachineOp>; 3],
    pub registers: Vec<u32>,
    /// Of each PTX instruction, and the end: its first operation.
    pub first: Vec<u32>,
    /// Of an instruction with which a stretch begins, where that ends; of others 0. The same of merged stretches.
    pub stretch_end: Vec<u32>,
    pub merged_end: Vec<u32>,
    /// By instruction: where a short branch goes.
    pub skips: Vec<u32>,
    /// Accesses before each PTX instruction.
    pub accesses: Vec<u32>,
    /// Registers of all kinds, with those between the steps of an instruction.
    pub register_count: u32,
    /// 32-bit registers that a thread needs, an estimate.
    pub needed: u64,
    /// Instructions that take a slot.
    pub issued: u64,
}

/// Registers that a compiler keeps besides: an address, a predicate that was saved.
const KEPT: u64 = 6;

/// Registers that loads take when they move up, as long as the code needs no more: half of the warps fit.
const HOIST: u64 = 64;

/// Lowers a kernel for a GPU. A thread has `most` registers at most.
pub(super) fn code(kernel: &Kernel, rates: &Rates, order: Order, most: u64) -> Code {
    let all: Vec<Operands> = kernel.code.iter().map(|inst| operands(kernel, inst)).collect();
    let mut builder = Builder::new(kernel, rates);
    let mut ends = jump_ends(kernel);
    match order {
        Order::Text => builder.take_text(kernel, &all),
        Order::Compiled => {
            let calls = builder.lower(kernel, &all);
            builder.code.skips = skips(kernel, |pc| calls[pc]);
            calls.iter().enumerate().filter(|(_, calls)| **calls).for_each(|(pc, _)| ends[pc + 1] = true);
        }
    }
    let mut code = builder.code;
    code.issued = code.ops[0].iter().filter(|op| op.kind != Kind::Free).count() as u64;
    code.ops[1] = code.ops[0].clone();
    code.ops[2] = code.ops[0].clone();
    let mut start = 0;
    for end in (1..=kernel.code.len()).filter(|end| ends[*end] || *end == kernel.code.len()) {
        code.stretch_end[start] = end as u32;
        start = end;
    }
    let live = Liveness::new(kernel, &all);
    let mut scheduler = Scheduler { kernel, live: &live, room: 0, peak: 0 };
    scheduler.peak = live.most(|register| scheduler.weight(register));
    scheduler.room = most.min((scheduler.peak + KEPT).max(HOIST)).saturating_sub(KEPT);
    if order == Order::Compiled {
        for start in 0..kernel.code.len() {
            let end = code.stretch_end[start] as usize;
            if end != 0 {
                scheduler.schedule(&mut code, start..end, Way::Stretch);
            }
        }
        merge(kernel, &mut code);
        for start in 0..kernel.code.len() {
            let end = code.merged_end[start] as usize;
            if end != 0 {
                scheduler.schedule(&mut code, start..end, Way::Merged);
            }
        }
    }
    code.needed = (scheduler.peak + KEPT).clamp(16, most);
    code
}

/// Puts stretches together that have short branches between.
fn merge(kernel: &Kernel, code: &mut Code) {
    let mut start = 0;
    while start < kernel.code.len() {
        let mut end = code.stretch_end[start] as usize;
        let first = end;
        // A stretch that ends in a short branch goes on behind its goal.
        while end < kernel.code.len() && code.skips[end - 1] != 0 {
            let goal = code.skips[end - 1] as usize;
            let next = code.stretch_end[goal] as usize;
            if next == 0 {
                break;
            }
            under_predicate(kernel, code, end - 1, goal);
            end = next;
        }
        if end != first {
            code.merged_end[start] = end as u32;
        }
        start = end;
    }
}

/// The branch takes no slot any more, and accesses wait for what it tested.
fn under_predicate(kernel: &Kernel, code: &mut Code, branch: usize, goal: usize) {
    let [words, doubles, _] = kernel.total;
    let test = words + doubles + (kernel.code[branch].guard >> 1);
    let range = code.first[branch] as usize..code.first[goal] as usize;
    for op in &mut code.ops[Way::Merged as usize][range] {
        if op.pc as usize == branch {
            op.kind = Kind::Free;
        } else if op.kind == Kind::Access {
            let first = op.registers as usize;
            let own = code.registers[first..first + usize::from(op.reads + op.writes)].to_vec();
            op.registers = code.registers.len() as u32;
            op.reads += 1;
            code.registers.push(test);
            code.registers.extend(own);
        }
    }
}

/// Orders stretches.
struct Scheduler<'l> {
    kernel: &'l Kernel,
    live: &'l Liveness<'l>,
    room: u64,
    /// 32-bit registers that were live at once.
    peak: u64,
}

impl Scheduler<'_> {
    fn weight(&self, register: u32) -> u64 {
        if self.live.is_constant(register) { 0 } else { words_of(self.kernel, register) }
    }

    fn schedule(&mut self, code: &mut Code, stretch: Range<usize>, way: Way) {
        let range = code.first[stretch.start] as usize..code.first[stretch.end] as usize;
        let ops = code.ops[way as usize][range.clone()].to_vec();
        let (kernel, room) = (self.kernel, self.room);
        let live_out = self.live.after(stretch.end - 1);
        let stretch = Stretch { kernel, ops: &ops, registers: &code.registers, live_out, room };
        let (order, live) = schedule(&stretch, &|register| self.weight(register));
        self.peak = self.peak.max(live);
        for (place, op) in range.zip(order) {
            code.ops[way as usize][place] = ops[op];
        }
    }
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
        Op::Int2(_, Width::W64) | Op::Float2(_, FloatType::F64 | FloatType::F32x2, _) => doubles,
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

impl<'r> Builder<'r> {
    fn new(kernel: &Kernel, rates: &'r Rates) -> Self {
        let count = kernel.code.len();
        let code = Code {
            ops: [Vec::new(), Vec::new(), Vec::new()],
            registers: Vec::new(),
            first: Vec::new(),
            stretch_end: vec![0; count],
            merged_end: vec![0; count],
            skips: vec![0; count],
            accesses: vec![0],
            register_count: register_count(kernel),
            needed: 0,
            issued: 0,
        };
        Builder { code, rates }
    }

    /// Begins an instruction.
    fn begin(&mut self, inst: &Inst) {
        self.code.first.push(self.code.ops[0].len() as u32);
        let before = self.code.accesses.last().copied().unwrap_or(0);
        self.code.accesses.push(before + u32::from(inst.op.is_access()));
    }

    /// One operation for each instruction.
    fn take_text(&mut self, kernel: &Kernel, all: &[Operands]) {
        for (pc, inst) in kernel.code.iter().enumerate() {
            self.begin(inst);
            self.push_plain(pc, inst, &kernel.opcodes[pc], &all[pc]);
        }
        self.code.first.push(self.code.ops[0].len() as u32);
    }

    /// As a compiler lowers it; by instruction, whether it has a call.
    fn lower(&mut self, kernel: &Kernel, all: &[Operands]) -> Vec<bool> {
        let folded = folded_products(kernel, all);
        let mut calls = Vec::new();
        for (pc, inst) in kernel.code.iter().enumerate() {
            self.begin(inst);
            let lowered = match folded.contains(&pc) {
                true => Lowered::default(),
                false => lower(inst, &kernel.opcodes[pc], is_constant(kernel, inst)),
            };
            let takes_product = takes_product(kernel, all, &folded, pc);
            let lowered = if takes_product { Lowered { chain: vec![Unit::Product], ..lowered } } else { lowered };
            calls.push(lowered.ends_stretch);
            self.push(pc, inst, &lowered, &all[pc]);
        }
        self.code.first.push(self.code.ops[0].len() as u32);
        calls
    }

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
        self.code.ops[0].push(MachineOp { kind, rate, pc: pc as u32, registers, reads, writes });
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
