//! How far the loads of a body reach along a row: what one of them reads, another one may read too.
//!
//! ```text
//! %m[%y, 2 * %x - 1]     of 16 lanes    -1, 1, ..., 29  ┐
//! %m[%y, 2 * %x]         each           0, 2, ..., 30   ├ all of -1 to 31 can be read: the first two take the even and the odd
//! %m[%y, 2 * %x + 1]                    1, 3, ..., 31   ┘ elements of the same vectors
//! ```

use crate::ir::{Key, constant_index, is, key};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use mlir_glue::ir;
use std::collections::HashMap;

/// The loop or loop inside that loads are done in, memory, a row, and an index that some constants are added to.
type Beside = (*const std::ffi::c_void, Vec<Key>, Key);

/// The least and the greatest constants.
#[derive(Default)]
pub(super) struct Reach(HashMap<Beside, (i64, i64)>);

impl Reach {
    /// That of the body of a loop, and of each loop inside.
    pub(super) fn of(body: OperationRef) -> Self {
        let mut all = Self::default();
        for (beside, constant) in ir::walk(body).into_iter().filter_map(place_of) {
            let ends = all.0.entry(beside).or_insert((constant, constant));
            *ends = (ends.0.min(constant), ends.1.max(constant));
        }
        all
    }

    /// How many elements before what a load reads, and behind it, are read by others in every iteration.
    pub(super) fn around(&self, load: OperationRef) -> (i64, i64) {
        let found = place_of(load).and_then(|(beside, constant)| Some((self.0.get(&beside)?, constant)));
        found.map_or((0, 0), |((least, greatest), constant)| (constant - least, greatest - constant))
    }
}

/// Where a load is; `None` for other ops, and in branches, which are not always taken.
fn place_of(op: OperationRef) -> Option<(Beside, i64)> {
    let around = op.parent_operation().filter(|around| is(op, "memref.load") && is(*around, "scf.for"))?;
    let operands: Vec<Value> = op.operands().collect();
    let (last, row) = operands.split_last()?;
    let (base, constant) = beside(*last);
    Some(((around.to_raw().ptr.cast_const(), row.iter().copied().map(key).collect(), key(base)), constant))
}

/// An index as a constant beside another one.
fn beside<'c: 'a, 'a>(index: Value<'c, 'a>) -> (Value<'c, 'a>, i64) {
    let sum = ir::defining_op(index).filter(|op| is(*op, "arith.addi"));
    let parts = sum.and_then(|op| Some((ir::operand(op, 0)?, constant_index(ir::operand(op, 1)?)?)));
    parts.unwrap_or((index, 0))
}
