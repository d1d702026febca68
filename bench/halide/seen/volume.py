"""A volume of 16 bits, smoothed by five weights along x, y and z, in 32 bits."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import row, strip, x, y

SIZES = {"scan": (96, 256, 256)}
SMALL = {"scan": (21, 67, 91)}
z = hl.Var("z")


def inputs(random, scan):
    return {"scan": random.integers(0, 1 << 16, scan, np.uint16)}


def result(scan):
    return "smooth", scan.shape, np.uint16


def five(at):
    return at(-2) + at(2) + (at(-1) + at(1)) * hl.u32(4) + at(0) * hl.u32(6)


def pipeline(manual):
    scan = image("scan", hl.UInt(16), 3)
    near = edged(scan)
    first, second, out = map(hl.Func, ["first", "second", "smooth"])
    if manual == "b":
        first[x, y, z] = five(lambda d: hl.u32(near[x + d, y, z]))
        second[x, y, z] = five(lambda d: first[x, y + d, z])
        total = five(lambda d: second[x, y, z + d])
    else:
        # Along z first: then a row of the result needs rows of one plane only.
        first[x, y, z] = five(lambda d: hl.u32(near[x, y, z + d]))
        second[x, y, z] = five(lambda d: first[x, y + d, z])
        total = five(lambda d: second[x + d, y, z])
    out[x, y, z] = hl.u16((total + hl.u32(2048)) >> hl.u32(12))

    if manual == "a":
        # Rows of what is along z slide down a plane.
        out.vectorize(x, 16).parallel(z)
        first.store_at(out, z).compute_at(out, y).vectorize(x, 16)
        second.compute_at(out, y).vectorize(x, 16)
    if manual == "b":
        # Strips of rows, through which planes slide.
        out.split(y, strip, y, 32).reorder(x, y, z, strip).vectorize(x, 16).parallel(strip)
        second.store_at(out, strip).compute_at(out, z).vectorize(x, 16)
        first.compute_at(out, z).vectorize(x, 16)
    if manual == "c":
        # The first with four rows at a time.
        out.split(y, y, row, 4).reorder(x, row, y, z).vectorize(x, 16).parallel(z)
        first.store_at(out, z).compute_at(out, y).vectorize(x, 16)
        second.compute_at(out, y).vectorize(x, 16)
    return [scan], out
