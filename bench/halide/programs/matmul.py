"""examples/matmul.mlir in Halide: a product of matrices, of which the inner dimension has 256 points."""

import halide as hl
import numpy as np

from definition import image

DEPTH = 256
SIZES = {"a": (1024, DEPTH), "b": (DEPTH, 1024)}
# A sum of 256 products, in the same order, of which each may be rounded with its sum.
TOLERANCE = 1e-5
ROWS, COLUMNS, WIDE, TALL = 8, 2, 32, 4


def scaled(side):
    """The matrices for a result of side x side points."""
    return {"a": (side, DEPTH), "b": (DEPTH, side)}


def inputs(random, a, b):
    return {"a": random.random(a, np.float32), "b": random.random(b, np.float32)}


def result(a, b):
    return "c", (a.shape[0], b.shape[1]), np.float32


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    a, b = image("a", hl.Float(32), 2), image("b", hl.Float(32), 2)
    k = hl.RDom([(0, DEPTH)], "k")
    sums, out = hl.Func("sums"), hl.Func("c")
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[k, y] * b[x, k]
    out[x, y] = sums[x, y]

    if manual == "gpu":
        # A thread has the sums of a few rows and columns in registers: what it loads serves all of them.
        xi, yi, xt, yt = map(hl.Var, ["xi", "yi", "xt", "yt"])
        out.tile(x, y, xi, yi, WIDE * COLUMNS, TALL * ROWS).tile(xi, yi, xt, yt, xi, yi, COLUMNS, ROWS)
        out.reorder(xi, yi, xt, yt, x, y).unroll(xi).unroll(yi).gpu_threads(xt, yt).gpu_blocks(x, y)
        sums.compute_at(out, xt).unroll(x).unroll(y)
        sums.update().reorder(x, y, k).unroll(x).unroll(y).unroll(k, 4)
    return [a, b], out
