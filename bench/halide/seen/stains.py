"""Interleaved bytes of a slide as amounts of three stains, as floats."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (1080, 1920, 3)}
SMALL = {"img": (277, 391, 3)}
TOLERANCE = 2e-6
FROM_RGB = [[1.8779827, -1.0076787, -0.5561158], [-0.0659081, 1.1347304, -0.1355218], [-0.6019074, -0.4804142, 1.5735881]]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "hed", img.shape, np.float32


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    c, s, v, flat = map(hl.Var, ["c", "s", "v", "flat"])
    table, density, out = map(hl.Func, ["table", "density", "hed"])

    def taken(value):
        return hl.log(hl.max(hl.f32(value) * hl.f32(1 / 255), hl.f32(1e-6))) * hl.f32(-1 / 13.815511)

    table[v] = taken(v)
    density[c, x, y] = table[hl.i32(img[c, x, y])] if manual == "a" else taken(img[c, x, y])
    stains = []
    for stain in range(3):
        parts = [density[channel, x, y] * hl.f32(FROM_RGB[channel][stain]) for channel in range(3)]
        stains.append(hl.max(parts[0] + parts[1] + parts[2], hl.f32(0)))
    out[s, x, y] = hl.mux(s, stains)

    xi, yo = hl.Var("xi"), hl.Var("yo")
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
        out.output_buffer().dim(0).set_bounds(0, 3).set_stride(1)
        out.output_buffer().dim(1).set_stride(3)
        out.bound(s, 0, 3).split(y, yo, y, 20).parallel(yo)
        out.split(x, x, xi, 32 if manual == "b" else 16).reorder(s, xi, x, y, yo).unroll(s).vectorize(xi)
        density.bound(c, 0, 3)
    if manual == "a":
        # A table of all 256, and pixels of a vector.
        table.compute_root().bound(v, 0, 256).vectorize(v, 16)
        density.compute_at(out, x).reorder(c, x, y).unroll(c).vectorize(x)
    if manual == "b":
        # Logarithms of a vector of pixels, in registers.
        density.compute_at(out, x).reorder(c, x, y).unroll(c).vectorize(x).reorder_storage(x, c, y)
    if manual == "c":
        # Logarithms of a row, as its bytes lie.
        density.compute_at(out, y).fuse(c, x, flat).vectorize(flat, 16)
    return [img], out
