//! The body of a compute whose tile is in registers, and how often each of its ops is evaluated: a point is a row and a column, and
//! what depends on one of them alone is the same along the other.
//!
//! ```text
//! ^bb(%y, %x):
//!   %c0 = arith.constant 0              once             before all rows
//!   %0 = arith.maxsi %x, %c0            for a column      before all rows, once for each column of a lane
//!   %1 = arith.addi %y, %c-1            for a row         once for a row
//!   %2 = warp.read %a[%1, %0]           for a point       in every row, for each column of a lane
//! ```

use crate::ir::{Key, key};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use mlir_glue::{Diagnostic, ir};
use std::collections::HashMap;
use weft_dialects::warp::{Compute, Read};

/// How often an op is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Evaluated {
    /// Before all rows.
    Once,
    /// Once for each column of a lane, before all rows.
    ForColumn,
    /// Once for a row.
    ForRow,
    /// For each point.
    ForPoint,
}

/// A compute's body.
pub struct RegisterBody<'c, 'a> {
    ops: Vec<(OperationRef<'c, 'a>, Evaluated)>,
    /// The coordinates that its ops use, other than to read tiles.
    pub uses: Vec<bool>,
    pub end: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> RegisterBody<'c, 'a> {
    /// # Errors
    ///
    /// A body without an end.
    pub fn of(compute: Compute<'c, 'a>) -> Result<Self, Diagnostic<'c>> {
        let end = compute.terminator().ok_or_else(|| Diagnostic::on(compute.op(), "has no warp.yield"))?;
        let arguments: Vec<Value> =
            (0..compute.rank()).filter_map(|d| compute.body().argument(d).ok()).map(Value::from).collect();
        let (columns, rows) = arguments.split_last().map_or((None, [].as_slice()), |(x, rows)| (Some(x), rows));
        let mut known: HashMap<Key, Evaluated> = HashMap::new();
        known.extend(columns.map(|x| (key(*x), Evaluated::ForColumn)));
        known.extend(rows.iter().map(|y| (key(*y), Evaluated::ForRow)));
        let mut ops = Vec::new();
        for op in ir::operations(compute.body()).filter(|op| *op != end) {
            let evaluated = evaluated(op, &known);
            known.extend(op.results().map(|result| (key(result.into()), evaluated)));
            ops.push((op, evaluated));
        }
        let used: Vec<Key> = ir::walk(compute.op())
            .into_iter()
            .filter(|op| *op != compute.op())
            .flat_map(|op| match Read::of(op) {
                Some(read) => read.padding().into_iter().collect(),
                None => op.operands().collect::<Vec<_>>(),
            })
            .map(key)
            .collect();
        let uses = arguments.iter().map(|argument| used.contains(&key(*argument))).collect();
        Ok(Self { ops, uses, end })
    }

    /// Whether the body yields what an op gives.
    pub fn yields(&self, op: OperationRef<'c, 'a>) -> bool {
        self.end.operands().any(|value| ir::defining_op(value) == Some(op))
    }

    /// The ops that are evaluated so often, in their order.
    pub fn ops(&self, evaluated: Evaluated) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        self.ops.iter().filter(move |(_, here)| *here == evaluated).map(|(op, _)| *op)
    }
}

/// How often an op is evaluated, given how often its operands are; those that are not known come from before.
fn evaluated(op: OperationRef, known: &HashMap<Key, Evaluated>) -> Evaluated {
    let name = ir::name_of(op);
    let is_pure = op.region_count() == 0 && (name.starts_with("arith.") || name.starts_with("math."));
    if !is_pure {
        return Evaluated::ForPoint;
    }
    let operands = op.operands().filter_map(|operand| known.get(&key(operand)).copied());
    operands.fold(Evaluated::Once, |all, here| match (all, here) {
        (Evaluated::Once, other) | (other, Evaluated::Once) => other,
        (all, here) if all == here => all,
        _ => Evaluated::ForPoint,
    })
}
