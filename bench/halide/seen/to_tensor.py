"""Interleaved bytes, resized between four pixels, as planes of floats with the mean and deviation that networks expect."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"frame": (1080, 1920, 3)}
SMALL = {"frame": (277, 391, 3)}
# Places of some thousand columns have few bits behind the point.
TOLERANCE = 2e-4
WIDTH, HEIGHT = 1333, 750
MEANS, DEVIATIONS = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def inputs(random, frame):
    return {"frame": random.integers(0, 256, frame, np.uint8)}


def result(frame):
    return "tensor", (3, HEIGHT, WIDTH), np.float32


def pipeline(manual):
    frame = image("frame", hl.UInt(8), 3)
    columns, rows, lines, out = map(hl.Func, ["columns", "rows", "lines", "tensor"])
    i = hl.Var("i")

    def place(at, extent, points):
        """The first of two points, the second, and how far it is to that."""
        u = (hl.f32(at) + hl.f32(0.5)) * (hl.f32(extent) / hl.f32(points)) - hl.f32(0.5)
        first = hl.i32(hl.floor(u))
        return hl.clamp(first, 0, extent - 1), hl.clamp(first + 1, 0, extent - 1), u - hl.floor(u)

    def between(a, b, t):
        return a + (b - a) * t

    def scaled(value, channel):
        factor = [hl.f32(1 / (255 * deviation)) for deviation in DEVIATIONS]
        shift = [hl.f32(-mean / deviation) for mean, deviation in zip(MEANS, DEVIATIONS, strict=True)]
        return value * hl.mux(channel, factor) + hl.mux(channel, shift)

    columns[i] = place(i, frame.dim(1).extent(), WIDTH)
    rows[i] = place(i, frame.dim(2).extent(), HEIGHT)
    width = frame.dim(1).extent()
    left, right = (hl.clamp(columns[x][n], 0, width - 1) for n in (0, 1))
    above, below = (hl.clamp(rows[y][n], 0, frame.dim(2).extent() - 1) for n in (0, 1))
    if manual == "a":
        # Two rows become one, whose bytes are gone through as they lie: i is three times x, and c.
        lines[i, y] = between(*(hl.f32(frame[i % 3, i // 3, row]) for row in (above, below)), rows[y][2])
        out[x, y, c] = scaled(between(lines[3 * left + c, y], lines[3 * right + c, y], columns[x][2]), c)
    elif manual == "b":
        # Two rows become one, scaled, as planes; x is that of the frame.
        lines[x, y, c] = scaled(between(hl.f32(frame[c, x, above]), hl.f32(frame[c, x, below]), rows[y][2]), c)
        out[x, y, c] = between(lines[left, y, c], lines[right, y, c], columns[x][2])
    else:

        def along(row):
            return between(hl.f32(frame[c, left, row]), hl.f32(frame[c, right, row]), columns[x][2])

        out[x, y, c] = scaled(between(along(above), along(below), rows[y][2]), c)

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        frame.dim(0).set_bounds(0, 3).set_stride(1)
        frame.dim(1).set_stride(3)
        out.bound(c, 0, 3)
        columns.compute_root().vectorize(i, 16)
        rows.compute_root().vectorize(i, 16)
        out.split(y, y, yi, 25).split(x, x, xi, 16).vectorize(xi).parallel(y)
    if manual == "a":
        # All channels at once.
        out.reorder(xi, c, x, yi, y).unroll(c)
        lines.compute_at(out, yi).vectorize(i, 32)
    if manual == "b":
        # One channel's row at a time, which stays near.
        out.reorder(xi, x, c, yi, y)
        lines.compute_at(out, c).vectorize(x, 16)
    if manual == "c":
        # Each point of its four pixels; all channels of these.
        out.reorder(xi, c, x, yi, y).unroll(c)
    return [frame], out
