//! `--contract`: a product that only a sum uses is rounded once, with the sum.
//!
//! ```text
//! pipeline.stage "s" (%x) {                        pipeline.stage "s" (%x) {
//!   %p = arith.mulf %a, %b : f32             ──▶
//!   %s = arith.addf %p, %c : f32                     %s = math.fma %a, %b, %c : f32
//!
//!   %s = arith.subf %p, %c : f32             ──▶     %n = arith.negf %c : f32
//!                                                    %s = math.fma %a, %b, %n : f32
//!   %s = arith.subf %c, %p : f32             ──▶     %n = arith.negf %a : f32
//!                                                    %s = math.fma %n, %b, %c : f32
//! ```
//!
//! GPUs and CPUs multiply and add in one instruction, at the price of one of the two, and the result is nearer to the exact
//! one. But it is another result. So which product joins which sum is decided here, once, on the stages, and all targets
//! compute what stands there; none of them contracts by itself. MLIR's own `math-uplift-to-fma` asks for flags on both
//! ops, does not know subtractions, and joins products that others use as well, which saves nothing.
//!
//! Of two products in a sum the one that is computed later joins it, so that a chain `a*b + c*d + e*f` is one product and two
//! `fma`. The product must stand in the same block as the sum: what one branch of an `scf.if` uses is computed for it alone
//! already, or is wanted on both ways.

use crate::ir::{Builder, Key, is, key, program};
use melior::{
    dialect::DialectHandle,
    ir::{Attribute, OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::Unit;

/// The pass.
pub struct Contract;

const CONTRACTED: Statistic = Statistic::new(c"contracted", c"Products that joined a sum");

impl Pass for Contract {
    const ARGUMENT: &'static str = "contract";
    const SUMMARY: &'static str = "Make fused multiply-adds of products that only a sum uses";
    const DESCRIPTION: &'static str = "\
In the bodies of stages, scans and scatters, `arith.addf` or `arith.subf` of an `arith.mulf` of f16, f32 or f64 that has no other use becomes \
`math.fma`, which rounds once. This changes results, the same way for every target that lowers the stages afterwards. The \
named pipelines and the reference begin with it; `contract=false` leaves it out.";
    const STATISTICS: &'static [Statistic] = &[CONTRACTED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        // All stages are found before any op is erased.
        let stages: Vec<_> = program::programs(module).into_iter().flat_map(ir::walk).filter_map(Unit::of).collect();
        for stage in stages {
            let ops = ir::walk(stage.op());
            let places: HashMap<Key, usize> = ops
                .iter()
                .enumerate()
                .flat_map(|(place, op)| op.results().map(move |result| (key(result.into()), place)).collect::<Vec<_>>())
                .collect();
            // A product stands before its sum, so it has been passed when it is erased.
            let sums = ops.iter().filter(|op| is(**op, "arith.addf") || is(**op, "arith.subf"));
            cx.count(CONTRACTED, sums.filter(|sum| contract(cx, **sum, &places)).count());
        }
        Ok(())
    }
}

/// Replaces a sum and one of its products, if there is one; says whether there was.
fn contract<'c: 'a, 'a>(cx: &PassContext<'c>, sum: OperationRef<'c, 'a>, places: &HashMap<Key, usize>) -> bool {
    let result: Value = sum.result(0).expect("a sum has a result").into();
    let ty = result.r#type();
    if !["f16", "f32", "f64"].contains(&ty.to_string().as_str()) {
        return false;
    }
    let operands: Vec<Value> = sum.operands().collect();
    let products = (0..2).filter_map(|index| Some((index, product_of(sum, operands[index])?)));
    let Some((joins, product)) = products.max_by_key(|(index, _)| places.get(&key(operands[*index]))) else {
        return false;
    };
    let (left, right) = (product.operand(0).expect("of two operands"), product.operand(1).expect("of two operands"));
    let other = operands[1 - joins];

    let b = Builder::before(cx.context(), sum);
    // Flags that both ops carry allow of the two together what they allowed of each.
    let flags = fastmath(sum).filter(|flags| fastmath(product) == Some(*flags));
    let attributes: Vec<_> = flags.map(|flags| ("fastmath", flags)).into_iter().collect();
    let negated = |value| b.value("arith.negf", &[value], ty, &attributes);
    // Changing a sign is exact, so it matters not that it is the factor's and not the product's.
    let (left, other) = match (is(sum, "arith.subf"), joins) {
        (true, 0) => (left, negated(other)),
        (true, _) => (negated(left), other),
        (false, _) => (left, other),
    };
    ir::replace_all_uses(result, b.value("math.fma", &[left, right, other], ty, &attributes));
    ir::erase(sum);
    ir::erase(product);
    true
}

/// The product that gives `value`, where nothing but `sum` uses it and both stand in one block.
fn product_of<'c, 'a>(sum: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ir::defining_op(value).filter(|op| is(*op, "arith.mulf") && op.block() == sum.block() && ir::has_one_use(value))
}

fn fastmath<'c>(op: OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    op.attribute("fastmath").ok()
}
