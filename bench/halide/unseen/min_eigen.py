"""The lesser eigenvalue of the products of Sobel's derivatives, summed over 5x5 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, tiles, x, y

SIZES = {"img": (1080, 1920)}
SMALL = {"img": (67, 91)}
TOLERANCE = 1e-5


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "corners", img.shape, np.float32


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    products, inside, rows, sums, out = map(hl.Func, ["products", "inside", "rows", "sums", "corners"])
    at = lambda i, j: hl.i16(near[x + i, y + j])
    gx = at(1, -1) - at(-1, -1) + hl.i16(2) * (at(1, 0) - at(-1, 0)) + at(1, 1) - at(-1, 1)
    gy = at(-1, 1) - at(-1, -1) + hl.i16(2) * (at(0, 1) - at(0, -1)) + at(1, 1) - at(1, -1)
    gx, gy = hl.i32(gx), hl.i32(gy)
    products[x, y] = (gx * gx, gx * gy, gy * gy)
    # The edge of what was multiplied is repeated.
    px, py = hl.clamp(x, 0, img.width() - 1), hl.clamp(y, 0, img.height() - 1)
    inside[x, y] = tuple(products[px, py][k] for k in range(3))
    rows[x, y] = tuple(sum((inside[x + i, y][k] for i in (-1, 0, 1, 2)), inside[x - 2, y][k]) for k in range(3))
    sums[x, y] = tuple(sum((rows[x, y + j][k] for j in (-1, 0, 1, 2)), rows[x, y - 2][k]) for k in range(3))
    a, b, c = hl.f32(0.5) * hl.f32(sums[x, y][0]), hl.f32(sums[x, y][1]), hl.f32(0.5) * hl.f32(sums[x, y][2])
    out[x, y] = (a + c) - hl.sqrt((a - c) * (a - c) + b * b)

    if manual == "a":
        sliding(out, [inside, rows], 16)
        products.compute_at(inside, y).vectorize(x, 16)
    if manual == "b":
        sliding(out, [inside], 16, rows=4)
        rows.compute_at(out, x).vectorize(x).unroll(y)
        products.compute_at(inside, y).vectorize(x, 16)
    if manual == "c":
        tiles(out, [products, inside, rows], 16, width=64)
    return [img], out


def opencv(img, result):
    import cv2

    # OpenCV's are so many times as small: of Sobel's operator and of bytes.
    return lambda: cv2.cornerMinEigenVal(img, 5, dst=result, ksize=3, borderType=cv2.BORDER_REPLICATE)
