"""An affine map of bytes, between four points."""

import cv2
import halide as hl
import numpy as np
from definition import image, number
from kinds import strips, x, y

SIZES = {"img": (2160, 3840)}
# A turn by ten degrees, and a ninth smaller.
NUMBERS = {"xx": 1.094, "xy": 0.193, "x0": -410.0, "yx": -0.193, "yy": 1.094, "y0": 260.0}
# A place among thousands of points has 12 bits behind the point, so that a value near a half is rounded either way.
TOLERANCE = 1


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "warped", img.shape, np.uint8


def opencv(img, result):
    matrix = np.array(list(NUMBERS.values())).reshape(2, 3)
    return lambda: cv2.warpAffine(img, matrix, result.shape[::-1], result, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def between(p, q, part):
    return p + (q - p) * part


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    xx, xy, x0, yx, yy, y0 = numbers = [number(name) for name in NUMBERS]
    near = hl.BoundaryConditions.constant_exterior(img, hl.u8(0))
    out = hl.Func("warped")
    sx = xx * hl.f32(x) + (xy * hl.f32(y) + x0)
    sy = yx * hl.f32(x) + (yy * hl.f32(y) + y0)
    fx, fy = hl.floor(sx), hl.floor(sy)
    i, j = hl.i32(fx), hl.i32(fy)
    four = [near[i + u, j + v] for v in (0, 1) for u in (0, 1)]
    if manual in ("b", "c"):
        # Four neighbours are one number, so that there is one gather.
        quads = hl.Func("quads")
        bytes = [hl.u32(near[x + u, y + v]) for v in (0, 1) for u in (0, 1)]
        quads[x, y] = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24)
        if manual == "b":
            i, j = hl.clamp(i, -2, img.width()), hl.clamp(j, -2, img.height())
        four = [hl.i32((quads[i, j] >> shift) & 255) for shift in (0, 8, 16, 24)]
    a, b, c, d = map(hl.f32, four)
    out[x, y] = hl.u8_sat(hl.round(between(between(a, b, sx - fx), between(c, d, sx - fx), sy - fy)))

    xo, yo = hl.Var("xo"), hl.Var("yo")
    if manual == "a":
        strips(out, 32, height=16)
    if manual == "b":
        out.tile(x, y, xo, yo, x, y, 128, 32).vectorize(x, 32).parallel(yo)
        quads.compute_root().vectorize(x, 16).parallel(y, 32)
    if manual == "c":
        # Those that a tile needs.
        out.tile(x, y, xo, yo, x, y, 256, 128).vectorize(x, 32).parallel(yo)
        quads.compute_at(out, xo).vectorize(x, 16)
    return [img, *numbers], out
