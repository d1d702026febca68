"""The median of 3x3 bytes, by sorted columns."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "median", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.medianBlur(img, 3, result)


def middle(a, b, c):
    return hl.max(hl.min(a, b), hl.min(hl.max(a, b), c))


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    low, mid, high, out = map(hl.Func, ["low", "mid", "high", "median"])
    column = [near[x, y + d] for d in (-1, 0, 1)]
    low[x, y] = hl.min(*column)
    mid[x, y] = middle(*column)
    high[x, y] = hl.max(*column)

    def around(f):
        return [f[x + d, y] for d in (-1, 0, 1)]

    out[x, y] = middle(hl.max(*around(low)), middle(*around(mid)), hl.min(*around(high)))

    if manual == "a":
        # The image with its border, a strip at a time; all else in registers.
        strips(out, 64, height=64, rows=2)
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
    if manual == "b":
        # Rows of the image with their border slide down a strip.
        sliding(out, [near], 64, height=64, rows=2)
    if manual == "c":
        sliding(out, [near, low, mid, high], 64, height=64, rows=2)
    return [img], out
