//! `--tabulate`: numbers that a loop over vectors would compute anew for each of them are computed before it, into a table.
//!
//! ```text
//!                                                    %s = stacksave
//! for %x = %a to %b step 16 {                        %t = alloca : memref<8x1xi32>
//!   for %k = 0 to 8 {                                if %a < %b {
//!     %u = load %w[%k, 0] : i8                         for %k = 0 to 8 { %t[%k, 0] = ... %p } }
//!     %v = load %w[%k, 1] : i8              ──▶      for %x = %a to %b step 16 {
//!     %p = %u + (%v << 8)                              for %k = 0 to 8 {
//!     %q = broadcast %p                                  %q = broadcast (load %t[%k, 0]) ... } }
//!     ... %q, a vector for each row ... } }          stackrestore %s
//! ```
//!
//! Weights of small integers are packed before they are multiplied ([`dot_products`](super::dot_products)): three loads, shifts and sums for an
//! instruction or two with what comes out. They depend on the point of a window and on the plane, not on where along a row a vector lies. LLVM moves out of a
//! loop what is one number; these are as many as the loops inside have iterations.
//!
//! What a table is made from is in memory that nobody writes meanwhile. Where the loop has no iteration nothing is read.

use super::writes::{base, written};
use crate::ir::{Builder, Compare, Key, constant_index, is, is_inside, key, only_block};
use melior::{
    dialect::DialectHandle,
    ir::{
        OperationRef, Type, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::MemRefType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};
use weft_model::CACHE_LINE;

/// The pass.
pub struct Tabulate;

const TABLES: Statistic = Statistic::new(c"tables", c"Tables of what loops inside compute");
const NUMBERS: Statistic = Statistic::new(c"numbers", c"Numbers of an iteration that are read from one");

/// Iterations of the loops inside, at most: tables stay in the nearest cache.
const MOST: i64 = 512;

/// Ops that a number takes at least: others are no dearer than a load.
const FEWEST_OPS: usize = 4;

/// Uses of a number's vector: where it serves a row alone there is little else to do, as at edges.
const FEWEST_USES: usize = 2;

impl Pass for Tabulate {
    const ARGUMENT: &'static str = "tabulate";
    const SUMMARY: &'static str =
        "Compute numbers before loops over vectors that do not change with these, into tables";
    const DESCRIPTION: &'static str = "\
Where an `scf.for` holds loops of a known number of iterations, and these broadcast a number that takes four ops or more, a load among them, and \
depends on their indices alone, beside what is outside, to vectors that are used twice or more, the numbers of all iterations are computed before the outer loop. It goes behind \
`--vectorize` and `--dot-products`.";
    const STATISTICS: &'static [Statistic] = &[TABLES, NUMBERS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for nest in ir::walk(module).into_iter().filter_map(Nest::of).collect::<Vec<_>>() {
            let numbers = nest.numbers();
            if !numbers.is_empty() {
                cx.count(NUMBERS, numbers.len());
                cx.count(TABLES, nest.tabulate(cx, &numbers));
            }
        }
        Ok(())
    }
}

/// A loop of a known number of iterations.
struct Inner<'c, 'a> {
    index: Value<'c, 'a>,
    first: i64,
    count: i64,
}

impl<'c: 'a, 'a> Inner<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let bound = |operand| constant_index(ir::operand(op, operand)?);
        let [first, end, step] = [bound(0)?, bound(1)?, bound(2)?];
        let count = end.checked_sub(first).filter(|count| step == 1 && *count > 1)?;
        Some(Self { index: ir::arguments(only_block(op)).next()?, first, count })
    }
}

/// Such loops in each other, and one around them.
struct Nest<'c, 'a> {
    outer: OperationRef<'c, 'a>,
    /// Outermost first.
    inner: Vec<Inner<'c, 'a>>,
    innermost: OperationRef<'c, 'a>,
    /// Memory that is written inside.
    written: HashSet<Key>,
}

/// A number of an iteration.
struct Number<'c, 'a> {
    value: Value<'c, 'a>,
    /// What makes a vector of it.
    broadcast: OperationRef<'c, 'a>,
    /// What it is computed by, in order.
    ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// That of an innermost loop.
    fn of(innermost: OperationRef<'c, 'a>) -> Option<Self> {
        if !is(innermost, "scf.for") || ir::operations(only_block(innermost)).any(|op| op.region_count() > 0) {
            return None;
        }
        let mut inner = Vec::new();
        let mut outer = innermost;
        while let Some(known) = Inner::of(outer) {
            inner.push(known);
            outer = outer.parent_operation().filter(|op| is(*op, "scf.for"))?;
        }
        inner.reverse();
        let iterations = inner.iter().fold(1_i64, |all, inner| all.saturating_mul(inner.count));
        let is_small = !inner.is_empty() && iterations <= MOST;
        let written = (is_small && outer.result_count() == 0).then(|| written(outer)).flatten()?;
        Some(Self { outer, inner, innermost, written })
    }

    /// The numbers that are worth a table, each once.
    fn numbers(&self) -> Vec<Number<'c, 'a>> {
        let broadcasts = ir::operations(only_block(self.innermost)).filter(|op| is(*op, "vector.broadcast"));
        broadcasts.filter_map(|op| self.number(op)).collect()
    }

    fn number(&self, broadcast: OperationRef<'c, 'a>) -> Option<Number<'c, 'a>> {
        let value = ir::operand(broadcast, 0).filter(|value| ir::vector_element(value.r#type()).is_none())?;
        let mut needed: HashSet<Key> = HashSet::new();
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            let is_index = self.inner.iter().any(|inner| inner.index == value);
            if !is_index && is_inside(value, self.outer) && !needed.contains(&key(value)) {
                let op = ir::defining_op(value).filter(|op| self.is_same_for_all_vectors(*op))?;
                needed.insert(key(value));
                waiting.extend(op.operands());
            }
        }
        let is_needed = |op: &OperationRef| ir::result(*op, 0).is_some_and(|value| needed.contains(&key(value)));
        let ops: Vec<OperationRef> = ir::walk(self.outer).into_iter().filter(is_needed).collect();
        let uses = ir::uses(ir::result(broadcast, 0)?).len();
        let is_load = |op: &OperationRef| is(*op, "memref.load");
        (ops.len() >= FEWEST_OPS && ops.iter().any(is_load) && uses >= FEWEST_USES).then_some(Number {
            value,
            broadcast,
            ops,
        })
    }

    /// Whether an op computes, or loads what nobody writes.
    fn is_same_for_all_vectors(&self, op: OperationRef<'c, 'a>) -> bool {
        let is_read = || ir::operand(op, 0).is_some_and(|memory| !self.written.contains(&key(base(memory))));
        let is_one = op.region_count() == 0 && op.result_count() == 1;
        is_one && (ir::name_of(op).starts_with("arith.") || (is(op, "memref.load") && is_read()))
    }

    /// Puts the numbers into tables before the outer loop, one for each type; returns how many.
    fn tabulate(&self, cx: &PassContext<'c>, numbers: &[Number<'c, 'a>]) -> usize {
        let b = Builder::before(cx.context(), self.outer).located(self.outer.location());
        // The memory is gone behind the loop, which may stand in others. (A `memref.alloca_scope` says so, too, but MLIR lowers none that
        // holds a loop and is not the last of its block.)
        let stack = b.value("llvm.intr.stacksave", &[], b.parse_type("!llvm.ptr"), &[]);
        let mut types: Vec<Type> = Vec::new();
        for ty in numbers.iter().map(|number| number.value.r#type()) {
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        let [from, to] = [0, 1].map(|operand| ir::operand(self.outer, operand).expect("an scf.for has bounds"));
        let of_type = |ty| numbers.iter().filter(move |number| number.value.r#type() == ty).collect::<Vec<_>>();
        let tables: Vec<_> = types.iter().map(|ty| (self.memory(&b, *ty, of_type(*ty).len()), of_type(*ty))).collect();
        // Where the loop has no iteration, nobody says that there is anything to load.
        let before = b.if_then(b.compare(Compare::Less, from, to));
        self.fill(before, &tables);
        if let Some(next) = self.outer.next_in_block() {
            let behind = Builder::before(b.context(), next).located(b.location());
            behind.op("llvm.intr.stackrestore", &[stack], &[], &[]);
        }
        for (memory, numbers) in &tables {
            self.read(cx, *memory, numbers);
        }
        // What nobody uses any more.
        let of_numbers = numbers.iter().flat_map(|number| &number.ops).filter_map(|op| ir::result(*op, 0));
        let made: HashSet<Key> = of_numbers.map(key).collect();
        for op in ir::walk(self.outer).into_iter().rev() {
            if ir::result(op, 0).is_some_and(|value| made.contains(&key(value)) && !ir::has_uses(value)) {
                ir::erase(op);
            }
        }
        tables.len()
    }

    /// Memory for so many numbers of each iteration.
    fn memory(&self, b: &Builder<'c, 'a>, element: Type<'c>, numbers: usize) -> Value<'c, 'a> {
        let extents: Vec<i64> = self.inner.iter().map(|inner| inner.count).chain([numbers as i64]).collect();
        let ty = MemRefType::contiguous(element, &extents, None).into();
        let alignment = ("alignment", b.i64_attribute(CACHE_LINE));
        let op = b.op_in_groups("memref.alloca", &[&[], &[]], &[ty], &[alignment], Vec::new());
        ir::result(op, 0).expect("made with a result")
    }

    /// The loops once more, with nothing but the numbers.
    fn fill(&self, mut b: Builder<'c, 'a>, tables: &[(Value<'c, 'a>, Vec<&Number<'c, 'a>>)]) {
        let mut values: HashMap<Key, Value> = HashMap::new();
        let mut at = Vec::new();
        for inner in &self.inner {
            let (body, index) = b.for_loop(b.index(0), b.index(inner.count));
            values.insert(key(inner.index), body.arith("addi", index, body.index(inner.first)));
            at.push(index);
            b = body;
        }
        for (memory, numbers) in tables {
            for (place, number) in (0..).zip(numbers) {
                for op in &number.ops {
                    if ir::result(*op, 0).is_some_and(|value| !values.contains_key(&key(value))) {
                        b.located(op.location()).clone_mapped(*op, &mut values);
                    }
                }
                let indices = [&at[..], &[b.index(place)]].concat();
                b.store(values[&key(number.value)], *memory, &indices);
            }
        }
    }

    /// Reads the numbers where they were computed.
    fn read(&self, cx: &PassContext<'c>, memory: Value<'c, 'a>, numbers: &[&Number<'c, 'a>]) {
        for (place, number) in (0..).zip(numbers) {
            let b = Builder::before(cx.context(), number.broadcast).located(number.broadcast.location());
            let index = |inner: &Inner<'c, 'a>| b.arith("subi", inner.index, b.index(inner.first));
            let indices: Vec<Value> = self.inner.iter().map(index).chain([b.index(place)]).collect();
            let value = b.load(memory, &indices, number.value.r#type());
            ir::mutable(number.broadcast).set_operands(&[value]);
        }
    }
}
