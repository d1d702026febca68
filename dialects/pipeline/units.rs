//! What ODS cannot say of the units of work beside stages: scans and scatters.
//!
//! Messages have their lines in `test/Dialect/Pipeline/invalid-scan.mlir` and `invalid-scatter.mlir`.

use super::{
    combine::Combine,
    ops::{Extent, Previous, Scan, Scatter, segments},
    verify::{body_ops, coordinates, elements, named_images, needed, shaped, yields},
};
use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, attribute::IntegerAttribute, operation::OperationLike,
};
use mlir_glue::{Diagnostic, Verdict};

/// No more variables than an image has dimensions: they have names.
const MAX_VARIABLES: usize = 4;

pub(super) fn scan<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(scan) = Scan::of(op) else { return Ok(()) };
    named_images(op)?;
    shaped(*scan, op.operand_count())?;
    coordinates(*scan, scan.rank())?;
    let along = integer(op, "along");
    if !(0..scan.rank() as i64).contains(&along) {
        return Err(Diagnostic::on(
            op,
            format!(
                "walks along dimension {along}, expected one of the {} of '{}', counted from 0",
                scan.rank(),
                scan.image_type(0)
            ),
        ));
    }
    needed(*scan)
}

pub(super) fn scan_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(scan) = Scan::of(op) else { return Ok(()) };
    body_ops(*scan, &["pipeline.yield", Previous::NAME])?;
    yields(op, &format!("scan \"{}\"", scan.name()), &elements(*scan))
}

pub(super) fn previous<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(previous) = Previous::of(op) else { return Ok(()) };
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let Some(scan) = parents.into_iter().find_map(Scan::of) else {
        return fail("is not inside a pipeline.scan".into());
    };
    let distance = previous.distance();
    if distance < 1 {
        return fail(format!(
            "reads {distance} points before its own, expected at least 1: scan \"{}\" has not computed what lies ahead",
            scan.name()
        ));
    }
    let (count, wanted) = (scan.op().result_count(), integer(op, "of"));
    if !(0..count as i64).contains(&wanted) {
        return fail(format!(
            "reads result {wanted} of scan \"{}\", expected one of its {count}, counted from 0",
            scan.name()
        ));
    }
    let (found, expected) = (op.result(0).expect("ODS says one result").r#type(), element_of(*scan, wanted));
    if expected.is_some_and(|expected| expected != found) {
        return fail(format!(
            "gives '{found}', expected '{}', as result {wanted} of scan \"{}\" has",
            expected.expect("just asked"),
            scan.name()
        ));
    }
    Ok(())
}

/// The type of the points of a result, where the results have been checked to be images.
fn element_of<'c>(unit: super::Unit<'c, '_>, result: i64) -> Option<Type<'c>> {
    elements(unit).get(usize::try_from(result).ok()?).copied()
}

pub(super) fn scatter<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(scatter) = Scatter::of(op) else { return Ok(()) };
    named_images(op)?;
    let [ends, initial, extents] = segments(op);
    shaped(*scatter, extents)?;
    let intervals = op.attribute("domain").map_or(Vec::new(), super::integers);
    let variables = intervals.len() / 2;
    if intervals.len() % 2 != 0 || !(1..=MAX_VARIABLES).contains(&variables) {
        return fail(format!(
            "has {} ends of intervals in its domain, expected two for each of 1 to {MAX_VARIABLES} variables",
            intervals.len()
        ));
    }
    let dynamic = intervals.chunks_exact(2).filter(|pair| pair[1] == i64::MIN).count();
    if ends != dynamic {
        return fail(format!(
            "has {ends} operands for ends of its domain, expected {dynamic}, one for each that is open"
        ));
    }
    for (index, (lo, hi)) in scatter.domain().into_iter().enumerate() {
        if let Extent::Static(hi) = hi
            && hi < lo
        {
            return fail(format!("interval #{index} of the domain, [{lo}, {hi}), ends before it begins"));
        }
    }
    let arguments = scatter.body().argument_count();
    if arguments < variables {
        return fail(format!("body has {arguments} arguments, expected {variables} for the domain at least"));
    }
    let coordinate_count = arguments - variables;
    if coordinate_count > scatter.rank() {
        return fail(format!(
            "body has {coordinate_count} coordinates, expected at most {}, the leading dimensions of '{}'",
            scatter.rank(),
            scatter.image_type(0)
        ));
    }
    coordinates(*scatter, arguments)?;
    if initial != op.result_count() {
        return fail(format!("begins from {initial} values, expected {}, one for each result", op.result_count()));
    }
    for (index, (value, expected)) in scatter.initial().into_iter().zip(elements(*scatter)).enumerate() {
        if value.r#type() != expected {
            return fail(format!(
                "begins result #{index} from a value of type '{}', expected '{expected}'",
                value.r#type()
            ));
        }
    }
    combines(scatter)?;
    needed(*scatter)?;
    for (dimension, (part, extent)) in
        scatter.needed().unwrap_or_default().into_iter().zip(scatter.extents()).enumerate()
    {
        let is_all = match extent {
            Extent::Static(extent) => part == (Some(0), Some(extent)),
            Extent::Dynamic(_) => part == (Some(0), None),
        };
        if dimension >= coordinate_count && !is_all {
            return fail(format!("'in' is part of dimension {dimension}, expected all of it: its places are computed"));
        }
    }
    Ok(())
}

/// Checks that the op which joins values is one that may, and is one of the type.
fn combines<'c>(scatter: Scatter<'c, '_>) -> Verdict<'c> {
    let types = elements(*scatter);
    let names = |are_meant: &dyn Fn(&Combine) -> bool| {
        Combine::ALL.into_iter().filter(are_meant).map(Combine::name).collect::<Vec<_>>().join(", ")
    };
    let name = scatter.combine_name();
    let Some(combine) = scatter.combine() else {
        let all = names(&|_| true);
        return Err(Diagnostic::on(scatter.op(), format!("combine is '{name}', expected an associative op: {all}")));
    };
    if let Some((index, ty)) = types.iter().enumerate().find(|(_, ty)| ty.is_float() != combine.is_of_floats()) {
        let alike = names(&|other| other.is_of_floats() == ty.is_float());
        let of = if ty.is_float() { "floats" } else { "integers" };
        return Err(Diagnostic::on(
            scatter.op(),
            format!("combine is '{name}', expected for result #{index}, '{ty}', an op of {of}: {alike}"),
        ));
    }
    if scatter.is_reassociable() && combine != Combine::Addf {
        return Err(Diagnostic::on(
            scatter.op(),
            format!("'reassoc' is said of '{name}', expected it of sums of floats only, 'arith.addf'"),
        ));
    }
    Ok(())
}

pub(super) fn scatter_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(scatter) = Scatter::of(op) else { return Ok(()) };
    body_ops(*scatter, &["pipeline.update"])?;
    let update = scatter.terminator().filter(|op| op.name().as_string_ref().as_str() == Ok("pipeline.update"));
    let Some(update) = update else {
        return Err(Diagnostic::on(op, "body does not end with pipeline.update"));
    };
    let types = elements(*scatter);
    let [values, places, _] = segments(update);
    let name = scatter.name();
    if values != types.len() {
        return Err(Diagnostic::on(
            update,
            format!("has {values} values, expected {}, one for each result of scatter \"{name}\"", types.len()),
        ));
    }
    let operands: Vec<Value> = update.operands().collect();
    for (index, (value, expected)) in operands.iter().zip(&types).enumerate() {
        if value.r#type() != *expected {
            return Err(Diagnostic::on(
                update,
                format!(
                    "value #{index} has type '{}', expected '{expected}' for result #{index} of scatter \"{name}\"",
                    value.r#type()
                ),
            ));
        }
    }
    let expected = scatter.rank() - scatter.coordinate_count();
    if places != expected {
        return Err(Diagnostic::on(
            update,
            format!(
                "has {places} places, expected {expected}, one for each dimension of '{}' behind the {} coordinates",
                scatter.image_type(0),
                scatter.coordinate_count()
            ),
        ));
    }
    Ok(())
}

/// An integer attribute as it stands there; ODS checks that it does.
fn integer(op: OperationRef, name: &str) -> i64 {
    let value = op.attribute(name).ok().and_then(|value| IntegerAttribute::try_from(value).ok());
    value.map_or(0, |value| value.value())
}
