"""Weights of three exposures: contrast, saturation, and how far from black and white."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, strip, strips, tiles, x, y

SIZES = {name: (3, 864, 1152) for name in ("dark", "middle", "bright")}
TOLERANCE = 1e-4


def inputs(random, **shapes):
    return {name: random.random(shape, np.float32) for name, shape in shapes.items()}


def result(dark, middle, bright):
    return [(f"of_{name}", dark.shape[1:], np.float32) for name in SIZES]


def pipeline(manual):
    images = [image(name, hl.Float(32), 3) for name in SIZES]
    width, height = images[0].width(), images[0].height()
    grey, out = hl.Func("grey"), hl.Func("parts")
    grey[x, y] = tuple((img[x, y, 0] + img[x, y, 1] + img[x, y, 2]) * hl.f32(1 / 3) for img in images)
    near = edged(grey, width, height)
    weights = []
    for n, img in enumerate(images):
        at = lambda dx, dy, n=n: near[x + dx, y + dy][n]  # noqa: E731
        mean = at(0, 0)
        contrast = hl.abs(at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - hl.f32(4) * mean)
        colours = [img[x, y, channel] for channel in range(3)]
        spread, distance = (sum(((v - m) * (v - m) for v in colours[1:]), (colours[0] - m) * (colours[0] - m)) for m in (mean, hl.f32(0.5)))
        exposed = hl.exp(distance * hl.f32(-12.5))
        weights.append(contrast * hl.sqrt(spread * hl.f32(1 / 3)) * exposed + hl.f32(1e-6))
    inverse = hl.f32(1) / (weights[0] + weights[1] + weights[2])
    out[x, y] = tuple(weight * inverse for weight in weights)

    if manual == "a":
        # Rows of grey slide down a strip.
        sliding(out, [near], 16, height=54, rows=2)
    if manual == "b":
        tiles(out, [near], 16, width=128, height=27)
    if manual == "c":
        # Grey of a strip.
        strips(out, 16, height=27)
        near.compute_at(out, strip).vectorize(near.args()[0], 16)
    return images, out
