//! `--share-divisors`: quotients by the same number take its inverse, where the divider is what a loop waits for.
//!
//! ```text
//! %p = arith.divf %a, %d : vector<64xf32>              %i = arith.divf %one, %d
//! %q = arith.divf %b, %d                        ──▶    %p = func.call @weft.quotient.x64(%a, %d, %i)
//!                                                      %q = func.call @weft.quotient.x64(%b, %d, %i)
//!
//! func.func private @weft.quotient.x64(%a, %d, %i) { return arith.divf %a, %d }
//! ```
//!
//! A core divides one vector at a time, and could do some twenty other operations meanwhile. With the inverse at hand, rounded as a quotient is, three of these give the
//! same quotient (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990, theorem 7), and a few more say whether some lane is too
//! large or too small for them, and is divided after all. The function says the quotient; who makes machine code puts the operations in its place.
//!
//! Divisors that a loop does not change have one inverse before it. Loops in which other operations take longer keep their divisions.

use super::instructions::{Functions, QUOTIENT, are_lanes, is_in_instruction};
use crate::{
    analysis::cpu_of,
    ir::{Builder, constant_float, constant_of, is, lanes_and_bits},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_model::Cpu;

/// Lanes of a register of floats, where quotients have instructions.
const LANES: i64 = 16;

/// Operations of a quotient by a number whose inverse is known, and those that the number itself takes once: whether it is too large or too small.
const OF_QUOTIENT: f64 = 8.0;
const OF_DIVISOR: f64 = 3.0;

/// The part of a block's time that is left at most where it is worth it: what is counted is not exact.
const WORTH: f64 = 5.0 / 6.0;

options! {
    /// Options of `--share-divisors`.
    pub struct ShareDivisorsOptions {
        target: String = "host", "target", "the CPU that code is for, as of --cpu-tile";
    }
}

/// The pass.
pub struct ShareDivisors;

const QUOTIENTS: Statistic = Statistic::new(c"quotients", c"Quotients that take an inverse");

impl Pass for ShareDivisors {
    const ARGUMENT: &'static str = "share-divisors";
    const SUMMARY: &'static str = "Compute quotients by the same number from its inverse";
    const DESCRIPTION: &'static str = "\
Where divisions of vectors of f32 take longer than all else in a block, on a `target` whose vectors are AVX-512's, those by the same number, or by one from outside the block, \
become calls of a function that takes the number's inverse, too. No value changes: the function divides, and its instructions, which are put in its place when machine code is made, \
do where the inverse is not enough.";
    const STATISTICS: &'static [Statistic] = &[QUOTIENTS];
    type Options = ShareDivisorsOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::func()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &ShareDivisorsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu = cpu_of(module, &options.target)?;
        // Narrower vectors have no instructions for it.
        if cpu.vector != 4 * LANES {
            return Ok(());
        }
        let mut blocks: Vec<BlockRef> = Vec::new();
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "arith.divf") && !is_in_instruction(*op)) {
            blocks.extend(op.block().filter(|block| !blocks.contains(block)));
        }
        let mut functions = Functions::of(module);
        for block in blocks {
            let whole = Work::of(block);
            let mut work = whole;
            let mut shared = Group::all(block);
            shared.retain(|group| {
                let less = work.with(group);
                let is_less = less.takes(&cpu) < work.takes(&cpu);
                work = if is_less { less } else { work };
                is_less
            });
            if work.takes(&cpu) < WORTH * whole.takes(&cpu) {
                for group in shared {
                    group.share(cx, &mut functions);
                    cx.count(QUOTIENTS, group.quotients.len());
                }
            }
        }
        Ok(())
    }
}

/// What a block computes, in registers of vectors.
#[derive(Clone, Copy)]
struct Work {
    divisions: f64,
    others: f64,
    /// Whether it has loops, which take longer than the block itself.
    has_loops: bool,
}

impl Work {
    fn of(block: BlockRef) -> Self {
        let mut work = Self { divisions: 0.0, others: 0.0, has_loops: false };
        for op in ir::operations(block) {
            work.has_loops |= is(op, "scf.for") || is(op, "scf.while");
            let Some(registers) = ir::result(op, 0).and_then(registers) else { continue };
            match ir::name_of(op) {
                "arith.divf" | "math.sqrt" => work.divisions += registers,
                "arith.constant" | "vector.load" | "vector.maskedload" => {}
                _ => work.others += registers,
            }
        }
        work
    }

    /// The same when quotients take the inverse of their divisor.
    fn with(self, group: &Group) -> Self {
        let registers = group.registers();
        let inverses = if group.is_of_block { registers } else { 0.0 };
        let quotients = group.quotients.len() as f64 * registers;
        Self {
            divisions: self.divisions - quotients + inverses,
            others: self.others + quotients * OF_QUOTIENT + inverses * OF_DIVISOR,
            ..self
        }
    }

    /// How long it takes, in operations of vectors: the divider works beside the rest.
    fn takes(self, cpu: &Cpu) -> f64 {
        if self.has_loops { 0.0 } else { (self.divisions * cpu.division).max(self.others + self.divisions) }
    }
}

/// Quotients of a block by the same number.
struct Group<'c, 'a> {
    divisor: Value<'c, 'a>,
    quotients: Vec<OperationRef<'c, 'a>>,
    /// Whether the number is computed in the block.
    is_of_block: bool,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// Those of a block that could take an inverse.
    fn all(block: BlockRef<'c, 'a>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for op in ir::operations(block).filter(|op| is(*op, "arith.divf")) {
            let (Some(above), Some(divisor)) = (ir::operand(op, 0), ir::operand(op, 1)) else { continue };
            let is_of_registers = ir::vector_extents(divisor.r#type()).is_some_and(|extents| {
                matches!(extents[..], [lanes] if lanes >= LANES && are_lanes(lanes))
                    && ir::vector_element(divisor.r#type()).is_some_and(|element| element.to_string() == "f32")
            });
            // An inverse is one already.
            if !is_of_registers || constant_float(above) == Some(1.0) || constant_of(divisor).is_some() {
                continue;
            }
            match all.iter_mut().find(|group| group.divisor == divisor) {
                Some(group) => group.quotients.push(op),
                None => {
                    let is_of_block = ir::block_of(divisor) == Some(block);
                    all.push(Self { divisor, quotients: vec![op], is_of_block });
                }
            }
        }
        all
    }

    fn registers(&self) -> f64 {
        registers(self.divisor).unwrap_or(0.0)
    }

    /// Makes the quotients calls.
    fn share(&self, cx: &PassContext<'c>, functions: &mut Functions<'c, 'a>) {
        let ty = self.divisor.r#type();
        let first = self.quotients[0];
        let b = Builder::before(cx.context(), first).located(first.location());
        let inverse = b.value("arith.divf", &[b.float(ty, 1.0), self.divisor], ty, &[]);
        for quotient in &self.quotients {
            let b = Builder::before(cx.context(), *quotient).located(quotient.location());
            let (Some(above), Some(result)) = (ir::operand(*quotient, 0), ir::result(*quotient, 0)) else { continue };
            let lanes = ir::vector_extents(ty).map_or(LANES, |extents| extents[0]);
            let call =
                functions.call(&b, &format!("{QUOTIENT}.x{lanes}"), &[above, self.divisor, inverse], ty, |b, of| {
                    b.value("arith.divf", &of[..2], ty, &[])
                });
            ir::replace_all_uses(result, call);
            ir::erase(*quotient);
        }
    }
}

/// The registers of a vector, or a part of one.
fn registers(vector: Value) -> Option<f64> {
    let (lanes, bits) = lanes_and_bits(vector)?;
    Some((lanes * i64::from(bits)) as f64 / (32 * LANES) as f64)
}
