"""Corners of bytes by nine neighbours in a row on a circle of 16, and of neighbouring ones the greatest."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, sliding, strip, strips, x, y

SIZES = {"img": (1080, 1920)}
THRESHOLD = 20
CIRCLE = [(0, 3), (1, 3), (2, 2), (3, 1), (3, 0), (3, -1), (2, -2), (1, -3)]
CIRCLE += [(-i, -j) for i, j in CIRCLE]


def inputs(random, img):
    # Squares of 12 points with some noise.
    rows, columns = (-(-extent // 12) for extent in img)
    squares = np.kron(random.integers(0, 230, (rows, columns)), np.ones((12, 12), int))[: img[0], : img[1]]
    return {"img": (squares + random.integers(0, 26, img)).astype(np.uint8)}


def result(img):
    return "corners", img.shape, np.uint8


def arcs(pick, other, circle):
    """The best that nine in a row have in common: eight of them by pairs of pairs of pairs, then one more on either side."""
    two = [pick(circle[i], circle[(i + 1) % 16]) for i in range(1, 16, 2)]
    four = [pick(two[i], two[(i + 1) % 8]) for i in range(8)]
    eight = [pick(four[i], four[(i + 2) % 8]) for i in range(8)]
    ends = [other(circle[2 * i], circle[(2 * i + 9) % 16]) for i in range(8)]
    nine = [pick(inner, end) for inner, end in zip(eight, ends, strict=True)]
    while len(nine) > 1:
        nine = [other(*pair) for pair in zip(nine[::2], nine[1::2], strict=True)]
    return nine[0]


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    score, out = hl.Func("score"), hl.Func("corners")
    circle = [near[x + i, y + j] for i, j in CIRCLE]
    brighter = hl.saturating_sub(arcs(hl.min, hl.max, circle), near[x, y])
    darker = hl.saturating_sub(near[x, y], arcs(hl.max, hl.min, circle))
    most = hl.max(brighter, darker)
    inside = (x >= 0) & (x < img.width()) & (y >= 0) & (y < img.height())
    found = hl.select(most > hl.u8(THRESHOLD), most - hl.u8(1), hl.u8(0))
    score[x, y] = hl.select(hl.likely(inside), found, hl.u8(0))
    around = [score[x + i, y + j] for j in (-1, 0, 1) for i in (-1, 0, 1) if (i, j) != (0, 0)]
    out[x, y] = hl.select(score[x, y] > hl.max(*around), score[x, y], hl.u8(0))

    if manual == "a":
        # Rows of the image with their border and rows of scores slide down a strip.
        sliding(out, [near, score], 64, height=108, rows=4)
    if manual == "b":
        # The image with its border, a strip at a time; scores slide.
        strips(out, 64, height=108, rows=4)
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
        score.store_at(out, strip).compute_at(out, block).vectorize(x, 64)
    if manual == "c":
        # Scores of the image first.
        strips(out, 64, height=60, rows=4)
        sliding(score.compute_root(), [near], 64, height=60)
    return [img], out
