//! Tables: constants of which a body reads one by its place.
//!
//! ```text
//! const w = [1.0, 2, 1];          w    float, 3 numbers           w@(2)    float          w@(3)    a mistake
//! ```

use super::{
    checker::{Checker, plural},
    indices::affine,
    limits::MAX_RANK,
    names::{Entity, Scope},
    ty::{Ty, Value},
};
use crate::{
    ast::{Entry, Id, Name, Table, Type, TypeName, type_name},
    diagnostics::Kind as Error,
};

impl<'s> Checker<'s, '_> {
    /// A table and its name. Without a type it is what its numbers are.
    pub(super) fn table(&mut self, ty: Option<TypeName>, name: Name<'s>, table: &Table) {
        let numbers = table.numbers();
        let mut scope = Scope::new();
        for id in &numbers {
            self.value(*id, &mut scope, ty.map(|ty| ty.ty));
        }
        let types = || numbers.iter().map(|id| self.ty(*id));
        let typed = types().find_map(|ty| if let Ty::Is(ty) = ty { Some(ty) } else { None });
        let alone = match types().any(|ty| matches!(ty, Ty::Literal(Value::Float(_)))) {
            true => Type::F32,
            false => Type::I32,
        };
        let of = ty.map(|ty| ty.ty).or(typed).unwrap_or(alone);
        let mut fine = of.is_pixel();
        if !fine {
            let message = format!("a table of {}, expected floats or integers", type_name(of));
            self.wrong(Error::Type, ty.map_or(table.span, |ty| ty.span), message, None);
        }
        for id in &numbers {
            fine = fine && self.fit(*id, of) != Ty::Wrong;
            if fine && self.known(*id).is_none() {
                self.wrong(
                    Error::Constant,
                    self.ast[*id].span,
                    "a number that is not made of literals, in a table",
                    None,
                );
                fine = false;
            }
        }
        let extents = self.extents_of_table(table, 1);
        self.define(name, extents.filter(|_| fine).map_or(Entity::Wrong, |extents| Entity::Table(of, extents)));
    }

    /// Points of a table along each dimension, x first; `None` after a mistake.
    fn extents_of_table(&mut self, table: &Table, depth: u32) -> Option<Vec<i64>> {
        if depth > MAX_RANK {
            let message = format!("rows in rows, {depth} deep, expected at most {MAX_RANK}");
            self.wrong(Error::Rank, table.span, message, None);
            return None;
        }
        // What the first entry is, all are.
        let mut first: Option<Vec<i64>> = None;
        for entry in &table.entries {
            let (found, span) = match entry {
                Entry::Number(id) => (Vec::new(), self.ast[*id].span),
                Entry::Row(row) => (self.extents_of_table(row, depth + 1)?, row.span),
            };
            let expected = first.get_or_insert_with(|| found.clone());
            if found != *expected {
                let message = format!("{} in a table, expected {} as before it", entry_of(&found), entry_of(expected));
                self.wrong(Error::Size, span, message, None);
                return None;
            }
        }
        let mut extents = first?;
        extents.push(table.entries.len() as i64);
        Some(extents)
    }

    /// Reports places beyond the ends of a table, as far as they are known.
    pub(super) fn inside_table(&mut self, name: Name<'s>, indices: &[Id], scope: &Scope<'s>) {
        let Some(Entity::Table(_, extents)) = self.names.entity(name.text).cloned() else { return };
        for (dimension, (id, extent)) in indices.iter().zip(extents).enumerate() {
            let Some((lo, hi)) = self.ends(*id, scope) else { continue };
            if lo >= 0 && hi < extent {
                continue;
            }
            let found = if lo == hi { lo.to_string() } else { format!("{lo} to {hi}") };
            let message = format!("index {dimension} of \"{}\" is {found}, expected 0 to {}", name.text, extent - 1);
            self.wrong(Error::Size, self.ast[*id].span, message, None);
        }
    }

    /// The least and the greatest value of an index of constants and one variable of a window.
    fn ends(&self, id: Id, scope: &Scope<'s>) -> Option<(i64, i64)> {
        let literal = |id: Id| match self.known(id) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        };
        let ends = |name: &str, (first, last): (i64, i64)| {
            let (stride, shift) = affine(self.ast, &literal, id, name)?;
            let at = [first, last].map(|at| at.saturating_mul(stride).saturating_add(shift));
            Some((at[0].min(at[1]), at[0].max(at[1])))
        };
        ends("", (0, 0)).or_else(|| scope.windows.iter().find_map(|(name, window)| ends(name, *window)))
    }

    /// A table where a number is expected.
    pub(super) fn table_as_number(&mut self, name: Name<'s>, rank: usize) -> Ty {
        let message = format!("\"{}\" is a table, expected one of its numbers", name.text);
        let places = vec!["0"; rank].join(", ");
        self.wrong(Error::Role, name.span, message, Some(format!("say which: {}@({places})", name.text)))
    }
}

/// What an entry of a table is, in words.
fn entry_of(extents: &[i64]) -> String {
    match extents {
        [] => "a number".to_owned(),
        [own] => format!("a row of {}", plural(*own as usize, "number")),
        [own, rest @ ..] => rest
            .iter()
            .fold(plural(*own as usize, "number"), |of, rows| format!("{} of {of}", plural(*rows as usize, "row"))),
    }
}
