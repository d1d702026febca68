//! What is checked of whole images when a window is computed: that no load without a boundary mode leaves its source, anywhere.
//!
//! In the functions of a window such loads clamp, since a part may end where the image does not; of a program that is wrong they would say
//! nothing.

use super::{
    cuts::Cuts,
    piece::{Piece, reads_table, shape},
};
use crate::{
    analysis::{access, bounds::loads, domain},
    ir::{Builder, Compare, Emit, Number, constant_bool, same},
};
use melior::ir::operation::OperationLike;
use mlir_glue::Failure;
use weft_dialects::pipeline::{Boundary, Load, Unit};
use weft_model::{Arith, Expr, Range};

/// Checks all loads of a piece.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn check_loads<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    piece: &Piece<'c, 'a>,
    cuts: &Cuts<'c, 'a>,
) -> Result<(), Failure<'c>> {
    for unit in piece.units() {
        for load in loads(unit).filter(|load| load.boundary() == Boundary::None && !reads_table(*load)) {
            check(&b.located(load.op().location()), unit, load, cuts)?;
        }
    }
    Ok(())
}

fn check<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    unit: Unit<'c, 'a>,
    load: Load<'c, 'a>,
    cuts: &Cuts<'c, 'a>,
) -> Result<(), Failure<'c>> {
    let mut emit = Emit(b);
    let ends: Vec<(i64, Number)> =
        domain::bounds(unit).into_iter().map(|(first, end)| (first, cuts.number(end))).collect();
    let mut all = domain::closed(&ends, &mut emit);
    all.extend(
        access::variables(load)
            .iter()
            .filter_map(|variable| variable.range)
            .map(|range| Range::new(Number::Known(range.lo), Number::Known(range.hi))),
    );
    for (k, index) in access::indices(load)?.iter().enumerate() {
        let extent = cuts.whole[&(shape(load.source()), k)];
        if matches!(index, Expr::Dim(d) if ends.get(*d).is_some_and(|(first, end)| *first >= 0 && same(*end, extent))) {
            continue;
        }
        let Range { lo, hi } = domain::index_range(index, &all, &mut emit);
        let above = b.compare(Compare::GreaterEqual, lo.value(b), b.index(0));
        let below = b.compare(Compare::Less, hi.value(b), extent.value(b));
        let mut stays = b.logic("andi", above, below);
        for (first, end) in &ends {
            // Nothing is read at no point.
            let length = emit.add(end, &Number::Known(-first));
            stays = b.logic("ori", stays, b.compare(Compare::LessEqual, length.value(b), b.index(0)));
        }
        if constant_bool(stays) == Some(true) {
            continue;
        }
        let index = index.fmt_with(&access::names(load)).to_string();
        let message = format!("index #{k} ({index}) of {} \"{}\" leaves its source", unit.kind(), unit.name());
        b.op("cf.assert", &[stays], &[], &[("msg", b.string_attribute(&message))]);
    }
    Ok(())
}
