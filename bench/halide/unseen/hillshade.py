"""A model of terrain under a light from far away, as bytes; where a height is not known, 0."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import block, sliding, strips, x, y

SIZES = {"heights": (1800, 2400)}
NUMBERS = {"scale": 0.0125, "lx": -0.5, "ly": -0.5, "lz": 0.70710678}
# Floats that are rounded to bytes.
UNDECIDED = 1e-4
UNKNOWN = -9999


def inputs(random, heights):
    terrain = np.cumsum(np.cumsum(random.standard_normal(heights, np.float32), 0), 1) * 0.05
    terrain[random.random(heights) < 0.01] = UNKNOWN
    return {"heights": terrain.astype(np.float32)}


def result(heights):
    return "shaded", heights.shape, np.uint8


def weighted(a, b, c):
    return a + hl.f32(2) * b + c


def pipeline(manual):
    heights = image("heights", hl.Float(32), 2)
    scale, lx, ly, lz = (number(name) for name in NUMBERS)
    near = edged(heights)
    lines, out = hl.Func("lines"), hl.Func("shaded")
    # Both derivatives are sums of sums: those along x of a row in "a" and "b", those along y of a column in "c".
    i, j = (0, 1) if manual == "c" else (1, 0)
    three = [near[x + k * i, y + k * j] for k in (-1, 0, 1)]
    lines[x, y] = (weighted(*three), three[2] - three[0], hl.min(*three))
    before, here, after = (lines[x + k * j, y + k * i] for k in (-1, 0, 1))
    along, across = (weighted(before[1], here[1], after[1]) * scale, (after[0] - before[0]) * scale)
    gx, gy = (across, along) if manual == "c" else (along, across)
    light = (lz - lx * gx - ly * gy) / hl.sqrt(hl.f32(1) + gx * gx + gy * gy)
    bright = hl.round(hl.f32(1) + hl.f32(254) * hl.max(light, hl.f32(0)))
    known = hl.min(before[2], here[2], after[2]) != hl.f32(UNKNOWN)
    out[x, y] = hl.u8(hl.i32(hl.select(known, hl.min(bright, hl.f32(255)), hl.f32(0))))

    if manual == "a":
        # Three rows at a time: what is loaded serves all of them.
        strips(out, 16, height=36, rows=3)
    if manual == "b":
        # Four rows at a time; those of the image slide down a strip with their border.
        sliding(out, [near], 16, height=36, rows=4)
    if manual == "c":
        # Sums along y of a row.
        strips(out, 16, height=36)
        lines.compute_at(out, block).vectorize(x, 16)
    return [heights, scale, lx, ly, lz], out
