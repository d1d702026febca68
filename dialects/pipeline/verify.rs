//! What ODS cannot say of an op. Every message names the operand, what was found and what is expected, and has its
//! line in `test/Dialect/Pipeline/invalid.mlir`.

use super::{
    ops::{Boundary, Extent, Group, Load, Stage, integers, static_extents, text_of},
    schedule::Schedule,
};
use melior::ir::{
    AffineExpr, AffineMap, BlockLike, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
    block::BlockArgument,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use mlir_glue::{Diagnostic, Verdict, ir};

/// Coordinates have names up to four dimensions, and no paper's program needs more.
const MAX_RANK: usize = 4;

/// What a body is made of, beside loads: dialects whose ops compute values of values and do nothing else.
const BODY_DIALECTS: [&str; 4] = ["arith", "math", "scf", "ub"];

/// Floats that no target computes with.
const WIDE_FLOATS: [&str; 2] = ["f80", "f128"];

/// Checks what stages and groups have in common: a name, and images as results.
fn named_images<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    if let Some(name) = op.attribute("name").ok().filter(|name| text_of(*name).is_none()) {
        return fail(format!("name is {name}, expected a string that is not empty"));
    }
    if op.result_count() == 0 {
        return fail("has no result, expected at least one image".into());
    }
    for (index, result) in op.results().enumerate() {
        let Ok(ty) = RankedTensorType::try_from(result.r#type()) else { continue };
        if !(1..=MAX_RANK).contains(&ty.rank()) {
            return fail(format!("result #{index} has rank {}, expected 1 to {MAX_RANK}", ty.rank()));
        }
        if ty.encoding().is_some() {
            return fail(format!("result #{index} has type '{ty}', expected a tensor without encoding"));
        }
    }
    Ok(())
}

pub(super) fn stage<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    named_images(op)?;
    let first = stage.image_type(0);
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
    if let Some((index, ty)) = coordinates.iter().enumerate().find(|(_, ty)| !ty.is_index()) {
        return fail(format!("coordinate #{index} has type '{ty}', expected 'index'"));
    }
    if coordinates.len() != first.rank() {
        return fail(format!(
            "body has {} coordinates, expected {}, one for each dimension of '{first}'",
            coordinates.len(),
            first.rank()
        ));
    }
    needed(stage)
}

fn needed<'c>(stage: Stage<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(stage.op(), message));
    let Some(needed) = stage.needed() else { return Ok(()) };
    let ends = stage.op().attribute("needed").map_or(0, |needed| integers(needed).len());
    if ends % 2 != 0 {
        return fail(format!(
            "'in' has {ends} ends of intervals, expected {}, two for each dimension",
            2 * stage.rank()
        ));
    }
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
    let Some(terminator) = terminator.filter(|op| ir::name_of(*op) == "pipeline.yield") else {
        return Err(Diagnostic::on(op, "body does not end with pipeline.yield"));
    };
    if terminator.operand_count() != types.len() {
        return Err(Diagnostic::on(
            terminator,
            format!(
                "has {} operands, expected {}, one for each result of {what} \"{name}\"",
                terminator.operand_count(),
                types.len()
            ),
        ));
    }
    for (index, (value, expected)) in terminator.operands().zip(types).enumerate() {
        if value.r#type() != *expected {
            return Err(Diagnostic::on(
                terminator,
                format!(
                    "operand #{index} has type '{}', expected '{expected}' for result #{index} of {what} \"{name}\"",
                    value.r#type()
                ),
            ));
        }
    }
    Ok(())
}

pub(super) fn stage_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    for inner in ir::operations(stage.body()).flat_map(ir::walk) {
        let name = ir::name_of(inner);
        let dialect = name.split('.').next().unwrap_or_default();
        if !matches!(name, Load::NAME | "pipeline.yield") && !BODY_DIALECTS.contains(&dialect) {
            return Err(Diagnostic::on(
                inner,
                format!(
                    "is in stage \"{}\", expected loads and ops of {} only",
                    stage.name(),
                    BODY_DIALECTS.join(", ")
                ),
            ));
        }
        // LLVM would look for library functions that nobody has, and end the process.
        if let Some(ty) =
            inner.results().map(|result| result.r#type()).find(|ty| WIDE_FLOATS.contains(&ty.to_string().as_str()))
        {
            return Err(Diagnostic::on(
                inner,
                format!("gives '{ty}' in stage \"{}\", expected f64 at most", stage.name()),
            ));
        }
    }
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
    if source.encoding().is_some() {
        return fail(format!("source has type '{source}', expected a tensor without encoding"));
    }
    if source.rank() > MAX_RANK {
        return fail(format!("source has rank {}, expected at most {MAX_RANK}", source.rank()));
    }
    if map.result_count() != source.rank() {
        return fail(format!(
            "has {} indices, expected {}, one for each dimension of the source '{source}'",
            map.result_count(),
            source.rank()
        ));
    }
    if map.symbol_count() != 0 {
        return fail(format!(
            "has {} symbols in its map {map}, expected indices that are functions of coordinates only",
            map.symbol_count()
        ));
    }
    if map.dim_count() != coordinates.len() {
        return fail(format!(
            "has {} coordinates, expected {}, as its map {map} says",
            coordinates.len(),
            map.dim_count()
        ));
    }
    if let Some((index, divisor)) = bad_divisor(map) {
        return fail(format!("index #{index} divides by {divisor}, expected a positive constant"));
    }
    for (index, coordinate) in coordinates.iter().enumerate() {
        // Of another value `try_from` prints the op, which verifies it first: without end.
        let is_coordinate = coordinate.is_block_argument()
            && BlockArgument::try_from(*coordinate).is_ok_and(|argument| argument.owner() == stage.body());
        if !is_coordinate {
            return fail(format!(
                "index operand #{index} is not a coordinate of stage \"{}\", expected affine functions of its coordinates",
                stage.name()
            ));
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

/// The first index with a `floordiv`, `ceildiv` or `mod` that has no meaning, and by what it divides.
fn bad_divisor(map: AffineMap) -> Option<(usize, i64)> {
    fn of(expr: AffineExpr) -> Option<i64> {
        if !expr.is_binary() {
            return None;
        }
        let divides = expr.is_floor_div() || expr.is_ceil_div() || expr.is_mod();
        let divisor = (divides && expr.rhs().is_constant()).then(|| expr.rhs().constant_value());
        divisor.filter(|divisor| *divisor < 1).or_else(|| of(expr.lhs())).or_else(|| of(expr.rhs()))
    }
    (0..map.result_count()).find_map(|index| Some((index, of(map.result(index).ok()?)?)))
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
    named_images(op)?;
    let arguments = group.body().argument_count();
    if arguments != 0 {
        return Err(Diagnostic::on(op, format!("body has {arguments} arguments, expected none")));
    }
    let Some(schedule) = group.schedule() else { return Ok(()) };
    // A grid has the rank of the last live-out, in the order of the stages.
    let live_outs: Vec<Value> = group.terminator().map(|end| end.operands().collect()).unwrap_or_default();
    let is_live_out = |stage: &Stage| stage.op().results().any(|result| live_outs.contains(&result.into()));
    let rank = group.stages().iter().rev().find(|stage| is_live_out(stage)).map_or(0, |stage| stage.rank());
    Schedule::parse(schedule, rank).map(drop).map_err(|message| Diagnostic::on(op, message))
}

pub(super) fn group_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(group) = Group::of(op) else { return Ok(()) };
    for inner in ir::operations(group.body()) {
        let name = ir::name_of(inner);
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
        let is_own =
            ir::defining_op(value).and_then(Stage::of).is_some_and(|stage| stage.op().block() == Some(group.body()));
        if !is_own {
            return Err(Diagnostic::on(
                terminator,
                format!(
                    "operand #{index} is not a result of a stage of group \"{}\", expected its live-outs",
                    group.name()
                ),
            ));
        }
    }
    Ok(())
}
