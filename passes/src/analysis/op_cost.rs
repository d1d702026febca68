//! What a body costs: the instructions of each op, how often it is done, how many values live at once.

use crate::ir::{Key, bytes_of_element, is, key};
use melior::ir::{
    OperationRef, RegionLike, Type, TypeLike, Value, ValueLike, operation::OperationLike, r#type::IntegerType,
};
use mlir_glue::ir;
use std::collections::{BTreeMap, HashMap, HashSet};
use weft_dialects::pipeline::{Load, Reduce, Stage, reduces_around};
use weft_model::{
    OpClass, Work,
    gpu::{ADDRESS, UNROLLED},
    plane_of,
};

// ---- Work -----------------------------------------------------------------------------------------------------------------

/// What a point of a stage costs: its ops as instructions of a GPU, by class; what stands in an `scf.if` counts, for some
/// lane takes it, and what stands in a reduce once for each point of its window. Loads are not counted: how they are done is the schedule's.
pub fn work(stage: Stage) -> Work {
    let mut work = Work::default();
    let ops = ir::walk(stage.op());
    // Instructions as they stand, by the windows around them, innermost dimension first.
    let mut standing: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
    let of_a_plane = of_a_plane(stage, &ops);
    for op in &ops {
        if let Some(ty) = ir::operand(*op, 0).or_else(|| ir::result(*op, 0)).map(|value| value.r#type()) {
            let mut once = Work::default();
            count(&mut once, op, ty);
            let reduces = reduces_around(*op);
            let times: f64 = reduces.iter().map(|reduce| reduce.volume() as f64).product();
            let address = if !reduces.is_empty() && Load::of(*op).is_some() { ADDRESS } else { 0.0 };
            let windows = reduces.iter().flat_map(|reduce| reduce.window().into_iter().rev());
            *standing.entry(windows.map(|(lo, hi)| hi - lo).collect()).or_default() += once.instructions() + address;
            if !of_a_plane.contains(&op.to_raw().ptr.cast_const()) {
                once.of_all_planes = once.instructions();
            }
            work = work + once * times;
        }
    }
    work.code = standing.into_iter().map(|(windows, instructions)| unrolled(instructions, &windows)).sum();
    work.live = live(stage, &ops);
    work
}

/// Ops that depend on the plane of a point; of those with regions, if any op inside does.
fn of_a_plane(stage: Stage, ops: &[OperationRef]) -> HashSet<*const std::ffi::c_void> {
    let id = |op: OperationRef| op.to_raw().ptr.cast_const();
    let mut found = HashSet::new();
    let plane = plane_of(stage.extents().len()).and_then(|plane| ir::arguments(stage.body()).nth(plane));
    let Some(plane) = plane else { return found };
    let mut depends = HashSet::from([key(plane)]);
    for op in ops.iter().filter(|op| **op != stage.op()) {
        let inside = ir::walk(*op);
        if inside.iter().flat_map(|op| op.operands()).any(|value| depends.contains(&key(value))) {
            found.insert(id(*op));
            depends.extend(op.results().map(|result| key(result.into())));
            // What a loop carries.
            let regions = op.regions().filter_map(|region| RegionLike::first_block(&region));
            depends.extend(regions.flat_map(ir::arguments).map(key));
        }
    }
    found
}

/// Instructions in loops of these extents, innermost first, of which LLVM unrolls those that are small then.
fn unrolled(instructions: f64, windows: &[i64]) -> f64 {
    let wholly = windows.iter().scan(instructions, |code, extent| {
        *code *= *extent as f64;
        Some(*code)
    });
    wholly.take_while(|code| *code <= UNROLLED).last().unwrap_or(instructions)
}

/// The instructions of one op.
fn count(work: &mut Work, op: &OperationRef, ty: Type) {
    let is_f64 = ty.is_f64();
    let float = match () {
        () if is_f64 => OpClass::F64,
        () if ty.is_f16() || ty.is_bf16() => OpClass::F16,
        () => OpClass::F32,
    };
    // Of 64-bit integers each half is an instruction.
    let is_long = |ty: Type| IntegerType::try_from(ty).is_ok_and(|ty| ty.width() == 64);
    let halves = if is_long(ty) { 2.0 } else { 1.0 };
    match cost(ir::name_of(*op)).1 {
        Instructions::None => {}
        Instructions::Float(count) => work.count(float, count),
        Instructions::Special { wide, narrow } => {
            work.count(float, if is_f64 { wide } else { narrow });
            work.count(OpClass::Special, 1.0);
        }
        Instructions::Once(class) => work.count(class, 1.0),
        Instructions::Halves(class, count) => work.count(class, count * halves),
        Instructions::Product => work.count(OpClass::IntMul, halves * halves),
        Instructions::Division => {
            let is_by_constant =
                ir::operand(*op, 1).and_then(ir::defining_op).is_some_and(|op| is(op, "arith.constant"));
            let quick = if is_by_constant { 1.0 } else { 6.0 };
            work.count(OpClass::IntMul, quick * halves * halves);
            work.count(OpClass::Int, 3.0 * quick * halves);
        }
        Instructions::Conversion => {
            let is_wide = |ty: Type| ty.is_f64() || is_long(ty);
            let is_wide = is_wide(ty) || ir::result(*op, 0).is_some_and(|value| is_wide(value.r#type()));
            work.count(if is_wide { OpClass::ConvertWide } else { OpClass::Convert }, 1.0);
        }
    }
}

/// What a GPU does for an op. `halves` are 2 of 64-bit integers, else 1.
#[derive(Clone, Copy)]
enum Instructions {
    /// Nothing, or nothing that is counted.
    None,
    /// So many of the float's own class.
    Float(f64),
    /// A special one, and so many of the float's own class: of f64, of others.
    Special { wide: f64, narrow: f64 },
    /// One of a class.
    Once(OpClass),
    /// So many of a class for each half.
    Halves(OpClass, f64),
    /// Each half by each.
    Product,
    /// Of integers: quick by a constant.
    Division,
    /// Between floats, or between floats and integers.
    Conversion,
}

/// What each op costs: a weight, instructions of a GPU or a CPU, roughly, in powers of two; and the instructions of a GPU, by class.
fn cost(name: &str) -> (f64, Instructions) {
    use Instructions::{Conversion, Division, Float, Halves, None, Once, Product, Special};
    // A reciprocal and Newton's steps, rounded right.
    const REFINED: Instructions = Special { wide: 16.0, narrow: 8.0 };
    // Whoever computes these, by instructions or by a polynomial.
    const POLYNOMIAL: Instructions = Special { wide: 30.0, narrow: 16.0 };
    match name {
        "arith.addf" | "arith.subf" | "arith.mulf" | "arith.negf" | "math.absf" => (1.0, Float(1.0)),
        // Weighs as much as the product and the sum that it is: --contract shall not change what is inlined.
        "math.fma" => (2.0, Float(1.0)),
        "arith.divf" | "math.sqrt" | "math.rsqrt" => (8.0, REFINED),
        "arith.remf" => (8.0, Float(20.0)),
        "math.floor" | "math.ceil" | "math.trunc" | "math.round" | "math.roundeven" => (1.0, Once(OpClass::Convert)),
        "math.copysign" => (1.0, Halves(OpClass::Int, 2.0)),
        "arith.addi" | "arith.subi" | "arith.andi" | "arith.ori" | "arith.xori" => (1.0, Halves(OpClass::Int, 1.0)),
        "math.absi" => (1.0, Halves(OpClass::Int, 2.0)),
        "arith.muli" | "arith.mulsi_extended" | "arith.mului_extended" => (1.0, Product),
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" | "arith.floordivsi" | "arith.ceildivsi"
        | "arith.ceildivui" => (8.0, Division),
        "arith.shli" | "arith.shrsi" | "arith.shrui" => (1.0, Halves(OpClass::Shift, 1.0)),
        // The comparison that NaN needs comes with the instruction.
        "arith.cmpf" | "arith.cmpi" | "arith.select" | "arith.maxsi" | "arith.maxui" | "arith.minsi"
        | "arith.minui" | "arith.maximumf" | "arith.minimumf" | "arith.maxnumf" | "arith.minnumf" => {
            (1.0, Halves(OpClass::Compare, 1.0))
        }
        "arith.extf" | "arith.truncf" | "arith.sitofp" | "arith.uitofp" | "arith.fptosi" | "arith.fptoui" => {
            (1.0, Conversion)
        }
        "arith.extsi" | "arith.extui" | "arith.trunci" => (1.0, Once(OpClass::Int)),
        "arith.constant" => (0.0, None),
        "math.clampf" | "math.ctlz" | "math.cttz" | "math.ctpop" | "math.isnan" | "math.isinf" | "math.isfinite" => {
            (1.0, POLYNOMIAL)
        }
        "scf.if" => (1.0, None),
        _ if name.starts_with("arith.") => (1.0, None),
        _ if name.starts_with("math.") => (32.0, POLYNOMIAL),
        _ => (0.0, None),
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

/// Operations for each point that a store and loads of an image are worth, on a CPU: what takes more is rather kept than computed again.
pub const STORED: f64 = 12.0;

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
        Some(reduce) => reduce.volume() as f64,
        None if is(op, "scf.for") || is(op, "scf.while") => 16.0,
        None => 1.0,
    });
    times.product()
}

/// Instructions of a GPU or a CPU, roughly, in powers of two.
pub fn weight_of(op: OperationRef) -> f64 {
    cost(ir::name_of(op)).0
}
