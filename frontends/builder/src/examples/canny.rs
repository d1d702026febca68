use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "canny",
    about: "Canny's edges, 8 stages in integers and 32 steps of hysteresis: a 1 4 6 4 1 blur along x and along y, Sobel \
            derivatives, their length |gx| + |gy|, the direction in four sectors (bounds at 22.5 degrees, to 15 bits), the points \
            whose length no neighbour along that direction exceeds (the one before must be smaller), two thresholds (255 where an \
            edge is strong, 128 where it is weak), and steps in which a weak point with a strong one among its 8 neighbours \
            becomes strong; what is weak still is no edge. The image is mirrored at its edges. Forma's program is not listed in \
            the paper; blur, norm and sectors are those of OpenCV, which follows an edge to its end: here 32 points of it, \
            for a program cannot ask whether a step has changed anything.",
    run: "--arg img=camera8.npy --arg low=40 --arg high=90 --out edges=edges.png",
    program,
};

/// The tangent of 22.5 degrees times 2^15.
const TANGENT: i32 = 13573;

/// Steps of the hysteresis: how many points of a weak edge are followed.
const STEPS: i32 = 32;

fn program<'p>(p: &'p Pipeline) {
    let [y, x] = p.vars(["y", "x"]);
    let img = p.image("img", U8, [DYN, DYN]).estimate([2832, 4256]);
    let low = p.number("low", I32);
    let high = p.number("high", I32);
    let shape = img.shape([y, x]);
    let point = (y, x);

    let five = |at: &dyn Fn(i32) -> Expr<'p>| at(-2) + at(2) + (at(-1) + at(1)) * 4 + at(0) * 6;
    let blurx = p.stage("blurx", shape, five(&|i| img.mirror().at((y, x + i)).cast(I32)));
    let sum = five(&|i| blurx.mirror().at((y + i, x)));
    let blur = p.stage("blur", shape, (sum + 128) >> 8).mirror();

    let along_x = |i: i32| blur.at((y + i, x + 1)) - blur.at((y + i, x - 1));
    let gx = p.stage("gx", shape, along_x(-1) + along_x(0) * 2 + along_x(1));
    let along_y = |i: i32| blur.at((y + 1, x + i)) - blur.at((y - 1, x + i));
    let gy = p.stage("gy", shape, along_y(-1) + along_y(0) * 2 + along_y(1));

    let (ax, ay) = (gx.at(point).abs(), gy.at(point).abs());
    let length = p.stage("length", shape, ax + ay);
    // 0 along x, 1 along y, 2 down to the right, 3 down to the left.
    let flat = (ay << 15).lt(ax * TANGENT);
    let steep = (ay << 15).gt(ax * TANGENT + (ax << 16));
    let same_sign = (gx.at(point) ^ gy.at(point)).ge(0);
    let sector = flat.select(0, steep.select(1, same_sign.select(2, 3)));
    let sector = p.stage("sector", shape, sector.cast(U8));

    let around = |dy: i32, dx: i32| length.padding(0).at((y + dy, x + dx));
    let is = |number: i32| sector.at(point).eq(number);
    let pick = |s: i32| {
        let (a, b, c, d) = (around(0, s), around(s, 0), around(s, s), around(s, -s));
        is(0).select(a, is(1).select(b, is(2).select(c, d)))
    };
    let own = length.at(point);
    let thin = p.stage("thin", shape, (own.gt(pick(-1)) & own.ge(pick(1))).select(own, 0));
    let edges = thin.at(point).gt(high).select(255, thin.at(point).gt(low).select(128, 0)).cast(U8);
    // Beyond the image nothing is strong.
    let marked = p.stage("marked", shape, edges).padding(0);
    let [followed] = p.iterate("follow", STEPS, [marked], |[marked]| {
        let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        let strongest = around.iter().map(|(dy, dx)| marked.at((y + *dy, x + *dx))).reduce(|a, b| a.max(b));
        let own = marked.at(point);
        let strongest = strongest.unwrap_or(own);
        let joins = own.eq(128) & strongest.eq(255);
        [p.stage("join", shape, joins.select(255, own))]
    });
    let strong = followed.at(point);
    p.output("edges", p.stage("edges", shape, strong.eq(255).select(strong, 0)));
}
