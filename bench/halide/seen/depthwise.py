"""A 3x3 convolution of each of 64 interleaved channels, with bias and ReLU up to 6."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, row, x, y

SIZES = {"img": (224, 224, 64), "weights": (3, 3, 64), "bias": (64,)}
SMALL = {"img": (37, 53, 64), "weights": (3, 3, 64), "bias": (64,)}
TOLERANCE = 1e-6
CHANNELS = 64


def inputs(random, img, weights, bias):
    arrays = {"img": img, "weights": weights, "bias": bias}
    return {name: random.standard_normal(shape, np.float32) for name, shape in arrays.items()}


def result(img, weights, bias):
    return "out", img.shape, np.float32


def pipeline(manual):
    img, weights, bias = image("img", hl.Float(32), 3), image("weights", hl.Float(32), 3), image("bias", hl.Float(32), 1)
    ranges = [hl.Range(), hl.Range(0, img.dim(1).extent()), hl.Range(0, img.dim(2).extent())]
    near = hl.BoundaryConditions.constant_exterior(img, 0.0, ranges)
    out = hl.Func("out")
    products = [near[c, x + i - 1, y + j - 1] * weights[c, i, j] for j in range(3) for i in range(3)]
    out[c, x, y] = hl.clamp(sum(products[1:], products[0]) + bias[c], hl.f32(0), hl.f32(6))

    xi, yi, ci = hl.Var("xi"), hl.Var("yi"), hl.Var("ci")
    if manual:
        for buffer in (img, weights, bias, out.output_buffer()):
            buffer.dim(0).set_bounds(0, CHANNELS)
        img.dim(1).set_stride(CHANNELS)
        out.output_buffer().dim(1).set_stride(CHANNELS)
        out.bound(c, 0, CHANNELS)
    if manual == "a":
        # A strip of the image with its border; weights of a vector of channels stay in registers along a row.
        out.split(y, y, yi, 16).split(c, c, ci, 16).reorder(ci, x, c, yi, y).vectorize(ci).unroll(x, 4).parallel(y)
        near.compute_at(out, y).vectorize(near.args()[0], 16)
    if manual == "b":
        # Blocks of two rows and four columns, so that what is loaded serves several sums.
        out.split(y, y, yi, 8).split(c, c, ci, 16).split(x, x, xi, 4).split(yi, yi, row, 2)
        out.reorder(ci, xi, row, x, c, yi, y).vectorize(ci).unroll(xi).unroll(row).parallel(y)
    if manual == "c":
        # Rows with their border slide down a strip; four columns at a time, all channels of these.
        out.split(y, y, yi, 16).split(c, c, ci, 16).split(x, x, xi, 4)
        out.reorder(ci, xi, c, x, yi, y).vectorize(ci).unroll(xi).parallel(y)
        near.store_at(out, y).compute_at(out, yi).vectorize(near.args()[0], 16)
    return [img, weights, bias], out
