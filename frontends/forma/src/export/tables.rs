//! Tables: constants of which stages read one number by its place.
//!
//! ```text
//! %w = arith.constant dense<[1.0, 4.0, 1.0]> : tensor<3xf32>             const float w = [1.0, 4.0, 1.0];
//! pipeline.load %w[%i] clamp                                    ──▶      w@(i)
//! ```

use super::{
    arithmetic::literal,
    exporter::{Exporter, key},
    terms::{Term, signed},
};
use crate::ast::{Type, type_name};
use melior::ir::{
    OperationRef, ShapedTypeLike, TypeLike, Value, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::RankedTensorType,
};
use mlir_glue::ir;
use weft_dialects::pipeline::{Boundary, Load, static_extents};

/// Whether an op is a table, of the program or in the body of a stage.
pub(super) fn is_table(op: OperationRef) -> bool {
    ir::name_of(op) == "arith.constant" && op.results().all(|value| value.r#type().is_tensor())
}

impl Exporter {
    /// Writes the table that a constant is.
    pub(super) fn table(&mut self, op: OperationRef) -> Result<(), String> {
        let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
        let cannot = || format!("Forma cannot say a table of type {}", value.r#type());
        let tensor = RankedTensorType::try_from(value.r#type()).map_err(|_| cannot())?;
        let elements = op.attribute("value").ok().and_then(|value| DenseElementsAttribute::try_from(value).ok());
        let elements = elements.ok_or_else(cannot)?;
        let ty = signed(tensor.element())?;
        let extents: Vec<i64> = static_extents(tensor).into_iter().flatten().collect();
        let text = rows(elements, ty, &extents, &mut Vec::new()).ok_or_else(cannot)?;
        let location = op.location();
        let wanted = if location.is_name() { ir::identifier_text(location.name_value()) } else { "table" };
        let name = self.name(wanted);
        self.head.push_str(&format!("const {} {name} = {text};\n", type_name(ty)));
        // Stencils see it.
        self.given.insert(name.clone());
        self.tables.insert(key(value), Term::primary(name, ty));
        Ok(())
    }

    /// The table that a load reads. Without a mode it is clamped.
    pub(super) fn table_of(&self, load: Load) -> Result<Option<Term>, String> {
        let Some(table) = self.tables.get(&key(load.source())) else { return Ok(None) };
        match load.boundary() {
            Boundary::None | Boundary::Clamp => Ok(Some(table.clone())),
            Boundary::Mirror | Boundary::Reflect101 | Boundary::Wrap | Boundary::Constant => {
                Err(format!("Forma cannot say what lies beyond the edges of a table, as of '{}'", table.text))
            }
        }
    }
}

/// What a clamped load of a table reads, x first. Forma clamps an index that is computed; one of coordinates is what it is, and must have
/// been clamped before.
pub(super) fn inside_table(load: Load, place: Vec<String>) -> Vec<String> {
    let is_computed =
        |operand: &Value| ir::defining_op(*operand).is_some_and(|op| !MAY_BE_AFFINE.contains(&ir::name_of(op)));
    if load.boundary() == Boundary::None || load.coordinates().iter().any(is_computed) {
        return place;
    }
    let extents = static_extents(load.source_type()).into_iter().flatten().rev();
    let clamped = |(index, extent): (String, i64)| match index.parse::<i64>() {
        Ok(index) => index.clamp(0, extent - 1).to_string(),
        Err(_) => format!("min(max({index}, 0), {})", extent - 1),
    };
    place.into_iter().zip(extents).map(clamped).collect()
}

/// Ops of which Forma may see that an index is one of coordinates.
const MAY_BE_AFFINE: [&str; 7] =
    ["arith.constant", "arith.addi", "arith.subi", "arith.muli", "arith.floordivsi", "arith.remsi", "tensor.dim"];

/// The numbers of a table below a place, in rows of rows; `None` where Forma has no literal.
fn rows(elements: DenseElementsAttribute, ty: Type, extents: &[i64], place: &mut Vec<i64>) -> Option<String> {
    let Some((extent, inner)) = extents.split_first() else {
        let element = ir::element_at(elements, place)?;
        return match ty {
            Type::Bool => None,
            ty if ty.is_float() => literal(FloatAttribute::try_from(element).ok()?.value(), ty),
            _ => Some(IntegerAttribute::try_from(element).ok()?.value().to_string()),
        };
    };
    let mut entries = Vec::new();
    for at in 0..*extent {
        place.push(at);
        entries.push(rows(elements, ty, inner, place)?);
        place.pop();
    }
    (!entries.is_empty()).then(|| format!("[{}]", entries.join(", ")))
}
