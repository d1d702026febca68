//! Whether what a kernel has loaded decides where it reads, writes or goes: then its time depends on what kernels before it have written.

use super::operands::{operands, register_count};
use crate::simt::module::Module;
use crate::simt::program::*;
use crate::simt::tree::Space;

/// Whether an address or a branch of a kernel of the module comes from what it has loaded.
pub fn follows_data(module: &Module, kernel: &str) -> bool {
    module.kernels.iter().any(|other| other.name == kernel && of_kernel(other))
}

fn of_kernel(kernel: &Kernel) -> bool {
    let all: Vec<_> = kernel.code.iter().map(|inst| operands(kernel, inst)).collect();
    let mut is_data = vec![false; register_count(kernel) as usize];
    loop {
        let mut grew = false;
        for (inst, operands) in kernel.code.iter().zip(&all) {
            let loads = match inst.op {
                Op::Load(access) => access.window != Window::Space(Space::Param),
                Op::Atomic(..) => true,
                _ => false,
            };
            if loads || operands.reads.iter().any(|register| is_data[*register as usize]) {
                for register in &operands.writes {
                    grew |= !std::mem::replace(&mut is_data[*register as usize], true);
                }
            }
        }
        if !grew {
            break;
        }
    }
    let [words, doubles, _] = kernel.total;
    let follows = |inst: &Inst| {
        let is_data = |first: u32, register: u32| register != NONE && is_data[(first + register) as usize];
        let guard = inst.guard != NONE && is_data(words + doubles, inst.guard >> 1);
        match inst.op {
            Op::Load(access) | Op::Store(access) | Op::Atomic(access, ..) => {
                guard || is_data(if access.wide_address { words } else { 0 }, inst.a)
            }
            Op::Branch | Op::Exit => guard,
            Op::BranchTable => guard || is_data(0, inst.a),
            _ => false,
        }
    };
    kernel.code.iter().any(follows)
}
