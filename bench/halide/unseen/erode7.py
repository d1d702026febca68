"""The minimum of 7x7 bytes, along x, then along y, from minima of two and four."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "eroded", img.shape, np.uint8


def opencv(img, result):
    square = np.ones((7, 7), np.uint8)
    return lambda: cv2.erode(img, square, result)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    rows, pairs, fours, out = map(hl.Func, ["rows", "pairs", "fours", "eroded"])
    rows[x, y] = hl.min(*(near[x + d, y] for d in range(-3, 4)))
    pairs[x, y] = hl.min(rows[x, y], rows[x, y + 1])
    fours[x, y] = hl.min(pairs[x, y], pairs[x, y + 2])
    out[x, y] = hl.min(fours[x, y - 3], fours[x, y])

    if manual == "a":
        # Rows of the image with their border and of minima slide down a strip; down y all is in registers.
        sliding(out, [near, rows], 64, height=120, rows=4)
    if manual == "b":
        sliding(out, [near, rows], 64, height=120, rows=8)
        for f in (pairs, fours):
            f.compute_at(out, x).vectorize(x, 64).unroll(y)
    if manual == "c":
        sliding(out, [near, rows], 64, height=120, rows=8)
        fours.compute_at(out, x).vectorize(x, 64).unroll(y)
    return [img], out
