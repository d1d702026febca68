//! What names stand for, and what types, ranks and counts are: everything that can be said of a program before its sizes.
//!
//! ```text
//! stencil blurx(vector#2 float X) { return (X@[-1,0] + X)/2; }
//!                                           float      float  2 beside float: float
//! ```
//!
//! The result is a type for each expression, and a value for those that are made of literals alone. A literal takes the type of what
//! it stands beside, as in Rust; alone it is `float` or `int`. A mistake is reported once: what is made of it is not looked at again.

use crate::{
    ast::{
        Arg, Ast, Binary, Compose, Def, Id, Item, Iterate, Kind, Mode, Name, Stmt, Type, TypeName, Unary, type_name,
    },
    diagnostics::{Diagnostic, Kind as Error, MOST_ERRORS, nearest},
    span::Span,
};
use std::collections::{HashMap, HashSet};

/// Most dimensions of an image.
pub(crate) const MAX_RANK: u32 = 4;

/// Values that depend on each other deeper than this are refused, through lets and functions.
const DEEPEST: u32 = 2000;

/// The smallest index: kernels compute them in 32 bits.
const LEAST: i64 = i32::MIN as i64;

/// Operations of a stencil when its functions and small windows are written out.
const LARGEST: u64 = 1_000_000;

/// Operations of all stencils as often as they are applied: each application is written out.
const LARGEST_PROGRAM: u64 = 10_000_000;

/// Windows of so many points the builder writes out.
const UNROLLED: i64 = 25;

/// The value of literals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Float(f64),
}

impl Value {
    #[allow(clippy::cast_precision_loss)]
    fn float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
        }
    }
}

/// What is known of the type of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ty {
    Is(Type),
    /// Made of literals alone; it takes any type that has the value.
    Literal(Value),
    /// A mistake was reported.
    Wrong,
}

/// Everything about a program that the list of its expressions does not say.
pub(crate) struct Checked {
    pub types: Vec<Type>,
    pub values: Vec<Option<Value>>,
    /// The extents that are those of some vector; the others are numbers that the program is given.
    pub bound: HashSet<String>,
}

/// A stencil or function as others see it.
#[derive(Clone, Debug)]
struct Signature {
    is_stencil: bool,
    params: Vec<(Option<u32>, Type)>,
    /// Of the result; `None` where the stencil is as large as it is told.
    rank: Option<u32>,
    /// `None` after a mistake.
    results: Option<Vec<Type>>,
    cost: u64,
    depth: u32,
}

/// What an application or a resampling makes.
struct Made {
    /// `None` after a mistake.
    types: Option<Vec<Type>>,
    /// `None` where it is as large as it is told.
    rank: Option<u32>,
    /// Whether an image that it is given says how large it is.
    is_sized: bool,
}

/// What a name of the program stands for.
#[derive(Clone, Debug)]
enum Entity {
    /// With how many others it depends on, one on the other.
    Value(Ty, u32),
    Image(Type, u32),
    Def(usize),
    /// A mistake was reported of it.
    Wrong,
}

/// What a name of a body stands for.
#[derive(Clone, Copy, Debug)]
enum Local {
    Image(Type, u32),
    Value(Ty, u32),
}

#[derive(Default)]
struct Scope<'s> {
    locals: HashMap<&'s str, Local>,
    /// The rank of the point that is computed; `None` in functions and outside of all.
    rank: Option<u32>,
    is_stencil: bool,
    /// How often what is looked at now is written out.
    factor: u64,
    cost: u64,
}

impl Scope<'_> {
    fn new() -> Self {
        Self { factor: 1, ..Self::default() }
    }
}

struct Check<'s, 'a> {
    ast: &'a Ast<'s>,
    errors: &'a mut Vec<Diagnostic>,
    types: Vec<Ty>,
    /// Of what is made of literals alone; it stays when a type is found.
    values: Vec<Option<Value>>,
    /// Of constants with a type.
    constants: HashMap<&'s str, Value>,
    depths: Vec<u32>,
    globals: HashMap<&'s str, (Entity, Span)>,
    defs: Vec<Signature>,
    bound: HashSet<String>,
    /// What the program defines, also further below, and whether it is an image.
    later: HashMap<&'s str, bool>,
    /// Whether all statements could be read; else what is not defined may be in the others.
    is_whole: bool,
    /// Numbers that the program is given, until they are defined.
    parameters: HashSet<&'s str>,
    /// What all applications so far cost.
    cost: u64,
    /// Names of iterates' bodies, the innermost last.
    inner: Vec<HashMap<&'s str, (Entity, Span)>>,
}

/// The functions that there are anyway, and how many operands they take.
const BUILTINS: [(&str, usize); 21] = [
    ("abs", 1),
    ("exp", 1),
    ("exp2", 1),
    ("log", 1),
    ("log2", 1),
    ("sqrt", 1),
    ("rsqrt", 1),
    ("sin", 1),
    ("cos", 1),
    ("tanh", 1),
    ("atan", 1),
    ("floor", 1),
    ("ceil", 1),
    ("round", 1),
    ("min", 2),
    ("max", 2),
    ("pow", 2),
    ("atan2", 2),
    ("clamp", 3),
    ("lerp", 3),
    ("extent", 2),
];

/// What goes over windows.
const FOLDS: [&str; 4] = ["sum", "product", "min", "max"];

/// What there is beyond an edge.
const MODES: [&str; 5] = ["clamped", "mirror", "wrap", "constant", "inside"];

/// Image functions that there are anyway.
pub(crate) const RESAMPLERS: [&str; 2] = ["sample", "interpolate"];

/// Names that mean something in programs that do not define them: functions, windows, image functions.
pub(crate) fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTINS.into_iter().map(|(name, _)| name).chain(FOLDS).chain(RESAMPLERS)
}

/// Checks a program.
pub(crate) fn check(ast: &Ast<'_>, errors: &mut Vec<Diagnostic>) -> Checked {
    let count = ast.exprs.len();
    let mut check = Check {
        ast,
        errors,
        types: vec![Ty::Wrong; count],
        values: vec![None; count],
        constants: HashMap::new(),
        depths: vec![0; count],
        globals: HashMap::new(),
        defs: Vec::new(),
        bound: HashSet::new(),
        later: HashMap::new(),
        is_whole: true,
        parameters: HashSet::new(),
        cost: 0,
        inner: Vec::new(),
    };
    check.program();
    let types = check.types.iter().map(|ty| match ty {
        Ty::Is(ty) => *ty,
        Ty::Literal(Value::Int(_)) => Type::I32,
        _ => Type::F32,
    });
    Checked { types: types.collect(), values: check.values, bound: check.bound }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl<'s> Check<'s, '_> {
    fn error(&mut self, kind: Error, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.errors.push(Diagnostic::new(kind, span, message));
        let last = self.errors.len() - 1;
        &mut self.errors[last]
    }

    fn full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    fn program(&mut self) {
        for item in &self.ast.items {
            match item {
                Item::Vector { name, .. } => self.later.extend([(name.text, true)]),
                Item::Assign(names, _) => self.later.extend(names.iter().map(|name| (name.text, true))),
                Item::Def(def) => self.later.extend([(def.name.text, false)]),
                Item::Wrong => self.is_whole = false,
                _ => {}
            }
        }
        // Vectors say which parameters are extents of images; that must be known first.
        for item in &self.ast.items {
            if let Item::Vector { extents, .. } = item {
                for id in extents {
                    if let Kind::Name(name) = self.ast[*id].kind {
                        self.bound.insert(name.to_owned());
                    }
                }
            }
        }
        // Constants come first: they are made of each other, not of what the program is given.
        for item in &self.ast.items {
            match item {
                Item::Const(ty, name, value) => {
                    let mut scope = Scope::new();
                    let mut found = self.value(*value, &mut scope, ty.map(|ty| ty.ty));
                    if let Some(ty) = ty {
                        found = self.fit(*value, ty.ty);
                    }
                    if let Some(literal) = self.values[value.0 as usize] {
                        self.constants.insert(name.text, literal);
                    }
                    self.define(*name, Entity::Value(found, 1));
                }
                Item::Extents(list) => self.parameters.extend(list.iter().map(|(name, _)| name.text)),
                Item::Numbers(_, names) => self.parameters.extend(names.iter().map(|name| name.text)),
                _ => {}
            }
            if self.full() {
                return;
            }
        }
        // Stencils may be applied before they are written, and all bodies see all parameters and constants.
        for item in &self.ast.items {
            match item {
                Item::Extents(list) => {
                    for (name, estimate) in list {
                        self.define(*name, Entity::Value(Ty::Is(Type::Index), 1));
                        if let Some(id) = estimate {
                            self.constant(*id, "an estimate", 1);
                        }
                    }
                }
                Item::Numbers(ty, names) => {
                    if ty.ty == Type::Bool {
                        let message = "a parameter of bool, expected a number";
                        self.error(Error::Type, ty.span, message).help = Some("compare an int with 0".into());
                    }
                    for name in names {
                        self.define(*name, Entity::Value(Ty::Is(ty.ty), 1));
                    }
                }
                _ => {}
            }
            if self.full() {
                return;
            }
        }
        for item in &self.ast.items {
            if let Item::Def(def) = item {
                let signature = self.def(def);
                self.defs.push(signature);
                let number = self.defs.len() - 1;
                self.define(def.name, Entity::Def(number));
            }
            if self.full() {
                return;
            }
        }
        let mut returned = false;
        for item in &self.ast.items {
            match item {
                Item::Vector { rank, ty, name, extents } => {
                    if !(1..=MAX_RANK).contains(&rank.0) {
                        let message = format!("vector#{}, expected vector#1 to vector#{MAX_RANK}", rank.0);
                        self.error(Error::Rank, rank.1, message);
                    } else if extents.len() != rank.0 as usize {
                        let span = self.span_of(extents);
                        let message =
                            format!("{} of vector#{}, expected {}", plural(extents.len(), "extent"), rank.0, rank.0);
                        self.error(Error::Rank, span, message);
                    }
                    self.pixel(*ty);
                    for id in extents {
                        self.extent(*id);
                    }
                    self.define(*name, Entity::Image(ty.ty, rank.0));
                }
                Item::Assign(names, id) => self.assign(names, *id),
                Item::Return(span, names) => {
                    if returned {
                        self.error(Error::Return, *span, "a second return, expected one at the end of the program");
                    }
                    returned = true;
                    let mut seen = HashSet::new();
                    for name in names {
                        self.image_named(*name);
                        if !seen.insert(name.text) {
                            let message = format!("\"{}\" is returned twice", name.text);
                            self.error(Error::Twice, name.span, message);
                        }
                    }
                }
                _ => {}
            }
            if self.full() {
                return;
            }
        }
        if !returned && self.is_whole {
            let end = Span { start: self.ast.end, end: self.ast.end };
            let help = Some("end it with return and the names of images".to_owned());
            self.error(Error::Return, end, "the program has no return").help = help;
        }
    }

    fn span_of(&self, ids: &[Id]) -> Span {
        match ids {
            [first, .., last] => self.ast[*first].span.to(self.ast[*last].span),
            [one] => self.ast[*one].span,
            [] => Span::default(),
        }
    }

    fn define(&mut self, name: Name<'s>, entity: Entity) {
        let taken = self.inner.iter().chain([&self.globals]).any(|names| names.contains_key(name.text));
        if taken {
            let message = format!("\"{}\" is defined twice", name.text);
            self.error(Error::Twice, name.span, message).help = Some("give it another name".into());
        }
        let names = self.inner.last_mut().unwrap_or(&mut self.globals);
        names.entry(name.text).or_insert((entity, name.span));
    }

    fn global(&self, name: &str) -> Option<&Entity> {
        let own = self.inner.iter().rev().find_map(|names| names.get(name));
        own.or_else(|| self.globals.get(name)).map(|(entity, _)| entity)
    }

    fn unknown(&mut self, what: &str, name: Name<'s>, locals: &[&str]) {
        // Looking for a name that is like it takes as long as there are names.
        if self.full() {
            return;
        }
        if let Some(is_image) = self.later.get(name.text).copied() {
            let message = match is_image {
                true => format!("\"{}\" is defined outside, and further below", name.text),
                false => format!("{what} \"{}\" is used before it is defined", name.text),
            };
            self.error(Error::Unknown, name.span, message);
            return;
        }
        let globals = self.inner.iter().chain([&self.globals]).flat_map(|names| names.keys().copied());
        let builtins: Vec<&str> = match what {
            "function" => BUILTINS.iter().map(|(name, _)| *name).collect(),
            "stencil" => RESAMPLERS.to_vec(),
            _ => Vec::new(),
        };
        let near = nearest(name.text, globals.chain(locals.iter().copied()).chain(builtins));
        if near.is_none() && !self.is_whole {
            return;
        }
        let help = near.map(|near| format!("did you mean \"{near}\"?"));
        let diagnostic = self.error(Error::Unknown, name.span, format!("{what} \"{}\" is not defined", name.text));
        diagnostic.help = help;
        diagnostic.label = Some("not defined".into());
    }

    fn pixel(&mut self, ty: TypeName) {
        if !ty.ty.is_pixel() {
            let message = format!("an image of {}, expected floats or integers", type_name(ty.ty));
            self.error(Error::Type, ty.span, message);
        }
    }

    /// An extent, or another index of the program.
    fn extent(&mut self, id: Id) {
        let mut scope = Scope::new();
        self.value(id, &mut scope, Some(Type::Index));
        if let Some(value) = self.values[id.0 as usize]
            && value.float() < 1.0
        {
            self.error(Error::Size, self.ast[id].span, format!("an extent of {value}, expected at least 1"));
            self.types[id.0 as usize] = Ty::Wrong;
        }
        self.fit(id, Type::Index);
    }

    /// A whole number that is known now.
    fn constant(&mut self, id: Id, what: &str, least: i64) -> Option<i64> {
        let mut scope = Scope::new();
        let span = self.ast[id].span;
        let ty = self.value(id, &mut scope, Some(Type::Index));
        match (ty, self.values[id.0 as usize]) {
            (Ty::Wrong, _) => None,
            (_, Some(Value::Int(value))) if value > range(Type::Index).1 as i64 => {
                let message = format!("{what} of {value}, expected at most {}", range(Type::Index).1);
                self.error(Error::Constant, span, message);
                None
            }
            (_, Some(Value::Int(value))) if value >= least => {
                self.types[id.0 as usize] = Ty::Is(Type::Index);
                Some(value)
            }
            (_, Some(value)) => {
                let least = if least == LEAST && value.float() >= LEAST as f64 {
                    String::new()
                } else {
                    format!(" of at least {least}")
                };
                let message = format!("{what} of {value}, expected a whole number{least}");
                self.error(Error::Constant, span, message);
                None
            }
            (_, None) => {
                let help = Some("write a number, or a name that const defines".to_owned());
                self.error(Error::Constant, span, format!("{what} that is not constant, expected a whole number"))
                    .help = help;
                None
            }
        }
    }

    // ---- Bodies --------------------------------------------------------------------------------------------------------------

    fn def(&mut self, def: &Def<'s>) -> Signature {
        let mut scope = Scope { is_stencil: def.is_stencil, ..Scope::new() };
        let what = if def.is_stencil { "stencil" } else { "function" };
        for param in &def.params {
            let local = match param.rank {
                Some((rank, span)) => {
                    if !def.is_stencil {
                        let message = "a function of an image, expected numbers";
                        self.error(Error::Role, span, message).help = Some("make it a stencil".into());
                    } else if !(1..=MAX_RANK).contains(&rank) {
                        let message = format!("vector#{rank}, expected vector#1 to vector#{MAX_RANK}");
                        self.error(Error::Rank, span, message);
                    }
                    self.pixel(param.ty);
                    Local::Image(param.ty.ty, rank)
                }
                None => Local::Value(Ty::Is(param.ty.ty), 1),
            };
            self.local(&mut scope, param.name, local);
        }
        let mut rank = def.params.iter().find_map(|param| param.rank).map(|(rank, _)| rank);
        if let Some(names) = &def.coordinates {
            rank = Some(names.len() as u32);
            if names.len() > MAX_RANK as usize {
                let span = names[0].span.to(names[names.len() - 1].span);
                let message = format!("{}, expected 1 to {MAX_RANK}", plural(names.len(), "coordinate"));
                self.error(Error::Rank, span, message);
            }
            for name in names {
                self.local(&mut scope, *name, Local::Value(Ty::Is(Type::Index), 1));
            }
        }
        scope.rank = rank.filter(|_| def.is_stencil);
        let mut results = None;
        let mut returned = false;
        let mut is_whole = true;
        let mut depth = 1;
        for stmt in &def.body {
            if self.full() {
                break;
            }
            match stmt {
                Stmt::Let(ty, name, value) => {
                    let mut found = self.value(*value, &mut scope, ty.map(|ty| ty.ty));
                    if let Some(ty) = ty {
                        found = self.fit(*value, ty.ty);
                    }
                    let depth = self.depths[value.0 as usize];
                    self.local(&mut scope, *name, Local::Value(found, depth));
                }
                Stmt::Return(span, values) => {
                    if returned && is_whole {
                        let message = format!("a second return, expected one at the end of the {what}");
                        self.error(Error::Return, *span, message);
                        continue;
                    }
                    returned = true;
                    results = self.results(def, values, &mut scope);
                    depth = values.iter().map(|id| self.depths[id.0 as usize]).max().unwrap_or(1);
                }
                Stmt::Wrong => is_whole = false,
            }
            if returned && is_whole && !matches!(stmt, Stmt::Return(..) | Stmt::Wrong) {
                if let Stmt::Let(_, name, _) = stmt {
                    self.error(Error::Return, name.span, format!("behind the return of {what} \"{}\"", def.name.text));
                }
                break;
            }
        }
        if !returned && is_whole {
            let message = format!("{what} \"{}\" has no return", def.name.text);
            self.error(Error::Return, def.name.span, message);
        }
        if scope.cost > LARGEST {
            let message = format!("{what} \"{}\" has more than {LARGEST} operations", def.name.text);
            let help = "functions, and windows of 25 points or less, count as often as they are written out";
            self.error(Error::Depth, def.name.span, message).help = Some(help.into());
            results = None;
        }
        let params = def.params.iter().map(|param| (param.rank.map(|(rank, _)| rank), param.ty.ty)).collect();
        Signature { is_stencil: def.is_stencil, params, rank, results, cost: scope.cost, depth }
    }

    fn results(&mut self, def: &Def<'s>, values: &[Id], scope: &mut Scope<'s>) -> Option<Vec<Type>> {
        if !def.is_stencil && values.len() != 1 {
            let message = format!("{} of a function, expected 1", plural(values.len(), "result"));
            self.error(Error::Count, self.span_of(values), message);
            return None;
        }
        let mut types = Vec::new();
        for id in values {
            self.value(*id, scope, def.ty.map(|ty| ty.ty));
            let ty = match def.ty {
                Some(ty) => self.fit(*id, ty.ty),
                None => self.settle(*id),
            };
            match ty {
                Ty::Is(ty) if def.is_stencil && !ty.is_pixel() => {
                    let help = if ty == Type::Bool { "write uint8(...)" } else { "write int(...) or float(...)" };
                    let message = format!("a stencil of {}, expected floats or integers", type_name(ty));
                    self.error(Error::Type, self.ast[*id].span, message).help = Some(help.into());
                }
                Ty::Is(ty) => types.push(ty),
                _ => {}
            }
        }
        (types.len() == values.len()).then_some(types)
    }

    fn local(&mut self, scope: &mut Scope<'s>, name: Name<'s>, local: Local) {
        if scope.locals.insert(name.text, local).is_some() {
            let message = format!("\"{}\" is defined twice", name.text);
            self.error(Error::Twice, name.span, message).help = Some("give it another name".into());
        }
    }

    // ---- Values --------------------------------------------------------------------------------------------------------------

    fn set(&mut self, id: Id, ty: Ty) -> Ty {
        self.types[id.0 as usize] = ty;
        ty
    }

    fn wrong(&mut self, kind: Error, span: Span, message: impl Into<String>, help: Option<String>) -> Ty {
        self.error(kind, span, message).help = help;
        Ty::Wrong
    }

    /// The type of a literal that stands alone.
    fn settle(&mut self, id: Id) -> Ty {
        match self.types[id.0 as usize] {
            Ty::Literal(Value::Int(_)) => self.fit(id, Type::I32),
            Ty::Literal(Value::Float(_)) => self.fit(id, Type::F32),
            ty => ty,
        }
    }

    /// Makes an expression be of this type, if it is a literal; else it must be.
    fn fit(&mut self, id: Id, ty: Type) -> Ty {
        let span = self.ast[id].span;
        let name = type_name(ty);
        let found = match self.types[id.0 as usize] {
            Ty::Wrong => Ty::Wrong,
            Ty::Is(found) if found == ty => Ty::Is(ty),
            Ty::Is(found) => {
                let help = (ty != Type::Bool).then(|| format!("write {name}(...)"));
                let help = help.or_else(|| Some("compare it: ... != 0".into()));
                let message = format!("{} where {name} is expected", type_name(found));
                self.error(Error::Type, span, message).help = help;
                self.errors
                    .last_mut()
                    .into_iter()
                    .for_each(|last| last.label = Some(format!("is {}", type_name(found))));
                Ty::Wrong
            }
            Ty::Literal(value) => match (value, ty) {
                (_, Type::Bool) => {
                    self.wrong(Error::Type, span, "a number where bool is expected", Some("write true or false".into()))
                }
                (_, ty) if ty.is_float() => Ty::Is(ty),
                (Value::Float(value), _) => {
                    let help = Some(format!("write a whole number, or {name}(...)"));
                    self.wrong(Error::Type, span, format!("{value} where {name} is expected"), help)
                }
                (Value::Int(value), _) => {
                    let (lo, hi) = range(ty);
                    if (lo..=hi).contains(&i128::from(value)) {
                        Ty::Is(ty)
                    } else {
                        let message = format!("{value} where {name} is expected, which has {lo} to {hi}");
                        self.wrong(Error::Literal, span, message, None)
                    }
                }
            },
        };
        self.set(id, found)
    }

    /// The type of an expression. `want` is what literals had better be.
    fn value(&mut self, id: Id, scope: &mut Scope<'s>, want: Option<Type>) -> Ty {
        scope.cost = scope.cost.saturating_add(scope.factor);
        let ast = self.ast;
        let expr = &ast[id];
        let span = expr.span;
        let mut below = 0;
        let ty = match &expr.kind {
            Kind::Wrong => Ty::Wrong,
            Kind::Int(value) => Ty::Literal(Value::Int(*value)),
            Kind::Float(value) => Ty::Literal(Value::Float(*value)),
            Kind::Bool(_) => Ty::Is(Type::Bool),
            Kind::Name(name) => {
                let name = Name { text: name, span };
                match scope.locals.get(name.text) {
                    Some(Local::Value(ty, depth)) => {
                        below = *depth;
                        *ty
                    }
                    Some(Local::Image(ty, rank)) => self.point(name, (*ty, *rank), scope),
                    None => {
                        self.values[id.0 as usize] = self.constants.get(name.text).copied();
                        if let Some(Entity::Value(_, depth)) = self.global(name.text) {
                            below = *depth;
                        }
                        self.number(name, scope)
                    }
                }
            }
            Kind::Unary(op, a) => {
                let ty = self.value(*a, scope, want);
                below = self.depths[a.0 as usize];
                self.unary(*op, ty, span)
            }
            Kind::Binary(op, a, b) => {
                let hint = if op.compares() { None } else { want };
                self.value(*a, scope, hint);
                self.value(*b, scope, hint);
                below = self.depths[a.0 as usize].max(self.depths[b.0 as usize]);
                self.binary(*op, *a, *b, span, hint)
            }
            Kind::Select(c, a, b) => {
                self.value(*c, scope, None);
                self.fit(*c, Type::Bool);
                self.value(*a, scope, want);
                self.value(*b, scope, want);
                below = [c, a, b].into_iter().map(|id| self.depths[id.0 as usize]).max().unwrap_or(0);
                let ty = self.alike(*a, *b, want, "?:", span);
                if self.types[c.0 as usize] == Ty::Wrong { Ty::Wrong } else { ty }
            }
            Kind::Near(name, offsets) => {
                below = self.indices(offsets, scope);
                match self.local_image(*name, scope) {
                    None => Ty::Wrong,
                    Some((ty, rank)) => {
                        if offsets.len() != rank as usize {
                            let message = format!(
                                "{} of \"{}\", which is vector#{rank}: expected {rank}",
                                plural(offsets.len(), "offset"),
                                name.text
                            );
                            let zeros = vec!["0"; rank as usize].join(",");
                            let help = Some(format!("one for each dimension, x first: {}@[{zeros}]", name.text));
                            self.wrong(Error::Rank, span, message, help)
                        } else {
                            self.point(Name { text: name.text, span }, (ty, rank), scope)
                        }
                    }
                }
            }
            Kind::Place(name, indices) => {
                below = self.indices(indices, scope);
                match self.local_image(*name, scope) {
                    None => Ty::Wrong,
                    Some((ty, rank)) if indices.len() == rank as usize => Ty::Is(ty),
                    Some((_, rank)) => {
                        let count = match indices.len() {
                            1 => "1 index".to_owned(),
                            count => format!("{count} indices"),
                        };
                        let message = format!("{count} of \"{}\", which is vector#{rank}: expected {rank}", name.text);
                        self.wrong(Error::Rank, span, message, Some("one for each dimension, x first".into()))
                    }
                }
            }
            Kind::Call(name, args, extents) => {
                let (ty, depth) = self.call(*name, args, extents.as_deref(), span, scope, want);
                below = depth;
                ty
            }
            Kind::Cast(to, a) | Kind::Saturate(to, a) => {
                self.value(*a, scope, None);
                below = self.depths[a.0 as usize];
                // A literal becomes what it is cast to.
                let literal = matches!(self.types[a.0 as usize], Ty::Literal(_));
                let found = match self.types[a.0 as usize] {
                    Ty::Literal(_) if to.ty.is_float() => self.fit(*a, to.ty),
                    // Of one that the type does not have the low bits are kept, or the nearest value is taken.
                    Ty::Literal(Value::Int(value)) if to.ty != Type::Bool => {
                        let has = |ty: &Type| (range(*ty).0..=range(*ty).1).contains(&value.into());
                        self.fit(*a, [to.ty, Type::I32].into_iter().find(has).unwrap_or(Type::I64))
                    }
                    _ => self.settle(*a),
                };
                match found {
                    Ty::Is(_) if to.ty == Type::Bool => {
                        self.wrong(Error::Type, span, "a cast to bool", Some("compare it: ... != 0".into()))
                    }
                    Ty::Is(_) => Ty::Is(to.ty),
                    _ if literal => Ty::Wrong,
                    other => other,
                }
            }
            Kind::Over(name, windows, body) => {
                let mut points = 1i64;
                let mut fine = true;
                if !FOLDS.contains(&name.text) {
                    let near = nearest(name.text, FOLDS).map(|near| format!("did you mean \"{near}\"?"));
                    let message = format!("\"{}\" over a window, expected sum, product, min or max", name.text);
                    self.wrong(Error::Unknown, name.span, message, near);
                    fine = false;
                }
                if windows.len() > MAX_RANK as usize {
                    let message = format!("a window of {} variables, expected 1 to {MAX_RANK}", windows.len());
                    self.wrong(Error::Count, span, message, None);
                    fine = false;
                }
                for window in windows {
                    let first = self.constant(window.first, "the first point of a window", LEAST);
                    let last = self.constant(window.last, "the last point of a window", LEAST);
                    match (first, last) {
                        (Some(first), Some(last)) if last < first => {
                            let at = ast[window.first].span.to(ast[window.last].span);
                            let help = Some("first..last, both are part of it".to_owned());
                            let message = format!("a window from {first} to {last}, which has no point");
                            self.wrong(Error::Size, at, message, help);
                            fine = false;
                        }
                        (Some(first), Some(last)) => {
                            points = points.saturating_mul(last.saturating_sub(first).saturating_add(1));
                        }
                        _ => fine = false,
                    }
                    if scope.locals.contains_key(window.name.text) {
                        let message = format!("\"{}\" is defined twice", window.name.text);
                        let help = Some("give it another name".into());
                        self.wrong(Error::Twice, window.name.span, message, help);
                        fine = false;
                    }
                }
                if points > i64::from(i32::MAX) {
                    let message = format!("a window of {points} points, expected at most {}", i32::MAX);
                    self.wrong(Error::Size, span, message, None);
                    fine = false;
                }
                if !fine {
                    return self.set(id, Ty::Wrong);
                }
                for window in windows {
                    scope.locals.insert(window.name.text, Local::Value(Ty::Is(Type::Index), 1));
                }
                let factor = scope.factor;
                // A larger one is the first point, then a loop for each variable.
                let copies = if points <= UNROLLED { points.unsigned_abs() } else { windows.len() as u64 + 1 };
                scope.factor = factor.saturating_mul(copies);
                self.value(*body, scope, want);
                scope.factor = factor;
                for window in windows {
                    scope.locals.remove(window.name.text);
                }
                // Written out it is a chain.
                below = self.depths[body.0 as usize] + points.min(UNROLLED) as u32;
                match (want, self.types[body.0 as usize]) {
                    (Some(want), Ty::Literal(_)) => self.fit(*body, want),
                    _ => self.settle(*body),
                };
                match self.types[body.0 as usize] {
                    Ty::Is(Type::Bool) => {
                        let help = Some("write int(...)".to_owned());
                        self.wrong(Error::Type, span, format!("{} of bool, expected numbers", name.text), help)
                    }
                    ty => ty,
                }
            }
            Kind::Compose(_) | Kind::Iterate(_) => {
                let message = "an image where a number is expected";
                self.wrong(Error::Role, span, message, None)
            }
        };
        let depth = below.saturating_add(1);
        let ty = if depth > DEEPEST && ty != Ty::Wrong {
            let message = format!("a value that depends on {DEEPEST} others, one on the other");
            self.wrong(Error::Depth, span, message, None)
        } else {
            ty
        };
        self.depths[id.0 as usize] = depth;
        if let Ty::Literal(value) = ty {
            self.values[id.0 as usize] = Some(value);
        }
        self.set(id, ty)
    }

    fn indices(&mut self, indices: &[Id], scope: &mut Scope<'s>) -> u32 {
        for id in indices {
            self.value(*id, scope, Some(Type::Index));
            self.fit(*id, Type::Index);
        }
        indices.iter().map(|id| self.depths[id.0 as usize]).max().unwrap_or(0)
    }

    /// The image at the point that is computed.
    fn point(&mut self, name: Name<'s>, (ty, rank): (Type, u32), scope: &Scope<'s>) -> Ty {
        match scope.rank {
            Some(own) if own == rank => Ty::Is(ty),
            Some(own) => {
                let message = format!("\"{}\" is vector#{rank}, the result of the stencil vector#{own}", name.text);
                let places = ["x", "y", "z", "w"][..rank.clamp(1, 4) as usize].join(", ");
                let help = Some(format!("say which point of it: {}@({places})", name.text));
                self.wrong(Error::Rank, name.span, message, help)
            }
            None => Ty::Wrong,
        }
    }

    fn local_image(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Option<(Type, u32)> {
        match scope.locals.get(name.text) {
            Some(Local::Image(ty, rank)) => Some((*ty, *rank)),
            Some(Local::Value(Ty::Wrong, _)) => None,
            Some(Local::Value(..)) => {
                let message = format!("\"{}\" is a number, expected an image before \"@\"", name.text);
                self.wrong(Error::Role, name.span, message, None);
                None
            }
            None => {
                match self.global(name.text) {
                    Some(Entity::Wrong) => {}
                    Some(Entity::Image(..)) => self.not_a_parameter(name),
                    Some(_) => {
                        let message = format!("\"{}\" is no image, expected one before \"@\"", name.text);
                        self.wrong(Error::Role, name.span, message, None);
                    }
                    None => {
                        let locals: Vec<&str> = scope.locals.keys().copied().collect();
                        match self.later.get(name.text) {
                            Some(true) => self.not_a_parameter(name),
                            _ => self.unknown("image", name, &locals),
                        }
                    }
                }
                None
            }
        }
    }

    fn not_a_parameter(&mut self, name: Name<'s>) {
        let message = format!("\"{}\" is the program's, expected what the stencil is given", name.text);
        let help = Some(format!("make it a parameter of the stencil, and apply the stencil to \"{}\"", name.text));
        self.wrong(Error::Role, name.span, message, help);
    }

    /// A number of the program by its name.
    fn number(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Ty {
        match self.global(name.text).cloned() {
            Some(Entity::Value(ty, _)) => ty,
            Some(Entity::Wrong) => Ty::Wrong,
            Some(Entity::Image(..)) if scope.is_stencil => {
                self.not_a_parameter(name);
                Ty::Wrong
            }
            Some(Entity::Image(..)) => {
                let message = format!("\"{}\" is an image, expected a number", name.text);
                self.wrong(Error::Role, name.span, message, None)
            }
            Some(Entity::Def(number)) => {
                let what = if self.defs[number].is_stencil { "a stencil" } else { "a function" };
                let message = format!("\"{}\" is {what}, expected a number", name.text);
                let help = (!self.defs[number].is_stencil).then(|| format!("call it: {}(...)", name.text));
                self.wrong(Error::Role, name.span, message, help)
            }
            None if self.parameters.contains(name.text) => {
                let message = format!("\"{}\" is a parameter, expected a constant", name.text);
                let help = Some("leave out the word const, below the images".to_owned());
                self.wrong(Error::Constant, name.span, message, help)
            }
            None => {
                let locals: Vec<&str> = scope.locals.keys().copied().collect();
                match self.later.get(name.text) {
                    Some(true) if scope.is_stencil => self.not_a_parameter(name),
                    _ => self.unknown("name", name, &locals),
                }
                Ty::Wrong
            }
        }
    }

    fn unary(&mut self, op: Unary, ty: Ty, span: Span) -> Ty {
        match (op, ty) {
            (_, Ty::Wrong) => Ty::Wrong,
            (Unary::Neg, Ty::Literal(Value::Int(value))) => {
                value.checked_neg().map_or(Ty::Wrong, |value| Ty::Literal(Value::Int(value)))
            }
            (Unary::Neg, Ty::Literal(Value::Float(value))) => Ty::Literal(Value::Float(-value)),
            (Unary::Neg, Ty::Is(Type::Bool)) => self.wrong(Error::Type, span, "- of bool, expected a number", None),
            (Unary::Not, Ty::Is(ty)) if ty.is_float() || ty == Type::Index => {
                let message = format!("! of {}, expected a bool or an integer", type_name(ty));
                self.wrong(Error::Type, span, message, None)
            }
            (Unary::Not, Ty::Literal(_)) => {
                self.wrong(Error::Type, span, "! of a literal, expected a bool or an integer", None)
            }
            (_, ty) => ty,
        }
    }

    /// Operands of one type.
    fn alike(&mut self, a: Id, b: Id, want: Option<Type>, sign: &str, span: Span) -> Ty {
        match (self.types[a.0 as usize], self.types[b.0 as usize]) {
            (Ty::Wrong, _) | (_, Ty::Wrong) => Ty::Wrong,
            (Ty::Literal(x), Ty::Literal(y)) => {
                let floats = matches!(x, Value::Float(_)) || matches!(y, Value::Float(_));
                let want = want.filter(|ty| *ty != Type::Bool && (ty.is_float() || !floats));
                let ty = want.unwrap_or(if floats { Type::F32 } else { Type::I32 });
                if self.fit(a, ty) == Ty::Wrong { Ty::Wrong } else { self.fit(b, ty) }
            }
            (Ty::Literal(_), Ty::Is(ty)) => self.fit(a, ty),
            (Ty::Is(ty), Ty::Literal(_)) => self.fit(b, ty),
            (Ty::Is(x), Ty::Is(y)) if x == y => Ty::Is(x),
            (Ty::Is(x), Ty::Is(y)) => {
                let [x, y] = [x, y].map(type_name);
                let message = format!("{sign} of {x} and {y}, expected equal types");
                self.error(Error::Type, span, message).help = Some(format!("cast one: {x}(...) or {y}(...)"));
                Ty::Wrong
            }
        }
    }

    fn binary(&mut self, op: Binary, a: Id, b: Id, span: Span, want: Option<Type>) -> Ty {
        if let (Ty::Literal(x), Ty::Literal(y)) = (self.types[a.0 as usize], self.types[b.0 as usize])
            && let Some(value) = fold(op, x, y, want == Some(Type::Index))
        {
            return Ty::Literal(value);
        }
        let divides = matches!(op, Binary::Div | Binary::Rem);
        let by_zero = divides && self.values[b.0 as usize] == Some(Value::Int(0));
        let ty = self.alike(a, b, None, op.sign(), span);
        let Ty::Is(of) = ty else { return ty };
        let (fits, expected) = match op {
            Binary::AndAnd | Binary::OrOr => (of == Type::Bool, "bools"),
            Binary::And | Binary::Or | Binary::Xor => (!of.is_float(), "integers or bools"),
            Binary::Shl | Binary::Shr => (!of.is_float() && of != Type::Bool, "integers"),
            Binary::Eq | Binary::Ne => (true, ""),
            _ => (of != Type::Bool, "numbers"),
        };
        if !fits {
            let message = format!("{} of {}, expected {expected}", op.sign(), type_name(of));
            let help = match op {
                Binary::AndAnd | Binary::OrOr if of.is_integer() => Some("compare each side: ... != 0".to_owned()),
                _ => None,
            };
            return self.wrong(Error::Type, span, message, help);
        }
        if by_zero && !of.is_float() {
            return self.wrong(Error::Constant, span, format!("{} by 0 of {}", op.sign(), type_name(of)), None);
        }
        if op.compares() { Ty::Is(Type::Bool) } else { ty }
    }

    /// A call that gives a number, and how deep it is.
    fn call(
        &mut self,
        name: Name<'s>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
        scope: &mut Scope<'s>,
        want: Option<Type>,
    ) -> (Ty, u32) {
        let number = match self.global(name.text) {
            Some(Entity::Def(number)) => Some(*number),
            _ => None,
        };
        let known = number.map(|number| self.defs[number].clone());
        if known.as_ref().is_some_and(|known| known.is_stencil) || number.is_none() && RESAMPLERS.contains(&name.text) {
            let message = format!("\"{}\" gives an image, expected a number", name.text);
            let help = Some("apply it outside of stencils, and give its result a name".to_owned());
            return (self.wrong(Error::Role, span, message, help), 0);
        }
        if let Some(extents) = extents {
            let message = format!("extents of function \"{}\", which gives a number", name.text);
            return (self.wrong(Error::Size, self.span_of(extents), message, None), 0);
        }
        if let Some(mode) = args.iter().find_map(|arg| arg.mode) {
            let message = "a boundary mode of a number, expected it where a stencil is applied";
            return (self.wrong(Error::Boundary, mode.name.span, message, None), 0);
        }
        let builtin = BUILTINS.iter().find(|(builtin, _)| *builtin == name.text && known.is_none());
        let expected = match (&known, builtin) {
            (Some(known), _) => known.params.len(),
            (None, Some((_, count))) => *count,
            (None, None) => {
                self.unknown_call("function", name, scope);
                return (Ty::Wrong, 0);
            }
        };
        if args.len() != expected {
            let message = format!("{} of \"{}\", expected {expected}", plural(args.len(), "argument"), name.text);
            return (self.wrong(Error::Count, span, message, None), 0);
        }
        if name.text == "extent" && known.is_none() {
            return (self.extent_of(args, scope), 0);
        }
        let mut below = 0;
        for (index, arg) in args.iter().enumerate() {
            let hint = known.as_ref().map_or(want, |known| Some(known.params[index].1));
            self.value(arg.value, scope, hint);
            below = below.max(self.depths[arg.value.0 as usize]);
        }
        if let Some(known) = known {
            scope.cost = scope.cost.saturating_add(scope.factor.saturating_mul(known.cost));
            let mut fine = true;
            for (arg, (_, ty)) in args.iter().zip(&known.params) {
                fine &= self.fit(arg.value, *ty) != Ty::Wrong;
            }
            let ty = known.results.filter(|_| fine).and_then(|types| types.first().copied());
            return (ty.map_or(Ty::Wrong, Ty::Is), below.saturating_add(known.depth));
        }
        let ids: Vec<Id> = args.iter().map(|arg| arg.value).collect();
        let mut ty = match want {
            Some(want) if ids.iter().all(|id| matches!(self.types[id.0 as usize], Ty::Literal(_))) => {
                self.fit(ids[0], want)
            }
            _ => Ty::Wrong,
        };
        for pair in ids.windows(2) {
            ty = self.alike(pair[0], pair[1], want, name.text, span);
            if ty == Ty::Wrong {
                return (ty, below);
            }
        }
        // A literal before the first typed operand.
        if let Ty::Is(of) = ty {
            for id in &ids {
                ty = self.fit(*id, of);
            }
        } else if ids.len() == 1 {
            ty = self.settle(ids[0]);
        }
        let Ty::Is(of) = ty else { return (Ty::Wrong, below) };
        let of_floats = !matches!(name.text, "abs" | "min" | "max" | "clamp" | "lerp");
        if of == Type::Bool || of_floats && !of.is_float() {
            let expected = if of_floats { "floats" } else { "numbers" };
            let message = format!("{} of {}, expected {expected}", name.text, type_name(of));
            let help = of_floats.then(|| "write float(...)".to_owned());
            return (self.wrong(Error::Type, span, message, help), below);
        }
        (ty, below)
    }

    fn unknown_call(&mut self, what: &str, name: Name<'s>, scope: &Scope<'s>) {
        match self.global(name.text) {
            Some(Entity::Wrong) => {}
            Some(_) => {
                let message = format!("\"{}\" is called, expected a {what}", name.text);
                self.wrong(Error::Role, name.span, message, None);
            }
            None if scope.locals.contains_key(name.text) => {
                let message = format!("\"{}\" is called, expected a {what}", name.text);
                let help = match scope.locals[name.text] {
                    Local::Image(..) => Some(format!("a point of it is {0}@[0,0], or {0}@(x, y)", name.text)),
                    Local::Value(..) => None,
                };
                self.wrong(Error::Role, name.span, message, help);
            }
            None => self.unknown(what, name, &[]),
        }
    }

    /// `extent(X, 0)`.
    fn extent_of(&mut self, args: &[Arg<'s>], scope: &mut Scope<'s>) -> Ty {
        let (image, dimension) = (args[0].value, args[1].value);
        let span = self.ast[image].span;
        let Kind::Name(name) = self.ast[image].kind else {
            return self.wrong(Error::Role, span, "extent of an expression, expected the name of an image", None);
        };
        let rank = match (scope.locals.get(name), self.global(name)) {
            (Some(Local::Image(_, rank)), _) => *rank,
            (None, Some(Entity::Image(_, rank))) if !scope.is_stencil => *rank,
            (None, Some(Entity::Wrong)) => return Ty::Wrong,
            (None, Some(Entity::Image(..))) => {
                self.not_a_parameter(Name { text: name, span });
                return Ty::Wrong;
            }
            (None, None) => {
                self.unknown("image", Name { text: name, span }, &[]);
                return Ty::Wrong;
            }
            _ => return self.wrong(Error::Role, span, format!("extent of \"{name}\", which is no image"), None),
        };
        match self.constant(dimension, "a dimension", 0) {
            Some(found) if found < i64::from(rank) => Ty::Is(Type::Index),
            Some(found) => {
                let message = format!("dimension {found} of \"{name}\", expected 0 to {}", rank - 1);
                self.wrong(Error::Rank, self.ast[dimension].span, message, None)
            }
            None => Ty::Wrong,
        }
    }

    // ---- Images --------------------------------------------------------------------------------------------------------------

    fn is_image(&self, id: Id) -> bool {
        match &self.ast[id].kind {
            Kind::Name(name) => matches!(self.global(name), Some(Entity::Image(..))),
            Kind::Call(name, ..) => match self.global(name.text) {
                Some(Entity::Def(number)) => self.defs[*number].is_stencil,
                Some(_) => false,
                None => RESAMPLERS.contains(&name.text) || !BUILTINS.iter().any(|(other, _)| *other == name.text),
            },
            Kind::Compose(_) | Kind::Iterate(_) => true,
            _ => false,
        }
    }

    fn assign(&mut self, names: &[Name<'s>], id: Id) {
        if !self.is_image(id) {
            let mut scope = Scope::new();
            self.value(id, &mut scope, None);
            let ty = self.settle(id);
            if let [_, second, ..] = names {
                let message = format!("{} of a number, expected 1", plural(names.len(), "name"));
                self.error(Error::Count, second.span, message);
            }
            let entity = if ty == Ty::Wrong { Entity::Wrong } else { Entity::Value(ty, self.depths[id.0 as usize]) };
            names.iter().for_each(|name| self.define(*name, entity.clone()));
            return;
        }
        let images = self.images(id);
        if let Some(images) = &images
            && images.len() != names.len()
        {
            let message = format!("{} for {}", plural(names.len(), "name"), plural(images.len(), "image"));
            self.error(Error::Count, names[0].span.to(names[names.len() - 1].span), message);
        }
        for (index, name) in names.iter().enumerate() {
            let image = images.as_ref().and_then(|images| images.get(index));
            self.define(*name, image.map_or(Entity::Wrong, |(ty, rank)| Entity::Image(*ty, *rank)));
        }
    }

    fn image_named(&mut self, name: Name<'s>) -> Option<(Type, u32)> {
        match self.global(name.text).cloned() {
            Some(Entity::Image(ty, rank)) => Some((ty, rank)),
            Some(Entity::Wrong) => None,
            Some(entity) => {
                let what = match entity {
                    Entity::Def(number) if self.defs[number].is_stencil => "a stencil",
                    Entity::Def(_) => "a function",
                    _ => "a number",
                };
                let message = format!("\"{}\" is {what}, expected an image", name.text);
                self.wrong(Error::Role, name.span, message, None);
                None
            }
            None => {
                self.unknown("image", name, &[]);
                None
            }
        }
    }

    /// Type and rank of the images that an expression gives; `None` after a mistake.
    fn images(&mut self, id: Id) -> Option<Vec<(Type, u32)>> {
        let ast = self.ast;
        let span = ast[id].span;
        match &ast[id].kind {
            Kind::Wrong => None,
            Kind::Name(name) => self.image_named(Name { text: name, span }).map(|image| vec![image]),
            Kind::Call(name, args, extents) => self.apply(*name, args, extents.as_deref(), span),
            Kind::Compose(compose) => self.compose(compose).map(|image| vec![image]),
            Kind::Iterate(iterate) => self.iterate(iterate, span),
            _ => {
                let help = Some("write a stencil of it, and apply that".to_owned());
                self.wrong(Error::Role, span, "a number where an image is expected", help);
                None
            }
        }
    }

    /// The only image that an expression gives.
    fn image(&mut self, id: Id) -> Option<(Type, u32)> {
        let images = self.images(id)?;
        match images[..] {
            [image] => Some(image),
            _ => {
                let message = format!("{} where one is expected", plural(images.len(), "image"));
                let help = Some("give them names: a, b = ...;".to_owned());
                self.wrong(Error::Count, self.ast[id].span, message, help);
                None
            }
        }
    }

    fn mode(&mut self, mode: Option<Mode<'s>>, ty: Option<Type>) {
        let Some(mode) = mode else { return };
        let name = mode.name;
        match (name.text, mode.value) {
            ("constant", Some(value)) => {
                let mut scope = Scope::new();
                self.value(value, &mut scope, ty);
                match ty {
                    Some(ty) => self.fit(value, ty),
                    None => self.settle(value),
                };
            }
            ("constant", None) => {
                let help = Some("write constant(0)".to_owned());
                self.wrong(Error::Boundary, name.span, "\"constant\" without its value", help);
            }
            (text, Some(value)) if MODES.contains(&text) => {
                let message = format!("a value of \"{text}\", expected one of \"constant\" only");
                self.wrong(Error::Boundary, self.ast[value].span, message, None);
            }
            (text, None) if MODES.contains(&text) => {}
            (text, _) => {
                let near = nearest(text, MODES).map(|near| format!("did you mean \"{near}\"?"));
                let message =
                    format!("boundary mode \"{text}\", expected clamped, mirror, wrap, constant(...) or inside");
                self.wrong(Error::Boundary, name.span, message, near);
            }
        }
    }

    /// Images of a stencil, or of an image resampled: both are as large as the extents behind them say, or as what they are given.
    fn apply(
        &mut self,
        name: Name<'s>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
    ) -> Option<Vec<(Type, u32)>> {
        for id in extents.unwrap_or_default() {
            self.extent(*id);
        }
        let Made { types, rank, is_sized } = match self.global(name.text) {
            Some(Entity::Def(number)) => {
                let known = self.defs[*number].clone();
                self.application(known, name, args, span)?
            }
            None if RESAMPLERS.contains(&name.text) => self.resampling(name, args, span)?,
            _ => {
                self.unknown_call("stencil", name, &Scope::new());
                return None;
            }
        };
        let rank = match (rank, extents) {
            (Some(rank), Some(extents)) if rank as usize != extents.len() => {
                let found = plural(extents.len(), "extent");
                let message = format!("{found} of \"{}\", which gives vector#{rank}", name.text);
                self.wrong(Error::Rank, self.span_of(extents), message, None);
                return None;
            }
            (None, Some(extents)) if extents.len() > MAX_RANK as usize => {
                let message = format!("{}, expected 1 to {MAX_RANK}", plural(extents.len(), "extent"));
                self.wrong(Error::Rank, self.span_of(extents), message, None);
                return None;
            }
            (_, Some(extents)) => extents.len() as u32,
            (Some(rank), None) if is_sized => rank,
            (_, None) => {
                let message = format!("stencil \"{}\" is given no image to be as large as", name.text);
                let help = Some(format!("say its extents: {}(...)[M, N]", name.text));
                self.wrong(Error::Size, span, message, help);
                return None;
            }
        };
        Some(types?.into_iter().map(|ty| (ty, rank)).collect())
    }

    /// `f(a:mirror, 2.0)`.
    fn application(&mut self, known: Signature, name: Name<'s>, args: &[Arg<'s>], span: Span) -> Option<Made> {
        if !known.is_stencil {
            let message = format!("\"{}\" is a function of numbers, expected a stencil", name.text);
            self.wrong(Error::Role, name.span, message, None);
            return None;
        }
        if args.len() != known.params.len() {
            let found = plural(args.len(), "argument");
            let message = format!("{found} of stencil \"{}\", expected {}", name.text, known.params.len());
            self.wrong(Error::Count, span, message, None);
            return None;
        }
        let mut fine = true;
        let mut ranks = Vec::new();
        for (arg, (rank, ty)) in args.iter().zip(&known.params) {
            let at = self.ast[arg.value].span;
            let Some(rank) = rank else {
                let mut scope = Scope::new();
                self.value(arg.value, &mut scope, Some(*ty));
                fine &= self.fit(arg.value, *ty) != Ty::Wrong;
                if let Some(mode) = arg.mode {
                    self.wrong(Error::Boundary, mode.name.span, "a boundary mode of a number, expected an image", None);
                }
                continue;
            };
            let found = self.image(arg.value);
            self.mode(arg.mode, found.map(|(ty, _)| ty));
            ranks.push(*rank);
            match found {
                None => fine = false,
                Some((_, found)) if found != *rank => {
                    let message = format!("an image of vector#{found}, expected vector#{rank}");
                    self.wrong(Error::Rank, at, message, None);
                    fine = false;
                }
                Some((found, _)) if found != *ty => {
                    let [found, ty] = [found, *ty].map(type_name);
                    let message = format!("an image of {found}, expected {ty}");
                    let help =
                        Some(format!("let the stencil take {found} and cast, or apply a stencil that casts first"));
                    self.wrong(Error::Type, at, message, help);
                    fine = false;
                }
                Some(_) => {}
            }
        }
        let was = self.cost;
        self.cost = was.saturating_add(known.cost);
        if was <= LARGEST_PROGRAM && self.cost > LARGEST_PROGRAM {
            let message = format!("a program of more than {LARGEST_PROGRAM} operations");
            let help = "those of a stencil count as often as it is applied".to_owned();
            self.wrong(Error::Depth, span, message, Some(help));
        }
        let is_sized = known.rank.is_some_and(|rank| ranks.contains(&rank));
        Some(Made { types: known.results.filter(|_| fine), rank: known.rank, is_sized })
    }

    /// `sample(img, 2, 2)` and `interpolate(img, 2, 2)`.
    fn resampling(&mut self, name: Name<'s>, args: &[Arg<'s>], span: Span) -> Option<Made> {
        let (ty, rank) = self.image(args[0].value)?;
        self.mode(args[0].mode, Some(ty));
        if args.len() != rank as usize + 1 {
            let message = format!(
                "{} of \"{}\", expected {rank} behind an image of vector#{rank}",
                plural(args.len() - 1, "factor"),
                name.text
            );
            self.wrong(Error::Count, span, message, Some("one for each dimension, x first".into()));
            return None;
        }
        for arg in &args[1..] {
            if let Some(mode) = arg.mode {
                self.wrong(Error::Boundary, mode.name.span, "a boundary mode of a number, expected an image", None);
            }
            self.constant(arg.value, "a factor", 1)?;
        }
        if name.text == "interpolate" && !ty.is_float() {
            let message = format!("interpolate of {}, expected floats", type_name(ty));
            self.wrong(Error::Type, span, message, Some("apply a stencil that casts first".into()));
            return None;
        }
        Some(Made { types: Some(vec![ty]), rank: Some(rank), is_sized: true })
    }

    fn compose(&mut self, compose: &Compose<'s>) -> Option<(Type, u32)> {
        let rank = compose.extents.len();
        for id in &compose.extents {
            self.extent(*id);
        }
        let at = self.span_of(&compose.extents);
        if rank > MAX_RANK as usize {
            let message = format!("{}, expected 1 to {MAX_RANK}", plural(rank, "extent"));
            self.wrong(Error::Rank, at, message, None);
            return None;
        }
        if compose.coordinates.len() != rank {
            let found = plural(compose.coordinates.len(), "coordinate");
            let message = format!("{found} of an image of {}", plural(rank, "extent"));
            self.wrong(Error::Rank, compose.coordinates[0].span, message, None);
            return None;
        }
        let mut scope = Scope::new();
        for name in &compose.coordinates {
            self.local(&mut scope, *name, Local::Value(Ty::Is(Type::Index), 1));
        }
        let mut found: Option<Type> = None;
        let mut fine = true;
        for (indices, part) in &compose.parts {
            self.indices(indices, &mut scope);
            let image = self.image(*part);
            let at = self.span_of(indices);
            if indices.len() != rank {
                let message = format!("{} where {rank} are expected", plural(indices.len(), "index"));
                self.wrong(Error::Rank, at, message.replace("indexs", "indices"), None);
                fine = false;
                continue;
            }
            let mut dimensions = 0;
            for (id, name) in indices.iter().zip(&compose.coordinates) {
                match self.affine(*id, name.text) {
                    Some((0, _)) => {}
                    Some((stride, _)) if stride > 0 => dimensions += 1,
                    _ if self.types[id.0 as usize] == Ty::Wrong => fine = false,
                    _ => {
                        let help = Some(format!("write {0}, 2*{0} + 1, or a number", name.text));
                        let message =
                            format!("no stride and shift of {0}, expected a*{0} + b with constants, a > 0", name.text);
                        self.wrong(Error::Constant, self.ast[*id].span, message, help);
                        fine = false;
                    }
                }
            }
            let Some((ty, image_rank)) = image else {
                fine = false;
                continue;
            };
            let part_span = self.ast[*part].span;
            if fine && image_rank != dimensions {
                let message = format!("a part of vector#{image_rank}, expected vector#{dimensions}");
                self.wrong(Error::Rank, part_span, message, None);
                fine = false;
            }
            match found {
                Some(first) if first != ty => {
                    let message = format!("a part of {}, expected {}", type_name(ty), type_name(first));
                    self.wrong(Error::Type, part_span, message, None);
                    fine = false;
                }
                _ => found = Some(ty),
            }
        }
        if let Some(rest) = compose.rest {
            let mut scope = Scope::new();
            self.value(rest, &mut scope, found);
            fine &= found.is_none_or(|ty| self.fit(rest, ty) != Ty::Wrong);
        }
        if compose.parts.len() > DEEPEST as usize {
            let message = format!("compose of {} parts, expected at most {DEEPEST}", compose.parts.len());
            self.wrong(Error::Depth, at, message, None);
            return None;
        }
        if compose.parts.is_empty() {
            self.wrong(Error::Count, at, "compose of no parts, expected at least one", None);
            return None;
        }
        found.filter(|_| fine).map(|ty| (ty, rank as u32))
    }

    /// An index as stride and shift of a coordinate.
    pub fn affine(&self, id: Id, coordinate: &str) -> Option<(i64, i64)> {
        affine(self.ast, &|id| self.literal(id), id, coordinate)
    }

    fn literal(&self, id: Id) -> Option<i64> {
        match self.values[id.0 as usize] {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    fn iterate(&mut self, iterate: &Iterate<'s>, span: Span) -> Option<Vec<(Type, u32)>> {
        if !self.inner.is_empty() {
            let help = Some("steps of several stencils are one step: write them one behind the other".to_owned());
            self.wrong(Error::Role, span, "an iterate in a step of another, expected it outside", help);
            return None;
        }
        let mut scope = Scope::new();
        self.value(iterate.steps, &mut scope, Some(Type::Index));
        self.fit(iterate.steps, Type::Index);
        let initial: Vec<Option<(Type, u32)>> = iterate.states.iter().map(|(_, id)| self.image(*id)).collect();
        self.inner.push(HashMap::new());
        for ((name, _), image) in iterate.states.iter().zip(&initial) {
            self.define(*name, image.map_or(Entity::Wrong, |(ty, rank)| Entity::Image(ty, rank)));
        }
        let mut returned = false;
        for item in &iterate.body {
            if self.full() {
                break;
            }
            match item {
                Item::Assign(names, id) => self.assign(names, *id),
                Item::Return(at, names) => {
                    if returned {
                        self.error(Error::Return, *at, "a second return, expected one at the end of a step");
                    }
                    returned = true;
                    if names.len() != initial.len() {
                        let message = format!(
                            "{} of a step, expected {}",
                            plural(names.len(), "image"),
                            plural(initial.len(), "state")
                        );
                        self.error(Error::Count, *at, message);
                    }
                    for (name, state) in names.iter().zip(&initial) {
                        if let (Some((ty, rank)), Some((was, of))) = (self.image_named(*name), *state)
                            && (ty, rank) != (was, of)
                        {
                            let message = format!(
                                "a state of vector#{of} {} becomes vector#{rank} {}",
                                type_name(was),
                                type_name(ty)
                            );
                            self.error(Error::Type, name.span, message);
                        }
                    }
                }
                Item::Wrong => returned = true,
                Item::Extents(list) => self.outside(list.first().map(|(name, _)| *name)),
                Item::Numbers(_, names) => self.outside(names.first().copied()),
                Item::Const(_, name, _) | Item::Vector { name, .. } => self.outside(Some(*name)),
                Item::Def(def) => self.outside(Some(def.name)),
            }
        }
        self.inner.pop();
        if !returned {
            self.error(Error::Return, span, "a step without return");
        }
        initial.into_iter().collect()
    }

    fn outside(&mut self, name: Option<Name<'s>>) {
        if let Some(name) = name {
            let message = format!("\"{}\" is defined in a step, expected outside of iterate", name.text);
            self.error(Error::Role, name.span, message);
        }
    }
}

/// An index as stride and shift of a coordinate; `literal` knows constants.
pub(crate) fn affine(
    ast: &Ast<'_>,
    literal: &dyn Fn(Id) -> Option<i64>,
    id: Id,
    coordinate: &str,
) -> Option<(i64, i64)> {
    let index = |value: i64| i32::try_from(value).ok().map(i64::from);
    if let Some(value) = literal(id) {
        return Some((0, index(value)?));
    }
    let part = |id: Id| affine(ast, literal, id, coordinate);
    match &ast[id].kind {
        Kind::Name(name) if *name == coordinate => Some((1, 0)),
        Kind::Unary(Unary::Neg, a) => {
            let (stride, shift) = part(*a)?;
            Some((index(-stride)?, index(-shift)?))
        }
        // Of numbers of 32 bits nothing overflows here.
        Kind::Binary(op, a, b) => {
            let ((s, x), (t, y)) = (part(*a)?, part(*b)?);
            let (stride, shift) = match op {
                Binary::Add => (s + t, x + y),
                Binary::Sub => (s - t, x - y),
                Binary::Mul if t == 0 => (s * y, x * y),
                Binary::Mul if s == 0 => (t * x, x * y),
                _ => return None,
            };
            Some((index(stride)?, index(shift)?))
        }
        _ => None,
    }
}

/// The smallest and the largest value. Of an index it is what kernels hold: they compute in 32 bits.
fn range(ty: Type) -> (i128, i128) {
    if ty == Type::Index {
        return (LEAST.into(), i32::MAX.into());
    }
    if ty.is_unsigned() { (0, (1 << ty.bits()) - 1) } else { (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1) }
}

/// Arithmetic on literals; a quotient of whole numbers is one where it is whole. Divisions of indices round down, those of integers
/// towards zero, and rests are what is left of that.
fn fold(op: Binary, a: Value, b: Value, of_indices: bool) -> Option<Value> {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        let whole = match op {
            Binary::Add => x.checked_add(y),
            Binary::Sub => x.checked_sub(y),
            Binary::Mul => x.checked_mul(y),
            Binary::Div => x.checked_rem(y).filter(|rest| *rest == 0).and_then(|_| x.checked_div(y)),
            Binary::Rem => x.checked_rem(y).map(|rest| {
                let is_above = of_indices && rest != 0 && (rest < 0) != (y < 0);
                if is_above { rest + y } else { rest }
            }),
            Binary::Shl => u32::try_from(y).ok().filter(|y| *y < 63).and_then(|y| x.checked_mul(1 << y)),
            Binary::Shr => u32::try_from(y).ok().and_then(|y| x.checked_shr(y)),
            Binary::And => Some(x & y),
            Binary::Or => Some(x | y),
            Binary::Xor => Some(x ^ y),
            _ => None,
        };
        if whole.is_some() || op != Binary::Div || y == 0 {
            return whole.map(Value::Int);
        }
    }
    let (x, y) = (a.float(), b.float());
    let value = match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        _ => return None,
    };
    value.is_finite().then_some(Value::Float(value))
}
