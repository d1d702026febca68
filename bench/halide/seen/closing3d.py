"""The closing of a volume of 16 bits with a sign by 3x3x3 points."""

import halide as hl
import numpy as np
from definition import image
from kinds import strip, x, y

SIZES = {"scan": (96, 256, 256)}
SMALL = {"scan": (21, 67, 91)}
z = hl.Var("z")


def inputs(random, scan):
    return {"scan": random.integers(-1024, 3072, scan, np.int16)}


def result(scan):
    return "closed", scan.shape, np.int16


def pipeline(manual):
    scan = image("scan", hl.Int(16), 3)
    width = scan.width()
    planes, rows, dilated, deep, tall, out = map(hl.Func, ["planes", "rows", "dilated", "deep", "tall", "closed"])

    def near(f, dimension, d):
        """Beyond the edge is the last point, which a minimum or maximum of three has already."""
        place = [x, y, z]
        if d:
            place[dimension] = hl.clamp(hl.likely(place[dimension] + d), 0, scan.dim(dimension).extent() - 1)
        return f[tuple(place)]

    def three(pick, f, dimension):
        return pick(*(near(f, dimension, d) for d in (-1, 0, 1)))

    def with_ends(f):
        """Rows with a point before and one behind, so that whole vectors are read from them."""
        wide, along = hl.Func(f"{f.name()}_wide"), hl.RDom([(0, width)])
        wide[x, y, z] = hl.undef(hl.Int(16))
        wide[along, y, z] = f[along, y, z]
        wide[-1, y, z] = f[0, y, z]
        wide[width, y, z] = f[width - 1, y, z]
        wide.update(0).vectorize(along, 32)
        return wide

    def along_x(pick, f, reader):
        if not manual:
            return three(pick, f, 0)
        wide = with_ends(f)
        wide.compute_at(reader, y)
        return pick(*(wide[x + d, y, z] for d in (-1, 0, 1)))

    planes[x, y, z] = three(hl.max, scan, 2)
    rows[x, y, z] = three(hl.max, planes, 1)
    dilated[x, y, z] = along_x(hl.max, rows, dilated)
    deep[x, y, z] = three(hl.min, dilated, 2)
    tall[x, y, z] = three(hl.min, deep, 1)
    out[x, y, z] = along_x(hl.min, tall, out)

    if manual == "a":
        # Strips of rows, down which planes slide.
        out.split(y, strip, y, 32).reorder(x, y, z, strip).vectorize(x, 32).parallel(strip)
        dilated.store_at(out, strip).compute_at(out, z).vectorize(x, 32).fold_storage(z, 4)
        planes.compute_at(out, z).vectorize(x, 32)
    if manual == "b":
        # The dilation of all, then its erosion.
        out.vectorize(x, 32).parallel(z)
        dilated.compute_root().vectorize(x, 32).parallel(z)
        planes.store_at(dilated, z).compute_at(dilated, y).vectorize(x, 32).fold_storage(y, 4)
        deep.store_at(out, z).compute_at(out, y).vectorize(x, 32).fold_storage(y, 4)
    if manual == "c":
        # Blocks of planes, each with what is around it.
        zi = hl.Var("zi")
        out.split(z, z, zi, 8).split(y, strip, y, 64).reorder(x, y, zi, strip, z).vectorize(x, 32).parallel(z)
        dilated.compute_at(out, strip).vectorize(x, 32)
        planes.store_at(dilated, z).compute_at(dilated, y).vectorize(x, 32).fold_storage(y, 4)
        deep.store_at(out, zi).compute_at(out, y).vectorize(x, 32).fold_storage(y, 4)
    return [scan], out
