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

    /// How many rows the box has: points of all dimensions but the last.
    pub fn rows(&self) -> i64 {
        self.region.split_last().map_or(1, |(_, outer)| volume(outer))
    }

    /// How long its rows are.
    pub fn columns(&self) -> i64 {
        self.region.last().map_or(1, |columns| columns.len())
    }

    /// The points along a dimension, from 0, that are the tile's own: those to its successor, or all where tiles do not move along it.
    pub fn own(&self, dimension: usize) -> i64 {
        match self.strides[dimension].step {
            0 => (self.region[dimension].hi + 1).max(1),
            step => step,
        }
    }

    /// The dimension that moves with the axis of the grid that tiles slide along.
    pub fn sliding(&self, stream: Option<usize>) -> Option<usize> {
        (0..self.strides.len()).find(|d| self.slides(*d, stream))
    }

    /// Whether a dimension moves with the axis of the grid that tiles slide along.
    pub fn slides(&self, dimension: usize, stream: Option<usize>) -> bool {
        self.strides[dimension].step > 0 && Some(self.strides[dimension].axis) == stream
    }
}
