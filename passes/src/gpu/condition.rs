//! What is known of a condition before the kernel runs: always true, never, or a value that says so.

use crate::ir::{Builder, Compare, Number};
use melior::ir::Value;

/// A condition of a kernel.
pub enum Condition<'c, 'a> {
    /// It holds, whoever asks.
    Always,
    /// It does not.
    Never,
    /// It holds where this `i1` does.
    If(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Condition<'c, 'a> {
    /// And this, too.
    pub fn and(self, b: &Builder<'c, 'a>, other: Value<'c, 'a>) -> Self {
        match self {
            Self::Always => Self::If(other),
            Self::Never => Self::Never,
            Self::If(before) => Self::If(b.named("inside").logic("andi", before, other)),
        }
    }

    /// And this comparison, which is made now where both numbers are known.
    pub fn and_compare(
        self,
        b: &Builder<'c, 'a>,
        compare: Compare,
        left: Number<'c, 'a>,
        right: Number<'c, 'a>,
    ) -> Self {
        match (self, left, right) {
            (Self::Never, ..) => Self::Never,
            (before, Number::Known(left), Number::Known(right)) if compare.holds(left, right) => before,
            (_, Number::Known(_), Number::Known(_)) => Self::Never,
            (before, ..) => before.and(b, b.compare(compare, left.value(b), right.value(b))),
        }
    }
}
