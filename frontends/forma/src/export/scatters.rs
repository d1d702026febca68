//! Scatters: places that are updated.
//!
//! ```text
//! pipeline.scatter "counts" () over (%ry, %rx) in [0, %h) x [0, %w)           scatter[int own = 0] counts_of(vector#2 uint8 img)
//!     from(%zero : i32) combine "arith.addi" {                       ──▶          for [ry = 0..img_y - 1, rx = 0..img_x - 1] {
//!   pipeline.update %one at [%level]                                              return own@(index(img@(rx, ry))) + 1;
//! ```

use super::{
    body::{Body, Head},
    exporter::{Exporter, key},
    names::{COORDINATES, local},
    terms::Term,
};
use crate::ast::{Binary, Type, type_name};
use melior::ir::{BlockLike, Value, operation::OperationLike};
use weft_dialects::pipeline::{Combine, Extent, Scatter};

/// How Forma writes what a scatter combines by: an operator, or a function.
enum How {
    Operator(Binary),
    Function(&'static str),
}

fn how(combine: Combine) -> Option<How> {
    Some(match combine {
        Combine::Addf | Combine::Addi => How::Operator(Binary::Add),
        Combine::Mulf | Combine::Muli => How::Operator(Binary::Mul),
        Combine::Andi => How::Operator(Binary::And),
        Combine::Ori => How::Operator(Binary::Or),
        Combine::Xori => How::Operator(Binary::Xor),
        Combine::Minimumf | Combine::Minsi | Combine::Minui => How::Function("min"),
        Combine::Maximumf | Combine::Maxsi | Combine::Maxui => How::Function("max"),
        Combine::Minnumf | Combine::Maxnumf => return None,
    })
}

impl Exporter {
    /// What a scatter begins with.
    pub(super) fn scatter<'c: 'a, 'a: 'v, 'v>(
        &self,
        scatter: Scatter<'c, 'a>,
        body: &mut Body<'v>,
    ) -> Result<Head, String> {
        if scatter.is_reassociable() {
            return Err("Forma cannot say sums in any order, as of 'reassoc'".into());
        }
        let combine = scatter.combine().ok_or("a scatter that combines by nothing")?;
        let without_sign = matches!(combine, Combine::Minui | Combine::Maxui);
        self.own_results(*scatter, body, without_sign)?;
        let has_other_sign = |own: &Term| own.ty.is_unsigned() != without_sign;
        if matches!(combine, Combine::Minui | Combine::Maxui | Combine::Minsi | Combine::Maxsi)
            && body.own.iter().any(has_other_sign)
        {
            return Err(format!("Forma cannot say {} of a result whose type has another order", combine.name()));
        }
        body.has_point = false;
        let mut own = Vec::new();
        for (made, initial) in body.own.clone().iter().zip(scatter.initial()) {
            body.give(self, initial);
            let term = self.find(&body.terms, initial).ok_or("a number from nowhere")?;
            let text = match term.is_literal && !(made.ty.is_unsigned() && term.text.starts_with('-')) {
                true => term.text.clone(),
                false => term.cast(made.ty),
            };
            own.push(format!("{} {} = {text}", type_name(made.ty), made.text));
        }
        let mut domain = Vec::new();
        let (first, count) = (scatter.coordinate_count(), scatter.domain().len());
        for (index, (lo, hi)) in scatter.domain().into_iter().enumerate() {
            let name = local(&mut body.names, &format!("r{}", COORDINATES[(count - 1 - index).min(3)]));
            let last = match hi {
                Extent::Static(hi) => (hi - 1).to_string(),
                Extent::Dynamic(value) => {
                    body.give(self, value);
                    let hi = self.find(&body.terms, value).ok_or("a number from nowhere")?;
                    format!("{} - 1", hi.within(Binary::Sub.binds()))
                }
            };
            domain.push(format!("{name} = {lo}..{last}"));
            let variable: Value = scatter.body().argument(first + index).map_err(|error| error.to_string())?.into();
            body.terms.insert(key(variable), Term::primary(name, Type::Index));
        }
        let domain = format!(" for [{}]", domain.join(", "));
        Ok(Head { word: format!("scatter[{}]", own.join(", ")), domain })
    }

    /// What the places of a scatter become.
    pub(super) fn updates<'c: 'a, 'a>(&self, scatter: Scatter<'c, 'a>, body: &mut Body) -> Result<Vec<Term>, String> {
        let end = scatter.terminator().ok_or("a scatter without update")?;
        let how = scatter.combine().and_then(how).ok_or("Forma cannot say what leaves out NaN")?;
        let mut terms = Vec::new();
        for value in end.operands() {
            body.give(self, value);
            terms.push(self.find(&body.terms, value).cloned().ok_or("a value from nowhere")?);
        }
        let places = terms.split_off(body.own.len().min(terms.len()));
        let places = places.iter().rev().map(|place| place.text.clone());
        let coordinates = COORDINATES[..scatter.coordinate_count()].iter().map(|name| (*name).to_owned());
        let place = places.chain(coordinates).collect::<Vec<_>>().join(", ");
        let update = |(own, term): (&Term, Term)| {
            let at = format!("{}@({place})", own.text);
            let is_below_zero = own.ty.is_unsigned() && term.text.starts_with('-');
            let value = |least: u8| match (term.is_literal, term.ty == own.ty) {
                (true, _) if !is_below_zero => term.text.clone(),
                (false, true) => term.within(least),
                _ => term.cast(own.ty),
            };
            match how {
                How::Operator(sign) => {
                    let text = format!("{at} {} {}", sign.sign(), value(sign.binds() + 1));
                    Term { binds: sign.binds(), ..Term::primary(text, own.ty) }
                }
                How::Function(name) => Term::primary(format!("{name}({at}, {})", value(0)), own.ty),
            }
        };
        Ok(body.own.iter().zip(terms).map(update).collect())
    }
}
