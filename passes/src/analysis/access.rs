//! Where loads read: affine maps as the model's expressions, their exact ranges, and indices as SSA values.
//!
//! Three lowerings share this file: the bounds check (numbers), the entry checks of dynamic programs (numbers that are
//! SSA values), and the code of the loads themselves.
//!
//! ```text
//! pipeline.load %img[%y, %x - 1] clamp      ──▶      %i = affine.apply (d0 - 1)(%x)
//!                                                    %a = arith.maxsi %i, %c0
//!                                                    %b = arith.minsi %a, %last          %last = extent - 1
//!                                                    memref.load %img[%y, %b]
//! ```

use super::value_range::value_range;
use crate::ir::{Builder, affine_map, constant_index, expressions, is_inside};
use melior::ir::{BlockLike, OperationRef, Value, ValueLike, block::BlockArgument, operation::OperationLike};
use mlir_glue::{Diagnostic, ir};
use weft_dialects::pipeline::{Boundary, Load, Unit, reduces_around, reduction_names};
use weft_model::{Expr, Interval, Ints, Range, range_of};

/// What indices of a load are functions of, beside the coordinates of its stage.
#[derive(Clone, Copy)]
pub struct Variable<'c, 'a> {
    /// A variable of a reduce, or a computed value.
    pub value: Value<'c, 'a>,
    /// The values that a reduce gives it; `None` of a computed one, which can be anything.
    pub range: Option<Range<i64>>,
}

impl Variable<'_, '_> {
    /// The same, as far as it is known.
    pub fn interval(&self) -> Interval {
        Range::new(self.range.map(|range| range.lo), self.range.map(|range| range.hi))
    }

    /// What is known of its values, those of computed ones included.
    pub fn known(&self) -> Interval {
        self.range.map_or_else(|| value_range(self.value), |range| Range::new(Some(range.lo), Some(range.hi)))
    }
}

/// The variables of all reduces around a load, outermost first, then the values that it computes its indices from, each once.
pub fn variables<'c: 'a, 'a>(load: Load<'c, 'a>) -> Vec<Variable<'c, 'a>> {
    let mut variables: Vec<Variable> = Vec::new();
    for reduce in load.reduces() {
        for (value, (lo, hi)) in reduce.variables().into_iter().zip(reduce.window()) {
            variables.push(Variable { value, range: Some(Range::new(lo, hi - 1)) });
        }
    }
    let unit = load.unit();
    for value in load.coordinates() {
        let is_known = variables.iter().any(|variable| variable.value == value);
        if !is_known && coordinate(value, unit).is_none() {
            variables.push(Variable { value, range: None });
        }
    }
    variables
}

/// The number of a coordinate of a unit: of the argument of its body.
fn coordinate<'c, 'a>(value: Value<'c, 'a>, unit: Option<Unit<'c, 'a>>) -> Option<usize> {
    // Of another value `try_from` prints the op.
    let argument = value.is_block_argument().then(|| BlockArgument::try_from(value).ok()).flatten()?;
    (argument.owner() == unit?.body()).then(|| argument.argument_number())
}

/// An index that counts backwards: `from + more - coordinate`.
pub struct Backwards<'c, 'a> {
    /// The same for all points.
    pub from: Value<'c, 'a>,
    /// What is added.
    pub more: i64,
    /// The number of the coordinate.
    pub coordinate: usize,
}

/// A coordinate of a unit that is counted backwards, in whatever order it is written.
pub fn backwards<'c: 'a, 'a>(mut index: Value<'c, 'a>, unit: Option<Unit<'c, 'a>>) -> Option<Backwards<'c, 'a>> {
    let mut more = 0i64;
    loop {
        let op = ir::defining_op(index)?;
        let (left, right) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
        match (ir::name_of(op), constant_index(right)) {
            ("arith.addi", Some(by)) => (index, more) = (left, more.checked_add(by)?),
            ("arith.subi", Some(by)) => (index, more) = (left, more.checked_sub(by)?),
            ("arith.subi", None) => {
                let is_same = unit.is_some_and(|unit| !is_inside(left, unit.op()));
                return coordinate(right, unit).filter(|_| is_same).map(|coordinate| Backwards {
                    from: left,
                    more,
                    coordinate,
                });
            }
            _ => return None,
        }
    }
}

/// The values of a load's [`variables`] where `clone` is a copy of it with what is around it.
pub fn variables_at<'c: 'a, 'a>(load: Load<'c, 'a>, clone: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    // The copy may stand in reduces of others.
    let mut reduces = reduces_around(clone);
    reduces.truncate(load.reduces().len());
    reduces.reverse();
    let mut values: Vec<Value> = reduces.into_iter().flat_map(|reduce| reduce.variables()).collect();
    let coordinates = load.coordinates();
    for variable in variables(load).iter().filter(|variable| variable.range.is_none()) {
        let operand = coordinates.iter().position(|value| *value == variable.value).expect("a value of the load");
        values.push(clone.operand(1 + operand).expect("a copy has as many operands"));
    }
    values
}

/// The domain of a load's indices: that of its stage, and of its variables.
pub fn with_variables(domain: &[Interval], load: Load) -> Vec<Interval> {
    domain.iter().copied().chain(variables(load).iter().map(Variable::interval)).collect()
}

/// Names for what the indices of a load are functions of.
pub fn names(load: Load) -> Vec<String> {
    let own = load.unit().map(Unit::argument_names).unwrap_or_default().into_iter().map(str::to_owned);
    let reduces = load.reduces().into_iter().flat_map(|reduce| reduction_names(reduce.window().len()));
    let computed = variables(load).into_iter().filter(|variable| variable.range.is_none());
    own.chain(reduces).chain(computed.enumerate().map(|(number, _)| format!("v{number}"))).collect()
}

/// A load, or a gather, as the parser would make it: its operands are those of `values` that indices use, in the order in which
/// they occur.
pub fn build_load<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    gathers: bool,
    source: Value<'c, 'a>,
    indices: &[Expr],
    values: &[Value<'c, 'a>],
    boundary: Boundary,
    padding: Option<Value<'c, 'a>>,
) -> Value<'c, 'a> {
    let mut used: Vec<usize> = Vec::new();
    indices.iter().for_each(|index| occurring(index, &mut used));
    let place = |d: usize| used.iter().position(|used| *used == d).unwrap_or_default();
    let renamed: Vec<Expr> = (0..values.len()).map(|d| Expr::Dim(place(d))).collect();
    let indices: Vec<Expr> = indices.iter().map(|index| index.substitute(&renamed)).collect();
    let map = affine_map(b.context(), used.len(), &indices);
    let coordinates: Vec<Value> = used.iter().map(|d| values[*d]).collect();
    let build = if gathers { Load::build_gather } else { Load::build };
    let op = build(b.context(), source, &coordinates, map, boundary, padding, b.location());
    b.insert(op).result(0).expect("a load has a result").into()
}

/// Adds the coordinates of an expression, in the order in which it is written.
fn occurring(index: &Expr, used: &mut Vec<usize>) {
    match index {
        Expr::Const(_) => {}
        Expr::Dim(d) if used.contains(d) => {}
        Expr::Dim(d) => used.push(*d),
        Expr::Add(a, b) => {
            occurring(a, used);
            occurring(b, used);
        }
        Expr::Mul(a, _) | Expr::FloorDiv(a, _) | Expr::CeilDiv(a, _) | Expr::Mod(a, _) => occurring(a, used),
    }
}

/// How many coordinates the unit of a load has.
fn rank_around(load: Load) -> usize {
    load.unit().map_or(0, |unit| unit.body().argument_count())
}

/// The indices of a load as expressions of the arguments of its unit's body and, behind them, its [`variables`], in the order of the
/// source's dimensions.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn indices<'c: 'a, 'a>(load: Load<'c, 'a>) -> Result<Vec<Expr>, Diagnostic<'c>> {
    let (unit, rank) = (load.unit(), rank_around(load));
    let variables = variables(load);
    let behind = |value| variables.iter().position(|variable| variable.value == value).map_or(0, |place| rank + place);
    let coordinates: Vec<Expr> = load
        .coordinates()
        .into_iter()
        .map(|value| Expr::Dim(coordinate(value, unit).unwrap_or_else(|| behind(value))))
        .collect();
    let exprs = expressions(load.map()).ok_or_else(|| {
        Diagnostic::on(load.op(), format!("divides by a number that is not positive in {}", load.map()))
    })?;
    Ok(exprs.iter().map(|expr| expr.substitute(&coordinates)).collect())
}

/// Whether a load reads one place at all points: whatever its coordinates are, and its computed indices.
pub fn is_uniform(load: Load) -> bool {
    let rank = rank_around(load);
    let variables = variables(load);
    let varies = |place: &usize| place.checked_sub(rank).is_none_or(|place| variables[place].range.is_none());
    indices(load).is_ok_and(|indices| !indices.iter().flat_map(|index| index.dims()).any(|place| varies(&place)))
}

/// The indices of a load that are the same at all points.
///
/// # Errors
///
/// As [`indices`].
pub fn known_indices<'c: 'a, 'a>(load: Load<'c, 'a>) -> Result<Vec<Option<i64>>, Diagnostic<'c>> {
    let rank = rank_around(load);
    let computed = variables(load).into_iter().map(|variable| constant_index(variable.value));
    let known = computed.enumerate().map(|(place, known)| known.map_or(Expr::Dim(rank + place), Expr::Const));
    let values: Vec<Expr> = (0..rank).map(Expr::Dim).chain(known).collect();
    let known = |index: &Expr| index.dims().is_empty().then(|| range_of(index, &[], &mut Ints).lo);
    Ok(indices(load)?.into_iter().map(|index| known(&index.substitute(&values))).collect())
}
