"""sRGB in L*a*b*, planes of floats."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (3, 864, 1152)}
TOLERANCE = 1e-5


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "lab", img.shape, np.float32


def pipeline(manual):
    img = image("img", hl.Float(32), 3)
    linear, lab, out = hl.Func("linear"), hl.Func("opponent"), hl.Func("lab")
    value = img[x, y, c]
    steep = hl.pow((value + hl.f32(0.055)) * hl.f32(1 / 1.055), hl.f32(2.4))
    linear[x, y, c] = hl.select(value > hl.f32(0.04045), steep, value * hl.f32(1 / 12.92))
    r, g, b = (linear[x, y, channel] for channel in range(3))

    def curve(*weights):
        t = r * hl.f32(weights[0]) + g * hl.f32(weights[1]) + b * hl.f32(weights[2])
        return hl.select(t > hl.f32(0.008856), hl.pow(t, hl.f32(1 / 3)), t * hl.f32(7.787) + hl.f32(16 / 116))

    fx = curve(0.412453 / 0.95047, 0.357580 / 0.95047, 0.180423 / 0.95047)
    fy = curve(0.212671, 0.715160, 0.072169)
    fz = curve(0.019334 / 1.08883, 0.119193 / 1.08883, 0.950227 / 1.08883)
    lab[x, y] = (fy * 116.0 - 16.0, (fx - fy) * 500.0, (fy - fz) * 200.0)
    out[x, y, c] = hl.mux(c, [lab[x, y][channel] for channel in range(3)])

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        # All channels of a vector of pixels.
        out.split(x, x, xi, 16).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
        lab.compute_at(out, x).vectorize(x)
        linear.compute_at(out, x).bound(c, 0, 3).unroll(c).vectorize(x)
    if manual == "b":
        # Row by row: each plane's curve, then the matrix, so that few constants are in registers at a time.
        out.reorder(x, c, yi, y).unroll(c).vectorize(x, 16)
        lab.compute_at(out, yi).vectorize(x, 16)
        linear.compute_at(out, yi).vectorize(x, 16)
    if manual == "c":
        out.split(x, x, xi, 32).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi, 16).unroll(xi)
        lab.compute_at(out, x).vectorize(x, 16).unroll(x)
        linear.compute_at(out, yi).vectorize(x, 16)
    return [img], out
