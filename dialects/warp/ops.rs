//! Typed views of the ops, as in `pipeline/ops.rs`.

use crate::pipeline::{
    Boundary, body_of, coordinate_names, integers, name_of, names_of_results, segments, static_extents,
};
use melior::ir::{
    AffineMap, Attribute, BlockLike, BlockRef, OperationRef, Value, ValueLike,
    attribute::{ArrayAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::RankedTensorType,
};
use mlir_glue::ir;

view!(
    /// A `warp.tile_id`.
    TileId = "warp.tile_id"
);
view!(
    /// A `warp.compute`.
    Compute = "warp.compute"
);
view!(
    /// A `warp.read`.
    Read = "warp.read"
);
view!(
    /// A `warp.load`.
    Load = "warp.load"
);
view!(
    /// A `warp.write`.
    Write = "warp.write"
);
view!(
    /// A `warp.stream`.
    Stream = "warp.stream"
);

/// Whether an op is a `warp.sync`.
pub fn is_sync(op: OperationRef) -> bool {
    ir::name_of(op) == "warp.sync"
}

/// Where the values of a tile lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// In shared memory.
    Shared,
    /// In the lane that computed them.
    Lane,
    /// In registers; lane i has columns i, i + 32, ..., so many.
    Cyclic(i64),
    /// In registers; lane i has so many neighbouring columns.
    Blocked(i64),
    /// So many columns in shared memory, those right of them cyclic in registers.
    Hybrid(i64),
    /// In registers of lanes that lie in so many rows and columns: neighbours along both are in neighbouring lanes.
    Grid(i64, i64),
}

impl Layout {
    /// What an encoding says; `None` if it is not one of a tile.
    pub fn of(encoding: Attribute) -> Option<Self> {
        // C++ has the parameters, and no C interface to them: the text has them too.
        let text = encoding.to_string();
        let parameters =
            |keyword: &str| text.strip_prefix("#warp.")?.strip_prefix(keyword)?.strip_prefix('<')?.strip_suffix('>');
        let columns = |keyword: &str| parameters(keyword)?.trim().parse().ok();
        let grid = || {
            let (rows, columns) = parameters("grid")?.split_once(',')?;
            Some(Self::Grid(rows.trim().parse().ok()?, columns.trim().parse().ok()?))
        };
        match text.as_str() {
            "#warp.shared" => Some(Self::Shared),
            "#warp.lane" => Some(Self::Lane),
            _ => None
                .or_else(|| columns("cyclic").map(Self::Cyclic))
                .or_else(|| columns("blocked").map(Self::Blocked))
                .or_else(|| columns("hybrid").map(Self::Hybrid))
                .or_else(grid),
        }
    }

    /// The layout of a tile's type.
    pub fn of_type(tile: RankedTensorType) -> Option<Self> {
        tile.encoding().and_then(Self::of)
    }

    /// The layout of a tile, which a verified program's tiles have.
    pub fn of_tile(tile: Value) -> Option<Self> {
        RankedTensorType::try_from(tile.r#type()).ok().and_then(Self::of_type)
    }
}

/// Half-open intervals of an attribute that holds lo, hi, lo, hi, ...
fn intervals(op: OperationRef, name: &str) -> Option<Vec<(i64, i64)>> {
    let ends = integers(op.attribute(name).ok()?);
    Some(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

/// The intervals of `needed`.
fn needed_of(op: OperationRef) -> Option<Vec<(i64, Option<i64>)>> {
    let ends = intervals(op, "needed")?;
    Some(ends.into_iter().map(|(lo, hi)| (lo, (hi != i64::MIN).then_some(hi))).collect())
}

impl<'c, 'a> TileId<'c, 'a> {
    /// The warps of a block along each dimension; `None` where the tile belongs to the whole block.
    pub fn warps(self) -> Option<Vec<i64>> {
        self.op().attribute("warps").ok().map(integers)
    }

    /// The lanes along each dimension.
    pub fn lanes(self) -> Vec<i64> {
        self.op().attribute("lanes").map(integers).unwrap_or_default()
    }
}

impl<'c, 'a> Compute<'c, 'a> {
    /// The stage's name.
    pub fn name(self) -> &'c str {
        name_of(self.op())
    }

    /// The number of dimensions.
    pub fn rank(self) -> usize {
        self.step().len()
    }

    /// The number of this tile along each dimension.
    pub fn at(self) -> Vec<Value<'c, 'a>> {
        self.op().operands().take(segments(self.op())[0]).collect()
    }

    /// From one tile to the next along each dimension.
    pub fn step(self) -> Vec<i64> {
        self.op().attribute("step").map(integers).unwrap_or_default()
    }

    /// The half-open box that is computed, relative to the tile's first point.
    pub fn region(self) -> Vec<(i64, i64)> {
        intervals(self.op(), "box").unwrap_or_default()
    }

    /// The extents of the image, where the box may leave it.
    pub fn extents(self) -> Option<Vec<Value<'c, 'a>>> {
        let [at, extents, ..] = segments(self.op());
        (extents > 0).then(|| self.op().operands().skip(at).take(extents).collect())
    }

    /// What is needed of the image, an end being `None` where it is dynamic.
    pub fn needed(self) -> Option<Vec<(i64, Option<i64>)>> {
        needed_of(self.op())
    }

    /// Whether rows begin where vectors may be loaded.
    pub fn is_aligned(self) -> bool {
        self.op().has_attribute("aligned")
    }

    /// The dimension of planes, that before rows, where a lane has all planes of a pixel.
    pub fn plane(self) -> Option<usize> {
        self.rank().checked_sub(3).filter(|_| self.op().has_attribute("planes_together"))
    }

    /// The dimensions along which the image is repeated.
    pub fn wrap(self) -> Vec<usize> {
        let dimensions = self.op().attribute("wrap").map(integers).unwrap_or_default();
        dimensions.into_iter().filter_map(|dimension| usize::try_from(dimension).ok()).collect()
    }

    /// The block that is evaluated once for each point.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.op())
    }

    /// The `warp.yield` at the end of the body.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The reads in the body, at any depth.
    pub fn reads(self) -> Vec<Read<'c, 'a>> {
        ir::walk(self.op()).into_iter().filter_map(Read::of).collect()
    }

    /// Where the values of the tiles lie: all alike.
    pub fn layout(self) -> Option<Layout> {
        Layout::of_tile(ir::result(self.op(), 0)?)
    }

    /// The `warp.compute` that gives a tile.
    pub fn giving(tile: Value<'c, 'a>) -> Option<Self> {
        ir::defining_op(tile).and_then(Self::of)
    }
}

impl<'c, 'a> Read<'c, 'a> {
    /// The tile.
    pub fn tile(self) -> Value<'c, 'a> {
        self.op().operand(0).expect("a read has a tile")
    }

    /// The coordinates that the map is applied to.
    pub fn coordinates(self) -> Vec<Value<'c, 'a>> {
        self.op().operands().skip(1).take(segments(self.op())[1]).collect()
    }

    /// From coordinates of the reader to coordinates of the tile's stage.
    pub fn map(self) -> AffineMap<'c> {
        let map = self.op().attribute("map").expect("a read has a map");
        ir::affine_map_of(map).expect("ODS checks that it is an affine map")
    }

    /// What an index outside the image gives.
    pub fn boundary(self) -> Boundary {
        boundary_of(self.op())
    }

    /// The padding value, for [`Boundary::Constant`].
    pub fn padding(self) -> Option<Value<'c, 'a>> {
        let [_, coordinates, padding] = segments(self.op());
        if padding == 1 { ir::operand(self.op(), 1 + coordinates) } else { None }
    }
}

impl<'c, 'a> Load<'c, 'a> {
    /// The image.
    pub fn memory(self) -> Value<'c, 'a> {
        self.op().operand(0).expect("a load has memory")
    }

    /// The coordinates that the map is applied to.
    pub fn coordinates(self) -> Vec<Value<'c, 'a>> {
        self.op().operands().skip(1).take(segments(self.op())[1]).collect()
    }

    /// From coordinates of the reader to indices of the image.
    pub fn map(self) -> AffineMap<'c> {
        let map = self.op().attribute("map").expect("a load has a map");
        ir::affine_map_of(map).expect("ODS checks that it is an affine map")
    }

    /// What an index outside the image gives along each dimension; `None` of a mode that there is not.
    pub fn modes(self) -> Vec<Option<Boundary>> {
        let list = self.op().attribute("modes").ok().and_then(|modes| ArrayAttribute::try_from(modes).ok());
        match list {
            Some(list) => (0..list.len()).map(|d| Boundary::of_keyword(ir::text_of(list.element(d).ok()?)?)).collect(),
            None => vec![Some(self.boundary()); self.map().result_count()],
        }
    }

    /// The mode of all dimensions, where no [mode of each](Self::modes) is said.
    pub(super) fn boundary(self) -> Boundary {
        boundary_of(self.op())
    }

    /// What an index outside the image gives along a dimension.
    pub fn mode(self, dimension: usize) -> Boundary {
        self.modes().get(dimension).copied().flatten().unwrap_or(Boundary::None)
    }

    /// What has been computed of the image, where it is not all; an end being `None` where it is dynamic.
    pub fn needed(self) -> Option<Vec<(i64, Option<i64>)>> {
        needed_of(self.op())
    }

    /// The padding value, for [`Boundary::Constant`].
    pub fn padding(self) -> Option<Value<'c, 'a>> {
        let [_, coordinates, padding] = segments(self.op());
        if padding == 1 { ir::operand(self.op(), 1 + coordinates) } else { None }
    }
}

impl<'c, 'a> Write<'c, 'a> {
    /// The tile.
    pub fn tile(self) -> Value<'c, 'a> {
        self.op().operand(0).expect("a write has a tile")
    }

    /// The image.
    pub fn memory(self) -> Value<'c, 'a> {
        self.op().operand(1).expect("a write has memory")
    }

    /// The half-open box that is written, relative to the tile's first point.
    pub fn region(self) -> Vec<(i64, i64)> {
        intervals(self.op(), "box").unwrap_or_default()
    }

    /// Whether rows begin where vectors may be stored.
    pub fn is_aligned(self) -> bool {
        self.op().has_attribute("aligned")
    }
}

impl<'c, 'a> Stream<'c, 'a> {
    /// The rows of one iteration of the loop.
    pub fn unroll(self) -> i64 {
        let rows = self.op().attribute("unroll").ok().and_then(|rows| IntegerAttribute::try_from(rows).ok());
        rows.map_or(1, |rows| rows.value())
    }

    /// The block with the computes.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.op())
    }
}

/// The mode that an op says in a word.
fn boundary_of(op: OperationRef) -> Boundary {
    let case = op.attribute("boundary").ok().and_then(|case| IntegerAttribute::try_from(case).ok());
    Boundary::of_case(case.map_or(0, |case| case.value()))
}

/// Tiles are called after their stage.
pub(super) fn result_names(op: OperationRef) -> Vec<String> {
    names_of_results(op)
}

/// The number of a tile is called `tile_` and its dimension.
pub(super) fn id_names(op: OperationRef) -> Vec<String> {
    coordinate_names(op.result_count()).iter().map(|name| format!("tile_{name}")).collect()
}

pub(super) fn argument_names(op: OperationRef, _region: usize) -> Vec<String> {
    let rank = body_of(op).argument_count();
    coordinate_names(rank).iter().map(|name| (*name).to_owned()).collect()
}

/// The extents of a tile, all known.
pub(super) fn tile_extents(tile: RankedTensorType) -> Option<Vec<i64>> {
    static_extents(tile).into_iter().collect()
}
