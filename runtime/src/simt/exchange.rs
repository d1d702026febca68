//! What lanes of a warp do together, when all that a `.sync` instruction waits for have come.

use super::context::Context;
use super::fold::combine;
use super::program::{Fold, Inst, Kernel, NONE, Scalar, ShuffleMode, Vote};
use super::registers::{Registers, W, lanes, lanes_where};
use super::report::Fault;

/// Lanes that have met: each is at an instruction of the same kind, though perhaps not at the same one.
pub(super) struct Meeting<'w> {
    kernel: &'w Kernel,
    registers: &'w mut Registers,
    /// Where each lane is.
    pc: &'w [u32; 32],
    /// The instruction at which all lanes are, if it is one, as nearly always.
    common: Option<&'w Inst>,
    mask: u32,
}

impl<'w> Meeting<'w> {
    pub fn new(kernel: &'w Kernel, registers: &'w mut Registers, pc: &'w [u32; 32], mask: u32) -> Self {
        let place = pc[mask.trailing_zeros() as usize % 32];
        let common = lanes(mask).all(|lane| pc[lane] == place).then(|| &kernel.code[place as usize]);
        Meeting { kernel, registers, pc, common, mask }
    }

    /// The operands that lanes have in their instructions.
    fn operands<F: Fn(&Inst) -> u32>(&self, operand: F) -> impl Iterator<Item = (usize, u32)> + use<'w, F> {
        let (kernel, pc) = (self.kernel, self.pc);
        lanes(self.mask).map(move |lane| (lane, operand(&kernel.code[pc[lane] as usize])))
    }

    /// The words that lanes bring along.
    fn words(&self, operand: impl Fn(&Inst) -> u32) -> W {
        if let Some(inst) = self.common {
            return self.registers.w[operand(inst) as usize];
        }
        let mut words = [0; 32];
        for (lane, register) in self.operands(operand) {
            words[lane] = self.registers.w[register as usize][lane];
        }
        words
    }

    /// The lanes that bring along a predicate that holds.
    fn predicates(&self, operand: impl Fn(&Inst) -> u32) -> u32 {
        match self.common {
            Some(inst) => self.registers.predicate(operand(inst)) & self.mask,
            None => {
                let holding = self.operands(operand).filter(|(lane, p)| self.registers.predicate(*p) >> lane & 1 == 1);
                holding.fold(0, |holding, (lane, _)| holding | 1 << lane)
            }
        }
    }

    fn put_words(&mut self, words: &W) {
        match self.common {
            Some(inst) => self.registers.put_w(inst.d, words, self.mask),
            None => {
                for (lane, register) in self.operands(|inst| inst.d) {
                    self.registers.w[register as usize][lane] = words[lane];
                }
            }
        }
    }

    /// Writes a predicate, where an instruction has it.
    fn put_predicates(&mut self, operand: impl Fn(&Inst) -> u32, holding: u32) {
        match self.common.map(&operand) {
            Some(NONE) => {}
            Some(register) => self.registers.put_p(register, holding, self.mask),
            None => {
                for (lane, register) in self.operands(operand).filter(|(_, register)| *register != NONE) {
                    self.registers.put_p(register, holding, 1 << lane);
                }
            }
        }
    }

    /// Gives each lane the word of another; `warp` is the number of theirs.
    pub fn shuffle(&mut self, context: &mut Context<'_>, mode: ShuffleMode, warp: u32) {
        context.counters.warp_shuffles += 1;
        let given = self.words(|inst| inst.a);
        let (b, c) = (self.words(|inst| inst.b), self.words(|inst| inst.c));
        let (mut taken, mut inside) = ([0; 32], 0);
        for lane in lanes(self.mask) {
            let (from, is_inside) = source_lane(mode, lane as u32, b[lane], c[lane]);
            if self.mask >> from & 1 == 0 && context.checks().divergence {
                context.report(Fault::DivergentSync, warp * 32 + lane as u32, self.pc[lane], |_| {
                    format!("reads lane {from}, which takes no part in the shuffle")
                });
            }
            taken[lane] = if self.mask >> from & 1 == 0 { 0 } else { given[from as usize] };
            inside |= u32::from(is_inside) << lane;
        }
        self.put_words(&taken);
        self.put_predicates(|inst| inst.d2, inside);
    }

    pub fn vote(&mut self, vote: Vote) {
        let yes = self.predicates(|inst| inst.a);
        let holds = match vote {
            Vote::All => yes == self.mask,
            Vote::Any => yes != 0,
            Vote::Uniform => yes == self.mask || yes == 0,
            Vote::Ballot => return self.put_words(&[yes; 32]),
        };
        self.put_predicates(|inst| inst.d, u32::from(holds).wrapping_neg());
    }

    /// `match.any` gives each lane those that brought the same value; `match.all` gives it all lanes, or none.
    pub fn find_equal(&mut self, wide: bool, any: bool) {
        let mut given = [0; 32];
        for (lane, a) in self.operands(|inst| inst.a) {
            let a = a as usize;
            given[lane] = if wide { self.registers.d[a][lane] } else { u64::from(self.registers.w[a][lane]) };
        }
        let lead = self.mask.trailing_zeros() as usize;
        let all = lanes(self.mask).all(|lane| given[lane] == given[lead]);
        let mut equal = [0; 32];
        for lane in lanes(self.mask).filter(|_| any || all) {
            equal[lane] = lanes_where(self.mask, |other| given[other] == given[lane]);
        }
        self.put_words(&equal);
        self.put_predicates(|inst| inst.d2, u32::from(all).wrapping_neg());
    }

    pub fn reduce(&mut self, fold: Fold, ty: Scalar) {
        let words = self.words(|inst| inst.a);
        let words = lanes(self.mask).map(|lane| words[lane]);
        let result = words.reduce(|a, b| combine(fold, ty, u64::from(a), u64::from(b), 0) as u32).unwrap_or(0);
        self.put_words(&[result; 32]);
    }
}

/// Where a shuffle reads, and whether that is inside of its segment: the PTX ISA's table.
fn source_lane(mode: ShuffleMode, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (amount, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, inside) = match mode {
        ShuffleMode::Up => {
            let from = lane as i32 - amount as i32;
            (from, from >= most as i32)
        }
        ShuffleMode::Down => ((lane + amount) as i32, lane + amount <= most),
        ShuffleMode::Butterfly => ((lane ^ amount) as i32, lane ^ amount <= most),
        ShuffleMode::Index => {
            let from = least | amount & !segment;
            (from as i32, from <= most)
        }
    };
    if inside { (from as u32 & 31, true) } else { (lane, false) }
}
