//! Stages, scans and scatters: a definition each, and its application.

use super::{
    arithmetic::arithmetic,
    body::{Body, Head},
    exporter::{Exporter, Image, key},
    names::{COORDINATES, local},
    tables::is_table,
    terms::{DEEPEST, Term, signed, unsigned, with_sign},
};
use crate::{
    ast::{Type, type_name},
    lexer::is_name,
};
use melior::ir::{BlockLike, BlockRef, OperationRef, ShapedTypeLike, Value, operation::OperationLike};
use mlir_glue::ir;
use weft_dialects::pipeline::{Boundary, Extent, Load, Previous, Reduce, Scan, Scatter, Unit};

/// What a unit makes: names of images, and what its body returns for them.
#[derive(Default)]
struct Made {
    names: Vec<String>,
    results: Vec<String>,
}

/// What is written out in a window is at most so long.
const LONGEST: usize = 4000;

impl Exporter {
    pub(super) fn unit<'c: 'a, 'a>(&mut self, unit: Unit<'c, 'a>) -> Result<(), String> {
        let (op, kind) = (unit.op(), unit.kind());
        if unit.needed().is_some() {
            return Err(format!("{kind} \"{}\" computes a part of itself, which Forma cannot say", unit.name()));
        }
        ir::operations(unit.body()).filter(|op| is_table(*op)).try_for_each(|op| self.table(op))?;
        let mut body = Body::new(self, self.sizes_of(unit)?);
        self.begin(unit, &mut body)?;
        // A scan that reads nothing of its line is a stage.
        let (scan, scatter) = (Scan::of(op).filter(|scan| reads_its_line(*scan)), Scatter::of(op));
        let head = match (scan, scatter) {
            (Some(scan), _) => self.scan(scan, &mut body)?,
            (_, Some(scatter)) => self.scatter(scatter, &mut body)?,
            _ => Head { word: "stencil".into(), ..Head::default() },
        };
        let is_end = |op: OperationRef| matches!(ir::name_of(op), "pipeline.yield" | "pipeline.update");
        for op in ir::operations(unit.body()).filter(|op| !is_end(*op) && !is_table(*op)) {
            self.op(op, &mut body)?;
        }
        let values = match scatter {
            Some(scatter) => self.updates(scatter, &mut body)?,
            None => self.yielded(unit, &mut body)?,
        };
        let made = self.made(unit, values, &body)?;
        // In the order of images, not of reads, which may change when the text is read again.
        body.params.sort_by_key(|param| self.images.get(&param.image).map(|image| image.order));
        self.write_unit(&head, &body, &made);
        Ok(())
    }

    /// The extents of a unit, x first.
    fn sizes_of(&self, unit: Unit) -> Result<Vec<String>, String> {
        let text = |extent: Extent| match extent {
            Extent::Static(extent) => Ok(extent.to_string()),
            Extent::Dynamic(value) => {
                let number = self.numbers.get(&key(value)).map(|term| term.text.clone());
                number.ok_or_else(|| "an extent from nowhere".to_owned())
            }
        };
        unit.extents().into_iter().rev().map(text).collect()
    }

    /// What a body has before its first op: coordinates, and how images are read.
    fn begin<'c: 'a, 'a: 'v, 'v>(&self, unit: Unit<'c, 'a>, body: &mut Body<'v>) -> Result<(), String> {
        let (block, rank): (BlockRef, usize) = (unit.body(), unit.coordinate_count());
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
    pub(super) fn op<'c: 'a, 'a: 'v, 'v>(&self, op: OperationRef<'c, 'a>, body: &mut Body<'v>) -> Result<(), String> {
        if let Some(reduce) = Reduce::of(op) {
            return self.places(reduce, body);
        }
        let place = ir::operand(op, 0).and_then(|value| body.places.get(&key(value)).cloned());
        let term = match (Load::of(op), Previous::of(op), place) {
            (Some(load), ..) => self.load(load, body)?,
            (_, Some(previous), _) => self.previous(previous, body)?,
            (.., Some(place)) if ir::name_of(op) == "arith.index_cast" => Term::primary(place, Type::Index),
            _ if op.result_count() == 1 => {
                for operand in op.operands() {
                    body.give(self, operand);
                    body.uses_coordinates |= body.coordinates.contains(&operand);
                }
                arithmetic(op, &|value| self.find(&body.terms, value).cloned())?
            }
            _ => return Err(format!("Forma cannot say {}", ir::name_of(op))),
        };
        let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
        let is_simple = term.is_literal || is_name(&term.text);
        let is_part = is_simple || body.in_window || ir::has_one_use(value) && term.depth < DEEPEST;
        if body.in_window && term.text.len() > LONGEST {
            return Err(format!("Forma cannot say {}, of which a part is used often", ir::name_of(op)));
        }
        let term = if is_part { term } else { body.let_value(&term) };
        body.terms.insert(key(value), term);
        Ok(())
    }

    /// What a body yields.
    fn yielded<'c: 'a, 'a>(&self, unit: Unit<'c, 'a>, body: &mut Body) -> Result<Vec<Term>, String> {
        let end = unit.terminator().ok_or("a unit without yield")?;
        let value = |value: Value| {
            body.give(self, value);
            self.find(&body.terms, value).cloned().ok_or_else(|| "a value from nowhere".to_owned())
        };
        end.operands().map(value).collect()
    }

    /// The images that the values of a body become.
    fn made<'c: 'a, 'a>(&mut self, unit: Unit<'c, 'a>, values: Vec<Term>, body: &Body) -> Result<Made, String> {
        let mut made = Made::default();
        for (index, term) in values.into_iter().enumerate() {
            let image: Value = unit.op().result(index).map_err(|error| error.to_string())?.into();
            let wanted = self.wanted(image);
            let ty = match (body.own.get(index), &wanted) {
                (Some(own), _) => own.ty,
                (_, Some((_, true))) => unsigned(term.ty),
                (_, Some((_, false))) => with_sign(term.ty),
                (_, None) => term.ty,
            };
            made.results.push(if ty == term.ty { term.typed() } else { term.cast(ty) });
            let own = if index == 0 { unit.name().to_owned() } else { format!("{}_{index}", unit.name()) };
            let name = self.result_name(wanted.and_then(|(name, _)| name), &own);
            let (sizes, order) = (body.sizes.clone(), self.images.len());
            self.images.insert(key(image), Image { name: name.clone(), ty, sizes, order });
            made.names.push(name);
        }
        Ok(made)
    }

    /// What a scan or scatter makes, as its body knows it: of an integer that no result of the program is, the op says the sign.
    pub(super) fn own_results(&self, unit: Unit, body: &mut Body, is_unsigned: bool) -> Result<(), String> {
        for index in 0..unit.op().result_count() {
            let image: Value = unit.op().result(index).map_err(|error| error.to_string())?.into();
            let ty = signed(unit.image_type(index).element())?;
            let ty = match self.wanted(image) {
                Some((_, true)) => unsigned(ty),
                None if is_unsigned => unsigned(ty),
                _ => ty,
            };
            let name = local(&mut body.names, "own");
            body.own.push(Term::primary(name, ty));
        }
        Ok(())
    }

    /// The definition, and where it is applied.
    fn write_unit(&mut self, head: &Head, body: &Body, made: &Made) {
        let name = self.name(&format!("{}_of", made.names[0]));
        let (params, args) = self.params_and_args(body);
        let rank = body.sizes.len();
        // Where the images that it reads say how large it is, and no coordinate is named, neither is written.
        let read: Vec<&Image> = body.params.iter().filter_map(|param| self.images.get(&param.image)).collect();
        let mut like = read.iter().filter(|image| image.sizes.len() == rank);
        let all_like = like.clone().all(|image| image.sizes == body.sizes);
        let first_like = body.has_point && like.next().is_some_and(|image| image.sizes == body.sizes);
        let is_plain =
            !body.uses_coordinates && all_like && read.first().is_some_and(|image| image.sizes.len() == rank);
        let named = if body.has_point { rank } else { body.coordinates.len() };
        let is_named = if body.has_point { !is_plain } else { named > 0 };
        let at = if is_named { format!(" at [{}]", COORDINATES[..named].join(", ")) } else { String::new() };
        let sizes = if first_like { String::new() } else { format!("[{}]", body.sizes.join(", ")) };
        let (lets, results) = (&body.lets, made.results.join(", "));
        let Head { word, domain } = head;
        let text = format!("\n{word} {name}({params}){at}{domain} {{\n{lets}    return {results};\n}}\n");
        self.stencils.push_str(&text);
        self.text.push_str(&format!("{} = {name}({args}){sizes};\n", made.names.join(", ")));
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

/// Whether a scan reads points before its own.
fn reads_its_line(scan: Scan) -> bool {
    ir::walk(scan.op()).into_iter().any(|op| Previous::of(op).is_some())
}
