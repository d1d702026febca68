"""Tones of sepia: a matrix times each of the interleaved pixels."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}
WEIGHTS = [[101, 197, 48], [89, 176, 43], [70, 137, 34]]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "sepia", img.shape, np.uint8


def opencv(img, result):
    matrix = np.array(WEIGHTS, np.float32) / 256
    return lambda: cv2.transform(img, matrix, result)


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    out = hl.Func("sepia")
    pixel = [img[channel, x, y] for channel in range(3)]
    # Products have 16 bits.
    sums = []
    for row in WEIGHTS:
        products = [hl.u16(value) * hl.u16(weight) for value, weight in zip(pixel, row, strict=True)]
        sums.append(hl.u32(products[0]) + hl.u32(products[1]) + hl.u32(products[2]) + hl.u32(128))
    out[c, x, y] = hl.u8_sat(hl.mux(c, [total >> hl.u32(8) for total in sums]))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        out.split(x, x, xi, 32).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
    if manual == "b":
        out.split(x, x, xi, 64).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    if manual == "c":
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    return [img], out
