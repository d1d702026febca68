//! What names mean in a kernel, other than registers; and where its variables lie.

use std::collections::HashMap;

use crate::simt::error::Error;
use crate::simt::memory::module_address;
use crate::simt::program::{Kernel, MOST_SHARED};
use crate::simt::tree::{Entry, Operand, Space, Tree, Variable};

/// Room left between two shared variables: an access behind the end of one is then out of bounds. A multiple of 128, so that the
/// banks of all variables stay what they would be without it.
const SHARED_GAP: u64 = 128;

/// Bytes of parameters, and of a thread's local memory: CUDA's limits.
const MOST_PARAMS: u64 = 32_764;
const MOST_LOCAL: u64 = 512 << 10;

/// The names of a kernel.
pub(super) struct Scope<'a> {
    /// Variables: where each lies.
    pub symbols: HashMap<&'a str, (Space, u64)>,
    pub labels: HashMap<&'a str, u32>,
    /// Lists of labels.
    pub targets: HashMap<&'a str, &'a [String]>,
    /// How often each name is an operand.
    pub used: HashMap<&'a str, u32>,
}

impl<'a> Scope<'a> {
    /// Gives every variable its place; the kernel is told how much room that takes.
    pub fn new(tree: &'a Tree, entry: &'a Entry, kernel: &mut Kernel) -> Self {
        let mut scope = Scope {
            symbols: HashMap::new(),
            labels: entry.labels.iter().map(|(name, place)| (name.as_str(), *place as u32)).collect(),
            targets: entry.targets.iter().map(|(name, list)| (name.as_str(), list.as_slice())).collect(),
            used: used_names(entry),
        };
        scope.place_params(entry, kernel);
        scope.place_shared(tree, entry, kernel);
        scope.place_local(entry, kernel);
        for (index, variable) in tree.global_variables().enumerate() {
            scope.symbols.insert(&variable.name, (Space::Global, module_address(index)));
        }
        scope
    }

    fn place_params(&mut self, entry: &'a Entry, kernel: &mut Kernel) {
        for param in &entry.params {
            let offset = kernel.param_bytes.next_multiple_of(param.align);
            kernel.param_offsets.push(offset);
            kernel.param_bytes = offset + param.size;
            self.symbols.insert(&param.name, (Space::Param, offset));
        }
    }

    /// Those that the kernel uses. What has no size is `extern` and comes last.
    fn place_shared(&mut self, tree: &'a Tree, entry: &'a Entry, kernel: &mut Kernel) {
        let mut packed = 0; // Where the next variable would be without gaps.
        let mut gaps = 0;
        let used = |variable: &&Variable| self.used.contains_key(&*variable.name) && variable.space == Space::Shared;
        let all: Vec<&Variable> = tree.variables.iter().chain(&entry.variables).filter(used).collect();
        for variable in all.iter().filter(|variable| variable.size > 0) {
            packed = u64::next_multiple_of(packed, variable.align);
            let offset = packed + gaps;
            self.symbols.insert(&variable.name, (Space::Shared, offset));
            kernel.shared.push((offset, variable.size));
            packed += variable.size;
            gaps += SHARED_GAP.max(variable.align);
        }
        kernel.shared_bytes = kernel.shared.last().map_or(0, |(offset, size)| offset + size);
        for variable in all.iter().filter(|variable| variable.size == 0) {
            let offset = (packed + gaps).next_multiple_of(variable.align.max(16));
            self.symbols.insert(&variable.name, (Space::Shared, offset));
            kernel.shared_dynamic = Some(offset);
        }
        // Other compilers than ours address what a launch gives from 0 on, and declare nothing.
        if all.is_empty() {
            kernel.shared_dynamic = Some(0);
        }
    }

    fn place_local(&mut self, entry: &'a Entry, kernel: &mut Kernel) {
        for variable in entry.variables.iter().filter(|variable| variable.space == Space::Local) {
            let offset = kernel.local_bytes.next_multiple_of(variable.align);
            self.symbols.insert(&variable.name, (Space::Local, offset));
            kernel.local_bytes = offset + variable.size;
        }
    }
}

/// Refuses a kernel that declares more than any GPU has: the machine would have to have it, for each warp or thread.
pub(super) fn within_limits(kernel: &Kernel, entry: &Entry) -> Result<(), Error> {
    for (what, found, most) in [
        ("parameters", kernel.param_bytes, MOST_PARAMS),
        ("shared memory", kernel.shared_bytes, MOST_SHARED),
        ("local memory", kernel.local_bytes, MOST_LOCAL),
    ] {
        if found > most {
            let reason = format!("kernel {}: found {found} bytes of {what}, expected at most {most}", entry.name);
            return Err(Error::syntax(entry.line, reason));
        }
    }
    Ok(())
}

/// Every name that an entry's code uses.
fn used_names(entry: &Entry) -> HashMap<&str, u32> {
    fn names<'o>(operand: &'o Operand, into: &mut HashMap<&'o str, u32>) {
        match operand {
            Operand::Name(name) | Operand::Address { base: Some(name), .. } => {
                *into.entry(name).or_default() += 1;
            }
            Operand::Vector(parts) => parts.iter().for_each(|part| names(part, into)),
            _ => {}
        }
    }
    let mut used = HashMap::new();
    for operand in entry.body.iter().flat_map(|statement| &statement.operands) {
        names(operand, &mut used);
    }
    used
}
