"""A step of Lucas and Kanade over 9x9 points, as pairs of floats."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import c, strip, x, y

SIZES = {"before": (864, 1152), "now": (864, 1152)}
TOLERANCE = 1e-4


def inputs(random, before, now):
    frame = random.random(before, np.float32)
    return {"before": frame, "now": np.float32(0.7) * frame + np.float32(0.3) * np.roll(frame, 1, 1)}


def result(before, now):
    return "flow", (*before.shape, 2), np.float32


def summed(f, dx, dy):
    """Sums of nine points in a direction, of each value."""
    values = [[f[x + i * dx, y + i * dy][k] for i in range(-4, 5)] for k in range(5)]
    return tuple(sum(value[1:], value[0]) for value in values)


def pipeline(manual):
    before, now = image("before", hl.Float(32), 2), image("now", hl.Float(32), 2)
    a, b = edged(before), edged(now)
    products, lines, sums, solved, out = map(hl.Func, ["products", "lines", "sums", "solved", "flow"])
    dx, dy = (a[x + 1, y] - a[x - 1, y]) * hl.f32(0.5), (a[x, y + 1] - a[x, y - 1]) * hl.f32(0.5)
    dt = b[x, y] - a[x, y]
    products[x, y] = (dx * dx, dx * dy, dy * dy, dx * dt, dy * dt)
    near = edged(products, before.width(), before.height())
    if manual == "c":
        lines[x, y] = summed(near, 0, 1)
        sums[x, y] = summed(lines, 1, 0)
    else:
        lines[x, y] = summed(near, 1, 0)
        sums[x, y] = summed(lines, 0, 1)
    xx, xy, yy, xt, yt = (sums[x, y][k] for k in range(5))
    p, q = xx + hl.f32(0.01), yy + hl.f32(0.01)
    inverse = hl.f32(1) / (p * q - xy * xy)
    solved[x, y] = ((xy * yt - q * xt) * inverse, (xy * xt - p * yt) * inverse)
    out[c, x, y] = hl.mux(c, [solved[x, y][k] for k in range(2)])

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        out.output_buffer().dim(0).set_bounds(0, 2).set_stride(1)
        out.output_buffer().dim(1).set_stride(2)
        height, rows = {"a": (108, 3), "b": (72, 2), "c": (72, 2)}[manual]
        out.bound(c, 0, 2).split(y, strip, y, height).split(y, y, yi, rows).split(x, x, xi, 16).reorder(c, xi, yi, x, y, strip)
        out.unroll(c).vectorize(xi).unroll(yi).parallel(strip)
        solved.compute_at(out, yi).vectorize(x)
        near.store_at(out, strip).compute_at(out, y).vectorize(near.args()[0], 16)
    if manual in ("a", "b"):
        # Products and their sums along x slide down a strip.
        lines.store_at(out, strip).compute_at(out, y).vectorize(x, 16)
    if manual == "c":
        # Products slide; their sums along y are of two rows.
        lines.compute_at(out, y).vectorize(x, 16)
    return [before, now], out
