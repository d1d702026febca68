//! What the names of a program stand for, for editors: where each is defined, what it is, and where in the program it stands.
//!
//! ```text
//! temp = blurx(input);        temp    vector#2 float temp[M, N], made at 8:8      blurx    stencil blurx(vector#2 float X)
//! ```
//!
//! It takes programs with mistakes too, as far as they can be read.

use crate::{
    ast::{Arg, Ast, Compose, Def, Id, Item, Iterate, Kind, Name, Own, Role, Stmt, Type, Window, type_name},
    check::{Checked, RESAMPLERS, check},
    parse::parse,
    span::{Lines, Span},
};
use std::collections::HashMap;
use weft_builder::Source;

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Where it is defined.
    pub span: Span,
    /// What it is, as a declaration.
    pub declaration: String,
    /// Where what makes stages of it is written: the application that an image is, all those of a stencil.
    pub made_at: Vec<Source>,
}

/// The names of a program.
#[derive(Debug, Default)]
pub struct Symbols {
    symbols: Vec<Symbol>,
    /// Where names stand, and which symbols they are.
    uses: Vec<(Span, usize)>,
}

impl Symbols {
    /// The name that stands at a byte, or ends there, and what it stands for.
    pub fn at(&self, byte: u32) -> Option<(Span, &Symbol)> {
        let around = |(span, _): &&(Span, usize)| span.start <= byte && byte <= span.end;
        // Where one ends and another begins is the other.
        let (span, symbol) = self.uses.iter().filter(around).max_by_key(|(span, _)| span.start)?;
        Some((*span, &self.symbols[*symbol]))
    }
}

/// Finds the names of a program.
pub fn symbols(source: &str) -> Symbols {
    let (ast, mut errors) = parse(source);
    let checked = check(&ast, &mut errors);
    let lines = Lines::new(source);
    let mut finder = Finder {
        ast: &ast,
        checked: &checked,
        // Of wrong expressions there are no types.
        has_types: errors.is_empty(),
        lines: &lines,
        found: Symbols::default(),
        names: vec![HashMap::new()],
        extents: HashMap::new(),
    };
    finder.program();
    finder.found
}

struct Finder<'s, 'a> {
    ast: &'a Ast<'s>,
    checked: &'a Checked,
    has_types: bool,
    lines: &'a Lines<'s>,
    found: Symbols,
    /// Names of the program, then those of bodies, the innermost last.
    names: Vec<HashMap<&'s str, usize>>,
    /// The extents of images of the program, x first, as it would write them.
    extents: HashMap<&'s str, Vec<String>>,
}

impl<'s> Finder<'s, '_> {
    fn program(&mut self) {
        // Names are used before they are defined, too.
        for item in &self.ast.items {
            self.declare(item);
        }
        for item in &self.ast.items {
            self.item(item);
        }
    }

    // ---- Definitions ---------------------------------------------------------------------------------------------------------

    fn define(&mut self, name: Name<'s>, declaration: String) -> usize {
        let number = self.found.symbols.len();
        self.found.symbols.push(Symbol { span: name.span, declaration, made_at: Vec::new() });
        self.found.uses.push((name.span, number));
        if let Some(names) = self.names.last_mut() {
            names.entry(name.text).or_insert(number);
        }
        number
    }

    fn declare(&mut self, item: &Item<'s>) {
        match item {
            Item::Extents(list) => {
                for (name, estimate) in list {
                    let estimate = estimate.map_or(String::new(), |id| format!(" ~ {}", self.text(id)));
                    self.define(*name, format!("parameter {}{estimate}", name.text));
                }
            }
            Item::Numbers(ty, names) => {
                for name in names {
                    self.define(*name, format!("parameter {} {}", type_name(ty.ty), name.text));
                }
            }
            Item::Const(ty, name, value) => {
                let ty = ty.map_or(String::new(), |ty| format!("{} ", type_name(ty.ty)));
                self.define(*name, format!("const {ty}{} = {}", name.text, self.text(*value)));
            }
            Item::Table(ty, name, table) => {
                let ty = ty.map_or(String::new(), |ty| format!("{} ", type_name(ty.ty)));
                self.define(*name, format!("const {ty}{} = {}", name.text, self.lines.text(table.span)));
            }
            Item::Vector { ty, name, extents, .. } => {
                let extents: Vec<String> = extents.iter().map(|id| self.text(*id)).collect();
                self.define(*name, image(ty.ty, name.text, &extents));
                self.extents.insert(name.text, extents);
            }
            Item::Def(def) => {
                self.define(def.name, header(def, &|id| self.text(id)));
            }
            Item::Assign(names, value) => self.assigned(names, *value),
            Item::Return(..) | Item::Wrong => {}
        }
    }

    /// Names for images, or for a number.
    fn assigned(&mut self, names: &[Name<'s>], value: Id) {
        let extents = self.extents_of(value);
        let is_made = matches!(self.ast[value].kind, Kind::Call(..) | Kind::Compose(_) | Kind::Iterate(_));
        for (number, name) in names.iter().enumerate() {
            let ty = self.checked.images.get(name.text).copied();
            let declaration = match (&extents, ty) {
                (Some(extents), Some((ty, _))) => image(ty, name.text, extents),
                (None, Some((ty, rank))) => image(ty, name.text, &vec!["?".to_owned(); rank as usize]),
                (_, None) => format!("{} = {}", name.text, self.text(value)),
            };
            let symbol = self.define(*name, declaration);
            if is_made && (ty.is_some() || extents.is_some()) {
                let place = self.place(value);
                self.found.symbols[symbol].made_at.push(place);
            }
            if let Some(extents) = &extents {
                // Those of an iterate are those of its states.
                let own = self.states_of(value).and_then(|states| self.extents_of(*states.get(number)?));
                self.extents.insert(name.text, own.unwrap_or_else(|| extents.clone()));
            }
        }
    }

    fn states_of(&self, value: Id) -> Option<Vec<Id>> {
        match &self.ast[value].kind {
            Kind::Iterate(iterate) => Some(iterate.states.iter().map(|(_, id)| *id).collect()),
            _ => None,
        }
    }

    /// How large an image is, as the program would write it; `None` for numbers, and where that is not known.
    fn extents_of(&self, image: Id) -> Option<Vec<String>> {
        let texts = |ids: &[Id]| ids.iter().map(|id| self.text(*id)).collect();
        match &self.ast[image].kind {
            Kind::Name(name) => self.extents.get(name).cloned(),
            Kind::Call(_, _, Some(extents)) => Some(texts(extents)),
            Kind::Call(name, args, None) if RESAMPLERS.contains(&name.text) => {
                let extents = self.extents_of(args.first()?.value)?;
                let factors = args[1..].iter().map(|arg| self.text(arg.value));
                let scaled = extents.iter().zip(factors).map(|(extent, factor)| match (name.text, factor.as_str()) {
                    (_, "1") => extent.clone(),
                    ("sample", _) => format!("({extent} + {factor} - 1) / {factor}"),
                    _ => format!("{factor} * {extent}"),
                });
                Some(scaled.collect())
            }
            Kind::Call(name, args, None) => {
                let is_called = |item: &&Item<'s>| matches!(item, Item::Def(def) if def.name.text == name.text);
                let Some(Item::Def(def)) = self.ast.items.iter().find(is_called) else { return None };
                let of_image = def.params.iter().find_map(|param| param.rank).map(|(rank, _)| rank as usize);
                let rank = def.coordinates.as_ref().map(Vec::len).or(of_image)?;
                let mut images = args.iter().filter_map(|arg| self.extents_of(arg.value));
                // A scatter is as large as it is told.
                let is_like_an_image = matches!(def.role, Role::Stencil | Role::Scan);
                images.find(|extents| is_like_an_image && extents.len() == rank)
            }
            Kind::Compose(compose) => Some(texts(&compose.extents)),
            Kind::Iterate(iterate) => self.extents_of(iterate.states.first()?.1),
            _ => None,
        }
    }

    // ---- Uses ----------------------------------------------------------------------------------------------------------------

    fn used(&mut self, name: Name<'s>) -> Option<usize> {
        let symbol = *self.names.iter().rev().find_map(|names| names.get(name.text))?;
        self.found.uses.push((name.span, symbol));
        Some(symbol)
    }

    fn item(&mut self, item: &Item<'s>) {
        match item {
            Item::Extents(list) => list.iter().filter_map(|(_, estimate)| *estimate).for_each(|id| self.expr(id)),
            Item::Const(_, _, value) | Item::Assign(_, value) => self.expr(*value),
            Item::Table(_, _, table) => self.all(&table.numbers()),
            Item::Vector { extents, .. } => self.all(extents),
            Item::Def(def) => self.def(def),
            Item::Return(_, names) => {
                for name in names {
                    self.used(*name);
                }
            }
            Item::Numbers(..) | Item::Wrong => {}
        }
    }

    fn def(&mut self, def: &Def<'s>) {
        self.names.push(HashMap::new());
        for param in &def.params {
            let ty = type_name(param.ty.ty);
            let declaration = match param.rank {
                Some((rank, _)) => format!("vector#{rank} {ty} {}", param.name.text),
                None => format!("{ty} {}", param.name.text),
            };
            self.define(param.name, declaration);
        }
        self.coordinates(def.coordinates.as_deref().unwrap_or_default());
        for result in &def.results {
            result.begin.into_iter().for_each(|begin| self.expr(begin));
            self.define(result.name, own(result, &|id| self.text(id)));
        }
        self.windows(&def.domain);
        for stmt in &def.body {
            match stmt {
                Stmt::Let(ty, names, value) => {
                    self.expr(*value);
                    // Of several results there is no one type.
                    let known = (self.has_types && names.len() == 1).then(|| self.checked.types[value.0 as usize]);
                    let ty = ty.map(|ty| ty.ty).or(known).map_or(String::new(), |ty| format!("{} ", type_name(ty)));
                    let all = names.iter().map(|name| name.text).collect::<Vec<_>>().join(", ");
                    for name in names {
                        self.define(*name, format!("let {ty}{all} = {}", self.text(*value)));
                    }
                }
                Stmt::Return(_, values) => self.all(values),
                Stmt::Wrong => {}
            }
        }
        self.names.pop();
    }

    fn coordinates(&mut self, names: &[Name<'s>]) {
        for name in names {
            self.define(*name, format!("index {}", name.text));
        }
    }

    fn windows(&mut self, windows: &[Window<'s>]) {
        windows.iter().for_each(|window| self.all(&[window.first, window.last]));
        for window in windows {
            let range = format!("{}..{}", self.text(window.first), self.text(window.last));
            self.define(window.name, format!("index {} = {range}", window.name.text));
        }
    }

    fn all(&mut self, ids: &[Id]) {
        ids.iter().for_each(|id| self.expr(*id));
    }

    fn args(&mut self, args: &[Arg<'s>]) {
        for arg in args {
            self.expr(arg.value);
            arg.mode.and_then(|mode| mode.value).into_iter().for_each(|value| self.expr(value));
        }
    }

    fn expr(&mut self, id: Id) {
        let ast = self.ast;
        match &ast[id].kind {
            Kind::Name(text) => {
                self.used(Name { text, span: ast[id].span });
            }
            Kind::Near(name, indices) | Kind::Place(name, indices) => {
                self.used(*name);
                self.all(indices);
            }
            Kind::Before(name, offsets, begin) => {
                self.used(*name);
                self.all(offsets);
                self.expr(*begin);
            }
            Kind::Call(name, args, extents) => {
                let place = self.place(id);
                if let Some(callee) = self.used(*name) {
                    self.found.symbols[callee].made_at.push(place);
                }
                self.args(args);
                self.all(extents.as_deref().unwrap_or_default());
            }
            Kind::Over(_, windows, body) => {
                self.names.push(HashMap::new());
                self.windows(windows);
                self.expr(*body);
                self.names.pop();
            }
            Kind::Compose(compose) => self.compose(compose),
            Kind::Iterate(iterate) => self.iterate(iterate),
            Kind::Unary(_, a) | Kind::Cast(_, a) | Kind::Saturate(_, a) => self.expr(*a),
            Kind::Binary(_, a, b) => self.all(&[*a, *b]),
            Kind::Select(c, a, b) => self.all(&[*c, *a, *b]),
            Kind::Wrong | Kind::Int(_) | Kind::Float(_) | Kind::Bool(_) => {}
        }
    }

    fn compose(&mut self, compose: &Compose<'s>) {
        self.all(&compose.extents);
        self.names.push(HashMap::new());
        self.coordinates(&compose.coordinates);
        for (indices, part) in &compose.parts {
            self.all(indices);
            self.expr(*part);
        }
        self.names.pop();
        compose.rest.into_iter().for_each(|rest| self.expr(rest));
    }

    fn iterate(&mut self, iterate: &Iterate<'s>) {
        self.expr(iterate.steps);
        iterate.states.iter().for_each(|(_, initial)| self.expr(*initial));
        self.names.push(HashMap::new());
        for (name, initial) in &iterate.states {
            let extents = self.extents_of(*initial);
            let extents = extents.map_or(String::new(), |extents| format!("[{}]", extents.join(", ")));
            self.define(*name, format!("state {}{extents} = {}", name.text, self.text(*initial)));
        }
        for item in &iterate.body {
            self.item(item);
            self.declare(item);
        }
        self.names.pop();
    }

    // ---- Text ----------------------------------------------------------------------------------------------------------------

    fn place(&self, id: Id) -> Source {
        let (line, column) = self.lines.of(self.ast[id].span.start);
        Source { line, column }
    }

    /// What is written there, on one line and not too long.
    fn text(&self, id: Id) -> String {
        let words: Vec<&str> = self.lines.text(self.ast[id].span).split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(80) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }
}

fn image(ty: Type, name: &str, extents: &[String]) -> String {
    format!("vector#{} {} {name}[{}]", extents.len(), type_name(ty), extents.join(", "))
}

/// `stencil f(vector#2 float X) at [x, y]`.
fn header(def: &Def<'_>, text: &dyn Fn(Id) -> String) -> String {
    let params = def.params.iter().map(|param| {
        let rank = param.rank.map_or(String::new(), |(rank, _)| format!("vector#{rank} "));
        format!("{rank}{} {}", type_name(param.ty.ty), param.name.text)
    });
    let params = params.collect::<Vec<_>>().join(", ");
    let ty = def.ty.map_or(String::new(), |ty| format!("{} ", type_name(ty.ty)));
    let at = def.coordinates.as_ref().map_or(String::new(), |names| {
        let names: Vec<&str> = names.iter().map(|name| name.text).collect();
        format!(" at [{}]", names.join(", "))
    });
    let results = def.results.iter().map(|result| own(result, text)).collect::<Vec<_>>().join(", ");
    let results = if results.is_empty() { results } else { format!("[{results}]") };
    format!("{}{results} {ty}{}({params}){at}", def.role.word(), def.name.text)
}

/// `int count = 0`.
fn own(result: &Own<'_>, text: &dyn Fn(Id) -> String) -> String {
    let begin = result.begin.map_or(String::new(), |begin| format!(" = {}", text(begin)));
    format!("{} {}{begin}", type_name(result.ty.ty), result.name.text)
}

#[cfg(test)]
mod tests {
    use super::symbols;

    /// What is known of the name that begins behind a mark.
    fn at(marked: &str) -> Option<(String, String, usize)> {
        let place = marked.find('^').expect("a mark");
        let source = marked.replacen('^', "", 1);
        let symbols = symbols(&source);
        let (_, symbol) = symbols.at(place as u32)?;
        let definition = source[symbol.span.start as usize..symbol.span.end as usize].to_owned();
        Some((definition, symbol.declaration.clone(), symbol.made_at.len()))
    }

    fn is(marked: &str, name: &str, declaration: &str, made_at: usize) {
        assert_eq!(at(marked), Some((name.to_owned(), declaration.to_owned(), made_at)), "{marked}");
    }

    const HEAD: &str = "parameter W ~ 64, H; parameter float gain; const k = 2.5; vector#2 uint8 img[W, H];\n\
        stencil f(vector#2 uint8 X, float g) at [x, y] { let a = float(X) * g * k; \
        return saturate<uint8>(sum[i = -1..1](a + float(X@[i, 0]))), uint8(x); }\n";

    #[test]
    fn names_of_the_program() {
        for (marked, name, declaration) in [
            ("^W", "W", "parameter W ~ 64"),
            ("^gain", "gain", "parameter float gain"),
            ("^img", "img", "vector#2 uint8 img[W, H]"),
        ] {
            let source = format!("{HEAD} e = {marked};");
            is(&source, name, declaration, 0);
        }
        is(&HEAD.replacen("* k", "* ^k", 1), "k", "const k = 2.5", 0);
        let rest = "a, b = f(img:mirror, gain); c = ^f(a, 1.0)[W, 2 * H];";
        is(&format!("{HEAD}{rest}"), "f", "stencil f(vector#2 uint8 X, float g) at [x, y]", 2);
    }

    #[test]
    fn images_and_how_large_they_are() {
        let of = |rest: &str, declaration| is(&format!("{HEAD}{rest}"), &declaration_name(declaration), declaration, 1);
        of("a, b = f(img, gain); return ^b;", "vector#2 uint8 b[W, H]");
        of("a, b = f(img, gain)[W, 2*H]; return ^b;", "vector#2 uint8 b[W, 2*H]");
        of("a = sample(img, 2, 1); return ^a;", "vector#2 uint8 a[(W + 2 - 1) / 2, H]");
        of("^a = compose [W, H, 3] at [x, y, c] { [x, y, 0] = img; };", "vector#3 uint8 a[W, H, 3]");
        of("^a = iterate[3](u = img) { v = u; return v; };", "vector#2 uint8 a[W, H]");
    }

    fn declaration_name(declaration: &str) -> String {
        let name = declaration.split_whitespace().nth(2).unwrap_or_default();
        name.split('[').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn names_of_bodies() {
        let of = |old: &str, new: &str, name, declaration| {
            is(&format!("{}a, b = f(img, gain); return a;", HEAD.replacen(old, new, 1)), name, declaration, 0);
        };
        of("float(X) *", "float(^X) *", "X", "vector#2 uint8 X");
        of("X@[i", "X@[^i", "i", "index i = -1..1");
        of("(a +", "(^a +", "a", "let float a = float(X) * g * k");
        of("uint8(x)", "uint8(^x)", "x", "index x");
        is(&format!("{HEAD}s = iterate[2](u = img) {{ v = ^u; return v; }};"), "u", "state u[W, H] = img", 0);
    }

    #[test]
    fn names_of_scans_and_scatters() {
        let head = "parameter W, H; vector#2 uint8 img[W, H];\n\
            scan[uint32 sum] along(vector#2 uint8 X) { return (sum@[-1, 0] or 0) + uint32(X); }\n\
            scatter[int n = 0] levels(vector#2 uint8 X) at [c] for [y = 0..H - 1] { return n@(y, c) + 1; }\n\
            sums = along(img); counts = levels(img)[256, 3]; return sums;";
        let of = |old: &str, new: &str, name, declaration, made| {
            is(&head.replacen(old, new, 1), name, declaration, made);
        };
        of("(sum@", "(^sum@", "sum", "uint32 sum", 0);
        of("+ uint32(X", "+ uint32(^X", "X", "vector#2 uint8 X", 0);
        of("= along", "= ^along", "along", "scan[uint32 sum] along(vector#2 uint8 X)", 1);
        of("return n@", "return ^n@", "n", "int n = 0", 0);
        of("(y, c) +", "(^y, c) +", "y", "index y = 0..H - 1", 0);
        of("y, c) +", "y, ^c) +", "c", "index c", 0);
        of("= levels", "= ^levels", "levels", "scatter[int n = 0] levels(vector#2 uint8 X) at [c]", 1);
        of("return sums", "return ^sums", "sums", "vector#2 uint32 sums[W, H]", 1);
        of("counts =", "^counts =", "counts", "vector#2 int counts[256, 3]", 1);
    }

    #[test]
    fn what_is_no_name_or_means_nothing() {
        for marked in
            ["parameter N; ^", "^parameter N;", "a = ^nothing;", "stencil f(vector#1 float X) { return X@[^1]; }"]
        {
            assert_eq!(at(marked), None, "{marked}");
        }
    }

    #[test]
    fn what_can_be_read_of_a_program_with_mistakes() {
        is("parameter N; vector#1 float a[N]; b = = 2; c = ^a;", "a", "vector#1 float a[N]", 0);
    }
}
