//! Non-local means: points are averaged by how alike their surroundings are.
//!
//! ```text
//! point (y, x)   +-------+      point (y + dy - 3, x + dx - 3)   +-------+
//!                | patch |  <-- d(dy, dx, y, x) -->              | patch |     the weight of one of 7 x 7 offsets
//!                +-------+                                       +-------+
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "nl_means",
    about: "Non-local means of a colour image, as Halide has it: each point becomes the mean of the 7x7 points around it, weighted \
            by how alike their surroundings are: exp(-d / (7 sigma)^2), where d is the squared distance of two 7x7 patches over \
            all colours. Each of the 49 offsets has an image of distances, and a patch of these is summed along columns, then \
            along rows. The edge is repeated.",
    run: "--arg img=examples/data/chelsea.png --arg sigma=0.12 --out means=means.png",
    program,
};

/// Points along a side of a patch, and offsets along a side of the search.
const SIDE: i32 = 7;

fn program<'p>(p: &'p Pipeline) {
    let [dy, dx, c, y, x] = p.vars(["dy", "dx", "c", "y", "x"]);
    let r = p.var("r");
    let img = p.image("img", F32, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let sigma = p.number("sigma", F32);
    let (h, w) = (img.extent(1), img.extent(2));
    let (side, reach) = (i64::from(SIDE), SIDE / 2);
    // A patch reaches three points out of the image.
    let (wide, tall) = (w + 2 * reach, h + 2 * reach);
    let offsets = [dy.to(SIDE), dx.to(SIDE)];
    let of_offsets = |y: Dim<'p>, x: Dim<'p>| [offsets[0], offsets[1], y, x];
    let sum = |window: &[Window<'p>], value: Expr<'p>| p.reduce(window, 0.0, |sum| sum + value);

    // Of the points (y - 3, x - 3) and (y - 3 + dy - 3, x - 3 + dx - 3).
    let here = img.clamp().at((c, y - reach, x - reach));
    let there = img.clamp().at((c, y + dy - 2 * reach, x + dx - 2 * reach));
    let squares = sum(&[c.over(0..3)], (here - there) * (here - there));
    let distance = p.stage("distance", of_offsets(y.to(tall), x.to(wide)), squares);
    let column = sum(&[r.over(0..side)], distance.at((dy, dx, y + r, x)));
    let columns = p.stage("columns", of_offsets(y.to(h), x.to(wide)), column);
    let patch = sum(&[r.over(0..side)], columns.at((dy, dx, y, x + r)));
    let scale = -1.0 / (sigma * sigma * f64::from(SIDE * SIDE));
    let weight = p.stage("weight", of_offsets(y.to(h), x.to(w)), (patch * scale).exp());

    let search = [dy.over(0..side), dx.over(0..side)];
    let own = weight.at((dy, dx, y, x));
    let total = p.stage("total", [y.to(h), x.to(w)], sum(&search, own));
    let weighted = own * img.clamp().at((c, y + dy - reach, x + dx - reach));
    let weighted = p.stage("sum", img.shape([c, y, x]), sum(&search, weighted));
    let mean = weighted.at((c, y, x)) / total.at((y, x));
    p.output("means", p.stage("means", img.shape([c, y, x]), mean.clamp(0.0, 1.0)));
}
