"""The class with the greatest of 21 scores, and its part of the softmax."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"scores": (21, 512, 512)}
SMALL = {"scores": (21, 131, 277)}
TOLERANCE = 1e-5
CLASSES = 21


def inputs(random, scores):
    return {"scores": 4 * random.standard_normal(scores, np.float32)}


def result(scores):
    return [("label", scores.shape[1:], np.uint8), ("likely", scores.shape[1:], np.float32)]


def pipeline(manual):
    scores = image("scores", hl.Float(32), 3)
    # "b" and "c" have powers whose last five bits may be others.
    power = hl.fast_exp if manual in ("b", "c") else hl.exp
    most, total, out = map(hl.Func, ["most", "total", "decided"])
    if manual in ("a", "b", None):
        # Written out: a vector of all planes.
        values = [scores[x, y, k] for k in range(CLASSES)]
        label, greatest = hl.i32(0), values[0]
        for k in range(1, CLASSES):
            label = hl.select(values[k] > greatest, k, label)
            greatest = hl.max(values[k], greatest)
        most[x, y] = (label, greatest)
        powers = [power(value - most[x, y][1]) for value in values]
        total[x, y] = sum(powers[1:], powers[0])
    else:
        # Plane after plane.
        r, s = hl.RDom([(1, CLASSES - 1)], "r"), hl.RDom([(0, CLASSES)], "s")
        most[x, y] = (0, scores[x, y, 0])
        here = scores[x, y, r.x]
        most[x, y] = (hl.select(here > most[x, y][1], r.x, most[x, y][0]), hl.max(here, most[x, y][1]))
        total[x, y] = hl.f32(0)
        total[x, y] += power(scores[x, y, s.x] - most[x, y][1])
    out[x, y] = (hl.u8(most[x, y][0]), hl.f32(1) / total[x, y])

    xi, yo = hl.Var("xi"), hl.Var("yo")
    if manual in ("a", "b"):
        # A vector of all planes, in registers.
        out.split(y, yo, y, 16).split(x, x, xi, 16).vectorize(xi).parallel(yo)
        most.compute_at(out, x).vectorize(x)
        total.compute_at(out, x).vectorize(x)
    if manual == "c":
        # Four vectors of each plane in turn.
        out.split(y, yo, y, 16).split(x, x, xi, 64).vectorize(xi, 16).unroll(xi).parallel(yo)
        for stage in (most, total):
            stage.compute_at(out, x).vectorize(x, 16).unroll(x)
        most.update().reorder(x, r.x, y).vectorize(x, 16).unroll(x)
        total.update().reorder(x, s.x, y).vectorize(x, 16).unroll(x)
    return [scores], out
