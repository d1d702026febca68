"""The variance of each block of 8x8 bytes, times 4096."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (2160, 3840)}
SMALL = {"img": (272, 392)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "activity", (img.shape[0] // 8, img.shape[1] // 8), np.int32


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    totals, squares, total, square, out = map(hl.Func, ["totals", "squares", "total", "square", "activity"])
    value = lambda i, j: hl.u16(img[i, j])
    if manual == "b":
        # Along rows of a block first, then down.
        totals[x, y] = sum((value(8 * x + i, y) for i in range(1, 8)), value(8 * x, y))
        squares[x, y] = sum((hl.u32(value(8 * x + i, y) * value(8 * x + i, y)) for i in range(8)), hl.u32(0))
        total[x, y] = sum((hl.i32(totals[x, 8 * y + j]) for j in range(8)), hl.i32(0))
        square[x, y] = sum((squares[x, 8 * y + j] for j in range(8)), hl.u32(0))
    elif manual == "c":
        # Each point is added in a register of its block.
        r = hl.RDom([(0, 8), (0, 8)])
        total[x, y] = hl.i32(0)
        total[x, y] += hl.i32(img[8 * x + r.x, 8 * y + r.y])
        square[x, y] = hl.u32(0)
        square[x, y] += hl.u32(value(8 * x + r.x, 8 * y + r.y) * value(8 * x + r.x, 8 * y + r.y))
    else:
        # Down columns first: these are vectors.
        totals[x, y] = sum((value(x, 8 * y + j) for j in range(1, 8)), value(x, 8 * y))
        squares[x, y] = sum((hl.u32(value(x, 8 * y + j) * value(x, 8 * y + j)) for j in range(8)), hl.u32(0))
        total[x, y] = sum((hl.i32(totals[8 * x + i, y]) for i in range(8)), hl.i32(0))
        square[x, y] = sum((squares[8 * x + i, y] for i in range(8)), hl.u32(0))
    out[x, y] = hl.i32(square[x, y]) * 64 - total[x, y] * total[x, y]

    if manual in ("a", "b"):
        out.vectorize(x, 16).parallel(y)
        for stage in (totals, squares):
            stage.compute_at(out, y).vectorize(x, 32 if manual == "a" else 16)
    if manual == "c":
        out.vectorize(x, 16).parallel(y)
        for stage in (total, square):
            stage.compute_at(out, x).vectorize(x)
            stage.update().reorder(x, r.x, r.y).vectorize(x).unroll(r.x).unroll(r.y)
    return [img], out
