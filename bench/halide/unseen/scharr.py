"""The length of Scharr's derivatives of an image of 16 bits."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840)}
TOLERANCE = 1e-6


def inputs(random, img):
    return {"img": random.integers(0, 1 << 16, img, np.uint16)}


def result(img):
    return "steep", img.shape, np.float32


def pipeline(manual):
    img = image("img", hl.UInt(16), 2)
    near = edged(img)
    steps, means, out = hl.Func("steps"), hl.Func("means"), hl.Func("steep")

    def at(dx, dy):
        return hl.i32(near[x + dx, y + dy])

    # Along x: the difference, and the weighted mean; down y the other way round.
    steps[x, y] = at(1, 0) - at(-1, 0)
    means[x, y] = 3 * (at(-1, 0) + at(1, 0)) + 10 * at(0, 0)
    gx = hl.f32(3 * (steps[x, y - 1] + steps[x, y + 1]) + 10 * steps[x, y])
    gy = hl.f32(means[x, y + 1] - means[x, y - 1])
    out[x, y] = hl.sqrt(gx * gx + gy * gy) * hl.f32(1 / 1048560)

    if manual == "a":
        strips(out, 16, height=32, rows=4)
        for stage in (steps, means):
            stage.compute_at(out, x).vectorize(x, 16).unroll(y)
    if manual == "b":
        sliding(out, [steps, means], 16, height=64, rows=2)
    if manual == "c":
        strips(out, 16, height=32, rows=2, columns=2)
        near.compute_at(out, strip).vectorize(near.args()[0], 32)
    return [img], out
