"""The shift of each point between two images of bytes: of 16, that with the least sum of absolute differences of 9x9 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import x, y

SIZES = {"left": (864, 1152), "right": (864, 1152)}
SHIFTS = 16
d, v, strip = hl.Var("d"), hl.Var("v"), hl.Var("strip")


def inputs(random, left, right):
    scene = random.integers(0, 256, left, np.uint8)
    return {"left": scene, "right": np.roll(scene, -5, 1)}


def result(left, right):
    return "shift", left.shape, np.uint8


def nine(at):
    values = [at(i) for i in range(-4, 5)]
    return sum(values[1:], values[0])


def pipeline(manual):
    left, right = image("left", hl.UInt(8), 2), image("right", hl.UInt(8), 2)
    from_left, from_right = edged(left), edged(right)
    apart, lines, sums, out = map(hl.Func, ["apart", "lines", "sums", "shift"])
    apart[x, y, d] = hl.absd(from_left[x, y], from_right[x - d, y])
    near = edged(apart, left.width(), left.height())
    width, height = {"a": (32, 36), "b": (56, 72), "c": (56, 36)}.get(manual, (None, None))
    if manual in ("b", "c"):
        # Sums along y run down a strip: that of a row is that of the row above, but for two.
        first, r = hl.RDom([(-4, 9)], "first"), hl.RDom([(1, height - 1)], "r")
        lines[x, d, v, strip] = hl.u16(0)
        lines[x, d, 0, strip] += hl.u16(near[x, strip * height + first, d])
        place = strip * height + r
        lines[x, d, r, strip] = lines[x, d, r - 1, strip] + (hl.u16(near[x, place + 4, d]) - hl.u16(near[x, place - 5, d]))
        sums[x, y, d] = nine(lambda i: lines[x + i, d, y % height, y // height])
    else:
        lines[x, y, d] = nine(lambda i: hl.u16(near[x + i, y, d]))
        sums[x, y, d] = nine(lambda i: lines[x, y + i, d])
    if manual:
        least, where = sums[x, y, 0], hl.u16(0)
        for i in range(1, SHIFTS):
            where = hl.select(sums[x, y, i] < least, hl.u16(i), where)
            least = hl.min(sums[x, y, i], least)
    else:
        shifts = hl.RDom([(0, SHIFTS)], "shifts")
        where = hl.argmin(shifts, sums[x, y, shifts])[0]
    out[x, y] = hl.u8(where)

    xo, yo = hl.Var("xo"), hl.Var("yo")
    if manual:
        # All shifts in registers, of narrow tiles: what they need stays in the first caches.
        out.tile(x, y, xo, yo, x, y, width, height).vectorize(x, 32).parallel(yo)
    if manual == "a":
        # Sums along x slide down a tile.
        near.store_at(out, xo).compute_at(out, y).vectorize(near.args()[0], 64)
        lines.store_at(out, xo).compute_at(out, y).vectorize(x, 32)
    if manual in ("b", "c"):
        near.compute_at(out, xo).vectorize(near.args()[0], 64)
        lines.compute_at(out, xo).vectorize(x, 32)
        lines.update(0).vectorize(x, 32).unroll(first)
        lines.update(1).reorder(x, d, r).vectorize(x, 32)
    return [left, right], out
