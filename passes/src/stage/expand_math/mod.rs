//! `--expand-math`: exponentials, logarithms, powers and angles become additions, products and fused multiply-adds.
//!
//! ```text
//! %r = math.exp2 %x : f32        ──▶      %t = arith.addf %x, %magic : f32            low bits: n, the nearest integer
//!                                         %n = arith.subf %t, %magic : f32
//!                                         %f = arith.subf %x, %n : f32                -1/2 to 1/2
//!                                         %p = math.fma ...                           a polynomial of %f: 2^f
//!                                         %e = arith.shli (arith.bitcast %t), %c23    2^n
//!                                         %r = arith.mulf %p, %e : f32
//! ```
//!
//! (The real thing clamps `%x` first, and scales in two steps, so that subnormal results are right.) Processors have no
//! instruction for these functions, or one that is its own; libraries differ in the last bits. What all targets expand in the same
//! way has the same bits on all of them. `docs/accuracy.md` says how far these are from the exact values.
//!
//! MLIR has polynomial approximations (`populateMathPolynomialApproximationPatterns`), but no pass outside of its tests that
//! applies them, and for f32 only. Measured over every 251st f32: `exp` and `log` are wrong where a result or an argument is subnormal,
//! `sin` and `cos` lose all digits at some arguments below 10, `atan` is off by 40 units in the last place.
//!
//! f16 and bf16 are computed in f32 and rounded. `fastmath` flags of the op are not asked: there is one expansion. What is not
//! expanded stays: `math.sqrt`, `floor` and their kin, which are exact on every target; and what nobody has asked for yet.
//!
//! [`functions`] are the formulas, `coefficients.py` makes their constants, [`power_series`](weft_model::arithmetic::power_series) those of powers by constants, `float` turns them to ops.

mod coefficients;
mod float;
mod functions;
mod table;

use crate::ir::{Builder, constant_float, program};
use float::Scope;
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::Unit;

/// The pass.
pub struct ExpandMath;

const EXPANDED: Statistic = Statistic::new(c"expanded", c"Ops of math that were expanded");

impl Pass for ExpandMath {
    const ARGUMENT: &'static str = "expand-math";
    const SUMMARY: &'static str = "Expand exponentials, logarithms, powers and angles, the same way for every target";
    const DESCRIPTION: &'static str = "\
In the bodies of stages, scans and scatters, `math.acos`, `asin`, `atan`, `atan2`, `cbrt`, `cos`, `cosh`, `exp`, `exp2`, `expm1`, `log`, `log10`, `log1p`, \
`log2`, `powf`, `rsqrt`, `sin`, `sincos`, `sinh`, `tan` and `tanh` become arithmetic of correctly rounded ops, so that every \
target gives the same bits; accuracy.md has the largest errors. f16 is computed in f32. The named pipelines and the \
reference run it; `libm=target` leaves it out.";
    const STATISTICS: &'static [Statistic] = &[EXPANDED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math(), DialectHandle::scf()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        // All ops are found before any is erased.
        let stages = program::programs(module).into_iter().flat_map(ir::walk).filter_map(Unit::of);
        let ops: Vec<_> = stages.flat_map(|stage| ir::walk(stage.op())).collect();
        cx.count(EXPANDED, ops.into_iter().filter(|op| expand(cx, *op)).count());
        Ok(())
    }
}

/// Expands an op, if it is one of those that are; says whether it is.
fn expand<'c: 'a, 'a>(cx: &PassContext<'c>, op: OperationRef<'c, 'a>) -> bool {
    let Some(name) = ir::name_of(op).strip_prefix("math.") else { return false };
    let Ok(ty) = op.result(0).map(|result| result.r#type()) else { return false };
    let is_narrow = match ty.to_string().as_str() {
        "f16" | "bf16" => true,
        "f32" | "f64" => false,
        _ => return false,
    };
    let b = Builder::before(cx.context(), op);
    let s = Scope::new(b, ty.to_string() == "f64");
    let operand = |index: usize| {
        let value: Value = op.operand(index).expect("a verified op has its operands");
        s.wrap(if is_narrow { b.value("arith.extf", &[value], Type::float32(b.context()), &[]) } else { value })
    };
    let x = || operand(0);
    let results = match name {
        "acos" => vec![functions::acos(x())],
        "asin" => vec![functions::asin(x())],
        "atan" => vec![functions::atan(x())],
        "atan2" => vec![functions::atan2(x(), operand(1))],
        "cbrt" => vec![functions::cbrt(x())],
        "cos" => vec![functions::angle(x()).cos()],
        "cosh" => vec![functions::cosh(x())],
        "exp" => vec![functions::exp(x())],
        "exp2" => vec![functions::exp2(x())],
        "expm1" => vec![functions::expm1(x())],
        "log" => vec![functions::log(x())],
        "log10" => vec![functions::log10(x())],
        "log1p" => vec![functions::log1p(x())],
        "log2" => vec![functions::log2(x())],
        "powf" => {
            let constant = op.operand(1).ok().and_then(constant_float);
            let small = constant.and_then(|exponent| functions::pow_by(x(), exponent));
            vec![small.unwrap_or_else(|| functions::pow(x(), operand(1)))]
        }
        "rsqrt" => vec![functions::rsqrt(x())],
        "sin" => vec![functions::angle(x()).sin()],
        "sincos" => {
            let angle = functions::angle(x());
            vec![angle.sin(), angle.cos()]
        }
        "sinh" => vec![functions::sinh(x())],
        "tan" => vec![functions::tan(x())],
        "tanh" => vec![functions::tanh(x())],
        _ => return false,
    };
    for (old, new) in op.results().zip(results) {
        let new = if is_narrow { b.value("arith.truncf", &[new.value], ty, &[]) } else { new.value };
        ir::replace_all_uses(old.into(), new);
    }
    ir::erase(op);
    true
}
