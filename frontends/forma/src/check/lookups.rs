//! Names where they stand: what is defined, what is meant, and what is wrong with one that means nothing or something else.

use super::{
    builtins::{self, RESAMPLERS},
    checker::Checker,
    names::{Entity, Local, Scope},
    ty::Ty,
};
use crate::{
    ast::{Name, Type},
    diagnostics::Kind as Error,
};

impl<'s> Checker<'s, '_> {
    /// Gives a name of the program, or of the iterate that is looked at, its meaning.
    pub(super) fn define(&mut self, name: Name<'s>, entity: Entity) {
        if !self.names.define(name.text, entity) {
            let message = format!("\"{}\" is defined twice", name.text);
            self.error(Error::Twice, name.span, message).help = Some("give it another name".into());
        }
    }

    /// Gives a name of a body its meaning.
    pub(super) fn local(&mut self, scope: &mut Scope<'s>, name: Name<'s>, local: Local) {
        if scope.locals.insert(name.text, local).is_some() {
            let message = format!("\"{}\" is defined twice", name.text);
            self.error(Error::Twice, name.span, message).help = Some("give it another name".into());
        }
    }

    /// Reports a name that means nothing, unless it may be in what could not be read.
    pub(super) fn unknown(&mut self, what: &str, name: Name<'s>, locals: &[&str]) {
        // Looking for a name that is like it takes as long as there are names.
        if self.full() {
            return;
        }
        if let Some(is_image) = self.names.later(name.text) {
            let message = match is_image {
                true => format!("\"{}\" is defined outside, and further below", name.text),
                false => format!("{what} \"{}\" is used before it is defined", name.text),
            };
            self.error(Error::Unknown, name.span, message);
            return;
        }
        let builtins: Vec<&str> = match what {
            "function" => builtins::functions().collect(),
            "stencil" => RESAMPLERS.to_vec(),
            _ => Vec::new(),
        };
        let near = self.names.nearest(name.text, locals.iter().copied().chain(builtins));
        if near.is_none() && !self.names.is_whole {
            return;
        }
        let help = near.map(|near| format!("did you mean \"{near}\"?"));
        let diagnostic = self.error(Error::Unknown, name.span, format!("{what} \"{}\" is not defined", name.text));
        diagnostic.help = help;
        diagnostic.label = Some("not defined".into());
    }

    /// Reports a call of what cannot be called.
    pub(super) fn unknown_call(&mut self, what: &str, name: Name<'s>, scope: &Scope<'s>) {
        match self.names.entity(name.text) {
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

    /// Reports an image of the program in a stencil, which sees its own alone.
    pub(super) fn not_a_parameter(&mut self, name: Name<'s>) {
        let message = format!("\"{}\" is the program's, expected what the stencil is given", name.text);
        let help = Some(format!("make it a parameter of the stencil, and apply the stencil to \"{}\"", name.text));
        self.wrong(Error::Role, name.span, message, help);
    }

    /// A number of the program by its name.
    pub(super) fn number(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Ty {
        match self.names.entity(name.text).cloned() {
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
            None if self.names.is_parameter(name.text) => {
                let message = format!("\"{}\" is a parameter, expected a constant", name.text);
                let help = Some("leave out the word const, below the images".to_owned());
                self.wrong(Error::Constant, name.span, message, help)
            }
            None => {
                let locals: Vec<&str> = scope.locals.keys().copied().collect();
                match self.names.later(name.text) {
                    Some(true) if scope.is_stencil => self.not_a_parameter(name),
                    _ => self.unknown("name", name, &locals),
                }
                Ty::Wrong
            }
        }
    }

    /// The image of a body by its name; `None` after a mistake.
    pub(super) fn local_image(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Option<(Type, u32)> {
        match scope.locals.get(name.text) {
            Some(Local::Image(ty, rank)) => Some((*ty, *rank)),
            Some(Local::Value(Ty::Wrong, _)) => None,
            Some(Local::Value(..)) => {
                let message = format!("\"{}\" is a number, expected an image before \"@\"", name.text);
                self.wrong(Error::Role, name.span, message, None);
                None
            }
            None => {
                match self.names.entity(name.text) {
                    Some(Entity::Wrong) => {}
                    Some(Entity::Image(..)) => self.not_a_parameter(name),
                    Some(_) => {
                        let message = format!("\"{}\" is no image, expected one before \"@\"", name.text);
                        self.wrong(Error::Role, name.span, message, None);
                    }
                    None => {
                        let locals: Vec<&str> = scope.locals.keys().copied().collect();
                        match self.names.later(name.text) {
                            Some(true) => self.not_a_parameter(name),
                            _ => self.unknown("image", name, &locals),
                        }
                    }
                }
                None
            }
        }
    }

    /// The image of the program by its name; `None` after a mistake.
    pub(super) fn image_named(&mut self, name: Name<'s>) -> Option<(Type, u32)> {
        match self.names.entity(name.text).cloned() {
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
}
