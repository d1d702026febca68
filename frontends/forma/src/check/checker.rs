//! What is known of a program while it is checked. The other files of the wing say how it becomes known, each of a part of the language.

use super::{
    names::{Names, Signature},
    ty::{Ty, Value},
};
use crate::{
    ast::{Ast, Id, Type},
    diagnostics::{Diagnostic, Kind as Error, MOST_ERRORS},
    span::Span,
};
use std::collections::{HashMap, HashSet};

/// Everything about a program that the list of its expressions does not say.
pub(crate) struct Checked {
    pub types: Vec<Type>,
    pub values: Vec<Option<Value>>,
    /// The extents that are those of some vector; the others are numbers that the program is given.
    pub bound: HashSet<String>,
    /// Types and ranks of the images of the program.
    pub images: HashMap<String, (Type, u32)>,
    /// The dimensions that scans walk along, x being 0, and whether backwards.
    pub lines: HashMap<String, (usize, bool)>,
}

pub(super) struct Checker<'s, 'a> {
    pub ast: &'a Ast<'s>,
    errors: &'a mut Vec<Diagnostic>,
    types: Vec<Ty>,
    /// Of what is made of literals alone; it stays when a type is found.
    values: Vec<Option<Value>>,
    depths: Vec<u32>,
    /// Of constants with a type.
    pub constants: HashMap<&'s str, Value>,
    pub names: Names<'s>,
    pub defs: Vec<Signature>,
    pub bound: HashSet<String>,
    pub lines: HashMap<String, (usize, bool)>,
    /// What all applications so far cost.
    pub cost: u64,
}

impl<'s, 'a> Checker<'s, 'a> {
    pub fn new(ast: &'a Ast<'s>, errors: &'a mut Vec<Diagnostic>) -> Self {
        let count = ast.exprs.len();
        Self {
            ast,
            errors,
            types: vec![Ty::Wrong; count],
            values: vec![None; count],
            depths: vec![0; count],
            constants: HashMap::new(),
            names: Names::new(&ast.items),
            defs: Vec::new(),
            bound: HashSet::new(),
            lines: HashMap::new(),
            cost: 0,
        }
    }

    /// What others want to know of it.
    pub fn finish(self) -> Checked {
        let types = self.types.iter().map(|ty| match ty {
            Ty::Is(ty) => *ty,
            Ty::Literal(Value::Int(_)) => Type::I32,
            _ => Type::F32,
        });
        Checked {
            types: types.collect(),
            values: self.values,
            bound: self.bound,
            lines: self.lines,
            images: self.names.images().map(|(name, image)| (name.to_owned(), image)).collect(),
        }
    }

    // ---- Expressions ---------------------------------------------------------------------------------------------------------

    pub fn ty(&self, id: Id) -> Ty {
        self.types[id.0 as usize]
    }

    pub fn set(&mut self, id: Id, ty: Ty) -> Ty {
        self.types[id.0 as usize] = ty;
        ty
    }

    /// Its value, if it is made of literals alone.
    pub fn known(&self, id: Id) -> Option<Value> {
        self.values[id.0 as usize]
    }

    pub fn set_known(&mut self, id: Id, value: Option<Value>) {
        self.values[id.0 as usize] = value;
    }

    /// With how many others it depends on, one on the other.
    pub fn depth(&self, id: Id) -> u32 {
        self.depths[id.0 as usize]
    }

    pub fn set_depth(&mut self, id: Id, depth: u32) {
        self.depths[id.0 as usize] = depth;
    }

    /// The depth of the deepest, or 0.
    pub fn deepest(&self, ids: impl IntoIterator<Item = Id>) -> u32 {
        ids.into_iter().map(|id| self.depth(id)).max().unwrap_or(0)
    }

    /// From the first to the last.
    pub fn span_of(&self, ids: &[Id]) -> Span {
        match ids {
            [first, .., last] => self.ast[*first].span.to(self.ast[*last].span),
            [one] => self.ast[*one].span,
            [] => Span::default(),
        }
    }

    // ---- Mistakes ------------------------------------------------------------------------------------------------------------

    pub fn error(&mut self, kind: Error, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.errors.push(Diagnostic::new(kind, span, message));
        let last = self.errors.len() - 1;
        &mut self.errors[last]
    }

    /// A mistake, and what stands for the type of what has it.
    pub fn wrong(&mut self, kind: Error, span: Span, message: impl Into<String>, help: Option<String>) -> Ty {
        self.error(kind, span, message).help = help;
        Ty::Wrong
    }

    /// Whether enough is wrong.
    pub fn full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }
}

/// So many of something, in words.
pub(super) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The offsets of the point before, in a line of this dimension, x being 0, that may go backwards, for help.
pub(super) fn before(line: Option<(usize, bool)>, rank: u32) -> String {
    let (along, backward) = line.unwrap_or((0, false));
    let offset = |dimension| match (dimension == along, backward) {
        (false, _) => "0",
        (true, false) => "-1",
        (true, true) => "1",
    };
    (0..rank.clamp(1, 4) as usize).map(offset).collect::<Vec<_>>().join(", ")
}
