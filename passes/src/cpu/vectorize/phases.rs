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
//! would be taken apart instead. It need not be the number itself that is divided: `(4 * %x - 1) floordiv 6` has three phases, in each of which
//! neighbours are two elements apart. The vectors of three phases are stored one behind the other, each shuffled from all.

use super::{super::addresses::step_of_rows, alike::parts};
use crate::ir::{Builder, Key, constant_index, erase_unused, is, is_inside, key, memory_of, only_block, remainder};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{HashMap, HashSet};
use weft_model::gcd;

/// Phases at most.
const MOST: i64 = 7;

/// Elements from one point of a phase to the next at most: those of a vector lie in four.
const FARTHEST: i64 = 4;

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

/// After how many points of a loop, and a multiple of it, a division by a constant has the same rest: of `(4 * %x - 1) floordiv 6` after three. `None`
/// of other ops, and of what is the same for all points.
pub(super) fn period(op: OperationRef, around: OperationRef) -> Option<i64> {
    if !is(op, "arith.floordivsi") && !is(op, "arith.ceildivsi") {
        return None;
    }
    let divisor = ir::operand(op, 1).and_then(constant_index).filter(|divisor| *divisor > 0)?;
    let factor = ir::operand(op, 0).and_then(|value| factor(value, around, DEEPEST)).unwrap_or(1);
    (factor != 0).then(|| divisor / gcd(factor, divisor))
}

/// Ops between an index and the number of a point, at most.
const DEEPEST: u32 = 16;

/// How much an index grows from one point of a loop to the next, if that is known.
fn factor(value: Value, around: OperationRef, deepest: u32) -> Option<i64> {
    let deepest = deepest.checked_sub(1)?;
    if !is_inside(value, around) {
        return Some(0);
    }
    let number: Value = only_block(around).argument(0).ok()?.into();
    let Some(op) = ir::defining_op(value) else { return (value == number).then_some(1) };
    let [left, right] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let of = |value| factor(value, around, deepest);
    match ir::name_of(op) {
        "arith.addi" => of(left)?.checked_add(of(right)?),
        "arith.subi" => of(left)?.checked_sub(of(right)?),
        "arith.muli" => of(left)?.checked_mul(constant_index(right)?),
        _ => None,
    }
}

/// In how many phases a loop is best computed, whose vectors can begin at multiples of `aligned`.
pub(super) fn phases<'c: 'a, 'a>(b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>, aligned: i64) -> i64 {
    if !(2..=MOST).contains(&aligned) {
        return 1;
    }
    let body = only_block(op);
    let mut known = HashMap::from([(key(body.argument(0).expect("the index of a loop").into()), Depends::Itself)]);
    let ops = ir::walk(op);
    // From one point of a phase to the next a quotient grows by a few. Where phases are a power of two, lanes can as well be shuffled from what
    // lies beside each other, of a vector of any points: that is better for what makes an image smaller, and where pixels are stored.
    let stores_pixels =
        ops.iter().any(|op| is(*op, "memref.store") && step_of_rows(ir::operand(*op, 1).expect("memory")) != 1);
    let most = match aligned.count_ones() {
        1 if stores_pixels => 1,
        1 => aligned - 1,
        _ => FARTHEST,
    };
    let is_near = |division: &OperationRef| {
        let divisor = ir::operand(*division, 1).and_then(constant_index);
        let factor = ir::operand(*division, 0).and_then(|value| factor(value, op, DEEPEST)).unwrap_or(1);
        divisor.is_some_and(|divisor| (0..=most).contains(&(factor.saturating_mul(aligned) / divisor)))
    };
    let is_alike = |division: &OperationRef| {
        is(*division, "arith.floordivsi") && period(*division, op) == Some(aligned) && is_near(division)
    };
    let are_alike = ops.iter().all(|inner| period(*inner, op).is_none() || is_alike(inner));
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
                // In a branch that some points take, stores would wait for other phases outside of it.
                if op.block() != Some(body) && !is_stored_by_all(*op, body) {
                    return 1;
                }
                stored.insert(key(memory_of(operands[1])));
            }
            _ => {}
        }
    }
    // What is loaded after it was stored would be loaded before. Pixels whose planes are computed alike stay as they lie.
    let is_worth = are_alike && is_some_divided && stored.is_disjoint(&loaded);
    if is_worth && !(stores_pixels && parts(b, op, false).is_some()) { aligned } else { 1 }
}

/// Whether a store is in a branch of stores that all points of a loop take, or none does.
fn is_stored_by_all<'c: 'a, 'a>(store: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>) -> bool {
    let Some(branch) = store.parent_operation().filter(|op| is(*op, "scf.if") && op.block() == Some(body)) else {
        return false;
    };
    let condition = ir::operand(branch, 0).and_then(ir::defining_op);
    let inner = ir::walk(branch).into_iter().filter(|op| *op != branch);
    condition.is_none_or(|op| op.block() != Some(body))
        && inner.into_iter().all(|op| is(op, "memref.store") || is(op, "scf.yield"))
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
        "arith.addi" | "arith.subi" if remainder(op).is_some() => all.min(Depends::ByQuotient),
        // Lanes of a phase would read every second element, or fewer.
        "arith.muli" if all == Depends::ByQuotient => Depends::Itself,
        _ => all,
    };
    known.insert(key(value), own);
    own
}

/// Erases what nobody uses of what a loop computes: the other phase's arms of selections.
pub(super) fn erase_arms(block: BlockRef) {
    let is_pure = |op: &OperationRef| {
        ["arith.", "math.", "vector.", "memref.load"].iter().any(|name| ir::name_of(*op).starts_with(name))
    };
    erase_unused(ir::operations(block).filter(is_pure).collect::<Vec<_>>().into_iter());
}
