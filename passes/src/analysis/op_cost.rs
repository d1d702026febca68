//! What a body costs: the instructions of each op, how often it is done, how many values live at once.

use crate::ir::{Key, bytes_of_element, is, key};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike, r#type::IntegerType};
use mlir_glue::ir;
use std::collections::{BTreeMap, HashMap};
use weft_dialects::pipeline::{Load, Reduce, Stage, reduces_around};
use weft_model::{
    OpClass, Work,
    gpu::{ADDRESS, UNROLLED},
};

// ---- Work -----------------------------------------------------------------------------------------------------------------

/// What a point of a stage costs: its ops as instructions of a GPU, by class; what stands in an `scf.if` counts, for some
/// lane takes it, and what stands in a reduce once for each point of its window. Loads are not counted: how they are done is the schedule's.
pub fn work(stage: Stage) -> Work {
    let mut work = Work::default();
    let ops = ir::walk(stage.op());
    // Instructions as they stand, by the windows around them, innermost dimension first.
    let mut standing: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
    for op in &ops {
        if let Some(ty) = ir::operand(*op, 0).or_else(|| ir::result(*op, 0)).map(|value| value.r#type()) {
            let mut once = Work::default();
            count(&mut once, ir::name_of(*op), op, ty);
            let reduces = reduces_around(*op);
            let times: f64 = reduces.iter().map(|reduce| reduce.points() as f64).product();
            let address = if !reduces.is_empty() && Load::of(*op).is_some() { ADDRESS } else { 0.0 };
            let windows = reduces.iter().flat_map(|reduce| reduce.window().into_iter().rev());
            *standing.entry(windows.map(|(lo, hi)| hi - lo).collect()).or_default() += once.instructions() + address;
            work = work + once * times;
        }
    }
    work.code = standing.into_iter().map(|(windows, instructions)| unrolled(instructions, &windows)).sum();
    work.live = live(stage, &ops);
    work
}

/// Instructions in loops of these extents, innermost first, of which LLVM unrolls those that are small then.
fn unrolled(instructions: f64, windows: &[i64]) -> f64 {
    let wholly = windows.iter().scan(instructions, |code, extent| {
        *code *= *extent as f64;
        Some(*code)
    });
    wholly.take_while(|code| *code <= UNROLLED).last().unwrap_or(instructions)
}

fn count(work: &mut Work, name: &str, op: &OperationRef, ty: Type) {
    let is_f64 = ty.is_f64();
    let float = match () {
        () if is_f64 => OpClass::F64,
        () if ty.is_f16() || ty.is_bf16() => OpClass::F16,
        () => OpClass::F32,
    };
    // Of 64-bit integers each half is an instruction.
    let is_long = |ty: Type| IntegerType::try_from(ty).is_ok_and(|ty| ty.width() == 64);
    let halves = if is_long(ty) { 2.0 } else { 1.0 };
    let is_by_constant = ir::operand(*op, 1).and_then(ir::defining_op).is_some_and(|op| is(op, "arith.constant"));
    match name {
        "arith.addf" | "arith.subf" | "arith.mulf" | "arith.negf" | "math.fma" | "math.absf" => work.count(float, 1.0),
        // A reciprocal and Newton's steps, rounded right.
        "arith.divf" | "math.sqrt" | "math.rsqrt" => {
            work.count(float, if is_f64 { 16.0 } else { 8.0 });
            work.count(OpClass::Special, 1.0);
        }
        "arith.remf" => work.count(float, 20.0),
        "math.floor" | "math.ceil" | "math.trunc" | "math.round" | "math.roundeven" => {
            work.count(OpClass::Convert, 1.0)
        }
        "math.copysign" => work.count(OpClass::Int, 2.0),
        "arith.addi" | "arith.subi" | "arith.andi" | "arith.ori" | "arith.xori" => work.count(OpClass::Int, halves),
        "math.absi" => work.count(OpClass::Int, 2.0 * halves),
        "arith.muli" | "arith.mulsi_extended" | "arith.mului_extended" => {
            work.count(OpClass::IntMul, if halves > 1.0 { 4.0 } else { 1.0 });
        }
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" | "arith.floordivsi" | "arith.ceildivsi"
        | "arith.ceildivui" => {
            let quick = if is_by_constant { 1.0 } else { 6.0 };
            work.count(OpClass::IntMul, quick * halves * halves);
            work.count(OpClass::Int, 3.0 * quick * halves);
        }
        "arith.shli" | "arith.shrsi" | "arith.shrui" => work.count(OpClass::Shift, halves),
        "arith.cmpf" | "arith.cmpi" | "arith.select" => work.count(OpClass::Compare, halves),
        "arith.maxsi" | "arith.maxui" | "arith.minsi" | "arith.minui" => work.count(OpClass::Compare, halves),
        // The comparison that NaN needs comes with the instruction.
        "arith.maximumf" | "arith.minimumf" | "arith.maxnumf" | "arith.minnumf" => work.count(OpClass::Compare, 1.0),
        "arith.extf" | "arith.truncf" | "arith.sitofp" | "arith.uitofp" | "arith.fptosi" | "arith.fptoui" => {
            let is_wide = |ty: Type| ty.is_f64() || is_long(ty);
            let is_wide = is_wide(ty) || ir::result(*op, 0).is_some_and(|value| is_wide(value.r#type()));
            work.count(if is_wide { OpClass::ConvertWide } else { OpClass::Convert }, 1.0);
        }
        "arith.extsi" | "arith.extui" | "arith.trunci" => work.count(OpClass::Int, 1.0),
        // Whoever computes these, by instructions or by a polynomial.
        _ if name.starts_with("math.") => {
            work.count(float, if is_f64 { 30.0 } else { 16.0 });
            work.count(OpClass::Special, 1.0);
        }
        _ => {}
    }
}

/// Most registers that hold values of the body at once, each from its op to its last use.
fn live(stage: Stage, ops: &[OperationRef]) -> i64 {
    let mut last: HashMap<Key, usize> = HashMap::new();
    for (place, op) in ops.iter().enumerate() {
        op.operands().for_each(|value| _ = last.insert(key(value), place));
    }
    let words = |value: Value| {
        let ty = value.r#type();
        // Indices are the schedule's, constants the instructions'.
        if ty.is_index() || ir::defining_op(value).is_some_and(|op| is(op, "arith.constant")) {
            return 0;
        }
        (bytes_of_element(ty) + 3) / 4
    };
    let (mut alive, mut most) = (0, 0);
    let mut ends: Vec<i64> = vec![0; ops.len() + 1];
    for (place, op) in ops.iter().enumerate() {
        if *op == stage.op() {
            continue;
        }
        for result in op.results() {
            let value = Value::from(result);
            if let Some(end) = last.get(&key(value)).filter(|end| **end > place) {
                alive += words(value);
                ends[*end] += words(value);
            }
        }
        most = most.max(alive);
        alive -= ends[place];
    }
    most
}

/// What a body costs to compute, without its loads: see the description of the pass. Of two branches both count.
pub fn cost_of(stage: Stage) -> f64 {
    ir::walk(stage.op()).into_iter().skip(1).map(|op| weight_of(op) * repeats_of(op)).sum()
}

/// How often an op of a body is computed for a point: once for each point of a reduce's window, and 16 times in a loop, for how
/// long that runs is not asked.
pub fn repeats_of(op: OperationRef) -> f64 {
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let inside = parents.take_while(|op| Stage::of(*op).is_none());
    let times = inside.map(|op| match Reduce::of(op) {
        Some(reduce) => reduce.points() as f64,
        None if is(op, "scf.for") || is(op, "scf.while") => 16.0,
        None => 1.0,
    });
    times.product()
}

/// Instructions of a GPU or a CPU, roughly, in powers of two.
pub fn weight_of(op: OperationRef) -> f64 {
    const DIVISIONS: [&str; 9] =
        ["divf", "divsi", "divui", "remf", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"];
    const ROOTS: [&str; 2] = ["sqrt", "rsqrt"];
    const CHEAP: [&str; 15] = [
        "absf",
        "absi",
        "ceil",
        "floor",
        "trunc",
        "round",
        "roundeven",
        "copysign",
        "clampf",
        "ctlz",
        "cttz",
        "ctpop",
        "isnan",
        "isinf",
        "isfinite",
    ];
    match ir::name_of(op).split_once('.').unwrap_or_default() {
        ("arith", "constant") => 0.0,
        ("arith", op) if DIVISIONS.contains(&op) => 8.0,
        ("arith", _) => 1.0,
        // As much as the product and the sum that it is: --contract shall not change what is inlined.
        ("math", "fma") => 2.0,
        ("math", op) if CHEAP.contains(&op) => 1.0,
        ("math", op) if ROOTS.contains(&op) => 8.0,
        ("math", _) => 32.0,
        ("scf", "if") => 1.0,
        _ => 0.0,
    }
}
