"""A 3x3 convolution of interleaved colours to 32 channels at every other point, with bias and ReLU up to 6."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (448, 448, 3), "weights": (3, 3, 3, 32), "bias": (32,)}
SMALL = {"img": (74, 106, 3), "weights": (3, 3, 3, 32), "bias": (32,)}
TOLERANCE = 1e-6
FROM, TO = 3, 32


def inputs(random, img, weights, bias):
    arrays = {"img": img, "weights": weights, "bias": bias}
    return {name: random.standard_normal(shape, np.float32) for name, shape in arrays.items()}


def result(img, weights, bias):
    return "out", (img.shape[0] // 2, img.shape[1] // 2, TO), np.float32


def pipeline(manual):
    o = hl.Var("o")
    img, weights, bias = image("img", hl.Float(32), 3), image("weights", hl.Float(32), 4), image("bias", hl.Float(32), 1)
    ranges = [hl.Range(), hl.Range(0, img.dim(1).extent()), hl.Range(0, img.dim(2).extent())]
    near = hl.BoundaryConditions.constant_exterior(img, 0.0, ranges)
    r = hl.RDom([(0, FROM), (0, 3), (0, 3)], "r")
    total, out = hl.Func("total"), hl.Func("out")
    total[o, x, y] = bias[o]
    total[o, x, y] += near[r.x, 2 * x + r.y - 1, 2 * y + r.z - 1] * weights[o, r.x, r.y, r.z]
    out[o, x, y] = hl.clamp(total[o, x, y], hl.f32(0), hl.f32(6))

    oi, xi, yo, yi = map(hl.Var, ["oi", "xi", "yo", "yi"])
    update = total.update()
    if manual:
        img.dim(0).set_bounds(0, FROM).set_stride(1)
        img.dim(1).set_stride(FROM)
        weights.dim(0).set_bounds(0, TO)
        for dimension, stride in ((1, TO), (2, TO * FROM), (3, TO * FROM * 3)):
            weights.dim(dimension).set_bounds(0, 3).set_stride(stride)
        bias.dim(0).set_bounds(0, TO)
        out.bound(o, 0, TO).output_buffer().dim(0).set_bounds(0, TO)
        out.output_buffer().dim(1).set_stride(TO)
        channel, column, _ = near.args()
        near.bound(channel, 0, FROM).vectorize(column, 16).reorder(channel, column).unroll(channel)
    if manual in ("a", "b"):
        # All sums of some columns in registers; a strip of the image with its border.
        columns = {"a": 7, "b": 8}[manual]
        out.split(y, yo, y, 16).split(x, x, xi, columns).reorder(o, xi, x, y, yo).vectorize(o, 16).unroll(o).unroll(xi).parallel(yo)
        total.compute_at(out, x).vectorize(o, 16).unroll(o).unroll(x)
        update.reorder(o, x, r.x, r.y, r.z, y).vectorize(o, 16).unroll(o).unroll(x).unroll(r.x).unroll(r.y)
        near.compute_at(out, yo)
    if manual == "c":
        # Blocks of eight columns and two rows, of one vector of channels at a time; rows with their border slide down a strip.
        out.split(y, yo, y, 16).split(o, o, oi, 16).split(x, x, xi, 8).split(y, y, yi, 2)
        out.reorder(oi, xi, yi, o, x, y, yo).vectorize(oi).unroll(xi).unroll(yi).parallel(yo)
        total.compute_at(out, o).vectorize(o, 16).unroll(x).unroll(y)
        update.reorder(o, x, y, r.x, r.y, r.z).vectorize(o, 16).unroll(x).unroll(y).unroll(r.x).unroll(r.y)
        near.store_at(out, yo).compute_at(out, y)
    return [img, weights, bias], out
