"""examples/conv_layer.mlir in Halide: 3x3 convolutions of 16 channels to 16, with bias and ReLU. Beyond the edge is 0."""

import halide as hl
import numpy as np

from definition import image

SIZES = {"img": (16, 512, 512), "weights": (16, 16, 3, 3), "bias": (16,)}
TOLERANCE = 1e-6
VECTOR, CHANNELS, COLUMNS, STRIP = 16, 8, 3, 8


def inputs(random, img, weights, bias):
    normal = lambda shape: random.standard_normal(shape, np.float32)
    return {"img": normal(img), "weights": normal(weights), "bias": normal(bias)}


def result(img, weights, bias):
    return "out", (weights.shape[0], *img.shape[1:]), np.float32


def pipeline(manual):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img, weights, bias = image("img", hl.Float(32), 3), image("weights", hl.Float(32), 4), image("bias", hl.Float(32), 1)
    ranges = [hl.Range(0, img.width()), hl.Range(0, img.height()), hl.Range()]
    inside = hl.BoundaryConditions.constant_exterior(img, 0.0, ranges)
    r = hl.RDom([(0, 3), (0, 3), (0, 16)], "r")
    conv, out = hl.Func("conv"), hl.Func("out")
    conv[x, y, c] = hl.f32(0)
    conv[x, y, c] += inside[x + r.x - 1, y + r.y - 1, r.z] * weights[r.x, r.y, r.z, c]
    out[x, y, c] = hl.max(conv[x, y, c] + bias[c], 0.0)

    if manual == "cpu":
        # So many sums in registers: each vector of the image serves all channels of a block, each weight all columns.
        xi, ci, yo = map(hl.Var, ["xi", "ci", "yo"])
        out.split(y, yo, y, STRIP).split(c, c, ci, CHANNELS).split(x, x, xi, VECTOR * COLUMNS)
        out.reorder(xi, ci, c, x, y, yo).vectorize(xi, VECTOR).unroll(xi).unroll(ci).parallel(yo)
        conv.compute_at(out, c).vectorize(x, VECTOR).unroll(x).unroll(c)
        update = conv.update()
        update.reorder(x, c, r.x, r.y, r.z).vectorize(x, VECTOR).unroll(x).unroll(c).unroll(r.x)
        # A strip of the image with its border, as rows that are read without a test.
        inside.compute_at(out, yo).vectorize(inside.args()[0], VECTOR)
        weights.dim(0).set_bounds(0, 3)
        weights.dim(1).set_bounds(0, 3)
        weights.dim(2).set_bounds(0, 16)
        weights.dim(3).set_bounds(0, 16)
        bias.dim(0).set_bounds(0, 16)
        out.bound(hl.Var("c"), 0, 16)

    if manual == "gpu":
        # A thread has the sums of some channels of a point in registers.
        xi, yi, ci = map(hl.Var, ["xi", "yi", "ci"])
        out.split(c, c, ci, CHANNELS).reorder(ci, x, y, c).unroll(ci).gpu_tile(x, y, xi, yi, 32, 4).gpu_blocks(c)
        conv.compute_at(out, xi).unroll(c)
        conv.update().reorder(c, r.x, r.y, r.z, x, y).unroll(c).unroll(r.x).unroll(r.y)
        out.bound(hl.Var("c"), 0, 16)
    return [img, weights, bias], out
