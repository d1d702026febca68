//! What a lane knows of itself: its number, and what follows from that. Made once, before all rows.
//!
//! ```text
//! Lanes::at_least(3)                    %lane = gpu.lane_id
//! Lanes::at_least(3)            ──▶     %from_lane3 = arith.cmpi sge, %lane, %c3
//! Lanes::plus(1)                        %lane.plus1 = arith.index_cast <arith.remui <arith.addi %lane, %c1>, %c32>
//! ```

use super::memo::Memo;
use crate::ir::{Builder, Compare, Emit, Key, Number, key};
use melior::ir::Value;
use weft_model::{Arith, Form};

/// How many lanes a warp has.
pub const LANES: i64 = 32;

/// The lanes of a warp, as each of them sees itself.
pub struct Lanes<'c, 'a> {
    /// Where what all rows share is put.
    pub top: Builder<'c, 'a>,
    /// The lane's number.
    pub number: Value<'c, 'a>,
    made: Memo<OfLane, Value<'c, 'a>>,
}

/// What follows from a lane's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum OfLane {
    AtLeast(i64),
    Below(i64),
    Plus(i64),
    Sampled(Form),
    Word(i64),
    Both(Key, Key),
}

impl<'c: 'a, 'a> Lanes<'c, 'a> {
    pub fn new(top: Builder<'c, 'a>) -> Self {
        let number = top.named("lane").value("gpu.lane_id", &[], top.index_type(), &[]);
        Self { top, number, made: Memo::default() }
    }

    /// Whether it is `lane` or one behind it.
    pub fn at_least(&self, lane: i64) -> Value<'c, 'a> {
        self.made.or_make(OfLane::AtLeast(lane), || {
            let b = self.top.named(&format!("from_lane{lane}"));
            b.compare(Compare::GreaterEqual, self.number, b.index(lane))
        })
    }

    /// Whether it is one before `lane`.
    pub fn below(&self, lane: i64) -> Value<'c, 'a> {
        self.made.or_make(OfLane::Below(lane), || {
            let b = self.top.named(&format!("below_lane{lane}"));
            b.compare(Compare::Less, self.number, b.index(lane))
        })
    }

    /// The number of the lane `shift` behind it, around the warp's end: an i32.
    pub fn plus(&self, shift: i64) -> Value<'c, 'a> {
        self.made.or_make(OfLane::Plus(shift), || {
            let b = self.top.named(&format!("lane.plus{shift}"));
            let sum = b.arith("addi", self.number, b.index(shift));
            to_word(&b, b.arith("remui", sum, b.index(LANES)))
        })
    }

    /// The number of the lane that has the column which this one reads, of columns that lanes have in turn: an i32.
    pub fn sampled(&self, column: Form) -> Value<'c, 'a> {
        // Whole rounds of lanes change nothing, and then nothing is negative.
        let column = Form { add: column.add.rem_euclid(LANES * column.div), ..column };
        self.made.or_make(OfLane::Sampled(column), || {
            let b = self.top.named("lane.sampled");
            let mut emit = Emit(&b);
            let times = emit.mul(&Number::Value(self.number), column.mul);
            let sum = emit.add(&times, &Number::Known(column.add)).value(&b);
            let whole = if column.div == 1 { sum } else { b.arith("divui", sum, b.index(column.div)) };
            to_word(&b, b.arith("remui", whole, b.index(LANES)))
        })
    }

    /// An i32 constant.
    pub fn word(&self, number: i64) -> Value<'c, 'a> {
        let b = &self.top;
        self.made.or_make(OfLane::Word(number), || {
            let value = b.parse_attribute(&format!("{number} : i32"));
            b.value("arith.constant", &[], b.parse_type("i32"), &[("value", value)])
        })
    }

    /// Both of two conditions that hold for all rows.
    pub fn both(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Value<'c, 'a> {
        self.made.or_make(OfLane::Both(key(one), key(other)), || self.top.named("mask").logic("andi", one, other))
    }
}

/// An index as an i32.
pub fn to_word<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
    b.value("arith.index_cast", &[index], b.parse_type("i32"), &[])
}
