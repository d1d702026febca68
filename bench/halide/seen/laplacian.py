"""The Laplacian of bytes, in 16 bits."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import reflected, sliding, strips, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "edges", img.shape, np.int16


def opencv(img, result):
    return lambda: cv2.Laplacian(img, cv2.CV_16S, result, ksize=3, borderType=cv2.BORDER_REFLECT_101)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = reflected(img, img.width(), img.height())
    sides, out = hl.Func("sides"), hl.Func("edges")
    sides[x, y] = hl.i16(near[x - 1, y]) + hl.i16(near[x + 1, y])
    out[x, y] = (sides[x, y - 1] + sides[x, y + 1]) * hl.i16(2) - hl.i16(near[x, y]) * hl.i16(8)

    if manual == "a":
        strips(out, 32, height=32, rows=4)
        sides.compute_at(out, x).vectorize(x, 32).unroll(y)
    if manual == "b":
        sliding(out, [near], 32, height=64, rows=4)
    if manual == "c":
        sliding(out, [near, sides], 64, height=64, rows=2)
    return [img], out
