//! What ODS cannot say of an op. Every message names the operand, what was found and what is expected, and has its
//! line in `test/Dialect/Pipeline/invalid.mlir`, or in a file beside it.

use super::{
    ops::{
        Boundary, Extent, Group, Iterate, Load, Reduce, Stage, Unit, integers, reduces_around, static_extents, text_of,
    },
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

/// Checks what units and groups have in common: a name, and images as results.
pub(super) fn named_images<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
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
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    named_images(op)?;
    shaped(*stage, op.operand_count())?;
    coordinates(*stage, stage.rank())?;
    needed(*stage)
}

/// Checks that the results of a unit have one shape, and extents for it.
pub(super) fn shaped<'c>(unit: Unit<'c, '_>, operands: usize) -> Verdict<'c> {
    let op = unit.op();
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let first = unit.image_type(0);
    for index in 1..op.result_count() {
        let other = unit.image_type(index);
        if static_extents(other) != static_extents(first) {
            return fail(format!("result #{index} has type '{other}', expected the shape of result #0, '{first}'"));
        }
    }
    let dynamic = static_extents(first).iter().filter(|extent| extent.is_none()).count();
    if operands != dynamic {
        return fail(format!(
            "has {operands} extent operands, expected {dynamic}, one for each ? of '{first}', as in sized(%h, %w)",
        ));
    }
    Ok(())
}

/// Checks that the body has this many coordinates.
pub(super) fn coordinates<'c>(unit: Unit<'c, '_>, expected: usize) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(unit.op(), message));
    let coordinates: Vec<Type> = ir::arguments(unit.body()).map(|coordinate| coordinate.r#type()).collect();
    if let Some((index, ty)) = coordinates.iter().enumerate().find(|(_, ty)| !ty.is_index()) {
        return fail(format!("coordinate #{index} has type '{ty}', expected 'index'"));
    }
    if coordinates.len() != expected {
        return fail(format!(
            "body has {} coordinates, expected {expected}, one for each dimension of '{}'",
            coordinates.len(),
            unit.image_type(0)
        ));
    }
    Ok(())
}

pub(super) fn needed<'c>(stage: Unit<'c, '_>) -> Verdict<'c> {
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
                "interval [{}, {}) of dimension {dimension} is not inside the {}'s [0, {extent})",
                end(lo),
                end(hi),
                stage.kind()
            ));
        }
    }
    Ok(())
}

/// Checks what a region ends with against what its op gives: one value of the right type for each result.
pub(super) fn yields<'c>(op: OperationRef<'c, '_>, what: &str, types: &[Type<'c>]) -> Verdict<'c> {
    let terminator = op.region(0).ok().and_then(|region| region.first_block()?.terminator());
    let Some(terminator) = terminator.filter(|op| ir::name_of(*op) == "pipeline.yield") else {
        return Err(Diagnostic::on(op, "body does not end with pipeline.yield"));
    };
    if terminator.operand_count() != types.len() {
        return Err(Diagnostic::on(
            terminator,
            format!(
                "has {} operands, expected {}, one for each result of {what}",
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
                    "operand #{index} has type '{}', expected '{expected}' for result #{index} of {what}",
                    value.r#type()
                ),
            ));
        }
    }
    Ok(())
}

pub(super) fn stage_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(stage) = Stage::of(op) else { return Ok(()) };
    body_ops(*stage, &["pipeline.yield"])?;
    yields(op, &format!("stage \"{}\"", stage.name()), &elements(*stage))
}

/// The types of the values that a unit gives at a point.
pub(super) fn elements<'c>(unit: Unit<'c, '_>) -> Vec<Type<'c>> {
    (0..unit.op().result_count()).map(|index| unit.image_type(index).element()).collect()
}

/// Checks that a body is made of loads, `more`, and ops that compute values.
pub(super) fn body_ops<'c>(unit: Unit<'c, '_>, more: &[&str]) -> Verdict<'c> {
    for inner in ir::operations(unit.body()).flat_map(ir::walk) {
        let name = ir::name_of(inner);
        let dialect = name.split('.').next().unwrap_or_default();
        let is_ours =
            matches!(name, Load::NAME | Load::GATHER | Reduce::NAME | "pipeline.yield") || more.contains(&name);
        if !is_ours && !BODY_DIALECTS.contains(&dialect) {
            return Err(Diagnostic::on(
                inner,
                format!(
                    "is in {} \"{}\", expected loads, gathers, reduces and ops of {} only",
                    unit.kind(),
                    unit.name(),
                    BODY_DIALECTS.join(", ")
                ),
            ));
        }
        // LLVM would look for library functions that nobody has, and end the process.
        let is_narrow = |ty: &Type| ty.is_f32() || ty.is_f64() || ty.is_f16() || ty.is_bf16();
        // The type as text last: it takes long to print.
        let is_wide = |ty: &Type| ty.is_float() && !is_narrow(ty) && WIDE_FLOATS.contains(&ty.to_string().as_str());
        if let Some(ty) = inner.results().map(|result| result.r#type()).find(is_wide) {
            return Err(Diagnostic::on(
                inner,
                format!("gives '{ty}' in {} \"{}\", expected f64 at most", unit.kind(), unit.name()),
            ));
        }
    }
    Ok(())
}

/// What is said of an op of a body that is in none.
const OUTSIDE: &str = "is not inside a pipeline.stage, pipeline.scan or pipeline.scatter";

pub(super) fn load<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(load) = Load::of(op) else { return Ok(()) };
    let Some(unit) = load.unit() else {
        return fail(OUTSIDE.into());
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
    let is_computed: Vec<bool> = coordinates.iter().map(|value| !is_coordinate(*value, unit, op)).collect();
    if is_gather(op) {
        if let Some((index, expr)) = mixed(map, &is_computed) {
            return fail(format!(
                "index #{index} ({expr}) computes with a computed value, expected it alone or an affine function of coordinates"
            ));
        }
        if load.boundary() == Boundary::None {
            return fail(
                "has no boundary, expected clamp, mirror, reflect101, wrap or constant: a computed index can be anything".into(),
            );
        }
    } else if let Some(index) = is_computed.iter().position(|is_computed| *is_computed) {
        return fail(format!(
            "index operand #{index} is not a coordinate of {} \"{}\", expected affine functions of its coordinates; a computed index is for pipeline.gather",
            unit.kind(),
            unit.name()
        ));
    }
    match (load.boundary(), load.padding()) {
        (Boundary::Constant, None) => fail("boundary 'constant' has no value, expected one, as in constant(%v)".into()),
        (Boundary::Constant, Some(_)) | (_, None) => empty_source(load, source),
        (boundary, Some(_)) => {
            fail(format!("boundary '{}' has a value in parentheses, expected none", boundary.keyword()))
        }
    }
}

fn is_gather(op: OperationRef) -> bool {
    ir::name_of(op) == Load::GATHER
}

/// Whether a value is a coordinate of the unit, or a variable of a reduce around the op.
fn is_coordinate<'c, 'a>(value: Value<'c, 'a>, unit: Unit<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    // Of another value `try_from` prints the op, which verifies it first: without end.
    if !value.is_block_argument() {
        return false;
    }
    let Ok(argument) = BlockArgument::try_from(value) else { return false };
    let is_variable = |reduce: &Reduce<'c, 'a>| {
        argument.owner() == reduce.body() && argument.argument_number() < reduce.window().len()
    };
    argument.owner() == unit.body() || reduces_around(op).iter().any(is_variable)
}

/// The first index that takes a computed value, and does more than that.
fn mixed<'c>(map: AffineMap<'c>, is_computed: &[bool]) -> Option<(usize, AffineExpr<'c>)> {
    fn takes(expr: AffineExpr, is_computed: &[bool]) -> bool {
        match () {
            () if expr.is_dim() => is_computed.get(expr.dim_position()).copied().unwrap_or(false),
            () if expr.is_binary() => takes(expr.lhs(), is_computed) || takes(expr.rhs(), is_computed),
            () => false,
        }
    }
    let exprs = (0..map.result_count()).filter_map(|index| Some((index, map.result(index).ok()?)));
    exprs.into_iter().find(|(_, expr)| !expr.is_dim() && takes(*expr, is_computed))
}

/// More points than this make no window: kernels count with 32 bits.
const MAX_WINDOW: i64 = i32::MAX as i64;

pub(super) fn reduce<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(reduce) = Reduce::of(op) else { return Ok(()) };
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    if parents.into_iter().all(|op| Unit::of(op).is_none()) {
        return fail(OUTSIDE.into());
    }
    let ends = op.attribute("window").map_or(0, |window| integers(window).len());
    let window = reduce.window();
    if window.is_empty() || ends % 2 != 0 || window.len() > MAX_RANK {
        return fail(format!(
            "window has {ends} ends of intervals, expected two for each of 1 to {MAX_RANK} variables"
        ));
    }
    for (index, (lo, hi)) in window.iter().enumerate() {
        if *lo == i64::MIN || *hi == i64::MIN {
            return fail(format!("interval of variable #{index} has a '?', expected numbers"));
        }
        if lo >= hi {
            return fail(format!("interval [{lo}, {hi}) of variable #{index} is empty, expected at least one point"));
        }
        if lo.saturating_abs().max(hi.saturating_abs()) > MAX_WINDOW {
            return fail(format!("interval [{lo}, {hi}) of variable #{index} goes beyond 32 bits"));
        }
    }
    if reduce.volume() > MAX_WINDOW {
        return fail(format!("window has {} points, expected at most {MAX_WINDOW}", reduce.volume()));
    }
    let inits = reduce.inits();
    if inits.is_empty() {
        return fail("has no accumulator, expected at least one, as in (%acc = %zero : f32)".into());
    }
    let found: Vec<Type> = ir::arguments(reduce.body()).map(|argument| argument.r#type()).collect();
    if found.len() != window.len() + inits.len() {
        return fail(format!(
            "body has {} arguments, expected {}: {} variables of the window and {} accumulators",
            found.len(),
            window.len() + inits.len(),
            window.len(),
            inits.len()
        ));
    }
    if let Some((index, ty)) = found[..window.len()].iter().enumerate().find(|(_, ty)| !ty.is_index()) {
        return fail(format!("variable #{index} has type '{ty}', expected 'index'"));
    }
    for (index, (init, ty)) in inits.iter().zip(&found[window.len()..]).enumerate() {
        if init.r#type() != *ty {
            return fail(format!(
                "accumulator #{index} has type '{ty}', expected that of its init, '{}'",
                init.r#type()
            ));
        }
    }
    let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    if results.len() != inits.len() {
        return fail(format!("has {} results, expected {}, one for each accumulator", results.len(), inits.len()));
    }
    for (index, (init, ty)) in inits.iter().zip(&results).enumerate() {
        if init.r#type() != *ty {
            return fail(format!(
                "result #{index} has type '{ty}', expected that of its accumulator, '{}'",
                init.r#type()
            ));
        }
    }
    Ok(())
}

pub(super) fn reduce_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(reduce) = Reduce::of(op) else { return Ok(()) };
    let types: Vec<Type> = reduce.inits().iter().map(|init| init.r#type()).collect();
    yields(op, "the reduce", &types)
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
    yields(op, &format!("group \"{}\"", group.name()), &types)?;
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

pub(super) fn iterate<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(iterate) = Iterate::of(op) else { return Ok(()) };
    named_images(op)?;
    let (initial, states) = (iterate.initial(), iterate.states());
    let fail = |message: String| Err(Diagnostic::on(op, message));
    if initial.len() != op.result_count() {
        return fail(format!(
            "begins with {} images, expected {}, one for each result",
            initial.len(),
            op.result_count()
        ));
    }
    if states.len() != initial.len() {
        return fail(format!("body has {} states, expected {}, one for each result", states.len(), initial.len()));
    }
    for (number, ((initial, state), result)) in initial.iter().zip(&states).zip(op.results()).enumerate() {
        let ty = initial.r#type();
        if state.r#type() != ty || result.r#type() != ty {
            return fail(format!(
                "state #{number} has type '{}' and result #{number} type '{}', expected '{ty}', with which it begins",
                state.r#type(),
                result.r#type()
            ));
        }
    }
    Ok(())
}

pub(super) fn iterate_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(iterate) = Iterate::of(op) else { return Ok(()) };
    let types: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    yields(op, &format!("iterate \"{}\"", iterate.name()), &types)?;
    let nested = ir::operations(iterate.body()).find(|op| Iterate::of(*op).is_some());
    match nested {
        Some(nested) => {
            Err(Diagnostic::on(nested, format!("is in iterate \"{}\", expected no iterate in another", iterate.name())))
        }
        None => Ok(()),
    }
}
