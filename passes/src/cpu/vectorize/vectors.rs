//! The body of a loop over vectors, in the making.

use super::super::{
    addresses::{element_number, step_of_rows},
    instructions::module_of,
    packs::Pack,
    scale::{self, Scaled},
};
use super::{
    alike::{Part, parts},
    lines::Line,
    phases::Phase,
    places::{Across, Place, Row, Waiting, ends},
    reach::{Reach, Shared},
    registers::{concatenated, interleaved, part},
    saturate::{self, Limits},
    skew::Skew,
};
use crate::analysis::{FloatRange, FloatRanges};
use crate::ir::{
    Builder, Compare, Emit, Key, Number, block_of, bytes_of_element, constant_bool, constant_index, constant_of,
    element_of, is, key, may_trap, one_block, only_block, remainder, widest_bytes,
};
use melior::ir::{
    Attribute, BlockLike, BlockRef, OperationRef, Region, Type, Value, ValueLike, attribute::DenseElementsAttribute,
    operation::OperationLike,
};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::{HashMap, HashSet};
use weft_model::{Arith, CACHE_LINE, gcd};

/// What a value of the loop is in its vectors.
#[derive(Clone)]
pub(super) enum Lanes<'c, 'a> {
    /// The same in all lanes.
    Same(Value<'c, 'a>),
    /// An index, so far from that of the first lane.
    Steps(Steps<'c, 'a>),
    /// An index, brought between two others: what a clamped one is.
    Clamped(Clamped<'c, 'a>),
    /// A vector.
    Own(Value<'c, 'a>),
}

/// Stores of a loop that wait for its other phases: the op, and what each stores.
type Phases<'c, 'a> = Vec<(OperationRef<'c, 'a>, Vec<Lanes<'c, 'a>>)>;

/// An index of which it is known how it differs from lane to lane.
#[derive(Clone)]
pub(super) struct Steps<'c, 'a> {
    pub(super) first: Value<'c, 'a>,
    /// What each lane adds.
    pub(super) steps: Vec<i64>,
    /// `first` is a multiple of the first number, and the second. A multiple of 0 is 0: then `first` is known.
    rest: (i64, i64),
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Whether each lane is the next element.
    pub(super) fn are_neighbours(&self) -> bool {
        self.steps.iter().enumerate().all(|(lane, step)| *step == lane as i64)
    }

    /// Those that begin so many elements later; of what these are multiples is not asked.
    pub(super) fn moved(&self, b: &Builder<'c, 'a>, by: i64) -> Self {
        Self { first: b.arith("addi", self.first, b.index(by)), steps: self.steps.clone(), rest: (1, 0) }
    }
}

/// `max(first + step, least)`, and the minimum of that and `most`, as far as they are there.
#[derive(Clone)]
pub(super) struct Clamped<'c, 'a> {
    pub(super) steps: Steps<'c, 'a>,
    pub(super) least: Option<Value<'c, 'a>>,
    pub(super) most: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Clamped<'c, 'a> {
    /// What an index becomes.
    pub(super) fn bring(&self, b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
        let index = self.least.map_or(index, |least| b.arith("maxsi", index, least));
        self.most.map_or(index, |most| b.arith("minsi", index, most))
    }
}

/// The lanes of a vector that stand for iterations of the loop.
#[derive(Clone, Copy)]
pub(super) struct Active<'c, 'a> {
    pub(super) mask: Value<'c, 'a>,
    /// The numbers of the first such lane and of the last.
    pub(super) first: Value<'c, 'a>,
    pub(super) last: Value<'c, 'a>,
}

/// The remainder of an index, where it is known in every lane.
fn rest<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: &Steps<'c, 'a>, by: i64) -> Option<Lanes<'c, 'a>> {
    let (multiple, more) = index.rest;
    let rests = index.steps.iter().map(|step| Some(more.checked_add(*step)?.rem_euclid(by)));
    let steps: Vec<i64> = rests.collect::<Option<_>>().filter(|_| multiple % by == 0)?;
    Some(match steps.iter().all(|step| *step == steps[0]) {
        true => Lanes::Same(b.index(steps[0])),
        false => Lanes::Steps(Steps { steps, first: b.index(0), rest: (0, 0) }),
    })
}

/// Where a vector of points is in a loop over them.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'c, 'a> {
    /// Its first point.
    pub(super) x: Value<'c, 'a>,
    /// What that is before it is moved into the loop, if it is.
    pub(super) number: Value<'c, 'a>,
    /// Where the first vector would begin, were it not moved into the loop: where a cache line of what is stored does.
    pub(super) start: Value<'c, 'a>,
    /// The loop's first point.
    pub(super) first: Value<'c, 'a>,
    /// Behind the loop's last point.
    pub(super) end: Value<'c, 'a>,
}

#[derive(Default)]
pub(super) struct Vectors<'c, 'a> {
    pub(super) lanes: i64,
    /// Registers that these take, of the widest values; 0 where nobody says.
    pub(super) registers: i64,
    pub(super) values: HashMap<Key, Lanes<'c, 'a>>,
    /// The lanes that are concerned, inside a branch.
    pub(super) mask: Option<Value<'c, 'a>>,
    /// The lanes that may read and write; `None` where all may.
    pub(super) active: Option<Active<'c, 'a>>,
    /// A zero: by how much the first lane's number exceeds a multiple of what vectors begin at.
    pub(super) nothing: Option<Value<'c, 'a>>,
    pub(super) gathers: usize,
    /// Indices of loops inside that are shared with loops of other rows.
    pub(super) given: HashMap<Key, Value<'c, 'a>>,
    /// Conversions of which only some numbers are read.
    pub(super) limits: Limits<'c, 'a>,
    /// What floats can be that are converted.
    pub(super) floats: FloatRanges,
    /// What loads read of their rows.
    pub(super) reach: Reach,
    /// What loads take of what others have read beside them.
    pub(super) shared: Shared<'c, 'a>,
    /// Bits of the shortest elements of registers that the CPU permutes, if it does.
    pub(super) permutes: Option<i64>,
    /// Bytes of a register, as far as the loop needs whole ones.
    pub(super) register: i64,
    /// Iterations of a reduce that are done at a time.
    pub(super) across: Across<'c, 'a>,
    /// Stores to planes of pixels, of this block.
    pub(super) waiting: Vec<Waiting<'c, 'a>>,
    /// Of planes of pixels that are computed alike, what loads have: then vectors are of elements as they lie.
    pub(super) parts: Option<HashMap<Key, Part>>,
    /// Where in its loop a vector is.
    pub(super) stretch: Option<Stretch<'c, 'a>>,
    /// What it stores by whole cache lines, wherever these begin.
    pub(super) lines: Vec<Line<'c, 'a>>,
    /// Which points of the loop lanes are.
    pub(super) phase: Phase,
    /// What earlier phases store.
    pub(super) phases: Phases<'c, 'a>,
    /// Where the vectors of phases are stored behind the first one, by where that is and their number.
    pub(super) later: HashMap<(Key, i64), Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    pub(super) fn of(&self, value: Value<'c, 'a>) -> Lanes<'c, 'a> {
        self.values.get(&key(value)).cloned().unwrap_or(Lanes::Same(value))
    }

    pub(super) fn vector_type(&self, b: &Builder<'c, 'a>, element: Type<'c>) -> Type<'c> {
        b.vector_type(self.lanes, element)
    }

    /// The body of a loop for the iterations from `x` on.
    pub(super) fn body(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        x: Value<'c, 'a>,
        aligned: i64,
    ) -> Result<(), Failure<'c>> {
        let body = only_block(op);
        let number = body.argument(0).expect("the index of a loop").into();
        let steps = self.phase.steps(self.lanes);
        self.nothing = Some(match aligned.count_ones() {
            1 => b.arith("andi", x, b.index(aligned - 1)),
            _ => b.arith("remui", x, b.index(aligned)),
        });
        self.parts = if self.phase.of == 1 { parts(b, op, self.mask.is_some()) } else { None };
        self.limits = Limits::of(op);
        self.reach = Reach::of(op);
        self.register = (self.lanes * widest_bytes(op)).min(CACHE_LINE);
        self.values.insert(key(number), Lanes::Steps(Steps { first: x, steps, rest: (aligned, 0) }));
        self.blocks(b, &[body])
    }

    /// A value as a vector.
    pub(super) fn vector(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.as_vector(b, self.of(value))
    }

    fn as_vector(&self, b: &Builder<'c, 'a>, lanes: Lanes<'c, 'a>) -> Value<'c, 'a> {
        match lanes {
            Lanes::Own(vector) => vector,
            Lanes::Same(scalar) => self.broadcast(b, scalar),
            Lanes::Steps(steps) => self.numbers(b, &steps),
            Lanes::Clamped(Clamped { steps, least, most }) => {
                let mut vector = self.numbers(b, &steps);
                for (name, end) in [("arith.maxsi", least), ("arith.minsi", most)] {
                    if let Some(end) = end {
                        vector = b.value(name, &[vector, self.broadcast(b, end)], vector.r#type(), &[]);
                    }
                }
                vector
            }
        }
    }

    /// An index as a vector.
    fn numbers(&self, b: &Builder<'c, 'a>, Steps { first, steps, rest }: &Steps<'c, 'a>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, b.index_type());
        let known = |base: i64| {
            let steps: Vec<i64> = steps.iter().map(|step| base.wrapping_add(*step)).collect();
            b.integer(ty, &steps)
        };
        if rest.0 == 0 {
            return known(rest.1);
        }
        b.value("arith.addi", &[self.broadcast(b, *first), known(0)], ty, &[])
    }

    pub(super) fn broadcast(&self, b: &Builder<'c, 'a>, scalar: Value<'c, 'a>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, scalar.r#type());
        match constant_of(scalar) {
            Some(number) => {
                let splat = DenseElementsAttribute::new(ty, &[number]).expect("a vector has a shape");
                b.constant(ty, splat.into())
            }
            None => b.value("vector.broadcast", &[scalar], ty, &[]),
        }
    }

    /// All ops of some blocks but their ends. Loops that do not need each other and have the same bounds become one.
    fn blocks(&mut self, b: &Builder<'c, 'a>, blocks: &[BlockRef<'c, 'a>]) -> Result<(), Failure<'c>> {
        // What waits around waits on: a branch may not be taken, and a loop have no iteration.
        let (around, later) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.later));
        let ends: Vec<OperationRef> = blocks.iter().filter_map(|block| block.terminator()).collect();
        let ops = blocks.iter().flat_map(|block| ir::operations(*block).collect::<Vec<_>>());
        let mut waiting: Vec<OperationRef> = ops.filter(|op| !ends.contains(op)).collect();
        // What is computed here and not there yet.
        let mut missing: HashSet<Key> =
            waiting.iter().flat_map(|op| op.results().map(|value| key(value.into())).collect::<Vec<_>>()).collect();
        let needs = |op: OperationRef<'c, 'a>, missing: &HashSet<Key>| {
            ir::walk(op).iter().any(|inner| inner.operands().any(|operand| missing.contains(&key(operand))))
        };
        while !waiting.is_empty() {
            let mut left = Vec::new();
            for op in waiting {
                if is(op, "scf.for") || needs(op, &missing) {
                    left.push(op);
                    continue;
                }
                self.op(&b.located(op.location()), op)?;
                op.results().for_each(|value| _ = missing.remove(&key(value.into())));
            }
            let ready: Vec<OperationRef> =
                left.iter().copied().filter(|op| is(*op, "scf.for") && !needs(*op, &missing)).collect();
            let bounds = |op: &OperationRef<'c, 'a>| op.operands().take(3).map(key).collect::<Vec<_>>();
            let together: Vec<OperationRef> = ready
                .iter()
                .copied()
                .filter(|op| ready.first().is_some_and(|first| bounds(first) == bounds(op)))
                .collect();
            self.fold(b, &together)?;
            for op in &together {
                op.results().for_each(|value| _ = missing.remove(&key(value.into())));
            }
            left.retain(|op| !together.contains(op));
            waiting = left;
        }
        self.store_rest(b);
        (self.waiting, self.later) = (around, later);
        Ok(())
    }

    fn op(&mut self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Failure<'c>> {
        let operands: Vec<Value> = op.operands().collect();
        let results: Vec<Value> = op.results().map(Value::from).collect();
        match ir::name_of(op) {
            "memref.load" => {
                let value = self.load_across(b, results[0], &operands);
                let value = value.unwrap_or_else(|| self.load(b, op, &operands));
                self.values.insert(key(results[0]), value);
                return Ok(());
            }
            "memref.store" => return self.store(b, op, &operands),
            "memref.prefetch" => {
                // One phase asks for what all read.
                if self.phase.number == 0 {
                    self.prefetch(b, op, &operands);
                }
                return Ok(());
            }
            "scf.if" => return self.branch(b, op),
            _ => {}
        }
        if let Some(sum) = results.first().and_then(|result| self.given.get(&key(*result))) {
            self.values.insert(key(results[0]), Lanes::Same(*sum));
            return Ok(());
        }
        if let Some(conversion) = results.first().and_then(|result| self.limits.needless.get(&key(*result))) {
            self.values.insert(key(results[0]), self.of(*conversion));
            return Ok(());
        }
        if op.region_count() > 0 {
            return Err(Diagnostic::on(
                op,
                "is in a loop over points, expected no op with regions but scf.if and scf.for",
            )
            .into());
        }
        if let Some(value) = self.index(b, op, &operands) {
            self.values.insert(key(results[0]), value);
            return Ok(());
        }
        if let (Some(compared), [Lanes::Same(left), Lanes::Same(right)]) =
            (Compare::of_op(op), &operands.iter().map(|operand| self.of(*operand)).collect::<Vec<_>>()[..])
        {
            self.values.insert(key(results[0]), Lanes::Same(b.compare(compared, *left, *right)));
            return Ok(());
        }
        let may_trap = may_trap(op);
        if !(may_trap && self.is_in_branch())
            && operands.iter().all(|operand| matches!(self.of(*operand), Lanes::Same(_)))
        {
            let clone = self.scalar_clone(b, op);
            for (old, new) in results.iter().zip(clone.results()) {
                self.values.insert(key(*old), Lanes::Same(new.into()));
            }
            return Ok(());
        }
        if let ("arith.select", Lanes::Same(condition)) = (ir::name_of(op), self.of(operands[0])) {
            if let Some(is_first) = constant_bool(condition) {
                self.values.insert(key(results[0]), self.of(operands[if is_first { 1 } else { 2 }]));
                return Ok(());
            }
            let [yes, no] = [1, 2].map(|operand| self.vector(b, operands[operand]));
            self.values.insert(key(results[0]), Lanes::Own(b.select(condition, yes, no, yes.r#type())));
            return Ok(());
        }
        if let Some(product) = self.scaled(b, op) {
            self.values.insert(key(results[0]), Lanes::Own(product));
            return Ok(());
        }
        if let Some(packed) = self.packed(b, op) {
            self.values.insert(key(results[0]), Lanes::Own(packed));
            return Ok(());
        }
        let mut vectors: Vec<Value> = operands.iter().map(|operand| self.vector(b, *operand)).collect();
        // A quotient by a constant is an index of memory in all lanes, which ends of ranges are known of: its divisor is no other one.
        if let Some(mask) = self.mask.filter(|_| may_trap) {
            let ty = vectors[1].r#type();
            let one = b.integer(ty, &[1]);
            vectors[1] = b.select(mask, vectors[1], one, ty);
        }
        let intrinsic = op.attribute("intrin").ok().and_then(ir::text_of);
        let within = results.first().and_then(|result| self.limits.within.get(&key(*result)).copied());
        let known = intrinsic.map(|_| self.floats.of(operands[0])).unwrap_or(FloatRange::ANY);
        let convert = |name| saturate::convert(b, name, (vectors[0], self.lanes), within, known, module_of(op));
        if let Some(converted) = intrinsic.and_then(convert) {
            self.values.insert(key(results[0]), Lanes::Own(converted));
            return Ok(());
        }
        let types: Vec<Type> = results.iter().map(|result| self.vector_type(b, result.r#type())).collect();
        let attributes: Vec<(String, Attribute)> = op
            .attributes()
            .map(|(name, value)| (name.as_string_ref().as_str().unwrap_or_default().to_owned(), value))
            .map(|(name, value)| match name.as_str() {
                "intrin" => {
                    let lanes = self.vector_intrinsic(ir::text_of(value).unwrap_or_default());
                    (name, b.string_attribute(&lanes))
                }
                _ => (name, value),
            })
            .collect();
        let attributes: Vec<(&str, Attribute)> =
            attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let made = b.op(ir::name_of(op), &vectors, &types, &attributes);
        for (old, new) in results.iter().zip(made.results()) {
            self.values.insert(key(*old), Lanes::Own(new.into()));
        }
        Ok(())
    }

    /// Whether some lanes, or all, may not be concerned though they stand for iterations.
    fn is_in_branch(&self) -> bool {
        self.mask.is_some_and(|mask| self.active.is_none_or(|active| active.mask != mask))
    }

    /// A truncation of several registers, with what brings its operand between two numbers.
    fn packed(&self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let (pack, integers) = Pack::of(op).filter(|(pack, _)| pack.is_of_several(self.lanes))?;
        Some(pack.call(b, module_of(op)?, self.vector(b, integers), self.lanes))
    }

    /// A product with a power of two, where processors that have such vectors of floats have an instruction for it: AVX-512 does.
    fn scaled(&self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let scaled = Scaled::of(op)?;
        let of_register = CACHE_LINE / 4;
        let is_wide = self.lanes == of_register * self.registers.max(1);
        if scaled.number.r#type().to_string() != "f32" || !is_wide {
            return None;
        }
        let number = self.vector(b, scaled.number);
        let ty = number.r#type();
        let exponent = match scaled.rounded() {
            Some((sum, magic)) => b.value("arith.subf", &[self.vector(b, sum), b.float(ty, magic)], ty, &[]),
            None => b.value("arith.sitofp", &[self.vector(b, scaled.exponent)], ty, &[]),
        };
        let module = module_of(op)?;
        let starts = (0..self.lanes).step_by(of_register as usize);
        let registers = starts.map(|first| [number, exponent].map(|of| part(b, of, first, of_register)));
        let scaled: Option<Vec<Value>> = registers.map(|parts| scale::call(b, module, parts)).collect();
        Some(concatenated(b, scaled?))
    }

    /// `llvm.fptosi.sat.i32.f32` is `llvm.fptosi.sat.v16i32.v16f32` of vectors.
    fn vector_intrinsic(&self, name: &str) -> String {
        let is_type = |part: &str| {
            part.starts_with(['i', 'f']) && part.len() > 1 && part[1..].bytes().all(|byte| byte.is_ascii_digit())
        };
        let parts = name.split('.').map(|part| match is_type(part) {
            true => format!("v{}{part}", self.lanes),
            false => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join(".")
    }

    /// A clone that computes with the scalars of the new loop.
    fn scalar_clone(&self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
        let mut values = HashMap::new();
        for operand in op.operands() {
            if let Lanes::Same(scalar) = self.of(operand) {
                values.insert(key(operand), scalar);
            }
        }
        b.clone_mapped(op, &mut values)
    }

    /// Index arithmetic of which the differences between lanes stay known: as far as they fit 64 bits, in which indices wrap.
    fn index(
        &self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Option<Lanes<'c, 'a>> {
        let &[left, right] = operands else { return None };
        let name = ir::name_of(op).strip_prefix("arith.")?;
        if let Some(clamped) = self.clamped(b, name, left, right) {
            return Some(Lanes::Clamped(clamped));
        }
        if let Some((value, by)) = remainder(op)
            && let Lanes::Steps(steps) = self.of(value)
            && let Some(rest) = rest(b, &steps, by)
        {
            return Some(rest);
        }
        let (left, right, by) = match (name, self.of(left), self.of(right)) {
            ("addi", Lanes::Steps(left), Lanes::Steps(right)) => {
                // Both are known to be so much more than a multiple of what divides both.
                let multiple = gcd(left.rest.0, right.rest.0);
                let more = left.rest.1.checked_add(right.rest.1)?;
                let sums = left.steps.iter().zip(&right.steps).map(|(left, right)| left.checked_add(*right));
                return Some(Lanes::Steps(Steps {
                    steps: sums.collect::<Option<_>>()?,
                    first: b.arith(name, left.first, right.first),
                    rest: (multiple, if multiple == 0 { more } else { more.rem_euclid(multiple) }),
                }));
            }
            ("addi", Lanes::Same(scalar), Lanes::Steps(steps)) => {
                let by = constant_index(left);
                (steps, scalar, by)
            }
            // Backwards: of a mirrored image.
            ("subi", Lanes::Same(scalar), Lanes::Steps(right)) => {
                let steps = right.steps.iter().map(|step| step.checked_neg()).collect::<Option<_>>()?;
                return Some(Lanes::Steps(Steps { steps, first: b.arith(name, scalar, right.first), rest: (1, 0) }));
            }
            (_, Lanes::Steps(steps), Lanes::Same(scalar)) => (steps, scalar, constant_index(right)),
            _ => return None,
        };
        let Steps { first, steps, rest: (multiple, more) } = left;
        // Of a number that is not known, nothing more is known.
        let moved = |by: Option<i64>, sign: i64| {
            let Some(by) = by else { return Some((1, 0)) };
            let more = more.checked_add(by.checked_mul(sign)?)?;
            Some(if multiple == 0 { (0, more) } else { (multiple, more.rem_euclid(multiple)) })
        };
        let steps = match (name, by) {
            ("addi", by) => Steps { rest: moved(by, 1)?, first: b.arith(name, first, right), steps },
            ("subi", by) => Steps { rest: moved(by, -1)?, first: b.arith(name, first, right), steps },
            ("muli", Some(by)) => Steps {
                steps: steps.iter().map(|step| step.checked_mul(by)).collect::<Option<_>>()?,
                rest: (multiple.checked_mul(by.checked_abs()?)?, more.checked_mul(by)?),
                first: b.arith(name, first, right),
            },
            // All lanes lie between two multiples that are next to each other.
            ("floordivsi", Some(by))
                if by > 0
                    && multiple > 0
                    && by % multiple == 0
                    && by > multiple
                    && steps
                        .iter()
                        .all(|step| more.checked_add(*step).is_some_and(|more| (0..multiple).contains(&more))) =>
            {
                return Some(Lanes::Same(b.arith(name, first, right)));
            }
            // The remainder by a power of two.
            ("andi", Some(mask)) if (0..i64::MAX).contains(&mask) && (mask + 1).count_ones() == 1 => {
                return rest(b, &Steps { first, steps, rest: (multiple, more) }, mask + 1);
            }
            ("floordivsi", Some(by)) if by > 0 && multiple % by == 0 => Steps {
                steps: (steps.iter())
                    .map(|step| Some(more.rem_euclid(by).checked_add(*step)?.div_euclid(by)))
                    .collect::<Option<_>>()?,
                // A shift rounds down by itself.
                first: match by.is_positive() && by.count_ones() == 1 {
                    true => b.arith("shrsi", first, b.index(by.trailing_zeros().into())),
                    false => b.arith(name, first, right),
                },
                rest: (multiple / by, more.div_euclid(by)),
            },
            ("floordivsi", Some(by)) if by > 0 => return self.quotients(b, &first, &steps, by).map(Lanes::Own),
            _ => return None,
        };
        Some(Lanes::Steps(steps))
    }

    /// What lanes are divided by the same number, rounded down: that of the least lane as one number, and for the others by how much more their quotients are, which are small
    /// numbers: products of 32 bits and a shift. CPUs divide no vector of 64 bits.
    fn quotients(&self, b: &Builder<'c, 'a>, first: &Value<'c, 'a>, steps: &[i64], by: i64) -> Option<Value<'c, 'a>> {
        let (least, most) = ends(steps);
        // The dividends behind the multiple below the least one. Below 2^15 the product has 31 bits, and rounds as the quotient does where
        // 2^bits is no less than both together.
        let dividends = most.checked_sub(least)?.checked_add(by).filter(|dividends| *dividends < 1 << 15)?;
        let bits = i64::from((dividends * by).cast_unsigned().next_power_of_two().trailing_zeros());
        let inverse = ((1i64 << bits) + by - 1) / by;

        let base = b.arith("addi", *first, b.index(least));
        let quotient = b.arith("floordivsi", base, b.index(by));
        let rest = b.arith("subi", base, b.arith("muli", quotient, b.index(by)));
        let (word, index) = (b.integer_type(32), b.index_type());
        let (words, numbers) = (self.vector_type(b, word), self.vector_type(b, index));
        let rest = self.broadcast(b, b.value("arith.index_cast", &[rest], word, &[]));
        let known: Vec<i64> = steps.iter().map(|step| step - least).collect();
        let dividends = b.value("arith.addi", &[rest, b.integer(words, &known)], words, &[]);
        let product = b.value("arith.muli", &[dividends, b.integer(words, &[inverse])], words, &[]);
        let more = b.value("arith.shrui", &[product, b.integer(words, &[bits])], words, &[]);
        let more = b.value("arith.index_castui", &[more], numbers, &[]);
        Some(b.value("arith.addi", &[self.broadcast(b, quotient), more], numbers, &[]))
    }

    /// An index that is brought above or below one that is the same in all lanes, or that has been, and is moved by such a one.
    fn clamped(
        &self,
        b: &Builder<'c, 'a>,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Option<Clamped<'c, 'a>> {
        let (index, by) = match (self.of(left), self.of(right)) {
            (Lanes::Same(by), index) if name != "subi" => (index, by),
            (index, Lanes::Same(by)) => (index, by),
            _ => return None,
        };
        let index = match index {
            Lanes::Steps(steps) if steps.are_neighbours() => Clamped { steps, least: None, most: None },
            Lanes::Clamped(clamped) => clamped,
            _ => return None,
        };
        match name {
            "maxsi" if index.least.is_none() && index.most.is_none() => Some(Clamped { least: Some(by), ..index }),
            "minsi" if index.most.is_none() => Some(Clamped { most: Some(by), ..index }),
            "addi" | "subi" if index.least.is_some() || index.most.is_some() => {
                let moved = |value: Value<'c, 'a>| b.arith(name, value, by);
                // What is moved is no longer known to be a multiple of anything.
                let steps = Steps { first: moved(index.steps.first), rest: (1, 0), ..index.steps };
                Some(Clamped { steps, least: index.least.map(moved), most: index.most.map(moved) })
            }
            _ => None,
        }
    }

    fn store(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let [value, memory, indices @ ..] = operands else { return Ok(()) };
        self.shared = Shared::default();
        let at: Option<Vec<Value>> = indices
            .iter()
            .enumerate()
            .map(|(d, index)| match self.of(*index) {
                Lanes::Same(scalar) if d + 1 < indices.len() => Some(scalar),
                Lanes::Steps(steps) if d + 1 == indices.len() && self.phase.is_at(&steps.steps) => Some(steps.first),
                _ => None,
            })
            .collect();
        let at = at.ok_or_else(|| Diagnostic::on(op, "stores to no stretch of memory in a loop over points"))?;
        let is_non_temporal = op.attribute("nontemporal").is_ok();
        let is_of_pixels = step_of_rows(*memory) != 1;
        if self.phase.of == 1 && is_of_pixels {
            self.store_vector(b, self.vector(b, *value), *memory, &at, is_non_temporal);
            return Ok(());
        }
        if let Some(active) = self.active {
            let value = self.vector(b, *value);
            // Few lanes fill no cache line: no store is non-temporal.
            let operands = [&[*memory], &at[..], &[active.mask, value]].concat();
            b.op("vector.maskedstore", &operands, &[], &[]);
            return Ok(());
        }
        let line = self.lines.iter().find(|line| line.op == op).filter(|_| self.phase.of == 1);
        if let Some((line, stretch)) = line.zip(self.stretch) {
            line.store(b, (self.vector(b, *value), *memory, &at), stretch.number);
            return Ok(());
        }
        let place = match self.phases.iter().position(|(other, _)| *other == op) {
            Some(place) => place,
            None => {
                self.phases.push((op, Vec::new()));
                self.phases.len() - 1
            }
        };
        let value = self.of(*value);
        self.phases[place].1.push(value);
        if self.phase.is_last() {
            let (_, all) = self.phases.swap_remove(place);
            let vectors: Vec<Value> = all.into_iter().map(|lanes| self.as_vector(b, lanes)).collect();
            let joined = (self.phase.of.count_ones() == 1).then(|| interleaved(b, &vectors));
            if let Some(joined) = joined.filter(|_| !is_of_pixels) {
                self.store_row(b, joined, *memory, &at, self.lanes * self.phase.of, is_non_temporal);
                return Ok(());
            }
            let (first, row) = at.split_last().expect("an image has a dimension");
            for number in 0..self.phase.of {
                let value = match joined {
                    Some(joined) => part(b, joined, number * self.lanes, self.lanes),
                    None => self.part_of_pixels(b, &vectors, number),
                };
                // Stores to the planes of a pixel know each other by this number.
                let behind = || Emit(b).add(&Number::Value(*first), &Number::Known(number * self.lanes)).value(b);
                let first = *self.later.entry((key(*first), number)).or_insert_with(behind);
                self.store_vector(b, value, *memory, &[row, &[first]].concat(), is_non_temporal);
            }
        }
        Ok(())
    }

    /// A store of a whole vector to a place that is known.
    fn store_vector(
        &mut self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        at: &[Value<'c, 'a>],
        is_non_temporal: bool,
    ) {
        match (Place::of(b, memory, at), at.split_last()) {
            (Some(place), Some((first, row))) => {
                let row = Row { memory, at: row.to_vec(), first: *first };
                self.store_pixels(b, value, &row, place, is_non_temporal);
            }
            _ => self.store_row(b, value, memory, at, self.lanes, is_non_temporal),
        }
    }

    /// Stores a vector to a stretch of memory.
    fn store_row(
        &self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        at: &[Value<'c, 'a>],
        lanes: i64,
        is_non_temporal: bool,
    ) {
        let operands = [&[value, memory], at].concat();
        let element = bytes_of_element(element_of(memory));
        // A short row can be one vector of any number of lanes, which is no part of a cache line.
        let bytes = lanes * element;
        if !is_non_temporal || bytes % CACHE_LINE != 0 && bytes.count_ones() != 1 {
            b.op("vector.store", &operands, &[], &[]);
            return;
        }
        let (past, through) = b.if_else(self.is_past_caches(b, element_number(b, memory, at), bytes, element));
        let attributes =
            [("nontemporal", b.bool_attribute(true)), ("alignment", b.i64_attribute(bytes.min(CACHE_LINE)))];
        past.op("vector.store", &operands, &[], &attributes);
        through.op("vector.store", &operands, &[], &[]);
    }

    /// Whether a vector of so many bytes is stored from an element on past the caches, at run time: to whole cache lines, or a part of one, which no store
    /// that is not writes to. Where vectors that begin elsewhere overlap with it, at both ends of a row, it is not: a line of which one part is on its way
    /// to memory would be read back for the other, while all later stores wait.
    pub(super) fn is_past_caches(
        &self,
        b: &Builder<'c, 'a>,
        place: Value<'c, 'a>,
        bytes: i64,
        element: i64,
    ) -> Value<'c, 'a> {
        let begins = |place, bytes: i64| {
            let rest = b.arith("andi", place, b.index(bytes.min(CACHE_LINE) / element - 1));
            b.compare(Compare::Equal, rest, b.index(0))
        };
        let is_whole = begins(place, bytes);
        let Some(Stretch { x, start, first, end, .. }) = self.stretch else { return is_whole };
        let points = self.lanes * self.phase.of;
        let is_part = bytes < CACHE_LINE;
        let far = b.index(if is_part { points + CACHE_LINE / element } else { points });
        let [mut from, mut to] = [b.arith("addi", first, far), b.arith("subi", end, far)];
        if !is_part {
            let [is_begun, is_ended] = [first, end].map(|point| begins(b.arith("subi", point, start), CACHE_LINE));
            from = b.select(is_begun, first, from, b.index_type());
            to = b.select(is_ended, end, to, b.index_type());
        }
        let is_behind = b.compare(Compare::GreaterEqual, x, from);
        let is_before = b.compare(Compare::LessEqual, x, b.arith("subi", to, b.index(points)));
        b.logic("andi", b.logic("andi", is_behind, is_before), is_whole)
    }

    /// An `scf.if`.
    fn branch(&mut self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Failure<'c>> {
        let condition = ir::operand(op, 0).expect("an scf.if has a condition");
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let blocks: Vec<BlockRef> =
            op.regions().filter_map(|region| melior::ir::RegionLike::first_block(&region)).collect();
        let yields = |block: &BlockRef<'c, 'a>| -> Vec<Value<'c, 'a>> {
            block.terminator().map(|end| end.operands().collect()).unwrap_or_default()
        };
        if let Lanes::Same(condition) = self.of(condition) {
            let types: Vec<Type> = results.iter().map(|result| self.vector_type(b, result.r#type())).collect();
            // The second is empty where there is no `else`.
            let empty = op.region_count() - blocks.len();
            let regions = blocks.iter().map(|_| one_block(&[])).chain((0..empty).map(|_| Region::new())).collect();
            let made = b.op_with_regions("scf.if", &[condition], &types, &[], regions);
            for (number, block) in blocks.iter().enumerate() {
                let inner = Builder::at_end(b.context(), block_of(made, number), b.location());
                self.blocks(&inner, &[*block])?;
                let values: Vec<Value> = yields(block).into_iter().map(|value| self.vector(&inner, value)).collect();
                inner.op("scf.yield", &values, &[], &[]);
            }
            for (old, new) in results.iter().zip(made.results()) {
                self.values.insert(key(*old), Lanes::Own(new.into()));
            }
            // Stores wait for another phase.
            if self.phase.of > 1
                && results.is_empty()
                && ir::walk(made).into_iter().all(|op| op == made || is(op, "scf.yield"))
            {
                ir::erase(made);
            }
            return Ok(());
        }
        // What was computed for nobody.
        if results.is_empty() && !ir::walk(op).into_iter().any(|op| is(op, "memref.store")) {
            return Ok(());
        }
        let [then, otherwise] = blocks[..] else {
            return Err(Diagnostic::on(op, "is in a loop over points and gives nothing, expected values").into());
        };
        let own = self.vector(b, condition);
        let ty = own.r#type();
        let ones = b.integer(ty, &[1]);
        let not = b.value("arith.xori", &[own, ones], ty, &[]);
        let before = self.mask;
        let within = |mask: Value<'c, 'a>| match before {
            Some(before) => b.value("arith.andi", &[before, mask], ty, &[]),
            None => mask,
        };
        self.mask = Some(within(own));
        self.blocks(b, &[then])?;
        self.mask = Some(within(not));
        self.blocks(b, &[otherwise])?;
        self.mask = before;
        for ((old, yes), no) in results.iter().zip(yields(&then)).zip(yields(&otherwise)) {
            let (yes, no) = (self.vector(b, yes), self.vector(b, no));
            let value = b.select(own, yes, no, yes.r#type());
            self.values.insert(key(*old), Lanes::Own(value));
        }
        Ok(())
    }

    /// Loops with the same bounds inside the loop, reduces: one that carries what all of them do. It loads once what they have in
    /// common, and none waits for the sum of another.
    fn fold(&mut self, b: &Builder<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Result<(), Failure<'c>> {
        let Some(first) = ops.first() else { return Ok(()) };
        let b = &b.located(first.location());
        let bounds: Option<Vec<Value>> = first
            .operands()
            .take(3)
            .map(|bound| match self.of(bound) {
                Lanes::Same(scalar) => Some(scalar),
                _ => None,
            })
            .collect();
        let bounds = bounds.ok_or_else(|| Diagnostic::on(*first, "has bounds that differ from point to point"))?;
        let of_op = |op: &OperationRef<'c, 'a>| op.operands().skip(3).map(|init| self.vector(b, init)).collect();
        let mut carried: Vec<Vec<Value>> = ops.iter().map(of_op).collect();
        let known: Vec<Option<i64>> = bounds.iter().map(|bound| constant_index(*bound)).collect();
        let skew = match known[..] {
            [Some(first), Some(end), Some(1)] => {
                self.skew(ops, end.saturating_sub(first)).map(|skew| (skew, first, end))
            }
            _ => None,
        };
        let mut low = bounds[0];
        if let Some((skew, first, _)) = &skew {
            for index in *first..first + skew.most() {
                let are_there = |op: usize| index >= first + skew.later[op];
                carried = self.iteration(b, ops, Some(skew), b.index(index), are_there, carried)?;
            }
            low = b.index(first + skew.most());
        }
        if skew.is_none() {
            (low, carried) = self.across(b, ops, [bounds[0], bounds[1], bounds[2]], carried)?;
        }
        let counts: Vec<usize> = carried.iter().map(Vec::len).collect();
        let results = b.for_carrying([low, bounds[1], bounds[2]], &carried.concat(), |inner, index, carried| {
            let skew = skew.as_ref().map(|(skew, ..)| skew);
            Ok::<_, Failure<'c>>(self.iteration(inner, ops, skew, index, |_| true, apart(&counts, carried))?.concat())
        })?;
        carried = apart(&counts, &results);
        if let Some((skew, _, end)) = &skew {
            for index in *end..end + skew.most() {
                let are_there = |op: usize| index < end + skew.later[op];
                carried = self.iteration(b, ops, Some(skew), b.index(index), are_there, carried)?;
            }
        }
        let old = ops.iter().flat_map(|op| op.results().map(Value::from).collect::<Vec<_>>());
        self.values.extend(old.zip(carried.concat()).map(|(old, new)| (key(old), Lanes::Own(new))));
        Ok(())
    }

    /// How loops of so many iterations are behind one another; numbers that differ from lane to lane are columns, and no rows.
    fn skew(&self, ops: &[OperationRef<'c, 'a>], iterations: i64) -> Option<Skew<'c, 'a>> {
        let skew = Skew::of(ops, iterations)?;
        let rows = skew.bases.iter().map(|base| match self.of(*base) {
            Lanes::Same(scalar) => Some(scalar),
            _ => None,
        });
        Some(Skew { bases: rows.collect::<Option<_>>()?, ..skew })
    }

    /// An iteration of some loops together, of those that have one of this number: what they carry then.
    pub(super) fn iteration(
        &mut self,
        b: &Builder<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        skew: Option<&Skew<'c, 'a>>,
        index: Value<'c, 'a>,
        are_there: impl Fn(usize) -> bool,
        mut carried: Vec<Vec<Value<'c, 'a>>>,
    ) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
        // What was read in another iteration is not what this one reads.
        self.shared = Shared::default();
        let there: Vec<usize> = (0..ops.len()).filter(|op| are_there(*op)).collect();
        let bodies: Vec<BlockRef> = there.iter().map(|op| only_block(ops[*op])).collect();
        let sums: Vec<Value> =
            skew.iter().flat_map(|skew| &skew.bases).map(|base| b.arith("addi", *base, index)).collect();
        for (op, body) in there.iter().zip(&bodies) {
            let later = skew.map_or(0, |skew| skew.later[*op]);
            let own = Emit(b).add(&Number::Value(index), &Number::Known(-later)).value(b);
            let mut arguments = ir::arguments(*body);
            self.values.extend(arguments.next().map(|number| (key(number), Lanes::Same(own))));
            let before = carried[*op].iter().map(|value| Lanes::Own(*value));
            self.values.extend(arguments.map(key).zip(before));
            let own_sums = skew.iter().flat_map(|skew| &skew.sums[*op]);
            self.given.extend(own_sums.map(|sum| key(*sum)).zip(sums.iter().copied()));
        }
        self.blocks(b, &bodies)?;
        for (op, body) in there.iter().zip(&bodies) {
            let next = body.terminator().map(|end| end.operands().collect::<Vec<_>>()).unwrap_or_default();
            carried[*op] = next.into_iter().map(|value| self.vector(b, value)).collect();
        }
        Ok(carried)
    }
}

/// Values of several loops, one behind the other, loop by loop.
pub(super) fn apart<'c, 'a>(counts: &[usize], values: &[Value<'c, 'a>]) -> Vec<Vec<Value<'c, 'a>>> {
    let mut values = values.iter().copied();
    counts.iter().map(|count| values.by_ref().take(*count).collect()).collect()
}
