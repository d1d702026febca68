"""examples/unsharp.mlir in Halide: PolyMage's unsharp mask of a colour image.

The blur along y repeats the edge of the image along x too: so does that along x of the blur's own edge.
"""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (3, 2832, 4256)}
TOLERANCE = 1e-6
# Those that differ from their blur by just the threshold.
UNDECIDED = 1e-4
VECTOR, STRIP, ROWS = 16, 16, 8


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "sharp", img.shape, np.float32


def pipeline(manual):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img = image("img", hl.Float(32), 3)
    near = edged(img)
    blurx, blury, sharpen, out = hl.Func("blurx"), hl.Func("blury"), hl.Func("sharpen"), hl.Func("sharp")

    def binomial(at):
        return (at(-2) + at(2) + (at(-1) + at(1)) * 4.0 + at(0) * 6.0) * 0.0625

    blurx[x, y, c] = binomial(lambda d: near[x, y + d, c])
    blury[x, y, c] = binomial(lambda d: blurx[x + d, y, c])
    sharpen[x, y, c] = img[x, y, c] * 4.0 - blury[x, y, c] * 3.0
    out[x, y, c] = hl.select(hl.abs(img[x, y, c] - blury[x, y, c]) < hl.f32(0.001), img[x, y, c], sharpen[x, y, c])

    if manual == "cpu":
        # Blocks of rows: along y they are blurred in registers, a vector wide; the result stays in the first cache for x.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        out.split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR).reorder(xi, row, x, block, strip, c)
        out.fuse(strip, c, strip).parallel(strip).vectorize(xi).unroll(row)
        blurx.compute_at(out, block).split(x, x, xi, VECTOR).reorder(xi, y, x).vectorize(xi).unroll(y)

    if manual == "gpu":
        # A block has the rows of blurx that its tile reads in shared memory. A thread has four rows, so that what it loads serves them.
        row, xi, yi = map(hl.Var, ["row", "xi", "yi"])
        out.split(y, y, row, 4).reorder(row, x, y, c).unroll(row).gpu_tile(x, y, xi, yi, 32, 4).gpu_blocks(c)
        blurx.compute_at(out, x).unroll(y, 4).gpu_threads(x, y)
    return [img], out
