//! Stencils, scans, scatters and functions.

use super::{
    checker::{Checker, plural},
    limits::{LARGEST, MAX_RANK, is_rank},
    names::{Local, Scope, Signature},
    ty::Ty,
};
use crate::{
    ast::{Def, Id, Name, Param, Role, Stmt, Type, TypeName, type_name},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// A stencil or function: what its body has, and what those who call it see.
    pub(super) fn def(&mut self, def: &Def<'s>) -> Signature {
        let mut scope = Scope {
            of: Some(def.name.text),
            role: def.role,
            coordinates: def.coordinates.iter().flatten().map(|name| name.text).collect(),
            ..Scope::new()
        };
        for param in &def.params {
            let local = self.param(def, param);
            self.local(&mut scope, param.name, local);
        }
        let rank = match &def.coordinates {
            Some(names) => Some(self.coordinates(names, &mut scope)),
            None => def.params.iter().find_map(rank_of),
        };
        scope.rank = rank.filter(|_| matches!(def.role, Role::Stencil | Role::Scan));
        self.own_results(def, &mut scope);
        self.domain(def, &mut scope);
        let (mut results, depth) = self.statements(def, &mut scope);
        if scope.cost > LARGEST {
            let message = format!("{} \"{}\" has more than {LARGEST} operations", def.role.word(), def.name.text);
            let help = "functions, and windows of 25 points or less, count as often as they are written out";
            self.error(Error::Depth, def.name.span, message).help = Some(help.into());
            results = None;
        }
        let params = def.params.iter().map(|param| (rank_of(param), param.ty.ty)).collect();
        let rank = if def.role == Role::Scatter { scope.places } else { rank };
        self.line_of(def, &scope, results.is_some());
        Signature { role: def.role, params, rank, results, cost: scope.cost, depth }
    }

    /// What a scan or scatter makes, as its body sees it.
    fn own_results(&mut self, def: &Def<'s>, scope: &mut Scope<'s>) {
        for own in &def.results {
            self.pixel(own.ty);
            if let Some(begin) = own.begin {
                self.value(begin, scope, Some(own.ty.ty));
                self.fit(begin, own.ty.ty);
            }
        }
        for own in &def.results {
            self.local(scope, own.name, Local::Own(own.ty.ty));
        }
    }

    fn param(&mut self, def: &Def<'s>, param: &Param<'s>) -> Local {
        let Some((rank, span)) = param.rank else { return Local::Value(Ty::Is(param.ty.ty), 1) };
        if !def.role.is_applied() {
            let message = "a function of an image, expected numbers";
            self.error(Error::Role, span, message).help = Some("make it a stencil".into());
        }
        let rank = self.rank((rank, span));
        self.pixel(param.ty);
        rank.map_or(Local::Value(Ty::Wrong, 1), |rank| Local::Image(param.ty.ty, rank))
    }

    /// The rank of an image, `None` after a mistake.
    pub(super) fn rank(&mut self, (rank, span): (u32, Span)) -> Option<u32> {
        if !is_rank(rank) {
            let message = format!("vector#{rank}, expected vector#1 to vector#{MAX_RANK}");
            self.error(Error::Rank, span, message);
        }
        Some(rank).filter(|rank| is_rank(*rank))
    }

    /// Names of the point that is computed, and how many there are.
    fn coordinates(&mut self, names: &[Name<'s>], scope: &mut Scope<'s>) -> u32 {
        if names.len() > MAX_RANK as usize {
            let span = names[0].span.to(names[names.len() - 1].span);
            let message = format!("{}, expected 1 to {MAX_RANK}", plural(names.len(), "coordinate"));
            self.error(Error::Rank, span, message);
        }
        for name in names {
            self.local(scope, *name, Local::Value(Ty::Is(Type::Index), 1));
        }
        names.len() as u32
    }

    /// The types of what a body returns, `None` after a mistake, and how deep that is.
    fn statements(&mut self, def: &Def<'s>, scope: &mut Scope<'s>) -> (Option<Vec<Type>>, u32) {
        let what = def.role.word();
        let (mut results, mut depth) = (None, 1);
        let (mut returned, mut is_whole) = (false, true);
        for stmt in &def.body {
            if self.full() {
                break;
            }
            match stmt {
                Stmt::Let(ty, names, value) => {
                    self.let_be(*ty, names, *value, scope);
                    let name = &names[0];
                    if returned && is_whole {
                        let message = format!("behind the return of {what} \"{}\"", def.name.text);
                        self.error(Error::Return, name.span, message);
                        break;
                    }
                }
                Stmt::Return(span, _) if returned && is_whole => {
                    let message = format!("a second return, expected one at the end of the {what}");
                    self.error(Error::Return, *span, message);
                }
                Stmt::Return(_, values) => {
                    returned = true;
                    results = self.results(def, values, scope);
                    depth = values.iter().map(|id| self.depth(*id)).max().unwrap_or(1);
                }
                Stmt::Wrong => is_whole = false,
            }
        }
        if !returned && is_whole {
            let message = format!("{what} \"{}\" has no return", def.name.text);
            self.error(Error::Return, def.name.span, message);
        }
        (results, depth)
    }

    /// Names for a value, or for all results of a function.
    fn let_be(&mut self, ty: Option<TypeName>, names: &[Name<'s>], value: Id, scope: &mut Scope<'s>) {
        if let [name] = names {
            let mut found = self.value(value, scope, ty.map(|ty| ty.ty));
            if let Some(ty) = ty {
                found = self.fit(value, ty.ty);
            }
            let depth = self.depth(value);
            self.local(scope, *name, Local::Value(found, depth));
            return;
        }
        let (results, depth) = self.several(names, value, scope);
        for (number, name) in names.iter().enumerate() {
            let found = match (results.as_ref().and_then(|types| types.get(number)), ty) {
                (Some(found), Some(ty)) if *found != ty.ty => {
                    let message = format!("{} where {} is expected", type_name(*found), type_name(ty.ty));
                    self.wrong(Error::Type, name.span, message, None)
                }
                (Some(found), _) => Ty::Is(*found),
                (None, _) => Ty::Wrong,
            };
            self.local(scope, *name, Local::Value(found, depth));
        }
    }

    fn results(&mut self, def: &Def<'s>, values: &[Id], scope: &mut Scope<'s>) -> Option<Vec<Type>> {
        let own = &def.results;
        if !own.is_empty() && values.len() != own.len() {
            let found = plural(values.len(), "value");
            let message = format!("{found} returned by a {} of {}", def.role.word(), plural(own.len(), "result"));
            self.error(Error::Count, self.span_of(values), message);
            return None;
        }
        let mut types = Vec::new();
        for (index, id) in values.iter().enumerate() {
            let own = own.get(index);
            let expected = own.map(|own| own.ty).or(def.ty).map(|ty| ty.ty);
            match own {
                Some(own) if def.role == Role::Scatter => self.update(own.name, *id, scope, expected),
                _ => self.value(*id, scope, expected),
            };
            let ty = match expected {
                Some(ty) => self.fit(*id, ty),
                None => self.settle(*id),
            };
            match ty {
                Ty::Is(ty) if def.role == Role::Stencil && !ty.is_pixel() => {
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
}

/// How many dimensions a parameter has, if it is an image.
fn rank_of(param: &Param<'_>) -> Option<u32> {
    param.rank.map(|(rank, _)| rank).filter(|rank| is_rank(*rank))
}

/// Whether the rank of a parameter is a mistake, which has been reported: of its uses nothing is said.
pub(super) fn has_wrong_rank(def: &Def<'_>) -> bool {
    def.params.iter().any(|param| param.rank.is_some() && rank_of(param).is_none())
}
