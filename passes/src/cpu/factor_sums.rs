//! `--factor-sums`: what a sum multiplies by the same number is added first.
//!
//! ```text
//! %p = arith.muli %a, %w : vector<32xi16>              %s = arith.addi %a, %c : vector<32xi16>
//! %q = arith.muli %b, %v                               %p = arith.muli %s, %w
//! %r = arith.muli %c, %w                        ──▶    %q = arith.muli %b, %v
//! %t = arith.addi (arith.addi %p, %q), %r              %t = arith.addi %p, %q
//! ```
//!
//! Kernels are mostly symmetric, so that each weight but one stands twice, and a CPU adds vectors faster than it multiplies them. Integers wrap, so their sums are in any
//! order. It goes behind `--dot-products`, of which each instruction does more than two products.

use super::dots::{arith, number_of, sum_of};
use crate::ir::{Builder, Key, is, key};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashSet;

/// The pass.
pub struct FactorSums;

const PRODUCTS: Statistic = Statistic::new(c"products", c"Products that became one with another");

impl Pass for FactorSums {
    const ARGUMENT: &'static str = "factor-sums";
    const SUMMARY: &'static str = "Add first what a sum multiplies by the same number";
    const DESCRIPTION: &'static str = "\
Of the terms of a sum of vectors of integers those that are products by the same constant, and used nowhere else, become one product: of the sum of what they multiply. \
Operations that must not overflow stay. No value changes. It goes behind `--dot-products`.";
    const STATISTICS: &'static [Statistic] = &[PRODUCTS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut inner: HashSet<Key> = HashSet::new();
        let mut done: Vec<OperationRef> = Vec::new();
        let sums: Vec<OperationRef> = ir::walk(module).into_iter().filter(|op| is_sum(*op)).collect();
        // Roots stand behind what they are made of.
        for root in sums.into_iter().rev() {
            let Some(result) = ir::result(root, 0).filter(|result| !inner.contains(&key(*result))) else { continue };
            let (ops, terms) = sum_of(root, is_sum);
            inner.extend(ops.iter().filter_map(|op| ir::result(*op, 0)).map(key));
            let terms = Term::joined(&terms);
            let saved = terms.iter().map(|term| term.products.len().saturating_sub(1)).sum::<usize>();
            if saved == 0 {
                continue;
            }
            let b = Builder::before(cx.context(), root).located(root.location());
            let total = terms.iter().map(|term| term.value(&b)).reduce(|total, term| arith(&b, "addi", total, term));
            ir::replace_all_uses(result, total.expect("a sum has terms"));
            done.extend(ops);
            done.extend(terms.into_iter().filter(|term| term.products.len() > 1).flat_map(|term| term.products));
            cx.count(PRODUCTS, saved);
        }
        // Sums before what they were made of. What is built may be one of them.
        let is_unused = |op: &OperationRef| ir::result(*op, 0).is_some_and(|result| ir::uses(result).is_empty());
        for op in done {
            if is_unused(&op) {
                ir::erase(op);
            }
        }
        Ok(())
    }
}

/// Whether an op adds vectors of integers that may wrap.
fn is_sum(op: OperationRef) -> bool {
    is(op, "arith.addi") && is_of_vectors(op) && may_wrap(op)
}

fn is_of_vectors(op: OperationRef) -> bool {
    ir::result(op, 0).is_some_and(|result| ir::vector_element(result.r#type()).is_some())
}

fn may_wrap(op: OperationRef) -> bool {
    op.attribute("overflowFlags").is_ok_and(|flags| flags.to_string().contains("none"))
        || !op.has_attribute("overflowFlags")
}

/// A term of a sum, or some that are products by one number.
struct Term<'c, 'a> {
    /// What is added, or multiplied.
    factors: Vec<Value<'c, 'a>>,
    /// By this, and the number that it is.
    by: Option<(i64, Value<'c, 'a>)>,
    products: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Term<'c, 'a> {
    /// Those of a sum, in the order of the first of each.
    fn joined(terms: &[Value<'c, 'a>]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for term in terms {
            let Some((product, factor, number, by)) = product(*term) else {
                all.push(Self { factors: vec![*term], by: None, products: Vec::new() });
                continue;
            };
            match all.iter_mut().find(|other| other.by.is_some_and(|(other, _)| other == number)) {
                Some(other) => {
                    other.factors.push(factor);
                    other.products.push(product);
                }
                None => all.push(Self { factors: vec![factor], by: Some((number, by)), products: vec![product] }),
            }
        }
        all
    }

    fn value(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        if let [product] = self.products[..] {
            return ir::result(product, 0).expect("a product has a result");
        }
        let sum = self.factors.iter().copied().reduce(|sum, factor| arith(b, "addi", sum, factor));
        let sum = sum.expect("a term has a factor");
        self.by.map_or(sum, |(_, by)| arith(b, "muli", sum, by))
    }
}

/// A product by a number that all lanes have, which nobody else uses: the op, what it multiplies, the number, and that as a vector.
fn product<'c: 'a, 'a>(term: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>, i64, Value<'c, 'a>)> {
    let op = ir::defining_op(term).filter(|op| is(*op, "arith.muli") && may_wrap(*op) && ir::has_one_use(term))?;
    let [left, right] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let by = |number: Value<'c, 'a>, factor| number_of(number).map(|known| (op, factor, known, number));
    by(right, left).or_else(|| by(left, right))
}
