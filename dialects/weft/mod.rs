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
        attribute::{ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::{FunctionType, MemRefType, RankedTensorType, ShapedTypeLike},
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
/// On a loop over points that may be computed in any order: how many make a vector.
pub const LANES: &str = "weft.lanes";
/// On such a loop: it has at least as many iterations as make a vector.
pub const WIDE: &str = "weft.wide";

/// Of a loop with `weft.lanes`: it has few iterations, so that its vectors have masks.
pub const MASKED: &str = "weft.masked";

/// On a product `x * 2^(n >> 1) * 2^(n - (n >> 1))` that `--expand-math` made: it is `x * 2^n`, rounded once.
pub const SCALED: &str = "weft.scaled";

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
        _ => fail(format!("unknown attribute '{name}', expected {NAME}, {UNSIGNED}, {ESTIMATE} or {EXTENTS}")),
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
    let all = func.attribute("arg_attrs").ok().and_then(|all| ArrayAttribute::try_from(all).ok());
    let count = value_count(func);
    let estimate = (Identifier::new(context, ESTIMATE), DenseI64ArrayAttribute::new(context, extents).into());
    let of = |index: usize| {
        let own = all.and_then(|all| DictionaryAttribute::try_from(all.element(index).ok()?).ok());
        if index != argument {
            return own.unwrap_or_else(|| DictionaryAttribute::new(context, &[])).into();
        }
        let own = own.into_iter().flat_map(|own| (0..own.len()).filter_map(move |entry| own.element(entry).ok()));
        let others = own.filter(|(name, _)| name.as_string_ref().as_str() != Ok(ESTIMATE));
        let entries: Vec<(Identifier, Attribute)> = others.chain([estimate]).collect();
        DictionaryAttribute::new(context, &entries).into()
    };
    let entries: Vec<Attribute> = (0..count).map(of).collect();
    mlir_glue::ir::mutable(func).set_attribute("arg_attrs", ArrayAttribute::new(context, &entries).into());
}

/// The arguments of a function.
fn value_count(op: OperationRef) -> usize {
    let ty = op.attribute("function_type").ok().and_then(|ty| TypeAttribute::try_from(ty).ok());
    ty.and_then(|ty| FunctionType::try_from(ty.value()).ok()).map_or(0, |function| function.input_count())
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
