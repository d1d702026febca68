//! Steps of the heat equation in one, two and three dimensions.

use super::example::Example;
use crate::prelude::*;

pub(super) static HEAT_1D: Example = Example {
    name: "heat_1d",
    about: "Steps of the heat equation in one dimension: each is u + 1/8 of its second difference, in f64. The edge is held at what \
            it is: points beyond it have its value.",
    run: "--arg u=u.npy --arg steps=100 --out last=last.npy",
    program: heat_1d,
};

pub(super) static HEAT_2D: Example = Example {
    name: "heat_2d",
    about: "Steps of the heat equation in two dimensions: each is u + 1/8 of its second differences along y and x, in f64. Points \
            beyond the edge have its value.",
    run: "--arg u=u.npy --arg steps=100 --out last=last.npy",
    program: heat_2d,
};

pub(super) static HEAT_3D: Example = Example {
    name: "heat_3d",
    about: "Steps of the heat equation in three dimensions: each is u + 1/8 of its second differences along z, y and x, in f64. \
            Points beyond the edge have its value.",
    run: "--arg u=u.npy --arg steps=100 --out last=last.npy",
    program: heat_3d,
};

/// The second difference of three neighbours.
fn second<'p>(before: Expr<'p>, here: Expr<'p>, after: Expr<'p>) -> Expr<'p> {
    before - here * 2.0 + after
}

fn heat_1d(p: &Pipeline) {
    let x = p.var("x");
    let u = p.image("u", F64, [DYN]).estimate([160_000]).clamp();
    let [last] = p.iterate("heat", p.number("steps", Index), [u], |[u]| {
        let step = 0.125 * second(u.at(x + 1), u.at(x), u.at(x - 1));
        [p.stage("step", u.shape([x]), step + u.at(x))]
    });
    p.output("last", last);
}

fn heat_2d(p: &Pipeline) {
    let [y, x] = p.vars(["y", "x"]);
    let u = p.image("u", F64, [DYN, DYN]).estimate([4000, 4000]).clamp();
    let [last] = p.iterate("heat", p.number("steps", Index), [u], |[u]| {
        let here = u.at((y, x));
        let step = 0.125 * second(u.at((y + 1, x)), here, u.at((y - 1, x)))
            + 0.125 * second(u.at((y, x + 1)), here, u.at((y, x - 1)));
        [p.stage("step", u.shape([y, x]), step + here)]
    });
    p.output("last", last);
}

fn heat_3d(p: &Pipeline) {
    let [z, y, x] = p.vars(["z", "y", "x"]);
    let u = p.image("u", F64, [DYN, DYN, DYN]).estimate([150, 150, 150]).clamp();
    let [last] = p.iterate("heat", p.number("steps", Index), [u], |[u]| {
        let here = u.at((z, y, x));
        let step = 0.125 * second(u.at((z + 1, y, x)), here, u.at((z - 1, y, x)))
            + 0.125 * second(u.at((z, y + 1, x)), here, u.at((z, y - 1, x)))
            + 0.125 * second(u.at((z, y, x + 1)), here, u.at((z, y, x - 1)));
        [p.stage("step", u.shape([z, y, x]), step + here)]
    });
    p.output("last", last);
}
