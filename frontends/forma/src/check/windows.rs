//! Sums, products and extremes over windows.

use super::{
    builtins::FOLDS,
    checker::Checker,
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
    /// `sum[i = -1..1](...)`: its type, and how deep it is when small ones are written out, which makes a chain.
    pub(super) fn over(
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
        if !FOLDS.contains(&name.text) {
            let near = nearest(name.text, FOLDS).map(|near| format!("did you mean \"{near}\"?"));
            let message = format!("\"{}\" over a window, expected sum, product, min or max", name.text);
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
