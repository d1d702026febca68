//! Extents for costs: those that the program says, that `weft.estimate` or an option says, or a guess.

use crate::ir::{Number, constant_index, dim_of};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, Value, ValueLike,
    attribute::DenseI64ArrayAttribute,
    block::BlockArgument,
    r#type::{MemRefType, RankedTensorType},
};
use mlir_glue::ir;
use weft_dialects::{
    pipeline::{Stage, static_extents},
    weft,
};

// ---- Sizes ----------------------------------------------------------------------------------------------------------------

/// What models take for an extent that nobody knows: a photograph's.
pub const DEFAULT_EXTENT: i64 = 2048;

/// Extents as an option gives them, `2832x4256`: positive numbers.
pub fn extents_of(text: &str) -> Option<Vec<i64>> {
    text.split('x').map(|part| part.parse().ok().filter(|extent| *extent > 0)).collect()
}

/// Extents as numbers, for costs: those of the types, else what is computed from the arguments' `weft.estimate` or the size
/// that the user gives for all images without one.
pub struct Sizes {
    /// Extents of the arguments, by number and dimension.
    arguments: Vec<Vec<Option<i64>>>,
    size: Vec<i64>,
}

impl Sizes {
    /// Those of a program; `size` gives the extents of images that say nothing, from the last dimension backwards.
    pub fn of_program(func: OperationRef, block: BlockRef, size: &[i64]) -> Self {
        let estimate = |argument: usize| {
            let of = weft::attributes_of(func, false, argument)?;
            let array = DenseI64ArrayAttribute::try_from(of.element_by_name(weft::ESTIMATE)?).ok()?;
            Some((0..array.len()).map(|i| array.element(i).ok()).collect::<Vec<_>>())
        };
        let extents = |argument: usize| {
            let value = block.argument(argument).ok()?;
            let ty = Value::from(value).r#type();
            let of_tensor = RankedTensorType::try_from(ty).map(static_extents);
            let known = of_tensor.or_else(|_| MemRefType::try_from(ty).map(static_extents)).ok()?;
            let estimate = estimate(argument).unwrap_or_default();
            Some(known.into_iter().enumerate().map(|(d, known)| known.or(estimate.get(d).copied().flatten())).collect())
        };
        let arguments = (0..block.argument_count()).map(|argument| extents(argument).unwrap_or_default()).collect();
        Self { arguments, size: size.to_vec() }
    }

    /// An extent: at least 1.
    pub fn of(&self, number: Number) -> i64 {
        match number {
            Number::Known(number) => number.max(1),
            Number::Value(value) => self.evaluate(value).unwrap_or(DEFAULT_EXTENT).max(1),
        }
    }

    /// Points of a stage.
    pub fn points(&self, stage: Stage) -> i64 {
        stage.extents().into_iter().map(|extent| self.of(extent.into())).fold(1, i64::saturating_mul)
    }

    fn evaluate(&self, value: Value) -> Option<i64> {
        let op = ir::defining_op(value)?;
        if let Some(number) = constant_index(value) {
            return Some(number);
        }
        let operand = |index: usize| ir::operand(op, index).and_then(|value| self.evaluate(value));
        if let Some((image, dimension)) = dim_of(op) {
            let argument = BlockArgument::try_from(image).ok()?.argument_number();
            let extents = self.arguments.get(argument)?;
            let known = extents.get(dimension).copied().flatten();
            let back = extents.len().checked_sub(dimension)?;
            return known.or_else(|| self.size.len().checked_sub(back).map(|d| self.size[d]));
        }
        let (a, b) = (operand(0)?, operand(1));
        Some(match (ir::name_of(op), b) {
            ("arith.addi", Some(b)) => a.saturating_add(b),
            ("arith.subi", Some(b)) => a.saturating_sub(b),
            ("arith.muli", Some(b)) => a.saturating_mul(b),
            ("arith.divui" | "arith.divsi" | "arith.floordivsi", Some(b)) if b > 0 => a.div_euclid(b),
            ("arith.ceildivui" | "arith.ceildivsi", Some(b)) if b > 0 => a.saturating_add(b - 1).div_euclid(b),
            ("arith.remui" | "arith.remsi", Some(b)) if b > 0 => a.rem_euclid(b),
            ("arith.minui" | "arith.minsi", Some(b)) => a.min(b),
            ("arith.maxui" | "arith.maxsi", Some(b)) => a.max(b),
            ("arith.shrui" | "arith.shrsi", Some(b @ 0..=62)) => a >> b,
            ("arith.shli", Some(b @ 0..=31)) => a.saturating_mul(1 << b),
            ("arith.index_cast" | "arith.index_castui", _) => a,
            _ => return None,
        })
    }
}

/// `2832x4256` as numbers.
pub fn size_of(text: &str) -> Result<Vec<i64>, String> {
    let expected = || format!("option 'size' is '{text}', expected positive numbers, for example 2832x4256");
    if text.is_empty() { Ok(Vec::new()) } else { extents_of(text).ok_or_else(expected) }
}
