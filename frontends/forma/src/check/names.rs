//! What names stand for, in the program and in bodies.

use super::ty::Ty;
use crate::{
    ast::{Id, Item, Role, Type},
    diagnostics::nearest,
};
use std::collections::{HashMap, HashSet};

/// A stencil, scan, scatter or function as others see it.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub role: Role,
    pub params: Vec<(Option<u32>, Type)>,
    /// Of the result; `None` where the stencil is as large as it is told.
    pub rank: Option<u32>,
    /// `None` after a mistake.
    pub results: Option<Vec<Type>>,
    pub cost: u64,
    pub depth: u32,
}

/// What a name of the program stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    /// With how many others it depends on, one on the other.
    Value(Ty, u32),
    Image(Type, u32),
    /// Constants of this type, so many along each dimension, x first.
    Table(Type, Vec<i64>),
    Def(usize),
    /// A mistake was reported of it.
    Wrong,
}

/// What a name of a body stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Image(Type, u32),
    Value(Ty, u32),
    /// What this scan or scatter makes.
    Own(Type),
}

/// What a body is checked in.
#[derive(Default)]
pub(super) struct Scope<'s> {
    pub locals: HashMap<&'s str, Local>,
    /// The rank of the point that is computed; `None` in functions and scatters, and outside of all.
    pub rank: Option<u32>,
    /// The stencil or function whose body it is.
    pub of: Option<&'s str>,
    pub role: Role,
    /// The dimension that a scan walks along, x being 0, and whether backwards: as the first read of its line says.
    pub line: Option<(usize, bool)>,
    /// The place in a scatter's result that is being updated, and how many indices it has.
    pub update: Option<Id>,
    pub places: Option<u32>,
    /// First and last values of the variables of windows.
    pub windows: HashMap<&'s str, (i64, i64)>,
    /// The coordinates of the point, as far as they have names.
    pub coordinates: Vec<&'s str>,
    /// How often what is looked at now is written out.
    pub factor: u64,
    pub cost: u64,
}

impl Scope<'_> {
    pub fn new() -> Self {
        Self { factor: 1, ..Self::default() }
    }
}

/// The names of a program.
pub(super) struct Names<'s> {
    globals: HashMap<&'s str, Entity>,
    /// Names of iterates' bodies, the innermost last.
    inner: Vec<HashMap<&'s str, Entity>>,
    /// What the program defines, also further below, and whether it is an image.
    later: HashMap<&'s str, bool>,
    /// Numbers that the program is given, until they are defined.
    parameters: HashSet<&'s str>,
    /// Whether all statements could be read; else what is not defined may be in the others.
    pub is_whole: bool,
}

impl<'s> Names<'s> {
    /// Of a program nothing of which is defined yet.
    pub fn new(items: &[Item<'s>]) -> Self {
        let mut later = HashMap::new();
        for item in items {
            match item {
                Item::Vector { name, .. } => later.extend([(name.text, true)]),
                Item::Assign(names, _) => later.extend(names.iter().map(|name| (name.text, true))),
                Item::Def(def) => later.extend([(def.name.text, false)]),
                _ => {}
            }
        }
        let is_whole = !items.iter().any(|item| matches!(item, Item::Wrong));
        Self { globals: HashMap::new(), inner: Vec::new(), later, parameters: HashSet::new(), is_whole }
    }

    /// Lets a name stand for something, in the innermost body; false if it stands for something already, there or outside.
    pub fn define(&mut self, name: &'s str, entity: Entity) -> bool {
        let is_free = !self.all().any(|names| names.contains_key(name));
        let names = self.inner.last_mut().unwrap_or(&mut self.globals);
        names.entry(name).or_insert(entity);
        is_free
    }

    /// What a name stands for here.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        self.inner.iter().rev().chain([&self.globals]).find_map(|names| names.get(name))
    }

    /// The images of the program.
    pub fn images(&self) -> impl Iterator<Item = (&'s str, (Type, u32))> {
        self.globals.iter().filter_map(|(name, entity)| match entity {
            Entity::Image(ty, rank) => Some((*name, (*ty, *rank))),
            _ => None,
        })
    }

    /// Whether the program defines the name somewhere, and if so whether as an image.
    pub fn later(&self, name: &str) -> Option<bool> {
        self.later.get(name).copied()
    }

    /// Says that parameters are defined further below.
    pub fn expect_parameters(&mut self, names: impl Iterator<Item = &'s str>) {
        self.parameters.extend(names);
    }

    /// Whether it is one, defined already or not.
    pub fn is_parameter(&self, name: &str) -> bool {
        self.parameters.contains(name)
    }

    /// The body of an iterate begins.
    pub fn enter(&mut self) {
        self.inner.push(HashMap::new());
    }

    /// The body of an iterate ends.
    pub fn leave(&mut self) {
        self.inner.pop();
    }

    /// Whether the body of an iterate is looked at.
    pub fn is_in_body(&self) -> bool {
        !self.inner.is_empty()
    }

    /// The name that is most like this one, of those of the program and of others.
    pub fn nearest<'n>(&'n self, name: &str, others: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let own = self.all().flat_map(|names| names.keys().copied());
        nearest(name, own.chain(others))
    }

    fn all(&self) -> impl Iterator<Item = &HashMap<&'s str, Entity>> {
        self.inner.iter().chain([&self.globals])
    }
}
