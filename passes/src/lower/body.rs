//! The value of a stage at a point: its body, cloned to where it is needed, with loads replaced by what a lowering reads.
//!
//! ```text
//! pipeline.stage "s" (%y, %x) {              at (%i, %j):
//!   %a = pipeline.load %img[%y, %x - 1]        %a = <what the lowering reads for the load>
//!   %v = math.sqrt %a                   ──▶    %v = math.sqrt %a
//!   pipeline.yield %v }                        (%v is handed back)
//! ```
//!
//! A `pipeline.reduce` becomes a loop for each of its variables, which carries the accumulators; the variables are coordinates of
//! the loads inside it. Of several points at once it is one loop for all, so that what they read in common is at hand.
//!
//! Every lowering takes bodies from here, so that what a body means is decided once. Two more things are: a conversion from float
//! to integer saturates and makes 0 of NaN, where LLVM's own is undefined, and processors differ; and `math.fma` of f16 is
//! LLVM's intrinsic, which rounds once, where MLIR's conversion to nvvm would compute in f32 and round twice.

use crate::{
    analysis::{
        access,
        boundary::{self, Resolved},
        bounds, domain,
    },
    ir::{Builder, Key, Number, apply, constant_bool, constant_index, is, key},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Type, Value, ValueLike, operation::OperationLike,
};
use mlir_glue::{Failure, ir};
use std::collections::{HashMap, hash_map::Entry};
use weft_dialects::pipeline::{Boundary, Load, Previous, Reduce, Stage, Unit, reduction_names};
use weft_model::{Expr, Ints, Range, Unroll, gcd, hull, range_of, region_read};

/// A load at a point.
pub struct Read<'c, 'a> {
    /// The load, as it stands in the stage.
    pub load: Load<'c, 'a>,
    /// Its indices, as expressions of the stage's coordinates and of what comes behind them ([`access::variables`]).
    pub indices: Vec<Expr>,
    /// The value of each coordinate, and of each variable.
    pub coordinates: Vec<Value<'c, 'a>>,
    /// The values that each variable takes; `None` of a computed one.
    pub windows: Vec<Option<Range<i64>>>,
    /// Which of the points that are written out in a loop it is, along each variable; `None` of a computed one.
    pub written: Vec<Option<Written>>,
    /// The padding value, where the boundary is constant.
    pub padding: Option<Value<'c, 'a>>,
    /// The regions of the body that the load stands in (of an `scf.if`, a reduce), outermost first, each by a number of its own. Its
    /// value is not available outside them.
    pub regions: Vec<usize>,
}

/// A point of those that are written out in a loop of a reduce, along a variable.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// How many there are.
    pub count: i64,
    /// The number of this one.
    pub at: i64,
    /// What the loop's own index is a multiple of.
    pub multiple: i64,
}

/// Clones the body of `stage` to `b`, its coordinates being `coordinates`; returns what it yields. `read` gives the value of
/// each load.
///
/// # Errors
///
/// Those of `read`, and an index that divides by something else than a positive constant.
pub fn evaluate<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    stage: Stage<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    read: impl FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    // Only a scan has values before.
    evaluate_unit(b, *stage, coordinates, read, |_, previous| previous.start())
}

/// As [`evaluate`], for any unit; `before` gives the value of each `pipeline.previous`, whose operands are those at the point.
/// Of a scatter the values come first, then the places.
///
/// # Errors
///
/// As of [`evaluate`].
pub fn evaluate_unit<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    read: impl FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
    before: impl FnMut(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
    let here = [vec![0; coordinates.len()]];
    let bodies =
        Bodies { unit, coordinates, unroll: Unroll::default(), read, before, regions: Vec::new(), next_region: 0 };
    Ok(bodies.evaluate(b, &here)?.swap_remove(0))
}

/// As [`evaluate`], at several points at once, which lie at these distances from `coordinates`: each op for all points before the next
/// op, and a reduce one loop for all of them. Returns what each point yields.
///
/// # Errors
///
/// As of [`evaluate`].
pub fn evaluate_points<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    stage: Stage<'c, 'a>,
    coordinates: &[Value<'c, 'a>],
    (offsets, unroll): (&[Vec<i64>], Unroll),
    read: impl FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
    let before = |_: &Builder<'c, 'a>, previous: Previous<'c, 'a>| previous.start();
    Bodies { unit: *stage, coordinates, unroll, read, before, regions: Vec::new(), next_region: 0 }.evaluate(b, offsets)
}

/// The body of a unit, while it is written down for some points.
struct Bodies<'e, 'c, 'a, R, P> {
    unit: Unit<'c, 'a>,
    coordinates: &'e [Value<'c, 'a>],
    unroll: Unroll,
    read: R,
    before: P,
    /// The regions that are being filled, outermost first, each with a number of its own.
    regions: Vec<usize>,
    next_region: usize,
}

/// A point at which a body is written down.
struct Point<'e, 'c, 'a> {
    /// Its distance from the coordinates.
    offset: &'e [i64],
    /// What stands there for the values of the body.
    values: HashMap<Key, Value<'c, 'a>>,
    /// What a variable of a reduce is where points of its window are written out.
    steps: HashMap<Key, WrittenOut>,
}

/// A variable of a reduce at one of the points that are written out in its loop.
#[derive(Clone, Copy)]
struct WrittenOut {
    /// What the loop runs over; `None` where there is none, and the variable is a number.
    of_loop: Option<Range<i64>>,
    /// What is added to it.
    step: i64,
    written: Written,
}

impl WrittenOut {
    /// A number of those from `lo` to `hi`, all of which are written out.
    fn number(step: i64, lo: i64, hi: i64) -> Self {
        Self { of_loop: None, step, written: Written { count: hi - lo, at: step - lo, multiple: 0 } }
    }
}

/// From here on a variable is this, at all points.
fn write_out<'c: 'a, 'a>(
    points: &mut [Point<'_, 'c, 'a>],
    variable: Value<'c, 'a>,
    value: Value<'c, 'a>,
    of: WrittenOut,
) {
    for point in points {
        point.set([variable], &[value]);
        point.steps.insert(key(variable), of);
    }
}

impl<'c: 'a, 'a> Point<'_, 'c, 'a> {
    /// What stands for a value.
    fn at(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.values.get(&key(value)).copied().unwrap_or(value)
    }

    /// These stand for those from now on.
    fn set(&mut self, old: impl IntoIterator<Item = Value<'c, 'a>>, new: &[Value<'c, 'a>]) {
        self.values.extend(old.into_iter().map(key).zip(new.iter().copied()));
    }
}

impl<'c: 'a, 'a, R, P> Bodies<'_, 'c, 'a, R, P>
where
    R: FnMut(&Builder<'c, 'a>, Read<'c, 'a>) -> Result<Value<'c, 'a>, Failure<'c>>,
    P: FnMut(&Builder<'c, 'a>, Previous<'c, 'a>) -> Value<'c, 'a>,
{
    fn evaluate(mut self, b: &Builder<'c, 'a>, offsets: &[Vec<i64>]) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
        let mut points: Vec<Point> =
            offsets.iter().map(|offset| Point { offset, values: HashMap::new(), steps: HashMap::new() }).collect();
        for (d, coordinate) in self.coordinates.iter().enumerate() {
            let argument: Value = self.unit.body().argument(d).expect("a coordinate for each dimension").into();
            let is_value = is_value(self.unit.body(), argument);
            for point in &mut points {
                let here = match (is_value, point.offset[d], constant_index(*coordinate)) {
                    (false, ..) | (_, 0, _) => *coordinate,
                    (true, offset, Some(at)) => b.index(at + offset),
                    (true, offset, None) => b.arith("addi", *coordinate, b.index(offset)),
                };
                point.set([argument], &[here]);
            }
        }
        self.block(b, self.unit.body(), &mut points)?;
        let end = self.unit.terminator().expect("a verified body ends with its terminator");
        Ok(points.iter().map(|point| end.operands().map(|value| point.at(value)).collect()).collect())
    }

    /// The ops of a block but its terminator, for all points.
    fn block(
        &mut self,
        b: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        points: &mut [Point<'_, 'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let end = block.terminator();
        for op in ir::operations(block).filter(|op| Some(*op) != end) {
            let here = b.located_as(op);
            match (Reduce::of(op), Load::of(op)) {
                (Some(reduce), _) => self.reduce(&here, reduce, points)?,
                (None, Some(load)) => {
                    for point in points.iter_mut() {
                        let value = self.load(&here, load, point)?;
                        point.set(op.results().map(Value::from), &[value]);
                    }
                }
                (None, None) => points.iter_mut().try_for_each(|point| self.op(b, op, point))?,
            }
        }
        Ok(())
    }

    /// The value of a load at a point.
    fn load(
        &mut self,
        b: &Builder<'c, 'a>,
        load: Load<'c, 'a>,
        point: &Point<'_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let variables = access::variables(load);
        let of_variables = variables.iter().map(|variable| point.at(variable.value));
        let coordinates: Vec<Value> = self.coordinates.iter().copied().chain(of_variables).collect();
        let mut windows: Vec<Option<Range<i64>>> = variables.iter().map(|variable| variable.range).collect();
        let mut written = vec![None; variables.len()];
        // Of a coordinate that is a number points that are read twice are seen to be the same, whatever index leads there.
        let places = self.coordinates.iter().enumerate().zip(point.offset);
        let mut moved: Vec<Expr> = places
            .map(|((d, coordinate), offset)| constant_index(*coordinate).map_or(Expr::Dim(d), Expr::Const) + *offset)
            .collect();
        for ((window, written), variable) in windows.iter_mut().zip(&mut written).zip(&variables) {
            let d = moved.len();
            let of = point.steps.get(&key(variable.value));
            moved.push(match of {
                None => Expr::Dim(d),
                Some(WrittenOut { of_loop: None, step, .. }) => Expr::Const(*step),
                Some(WrittenOut { of_loop: Some(range), step, .. }) => {
                    *window = Some(*range);
                    Expr::Dim(d) + *step
                }
            });
            *written = of.map(|of| of.written);
        }
        let mut indices = access::indices(load)?;
        if moved.iter().enumerate().any(|(d, moved)| *moved != Expr::Dim(d)) {
            indices.iter_mut().for_each(|index| *index = index.substitute(&moved).simplified());
        }
        let padding = load.padding().map(|padding| point.at(padding));
        (self.read)(b, Read { load, indices, coordinates, windows, written, padding, regions: self.regions.clone() })
    }

    /// Any other op at a point, with what is in its regions.
    fn op(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        point: &mut Point<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let chosen = ir::operand(op, 0).filter(|_| is(op, "arith.select")).and_then(|of| constant_bool(point.at(of)));
        if let Some(arm) = chosen.and_then(|is_first| ir::operand(op, if is_first { 1 } else { 2 })) {
            point.set(op.results().map(Value::from), &[point.at(arm)]);
            return Ok(());
        }
        let clone = b.clone_mapped(op, &mut point.values);
        let here = Builder::before(b.context(), clone);
        let new = if let Some(previous) = Previous::of(clone) {
            (self.before)(&here, previous)
        } else if is(clone, "arith.fptosi") || is(clone, "arith.fptoui") {
            saturate(&here, clone)
        } else if is(clone, "math.fma") && clone.result(0).is_ok_and(|sum| sum.r#type().to_string() == "f16") {
            let operands: Vec<Value> = clone.operands().collect();
            here.intrinsic("llvm.fma.f16", &operands, operands[0].r#type())
        } else {
            return self.regions_of(b, op, clone, point);
        };
        point.set(op.results().map(Value::from), &[new]);
        ir::erase(clone);
        Ok(())
    }

    /// Writes what is in the regions of an op into those of its clone.
    fn regions_of(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        clone: OperationRef<'c, 'a>,
        point: &mut Point<'_, 'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        for (original, copy) in blocks_of(op).into_iter().zip(blocks_of(clone)) {
            ir::operations(copy).collect::<Vec<_>>().into_iter().rev().for_each(ir::erase);
            point.set(ir::arguments(original), &ir::arguments(copy).collect::<Vec<_>>());
            let inner = Builder::at_end(b.context(), copy, clone.location());
            self.inside(|of| of.block(&inner, original, std::slice::from_mut(point)))?;
            if let Some(end) = original.terminator() {
                inner.clone_mapped(end, &mut point.values);
            }
        }
        Ok(())
    }

    /// One loop for all points, which carries the accumulators of each.
    fn reduce(
        &mut self,
        b: &Builder<'c, 'a>,
        reduce: Reduce<'c, 'a>,
        points: &mut [Point<'_, 'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let window: Vec<_> = reduce.variables().into_iter().zip(reduce.window()).collect();
        let inits = reduce.inits();
        let of_points: Vec<Value> = points.iter().flat_map(|point| inits.iter().map(|init| point.at(*init))).collect();
        let results = self.inside(|of| of.nest(b, reduce, &window, &of_points, points))?;
        for (point, results) in points.iter_mut().zip(results.chunks(inits.len().max(1))) {
            point.set(reduce.op().results().map(Value::from), results);
            window.iter().for_each(|(variable, _)| _ = point.steps.remove(&key(*variable)));
        }
        Ok(())
    }

    /// The loops over these variables of a reduce, with its body in the last one.
    fn nest(
        &mut self,
        b: &Builder<'c, 'a>,
        reduce: Reduce<'c, 'a>,
        window: &[(Value<'c, 'a>, (i64, i64))],
        carried: &[Value<'c, 'a>],
        points: &mut [Point<'_, 'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let Some(((variable, (lo, hi)), rest)) = window.split_first() else {
            return self.once(b, reduce, carried, points);
        };
        let inner: i64 = rest.iter().fold(1, |points, (_, (lo, hi))| points.saturating_mul(hi - lo));
        let steps = self.unroll.steps(hi - lo, inner);
        if steps == hi - lo && *lo < *hi {
            // No loop, but all points one after the other.
            let mut carried = carried.to_vec();
            for step in *lo..*hi {
                write_out(points, *variable, b.index(step), WrittenOut::number(step, *lo, *hi));
                carried = self.nest(b, reduce, rest, &carried, points)?;
            }
            return Ok(carried);
        }
        let is_value = steps > 1 && is_value(reduce.body(), *variable);
        let names = reduction_names(reduce.window().len());
        let named = names[names.len() - window.len()..].first().map_or(*b, |name| b.named(name));
        named.for_carrying([b.index(*lo), b.index(*hi), b.index(steps)], carried, |b, index, carried| {
            let mut carried = carried.to_vec();
            let written_out = |step| {
                let written = Written { count: steps, at: step, multiple: gcd(*lo, steps) };
                WrittenOut { of_loop: Some(Range::new(*lo, hi - steps)), step, written }
            };
            // Of a variable that is alone all values that are written out.
            for step in (0..steps).filter(|_| inner == 1 && steps > 1) {
                write_out(points, *variable, index, written_out(step));
                self.load_first(b, reduce, rest, points)?;
            }
            for step in 0..steps {
                let here = if is_value && step > 0 { b.arith("addi", index, b.index(step)) } else { index };
                write_out(points, *variable, here, written_out(step));
                if self.unroll.has_whole(inner) {
                    self.load_first(b, reduce, rest, points)?;
                }
                carried = self.nest(b, reduce, rest, &carried, points)?;
            }
            Ok(carried)
        })
    }

    /// Asks for what the points of these variables load, before any of them is computed: so all loads are on their way together. Who
    /// reads gives the same values again when the points are written.
    fn load_first(
        &mut self,
        b: &Builder<'c, 'a>,
        reduce: Reduce<'c, 'a>,
        window: &[(Value<'c, 'a>, (i64, i64))],
        points: &mut [Point<'_, 'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        if let Some(((variable, (lo, hi)), rest)) = window.split_first() {
            return (*lo..*hi).try_for_each(|step| {
                write_out(points, *variable, b.index(step), WrittenOut::number(step, *lo, *hi));
                self.load_first(b, reduce, rest, points)
            });
        }
        for load in ir::operations(reduce.body()).filter_map(Load::of) {
            if access::variables(load).iter().all(|variable| variable.range.is_some()) {
                let here = b.located_as(load.op());
                points.iter().try_for_each(|point| self.load(&here, load, point).map(drop))?;
            }
        }
        Ok(())
    }

    /// The body of a reduce at a point of its window, for all points of the stage.
    fn once(
        &mut self,
        b: &Builder<'c, 'a>,
        reduce: Reduce<'c, 'a>,
        carried: &[Value<'c, 'a>],
        points: &mut [Point<'_, 'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let accumulators = reduce.accumulators();
        for (point, carried) in points.iter_mut().zip(carried.chunks(accumulators.len().max(1))) {
            point.set(accumulators.iter().copied(), carried);
        }
        self.block(b, reduce.body(), points)?;
        let end = reduce.terminator().expect("a verified reduce ends with a yield");
        Ok(points.iter().flat_map(|point| end.operands().map(|value| point.at(value))).collect())
    }

    /// What `fill` writes stands in a region of its own.
    fn inside<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> T {
        self.regions.push(self.next_region);
        self.next_region += 1;
        let of = fill(self);
        self.regions.pop();
        of
    }
}

/// Whether anything but the index of a load uses a coordinate, or a variable.
fn is_value<'c: 'a, 'a>(body: BlockRef<'c, 'a>, coordinate: Value<'c, 'a>) -> bool {
    let uses = |op: OperationRef<'c, 'a>| match Load::of(op) {
        Some(load) => load.padding() == Some(coordinate),
        None => op.operands().any(|operand| operand == coordinate),
    };
    ir::operations(body).flat_map(ir::walk).any(uses)
}

/// The blocks of an op's regions.
fn blocks_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let of_region = |region: RegionRef<'c, 'a>| {
        std::iter::successors(region.first_block(), |block| block.next_in_region()).collect::<Vec<_>>()
    };
    op.regions().flat_map(of_region).collect()
}

/// `arith.fptosi` (or `fptoui`) as LLVM's saturating intrinsic. Halves are singles first, which is exact: of a half that is no number LLVM 22
/// makes the least 16-bit integer, not 0, where the CPU has AVX512-FP16.
fn saturate<'c: 'a, 'a>(b: &Builder<'c, 'a>, cast: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    let given = cast.operand(0).expect("a cast has an operand");
    let single = Type::float32(b.context());
    let is_half = given.r#type() == Type::float16(b.context());
    let value = if is_half { b.value("arith.extf", &[given], single, &[]) } else { given };
    let (from, to): (Type, Type) = (value.r#type(), cast.result(0).expect("a cast has a result").r#type());
    let sign = if is(cast, "arith.fptosi") { "s" } else { "u" };
    b.intrinsic(&format!("llvm.fpto{sign}i.sat.{to}.{from}"), &[value], to)
}

/// Code that reads a load from memory. `domain` are the points that the coordinates take, `extents` those of the stage,
/// `source` those of the memory.
pub fn read_memory<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    memory: Value<'c, 'a>,
    space: &Space<'_, 'c, 'a>,
    known: &mut Known<'c, 'a>,
) -> Value<'c, 'a> {
    let resolved = resolve_here(b, read, space, known);
    let value = b.load(memory, &resolved.indices, read.element());
    read.or_padding(b, value, resolved.inside)
}

impl<'c: 'a, 'a> Read<'c, 'a> {
    /// Whether the value is not available in all of the body.
    pub fn is_nested(&self) -> bool {
        !self.regions.is_empty()
    }

    /// The coordinates of the unit; behind them come the variables.
    pub fn rank(&self) -> usize {
        self.coordinates.len() - self.windows.len()
    }

    /// Whether an index depends on a value that the body computes.
    fn is_computed(&self, index: &Expr) -> bool {
        let rank = self.rank();
        index.dims().iter().any(|d| d.checked_sub(rank).is_some_and(|variable| self.windows[variable].is_none()))
    }

    /// The type of the value. (The source may have been turned to memory already, and is not asked.)
    pub fn element(&self) -> Type<'c> {
        self.load.op().result(0).expect("a load has a result").r#type()
    }

    /// `value`, or the padding value where the boundary asks for it.
    pub fn or_padding(
        &self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        inside: Option<Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        match (inside, self.padding) {
            (Some(inside), Some(padding)) => b.select(inside, value, padding, self.element()),
            _ => value,
        }
    }
}

/// Where the points of a body may lie.
#[derive(Clone, Copy)]
pub enum Whereabouts<'s> {
    /// In the domain.
    Domain,
    /// Where all that they read lies inside: nothing is brought there, but for what is computed.
    Inside,
    /// Beyond the stage as well. What they read there is brought into what its points read: nothing else needs to have been written.
    Beyond(&'s Reach),
}

/// From where to where a stage reads each of its sources, along each dimension; `None` where it may be from one end to the other.
pub struct Reach(HashMap<Key, Vec<Option<Range<i64>>>>);

impl Reach {
    /// Where `stage` reads while its coordinates are in `domain`, `extents` being those of a source. (It may have been turned to memory
    /// already, and is not asked.)
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    pub fn of<'c: 'a, 'a>(
        stage: Stage<'c, 'a>,
        domain: &[Range<Number>],
        mut extents: impl FnMut(Value<'c, 'a>) -> Vec<Number<'c, 'a>>,
    ) -> Result<Self, Failure<'c>> {
        let mut of_sources: HashMap<Key, Vec<Option<Range<i64>>>> = HashMap::new();
        for load in bounds::loads(stage) {
            let windows: Vec<_> = access::variables(load).iter().map(|variable| variable.range).collect();
            let boundary = boundary::model_boundary(load.boundary());
            let read = |(index, extent): (&Expr, Number)| {
                region_read(known_range(index, domain, &windows)?, extent.known()?, boundary)
            };
            let extents = extents(load.source());
            let ranges: Vec<_> = access::indices(load)?.iter().zip(extents).map(read).collect();
            match of_sources.entry(key(load.source())) {
                Entry::Vacant(entry) => _ = entry.insert(ranges),
                Entry::Occupied(mut entry) => {
                    let all = entry.get_mut().iter_mut().zip(ranges);
                    all.for_each(|(all, one)| *all = all.zip(one).map(|(all, one)| hull(all, one)));
                }
            }
        }
        Ok(Self(of_sources))
    }

    /// Where it reads the source of a load, along a dimension.
    fn along(&self, load: Load, d: usize) -> Option<Range<i64>> {
        self.0.get(&key(load.source()))?[d]
    }
}

/// Where a load is made from and into.
pub struct Space<'s, 'c, 'a> {
    /// The points that the stage's coordinates take.
    pub domain: &'s [Range<Number<'c, 'a>>],
    /// The extents of the stage.
    pub extents: &'s [Number<'c, 'a>],
    /// The extents of the source.
    pub source: &'s [Number<'c, 'a>],
    /// What else is known of the points.
    pub whereabouts: Whereabouts<'s>,
}

/// The indices of a load, brought inside its source.
pub struct ResolvedIndices<'c, 'a> {
    /// One for each dimension of the source.
    pub indices: Vec<Value<'c, 'a>>,
    /// Which of them are as the load says, since they stay inside.
    pub stays: Vec<bool>,
    /// Whether the point was inside before, where that matters.
    pub inside: Option<Value<'c, 'a>>,
}

/// Indices for which there is code already: the same index of the same coordinates over the same extent has one value, so
/// that points which are equal are equal SSA values.
pub type Known<'c, 'a> = HashMap<IndexId, Resolved<'c, 'a>>;

/// What makes an index what it is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexId {
    index: Expr,
    coordinates: Vec<Key>,
    extent: Result<i64, Key>,
    boundary: Boundary,
    reach: Option<Range<i64>>,
}

/// As [`resolve`]; what is computed inside an `scf.if`, which is not available behind it, is not kept.
pub fn resolve_here<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    space: &Space<'_, 'c, 'a>,
    known: &mut Known<'c, 'a>,
) -> ResolvedIndices<'c, 'a> {
    let mut nested = read.is_nested().then(|| known.clone());
    resolve(b, read, space, nested.as_mut().unwrap_or(known))
}

/// Code for the indices of a load. Where an index is known to stay inside, nothing is spent on its boundary.
pub fn resolve<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    read: &Read<'c, 'a>,
    space: &Space<'_, 'c, 'a>,
    known: &mut Known<'c, 'a>,
) -> ResolvedIndices<'c, 'a> {
    let mut resolved = ResolvedIndices { indices: Vec::new(), stays: Vec::new(), inside: None };
    for (d, (index, extent)) in read.indices.iter().zip(space.source).enumerate() {
        let lies = known_range(index, space.domain, &read.windows);
        let (is_inside, reach) = match space.whereabouts {
            Whereabouts::Domain => (false, None),
            Whereabouts::Inside => (!read.is_computed(index), None),
            Whereabouts::Beyond(reach) => {
                let is_within =
                    |reach: &Range<i64>| lies.is_some_and(|lies| reach.lo <= lies.lo && lies.hi <= reach.hi);
                (false, reach.along(read.load, d).filter(|reach| !is_within(reach)))
            }
        };
        let stays = is_inside || is_known_inside(lies, *extent) || domain::is_own_extent(index, space.extents, *extent);
        let boundary = match (stays, read.load.boundary(), space.whereabouts) {
            (true, ..) => Boundary::None,
            (false, Boundary::None, Whereabouts::Beyond(_)) if reach.is_none() => Boundary::Clamp,
            (false, boundary, _) => boundary,
        };
        let id = IndexId {
            index: index.clone(),
            coordinates: index.dims().into_iter().map(|d| key(read.coordinates[d])).collect(),
            extent: extent.id(),
            boundary,
            reach,
        };
        let one = *known.entry(id).or_insert_with(|| {
            let one = boundary::resolve(apply(index, &read.coordinates, b), *extent, boundary, b);
            let within =
                |reach: Range<i64>| b.arith("minsi", b.arith("maxsi", one.index, b.index(reach.lo)), b.index(reach.hi));
            Resolved { index: reach.map_or(one.index, within), ..one }
        });
        resolved.indices.push(one.index);
        resolved.stays.push(boundary == Boundary::None && reach.is_none());
        resolved.inside = b.both(resolved.inside, one.inside);
    }
    resolved
}

/// The range of an index, by numbers that are known now; `None` where they are not, or where it is computed.
fn known_range(index: &Expr, domain: &[Range<Number>], windows: &[Option<Range<i64>>]) -> Option<Range<i64>> {
    let known = domain.iter().map(|range| match (range.lo, range.hi) {
        (Number::Known(lo), Number::Known(hi)) => Some(Range::new(lo, hi)),
        _ => None,
    });
    let used = index.dims();
    let known: Option<Vec<Range<i64>>> = known
        .chain(windows.iter().copied())
        .enumerate()
        .map(|(d, range)| range.or_else(|| (!used.contains(&d)).then_some(Range::new(0, 0))))
        .collect();
    Some(range_of(index, &known?, &mut Ints))
}

/// Whether a range is known to lie inside an extent.
fn is_known_inside(range: Option<Range<i64>>, extent: Number) -> bool {
    matches!((range, extent), (Some(range), Number::Known(extent)) if range.lo >= 0 && range.hi < extent)
}
