"""16 bits less their opening by 5x5 points: minima along x and y, then maxima."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, column, lane, row, sliding, strip, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 1 << 16, img, np.uint16)}


def result(img):
    return "spots", img.shape, np.uint16


def opencv(img, result):
    square = np.ones((5, 5), np.uint8)
    return lambda: cv2.morphologyEx(img, cv2.MORPH_TOPHAT, square, result)


def pipeline(manual):
    img = image("img", hl.UInt(16), 2)
    near = edged(img)
    first, eroded, second, out = map(hl.Func, ["first", "eroded", "second", "spots"])

    def five(pick, f, dx, dy):
        return pick(*(f[x + i * dx, y + i * dy] for i in range(-2, 3)))

    along, down = [(1, 0), (0, 1)] if manual != "c" else [(0, 1), (1, 0)]
    first[x, y] = five(hl.min, near, *along)
    # Beyond the edge is what is never a maximum.
    inside = (x >= 0) & (x < img.width()) & (y >= 0) & (y < img.height())
    eroded[x, y] = hl.select(hl.likely(inside), five(hl.min, first, *down), hl.u16(0))
    second[x, y] = five(hl.max, eroded, *along)
    out[x, y] = img[x, y] - five(hl.max, second, *down)

    yi = hl.Var("yi")
    if manual == "a":
        # All rows slide down a strip, eight at a time.
        sliding(out, [near, first, eroded, second], 32, height=120, rows=8)
    if manual == "b":
        # The image with its border, a strip at a time, in two halves, down which rows slide.
        out.split(x, column, x, 1920, hl.TailStrategy.GuardWithIf).split(y, strip, y, 72).split(y, block, row, 8).split(x, x, lane, 32)
        out.reorder(lane, row, x, block, column, strip).vectorize(lane).unroll(row).parallel(strip)
        near.compute_at(out, strip).vectorize(near.args()[0], 32)
        for stage in (first, eroded, second):
            stage.store_at(out, column).compute_at(out, block).vectorize(x, 32)
    if manual in ("a", "b"):
        eroded.split(y, y, yi, 8, hl.TailStrategy.RoundUp).reorder(yi, x, y).unroll(yi)
    if manual == "c":
        # Down y first.
        sliding(out, [first, eroded, second], 32, height=120, rows=8)
    return [img], out
