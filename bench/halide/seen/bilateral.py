"""A bilateral filter of 5x5 bytes."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import reflected, sliding, x, y

SIZES = {"img": (864, 1152)}
NUMBERS = {"space": 2.0, "range": 30.0}
# A mean near a half is rounded either way.
TOLERANCE = 1
AROUND = [(i, j) for j in range(-2, 3) for i in range(-2, 3)]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "smooth", img.shape, np.uint8


def pipeline(manual):
    img, space, likeness = image("img", hl.UInt(8), 2), number("space"), number("range")
    near = reflected(img, img.width(), img.height())
    weights, out = hl.Func("weights"), hl.Func("smooth")
    by_space, by_range = hl.f32(-0.5) / (space * space), hl.f32(-0.5) / (likeness * likeness)
    # Bytes do not need all bits.
    exp = hl.exp if manual in ("a", None) else hl.fast_exp

    def weight(i, j):
        apart = hl.f32(near[x + i, y + j]) - hl.f32(near[x, y])
        return exp(hl.f32(i * i + j * j) * by_space + apart * apart * by_range)

    if manual in ("a", "b"):
        # A pair of points has one weight: it is that of the first, and the second reads it there.
        behind = [(i, j) for i, j in AROUND if (j, i) > (0, 0)]
        weights[x, y] = tuple(weight(*place) for place in behind)
        all = {(0, 0): hl.f32(1)}
        for k, (i, j) in enumerate(behind):
            all[i, j], all[-i, -j] = weights[x, y][k], weights[x - i, y - j][k]
    else:
        all = {place: weight(*place) for place in AROUND}
    values = [all[i, j] * hl.f32(near[x + i, y + j]) for i, j in AROUND]
    every = [all[place] for place in AROUND]
    out[x, y] = hl.u8_sat(hl.round(sum(values[1:], values[0]) / sum(every[1:], every[0])))

    if manual in ("a", "b"):
        sliding(out, [near, weights], 16, height=108)
    if manual == "c":
        sliding(out, [near], 16, height=27)
    return [img, space, likeness], out
