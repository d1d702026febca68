"""Chambolle's total variation: ten steps of a dual field."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import sliding, strips, x, y

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

    def denoised(name, field):
        """The image less the divergence of a field, which is 0 outside and everywhere in the beginning."""
        u = hl.Func(name)
        value = img[x, y]
        if field:
            left = hl.select(x > 0, hl.likely(field[hl.max(hl.likely(x) - 1, 0), y][0]), hl.f32(0))
            above = hl.select(y > 0, hl.likely(field[x, hl.max(hl.likely(y) - 1, 0)][1]), hl.f32(0))
            value -= left - field[x, y][0] + above - field[x, y][1]
        u[x, y] = value
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
        # The image of each step is computed where it is read, three times.
        for f in fields:
            strips(f.compute_root(), 16, height=54, rows=2)
        strips(out, 16, height=54)
    if manual == "c":
        # Each stage for the whole image.
        for stage in (*images, *fields):
            strips(stage.compute_root(), 16, height=54, rows=2)
        strips(out, 16, height=54)
    return [img, weight], out
