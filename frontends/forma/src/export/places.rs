//! Reduces that find where in a window a value is least or greatest.
//!
//! ```text
//! %r:2 = pipeline.reduce (%d) in [0, 16) (%low = %inf, %at = %zero) {
//!   %c = arith.cmpf olt, %v, %low
//!   %i = arith.index_cast %d : index to i32                                 ──▶      let p, v = argmin[d = 0..15](...);
//!   pipeline.yield select(%c, %v, %low), select(%c, %i, %at)
//! ```

use super::{
    body::Body,
    exporter::{Exporter, key},
    names::local,
    terms::{Term, signed, unsigned},
};
use crate::ast::Type;
use melior::ir::{
    OperationRef, Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationLike,
};
use mlir_glue::ir;
use weft_dialects::pipeline::Reduce;

/// Names of variables, the last one first.
const VARIABLES: [&str; 4] = ["i", "j", "k", "l"];

/// What a reduce looks for.
struct Sought<'c, 'a> {
    is_least: bool,
    ty: Type,
    value: Value<'c, 'a>,
}

impl Exporter {
    /// A reduce as `let`.
    pub(super) fn places<'c: 'a, 'a: 'v, 'v>(&self, reduce: Reduce<'c, 'a>, body: &mut Body<'v>) -> Result<(), String> {
        let Some(Sought { is_least, ty, value }) = sought(reduce) else {
            return Err("Forma cannot say pipeline.reduce".into());
        };
        if body.in_window {
            return Err("Forma cannot say a place in a window in another".into());
        }
        let window = reduce.window();
        let mut windows = Vec::new();
        for (index, ((lo, hi), variable)) in window.iter().zip(reduce.variables()).enumerate() {
            let name = local(&mut body.names, VARIABLES[(window.len() - 1 - index).min(3)]);
            windows.push(format!("{name} = {lo}..{}", hi - 1));
            body.terms.insert(key(variable), Term::primary(name, Type::Index));
        }
        body.in_window = true;
        let of_sought = |op: &OperationRef<'c, 'a>| ir::name_of(*op) != "pipeline.yield" && is_of(*op, reduce);
        let written = ir::operations(reduce.body()).filter(of_sought).try_for_each(|op| self.op(op, body));
        body.in_window = false;
        written?;
        body.give(self, value);
        let term = self.find(&body.terms, value).ok_or("a value from nowhere")?;
        // The op says whether the numbers have a sign.
        let text = if term.ty == ty { term.typed() } else { term.cast(ty) };
        let depth = term.depth + 1;
        let mut names: Vec<String> = window.iter().map(|_| local(&mut body.names, "place")).collect();
        for (index, name) in names.iter().enumerate() {
            let place: Value = reduce.op().result(index + 1).map_err(|error| error.to_string())?.into();
            body.terms.insert(key(place), Term { depth, ..Term::primary(format!("int({name})"), Type::I32) });
            body.places.insert(key(place), name.clone());
        }
        let least: Value = reduce.op().result(0).map_err(|error| error.to_string())?.into();
        if ir::has_uses(least) {
            let name = local(&mut body.names, "v");
            body.terms.insert(key(least), Term::primary(name.clone(), ty));
            names.push(name);
        }
        let function = if is_least { "argmin" } else { "argmax" };
        body.lets.push_str(&format!("    let {} = {function}[{}]({text});\n", names.join(", "), windows.join(", ")));
        Ok(())
    }
}

/// Whether an op of a reduce is of the value that it looks for: it does not know what was found so far, nor is it a place.
fn is_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>, reduce: Reduce<'c, 'a>) -> bool {
    let accumulators = reduce.accumulators();
    let is_place = ir::name_of(op) == "arith.index_cast"
        && ir::operand(op, 0).is_some_and(|value| reduce.variables().contains(&value))
        && op
            .results()
            .all(|value| ir::uses(value.into()).iter().all(|(user, _)| ir::name_of(*user) == "arith.select"));
    let is_found = ir::name_of(op) == "arith.select" && op.operands().any(|value| accumulators.contains(&value));
    let compares = op.operands().any(|value| accumulators.contains(&value));
    !is_place && !is_found && !compares
}

/// What a reduce looks for, if it looks for a place and nothing else.
fn sought<'c: 'a, 'a>(reduce: Reduce<'c, 'a>) -> Option<Sought<'c, 'a>> {
    let (accumulators, variables) = (reduce.accumulators(), reduce.variables());
    let next: Vec<Value<'c, 'a>> = reduce.terminator()?.operands().collect();
    if accumulators.len() != variables.len() + 1 || next.len() != accumulators.len() {
        return None;
    }
    let select = |index: usize| ir::defining_op(next[index]).filter(|op| ir::name_of(*op) == "arith.select");
    let first = select(0)?;
    let (condition, value) = (ir::operand(first, 0)?, ir::operand(first, 1)?);
    let compare = ir::defining_op(condition)?;
    let is_of_both = ir::operand(compare, 0) == Some(value) && ir::operand(compare, 1) == Some(accumulators[0]);
    if !is_of_both || ir::operand(first, 2) != Some(accumulators[0]) {
        return None;
    }
    let case = IntegerAttribute::try_from(compare.attribute("predicate").ok()?).ok()?.value();
    let plain = signed(value.r#type()).ok()?;
    // By their numbers: ordered less and greater of floats, less and greater with and without sign.
    let (is_least, ty) = match (ir::name_of(compare), case) {
        ("arith.cmpf", 4) => (true, plain),
        ("arith.cmpf", 2) => (false, plain),
        ("arith.cmpi", 2) => (true, plain),
        ("arith.cmpi", 4) => (false, plain),
        ("arith.cmpi", 6) => (true, unsigned(plain)),
        ("arith.cmpi", 8) => (false, unsigned(plain)),
        _ => return None,
    };
    for (index, (variable, (lo, _))) in variables.iter().zip(reduce.window()).enumerate() {
        let op = select(index + 1)?;
        let place = ir::defining_op(ir::operand(op, 1)?).filter(|op| ir::name_of(*op) == "arith.index_cast")?;
        let begin = integer(reduce.inits()[index + 1])?;
        let is_it = ir::operand(op, 0) == Some(condition)
            && ir::operand(op, 2) == Some(accumulators[index + 1])
            && ir::operand(place, 0) == Some(*variable)
            && begin == lo
            && place.result(0).is_ok_and(|value| signed(value.r#type()) == Ok(Type::I32));
        if !is_it {
            return None;
        }
    }
    is_worst(*reduce.inits().first()?, ty, is_least).then_some(Sought { is_least, ty, value })
}

fn integer(value: Value) -> Option<i64> {
    let op = ir::defining_op(value).filter(|op| ir::name_of(*op) == "arith.constant")?;
    Some(IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?.value())
}

/// Whether a number is the one that all others are better than.
fn is_worst(value: Value, ty: Type, is_least: bool) -> bool {
    let Some(op) = ir::defining_op(value) else { return false };
    if ty.is_float() {
        let value = op.attribute("value").ok().and_then(|value| FloatAttribute::try_from(value).ok());
        let worst = if is_least { f64::INFINITY } else { f64::NEG_INFINITY };
        return value.is_some_and(|value| value.value() == worst);
    }
    let bits = ty.bits();
    let (lowest, all) = if ty.is_unsigned() { (0, -1) } else { (-1i64 << (bits - 1), !(-1i64 << (bits - 1))) };
    // Attributes have their numbers with a sign, or without.
    let has_bits = |found: i64, wanted: i64| (found ^ wanted) & (!0 >> (64 - bits)) == 0;
    integer(value).is_some_and(|found| has_bits(found, if is_least { all } else { lowest }))
}
