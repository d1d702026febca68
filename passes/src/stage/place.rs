//! Where loads read: values, and constants beside them.

use crate::{
    analysis::{Ranges, access},
    ir::{Key, beside, key},
};
use melior::ir::{Value, ValueLike};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Load, Stage};
use weft_model::Expr;

/// Computed places are no farther from 0, so that sums of one and a constant are what they seem to be.
const FARTHEST: i64 = 1 << 40;

/// Where a load reads: along each dimension a value, and a constant that is added to it.
pub struct Place<'c, 'a> {
    /// The values; `None` where there is none.
    pub bases: Vec<Option<Value<'c, 'a>>>,
    /// The constants.
    pub offsets: Vec<i64>,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// That of a load; `None` where an index is something else, or may be so large that a sum is not what it seems to be.
    pub fn of(stage: Stage<'c, 'a>, load: Load<'c, 'a>, ranges: &mut Ranges) -> Result<Option<Self>, Failure<'c>> {
        let variables = access::variables(load).into_iter().map(|variable| variable.value);
        let values: Vec<Value> = ir::arguments(stage.body()).chain(variables).collect();
        let mut is_near = |base: Value<'c, 'a>| {
            let range = ranges.of(base);
            let ends = range.lo.zip(range.hi);
            base.is_block_argument() || ends.is_some_and(|(lo, hi)| lo >= -FARTHEST && hi <= FARTHEST)
        };
        let mut place = Self { bases: Vec::new(), offsets: Vec::new() };
        for index in access::indices(load)? {
            let sum = index.flatten();
            let (base, more) = match sum.terms.first_key_value() {
                None => (None, 0),
                Some((Expr::Dim(d), 1)) if sum.terms.len() == 1 => {
                    let (base, more) = beside(values[*d]);
                    (Some(base), more)
                }
                Some(_) => return Ok(None),
            };
            let offset = sum.constant.checked_add(more).filter(|offset| (-FARTHEST..=FARTHEST).contains(offset));
            let Some(offset) = offset.filter(|_| base.is_none_or(&mut is_near)) else { return Ok(None) };
            place.bases.push(base);
            place.offsets.push(offset);
        }
        Ok(Some(place))
    }

    /// What loads at the same values have in common.
    pub fn keys(&self) -> Vec<Option<Key>> {
        self.bases.iter().map(|base| base.map(key)).collect()
    }
}
