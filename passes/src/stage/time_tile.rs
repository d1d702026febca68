//! `--time-tile`: several time steps become one, so that a tile goes through all of them before it is written.
//!
//! ```text
//! %u = pipeline.iterate "heat" %n                   %k = %n / 4
//!     (%s = %img : tensor<?xf32>) {                 %v = pipeline.iterate "heat" %k (%s = %img : tensor<?xf32>) {
//!   %a = pipeline.stage "step" ... %s                 %a = pipeline.stage "step" ... %s
//!   pipeline.yield %a }                     ──▶       %b = pipeline.stage "step_1" ... %a
//!                                                     %c = pipeline.stage "step_2" ... %b
//!                                                     %d = pipeline.stage "step_3" ... %c
//!                                                     pipeline.yield %d }
//!                                                   %u = pipeline.iterate "heat" (%n mod 4) (%s = %v : tensor<?xf32>) {
//!                                                     one step, as it was }
//! ```
//!
//! That is all there is to overlapped tiling in time: the stages of four steps are stages like others, `--fuse` puts them
//! into one group, and the box of each is as much larger as the later ones reach. Memory is written once in four steps;
//! the price is the halo, which is computed by every tile that needs it.

use crate::ir::{Builder, Emit, Key, Number, constant_index, key, only_block, program};
use melior::{
    dialect::DialectHandle,
    ir::{
        OperationRef, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::HashMap;
use weft_dialects::pipeline::{Group, Iterate, Unit};
use weft_model::Arith;

options! {
    /// Options of `--time-tile`.
    pub struct TimeTileOptions {
        steps: i64 = 4, "steps", "time steps that become one";
    }
}

/// The pass.
pub struct TimeTile;

const TILED: Statistic = Statistic::new(c"iterates-tiled", c"Iterates of which several steps became one");

/// More steps than this make kernels that are mostly halo, and take long to compile.
const MAX_STEPS: i64 = 64;

impl Pass for TimeTile {
    const ARGUMENT: &'static str = "time-tile";
    const SUMMARY: &'static str = "Put several time steps of an iterate into one";
    const DESCRIPTION: &'static str = "\
Repeats the body of each `pipeline.iterate` so that a step of it is `steps` of the former ones, with another iterate behind it for \
those that remain. `--fuse` then finds the stages of several steps in one run, and puts them into one overlapped tile.";
    const STATISTICS: &'static [Statistic] = &[TILED];
    type Options = TimeTileOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &TimeTileOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        if !(1..=MAX_STEPS).contains(&options.steps) {
            let message = format!("option 'steps' is {}, expected 1 to {MAX_STEPS}", options.steps);
            return Err(Diagnostic::on(module, message).into());
        }
        let iterates: Vec<_> =
            program::programs(module).into_iter().flat_map(ir::walk).filter_map(Iterate::of).collect();
        for iterate in iterates.into_iter().filter(|_| options.steps > 1) {
            let b = Builder::before(cx.context(), iterate.op());
            tile(&b, iterate, options.steps);
            cx.count(TILED, 1);
        }
        Ok(())
    }
}

/// Makes `together` steps of an iterate one.
fn tile<'c: 'a, 'a>(b: &Builder<'c, 'a>, iterate: Iterate<'c, 'a>, together: i64) {
    let steps = iterate.steps();
    let steps = constant_index(steps).map_or(Number::Value(steps), Number::Known);
    let mut emit = Emit(b);
    let whole = emit.floor_div(&steps, together);
    if matches!(whole, Number::Known(0)) {
        return;
    }
    let done = emit.mul(&whole, -together);
    let rest = emit.add(&steps, &done);
    let op = iterate.op();
    let made = repeated(b, iterate, whole.value(b), together);
    if let Number::Known(0) = rest {
        for (old, new) in op.results().zip(made.results()) {
            ir::replace_all_uses(old.into(), new.into());
        }
        return ir::erase(op);
    }
    let operands = [rest.value(b)].into_iter().chain(made.results().map(Value::from));
    operands.enumerate().for_each(|(number, operand)| ir::mutable(op).set_operand(number, operand));
}

/// An iterate of `steps` steps, each of which is `together` of the given one.
fn repeated<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    iterate: Iterate<'c, 'a>,
    steps: Value<'c, 'a>,
    together: i64,
) -> OperationRef<'c, 'a> {
    let made = b.insert(Iterate::build(b.context(), iterate.name(), steps, &iterate.initial(), b.location()));
    let body = only_block(made);
    let end = iterate.terminator().expect("a verified iterate ends with a yield");
    let mut states: Vec<Value> = Iterate::of(made).map(Iterate::states).unwrap_or_default();
    for step in 0..together {
        let b = Builder::at_end(b.context(), body, b.location());
        let mut values: HashMap<Key, Value> = iterate.states().into_iter().map(key).zip(states).collect();
        for op in ir::operations(iterate.body()).filter(|op| *op != end) {
            let copy = b.located(op.location()).clone_mapped(op, &mut values);
            if step > 0 {
                rename(&b, copy, step);
            }
        }
        states = end.operands().map(|next| values.get(&key(next)).copied().unwrap_or(next)).collect();
    }
    Builder::at_end(b.context(), body, end.location()).insert(Group::build_yield(&states, end.location()));
    made
}

/// Tells the copies of a step apart: "step", "step_1", ...
fn rename(b: &Builder, copy: OperationRef, step: i64) {
    for op in ir::walk(copy) {
        let name = Unit::of(op).map(|unit| unit.name()).or_else(|| Group::of(op).map(|group| group.name()));
        if let Some(name) = name {
            ir::mutable(op).set_attribute("name", b.string_attribute(&format!("{name}_{step}")));
        }
    }
}
