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

use super::{copy::pointwise, place::Place};
use crate::{
    analysis::{Ranges, Sizes, access::build_load, size_of},
    ir::{Builder, Key, TakenNames, bits_of_element, program},
};
use melior::ir::{
    OperationRef, ShapedTypeLike, Type, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::BTreeSet;
use weft_dialects::pipeline::{Boundary, Extent, Load, Stage, static_extents};
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

/// Points of an image for each element of a table, at least.
const POINTS: i64 = 4;

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
        let size = size_of(&options.size).map_err(|message| Failure::from(Diagnostic::on(module, message)))?;
        for func in program::programs(module) {
            let block = program::entry(func)?;
            let sizes = Sizes::of_program(func, block, &size);
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
                let points = stage.extents().into_iter().map(|extent| sizes.of(extent.into()));
                let points = points.fold(1, i64::saturating_mul);
                for pixels in Pixels::of(stage)? {
                    // Pairs, or else pixels alone.
                    let fitting = pixels.packings().into_iter().find(|packing| {
                        let elements = pixels.packed_extents(*packing).into_iter().fold(1, i64::saturating_mul);
                        elements.saturating_mul(POINTS) <= points
                    });
                    if let Some(packing) = fitting {
                        cx.count(TABLES, 1);
                        cx.count(LOADS, pixels.loads.len());
                        pixels.pack(cx, packing, &mut names);
                    }
                }
            }
        }
        Ok(())
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

/// Loads of channels of one table, at the same values.
struct Pixels<'c, 'a> {
    stage: Stage<'c, 'a>,
    table: Value<'c, 'a>,
    extents: Vec<i64>,
    element: Type<'c>,
    /// In the order of the body, one at least.
    loads: Vec<(OperationRef<'c, 'a>, Place<'c, 'a>)>,
}

impl<'c: 'a, 'a> Pixels<'c, 'a> {
    /// All of a stage's.
    fn of(stage: Stage<'c, 'a>) -> Result<Vec<Self>, Failure<'c>> {
        let mut ranges = Ranges::default();
        let mut all: Vec<Self> = Vec::new();
        for op in ir::operations(stage.body()) {
            let Some(load) = Load::of(op).filter(|load| load.boundary() == Boundary::Clamp) else { continue };
            let Some(alone) = Self::alone(stage, load, &mut ranges)? else { continue };
            let keys = alone.keys();
            match all.iter_mut().find(|other| other.table == alone.table && other.keys() == keys) {
                Some(other) => other.loads.extend(alone.loads),
                None => all.push(alone),
            }
        }
        all.retain(Self::has_channels);
        Ok(all)
    }

    /// A gather of numbers of 32 bits from a table of known extents.
    fn alone(stage: Stage<'c, 'a>, load: Load<'c, 'a>, ranges: &mut Ranges) -> Result<Option<Self>, Failure<'c>> {
        let Ok(ty) = RankedTensorType::try_from(load.source().r#type()) else { return Ok(None) };
        let (element, extents) = (ty.element(), static_extents(ty));
        let extents: Option<Vec<i64>> = extents.into_iter().map(|extent| extent.filter(|extent| *extent > 0)).collect();
        let is_known = bits_of_element(element) == Some(32) && ir::name_of(load.op()) == Load::GATHER;
        let Some(extents) = extents.filter(|extents| is_known && extents.len() > 1) else { return Ok(None) };
        let is_pixel = extents.last().is_some_and(|channels| (3..=CHANNELS).contains(channels));
        let place = Place::of(stage, load, ranges)?.filter(|_| is_pixel);
        let loads = |place| vec![(load.op(), place)];
        Ok(place.map(|place| Self { stage, table: load.source(), extents, element, loads: loads(place) }))
    }

    fn keys(&self) -> Vec<Option<Key>> {
        self.loads[0].1.keys()
    }

    /// The dimension of a pixel's channels.
    fn last(&self) -> usize {
        self.extents.len() - 1
    }

    /// Whether loads read three channels or more, all of them inside.
    fn has_channels(&self) -> bool {
        let offsets = || self.loads.iter().map(|(_, place)| place.offsets[self.last()]);
        match self.loads[0].1.bases[self.last()] {
            None => {
                let channels: BTreeSet<i64> = offsets().collect();
                channels.len() > 2 && channels.iter().all(|channel| (0..self.extents[self.last()]).contains(channel))
            }
            Some(base) => {
                let along = ir::arguments(self.stage.body()).position(|coordinate| coordinate == base);
                let extent = along.and_then(|d| self.stage.extents().into_iter().nth(d));
                let is_channel =
                    |extent| matches!(extent, Extent::Static(channels) if (3..=CHANNELS).contains(&channels));
                extent.is_some_and(is_channel) && offsets().all(|offset| offset == 0)
            }
        }
    }

    /// The ways that they can be packed, the best one first.
    fn packings(&self) -> Vec<Packing> {
        let along = self.last() - 1;
        let all: BTreeSet<&[i64]> = self.loads.iter().map(|(_, place)| &place.offsets[..]).collect();
        let least = all.iter().map(|offsets| offsets[along]).min().unwrap_or(0);
        let is_paired = |offsets: &&[i64]| {
            let mut other = offsets.to_vec();
            other[along] = 2 * least + 1 - offsets[along];
            all.contains(&other[..])
        };
        let pairs = all.iter().all(is_paired).then_some(Packing::Pairs(least));
        // Four channels are a vector as they are.
        let alone = (self.extents[self.last()] < CHANNELS).then_some(Packing::Alone);
        pairs.into_iter().chain(alone).collect()
    }

    /// Extents of the packed table.
    fn packed_extents(&self, packing: Packing) -> Vec<i64> {
        let mut extents = self.extents.clone();
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
        let (first, _) = &self.loads[0];
        let b = Builder::before(cx.context(), self.stage.op()).located(first.location());
        let shape: Vec<u64> = self.packed_extents(packing).into_iter().map(i64::cast_unsigned).collect();
        let ty = RankedTensorType::new(&shape, self.element, None).into();
        let last = self.last();
        let packed = pointwise(&b, &names.like(&format!("{}_pixels", self.stage.name())), ty, &[], |b, at| {
            let mut indices: Vec<Expr> = (0..at.len()).map(Expr::Dim).collect();
            if let Packing::Pairs(_) = packing {
                let place = || Box::new(Expr::Dim(last));
                indices[last - 1] = Expr::Dim(last - 1) + Expr::FloorDiv(place(), CHANNELS) + -1;
                indices[last] = Expr::Mod(place(), CHANNELS);
            }
            build_load(b, false, self.table, &indices, at, Boundary::Clamp, None)
        });
        for (load, place) in &self.loads {
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
        self.loads.iter().for_each(|(load, _)| ir::erase(*load));
    }
}
