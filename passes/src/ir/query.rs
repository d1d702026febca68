//! Questions about an op or a value: its name, its symbol, its number, where it stands.

use melior::ir::{
    Attribute, AttributeLike, BlockLike, OperationRef, RegionLike, TypeLike, Value, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
    operation::{OperationLike, OperationResult},
    r#type::IntegerType,
};
use mlir_glue::ir;
use std::{collections::HashSet, ffi::c_void};
use weft_dialects::pipeline::Iterate;
use weft_model::Range;

/// What a kernel is called that shall be called so: a name that can stand in MLIR without quotes, and in PTX.
pub fn symbol_like(wanted: &str) -> String {
    let mut name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    name
}

/// What an op does to its operands, whatever these are: its name, its attributes and the type of its first result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Kind {
    name: *const c_void,
    attributes: Vec<[*const c_void; 2]>,
    ty: *const c_void,
}

impl Kind {
    /// That of an op; `None` of one without results.
    pub fn of(op: OperationRef) -> Option<Self> {
        let pointers =
            op.attributes().map(|(name, value)| [name.to_raw().ptr, value.to_raw().ptr].map(<*const _>::cast));
        let ty = ir::result(op, 0)?.r#type().to_raw().ptr.cast();
        Some(Self { name: op.name().to_raw().ptr.cast(), attributes: pointers.collect(), ty })
    }
}

/// Whether an op has this name.
pub fn is(op: OperationRef, name: &str) -> bool {
    ir::name_of(op) == name
}

/// The name of a function or another symbol.
pub fn symbol<'c>(op: OperationRef<'c, '_>) -> &'c str {
    op.attribute("sym_name").ok().and_then(ir::text_of).unwrap_or_default()
}

/// Names that are taken.
#[derive(Default)]
pub struct TakenNames(HashSet<String>);

impl TakenNames {
    /// `wanted`, or with a number behind it if that is taken.
    pub fn like(&mut self, wanted: &str) -> String {
        self.first_free(std::iter::once(wanted.to_owned()).chain((1..).map(|number| format!("{wanted}_{number}"))))
    }

    /// `stem` with the least number behind it that is free.
    pub fn numbered(&mut self, stem: &str) -> String {
        self.first_free((0..).map(|number| format!("{stem}{number}")))
    }

    fn first_free(&mut self, mut tries: impl Iterator<Item = String>) -> String {
        // The numbers do not end before the names do.
        tries.find(|name| self.0.insert(name.clone())).unwrap_or_default()
    }
}

impl FromIterator<String> for TakenNames {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

/// The image that has the extents of this one: of a state or a result of an iterate what that begins with, else itself.
pub fn shape_of<'c: 'a, 'a>(image: Value<'c, 'a>) -> Value<'c, 'a> {
    std::iter::successors(Some(image), |image| Iterate::begins_with(*image)).last().unwrap_or(image)
}

/// Whether an op is a parallel loop without results, and in no other parallel loop.
pub fn is_outermost_parallel(op: OperationRef) -> bool {
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let is_parallel = |op: OperationRef| is(op, "scf.parallel") || is(op, "omp.parallel");
    is(op, "scf.parallel") && op.result_count() == 0 && !parents.into_iter().any(is_parallel)
}

/// Whether a value is one of an op's regions, at any depth.
pub fn is_inside(value: Value, op: OperationRef) -> bool {
    let parent = ir::block_of(value).and_then(|block| block.parent_operation());
    std::iter::successors(parent, |op| op.parent_operation()).any(|around| around == op)
}

/// Which result of its op a value is.
pub fn result_number(value: Value) -> usize {
    OperationResult::try_from(value).map_or(0, |result| result.result_number())
}

/// The number in an `arith.constant` of type `index`, or of an integer type.
pub fn constant_index(value: Value) -> Option<i64> {
    IntegerAttribute::try_from(constant_of(value)?).ok().map(|value| value.value())
}

/// An index as a constant beside another one.
pub fn beside<'c: 'a, 'a>(index: Value<'c, 'a>) -> (Value<'c, 'a>, i64) {
    let sum = ir::defining_op(index).filter(|op| is(*op, "arith.addi") || is(*op, "arith.subi"));
    let parts = sum.and_then(|op| {
        let by = constant_index(ir::operand(op, 1)?)?;
        let by = if is(op, "arith.addi") { by } else { by.checked_neg()? };
        Some((ir::operand(op, 0)?, by))
    });
    parts.unwrap_or((index, 0))
}

/// Ops from a value to what it may depend on, at most.
const FARTHEST: u32 = 32;

/// Whether a value of a body may depend on another.
pub fn depends_on(value: Value, on: Value, body: OperationRef) -> bool {
    fn depends(value: Value, on: Value, body: OperationRef, farthest: u32) -> bool {
        let Some(farthest) = farthest.checked_sub(1) else { return true };
        if value == on || !is_inside(value, body) {
            return value == on;
        }
        ir::defining_op(value).is_some_and(|op| {
            let is_nested = op.regions().any(|region| region.first_block().is_some());
            is_nested || op.operands().any(|operand| depends(operand, on, body, farthest))
        })
    }
    depends(value, on, body, FARTHEST)
}

/// The value and the positive constant of which an op is the remainder that is not below 0: of `value + (value floordiv c) * -c` in any order, and
/// of `value - (value floordiv c) * c`.
pub fn remainder<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    let [left, right] = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let of = |value: Value<'c, 'a>, product: Value<'c, 'a>, sign: i64| {
        let product = ir::defining_op(product).filter(|op| is(*op, "arith.muli"))?;
        let by = constant_index(ir::operand(product, 1)?)?.checked_mul(sign)?;
        let quotient = ir::defining_op(ir::operand(product, 0)?).filter(|op| is(*op, "arith.floordivsi"))?;
        let is_same = ir::operand(quotient, 0)? == value && constant_index(ir::operand(quotient, 1)?)? == by;
        (is_same && by > 0).then_some((value, by))
    };
    match ir::name_of(op) {
        "arith.addi" => of(left, right, -1).or_else(|| of(right, left, -1)),
        "arith.subi" => of(left, right, 1),
        _ => None,
    }
}

/// The number in an `arith.constant` of a float type, or in all lanes of one.
pub fn constant_float(value: Value) -> Option<f64> {
    let known = constant_of(value)?;
    let splat = DenseElementsAttribute::try_from(known).ok().filter(|lanes| lanes.is_splat());
    let number = splat.map_or(known, |lanes| lanes.splat_value());
    FloatAttribute::try_from(number).ok().map(|number| number.value())
}

/// Whether an op is a `maxnumf` or a `minnumf` of a value and a constant that is no NaN, which it would forget, and no zero, of whose
/// sign MLIR says nothing: what has one instruction everywhere.
pub fn is_bound(op: OperationRef) -> bool {
    (is(op, "arith.maxnumf") || is(op, "arith.minnumf"))
        && ir::operand(op, 1).and_then(constant_float).is_some_and(|bound| !bound.is_nan() && bound != 0.0)
}

/// What an `arith.constant` is.
pub fn constant_of<'c>(value: Value<'c, '_>) -> Option<Attribute<'c>> {
    ir::defining_op(value).filter(|op| is(*op, "arith.constant"))?.attribute("value").ok()
}

/// What is brought between two numbers by a minimum and a maximum, `minsi(maxsi(x, number), number)` or the other way about: the inner one of both, `x`, and
/// the numbers.
pub fn brought_between<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, Range<i64>)> {
    let side = |value: Value<'c, 'a>| {
        let op = ir::defining_op(value).filter(|op| is(*op, "arith.maxsi") || is(*op, "arith.minsi"))?;
        Some((is(op, "arith.maxsi"), ir::operand(op, 0)?, constant_index(ir::operand(op, 1)?)?))
    };
    let (outer_is_least, inner, outer_end) = side(value)?;
    let (inner_is_least, of, inner_end) = side(inner)?;
    let range = match (outer_is_least, inner_is_least) {
        (true, false) => Range::new(outer_end, inner_end),
        (false, true) => Range::new(inner_end, outer_end),
        _ => return None,
    };
    Some((inner, of, range))
}

/// The truth in an `arith.constant` of type `i1`.
pub fn constant_bool(value: Value) -> Option<bool> {
    let is_bool = IntegerType::try_from(value.r#type()).is_ok_and(|ty| ty.width() == 1);
    is_bool.then(|| constant_index(value)).flatten().map(|value| value != 0)
}

/// A division of integers, as far as it matters for which numbers it has no meaning: a divisor of 0, and with signs `MIN / -1`.
#[derive(Clone, Copy, PartialEq)]
pub struct Division {
    /// Whether numbers have signs.
    pub has_sign: bool,
    /// Whether it gives what remains.
    pub is_remainder: bool,
}

/// The division that an op is.
pub fn division_of(op: OperationRef) -> Option<Division> {
    let (has_sign, is_remainder) = match ir::name_of(op) {
        "arith.divui" | "arith.ceildivui" => (false, false),
        "arith.divsi" | "arith.ceildivsi" | "arith.floordivsi" => (true, false),
        "arith.remui" => (false, true),
        "arith.remsi" => (true, true),
        _ => return None,
    };
    Some(Division { has_sign, is_remainder })
}

/// Whether an op divides by what may be 0, or -1 which the least number cannot be divided by.
pub fn may_trap(op: OperationRef) -> bool {
    let by = || ir::operand(op, 1).and_then(constant_index);
    division_of(op).is_some_and(|division| by().is_none_or(|by| by == 0 || division.has_sign && by == -1))
}

/// The image and the dimension that a `tensor.dim` or `memref.dim` with a constant asks for.
pub fn dim_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, usize)> {
    let op = Some(op).filter(|op| is(*op, "tensor.dim") || is(*op, "memref.dim"))?;
    let dimension = usize::try_from(constant_index(ir::operand(op, 1)?)?).ok()?;
    Some((ir::operand(op, 0)?, dimension))
}

/// The image that a value is a part of, or another view. Images that share memory one after the other (`--plan-memory`) are several.
pub fn memory_of<'c: 'a, 'a>(mut memory: Value<'c, 'a>) -> Value<'c, 'a> {
    const VIEWS: [&str; 4] = ["memref.reinterpret_cast", "memref.subview", "memref.transpose", "memref.cast"];
    while let Some(view) = ir::defining_op(memory).filter(|op| VIEWS.contains(&ir::name_of(*op)))
        && let Some(whole) = ir::operand(view, 0)
    {
        memory = whole;
    }
    memory
}
