//! `--separate-windows`: a weighted sum over a rectangle becomes one along its rows and one of those; minima and maxima likewise.
//!
//! ```text
//! %s = stage "s" (%y, %x) {                                  %s_x = stage "s_x" (%y, %x) {
//!   1 * img[%y - 1, %x - 1] + 2 * img[%y - 1, %x]              img[%y, %x - 1] + 2 * img[%y, %x] + img[%y, %x + 1] }
//!   + 1 * img[%y - 1, %x + 1] + 2 * img[%y, %x - 1]    ──▶   %s = stage "s" (%y, %x) {
//!   + ... + 1 * img[%y + 1, %x + 1] clamp }                    s_x[%y - 1, %x] + 2 * s_x[%y, %x] + s_x[%y + 1, %x] clamp }
//! ```
//!
//! A box of a volume becomes its rows first, and a rectangle of those: 3 x 3 x 3 points are 3 and 9. If that rectangle is large, it becomes two again.
//!
//! A window of 5 x 5 weights is 25 products; where its matrix is a column times a row (all boxes, binomials and Sobel operators are) it is 5
//! and 5. Of integers, which wrap around, every order of a sum gives the same bits, so this is done without being asked; of floats it
//! would round otherwise, so who wants it writes it. The least and the greatest of a rectangle have no such order either, of floats too.
//!
//! The first stage has a row for each row of the image that is read, and the columns of the stage: a boundary mode acts along each
//! dimension alone, so each of the two obeys it along its own. With a constant beyond the edges a row of nothing else sums to that constant
//! where it is zero.

use super::{
    copy::{image_type, pointwise, unknown},
    join::{Join, widened_load},
};
use crate::{
    analysis::access::{self, build_load},
    ir::{Builder, Key, TakenNames, constant_index, erase_unused, is, is_inside, key, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::{BTreeMap, HashSet};
use weft_dialects::pipeline::{Extent, Load, Stage, coordinate_names, static_extents};
use weft_model::{
    Expr,
    arithmetic::{Weights, column_times_row},
};

options! {
    /// Options of `--separate-windows`.
    pub struct SeparateWindowsOptions {
        least: i64 = 3, "least", "how many operations of a point have to be saved at least";
        strided: i64 = 0, "strided", "operations that a load of every second column costs beside one of neighbours; of every n-th, n - 1 times as many";
    }
}

/// The pass.
pub struct SeparateWindows;

const WINDOWS: Statistic = Statistic::new(c"windows", c"Windows that became rows, and columns of them");

impl Pass for SeparateWindows {
    const ARGUMENT: &'static str = "separate-windows";
    const SUMMARY: &'static str = "Sum a rectangle along its rows first, where its weights allow it";
    const DESCRIPTION: &'static str = "\
Of a sum of integers in a stage's body, the loads of one image whose places fill a rectangle of rows and columns, and whose weights are a \
column times a row, become a stage that sums along rows, and a sum of that down a column. So do trees of one of `arith.maximumf`, \
`arith.minimumf`, `arith.maxsi`, `arith.minsi`, `arith.maxui` and `arith.minui` over all places of a rectangle. Of a box of three dimensions, rows and \
a rectangle of them. No value changes. It goes \
behind `--unroll-reductions` and `--fold-tables`, which make sums of windows and numbers of weights, and before `--inline-stages`. Stages in groups \
stay as they are.";
    const STATISTICS: &'static [Statistic] = &[WINDOWS];
    type Options = SeparateWindowsOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &SeparateWindowsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            for block in program::blocks(func)? {
                for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
                    // Of a box there is a rectangle left.
                    while separate(cx, stage, options, &mut names)? {}
                }
                program::unify_dims(block);
            }
        }
        Ok(())
    }
}

/// A leaf of a tree, and what it is multiplied by.
#[derive(Clone, Copy)]
struct Term<'c, 'a> {
    value: Value<'c, 'a>,
    weight: i64,
}

/// A term that is a load, maybe widened.
struct Tap<'c, 'a> {
    term: Term<'c, 'a>,
    load: Load<'c, 'a>,
    widening: Option<&'static str>,
    /// Its indices but for constants, and those.
    bases: Vec<Expr>,
    offsets: Vec<i64>,
}

impl Tap<'_, '_> {
    /// Whether the two differ by constants in their indices alone.
    fn is_like(&self, other: &Self) -> bool {
        self.load.source() == other.load.source()
            && self.load.boundary() == other.load.boundary()
            && self.load.padding() == other.load.padding()
            && self.widening == other.widening
            && self.bases == other.bases
    }
}

/// What a rectangle of taps, or a box of them, is made of: along one dimension of the source or two the rows, along another what is joined
/// first.
struct Window {
    rows: Vec<Along>,
    column: usize,
    /// Of rows, with their offsets along each dimension, and of columns.
    of_rows: Weights<Vec<i64>>,
    of_columns: Weights<i64>,
}

/// A dimension of the source that rows of a window are counted along.
#[derive(Clone, Copy)]
struct Along {
    dimension: usize,
    /// The coordinate of the stage that they follow.
    coordinate: usize,
    /// Rows of the source from one point of the stage to the next.
    stride: i64,
}

impl Along {
    /// Of taps with these indices but for constants, where no other index follows the same coordinate.
    fn of(bases: &[Expr], dimension: usize) -> Option<Self> {
        let follows: Vec<usize> = bases[dimension].dims().into_iter().collect();
        let [coordinate] = follows[..] else { return None };
        if bases.iter().enumerate().any(|(d, base)| d != dimension && base.dims().contains(&coordinate)) {
            return None;
        }
        let stride = match &bases[dimension] {
            Expr::Mul(base, stride) if matches!(**base, Expr::Dim(_)) => *stride,
            Expr::Dim(_) | Expr::FloorDiv(..) => 1,
            _ => return None,
        };
        Some(Self { dimension, coordinate, stride })
    }
}

/// How many times as many operations have to be saved where rows stay what they are: what is joined across them is loaded once for several rows,
/// and a plane of it between the two costs more than a row.
const ACROSS_ROWS: i64 = 3;

/// Makes two stages of each window of a stage's body that is worth it, if there is one.
fn separate<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    stage: Stage<'c, 'a>,
    options: &SeparateWindowsOptions,
    names: &mut TakenNames,
) -> Result<bool, Failure<'c>> {
    let body: Vec<OperationRef> = ir::operations(stage.body()).collect();
    let mut inner: HashSet<Key> = HashSet::new();
    let mut separated = 0;
    // Roots stand behind what they are made of.
    for root in body.iter().rev() {
        let (Some(join), Some(result)) = (Join::of(*root), ir::result(*root, 0)) else { continue };
        if inner.contains(&key(result)) {
            continue;
        }
        let mut terms = Vec::new();
        collect(*root, join, 1, &mut terms, &mut inner);
        let (mut groups, mut rest): (Vec<Vec<Tap>>, Vec<Term>) = Default::default();
        for term in terms {
            let Some(tap) = tap(stage, join, term)? else {
                rest.push(term);
                continue;
            };
            match groups.iter_mut().find(|group| group[0].is_like(&tap)) {
                Some(group) => group.push(tap),
                None => groups.push(vec![tap]),
            }
        }
        let mut joined: Vec<Value> = Vec::new();
        let b = Builder::before(cx.context(), *root).located(root.location());
        for taps in groups {
            match window(join, &taps, stage.rank() - 1, options) {
                Some(window) => joined.push(down(&b, stage, join, &taps[0], &window, names)),
                None => rest.extend(taps.into_iter().map(|tap| tap.term)),
            }
        }
        separated += joined.len();
        if !joined.is_empty() {
            joined.extend(rest.into_iter().map(|term| weighted(&b, term.value, term.weight)));
            ir::replace_all_uses(result, join.all(&b, joined));
        }
    }
    let is_pure = |op: &OperationRef| ir::name_of(*op).starts_with("arith.") || Load::of(*op).is_some();
    erase_unused(body.into_iter().filter(|op| separated > 0 && is_pure(op)));
    cx.count(WINDOWS, separated);
    Ok(separated > 0)
}

/// The terms of a tree, with the results of the ops that it is made of.
fn collect<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    join: Join,
    weight: i64,
    terms: &mut Vec<Term<'c, 'a>>,
    inner: &mut HashSet<Key>,
) {
    let block = op.block();
    for (place, value) in op.operands().enumerate() {
        let sign = if place == 1 && is(op, "arith.subi") { -1 } else { 1 };
        let (mut value, mut weight) = (value, weight.wrapping_mul(sign));
        let here = |value| ir::defining_op(value).filter(|op| op.block() == block && ir::has_one_use(value));
        while let Some((factor, number)) = here(value).filter(|_| join == Join::Sum).and_then(factor_of) {
            (value, weight) = (factor, weight.wrapping_mul(number));
        }
        match here(value).filter(|below| Join::of(*below) == Some(join)) {
            Some(below) => {
                inner.insert(key(value));
                collect(below, join, weight, terms, inner);
            }
            // What sums begin with where front ends write them as loops.
            None if join == Join::Sum && constant_index(value) == Some(0) => {}
            None => terms.push(Term { value, weight }),
        }
    }
}

/// The operand of a product by a constant, and that.
fn factor_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    let [left, right] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    match ir::name_of(op) {
        "arith.muli" => {
            constant_index(right).map(|number| (left, number)).or(constant_index(left).map(|number| (right, number)))
        }
        "arith.shli" => Some((left, 1i64.checked_shl(u32::try_from(constant_index(right)?).ok()?)?)),
        _ => None,
    }
}

/// A term as a load whose indices are functions of the stage's coordinates.
fn tap<'c: 'a, 'a>(stage: Stage<'c, 'a>, join: Join, term: Term<'c, 'a>) -> Result<Option<Tap<'c, 'a>>, Failure<'c>> {
    let Some((load, widening)) = widened_load(term.value) else { return Ok(None) };
    if load.op().block() != Some(stage.body()) {
        return Ok(None);
    }
    let has_own_edges = load.padding().is_none_or(|padding| {
        !is_inside(padding, stage.op())
            && (join != Join::Sum || constant_index(padding) == Some(0))
            && widening.is_none()
    });
    let indices = access::indices(load)?;
    let follows = indices.iter().flat_map(Expr::dims).all(|d| d < stage.rank());
    if !has_own_edges || !follows {
        return Ok(None);
    }
    let (bases, offsets) = indices
        .into_iter()
        .map(|index| match index.simplified() {
            Expr::Const(offset) => (Expr::Const(0), offset),
            Expr::Add(base, offset) if let Expr::Const(offset) = *offset => (*base, offset),
            base => (base, 0),
        })
        .unzip();
    Ok(Some(Tap { term, load, widening, bases, offsets }))
}

/// The rectangle or box that taps fill, if it saves enough. The last coordinate, `x`, is the one that vectors go along.
fn window(join: Join, taps: &[Tap], x: usize, options: &SeparateWindowsOptions) -> Option<Window> {
    let bases = &taps[0].bases;
    let varies = |d: &usize| taps.iter().any(|tap| tap.offsets[*d] != taps[0].offsets[*d]);
    let varying: Vec<usize> = (0..taps[0].offsets.len()).filter(varies).collect();
    if !(2..=3).contains(&varying.len()) {
        return None;
    }
    let least = if varying.iter().any(|d| bases[*d].dims().contains(&x)) { 1 } else { ACROSS_ROWS } * options.least;
    // Where several save as much, along what lies behind one another in memory.
    let ways = varying.iter().filter_map(|column| {
        let rows = varying.iter().filter(|d| *d != column).map(|d| Along::of(bases, *d)).collect::<Option<Vec<_>>>()?;
        let mut matrix: BTreeMap<Vec<i64>, BTreeMap<i64, i64>> = BTreeMap::new();
        for tap in taps {
            let row = rows.iter().map(|along| tap.offsets[along.dimension]).collect();
            let weight = matrix.entry(row).or_default().entry(tap.offsets[*column]).or_default();
            *weight = if join == Join::Sum { weight.wrapping_add(tap.term.weight) } else { 1 };
        }
        matrix.values_mut().for_each(|weights| weights.retain(|_, weight| *weight != 0));
        matrix.retain(|_, weights| !weights.is_empty());
        let (of_rows, of_columns) = column_times_row(&matrix)?;
        // Where the stage reads every other row only, a row serves half as many of its points.
        let [count, columns] = [of_rows.len() as i64, of_columns.len() as i64];
        let strides = rows.iter().map(|along| along.stride.saturating_abs());
        let served = strides.fold(1, i64::saturating_mul).min(count);
        let saved = count * columns - served * columns - count;
        // A term is joined, and before that may be widened or weighted, which is one instruction as a rule.
        let is_made = taps.iter().any(|tap| tap.widening.is_some() || tap.term.weight != 1);
        let operations = if is_made { 2 } else { 1 };
        // Lanes that read every other column of an image read neighbours of what is joined down its columns.
        let is_strided = rows.iter().any(|along| along.coordinate == x);
        let shuffled = if is_strided { (count * columns - count) * (served - 1) * options.strided } else { 0 };
        Some((saved * operations + shuffled, Window { rows, column: *column, of_rows, of_columns }))
    });
    ways.max_by_key(|(saved, _)| *saved).filter(|(saved, _)| *saved >= least).map(|(_, window)| window)
}

/// Builds the stage that joins along rows, before `stage`, and in that what joins down a column of it.
fn down<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    stage: Stage<'c, 'a>,
    join: Join,
    tap: &Tap<'c, 'a>,
    window: &Window,
    names: &mut TakenNames,
) -> Value<'c, 'a> {
    let (load, source) = (tap.load, tap.load.source());
    let element = tap.term.value.r#type();
    let read = |b: &Builder<'c, 'a>, image, indices: &[Expr], coordinates: &[Value<'c, 'a>]| {
        build_load(b, false, image, indices, coordinates, load.boundary(), load.padding())
    };

    let outside = Builder::before(b.context(), stage.op()).located(stage.op().location());
    let mut extents = static_extents(stage.image_type(0));
    for along in &window.rows {
        extents[along.coordinate] = static_extents(load.source_type())[along.dimension];
    }
    let ty = image_type(extents, element);
    let dynamic = |extent| if let Extent::Dynamic(extent) = extent { Some(extent) } else { None };
    let extent = |d: usize| {
        let Some(Along { dimension, .. }) = window.rows.iter().find(|along| along.coordinate == d) else {
            return dynamic(stage.extents()[d]);
        };
        let given = program::unit_of(source).and_then(|unit| dynamic(unit.extents()[*dimension]));
        // Of an argument, which no op gives an extent.
        let asked =
            || outside.value("tensor.dim", &[source, outside.index(*dimension as i64)], outside.index_type(), &[]);
        Some(given.unwrap_or_else(asked))
    };
    // What the type does not say of the stage its op does.
    let extents: Vec<Value> = unknown(ty).into_iter().filter_map(extent).collect();
    let along = tap.bases[window.column].dims().first().map_or("row", |d| coordinate_names(stage.rank())[*d]);
    let name = names.like(&format!("{}_{along}", stage.name()));
    let rows = pointwise(&outside, &name, ty, &extents, |b, coordinates| {
        let taps = window.of_columns.iter().map(|(offset, weight)| {
            let mut indices: Vec<Expr> =
                tap.bases.iter().zip(&tap.offsets).map(|(base, at)| base.clone() + *at).collect();
            for along in &window.rows {
                indices[along.dimension] = Expr::Dim(along.coordinate);
            }
            indices[window.column] = tap.bases[window.column].clone() + *offset;
            let value = read(b, source, &indices, coordinates);
            let value = tap.widening.map_or(value, |widening| b.value(widening, &[value], element, &[]));
            weighted(b, value, *weight)
        });
        join.all(b, taps)
    });

    let coordinates: Vec<Value> = ir::arguments(stage.body()).collect();
    let values = window.of_rows.iter().map(|(offsets, weight)| {
        let mut indices: Vec<Expr> = (0..stage.rank()).map(Expr::Dim).collect();
        for (along, offset) in window.rows.iter().zip(offsets) {
            indices[along.coordinate] = tap.bases[along.dimension].clone() + *offset;
        }
        weighted(b, read(b, rows, &indices, &coordinates), *weight)
    });
    join.all(b, values)
}

/// A value times a number.
fn weighted<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, weight: i64) -> Value<'c, 'a> {
    let ty = value.r#type();
    if weight == 1 { value } else { b.value("arith.muli", &[value, b.integer(ty, &[weight])], ty, &[]) }
}
