"""Kuwahara's filter of bytes: the mean of the calmest of four squares of 3x3 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, sliding, strip, strips, tiles, x, y

SIZES = {"img": (1080, 1920)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "smooth", img.shape, np.uint8


def three(at):
    return at(-1) + at(0) + at(1)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    along, squares, out = map(hl.Func, ["along", "squares", "smooth"])
    # Sums of three points down y, and of their squares, then along x.
    of = lambda d: hl.u16(near[x, y + d])  # noqa: E731
    along[x, y] = (three(of), three(lambda d: hl.u32(of(d) * of(d))))
    total, squared = (three(lambda d, k=k: along[x + d, y][k]) for k in (0, 1))
    wide = hl.u32(total)
    squares[x, y] = (total, hl.i32(squared * hl.u32(9) - wide * wide))
    # Beyond the edge is the nearest square.
    around = hl.Func("around")
    place = hl.clamp(hl.likely(x), 0, img.width() - 1), hl.clamp(hl.likely(y), 0, img.height() - 1)
    around[x, y] = tuple(squares[place][k] for k in (0, 1))
    corners = [tuple(around[x + i, y + j][k] for k in (0, 1)) for j in (-1, 1) for i in (-1, 1)]
    best, least = corners[0]
    for sum_of, variance in corners[1:]:
        best = hl.select(variance < least, sum_of, best)
        least = hl.min(variance, least)
    out[x, y] = hl.u8((best + hl.u16(4)) / hl.u16(9))

    if manual == "a":
        # Rows slide down a strip.
        sliding(out, [near, along, around], 32, height=72, rows=4)
    if manual == "b":
        tiles(out, [near, along, around], 32, width=256, height=36)
    if manual == "c":
        # The image with its border, a strip at a time; sums of columns of each row are in the cache.
        strips(out, 16, height=36, rows=1)
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
        around.store_at(out, strip).compute_at(out, block).vectorize(x, 16)
        along.compute_at(around, y).vectorize(x, 16)
    return [img], out
