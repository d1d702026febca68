//! Points that differ by whether their number is even: a vector of even ones and a vector of odd ones.
//!
//! ```text
//! %k = %x floordiv 2                                   %k = %x floordiv 2                 %x a multiple of 32
//! %a = load %m[%k]           lanes k k k+1 k+1 ...     %a = vector.load %m[%k]            both phases read this
//! %b = load %m[%k + 1]                           ──▶   %b = vector.load %m[%k + 1]
//! %v = select (%x mod 2 == 0), f(%a, %b), g(%a, %b)    %even = f(%a, %b)
//! store %v, %o[%x]                                     %odd = g(%a, %b)
//!                                                      vector.store (vector.interleave %even, %odd), %o[%x] : vector<32xf32>
//! ```
//!
//! What makes an image larger reads each point of the smaller one for several of the larger. In one vector of points that lie beside each
//! other its elements are spread over lanes, and where even points are computed in another way than odd ones each lane computes both.
//! In vectors of every second point, or every fourth, nothing is spread, all lanes do the same, and only results are shuffled.
//!
//! That is for loops all of whose loads that depend on the point do so by a quotient or a remainder of its number: neighbours along the row
//! would be taken apart instead.

use super::super::addresses::step_of_rows;
use crate::ir::{Builder, Key, constant_index, erase_unused, is, key, memory_of, only_block};
use melior::ir::{BlockLike, BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{HashMap, HashSet};

/// Phases at most.
const MOST: i64 = 4;

/// Values that are asked how they depend on the number of a point, at most.
const MOST_VALUES: usize = 4096;

/// Points that a vector is of: each one of so many, from one of them on.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    pub(super) number: i64,
    pub(super) of: i64,
}

impl Default for Phase {
    fn default() -> Self {
        Self { number: 0, of: 1 }
    }
}

impl Phase {
    /// What lanes add to the number of the first point of all phases.
    pub(super) fn steps(self, lanes: i64) -> Vec<i64> {
        (0..lanes).map(|lane| self.number + self.of * lane).collect()
    }

    /// Whether lanes that add so much are the points of the phase.
    pub(super) fn is_at(self, steps: &[i64]) -> bool {
        steps == self.steps(steps.len() as i64)
    }

    pub(super) fn is_last(self) -> bool {
        self.number + 1 == self.of
    }
}

/// Stores of a loop that wait for the other phases: the op, and a vector of each.
pub(super) type Phases<'c, 'a> = Vec<(OperationRef<'c, 'a>, Vec<Value<'c, 'a>>)>;

/// In how many phases a loop is best computed, whose vectors begin at multiples of `aligned`.
pub(super) fn phases(op: OperationRef, aligned: i64) -> i64 {
    if !(2..=MOST).contains(&aligned) {
        return 1;
    }
    let body = only_block(op);
    let mut known = HashMap::from([(key(body.argument(0).expect("the index of a loop").into()), Depends::Itself)]);
    let ops = ir::walk(op);
    let is_divided_by = |op: &OperationRef| ir::operand(*op, 1).and_then(constant_index) == Some(aligned);
    let are_alike =
        !ops.iter().any(|op| is(*op, "arith.ceildivsi") || is(*op, "arith.floordivsi") && !is_divided_by(op));
    let mut is_some_divided = false;
    let mut stored: HashSet<Key> = HashSet::new();
    let mut loaded: HashSet<Key> = HashSet::new();
    for op in &ops {
        let operands: Vec<Value> = op.operands().collect();
        match ir::name_of(*op) {
            "memref.load" => {
                let depends = operands[1..].iter().map(|place| dependence(*place, &mut known));
                let depends = depends.max().unwrap_or(Depends::Not);
                if depends == Depends::Itself {
                    return 1;
                }
                is_some_divided |= depends == Depends::ByQuotient;
                loaded.insert(key(memory_of(operands[0])));
            }
            "memref.store" => {
                // Of pixels, stores wait for those to other planes already; in a branch they would wait outside of it.
                if step_of_rows(operands[1]) != 1 || op.block() != Some(body) {
                    return 1;
                }
                stored.insert(key(memory_of(operands[1])));
            }
            _ => {}
        }
    }
    // What is loaded after it was stored would be loaded before.
    if are_alike && is_some_divided && stored.is_disjoint(&loaded) { aligned } else { 1 }
}

/// How an index depends on the number of a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depends {
    Not,
    ByQuotient,
    Itself,
}

/// That of a value, where `known` says it of the number itself, and what else was asked.
fn dependence(value: Value, known: &mut HashMap<Key, Depends>) -> Depends {
    if let Some(known) = known.get(&key(value)) {
        return *known;
    }
    let Some(op) = ir::defining_op(value) else { return Depends::Not };
    // Of more than indices are made of the worst is thought.
    if known.len() > MOST_VALUES {
        return Depends::Itself;
    }
    known.insert(key(value), Depends::Itself);
    let operands: Vec<Value> = op.operands().collect();
    let all = operands.iter().map(|operand| dependence(*operand, known)).max().unwrap_or(Depends::Not);
    let own = match ir::name_of(op) {
        "arith.floordivsi" | "arith.andi" => all.min(Depends::ByQuotient),
        // A remainder.
        "arith.addi" if is_remainder(&operands) => all.min(Depends::ByQuotient),
        // Lanes of a phase would read every second element, or fewer.
        "arith.muli" if all == Depends::ByQuotient => Depends::Itself,
        _ => all,
    };
    known.insert(key(value), own);
    own
}

/// Whether a sum is `value + (value floordiv c) * -c`, in any order.
fn is_remainder(operands: &[Value]) -> bool {
    let [left, right] = operands else { return false };
    let is_product = |product: Value, value: Value| {
        let product = ir::defining_op(product).filter(|op| is(*op, "arith.muli"));
        let quotient = product.and_then(|op| ir::defining_op(ir::operand(op, 0)?));
        quotient.is_some_and(|op| is(op, "arith.floordivsi") && ir::operand(op, 0) == Some(value))
    };
    is_product(*left, *right) || is_product(*right, *left)
}

/// The vectors of all phases, lane by lane.
pub(super) fn join<'c: 'a, 'a>(b: &Builder<'c, 'a>, vectors: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let every_second = |first: usize| vectors.iter().copied().skip(first).step_by(2).collect::<Vec<_>>();
    match vectors {
        [one] => *one,
        _ => {
            let [left, right] = [0, 1].map(|first| join(b, &every_second(first)));
            let lanes = ir::vector_extents(left.r#type()).map_or(0, |extents| extents[0]);
            let ty: Type = b.vector_type(2 * lanes, ir::vector_element(left.r#type()).expect("of a vector"));
            b.value("vector.interleave", &[left, right], ty, &[])
        }
    }
}

/// Erases what nobody uses of what a loop computes: the other phase's arms of selections.
pub(super) fn erase_arms(block: BlockRef) {
    let is_pure = |op: &OperationRef| {
        ["arith.", "math.", "vector.", "memref.load"].iter().any(|name| ir::name_of(*op).starts_with(name))
    };
    erase_unused(ir::operations(block).filter(is_pure).collect::<Vec<_>>().into_iter());
}
