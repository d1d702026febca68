//! Reads of images.

use super::{
    body::Body,
    exporter::{Exporter, Image, key},
    indices::{affine, shift},
    tables::inside_table,
    terms::{PRIMARY, Term},
};
use melior::ir::ShapedTypeLike;
use weft_dialects::pipeline::{Boundary, Load};

impl Exporter {
    /// What lies beyond the edge.
    pub(super) fn mode(&self, load: Load) -> Result<String, String> {
        Ok(match load.boundary() {
            Boundary::None => "inside".to_owned(),
            Boundary::Clamp => "clamped".to_owned(),
            Boundary::Mirror => "mirror".to_owned(),
            Boundary::Reflect101 => "reflect101".to_owned(),
            Boundary::Wrap => "wrap".to_owned(),
            Boundary::Constant => {
                let ty = self.image(load.source())?.ty;
                let value = load.padding().and_then(|value| self.numbers.get(&key(value)));
                let value = value.ok_or("a value beyond an edge that depends on the point")?;
                let fits = value.is_literal && !(ty.is_unsigned() && value.text.starts_with('-'));
                format!("constant({})", if fits { value.text.clone() } else { value.cast(ty) })
            }
        })
    }

    /// A point of an image.
    pub(super) fn load<'c: 'a, 'a>(&self, load: Load<'c, 'a>, body: &mut Body) -> Result<Term, String> {
        if let Some(Term { text: name, ty, .. }) = self.table_of(load)? {
            body.uses_coordinates |= load.coordinates().iter().any(|operand| body.coordinates.contains(operand));
            let place = inside_table(load, self.indices(load, body)?);
            return Ok(Term::primary(format!("{name}@({})", place.join(", ")), ty));
        }
        let Image { name: image, ty, sizes, .. } = self.image(load.source())?.clone();
        let source = key(load.source());
        let rank = load.source_type().rank() as u32;
        let indices = self.indices(load, body)?;
        let (map, operands) = (load.map(), load.coordinates());
        let mut offsets = Some(Vec::new());
        for dimension in 0..map.result_count() {
            let expr = map.result(dimension).map_err(|error| error.to_string())?;
            let own = body.coordinates.get(dimension).copied();
            let offset = shift(expr).filter(|(at, _)| own.is_some_and(|own| operands.get(*at) == Some(&own)));
            match (offset, &mut offsets) {
                (Some((_, offset)), Some(offsets)) => offsets.push(offset.to_string()),
                _ => offsets = None,
            }
        }
        let offsets = offsets.filter(|offsets: &Vec<String>| body.has_point && offsets.len() == body.coordinates.len());
        // A read at the point itself needs no mode where the stage is as large as the image.
        let is_own =
            offsets.as_ref().is_some_and(|offsets| offsets.iter().all(|offset| offset == "0")) && sizes == body.sizes;
        let mode = match load.boundary() {
            Boundary::None if is_own => body.modes.get(&source).cloned().unwrap_or_else(|| "clamped".to_owned()),
            _ => self.mode(load)?,
        };
        let param = body.param(source, mode, &image, ty, rank);
        body.uses_coordinates |= offsets.is_none();
        let text = match offsets {
            Some(mut offsets) => {
                offsets.reverse();
                if offsets.iter().all(|offset| offset == "0") {
                    param
                } else {
                    format!("{param}@[{}]", offsets.join(", "))
                }
            }
            None => format!("{param}@({})", indices.join(", ")),
        };
        Ok(Term::primary(text, ty))
    }

    /// The place that is read, x first.
    fn indices<'c: 'a, 'a>(&self, load: Load<'c, 'a>, body: &mut Body) -> Result<Vec<String>, String> {
        let (map, operands) = (load.map(), load.coordinates());
        for operand in &operands {
            body.give(self, *operand);
        }
        let name = |at: usize| {
            let known = operands.get(at).and_then(|value| self.find(&body.terms, *value));
            known.map(|term| term.within(PRIMARY)).unwrap_or_default()
        };
        let index = |dimension| {
            let expr = map.result(dimension).map_err(|error| error.to_string())?;
            Ok(affine(expr, &name)?.0)
        };
        (0..map.result_count()).rev().map(index).collect()
    }
}
