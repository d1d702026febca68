"""Interleaved bytes, each channel times a gain, then through a table."""

import cv2
import halide as hl
import numpy as np
from definition import image, number
from kinds import c, x, y

SIZES = {"img": (2160, 3840, 3), "curve": (256,)}
SMALL = {"img": (277, 391, 3), "curve": (256,)}
NUMBERS = {"red": 420, "green": 256, "blue": 371}


def inputs(random, img, curve):
    gamma = np.round(255 * (np.arange(256) / 255) ** (1 / 2.2)).astype(np.uint8)
    return {"img": random.integers(0, 256, img, np.uint8), "curve": gamma}


def result(img, curve):
    return "balanced", img.shape, np.uint8


def opencv(img, curve, result):
    # As one does it there: a table for each channel, of gain and curve.
    levels = np.minimum((np.arange(256)[:, None] * list(NUMBERS.values()) + 128) >> 8, 255)
    return lambda: cv2.LUT(img, curve[levels].reshape(1, 256, 3), result)


def pipeline(manual):
    img, curve = image("img", hl.UInt(8), 3), image("curve", hl.UInt(8), 1)
    gains = [number(name, hl.Int(32)) for name in NUMBERS]
    table, out = hl.Func("table"), hl.Func("balanced")

    def level(value, gain):
        return curve[hl.clamp((hl.i32(value) * gain + 128) >> 8, 0, 255)]

    i = hl.Var("i")
    if manual in ("a", "b"):
        # One table a channel, made once, of gain and curve.
        table[i, c] = level(i, hl.mux(c, gains))
        out[c, x, y] = table[img[c, x, y], c]
    else:
        out[c, x, y] = level(img[c, x, y], hl.mux(c, gains))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        curve.dim(0).set_bounds(0, 256)
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual in ("a", "b"):
        table.compute_root().bound(i, 0, 256).bound(c, 0, 3).unroll(c)
    if manual == "a":
        # A byte at a time: a load of the image, one of a table, and a store.
        out.split(x, x, xi, 8).reorder(c, xi, x, yi, y).unroll(c).unroll(xi)
    if manual == "b":
        # Vectors of places, one element after the other from the table.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    if manual == "c":
        # Gains in vectors.
        out.split(x, x, xi, 32).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    return [img, curve, *gains], out
