//! Rows of images that the next tick reads are asked for while this one is computed.
//!
//! ```text
//! tick of 4 rows, a window of 5:      reads rows y - 2 .. y + 6       asks for rows y + 6 .. y + 10, at the same columns
//! ```
//!
//! Where tiles slide along planes, a tick asks for its rows of the plane that comes next.
//!
//! A tick walks some rows side by side, and each of them is new: to the CPU these are short streams that end at each page, and it
//! waits for the first lines of each. Asked for a tick ahead they are in the second cache in time (the prefetching that the load cost of
//! the reuse analysis takes for granted, Section 4.2).
//!
//! **Who asks.** All loops of the tick that walk such rows, for some of them each, as long as they compute: memory is then busy while
//! the core is, and not only while the rows are read. Of an image that several loops read, the first one's rows are asked for. Planes
//! that all read the same rows ask for none: it would be once for each plane. Many images of which a tick reads a row each ask for none either:
//! the next rows begin where these end, so that the CPU follows by itself, and what is asked for would take the places of loads in its list of lines
//! that are on their way.

use super::tiled::Tiled;
use crate::ir::{Builder, Emit, Number, apply, bytes_of_element, element_of};
use melior::ir::Value;
use weft_model::{Access, Arith, Bundle, Extent, Form, Part, Source, rows_to_ask_at};

/// Images of which the CPU follows one row each better by itself.
const MANY_ROWS: usize = 5;

/// A row of an image that a bundle reads.
struct Reach<'m> {
    /// Number of the stage and of its access.
    of: (usize, usize),
    access: &'m Access,
    /// The dimension of the image that rows are counted along, or planes, and which of them is read.
    row: (usize, Form),
}

impl<'c: 'a, 'a> Tiled<'_, 'c, 'a> {
    /// Asks for what is read a tick later of images, as far as this bundle is the one to ask, at these rows and column `x`.
    /// `at_row` stands before the loop along the rows.
    pub(super) fn prefetch(
        &self,
        at_row: &Builder<'c, 'a>,
        b: &Builder<'c, 'a>,
        bundle: &Bundle,
        rows: &[Vec<Value<'c, 'a>>],
        x: Value<'c, 'a>,
    ) {
        let Some((part, along)) = self.part_that_slides(bundle) else { return };
        // A row at an edge is one of a tick's.
        if (rows.len() as i64) < bundle.rows * bundle.planes {
            return;
        }
        for reader in &self.bundles {
            let planes = bundle.planes as usize;
            let of_row = |row: usize| &rows[row * planes..(row + 1) * planes];
            let rows: Vec<_> = self.share(reader, bundle).into_iter().flat_map(of_row).cloned().collect();
            let Some((read, _)) = self.part_that_slides(reader).filter(|_| !rows.is_empty()) else { continue };
            // Of the reader, the row or plane that a tick computes later in the place of this bundle's.
            let later = part.strides[along].step + read.region[along].hi - part.region[along].hi;
            self.ask(at_row, b, reader, (&rows, planes), x, (along, later));
        }
    }

    /// The box of a bundle, and its dimension of rows or planes, if a tick computes some of these newly.
    fn part_that_slides(&self, bundle: &Bundle) -> Option<(&Part, usize)> {
        let part = self.parts[bundle.members[0]].as_ref()?;
        Some((part, part.sliding(self.stream)?))
    }

    /// Those of the rows that a bundle computes together at which it asks for what `reader` reads: the bundles that walk the same rows share
    /// them.
    fn share(&self, reader: &Bundle, bundle: &Bundle) -> Vec<usize> {
        let Some((part, _)) = self.part_that_slides(reader) else { return Vec::new() };
        // Others may have so few points of a row, as of blocks, that they would ask for a part of it.
        let points = |part: &Part| part.region.last().map_or(0, |columns| columns.len());
        let walks_alike = |other: &&Bundle| {
            let other = self.part_that_slides(other);
            other.is_some_and(|(other, _)| other.strides == part.strides && 2 * points(other) > points(part))
        };
        let askers: Vec<&Bundle> = self.bundles.iter().filter(walks_alike).collect();
        let Some(own) = askers.iter().position(|asker| *asker == bundle) else { return Vec::new() };
        let work = |bundle: &Bundle| {
            let stages = bundle.members.iter().map(|number| &self.members.model.stages[*number]);
            stages.map(|stage| stage.work.instructions() + stage.accesses.len() as f64).sum::<f64>()
        };
        let loops: Vec<(usize, f64)> = askers.iter().map(|asker| (asker.rows as usize, work(asker))).collect();
        rows_to_ask_at(&loops).swap_remove(own)
    }

    /// Asks for the rows that `reader` reads newly for rows that lie so many behind these, or planes, of so many planes each.
    fn ask(
        &self,
        at_row: &Builder<'c, 'a>,
        b: &Builder<'c, 'a>,
        reader: &Bundle,
        (rows, planes): (&[Vec<Value<'c, 'a>>], usize),
        x: Value<'c, 'a>,
        (along, later): (usize, i64),
    ) {
        let reaches: Vec<Reach> = reader
            .members
            .iter()
            .flat_map(|number| {
                let accesses = self.members.model.stages[*number].accesses.iter().enumerate();
                accesses.filter_map(|(at, access)| self.reach((*number, at), access, along))
            })
            .filter(|reach| !self.is_read_before(reader, reach.access.source) && !self.is_small(reach))
            .collect();
        let is_same_row = |a: &Reach, b: &Reach| {
            let others = |reach: &Reach| {
                // Planes of pixels are on the same lines.
                let last = reach.access.indices.len() - 1;
                let far = if self.members.model.reads_pixels(reach.access) { last..last } else { 0..last };
                let before = |d: &usize| reach.access.indices[*d].dims().iter().all(|dim| *dim < along);
                far.filter(before).map(|d| reach.access.indices[d].clone()).collect::<Vec<_>>()
            };
            a.access.source == b.access.source
                && a.row.0 == b.row.0
                && a.row.1.mul == b.row.1.mul
                && others(a) == others(b)
        };
        // The last rows of a point are those that the point before has not read; each once.
        let is_asked = |number: usize, reach: &Reach| {
            let Form { mul, add, .. } = reach.row.1;
            let same = || reaches.iter().enumerate().filter(|(_, other)| is_same_row(reach, other));
            let is_new = same().all(|(_, other)| other.row.1.add < add + mul);
            is_new && same().all(|(at, other)| at >= number || other.row.1.add != add)
        };
        let asked: Vec<&Reach> = reaches
            .iter()
            .enumerate()
            .filter(|(number, reach)| is_asked(*number, reach))
            .map(|(_, reach)| reach)
            .collect();
        // Behind a row of a block is another one of it.
        if rows.len() == planes && asked.len() >= MANY_ROWS && asked.iter().all(|reach| reach.row.1.mul == 1) {
            return;
        }
        for reach in asked {
            let mul = reach.row.1.mul;
            let extents = &self.members.stages[reach.of.0].accesses[reach.of.1].extents;
            let every = if self.members.model.reads_pixels(reach.access) { planes } else { 1 };
            for row in rows.iter().step_by(every) {
                let coordinates = [&row[..], &[x]].concat();
                let place = (0..).zip(&reach.access.indices).map(|(d, index)| {
                    let is_of_row = !index.dims().contains(&row.len());
                    let here = if is_of_row { at_row } else { b };
                    let mut emit = Emit(here);
                    let mut place = Number::Value(apply(index, &coordinates, here));
                    if d == reach.row.0 {
                        // There is nothing behind the last one.
                        let later = emit.add(&place, &Number::Known(mul * later));
                        let last = emit.add(&extents[d], &Number::Known(-1));
                        let later = emit.min(&later, &last);
                        place = emit.max(&later, &Number::Known(0));
                    }
                    place.value(here)
                });
                let load = self.members.stages[reach.of.0].accesses[reach.of.1].load;
                b.prefetch(self.lowering.buffer(load.source()), &place.collect::<Vec<_>>(), false);
            }
        }
    }

    /// What an access reads of an image, if a row of the stage is a row of that, or several, and a column a column; where tiles slide along
    /// planes, also a plane a plane.
    fn reach<'m>(&self, of: (usize, usize), access: &'m Access, along: usize) -> Option<Reach<'m>> {
        let is_plain = matches!(access.source, Source::Image(_)) && access.variables.is_empty();
        let follows = |d: usize, dim: usize| {
            let form = Form::of(&access.indices[d]).filter(|form| form.dim == dim && form.mul > 0 && form.div == 1)?;
            Some((d, form))
        };
        let last = access.indices.len().checked_sub(1).filter(|_| is_plain)?;
        let column = access.rank.checked_sub(1)?;
        follows(last, column)?;
        let row = (0..last).find_map(|d| follows(d, along))?;
        let others: Vec<usize> = (0..last).filter(|d| *d != row.0).collect();
        let is_apart = others.iter().all(|d| {
            let dims = access.indices[*d].dims();
            dims.iter().all(|dim| *dim < along) || (along + 1..column).any(|row| follows(*d, row).is_some())
        });
        // Planes that read the same image would ask for its rows once each, and so would rows.
        let has_own = |own: usize| own == along || others.iter().any(|d| access.indices[*d].dims().contains(&own));
        (is_apart && (0..column).all(has_own)).then_some(Reach { of, access, row })
    }

    /// Whether all of an image is known to have room in the second cache.
    fn is_small(&self, reach: &Reach) -> bool {
        let load = self.members.stages[reach.of.0].accesses[reach.of.1].load;
        let element = bytes_of_element(element_of(self.lowering.buffer(load.source())));
        let bytes = reach.access.extents.iter().try_fold(element, |all, extent| match extent {
            Extent::Known(extent) => all.checked_mul(*extent),
            Extent::Named(_) => None,
        });
        bytes.is_some_and(|bytes| bytes <= self.cpu.l2)
    }

    /// Whether a bundle before this one reads an image.
    fn is_read_before(&self, bundle: &Bundle, image: Source) -> bool {
        let before = self.bundles.iter().take_while(|other| *other != bundle);
        let mut stages = before.flat_map(|other| &other.members).map(|number| &self.members.model.stages[*number]);
        stages.any(|stage| stage.accesses.iter().any(|access| access.source == image))
    }
}
