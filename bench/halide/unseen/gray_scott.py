"""Eight steps of the reaction and diffusion of Gray and Scott on a torus."""

import halide as hl
import numpy as np
from definition import image
from kinds import sliding, strip, strips, x, y

SIZES = {"a": (864, 1152), "b": (864, 1152)}
TOLERANCE = 1e-5
STEPS = 8


def inputs(random, a, b):
    return {"a": 1 - random.random(a, np.float32) / 2, "b": random.random(b, np.float32) / 4}


def result(a, b):
    return "next", a.shape, np.float32


def around(f, width, height):
    """A pair of images on a torus, up to as far as the image is wide."""
    g = hl.Func(f"{f.name()}_around")

    def inside(place, extent):
        beyond = hl.select(place < 0, place + extent, hl.likely(hl.select(place >= extent, place - extent, hl.likely(place))))
        return hl.unsafe_promise_clamped(beyond, 0, extent - 1)

    g[x, y] = tuple(f[inside(x, width), inside(y, height)][i] for i in range(2))
    return g


def diffused(f, i):
    sides = f[x - 1, y][i] + f[x + 1, y][i] + f[x, y - 1][i] + f[x, y + 1][i]
    corners = f[x - 1, y - 1][i] + f[x + 1, y - 1][i] + f[x - 1, y + 1][i] + f[x + 1, y + 1][i]
    return hl.f32(0.2) * sides + hl.f32(0.05) * corners - f[x, y][i]


def pipeline(manual):
    a, b = image("a", hl.Float(32), 2), image("b", hl.Float(32), 2)
    both = hl.Func("both")
    both[x, y] = (a[x, y], b[x, y])
    steps, padded = [both], []
    for i in range(STEPS):
        near = around(steps[-1], a.width(), a.height())
        u, v = near[x, y][0], near[x, y][1]
        reaction, f = u * v * v, hl.Func(f"step{i}")
        f[x, y] = (
            u + diffused(near, 0) - reaction + hl.f32(0.055) * (hl.f32(1) - u),
            v + hl.f32(0.5) * diffused(near, 1) + reaction - hl.f32(0.117) * v,
        )
        padded.append(near)
        steps.append(f)
    out = hl.Func("next")
    out[x, y] = steps[-1][x, y][1]

    last = [*steps[1:-1], out]
    if manual == "a":
        # Step after step; each reads a copy of its strip's rows with what is around them.
        for f, near in zip(last, padded, strict=True):
            strips(f.compute_root(), 16, height=54, rows=2)
            near.compute_at(f, strip).vectorize(x, 16)
    if manual == "b":
        # These rows slide down the strip.
        for f, near in zip(last, padded, strict=True):
            sliding(f.compute_root(), [near], 16, height=108, rows=4)
    if manual == "c":
        # No copies.
        for f in last:
            strips(f.compute_root(), 16, height=54, rows=2)
    return [a, b], out
