//! `--split-words`: words that are made of bits are computed part by part.
//!
//! ```text
//! %l = cmpi ult, %west, %here : i8                    %l = cmpi ult, %west, %here : i8
//! %a = select %l, 1, 0 : i32                          %a = select %l, 1, 0 : i8
//! %r = cmpi ult, %east, %here : i8                    %r = cmpi ult, %east, %here : i8
//! %b = select %r, 2, 0 : i32                          %b = select %r, 2, 0 : i8
//! %s = addi %a, %b : i32                      ──▶     %s = addi %a, %b : i8              ... eight of them
//! ...                                                 %e = extui %s : i8 to i32
//! %t = addi %s, select(%n, 256, 0) : i32              %f = shli (extui ... : i8 to i32), 8
//! yield %t : i32                                      yield addi %e, %f : i32            ... four of them
//! ```
//!
//! As a census transform has it, a local binary pattern, a descriptor. Bytes are compared 64 at a time, but each bit of a word was put where it
//! belongs in 32 bits, 16 at a time, after the bits of the comparison were taken apart. Numbers that have no bit in common have none to carry:
//! to add them up is to put them side by side, and those of a part of the word can be put together in a vector of that part's own.
//!
//! Parts are as wide as what is compared, or else there would be nothing to gain; where a word is too few bits, putting its parts together
//! costs more than that.

use crate::ir::{Builder, bits_of_element, constant_index, is};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::IntegerType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::Stage;

/// The pass.
pub struct SplitWords;

const WORDS: Statistic = Statistic::new(c"words", c"Words that are computed part by part");

/// Instructions that put a part where it belongs in a word: an extension, a shift, and an addition.
const JOINED: usize = 3;

impl Pass for SplitWords {
    const ARGUMENT: &'static str = "split-words";
    const SUMMARY: &'static str = "Compute words of bits part by part, in as few bits as what is compared has";
    const DESCRIPTION: &'static str = "\
In bodies of stages, a sum, or an `arith.ori`, of constants that comparisons choose, no two of which have a bit in common, becomes sums of \
its parts of 8, 16 or 32 bits, as wide as what is compared, where that takes fewer instructions. No value changes. It goes behind `--narrow-integers`.";
    const STATISTICS: &'static [Statistic] = &[WORDS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        // Ops of the list go.
        let stages: Vec<Stage> = ir::walk(module).into_iter().filter_map(Stage::of).collect();
        for stage in stages {
            let is_root = |op: &OperationRef<'c, '_>| joined(*op).is_some() && !is_part(*op);
            let mut waiting: Vec<OperationRef> = ir::operations(stage.body()).filter(is_root).collect();
            while let Some(root) = waiting.pop() {
                match Word::of(root).filter(Word::is_worth) {
                    Some(word) => {
                        word.split(cx, root);
                        cx.count(WORDS, 1);
                    }
                    // There may be one among what it puts together.
                    None => {
                        let of = joined(root).into_iter().flatten().filter(|value| ir::has_one_use(*value));
                        waiting.extend(of.filter_map(ir::defining_op).filter(|op| joined(*op).is_some()));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The two values that an op puts together, if it does nothing but that.
fn joined<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let puts = is(op, "arith.addi") || is(op, "arith.ori");
    puts.then(|| Some([ir::operand(op, 0)?, ir::operand(op, 1)?]))?
}

/// Whether what an op gives is only put together with something else.
fn is_part(op: OperationRef) -> bool {
    let [(user, _)] = op.result(0).map(|value| ir::uses(value.into())).unwrap_or_default()[..] else { return false };
    joined(user).is_some()
}

/// A choice between two constants.
struct Choice<'c, 'a> {
    condition: Value<'c, 'a>,
    /// If it holds, and if not.
    numbers: [u64; 2],
}

/// What choices put together are.
struct Word<'c, 'a> {
    choices: Vec<Choice<'c, 'a>>,
    bits: u32,
    /// Bits of a part.
    part: u32,
}

impl<'c: 'a, 'a> Word<'c, 'a> {
    /// The word that ends with an op, if it is one and each choice lies in one part.
    fn of(root: OperationRef<'c, 'a>) -> Option<Self> {
        let result = ir::result(root, 0)?;
        let bits = IntegerType::try_from(result.r#type()).ok()?.width();
        let mut choices = Vec::new();
        let mut waiting = vec![result];
        while let Some(value) = waiting.pop() {
            let op = ir::defining_op(value).filter(|_| value == result || ir::has_one_use(value))?;
            match joined(op) {
                Some(both) => waiting.extend(both),
                None => choices.push(choice(op, bits)?),
            }
        }
        choices.reverse();
        let compared =
            choices.iter().map(|choice| bits_compared(choice.condition)).try_fold(8, |all, bits| Some(bits?.max(all)));
        let part = compared?.next_power_of_two();
        let mut seen = 0;
        for choice in &choices {
            let own = choice.numbers[0] | choice.numbers[1];
            let first = own.trailing_zeros() / part;
            let is_apart = own & seen == 0 && (own == 0 || first == own.ilog2() / part);
            is_apart.then_some(())?;
            seen |= own;
        }
        (part < bits).then_some(Self { choices, bits, part })
    }

    /// The choices of a part, and its place.
    fn parts(&self) -> impl Iterator<Item = (u32, Vec<&Choice<'c, 'a>>)> {
        let of = |first: u32| {
            let is_in = |number: &u64| (*number >> first) & low_bits(self.part) != 0;
            self.choices.iter().filter(|choice| choice.numbers.iter().any(is_in)).collect()
        };
        let parts = (0..self.bits).step_by(self.part as usize).map(move |first| (first, of(first)));
        parts.filter(|(_, choices): &(u32, Vec<_>)| !choices.is_empty())
    }

    /// Whether it takes fewer instructions part by part.
    fn is_worth(&self) -> bool {
        let vectors = (self.bits / self.part) as usize;
        self.choices.len() * (vectors - 1) > JOINED * vectors * self.parts().count()
    }

    /// Puts the parts together before an op, and in its place.
    fn split(&self, cx: &PassContext<'c>, root: OperationRef<'c, 'a>) {
        let b = Builder::before(cx.context(), root).located(root.location());
        let (whole, part) = (b.integer_type(self.bits), b.integer_type(self.part));
        let add = |ty| move |left, right| b.value("arith.addi", &[left, right], ty, &[]);
        let parts = self.parts().map(|(first, choices)| {
            let choices = choices.into_iter().map(|choice| {
                let [yes, no] = choice.numbers.map(|number| b.integer(part, &[signed(number >> first, self.part)]));
                b.select(choice.condition, yes, no, part)
            });
            let own = choices.reduce(add(part)).expect("a part has choices");
            let wide = b.value("arith.extui", &[own], whole, &[]);
            match first {
                0 => wide,
                first => b.value("arith.shli", &[wide, b.integer(whole, &[first.into()])], whole, &[]),
            }
        });
        let word = parts.reduce(add(whole)).unwrap_or_else(|| b.integer(whole, &[0]));
        let mut unused = vec![root];
        ir::replace_all_uses(ir::result(root, 0).expect("arithmetic has a result"), word);
        while let Some(op) = unused.pop() {
            let operands: Vec<Value> = op.operands().collect();
            ir::erase(op);
            let is_of_word = |value: &Value| value.r#type() == whole && !ir::has_uses(*value);
            for op in operands.into_iter().filter(is_of_word).filter_map(ir::defining_op) {
                let is_put =
                    joined(op).is_some() || ["arith.select", "arith.extui", "arith.shli"].contains(&ir::name_of(op));
                if is_put && !unused.contains(&op) {
                    unused.push(op);
                }
            }
        }
    }
}

/// The choice that an op makes.
fn choice<'c: 'a, 'a>(op: OperationRef<'c, 'a>, bits: u32) -> Option<Choice<'c, 'a>> {
    match ir::name_of(op) {
        "arith.select" => {
            let numbers = [constant(ir::operand(op, 1)?)?, constant(ir::operand(op, 2)?)?];
            Some(Choice { condition: ir::operand(op, 0)?, numbers })
        }
        "arith.extui" => {
            let condition = ir::operand(op, 0).filter(|value| bits_of_element(value.r#type()) == Some(1))?;
            Some(Choice { condition, numbers: [1, 0] })
        }
        "arith.shli" => {
            let of = choice(ir::defining_op(ir::operand(op, 0)?)?, bits)?;
            let by = constant(ir::operand(op, 1)?).and_then(|by| u32::try_from(by).ok()).filter(|by| *by < bits)?;
            Some(Choice { numbers: of.numbers.map(|number| (number << by) & low_bits(bits)), ..of })
        }
        _ => None,
    }
}

/// The bits of the widest numbers that a condition compares; `None` where it is not known what it is made of.
fn bits_compared(condition: Value) -> Option<u32> {
    let op = ir::defining_op(condition)?;
    match ir::name_of(op) {
        "arith.cmpi" | "arith.cmpf" => bits_of_element(ir::operand(op, 0)?.r#type()),
        "arith.andi" | "arith.ori" | "arith.xori" => {
            Some(bits_compared(ir::operand(op, 0)?)?.max(bits_compared(ir::operand(op, 1)?)?))
        }
        "arith.constant" => Some(1),
        _ => None,
    }
}

/// The number that a value always is, without a sign.
fn constant(value: Value) -> Option<u64> {
    // An index has 64.
    let bits = IntegerType::try_from(value.r#type()).map_or(64, |ty| ty.width());
    if let Some(number) = constant_index(value) {
        return Some(number.cast_unsigned() & low_bits(bits));
    }
    let op = ir::defining_op(value)?;
    let of = |number| constant(ir::operand(op, number)?);
    match ir::name_of(op) {
        "arith.shli" => Some((of(0)? << of(1).filter(|by| *by < bits.into())?) & low_bits(bits)),
        "arith.extui" | "arith.trunci" | "arith.index_castui" => Some(of(0)? & low_bits(bits)),
        _ => None,
    }
}

/// A number of so many bits that are all 1.
fn low_bits(bits: u32) -> u64 {
    u64::MAX >> (64 - bits.clamp(1, 64))
}

/// The low bits of a number as one with a sign, which is how constants are written.
fn signed(number: u64, bits: u32) -> i64 {
    let above = 64 - bits;
    (number << above).cast_signed() >> above
}
