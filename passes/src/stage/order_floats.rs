//! `--order-floats`: stages of nothing but maxima of floats, or of nothing but minima, keep integers of the same order.
//!
//! ```text
//! %p = stage "pairs" (%x) {                                %p = stage "pairs" (%x) {
//!   %a = load %img[%x]                                       %a = order(load %img[%x])
//!   %b = load %img[%x + 1] clamp                             %b = order(load %img[%x + 1] clamp)
//!   yield maximumf %a, %b : f32                              yield maxsi %a, %b : i32
//! } : tensor<?xf32>                                ──▶     } : tensor<?xi32>
//! %m = stage "most" (%x) {                                 %m = stage "most" (%x) {
//!   %c = load %p[%x]                                         %c = load %p[%x]
//!   %d = load %p[%x + 2] clamp                               %d = load %p[%x + 2] clamp
//!   yield maximumf %c, %d : f32                              yield float(maxsi %c, %d) : f32
//! } : tensor<?xf32>                                        } : tensor<?xf32>
//! ```
//!
//! A maximum of floats is NaN where an operand is, and of two zeros the one without a sign: no CPU has one instruction for that, and
//! what `--expand-extremes` asks of each operand costs as much as the maximum, or twice that. An integer's maximum is one instruction. The bits of floats
//! without a sign are ordered as the floats are; of those with one, all others are turned round. NaN becomes the greatest integer of the order,
//! or, for minima, the least.
//!
//! That is five operations for a load of what is a float, and three for a result that stays one, so it is for stages that read each other
//! often: of a disc's maxima, made of those of 2, 4, 8 and 16 points of a column, most.

use super::copy::image_type;
use crate::ir::{Builder, FloatCompare, Key, compare_floats, is, key, program};
use melior::{
    dialect::DialectHandle,
    ir::{
        OperationRef, Type, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Load, Stage, static_extents};

/// The pass.
pub struct OrderFloats;

const RESULTS: Statistic = Statistic::new(c"results", c"Results of stages that are kept as integers of the same order");

/// Operations that a load of an integer saves, that a load of a float costs, and a result that is one.
const SAVED: usize = 1;
const ORDER: usize = 5;
const FLOAT: usize = 3;

impl Pass for OrderFloats {
    const ARGUMENT: &'static str = "order-floats";
    const SUMMARY: &'static str = "Keep maxima of maxima of floats as integers of the same order";
    const DESCRIPTION: &'static str = "\
Stages whose bodies are loads and `arith.maximumf` alone, or loads and `arith.minimumf` alone, of `f32`, and that read each other, yield integers of 32 bits, which are \
ordered as the floats are, with NaN beyond all others: their maximum is one instruction. Floats that are loaded from elsewhere become such integers, and results that others read, or \
that the program returns, floats again, where loads of integers outnumber these. No value changes.";
    const STATISTICS: &'static [Statistic] = &[RESULTS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for program in program::programs(module) {
            let stages = ir::walk(program).into_iter().filter_map(Stage::of);
            let element = Type::float32(cx.context());
            let members: Vec<Member> = stages.filter_map(|stage| Member::of(stage, element)).collect();
            for end in [End::Greatest, End::Least] {
                let members: Vec<&Member> = members.iter().filter(|member| member.end == end).collect();
                for chain in chains(&members).into_iter().filter(Chain::pays) {
                    cx.count(RESULTS, chain.hidden.len());
                    chain.rewrite(cx);
                }
            }
        }
        Ok(())
    }
}

/// Which of several values stages yield.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Greatest,
    Least,
}

impl End {
    fn of(op: OperationRef) -> Option<Self> {
        match ir::name_of(op) {
            "arith.maximumf" => Some(Self::Greatest),
            "arith.minimumf" => Some(Self::Least),
            _ => None,
        }
    }

    /// The op for integers.
    fn of_integers(self) -> &'static str {
        match self {
            Self::Greatest => "arith.maxsi",
            Self::Least => "arith.minsi",
        }
    }

    /// What NaN becomes: a NaN's bits, with a sign turned round.
    fn nan(self) -> i64 {
        match self {
            Self::Greatest => 0x7fc0_0000,
            Self::Least => -0x7fc0_0001,
        }
    }
}

/// A stage that yields the greatest, or the least, of what it loads.
struct Member<'c, 'a> {
    stage: Stage<'c, 'a>,
    end: End,
    loads: Vec<Load<'c, 'a>>,
    extremes: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Member<'c, 'a> {
    /// That of a stage, if all it has are such floats.
    fn of(stage: Stage<'c, 'a>, element: Type<'c>) -> Option<Self> {
        let is_float = |value: Value| value.r#type() == element;
        let (mut loads, mut extremes) = (Vec::new(), Vec::new());
        let terminator = stage.terminator()?;
        for op in ir::operations(ir::block_of(ir::operand(terminator, 0)?)?).filter(|op| *op != terminator) {
            match Load::of(op) {
                Some(load) if load.boundary() != Boundary::Constant => loads.push(load),
                None if End::of(op).is_some() => extremes.push(op),
                _ => return None,
            }
            if !ir::result(op, 0).is_some_and(is_float) {
                return None;
            }
        }
        let end = End::of(*extremes.first()?)?;
        let is_member = terminator.operand_count() == 1 && extremes.iter().all(|op| End::of(*op) == Some(end));
        is_member.then_some(Self { stage, end, loads, extremes })
    }

    fn result(&self) -> Value<'c, 'a> {
        ir::result(self.stage.op(), 0).expect("a stage yields a result")
    }
}

/// Stages that read each other.
struct Chain<'m, 'c, 'a> {
    members: Vec<&'m Member<'c, 'a>>,
    /// Results that only members read.
    hidden: HashSet<Key>,
}

/// The chains of some stages that yield the same of what they load.
fn chains<'m, 'c: 'a, 'a>(members: &[&'m Member<'c, 'a>]) -> Vec<Chain<'m, 'c, 'a>> {
    let reader: HashMap<Key, usize> = members
        .iter()
        .enumerate()
        .flat_map(|(number, member)| member.loads.iter().map(move |load| (key(load_value(*load)), number)))
        .collect();
    let readers = |member: &Member<'c, 'a>| -> Option<Vec<usize>> {
        let uses = ir::uses(member.result()).into_iter().map(|(user, _)| user).filter(|user| !is(*user, "tensor.dim"));
        uses.map(|user| reader.get(&key(load_value(Load::of(user)?))).copied()).collect()
    };
    // The chain of each member: the number of one.
    let mut of: Vec<usize> = (0..members.len()).collect();
    let mut hidden = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let Some(readers) = readers(member).filter(|readers| !readers.is_empty()) else { continue };
        hidden.push((number, key(member.result())));
        for reader in readers {
            let (one, other) = (of[number], of[reader]);
            of.iter_mut().filter(|chain| **chain == other).for_each(|chain| *chain = one);
        }
    }
    let chain = |number: usize| {
        let own = |other: &usize| of[*other] == number;
        let hidden = hidden.iter().filter(|(other, _)| own(other)).map(|(_, result)| *result).collect();
        Chain { members: (0..members.len()).filter(own).map(|other| members[other]).collect(), hidden }
    };
    (0..members.len()).filter(|number| of[*number] == *number).map(chain).collect()
}

fn load_value<'c: 'a, 'a>(load: Load<'c, 'a>) -> Value<'c, 'a> {
    ir::result(load.op(), 0).expect("a load has a result")
}

impl<'c: 'a, 'a> Chain<'_, 'c, 'a> {
    fn is_hidden(&self, value: Value) -> bool {
        self.hidden.contains(&key(value))
    }

    /// Whether operations are saved.
    fn pays(&self) -> bool {
        let loads = || self.members.iter().flat_map(|member| &member.loads);
        let inner = loads().filter(|load| self.is_hidden(load.source())).count();
        let floats = self.members.len() - self.hidden.len();
        SAVED * inner > ORDER * (loads().count() - inner) + FLOAT * floats
    }

    fn rewrite(&self, cx: &PassContext<'c>) {
        let word = |b: &Builder<'c, 'a>| b.integer_type(32);
        for member in &self.members {
            if self.is_hidden(member.result()) {
                let b = Builder::before(cx.context(), member.stage.op());
                member.result().set_type(image_type(static_extents(member.stage.image_type(0)), word(&b)));
            }
            for load in &member.loads {
                let value = load_value(*load);
                let behind = load.op().next_in_block().expect("a yield is behind loads");
                let b = Builder::before(cx.context(), behind).located(load.op().location());
                if self.is_hidden(load.source()) {
                    value.set_type(word(&b));
                    continue;
                }
                let uses = ir::uses(value);
                let ordered = order(&b, value, member.end);
                uses.into_iter().for_each(|(user, number)| ir::mutable(user).set_operand(number, ordered));
            }
            for op in &member.extremes {
                let b = Builder::before(cx.context(), *op).located(op.location());
                let operands: Vec<Value> = op.operands().collect();
                let found = b.value(member.end.of_integers(), &operands, word(&b), &[]);
                ir::replace_all_uses(ir::result(*op, 0).expect("an extreme has a result"), found);
                ir::erase(*op);
            }
            if !self.is_hidden(member.result()) {
                let end = member.stage.terminator().expect("a stage yields its results");
                let b = Builder::before(cx.context(), end).located(end.location());
                let found = ir::operand(end, 0).expect("it yields one");
                ir::mutable(end).set_operand(0, float(&b, found));
            }
        }
    }
}

/// The bits of a float, of those with a sign all others turned round; and back.
fn turned<'c: 'a, 'a>(b: &Builder<'c, 'a>, bits: Value<'c, 'a>) -> Value<'c, 'a> {
    let ty = bits.r#type();
    let sign = b.value("arith.shrsi", &[bits, b.integer(ty, &[31])], ty, &[]);
    let others = b.value("arith.shrui", &[sign, b.integer(ty, &[1])], ty, &[]);
    b.value("arith.xori", &[bits, others], ty, &[])
}

/// A float as an integer of the same order, NaN as the one beyond all others.
fn order<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, end: End) -> Value<'c, 'a> {
    let ty = b.integer_type(32);
    let bits = b.value("arith.bitcast", &[value], ty, &[]);
    let number = turned(b, bits);
    let is_nan = compare_floats(b, FloatCompare::Unordered, value, value);
    b.select(is_nan, b.integer(ty, &[end.nan()]), number, ty)
}

/// The float that an integer is in the order.
fn float<'c: 'a, 'a>(b: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Value<'c, 'a> {
    let bits = turned(b, number);
    let ty = Type::float32(b.context());
    b.value("arith.bitcast", &[bits], ty, &[])
}
