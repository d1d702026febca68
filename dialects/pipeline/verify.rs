//! What ODS cannot say of an op. Every message names the operand, what was found and what is expected, and has its
//! line in `test/Dialect/Pipeline/invalid.mlir`.

use super::{
    ops::{Boundary, Extent, Group, Load, Stage, static_extents},
    schedule::Schedule,
};
use melior::ir::{
    BlockLike, OperationRef, RegionLike, Type, TypeLike, ValueLike,
    block::BlockArgument,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use mlir_glue::{Diagnostic, Verdict, ir};

/// Coordinates have names up to four dimensions, and no paper's program needs more.
const MAX_RANK: usize = 4;

pub(super) fn stage<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    if op.result_count() == 0 {
        return fail("has no result, expected at least one image".into());
    }
    let first = stage.image_type(0);
    if !(1..=MAX_RANK).contains(&first.rank()) {
        return fail(format!("result #0 has rank {}, expected 1 to {MAX_RANK}", first.rank()));
    }
    for index in 1..op.result_count() {
        let other = stage.image_type(index);
        if static_extents(other) != static_extents(first) {
            return fail(format!("result #{index} has type '{other}', expected the shape of result #0, '{first}'"));
        }
    }
    let dynamic = static_extents(first).iter().filter(|extent| extent.is_none()).count();
    if op.operand_count() != dynamic {
        return fail(format!(
            "has {} extent operands, expected {dynamic}, one for each ? of '{first}', as in sized(%h, %w)",
            op.operand_count()
        ));
    }
    let body = stage.body();
    let coordinates: Vec<Type> =
        (0..body.argument_count()).filter_map(|i| Some(body.argument(i).ok()?.r#type())).collect();
    if coordinates.len() != first.rank() || coordinates.iter().any(|ty| !ty.is_index()) {
        return fail(format!(
            "body has {} coordinates, expected {} of type 'index', one for each dimension of '{first}'",
            coordinates.len(),
            first.rank()
        ));
    }
    needed(stage)
}

fn needed<'c>(stage: Stage<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(stage.op(), message));
    let Some(needed) = stage.needed() else { return Ok(()) };
    if needed.len() != stage.rank() {
        return fail(format!("'in' has {} intervals, expected {}, one for each dimension", needed.len(), stage.rank()));
    }
    for (dimension, ((lo, hi), extent)) in needed.into_iter().zip(stage.extents()).enumerate() {
        let inside = match (lo, hi, extent) {
            (Some(lo), Some(hi), Extent::Static(extent)) => 0 <= lo && lo <= hi && hi <= extent,
            (Some(lo), Some(hi), Extent::Dynamic(_)) => 0 <= lo && lo <= hi,
            (Some(lo), None, Extent::Dynamic(_)) => 0 <= lo,
            (None, _, Extent::Dynamic(_)) => false,
            (None, _, Extent::Static(_)) | (_, None, Extent::Static(_)) => false,
        };
        if !inside {
            let end = |end: Option<i64>| end.map_or("?".to_owned(), |end| end.to_string());
            let extent = match extent {
                Extent::Static(extent) => extent.to_string(),
                Extent::Dynamic(_) => "?".to_owned(),
            };
            return fail(format!(
                "interval [{}, {}) of dimension {dimension} is not inside the stage's [0, {extent})",
                end(lo),
                end(hi)
            ));
        }
    }
    Ok(())
}

/// Checks what a region ends with against what its op gives: one value of the right type for each result.
fn yields<'c>(op: OperationRef<'c, '_>, what: &str, name: &str, types: &[Type<'c>]) -> Verdict<'c> {
    let terminator = op.region(0).ok().and_then(|region| region.first_block()?.terminator());
    let Some(terminator) = terminator.filter(|op| op.name().as_string_ref().as_str() == Ok("pipeline.yield")) else {
        return Err(Diagnostic::on(op, "body does not end with pipeline.yield"));
    };
    if terminator.operand_count() != types.len() {
        return Err(Diagnostic::on(
            terminator,
            format!("has {} operands, expected {}, one for each result of {what} \"{name}\"", terminator.operand_count(), types.len()),
        ));
    }
    for (index, (value, expected)) in terminator.operands().zip(types).enumerate() {
        if value.r#type() != *expected {
            return Err(Diagnostic::on(
                terminator,
                format!("operand #{index} has type '{}', expected '{expected}' for result #{index} of {what} \"{name}\"", value.r#type()),
            ));
        }
    }
    Ok(())
}

pub(super) fn stage_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    let elements: Vec<Type> = (0..op.result_count()).map(|index| stage.image_type(index).element()).collect();
    yields(op, "stage", stage.name(), &elements)
}

pub(super) fn load<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(load) = Load::of(op) else { return Ok(()) };
    let Some(stage) = load.stage() else {
        return fail("is not inside a pipeline.stage".into());
    };
    let (source, map, coordinates) = (load.source_type(), load.map(), load.coordinates());
    if map.result_count() != source.rank() {
        return fail(format!(
            "has {} indices, expected {}, one for each dimension of the source '{source}'",
            map.result_count(),
            source.rank()
        ));
    }
    if map.symbol_count() != 0 || map.dim_count() != coordinates.len() {
        return fail(format!(
            "has {} coordinates, expected {} and no symbols, as its map {map} says",
            coordinates.len(),
            map.dim_count()
        ));
    }
    for (index, coordinate) in coordinates.iter().enumerate() {
        let is_coordinate = BlockArgument::try_from(*coordinate).is_ok_and(|argument| argument.owner() == stage.body());
        if !is_coordinate {
            return fail(format!("index operand #{index} is not a coordinate of stage \"{}\"", stage.name()));
        }
    }
    match (load.boundary(), load.outside()) {
        (Boundary::Constant, None) => fail("boundary 'constant' has no value, expected one, as in constant(%v)".into()),
        (Boundary::Constant, Some(_)) | (_, None) => empty_source(load, source),
        (boundary, Some(_)) => {
            fail(format!("boundary '{}' has a value in parentheses, expected none", boundary.keyword()))
        }
    }
}

/// No boundary mode can make a value of nothing.
fn empty_source<'c>(load: Load<'c, '_>, source: RankedTensorType<'c>) -> Verdict<'c> {
    match static_extents(source).iter().position(|extent| *extent == Some(0)) {
        Some(dimension) => Err(Diagnostic::on(
            load.op(),
            format!("source '{source}' has extent 0 in dimension {dimension}, expected at least one point"),
        )),
        None => Ok(()),
    }
}

pub(super) fn group<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(group) = Group::of(op) else { return Ok(()) };
    if op.result_count() == 0 {
        return Err(Diagnostic::on(op, "has no live-out, expected at least one image"));
    }
    let Some(schedule) = group.schedule() else { return Ok(()) };
    let ty = op.result(0).expect("counted above").r#type();
    let rank = RankedTensorType::try_from(ty).map_or(0, |ty| ty.rank());
    Schedule::parse(schedule, rank).map(drop).map_err(|message| Diagnostic::on(op, message))
}

pub(super) fn group_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(group) = Group::of(op) else { return Ok(()) };
    for inner in ir::operations(group.body()) {
        let name = inner.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        if !matches!(name, Stage::NAME | "pipeline.yield" | "arith.constant") {
            return Err(Diagnostic::on(
                inner,
                format!("is in group \"{}\", expected stages and constants only", group.name()),
            ));
        }
    }
    let types: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    yields(op, "group", group.name(), &types)?;
    let terminator = group.terminator().expect("checked by yields");
    for (index, value) in terminator.operands().enumerate() {
        let is_own = ir::defining_op(value).and_then(Stage::of).is_some_and(|stage| stage.op().block() == Some(group.body()));
        if !is_own {
            return Err(Diagnostic::on(
                terminator,
                format!("operand #{index} is not a stage of group \"{}\"", group.name()),
            ));
        }
    }
    Ok(())
}
