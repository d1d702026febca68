//! From a checked program to the builder's `Pipeline`, which is the one way to make IR of level 0.
//!
//! ```text
//! temp = blurx(input:mirror);    ──▶    p.stage("temp", [y.to(n), x.to(m)], (input.mirror().at((y, x - 1)) + ...) / 3.0)
//! ```
//!
//! Forma's first index is x, the builder's last one: dimensions are reversed here and nowhere else. Sizes are numbers of the
//! builder, which makes equal numbers once; where two images meet whose sizes are other numbers, that they are equal is checked when
//! the program is entered.

use crate::{
    ast::{self, Arg, Ast, Binary, Compose, Def, Id, Item, Iterate, Kind, Mode, Name, Role, Stmt, Type, Unary},
    check::{Checked, Combine, RESAMPLERS, Value, affine, update_of},
    diagnostics::{Diagnostic, Kind as Error},
    span::{Lines, Span},
};
use std::collections::{HashMap, HashSet};
use weft_builder::{Along, Dim, Expr, Image, Line, Operand, Pipeline, Source, Var, Window};

/// Writes a program that has no mistakes. What is wrong with its sizes is noted.
pub(crate) fn lower(
    p: &Pipeline,
    file: &str,
    lines: &Lines<'_>,
    ast: &Ast<'_>,
    checked: &Checked,
    errors: &mut Vec<Diagnostic>,
) {
    let mut lower = Lower {
        p,
        file,
        lines,
        ast,
        checked,
        errors,
        defs: HashMap::new(),
        names: vec![HashMap::new()],
        taken: HashSet::new(),
        numbered: HashMap::new(),
        estimates: HashMap::new(),
        coordinates: ["x", "y", "z", "w"].map(|name| p.var(name)),
    };
    lower.program();
}

/// What a name stands for.
#[derive(Clone)]
enum Entity<'p> {
    Number(Expr<'p>),
    Image(Image<'p>),
    Table(Image<'p>),
    /// What a scan has computed of its line.
    Own(Line<'p>),
}

/// A variable of a window, and the first of its points.
struct Ranged<'p> {
    var: Var<'p>,
    first: i64,
    over: Window<'p>,
}

/// A point that is computed.
struct Frame<'s, 'p> {
    locals: HashMap<&'s str, Entity<'p>>,
    /// x first.
    coordinates: Vec<Var<'p>>,
}

struct Lower<'s, 'p, 'a> {
    p: &'p Pipeline,
    file: &'a str,
    lines: &'a Lines<'a>,
    ast: &'a Ast<'s>,
    checked: &'a Checked,
    errors: &'a mut Vec<Diagnostic>,
    defs: HashMap<&'s str, &'a Def<'s>>,
    /// Names of the program, then those of iterates' bodies.
    names: Vec<HashMap<&'s str, Entity<'p>>>,
    /// Names of stages.
    taken: HashSet<String>,
    numbered: HashMap<String, usize>,
    estimates: HashMap<&'s str, i64>,
    coordinates: [Var<'p>; 4],
}

impl<'s, 'p, 'a> Lower<'s, 'p, 'a> {
    fn locate(&self, span: Span) {
        let (line, column) = self.lines.of(span.start);
        self.p.locate(self.file, Source { line, column });
    }

    fn program(&mut self) {
        let ast = self.ast;
        for item in &ast.items {
            if let Item::Def(def) = item {
                self.defs.insert(def.name.text, def);
            }
        }
        self.arguments();
        for item in &ast.items {
            match item {
                Item::Vector { name, extents, .. } => self.require_extents(*name, extents),
                Item::Assign(names, id) => self.assign(names, *id),
                Item::Return(_, names) => {
                    for name in names {
                        self.locate(name.span);
                        if let Some(Entity::Image(image)) = self.global(name.text) {
                            self.p.output(name.text, image);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What the program is given, in the order in which it is written.
    fn arguments(&mut self) {
        let ast = self.ast;
        let lists = ast.items.iter().filter_map(|item| if let Item::Extents(list) = item { Some(list) } else { None });
        let parameters: HashSet<&str> = lists.flatten().map(|(name, _)| name.text).collect();
        for item in &ast.items {
            match item {
                Item::Extents(list) => {
                    for (name, estimate) in list {
                        if let Some(Value::Int(value)) = estimate.and_then(|id| self.checked.values[id.0 as usize]) {
                            self.estimates.insert(name.text, value);
                        }
                        if !self.checked.bound.contains(name.text) {
                            self.locate(name.span);
                            let number = self.p.number(name.text, Type::Index);
                            self.names[0].insert(name.text, Entity::Number(number));
                        }
                    }
                }
                Item::Numbers(ty, names) => {
                    for name in names {
                        self.locate(name.span);
                        let number = self.p.number(name.text, ty.ty);
                        self.names[0].insert(name.text, Entity::Number(number));
                    }
                }
                Item::Const(_, name, id) => {
                    let value = self.number(*id);
                    self.names[0].insert(name.text, Entity::Number(value));
                }
                Item::Table(_, name, table) => {
                    self.locate(name.span);
                    let image = self.table(*name, table);
                    self.names[0].insert(name.text, Entity::Table(image));
                }
                Item::Vector { ty, name, extents, .. } => {
                    self.locate(name.span);
                    self.taken.insert(name.text.to_owned());
                    let known = |id: &Id| match self.checked.values[id.0 as usize] {
                        Some(Value::Int(value)) => value,
                        _ => weft_builder::DYN,
                    };
                    let sizes: Vec<i64> = extents.iter().rev().map(known).collect();
                    let mut image = self.p.image(name.text, ty.ty, &sizes);
                    let parameter = |id: &Id| match ast[*id].kind {
                        Kind::Name(name) if parameters.contains(name) => name,
                        _ => "",
                    };
                    if extents.iter().any(|id| !parameter(id).is_empty()) {
                        image = image.extent_names(extents.iter().rev().map(parameter));
                    }
                    if let Some(estimate) =
                        extents.iter().rev().map(|id| self.estimate(*id)).collect::<Option<Vec<_>>>()
                        && sizes.contains(&weft_builder::DYN)
                    {
                        image = image.estimate(estimate);
                    }
                    self.names[0].insert(name.text, Entity::Image(image));
                    // A parameter is the extent of the first image that has it.
                    for (index, id) in extents.iter().enumerate() {
                        let parameter = parameter(id);
                        if !parameter.is_empty() && self.global(parameter).is_none() {
                            let extent = image.extent(extents.len() - 1 - index);
                            self.names[0].insert(parameter, Entity::Number(extent));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Constants, of which bodies read one by its place.
    fn table(&self, name: Name<'s>, table: &ast::Table) -> Image<'p> {
        let numbers = table.numbers();
        let ty = numbers.first().map_or(Type::F32, |id| self.checked.types[id.0 as usize]);
        let extents = std::iter::successors(Some(table), |table| match table.entries.first()? {
            ast::Entry::Row(row) => Some(row),
            ast::Entry::Number(_) => None,
        });
        let extents: Vec<i64> = extents.map(|table| table.entries.len() as i64).collect();
        let values = numbers.iter().map(|id| match self.checked.values[id.0 as usize] {
            Some(Value::Float(value)) => Operand::Float(value),
            Some(Value::Int(value)) => Operand::Int(value),
            // The check admits no other.
            None => Operand::Int(0),
        });
        self.p.table(name.text, ty, extents, values)
    }

    /// An image is as large as the program says. Its parameters are known, and the numbers that are computed above it.
    fn require_extents(&mut self, name: Name<'s>, extents: &[Id]) {
        let Some(Entity::Image(mut image)) = self.global(name.text) else { return };
        for (index, id) in extents.iter().enumerate() {
            if self.checked.values[id.0 as usize].is_none() {
                let extent = self.number(*id);
                let span = self.ast[*id].span;
                self.locate(span);
                let dimension = extents.len() - 1 - index;
                let text = self.lines.text(span);
                let message = format!("extent {index} of \"{}\" is not {text}, as the program says", name.text);
                image = image.with_extent(dimension, extent, &message);
            }
        }
        self.names[0].insert(name.text, Entity::Image(image));
    }

    fn estimate(&self, id: Id) -> Option<i64> {
        match (self.checked.values[id.0 as usize], &self.ast[id].kind) {
            (Some(Value::Int(value)), _) => Some(value),
            (_, Kind::Name(name)) => self.estimates.get(name).copied(),
            _ => None,
        }
    }

    fn global(&self, name: &str) -> Option<Entity<'p>> {
        self.names.iter().rev().find_map(|names| names.get(name)).cloned()
    }

    /// A name that no stage has.
    fn stage_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        // Counting goes on where it stopped, so that many stages of one name take no longer each.
        let mut number = self.numbered.get(wanted).copied().unwrap_or(0);
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        self.numbered.insert(wanted.to_owned(), number);
        name
    }

    fn assign(&mut self, names: &[Name<'s>], id: Id) {
        let made = match self.images(id, Some(names[0].text)) {
            Some(images) => images.into_iter().map(Entity::Image).collect(),
            None => vec![Entity::Number(self.number(id))],
        };
        let scope = self.names.len() - 1;
        for (name, entity) in names.iter().zip(made) {
            self.names[scope].insert(name.text, entity);
        }
    }

    // ---- Images --------------------------------------------------------------------------------------------------------------

    /// The images that an expression gives, the first one called `name`; `None` if it is a number.
    fn images(&mut self, id: Id, name: Option<&str>) -> Option<Vec<Image<'p>>> {
        let ast = self.ast;
        match &ast[id].kind {
            Kind::Name(name) => match self.global(name)? {
                Entity::Image(image) => Some(vec![image]),
                Entity::Number(_) | Entity::Table(_) | Entity::Own(_) => None,
            },
            Kind::Call(callee, args, extents) => match self.defs.get(callee.text) {
                Some(def) if def.role.is_applied() => {
                    let def: &'a Def<'s> = def;
                    Some(self.apply(def, name, args, extents.as_deref(), ast[id].span))
                }
                Some(_) => None,
                None if RESAMPLERS.contains(&callee.text) => {
                    Some(vec![self.resample(*callee, name, args, extents.as_deref(), ast[id].span)])
                }
                None => None,
            },
            Kind::Compose(compose) => Some(vec![self.compose(compose, name, ast[id].span)]),
            Kind::Iterate(iterate) => Some(self.iterate(iterate, name, ast[id].span)),
            _ => None,
        }
    }

    fn image(&mut self, id: Id) -> Image<'p> {
        match self.images(id, None).as_deref() {
            Some([image, ..]) => *image,
            // The check lets no number pass where an image is expected; one that stands for it is never reached.
            _ => self.p.image("?", Type::F32, [1]),
        }
    }

    fn with_mode(&mut self, image: Image<'p>, mode: Option<Mode<'s>>) -> Image<'p> {
        match mode.map(|mode| (mode.name.text, mode.value)) {
            Some(("mirror", _)) => image.mirror(),
            Some(("reflect101", _)) => image.reflect101(),
            Some(("wrap", _)) => image.wrap(),
            Some(("inside", _)) => image.inside(),
            Some(("constant", Some(value))) => {
                let value = self.number(value);
                image.padding(value)
            }
            _ => image.clamp(),
        }
    }

    /// Extents as written, x first, as dimensions of a stage.
    fn shape(&mut self, extents: &[Id]) -> Vec<Dim<'p>> {
        let extents: Vec<Expr<'p>> = extents.iter().map(|id| self.number(*id)).collect();
        let dims = extents.into_iter().zip(self.coordinates).map(|(extent, var)| var.to(extent));
        dims.collect::<Vec<_>>().into_iter().rev().collect()
    }

    /// The dimensions of a stage as large as an image.
    fn shape_of(&self, image: Image<'p>) -> Vec<Dim<'p>> {
        let rank = image.rank();
        (0..rank).map(|dimension| self.coordinates[rank - 1 - dimension].to(image.extent(dimension))).collect()
    }

    fn apply(
        &mut self,
        def: &'a Def<'s>,
        name: Option<&str>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
    ) -> Vec<Image<'p>> {
        let mut locals = HashMap::new();
        let mut images = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            let entity = match param.rank {
                Some(_) => {
                    let image = self.image(arg.value);
                    images.push((image, arg.value));
                    Entity::Image(self.with_mode(image, arg.mode))
                }
                None => Entity::Number(self.number(arg.value)),
            };
            locals.insert(param.name.text, entity);
        }
        let own = def.coordinates.as_ref().map(Vec::len).filter(|_| def.role != Role::Scatter);
        let own = own.or(extents.map(<[Id]>::len).filter(|_| def.role == Role::Scatter));
        let rank = own.or_else(|| images.first().map(|(image, _)| image.rank())).or(extents.map(<[Id]>::len));
        let rank = rank.unwrap_or(1);
        self.locate(span);
        let shape = match extents {
            Some(extents) => self.shape(extents),
            None => match images.iter().find(|(image, _)| image.rank() == rank) {
                Some((first, _)) => {
                    let first = *first;
                    self.equal_sizes(first, &images, def);
                    self.shape_of(first)
                }
                None => Vec::new(),
            },
        };
        let coordinates = self.coordinates[..rank.min(4)].to_vec();
        // Those of a scatter are the last ones of its result.
        let named = def.coordinates.iter().flatten();
        let first = if def.role == Role::Scatter { coordinates.len() - named.clone().count() } else { 0 };
        for (name, var) in named.zip(&coordinates[first..]) {
            locals.insert(name.text, Entity::Number(var.value()));
        }
        let mut frame = Frame { locals, coordinates };
        let name = self.stage_name(name.unwrap_or(def.name.text));
        match def.role {
            Role::Scan => self.scan(def, &name, shape, frame, span),
            Role::Scatter => self.scatter(def, &name, shape, frame, span),
            Role::Stencil | Role::Function => {
                let values = self.body(def, &mut frame);
                self.locate(span);
                self.p.stage_list(&name, shape, values)
            }
        }
    }

    /// A scan; the reads of its line say which way it walks.
    fn scan(
        &mut self,
        def: &'a Def<'s>,
        name: &str,
        shape: Vec<Dim<'p>>,
        mut frame: Frame<'s, 'p>,
        span: Span,
    ) -> Vec<Image<'p>> {
        let (along, backward) = self.checked.lines.get(def.name.text).copied().unwrap_or((0, false));
        let along = frame.coordinates[along.min(frame.coordinates.len() - 1)];
        let along: Along = if backward { along.backward() } else { along.forward() };
        let p = self.p;
        p.scan_list(name, shape, along, def.results.len(), |lines| {
            for (own, line) in def.results.iter().zip(lines) {
                frame.locals.insert(own.name.text, Entity::Own(line));
            }
            let values = self.body(def, &mut frame);
            self.locate(span);
            values
        })
    }

    /// A scatter: its body returns what places become, `count@(level) + 1`.
    fn scatter(
        &mut self,
        def: &'a Def<'s>,
        name: &str,
        shape: Vec<Dim<'p>>,
        mut frame: Frame<'s, 'p>,
        span: Span,
    ) -> Vec<Image<'p>> {
        let begins = def.results.iter().filter_map(|own| own.begin);
        let begins: Vec<Operand<'p>> = begins.map(|id| self.value(id, &mut frame).into()).collect();
        let mut domain = Vec::new();
        for window in &def.domain {
            let first = match self.checked.values[window.first.0 as usize] {
                Some(Value::Int(first)) => first,
                _ => 0,
            };
            let end = self.behind(window.last, &mut frame);
            self.locate(self.ast[window.last].span);
            let var = self.p.var(window.name.text);
            domain.push((var, var.between(first, end)));
        }
        frame.locals.extend(
            def.domain.iter().zip(&domain).map(|(window, (var, _))| (window.name.text, Entity::Number(var.value()))),
        );
        self.lets(def, &mut frame);
        let updates = def.body.iter().find_map(|stmt| match stmt {
            Stmt::Return(_, values) => Some(&values[..]),
            _ => None,
        });
        let mut place: Option<Vec<Expr<'p>>> = None;
        let (mut combine, mut values) = (Combine::Min, Vec::new());
        for (id, (at, how, value)) in
            updates.unwrap_or_default().iter().filter_map(|id| Some((*id, update_of(self.ast, *id)?)))
        {
            let Kind::Place(_, indices) = &self.ast[at].kind else { continue };
            let mut own: Vec<Expr<'p>> = indices.iter().map(|id| self.value(*id, &mut frame)).collect();
            own.reverse();
            if let Some(place) = &place
                && (how != combine || place.len() != own.len() || place.iter().zip(&own).any(|(a, b)| !a.is_same(*b)))
            {
                let message = "results of a scatter that are updated at other places, or otherwise, than the first";
                let help =
                    "one scatter updates all of its results at one place by one operator: write another".to_owned();
                self.errors.push(Diagnostic::new(Error::Role, self.ast[id].span, message).help(Some(help)));
            }
            (combine, place) = (how, place.or(Some(own)));
            values.push(self.value(value, &mut frame).into());
        }
        self.locate(span);
        let update = self.p.scatter_list(name, shape, begins).over(domain.into_iter().map(|(_, span)| span));
        let place = place.unwrap_or_default();
        match combine {
            Combine::Operator(Binary::Mul) => update.mul(place, values),
            Combine::Operator(Binary::And) => update.and(place, values),
            Combine::Operator(Binary::Or) => update.or(place, values),
            Combine::Operator(Binary::Xor) => update.xor(place, values),
            Combine::Operator(_) => update.add(place, values),
            Combine::Min => update.min(place, values),
            Combine::Max => update.max(place, values),
        }
    }

    /// The end of an interval whose last point this is: of `N - 1`, as most are written, `N`.
    fn behind(&mut self, last: Id, frame: &mut Frame<'s, 'p>) -> Expr<'p> {
        match &self.ast[last].kind {
            Kind::Binary(Binary::Sub, end, one) if self.checked.values[one.0 as usize] == Some(Value::Int(1)) => {
                self.value(*end, frame)
            }
            _ => self.value(last, frame) + index(self.p, 1),
        }
    }

    /// Images that are read at the point itself are as large as the first one.
    fn equal_sizes(&mut self, first: Image<'p>, images: &[(Image<'p>, Id)], def: &Def<'s>) {
        for (image, id) in images.iter().filter(|(image, _)| image.rank() == first.rank()) {
            for dimension in 0..first.rank() {
                let (a, b) = (first.extent(dimension), image.extent(dimension));
                let forma = first.rank() - 1 - dimension;
                if let (Some(x), Some(y)) = (a.known_index(), b.known_index())
                    && x != y
                    && def.coordinates.is_none()
                {
                    let message = format!("extent {forma} is {y}, the first image has {x}");
                    let help = "images of one stencil are of one size, or the stencil names its point: at [x, y]";
                    let span = self.ast[*id].span;
                    self.errors.push(Diagnostic::new(Error::Size, span, message).help(Some(help.into())));
                } else if def.coordinates.is_none() {
                    self.locate(self.ast[*id].span);
                    let text = self.lines.text(self.ast[*id].span);
                    let message = format!("extent {forma} of \"{text}\" is not that of the first image");
                    self.p.require_equal(b, a, &message);
                }
            }
        }
    }

    fn resample(
        &mut self,
        callee: Name<'s>,
        name: Option<&str>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
    ) -> Image<'p> {
        let plain = self.image(args[0].value);
        let image = self.with_mode(plain, args[0].mode);
        let rank = image.rank();
        let factor = |arg: &Arg| match self.checked.values[arg.value.0 as usize] {
            Some(Value::Int(factor)) => factor,
            _ => 1,
        };
        // x first.
        let factors: Vec<i64> = args[1..].iter().map(factor).collect();
        self.locate(span);
        let shape = match extents {
            Some(extents) => self.shape(extents),
            None => {
                let dims = (0..rank).map(|dimension| {
                    let forma = rank - 1 - dimension;
                    let (extent, factor) = (image.extent(dimension), factors[forma]);
                    let extent = match (callee.text, factor) {
                        (_, 1) => extent,
                        ("sample", factor) => (extent + index(self.p, factor - 1)) / index(self.p, factor),
                        (_, factor) => extent * index(self.p, factor),
                    };
                    self.coordinates[forma].to(extent)
                });
                dims.collect()
            }
        };
        let mut point: Vec<Expr<'p>> = self.coordinates[..rank].iter().rev().map(|var| var.value()).collect();
        let value = if callee.text == "sample" {
            for (forma, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 1) {
                let at = &mut point[rank - 1 - forma];
                *at = *at * index(self.p, *factor);
            }
            image.at(point)
        } else {
            self.between(image, &factors, point, 0)
        };
        let name = self.stage_name(name.unwrap_or(callee.text));
        self.locate(span);
        self.p.stage(&name, shape, value)
    }

    /// A value between points: along each dimension from the one before to the one behind.
    fn between(&self, image: Image<'p>, factors: &[i64], point: Vec<Expr<'p>>, forma: usize) -> Expr<'p> {
        let Some(factor) = factors.get(forma).copied() else { return image.at(point) };
        if factor == 1 {
            return self.between(image, factors, point, forma + 1);
        }
        let dimension = factors.len() - 1 - forma;
        let (at, step) = (point[dimension], index(self.p, factor));
        let neighbour = |shift: i64| {
            let mut point = point.clone();
            point[dimension] = at / step + index(self.p, shift);
            self.between(image, factors, point, forma + 1)
        };
        let (before, behind) = (neighbour(0), neighbour(1));
        let part = (at % step).cast(image.ty()) / self.p.constant(image.ty(), factor);
        before.lerp(behind, part)
    }

    fn compose(&mut self, compose: &'a Compose<'s>, name: Option<&str>, span: Span) -> Image<'p> {
        let rank = compose.extents.len();
        let shape = self.shape(&compose.extents);
        let mut value: Option<Expr<'p>> = None;
        let mut parts = Vec::new();
        for (indices, part) in &compose.parts {
            parts.push((indices, self.image(*part), self.ast[*part].span));
        }
        let ty = parts.first().map_or(Type::F32, |(_, image, _)| image.ty());
        let rest = match compose.rest {
            Some(rest) => self.number(rest),
            None => self.p.constant(ty, 0),
        };
        for (indices, image, at) in parts {
            self.locate(at);
            let literal = |id: Id| match self.checked.values[id.0 as usize] {
                Some(Value::Int(value)) => Some(value),
                _ => None,
            };
            let mut holds: Option<Expr<'p>> = None;
            let mut point = Vec::new();
            // Which dimension of the part an index is for: constants stand for none.
            let varies: Vec<bool> = indices
                .iter()
                .zip(&compose.coordinates)
                .map(|(id, name)| affine(self.ast, &literal, *id, name.text).is_some_and(|(stride, _)| stride != 0))
                .collect();
            let dimensions: Vec<usize> =
                (0..rank).map(|forma| varies[forma + 1..].iter().filter(|varies| **varies).count()).collect();
            for (forma, id) in indices.iter().enumerate() {
                let coordinate = compose.coordinates[forma].text;
                let (stride, shift) = affine(self.ast, &literal, *id, coordinate).unwrap_or((1, 0));
                let own = self.coordinates[forma].value();
                let own = match shift {
                    0 => own,
                    i64::MIN..0 => own + index(self.p, shift.saturating_neg()),
                    _ => own - index(self.p, shift),
                };
                let mut require = |condition: Expr<'p>| {
                    holds = Some(holds.map_or(condition, |holds| holds & condition));
                };
                let at = match stride {
                    0 => {
                        require(self.coordinates[forma].value().eq(index(self.p, shift)));
                        continue;
                    }
                    1 => own,
                    _ => {
                        require((own % index(self.p, stride)).eq(index(self.p, 0)));
                        own / index(self.p, stride)
                    }
                };
                // Beyond the part is what lay below it, where extents do not say that nothing is.
                let end = image.extent(dimensions[forma]);
                if shift > 0 {
                    require(at.ge(index(self.p, 0)));
                }
                if stride != 1 || shift != 0 || !end.is_same(shape[rank - 1 - forma].extent()) {
                    require(at.lt(end));
                }
                point.push(at);
            }
            point.reverse();
            let own = image.clamp().at(point);
            value = Some(match holds {
                Some(holds) => holds.select(own, value.unwrap_or(rest)),
                None => own,
            });
        }
        let name = self.stage_name(name.unwrap_or("compose"));
        self.locate(span);
        self.p.stage(&name, shape, value.unwrap_or(rest))
    }

    fn iterate(&mut self, iterate: &'a Iterate<'s>, name: Option<&str>, span: Span) -> Vec<Image<'p>> {
        let size = |image: Image<'p>| {
            let extents = (0..image.rank()).rev().map(|dimension| image.extent(dimension).known_index());
            let extents = extents.map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string()));
            extents.collect::<Vec<_>>().join(", ")
        };
        let steps = self.number(iterate.steps);
        let initial: Vec<Image<'p>> = iterate.states.iter().map(|(_, id)| self.image(*id)).collect();
        let name = self.stage_name(name.unwrap_or("iterate"));
        self.locate(span);
        let p = self.p;
        let before = initial.clone();
        p.iterate_list(&name, steps, initial, |states| {
            let names = iterate.states.iter().zip(states).map(|((name, _), image)| (name.text, Entity::Image(image)));
            self.names.push(names.collect());
            let mut next: Vec<Image<'p>> = Vec::new();
            for item in &iterate.body {
                match item {
                    Item::Assign(names, id) => self.assign(names, *id),
                    Item::Return(_, names) => {
                        for (name, was) in names.iter().zip(&before) {
                            let Some(Entity::Image(image)) = self.global(name.text) else { continue };
                            let (found, expected) = (size(image), size(*was));
                            if found != expected {
                                let message = format!("a state of [{expected}] becomes [{found}]");
                                let help = "a step does not change how large a state is".to_owned();
                                self.errors.push(Diagnostic::new(Error::Size, name.span, message).help(Some(help)));
                            }
                            next.push(image);
                        }
                    }
                    _ => {}
                }
            }
            self.names.pop();
            self.locate(span);
            next
        })
    }

    // ---- Values --------------------------------------------------------------------------------------------------------------

    /// A number of the program.
    fn number(&mut self, id: Id) -> Expr<'p> {
        let mut frame = Frame { locals: HashMap::new(), coordinates: Vec::new() };
        self.value(id, &mut frame)
    }

    fn body(&mut self, def: &'a Def<'s>, frame: &mut Frame<'s, 'p>) -> Vec<Expr<'p>> {
        self.lets(def, frame);
        let values = def.body.iter().find_map(|stmt| match stmt {
            Stmt::Return(_, values) => Some(&values[..]),
            _ => None,
        });
        values.unwrap_or_default().iter().map(|id| self.value(*id, frame)).collect()
    }

    /// The local values of a body.
    fn lets(&mut self, def: &'a Def<'s>, frame: &mut Frame<'s, 'p>) {
        for stmt in &def.body {
            let Stmt::Let(_, names, id) = stmt else { continue };
            let values = match &self.ast[*id].kind {
                Kind::Call(name, args, _) if names.len() > 1 => self.results(*name, args, frame),
                Kind::Over(name, windows, body) if names.len() > 1 => {
                    let window = self.window(windows);
                    let value = self.in_window(windows, &window, *body, frame);
                    self.locate(self.ast[*id].span);
                    self.places(name.text, &window, value)
                }
                _ => vec![self.value(*id, frame)],
            };
            let values = values.into_iter().map(Entity::Number);
            frame.locals.extend(names.iter().map(|name| name.text).zip(values));
        }
    }

    /// A value of a point, or a number of the program. What is made of it is located where it is written, behind its operands.
    fn value(&mut self, id: Id, frame: &mut Frame<'s, 'p>) -> Expr<'p> {
        let ast = self.ast;
        let span = ast[id].span;
        if let Some(value) = self.checked.values[id.0 as usize] {
            self.locate(span);
            let ty = self.checked.types[id.0 as usize];
            return match value {
                Value::Int(value) => self.p.constant(ty, value),
                Value::Float(value) => self.p.constant(ty, value),
            };
        }
        match &ast[id].kind {
            Kind::Bool(value) => {
                self.locate(span);
                let one = self.p.constant(Type::I32, i32::from(*value));
                one.eq(1)
            }
            Kind::Name(name) => self.named(name, span, frame),
            Kind::Unary(op, a) => {
                let a = self.value(*a, frame);
                self.locate(span);
                match op {
                    Unary::Neg => -a,
                    Unary::Not => !a,
                }
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.value(*a, frame), self.value(*b, frame));
                self.locate(span);
                binary(*op, a, b)
            }
            Kind::Select(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|id| self.value(*id, frame));
                self.locate(span);
                c.select(a, b)
            }
            Kind::Near(name, offsets) => {
                let offsets: Vec<Expr<'p>> = offsets.iter().map(|id| self.value(*id, frame)).collect();
                self.locate(span);
                let point = self.beside(&offsets, frame);
                self.read(*name, frame, point)
            }
            Kind::Before(name, offsets, begin) => {
                let begin = self.value(*begin, frame);
                let step = offsets.iter().find_map(|id| match self.checked.values[id.0 as usize] {
                    Some(Value::Int(step)) if step != 0 => Some(step),
                    _ => None,
                });
                self.locate(span);
                match frame.locals.get(name.text) {
                    Some(Entity::Own(line)) => line.previous(step.unwrap_or(1).saturating_abs(), begin),
                    _ => begin,
                }
            }
            Kind::Place(name, indices) => {
                let mut point: Vec<Expr<'p>> = indices.iter().map(|id| self.value(*id, frame)).collect();
                point.reverse();
                self.locate(span);
                self.read(*name, frame, point)
            }
            Kind::Call(name, args, _) => self.call(*name, args, span, frame),
            Kind::Cast(to, a) => {
                let a = self.value(*a, frame);
                self.locate(span);
                a.cast(to.ty)
            }
            Kind::Saturate(to, a) => {
                let a = self.value(*a, frame);
                self.locate(span);
                a.saturate(to.ty)
            }
            Kind::Over(name, windows, body) => self.over(*name, windows, *body, span, frame),
            // The check reported it.
            Kind::Wrong | Kind::Int(_) | Kind::Float(_) | Kind::Compose(_) | Kind::Iterate(_) => {
                self.p.constant(Type::F32, 0)
            }
        }
    }

    /// A number, or an image at the point that is computed.
    fn named(&mut self, name: &str, span: Span, frame: &Frame<'s, 'p>) -> Expr<'p> {
        match frame.locals.get(name).cloned().or_else(|| self.global(name)) {
            Some(Entity::Number(value)) => value,
            Some(Entity::Image(image)) => {
                self.locate(span);
                let point: Vec<Expr<'p>> = frame.coordinates.iter().rev().map(|var| var.value()).collect();
                image.at(point)
            }
            Some(Entity::Table(_) | Entity::Own(_)) | None => self.p.constant(Type::F32, 0),
        }
    }

    /// The point at these offsets, x first, from the one that is computed; its last index is x.
    fn beside(&self, offsets: &[Expr<'p>], frame: &Frame<'s, 'p>) -> Vec<Expr<'p>> {
        let at = |(offset, var): (&Expr<'p>, &Var<'p>)| match offset.known_index() {
            Some(0) => var.value(),
            Some(offset) if offset < 0 && offset > i64::MIN => var.value() - index(self.p, -offset),
            _ => var.value() + *offset,
        };
        let mut point: Vec<Expr<'p>> = offsets.iter().zip(&frame.coordinates).map(at).collect();
        point.reverse();
        point
    }

    /// Reads an image at a point, whose last index is x.
    fn read(&mut self, name: Name<'s>, frame: &Frame<'s, 'p>, point: Vec<Expr<'p>>) -> Expr<'p> {
        match frame.locals.get(name.text).cloned().or_else(|| self.global(name.text)) {
            // A place that is computed can be anything; any other is checked.
            Some(Entity::Table(table)) if point.iter().all(|index| table.may_be_read_at(*index)) => table.at(point),
            Some(Entity::Table(table)) => table.clamp().at(point),
            Some(Entity::Image(image)) => {
                if let Some(index) = point.iter().rev().position(|index| !image.may_be_read_at(*index)) {
                    let message =
                        format!("index {index} of \"{}\" is computed, which mode \"inside\" cannot check", name.text);
                    let help = "apply the stencil with another mode: clamped, say".to_owned();
                    self.errors.push(Diagnostic::new(Error::Boundary, name.span, message).help(Some(help)));
                    return self.p.constant(image.ty(), 0);
                }
                image.at(point)
            }
            _ => self.p.constant(Type::F32, 0),
        }
    }

    fn over(
        &mut self,
        name: Name<'s>,
        windows: &[ast::Window<'s>],
        body: Id,
        span: Span,
        frame: &mut Frame<'s, 'p>,
    ) -> Expr<'p> {
        let window = self.window(windows);
        let value = self.in_window(windows, &window, body, frame);
        let over: Vec<Window<'p>> = window.iter().map(|ranged| ranged.over).collect();
        self.locate(span);
        match name.text {
            "argmin" | "argmax" => self.places(name.text, &window, value)[0],
            "sum" => self.p.sum(over, value),
            "min" => self.p.minimum(over, value),
            "max" => self.p.maximum(over, value),
            _ => self.p.fold(over, value, |a, b| a * b),
        }
    }

    /// The variables of a window, and what they begin with.
    fn window(&self, windows: &[ast::Window<'s>]) -> Vec<Ranged<'p>> {
        let literal = |id: Id| match self.checked.values[id.0 as usize] {
            Some(Value::Int(value)) => value,
            _ => 0,
        };
        let over = |window: &ast::Window<'s>| {
            let (var, first) = (self.p.var(window.name.text), literal(window.first));
            Ranged { var, first, over: var.over(first..literal(window.last).saturating_add(1)) }
        };
        windows.iter().map(over).collect()
    }

    /// A value of a window's variables.
    fn in_window(
        &mut self,
        windows: &[ast::Window<'s>],
        window: &[Ranged<'p>],
        body: Id,
        frame: &mut Frame<'s, 'p>,
    ) -> Expr<'p> {
        for (own, ranged) in windows.iter().zip(window) {
            frame.locals.insert(own.name.text, Entity::Number(ranged.var.value()));
        }
        let value = self.value(body, frame);
        for own in windows {
            frame.locals.remove(own.name.text);
        }
        value
    }

    /// Where in a window a value is least or greatest, and that value: the first such place. Nothing is less than the value that
    /// it begins with, so where none is, it is the window's first.
    fn places(&self, name: &str, window: &[Ranged<'p>], value: Expr<'p>) -> Vec<Expr<'p>> {
        let is_least = name == "argmin";
        let ty = value.ty();
        let lowest = if ty.is_unsigned() { 0 } else { -1i64 << (ty.bits() - 1) };
        let worst = match (ty.is_float(), is_least) {
            (true, true) => self.p.constant(ty, f64::INFINITY),
            (true, false) => self.p.constant(ty, f64::NEG_INFINITY),
            // Literals end with the largest int64.
            (false, true) if ty == Type::U64 => !self.p.constant(ty, 0),
            (false, true) if ty.is_unsigned() => self.p.constant(ty, (1i64 << ty.bits()) - 1),
            (false, true) => self.p.constant(ty, !lowest),
            (false, false) => self.p.constant(ty, lowest),
        };
        // Places are numbers of 32 bits on all targets, and as such lie beside the values in vectors.
        let firsts = window.iter().map(|ranged| self.p.constant(Type::I32, ranged.first));
        let begin = [worst].into_iter().chain(firsts).map(Operand::Expr).collect();
        let over: Vec<Window<'p>> = window.iter().map(|ranged| ranged.over).collect();
        let found = self.p.reduce_list(over, begin, |so_far| {
            let is_better = if is_least { value.lt(so_far[0]) } else { value.gt(so_far[0]) };
            let places = window.iter().zip(&so_far[1..]);
            let places = places.map(|(ranged, place)| is_better.select(ranged.var.value().cast(Type::I32), *place));
            [is_better.select(value, so_far[0])].into_iter().chain(places).collect()
        });
        let [least, places @ ..] = &found[..] else { return Vec::new() };
        places.iter().map(|place| place.cast(Type::Index)).chain([*least]).collect()
    }

    fn call(&mut self, name: Name<'s>, args: &[Arg<'s>], span: Span, frame: &mut Frame<'s, 'p>) -> Expr<'p> {
        if name.text == "extent" && !self.defs.contains_key("extent") {
            return self.extent(args, frame);
        }
        if self.defs.contains_key(name.text) {
            let results = self.results(name, args, frame);
            return results.first().copied().unwrap_or_else(|| self.p.constant(Type::F32, 0));
        }
        let values: Vec<Expr<'p>> = args.iter().map(|arg| self.value(arg.value, frame)).collect();
        self.locate(span);
        match (name.text, &values[..]) {
            ("abs", [a]) => a.abs(),
            ("exp", [a]) => a.exp(),
            ("exp2", [a]) => a.exp2(),
            ("log", [a]) => a.log(),
            ("log2", [a]) => a.log2(),
            ("sqrt", [a]) => a.sqrt(),
            ("rsqrt", [a]) => a.rsqrt(),
            ("sin", [a]) => a.sin(),
            ("cos", [a]) => a.cos(),
            ("tanh", [a]) => a.tanh(),
            ("atan", [a]) => a.atan(),
            ("floor", [a]) => a.floor(),
            ("ceil", [a]) => a.ceil(),
            ("round", [a]) => a.round(),
            ("min", [a, b]) => a.min(*b),
            ("max", [a, b]) => a.max(*b),
            ("pow", [a, b]) => a.pow(*b),
            ("atan2", [a, b]) => a.atan2(*b),
            ("clamp", [a, lo, hi]) => a.clamp(*lo, *hi),
            ("lerp", [a, b, at]) => a.lerp(*b, *at),
            _ => self.p.constant(Type::F32, 0),
        }
    }

    /// What a function of the program gives.
    fn results(&mut self, name: Name<'s>, args: &[Arg<'s>], frame: &mut Frame<'s, 'p>) -> Vec<Expr<'p>> {
        let values: Vec<Expr<'p>> = args.iter().map(|arg| self.value(arg.value, frame)).collect();
        let Some(def) = self.defs.get(name.text).copied() else { return Vec::new() };
        let params = def.params.iter().zip(values).map(|(param, value)| (param.name.text, Entity::Number(value)));
        let mut inner = Frame { locals: params.collect(), coordinates: Vec::new() };
        self.body(def, &mut inner)
    }

    fn extent(&mut self, args: &[Arg<'s>], frame: &Frame<'s, 'p>) -> Expr<'p> {
        let ast = self.ast;
        let dimension = match self.checked.values[args[1].value.0 as usize] {
            Some(Value::Int(value)) => usize::try_from(value).unwrap_or(0),
            _ => 0,
        };
        let Kind::Name(name) = ast[args[0].value].kind else { return index(self.p, 0) };
        match frame.locals.get(name).cloned().or_else(|| self.global(name)) {
            Some(Entity::Image(image)) => image.extent(image.rank().saturating_sub(dimension + 1)),
            _ => index(self.p, 0),
        }
    }
}

fn index(p: &Pipeline, value: i64) -> Expr<'_> {
    p.constant(Type::Index, Operand::Int(value))
}

fn binary<'p>(op: Binary, a: Expr<'p>, b: Expr<'p>) -> Expr<'p> {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::And | Binary::AndAnd => a & b,
        Binary::Or | Binary::OrOr => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a << b,
        Binary::Shr => a >> b,
        Binary::Eq => a.eq(b),
        Binary::Ne => a.ne(b),
        Binary::Lt => a.lt(b),
        Binary::Le => a.le(b),
        Binary::Gt => a.gt(b),
        Binary::Ge => a.ge(b),
    }
}
