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
//! **Masks.** Where a loop has fewer iterations than a vector has lanes, it is one vector whose other lanes neither read nor write. A
//! clamped index is one load there, too: lanes inside read their own element, those outside have the nearest one, which is what the
//! first lane reads, or the last.
//!
//! **What a value is.** Walked once, each value of the body turns out to be the same for all lanes (it stays a scalar), a number
//! that grows by a constant from lane to lane (it stays the scalar of the first lane), or a vector. A load whose last index grows by
//! 1 is a `vector.load`; by more, loads of the whole stretch and a shuffle, where loads beside it are of the same vectors if they can be
//! ([`reach`]); one at any other places is a `vector.gather`.
//!
//! **Cache lines.** The first vector begins so far before the loop that those behind it are stored to whole cache lines (its lanes are
//! moved inside, as those of the last are). Only whole lines are stored past the caches, which `nontemporal` asks for, in rows that begin elsewhere,
//! too ([`lines`]).
//!
//! **Pixels.** Planes whose elements are interleaved in memory are loaded and stored together, and shuffled ([`pixels`]), unless all are computed
//! alike ([`alike`]).
//!
//! **Places that are computed.** Where a plane of few is asked for, all are loaded, and each lane selects its own. Rows of one
//! register or two are tables in these ([`tables`]). Two neighbours are loaded as one number ([`pairs`]), four, or eight of a row that has as many,
//! at once ([`quads`]). Any others are gathered.
//!
//! **Halves.** Where an index is divided by a constant, vectors begin at a multiple of it, and the points before and behind have
//! masks: then it is known which lanes read the same element, or are even. Of a constant that the lanes divide, vectors begin at multiples of these:
//! all lanes have one quotient. Where all that is read lies at quotients, even points and odd ones have vectors of their own ([`phases`](mod@phases)).
//!
//! **Reduces** are loops inside. Those of rows that are computed together have the same bounds and become one loop, of rows below each other
//! one in which each is an iteration behind the one above ([`skew`]). Where lanes read along rows of their own, as many iterations as there
//! are lanes are done at a time ([`across`]).
//!
//! **Powers of two.** A number that `--expand-math` scales by one is scaled at once where vectors have 64 bytes: AVX-512 has an instruction.
//!
//! **Branches.** An `scf.if` whose condition differs from lane to lane is computed on both sides, and each lane takes its own: loads
//! stay inside their memory on either side, and integers are divided by 1 in the lanes that are not concerned.

mod across;
mod alike;
mod lines;
mod loads;
mod pairs;
mod phases;
mod pixels;
mod places;
mod quads;
mod reach;
mod registers;
mod saturate;
mod skew;
mod tables;
mod together;
mod vectors;
mod windows;

use super::addresses::{element_number, step_of_rows};
use crate::ir::{Builder, Compare, bytes_of_element, constant_index, element_of, is, key, only_block};
use lines::{Line, Row, before_loop};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use phases::{Phase, erase_arms, period, phases};
use std::collections::HashMap;
use vectors::{Active, Stretch, Vectors};
use weft_dialects::weft;
use weft_model::{CACHE_LINE, gcd};

/// The pass.
pub struct Vectorize;

const LOOPS: Statistic = Statistic::new(c"loops", c"Loops that became loops over vectors");
const GATHERS: Statistic = Statistic::new(c"gathers", c"Loads at places that are no stretch of memory");

impl Pass for Vectorize {
    const ARGUMENT: &'static str = "vectorize";
    const SUMMARY: &'static str = "Turn loops over points into loops over vectors of points";
    const DESCRIPTION: &'static str = "\
Of each `scf.for` with `weft.lanes = n`, which says that its iterations may be done in any order and more than once, makes a loop over \
vectors of n elements, and one vector with a mask where there are fewer iterations: with `weft.wide` there never are, with `weft.masked` mostly. \
With `weft.registers = n` these are as many registers. With `weft.permutes = n` lanes look up in registers what they read near each other in a row of elements of n bits or more, and rows that begin anywhere are stored past the caches by whole lines. `--cpu-tile` marks its loops so.";
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
            let number = |name| {
                let attribute = op.attribute(name).ok().and_then(|number| IntegerAttribute::try_from(number).ok());
                ir::mutable(op).remove_attribute(name).ok();
                attribute.map(|number| number.value())
            };
            let (permutes, registers) = (number(weft::PERMUTES), number(weft::REGISTERS).filter(|some| *some > 0));
            if lanes < 2 {
                continue;
            }
            let trip_count = match (is_wide, is_masked) {
                (_, true) => TripCount::Few,
                (true, _) => TripCount::Many,
                _ => TripCount::Any,
            };
            cx.count(GATHERS, vectorize(cx, op, lanes, trip_count, (permutes, registers.unwrap_or(1)))?);
            cx.count(LOOPS, 1);
        }
        // A branch makes the vectors that it needs itself, whether or not the one beside it, or code behind, has made them.
        ir::eliminate_common(module);
        Ok(())
    }
}

/// Points of a vector, at most: no CPU has so many, and each is an op where a vector is taken apart.
const MOST_LANES: i64 = 256;

/// How many points of a loop make a vector; none where more are wanted than there can be.
fn lanes_of(op: OperationRef) -> Option<i64> {
    let lanes = is(op, "scf.for").then(|| op.attribute(weft::LANES).ok()).flatten()?;
    IntegerAttribute::try_from(lanes).ok().map(|lanes| lanes.value()).filter(|lanes| (1..=MOST_LANES).contains(lanes))
}

/// How many iterations a loop has.
#[derive(Clone, Copy, PartialEq)]
enum TripCount {
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
    trip_count: TripCount,
    (permutes, registers): (Option<i64>, i64),
) -> Result<usize, Failure<'c>> {
    let b = Builder::before(cx.context(), op).located(op.location());
    let [from, to] = [0, 1].map(|index| ir::operand(op, index).expect("an scf.for has bounds"));
    let aligned = alignment(op, lanes);
    // Of lanes that have all points of the phases so many times.
    let near = if lanes % aligned == 0 { aligned } else { 1 };
    if trip_count == TripCount::Few {
        let gathers = masked(&b, op, (from, to), lanes, near)?;
        ir::erase(op);
        return Ok(gathers);
    }
    let phases = phases(&b, op, aligned);
    let aligned = if phases > 1 { aligned } else { near };
    // Points of a vector, and of its phases.
    let points = lanes * phases;
    let (mut first, mut end) = (from, to);
    if aligned > 1 {
        let up = b.arith("addi", from, b.index(aligned - 1));
        first = b.arith("minsi", multiple(&b, up, aligned), to);
        let count = b.arith("subi", to, first);
        end = b.arith("addi", first, multiple(&b, count, aligned));
    }
    let count = b.arith("subi", end, first);
    let is_enough = b.compare(Compare::GreaterEqual, count, b.index(points));
    let stop = b.select(is_enough, end, first, b.index_type());
    let last = b.arith("subi", end, b.index(points));
    // A row of one vector at most begins where that does: another one before it would do the same points again.
    let is_short = most_points(from, to).is_some_and(|most| most <= points);
    let is_moved = aligned == 1 && !is_short;
    let start = if is_moved { store_start(&b, op, first, lanes) } else { None };
    let start = start.map_or(first, |start| b.select(is_enough, start, first, b.index_type()));

    let row = Row { points: [first, end], start, lanes };
    let lines = if is_moved && phases == 1 { Line::all(&b, op, row, permutes) } else { Vec::new() };
    let initial: Vec<Value> = lines.iter().map(Line::initial).collect();
    let mut gathers = 0;
    b.for_carrying([start, stop, b.index(points)], &initial, |inner, at, before| {
        let mut x = inner.arith("minsi", at, last);
        if start != first {
            x = inner.arith("maxsi", x, first);
        }
        let stretch = Some(Stretch { x, number: at, start, first, end });
        let mut waiting = Vec::new();
        let mut behind = Vec::new();
        for number in 0..phases {
            let phase = Phase { number, of: phases };
            let lines = lines.iter().zip(before).map(|(line, before)| line.after(*before)).collect();
            let vectors =
                Vectors { lanes, registers, stretch, lines, phase, phases: waiting, permutes, ..Vectors::default() };
            let mut vectors = vectors;
            vectors.body(inner, op, x, aligned)?;
            behind = vectors.lines.iter().map(|line| line.behind(inner, vectors.vector(inner, line.value))).collect();
            gathers += vectors.gathers;
            waiting = vectors.phases;
        }
        if phases > 1 {
            erase_arms(inner.block());
        }
        Ok::<_, Failure>(behind)
    })?;
    // What no whole vector covers: before the first multiple, and behind the last.
    if aligned > 1 {
        let (sides, side) = b.for_loop(b.index(0), b.index(2));
        let is_left = sides.compare(Compare::Equal, side, sides.index(0));
        let from = sides.select(is_left, from, stop, b.index_type());
        let to = sides.select(is_left, first, to, b.index_type());
        gathers += masked(&sides, op, (from, to), lanes, aligned)?;
    } else if trip_count == TripCount::Any {
        gathers += masked(&b, op, (stop, to), lanes, aligned)?;
    }
    ir::erase(op);
    Ok(gathers)
}

/// How many points lie between two numbers at most, the first of which may be one of two.
fn most_points(from: Value, to: Value) -> Option<i64> {
    let least = |value: Value| match ir::defining_op(value).filter(|op| is(*op, "arith.select")) {
        Some(select) => Some(constant_index(ir::operand(select, 1)?)?.min(constant_index(ir::operand(select, 2)?)?)),
        None => constant_index(value),
    };
    constant_index(to)?.checked_sub(least(from)?)
}

/// The iterations of a loop between two numbers as vectors whose lanes outside of these do nothing. Each begins at a multiple of a number.
fn masked<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    (from, to): (Value<'c, 'a>, Value<'c, 'a>),
    lanes: i64,
    aligned: i64,
) -> Result<usize, Failure<'c>> {
    if from == to {
        return Ok(0);
    }
    // Of fewer lanes than there are phases it is not known which are whose.
    let aligned = if aligned > lanes { 1 } else { aligned };
    let count = constant_index(from).zip(constant_index(to)).map(|(from, to)| to.saturating_sub(from));
    let lanes = match count {
        // Of a known number of points there are no more lanes than it takes, and none of these is idle if it is a power of two.
        Some(count) if aligned == 1 && (2..=lanes).contains(&count) => {
            let lanes = lanes.min(count.cast_unsigned().next_power_of_two().cast_signed());
            if count == lanes {
                let mut vectors = Vectors { lanes, ..Vectors::default() };
                vectors.body(b, op, from, aligned)?;
                return Ok(vectors.gathers);
            }
            lanes
        }
        _ => lanes,
    };
    let mut start = from;
    if aligned > 1 {
        // Where there is nothing to do no vector is begun.
        let is_some = b.compare(Compare::Less, from, to);
        start = b.select(is_some, multiple(b, from, aligned), to, b.index_type());
    }
    let some = lanes - lanes % aligned;
    let (inner, x) = b.for_every(start, to, some);
    // Never more, but LLVM does not know: it would weigh for each load how its address could follow the one before (loop strength
    // reduction), and spend most of its time on loops that have an iteration or two.
    let x = inner.arith("minsi", x, inner.arith("subi", to, inner.index(1)));
    let mut vectors = Vectors { lanes, ..Vectors::default() };
    let end = inner.arith("minsi", inner.arith("subi", to, x), inner.index(some));
    let mut mask = vectors.some_lanes(&inner, end);
    let mut first = inner.index(0);
    if aligned > 1 {
        first = inner.arith("maxsi", inner.arith("subi", from, x), first);
        // Lanes before the first are those of the shorter mask.
        mask = inner.value("arith.xori", &[mask, vectors.some_lanes(&inner, first)], mask.r#type(), &[]);
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

/// What vectors must begin at a multiple of, so that it is known which points go together where an index is divided: 1 where none is, or
/// where that cannot be.
fn alignment(op: OperationRef, lanes: i64) -> i64 {
    let periods = ir::walk(op).into_iter().filter_map(|inner| period(inner, op));
    // Where as many lanes, or a multiple of these, go together, a vector is of one kind.
    let needed = periods.map(|period| if period % lanes == 0 { lanes } else { period });
    needed.fold(1i64, |all, period| all.saturating_mul(period / gcd(all, period)))
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
    Some(b.arith("subi", first, points_behind(b, memory, place, lanes)?))
}

/// How many points lie between an element and the last one before it, in its row, that begins a cache line, or a vector of so many lanes
/// that is a part of one; of pixels a line of whole ones. `None` where there is no such point.
fn points_behind<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    place: Value<'c, 'a>,
    lanes: i64,
) -> Option<Value<'c, 'a>> {
    let channels = step_of_rows(memory);
    let line = CACHE_LINE / bytes_of_element(element_of(memory));
    if channels == 1 {
        return Some(b.arith("andi", place, b.index(lanes.min(line) - 1)));
    }
    // Where each vector of pixels is some whole lines it begins with one, else at a multiple of its part of one.
    let part = if (channels * lanes) % line == 0 { line } else { lanes };
    let shift = channels.trailing_zeros();
    if part.count_ones() != 1 || part >> shift == 0 {
        return None;
    }
    // Modulo a power of two the odd part of a number has an inverse.
    let inverse = (1..=part).step_by(2).find(|number| (number * (channels >> shift)) % part == 1 % part)?;
    let pixels = b.arith("muli", b.arith("shrui", place, b.index(shift.into())), b.index(inverse));
    Some(b.arith("andi", pixels, b.index((part >> shift) - 1)))
}
