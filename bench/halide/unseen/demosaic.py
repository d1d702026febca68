"""Colours of 16 bits, interleaved, of what a sensor sees through red, green, green and blue."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, reflected, x, y

SIZES = {"raw": (2160, 3840)}


def inputs(random, raw):
    return {"raw": random.integers(0, 1 << 16, raw, np.uint16)}


def result(raw):
    return "rgb", (*raw.shape, 3), np.uint16


def opencv(raw, result):
    return lambda: cv2.cvtColor(raw, cv2.COLOR_BayerRGGB2RGB, result)


def wide_mean(*values):
    """The mean of four, rounded, in 32 bits."""
    a, b, c, d = map(hl.u32, values)
    return hl.u16((a + b + c + d + hl.u32(2)) >> hl.u32(2))


def narrow_mean(*values):
    """The same in 16 bits: quarters and what is left of them apart."""
    quarters, rest = [value >> hl.u16(2) for value in values], [value & hl.u16(3) for value in values]
    return sum(quarters[1:], quarters[0]) + ((sum(rest[1:], rest[0]) + hl.u16(2)) >> hl.u16(2))


def pipeline(manual):
    raw = image("raw", hl.UInt(16), 2)
    near = reflected(raw, raw.width(), raw.height())
    colours, out = hl.Func("colours"), hl.Func("rgb")
    left, right, above, below = (near[x + i, y + j] for i, j in [(-1, 0), (1, 0), (0, -1), (0, 1)])
    corners = [near[x + i, y + j] for j in (-1, 1) for i in (-1, 1)]
    mean = wide_mean if manual == "a" else narrow_mean
    here, across, along = near[x, y], hl.rounding_halving_add(left, right), hl.rounding_halving_add(above, below)
    cross, diagonal = mean(left, right, above, below), mean(*corners)
    even_x, even_y = x % 2 == 0, y % 2 == 0
    red = hl.select(even_y, hl.select(even_x, here, across), hl.select(even_x, along, diagonal))
    green = hl.select(even_x == even_y, cross, here)
    blue = hl.select(even_y, hl.select(even_x, diagonal, along), hl.select(even_x, across, here))
    colours[x, y] = (red, green, blue)
    out[c, x, y] = hl.mux(c, [colours[x, y][k] for k in range(3)])

    xi, yi, yo = map(hl.Var, ["xi", "yi", "yo"])
    if manual:
        # 32 pixels of two rows; what even and odd columns have is selected by constants.
        out.output_buffer().dim(0).set_bounds(0, 3).set_stride(1)
        out.output_buffer().dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, yo, y, 36).split(y, y, yi, 2).parallel(yo)
        out.split(x, x, xi, 32).reorder(c, xi, x, yi, y, yo).unroll(c).vectorize(xi).unroll(yi)
        colours.compute_at(out, x).vectorize(x).unroll(y)
    if manual in ("a", "b"):
        # Rows with their border slide down a strip.
        near.store_at(out, yo).compute_at(out, y).vectorize(x, 32)
    return [raw], out
