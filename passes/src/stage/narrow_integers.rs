//! `--narrow-integers`: stages keep integers, and compute with them, in as few bits as their values need.
//!
//! ```text
//! %s = stage "sum" (%y, %x) {                          %s = stage "sum" (%y, %x) {
//!   %a = extui %l : i8 to i32                            %a = extui %l : i8 to i16
//!   %b = extui %r : i8 to i32                            %b = extui %r : i8 to i16
//!   yield addi %a, %b : i32       0 to 510               yield addi %a, %b : i16
//! } : tensor<?x?xi32>                          ──▶     } : tensor<?x?xi16>
//! %o = stage "half" (%y, %x) {                         %o = stage "half" (%y, %x) {
//!   %p = load %s[%y, %x]                                 %p = load %s[%y, %x]
//!   yield trunci (shrui %p, 1) : i32 to i8               yield trunci (shrui %p, 1) : i16 to i8
//! }                                                    }
//! ```
//!
//! Programs compute in 32 bits what began as bytes, so as not to overflow. A window of 16 bits is half as large, and a vector of 16 bits has
//! twice as many lanes. A loop has as many lanes as its widest value allows: a body becomes narrow as a whole or not at all.
//!
//! Of sums and products the low bits are right whatever was above; whoever asks for more, a comparison, a shift to the right, sees the same
//! as long as all it sees is within the signed or within the unsigned numbers of the narrower type. That is what is asked of each op.
//!
//! MLIR's `--arith-int-range-narrowing` does this op by op, within a body: it knows nothing of what a stage yields.

use super::copy::image_type;
use crate::{
    analysis::Ranges,
    ir::{Builder, Compare, Key, bits_of_element, constant_index, is, key, program, widest},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, OperationRef, Type, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::{OperationLike, OperationMutLike},
        r#type::{IntegerType, ShapedTypeLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{cmp::Ordering, collections::HashMap};
use weft_dialects::pipeline::{Boundary, Load, Stage, static_extents};
use weft_model::Interval;

/// The pass.
pub struct NarrowIntegers;

const RESULTS: Statistic = Statistic::new(c"results", c"Results of stages that are kept in fewer bits");
const BODIES: Statistic = Statistic::new(c"bodies", c"Stages that compute with fewer bits");

impl Pass for NarrowIntegers {
    const ARGUMENT: &'static str = "narrow-integers";
    const SUMMARY: &'static str = "Keep integers of stages, and compute with them, in as few bits as their values need";
    const DESCRIPTION: &'static str = "\
Gives a stage's integer result the least type of 8, 16 and 32 bits that holds all its values, where only loads read it. Computes a body with \
8, 16 or 32 bits, where these are enough for all its integers and it has no wider floats. What values are is known of what was extended, of \
limits and constants, and of arithmetic on these. No value changes, and results of the program keep their types.

What would be extended to be truncated stays as it is.";
    const STATISTICS: &'static [Statistic] = &[RESULTS, BODIES];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let stages: Vec<Stage> =
            program::programs(module).into_iter().flat_map(ir::walk).filter_map(Stage::of).collect();
        // What values can be is found out of a program that stays as it is.
        let mut plan = Plan::default();
        let mut results = Vec::new();
        for stage in &stages {
            for (number, result) in stage.op().results().enumerate() {
                if let Some(format) = plan.format(*stage, number) {
                    plan.results.insert(key(result.into()), format);
                    results.push((*stage, number, format));
                }
            }
        }
        let bodies: Vec<_> = stages.into_iter().filter_map(|stage| plan.body(stage)).collect();
        cx.count(RESULTS, results.len());
        cx.count(BODIES, bodies.len());
        bodies.iter().for_each(|body| body.rewrite(cx));
        results.into_iter().for_each(|(stage, number, format)| keep(cx, stage, number, format));
        Ok(())
    }
}

/// How numbers are kept: in how many bits, and whether the first of these says that they are negative.
#[derive(Clone, Copy)]
struct Format {
    bits: u32,
    is_signed: bool,
}

impl Format {
    /// The narrowest that holds a range.
    fn of(range: Interval) -> Option<Self> {
        let is_signed = range.lo? < 0;
        [8, 16, 32].into_iter().map(|bits| Self { bits, is_signed }).find(|format| format.holds(range))
    }

    fn holds(self, range: Interval) -> bool {
        let (least, greatest) = match self.is_signed {
            true => (-1 << (self.bits - 1), (1 << (self.bits - 1)) - 1),
            false => (0, (1i64 << self.bits) - 1),
        };
        range.lo.is_some_and(|lo| least <= lo) && range.hi.is_some_and(|hi| hi <= greatest)
    }
}

/// Whether an integer or a float has more than so many bits.
fn is_wide(value: Value, bits: u32) -> bool {
    bits_of_element(value.r#type()).is_some_and(|width| width > bits)
}

/// What becomes narrower.
#[derive(Default)]
struct Plan {
    ranges: Ranges,
    /// Results of stages.
    results: HashMap<Key, Format>,
}

impl Plan {
    /// The format that a stage's result is kept in, if that is narrower than its type and only loads see it.
    fn format(&mut self, stage: Stage, number: usize) -> Option<Format> {
        let width = IntegerType::try_from(stage.image_type(number).element()).ok()?.width();
        let format = Format::of(self.ranges.of(ir::operand(stage.terminator()?, number)?))?;
        let is_hidden = |(user, _): (OperationRef, usize)| match Load::of(user) {
            Some(load) => load.boundary() != Boundary::Constant || padding(load, format).is_some(),
            None => is(user, "tensor.dim"),
        };
        let result = ir::result(stage.op(), number)?;
        (format.bits < width && ir::uses(result).into_iter().all(is_hidden)).then_some(format)
    }

    /// The body of a stage with as few bits as are enough for it, if these are fewer than it has.
    fn body<'c: 'a, 'a>(&mut self, stage: Stage<'c, 'a>) -> Option<Body<'c, 'a>> {
        let ops: Vec<OperationRef> = ir::operations(stage.body()).collect();
        let widest = widest(stage.op())?;
        // Processors multiply, shift and divide no bytes.
        let words = ["arith.mul", "arith.sh", "arith.div", "arith.rem"];
        let has_words = ops.iter().any(|op| words.iter().any(|word| ir::name_of(*op).starts_with(word)));
        let least = if has_words { 16 } else { 8 };
        [8, 16, 32].into_iter().filter(|bits| (least..widest).contains(bits)).find_map(|bits| {
            let ops: Option<Vec<_>> = ops.iter().map(|op| Some((*op, self.narrow(*op, bits)?))).collect();
            Some(Body { bits, ops: ops? })
        })
    }

    /// What an op becomes in a body of so many bits, if these are enough for it.
    fn narrow<'c>(&mut self, op: OperationRef<'c, '_>, bits: u32) -> Option<Narrow<'c>> {
        // A reduce computes with what it has inside.
        if op.region_count() > 0 {
            return None;
        }
        let operands: Vec<Value> = op.operands().filter(|value| is_wide(*value, bits)).collect();
        let results: Vec<Value> = op.results().map(Value::from).filter(|value| is_wide(*value, bits)).collect();
        if operands.is_empty() && results.is_empty() {
            return Some(Narrow::Same);
        }
        let is_kept = |image: Value| self.results.get(&key(image)).is_some_and(|format| format.bits <= bits);
        if let Some(load) = Load::of(op) {
            return (results.is_empty() || is_kept(load.source())).then_some(Narrow::Load);
        }
        if let Some(stage) = op.parent_operation().filter(|_| is(op, "pipeline.yield")) {
            let mut yielded = op.operands().zip(stage.results()).filter(|(value, _)| is_wide(*value, bits));
            return yielded.all(|(_, result)| is_kept(result.into())).then_some(Narrow::Yield);
        }
        let is_signed = self.fit(&operands, Format { bits, is_signed: true });
        let is_natural = self.fit(&operands, Format { bits, is_signed: false });
        let is_lost = [true, false].iter().all(|is_signed| !self.fit(&results, Format { bits, is_signed: *is_signed }));
        let name = ir::name_of(op);
        let is_too_far = |range: Interval| range.hi.is_none_or(|amount| amount >= i64::from(bits));
        if is_lost || (name.starts_with("arith.sh") && is_too_far(self.ranges.of(operands[1]))) {
            return None;
        }
        match name {
            "arith.cmpi" => match predicate(op)? {
                predicate @ LESS..BELOW if is_natural => Some(Narrow::Compare(predicate - LESS + BELOW)),
                predicate if is_natural || (is_signed && predicate < BELOW) => Some(Narrow::Compare(predicate)),
                _ => None,
            },
            "math.absi" => is_signed.then_some(Narrow::Op(name)),
            _ if OF_LOW_BITS.contains(&name) => Some(Narrow::Op(name)),
            _ => match SIGNED_AND_NATURAL.iter().find(|names| names.contains(&name))? {
                [_, natural] if is_natural => Some(Narrow::Op(natural)),
                [signed, _] => (is_signed && *signed == name).then_some(Narrow::Op(name)),
            },
        }
    }

    fn fit(&mut self, values: &[Value], format: Format) -> bool {
        values.iter().all(|value| format.holds(self.ranges.of(*value)))
    }
}

/// Ops whose low bits are those of the same op on low bits.
const OF_LOW_BITS: [&str; 12] = [
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.shli",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.select",
    "arith.constant",
    "arith.extui",
    "arith.extsi",
    "arith.trunci",
];

/// Ops that see a sign, and those that see none: of numbers that are not negative they see the same.
const SIGNED_AND_NATURAL: [[&str; 2]; 7] = [
    ["arith.shrsi", "arith.shrui"],
    ["arith.minsi", "arith.minui"],
    ["arith.maxsi", "arith.maxui"],
    ["arith.divsi", "arith.divui"],
    ["arith.remsi", "arith.remui"],
    ["arith.sitofp", "arith.uitofp"],
    ["arith.index_cast", "arith.index_castui"],
];

/// The predicates of `arith.cmpi` that see a sign begin here, and in the same order those that see none.
const LESS: i64 = Compare::Less as i64;

const BELOW: i64 = Compare::Below as i64;

fn predicate(op: OperationRef) -> Option<i64> {
    Some(IntegerAttribute::try_from(op.attribute("predicate").ok()?).ok()?.value())
}

/// What an op of a body becomes.
enum Narrow<'c> {
    /// It has fewer bits already.
    Same,
    /// What it gives is truncated; that it reads what is narrow comes later.
    Load,
    /// What it takes is extended; that it writes what is narrow comes later.
    Yield,
    /// The op of this name, on integers with fewer bits.
    Op(&'c str),
    /// A comparison for this predicate.
    Compare(i64),
}

/// The ops of a stage, and what they become with so many bits.
struct Body<'c, 'a> {
    bits: u32,
    ops: Vec<(OperationRef<'c, 'a>, Narrow<'c>)>,
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    fn rewrite(&self, cx: &PassContext<'c>) {
        // Values of the body in their low bits.
        let mut low: HashMap<Key, Value> = HashMap::new();
        for (op, narrow) in &self.ops {
            let b = Builder::before(cx.context(), *op);
            match narrow {
                Narrow::Same => {}
                Narrow::Load => {
                    let value: Value = op.result(0).expect("a load has a result").into();
                    let behind = Builder::before(cx.context(), op.next_in_block().expect("a yield is behind loads"));
                    low.insert(key(value), truncated(&behind.located(op.location()), value, self.bits));
                }
                Narrow::Yield => {
                    for (number, value) in op.operands().enumerate().filter(|(_, value)| is_wide(*value, self.bits)) {
                        // What was above the bits that the result keeps is not seen.
                        let narrow = self.in_low_bits(&b, &mut low, value);
                        let wide = b.value("arith.extui", &[narrow], value.r#type(), &[]);
                        ir::mutable(*op).set_operand(number, wide);
                    }
                }
                Narrow::Op(name) => self.replace(&b, &mut low, *op, name, &[]),
                Narrow::Compare(predicate) => {
                    let predicate = b.i64_attribute(*predicate);
                    self.replace(&b, &mut low, *op, "arith.cmpi", &[("predicate", predicate)]);
                }
            }
        }
        for (op, narrow) in self.ops.iter().rev() {
            let is_replaced = matches!(narrow, Narrow::Op(_) | Narrow::Compare(_));
            if is_replaced && !op.results().any(|value| ir::has_uses(value.into())) {
                ir::erase(*op);
            }
        }
    }

    /// A value as the narrow body has it.
    fn in_low_bits(
        &self,
        b: &Builder<'c, 'a>,
        low: &mut HashMap<Key, Value<'c, 'a>>,
        value: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        match is_wide(value, self.bits) {
            true => *low.entry(key(value)).or_insert_with(|| truncated(b, value, self.bits)),
            false => value,
        }
    }

    /// Puts the op of this name, on narrow operands, beside one.
    fn replace(
        &self,
        b: &Builder<'c, 'a>,
        low: &mut HashMap<Key, Value<'c, 'a>>,
        op: OperationRef<'c, 'a>,
        name: &str,
        attributes: &[(&str, Attribute<'c>)],
    ) {
        let value: Value = op.result(0).expect("arithmetic has a result").into();
        let operands: Vec<Value> = op.operands().map(|operand| self.in_low_bits(b, low, operand)).collect();
        let ty = match is_wide(value, self.bits) {
            true => IntegerType::new(b.context(), self.bits).into(),
            false => value.r#type(),
        };
        let is_cast = ["arith.extui", "arith.extsi", "arith.trunci"].contains(&name);
        let made = match name {
            "arith.constant" => truncated(b, value, self.bits),
            _ if is_cast && operands[0].r#type() == ty => operands[0],
            _ => b.value(name, &operands, ty, attributes),
        };
        match is_wide(value, self.bits) {
            true => _ = low.insert(key(value), made),
            false => ir::replace_all_uses(value, made),
        }
    }
}

/// The low bits of a value: of a constant another one, of what was extended those of what it was.
fn truncated<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, bits: u32) -> Value<'c, 'a> {
    let ty = IntegerType::new(b.context(), bits).into();
    if let Some(number) = constant_index(value) {
        return low_bits_of(b, number, ty);
    }
    let extension = ir::defining_op(value).filter(|op| is(*op, "arith.extui") || is(*op, "arith.extsi"));
    if let Some((extension, shorter)) = extension.and_then(|op| Some((op, ir::operand(op, 0)?))) {
        match bits_of_element(shorter.r#type()).unwrap_or(bits).cmp(&bits) {
            Ordering::Equal => return shorter,
            Ordering::Greater => return truncated(b, shorter, bits),
            Ordering::Less => return b.value(ir::name_of(extension), &[shorter], ty, &[]),
        }
    }
    b.value("arith.trunci", &[value], ty, &[])
}

/// The low bits of a number.
fn low_bits_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, number: i64, ty: Type<'c>) -> Value<'c, 'a> {
    let above = 64 - bits_of_element(ty).unwrap_or(64);
    b.integer(ty, &[number << above >> above])
}

/// The padding value of a load, if it is a constant that a format holds, too.
fn padding(load: Load, format: Format) -> Option<i64> {
    let number = constant_index(load.padding()?)?;
    format.holds(Interval::new(Some(number), Some(number))).then_some(number)
}

/// Keeps a result of a stage in a format: it is truncated before it is yielded, and extended behind each load.
fn keep<'c: 'a, 'a>(cx: &PassContext<'c>, stage: Stage<'c, 'a>, number: usize, format: Format) {
    let image = stage.image_type(number);
    let ty = Type::from(IntegerType::new(cx.context(), format.bits));
    let end = stage.terminator().expect("a stage yields its results");
    let yielded = ir::operand(end, number).expect("a stage yields its results");
    let b = Builder::before(cx.context(), end);
    ir::mutable(end).set_operand(number, truncated(&b, yielded, format.bits));
    let result = ir::result(stage.op(), number).expect("it has this result");
    result.set_type(image_type(static_extents(image), ty));
    let extension = if format.is_signed { "arith.extsi" } else { "arith.extui" };
    for load in ir::uses(result).into_iter().filter_map(|(user, _)| Load::of(user)) {
        let value: Value = load.op().result(0).expect("a load has a result").into();
        let b = Builder::before(cx.context(), load.op().next_in_block().expect("a yield is behind loads"));
        let wide = b.located(load.op().location()).value(extension, &[value], image.element(), &[]);
        ir::replace_all_uses(value, wide);
        ir::mutable(ir::defining_op(wide).expect("it is an op's")).set_operand(0, value);
        value.set_type(ty);
        for truncation in ir::uses(wide).into_iter().map(|(user, _)| user).filter(|user| is(*user, "arith.trunci")) {
            let short: Value = truncation.result(0).expect("a cast has a result").into();
            let bits = bits_of_element(short.r#type()).expect("an integer");
            let low = truncated(&Builder::before(cx.context(), truncation), wide, bits);
            ir::replace_all_uses(short, low);
            ir::erase(truncation);
        }
        if let Some(number) = padding(load, format) {
            let b = Builder::before(cx.context(), load.op());
            ir::mutable(load.op()).set_operand(load.op().operand_count() - 1, low_bits_of(&b, number, ty));
        }
    }
}
