"""The quadratic polynomial that is nearest to 7x7 bytes around each point, weighted by a Gaussian."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, tiles, x, y

SIZES = {"img": (1080, 1920)}
TOLERANCE = 1e-5

# Weights at distances of 0 to 3, and moments.
G = (0.27068215, 0.21674532, 0.11128076, 0.036632845)
M2, M4 = 1.983128, 9.928996


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return [(name, img.shape, np.float32) for name in ("x", "y", "xx", "yy", "xy")]


def smooth(at):
    return sum((hl.f32(G[d]) * (at(d) + at(-d)) for d in (1, 2, 3)), hl.f32(G[0]) * at(0))


def first(at):
    return hl.f32(3 * G[3]) * (at(3) - at(-3)) + hl.f32(2 * G[2]) * (at(2) - at(-2)) + hl.f32(G[1]) * (at(1) - at(-1))


def second(at):
    return hl.f32(9 * G[3]) * (at(3) + at(-3)) + hl.f32(4 * G[2]) * (at(2) + at(-2)) + hl.f32(G[1]) * (at(1) + at(-1))


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    lines, out = hl.Func("lines"), hl.Func("coefficients")
    # Sums along x, then along y; in "b" and "c" the other way round.
    i, j = (0, 1) if manual in ("b", "c") else (1, 0)
    point = lambda d: hl.f32(near[x + d * i, y + d * j])  # noqa: E731
    lines[x, y] = (smooth(point), first(point), second(point))
    plain, slope, bend = (lambda d, n=n: lines[x + d * j, y + d * i][n] for n in range(3))
    one, mixed = smooth(plain), first(slope)
    # Of the dimension that was summed first, and of the other one.
    spread = hl.f32(1 / (M4 - M2 * M2))
    slopes = [value * hl.f32(1 / M2) for value in (smooth(slope), first(plain))]
    bends = [(value - one * hl.f32(M2)) * spread for value in (smooth(bend), second(plain))]
    if manual in ("b", "c"):
        slopes.reverse()
        bends.reverse()
    out[x, y] = (*slopes, *bends, mixed * hl.f32(1 / (M2 * M2)))

    if manual == "a":
        # Bytes and sums along x slide down a strip.
        sliding(out, [near, lines], 16, height=54, rows=2)
    if manual == "b":
        # Bytes and sums along y do.
        sliding(out, [near, lines], 16, height=54, rows=2)
    if manual == "c":
        # The bytes of a wide tile with its border, sums along y of it.
        tiles(out, [near, lines], 16, width=384, height=18)
    return [img], out
