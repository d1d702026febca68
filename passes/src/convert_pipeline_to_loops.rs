//! `--convert-pipeline-to-loops`: the reference. Each stage whole, in order, plain loops over memory.
//!
//! ```text
//! %0 = pipeline.stage "bx" (%y, %x) {               scf.for %y = %c0 to %h {
//!   %a = pipeline.load %img[%y, %x - 1] clamp         scf.for %x = %c0 to %w {
//!   %v = arith.addf %a, %a : f32             ──▶        %i = (%x - 1) clamped into [0, %w - 1]
//!   pipeline.yield %v : f32                             %a = memref.load %img[%y, %i]
//! } sized(%h, %w) : tensor<?x?xf32>                     %v = arith.addf %a, %a
//!                                                       memref.store %v, %0[%y, %x] } }
//! ```
//!
//! A scan is such loops, too: the loop of its line goes in its direction, and `pipeline.previous` reads what the image holds
//! already. A scatter begins all its places, then loops over its domain and updates them.
//!
//! What a program means is what this pass makes of it: every other lowering is compared with it, bit for bit. So it does
//! nothing clever. It knows no groups (their stages are lowered one by one), and of a stage that `--infer-bounds` narrowed
//! it computes what is needed.

use crate::{
    access::{self, Emit, Number},
    body::{self, Known, Read, Space},
    builder::Builder,
    kernel::points,
    lowering::{Lowering, Memory},
    program, scan, scatter,
};
use melior::dialect::DialectHandle;
use melior::ir::{BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::{Iterate, Previous, Scan, Scatter, Unit};
use weft_model::{Arith, Range};

/// The pass.
pub struct ConvertPipelineToLoops;

const STAGES: Statistic = Statistic::new(c"stages", c"Stages, scans and scatters lowered");
const BUFFERS: Statistic = Statistic::new(c"buffers", c"Intermediate images that got memory");

impl Pass for ConvertPipelineToLoops {
    const ARGUMENT: &'static str = "convert-pipeline-to-loops";
    const SUMMARY: &'static str = "Lower stages, scans and scatters to plain loops over memrefs: the reference";
    const DESCRIPTION: &'static str = "\
Turns programs on tensors into functions on memory: a memref for each tensor argument, then one for each result, which the \
caller allocates. A program whose results have dynamic extents gets a companion `@NAME_extents` that computes them. Checks \
that need dynamic extents become `cf.assert` at entry.";
    const STATISTICS: &'static [Statistic] = &[STAGES, BUFFERS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::cf(),
            DialectHandle::func(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            program::blocks(func)?.into_iter().for_each(program::flatten_groups);
            let mut lowering = Lowering::begin(cx.context(), func, Memory::Host)?;
            let block = program::entry(func)?;
            cx.count(STAGES, program::units(func).len());
            cx.count(BUFFERS, lowering.allocations());
            lower_block(&mut lowering, block)?;
            lowering.finish(block);
        }
        Ok(())
    }
}

fn lower_block<'c: 'a, 'a>(lowering: &mut Lowering<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<(), Failure<'c>> {
    for op in ir::operations(block).collect::<Vec<_>>() {
        if let Some(iterate) = Iterate::of(op) {
            lowering.steps(iterate, |lowering| lower_block(lowering, iterate.body()))?;
        } else if let Some(unit) = Unit::of(op) {
            lower(lowering, unit)?;
        }
    }
    Ok(())
}

/// The loops of one unit, whole.
fn lower<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, unit: Unit<'c, 'a>) -> Result<(), Failure<'c>> {
    let b = lowering.builder.located(unit.op().location());
    let plain = Plain::new(lowering, unit, &b);
    match Scatter::of(unit.op()) {
        Some(scatter) => plain.scatter(&b, scatter, false),
        None => plain.each_point(&b),
    }
}

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
struct Plain<'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    unit: Unit<'c, 'a>,
    /// Where the arguments of the body begin and end.
    points: Vec<(i64, Number<'c, 'a>)>,
    /// What they run over.
    domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
    /// Indices that have been computed where the body is put.
    known: Known<'c, 'a>,
}

impl<'l, 'c: 'a, 'a> Plain<'l, 'c, 'a> {
    fn new(lowering: &'l Lowering<'c, 'a>, unit: Unit<'c, 'a>, b: &Builder<'c, 'a>) -> Self {
        let points = access::points(unit);
        let (domain, ends) = (access::needed_points(unit, &points, b), access::ends(&points));
        Self { lowering, unit, domain, ends, points, known: Known::new() }
    }

    /// The lines of a scan, in parallel.
    fn lines(mut self, b: &Builder<'c, 'a>, scan: Scan<'c, 'a>) -> Result<(), Failure<'c>> {
        let along = scan.along();
        let lines: Vec<Range<Number>> =
            self.domain.iter().enumerate().filter(|(d, _)| *d != along).map(|(_, range)| *range).collect();
        let counts: Vec<Value> = lines.iter().map(|range| points(range, b).value(b)).collect();
        // A scan of one dimension is one line.
        let (each, numbers) = if counts.is_empty() { (*b, Vec::new()) } else { b.parallel(&counts) };
        let line: Vec<Value> = lines
            .iter()
            .zip(numbers)
            .map(|(range, number)| Emit(&each).add(&Number::Value(number), &range.lo).value(&each))
            .collect();
        let memory: Vec<Value> = scan.op().results().map(|image| self.lowering.buffer(image.into())).collect();
        let extent = self.points[along].1;
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
                Number::Value(_) => self.points[d].1,
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
        let (unit, points, lowering) = (self.unit, self.points.clone(), self.lowering);
        let before = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>| {
            let scan = Scan::of(unit.op()).expect("verified: only a scan has values before");
            let image = unit.op().result(previous.result()).expect("verified").into();
            scan::before_in_memory(b, scan, previous, coordinates, lowering.buffer(image), points[scan.along()].1)
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
            let space = Space { domain, extents: ends, source: &lowering.extents(source) };
            // What is computed inside an `scf.if` is not to be had behind it.
            let mut nested = read.is_nested.then(|| known.clone());
            Ok(body::read_memory(b, &read, lowering.buffer(source), &space, nested.as_mut().unwrap_or(known)))
        };
        body::evaluate_unit(b, *unit, coordinates, read, before)
    }

    /// A stage or a scan: one value after another.
    fn each_point(mut self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
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
    fn scatter(mut self, b: &Builder<'c, 'a>, scatter: Scatter<'c, 'a>, shared: bool) -> Result<(), Failure<'c>> {
        let count = self.unit.coordinate_count();
        let memory: Vec<Value> =
            self.unit.op().results().map(|image| self.lowering.buffer(Value::from(image))).collect();
        let mut coordinates = Vec::new();
        let rows = if shared { count.min(1.max(count.saturating_sub(1))) } else { 0 };
        let mut b = *b;
        if rows > 0 {
            let counts: Vec<Value> = self.domain[..rows].iter().map(|range| points(range, &b).value(&b)).collect();
            let (each, numbers) = b.parallel(&counts);
            let first = self.domain.iter().map(|range| range.lo);
            let at =
                numbers.into_iter().zip(first).map(|(number, first)| Emit(&each).add(&Number::Value(number), &first));
            coordinates.extend(at.map(|at| at.value(&each)));
            b = each;
        }
        let b = self.loops(&b, rows..count, &mut coordinates);
        let places: Vec<Number> = program::numbers(self.unit.extents()).into_iter().skip(count).collect();

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
