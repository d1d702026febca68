"""Eight steps of the reaction and diffusion of Gray and Scott on a torus."""

import halide as hl
import numpy as np
from definition import image
from kinds import strips, tiles, x, y

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

    if manual == "a":
        # Step after step, rows in parallel; the last one only in vectors of the result.
        for f in steps[1:-1]:
            strips(f.compute_root(), 16, height=54, rows=2)
        strips(out, 16, height=54, rows=2)
    if manual == "b":
        # Each step reads a copy of its rows with what is around them.
        for f, near in zip(steps[1:-1], padded, strict=False):
            strips(f.compute_root(), 16, height=54, rows=2)
            near.compute_at(f, hl.Var("strip")).vectorize(x, 16)
        strips(out, 16, height=54, rows=2)
        padded[-1].compute_at(out, hl.Var("strip")).vectorize(x, 16)
    if manual == "c":
        # Two steps a tile.
        for second in (2, 4, 6):
            tiles(steps[second].compute_root(), [steps[second - 1]], 16, width=384, height=54)
        tiles(out, [steps[7]], 16, width=384, height=54)
    return [a, b], out
