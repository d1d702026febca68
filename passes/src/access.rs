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
};
use melior::ir::{AffineExpr, AffineMap, Value, block::BlockArgument};
use mlir_glue::Diagnostic;
use weft_dialects::pipeline::{Boundary, Extent, Load, Stage, Unit};
use weft_model::{Arith, Expr, Ints, Range, range_of};

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

/// The indices of a load as expressions of the coordinates of its stage, in the order of the source's dimensions.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn indices<'c>(load: Load<'c, '_>) -> Result<Vec<Expr>, Diagnostic<'c>> {
    let coordinates: Vec<Expr> = load
        .coordinates()
        .into_iter()
        // The verifier admits arguments of the body only.
        .map(|value| Expr::Dim(BlockArgument::try_from(value).map_or(0, |argument| argument.argument_number())))
        .collect();
    let exprs = expressions(load.map()).ok_or_else(|| {
        Diagnostic::on(load.op(), format!("divides by a number that is not positive in {}", load.map()))
    })?;
    Ok(exprs.iter().map(|expr| expr.substitute(&coordinates)).collect())
}
