//! Tables: images of constants, which a program has with it. Lowered, a table is a global of the module that its readers stand in.
//!
//! ```text
//! %w = arith.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>    ──▶    memref.global "private" constant @f_table : memref<3xf32> = dense<...>
//! pipeline.load %w[%i]                                                 %w = memref.get_global @f_table
//! ```

use super::{
    builder::{Builder, only_block},
    element::bytes_of_element,
    location::name_of_value,
    query::{constant_index, constant_of, is, symbol},
};
use melior::ir::{
    Attribute, OperationRef, TypeLike, Value, ValueLike,
    attribute::{DenseElementsAttribute, FlatSymbolRefAttribute, FloatAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use mlir_glue::ir;
use weft_dialects::pipeline::{Load, static_extents};

/// The elements of a value that is a table.
pub fn table_of<'c>(value: Value<'c, '_>) -> Option<Attribute<'c>> {
    constant_of(value).filter(|_| value.r#type().is_ranked_tensor())
}

fn type_of<'c>(table: Value<'c, '_>) -> RankedTensorType<'c> {
    RankedTensorType::try_from(table.r#type()).expect("a table is a tensor")
}

/// Whether an op gives a table.
pub fn is_table(op: OperationRef) -> bool {
    ir::result(op, 0).is_some_and(|value| table_of(value).is_some())
}

/// What a table is called.
pub fn table_name<'c>(table: Value<'c, '_>) -> &'c str {
    name_of_value(table).unwrap_or("table")
}

/// The points of a table along each dimension.
pub fn table_extents(table: Value) -> Vec<i64> {
    static_extents(type_of(table)).into_iter().flatten().collect()
}

/// Bytes of a table in memory.
pub fn table_bytes(table: Value) -> i64 {
    table_extents(table).into_iter().fold(bytes_of_element(type_of(table).element()), i64::saturating_mul)
}

/// Elements at most of a table of which all are looked at.
const MOST_ELEMENTS: i64 = 1 << 16;

/// The floats of a table in the order of memory, if it is one of floats, and not long.
pub fn floats_of_table(table: Value) -> Option<Vec<f64>> {
    let elements = DenseElementsAttribute::try_from(table_of(table)?).ok()?;
    let extents = table_extents(table);
    let count = extents.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent))?;
    let float = |number: i64| {
        let mut rest = number;
        let mut place: Vec<i64> = extents.iter().rev().map(|extent| (rest % extent, rest /= extent).0).collect();
        place.reverse();
        FloatAttribute::try_from(ir::element_at(elements, &place)?).ok().map(|float| float.value())
    };
    if count > MOST_ELEMENTS { None } else { (0..count).map(float).collect() }
}

/// The loads of a table.
pub fn loads_of_table<'c: 'a, 'a>(table: Value<'c, 'a>) -> Vec<Load<'c, 'a>> {
    ir::uses(table).into_iter().filter_map(|(user, _)| Load::of(user)).collect()
}

/// Bytes that the memory of a table begins at a multiple of, at most.
const LINE: i64 = 64;

/// A global that holds a table, in the given space of memory, without one in the host's: made by `globals`, read by what
/// [`get_global`] makes.
pub fn make_global<'c: 'a, 'a>(globals: &Builder<'c, 'a>, name: &str, table: Value<'c, 'a>, space: Option<i64>) {
    let Some(elements) = table_of(table) else { return };
    // What a vector or a warp reads at once. A kernel reads no byte behind a table: LLVM makes loads wider as far as what is aligned goes.
    let parts = 1i64.checked_shl(table_bytes(table).trailing_zeros()).unwrap_or(LINE);
    let alignment = if space.is_some() { parts.clamp(1, LINE) } else { LINE };
    let attributes = [
        ("sym_name", globals.string_attribute(name)),
        ("sym_visibility", globals.string_attribute("private")),
        ("type", TypeAttribute::new(globals.parse_type(&global_type(table, space))).into()),
        ("initial_value", elements),
        ("constant", globals.parse_attribute("unit")),
        ("alignment", globals.i64_attribute(alignment)),
    ];
    globals.op("memref.global", &[], &[], &attributes);
}

/// The memory of a global that [`make_global`] has made.
pub fn get_global<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    table: Value<'c, 'a>,
    space: Option<i64>,
) -> Value<'c, 'a> {
    let symbol = FlatSymbolRefAttribute::new(b.context(), name).into();
    let ty = b.parse_type(&global_type(table, space));
    b.named(table_name(table)).value("memref.get_global", &[], ty, &[("name", symbol)])
}

/// The number that a `memref.load` reads at places that are known, of a global that [`make_global`] has made.
pub fn number_in_global<'c: 'a, 'a>(load: OperationRef<'c, 'a>) -> Option<Attribute<'c>> {
    let memory = ir::operand(load, 0).filter(|_| is(load, "memref.load")).and_then(ir::defining_op)?;
    let name = memory.attribute("name").ok().filter(|_| is(memory, "memref.get_global"))?.to_string();
    let places: Option<Vec<i64>> = load.operands().skip(1).map(constant_index).collect();
    let mut around = std::iter::successors(Some(load), |op| op.parent_operation());
    let module = around.find(|op| is(*op, "builtin.module") || is(*op, "gpu.module"))?;
    let globals = ir::operations(only_block(module));
    let is_read = |op: &OperationRef| is(*op, "memref.global") && symbol(*op) == name.trim_matches(['@', '"']);
    let global = globals.into_iter().find(is_read).filter(|global| global.has_attribute("constant"))?;
    ir::element_at(DenseElementsAttribute::try_from(global.attribute("initial_value").ok()?).ok()?, &places?)
}

fn global_type(table: Value, space: Option<i64>) -> String {
    let shape: String = table_extents(table).into_iter().map(|extent| format!("{extent}x")).collect();
    let space = space.map_or_else(String::new, |space| format!(", {space}"));
    format!("memref<{shape}{}{space}>", type_of(table).element())
}
