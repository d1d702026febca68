//! Scans: points that are made of those before them in their line. Which line that is, the reads say.
//!
//! ```text
//! scan[float Y] down(vector#2 float X) { return (Y@[0, -1] or 0.0) + X; }          along y, upwards from 0
//! scan[float Y] left(vector#2 float X) { return (Y@[1, 0] or 0.0) + X; }           along x, backwards
//! ```

use super::{
    builtins::COORDINATES,
    checker::{Checker, before, plural},
    names::{Local, Scope},
    ty::{Ty, Value},
};
use crate::{
    ast::{Def, Id, Name, Role},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// `Y@[0, -1] or X`, of which the offsets have been checked.
    pub(super) fn before(
        &mut self,
        name: Name<'s>,
        offsets: &[Id],
        begin: Id,
        span: Span,
        scope: &mut Scope<'s>,
    ) -> Ty {
        let own = match scope.locals.get(name.text) {
            Some(Local::Own(ty)) if scope.role == Role::Scan => Some(*ty),
            _ => None,
        };
        self.value(begin, scope, own);
        let Some(own) = own else {
            if self.local_image(name, scope).is_some() {
                let message = format!("\"{}\" is no result of a scan, expected one before \"or\"", name.text);
                let help = "what lies beyond an edge is said where images are given: f(img:constant(0))".to_owned();
                self.wrong(Error::Role, name.span, message, Some(help));
            }
            return Ty::Wrong;
        };
        let fine = self.fit(begin, own) != Ty::Wrong;
        match self.step(name, offsets, span, scope) {
            Some(line) if fine => {
                scope.line.get_or_insert(line);
                Ty::Is(own)
            }
            _ => Ty::Wrong,
        }
    }

    /// The dimension along which a read goes back, and whether its points have larger coordinates; `None` after a mistake.
    fn step(&mut self, name: Name<'s>, offsets: &[Id], span: Span, scope: &Scope<'s>) -> Option<(usize, bool)> {
        let rank = scope.rank?;
        if offsets.len() != rank as usize {
            let found = plural(offsets.len(), "offset");
            let message = format!("{found} of \"{}\", which is vector#{rank}: expected {rank}", name.text);
            self.wrong(Error::Rank, span, message, None);
            return None;
        }
        let mut steps = Vec::new();
        for (dimension, id) in offsets.iter().enumerate() {
            match (self.ty(*id), self.known(*id)) {
                (Ty::Wrong, _) => return None,
                (_, Some(Value::Int(0))) => {}
                (_, Some(Value::Int(step))) => steps.push((dimension, step > 0)),
                _ => {
                    let message = format!("an offset of \"{}\" that is not constant", name.text);
                    let help = Some("write a number, or a name that const defines".to_owned());
                    self.wrong(Error::Constant, self.ast[*id].span, message, help);
                    return None;
                }
            }
        }
        let [step] = steps[..] else {
            let message = match steps.is_empty() {
                true => format!("\"{}\" at the point itself, expected one before it", name.text),
                false => format!(
                    "\"{}\" along {} dimensions, expected one: a scan walks along a line",
                    name.text,
                    steps.len()
                ),
            };
            let help = Some(format!("write {}@[{}] or ...", name.text, before(scope.line, rank)));
            self.wrong(Error::Role, span, message, help);
            return None;
        };
        if let Some(line) = scope.line.filter(|line| *line != step) {
            let message = format!("\"{}\" {}, expected {} as before", name.text, walk(step), walk(line));
            let help = Some(
                "a scan walks one way along one dimension: write another scan, and apply it to this one".to_owned(),
            );
            self.wrong(Error::Role, span, message, help);
            return None;
        }
        Some(step)
    }

    /// Notes along which line a scan walks.
    pub(super) fn line_of(&mut self, def: &Def<'s>, scope: &Scope<'s>, is_fine: bool) {
        match scope.line {
            Some(line) => drop(self.lines.insert(def.name.text.to_owned(), line)),
            None if def.role == Role::Scan && is_fine => {
                let own = def.results.first().map_or("", |own| own.name.text);
                let message = format!("scan \"{}\" reads no point before its own", def.name.text);
                let before = before(None, scope.rank.unwrap_or(1));
                let help = Some(format!("write {own}@[{before}] or ..., or make it a stencil"));
                self.wrong(Error::Role, def.name.span, message, help);
            }
            None => {}
        }
    }
}

/// A way in words.
fn walk((along, backward): (usize, bool)) -> String {
    format!("{} along {}", if backward { "backwards" } else { "forwards" }, COORDINATES[along.min(3)])
}
