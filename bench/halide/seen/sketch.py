"""A photograph as a pencil drawing: grey over a wide Gaussian of grey. Interleaved bytes become grey ones."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import block, lane, reflected, row, sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (391, 677, 3)}
WEIGHTS = [2, 2, 4, 6, 11, 15, 20, 25, 28, 30, 28, 25, 20, 15, 11, 6, 4, 2, 2]


def inputs(random, img):
    """Some of it is black: where the blur is 0, so is the drawing."""
    photo = random.integers(0, 256, img, np.uint8)
    photo[:60, :60] = 0
    return {"img": photo}


def result(img):
    return "drawn", img.shape[:2], np.uint8


def opencv(img, result):
    def run():
        grey = cv2.cvtColor(img, cv2.COLOR_RGB2GRAY)
        cv2.divide(grey, cv2.GaussianBlur(grey, (21, 21), 0), result, 256)

    return run


def blurred(at, type):
    """Points that have the same weight first."""
    sides = [(at(d) + at(-d)) * hl.cast(type, WEIGHTS[9 + d]) for d in range(1, 10)]
    return sum(sides, at(0) * hl.cast(type, WEIGHTS[9]))


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    luma, lines, blur, out = map(hl.Func, ["luma", "lines", "blur", "drawn"])
    red, green, blue = (hl.i32(hl.i16(img[k, x, y])) for k in range(3))
    luma[x, y] = hl.u8((red * 9798 + green * 19235 + blue * 3735 + 16384) >> 15)
    near = reflected(luma, img.dim(1).extent(), img.dim(2).extent())
    # Down y first in "a". The first sums have 16 bits, the second 24, which floats hold.
    i, j = (0, 1) if manual == "a" else (1, 0)
    lines[x, y] = hl.f32(blurred(lambda d: hl.u16(near[x + d * i, y + d * j]), hl.UInt(16)))
    blur[x, y] = hl.floor(blurred(lambda d: lines[x + d * j, y + d * i], hl.Float(32)) * hl.f32(1 / 65536) + hl.f32(0.5))
    # A division by a step of Newton's. Of such numbers no quotient lies so near to a half that it would matter.
    guess = hl.fast_inverse(blur[x, y])
    bright = hl.f32(near[x, y]) * hl.f32(256) * (guess * (hl.f32(2) - blur[x, y] * guess))
    out[x, y] = hl.select(blur[x, y] == hl.f32(0), hl.u8(0), hl.u8(hl.i32(hl.min(bright, hl.f32(255)) + hl.f32(0.5))))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
    if manual == "a":
        # All rows slide down a strip, four at a time; sums down y of four share what they load.
        sliding(out, [lines], 32, height=360, rows=4)
        lines.split(y, y, yi, 4, hl.TailStrategy.RoundUp).reorder(yi, x, y).unroll(yi)
        for stage in (luma, near):
            stage.store_at(out, strip).compute_at(out, block).vectorize(stage.args()[0], 64)
    if manual == "b":
        # Tiles that share nothing.
        out.split(y, strip, y, 216).split(x, x, xi, 640, hl.TailStrategy.GuardWithIf).split(y, y, row, 4).split(xi, xi, lane, 32)
        out.reorder(lane, row, xi, y, x, strip).vectorize(lane).unroll(row).parallel(strip)
        for stage in (luma, near, lines):
            stage.compute_at(out, x).vectorize(stage.args()[0], 64)
    if manual == "c":
        # Grey with its border in whole; sums along x slide down a strip.
        strips(out, 16, height=360, rows=4)
        column, line = near.args()
        near.compute_root().split(line, strip, line, 36).vectorize(column, 64).parallel(strip)
        luma.compute_at(near, strip).vectorize(x, 64)
        lines.store_at(out, strip).compute_at(out, block).vectorize(x, 64)
    return [img], out
