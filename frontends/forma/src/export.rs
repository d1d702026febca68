//! Level 0 to Forma, for programs that Forma can say.
//!
//! ```text
//! %b = pipeline.stage "b" (%y, %x) {                    stencil b_(vector#2 float img) at [x, y] {
//!   %0 = pipeline.load %img[%y, %x - 1] clamp    ──▶        return img@[-1, 0] * 0.5;
//!   %1 = arith.mulf %0, %cst                            }
//!   pipeline.yield %1                                   b = b_(img:clamped)[img_x, img_y];
//! ```
//!
//! A value that is used once becomes part of the expression that uses it, another one a `let`; a few ops deep, a `let` too. IR does not
//! say which integers have no sign; ops do. So a value has a sign unless it is of an image without, and is cast where an op says otherwise:
//! between types of one width that changes no bit.
//!
//! Not said are scans, scatters, reduces, groups, branches, and stages of which only a part is needed.

use crate::{
    ast::{Binary, Type, type_name},
    check::builtin_names,
    compile::check,
    format::format,
    lexer::is_name,
};
use melior::ir::{
    AffineExpr, BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::{FunctionType, RankedTensorType, ShapedTypeLike},
};
use mlir_glue::ir;
use std::collections::{HashMap, HashSet};
use weft_dialects::{
    pipeline::{Boundary, Extent, Iterate, Load, Stage, static_extents},
    weft,
};

/// Expressions are this deep before a part gets a name.
const DEEPEST: usize = 6;

/// A program as Forma.
///
/// # Errors
///
/// What Forma cannot say.
pub fn export(func: OperationRef) -> Result<String, String> {
    let ty = func.attribute("function_type").ok();
    let ty = ty.and_then(|ty| melior::ir::attribute::TypeAttribute::try_from(ty).ok());
    let ty = ty.and_then(|ty| FunctionType::try_from(ty.value()).ok()).ok_or("expected a function")?;
    let block = func.region(0).ok().and_then(|region| {
        use melior::ir::RegionLike;
        region.first_block()
    });
    let block = block.ok_or("expected a function with a body")?;
    let mut export = Export { taken: avoided(), ..Export::default() };
    let mut results = Vec::new();
    for index in 0..ty.result_count() {
        let attributes = weft::attributes_of(func, true, index);
        let name = attributes.and_then(|all| all.element_by_name(weft::NAME)).and_then(ir::text_of);
        let unsigned = attributes.is_some_and(|all| all.element_by_name(weft::UNSIGNED).is_some());
        results.push((name.map(str::to_owned), unsigned));
    }
    // Results keep their names, also those of builtin functions, which stay what they are where they are called.
    for name in results.iter().filter_map(|(name, _)| name.as_ref()).filter(|name| is_name(name)) {
        export.taken.insert(name.clone());
        export.kept.insert(name.clone());
    }
    export.arguments(func, block, ty.input_count())?;
    let end = block.terminator().ok_or("expected a return")?;
    // Results have the names that people know, and signs that only attributes say.
    for (value, (name, unsigned)) in end.operands().zip(&results) {
        export.wanted.push((value.to_raw().ptr as usize, name.clone(), *unsigned));
    }
    export.body(block, 0)?;
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

/// Names of coordinates, x first.
const COORDINATES: [&str; 4] = ["x", "y", "z", "w"];

/// What a name that is made here had better not be: it would hide a coordinate or a builtin function. Words of the language are
/// no names, as [`is_name`] says.
fn avoided() -> HashSet<String> {
    COORDINATES.into_iter().chain(builtin_names()).map(str::to_owned).collect()
}

/// A value as text: its type, how deep it is, and whether it is a literal.
#[derive(Clone)]
struct Term {
    text: String,
    ty: Type,
    depth: usize,
    is_literal: bool,
    /// How tightly its outermost operator binds.
    binds: u8,
}

/// What needs no brackets.
const PRIMARY: u8 = 12;

/// Of a sign before an operand; operators of two operands bind less, see [`Binary::binds`].
const PREFIX: u8 = 11;

#[derive(Default)]
struct Export {
    head: String,
    stencils: String,
    text: String,
    taken: HashSet<String>,
    /// Names of results that nothing has yet.
    kept: HashSet<String>,
    /// Images by their values.
    images: HashMap<usize, Image>,
    /// The parameter that is an extent of an argument: image and dimension.
    parameters: HashMap<(usize, usize), String>,
    /// Numbers of the program.
    numbers: HashMap<usize, Term>,
    /// The names of all parameters, which stencils see.
    given: HashSet<String>,
    /// Results: value, name, whether it has no sign.
    wanted: Vec<(usize, Option<String>, bool)>,
}

fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// The type of numbers, with a sign.
fn signed(ty: melior::ir::Type) -> Result<Type, String> {
    Ok(match ty.to_string().as_str() {
        "f16" => Type::F16,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "i1" => Type::Bool,
        "i8" => Type::I8,
        "i16" => Type::I16,
        "i32" => Type::I32,
        "i64" => Type::I64,
        "index" => Type::Index,
        other => return Err(format!("Forma has no type {other}")),
    })
}

/// The same width without a sign.
fn unsigned(ty: Type) -> Type {
    match ty {
        Type::I8 => Type::U8,
        Type::I16 => Type::U16,
        Type::I32 => Type::U32,
        Type::I64 => Type::U64,
        other => other,
    }
}

/// The same width with a sign.
fn with_sign(ty: Type) -> Type {
    match ty {
        Type::U8 => Type::I8,
        Type::U16 => Type::I16,
        Type::U32 => Type::I32,
        Type::U64 => Type::I64,
        other => other,
    }
}

impl Term {
    /// As this type; between types of one width.
    fn cast(&self, ty: Type) -> String {
        if self.ty == ty { self.text.clone() } else { format!("{}({})", type_name(ty), self.text) }
    }

    /// In brackets, if it binds less than this.
    fn within(&self, least: u8) -> String {
        if self.binds < least { format!("({})", self.text) } else { self.text.clone() }
    }

    /// With its type, also where nothing stands beside it.
    fn typed(&self) -> String {
        match (self.is_literal, self.ty) {
            (true, Type::F32) if !self.text.contains(['.', 'e']) => format!("float({})", self.text),
            (true, Type::F32 | Type::I32 | Type::Bool) | (false, _) => self.text.clone(),
            (true, ty) => format!("{}({})", type_name(ty), self.text),
        }
    }
}

/// An image: its name, its type, and its extents as written, x first.
#[derive(Clone)]
struct Image {
    name: String,
    ty: Type,
    sizes: Vec<String>,
    /// How many images there were before it.
    order: usize,
}

/// What a body is being written into.
struct Body<'v> {
    /// Values of this body.
    terms: HashMap<usize, Term>,
    lets: String,
    /// Names of the parameters, by image and what lies beyond it.
    params: Vec<(usize, String, String, Type, u32)>,
    numbers: Vec<(String, Type, String)>,
    names: HashSet<String>,
    coordinates: Vec<Value<'v, 'v>>,
    /// Whether a coordinate is named in it.
    uses_coordinates: bool,
    /// The extents of the stage, x first.
    sizes: Vec<String>,
    /// The mode of other reads of an image, for reads of it that need none.
    modes: HashMap<usize, String>,
}

impl Export {
    fn name(&mut self, wanted: &str) -> String {
        let mut clean: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if clean.chars().next().is_none_or(|first| first.is_ascii_digit()) {
            clean.insert(0, '_');
        }
        unused(&mut self.taken, &clean, 1)
    }

    /// The name of a result of the program, which is kept for it, else one like `own`.
    fn result_name(&mut self, wanted: Option<String>, own: &str) -> String {
        match wanted.filter(|name| self.kept.remove(name)) {
            Some(name) => name,
            None => self.name(own),
        }
    }

    fn arguments<'c>(
        &mut self,
        func: OperationRef<'c, '_>,
        block: BlockRef<'c, '_>,
        count: usize,
    ) -> Result<(), String> {
        let equal = equal_extents(block, count);
        // The first extent that is known to be the same.
        let same = |image: usize, dimension: usize| {
            std::iter::successors(Some((image, dimension)), |at| equal.get(at).copied())
                .last()
                .unwrap_or((image, dimension))
        };
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
            let Ok(tensor) = RankedTensorType::try_from(value.r#type()) else {
                let ty = sign(signed(value.r#type())?);
                self.head.push_str(&format!("parameter {} {name};\n", type_name(ty)));
                self.given.insert(name.clone());
                self.numbers.insert(key(value), Term { text: name, ty, depth: 0, is_literal: false, binds: PRIMARY });
                continue;
            };
            let ty = sign(signed(tensor.element())?);
            let extents = static_extents(tensor);
            if extents.is_empty() {
                return Err(format!("image '{name}' has rank 0, which Forma cannot say"));
            }
            let estimate = attributes.and_then(|all| all.element_by_name(weft::ESTIMATE));
            let estimate =
                estimate.and_then(|array| melior::ir::attribute::DenseI64ArrayAttribute::try_from(array).ok());
            let mut sizes = Vec::new();
            for (forma, dimension) in (0..extents.len()).rev().enumerate() {
                sizes.push(match extents[dimension] {
                    Some(extent) => extent.to_string(),
                    // An extent that is checked to be another one's has its parameter.
                    None if self.parameters.contains_key(&(same(index, dimension))) => {
                        self.parameters[&same(index, dimension)].clone()
                    }
                    None => {
                        let parameter = self.name(&format!("{name}_{}", COORDINATES[forma]));
                        let about = estimate.and_then(|array| array.element(dimension).ok()).filter(|size| *size > 0);
                        let about = about.map_or(String::new(), |size| format!(" ~ {size}"));
                        self.head.push_str(&format!("parameter {parameter}{about};\n"));
                        self.given.insert(parameter.clone());
                        self.parameters.insert(same(index, dimension), parameter.clone());
                        parameter
                    }
                });
            }
            let sizes_text = sizes.join(", ");
            self.head.push_str(&format!("vector#{} {} {name}[{sizes_text}];\n", extents.len(), type_name(ty)));
            self.images.insert(key(value), Image { name, ty, sizes, order: self.images.len() });
        }
        Ok(())
    }

    fn image(&self, value: Value) -> Result<&Image, String> {
        self.images.get(&key(value)).ok_or_else(|| "an image that no stage of the program makes".to_owned())
    }

    /// The units of a block.
    fn body<'c: 'a, 'a>(&mut self, block: BlockRef<'c, 'a>, level: usize) -> Result<(), String> {
        for op in ir::operations(block) {
            let name = ir::name_of(op);
            if let Some(stage) = Stage::of(op) {
                self.stage(stage)?;
            } else if let Some(iterate) = Iterate::of(op) {
                self.iterate(iterate, level)?;
            } else if name == "func.return" || name == "pipeline.yield" {
                break;
            } else if name == "cf.assert" && is_equal_extents(op).is_some()
                || op.result_count() == 1 && op.result(0).is_ok_and(|value| only_asserted(value.into()))
            {
                // A parameter that two images have says so.
            } else if op.result_count() == 1 && op.results().all(|value| !value.r#type().is_tensor()) {
                let known: HashMap<usize, Term> = HashMap::new();
                let term = self.number(op, &known)?;
                let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
                let term = if term.depth > DEEPEST {
                    let name = self.name("n");
                    self.text.push_str(&format!("{name} = {};\n", term.typed()));
                    Term { text: name, ty: term.ty, depth: 0, is_literal: false, binds: PRIMARY }
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

    fn number(&self, op: OperationRef, known: &HashMap<usize, Term>) -> Result<Term, String> {
        if ir::name_of(op) == "tensor.dim" {
            let image = op.operand(0).map_err(|error| error.to_string())?;
            let dimension = op.operand(1).ok().and_then(|value| self.numbers.get(&key(value)));
            let dimension = dimension.and_then(|term| term.text.parse::<i64>().ok());
            let rank = RankedTensorType::try_from(image.r#type()).map(|ty| ty.rank()).unwrap_or(0) as i64;
            let dimension = dimension.filter(|dimension| (0..rank).contains(dimension));
            let dimension = dimension.ok_or("Forma cannot say tensor.dim of a computed dimension")?;
            let text = self.image(image)?.sizes[(rank - 1 - dimension) as usize].clone();
            return Ok(Term { text, ty: Type::Index, depth: 0, is_literal: false, binds: PRIMARY });
        }
        let find = |value: Value| known.get(&key(value)).or_else(|| self.numbers.get(&key(value))).cloned();
        arithmetic(op, &find)
    }

    fn stage<'c: 'a, 'a>(&mut self, stage: Stage<'c, 'a>) -> Result<(), String> {
        if stage.needed().is_some() {
            return Err(format!("stage \"{}\" computes a part of itself, which Forma cannot say", stage.name()));
        }
        let rank = stage.rank();
        let block = stage.body();
        let mut body = Body {
            terms: HashMap::new(),
            lets: String::new(),
            params: Vec::new(),
            numbers: Vec::new(),
            // A let would hide a parameter of its name.
            names: avoided().into_iter().chain(self.given.iter().cloned()).collect(),
            coordinates: Vec::new(),
            uses_coordinates: false,
            sizes: Vec::new(),
            modes: HashMap::new(),
        };
        for extent in stage.extents().into_iter().rev() {
            body.sizes.push(match extent {
                Extent::Static(extent) => extent.to_string(),
                Extent::Dynamic(value) => {
                    self.numbers.get(&key(value)).map(|term| term.text.clone()).ok_or("an extent from nowhere")?
                }
            });
        }
        for load in ir::operations(block).filter_map(Load::of).filter(|load| load.boundary() != Boundary::None) {
            let mode = self.mode(load)?;
            body.modes.entry(key(load.source())).or_insert(mode);
        }
        for dimension in 0..rank {
            let value: Value = block.argument(dimension).map_err(|error| error.to_string())?.into();
            let text = COORDINATES[rank - 1 - dimension].to_owned();
            body.terms.insert(key(value), Term { text, ty: Type::Index, depth: 0, is_literal: false, binds: PRIMARY });
            body.coordinates.push(value);
        }
        for op in ir::operations(block).filter(|op| ir::name_of(*op) != "pipeline.yield") {
            let term = match Load::of(op) {
                Some(load) => self.load(load, &mut body)?,
                None if op.result_count() == 1 => {
                    // Numbers that are no literals and no parameters are given to the stencil.
                    for operand in op.operands() {
                        self.give(operand, &mut body);
                        body.uses_coordinates |= body.coordinates.contains(&operand);
                    }
                    let terms = &body.terms;
                    let find = |value: Value| terms.get(&key(value)).or_else(|| self.numbers.get(&key(value))).cloned();
                    arithmetic(op, &find)?
                }
                None => return Err(format!("Forma cannot say {}", ir::name_of(op))),
            };
            let value: Value = op.result(0).map_err(|error| error.to_string())?.into();
            let term = if term.is_literal || is_name(&term.text) || ir::has_one_use(value) && term.depth < DEEPEST {
                term
            } else {
                let name = local(&mut body.names, "v");
                body.lets.push_str(&format!("    let {name} = {};\n", term.typed()));
                Term { text: name, ty: term.ty, depth: 0, is_literal: false, binds: PRIMARY }
            };
            body.terms.insert(key(value), term);
        }
        let end = block.terminator().ok_or("a stage without yield")?;
        let mut results = Vec::new();
        let mut made = Vec::new();
        for (index, value) in end.operands().enumerate() {
            self.give(value, &mut body);
            let term =
                body.terms.get(&key(value)).or_else(|| self.numbers.get(&key(value))).ok_or("a value from nowhere")?;
            let image: Value = stage.op().result(index).map_err(|error| error.to_string())?.into();
            let wanted = self.wanted.iter().find(|(wanted, ..)| *wanted == key(image)).cloned();
            let ty = match &wanted {
                Some((.., true)) => unsigned(term.ty),
                Some((.., false)) => with_sign(term.ty),
                None => term.ty,
            };
            let text = if ty == term.ty { term.typed() } else { term.cast(ty) };
            results.push(text);
            let own = if index == 0 { stage.name().to_owned() } else { format!("{}_{index}", stage.name()) };
            let name = self.result_name(wanted.and_then(|(_, name, _)| name), &own);
            self.images.insert(
                key(image),
                Image { name: name.clone(), ty, sizes: body.sizes.clone(), order: self.images.len() },
            );
            made.push(name);
        }
        // In the order of images, not of reads, which may change when the text is read again.
        body.params.sort_by_key(|(image, ..)| self.images.get(image).map(|image| image.order));
        let stencil = self.name(&format!("{}_of", made[0]));
        let mut params: Vec<String> = body
            .params
            .iter()
            .map(|(_, _, name, ty, rank)| format!("vector#{rank} {} {name}", type_name(*ty)))
            .collect();
        params.extend(body.numbers.iter().map(|(name, ty, _)| format!("{} {name}", type_name(*ty))));
        let mut args = Vec::new();
        for (image, mode, ..) in &body.params {
            let name = self.images.get(image).map(|image| image.name.as_str()).unwrap_or_default();
            // Without a mode it is clamped.
            args.push(if mode == "clamped" { name.to_owned() } else { format!("{name}:{mode}") });
        }
        args.extend(body.numbers.iter().map(|(.., text)| text.clone()));
        if params.is_empty() {
            // Forma's stencils have a parameter.
            params.push("int none".into());
            args.push("0".into());
        }
        // Where the images that it reads say how large it is, and no coordinate is named, neither is written.
        let read: Vec<&Image> = body.params.iter().filter_map(|(image, ..)| self.images.get(image)).collect();
        let mut like = read.iter().filter(|image| image.sizes.len() == rank);
        let all_like = like.clone().all(|image| image.sizes == body.sizes);
        let first_like = like.next().is_some_and(|image| image.sizes == body.sizes);
        let is_plain =
            !body.uses_coordinates && all_like && read.first().is_some_and(|image| image.sizes.len() == rank);
        let at = if is_plain { String::new() } else { format!(" at [{}]", COORDINATES[..rank].join(", ")) };
        let sizes = if first_like { String::new() } else { format!("[{}]", body.sizes.join(", ")) };
        self.stencils.push_str(&format!(
            "\nstencil {stencil}({}){at} {{\n{}    return {};\n}}\n",
            params.join(", "),
            body.lets,
            results.join(", ")
        ));
        let (made, args) = (made.join(", "), args.join(", "));
        self.text.push_str(&format!("{made} = {stencil}({args}){sizes};\n"));
        Ok(())
    }

    /// Makes a number of the program known in a stencil.
    fn give(&self, value: Value, body: &mut Body) {
        let Some(number) = self.numbers.get(&key(value)) else { return };
        if number.is_literal || self.given.contains(&number.text) || body.terms.contains_key(&key(value)) {
            return;
        }
        let name = local(&mut body.names, "n");
        body.numbers.push((name.clone(), number.ty, number.text.clone()));
        body.terms.insert(key(value), Term { text: name, ty: number.ty, depth: 0, is_literal: false, binds: PRIMARY });
    }

    /// What lies beyond the edge.
    fn mode(&self, load: Load) -> Result<String, String> {
        Ok(match load.boundary() {
            Boundary::None => "inside".to_owned(),
            Boundary::Clamp => "clamped".to_owned(),
            Boundary::Mirror => "mirror".to_owned(),
            Boundary::Wrap => "wrap".to_owned(),
            Boundary::Constant => {
                let ty = self.image(load.source())?.ty;
                let value = load.outside().and_then(|value| self.numbers.get(&key(value)));
                let value = value.ok_or("a value beyond an edge that depends on the point")?;
                let fits = value.is_literal && !(ty.is_unsigned() && value.text.starts_with('-'));
                format!("constant({})", if fits { value.text.clone() } else { value.cast(ty) })
            }
        })
    }

    fn load<'c: 'a, 'a>(&self, load: Load<'c, 'a>, body: &mut Body) -> Result<Term, String> {
        let Image { name: image, ty, sizes, .. } = self.image(load.source())?.clone();
        let source = key(load.source());
        let rank = load.source_type().rank() as u32;
        let operands = load.coordinates();
        for operand in &operands {
            self.give(*operand, body);
        }
        let map = load.map();
        let mut indices = Vec::new();
        let mut offsets = Some(Vec::new());
        for dimension in 0..map.result_count() {
            let expr = map.result(dimension).map_err(|error| error.to_string())?;
            let name = |at: usize| {
                let value = operands.get(at).copied();
                let known =
                    value.and_then(|value| body.terms.get(&key(value)).or_else(|| self.numbers.get(&key(value))));
                known.map(|term| term.within(PRIMARY)).unwrap_or_default()
            };
            indices.push(affine(expr, &name)?.0);
            let own = body.coordinates.get(dimension).copied();
            let offset = shift(expr).filter(|(at, _)| own.is_some_and(|own| operands.get(*at) == Some(&own)));
            match (offset, &mut offsets) {
                (Some((_, offset)), Some(offsets)) => offsets.push(offset.to_string()),
                _ => offsets = None,
            }
        }
        indices.reverse();
        let offsets = offsets.filter(|offsets: &Vec<String>| offsets.len() == body.coordinates.len());
        // A read at the point itself needs no mode where the stage is as large as the image.
        let is_own =
            offsets.as_ref().is_some_and(|offsets| offsets.iter().all(|offset| offset == "0")) && sizes == body.sizes;
        let mode = match load.boundary() {
            Boundary::None if is_own => body.modes.get(&source).cloned().unwrap_or_else(|| "clamped".to_owned()),
            _ => self.mode(load)?,
        };
        let param = match body.params.iter().find(|(image, own, ..)| *image == source && *own == mode) {
            Some((_, _, name, ..)) => name.clone(),
            None => {
                let name = local(&mut body.names, &image);
                body.params.push((source, mode, name.clone(), ty, rank));
                name
            }
        };
        body.uses_coordinates |= offsets.is_none();
        let text = match offsets {
            Some(mut offsets) => {
                offsets.reverse();
                if offsets.iter().all(|offset| offset == "0") {
                    param
                } else {
                    format!("{param}@[{}]", offsets.join(", "))
                }
            }
            None => format!("{param}@({})", indices.join(", ")),
        };
        Ok(Term { text, ty, depth: 0, is_literal: false, binds: PRIMARY })
    }

    fn iterate<'c: 'a, 'a>(&mut self, iterate: Iterate<'c, 'a>, level: usize) -> Result<(), String> {
        let steps = self.numbers.get(&key(iterate.steps())).map(|term| term.text.clone());
        let steps = steps.ok_or("a number of steps from nowhere")?;
        let mut states = Vec::new();
        let mut types = Vec::new();
        for (state, initial) in iterate.states().into_iter().zip(iterate.initial()) {
            let image = self.image(initial)?.clone();
            let name = self.name("state");
            states.push(format!("{name} = {}", image.name));
            self.images.insert(key(state), Image { name, order: self.images.len(), ..image.clone() });
            types.push(image);
        }
        let outer = std::mem::take(&mut self.text);
        self.body(iterate.body(), level + 1)?;
        let end = iterate.terminator().ok_or("an iterate without yield")?;
        let mut next = Vec::new();
        for (value, state) in end.operands().zip(&types) {
            let Image { name, ty, .. } = self.image(value)?.clone();
            if ty != state.ty {
                return Err("a state that changes its sign".into());
            }
            next.push(name);
        }
        let inner = std::mem::replace(&mut self.text, outer);
        let mut made = Vec::new();
        for (index, state) in types.iter().enumerate() {
            let image: Value = iterate.op().result(index).map_err(|error| error.to_string())?.into();
            let wanted =
                self.wanted.iter().find(|(wanted, ..)| *wanted == key(image)).and_then(|(_, name, _)| name.clone());
            let own = if index == 0 { iterate.name().to_owned() } else { format!("{}_{index}", iterate.name()) };
            let name = self.result_name(wanted, &own);
            self.images.insert(key(image), Image { name: name.clone(), order: self.images.len(), ..state.clone() });
            made.push(name);
        }
        let (made, states, next) = (made.join(", "), states.join(", "), next.join(", "));
        self.text.push_str(&format!("{made} = iterate[{steps}]({states}) {{\n{inner}return {next};\n}};\n"));
        Ok(())
    }
}

/// The extents of arguments, image and dimension, that an assertion says are equal.
fn is_equal_extents(op: OperationRef) -> Option<[(usize, usize); 2]> {
    let compare = ir::defining_op(ir::operand(op, 0)?)?;
    let case = compare.attribute("predicate").ok().and_then(|case| IntegerAttribute::try_from(case).ok())?;
    if ir::name_of(op) != "cf.assert" || ir::name_of(compare) != "arith.cmpi" || case.value() != 0 {
        return None;
    }
    let extent = |index: usize| {
        let dim = ir::defining_op(ir::operand(compare, index)?)?;
        let number = ir::defining_op(ir::operand(dim, 1)?)?;
        let number = IntegerAttribute::try_from(number.attribute("value").ok()?).ok()?;
        let image = melior::ir::block::BlockArgument::try_from(ir::operand(dim, 0)?).ok()?;
        Some((image.argument_number(), usize::try_from(number.value()).ok()?))
    };
    Some([extent(0)?, extent(1)?])
}

/// Whether all that is made of a number is such an assertion.
fn only_asserted(value: Value) -> bool {
    let compare = ir::defining_op(value).filter(|op| ir::name_of(*op) == "arith.cmpi");
    let block = compare.and_then(|op| op.block());
    let assertion = block.and_then(|block| {
        ir::operations(block).find(|op| ir::name_of(*op) == "cf.assert" && ir::operand(*op, 0) == Some(value))
    });
    ir::has_one_use(value) && assertion.is_some_and(|op| is_equal_extents(op).is_some())
}

/// The extents of arguments that are those of earlier ones.
fn equal_extents<'c: 'a, 'a>(block: BlockRef<'c, 'a>, count: usize) -> HashMap<(usize, usize), (usize, usize)> {
    let mut equal = HashMap::new();
    for [a, b] in ir::operations(block).filter_map(is_equal_extents) {
        if a.0 < count && b.0 < count && a != b {
            equal.insert(a.max(b), a.min(b));
        }
    }
    equal
}

/// A name like this one that nothing has yet; numbers that are added begin with `number`.
fn unused(names: &mut HashSet<String>, wanted: &str, mut number: usize) -> String {
    let mut name = wanted.to_owned();
    while !is_name(&name) || !names.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}

/// A name of a body.
fn local(names: &mut HashSet<String>, wanted: &str) -> String {
    unused(names, wanted, 0)
}

/// A dimension and what is added to it.
fn shift(expr: AffineExpr) -> Option<(usize, i64)> {
    if expr.is_dim() {
        return Some((expr.dim_position(), 0));
    }
    let is_shift = expr.is_add() && expr.lhs().is_dim() && expr.rhs().is_constant();
    is_shift.then(|| (expr.lhs().dim_position(), expr.rhs().constant_value()))
}

/// An index, and how tightly it binds; dimensions are values by name.
fn affine(expr: AffineExpr, name: &dyn Fn(usize) -> String) -> Result<(String, u8), String> {
    if expr.is_dim() {
        return Ok((name(expr.dim_position()), PRIMARY));
    }
    if expr.is_constant() {
        let value = expr.constant_value();
        return Ok((value.to_string(), if value < 0 { PREFIX } else { PRIMARY }));
    }
    if expr.is_symbol() || expr.is_ceil_div() {
        return Err("Forma cannot say an index with ceildiv or symbols".into());
    }
    let operand = |part: AffineExpr, least: u8| {
        let (text, binds) = affine(part, name)?;
        Ok::<String, String>(if binds < least { format!("({text})") } else { text })
    };
    let subtracts = expr.is_add() && expr.rhs().is_constant() && expr.rhs().constant_value() < 0;
    let op = match () {
        () if subtracts => Binary::Sub,
        () if expr.is_add() => Binary::Add,
        () if expr.is_mul() => Binary::Mul,
        () if expr.is_mod() => Binary::Rem,
        () => Binary::Div,
    };
    let own = op.binds();
    let b = match subtracts {
        true => expr.rhs().constant_value().unsigned_abs().to_string(),
        false => operand(expr.rhs(), own + 1)?,
    };
    Ok((format!("{} {} {b}", operand(expr.lhs(), own)?, op.sign()), own))
}

/// An op on values.
fn arithmetic(op: OperationRef, find: &dyn Fn(Value) -> Option<Term>) -> Result<Term, String> {
    let name = ir::name_of(op);
    let cannot = || format!("Forma cannot say {name}");
    let result: Value = op.result(0).map_err(|error| error.to_string())?.into();
    let ty = signed(result.r#type())?;
    if name == "arith.constant" {
        let value = op.attribute("value").map_err(|error| error.to_string())?;
        let text = match ty {
            Type::Bool => IntegerAttribute::try_from(value).map(|value| (value.value() != 0).to_string()).ok(),
            ty if ty.is_float() => FloatAttribute::try_from(value).ok().and_then(|value| literal(value.value(), ty)),
            _ => IntegerAttribute::try_from(value).map(|value| value.value().to_string()).ok(),
        };
        return Ok(Term { text: text.ok_or_else(cannot)?, ty, depth: 0, is_literal: true, binds: PRIMARY });
    }
    let mut terms = Vec::new();
    for operand in op.operands() {
        terms.push(find(operand).ok_or_else(|| format!("Forma cannot say an operand of {name}"))?);
    }
    let depth = terms.iter().map(|term| term.depth).max().unwrap_or(0) + 1;
    let term = |text: String, ty: Type, binds: u8| Ok(Term { text, ty, depth, is_literal: false, binds });
    let call = |text: String, ty: Type| Ok(Term { text, ty, depth, is_literal: false, binds: PRIMARY });
    // Both operands of one type; one of two literals has it said. What binds less than `least` is put in brackets.
    let pair = |of: Type, least: [u8; 2]| {
        let both = terms.len() >= 2 && terms[0].is_literal && terms[1].is_literal;
        let text = |index: usize| match &terms[index] {
            term if term.is_literal && (both || of.is_unsigned() && term.text.starts_with('-')) => {
                format!("{}({})", type_name(of), term.text)
            }
            term if term.is_literal => term.text.clone(),
            term if term.ty == of => term.within(least[index]),
            term => term.cast(of),
        };
        (text(0), text(1))
    };
    // What literals stand beside says the sign.
    let common = || {
        let of = terms.iter().find(|term| !term.is_literal).map_or(terms[0].ty, |term| term.ty);
        if of.is_unsigned() && terms.iter().any(|term| term.is_literal && term.text.starts_with('-')) {
            with_sign(of)
        } else {
            of
        }
    };
    let binary = |op: Binary, of: Type, gives: Type| {
        let own = op.binds();
        let (a, b) = pair(of, [own, own + 1]);
        term(format!("{a} {} {b}", op.sign()), gives, own)
    };
    let function = |name: &str, of: Type| {
        let (a, b) = pair(of, [0, 0]);
        call(format!("{name}({a}, {b})"), of)
    };
    match name {
        "arith.addf" => binary(Binary::Add, ty, ty),
        "arith.subf" => binary(Binary::Sub, ty, ty),
        "arith.mulf" => binary(Binary::Mul, ty, ty),
        "arith.divf" => binary(Binary::Div, ty, ty),
        "arith.remf" => binary(Binary::Rem, ty, ty),
        "arith.addi" => binary(Binary::Add, common(), common()),
        "arith.subi" => binary(Binary::Sub, common(), common()),
        "arith.muli" => binary(Binary::Mul, common(), common()),
        "arith.andi" if ty == Type::Bool => binary(Binary::AndAnd, ty, ty),
        "arith.ori" if ty == Type::Bool => binary(Binary::OrOr, ty, ty),
        "arith.andi" => binary(Binary::And, common(), common()),
        "arith.ori" => binary(Binary::Or, common(), common()),
        "arith.xori" => binary(Binary::Xor, common(), common()),
        "arith.shli" => binary(Binary::Shl, common(), common()),
        "arith.shrsi" => binary(Binary::Shr, with_sign(ty), with_sign(ty)),
        "arith.shrui" if ty != Type::Index => binary(Binary::Shr, unsigned(ty), unsigned(ty)),
        "arith.divsi" if ty != Type::Index => binary(Binary::Div, with_sign(ty), with_sign(ty)),
        "arith.divui" if ty != Type::Index => binary(Binary::Div, unsigned(ty), unsigned(ty)),
        "arith.remsi" if ty != Type::Index => binary(Binary::Rem, with_sign(ty), with_sign(ty)),
        "arith.remui" if ty != Type::Index => binary(Binary::Rem, unsigned(ty), unsigned(ty)),
        "arith.floordivsi" if ty == Type::Index => binary(Binary::Div, ty, ty),
        "arith.minimumf" | "arith.minsi" => function("min", with_sign(ty)),
        "arith.maximumf" | "arith.maxsi" => function("max", with_sign(ty)),
        "arith.minui" if ty != Type::Index => function("min", unsigned(ty)),
        "arith.maxui" if ty != Type::Index => function("max", unsigned(ty)),
        "math.powf" => function("pow", ty),
        "math.atan2" => function("atan2", ty),
        "arith.negf" => match terms[0].is_literal {
            true => term(format!("-{}({})", type_name(ty), terms[0].text), ty, PREFIX),
            false => term(format!("-{}", terms[0].within(PRIMARY)), ty, PREFIX),
        },
        "math.absf" | "math.absi" => call(format!("abs({})", terms[0].cast(with_sign(ty))), with_sign(ty)),
        "math.exp" | "math.exp2" | "math.log" | "math.log2" | "math.sqrt" | "math.rsqrt" | "math.sin" | "math.cos"
        | "math.tanh" | "math.atan" | "math.floor" | "math.ceil" => {
            call(format!("{}({})", name.trim_start_matches("math."), terms[0].typed()), ty)
        }
        "math.roundeven" => call(format!("round({})", terms[0].typed()), ty),
        "arith.cmpf" | "arith.cmpi" => {
            let case = op.attribute("predicate").ok().and_then(|case| IntegerAttribute::try_from(case).ok());
            let case = case.ok_or_else(cannot)?.value();
            let (op, of) = if name == "arith.cmpf" {
                let op = match case {
                    1 => Binary::Eq,
                    2 => Binary::Gt,
                    3 => Binary::Ge,
                    4 => Binary::Lt,
                    5 => Binary::Le,
                    13 => Binary::Ne,
                    _ => return Err("Forma cannot say this comparison of floats".into()),
                };
                (op, terms[0].ty)
            } else {
                let op = [
                    Binary::Eq,
                    Binary::Ne,
                    Binary::Lt,
                    Binary::Le,
                    Binary::Gt,
                    Binary::Ge,
                    Binary::Lt,
                    Binary::Le,
                    Binary::Gt,
                    Binary::Ge,
                ];
                let op = usize::try_from(case).ok().and_then(|case| op.get(case)).ok_or_else(cannot)?;
                let of = match case {
                    0 | 1 => common(),
                    2..=5 => with_sign(terms[0].ty),
                    _ => unsigned(terms[0].ty),
                };
                if case > 5 && of == Type::Index {
                    return Err("Forma cannot say a comparison of indices without sign".into());
                }
                (*op, of)
            };
            binary(op, of, Type::Bool)
        }
        "arith.select" => {
            let of = terms[1..].iter().find(|term| !term.is_literal).map_or(terms[1].ty, |term| term.ty);
            let negative = terms[1..].iter().any(|term| term.is_literal && term.text.starts_with('-'));
            let of = if negative { with_sign(of) } else { of };
            let both = terms[1].is_literal && terms[2].is_literal;
            let text = |term: &Term| match term.is_literal {
                true if both => format!("{}({})", type_name(of), term.text),
                _ if term.is_literal => term.text.clone(),
                _ if term.ty == of => term.within(1),
                _ => term.cast(of),
            };
            term(format!("{} ? {} : {}", terms[0].within(1), text(&terms[1]), text(&terms[2])), of, 0)
        }
        "arith.extui" | "arith.uitofp" | "arith.index_castui" => {
            let from = if terms[0].ty == Type::Index { Type::Index } else { unsigned(terms[0].ty) };
            let to = if from == Type::Index { unsigned(ty) } else { ty };
            call(format!("{}({})", type_name(to), terms[0].cast(from)), to)
        }
        "arith.extsi" | "arith.sitofp" | "arith.index_cast" | "arith.trunci" if terms[0].ty != Type::Bool => {
            call(format!("{}({})", type_name(ty), terms[0].cast(with_sign(terms[0].ty))), ty)
        }
        "arith.extf" | "arith.truncf" | "arith.fptosi" => call(format!("{}({})", type_name(ty), terms[0].typed()), ty),
        "arith.fptoui" => call(format!("{}({})", type_name(unsigned(ty)), terms[0].typed()), unsigned(ty)),
        _ => Err(cannot()),
    }
}

/// A float with as few digits as its type needs; infinities and NaN have no literal.
fn literal(value: f64, ty: Type) -> Option<String> {
    let text = match ty {
        // The nearest f32 of the shortest digits is the same one.
        Type::F32 => format!("{:?}", value as f32),
        _ => format!("{value:?}"),
    };
    value.is_finite().then_some(text)
}
