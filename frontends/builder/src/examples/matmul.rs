//! A product of matrices.

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "matmul",
    about: "A product of matrices, c = a b, in f32: m x 256 by 256 x n points. Each point is one reduction over the 256 products, \
            summed up in their order. It shows what a program of one stage without overlap becomes; it is no library's matmul, \
            which keeps a block of c in registers.",
    run: "--arg a=a.npy --arg b=b.npy --out c=c.npy",
    program,
};

/// The length of the sums: windows are constant.
const K: i64 = 256;

fn program(p: &Pipeline) {
    let [i, j, k] = p.vars(["i", "j", "k"]);
    let a = p.image("a", F32, [DYN, K]).estimate([1024, K]);
    let b = p.image("b", F32, [K, DYN]).estimate([K, 1024]);
    let product = p.reduce([k.over(0..K)], 0.0, |sum| sum + a.at((i, k)) * b.at((k, j)));
    p.output("c", p.stage("c", [i.to(a.extent(0)), j.to(b.extent(1))], product));
}
