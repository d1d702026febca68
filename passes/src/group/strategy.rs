//! How it is decided which stages share a kernel, and in tiles of which shape and with what in them.

use mlir_glue::choice;
use weft_model::Shape;

choice! {
    /// Which stages share a kernel.
    pub enum Strategy {
        All = "all",
        None = "none",
        Greedy = "greedy",
        Segments = "segments",
        Dp = "dp",
        PolyMage = "polymage",
        Sioutas = "sioutas",
    }
}

choice! {
    /// From where tiles in shared memory read inputs.
    pub enum Inputs { Memory = "memory", Shared = "shared" }
}

choice! {
    /// The shape of a tile.
    pub enum Overlap { Scalene = "scalene", RightRectangle = "right-rectangle", UniformSlope = "uniform-slope" }
}

impl Overlap {
    /// As the model knows it.
    pub fn shape(self) -> Shape {
        match self {
            Self::Scalene => Shape::Scalene,
            Self::RightRectangle => Shape::RightRectangle,
            Self::UniformSlope => Shape::UniformSlope,
        }
    }
}
