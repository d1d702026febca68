//! Programs: what they are given, their units in order, and what they return.

use super::{
    arithmetic::arithmetic,
    assertions::{is_equal_extents, only_asserted},
    exporter::{Exporter, key},
    names::avoided,
    tables::is_table,
    terms::{DEEPEST, Term},
};
use crate::{ast::Type, compile::check, format::format, lexer::is_name};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, TypeLike, Value, ValueLike,
    attribute::TypeAttribute,
    operation::OperationLike,
    r#type::{FunctionType, RankedTensorType, ShapedTypeLike},
};
use mlir_glue::ir;
use weft_dialects::{
    pipeline::{Iterate, Unit},
    weft,
};

/// A program as Forma.
///
/// # Errors
///
/// What Forma cannot say.
pub fn export(func: OperationRef) -> Result<String, String> {
    let ty = func.attribute("function_type").ok().and_then(|ty| TypeAttribute::try_from(ty).ok());
    let ty = ty.and_then(|ty| FunctionType::try_from(ty.value()).ok()).ok_or("expected a function")?;
    let region = func.region(0).ok();
    let block = region.and_then(|region| region.first_block()).ok_or("expected a function with a body")?;
    let end = block.terminator().ok_or("expected a return")?;
    let results = results_of(func, ty.result_count());
    let mut export = Exporter { taken: avoided(), ..Exporter::default() };
    // Results keep their names, also those of builtin functions, which stay what they are where they are called.
    for name in results.iter().filter_map(|(name, _)| name.as_ref()).filter(|name| is_name(name)) {
        export.taken.insert(name.clone());
        export.kept.insert(name.clone());
    }
    export.arguments(func, block, ty.input_count())?;
    // Results have the names that people know, and signs that only attributes say.
    for (value, (name, unsigned)) in end.operands().zip(&results) {
        export.wanted.push((key(value), name.clone(), *unsigned));
    }
    export.units(block)?;
    let mut names = Vec::new();
    for (value, (name, _)) in end.operands().zip(results) {
        let own = export.image(value)?.name.clone();
        // A second name of an image, or one of an argument.
        match name.filter(|name| *name != own && export.kept.remove(name)) {
            Some(name) => {
                export.text.push_str(&format!("{name} = {own};\n"));
                names.push(name);
            }
            None => names.push(own),
        }
    }
    export.text.push_str(&format!("return {};\n", names.join(", ")));
    let text = format!("{}{}{}", export.head, export.stencils, export.text);
    // Ops may take what Forma's operators do not, comparisons of bools, say.
    if let Some(first) = check(&text).first() {
        return Err(format!("Forma cannot say this program, which would be wrong: {first}\n{text}"));
    }
    format(&text).map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())
}

/// Results of a program: their names, and whether they have no sign.
fn results_of(func: OperationRef, count: usize) -> Vec<(Option<String>, bool)> {
    let result = |index| {
        let attributes = weft::attributes_of(func, true, index);
        let name = attributes.and_then(|all| all.element_by_name(weft::NAME)).and_then(ir::text_of);
        let unsigned = attributes.is_some_and(|all| all.element_by_name(weft::UNSIGNED).is_some());
        (name.map(str::to_owned), unsigned)
    };
    (0..count).map(result).collect()
}

impl Exporter {
    /// The units of a block.
    pub(super) fn units<'c: 'a, 'a>(&mut self, block: BlockRef<'c, 'a>) -> Result<(), String> {
        for op in ir::operations(block) {
            let name = ir::name_of(op);
            if let Some(unit) = Unit::of(op) {
                self.unit(unit)?;
            } else if let Some(iterate) = Iterate::of(op) {
                self.iterate(iterate)?;
            } else if is_table(op) {
                self.table(op)?;
            } else if name == "func.return" || name == "pipeline.yield" {
                break;
            } else if name == "cf.assert" && is_equal_extents(op).is_some()
                || op.result_count() == 1 && op.result(0).is_ok_and(|value| only_asserted(value.into()))
            {
                // A parameter that two images have says so.
            } else if op.result_count() == 1 && op.results().all(|value| !value.r#type().is_tensor()) {
                let term = self.number(op)?;
                let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
                let term = if term.depth > DEEPEST {
                    let name = self.name("n");
                    self.text.push_str(&format!("{name} = {};\n", term.typed()));
                    Term::primary(name, term.ty)
                } else {
                    term
                };
                self.numbers.insert(key(value), term);
            } else {
                return Err(format!("Forma cannot say {name}"));
            }
        }
        Ok(())
    }

    /// A number of the program.
    fn number(&self, op: OperationRef) -> Result<Term, String> {
        if ir::name_of(op) == "tensor.dim" {
            let image = op.operand(0).map_err(|error| error.to_string())?;
            let dimension = op.operand(1).ok().and_then(|value| self.numbers.get(&key(value)));
            let dimension = dimension.and_then(|term| term.text.parse::<i64>().ok());
            let rank = RankedTensorType::try_from(image.r#type()).map(|ty| ty.rank()).unwrap_or(0) as i64;
            let dimension = dimension.filter(|dimension| (0..rank).contains(dimension));
            let dimension = dimension.ok_or("Forma cannot say tensor.dim of a computed dimension")?;
            let text = self.image(image)?.sizes[(rank - 1 - dimension) as usize].clone();
            return Ok(Term::primary(text, Type::Index));
        }
        arithmetic(op, &|value| self.numbers.get(&key(value)).cloned())
    }
}
