//! Stages: a stencil each, and its application.

use super::{
    arithmetic::arithmetic,
    body::Body,
    exporter::{Exporter, Image, key},
    names::COORDINATES,
    tables::is_table,
    terms::{DEEPEST, Term, unsigned, with_sign},
};
use crate::{
    ast::{Type, type_name},
    lexer::is_name,
};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, operation::OperationLike};
use mlir_glue::ir;
use weft_dialects::pipeline::{Boundary, Extent, Load, Stage};

/// What a stage makes: names of images, and what the stencil returns for them.
#[derive(Default)]
struct Made {
    names: Vec<String>,
    results: Vec<String>,
}

impl Exporter {
    pub(super) fn stage<'c: 'a, 'a>(&mut self, stage: Stage<'c, 'a>) -> Result<(), String> {
        if stage.needed().is_some() {
            return Err(format!("stage \"{}\" computes a part of itself, which Forma cannot say", stage.name()));
        }
        ir::operations(stage.body()).filter(|op| is_table(*op)).try_for_each(|op| self.table(op))?;
        let mut body = Body::new(self, self.sizes_of(stage)?);
        self.begin(stage, &mut body)?;
        for op in ir::operations(stage.body()).filter(|op| ir::name_of(*op) != "pipeline.yield" && !is_table(*op)) {
            self.op(op, &mut body)?;
        }
        let made = self.results(stage, &mut body)?;
        // In the order of images, not of reads, which may change when the text is read again.
        body.params.sort_by_key(|param| self.images.get(&param.image).map(|image| image.order));
        self.write_stencil(&body, &made);
        Ok(())
    }

    /// The extents of a stage, x first.
    fn sizes_of(&self, stage: Stage) -> Result<Vec<String>, String> {
        let text = |extent: Extent| match extent {
            Extent::Static(extent) => Ok(extent.to_string()),
            Extent::Dynamic(value) => {
                let number = self.numbers.get(&key(value)).map(|term| term.text.clone());
                number.ok_or_else(|| "an extent from nowhere".to_owned())
            }
        };
        stage.extents().into_iter().rev().map(text).collect()
    }

    /// What a body has before its first op: coordinates, and how images are read.
    fn begin<'c: 'a, 'a: 'v, 'v>(&self, stage: Stage<'c, 'a>, body: &mut Body<'v>) -> Result<(), String> {
        let (block, rank): (BlockRef, usize) = (stage.body(), stage.rank());
        for load in ir::operations(block).filter_map(Load::of).filter(|load| load.boundary() != Boundary::None) {
            if self.table_of(load)?.is_some() {
                continue;
            }
            let mode = self.mode(load)?;
            body.modes.entry(key(load.source())).or_insert(mode);
        }
        for dimension in 0..rank {
            let value: Value = block.argument(dimension).map_err(|error| error.to_string())?.into();
            let text = COORDINATES[rank - 1 - dimension].to_owned();
            body.terms.insert(key(value), Term::primary(text, Type::Index));
            body.coordinates.push(value);
        }
        Ok(())
    }

    /// An op of a body: part of the expression that uses it, or a let.
    fn op<'c: 'a, 'a: 'v, 'v>(&self, op: OperationRef<'c, 'a>, body: &mut Body<'v>) -> Result<(), String> {
        let term = match Load::of(op) {
            Some(load) => self.load(load, body)?,
            None if op.result_count() == 1 => {
                for operand in op.operands() {
                    body.give(self, operand);
                    body.uses_coordinates |= body.coordinates.contains(&operand);
                }
                arithmetic(op, &|value| self.find(&body.terms, value).cloned())?
            }
            None => return Err(format!("Forma cannot say {}", ir::name_of(op))),
        };
        let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
        let is_part = term.is_literal || is_name(&term.text) || ir::has_one_use(value) && term.depth < DEEPEST;
        let term = if is_part { term } else { body.let_value(&term) };
        body.terms.insert(key(value), term);
        Ok(())
    }

    /// What a body yields, and the images that it becomes.
    fn results<'c: 'a, 'a>(&mut self, stage: Stage<'c, 'a>, body: &mut Body) -> Result<Made, String> {
        let end = stage.body().terminator().ok_or("a stage without yield")?;
        let mut made = Made::default();
        for (index, value) in end.operands().enumerate() {
            body.give(self, value);
            let term = self.find(&body.terms, value).ok_or("a value from nowhere")?;
            let image: Value = stage.op().result(index).map_err(|error| error.to_string())?.into();
            let wanted = self.wanted(image);
            let ty = match &wanted {
                Some((_, true)) => unsigned(term.ty),
                Some((_, false)) => with_sign(term.ty),
                None => term.ty,
            };
            made.results.push(if ty == term.ty { term.typed() } else { term.cast(ty) });
            let own = if index == 0 { stage.name().to_owned() } else { format!("{}_{index}", stage.name()) };
            let name = self.result_name(wanted.and_then(|(name, _)| name), &own);
            let (sizes, order) = (body.sizes.clone(), self.images.len());
            self.images.insert(key(image), Image { name: name.clone(), ty, sizes, order });
            made.names.push(name);
        }
        Ok(made)
    }

    /// The stencil, and where it is applied.
    fn write_stencil(&mut self, body: &Body, made: &Made) {
        let stencil = self.name(&format!("{}_of", made.names[0]));
        let (params, args) = self.params_and_args(body);
        let rank = body.sizes.len();
        // Where the images that it reads say how large it is, and no coordinate is named, neither is written.
        let read: Vec<&Image> = body.params.iter().filter_map(|param| self.images.get(&param.image)).collect();
        let mut like = read.iter().filter(|image| image.sizes.len() == rank);
        let all_like = like.clone().all(|image| image.sizes == body.sizes);
        let first_like = like.next().is_some_and(|image| image.sizes == body.sizes);
        let is_plain =
            !body.uses_coordinates && all_like && read.first().is_some_and(|image| image.sizes.len() == rank);
        let at = if is_plain { String::new() } else { format!(" at [{}]", COORDINATES[..rank].join(", ")) };
        let sizes = if first_like { String::new() } else { format!("[{}]", body.sizes.join(", ")) };
        let (lets, results) = (&body.lets, made.results.join(", "));
        let stencil_text = format!("\nstencil {stencil}({params}){at} {{\n{lets}    return {results};\n}}\n");
        self.stencils.push_str(&stencil_text);
        self.text.push_str(&format!("{} = {stencil}({args}){sizes};\n", made.names.join(", ")));
    }

    /// What a stencil takes, and what it is given.
    fn params_and_args(&self, body: &Body) -> (String, String) {
        if body.params.is_empty() && body.numbers.is_empty() {
            // Forma's stencils have a parameter.
            return ("int none".into(), "0".into());
        }
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for param in &body.params {
            params.push(format!("vector#{} {} {}", param.rank, type_name(param.ty), param.name));
            let name = self.images.get(&param.image).map(|image| image.name.as_str()).unwrap_or_default();
            // Without a mode it is clamped.
            let is_clamped = param.mode == "clamped";
            args.push(if is_clamped { name.to_owned() } else { format!("{name}:{}", param.mode) });
        }
        for number in &body.numbers {
            params.push(format!("{} {}", type_name(number.ty), number.name));
            args.push(number.text.clone());
        }
        (params.join(", "), args.join(", "))
    }
}
