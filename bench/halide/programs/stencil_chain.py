"""examples/stencil_chain.mlir in Halide: 32 stencils of 5x5 points in 16 bits, each of which repeats its own edge."""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (2560, 1536)}
STENCILS = 32
VECTOR, STRIP, ROWS, WIDE, MODE, GROUP = 32, 64, 2, 512, 1, 4


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

    if manual:
        strip, row, xi = map(hl.Var, ["strip", "row", "xi"])
        for i, f in enumerate(stages):
            last = min(i // GROUP * GROUP + GROUP, STENCILS) - 1
            if i == last:
                f.compute_root().split(y, strip, row, STRIP).vectorize(x, VECTOR).parallel(strip).never_partition([row, strip])
            else:
                f.store_at(stages[last], strip).compute_at(stages[last], row).vectorize(x, VECTOR).never_partition([y])
    return [img], out
