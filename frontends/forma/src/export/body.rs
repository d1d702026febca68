//! The body of a stencil while it is written.

use super::{
    exporter::{Exporter, key},
    names::{avoided, local},
    terms::Term,
};
use crate::ast::Type;
use melior::ir::Value;
use std::collections::{HashMap, HashSet};

/// What a body is being written into.
pub(super) struct Body<'v> {
    /// Values of this body.
    pub terms: HashMap<usize, Term>,
    pub lets: String,
    pub params: Vec<Param>,
    pub numbers: Vec<Number>,
    pub names: HashSet<String>,
    pub coordinates: Vec<Value<'v, 'v>>,
    /// Whether a coordinate is named in it.
    pub uses_coordinates: bool,
    /// The extents of the stage, x first.
    pub sizes: Vec<String>,
    /// The mode of other reads of an image, for reads of it that need none.
    pub modes: HashMap<usize, String>,
    /// What a scan or scatter makes, by the names that it has here.
    pub own: Vec<Term>,
    /// The rank of a scan, the dimension that it walks along, x being 0, and whether backwards.
    pub line: Option<(usize, usize, bool)>,
    /// Whether there is a point that is computed: a scatter has none.
    pub has_point: bool,
    /// Whether what is written is of a window, which has no lets.
    pub in_window: bool,
    /// Where in windows something is, by the values that say so in 32 bits.
    pub places: HashMap<usize, String>,
}

/// What a definition begins with: `scan[float own]`, and what a scatter goes over.
#[derive(Default)]
pub(super) struct Head {
    pub word: String,
    pub domain: String,
}

/// A parameter for an image and what lies beyond it.
pub(super) struct Param {
    pub image: usize,
    pub mode: String,
    pub name: String,
    pub ty: Type,
    pub rank: u32,
}

/// A parameter for a number of the program, and what it is there.
pub(super) struct Number {
    pub name: String,
    pub ty: Type,
    pub text: String,
}

impl Body<'_> {
    /// An empty one of a stage with these extents.
    pub fn new(exporter: &Exporter, sizes: Vec<String>) -> Self {
        Self {
            terms: HashMap::new(),
            lets: String::new(),
            params: Vec::new(),
            numbers: Vec::new(),
            // A let would hide a parameter of its name.
            names: avoided().into_iter().chain(exporter.given.iter().cloned()).collect(),
            coordinates: Vec::new(),
            uses_coordinates: false,
            sizes,
            modes: HashMap::new(),
            own: Vec::new(),
            line: None,
            has_point: true,
            in_window: false,
            places: HashMap::new(),
        }
    }

    /// Makes a number of the program known: one that is no literal and no parameter is given to the stencil.
    pub fn give(&mut self, exporter: &Exporter, value: Value) {
        let Some(number) = exporter.numbers.get(&key(value)) else { return };
        if number.is_literal || exporter.given.contains(&number.text) || self.terms.contains_key(&key(value)) {
            return;
        }
        let name = local(&mut self.names, "n");
        self.numbers.push(Number { name: name.clone(), ty: number.ty, text: number.text.clone() });
        self.terms.insert(key(value), Term::primary(name, number.ty));
    }

    /// The parameter for an image with this mode.
    pub fn param(&mut self, image: usize, mode: String, like: &str, ty: Type, rank: u32) -> String {
        if let Some(param) = self.params.iter().find(|param| param.image == image && param.mode == mode) {
            return param.name.clone();
        }
        let name = local(&mut self.names, like);
        self.params.push(Param { image, mode, name: name.clone(), ty, rank });
        name
    }

    /// Names a value; how it is written from then on.
    pub fn let_value(&mut self, term: &Term) -> Term {
        let name = local(&mut self.names, "v");
        self.lets.push_str(&format!("    let {name} = {};\n", term.typed()));
        Term::primary(name, term.ty)
    }
}
