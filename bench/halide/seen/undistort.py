"""An image of floats without the distortion of its lens, between four points."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import strips, x, y

SIZES = {"img": (864, 1152)}
NUMBERS = {"k1": -0.2, "k2": 0.05}
# A place among a thousand points has 14 bits behind the point.
TOLERANCE = 3e-4


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "straight", img.shape, np.float32


def pipeline(manual):
    img, k1, k2 = image("img", hl.Float(32), 2), number("k1"), number("k2")
    out = hl.Func("straight")
    width, height = hl.f32(img.width()), hl.f32(img.height())
    scale = hl.f32(2) / width
    dx, dy = hl.f32(x) - width * hl.f32(0.5), hl.f32(y) - height * hl.f32(0.5)
    r2 = (dx * dx + dy * dy) * (scale * scale)
    bend = r2 * (k1 + k2 * r2)
    sx, sy = hl.f32(x) + dx * bend, hl.f32(y) + dy * bend
    fx, fy = hl.floor(sx), hl.floor(sy)
    # Clamped by hand: places are not near the point, so nothing is to be had from an interior.
    last = img.width() - 1, img.height() - 1
    i, j = hl.i32(fx), hl.i32(fy)
    left, right = hl.clamp(i, 0, last[0]), hl.clamp(i + 1, 0, last[0])
    above, below = hl.clamp(j, 0, last[1]), hl.clamp(j + 1, 0, last[1])
    across = sx - fx
    upper = img[left, above] + (img[right, above] - img[left, above]) * across
    lower = img[left, below] + (img[right, below] - img[left, below]) * across
    out[x, y] = upper + (lower - upper) * (sy - fy)

    xo, yo = hl.Var("xo"), hl.Var("yo")
    if manual == "a":
        strips(out, 16, height=16)
    if manual == "b":
        # Tiles, so that what is read lies together.
        out.tile(x, y, xo, yo, x, y, 64, 16).vectorize(x, 16).parallel(yo)
    if manual == "c":
        strips(out, 8, height=16, columns=2)
    return [img, k1, k2], out
