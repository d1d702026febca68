//! What a program is given: parameters and vectors.

use super::{
    assertions::equal_extents,
    exporter::{Exporter, Image, key},
    names::COORDINATES,
    terms::{Term, signed, unsigned},
};
use crate::ast::{Type, type_name};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike,
    attribute::{DenseI64ArrayAttribute, DictionaryAttribute},
    r#type::{RankedTensorType, ShapedTypeLike},
};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_dialects::{pipeline::static_extents, weft};

/// Extents of arguments that are those of earlier ones: image and dimension.
type Equal = HashMap<(usize, usize), (usize, usize)>;

impl Exporter {
    /// The arguments of a program, in order.
    pub(super) fn arguments<'c>(
        &mut self,
        func: OperationRef<'c, '_>,
        block: BlockRef<'c, '_>,
        count: usize,
    ) -> Result<(), String> {
        let equal = equal_extents(block, count);
        for index in 0..count {
            let value: Value = block.argument(index).map_err(|error| error.to_string())?.into();
            let attributes = weft::attributes_of(func, false, index);
            let text = |name: &str| attributes.and_then(|all| all.element_by_name(name)).and_then(ir::text_of);
            let wanted = text(weft::NAME).map_or_else(|| format!("arg{index}"), str::to_owned);
            let is_image = value.r#type().is_tensor();
            // Arguments come first: a result of the same name gets another one. Stencils see numbers, which no coordinate may hide.
            let keeps = is_image || !COORDINATES.contains(&wanted.as_str());
            let name = if keeps && self.kept.remove(&wanted) { wanted } else { self.name(&wanted) };
            let without_sign = attributes.is_some_and(|all| all.element_by_name(weft::UNSIGNED).is_some());
            let sign = |ty: Type| if without_sign { unsigned(ty) } else { ty };
            match RankedTensorType::try_from(value.r#type()) {
                Ok(tensor) => {
                    let ty = sign(signed(tensor.element())?);
                    let sizes = self.sizes(index, &name, tensor, attributes, &equal)?;
                    let (rank, sizes_text) = (sizes.len(), sizes.join(", "));
                    self.head.push_str(&format!("vector#{rank} {} {name}[{sizes_text}];\n", type_name(ty)));
                    self.images.insert(key(value), Image { name, ty, sizes, order: self.images.len() });
                }
                Err(_) => {
                    let ty = sign(signed(value.r#type())?);
                    self.head.push_str(&format!("parameter {} {name};\n", type_name(ty)));
                    self.given.insert(name.clone());
                    self.numbers.insert(key(value), Term::primary(name, ty));
                }
            }
        }
        Ok(())
    }

    /// The extents of an image, x first: numbers, or parameters that are written before it.
    fn sizes(
        &mut self,
        image: usize,
        name: &str,
        tensor: RankedTensorType,
        attributes: Option<DictionaryAttribute>,
        equal: &Equal,
    ) -> Result<Vec<String>, String> {
        let extents = static_extents(tensor);
        if extents.is_empty() {
            return Err(format!("image '{name}' has rank 0, which Forma cannot say"));
        }
        let estimate = attributes.and_then(|all| all.element_by_name(weft::ESTIMATE));
        let estimate = estimate.and_then(|array| DenseI64ArrayAttribute::try_from(array).ok());
        let mut sizes = Vec::new();
        for (forma, dimension) in (0..extents.len()).rev().enumerate() {
            if let Some(extent) = extents[dimension] {
                sizes.push(extent.to_string());
                continue;
            }
            // An extent that is checked to be another one's has its parameter.
            let first = first_equal(equal, (image, dimension));
            if let Some(parameter) = self.parameters.get(&first) {
                sizes.push(parameter.clone());
                continue;
            }
            let parameter = self.name(&format!("{name}_{}", COORDINATES[forma]));
            let about = estimate.and_then(|array| array.element(dimension).ok()).filter(|size| *size > 0);
            let about = about.map_or(String::new(), |size| format!(" ~ {size}"));
            self.head.push_str(&format!("parameter {parameter}{about};\n"));
            self.given.insert(parameter.clone());
            self.parameters.insert(first, parameter.clone());
            sizes.push(parameter);
        }
        Ok(sizes)
    }
}

/// The first extent that is known to be the same.
fn first_equal(equal: &Equal, extent: (usize, usize)) -> (usize, usize) {
    std::iter::successors(Some(extent), |at| equal.get(at).copied()).last().unwrap_or(extent)
}
