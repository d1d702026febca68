//! Histogram equalization of a colour image: rows of a histogram, their sum, a scan, and three planes of what a pixel has in common.
//!
//! ```text
//! img --> luma --+-> row_histogram (y, level) --> histogram (level) --> sums (level) --> equalized --+
//!                +-> red_difference, blue_difference ------------------------------------------------+-> rgb
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "equalize_colors",
    about: "Histogram equalization of a colour image, as Halide's app has it: the luma of each pixel and how far red and blue are from \
            it (3), how often each level of luma occurs in each row and in all of them (2), the sums of that from the darkest level \
            on, the part of all points that are no brighter as the new luma, and the colours that it makes with the old differences. \
            Values are cut to whole numbers, not rounded.",
    run: "--arg img=examples/data/chelsea.png --out rgb=rgb.png",
    program,
};

fn program<'p>(p: &'p Pipeline) {
    const LEVELS: i32 = 256;
    let [c, y, x, level, r] = p.vars(["c", "y", "x", "level", "r"]);
    let img = p.image("img", U8, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let (h, w) = (img.extent(1), img.extent(2));
    let pixel = [y.to(h), x.to(w)];

    let [red, green, blue] = [0, 1, 2].map(|c| img.at((c, y, x)).cast(F32));
    let luma = p.stage("luma", pixel, red * 0.299 + green * 0.587 + blue * 0.114);
    let own = luma.at((y, x));
    let red_difference = p.stage("red_difference", pixel, (red - own) * 0.713 + 128.0);
    let blue_difference = p.stage("blue_difference", pixel, (blue - own) * 0.564 + 128.0);

    let bin = |luma: Expr<'p>| luma.clamp(0.0, 255.0).cast(I32).cast(Index);
    let (none, one) = (p.constant(U32, 0), p.constant(U32, 1));
    let rows =
        p.scatter("row_histogram", [y.to(h), level.to(LEVELS)], 0).over([r.to(w)]).add((y, bin(luma.at((y, r)))), one);
    let histogram = p.scatter("histogram", [level.to(LEVELS)], 0).over([r.to(h)]).add(level, rows.at((r, level)));
    let sums = p.scan("sums", [level.to(LEVELS)], level.forward(), |sums| sums.previous(1, none) + histogram.at(level));

    let share = sums.clamp().at(bin(own)).cast(F32) * (255.0 / (h * w).cast(F32));
    let equalized = p.stage("equalized", pixel, share.clamp(0.0, 255.0));

    let [of_red, of_blue] = [red_difference, blue_difference].map(|image| image.at((y, x)) - 128.0);
    let new = equalized.at((y, x));
    let colours = [new + of_red * 1.4, new - of_blue * 0.343 - of_red * 0.711, new + of_blue * 1.765];
    let [red, green, blue] = colours.map(|value| value.clamp(0.0, 255.0).cast(U8));
    let own = c.value().eq(0).select(red, c.value().eq(1).select(green, blue));
    p.output("rgb", p.stage("rgb", [c.to(3), y.to(h), x.to(w)], own));
}
