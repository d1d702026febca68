"""examples/vdsr.mlir in Halide: 20 layers of 3x3 convolutions, of 1 channel to 64, 18 times of 64 to 64, and of 64 to 1. Beyond the edge is 0."""

import halide as hl
import numpy as np

from definition import image

LAYERS, WIDE = 20, 64
CHANNELS = [1, *[WIDE] * (LAYERS - 1), 1]
WEIGHTS = {f"w{i}": (CHANNELS[i + 1], CHANNELS[i], 3, 3) for i in range(LAYERS)}
BIASES = {f"b{i}": (CHANNELS[i + 1],) for i in range(LAYERS)}
NAMES = ["img", *(name for i in range(LAYERS) for name in (f"w{i}", f"b{i}"))]
SIZES = {name: ({"img": (1, 256, 256)} | WEIGHTS | BIASES)[name] for name in NAMES}
SMALL = SIZES | {"img": (1, 39, 111)}
TOLERANCE = 1e-6
VECTOR, BLOCK, COLUMNS, STRIP = 16, 8, 3, 8


def inputs(random, **shapes):
    # Values of a layer are about as large as those of the one before.
    def values(name, shape):
        scale = {"w": (2 / np.prod(shape[1:])) ** 0.5, "b": 0.01}.get(name[0], 1)
        return random.standard_normal(shape, np.float32) * np.float32(scale)

    return {name: values(name, shape) for name, shape in shapes.items()}


def result(img, **_):
    return "sharp", img.shape, np.float32


def pipeline(manual):
    x, y, c = (hl.Var(name) for name in "xyc")
    img = image("img", hl.Float(32), 3)
    weights = [image(f"w{i}", hl.Float(32), 4) for i in range(LAYERS)]
    biases = [image(f"b{i}", hl.Float(32), 1) for i in range(LAYERS)]
    width, height = img.width(), img.height()
    source, sharp = img, hl.Func("sharp")
    for i in range(LAYERS):
        inside = hl.BoundaryConditions.constant_exterior(source, 0.0, [hl.Range(0, width), hl.Range(0, height), hl.Range()])
        r = hl.RDom([(0, 3), (0, 3), (0, CHANNELS[i])], f"r{i}")
        sums = hl.Func(f"sums{i}")
        sums[x, y, c] = biases[i][c]
        sums[x, y, c] += weights[i][r.x, r.y, r.z, c] * inside[x + r.x - 1, y + r.y - 1, r.z]
        layer = hl.Func(f"layer{i}") if i + 1 < LAYERS else sharp
        layer[x, y, c] = hl.max(sums[x, y, c], 0.0) if i + 1 < LAYERS else img[x, y, c] + sums[x, y, c]
        if manual == "cpu":
            scheduled(layer, sums, r, inside, weights[i], biases[i], CHANNELS[i], CHANNELS[i + 1])
        source = layer
    return [img, *(one for pair in zip(weights, biases) for one in pair)], sharp


def scheduled(layer, sums, r, inside, weights, bias, given, made):
    """So many sums in registers: each vector of the image serves all channels of a block, each weight all columns."""
    x, y, c, xi, ci, yo = (hl.Var(name) for name in ["x", "y", "c", "xi", "ci", "yo"])
    block = min(BLOCK, made)
    layer.compute_root().bound(c, 0, made)
    layer.split(y, yo, y, STRIP).split(c, c, ci, block).split(x, x, xi, VECTOR * COLUMNS)
    layer.reorder(xi, ci, c, x, y, yo).vectorize(xi, VECTOR).unroll(xi).unroll(ci).parallel(yo)
    sums.compute_at(layer, c).vectorize(x, VECTOR).unroll(x).unroll(c)
    sums.update().reorder(x, c, r.x, r.y, r.z).vectorize(x, VECTOR).unroll(x).unroll(c).unroll(r.x)
    # A strip of the layer before with its border, as rows that are read without a test.
    inside.compute_at(layer, yo).vectorize(inside.args()[0], VECTOR)
    for dimension, extent in enumerate([3, 3, given, made]):
        weights.dim(dimension).set_bounds(0, extent)
    bias.dim(0).set_bounds(0, made)
