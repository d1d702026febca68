//! Stencils and resamplings applied to images.

use super::{
    builtins::RESAMPLERS,
    checker::{Checker, plural},
    limits::{LARGEST_PROGRAM, MAX_RANK},
    names::{Entity, Scope, Signature},
    ty::Ty,
};
use crate::{
    ast::{Arg, Id, Name, Role, Type, type_name},
    diagnostics::Kind as Error,
    span::Span,
};

/// What an application or a resampling makes.
struct Made {
    /// `None` after a mistake.
    types: Option<Vec<Type>>,
    /// `None` where it is as large as it is told.
    rank: Option<u32>,
    /// Whether an image that it is given says how large it is.
    is_sized: bool,
    /// What messages call what makes it.
    word: &'static str,
}

impl<'s> Checker<'s, '_> {
    /// Images of a stencil, or of an image resampled: both are as large as the extents behind them say, or as what they are given.
    pub(super) fn apply(
        &mut self,
        name: Name<'s>,
        args: &[Arg<'s>],
        extents: Option<&[Id]>,
        span: Span,
    ) -> Option<Vec<(Type, u32)>> {
        for id in extents.unwrap_or_default() {
            self.extent(*id);
        }
        let Made { types, rank, is_sized, word } = match self.names.entity(name.text) {
            Some(Entity::Def(number)) => {
                let known = self.defs[*number].clone();
                self.application(known, name, args, span)?
            }
            None if RESAMPLERS.contains(&name.text) => self.resampling(name, args, span)?,
            _ => {
                self.unknown_call("stencil", name, &Scope::new());
                return None;
            }
        };
        let rank = match (rank, extents) {
            (Some(rank), Some(extents)) if rank as usize != extents.len() => {
                let found = plural(extents.len(), "extent");
                let message = format!("{found} of \"{}\", which gives vector#{rank}", name.text);
                self.wrong(Error::Rank, self.span_of(extents), message, None);
                return None;
            }
            (None, Some(extents)) if extents.len() > MAX_RANK as usize => {
                let message = format!("{}, expected 1 to {MAX_RANK}", plural(extents.len(), "extent"));
                self.wrong(Error::Rank, self.span_of(extents), message, None);
                return None;
            }
            (_, Some(extents)) => extents.len() as u32,
            (Some(rank), None) if is_sized => rank,
            (_, None) => {
                let message = format!("{word} \"{}\" is given no image to be as large as", name.text);
                let help = Some(format!("say its extents: {}(...)[M, N]", name.text));
                self.wrong(Error::Size, span, message, help);
                return None;
            }
        };
        Some(types?.into_iter().map(|ty| (ty, rank)).collect())
    }

    /// `f(a:mirror, 2.0)`.
    fn application(&mut self, known: Signature, name: Name<'s>, args: &[Arg<'s>], span: Span) -> Option<Made> {
        if !known.role.is_applied() {
            let message = format!("\"{}\" is a function of numbers, expected a stencil", name.text);
            self.wrong(Error::Role, name.span, message, None);
            return None;
        }
        if args.len() != known.params.len() {
            let found = plural(args.len(), "argument");
            let (word, expected) = (known.role.word(), known.params.len());
            let message = format!("{found} of {word} \"{}\", expected {expected}", name.text);
            self.wrong(Error::Count, span, message, None);
            return None;
        }
        let mut fine = true;
        let mut ranks = Vec::new();
        for (arg, (rank, ty)) in args.iter().zip(&known.params) {
            let at = self.ast[arg.value].span;
            let Some(rank) = rank else {
                let mut scope = Scope::new();
                self.value(arg.value, &mut scope, Some(*ty));
                fine &= self.fit(arg.value, *ty) != Ty::Wrong;
                if let Some(mode) = arg.mode {
                    self.wrong(Error::Boundary, mode.name.span, "a boundary mode of a number, expected an image", None);
                }
                continue;
            };
            let found = self.image(arg.value);
            self.mode(arg.mode, found.map(|(ty, _)| ty));
            ranks.push(*rank);
            match found {
                None => fine = false,
                Some((_, found)) if found != *rank => {
                    let message = format!("an image of vector#{found}, expected vector#{rank}");
                    self.wrong(Error::Rank, at, message, None);
                    fine = false;
                }
                Some((found, _)) if found != *ty => {
                    let [found, ty] = [found, *ty].map(type_name);
                    let message = format!("an image of {found}, expected {ty}");
                    let help = Some(format!(
                        "let the {} take {found} and cast, or apply a stencil that casts first",
                        known.role.word()
                    ));
                    self.wrong(Error::Type, at, message, help);
                    fine = false;
                }
                Some(_) => {}
            }
        }
        let was = self.cost;
        self.cost = was.saturating_add(known.cost);
        if was <= LARGEST_PROGRAM && self.cost > LARGEST_PROGRAM {
            let message = format!("a program of more than {LARGEST_PROGRAM} operations");
            let help = "those of a stencil count as often as it is applied".to_owned();
            self.wrong(Error::Depth, span, message, Some(help));
        }
        let is_sized = known.role != Role::Scatter && known.rank.is_some_and(|rank| ranks.contains(&rank));
        Some(Made { types: known.results.filter(|_| fine), rank: known.rank, is_sized, word: known.role.word() })
    }

    /// `sample(img, 2, 2)` and `interpolate(img, 2, 2)`.
    fn resampling(&mut self, name: Name<'s>, args: &[Arg<'s>], span: Span) -> Option<Made> {
        let (ty, rank) = self.image(args[0].value)?;
        self.mode(args[0].mode, Some(ty));
        if args.len() != rank as usize + 1 {
            let message = format!(
                "{} of \"{}\", expected {rank} behind an image of vector#{rank}",
                plural(args.len() - 1, "factor"),
                name.text
            );
            self.wrong(Error::Count, span, message, Some("one for each dimension, x first".into()));
            return None;
        }
        for arg in &args[1..] {
            if let Some(mode) = arg.mode {
                self.wrong(Error::Boundary, mode.name.span, "a boundary mode of a number, expected an image", None);
            }
            self.constant(arg.value, "a factor", 1)?;
        }
        if name.text == "interpolate" && !ty.is_float() {
            let message = format!("interpolate of {}, expected floats", type_name(ty));
            self.wrong(Error::Type, span, message, Some("apply a stencil that casts first".into()));
            return None;
        }
        Some(Made { types: Some(vec![ty]), rank: Some(rank), is_sized: true, word: "stencil" })
    }
}
