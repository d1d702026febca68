"""Dilation of 16 bits by a disk of radius 3."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import in_registers, sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840)}
# How far rows of the disk reach, from its middle on.
REACH = [3, 2, 2, 0]


def inputs(random, img):
    return {"img": random.integers(0, 1 << 16, img, np.uint16)}


def result(img):
    return "dilated", img.shape, np.uint16


def opencv(img, result):
    square = np.arange(-3, 4) ** 2
    disk = (square + square[:, None] <= 9).astype(np.uint8)
    return lambda: cv2.dilate(img, disk, result)


def pipeline(manual):
    img = image("img", hl.UInt(16), 2)
    near, lines, out = edged(img), hl.Func("lines"), hl.Func("dilated")
    if manual in ("a", "c"):
        # Maxima of five and of seven points of a row serve all rows of the disk.
        five = hl.max(*(near[x + i, y] for i in range(-2, 3)))
        lines[x, y] = (five, hl.max(five, near[x - 3, y], near[x + 3, y]))
        rows = [lines[x, y + j][0] for j in (-2, -1, 1, 2)]
        out[x, y] = hl.max(lines[x, y][1], *rows, near[x, y - 3], near[x, y + 3])
    else:
        out[x, y] = hl.max(*(near[x + i, y + j] for j in range(-3, 4) for i in range(-REACH[abs(j)], REACH[abs(j)] + 1)))

    if manual == "a":
        sliding(out, [near, lines], 32, height=72, rows=4)
    if manual == "b":
        # All 29, of the image with its border.
        strips(out, 32, height=72, rows=2)
        near.compute_at(out, strip).vectorize(near.args()[0], 32)
    if manual == "c":
        in_registers(out, [lines], 32, height=72, rows=8)
        near.compute_at(out, strip).vectorize(near.args()[0], 32)
    return [img], out
