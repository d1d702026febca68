"""The maximum of 3x3 points at every other point, of 64 planes."""

import halide as hl
import numpy as np
from definition import half, image
from kinds import c, strip, strips, x, y

SIZES = {"img": (64, 224, 224)}
SMALL = {"img": (16, 131, 87)}


def inputs(random, img):
    return {"img": random.standard_normal(img, np.float32)}


def result(img):
    return "pooled", (img.shape[0], *map(half, img.shape[1:])), np.float32


def pipeline(manual):
    img = image("img", hl.Float(32), 3)
    near = hl.BoundaryConditions.repeat_edge(img, [hl.Range(0, img.width()), hl.Range(0, img.height()), hl.Range()])
    tall, out = hl.Func("tall"), hl.Func("pooled")
    # Down y first: of what is along x only every other row is needed.
    tall[x, y, c] = hl.max(*(near[x, 2 * y + j, c] for j in (-1, 0, 1)))
    out[x, y, c] = hl.max(*(tall[2 * x + i, y, c] for i in (-1, 0, 1)))

    if manual == "a":
        strips(out, 16, height=28)
        tall.compute_at(out, strip).vectorize(x, 16)
    if manual == "b":
        # A plane with its border.
        out.vectorize(x, 16).parallel(c)
        near.compute_at(out, c).vectorize(near.args()[0], 16)
        tall.compute_at(out, y).vectorize(x, 16)
    if manual == "c":
        # Rows with their border slide down a plane.
        out.vectorize(x, 16).parallel(c)
        near.store_at(out, c).compute_at(out, y).vectorize(near.args()[0], 16)
        tall.compute_at(out, y).vectorize(x, 16)
    return [img], out
