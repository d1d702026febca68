//! The dialect `weft`: what a program's arguments and results are to the outside.
//!
//! ```mlir
//! func.func @gray(%img: tensor<480x640xi8> {weft.name = "img", weft.unsigned}) -> (tensor<480x640xi8> {weft.unsigned})
//! ```

use crate::pipeline::{static_extents, text_of};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, OperationRef, Type,
        attribute::{ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, IntegerAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::{FunctionType, IntegerType, MemRefType, RankedTensorType, ShapedTypeLike},
    },
};
use mlir_glue::{Diagnostic, Dialect, Hooks, MlirDialectRegistry, ValueAttribute, Verdict, ir};

/// Name that tools know an argument or a result by.
pub const NAME: &str = "weft.name";
/// Marks integer elements as unsigned numbers.
pub const UNSIGNED: &str = "weft.unsigned";
/// Extents that models assume for dynamic dimensions.
pub const ESTIMATE: &str = "weft.estimate";
/// Names of a tensor's extents, by which tools are told them; "" where one has none.
pub const EXTENTS: &str = "weft.extents";
/// Marks an image whose channels are its outermost dimension in the program, or stand before its rows, and its innermost in memory: an argument, a result, or
/// what a stage computes, if that is kept in memory.
pub const INTERLEAVED: &str = "weft.interleaved";
/// On a loop over points that may be computed in any order: how many make a vector.
pub const LANES: &str = "weft.lanes";
/// On such a loop: it has at least as many iterations as make a vector.
pub const WIDE: &str = "weft.wide";

/// On such a loop: bits of the shortest elements of registers that the CPU permutes, so that what lanes read near each other is looked up there.
pub const PERMUTES: &str = "weft.permutes";

/// On such a loop: registers that vectors of its widest values take, if these are several.
pub const REGISTERS: &str = "weft.registers";

/// Of a loop with `weft.lanes`: it has few iterations, so that its vectors have masks.
pub const MASKED: &str = "weft.masked";

/// On a product `x * 2^(n >> 1) * 2^(n - (n >> 1))` that `--expand-math` made: it is `x * 2^n`, rounded once.
pub const SCALED: &str = "weft.scaled";

/// On a comparison of vectors of indices, or the smaller of two: both are places of elements of one image, which lanes read at the first or beside it, or at
/// the smaller one, so that they lie no further apart than its elements do.
pub const PLACES: &str = "weft.places";

unsafe extern "C" {
    fn glueRegisterDialect_weft(registry: MlirDialectRegistry);
}

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "weft",
    register: glueRegisterDialect_weft,
    hooks: &[Hooks { verify_value_attribute: verify, ..Hooks::new("weft") }],
};

fn verify<'c>(attribute: ValueAttribute<'c, '_>) -> Verdict<'c> {
    let ValueAttribute { op, is_result, index, name, value } = attribute;
    let place = format!("{} #{index}", if is_result { "result" } else { "argument" });
    let fail = |message: String| Err(Diagnostic::on(op, format!("{place}: {message}")));
    // Programs start on tensors; what they are lowered to (memrefs, pointers) carries the attributes on.
    let ty = value_type(op, is_result, index);
    let tensor = ty.and_then(|ty| RankedTensorType::try_from(ty).ok());
    match name {
        NAME => match text_of(value) {
            None => fail(format!("{NAME} is {value}, expected a string that is not empty")),
            Some(text) => match (0..index).find(|&other| name_at(op, is_result, other) == Some(text)) {
                Some(other) => {
                    fail(format!("{NAME} is {value}, which #{other} is called already, expected another name"))
                }
                None => Ok(()),
            },
        },
        UNSIGNED if value.to_string() != "unit" => fail(format!("{UNSIGNED} is {value}, expected no value")),
        UNSIGNED => match ty {
            Some(ty) if !may_be_unsigned(ty) => fail(format!("{UNSIGNED} is on '{ty}', expected integer elements")),
            _ => Ok(()),
        },
        INTERLEAVED if value.to_string() != "unit" => fail(format!("{INTERLEAVED} is {value}, expected no value")),
        INTERLEAVED => match tensor {
            Some(tensor) if tensor.rank() < 3 => {
                fail(format!("{INTERLEAVED} is on '{tensor}', expected channels before rows and columns"))
            }
            Some(tensor) if static_extents(tensor)[channels_of(tensor.rank())].is_none() => {
                fail(format!("{INTERLEAVED} is on '{tensor}', expected a known number of channels"))
            }
            _ => Ok(()),
        },
        ESTIMATE | EXTENTS if is_result => fail(format!("{name} is on a result, expected an argument")),
        EXTENTS => {
            let Some(names) = texts_of(value) else {
                return fail(format!("{EXTENTS} is {value}, expected a list of strings"));
            };
            match tensor {
                Some(tensor) if names.len() != tensor.rank() => {
                    let rank = tensor.rank();
                    fail(format!("{EXTENTS} is {value}, expected {rank} strings, the rank of '{tensor}'"))
                }
                _ => Ok(()),
            }
        }
        ESTIMATE => {
            let Ok(array) = DenseI64ArrayAttribute::try_from(value) else {
                return fail(format!("{ESTIMATE} is {value}, expected array<i64: ...>"));
            };
            let extents: Vec<i64> = (0..array.len()).filter_map(|i| array.element(i).ok()).collect();
            if extents.iter().any(|extent| *extent < 1) {
                return fail(format!("{ESTIMATE} is {value}, expected positive numbers"));
            }
            let Some(tensor) = tensor else { return Ok(()) };
            if extents.len() != tensor.rank() {
                return fail(format!(
                    "{ESTIMATE} has {} extents, expected {}, the rank of '{tensor}'",
                    extents.len(),
                    tensor.rank()
                ));
            }
            let known = static_extents(tensor);
            match (0..extents.len()).find(|&i| known[i].is_some_and(|known| known != extents[i])) {
                Some(i) => fail(format!(
                    "{ESTIMATE} has extent {} in dimension {i}, expected what '{tensor}' says where it has no ?",
                    extents[i]
                )),
                None => Ok(()),
            }
        }
        _ => fail(format!(
            "unknown attribute '{name}', expected {NAME}, {UNSIGNED}, {ESTIMATE}, {EXTENTS} or {INTERLEAVED}"
        )),
    }
}

/// The type of an argument or result of a function, or `None` where `op` is no `func.func`.
fn value_type<'c>(op: OperationRef<'c, '_>, is_result: bool, index: usize) -> Option<Type<'c>> {
    let ty = TypeAttribute::try_from(op.attribute("function_type").ok()?).ok()?.value();
    let function = FunctionType::try_from(ty).ok()?;
    if is_result { function.result(index).ok() } else { function.input(index).ok() }
}

/// What is said of an argument or result of a function.
pub fn attributes_of<'c>(op: OperationRef<'c, '_>, is_result: bool, index: usize) -> Option<DictionaryAttribute<'c>> {
    let all = op.attribute(if is_result { "res_attrs" } else { "arg_attrs" }).ok()?;
    DictionaryAttribute::try_from(ArrayAttribute::try_from(all).ok()?.element(index).ok()?).ok()
}

/// The strings of a list.
fn texts_of(value: Attribute) -> Option<Vec<String>> {
    let list = ArrayAttribute::try_from(value).ok()?;
    (0..list.len()).map(|i| ir::text_of(list.element(i).ok()?).map(str::to_owned)).collect()
}

/// The names of an argument's extents; "" where one has none.
pub fn extents_at(op: OperationRef, argument: usize) -> Option<Vec<String>> {
    attributes_of(op, false, argument)?.element_by_name(EXTENTS).and_then(texts_of)
}

/// Says of an argument which extents models shall assume.
pub fn set_estimate<'c>(context: &'c Context, func: OperationRef<'c, '_>, argument: usize, extents: &[i64]) {
    let estimate = DenseI64ArrayAttribute::new(context, extents).into();
    set_attribute(context, func, (false, argument), ESTIMATE, Some(estimate));
}

/// Says something of an argument of a function, or of a result where the flag is set, or nothing any more.
pub fn set_attribute<'c>(
    context: &'c Context,
    func: OperationRef<'c, '_>,
    (is_result, number): (bool, usize),
    name: &str,
    value: Option<Attribute<'c>>,
) {
    let of = |index: usize| {
        let own = attributes_of(func, is_result, index);
        if index != number {
            return own.unwrap_or_else(|| DictionaryAttribute::new(context, &[])).into();
        }
        let own = own.into_iter().flat_map(|own| (0..own.len()).filter_map(move |entry| own.element(entry).ok()));
        let others = own.filter(|(other, _)| other.as_string_ref().as_str() != Ok(name));
        let new = value.map(|value| (Identifier::new(context, name), value));
        let entries: Vec<(Identifier, Attribute)> = others.chain(new).collect();
        DictionaryAttribute::new(context, &entries).into()
    };
    let entries: Vec<Attribute> = (0..value_count(func, is_result)).map(of).collect();
    let all = if is_result { "res_attrs" } else { "arg_attrs" };
    ir::mutable(func).set_attribute(all, ArrayAttribute::new(context, &entries).into());
}

/// Whether an image has its channels before its rows in the program, and innermost in memory.
pub fn is_interleaved(func: OperationRef, is_result: bool, index: usize) -> bool {
    attributes_of(func, is_result, index).is_some_and(|own| own.element_by_name(INTERLEAVED).is_some())
}

/// The dimension of channels of an image that is interleaved in memory: that before rows, as planes are.
pub fn channels_of(rank: usize) -> usize {
    rank.saturating_sub(3)
}

/// Its dimensions as memory has them, in the order of the program: (y, x, c) becomes (c, y, x), and (n, y, x, c) (n, c, y, x).
pub fn planar<T: Clone>(of_memory: &[T]) -> Vec<T> {
    let mut planar = of_memory.to_vec();
    if let Some(channels) = planar.pop() {
        planar.insert(channels_of(of_memory.len()), channels);
    }
    planar
}

/// The other way about: its dimensions as the program has them, in the order of memory.
pub fn interleaved<T: Clone>(of_program: &[T]) -> Vec<T> {
    let mut interleaved = of_program.to_vec();
    if !interleaved.is_empty() {
        let channels = interleaved.remove(channels_of(of_program.len()));
        interleaved.push(channels);
    }
    interleaved
}

/// Makes of what is said of an argument's extents, one after the other, what holds where `reorder` has changed their order.
pub fn reorder_extents<'c>(
    context: &'c Context,
    func: OperationRef<'c, '_>,
    argument: usize,
    reorder: impl Fn(&[Attribute<'c>]) -> Vec<Attribute<'c>>,
) {
    let Some(own) = attributes_of(func, false, argument) else { return };
    if let Some(array) = own.element_by_name(ESTIMATE).and_then(|value| DenseI64ArrayAttribute::try_from(value).ok()) {
        let i64 = IntegerType::new(context, 64).into();
        let extents: Vec<Attribute> =
            (0..array.len()).filter_map(|i| Some(IntegerAttribute::new(i64, array.element(i).ok()?).into())).collect();
        let number = |attribute: Attribute<'c>| Some(IntegerAttribute::try_from(attribute).ok()?.value());
        let extents: Vec<i64> = reorder(&extents).into_iter().filter_map(number).collect();
        set_estimate(context, func, argument, &extents);
    }
    if let Some(array) = own.element_by_name(EXTENTS).and_then(|value| ArrayAttribute::try_from(value).ok()) {
        let names: Vec<Attribute> = (0..array.len()).filter_map(|i| array.element(i).ok()).collect();
        let names = ArrayAttribute::new(context, &reorder(&names)).into();
        set_attribute(context, func, (false, argument), EXTENTS, Some(names));
    }
}

/// The arguments of a function, or its results.
fn value_count(op: OperationRef, is_result: bool) -> usize {
    let ty = op.attribute("function_type").ok().and_then(|ty| TypeAttribute::try_from(ty).ok());
    let function = ty.and_then(|ty| FunctionType::try_from(ty.value()).ok());
    function.map_or(0, |function| if is_result { function.result_count() } else { function.input_count() })
}

/// The `weft.name` of an argument or result.
pub fn name_at<'c>(op: OperationRef<'c, '_>, is_result: bool, index: usize) -> Option<&'c str> {
    attributes_of(op, is_result, index)?.element_by_name(NAME).and_then(text_of)
}

/// Whether the elements of an image, or a number, can be unsigned; yes where the type does not tell (a pointer).
fn may_be_unsigned(ty: Type) -> bool {
    let element = RankedTensorType::try_from(ty)
        .map(|tensor| tensor.element())
        .or_else(|_| MemRefType::try_from(ty).map(|memref| memref.element()))
        .unwrap_or(ty);
    !matches!(element.to_string().as_str(), "f16" | "bf16" | "f32" | "f64" | "index")
}
