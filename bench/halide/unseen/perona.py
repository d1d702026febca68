"""Eight steps of the diffusion of Perona and Malik on floats."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import sliding, strips, tiles, x, y

SIZES = {"img": (864, 1152)}
NUMBERS = {"kappa": 0.1}
TOLERANCE = 1e-5
STEPS = 8


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "smooth", img.shape, np.float32


def pipeline(manual):
    img, kappa = image("img", hl.Float(32), 2), number("kappa")
    inverse = hl.f32(1) / (kappa * kappa)

    def flow(there, here):
        d = there - here
        return d / (hl.f32(1) + d * d * inverse)

    steps, padded = [], []
    for i in range(STEPS):
        near = edged(steps[-1], img.width(), img.height()) if steps else edged(img)
        here, f = near[x, y], hl.Func(f"step{i}")
        along_x = flow(near[x - 1, y], here) + flow(near[x + 1, y], here)
        along_y = flow(near[x, y - 1], here) + flow(near[x, y + 1], here)
        f[x, y] = here + hl.f32(0.2) * (along_x + along_y)
        padded.append(near)
        steps.append(f)
    out = steps[-1]

    if manual == "a":
        # Each step after the other, rows in parallel: both images stay in the second cache or the third.
        for f in steps:
            strips(f.compute_root(), 16, height=54, rows=2)
    if manual == "b":
        # All steps slide down a strip.
        sliding(out, [stage for pair in zip(padded, steps, strict=True) for stage in pair if stage is not out], 16, height=216, rows=2)
    if manual == "c":
        # Four steps a tile, twice; what lies around a tile is computed anew.
        tiles(steps[3].compute_root(), steps[:3], 16, width=384, height=54)
        tiles(out, steps[4:-1], 16, width=384, height=54)
    return [img, kappa], out
