//! Reads of tiles that lead out of their image: how far, and to which rows instead.
//!
//! ```text
//! warp.read %blur[%y - 2, %x] clamp      leads 2 rows out of the image at most: to any of the 3 rows y - 2, y - 1, y
//! ```
//!
//! Where that is not known it may be any row of the tile.

use super::tiles::{ResolvedRead, needed_along};
use crate::{
    analysis::{boundary, model},
    ir::Number,
};
use weft_dialects::{
    pipeline::Boundary,
    warp::{Compute, Read},
};
use weft_model::{Expr, Interval, Range, offset_along, program, reach};

/// How far an index of a read leads out of the image of `of`, below and above.
pub fn leaves<'c: 'a, 'a>(
    reader: Compute<'c, 'a>,
    of: Compute<'c, 'a>,
    resolved: &ResolvedRead,
    read: Read<'c, 'a>,
    d: usize,
) -> Option<(i64, i64)> {
    let stays = match (&resolved.indices[d], reader.extents(), of.extents()) {
        _ if read.boundary() == Boundary::None => true,
        (Expr::Dim(own), Some(extents), Some(source)) => extents[*own] == source[d],
        (_, _, None) => true,
        _ => false,
    };
    if stays {
        return Some((0, 0));
    }
    let mut names = model::Names::default();
    let known: Vec<_> = extents(reader).into_iter().map(|extent| names.extent(extent)).collect();
    let domain: Vec<Interval> = (0..reader.rank()).map(|d| domain_along(reader, d)).collect();
    let source = names.extent(extents(of)[d]);
    program::leaves(&resolved.indices[d], &domain, &known, source)
}

/// The extents of a compute, where it has them.
pub fn extents<'c: 'a, 'a>(compute: Compute<'c, 'a>) -> Vec<Number<'c, 'a>> {
    compute.extents().unwrap_or_default().into_iter().map(Number::from).collect()
}

/// The coordinates that a dimension takes, as far as they are known.
fn domain_along<'c: 'a, 'a>(compute: Compute<'c, 'a>, d: usize) -> Interval {
    let Some((first, end)) = needed_along(compute, d) else { return Range::new(None, None) };
    Range::new(Some(first), end.known().map(|end| end - 1))
}

/// How many rows further down and up a read that leaves the image so may be led, from the row that its index says.
pub fn led_elsewhere(boundary: Boundary, (below, above): (i64, i64)) -> (i64, i64) {
    match boundary {
        // What is outside is not read.
        Boundary::Constant => (0, 0),
        boundary => reach(boundary::model_boundary(boundary), below, above),
    }
}

/// How many rows of `of`, at most, a row of the reader may want by one read, along `d`.
pub fn candidates<'c: 'a, 'a>(
    reader: Compute<'c, 'a>,
    of: Compute<'c, 'a>,
    resolved: &ResolvedRead,
    read: Read<'c, 'a>,
    d: usize,
) -> i64 {
    let (lo, hi) = of.region()[d];
    let all = hi - lo;
    let is_fixed = || offset_along(&resolved.locals[d], reader.rank().saturating_sub(2)).is_some();
    match leaves(reader, of, resolved, read, d) {
        Some((0, 0)) => 1,
        Some(far) if is_fixed() => {
            let (down, up) = led_elsewhere(read.boundary(), far);
            all.min(down.saturating_add(up).saturating_add(1))
        }
        _ => all,
    }
}
