"""A raw image of 16 bits times gains that are given at every 64th point."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import strip, x, y

SIZES = {"raw": (2160, 3840), "gains": (35, 61)}
SMALL = {"raw": (277, 391), "gains": (6, 8)}
NUMBERS = {"black": 512.0}
# A value near a half is rounded either way.
TOLERANCE = 1
CELL = 64


def inputs(random, raw, gains):
    return {"raw": random.integers(0, 1 << 16, raw, np.uint16), "gains": 1 + random.random(gains, np.float32)}


def result(raw, gains):
    return "even", raw.shape, np.uint16


def between(p, q, part):
    return p + (q - p) * part


def pipeline(manual):
    raw, gains, black = image("raw", hl.UInt(16), 2), image("gains", hl.Float(32), 2), number("black")
    near = edged(gains)
    i = hl.Var("i")
    down, across, out = map(hl.Func, ["down", "across", "even"])
    u, v = hl.f32(x % CELL) * hl.f32(1 / CELL), hl.f32(y % CELL) * hl.f32(1 / CELL)
    # The gains of a row.
    down[i, y] = between(near[i, y // CELL], near[i, y // CELL + 1], v)
    # The gains of a row of cells, at each point along x.
    across[x, i] = between(near[x // CELL, i], near[x // CELL + 1, i], u)
    if manual in ("a", "b"):
        gain = between(down[x // CELL, y], down[x // CELL + 1, y], u)
    else:
        gain = between(across[x, y // CELL], across[x, y // CELL + 1], v)
    value = hl.round((hl.f32(raw[x, y]) - black) * gain + black)
    # What is rounded fits in 32 bits.
    out[x, y] = hl.u16_sat(hl.i32(value) if manual else value)

    xi, xo, yi = map(hl.Var, ["xi", "xo", "yi"])
    guard = hl.TailStrategy.GuardWithIf
    if manual:
        # So that cells begin where loops do.
        out.output_buffer().dim(0).set_min(0)
        out.output_buffer().dim(1).set_min(0)
    if manual == "a":
        # A cell at a time: the gains at its sides are numbers.
        out.split(y, strip, y, 32).split(x, xo, x, CELL, guard).split(x, x, xi, 16)
        out.reorder(xi, x, xo, y, strip).vectorize(xi).unroll(x).parallel(strip)
        down.compute_at(out, y).vectorize(i, 16)
    if manual == "b":
        # Of two rows.
        out.split(y, strip, y, 32).split(y, y, yi, 2, guard).split(x, xo, x, CELL, guard).split(x, x, xi, 32)
        out.reorder(xi, x, yi, xo, y, strip).vectorize(xi).unroll(x).unroll(yi).parallel(strip)
        down.compute_at(out, y).vectorize(i, 16)
    if manual == "c":
        # Tiles of six cells.
        out.split(y, strip, y, 32, guard).split(x, xo, x, 6 * CELL, guard).split(x, x, xi, 16)
        out.reorder(xi, x, y, xo, strip).vectorize(xi).unroll(x).parallel(strip)
        across.compute_at(out, xo).split(x, xo, x, CELL, guard).vectorize(x, 16).unroll(x)
    return [raw, gains, black], out
