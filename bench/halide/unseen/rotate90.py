"""An image of bytes, turned by a quarter to the right."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "turned", img.shape[::-1], np.uint8


def opencv(img, result):
    return lambda: cv2.rotate(img, cv2.ROTATE_90_CLOCKWISE, result)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    block, out = hl.Func("block"), hl.Func("turned")
    last = img.height() - 1
    block[x, y] = img[y, last - x]
    out[x, y] = block[x, y]

    xi, yi, xo, yo = map(hl.Var, ["xi", "yi", "xo", "yo"])
    if manual == "a":
        # Blocks of 16x16 are read along the image's rows and turned by shuffles.
        out.tile(x, y, xo, yo, x, y, 64, 64).parallel(yo).tile(x, y, x, y, xi, yi, 16, 16).vectorize(xi).unroll(yi)
        block.compute_at(out, x).reorder_storage(y, x).reorder(y, x).vectorize(y).unroll(x)
    if manual == "b":
        out.tile(x, y, xo, yo, x, y, 128, 64).parallel(yo).vectorize(x, 64)
        block.compute_at(out, xo).reorder(y, x).vectorize(y, 16).unroll(x, 8)
    if manual == "c":
        out.tile(x, y, xo, yo, x, y, 64, 32).parallel(yo).tile(x, y, x, y, xi, yi, 8, 8).vectorize(xi).unroll(yi)
        block.compute_at(out, x).reorder_storage(y, x).reorder(y, x).vectorize(y).unroll(x)
    return [img], out
