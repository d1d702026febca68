//! `--partial-sums`: a long window becomes a sum of sums, which neighbouring points share; the least and the greatest of a window likewise.
//!
//! ```text
//! %s = stage "s" (%x) {                                    %s_part = stage "s_part" (%x) {
//!   reduce (%r) in [-31, 32) (%acc = %c0) {                  img[%x - 31] + img[%x - 30] + ... + img[%x - 25] clamp
//!     %acc + img[%x + %r] clamp }                    ──▶   } sized(%w + 56)
//! } sized(%w)                                              %s = stage "s" (%x) {
//!                                                            %c0 + s_part[%x] + s_part[%x + 7] + ... + s_part[%x + 56]
//!                                                          } sized(%w)
//! ```
//!
//! Of 63 points in a row 62 are the next point's, too: sums of 7, of which each point adds 9, take 14 additions in place of 62. A rectangle is
//! summed along its rows first, as `--separate-windows` does it where windows are written out; this pass comes before they are, and
//! takes those that never would be. Of integers, which wrap around, every order of a sum gives the same bits; of floats it would not, so that those
//! stay as they are. The least and the greatest have no order either, of floats too, and may count points twice.
//!
//! What is computed of each point first, as its square, becomes a stage of its own ([`terms`](super::terms)). Windows that lie apart are joined down
//! their columns first ([`columns`](super::columns)).
//!
//! A partial sum begins where the window of its point does, and goes as far as the last point needs: it obeys the edges, and who reads it meets
//! none. Of an image without points it has none.

use super::{
    columns::split,
    copy::{Longer, grown, is_of_row},
    join::{Join, joined_by, widened_load},
    terms::{FEWEST_OF_COLUMN, hoist},
};
use crate::{
    analysis::access::{self, build_load},
    ir::{Builder, TakenNames, constant_index, is_inside, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::pipeline::{Boundary, Load, Reduce, Stage};
use weft_model::{
    Expr,
    arithmetic::{Blocks, MOST_TERMS, blocks},
};

options! {
    /// Options of `--partial-sums`.
    pub struct PartialSumsOptions {
        term_points: i64 = 9, "term-points", "points of a window at least of which each is computed once, in a stage";
    }
}

/// The pass.
pub struct PartialSums;

const WINDOWS: Statistic = Statistic::new(c"windows", c"Windows that became sums of partial sums");
const COLUMNS: Statistic = Statistic::new(c"columns", c"Windows whose columns became stages");
const TERMS: Statistic = Statistic::new(c"terms", c"Terms of windows that became stages");

/// Points in a row of a window that a partial sum is worth a store and loads for. A column shares its loads with the rows that are computed with it, where it is
/// written out.
const FEWEST: i64 = 12;

/// Points in a column of which the least or the greatest is found so: such parts may overlap, and are fewer.
const FEWEST_EXTREMES: i64 = 21;

/// A window of as few points is written out, and separated then.
const FEWEST_OF_RECTANGLE: i64 = 33;

impl Pass for PartialSums {
    const ARGUMENT: &'static str = "partial-sums";
    const SUMMARY: &'static str = "Sum long windows by sums that neighbouring points share";
    const DESCRIPTION: &'static str = "\
A `pipeline.reduce` that adds up the points of a row or a rectangle of an image, integers all of one weight, or finds the least or the greatest, \
becomes stages: one along rows if it is a rectangle, and for rows of 12 points or more, and columns of 33, or 21 for the least or the greatest, one of partial sums, of which a point joins \
several. What is computed of each point of a window first, as its square, becomes a stage. Windows of columns that lie apart, as blocks do, become columns, which are a stage, \
and a row of these, also where what is joined is computed of several images. No value changes. It goes before `--unroll-reductions`. Stages in groups stay as they are.";
    const STATISTICS: &'static [Statistic] = &[WINDOWS, COLUMNS, TERMS];
    type Options = PartialSumsOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &PartialSumsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            for block in program::blocks(func)? {
                for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
                    for reduce in ir::operations(stage.body()).filter_map(Reduce::of).collect::<Vec<_>>() {
                        if split(cx, stage, reduce, &mut names)? {
                            cx.count(COLUMNS, 1);
                            continue;
                        }
                        if reduce.volume() >= options.term_points && hoist(cx, stage, reduce, &mut names)? {
                            cx.count(TERMS, 1);
                        }
                        let Some(window) = Window::of(stage, reduce)? else { continue };
                        window.split(cx, reduce, &mut names);
                        cx.count(WINDOWS, 1);
                    }
                }
                program::unify_dims(block);
            }
        }
        Ok(())
    }
}

/// What a direction of a window goes along.
#[derive(Clone, Copy)]
struct Run {
    /// The dimension of the source, and the coordinate of the stage that its index follows.
    dimension: usize,
    coordinate: usize,
    /// How many points.
    count: i64,
    /// Whether it goes along rows, of points or of pixels.
    is_row: bool,
}

/// A point of a window, its first; the others lie behind it.
#[derive(Clone)]
struct Taps<'c, 'a> {
    source: Value<'c, 'a>,
    indices: Vec<Expr>,
    boundary: Boundary,
    padding: Option<Value<'c, 'a>>,
    widening: Option<&'static str>,
}

impl<'c: 'a, 'a> Taps<'c, 'a> {
    /// A stage's own point, of one that has the same coordinates.
    fn own(source: Value<'c, 'a>, rank: usize) -> Self {
        let indices = (0..rank).map(Expr::Dim).collect();
        Self { source, indices, boundary: Boundary::None, padding: None, widening: None }
    }

    /// The point that lies so far along a dimension.
    fn load(
        &self,
        b: &Builder<'c, 'a>,
        (dimension, by): (usize, i64),
        ty: Type<'c>,
        at: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let mut indices = self.indices.clone();
        indices[dimension] = (indices[dimension].clone() + by).simplified();
        let value = build_load(b, false, self.source, &indices, at, self.boundary, self.padding);
        self.widening.map_or(value, |widening| b.value(widening, &[value], ty, &[]))
    }
}

/// What a run of points is joined from, each so far along a dimension: partial sums, and points.
#[derive(Clone)]
struct Terms<'c, 'a> {
    parts: Option<(Taps<'c, 'a>, Vec<(usize, i64)>)>,
    taps: Taps<'c, 'a>,
    rest: Vec<(usize, i64)>,
}

/// A window that a reduce of a stage goes over.
struct Window<'c, 'a> {
    stage: Stage<'c, 'a>,
    join: Join,
    taps: Taps<'c, 'a>,
    /// One for each variable of several values, outermost first.
    runs: Vec<Run>,
    /// The type of the sum.
    ty: Type<'c>,
}

impl<'c: 'a, 'a> Window<'c, 'a> {
    /// The window of a reduce, if it is one that partial sums serve.
    fn of(stage: Stage<'c, 'a>, reduce: Reduce<'c, 'a>) -> Result<Option<Self>, Failure<'c>> {
        let Some((join, load, widening)) = joined(reduce) else { return Ok(None) };
        if load.padding().is_some_and(|padding| is_inside(padding, stage.op())) {
            return Ok(None);
        }
        let rank = stage.rank();
        let mut indices = access::indices(load)?;
        let mut runs = Vec::new();
        for (variable, (low, high)) in (rank..).zip(reduce.window()) {
            let count = high.saturating_sub(low);
            let Some((dimension, coordinate, constant)) = followed(&indices, rank, variable) else { return Ok(None) };
            let Some(first) = constant.checked_add(low) else { return Ok(None) };
            indices[dimension] = (Expr::Dim(coordinate) + first).simplified();
            match count {
                ..=0 => return Ok(None),
                1 => {}
                _ => {
                    let is_row = is_of_row(stage, coordinate);
                    runs.push(Run { dimension, coordinate, count, is_row });
                }
            }
        }
        // A variable that no index has, or a computed one.
        let is_left = indices.iter().flat_map(Expr::dims).any(|d| d >= rank);
        let is_long = match runs[..] {
            [run] => run.blocks(join).is_some(),
            [outer, inner] => {
                outer.coordinate != inner.coordinate
                    && outer.count.saturating_mul(inner.count) >= FEWEST_OF_RECTANGLE
                    && [outer, inner].iter().all(|run| run.count <= MOST_TERMS || run.blocks(join).is_some())
            }
            _ => false,
        };
        let (source, boundary, padding) = (load.source(), load.boundary(), load.padding());
        let taps = Taps { source, indices, boundary, padding, widening };
        let ty = reduce.inits()[0].r#type();
        Ok((is_long && !is_left).then_some(Self { stage, join, taps, runs, ty }))
    }

    /// Makes the stages, and puts what joins them in the place of the reduce.
    fn split(&self, cx: &PassContext<'c>, reduce: Reduce<'c, 'a>, names: &mut TakenNames) {
        let outside = Builder::before(cx.context(), self.stage.op()).located(reduce.op().location());
        let coordinates: Vec<Value> = ir::arguments(self.stage.body()).collect();
        let whole = match self.runs[..] {
            [outer, inner] => {
                // A row of sums for each row that the stage reads.
                let more = Longer::by(outer.coordinate, outer.count - 1);
                let of_row = self.along(&outside, self.taps.clone(), inner, Some(more), names);
                let name = format!("{}_{}", self.stage.name(), self.stage.argument_names()[inner.coordinate]);
                let rows = self.stage(&outside, &names.like(&name), &[more], |b, at| self.value(b, &of_row, at));
                let down = Run { dimension: outer.coordinate, ..outer };
                self.along(&outside, Taps::own(rows, self.stage.rank()), down, None, names)
            }
            _ => self.along(&outside, self.taps.clone(), self.runs[0], None, names),
        };
        let b = Builder::before(cx.context(), reduce.op()).located(reduce.op().location());
        let sum = self.value(&b, &whole, &coordinates);
        let init = reduce.inits()[0];
        let is_nothing = self.join == Join::Sum && constant_index(init) == Some(0);
        let all = if is_nothing { sum } else { self.join.all(&b, [init, sum]) };
        ir::replace_all_uses(reduce.op().result(0).expect("a reduce has a result").into(), all);
        ir::erase(reduce.op());
    }

    /// What a run of points is joined from: partial sums, where these are worth it, which are then a stage. Where the stage that it is for has
    /// more points along a coordinate, that stage has them as well.
    fn along(
        &self,
        outside: &Builder<'c, 'a>,
        taps: Taps<'c, 'a>,
        run: Run,
        more: Option<Longer>,
        names: &mut TakenNames,
    ) -> Terms<'c, 'a> {
        let mut terms = Terms { rest: (0..run.count).map(|by| (run.dimension, by)).collect(), taps, parts: None };
        if let Some(blocks) = run.blocks(self.join) {
            let name = names.like(&format!("{}_part", self.stage.name()));
            let last = blocks.starts.last().copied().unwrap_or(0);
            let extents: Vec<Longer> = more.into_iter().chain([Longer::by(run.coordinate, last)]).collect();
            let part = Terms { rest: terms.rest[..blocks.size as usize].to_vec(), ..terms.clone() };
            let part = self.stage(outside, &name, &extents, |b, at| self.value(b, &part, at));
            terms.rest.retain(|(_, by)| blocks.rest.contains(by));
            let starts = blocks.starts.into_iter().map(|start| (run.coordinate, start)).collect();
            terms.parts = Some((Taps::own(part, self.stage.rank()), starts));
        }
        terms
    }

    /// All terms, joined.
    fn value(&self, b: &Builder<'c, 'a>, terms: &Terms<'c, 'a>, at: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let parts = terms.parts.iter().flat_map(|(taps, starts)| starts.iter().map(move |start| (taps, start)));
        let all = parts.chain(terms.rest.iter().map(|by| (&terms.taps, by)));
        self.join.all(b, all.map(|(taps, by)| taps.load(b, *by, self.ty, at)))
    }

    /// A stage of the window's type and the stage's points, and of so many more along some coordinates.
    fn stage(
        &self,
        outside: &Builder<'c, 'a>,
        name: &str,
        longer: &[Longer],
        value: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        grown(outside, name, self.stage, longer, self.ty, value)
    }
}

/// How a reduce joins what it loads, the load, and the op that widens it, if it does no more than that.
fn joined<'c: 'a, 'a>(reduce: Reduce<'c, 'a>) -> Option<(Join, Load<'c, 'a>, Option<&'static str>)> {
    let (join, _, value) = joined_by(reduce)?;
    let (load, widening) = widened_load(value)?;
    // Nothing else is computed.
    let ops = 3 + usize::from(widening.is_some());
    (ir::operations(reduce.body()).count() == ops && load.op().block() == Some(reduce.body()))
        .then_some((join, load, widening))
}

/// The dimension whose index is a coordinate, a variable and a constant, if no other index has either; with the coordinate and the constant.
fn followed(indices: &[Expr], rank: usize, variable: usize) -> Option<(usize, usize, i64)> {
    let has = |index: &Expr, d: usize| index.dims().contains(&d);
    let dimension = indices.iter().position(|index| has(index, variable))?;
    let sum = indices[dimension].flatten();
    // Coordinates come before variables.
    let coordinate = match sum.terms.iter().collect::<Vec<_>>()[..] {
        [(Expr::Dim(coordinate), 1), (Expr::Dim(other), 1)] if *other == variable => *coordinate,
        _ => return None,
    };
    let is_alone =
        (0..).zip(indices).all(|(d, index)| d == dimension || !has(index, variable) && !has(index, coordinate));
    (coordinate < rank && is_alone).then_some((dimension, coordinate, sum.constant))
}

impl Run {
    /// The partial sums that take the fewest operations, if they are worth it.
    fn blocks(self, join: Join) -> Option<Blocks> {
        let fewest = match (self.is_row, join) {
            (true, _) => FEWEST,
            (false, Join::Sum) => FEWEST_OF_COLUMN,
            (false, Join::Extreme(_)) => FEWEST_EXTREMES,
        };
        let may_overlap = matches!(join, Join::Extreme(_));
        (self.count >= fewest).then(|| blocks(self.count, may_overlap)).flatten()
    }
}
