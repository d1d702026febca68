//! `--exact-division`: what is divided by a constant is multiplied, where every quotient stays what it is.
//!
//! ```text
//! %f = arith.uitofp %byte : i8 to f32             %f = arith.uitofp %byte : i8 to f32
//! %q = arith.divf %f, 255.0 : f32         ──▶     %l = arith.mulf %f, 2.3e-10 : f32       1/255 = near + far, far a small rest
//!                                                 %q = math.fma %f, 0.003921569, %l : f32
//!
//!                                                 %q = arith.mulf %x, 0.333333343 : f32   off by a bit or two
//!                                                 %n = arith.negf %x : f32
//! %d = arith.divf %x, 3.0 : f32           ──▶     %e = math.fma %q, 3.0, %n : f32         by how much, times three: exact
//!                                                 %m = arith.minnumf %e, 3.40282347E+38   an infinity's is no number
//!                                                 %d = math.fma %m, -0.333333343, %q : f32
//! ```
//!
//! A division takes eight instructions of a GPU, and ten times as long as a product on a CPU. With which factors the first form is right,
//! and how that is known, [`weft_model::arithmetic`] says: of an integer, for all numbers that it can be; of what is computed from such,
//! for all floats, where `x` is known to be 0 or so large that no digit is lost ([`FloatRange`]).
//!
//! Of any float, by an odd integer `c`, the second form is always right. `x`, `q` and so `c * q - x` are multiples
//! of the last place of `q`, and of fewer of them than a float's digits can count: the rest is exact, of the smallest floats too.
//! What is rounded last is off the true quotient by a thousandth of what lies between it and any midpoint of two floats: the quotient
//! is a multiple of `1 / c` of a place, a midpoint is half a place, and an odd `c` has no half. A zero keeps its sign, as the rest is
//! a zero whose product with `-1 / c` is `-0`.

use crate::{
    analysis::{FloatRange, FloatRanges, value_range},
    ir::{Builder, constant_float, floats_of_table, is},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, BlockLike, BlockRef, OperationRef, Value, ValueLike,
        attribute::{DenseElementsAttribute, FloatAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::IntegerType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::pipeline::{Boundary, Load, Unit};
use weft_model::{
    Range,
    arithmetic::{Factors, factors, factors_of_floats},
};

options! {
    /// Options of `--exact-division`.
    pub struct ExactDivisionOptions {
        floats: bool = true, "floats", "do so for floats that were no integers, by a constant that is an odd integer";
    }
}

/// The pass.
pub struct ExactDivision;

const DIVISIONS: Statistic = Statistic::new(c"divisions", c"Divisions that became products");

/// Integers that are tried at most.
const MOST: i64 = 1 << 17;

impl Pass for ExactDivision {
    const ARGUMENT: &'static str = "exact-division";
    const SUMMARY: &'static str = "Multiply instead of dividing by a constant, to the bit";
    const DESCRIPTION: &'static str = "\
Replaces `arith.divf` by a constant. In f32, of a converted integer: by a product, or a product and a `math.fma`, whichever gives the \
same bits for every value that the integer can have. That is tried, for up to 131072 values; what an integer can be is known by its \
type, or by what it is computed from. In f32, of what is computed from such, and so finite and 0 or not too small, by a product and a `math.fma`, where these \
are right for all floats. In f32 and f64, in bodies of stages, of anything by an odd integer from 3 to 4095: by a product and the two \
`math.fma` that mend it, which is what a GPU does well; a CPU divides while it waits for memory. No value changes.

It goes behind `--contract`, which would find products to join.";
    const STATISTICS: &'static [Statistic] = &[DIVISIONS];
    type Options = ExactDivisionOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &ExactDivisionOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let mut ranges = FloatRanges::default();
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "arith.divf")) {
            let b = Builder::before(cx.context(), op).located(op.location());
            let of_any = || if options.floats && is_of_point(op) { by_odd(&b, op) } else { None };
            let quotient = of_integer(&b, op).or_else(|| of_known(&b, op, &mut ranges)).or_else(of_any);
            let Some(quotient) = quotient else { continue };
            ir::replace_all_uses(op.result(0).expect("a division has a result").into(), quotient);
            ir::erase(op);
            cx.count(DIVISIONS, 1);
        }
        Ok(())
    }
}

/// The quotient of an integer by a constant.
fn of_integer<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (value, numbers, divisor) = division(op)?;
    Some(times(b, value, factors(numbers, divisor)?))
}

/// The quotient of what is computed from integers, so far as its range is known, by a constant.
fn of_known<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    ranges: &mut FloatRanges,
) -> Option<Value<'c, 'a>> {
    let value = ir::operand(op, 0).filter(|value| value.r#type().to_string() == "f32")?;
    let divisor = ir::operand(op, 1)?;
    let range = Some(ranges.of(value)).filter(|range| range.is_finite())?;
    let factors = |divisor: f64| factors_of_floats(divisor as f32).filter(|factors| keep_digits(*factors, range));
    if let Some(divisor) = constant_float(divisor) {
        return Some(times(b, value, factors(divisor)?));
    }
    // By what a table has: of the factors there are tables, too.
    let load = ir::defining_op(divisor).and_then(Load::of).filter(|load| load.boundary() != Boundary::Constant)?;
    let of_table = floats_of_table(load.source())?.into_iter();
    let of_table: Vec<Factors> = of_table.map(factors).collect::<Option<_>>()?;
    let element = value.r#type();
    let loaded = |factor: fn(&Factors) -> f32| {
        let float = |factors| FloatAttribute::new(b.context(), element, factor(factors).into()).into();
        let floats: Vec<Attribute> = of_table.iter().map(float).collect();
        let ty = load.source().r#type();
        let table = b.constant(ty, DenseElementsAttribute::new(ty, &floats).expect("a table has a shape").into());
        let like = b.insert((*load.op()).clone());
        ir::mutable(like).set_operand(0, table);
        ir::result(like, 0)
    };
    let (near, far) = (loaded(|factors| factors.near)?, loaded(|factors| factors.far.unwrap_or(0.0))?);
    let rest = b.value("arith.mulf", &[value, far], element, &[]);
    Some(b.value("math.fma", &[value, near, rest], element, &[]))
}

/// Whether an op is done for points, and not once for a program.
fn is_of_point<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let outer: Option<BlockRef<'c, 'a>> = op.block();
    outer.and_then(|block| block.parent_operation()).is_some_and(|op| Unit::of(op).is_some() || is_of_point(op))
}

/// The quotient of anything by an odd integer.
fn by_odd<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let [value, divisor] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let ty = value.r#type();
    let largest = match ty.to_string().as_str() {
        "f32" => f32::MAX.into(),
        "f64" => f64::MAX,
        _ => return None,
    };
    // Half of the digits of f32, so that the proof has room.
    let number = constant_float(divisor).filter(|number| number % 2.0 == 1.0 && (3.0..4096.0).contains(number))?;
    let inverse = 1.0 / number;
    let near = b.value("arith.mulf", &[value, b.float(ty, inverse)], ty, &[]);
    let minus = b.value("arith.negf", &[value], ty, &[]);
    let rest = b.value("math.fma", &[near, divisor, minus], ty, &[]);
    // Integers have at most 64 bits.
    let is_finite = ir::defining_op(value).is_some_and(|op| is(op, "arith.sitofp") || is(op, "arith.uitofp"));
    let rest = if is_finite { rest } else { b.value("arith.minnumf", &[rest, b.float(ty, largest)], ty, &[]) };
    Some(b.value("math.fma", &[rest, b.float(ty, -inverse), near], ty, &[]))
}

/// A division of a converted integer by a constant: the converted one, the numbers that it can be, and the constant.
fn division<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Range<i64>, f32)> {
    let value = ir::operand(op, 0).filter(|value| value.r#type().to_string() == "f32")?;
    let divisor = constant_float(ir::operand(op, 1)?)?;
    let conversion = ir::defining_op(value)?;
    let is_signed = match ir::name_of(conversion) {
        "arith.sitofp" => true,
        "arith.uitofp" => false,
        _ => return None,
    };
    let integer = ir::operand(conversion, 0)?;
    let width = IntegerType::try_from(integer.r#type()).ok()?.width();
    let numbers = match value_range(integer) {
        Range { lo: Some(lo), hi: Some(hi) } if is_signed || lo >= 0 => Range::new(lo, hi),
        _ if width > 16 => return None,
        _ if is_signed => Range::new(-1 << (width - 1), (1 << (width - 1)) - 1),
        _ => Range::new(0, (1 << width) - 1),
    };
    // The constant is one of f32.
    (numbers.hi - numbers.lo < MOST).then_some((value, numbers, divisor as f32))
}

/// What the division becomes.
fn times<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, Factors { near, far }: Factors) -> Value<'c, 'a> {
    let ty = value.r#type();
    let constant = |factor: f32| b.float(ty, factor.into());
    let Some(far) = far else {
        return b.value("arith.mulf", &[value, constant(near)], ty, &[]);
    };
    let rest = b.value("arith.mulf", &[value, constant(far)], ty, &[]);
    b.value("math.fma", &[value, constant(near), rest], ty, &[])
}

/// Whether the products of numbers of a finite range with both factors are 0 or floats with all digits.
fn keep_digits(Factors { near, far }: Factors, range: FloatRange) -> bool {
    let (least, greatest) = (f64::powi(2.0, range.place), range.lo.abs().max(range.hi.abs()));
    let factors = [near, far.unwrap_or(near)].map(|factor| f64::from(factor.abs()));
    factors.iter().all(|factor| least * factor >= f64::from(f32::MIN_POSITIVE))
        && greatest * factors[0] < f64::from(f32::MAX) / 2.0
}
