"""examples/stencil_chain.mlir in Halide: 32 stencils of 5x5 points in 16 bits, each of which repeats its own edge."""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (2560, 1536)}
STENCILS = 32
VECTOR, STRIP, ROWS = 16, 32, 2


def inputs(random, img):
    return {"img": random.integers(0, 65536, img, np.uint16)}


def result(img):
    return "out", img.shape, np.uint16


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.UInt(16), 2)
    wide, tall = img.width(), img.height()
    near, stages = edged(img), []
    for stage in range(STENCILS):
        stencil = hl.Func(f"stencil{stage}")
        terms = [near[x + i, y + j] * hl.u16((i + 3) * (j + 3)) for i in range(-2, 3) for j in range(-2, 3)]
        stencil[x, y] = sum(terms[1:], terms[0])
        stages.append(stencil)
        near = edged(stencil, wide, tall)
    out = stages[-1]

    if manual == "cpu":
        # Two images fit the last cache: stage by stage, blocks of rows that share what they load.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        for f in stages:
            f.compute_root().split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR)
            f.reorder(xi, row, x, block, strip).vectorize(xi).unroll(row).parallel(strip).never_partition([block, strip])

    if manual == "gpu":
        # A kernel a stencil: a thread has some rows of a column, so that what it loads serves all of them.
        row, xi, yi = map(hl.Var, ["row", "xi", "yi"])
        for f in stages:
            f.compute_root().split(y, y, row, 4).reorder(row, x, y).unroll(row).gpu_tile(x, y, xi, yi, 32, 4)
    return [img], out
