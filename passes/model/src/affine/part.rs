//! What one tile computes of a stage: a box that follows the tile's number.

use super::{boundary::points, range::Range, tile::Follow};

/// What one tile computes of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// How each dimension follows the tile's number.
    pub follow: Vec<Follow>,
    /// The box, relative to the tile's first point.
    pub region: Vec<Range<i64>>,
    /// Along which dimensions the stage is periodic.
    pub periodic: Vec<bool>,
}

impl Part {
    /// The points of the box.
    pub fn points(&self) -> i64 {
        points(&self.region)
    }

    /// Whether a dimension moves with the axis of the grid that tiles slide along.
    pub fn slides(&self, dimension: usize, stream: Option<usize>) -> bool {
        self.follow[dimension].step > 0 && Some(self.follow[dimension].axis) == stream
    }
}
