//! Names where they stand: what is defined, what is meant, and what is wrong with one that means nothing or something else.

use super::{
    builtins::{self, COORDINATES, RESAMPLERS},
    checker::{Checker, before},
    names::{Entity, Local, Scope},
    ty::Ty,
};
use crate::{
    ast::{Ast, Id, Item, Kind, Name, Role, Type},
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
    pub(super) fn unknown(&mut self, what: &str, name: Name<'s>, scope: &Scope<'s>) {
        // Looking for a name that is like it takes as long as there are names.
        if self.full() {
            return;
        }
        if self.names.later(name.text).is_some() {
            let message = format!("{what} \"{}\" is used before it is defined", name.text);
            self.error(Error::Unknown, name.span, message);
            return;
        }
        let others: Vec<&str> = match what {
            "function" => builtins::functions().collect(),
            "stencil" => RESAMPLERS.to_vec(),
            _ => scope.locals.keys().copied().collect(),
        };
        let near = self.names.nearest(name.text, others).map(|near| format!("did you mean \"{near}\"?"));
        if near.is_none() && !self.names.is_whole {
            return;
        }
        let coordinate =
            scope.rank.filter(|_| scope.coordinates.is_empty() && COORDINATES.contains(&name.text)).map(|rank| {
                let names = COORDINATES[..rank.clamp(1, 4) as usize].join(", ");
                format!("name the coordinates of the point behind the parameters: at [{names}]")
            });
        let diagnostic = self.error(Error::Unknown, name.span, format!("{what} \"{}\" is not defined", name.text));
        diagnostic.help = near.or(coordinate);
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
                    Local::Value(..) | Local::Own(_) => None,
                };
                self.wrong(Error::Role, name.span, message, help);
            }
            None if self.is_made_here(name.text, scope) => self.made_of_itself(name, scope),
            None => self.unknown(what, name, scope),
        }
    }

    /// Reports an image of the program in a body, which sees its own alone.
    pub(super) fn not_a_parameter(&mut self, name: Name<'s>, scope: &Scope<'s>) {
        if self.is_made_here(name.text, scope) {
            self.made_of_itself(name, scope);
            return;
        }
        let word = scope.role.word();
        let help = match scope.role.is_applied() {
            true => format!(", and apply the {word} to \"{}\"", name.text),
            false => String::new(),
        };
        let help = Some(format!("make it a parameter of the {word}{help}"));
        let message = format!("\"{}\" is the program's, expected what the {word} is given", name.text);
        self.wrong(Error::Role, name.span, message, help);
    }

    /// Whether a name is that of the body in which it stands, or of an image that this stencil makes.
    fn is_made_here(&self, name: &str, scope: &Scope<'s>) -> bool {
        scope.of.is_some_and(|of| {
            let makes = |item: &Item<'s>| match item {
                Item::Assign(names, id) => names.iter().any(|made| made.text == name) && applies(self.ast, *id, of),
                _ => false,
            };
            name == of || scope.role.is_applied() && self.ast.items.iter().any(makes)
        })
    }

    /// Reports recursion.
    fn made_of_itself(&mut self, name: Name<'s>, scope: &Scope<'s>) {
        let of = scope.of.unwrap_or_default();
        let (message, help) = match scope.role.is_applied() {
            true => (
                format!("\"{}\" is made of itself by {} \"{of}\"", name.text, scope.role.word()),
                "points that are made of those before them are a scan: scan[float Y] f(...) reads Y@[-1, 0] or 0.0; \
                 iterate[n](...) repeats a step on a whole image",
            ),
            false => (
                format!("function \"{of}\" calls itself"),
                "functions are written out where they are called; a window has so many terms: sum[i = 0..9](...)",
            ),
        };
        self.wrong(Error::Role, name.span, message, Some(help.to_owned()));
    }

    /// A number of the program by its name.
    pub(super) fn number(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Ty {
        match self.names.entity(name.text).cloned() {
            Some(Entity::Value(ty, _)) => ty,
            Some(Entity::Wrong) => Ty::Wrong,
            Some(Entity::Table(_, extents)) => self.table_as_number(name, extents.len()),
            Some(Entity::Image(..)) if scope.role.is_applied() => {
                self.not_a_parameter(name, scope);
                Ty::Wrong
            }
            Some(Entity::Image(..)) => {
                let message = format!("\"{}\" is an image, expected a number", name.text);
                self.wrong(Error::Role, name.span, message, None)
            }
            Some(Entity::Def(number)) => {
                let role = self.defs[number].role;
                let what = format!("a {}", role.word());
                let message = format!("\"{}\" is {what}, expected a number", name.text);
                let help = (!role.is_applied()).then(|| format!("call it: {}(...)", name.text));
                self.wrong(Error::Role, name.span, message, help)
            }
            None if self.names.is_parameter(name.text) => {
                let message = format!("\"{}\" is a parameter, expected a constant", name.text);
                let help = Some("leave out the word const, below the images".to_owned());
                self.wrong(Error::Constant, name.span, message, help)
            }
            None => {
                match self.names.later(name.text) {
                    Some(true) if scope.of.is_some() => self.not_a_parameter(name, scope),
                    _ => self.unknown("name", name, scope),
                }
                Ty::Wrong
            }
        }
    }

    /// Reports what a scan or scatter makes, where it cannot be read.
    pub(super) fn own(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Ty {
        let (message, help) = match scope.role {
            Role::Scan => {
                let before = before(scope.line, scope.rank.unwrap_or(1));
                let help = format!("write {}@[{before}] or ..., with what there is where a line begins", name.text);
                ("is not computed here, expected a point before this one", help)
            }
            _ => {
                let help = format!("return {0}@(...) + ..., or *, &, |, ^, min({0}@(...), ...)", name.text);
                ("can only be updated", help)
            }
        };
        self.wrong(Error::Role, name.span, format!("\"{}\" {message}", name.text), Some(help))
    }

    /// The image of a body, or the table of the program, by its name; `None` after a mistake.
    pub(super) fn local_image(&mut self, name: Name<'s>, scope: &Scope<'s>) -> Option<(Type, u32)> {
        match scope.locals.get(name.text) {
            Some(Local::Image(ty, rank)) => Some((*ty, *rank)),
            Some(Local::Value(Ty::Wrong, _)) => None,
            Some(Local::Own(_)) => {
                self.own(name, scope);
                None
            }
            Some(Local::Value(..)) => {
                let message = format!("\"{}\" is a number, expected an image before \"@\"", name.text);
                self.wrong(Error::Role, name.span, message, None);
                None
            }
            None => {
                match self.names.entity(name.text) {
                    Some(Entity::Wrong) => {}
                    Some(Entity::Image(..)) => self.not_a_parameter(name, scope),
                    Some(Entity::Table(ty, extents)) => return Some((*ty, extents.len() as u32)),
                    Some(_) => {
                        let message = format!("\"{}\" is no image, expected one before \"@\"", name.text);
                        self.wrong(Error::Role, name.span, message, None);
                    }
                    None if self.names.later(name.text) == Some(true) || self.is_made_here(name.text, scope) => {
                        self.not_a_parameter(name, scope);
                    }
                    None => self.unknown("image", name, scope),
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
                    Entity::Def(number) => self.defs[number].role.word(),
                    Entity::Table(..) => "table",
                    _ => "number",
                };
                let message = format!("\"{}\" is a {what}, expected an image", name.text);
                self.wrong(Error::Role, name.span, message, None);
                None
            }
            None => {
                self.unknown("image", name, &Scope::new());
                None
            }
        }
    }
}

/// Whether an image is what a stencil makes, or is made of that.
fn applies(ast: &Ast<'_>, image: Id, stencil: &str) -> bool {
    match &ast[image].kind {
        Kind::Call(name, args, _) => name.text == stencil || args.iter().any(|arg| applies(ast, arg.value, stencil)),
        _ => false,
    }
}
