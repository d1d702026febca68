//! Short branches around code, which a compiler turns into code under a predicate.
//!
//! ```text
//! @%p bra $L              @!%p st …
//! st …            ──▶     ld …        what follows may move up past it
//! $L: ld …
//! ```
//!
//! `ptxas` of CUDA 12 does so where the code between is short and has no call (a division has one), exchange or barrier.

use crate::simt::program::{Kernel, NONE, Op};

/// Instructions of PTX that are put under a predicate at most.
const SHORT: usize = 32;

/// By instruction: where a short branch goes, or 0. `stops` says which instructions must not be in between.
pub(super) fn skips(kernel: &Kernel, stops: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut comers = vec![0u32; kernel.code.len() + 1];
    for inst in &kernel.code {
        match inst.op {
            Op::Branch => comers[inst.d as usize] += 1,
            Op::BranchTable => {
                let targets = &kernel.lists[inst.d as usize..][..inst.d2 as usize];
                targets.iter().for_each(|target| comers[*target as usize] += 1);
            }
            _ => {}
        }
    }
    let target = |pc: usize| {
        let inst = &kernel.code[pc];
        let (from, to) = (pc + 1, inst.d as usize);
        let is_branch = matches!(inst.op, Op::Branch) && inst.guard != NONE;
        if !is_branch || to <= from || to - from > SHORT || comers[to] != 1 {
            return 0;
        }
        let is_plain = |pc: usize| {
            let jumps = matches!(kernel.code[pc].op, Op::Branch | Op::BranchTable | Op::Exit | Op::Trap);
            let meets = matches!(kernel.code[pc].op, Op::Barrier { .. } | Op::Sync(_));
            !jumps && !meets && comers[pc] == 0 && !stops(pc)
        };
        if (from..to).all(is_plain) { inst.d } else { 0 }
    };
    (0..kernel.code.len()).map(target).collect()
}
