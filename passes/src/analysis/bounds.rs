//! Where loads reach, as far as it is known at compile time: the check that those without a boundary mode stay inside.
//!
//! ```text
//! stage "s" over [0, 15]:  load %img[%x + 1] : tensor<16xf32>     index #0 (x + 1) covers [1, 16], expected inside [0, 15]
//! ```
//!
//! A load without a boundary mode must stay inside its source over the *whole* stage that it is in, for that is what a stage
//! means. Extents that are not known leave an end of a range unknown; [`crate::lower`] checks those when the program is
//! entered.

use super::access;
use mlir_glue::{Diagnostic, ir};
use weft_dialects::pipeline::{Boundary, Extent, Load, Unit, static_extents};
use weft_model::{Interval, Partly, Range, range_of};

/// The whole of a unit, as far as it is known; `None` if it has no point.
fn domain(unit: Unit) -> Option<Vec<Interval>> {
    let known = |end| match end {
        Extent::Static(end) => Some(end),
        Extent::Dynamic(_) => None,
    };
    let bounds: Vec<_> = unit.bounds().into_iter().map(|(start, end)| (start, known(end))).collect();
    let is_empty = bounds.iter().any(|(start, end)| end.is_some_and(|end| end <= *start));
    (!is_empty)
        .then(|| bounds.into_iter().map(|(start, end)| Range::new(Some(start), end.map(|end| end - 1))).collect())
}

/// The loads of a unit, at any depth.
pub fn loads<'c: 'a, 'a>(unit: impl Into<Unit<'c, 'a>>) -> impl Iterator<Item = Load<'c, 'a>> {
    ir::walk(unit.into().op()).into_iter().filter_map(Load::of)
}

/// An error for each index that is known to leave its source.
pub fn check<'c: 'a, 'a>(unit: impl Into<Unit<'c, 'a>>) -> Vec<Diagnostic<'c>> {
    let unit = unit.into();
    let Some(domain) = domain(unit) else { return Vec::new() };
    let mut errors = Vec::new();
    for load in loads(unit) {
        let indices = match access::indices(load) {
            Ok(indices) => indices,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        if load.boundary() != Boundary::None {
            continue;
        }
        let source = load.source_type();
        for (dimension, (index, extent)) in indices.iter().zip(static_extents(source)).enumerate() {
            let range = range_of(index, &access::with_variables(&domain, load), &mut Partly);
            let leaves =
                range.lo.is_some_and(|lo| lo < 0) || matches!((range.hi, extent), (Some(hi), Some(n)) if hi >= n);
            if leaves {
                let end = |end: Option<i64>| end.map_or_else(|| "?".to_owned(), |end| end.to_string());
                let message = format!(
                    "index #{dimension} ({}) of {} \"{}\" covers [{}, {}], expected inside [0, {}] of the source '{source}'; \
                     give the load a boundary (clamp, mirror, reflect101, wrap, constant) or the {1} another extent",
                    index.fmt_with(&access::names(load)),
                    unit.kind(),
                    unit.name(),
                    end(range.lo),
                    end(range.hi),
                    end(extent.map(|extent| extent - 1)),
                );
                errors.push(Diagnostic::on(load.op(), message));
            }
        }
    }
    errors
}

/// How many indices without a boundary are known to stay inside.
pub fn proved<'c: 'a, 'a>(unit: Unit<'c, 'a>) -> usize {
    let unbounded = loads(unit).filter(|load| load.boundary() == Boundary::None);
    unbounded.map(|load| stay_inside(load).into_iter().filter(|stays| *stays).count()).sum()
}

/// Which indices of a load are known to stay inside without a boundary.
pub fn stay_inside(load: Load) -> Vec<bool> {
    let Some(domain) = load.unit().and_then(domain) else { return Vec::new() };
    let domain = access::with_variables(&domain, load);
    let extents = static_extents(load.source_type());
    let stays = |(range, extent): (Interval, Option<i64>)| {
        range.lo.is_some_and(|lo| lo >= 0) && matches!((range.hi, extent), (Some(hi), Some(n)) if hi < n)
    };
    let ranges = access::indices(load).unwrap_or_default();
    ranges.iter().map(|index| range_of(index, &domain, &mut Partly)).zip(extents).map(stays).collect()
}
