//! Histogram equalization: a scatter, a scan, a table, a gather.
//!
//! ```text
//! img --+-> histogram (level) --> sums (level) --> table (level) --+-> equalized
//!       +----------------------------------------------------------+
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "histogram_equalize",
    about: "Histogram equalization of a grey image: how often each level occurs, the sums of that from the darkest level on, and a \
            table that makes the levels' ranks the new levels, the darkest one 0 and the brightest 255, rounded to the nearest. \
            An image of one level becomes black.",
    run: "--arg img=examples/data/camera.png --out equalized=equalized.png",
    program,
};

fn program(p: &Pipeline) {
    const LEVELS: i32 = 256;
    let [y, x, level] = p.vars(["y", "x", "level"]);
    let img = p.image("img", U8, [DYN, DYN]).estimate([2560, 1536]);
    let (h, w) = (img.extent(0), img.extent(1));
    let own = img.at((y, x)).cast(Index);

    let one = p.constant(U32, 1);
    let histogram = p.scatter("histogram", [level.to(LEVELS)], 0).over([y.to(h), x.to(w)]).add(own, one);

    // Beside each sum, the first one that is not 0: that of the darkest level.
    let none = p.constant(U32, 0);
    let [sums, darkest] = p.scans("sums", [level.to(LEVELS)], level, |[sums, darkest]| {
        let sum = sums.previous(1, none) + histogram.at(level);
        let first = darkest.previous(1, none);
        [sum, first.eq(none).select(sum, first)]
    });

    // 255 (sum - darkest) / (points - darkest), and a half.
    let [sum, darkest] = [sums, darkest].map(|image| image.at(level).cast(U64));
    let others = ((h * w).cast(U64) - darkest).max(1);
    let rank = ((sum - darkest) * 255 + (others >> 1)) / others;
    let table = p.stage("table", [level.to(LEVELS)], rank.cast(U8));

    p.output("equalized", p.stage("equalized", img.shape([y, x]), table.clamp().at(own)));
}
