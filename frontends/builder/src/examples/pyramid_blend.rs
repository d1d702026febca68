use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "pyramid_blend",
    about: "Pyramid blending, 44 stages: two images become one along a mask, each frequency over its own distance. Four levels, \
            1 4 6 4 1 down and its counterpart up, as Burt and Adelson have it. 18 stages take the images and the mask up, 12 \
            make Laplacians (up along x, then up along y and subtract), 4 blend, 9 go down again (up along x, up along y, add) \
            and 1 keeps the result within 0 and 1. PolyMage's 44 are not listed in the paper; which stages it joins is open.",
    run: "--arg a=examples/data/chelsea.png --arg b=other.png --arg mask=mask.npy --out blended=blended.png",
    program,
};

const LEVELS: usize = 4;

fn program<'p>(p: &'p Pipeline) {
    let vars @ [c, y, x] = p.vars(["c", "y", "x"]);
    let a = p.image("a", F32, [3, DYN, DYN]).estimate([3, 2160, 3840]);
    let b = p.image("b", F32, [3, DYN, DYN]).estimate([3, 2160, 3840]);
    // One channel, so that the same functions serve it and the images.
    let mask = p.image("mask", F32, [1, DYN, DYN]).estimate([1, 2160, 3840]);
    p.require_equal_extents(b, a, 1..3);
    p.require_equal_extents(mask, a, 1..3);

    let five = |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| {
        (at(i - 2) + at(i + 2) + (at(i - 1) + at(i + 1)) * 4.0 + at(i) * 6.0) / 16.0
    };
    // Even points see 1 6 1 of the coarser level, odd ones 4 4.
    let spread = |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| {
        let (before, here, after) = (at(i / 2 - 1), at(i / 2), at(i / 2 + 1));
        (i % 2).eq(0).select((before + here * 6.0 + after) / 8.0, (here + after) / 2.0)
    };
    let gaussian = |name: &str, image: Image<'p>| {
        let mut levels = vec![image];
        for l in 1..LEVELS {
            let narrow = p.down(&format!("{name}_downx{l}"), levels[l - 1].clamp(), vars, 2, five);
            levels.push(p.down(&format!("{name}_down{l}"), narrow.clamp(), vars, 1, five));
        }
        levels
    };
    // The image along x as wide as another one; then, to be used in a value, along y too.
    let up_x = |name: String, image: Image<'p>, like: Image<'p>| {
        let [_, _, to_x] = like.shape(vars);
        p.up(&name, image.clamp(), vars, 2, to_x, spread)
    };
    let up_y = |wide: Image<'p>| spread(&|i| wide.clamp().at((c, i, x)), y.value());
    let laplacian = |name: &str, levels: &[Image<'p>]| -> Vec<Image<'p>> {
        let difference = |l: usize| {
            let own = levels[l];
            match levels.get(l + 1) {
                Some(coarser) => {
                    let wide = up_x(format!("{name}_upx{l}"), *coarser, own);
                    p.stage(&format!("{name}_laplace{l}"), own.shape(vars), own.at((c, y, x)) - up_y(wide))
                }
                None => own,
            }
        };
        (0..LEVELS).map(difference).collect()
    };

    let (a_levels, b_levels, weights) = (gaussian("a", a), gaussian("b", b), gaussian("mask", mask));
    let (a_details, b_details) = (laplacian("a", &a_levels), laplacian("b", &b_levels));
    let blend = |l: usize| {
        let (a, b, weight) = (a_details[l].at((c, y, x)), b_details[l].at((c, y, x)), weights[l].at((0, y, x)));
        p.stage(&format!("blend{l}"), a_details[l].shape(vars), a * weight + b * (1.0 - weight))
    };
    let blended: Vec<Image<'p>> = (0..LEVELS).map(blend).collect();

    let mut result = blended[LEVELS - 1];
    for l in (0..LEVELS - 1).rev() {
        let shape = blended[l].shape(vars);
        let wide = up_x(format!("out_upx{l}"), result, blended[l]);
        let large = p.stage(&format!("out_up{l}"), shape, up_y(wide));
        result = p.stage(&format!("out{l}"), shape, large.at((c, y, x)) + blended[l].at((c, y, x)));
    }
    let output = p.stage("output", result.shape(vars), result.at((c, y, x)).clamp(0.0, 1.0));
    p.output("blended", output);
}
