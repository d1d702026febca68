//! Windows that lie apart are joined down their columns first, which are neighbours.
//!
//! ```text
//!                                                            %s_columns = stage "s_columns" (%y, %x) {
//! %s = stage "s" (%y, %x) {                                    reduce (%ry) in [0, 16) (%acc = %c0) {
//!   reduce (%ry, %rx) in [0, 16) x [0, 16) (%acc = %c0) {        %acc + abs(a[%y * 16 + %ry, %x] - b[%y * 16 + %ry, %x]) }
//!     %p = a[%y * 16 + %ry, %x * 16 + %rx]             ──▶   } sized(%h, %w * 16)
//!     %q = b[%y * 16 + %ry, %x * 16 + %rx]                   %s = stage "s" (%y, %x) {
//!     %acc + abs(%p - %q) }                                    reduce (%rx) in [0, 16) (%acc = %c0) {
//! } sized(%h, %w)                                                %acc + s_columns[%y, %x * 16 + %rx] }
//!                                                            } sized(%h, %w)
//! ```
//!
//! Sums over blocks, as encoders and detectors make them, and the greatest of a block: neighbouring points read 16 columns apart, so that vectors of
//! them are picked together, one element here and one there, for each point of the window. Columns are neighbours themselves; what is picked is one row of
//! their sums. Of integers, and of the least and the greatest, no order shows. What is joined may be computed of several images, also at other places that
//! are as far from the window's.

use super::{
    copy::{Longer, grown, is_of_row},
    join::{Join, joined_by},
};
use crate::{
    analysis::access::{self, build_load},
    ir::{Builder, Key, TakenNames, is, key, may_trap},
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use mlir_glue::{Failure, PassContext, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Group, Load, Reduce, Stage};
use weft_model::Expr;

/// Points of a column of a window at least: fewer are written out, and separated where that is worth it.
const FEWEST: i64 = 4;

/// Columns of a window at most: more are no block of an image.
const MOST: i64 = 1 << 16;

/// A window as columns.
struct Columns<'c, 'a> {
    stage: Stage<'c, 'a>,
    reduce: Reduce<'c, 'a>,
    /// The variable along rows, the coordinate that it is counted from, and how far windows lie apart.
    variable: usize,
    coordinate: usize,
    apart: i64,
    /// Columns of a window.
    count: i64,
    join: Join,
    /// What is joined of each point, and the ops that compute it.
    term: Value<'c, 'a>,
    computing: Vec<OperationRef<'c, 'a>>,
    /// The indices of the loads among these.
    indices: Vec<Vec<Expr>>,
    /// What of the stage's body the reduce's uses.
    used: Vec<OperationRef<'c, 'a>>,
}

/// Makes the stage of columns, where a window is worth it, and has the reduce join a row of them. Returns whether it does.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn split<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    stage: Stage<'c, 'a>,
    reduce: Reduce<'c, 'a>,
    names: &mut TakenNames,
) -> Result<bool, Failure<'c>> {
    let Some(columns) = Columns::of(stage, reduce)? else { return Ok(false) };
    let image = columns.stage(cx, names);
    columns.join_row(cx, image);
    Ok(true)
}

impl<'c: 'a, 'a> Columns<'c, 'a> {
    /// Those of a reduce, if its windows lie apart along rows, but leave no columns out.
    fn of(stage: Stage<'c, 'a>, reduce: Reduce<'c, 'a>) -> Result<Option<Self>, Failure<'c>> {
        let Some((join, last, term)) = joined_by(reduce) else { return Ok(None) };
        let rank = stage.rank();
        let ops = ir::operations(reduce.body()).filter(|op| *op != last && !is(*op, "pipeline.yield"));
        let computing: Vec<OperationRef> = ops.collect();
        let (loads, others): (Vec<OperationRef>, Vec<OperationRef>) =
            computing.iter().partition(|op| is(**op, Load::NAME));
        let indices = loads.iter().copied().filter_map(Load::of).map(access::indices).collect::<Result<Vec<_>, _>>()?;
        let rows = indices.iter().flatten().filter_map(|index| along_row(index, rank));
        let rows = rows.filter(|(_, coordinate, _)| is_of_row(stage, *coordinate));
        let Some((variable, coordinate, apart)) = rows.max_by_key(|(_, coordinate, _)| *coordinate) else {
            return Ok(None);
        };
        let counts: Vec<i64> = reduce.window().iter().map(|(low, high)| high.saturating_sub(*low).max(0)).collect();
        let Some(count) = variable.checked_sub(rank).and_then(|number| counts.get(number).copied()) else {
            return Ok(None);
        };
        let all = counts.iter().fold(1, |all: i64, count| all.saturating_mul(*count));
        // Of a window that has no point there is nothing to join.
        if count < apart || count > MOST || all / count < FEWEST {
            return Ok(None);
        }
        let is_column = |index: &Expr| follows(index, variable, coordinate, apart);
        let is_known = |index: &Expr| index.dims().iter().all(|d| *d < rank + counts.len());
        let own = [ir::arguments(stage.body()).nth(coordinate), reduce.variables().get(variable - rank).copied()];
        let accumulators = reduce.accumulators();
        let is_plain = |op: &OperationRef<'c, 'a>| {
            let name = ir::name_of(*op);
            (name.starts_with("arith.") || name.starts_with("math."))
                && !may_trap(*op)
                && !op.operands().any(|operand| own.contains(&Some(operand)) || accumulators.contains(&operand))
        };
        let mut used = Vec::new();
        let mut operands = others.iter().flat_map(|op| op.operands()).chain(paddings(&loads)).chain([term]);
        let fits = indices.iter().flatten().all(|index| is_column(index) && is_known(index))
            && others.iter().all(is_plain)
            && operands.all(|operand| !own.contains(&Some(operand)) && collect(operand, stage, &is_plain, &mut used));
        Ok(fits.then_some(Self {
            stage,
            reduce,
            variable: variable - rank,
            coordinate,
            apart,
            count,
            join,
            term,
            computing,
            indices,
            used,
        }))
    }

    /// The stage of columns.
    fn stage(&self, cx: &PassContext<'c>, names: &mut TakenNames) -> Value<'c, 'a> {
        let (stage, reduce) = (self.stage, self.reduce);
        let rank = stage.rank();
        let mut window = reduce.window();
        window.remove(self.variable);
        let outside = Builder::before(cx.context(), stage.op()).located(reduce.op().location());
        let name = names.like(&format!("{}_columns", stage.name()));
        let element = reduce.inits()[0].r#type();
        let longer = Longer { coordinate: self.coordinate, times: self.apart, more: self.count - self.apart };
        grown(&outside, &name, stage, &[longer], element, |b, coordinates| {
            let mut values: HashMap<Key, Value> =
                ir::arguments(stage.body()).map(key).zip(coordinates.iter().copied()).collect();
            for op in &self.used {
                b.clone_mapped(*op, &mut values);
            }
            let begin = match self.join {
                Join::Sum => b.integer(element, &[0]),
                // Its first point, which may count twice.
                Join::Extreme(_) => {
                    let (first, numbers) = window.iter().map(|(low, _)| (Expr::Const(*low), b.index(*low))).unzip();
                    self.term_at(b, coordinates, first, numbers, values.clone())
                }
            };
            let column = Reduce::of(b.insert(Reduce::build(cx.context(), &window, &[begin], b.location())));
            let column = column.expect("made one");
            let inner = Builder::at_end(cx.context(), column.body(), b.location());
            let variables = (rank..).map(Expr::Dim).take(window.len()).collect();
            let term = self.term_at(&inner, coordinates, variables, column.variables(), values);
            let joined = self.join.all(&inner, [column.accumulators()[0], term]);
            inner.insert(Group::build_yield(&[joined], inner.location()));
            column.op().result(0).expect("a reduce has a result").into()
        })
    }

    /// What is joined of a point of a column, which these variables of the window have: as indices are functions of them, and as values.
    fn term_at(
        &self,
        b: &Builder<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
        mut places: Vec<Expr>,
        mut variables: Vec<Value<'c, 'a>>,
        mut values: HashMap<Key, Value<'c, 'a>>,
    ) -> Value<'c, 'a> {
        let at = [coordinates, &variables].concat();
        // Along rows the number of the column takes the place of the coordinate of the window and the variable in it.
        let (low, _) = self.reduce.window()[self.variable];
        let own = (0..coordinates.len()).map(|d| if d == self.coordinate { Expr::Const(0) } else { Expr::Dim(d) });
        places.insert(self.variable, Expr::Dim(self.coordinate) + low);
        let places: Vec<Expr> = own.chain(places).collect();
        // Nothing but indices uses that variable.
        variables.insert(self.variable, coordinates[self.coordinate]);
        values.extend(self.reduce.variables().into_iter().map(key).zip(variables));
        let mut indices = self.indices.iter();
        for op in &self.computing {
            let Some(load) = Load::of(*op) else {
                b.clone_mapped(*op, &mut values);
                continue;
            };
            let own = indices.next().expect("each load has indices");
            let own: Vec<Expr> = own.iter().map(|index| index.substitute(&places).simplified()).collect();
            let padding = load.padding().map(|padding| values.get(&key(padding)).copied().unwrap_or(padding));
            let loaded = build_load(b, false, load.source(), &own, &at, load.boundary(), padding);
            values.insert(key(op.result(0).expect("a load has a result").into()), loaded);
        }
        // What is the same for all points may be computed outside.
        values.get(&key(self.term)).copied().unwrap_or(self.term)
    }

    /// Puts a reduce over a row of columns in the place of that over the window.
    fn join_row(&self, cx: &PassContext<'c>, image: Value<'c, 'a>) {
        let b = Builder::before(cx.context(), self.reduce.op()).located(self.reduce.op().location());
        let window = [(0, self.count)];
        let row = Reduce::of(b.insert(Reduce::build(cx.context(), &window, &self.reduce.inits(), b.location())));
        let row = row.expect("made one");
        let inner = Builder::at_end(cx.context(), row.body(), b.location());
        let mut indices: Vec<Expr> = (0..self.stage.rank()).map(Expr::Dim).collect();
        indices[self.coordinate] = Expr::Dim(self.coordinate) * self.apart + Expr::Dim(self.stage.rank());
        let at: Vec<Value> = ir::arguments(self.stage.body()).chain(row.variables()).collect();
        let column = build_load(&inner, false, image, &indices, &at, Boundary::None, None);
        let joined = self.join.all(&inner, [row.accumulators()[0], column]);
        inner.insert(Group::build_yield(&[joined], b.location()));
        let [old, new] = [self.reduce.op(), row.op()].map(|op| op.result(0).expect("a reduce has a result").into());
        ir::replace_all_uses(old, new);
        ir::erase(self.reduce.op());
    }
}

/// What stands for what is outside, of loads that have such a value.
fn paddings<'c: 'a, 'a>(loads: &[OperationRef<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    loads.iter().filter_map(|load| Load::of(*load)?.padding()).collect()
}

/// The variable of a window that an index grows by one with, the coordinate whose windows lie apart, and how far.
fn along_row(index: &Expr, rank: usize) -> Option<(usize, usize, i64)> {
    let terms = index.flatten().terms;
    let find = |fits: &dyn Fn(usize, i64) -> bool| {
        terms.iter().find_map(|(atom, factor)| match atom {
            Expr::Dim(d) if fits(*d, *factor) => Some((*d, *factor)),
            _ => None,
        })
    };
    let (variable, _) = find(&|d, factor| d >= rank && factor == 1)?;
    let (coordinate, apart) = find(&|d, factor| d < rank && factor > 1)?;
    Some((variable, coordinate, apart))
}

/// Whether an index goes along with both as that of a row does, or with neither.
fn follows(index: &Expr, variable: usize, coordinate: usize, apart: i64) -> bool {
    let mut sum = index.flatten();
    let own = [sum.terms.remove(&Expr::Dim(coordinate)), sum.terms.remove(&Expr::Dim(variable))];
    let is_left = sum.terms.keys().flat_map(Expr::dims).any(|d| d == variable || d == coordinate);
    !is_left && (own == [Some(apart), Some(1)] || own == [None, None])
}

/// Adds the ops of a stage's body that compute a value, producers first. Returns whether all of them can stand elsewhere.
fn collect<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    stage: Stage<'c, 'a>,
    is_plain: &dyn Fn(&OperationRef<'c, 'a>) -> bool,
    used: &mut Vec<OperationRef<'c, 'a>>,
) -> bool {
    if ir::block_of(value) != Some(stage.body()) {
        return true;
    }
    // A coordinate: none that windows lie apart along.
    let Some(op) = ir::defining_op(value) else { return true };
    let is_known = used.contains(&op);
    let all = is_known || is_plain(&op) && op.operands().all(|operand| collect(operand, stage, is_plain, used));
    if all && !is_known {
        used.push(op);
    }
    all
}
