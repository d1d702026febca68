//! Numbers, in bodies and of the program: an expression is what its parts are, and each kind of expression has a function.

use super::{
    builtins::COORDINATES,
    checker::{Checker, plural},
    limits::DEEPEST,
    names::{Entity, Local, Scope},
    ty::{Ty, Value, range},
};
use crate::{
    ast::{Id, Kind, Name, Role, Type, TypeName},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// The type of an expression. `want` is what literals had better be.
    pub(super) fn value(&mut self, id: Id, scope: &mut Scope<'s>, want: Option<Type>) -> Ty {
        scope.cost = scope.cost.saturating_add(scope.factor);
        let (ty, below) = self.kind(id, scope, want);
        let depth = below.saturating_add(1);
        let ty = if depth > DEEPEST && ty != Ty::Wrong {
            let message = format!("a value that depends on {DEEPEST} others, one on the other");
            self.wrong(Error::Depth, self.ast[id].span, message, None)
        } else {
            ty
        };
        self.set_depth(id, depth);
        if let Ty::Literal(value) = ty {
            self.set_known(id, Some(value));
        }
        self.set(id, ty)
    }

    /// The type of an expression, and the depth of what it is made of.
    fn kind(&mut self, id: Id, scope: &mut Scope<'s>, want: Option<Type>) -> (Ty, u32) {
        let ast = self.ast;
        let span = ast[id].span;
        match &ast[id].kind {
            Kind::Wrong => (Ty::Wrong, 0),
            Kind::Int(value) => (Ty::Literal(Value::Int(*value)), 0),
            Kind::Float(value) => (Ty::Literal(Value::Float(*value)), 0),
            Kind::Bool(_) => (Ty::Is(Type::Bool), 0),
            Kind::Name(name) => self.named(id, Name { text: name, span }, scope),
            Kind::Unary(op, a) => {
                let ty = self.value(*a, scope, want);
                (self.unary(*op, ty, span), self.depth(*a))
            }
            Kind::Binary(op, a, b) => {
                let hint = if op.compares() { None } else { want };
                self.value(*a, scope, hint);
                self.value(*b, scope, hint);
                (self.binary(*op, *a, *b, span, hint), self.deepest([*a, *b]))
            }
            Kind::Select(c, a, b) => {
                self.value(*c, scope, None);
                self.fit(*c, Type::Bool);
                self.value(*a, scope, want);
                self.value(*b, scope, want);
                let ty = self.alike(*a, *b, want, "?:", span);
                (if self.ty(*c) == Ty::Wrong { Ty::Wrong } else { ty }, self.deepest([*c, *a, *b]))
            }
            Kind::Near(name, offsets) => {
                let below = self.indices(offsets, scope);
                (self.near(*name, offsets.len(), span, scope), below)
            }
            Kind::Before(name, offsets, begin) => {
                let below = self.indices(offsets, scope);
                let ty = self.before(*name, offsets, *begin, span, scope);
                (ty, below.max(self.depth(*begin)))
            }
            Kind::Place(name, indices) => {
                let below = self.indices(indices, scope);
                let ty = match scope.update {
                    Some(update) if update == id => self.updated(*name, indices, span, scope),
                    _ => self.place(*name, indices, span, scope),
                };
                (ty, below)
            }
            Kind::Call(name, args, extents) => self.call(*name, args, extents.as_deref(), span, scope, want),
            Kind::Cast(to, a) | Kind::Saturate(to, a) => {
                self.value(*a, scope, None);
                (self.cast(*to, *a, span), self.depth(*a))
            }
            Kind::Over(name, windows, body) => self.over(*name, windows, *body, span, scope, want),
            Kind::Compose(_) | Kind::Iterate(_) => {
                (self.wrong(Error::Role, span, "an image where a number is expected", None), 0)
            }
        }
    }

    /// A number, or an image at the point that is computed.
    fn named(&mut self, id: Id, name: Name<'s>, scope: &Scope<'s>) -> (Ty, u32) {
        match scope.locals.get(name.text) {
            Some(Local::Value(ty, depth)) => (*ty, *depth),
            Some(Local::Image(ty, rank)) => (self.point(name, (*ty, *rank), scope), 0),
            Some(Local::Own(_)) => (self.own(name, scope), 0),
            None => {
                self.set_known(id, self.constants.get(name.text).copied());
                let below = match self.names.entity(name.text) {
                    Some(Entity::Value(_, depth)) => *depth,
                    _ => 0,
                };
                (self.number(name, scope), below)
            }
        }
    }

    /// `X@[dx, dy]`, of which the offsets have been checked.
    fn near(&mut self, name: Name<'s>, offsets: usize, span: Span, scope: &Scope<'s>) -> Ty {
        let Some((ty, rank)) = self.local_image(name, scope) else { return Ty::Wrong };
        if !scope.locals.contains_key(name.text) {
            return self.table_as_number(name, rank as usize);
        }
        if offsets == rank as usize {
            return self.point(Name { text: name.text, span }, (ty, rank), scope);
        }
        let found = plural(offsets, "offset");
        let message = format!("{found} of \"{}\", which is vector#{rank}: expected {rank}", name.text);
        let zeros = vec!["0"; rank as usize].join(",");
        let help = Some(format!("one for each dimension, x first: {}@[{zeros}]", name.text));
        self.wrong(Error::Rank, span, message, help)
    }

    /// `X@(x, y)`, of which the indices have been checked.
    fn place(&mut self, name: Name<'s>, indices: &[Id], span: Span, scope: &Scope<'s>) -> Ty {
        let Some((ty, rank)) = self.local_image(name, scope) else { return Ty::Wrong };
        if indices.len() == rank as usize {
            if !scope.locals.contains_key(name.text) {
                self.inside_table(name, indices, scope);
            }
            return Ty::Is(ty);
        }
        let found = match indices.len() {
            1 => "1 index".to_owned(),
            count => format!("{count} indices"),
        };
        let message = format!("{found} of \"{}\", which is vector#{rank}: expected {rank}", name.text);
        self.wrong(Error::Rank, span, message, Some("one for each dimension, x first".into()))
    }

    /// Indices of an image, and how deep they are.
    pub(super) fn indices(&mut self, indices: &[Id], scope: &mut Scope<'s>) -> u32 {
        for id in indices {
            self.value(*id, scope, Some(Type::Index));
            self.fit(*id, Type::Index);
        }
        self.deepest(indices.iter().copied())
    }

    /// The image at the point that is computed.
    fn point(&mut self, name: Name<'s>, (ty, rank): (Type, u32), scope: &Scope<'s>) -> Ty {
        match scope.rank {
            Some(own) if own == rank => Ty::Is(ty),
            Some(own) => {
                let message = format!("\"{}\" is vector#{rank}, the result of the stencil vector#{own}", name.text);
                let places = COORDINATES[..rank.clamp(1, 4) as usize].join(", ");
                let help = Some(format!("say which point of it: {}@({places})", name.text));
                self.wrong(Error::Rank, name.span, message, help)
            }
            None if scope.role == Role::Scatter => {
                let message =
                    format!("\"{}\" at no point, expected a place: a scatter is at none of an image", name.text);
                let places = COORDINATES[..rank.clamp(1, 4) as usize].join(", ");
                self.wrong(
                    Error::Rank,
                    name.span,
                    message,
                    Some(format!("say which point of it: {}@({places})", name.text)),
                )
            }
            None => Ty::Wrong,
        }
    }

    /// A cast of what has been checked. A literal becomes what it is cast to.
    fn cast(&mut self, to: TypeName, a: Id, span: Span) -> Ty {
        let was = self.ty(a);
        let found = match was {
            Ty::Literal(_) if to.ty.is_float() => self.fit(a, to.ty),
            // Of one that the type does not have the low bits are kept, or the nearest value is taken.
            Ty::Literal(Value::Int(value)) if to.ty != Type::Bool => {
                let has = |ty: &Type| (range(*ty).0..=range(*ty).1).contains(&value.into());
                self.fit(a, [to.ty, Type::I32].into_iter().find(has).unwrap_or(Type::I64))
            }
            _ => self.settle(a),
        };
        match found {
            Ty::Is(_) if to.ty == Type::Bool => {
                self.wrong(Error::Type, span, "a cast to bool", Some("compare it: ... != 0".into()))
            }
            Ty::Is(_) => Ty::Is(to.ty),
            _ if matches!(was, Ty::Literal(_)) => Ty::Wrong,
            other => other,
        }
    }
}
