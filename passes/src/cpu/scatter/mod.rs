//! Scatters for the cores of a CPU: strips of the domain, each with places of its own.
//!
//! ```text
//!                                                  %all = memref.alloc : 64 x 256
//!                                                  scf.parallel (%s) = strips of %ry {
//! %h = scatter "h" () over (%ry, %rx) in ...         %own = memref.alloc : 4 x 256, all 0
//!     from(%zero) combine "arith.addi" {             for each point of the strip, four at a time:
//!   ... ; update %one at [%bin] }            ──▶       %own[0, %bin0] += 1 ; ... ; %own[3, %bin3] += 1
//!   : tensor<256xi32>                                %all[%s, ...] = the sum of the four }
//!                                                  the image = %zero + the sum over %all
//! ```
//!
//! That is for scatters whose order cannot show and that have few places. An update waits for the one before where both are of the
//! same place, as neighbours often are: so neighbours have copies of the places. The strips are the same for any number
//! of threads, and so is a sum of floats that may be done in any order.
//!
//! Where all points of a row update one place, as sums and extremes of images do, each lane of a vector has a copy:
//!
//! ```text
//! for %x ... { %sum[0] += f(%x) }      ──▶      for %x ... step 16 { for %lane < 16 (one vector) { %own[0, %lane] += f(%x + %lane) } }
//! ```
//!
//! Where there are a few coordinates, such as the channels of a picture, a point updates the places of each, so that what it reads is
//! read once. Of other scatters the coordinates are shared among threads; without coordinates they run on one. Each point of many coordinates,
//! such as the tiles of a picture that have a histogram each, has copies of its places, too, where its domain has more points than these:
//!
//! ```text
//!                                                  scf.parallel (%i, %j) {
//! %h = scatter "h" (%i, %j) over (%ry, %rx)          %own = memref.alloc : 4 x 256, all 0
//!   ... combine "arith.addi" {                       for each point of the domain, four at a time: %own[0, %bin0] += 1 ; ...
//!   ... } : tensor<8x8x256xi32>            ──▶       the image at [%i, %j] = %zero + the sum of the four }
//! ```

mod points;
mod projections;

use super::{
    lanes::{lanes, mark_lanes, mark_once},
    memory::{allocate, free},
};
use crate::{
    analysis::{access, bounds::loads, combine_of, domain, identity},
    ir::{Builder, Emit, Number, bytes_of_element, count, depends_on, numbers, range_extent},
    lower::{
        Lowering, lower_for_cores,
        scatter::{combine, elements, if_inside, places},
    },
};
use melior::ir::{BlockLike, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, ir};
use points::{Points, hides_order};
use projections::Projection;
use weft_dialects::pipeline::{Scatter, Unit, static_extents};
use weft_model::{Arith, Cpu, Expr, PLANES, Range};

/// Bytes of the places of a strip at most: all threads' shall stay in their second caches, and be worth to merge.
const MOST_BYTES: i64 = 64 << 10;

/// Bytes of all copies of the places of a strip at most: they shall stay in the first cache.
const COPIED_BYTES: i64 = 16 << 10;

/// Copies of the places.
const COPIES: i64 = 4;

/// Ops of a body at most that is written out for each copy.
const MOST_OPS: usize = 24;

/// Points of the coordinates at most that a point of the domain updates.
const COORDINATES: i64 = PLANES;

/// Strips at most.
const STRIPS: i64 = 64;

/// Points of a strip at least.
const POINTS: i64 = 1 << 14;

/// Lowers a unit that is no stage, and no scan that `cpu_scan` took.
///
/// # Errors
///
/// Those of its body.
pub fn lower<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, unit: Unit<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
    let b = lowering.builder.located(unit.op().location());
    let scatter = Scatter::of(unit.op());
    if let Some(projection) = scatter.and_then(|scatter| Projection::of(lowering, &b, scatter, cpu)) {
        return projection.lower(&b);
    }
    let own = scatter.filter(|scatter| hides_order(*scatter)).and_then(|scatter| {
        let bytes: i64 = elements(scatter).into_iter().map(bytes_of_element).sum();
        let few = coordinates(scatter).unwrap_or_default();
        let bytes = places(scatter)?.saturating_mul(few.len().max(1) as i64).saturating_mul(bytes);
        let own = (bytes <= MOST_BYTES).then(|| Copied::new(lowering, &b, scatter, few, bytes, cpu))?;
        (!own.coordinates.is_empty() || own.is_worth_copies()).then_some(own)
    });
    match own {
        Some(own) if own.coordinates.is_empty() => own.lower_points(&b),
        Some(own) => own.lower_strips(&b),
        None => lower_for_cores(lowering, &b, unit),
    }
}

/// All points of the coordinates, where they are known to be few, and all wanted.
fn coordinates(scatter: Scatter) -> Option<Vec<Vec<i64>>> {
    let extents = static_extents(scatter.image_type(0));
    let extents: Vec<i64> = extents.into_iter().take(scatter.coordinate_count()).collect::<Option<_>>()?;
    let needed = scatter.needed().unwrap_or_default();
    let is_whole = |((lo, hi), extent): (&(Option<i64>, Option<i64>), &i64)| {
        lo.is_none_or(|lo| lo == 0) && hi.is_none_or(|hi| hi == *extent)
    };
    if !needed.iter().zip(&extents).all(is_whole) {
        return None;
    }
    let count = extents.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent))?;
    let longer = |points: Vec<Vec<i64>>, extent: &i64| {
        points.iter().flat_map(|point| (0..*extent).map(|last| [&point[..], &[last]].concat())).collect()
    };
    (1..=COORDINATES).contains(&count).then(|| extents.iter().fold(vec![Vec::new()], longer))
}

/// A scatter that updates copies of its places, for each strip of its domain or for each point of the coordinates.
struct Copied<'l, 'c, 'a> {
    points: Points<'l, 'c, 'a>,
    /// Few points of the coordinates, whose places a strip has all: one without any, if there are none. None, where there are many.
    coordinates: Vec<Vec<i64>>,
    /// The variable that strips are parts of.
    axis: usize,
    /// Extents of the places: of all few coordinates, or of one point.
    places: Vec<Number<'c, 'a>>,
    elements: Vec<Type<'c>>,
    copies: i64,
    /// How many of them are those of the lanes of a vector, next to each other, if they are.
    lanes: Option<i64>,
    /// Bytes of a vector.
    vector: i64,
}

impl<'l, 'c: 'a, 'a> Copied<'l, 'c, 'a> {
    fn new(
        lowering: &'l Lowering<'c, 'a>,
        b: &Builder<'c, 'a>,
        scatter: Scatter<'c, 'a>,
        coordinates: Vec<Vec<i64>>,
        bytes: i64,
        cpu: &Cpu,
    ) -> Self {
        let bounds = domain::bounds(*scatter);
        let is_long = |(start, end): &(i64, Number)| match end {
            Number::Known(end) => end - start >= STRIPS,
            Number::Value(_) => true,
        };
        let is_short = ir::walk(scatter.op()).len() * coordinates.len().max(1) <= MOST_OPS;
        let first = scatter.coordinate_count();
        let row = lanes(scatter.op(), cpu);
        let in_lanes = row > 1 && bytes * row <= COPIED_BYTES && updates_by_rows(scatter, row);
        let row = if in_lanes { row } else { 1 };
        let neighbours = if is_short && bytes * row * COPIES <= COPIED_BYTES { COPIES } else { 1 };
        Self {
            points: Points::of(lowering, b, scatter),
            axis: first + bounds[first..].iter().position(is_long).unwrap_or(0),
            places: numbers(scatter.extents())
                .into_iter()
                .skip(if coordinates.is_empty() { first } else { 0 })
                .collect(),
            elements: elements(scatter),
            coordinates,
            copies: row * neighbours,
            lanes: in_lanes.then_some(row),
            vector: cpu.vector,
        }
    }

    /// Whether the domain of a point of the coordinates has more points than there are places in all copies, as far as it is known.
    fn is_worth_copies(&self) -> bool {
        let extents = self.points.domain[self.points.scatter.coordinate_count()..]
            .iter()
            .map(|range| Some(range.hi.known()? - range.lo.known()? + 1));
        let product =
            |extents: Option<Vec<i64>>| extents.map(|extents| extents.into_iter().fold(1, i64::saturating_mul));
        let points = product(extents.collect()).unwrap_or(i64::MAX);
        let places = product(self.places.iter().map(|places| places.known()).collect()).unwrap_or(i64::MAX);
        self.copies > 1 && self.lanes.is_none() && points >= places.saturating_mul(self.copies)
    }

    /// Point by point of the coordinates.
    fn lower_points(&self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let coordinates = &self.points.domain[..self.points.scatter.coordinate_count()];
        let counts: Vec<Value> = coordinates.iter().map(|range| range_extent(range, b).value(b)).collect();
        let (each, numbers) = b.parallel(&counts);
        let at = numbers.into_iter().zip(coordinates);
        let at = at.map(|(number, range)| Emit(&each).add(&Number::Value(number), &range.lo).value(&each));
        let point: Vec<Value> = at.collect();
        let own = self.begin(&each);
        self.walk(&each, None, std::slice::from_ref(&point), Vec::new(), &own)?;
        let (end, at) = self.each_place(&each, true);
        let sums = self.sums(&end, &own, &at);
        for ((sum, start), image) in
            sums.into_iter().zip(self.points.scatter.initial()).zip(self.points.scatter.op().results())
        {
            let at = [&point[..], &at[..]].concat();
            end.store(combine(&end, self.points.scatter, start, sum), self.points.lowering.buffer(image.into()), &at);
        }
        own.iter().for_each(|memory| free(&each, *memory));
        Ok(())
    }

    /// Memory for all copies, in which nothing has been updated.
    fn begin(&self, each: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let extents = self.of_copy(Number::Known(self.copies), &self.places);
        let own: Vec<Value> = self.elements.iter().map(|element| allocate(each, &extents, *element)).collect();
        let (begin, at) = self.each_place(each, self.lanes.is_none());
        for copy in 0..self.copies {
            for (memory, element) in own.iter().zip(&self.elements) {
                let at = self.of_copy(begin.index(copy), &at);
                begin.store(identity(&begin, combine_of(self.points.scatter), *element), *memory, &at);
            }
        }
        own
    }

    /// What all copies have at a place.
    fn sums(&self, b: &Builder<'c, 'a>, own: &[Value<'c, 'a>], at: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let sum = |(own, element): (&Value<'c, 'a>, &Type<'c>)| {
            let copies = (0..self.copies).map(|copy| b.load(*own, &self.of_copy(b.index(copy), at), *element));
            let sum =
                copies.collect::<Vec<_>>().into_iter().reduce(|sum, copy| combine(b, self.points.scatter, sum, copy));
            sum.expect("there is a copy")
        };
        own.iter().zip(&self.elements).map(sum).collect()
    }

    /// Strip by strip of the domain.
    fn lower_strips(&self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let along = &self.points.domain[self.axis];
        let extent = range_extent(along, b);
        // How many strips there should be, then how long one is, then how many there are.
        let mut emit = Emit(b);
        let wanted = emit.floor_div(&count(b, &self.points.domain), POINTS);
        let wanted = emit.min(&wanted, &Number::Known(STRIPS));
        let wanted = emit.max(&wanted, &Number::Known(1));
        let up = |emit: &mut Emit<'_, 'c, 'a>, number: Number<'c, 'a>, by: Number<'c, 'a>| match by {
            Number::Known(by) => {
                let padded = emit.add(&number, &Number::Known(by - 1));
                emit.floor_div(&padded, by)
            }
            Number::Value(by) => Number::Value(b.arith("ceildivsi", number.value(b), by)),
        };
        let length = up(&mut emit, extent, wanted);
        let length = emit.max(&length, &Number::Known(1));
        let strips = up(&mut emit, extent, length);
        let strips = emit.max(&strips, &Number::Known(0)).value(b);

        let extents = [&[Number::Known(STRIPS)], &self.places[..]].concat();
        let all: Vec<Value> = self.elements.iter().map(|element| allocate(b, &extents, *element)).collect();
        let (each, strip) = b.parallel(&[strips]);
        let own = self.begin(&each);

        let first = match length {
            Number::Known(length) => Emit(&each).mul(&Number::Value(strip[0]), length),
            Number::Value(length) => Number::Value(each.arith("muli", strip[0], length)),
        };
        let from = Emit(&each).add(&first, &along.lo);
        let to = Emit(&each).add(&from, &length);
        let behind = Emit(&each).add(&along.hi, &Number::Known(1));
        let to = Emit(&each).min(&to, &behind);
        let points = self.coordinates.iter().map(|point| point.iter().map(|at| each.index(*at)).collect());
        self.walk(&each, Some((from, to)), &points.collect::<Vec<_>>(), Vec::new(), &own)?;

        let (end, at) = self.each_place(&each, self.lanes.is_none());
        for (sum, all) in self.sums(&end, &own, &at).into_iter().zip(&all) {
            end.store(sum, *all, &[&[strip[0]], &at[..]].concat());
        }
        own.iter().for_each(|memory| free(&each, *memory));

        let (merge, at) = self.each_place(b, true);
        let range = [merge.index(0), strips, merge.index(1)];
        let merged = merge.for_carrying(range, &self.points.scatter.initial(), |b, strip, sums| {
            let parts = all.iter().zip(&self.elements);
            let parts = parts.map(|(all, element)| b.load(*all, &[&[strip], &at[..]].concat(), *element));
            let parts: Vec<Value> = parts.collect();
            Ok::<_, Failure>(
                sums.iter().zip(parts).map(|(sum, part)| combine(b, self.points.scatter, *sum, part)).collect(),
            )
        })?;
        for (value, image) in merged.into_iter().zip(self.points.scatter.op().results()) {
            merge.store(value, self.points.lowering.buffer(image.into()), &at);
        }
        all.iter().for_each(|memory| free(b, *memory));
        Ok(())
    }

    /// Extents or indices of the copies of places: those of lanes are neighbours.
    fn of_copy<T: Copy>(&self, copy: T, place: &[T]) -> Vec<T> {
        if self.lanes.is_some() { [place, &[copy]].concat() } else { [&[copy], place].concat() }
    }

    /// Loops over all places, of which vectors can be made.
    fn each_place(&self, b: &Builder<'c, 'a>, in_vectors: bool) -> (Builder<'c, 'a>, Vec<Value<'c, 'a>>) {
        let (mut inner, mut at) = (*b, Vec::new());
        for extent in &self.places {
            let (next, index) = inner.for_loop(inner.index(0), extent.value(&inner));
            at.push(index);
            inner = next;
        }
        if let Some(last) = at.last().filter(|_| in_vectors) {
            let widest = self.elements.iter().map(|element| bytes_of_element(*element)).max().unwrap_or(1);
            mark_lanes(*last, self.vector / widest, b);
        }
        (inner, at)
    }

    /// Loops over the rest of the domain, or of a strip of it, and the updates inside, for each of these coordinates.
    fn walk(
        &self,
        b: &Builder<'c, 'a>,
        strip: Option<(Number<'c, 'a>, Number<'c, 'a>)>,
        coordinates: &[Vec<Value<'c, 'a>>],
        arguments: Vec<Value<'c, 'a>>,
        own: &[Value<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let d = self.points.scatter.coordinate_count() + arguments.len();
        let whole = |range: &Range<Number<'c, 'a>>| (range.lo, Emit(b).add(&range.hi, &Number::Known(1)));
        let (from, to) = strip.filter(|_| d == self.axis).unwrap_or_else(|| whole(&self.points.domain[d]));
        let (from, to) = (from.value(b), to.value(b));
        let with = |index| arguments.iter().copied().chain([index]).collect::<Vec<_>>();
        if d + 1 < self.points.domain.len() {
            let (inner, index) = b.for_loop(from, to);
            return self.walk(&inner, strip, coordinates, with(index), own);
        }
        let mut rest = from;
        if self.copies > 1 {
            let count = b.arith("maxsi", b.arith("subi", to, from), b.index(0));
            let left = b.arith("remui", count, b.index(self.copies));
            rest = b.arith("addi", from, b.arith("subi", count, left));
            let (inner, index) = b.for_every(from, rest, self.copies);
            if let Some(lanes) = self.lanes {
                for first in (0..self.copies).step_by(lanes as usize) {
                    // One vector, and once: what is added is not added twice.
                    let (row, lane) = inner.for_loop(inner.index(0), inner.index(lanes));
                    mark_once(lane, lanes, &row);
                    let copy = row.arith("addi", lane, row.index(first));
                    self.update(&row, coordinates, &[(copy, with(row.arith("addi", index, copy)))], own)?;
                }
            } else {
                let neighbours = (0..self.copies)
                    .map(|more| (inner.index(more), with(inner.arith("addi", index, inner.index(more)))));
                self.update(&inner, coordinates, &neighbours.collect::<Vec<_>>(), own)?;
            }
        }
        let (inner, index) = b.for_loop(rest, to);
        self.update(&inner, coordinates, &[(inner.index(0), with(index))], own)
    }

    /// The updates of some points, each in its copy of the places. All points are evaluated before the first update, which else
    /// might have to be waited for.
    fn update(
        &self,
        b: &Builder<'c, 'a>,
        coordinates: &[Vec<Value<'c, 'a>>],
        points: &[(Value<'c, 'a>, Vec<Value<'c, 'a>>)],
        own: &[Value<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let mut all = Vec::new();
        for (copy, point) in points {
            for coordinates in coordinates {
                all.push((*copy, coordinates, self.points.evaluate(b, &[&coordinates[..], point].concat())?));
            }
        }
        for (copy, coordinates, values) in all {
            let (values, at) = values.split_at(own.len());
            // Copies are of a point's places, or of all coordinates'.
            let (of_coordinates, places) = self.places.split_at(self.places.len() - at.len());
            let b = if_inside(b, at, places);
            let at = self.of_copy(copy, &[&coordinates[..of_coordinates.len()], at].concat());
            for (value, memory) in values.iter().zip(own) {
                let there = b.load(*memory, &at, value.r#type());
                b.store(combine(&b, self.points.scatter, there, *value), *memory, &at);
            }
        }
        Ok(())
    }
}

/// Whether all points of a row update one place, and rows, of so many points at least, are read along rows.
fn updates_by_rows(scatter: Scatter, row: i64) -> bool {
    let unit: Unit = *scatter;
    let Some(along) = unit.body().argument_count().checked_sub(1) else { return false };
    let Some(x) = ir::arguments(unit.body()).nth(along) else { return false };
    let is_long = match domain::bounds(unit).last() {
        Some((start, Number::Known(end))) => end - start >= row,
        _ => true,
    };
    let places = scatter.terminator().map(|update| update.operands().skip(unit.op().result_count()).collect());
    let is_of_row = |place: Value| !depends_on(place, x, unit.op());
    let is_read_along = |indices: Vec<Expr>| {
        indices.split_last().is_none_or(|(_, outer)| !outer.iter().any(|index| index.dims().contains(&along)))
    };
    along >= scatter.coordinate_count()
        && is_long
        && places.is_some_and(|places: Vec<Value>| places.into_iter().all(is_of_row))
        && loads(unit).all(|load| access::indices(load).is_ok_and(is_read_along))
}
