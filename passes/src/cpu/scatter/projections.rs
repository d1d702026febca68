//! Scatters whose places are variables of their domain: what is joined along the others.
//!
//! ```text
//! %s = scatter "s" () over (%y, %x)                    scf.parallel blocks of columns {
//!     from(%zero) combine "arith.addi" {                 for each column of the block: %s[%x] = %zero
//!   ... ; update %v at [%x] }                   ──▶      for %y { for %x of the block (vectors): %s[%x] += f(%y, %x) } }
//!
//! %s = scatter "s" () over (%y, %x)                    scf.parallel (%y) {
//!     from(%zero) combine "arith.addi" {                 for %lane < 64 (vectors): %own[%lane] = the sum of f(%y, %lane + 64 * %k) over %k
//!   ... ; update %v at [%y] }                   ──▶      %s[%y] = %zero + what %own has + the sum over the rest of the row }
//! ```
//!
//! Sums of rows and columns, extremes of the lines of a volume. Points of different places have nothing to do with each other, and those of one place
//! are joined in their order. Where neighbours of a row have places of their own, the loops stay in their order, so that an image is read row by row. Where
//! a row has one place, and the order cannot show, each lane joins its part of it. Where it can, as of floats, lines are lanes.

use super::{
    super::{
        lanes::{lanes, mark_lanes, mark_once},
        memory::{allocate, free},
    },
    points::{Points, hides_order},
};
use crate::{
    analysis::{combine_of, domain, identity},
    ir::{Builder, Emit, Number, numbers, range_extent, same},
    lower::{
        Lowering,
        scatter::{combine, elements},
    },
};
use melior::ir::{Type, Value, operation::OperationLike};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::Scatter;
use weft_model::{Arith, Cpu, Range};

/// Columns of a block: what is read of a row is as long as prefetchers like it.
const COLUMNS: i64 = 512;

/// Lines of a block, or vectors of them.
const LINES: i64 = 8;

/// Lanes that are joined one by one.
const FEW: i64 = 4;

/// Vectors of which each lane joins a part of a row: as many go on while one waits for its last sum.
const VECTORS: i64 = 4;

/// A scatter whose places are variables of its domain.
pub(super) struct Projection<'l, 'c, 'a> {
    points: Points<'l, 'c, 'a>,
    /// The arguments of the body that are places, in their order.
    places: Vec<usize>,
    /// The others that are no coordinates.
    joined: Vec<usize>,
    /// Lanes of a vector.
    lanes: i64,
}

/// Where arguments of the body are, as far as that is known.
type At<'c, 'a> = Vec<Option<Value<'c, 'a>>>;

/// What comes of values with some points.
type Joining<'f, 'c, 'a> =
    &'f dyn Fn(&Builder<'c, 'a>, &At<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure<'c>>;

impl<'l, 'c: 'a, 'a> Projection<'l, 'c, 'a> {
    /// That of a scatter, if it is one: each place is another variable, which runs over all of the image, and something is joined.
    pub(super) fn of(
        lowering: &'l Lowering<'c, 'a>,
        b: &Builder<'c, 'a>,
        scatter: Scatter<'c, 'a>,
        cpu: &Cpu,
    ) -> Option<Self> {
        let coordinates = scatter.coordinate_count();
        let update = scatter.terminator()?;
        let at = update.operands().skip(scatter.op().result_count());
        let arguments: Vec<Value> = ir::arguments(scatter.body()).collect();
        let variable = |place: Value| arguments.iter().position(|argument| *argument == place);
        let places: Option<Vec<usize>> =
            at.map(|place| variable(place).filter(|number| *number >= coordinates)).collect();
        let places = places?;
        let (bounds, extents) = (domain::bounds(*scatter), numbers(scatter.extents()));
        let is_whole =
            |(place, extent): (&usize, &Number<'c, 'a>)| bounds[*place].0 == 0 && same(bounds[*place].1, *extent);
        let are_apart = places.iter().enumerate().all(|(n, place)| !places[..n].contains(place));
        let joined: Vec<usize> = (coordinates..bounds.len()).filter(|number| !places.contains(number)).collect();
        // Neighbours of a row are neighbours in the image, or have one place.
        let is_of_rows = places.iter().rev().skip(1).all(|place| *place + 1 < bounds.len());
        let is_one = !places.is_empty() && !joined.is_empty() && are_apart && is_of_rows;
        (is_one && places.iter().zip(&extents[coordinates..]).all(is_whole)).then(|| Self {
            points: Points::of(lowering, b, scatter),
            places,
            joined,
            lanes: lanes(scatter.op(), cpu),
        })
    }

    /// The loops.
    ///
    /// # Errors
    ///
    /// Those of the body.
    pub(super) fn lower(&self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let last = self.points.domain.len() - 1;
        if self.places.last() == Some(&last) {
            self.lower_columns(b, last)
        } else if hides_order(self.points.scatter) {
            self.lower_rows(b, last)
        } else {
            self.lower_lines(b)
        }
    }

    /// Neighbours of a row have places of their own.
    fn lower_columns(&self, b: &Builder<'c, 'a>, last: usize) -> Result<(), Failure<'c>> {
        let (b, at, [from, to]) = self.begin(b, (last, COLUMNS));
        let lanes = self.lanes;
        let initial = self.points.scatter.initial();
        let (row, x) = b.for_loop(from, to);
        _ = mark_lanes(x, lanes, &row);
        self.store(&row, &with(&at, last, x), &initial);
        let count = b.arith("subi", to, from);
        let rest = b.arith("subi", to, b.arith("remui", count, b.index(lanes)));
        // The row's loop is the innermost one.
        let (b, at) = self.joined.iter().fold((b, at), |(b, at), number| {
            let [from, to] = self.range(&b, *number);
            let (inner, index) = b.for_loop(from, to);
            (inner, with(&at, *number, index))
        });
        let join = |b: &Builder<'c, 'a>, x: Value<'c, 'a>| {
            let at = with(&at, last, x);
            let there = self.load(b, &at);
            let joined = self.point(b, &at, &there)?;
            self.store(b, &at, &joined);
            Ok::<_, Failure>(())
        };
        // Each vector once: what is added is not added twice.
        let (some, first) = b.for_every(from, rest, lanes);
        let (row, lane) = some.for_loop(some.index(0), some.index(lanes));
        mark_once(lane, lanes, &row);
        join(&row, row.arith("addi", first, lane))?;
        let (row, x) = b.for_loop(rest, to);
        mark_once(x, lanes, &row);
        join(&row, x)
    }

    /// A row has one place, and what it joins may be joined in any order.
    fn lower_rows(&self, b: &Builder<'c, 'a>, last: usize) -> Result<(), Failure<'c>> {
        let (place, _) = self.places.split_last().expect("there is a place");
        let (b, at, [from, to]) = self.begin(b, (*place, LINES));
        let (scatter, wide) = (self.points.scatter, self.lanes * VECTORS);
        let elements = elements(scatter);
        let identity = |element: &Type<'c>| identity(&b, combine_of(scatter), *element);
        let nothing: Vec<Value> = elements.iter().map(identity).collect();
        let own: Vec<Value> = elements.iter().map(|element| allocate(&b, &[Number::Known(wide)], *element)).collect();
        let (line, y) = b.for_loop(from, to);
        let at = with(&at, *place, y);
        let [from, to] = self.range(&line, last);
        let count = line.arith("maxsi", line.arith("subi", to, from), line.index(0));
        let whole = line.arith("divui", count, line.index(wide));
        let rest = line.arith("addi", from, line.arith("muli", whole, line.index(wide)));
        let outer = &self.joined[..self.joined.len() - 1];

        let (row, lane) = line.for_loop(line.index(0), line.index(wide));
        _ = mark_lanes(lane, wide, &row);
        let first = row.arith("addi", from, lane);
        let all = self.join(&row, outer, &at, &nothing, &|b, at, before| {
            b.for_carrying([b.index(0), whole, b.index(1)], before, |b, number, before| {
                let x = b.arith("addi", first, b.arith("muli", number, b.index(wide)));
                self.point(b, &with(at, last, x), before)
            })
        })?;
        all.into_iter().zip(&own).for_each(|(value, own)| row.store(value, *own, &[lane]));
        let all = self.join(&line, outer, &at, &scatter.initial(), &|b, at, before| {
            b.for_carrying([rest, to, b.index(1)], before, |b, x, before| self.point(b, &with(at, last, x), before))
        })?;
        let read = |b: &Builder<'c, 'a>, lane: Value<'c, 'a>| -> Vec<Value<'c, 'a>> {
            own.iter().zip(&elements).map(|(own, element)| b.load(*own, &[lane], *element)).collect()
        };
        // Halves of the lanes are joined, and halves of these.
        let halves = std::iter::successors(Some(wide / 2), |half| Some(half / 2)).take_while(|half| *half >= FEW);
        let few = halves.inspect(|half| {
            let (row, lane) = line.for_loop(line.index(0), line.index(*half));
            mark_once(lane, *half, &row);
            let (one, other) = (read(&row, lane), read(&row, row.arith("addi", lane, row.index(*half))));
            let joined = self.combined(&row, &one, &other);
            joined.into_iter().zip(&own).for_each(|(value, own)| row.store(value, *own, &[lane]));
        });
        let few = few.last().unwrap_or(wide);
        let all = (0..few).fold(all, |all, lane| self.combined(&line, &all, &read(&line, line.index(lane))));
        self.store(&line, &at, &all);
        own.into_iter().for_each(|own| free(&b, own));
        Ok(())
    }

    /// A row has one place, and its order shows: lines of the last place are lanes.
    fn lower_lines(&self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let (place, _) = self.places.split_last().expect("there is a place");
        let (b, at, [from, to]) = self.begin(b, (*place, self.lanes * LINES));
        let (line, y) = b.for_loop(from, to);
        _ = mark_lanes(y, self.lanes, &line);
        let at = with(&at, *place, y);
        let initial = self.points.scatter.initial();
        let all = self.join(&line, &self.joined, &at, &initial, &|b, at, before| self.point(b, at, before))?;
        self.store(&line, &at, &all);
        Ok(())
    }

    /// A parallel loop over all coordinates and places, of the last one over blocks: where they are, and from where to where a block goes.
    fn begin(
        &self,
        b: &Builder<'c, 'a>,
        (last, width): (usize, i64),
    ) -> (Builder<'c, 'a>, At<'c, 'a>, [Value<'c, 'a>; 2]) {
        let domain = &self.points.domain;
        let outer = (0..self.points.scatter.coordinate_count()).chain(self.places.iter().copied());
        let outer: Vec<usize> = outer.filter(|number| *number != last).collect();
        let mut counts: Vec<Value> = outer.iter().map(|number| range_extent(&domain[*number], b).value(b)).collect();
        let extent = range_extent(&domain[last], b);
        let padded = Emit(b).add(&extent, &Number::Known(width - 1));
        counts.push(Emit(b).floor_div(&padded, width).value(b));
        let (each, numbers) = b.parallel(&counts);
        let mut at = vec![None; domain.len()];
        for (number, index) in outer.iter().zip(&numbers) {
            at[*number] = Some(Emit(&each).add(&Number::Value(*index), &domain[*number].lo).value(&each));
        }
        let [begin, end] = self.range(&each, last);
        let block = numbers.last().expect("blocks are counted");
        let from = each.arith("addi", begin, each.arith("muli", *block, each.index(width)));
        let to = each.arith("minsi", each.arith("addi", from, each.index(width)), end);
        (each, at, [from, to])
    }

    /// The first value of an argument, and that behind the last.
    fn range(&self, b: &Builder<'c, 'a>, number: usize) -> [Value<'c, 'a>; 2] {
        let Range { lo, hi } = &self.points.domain[number];
        [lo.value(b), Emit(b).add(hi, &Number::Known(1)).value(b)]
    }

    /// What comes of values `before` with all points of some arguments, one after the other.
    fn join(
        &self,
        b: &Builder<'c, 'a>,
        numbers: &[usize],
        at: &At<'c, 'a>,
        before: &[Value<'c, 'a>],
        point: Joining<'_, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let Some((number, rest)) = numbers.split_first() else { return point(b, at, before) };
        let [from, to] = self.range(b, *number);
        b.for_carrying([from, to, b.index(1)], before, |b, index, before| {
            self.join(b, rest, &with(at, *number, index), before, point)
        })
    }

    /// What comes of values with a point.
    fn point(
        &self,
        b: &Builder<'c, 'a>,
        at: &At<'c, 'a>,
        before: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let point: Vec<Value> = at.iter().copied().flatten().collect();
        Ok(self.combined(b, before, &self.points.evaluate(b, &point)?))
    }

    fn combined(&self, b: &Builder<'c, 'a>, there: &[Value<'c, 'a>], values: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let both = there.iter().zip(values);
        both.map(|(there, value)| combine(b, self.points.scatter, *there, *value)).collect()
    }

    /// The images, and where in them the place of a point is.
    fn places(&self, at: &At<'c, 'a>) -> (Vec<Value<'c, 'a>>, Vec<Value<'c, 'a>>) {
        let coordinates = 0..self.points.scatter.coordinate_count();
        let place = coordinates.chain(self.places.iter().copied()).filter_map(|number| at[number]).collect();
        let op = self.points.scatter.op();
        let images = op.results().map(|image| self.points.lowering.buffer(image.into())).collect();
        (images, place)
    }

    fn load(&self, b: &Builder<'c, 'a>, at: &At<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (images, place) = self.places(at);
        let all = images.into_iter().zip(elements(self.points.scatter));
        all.map(|(image, element)| b.load(image, &place, element)).collect()
    }

    fn store(&self, b: &Builder<'c, 'a>, at: &At<'c, 'a>, values: &[Value<'c, 'a>]) {
        let (images, place) = self.places(at);
        images.into_iter().zip(values).for_each(|(image, value)| b.store(*value, image, &place));
    }
}

/// The same, and where one more argument is.
fn with<'c, 'a>(at: &At<'c, 'a>, number: usize, value: Value<'c, 'a>) -> At<'c, 'a> {
    let mut at = at.clone();
    at[number] = Some(value);
    at
}
