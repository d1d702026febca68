"""Bits that say which of 5x5 points of bytes are darker than that in the middle."""

import functools
import operator

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, sliding, strip, strips, x, y

SIZES = {"img": (1080, 1920)}
PLACES = [(i, j) for j in range(-2, 3) for i in range(-2, 3)]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "bits", img.shape, np.uint32


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    parts, out = hl.Func("parts"), hl.Func("bits")

    def bits(type, first):
        """As many bits as the type has, from the first."""
        some = PLACES[first : first + type.bits()]
        none = hl.cast(type, 0)
        each = [hl.select(near[x + i, y + j] < near[x, y], hl.cast(type, 1 << n), none) for n, (i, j) in enumerate(some) if i or j]
        return functools.reduce(operator.or_, each, none)

    if manual in ("a", "b"):
        # Bytes of eight bits each: vectors have 64 of them.
        parts[x, y] = tuple(bits(hl.UInt(8), first) for first in (0, 8, 16, 24))
        out[x, y] = functools.reduce(operator.or_, (hl.u32(parts[x, y][k]) << hl.u32(8 * k) for k in range(4)))
    else:
        out[x, y] = bits(hl.UInt(32), 0)

    if manual == "a":
        # Two rows at a time, in registers; rows with their border slide down a strip.
        sliding(out, [near], 64, height=36, rows=2)
        parts.compute_at(out, x).vectorize(x).unroll(y)
    if manual == "b":
        # Bytes of a row, then words.
        strips(out, 16, height=36)
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
        parts.compute_at(out, block).vectorize(x, 64)
    if manual == "c":
        # Words at once, of two rows.
        strips(out, 16, height=36, rows=2)
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
    return [img], out
