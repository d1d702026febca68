"""examples/blur.mlir in Halide: a 3x3 box blur, along x, then along y."""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (4800, 6400)}
TOLERANCE = 1e-6
VECTOR, STRIP = 16, 32


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "blurred", img.shape, np.float32


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.Float(32), 2)
    near = edged(img)
    blurx, out = hl.Func("blurx"), hl.Func("blurred")
    blurx[x, y] = (near[x - 1, y] + near[x, y] + near[x + 1, y]) / 3.0
    out[x, y] = (blurx[x, y - 1] + blurx[x, y] + blurx[x, y + 1]) / 3.0

    if manual:
        # Strips in parallel; three rows of blurx go along with the output.
        strip, row = hl.Var("strip"), hl.Var("row")
        out.split(y, strip, row, STRIP, hl.TailStrategy.GuardWithIf).parallel(strip).vectorize(x, VECTOR)
        blurx.store_at(out, strip).compute_at(out, row).vectorize(x, VECTOR)
    return [img], out
