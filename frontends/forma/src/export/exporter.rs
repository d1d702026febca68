//! What is written so far: texts, names, images and numbers. The other files of the wing write more, each of a part of the language.

use super::{names::unused, terms::Term};
use crate::ast::Type;
use melior::ir::{Value, ValueLike};
use std::collections::{HashMap, HashSet};

/// A program of which a part is written.
#[derive(Default)]
pub(super) struct Exporter {
    pub head: String,
    pub stencils: String,
    pub text: String,
    pub taken: HashSet<String>,
    /// Names of results that nothing has yet.
    pub kept: HashSet<String>,
    /// Images by their values.
    pub images: HashMap<usize, Image>,
    /// Tables by their values: names, and types of their numbers.
    pub tables: HashMap<usize, Term>,
    /// The parameter that is an extent of an argument: image and dimension.
    pub parameters: HashMap<(usize, usize), String>,
    /// Numbers of the program.
    pub numbers: HashMap<usize, Term>,
    /// The names of all parameters and tables, which stencils see.
    pub given: HashSet<String>,
    /// Results: value, name, whether it has no sign.
    pub wanted: Vec<(usize, Option<String>, bool)>,
}

/// An image: its name, its type, and its extents as written, x first.
#[derive(Clone)]
pub(super) struct Image {
    pub name: String,
    pub ty: Type,
    pub sizes: Vec<String>,
    /// How many images there were before it.
    pub order: usize,
}

/// What a value is known by.
pub(super) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

impl Exporter {
    /// A name of the program like this one.
    pub fn name(&mut self, wanted: &str) -> String {
        let mut clean: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if clean.chars().next().is_none_or(|first| first.is_ascii_digit()) {
            clean.insert(0, '_');
        }
        unused(&mut self.taken, &clean, 1)
    }

    /// The name of a result of the program, which is kept for it, else one like `own`.
    pub fn result_name(&mut self, wanted: Option<String>, own: &str) -> String {
        match wanted.filter(|name| self.kept.remove(name)) {
            Some(name) => name,
            None => self.name(own),
        }
    }

    pub fn image(&self, value: Value) -> Result<&Image, String> {
        if let Some(Term { text, .. }) = self.tables.get(&key(value)) {
            return Err(format!("Forma cannot say table '{text}' as an image: --copy-results makes a stage of it"));
        }
        self.images.get(&key(value)).ok_or_else(|| "an image that no stage of the program makes".to_owned())
    }

    /// A number by its value: of a body, or of the program.
    pub fn find<'t>(&'t self, own: &'t HashMap<usize, Term>, value: Value) -> Option<&'t Term> {
        own.get(&key(value)).or_else(|| self.numbers.get(&key(value)))
    }

    /// What the result of the program is called that this value is, and whether it has no sign.
    pub fn wanted(&self, value: Value) -> Option<(Option<String>, bool)> {
        let found = self.wanted.iter().find(|(wanted, ..)| *wanted == key(value));
        found.map(|(_, name, unsigned)| (name.clone(), *unsigned))
    }
}
