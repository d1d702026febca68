//! Reduces of rows that lie below each other, down a window: each begins an iteration behind the one above, so that all read one row at a time.
//!
//! ```text
//! for %r = 0 to 15 {                                 %a0 = ... %m[%y]                     what the first row has alone
//!   %a = ... %m[%y + %r]                             for %r = 1 to 15 {
//!   %b = ... %m[(%y + 1) + %r] }            ──▶        %v = %m[%y + %r]                   one load
//!                                                      %a = ... %v                        number %r of the first row's window
//!                                                      %b = ... %v }                      number %r - 1 of the second one's
//!                                                    %b15 = ... %m[%y + 15]               what the last row has alone
//! ```
//!
//! Of four rows under a window of 15 that is 18 rows of loads in place of 60. Each sum has its terms in the order that it had.

use crate::ir::{beside, is, is_inside, only_block};
use melior::ir::{OperationRef, Value};
use mlir_glue::ir;

/// Fewer iterations are not worth what stands before them and behind them.
const FEWEST: i64 = 5;

/// By how much loops are behind one another, and what is then the same in all of them.
pub(super) struct Skew<'c, 'a> {
    /// Iterations that each loop begins later than the first.
    pub(super) later: Vec<i64>,
    /// Of each loop the sums of its index and a number outside.
    pub(super) sums: Vec<Vec<Value<'c, 'a>>>,
    /// These numbers, as the first loop has them.
    pub(super) bases: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Skew<'c, 'a> {
    /// That of loops of so many iterations; `None` where they read different rows anyway, or the same ones at once.
    pub(super) fn of(ops: &[OperationRef<'c, 'a>], iterations: i64) -> Option<Self> {
        let all: Vec<Vec<(Value, Value)>> = ops.iter().map(|op| sums(*op)).collect();
        let first = all.first().filter(|sums| !sums.is_empty())?;
        let later: Option<Vec<i64>> = all.iter().map(|own| behind(first, own)).collect();
        let later = later?;
        let most = later.iter().copied().max()?;
        let is_worth_it = most > 0 && most < FEWEST && iterations >= FEWEST && iterations > 2 * most;
        let bases = first.iter().map(|(_, base)| *base).collect();
        let sums = all.iter().map(|sums| sums.iter().map(|(sum, _)| *sum).collect()).collect();
        is_worth_it.then_some(Self { later, sums, bases })
    }

    /// Iterations that the last loop begins later than the first.
    pub(super) fn most(&self) -> i64 {
        self.later.iter().copied().max().unwrap_or(0)
    }
}

/// The sums of a loop's index and a number from outside, in its body and those of loops inside, with that number.
fn sums<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
    let body = only_block(op);
    let Some(index) = ir::arguments(body).next() else { return Vec::new() };
    let sum = |sum: OperationRef<'c, 'a>| {
        let [left, right] = [ir::operand(sum, 0)?, ir::operand(sum, 1)?];
        let base = match index {
            own if own == left => right,
            own if own == right => left,
            _ => return None,
        };
        (!is_inside(base, op)).then_some((ir::result(sum, 0)?, base))
    };
    ir::walk(op).into_iter().filter(|op| is(*op, "arith.addi")).filter_map(sum).collect()
}

/// By how much all of these numbers exceed those of the first loop, if it is one number.
fn behind(first: &[(Value, Value)], own: &[(Value, Value)]) -> Option<i64> {
    let apart = first.iter().zip(own).map(|((_, a), (_, b))| {
        let ((a, of_a), (b, of_b)) = (beside(*a), beside(*b));
        (a == b).then(|| of_b - of_a)
    });
    let apart: Option<Vec<i64>> = apart.collect();
    let apart = apart.filter(|apart| first.len() == own.len() && apart.windows(2).all(|pair| pair[0] == pair[1]))?;
    apart.first().copied().filter(|later| *later >= 0)
}
