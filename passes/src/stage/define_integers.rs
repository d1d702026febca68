//! `--define-integers`: integer arithmetic of stages has a value for all numbers.
//!
//! ```text
//!                                 %none = cmpi eq, %b, 0                   a quotient of 0, as of Halide, and a remainder of 0
//! %q = arith.divui %a, %b   ──▶   %0 = divui %a, (select %none, 1, %b)
//!                                 %q = select %none, 0, %0
//!
//! %s = arith.shli %a, %b    ──▶   %some = cmpi ult, %b, 32                 all bits are shifted out
//!                                 %s = select %some, (shli %a, (select %some, %b, 0)), 0
//!
//! %c = index_cast %i        ──▶   %0 = index_cast %i : index to i32        the low bits, whoever reads them
//!      : index to i8              %c = trunci %0 : i32 to i8
//! ```
//!
//! Of MLIR's divisions by 0, of its `MIN / -1` and its shifts by the width or more anything may come: a CPU ends the process, and targets
//! differ. A pixel may be 0 where nobody thought of it. So all of them have a meaning here, once, before any target: `MIN / -1`
//! is `MIN`, as sums wrap, and what is shifted right by the width or more is its sign. Where the second operand is a constant, or a maximum
//! with one, nothing is asked.
//!
//! An index in fewer bits has a meaning in MLIR, which its canonicalization forgets until LLVM 23: `index_cast (index_cast %i : index to i8) : i8 to index` becomes
//! `%i`, also of 300 (llvm/llvm-project#90296). It does not look through a truncation of integers.

use crate::{
    analysis::Ranges,
    ir::{Builder, Compare, Division, constant_index, dim_of, division_of, is, program, width_of_integer},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike, r#type::IntegerType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};

/// The pass.
pub struct DefineIntegers;

const DEFINED: Statistic =
    Statistic::new(c"defined", c"Divisions, shifts and casts of indices that have a value for all numbers now");

impl Pass for DefineIntegers {
    const ARGUMENT: &'static str = "define-integers";
    const SUMMARY: &'static str = "Give integer divisions, shifts and casts of indices a value for all numbers";
    const DESCRIPTION: &'static str = "\
A division by 0 gives 0, and so does its remainder; the least number divided by -1 is itself; a shift by the width or more shifts all bits out, \
or to the right with the sign. Comparisons and selections are made for what is not known. An index that may not fit into the bits of an \
integer loses those above, by a truncation that MLIR's canonicalization does not remove.";
    const STATISTICS: &'static [Statistic] = &[DEFINED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let programs = program::programs(module);
        for op in programs.iter().flat_map(|func| ir::walk(*func)) {
            if let Some((index, ty)) = narrowed(op) {
                cx.count(DEFINED, 1);
                let b = Builder::before(cx.context(), op).located(op.location());
                ir::replace_all_uses(op.result(0).expect("a cast has a result").into(), b.index_in_bits(index, ty));
                ir::erase(op);
            }
        }
        for unit in programs.into_iter().flat_map(program::units) {
            for op in ir::walk(unit.op()) {
                let Some(kind) = kind(op) else { continue };
                if let Some(value) = defined(&Builder::before(cx.context(), op).located(op.location()), op, kind) {
                    cx.count(DEFINED, 1);
                    ir::replace_all_uses(op.result(0).expect("arithmetic has a result").into(), value);
                    ir::erase(op);
                }
            }
        }
        Ok(())
    }
}

/// The index that a cast may take bits from, and the type that it has then.
fn narrowed<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Type<'c>)> {
    if !is(op, "arith.index_cast") && !is(op, "arith.index_castui") {
        return None;
    }
    let (index, ty) = (ir::operand(op, 0)?, ir::result(op, 0)?.r#type());
    let width = IntegerType::try_from(ty).ok().filter(|_| index.r#type().is_index())?.width();
    let range = Ranges::default().of(index);
    let fits = |number: i64| width >= 64 || (-1i64 << (width - 1) <= number && number < 1i64 << (width - 1));
    let is_known = range.lo.is_some_and(fits) && range.hi.is_some_and(fits);
    let is_place = width == 32 && is_place(index, MOST_OPS);
    (width < 64 && !is_known && !is_place).then_some((index, ty))
}

/// Ops from an index to the coordinates that it is computed of, at most.
const MOST_OPS: u32 = 8;

/// Factors of coordinates that are places of images, at most: where an image is sampled.
const LARGEST_FACTOR: i64 = 16;

/// Whether an index is about as large as an image is long, which is less than 2^31.
fn is_place(index: Value, farthest: u32) -> bool {
    let Some(farthest) = farthest.checked_sub(1) else { return false };
    let Some(op) = ir::defining_op(index) else { return index.r#type().is_index() };
    let operand = |number: usize| ir::operand(op, number).is_some_and(|operand| is_place(operand, farthest));
    match ir::name_of(op) {
        _ if dim_of(op).is_some() => true,
        "arith.constant" => constant_index(index).is_some_and(|number| i32::try_from(number).is_ok()),
        "arith.index_cast" | "arith.index_castui" => ir::operand(op, 0)
            .and_then(|number| IntegerType::try_from(number.r#type()).ok())
            .is_some_and(|ty| ty.width() <= 32),
        "arith.muli" => {
            let is_small = |number: usize| {
                ir::operand(op, number).and_then(constant_index).is_some_and(|by| by.abs() <= LARGEST_FACTOR)
            };
            operand(0) && is_small(1) || operand(1) && is_small(0)
        }
        "arith.addi" | "arith.subi" | "arith.maxsi" | "arith.minsi" => operand(0) && operand(1),
        "arith.divsi" | "arith.floordivsi" | "arith.ceildivsi" | "arith.remsi" => operand(0) && operand(1),
        "arith.select" => operand(1) && operand(2),
        _ => false,
    }
}

/// What an op does, as far as it matters here.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Division(Division),
    Shift { keeps_sign: bool },
}

fn kind(op: OperationRef) -> Option<Kind> {
    match ir::name_of(op) {
        "arith.shli" | "arith.shrui" => Some(Kind::Shift { keeps_sign: false }),
        "arith.shrsi" => Some(Kind::Shift { keeps_sign: true }),
        _ => division_of(op).map(Kind::Division),
    }
}

/// The value of an op for all operands; `None` where it has one.
fn defined<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>, kind: Kind) -> Option<Value<'c, 'a>> {
    let (number, by) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
    let ty = number.r#type();
    let again = |by: Value<'c, 'a>| b.value(ir::name_of(op), &[number, by], ty, &[]);
    let is = |number: i64| b.compare(Compare::Equal, by, b.integer(ty, &[number]));
    let zero = || b.integer(ty, &[0]);
    let negated = || b.value("arith.subi", &[zero(), number], ty, &[]);
    let known = constant_index(by);
    match kind {
        Kind::Division(_) if known == Some(0) => Some(zero()),
        Kind::Division(Division { has_sign: true, is_remainder }) if known == Some(-1) => {
            Some(if is_remainder { zero() } else { negated() })
        }
        Kind::Division(Division { has_sign, .. }) if known.is_some() || is_positive(by, has_sign) => None,
        Kind::Division(Division { has_sign, is_remainder }) => {
            let none = is(0);
            let negative = has_sign.then(|| is(-1));
            let unsafe_ones = negative.map_or(none, |negative| b.logic("ori", none, negative));
            let result = again(b.select(unsafe_ones, b.integer(ty, &[1]), by, ty));
            // What remains of a division by 1 is 0.
            if is_remainder {
                return Some(result);
            }
            let quotient = b.select(none, zero(), result, ty);
            Some(match negative {
                Some(negative) => b.select(negative, negated(), quotient, ty),
                None => quotient,
            })
        }
        Kind::Shift { keeps_sign } => {
            let width = i64::from(width_of_integer(ty));
            if known.is_some_and(|by| (0..width).contains(&by)) {
                return None;
            }
            let is_less = b.compare(Compare::Below, by, b.integer(ty, &[width]));
            Some(match keeps_sign {
                true => again(b.select(is_less, by, b.integer(ty, &[width - 1]), ty)),
                // PTX shifts by 32 bits of a number. LLVM 22 takes its `shr.u64` for a whole selection of ours, and forgets that bits are cut off
                // (2^63 would shift by 0): not where the number that is shifted by is another than the one that is compared.
                false if width > 32 => {
                    let last = b.integer(ty, &[width - 1]);
                    b.select(is_less, again(b.value("arith.minui", &[by, last], ty, &[])), zero(), ty)
                }
                false => b.select(is_less, again(b.select(is_less, by, zero(), ty)), zero(), ty),
            })
        }
    }
}

/// Whether a divisor is a maximum with a constant, and so neither 0 nor, where signs count, -1.
fn is_positive(value: Value, has_sign: bool) -> bool {
    let maximum = if has_sign { "arith.maxsi" } else { "arith.maxui" };
    ir::defining_op(value)
        .filter(|op| is(*op, maximum))
        .is_some_and(|op| op.operands().filter_map(constant_index).any(|constant| constant > 0))
}
