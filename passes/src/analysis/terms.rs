//! Numbers as terms: what stands for the same number is the same term, and code for one is made where it is asked for, once.
//!
//! ```text
//! %n - 1 + 3   and   %m + 2 where %m = arith.addi %n, %c0      are both     (number of %n) + 2
//! ```

use crate::ir::{Builder, Key, Number, constant_index, is, key};
use melior::ir::Value;
use mlir_glue::ir;
use std::collections::HashMap;
use weft_model::{Arith, Ints};

/// A number: that of a node, or nothing, and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term {
    /// What is not known now.
    pub node: Option<usize>,
    /// What is added to it.
    pub plus: i64,
}

impl Term {
    /// A number that is known.
    pub fn known(number: i64) -> Self {
        Self { node: None, plus: number }
    }

    /// The same without its constant.
    fn bare(self) -> Self {
        Self { plus: 0, ..self }
    }

    /// A number more.
    pub fn plus(self, number: i64) -> Self {
        Self { plus: Ints.add(&self.plus, &number), ..self }
    }
}

/// How a number that is not known now comes to be: from values of the IR, or by an op of two terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Value(Key),
    Op(&'static str, Term, Term),
}

/// Terms, and code for those that were asked for.
#[derive(Default)]
pub struct Terms<'c, 'a> {
    origins: Vec<Origin>,
    nodes: HashMap<Origin, usize>,
    /// What is known not to be below a number.
    least: HashMap<usize, i64>,
    values: HashMap<Key, Term>,
    made: HashMap<Term, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Terms<'c, 'a> {
    /// The term of a number.
    pub fn of(&mut self, number: Number<'c, 'a>) -> Term {
        let value = match number {
            Number::Known(number) => return Term::known(number),
            Number::Value(value) => value,
        };
        if let Some(term) = self.values.get(&key(value)) {
            return *term;
        }
        let term = self.shifted(value).unwrap_or_else(|| {
            let term = self.node(Origin::Value(key(value)));
            if is_natural(value) {
                self.learn(term, 0);
            }
            term
        });
        self.values.insert(key(value), term);
        self.made.entry(term).or_insert(value);
        term
    }

    /// The term of a natural number less a constant. One more than a natural number may be none, since arithmetic wraps.
    fn shifted(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        let op = ir::defining_op(value)?;
        let by = ir::operand(op, 1).and_then(constant_index)?;
        let less = match ir::name_of(op) {
            "arith.subi" => by,
            "arith.addi" => by.checked_neg()?,
            _ => return None,
        };
        let from = self.of(Number::Value(ir::operand(op, 0)?));
        (less >= 0 && self.least(from) >= Some(0)).then(|| from.plus(-less))
    }

    /// The term of what an op of `arith` makes of two.
    pub fn op(&mut self, name: &'static str, a: Term, b: Term) -> Term {
        self.node(Origin::Op(name, a, b))
    }

    fn node(&mut self, origin: Origin) -> Term {
        let node = *self.nodes.entry(origin).or_insert_with(|| {
            self.origins.push(origin);
            self.origins.len() - 1
        });
        Term { node: Some(node), plus: 0 }
    }

    /// A number that a term is known not to be below.
    pub fn least(&self, term: Term) -> Option<i64> {
        match term.node {
            Some(node) => Some(Ints.add(self.least.get(&node)?, &term.plus)),
            None => Some(term.plus),
        }
    }

    /// Notes that a term is at least so much; what was known of it before.
    pub fn learn(&mut self, term: Term, least: i64) -> Option<i64> {
        let before = self.least(term);
        if let Some(node) = term.node.filter(|_| before < Some(least)) {
            self.least.insert(node, Ints.add(&least, &-term.plus));
        }
        before
    }

    /// Takes back what was [noted](Self::learn).
    pub fn forget(&mut self, term: Term, before: Option<i64>) {
        let Some(node) = term.node else { return };
        match before {
            Some(least) => _ = self.least.insert(node, Ints.add(&least, &-term.plus)),
            None => _ = self.least.remove(&node),
        }
    }

    /// Code for a term.
    pub fn value(&mut self, term: Term, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        if let Some(value) = self.made.get(&term) {
            return *value;
        }
        let value = match term.node.map(|node| self.origins[node]) {
            None => b.index(term.plus),
            Some(_) if term.plus != 0 => {
                let (bare, plus) = (self.value(term.bare(), b), self.value(Term::known(term.plus), b));
                b.arith("addi", bare, plus)
            }
            Some(Origin::Op(name, left, right)) => {
                let (left, right) = (self.value(left, b), self.value(right, b));
                b.arith(name, left, right)
            }
            Some(Origin::Value(_)) => unreachable!("what is a value was made before its term"),
        };
        self.made.insert(term, value);
        value
    }
}

impl<'c: 'a, 'a> Arith for Terms<'c, 'a> {
    type V = Term;
    fn constant(&mut self, v: i64) -> Term {
        Term::known(v)
    }
    fn add(&mut self, a: &Term, b: &Term) -> Term {
        match (a.node, b.node) {
            (_, None) => a.plus(b.plus),
            (None, _) => b.plus(a.plus),
            _ => self.node(Origin::Op("addi", a.bare(), b.bare())).plus(a.plus).plus(b.plus),
        }
    }
    fn mul(&mut self, a: &Term, c: i64) -> Term {
        match a.node {
            _ if c == 1 => *a,
            None => Term::known(Ints.mul(&a.plus, c)),
            Some(_) => self.node(Origin::Op("muli", a.bare(), Term::known(c))).plus(Ints.mul(&a.plus, c)),
        }
    }
    fn floor_div(&mut self, a: &Term, c: i64) -> Term {
        match a.node {
            _ if c == 1 => *a,
            None => Term::known(Ints.floor_div(&a.plus, c)),
            Some(_) => self.node(Origin::Op("floordivsi", *a, Term::known(c))),
        }
    }
    fn modulo(&mut self, a: &Term, c: i64) -> Term {
        // arith.remsi takes the sign of the dividend: a - c * floor(a / c) does not.
        let quotient = self.floor_div(a, c);
        let rounded = self.mul(&quotient, -c);
        self.add(a, &rounded)
    }
    fn min(&mut self, a: &Term, b: &Term) -> Term {
        match (a.node, b.node) {
            (x, y) if x == y => Term { node: x, plus: a.plus.min(b.plus) },
            _ => self.node(Origin::Op("minsi", *a, *b)),
        }
    }
    fn max(&mut self, a: &Term, b: &Term) -> Term {
        match (a.node, b.node) {
            (x, y) if x == y => Term { node: x, plus: a.plus.max(b.plus) },
            _ => self.node(Origin::Op("maxsi", *a, *b)),
        }
    }
    fn as_constant(&self, v: &Term) -> Option<i64> {
        v.node.is_none().then_some(v.plus)
    }
}

/// Whether a value is known to be no less than 0: an extent of memory, or a part of such.
fn is_natural(value: Value) -> bool {
    let Some(op) = ir::defining_op(value) else { return false };
    if is(op, "memref.dim") || is(op, "tensor.dim") {
        return true;
    }
    let operand = |number| ir::operand(op, number);
    let by = operand(1).and_then(constant_index);
    match (ir::name_of(op), by) {
        ("arith.divsi" | "arith.divui" | "arith.floordivsi", Some(1..))
        | ("arith.ceildivsi" | "arith.ceildivui", Some(1..))
        | ("arith.shrsi" | "arith.shrui", Some(0..=63)) => operand(0).is_some_and(is_natural),
        ("arith.remui", Some(1..)) => true,
        _ => false,
    }
}

/// The number that a value is a whole-numbered part of, as levels of a pyramid have parts of an image's extents: `n` of
/// `(n + c) / d`, where 0 <= c < d and n is natural. Else the value.
pub fn whole_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let operands = |value| ir::defining_op(value).and_then(|op| Some((op, ir::operand(op, 0)?, ir::operand(op, 1)?)));
    let Some((op, dividend, by)) = operands(value) else { return value };
    let room = match (ir::name_of(op), constant_index(by)) {
        ("arith.divsi" | "arith.divui" | "arith.floordivsi", Some(by @ 1..)) => by - 1,
        ("arith.ceildivsi" | "arith.ceildivui", Some(1..)) => 0,
        ("arith.shrsi" | "arith.shrui", Some(by @ 0..=62)) => (1 << by) - 1,
        _ => return value,
    };
    let number = match operands(dividend) {
        Some((op, number, more)) if is(op, "arith.addi") => {
            constant_index(more).filter(|more| (0..=room).contains(more)).map(|_| number)
        }
        _ => None,
    };
    let number = number.unwrap_or(dividend);
    let whole = whole_of(number);
    if whole != number || is_natural(number) { whole } else { value }
}
