use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "interpolate",
    about: "Multiscale interpolation, 49 stages: the colours of an image of which only the points with alpha are known, spread \
            over the others. Colours times alpha go up a pyramid of ten levels (1 2 1 along y and x); on the way down each level \
            fills what the finer one lacks (linear, alpha over), and the result is divided by its alpha. Conversion and the \
            product with alpha are 2 stages, then 18 down, 1 at the top, 27 up and 1 at the end. Halide's app is the same but \
            for its first stage, which repeats the edge; here every level repeats its own edge.",
    run: "--arg img=rgba.npy --out filled=filled.png",
    program,
};

const LEVELS: usize = 10;

fn program<'p>(p: &'p Pipeline) {
    let vars @ [c, y, x] = p.vars(["c", "y", "x"]);
    let img = p.image("img", U8, [4, DYN, DYN]).estimate([4, 2560, 1536]);
    let shape = img.shape(vars);
    let point = (c, y, x);

    let rgba = p.stage("rgba", shape, img.at(point).cast(F32) / 255.0);
    let alpha = rgba.at((3, y, x));
    let mut levels = vec![p.stage("down0", shape, c.value().lt(3).select(rgba.at(point) * alpha, alpha))];
    for l in 1..LEVELS {
        let finer = levels[l - 1].clamp();
        let narrow = p.down(&format!("downx{l}"), finer, vars, 2, |at, x| (at(x - 1) + at(x) * 2.0 + at(x + 1)) * 0.25);
        let small =
            p.down(&format!("down{l}"), narrow.clamp(), vars, 1, |at, y| (at(y - 1) + at(y) * 2.0 + at(y + 1)) * 0.25);
        levels.push(small);
    }

    let top = levels[LEVELS - 1];
    let mut filled = p.stage(&format!("filled{}", LEVELS - 1), top.shape(vars), top.at(point));
    for l in (0..LEVELS - 1).rev() {
        let own = levels[l];
        let [_, to_y, to_x] = own.shape(vars);
        let linear = |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| (at(i / 2) + at((i + 1) / 2)) / 2.0;
        let wide = p.up(&format!("upx{l}"), filled.clamp(), vars, 2, to_x, linear);
        let large = p.up(&format!("up{l}"), wide.clamp(), vars, 1, to_y, linear);
        let value = own.at(point) + (1.0 - own.at((3, y, x))) * large.at(point);
        filled = p.stage(&format!("filled{l}"), own.shape(vars), value);
    }
    let [_, to_y, to_x] = shape;
    let normalized = p.stage("normalized", [c.to(3), to_y, to_x], filled.at(point) / filled.at((3, y, x)));
    p.output("filled", normalized);
}
