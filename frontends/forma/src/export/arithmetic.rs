//! Ops on values as operators, functions and casts.

use super::terms::{PREFIX, PRIMARY, Term, signed, unsigned, with_sign};
use crate::ast::{Binary, Type, type_name};
use melior::ir::{
    OperationRef, Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationLike,
};
use mlir_glue::ir;

/// The type that operands have in Forma, of which IR says the width.
#[derive(Clone, Copy)]
enum Of {
    /// As IR says it: of floats, bools and indices.
    Plain,
    /// As operands have it that are no literals.
    Operands,
    Signed,
    Unsigned,
}

/// An op on values, of which `find` knows the operands.
pub(super) fn arithmetic(op: OperationRef, find: &dyn Fn(Value) -> Option<Term>) -> Result<Term, String> {
    let name = ir::name_of(op);
    let cannot = || format!("Forma cannot say {name}");
    let result: Value = op.result(0).map_err(|error| error.to_string())?.into();
    let ty = signed(result.r#type())?;
    if name == "arith.constant" {
        return constant(op, ty).ok_or_else(cannot);
    }
    let mut terms = Vec::new();
    for operand in op.operands() {
        terms.push(find(operand).ok_or_else(|| format!("Forma cannot say an operand of {name}"))?);
    }
    if let Some((sign, of)) = operator(name, ty) {
        let of = typed(of, ty, &terms);
        return Ok(binary(sign, &terms, of, of));
    }
    if let Some((function, of)) = function(name, ty) {
        let of = typed(of, ty, &terms);
        let (a, b) = pair(&terms, of, [0, 0]);
        return Ok(call(function, &format!("{a}, {b}"), of, &terms));
    }
    match name {
        "arith.cmpf" | "arith.cmpi" => {
            let case = op.attribute("predicate").ok().and_then(|case| IntegerAttribute::try_from(case).ok());
            let case = case.ok_or_else(cannot)?.value();
            let (sign, of) = if name == "arith.cmpf" {
                (comparison_of_floats(case).ok_or("Forma cannot say this comparison of floats")?, Of::Plain)
            } else {
                usize::try_from(case).ok().and_then(|case| COMPARISONS.get(case)).copied().ok_or_else(cannot)?
            };
            if matches!(of, Of::Unsigned) && terms[0].ty == Type::Index {
                return Err("Forma cannot say a comparison of indices without sign".into());
            }
            Ok(binary(sign, &terms, typed(of, terms[0].ty, &terms), Type::Bool))
        }
        "arith.select" => {
            let of = common(&terms[1..]);
            let (a, b) = pair(&terms[1..], of, [1, 1]);
            Ok(composed(format!("{} ? {a} : {b}", terms[0].within(1)), of, 0, &terms))
        }
        _ => unary(name, &terms, ty).ok_or_else(cannot),
    }
}

// ---- Tables ------------------------------------------------------------------------------------------------------------------

/// The operator that an op of this type is. `/`, `%` and `>>` of indices round down, which only some ops do.
fn operator(name: &str, ty: Type) -> Option<(Binary, Of)> {
    let is_index = ty == Type::Index;
    Some(match name {
        "arith.addf" => (Binary::Add, Of::Plain),
        "arith.subf" => (Binary::Sub, Of::Plain),
        "arith.mulf" => (Binary::Mul, Of::Plain),
        "arith.divf" => (Binary::Div, Of::Plain),
        "arith.remf" => (Binary::Rem, Of::Plain),
        "arith.addi" => (Binary::Add, Of::Operands),
        "arith.subi" => (Binary::Sub, Of::Operands),
        "arith.muli" => (Binary::Mul, Of::Operands),
        "arith.andi" if ty == Type::Bool => (Binary::AndAnd, Of::Plain),
        "arith.ori" if ty == Type::Bool => (Binary::OrOr, Of::Plain),
        "arith.andi" => (Binary::And, Of::Operands),
        "arith.ori" => (Binary::Or, Of::Operands),
        "arith.xori" => (Binary::Xor, Of::Operands),
        "arith.shli" => (Binary::Shl, Of::Operands),
        "arith.shrsi" => (Binary::Shr, Of::Signed),
        "arith.shrui" if !is_index => (Binary::Shr, Of::Unsigned),
        "arith.divsi" if !is_index => (Binary::Div, Of::Signed),
        "arith.divui" if !is_index => (Binary::Div, Of::Unsigned),
        "arith.remsi" if !is_index => (Binary::Rem, Of::Signed),
        "arith.remui" if !is_index => (Binary::Rem, Of::Unsigned),
        "arith.floordivsi" if is_index => (Binary::Div, Of::Plain),
        _ => return None,
    })
}

/// The function of two numbers that an op of this type is.
fn function(name: &str, ty: Type) -> Option<(&'static str, Of)> {
    let is_index = ty == Type::Index;
    Some(match name {
        "arith.minimumf" | "arith.minsi" => ("min", Of::Signed),
        "arith.maximumf" | "arith.maxsi" => ("max", Of::Signed),
        "arith.minui" if !is_index => ("min", Of::Unsigned),
        "arith.maxui" if !is_index => ("max", Of::Unsigned),
        "math.powf" => ("pow", Of::Plain),
        "math.atan2" => ("atan2", Of::Plain),
        _ => return None,
    })
}

/// Predicates of `arith.cmpi`, by their numbers.
const COMPARISONS: [(Binary, Of); 10] = [
    (Binary::Eq, Of::Operands),
    (Binary::Ne, Of::Operands),
    (Binary::Lt, Of::Signed),
    (Binary::Le, Of::Signed),
    (Binary::Gt, Of::Signed),
    (Binary::Ge, Of::Signed),
    (Binary::Lt, Of::Unsigned),
    (Binary::Le, Of::Unsigned),
    (Binary::Gt, Of::Unsigned),
    (Binary::Ge, Of::Unsigned),
];

/// Predicates of `arith.cmpf`, by their numbers: those that NaN makes false, and "not equal", which it makes true.
fn comparison_of_floats(case: i64) -> Option<Binary> {
    Some(match case {
        1 => Binary::Eq,
        2 => Binary::Gt,
        3 => Binary::Ge,
        4 => Binary::Lt,
        5 => Binary::Le,
        13 => Binary::Ne,
        _ => return None,
    })
}

/// An op of one operand.
fn unary(name: &str, terms: &[Term], ty: Type) -> Option<Term> {
    let from = terms.first()?;
    let cast = |to: Type, text: &str| call(type_name(to), text, to, terms);
    Some(match name {
        "arith.negf" => {
            let operand = match from.is_literal {
                true => format!("{}({})", type_name(ty), from.text),
                false => from.within(PRIMARY),
            };
            composed(format!("-{operand}"), ty, PREFIX, terms)
        }
        "math.absf" | "math.absi" => call("abs", &from.cast(with_sign(ty)), with_sign(ty), terms),
        "math.exp" | "math.exp2" | "math.log" | "math.log2" | "math.sqrt" | "math.rsqrt" | "math.sin" | "math.cos"
        | "math.tanh" | "math.atan" | "math.floor" | "math.ceil" => {
            call(name.trim_start_matches("math."), &from.typed(), ty, terms)
        }
        "math.roundeven" => call("round", &from.typed(), ty, terms),
        "arith.extui" | "arith.uitofp" | "arith.index_castui" => {
            let to = if from.ty == Type::Index { unsigned(ty) } else { ty };
            cast(to, &from.cast(unsigned(from.ty)))
        }
        "arith.extsi" | "arith.sitofp" | "arith.index_cast" | "arith.trunci" if from.ty != Type::Bool => {
            cast(ty, &from.cast(with_sign(from.ty)))
        }
        "arith.extf" | "arith.truncf" | "arith.fptosi" => cast(ty, &from.typed()),
        "arith.fptoui" => cast(unsigned(ty), &from.typed()),
        _ => return None,
    })
}

// ---- Text --------------------------------------------------------------------------------------------------------------------

fn constant(op: OperationRef, ty: Type) -> Option<Term> {
    let value = op.attribute("value").ok()?;
    let text = match ty {
        Type::Bool => (IntegerAttribute::try_from(value).ok()?.value() != 0).to_string(),
        ty if ty.is_float() => literal(FloatAttribute::try_from(value).ok()?.value(), ty)?,
        _ => IntegerAttribute::try_from(value).ok()?.value().to_string(),
    };
    Some(Term { is_literal: true, ..Term::primary(text, ty) })
}

/// A float with as few digits as its type needs. Infinity is what a literal that is too large for its type becomes; none is too large
/// for `double`, and NaN has none.
pub(super) fn literal(value: f64, ty: Type) -> Option<String> {
    Some(match ty {
        Type::F16 | Type::F32 if value.is_infinite() => format!("{:e}", 1e300f64.copysign(value)),
        _ if !value.is_finite() => return None,
        // The nearest f32 of the shortest digits is the same one.
        Type::F32 => format!("{:?}", value as f32),
        _ => format!("{value:?}"),
    })
}

/// What is made of these operands.
fn composed(text: String, ty: Type, binds: u8, terms: &[Term]) -> Term {
    let depth = terms.iter().map(|term| term.depth).max().unwrap_or(0) + 1;
    Term { depth, binds, ..Term::primary(text, ty) }
}

fn call(function: &str, args: &str, ty: Type, terms: &[Term]) -> Term {
    composed(format!("{function}({args})"), ty, PRIMARY, terms)
}

fn binary(sign: Binary, terms: &[Term], of: Type, gives: Type) -> Term {
    let own = sign.binds();
    let (a, b) = pair(terms, of, [own, own + 1]);
    composed(format!("{a} {} {b}", sign.sign()), gives, own, terms)
}

/// Both operands of one type; one of two literals has it said. What binds less than `least` is put in brackets.
fn pair(terms: &[Term], of: Type, least: [u8; 2]) -> (String, String) {
    let both = terms.len() >= 2 && terms[0].is_literal && terms[1].is_literal;
    let text = |index: usize| match &terms[index] {
        term if term.is_literal && (both || of.is_unsigned() && is_negative(term)) => term.said_as(of),
        term if term.is_literal => term.text.clone(),
        term if term.ty == of => term.within(least[index]),
        term => term.cast(of),
    };
    (text(0), text(1))
}

/// The type of operands of which IR says that it is like `ty`.
fn typed(of: Of, ty: Type, terms: &[Term]) -> Type {
    match of {
        Of::Plain => ty,
        Of::Operands => common(terms),
        Of::Signed => with_sign(ty),
        Of::Unsigned => unsigned(ty),
    }
}

/// The type of operands of which literals may be some: what these stand beside says the sign.
fn common(terms: &[Term]) -> Type {
    let of = terms.iter().find(|term| !term.is_literal).map_or(terms[0].ty, |term| term.ty);
    if of.is_unsigned() && terms.iter().any(is_negative) { with_sign(of) } else { of }
}

fn is_negative(term: &Term) -> bool {
    term.is_literal && term.text.starts_with('-')
}
