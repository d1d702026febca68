//! What a window sums of each point of an image becomes a stage, which computes it once.
//!
//! ```text
//!                                                             %s_term = stage "s_term" (%y, %x) {
//! %s = stage "s" (%y, %x) {                                     img[%y, %x] * img[%y, %x] }
//!   reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %c0) {  ──▶   %s = stage "s" (%y, %x) {
//!     %p = img[%y + %ry, %x + %rx] clamp                        reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %c0) {
//!     %acc + %p * %p }                                            %acc + s_term[%y + %ry, %x + %rx] clamp }
//! ```
//!
//! Of a square that 64 points sum it would be computed for each of them. And a sum of loads is what other passes know: they make partial sums of
//! it, or rows and columns ([`partial_sums`](super::partial_sums), [`separate_windows`](super::separate_windows)), also of windows that lie
//! side by side, whose points would be gathered one by one.

use super::{
    copy::{extents_of, image_type, is_of_row, load_at, pointwise},
    join::{joined_by, widened_load},
};
use crate::{
    analysis::access::{self, build_load},
    ir::{Builder, TakenNames, erase_unused, is, is_inside, key, may_trap},
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType};
use mlir_glue::{Failure, PassContext, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Load, Reduce, Stage, static_extents};
use weft_model::Expr;

/// Points of a column that is not written out.
pub const FEWEST_OF_COLUMN: i64 = 33;

/// Makes the stage, where a reduce joins something that is computed of one point of an image, and lets the reduce read that. Returns whether
/// it does.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn hoist<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    stage: Stage<'c, 'a>,
    reduce: Reduce<'c, 'a>,
    names: &mut TakenNames,
) -> Result<bool, Failure<'c>> {
    let Some((term, load, computing)) = term_of(stage, reduce) else { return Ok(false) };
    let indices = access::indices(load)?;
    if !goes_over(&indices, stage.rank(), reduce) || is_written_out(&indices, stage, reduce) {
        return Ok(false);
    }
    let source = load.source();
    let outside = Builder::before(cx.context(), stage.op()).located(reduce.op().location());
    let shape = RankedTensorType::try_from(source.r#type()).expect("an image is a tensor");
    let ty = image_type(static_extents(shape), term.r#type());
    let name = names.like(&format!("{}_term", stage.name()));
    let image = pointwise(&outside, &name, ty, &extents_of(&outside, source), |b, coordinates| {
        let loaded = load.op().result(0).expect("a load has a result").into();
        let mut values = HashMap::from([(key(loaded), load_at(b, source, coordinates))]);
        for op in &computing {
            b.clone_mapped(*op, &mut values);
        }
        values[&key(term)]
    });

    let b = Builder::before(cx.context(), load.op()).located(load.op().location());
    let coordinates = ir::arguments(stage.body()).chain(ir::arguments(reduce.body()).take(reduce.window().len()));
    let coordinates: Vec<Value> = coordinates.collect();
    let value = build_load(&b, false, image, &indices, &coordinates, load.boundary(), None);
    ir::replace_all_uses(term, value);
    erase_unused([vec![load.op()], computing].concat().into_iter());
    Ok(true)
}

/// What a reduce joins, the load that it is computed of, and the ops that compute it: more than the load, of nothing else but what is the same
/// everywhere.
fn term_of<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    reduce: Reduce<'c, 'a>,
) -> Option<(Value<'c, 'a>, Load<'c, 'a>, Vec<OperationRef<'c, 'a>>)> {
    let (_, join, term) = joined_by(reduce)?;
    let body = reduce.body();
    if ir::block_of(term) != Some(body) || widened_load(term).is_some() {
        return None;
    }
    let mut known = HashSet::new();
    let (mut loaded, mut computing) = (None, Vec::new());
    for op in ir::operations(body).filter(|op| *op != join && !is(*op, "pipeline.yield")) {
        if let Some(load) = Load::of(op).filter(|_| loaded.is_none()) {
            loaded = Some(load);
        } else {
            let is_plain = ir::name_of(op).starts_with("arith.") || ir::name_of(op).starts_with("math.");
            let is_same = |operand: Value<'c, 'a>| known.contains(&key(operand)) || !is_inside(operand, stage.op());
            if !is_plain || may_trap(op) || !op.operands().all(is_same) {
                return None;
            }
            computing.push(op);
        }
        known.extend(op.results().map(|result| key(result.into())));
    }
    let load = loaded.filter(|load| load.boundary() != Boundary::Constant && load.op().block() == Some(body))?;
    Some((term, load, computing))
}

/// Whether a window is a column that is written out: rows that are computed together have most of its terms from each other.
fn is_written_out(indices: &[Expr], stage: Stage, reduce: Reduce) -> bool {
    let rank = stage.rank();
    let is_column = |index: &Expr| {
        let dims = index.dims();
        let is_variable = dims.iter().any(|d| *d >= rank);
        !is_variable || dims.iter().any(|d| *d < rank && !is_of_row(stage, *d))
    };
    reduce.volume() < FEWEST_OF_COLUMN && indices.iter().all(is_column)
}

/// Whether a load's indices are coordinates each, of one direction of a window or none, which have no more points than the stage's windows together: then
/// nothing is computed that was not, or more often.
fn goes_over(indices: &[Expr], rank: usize, reduce: Reduce) -> bool {
    let window = reduce.window();
    let counts: Vec<i64> = window.iter().map(|(low, high)| high.saturating_sub(*low)).collect();
    let mut seen = HashSet::new();
    let mut points = 1i64;
    let is_plain = indices.iter().all(|index| {
        let sum = index.flatten();
        let mut strides = 1;
        let terms_are_plain = sum.terms.iter().all(|(atom, factor)| match atom {
            Expr::Dim(d) if *d < rank && *factor > 0 => {
                strides = *factor;
                seen.insert(*d)
            }
            Expr::Dim(d) if *d < rank + counts.len() => *factor == 1 && seen.insert(*d),
            _ => false,
        });
        points = points.saturating_mul(strides);
        let coordinates = sum.terms.keys().filter(|atom| matches!(atom, Expr::Dim(d) if *d < rank)).count();
        terms_are_plain && coordinates == 1
    });
    let all = counts.iter().fold(1i64, |all, count| all.saturating_mul(*count));
    let is_all = (rank..rank + counts.len()).all(|variable| seen.contains(&variable));
    is_plain && is_all && points <= all
}
