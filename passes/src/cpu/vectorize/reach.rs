//! How far the loads of a body reach along a row: what one of them reads, another one may read too.
//!
//! ```text
//! %m[%y, 2 * %x - 1]     of 16 lanes    -1, 1, ..., 29  ┐
//! %m[%y, 2 * %x]         each           0, 2, ..., 30   ├ all of -1 to 31 can be read: the first two take the even and the odd
//! %m[%y, 2 * %x + 1]                    1, 3, ..., 31   ┘ elements of the same vectors
//!
//! %m[%y, clamp(%x - 1)]  of 16 lanes    three loads of one stretch of 18 whose ends may lie outside, which are brought inside once
//! %m[%y, clamp(%x)]
//! %m[%y, clamp(%x + 1)]
//! ```

use super::places::Pair;
use crate::ir::{Key, beside, constant_index, is, key};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{BTreeSet, HashMap};

/// The loop or loop inside that loads are done in, memory, a row, an index that some constants are added to, and between which numbers
/// each sum is brought: at least and at most, as far as it is.
pub(super) type Beside = (*const std::ffi::c_void, Vec<Key>, Key, [Option<Key>; 2]);

/// What loads have read that others beside them take: in one iteration, until something is stored.
#[derive(Default)]
pub(super) struct Shared<'c, 'a> {
    /// Rows that several loads read and that were brought inside.
    pub(super) clamped_rows: HashMap<Beside, Vec<Value<'c, 'a>>>,
    /// Pairs of neighbours at computed places.
    pub(super) pairs: HashMap<Beside, Pair<'c, 'a>>,
    /// The same of four neighbours: a vector of each.
    pub(super) fours: HashMap<Beside, Vec<Value<'c, 'a>>>,
    /// Neighbours at places that lanes compute, as one number.
    pub(super) numbers: HashMap<Beside, Value<'c, 'a>>,
    /// What is looked up in a window of a row, and what others look up beside it.
    pub(super) windows: HashMap<Beside, Vec<Value<'c, 'a>>>,
    /// Columns of rows of which each lane has its own, from a place along them on: of each a vector.
    pub(super) columns: HashMap<(Beside, i64), Vec<Value<'c, 'a>>>,
}

/// The constants.
#[derive(Default)]
pub(super) struct Reach(HashMap<Beside, BTreeSet<i64>>);

/// A load of a row that is brought inside with others.
pub(super) struct Tap {
    pub(super) row: Beside,
    /// Elements from the first that one of them reads in lane 0.
    pub(super) offset: i64,
    /// Elements from the first to the last.
    pub(super) span: i64,
}

/// Two stretches serve as many loads that are brought inside, or more.
const FEWEST_TAPS: usize = 3;

impl Reach {
    /// That of the body of a loop, and of each loop inside.
    pub(super) fn of(body: OperationRef) -> Self {
        let mut all = Self::default();
        for load in ir::walk(body) {
            for (beside, constant) in place_of(load).into_iter().chain(place_inside(load)) {
                all.0.entry(beside).or_default().insert(constant);
            }
        }
        all
    }

    /// The loads that a load is one of, if there are others of the row in every iteration, and how many elements are before it and behind it.
    pub(super) fn row_of(&self, load: OperationRef) -> Option<(Beside, (i64, i64))> {
        let (beside, _) = place_of(load)?;
        Some((beside, self.around(load)))
    }

    /// How many elements before what a load reads, and behind it, are read by others in every iteration.
    pub(super) fn around(&self, load: OperationRef) -> (i64, i64) {
        let around = place_of(load).and_then(|(beside, constant)| {
            let (least, greatest) = ends(self.0.get(&beside)?)?;
            Some((constant - least, greatest - constant))
        });
        around.unwrap_or((0, 0))
    }

    /// A load that is brought inside, if enough others are that are done in every iteration and no farther away than `most` elements.
    pub(super) fn tap(&self, load: OperationRef, most: i64) -> Option<Tap> {
        let (row, constant) = place_inside(load)?;
        let constants = self.0.get(&row)?;
        let (least, greatest) = ends(constants)?;
        let span = greatest.checked_sub(least).filter(|span| *span <= most)?;
        (constants.len() >= FEWEST_TAPS).then_some(Tap { row, offset: constant - least, span })
    }

    /// A load that is brought inside, if others are that are done in every iteration, so many in all, of elements beside each other.
    pub(super) fn neighbours(&self, load: OperationRef, count: usize) -> Option<Tap> {
        let (row, constant) = place_inside(load)?;
        let constants = self.0.get(&row)?;
        let (least, greatest) = ends(constants)?;
        let span = greatest.checked_sub(least)?;
        (constants.len() == count && span + 1 == count as i64).then_some(Tap { row, offset: constant - least, span })
    }
}

fn ends(constants: &BTreeSet<i64>) -> Option<(i64, i64)> {
    Some((*constants.first()?, *constants.last()?))
}

/// Where a load is; `None` for other ops, and in branches, which are not always taken.
fn place_of(op: OperationRef) -> Option<(Beside, i64)> {
    place(op, |last| Some((last, [None, None])))
}

/// The same of a load whose last index was brought inside: where it would be.
fn place_inside(op: OperationRef) -> Option<(Beside, i64)> {
    place(op, |last| {
        let (index, most) = brought(last, "arith.minsi");
        let (index, least) = brought(index, "arith.maxsi");
        (most.is_some() || least.is_some()).then_some((index, [least, most]))
    })
}

/// Where a load is whose last index is as `index` has it.
fn place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    index: impl Fn(Value<'c, 'a>) -> Option<(Value<'c, 'a>, [Option<Key>; 2])>,
) -> Option<(Beside, i64)> {
    let around = op.parent_operation().filter(|around| is(op, "memref.load") && is(*around, "scf.for"))?;
    let operands: Vec<Value> = op.operands().collect();
    let (last, row) = operands.split_last()?;
    let (last, ends) = index(*last)?;
    // Constants are beside each other.
    let (base, constant) = constant_index(last).map_or_else(|| beside(last), |constant| (row[0], constant));
    Some(((around.to_raw().ptr.cast_const(), row.iter().copied().map(key).collect(), key(base), ends), constant))
}

/// An index before it was brought below or above another one, and that.
fn brought<'c: 'a, 'a>(index: Value<'c, 'a>, name: &str) -> (Value<'c, 'a>, Option<Key>) {
    let op = ir::defining_op(index).filter(|op| is(*op, name));
    let parts = op.and_then(|op| Some((ir::operand(op, 0)?, Some(key(ir::operand(op, 1)?)))));
    parts.unwrap_or((index, None))
}
