//! Indices as affine maps of MLIR, and as expressions of the model.
//!
//! ```text
//! affine_map<(d0, d1) -> (d0, d1 - 1)>  <->  [Dim(0), Add(Dim(1), Const(-1))]
//! ```

use melior::{
    Context,
    ir::{AffineExpr, AffineMap},
};
use weft_model::Expr;

/// The map of so many dimensions that gives these expressions.
pub fn affine_map<'c>(context: &'c Context, dims: usize, results: &[Expr]) -> AffineMap<'c> {
    let results: Vec<AffineExpr> = results.iter().map(|expr| affine_expression(context, expr)).collect();
    AffineMap::new(context, dims, 0, &results)
}

fn affine_expression<'c>(context: &'c Context, expr: &Expr) -> AffineExpr<'c> {
    let number = |value: i64| AffineExpr::constant(context, value);
    let of = |expr: &Expr| affine_expression(context, expr);
    match expr {
        Expr::Const(value) => number(*value),
        Expr::Dim(position) => AffineExpr::dim(context, *position),
        Expr::Add(left, right) => plus(context, of(left), right),
        Expr::Mul(expr, by) => of(expr) * number(*by),
        Expr::FloorDiv(expr, by) => AffineExpr::floor_div(of(expr), number(*by)),
        Expr::CeilDiv(expr, by) => AffineExpr::ceil_div(of(expr), number(*by)),
        Expr::Mod(expr, by) => AffineExpr::modulo(of(expr), number(*by)),
    }
}

/// A sum, left to right, as the parser makes it of the text: a map that is printed and read again is the same.
fn plus<'c>(context: &'c Context, left: AffineExpr<'c>, right: &Expr) -> AffineExpr<'c> {
    match right {
        Expr::Add(first, second) => plus(context, plus(context, left, first), second),
        right => left + affine_expression(context, right),
    }
}

/// An affine expression of MLIR as one of the model. Verified loads have no symbols and divide by positive constants.
fn expression(expr: AffineExpr) -> Option<Expr> {
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
