//! Entry checks: what could not be checked at compile time, because extents are not known then, becomes `cf.assert` before the work.
//!
//! ```text
//! stage "s" over [0, %n)                                  n <= w - 3, or there is no point
//!   load %img[%x + 3] : tensor<?xf32>      ──▶            %last = arith.addi %w, %c-3
//!                                                         %in = arith.cmpi sle, %n, %last      %none = arith.cmpi eq, %n, %c0
//!                                                         cf.assert (%in or %none), "f.mlir:3:8: index #0 (x + 3) of ..."
//! ```
//!
//! A condition that follows from what is known gets no code: extents of memory are not negative, and what was asserted holds from
//! there on, so each condition is asserted once, with the place of who needs it first. Code is made for what is asserted only.
//!
//! Lowerings make them of what they find. Who takes a unit out of a program before that makes those of the unit, of tensors then: the
//! program is right or wrong as it was written. Such a check says what is wrong, and when it is lowered also where, and what it expects.

use super::terms::{Term, Terms, whole_of};
use super::{access, condition::Condition, domain};
use crate::ir::{Builder, Compare, Division, Number, constant_bool, constant_index, division_of, is, width_of_integer};
use melior::{
    Context,
    ir::{
        Location, OperationRef, Value, ValueLike,
        attribute::StringAttribute,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, ir, run::place};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Iterate, Load, Scatter, Unit};
use weft_model::{Arith, Expr, Range, range_of};

const TOO_MANY_POINTS: &str = "an image has more points than a kernel can index (2147483647)";

/// What kernels compute indices in has 32 bits.
const MOST_POINTS: i64 = i32::MAX as i64;

/// What an image in main memory has at most, so that nobody who counts its bytes, or those of a tile of it for each thread, loses bits.
/// More than there is memory for.
const MOST_POINTS_OF_HOST: i64 = 1 << 44;

/// The checks of a function, so far.
pub struct EntryChecks<'c, 'a> {
    /// Inserts where the checks go.
    builder: Builder<'c, 'a>,
    /// Whether the program is lowered from tensors to memory later, which completes messages.
    on_tensors: bool,
    terms: Terms<'c, 'a>,
    /// Conditions of which at least one holds, as they were asserted.
    asserted: HashSet<Vec<Comparison>>,
    made: HashMap<Comparison, Value<'c, 'a>>,
}

/// `left <op> right`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Comparison {
    op: Compare,
    left: Term,
    right: Term,
}

impl Comparison {
    /// A comparison with at most one constant: behind a number that is known, or less than nothing, which does not overflow.
    fn new(op: Compare, left: Term, right: Term) -> Self {
        let (op, left, right) = match (left.node, right.node) {
            (None, Some(_)) => {
                // Of those without a sign there are none here.
                let mirrored = match op {
                    Compare::LessEqual => Compare::GreaterEqual,
                    Compare::GreaterEqual => Compare::LessEqual,
                    Compare::Less => Compare::Greater,
                    Compare::Greater => Compare::Less,
                    op => op,
                };
                (mirrored, right, left)
            }
            _ => (op, left, right),
        };
        let less = right.plus.saturating_sub(left.plus);
        let (left, right) = (Term { plus: 0, ..left }, Term { plus: 0, ..right });
        if right.node.is_none() || less <= 0 {
            Self { op, left, right: right.plus(less) }
        } else {
            Self { op, left: left.plus(less.saturating_neg()), right }
        }
    }

    fn equal(left: Term, right: Term) -> Self {
        Self::new(Compare::Equal, left, right)
    }

    fn at_least(left: Term, right: Term) -> Self {
        Self::new(Compare::GreaterEqual, left, right)
    }

    fn at_most(left: Term, right: Term) -> Self {
        Self::new(Compare::LessEqual, left, right)
    }
}

/// The number that a value is a part of, rounded down: it is negative where the value is. `--time-tile` divides numbers of steps.
fn dividend_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let floored = ir::defining_op(value).filter(|op| is(*op, "arith.floordivsi"));
    let dividend = floored.and_then(|op| {
        let by = constant_index(ir::operand(op, 1)?)?;
        ir::operand(op, 0).filter(|_| by > 0)
    });
    dividend.map_or(value, dividend_of)
}

/// The extents of an image.
pub type Extents<'f, 'c, 'a> = &'f dyn Fn(Value<'c, 'a>) -> Vec<Number<'c, 'a>>;

impl<'c: 'a, 'a> EntryChecks<'c, 'a> {
    /// No checks yet; they will stand where `builder` inserts, in a program that is lowered.
    pub fn new(builder: Builder<'c, 'a>) -> Self {
        Self { builder, on_tensors: false, terms: Terms::default(), asserted: HashSet::new(), made: HashMap::new() }
    }

    /// The same, in a program that is still one of tensors.
    pub fn on_tensors(builder: Builder<'c, 'a>) -> Self {
        Self { on_tensors: true, ..Self::new(builder) }
    }

    /// An iterate has a number of steps, and its states keep their extents.
    pub fn iterate(&mut self, iterate: Iterate<'c, 'a>, extents: Extents<'_, 'c, 'a>) {
        let at = iterate.op().location();
        let steps = dividend_of(iterate.steps());
        let steps = self.terms.of(steps.into());
        self.require(at, Comparison::at_least(steps, Term::known(0)), || {
            format!("iterate \"{}\" has a negative number of steps", iterate.name())
        });
        let next = iterate.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>());
        for (number, (state, next)) in iterate.states().into_iter().zip(next).enumerate() {
            for (dimension, (was, is)) in extents(state).into_iter().zip(extents(next)).enumerate() {
                let (was, is) = (self.terms.of(was), self.terms.of(is));
                self.require(at, Comparison::equal(is, was), || {
                    format!(
                        "state #{number} of iterate \"{}\" gets another extent in dimension {dimension}",
                        iterate.name()
                    )
                });
            }
        }
    }

    /// A unit has extents that can be, as large as they are needed, and its loads find what they read.
    pub fn unit(&mut self, unit: Unit<'c, 'a>, extents: Extents<'_, 'c, 'a>) {
        let at = unit.op().location();
        let own: Vec<Number> = unit.extents().into_iter().map(Number::from).collect();
        self.not_negative(unit, &own);
        for (dimension, ((_, hi), extent)) in unit.needed().unwrap_or_default().into_iter().zip(&own).enumerate() {
            let Some(hi) = hi else { continue };
            let extent = self.terms.of(*extent);
            self.require(at, Comparison::at_least(extent, Term::known(hi)), || {
                format!("{} is needed beyond its extent in dimension {dimension}", called(unit))
            });
        }
        let domain = Scatter::of(unit.op()).map(Scatter::domain).unwrap_or_default();
        for (dimension, (start, end)) in domain.into_iter().enumerate() {
            let end = self.terms.of(end.into());
            self.require(at, Comparison::at_least(end, Term::known(start)), || {
                format!("{} has a domain that ends before it begins in dimension {dimension}", called(unit))
            });
        }
        for load in ir::walk(unit.op()).into_iter().filter_map(Load::of) {
            self.load(unit, load, extents);
        }
    }

    /// No extent of a unit's images is negative.
    pub fn not_negative(&mut self, unit: Unit<'c, 'a>, extents: &[Number<'c, 'a>]) {
        for (dimension, extent) in extents.iter().enumerate() {
            let extent = self.terms.of(*extent);
            self.require(unit.op().location(), Comparison::at_least(extent, Term::known(0)), || {
                format!("{} has a negative extent in dimension {dimension}", called(unit))
            });
        }
    }

    /// A load stays inside its source where it must, and where a boundary mode brings it back there is something to read; unless
    /// the unit has no point.
    pub fn load(&mut self, unit: Unit<'c, 'a>, load: Load<'c, 'a>, extents: Extents<'_, 'c, 'a>) {
        let at = load.op().location();
        let source = extents(load.source());
        let Ok(access) = access::indices(load) else { return };
        let (bounds, domain) = self.domain(unit, load);
        for (dimension, (index, extent)) in access.iter().zip(source).enumerate() {
            let extent = self.terms.of(extent);
            if load.boundary() == Boundary::None {
                let range = range_of(index, &domain, &mut self.terms);
                let what = || {
                    let (names, unit) = (access::names(load), called(unit));
                    format!("index #{dimension} ({}) of {unit} leaves its source", index.fmt_with(&names))
                };
                self.require_over(at, &bounds, Comparison::at_least(range.lo, Term::known(0)), what);
                self.require_over(at, &bounds, Comparison::at_most(range.hi, extent.plus(-1)), what);
            } else {
                let has_points = Comparison::new(Compare::Greater, extent, Term::known(0));
                self.require_over(at, &bounds, has_points, || {
                    format!("{} reads a source without points in dimension {dimension}", called(unit))
                });
            }
        }
    }

    /// What the arguments of a unit's body run over, half-open; the same closed, and behind it what the variables of a load do.
    fn domain(&mut self, unit: Unit<'c, 'a>, load: Load<'c, 'a>) -> (Vec<(i64, Term)>, Vec<Range<Term>>) {
        let bounds: Vec<(i64, Term)> =
            domain::bounds(unit).into_iter().map(|(start, end)| (start, self.terms.of(end))).collect();
        let mut domain: Vec<Range<Term>> =
            bounds.iter().map(|(start, end)| Range::new(Term::known(*start), end.plus(-1))).collect();
        // A computed index has a boundary mode: where it goes needs no check.
        domain.extend(access::variables(load).into_iter().map(|variable| {
            let range = variable.range.unwrap_or(Range::new(0, 0));
            Range::new(Term::known(range.lo), Term::known(range.hi))
        }));
        (bounds, domain)
    }

    /// A kernel computes indices in 32 bits, before their boundary mode too. Sums and products may leave them on the way, which changes no
    /// bit of what is left; what is divided may not. What extents leave open is not asked.
    ///
    /// # Errors
    ///
    /// What is known to be wider.
    pub fn index_widths(&mut self, unit: Unit<'c, 'a>, load: Load<'c, 'a>) -> Result<(), Diagnostic<'c>> {
        let Ok(access) = access::indices(load) else { return Ok(()) };
        let (bounds, domain) = self.domain(unit, load);
        if bounds.iter().any(|(start, end)| self.known(Comparison::at_most(*end, Term::known(*start))) == Some(true)) {
            return Ok(());
        }
        let fits = |number: i64| i32::try_from(number).is_ok();
        for (dimension, index) in access.iter().enumerate() {
            let fail = |what: String| {
                let names = access::names(load);
                let index = format!("index #{dimension} ({}) of {}", index.fmt_with(&names), called(unit));
                Err(Diagnostic::on(load.op(), format!("{index} {what}, beyond the 32 bits of a kernel's indices")))
            };
            let mut whole = vec![index];
            for part in index.parts() {
                match part {
                    Expr::Mul(_, by) if !fits(*by) => return fail(format!("multiplies by {by}")),
                    Expr::FloorDiv(_, by) | Expr::CeilDiv(_, by) | Expr::Mod(_, by) if !fits(*by) => {
                        return fail(format!("divides by {by}"));
                    }
                    Expr::FloorDiv(divided, _) | Expr::CeilDiv(divided, _) | Expr::Mod(divided, _) => {
                        whole.push(divided);
                    }
                    _ => {}
                }
            }
            for part in whole {
                let range = range_of(part, &domain, &mut self.terms);
                let wide = [range.lo, range.hi].into_iter().find(|end| end.node.is_none() && !fits(end.plus));
                if let Some(end) = wide {
                    return fail(format!("reaches {}", end.plus));
                }
            }
        }
        Ok(())
    }

    /// The memory for a result has the extents that the result will have.
    pub fn result(&mut self, index: usize, found: &[Number<'c, 'a>], expected: &[Number<'c, 'a>]) {
        for (dimension, (found, expected)) in found.iter().zip(expected).enumerate() {
            let (found, expected) = (self.terms.of(*found), self.terms.of(*expected));
            self.require(self.builder.location(), Comparison::equal(found, expected), || {
                format!("the memory for result #{index} has another extent in dimension {dimension} than the result")
            });
        }
    }

    /// The domain of a scatter has no more points than a kernel can index.
    ///
    /// # Errors
    ///
    /// More points, if that is known now.
    pub fn domain_size(&mut self, scatter: Scatter<'c, 'a>) -> Result<(), Diagnostic<'c>> {
        let extents: Vec<Term> =
            scatter.domain().into_iter().map(|(start, end)| self.terms.of(end.into()).plus(-start)).collect();
        self.number_of_points(scatter.op().location(), extents, || {
            format!("the domain of scatter \"{}\"", scatter.name())
        })
    }

    /// An image of these extents has no more points than a kernel can index.
    ///
    /// # Errors
    ///
    /// More points, if that is known now.
    pub fn image_size(
        &mut self,
        at: Location<'c>,
        extents: &[Number<'c, 'a>],
        what: impl FnOnce() -> String,
    ) -> Result<(), Diagnostic<'c>> {
        let extents = self.terms_of(extents);
        self.number_of_points(at, extents, what)
    }

    /// Memory for an image of these extents can be counted in bytes. `others` is memory that the caller has: what is as large is no
    /// question.
    ///
    /// # Errors
    ///
    /// More points, if that is known now.
    pub fn host_size(
        &mut self,
        at: Location<'c>,
        extents: &[Number<'c, 'a>],
        others: &[Vec<Number<'c, 'a>>],
        what: impl FnOnce() -> String,
    ) -> Result<(), Diagnostic<'c>> {
        let (known, open) = factors(self.terms_of(extents));
        if open.is_empty() {
            return match known > MOST_POINTS_OF_HOST {
                true => Err(Diagnostic::at(at, format!("{} has more than {MOST_POINTS_OF_HOST} points", what()))),
                false => Ok(()),
            };
        }
        if known == 0 || others.iter().any(|other| self.is_within(extents, other)) {
            return Ok(());
        }
        // Each factor is taken from what is left, which overflows nowhere.
        let mut left = Term::known(MOST_POINTS_OF_HOST / known);
        for extent in &open[1..] {
            let extent = self.terms.max(extent, &Term::known(1));
            left = self.terms.op("divsi", left, extent);
        }
        let found = Comparison::at_most(open[0], left);
        self.require(at, found, || format!("{} has more than {MOST_POINTS_OF_HOST} points", what()));
        Ok(())
    }

    fn terms_of(&mut self, extents: &[Number<'c, 'a>]) -> Vec<Term> {
        extents.iter().map(|extent| self.terms.of(*extent)).collect()
    }

    /// Whether an image has hardly more points than another one: each open extent is, or is a part of, one of the other's.
    fn is_within(&mut self, extents: &[Number<'c, 'a>], other: &[Number<'c, 'a>]) -> bool {
        let whole = |extent: &Number<'c, 'a>| match extent {
            Number::Value(value) => Number::Value(whole_of(*value)),
            known => *known,
        };
        let wholes: Vec<Number> = extents.iter().map(whole).collect();
        let ((known, open), (most, mut rest)) = (factors(self.terms_of(&wholes)), factors(self.terms_of(other)));
        let is_within = open.iter().all(|extent| {
            let as_large = rest.iter().position(|one| one.node == extent.node && one.plus >= extent.plus);
            as_large.map(|at| rest.swap_remove(at)).is_some()
        });
        is_within && rest.is_empty() && most > 0 && known / most <= 1 << 10
    }

    /// Checks that a box has no more points than a kernel can index, now or at entry.
    fn number_of_points(
        &mut self,
        at: Location<'c>,
        extents: Vec<Term>,
        what: impl FnOnce() -> String,
    ) -> Result<(), Diagnostic<'c>> {
        let (known, open) = factors(extents);
        if open.is_empty() {
            return if known > MOST_POINTS {
                let what = what();
                let message = format!("{what} has more than {MOST_POINTS} points, the most that a kernel can index");
                Err(Diagnostic::at(at, message))
            } else {
                Ok(())
            };
        }
        if known == 0 {
            return Ok(());
        }
        // Factors of 31 bits have a product of 62; more is cut off, before each factor. An image of no column may have any number of rows.
        let (mut points, most) = (open[0], Term::known(MOST_POINTS + 1));
        for extent in &open[1..] {
            let (so_far, extent) = (self.terms.min(&points, &most), self.terms.min(extent, &most));
            points = self.terms.op("muli", so_far, extent);
        }
        let conditions = vec![Comparison::at_most(points, Term::known(MOST_POINTS / known))];
        self.require_all(self.builder.location(), conditions, TOO_MANY_POINTS);
        Ok(())
    }

    /// Asserts a condition unless it is known to hold.
    fn require(&mut self, at: Location<'c>, condition: Comparison, what: impl FnOnce() -> String) {
        self.require_over(at, &[], condition, what);
    }

    /// Asserts a condition unless it is known to hold, or that one of these half-open intervals has no point.
    fn require_over(
        &mut self,
        at: Location<'c>,
        bounds: &[(i64, Term)],
        condition: Comparison,
        what: impl FnOnce() -> String,
    ) {
        let is_empty = |(start, end): &(i64, Term)| Comparison::equal(*end, Term::known(*start));
        let all: Vec<Comparison> = std::iter::once(condition).chain(bounds.iter().map(is_empty)).collect();
        if self.asserted.contains(&all) || all[1..].iter().any(|is_empty| self.known(*is_empty) == Some(true)) {
            return;
        }
        // From here on every interval has a point: an end that is not before its start is behind it.
        let mut before = Vec::new();
        for (start, end) in bounds {
            if self.terms.least(*end) >= Some(*start) {
                before.push((*end, self.terms.learn(*end, start + 1)));
            }
        }
        let known = self.known(condition);
        before.into_iter().rev().for_each(|(end, least)| self.terms.forget(end, least));
        if known == Some(true) {
            return;
        }
        let mut open: Vec<Comparison> = all.iter().copied().filter(|one| self.known(*one) != Some(false)).collect();
        open.dedup();
        let b = self.builder.located(at);
        let values: Vec<Value> = open.iter().map(|condition| self.compare(&b, *condition)).collect();
        let any = values.into_iter().reduce(|any, one| b.logic("ori", any, one));
        let any = any.unwrap_or_else(|| b.truth(false));
        self.assert(&b, any, &what());
        self.asserted.insert(all);
        if let [condition] = open[..] {
            self.note(condition);
        }
    }

    /// Asserts conditions, those that are not known to hold, at once.
    fn require_all(&mut self, at: Location<'c>, mut conditions: Vec<Comparison>, what: &str) {
        conditions.retain(|condition| self.known(*condition) != Some(true));
        let b = self.builder.located(at);
        let values: Vec<Value> = conditions.iter().map(|condition| self.compare(&b, *condition)).collect();
        if let Some(all) = values.into_iter().reduce(|all, one| b.logic("andi", all, one)) {
            self.assert(&b, all, what);
        }
        conditions.into_iter().for_each(|condition| self.note(condition));
    }

    fn assert(&self, b: &Builder<'c, 'a>, condition: Value<'c, 'a>, what: &str) {
        if self.on_tensors { assert_saying(b, condition, what) } else { assert(b, condition, what) }
    }

    /// Code for a condition, made once.
    fn compare(&mut self, b: &Builder<'c, 'a>, condition: Comparison) -> Value<'c, 'a> {
        if let Some(value) = self.made.get(&condition) {
            return *value;
        }
        let (left, right) = (self.terms.value(condition.left, b), self.terms.value(condition.right, b));
        let value = b.compare(condition.op, left, right);
        self.made.insert(condition, value);
        value
    }

    /// Remembers that a condition holds.
    fn note(&mut self, condition: Comparison) {
        let Comparison { op, left, right } = condition;
        let least = match op {
            Compare::Equal | Compare::GreaterEqual => Some(right.plus),
            Compare::Greater => right.plus.checked_add(1),
            _ => None,
        };
        if let Some(least) = least.filter(|_| right.node.is_none()) {
            self.terms.learn(left, least);
        }
        self.asserted.insert(vec![condition]);
    }

    /// Whether a condition holds, as far as that is known now.
    fn known(&self, condition: Comparison) -> Option<bool> {
        let Comparison { op, left, right } = condition;
        if left.node == right.node {
            return Some(op.holds(left.plus, right.plus));
        }
        if self.asserted.contains(&[condition][..]) {
            return Some(true);
        }
        let least = self.terms.least(left).filter(|_| right.node.is_none())?;
        match op {
            Compare::GreaterEqual => (least >= right.plus).then_some(true),
            Compare::Greater => (least > right.plus).then_some(true),
            Compare::Equal => (least > right.plus).then_some(false),
            _ => None,
        }
    }
}

/// Extents as one number that is known, and the others.
fn factors(extents: Vec<Term>) -> (i64, Vec<Term>) {
    let (known, open): (Vec<Term>, Vec<Term>) = extents.into_iter().partition(|extent| extent.node.is_none());
    (known.iter().fold(1i64, |product, extent| product.saturating_mul(extent.plus)), open)
}

/// Checks a division of the program's own numbers, before it: what has no meaning ends no process.
pub fn division<'c: 'a, 'a>(context: &'c Context, op: OperationRef<'c, 'a>) {
    let Some(Division { has_sign, .. }) = division_of(op) else { return };
    let Some((number, divisor)) = ir::operand(op, 0).zip(ir::operand(op, 1)) else { return };
    let b = Builder::before(context, op).located(op.location());
    let ty = divisor.r#type();
    let known = constant_index(divisor);
    if known.is_none_or(|divisor| divisor == 0) {
        let zero = b.integer(ty, &[0]);
        assert(&b, b.compare(Compare::NotEqual, divisor, zero), "a division by zero");
    }
    if has_sign && known.is_none_or(|divisor| divisor == -1) {
        let bits = width_of_integer(ty).min(64);
        let least = b.compare(Compare::NotEqual, number, b.integer(ty, &[i64::MIN >> (64 - bits)]));
        let other = b.compare(Compare::NotEqual, divisor, b.integer(ty, &[-1]));
        assert(&b, b.logic("ori", least, other), "a quotient that its type does not hold");
    }
}

/// A check of the program's own says where it stands and what it asks, as the others do.
pub fn own<'c: 'a, 'a>(context: &'c Context, op: OperationRef<'c, 'a>) {
    if !is(op, "cf.assert") {
        return;
    }
    let said = op.attribute("msg").ok().and_then(ir::text_of);
    if let Some((condition, said)) = ir::operand(op, 0).zip(said) {
        let message = message_of(op.location(), condition, said);
        ir::mutable(op).set_attribute("msg", StringAttribute::new(context, &message).into());
    }
}

fn message_of(at: Location, condition: Value, what: &str) -> String {
    let expected = Condition::of(condition).and_then(|condition| condition.text());
    let expected = expected.map_or_else(String::new, |expected| format!(", expected {expected}"));
    format!("{}: {what}{expected}", place(at))
}

/// How checks call a unit.
fn called(unit: Unit) -> String {
    format!("{} \"{}\"", unit.kind(), unit.name())
}

fn assert<'c: 'a, 'a>(b: &Builder<'c, 'a>, condition: Value<'c, 'a>, what: &str) {
    assert_saying(b, condition, &message_of(b.location(), condition, what));
}

fn assert_saying<'c: 'a, 'a>(b: &Builder<'c, 'a>, condition: Value<'c, 'a>, message: &str) {
    if constant_bool(condition) == Some(true) {
        return;
    }
    b.op("cf.assert", &[condition], &[], &[("msg", b.string_attribute(message))]);
}
