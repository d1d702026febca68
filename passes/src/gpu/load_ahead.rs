//! `--load-ahead`: a loop asks for what its next iteration reads before it computes.
//!
//! ```text
//! scf.for %row = %c0 to %c64 step %c1 {                %first = memref.load %img[%c0, %x]
//!   %v = memref.load %img[%row, %x]                    scf.for %row = %c0 to %c64 step %c1 iter_args(%v = %first) {
//!   <work on %v>                              ──▶        %next = memref.load %img[min(%row + 1, 63), %x]
//! }                                                      <work on %v>
//!                                                        scf.yield %next }
//! ```
//!
//! A warp that walks down its strip waits for each row, and where there are few warps nobody fills the time: a load that goes out an
//! iteration before it is used is there when it is. It takes a register for each value, and in the last iteration reads a row again.
//!
//! Loads are rotated of images that nobody writes while the kernel runs, and whose place depends on the loop's index and on what is known before it.

use crate::ir::{Builder, Key, bits_of_element, constant_index, is, key, memory_of, only_block};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, OperationRef, RegionLike, TypeLike, Value, ValueLike, attribute::ArrayAttribute,
        operation::OperationLike,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::{HashMap, HashSet};

options! {
    /// Options of `--load-ahead`.
    pub struct LoadAheadOptions {
        most: i64 = 16, "most", "registers of loaded values that a loop carries, at most";
    }
}

/// Iterations of a loop for which one load more pays.
const LEAST_ITERATIONS: i64 = 8;

/// The pass.
pub struct LoadAhead;

const LOADS: Statistic = Statistic::new(c"loads", c"Loads made an iteration ahead");

impl Pass for LoadAhead {
    const ARGUMENT: &'static str = "load-ahead";
    const SUMMARY: &'static str = "Load in kernels' loops what the next iteration reads";
    const DESCRIPTION: &'static str = "\
In each innermost `scf.for` of a kernel, of known bounds, loads of arguments that the kernel only reads, and that overlap no other (`llvm.noalias`), are made one iteration ahead: before the \
loop for its first iteration, and in each for the next, or for the last again. Loads in branches stay, as do those whose place is loaded or \
carried; and all, where there are more than `most` 32-bit registers of them.";
    const STATISTICS: &'static [Statistic] = &[LOADS];
    type Options = LoadAheadOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::scf()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &LoadAheadOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let funcs: Vec<_> = ir::walk(module).into_iter().filter(|op| is(*op, "gpu.func")).collect();
        for func in funcs {
            let read_only = read_only(func);
            let loops: Vec<_> = ir::walk(func).into_iter().filter(|op| is(*op, "scf.for")).collect();
            let innermost = |of: &OperationRef| ir::walk(*of)[1..].iter().all(|op| !is(*op, "scf.for"));
            for of in loops.into_iter().filter(innermost).collect::<Vec<_>>() {
                if let Some(loads) = loads_ahead(of, &read_only, options.most) {
                    cx.count(LOADS, loads.len());
                    rotate(cx, of, &loads);
                }
            }
        }
        Ok(())
    }
}

/// The memory of a kernel that nobody writes while it runs: arguments that overlap no other (`llvm.noalias`), and that it loads from and
/// does nothing else with.
fn read_only(func: OperationRef) -> HashSet<Key> {
    let Some(entry) = func.region(0).ok().and_then(|region| region.first_block()) else { return HashSet::new() };
    let attributes: Vec<String> = func
        .attribute("arg_attrs")
        .ok()
        .and_then(|all| ArrayAttribute::try_from(all).ok())
        .map(|all| (0..all.len()).filter_map(|number| Some(all.element(number).ok()?.to_string())).collect())
        .unwrap_or_default();
    let is_alone = |number: usize| attributes.get(number).is_some_and(|text| text.contains("llvm.noalias"));
    let arguments = ir::arguments(entry).enumerate();
    arguments
        .filter(|(number, value)| is_alone(*number) && is_only_loaded(*value))
        .map(|(_, value)| key(value))
        .collect()
}

/// Whether memory, and all views of it, are loaded from and asked for their extents, and no more.
fn is_only_loaded(memory: Value) -> bool {
    ir::uses(memory).into_iter().all(|(user, operand)| match ir::name_of(user) {
        "memref.load" | "vector.load" | "memref.dim" => true,
        "memref.reinterpret_cast" => operand == 0 && ir::result(user, 0).is_some_and(is_only_loaded),
        _ => false,
    })
}

/// The loads of a loop that can be made an iteration ahead; `None` where there are none, or too many.
fn loads_ahead<'c: 'a, 'a>(
    of: OperationRef<'c, 'a>,
    read_only: &HashSet<Key>,
    most: i64,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let bound = |operand| constant_index(ir::operand(of, operand)?);
    let (lo, hi, step) = (bound(0)?, bound(1)?, bound(2)?);
    // What carries nothing and is short LLVM unrolls, and orders itself.
    let least = if of.result_count() > 0 { LEAST_ITERATIONS } else { 2 * LEAST_ITERATIONS };
    let length = hi.checked_sub(lo)?;
    if step <= 0 || length / step < least || length % step != 0 {
        return None;
    }
    // What the index of the next iteration gives: it, and what is computed of it alone.
    let block = only_block(of);
    let index: Value = block.argument(0).ok()?.into();
    if !index.r#type().is_index() {
        return None;
    }
    let inside: HashSet<Key> =
        ir::operations(block).flat_map(|op| op.results().map(|value| key(value.into())).collect::<Vec<_>>()).collect();
    let carried: HashSet<Key> = ir::arguments(block).skip(1).map(key).collect();
    let mut known: HashSet<Key> = HashSet::from([key(index)]);
    let mut loads = Vec::new();
    for op in ir::operations(block) {
        let is_known = |value: Value<'c, 'a>| {
            known.contains(&key(value)) || !inside.contains(&key(value)) && !carried.contains(&key(value))
        };
        if !op.operands().all(is_known) {
            continue;
        }
        if is_pure(op) {
            known.extend(op.results().map(|value| key(value.into())));
        } else if is_load(op)
            && ir::operand(op, 0).is_some_and(|memory| read_only.contains(&key(memory_of(memory))))
            && !is_for_next(op, block)
        {
            loads.push(op);
        }
    }
    let registers: i64 = loads.iter().map(|load| registers_of(*load)).sum();
    (!loads.is_empty() && registers <= most).then_some(loads)
}

fn is_pure(op: OperationRef) -> bool {
    ir::name_of(op).starts_with("arith.") && op.regions().count() == 0
}

fn is_load(op: OperationRef) -> bool {
    is(op, "memref.load") || is(op, "vector.load")
}

/// Whether what is loaded is carried on, and nothing else.
fn is_for_next<'c: 'a, 'a>(load: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> bool {
    let end = block.terminator();
    ir::result(load, 0).is_none_or(|value| ir::uses(value).into_iter().all(|(user, _)| Some(user) == end))
}

/// The registers that what is loaded takes.
fn registers_of(load: OperationRef) -> i64 {
    let Some(value) = ir::result(load, 0) else { return 0 };
    let bits = |ty| bits_of_element(ty).map_or(32, i64::from).max(32);
    match ir::vector_element(value.r#type()) {
        Some(element) => {
            let lanes = value.r#type().to_string();
            let lanes = lanes.trim_start_matches("vector<").split('x').next().and_then(|lanes| lanes.parse().ok());
            lanes.unwrap_or(1) * bits(element) / 32
        }
        None => bits(value.r#type()) / 32,
    }
}

/// Makes the loop anew, with these loads an iteration ahead.
fn rotate<'c: 'a, 'a>(cx: &PassContext<'c>, of: OperationRef<'c, 'a>, loads: &[OperationRef<'c, 'a>]) {
    let b = Builder::before(cx.context(), of).located(of.location());
    let block = only_block(of);
    let operands: Vec<Value> = of.operands().collect();
    let (bounds, inits) = operands.split_at(3);
    let number = |value: Value<'c, 'a>| constant_index(value).expect("the loop has known bounds");
    let last = number(bounds[1]) - number(bounds[2]);
    let arguments: Vec<Value> = ir::arguments(block).collect();
    let needed = slice(block, loads);
    let of_iteration = |b: &Builder<'c, 'a>, from: Value<'c, 'a>, index: Value<'c, 'a>| -> Vec<Value<'c, 'a>> {
        let mut values = HashMap::from([(key(from), index)]);
        needed.iter().for_each(|op| _ = b.clone_mapped(*op, &mut values));
        loads.iter().filter_map(|load| values.get(&key(ir::result(*load, 0)?)).copied()).collect()
    };
    let first = of_iteration(&b, arguments[0], bounds[0]);
    let all: Vec<Value> = inits.iter().copied().chain(first).collect();
    let made = b.for_carrying([bounds[0], bounds[1], bounds[2]], &all, |b, index, carried| {
        for (old, new) in arguments.iter().zip([index].iter().chain(carried)) {
            ir::set_argument_location(*new, old.location());
            ir::replace_all_uses(*old, *new);
        }
        let next = b.arith("minsi", b.arith("addi", index, bounds[2]), b.index(last));
        let ahead = of_iteration(b, index, next);
        let end = block.terminator().expect("a loop ends with a yield");
        for op in ir::operations(block).filter(|op| *op != end && !loads.contains(op)).collect::<Vec<_>>() {
            b.move_here(op);
        }
        for (load, value) in loads.iter().zip(&carried[inits.len()..]) {
            ir::set_argument_location(*value, load.location());
            ir::replace_all_uses(load.result(0).expect("a load has a result").into(), *value);
            ir::erase(*load);
        }
        Ok::<_, std::convert::Infallible>(end.operands().chain(ahead).collect())
    });
    let Ok(made) = made;
    for (old, new) in of.results().zip(made) {
        ir::replace_all_uses(old.into(), new);
    }
    ir::erase(of);
}

/// The loads, and the ops of their block that their places are computed by, in order.
fn slice<'c: 'a, 'a>(block: BlockRef<'c, 'a>, loads: &[OperationRef<'c, 'a>]) -> Vec<OperationRef<'c, 'a>> {
    let mut wanted: HashSet<Key> = HashSet::new();
    let mut ops: Vec<OperationRef> = Vec::new();
    let all: Vec<OperationRef> = ir::operations(block).collect();
    for op in all.into_iter().rev() {
        let is_wanted = loads.contains(&op) || op.results().any(|value| wanted.contains(&key(value.into())));
        if is_wanted {
            wanted.extend(op.operands().map(key));
            ops.push(op);
        }
    }
    ops.reverse();
    ops
}
