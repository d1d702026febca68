//! `--fold-zeros`: zeros are not added where that changes nothing.
//!
//! ```text
//! %0 = math.fma %d, %d, 0.0        a square is never -0                 %0 = arith.mulf %d, %d
//! %1 = arith.addf 0.0, %0                                       ──▶
//! %2 = arith.addf %1, %b                                                %2 = arith.addf %0, %b
//! ```
//!
//! A reduce begins with 0, and so does what `--unroll-reductions` makes of it. `x + 0` is `x` for every `x` but -0, of which it makes 0. Most
//! values are never -0: a sum only if both its parts are, a square or what was an integer not at all. That is looked up through the
//! stages that a value was loaded from.

use crate::ir::{Builder, Key, constant_float, key, program};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Load};

/// The pass.
pub struct FoldZeros;

const ZEROS: Statistic = Statistic::new(c"zeros", c"Zeros that are not added any more");

impl Pass for FoldZeros {
    const ARGUMENT: &'static str = "fold-zeros";
    const SUMMARY: &'static str = "Do not add zeros that change nothing";
    const DESCRIPTION: &'static str = "\
Replaces `x + 0` by `x`, and a fused `x * x + 0` by the product, where it is known that `x` is not -0: of sums, squares, constants and \
converted integers, also of those that a stage yields. No value changes.";
    const STATISTICS: &'static [Statistic] = &[ZEROS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut signs = Signs::default();
        let ops = ir::walk(module);
        // All is found out before anything changes.
        let folded: Vec<(OperationRef, Folded)> =
            ops.into_iter().filter_map(|op| Some((op, signs.folded(op)?))).collect();
        cx.count(ZEROS, folded.len());
        // A sum that another one begins with has its place taken first.
        for (op, folded) in folded {
            let value: Value = op.result(0).expect("arithmetic has a result").into();
            let number = match folded {
                Folded::Operand(number) => ir::operand(op, number).expect("a sum has two operands"),
                Folded::Square => {
                    let root = ir::operand(op, 0).expect("a product has factors");
                    Builder::before(cx.context(), op).value("arith.mulf", &[root, root], value.r#type(), &[])
                }
            };
            ir::replace_all_uses(value, number);
            ir::erase(op);
        }
        Ok(())
    }
}

/// What an op becomes.
enum Folded {
    /// Its operand of this number.
    Operand(usize),
    /// The square of its first operand.
    Square,
}

/// What is known of the signs of values, each found out once.
#[derive(Default)]
struct Signs(HashMap<Key, Sign>);

/// What a float cannot be.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Sign {
    /// It can be anything.
    Any,
    /// It is not -0.
    NotMinusZero,
    /// It is not -0, and nothing below 0.
    NotNegative,
}

/// Operations between a value and what is known of it, at most.
const FARTHEST: usize = 64;

impl Signs {
    fn folded(&mut self, op: OperationRef) -> Option<Folded> {
        match ir::name_of(op) {
            "arith.addf" => (0..2).find_map(|number| {
                let [kept, zero] = [ir::operand(op, number)?, ir::operand(op, 1 - number)?];
                (is_zero(zero) && self.of(kept, FARTHEST) > Sign::Any).then_some(Folded::Operand(number))
            }),
            "math.fma" => (is_square(op) && is_zero(ir::operand(op, 2)?)).then_some(Folded::Square),
            _ => None,
        }
    }

    fn of(&mut self, value: Value, farthest: usize) -> Sign {
        if let Some(known) = self.0.get(&key(value)) {
            return *known;
        }
        let Some(farthest) = farthest.checked_sub(1) else { return Sign::Any };
        let sign = ir::defining_op(value).and_then(|op| self.computed(op, farthest)).unwrap_or(Sign::Any);
        self.0.insert(key(value), sign);
        sign
    }

    fn computed(&mut self, op: OperationRef, farthest: usize) -> Option<Sign> {
        let mut of = |number| ir::operand(op, number).map(|operand| self.of(operand, farthest));
        let both = |a: Sign, b: Sign| if a < b { a } else { b };
        let sign = match ir::name_of(op) {
            "arith.constant" => {
                let number = constant_float(ir::result(op, 0)?)?;
                match () {
                    () if number == 0.0 && number.is_sign_negative() => Sign::Any,
                    () if number >= 0.0 => Sign::NotNegative,
                    () => Sign::NotMinusZero,
                }
            }
            "arith.addf" => match (of(0)?, of(1)?) {
                (Sign::NotNegative, Sign::NotNegative) => Sign::NotNegative,
                // -0 is the sum of two of it alone: no sum of floats is too small for them.
                (Sign::Any, Sign::Any) => Sign::Any,
                _ => Sign::NotMinusZero,
            },
            "arith.subf" if of(0)? > Sign::Any => Sign::NotMinusZero,
            "arith.mulf" if is_square(op) => Sign::NotNegative,
            // A square that is added to a number below 0 can leave too little for a float: that is -0.
            "math.fma" if is_square(op) && of(2)? == Sign::NotNegative => Sign::NotNegative,
            "arith.select" => both(of(1)?, of(2)?),
            "arith.maximumf" | "arith.minimumf" => both(of(0)?, of(1)?),
            "math.absf" | "arith.uitofp" => Sign::NotNegative,
            "arith.sitofp" => Sign::NotMinusZero,
            _ => {
                let load = Load::of(op).filter(|load| load.boundary() != Boundary::Constant)?;
                self.of(program::yielded(load.source())?, farthest)
            }
        };
        Some(sign)
    }
}

/// Whether the two factors of a product are one value.
fn is_square(op: OperationRef) -> bool {
    ir::operand(op, 0) == ir::operand(op, 1)
}

/// Whether a value is the constant 0, and not -0.
fn is_zero(value: Value) -> bool {
    constant_float(value).is_some_and(|number| number == 0.0 && number.is_sign_positive())
}
