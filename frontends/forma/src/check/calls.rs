//! Calls that give a number: of functions that the program defines, and of those that there are anyway.

use super::{
    builtins::{self, PLACES, RESAMPLERS},
    checker::{Checker, plural},
    names::{Entity, Local, Scope, Signature},
    ty::Ty,
};
use crate::{
    ast::{Arg, Id, Kind, Name, Type, type_name},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// The type of a call, and how deep it is.
    pub(super) fn call(
        &mut self,
        name: Name<'s>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
        scope: &mut Scope<'s>,
        want: Option<Type>,
    ) -> (Ty, u32) {
        let known = self.signature(name);
        if !self.gives_a_number(known.as_ref(), name, args, extents, span) {
            return (Ty::Wrong, 0);
        }
        let operands = known.as_ref().map(|known| known.params.len()).or_else(|| builtins::operands(name.text));
        let Some(expected) = operands else {
            self.unknown_call("function", name, scope);
            return (Ty::Wrong, 0);
        };
        if args.len() != expected {
            let message = format!("{} of \"{}\", expected {expected}", plural(args.len(), "argument"), name.text);
            return (self.wrong(Error::Count, span, message, None), 0);
        }
        match known {
            Some(known) => {
                let (results, depth) = self.call_of_function(&known, args, scope);
                let ty = match results.as_deref() {
                    Some([ty]) => Ty::Is(*ty),
                    Some(types) => {
                        let message = format!(
                            "{} of \"{}\" where a number is expected",
                            plural(types.len(), "result"),
                            name.text
                        );
                        self.wrong(
                            Error::Count,
                            span,
                            message,
                            Some(format!("give them names: let a, b = {}(...);", name.text)),
                        )
                    }
                    None => Ty::Wrong,
                };
                (ty, depth)
            }
            None if name.text == "extent" => (self.extent_of(args, scope), 0),
            None => {
                for arg in args {
                    self.value(arg.value, scope, want);
                }
                let operands: Vec<Id> = args.iter().map(|arg| arg.value).collect();
                (self.builtin(name.text, &operands, span, want), self.deepest(operands))
            }
        }
    }

    /// The function, or stencil, of the program by its name.
    fn signature(&self, name: Name<'s>) -> Option<Signature> {
        match self.names.entity(name.text) {
            Some(Entity::Def(number)) => Some(self.defs[*number].clone()),
            _ => None,
        }
    }

    /// The types of the results of a function, for which there are several names, and how deep they are.
    pub(super) fn several(&mut self, names: &[Name<'s>], id: Id, scope: &mut Scope<'s>) -> (Option<Vec<Type>>, u32) {
        let ast = self.ast;
        if let Kind::Over(name, windows, body) = &ast[id].kind
            && PLACES.contains(&name.text)
        {
            scope.cost = scope.cost.saturating_add(scope.factor);
            let (types, depth) = self.places(names, (*name, windows, *body), ast[id].span, scope);
            return (types, depth.saturating_add(1));
        }
        let known = match &ast[id].kind {
            Kind::Call(name, args, extents) => {
                // Of a wrong number of arguments is said what is of any call.
                let known =
                    self.signature(*name).filter(|known| !known.role.is_applied() && known.params.len() == args.len());
                known.map(|known| (known, name, args, extents))
            }
            _ => None,
        };
        let found = match &known {
            None if self.value(id, scope, None) == Ty::Wrong => return (None, 0),
            None => Some("a number".to_owned()),
            Some((known, name, ..)) => {
                let count = known.results.as_ref().map(Vec::len).filter(|count| *count != names.len());
                count.map(|count| format!("{} of \"{}\"", plural(count, "result"), name.text))
            }
        };
        let (None, Some((known, name, args, extents))) = (&found, known) else {
            let span = names[0].span.to(names[names.len() - 1].span);
            let message = format!("{} for {}", plural(names.len(), "name"), found.unwrap_or_default());
            self.wrong(Error::Count, span, message, None);
            return (None, 0);
        };
        if !self.gives_a_number(Some(&known), *name, args, extents.as_deref(), ast[id].span) {
            return (None, 0);
        }
        scope.cost = scope.cost.saturating_add(scope.factor);
        let (types, depth) = self.call_of_function(&known, args, scope);
        // Its type is not asked for: what is read are its results, by their names.
        (types, depth.saturating_add(1))
    }

    /// Whether a call can give a number, and not images: it has nothing that only those have.
    fn gives_a_number(
        &mut self,
        known: Option<&Signature>,
        name: Name<'s>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
    ) -> bool {
        if known.map_or(RESAMPLERS.contains(&name.text), |known| known.role.is_applied()) {
            let message = format!("\"{}\" gives an image, expected a number", name.text);
            let help = Some("apply it outside of stencils, and give its result a name".to_owned());
            self.wrong(Error::Role, span, message, help);
            return false;
        }
        if let Some(extents) = extents {
            let message = format!("extents of function \"{}\", which gives a number", name.text);
            self.wrong(Error::Size, self.span_of(extents), message, None);
            return false;
        }
        if let Some(mode) = args.iter().find_map(|arg| arg.mode) {
            let message = "a boundary mode of a number, expected it where a stencil is applied";
            self.wrong(Error::Boundary, mode.name.span, message, None);
            return false;
        }
        true
    }

    /// A call of a function that the program defines: the types of its results, `None` after a mistake, and how deep they are.
    fn call_of_function(
        &mut self,
        known: &Signature,
        args: &[Arg<'s>],
        scope: &mut Scope<'s>,
    ) -> (Option<Vec<Type>>, u32) {
        for (arg, (_, ty)) in args.iter().zip(&known.params) {
            self.value(arg.value, scope, Some(*ty));
        }
        scope.cost = scope.cost.saturating_add(scope.factor.saturating_mul(known.cost));
        let mut fine = true;
        for (arg, (_, ty)) in args.iter().zip(&known.params) {
            fine &= self.fit(arg.value, *ty) != Ty::Wrong;
        }
        let results = known.results.clone().filter(|_| fine);
        (results, self.deepest(args.iter().map(|arg| arg.value)).saturating_add(known.depth))
    }

    /// What a function that is there anyway gives of operands that have been checked, which are of one type.
    fn builtin(&mut self, name: &str, operands: &[Id], span: Span, want: Option<Type>) -> Ty {
        let of = match self.alike_all(name, operands, span, want) {
            Ty::Is(of) => of,
            _ => return Ty::Wrong,
        };
        let of_floats = !matches!(name, "abs" | "min" | "max" | "clamp" | "lerp");
        if of == Type::Bool || of_floats && !of.is_float() {
            let expected = if of_floats { "floats" } else { "numbers" };
            let help = of_floats.then(|| "write float(...)".to_owned());
            return self.wrong(Error::Type, span, format!("{name} of {}, expected {expected}", type_name(of)), help);
        }
        Ty::Is(of)
    }

    /// Operands of one type, of which literals may be some or all.
    fn alike_all(&mut self, name: &str, operands: &[Id], span: Span, want: Option<Type>) -> Ty {
        let mut ty = match want {
            Some(want) if operands.iter().all(|id| matches!(self.ty(*id), Ty::Literal(_))) => {
                self.fit(operands[0], want)
            }
            _ => Ty::Wrong,
        };
        for pair in operands.windows(2) {
            ty = self.alike(pair[0], pair[1], want, name, span);
            if ty == Ty::Wrong {
                return ty;
            }
        }
        // A literal before the first typed operand.
        if let Ty::Is(of) = ty {
            for id in operands {
                ty = self.fit(*id, of);
            }
        } else if let [only] = operands {
            ty = self.settle(*only);
        }
        ty
    }

    /// `extent(X, 0)`.
    fn extent_of(&mut self, args: &[Arg<'s>], scope: &mut Scope<'s>) -> Ty {
        let (image, dimension) = (args[0].value, args[1].value);
        let span = self.ast[image].span;
        let Kind::Name(name) = self.ast[image].kind else {
            return self.wrong(Error::Role, span, "extent of an expression, expected the name of an image", None);
        };
        let rank = match (scope.locals.get(name), self.names.entity(name)) {
            (Some(Local::Image(_, rank)), _) => *rank,
            (None, Some(Entity::Image(_, rank))) if !scope.role.is_applied() => *rank,
            (Some(Local::Value(Ty::Wrong, _)), _) | (None, Some(Entity::Wrong)) => return Ty::Wrong,
            (None, Some(Entity::Image(..))) => {
                self.not_a_parameter(Name { text: name, span }, scope);
                return Ty::Wrong;
            }
            (None, None) => {
                self.unknown("image", Name { text: name, span }, scope);
                return Ty::Wrong;
            }
            _ => return self.wrong(Error::Role, span, format!("extent of \"{name}\", which is no image"), None),
        };
        match self.constant(dimension, "a dimension", 0) {
            Some(found) if found < i64::from(rank) => Ty::Is(Type::Index),
            Some(found) => {
                let message = format!("dimension {found} of \"{name}\", expected 0 to {}", rank - 1);
                self.wrong(Error::Rank, self.ast[dimension].span, message, None)
            }
            None => Ty::Wrong,
        }
    }
}
