use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "harris_rgb",
    about: "Harris corners of a colour image, the thirteen stages of Halide's app: grey, Sobel derivatives (divided by 12), \
            their products, 3x3 sums of these, determinant, trace, the response det - 0.04 trace^2, and the part of it that no \
            edge has touched: the 2 outermost points of each side are left out. Images of intermediate stages are as large as \
            the first one; Halide infers the part that is needed, and so does --infer-bounds.",
    run: "--arg img=examples/data/chelsea.png --out harris=corners.png --normalize",
    program,
};

fn program<'p>(p: &'p Pipeline) {
    let [y, x, dy, dx] = p.vars(["y", "x", "dy", "dx"]);
    let img = p.image("img", F32, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let (h, w) = (img.extent(1), img.extent(2));
    let shape = [y.to(h), x.to(w)];
    let point = (y, x);

    let gray = 0.299 * img.at((0, y, x)) + 0.587 * img.at((1, y, x)) + 0.114 * img.at((2, y, x));
    let gray = p.stage("gray", shape, gray).clamp();

    let along_x = |dy: i32| gray.at((y + dy, x + 1)) - gray.at((y + dy, x - 1));
    let ix = p.stage("Ix", shape, (along_x(-1) + along_x(0) * 2.0 + along_x(1)) / 12.0);
    let along_y = |dx: i32| gray.at((y + 1, x + dx)) - gray.at((y - 1, x + dx));
    let iy = p.stage("Iy", shape, (along_y(-1) + along_y(0) * 2.0 + along_y(1)) / 12.0);

    let ixx = p.stage("Ixx", shape, ix.at(point) * ix.at(point));
    let iyy = p.stage("Iyy", shape, iy.at(point) * iy.at(point));
    let ixy = p.stage("Ixy", shape, ix.at(point) * iy.at(point));

    let sum3x3 = |name, a: Image<'p>| {
        p.stage(name, shape, p.sum([dy.over(-1..2), dx.over(-1..2)], a.clamp().at((y + dy, x + dx))))
    };
    let (sxx, syy, sxy) = (sum3x3("Sxx", ixx), sum3x3("Syy", iyy), sum3x3("Sxy", ixy));

    let det = p.stage("det", shape, sxx.at(point) * syy.at(point) - sxy.at(point) * sxy.at(point));
    let trace = p.stage("trace", shape, sxx.at(point) + syy.at(point));
    let harris = p.stage("harris", shape, det.at(point) - 0.04 * trace.at(point) * trace.at(point));

    let shifted = p.stage("shifted", [y.to(h - 4), x.to(w - 4)], harris.at((y + 2, x + 2)));
    p.output("harris", shifted);
}
