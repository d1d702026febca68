"""A 1x1 convolution of 64 interleaved channels to 128, with bias and ReLU."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (112, 112, 64), "weights": (64, 128), "bias": (128,)}
SMALL = {"img": (37, 53, 64), "weights": (64, 128), "bias": (128,)}
TOLERANCE = 1e-6
FROM, TO = 64, 128


def inputs(random, img, weights, bias):
    arrays = {"img": img, "weights": weights, "bias": bias}
    return {name: random.standard_normal(shape, np.float32) for name, shape in arrays.items()}


def result(img, weights, bias):
    return "out", (*img.shape[:2], weights.shape[1]), np.float32


def pipeline(manual):
    o = hl.Var("o")
    img, weights, bias = image("img", hl.Float(32), 3), image("weights", hl.Float(32), 2), image("bias", hl.Float(32), 1)
    r = hl.RDom([(0, FROM)], "r")
    total, out = hl.Func("total"), hl.Func("out")
    total[o, x, y] = bias[o]
    total[o, x, y] += img[r.x, x, y] * weights[o, r.x]
    out[o, x, y] = hl.max(total[o, x, y], hl.f32(0))

    oi, xi, yi = hl.Var("oi"), hl.Var("xi"), hl.Var("yi")

    def blocks(channels, columns, inner):
        """So many sums in registers: each vector of weights serves all columns, each value of the image all channels."""
        out.split(y, y, yi, 4).split(o, o, oi, channels).split(x, x, xi, columns)
        out.reorder(oi, xi, *inner, yi, y).vectorize(oi, 16).unroll(oi).unroll(xi).parallel(y)
        total.compute_at(out, inner[0]).vectorize(o, 16).unroll(o).unroll(x)
        total.update().reorder(o, x, r.x, y).vectorize(o, 16).unroll(o).unroll(x)

    if manual:
        img.dim(0).set_bounds(0, FROM)
        img.dim(1).set_stride(FROM)
        weights.dim(0).set_bounds(0, TO)
        weights.dim(1).set_bounds(0, FROM).set_stride(TO)
        bias.dim(0).set_bounds(0, TO)
        out.bound(o, 0, TO)
        out.output_buffer().dim(0).set_bounds(0, TO)
        out.output_buffer().dim(1).set_stride(TO)
    if manual == "a":
        blocks(64, 6, [x, o])
    if manual == "b":
        blocks(32, 12, [x, o])
    if manual == "c":
        blocks(64, 6, [o, x])
    return [img, weights, bias], out
