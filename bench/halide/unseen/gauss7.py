"""A 7x7 Gaussian blur of floats, along x, then along y."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import in_registers, reflected, sliding, x, y

SIZES = {"img": (2160, 3840)}
TOLERANCE = 1e-6


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "blurred", img.shape, np.float32


def opencv(img, result):
    return lambda: cv2.GaussianBlur(img, (7, 7), 0, result, borderType=cv2.BORDER_REFLECT_101)


def pipeline(manual):
    img = image("img", hl.Float(32), 2)
    near = reflected(img, img.width(), img.height())
    rows, out = hl.Func("rows"), hl.Func("blurred")

    def seven(at):
        sides = ((at(-3) + at(3)) * hl.f32(0.03125) + (at(-2) + at(2)) * hl.f32(0.109375)) + (at(-1) + at(1)) * hl.f32(0.21875)
        return sides + at(0) * hl.f32(0.28125)

    rows[x, y] = seven(lambda d: near[x + d, y])
    out[x, y] = seven(lambda d: rows[x, y + d])

    if manual == "a":
        sliding(out, [rows], 16, height=64, rows=4)
    if manual == "b":
        in_registers(out, [rows], 16, height=32, rows=8)
    if manual == "c":
        sliding(out, [rows], 16, height=72, rows=12)
    return [img], out
