//! What loops write, and where memory begins that is a part of other memory.

use super::instructions::is_instruction;
use crate::ir::{Key, key};
use melior::ir::{OperationRef, Value};
use mlir_glue::ir;
use std::collections::HashSet;

/// Where memory begins that a value is a part of.
pub fn base<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let of = |memory: &Value<'c, 'a>| {
        let op = ir::defining_op(*memory).filter(|op| PARTS.contains(&ir::name_of(*op)))?;
        ir::operand(op, 0)
    };
    std::iter::successors(Some(memory), of).last().unwrap_or(memory)
}

/// Ops that give a part of the memory that they are given, or all of it.
const PARTS: [&str; 5] =
    ["memref.subview", "memref.view", "memref.cast", "memref.reinterpret_cast", "memref.memory_space_cast"];

/// The memory that ops in a loop write; `None` where that is not known.
pub fn written(outer: OperationRef) -> Option<HashSet<Key>> {
    let mut all = HashSet::new();
    for op in ir::walk(outer) {
        let name = ir::name_of(op);
        let to = match name {
            "memref.store" | "vector.store" => ir::operand(op, 1)?,
            "vector.maskedstore" => ir::operand(op, 0)?,
            _ if ["arith.", "math.", "scf.", "affine."].iter().any(|prefix| name.starts_with(prefix)) => continue,
            "vector.scatter" | "vector.compressstore" | "vector.transfer_write" => return None,
            _ if name.starts_with("vector.") || PARTS.contains(&name) || is_instruction(op) => continue,
            "memref.load" | "memref.prefetch" | "memref.dim" | "memref.extract_strided_metadata" => continue,
            // As --vectorize calls them, they compute.
            "llvm.call_intrinsic" => continue,
            _ => return None,
        };
        all.insert(key(base(to)));
    }
    Some(all)
}
