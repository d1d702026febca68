//! Rows that scans down columns come to are asked for some steps before.
//!
//! ```text
//! step y, 64 columns:      reads row y, writes row y      asks for row y + 8 of both
//! ```
//!
//! To the CPU some columns of each row are a stream that ends at once, and the next row is pages away: no prefetcher follows, and what is written waits for its
//! lines in the same way as what is read. Of an image of which several rows are read, the one that others come to last is asked for. What stores write
//! around the caches is not asked for.

use crate::{
    analysis::{access, bounds::loads},
    ir::{Builder, Emit, Number, apply},
};
use melior::ir::Value;
use mlir_glue::Failure;
use weft_dialects::pipeline::{Load, Scan};
use weft_model::{Arith, Expr, Form};

/// Steps ahead: one of some vectors takes about a tenth of the time that memory does.
const STEPS: i64 = 8;

/// Rows of an image as a scan comes to them, one at each step.
pub(super) struct Ahead<'c, 'a> {
    pub(super) image: Value<'c, 'a>,
    /// Where a point of the scan reads.
    at: Vec<Expr>,
    /// The dimension of the image that rows are counted along.
    along: usize,
}

impl<'c: 'a, 'a> Ahead<'c, 'a> {
    /// What a scan reads that does not run along rows: each row once, when it is new.
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    pub(super) fn of(scan: Scan<'c, 'a>) -> Result<Vec<Self>, Failure<'c>> {
        let mut all: Vec<(Self, i64)> = Vec::new();
        for load in loads(*scan) {
            let Some((new, add)) = Self::of_load(scan, load)? else { continue };
            let place = if scan.is_backward() { -add } else { add };
            match all.iter_mut().find(|(old, _)| old.image == new.image && old.columns() == new.columns()) {
                Some((_, furthest)) if *furthest >= place => {}
                Some(old) => *old = (new, place),
                None => all.push((new, place)),
            }
        }
        Ok(all.into_iter().map(|(ahead, _)| ahead).collect())
    }

    /// What a load reads, if it is a row further at each step, and how far that row is from the scan's own.
    fn of_load(scan: Scan<'c, 'a>, load: Load<'c, 'a>) -> Result<Option<(Self, i64)>, Failure<'c>> {
        let at = access::indices(load)?;
        let of_points = at.iter().all(|index| index.dims().iter().all(|d| *d < scan.rank()));
        let is_row = |d: &usize| at[*d].dims().contains(&scan.along());
        let along = (0..at.len().saturating_sub(1)).find(is_row).filter(|_| of_points);
        let form = along.and_then(|d| Some((d, Form::of(&at[d])?)));
        let form = form.filter(|(_, form)| form.mul == 1 && form.div == 1);
        Ok(form.map(|(along, form)| (Self { image: load.source(), at, along }, form.add)))
    }

    /// The indices but that of the row.
    fn columns(&self) -> Vec<&Expr> {
        self.at.iter().enumerate().filter(|(d, _)| *d != self.along).map(|(_, index)| index).collect()
    }

    /// Asks for what a point of the scan reads some steps later.
    pub(super) fn read(
        &self,
        b: &Builder<'c, 'a>,
        scan: Scan<'c, 'a>,
        memory: Value<'c, 'a>,
        extents: &[Number<'c, 'a>],
        point: &[Value<'c, 'a>],
    ) {
        let mut at: Vec<Value> = self.at.iter().map(|index| apply(index, point, b)).collect();
        at[self.along] = later(b, scan, at[self.along], extents[self.along]);
        b.prefetch(memory, &at, false);
    }
}

/// Asks for what a scan writes some steps later than at this point.
pub(super) fn write<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    memory: Value<'c, 'a>,
    extent: Number<'c, 'a>,
    point: &[Value<'c, 'a>],
) {
    let mut at = point.to_vec();
    at[scan.along()] = later(b, scan, at[scan.along()], extent);
    b.prefetch(memory, &at, true);
}

/// A row some steps behind this one, of so many.
fn later<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    scan: Scan<'c, 'a>,
    row: Value<'c, 'a>,
    extent: Number<'c, 'a>,
) -> Value<'c, 'a> {
    let mut emit = Emit(b);
    let row = emit.add(&Number::Value(row), &Number::Known(if scan.is_backward() { -STEPS } else { STEPS }));
    let last = emit.add(&extent, &Number::Known(-1));
    let row = emit.min(&row, &last);
    emit.max(&row, &Number::Known(0)).value(b)
}
