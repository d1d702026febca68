"""Eight steps of the diffusion of Perona and Malik on floats."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import sliding, strips, x, y

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

    # What flows between two points is the same for both but for its sign.
    steps, padded, flows = [], [], []
    for i in range(STEPS):
        near = edged(steps[-1], img.width(), img.height()) if steps else edged(img)
        here, f = near[x, y], hl.Func(f"step{i}")
        across, down = hl.Func(f"across{i}"), hl.Func(f"down{i}")
        across[x, y] = flow(near[x, y], near[x - 1, y])
        down[x, y] = flow(near[x, y], near[x, y - 1])
        f[x, y] = here + hl.f32(0.2) * (across[x + 1, y] - across[x, y] + (down[x, y + 1] - down[x, y]))
        padded.append(near)
        flows.append([across, down])
        steps.append(f)
    out = steps[-1]

    if manual == "a":
        # Each step after the other, rows in parallel: both images stay in the second cache or the third.
        for f in steps:
            strips(f.compute_root(), 16, height=54, rows=2)
    if manual == "b":
        # Rows with their border slide down a strip; what flows is computed where it is read.
        for f, near in zip(steps, padded, strict=True):
            sliding(f.compute_root(), [near], 16, height=108, rows=4)
    if manual == "c":
        # What flows slides down a strip, too.
        for f, near, stages in zip(steps, padded, flows, strict=True):
            sliding(f.compute_root(), [near, *stages], 16, height=108, rows=2)
    return [img, kappa], out
