//! `--unroll-reductions`: small reduces are written out, point after point.
//!
//! ```text
//! %s = pipeline.reduce (%rx) in [-1, 2) (%acc = %zero : f32) {      %a = pipeline.load %img[%y, %x - 1] clamp
//!   %p = pipeline.load %img[%y, %x + %rx] clamp                      %0 = arith.addf %zero, %a
//!   %t = arith.addf %acc, %p                                  ──▶    %b = pipeline.load %img[%y, %x] clamp
//!   pipeline.yield %t } : f32                                        %1 = arith.addf %0, %b
//!                                                                    %c = pipeline.load %img[%y, %x + 1] clamp
//!                                                                    %s = arith.addf %1, %c
//! ```
//!
//! Written out, a 5x5 window is 25 loads at fixed distances: tiles, strips and shuffles know what to do with those, and of a loop
//! they only know that it reads a box. A 9x9 window would be a body of thousands of instructions, and stays a loop.
//!
//! Of a larger window the last variables can be written out alone (`inner-points`): a 3x3 window of 16 channels is a loop over
//! channels around nine points.
//!
//! No bits change: the same ops on the same values in the same order. `--contract` would find products of one point beside sums of
//! the next, where in a loop it sees one point: it goes before this pass, so that a program means the same whatever is written out.
//!
//! Points that a condition of the variables leaves out do not count: a disk in a window of 7x7 has 29.
//!
//! On the way, what is no gather any more becomes a load: one whose computed indices are constants, or none.

use super::join::Join;
use crate::{
    analysis::access,
    ir::{Builder, Compare, Key, constant_index, constant_of, erase_unused, expressions, is, key, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Group, Load, Reduce, Unit};
use weft_model::Expr;

options! {
    /// Options of `--unroll-reductions`.
    pub struct UnrollReductionsOptions {
        max_points: i64 = 32, "max-points", "write out reduces of so many points at most, those of reduces inside them included";
        rectangle_points: i64 = 0, "rectangle-points", "the same of sums of integers and extremes over a rectangle or a box, which --separate-windows makes rows and columns of";
        inner_points: i64 = 0, "inner-points", "of larger ones write out the last variables, as long as they have so many points together at most";
    }
}

/// The pass.
pub struct UnrollReductions;

const UNROLLED: Statistic = Statistic::new(c"unrolled", c"Reduces that were written out");
const INNER: Statistic = Statistic::new(c"inner-unrolled", c"Reduces whose last variables were written out");
const LOADS: Statistic = Statistic::new(c"gathers-to-loads", c"Gathers without a computed index, turned into loads");

impl Pass for UnrollReductions {
    const ARGUMENT: &'static str = "unroll-reductions";
    const SUMMARY: &'static str = "Write out small reduces, point after point";
    const DESCRIPTION: &'static str = "\
Replaces a `pipeline.reduce` of at most `max-points` points by its body, once for each point, with the point's numbers in the place \
of its variables. An inner reduce is looked at before the one around it, whose points count as often as there are copies of the \
inner body in it. So it does a sum of integers, or an extreme, of at most `rectangle-points` over rows and columns of one image, and maybe planes. A gather whose indices are all affine, or constants, becomes a load.

This changes no value. It goes behind `--contract`, which would find other products and sums in what is written out; the named \
pipelines and the reference run it there.";
    const STATISTICS: &'static [Statistic] = &[UNROLLED, INNER, LOADS];
    type Options = UnrollReductionsOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &UnrollReductionsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let limits = [
            ("max-points", options.max_points),
            ("rectangle-points", options.rectangle_points),
            ("inner-points", options.inner_points),
        ];
        for (name, points) in limits {
            if points < 0 {
                let message = format!("option '{name}' is {points}, expected 0 or more");
                return Err(Diagnostic::on(module, message).into());
            }
        }
        // All units are found before any op is erased.
        let units: Vec<_> = program::programs(module).into_iter().flat_map(ir::walk).filter_map(Unit::of).collect();
        for unit in units {
            // Inner reduces come behind those around them. What was written out counts for those.
            let mut inside: HashMap<*const std::ffi::c_void, i64> = HashMap::new();
            let reduces: Vec<Reduce> = ir::walk(unit.op()).into_iter().filter_map(Reduce::of).collect();
            for reduce in reduces.into_iter().rev() {
                let around = reduce.op().parent_operation();
                let around =
                    std::iter::successors(around, |op| op.parent_operation()).find(|op| Reduce::of(*op).is_some());
                let id = |op: OperationRef| op.to_raw().ptr.cast_const();
                let within = inside.get(&id(reduce.op())).copied().unwrap_or(1);
                let copies = reduce.volume().saturating_mul(within);
                let is_masked = copies <= MOST_MASKED.saturating_mul(options.max_points);
                let counted = if is_masked { counted(reduce).saturating_mul(within) } else { copies };
                let is_few = |most: i64| counted <= most;
                if is_few(options.max_points) || is_few(options.rectangle_points) && is_rectangle(reduce) {
                    unroll(cx, reduce, 0);
                    cx.count(UNROLLED, 1);
                    if let Some(around) = around {
                        let sum = inside.entry(id(around)).or_insert(0);
                        *sum = sum.saturating_add(counted);
                    }
                    continue;
                }
                let mut kept = reduce.window().len();
                let mut copies = copies / reduce.volume().max(1);
                while let Some((lo, hi)) = kept.checked_sub(1).map(|last| reduce.window()[last])
                    && copies.saturating_mul(hi - lo) <= options.inner_points
                {
                    copies *= hi - lo;
                    kept -= 1;
                }
                if kept < reduce.window().len() {
                    unroll(cx, reduce, kept);
                    cx.count(INNER, 1);
                }
            }
            let loads = ir::walk(unit.op()).into_iter().filter_map(Load::of);
            for gather in loads.filter(|load| is(load.op(), Load::GATHER)).collect::<Vec<_>>() {
                cx.count(LOADS, usize::from(to_load(cx, gather)?));
            }
        }
        Ok(())
    }
}

/// Whether a reduce is a sum of integers, or an extreme, of what one load reads over a rectangle: rows by one variable, columns by another; or over a
/// box, planes by a third.
fn is_rectangle(reduce: Reduce) -> bool {
    let Some(end) = reduce.terminator() else { return false };
    let body: Vec<OperationRef> = ir::operations(reduce.body()).filter(|op| *op != end).collect();
    let (Some(combine), [loads @ .., _]) = (body.last(), &body[..]) else { return false };
    // A difference has an order: the window is what is taken away.
    let is_joined = Join::of(*combine).is_some() && !is(*combine, "arith.subi");
    let is_combined = is_joined && ir::result(*combine, 0) == ir::operand(end, 0);
    let [accumulator] = reduce.accumulators()[..] else { return false };
    let takes = combine.operands().any(|operand| operand == accumulator) && ir::has_one_use(accumulator);
    let is_cast = |op: &OperationRef| is(*op, "arith.extui") || is(*op, "arith.extsi");
    let [load, casts @ ..] = loads else { return false };
    let Some(load) = Load::of(*load).filter(|load| is(load.op(), Load::NAME)) else { return false };
    let variables = reduce.variables();
    let varies = |index: &Expr, rank: usize| {
        let first = index.dims().into_iter().filter_map(|d| d.checked_sub(rank)).collect::<Vec<_>>();
        if let [variable] = first[..] { Some(variable) } else { None }
    };
    let rank = load.unit().map_or(0, |unit| unit.body().argument_count());
    let indices = access::indices(load).unwrap_or_default();
    let mut along: Vec<usize> = indices.iter().filter_map(|index| varies(index, rank)).collect();
    along.sort_unstable();
    let is_window =
        (2..=3).contains(&variables.len()) && along.into_iter().eq(0..variables.len()) && load.reduces().len() == 1;
    is_window && is_combined && takes && casts.iter().all(is_cast) && load.boundary() != Boundary::Constant
}

/// Replaces a reduce by its points, or by one over its first `kept` variables with the points of the others in its body.
fn unroll<'c: 'a, 'a>(cx: &PassContext<'c>, reduce: Reduce<'c, 'a>, kept: usize) {
    let around = Builder::before(cx.context(), reduce.op()).located(reduce.op().location());
    let (variables, accumulators) = (reduce.variables(), reduce.accumulators());
    let end = reduce.terminator().expect("a verified reduce ends with a yield");
    let body: Vec<OperationRef> = ir::operations(reduce.body()).filter(|op| *op != end).collect();
    // A variable is a number where anything but the index of a load uses it, which an operand as padding or init does too.
    let is_number = |variable: &Value<'c, 'a>| {
        let uses = |op: &OperationRef<'c, 'a>| match Load::of(*op) {
            Some(_) => false,
            None => op.operands().any(|value| value == *variable),
        };
        uses(&end) || body.iter().flat_map(|op| ir::walk(*op)).any(|op| uses(&op))
    };
    let (outer, variables) = variables.split_at(kept);
    let numbers: Vec<bool> = variables.iter().map(is_number).collect();
    let inits = reduce.inits();
    let window = reduce.window();
    let shell =
        (kept > 0).then(|| around.insert(Reduce::build(cx.context(), &window[..kept], &inits, around.location())));
    let shell = shell.and_then(Reduce::of);
    let b = shell.map_or(around, |shell| Builder::at_end(cx.context(), shell.body(), around.location()));
    let renamed: HashMap<Key, Value> =
        shell.iter().flat_map(|shell| outer.iter().map(|old| key(*old)).zip(shell.variables())).collect();
    let mut carried = shell.map_or(inits, Reduce::accumulators);
    let mut made = Made::default();
    for point in points(&window[kept..]) {
        let mut values = renamed.clone();
        let mut known = numbers_of(variables, &point);
        values.extend(accumulators.iter().map(|acc| key(*acc)).zip(carried));
        for ((variable, number), _) in variables.iter().zip(&point).zip(&numbers).filter(|(_, is_number)| **is_number) {
            let constant = b.located(reduce.op().location()).index(*number);
            ir::defining_op(constant).into_iter().for_each(|op| made.add(op));
            values.insert(key(*variable), constant);
        }
        for op in &body {
            if let Some(arm) = chosen(*op, &mut known) {
                let value = values.get(&key(arm)).copied().unwrap_or(arm);
                values.insert(key(op.result(0).expect("a selection has a result").into()), value);
                continue;
            }
            let clone = b.clone_mapped(*op, &mut values);
            made.add(clone);
            // A clone and its original have the same shape: they are walked in step.
            let pairs = ir::walk(*op).into_iter().zip(ir::walk(clone));
            let loads = pairs.filter_map(|(original, clone)| Some((Load::of(original)?, Load::of(clone)?)));
            for (original, copy) in loads.collect::<Vec<_>>() {
                let new = place(&Builder::before(cx.context(), copy.op()), original, copy, variables, &point);
                let Some(new) = new else { continue };
                let old: Value = copy.op().result(0).expect("a load has a result").into();
                ir::replace_all_uses(old, new);
                values.insert(key(original.op().result(0).expect("a load has a result").into()), new);
                made.remove(copy.op());
                ir::erase(copy.op());
                ir::defining_op(new).into_iter().for_each(|op| made.add(op));
            }
        }
        carried = end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect();
    }
    if let Some(shell) = shell {
        b.insert(Group::build_yield(&carried, around.location()));
        carried = shell.op().results().map(Value::from).collect();
    }
    for (old, new) in reduce.op().results().zip(carried) {
        ir::replace_all_uses(old.into(), new);
    }
    ir::erase(reduce.op());
    // What only selections would have taken.
    erase_unused(made.ops.into_iter());
}

/// Ops that were made, or found, for what is written out.
#[derive(Default)]
struct Made<'c, 'a> {
    ops: Vec<OperationRef<'c, 'a>>,
    /// The same: a constant is found again.
    known: HashSet<*const std::ffi::c_void>,
}

impl<'c, 'a> Made<'c, 'a> {
    fn add(&mut self, op: OperationRef<'c, 'a>) {
        if self.known.insert(op.to_raw().ptr.cast_const()) {
            self.ops.push(op);
        }
    }

    fn remove(&mut self, op: OperationRef<'c, 'a>) {
        if self.known.remove(&op.to_raw().ptr.cast_const()) {
            self.ops.retain(|other| *other != op);
        }
    }
}

/// What is known of values at a point, as far as it was asked.
type Numbers = HashMap<Key, Option<i64>>;

/// The variables at a point.
fn numbers_of(variables: &[Value], point: &[i64]) -> Numbers {
    variables.iter().copied().map(key).zip(point.iter().copied().map(Some)).collect()
}

/// What a selection takes whose condition is known.
fn chosen<'c: 'a, 'a>(op: OperationRef<'c, 'a>, known: &mut Numbers) -> Option<Value<'c, 'a>> {
    let condition = ir::operand(op, 0).filter(|_| is(op, "arith.select"))?;
    ir::operand(op, if number(condition, known, MOST_NESTED)? == 0 { 2 } else { 1 })
}

/// Points of a window that is looked through for those that count, of each that is written out at most.
const MOST_MASKED: i64 = 4;

/// Points of a reduce but for those where a selection by its variables takes a constant.
fn counted(reduce: Reduce) -> i64 {
    let constants =
        |op: &OperationRef| [1, 2].map(|arm| ir::operand(*op, arm).is_some_and(|arm| constant_of(arm).is_some()));
    let masks: Vec<OperationRef> = ir::operations(reduce.body())
        .filter(|op| is(*op, "arith.select") && matches!(constants(op), [true, false] | [false, true]))
        .collect();
    if masks.is_empty() {
        return reduce.volume();
    }
    let is_counted = |point: &Vec<i64>| {
        let mut known = numbers_of(&reduce.variables(), point);
        !masks.iter().any(|mask| chosen(*mask, &mut known).is_some_and(|arm| constant_of(arm).is_some()))
    };
    points(&reduce.window()).iter().filter(|point| is_counted(point)).count() as i64
}

/// How deep conditions are looked into.
const MOST_NESTED: u32 = 64;

/// An index, or what is true of indices, where these are known; `None` where it depends on others, or grows out of 64 bits.
fn number(value: Value, known: &mut Numbers, levels: u32) -> Option<i64> {
    if let Some(number) = known.get(&key(value)) {
        return *number;
    }
    let found = constant_index(value).or_else(|| computed(ir::defining_op(value)?, known, levels.checked_sub(1)?));
    known.insert(key(value), found);
    found
}

/// What an op computes of numbers that are known.
fn computed(op: OperationRef, known: &mut Numbers, levels: u32) -> Option<i64> {
    let of = |at, known: &mut Numbers| number(ir::operand(op, at)?, known, levels);
    // Of fewer bits they might wrap.
    let is_index = ir::operand(op, 0).is_some_and(|operand| operand.r#type().is_index());
    match (Compare::of_op(op), ir::name_of(op)) {
        (Some(compared), _) if is_index => Some(i64::from(compared.holds(of(0, known)?, of(1, known)?))),
        (_, "arith.addi") if is_index => of(0, known)?.checked_add(of(1, known)?),
        (_, "arith.subi") if is_index => of(0, known)?.checked_sub(of(1, known)?),
        (_, "arith.muli") if is_index => of(0, known)?.checked_mul(of(1, known)?),
        (_, "arith.andi") => Some(of(0, known)? & of(1, known)?),
        (_, "arith.ori") => Some(of(0, known)? | of(1, known)?),
        _ => None,
    }
}

/// All points of a window, the last variable fastest.
fn points(window: &[(i64, i64)]) -> Vec<Vec<i64>> {
    window.iter().fold(vec![Vec::new()], |all, (lo, hi)| {
        all.iter().flat_map(|point| (*lo..*hi).map(|next| [&point[..], &[next]].concat())).collect()
    })
}

/// A copy of a load with numbers in the place of a reduce's variables; `None` where it uses none.
fn place<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    original: Load<'c, 'a>,
    copy: Load<'c, 'a>,
    variables: &[Value<'c, 'a>],
    point: &[i64],
) -> Option<Value<'c, 'a>> {
    let number = |value: &Value<'c, 'a>| variables.iter().position(|variable| variable == value).map(|at| point[at]);
    let coordinates = original.coordinates();
    if coordinates.iter().all(|value| number(value).is_none()) {
        return None;
    }
    let by: Vec<Expr> =
        coordinates.iter().enumerate().map(|(at, value)| number(value).map_or(Expr::Dim(at), Expr::Const)).collect();
    let indices: Vec<Expr> = expressions(original.map())?.iter().map(|index| index.substitute(&by)).collect();
    let gathers = is(original.op(), Load::GATHER);
    Some(access::build_load(b, gathers, copy.source(), &indices, &copy.coordinates(), copy.boundary(), copy.padding()))
}

/// Turns a gather without computed indices into a load; says whether it is one.
fn to_load<'c: 'a, 'a>(cx: &PassContext<'c>, gather: Load<'c, 'a>) -> Result<bool, Diagnostic<'c>> {
    let variables = access::variables(gather);
    let rank = gather.unit().map_or(0, |unit| unit.body().argument_count());
    let constants: Vec<Option<i64>> = variables.iter().map(|variable| constant_index(variable.value)).collect();
    let is_computed = variables.iter().zip(&constants).any(|(of, constant)| of.range.is_none() && constant.is_none());
    if is_computed {
        return Ok(false);
    }
    let by: Vec<Expr> = (0..rank)
        .map(Expr::Dim)
        .chain(constants.iter().enumerate().map(|(at, constant)| constant.map_or(Expr::Dim(rank + at), Expr::Const)))
        .collect();
    let indices: Vec<Expr> = access::indices(gather)?.iter().map(|index| index.substitute(&by)).collect();
    let b = Builder::before(cx.context(), gather.op());
    let body = gather.unit().map(|unit| unit.body());
    let own = (0..rank).filter_map(|d| Some(Value::from(body?.argument(d).ok()?)));
    let values: Vec<Value> = own.chain(variables.iter().map(|variable| variable.value)).collect();
    let new = access::build_load(&b, false, gather.source(), &indices, &values, gather.boundary(), gather.padding());
    ir::replace_all_uses(gather.op().result(0).expect("a gather has a result").into(), new);
    ir::erase(gather.op());
    Ok(true)
}
