"""The closing of a volume of 16 bits with a sign by 3x3x3 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import strip, x, y

SIZES = {"scan": (96, 256, 256)}
SMALL = {"scan": (21, 67, 91)}
z = hl.Var("z")


def inputs(random, scan):
    return {"scan": random.integers(-1024, 3072, scan, np.int16)}


def result(scan):
    return "closed", scan.shape, np.int16


def three(pick, at):
    return pick(at(-1), at(0), at(1))


def pipeline(manual):
    scan = image("scan", hl.Int(16), 3)
    near = edged(scan)
    planes, rows, dilated, deep, tall, out = map(hl.Func, ["planes", "rows", "dilated", "deep", "tall", "closed"])
    # Along z, y and x, so that only whole vectors are read until the last.
    planes[x, y, z] = three(hl.max, lambda d: near[x, y, z + d])
    rows[x, y, z] = three(hl.max, lambda d: planes[x, y + d, z])
    inside = (x >= 0) & (x < scan.width()) & (y >= 0) & (y < scan.height()) & (z >= 0) & (z < scan.dim(2).extent())
    # Beyond the edge is what is never a minimum.
    dilated[x, y, z] = hl.select(hl.likely(inside), three(hl.max, lambda d: rows[x + d, y, z]), hl.i16(32767))
    deep[x, y, z] = three(hl.min, lambda d: dilated[x, y, z + d])
    tall[x, y, z] = three(hl.min, lambda d: deep[x, y + d, z])
    out[x, y, z] = three(hl.min, lambda d: tall[x + d, y, z])

    if manual == "a":
        # Strips of rows, down which planes slide.
        out.split(y, strip, y, 32).reorder(x, y, z, strip).vectorize(x, 32).parallel(strip)
        dilated.store_at(out, strip).compute_at(out, z).vectorize(x, 32).fold_storage(z, 4)
        planes.compute_at(out, z).vectorize(x, 32)
        rows.compute_at(dilated, y).vectorize(x, 32)
        tall.compute_at(out, y).vectorize(x, 32)
    if manual == "b":
        # The dilation of all, then its erosion.
        out.vectorize(x, 32).parallel(z)
        dilated.compute_root().vectorize(x, 32).parallel(z)
        planes.store_at(dilated, z).compute_at(dilated, y).vectorize(x, 32).fold_storage(y, 4)
        rows.compute_at(dilated, y).vectorize(x, 32)
        deep.store_at(out, z).compute_at(out, y).vectorize(x, 32).fold_storage(y, 4)
        tall.compute_at(out, y).vectorize(x, 32)
    if manual == "c":
        # Blocks of planes, each with what is around it.
        zi = hl.Var("zi")
        out.split(z, z, zi, 8).split(y, strip, y, 64).reorder(x, y, zi, strip, z).vectorize(x, 32).parallel(z)
        dilated.compute_at(out, strip).vectorize(x, 32)
        planes.store_at(dilated, z).compute_at(dilated, y).vectorize(x, 32).fold_storage(y, 4)
        rows.compute_at(dilated, y).vectorize(x, 32)
        tall.compute_at(out, y).vectorize(x, 32)
    return [scan], out
