//! What one tile computes of a stage: a box that moves with the tile's number.

use super::{boundary::volume, range::Range, tile::TileStride};

/// What one tile computes of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// How each dimension moves with the tile's number.
    pub strides: Vec<TileStride>,
    /// The box, relative to the tile's first point.
    pub region: Vec<Range<i64>>,
    /// Along which dimensions the stage is periodic.
    pub periodic: Vec<bool>,
}

impl Part {
    /// How many points the box holds.
    pub fn volume(&self) -> i64 {
        volume(&self.region)
    }

    /// Whether a dimension moves with the axis of the grid that tiles slide along.
    pub fn slides(&self, dimension: usize, stream: Option<usize>) -> bool {
        self.strides[dimension].step > 0 && Some(self.strides[dimension].axis) == stream
    }
}
