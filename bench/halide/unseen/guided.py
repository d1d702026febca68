"""A guided filter whose guide is the image itself, of 9x9 points."""

import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import sliding, x, y

SIZES = {"img": (864, 1152)}
NUMBERS = {"eps": 0.01}
TOLERANCE = 1e-5


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "smooth", img.shape, np.float32


def summed(name, source, dx, dy):
    """Sums of 9 points in a direction, of what `source` says of a place."""
    f = hl.Func(name)
    values = [source((x + i * dx, y + i * dy)) for i in range(-4, 5)]
    f[x, y] = sum(values[1:], values[0])
    return f


def pipeline(manual):
    img, eps = image("img", hl.Float(32), 2), number("eps")
    size = img.width(), img.height()
    near = edged(img)
    square, line, out = map(hl.Func, ["square", "line", "smooth"])
    square[x, y] = near[x, y] * near[x, y]
    across = [summed("rows", near.__getitem__, 1, 0), summed("square_rows", square.__getitem__, 1, 0)]
    mean, squares = (summed(f"{f.name()}_mean", f.__getitem__, 0, 1)[x, y] * hl.f32(1 / 81) for f in across)
    variance = squares - mean * mean
    slope = variance / (variance + eps)
    line[x, y] = (slope, mean - slope * mean)
    around = edged(line, *size)
    behind = [summed(f"{name}_rows", lambda place, i=i: around[place][i], 1, 0) for i, name in enumerate("ab")]
    of_a, of_b = (summed(f"{f.name()}_mean", f.__getitem__, 0, 1)[x, y] * hl.f32(1 / 81) for f in behind)
    out[x, y] = of_a * img[x, y] + of_b

    if manual == "a":
        # Two passes: sums along x slide down a strip in both.
        sliding(out, behind, 8, height=72, rows=4)
        sliding(line.compute_root(), across, 8, height=72, rows=4)
    if manual == "b":
        sliding(out, behind, 16, height=108, rows=6)
        sliding(line.compute_root(), across, 16, height=108, rows=6)
    if manual == "c":
        # One pass, of which every stage slides.
        sliding(out, [*across, line, *behind], 16, height=108, rows=4)
    return [img, eps], out
