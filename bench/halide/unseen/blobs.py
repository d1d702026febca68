"""The Laplacian of a volume of floats that was smoothed by five points a side."""

import halide as hl
import numpy as np
from definition import image
from kinds import strip, x, y

SIZES = {"scan": (128, 192, 256)}
SMALL = {"scan": (21, 67, 91)}
TOLERANCE = 1e-5
z = hl.Var("z")


def inputs(random, scan):
    return {"scan": random.random(scan, np.float32)}


def result(scan):
    return "blobs", scan.shape, np.float32


def smooth(at):
    return (at(-2) + at(2)) * hl.f32(0.0625) + (at(-1) + at(1)) * hl.f32(0.25) + at(0) * hl.f32(0.375)


def pipeline(manual):
    scan = image("scan", hl.Float(32), 3)
    near = hl.BoundaryConditions.mirror_image(scan)
    of_z, of_y, of_x, out = map(hl.Func, ["of_z", "of_y", "of_x", "blobs"])
    of_z[x, y, z] = smooth(lambda d: near[x, y, z + d])
    of_y[x, y, z] = smooth(lambda d: of_z[x, y + d, z])
    of_x[x, y, z] = smooth(lambda d: of_y[x + d, y, z])
    beside = of_x[x - 1, y, z] + of_x[x + 1, y, z] + of_x[x, y - 1, z] + of_x[x, y + 1, z]
    out[x, y, z] = beside + of_x[x, y, z - 1] + of_x[x, y, z + 1] - of_x[x, y, z] * hl.f32(6)

    if manual in ("a", "b"):
        # Strips of rows, of which planes slide; in "b" a row at a time, with what is along y in registers.
        out.split(y, strip, y, 24 if manual == "a" else 48).reorder(x, y, z, strip).vectorize(x, 16).parallel(strip)
        of_x.store_at(out, strip).compute_at(out, z).vectorize(x, 16).fold_storage(z, 4)
        of_z.compute_at(of_x, y if manual == "b" else z).vectorize(x, 16)
        if manual == "b":
            of_z.store_at(out, z).fold_storage(y, 8)
            of_y.compute_at(of_x, y).vectorize(x, 16)
        else:
            of_z.store_at(out, z).compute_at(out, z)
            of_y.compute_at(out, z).vectorize(x, 16)
    if manual == "c":
        # A volume that is smoothed, then the Laplacian.
        out.vectorize(x, 16).parallel(z)
        of_x.compute_root().vectorize(x, 16).parallel(z)
        of_z.store_at(of_x, z).compute_at(of_x, y).vectorize(x, 16).fold_storage(y, 8)
        of_y.compute_at(of_x, y).vectorize(x, 16)
    return [scan], out
