//! Large modules are compiled to PTX in parts, each by a thread of its own: LLVM takes most of the time that a program takes.
//!
//! ```text
//! @f_g0, @f_g1, @f_g2, ..., @f_g15  ──bitcode──▶  a context each:  @f_g0 to @f_g6     O3, NVPTX ┐
//!                                                                  @f_g7 to @f_g11    O3, NVPTX ├──▶ PTX, as of one module
//!                                                                  @f_g12 to @f_g15   O3, NVPTX ┘
//! ```
//!
//! A part is a row of kernels, and the parts are of about one size. What they are depends on the module alone and not on the machine,
//! so that the text does neither.

use crate::ir::{is, symbol};
use melior::ir::{OperationRef, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{HashMap, HashSet};

/// At most so many parts: each reads the bitcode of all.
const PARTS: usize = 4;
/// Ops of a part at least. Fewer are compiled in no time.
const OPS: usize = 2000;

/// The names of the kernels of each part, in order. Kernels that use one global variable are in one part, which has it.
pub fn parts<'c>(module: OperationRef<'c, '_>) -> Vec<HashSet<&'c str>> {
    let kernels = ir::walk(module).into_iter().filter(|op| is(*op, "llvm.func"));
    let kernels: Vec<_> = kernels
        .map(|kernel| {
            let ops = ir::walk(kernel);
            (symbol(kernel), ops.len(), variables(&ops))
        })
        .collect();
    let size: usize = kernels.iter().map(|(_, ops, _)| ops).sum();
    let enough = (size / PARTS).max(OPS);
    // Where a variable is used last.
    let mut last = HashMap::new();
    for (at, (.., variables)) in kernels.iter().enumerate() {
        last.extend(variables.iter().map(|variable| (variable, at)));
    }
    let mut parts = vec![HashSet::new()];
    let (mut so_far, mut until) = (0, 0);
    for (at, (name, ops, variables)) in kernels.iter().enumerate() {
        if so_far >= enough && at > until {
            parts.push(HashSet::new());
            so_far = 0;
        }
        // There is one at least.
        if let Some(part) = parts.last_mut() {
            part.insert(*name);
        }
        so_far += ops;
        until = variables.iter().map(|variable| last[variable]).fold(until, usize::max);
    }
    parts
}

/// The global variables that ops use: tables, shared memory.
fn variables(ops: &[OperationRef]) -> Vec<String> {
    let users = ops.iter().filter(|op| is(**op, "llvm.mlir.addressof"));
    users.filter_map(|op| Some(op.attribute("global_name").ok()?.to_string())).collect()
}

/// The PTX of the parts as that of one module: what stands before the first variable or kernel is said once.
pub fn join(parts: Vec<String>) -> String {
    const LAST: &str = "\n.address_size 64\n";
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        all.push_str(part.split_once(LAST).map_or(part.as_str(), |(_, rest)| rest));
    }
    all
}
