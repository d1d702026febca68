"""examples/grade.mlir in Halide: a chain of pointwise stages."""

import halide as hl
import numpy as np

from definition import image, number

SIZES = {"img": (3, 2832, 4256)}
NUMBERS = {"exposure": 1.2, "saturation": 1.3, "contrast": 1.1, "curve": 0.5}
TOLERANCE = 1e-6
VECTOR, ROWS = 16, 16


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "graded", img.shape, np.float32


def pipeline(manual):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img = image("img", hl.Float(32), 3)
    exposure, saturation, contrast, curve = map(number, NUMBERS)
    exposed, luma, saturated, contrasted, limited, soft, out = map(
        hl.Func, ["exposed", "luma", "saturated", "contrasted", "limited", "soft", "graded"]
    )
    exposed[x, y, c] = img[x, y, c] * exposure
    red, green, blue = (exposed[x, y, channel] for channel in range(3))
    luma[x, y] = red * hl.f32(0.2126) + green * hl.f32(0.7152) + blue * hl.f32(0.0722)
    saturated[x, y, c] = luma[x, y] + (exposed[x, y, c] - luma[x, y]) * saturation
    contrasted[x, y, c] = (saturated[x, y, c] - hl.f32(0.18)) * contrast + hl.f32(0.18)
    limited[x, y, c] = hl.clamp(contrasted[x, y, c], hl.f32(0.0), hl.f32(1.0))
    near = limited[x, y, c]
    soft[x, y, c] = near * near * (hl.f32(3.0) - near * hl.f32(2.0))
    out[x, y, c] = near + (soft[x, y, c] - near) * curve

    if manual == "cpu":
        # All channels of a vector at once: the image is read once.
        strip, xi = hl.Var("strip"), hl.Var("xi")
        out.bound(c, 0, 3).split(y, strip, y, ROWS).split(x, x, xi, VECTOR).reorder(xi, c, x, y, strip)
        out.vectorize(xi).unroll(c).parallel(strip)
        luma.compute_at(out, x).vectorize(x, VECTOR)

    if manual == "gpu":
        # A thread has all channels of a point.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        out.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xi, yi, 32, 8)
        luma.compute_at(out, xi)
    return [img, exposure, saturation, contrast, curve], out
