//! `--factor-extremes`: what two extremes have in common is compared once.
//!
//! ```text
//! %0 = arith.minui %x, %a                 %0 = arith.maxui %a, %b
//! %1 = arith.minui %x, %b        ──▶      %1 = arith.minui %x, %0
//! %2 = arith.maxui %0, %1
//! ```
//!
//! The lesser and the greater distribute over each other, as products over sums do, but to the bit: nothing is rounded. So it is with
//! floats where -0 is less than 0 and whatever meets no number is none (`minimumf`, `maximumf`); where a number is preferred (`minnumf`)
//! it is not. Only where both are read here alone: else three ops become three, or four.

use crate::ir::{Builder, is};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};

/// The pass.
pub struct FactorExtremes;

const FACTORED: Statistic = Statistic::new(c"factored", c"Extremes of two that had an operand in common");

/// Ops that distribute over each other.
const DUALS: [(&str, &str); 3] =
    [("arith.minsi", "arith.maxsi"), ("arith.minui", "arith.maxui"), ("arith.minimumf", "arith.maximumf")];

impl Pass for FactorExtremes {
    const ARGUMENT: &'static str = "factor-extremes";
    const SUMMARY: &'static str = "Compare once what two extremes have in common";
    const DESCRIPTION: &'static str = "\
Replaces `max(min(x, a), min(x, b))`, where the two are not read elsewhere, by `min(x, max(a, b))`, and the same with least and greatest \
exchanged. No value changes.";
    const STATISTICS: &'static [Statistic] = &[FACTORED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        // What an extreme is made of comes before it, and is factored by then.
        let factored = ir::walk(module).into_iter().filter(|op| factor(cx, *op).is_some()).count();
        cx.count(FACTORED, factored);
        Ok(())
    }
}

/// Makes an extreme of two that have an operand in common one of that operand.
fn factor<'c: 'a, 'a>(cx: &PassContext<'c>, outer: OperationRef<'c, 'a>) -> Option<()> {
    let name = ir::name_of(outer);
    let dual = DUALS.iter().find_map(|(least, greatest)| match name {
        _ if name == *least => Some(*greatest),
        _ if name == *greatest => Some(*least),
        _ => None,
    })?;
    let inner = [0, 1].map(|number| ir::operand(outer, number).and_then(ir::defining_op));
    let [Some(first), Some(second)] = inner else { return None };
    let is_read_here = |op: OperationRef| ir::result(op, 0).is_some_and(|value| ir::uses(value).len() == 1);
    if [first, second].iter().any(|op| !is(*op, dual) || !is_read_here(*op)) {
        return None;
    }
    let operands = |op| Some([ir::operand(op, 0)?, ir::operand(op, 1)?]);
    let (ours, theirs): ([Value; 2], [Value; 2]) = (operands(first)?, operands(second)?);
    let (at, other) = (0..4).map(|pair| (pair / 2, pair % 2)).find(|(at, other)| ours[*at] == theirs[*other])?;

    let b = Builder::before(cx.context(), outer);
    let ty = ours[at].r#type();
    let rest = b.value(name, &[ours[1 - at], theirs[1 - other]], ty, &[]);
    let whole = b.value(dual, &[ours[at], rest], ty, &[]);
    ir::replace_all_uses(ir::result(outer, 0)?, whole);
    [outer, first, second].into_iter().for_each(ir::erase);
    Some(())
}
