"""A 5x5 Gaussian blur of interleaved pixels of 16 bits, rounded once."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import block, column, lane, row, sliding, strip, strips, x, y

SIZES = {"img": (1800, 2400, 3)}
SMALL = {"img": (277, 391, 3)}
# A place in a row, of which each pixel has three.
i, k = hl.Var("i"), hl.Var("k")


def inputs(random, img):
    return {"img": random.integers(0, 1 << 16, img, np.uint16)}


def result(img):
    return "blurred", img.shape, np.uint16


def opencv(img, result):
    return lambda: cv2.GaussianBlur(img, (5, 5), 0, result, borderType=cv2.BORDER_REFLECT_101)


def five(at):
    return at(-2) + at(2) + ((at(-1) + at(1) + at(0)) << hl.u32(2)) + (at(0) << hl.u32(1))


def rounded(total):
    return hl.u16((total + hl.u32(128)) >> hl.u32(8))


def flat_reflected(img):
    """Rows of numbers, beyond whose ends pixels are reflected."""
    near, last, bottom = hl.Func("near"), 3 * img.dim(1).extent() - 1, img.dim(2).extent() - 1
    here, before = hl.clamp(hl.likely(i), 0, last), hl.clamp(2 * (i % 3) - i, 0, last)
    behind = hl.clamp(2 * (last - 2) - i + 2 * (i % 3), 0, last)
    place = hl.select(i < 0, before, hl.likely(hl.select(i > last, behind, hl.likely(here))))
    row, above, below = (hl.clamp(v, 0, bottom) for v in (hl.likely(y), -y, 2 * bottom - y))
    line = hl.select(y < 0, above, hl.likely(hl.select(y > bottom, below, hl.likely(row))))
    near[i, y] = img[place % 3, place // 3, line]
    return near


def pipeline(manual):
    img = image("img", hl.UInt(16), 3)
    near = flat_reflected(img)
    first, out = hl.Func("first"), hl.Func("blurred")
    if manual == "b":
        # Down y first.
        first[i, y] = five(lambda d: hl.u32(near[i, y + d]))
        out[k, x, y] = rounded(five(lambda d: first[3 * x + k + 3 * d, y]))
    else:
        first[i, y] = five(lambda d: hl.u32(near[i + 3 * d, y]))
        out[k, x, y] = rounded(five(lambda d: first[3 * x + k, y + d]))

    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_min(0).set_stride(3)
        out.bound(k, 0, 3)
    if manual in ("a", "b"):
        # A row is one of numbers; x is a place in it from here on.
        out.fuse(k, x, x)
    if manual == "a":
        # Sums along x slide down a strip.
        sliding(out, [first], 16, height=60, rows=6)
    if manual == "b":
        # Sums of five rows, of two rows at a time.
        strips(out, 32, height=60, rows=2)
        first.compute_at(out, block).vectorize(i, 32)
    if manual == "c":
        # Sums of 16 pixels and ten rows are in registers.
        out.split(y, strip, y, 60).split(y, block, row, 6).split(x, x, lane, 16).fuse(k, lane, lane).split(lane, column, lane, 16)
        out.reorder(lane, column, row, x, block, strip).vectorize(lane).unroll(column).unroll(row).parallel(strip)
        first.compute_at(out, x).vectorize(i, 16).unroll(i).unroll(y)
    if manual:
        # The image with its border, a strip at a time.
        near.compute_at(out, strip).vectorize(i, 32)
    return [img], out
