//! A recursive blur: four scans, each of which runs the filter once over all lines.
//!
//! ```text
//! img --> down --> up --> right --> left          own[i] * alpha + blurred[i - 1] * (1 - alpha)
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "iir_blur",
    about: "Halide's recursive blur of a colour image: each value is mixed with the blurred one before it, `alpha` parts of 1 its \
            own. Down every column, up again, along every row, and back: four scans, each of which runs the filter once over all \
            lines. A line begins with its own first value.",
    run: "--arg img=examples/data/chelsea.png --arg alpha=0.2 --out blurred=blurred.png",
    program,
};

fn program<'p>(p: &'p Pipeline) {
    let [c, y, x] = p.vars(["c", "y", "x"]);
    let img = p.image("img", F32, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let alpha = p.number("alpha", F32);

    let blur = |name: &str, image: Image<'p>, along: Along<'p>| {
        let own = image.at((c, y, x));
        p.scan(name, img.shape([c, y, x]), along, |line| line.previous(1, own) * (1.0 - alpha) + own * alpha)
    };
    let down = blur("down", img, y.forward());
    let up = blur("up", down, y.backward());
    let right = blur("right", up, x.forward());
    let left = blur("left", right, x.backward());
    p.output("blurred", left);
}
