//! How it is decided which stages share a kernel.

use mlir_glue::choice;

choice! {
    /// Which stages share a kernel.
    pub enum Strategy { All = "all", None = "none", Greedy = "greedy", Segments = "segments", Dp = "dp" }
}
