"""The greatest less the least of a point of 16 bits and its four neighbours."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, strips, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 1 << 16, img, np.uint16)}


def result(img):
    return "gradient", img.shape, np.uint16


def opencv(img, result):
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    return lambda: cv2.morphologyEx(img, cv2.MORPH_GRADIENT, cross, result)


def pipeline(manual):
    img = image("img", hl.UInt(16), 2)
    near, out = edged(img), hl.Func("gradient")
    around = [near[x + dx, y + dy] for dx, dy in [(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)]]
    out[x, y] = hl.max(*around) - hl.min(*around)

    if manual == "a":
        sliding(out, [near], 32, height=72, rows=4)
    if manual == "b":
        strips(out, 32, height=36, rows=4)
    if manual == "c":
        strips(out, 16, height=36, rows=6)
    return [img], out
