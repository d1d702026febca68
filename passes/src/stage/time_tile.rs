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
//!
//! For a machine (`target`) its model of groups says how many steps cost least ([`weft_model::time_steps`]).

use crate::{
    analysis::{Sizes, model::Whole, size_of},
    ir::{Builder, Emit, Key, Number, constant_index, is_inside, key, only_block, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        OperationRef, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::HashMap;
use weft_dialects::pipeline::{Group, Iterate, Stage, Unit};
use weft_model::{
    Allowed, Arith, Cpu, CpuError, Effort, Group as Members, Room, Source, Target, choose, choose_cpu, time_steps,
};

options! {
    /// Options of `--time-tile`.
    pub struct TimeTileOptions {
        steps: i64 = 4, "steps", "time steps that become one, with 'target' at most";
        target: String = "", "target", "a CPU or a GPU that is known, for which as many steps become one as cost least";
        size: String = "", "size", "extents of images that are not known, for costs";
    }
}

/// The pass.
pub struct TimeTile;

const TILED: Statistic = Statistic::new(c"iterates-tiled", c"Iterates of which several steps became one");

/// More steps than this make kernels that are mostly halo, and take long to compile.
const MAX_STEPS: i64 = 64;

/// Steps that costs are for where their number is not known.
const USUAL_STEPS: i64 = 64;

impl Pass for TimeTile {
    const ARGUMENT: &'static str = "time-tile";
    const SUMMARY: &'static str = "Put several time steps of an iterate into one";
    const DESCRIPTION: &'static str = "\
Repeats the body of each `pipeline.iterate` so that a step of it is `steps` of the former ones, with another iterate behind it for \
those that remain. `--fuse` then finds the stages of several steps in one run, and puts them into one overlapped tile.

With `target` it is as many as cost least on that machine, with all of their stages in one group and those left over counted; bodies of other \
units than stages stay.";
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
        let choice = match options.target.as_str() {
            "" => None,
            name => Some(Choice {
                machine: Machine::named(name)
                    .map_err(|error| Diagnostic::on(module, format!("option 'target': {error}")))?,
                size: size_of(&options.size).map_err(|message| Diagnostic::on(module, message))?,
            }),
        };
        let mut chosen = Vec::new();
        for func in program::programs(module) {
            let iterates: Vec<Iterate> = ir::walk(func).into_iter().filter_map(Iterate::of).collect();
            match &choice {
                Some(choice) if !iterates.is_empty() => {
                    chosen.extend(choice.steps(cx, func, iterates, options.steps)?)
                }
                _ => chosen.extend(iterates.into_iter().map(|iterate| (iterate, options.steps))),
            }
        }
        for (iterate, steps) in chosen.into_iter().filter(|(_, steps)| *steps > 1) {
            let b = Builder::before(cx.context(), iterate.op());
            tile(&b, iterate, steps);
            cx.count(TILED, 1);
        }
        Ok(())
    }
}

/// Whose costs they are.
enum Machine {
    Cpu(Cpu),
    Gpu(Box<Target>),
}

impl Machine {
    fn named(name: &str) -> Result<Self, String> {
        match (Target::named(name), Cpu::named(name)) {
            (Ok(target), _) => Ok(Self::Gpu(Box::new(target))),
            (_, Ok(cpu)) => Ok(Self::Cpu(cpu)),
            (_, Err(of_file @ (CpuError::Unreadable { .. } | CpuError::Wrong { .. }))) => Err(of_file.to_string()),
            (Err(_), Err(CpuError::Unknown(_))) => {
                let names = |names: Vec<&str>| names.join(", ");
                let (cpus, gpus) = (names(Cpu::names().collect()), names(Target::names().collect()));
                Err(format!("'{name}' is not known, expected a CPU ({cpus}) or a GPU ({gpus})"))
            }
        }
    }

    /// What a group costs, in a program whose largest stage has so many points.
    fn cost(&self, group: &Members, largest: f64) -> Option<f64> {
        match self {
            Self::Cpu(cpu) => choose_cpu(group, cpu, Room::Second).ok().map(|choice| choice.cost.total()),
            Self::Gpu(target) => {
                let cost = choose(group, target, largest, Effort::Full, &Allowed::ALL, |_| ()).ok()?.cost;
                Some(cost.time_of_all(target))
            }
        }
    }
}

/// What is known where steps are chosen by their costs.
struct Choice {
    machine: Machine,
    size: Vec<i64>,
}

impl Choice {
    /// The iterates of a program, each with as many steps as become one, `most` of them.
    fn steps<'c: 'a, 'a>(
        &self,
        cx: &PassContext<'c>,
        func: OperationRef<'c, 'a>,
        iterates: Vec<Iterate<'c, 'a>>,
        most: i64,
    ) -> Result<Vec<(Iterate<'c, 'a>, i64)>, Failure<'c>> {
        let block = program::entry(func)?;
        program::resolve_dims(cx.context(), func);
        program::hoist_scalars(block)?;
        program::unify_dims(block);
        let whole = Whole::of(block, &Sizes::of_program(func, block, &self.size))?;
        let chosen = iterates.into_iter().map(|iterate| {
            let count = constant_index(iterate.steps()).unwrap_or(USUAL_STEPS);
            (iterate, self.steps_of(&whole, iterate, (count, most)).unwrap_or(1))
        });
        Ok(chosen.collect())
    }

    /// That of one; `None` where its body is not made of stages alone, which read what it keeps.
    fn steps_of(&self, whole: &Whole, iterate: Iterate, steps: (i64, i64)) -> Option<i64> {
        let units = ir::operations(iterate.body()).filter(|op| Unit::of(*op).is_some() || op.region_count() > 0);
        let stages: Vec<Stage> = units.map(Stage::of).collect::<Option<_>>()?;
        let numbers = whole.numbers(&stages);
        let image = |value: Value| whole.images.iter().position(|image| *image == value);
        let source = |value: Value| match program::result_of(value) {
            Some((stage, result)) if is_inside(value, iterate.op()) => {
                Some(Source::Stage(whole.numbers(&[stage]).first().copied()?, result))
            }
            _ => image(value).map(Source::Image),
        };
        let end = iterate.terminator()?;
        // A state that no stage reads is of no interest.
        let read =
            iterate.states().into_iter().zip(end.operands()).filter_map(|(state, next)| Some((image(state)?, next)));
        let states: Vec<_> = read.map(|(image, next)| Some((image, source(next)?))).collect::<Option<_>>()?;
        let largest = whole.model.largest();
        Some(time_steps(&whole.model, &numbers, &states, steps, |group| self.machine.cost(group, largest)))
    }
}

/// Makes `together` steps of an iterate one.
fn tile<'c: 'a, 'a>(b: &Builder<'c, 'a>, iterate: Iterate<'c, 'a>, together: i64) {
    let steps = Number::from(iterate.steps());
    let mut emit = Emit(b);
    let whole = emit.floor_div(&steps, together);
    if matches!(whole, Number::Known(0)) {
        return;
    }
    // Steps are none or more, which is checked where they begin.
    let rest = match steps {
        Number::Known(steps) => Number::Known(steps.rem_euclid(together)),
        Number::Value(steps) => Number::Value(b.arith("remui", steps, b.index(together))),
    };
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
