"""An image of floats twice as wide and high, by cubic curves."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import x, y

SIZES = {"img": (864, 1152)}
TOLERANCE = 1e-6


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    height, width = img.shape
    return "large", (2 * height, 2 * width), np.float32


def opencv(img, result):
    return lambda: cv2.resize(img, result.shape[::-1], result, interpolation=cv2.INTER_CUBIC)


def cubic(at, step):
    """Between the points 0 and `step`, a quarter of the way."""
    weights = {-step: -0.10546875, 0: 0.87890625, step: 0.26171875, 2 * step: -0.03515625}
    values = [at(place) * hl.f32(weight) for place, weight in weights.items()]
    return values[0] + values[1] + values[2] + values[3]


def pipeline(manual):
    img = image("img", hl.Float(32), 2)
    near = edged(img)
    wide, out = hl.Func("wide"), hl.Func("large")
    left, right = hl.Func("left"), hl.Func("right")
    for side, step in ((left, -1), (right, 1)):
        side[x, y] = cubic(lambda d: near[x + d, y], step)
    wide[x, y] = hl.select(x % 2 == 0, left[x // 2, y], right[x // 2, y])
    above, below = (cubic(lambda d: wide[x, y // 2 + d], step) for step in (-1, 1))
    out[x, y] = hl.select(y % 2 == 0, above, below)

    xi, yi, yo, even = map(hl.Var, ["xi", "yi", "yo", "even"])
    if manual == "a":
        # 2x2 points: all of what is along x slides down a strip, even columns and odd ones apart, until they are stored.
        out.split(y, yo, y, 72).split(y, y, yi, 2).split(x, x, even, 2).reorder(even, x, yi, y, yo).unroll(even).unroll(yi)
        out.vectorize(x, 16).parallel(yo)
        for side in (left, right):
            side.store_at(out, yo).compute_at(out, y).vectorize(x, 16)
    if manual == "b":
        # Four rows at once, 16 pairs of columns wide.
        out.split(y, yo, y, 72).split(y, y, yi, 4).split(x, x, even, 2).split(x, x, xi, 16).reorder(even, xi, yi, x, y, yo)
        out.unroll(even).unroll(yi).vectorize(xi).parallel(yo)
        for side in (left, right):
            side.store_at(out, yo).compute_at(out, y).vectorize(x, 16)
    if manual == "c":
        # wide is interleaved, and slides down a strip.
        out.split(y, yo, y, 72).split(y, y, yi, 2).split(x, x, xi, 16).reorder(xi, yi, x, y, yo).unroll(yi).vectorize(xi).parallel(yo)
        wide.store_at(out, yo).compute_at(out, y).split(x, x, even, 2).reorder(even, x, y).unroll(even).vectorize(x, 16)
    return [img], out
