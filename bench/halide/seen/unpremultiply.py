"""Pixels RGBA whose colours are divided by alpha."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (2160, 3840, 4)}
SMALL = {"img": (277, 391, 4)}


def inputs(random, img):
    # Colours are multiplied by alpha.
    alpha = random.integers(0, 256, (*img[:2], 1))
    colours = (random.integers(0, 256, (*img[:2], 3)) * alpha + 127) // 255
    return {"img": np.concatenate([colours, alpha], axis=2).astype(np.uint8)}


def result(img):
    return "straight", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.cvtColor(img, cv2.COLOR_mRGBA2RGBA, result)


def pipeline(manual):
    img, inverse, out = image("img", hl.UInt(8), 3), hl.Func("inverse"), hl.Func("straight")
    i = hl.Var("i")
    alpha = img[3, x, y]
    dividend = hl.u16(img[c, x, y]) * hl.u16(255) + hl.u16(alpha >> hl.u8(1))
    if manual == "c":
        # Of all alphas, in a table.
        inverse[i] = hl.select(i == 0, hl.f32(0), hl.f32(1) / hl.f32(hl.max(i, 1)))
        scale = inverse[alpha]
    else:
        inverse[x, y] = hl.select(alpha == hl.u8(0), hl.f32(0), hl.f32(1) / hl.f32(hl.max(alpha, hl.u8(1))))
        scale = inverse[x, y]
    # A quotient of integers, by floats: with a half it is at least 1/510 away from where it is cut off, and last bits do not matter.
    quotient = hl.i32((hl.f32(dividend) + hl.f32(0.5)) * scale)
    out[c, x, y] = hl.select(c == 3, alpha, hl.u8_sat(quotient))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 4).set_stride(1)
            buffer.dim(1).set_stride(4)
        out.bound(c, 0, 4).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        # Channel by channel of 16 pixels, whose inverses are in a register.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
        inverse.compute_at(out, x).vectorize(x)
    if manual == "b":
        # Bytes as they lie, each inverse four times.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).vectorize(c).vectorize(xi)
        inverse.compute_at(out, x).vectorize(x)
    if manual == "c":
        inverse.compute_root().bound(i, 0, 256).vectorize(i, 16)
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    return [img], out
