//! Plain loops over the points of a unit: those of the reference, and of what a CPU shares among cores line by line.

use super::{
    body::{self, Known, Read, Space, Whereabouts},
    lowering::Lowering,
    scan, scatter,
};
use crate::{
    analysis::domain,
    ir::{Builder, Emit, Number, numbers, range_extent},
};
use melior::ir::{Value, ValueLike, operation::OperationLike};
use mlir_glue::Failure;
use weft_dialects::pipeline::{Previous, Scan, Scatter, Unit};
use weft_model::{Arith, Range};

/// The loops of a scatter, whose coordinates are shared among cores, or of a scan, whose lines are, each walked point by point.
///
/// # Errors
///
/// Those of its body.
pub fn lower_for_cores<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
) -> Result<(), Failure<'c>> {
    let b = b.located(unit.op().location());
    let plain = Plain::new(lowering, unit, &b);
    match (Scatter::of(unit.op()), Scan::of(unit.op())) {
        (Some(scatter), _) => plain.scatter(&b, scatter, true),
        (_, Some(scan)) => plain.lines(&b, scan),
        _ => plain.each_point(&b),
    }
}

/// A unit that becomes loops.
pub struct Plain<'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    unit: Unit<'c, 'a>,
    /// Where the arguments of the body begin and end.
    bounds: Vec<(i64, Number<'c, 'a>)>,
    /// What they run over.
    domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
    /// Indices that have been computed where the body is put.
    known: Known<'c, 'a>,
}

impl<'l, 'c: 'a, 'a> Plain<'l, 'c, 'a> {
    pub(super) fn new(lowering: &'l Lowering<'c, 'a>, unit: Unit<'c, 'a>, b: &Builder<'c, 'a>) -> Self {
        let bounds = domain::bounds(unit);
        let (domain, ends) = (domain::needed_bounds(unit, &bounds, b), domain::ends(&bounds));
        Self { lowering, unit, domain, ends, bounds, known: Known::new() }
    }

    /// The lines of a scan, in parallel.
    fn lines(mut self, b: &Builder<'c, 'a>, scan: Scan<'c, 'a>) -> Result<(), Failure<'c>> {
        let along = scan.along();
        let lines: Vec<Range<Number>> =
            self.domain.iter().enumerate().filter(|(d, _)| *d != along).map(|(_, range)| *range).collect();
        let counts: Vec<Value> = lines.iter().map(|range| range_extent(range, b).value(b)).collect();
        let (each, numbers) = b.parallel(&counts);
        let line: Vec<Value> = lines
            .iter()
            .zip(numbers)
            .map(|(range, number)| Emit(&each).add(&Number::Value(number), &range.lo).value(&each))
            .collect();
        let memory: Vec<Value> = scan.op().results().map(|image| self.lowering.buffer(image.into())).collect();
        let extent = self.bounds[along].1;
        scan::walk(&each, scan, &line, extent, &memory, |b, at, before| self.evaluate_with(b, at, before))
    }

    /// Loops over these arguments of the body, the last one innermost; a scan's line is gone through in its direction.
    fn loops(
        &self,
        b: &Builder<'c, 'a>,
        arguments: std::ops::Range<usize>,
        coordinates: &mut Vec<Value<'c, 'a>>,
    ) -> Builder<'c, 'a> {
        let backward = Scan::of(self.unit.op()).filter(|scan| scan.is_backward()).map(Scan::along);
        let mut b = *b;
        for d in arguments {
            let range = &self.domain[d];
            // Loops are half open; the end of a whole dimension is its extent, which is at hand.
            let end = match range.hi {
                Number::Known(hi) => Number::Known(hi + 1),
                Number::Value(_) => self.bounds[d].1,
            };
            let (inner, index) = b.for_loop(range.lo.value(&b), end.value(&b));
            b = inner;
            coordinates.push(match backward {
                // A line is whole, so it begins at 0.
                Some(along) if along == d => {
                    let last = Emit(&b).add(&end, &Number::Known(-1));
                    b.arith("subi", last.value(&b), index)
                }
                _ => index,
            });
        }
        b
    }

    /// The body at a point.
    fn evaluate(
        &mut self,
        b: &Builder<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let (unit, bounds, lowering) = (self.unit, self.bounds.clone(), self.lowering);
        let before = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>| {
            let scan = Scan::of(unit.op()).expect("verified: only a scan has values before");
            let image = unit.op().result(previous.result()).expect("verified").into();
            scan::before_in_memory(b, scan, previous, coordinates, lowering.buffer(image), bounds[scan.along()].1)
        };
        self.evaluate_with(b, coordinates, &before)
    }

    /// The body at a point, where `before` gives the values before it.
    fn evaluate_with(
        &mut self,
        b: &Builder<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
        before: scan::Before<'_, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let Self { lowering, unit, domain, ends, known, .. } = self;
        let read = |b: &Builder<'c, 'a>, read: Read<'c, 'a>| {
            let source = read.load.source();
            let space =
                Space { domain, extents: ends, source: &lowering.extents(source), whereabouts: Whereabouts::Domain };
            Ok(body::read_memory(b, &read, lowering.buffer(source), &space, known))
        };
        body::evaluate_unit(b, *unit, coordinates, read, before)
    }

    /// A stage or a scan: one value after another.
    pub(super) fn each_point(mut self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let mut coordinates = Vec::new();
        let b = self.loops(b, 0..self.domain.len(), &mut coordinates);
        let values = self.evaluate(&b, &coordinates)?;
        for (value, image) in values.into_iter().zip(self.unit.op().results()) {
            b.store(value, self.lowering.buffer(image.into()), &coordinates);
        }
        Ok(())
    }

    /// A scatter: at each point of the coordinates all places begin, then the domain is walked. Rows of coordinates are
    /// independent, and can be `shared` among cores.
    pub(super) fn scatter(
        mut self,
        b: &Builder<'c, 'a>,
        scatter: Scatter<'c, 'a>,
        shared: bool,
    ) -> Result<(), Failure<'c>> {
        let count = self.unit.coordinate_count();
        let memory: Vec<Value> =
            self.unit.op().results().map(|image| self.lowering.buffer(Value::from(image))).collect();
        let mut coordinates = Vec::new();
        let rows = if shared { count.min(1.max(count.saturating_sub(1))) } else { 0 };
        let mut b = *b;
        if rows > 0 {
            let counts: Vec<Value> =
                self.domain[..rows].iter().map(|range| range_extent(range, &b).value(&b)).collect();
            let (each, numbers) = b.parallel(&counts);
            let first = self.domain.iter().map(|range| range.lo);
            let at =
                numbers.into_iter().zip(first).map(|(number, first)| Emit(&each).add(&Number::Value(number), &first));
            coordinates.extend(at.map(|at| at.value(&each)));
            b = each;
        }
        let b = self.loops(&b, rows..count, &mut coordinates);
        let places: Vec<Number> = numbers(self.unit.extents()).into_iter().skip(count).collect();

        let (mut begin, mut at) = (b, coordinates.clone());
        for extent in &places {
            let (inner, place) = begin.for_loop(begin.index(0), extent.value(&begin));
            at.push(place);
            begin = inner;
        }
        for (value, memory) in scatter.initial().into_iter().zip(&memory) {
            begin.store(value, *memory, &at);
        }

        let mut arguments = coordinates.clone();
        let b = self.loops(&b, count..self.domain.len(), &mut arguments);
        let values = self.evaluate(&b, &arguments)?;
        let (values, at) = values.split_at(memory.len());
        let b = scatter::if_inside(&b, at, &places);
        let at: Vec<Value> = coordinates.iter().chain(at).copied().collect();
        for (value, memory) in values.iter().zip(memory) {
            let there = b.load(memory, &at, value.r#type());
            b.store(scatter::combine(&b, scatter, there, *value), memory, &at);
        }
        Ok(())
    }
}
