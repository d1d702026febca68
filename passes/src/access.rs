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

use crate::{
    builder::{Builder, Compare, Key, key},
    program::constant_index,
    value_range::value_range,
};
use melior::ir::{
    AffineExpr, AffineMap, BlockLike, OperationRef, ShapedTypeLike, Type, Value, ValueLike, block::BlockArgument,
    operation::OperationLike, r#type::RankedTensorType,
};
use mlir_glue::{Diagnostic, ir};
use weft_dialects::pipeline::{Boundary, Extent, Load, Stage, Unit, reduces_around, reduction_names};
use weft_model::{Arith, Expr, Interval, Ints, Range, range_of};

/// An affine expression of MLIR as one of the model. Verified loads have no symbols and divide by positive constants.
pub fn expression(expr: AffineExpr) -> Option<Expr> {
    let binary = |make: fn(Box<Expr>, i64) -> Expr| {
        let divisor = expr.rhs();
        (divisor.is_constant() && divisor.constant_value() > 0)
            .then(|| Some(make(Box::new(expression(expr.lhs())?), divisor.constant_value())))?
    };
    if expr.is_constant() {
        Some(Expr::Const(expr.constant_value()))
    } else if expr.is_dim() {
        Some(Expr::Dim(expr.dim_position()))
    } else if expr.is_add() {
        Some(Expr::Add(Box::new(expression(expr.lhs())?), Box::new(expression(expr.rhs())?)))
    } else if expr.is_mul() {
        // MLIR keeps the constant of a product on the right.
        expr.rhs()
            .is_constant()
            .then(|| Some(Expr::Mul(Box::new(expression(expr.lhs())?), expr.rhs().constant_value())))?
    } else if expr.is_floor_div() {
        binary(Expr::FloorDiv)
    } else if expr.is_ceil_div() {
        binary(Expr::CeilDiv)
    } else if expr.is_mod() {
        binary(Expr::Mod)
    } else {
        None
    }
}

/// The results of a map as expressions, or `None` if one is no expression of the model (a division by nothing).
pub fn expressions(map: AffineMap) -> Option<Vec<Expr>> {
    (0..map.result_count()).map(|i| expression(map.result(i).ok()?)).collect()
}

/// An index number: known, or an SSA value of type `index`.
#[derive(Clone, Copy)]
pub enum Number<'c, 'a> {
    /// Known at compile time.
    Known(i64),
    /// Known at run time.
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Number<'c, 'a> {
    /// What tells it from other numbers.
    pub fn id(self) -> Result<i64, Key> {
        match self {
            Self::Known(number) => Ok(number),
            Self::Value(value) => Err(key(value)),
        }
    }

    /// The number as an SSA value.
    pub fn value(self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        match self {
            Self::Known(number) => b.index(number),
            Self::Value(value) => value,
        }
    }
}

impl<'c, 'a> From<Extent<'c, 'a>> for Number<'c, 'a> {
    fn from(extent: Extent<'c, 'a>) -> Self {
        match extent {
            Extent::Static(extent) => Self::Known(extent),
            // A constant is a number that is known, also where the type does not say it.
            Extent::Dynamic(value) => constant_index(value).map_or(Self::Value(value), Self::Known),
        }
    }
}

/// The model's arithmetic, done now where numbers are known, and by `arith` ops where they are not.
pub struct Emit<'b, 'c, 'a>(pub &'b Builder<'c, 'a>);

impl<'c: 'a, 'a> Emit<'_, 'c, 'a> {
    fn binary(&self, op: &str, now: impl Fn(i64, i64) -> i64, a: Number<'c, 'a>, b: Number<'c, 'a>) -> Number<'c, 'a> {
        match (a, b) {
            (Number::Known(a), Number::Known(b)) => Number::Known(now(a, b)),
            _ => Number::Value(self.0.arith(op, a.value(self.0), b.value(self.0))),
        }
    }
}

impl<'c: 'a, 'a> Arith for Emit<'_, 'c, 'a> {
    type V = Number<'c, 'a>;
    fn constant(&mut self, v: i64) -> Self::V {
        Number::Known(v)
    }
    fn add(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        match (*a, *b) {
            (Number::Known(0), other) | (other, Number::Known(0)) => other,
            (a, b) => self.binary("addi", |a, b| Ints.add(&a, &b), a, b),
        }
    }
    fn mul(&mut self, a: &Self::V, c: i64) -> Self::V {
        if c == 1 { *a } else { self.binary("muli", |a, b| Ints.mul(&a, b), *a, Number::Known(c)) }
    }
    fn floor_div(&mut self, a: &Self::V, c: i64) -> Self::V {
        if c == 1 { *a } else { self.binary("floordivsi", |a, b| Ints.floor_div(&a, b), *a, Number::Known(c)) }
    }
    fn modulo(&mut self, a: &Self::V, c: i64) -> Self::V {
        // arith.remsi takes the sign of the dividend: a - c * floor(a / c) does not.
        let quotient = self.floor_div(a, c);
        let rounded = self.mul(&quotient, -c);
        self.add(a, &rounded)
    }
    fn min(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        self.binary("minsi", i64::min, *a, *b)
    }
    fn max(&mut self, a: &Self::V, b: &Self::V) -> Self::V {
        self.binary("maxsi", i64::max, *a, *b)
    }
    fn as_constant(&self, v: &Self::V) -> Option<i64> {
        match v {
            Number::Known(number) => Some(*number),
            Number::Value(_) => None,
        }
    }
}

/// Where the arguments of a unit's body begin and end, half-open.
pub fn points<'c: 'a, 'a>(unit: impl Into<Unit<'c, 'a>>) -> Vec<(i64, Number<'c, 'a>)> {
    unit.into().points().into_iter().map(|(start, end)| (start, end.into())).collect()
}

/// The last of a half-open interval, with the first.
pub fn closed<'c: 'a, 'a>(points: &[(i64, Number<'c, 'a>)], emit: &mut Emit<'_, 'c, 'a>) -> Vec<Range<Number<'c, 'a>>> {
    points.iter().map(|(start, end)| Range::new(Number::Known(*start), emit.add(end, &Number::Known(-1)))).collect()
}

/// Where the arguments end, for [`is_own_extent`]: one that begins before 0 stays inside of no extent.
pub fn ends<'c: 'a, 'a>(points: &[(i64, Number<'c, 'a>)]) -> Vec<Number<'c, 'a>> {
    points.iter().map(|(start, end)| if *start < 0 { Number::Known(i64::MAX) } else { *end }).collect()
}

/// The coordinates of a stage with these extents: `[0, extent - 1]` each.
pub fn whole<'c: 'a, 'a>(extents: &[Number<'c, 'a>], emit: &mut Emit<'_, 'c, 'a>) -> Vec<Range<Number<'c, 'a>>> {
    extents.iter().map(|extent| Range::new(Number::Known(0), emit.add(extent, &Number::Known(-1)))).collect()
}

/// Whether two numbers are known to be equal.
pub fn same(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Known(a), Number::Known(b)) => a == b,
        (Number::Value(a), Number::Value(b)) => a == b,
        _ => false,
    }
}

/// Whether an index is one coordinate over the very extent that the source has.
pub fn is_own_extent<'c, 'a>(index: &Expr, extents: &[Number<'c, 'a>], source: Number<'c, 'a>) -> bool {
    match (index, source) {
        (Expr::Dim(d), Number::Value(source)) => {
            matches!(extents.get(*d), Some(Number::Value(extent)) if *extent == source)
        }
        _ => false,
    }
}

/// The points of a stage of these extents that are computed: what is needed of it, or all.
pub fn needed_domain<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    extents: &[Number<'c, 'a>],
    b: &Builder<'c, 'a>,
) -> Vec<Range<Number<'c, 'a>>> {
    let points: Vec<_> = extents.iter().map(|extent| (0, *extent)).collect();
    needed_points(*stage, &points, b)
}

/// What the arguments of a unit's body run over: what is needed of the coordinates, or all; a scan's line and a scatter's
/// variables whole.
pub fn needed_points<'c: 'a, 'a>(
    unit: Unit<'c, 'a>,
    points: &[(i64, Number<'c, 'a>)],
    b: &Builder<'c, 'a>,
) -> Vec<Range<Number<'c, 'a>>> {
    let mut domain = closed(points, &mut Emit(b));
    let needed = unit.needed().unwrap_or_default().into_iter().enumerate();
    for (range, (_, (lo, hi))) in domain.iter_mut().zip(needed).filter(|(_, (dimension, _))| !unit.is_whole(*dimension))
    {
        range.lo = lo.map_or(range.lo, Number::Known);
        range.hi = hi.map_or(range.hi, |hi| Number::Known(hi - 1));
    }
    domain
}

/// The range of an index, each coordinate `coordinates[d]` of the map being one of `domain`.
pub fn index_range<'c: 'a, 'a>(
    expr: &Expr,
    domain: &[Range<Number<'c, 'a>>],
    emit: &mut Emit<'_, 'c, 'a>,
) -> Range<Number<'c, 'a>> {
    range_of(expr, domain, emit)
}

/// Code for `expr` at `coordinates`.
pub fn apply<'c: 'a, 'a>(expr: &Expr, coordinates: &[Value<'c, 'a>], b: &Builder<'c, 'a>) -> Value<'c, 'a> {
    let coordinates: Vec<_> = coordinates.iter().map(|value| Number::Value(*value)).collect();
    expr.eval_in(&coordinates, &mut Emit(b)).value(b)
}

/// Where an index leads after its boundary mode, and for `constant` whether it was inside.
#[derive(Clone, Copy)]
pub struct Resolved<'c, 'a> {
    /// Inside the source.
    pub index: Value<'c, 'a>,
    /// An `i1`; `None` where the value is always the source's.
    pub inside: Option<Value<'c, 'a>>,
}

/// Code that brings `index` into `[0, extent)` (see the table in `pipeline.load`).
pub fn resolve<'c: 'a, 'a>(
    index: Value<'c, 'a>,
    extent: Number<'c, 'a>,
    boundary: Boundary,
    b: &Builder<'c, 'a>,
) -> Resolved<'c, 'a> {
    let clamp = |index| {
        let last = Emit(b).add(&extent, &Number::Known(-1)).value(b);
        b.arith("minsi", b.arith("maxsi", index, b.index(0)), last)
    };
    let floor_mod = |index, period| {
        let remainder = b.arith("remsi", index, period);
        let is_negative = b.compare(Compare::Less, remainder, b.index(0));
        b.select(is_negative, b.arith("addi", remainder, period), remainder, b.index_type())
    };
    match boundary {
        Boundary::None => Resolved { index, inside: None },
        Boundary::Clamp => Resolved { index: clamp(index), inside: None },
        Boundary::Wrap => Resolved { index: floor_mod(index, extent.value(b)), inside: None },
        Boundary::Mirror => {
            // Period 2n: the first half is the image, the second the image backwards.
            let period = Emit(b).mul(&extent, 2);
            let place = floor_mod(index, period.value(b));
            let backwards = b.arith("subi", Emit(b).add(&period, &Number::Known(-1)).value(b), place);
            Resolved { index: b.arith("minsi", place, backwards), inside: None }
        }
        Boundary::Constant => {
            let above = b.compare(Compare::GreaterEqual, index, b.index(0));
            let below = b.compare(Compare::Less, index, extent.value(b));
            Resolved { index: clamp(index), inside: Some(b.logic("andi", above, below)) }
        }
    }
}

/// The boundary mode as the model knows it.
pub fn model_boundary(boundary: Boundary) -> weft_model::Boundary {
    match boundary {
        Boundary::None => weft_model::Boundary::None,
        Boundary::Clamp => weft_model::Boundary::Clamp,
        Boundary::Mirror => weft_model::Boundary::Mirror,
        Boundary::Wrap => weft_model::Boundary::Wrap,
        Boundary::Constant => weft_model::Boundary::Constant,
    }
}

/// The boundary mode as IR knows it.
pub fn dialect_boundary(boundary: weft_model::Boundary) -> Boundary {
    match boundary {
        weft_model::Boundary::None => Boundary::None,
        weft_model::Boundary::Clamp => Boundary::Clamp,
        weft_model::Boundary::Mirror => Boundary::Mirror,
        weft_model::Boundary::Wrap => Boundary::Wrap,
        weft_model::Boundary::Constant => Boundary::Constant,
    }
}

/// Bits of an integer or a float; `None` of any other type.
pub fn bits_of_element(element: Type) -> Option<u32> {
    element.to_string().trim_start_matches("bf").trim_start_matches(['i', 'f']).parse().ok()
}

/// Bits of the widest number that a unit computes with, which decides how many lanes a vector has. Indices do not: they are one number
/// for all lanes where that can be.
pub fn widest(unit: OperationRef) -> Option<u32> {
    let bits = |ty: Type| bits_of_element(RankedTensorType::try_from(ty).map_or(ty, |image| image.element()));
    let of_op = |op: OperationRef| op.results().filter_map(|result| bits(Value::from(result).r#type())).max();
    ir::walk(unit).into_iter().filter_map(of_op).max()
}

/// Bytes of an element of an image.
pub fn bytes_of_element(element: Type) -> i64 {
    bits_of_element(element).map_or(4, |bits| i64::from(bits.div_ceil(8)))
}

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

/// A load or gather as the parser would make it: its operands are those of `values` that indices use, in the order in which
/// they occur. The boundary mode is that of `mode`.
pub fn build_load<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    source: Value<'c, 'a>,
    indices: &[Expr],
    values: &[Value<'c, 'a>],
    mode: Load<'c, 'a>,
    outside: Option<Value<'c, 'a>>,
) -> Value<'c, 'a> {
    let mut used: Vec<usize> = Vec::new();
    indices.iter().for_each(|index| occurring(index, &mut used));
    let place = |d: usize| used.iter().position(|used| *used == d).unwrap_or_default();
    let renamed: Vec<Expr> = (0..values.len()).map(|d| Expr::Dim(place(d))).collect();
    let indices: Vec<String> = indices.iter().map(|index| index.substitute(&renamed).to_string()).collect();
    let dims: Vec<String> = (0..used.len()).map(|d| format!("d{d}")).collect();
    let map = format!("affine_map<({}) -> ({})>", dims.join(", "), indices.join(", "));
    let segments = format!("array<i32: 1, {}, {}>", used.len(), usize::from(outside.is_some()));
    let mut attributes = vec![("map", b.parse_attribute(&map)), ("operandSegmentSizes", b.parse_attribute(&segments))];
    attributes.extend(mode.op().attribute("boundary").map(|mode| ("boundary", mode)));
    let operands: Vec<Value> = std::iter::once(source).chain(used.iter().map(|d| values[*d])).chain(outside).collect();
    let element = RankedTensorType::try_from(source.r#type()).expect("sources are tensors").element();
    b.value(name, &operands, element, &attributes)
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

/// The indices of a load as expressions of the arguments of its unit's body and, behind them, its [`variables`], in the order of the
/// source's dimensions.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn indices<'c: 'a, 'a>(load: Load<'c, 'a>) -> Result<Vec<Expr>, Diagnostic<'c>> {
    let unit = load.unit();
    let rank = unit.map_or(0, |unit| unit.body().argument_count());
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
