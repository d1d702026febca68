//! Images put together of others.

use super::{
    checker::{Checker, plural},
    indices::affine,
    limits::{DEEPEST, MAX_RANK},
    names::{Local, Scope},
    ty::{Ty, Value},
};
use crate::{
    ast::{Compose, Id, Name, Type, type_name},
    diagnostics::Kind as Error,
};

impl<'s> Checker<'s, '_> {
    /// Type and rank of the image; `None` after a mistake.
    pub(super) fn compose(&mut self, compose: &Compose<'s>) -> Option<(Type, u32)> {
        let rank = compose.extents.len();
        for id in &compose.extents {
            self.extent(*id);
        }
        let at = self.span_of(&compose.extents);
        if rank > MAX_RANK as usize {
            let message = format!("{}, expected 1 to {MAX_RANK}", plural(rank, "extent"));
            self.wrong(Error::Rank, at, message, None);
            return None;
        }
        if compose.coordinates.len() != rank {
            let found = plural(compose.coordinates.len(), "coordinate");
            let message = format!("{found} of an image of {}", plural(rank, "extent"));
            self.wrong(Error::Rank, compose.coordinates[0].span, message, None);
            return None;
        }
        let mut scope = Scope::new();
        for name in &compose.coordinates {
            self.local(&mut scope, *name, Local::Value(Ty::Is(Type::Index), 1));
        }
        let mut found: Option<Type> = None;
        let mut fine = true;
        for (indices, part) in &compose.parts {
            self.indices(indices, &mut scope);
            let image = self.image(*part);
            let at = self.span_of(indices);
            if indices.len() != rank {
                let message = format!("{} where {rank} are expected", plural(indices.len(), "index"));
                self.wrong(Error::Rank, at, message.replace("indexs", "indices"), None);
                fine = false;
                continue;
            }
            let dimensions = self.dimensions(indices, &compose.coordinates);
            fine &= dimensions.is_some();
            let Some((ty, image_rank)) = image else {
                fine = false;
                continue;
            };
            let part_span = self.ast[*part].span;
            if let Some(dimensions) = dimensions.filter(|dimensions| fine && image_rank != *dimensions) {
                let message = format!("a part of vector#{image_rank}, expected vector#{dimensions}");
                self.wrong(Error::Rank, part_span, message, None);
                fine = false;
            }
            match found {
                Some(first) if first != ty => {
                    let message = format!("a part of {}, expected {}", type_name(ty), type_name(first));
                    self.wrong(Error::Type, part_span, message, None);
                    fine = false;
                }
                _ => found = Some(ty),
            }
        }
        if let Some(rest) = compose.rest {
            let mut scope = Scope::new();
            self.value(rest, &mut scope, found);
            fine &= found.is_none_or(|ty| self.fit(rest, ty) != Ty::Wrong);
        }
        if compose.parts.len() > DEEPEST as usize {
            let message = format!("compose of {} parts, expected at most {DEEPEST}", compose.parts.len());
            self.wrong(Error::Depth, at, message, None);
            return None;
        }
        if compose.parts.is_empty() {
            self.wrong(Error::Count, at, "compose of no parts, expected at least one", None);
            return None;
        }
        found.filter(|_| fine).map(|ty| (ty, rank as u32))
    }

    /// How many dimensions a part has: those whose index is no number. `None` after a mistake.
    fn dimensions(&mut self, indices: &[Id], coordinates: &[Name<'s>]) -> Option<u32> {
        let mut dimensions = Some(0);
        for (id, name) in indices.iter().zip(coordinates) {
            match self.affine(*id, name.text) {
                Some((0, _)) => {}
                Some((stride, _)) if stride > 0 => dimensions = dimensions.map(|dimensions| dimensions + 1),
                _ if self.ty(*id) == Ty::Wrong => dimensions = None,
                _ => {
                    let help = Some(format!("write {0}, 2*{0} + 1, or a number", name.text));
                    let message =
                        format!("no stride and shift of {0}, expected a*{0} + b with constants, a > 0", name.text);
                    self.wrong(Error::Constant, self.ast[*id].span, message, help);
                    dimensions = None;
                }
            }
        }
        dimensions
    }

    /// An index as stride and shift of a coordinate.
    fn affine(&self, id: Id, coordinate: &str) -> Option<(i64, i64)> {
        affine(self.ast, &|id| self.literal(id), id, coordinate)
    }

    fn literal(&self, id: Id) -> Option<i64> {
        match self.known(id) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        }
    }
}
