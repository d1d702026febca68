//! The dialect `weft`: what a program's arguments and results are to the outside.
//!
//! ```mlir
//! func.func @gray(%img: tensor<480x640xi8> {weft.name = "img", weft.unsigned}) -> (tensor<480x640xi8> {weft.unsigned})
//! ```

use melior::ir::{
    OperationRef, Type, TypeLike,
    attribute::{DenseI64ArrayAttribute, StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::{FunctionType, RankedTensorType, ShapedTypeLike},
};
use mlir_glue::{Diagnostic, Dialect, Hooks, MlirDialectRegistry, ValueAttribute, Verdict};

/// Name that tools know an argument or a result by.
pub const NAME: &str = "weft.name";
/// Marks integer elements as unsigned numbers.
pub const UNSIGNED: &str = "weft.unsigned";
/// Extents that models assume for dynamic dimensions.
pub const ESTIMATE: &str = "weft.estimate";

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
    // Programs start on tensors; on what they are lowered to, only the form of the attribute is checked.
    let tensor = value_type(op, is_result, index).and_then(|ty| RankedTensorType::try_from(ty).ok());
    match name {
        NAME if StringAttribute::try_from(value).is_ok_and(|name| !name.value().is_empty()) => Ok(()),
        NAME => fail(format!("{NAME} is {value}, expected a string that is not empty")),
        UNSIGNED if value.to_string() != "unit" => fail(format!("{UNSIGNED} is {value}, expected no value")),
        UNSIGNED => match tensor {
            Some(tensor) if !tensor.element().is_integer() => {
                fail(format!("{UNSIGNED} is on '{tensor}', expected integer elements"))
            }
            _ => Ok(()),
        },
        ESTIMATE => {
            let Ok(extents) = DenseI64ArrayAttribute::try_from(value) else {
                return fail(format!("{ESTIMATE} is {value}, expected array<i64: ...>"));
            };
            match tensor {
                Some(tensor) if tensor.rank() != extents.len() => fail(format!(
                    "{ESTIMATE} has {} extents, expected {}, the rank of '{tensor}'",
                    extents.len(),
                    tensor.rank()
                )),
                _ => Ok(()),
            }
        }
        _ => fail(format!("unknown attribute '{name}', expected {NAME}, {UNSIGNED} or {ESTIMATE}")),
    }
}

/// The type of an argument or result of a function, or `None` where `op` is no `func.func`.
fn value_type<'c>(op: OperationRef<'c, '_>, is_result: bool, index: usize) -> Option<Type<'c>> {
    let ty = TypeAttribute::try_from(op.attribute("function_type").ok()?).ok()?.value();
    let function = FunctionType::try_from(ty).ok()?;
    if is_result { function.result(index).ok() } else { function.input(index).ok() }
}
