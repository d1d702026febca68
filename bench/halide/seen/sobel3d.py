"""The length of Sobel's three derivatives of a volume of floats."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import row, strip, x, y

SIZES = {"scan": (96, 256, 256)}
SMALL = {"scan": (21, 67, 91)}
TOLERANCE = 1e-6
z = hl.Var("z")


def inputs(random, scan):
    return {"scan": random.random(scan, np.float32)}


def result(scan):
    return "steep", scan.shape, np.float32


def step(at):
    return at(1) - at(-1)


def mean(at):
    return at(-1) + at(1) + at(0) * hl.f32(2)


def pipeline(manual):
    scan = image("scan", hl.Float(32), 3)
    near = edged(scan)
    first, second, out = map(hl.Func, ["first", "second", "steep"])
    if manual == "c":
        # Along y, then z: planes slide.
        first[x, y, z] = (step(lambda d: near[x, y + d, z]), mean(lambda d: near[x, y + d, z]))
        steps, means = (lambda d, k=k: first[x, y, z + d][k] for k in (0, 1))
        second[x, y, z] = (mean(means), mean(steps), step(means))
    else:
        # Along z first: then a row of the result needs rows of one plane only.
        first[x, y, z] = (step(lambda d: near[x, y, z + d]), mean(lambda d: near[x, y, z + d]))
        steps, means = (lambda d, k=k: first[x, y + d, z][k] for k in (0, 1))
        second[x, y, z] = (mean(means), step(means), mean(steps))
    for_x, for_y, for_z = (lambda d, k=k: second[x + d, y, z][k] for k in range(3))
    gx, gy, gz = step(for_x), mean(for_y), mean(for_z)
    out[x, y, z] = hl.sqrt(gx * gx + gy * gy + gz * gz)

    lane = hl.Var("lane")
    if manual == "a":
        # Rows slide down a plane.
        out.vectorize(x, 16).parallel(z)
        first.store_at(out, z).compute_at(out, y).vectorize(x, 16).fold_storage(y, 4)
        second.store_at(out, z).compute_at(out, y).vectorize(x, 16).fold_storage(y, 1)
    if manual == "b":
        # Four rows at a time; what is along y is in registers.
        out.split(y, y, row, 4).split(x, x, lane, 16).reorder(lane, row, x, y, z).vectorize(lane).unroll(row).parallel(z)
        first.store_at(out, z).compute_at(out, y).vectorize(x, 16).fold_storage(y, 8)
    if manual == "c":
        # Strips of rows.
        out.split(y, strip, y, 32).reorder(x, y, z, strip).vectorize(x, 16).parallel(strip)
        first.store_at(out, strip).compute_at(out, z).vectorize(x, 16).fold_storage(z, 4)
        second.store_at(out, strip).compute_at(out, y).vectorize(x, 16).fold_storage(y, 1).fold_storage(z, 1)
    return [scan], out
