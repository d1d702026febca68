"""Interleaved bytes, half as wide and as high again: each between four, rounded."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (1440, 2560, 3)}
SMALL = {"img": (278, 390, 3)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    height, width, _ = img.shape
    return "large", (3 * height // 2, 3 * width // 2, 3), np.uint8


def opencv(img, result):
    return lambda: cv2.resize(img, result.shape[1::-1], result, interpolation=cv2.INTER_LINEAR)


def sixths(at, k, part):
    """Six times what lies between two points, for place 3k + part."""
    before, here, after, beyond = (hl.u16(at(2 * k + d)) for d in (-1, 0, 1, 2))
    first, third = before + here * hl.u16(5), after * hl.u16(5) + beyond
    return hl.select(part == 0, first, part == 1, (here + after) * hl.u16(3), third)


def rounded(total):
    return hl.u8((total + hl.u16(18)) // hl.u16(36))


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    near, between, planes, out = map(hl.Func, ["near", "between", "planes", "large"])
    right, last = img.dim(1).extent() - 1, img.dim(2).extent() - 1

    def column(at):
        return hl.clamp(hl.likely(at), 0, right)

    def tall(at, y):
        """Six times what lies between two rows."""
        v, weight = (4 * y - 1) // 6, hl.u16((4 * y - 1) % 6)
        above, below = (hl.u16(at(hl.clamp(row, 0, last))) for row in (v, v + 1))
        return above * (hl.u16(6) - weight) + below * weight

    if manual == "b":
        # Between rows first.
        between[c, x, y] = tall(lambda row: img[c, column(x), row], y)
        value = rounded(sixths(lambda u: between[c, u, y], x // 3, x % 3))
    else:
        # Between columns first: of as many rows as the image has.
        near[c, x, y] = img[c, column(x), y]
        between[c, x, y] = sixths(lambda u: near[c, u, y], x // 3, x % 3)
        value = rounded(tall(lambda row: between[c, x, row], y))
    planes[c, x, y] = value
    out[c, x, y] = planes[c, x, y]

    part, xi, xo, yo = map(hl.Var, ["part", "xi", "xo", "yo"])
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_min(0).set_stride(3)
        img.dim(2).set_min(0)
        large = out.output_buffer()
        large.dim(0).set_bounds(0, 3).set_stride(1)
        large.dim(1).set_bounds(0, img.dim(1).extent() // 2 * 3).set_stride(3)
        large.dim(2).set_min(0)
        between.bound(c, 0, 3)
        # Planes, until pixels are stored.
        out.bound(c, 0, 3).split(y, yo, y, 36).parallel(yo)
    if manual in ("a", "c"):
        between.store_at(out, yo).compute_at(out, y).align_bounds(x, 3).fold_storage(y, 4).reorder_storage(x, c, y)
        between.split(x, x, part, 3).split(x, x, xi, 32).reorder(part, xi, x, c, y).unroll(part).vectorize(xi)
        near.compute_at(between, y).bound(c, 0, 3).reorder_storage(x, y, c).reorder(c, x, y).unroll(c).vectorize(x, 32)
    if manual == "a":
        # Whole rows slide down a strip.
        out.split(x, x, xi, 64).reorder(c, xi, x, y, yo).unroll(c).vectorize(xi)
    if manual == "b":
        # Two rows of the image for each one.
        out.split(x, x, xi, 64).reorder(c, xi, x, y, yo).unroll(c).vectorize(xi)
        planes.compute_at(out, y).bound(c, 0, 3).align_bounds(x, 3).reorder_storage(x, c, y)
        planes.split(x, x, part, 3).split(x, x, xi, 32).reorder(part, xi, x, c, y).unroll(part).vectorize(xi)
        between.compute_at(out, y).reorder_storage(x, y, c).reorder(c, x, y).unroll(c).vectorize(x, 32)
    if manual == "c":
        # Pieces of rows slide: what they need stays in the first cache.
        out.split(x, xo, x, 960, hl.TailStrategy.GuardWithIf).split(x, x, xi, 64).reorder(c, xi, x, y, xo, yo).unroll(c).vectorize(xi)
        between.store_at(out, xo)
    return [img], out
