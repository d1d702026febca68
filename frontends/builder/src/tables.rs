//! Tables: images of constants, which a program has with it.
//!
//! ```text
//! let w = p.table("w", F32, [3], [1.0, 2.0, 1.0]);      %w = arith.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
//! w.at((k,))                                            pipeline.load %w[%k]
//! ```

use crate::{
    expr::Operand,
    graph::{self, Id, Node, Table},
    pipeline::{Image, MAX_RANK, Pipeline},
    types::Type,
};
use std::panic::Location;

impl Pipeline {
    /// An image of constants, one after the other, the last extent running along memory. Stages read it; it is no result.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("blur");
    /// # let [x, k] = p.vars(["x", "k"]);
    /// # let img = p.image("img", F32, [64]);
    /// let weights = p.table("weights", F32, [5], [1, 4, 6, 4, 1]);
    /// let blur = p.sum([k.over(0..5)], weights.at((k,)) * img.clamp().at((x + k - 2,)));
    /// ```
    #[track_caller]
    pub fn table<'p>(
        &'p self,
        name: &str,
        ty: Type,
        extents: impl AsRef<[i64]>,
        values: impl IntoIterator<Item = impl Into<Operand<'p>>>,
    ) -> Image<'p> {
        let place = Location::caller();
        let extents = extents.as_ref();
        let values: Vec<Id> = values.into_iter().map(|value| self.graph.typed(value.into(), ty, place).id).collect();
        let mut graph = self.graph.borrow_mut();
        if !ty.is_pixel() {
            graph.wrong(place, format!("table \"{name}\" of {ty}, expected floats or integers of 8 to 64 bits"));
        }
        if !(1..=MAX_RANK).contains(&extents.len()) {
            graph.wrong(place, format!("table \"{name}\" has rank {}, expected 1 to {MAX_RANK}", extents.len()));
        }
        let points =
            extents.iter().try_fold(1i64, |points, extent| points.checked_mul(*extent).filter(|_| *extent > 0));
        if points != i64::try_from(values.len()).ok() {
            let message = format!("table \"{name}\" of {extents:?} has {} values, expected one for each", values.len());
            graph.wrong(place, message);
        }
        let is_known = |id: &Id| {
            let entry = &graph.entries[*id];
            graph.is_wrong(*id) || matches!(entry.node, Node::Constant(_)) && entry.ty == ty
        };
        if let Some(other) = values.iter().find(|id| !is_known(id)) {
            let message = format!("table \"{name}\" has {} in it, expected constants of {ty}", graph.show(*other));
            graph.wrong(place, message);
        }
        let image = graph.images.len();
        let extents = extents.iter().map(|extent| graph.index(*extent, place)).collect();
        graph.images.push(graph::Image {
            name: name.to_owned(),
            ty,
            extents,
            argument: None,
            scope: None,
            is_wrong: false,
        });
        let source = graph.source;
        graph.tables.push(Table { image, values, place, source });
        Image::of(self, image)
    }
}
