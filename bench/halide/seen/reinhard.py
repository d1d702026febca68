"""Reinhard's tone curve on planes of floats, with a gamma of 2.2, as bytes."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import c, x, y

SIZES = {"img": (3, 2160, 3840)}
NUMBERS = {"white": 4.0}
# Where the value lies between two bytes but for the last bits.
UNDECIDED = 2e-4


def inputs(random, img):
    return {"img": random.exponential(0.5, img).astype(np.float32)}


def result(img):
    return "ldr", img.shape, np.uint8


def pipeline(manual):
    img, white = image("img", hl.Float(32), 3), number("white")
    scale, out = hl.Func("scale"), hl.Func("ldr")
    luminance = hl.f32(0.2126) * img[x, y, 0] + hl.f32(0.7152) * img[x, y, 1] + hl.f32(0.0722) * img[x, y, 2]
    scale[x, y] = (hl.f32(1) + luminance / (white * white)) / (hl.f32(1) + luminance)
    value = hl.clamp(img[x, y, c] * scale[x, y], hl.f32(0), hl.f32(1))
    out[x, y, c] = hl.u8_sat(hl.round(hl.pow(value, hl.f32(1 / 2.2)) * hl.f32(255)))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        # All channels of a vector of points.
        out.split(x, x, xi, 16).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
        scale.compute_at(out, x).vectorize(x)
    if manual == "b":
        out.split(x, x, xi, 64).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
        scale.compute_at(out, x).vectorize(x, 16)
    if manual == "c":
        # Channel by channel; the scale of a row stays in the first cache.
        out.reorder(x, c, yi, y).vectorize(x, 32)
        scale.compute_at(out, yi).vectorize(x, 16)
    return [img, white], out
