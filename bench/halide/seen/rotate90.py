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
        # Blocks of 8x8 are read along the image's rows and turned by shuffles; a column of tiles has the same rows of the image.
        out.tile(x, y, xo, yo, x, y, 64, 128).reorder(x, y, yo, xo).parallel(xo).tile(x, y, x, y, xi, yi, 8, 8).vectorize(xi).unroll(yi)
        block.compute_at(out, x).reorder_storage(y, x).reorder(y, x).vectorize(y).unroll(x)
    if manual == "b":
        # The same in the order of the result.
        out.tile(x, y, xo, yo, x, y, 64, 32).parallel(yo).tile(x, y, x, y, xi, yi, 16, 8).vectorize(xi).unroll(yi)
        block.compute_at(out, x).reorder_storage(y, x).reorder(y, x).vectorize(y).unroll(x)
    if manual == "c":
        # Vectors of the result, each from a column of the image.
        out.tile(x, y, xo, yo, x, y, 128, 64).reorder(x, y, yo, xo).parallel(xo).vectorize(x, 64)
    return [img], out
