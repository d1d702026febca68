//! Layers of neural networks.
//!
//! ```text
//! conv_layer    [c_in, h, w] --3x3--> [c_out, h, w]
//! vdsr          [1, h, w] --3x3--> [64, h, w] --3x3--> ... --3x3--> [1, h, w] + input        20 layers
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static CONV_LAYER: Example = Example {
    name: "conv_layer",
    about: "A layer of a neural network in f32: 3x3 convolution of 16 channels to 16, one reduction over 144 products, with a bias \
            and ReLU. Beyond the edge the image is 0, so that its size stays. Weights are [to, from, dy, dx].",
    run: "--arg img=img.npy --arg weights=weights.npy --arg bias=bias.npy --out out=out.npy",
    program: conv_layer,
};

pub(super) static VDSR: Example = Example {
    name: "vdsr",
    about: "VDSR, which sharpens an enlarged luminance image (Kim, Lee, Lee, CVPR 2016), in f32: 20 layers of 3x3 convolutions, of 1 \
            channel to 64, 18 times of 64 to 64, and of 64 to 1, all but the last with ReLU; what comes out is added to the image. \
            Beyond the edge layers are 0. Weights and biases are arguments, w0 to w19 and b0 to b19.",
    run: "--arg img=img.npy --arg w0=w0.npy --arg b0=b0.npy ... --out sharp=sharp.npy",
    program: |p| vdsr(p, 64),
};

pub(super) static VDSR_SMALL: Example = Example {
    name: "vdsr",
    about: "VDSR with 5 channels instead of 64: examples/vdsr.mlir otherwise.",
    run: VDSR.run,
    program: |p| vdsr(p, 5),
};

/// Layers of VDSR.
const LAYERS: usize = 20;

/// A 3x3 convolution of some channels to others with a bias, zeros around, as the value of point (`to`, `y`, `x`).
fn convolution<'p>(
    p: &'p Pipeline,
    image: Image<'p>,
    (weights, bias): (Image<'p>, Image<'p>),
    channels: i64,
    [to, y, x]: [Var<'p>; 3],
) -> Expr<'p> {
    let [from, dy, dx] = p.vars(["from", "dy", "dx"]);
    let window = [from.over(0..channels), dy.over(0..3), dx.over(0..3)];
    let image = image.padding(0.0);
    p.reduce(window, bias.at(to), |sum| sum + weights.at((to, from, dy, dx)) * image.at((from, y + dy - 1, x + dx - 1)))
}

fn conv_layer(p: &Pipeline) {
    const CHANNELS: i64 = 16;
    let [to, y, x] = p.vars(["to", "y", "x"]);
    let img = p.image("img", F32, [CHANNELS, DYN, DYN]).estimate([CHANNELS, 512, 512]);
    let weights = p.image("weights", F32, [CHANNELS, CHANNELS, 3, 3]);
    let bias = p.image("bias", F32, [CHANNELS]);
    let sum = convolution(p, img, (weights, bias), CHANNELS, [to, y, x]);
    p.output("out", p.stage("out", img.shape([to, y, x]), sum.max(0.0)));
}

/// VDSR with this many channels between its layers.
fn vdsr(p: &Pipeline, channels: i64) {
    let [to, y, x] = p.vars(["to", "y", "x"]);
    let img = p.image("img", F32, [1, DYN, DYN]).estimate([1, 512, 512]);
    let [_, tall, wide] = img.shape([to, y, x]);
    let mut image = img;
    for layer in 0..LAYERS {
        let is_last = layer + 1 == LAYERS;
        let (from, into) = (if layer == 0 { 1 } else { channels }, if is_last { 1 } else { channels });
        let weights = p.image(&format!("w{layer}"), F32, [into, from, 3, 3]);
        let bias = p.image(&format!("b{layer}"), F32, [into]);
        let sum = convolution(p, image, (weights, bias), from, [to, y, x]);
        let value = if is_last { sum + img.at((to, y, x)) } else { sum.max(0.0) };
        image = p.stage(&format!("layer{layer}"), [to.to(into), tall, wide], value);
    }
    p.output("sharp", image);
}
