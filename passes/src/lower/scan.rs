//! A scan along one line, on every target: the loop, and the last few values in registers.
//!
//! ```text
//! scf.for %k = 0 to %w iter_args(%one = 0) {
//!   %p = select %k >= 1, %one, %zero           what pipeline.previous gives
//!   ... ; store %v, %s[%y, %k] ; scf.yield %v }
//! ```

use crate::ir::{Builder, Compare, Emit, Number, zero};
use melior::ir::{ShapedTypeLike, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Previous, Scan};
use weft_model::Arith;

/// A value further back than this is read from memory, not kept in a register.
pub const MOST_KEPT: i64 = 8;

/// The value of `pipeline.previous` at a point, read from what the scan has written.
pub fn before_in_memory<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    previous: Previous<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    memory: Value<'c, 'a>,
    extent: Number<'c, 'a>,
) -> Value<'c, 'a> {
    let distance = b.index(previous.distance());
    // How far the scan has come: counting from the last point is its own inverse.
    let step = along_line(b, scan, coordinates[scan.along()], extent);
    let is_there = b.compare(Compare::GreaterEqual, step, distance);
    let start = previous.start();
    let read = |b: &Builder<'c, 'a>| {
        let mut place = coordinates.to_vec();
        let along = &mut place[scan.along()];
        *along = b.arith(if scan.is_backward() { "addi" } else { "subi" }, *along, distance);
        b.load(memory, &place, start.r#type())
    };
    b.if_value(is_there, read, start)
}

/// What gives the value of each `pipeline.previous` of a body.
pub type Before<'b, 'c, 'a> = &'b dyn Fn(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>;

/// The loop along a line, whose coordinates but the one along it are `line`; `evaluate` gives the values at a point. The last few are
/// kept in registers.
///
/// # Errors
///
/// Those of `evaluate`.
pub fn walk<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    line: &[Value<'c, 'a>],
    extent: Number<'c, 'a>,
    memory: &[Value<'c, 'a>],
    mut evaluate: impl FnMut(
        &Builder<'c, 'a>,
        &[Value<'c, 'a>],
        Before<'_, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>>,
) -> Result<(), Failure<'c>> {
    let point = |at: Value<'c, 'a>| {
        let mut coordinates = line.to_vec();
        coordinates.insert(scan.along(), at);
        coordinates
    };
    let far = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>, at: Value<'c, 'a>| {
        before_in_memory(b, scan, previous, &point(at), memory[previous.result()], extent)
    };
    walk_line(b, scan, extent, Stretch::whole(b, scan, extent), &far, |b, at, before| {
        let coordinates = point(at);
        let values = evaluate(b, &coordinates, before)?;
        values.iter().zip(memory).for_each(|(value, memory)| b.store(*value, *memory, &coordinates));
        Ok(values)
    })
    .map(|_| ())
}

/// What is walked of a line at a time.
pub struct Stretch<'c, 'a> {
    /// How far the scan has come at the first point, and behind the last.
    pub steps: [Value<'c, 'a>; 2],
    /// The values before the first point: of each result as many as are [`kept`], the nearest first.
    pub before: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Stretch<'c, 'a> {
    /// All of it.
    pub fn whole(b: &Builder<'c, 'a>, scan: Scan<'c, 'a>, extent: Number<'c, 'a>) -> Self {
        let before = kept(scan).into_iter().enumerate();
        let before = before.flat_map(|(result, kept)| (0..kept).map(move |_| result));
        let before = before.map(|result| zero(b, scan.image_type(result).element())).collect();
        Self { steps: [b.index(0), extent.value(b)], before }
    }
}

/// How many values of each result are kept in registers.
pub fn kept(scan: Scan) -> Vec<usize> {
    (0..scan.op().result_count()).map(|result| reach(scan, result, MOST_KEPT) as usize).collect()
}

/// As [`walk`], where `each` evaluates the point that is so far along the line, and stores the values that it gives; `far` reads
/// those that are too far back for a register. Returns the last values, as [`Stretch::before`] has those before the first.
///
/// # Errors
///
/// Those of `each`.
pub fn walk_line<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    extent: Number<'c, 'a>,
    stretch: Stretch<'c, 'a>,
    far: &dyn Fn(&Builder<'c, 'a>, Previous<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
    mut each: impl FnMut(&Builder<'c, 'a>, Value<'c, 'a>, Before<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure<'c>>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    let kept = kept(scan);
    let first: Vec<usize> = (0..kept.len()).map(|result| kept[..result].iter().sum()).collect();
    let [from, to] = stretch.steps;
    b.for_carrying([from, to, b.index(1)], &stretch.before, |b, iteration, carried| {
        let at = along_line(b, scan, iteration, extent);
        let before = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>| {
            let (result, distance) = (previous.result(), previous.distance());
            if distance > MOST_KEPT {
                return far(b, previous, at);
            }
            let is_there = b.compare(Compare::GreaterEqual, iteration, b.index(distance));
            let start = previous.start();
            b.select(is_there, carried[first[result] + distance as usize - 1], start, start.r#type())
        };
        let values = each(b, at, &before)?;
        let mut next = Vec::new();
        for (result, value) in values.iter().enumerate() {
            // What was one point before is now two.
            let own = &carried[first[result]..first[result] + kept[result]];
            next.extend([*value].iter().chain(own).take(kept[result]));
        }
        Ok::<_, Failure>(next)
    })
}

/// How far back a scan reads a result, of the distances that are at most `most`; 0 if it does not.
pub fn reach(scan: Scan, result: usize, most: i64) -> i64 {
    let befores = ir::walk(scan.op()).into_iter().filter_map(Previous::of);
    let of = befores.filter(|previous| previous.result() == result).map(Previous::distance);
    of.filter(|distance| *distance <= most).max().unwrap_or(0)
}

/// The coordinate along a line in an iteration of the loop along it.
pub fn along_line<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    iteration: Value<'c, 'a>,
    extent: Number<'c, 'a>,
) -> Value<'c, 'a> {
    if !scan.is_backward() {
        return iteration;
    }
    b.arith("subi", Emit(b).add(&extent, &Number::Known(-1)).value(b), iteration)
}
