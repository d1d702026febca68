//! `--expand-divisions`: integers of vectors are divided as floats.
//!
//! ```text
//!                                                        %f = arith.uitofp %a, %g = arith.uitofp %b : vector<32xf32>
//! %q = arith.divui %a, %b : vector<32xi16>     ──▶       %r = arith.divf %f, %g
//!                                                        %q = arith.trunci (arith.fptoui %r : vector<32xi32>)
//! ```
//!
//! CPUs divide vectors of floats, but integers one by one: a vector of 32 is taken apart and put together. The quotient of floats is exact enough where they
//! have more than twice the digits of the integers: `a / b` lies at least `1 / b` below the next integer, that is `1 / (a + b)` of it, and
//! rounding moves it by less where `a + b` is below 2 to the number of digits. So f32 with 24 digits divides 16 bits, f64 with 53 divides 32. A remainder is
//! what the quotient leaves.
//!
//! By a constant LLVM multiplies. What divides by 0, or the least number by -1, has no meaning here either: `--define-integers` has seen to that.

use super::dots::arith;
use crate::ir::{Builder, Division, bits_of_element, constant_of, division_of, is};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};

/// The pass.
pub struct ExpandDivisions;

const DIVISIONS: Statistic = Statistic::new(c"divisions", c"Divisions of integers that became some of floats");

impl Pass for ExpandDivisions {
    const ARGUMENT: &'static str = "expand-divisions";
    const SUMMARY: &'static str = "Divide vectors of integers as floats";
    const DESCRIPTION: &'static str = "\
Makes of `arith.divui`, `arith.divsi`, `arith.remui` and `arith.remsi` of vectors of up to 32 bits, whose divisor is no constant, divisions of f32, up to 16 \
bits, or of f64. No value changes.";
    const STATISTICS: &'static [Statistic] = &[DIVISIONS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for op in ir::walk(module) {
            let b = Builder::before(cx.context(), op).located(op.location());
            if let Some(value) = OfVectors::of(op).map(|division| division.expand(&b)) {
                ir::replace_all_uses(op.result(0).expect("a division has a result").into(), value);
                ir::erase(op);
                cx.count(DIVISIONS, 1);
            }
        }
        Ok(())
    }
}

/// A division of vectors of integers.
struct OfVectors<'c, 'a> {
    operands: [Value<'c, 'a>; 2],
    bits: u32,
    division: Division,
}

impl<'c: 'a, 'a> OfVectors<'c, 'a> {
    /// That of an op, if floats do it.
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        // A conversion to integers cuts, and rounds neither up nor down.
        let rounds = ["arith.ceildivui", "arith.ceildivsi", "arith.floordivsi"];
        let division = division_of(op).filter(|_| !rounds.iter().any(|name| is(op, name)))?;
        let operands = [ir::operand(op, 0)?, ir::operand(op, 1)?];
        let element = ir::vector_element(operands[0].r#type()).filter(|element| element.is_integer())?;
        let bits = bits_of_element(element).filter(|bits| *bits <= 32)?;
        constant_of(operands[1]).is_none().then_some(Self { operands, bits, division })
    }

    fn expand(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let [value, divisor] = self.operands;
        let ty = value.r#type();
        let float = ir::with_elements(ty, b.parse_type(if self.bits <= 16 { "f32" } else { "f64" }));
        let (to, from) =
            if self.division.has_sign { ("arith.sitofp", "arith.fptosi") } else { ("arith.uitofp", "arith.fptoui") };
        let [above, below] = [value, divisor].map(|integer| b.value(to, &[integer], float, &[]));
        let quotient = b.value("arith.divf", &[above, below], float, &[]);
        // As wide as the float: one instruction, and one that makes it narrow.
        let wide = ir::with_elements(ty, b.integer_type(self.bits.max(32)));
        let mut quotient = b.value(from, &[quotient], wide, &[]);
        if wide != ty {
            quotient = b.value("arith.trunci", &[quotient], ty, &[]);
        }
        match self.division.is_remainder {
            true => arith(b, "subi", value, arith(b, "muli", quotient, divisor)),
            false => quotient,
        }
    }
}
