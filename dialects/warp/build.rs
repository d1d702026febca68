//! Builders of the ops, as in `pipeline/build.rs`.

use super::ops::{Compute, Layout, Load, Read, Stream, TileId, Write};
use crate::{
    op_builder::OpBuilder,
    pipeline::{Boundary, needed_ends},
};
use melior::{
    Context,
    ir::{
        AffineMap, Attribute, Location, Operation, Type, Value,
        attribute::{ArrayAttribute, StringAttribute},
        operation::OperationBuilder,
        r#type::RankedTensorType,
    },
};
use mlir_glue::ir;

impl Layout {
    /// The text of the encoding.
    fn text(self) -> String {
        match self {
            Self::Shared => "#warp.shared".into(),
            Self::Lane => "#warp.lane".into(),
            Self::Cyclic(columns) => format!("#warp.cyclic<{columns}>"),
            Self::Blocked(columns) => format!("#warp.blocked<{columns}>"),
            Self::Hybrid(columns) => format!("#warp.hybrid<{columns}>"),
            Self::Grid(rows, columns) => format!("#warp.grid<{rows}, {columns}>"),
        }
    }

    /// The encoding that says it.
    pub fn attribute(self, context: &Context) -> Attribute<'_> {
        // The attributes are classes of C++ that ODS makes, and MLIR's C interface has nothing that makes one but its parser.
        Attribute::parse(context, &self.text()).expect("the dialect of the encoding is registered")
    }

    /// The type of a tile that covers a half-open box.
    pub fn tile<'c>(self, context: &'c Context, region: &[(i64, i64)], element: Type<'c>) -> RankedTensorType<'c> {
        // The verifier refuses a box without points.
        let extents: Vec<u64> = region.iter().map(|(lo, hi)| hi.saturating_sub(*lo).max(0).cast_unsigned()).collect();
        RankedTensorType::new(&extents, element, Some(self.attribute(context)))
    }
}

impl<'c> TileId<'c, '_> {
    /// The number of a tile: that of a warp among `warps`, or of a whole block where there are none; one result for each of
    /// `lanes`.
    pub fn build(context: &'c Context, warps: Option<&[i64]>, lanes: &[i64], location: Location<'c>) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::NAME, location).numbers("lanes", lanes);
        let op = match warps {
            Some(warps) => op.numbers("warps", warps),
            None => op,
        };
        op.results(&vec![Type::index(context); lanes.len()]).build()
    }
}

/// What a compute is built of.
#[derive(Debug, Clone, Copy)]
pub struct ComputeParts<'c, 'a, 'p> {
    /// The stage's name.
    pub name: &'p str,
    /// The number of this tile along each dimension.
    pub at: &'p [Value<'c, 'a>],
    /// From one tile to the next along each dimension.
    pub step: &'p [i64],
    /// The half-open box that is computed, relative to the tile's first point.
    pub region: &'p [(i64, i64)],
    /// The extents of the image where the box may leave it, else none.
    pub extents: &'p [Value<'c, 'a>],
    /// What is needed of the image, as [`Unit::needed`](crate::pipeline::Unit::needed) gives it.
    pub needed: Option<&'p [(Option<i64>, Option<i64>)]>,
    /// The dimensions along which the image is repeated.
    pub wrap: &'p [usize],
    /// Whether rows begin where vectors may be loaded.
    pub aligned: bool,
    /// Whether a lane has all planes of a pixel.
    pub planes_together: bool,
    /// The type of each value of a point.
    pub elements: &'p [Type<'c>],
    /// Where the values lie.
    pub layout: Layout,
}

impl<'c> Compute<'c, '_> {
    /// A compute, whose body has the coordinates.
    pub fn build(context: &'c Context, parts: ComputeParts<'c, '_, '_>, location: Location<'c>) -> Operation<'c> {
        let tile = |element: &Type<'c>| parts.layout.tile(context, parts.region, *element).into();
        let tiles: Vec<Type> = parts.elements.iter().map(tile).collect();
        let mut op = OpBuilder::new(context, Self::NAME, location)
            .text("name", parts.name)
            .numbers("step", parts.step)
            .intervals("box", parts.region)
            .flag("aligned", parts.aligned)
            .flag("planes_together", parts.planes_together)
            .operand_groups(&[parts.at, parts.extents]);
        if let Some(needed) = parts.needed {
            op = op.numbers("needed", &needed_ends(needed));
        }
        if !parts.wrap.is_empty() {
            // A rank is small.
            let wrap: Vec<i64> = parts.wrap.iter().map(|dimension| *dimension as i64).collect();
            op = op.numbers("wrap", &wrap);
        }
        op.results(&tiles).body_of_indices(parts.region.len()).build()
    }

    /// The `warp.yield` at the end of the body.
    pub fn build_yield(values: &[Value<'c, '_>], location: Location<'c>) -> Operation<'c> {
        OperationBuilder::new("warp.yield", location).add_operands(values).build().expect("no result types to infer")
    }
}

impl<'c> Read<'c, '_> {
    /// A read of a tile at a map's indices; the map has one dimension for each of `coordinates`.
    pub fn build(
        context: &'c Context,
        tile: Value<'c, '_>,
        coordinates: &[Value<'c, '_>],
        map: AffineMap<'c>,
        boundary: Boundary,
        padding: Option<Value<'c, '_>>,
        location: Location<'c>,
    ) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::NAME, location);
        op.read(tile, coordinates, map, boundary.attribute(context), padding).build()
    }
}

/// What a load is built of.
#[derive(Debug, Clone, Copy)]
pub struct LoadParts<'c, 'a, 'p> {
    /// The image.
    pub memory: Value<'c, 'a>,
    /// What the map is applied to.
    pub coordinates: &'p [Value<'c, 'a>],
    /// The index of each dimension, one dimension of the map for each of `coordinates`.
    pub map: AffineMap<'c>,
    /// What an index outside the image gives along each dimension.
    pub modes: &'p [Boundary],
    /// What has been computed of the image, as [`Unit::needed`](crate::pipeline::Unit::needed) gives it.
    pub needed: Option<&'p [(Option<i64>, Option<i64>)]>,
    /// The padding value, for [`Boundary::Constant`].
    pub padding: Option<Value<'c, 'a>>,
    /// The type of the value.
    pub element: Type<'c>,
}

impl<'c> Load<'c, '_> {
    /// A load.
    pub fn build(context: &'c Context, parts: LoadParts<'c, '_, '_>, location: Location<'c>) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::NAME, location)
            .attribute("map", ir::affine_map_attribute(parts.map))
            .operand_groups(&[&[parts.memory], parts.coordinates, parts.padding.as_slice()]);
        let op = match parts.needed {
            Some(needed) => op.numbers("needed", &needed_ends(needed)),
            None => op,
        };
        let op = match parts.modes {
            [] => op,
            [first, others @ ..] if others.iter().all(|mode| mode == first) => {
                op.attribute("boundary", first.attribute(context))
            }
            modes => {
                let modes = modes.iter().map(|mode| StringAttribute::new(context, mode.keyword()).into());
                op.attribute("modes", ArrayAttribute::new(context, &modes.collect::<Vec<_>>()).into())
            }
        };
        op.results(&[parts.element]).build()
    }
}

impl<'c> Write<'c, '_> {
    /// A write of a half-open box of a tile; `aligned` as of a compute.
    pub fn build(
        context: &'c Context,
        tile: Value<'c, '_>,
        region: &[(i64, i64)],
        memory: Value<'c, '_>,
        aligned: bool,
        location: Location<'c>,
    ) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location)
            .intervals("box", region)
            .flag("aligned", aligned)
            .operands(&[tile, memory])
            .build()
    }
}

impl<'c> Stream<'c, '_> {
    /// A stream of computes, so many rows of which are an iteration of the loop.
    pub fn build(context: &'c Context, unroll: i64, location: Location<'c>) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location).number("unroll", unroll).body(&[]).build()
    }
}
