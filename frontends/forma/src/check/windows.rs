//! Sums, products and extremes over windows, and where in a window an extreme is.

use super::{
    builtins::{FOLDS, PLACES},
    checker::{Checker, plural},
    limits::{LEAST, MAX_RANK, UNROLLED},
    names::{Local, Scope},
    ty::{Ty, Value},
};
use crate::{
    ast::{Id, Name, Type, Window},
    diagnostics::{Kind as Error, nearest},
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// `sum[i = -1..1](...)` or `argmin[i = 0..9](...)`: its type, and how deep it is.
    pub(super) fn over(
        &mut self,
        name: Name<'s>,
        windows: &[Window<'s>],
        body: Id,
        span: Span,
        scope: &mut Scope<'s>,
        want: Option<Type>,
    ) -> (Ty, u32) {
        if !PLACES.contains(&name.text) {
            return self.over_values(name, windows, body, span, scope, want);
        }
        let (ty, depth) = self.over_values(name, windows, body, span, scope, None);
        if windows.len() > 1 && ty != Ty::Wrong {
            let names: Vec<&str> = windows.iter().map(|window| window.name.text).collect();
            let message = format!("{} of \"{}\" where a number is expected", plural(names.len(), "place"), name.text);
            let help = format!("give them names: let {} = {}[...](...);", names.join(", "), name.text);
            return (self.wrong(Error::Count, span, message, Some(help)), depth);
        }
        (if ty == Ty::Wrong { ty } else { Ty::Is(Type::Index) }, depth)
    }

    /// The types of the places in a window and of the value there, if there are as many names, and how deep they are.
    pub(super) fn places(
        &mut self,
        names: &[Name<'s>],
        (name, windows, body): (Name<'s>, &[Window<'s>], Id),
        span: Span,
        scope: &mut Scope<'s>,
    ) -> (Option<Vec<Type>>, u32) {
        let (ty, depth) = self.over_values(name, windows, body, span, scope, None);
        let places = windows.len();
        let Ty::Is(ty) = ty else { return (None, depth) };
        if names.len() != places && names.len() != places + 1 {
            let found = plural(names.len(), "name");
            let message = format!("{found} for {} of \"{}\" and the value there", plural(places, "place"), name.text);
            self.wrong(Error::Count, names[0].span.to(names[names.len() - 1].span), message, None);
            return (None, depth);
        }
        (Some(std::iter::repeat_n(Type::Index, places).chain([ty]).take(names.len()).collect()), depth)
    }

    /// The type of what is looked at in a window, and how deep that is when small ones are written out, which makes a chain.
    fn over_values(
        &mut self,
        name: Name<'s>,
        windows: &[Window<'s>],
        body: Id,
        span: Span,
        scope: &mut Scope<'s>,
        want: Option<Type>,
    ) -> (Ty, u32) {
        let Some(points) = self.points(name, windows, span, scope) else { return (Ty::Wrong, 0) };
        for window in windows {
            scope.locals.insert(window.name.text, Local::Value(Ty::Is(Type::Index), 1));
            if let (Some(Value::Int(first)), Some(Value::Int(last))) =
                (self.known(window.first), self.known(window.last))
            {
                scope.windows.insert(window.name.text, (first, last));
            }
        }
        let factor = scope.factor;
        // A larger one is the first point, then a loop for each variable.
        let copies = if points <= UNROLLED { points.unsigned_abs() } else { windows.len() as u64 + 1 };
        scope.factor = factor.saturating_mul(copies);
        self.value(body, scope, want);
        scope.factor = factor;
        for window in windows {
            scope.locals.remove(window.name.text);
            scope.windows.remove(window.name.text);
        }
        let ty = match (want, self.ty(body)) {
            (Some(want), Ty::Literal(_)) => self.fit(body, want),
            _ => self.settle(body),
        };
        let ty = if ty == Ty::Is(Type::Bool) {
            let help = Some("write int(...)".to_owned());
            self.wrong(Error::Type, span, format!("{} of bool, expected numbers", name.text), help)
        } else {
            ty
        };
        (ty, self.depth(body) + points.min(UNROLLED) as u32)
    }

    /// How many points a window has; `None` after a mistake.
    fn points(&mut self, name: Name<'s>, windows: &[Window<'s>], span: Span, scope: &Scope<'s>) -> Option<i64> {
        let mut is_window = true;
        if !FOLDS.contains(&name.text) && !PLACES.contains(&name.text) {
            let near = nearest(name.text, FOLDS.into_iter().chain(PLACES));
            let near = near.map(|near| format!("did you mean \"{near}\"?"));
            let message = format!("\"{}\" over a window, expected sum, product, min, max, argmin or argmax", name.text);
            self.wrong(Error::Unknown, name.span, message, near);
            is_window = false;
        }
        if windows.len() > MAX_RANK as usize {
            let message = format!("a window of {} variables, expected 1 to {MAX_RANK}", windows.len());
            self.wrong(Error::Count, span, message, None);
            is_window = false;
        }
        let mut points = 1i64;
        for window in windows {
            match self.width(window) {
                Some(width) => points = points.saturating_mul(width),
                None => is_window = false,
            }
            if scope.locals.contains_key(window.name.text) {
                let message = format!("\"{}\" is defined twice", window.name.text);
                let help = Some("give it another name".into());
                self.wrong(Error::Twice, window.name.span, message, help);
                is_window = false;
            }
        }
        if points > i64::from(i32::MAX) {
            let message = format!("a window of {points} points, expected at most {}", i32::MAX);
            self.wrong(Error::Size, span, message, None);
            is_window = false;
        }
        is_window.then_some(points)
    }

    /// How many points a variable of a window has; `None` after a mistake.
    fn width(&mut self, window: &Window<'s>) -> Option<i64> {
        let first = self.constant(window.first, "the first point of a window", LEAST);
        let last = self.constant(window.last, "the last point of a window", LEAST);
        let (first, last) = (first?, last?);
        if last < first {
            let at = self.ast[window.first].span.to(self.ast[window.last].span);
            let help = Some("first..last, both are part of it".to_owned());
            let message = format!("a window from {first} to {last}, which has no point");
            self.wrong(Error::Size, at, message, help);
            return None;
        }
        Some(last.saturating_sub(first).saturating_add(1))
    }
}
