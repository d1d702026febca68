//! Images of half and of twice the size, for pyramids.
//!
//! An image of n points has (n + 1) / 2 points one level up, so that every level has a point and every point of the finer
//! level has one above it. Point i of the coarser level lies over point 2i of the finer one.

use crate::{
    expr::{Dim, Expr, Var},
    pipeline::{Image, Pipeline},
};
use std::panic::Location;

/// How many points half of an image has.
#[track_caller]
pub fn half(extent: Expr<'_>) -> Expr<'_> {
    (extent + 1) / 2
}

impl Pipeline {
    /// Every other point of an image along a dimension: the stage whose point i is what `value` says of the points around
    /// 2i, given a reader of the image along that dimension and the place 2i.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("half");
    /// # let [y, x] = p.vars(["y", "x"]);
    /// # let img = p.image("img", F32, [DYN, DYN]);
    /// let narrow = p.down("narrow", img.clamp(), [y, x], 1, |at, x| (at(x - 1) + at(x) * 2.0 + at(x + 1)) * 0.25);
    /// ```
    #[track_caller]
    pub fn down<'p, const N: usize>(
        &'p self,
        name: &str,
        image: Image<'p>,
        vars: [Var<'p>; N],
        dimension: usize,
        value: impl Fn(&dyn Fn(Expr<'p>) -> Expr<'p>, Expr<'p>) -> Expr<'p>,
    ) -> Image<'p> {
        self.resample(name, image, vars, dimension, None, value)
    }

    /// More points of an image along a dimension, as many as `to` says: the stage whose point i is what `value` says of the
    /// points around i / 2, given a reader of the image along that dimension and the place i.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("twice");
    /// # let [y, x] = p.vars(["y", "x"]);
    /// # let img = p.image("img", F32, [DYN, DYN]);
    /// let wide = p.up("wide", img.clamp(), [y, x], 1, x.to(img.extent(1) * 2), |at, x| (at(x / 2) + at((x + 1) / 2)) / 2.0);
    /// ```
    #[track_caller]
    pub fn up<'p, const N: usize>(
        &'p self,
        name: &str,
        image: Image<'p>,
        vars: [Var<'p>; N],
        dimension: usize,
        to: Dim<'p>,
        value: impl Fn(&dyn Fn(Expr<'p>) -> Expr<'p>, Expr<'p>) -> Expr<'p>,
    ) -> Image<'p> {
        self.resample(name, image, vars, dimension, Some(to), value)
    }

    /// [`up`](Self::up), or without `to` [`down`](Self::down).
    #[track_caller]
    fn resample<'p, const N: usize>(
        &'p self,
        name: &str,
        image: Image<'p>,
        vars: [Var<'p>; N],
        dimension: usize,
        to: Option<Dim<'p>>,
        value: impl Fn(&dyn Fn(Expr<'p>) -> Expr<'p>, Expr<'p>) -> Expr<'p>,
    ) -> Image<'p> {
        let Some(var) = vars.get(dimension).copied() else {
            self.graph.fail(Location::caller(), format!("dimension {dimension}, expected one below {N}, the rank"));
            return image;
        };
        let (to, middle) = match to {
            Some(to) => (to, to.var.value()),
            None => (var.to(half(image.extent(dimension))), var * 2),
        };
        let mut shape = image.shape(vars);
        shape[dimension] = to;
        let reader = |place| {
            let mut point = vars.map(Expr::from);
            point[dimension] = place;
            image.at(point)
        };
        self.stage(name, shape, value(&reader, middle))
    }
}
