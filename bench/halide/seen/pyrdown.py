"""The next coarser level of a pyramid of bytes, in 16 bits."""

import cv2
import halide as hl
import numpy as np
from definition import half, image
from kinds import block, reflected, strip, strips, tiles, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "coarse", tuple(map(half, img.shape)), np.uint8


def opencv(img, result):
    return lambda: cv2.pyrDown(img, result)


def five(at):
    return at(-2) + at(2) + (at(-1) + at(1)) * hl.u16(4) + at(0) * hl.u16(6)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = reflected(img, img.width(), img.height())
    narrow, short, out = hl.Func("narrow"), hl.Func("short"), hl.Func("coarse")
    if manual in ("a", "c"):
        # Down y first: the rows of the image are read a whole vector at a time, and only half of them need what is along x.
        short[x, y] = five(lambda d: hl.u16(near[x, 2 * y + d]))
        total = five(lambda d: short[2 * x + d, y])
    else:
        narrow[x, y] = five(lambda d: hl.u16(near[2 * x + d, y]))
        total = five(lambda d: narrow[x, 2 * y + d])
    out[x, y] = hl.u8((total + hl.u16(128)) >> hl.u16(8))

    if manual == "a":
        # The image with its border, a strip at a time.
        strips(out, 64, height=32)
        short.compute_at(out, block).vectorize(x, 64)
        near.compute_at(out, strip).vectorize(x, 64)
    if manual == "b":
        # Rows of the image with their border, and what is along x of them, slide down a strip.
        strips(out, 32, height=32)
        narrow.store_at(out, strip).compute_at(out, block).vectorize(x, 32)
        near.store_at(out, strip).compute_at(out, block).vectorize(x, 64)
    if manual == "c":
        tiles(out, [near, short], 64, width=128, height=32)
    return [img], out
