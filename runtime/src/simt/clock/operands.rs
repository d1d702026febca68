//! The registers that an instruction reads and writes, numbered through all three files: words, then doubles, then predicates.

use crate::simt::program::*;

/// Registers of one instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    pub reads: Vec<u32>,
    pub writes: Vec<u32>,
}

/// Collects them.
struct Collector<'k> {
    kernel: &'k Kernel,
    operands: Operands,
}

/// How many registers there are of all files.
pub(super) fn register_count(kernel: &Kernel) -> u32 {
    kernel.total.iter().sum()
}

/// 32-bit registers that one of them takes.
pub(super) fn words_of(kernel: &Kernel, register: u32) -> u64 {
    match register {
        w if w < kernel.total[0] => 1,
        d if d < kernel.total[0] + kernel.total[1] => 2,
        _ => 0,
    }
}

/// Those of an instruction.
pub(super) fn operands(kernel: &Kernel, inst: &Inst) -> Operands {
    let mut collector = Collector { kernel, operands: Operands::default() };
    collector.collect(inst);
    if inst.guard != NONE {
        collector.test(inst.guard);
        // Lanes whose guard is false keep what was there.
        let kept = collector.operands.writes.clone();
        collector.operands.reads.extend(kept);
    }
    collector.operands
}

/// Which file: doubles, or words.
fn wide(is: bool) -> Class {
    if is { Class::D } else { Class::W }
}

fn of_width(width: Width) -> Class {
    wide(width == Width::W64)
}

fn of_float(ty: FloatType) -> Class {
    wide(matches!(ty, FloatType::F64 | FloatType::F32x2))
}

impl Collector<'_> {
    fn number(&self, class: Class, register: u32) -> u32 {
        let [words, doubles, _] = self.kernel.total;
        match class {
            Class::W => register,
            Class::D => words + register,
            Class::P => words + doubles + register,
        }
    }

    fn read(&mut self, class: Class, registers: &[u32]) {
        let known = registers.iter().filter(|register| **register != NONE);
        let numbers: Vec<u32> = known.map(|register| self.number(class, *register)).collect();
        self.operands.reads.extend(numbers);
    }

    fn write(&mut self, class: Class, registers: &[u32]) {
        let known = registers.iter().filter(|register| **register != NONE);
        let numbers: Vec<u32> = known.map(|register| self.number(class, *register)).collect();
        self.operands.writes.extend(numbers);
    }

    /// A predicate operand.
    fn test(&mut self, operand: u32) {
        if operand != NONE {
            self.read(Class::P, &[operand >> 1]);
        }
    }

    /// One result of the same file as its operands.
    fn same(&mut self, class: Class, inst: &Inst, reads: &[u32]) {
        self.read(class, reads);
        self.write(class, &[inst.d]);
    }

    fn collect(&mut self, inst: &Inst) {
        let Inst { d, d2, a, b, c, e, .. } = *inst;
        match inst.op {
            Op::Nop | Op::Branch | Op::Exit | Op::Trap => {}
            Op::MovW => self.same(Class::W, inst, &[a]),
            Op::MovD | Op::ToGeneric(_) | Op::FromGeneric(_) => self.same(Class::D, inst, &[a]),
            Op::MovP | Op::NotP => {
                self.test(a);
                self.write(Class::P, &[d]);
            }
            Op::Pack { wide_parts, wide: whole, .. } => {
                let kernel = self.kernel;
                self.read(wide(wide_parts), &kernel.lists[a as usize..][..d2 as usize]);
                self.write(wide(whole), &[d]);
            }
            Op::Unpack { wide_parts, wide: whole, .. } => {
                let kernel = self.kernel;
                self.read(wide(whole), &[a]);
                self.write(wide(wide_parts), &kernel.lists[d as usize..][..d2 as usize]);
            }
            Op::Int1(op, width) => {
                self.read(of_width(width), &[a]);
                let counts = matches!(op, Int1::Popc | Int1::Clz | Int1::FindS | Int1::FindU);
                self.write(wide(width == Width::W64 && !counts), &[d]);
            }
            Op::Int2(_, width) => self.same(of_width(width), inst, &[a, b]),
            Op::Shift(_, width) => {
                self.read(Class::W, &[b]);
                self.same(of_width(width), inst, &[a]);
            }
            Op::Int3(_, width) => self.same(of_width(width), inst, &[a, b, c]),
            Op::MulWide { wide: product, add, .. } => {
                self.read(Class::W, &[a, b]);
                self.same(wide(product), inst, &[if add { c } else { NONE }]);
            }
            Op::Carry(carry) => {
                self.same(wide(carry.wide), inst, &[a, b]);
                if carry.input {
                    self.read(Class::P, &[c]);
                }
                if carry.output {
                    self.write(Class::P, &[c]);
                }
            }
            Op::Bfe { wide: field, .. } => {
                self.read(Class::W, &[b, c]);
                self.same(wide(field), inst, &[a]);
            }
            Op::Bfi { wide: field } => {
                self.read(Class::W, &[b, c]);
                self.same(wide(field), inst, &[a, e]);
            }
            Op::Int2x2(_) | Op::Prmt | Op::Lop3 | Op::Funnel { .. } | Op::Dp4a { .. } | Op::ConvertPair { .. } => {
                self.same(Class::W, inst, &[a, b, c, e]);
            }
            Op::Logic(_) => {
                self.test(a);
                self.test(b);
                self.write(Class::P, &[d]);
            }
            Op::Float1(_, ty, _) => self.same(of_float(ty), inst, &[a]),
            Op::Float2(_, ty, _) => self.same(of_float(ty), inst, &[a, b]),
            Op::Fma(ty, _) => self.same(of_float(ty), inst, &[a, b, c]),
            Op::TestFinite(_, ty) => {
                self.read(of_float(ty), &[a]);
                self.write(Class::P, &[d]);
            }
            Op::Convert(conversion) => {
                self.read(wide(conversion.from_wide), &[a]);
                self.write(wide(conversion.to_wide), &[d]);
            }
            Op::SetP(test) | Op::SetP2(test) | Op::Set(test, _) => {
                self.read(wide(test.ty.bits() == 64), &[a, b]);
                self.test(c);
                let class = if matches!(inst.op, Op::Set(..)) { Class::W } else { Class::P };
                self.write(class, &[d, d2]);
            }
            Op::SelectW | Op::SelectD => {
                self.test(c);
                self.same(wide(matches!(inst.op, Op::SelectD)), inst, &[a, b]);
            }
            Op::SelectSign { wide: values, .. } => {
                self.read(Class::W, &[c]);
                self.same(wide(values), inst, &[a, b]);
            }
            Op::Load(access) | Op::Store(access) => {
                let kernel = self.kernel;
                let data = &kernel.lists[d as usize..][..d2 as usize];
                self.read(wide(access.wide_address), &[a]);
                match inst.op {
                    Op::Load(_) => self.write(wide(access.wide_data), data),
                    _ => self.read(wide(access.wide_data), data),
                }
            }
            Op::Atomic(access, ..) => {
                self.read(wide(access.wide_address), &[a]);
                self.same(wide(access.wide_data), inst, &[b, c]);
            }
            Op::ActiveMask => self.write(Class::W, &[d]),
            Op::Sync(sync) => self.sync(sync, inst),
            Op::Barrier { red, .. } => {
                self.read(Class::W, &[a, b]);
                self.test(c);
                self.write(if red == BarRed::Popc { Class::W } else { Class::P }, &[d]);
            }
            Op::BranchTable => self.read(Class::W, &[a]),
        }
    }

    fn sync(&mut self, sync: WarpSync, inst: &Inst) {
        let Inst { d, d2, a, b, c, e, .. } = *inst;
        self.read(Class::W, &[e]);
        match sync {
            WarpSync::Barrier => {}
            WarpSync::Shuffle(_) => {
                self.same(Class::W, inst, &[a, b, c]);
                self.write(Class::P, &[d2]);
            }
            WarpSync::Vote(vote) => {
                self.test(a);
                self.write(if vote == Vote::Ballot { Class::W } else { Class::P }, &[d]);
            }
            WarpSync::MatchAny { wide: value } | WarpSync::MatchAll { wide: value } => {
                self.read(wide(value), &[a]);
                self.write(Class::W, &[d]);
                self.write(Class::P, &[d2]);
            }
            WarpSync::Reduce(..) => self.same(Class::W, inst, &[a]),
        }
    }
}
