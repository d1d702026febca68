//! Values that go from lane to lane: the register of this lane, or of another by a shuffle.
//!
//! ```text
//! a row of %a0, %a1, cyclic: lane i has columns i and 32 + i; it wants column i + 30
//!
//!     lanes 0, 1        want register 0 of lanes 30, 31         %r = select %lane >= 30, %a0, %a1      what others want of this lane
//!     lanes 2 ... 31    want register 1 of lanes 0 ... 29  ──▶  gpu.shuffle idx %r, (%lane + 30) mod 32
//! ```
//!
//! Figure 7c of the PolyMage-GPU paper shuffles twice and selects in the reader; here the lane that *has* the value selects which
//! of its two registers the reader wants, and one shuffle brings it. A read may go any number of columns far.
//!
//! Of another resolution the lanes want columns further apart, or the same column twice:
//!
//! ```text
//! lane i wants column 2 i + 5 of %a0, %a1, %a2                     %0 = shuffle <select %lane >= 5, %a0, %a1> from (2 %lane + 5) mod 32
//!     lanes 0 to 15     columns 5 to 35 of lanes 5, 7, ...   ──▶  %1 = shuffle <select %lane >= 5, %a1, %a2> from there
//!     lanes 16 to 31    columns 37 to 67 of the same lanes         select %lane < 16, %0, %1
//!
//! lane i wants column i floordiv 2 + 20 of %a0, %a1           ──▶  shuffle <select %lane >= 20, %a0, %a1> from (%lane / 2 + 20) mod 32
//! ```

use super::{
    lanes::{LANES, Lanes},
    memo::Memo,
};
use crate::ir::{Builder, Key, key};
use melior::ir::{Type, Value, ValueLike};
use std::cell::Cell;
use weft_dialects::warp::Layout;
use weft_model::Form;

/// The exchange of values between the lanes of a warp.
pub struct Exchange<'t, 'c, 'a> {
    lanes: &'t Lanes<'c, 'a>,
    /// Shuffled values that are known where code goes.
    moved: Memo<(Key, Result<i64, Key>), Value<'c, 'a>>,
    /// Choices between two registers, known there too.
    chosen: Memo<(Key, Key, i64), Value<'c, 'a>>,
    shuffles: Cell<usize>,
    own: Cell<usize>,
}

/// Where a shuffle takes its value from.
#[derive(Clone, Copy)]
pub enum Origin<'c, 'a> {
    /// The lane so many to the right.
    Right(i64),
    /// The lane of that number, an i32.
    Lane(Value<'c, 'a>),
}

impl<'t, 'c: 'a, 'a> Exchange<'t, 'c, 'a> {
    pub fn new(lanes: &'t Lanes<'c, 'a>) -> Self {
        Self { lanes, moved: Memo::default(), chosen: Memo::default(), shuffles: Cell::new(0), own: Cell::new(0) }
    }

    /// Code goes into a loop from here on.
    pub fn enter(&self) {
        self.moved.clear();
        self.chosen.clear();
    }

    /// How many shuffles were made.
    pub fn shuffles(&self) -> usize {
        self.shuffles.get()
    }

    /// How many reads were of a lane's own registers.
    pub fn own(&self) -> usize {
        self.own.get()
    }

    /// What a lane wants of a row of registers, of which lane 0 wants column `at`: the lanes behind it want those that are as many
    /// of their own columns further.
    pub fn fetch(&self, b: &Builder<'c, 'a>, layout: Layout, row: &[Value<'c, 'a>], at: i64) -> Value<'c, 'a> {
        let columns = row.len() as i64;
        if matches!(layout, Layout::Blocked(_)) {
            let (lanes, register) = (at.div_euclid(columns), row[at.rem_euclid(columns) as usize]);
            return match lanes {
                -31..=31 if lanes != 0 => self.bring(b, register, Origin::Right(lanes)),
                _ => self.keep(register),
            };
        }
        // Beyond the row is nothing that counts.
        let register = |j: i64| row[j.clamp(0, columns - 1) as usize];
        let (chunk, shift) = (at.div_euclid(LANES), at.rem_euclid(LANES));
        if shift == 0 {
            return self.keep(register(chunk));
        }
        let wanted = self.choose(b, register(chunk), register(chunk + 1), shift);
        self.bring(b, wanted, Origin::Lane(self.lanes.plus(shift)))
    }

    /// The same of a row of cyclic lanes of which lane `i` wants the column that `column` says of `i`.
    ///
    /// Lanes whose columns are fewer than 32 apart want registers of different lanes, so one shuffle serves them, and the lanes that are
    /// left get theirs by the next one.
    pub fn fetch_sampled(&self, b: &Builder<'c, 'a>, row: &[Value<'c, 'a>], column: Form) -> Value<'c, 'a> {
        // Beyond the row is nothing that counts.
        let register = |j: i64| row[j.clamp(0, row.len() as i64 - 1) as usize];
        let mut served = 0;
        let mut fetched = None;
        while served < LANES {
            let first = column.at(served);
            let end = (served..LANES).find(|lane| column.at(*lane) - first >= LANES).unwrap_or(LANES);
            let (chunk, last) = (first.div_euclid(LANES), column.at(end - 1).div_euclid(LANES));
            let wanted = self.choose(b, register(chunk), register(last), first.rem_euclid(LANES));
            let moved = self.bring(b, wanted, Origin::Lane(self.lanes.sampled(column)));
            fetched = Some(match fetched {
                None => moved,
                Some(before) if before == moved => before,
                Some(before) => b.select(self.lanes.below(served), before, moved, moved.r#type()),
            });
            served = end;
        }
        fetched.expect("a warp has lanes")
    }

    /// A lane's own register.
    pub fn keep(&self, register: Value<'c, 'a>) -> Value<'c, 'a> {
        self.own.set(self.own.get() + 1);
        register
    }

    /// `here` in the lanes that `shift` lanes left want this register of, `next` in those that want the one after.
    fn choose(&self, b: &Builder<'c, 'a>, here: Value<'c, 'a>, next: Value<'c, 'a>, shift: i64) -> Value<'c, 'a> {
        if here == next {
            return here;
        }
        self.chosen
            .or_make((key(here), key(next), shift), || b.select(self.lanes.at_least(shift), here, next, here.r#type()))
    }

    /// A shuffle, made once.
    pub fn bring(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, from: Origin<'c, 'a>) -> Value<'c, 'a> {
        let lane = match from {
            Origin::Right(lanes) => Ok(lanes),
            Origin::Lane(lane) => Err(key(lane)),
        };
        self.moved.or_make((key(value), lane), || self.shuffle(b, value, from))
    }

    /// A shuffle of any element type: hardware moves 32 bits.
    pub fn shuffle(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, from: Origin<'c, 'a>) -> Value<'c, 'a> {
        let ty = value.r#type();
        let i32_type = b.parse_type("i32");
        let integer = |bits: i64| b.parse_type(&format!("i{bits}"));
        let cast = |op: &str, value: Value<'c, 'a>, to: Type<'c>| b.value(&format!("arith.{op}"), &[value], to, &[]);
        let text = ty.to_string();
        let bits: i64 = text[1..].parse().expect("elements are f16 to f64 and i8 to i64");
        match bits {
            32 => self.shuffle_word(b, value, from),
            64 => {
                let whole = if text.starts_with('f') { cast("bitcast", value, integer(64)) } else { value };
                let by = b.value("arith.constant", &[], integer(64), &[("value", b.parse_attribute("32 : i64"))]);
                let high = b.value("arith.shrui", &[whole, by], integer(64), &[]);
                let low = self.shuffle_word(b, cast("trunci", whole, i32_type), from);
                let high = self.shuffle_word(b, cast("trunci", high, i32_type), from);
                let high = b.value("arith.shli", &[cast("extui", high, integer(64)), by], integer(64), &[]);
                let whole = b.value("arith.ori", &[high, cast("extui", low, integer(64))], integer(64), &[]);
                if text.starts_with('f') { cast("bitcast", whole, ty) } else { whole }
            }
            bits => {
                let narrow = if text.starts_with('f') { cast("bitcast", value, integer(bits)) } else { value };
                let moved = self.shuffle_word(b, cast("extui", narrow, i32_type), from);
                let narrow = cast("trunci", moved, integer(bits));
                if text.starts_with('f') { cast("bitcast", narrow, ty) } else { narrow }
            }
        }
    }

    fn shuffle_word(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, from: Origin<'c, 'a>) -> Value<'c, 'a> {
        self.shuffles.set(self.shuffles.get() + 1);
        let (mode, lane) = match from {
            Origin::Lane(lane) => ("idx", lane),
            Origin::Right(lanes) => (if lanes > 0 { "down" } else { "up" }, self.lanes.word(lanes.abs())),
        };
        let mode = b.parse_attribute(&format!("#gpu<shuffle_mode {mode}>"));
        let operands = [value, lane, self.lanes.word(LANES)];
        let op = b.op("gpu.shuffle", &operands, &[value.r#type(), b.parse_type("i1")], &[("mode", mode)]);
        op.result(0).expect("built with two results").into()
    }
}
