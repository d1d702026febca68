"""Chambolle's total variation: ten steps of a dual field."""

import halide as hl
import numpy as np
from definition import image, number, edged
from kinds import sliding, strips, tiles, x, y

SIZES = {"img": (864, 1152)}
NUMBERS = {"weight": 0.1}
TOLERANCE = 1e-5
STEPS = 10


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "smooth", img.shape, np.float32


def pipeline(manual):
    img, weight = image("img", hl.Float(32), 2), number("weight")
    size = img.width(), img.height()
    ranges = [hl.Range(0, extent) for extent in size]
    near = edged(img)

    def denoised(name, field):
        """The image less the divergence of a field, which is 0 outside and everywhere in the beginning."""
        u = hl.Func(name)
        u[x, y] = near[x, y]
        if field:
            around = hl.BoundaryConditions.constant_exterior(field, [hl.f32(0), hl.f32(0)], ranges)
            here = around[x, y]
            u[x, y] = near[x, y] - (around[x - 1, y][0] - here[0] + around[x, y - 1][1] - here[1])
        return u

    images, fields, field = [], [], None
    for i in range(STEPS):
        u = denoised(f"u{i}", field)
        around, f = edged(u, *size), hl.Func(f"p{i}")
        gx, gy = around[x + 1, y] - around[x, y], around[x, y + 1] - around[x, y]
        scale = hl.f32(1) / (hl.f32(1) + hl.sqrt(gx * gx + gy * gy) * (hl.f32(0.25) / weight))
        before = field[x, y] if field else (hl.f32(0), hl.f32(0))
        f[x, y] = ((before[0] - hl.f32(0.25) * gx) * scale, (before[1] - hl.f32(0.25) * gy) * scale)
        images.append(u)
        fields.append(f)
        field = f
    out = denoised("smooth", field)

    if manual == "a":
        # Step after step, of which each computes rows of the image that slide down its strip.
        for u, f in zip(images, fields, strict=True):
            sliding(f.compute_root(), [u], 16, height=54)
        strips(out, 16, height=54)
    if manual == "b":
        # All steps slide down a strip.
        sliding(out, [stage for pair in zip(images, fields, strict=True) for stage in pair], 16, height=216)
    if manual == "c":
        # Five steps a tile, twice.
        tiles(fields[4].compute_root(), [*images[:5], *fields[:4]], 16, width=384, height=54)
        tiles(out, [*images[5:], *fields[5:]], 16, width=384, height=54)
    return [img, weight], out
