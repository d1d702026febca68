//! Reads of images.

use super::{
    body::Body,
    exporter::{Exporter, Image, key},
    indices::{affine, shift},
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
        let Image { name: image, ty, sizes, .. } = self.image(load.source())?.clone();
        let source = key(load.source());
        let rank = load.source_type().rank() as u32;
        let operands = load.coordinates();
        for operand in &operands {
            body.give(self, *operand);
        }
        let map = load.map();
        let mut indices = Vec::new();
        let mut offsets = Some(Vec::new());
        for dimension in 0..map.result_count() {
            let expr = map.result(dimension).map_err(|error| error.to_string())?;
            let name = |at: usize| {
                let known = operands.get(at).and_then(|value| self.find(&body.terms, *value));
                known.map(|term| term.within(PRIMARY)).unwrap_or_default()
            };
            indices.push(affine(expr, &name)?.0);
            let own = body.coordinates.get(dimension).copied();
            let offset = shift(expr).filter(|(at, _)| own.is_some_and(|own| operands.get(*at) == Some(&own)));
            match (offset, &mut offsets) {
                (Some((_, offset)), Some(offsets)) => offsets.push(offset.to_string()),
                _ => offsets = None,
            }
        }
        indices.reverse();
        let offsets = offsets.filter(|offsets: &Vec<String>| offsets.len() == body.coordinates.len());
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
}
