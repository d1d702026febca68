//! `--pack-pixels`: a small table of pixels that lanes look up becomes one of whole vectors, and of neighbours beside each other.
//!
//! ```text
//!                                             %p = stage "o_pixels" (%j, %i, %q) {        a pixel of four beside the next one
//! %o = stage "o" (%c, %y, %x) {                 yield load %t[%j, %i - 1 + %q floordiv 4, %q mod 4] clamp } : tensor<33x34x8xf32>
//!   %i, %j = f(%y, %x)                        %o = stage "o" (%c, %y, %x) {
//!   %a = gather %t[%j, %i, %c] clamp            %a = gather %p[%j, %i + 1, %c] clamp
//!   %b = gather %t[%j, %i + 1, %c] clamp ──▶    %b = gather %p[%j, %i + 1, %c + 4] clamp
//!   ... %a, %b } : tensor<3x?x?xf32>            ... %a, %b }
//! ```
//!
//! Three floats are no vector: what a lane reads of a cube of colours, a mesh of a lens or a grid of gains begins anywhere, and a fourth float beside them
//! need not exist. Padded to four each lane reads a vector, and two pixels beside each other, between which most programs go on to compute, are read at one place,
//! which is computed once, and brought inside once. A table has far fewer entries than the image that reads it has points.
//!
//! What lies beyond an edge is the pixel at the edge, so that pairs have one more.

use super::{
    copy::{image_type, pointwise},
    gathers::{Gathers, elements, for_all_gathers},
};
use crate::{
    analysis::access::build_load,
    ir::{Builder, TakenNames, bits_of_element},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::BTreeSet;
use weft_dialects::pipeline::{Boundary, Extent};
use weft_model::Expr;

options! {
    /// Options of `--pack-pixels`.
    pub struct PackPixelsOptions {
        size: String = "", "size", "extents of images that are not known, for costs";
    }
}

/// The pass.
pub struct PackPixels;

const TABLES: Statistic = Statistic::new(c"tables", c"Tables of vectors");
const LOADS: Statistic = Statistic::new(c"loads", c"Loads that read one");

/// Channels of a vector.
const CHANNELS: i64 = 4;

impl Pass for PackPixels {
    const ARGUMENT: &'static str = "pack-pixels";
    const SUMMARY: &'static str = "Look up pixels of a small table as vectors";
    const DESCRIPTION: &'static str = "\
Where a stage gathers three or four channels of 32 bits from the last dimension of a table of known extents, with `clamp`, a stage of its pixels is made that have four channels, \
and of pairs of pixels where it gathers from two beside each other along the dimension before, and these are gathered, where the image has many more points than the table. No value changes. \
It goes behind `--pack-tables`. Stages in groups and in iterates stay as they are.";
    const STATISTICS: &'static [Statistic] = &[TABLES, LOADS];
    type Options = PackPixelsOptions;

    fn dialects(registry: RegistryRef) {
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &PackPixelsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        for_all_gathers(module, &options.size, |gathers, most, names| {
            let Some(pixels) = Pixels::of(gathers) else { return };
            // Pairs, or else pixels alone.
            let fits = |packing: &Packing| elements(&pixels.packed_extents(*packing)) <= most;
            if let Some(packing) = pixels.packings().into_iter().find(fits) {
                cx.count(TABLES, 1);
                cx.count(LOADS, pixels.0.loads.len());
                pixels.pack(cx, packing, names);
            }
        })
    }
}

/// What stands beside each other in a row of a packed table.
#[derive(Clone, Copy)]
enum Packing {
    /// One pixel.
    Alone,
    /// Two pixels: the first where what is added along the dimension before the last is the least, that number.
    Pairs(i64),
}

/// Gathers of three or four channels.
struct Pixels<'c, 'a>(Gathers<'c, 'a>);

impl<'c: 'a, 'a> Pixels<'c, 'a> {
    fn of(gathers: Gathers<'c, 'a>) -> Option<Self> {
        let is_pixel = gathers.extents.last().is_some_and(|channels| (3..=CHANNELS).contains(channels));
        let is_row = gathers.extents.len() > 1 && bits_of_element(gathers.element) == Some(32);
        Some(Self(gathers)).filter(|pixels| is_pixel && is_row && pixels.has_channels())
    }

    /// The dimension of a pixel's channels.
    fn last(&self) -> usize {
        self.0.extents.len() - 1
    }

    /// Whether loads read three channels or more, all of them inside.
    fn has_channels(&self) -> bool {
        let offsets = || self.0.loads.iter().map(|(_, place)| place.offsets[self.last()]);
        match self.0.loads[0].1.bases[self.last()] {
            None => {
                let channels: BTreeSet<i64> = offsets().collect();
                channels.len() > 2 && channels.iter().all(|channel| (0..self.0.extents[self.last()]).contains(channel))
            }
            Some(base) => {
                let along = ir::arguments(self.0.stage.body()).position(|coordinate| coordinate == base);
                let extent = along.and_then(|d| self.0.stage.extents().into_iter().nth(d));
                let is_channel =
                    |extent| matches!(extent, Extent::Static(channels) if (3..=CHANNELS).contains(&channels));
                extent.is_some_and(is_channel) && offsets().all(|offset| offset == 0)
            }
        }
    }

    /// The ways that they can be packed, the best one first.
    fn packings(&self) -> Vec<Packing> {
        let along = self.last() - 1;
        let all = self.0.offsets();
        let least = all.iter().map(|offsets| offsets[along]).min().unwrap_or(0);
        let is_paired = |offsets: &&[i64]| {
            let mut other = offsets.to_vec();
            other[along] = 2 * least + 1 - offsets[along];
            all.contains(&other[..])
        };
        let pairs = all.iter().all(is_paired).then_some(Packing::Pairs(least));
        // Four channels are a vector as they are.
        let alone = (self.0.extents[self.last()] < CHANNELS).then_some(Packing::Alone);
        pairs.into_iter().chain(alone).collect()
    }

    /// Extents of the packed table.
    fn packed_extents(&self, packing: Packing) -> Vec<i64> {
        let mut extents = self.0.extents.clone();
        let last = self.last();
        extents[last] = CHANNELS;
        if let Packing::Pairs(_) = packing {
            extents[last - 1] += 1;
            extents[last] += CHANNELS;
        }
        extents
    }

    /// Makes the packed table, and reads from it.
    fn pack(&self, cx: &PassContext<'c>, packing: Packing, names: &mut TakenNames) {
        let (first, _) = &self.0.loads[0];
        let b = Builder::before(cx.context(), self.0.stage.op()).located(first.location());
        let ty = image_type(self.packed_extents(packing).into_iter().map(Some).collect(), self.0.element);
        let last = self.last();
        let packed = pointwise(&b, &names.like(&format!("{}_pixels", self.0.stage.name())), ty, &[], |b, at| {
            let mut indices: Vec<Expr> = (0..at.len()).map(Expr::Dim).collect();
            if let Packing::Pairs(_) = packing {
                let place = || Box::new(Expr::Dim(last));
                indices[last - 1] = Expr::Dim(last - 1) + Expr::FloorDiv(place(), CHANNELS) + -1;
                indices[last] = Expr::Mod(place(), CHANNELS);
            }
            build_load(b, false, self.0.table, &indices, at, Boundary::Clamp, None)
        });
        for (load, place) in &self.0.loads {
            let b = Builder::before(cx.context(), *load).located(load.location());
            let mut offsets = place.offsets.clone();
            if let Packing::Pairs(least) = packing {
                offsets[last] += CHANNELS * (offsets[last - 1] - least);
                offsets[last - 1] = least + 1;
            }
            let (mut indices, mut values): (Vec<Expr>, Vec<Value>) = (Vec::new(), Vec::new());
            for (d, (base, offset)) in place.bases.iter().zip(offsets).enumerate() {
                let Some(base) = *base else {
                    indices.push(Expr::Const(offset));
                    continue;
                };
                // What is computed is an index as it is; a channel is a coordinate.
                let (value, more) = match (d == last, offset) {
                    (true, offset) => (base, offset),
                    (false, 0) => (base, 0),
                    (false, offset) => (b.arith("addi", base, b.index(offset)), 0),
                };
                indices.push(Expr::Dim(values.len()) + more);
                values.push(value);
            }
            let found = build_load(&b, true, packed, &indices, &values, Boundary::Clamp, None);
            ir::replace_all_uses(load.result(0).expect("a load has a result").into(), found);
        }
        self.0.loads.iter().for_each(|(load, _)| ir::erase(*load));
    }
}
