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
    /// A weighted sum along one dimension of an image with a boundary: `taps[i]` times the value at distance `i - first`, in
    /// this order, and then times `scale`. Taps of 1 are not multiplied.
    #[track_caller]
    pub fn taps<'p>(&'p self, taps: &[f64], scale: f64, at: impl Fn(i32) -> Expr<'p>) -> Expr<'p> {
        let mut sum: Option<Expr<'p>> = None;
        for (position, tap) in (0..).zip(taps) {
            let value = at(position);
            let term = if *tap == 1.0 { value } else { value * *tap };
            sum = Some(sum.map_or(term, |sum| sum + term));
        }
        match sum {
            Some(sum) if scale != 1.0 => sum * scale,
            Some(sum) => sum,
            None => self.fail(Location::caller(), "no taps, expected at least one".into()),
        }
    }

    /// Every other point of an image along a dimension, smoothed: the stage whose point i is the weighted sum of points
    /// around 2i, `taps[0]` being that of point 2i - `before`.
    #[track_caller]
    pub fn down<'p, const N: usize>(
        &'p self,
        name: &str,
        image: Image<'p>,
        vars: [Var<'p>; N],
        dimension: usize,
        (taps, before, scale): (&[f64], i32, f64),
    ) -> Image<'p> {
        let mut shape = image.shape(vars);
        let Some(var) = vars.get(dimension).copied() else {
            self.fail(Location::caller(), format!("dimension {dimension}, expected one below {N}, the rank"));
            return image;
        };
        shape[dimension] = var.to(half(image.extent(dimension)));
        let value = self.taps(taps, scale, |position| {
            let mut point = vars.map(Expr::from);
            point[dimension] = var * 2 + (position - before);
            image.at(point)
        });
        self.stage(name, shape, value)
    }

    /// An image of another size along a dimension, each point being the weighted sum of two of the coarser image: the one
    /// above it and the next one, as `value` says of the image's point at a place along the dimension.
    #[track_caller]
    pub fn up<'p, const N: usize>(
        &'p self,
        name: &str,
        image: Image<'p>,
        vars: [Var<'p>; N],
        (dimension, to): (usize, Dim<'p>),
        value: impl Fn(&dyn Fn(Expr<'p>) -> Expr<'p>) -> Expr<'p>,
    ) -> Image<'p> {
        let mut shape = image.shape(vars);
        if dimension >= N {
            self.fail(Location::caller(), format!("dimension {dimension}, expected one below {N}, the rank"));
            return image;
        }
        shape[dimension] = to;
        let value = value(&|place| {
            let mut point = vars.map(Expr::from);
            point[dimension] = place;
            image.at(point)
        });
        self.stage(name, shape, value)
    }
}
