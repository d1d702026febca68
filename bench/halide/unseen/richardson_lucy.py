"""Eight steps of Richardson and Lucy on floats, with a Gaussian of 9x9 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, sliding, strip, strips, x, y

SIZES = {"img": (864, 1152)}
TOLERANCE = 1e-5
STEPS = 8
PSF = [0.0076144, 0.036075, 0.1095861, 0.2134445, 0.26656]


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "sharp", img.shape, np.float32


def blurred(f, dx, dy):
    """Nine points in a direction; the two that are as far away have one weight."""
    total = f[x, y] * hl.f32(PSF[4])
    for i in range(1, 5):
        total += (f[x - i * dx, y - i * dy] + f[x + i * dx, y + i * dy]) * hl.f32(PSF[4 - i])
    return total


def pipeline(manual):
    img = image("img", hl.Float(32), 2)
    width, height = img.width(), img.height()
    estimates, parts = [], []
    for i in range(STEPS):
        before = estimates[-1] if estimates else img
        first, ratio, second, f = (hl.Func(f"{name}{i}") for name in ("first", "ratio", "second", "step"))
        along, down = [(1, 0), (0, 1)] if manual != "c" else [(0, 1), (1, 0)]
        first[x, y] = blurred(edged(before, width, height), *along)
        ratio[x, y] = img[x, y] / (blurred(first, *down) + hl.f32(1e-6))
        near = edged(ratio, width, height)
        second[x, y] = blurred(near, *along)
        f[x, y] = before[x, y] * blurred(second, *down)
        estimates.append(f)
        parts.append((first, ratio, near, second))
    out = estimates[-1]

    for f, (first, ratio, near, second) in zip(estimates, parts, strict=True):
        if manual == "a":
            # Ratios of the image, then the step. What is blurred along x slides down a strip, by short vectors, as these cross fewer lines.
            for stage, lines in ((ratio, first), (f, second)):
                strips(stage.compute_root(), 16, height=216, rows=8)
                lines.store_at(stage, strip).compute_at(stage, block).vectorize(x, 8)
        if manual == "b":
            # Each step in strips, down which all its rows slide.
            sliding(f.compute_root(), [first, near, second], 16, height=216, rows=4)
        if manual == "c":
            # Down y first, of which some rows are kept; ratios of the image, then the step.
            sliding(ratio.compute_root(), [first], 16, height=108, rows=2)
            sliding(f.compute_root(), [second], 16, height=108, rows=2)
    return [img], out
