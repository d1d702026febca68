"""examples/blur.mlir in Halide: a 3x3 box blur, along x, then along y."""

import cv2
import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (4800, 6400)}
TOLERANCE = 1e-6
VECTOR, STRIP, ROWS = 16, 16, 8


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "blurred", img.shape, np.float32


def opencv(img, result):
    return lambda: cv2.blur(img, (3, 3), result, borderType=cv2.BORDER_REPLICATE)


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.Float(32), 2)
    near = edged(img)
    blurx, out = hl.Func("blurx"), hl.Func("blurred")
    blurx[x, y] = (near[x - 1, y] + near[x, y] + near[x + 1, y]) / 3.0
    out[x, y] = (blurx[x, y - 1] + blurx[x, y] + blurx[x, y + 1]) / 3.0

    if manual == "cpu":
        # Down a block of rows, a vector wide, all of blurx in registers: a row that two blocks need is computed twice, which
        # is cheaper than to store it.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        out.split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR)
        out.reorder(xi, row, x, block, strip).vectorize(xi).unroll(row).parallel(strip)
        blurx.compute_at(out, x).vectorize(x, VECTOR).unroll(y)

    if manual == "gpu":
        # A thread goes down some rows of a column: those of blurx that it needs stay in its registers.
        row, xi, yi = map(hl.Var, ["row", "xi", "yi"])
        out.split(y, y, row, 8).reorder(row, x, y).unroll(row).gpu_tile(x, y, xi, yi, 32, 4)
        blurx.compute_at(out, xi).unroll(y)
    return [img], out
