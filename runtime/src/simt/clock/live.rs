//! Which registers are live behind an instruction, and how many a thread needs at once.

use super::operands::{Operands, register_count};
use crate::simt::program::*;
use crate::simt::tree::Space;

/// A set of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    fn new(count: u32) -> Self {
        Set(vec![0; count.div_ceil(64) as usize])
    }

    pub fn contains(&self, register: u32) -> bool {
        self.0.get(register as usize / 64).is_some_and(|word| word >> (register % 64) & 1 == 1)
    }

    fn insert(&mut self, register: u32) {
        self.0[register as usize / 64] |= 1 << (register % 64);
    }

    fn remove(&mut self, register: u32) {
        self.0[register as usize / 64] &= !(1 << (register % 64));
    }

    /// Adds those of another; whether there were new ones.
    fn add(&mut self, other: &Set) -> bool {
        let mut grew = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            grew |= *other & !*word != 0;
            *word |= other;
        }
        grew
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u32 * 64 + bit)
        })
    }
}

/// What is live where.
pub(super) struct Liveness<'k> {
    kernel: &'k Kernel,
    all: &'k [Operands],
    /// The first instruction of each block, and the end.
    starts: Vec<usize>,
    /// What is live at the end of each block.
    out: Vec<Set>,
    constants: Set,
}

impl<'k> Liveness<'k> {
    /// Of a kernel, with the operands of its instructions.
    pub fn new(kernel: &'k Kernel, all: &'k [Operands]) -> Self {
        let count = register_count(kernel);
        let starts = block_starts(kernel);
        let blocks = starts.len() - 1;
        let successors: Vec<Vec<usize>> = (0..blocks).map(|block| successors(kernel, &starts, block)).collect();
        let mut live = Liveness { kernel, all, starts, out: vec![Set::new(count); blocks], constants: Set::new(count) };
        live.find_constants();
        let mut entered: Vec<Set> = vec![Set::new(count); blocks];
        loop {
            let mut grew = false;
            for block in (0..blocks).rev() {
                for next in &successors[block] {
                    grew |= live.out[block].add(&entered[*next]);
                }
                let mut set = live.out[block].clone();
                for pc in (live.starts[block]..live.starts[block + 1]).rev() {
                    step_back(&mut set, &all[pc]);
                }
                grew |= entered[block].add(&set);
            }
            if !grew {
                return live;
            }
        }
    }

    /// Registers that a kernel's parameters and constants fill: operands from constant memory.
    fn find_constants(&mut self) {
        let kernel = self.kernel;
        let [words, ..] = kernel.total;
        let specials = kernel.constants_w.iter().map(|(register, _)| *register);
        let doubles = kernel.constants_d.iter().map(|(register, _)| words + *register);
        specials.chain(doubles).for_each(|register| self.constants.insert(register));
        for (inst, operands) in kernel.code.iter().zip(self.all) {
            if matches!(inst.op, Op::Load(access) if access.window == Window::Space(Space::Param)) {
                operands.writes.iter().for_each(|register| self.constants.insert(*register));
            }
        }
    }

    /// Whether a register needs no place.
    pub fn is_constant(&self, register: u32) -> bool {
        self.constants.contains(register)
    }

    /// What is live behind an instruction.
    pub fn after(&self, pc: usize) -> Set {
        let block = self.starts.partition_point(|start| *start <= pc) - 1;
        let mut set = self.out[block].clone();
        for later in (pc + 1..self.starts[block + 1]).rev() {
            step_back(&mut set, &self.all[later]);
        }
        set
    }

    /// The greatest weight of all that is live at once.
    pub fn most(&self, weight: impl Fn(u32) -> u64) -> u64 {
        let mut most = 0;
        for (block, out) in self.out.iter().enumerate() {
            let mut set = out.clone();
            let mut live: u64 = set.iter().map(&weight).sum();
            most = most.max(live);
            for pc in (self.starts[block]..self.starts[block + 1]).rev() {
                let Operands { reads, writes } = &self.all[pc];
                for write in writes.iter().filter(|write| !reads.contains(write)) {
                    if set.contains(*write) {
                        live -= weight(*write);
                    }
                }
                for (index, read) in reads.iter().enumerate() {
                    if !set.contains(*read) && !reads[..index].contains(read) {
                        live += weight(*read);
                    }
                }
                step_back(&mut set, &self.all[pc]);
                most = most.max(live);
            }
        }
        most
    }
}

fn step_back(set: &mut Set, operands: &Operands) {
    operands.writes.iter().for_each(|write| set.remove(*write));
    operands.reads.iter().for_each(|read| set.insert(*read));
}

fn block_starts(kernel: &Kernel) -> Vec<usize> {
    let mut is_start = vec![false; kernel.code.len() + 1];
    (is_start[0], is_start[kernel.code.len()]) = (true, true);
    for (pc, inst) in kernel.code.iter().enumerate() {
        match inst.op {
            Op::Branch => is_start[inst.d as usize] = true,
            Op::BranchTable => {
                for target in &kernel.lists[inst.d as usize..][..inst.d2 as usize] {
                    is_start[*target as usize] = true;
                }
            }
            Op::Exit => {}
            _ => continue,
        }
        is_start[pc + 1] = true;
    }
    (0..is_start.len()).filter(|pc| is_start[*pc]).collect()
}

fn successors(kernel: &Kernel, starts: &[usize], block: usize) -> Vec<usize> {
    let end = starts[block + 1];
    let inst = &kernel.code[end - 1];
    let mut targets = match inst.op {
        Op::Branch => vec![inst.d as usize],
        Op::BranchTable => {
            kernel.lists[inst.d as usize..][..inst.d2 as usize].iter().map(|target| *target as usize).collect()
        }
        _ => Vec::new(),
    };
    let goes_on = inst.guard != NONE || !matches!(inst.op, Op::Branch | Op::Exit | Op::Trap);
    targets.extend((goes_on && end < kernel.code.len()).then_some(end));
    // The end of the code is no block.
    targets.iter().filter_map(|target| starts[..starts.len() - 1].binary_search(target).ok()).collect()
}
