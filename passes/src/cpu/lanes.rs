//! How many points a vector holds, and the mark on a loop that says so for `--vectorize`.

use crate::ir::{Builder, widest_bytes};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationMutLike};
use mlir_glue::ir;
use weft_dialects::weft;
use weft_model::Cpu;

/// Points of a vector of a unit: as many as its widest values have room for.
pub fn lanes(unit: OperationRef, cpu: &Cpu) -> i64 {
    cpu.vector / widest_bytes(unit)
}

/// Marks the loop of an index for `--vectorize`: its points can be computed in any order.
pub fn mark_lanes<'c: 'a, 'a>(index: Value<'c, 'a>, lanes: i64, b: &Builder<'c, 'a>) -> OperationRef<'c, 'a> {
    let op = ir::block_of(index).and_then(|block| block.parent_operation()).expect("the index of a loop");
    ir::mutable(op).set_attribute(weft::LANES, b.i64_attribute(lanes));
    op
}

/// The same of points that are computed once: lanes that have none are masked, where vectors would be moved back else.
pub fn mark_once<'c: 'a, 'a>(index: Value<'c, 'a>, lanes: i64, b: &Builder<'c, 'a>) {
    ir::mutable(mark_lanes(index, lanes, b)).set_attribute(weft::MASKED, b.unit_attribute());
}
