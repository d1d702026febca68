"""Planes of 10 bits through a table of 33x33x33 colours, between the eight nearest."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"frame": (3, 1080, 1920), "table": (33, 33, 33, 3)}
# Floats that are rounded.
UNDECIDED = 1e-3
LEVELS = 33


def inputs(random, frame, table):
    """Hills of light of three colours with some noise, and a table that warms shadows and has a soft curve."""
    _, height, width = frame
    rows, columns = np.arange(height, dtype=np.float32) / 170, np.arange(width, dtype=np.float32) / 230
    hills = [500 + 260 * np.sin(rows + n)[:, None] + 190 * np.cos(columns * (1 + n / 4))[None, :] for n in range(3)]
    noisy = np.stack(hills) + 10 * random.standard_normal(frame, np.float32)
    level = np.linspace(0, 1, LEVELS, dtype=np.float32)
    blue, green, red = np.meshgrid(level, level, level, indexing="ij")
    luma = 0.2 * red + 0.7 * green + 0.1 * blue
    mixed = [0.9 * value + 0.1 * luma + warm * (1 - luma) for value, warm in ((red, 0.06), (green, 0.01), (blue, -0.04))]
    soft = np.stack(mixed, -1).clip(0, 1)
    return {"frame": noisy.clip(0, 1023).astype(np.uint16), "table": (soft * soft * (3 - 2 * soft)).astype(np.float32)}


def result(frame, table):
    return "graded", frame.shape, np.uint16


def mean(one, other, t):
    return one + (other - one) * t


def pipeline(manual):
    frame, table = image("frame", hl.UInt(16), 3), image("table", hl.Float(32), 4)
    k, n, xi, yi = map(hl.Var, ["k", "n", "xi", "yi"])
    places, wide, between, mixed, out = map(hl.Func, ["places", "wide", "between", "mixed", "graded"])
    # Cells, and where in them. That with the highest level has none behind it, so all lie in the one before.
    cells, parts = [], []
    for channel in range(3):
        value = hl.f32(frame[x, y, channel]) * hl.f32(32 / 1023)
        cell = hl.clamp(hl.i32(value), 0, LEVELS - 2)
        cells.append(cell)
        parts.append(value - hl.f32(cell))
    places[x, y] = (cells[0] + LEVELS * cells[1] + LEVELS**2 * cells[2], *parts)
    cell, parts = places[x, y][0], [places[x, y][n] for n in range(1, 4)]

    def colour(channel, place):
        return table[channel, place % LEVELS, place // LEVELS % LEVELS, place // LEVELS**2]

    def among(at, dimensions):
        """Between the corners along these dimensions; `at` is told how far a corner is from the first."""
        if not dimensions:
            return at(0)
        *others, last = dimensions
        return mean(among(at, others), among(lambda d: at(d + LEVELS**last), others), parts[last])

    # Planes, or four floats a colour, so that it is a vector; in "c" with those of the next red beside it.
    colours = 2 if manual == "c" else 1
    if manual == "a":
        wide[n, k] = colour(k, n)
        value = among(lambda d: wide[cell + d, c], [0, 1, 2])
    else:
        places_of = [hl.min(n + side, LEVELS**3 - 1) for side in range(colours)]
        wide[k, n] = hl.mux(k, [value for place in places_of for value in (*(colour(q, place) for q in range(3)), hl.f32(0))])
        if colours == 1:
            mixed[k, x, y] = among(lambda d: wide[k, cell + d], [0, 1, 2])
        else:
            between[k, x, y] = among(lambda d: wide[k, cell + d], [1, 2])
            mixed[k, x, y] = mean(between[k, x, y], between[k + 4, x, y], parts[0])
        value = mixed[c, x, y]
    out[x, y, c] = hl.u16_sat(hl.i32(hl.round(hl.clamp(value, hl.f32(0), hl.f32(1)) * hl.f32(1023))))

    if manual:
        for i, extent in enumerate((3, LEVELS, LEVELS, LEVELS)):
            table.dim(i).set_bounds(0, extent).set_stride(3 * LEVELS ** (i - 1) if i else 1)
        # Lanes are pixels in "a"; else a pixel is a vector, until rows are stored.
        out.bound(c, 0, 3).split(y, y, yi, 30).parallel(y)
        out.split(x, x, xi, 16 if manual == "a" else 32).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
        places.compute_at(out, x).vectorize(x, 16)
        blue, lane = hl.Var("blue"), hl.Var("lane")
        wide.compute_root().bound(k, 0, 3 if manual == "a" else 4 * colours).bound(n, 0, LEVELS**3)
        wide.split(n, blue, n, LEVELS**2).split(n, n, lane, 16, hl.TailStrategy.GuardWithIf)
        wide.reorder(k, lane, n, blue).unroll(k).vectorize(lane).parallel(blue)
    if manual in ("b", "c"):
        mixed.compute_at(out, x).bound(k, 0, 4).reorder(k, x, y).vectorize(k).unroll(x)
    if manual == "c":
        between.compute_at(mixed, x).bound(k, 0, 8).vectorize(k)
    return [frame, table], out
