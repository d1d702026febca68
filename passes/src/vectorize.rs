//! `--vectorize`: loops over points become loops over vectors of points.
//!
//! ```text
//! scf.for %x = %a to %b {                        scf.for %i = %a to %b step 16 {
//!   %p = memref.load %m[%y, %x + 1] : f32          %x = min(%i, %b - 16)
//!   %v = arith.mulf %p, %p : f32          ──▶      %p = vector.load %m[%y, %x + 1] : vector<16xf32>
//!   memref.store %v, %o[%y, %x]                    %v = arith.mulf %p, %p : vector<16xf32>
//! } {weft.lanes = 16}                              vector.store %v, %o[%y, %x] }
//! ```
//!
//! The points of a marked loop can be computed in any order, and again: so the last vector is moved back to end where the loop
//! ends, and computes some points a second time, instead of a tail with masks.
//!
//! **Masks.** Where a loop has fewer turns than a vector has lanes, it is one vector whose other lanes neither read nor write. A
//! clamped index is one load there, too: lanes inside read their own element, those outside have the nearest one, which is what the
//! first lane reads, or the last.
//!
//! **What a value is.** Walked once, each value of the body turns out to be the same for all lanes (it stays a scalar), a number
//! that grows by a constant from lane to lane (it stays the scalar of the first lane), or a vector. A load whose last index grows by
//! 1 is a `vector.load`; by more, loads of the whole stretch and a shuffle; one at any other places is a `vector.gather`.
//!
//! **Cache lines.** The first vector begins so far before the loop that those behind it are stored to whole cache lines (its lanes are
//! moved inside, as those of the last are). Only such a store may go past the caches, which `nontemporal` asks for.
//!
//! **Places that are computed.** Where a plane of few is asked for, all are loaded, and each lane selects its own. Where rows are no longer
//! than a vector, they are tables in registers. Any others are gathered.
//!
//! **Halves.** Where an index is divided by a constant, vectors begin at a multiple of it, and the points before and behind have
//! masks: then it is known which lanes read the same element, or are even.
//!
//! **Reduces** are loops inside. Those of rows that are computed together have the same bounds and become one loop.
//!
//! **Powers of two.** A number that `--expand-math` scales by one is scaled at once where vectors have 64 bytes: AVX-512 has an instruction.
//!
//! **Branches.** An `scf.if` whose condition differs from lane to lane is computed on both sides, and each lane takes its own: loads
//! stay inside their memory on either side, and integers are divided by 1 in the lanes that are not concerned.

use crate::{
    access::bytes_of_element,
    builder::{Builder, Compare, Key, key, one_block, only_block},
    kernel::element_of,
    program::{constant_index, is},
    saturate::{self, Limits},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::weft;
use weft_model::{CACHE_LINE, gcd};

mod loads;

/// The pass.
pub struct Vectorize;

const LOOPS: Statistic = Statistic::new(c"loops", c"Loops that became loops over vectors");
const GATHERS: Statistic = Statistic::new(c"gathers", c"Loads at places that are no stretch of memory");

impl Pass for Vectorize {
    const ARGUMENT: &'static str = "vectorize";
    const SUMMARY: &'static str = "Turn loops over points into loops over vectors of points";
    const DESCRIPTION: &'static str = "\
Of each `scf.for` with `weft.lanes = n`, which says that its turns may be done in any order and more than once, makes a loop over \
vectors of n elements, and one vector with a mask where there are fewer turns: with `weft.wide` there never are, with `weft.masked` mostly. \
`--cpu-tile` marks its loops so.";
    const STATISTICS: &'static [Statistic] = &[LOOPS, GATHERS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::memref(),
            DialectHandle::scf(),
            mlir_glue::tool::vector(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let marked: Vec<_> = ir::walk(module).into_iter().filter_map(|op| Some((op, lanes_of(op)?))).collect();
        for (op, lanes) in marked {
            ir::mutable(op).remove_attribute(weft::LANES).ok();
            let is_wide = ir::mutable(op).remove_attribute(weft::WIDE).is_ok();
            let is_masked = ir::mutable(op).remove_attribute(weft::MASKED).is_ok();
            if lanes < 2 {
                continue;
            }
            let turns = match (is_wide, is_masked) {
                (_, true) => Turns::Few,
                (true, _) => Turns::Many,
                _ => Turns::Any,
            };
            cx.count(GATHERS, vectorize(cx, op, lanes, turns)?);
            cx.count(LOOPS, 1);
        }
        Ok(())
    }
}

/// How many points of a loop make a vector.
fn lanes_of(op: OperationRef) -> Option<i64> {
    let lanes = is(op, "scf.for").then(|| op.attribute(weft::LANES).ok()).flatten()?;
    IntegerAttribute::try_from(lanes).ok().map(|lanes| lanes.value())
}

/// How many turns a loop has.
#[derive(Clone, Copy, PartialEq)]
enum Turns {
    /// Less than a vector of them, mostly: vectors have masks.
    Few,
    /// A vector of them at least.
    Many,
    /// Nobody knows.
    Any,
}

/// Replaces a loop; returns how many gathers there are now.
fn vectorize<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    op: OperationRef<'c, 'a>,
    lanes: i64,
    turns: Turns,
) -> Result<usize, Failure<'c>> {
    let b = Builder::before(cx.context(), op).located(op.location());
    let [from, to] = [0, 1].map(|index| ir::operand(op, index).expect("an scf.for has bounds"));
    let aligned = alignment(op, lanes);
    if turns == Turns::Few {
        let gathers = masked(&b, op, (from, to), lanes, aligned)?;
        ir::erase(op);
        return Ok(gathers);
    }
    let (mut first, mut end) = (from, to);
    if aligned > 1 {
        let up = b.arith("addi", from, b.index(aligned - 1));
        first = b.arith("minsi", multiple(&b, up, aligned), to);
        let count = b.arith("subi", to, first);
        end = b.arith("addi", first, multiple(&b, count, aligned));
    }
    let count = b.arith("subi", end, first);
    let is_enough = b.compare(Compare::GreaterEqual, count, b.index(lanes));
    let stop = b.select(is_enough, end, first, b.index_type());
    let last = b.arith("subi", end, b.index(lanes));
    let start = if aligned == 1 { store_start(&b, op, first, lanes) } else { None };
    let start = start.map_or(first, |start| b.select(is_enough, start, first, b.index_type()));

    let (inner, at) = b.for_every(start, stop, lanes);
    let mut x = inner.arith("minsi", at, last);
    if start != first {
        x = inner.arith("maxsi", x, first);
    }
    let mut vectors = Vectors { lanes, ..Vectors::default() };
    vectors.body(&inner, op, x, aligned)?;
    let mut gathers = vectors.gathers;
    // What no whole vector covers: before the first multiple, and behind the last.
    if aligned > 1 {
        let (sides, side) = b.for_loop(b.index(0), b.index(2));
        let is_left = sides.compare(Compare::Equal, side, sides.index(0));
        let from = sides.select(is_left, from, stop, b.index_type());
        let to = sides.select(is_left, first, to, b.index_type());
        gathers += masked(&sides, op, (from, to), lanes, aligned)?;
    } else if turns == Turns::Any {
        gathers += masked(&b, op, (stop, to), lanes, aligned)?;
    }
    ir::erase(op);
    Ok(gathers)
}

/// The turns of a loop between two numbers as vectors whose lanes outside of these do nothing.
fn masked<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (from, to): (Value<'c, 'a>, Value<'c, 'a>),
    lanes: i64,
    aligned: i64,
) -> Result<usize, Failure<'c>> {
    let mut start = from;
    if aligned > 1 {
        // Where there is nothing to do no vector is begun.
        let is_some = b.compare(Compare::Less, from, to);
        start = b.select(is_some, multiple(b, from, aligned), to, b.index_type());
    }
    let (inner, x) = b.for_every(start, to, lanes);
    // Never more, but LLVM does not know: it would weigh for each load how its address could follow the one before (loop strength
    // reduction), and spend most of its time on loops that have a turn or two.
    let x = inner.arith("minsi", x, inner.arith("subi", to, inner.index(1)));
    let mut vectors = Vectors { lanes, ..Vectors::default() };
    let end = inner.arith("minsi", inner.arith("subi", to, x), inner.index(lanes));
    let mut mask = vectors.first_lanes(&inner, end);
    let mut first = inner.index(0);
    if aligned > 1 {
        first = inner.arith("maxsi", inner.arith("subi", from, x), first);
        // Lanes before the first are those of the shorter mask.
        mask = inner.value("arith.xori", &[mask, vectors.first_lanes(&inner, first)], mask.r#type(), &[]);
    }
    let last = inner.arith("subi", end, inner.index(1));
    (vectors.mask, vectors.active) = (Some(mask), Some(Active { mask, first, last }));
    vectors.body(&inner, op, x, aligned)?;
    Ok(vectors.gathers)
}

/// The greatest multiple that is not above a value.
fn multiple<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, of: i64) -> Value<'c, 'a> {
    let quotient = b.arith("floordivsi", value, b.index(of));
    b.arith("muli", quotient, b.index(of))
}

/// What vectors must begin at a multiple of, so that it is known which lanes go together where an index is divided; 1 where
/// none is, or by too much.
fn alignment(op: OperationRef, lanes: i64) -> i64 {
    let divisors = ir::walk(op).into_iter().filter(|op| is(*op, "arith.floordivsi") || is(*op, "arith.ceildivsi"));
    let all = divisors.filter_map(|op| constant_index(ir::operand(op, 1)?)).fold(1i64, |all, divisor| {
        let common = (1..=divisor).rev().find(|by| all % by == 0 && divisor % by == 0).unwrap_or(1);
        all.saturating_mul(divisor / common)
    });
    if lanes % all == 0 { all } else { 1 }
}

/// A first vector, which may begin before the loop does, such that those behind it are stored to whole cache lines, as far as the
/// first store of the loop is concerned.
fn store_start<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    first: Value<'c, 'a>,
    lanes: i64,
) -> Option<Value<'c, 'a>> {
    let body = only_block(op);
    let store = ir::walk(op).into_iter().find(|op| is(*op, "memref.store"))?;
    let operands: Vec<Value> = store.operands().collect();
    let (memory, indices) = (*operands.get(1)?, operands.get(2..)?);
    let mut values = HashMap::from([(key(body.argument(0).ok()?.into()), first)]);
    let at: Option<Vec<Value>> = indices.iter().map(|index| before_loop(b, *index, body, &mut values)).collect();
    let place = element_number(b, memory, &at?);
    Some(b.arith("subi", first, b.arith("andi", place, b.index(lanes - 1))))
}

/// An index of a loop's body at the point that `values` says, computed before the loop; `None` where it depends on more than
/// index arithmetic.
fn before_loop<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    body: BlockRef<'c, 'a>,
    values: &mut HashMap<Key, Value<'c, 'a>>,
) -> Option<Value<'c, 'a>> {
    if let Some(value) = values.get(&key(index)) {
        return Some(*value);
    }
    if ir::block_of(index) != Some(body) {
        // That of a loop inside has no value yet.
        let around = ir::block_of(index).and_then(|block| block.parent_operation());
        let mut around = std::iter::successors(around, |op| op.parent_operation());
        return (!around.any(|op| op.block() == Some(body))).then_some(index);
    }
    let op = ir::defining_op(index).filter(|op| ir::name_of(*op).starts_with("arith."))?;
    for operand in op.operands().collect::<Vec<_>>() {
        before_loop(b, operand, body, values)?;
    }
    b.clone_mapped(op, values);
    values.get(&key(index)).copied()
}

/// The address of an element, counted in elements.
pub fn element_number<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>, at: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let bytes = bytes_of_element(element_of(memory));
    let address = b.value("memref.extract_aligned_pointer_as_index", &[memory], b.index_type(), &[]);
    let mut place = b.arith("divui", address, b.index(bytes));
    let (offset, strides) = strides_of(b, memory, at.len());
    place = b.arith("addi", place, offset);
    for (index, stride) in at.iter().zip(strides) {
        let part = stride.map_or(*index, |stride| b.arith("muli", *index, stride));
        place = b.arith("addi", place, part);
    }
    place
}

/// What a value of the loop is in its vectors.
#[derive(Clone)]
enum Lanes<'c, 'a> {
    /// The same in all lanes.
    Same(Value<'c, 'a>),
    /// An index, so far from that of the first lane.
    Steps(Steps<'c, 'a>),
    /// An index, brought between two others: what a clamped one is.
    Clamped(Clamped<'c, 'a>),
    /// A vector.
    Own(Value<'c, 'a>),
}

/// An index of which it is known how it differs from lane to lane.
#[derive(Clone)]
struct Steps<'c, 'a> {
    first: Value<'c, 'a>,
    /// What each lane adds.
    steps: Vec<i64>,
    /// `first` is a multiple of the first number, and the second. A multiple of 0 is 0: then `first` is known.
    rest: (i64, i64),
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Whether each lane is the next element.
    fn are_neighbours(&self) -> bool {
        self.steps.iter().enumerate().all(|(lane, step)| *step == lane as i64)
    }
}

/// `max(first + step, least)`, and the minimum of that and `most`, as far as they are there.
#[derive(Clone)]
struct Clamped<'c, 'a> {
    steps: Steps<'c, 'a>,
    least: Option<Value<'c, 'a>>,
    most: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Clamped<'c, 'a> {
    /// What an index becomes.
    fn bring(&self, b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
        let index = self.least.map_or(index, |least| b.arith("maxsi", index, least));
        self.most.map_or(index, |most| b.arith("minsi", index, most))
    }
}

/// The number and the power of a product that is `number * 2^power` ([`weft::SCALED`]).
fn scaled<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
    op.attribute(weft::SCALED).ok()?;
    // 2 to the value that the last op, of this name, begins with.
    let exponent = |power: Value<'c, 'a>, last: &str| {
        ["arith.bitcast", "arith.shli", "arith.addi", last]
            .iter()
            .try_fold(power, |value, name| ir::operand(ir::defining_op(value).filter(|op| is(*op, name))?, 0))
    };
    let near = ir::defining_op(ir::operand(op, 0)?).filter(|op| is(*op, "arith.mulf"))?;
    let power = exponent(ir::operand(op, 1)?, "arith.subi")?;
    (exponent(ir::operand(near, 1)?, "arith.shrsi")? == power).then_some((ir::operand(near, 0)?, power))
}

/// The lanes of a vector that stand for turns of the loop.
#[derive(Clone, Copy)]
struct Active<'c, 'a> {
    mask: Value<'c, 'a>,
    /// The numbers of the first such lane and of the last.
    first: Value<'c, 'a>,
    last: Value<'c, 'a>,
}

#[derive(Default)]
struct Vectors<'c, 'a> {
    lanes: i64,
    values: HashMap<Key, Lanes<'c, 'a>>,
    /// The lanes that are concerned, inside a branch.
    mask: Option<Value<'c, 'a>>,
    /// The lanes that may read and write; `None` where all may.
    active: Option<Active<'c, 'a>>,
    /// 0, as what the first lane's number is more than a multiple of what vectors begin at.
    nothing: Option<Value<'c, 'a>>,
    gathers: usize,
    /// Conversions of which only some numbers are read.
    limits: Limits<'c, 'a>,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    fn of(&self, value: Value<'c, 'a>) -> Lanes<'c, 'a> {
        self.values.get(&key(value)).cloned().unwrap_or(Lanes::Same(value))
    }

    fn vector_type(&self, b: &Builder<'c, 'a>, element: Type<'c>) -> Type<'c> {
        b.parse_type(&format!("vector<{}x{element}>", self.lanes))
    }

    /// The body of a loop for the turns from `x` on.
    fn body(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        x: Value<'c, 'a>,
        aligned: i64,
    ) -> Result<(), Failure<'c>> {
        let body = only_block(op);
        let number = body.argument(0).expect("the index of a loop").into();
        let steps = (0..self.lanes).collect();
        self.nothing = Some(b.arith("andi", x, b.index(aligned - 1)));
        self.limits = Limits::of(op);
        self.values.insert(key(number), Lanes::Steps(Steps { first: x, steps, rest: (aligned, 0) }));
        self.blocks(b, &[body])
    }

    /// A value as a vector.
    fn vector(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        match self.of(value) {
            Lanes::Own(vector) => vector,
            Lanes::Same(scalar) => self.broadcast(b, scalar),
            Lanes::Steps(steps) => self.numbers(b, &steps),
            Lanes::Clamped(Clamped { steps, least, most }) => {
                let mut vector = self.numbers(b, &steps);
                for (name, end) in [("arith.maxsi", least), ("arith.minsi", most)] {
                    if let Some(end) = end {
                        vector = b.value(name, &[vector, self.broadcast(b, end)], vector.r#type(), &[]);
                    }
                }
                vector
            }
        }
    }

    /// An index as a vector.
    fn numbers(&self, b: &Builder<'c, 'a>, Steps { first, steps, rest }: &Steps<'c, 'a>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, b.index_type());
        let known = |base: i64| {
            let steps = steps.iter().map(|step| (base + step).to_string()).collect::<Vec<_>>().join(", ");
            b.dense(ty, format_args!("[{steps}]"))
        };
        if rest.0 == 0 {
            return known(rest.1);
        }
        b.value("arith.addi", &[self.broadcast(b, *first), known(0)], ty, &[])
    }

    fn broadcast(&self, b: &Builder<'c, 'a>, scalar: Value<'c, 'a>) -> Value<'c, 'a> {
        b.value("vector.broadcast", &[scalar], self.vector_type(b, scalar.r#type()), &[])
    }

    /// All ops of some blocks but their ends. Loops that do not need each other and have the same bounds become one.
    fn blocks(&mut self, b: &Builder<'c, 'a>, blocks: &[BlockRef<'c, 'a>]) -> Result<(), Failure<'c>> {
        let ends: Vec<OperationRef> = blocks.iter().filter_map(|block| block.terminator()).collect();
        let ops = blocks.iter().flat_map(|block| ir::operations(*block).collect::<Vec<_>>());
        let mut waiting: Vec<OperationRef> = ops.filter(|op| !ends.contains(op)).collect();
        // What is computed here and not there yet.
        let mut missing: HashSet<Key> =
            waiting.iter().flat_map(|op| op.results().map(|value| key(value.into())).collect::<Vec<_>>()).collect();
        let needs = |op: OperationRef<'c, 'a>, missing: &HashSet<Key>| {
            ir::walk(op).iter().any(|inner| inner.operands().any(|operand| missing.contains(&key(operand))))
        };
        while !waiting.is_empty() {
            let mut left = Vec::new();
            for op in waiting {
                if is(op, "scf.for") || needs(op, &missing) {
                    left.push(op);
                    continue;
                }
                self.op(&b.located(op.location()), op)?;
                op.results().for_each(|value| _ = missing.remove(&key(value.into())));
            }
            let ready: Vec<OperationRef> =
                left.iter().copied().filter(|op| is(*op, "scf.for") && !needs(*op, &missing)).collect();
            let bounds = |op: &OperationRef<'c, 'a>| op.operands().take(3).map(key).collect::<Vec<_>>();
            let together: Vec<OperationRef> = ready
                .iter()
                .copied()
                .filter(|op| ready.first().is_some_and(|first| bounds(first) == bounds(op)))
                .collect();
            self.fold(b, &together)?;
            for op in &together {
                op.results().for_each(|value| _ = missing.remove(&key(value.into())));
            }
            left.retain(|op| !together.contains(op));
            waiting = left;
        }
        Ok(())
    }

    fn op(&mut self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Failure<'c>> {
        let operands: Vec<Value> = op.operands().collect();
        let results: Vec<Value> = op.results().map(Value::from).collect();
        match ir::name_of(op) {
            "memref.load" => {
                let value = self.load(b, op, &operands);
                self.values.insert(key(results[0]), value);
                return Ok(());
            }
            "memref.store" => return self.store(b, op, &operands),
            "memref.prefetch" => {
                self.prefetch(b, op, &operands);
                return Ok(());
            }
            "scf.if" => return self.branch(b, op),
            _ => {}
        }
        if let Some(conversion) = results.first().and_then(|result| self.limits.needless.get(&key(*result))) {
            self.values.insert(key(results[0]), self.of(*conversion));
            return Ok(());
        }
        if op.region_count() > 0 {
            return Err(Diagnostic::on(
                op,
                "is in a loop over points, expected no op with regions but scf.if and scf.for",
            )
            .into());
        }
        if let Some(value) = self.index(b, op, &operands) {
            self.values.insert(key(results[0]), value);
            return Ok(());
        }
        if operands.iter().all(|operand| matches!(self.of(*operand), Lanes::Same(_))) {
            let clone = self.scalar_clone(b, op);
            for (old, new) in results.iter().zip(clone.results()) {
                self.values.insert(key(*old), Lanes::Same(new.into()));
            }
            return Ok(());
        }
        if let ("arith.select", Lanes::Same(condition)) = (ir::name_of(op), self.of(operands[0])) {
            let [yes, no] = [1, 2].map(|operand| self.vector(b, operands[operand]));
            self.values.insert(key(results[0]), Lanes::Own(b.select(condition, yes, no, yes.r#type())));
            return Ok(());
        }
        if let Some((number, power)) = scaled(op).filter(|(number, _)| self.is_scaled_at_once(number.r#type())) {
            let [number, power] = [number, power].map(|value| self.vector(b, value));
            let name = self.vector_intrinsic("llvm.ldexp.f32.i32");
            let product = b.intrinsic(&name, &[number, power], number.r#type());
            self.values.insert(key(results[0]), Lanes::Own(product));
            return Ok(());
        }
        let mut vectors: Vec<Value> = operands.iter().map(|operand| self.vector(b, *operand)).collect();
        if let Some(mask) = self.mask
            && [
                "arith.divsi",
                "arith.divui",
                "arith.remsi",
                "arith.remui",
                "arith.floordivsi",
                "arith.ceildivsi",
                "arith.ceildivui",
            ]
            .contains(&ir::name_of(op))
        {
            let ty = vectors[1].r#type();
            let one = b.dense(ty, 1);
            vectors[1] = b.select(mask, vectors[1], one, ty);
        }
        let intrinsic = op.attribute("intrin").ok().and_then(ir::text_of);
        let within = results.first().and_then(|result| self.limits.within.get(&key(*result)).copied());
        if let Some(converted) = intrinsic.and_then(|name| saturate::convert(b, name, vectors[0], self.lanes, within)) {
            self.values.insert(key(results[0]), Lanes::Own(converted));
            return Ok(());
        }
        let types: Vec<Type> = results.iter().map(|result| self.vector_type(b, result.r#type())).collect();
        let attributes: Vec<(String, Attribute)> = op
            .attributes()
            .map(|(name, value)| (name.as_string_ref().as_str().unwrap_or_default().to_owned(), value))
            .map(|(name, value)| match name.as_str() {
                "intrin" => {
                    let lanes = self.vector_intrinsic(ir::text_of(value).unwrap_or_default());
                    (name, b.string_attribute(&lanes))
                }
                _ => (name, value),
            })
            .collect();
        let attributes: Vec<(&str, Attribute)> =
            attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let made = b.op(ir::name_of(op), &vectors, &types, &attributes);
        for (old, new) in results.iter().zip(made.results()) {
            self.values.insert(key(*old), Lanes::Own(new.into()));
        }
        Ok(())
    }

    /// Whether processors that have such vectors of floats scale them in one instruction: AVX-512 does.
    fn is_scaled_at_once(&self, element: Type) -> bool {
        element.to_string() == "f32" && 4 * self.lanes == 64
    }

    /// `llvm.fptosi.sat.i32.f32` is `llvm.fptosi.sat.v16i32.v16f32` of vectors.
    fn vector_intrinsic(&self, name: &str) -> String {
        let is_type = |part: &str| {
            part.starts_with(['i', 'f']) && part.len() > 1 && part[1..].bytes().all(|byte| byte.is_ascii_digit())
        };
        let parts = name.split('.').map(|part| match is_type(part) {
            true => format!("v{}{part}", self.lanes),
            false => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join(".")
    }

    /// A clone that computes with the scalars of the new loop.
    fn scalar_clone(&self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
        let mut values = HashMap::new();
        for operand in op.operands() {
            if let Lanes::Same(scalar) = self.of(operand) {
                values.insert(key(operand), scalar);
            }
        }
        b.clone_mapped(op, &mut values)
    }

    /// Index arithmetic of which the differences between lanes stay known.
    fn index(
        &self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Option<Lanes<'c, 'a>> {
        let &[left, right] = operands else { return None };
        let name = ir::name_of(op).strip_prefix("arith.")?;
        if let Some(clamped) = self.clamped(b, name, left, right) {
            return Some(Lanes::Clamped(clamped));
        }
        if name == "addi"
            && let Some(steps) = self.remainder(b, left, right).or_else(|| self.remainder(b, right, left))
        {
            return Some(Lanes::Steps(steps));
        }
        let (left, right, by) = match (name, self.of(left), self.of(right)) {
            ("addi", Lanes::Steps(left), Lanes::Steps(right)) => {
                // Both are known to be so much more than a multiple of what divides both.
                let multiple = gcd(left.rest.0, right.rest.0);
                let more = left.rest.1 + right.rest.1;
                return Some(Lanes::Steps(Steps {
                    first: b.arith(name, left.first, right.first),
                    steps: left.steps.iter().zip(&right.steps).map(|(left, right)| left + right).collect(),
                    rest: (multiple, if multiple == 0 { more } else { more.rem_euclid(multiple) }),
                }));
            }
            ("addi", Lanes::Same(scalar), Lanes::Steps(steps)) => {
                let by = constant_index(left);
                (steps, scalar, by)
            }
            (_, Lanes::Steps(steps), Lanes::Same(scalar)) => (steps, scalar, constant_index(right)),
            _ => return None,
        };
        let Steps { first, steps, rest: (multiple, more) } = left;
        // Of a number that is not known nothing remains known.
        let moved = |by: Option<i64>, sign: i64| match by {
            Some(by) if multiple == 0 => (0, more + sign * by),
            Some(by) => (multiple, (more + sign * by).rem_euclid(multiple)),
            None => (1, 0),
        };
        let steps = match (name, by) {
            ("addi", by) => Steps { first: b.arith(name, first, right), steps, rest: moved(by, 1) },
            ("subi", by) => Steps { first: b.arith(name, first, right), steps, rest: moved(by, -1) },
            ("muli", Some(by)) => Steps {
                first: b.arith(name, first, right),
                steps: steps.iter().map(|step| step * by).collect(),
                rest: (multiple * by.abs(), more * by),
            },
            ("floordivsi", Some(by)) if by > 0 && multiple % by == 0 => Steps {
                // A shift rounds down by itself.
                first: match by.is_positive() && by.count_ones() == 1 {
                    true => b.arith("shrsi", first, b.index(by.trailing_zeros().into())),
                    false => b.arith(name, first, right),
                },
                steps: steps.iter().map(|step| (more.rem_euclid(by) + step).div_euclid(by)).collect(),
                rest: (multiple / by, more.div_euclid(by)),
            },
            _ => return None,
        };
        Some(Lanes::Steps(steps))
    }

    /// An index that is brought above or below one that is the same in all lanes, or that has been, and is moved by such a one.
    fn clamped(
        &self,
        b: &Builder<'c, 'a>,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Option<Clamped<'c, 'a>> {
        let (index, by) = match (self.of(left), self.of(right)) {
            (Lanes::Same(by), index) if name != "subi" => (index, by),
            (index, Lanes::Same(by)) => (index, by),
            _ => return None,
        };
        let index = match index {
            Lanes::Steps(steps) if steps.are_neighbours() => Clamped { steps, least: None, most: None },
            Lanes::Clamped(clamped) => clamped,
            _ => return None,
        };
        match name {
            "maxsi" if index.least.is_none() && index.most.is_none() => Some(Clamped { least: Some(by), ..index }),
            "minsi" if index.most.is_none() => Some(Clamped { most: Some(by), ..index }),
            "addi" | "subi" if index.least.is_some() || index.most.is_some() => {
                let moved = |value: Value<'c, 'a>| b.arith(name, value, by);
                // What is moved is no longer known to be a multiple of anything.
                let steps = Steps { first: moved(index.steps.first), rest: (1, 0), ..index.steps };
                Some(Clamped { steps, least: index.least.map(moved), most: index.most.map(moved) })
            }
            _ => None,
        }
    }

    /// `value + (value floordiv c) * -c`, which is `value mod c`, where it is known in every lane.
    fn remainder(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, product: Value<'c, 'a>) -> Option<Steps<'c, 'a>> {
        let product = ir::defining_op(product).filter(|op| is(*op, "arith.muli"))?;
        let by = -constant_index(ir::operand(product, 1)?)?;
        let quotient = ir::defining_op(ir::operand(product, 0)?).filter(|op| is(*op, "arith.floordivsi"))?;
        let is_same = ir::operand(quotient, 0)? == value && constant_index(ir::operand(quotient, 1)?)? == by;
        match self.of(value) {
            Lanes::Steps(Steps { steps, rest: (multiple, more), .. }) if is_same && by > 0 && multiple % by == 0 => {
                let steps = steps.iter().map(|step| (more + step).rem_euclid(by)).collect();
                Some(Steps { first: b.index(0), steps, rest: (0, 0) })
            }
            _ => None,
        }
    }

    fn store(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let [value, memory, indices @ ..] = operands else { return Ok(()) };
        let at: Option<Vec<Value>> = indices
            .iter()
            .enumerate()
            .map(|(d, index)| match self.of(*index) {
                Lanes::Same(scalar) if d + 1 < indices.len() => Some(scalar),
                Lanes::Steps(steps) if d + 1 == indices.len() && steps.are_neighbours() => Some(steps.first),
                _ => None,
            })
            .collect();
        let at = at.ok_or_else(|| Diagnostic::on(op, "stores to no stretch of memory in a loop over points"))?;
        let value = self.vector(b, *value);
        if let Some(active) = self.active {
            // Few lanes fill no cache line: nothing goes past the caches.
            let operands = [&[*memory], &at[..], &[active.mask, value]].concat();
            b.op("vector.maskedstore", &operands, &[], &[]);
            return Ok(());
        }
        let operands = [&[value, *memory], &at[..]].concat();
        if op.attribute("nontemporal").is_err() {
            b.op("vector.store", &operands, &[], &[]);
            return Ok(());
        }
        // Past the caches goes what is a whole cache line; at the ends vectors overlap.
        let element = bytes_of_element(element_of(*memory));
        let line = self.lanes.min(CACHE_LINE / element);
        let place = b.arith("andi", element_number(b, *memory, &at), b.index(line - 1));
        let (past, through) = b.if_else(b.compare(Compare::Equal, place, b.index(0)));
        let bytes = line * element;
        let attributes =
            [("nontemporal", b.parse_attribute("true")), ("alignment", b.parse_attribute(&format!("{bytes} : i64")))];
        past.op("vector.store", &operands, &[], &attributes);
        through.op("vector.store", &operands, &[], &[]);
        Ok(())
    }

    /// An `scf.if`.
    fn branch(&mut self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Failure<'c>> {
        let condition = ir::operand(op, 0).expect("an scf.if has a condition");
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let blocks: Vec<BlockRef> =
            op.regions().filter_map(|region| melior::ir::RegionLike::first_block(&region)).collect();
        let yields = |block: &BlockRef<'c, 'a>| -> Vec<Value<'c, 'a>> {
            block.terminator().map(|end| end.operands().collect()).unwrap_or_default()
        };
        if let Lanes::Same(condition) = self.of(condition) {
            let types: Vec<Type> = results.iter().map(|result| self.vector_type(b, result.r#type())).collect();
            let regions = blocks.iter().map(|_| one_block(&[])).collect();
            let made = b.op_with_regions("scf.if", &[condition], &types, &[], regions);
            for (number, block) in blocks.iter().enumerate() {
                let inner = Builder::at_end(b.context(), crate::builder::block_of(made, number), b.location());
                self.blocks(&inner, &[*block])?;
                let values: Vec<Value> = yields(block).into_iter().map(|value| self.vector(&inner, value)).collect();
                inner.op("scf.yield", &values, &[], &[]);
            }
            for (old, new) in results.iter().zip(made.results()) {
                self.values.insert(key(*old), Lanes::Own(new.into()));
            }
            return Ok(());
        }
        let [then, otherwise] = blocks[..] else {
            return Err(Diagnostic::on(op, "is in a loop over points and gives nothing, expected values").into());
        };
        let own = self.vector(b, condition);
        let ty = own.r#type();
        let ones = b.dense(ty, true);
        let not = b.value("arith.xori", &[own, ones], ty, &[]);
        let before = self.mask;
        let within = |mask: Value<'c, 'a>| match before {
            Some(before) => b.value("arith.andi", &[before, mask], ty, &[]),
            None => mask,
        };
        self.mask = Some(within(own));
        self.blocks(b, &[then])?;
        self.mask = Some(within(not));
        self.blocks(b, &[otherwise])?;
        self.mask = before;
        for ((old, yes), no) in results.iter().zip(yields(&then)).zip(yields(&otherwise)) {
            let (yes, no) = (self.vector(b, yes), self.vector(b, no));
            let value = b.select(own, yes, no, yes.r#type());
            self.values.insert(key(*old), Lanes::Own(value));
        }
        Ok(())
    }

    /// Loops with the same bounds inside the loop, reduces: one that carries what all of them do. It loads once what they have in
    /// common, and none waits for the sum of another.
    fn fold(&mut self, b: &Builder<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Result<(), Failure<'c>> {
        let Some(first) = ops.first() else { return Ok(()) };
        let b = &b.located(first.location());
        let bounds: Option<Vec<Value>> = first
            .operands()
            .take(3)
            .map(|bound| match self.of(bound) {
                Lanes::Same(scalar) => Some(scalar),
                _ => None,
            })
            .collect();
        let bounds = bounds.ok_or_else(|| Diagnostic::on(*first, "has bounds that differ from point to point"))?;
        let inits: Vec<Value> = ops.iter().flat_map(|op| op.operands().skip(3).collect::<Vec<_>>()).collect();
        let inits: Vec<Value> = inits.into_iter().map(|init| self.vector(b, init)).collect();
        let bodies: Vec<BlockRef> = ops.iter().map(|op| only_block(*op)).collect();
        let results = b.for_carrying([bounds[0], bounds[1], bounds[2]], &inits, |inner, index, carried| {
            let mut carried = carried.iter();
            for body in &bodies {
                let mut arguments = (0..body.argument_count()).filter_map(|i| body.argument(i).ok()).map(Value::from);
                self.values.extend(arguments.next().map(|number| (key(number), Lanes::Same(index))));
                self.values.extend(arguments.zip(&mut carried).map(|(old, new)| (key(old), Lanes::Own(*new))));
            }
            self.blocks(inner, &bodies)?;
            let ends = bodies.iter().filter_map(|body| body.terminator());
            let next: Vec<Value> = ends.flat_map(|end| end.operands().collect::<Vec<_>>()).collect();
            Ok::<_, Failure<'c>>(next.into_iter().map(|value| self.vector(inner, value)).collect())
        })?;
        let old = ops.iter().flat_map(|op| op.results().map(Value::from).collect::<Vec<_>>());
        self.values.extend(old.zip(results).map(|(old, new)| (key(old), Lanes::Own(new))));
        Ok(())
    }
}

/// Where the first element lies, and how many elements lie between neighbours along each dimension; `None` where they are next
/// to each other.
fn strides_of<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    rank: usize,
) -> (Value<'c, 'a>, Vec<Option<Value<'c, 'a>>>) {
    let base = b.parse_type(&format!("memref<{}>", element_of(memory)));
    let types: Vec<Type> = [base].into_iter().chain(vec![b.index_type(); 1 + 2 * rank]).collect();
    let data = b.op("memref.extract_strided_metadata", &[memory], &types, &[]);
    let result = |index| ir::result(data, index).expect("made with these results");
    (result(1), (0..rank).map(|d| (d + 1 < rank).then(|| result(2 + rank + d))).collect())
}
