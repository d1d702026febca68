"""Interleaved bytes without haze: the least of all channels of 15x15 points, means of 15x15 of these, and what lies behind."""

import operator

import cv2
import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import block, c, strip, x, y

SIZES = {"img": (1080, 1920, 3)}
SMALL = {"img": (277, 391, 3)}
NUMBERS = {"air": 225.0}
# Floats that are rounded to bytes.
UNDECIDED = 1e-4
# Rows of a strip.
ROWS = 135
v = hl.Var("v")


def inputs(random, img):
    """Colours of all kinds, in patches of a few points, behind haze that is thicker towards the top."""
    height, width, _ = img
    patches = random.integers(0, 256, (height // 6 + 1, width // 6 + 1, 3)).repeat(6, 0).repeat(6, 1)[:height, :width]
    through = (0.15 + 0.8 * np.arange(height) / height)[:, None, None]
    return {"img": np.round(NUMBERS["air"] + (patches - NUMBERS["air"]) * through).astype(np.uint8)}


def result(img):
    return "clear", img.shape, np.uint8


def opencv(img, result):
    """As one does it there, with floats from the means on."""
    air, square = NUMBERS["air"], np.ones((15, 15), np.uint8)

    def call():
        red, green, blue = cv2.split(img)
        least = cv2.erode(cv2.min(cv2.min(red, green), blue), square)
        mean = cv2.boxFilter(least, cv2.CV_32F, (15, 15), borderType=cv2.BORDER_REPLICATE)
        through = cv2.max(cv2.addWeighted(mean, -0.95 / air, mean, 0, 1), 0.1)
        behind = cv2.divide(cv2.subtract(img, (air, air, air, 0), dtype=cv2.CV_32F), cv2.merge((through, through, through)))
        return cv2.add(behind, (air, air, air, 0), result, dtype=cv2.CV_8U)

    return call


def fifteen(name, combine, at, direction):
    """Two, four and eight points in a direction, combined; and those from -7 to 0 and from 0 to 7: the middle is in both."""
    i, j = direction
    runs = [hl.Func(f"{name}{2 << k}") for k in range(3)]
    for k, run in enumerate(runs):
        shorter = (lambda d, k=k: runs[k - 1][x + d * i, y + d * j]) if k else at
        run[x, y] = combine(shorter(0), shorter(1 << k))
    return runs, runs[2][x - 7 * i, y - 7 * j], runs[2][x, y]


def pipeline(manual):
    img, air = image("img", hl.UInt(8), 3), number("air")
    dark, lines, least, sums, inverse, out = map(hl.Func, ["dark", "lines", "least", "sums", "inverse", "clear"])
    dark[x, y] = hl.min(img[0, x, y], img[1, x, y], img[2, x, y])
    size = img.dim(1).extent(), img.dim(2).extent()
    near = edged(dark, *size)
    # Minima down y, then along x; in "c" the other way round.
    i, j = (1, 0) if manual == "c" else (0, 1)
    runs, *halves = fifteen("runs", hl.min, lambda d: near[x + d * i, y + d * j], (i, j))
    lines[x, y] = hl.min(*halves)
    more, *halves = fifteen("more", hl.min, lambda d: lines[x + d * j, y + d * i], (j, i))
    least[x, y] = hl.min(*halves)
    around = edged(least, *size)
    if manual:
        # Sums along y run down a strip: that of a row is that of the row above, but for two.
        first, r = hl.RDom([(-7, 15)], "first"), hl.RDom([(1, ROWS - 1)], "r")
        sums[x, v, strip] = hl.u16(0)
        sums[x, 0, strip] += hl.u16(around[x, strip * ROWS + first])
        place = strip * ROWS + r
        sums[x, r, strip] = sums[x, r - 1, strip] + (hl.u16(around[x, place + 7]) - hl.u16(around[x, place - 8]))
        column = lambda d: sums[x + d, y % ROWS, y // ROWS]  # noqa: E731
    else:
        _, *halves = fifteen("columns", operator.add, lambda d: hl.u16(around[x, y + d]), (0, 1))
        sums[x, y] = halves[0] + halves[1] - hl.u16(around[x, y])
        column = lambda d: sums[x + d, y]  # noqa: E731
    along, *halves = fifteen("along", operator.add, column, (1, 0))
    total = hl.f32(hl.i32(halves[0] + halves[1] - column(0)))
    inverse[x, y] = hl.f32(1) / hl.max(hl.f32(1) - total * (hl.f32(0.95 / 225) / air), hl.f32(0.1))
    # A half more, which is cut off.
    shift = air + hl.f32(0.5) - air * inverse[x, y]
    out[c, x, y] = hl.u8_sat(hl.i32(hl.f32(img[c, x, y]) * inverse[x, y] + shift))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        # Sums along x are of a piece of a row, which stays in the first cache.
        out.bound(c, 0, 3).split(y, strip, y, ROWS).split(x, block, x, 384).split(x, x, xi, 32)
        out.reorder(c, xi, x, block, y, strip).unroll(c).vectorize(xi).parallel(strip)
        inverse.compute_at(out, x).vectorize(x, 16)
        for stage in along:
            stage.compute_at(out, block).vectorize(x, 32)
        around.compute_at(out, strip).vectorize(around.args()[0], 64)
        sums.compute_at(out, strip).vectorize(x, 32)
        sums.update(0).vectorize(x, 32)
        sums.update(1).reorder(x, r).vectorize(x, 32)
        dark.compute_at(near, near.args()[1]).vectorize(x, 64)
    if manual == "a":
        # Minima of the whole image first.
        least.compute_root().split(y, strip, yi, ROWS).parallel(strip)
        at, inside = (least, strip), yi
    elif manual:
        # Minima of a strip.
        least.compute_at(out, strip)
        at, inside = (out, strip), y
    if manual:
        least.vectorize(x, 64)
        # Rows of what is combined down y slide, those of what is combined along x serve once.
        sliding, rows = ([near, *runs], [lines, *more]) if manual != "c" else ([lines, *more], [near, *runs])
        for stage in sliding:
            stage.store_at(*at).compute_at(least, inside).vectorize(stage.args()[0], 64)
        for stage in rows:
            stage.compute_at(*((lines, y) if manual == "c" else (least, inside))).vectorize(stage.args()[0], 64)
    return [img, air], out
