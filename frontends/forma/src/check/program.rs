//! Programs: their statements, in the order in which they are looked at, which is not the one in which they are written.

use super::{
    bodies::has_wrong_rank,
    checker::{Checker, plural},
    names::{Entity, Scope},
    ty::Ty,
};
use crate::{
    ast::{Ast, Id, Item, Kind, Name, Type, TypeName},
    diagnostics::Kind as Error,
    span::Span,
};
use std::collections::HashSet;

impl<'s> Checker<'s, '_> {
    /// Checks all of it.
    pub(super) fn program(&mut self) {
        let ast = self.ast;
        // What is an extent of an image must be known first.
        self.bound = extents_of_images(ast);
        // Constants come first: they are made of each other, not of what the program is given. Stencils may be applied before they are
        // written, and all bodies see all parameters and constants.
        let phases = [Self::constant_item, Self::parameter_item, Self::def_item, Self::image_item];
        for phase in phases {
            for item in &ast.items {
                phase(self, item);
                if self.full() {
                    return;
                }
            }
        }
        if returns(ast).next().is_none() && self.names.is_whole {
            let end = Span { start: ast.end, end: ast.end };
            let help = Some("end it with return and the names of images".to_owned());
            self.error(Error::Return, end, "the program has no return").help = help;
        }
    }

    fn constant_item(&mut self, item: &Item<'s>) {
        match item {
            Item::Const(ty, name, value) => {
                let mut scope = Scope::new();
                let mut found = self.value(*value, &mut scope, ty.map(|ty| ty.ty));
                if let Some(ty) = ty {
                    found = self.fit(*value, ty.ty);
                }
                if let Some(literal) = self.known(*value) {
                    self.constants.insert(name.text, literal);
                }
                self.define(*name, Entity::Value(found, 1));
            }
            Item::Table(ty, name, table) => self.table(*ty, *name, table),
            Item::Extents(list) => self.names.expect_parameters(list.iter().map(|(name, _)| name.text)),
            Item::Numbers(_, names) => self.names.expect_parameters(names.iter().map(|name| name.text)),
            _ => {}
        }
    }

    fn parameter_item(&mut self, item: &Item<'s>) {
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
    }

    fn def_item(&mut self, item: &Item<'s>) {
        if let Item::Def(def) = item {
            let signature = self.def(def);
            self.defs.push(signature);
            let number = self.defs.len() - 1;
            self.define(def.name, if has_wrong_rank(def) { Entity::Wrong } else { Entity::Def(number) });
        }
    }

    fn image_item(&mut self, item: &Item<'s>) {
        match item {
            Item::Vector { rank, ty, name, extents } => self.vector(*rank, *ty, *name, extents),
            Item::Assign(names, id) => self.assign(names, *id),
            Item::Return(span, names) => self.return_of_program(*span, names),
            _ => {}
        }
    }

    /// An image that the program is given.
    fn vector(&mut self, rank: (u32, Span), ty: TypeName, name: Name<'s>, extents: &[Id]) {
        let rank = self.rank(rank);
        if let Some(rank) = rank.filter(|rank| extents.len() != *rank as usize) {
            let span = self.span_of(extents);
            let message = format!("{} of vector#{rank}, expected {rank}", plural(extents.len(), "extent"));
            self.error(Error::Rank, span, message);
        }
        self.pixel(ty);
        for id in extents {
            self.extent(*id);
        }
        self.define(name, rank.map_or(Entity::Wrong, |rank| Entity::Image(ty.ty, rank)));
    }

    fn return_of_program(&mut self, span: Span, names: &[Name<'s>]) {
        if returns(self.ast).next() != Some(span) {
            self.error(Error::Return, span, "a second return, expected one at the end of the program");
        }
        let mut seen = HashSet::new();
        for name in names {
            self.image_named(*name);
            if !seen.insert(name.text) {
                let message = format!("\"{}\" is returned twice", name.text);
                self.error(Error::Twice, name.span, message);
            }
        }
    }
}

/// The parameters that are extents of images, as vectors say.
fn extents_of_images(ast: &Ast<'_>) -> HashSet<String> {
    let extents = ast.items.iter().filter_map(|item| match item {
        Item::Vector { extents, .. } => Some(extents),
        _ => None,
    });
    let names = extents.flatten().filter_map(|id| match ast[*id].kind {
        Kind::Name(name) => Some(name.to_owned()),
        _ => None,
    });
    names.collect()
}

/// Where the program returns.
fn returns(ast: &Ast<'_>) -> impl Iterator<Item = Span> {
    ast.items.iter().filter_map(|item| match item {
        Item::Return(span, _) => Some(*span),
        _ => None,
    })
}
