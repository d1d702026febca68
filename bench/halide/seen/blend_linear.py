"""Two images of interleaved bytes as one, by weights of each pixel."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"left": (2160, 3840, 3), "right": (2160, 3840, 3), "of_left": (2160, 3840), "of_right": (2160, 3840)}
SMALL = {"left": (277, 391, 3), "right": (277, 391, 3), "of_left": (277, 391), "of_right": (277, 391)}
# Floats that are rounded to bytes.
UNDECIDED = 1e-4


def inputs(random, left, right, of_left, of_right):
    images = {"left": random.integers(0, 256, left, np.uint8), "right": random.integers(0, 256, right, np.uint8)}
    return images | {"of_left": random.random(of_left, np.float32), "of_right": random.random(of_right, np.float32)}


def result(left, right, of_left, of_right):
    return "both", left.shape, np.uint8


def opencv(left, right, of_left, of_right, result):
    return lambda: cv2.blendLinear(left, right, of_left, of_right, result)


def pipeline(manual):
    left, right = image("left", hl.UInt(8), 3), image("right", hl.UInt(8), 3)
    of_left, of_right = image("of_left", hl.Float(32), 2), image("of_right", hl.Float(32), 2)
    parts, out = hl.Func("parts"), hl.Func("both")
    # One division a pixel.
    inverse = hl.f32(1) / (of_left[x, y] + of_right[x, y] + hl.f32(1e-5))
    parts[x, y] = (of_left[x, y] * inverse, of_right[x, y] * inverse)
    total = hl.f32(left[c, x, y]) * parts[x, y][0] + hl.f32(right[c, x, y]) * parts[x, y][1]
    out[c, x, y] = hl.u8_sat(hl.round(total))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (left, right, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        # Whole pixels of a vector of weights.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
        parts.compute_at(out, x).vectorize(x)
    if manual == "b":
        # The same of 64 pixels, so that bytes fill vectors.
        out.split(x, x, xi, 64).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
        parts.compute_at(out, x).vectorize(x, 16).unroll(x)
    if manual == "c":
        # Bytes as they lie, each part three times.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).vectorize(c).vectorize(xi)
        parts.compute_at(out, x).vectorize(x)
    return [left, right, of_left, of_right], out
