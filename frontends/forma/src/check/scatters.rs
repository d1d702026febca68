//! Scatters: places of the result that are computed, and what they become.
//!
//! ```text
//! scatter[int n = 0] f(vector#3 uint8 X) at [c] for [y = 0..H - 1, x = 0..W - 1] { return n@(index(X@(c, x, y)), c) + 1; }
//!                                                                                          place              coordinate
//! ```

use super::{
    checker::{Checker, plural},
    limits::{LEAST, MAX_RANK},
    names::{Entity, Local, Scope},
    ty::{Ty, Value},
};
use crate::{
    ast::{Ast, Binary, Def, Id, Kind, Name, Type},
    diagnostics::Kind as Error,
    span::Span,
};

/// How a value is combined with what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    Operator(Binary),
    Min,
    Max,
}

/// The place, how a value is combined with what is there, and the value: `count@(level) + 1`, `max(best@(level), X@(x, y))`.
pub(crate) fn update_of(ast: &Ast<'_>, id: Id) -> Option<(Id, Combine, Id)> {
    let (place, combine, value) = match &ast[id].kind {
        Kind::Binary(op @ (Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor), a, b) => {
            (*a, Combine::Operator(*op), *b)
        }
        Kind::Call(name, args, None) if args.len() == 2 => match name.text {
            "min" => (args[0].value, Combine::Min, args[1].value),
            "max" => (args[0].value, Combine::Max, args[1].value),
            _ => return None,
        },
        _ => return None,
    };
    matches!(ast[place].kind, Kind::Place(..)).then_some((place, combine, value))
}

impl<'s> Checker<'s, '_> {
    /// What a scatter goes over.
    pub(super) fn domain(&mut self, def: &Def<'s>, scope: &mut Scope<'s>) {
        for window in &def.domain {
            let first = self.constant(window.first, "the first point of a domain", LEAST);
            self.value(window.last, scope, Some(Type::Index));
            let last = match self.fit(window.last, Type::Index) {
                Ty::Is(_) => self.known(window.last),
                _ => None,
            };
            self.local(scope, window.name, Local::Value(Ty::Is(Type::Index), 1));
            let (Some(first), Some(Value::Int(last))) = (first, last) else { continue };
            if last < first {
                let at = self.ast[window.first].span.to(self.ast[window.last].span);
                let help = Some("first..last, both are part of it".to_owned());
                self.wrong(Error::Size, at, format!("a domain from {first} to {last}, which has no point"), help);
            }
            scope.windows.insert(window.name.text, (first, last));
        }
        if def.domain.len() > MAX_RANK as usize {
            let message = format!("a domain of {} variables, expected 1 to {MAX_RANK}", def.domain.len());
            self.wrong(Error::Count, def.domain[0].name.span, message, None);
        }
    }

    /// What a scatter returns for a result: it updates that, and nothing else.
    pub(super) fn update(&mut self, own: Name<'s>, id: Id, scope: &mut Scope<'s>, ty: Option<Type>) -> Ty {
        let update = update_of(self.ast, id).filter(|(place, combine, _)| {
            let is_own = matches!(&self.ast[*place].kind, Kind::Place(name, _) if name.text == own.text);
            let is_hidden = |name| matches!(self.names.entity(name), Some(Entity::Def(_)));
            is_own
                && match combine {
                    Combine::Operator(_) => true,
                    Combine::Min => !is_hidden("min"),
                    Combine::Max => !is_hidden("max"),
                }
        });
        let Some((place, ..)) = update else {
            let message = format!("a scatter returns no update of \"{}\"", own.text);
            let help = format!(
                "return {0}@(...) + ..., or *, &, |, ^, min({0}@(...), ...); a sum behind it stands in brackets",
                own.text
            );
            let wrong = self.wrong(Error::Role, self.ast[id].span, message, Some(help));
            return self.set(id, wrong);
        };
        scope.update = Some(place);
        let ty = self.value(id, scope, ty);
        scope.update = None;
        ty
    }

    /// The place that is updated, of which the indices have been checked: computed ones first, then the coordinates.
    pub(super) fn updated(&mut self, name: Name<'s>, indices: &[Id], span: Span, scope: &mut Scope<'s>) -> Ty {
        let Some(Local::Own(ty)) = scope.locals.get(name.text).copied() else { return Ty::Wrong };
        let rank = indices.len() as u32;
        let expected = *scope.places.get_or_insert(rank);
        if rank != expected || rank > MAX_RANK {
            let expected =
                if rank > MAX_RANK { format!("at most {MAX_RANK}") } else { format!("{expected} as before") };
            let message = format!("{} of \"{}\", expected {expected}", plural(indices.len(), "place"), name.text);
            return self.wrong(Error::Rank, span, message, None);
        }
        let coordinates = scope.coordinates.clone();
        let own = indices.len().checked_sub(coordinates.len()).map(|first| &indices[first..]);
        let is_own = |(id, name): (&Id, &&str)| matches!(self.ast[*id].kind, Kind::Name(found) if found == *name);
        if own.is_some_and(|own| own.iter().zip(&coordinates).all(is_own)) {
            return Ty::Is(ty);
        }
        let list = coordinates.join(", ");
        let message =
            format!("a place of \"{}\" that does not end with {list}, the coordinates of the scatter", name.text);
        self.wrong(Error::Role, span, message, Some(format!("write {}@(..., {list})", name.text)))
    }
}
