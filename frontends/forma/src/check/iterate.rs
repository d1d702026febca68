//! Time steps.

use super::{
    checker::{Checker, plural},
    names::{Entity, Scope},
};
use crate::{
    ast::{Item, Iterate, Name, Type, type_name},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// Types and ranks of its images; `None` after a mistake.
    pub(super) fn iterate(&mut self, iterate: &Iterate<'s>, span: Span) -> Option<Vec<(Type, u32)>> {
        if self.names.is_in_body() {
            let help = Some("steps of several stencils are one step: write them one behind the other".to_owned());
            self.wrong(Error::Role, span, "an iterate in a step of another, expected it outside", help);
            return None;
        }
        let mut scope = Scope::new();
        self.value(iterate.steps, &mut scope, Some(Type::Index));
        self.fit(iterate.steps, Type::Index);
        let initial: Vec<Option<(Type, u32)>> = iterate.states.iter().map(|(_, id)| self.image(*id)).collect();
        self.names.enter();
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
                Item::Const(_, name, _) | Item::Table(_, name, _) | Item::Vector { name, .. } => {
                    self.outside(Some(*name))
                }
                Item::Def(def) => self.outside(Some(def.name)),
            }
        }
        self.names.leave();
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
