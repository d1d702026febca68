//! `--narrow-indices`: lanes compute places in memory in 32 bits.
//!
//! ```text
//! %i = index_cast %f : vector<8xi32>                         %f0 = maxsi %f, -2^30
//!   to vector<8xindex>                                       %f1 = minsi %f0, 2^30
//! %j = addi %i, 1                                            %j = addi %f1, 1
//! %k = maxsi %j, 0                                           %k = maxsi %j, 0
//! %l = minsi %k, %last          vector<8xindex>       ──▶    %l = minsi %k, %last          vector<8xi32>
//! %r = muli %row, %stride                                    %r = muli %row, %stride
//! %p = addi %r, %l                                           %p = addi %r, %l
//! vector.gather %img[0, 0] [%p]                              vector.gather %img[0, 0] [%p]
//! ```
//!
//! An index has 64 bits, half as many lanes as a float, and CPUs without AVX-512 neither multiply nor compare nor shift such lanes well. Places that
//! are looked up are computed in each lane. Two things are known of them:
//!
//! - **A place is what its low bits say**, if the image has no two elements further apart than 2^31: sums and products are computed in their low 32 bits, however
//!   large what they are made of. Entry checks ask that of images whose extents are not known.
//! - **A coordinate that is compared, or brought inside, may be as far away as it likes.** So it stops at 2^30: what it is compared with, the extent of an
//!   image, is 2^29 at most, which the checks ask, too. What is added to it before may be as much; such a value is called *stopped*
//!   here. As soon as it is known to lie between -2^29 and 2^29 it is what it stands for.

use super::{instructions::is_in_instruction, memory::behind_checks};
use crate::ir::{Builder, Compare, Key, constant_index, constant_of, dim_of, is, key, symbol, width_of_integer};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, RegionLike, ShapedTypeLike, Type, TypeLike, Value, ValueLike,
        attribute::{DenseElementsAttribute, IntegerAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::MemRefType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, run::place};
use std::collections::HashMap;
use weft_dialects::{pipeline::static_extents, weft};

/// The pass.
pub struct NarrowIndices;

const NARROWED: Statistic = Statistic::new(c"narrowed", c"Vectors of indices that are asked for in 32 bits");

/// Extents of images whose indices are narrow, at most.
const MOST_EXTENT: i64 = 1 << 29;

/// Where coordinates stop.
const STOP: i64 = 1 << 30;

/// Elements between the first of an image and its last, at most.
const MOST_SPAN: i64 = i32::MAX as i64;

/// Ops that a scalar is followed through, to see how large it may be, and views and calls that memory is.
const MOST_NESTED: u32 = 32;

/// Ops that read memory at places that single lanes compute.
const LOADS: [&str; 2] = ["memref.load", "vector.load"];

/// Ops that give a part of memory.
const PARTS: [&str; 3] = ["memref.subview", "memref.transpose", "memref.cast"];

impl Pass for NarrowIndices {
    const ARGUMENT: &'static str = "narrow-indices";
    const SUMMARY: &'static str = "Compute places of lanes in 32 bits";
    const DESCRIPTION: &'static str = "\
Vectors of indices at which `vector.gather`s and loads of single lanes read, and those that are compared, become vectors of 32 bits where nobody can tell. Images with extents that are not known \
are checked at entry: such an extent is 2^29 at most, and 2^31 - 1 elements lie between the first and the last. It goes behind `--vectorize`.";
    const STATISTICS: &'static [Statistic] = &[NARROWED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::cf(),
            DialectHandle::memref(),
            mlir_glue::tool::vector(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut narrowing = Narrowing::of(cx, module);
        for op in ir::walk(module) {
            if !is_in_instruction(op) && narrowing.replace(op).is_some() {
                cx.count(NARROWED, 1);
            }
        }
        narrowing.check();
        Ok(())
    }
}

/// A vector of 32 bits in the place of one of indices.
#[derive(Clone)]
struct Narrow<'c, 'a> {
    value: Value<'c, 'a>,
    /// How small and how large a lane may be.
    range: (i64, i64),
    /// What was added since it may have stopped; `None` where it did not, and is what it stands for.
    stopped: Option<i64>,
    /// Images that were taken to be small.
    asks: Vec<Value<'c, 'a>>,
}

impl Narrow<'_, '_> {
    /// Whether all lanes are what they stand for.
    fn is_exact(&self) -> bool {
        self.stopped.is_none() || is_small(self.range)
    }
}

fn is_small((least, most): (i64, i64)) -> bool {
    least >= -MOST_EXTENT && most <= MOST_EXTENT
}

/// How small and how large a scalar may be, and the images that were taken to be small.
type Known<'c, 'a> = ((i64, i64), Vec<Value<'c, 'a>>);

/// The pass over a module.
struct Narrowing<'c, 'a, 'p> {
    cx: &'p PassContext<'c>,
    /// Calls of each private function, by its name.
    calls: HashMap<String, Vec<OperationRef<'c, 'a>>>,
    stopped: HashMap<Key, Option<Narrow<'c, 'a>>>,
    low: HashMap<Key, Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)>>,
    /// What is known of scalars.
    ranges: HashMap<Key, Option<Known<'c, 'a>>>,
    /// Arguments that are to be checked, in their order.
    checked: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a, 'p> Narrowing<'c, 'a, 'p> {
    fn of(cx: &'p PassContext<'c>, module: OperationRef<'c, 'a>) -> Self {
        let mut calls: HashMap<String, Vec<OperationRef>> = HashMap::new();
        for call in ir::walk(module).into_iter().filter(|op| is(*op, "func.call")) {
            if let Ok(callee) = call.attribute("callee") {
                calls.entry(callee.to_string().trim_matches(['@', '"']).to_owned()).or_default().push(call);
            }
        }
        Self { cx, calls, stopped: HashMap::new(), low: HashMap::new(), ranges: HashMap::new(), checked: Vec::new() }
    }

    /// Puts narrow lanes in the place of those that an op has, if it can.
    fn replace(&mut self, op: OperationRef<'c, 'a>) -> Option<()> {
        match ir::name_of(op) {
            "vector.gather" => {
                let operands: Vec<Value> = op.operands().collect();
                let place = operands.len().checked_sub(3).filter(|place| is_indices(operands[*place].r#type()))?;
                let images = self.images_of(operands[0])?;
                let (narrow, asks) = self.low(operands[place])?;
                self.asked(images.into_iter().chain(asks));
                ir::mutable(op).set_operand(place, narrow);
            }
            "vector.extract" => {
                let of = ir::operand(op, 0).filter(|of| is_indices(of.r#type()) && op.operand_count() == 1)?;
                let lane = ir::result(op, 0).filter(|lane| lane.r#type().is_index())?;
                // The low bits are enough for who reads memory there.
                let mut images = Vec::new();
                for (user, operand) in ir::uses(lane) {
                    let is_place = LOADS.contains(&ir::name_of(user)) && operand > 0;
                    images.extend(self.images_of(ir::operand(user, 0).filter(|_| is_place)?)?);
                }
                let (narrow, asks) = self.low(of)?;
                self.asked(images.into_iter().chain(asks));
                let b = self.before(op);
                let position = [("static_position", op.attribute("static_position").ok()?)];
                let narrow = b.value("vector.extract", &[narrow], b.integer_type(32), &position);
                ir::replace_all_uses(lane, b.value("arith.index_cast", &[narrow], b.index_type(), &[]));
            }
            // Of what becomes a number of 32 bits the bits above are gone.
            "arith.index_cast" => {
                let of = ir::operand(op, 0).filter(|of| is_indices(of.r#type()))?;
                let result = ir::result(op, 0).filter(|result| bits_of(result.r#type()) == 32)?;
                let (narrow, asks) = self.low(of)?;
                self.asked(asks);
                ir::replace_all_uses(result, narrow);
            }
            "arith.cmpi" => {
                let [left, right] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
                let predicate = IntegerAttribute::try_from(op.attribute("predicate").ok()?).ok()?.value();
                // Equal, or less and greater with a sign.
                if !is_indices(left.r#type()) || predicate > 5 {
                    return None;
                }
                let [one, other] = match op.has_attribute(weft::PLACES) {
                    true => self.places([left, right])?,
                    false => self.comparable([left, right])?,
                };
                let b = self.before(op);
                let predicate = [("predicate", op.attribute("predicate").ok()?)];
                let result = ir::result(op, 0)?;
                ir::replace_all_uses(result, b.value("arith.cmpi", &[one, other], result.r#type(), &predicate));
            }
            _ => return None,
        }
        Some(())
    }

    /// Two vectors whose comparison says the same in 32 bits.
    fn comparable(&mut self, operands: [Value<'c, 'a>; 2]) -> Option<[Value<'c, 'a>; 2]> {
        let [one, other] = [self.stopped(operands[0])?, self.stopped(operands[1])?];
        let is_known = |one: &Narrow, other: &Narrow| other.is_exact() && (one.is_exact() || is_small(other.range));
        if !is_known(&one, &other) && !is_known(&other, &one) {
            return None;
        }
        self.asked([one.asks, other.asks].concat());
        Some([one.value, other.value])
    }

    /// The low bits of two vectors of places of one image.
    fn places(&mut self, operands: [Value<'c, 'a>; 2]) -> Option<[Value<'c, 'a>; 2]> {
        // Who gathers what lies beside each other adds to the place, if only 0.
        let beside = users(operands[0]).filter(|user| is(*user, "arith.addi")).filter_map(|user| ir::result(user, 0));
        let gather = users(operands[0]).chain(beside.flat_map(users)).find(|user| is(*user, "vector.gather"))?;
        let images = self.images_of(ir::operand(gather, 0)?)?;
        let ((one, asks), (other, more)) = (self.low(operands[0])?, self.low(operands[1])?);
        self.asked([images, asks, more].concat());
        Some([one, other])
    }

    fn before(&self, op: OperationRef<'c, 'a>) -> Builder<'c, 'a> {
        Builder::before(self.cx.context(), op).located(op.location())
    }

    fn asked(&mut self, images: impl IntoIterator<Item = Value<'c, 'a>>) {
        for image in images {
            if !self.checked.contains(&image) {
                self.checked.push(image);
            }
        }
    }

    /// The arguments of functions that a check must ask of, so that places in memory have 32 bits: none where its type says that it is small. `None` where
    /// nothing can ask.
    fn images_of(&self, memory: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
        self.images_behind(memory, MOST_NESTED)
    }

    fn images_behind(&self, memory: Value<'c, 'a>, levels: u32) -> Option<Vec<Value<'c, 'a>>> {
        let levels = levels.checked_sub(1)?;
        let ty = MemRefType::try_from(memory.r#type()).ok()?;
        // A layout that has no strides has 0 for all.
        let is_strided = ty.strides_and_offset().0.iter().all(|stride| *stride != 0);
        if !is_strided || static_extents(ty).into_iter().flatten().any(|extent| extent > MOST_EXTENT) {
            return None;
        }
        if let Some(span) = known_span(ty) {
            return (span <= MOST_SPAN).then(Vec::new);
        }
        let Some(op) = ir::defining_op(memory) else { return self.images_of_argument(memory, levels) };
        // A part has fewer elements, no further apart.
        let is_part = PARTS.contains(&ir::name_of(op));
        self.images_behind(ir::operand(op, 0).filter(|_| is_part)?, levels)
    }

    fn images_of_argument(&self, argument: Value<'c, 'a>, levels: u32) -> Option<Vec<Value<'c, 'a>>> {
        let func = ir::block_of(argument)?.parent_operation().filter(|op| is(*op, "func.func"))?;
        let entry = func.region(0).ok()?.first_block()?;
        let number = ir::arguments(entry).position(|other| other == argument)?;
        if func.attribute("sym_visibility").is_ok_and(|visibility| visibility.to_string() == "\"private\"") {
            let calls = self.calls.get(symbol(func))?;
            let images = calls.iter().map(|call| self.images_behind(ir::operand(*call, number)?, levels));
            return Some(images.collect::<Option<Vec<_>>>()?.concat());
        }
        // A check returns, with nothing.
        let returns = entry.terminator().is_some_and(|end| end.operand_count() > 0);
        (!returns).then(|| vec![argument])
    }

    /// The low 32 bits of lanes, and the images that were taken to be small.
    fn low(&mut self, wide: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
        if let Some(known) = self.low.get(&key(wide)) {
            return known.clone();
        }
        let found = self.make_low(wide);
        self.low.insert(key(wide), found.clone());
        found
    }

    fn make_low(&mut self, wide: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
        let op = ir::defining_op(wide)?;
        let b = self.before(op);
        let ty = b.vector_type(lanes_of(wide)?, b.integer_type(32));
        match ir::name_of(op) {
            name @ ("arith.addi" | "arith.subi" | "arith.muli") => {
                let (left, mut asks) = self.low(ir::operand(op, 0)?)?;
                let (right, more) = self.low(ir::operand(op, 1)?)?;
                asks.extend(more);
                Some((b.value(name, &[left, right], ty, &[]), asks))
            }
            "vector.broadcast" => {
                let scalar = ir::operand(op, 0).filter(|scalar| scalar.r#type().is_index())?;
                Some((b.value("vector.broadcast", &[in_32_bits(&b, scalar)], ty, &[]), Vec::new()))
            }
            "arith.index_cast" | "arith.index_castui" if bits_of(ir::operand(op, 0)?.r#type()) == 32 => {
                Some((ir::operand(op, 0)?, Vec::new()))
            }
            // The smaller of two places of one image.
            "arith.minsi" if op.has_attribute(weft::PLACES) => {
                let images = self.images_of(read_at(wide)?)?;
                let ((left, asks), (right, more)) = (self.low(ir::operand(op, 0)?)?, self.low(ir::operand(op, 1)?)?);
                Some((b.value("arith.minsi", &[left, right], ty, &[]), [images, asks, more].concat()))
            }
            _ => self.stopped(wide).filter(Narrow::is_exact).map(|narrow| (narrow.value, narrow.asks)),
        }
    }

    /// Lanes of 32 bits that may have stopped.
    fn stopped(&mut self, wide: Value<'c, 'a>) -> Option<Narrow<'c, 'a>> {
        if let Some(known) = self.stopped.get(&key(wide)) {
            return known.clone();
        }
        let found = self.make_stopped(wide);
        self.stopped.insert(key(wide), found.clone());
        found
    }

    fn make_stopped(&mut self, wide: Value<'c, 'a>) -> Option<Narrow<'c, 'a>> {
        let op = ir::defining_op(wide)?;
        let lanes = lanes_of(wide)?;
        let b = self.before(op);
        let ty = b.vector_type(lanes, b.integer_type(32));
        let exact = |value, range| Narrow { value, range, stopped: None, asks: Vec::new() };
        match ir::name_of(op) {
            "arith.constant" => {
                let numbers = numbers_of(wide, lanes)?;
                let range = (*numbers.iter().min()?, *numbers.iter().max()?);
                is_small(range).then(|| exact(b.integer(ty, &numbers), range))
            }
            "vector.broadcast" => {
                let scalar = ir::operand(op, 0).filter(|scalar| scalar.r#type().is_index())?;
                let known = self.range_of(scalar, MOST_NESTED).filter(|(range, _)| is_small(*range));
                let to_lanes = |scalar| b.value("vector.broadcast", &[in_32_bits(&b, scalar)], ty, &[]);
                Some(match known {
                    Some((range, asks)) => Narrow { asks, ..exact(to_lanes(scalar), range) },
                    None => {
                        let scalar = b.arith("minsi", b.arith("maxsi", scalar, b.index(-STOP)), b.index(STOP));
                        Narrow { stopped: Some(0), ..exact(to_lanes(scalar), (-STOP, STOP)) }
                    }
                })
            }
            name @ ("arith.index_cast" | "arith.index_castui") => {
                let of = ir::operand(op, 0)?;
                let has_sign = name == "arith.index_cast";
                match bits_of(of.r#type()) {
                    32 if has_sign => {
                        let end = |number| b.integer(ty, &[number]);
                        let value = b.value("arith.maxsi", &[of, end(-STOP)], ty, &[]);
                        let value = b.value("arith.minsi", &[value, end(STOP)], ty, &[]);
                        Some(Narrow { stopped: Some(0), ..exact(value, (-STOP, STOP)) })
                    }
                    32 => {
                        let value = b.value("arith.minui", &[of, b.integer(ty, &[STOP])], ty, &[]);
                        Some(Narrow { stopped: Some(0), ..exact(value, (0, STOP)) })
                    }
                    bits @ 1..=16 => {
                        let half = 1 << (bits - 1);
                        let (name, range) = if has_sign {
                            ("arith.extsi", (-half, half - 1))
                        } else {
                            ("arith.extui", (0, 2 * half - 1))
                        };
                        Some(exact(b.value(name, &[of], ty, &[]), range))
                    }
                    _ => None,
                }
            }
            name @ ("arith.maxsi" | "arith.minsi" | "arith.addi" | "arith.subi") => {
                let [one, other] = [self.stopped(ir::operand(op, 0)?)?, self.stopped(ir::operand(op, 1)?)?];
                let (left, right) = (one.range, other.range);
                let range = match name {
                    "arith.maxsi" => (left.0.max(right.0), left.1.max(right.1)),
                    "arith.minsi" => (left.0.min(right.0), left.1.min(right.1)),
                    "arith.addi" => (left.0 + right.0, left.1 + right.1),
                    _ => (left.0 - right.1, left.1 - right.0),
                };
                let mut stopped = one.stopped.max(other.stopped);
                if matches!(name, "arith.addi" | "arith.subi") {
                    let moved = match (one.is_exact(), other.is_exact()) {
                        (true, true) => None,
                        (false, true) => one.stopped.map(|moved| moved + farthest(right)),
                        (true, false) => other.stopped.map(|moved| moved + farthest(left)),
                        (false, false) => return None,
                    };
                    // What has stopped stays outside of all that it is compared with.
                    if moved.is_some_and(|moved| moved >= STOP - MOST_EXTENT) {
                        return None;
                    }
                    stopped = moved;
                }
                let fits = i32::try_from(range.0).is_ok() && i32::try_from(range.1).is_ok();
                let asks = [one.asks, other.asks].concat();
                fits.then(|| Narrow {
                    stopped,
                    asks,
                    ..exact(b.value(name, &[one.value, other.value], ty, &[]), range)
                })
            }
            "arith.muli" => {
                let [one, other] = [self.stopped(ir::operand(op, 0)?)?, self.stopped(ir::operand(op, 1)?)?];
                let ends = [one.range.0, one.range.1].map(|a| [a * other.range.0, a * other.range.1]).concat();
                let range = (*ends.iter().min()?, *ends.iter().max()?);
                let fits = one.is_exact() && other.is_exact() && is_small(range);
                let asks = [one.asks, other.asks].concat();
                fits.then(|| Narrow { asks, ..exact(b.value("arith.muli", &[one.value, other.value], ty, &[]), range) })
            }
            "arith.select" => {
                let condition = ir::operand(op, 0)?;
                let [yes, no] = [self.stopped(ir::operand(op, 1)?)?, self.stopped(ir::operand(op, 2)?)?];
                let range = (yes.range.0.min(no.range.0), yes.range.1.max(no.range.1));
                let value = b.value("arith.select", &[condition, yes.value, no.value], ty, &[]);
                Some(Narrow {
                    stopped: yes.stopped.max(no.stopped),
                    asks: [yes.asks, no.asks].concat(),
                    ..exact(value, range)
                })
            }
            _ => None,
        }
    }

    /// What is known of a scalar index.
    fn range_of(&mut self, scalar: Value<'c, 'a>, levels: u32) -> Option<Known<'c, 'a>> {
        if let Some(known) = constant_index(scalar) {
            return Some(((known, known), Vec::new()));
        }
        if let Some(known) = self.ranges.get(&key(scalar)) {
            return known.clone();
        }
        let found = if levels > 0 { self.find_range(scalar, levels - 1) } else { None };
        self.ranges.insert(key(scalar), found.clone());
        found
    }

    fn find_range(&mut self, scalar: Value<'c, 'a>, levels: u32) -> Option<Known<'c, 'a>> {
        let Some(op) = ir::defining_op(scalar) else {
            let around = ir::block_of(scalar)?.parent_operation()?;
            let [from, to] = bounds_of(around, scalar)?;
            let ((least, _), asks) = self.range_of(from, levels)?;
            let ((_, end), more) = self.range_of(to, levels)?;
            return Some(((least, end.checked_sub(1)?.max(least)), [asks, more].concat()));
        };
        if let Some((image, _)) = dim_of(op) {
            return Some(((0, MOST_EXTENT), self.images_of(image)?));
        }
        if is(op, "memref.extract_strided_metadata") {
            // Behind the memory and the offset its extents, then its strides.
            let image = ir::operand(op, 0)?;
            let rank = static_extents(MemRefType::try_from(image.r#type()).ok()?).len();
            let is_extent = (2..2 + rank).any(|number| ir::result(op, number) == Some(scalar));
            return Some(((0, MOST_EXTENT), self.images_of(image).filter(|_| is_extent)?));
        }
        let first = usize::from(is(op, "arith.select"));
        let (a, asks) = self.range_of(ir::operand(op, first)?, levels)?;
        let (b, more) = self.range_of(ir::operand(op, first + 1)?, levels)?;
        let range = match ir::name_of(op) {
            "arith.addi" => (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
            "arith.subi" => (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?),
            "arith.muli" => {
                let products = [a.0, a.1].map(|a| [a.checked_mul(b.0), a.checked_mul(b.1)]).concat();
                let products: Vec<i64> = products.into_iter().collect::<Option<_>>()?;
                (*products.iter().min()?, *products.iter().max()?)
            }
            "arith.maxsi" => (a.0.max(b.0), a.1.max(b.1)),
            "arith.minsi" => (a.0.min(b.0), a.1.min(b.1)),
            "arith.select" => (a.0.min(b.0), a.1.max(b.1)),
            // Of a number that is not negative.
            "arith.ceildivsi" | "arith.floordivsi" | "arith.divsi" | "arith.divui" if a.0 >= 0 && b.0 >= 1 => (0, a.1),
            _ => return None,
        };
        Some((range, [asks, more].concat()))
    }

    /// Asks at entry that images are as small as they were taken to be.
    fn check(&self) {
        for image in &self.checked {
            let Some(entry) = ir::block_of(*image) else { continue };
            let ops: Vec<OperationRef> = ir::operations(entry).collect();
            let mut behind = ops[behind_checks(&ops)..].iter();
            // Constants stand before all that is made here.
            let next = behind.find(|op| !is(**op, "arith.constant"));
            let (Some(func), Some(next)) = (entry.parent_operation(), next) else { continue };
            let b = Builder::before(self.cx.context(), *next).located(func.location());
            let name = crate::ir::location::name_of_value(*image).unwrap_or("an image");
            let message = format!(
                "{}: {name} is read at computed places: expected extents up to {MOST_EXTENT}, and its last element at most {MOST_SPAN} behind its first",
                place(func.location())
            );
            b.op("cf.assert", &[is_narrow(&b, *image)], &[], &[("msg", b.string_attribute(&message))]);
        }
    }
}

/// Ops that take a value.
fn users<'c: 'a, 'a>(value: Value<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    ir::uses(value).into_iter().map(|(user, _)| user)
}

/// The memory that is read at the places in lanes, one lane after the other.
fn read_at<'c: 'a, 'a>(places: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let lanes = users(places).filter(|user| is(*user, "vector.extract")).filter_map(|lane| ir::result(lane, 0));
    let load = lanes.flat_map(users).find(|user| LOADS.contains(&ir::name_of(*user)))?;
    ir::operand(load, 0)
}

/// Where the coordinate of a loop begins, and where it ends.
fn bounds_of<'c: 'a, 'a>(around: OperationRef<'c, 'a>, coordinate: Value<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let coordinates: Vec<Value> = ir::arguments(around.region(0).ok()?.first_block()?).collect();
    let number = coordinates.iter().position(|other| *other == coordinate)?;
    match ir::name_of(around) {
        "scf.for" if number == 0 => Some([ir::operand(around, 0)?, ir::operand(around, 1)?]),
        "scf.parallel" => Some([ir::operand(around, number)?, ir::operand(around, coordinates.len() + number)?]),
        _ => None,
    }
}

/// Whether the extents of an image are small, and its elements near each other.
fn is_narrow<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>) -> Value<'c, 'a> {
    let ty = MemRefType::try_from(image.r#type()).expect("an image is memory");
    let extents = static_extents(ty);
    let rank = extents.len();
    let metadata = {
        let index = b.index_type();
        let base = b.parse_type(&format!("memref<{}>", ty.element()));
        let results = [&[base], &vec![index; 1 + 2 * rank][..]].concat();
        b.op("memref.extract_strided_metadata", &[image], &results, &[])
    };
    let of = |number: usize| ir::result(metadata, 2 + number).expect("extents and strides are results");
    let (mut is_narrow, mut span) = (b.truth(true), b.index(0));
    for (d, known) in extents.into_iter().enumerate() {
        let (extent, stride) = (of(d), of(rank + d));
        if known.is_none() {
            let is_small = b.compare(Compare::LessEqual, extent, b.index(MOST_EXTENT));
            is_narrow = b.logic("andi", is_narrow, is_small);
        }
        let last = b.arith("maxsi", b.arith("subi", extent, b.index(1)), b.index(0));
        let apart = b.arith("maxsi", stride, b.arith("subi", b.index(0), stride));
        span = b.arith("addi", span, b.arith("muli", last, apart));
    }
    b.logic("andi", is_narrow, b.compare(Compare::LessEqual, span, b.index(MOST_SPAN)))
}

/// Elements between the first of memory and its last, where its type says so.
fn known_span(ty: MemRefType) -> Option<i64> {
    let (strides, _) = ty.strides_and_offset();
    let spans = static_extents(ty).into_iter().zip(strides).map(|(extent, stride)| {
        // A stride that is not known is the least number there is.
        let apart = Some(stride).filter(|stride| *stride != i64::MIN)?.checked_abs()?;
        (extent? - 1).max(0).checked_mul(apart)
    });
    spans.sum::<Option<i64>>()
}

/// The greatest distance from 0 in a range.
fn farthest((least, most): (i64, i64)) -> i64 {
    least.abs().max(most.abs())
}

fn in_32_bits<'c: 'a, 'a>(b: &Builder<'c, 'a>, scalar: Value<'c, 'a>) -> Value<'c, 'a> {
    b.value("arith.index_cast", &[scalar], b.integer_type(32), &[])
}

/// Whether a type is a vector of indices in a row.
fn is_indices(ty: Type) -> bool {
    ir::vector_element(ty).is_some_and(|element| element.is_index())
        && ir::vector_extents(ty).is_some_and(|extents| extents.len() == 1)
}

fn lanes_of(vector: Value) -> Option<i64> {
    ir::vector_extents(vector.r#type()).filter(|extents| extents.len() == 1).map(|extents| extents[0])
}

/// Bits of what a vector has in a lane, where it is an integer.
fn bits_of(ty: Type) -> u32 {
    ir::vector_element(ty).filter(|element| element.is_integer()).map_or(0, width_of_integer)
}

/// What a constant has in its lanes: one number where all have the same.
fn numbers_of(constant: Value, lanes: i64) -> Option<Vec<i64>> {
    let elements = DenseElementsAttribute::try_from(constant_of(constant)?).ok()?;
    let lanes = if elements.is_splat() { 1 } else { lanes };
    let number = |lane| Some(IntegerAttribute::try_from(ir::element_at(elements, &[lane])?).ok()?.value());
    (0..lanes).map(number).collect()
}
