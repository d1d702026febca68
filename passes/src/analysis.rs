//! What the models know of a program: its stages, loads and extents as numbers and expressions, and what each point costs.
//!
//! ```text
//! func @f(%img: tensor<?x?xf32> {weft.estimate = array<i64: 4800, 6400>})       Program {
//!   %h = tensor.dim %img, %c0                                                      images: [4 bytes],
//!   %bx = stage "blurx" sized(%h, %w) { loads, arith ops }                ──▶      stages: ["blurx": extents [?0, ?1],
//!   return %bx                                                                       size [4800, 6400], accesses, work] }
//! ```
//!
//! Extents that are not known have names, equal for equal values. Where a cost needs a number, it is computed from the
//! estimates of the arguments; see [`Sizes`].

use crate::{
    access::{self, Number, bytes_of_element},
    bounds::loads,
    builder::{Key, key},
    program::{self, is},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, ShapedTypeLike, Type, TypeLike, Value, ValueLike,
    attribute::DenseI64ArrayAttribute,
    block::BlockArgument,
    operation::OperationLike,
    r#type::{IntegerType, MemRefType, RankedTensorType},
};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::{BTreeMap, HashMap};
use weft_dialects::{
    pipeline::{Iterate, Load, Stage, Unit, reduces_around, static_extents},
    weft,
};
use weft_model::{
    Extent, Interval, Named, OpClass, Program, Range, Source, Work,
    estimate::{ADDRESS, UNROLLED},
    group,
};

/// Names for numbers that are known at run time only: one number, one name.
#[derive(Default)]
pub struct Names(HashMap<Unknown, u32>);

/// A number that is known at run time only.
#[derive(PartialEq, Eq, Hash)]
enum Unknown {
    /// An extent of an image in memory, however many `tensor.dim`s ask for it, or none.
    Dim(Key, usize),
    /// Any other.
    Value(Key),
}

impl Names {
    /// The number as the model knows it.
    pub fn extent(&mut self, number: Number) -> Extent {
        match number {
            Number::Known(number) => Extent::Known(number),
            Number::Value(value) => Extent::Named(self.named(value)),
        }
    }

    /// A number, as far as it is another one moved and scaled by constants.
    fn named(&mut self, value: Value) -> Named {
        let moved = ir::defining_op(value).and_then(|op| {
            let (of, by) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
            let (of, by) = match (program::constant_index(of), program::constant_index(by)) {
                (None, Some(by)) => (of, by),
                (Some(of), None) if ["arith.addi", "arith.muli"].contains(&ir::name_of(op)) => (by, of),
                _ => return None,
            };
            let named = self.named(of);
            // Extents are not negative, so that all divisions are the same.
            match ir::name_of(op) {
                "arith.addi" => named.plus(by),
                "arith.subi" => named.plus(-by),
                "arith.muli" => named.times(by),
                "arith.shrsi" | "arith.shrui" if (0..32).contains(&by) => named.over(1 << by),
                "arith.divsi" | "arith.divui" | "arith.floordivsi" => named.over(by),
                "arith.ceildivsi" | "arith.ceildivui" => named.plus(by - 1)?.over(by),
                _ => None,
            }
        });
        moved.unwrap_or_else(|| Named::new(self.of(value)))
    }

    fn of(&mut self, value: Value) -> u32 {
        let dim = ir::defining_op(value).and_then(program::dim_of);
        self.name(dim.map_or(Unknown::Value(key(value)), |(image, dimension)| Unknown::Dim(key(image), dimension)))
    }

    fn name(&mut self, unknown: Unknown) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(unknown).or_insert(next)
    }
}

/// A stage as the model sees it; `reads` says what a load reads, and the extents of that. Whether it is a live-out, and what
/// it measures, is for the caller to fill in.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn stage<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    names: &mut Names,
    mut reads: impl FnMut(Load<'c, 'a>, &mut Names) -> (Source, Vec<Extent>),
) -> Result<group::Stage, Diagnostic<'c>> {
    let extents: Vec<_> = program::numbers(stage.extents()).into_iter().map(|extent| names.extent(extent)).collect();
    let needed = needed(stage, &extents);
    let mut accesses = Vec::new();
    for load in loads(stage) {
        let (source, of) = reads(load, names);
        let indices = access::indices(load)?;
        let boundary = access::model_boundary(load.boundary());
        let outside = load.outside().map(|value| names.of(value));
        let variables = access::variables(load)
            .into_iter()
            .map(|variable| group::Variable {
                name: names.of(variable.value),
                range: variable.range,
                known: variable.known(),
            })
            .collect();
        let access = group::Access::new(source, indices, boundary, outside, of, (&extents, &needed), variables);
        accesses.push(access);
    }
    Ok(group::Stage {
        name: stage.name().to_owned(),
        extents,
        needed,
        bytes: (0..stage.op().result_count()).map(|i| bytes_of_element(stage.image_type(i).element())).collect(),
        work: work(stage),
        size: Vec::new(),
        accesses,
        is_live_out: false,
        inlined_into: None,
    })
}

/// The points of a stage that are needed, as far as they are known.
fn needed(stage: Stage, extents: &[Extent]) -> Vec<Interval> {
    let needed = stage.needed().unwrap_or_else(|| vec![(None, None); extents.len()]);
    let ends = needed.into_iter().zip(extents).map(|((lo, hi), extent)| {
        let whole = group::whole(*extent);
        Range::new(lo.or(whole.lo), hi.map(|hi| hi - 1).or(whole.hi))
    });
    ends.collect()
}

/// A program, and its stages in the model's order.
pub struct Whole<'c, 'a> {
    /// The stages, in groups or not.
    pub stages: Vec<Stage<'c, 'a>>,
    /// The model's view of it.
    pub model: Program,
}

impl<'c: 'a, 'a> Whole<'c, 'a> {
    /// That of a program whose extents have been put in order (`resolve_dims`, `hoist_scalars`).
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(block: BlockRef<'c, 'a>, sizes: &Sizes) -> Result<Self, Failure<'c>> {
        let stages: Vec<Stage> = ir::operations(block).flat_map(ir::walk).filter_map(Stage::of).collect();
        let first = |stage: &Stage<'c, 'a>| key(stage.op().result(0).expect("a verified stage has a result").into());
        let numbers: HashMap<Key, usize> =
            stages.iter().enumerate().map(|(number, stage)| (first(stage), number)).collect();
        let mut names = Names::default();
        let mut images: Vec<Value> = Vec::new();
        let mut model = Program::default();
        for of in &stages {
            let mut seen = stage(*of, &mut names, |load, names| {
                let source = load.source();
                if let Some((producer, result)) = program::result_of(source) {
                    let number = numbers[&first(&producer)];
                    let extents = program::numbers(producer.extents());
                    return (Source::Stage(number, result), extents.into_iter().map(|e| names.extent(e)).collect());
                }
                // Scans, scatters and states of iterates are in memory before a group reads them.
                let shape = program::shape_of(source);
                if let Some(unit) = program::unit_of(shape) {
                    let extents = program::numbers(unit.extents()).into_iter().map(|e| names.extent(e)).collect();
                    return (Source::Image(numbered(&mut images, source)), extents);
                }
                let mut unknown = |d| Extent::Named(Named::new(names.name(Unknown::Dim(key(shape), d))));
                let extent = |(d, known): (usize, Option<i64>)| known.map_or_else(|| unknown(d), Extent::Known);
                (
                    Source::Image(numbered(&mut images, source)),
                    static_extents(load.source_type()).into_iter().enumerate().map(extent).collect(),
                )
            })?;
            seen.size = program::numbers(of.extents()).into_iter().map(|extent| sizes.of(extent)).collect();
            model.stages.push(seen);
        }
        model.images = images.iter().map(|image| bytes_of(*image)).collect();
        let returned: Vec<Value> = block.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        let others = ir::operations(block).flat_map(ir::walk).filter(|op| Stage::of(*op).is_none());
        let read = others.flat_map(|op| match (Unit::of(op), Iterate::of(op)) {
            (Some(unit), _) => loads(unit).map(Load::source).collect(),
            (_, Some(iterate)) => iterate.states_and_next(),
            _ => Vec::new(),
        });
        let returned: Vec<Stage> = returned.into_iter().chain(read).filter_map(program::stage_of).collect();
        model.is_result = stages.iter().map(|stage| returned.contains(stage)).collect();
        Ok(Self { stages, model })
    }
}

/// The number of an image among those that have been seen, of which it may be one from now on.
pub fn numbered<'c, 'a>(images: &mut Vec<Value<'c, 'a>>, image: Value<'c, 'a>) -> usize {
    images.iter().position(|known| *known == image).unwrap_or_else(|| {
        images.push(image);
        images.len() - 1
    })
}

/// Bytes of an element of an image.
pub fn bytes_of(image: Value) -> i64 {
    RankedTensorType::try_from(image.r#type()).map_or(4, |ty| bytes_of_element(ty.element()))
}

// ---- Sizes ----------------------------------------------------------------------------------------------------------------

/// What models take for an extent that nobody knows: a photograph's.
const DEFAULT: i64 = 2048;

/// Extents as an option gives them, `2832x4256`: positive numbers.
pub fn extents_of(text: &str) -> Option<Vec<i64>> {
    text.split('x').map(|part| part.parse().ok().filter(|extent| *extent > 0)).collect()
}

/// Extents as numbers, for costs: those of the types, else what is computed from the arguments' `weft.estimate` or the size
/// that the user gives for all images without one.
pub struct Sizes {
    /// Extents of the arguments, by number and dimension.
    arguments: Vec<Vec<Option<i64>>>,
    size: Vec<i64>,
}

impl Sizes {
    /// Those of a program; `size` gives the extents of images that say nothing, from the last dimension backwards.
    pub fn of_program(func: OperationRef, block: BlockRef, size: &[i64]) -> Self {
        let estimate = |argument: usize| {
            let of = weft::attributes_of(func, false, argument)?;
            let array = DenseI64ArrayAttribute::try_from(of.element_by_name(weft::ESTIMATE)?).ok()?;
            Some((0..array.len()).map(|i| array.element(i).ok()).collect::<Vec<_>>())
        };
        let extents = |argument: usize| {
            let value = block.argument(argument).ok()?;
            let ty = Value::from(value).r#type();
            let of_tensor = RankedTensorType::try_from(ty).map(static_extents);
            let known = of_tensor.or_else(|_| MemRefType::try_from(ty).map(static_extents)).ok()?;
            let estimate = estimate(argument).unwrap_or_default();
            Some(known.into_iter().enumerate().map(|(d, known)| known.or(estimate.get(d).copied().flatten())).collect())
        };
        let arguments = (0..block.argument_count()).map(|argument| extents(argument).unwrap_or_default()).collect();
        Self { arguments, size: size.to_vec() }
    }

    /// An extent: at least 1.
    pub fn of(&self, number: Number) -> i64 {
        match number {
            Number::Known(number) => number.max(1),
            Number::Value(value) => self.evaluate(value).unwrap_or(DEFAULT).max(1),
        }
    }

    fn evaluate(&self, value: Value) -> Option<i64> {
        let op = ir::defining_op(value)?;
        if let Some(number) = program::constant_index(value) {
            return Some(number);
        }
        let operand = |index: usize| ir::operand(op, index).and_then(|value| self.evaluate(value));
        if let Some((image, dimension)) = program::dim_of(op) {
            let argument = BlockArgument::try_from(image).ok()?.argument_number();
            let extents = self.arguments.get(argument)?;
            let known = extents.get(dimension).copied().flatten();
            let back = extents.len().checked_sub(dimension)?;
            return known.or_else(|| self.size.len().checked_sub(back).map(|d| self.size[d]));
        }
        let (a, b) = (operand(0)?, operand(1));
        Some(match (ir::name_of(op), b) {
            ("arith.addi", Some(b)) => a.saturating_add(b),
            ("arith.subi", Some(b)) => a.saturating_sub(b),
            ("arith.muli", Some(b)) => a.saturating_mul(b),
            ("arith.divui" | "arith.divsi" | "arith.floordivsi", Some(b)) if b > 0 => a.div_euclid(b),
            ("arith.ceildivui" | "arith.ceildivsi", Some(b)) if b > 0 => a.saturating_add(b - 1).div_euclid(b),
            ("arith.remui" | "arith.remsi", Some(b)) if b > 0 => a.rem_euclid(b),
            ("arith.minui" | "arith.minsi", Some(b)) => a.min(b),
            ("arith.maxui" | "arith.maxsi", Some(b)) => a.max(b),
            ("arith.shrui" | "arith.shrsi", Some(b @ 0..=62)) => a >> b,
            ("arith.shli", Some(b @ 0..=31)) => a.saturating_mul(1 << b),
            ("arith.index_cast" | "arith.index_castui", _) => a,
            _ => return None,
        })
    }
}

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
