use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "stencil_chain",
    about: "A chain of 32 stencils, as Halide's app has it: each point is a sum of 5x5 neighbours with the weights (i + 3) * (j + \
            3) for the place (i, j) of -2 to 2, in 16 bits that wrap around. Every stage repeats its own edge; in Halide only the \
            input does, whose stage and copy of the output make 34.",
    run: "--arg img=img.npy --out out=out.npy",
    program,
};

const STENCILS: i32 = 32;

fn program(p: &Pipeline) {
    let [y, x] = p.vars(["y", "x"]);
    let mut image = p.image("img", U16, [DYN, DYN]).estimate([2560, 1536]);
    let shape = image.shape([y, x]);
    for s in 0..STENCILS {
        let mut sum = p.constant(U16, 0);
        for i in -2..=2 {
            for j in -2..=2 {
                sum = sum + image.clamp().at((y + j, x + i)) * ((i + 3) * (j + 3));
            }
        }
        image = p.stage(&format!("stencil{s}"), shape, sum);
    }
    p.output("out", image);
}
