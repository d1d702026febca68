//! Images: what gives them, what they are called, and what lies beyond their edges.

use super::{
    builtins::{self, MODES, RESAMPLERS},
    checker::{Checker, plural},
    names::{Entity, Scope},
    ty::Ty,
};
use crate::{
    ast::{Id, Kind, Mode, Name, Type},
    diagnostics::{Kind as Error, nearest},
};

impl<'s> Checker<'s, '_> {
    fn is_image(&self, id: Id) -> bool {
        match &self.ast[id].kind {
            Kind::Name(name) => matches!(self.names.entity(name), Some(Entity::Image(..))),
            Kind::Call(name, ..) => match self.names.entity(name.text) {
                Some(Entity::Def(number)) => self.defs[*number].role.is_applied(),
                // Mostly a stencil with a mistake, of which nothing more is said.
                Some(Entity::Wrong) => true,
                Some(_) => false,
                None => RESAMPLERS.contains(&name.text) || builtins::operands(name.text).is_none(),
            },
            Kind::Compose(_) | Kind::Iterate(_) => true,
            _ => false,
        }
    }

    /// Names for what an expression gives.
    pub(super) fn assign(&mut self, names: &[Name<'s>], id: Id) {
        if !self.is_image(id) {
            let mut scope = Scope::new();
            self.value(id, &mut scope, None);
            let ty = self.settle(id);
            if let [_, second, ..] = names {
                let message = format!("{} of a number, expected 1", plural(names.len(), "name"));
                self.error(Error::Count, second.span, message);
            }
            let entity = if ty == Ty::Wrong { Entity::Wrong } else { Entity::Value(ty, self.depth(id)) };
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
    pub(super) fn image(&mut self, id: Id) -> Option<(Type, u32)> {
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

    /// A boundary mode of an image of this type.
    pub(super) fn mode(&mut self, mode: Option<Mode<'s>>, ty: Option<Type>) {
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
                let help = match text {
                    // Libraries do not agree on which of the two it is.
                    "reflect" | "symmetric" => Some(
                        "\"mirror\" repeats the edge (b a | a b c), \"reflect101\" does not (c b | a b c)".to_owned(),
                    ),
                    _ => nearest(text, MODES).map(|near| format!("did you mean \"{near}\"?")),
                };
                let message = format!(
                    "boundary mode \"{text}\", expected clamped, mirror, reflect101, wrap, constant(...) or inside"
                );
                self.wrong(Error::Boundary, name.span, message, help);
            }
        }
    }
}
