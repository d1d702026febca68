"""examples/gaussian.mlir in Halide: a 5x5 Gaussian blur of bytes, along x, then along y, in 16 bits."""

import cv2
import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (4800, 6400)}
VECTOR, STRIP, ROWS = 32, 32, 4


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "blurred", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.GaussianBlur(img, (5, 5), 0, result, borderType=cv2.BORDER_REPLICATE)


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    blurx, out = hl.Func("blurx"), hl.Func("blurred")

    def binomial(at):
        four, six = hl.cast(hl.UInt(16), 4), hl.cast(hl.UInt(16), 6)
        return (at(-2) + at(2)) + (at(-1) + at(1)) * four + at(0) * six

    blurx[x, y] = binomial(lambda d: hl.cast(hl.UInt(16), near[x + d, y]))
    sums = binomial(lambda d: blurx[x, y + d])
    out[x, y] = hl.cast(hl.UInt(8), (sums + hl.cast(hl.UInt(16), 128)) >> hl.cast(hl.UInt(16), 8))

    if manual == "cpu":
        # Rows of blurx slide down a strip, so that each is computed once.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        out.split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR)
        out.reorder(xi, row, x, block, strip).vectorize(xi).unroll(row).parallel(strip)
        blurx.store_at(out, strip).compute_at(out, block).vectorize(x, VECTOR)

    if manual == "gpu":
        # A thread has four columns, of which it writes a word, and goes down some rows.
        row, lane, xi, yi = map(hl.Var, ["row", "lane", "xi", "yi"])
        out.split(y, y, row, 8).split(x, x, lane, 4).reorder(lane, row, x, y).vectorize(lane).unroll(row)
        out.gpu_tile(x, y, xi, yi, 32, 4)
        blurx.compute_at(out, xi).vectorize(x).unroll(y)
    return [img], out
