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
//! Several quotients of up to 16 bits without a sign by the same number, as of all colours of a pixel by its alpha, are multiplied by its inverse, which is rounded:
//! `(a + 1/2) / b` is at least `1 / (2 b)` away from all integers, on the same side of them as `a / b`, and is as near to one multiply-add.
//!
//! ```text
//!                                                        %i = arith.divf %one, %g
//! %q = arith.divui %a, %b                                %h = arith.mulf %i, %half
//! %r = arith.divui %c, %b                      ──▶       %q = ... math.fma %f, %i, %h
//!                                                        %r = ... math.fma %e, %i, %h
//! ```
//!
//! By a constant LLVM multiplies. What divides by 0, or the least number by -1, has no meaning here either: `--define-integers` has seen to that.

use super::dots::arith;
use crate::ir::{Builder, Division, bits_of_element, constant_of, division_of, is};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, tool};

/// The pass.
pub struct ExpandDivisions;

const DIVISIONS: Statistic = Statistic::new(c"divisions", c"Divisions of integers that became some of floats");

impl Pass for ExpandDivisions {
    const ARGUMENT: &'static str = "expand-divisions";
    const SUMMARY: &'static str = "Divide vectors of integers as floats";
    const DESCRIPTION: &'static str = "\
Makes of `arith.divui`, `arith.divsi`, `arith.remui` and `arith.remsi` of vectors of up to 32 bits, whose divisor is no constant, divisions of f32, up to 16 \
bits, or of f64; several of up to 16 bits without a sign by the same number take its inverse. No value changes.";
    const STATISTICS: &'static [Statistic] = &[DIVISIONS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), tool::math()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut inverses: Vec<(BlockRef, Value, Inverse)> = Vec::new();
        for op in ir::walk(module) {
            let b = Builder::before(cx.context(), op).located(op.location());
            let (Some(division), Some(block)) = (OfVectors::of(op), op.block()) else { continue };
            let divisor = division.operands[1];
            let known = inverses.iter().find(|(own, by, _)| *own == block && *by == divisor);
            let known = known.map(|(_, _, inverse)| *inverse).filter(|_| division.is_short());
            let inverse = known.or_else(|| division.is_shared(block).then(|| division.inverse(&b)));
            inverses.extend(inverse.filter(|_| known.is_none()).map(|inverse| (block, divisor, inverse)));
            let value = division.expand(&b, inverse);
            ir::replace_all_uses(op.result(0).expect("a division has a result").into(), value);
            ir::erase(op);
            cx.count(DIVISIONS, 1);
        }
        Ok(())
    }
}

/// The inverse of a divisor, and half of it.
type Inverse<'c, 'a> = [Value<'c, 'a>; 2];

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

    /// Whether it is of up to 16 bits without a sign.
    fn is_short(&self) -> bool {
        self.bits <= 16 && !self.division.has_sign
    }

    /// Whether another one of a block divides by the same number, both short.
    fn is_shared(&self, block: BlockRef<'c, 'a>) -> bool {
        let divides = |(op, operand): &(OperationRef<'c, 'a>, usize)| {
            *operand == 1 && op.block() == Some(block) && Self::of(*op).is_some_and(|other| other.is_short())
        };
        self.is_short() && ir::uses(self.operands[1]).iter().filter(|user| divides(user)).count() > 1
    }

    /// The floats that quotients are computed of.
    fn floats(&self, b: &Builder<'c, 'a>) -> Type<'c> {
        let element = b.parse_type(if self.bits <= 16 { "f32" } else { "f64" });
        ir::with_elements(self.operands[0].r#type(), element)
    }

    /// An integer as a float.
    fn float(&self, b: &Builder<'c, 'a>, integer: Value<'c, 'a>) -> Value<'c, 'a> {
        let to = if self.division.has_sign { "arith.sitofp" } else { "arith.uitofp" };
        b.value(to, &[integer], self.floats(b), &[])
    }

    /// The inverse of the divisor, and half of it.
    fn inverse(&self, b: &Builder<'c, 'a>) -> Inverse<'c, 'a> {
        let ty = self.floats(b);
        let all = b.value("arith.divf", &[b.float(ty, 1.0), self.float(b, self.operands[1])], ty, &[]);
        [all, arith(b, "mulf", all, b.float(ty, 0.5))]
    }

    /// What takes the place of the op; a short one may take the inverse of its divisor.
    fn expand(&self, b: &Builder<'c, 'a>, inverse: Option<Inverse<'c, 'a>>) -> Value<'c, 'a> {
        let [value, divisor] = self.operands;
        let ty = value.r#type();
        let from = if self.division.has_sign { "arith.fptosi" } else { "arith.fptoui" };
        let above = self.float(b, value);
        let quotient = match inverse {
            Some([all, half]) => b.value("math.fma", &[above, all, half], above.r#type(), &[]),
            None => arith(b, "divf", above, self.float(b, divisor)),
        };
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
