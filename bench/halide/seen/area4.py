"""Means of 4x4 interleaved pixels."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    height, width, _ = img.shape
    return "small", (height // 4, width // 4, 3), np.uint8


def opencv(img, result):
    return lambda: cv2.resize(img, result.shape[1::-1], result, interpolation=cv2.INTER_AREA)


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    down, out = hl.Func("down"), hl.Func("small")
    # Sums of four rows; x is that of the image.
    column = [hl.u16(img[c, x, 4 * y + j]) for j in range(4)]
    down[c, x, y] = column[0] + column[1] + column[2] + column[3]
    row = [down[c, 4 * x + i, y] for i in range(4)]
    out[c, x, y] = hl.u8((row[0] + row[1] + row[2] + row[3] + hl.u16(8)) >> hl.u16(4))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
        out.bound(c, 0, 3)
        out.output_buffer().dim(0).set_stride(1)
        out.output_buffer().dim(1).set_stride(3)
    if manual == "a":
        # Sums of four rows, as planes; then of every four columns of these.
        out.split(y, y, yi, 8).parallel(y).split(x, x, xi, 32).reorder(xi, c, x, yi, y).vectorize(xi).unroll(c)
        down.compute_at(out, yi).bound(c, 0, 3).reorder_storage(x, y, c).reorder(c, x, y).unroll(c).vectorize(x, 32)
    if manual == "b":
        out.split(y, y, yi, 8).parallel(y).split(x, x, xi, 32).reorder(c, xi, x, yi, y).vectorize(xi).unroll(c)
    if manual == "c":
        # The same as the first, a piece of the row at a time.
        out.split(y, y, yi, 8).parallel(y).split(x, x, xi, 32).reorder(xi, c, x, yi, y).vectorize(xi).unroll(c)
        down.compute_at(out, x).bound(c, 0, 3).reorder_storage(x, y, c).reorder(c, x, y).unroll(c).vectorize(x, 32)
    return [img], out
