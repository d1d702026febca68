"""Canny's edges before they are connected: where the gradient of bytes is largest across the edge, in 16 bits."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import block, sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840)}
NUMBERS = {"low": 400, "high": 700}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "edges", img.shape, np.uint8


def pipeline(manual):
    img, low, high = image("img", hl.UInt(8), 2), number("low", hl.Int(32)), number("high", hl.Int(32))
    near = edged(img)
    sides, lengths, kinds, found, out = map(hl.Func, ["sides", "lengths", "kinds", "found", "edges"])

    def at(dx, dy):
        return hl.i16(near[x + dx, y + dy])

    sides[x, y] = (
        at(1, -1) - at(-1, -1) + at(1, 1) - at(-1, 1) + (at(1, 0) - at(-1, 0)) * hl.i16(2),
        at(-1, 1) - at(-1, -1) + at(1, 1) - at(1, -1) + (at(0, 1) - at(0, -1)) * hl.i16(2),
    )
    gx, gy = sides[x, y][0], sides[x, y][1]
    ax, ay = hl.u16(hl.abs(gx)), hl.u16(hl.abs(gy))
    inside = (x >= 0) & (x < img.width()) & (y >= 0) & (y < img.height())
    lengths[x, y] = hl.select(hl.likely(inside), hl.i16(ax + ay), hl.i16(0))
    # The tangent of 22.5 degrees. Where it matters that it is rounded, there is no gradient, and so no edge.
    bound = hl.mul_shift_right(ax, hl.u16(13573), 15)
    slanted = hl.select((gx ^ gy) < hl.i16(0), hl.u8(2), hl.u8(3))
    kinds[x, y] = hl.select(ay <= bound, hl.u8(0), hl.select(ay > bound + ax * hl.u16(2), hl.u8(1), slanted))
    found[x, y] = (lengths[x, y], hl.u8(kinds[x, y]))

    def length(dx, dy):
        place = x + dx, y + dy
        return hl.i16(lengths[place] if manual == "b" else found[place][0])

    kind = hl.u8(kinds[x, y] if manual == "b" else found[x, y][1])

    def of_kind(a, b, c, d):
        return hl.select(kind == 0, a, hl.select(kind == 1, b, hl.select(kind == 2, c, d)))

    # At least as long as one neighbour is longer than one less.
    less = hl.i16(1)
    before = of_kind(length(-1, 0), length(0, -1), length(1, -1), length(-1, -1))
    behind = of_kind(length(1, 0) - less, length(0, 1) - less, length(-1, 1), length(1, 1))
    weak, strong = (hl.i16(hl.clamp(limit, -1, 32767)) for limit in (low, high))
    is_largest = length(0, 0) > hl.max(hl.max(before, behind), weak)
    out[x, y] = hl.select(is_largest, hl.select(length(0, 0) > strong, hl.u8(2), hl.u8(1)), hl.u8(0))

    if manual == "a":
        # The image with its border, a strip at a time; lengths and directions slide down it.
        strips(out, 32, height=72, rows=4)
        near.compute_at(out, strip).vectorize(near.args()[0], 32)
        found.store_at(out, strip).compute_at(out, block).vectorize(x, 32)
    if manual == "b":
        # Derivatives and lengths slide; directions are in registers.
        sliding(out, [near, lengths, sides], 32, height=72, rows=4)
    if manual == "c":
        sliding(out, [near, found], 32, height=72, rows=4)
    return [img, low, high], out
