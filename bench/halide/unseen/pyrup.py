"""The next finer level of a pyramid of bytes, in 16 bits."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import x, y

SIZES = {"img": (1080, 1920)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    height, width = img.shape
    return "fine", (2 * height, 2 * width), np.uint8


def opencv(img, result):
    return lambda: cv2.pyrUp(img, result)


def finer(is_even, at):
    """Between the points -1, 0 and 1: at 0, or half a point behind it."""
    if is_even:
        return at(-1) + at(0) * hl.u16(6) + at(1)
    return (at(0) + at(1)) * hl.u16(4)


def rounded(total):
    return hl.u8((total + hl.u16(32)) >> hl.u16(6))


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    parts, out = [hl.Func("even"), hl.Func("odd")], hl.Func("fine")
    kinds = [True, False]
    if manual == "b":
        # Down y first, so that bytes are interleaved along x: even rows and odd ones.
        for part, kind in zip(parts, kinds, strict=True):
            part[x, y] = finer(kind, lambda d: hl.u16(near[x, y + d]))
        rows = [[rounded(finer(kind, lambda d, part=part: part[x // 2 + d, y // 2])) for kind in kinds] for part in parts]
        out[x, y] = hl.select(y % 2 == 0, *(hl.select(x % 2 == 0, *row) for row in rows))
    else:
        # Even columns and odd ones.
        for part, kind in zip(parts, kinds, strict=True):
            part[x, y] = finer(kind, lambda d: hl.u16(near[x + d, y]))
        columns = [[rounded(finer(kind, lambda d, part=part: part[x // 2, y // 2 + d])) for kind in kinds] for part in parts]
        out[x, y] = hl.select(x % 2 == 0, *(hl.select(y % 2 == 0, *column) for column in columns))

    xi, yi, yo, side = map(hl.Var, ["xi", "yi", "yo", "side"])
    if manual:
        # 2x2 points at once.
        out.split(y, yo, y, 144 if manual == "c" else 72).split(y, y, yi, 2).split(x, x, side, 2).split(x, x, xi, 32)
        out.reorder(side, xi, yi, x, y, yo).unroll(side).unroll(yi).vectorize(xi).parallel(yo)
    for part in parts:
        if manual in ("a", "c"):
            # What is along x slides down a strip.
            part.store_at(out, yo).compute_at(out, y).vectorize(x, 32)
        if manual == "b":
            part.compute_at(out, y).vectorize(x, 32)
    return [img], out
